/* SPDX-License-Identifier: GPL-2.0-only */
/* The machine that doctor examines: the facts that several checks use. */
#ifndef PERF_SPE_DOCTOR_MACHINE_H
#define PERF_SPE_DOCTOR_MACHINE_H

#include <stdbool.h>

#include "doctor/distributions.h"
#include "doctor/platforms.h"
#include "doctor/report.h"
#include "doctor/words.h"

struct machine {
	const char *root;		/* "": this machine */
	char *kernel;			/* its release */
	char *command_line;		/* of the kernel; "" if unknown */
	char *log;			/* of the kernel; NULL: unreadable */
	char *product;			/* "" if unknown */
	const struct distribution *distribution;
	const struct platform *platform;	/* NULL: none that doctor knows */
	bool is_virtual;
	bool is_privileged;		/* this process may record everything */
	struct words words;
	struct report report;
};

void machine_read(struct machine *m, const char *root);
void machine_free(struct machine *m);

/* Add a finding with this machine's words. */
void machine_ok(struct machine *m, const char *id, const char *what);
void machine_problem(struct machine *m, const struct remedy *advice);
void machine_unknown(struct machine *m, const struct remedy *advice);

#endif
