#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Kernel symbols: which files belong to the recorded kernel, and what perf-spe says.
# usage: kernel-match.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

kernel() { printf '0x%x' $((0xa000000000000000 | $1 & 0xffffffffffffff)); }
right=00112233445566778899aabbccddeeff00112233
wrong=ff112233445566778899aabbccddeeff00112233
text=0xffff800080000000
# lines LINE...: two kernel samples, with these lines about the machine
lines() {
	[ $# = 0 ] || printf '%s\n' "$@"
	echo 'info 4'
	echo "kmap $text ${size:-0x10000000} $text [kernel.kallsyms]_text"
	echo "rec pc=$(kernel 0xffff800080001004) total=1"
	echo "rec pc=$(kernel 0xffff800080002004) total=1"
	echo 'auxtrace 0 0 -1 0'
}
recording() { lines "${@:2}" | perf_file "$1"; }
recording plain.data
recording full.data 'osrelease 6.1.0-99-arm64' 'text 6 aarch64' "buildid $right [kernel.kallsyms]"

cat >"$dir/arm64" <<'END'
ffff800080000000 T _text
ffff800080001000 T do_idle
ffff800080002000 t schedule
END
# The first lines of /proc/kallsyms of Linux 6.18 on x86-64.  Linux documents where the
# two kernels are: Documentation/arch/x86/x86_64/mm.rst has "kernel text mapping" from
# ffffffff80000000 on, Documentation/arch/arm64/memory.rst has "vmalloc", with the kernel in
# it, up to fffffbffefffffff.
cat >"$dir/x86" <<'END'
ffffffff81000000 T _stext
ffffffff81000000 T _text
ffffffff81000080 T entry_SYSCALL_64
ffffffff81001000 T srso_alias_return_thunk
ffffffff81400000 t helper	[nf_tables]
END

begin "kernel: kallsyms of another architecture"
for data in plain full; do
	run 1 report -i "$dir/$data.data" --kallsyms "$dir/x86"
	warns "cannot use $dir/x86"
	warns 'ffffffff81000000'
	warns 'arm64'
	grep -q srso "$out" && fail 'names of the other architecture'
done
# A copy without the symbols that mark the start
grep srso "$dir/x86" >"$dir/x86-part"
run 1 report -i "$dir/plain.data" --kallsyms "$dir/x86-part"
warns 'arm64'

begin "kernel: kallsyms of this architecture at the recorded address"
run 0 report -i "$dir/plain.data" --kallsyms "$dir/arm64"
count_is '[kernel]' do_idle 1
count_is '[kernel]' schedule 1
[ "$(grep -c 'kernel symbols' "$err")" = 1 ] || fail 'not one line about the source'
warns "$dir/arm64"
warns 'recorded address'

# perf of Linux 6.6 and newer takes the kernel's end from _edata; older ones take the first module, or none.
# sized BYTES: of the kernel's mapping
sized() { size=$1 lines | perf_file sized.data; }
begin "kernel: kallsyms of a kernel of another size"
{ cat "$dir/arm64" && echo 'ffff800082a2b200 R _edata'; } >"$dir/sized"
sized 0x2a2b200
run 0 report -i "$dir/sized.data" --kallsyms "$dir/sized"
count_is '[kernel]' do_idle 1
sized 0x313fa00
run 1 report -i "$dir/sized.data" --kallsyms "$dir/sized"
warns "cannot use $dir/sized for kernel symbols: it is of another kernel, which ends 0x2a2b200 bytes behind _text, and the recorded one 0x313fa00"
for end in 0x3140000 0x7fff7fffffff; do
	sized $end
	run 0 report -i "$dir/sized.data" --kallsyms "$dir/sized"
	count_is '[kernel]' do_idle 1
done

# The kernel's part of a call stack is resolved, but not shown.
begin "kernel: nothing is said of kernel symbols if no event takes samples of the kernel"
mkdir -p "$dir/below" && cp "$dir/arm64" "$dir/below/kallsyms"
for exclude in 0 1; do
	{
		printf '%s\n' 'attr 8 1024 0 1 0 0 0 0' "exclude 0 $exclude" 'attr 0 1000 0 0 0 0 0 0' 'parts 0x20 0' "exclude 0 $exclude" \
			'info 4' 'comm 10 10 1 1 prog' 'conv 0 1 0' "rec pc=0x400004 total=1 ctx1=10 ts=1000" 'auxtrace 0 0 -1 0' \
			'owner 1' 'calls 10 10 0 1000 0xffffffffffffff80 0xffff800080001004 0xfffffffffffffe00 0x400004 0x400100'
	} | perf_file chain.data
	run 0 report -i "$dir/chain.data" --symfs "$dir/below" --by symbol,caller
	[ "$(grep -c 'the recording does not say at which address the kernel was' "$err")" = $((1 - exclude)) ] || fail "exclude $exclude"
done

begin "kernel: kallsyms that may be of another kernel"
sed 's/ffff8000800/ffff8000a00/' "$dir/arm64" >"$dir/moved"
run 0 report -i "$dir/plain.data" --kallsyms "$dir/moved"
count_is '[kernel]' do_idle 1
warns 'may be wrong'
warns "$dir/moved"
warns 'ffff8000a0000000'
grep -v _text "$dir/arm64" >"$dir/no-text"
run 0 report -i "$dir/plain.data" --kallsyms "$dir/no-text"
warns 'may be wrong'
warns 'no symbol _text'
begin "kernel: the address and the build id of perf record --buildid-mmap"
{
	echo 'info 4'
	echo "kmap-id $text 0x10000000 $text $right [kernel.kallsyms]_text"
	echo "rec pc=$(kernel 0xffff800080001004) total=1"
	echo 'auxtrace 0 0 -1 0'
} | perf_file ids.data
run 0 report -i "$dir/ids.data" --kallsyms "$dir/arm64"
count_is '[kernel]' do_idle 1
warns 'recorded address'

begin "kernel: a recording that does not tell where the kernel was"
{ echo 'osrelease 6.1.0-99-arm64'; echo 'info 4'; echo "rec pc=$(kernel 0xffff800080001004)"; echo 'auxtrace 0 0 -1 0'; } |
	perf_file nowhere.data
run 0 report -i "$dir/nowhere.data" --kallsyms "$dir/arm64"
count_is '[kernel]' do_idle 1
warns 'may be wrong or missing'
warns "$dir/arm64"

# The kernel's files as in a copy of a machine's /proc and /sys: the release as text, and
# the notes as elf(5) describes them: sizes of name and content, type 3, "GNU", build id.
machine() { # machine FOLDER RELEASE BUILD-ID
	mkdir -p "$dir/$1/proc/sys/kernel" "$dir/$1/sys/kernel"
	cp "$dir/arm64" "$dir/$1/proc/kallsyms"
	[ "$2" = - ] || echo "$2" >"$dir/$1/proc/sys/kernel/osrelease"
	# shellcheck disable=SC2001,SC2059 # a backslash before each byte
	[ "$3" = - ] || {
		printf '\x06\0\0\0\x01\0\0\0\0\x01\0\0Linux\0\0\0\0\0\0\0'
		printf '\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0'
		printf "$(echo "$3" | sed 's/../\\x&/g')"
	} >"$dir/$1/sys/kernel/notes"
}
machine same 6.1.0-99-arm64 "$right"
machine rebuilt 6.1.0-99-arm64 "$wrong"
machine older 6.1.0-98-arm64 -
machine unknown 6.1.0-99-arm64 -

begin "kernel: release and build id of the machine that kallsyms is of"
run 0 report -i "$dir/full.data" --kallsyms "$dir/same/proc/kallsyms"
count_is '[kernel]' do_idle 1
warns 'recorded build id'
run 1 report -i "$dir/full.data" --kallsyms "$dir/rebuilt/proc/kallsyms"
warns "$wrong"
warns "$right"
run 1 report -i "$dir/full.data" --kallsyms "$dir/older/proc/kallsyms"
warns '6.1.0-98-arm64'
warns '6.1.0-99-arm64'
run 0 report -i "$dir/full.data" --kallsyms "$dir/unknown/proc/kallsyms"
warns 'recorded release'

begin "kernel: below --symfs, only the recorded kernel's files"
run 0 report -i "$dir/full.data" --symfs "$dir/same"
count_is '[kernel]' do_idle 1
run 0 report -i "$dir/full.data" --symfs "$dir/rebuilt"
warns "$wrong"
count_is '[kernel]' do_idle ''

# ---------------------------------------------------------------- vmlinux

cat >"$dir/k.S" <<'END'
.globl _text
.text
_text:
.skip 0x1000
.globl do_work
.type do_work, %function
do_work:
.skip 32
.size do_work, 32
END
echo '.section .rodata; .asciz "Linux version 6.1.0-99-arm64 (builder@host) (gcc) #1 SMP"' >"$dir/banner.S"
# vmlinux NAME FLAG...: a kernel for arm64 with no code in it, so that any linker makes it
vmlinux() {
	local file=$dir/$1
	shift
	${CC:-cc} -nostdlib -static -Wl,-Ttext=$text,-e,_text "$@" -o "$file" "$dir/k.S" "$dir/banner.S" 2>"$err" ||
		fail 'cannot link the test kernel'
	machine_is "$file" '\267'
}
# Bytes 18 and 19 of an ELF file are its machine: 183 arm64, 62 x86-64 (elf.h)
# shellcheck disable=SC2059 # the number of the machine is an escape sequence
machine_is() { printf "$2\\0" | dd of="$1" bs=1 seek=18 conv=notrunc 2>"$err"; }
vmlinux good "-Wl,--build-id=0x$right"
vmlinux bad "-Wl,--build-id=0x$wrong"
vmlinux anonymous -Wl,--build-id=none

begin "kernel: a vmlinux of the recorded build id, and another"
run 0 report -i "$dir/full.data" --vmlinux "$dir/good"
count_is '[kernel]' do_work 1
warns "$dir/good"
warns 'recorded build id'
run 1 report -i "$dir/full.data" --vmlinux "$dir/bad"
warns "$wrong"
warns "$right"
grep -q do_work "$out" && fail 'names of another kernel'

begin "kernel: a vmlinux of the recorded release, and another"
recording no-id.data 'osrelease 6.1.0-99-arm64' 'text 6 aarch64'
run 0 report -i "$dir/no-id.data" --vmlinux "$dir/anonymous"
count_is '[kernel]' do_work 1
warns 'recorded release'
recording next.data 'osrelease 6.1.0-100-arm64' 'text 6 aarch64'
run 1 report -i "$dir/next.data" --vmlinux "$dir/anonymous"
warns '6.1.0-99-arm64'
warns '6.1.0-100-arm64'

begin "kernel: an ELF file of another architecture, and one that is no kernel"
cp "$dir/good" "$dir/foreign"
machine_is "$dir/foreign" '\076'
run 1 report -i "$dir/full.data" --vmlinux "$dir/foreign"
warns 'x86-64'
warns 'arm64'
CC="${CC:-cc}" make_program
machine_is "$prog" '\267'
run 1 report -i "$dir/plain.data" --vmlinux "$prog"
warns 'not a kernel'

# ----------------------------------------------------------- this machine

begin "kernel: this machine's symbols only for its own recordings"
host=$(uname -n)
if [ ! -r /proc/kallsyms ] || ! grep -qm1 '^[0-9a-f]*[1-9a-f]' /proc/kallsyms; then
	skip 'cannot read /proc/kallsyms'
else
	text=0x$(awk '$3 == "_text" { print $1; exit }' /proc/kallsyms)
	here=("osrelease $(uname -r)" "text 6 $(uname -m)")
	recording here.data "${here[@]}" "text 3 $host"
	run 0 report -i "$dir/here.data"
	warns 'kernel symbols are from /proc/kallsyms'
	recording other.data "${here[@]}" 'text 3 another-host'
	run 0 report -i "$dir/other.data"
	count_is '[kernel]' '[no symbol]' 2
	warns 'another-host'
	recording rebuilt.data "${here[@]}" "text 3 $host" "buildid $wrong [kernel.kallsyms]"
	run 0 report -i "$dir/rebuilt.data"
	count_is '[kernel]' '[no symbol]' 2
	warns "$wrong"
	recording elsewhere.data 'osrelease 6.1.0-99-arm64' 'text 6 aarch64'
	run 0 report -i "$dir/elsewhere.data"
	warns 'no kernel symbols'
	warns '6.1.0-99-arm64'
	warns '--vmlinux'
fi

finish
