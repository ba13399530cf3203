/* SPDX-License-Identifier: GPL-2.0-only */
/* A virtual machine of one CPU, made by the test itself, that counts down. */
#ifndef ARM_SPE_TEST_MACHINE_H
#define ARM_SPE_TEST_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* Where the machine sees its memory; no program of ours lies there. */
#define SPE_MACHINE_RAM		UINT64_C(0x80000000)
#define SPE_MACHINE_SIZE	UINT64_C(0x10000)
/* Operations in a round. */
#define SPE_MACHINE_OPS		4

struct kvm_run;

struct spe_machine {
	int kvm, vm, cpu;
	void *ram;
	struct kvm_run *run;
	size_t run_size;
};

/* What spe_machine_close() leaves alone. */
#define SPE_NO_MACHINE	((struct spe_machine){ .kvm = -1, .vm = -1, .cpu = -1 })

/* 0 or a negative error number; -ENOENT of a kernel that is no host. */
int spe_machine_open(struct spe_machine *m);

/* The rest of its operations are at EL0 instead of EL1; 0 or negative. */
int spe_machine_drop(struct spe_machine *m);

/* That many rounds, to their end, whatever interrupts them; 0 or negative. */
int spe_machine_run(struct spe_machine *m, uint64_t rounds);

void spe_machine_close(struct spe_machine *m);

#endif
