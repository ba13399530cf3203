#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe agent on the fake kernel of fake_kernel.c: settings, windows, the spool, the budget and
# metrics.
# usage: agent.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/top.sh
. "$(dirname "$0")/lib/top.sh"

c1=$(printf '%064d' 1)
make_agent_machine "/docker/$c1"
mkdir -p "$dir/spe/sys/devices/system/cpu/cpu0/regs/identification"
echo 0x00000000413fd0c1 >"$dir/spe/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"

# settings LINE...: the usual ones of the tests, and these.  The programs of the tests need more memory.
settings() {
	printf '%s\n' "spool = $spool" 'memory_mib = 2000' 'window = 0.02' 'every = 0.1' 'host = box' \
		'budget = 100' "$@" >"$dir/conf"
}
# agent STATUS OPTIONS...: on the fake kernel
agent() {
	local want=$1 got=0
	shift
	: >"$FAKE_LOG"
	"$faked" agent --root "$dir/spe" --config "$dir/conf" "$@" >"$out" 2>"$err" || got=$?
	[ "$got" -eq "$want" ] || fail "status $got, not $want: $*"
}
files() { find "$spool" -name 'spe-*.jsonl' | sort; }
# window EXPRESSION: of Python, true for head and sums of the newest window
window() {
	python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
head, sums = lines[0], lines[1:]
sys.exit(not eval(sys.argv[2]))' "$(files | tail -n 1)" "$1" || fail "not $1 of $(cat "$(files | tail -n 1)")"
}

begin "agent: settings, and what is wrong with them"
run 2 agent
warns 'give --config FILE'
run 2 agent --config "$dir/none"
warns "cannot read $dir/none"
run 0 agent --help
says 'spool_mib'
settings
run 0 agent --check --config "$dir/conf"
silent
printf '# comment\n\n windw = 3\nwindow = x\nevery\nevery = 5\nevery = 6\nsymbols = maybe\nbudget = 0\nrows = 1.5\n' >"$dir/conf"
run 2 agent --check --config "$dir/conf"
warns "agent: $dir/conf:3: unknown key 'windw'; did you mean 'window'"
warns "agent: $dir/conf:4: window = x: give a number"
warns "agent: $dir/conf:5: 'every' is not a setting: write KEY = VALUE"
warns "agent: $dir/conf:7: every = 6: an earlier line sets it too: remove one"
warns "agent: $dir/conf:8: symbols = maybe: give yes or no"
warns "agent: $dir/conf:9: budget takes 0.001 to 100, not '0'"
warns "agent: $dir/conf:10: rows = 1.5: give a whole number"
[ "$(wc -l <"$err")" -eq 7 ] || fail 'other messages'
echo 'window = 70' >"$dir/conf"
run 2 agent --check --config "$dir/conf"
warns 'window = 70 is longer than every = 60'
echo 'spool = here' >"$dir/conf"
run 2 agent --check --config "$dir/conf"
warns 'need a path that begins with /'
for where in 0.0.0.0:9000 here 127.0.0.1:0 127.0.0.1:65536 '[::1]:9000x'; do
	echo "metrics_listen = $where" >"$dir/conf"
	run 2 agent --check --config "$dir/conf"
	warns "metrics_listen = $where: give the path of a socket, 127.0.0.1:PORT or [::1]:PORT"
done
printf '%5000s' x >"$dir/conf"
run 2 agent --check --config "$dir/conf"
warns 'the line is too long'

begin "agent: the packages' settings are all keys with their defaults, and sound"
conf=$here/../service/agent.conf
run 0 agent --check --config "$conf"
silent
run 0 agent --help
diff <(sed -n 's/^# \([a-z0-9_]* *=\)/  \1/p' "$conf") <(sed -n '/their defaults:$/,$p' "$out" | tail -n +2) >"$err" || fail 'other keys'
sed 's/^# \([a-z_]* *=\)/\1/; /^metrics_listen = /d' "$conf" >"$dir/conf"
run 0 agent --check --config "$dir/conf"
silent

