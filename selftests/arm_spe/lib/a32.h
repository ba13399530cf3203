/* SPDX-License-Identifier: GPL-2.0-only */
/* A 32-bit program that the test writes itself, so that no 32-bit compiler is needed. */
#ifndef ARM_SPE_TEST_A32_H
#define ARM_SPE_TEST_A32_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Starts the program on a CPU.  It runs at EL0 in AArch32 state and never ends: it executes
 * ROUNDS rounds of a loop, writes one byte to the pipe FROM, and begins again.  Returns the
 * process id or a negative error number.
 */
pid_t spe_a32_start(int cpu, uint32_t rounds, int *from);

/* Kills the program and waits for its end. */
void spe_a32_stop(pid_t pid);

#endif
