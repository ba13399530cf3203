# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Draws programs with a known flaw and their healthy twins from a seed, and compiles them.  The
# sources are in selftests/programs/flaws, one for each kind of flaw.  Sourced by check-advise.

# In this order, again and again; FLAWS takes others
read -ra flaws <<<"${FLAWS:-sharing pages branches misaligned atomics strides misses sockets plain}"
# What perf spe advise calls the flaw
declare -A finding_of=([sharing]=false-sharing [pages]=tlb-walks [branches]=mispredicted
	[misaligned]=misaligned [atomics]=contended-atomics [strides]=strides
	[misses]=cache-misses [sockets]=remote [plain]=recording)
# What the twins of a flaw have by design
declare -A of_twins=([sockets]=cache-misses)
draw_state=0
# draw LOW HIGH: a random number, as $drawn
draw() {
	# Knuth's linear congruential generator
	draw_state=$((draw_state * 6364136223846793005 + 1442695040888963407))
	drawn=$(($1 + (draw_state >> 33 & 0x7fffffff) % ($2 - $1 + 1)))
}

# choose WORD...: one of the words, as $drawn
choose() {
	draw 1 $#
	drawn=${!drawn}
}

# macro NAME VALUE: for the sources
macro() {
	macros+=("-D$1=$2")
	values[$1]=$2
}
# macro_between NAME LOW HIGH [STEP], macro_of NAME WORD...: the same with a random value
macro_between() {
	draw $((($2 + ${4-1} - 1) / ${4-1})) $(($3 / ${4-1}))
	macro "$1" $((drawn * ${4-1}))
}
macro_of() {
	choose "${@:2}"
	macro "$1" "$drawn"
}

# What each kind of program can vary.  length: the operations of a round without noise; noise: the
# most pieces of noise with which the flaw still takes a tenth of the time, by the latencies of
# the model (Documentation/qemu-model.rst).
# The kernel takes far longer to end a turn than a turn takes, so these programs are shorter.
draw_threads() {
	macro_of TURN 4 8
	length=$((length + 24 / drawn))
	operations=$((operations / 16))
	period=512
}
draw_sharing() {
	length=9 noise=1
	draw_threads
	macro_between THREADS 2 4
	macro_of WORDS 1 2
}
draw_pages() {
	length=8 noise=3
	macro_between WORDS 160 400
}
draw_branches() {
	length=22 noise=1
	macro_between ITEMS 1000 6000
}
draw_misaligned() {
	length=12 noise=1
	macro_between RECORDS 60 160 4
	macro_between CROSS 1 7
}
draw_atomics() {
	length=10 noise=1
	draw_threads
	macro_between THREADS 2 4
	choose armv8-a armv8.1-a
	options+=("-march=$drawn" -mno-outline-atomics)
}
# A walk must be longer than some periods of its loads: see reference/pgo.md.  The twin of FORM 2 misses in
# the first of many passes only.
draw_strides() {
	length=8 noise=2
	macro_between RECORDS 20000 $((form == 2 ? 24000 : 60000)) 64
	if [ "$form" = 2 ]; then
		macro_of BYTES 64 128
		operations=$((operations * 4))
	else
		macro_between BYTES 64 256 16
	fi
}
# Whole pages of lines, more than the last level cache has
draw_misses() {
	length=14 noise=3
	macro_between LINES 98304 131072 64
	# So that writing the lines at first takes little of the time
	operations=$((operations * 3))
	macro_of NEAR 0 1
}
# Of the two sockets the second one has the memory: run-guest's 1024 MB begin at 1 GiB.
draw_sockets() {
	length=10 noise=3 guest=sockets
	macro_between PAGES 2000 4000
	macro FAR_CPU 0
	macro NEAR_CPU 1
}
# The program is the same; the recording misleads, with FORM 0 for want of jitter, 1 by a
# short period and its collisions, 2 by few samples.
draw_plain() {
	length=2 quietest=1 noise=8
	case $form in
	0) terms_flawed='' ;;
	1) choose 256 512 && period_flawed=$drawn guest=sockets ;;
	2) choose 65536 131072 && period_flawed=$drawn ;;
	esac
}

draw_name() {
	choose update merge find count apply read visit collect
	local verb=$drawn
	choose table queue orders users state prices nodes totals
	hot=${verb}_$drawn
}

compile() { # PROGRAM OPTION...
	"$ARM64_CC" -std=gnu11 -g -no-pie -pthread -Wall -Wextra -Werror -ffile-prefix-map="$SPE_TOP"=. \
		"${options[@]}" "${macros[@]}" "${@:2}" -o "$dir/symfs/job/$1" "$SPE_TOP/selftests/programs/flaws/$flaw.c"
}

# make_pair NUMBER: draws a pair, compiles it, and adds it to the files pairs (NAME FINDING FUNCTION
# FINDING-OF-TWIN WHAT) and commands-GUEST (PROGRAM PERIOD TERMS).
make_pair() {
	local flaw=${flaws[$1 % ${#flaws[@]}]} form macros=() options=() guest=caches length quietest=0 noise hot name
	local terms=,jitter=1 period terms_flawed=,jitter=1 period_flawed='' what
	# About 3000 samples with the longer one of the usual periods
	local operations=12000000
	local -A values=()
	form=$((($1 / ${#flaws[@]} + $1 % ${#flaws[@]} + first_form) % 3))
	name=$(printf '%02d-%s' "$1" "$flaw")
	draw_name
	choose 2048 4096 && period=$drawn
	choose -O2 -O3 && options=("$drawn")
	"draw_$flaw"
	macro HOT "$hot"
	macro FORM "$form"
	macro_between RANDOM 1 1000000
	macro_between NOISE "$quietest" "$noise"
	macro ROUNDS $((operations / (length + 7 * values[NOISE]) / ${values[THREADS]-1}))
	compile "$name-flawed" -DFLAWED
	compile "$name-healthy"
	what="${options[*]} ${macros[*]/#-D/}"
	echo "$name ${finding_of[$flaw]} $hot ${of_twins[$flaw]--} $what" >>"$dir/pairs"
	echo "$name-flawed ${period_flawed:-$period} $terms_flawed" >>"$dir/commands-$guest"
	echo "$name-healthy $period $terms" >>"$dir/commands-$guest"
}

# make_corpus SEED PAIRS
make_corpus() {
	local number first_form
	draw_state=$1
	draw 0 2 && first_form=$drawn
	mkdir -p "$dir/symfs/job"
	: >"$dir/pairs"
	for ((number = 0; number < $2; number++)); do make_pair "$number"; done
}
