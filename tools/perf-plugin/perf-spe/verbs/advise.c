// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe advise: ranked findings, each with its evidence, the cycles at stake, and a remedy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "output/sentences/sentences.h"
#include "util/util.h"
#include "verbs/verbs.h"

/* The recording as a whole is a kind too, for --fail-on. */
#define KIND_RECORDING	NR_FINDING
#define KIND_ANY	(NR_FINDING + 1)
/* A finding that --fail-on names */
#define EXIT_FOUND	3

struct advise {
	struct rows rows;
	struct findings findings;
	struct estimate estimate;
	struct finding_list list;
	double share;			/* of --min-share; below 0: not given */
	struct thresholds thresholds;	/* of --thresholds */
	bool any, fails[NR_FINDING + 1];
	struct data_options data;
	uint64_t limit;			/* of findings that are printed; 0: all */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe advise [OPTIONS] [FILE]\n"
	      "\n"
	      "Prints what to improve according to the recording FILE (default: perf.data), most\n"
	      "cycles first: data TLB walks, mispredicted branches, misaligned accesses, memory of\n"
	      "another socket, falsely shared cache lines, contended atomics, loads and stores that\n"
	      "miss a cache, with and without a stride, and what is wrong with the recording.\n"
	      "Each finding has the cycles at stake with their 95% interval, a remedy, and the\n"
	      "command whose rows are the evidence. Without a finding the output says so.\n"
	      "\n"
	      "      --min-share PERCENT  the least share of all cycles at stake (default 5, and 15\n"
	      "                           for tlb-walks, as each program has some when it starts)\n"
	      "      --threshold LIST     other shares for these kinds, such as\n"
	      "                           tlb-walks=2,misaligned=10\n"
	      "      --thresholds FILE    the same by core: lines like neoverse-n1 remote=2,strides=9\n"
	      "      --min-samples N      the least number of samples with a flaw (default 20)\n"
	      "  -f, --format NAME        text, csv (as --csv) or json (as --json); default: text\n"
	      "      --limit N            print at most N findings\n"
	      "      --fail-on LIST       exit with status 3 if there is a finding of these kinds,\n"
	      "                           such as tlb-walks,recording, or any\n"
	      DATA_HELP
	      ROWS_HELP, to);
}

const char *advise_fail_word(unsigned int index)
{
	return index < NR_FINDING ? finding_name(index) :
	       index == KIND_RECORDING ? "recording" : index == KIND_ANY ? "any" : NULL;
}

/* The number of the kind with this name; above KIND_ANY after a message */
static unsigned int parse_kind(const char *name, size_t len)
{
	unsigned int kind;
	char *proposal;

	for (kind = 0; kind <= KIND_ANY; kind++)
		if (strlen(advise_fail_word(kind)) == len && !memcmp(advise_fail_word(kind), name, len))
			return kind;
	proposal = suggest(advise_fail_word, name, len);
	say("advise: --fail-on: unknown kind of finding '%.*s'; %s", (int)len, name, proposal);
	free(proposal);
	return kind;
}

static bool parse_fail_on(struct advise *a, const char *list)
{
	size_t len;

	for (;; list += len + 1) {
		unsigned int kind;

		len = strcspn(list, ",");
		kind = parse_kind(list, len);
		if (kind > KIND_ANY)
			return false;
		if (kind == KIND_ANY)
			a->any = true;
		else
			a->fails[kind] = true;
		if (!list[len])
			return true;
	}
}

static bool parse_format(struct advise *a, const char *name)
{
	bool json = !strcmp(name, "json");

	if (!strcmp(name, "text"))
		return true;
	optarg = NULL;
	if (json || !strcmp(name, "csv"))
		return data_take(&a->data, "advise", findings_table,
				 json ? DATA_OPTION_JSON : DATA_OPTION_CSV);
	say("advise: --format: unknown format '%s'; choose text, csv or json", name);
	return false;
}

static void add(void *context, const struct row_batch *b)
{
	struct advise *a = context;

	findings_add(&a->findings, b);
	estimate_add(&a->estimate, b);
}

static bool fails(const struct advise *a, const struct trust *trust)
{
	size_t i;

	for (i = 0; i < a->list.nr; i++)
		if (a->any || a->fails[a->list.all[i].kind])
			return true;
	return (a->any || a->fails[KIND_RECORDING]) && trust->level != TRUST_YES;
}

/* A job must not take this for "no such finding"; "any" is about the kinds that the samples can show. */
static bool cannot_judge(const struct advise *a)
{
	unsigned int kind, unseen = 0;

	for (kind = 0; kind < NR_FINDING; kind++)
		if (a->fails[kind] && a->list.unseen[kind] && ++unseen)
			say("advise: --fail-on cannot judge %s: %s", finding_name(kind), a->list.unseen[kind]);
	return unseen;
}

