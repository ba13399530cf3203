// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine ROUNDS: runs a virtual machine of KVM, first at EL1 and then at EL0, ROUNDS rounds each.
 * For recordings of guests, on a host at EL2.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(struct spe_machine *machine, uint64_t rounds)
{
	return spe_machine_open(machine) ?: spe_machine_set_context(machine, 0x1234) ?:
	       spe_machine_run(machine, rounds) ?: spe_machine_drop(machine) ?:
	       spe_machine_run(machine, rounds);
}

int main(int argc, char **argv)
{
	struct spe_machine machine;
	int err;

	if (argc != 2 || !strtoul(argv[1], NULL, 10)) {
		fprintf(stderr, "usage: machine ROUNDS\n");
		return 1;
	}
	err = run(&machine, strtoul(argv[1], NULL, 10));
	spe_machine_close(&machine);
	if (err)
		fprintf(stderr, "machine: cannot run a virtual machine: %s\n", strerror(-err));
	return !!err;
}
