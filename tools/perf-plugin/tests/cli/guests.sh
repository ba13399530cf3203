#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Samples of KVM's guests, which the host took: whose they are, their columns, and names of a guest's kernel.
# usage: guests.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/viewers.sh
. "$(dirname "$0")/lib/viewers.sh"
# shellcheck source-path=SCRIPTDIR source=lib/page.sh
. "$(dirname "$0")/lib/page.sh"
page=$here/../../../Documentation/perf-spe/reference/guests.md
make_program

# The instruction's Exception level is in bits 62:61 of its packet.
guest_kernel() { printf '0xa0ff%012x' $((0x800000000000 | $1)); }
host_kernel() { printf '0xc0ff%012x' $((0x800000000000 | $1)); }

# head CONFIG HOST: a host with two virtual machines and a program.  The machines' processes have the program
# mapped where user code of the guests is.
head_of() {
	cat <<TEXT
attr 8 1024 0 $1 0 0 0 0
exclude 0 0 $2
info 4
conv 0 1 0
comm 10 10 1 1 prog
map 10 $map_prog 2 $id /usr/bin/prog
comm 100 100 1 1 vmm-one
map 100 $map_prog 2 $id /usr/bin/prog
thread 100 101 100 3
comm 100 101 4 0 CPU-0/KVM
comm 200 200 1 1 vmm-two
map 200 $map_prog 2 $id /usr/bin/prog
thread 200 201 200 3
comm 200 201 4 0 CPU-0/KVM
TEXT
}
# Two samples of the host and four of guests, whose own thread 10 is not the host's
samples() {
	local code
	code=$(user "$(at "$hot")")
	cat <<TEXT
rec pc=$code ctx2=10 total=5 class=1 op=0 va=0x5000 events=2 ts=10
rec pc=$code ctx1=10 ctx2=101 total=5 class=1 op=0 va=0x5000 events=2 ts=11
rec pc=$(guest_kernel 0x1010) ctx1=10 ctx2=101 total=5 class=1 op=0 va=0xffff800000009000 events=2 ts=12
rec pc=$(host_kernel 0x1010) ctx2=101 total=5 class=1 op=0 va=0xffff800000009000 events=2 ts=13
rec pc=$(guest_kernel 0x1010) ctx1=0 ctx2=201 total=5 class=1 op=0 va=0xffff800000009000 events=2 ts=14
rec pc=$code ctx1=11 ctx2=201 total=5 class=1 op=0 va=0x5000 events=2 ts=15
auxtrace 0 0 -1 0
TEXT
}
both=0x20001 only=1
{ head_of $both 0 && samples; } | perf_file both.data
{ head_of $only 1 && samples; } | perf_file only.data
{ head_of 1 0 && samples; } | perf_file plain.data

