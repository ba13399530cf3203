// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe pgo: write the branches of one program for profile-guided optimisers,
 * as BOLT's pre-aggregated profile or AutoFDO's text profile.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/fields.h"
#include "analysis/filter.h"
#include "analysis/rows.h"
#include "input/aux_decoder.h"
#include "symbols/dso.h"
#include "symbols/resolve.h"
#include "util/hash.h"
#include "util/hash_table.h"
#include "util/memory.h"
#include "util/message.h"
#include "verbs/verbs.h"

enum flow_kind {
	FLOW_RANGE,		/* executed in sequence, @from to @to */
	FLOW_ADDRESS,		/* sampled at @from */
	FLOW_BRANCH,		/* branched, @from to @to */
	NR_FLOWS
};

/* Addresses are those of the ELF file, not run-time ones. */
struct flow {
	enum flow_kind kind;
	uint64_t from, to;
	uint64_t count, mispredicted;
	bool ends_in_branch;	/* of a range */
};

struct pgo {
	struct rows rows;
	const char *object;
	const char *output;
	bool autofdo;
	struct hash_table table;	/* struct flow */
	struct flow *flows;	/* sorted */
	size_t nr[NR_FLOWS];
	uint64_t samples;	/* of the object */
	const struct dso *dso;	/* of the first sample */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe pgo [OPTIONS] OBJECT\n"
	      "\n"
	      "Writes the branches and executed ranges of one program or library, for\n"
	      "profile-guided optimisation. OBJECT is its file name, as 'perf spe report' shows\n"
	      "it.\n"
	      "\n"
	      "  -f, --format NAME   bolt (default): for perf2bolt -pa\n"
	      "                      autofdo: for create_llvm_prof --profiler=text\n"
	      "  -o, --output FILE   write to FILE instead of standard output\n"
	      ROWS_HELP, to);
}

static bool flow_used(const void *slot)
{
	return ((const struct flow *)slot)->count;
}

static uint64_t flow_hash(const void *slot)
{
	const struct flow *flow = slot;

	return hash_add(hash_add(flow->from, flow->to),
			flow->kind * 2u + flow->ends_in_branch);
}

static bool same_flow(const void *slot, const void *key)
{
	const struct flow *a = slot, *b = key;

	return a->kind == b->kind && a->from == b->from && a->to == b->to &&
	       a->ends_in_branch == b->ends_in_branch;
}

static const struct hash_kind flow_table = {
	sizeof(struct flow), 4096, flow_used, flow_hash, same_flow,
};

static void flow_add(struct pgo *p, const struct flow *key, bool mispredicted)
{
	struct flow *flow =
		hash_table_add(&p->table, &flow_table, flow_hash(key), key);

	if (!flow->count) {
		*flow = *key;
		p->nr[key->kind]++;
	}
	flow->count++;
	flow->mispredicted += mispredicted;
}

/* Whether the user named @object, by its path or its file name */
static bool is_object(const struct pgo *p, const char *object)
{
	const char *slash = strrchr(object, '/');

	return !strcmp(object, p->object) ||
	       (slash && !strcmp(slash + 1, p->object));
}

/* Convert an address packet; false if it is not in the file of the sample's PC. */
static bool same_file(const struct pgo *p, const struct row *row,
		      unsigned int index, uint64_t *address)
{
	const struct armspe_record *rec = row->rec;
	struct place place;

	if (!(rec->addr_valid >> index & 1))
		return false;
	resolve_at(&p->rows.resolver, row->owner, rec, rec->addr[index],
		   &place);
	*address = place.file_address;
	return place.dso && place.dso == row->place.dso;
}

/* No straight code is longer; the record of a branch in between must be missing. */
#define RANGE_MAX 65536

static void add_range(struct pgo *p, const struct row *row, uint64_t from)
{
	struct flow key = {
		.kind = FLOW_RANGE, .from = from,
		.to = row->place.file_address,
		.ends_in_branch = row->op.flags & ARMSPE_OPF_BRANCH,
	};

	if (key.from <= key.to && key.to - key.from <= RANGE_MAX)
		flow_add(p, &key, false);
}

static void pgo_add(void *context, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct flow key = { .kind = FLOW_ADDRESS };
	struct pgo *p = context;
	uint64_t events = rec->valid & ARMSPE_HAS_EVENTS ? rec->events : 0;
	uint64_t other;

	if (!row->place.dso || !is_object(p, row->place.object))
		return;
	p->samples++;
	if (!p->dso)
		p->dso = row->place.dso;
	key.from = key.to = row->place.file_address;
	flow_add(p, &key, false);
	/* From the previous branch's target to here the CPU ran in sequence. */
	if (same_file(p, row, SPE_ADDR_PREV_TARGET, &other))
		add_range(p, row, other);
	if (!(row->op.flags & ARMSPE_OPF_BRANCH) ||
	    events >> SPE_EVENT_NOT_TAKEN & 1 ||
	    !same_file(p, row, SPE_ADDR_TARGET, &key.to))
		return;
	key.kind = FLOW_BRANCH;
	flow_add(p, &key, events >> SPE_EVENT_MISPREDICTED & 1);
}

