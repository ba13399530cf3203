// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The budget of a CPU: accounts for the time of services.
 */
#include "budget.h"

static bool spe_budget_limits(unsigned int percent)
{
	return percent && percent < 100;
}

/* Returns the time from one point to another, or 0 if the clock went backwards. */
static u64 spe_budget_elapsed(u64 from, u64 to)
{
	return to > from ? to - from : 0;
}

/* Returns the time of the last service, as far as it counts. */
static u64 spe_budget_service(const struct spe_budget *budget)
{
	u64 ns = spe_budget_elapsed(budget->entered, budget->left);

	return ns < SPE_BUDGET_SERVICE_MAX ? ns : SPE_BUDGET_SERVICE_MAX;
}

/* Returns the debt at a time, including that of the last service. */
static u64 spe_budget_debt(const struct spe_budget *budget, unsigned int percent, u64 now)
{
	u64 debt = budget->debt + spe_budget_service(budget);
	u64 elapsed = spe_budget_elapsed(budget->paid_to, now);
	/* The machine may have run for years: divide first. */
	u64 paid = elapsed / 100 * percent + elapsed % 100 * percent / 100;

	return debt > paid ? debt - paid : 0;
}

u64 spe_budget_enter(struct spe_budget *budget, unsigned int percent, u64 now)
{
	u64 ns = spe_budget_elapsed(budget->entered, budget->left);

	budget->debt = spe_budget_limits(percent) ? spe_budget_debt(budget, percent, now) : 0;
	budget->paid_to = now;
	budget->entered = now;
	budget->left = now;
	return ns;
}

void spe_budget_leave(struct spe_budget *budget, u64 now)
{
	budget->left = now;
}

bool spe_budget_exceeded(const struct spe_budget *budget, unsigned int percent)
{
	return spe_budget_limits(percent) && budget->debt > SPE_BUDGET_WINDOW / 100 * percent;
}

u64 spe_budget_due(const struct spe_budget *budget, unsigned int percent, u64 now)
{
	u64 debt;

	if (!spe_budget_limits(percent))
		return 0;
	debt = spe_budget_debt(budget, percent, now);
	return (debt * 100 + percent - 1) / percent;
}
