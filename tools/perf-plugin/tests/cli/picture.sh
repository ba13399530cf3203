#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe mem: the pictures and the page that it writes to files.
# usage: picture.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# A walk upwards through 64 KiB in 64 ms, another one 8 MiB above it, a line hit
# again and again terabytes away, another process, and the kernel.
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'comm 10 10 1 1 walker'
	echo 'comm 20 20 1 1 <b>&'
	for i in $(seq 0 63); do
		printf 'rec ctx1=10 class=1 op=0 va=0x%x ts=%d\n' $((0x100000 + i * 1024)) $((i * 1000000))
		printf 'rec ctx1=10 class=1 op=0 va=0x%x ts=%d\n' $((0x900000 + i * 1024)) $((i * 1000000))
	done
	for i in $(seq 1 10); do
		echo "rec ctx1=10 class=1 op=1 va=0x7f0000001140 ts=$((i * 1000000))"
	done
	echo 'rec ctx1=20 class=1 op=0 va=0x100000 ts=5'
	echo 'rec ctx1=20 class=1 op=0 va=0xff800000001000 ts=5'
	echo 'auxtrace 0 0 10 0'
} | perf_file far.data

# The rectangles of cells, as "x y width height"
cells() {
	sed -n 's/^<rect x="\([0-9]*\)" y="\([0-9]*\)" width="\([0-9]*\)" height="\([0-9]*\)" fill="#[0-9a-f]*"><title>0x.*/\1 \2 \3 \4/p' "$1"
}
# The percentage of the black background's height in which a cell is drawn
rows_used() {
	local all
	all=$(sed -n 's/^<rect .*height="\([0-9]*\)" fill="#12101e".*/\1/p' "$1" | awk '{ n += $1 } END { print n }')
	cells "$1" | sort -u -k2,2n | awk -v all="$all" '{ n += $4 } END { print int(100 * n / all) }'
}

begin "mem: a picture draws the ranges that were accessed, and no gaps"
run 0 mem -i "$dir/far.data" --svg "$dir/far.svg"
silent
used=$(rows_used "$dir/far.svg")
[ "$used" -ge 95 ] || fail "cells use $used% of the rows"
for text in 'samples by address and time: 3 ranges of 10 walker' \
	'0x100000-0x10fc40  63 KiB, 45.7% of samples' '7.9 MiB not drawn' \
	'0x900000-0x90fc40  63 KiB, 45.7% of samples' '127 TiB not drawn' \
	'0x7f0000001140-0x7f0000001180  64 bytes, 7.1% of samples'; do
	grep -qF ">$text<" "$dir/far.svg" || fail "no '$text' in the picture"
done

begin "mem: small gaps stay, as in a walk that skips lines"
[ "$(grep -c 'not drawn' "$dir/far.svg")" -eq 2 ] || fail 'not two gaps'
[ "$(cells "$dir/far.svg" | wc -l)" -eq 138 ] || fail 'not a cell for each sample'

begin "mem: a hot page has a band of its own, and a cold range one row"
# One line beside a walk; lines of the walk that samples missed are no gap.
{
	echo 'info 4'
	echo 'conv 0 1 0'
	for i in $(seq 0 199); do
		printf 'rec class=1 op=0 va=0x200fc0 ts=%d\n' $((i * 1000000))
		# Every 16th line, but for some; at most five in a row are missing.
		[ $((i * i % 11)) -lt 4 ] || printf 'rec class=1 op=0 va=0x%x ts=%d\n' $((0x201000 + i * 1024)) $((i * 1000000))
	done
	echo 'rec class=1 op=0 va=0x40000000 ts=1'
	echo 'rec class=1 op=0 va=0x40000fc0 ts=2'
	echo 'auxtrace 0 0 10 0'
} | perf_file hot.data
run 0 mem -i "$dir/hot.data" --svg "$dir/hot.svg"
grep -qE '>0x200fc0-0x201000  64 bytes, [56][0-9]\.[0-9]% of samples<' "$dir/hot.svg" ||
	fail 'the hot line has no band'
