#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Names of the kernel's data addresses.
# usage: data-kernel.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

cat >"$dir/kallsyms" <<'END'
ffff800080000000 T _text
ffff800080010000 t do_something
ffff800081000000 D jiffies
ffff800081000008 d after
ffff800081001000 B big_array
ffff800081800000 B _end
ffff80007a000000 t helper	[nf_tables]
ffff80007a004000 d nft_table	[nf_tables]
ffff80007a004040 b nft_count	[nf_tables]
ffff80007b000000 d other	[xfs]
END
# The kernel's data of 6.12 with 48 bits; see kernel_layout_test.c.
kernel_text() {
	echo 'info 4'
	echo 'osrelease 6.12.0'
	echo 'kmap 0xffff800080000000 0x1000000 0xffff800080000000 [kernel.kallsyms]_text'
	echo 'kmap 0xffff80007a000000 0x8000 0 [nf_tables]'
	echo 'comm 10 10 1 1 prog'
	echo 'map 10 0x7500000000 0x1000 0 2 - [vdso]'
	for a; do echo "rec pc=$(user 0x1000) class=1 op=0 va=$(hex $((a & 0xffffffffffffff)))"; done
	echo 'auxtrace 0 -1 10 0'
}
begin "data: the kernel's and modules' variables"
kernel_text 0xffff800081000004 0xffff800081000008 0xffff8000817fffff 0xffff800081800000 0xffff80007a004008 \
	0xffff80007a004fff 0xffff80007a005000 0xffff80007b000010 0xffff80007b001000 0xffff800080010010 | perf_file kernel.data
names kernel.data --kallsyms "$dir/kallsyms"
name_is 1 'kernel [kernel] jiffies 0x4'
name_is 2 'kernel [kernel] after 0x0'
name_is 3 'kernel [kernel] big_array 0x7fefff'
name_is 4 'vmalloc [vmalloc] - -'
name_is 5 'module [nf_tables] nft_table 0x8'
name_is 6 'module [nf_tables] nft_count 0xfbf'
# kallsyms has no sizes: a module's last variable is taken to end with its page.
name_is 7 'module [nf_tables] - -'
name_is 8 'module [xfs] other 0x10'
name_is 9 'vmalloc [vmalloc] - -'
name_is 10 'kernel [kernel] - -'

begin "data: what else the kernel uses addresses for"
kernel_text 0xffff000012345678 0xffff800085000000 0xfffffdffc0000040 0xffffffffc0800010 0xffffffffff7ff000 \
	0xffffffffffff0000 | perf_file ranges.data
names ranges.data --kallsyms "$dir/kallsyms"
name_is 1 'linear-map [linear map] - -'
name_is 2 'vmalloc [vmalloc] - -'
name_is 3 'vmemmap [vmemmap] - -'
name_is 4 'pci-io [pci io] - -'
name_is 5 'fixmap [fixmap] - -'
name_is 6 'unknown - - -'
# KASAN has its shadow where other kernels have the linear map.
echo 'ffff800080020000 T kasan_report' >>"$dir/kallsyms"
names ranges.data --kallsyms "$dir/kallsyms"
name_is 1 'unknown - - -'

begin "data: of another boot, the kernel's variables and no module's"
kernel_text 0xffff800081200004 0xffff80007a004008 | sed 's/^kmap 0xffff800080000000 \(.*\) 0xffff800080000000 /kmap 0xffff800080000000 \1 0xffff800080200000 /' |
	perf_file slide.data
names slide.data --kallsyms "$dir/kallsyms"
name_is 1 'kernel [kernel] jiffies 0x4'
name_is 2 'module [nf_tables] - -'

finish