begin "agent: a window has the sums of its samples"
settings
agent 0 --windows 1
silent
logs 'spe tid -1 cpu 0 period 131072 config 0x10001 inherit 0 user 1'
[ "$(files | wc -l)" -eq 1 ] || fail "$(files | wc -l) windows"
if command -v python3 >/dev/null; then
	window "head['format'] == 1 and head['host'] == 'box' and head['period'] == 131072 and head['cpus'] == 1"
	window "not head['cut'] and head['kernel'] and not any(head['lost'].values()) and head['sums'] == len(sums) == 2"
	# The fake kernel has 40 records each time sampling stops: N of 1 to N cycles for each function.
	window "head['samples'] == sum(s['samples'] for s in sums) and head['samples'] % 40 == 0 and head['samples'] > 0"
	window "[s['symbol'] for s in sums] == ['hot', 'cold'] and sums[0]['samples'] == 3 * sums[1]['samples']"
	window "all(s['container'] == '$c1' and s['cgroup'] == '/docker/$c1' and s['object'] == '/usr/bin/prog' and s['build_id'] == '$id' for s in sums)"
	window "(lambda n: sums[1]['latencies'] == [0, n, 2 * n, 4 * n, 3 * n] and sums[1]['cycles'] == 55 * n)(sums[1]['samples'] // 10)"
	settings 'symbols = no'
	agent 0 --windows 1
	window "sorted(s['address'] for s in sums) == sorted(['0x' + '$hot'.lstrip('0'), '0x' + '$cold'.lstrip('0')]) and 'symbol' not in sums[0]"
fi

begin "agent: the NUMA node of the CPU tells sums apart"
settings 'rows = 3'
window "not any('node' in s for s in sums)"
mkdir -p "$dir/spe/sys/devices/system/node/node0" "$dir/spe/sys/devices/system/node/node11"
echo 1-3,7 >"$dir/spe/sys/devices/system/node/node0/cpulist"
echo 0,5 >"$dir/spe/sys/devices/system/node/node11/cpulist"
agent 0 --windows 1
window "[s['node'] for s in sums] == [11, 11]"
echo 0-1 >"$pmu/cpumask"
agent 0 --windows 1
window "{(s['symbol'], s['node']) for s in sums[:3]} < {(f, n) for f in ('hot', 'cold') for n in (0, 11)}"
window "head['sums'] == 3 and len(sums) == 4 and 'node' not in sums[3]"
echo 0 >"$pmu/cpumask"
rm -r "$dir/spe/sys/devices/system/node"

begin "agent: not more sums than it may have, and no sample is lost"
settings 'rows = 1'
agent 0 --windows 1
window "head['sums'] == 1 and head['other'] > 0 and len(sums) == 2 and sum(s['samples'] for s in sums) == head['samples']"
window "sums[1]['samples'] == head['other'] and 'object' not in sums[1]"

begin "agent: no raw rows, unless they are asked for"
settings
agent 0 --windows 1
window "head['raw_rows'] == 0 and not any('rows' in s for s in sums)"

begin "agent: with all raw rows these add up to the sums"
settings 'raw_share = 100' 'raw_rows = 2500'
FAKE_DATA=0x7f0000001000 agent 0 --windows 1
silent
window "head['raw_rows'] == head['samples'] == sum(len(s['rows']) for s in sums) and len(sums) == 2"
window "all(len(s['rows']) == s['samples'] and sum(r['cycles'] for r in s['rows']) == s['cycles'] for s in sums)"
window "all([sum(r['cycles'].bit_length() == k for r in s['rows']) for k in range(6)] == (s['latencies'] + [0])[:6] for s in sums)"
window "all((r['cpu'], r['pid'], r['tid'], r['comm'], r['op']) == (0, 10, 10, 'faked', 'load') for s in sums for r in s['rows'])"
window "all((r['va'], r['issue'], r['xlat']) == (0x7f0000001000 + 8 * (r['cycles'] - 1), r['cycles'] // 2, r['cycles'] // 4) for s in sums for r in s['rows'])"
window "[{r['address'] for r in s['rows']} for s in sums] == [{'0x' + '$hot'.lstrip('0')}, {'0x' + '$cold'.lstrip('0')}]"
window "(lambda t: len(set(t)) == head['samples'] and all(s['rows'] == sorted(s['rows'], key=lambda r: r['time_ns']) for s in sums))([r['time_ns'] for s in sums for r in s['rows']])"
agent 0 --windows 1
window "all(set(r) == {'cpu', 'time_ns', 'pid', 'tid', 'comm', 'op', 'address', 'cycles'} for s in sums for r in s['rows'])"

