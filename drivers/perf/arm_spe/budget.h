/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The budget of a CPU: the share of its time that services may take.  Pure.
 *
 * Each service adds its time to a debt, and each ns pays off the share of a ns that the
 * budget allows.  When the debt exceeds the budget of a window, sampling must pause until
 * the debt is paid.  So services never take more than the budget of a window at once,
 * and the share is met in the long run, however short the services are.
 */
#ifndef SPE_BUDGET_H
#define SPE_BUDGET_H

#include "types.h"

/* Length of a window in ns. */
#define SPE_BUDGET_WINDOW	10000000ULL

/*
 * The most that one service counts, in ns.  A service takes microseconds.  In a longer
 * time a hypervisor has probably run another machine on this CPU.
 */
#define SPE_BUDGET_SERVICE_MAX	1000000ULL

#define SPE_BUDGET_DEFAULT	25	/* percent */

struct spe_budget {
	u64 debt;	/* ns of services that the budget has not paid */
	u64 paid_to;	/* ns: time up to which the debt is paid off */
	u64 entered;	/* ns: start of the last service */
	u64 left;	/* ns: end of the last service; up to entered: none */
};

/*
 * spe_budget_enter() - a service starts
 * @percent: share of a CPU's time that services may take; 0, 100 or more: no limit
 * @now: ns
 *
 * Accounts for the last service.  Returns its time in ns.
 */
u64 spe_budget_enter(struct spe_budget *budget, unsigned int percent, u64 now);

/* A service ends.  Only stores the time, so that a service may interrupt this. */
void spe_budget_leave(struct spe_budget *budget, u64 now);

/* Returns whether sampling must pause, as of the last spe_budget_enter(). */
bool spe_budget_exceeded(const struct spe_budget *budget, unsigned int percent);

/* Returns the ns until the debt, including that of the last service, is paid; 0: now. */
u64 spe_budget_due(const struct spe_budget *budget, unsigned int percent, u64 now);

#endif /* SPE_BUDGET_H */
