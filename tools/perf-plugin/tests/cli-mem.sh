#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe mem: regions, pages, working set and pictures.
# usage: cli-mem.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"

# A walk upwards through 64 KiB in 64 ms, a page hit again and again far away,
# another process at the walk's addresses, and the kernel.
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'comm 10 10 1 1 walker'
	echo 'comm 20 20 1 1 <b>&'
	for i in $(seq 0 63); do
		printf 'rec ctx1=10 total=%d class=1 op=0 va=0x%x ts=%d\n' $((i % 2 * 10)) \
			$((0x100000 + i * 1024)) $((i * 1000000))
	done
	for i in $(seq 1 10); do
		echo "rec ctx1=10 class=1 op=1 va=0x7f0000001$((i % 2))40 ts=$((i * 1000000))"
	done
	echo 'rec ctx1=20 class=1 op=0 va=0x100000 ts=5'
	echo 'rec ctx1=20 class=1 op=0 va=0xff800000001000 ts=5'
	echo 'rec ctx1=20 class=2 op=0 ts=63999999'
	echo 'auxtrace 0 0 10 0'
} | perf_file m.data

# row START REST: the row of the table that begins so
rows() { tr -s ' ' <"$out" | sed 's/^ //' | grep -qxF -- "$1" || fail "no row '$1'"; }

begin "mem: what was touched"
run 0 mem -i "$dir/m.data"
silent
says '# 76 samples with a virtual address'
says '# seen touched: 4 KiB in lines of 64 bytes, 76 KiB in pages of 4 KiB, 8 MiB in pages of 2 MiB'

begin "mem: regions and pages, most samples first"
rows '64 84.21% 0 5.0 64 0x100000-0x110000 10 walker'
rows '10 13.16% 10 - 4 0x7f0000001000-0x7f0000002000 10 walker'
rows '1 1.32% 0 - 4 0x100000-0x101000 20 <b>&'
rows '1 1.32% 0 - 4 0xffff800000001000-0xffff800000002000 kernel'
rows '10 13.16% 10 - 2 0x7f0000001000 10 walker'
rows '4 5.26% 0 5.0 4 0x100000 10 walker'
says '# 9 more'

begin "mem: the picture of a walk is a diagonal"
run 0 mem -i "$dir/m.data" --height 8 --width 8
says '# heat of 0x100000-0x110000: samples by address and time, darkest below 8'
picture() { sed -n '/^# heat/,$p' "$out" | sed -n 's/.*|\(.*\)|/\1/p'; }
picture >"$dir/got"
for i in 7 6 5 4 3 2 1 0; do printf '%*s@%*s\n' "$i" '' $((7 - i)) ''; done >"$dir/want"
cmp -s "$dir/want" "$dir/got" || fail "$(cat "$dir/got")"
grep -q "$(printf '\033')" "$out" && fail 'colours in a pipe'

begin "mem: heat by latency, and of a range"
run 0 mem -i "$dir/m.data" --height 2 --width 2 --latency
says 'cycles by address and time, darkest below 160'
run 0 mem -i "$dir/m.data" --height 1 --width 4 --range 0x7f0000001000-0x7f0000001080
says 'darkest below 5'
[ "$(picture)" = '@   ' ] || fail "$(picture)"
run 0 mem -i "$dir/m.data" --range 1000-2000
[ -z "$(picture | tr -d ' \n')" ] || fail 'heat where nothing is'

begin "mem: without time, by the samples' order"
printf 'rec class=1 op=0 va=0x%x\n' 0x1000 0x1fc0 | raw_file o.spe
run 0 mem --raw "$dir/o.spe" --height 2 --width 2
says 'samples by address and order'
[ "$(picture | paste -sd'|')" = ' @|@ ' ] || fail "$(picture)"
says 'sample 2'

begin "mem: by physical address"
printf 'rec class=1 op=0 va=0x1000 pa=0x8000000000042000\nrec class=1 op=0 va=0x1000\n' | raw_file p.spe
run 0 mem --raw "$dir/p.spe" --physical
says '# 1 samples with a physical address'
rows '1 100.00% 0 - 4 0x42000-0x43000 physical'

begin "mem: the last page there is"
printf 'rec class=1 op=0 va=0x%x\n' 0xfffffffffffff000 0xfffffffffffffff0 | raw_file l.spe
run 0 mem --raw "$dir/l.spe" --height 2 --width 2
rows '2 100.00% 0 - 4 0xfffffffffffff000-0xffffffffffffffff kernel'
[ "$(picture | paste -sd'|')" = ' @|@ ' ] || fail "$(picture)"

begin "mem: SVG, and a page that needs nothing else"
run 0 mem -i "$dir/m.data" --svg "$dir/m.svg" --html "$dir/m.html"
if command -v python3 >/dev/null; then
	python3 - "$dir/m.svg" >>"$err" 2>&1 <<'END' || fail 'no SVG'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "{http://www.w3.org/2000/svg}svg"
cells = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("fill") != "none"]
assert len(cells) == 64, len(cells)
# Upwards to the right, as the walk
at = sorted((int(r.get("x")), int(r.get("y"))) for r in cells)
assert all(a[0] < b[0] and a[1] > b[1] for a, b in zip(at, at[1:]))
END
fi
grep -q '<svg' "$dir/m.html" || fail 'no picture in the page'
grep -q '&#60;b&#62;&#38;' "$dir/m.html" || fail 'a name is not escaped'
grep -qE '(src|href)=' "$dir/m.html" && fail 'the page needs other files'
run 1 mem -i "$dir/m.data" --svg "$dir/none/x.svg"
warns 'No such file'

begin "mem: nothing to say, and wrong usage"
printf 'rec class=2 op=0' | raw_file n.spe
run 0 mem --raw "$dir/n.spe"
warns 'record --loads --stores'
run 2 mem --range 2000-1000
run 2 mem --range 1000
run 2 mem --height 0
run 2 mem --width 1001
run 2 mem more
run 0 mem --help

finish