begin "agent: not more raw rows than asked for, and none twice"
settings 'raw_share = 100' 'raw_rows = 7'
FAKE_PCS="$(at "$hot"):300 $(at "$cold"):100" agent 0 --windows 1
window "head['raw_rows'] == 7 == len({r['time_ns'] for s in sums for r in s.get('rows', [])}) and head['samples'] >= 400"
settings 'raw_share = 50'
FAKE_PCS="$(at "$hot"):300 $(at "$cold"):100" agent 0 --windows 1
window "head['raw_rows'] == sum(len(s['rows']) for s in sums) and 0.3 < head['raw_rows'] / head['samples'] < 0.7"

begin "agent: raw rows of samples without a sum of their own"
settings 'rows = 1' 'raw_share = 100'
agent 0 --windows 1
window "[len(s['rows']) for s in sums] == [s['samples'] for s in sums] and sums[1]['samples'] == head['other'] > 0"

begin "agent: not more memory than it may have"
settings
sed -i 's/^memory_mib.*/memory_mib = 8/; s/^window.*/window = 5/; s/^every.*/every = 5/' "$dir/conf"
agent 0 --windows 1
warns 'agent: a window ends early, as it needs '
[ "$(grep -c 'ends early' "$err")" -eq 1 ] || fail 'said more than once'
window "head['cut'] and head['seconds'] < 3 and head['samples'] == 40"

begin "agent: names with bytes that JSON and terminals must not have"
cp "$dir/spe/proc/10/cgroup" "$dir/cgroup"
printf '0::/a"b\\c\001\033[2J\377/docker/%s\n' "$c1" >"$dir/spe/proc/10/cgroup"
settings
agent 0 --windows 1
window "head['samples'] == sum(s['samples'] for s in sums) and all(s['container'] == '$c1' and s['cgroup'].startswith('/a\"b\\\\c') for s in sums)"
! LC_ALL=C grep -q "$(printf '[\001\033]')" "$(files | tail -n 1)" || fail 'control characters'
cp "$dir/cgroup" "$dir/spe/proc/10/cgroup"

begin "agent: many processes that few CPUs share, each with a file of its own"
echo 0-3 >"$pmu/cpumask"
settings 'window = 1.2' 'every = 1.3'
sed -i '3d; 4d' "$dir/conf"
FAKE_PCS='' FAKE_CROWD=400 agent 0 --windows 1
silent
window "head['sums'] == len(sums) == len({s['object'] for s in sums}) == 400 and not any(head['lost'].values()) and head['cpus'] == 4"
window "all(400 * s['samples'] == head['samples'] for s in sums)"
settings 'window = 1.2' 'every = 1.3' 'raw_share = 100' 'raw_rows = 2500'
sed -i '3d; 4d' "$dir/conf"
FAKE_PCS='' FAKE_CROWD=400 agent 0 --windows 1
window "head['raw_rows'] == 2500 == sum(len(s.get('rows', [])) for s in sums) and head['samples'] > 2500"
window "all(r['comm'].startswith('\"\\\\\n\x1b\ufffd<') for s in sums for r in s.get('rows', []))"
! LC_ALL=C grep -q "$(printf '[\001\033]')" "$(files | tail -n 1)" || fail 'control characters'
echo 0 >"$pmu/cpumask"