columns() { # FILE FIELDS LINE...
	run 0 export -i "$dir/$1" --symfs "$dir/root" -f csv -F "$2"
	shift 2
	[ "$(tail -n +2 "$out" | tr -d '\r"')" = "$(printf '%s\n' "$@")" ] || fail "$(cat "$out")"
}

for file in both only; do
	begin "guests: whose a sample is, of $file.data"
	columns $file.data guest,pid,tid,comm,process_comm,vm,vcpu,guest_el,guest_context \
		',10,10,prog,prog,,,,' 'yes,100,101,CPU-0/KVM,vmm-one,vmm-one/100,101,0,10' \
		'yes,100,101,CPU-0/KVM,vmm-one,vmm-one/100,101,1,10' ',100,101,CPU-0/KVM,vmm-one,,,,' \
		'yes,200,201,CPU-0/KVM,vmm-two,vmm-two/200,201,1,0' \
		'yes,200,201,CPU-0/KVM,vmm-two,vmm-two/200,201,0,11'
	begin "guests: no name of the host's files and kernel, of $file.data"
	printf '%s T %s\n' ffff800000000000 _text ffff800000001000 host_function >"$dir/kallsyms"
	columns_of="object,symbol,object_address"
	run 0 export -i "$dir/$file.data" --symfs "$dir/root" --kallsyms "$dir/kallsyms" -f csv -F $columns_of
	[ "$(tail -n +2 "$out" | cut -d, -f1,2 | tr -d '\r"' | paste -sd ' ')" = \
		"/usr/bin/prog,hot [guest.user 10], [guest.kernel], [kernel],host_function [guest.kernel], [guest.user 11]," ] ||
		fail "$(cat "$out")"
	warns 'no symbols for user code of guests'
	warns 'no symbols for kernels of guests, such as that of the virtual machine vmm-one/100: a recording'
	[ "$(grep -c 'of guests' "$err")" = 2 ] || fail "said more than once"
done

begin "guests: a recording that did not ask for them has none"
columns plain.data guest,vm,vcpu,guest_el,guest_context ',,,,' ',,,,' ',,,,' ',,,,' ',,,,' ',,,,'
empty='guest, vm, vcpu, guest_el and guest_context are empty:'
warns "export: $empty the recording did not ask for samples of guests; record with 'perf spe record -a --guests'"
for options in '--by vm,symbol' '--by guest_el'; do
	# shellcheck disable=SC2086 # several options
	run 0 report -i "$dir/plain.data" --symfs "$dir/root" $options
	warns "report: $empty"
done
# One reason, one message; an option that keeps none for another reason has a message of its own.
for options in '--filter guest' '--text --filter vcpu>5'; do
	# shellcheck disable=SC2086 # several options
	run 0 report -i "$dir/plain.data" --symfs "$dir/root" $options
	warns "report: --filter '${options##* }' keeps none of the 6 samples: change or remove it; $empty"
	[ "$(grep -c guest "$err")" = 1 ] || fail "$options: $(cat "$err")"
done
run 0 report -i "$dir/plain.data" --symfs "$dir/root" --by guest --comm nobody
warns 'to see the values that there are, run: perf spe report --by comm'
warns "report: $empty"
for options in "report --by symbol" export; do
	# shellcheck disable=SC2086 # a verb and an option
	run 0 $options -i "$dir/plain.data" --symfs "$dir/root"
	! grep -q 'are empty' "$err" || fail "a message about columns that were not chosen: $options"
done
run 0 report -i "$dir/both.data" --symfs "$dir/root" --by vm
! grep -q 'are empty' "$err" || fail 'a recording of guests'
# On a host at EL1 CONTEXTIDR_EL1 is the thread's.
columns plain.data pid,object '10,/usr/bin/prog' '10,/usr/bin/prog' '10,[kernel]' '100,[kernel]' '200,[kernel]' \
	'200,/usr/bin/prog'
silent

# Linux's driver ignores exclude_host: without EL2 the host's own threads are in CONTEXTIDR_EL1.
begin "guests: exclude_host of a driver that samples the host at EL1"
{
	head_of $only 1
	echo 'switch 0 10 10 0 5'
	for ts in 10 11 12; do echo "rec pc=$(user "$(at "$hot")") ctx1=10 total=5 events=2 ts=$ts"; done
	echo 'auxtrace 0 0 -1 0'
} | perf_file el1.data
columns el1.data guest,pid,symbol ',10,hot' ',10,hot' ',10,hot'

# Nothing tells what ran, but the ids are those of the host's threads.
{
	head_of $only 1
	for ts in 10 11 12; do echo "rec pc=$(user "$(at "$hot")") ctx1=10 total=5 events=2 ts=$ts"; done
	echo 'auxtrace 0 0 -1 0'
} | perf_file el1.data
columns el1.data guest,pid,symbol ',10,hot' ',10,hot' ',10,hot'
# This project's driver has the attribute only where guests have contexts of their own.
{
	head_of $both 0
	echo "rec pc=$(user "$(at "$hot")") ctx1=10 total=5 events=2 ts=10"
	echo 'auxtrace 0 0 -1 0'
} | perf_file el1.data
columns el1.data guest,pid,symbol 'yes,,'

begin "guests: without CONTEXTIDR_EL2 the thread that ran on the CPU is the virtual CPU"
{
	head_of $both 0
	echo 'switch 0 100 101 0 5'
	echo 'switch 0 200 201 0 20'
	for ts in 10 30; do echo "rec pc=$(guest_kernel 0x1010) ctx1=10 total=5 events=2 ts=$ts"; done
	echo 'auxtrace 0 0 -1 0'
} | perf_file turns.data
columns turns.data guest,vm,vcpu 'yes,vmm-one/100,101' 'yes,vmm-two/200,201'

begin "guests: a machine that the recording does not know"
{
	head_of $both 0
	echo "rec pc=$(guest_kernel 0x1010) ctx1=10 ctx2=999 total=5 events=2 ts=10"
	echo 'auxtrace 0 0 -1 0'
} | perf_file strange.data
columns strange.data guest,vm,vcpu,pid,guest_context,object 'yes,,,,10,[guest.kernel]'

begin "guests: filters and groups"
run 0 report -i "$dir/both.data" --filter guest --by vm,object
says '4 of 4 samples (100.00%) are of guests'
grep -qE 'vmm-one/100 +\[guest.kernel\]' "$out" || fail "no row of the first machine's kernel"
grep -qE 'vmm-two/200 +\[guest.user 11\]' "$out" || fail "no row of the second machine's user code"
run 0 report -i "$dir/both.data" --filter 'not guest' --symfs "$dir/root"
says '0 of 2 samples (0.00%) are of guests'
count_is prog hot 1

begin "guests: each verb says which part of the samples is of guests"
for verb in stat sharing mem advise 'report --by pid'; do
	# shellcheck disable=SC2086 # a verb with its options
	run 0 $verb -i "$dir/both.data" --symfs "$dir/root"
	says '# guests     4 of 6 samples (66.67%) are of guests'
	# shellcheck disable=SC2086
	run 0 $verb -i "$dir/both.data" --symfs "$dir/root" --json
	json '[r["text"] for r in d["recording"] if r["name"] == "guests"][0].startswith("4 of 6 samples")'
	# shellcheck disable=SC2086
	run 0 $verb -i "$dir/plain.data" --symfs "$dir/root"
	! grep -q guest "$out" || fail "$verb has guests"
done
run 0 annotate -i "$dir/both.data" --symfs "$dir/root" hot
says '# guests     4 of 6'
run 0 report -i "$dir/both.data" --summary
key_is records_of_guests 4
run 0 stat -i "$dir/both.data"
grep -qE '^# record instead.*: perf spe record --guests( .*)? -- COMMAND' "$out" || fail 'no --guests'
[ "$(sed -n '/^# tasks/,/^$/p' "$out" | awk '!/^#/ && NF { $1 = $2 = $3 = $4 = $5 = ""; print }' | sed 's/^ *//' | sort | paste -sd,)" = \
	'10 prog,100 CPU-0/KVM,100 CPU-0/KVM (guest),200 CPU-0/KVM (guest)' ] || fail "tasks: $(sed -n '/^# tasks/,/^$/p' "$out")"
run 0 stat -i "$dir/only.data"
grep -qE '^# record instead.*: perf spe record --guests=only( .*)? -- COMMAND' "$out" || fail 'no --guests=only'
run 0 stat -i "$dir/both.data" --csv=tasks
grep -q '^100,"CPU-0/KVM","yes",2,' "$out" || fail "tasks: $(cat "$out")"
grep -q '^100,"CPU-0/KVM",,1,' "$out" || fail "tasks: $(cat "$out")"

begin "guests: mem leaves out what no address space is known of"
run 0 mem -i "$dir/both.data"
says '# 4 samples with a virtual address'
says '# 2 more samples of guests left out: the host does not know the process of a virtual address; record with --physical and use'
says 'guest of 100 vmm-one'
says 'guest of 200 vmm-two'
run 0 mem -i "$dir/both.data" --json
json 'd["guests_left_out"] == 2'
{ head_of $both 0 && samples | sed 's/ events=2/ pa=0x8000000000002040&/'; } | perf_file addresses.data
run 0 mem -i "$dir/addresses.data"
says '# 2 more samples of guests left out: the host does not know the process of a virtual address; use mem --physical'

begin "guests: lines that two machines share are known by their physical address only"
lines() {
	local ts=0 pa=$1
	head_of $both 0
	for tid in 101 201 101 201 101 201 101 201; do
		ts=$((ts + 10))
		echo "rec pc=$(guest_kernel 0x1010) ctx1=5 ctx2=$tid total=5 class=1 op=1 va=0xffff800000009000 $pa events=2 ts=$ts"
		echo "auxtrace $((tid / 100)) $((tid / 100)) -1 $((ts * 64))"
	done
}
lines pa=0x8000000000002040 | perf_file physical.data
run 0 sharing -i "$dir/physical.data"
says '8 loads and stores with an address (8 with a physical one) in 1 line, 1 line shared'
says 'guest in 101 CPU-0/KVM'
says 'guest in 201 CPU-0/KVM'
lines '' | perf_file virtual.data
run 0 sharing -i "$dir/virtual.data"
says '8 loads and stores with an address in 2 lines, 0 lines shared'

begin "guests: symbols of their kernels"
printf '%s %s %s\n' ffff800000000000 T _text ffff800000001000 T one_function ffff800000001100 T end >"$dir/one"
printf '%s %s %s\n' ffff800000000000 T _text ffff800000001000 T two_function ffff800000001100 T end >"$dir/two"
symbols() { # OPTIONS... = WANTED
	local args=()
	while [ "$1" != = ]; do args+=("$1") && shift; done
	run 0 export -i "$dir/both.data" --filter 'guest_el == 1' -f csv -F object,symbol "${args[@]}"
	[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = "$2" ] || fail "${args[*]}: $(cat "$out")"
}
symbols --guest-kallsyms "$dir/one" = '[guest.kernel],one_function [guest.kernel],one_function'
symbols --guest-kallsyms "vmm-one=$dir/one" --guest-kallsyms "200=$dir/two" = \
	'[guest.kernel],one_function [guest.kernel],two_function'
# A pid is one machine, and a name may be that of several.
symbols --guest-kallsyms "vmm-two=$dir/one" --guest-kallsyms "200=$dir/two" = '[guest.kernel], [guest.kernel],two_function'
{ head_of $both 0 | sed 's/vmm-one/200/' && samples; } | perf_file named.data
run 0 export -i "$dir/named.data" --filter 'guest_el == 1' -f csv -F symbol --guest-kallsyms "200=$dir/two"
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = ' two_function' ] || fail "$(cat "$out")"
symbols --guest-kallsyms "$dir/one" --guest-kallsyms "vmm-two=$dir/two" = \
	'[guest.kernel],one_function [guest.kernel],two_function'
symbols --guest-kallsyms "vmm-two=$dir/two" = '[guest.kernel], [guest.kernel],two_function'
warns 'no symbols for kernels of guests, such as that of the virtual machine vmm-one/100: a recording'
symbols --guest-kallsyms "vmm-one=$dir/one" = '[guest.kernel],one_function [guest.kernel],'
warns 'no symbols for kernels of guests, such as that of the virtual machine vmm-two/200: a recording'
mkdir -p "$dir/guest/proc"
cp "$dir/two" "$dir/guest/proc/kallsyms"
symbols --guest-symfs "$dir/guest" = '[guest.kernel],two_function [guest.kernel],two_function'
echo 'virtio_net 4096 1 - Live 0xffff800000001000' >"$dir/modules"
symbols --guest-kallsyms "$dir/one" --guest-modules "$dir/modules" = '[guest.virtio_net], [guest.virtio_net],'
printf '%s\n' 'ffff800000000000 T _text' $'ffff800000001000 t send_it\t[virtio_net]' >"$dir/three"
symbols --guest-kallsyms "$dir/three" --guest-modules "$dir/modules" = \
	'[guest.virtio_net],send_it [guest.virtio_net],send_it'
run 0 report -i "$dir/both.data" --guest-kallsyms "$dir/two" --by vm,symbol
grep -qE 'vmm-two/200 +two_function' "$out" || fail "no such group"

begin "guests: variables of their kernels"
printf '%s\n' 'ffff800000000000 T _text' 'ffff800000008ff8 D counter' 'ffff80000000a000 D _end' >"$dir/data"
printf '%s\n' 'ffff800000000000 T _text' $'ffff800000009000 d ring\t[virtio_net]' >"$dir/module"
data() { # OPTION... = WANTED
	local args=()
	while [ "$1" != = ]; do args+=("$1") && shift; done
	run 0 export -i "$dir/both.data" -f csv -F guest,data_kind,data_object,data_symbol,data_offset \
		--filter 'el > 0' "${args[@]}"
	[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = "$2" ] || fail "${args[*]}: $(cat "$out")"
}
data --guest-kallsyms "vmm-two=$dir/data" = 'yes,unknown,,, ,unknown,,, yes,kernel,[guest.kernel],counter,0x8'
data --guest-kallsyms "$dir/module" = \
	'yes,module,[guest.virtio_net],ring,0x0 ,unknown,,, yes,module,[guest.virtio_net],ring,0x0'
data --kallsyms "$dir/data" = 'yes,unknown,,, ,kernel,[kernel],counter,0x8 yes,unknown,,,'
run 0 mem -i "$dir/both.data" --guest-kallsyms "$dir/data"
grep -qE 'guest of 100 vmm-one: counter in \[guest.kernel\]' "$out" || fail 'mem has no name'

begin "guests: the file of a kernel, which address randomization moved"
cat >"$dir/k.S" <<'TEXT'
.globl _text
.globl linked
.text
_text:
.skip 4096
.type linked, %function
linked:
.skip 256
.size linked, 256
TEXT
if ${CC:-cc} -nostdlib -static -Wl,-Ttext=0xffffffff80000000,-e,_text -o "$dir/vmlinux" "$dir/k.S" 2>"$err"; then
	# Bytes 18 and 19 of an ELF file are its machine: 183 is arm64 (elf.h).
	printf '\267\0' | dd of="$dir/vmlinux" bs=1 seek=18 conv=notrunc status=none
	symbols --guest-kallsyms "$dir/one" --guest-vmlinux "$dir/vmlinux" = \
		'[guest.kernel],one_function [guest.kernel],one_function'
	run 0 export -i "$dir/both.data" -f csv -F object_address --filter guest_el==1 \
		--guest-kallsyms "$dir/one" --guest-vmlinux "$dir/vmlinux"
	[ "$(sed -n 2p "$out" | tr -d '\r')" = 0xffffffff80001010 ] || fail "$(cat "$out")"
	# Alone it fits only a kernel that was not moved.
	symbols --guest-vmlinux "$dir/vmlinux" = '[guest.kernel], [guest.kernel],'
	printf '%s T %s\n' ffff800000001000 no_start >"$dir/part"
	run 1 report -i "$dir/both.data" --guest-kallsyms "$dir/part" --guest-vmlinux "$dir/vmlinux"
	warns 'one of them has no symbol _text'
else
	fail 'cannot link the test kernel'
fi

begin "guests: the build id of a kernel, which its notes tell"
guest_of() { # FOLDER BUILD-ID: the files of a guest
	mkdir -p "$1/proc" "$1/sys/kernel"
	cp "$dir/one" "$1/proc/kallsyms"
	# A note of elf(5): the sizes of name and content, type 3, "GNU"
	{
		printf '\4\0\0\0\24\0\0\0\3\0\0\0GNU\0'
		for ((i = 0; i < 40; i += 2)); do printf '%b' "\\x${2:i:2}"; done
	} >"$1/sys/kernel/notes"
}
own=00112233445566778899aabbccddeeff00112233
guest_of "$dir/known" $own
guest_of "$dir/other" ff112233445566778899aabbccddeeff00112233
address_is() { # ADDRESS OPTION...
	run 0 export -i "$dir/both.data" -f csv -F object_address --filter guest_el==1 "${@:2}"
	[ "$(sed -n 2p "$out" | tr -d '\r')" = "$1" ] || fail "${*:2}: $(cat "$out")"
}
if ${CC:-cc} -nostdlib -static -Wl,-Ttext=0xffffffff80000000,-e,_text,--build-id=0x$own -o "$dir/identified" "$dir/k.S" 2>"$err"; then
	printf '\267\0' | dd of="$dir/identified" bs=1 seek=18 conv=notrunc status=none
	address_is 0xffffffff80001010 --guest-symfs "$dir/known" --guest-vmlinux "$dir/identified"
	address_is '' --guest-symfs "$dir/known"
	debug=$dir/known/usr/lib/debug/.build-id/00
	mkdir -p "$debug"
	cp "$dir/identified" "$debug/${own#00}.debug"
	address_is 0xffffffff80001010 --guest-symfs "$dir/known"
	address_is 0xffffffff80001010 --guest-kallsyms "$dir/known/proc/kallsyms" --guest-vmlinux "$dir/identified"
	run 1 report -i "$dir/both.data" --guest-symfs "$dir/other" --guest-vmlinux "$dir/identified"
	warns "its build id is $own, but that of the guest's kernel is ff1122"
	warns "name the file of the guest's kernel"
	# A file of that name which is another kernel's is left out.
	mkdir -p "$dir/other/usr/lib/debug/.build-id/ff"
	cp "$dir/identified" "$dir/other/usr/lib/debug/.build-id/ff/${own#00}.debug"
	address_is '' --guest-symfs "$dir/other"
	warns "that of the guest's kernel is ff1122"
else
	fail 'cannot link the test kernel'
fi

begin "guests: an archive has the files of each machine"
files=(--guest-kallsyms "vmm-one=$dir/two" --guest-symfs "200=$dir/known")
run 0 archive "$dir/both.data" --symfs "$dir/root" "${files[@]}" -o "$dir/guests.tar"
warns ', 4 files of guests'
symbols_of() { # FILE OPTION...
	run 0 export -i "$@" --filter 'guest_el == 1' -f csv -F vm,object,symbol,object_address
	tr -d '\r"' <"$out"
}
want=$(symbols_of "$dir/both.data" "${files[@]}")
grep -q 'vmm-one/100,\[guest.kernel\],two_function,' <<<"$want" || fail "$want"
grep -q 'vmm-two/200,\[guest.kernel\],one_function,0xffffffff80001010' <<<"$want" || fail "$want"
mv "$dir/known" "$dir/gone"
got=$(cd "$dir" && symbols_of guests.tar)
[ "$got" = "$want" ] || fail "archive: $got"
# Those of the command line go before it, for the machines that they are for.
got=$(cd "$dir" && symbols_of guests.tar --guest-kallsyms "200=$dir/two")
grep -q 'vmm-two/200,\[guest.kernel\],two_function,' <<<"$got" || fail "option: $got"
grep -q 'vmm-one/100,\[guest.kernel\],two_function,' <<<"$got" || fail "option: $got"
run 0 diff "$dir/guests.tar" "$dir/guests.tar"
grep -qE 'guest-symfs|/guests/' "$out" "$err" && fail 'a folder that is gone'
run 0 archive "$dir/both.data" --guest-kallsyms "$dir/one" -o "$dir/all.tar"
got=$(symbols_of "$dir/all.tar")
[ "$(grep -c one_function <<<"$got")" = 2 ] || fail "for all: $got"
run 0 archive "$dir/plain.data" --guest-kallsyms "$dir/one" -o "$dir/none.tar"
grep -q 'of guests$' "$err" && fail 'files that the recording does not need'
mv "$dir/gone" "$dir/known"

# stacks WRITE: WRITE prints PROCESS THREAD COMM PID TID OBJECT SYMBOL
stacks() {
	"$1" prog 'thread 10' prog 10 10 /usr/bin/prog hot
	"$1" vmm-one CPU-0/KVM CPU-0/KVM 100 101 '[guest.user 10]' '[no symbol]'
	"$1" vmm-one CPU-0/KVM CPU-0/KVM 100 101 '[guest.kernel]' one_function
	"$1" vmm-one CPU-0/KVM CPU-0/KVM 100 101 '[kernel]' host_function
	"$1" vmm-two CPU-0/KVM CPU-0/KVM 200 201 '[guest.kernel]' two_function
	"$1" vmm-two CPU-0/KVM CPU-0/KVM 200 201 '[guest.user 11]' '[no symbol]'
}
fold() { echo "$1 $4;$2;${6##*/};$7 1"; }
scope() { echo "samples 1 $1 $4;$2;${6##*/};$7"; }
fire() { echo "$1 $4;$2 $6 $7 1"; }
proto() { echo "samples/count $3 $4 $5 $6 $7 1"; }
trace() { echo "sample 0 $4 $5 $6 $7 1"; }
recording=(-i "$dir/both.data" --symfs "$dir/root" --kallsyms "$dir/kallsyms" --guest-kallsyms "vmm-one=$dir/one"
	--guest-kallsyms "200=$dir/two")
# profile FORMAT WRITE: what is exported to $dir/p, and what its reader is to print
profile() {
	run 0 export "${recording[@]}" -f "$1" -o "$dir/p"
	stacks "$2" >"$dir/want"
}
begin "guests: a profile has them in the thread of the virtual CPU: folded"
profile folded fold
same "$dir/p"
begin "guests: the same in the Firefox Profiler's format, and in speedscope's"
if need; then
	profile firefox fire
	node "$viewers/firefox.mjs" "$dir/p" >"$out" 2>"$err" || fail 'not valid'
	same "$out"
	node "$viewers/firefox.mjs" "$dir/p" categories | grep -v ';' >"$out"
	printf '%s\n' '[guest.kernel] Guest 2' '[guest.user 10] Guest 1' '[guest.user 11] Guest 1' '[kernel] Kernel 1' \
		'/usr/bin/prog User 1' >"$dir/want"
	same "$out"
	profile speedscope scope
	node "$viewers/speedscope.mjs" "$modules" "$dir/p" 2>"$err" | grep '^samples ' >"$out" || fail 'not read'
	same "$out"
fi
begin "guests: the same in pprof's format, and in Perfetto's"
if need protobuf; then
	profile pprof proto
	node "$viewers/pprof.mjs" "$modules" "$dir/p" 2>"$err" | grep '^samples' >"$out" || fail 'not read'
	same "$out"
	profile perfetto trace
	perfetto "$dir/p"
	sed -i '/^sample /!d' "$out"
	same "$out"
fi
begin "guests: the same in OpenTelemetry's format"
if need_otlp; then
	profile otlp proto
	PYTHONPATH=$classes /usr/bin/python3 "$viewers/otlp.py" "$dir/p" 2>"$err" | grep '^samples' >"$out" || fail 'not read'
	same "$out"
fi

begin "guests: the host's kernel keeps its own symbols"
run 0 export -i "$dir/both.data" --kallsyms "$dir/kallsyms" --guest-kallsyms "$dir/two" -f csv -F object,symbol \
	--filter 'el > 0'
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = \
	'[guest.kernel],two_function [kernel],host_function [guest.kernel],two_function' ] || fail "$(cat "$out")"

