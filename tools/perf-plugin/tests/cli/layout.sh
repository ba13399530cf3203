#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe layout: where members, holes and cache lines are comes from offsetof() and sizeof() of
# the compiler, and from pahole; counts, latencies and CPUs are those of the samples below.
# usage: layout.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source=lib/layout.sh
. "$(dirname "$0")/lib/layout.sh"
# shellcheck source=lib/tui.sh
. "$(dirname "$0")/lib/tui.sh"

for way in 'gcc -gdwarf-4' 'clang -gdwarf-5'; do
	compiler=${way% *} flags=${way#* }
	begin "layout: offsets and sizes are the compiler's, $compiler $flags"
	command -v "$compiler" >/dev/null || { skip "no $compiler: install it"; continue; }
	CC=$compiler build "$flags"
	touch_all | perf_file l.data
	for type in queue flags guard_t nest tail packed; do
		layout "$type" --csv
		members >"$dir/got"
		"$dir/offsets" "$type" >"$dir/want"
		cmp -s "$dir/got" "$dir/want" || fail "$type: $(diff "$dir/got" "$dir/want")"
		# sizeof() is where the members and gaps end.
		ends "$(value size "$type")"
	done
	begin "layout: holes and cache lines are pahole's, $compiler $flags"
	command -v pahole >/dev/null || { skip 'no pahole: install dwarves'; continue; }
	for type in queue flags nest tail; do
		layout "struct $type"
		# Without -c pahole takes the cache line size of the machine that runs it.
		pahole -c 64 -C "$type" "$lib" 2>"$err" >"$dir/pahole"
		by_pahole
	done
done
build

begin "layout: counts, latencies, CPUs and threads of each member"
{
	head_of
	store counters "$(at counters left)" 11 10 100	# thread 11
	load counters "$(at counters left)" 11 10 60
	echo 'auxtrace 0 3 11 0'
	load counters "$(at counters left)" 12 10 20
	load counters "$(at counters right)" 12 10 8
	echo 'auxtrace 1 5 12 0'
} | perf_file l.data
layout 'struct counters' --csv
# of samples 100, 60 and 20: mean 60.0; the 99th percentile of three is the largest
row_is left '3,75,2,1,180,60,100,"3,5","3","11-12","11","'
row_is right '1,25,1,0,8,8,8,"5","","12","","'
layout 'struct counters'
says '# 4 samples of it: 3 loads, 1 store'
has ' 75.00% 3 2 1 60.0 100 CPU 3,5 CPU 3 - 0 8 int64_t left;'
has ' 25.00% 1 1 0 8.0 8 CPU 5 - - 8 8 int64_t right;'

begin "layout: threads where CPUs are not known"
{ head_of; store counters 0 11 10 9; load counters 0 12 10 9; echo 'auxtrace 0 -1 11 0'; } | perf_file l.data
layout counters
has ' 100.00% 2 1 1 9.0 9 tid 12 tid 11 - 0 8 int64_t left;'

# Ten stores of each of two threads on two CPUs: see sharing.sh.
begin "layout: two CPUs that write neighbours share their line falsely"
apart 0 8 counters | perf_file l.data
layout counters
has ' 50.00% 10 0 10 9.0 9 - CPU 0 false 0 8 int64_t left;'
has ' 50.00% 10 0 10 9.0 9 - CPU 1 false 8 8 int64_t right;'
says "# false sharing: left and right, on 1 line, up to 100.00% of a line's meetings"
says '#   alignas(64) before right costs 112 bytes: offset 8 -> 64'
says '#   new size: 128 bytes, was 16'
layout counters --json
json 'd["padding"] == [{"align": "before", "member": "right", "new_offset": 64, "cost_bytes": 112}] and d["new_size_bytes"] == 128'
json 'd["false_sharing"] == [{"between": "members", "member": "left", "other": "right", "lines": 1, "meetings_percent": 100}]'

begin "layout: the advised padding costs what the compiler says"
# spread is counters with alignas(64) before right, padded the same of mixed; sizes are sizeof()
[ "$(value size spread)" = 128 ] || fail "the compiler's size is $(value size spread)"
apart "$(at mixed a)" "$(at mixed b)" mixed | perf_file l.data
layout mixed
says "#   alignas(64) before b costs $(($(value size mixed_padded) - $(value size mixed))) bytes: offset $(at mixed b) -> $(at mixed_padded b)"
says "#   new size: $(value size mixed_padded) bytes, was $(value size mixed)"

apart "$(at nest out.in.a)" "$(at nest out.e)" nest | perf_file l.data
layout nest
says "#   alignas(64) before out.e costs $(($(value size nest_padded) - $(value size nest))) bytes: offset $(at nest out.e) -> $(at nest_padded out.e)"

begin "layout: an alignment cannot separate bit-fields"
apart 0 "$(at flags bits)" flags | perf_file l.data
layout flags
says '#   first and busy cannot be separated by an alignment'

begin "layout: a healthy twin has no advice"
apart "$(at spread left)" "$(at spread right)" spread | perf_file l.data
layout spread
has ' 50.00% 10 0 10 9.0 9 - CPU 0 - 0 8 int64_t left;'
no_advice

begin "layout: a member that two CPUs write is shared truly"
apart 0 0 counters | perf_file l.data
layout counters
has ' 100.00% 20 0 20 9.0 9 - CPU 0-1 true 0 8 int64_t left;'
no_advice

begin "layout: few samples, one CPU and readers alone give no advice"
apart 0 8 counters 9 | perf_file l.data
layout counters
says '# 1 shared line of it with too few samples to tell'
no_advice
apart 0 8 counters 10 0 0 | perf_file l.data
layout counters
no_advice
apart 0 8 counters 10 0 1 load | perf_file l.data
layout counters
no_advice

begin "layout: instances of an array on one line"
apart 0 "$(value size cell)" cells | perf_file l.data
layout cell
says '# false sharing: value and value of another instance, on 1 line'
says "#   alignas(64) on struct cell costs $((64 - $(value size cell))) bytes an instance"
says '#   new size: 64 bytes, was 8'

begin "layout: elements of an array in a structure"
apart "$(at slots hits)" "$(($(at slots hits) + 4))" slots | perf_file l.data
layout slots
says '# false sharing: hits[], by its elements, on 1 line'
says "#   alignas(64) on each element of hits[] costs $(($(value size slots_padded) - $(value size slots))) bytes"

begin "layout: a member and a variable outside of the type"
{
	head_of
	for _ in {1..10}; do store edge 0 11 10 9; done
	echo 'auxtrace 0 0 11 0'
	for _ in {1..10}; do store beside 0 12 10 9; done
	echo 'auxtrace 1 1 12 0'
} | perf_file l.data
layout edge_t
says '# false sharing: inner and beside outside of the type'
says '#   alignas(64) on edge_t costs 56 bytes an instance'

begin "layout: members without samples can be moved between"
apart "$(at roomy a)" "$(at roomy b)" roomy | perf_file l.data
layout roomy
says '#   or move members without samples between them: cold (72 bytes)'

begin "layout: holes, unions, bit-fields and arrays have the samples of their bytes"
{
	head_of
	load queue 1 11 10 9
	load queue "$(at queue u)" 11 10 9
	load queue "$(at queue range.high)" 11 10 9
	load queue "$(($(at queue ring) + 6))" 11 10 9
	load flags "$(at flags bits)" 11 10 9
	echo 'auxtrace 0 0 11 0'
} | perf_file l.data
layout queue --csv
row_is 'u\.real' '1,25,1,0'
row_is 'u\.wide' '1,25,1,0'
row_is u '1,25,1,0'
row_is range '1,25,1,0'
row_is 'range\.high' '1,25,1,0'
row_is 'ring\[\]' '1,25,1,0'
row_is '' '1,25,1,0'
layout flags --csv
row_is busy '1,100,1,0'
row_is idle '1,100,1,0'

begin "layout: the types with most samples"
touch_all | perf_file l.data
layout --csv
# 2 samples of each of the seven, see touch_all
[ "$(head -n 1 "$out" | tr -d '\r')" = 'type,declared,size_bytes,count,share_percent' ] || fail "$(head -n 1 "$out")"
grep -qE "^\"struct queue\",\"types.h:[0-9]+\",$(value size queue),2,14.28571429" "$out" || fail 'no queue'
grep -qE "^\"guard_t\",\"types.h:[0-9]+\",$(value size guard_t),2,14.28571429" "$out" || fail 'no guard_t'
layout --limit 1
says '# 6 more types'
# C has no type whose name has a dot or a slash.
run 0 layout "$dir/l.data" --symfs "$dir/root" --limit 1
says '# 6 more types'
layout --json
json 'd["samples"] == 14 and len(d["types"]) == 7 and {o["object"] for o in d["objects"]} == {"/usr/lib/lib.so"}'
layout --csv=objects
grep -qE '^"struct queue","types.h:[0-9]+","/usr/lib/lib.so"' "$out" || fail 'no object of queue'
run 2 layout "$dir/l.data" --csv=members
warns 'layout: --csv=members: this table is of one type: name TYPE'
run 2 layout queue "$dir/l.data" --csv=types
warns 'layout: --csv=types: this table is of the list of types: remove TYPE'

begin "layout: names of types, and those that are not known"
for type in 'struct queue' queue queue_t; do
	layout "$type"
	says "# struct queue in /usr/lib/lib.so, declared at types.h:"
	# The type has no bit-field, so the summary leaves them out.
	! grep -q ' 0 bits\| 0 holes\| of 0 bytes' "$out" || fail 'the summary tells what is 0'
done
layout struct queue
says '# struct queue in'
run 1 layout -i "$dir/l.data" --symfs "$dir/root" queuee
warns "layout: no type 'queuee' in the debugging information of 1 file (0 more have none); did you mean 'queue'? to see the types with samples, run: perf spe layout -i $dir/l.data --symfs $dir/root"
run 1 layout -i "$dir/l.data" --symfs "$dir/root" --comm nobody queue
warns "layout: --comm 'nobody' keeps none of the "
for type in 'int[4]' 'int *' int; do
	run 1 layout -i "$dir/l.data" --symfs "$dir/root" "$type"
	warns "layout: '$type' is a number, pointer, array or enumeration, which has no layout: name a structure, union or class"
done
layout never
warns "layout: no sample is in an instance of this type outside of other structures: to see the types that have some, run: perf spe layout -i $dir/l.data --symfs $dir/root"
says '# 0 samples of it'
run 2 layout --line 48
for option in '--object lib' '--declared types.h:3' '--line 128'; do
	# shellcheck disable=SC2086 # words
	run 2 layout -i "$dir/l.data" --symfs "$dir/root" $option
	warns "layout: ${option% *} is about one type: name TYPE"
done
run 2 layout -i "$dir/l.data" --symfs "$dir/root" --limit 3 queue
warns 'layout: --limit is about the list of types: remove it, or TYPE'
run 2 layout queue "$dir/l.data" more
run 0 layout queue "$dir/l.data" --symfs "$dir/root"
says '# 2 samples of it'

run 1 layout -i "$dir/l.data" --symfs "$dir/root" guard_t_
warns "layout: 'guard_t_' is a variable of the type guard_t: name the type; to see its layout, run: perf spe layout -i $dir/l.data --symfs $dir/root --declared types.h:$(grep -n 'guard_t;' "$dir/types.h" | cut -d: -f1) guard_t"
read -ra words < <(sed -n 's/.*, run: perf spe //p' "$err")
run 0 "${words[@]}"
says '# guard_t in /usr/lib/lib.so'
run 1 layout -i "$dir/l.data" --symfs "$dir/root" cells
warns "layout: 'cells' is a variable of the type struct cell: name the type"
run 1 layout -i "$dir/l.data" --symfs "$dir/root" beside
warns "layout: 'beside' is a variable of the type int64_t, which is no structure: name a structure, union or class"

begin "layout: why no sample is in a structure"
{ head_of; load beside 0 11 10 9; echo 'auxtrace 0 0 11 0'; } | perf_file no.data
run 0 layout -i "$dir/no.data" --symfs "$dir/root"
warns "layout: no sample is in a structure: their types are known, but are numbers, pointers or arrays of these; to see them, run: perf spe report --by type -i $dir/no.data --symfs $dir/root"
{ head_of; echo "rec pc=$(user 0x1000) ctx1=11 total=5 class=2 op=0"; echo 'auxtrace 0 0 11 0'; } | perf_file no.data
run 0 layout -i "$dir/no.data" --symfs "$dir/root"
warns 'layout: no sample has a data address: record again with --loads --stores'

begin "layout: a name with different layouts in two files"
build_other
two_files | perf_file two.data
run 1 layout -i "$dir/two.data" --symfs "$dir/root" counters
warns "layout: 'counters' has 2 different layouts; choose one with --object or --declared:"
warns "struct counters, 16 bytes, declared at types.h:"
warns ", in /usr/lib/lib.so"
warns "struct counters, 4 bytes, declared at other.c:1, in /usr/lib/other.so"
run 0 layout -i "$dir/two.data" --symfs "$dir/root" counters --object other
says '# struct counters in /usr/lib/other.so, declared at other.c:1: 4 bytes'
run 0 layout -i "$dir/two.data" --symfs "$dir/root" counters --declared other.c:1
says '# struct counters in /usr/lib/other.so, declared at other.c:1: 4 bytes'
if [[ $(ldd "$perf_spe") == *ncurses* ]]; then
	cp "$dir/two.data" "$dir/t.data"
	screen "see q quit
type L
see layout: 'struct counters' has 2 different layouts; choose one with --object or --declared:
see   struct counters, 16 bytes, declared at types.h:
see   struct counters, 4 bytes, declared at other.c:1, in /usr/lib/other.so
type q
see by type
type q
end 0" --by type
	silent
fi
run 1 layout -i "$dir/two.data" --symfs "$dir/root" counters --object third
warns "layout: no file of the recording has a path that contains 'third': change --object; to see the files, run: perf spe report --by object -i $dir/two.data --symfs $dir/root"
run 1 layout -i "$dir/two.data" --symfs "$dir/root" counters --declared third.c
warns "layout: no type 'counters' is declared at 'third.c': remove --declared, or name a place such as queue.h:12"

begin "layout: a file without debugging information"
strip --strip-debug "$lib"
run 1 layout -i "$dir/l.data" --symfs "$dir/root" queue
warns "layout: none of the recording's files has debugging information of types: compile with -g"
run 0 layout -i "$dir/l.data" --symfs "$dir/root"
warns 'layout: no sample is in data whose type is known: compile the programs with -g'

begin "layout: a class of C++"
if command -v "${CXX:-c++}" >/dev/null; then
	build_class
	{ head_of; load box 16 11 10 9; echo 'auxtrace 0 0 11 0'; } | perf_file l.data
	layout space::box
	has '- 0 8 struct base { /* base class */'
	has ' 100.00% 1 1 0 9.0 9 CPU 0 - - 16 8 double inner;'
	for type in base 'struct base'; do
		run 1 layout -i "$dir/l.data" --symfs "$dir/root" "$type"
		warns "no type '$type' in the debugging information of 1 file (0 more have none); did you mean 'space::base'?"
	done
else
	skip 'no C++ compiler'
fi

# What layout.md shows; the loads and stores are those that it shows of sharing.
begin "layout: the example recording, as layout.md shows it"
examples=$here/../../../Documentation/examples
run 0 layout 'struct (anonymous)' "$examples/shared.data" --symfs "$examples/symfs"
awk '/^    #/ { print substr($0, 5) } /alignas\(64\) before/ { seen = 1 } seen && !NF { exit }' \
	"$examples/../perf-spe/reference/layout.md" >"$dir/shown"
[ "$(wc -l <"$dir/shown")" -ge 6 ] || fail 'layout.md shows too little'
while IFS= read -r line; do says "$line"; done <"$dir/shown"
says '# 768 samples of it: 403 loads, 365 stores'
begin "layout: a .dwo file, and one whose table of source files is damaged"
build -gsplit-dwarf
touch_all | perf_file l.data
layout queue
has '# struct queue in /usr/lib/lib.so, declared at types.h:5:'
for dwo in "${lib%/*}"/*.dwo; do
	read -r offset size < <(readelf -SW "$dwo" | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".debug_line.dwo" { print $4, $5 }')
	head -c $((0x$size)) /dev/zero | tr '\0' '\377' | dd of="$dwo" bs=1 seek=$((0x$offset)) conv=notrunc status=none
done
layout queue
has '# struct queue in /usr/lib/lib.so: '
# An instruction says how many bytes it accesses (C6.2, C7.2): LDP two elements, LDR Q one of 16 bytes.
begin "layout: an access counts for each member that its instruction reaches"
if ! find_arm; then
	skip "no compiler for AArch64"
else
	cat >"$dir/spans.c" <<'END'
#include <stdint.h>
struct pair { uint64_t a, b; };
struct box {
	union { struct pair p; uint64_t words[2]; uint32_t half[4]; uint8_t bytes[16]; } u;
} box = { .u.bytes[0] = 1 };
#define ACCESS(name, code) __asm__(".globl " #name "\n.type " #name ", %function\n" #name ": " code "\n.size " #name ", 4")
ACCESS(ldp, "ldp x1, x2, [x0]");
ACCESS(stp, "stp x1, x2, [x0]");
ACCESS(ldrq, "ldr q0, [x0]");
ACCESS(ldrx, "ldr x1, [x0]");
ACCESS(ldrw, "ldr w1, [x0]");
ACCESS(ldrb, "ldrb w1, [x0]");
ACCESS(ldrh, "ldrh w1, [x0]");
END
	CC=$arm link "$lib" spans.c
	spans_of() { # INSTRUCTION...
		{
			head_of
			for name; do echo "rec pc=$(user "$(hex "$(start "$name")")") class=1 op=0 va=$(hex "$(start box)")"; done
			echo 'auxtrace 0 -1 10 0'
		} | perf_file l.data
	}
	spans_of ldp ldrq ldrx ldrw ldrb ldrh
	run 0 export -i "$dir/l.data" --symfs "$dir/root" -f csv -F symbol,field
	all='u.p.a|u.words[]|u.half[]|u.bytes[]'
	printf '%s\n' symbol,field 'ldp,u.p.a|u.words[]' "ldrq,$all" \
		'ldrx,u.p.a|u.words[]' 'ldrw,u.half[]' 'ldrb,u.bytes[]' "ldrh,$all" >"$dir/want"
	tr -d '"\r' <"$out" | cmp -s - "$dir/want" || fail "$(diff "$dir/want" <(tr -d '"\r' <"$out"))"
	spans_of ldp ldrx ldrw
	run 0 layout box -i "$dir/l.data" --symfs "$dir/root" --csv
	# Of three: LDP and LDR X are to the first number, LDP alone to the second, LDR W to the last array.
	count_of() { tr -d '"\r' <"$out" | awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["member"] == name { print $at["count"] }'; }
	[ "$(count_of u.p.a) $(count_of u.p.b) $(count_of 'u.words[]') $(count_of 'u.half[]') $(count_of 'u.bytes[]')" = '2 1 2 1 0' ] ||
		fail "$(cat "$out")"
	# Two CPUs store both numbers of the pair.
	{
		head_of
		for cpu in 0 1; do
			for _ in {1..10}; do
				echo "rec pc=$(user "$(hex "$(start stp)")") ctx1=1$((cpu + 1)) total=9 class=1 op=1 va=$(hex "$(start box)")"
			done
			echo "auxtrace $cpu $cpu 1$((cpu + 1)) 0"
		done
	} | perf_file l.data
	layout box
	has ' 100.00% 20 0 20 9.0 9 - CPU 0-1 true 0 8 uint64_t a;'
	has ' 100.00% 20 0 20 9.0 9 - CPU 0-1 true 8 8 uint64_t b;'
fi

# clang keeps the value of next() in the memory of the variable that the next line declares.
begin "layout: code above a declaration does not access the variable"
if ! command -v clang++ >/dev/null || ! find_arm; then
	skip 'no clang++ or no linker for AArch64: install them'
else
	cat >"$dir/early.cc" <<'END'
struct box { long low, high; };
void take(const long &);
long next();
void fill(box &);
void early()
{
	take(next());
	box late;
	late.low = 5;
	fill(late);
}
END
	CC='clang++ --target=aarch64-linux-gnu' link "$lib" early.cc -O2
	stores=$("${arm%gcc*}objdump" -d "$lib" | awk '$3 == "str" && /\[sp\]/ { print $1 }' | tr -d :)
	[ "$(wc -w <<<"$stores")" = 2 ] || fail "other code: $stores"
	{
		head_of
		for at in $stores; do echo "rec pc=$(user "$(hex $((bias + 0x$at)))") ctx1=11 class=1 op=1"; done
		echo 'auxtrace 0 -1 11 0'
	} | perf_file l.data
	run 0 export -i "$dir/l.data" --symfs "$dir/root" -f csv -F type,field
	[ "$(tail -n +2 "$out" | tr -d '"\r' | paste -sd ' ')" = ', struct box,low' ] || fail "$(cat "$out")"
fi

begin "layout: an empty base class has no samples of the pointer that shares its byte"
if ! command -v g++ >/dev/null; then
	skip 'no g++: install it'
else
	cat >"$dir/empty.cc" <<'END'
struct deleter {};
template <int n, class T> struct head { T it; };
template <int n> struct head<n, deleter> : deleter {};
struct owner : head<1, deleter>, head<0, int *> { long rest; };
owner one = { {}, { nullptr }, 5 };
END
	CC=g++ link "$lib" empty.cc
	{ head_of; load one 0 11 10 9; echo 'auxtrace 0 -1 11 0'; } | perf_file l.data
	run 0 export -i "$dir/l.data" --symfs "$dir/root" -f csv -F field
	[ "$(tail -n 1 "$out" | tr -d '"\r')" = it ] || fail "$(cat "$out")"
fi

finish
