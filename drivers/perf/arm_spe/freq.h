/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frequency mode of a session.  Call these functions on the CPU of c with
 * interrupts disabled.
 */
#ifndef SPE_FREQ_H
#define SPE_FREQ_H

#include "spe.h"

void spe_freq_setup(struct spe_cpu *c);
void spe_freq_open(struct spe_cpu *c, struct perf_event *event);
void spe_freq_start(struct spe_cpu *c);
void spe_freq_account(struct spe_cpu *c, u64 position);
u64 spe_freq_max_bytes(const struct spe_cpu *c);
void spe_freq_close(struct spe_cpu *c);
void spe_freq_cleanup(struct spe_cpu *c);

#endif /* SPE_FREQ_H */