begin "agent: the spool has a limit, and the oldest windows go"
rm -f "$spool"/*
settings 'spool_mib = 1'
for n in 1 2 3; do head -c 400000 /dev/zero >"$spool/spe-2020010${n}T000000.000Z-00000000.jsonl"; done
touch "$spool/spe-x.jsonl.part" "$spool/mine"
# Without this list, nothing would delete the Parquet files that another one replaces.
echo x >"$spool/spe-20191231T000000.000Z-00000000.hour.done"
agent 0 --windows 1
[ ! -e "$spool/spe-20200101T000000.000Z-00000000.jsonl" ] || fail 'the oldest is still there'
[ -e "$spool/spe-20200102T000000.000Z-00000000.jsonl" ] || fail 'a newer one is gone'
[ ! -e "$spool/spe-x.jsonl.part" ] || fail 'what a crash has left is still there'
[ -e "$spool/mine" ] || fail 'a foreign file is gone'
[ -e "$spool/spe-20191231T000000.000Z-00000000.hour.done" ] || fail 'a list of files to delete is gone'
rm -f "$spool"/*

begin "agent: after the clock was set back, the windows before that go first"
for n in 1 2 3; do head -c 400000 /dev/zero >"$spool/spe-2999010${n}T000000.000Z-00000000.jsonl"; done
head -c 100 /dev/zero >"$spool/spe-20200101T000000.000Z-00000000.jsonl"
agent 0 --windows 2
[ ! -e "$spool/spe-29990101T000000.000Z-00000000.jsonl" ] || fail 'the oldest is still there'
[ "$(files | wc -l)" -eq 5 ] || fail "$(files | wc -l) windows"
rm -f "$spool"/*

begin "agent: a spool that it cannot write to"
settings "spool = $dir/nowhere"
sed -i 1d "$dir/conf"
agent 1 --windows 1
warns "agent: cannot write to the spool $dir/nowhere: No such file or directory; create the folder"

begin "agent: a full disk"
if [ ! -e /dev/full ] || [ "$(id -u)" -ne 0 ] || ! mkdir "$dir/small" || ! mount -t tmpfs -o size=64k none "$dir/small" 2>/dev/null; then
	skip 'no permission to mount a small file system'
else
	sed "s,^spool = .*,spool = $dir/small," <(settings && cat "$dir/conf") >"$dir/conf.small"
	mv "$dir/conf.small" "$dir/conf"
	head -c 30000 /dev/zero >"$dir/small/spe-20200101T000000.000Z-00000000.jsonl"
	head -c 40000 /dev/zero >"$dir/small/other" 2>/dev/null
	agent 0 --windows 1
	[ ! -e "$dir/small/spe-20200101T000000.000Z-00000000.jsonl" ] || fail 'the oldest is still there'
	[ -n "$(find "$dir/small" -name 'spe-2*.jsonl')" ] || fail 'no window'
	rm -f "$dir"/small/spe-*
	head -c 100000 /dev/zero >"$dir/small/other" 2>/dev/null
	agent 1 --windows 1
	warns 'agent: a window is lost: cannot write'
	[ -z "$(find "$dir/small" -name 'spe-*')" ] || fail 'a part of a window'
	# Not even a name fits.
	rm "$dir/small/other"
	mount -o remount,size=1m,nr_inodes=3 "$dir/small"
	for n in 1 2; do : >"$dir/small/spe-2020010${n}T000000.000Z-00000000.jsonl"; done
	agent 0 --windows 1
	silent
	[ ! -e "$dir/small/spe-20200101T000000.000Z-00000000.jsonl" ] || fail 'the oldest is still there'
	[ -e "$dir/small/spe-20200102T000000.000Z-00000000.jsonl" ] || fail 'a newer one is gone'
	[ "$(find "$dir/small" -name 'spe-2*.jsonl' | wc -l)" -eq 2 ] || fail 'no window'
	umount "$dir/small"
fi

begin "agent: it changes the period to keep its budget"
settings
sed -i 's/^budget.*/budget = 0.001/' "$dir/conf"
agent 0 --windows 2
warns "of the CPUs' time, with a budget of 0.001%: the period is 2097152 now (was 131072)"
logs 'spe tid -1 cpu 0 period 131072 config 0x10001 inherit 0 user 1'
logs 'spe tid -1 cpu 0 period 2097152 config 0x10001 inherit 0 user 1'
settings
agent 0 --windows 2
silent
[ "$(grep -c 'spe .* period 131072 ' "$FAKE_LOG")" -eq 2 ] || fail 'another period'

begin "agent: an event that cannot be opened is no end"
settings "metrics_file = $dir/metrics"
FAKE_REFUSE=1 agent 1 --windows 2
warns 'agent: cannot open arm_spe_0'
grep -qx 'perf_spe_windows_total{result="not_sampled"} 2' "$dir/metrics" || fail 'not counted'

begin "agent: --windows says how long it waits, and fails if no window was sampled"
settings
"$faked" agent --root "$dir/none" --config "$dir/conf" --windows 1 2>"$err" && fail 'status 0'
warns 'agent: this machine has no SPE PMU'
[ "$(wc -l <"$err")" -eq 1 ] || fail 'other messages'
# Two hosts have their turns at different times of the hour, so one of them waits.
for host in box other; do
	settings
	sed -i "s/^every.*/every = 3600/; s/^host.*/host = $host/" "$dir/conf"
	# Otherwise timeout sends SIGCONT too, and a process that LeakSanitizer stops at its end waits for ever.
	timeout --foreground 1 "$faked" agent --root "$dir/none" --config "$dir/conf" --windows 1 2>>"$err"
done
warns 'agent: the first window begins in '

