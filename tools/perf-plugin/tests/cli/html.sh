#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe report --html: the numbers of the page, what it escapes, and what it refuses.
# tests/browser/run opens such pages in a browser.
# usage: html.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# Source files are read from the current folder.
cd "$dir" || exit 1
CC="${CC:-cc} -g" make_program
hot_pc=$(user "$(at "$hot")") cold_pc=$(user "$(at "$cold")")

# Two processes; the first has two threads, which use their own bytes of one line.
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'text 3 box'
	echo 'words 11 perf record -e arm_spe//'
	echo 'comm 10 10 1 1 first'
	echo 'comm 10 11 1 0 worker'
	echo 'comm 20 20 1 1 second'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo "map 20 $map_prog 2 $id /usr/bin/prog"
	for i in {1..10}; do
		echo "rec pc=$hot_pc ctx1=10 total=100 issue=4 class=1 op=1 va=0x1000 events=0x800002 ts=$((i * 1000000))"
	done
	echo 'auxtrace 0 0 10 0'
	for i in {1..10}; do
		echo "rec pc=$cold_pc ctx1=11 total=300 class=1 op=0 va=0x1008 events=0x2 ts=$((i * 1000000))"
	done
	echo "rec pc=$cold_pc ctx1=20 total=50 class=2 op=0 ts=3"
	echo 'auxtrace 1 1 10 0'
	echo 'aux 1'
	echo 'lost 5'
} | perf_file h.data
html() { run "$1" report -i "$dir/h.data" --symfs "$dir/root" --html "$dir/h.html" "${@:2}"; }
page() { grep -qF -- "$1" "$dir/h.html" || fail "no '$1' in the page"; }
lacks() { ! grep -qF -- "$1" "$dir/h.html" || fail "'$1' is in the page"; }
# The page as one line in which a bar stands for tags
text() { tr '\n' ' ' <"$dir/h.html" | sed 's/> *</></g; s/<[^>]*>/|/g; s/||*/|/g'; }
text_has() { text | finds -F -- "$1" || fail "no '$1' in the text"; }
# data ID: the JSON in the element of this name
data() { awk -v id="id=\"$1\"" 'index($0, id) { on = 1; sub(/.*id="[^"]*">/, "") } on { print } /<\/script>/ { on = 0 }' "$dir/h.html" | sed 's|</script>.*||'; }

begin "html: a page instead of the table, and no word on the terminal"
html 0
silent
[ ! -s "$out" ] || fail 'the table is printed too'
page "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
page '<dt>command</dt><dd>perf record -e arm_spe//</dd>'
page '<dt>host</dt><dd>box'
grep -qE '(src|href)="?(http|//|data)|@import|url\(' "$dir/h.html" && fail 'the page asks for another file'

# By hand from the records above: 10 * 100 + 10 * 300 + 50 = 4050 cycles, 21 samples
begin "html: the buffer of a thread does not tell CPUs"
printf '%s\n' 'info 4' 'rec total=5' 'auxtrace 0 -1 10 0' | perf_file thread.data
run 0 report "$dir/thread.data" --html "$dir/thread.html"
grep -qF 'on unknown CPUs' "$dir/thread.html" || fail 'a number of CPUs'

begin "html: totals are those of report"
text_has '|Samples|21|all of the recording|'
text_has '|Cycles|4,050|'
text_has '|Processes|2|on 2 CPUs|'
text_has '|75.31%|cold|prog|52.38%|11|277.3|300|300|'
text_has '|24.69%|hot|prog|47.62%|10|100.0|100|100|4.0|'
text_has 'AUX data: 1 time truncated, 0 partial, 0 with collisions'
text_has 'lost: 5 perf records'
run 0 report -i "$dir/h.data" --symfs "$dir/root" --columns cost,symbol,share,count
for row in '75.31% cold 52.38% 11' '24.69% hot 47.62% 10'; do
	tr -s ' ' <"$out" | finds -xF " $row" || fail "report has no row '$row'"
done

