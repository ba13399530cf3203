#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe stat: each of its tables.
# usage: stat.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

{
	echo 'midrs 2 0x413fd0c1 0x413fd0c1'
	echo 'comm 10 10 1 1 first'
	echo 'comm 20 20 1 1 second'
	echo 'conv 0 1 0'
	for total in $(seq 1 100); do
		echo "rec ctx1=10 total=$total class=1 op=0 source=14 events=0xe ts=$((total * 10000000))"
	done
	echo 'rec ctx1=10 total=4095 issue=0 class=1 op=1 source=14 events=0x2'
	echo 'auxtrace 0 0 10 0'
	echo 'rec ctx1=20 class=2 op=1 events=0x80'
	echo 'rec ctx1=20 class=1 op=0 source=63'
	echo 'rec'
	echo 'byte 22 20 48'
	echo 'auxtrace 1 1 20 0'
	echo 'aux 9'
	echo 'lost 3'
} | perf_file s.data

begin "stat: losses that perf record stored twice count once, if their times tell"
{
	echo 'info 4'
	echo 'rec'
	echo 'auxtrace 0 0 10 0'
	for cpu in 0 1; do
		echo "aux 9 $cpu 1000"
		echo "lost 3 $cpu 1000"
		echo 'twice 2'
	done
	echo 'aux 9 0 2000'
	echo 'lost 5'
	echo 'twice 1'
} | perf_file twice.data
run 0 stat -i "$dir/twice.data"
says '# AUX data: 3 times truncated, 0 partial, 3 with collisions'
says '# lost: 16 perf records'

# table TITLE ROW...: the table has exactly these rows; blanks are squeezed
table() {
	local title=$1
	shift
	printf '%s\n' "$@" >"$dir/want"
	awk -v title="# $title" '/^$/ { in_it = 0 } $0 == title { in_it = 1 } in_it && !/^#/' "$out" |
		tr -s ' ' | sed 's/^ //; s/ $//' >"$dir/got"
	cmp -s "$dir/want" "$dir/got" || fail "$title: $(diff "$dir/want" "$dir/got")"
}

begin "stat: what was recorded, and what was not"
run 1 stat -i "$dir/s.data"
warns 'damaged bytes'
says '# 104 samples, '
says ' bytes of SPE data, one in 1025 operations'
says '# AUX data: 1 time truncated, 0 partial, 1 with collisions'
says '# lost: 3 perf records'
says '# damaged: 3 bytes in 1 place'

begin "stat: operations, events and data sources"
table 'operations and their total latency' '101 97.12% 50.5 50 99 load GP-REG' \
	'1 0.96% - - - branch BRANCH' '1 0.96% - - - other OTHER' '1 0.96% 4095.0 4095 4095 store GP-REG'
table 'events, in 102 samples' '101 99.02% 90.5 retired' '100 98.04% 50.5 l1d-access' \
	'100 98.04% 50.5 l1d-refill' '1 0.98% - mispredicted'
table 'data sources of loads and their total latency' \
	'100 99.01% 50.5 50 99 14 dram' '1 0.99% - - - 63 -'

begin "stat: latencies"
table 'latency, in cycles' "101 90.5 51 91 100 4095 4095 total (1 at the counter's maximum)" \
	'1 0.0 0 0 0 0 0 issue'
table 'histogram of the total latency, in cycles' '0 0.00% 0-0' '1 0.99% 1-1 ##' '2 1.98% 2-3 ###' '4 3.96% 4-7 #####' \
	'8 7.92% 8-15 #########' '16 15.84% 16-31 ##################' \
	'32 31.68% 32-63 ###################################' \
	'37 36.63% 64-127 ########################################' \
	'0 0.00% 128-255' '0 0.00% 256-511' '0 0.00% 512-1023' '0 0.00% 1024-2047' '1 0.99% 2048-4095 ##'

begin "stat: tasks and CPUs"
table 'tasks and their total latency' '101 97.12% 90.5 51 100 10 first' '3 2.88% - - - 20 second'
table 'CPUs' '101 97.12% 0.990 101 CPU 0' '3 2.88% - - CPU 1'

# As in report --by pid,comm, shares are of all samples.
begin "stat: samples of unknown processes"
{ printf '%s\n' 'info 4' 'comm 10 10 1 1 first'; printf 'rec ctx1=10 total=%s\n' 5 5 5; echo 'rec total=7'; echo 'auxtrace 0 0 -1 0'; } |
	perf_file unknown.data
run 0 stat "$dir/unknown.data"
table 'tasks and their total latency' '3 75.00% 5.0 5 5 10 first' '1 25.00% 7.0 7 7 - -'
run 0 stat "$dir/unknown.data" --json --ci
json '[(t["pid"], t["count"], t["share_percent"]) for t in d["tasks"]] == [(10, 3, 75), (None, 1, 25)]'
run 0 stat "$dir/unknown.data" --filter 'total == 7'
! grep -q '^# tasks' "$out" || fail 'a table of nothing'

