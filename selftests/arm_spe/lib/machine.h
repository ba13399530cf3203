/* SPDX-License-Identifier: GPL-2.0-only */
/* A virtual machine with one CPU that runs a counting loop; the test creates it itself. */
#ifndef ARM_SPE_TEST_MACHINE_H
#define ARM_SPE_TEST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Guest physical address of the memory.  No test program has code at this address. */
#define SPE_MACHINE_RAM		UINT64_C(0x80000000)
#define SPE_MACHINE_SIZE	UINT64_C(0x10000)
/* Operations in one round. */
#define SPE_MACHINE_OPS		4

struct kvm_run;

struct spe_machine {
	int kvm, vm, cpu;
	void *ram;
	struct kvm_run *run;
	size_t run_size;
	bool hypervisor;
};

/* A closed machine, which spe_machine_close() accepts. */
#define SPE_NO_MACHINE	((struct spe_machine){ .kvm = -1, .vm = -1, .cpu = -1 })

/* Returns 0 or a negative error number; -ENOENT if the kernel has no KVM. */
int spe_machine_open(struct spe_machine *m);

/* The same with a CPU that has EL2, for a hypervisor; -EOPNOTSUPP if KVM runs none (kvm-arm.mode=nested). */
int spe_machine_open_hypervisor(struct spe_machine *m);

/* Gives the virtual machine @vm, which has its CPUs, a GICv3.  Returns 0 or a negative error number. */
int spe_machine_add_gic(int vm, uint64_t distributor, uint64_t redistributors);

/* Sets CONTEXTIDR_EL1, as a guest's kernel does.  Returns 0 or a negative error number. */
int spe_machine_set_context(struct spe_machine *m, uint64_t context);

/* From now on the machine runs at EL0 instead of EL1.  Returns 0 or a negative error number. */
int spe_machine_drop(struct spe_machine *m);

/*
 * Runs the loop for ROUNDS rounds to the end, however often it is interrupted.  Returns 0 or a
 * negative error number.
 */
int spe_machine_run(struct spe_machine *m, uint64_t rounds);

/*
 * Executes one INSTRUCTION at EL1, and sets *RESULT to X2 after it, which was 0 before.  Returns 0; 1 if it took an
 * exception to EL1, and *RESULT is ESR_EL1; or a negative error number.
 */
int spe_machine_try(struct spe_machine *m, uint32_t instruction, uint64_t *result);

void spe_machine_close(struct spe_machine *m);

#endif
