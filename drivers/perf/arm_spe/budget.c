// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A budget: accounts for the time of services.
 */
#include "budget.h"

static bool spe_budget_limits(unsigned int percent)
{
	return percent && percent < 100;
}

void spe_budget_pay(struct spe_budget *budget, unsigned int percent, u64 now)
{
	/* The clock may differ between CPUs: time that went backwards pays nothing. */
	u64 elapsed = now > budget->paid_to ? now - budget->paid_to : 0;
	/* Divide first: after years, elapsed * percent exceeds 64 bits. */
	u64 paid = elapsed / 100 * percent + elapsed % 100 * percent / 100;

	budget->paid_to = now;
	budget->debt = spe_budget_limits(percent) && budget->debt > paid ? budget->debt - paid : 0;
}

void spe_budget_charge(struct spe_budget *budget, u64 ns)
{
	u64 counted = ns < SPE_BUDGET_SERVICE_MAX ? ns : SPE_BUDGET_SERVICE_MAX;

	budget->debt += counted;
	budget->paid_to += ns - counted;
}

bool spe_budget_exceeded(const struct spe_budget *budget, unsigned int percent)
{
	return spe_budget_limits(percent) && budget->debt > SPE_BUDGET_WINDOW / 100 * percent;
}

u64 spe_budget_due(const struct spe_budget *budget, unsigned int percent)
{
	if (!spe_budget_limits(percent))
		return 0;
	return (budget->debt * 100 + percent - 1) / percent;
}
