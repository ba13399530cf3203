# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Programs, their true counts, and their recordings, for check-pgo.  Sourced by it.

edges=$rig/lib/edges.awk

# pgo_compile PROGRAM OPTION...: clang's static program of branchy.c, as BOLT needs it, with
# the relocations.
pgo_compile() { pgo_program branchy "$@"; }

# pgo_program SOURCE PROGRAM OPTION...: the same of another source.  Old readers of DWARF know
# version 4.
pgo_program() {
	local source=$1 program=$2
	shift 2
	clang-19 --target=aarch64-linux-gnu -fuse-ld=lld-19 -O2 -g -gdwarf-4 -fdebug-info-for-profiling \
		-static -Wl,--emit-relocs "$@" -o "$dir/$program" "$SPE_TOP/selftests/programs/$source.c"
	cp "$dir/$program" "$dir/symfs/job/"
}

# one_by_one PROGRAM ROUNDS: the address of each instruction that QEMU executes, a line each
one_by_one() {
	local option
	case $("$user" --help) in
	*-one-insn-per-tb*) option=-one-insn-per-tb ;;
	*) option=-singlestep ;;
	esac
	"$user" "$option" -d exec,nochain "$dir/$1" "$2" 2>&1 | grep ^Trace
}

# true_counts PROGRAM ROUNDS: QEMU's own counts of all edges, in PROGRAM.truth.  Rounds are
# equal, so those of many rounds follow from those of one and of two.
true_counts() {
	local program=$1 round
	llvm-objdump-19 -d --no-show-raw-insn "$dir/$program" >"$dir/$program.code"
	for round in 1 2; do
		one_by_one "$program" $round |
			awk -f "$edges" -v what=count "$dir/$program.code" - >"$dir/$program.$round"
	done
	awk -f "$edges" -v what=repeat -v times="$2" "$dir/$program".[12] >"$dir/$program.truth"
}

# branches PROGRAM: how many it executed, and how many of them it took
branches() { awk -f "$edges" -v what=taken "$dir/$1.code" "$dir/$1.truth"; }

# overlap PROGRAM PROFILE: in percent
overlap() { awk -f "$edges" -v what=overlap "$dir/$1.code" "$dir/$1.truth" "$dir/$2"; }

# at_least A B: A >= B, for numbers with a point
at_least() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 >= b + 0) }' || {
		echo "    $1 is less than $2"
		return 1
	}
}

# record GUEST CPU FILE ARGUMENTS NAME...: records the programs, with these arguments, in a guest
# that has the file (or '' for none), each as NAME.data.  jobs/pgo.sh reads the file commands.
record() {
	local guest=$1 cpu=$2 file=$3 arguments=$4 name add=()
	shift 4
	[ -z "$file" ] || add=(--add "$dir/$file")
	: >"$dir/commands"
	for name; do
		echo "$name 256 ./$name $arguments" >>"$dir/commands"
		add+=(--add "$dir/$name")
	done
	"$rig/run-guest" --kernel 6.12 --smp 1 --memory 2048 --cpu "$cpu" --job "$rig/jobs/pgo.sh" \
		--add "$dir/commands" --add "$SPE_BUILD/modules/6.12/arm_spe_pmu.ko" "${add[@]}" \
		--timeout 1200 --out "$dir/$guest"
}

# profile GUEST NAME FORMAT: the profile of a recorded program, as GUEST-NAME.FORMAT
profile() {
	"$spe" pgo -i "$dir/$1/files/$2.data" --symfs "$dir/symfs" "$2" -f "$3" -o "$dir/$1-$2.$3"
}

# sampled_branches GUEST NAME: how many branches the model's program took, by its samples
sampled_branches() {
	profile "$1" "$2" bolt && awk '$1 == "B" { n += $4 } END { printf "%d\n", n }' "$dir/$1-$2.bolt"
}

# runs PROGRAM: it prints what the program without a profile prints.
runs() { [ "$("$user" "$dir/$1" 7)" = "$("$user" "$dir/branchy" 7)" ]; }

# takes_fewer PROGRAM [THAN]: by QEMU's own counts
takes_fewer() {
	local before after than=${2:-branchy}
	true_counts "$1" "$rounds"
	read -r _ before < <(branches "$than")
	read -r _ after < <(branches "$1")
	echo "    $1 takes $after branches, $than $before"
	[ "$after" -gt 0 ] && [ "$after" -lt "$before" ]
}

# sampled_fewer GUEST PROGRAM: the same by the samples of a guest
sampled_fewer() {
	local before after
	before=$(sampled_branches "$1" branchy)
	after=$(sampled_branches "$1" "$2")
	echo "    by samples $2 takes $after branches, branchy $before"
	[ "$after" -gt 0 ] && [ "$after" -lt "$before" ]
}
