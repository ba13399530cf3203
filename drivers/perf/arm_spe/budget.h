/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A budget: the share of time that services may take.  Pure.
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
 * time a hypervisor has probably run another machine on this CPU, so the rest neither
 * counts nor pays.
 */
#define SPE_BUDGET_SERVICE_MAX	1000000ULL

#define SPE_BUDGET_DEFAULT	25	/* percent */

struct spe_budget {
	u64 debt;	/* ns of services that the budget has not paid */
	u64 paid_to;	/* ns: time up to which the debt is paid off */
};

/*
 * spe_budget_pay() - time has passed
 * @percent: share of the time that services may take; 0, 100 or more: no limit
 * @now: ns
 *
 * The time since paid_to pays off debt.  To leave out time that must not pay, set paid_to
 * to its end.
 */
void spe_budget_pay(struct spe_budget *budget, unsigned int percent, u64 now);

/* A service has taken so many ns since paid_to. */
void spe_budget_charge(struct spe_budget *budget, u64 ns);

/* Returns whether sampling must pause, as of paid_to. */
bool spe_budget_exceeded(const struct spe_budget *budget, unsigned int percent);

/* Returns the ns from paid_to until the debt is paid; 0: it is paid. */
u64 spe_budget_due(const struct spe_budget *budget, unsigned int percent);

#endif /* SPE_BUDGET_H */