begin "stat: filtered, and bare bytes"
run 1 stat -i "$dir/s.data" --filter 'op == store'
says '# 1 sample of 104'
printf 'rec total=5 class=2 op=0' | raw_file s.spe
run 0 stat --raw "$dir/s.spe"
silent
table 'CPUs' '1 100.00% - - (buffer of a thread)'

begin "stat: a latency of 0 is one"
printf 'rec total=0' | raw_file z.spe
run 0 stat --raw "$dir/z.spe"
table 'histogram of the total latency, in cycles' '1 100.00% 0-0 ########################################'

begin "stat: a record that the end of the data cuts"
printf 'rec total=1\nrec total=1' | raw_file two.spe
head -c -2 "$dir/two.spe" >"$dir/cut.spe"
run 1 stat --raw "$dir/cut.spe"
says '# 1 sample,'
says '# incomplete: 1 record'

begin "stat: a short period, of which the CPU makes a longer interval"
{
	printf '%s\n' 'info 4' 'pmus 8 arm_spe_0' 'attr 8 10 0 0x200010000 0 0 0 0' 'owner 0'
	printf '%s\n' 'rec total=5 class=1 op=0' 'auxtrace 0 0 -1 0'
} | perf_file short.data
run 0 stat -i "$dir/short.data"
says ' bytes of SPE data, one in 257 to 384 operations'
run 0 report -i "$dir/short.data" --html "$dir/short.html"
grep -qF '<p>Requested: one sample in 257 to 384 operations (period 10), arm_spe_0' "$dir/short.html" ||
	fail "the page: $(grep -o '<p>Requested[^<]*' "$dir/short.html")"
run 0 mem -i "$dir/short.data" --html "$dir/short.html"
grep -qF ', one sample in 257 to 384 operations (period 10)</td>' "$dir/short.html" || fail 'the page of mem'

begin "stat: several PMUs, each with its own period, filters and losses"
several() {
	echo "$1"
	echo 'pmus 8 arm_spe_0 9 arm_spe_1 10 arm_spe_2 4 cpu'
	echo 'names 5 spe little big insts clock'
	# PMUs with jitter and loads; with stores, events, latency and sources; with -F
	echo 'attr 8 1000 0 0x200010000 0 0 0 0'
	echo 'attr 9 4096 0 0x400000000 0x8 20 0x20 0xffffffffffffbfff'
	echo 'attr 10 2000 1 1 0 0 0 0'
	echo 'attr 0 100000 0 1 0 0 0 0'
	echo 'attr 1 4000 1 9 0 0 0 0'
	for cpu in 0 1 2; do
		echo "owner $cpu"
		[ -n "$2" ] && echo "aux $((cpu == 1 ? 13 : 0)) $cpu"
		for _ in $(seq 1 $((cpu * 2 + 2))); do echo 'rec total=5 class=1 op=0'; done
		echo "auxtrace $cpu $cpu -1 0"
	done
	echo 'owner 1'
	echo 'lost 7'
	echo 'owner 3'
	echo 'sample 100000'
	echo 'sample 20000'
	echo 'owner 4'
	echo 'sample 5'
}
for form in perf pipe; do
	several 'info 4' aux | "$fixture" $form "$dir/p.data"
	run 0 stat -i "$dir/p.data"
	silent
	says '# 12 samples, 72 bytes of SPE data'
	table 'PMUs: what perf requested, and how often AUX data is incomplete' \
		'2 16.67% 1000 769-896 0 0 0 0 arm_spe_0 jitter load_filter' \
		'4 33.33% 4096 4097 1 1 1 7 arm_spe_1 store_filter event_filter=0x8 inv_event_filter=0x20 min_latency=20 inv_data_src_filter=0xffffffffffffbfff' \
		'6 50.00% 2000/s varies 0 0 0 0 arm_spe_2 ts_enable'
	table 'other events: what they counted, and how much per SPE sample' \
		'2 120000 10000.0 insts'
done

begin "stat: PMUs of CPUs that had no AUX event, by the recording's metadata"
several 'pmus-of-cpus 3 8 9 10' '' | perf_file p.data
run 0 stat -i "$dir/p.data"
table 'PMUs: what perf requested, and how often AUX data is incomplete' \
	'2 16.67% 1000 769-896 0 0 0 0 arm_spe_0 jitter load_filter' \
	'4 33.33% 4096 4097 0 0 0 7 arm_spe_1 store_filter event_filter=0x8 inv_event_filter=0x20 min_latency=20 inv_data_src_filter=0xffffffffffffbfff' \
	'6 50.00% 2000/s varies 0 0 0 0 arm_spe_2 ts_enable'

