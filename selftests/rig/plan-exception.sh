# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The guests of kernels with patches/linux.  Sourced by check-guest.

# A guest of the Profiling exception; "-ebep" in its name: with FEAT_EBEP.
plan_exc() { # NAME KERNEL LEVEL [OPTION...]
	local cpu=spe=on,spe-version=v1p5,spe-inject-reg=on
	[[ $1 != *-ebep ]] || cpu=$cpu,spe-ebep=on
	plan "$1" compare_tools check-exception.sh ours "${@:2:2}" --memory 2048 --timeout 7200 \
		--cpu "$cpu" "${@:4}"
}

# The kernel gives EL2 up, whose PMSCR_EL2.EE then decides for EL1.
plan_nvhe() { # KERNEL
	plan "$1-nvhe-ebep" true check-delegated.sh ours "$1" 1 --el2 --append kvm-arm.mode=nvhe \
		--cpu spe=on,spe-version=v1p5,spe-ebep=on
}

# "denied": a hypervisor has decided against it.  "without": no FEAT_SPE_EXC.
# The others: programs that need a machine of their own.
plan_exception() { # KERNEL
	local level debug=(--append log_buf_len=64M) ebep=spe=on,spe-version=v1p5,spe-ebep=on
	case $1 in
	exc)
		for level in 1 2; do
			plan_exc "$1-el$level" "$1" "$level"
			plan_exc "$1-el$level-ebep" "$1" "$level"
		done
		plan_nvhe "$1"
		plan "$1-idle-ebep" check_tools check-idle.sh ours "$1" 1 --smp 1 --secure \
			--cpu "$ebep,sve=off,sme=off" --under "$SPE_BUILD/guest/power.image" \
			--dts "$SPE_TOP/selftests/rig/dts/idle.dts"
		# A second CPU that is possible and not online.
		plan "$1-frequency-ebep" no_faults check-frequency.sh ours "$1" 1 --smp 2 --append maxcpus=1 \
			--icount 3 --cpu "$ebep"
		# Firmware names an interrupt that the unit does not have.
		plan "$1-deaf" true check-deaf.sh ours "$1" 1 --icount 0 --cpu "$ebep" \
			--dts "$SPE_TOP/selftests/rig/dts/wrong-interrupt.dts"
		plan "$1-large-ebep" no_faults check-large.sh ours "$1" 1 --smp 1 --memory 3072 \
			--cpu "$ebep,spe-align=2048"
		plan "$1-denied" true check-denied.sh ours "$1" 1 --smp 1 \
			--cpu "$ebep,sve=off,sme=off" --under "$SPE_BUILD/guest/denier.image"
		plan "$1-without" check_tools check-version.sh ours "$1" 2 --cpu spe=on
		;;
	exc-debug)
		plan_exc "$1-el1-ebep" "$1" 1 "${debug[@]}"
		plan_exc "$1-el2-ebep" "$1" 2 "${debug[@]}"
		;;
	exc-6.12)
		plan_exc "$1-el1-ebep" "$1" 1
		plan_exc "$1-el2" "$1" 2
		plan_nvhe "$1"
		;;
	esac
}
