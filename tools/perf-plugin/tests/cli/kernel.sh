#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe report: the kernel's symbols.
# usage: kernel.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# ----------------------------------------------------------------- kernel

cat >"$dir/kallsyms" <<'END'
ffff800008000000 T _text
ffff800008001000 T do_idle
ffff800008001000 t $x
ffff800008002000 t schedule
ffff800008003000 D jiffies
ffff800001000000 t helper	[nf_tables]
END
kernel() { printf '0x%x' $((0xa000000000000000 | $1 & 0xffffffffffffff)); }
begin "kernel: symbols from kallsyms"
perf_file kernel.data <<END
info 4
kmap 0xffff800008000000 0x10000000 0xffff800008000000 [kernel.kallsyms]_text
rec pc=$(kernel 0xffff800008001004) total=1
rec pc=$(kernel 0xffff800008002004) total=1
rec pc=$(kernel 0xffff800001000004) total=1
auxtrace 0 0 -1 0
END
run 0 report -i "$dir/kernel.data" --kallsyms "$dir/kallsyms"
count_is '[kernel]' do_idle 1
count_is '[kernel]' schedule 1
count_is '[nf_tables]' helper 1

begin "kernel: symbols from perf's cache, by the kernel's build id"
kernel_id=00112233445566778899aabbccddeeff00112233
mkdir -p "$dir/cache/.build-id/00/${kernel_id:2}"
cp "$dir/kallsyms" "$dir/cache/.build-id/00/${kernel_id:2}/kallsyms"
perf_file cached.data <<END
info 4
buildid $kernel_id [kernel.kallsyms]
kmap 0xffff800008000000 0x10000000 0xffff800008000000 [kernel.kallsyms]_text
rec pc=$(kernel 0xffff800008001004) total=1
auxtrace 0 0 -1 0
END
PERF_BUILDID_DIR=$dir/cache run 0 report -i "$dir/cached.data"
count_is '[kernel]' do_idle 1
run 0 report -i "$dir/cached.data"
count_is '[kernel]' '[no symbol]' 1

begin "kernel: a found file that cannot be used matters to samples of the kernel only"
mkdir -p "$dir/zero/proc"
sed 's/^[0-9a-f]*/0000000000000000/' "$dir/kallsyms" >"$dir/zero/proc/kallsyms"
perf_file user.data <<END
info 4
kmap 0xffff800008000000 0x10000000 0xffff800008000000 [kernel.kallsyms]_text
rec pc=0x400004 total=1
auxtrace 0 0 -1 0
END
run 0 report -i "$dir/user.data" --symfs "$dir/zero" --by object
silent
run 0 report -i "$dir/user.data" --symfs "$dir/zero" --by op
silent
run 0 report -i "$dir/kernel.data" --symfs "$dir/zero"
[ "$(grep -c 'all addresses are zero' "$err")" -eq 1 ] || fail 'no message, or two'
warns "cannot read kernel symbols from $dir/zero/proc/kallsyms: all addresses are zero; copy it as root"
# A file of an option must be usable.
run 1 report -i "$dir/user.data" --kallsyms "$dir/zero/proc/kallsyms"
warns 'all addresses are zero'

begin "kernel: a summary opens no symbols"
run 0 report -i "$dir/kernel.data" --summary --kallsyms "$dir/none" --symfs "$dir/none"
silent
key_is records 3

begin "kernel: of a weak and a global name the well known one"
cat >"$dir/weak-kallsyms" <<'END'
ffff800008000000 T _text
ffff800008001000 T __memset
ffff800008001000 W memset
ffff800008002000 t clear_local
ffff800008002000 T __pi_clear
END
run 0 report -i "$dir/kernel.data" --kallsyms "$dir/weak-kallsyms"
count_is '[kernel]' memset 1
count_is '[kernel]' __pi_clear 1

begin "kernel: kallsyms of another boot"
perf_file reboot.data <<END
info 4
kmap 0xffff900008000000 0x10000000 0xffff900008000000 [kernel.kallsyms]_text
rec pc=$(kernel 0xffff900008001004) total=1
rec pc=$(kernel 0xffff900001000004) total=1
auxtrace 0 0 -1 0
END
run 0 report -i "$dir/reboot.data" --kallsyms "$dir/kallsyms"
count_is '[kernel]' do_idle 1
count_is '[kernel]' '[no symbol]' 1

begin "kernel: without symbols, the addresses"
run 0 report -i "$dir/kernel.data"
count_is '[kernel]' '[no symbol]' 3

