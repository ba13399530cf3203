#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe sharing: who meets on a line, and at which bytes.
# usage: sharing-pairs.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source=lib/sharing.sh
. "$(dirname "$0")/lib/sharing.sh"

# 10 stores and 20 loads of two threads at other bytes, one after the other or at once.  The time
# stamps say which.
in_time() { # FIRST-STORE FIRST-LOAD
	head_of
	for ((i = 0; i < 10; i++)); do echo "$(store "$hot_pc" 10 10 0x1000) ts=$(($1 + 20 * i))"; done
	echo 'auxtrace 0 0 10 0'
	for ((i = 0; i < 20; i++)); do echo "$(load "$cold_pc" 11 10 0x1008) ts=$(($2 + 10 * i))"; done
	echo 'auxtrace 1 1 11 0'
}
begin "sharing: threads that use a line one after the other do not share it"
in_time 1000 1200 | perf_file t.data
run 0 sharing -i "$dir/t.data" --symfs "$dir/root"
says '2 sharers on 2 CPUs, one after the other'
grep -q meetings "$out" && fail 'a meeting'
in_time 1200 1000 | perf_file t.data
run 0 sharing -i "$dir/t.data" --symfs "$dir/root"
says '2 sharers on 2 CPUs, one after the other'
in_time 1000 1003 | perf_file t.data
run 0 sharing -i "$dir/t.data" --symfs "$dir/root"
says '2 sharers on 2 CPUs, no byte shared: false sharing?'

# filled WORDS STORES FIRST-LOAD: thread 10 stores to each of so many words so often, at 1000 to 1239.
# Thread 11 loads the first word 30 times, from FIRST-LOAD on, and once the third one in main().
filled() {
	local i word
	head_of
	for ((i = 0; i < $2; i++)); do
		for ((word = 0; word < $1; word++)); do
			echo "$(store "$hot_pc" 10 10 $((0x1000 + 8 * word))) ts=$((1000 + 60 * i + word))"
		done
	done
	echo 'auxtrace 0 0 10 0'
	for ((i = 0; i < 30; i++)); do echo "$(load "$cold_pc" 11 10 0x1000) ts=$(($3 + 8 * i))"; done
	echo "$(load 0x8000000000001234 11 10 0x1010) ts=$(($3 + 50))"
	echo 'auxtrace 1 1 11 0'
}
# One load comes after 4 stores to its word in one of 5 orders, which says nothing.  It comes after 16
# stores of hot() in one of 17 orders, and of 16 stores and 31 loads more than 10^11 orders are possible.
begin "sharing: a table that one thread filled and another then reads is not shared"
for words in 4 8; do
	filled $words 4 1300 | perf_file filled.data
	run 0 sharing -i "$dir/filled.data" --symfs "$dir/root"
	says '2 sharers on 2 CPUs, one after the other'
done
# The same table, filled while it is read: each word has as many samples as before.
filled 8 4 1000 | perf_file filled.data
run 0 sharing -i "$dir/filled.data" --symfs "$dir/root"
grep -q 'one after the other' "$out" && fail 'accesses at the same time count as apart'
# Of 10 stores and 1 load 11 orders are possible: the last place is left to chance.
begin "sharing: few samples are one after the other by chance"
{
	head_of
	for ((i = 0; i < 10; i++)); do echo "$(store "$hot_pc" 10 10 0x1000) ts=$((1000 + i))"; done
	echo 'auxtrace 0 0 10 0'
	echo "$(load "$cold_pc" 11 10 0x1000) ts=1010"
	echo 'auxtrace 1 1 11 0'
} | perf_file late.data
run 0 sharing -i "$dir/late.data" --symfs "$dir/root"
grep -q 'one after the other' "$out" && fail 'one load decides'
# Of 3 stores and 3 stores 20 orders are possible, of 4 and 4 70: two of these have all of one thread first.
for count in 3 4; do
	{
		head_of
		for ((i = 0; i < count; i++)); do echo "$(store "$hot_pc" 10 10 0x1000) ts=$((1000 + i))"; done
		echo 'auxtrace 0 0 10 0'
		for ((i = 0; i < count; i++)); do echo "$(store "$cold_pc" 11 10 0x1008) ts=$((2000 + i))"; done
		echo 'auxtrace 1 1 11 0'
	} | perf_file few.data
	run 0 sharing -i "$dir/few.data" --symfs "$dir/root"
	case $count in 3) says 'too few samples to tell' ;; 4) says 'one after the other' ;; esac
done