# Documentation/perf-spe/reference/guests.md: two machines of QEMU, and a program of the host
work=$dir/work
blocks "$page" "$work"
printf '%s %s %s\n' ffff800000000000 T _text ffff800000001000 T copy_page ffff800000002000 T el0_svc \
	ffff800000003000 T _end >"$work/one"
sed s/80000000/80000010/ "$work/one" >"$work/two"
times() { # N RECORD: N samples with rising latencies and times
	local i
	for ((i = 0; i < $1; i++)); do echo "$2 total=$((4 + 3 * i)) events=2 ts=$((ts += 1000))"; done
}
ts=0
{
	head_of $both 0 | sed 's/vmm-one\|vmm-two/qemu-system-aar/; s/\<100\>/1234/g; s/\<101\>/1240/g; s/\<200\>/5678/g; s/\<201\>/5684/g'
	times 9 "rec pc=$(user "$(at "$hot")") ctx2=10"
	times 2 "rec pc=$(host_kernel 0x5010) ctx2=1240"
	times 12 "rec pc=$(guest_kernel 0x1010) ctx1=7 ctx2=1240"
	times 3 "rec pc=$(guest_kernel 0x2010) ctx1=7 ctx2=1240"
	times 6 "rec pc=$(user 0x400100) ctx1=7 ctx2=1240"
	times 5 "rec pc=$(guest_kernel 0x102010) ctx1=31 ctx2=5684"
	times 3 "rec pc=$(user 0x400100) ctx1=31 ctx2=5684"
	echo 'auxtrace 0 0 -1 0'
} | perf_file work/perf.data
shows=0
for shown in "$work"/*.shown; do
	text=$(cat "${shown%.shown}.command")
	begin "guests: the page: $text"
	run_block "$work" "$text"
	body >"$dir/got"
	part "$shown" "$dir/got" || fail "$(diff "$shown" "$dir/got")"
	shows=$((shows + 1))
done
begin "guests: the page shows what its commands print"
[ "$shows" -eq 3 ] || fail "$shows blocks"

begin "guests: files that no sample needs"
run 0 report -i "$dir/both.data" --guest-kallsyms "vmm=$dir/one" --guest-kallsyms "$dir/two"
warns "no sample of a guest's kernel is of the virtual machine 'vmm', whose files you name"
run 0 report -i "$dir/plain.data" --guest-kallsyms "$dir/one"
warns 'the recording did not ask for samples of guests'

begin "guests: files that cannot be used"
refused() { # TEXT OPTIONS...
	run "$1" report -i "$dir/both.data" "${@:3}"
	warns "$2"
}
refused 2 '--guest-kallsyms needs FILE for all virtual machines, or VM=FILE' --guest-kallsyms =x
refused 2 '--guest-modules needs FILE' --guest-modules vm=
refused 2 '--guest-kallsyms was given twice for all virtual machines: remove one' --guest-kallsyms a --guest-kallsyms b
refused 2 '--guest-kallsyms was given twice for the virtual machine 200: remove one' --guest-kallsyms 200=a --guest-kallsyms 200=b
refused 1 "name a copy of the guest's /proc/kallsyms" --guest-kallsyms "$dir/none"
refused 1 "name a copy of the guest's /proc/kallsyms" --guest-kallsyms "100=$dir/none"
[ "$(wc -l <"$err")" = 1 ] || fail "more than one message: $(cat "$err")"
echo 'ffffffff81000000 T _text' >"$dir/x86"
refused 1 "where arm64 has no kernel; name a copy of the guest's /proc/kallsyms" --guest-kallsyms "$dir/x86"
refused 1 'cannot read the guest'"'"'s modules from' --guest-modules "$dir/none"
refused 1 'cannot read the guest'"'"'s modules from' --guest-modules "$dir"
echo 'no module' >"$dir/bad"
refused 1 'line 1 is not' --guest-modules "$dir/bad"
refused 1 'it is no folder' --guest-symfs "$dir/bad"
finish
