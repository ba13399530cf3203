/* SPDX-License-Identifier: GPL-2.0-only */
/* A 32-bit program, made here so that no compiler for it is needed. */
#ifndef ARM_SPE_TEST_A32_H
#define ARM_SPE_TEST_A32_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Starts it on a CPU: at EL0 in AArch32 state, for ever, that many rounds of a
 * loop and then a byte, to be read FROM.  Returns its process id or a negative
 * error number.
 */
pid_t spe_a32_start(int cpu, uint32_t rounds, int *from);

/* Ends it, wherever it is. */
void spe_a32_stop(pid_t pid);

#endif
