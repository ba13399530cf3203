/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Capabilities of the CPUs, reset of the unit, and why a device is not bound.
 */
#ifndef SPE_PROBE_H
#define SPE_PROBE_H

#include "spe.h"

int spe_probe_pmu(struct spe_pmu *spe);
void spe_probe_split(struct spe_pmu *spe, struct cpumask *rest);
enum spe_bind spe_probe_this_cpu(struct spe_caps *caps);
void spe_probe_reset_this_cpu(void);
void spe_probe_deassert_irqs(const struct cpumask *in_use);
bool spe_probe_device_exists(void);
void spe_probe_announce(const struct spe_pmu *spe);
void spe_probe_explain_absence(void);

#endif /* SPE_PROBE_H */