static int flow_order(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->ends_in_branch - y->ends_in_branch;
}

static void sort_flows(struct pgo *p)
{
	const struct flow *slot = NULL;
	size_t n = 0;

	p->flows = xcalloc(p->table.count, sizeof(*p->flows));
	while ((slot = hash_table_next(&p->table, &flow_table, slot)))
		p->flows[n++] = *slot;
	if (n)
		qsort(p->flows, n, sizeof(*p->flows), flow_order);
}

/* "B" lines are branches, "F" lines are ranges executed in sequence. */
static void write_bolt(const struct pgo *p, FILE *to)
{
	const struct flow *flow;

	for (flow = p->flows; flow < p->flows + p->table.count; flow++)
		if (flow->kind == FLOW_BRANCH)
			fprintf(to, "B %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
				flow->from, flow->to, flow->count,
				flow->mispredicted);
		else if (flow->kind == FLOW_RANGE && flow->ends_in_branch)
			fprintf(to, "F %" PRIx64 " %" PRIx64 " %" PRIu64 "\n",
				flow->from, flow->to, flow->count);
}

/* AutoFDO wants offsets in the file instead of the file's addresses. */
static uint64_t file_offset(const struct dso *dso, uint64_t address)
{
	size_t i;

	for (i = 0; i < dso->nr_segments; i++) {
		const struct segment *s = &dso->segments[i];

		if (address >= s->vaddr && address - s->vaddr < s->filesz)
			return address - s->vaddr + s->offset;
	}
	return address;
}

/* Three lists, each after its length: ranges, addresses, branches. */
static void write_autofdo(const struct pgo *p, FILE *to)
{
	const struct flow *flow = p->flows;
	int kind;

	for (kind = 0; kind < NR_FLOWS; kind++) {
		fprintf(to, "%zu\n", p->nr[kind]);
		for (; flow < p->flows + p->table.count &&
		       (int)flow->kind == kind; flow++) {
			fprintf(to, "%" PRIx64, file_offset(p->dso, flow->from));
			if (kind != FLOW_ADDRESS)
				fprintf(to, "%s%" PRIx64,
					kind == FLOW_RANGE ? "-" : "->",
					file_offset(p->dso, flow->to));
			fprintf(to, ":%" PRIu64 "\n", flow->count);
		}
	}
}

static int write_profile(struct pgo *p)
{
	FILE *to = p->output ? fopen(p->output, "we") : stdout;
	bool bad = !to;

	sort_flows(p);
	if (to && p->autofdo)
		write_autofdo(p, to);
	else if (to)
		write_bolt(p, to);
	if (to && p->output) {
		bad = ferror(to);
		bad |= fclose(to) != 0;
	}
	if (bad)
		say("pgo: cannot write %s: %s; name another file", p->output,
		    strerror(errno));
	return bad ? EXIT_INPUT : EXIT_OK;
}

static int run(struct pgo *p)
{
	struct sample_totals totals;
	int rc = rows_open(&p->rows), written = EXIT_INPUT;
	char *what;

	if (rc != EXIT_OK)
		return rc;
	rc = rows_each(&p->rows, pgo_add, p, &totals);
	if (p->samples) {
		written = write_profile(p);
		if (!p->nr[FLOW_BRANCH])
			rows_none(&p->rows, "is a branch with a target",
				  "record again with --branches");
	} else {
		what = xformat("is in %s", p->object);
		rows_none(&p->rows, what, "run 'perf spe report --by object' for the names, or point --symfs at the file if it is missing");
		free(what);
	}
	free(p->flows);
	hash_table_free(&p->table);
	rows_close(&p->rows);
	return rc == EXIT_OK ? written : rc;
}

static bool take_option(void *verb, int option)
{
	struct pgo *p = verb;

	switch (option) {
	case 'f':
		p->autofdo = !strcmp(optarg, "autofdo");
		if (p->autofdo || !strcmp(optarg, "bolt"))
			return true;
		say("pgo: --format: unknown format '%s'; choose bolt or autofdo", optarg);
		return false;
	case 'o':
		p->output = optarg;
		return true;
	default:
		return false;
	}
}

int verb_pgo(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT "f:o:", .options = options,
		.usage = usage, .take = take_option,
	};
	struct pgo p = { .rows = { .verb = "pgo", .need = NEED_PLACE } };
	int rc;

	rc = rows_options(&p.rows, &grammar, &p, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	if (optind < argc)
		p.object = argv[optind++];
	else
		say("pgo: no OBJECT given: add a file name that 'perf spe report --by object' shows");
	if (p.object && rows_check(&p.rows, argc, argv))
		rc = run(&p);
out:
	filter_free(p.rows.filter);
	return rc;
}
