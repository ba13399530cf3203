#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# What uses spe_sample_0: stock perf's reports and filters, perf spe record --samples, and the BPF
# programs of examples/, whose tables the host compares with the records that the model wrote.

. /job/environment
. /job/check-lib.sh

counters=/sys/bus/event_source/devices/spe_sample_0/counters

# example NAME PROGRAM OPTION...: leaves its tables, and which records they are of: the numbers of
# those that the driver had handed to perf before and after, and how many it has lost.
example() {
	name=$1 program=$2
	shift 2
	before=$(cat $counters/samples)
	# shellcheck disable=SC2016  # for the inner shell
	check "${program#/job/} runs: $name" sh -c '"$@" >"$0"' "/out/$name.txt" "$program" -n 0 "$@"
	echo "$name $before $(cat $counters/samples) $(cat $counters/samples_lost)" >>/out/order
}

# in_group GROUP: a process that is in the group from the start, and begins to work when it is told
in_group() {
	mkdir "/sys/fs/cgroup/$1"
	mkfifo "/tmp/gate-$1"
	# shellcheck disable=SC2016  # for the inner shell
	sh -c 'echo $$ >"/sys/fs/cgroup/$0/cgroup.procs"; read -r _ <"/tmp/gate-$0"; exec taskset 2 /job/hot 1200' "$1" &
	echo "$1 $!" >>/out/groups
}

examples_run() {
	example all /job/latency -c 2048 -s 0 -e batch=8 -- taskset 2 /job/hot 500
	# The names of functions come from a process that lives when a table is printed.
	# shellcheck disable=SC2016  # for the inner shell
	example user /job/latency -c 16384 -s 1 -u -- sh -c 'taskset 2 /job/hot 1000000000 & sleep 3; kill $!'
	mount -t cgroup2 none /sys/fs/cgroup
	for batch in 1 64; do
		in_group "left$batch"
		in_group "right$batch"
		# Both work on one CPU, by turns.
		example "groups$batch" /job/misses -c 256 -s 0 -u -e "load_filter=1,batch=$batch" -- \
			sh -c "echo >/tmp/gate-left$batch; echo >/tmp/gate-right$batch; while pidof hot; do sleep 0.2; done"
	done
	check 'latency says which attribute there is not' refuses /job/latency -e no_filter=1 -- true
}

# The samples of the two tools, "IP ADDRESS PHYSICAL WEIGHT" a line
same_samples() {
	perf script -F ip,addr,phys_addr,weight,data_src -i /out/mem.data >/out/script.txt 2>/dev/null || return 1
	head -n 3 /out/script.txt
	/job/perf-spe export -f csv -F pc,va,pa,total -i /out/mem.data | tail -n +2 | tr -d '"\r' >/out/export.csv
	# perf script prints: address, data_src and its words, weight, instruction, physical address.
	# An address of 0 means that there is none.
	awk 'function hex(text) { return text ~ /^0+$/ ? "" : "0x" text }
		{ print hex($(NF - 1)), hex($1), hex($NF), $(NF - 2) }' \
		/out/script.txt | sort >/tmp/theirs
	tr , ' ' </out/export.csv | sort >/tmp/ours
	wc -l /tmp/ours
	[ -s /tmp/ours ] && cmp /tmp/theirs /tmp/ours
}

# The first functions of a report that stock perf prints
names_functions() { # COMMAND...
	"$@" >/tmp/said 2>/tmp/said.err || {
		cat /tmp/said.err
		return 1
	}
	grep -v '^#' /tmp/said | head -n 12
	[ "$(grep -v '^#' /tmp/said | grep -E '%' | head -n 3 | grep -cE 'add_left|add_right|walk')" -ge 2 ]
}

# One line, which both functions use
names_shared_line() {
	# For lines of source perf would start addr2line.
	perf c2c report -i /out/mem.data --stdio -NN -c tid,iaddr --no-source >/out/c2c.txt 2>/tmp/said.err || {
		cat /tmp/said.err
		return 1
	}
	grep -A 12 'Distribution Pareto' /out/c2c.txt
	awk '/Distribution Pareto/ { on = 1 } on && / add_(left|right) / { print } on && /^ +1 / { exit }' /out/c2c.txt |
		awk '{ of[/add_left/] = 1 } END { exit !(of[0] && of[1]) }'
}

# A table that names the hot function, before q ends the program; a busy host may take a minute to the first.
top_names_hot() {
	/job/hot 1000000000 &
	hot=$!
	# shellcheck disable=SC2094 # what perf writes is what the loop waits for
	{
		left=60
		until grep -q hot_loop /out/top.txt || [ $((left -= 1)) = 0 ]; do sleep 2; done
		echo q
	} | perf top --stdio -d 2 -c 65536 -e spe_sample_0//u >/out/top.txt 2>&1
	kill $hot
	tail -n 30 /out/top.txt
	grep hot_loop /out/top.txt
}

