/*
 * Arm Statistical Profiling Extension: SPEINJ_EL1 (S3_0_C15_C9_0), with which
 * a guest injects management events.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "qapi/error.h"
#include "cpu.h"
#include "cpregs.h"
#include "regs.h"
#include "../inject/inject.h"

FIELD(SPEINJ, RECORD, 0, 12)
FIELD(SPEINJ, KIND, 12, 4)
FIELD(SPEINJ, FSC, 16, 6)
FIELD(SPEINJ, DL, 22, 1)
FIELD(SPEINJ, EA, 23, 1)
FIELD(SPEINJ, POINTER, 24, 8)   /* in units of 8 bytes */
FIELD(SPEINJ, MSS2, 32, 24)

/* The value of a read */
FIELD(SPEINJ, QUEUED, 0, 12)
FIELD(SPEINJ, REFUSED, 31, 1)
FIELD(SPEINJ, RAISED, 32, 32)

static uint64_t speinj_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    ARMSPEState *s = env->spe;
    uint64_t value = 0;

    value = FIELD_DP64(value, SPEINJ, QUEUED, s->injections);
    value = FIELD_DP64(value, SPEINJ, REFUSED, s->injection_refused);
    return FIELD_DP64(value, SPEINJ, RAISED, s->injected);
}

static void speinj_write(CPUARMState *env, const ARMCPRegInfo *ri,
                         uint64_t value)
{
    ARMSPEState *s = env->spe;
    Error *err = NULL;
    SPEInjection in = {
        .record = FIELD_EX64(value, SPEINJ, RECORD),
        .kind = FIELD_EX64(value, SPEINJ, KIND),
        .mss = FIELD_EX64(value, SPEINJ, FSC),
        .mss2 = FIELD_EX64(value, SPEINJ, MSS2),
        .pointer = FIELD_EX64(value, SPEINJ, POINTER) * 8,
        .dl = FIELD_EX64(value, SPEINJ, DL),
        .ea = FIELD_EX64(value, SPEINJ, EA),
    };

    s->injection_refused = in.kind >= SPE_INJECT_KINDS;
    if (!s->injection_refused) {
        if (!(spe_injection_kinds[in.kind].takes &
              (SPE_TAKES_FSC | SPE_TAKES_MSS))) {
            in.mss = spe_injection_kinds[in.kind].mss;
        }
        s->injection_refused = !spe_injection_queue(env, &in, &err);
    }
    if (s->injection_refused) {
        qemu_log_mask(LOG_GUEST_ERROR, "SPEINJ_EL1 = 0x%" PRIx64 ": %s\n",
                      value, err ? error_get_pretty(err) : "unknown KIND");
        error_free(err);
    }
}

static const ARMCPRegInfo speinj_cpreg = {
    .name = "SPEINJ_EL1", .state = ARM_CP_STATE_AA64, .type = ARM_CP_NO_RAW,
    .opc0 = 3, .opc1 = 0, .crn = 15, .crm = 9, .opc2 = 0, .access = PL1_RW,
    .readfn = speinj_read, .writefn = speinj_write,
};

void spe_inject_define_cpreg(ARMCPU *cpu)
{
    if (cpu->env.spe->config.inject_reg) {
        define_one_arm_cp_reg(cpu, &speinj_cpreg);
    }
}
