#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The columns type and field: which variable's type a data address is in.  Where members are
# comes from offsetof() of the compiler, and where variables are from nm.
# usage: types.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

cat >"$dir/types.h" <<'END'
#include <stddef.h>
#include <stdint.h>
typedef uint64_t count_t;
struct point { short x, y; };
struct queue {
	char state;
	count_t pushed, popped;
	struct point at;
	struct { int low, high; } range;
	struct point ring[3];
	union { float real; double wide; } u;
	struct queue *next;
	unsigned int busy : 3, idle : 7;
};
typedef struct { int32_t lock; int32_t owner; } guard_t;
END
cat >"$dir/lib.c" <<'END'
#include "types.h"
struct queue queue = { 1 };
static struct queue queues[4];
const struct point *const origin = &(const struct point){ 1, 2 };
guard_t guard;
int table[8] = { 1 };
volatile count_t total;
int code(int i)
{
	static struct point inner;

	queues[i].popped++;
	inner.x++;
	return table[i] + (int)total + guard.lock + origin->x;
}
END
# Says of each member where the compiler has it.
cat >"$dir/offsets.c" <<'END'
#include <stdio.h>
#include "types.h"
#define AT(type, member) printf("%s %zu\n", #member, offsetof(type, member))
int main(void)
{
	printf("size %zu\n", sizeof(struct queue));
	AT(struct queue, state); AT(struct queue, pushed); AT(struct queue, popped);
	AT(struct queue, at.y); AT(struct queue, range.high); AT(struct queue, ring[0].x);
	AT(struct queue, ring[1].y); AT(struct queue, u.real); AT(struct queue, next);
	AT(guard_t, owner);
	return 0;
}
END
${CC:-cc} -o "$dir/offsets" "$dir/offsets.c" || { echo 'FAIL types: cannot build the program of offsets'; exit 1; }
"$dir/offsets" >"$dir/at"
lib=$dir/root/usr/lib/lib.so
mkdir -p "${lib%/*}"
# build FLAG...: lib.so, and "whole" with the symbols that a stripped copy does not have
build() {
	${CC:-cc} -g -O1 -nostdlib -shared -fPIC -Wl,--build-id=sha1 "$@" -o "$dir/whole" "$dir/lib.c" 2>"$err" ||
		fail 'cannot link the test library'
	cp "$dir/whole" "$lib"
	id=$(readelf -nW "$lib" | sed -n 's/.*Build ID: //p')
}
bias=$((0x7000000000))
offset() { awk -v member="$1" '$1 == member { print $2 }' "$dir/at"; }
# load VARIABLE OFFSET: a load from there
load() {
	local start
	start=$((0x$(nm "$dir/whole" | awk -v name="$1" '$3 ~ "^" name "(\\.[0-9]+)?$" { print $1 }')))
	echo "rec pc=$(user 0x1000) class=1 op=0 va=$(hex $((bias + start + $2)))"
}
recording() {
	local off addr
	read -r off addr < <(readelf -lW "$dir/whole" | awk '$1 == "LOAD" && $7 $8 ~ /E/ { print $2, $3; exit }')
	printf 'info 4\ncomm 10 10 1 1 prog\n'
	echo "map 10 $(hex $((bias + addr / 4096 * 4096))) 0x1000 $(hex $((off / 4096 * 4096))) 2 $id /usr/lib/lib.so"
	load queue "$(offset state)"
	load queue "$(($(offset state) + 1))"
	load queue "$(offset popped)"
	load queue "$(($(offset popped) + 7))"
	load queue "$(offset at.y)"
	load queue "$(offset range.high)"
	load queue "$(offset 'ring[0].x')"
	load queue "$(offset 'ring[1].y')"
	load queue "$(offset u.real)"
	load queue "$(offset next)"
	load queues "$((2 * $(offset size) + $(offset pushed)))"
	load guard "$(offset owner)"
	load table 12
	load total 0
	load inner 2
	echo "rec pc=$(user 0x1000) class=1 op=0 va=$(hex $((bias - 4096)))"
	echo "rec pc=$(user 0x1000) class=1 op=0 va=0xffff800010000000"
	echo "rec pc=$(user 0x1000) class=2 op=0"
	echo 'auxtrace 0 -1 10 0'
}
# types: a line "TYPE,FIELD" of each sample
types() {
	run 0 export -i "$dir/t.data" --symfs "$dir/root" -f csv -F type,field
	tail -n +2 "$out" | tr -d '"\r' >"$dir/types"
}
are_types() {
	cat >"$dir/want" <<'END'
struct queue,state
struct queue,(padding)
struct queue,popped
struct queue,popped
struct queue,at.y
struct queue,range.high
struct queue,ring[].x
struct queue,ring[].y
struct queue,u.real|u.wide
struct queue,next
struct queue,pushed
guard_t,owner
int[8],
count_t,
struct point,y
,
,
,
END
	cmp -s "$dir/want" "$dir/types" || fail "$(diff "$dir/want" "$dir/types")"
}

for flags in -gdwarf-4 -gdwarf-5 '-gdwarf-5 -gsplit-dwarf'; do
	begin "types: variables of a library, $flags"
	# shellcheck disable=SC2086 # flags are words
	(cd "$dir" && build $flags)
	id=$(readelf -nW "$lib" | sed -n 's/.*Build ID: //p')
	recording | perf_file t.data
	(cd "$dir" && types)
	are_types
	silent
done

begin "types: --by type and by type,field; as a filter"
build
recording | perf_file t.data
run 0 report -i "$dir/t.data" --symfs "$dir/root" --by type --columns count,type
for row in '11 struct queue' '1 guard_t' '1 int[8]' '1 count_t' '1 struct point'; do
	tr -s ' ' <"$out" | finds -xF " $row" || fail "no row $row"
done
run 0 report -i "$dir/t.data" --symfs "$dir/root" --by type,field --columns count,type,field
tr -s ' ' <"$out" | finds -x ' 2 struct queue popped' || fail 'no row of queue.popped'
run 0 report -i "$dir/t.data" --symfs "$dir/root" --summary --filter 'type == "struct queue" and field ~ ring'
key_is records_with_pc 2

begin "types: diff --by type,field compares members"
run 0 diff --symfs "$dir/root" --by type,field "$dir/t.data" "$dir/t.data"
grep -q 'struct queue *popped' "$out" || fail 'no row of queue.popped'

begin "types: debugging information in a file of its own"
debug=$dir/root/usr/lib/debug/.build-id/${id:0:2}
mkdir -p "$debug"
objcopy --only-keep-debug "$dir/whole" "$debug/${id:2}.debug"
strip --strip-all "$lib"
types
are_types

begin "types: a library without debugging information has none"
rm -r "$debug"
types
[ "$(sort -u "$dir/types")" = , ] || fail "$(sort "$dir/types" | uniq -c)"

begin "types: a .dwo file that is missing leaves its variables without"
(cd "$dir" && build -gsplit-dwarf)
rm -f "$dir"/*.dwo
recording | perf_file t.data
types
[ "$(sort -u "$dir/types")" = , ] || fail "$(sort "$dir/types" | uniq -c)"
finish
