# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# The way from record to an optimised program, for bzip2 of Debian's archive: its source
# package, built with Debian's clang, by the guide's commands.  Profiles are of one input, and
# programs are compared with another.  Sourced by check-pgo.

bzip2_sources=(blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c bzip2.c)
# BOLT needs the relocations, and perf spe pgo -f llvm the lines.
# shellcheck disable=SC2054 # the comma is the linker's
bzip2_flags=(-fuse-ld=lld-19 -O2 -g -fdebug-info-for-profiling -D_FILE_OFFSET_BITS=64 -static -Wl,--emit-relocs)
bolt_flags=(-reorder-blocks=ext-tsp -reorder-functions=hfsort -split-functions)
taken='op == branch and not events has not-taken'

# bzip2_fetch: the source, and the two inputs: what its authors wrote, and their third sample.
bzip2_fetch() {
	bzip2_tree=$("$SPE_TOP/tools/setup/kernel/source" bzip2) &&
		cat "$bzip2_tree"/*.c "$bzip2_tree"/sample1.ref "$bzip2_tree"/sample2.ref >"$dir/train.in" &&
		cat "$bzip2_tree"/sample3.ref "$bzip2_tree"/manual.xml >"$dir/other.in"
}

# bzip2_compile PROGRAM OPTION...
bzip2_compile() {
	local program=$1
	shift
	(cd "$bzip2_tree" && clang-19 --target=aarch64-linux-gnu "${bzip2_flags[@]}" "$@" -o "$dir/$program" \
		"${bzip2_sources[@]}") >"$dir/$program.log" 2>&1 && cp "$dir/$program" "$dir/symfs/job/"
}

bzip2_bolt() {
	llvm-bolt-19 "$dir/bzip2" -data="$dir/train-bzip2.fdata" -o "$dir/bzip2-bolt" "${bolt_flags[@]}" \
		>"$dir/bzip2-bolt.log" 2>&1 && cp "$dir/bzip2-bolt" "$dir/symfs/job/"
}

# bzip2_record GUEST INPUT PROGRAM...: records each program with the input.
bzip2_record() { record "$1" spe=on "$2" "-c $2" "${@:3}"; }

# bzip2_same GUEST INPUT PROGRAM...: what they wrote in the guest is what this machine's own
# bzip2 writes.
bzip2_same() {
	local guest=$1 input=$2 name
	shift 2
	bzip2 -c "$dir/$input" >"$dir/$input.bz2" || return 1
	for name; do
		cmp "$dir/$input.bz2" "$dir/$guest/files/$name.txt" || return 1
	done
}

# bzip2_taken PROGRAM: how many samples of the guest with the other input are of taken
# branches.  All programs have the same interval.
bzip2_taken() {
	"$spe" report -i "$dir/compare/files/$1.data" --symfs "$dir/symfs" --filter "$taken" --by op --columns op,count |
		awk '$1 == "branch" { print $2 }'
}

bzip2_fewer() {
	local before after
	before=$(bzip2_taken bzip2)
	after=$(bzip2_taken "$1")
	awk -v what="$1" -v a="$after" -v b="$before" 'BEGIN {
		if (!a || !b) exit 1
		printf "    samples of taken branches: %d of bzip2, %d of %s, %.1f%% fewer\n", b, a, what, 100 - 100 * a / b; exit a >= b }'
}

# The guide's commands have the options that are used here.
bzip2_guide() {
	local guide text
	guide=$(sed -z 's/\\\n *//g' "$SPE_TOP/Documentation/perf-spe/guide.md")
	for text in "${bzip2_flags[*]}" "${bzip2_sources[*]}" "${bolt_flags[*]}" "--filter '$taken' --by op --columns op,count" \
		'record --user --period 256' 'pgo bzip2 -f llvm' 'pgo bzip2 -f fdata'; do
		grep -qF -- "$text" <<<"$guide" || {
			echo "    the guide lacks: $text"
			return 1
		}
	done
}

check_bzip2() {
	verdict 'pgo: the guide has the commands that optimise bzip2' bzip2_guide
	verdict "pgo: Debian's source package of bzip2" bzip2_fetch
	verdict "pgo: clang builds Debian's bzip2" bzip2_compile bzip2
	verdict 'pgo: a guest records bzip2' bzip2_record train train.in bzip2
	verdict "pgo: bzip2 writes what this machine's bzip2 does" bzip2_same train train.in bzip2
	verdict 'pgo: writes fdata of bzip2' profile train bzip2 fdata
	verdict 'pgo: writes a sample profile of bzip2' profile train bzip2 llvm
	verdict 'pgo: BOLT optimises bzip2' bzip2_bolt
	verdict 'pgo: clang optimises bzip2' bzip2_compile bzip2-clang "-fprofile-sample-use=$dir/train-bzip2.llvm"
	verdict 'pgo: a guest records bzip2 and the optimised programs with another input' \
		bzip2_record compare other.in bzip2 bzip2-bolt bzip2-clang
	verdict 'pgo: the optimised programs write the same' bzip2_same compare other.in bzip2 bzip2-bolt bzip2-clang
	verdict "pgo: BOLT's bzip2 takes fewer branches under the model" bzip2_fewer bzip2-bolt
	verdict "pgo: clang's bzip2 takes fewer branches under the model" bzip2_fewer bzip2-clang
}
