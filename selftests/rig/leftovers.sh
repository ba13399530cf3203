#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC3043  # busybox sh has local
#
# What no kselftest and no job may leave in a guest: references on the driver's module, perf
# events, AUX buffers, memory, a module that does not unload.  init sources this file and looks
# after each job, and jobs/check-lib.sh after each kselftest.  selftests/programs/leftovers.c
# counts.

kmemleak=/sys/kernel/debug/kmemleak

# The driver's modules that are loaded.
drivers_loaded() { cut -d ' ' -f 1 /proc/modules | grep -xE 'arm_spe|arm_spe_pmu'; }

module_references() { # NAME
	awk -v name="$1" '$1 == name { print $3 }' /proc/modules
}

leftovers_begin() { # NAME
	/leftovers begin "/tmp/leftovers.$1"
}

leftovers_end() { # NAME [KB]
	/leftovers end "/tmp/leftovers.$1" "${2:-4096}"
}

# Unloads a module and loads FILE with the same parameters; PARAMETER=VALUE overrides one.
module_reload() { # NAME FILE [PARAMETER=VALUE...]
	local name="$1" file="$2" parameter value before=''
	shift 2
	for parameter in /sys/module/"$name"/parameters/*; do
		[ -e "$parameter" ] || continue
		value=$(cat "$parameter")
		case $(stat -c %a "$parameter") in
		*6??) before="$before $parameter=$value" ;;
		*) set -- "${parameter##*/}=$value" "$@" ;;
		esac
	done
	rmmod "$name" && insmod "$file" "$@" || return
	for value in $before; do
		echo "${value#*=}" >"${value%%=*}" || return
	done
}

# Whether kmemleak finds memory that nothing points to.  A first scan only suspects.
kmemleak_finds_nothing() {
	[ -e $kmemleak ] || return 0
	echo scan >$kmemleak && sleep 6 && echo scan >$kmemleak && cat $kmemleak >/out/kmemleak.txt
	cat /out/kmemleak.txt
	[ ! -s /out/kmemleak.txt ]
}

# Before a job.
job_begins() {
	[ ! -e $kmemleak ] || echo clear >$kmemleak
	leftovers_begin job
}

# After a job: says what is wrong, and fails then.  A job may leave the module loaded.
job_ends() {
	local name rc=0
	# Jobs load modules of their own, and perf and tmpfs keep some memory.
	leftovers_end job 32768 || rc=1
	for name in $(drivers_loaded); do
		rmmod "$name" || rc=1
	done
	[ $rc -ne 0 ] || [ ! -e /job/arm_spe_pmu.ko ] || module_comes_and_goes || rc=1
	kmemleak_finds_nothing || rc=1
	return $rc
}

# Loads the driver and unloads it.  It has either name.  It may find no unit, a kernel may demand
# a signature, and a PMU of that name may be built in or a test's.
module_comes_and_goes() {
	local said
	[ ! -e /sys/bus/event_source/devices/arm_spe_0 ] || return 0
	if ! said=$(insmod /job/arm_spe_pmu.ko 2>&1); then
		echo "$said"
		case $said in *'No such device'* | *[Kk]ey*) return 0 ;; esac
		return 1
	fi
	rmmod arm_spe_pmu 2>/dev/null || rmmod arm_spe
}

# For each kselftest; jobs/check-lib.sh calls these, and has check().

# The module under test: its name, and its file.
driver_name() { echo "${ARM_SPE_NAME:-arm_spe_pmu}"; }
driver_file() {
	[ "${DRIVER:-ours}" = intree ] || echo /job/arm_spe_pmu.ko
	[ "${DRIVER:-ours}" = ours ] || echo /job/intree_arm_spe_pmu.ko
}

# Prints whether the module lets other events pause a session (Y or N); nothing if it has no
# such parameter.
aux_pause() { cat "/sys/module/$(driver_name)/parameters/aux_pause" 2>/dev/null; }

# These programs need a session that other events may pause, which is not the default.
allow_aux_pause() { # PROGRAM
	case $1 in
	strict_pause | strict_aux_sample | strict_stress) ;;
	*) return ;;
	esac
	[ "$(aux_pause)" != N ] ||
		check "$1: the module loads with aux_pause=1" \
			module_reload "$(driver_name)" "$(driver_file)" aux_pause=1
}

# A kselftest leaves nothing in the kernel, and the module can be loaded again.  AUX_PAUSE is
# the parameter's value before the program.  Each load counts events from 0 again, so the
# counters are kept.
leaves_nothing() { # AUX_PAUSE
	leftovers_end kselftest || return
	# Not loaded, or an earlier program has failed here.
	[ "$(module_references "$(driver_name)")" = 0 ] || return 0
	# Each time a built-in driver gets its device back, its PMU gets a higher number, and perf
	# knows only as many as there are CPUs.  The job reloads the module itself.
	! grep -qx Y "/sys/module/$(driver_name)/parameters/takeover" 2>/dev/null || return 0
	cat /sys/kernel/debug/arm_spe_pmu/* >>/tmp/counters 2>/dev/null
	# shellcheck disable=SC2086  # no parameter, or one
	module_reload "$(driver_name)" "$(driver_file)" ${1:+aux_pause=$1}
}
