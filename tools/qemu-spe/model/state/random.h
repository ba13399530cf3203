/*
 * Pseudo-random numbers that a seed makes repeatable.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef TARGET_ARM_SPE_STATE_RANDOM_H
#define TARGET_ARM_SPE_STATE_RANDOM_H

#include <stdint.h>

/* Uniform.  @state is not zero and never becomes so. */
uint8_t spe_random_byte(uint64_t *state);

#endif
