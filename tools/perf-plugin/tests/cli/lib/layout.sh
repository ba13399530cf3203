# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # cli.sh has set it
#
# A library of known structures, for layout.sh; source cli.sh first.

cat >"$dir/types.h" <<'END'
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
struct point { short x, y; };
typedef struct queue {
	char state;
	uint64_t pushed, popped;
	struct point at;
	struct { int low, high; } range;
	struct point ring[3];
	union { float real; double wide; } u;
	struct queue *next;
	void (*call)(int);
	char name[30];
} queue_t;
struct flags { short first; unsigned int busy : 3, idle : 7; char last; long more; unsigned short end : 5; };
typedef struct { int32_t lock; int32_t owner; } guard_t;
struct nest { char c; struct { struct { int a; union { char b; long d; }; } in; char e; } out; struct point p[20]; int f; };
struct nest_padded { char c; struct { struct { int a; union { char b; long d; }; } in; alignas(64) char e; } out; struct point p[20]; int f; };
struct tail { int count; char rest[]; };
struct __attribute__((packed)) packed { char c; int i; short s; };
struct counters { int64_t left, right; };
struct spread { int64_t left; alignas(64) int64_t right; };
struct mixed { char c; int a; short s; char b; double d; struct point p; int e[5]; };
struct mixed_padded { char c; int a; short s; alignas(64) char b; double d; struct point p; int e[5]; };
struct cell { long value; };
struct slots { char c; int hits[4]; };
struct slots_padded { char c; struct { alignas(64) int i; } hits[4]; };
typedef struct { int64_t inner; } edge_t;
struct roomy { long a, b; char cold[72]; };
struct never { long one; };
END
cat >"$dir/lib.c" <<'END'
#include "types.h"
#define LINE alignas(64)
LINE queue_t queue;
LINE struct flags flags;
LINE guard_t guard_t_;
LINE struct nest nest;
LINE struct tail tail;
LINE struct packed packed;
LINE struct counters counters;
LINE struct spread spread;
LINE struct mixed mixed;
LINE struct cell cells[8];
LINE struct slots slots;
/* Beside each other, in whichever order the compiler writes these three */
#define PAIR __attribute__((section("pair")))
PAIR LINE char room[64] = { 1 };
PAIR edge_t edge = { 1 };
PAIR int64_t beside = 1;
LINE struct roomy roomy;
struct never *never;
int code(int i) { return (int)queue.pushed + i; }
END
# With a type: its members and their offsets; with "size" or a member before it a number.
cat >"$dir/offsets.c" <<'END'
#include <stdio.h>
#include <string.h>
#include "types.h"
#define OF(type, name, member) { #name, #member, offsetof(type, member) },
#define SIZE(type, name) { #name, "size", sizeof(type) },
static const struct { const char *type, *member; size_t at; } all[] = {
	OF(queue_t, queue, state) OF(queue_t, queue, pushed) OF(queue_t, queue, popped)
	OF(queue_t, queue, at) OF(queue_t, queue, at.x) OF(queue_t, queue, at.y)
	OF(queue_t, queue, range) OF(queue_t, queue, range.low) OF(queue_t, queue, range.high)
	OF(queue_t, queue, ring) OF(queue_t, queue, u) OF(queue_t, queue, u.real) OF(queue_t, queue, u.wide)
	OF(queue_t, queue, next) OF(queue_t, queue, call) OF(queue_t, queue, name) SIZE(queue_t, queue)
	OF(struct flags, flags, first) OF(struct flags, flags, last) OF(struct flags, flags, more)
	SIZE(struct flags, flags) { "flags", "bits", 2 },
	OF(guard_t, guard_t, lock) OF(guard_t, guard_t, owner) SIZE(guard_t, guard_t)
	OF(struct nest, nest, c) OF(struct nest, nest, out) OF(struct nest, nest, out.in)
	OF(struct nest, nest, out.in.a) OF(struct nest, nest, out.in.b) OF(struct nest, nest, out.in.d)
	OF(struct nest, nest, out.e) OF(struct nest, nest, p) OF(struct nest, nest, f) SIZE(struct nest, nest)
	OF(struct nest_padded, nest_padded, out.e) SIZE(struct nest_padded, nest_padded)
	OF(struct tail, tail, count) OF(struct tail, tail, rest) SIZE(struct tail, tail)
	OF(struct packed, packed, c) OF(struct packed, packed, i) OF(struct packed, packed, s)
	SIZE(struct packed, packed)
	OF(struct counters, counters, left) OF(struct counters, counters, right)
	OF(struct spread, spread, left) OF(struct spread, spread, right) SIZE(struct spread, spread)
	OF(struct mixed, mixed, a) OF(struct mixed, mixed, b) SIZE(struct mixed, mixed)
	OF(struct mixed_padded, mixed_padded, b) SIZE(struct mixed_padded, mixed_padded)
	SIZE(struct cell, cell) OF(struct slots, slots, hits) SIZE(struct slots, slots)
	SIZE(struct slots_padded, slots_padded) OF(struct roomy, roomy, a) OF(struct roomy, roomy, b)
};
int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(all[i].type, argv[1]))
			continue;
		if (argc > 2 && !strcmp(all[i].member, argv[2]))
			printf("%zu\n", all[i].at);
		else if (argc == 2 && strcmp(all[i].member, "size") && strcmp(all[i].member, "bits"))
			printf("%s %zu\n", all[i].member, all[i].at);
	}
	return 0;
}
END
lib=$dir/root/usr/lib/lib.so
mkdir -p "${lib%/*}"
bias=$((0x7000000000))
declare -A symbols # by "FILE NAME", the address as nm prints it
# link FILE SOURCE FLAG...: a library, and FILE.whole with its symbols
link() {
	local address name
	(cd "$dir" && ${CC:-cc} -g -O1 -nostdlib -shared -fPIC -Wl,--build-id=sha1 -o "$1" "${@:2}") 2>"$err" ||
		fail 'cannot link the test library'
	cp "$1" "$1.whole"
	while read -r address _ name; do symbols["$1 $name"]=$address; done < <(nm --defined-only "$1.whole")
}
id_of() { readelf -nW "$1" | sed -n 's/.*Build ID: //p'; }
build() {
	(cd "$dir" && ${CC:-cc} -o offsets offsets.c) || fail 'cannot build the program of offsets'
	link "$lib" lib.c "$@"
}
build_other() {
	echo 'struct counters { int only; } __attribute__((aligned(64))) other;
	struct counters others[2];' | sed 's/ __attribute__.*other;/; __attribute__((aligned(64))) struct counters other;/' >"$dir/other.c"
	link "$dir/root/usr/lib/other.so" other.c
}
build_class() {
	cat >"$dir/box.cc" <<'END'
namespace space {
struct base { long low; };
class box : public base { public: int tag; double inner; static int none; };
}
__attribute__((aligned(64))) space::box box;
template <class T> struct maker { T made; };
maker<space::base> a;
maker<maker<space::base>> b;
END
	CC=${CXX:-c++} link "$lib" box.cc
}
value() { "$dir/offsets" "$2" "$1"; }
at() { "$dir/offsets" "$1" "$2"; }
# start VARIABLE: its run-time address
start() { echo $((bias + 0x${symbols["${2:-$lib} $1"]})); }
map_of() { # map_of FILE NAME BIAS
	local off addr
	read -r off addr < <(readelf -lW "$1" | awk '$1 == "LOAD" && $7 $8 ~ /E/ { print $2, $3; exit }')
	echo "map 10 $(hex $(($3 + addr / 4096 * 4096))) 0x1000 $(hex $((off / 4096 * 4096))) 2 $(id_of "$1") $2"
}
head_of() {
	printf 'info 4\ncomm 10 10 1 1 prog\ncomm 10 11 1 0 prog\ncomm 10 12 1 0 prog\n'
	map_of "$lib" /usr/lib/lib.so "$bias"
}
# load VARIABLE OFFSET THREAD PROCESS CYCLES
load() { echo "rec pc=$(user 0x1000) ctx1=$3 total=$5 class=1 op=0 va=$(hex $(($(start "$1") + $2)))"; }
store() { echo "rec pc=$(user 0x1000) ctx1=$3 total=$5 class=1 op=1 va=$(hex $(($(start "$1") + $2)))"; }
# touch_all: two loads of each of seven types
touch_all() {
	local type
	head_of
	for type in queue flags guard_t_ nest tail packed counters; do
		load "$type" 0 11 10 9
		load "$type" 0 11 10 9
	done
	echo 'auxtrace 0 0 11 0'
}
# apart FIRST SECOND VARIABLE [SAMPLES [CPU CPU [store|load]]]: each thread accesses one of two offsets
apart() {
	local first second
	head_of
	first=$("${7:-store}" "$3" "$1" 11 10 9)
	second=$("${7:-store}" "$3" "$2" 12 10 9)
	for ((i = 0; i < ${4:-10}; i++)); do echo "$first"; done
	echo "auxtrace 0 ${5:-0} 11 0"
	for ((i = 0; i < ${4:-10}; i++)); do echo "$second"; done
	echo "auxtrace 1 $((${5:-0} == ${6:-1} ? 0 : 1)) 12 0"
}
two_files() {
	local other=$dir/root/usr/lib/other.so at
	at=$((0x7100000000))
	head_of
	map_of "$other" /usr/lib/other.so "$at"
	load counters 0 11 10 9
	echo "rec pc=$(user 0x1000) ctx1=11 total=9 class=1 op=0 va=$(hex $((at - bias + $(start other "$other"))))"
	echo 'auxtrace 0 0 11 0'
}
# layout ARGUMENTS...: of the recording l.data
layout() { run 0 layout -i "$dir/l.data" --symfs "$dir/root" "$@"; }
# Of members that are no bit-fields: path and offset.  The CSV has no comma in fields 1 and 2.
members() {
	tail -n +2 "$out" | tr -d '\r' | grep -E '^"[^"]+","(member|struct|union)"' |
		sed -E 's/^"([^"]*)","[a-z-]*",[0-9]+,"[^"]*",([0-9]+),.*/\1 \2/; s/\[\]//'
}
# ends SIZE: the last byte of a row is the last one of the type, and no row lies behind it
ends() {
	local end
	end=$(tail -n +2 "$out" | sed -E 's/^("[^"]*")?,"[a-z-]*",[0-9]+,"[^"]*",([0-9]+),([0-9]+),([0-9]+),.*/\2 \3 \4/' |
		awk '{ end = $1 * 8 + $2 + $3; if (end > most) most = end } END { print most / 8 }')
	[ "$end" = "$1" ] || fail "rows end at $end, not at $1"
}
# row_is MEMBER TEXT: the row in CSV has this behind its cache line
row_is() { grep -E "^${1:+\"$1\"}," "$out" | finds -F -- ",$2" || fail "$1 is $(grep -E "^${1:+\"$1\"}," "$out")"; }
has() { tr -s ' ' <"$out" | finds -F -- "$1" || fail "no '$1'"; }
no_advice() { ! grep -qE '^# (false sharing|padding that)|alignas' "$out" || fail 'advice'; }
# The gaps and the begins of cache lines are those of pahole, each once: pahole 1.24 repeats
# anonymous unions in clang's DWARF.
by_pahole() {
	local ours theirs
	theirs=$(sed -nE 's/.*XXX ([0-9]+) (bytes?|bits?) hole.*/hole \1 \2/p; s/.*bit_padding: ([0-9]+) bits.*/hole \1 bits/p;
		s/.*XXX last struct has ([0-9]+) bytes? of padding.*/padding \1/p; s/.*[^_s]padding: ([0-9]+) .*/padding \1/p; s/.*cacheline ([0-9]+) boundary \(([0-9]+) bytes\)( was ([0-9]+) bytes ago)?.*/line \1 \2 \4/p' "$dir/pahole" | sed 's/bytes$/byte/; s/bits$/bit/' | sort -u)
	ours=$(sed -nE 's|.*   /\* hole: ([0-9]+) (byte\|bit)s? \*/|hole \1 \2|p; s|.*   /\* padding: ([0-9]+) bits? \*/|hole \1 bit|p;
		s|.*   /\* padding: ([0-9]+) bytes? \*/|padding \1|p; s|.*cache line ([0-9]+) \(([0-9]+) bytes\)( was ([0-9]+) bytes? ago)?.*|line \1 \2 \4|p' "$out" | sort -u)
	[ "$ours" = "$theirs" ] || fail "$(diff <(echo "$ours") <(echo "$theirs"); cat "$dir/pahole")"
}
