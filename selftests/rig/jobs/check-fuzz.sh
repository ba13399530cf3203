#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Random calls of perf by several tasks, one of them an ordinary user's
# (selftests/arm_spe/fuzz), for ARM_SPE_FUZZ_SECONDS.  ARM_SPE_FUZZ_SEED repeats the calls of an
# earlier run, whose seed is in its verdict and on its console; "random" draws one.

set -a
. /job/environment
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
export ARM_SPE_MODULE
seed=${ARM_SPE_FUZZ_SEED:-random}
[ "$seed" != random ] || seed=$(od -A n -N 3 -t u4 /dev/urandom | tr -d ' ')
repeated() { /job/spe_fuzz --seed "$seed" --print 500 | md5sum; }

check 'the module loads' insmod "$ARM_SPE_MODULE"
check 'a seed gives the same calls each time' [ "$(repeated)" = "$(repeated)" ]
# If the guest panics, this line and the console tell the seed.
verdict ok "the fuzzer begins, with ARM_SPE_FUZZ_SEED=$seed"
check "the fuzzer finds nothing in ${ARM_SPE_FUZZ_SECONDS:-60} s" \
	/job/spe_fuzz --seed "$seed" --seconds "${ARM_SPE_FUZZ_SECONDS:-60}"
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' sh -c \
	"! dmesg | grep -nE 'WARNING|BUG:|Oops|Call trace|UBSAN|KASAN|INFO: (task|rcu)|DEBUG_LOCKS|nobody cared'"
