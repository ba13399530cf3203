#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe top: its messages without SPE, and its tables on a fake kernel
# (fake_kernel.c).  live_test.c tests the rings.
# usage: top.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/top.sh
. "$(dirname "$0")/lib/top.sh"

make_pmu machine

begin "top: no PMU, and what to do"
mkdir "$dir/none"
run 1 top --root "$dir/none" --iterations 1
warns 'perf spe doctor'
[ ! -s "$out" ] || fail 'a table of nothing'

begin "top: what the PMU lacks"
run 1 top --root "$dir/machine" --stores --iterations 1
warns 'top: arm_spe_0 has no store_filter'
run 1 top --root "$dir/machine" --min-latency 5000 --iterations 1
warns 'top: arm_spe_0: min_latency 5000 is too large: give at most 4095'
run 1 top --root "$dir/machine" --period 4294967296 --iterations 1
warns 'top: --period 4294967296 is too large: give at most'

begin "top: what Linux's own driver refuses"
echo config1:0-63 >"$pmu/format/event_filter"
run 1 top --root "$dir/machine" --event llc-miss --iterations 1
warns 'top: arm_spe_0 cannot filter by the event llc-miss: Linux'
run 1 top --root "$dir/machine" --freq 500 --iterations 1
warns 'top: arm_spe_0 takes no --freq'

begin "top: a kernel that does not know the PMU"
run 1 top --root "$dir/machine" --loads --iterations 1
warns 'arm_spe_0: '
touch "$dir/mark"
run 1 top --root "$dir/machine" -- rm "$dir/mark"
[ -e "$dir/mark" ] || fail 'the command ran all the same'

begin "top: CPUs and tasks that are none"
for list in '' 4-2 1,x 1- 70000; do
	run 1 top --root "$dir/machine" -C "$list"
	warns 'needs a list of CPUs'
done
run 1 top --root "$dir/machine" -C 64
warns 'none of these CPUs has SPE'
run 1 top -p 4194305 --root "$dir/machine"
warns 'top: -p 4194305: no such process'
run 1 top -t x --root "$dir/machine"
warns 'top: -t needs numbers of threads'

begin "top: wrong usage"
run 2 top -a -- true
warns 'exclude each other: give one of them'
run 2 top -a -p 1
run 2 top -p 1 -- true
run 2 top --interval 0
run 2 top --interval x
run 2 top --iterations 0
run 2 top --period 1024 --freq 100
run 2 top --user --kernel
run 2 top --by nothing
run 2 top --events retired
run 2 top -m 3
run 2 top -i perf.data
run 2 top --filter 'total >'
run 0 top --help
says '--iterations'

# From here on perf-spe runs on the fake kernel, which has SPE.
make_program
make_pmu spe
echo 0 >"$pmu/cpumask"
FAKE_MAP="10 $map_prog /usr/bin/prog"
FAKE_PCS="$(at "$hot"):30 $(at "$cold"):10"

begin "top: each table has the samples of its interval"
watched 0 --iterations 3
[ "$(tables)" -eq 3 ] || fail "$(tables) tables"
[ "$(grep -c '^# 40 records' "$out")" -eq 3 ] || fail 'other samples'
[ "$(row prog hot | tr '\n' ' ')" = '30 30 30 ' ] || fail "hot: $(row prog hot)"
[ "$(row prog cold | tr '\n' ' ')" = '10 10 10 ' ] || fail "cold: $(row prog cold)"
logs 'spe tid -1 cpu 0 period 131072 config 0x10001 inherit 0 user 1'
logs 'dummy tid -1 cpu 0 period 1 config 0x9 inherit 0 user 1'
silent
watched 0 --iterations 3 --keep
[ "$(row prog hot | tr '\n' ' ')" = '30 60 90 ' ] || fail "kept: $(row prog hot)"

begin "top: a CPU that is offline has no samples, and is an error only if it was named"
before=$(cat "$pmu/cpumask")
echo 0-3 >"$pmu/cpumask"
mkdir -p "$dir/spe/sys/devices/system/cpu"
echo 0,2-3 >"$dir/spe/sys/devices/system/cpu/online"
FAKE_OFFLINE=1 watched 0 --iterations 1
silent
for cpu in 0 2 3; do grep -q "^spe tid -1 cpu $cpu " "$FAKE_LOG" || fail "no event on CPU $cpu"; done
FAKE_OFFLINE=1 watched 1 --iterations 1 -C 0,1
warns 'top: CPU 1 is offline: bring it online, or leave it out of -C'
echo 0-3 >"$dir/spe/sys/devices/system/cpu/online"
FAKE_OFFLINE=1 watched 1 --iterations 1
warns 'top: cannot open arm_spe_0: No such device'
rm -r "$dir/spe/sys/devices/system/cpu/online"
echo "$before" >"$pmu/cpumask"

begin "top: an object of JSON for each interval, and one table of CSV for all"
watched 0 --iterations 3 --json
if command -v python3 >/dev/null; then
	python3 - "$out" 2>>"$err" <<'END' || fail 'JSON'
