/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The limit of the time that services take on a CPU.  Call these functions on the CPU of
 * c with interrupts disabled.
 */
#ifndef SPE_THROTTLE_H
#define SPE_THROTTLE_H

#include "spe.h"

void spe_throttle_setup(struct spe_cpu *c);
void spe_throttle_enter(struct spe_cpu *c);
void spe_throttle_leave(struct spe_cpu *c);
bool spe_throttle_due(const struct spe_cpu *c);
void spe_throttle_pause(struct spe_cpu *c);
void spe_throttle_update(struct spe_cpu *c);
void spe_throttle_cleanup(struct spe_cpu *c);

#endif /* SPE_THROTTLE_H */