# The page is what is mailed.  No file of the recorded machine is here.
begin "html: messages are on the page, and the missing files that leave types unknown"
for verb in report mem diff; do
	files=("$dir/h.data")
	[ "$verb" != diff ] || files+=("$dir/h.data")
	run 0 "$verb" --html "$dir/h.html" "${files[@]}"
	warns '1 recorded file is not on this machine, so its code has no symbols; to fetch it for --symfs symfs, run: mkdir'
	page '<p class="note">1 recorded file is not on this machine, so its code has no symbols; to fetch it for --symfs symfs, run: mkdir'
	[ "$verb" != report ] || text_has 'Of 20 such samples 0 access data whose type is known'
	[ "$verb" != report ] || text_has 'Files of programs are missing, and so are their types'
done
printf '0000000000001000 T first\n0000000000002000 T second\n' >"$dir/kallsyms"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'rec pc=0xa0ff800000001000 total=3' 'auxtrace 0 0 10 0'
} | perf_file kernel.data
run 0 report -i "$dir/kernel.data" --kallsyms "$dir/kallsyms" --html "$dir/h.html"
warns 'names of kernel functions may be wrong'
page 'names of kernel functions may be wrong'
html 0
lacks 'not on this machine'
lacks 'Files of programs are missing'

# Its C library and loader are missing, and no sample with an address is in them.
begin "html: missing files are no reason where the types of all samples are known"
cp "$here/../../../Documentation/examples/callers.data" "$dir"
run 0 report "$dir/callers.data" --symfs "$here/../../../Documentation/examples/symfs" --html "$dir/h.html"
page 'not below --symfs'
text_has 'Of 474 such samples 474 access data whose type is known'
lacks 'Files of programs are missing'

begin "html: the flame graph has processes, threads, objects and functions"
html 0
text_has 'A function is below its process, thread and object'
text_has '|process|thread|object|'
html 0 --filter 'pid == 20'
text_has 'A function is below its process and object'
text_has '|process|object|'
html 0
if command -v jq >/dev/null; then
	data flame-data | jq -r '.names as $n | [range(0; .nodes | length; 6) as $i |
		.nodes[$i:$i + 6]] | .[] | "\(.[0]) \($n[.[1]]) \(.[4]) \(.[5])"' >"$dir/flame" 2>>"$err" || fail 'no JSON'
	cat >"$dir/want" <<'END'
0 all 21 4050
1 first, pid 10 20 4000
2 worker, tid 11 10 3000
3 prog 10 3000
4 cold 10 3000
2 thread 10 10 1000
3 prog 10 1000
4 hot 10 1000
1 second, pid 20 1 50
2 prog 1 50
3 cold 1 50
END
	cmp -s "$dir/want" "$dir/flame" || fail "$(diff "$dir/want" "$dir/flame")"
else
	skip 'no jq'
fi

begin "html: the heat map has each sample with an address"
if command -v jq >/dev/null; then
	# Of each row every second number counts samples.
	got=$(data heat-0 | jq '[.cells[] | to_entries[] | select(.key % 2 == 1).value] | add' 2>>"$err")
	[ "$got" = 20 ] || fail "${got:-no} samples in the cells, not 20"
	got=$(data heat-0 | jq '[.other[] | to_entries[] | select(.key % 2 == 1).value] | add' 2>>"$err")
	[ "$got" = 4000 ] || fail "${got:-no} cycles in the cells, not 10 * 100 + 10 * 300"
	# The first load or store is at 1 ms, the last one at 10 ms.
	got=$(data heat-0 | jq -c '[.timed, .span, .unit, .bands[0].start]')
	[ "$got" = '[true,9000000,"sample","0x1000"]' ] || fail "$got"
else
	skip 'no jq'
fi

