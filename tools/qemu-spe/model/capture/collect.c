/*
 * Arm Statistical Profiling Extension: which data System registers let a
 * sample collect (D17.6.9).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "internals.h"
#include "capture.h"
#include "../control/control.h"

/* Table D17-3; CollectTimeStamp() */
void spe_collect_timestamp(CPUARMState *env, SPERecord *rec)
{
    ARMSPEState *s = env->spe;
    bool el2 = spe_owning_el(env) == 2;
    int pct_el2 = FIELD_EX64(s->pmscr_el2, PMSCR, PCT);
    int pct = FIELD_EX64(s->pmscr_el1, PMSCR, PCT);
    uint64_t now;

    if (!FIELD_EX64(el2 ? s->pmscr_el2 : s->pmscr_el1, PMSCR, TS)) {
        return;
    }
    if (el2) {
        pct = pct_el2;
    } else if (arm_is_el2_enabled(env)) {
        if (pct_el2 == 0) {
            pct = 0;
        } else if (pct_el2 == 3 && pct == 1) {
            pct = 3;
        }
    }
    now = gt_get_countervalue(env);
    switch (pct) {
    case 0:
        now -= gt_direct_access_timer_offset(env, GTIMER_VIRT);
        break;
    case 3:
        if ((env->cp15.cnthctl_el2 & R_CNTHCTL_ECV_MASK) &&
            (!arm_feature(env, ARM_FEATURE_EL3) ||
             (env->cp15.scr_el3 & SCR_ECVEN))) {
            now -= env->cp15.cntpoff_el2;
        }
        break;
    }
    rec->timestamp = now;
    rec->has |= SPE_HAS_TIMESTAMP;
}

/* CollectContextIDR1(), CollectContextIDR2() */
void spe_collect_contexts(CPUARMState *env, SPERecord *rec, int el)
{
    ARMSPEState *s = env->spe;
    bool el2 = arm_is_el2_enabled(env);

    if (FIELD_EX64(s->pmscr_el1, PMSCR, CX) && el != 2 &&
        !(el2 && (env->cp15.hcr_el2 & HCR_TGE))) {
        rec->context1 = env->cp15.contextidr_el[1];
        rec->has |= SPE_HAS_CONTEXT1;
    }
    if (FIELD_EX64(s->pmscr_el2, PMSCR, CX) && el2) {
        rec->context2 = env->cp15.contextidr_el[2];
        rec->has |= SPE_HAS_CONTEXT2;
    }
}

/* CollectPhysicalAddress() */
bool spe_collects_physical_address(CPUARMState *env)
{
    ARMSPEState *s = env->spe;
    bool pa1 = FIELD_EX64(s->pmscr_el1, PMSCR, PA);

    if (!arm_is_el2_enabled(env)) {
        return pa1;
    }
    return FIELD_EX64(s->pmscr_el2, PMSCR, PA) &&
           (spe_owning_el(env) == 2 || pa1);
}