# strays TIME [TIME]: 40 stores of thread 10 on CPU 0, then 41 of thread 11 on CPU 1; one of thread 12 on CPU 1
# at the first time, and one of thread 13 on CPU 0 at the second
strays() {
	local i
	head_of
	printf '%s\n' 'comm 10 12 1 0 first' 'comm 10 13 1 0 first'
	for ((i = 0; i < 40; i++)); do echo "$(store "$hot_pc" 10 10 0x1000) ts=$((1000 + i))"; done
	[ $# -lt 2 ] || echo "$(store "$cold_pc" 13 10 0x1018) ts=$2"
	echo 'auxtrace 0 0 10 0'
	for ((i = 0; i < 41; i++)); do echo "$(store "$cold_pc" 11 10 0x1008) ts=$((2000 + i))"; done
	[ $# -lt 1 ] || echo "$(store "$cold_pc" 12 10 0x1010) ts=$1"
	echo 'auxtrace 1 1 11 0'
}
begin "sharing: few samples of others do not change what the line is"
strays | perf_file strays.data
run 0 sharing -i "$dir/strays.data" --symfs "$dir/root"
says '2 sharers on 2 CPUs, one after the other'
# Only of threads 12 and 13 it is unknown whether they meet.
strays 2100 2200 | perf_file strays.data
run 0 sharing -i "$dir/strays.data" --symfs "$dir/root"
says '4 sharers on 2 CPUs, one after the other'
# Thread 12 meets thread 10, but one sample does not show which bytes it uses.
strays 1020 | perf_file strays.data
run 0 sharing -i "$dir/strays.data" --symfs "$dir/root"
says '3 sharers on 2 CPUs, too few samples to tell'

# Without snoops a pair's weight is the product of its samples of which one writes: 10 * 10 of
# hot at +0 and cold at +8, 10 * 5 of hot at +0 and main at +8, which both load there.
begin "sharing: the pairs of functions that meet on a line"
{
	head_of
	for _ in {1..10}; do store "$hot_pc" 10 10 0x1000; done
	echo 'auxtrace 0 0 10 0'
	for _ in {1..10}; do load "$cold_pc" 11 10 0x1008; done
	for _ in {1..5}; do load 0x8000000000001234 11 10 0x1008; done
	echo 'auxtrace 1 1 11 0'
} | perf_file pairs.data
run 0 sharing -i "$dir/pairs.data" --symfs "$dir/root"
pairs() { sed -n '/^# meetings/,/^$/p' "$out" | tr -s ' '; }
pairs | finds -x '# meetings bytes functions that move the line, with the bytes of each' || fail "$(pairs)"
pairs | finds -x ' 66.67% apart prog hot +0, prog cold +8' || fail "$(pairs)"
pairs | finds -x ' 33.33% apart prog hot +0, .* 0x1234 +8' || fail "$(pairs)"
run 0 sharing -i "$dir/pairs.data" --symfs "$dir/root" --pairs 1
says '# 1 more pair'

# Threads that run one function at other bytes: hot has 20 stores at +8, 20 at +40 and 10 at +16 by three
# threads on three CPUs: 2 * 20 * 20, 2 * 20 * 10 and 2 * 20 * 10 of 1600.
begin "sharing: pairs apart name bytes that are apart, in one function too"
{
	head_of
	echo 'comm 10 12 1 0 first'
	for _ in {1..20}; do store "$hot_pc" 10 10 0x1028; done
	echo 'auxtrace 0 0 10 0'
	for _ in {1..20}; do store "$hot_pc" 11 10 0x1008; done
	echo 'auxtrace 1 1 11 0'
	for _ in {1..10}; do store "$hot_pc" 12 10 0x1010; done
	echo 'auxtrace 2 2 12 0'
} | perf_file one.data
run 0 sharing -i "$dir/one.data" --symfs "$dir/root"
pairs | finds -x ' 75.00% apart prog hot +8, prog hot +16-40' || fail "$(pairs)"
pairs | finds -x ' 25.00% apart prog hot +40, prog hot +16' || fail "$(pairs)"

# If A has n samples and B m, in random order B follows A n * m / (n + m) times.  The line goes
# from A, 30 stores at +0, to B, 30 stores at +8 and 4 loads at +0, 30 * 34 / 64 = 15.9 times.  If
# +8 had a line of its own, +0 would go there 30 * 4 / 34 = 3.5 times.
begin "sharing: few accesses to common bytes leave it false sharing"
many() { for ((i = 0; i < $1; i++)); do "${@:2}"; done; }
{
	head_of
	many 30 store "$hot_pc" 10 10 0x1000
	echo 'auxtrace 0 0 10 0'
	many 30 store "$cold_pc" 11 10 0x1008
	many 4 load "$cold_pc" 11 10 0x1000
	echo 'auxtrace 1 1 11 0'
} | perf_file few.data
run 0 sharing -i "$dir/few.data" --symfs "$dir/root"
says '2 sharers on 2 CPUs, few bytes shared: false sharing?'
# Either of two stores meets the other: 2 * 30 * 30, and 30 * 4 loads meet stores.
pairs | finds -x ' 93.75% apart prog hot +0, prog cold +8' || fail "$(pairs)"
pairs | finds -x ' 6.25% common prog hot +0, prog cold +0' || fail "$(pairs)"

# A lock at +0 and what it protects at +8, used by both: each would go to the other CPU as often.
begin "sharing: several variables that both use are no false sharing"
{
	head_of
	for ((cpu = 0; cpu < 2; cpu++)); do
		many 20 store "$hot_pc" $((10 + cpu)) 10 0x1000
		many 20 store "$hot_pc" $((10 + cpu)) 10 0x1008
		echo "auxtrace $cpu $cpu $((10 + cpu)) 0"
	done
} | perf_file lock.data
run 0 sharing -i "$dir/lock.data" --symfs "$dir/root"
grep -q '80 stores, 0 snooped, 2 sharers on 2 CPUs$' "$out" || fail 'another verdict'

# A flag that ends a loop is written once.
begin "sharing: one write by chance is too few"
{
	head_of
	store "$hot_pc" 10 10 0x1000
	echo 'auxtrace 0 0 10 0'
	for _ in {1..50}; do load "$cold_pc" 11 10 0x1000; done
	echo 'auxtrace 1 1 11 0'
} | perf_file flag.data
run 0 sharing -i "$dir/flag.data" --symfs "$dir/root"
says '2 sharers on 2 CPUs, too few samples to tell'

# The size of an access is in the instruction (C6.2): STR of 64 bits at 0x1000 and LDRB at 0x1007
# have a byte in common, LDRB at 0x1008 and it do not; LDP Q has 32 bytes.
begin "sharing: accesses overlap as far as their instructions reach"
if ! find_arm; then
	skip "no compiler for AArch64"
else
	cat >"$dir/sizes.s" <<'END'
	.globl _start, str64, ldrb, ldpq
	.type _start, %function
	.type str64, %function
	.type ldrb, %function
	.type ldpq, %function
_start:	ret
	.size _start, .-_start
str64:	str x1, [x0]
	.size str64, .-str64
ldrb:	ldrb w1, [x0]
	.size ldrb, .-ldrb
ldpq:	ldp q0, q1, [x0]
	.size ldpq, .-ldpq
END
	mkdir -p "$dir/sizes/usr/bin"
	"$arm" -nostdlib -static -no-pie -Wl,--build-id=sha1 -o "$dir/sizes/usr/bin/prog" "$dir/sizes.s"
	read -r seg_off seg_addr < <(readelf -lW "$dir/sizes/usr/bin/prog" |
		awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	pc_of() { user "$(at "$(nm "$dir/sizes/usr/bin/prog" | awk -v s="$1" '$3 == s { print $1 }')")"; }
	id=$(readelf -nW "$dir/sizes/usr/bin/prog" | sed -n 's/.*Build ID: //p')
	map_prog="0x7000000000 0x100000 $seg_off"
	sizes() { # FUNCTION ADDRESS
		{
			head_of
			for _ in {1..10}; do store "$(pc_of str64)" 10 10 0x1000; done
			echo 'auxtrace 0 0 10 0'
			for _ in {1..10}; do load "$(pc_of "$1")" 11 10 "$2"; done
			echo 'auxtrace 1 1 11 0'
		} | perf_file sizes.data
		run 0 sharing -i "$dir/sizes.data" --symfs "$dir/sizes"
	}
	sizes ldrb 0x1007
	pairs | finds -x ' 100.00% common prog str64 +0-7, prog ldrb +7' || fail "$(pairs)"
	sizes ldrb 0x1008
	says 'no byte shared: false sharing?'
	pairs | finds -x ' 100.00% apart prog str64 +0-7, prog ldrb +8' || fail "$(pairs)"
	sizes ldpq 0x1007
	pairs | finds -x ' 100.00% common prog str64 +0-7, prog ldpq +7-38' || fail "$(pairs)"
	sizes ldpq 0x1030
	pairs | finds -x ' 100.00% apart prog str64 +0-7, prog ldpq +48-63' || fail "$(pairs)"
fi

finish
