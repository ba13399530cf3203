/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The limit of the time that services take.  Call these functions on the CPU of c with
 * interrupts disabled.
 */
#ifndef SPE_THROTTLE_H
#define SPE_THROTTLE_H

#include "spe.h"

struct spe_event_data *spe_throttle_enter(struct spe_cpu *c);
void spe_throttle_charge(struct spe_cpu *c, struct spe_event_data *data);
void spe_throttle_leave(struct spe_cpu *c);
bool spe_throttle_due(struct spe_cpu *c, struct spe_event_data *data);
void spe_throttle_pause(struct spe_cpu *c, struct spe_event_data *data);

void spe_throttle_sched_in(struct spe_event_data *data);
void spe_throttle_sched_out(struct spe_event_data *data);
void spe_throttle_follow(struct spe_cpu *c);
void spe_throttle_arm(struct spe_cpu *c);

void spe_throttle_setup(struct spe_cpu *c);
void spe_throttle_cleanup(struct spe_cpu *c);

#endif /* SPE_THROTTLE_H */