# The samples are at 3 ns and at 1 to 10 ms.  Their slice of 64 is by the part of 9999998 ns that
# has passed.
begin "html: the samples of each slice of time"
if command -v jq >/dev/null; then
	for i in {1..10}; do echo "$(((i * 1000000 - 3) * 64 / 9999998)) 1 300"; done >"$dir/want"
	sed -i '1i 0 1 50' "$dir/want"
	row=$(sed -n 's|.*id="function-\([0-9]*\)".*|\1|p' "$dir/h.html" | head -n 1)
	series() { jq -r "[foreach (.$1 | range(0; length; 4) as \$i | .[\$i:\$i + 4]) as \$s (0; . + \$s[0]; \"\(.) \(\$s[1]) \(\$s[3])\")] | .[]" 2>>"$err"; }
	data time-data | series "functions[$row]" | cmp -s "$dir/want" - || fail "cold: $(data time-data | series "functions[$row]")"
	[ "$(data time-data | series 'codes[1][1][0]' | awk '{ n += $2; c += $3 } END { print NR, n, c }')" = '10 10 1000' ] || fail 'the instruction of hot'
	[ "$(data time-data | jq -c '[.first, .span, .memory[1]]')" = '["3",9999997,2]' ] || fail 'the span, or the first slice with an address'
	# Two accesses of the line, of 10 snooped stores and 10 loads in five numbers each
	[ "$(data time-data | jq -c '.lines[0] | [(.[0] | length), (.[1] | length), (.[2] | length)]')" = '[50,50,2]' ] || fail 'the line'
	[ "$(data flame-data | jq -c '.slices | length, .[0][0:3]' | tr '\n' ' ')" = '11 [0,1,50] ' ] || fail 'the cells'
	# Slices 6 to 19, as the page names them for --time, have 1 to 3 ms.
	run 0 report -i "$dir/h.data" --symfs "$dir/root" --summary --time "$(awk 'BEGIN { w = 9999998 / 64; printf "%.9f,%.9f", (6 * w + 4) / 1e9, (20 * w + 2) / 1e9 }')"
	grep -qx 'records_with_pc: 6' "$out" || fail "$(head -n 1 "$out")"
else
	skip 'no jq'
fi
page 'The findings, their cycles at stake and their evidence are of the whole recording'
run 0 report -i "$dir/h.data" --symfs "$dir/root" --html "$dir/h.html" --filter 'time == 1000000'
text_has 'No range of time can be selected: the samples have no times that differ'
lacks 'id="time-data"'
# A range selects the same samples in other verbs only with these options.
run 0 report -i "$dir/h.data" --symfs "$dir/root" --html "$dir/h.html" --filter 'symbol != "x"' --cpu 0 --time 0%-100%
page 'data-options=" --cpu 0 --filter &#39;symbol != &#34;x&#34;&#39;">'
text_has '|CPU 0|'
html 0
page 'data-options="">'