# Filters by BPF take a perf with BPF skeletons, which Debian's is not.
filter_by_weight() {
	perf record -q -N -d -W -c 1024 -e spe_sample_0//u --filter 'weight > 100' -o /tmp/filter.data -- /job/shared 20000
	perf script -F weight -i /tmp/filter.data >/tmp/said && awk '$1 <= 100 { bad++ } END { exit !NR || bad }' /tmp/said
}

perf_uses_samples() {
	check 'perf record of loads and stores' perf record -q -N -d -W --phys-data --sample-cpu -c 1024 \
		-e spe_sample_0/load_filter=1,store_filter=1/u -o /out/mem.data -- /job/shared 100000
	check 'perf script prints the fields that perf spe export prints' same_samples
	check 'perf report names the functions' names_functions perf report --stdio --sort symbol -i /out/mem.data
	check 'perf mem report names the functions' names_functions perf mem report -i /out/mem.data --stdio --sort symbol,mem
	check 'perf c2c report names the line of both threads' names_shared_line
	# perf script does not print the address of a PMU's sample that comes through a pipe.
	check 'perf report reads a recording through a pipe' \
		sh -c 'perf record -q -o - -c 4096 -e spe_sample_0//u -- sh -c "/job/hot 2000 >/dev/null" | perf report --stdio -i - 2>/dev/null | grep hot_loop'
	check 'perf top names the hot function' top_names_hot
	if perf version --build-options 2>&1 | grep -E '^ *bpf_skeletons: \[ on'; then
		check 'perf record --filter keeps the samples with a weight' filter_by_weight
	else
		check 'perf record --filter needs another build of perf' refuses filter_by_weight
	fi
}

# spe_says AWK VERB OPTION...: runs perf-spe on the recording
spe_says() {
	program="$1" verb="$2"
	shift 2
	/job/perf-spe "$verb" -i /out/samples.data "$@" >/tmp/said || return 1
	cat /tmp/said
	awk "$program" /tmp/said
}

# A live table that names the hot function
spe_top_names_hot() { # OPTION...
	taskset 2 /job/hot 1000000000 &
	hot=$!
	/job/perf-spe top --user --iterations 1 --interval 4 --period 16384 "$@" >/tmp/said 2>/tmp/said.err
	kill $hot
	head -n 8 /tmp/said
	cat /tmp/said.err
	grep -q hot_loop /tmp/said
}

# perf has the SPE PMU for a task that sleeps, so it refuses an event of all tasks.
spe_top_beside_perf() {
	sleep 600 &
	idle=$!
	perf record -q -N -c 65536 -e arm_spe_0//u -o /tmp/busy.data -p $idle &
	perf=$!
	# shellcheck disable=SC2010  # names of links
	while kill -0 $perf && ! ls -l /proc/$perf/fd | grep -q perf_event; do sleep 0.5; done
	spe_top_names_hot -C 1
	rc=$?
	kill $idle
	wait $perf
	[ $rc -eq 0 ] && grep -q 'arm_spe_0 is busy, so samples come from spe_sample_0' /tmp/said.err
}

# shellcheck disable=SC2016  # $ is awk's
spe_uses_samples() {
	check 'perf spe record --samples' /job/perf-spe record --samples --loads --stores --user --period 1024 \
		--perf -N -o /out/samples.data -- /job/shared 100000
	check 'perf evlist: its event is of spe_sample_0' sh -c 'perf evlist -i /out/samples.data | grep ^spe_sample_0/'
	check 'perf spe report: the three functions come first' spe_says \
		'/^ / && n < 3 { n++; good += $NF ~ /^(add_left|add_right|walk)$/ } END { exit good != 3 }' \
		report --columns cost,symbol
	check 'perf spe top --samples names the hot function' spe_top_names_hot --samples -C 1
	check 'perf spe top does it while another profiler has the SPE PMU' spe_top_beside_perf
	check 'perf spe sharing: first the line of both threads, no byte shared' spe_says \
		'/ line 0x/ && !n++ { good = /2 sharers/ && /false sharing\?/ } END { exit !good }' sharing
}

check 'the module loads' insmod /job/arm_spe_pmu.ko
budget 0
echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
examples_run
perf_uses_samples
spe_uses_samples
check 'the module unloads' rmmod arm_spe_pmu
check 'latency says that there is no PMU' refuses /job/latency -- true
check 'the kernel log has no complaint' dmesg_is_clean
