#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Call stacks: samples of another event, and which of them a record gets.
# usage: stacks.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# shellcheck source-path=SCRIPTDIR source=lib/stacks.sh
. "$(dirname "$0")/lib/stacks.sh"
examples=$(cd "$here/../../../Documentation/examples" && pwd)

# In ms: left() calls from 10 to 20, right() from 31 to 40, and nothing runs near 100.
two_text() {
	head_text
	echo 'comm 10 11 1 0 prog'
	echo 'owner 1'
	calls_left 10$ms
	calls_left 20$ms
	calls_right 31$ms
	calls_right 40$ms
	echo "calls 10 10 0 41$ms $user_mark $other $(returns _start other)"
	echo 'owner 0'
	rec "$leaf" 9$ms 100			# left: 1 ms before its sample
	rec "$leaf" 15$ms 100			# left: both neighbours agree
	rec "$leaf" 20$ms 100			# left: the sample's own time
	rec "$leaf" 24$ms 3			# they differ
	rec "$leaf" 35$ms 10			# right
	rec "$leaf" 49$ms 10			# right: 9 ms after its last sample
	rec "$leaf" 50000001 7			# 10 ms and 1 ns after it; other's sample is near
	rec "$leaf" 100$ms 7			# no sample near
	rec "$left" 15$ms 20			# left itself
	rec "$right" 15$ms 5			# the near samples do not have it
	rec "$other" 42$ms 1			# called by _start
	rec "$leaf" 15$ms 2 11			# another thread
	echo "rec total=1 ctx1=10 ts=15$ms"	# no instruction
	echo "auxtrace 0 0 10 0"
}
two_text | perf_file two.data
t=(-i "$dir/two.data" --symfs "$dir/root")

begin "stacks: a record gets the stack of a near sample with its function"
run 0 export "${t[@]}" -f csv -F symbol,total,caller,stack
cat >"$dir/want" <<'END'
leaf,100,left,leaf|in|left|_start
leaf,100,left,leaf|in|left|_start
leaf,100,left,leaf|in|left|_start
leaf,3,,
leaf,10,right,leaf|right|_start
leaf,10,right,leaf|right|_start
leaf,7,,
leaf,7,,
left,20,_start,left|_start
right,5,,
other,1,_start,other|_start
leaf,2,,
,1,,
END
tail -n +2 "$out" | tr -d '\r"' | diff - "$dir/want" >"$dir/diff" || fail "$(cat "$dir/diff")"