grep -qF ': 3 ranges<' "$dir/hot.svg" || fail 'not three ranges'
[ "$(grep -c 'height="12" fill="#12101e"' "$dir/hot.svg")" -eq 1 ] || fail 'not one row for what is cold'

begin "mem: more regions than a picture has room for"
{
	echo 'info 4'
	echo 'conv 0 1 0'
	for i in $(seq 1 20); do
		for n in $(seq "$i" 20); do
			printf 'rec class=1 op=0 va=0x%x ts=%d\n' $((i << 30)) $((n * 1000000))
		done
	done
	echo 'auxtrace 0 0 10 0'
} | perf_file many.data
run 0 mem -i "$dir/many.data" --svg "$dir/many.svg"
grep -qF '12 ranges (8 regions with 36 samples not drawn)' "$dir/many.svg" ||
	fail 'the picture does not name what it leaves out'
[ "$(rows_used "$dir/many.svg")" -eq 100 ] || fail 'empty rows'

begin "mem: --range draws all of the range, accessed or not"
run 0 mem -i "$dir/far.data" --range 100000-910000 --svg "$dir/far.svg"
grep -qF 'not drawn' "$dir/far.svg" && fail 'a part is cut out'
grep -qF ': 0x100000-0x910000 of 10 walker<' "$dir/far.svg" || fail 'another range'

# report --html does so too; a picture has nothing to show.
begin "mem: a page is written also if options keep no sample, and a picture is not"
run 0 mem -i "$dir/far.data" --filter 'va == 1' --html "$dir/none.html" --svg "$dir/none.svg"
warns 'mem: no picture is written, for no sample is left to draw'
grep -qF 'No sample that the options keep has an address to draw' "$dir/none.html" || fail 'no page'
[ ! -e "$dir/none.svg" ] || fail 'a picture'

begin "mem: the last line there is"
printf 'rec class=1 op=0 va=0x%x\n' 0xfffffffffffff000 0xfffffffffffffff0 | raw_file l.spe
run 0 mem --raw "$dir/l.spe" --svg "$dir/l.svg"
[ "$(cells "$dir/l.svg" | wc -l)" -eq 2 ] || fail 'not two cells'

# A walk alone
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'comm 10 10 1 1 walker'
	for i in $(seq 0 63); do
		printf 'rec ctx1=10 total=%d class=1 op=0 va=0x%x ts=%d\n' $((i % 2 * 10)) \
			$((0x100000 + i * 1024)) $((i * 1000000))
	done
	echo 'auxtrace 0 0 10 0'
} | perf_file m.data

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
grep -q '0x1000: 1 sample' "$dir/o.svg" || fail 'the picture is empty'

begin "mem: a page that needs no other file"
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
	echo 'rec ctx1=10 class=1 op=0 va=0xff800000001000 ts=1000001'
	echo 'auxtrace 0 0 10 0'
	echo 'aux 1'
	echo 'lost 5'
} | perf_file p.data
run 0 mem -i "$dir/p.data" --html "$dir/p.html" --filter 'va > 0'
page() { grep -qF -- "$1" "$dir/p.html" || fail "no '$1' in the page"; }
[ "$(grep -c '<svg' "$dir/p.html")" -eq 2 ] || fail 'not two pictures, of a process and the kernel'
page '&#60;b&#62;&#38;'
page '<dd>&#60;i&#62;host&#60;/i&#62;</dd>'
page '<dd>perf record -e arm_spe//&#60;script&#62;</dd>'
page '<dd>4 CPUs</dd>'
page '<td>2000 MiB</td>'
page '<td>arm_spe_0 ts_enable, one sample in 1025 operations (period 1024)</td>'
page 'AUX data: 1 time truncated, 0 partial, 0 with collisions'
page 'lost: 5 perf records'
page '<dd>va &#62; 0</dd>'
page '<td>1.000 ms</td>'
page "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
grep -qE '(src|href)="?(http|//|data)|@import|url\(|<b>|<i>' "$dir/p.html" && fail 'the page needs another file'
[ "$(grep -c 'data-heat="heat-' "$dir/p.html")" -eq 2 ] || fail 'not two pictures to zoom'
if command -v python3 >/dev/null; then
	python3 - "$dir/p.html" >>"$err" 2>&1 <<'END' || fail 'tags do not match'
import html.parser, sys
class page(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag != "meta":
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

finish
