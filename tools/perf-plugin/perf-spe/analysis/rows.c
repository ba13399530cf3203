// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/rows.h"

/* What need not be found out twice */
struct row_cache {
	struct armspe_op op[4][256];	/* by class and payload */
	/*
	 * Answers of resolve_place() that hold for good, by PC and owner, each
	 * in one line of the CPU's cache
	 */
	struct row_cached {
		uint64_t pc;		/* raw payload */
		int32_t pid;
		bool used, sure;
		struct place place;
	} __attribute__((aligned(64))) at[16384];	/* a power of two */
};

_Static_assert(sizeof(struct row_cached) == 64, "one line of a cache");

#define CACHED (sizeof(((struct row_cache *)0)->at) / \
		sizeof(((struct row_cache *)0)->at[0]))

enum rows_option { ROWS_OTHER, ROWS_GOOD, ROWS_BAD };

/* One of the common options; BAD after a message. */
static enum rows_option take_common(struct rows *r, int option)
{
	switch (option) {
	case 'i':
	case ROWS_RAW:
		return source_option(&r->src, optarg, option == ROWS_RAW) ?
			ROWS_GOOD : ROWS_BAD;
	case 'k':
		r->symbol_options.vmlinux = optarg;
		return ROWS_GOOD;
	case ROWS_SYMFS:
		r->symbol_options.symfs = optarg;
		return ROWS_GOOD;
	case ROWS_KALLSYMS:
		r->symbol_options.kallsyms = optarg;
		return ROWS_GOOD;
	case ROWS_FILTER:
		if (r->filter) {
			say("%s: one --filter: join them by 'and'", r->verb);
			return ROWS_BAD;
		}
		r->filter = filter_parse(optarg);
		r->filter_text = optarg;
		return r->filter ? ROWS_GOOD : ROWS_BAD;
	default:
		return ROWS_OTHER;
	}
}

int rows_options(struct rows *r, const struct rows_grammar *grammar, void *verb,
		 int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, grammar->letters,
				     grammar->options, NULL)) != -1) {
		enum rows_option common;

		if (option == 'h') {
			grammar->usage(stdout);
			return EXIT_OK;
		}
		common = take_common(r, option);
		if (common == ROWS_OTHER ? !grammar->take(verb, option) :
					   common == ROWS_BAD)
			return EXIT_USAGE;
	}
	return -1;
}

bool rows_check(const struct rows *r, int argc, char **argv)
{
	if (optind < argc) {
		say("%s: unexpected argument '%s'", r->verb, argv[optind]);
		return false;
	}
	if (r->symbol_options.vmlinux && r->symbol_options.kallsyms) {
		say("%s: --vmlinux and --kallsyms exclude each other", r->verb);
		return false;
	}
	return true;
}

static struct row_cache *cache_new(void)
{
	struct row_cache *cache = xaligned(64, sizeof(*cache));
	unsigned int i;

	memset(cache, 0, sizeof(*cache));
	for (i = 0; i < 4 * 256; i++)
		armspe_op_decode(i / 256, (uint8_t)i, &cache->op[i / 256][i % 256]);
	return cache;
}

int rows_open(struct rows *r)
{
	int rc;

	if (source_open(&r->src) < 0)
		return EXIT_INPUT;
	rc = rows_ready(r);
	if (rc != EXIT_OK)
		source_close(&r->src);
	return rc;
}

int rows_ready(struct rows *r)
{
	if (r->filter && filter_need(r->filter) > r->need)
		r->need = filter_need(r->filter);
	r->resolver.session = source_session(&r->src);
	r->resolver.symbols = &r->symbols;
	r->cache = cache_new();
	if (r->need >= NEED_PLACE &&
	    symbols_init(&r->symbols, &r->symbol_options,
			 r->resolver.session) < 0) {
		rows_finish(r);
		return EXIT_INPUT;
	}
	return EXIT_OK;
}

void rows_forget(struct rows *r)
{
	memset(r->cache->at, 0, sizeof(r->cache->at));
}