import json, sys
text, at, all = open(sys.argv[1]).read(), 0, []
while at < len(text):
    one, at = json.JSONDecoder().raw_decode(text, at)
    all.append(one)
    at += len(text[at:]) - len(text[at:].lstrip())
assert [one['interval'] for one in all] == [1, 2, 3], all
for one in all:
    assert (one['format'], one['verb'], one['samples']) == (1, 'top', 40), one
    assert {row['symbol']: row['count'] for row in one['rows']} == {'hot': 30, 'cold': 10}, one
    assert {row['interval'] for row in one['rows']} == {one['interval']}
END
fi
watched 0 --iterations 2 --csv --columns symbol,count
[ "$(tr -d '\r' <"$out" | paste -sd' ')" = \
	'interval,symbol,address,count 1,"hot",,30 1,"cold",,10 2,"hot",,30 2,"cold",,10' ] || fail 'CSV'

# 24 * 6e9 / 131072 * 64 = 70.3e6; 262144 as for record (record.sh)
begin "top: fewer samples on many CPUs"
echo 0-23 >"$pmu/cpumask"
watched 0 --iterations 1
warns 'top: chose period 262144, as 24 CPUs would write up to 70 MB/s with 131072; --period N changes it'
logs 'spe tid -1 cpu 23 period 262144 config 0x10001 inherit 0 user 1'
watched 0 --iterations 1 --period 131072
silent
echo 0 >"$pmu/cpumask"

begin "top: the least that permits it, if the kernel refuses"
FAKE_REFUSE=1 watched 1 --iterations 1
warns 'run as root, or set kernel.perf_event_paranoid=0 to sample all programs of a CPU'
FAKE_REFUSE=1 watched 1 --iterations 1 -- true
warns 'run as root, or set kernel.perf_event_paranoid=2 to sample your own programs'

echo config1:0-63 >"$pmu/format/event_filter"
FAKE_REFUSE=filter watched 1 --iterations 1 --event misaligned
warns 'if the event is refused now'
warns 'top: cannot open arm_spe_0: its driver does not filter by these events; remove --event and --not-event, and give --filter instead'
rm "$pmu/format/event_filter"

begin "top: samples of spe_sample_N"
run 1 top --root "$dir/spe" --samples --iterations 1
warns "top: this machine has no PMU spe_sample: run 'perf spe doctor' for the cause"
run 2 top --root "$dir/spe" --samples --stacks
warns 'top: --samples and --stacks exclude each other: remove one'
FAKE_REFUSE=busy watched 1 --iterations 1
warns 'top: arm_spe_0 is busy: end the other profiler that uses it'
cp -r "$pmu" "${pmu%/*}/spe_sample_0"
echo 2147483001 >"${pmu%/*}/spe_sample_0/type"
# 6e9 / 2097152 <= 4000
mkdir -p "$dir/spe/proc/sys/kernel"
echo 4000 >"$dir/spe/proc/sys/kernel/perf_event_max_sample_rate"
watched 0 --iterations 1 --samples
warns 'top: chose period 2097152, as perf takes at most 4000 samples a second from a CPU (kernel.perf_event_max_sample_rate); --period N changes it'
rm "$dir/spe/proc/sys/kernel/perf_event_max_sample_rate"
watched 0 --iterations 3 --samples
[ "$(row prog hot | tr '\n' ' ')" = '30 30 30 ' ] || fail "hot: $(row prog hot)"
[ "$(row prog cold | tr '\n' ' ')" = '10 10 10 ' ] || fail "cold: $(row prog cold)"
logs 'samples tid -1 cpu 0 period 131072 config 0x10001 inherit 0 user 1'
! grep -q '^spe ' "$FAKE_LOG" || fail 'an event with AUX data too'
silent
watched 0 --iterations 1 --samples --by comm,pid,cpu,total --limit 1 --filter 'total == 30' --columns comm,pid,cpu,total
says '  faked  10   0    30'
begin "top: samples of spe_sample_N if another profiler has the SPE PMU"
watched 0 --iterations 1
logs 'spe tid -1 cpu 0 period 131072 config 0x10001 inherit 0 user 1'
silent
FAKE_REFUSE=busy watched 0 --iterations 2
warns "top: arm_spe_0 is busy, so samples come from spe_sample_0, which has none while the other profiler's event runs"
[ "$(row prog hot | tr '\n' ' ')" = '30 30 ' ] || fail "hot: $(row prog hot)"
FAKE_REFUSE=busy watched 1 --iterations 1 --stacks
warns 'top: cannot open arm_spe_0: it is busy; end the other profiler that uses it'
rm -r "${pmu%/*}/spe_sample_0"

# As watched, with this machine's files
here() {
	local got=0
	"$faked" top --root "$dir/spe" --interval 0.01 --iterations 1 >"$out" 2>"$err" || got=$?
	[ "$got" -eq 0 ] || fail "status $got"
}
begin "top: a program is the file that was mapped, not another one of its name"
cp "$prog" "$dir/other"
FAKE_MAP="10 $map_prog $prog"
FAKE_INODE="$(stat -c '%Hd %Ld %i' "$prog")"
here
count_is prog hot 30
silent
FAKE_INODE="$(stat -c '%Hd %Ld %i' "$dir/other")"
here
count_is prog "[no symbol]" 40
warns "not using symbols of 1 file of this machine, as programs run other files of this name: $prog;"
# As with overlayfs, whose mappings have the device below
FAKE_INODE="99 99 $(stat -c %i "$prog")"
here
count_is prog hot 30

