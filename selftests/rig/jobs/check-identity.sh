#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC2086  # sourced from where the guest has them; options are words
#
# Stock perf records programs that log which function ran in which thread at which time
# (selftests/programs/identity.c).  For each situation there are in /out: NAME.data, the
# recording; NAME.truth; and NAME.perf, the samples that stock perf finds.  situations.txt has
# a line for each: NAME and what a reader of the file cannot know:
#
#   all      nothing is hidden
#   names    perf's ids are not those that the programs see
#   time     the records have no time, or one of another clock
#   parts    some threads, or parts of the trace, are not recorded
#   files    two files had one name

. /job/environment
. /job/check-lib.sh

module=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || module=/job/intree_arm_spe_pmu.ko
one=/job/identity-one two=/job/identity-two three=/job/identity-three
event=arm_spe/ts_enable=1/u
common="-q -N -c 1024 -m ,4M"
export IDENTITY_LOG

begin() { # NAME KNOWN
	name=$1
	IDENTITY_LOG=/out/$name.truth
	echo "$name $2" >>/out/situations.txt
}

# What stock perf makes of it, in a form that is easy to count
perf_finds() {
	perf script --itrace=i1i -i /out/$name.data -F pid,tid,comm,ip,sym >/tmp/script 2>/dev/null || return 0
	awk 'NF > 3 { count[$0]++ } END { for (line in count) print count[line], line }' /tmp/script >/out/$name.perf
}

# record NAME KNOWN OPTION... -- COMMAND...
record() {
	begin "$1" "$2"
	shift 2
	check "$name: perf record" perf record $common -e $event -o /out/$name.data "$@"
	perf_finds
}

# The situations, each once in the form that perf record has without options
programs() {
	record spin all -- $one spin
	record chain all -- $one chain $two $three $one
	record fork-exec all -- $one fork-exec $two
	record vfork-exec all -- $one vfork-exec $two
	record tree all -- $one tree
	record reuse all -- $one reuse $two
	record reuse-thread all -- $one reuse-thread $two
	record names all -- $one names
	record threads all -- $one threads
	record thread-exec all -- $one thread-exec $two
	record storm all -- $one storm $two
	record files all -- $one files
	record jit all -- $one jit
	cp /tmp/perf-*.map /out/
}

# Those where most can go wrong, in each form
forms() { # FORM OPTION...
	form=$1
	shift
	record chain-$form all "$@" -- $one chain $two $three
	record fork-exec-$form all "$@" -- $one fork-exec $two
	record reuse-$form all "$@" -- $one reuse $two
	record threads-$form all "$@" -- $one threads
}

piped() { # SITUATION ARGUMENT...
	begin "$1-pipe" all
	# shellcheck disable=SC2016  # for the inner shell
	check "$name: perf record into a pipe" sh -c 'out=$1; shift; perf record -o - "$@" | cat >$out' sh \
		/out/$name.data $common -e $event -- $one "$@"
	perf_finds
}

injected() { # SITUATION ARGUMENT...
	begin "$1-inject" all
	check "$name: perf record" perf record $common -e $event -o /tmp/in.data -- $one "$@"
	check "$name: perf inject" perf inject -b -i /tmp/in.data -o /out/$name.data
	perf_finds
}

# A container whose ids mean other threads outside, with perf outside and with perf in it
containers() {
	record container names -- $one container 25000 25001 $one fork-exec $two
	begin container-inside all
	check "$name: perf record in a container" $one container 26000 26001 \
		perf record $common -e $event -o /out/$name.data -- $one fork-exec $two
	perf_finds
	begin container-chain all
	check "$name: perf record in a container" $one container 27000 27002 \
		perf record $common -e $event -o /out/$name.data -- $one chain $two $three
	perf_finds
	begin container-all all
	check "$name: perf record of all CPUs in a container" $one container 28000 28001 \
		perf record $common -a -e $event -o /out/$name.data -- $one reuse-thread $two
	perf_finds
}

others() {
	record per-thread time --per-thread -- $one names
	record clock-mono time -k mono -- $one fork-exec $two
	record clock-raw time -k raw -- $one names
	record no-switches all --no-switch-events -- $one fork-exec $two
	record no-inherit parts --no-inherit -- $one fork-exec $two
	record one-cpu all -C 0 -- taskset 1 $one chain $two
	record snapshots parts -S -m ,128K -- $one snapshots
	begin no-time time
	check "$name: perf record" perf record $common -e arm_spe/ts_enable=0/u -o /out/$name.data -- $one fork-exec $two
	perf_finds
}

# A program that an update replaces: its new file has the old one's name.  And two mount namespaces,
# each with a file of its own there.
replaced() { # NAME OPTION...
	begin "$1" files
	shift
	# shellcheck disable=SC2016  # for the inner shell
	check "$name: perf record" perf record $common -e $event -o /out/$name.data "$@" -- sh -c '
		cp $1 /tmp/program && /tmp/program spin && cp $2 /tmp/new && mv /tmp/new /tmp/program && /tmp/program spin
		unshare -m sh -c "mount --bind $1 /tmp/program && /tmp/program spin"' sh $one $two
	perf_finds
}

check 'the module loads' insmod "$module"
echo -1 >/proc/sys/kernel/perf_event_paranoid
programs
forms all -a
forms compressed -z
forms buildid --buildid-mmap
for situation in "chain $two $three" "fork-exec $two" threads; do
	piped $situation
	injected $situation
done
containers
others
replaced replaced
replaced replaced-buildid --buildid-mmap
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