static struct row_cached *cached(const struct rows *r, const struct row *row)
{
	uint64_t pc = row->rec->addr[SPE_ADDR_PC], hash;

	hash = (pc + (uint32_t)row->owner.pid * 977ULL) * 0x9e3779b97f4a7c15ULL;
	return &r->cache->at[hash >> 40 & (CACHED - 1)];
}

static bool has_pc(const struct row *row)
{
	return row->rec->addr_valid >> SPE_ADDR_PC & 1;
}

static void find_place(const struct rows *r, struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct row_cached *c;

	if (!has_pc(row)) {
		resolve_place(&r->resolver, row->owner, rec, &row->place);
		return;
	}
	c = cached(r, row);
	if (c->used && c->pc == rec->addr[SPE_ADDR_PC] &&
	    c->pid == row->owner.pid && c->sure == row->owner.sure) {
		row->place = c->place;
		return;
	}
	resolve_place(&r->resolver, row->owner, rec, &row->place);
	if (!resolve_is_stable(&r->resolver, row->owner, rec))
		return;
	c->used = true;
	c->pc = rec->addr[SPE_ADDR_PC];
	c->pid = row->owner.pid;
	c->sure = row->owner.sure;
	c->place = row->place;
}

void rows_places(void *rows, struct row *row, size_t count)
{
	const struct rows *r = rows;
	size_t i;

	/* Memory fetches them together while the first is waited for. */
	for (i = 0; i < count; i++)
		if (has_pc(&row[i]))
			__builtin_prefetch(cached(r, &row[i]));
	for (i = 0; i < count; i++)
		find_place(r, &row[i]);
}

void rows_span(void *context, const struct sample_span *span)
{
	struct row_sink *e = context;
	struct rows *r = e->rows;
	struct row row = {
		.rec = span->rec, .piece = span->piece,
		.session = r->resolver.session, .owner = { NO_ID, NO_ID, false },
	};

	if (span->status != ARMSPE_OK)
		return;
	r->seen++;
	if (span->rec->valid & ARMSPE_HAS_OP)
		row.op = r->cache->op[span->rec->op_class & 3]
				     [span->rec->op_payload];
	if (r->need >= NEED_OWNER && row.session)
		row.owner = resolve_owner(&r->resolver, span->piece, span->rec);
	if (r->need >= NEED_PLACE && !r->places_later)
		find_place(r, &row);
	if (r->filter && !filter_match(r->filter, &row))
		return;
	r->kept++;
	e->fn(e->context, &row);
}

void rows_progress(const struct rows *r, const struct piece *pieces,
		   size_t count)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < count; i++)
		bytes += pieces[i].len;
	progress_begin(r->talks ? 0 : bytes);
}

void rows_walk(struct rows *r, row_fn fn, void *context,
	       struct sample_totals *totals)
{
	struct row_sink sink = { r, fn, context };
	const struct piece *pieces;
	size_t count;

	r->seen = r->kept = 0;
	pieces = source_pieces(&r->src, &count);
	rows_progress(r, pieces, count);
	samples_each(&r->src, rows_span, &sink, totals);
	progress_end();
}

struct rows *rows_twin(const struct rows *r)
{
	struct rows *twin = xcalloc(1, sizeof(*twin));

	*twin = *r;
	twin->cache = cache_new();
	twin->seen = twin->kept = 0;
	return twin;
}

void rows_twin_free(struct rows *twin)
{
	free(twin->cache);
	free(twin);
}

int rows_each(struct rows *r, row_fn fn, void *context,
	      struct sample_totals *totals)
{
	rows_walk(r, fn, context, totals);
	return samples_verdict(&r->src, totals);
}

void rows_close(struct rows *r)
{
	rows_finish(r);
	source_close(&r->src);
}

void rows_finish(struct rows *r)
{
	symbols_free(&r->symbols);
	free(r->cache);
	filter_free(r->filter);
	r->cache = NULL;
	r->filter = NULL;
}