begin "kernel: a vmlinux that randomization moved"
cat >"$dir/k.S" <<'END'
.globl _text
.globl do_work
.text
_text:
.skip 64
.type do_work, %function
do_work:
.skip 32
.size do_work, 32
END
if ${CC:-cc} -nostdlib -static -Wl,-Ttext=0xffffffff80000000,-e,_text -o "$dir/vmlinux" "$dir/k.S" 2>"$err"; then
	# Bytes 18 and 19 of an ELF file are its machine: 183 is arm64 (elf.h).
	printf '\267\0' | dd of="$dir/vmlinux" bs=1 seek=18 conv=notrunc 2>"$err"
	perf_file slide.data <<END
info 4
kmap 0xffff800010000000 0x10000000 0xffff800010000000 [kernel.kallsyms]_text
rec pc=$(kernel 0xffff800010000044) total=1
auxtrace 0 0 -1 0
END
	run 0 report -i "$dir/slide.data" --vmlinux "$dir/vmlinux"
	count_is '[kernel]' do_work 1
else
	fail 'cannot link the test kernel'
fi

begin "kernel: a release's vmlinux and kallsyms below --symfs"
mkdir -p "$dir/sysroot/boot" "$dir/sysroot2/proc"
cp "$dir/vmlinux" "$dir/sysroot/boot/vmlinux-9.9.9-test"
cp "$dir/kallsyms" "$dir/sysroot2/proc/kallsyms"
{
	echo 'osrelease 9.9.9-test'
	echo 'info 4'
	echo 'kmap 0xffff800010000000 0x10000000 0xffff800010000000 [kernel.kallsyms]_text'
	echo "rec pc=$(kernel 0xffff800010000044) total=1"
	echo 'auxtrace 0 0 -1 0'
} | perf_file release.data
run 0 report -i "$dir/release.data" --symfs "$dir/sysroot"
count_is '[kernel]' do_work 1
run 0 report -i "$dir/kernel.data" --symfs "$dir/sysroot2"
count_is '[kernel]' schedule 1

# Pieces of 64 KiB: names cross their ends, one is longer, and the last line has no newline.
begin "kernel: a symbol file of several pieces"
long=$(printf '%070000d' 0)
{
	printf 'ffff800008000000 T _text\n'
	for i in $(seq 4000); do printf 'ffff80000900%04x T f%d\n' "$i" "$i"; done
	printf 'ffff80000a000000 T n%s\nffff800008001000 T do_idle' "$long"
} >"$dir/long-kallsyms"
run 0 report -i "$dir/kernel.data" --kallsyms "$dir/long-kallsyms"
[ "$(wc -l <"$err")" -eq 1 ] || fail "$(cat "$err")"
grep -v "^# file" "$out" >"$dir/long"
grep -v "n$long" "$dir/long-kallsyms" >"$dir/short-kallsyms"
run 0 report -i "$dir/kernel.data" --kallsyms "$dir/short-kallsyms"
grep -v "^# file" "$out" | cmp -s - "$dir/long" || fail "$(diff "$out" "$dir/long")"
says do_idle

begin "kernel: symbol files that cannot be used"
echo 'not kallsyms' >"$dir/bad-kallsyms"
run 1 report -i "$dir/kernel.data" --kallsyms "$dir/bad-kallsyms"
warns 'line 1'
echo '0000000000000000 T _text' >"$dir/zero-kallsyms"
run 1 report -i "$dir/kernel.data" --kallsyms "$dir/zero-kallsyms"
warns 'kptr_restrict'
printf 'ffff800008000000 T _text\n\0ffff800008001000 T do_idle\n' >"$dir/nul-kallsyms"
run 1 report -i "$dir/kernel.data" --kallsyms "$dir/nul-kallsyms"
warns 'zero bytes'
run 1 report -i "$dir/kernel.data" --kallsyms /dev/zero
warns 'zero bytes'
run 1 report -i "$dir/kernel.data" --kallsyms <(yes 'ffff800008001000 d variable')
warns 'too large'
mkdir -p "$dir/sysroot3"
printf 'ffff800008000000 T _text\nnonsense\n' >"$dir/sysroot3/kallsyms"
run 0 report -i "$dir/kernel.data" --symfs "$dir/sysroot3"
warns 'line 2'
count_is '[kernel]' '[no symbol]' 3
run 1 report -i "$dir/kernel.data" --kallsyms "$dir/none"
run 1 report -i "$dir/kernel.data" --vmlinux "$dir/kallsyms"
warns 'not an ELF file'
run 1 report -i "$dir/kernel.data" --symfs "$dir/none"

begin "kernel: --symfs that is no folder"
run 1 report -i "$dir/kernel.data" --symfs "$dir/kernel.data"
warns "--symfs $dir/kernel.data: it is no folder"

finish
