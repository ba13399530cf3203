/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread of sharers.c does in one round, with the memory at @at */
#ifndef SHARERS_STEPS_H
#define SHARERS_STEPS_H

#include "sharers.h"

#define STEP(name) __attribute__((noinline)) void name(uint8_t *at, uint64_t round)

STEP(add64); STEP(add32); STEP(add16); STEP(add8);
STEP(read64); STEP(read32); STEP(read8);
STEP(write64); STEP(write32); STEP(write8);
STEP(add64_again); STEP(read64_again);
STEP(atomic_add); STEP(atomic_or);
STEP(lock_add); STEP(ticket_add);
STEP(sequence_write); STEP(sequence_read);
STEP(get_and_put); STEP(push);
STEP(ring_put); STEP(ring_get); STEP(cached_put); STEP(cached_get);
STEP(mail_write); STEP(mail_read);
STEP(add_first_half); STEP(add_second_half); STEP(read_all);
STEP(copy32); STEP(write16);
STEP(sweep_end); STEP(sweep_begin);

#endif
