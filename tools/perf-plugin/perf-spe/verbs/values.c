// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options whose values are words of a list, for the completion of a shell and for the value
 * "help", or values of a column that the recording has.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "export/export.h"
#include "export/pgo/pgo.h"
#include "output/layout/layout.h"
#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "output/verbs/verbs.h"
#include "util/util.h"
#include "verbs/verbs.h"

static const char *column_word(unsigned int index)
{
	static const char *const names[] = { "symbol", "object" };

	if (index < 2)
		return names[index];
	return index < 2 + NR_MEASURES ? measure_name((enum measure)(index - 2)) : NULL;
}

static const char *pgo_format_name(unsigned int index)
{
	const struct pgo_format *format = pgo_format_at(index);

	return format ? format->name : NULL;
}

static const char *stacks_word(unsigned int index)
{
	static const char *const names[] = { "fp", "dwarf" };

	return index < 2 ? names[index] : NULL;
}

static void fields_help(void)
{
	size_t i;

	for (i = 0; i < nr_fields; i++)
		printf("%-19s %s\n", fields[i].name, fields[i].help);
}

/* What happened to an operation that has the event */
static const char *const event_help[SPE_EVENT_COUNT] = {
	[SPE_EVENT_EXCEPTION] = "it ended with an exception",
	[SPE_EVENT_RETIRED] = "it was executed to the end, not on a wrong path",
	[SPE_EVENT_L1D_ACCESS] = "it accessed the first data cache",
	[SPE_EVENT_L1D_REFILL] = "it missed the first data cache",
	[SPE_EVENT_TLB_ACCESS] = "it looked an address up in a TLB",
	[SPE_EVENT_TLB_WALK] = "it needed a page table walk",
	[SPE_EVENT_NOT_TAKEN] = "a conditional branch, not taken",
	[SPE_EVENT_MISPREDICTED] = "a branch that was predicted wrongly",
	[SPE_EVENT_LLC_ACCESS] = "it accessed the last cache",
	[SPE_EVENT_LLC_MISS] = "it missed the last cache",
	[SPE_EVENT_REMOTE_ACCESS] = "it accessed another socket or chip",
	[SPE_EVENT_MISALIGNED] = "its address is not aligned",
	[SPE_EVENT_TRANSACTIONAL] = "it ran in a transaction",
	[SPE_EVENT_PARTIAL_PREDICATE] = "a vector operation without some of its elements",
	[SPE_EVENT_EMPTY_PREDICATE] = "a vector operation without all of its elements",
	[SPE_EVENT_L2D_ACCESS] = "it accessed the second data cache",
	[SPE_EVENT_L2D_MISS] = "it missed the second data cache",
	[SPE_EVENT_DATA_MODIFIED] = "its data were modified in a cache",
	[SPE_EVENT_RECENTLY_FETCHED] = "its data were brought into the cache shortly before",
	[SPE_EVENT_DATA_SNOOPED] = "its data came from another cache",
	[SPE_EVENT_STREAMING_SVE] = "it ran in Streaming SVE mode",
	[SPE_EVENT_SMCU] = "an SME unit that CPUs share executed it",
};

static void events_help(void)
{
	unsigned int i;

	for (i = 0; i < SPE_EVENT_COUNT; i++)
		if (event_help[i])
			printf("%-19s %s\n", armspe_event_name(i), event_help[i]);
	printf("%-19s the CPU's manual defines event N (12-15, 26-31, 48-63)\n", "impdef-N");
	printf("%-19s event N has no meaning yet (32-47)\n", "reserved-N");
}

static const struct valued valued[] = {
	{ "--by", NULL, NULL, field_name, fields_help, NULL, true },
	{ "--fields", "-F", "export", field_name, fields_help, NULL, true },
	{ "--fields", "-F", "script", field_name, fields_help, NULL, true },
	{ "--filter", NULL, NULL, field_name, fields_help, NULL, false },
	{ "--events", NULL, NULL, vocabulary_event, events_help, NULL, true },
	{ "--event", NULL, NULL, vocabulary_event, events_help, NULL, true },
	{ "--not-event", NULL, NULL, vocabulary_event, events_help, NULL, true },
	{ "--data-source", NULL, NULL, vocabulary_source, NULL, NULL, true },
	{ "--cpu-model", NULL, NULL, cpu_model_name, cpu_model_help, NULL, false },
	{ "--sort", "-s", NULL, view_sort_word, NULL, NULL, false },
	{ "--columns", NULL, NULL, column_word, columns_help, NULL, true },
	{ "--format", "-f", "export", format_name, NULL, NULL, false },
	{ "--format", "-f", "script", format_name, NULL, NULL, false },
	{ "--format", "-f", "pgo", pgo_format_name, NULL, NULL, false },
	{ "--format", "-f", "advise", findings_format, NULL, NULL, false },
	{ "--threshold", NULL, NULL, finding_name, NULL, NULL, true },
	{ "--fail-on", NULL, "advise", advise_fail_word, NULL, NULL, true },
	{ "--fail-on", NULL, "diff", diff_fail_word, NULL, NULL, true },
	{ "--value", NULL, "export", profile_value_name, NULL, NULL, false },
	{ "--value", NULL, "script", profile_value_name, NULL, NULL, false },
	{ "--stacks", NULL, NULL, stacks_word, NULL, NULL, false },
	{ "--guests", NULL, "record", record_guests_word, NULL, NULL, false },
	{ "--csv", NULL, "report", report_table, NULL, NULL, false },
	{ "--csv", NULL, "stat", stat_table, NULL, NULL, false },
	{ "--csv", NULL, "sharing", sharing_table, NULL, NULL, false },
	{ "--csv", NULL, "tier", tier_table, NULL, NULL, false },
	{ "--csv", NULL, "mem", mem_table, NULL, NULL, false },
	{ "--csv", NULL, "diff", diff_table, NULL, NULL, false },
	{ "--csv", NULL, "advise", findings_table, NULL, NULL, false },
	{ "--csv", NULL, "layout", layout_table, NULL, NULL, false },
	{ "--csv", NULL, "annotate", listing_table, NULL, NULL, false },
	{ "--csv", NULL, "top", top_table, NULL, NULL, false },
	{ "--comm", NULL, NULL, NULL, NULL, "comm", true },
	{ "--dso", NULL, NULL, NULL, NULL, "object", true },
	{ "--object", NULL, NULL, NULL, NULL, "object", false },
};

const struct valued *valued_find(const char *verb, const char *option, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(valued) / sizeof(valued[0]); i++) {
		const struct valued *v = &valued[i];

		if (v->verb && strcmp(v->verb, verb))
			continue;
		if ((!strncmp(v->option, option, len) && !v->option[len]) ||
		    (v->letter && !strncmp(v->letter, option, len) && !v->letter[len]))
			return v;
	}
	return NULL;
}

bool values_print(const char *verb, const char *option)
{
	char *name = xformat("--%s", option);
	const struct valued *v = valued_find(verb, name, strlen(name));
	const char *word;
	unsigned int i;

	free(name);
	if (!v || !v->words)
		return false;
	if (v->help)
		v->help();
	else
		for (i = 0; (word = v->words(i)); i++)
			puts(word);
	return true;
}
