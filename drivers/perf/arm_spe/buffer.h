/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's handle on the AUX buffer of a CPU's session, and the part of the
 * buffer that the unit was given (limit.h draws it).
 */
#ifndef SPE_BUFFER_H
#define SPE_BUFFER_H

#include "spe.h"

bool spe_buffer_begin(struct spe_cpu *c, struct perf_event *event, bool saved);
bool spe_buffer_reopen(struct spe_cpu *c);
void spe_buffer_end(struct spe_cpu *c, u64 size);
void spe_buffer_publish(struct spe_cpu *c, u64 head);
bool spe_buffer_head(struct spe_cpu *c, u64 *head);
void spe_buffer_flag(struct spe_cpu *c, unsigned int loss);

struct spe_plan spe_buffer_plan(struct spe_cpu *c, u64 head, u64 size, u64 wakeup, bool saved);
void spe_buffer_pad(struct spe_cpu *c, u64 position, u64 bytes);
void spe_buffer_blank(struct spe_cpu *c, u64 head);
void spe_buffer_program(struct spe_cpu *c);

#endif /* SPE_BUFFER_H */