# Load number i of 200 is at i us.  It is remote if 3 divides i, a walk if 5 does; a store has no source.
begin "html: the samples of findings in each slice of time"
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'midrs 1 0x414fd0c1'
	echo 'comm 10 10 1 1 first'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	for i in {0..199}; do
		source=14 cycles=10 events=0x6
		((i % 5)) || { events=0x26 cycles=300; }
		((i % 3)) || { source=13 cycles=400; }
		echo "rec pc=$hot_pc ctx1=10 total=$cycles xlat=$((i % 5 ? 0 : 250)) class=1 op=0 events=$events source=$source ts=$((i * 1000))"
		echo "rec pc=$hot_pc ctx1=10 total=10 class=1 op=1 events=6 source=13 ts=$((i * 1000))"
	done
	echo 'auxtrace 0 0 10 0'
} | perf_file f.data
if command -v jq >/dev/null; then
	run 0 report -i "$dir/f.data" --symfs "$dir/root" --html "$dir/h.html"
	for kind in remote:3 tlb-walks:5; do
		row=$(grep -oE '<h3>[a-z-]+: [0-9.]+% of' "$dir/h.html" | grep -n ">${kind%:*}:" | cut -d: -f1)
		awk -v every="${kind#*:}" 'BEGIN {
			for (i = 0; i < 200; i += every) {
				slice = int(i * 1000 * 64 / 199001)
				count[slice]++
				cycles[slice] += i % 3 == 0 ? 400 : 300
			}
			for (slice = 0; slice < 64; slice++)
				if (count[slice])
					print slice, count[slice], count[slice], cycles[slice]
		}' >"$dir/want"
		data time-data | jq -r ".tables.findings.rows[${row:-9} - 1] as \$n |
			foreach range(0; \$n | length; 6) as \$i (0; . + \$n[\$i]; \"\(.) \(\$n[\$i + 1]) \(\$n[\$i + 2]) \(\$n[\$i + 3])\")" >"$dir/got" 2>>"$err"
		cmp -s "$dir/want" "$dir/got" || fail "$kind: $(diff "$dir/want" "$dir/got" | head -n 3)"
	done
else
	skip 'no jq'
fi

# What a finding's filter keeps, the page counts, though it never filters.  Process 20 runs a file that is
# missing, at the addresses of prog in process 10, whose samples the filter of a PC keeps, too.
begin "html: a finding of instructions has the samples that its filter keeps"
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'comm 10 10 1 1 first'
	echo 'comm 20 20 1 1 second'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo "map 20 $map_prog 2 - /usr/bin/missing"
	for i in {0..59}; do
		echo "rec pc=$cold_pc ctx1=20 total=$((i % 2 ? 300 : 10)) class=1 op=0 va=0x1000 events=$((i % 2 ? 14 : 6)) ts=$((i * 1000))"
		((i % 9)) || echo "rec pc=$cold_pc ctx1=10 total=300 class=1 op=0 va=0x1000 events=14 ts=$((i * 1000 + 1))"
	done
	echo 'auxtrace 0 0 -1 0'
} | perf_file p.data
# findings_agree RECORDING SYMFS LEAST: there are so many, whose samples are those that report has with the filter
findings_agree() {
	local i=0 filter want got
	run 0 report -i "$1" --symfs "$2" --html "$dir/h.html"
	run 0 advise -i "$1" --symfs "$2" --json
	cp "$out" "$dir/advised"
	while IFS= read -r filter; do
		run 0 report -i "$1" --symfs "$2" --summary --filter "$filter"
		want=$(sed -n "s/^records_with_pc: //p" "$out")
		got=$(data time-data | jq ".tables.findings.rows[$i] as \$n | [range(1; \$n | length; 6) as \$k | \$n[\$k]] | add")
		[ "$got" = "$want" ] || fail "$(basename "$1"): $got samples, not $want of --filter '$filter'"
		i=$((i + 1))
	done < <(jq -r '.findings[].command | capture("--filter (?<q>[\u0027\"])(?<f>.*?)\\k<q>").f' "$dir/advised")
	[ "$i" -ge "$3" ] || fail "$(basename "$1"): $i findings"
}
if command -v jq >/dev/null; then
	findings_agree "$dir/p.data" "$dir/root" 1
	[ "$(data time-data | jq -c '[.tables.findings.rows[0] as $n | range(1; $n | length; 6) as $k | $n[$k]] | add')" = 37 ] || fail 'not 30 and 7 samples'
	examples=$here/../../../Documentation/examples
	for recording in walks callers shared; do
		findings_agree "$examples/$recording.data" "$examples/symfs" 1
	done
else
	skip 'no jq'
fi

begin "html: the page begins with the findings of advise, and bands have names"
examples=$here/../../../Documentation/examples
for recording in shared walks callers apart; do
	run 0 advise -i "$examples/$recording.data" --symfs "$examples/symfs"
	sed -nE 's/^[0-9]+\. ([a-z-]+: [0-9.]+% of the cycles at stake).*/\1/p' "$out" >"$dir/advised"
	run 0 report -i "$examples/$recording.data" --symfs "$examples/symfs" --html "$dir/h.html"
	grep -o '<section id="[a-z]*"' "$dir/h.html" | head -n 1 | finds '"findings"' || fail 'the first part is not findings'
	sed -nE 's/.*<h3>([a-z-]+: [0-9.]+% of the cycles at stake).*/\1/p' "$dir/h.html" | cmp -s - "$dir/advised" ||
		fail "not the findings that advise has in $recording.data"