begin "agent: without permission for the kernel it samples programs, and says so once"
settings
FAKE_REFUSE=kernel agent 0 --windows 2
warns 'agent: no permission to sample the kernel, so only programs are sampled'
[ "$(wc -l <"$err")" -eq 1 ] || fail 'other messages'
window "not head['kernel'] and head['samples'] == 40"

begin "agent: SIGTERM ends it, and the open window is kept"
rm -f "$spool"/*
settings "metrics_listen = $dir/socket"
# start: an agent in a window of 8 seconds; sets pid
start() {
	sed -i 's/^window.*/window = 8/; s/^every.*/every = 8/' "$dir/conf"
	: >"$FAKE_LOG"
	"$faked" agent --root "$dir/spe" --config "$dir/conf" >"$out" 2>"$err" &
	pid=$!
	for ((i = 0; i < 300; i++)); do
		grep -q '^spe' "$FAKE_LOG" && break
		sleep 0.1
	done
}
start
if command -v python3 >/dev/null; then
	python3 - "$dir/socket" >"$dir/answer" <<'END' || fail 'no answer'
import socket, sys
def ask(what):
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    s.sendall(b"GET " + what + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    text = b""
    while True:
        part = s.recv(65536)
        if not part:
            return text.decode()
        text += part
assert ask(b"/no").startswith("HTTP/1.0 404 ")
head, body = ask(b"/metrics").split("\r\n\r\n", 1)
assert head.startswith("HTTP/1.0 200 OK\r\n") and f"Content-Length: {len(body)}" in head, head
print(body, end="")
END
	grep -qx 'perf_spe_window_seconds 8' "$dir/answer" || fail 'no metrics'
fi
before=$SECONDS
kill "$pid"
wait "$pid" || fail "status $?"
[ $((SECONDS - before)) -lt 5 ] || fail 'the window did not end early'
[ "$(files | wc -l)" -eq 1 ] || fail 'no window'
window "head['seconds'] < 4 and head['samples'] > 0"
[ ! -e "$dir/socket" ] || fail 'the socket is still there'

begin "agent: a spool is of one agent"
settings
start
run 1 agent --config "$dir/conf" --windows 1
warns "agent: another agent writes to the spool $spool: end it, or name another folder"
begin "agent: after kill -9 the window ends, and another agent can begin at once"
rm -f "$spool"/*
kill -9 "$pid"
wait "$pid" 2>/dev/null
for ((i = 0; i < 100; i++)); do
	[ -n "$(files)" ] && break
	sleep 0.1
done
[ -n "$(files)" ] || fail 'the window is lost'
port=$((20000 + RANDOM % 20000))
settings "metrics_listen = 127.0.0.1:$port"
start
kill -9 "$pid"
wait "$pid" 2>/dev/null
settings "metrics_listen = 127.0.0.1:$port"
agent 0 --windows 1

begin "agent: kill -9 at any time, fifty times: what is in the spool is whole and stays"
if command -v python3 >/dev/null; then
	rm -f "$spool"/*
	settings
	# The agents live up to three times as long as one needs for a window.
	took=$(date +%s%N)
	agent 0 --windows 1
	took=$((3 * ($(date +%s%N) - took) / 1000))
	: >"$dir/kept"
	for ((i = 0; i < 50; i++)); do
		"$faked" agent --root "$dir/spe" --config "$dir/conf" 2>"$dir/agent.err" &
		pid=$!
		sleep "$(awk -v us="$took" -v r="$RANDOM" 'BEGIN { print us / 1e6 * r / 32768 }')"
		kill -9 "$pid"
		wait "$pid" 2>/dev/null
		# The process of an open window ends it, and writes what it has.
		while grep -qsxz -- "$dir/conf" /proc/[0-9]*/cmdline; do sleep 0.05; done
		grep -v '^perf-spe: agent: another agent writes' "$dir/agent.err" >&2 && fail 'has complained'
		files >"$dir/now"
		[ -z "$(comm -23 "$dir/kept" "$dir/now")" ] || fail "lost: $(comm -23 "$dir/kept" "$dir/now")"
		mv "$dir/now" "$dir/kept"
	done
	agent 0 --windows 1
	python3 - "$spool" <<'END' || fail 'windows that are not whole'
import json, os, sys
ids = set()
for name in os.listdir(sys.argv[1]):
    head, *sums = [json.loads(line) for line in open(os.path.join(sys.argv[1], name))]
    assert name == f"spe-{head['id']}.jsonl" and head["id"] not in ids, name
    assert head["sums"] == len(sums) and head["samples"] == sum(s["samples"] for s in sums), name
    ids.add(head["id"])
assert len(ids) > 10, len(ids)
END
fi

begin "agent: who asks slowly does not stop it"
if command -v python3 >/dev/null; then
	settings "metrics_listen = $dir/socket"
	start
	mkdir -p "$dir/second"
	sed "s,^spool = .*,spool = $dir/second," "$dir/conf" >"$dir/conf.second"
	run 1 agent --config "$dir/conf.second" --windows 1
	warns "agent: metrics_listen = $dir/socket: Address already in use; choose another one"
	python3 - "$dir/socket" <<'END' || fail 'it waits for a slow one'
import socket, sys, time
slow = socket.socket(socket.AF_UNIX)
slow.connect(sys.argv[1])
begin = time.monotonic()
try:
    while time.monotonic() < begin + 8:
        slow.sendall(b"x")
        time.sleep(0.1)
except OSError:
    pass
sys.exit(time.monotonic() > begin + 5)
END
	kill "$pid"
	wait "$pid" || fail "status $?"
fi

begin "agent: metrics"
mkdir -p "$pmu/counters"
echo 2500000000 >"$pmu/counters/service_ns"
echo 7 >"$pmu/counters/truncated"
rm -f "$spool"/*
settings "metrics_file = $dir/metrics" 'otlp_url = https://host.invalid/'
agent 0 --windows 2
metric() { grep -qx -- "$1" "$dir/metrics" || fail "no '$1' in $(grep "^${1%%[ {]*}" "$dir/metrics")"; }
n=$(sed -n 's/^perf_spe_samples_total{source="none"} //p' "$dir/metrics")
[ "$n" = 80 ] || fail "$n samples"
metric "perf_spe_latency_cycles_bucket{source=\"none\",le=\"1\"} 4"
metric "perf_spe_latency_cycles_bucket{source=\"none\",le=\"+Inf\"} 80"
metric "perf_spe_latency_cycles_count{source=\"none\"} 80"
metric "perf_spe_latency_cycles_sum{source=\"none\"} 1040"
metric 'perf_spe_lost_total{why="truncated"} 0'
metric 'perf_spe_windows_total{result="kept"} 2'
metric 'perf_spe_driver_seconds_total 0'
metric 'perf_spe_period_operations 131072'
metric 'perf_spe_spool_windows 2'
metric 'arm_spe_service_seconds_total{pmu="arm_spe_0"} 2.5'
metric 'arm_spe_truncated_total{pmu="arm_spe_0"} 7'
# The dashboard's queries as rules, which promtool can check
dashboard=$here/../../../Documentation/examples/monitoring/perf-spe-agent.dashboard.json
if command -v python3 >/dev/null; then
	python3 - "$dashboard" >"$dir/dashboard.yml" <<'END' || fail 'the dashboard is no JSON'
import json, sys
print("groups:\n- name: dashboard\n  rules:")
for panel in json.load(open(sys.argv[1]))["panels"]:
    for target in panel["targets"]:
        print(f"  - record: panel:{panel['id']}:{target['refId']}\n    expr: {target['expr']}")
END
	sed -n 's/^ *expr: //p' "$dir/dashboard.yml" | grep -o 'perf_spe_[a-z_]*' | sort -u | while read -r name; do
		grep -q "^${name}[ {]" "$dir/metrics" || fail "no metric $name, which the dashboard reads"
	done
	! command -v promtool >/dev/null || promtool check rules "$dir/dashboard.yml" >"$out" 2>"$err" ||
		fail "promtool: $(cat "$out" "$err")"
fi
rules=$here/../../../Documentation/examples/monitoring/perf-spe-agent.rules.yml
sed -n 's/^ *expr: //p' "$rules" | grep -o 'perf_spe_[a-z_]*' | while read -r name; do
	grep -q "^${name}[ {]" "$dir/metrics" || fail "no metric $name, which an alert reads"
done
if command -v promtool >/dev/null; then
	promtool check rules "$rules" >"$out" 2>"$err" || fail "promtool: $(cat "$out" "$err")"
	promtool check metrics <"$dir/metrics" >"$out" 2>"$err" || fail "promtool: $(cat "$out")"
	[ ! -s "$out" ] && silent
fi

finish
