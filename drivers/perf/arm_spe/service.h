/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Service of management events.  Call these functions on the CPU of c with
 * interrupts disabled.
 */
#ifndef SPE_SERVICE_H
#define SPE_SERVICE_H

#include "spe.h"

void spe_service_event(struct spe_cpu *c, u64 pmbsr);
void spe_service_account(struct spe_cpu *c, u64 pmbsr);

#endif /* SPE_SERVICE_H */