begin "stat: samples whose PMU nothing tells are nobody's"
several 'info 4' '' | perf_file p.data
run 0 stat -i "$dir/p.data"
says '        12 100.00%  in a buffer whose PMU the file does not name'

begin "stat: periods that the interval register cannot hold"
# One operation more than the register's number (D17.3.4.1)
for asked in '1 257' '255 257' '256 257' '513 513'; do
	{
		echo 'info 4'
		echo "attr 8 ${asked% *} 0 0 0 0 0 0"
		echo 'rec total=5'
		echo 'auxtrace 0 0 -1 0'
	} | perf_file p.data
	run 0 stat -i "$dir/p.data"
	table 'PMUs: what perf requested, and how often AUX data is incomplete' "1 100.00% $asked 0 0 0 0 PMU 8"
done

begin "stat: limit, and wrong usage"
run 1 stat -i "$dir/s.data" --limit 1
says '# 3 more rows'
run 2 stat --limit 0
warns 'needs a positive whole number'
run 2 stat --nothing
run 2 stat more
run 0 stat --help

# perf writes no more of a CPU after its hotplug thread has taken it offline (kernel/events/core.c,
# perf_event_exit_cpu()), so the thread's turn is the CPU's last one.
offline() { # LINE...: the context switches of two CPUs
	{
		echo 'info 4'
		echo 'comm 19 19 0 0 cpuhp/1'
		echo 'comm 10 10 0 0 first'
		printf '%s\n' "$@"
		echo rec
		echo 'auxtrace 0 0 -1 0'
	} | perf_file offline.data
}
said='# CPU 1 went offline: no samples of it after'

begin "stat: a CPU that went offline, and since when"
offline 'wide 0 10 10 0 1000000000 0 0' 'wide 0 10 10 1 1500000000 0 0' 'wide 0 19 19 1 2000000000 10 10' \
	'wide 0 10 10 0 3250000000 0 0'
run 0 stat -i "$dir/offline.data"
says "$said 2.000000, in the last 1.250000 seconds of the recording"
run 0 report -i "$dir/offline.data"
says "$said 2.000000, in the last"
# The switch out of another task to the thread says the same.
offline 'wide 1 10 10 1 2000000000 19 19' 'wide 0 10 10 0 3250000000 0 0'
run 0 stat -i "$dir/offline.data"
says "$said 2.000000, in the last 1.250000 seconds of the recording"

begin "stat: a recording of this CPU alone has no time after it"
offline 'wide 0 19 19 1 2000000000 10 10'
run 0 stat -i "$dir/offline.data"
says "$said 2.000000"
grep -q 'in the last' "$out" && fail 'a time that nothing tells'

begin "stat: CPUs that stayed online"
offline 'wide 0 19 19 1 2000000000 10 10' 'wide 1 19 19 1 2000100000 10 10' 'wide 0 10 10 0 3250000000 0 0' \
	'wide 0 19 19 0 3300000000 10 10'
run 0 stat -i "$dir/offline.data"
grep -q 'went offline' "$out" && fail "a CPU that other tasks ran on, or another CPU's thread"

# The machine below $dir/machine, as in sysfs
m=$dir/machine
pmu=$m/sys/bus/event_source/devices/arm_spe_0
module=$m/sys/module/arm_spe_pmu
file() { # PATH TEXT
	mkdir -p "${1%/*}"
	printf '%s\n' "$2" >"$1"
}

begin "stat --driver: no driver, the one of Linux's tree, an older one"
mkdir -p "$m/sys/bus/event_source/devices/breakpoint"
run 1 stat --driver --root "$m"
warns 'no SPE driver is loaded'
warns 'perf spe doctor'
run 1 stat --driver --root "$dir/nothing"
warns 'no SPE driver is loaded'
file "$pmu/cpumask" 0-1
run 1 stat --driver --root "$m"
warns "arm_spe_0 has no counters: the driver of Linux's own tree is loaded"
file "$module/version" 1.0.0
run 1 stat --driver --root "$m"
warns 'arm_spe_0 has no counters: the loaded arm_spe_pmu is older'
# Kbuild names the module arm_spe where Linux's driver is built in; 7.3 has a folder for that
# driver too, without a version.
mkdir -p "$dir/taken/sys/module"
cp -r "$m/sys/bus" "$dir/taken/sys/"
file "$dir/taken/sys/module/arm_spe_pmu/uevent" ''
file "$dir/taken/sys/module/arm_spe/version" 1.0.0
run 1 stat --driver --root "$dir/taken"
warns 'arm_spe_0 has no counters: the loaded arm_spe is older'
file "$dir/taken/sys/bus/event_source/devices/arm_spe_0/counters/sessions" 7
file "$dir/taken/sys/module/arm_spe/parameters/cpu_time_max_percent" 40
run 0 stat --driver --root "$dir/taken"
says "interrupts may take 40% of a CPU's time"