done
page 'Nothing was found'
# The page reads a recording several times, and counts its stacks once.
run 0 report --callers -i "$examples/callers.data" --symfs "$examples/symfs"
found=$(sed -n 's/^# stacks *\([0-9]* of [0-9]* samples have one\).*/\1/p' "$out")
run 0 report -i "$examples/callers.data" --symfs "$examples/symfs" --html "$dir/h.html"
page "<dt>stacks</dt><dd>${found:-none} ("
# The flame graph says where this number is, which a page of diff has, too.
page 'the top of the page says how many samples have one'
run 0 diff "$examples/callers.data" "$examples/callers.data" --symfs "$examples/symfs" --html "$dir/h.html"
page 'the top of the page says how many samples have one'
page "<dt>stacks</dt><dd>${found:-none} ("
run 0 report -i "$examples/shared.data" --symfs "$examples/symfs" --html "$dir/h.html"
page 'give each thread&#39;s data a cache line of its own'
# As many rows of the structure as layout prints, each the same
run 0 layout -i "$examples/shared.data" --symfs "$examples/symfs" 'struct (anonymous)'
sed -n '/^# *share/,$p' "$out" | sed "s/&/\&amp;/g; s/</\&lt;/g; s/>/\&#62;/g; s/'/\&#39;/g" >"$dir/layout"
while IFS= read -r line; do grep -qxF -- "$line" "$dir/h.html" || fail "not as layout prints: $line"; done <"$dir/layout"
page '"names":"line in shared 69%, rounds in shared 31%'
run 0 mem -i "$examples/shared.data" --symfs "$examples/symfs" --svg "$dir/h.svg"
grep -qE '>0x422000-0x422080  128 bytes, [0-9.]+% of samples: line in shared 69%, rounds in shared 31%<' "$dir/h.svg" ||
	fail 'the picture does not say what its band holds'
html 0

begin "html: code, with links from the table"
for symbol in hot cold; do
	row=$(sed -n "s|.*<a href=\"#code-\([0-9]*\)\">$symbol</a>.*|\1|p" "$dir/h.html")
	page "<details class=\"code\" id=\"code-$row\"><summary><span class=\"name\">$symbol</span>"
done
# objdump, which stands in for LLVM's library, gives no line numbers.
line="1$(printf '\t')"
if [ -n "${OBJDUMP-}" ] || ! grep -aq libLLVM "$perf_spe"; then line=; fi
grep -qF "${line}int hot(int x) { return x * 3; }" "$dir/h.html" || fail 'no source with its tab'
# The instruction with all samples of its function
address=$(printf %x $((0x$hot)))
tr -d '\n' <"$dir/h.html" | finds -E "100\.00%</td><td class=\"n\">10</td><td class=\"n\">100\.00%</td>[^:]{1,200} $address:$(printf '\t')" ||
	fail 'no row of the hot instruction'

begin "html: shared lines with their verdict"
text_has '|virtual 0x1000 of process 10|'
text_has '|no byte shared: false sharing?|'
text_has '|10 loads, 10 stores, 10 snooped, |2 sharers on |2 CPUs|'

begin "html: what is left out is named"
html 0 --limit 1
text_has 'Left out: 1 more function with 10 samples (47.62%) and 24.69% of the cycles.'
html 0 --sort count --filter 'op == store'
text_has '|Samples|10|of 21|'
page '<dt>filter</dt><dd>op == store</dd>'

begin "html: why no line can be shared, as sharing says it"
html 0 --filter 'op == load'
run 0 sharing -i "$dir/h.data" --symfs "$dir/root" --filter 'op == load'
warns 'keeps is a store or an atomic operation, and lines without one are not listed'
sed -n "s/'/\&#39;/g; s/^perf-spe: sharing: n/N/p" "$err" >"$dir/why"
page "<p class=\"note\">$(cat "$dir/why").</p>"
lacks 'No line is shared'
# Without a filter it is the recording that has none.
{
	printf '%s\n' 'info 4' 'comm 10 10 1 1 first'
	echo "rec pc=$hot_pc ctx1=10 total=5 class=1 op=0 va=0x1000"
	echo 'auxtrace 0 0 10 0'
} | perf_file loads.data
run 0 report -i "$dir/loads.data" --html "$dir/h.html"
text_has '|No sample is a store or an atomic operation, and lines without one are not listed: record again with --loads --stores.|'

begin "html: without an address of data"
html 0 --filter 'not va'
text_has '|Memory|No sample that --filter &#39;not va&#39; keeps has a virtual address: change or remove the filter.|'
text_has '|Shared lines|No sample that --filter &#39;not va&#39; keeps has a data address: change or remove the filter.|'
lacks 'id="heat-0"'