/* --threshold comes first, then --min-share, then the file by the cores of the samples. */
static void set_limits(struct advise *a)
{
	double *share = a->list.limits.share, of_cores[NR_FINDING];
	unsigned int kind;
	size_t i;

	for (kind = 0; kind < NR_FINDING; kind++)
		of_cores[kind] = finding_least_share(kind);
	for (i = 0; i < a->estimate.nr_cpus; i++)
		thresholds_apply(&a->thresholds, a->estimate.cpus[i].midr, of_cores);
	for (kind = 0; kind < NR_FINDING; kind++)
		if (share[kind] < 0)
			share[kind] = a->share >= 0 ? a->share : of_cores[kind];
}

static int judge(struct advise *a, const struct sample_totals *totals)
{
	const struct trust_of of = { &a->estimate, totals, a->rows.kept,
				     a->rows.seen };
	struct trust trust;
	struct advice advice = { &a->rows, &a->list, &trust, NULL, a->limit };
	int rc;

	estimate_finish(&a->estimate, &a->rows);
	trust_judge(&trust, &of);
	set_limits(a);
	findings_judge(&a->findings, &a->estimate, &a->list);
	advice.unweighed = estimate_unknown(&a->estimate);
	if (a->data.form)
		rows_say_lacks(&a->rows);
	if (a->data.form)
		findings_data(&advice, &a->data, stdout);
	else
		findings_text(&advice, stdout);
	rows_none_kept(&a->rows);
	rc = fails(a, &trust) ? EXIT_FOUND : cannot_judge(a) ? EXIT_INPUT : EXIT_OK;
	trust_free(&trust);
	return rc;
}

static int run(struct advise *a)
{
	static const struct row_taker taker = {
		.take = add, .columns = FINDINGS_COLUMNS | ESTIMATE_COLUMNS,
	};
	struct sample_totals totals;
	int rc = rows_open(&a->rows);

	if (rc != EXIT_OK)
		return rc;
	findings_init(&a->findings, NULL);
	estimate_init(&a->estimate, a->rows.resolver.session);
	rc = rows_take(&a->rows, &taker, a, &totals);
	if (totals.decoded.records || rc == EXIT_OK) {
		int found = judge(a, &totals);

		rc = rc == EXIT_OK ? found : rc;
	}
	finding_free(&a->list);
	findings_free(&a->findings);
	estimate_free(&a->estimate);
	rows_close(&a->rows);
	return rc;
}

enum { OPT_SHARE = 256, OPT_THRESHOLD, OPT_THRESHOLDS, OPT_SAMPLES, OPT_LIMIT, OPT_FAIL_ON };

static bool take_option(void *verb, int option)
{
	struct advise *a = verb;

	switch (option) {
	case DATA_OPTION_JSON:
	case DATA_OPTION_CSV:
		return data_take(&a->data, "advise", findings_table, option);
	case OPT_SHARE:
		return thresholds_share("--min-share", optarg, strlen(optarg), &a->share);
	case OPT_THRESHOLD:
		return thresholds_parse("--threshold", optarg, a->list.limits.share);
	case OPT_THRESHOLDS:
		return thresholds_read(&a->thresholds, optarg);
	case OPT_SAMPLES:
		return parse_count("advise", "min-samples", optarg, &a->list.limits.samples);
	case OPT_LIMIT:
		return parse_count("advise", "limit", optarg, &a->limit);
	case OPT_FAIL_ON:
		return parse_fail_on(a, optarg);
	case 'f':
		return parse_format(a, optarg);
	default:
		return false;
	}
}

int verb_advise(int argc, char **argv)
{
	static const struct option options[] = {
		{ "min-share", required_argument, NULL, OPT_SHARE },
		{ "threshold", required_argument, NULL, OPT_THRESHOLD },
		{ "thresholds", required_argument, NULL, OPT_THRESHOLDS },
		{ "min-samples", required_argument, NULL, OPT_SAMPLES },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		{ "format", required_argument, NULL, 'f' },
		{ "fail-on", required_argument, NULL, OPT_FAIL_ON },
		DATA_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT "f:", .options = options,
		.usage = usage, .take = take_option,
	};
	struct advise a = {
		.rows = { .verb = "advise", .need = NEED_PLACE, .names_sources = true },
		.list.limits.samples = FINDING_SAMPLES, .share = -1,
	};
	unsigned int i;
	int rc;

	for (i = 0; i < NR_FINDING; i++)
		a.list.limits.share[i] = -1;
	rc = rows_options(&a.rows, &grammar, &a, argc, argv);
	if (rc < 0)
		rc = rows_check(&a.rows, argc, argv) ? run(&a) : EXIT_USAGE;
	thresholds_free(&a.thresholds);
	filter_free(a.rows.filter);
	return rc;
}