# left, left, left, right and so on, 1 ms apart: of 39 pairs 19 differ, and 0.375 * 39 = 14.6 would at
# random.  In turns of ten 3 of 39 differ, and 0.5 * 39 = 19.5 would.
begin "stacks: callers that take turns faster than the samples come"
turns_text() { # LEFT RIGHT
	local i
	head_text
	echo 'owner 1'
	for ((i = 0; i < 40; i++)); do
		if [ $((i % ($1 + $2))) -lt "$1" ]; then calls_left $((100 + i))$ms; else calls_right $((100 + i))$ms; fi
	done
	echo 'owner 0'
	rec "$leaf" 100500000 100	# between two of left
	echo "auxtrace 0 0 10 0"
}
turns_text 3 1 | perf_file turns.data
run 0 export -i "$dir/turns.data" --symfs "$dir/root" -f csv -F caller
[ "$(tail -n 1 "$out" | tr -d '\r"')" = '' ] || fail 'a caller'
run 0 report -i "$dir/turns.data" --symfs "$dir/root" --callers
says '1 sample has none: 1 in a function whose callers take turns faster than these samples come'
turns_text 10 10 | perf_file turns.data
run 0 export -i "$dir/turns.data" --symfs "$dir/root" -f csv -F caller
[ "$(tail -n 1 "$out" | tr -d '\r"')" = left ] || fail 'no caller'

begin "stacks: the limit is the user's"
run 0 export "${t[@]}" --stack-within 11 -f csv -F total,caller --filter 'total == 7'
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '7,right 7,' ] || fail 'not one more'
run 0 export "${t[@]}" --stack-within 5 -f csv -F caller --filter 'symbol == leaf and caller'
[ "$(tail -n +2 "$out" | sort | uniq -c | tr -d '\r" \n')" = 4left1right ] || fail 'another limit'
run 2 export "${t[@]}" --stack-within 0
warns '--stack-within needs a positive whole number'
run 1 report "${t[@]}" --stack-within 5 --callees nothing
warns '--stack-within 5'

begin "stacks: filters on any frame"
run 0 report "${t[@]}" --filter 'stack has in' --columns count,symbol
[ "$(awk '/^ /{ print $1 $2 }' "$out" | paste -sd ' ')" = '3leaf' ] || fail 'not the three of in()'
run 0 report "${t[@]}" --filter 'stack has _start and not stack has left' --columns count,symbol
[ "$(awk '/^ /{ print $1 $2 }' "$out" | sort | paste -sd ' ')" = '1other 2leaf' ] || fail 'other frames'
run 0 report "${t[@]}" --by caller --filter 'symbol == leaf' --columns caller,count,cycles --text
[ "$(awk '/^ /{ print $1, $2, $3 }' "$out" | sort | paste -sd ,)" = '- 4 19,left 3 300,right 2 20' ] || fail 'other callers'

begin "stacks: every report says how many records have one, and why others have none"
{ two_text; echo 'aux 1 0 5'; } | perf_file lossy.data
run 0 report -i "$dir/lossy.data" --symfs "$dir/root" --callers
says '# AUX data: 1 time truncated, 0 partial, 0 with collisions'
run 0 report "${t[@]}" --callers
says 'stacks     7 of 13 samples have one (53.85%): that of a sample of event 0/0x0 at most 10 ms away, of which there are 5'
says 'stacks     6 samples have none: 1 without time, thread or function, 2 without such a sample near, 2 in a function that no near one has, 1 between two with other callers'

begin "stacks: functions and their callers"
# Cycles by hand: all 366, leaf 339 of 9 records: left 300 (3), right 20 (2), none 19 (4).
cat >"$dir/want" <<'END'
92.62% 69.23% 9 37.7 leaf
81.97% 23.08% 3 100.0 in
81.97% 23.08% 3 100.0 left
81.97% 23.08% 3 100.0 _start
5.46% 15.38% 2 10.0 right
5.46% 15.38% 2 10.0 _start
5.19% 30.77% 4 4.8 [no stack]
END
# tree: the first function's lines, blanks reduced
tree() { sed -n '/^ /p' "$out" | awk '{ $1 = $1 } 1' | head -n "$(wc -l <"$dir/want")" | diff - "$dir/want" >"$dir/diff" || fail "$(cat "$dir/diff")"; }
tree
run 0 report "${t[@]}" --callers --limit 1
[ "$(grep -c '^ ' "$out")" = 7 ] || fail 'more than one function'
run 2 report "${t[@]}" --callers --sort mean
warns 'report: --callers and --sort exclude each other: remove one'
run 2 report "${t[@]}" --callees left --ci
warns 'report: --callees and --ci exclude each other: remove one'
run 0 report "${t[@]}" --callers=leaf
tree
run 0 report "${t[@]}" --callers leaf
tree
# A function with all that it called: left and what is below it.
run 0 report "${t[@]}" --callers left
cat >"$dir/want" <<'END'
87.43% 30.77% 4 80.0 left
87.43% 30.77% 4 80.0 _start
END
tree
[ "$(grep -c '^ ' "$out")" = 2 ] || fail 'more than left'

begin "stacks: from the outermost function to all that it called"
run 0 report "${t[@]}" --callees
cat >"$dir/want" <<'END'
93.17% 53.85% 7 48.7 _start
87.43% 30.77% 4 80.0 left
81.97% 23.08% 3 100.0 in
81.97% 23.08% 3 100.0 leaf
5.46% 15.38% 2 10.0 right
5.46% 15.38% 2 10.0 leaf
0.27% 7.69% 1 1.0 other
END
tree
run 0 report "${t[@]}" --callees=in
cat >"$dir/want" <<'END'
81.97% 23.08% 3 100.0 in
81.97% 23.08% 3 100.0 leaf
END
tree

begin "stacks: functions without a symbol, by their file"
run 0 report --symfs "$examples/symfs" -i "$examples/callers.data" --callers '[no symbol]'
grep -qE '^ +99\.42% .* 2823 +18\.8  \[no symbol\] in libc\.so\.6$' "$out" || fail 'not those of the library'

# Many records have the stack of one sample: these are not as many observations of its callers.
begin "stacks: differences of callers are not tested"
run 0 diff "$dir/two.data" "$dir/two.data" --symfs "$dir/root" --by symbol,caller
says '# stacks     near samples share the stack of one sample of another event, so chance decides how many have a caller'
says ' 0 differences tested'
warns "because of stacks: record both with --samples --perf -g, which gives each sample a stack of its own, or compare by other columns"
run 0 diff "$dir/two.data" "$dir/two.data" --symfs "$dir/root"
! grep -q 'near samples share' "$out" || fail 'a reason that matters to callers alone'

begin "stacks: wrong requests"
run 1 report "${t[@]/%root/}" --callers leaf
warns "no call stack contains 'leaf': 1 recorded file has no symbols, and the function may be in it; to see the functions"
run 1 report "${t[@]}" --callers nothing
warns "no call stack contains 'nothing': to see the functions"
run 1 report "${t[@]}" --callers laef
warns "report: no call stack contains 'laef': did you mean 'leaf'? to see the functions, run: perf spe report --callees"
run 2 report "${t[@]}" --callers --callees
run 2 report "${t[@]}" --callers --by symbol
run 2 report "${t[@]}" leaf
{ head_text; rec "$leaf" 9$ms 1; echo 'auxtrace 0 0 10 0'; } | perf_file none.data
run 1 report -i "$dir/none.data" --symfs "$dir/root" --callers
warns "none.data has no call stacks: record with 'perf spe record --stacks'"
run 1 report -i "$dir/none.data" --symfs "$dir/root" --filter 'stack has leaf'

begin "stacks: viewers get them, and their sums are those without"
run 0 export "${t[@]}" -f folded --value cycles
cat >"$dir/want" <<END
prog 10;thread 10;[no stack];[unknown];[no symbol] 1
prog 10;thread 10;[no stack];prog;leaf;prog.c:2 17
prog 10;thread 10;[no stack];prog;right;prog.c:5 5
prog 10;thread 10;prog;_start;left;in;leaf;prog.c:2 300
prog 10;thread 10;prog;_start;left;prog.c:4 20
prog 10;thread 10;prog;_start;other;prog.c:6 1
prog 10;thread 10;prog;_start;right;leaf;prog.c:2 20
prog 10;thread 11;[no stack];prog;leaf;prog.c:2 2
END
sort "$out" | diff - <(sort "$dir/want") >"$dir/diff" || fail "$(cat "$dir/diff")"

begin "stacks: the page's flame graph has them"
if command -v jq >/dev/null; then
	run 0 report "${t[@]}" --html "$dir/page.html"
	sed -n '/id="flame-data"/,/<\/script>/p' "$dir/page.html" | sed 's/.*id="flame-data">//; s/<\/script>.*//' |
		jq -r '.names as $n | [range(0; .nodes | length; 6) as $i | .nodes[$i:$i + 6]] | .[] |
			"\(.[0]) \($n[.[1]]) \(.[4]) \(.[5])"' >"$dir/flame" 2>>"$err" || fail 'no JSON'
	cat >"$dir/want" <<'END'
0 all 13 366
1 prog, pid 10 13 366
2 thread 10 12 364
3 prog 7 341
4 _start 7 341
5 left 4 320
6 in 3 300
7 leaf 3 300
5 right 2 20
6 leaf 2 20
5 other 1 1
3 [no stack] 5 23
4 prog 4 22
5 leaf 3 17
5 right 1 5
4 [unknown] 1 1
5 [no symbol] 1 1
2 thread 11 1 2
3 [no stack] 1 2
4 prog 1 2
5 leaf 1 2
END
	diff "$dir/want" "$dir/flame" >"$dir/diff" || fail "$(cat "$dir/diff")"
	grep -qF '<p>Call stacks come from a second event, sampled at the same time;' "$dir/page.html" || fail 'nothing says where stacks come from'
	grep -q '7 of 13 samples have one (53.85%)' "$dir/page.html" || fail 'the summary does not say how many'
else
	skip 'no jq'
fi
finish
