// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe pmbsr: explain a value of PMBSR_EL1 with the driver's own decoder.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "syndrome.h"
#include "util/util.h"
#include "verbs/verbs.h"

static void usage(FILE *to)
{
	fputs("usage: perf spe pmbsr [--v1p5] VALUE...\n"
	      "\n"
	      "Explains values of PMBSR_EL1, PMBSR_EL2 or PMBSR_EL3 from the kernel's log or the\n"
	      "tracepoint arm_spe_event: the fields, the event, and what the driver does.\n"
	      "\n"
	      "      --v1p5   decode for a CPU with SPEv1p5 or newer\n"
	      "  -h, --help   this text\n", to);
}

static const struct {
	uint64_t bit;
	const char *name, *meaning;
} flags[] = {
	{ ARM_SPE_PMBSR_DL, "DL", "data loss: the last record is incomplete" },
	{ ARM_SPE_PMBSR_EA, "EA", "External abort: written bytes may be wrong" },
	{ ARM_SPE_PMBSR_S, "S", "service: the unit stopped profiling" },
	{ ARM_SPE_PMBSR_COLL, "COLL", "samples collided and were dropped" },
};

static const char *const actions[] = {
	[SPE_IGNORE] = "does nothing: profiling continues",
	[SPE_RESUME] = "sets a new buffer limit and resumes",
	[SPE_REPOSITION] = "sets a new buffer pointer and limit, and resumes",
	[SPE_STOP] = "ends the session",
};

_Static_assert(sizeof(actions) / sizeof(actions[0]) == SPE_STOP + 1,
	       "a text for each action");

static const struct {
	unsigned int bit;
	const char *name;
} losses[] = {
	{ SPE_LOSS_COLLISION, "COLLISION" },
	{ SPE_LOSS_PARTIAL, "PARTIAL" },
	{ SPE_LOSS_TRUNCATED, "TRUNCATED" },
};

static const struct {
	unsigned int bit;
	const char *meaning;
} details[] = {
	{ SPE_DETAIL_DIRTY_BIT, "denied by the dirty state" },
	{ SPE_DETAIL_OVERLAY, "denied by a permission overlay" },
	{ SPE_DETAIL_ASSURED_ONLY, "denied by AssuredOnly of stage 2" },
	{ SPE_DETAIL_TOP_LEVEL, "denied by TopLevel of stage 2" },
};

static void print_verdict(const struct spe_verdict *v)
{
	unsigned int n = 0;
	size_t i;

	printf("  event  %s\n", v->name);
	for (i = 0; i < sizeof(details) / sizeof(details[0]); i++)
		if (v->detail & details[i].bit)
			printf("         %s\n", details[i].meaning);
	printf("  driver %s%s\n", actions[v->action], v->retryable ?
	       ", if the unit has written something since the last attempt" : "");
	for (i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (v->loss & losses[i].bit)
			printf("%s%s", n++ ? ", " : "         and marks the data ",
			       losses[i].name);
	if (n)
		putchar('\n');
}

static void explain(uint64_t value, const struct spe_caps *caps)
{
	struct spe_verdict v = spe_syndrome_decode(value, caps);
	unsigned int ec = (unsigned int)spe_get(ARM_SPE_PMBSR_EC, value);
	size_t i;

	printf("PMBSR 0x%" PRIx64 "\n", value);
	printf("  %-6s 0x%02x\n", "EC", ec);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		printf("  %-6s %d%s%s\n", flags[i].name,
		       !!(value & flags[i].bit),
		       value & flags[i].bit ? "     " : "",
		       value & flags[i].bit ? flags[i].meaning : "");
	printf("  %-6s 0x%04x%s%s\n", "MSS",
	       (unsigned int)spe_get(ARM_SPE_PMBSR_MSS, value),
	       *v.fault ? " " : "", v.fault);
	if (value & ARM_SPE_PMBSR_MSS2)
		printf("  %-6s 0x%06x\n", "MSS2",
		       (unsigned int)spe_get(ARM_SPE_PMBSR_MSS2, value));
	print_verdict(&v);
}

int verb_pmbsr(int argc, char **argv)
{
	static const struct option options[] = {
		{ "v1p5", no_argument, NULL, '5' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct spe_caps caps = { .pmsver = 1 };
	uint64_t value;
	int option;
	char *end;

	while ((option = option_next("pmbsr", argc, argv, "h", options)) == '5')
		caps.pmsver = ARM_SPE_PMSVER_V1P5;
	if (option == 'h') {
		usage(stdout);
		return EXIT_OK;
	}
	if (option != -1)
		return EXIT_USAGE;
	if (optind == argc) {
		say("pmbsr: no value given: add one, for example 0x94000001; try 'perf-spe help pmbsr'");
		return EXIT_USAGE;
	}
	for (; optind < argc; optind++) {
		errno = 0;
		value = strtoull(argv[optind], &end, 0);
		if (*argv[optind] < '0' || *argv[optind] > '9' || *end ||
		    errno) {
			say("pmbsr: '%s' is not a number: give the register's value in decimal or as 0x...",
			    argv[optind]);
			return EXIT_USAGE;
		}
		explain(value, &caps);
	}
	return EXIT_OK;
}
