# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # what is set here the cases use, and cli.sh has set
#
# perf spe top on the fake kernel of fake_kernel.c, for cli-top.sh and cli-top-stacks.sh.

faked=$(dirname "$fixture")/faked
FAKE_LOG=$dir/log
export FAKE_MAP FAKE_PCS FAKE_LOG FAKE_INODE

# make_pmu FOLDER: a PMU of a type that no kernel assigns; sets pmu
make_pmu() {
	local format
	pmu=$dir/$1/sys/bus/event_source/devices/arm_spe_0
	mkdir -p "$pmu/format" "$pmu/caps"
	echo 2147483000 >"$pmu/type"
	echo 0-3 >"$pmu/cpumask"
	echo 1024 >"$pmu/caps/min_interval"
	for format in ts_enable:config:0 jitter:config:16 load_filter:config:33 min_latency:config2:0-11; do
		echo "${format#*:}" >"$pmu/format/${format%%:*}"
	done
}

# make_agent_machine: a CPU with SPE, a program, and its process 10 in the control group $1; sets spool
make_agent_machine() {
	make_program
	make_pmu spe
	echo 0 >"$pmu/cpumask"
	mkdir -p "$dir/spe/proc/10"
	printf '0::%s\n' "$1" >"$dir/spe/proc/10/cgroup"
	FAKE_MAP="10 $map_prog /usr/bin/prog"
	FAKE_PCS="$(at "$hot"):30 $(at "$cold"):10"
	export PERF_SPE_SYMFS=$dir/root
	spool=$dir/spool
	mkdir "$spool"
}

# watched STATUS OPTIONS...: like run, on the fake kernel
watched() {
	local want=$1 got=0
	shift
	: >"$FAKE_LOG"
	"$faked" top --root "$dir/spe" --symfs "$dir/root" --interval 0.01 "$@" >"$out" 2>"$err" || got=$?
	[ "$got" -eq "$want" ] || fail "status $got, not $want: $*"
}
logs() { grep -qxF -- "$1" "$FAKE_LOG" || fail "no '$1' among: $(cat "$FAKE_LOG")"; }
tables() { grep -c '^# .* s, perf-spe used .* of a CPU$' "$out"; }
# terminal OPTIONS...: run it on the terminal with the steps on standard input
terminal() {
	"$(dirname "$fixture")/pty" "$faked" top --root "$dir/spe" --symfs "$dir/root" "$@" >"$out" 2>"$err" ||
		fail "on the terminal"
}
