// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe pmbsr: a buffer syndrome in words, from the driver's own table.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "syndrome.h"
#include "util/message.h"
#include "verbs/verbs.h"

static void usage(FILE *to)
{
	fputs("usage: perf spe pmbsr [--v1p5] VALUE...\n"
	      "\n"
	      "Explains values of PMBSR_EL1 (_EL2, _EL3), as the kernel's log and the\n"
	      "tracepoint arm_spe_event show them: fields, event, and what the driver does.\n"
	      "\n"
	      "      --v1p5   the CPU has SPEv1p5 or newer\n"
	      "  -h, --help   this text\n", to);
}

static const struct {
	uint64_t bit;
	const char *name, *meaning;
} flags[] = {
	{ ARM_SPE_PMBSR_DL, "DL", "data loss: the last record is incomplete" },
	{ ARM_SPE_PMBSR_EA, "EA", "External abort: what was written is not sure" },
	{ ARM_SPE_PMBSR_S, "S", "service: profiling stopped" },
	{ ARM_SPE_PMBSR_COLL, "COLL", "samples collided and were dropped" },
};

static const char *const actions[] = {
	[SPE_IGNORE] = "goes on: profiling was not stopped",
	[SPE_RESUME] = "gives the buffer a new limit and goes on",
	[SPE_REPOSITION] = "goes on at a place of the buffer that is sure",
	[SPE_STOP] = "ends the session",
};

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
	{ SPE_DETAIL_DIRTY_BIT, "refused by the dirty state" },
	{ SPE_DETAIL_OVERLAY, "refused by a permission overlay" },
	{ SPE_DETAIL_ASSURED_ONLY, "refused by stage 2's AssuredOnly" },
	{ SPE_DETAIL_TOP_LEVEL, "refused by stage 2's TopLevel" },
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
	       ", as long as something was written since the last time" : "");
	for (i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (v->loss & losses[i].bit)
			printf("%s%s", n++ ? ", " : "  reader is told ",
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

	while ((option = getopt_long(argc, argv, "h", options, NULL)) == '5')
		caps.pmsver = ARM_SPE_PMSVER_V1P5;
	if (option != -1 || optind == argc) {
		usage(option == 'h' ? stdout : stderr);
		return option == 'h' ? EXIT_OK : EXIT_USAGE;
	}
	for (; optind < argc; optind++) {
		errno = 0;
		value = strtoull(argv[optind], &end, 0);
		if (*argv[optind] < '0' || *argv[optind] > '9' || *end ||
		    errno) {
			say("pmbsr: '%s' is not a value: 0x... or decimal",
			    argv[optind]);
			return EXIT_USAGE;
		}
		explain(value, &caps);
	}
	return EXIT_OK;
}