begin "top: a program whose file was replaced"
start_waits -g
FAKE_MAP="$waits 0x7000000000 0x100000 $offset $dir/waits (deleted)"
FAKE_INODE="$(stat -c '%Hd %Ld %i' "$dir/waits")"
cp "$prog" "$dir/newer"
mv "$dir/newer" "$dir/waits"
FAKE_PCS="$(printf '0x%x' $((0x7000000000 + address - base))):30" here
count_is "waits (deleted)" hot 30
silent
kill "$waits"
wait "$waits" 2>/dev/null

begin "top: a program in a container"
if [ "$(id -u)" -ne 0 ] || ! command -v python3 >/dev/null; then
	skip 'needs root and python3 to have another root folder'
else
	python3 -c 'import os, sys, time; os.chroot(sys.argv[1]); print(flush=True); time.sleep(60)' "$dir/root" >"$dir/ready" &
	jailed=$!
	until [ -s "$dir/ready" ]; do sleep 0.1; done
	FAKE_MAP="$jailed $map_prog /usr/bin/prog"
	FAKE_INODE="$(stat -c '%Hd %Ld %i' "$prog")"
	here
	count_is prog hot 30
	silent
	kill "$jailed"
	wait "$jailed" 2>/dev/null
fi
FAKE_MAP="10 $map_prog /usr/bin/prog"
FAKE_INODE=''

begin "top: columns, filters, limits as in a report"
watched 0 --iterations 1 --by comm,cpu --limit 1 --columns comm,cpu,share
says '  faked  0    100.00%'
watched 0 --iterations 1 --filter 'total > 20'
count_is prog hot 10
says '# of 40 records'
[ -z "$(row prog cold)" ] || fail 'cold is there'
watched 0 --iterations 1 --loads --period 2048 --user
logs 'spe tid -1 cpu 0 period 2048 config 0x200010001 inherit 0 user 1'

mkdir -p "$dir/spe/sys/devices/system/cpu/cpu0/regs/identification"
echo 0x00000000413fd0c1 >"$dir/spe/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"
watched 0 --iterations 1 --by core
says 'Neoverse N1'

begin "top: processes, threads and a command"
mkdir -p "$dir/spe/proc/42/task/42" "$dir/spe/proc/42/task/43" "$dir/spe/proc/43"
printf 'Name:\tx\nTgid:\t42\n' | tee "$dir/spe/proc/43/status" >"$dir/spe/proc/42/status"
echo x >"$dir/spe/proc/42/comm"
: >"$dir/spe/proc/42/maps"
watched 0 --iterations 1 -p 42
for tid in 42 43; do
	logs "spe tid $tid cpu 0 period 131072 config 0x10001 inherit 1 user 1"
	logs "dummy tid $tid cpu 0 period 1 config 0x9 inherit 1 user 1"
done
silent
FAKE_PCS='' watched 0 --iterations 2 -p 42
warns 'top: no samples: what -p and -t name executed nothing that the filters of sampling keep; they leave out children that already run: name them too, or give -a'
[ "$(wc -l <"$err")" -eq 1 ] || fail 'not one message'
FAKE_PCS='' watched 0 --iterations 2
silent
watched 0 --iterations 1 -t 43
[ "$(grep -c '^spe' "$FAKE_LOG")" -eq 1 ] || fail 'another thread too'
# top prints one table when the command has ended, however long that takes.
watched 0 --interval 3600 -- sh -c "echo from the command; exit 3"
says 'from the command'
[ "$(tables)" -eq 1 ] || fail "$(tables) tables"
count_is prog hot 30
# A program that reads the tables does not want the command's output among them.
watched 0 --interval 3600 --json -- sh -c "echo from the command; exit 3"
warns 'from the command'
[ "$(head -c 9 "$out")" = '{"format"' ] || fail 'it does not begin as JSON'
watched 0 --interval 3600 -- "$dir/no-such-program"
warns 'cannot run'

begin "top: on a terminal"
if [[ $(ldd "$faked") != *ncurses* ]]; then
	skip 'built without ncurses'
else
	terminal --interval 0.01 <<'END'
see # 40 records
see 75.00%
see sorted by cost
type s
see sorted by count
type ggg
see by op
see 100.00%
type fop == store\r
see # 0 samples
type f\u\r
see # 40 samples
type b\r
see by symbol
see hot
type \r
see # hot in
see q back
type q
see 40 records
type q
end 0
END
	terminal --interval 3600 -- echo nobody sees this <<'END'
see the command has ended
see hot
miss nobody
type q
end 0
END
	terminal --once --interval 0.01 <<'END'
see hot
miss sorted by cost
end 0
END
fi

finish
