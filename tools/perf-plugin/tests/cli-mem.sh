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

begin "mem: few pages hold most samples"
run 0 mem -i "$dir/m.data"
# 10 of 76, then 16 times 4, then twice 1
says '# hottest pages: 8 hold half of the samples, 16 hold 90%, 19 hold 99%'

begin "mem: the working set over time"
# The walk is on a new page in each of 16 steps, the rest is there from the first on.
rows '9 16 16 16 4 0 ++++++++++++++++++++++++++++++++'
rows '8 8 4 20 2 3.938 ms ++++++++========'
rows '4 4 4 76 1 59.062 ms ++++++++'
{
	echo 'info 4'
	echo 'conv 0 1 0'
	for i in $(seq 0 31); do
		printf 'rec class=1 op=0 va=0x%x ts=%d\n' $((0x100000 + i % 8 * 4096)) $((i * 1000000)) \
			$((0x40000000)) $((i * 1000000))
	done
	echo 'auxtrace 0 0 -1 0'
} | perf_file w.data
run 0 mem -i "$dir/w.data"
rows '4 12 12 12 2 0 ++++++++++++++++++++++++++++++++'
rows '4 12 8 20 2 1.938 ms ++++++++++++++++++++++=========='
rows '4 12 0 36 2 29.062 ms ================================'

# Two nodes with two CPUs each: the first has the lower 2 GiB of 4, but for one
# block.  CPU 0 goes to both, CPU 3 to its own, one sample to where no memory is.
nodes_text() {
	echo 'info 4'
	echo 'conv 0 1 0'
	numa_text
	echo 'rec class=1 op=0 va=0x1000 pa=0x8000000000001000 total=10 ts=1'
	echo 'rec class=1 op=0 va=0x1040 pa=0x8000000000001040 total=20 ts=2'
	echo 'rec class=1 op=1 va=0x2000 pa=0x8000000080000000 total=90 events=0x402 ts=3'
	echo 'rec class=1 op=0 va=0x2000 pa=0x800000003fffffff ts=4'
	echo 'rec class=1 op=0 va=0x3000 ts=5'
	echo 'auxtrace 0 0 -1 0'
	echo 'rec class=1 op=0 va=0x4000 pa=0x8000000040000000 ts=6'
	echo 'rec class=1 op=0 va=0x5000 pa=0x80000000c0000000 ts=6'
	echo 'rec class=1 op=0 va=0x6000 pa=0x8000000900000000 ts=7'
	echo 'auxtrace 1 3 -1 0'
}
both_nodes() {
	echo 'numa 0 0-1 1 2,3 7 -'
	echo 'blocks 0x40000000 1 0xa 0 0x5'
}