begin "stat --driver: the counters, in the order of the guide, and the limit"
file "$module/parameters/cpu_time_max_percent" 25
file "$pmu/counters/event_stage2" 3
file "$pmu/counters/truncated" 18446744073709551615
file "$pmu/counters/sessions" 7
file "$pmu/counters/a_later_one" 11
run 0 stat --driver --root "$m"
silent
says "interrupts may take 25% of a CPU's time"
printf '%s\n' '7 sessions: times that sampling started' \
	'18446744073709551615 truncated: times that sampling stopped early' '11 a_later_one' \
	'3 event_stage2: events of the buffer of this kind' >"$dir/want"
grep -v '^#' "$out" | grep . | tr -s ' ' | sed 's/^ //' >"$dir/got"
cmp -s "$dir/want" "$dir/got" || fail "$(diff "$dir/want" "$dir/got")"
file "$module/parameters/cpu_time_max_percent" 0
run 0 stat --driver --root "$m"
says 'no limit'

# A folder in place of the file cannot be read, also by root.
begin "stat --driver: a counter that this user may not read"
mkdir "$pmu/counters/bytes"
run 0 stat --driver --root "$m"
says 'only root may read'
grep -qE '^ +-  bytes: ' "$out" || fail 'bytes is not shown as -'

begin "stat --driver --json: the counters as one object, which Python reads"
run 0 stat --driver --json --root "$m"
silent
python3 -c 'import json, sys
of = json.load(open(sys.argv[1]))
assert of["format"] == 1 and of["cpu_time_max_percent"] == 0, of
counters = of["pmus"]["arm_spe_0"]
assert counters["sessions"] == 7 and counters["truncated"] == 18446744073709551615, counters
assert counters["bytes"] is None and counters["a_later_one"] == 11, counters' "$out" 2>"$err" || fail 'not these values'

begin "the example for node_exporter writes the counters that this user may read"
rmdir "$pmu/counters/bytes"
"$here/../../../Documentation/examples/monitoring/arm-spe-textfile" "$dir/spe.prom" "$m/sys" >"$out" 2>"$err" || fail 'status'
cp "$dir/spe.prom" "$out"
says 'arm_spe_sessions_total{pmu="arm_spe_0"} 7'
says 'arm_spe_event_stage2_total{pmu="arm_spe_0"} 3'
says "arm_spe_driver_info{module=\"arm_spe_pmu\",version=\"$(cat "$module/version")\"} 1"
[ "$(grep -cvE '^arm_spe_[a-z0-9_]+\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\} [0-9]+$' "$out")" = 0 ] || fail 'a line is no metric'
[ "$(echo "$dir"/spe.prom*)" = "$dir/spe.prom" ] || fail 'leaves a file behind'

begin "stat --driver: a recording or a choice of samples is refused"
for input in "$dir/s.data" -i"$dir/s.data"; do
	run 2 stat --driver --root "$m" "$input"
	warns "stat: --driver reads no recording, but the counters of this machine's driver: remove '$dir/s.data' or --driver"
	[ ! -s "$out" ] || fail 'counters'
done
for option in '--filter=total > 5' --comm=prog --time=10%-20%; do
	run 2 stat --driver --root "$m" "$option"
	warns 'stat: --driver prints counters, not samples: remove --filter'
done

begin "stat --driver: --root alone is refused"
run 2 stat --root "$m" -i "$dir/s.data"
warns '--root is for --driver only'

# wide COLUMNS: stat's lines on a terminal, without blanks at their ends
wide() {
	PTY_LOG=$dir/log PTY_COLUMNS=$1 "$(dirname "$fixture")/pty" "$perf_spe" --no-pager stat -i walks.data \
		>/dev/null 2>"$err" <<<'end 0' || fail "on a terminal with $1 columns"
	tr -d '\r' <"$dir/log"
}
begin "stat: the heading and the table of PMUs break at blanks on a narrow terminal"
cd "$here/../../../Documentation/examples" || exit 1
run 0 stat -i walks.data
tr -s ' #\n' ' ' <"$out" >"$dir/want"
for columns in 60 80 160; do
	wide "$columns" >"$dir/wide"
	tr -s ' #\n' ' ' <"$dir/wide" | cmp -s - "$dir/want" || fail "other words with $columns columns"
	[ "$columns" = 60 ] || [ "$(wc -L <"$dir/wide")" -le "$columns" ] || fail "a line has $(wc -L <"$dir/wide") of $columns columns"
done
wide 80 >"$dir/wide"
grep -qx '            arm_spe_0 ts_enable jitter' "$dir/wide" || fail 'the event is not on a line of its own'

finish