begin "html: more samples of an instruction in a part of the time than 16 bits count"
if command -v jq >/dev/null; then
	{
		echo 'info 4'
		echo 'conv 0 1 0'
		echo "map 10 $map_prog 2 $id /usr/bin/prog"
		awk -v pc="$hot_pc" 'BEGIN {
			for (i = 0; i < 140000; i++)
				print "rec pc=" pc " ctx1=10 total=65535 issue=65534 xlat=65533 ts=" 5 + (i == 139999)
		}'
		echo 'auxtrace 0 0 10 0'
	} | perf_file many.data
	run 0 report -i "$dir/many.data" --symfs "$dir/root" --html "$dir/h.html"
	[ "$(data time-data | jq -c '.functions[0]')" = '[0,139999,0,9174834465,32,1,0,65535]' ] ||
		fail "samples and cycles: $(data time-data | jq -c '.functions[0]')"
	[ "$(data time-data | jq -c '.tables.functions.rows[0]')" = \
		'[0,139999,9174694466,139999,9174554467,0,32,1,65534,1,65533,0]' ] ||
		fail "issue and translation: $(data time-data | jq -c '.tables.functions.rows[0]')"
else
	skip 'no jq'
fi

# Names from a recording must not become a part of the page.
begin "html: names that look like HTML or JavaScript"
evil='</script><script>alert(1)</script><img/src=x>"&<!--'
perf_file e.data <<END
info 4
text 3 <i>host</i>
words 11 perf <script>alert(3)</script>
comm 10 10 1 1 $evil
ksym 0xffff800000001000 0x1000 1 $evil
rec pc=0xa0ff800000001000 ctx1=10 total=9 class=1 op=0 va=0x1000
rec pc=0xa0ff800000001000 ctx1=11 total=9 class=1 op=1 va=0x1000
auxtrace 0 0 10 0
END
run 0 report -i "$dir/e.data" --html "$dir/h.html" --filter 'pc and comm != "<b>"'
for harm in '<img' '<i>' '<script>alert(' '<b>' '<!--'; do lacks "$harm"; done
page '&#60;i&#62;host&#60;/i&#62;'
page '\u003c/script>'
page '&#60;img/src=x&#62;&#34;&#38;&#60;!--'
[ "$(grep -o '<script' "$dir/h.html" | wc -l)" -eq "$(grep -o '</script>' "$dir/h.html" | wc -l)" ] || fail 'an open script'

begin "html: tags match"
if command -v python3 >/dev/null; then
	for data in e h; do
		run 0 report -i "$dir/$data.data" --symfs "$dir/root" --html "$dir/h.html"
		python3 - "$dir/h.html" >>"$err" 2>&1 <<'END' || fail 'tags do not match'
import html.parser, sys
class page(html.parser.HTMLParser):
    open, ids = [], set()
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "input"):
            self.open.append(tag)
        for name, value in attributes:
            assert name != "id" or value not in self.ids, value
            if name == "id":
                self.ids.add(value)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())
p = page()
p.feed(open(sys.argv[1]).read())
assert not p.open and "main" in p.ids
END
	done
else
	skip 'no python3'
fi

begin "html: SPE bytes alone, and no sample at all"
printf 'rec class=1 op=0 va=0x1000 total=5\n' | raw_file r.spe
run 0 report --raw "$dir/r.spe" --html "$dir/h.html"
text_has '|Samples|1|'
text_has 'No range of time can be selected: there are not two samples'
printf 'pad 8\n' | raw_file n.spe
run 0 report --raw "$dir/n.spe" --html "$dir/h.html"
text_has '|Samples|0|'

begin "html: a file that cannot be written, and wrong usage"
run 1 report -i "$dir/h.data" --html "$dir/none/x"
warns 'No such file'
run 1 report -i "$dir/h.data" --html /dev/full
warns 'No space left'
cp "$dir/h.data" "$dir/same.data"
run 2 report -i "$dir/same.data" --html "$dir/same.data"
cmp -s "$dir/h.data" "$dir/same.data" || fail 'the recording was overwritten'
run 2 report -i "$dir/h.data" --html "$dir/x.html" --by comm
warns '--html and --by exclude each other'
run 2 report -i "$dir/h.data" --html "$dir/x.html" --summary
run 2 report -i "$dir/h.data" --html "$dir/x.html" --columns cost
[ ! -e "$dir/x.html" ] || fail 'a page was written'

finish