begin "mem: NUMA nodes, from the header and physical addresses"
numa_text() { both_nodes; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
silent
rows '4 50.00% 1 40.0 1 0 0 local'
rows '2 25.00% 0 - 0 1 1 local'
rows '1 12.50% 0 - 0 0 -'
rows '1 12.50% 0 - 0 1 -'
grep -qF 'not known' "$out" && fail 'something is not known'
rows '2 25.00% 1 90.0 1 0 0x2000'

begin "mem: a page whose memory moved, and another node's memory"
numa_text() { echo 'numa 0 0 1 3'; echo 'blocks 0x40000000 0 0x1 1 0xe'; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
rows '1 12.50% 1 90.0 1 0 1 other node'
rows '2 25.00% 1 90.0 1 several 0x2000'
rows '2 25.00% 0 15.0 2 0 0x1000'
nodes_text >"$dir/n.txt"
"$fixture" pipe "$dir/n.pipe" <"$dir/n.txt"
run 0 mem -i "$dir/n.pipe"
rows '1 12.50% 1 90.0 1 0 1 other node'

begin "mem: what of nodes is not known, and why"
numa_text() { echo 'numa 0 0-3'; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
says 'where memory is, is not known: the file'\''s header has no MEM_TOPOLOGY'
numa_text() { echo 'blocks 0x40000000 0 0xf'; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
says 'where CPUs are, is not known: the file'\''s header has no NUMA_TOPOLOGY'
rows '6 75.00% 1 40.0 1 - 0'
run 0 mem -i "$dir/m.data"
says 'where memory is, is not known: no sample has a physical address: record --physical'

begin "mem: nodes of a damaged header are not believed"
for damage in 'numa 0 0-1,x' 'numa 0 3-1' 'numa 0xffffffff 0' 'feature 14 ff ff ff ff 00' \
	'feature 14 01 00 00 00 00 00 00 00' 'blocks 0 0 1' 'blocks 0x1000000000000000 0 2' \
	'blocks 0x40000000 0xffffffff 1' 'feature 22 01 00 00 00 00 00 00 00' \
	'feature 22 01 00 00 00 00 00 00 00 00 10 00 00 00 00 00 00 ff ff ff ff ff ff ff ff'; do
	numa_text() { echo "$damage"; }
	nodes_text | perf_file n.data
	run 1 mem -i "$dir/n.data"
	warns 'TOPOLOGY is damaged: nodes are not known'
	says '# 8 samples with a virtual address'
done
numa_text() { echo 'feature 22 02 00 00 00 00 00 00 00'; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
says 'no MEM_TOPOLOGY'

begin "mem: SVG and PNG: the walk is a diagonal"
run 0 mem -i "$dir/m.data" --svg "$dir/m.svg" --png "$dir/m.png"
if command -v python3 >/dev/null; then
	python3 - "$dir/m.svg" >>"$err" 2>&1 <<'END' || fail 'no SVG'
import sys, xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == svg + "svg"
cells = [r for r in root.iter(svg + "rect") if r.find(svg + "title") is not None and r.get("width") == "4"]
assert len(cells) == 64, len(cells)
# Upwards to the right, as the walk
at = sorted((int(r.get("x")), int(r.get("y"))) for r in cells)
assert all(a[0] < b[0] and a[1] > b[1] for a, b in zip(at, at[1:]))
END
fi
if [ -s "$dir/m.png" ] && command -v python3 >/dev/null; then
	python3 - "$dir/m.png" "$dir/m.svg" >>"$err" 2>&1 <<'END' || fail 'the PNG is not as the SVG'
import struct, sys, xml.etree.ElementTree as tree, zlib
png = open(sys.argv[1], "rb").read()
width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
assert png[:8] == b"\x89PNG\r\n\x1a\n" and (depth, kind) == (8, 2)
data, at = b"", 8
while at < len(png):
    size, name = struct.unpack(">I4s", png[at:at + 8])
    data += png[at + 8:at + 8 + size] if name == b"IDAT" else b""
    at += 12 + size
data, rows, line = zlib.decompress(data), [], bytearray(3 * width)
for y in range(height):
    filter, new = data[y * (3 * width + 1)], bytearray(data[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
    for x in range(3 * width):
        a, b, c = new[x - 3] if x > 2 else 0, line[x], line[x - 3] if x > 2 else 0
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        new[x] = new[x] + (0, a, b, (a + b) // 2, paeth)[filter] & 255
    rows.append(new)
    line = new
# The last that was drawn on a spot is what is seen there.
want = {}
svg = "{http://www.w3.org/2000/svg}"
for r in tree.parse(sys.argv[2]).getroot().iter(svg + "rect"):
    if r.find(svg + "title") is not None:
        want[int(r.get("x")), int(r.get("y"))] = int(r.get("fill")[1:], 16)
assert len(want) > 64
for (x, y), colour in want.items():
    got = int.from_bytes(rows[2 * y][6 * x:6 * x + 3], "big")
    assert got == colour, (x, y, hex(got), hex(colour))
END
fi

begin "mem: a region of one line has a picture"
printf 'rec class=1 op=0 va=0x%x\n' 0x1000 0x1010 | raw_file o.spe
run 0 mem --raw "$dir/o.spe" --range 1000-1040 --svg "$dir/o.svg" --png "$dir/o.png"
grep -q '0x1000: 1 samples' "$dir/o.svg" || fail 'the picture is empty'

begin "mem: a page that needs nothing else"
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'text 3 <i>host</i>'
	echo 'words 11 perf record -e arm_spe//<script>'
	echo 'pmus 7 other 8 arm_spe_0'
	echo 'cpus 4'
	echo 'memtotal 2048000'
	echo 'comm 10 10 1 1 <b>&'
	echo 'rec ctx1=10 class=1 op=0 va=0x1000 ts=1'
	echo 'rec ctx1=10 class=1 op=0 va=0x40000000 ts=1000001'
	echo 'auxtrace 0 0 10 0'
	echo 'aux 1'
	echo 'lost 5'
} | perf_file p.data
run 0 mem -i "$dir/p.data" --html "$dir/p.html" --filter 'va > 0'
page() { grep -qF -- "$1" "$dir/p.html" || fail "no '$1' in the page"; }
[ "$(grep -c '<svg' "$dir/p.html")" -eq 2 ] || fail 'not two pictures, of two regions'
page '&#60;b&#62;&#38;'
page '<td>&#60;i&#62;host&#60;/i&#62;</tr>'
page '<td>perf record -e arm_spe//&#60;script&#62;</tr>'
page '<td>4 CPUs</tr>'
page '<td>2000 MiB</tr>'
page '<td>arm_spe_0 ts_enable, one sample in 1024 operations</tr>'
page 'AUX data 1 times truncated, 0 partial, 0 with collisions; 5 perf records lost'
page '<td>va &#62; 0</tr>'
page '<td>1.000 ms</tr>'
grep -qE '<script|(src|href)=|<b>|<i>' "$dir/p.html" && fail 'the page needs or runs something'
if command -v python3 >/dev/null; then
	python3 - "$dir/p.html" >>"$err" 2>&1 <<'END' || fail 'tags do not match'
import html.parser, sys
class page(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "td", "th"):
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())
p = page()
p.feed(open(sys.argv[1]).read())
assert not p.open
END
fi
for what in svg png html; do
	run 1 mem -i "$dir/m.data" --$what "$dir/none/x"
	warns 'No such file'
	run 1 mem -i "$dir/m.data" --$what /dev/full
done

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
