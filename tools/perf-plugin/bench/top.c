// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perf spe top costs: a recording's SPE bytes come through rings as the
 * kernel's do, 256 KiB at a time, and each 200,000 records, which is two
 * seconds of 100,000 a second, a table is written.
 *
 *   top PERF-DATA
 *
 * CPU time of all but the copying that stands for the kernel.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/rows/rows.h"
#include "input/input.h"
#include "output/text/text.h"
#include "system/system.h"
#include "util/util.h"

#define AUX	((size_t)1 << 20)
#define CHUNK	(AUX / 4)
#define RECORDS	UINT64_C(6000000)
#define TABLE	200000		/* records */
#define SECOND	100000
#define GOAL	2.0		/* percent of a CPU */

struct bench {
	struct rows rows;
	struct view view;
	struct row_sink sink;
	struct live live;
	struct perf_event_mmap_page *pages;
	double seconds;
	uint64_t tables, records;	/* so far */
	FILE *to;
};

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* A ring for each stream of the recording */
static void make_rings(struct bench *b, const struct piece *pieces,
		       const size_t *of, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (of[i] >= b->live.nr_rings)
			b->live.nr_rings = of[i] + 1;
	b->live.rings = xcalloc(b->live.nr_rings, sizeof(*b->live.rings));
	b->pages = xcalloc(b->live.nr_rings, sizeof(*b->pages));
	for (i = 0; i < count; i++)
		b->live.rings[of[i]] = (struct ring){
			.page = &b->pages[of[i]], .aux_size = AUX,
			.cpu = pieces[i].cpu, .tid = pieces[i].tid,
			.idx = pieces[i].idx,
		};
	for (i = 0; i < b->live.nr_rings; i++)
		b->live.rings[i].aux = xcalloc(1, AUX);
}

static void print_table(struct bench *b)
{
	view_finish(&b->view, &b->rows);
	view_print(&b->view, b->to);
	fflush(b->to);
	view_clear(&b->view);
	view_begin(&b->view, &b->rows);
	b->records += b->rows.seen;
	b->rows.seen = b->rows.kept = 0;
	b->tables++;
}

static void drain(struct bench *b)
{
	double from = cpu_seconds();

	live_drain(&b->live);
	if (b->rows.seen >= TABLE) {
		live_forget(&b->live);
		print_table(b);
	}
	b->seconds += cpu_seconds() - from;
}

static void feed(struct bench *b, const struct piece *p, size_t ring)
{
	uint8_t *aux = (uint8_t *)(uintptr_t)b->live.rings[ring].aux;
	struct perf_event_mmap_page *page = &b->pages[ring];
	uint64_t done, part;

	for (done = 0; done < p->len; done += part) {
		uint64_t at = page->aux_head % AUX;

		part = p->len - done < CHUNK ? p->len - done : CHUNK;
		part = part < AUX - at ? part : AUX - at;
		memcpy(aux + at, p->bytes + done, part);
		page->aux_head += part;
		drain(b);
	}
}

static int run(struct bench *b)
{
	static const struct row_taker taker = { .take = view_add };
	struct session *session = &b->rows.src.session;
	size_t i, count = session->nr_pieces, *of = source_stream_numbers(&b->rows.src);
	struct piece *pieces = session->pieces;
	double percent;

	/* live_drain() would take them for samples that events have brought. */
	session->pieces = NULL;
	session->nr_pieces = 0;
	row_sink_init(&b->sink, &b->rows, &taker, &b->view);
	b->live.session = session;
	b->live.decoder = row_sink_decoder(&b->sink, &b->live.totals);
	make_rings(b, pieces, of, count);
	view_begin(&b->view, &b->rows);
	for (;;) {
		for (i = 0; i < count; i++)
			feed(b, &pieces[i], of[i]);
		if (!b->records && !b->rows.seen)
			return 1;
		if (b->records >= RECORDS)
			break;
	}
	percent = 100 * b->seconds / ((double)(b->records + b->rows.seen) / SECOND);
	printf("top: %.2f%% of a CPU for %d records a second, goal %.1f: %s\n",
	       percent, SECOND, GOAL, percent < GOAL ? "met" : "missed");
	printf("# %" PRIu64 " records, %" PRIu64 " tables\n", b->records,
	       b->tables);
	aux_decoder_end(b->live.decoder);
	row_sink_free(&b->sink);
	view_clear(&b->view);
	free(pieces);
	free(of);
	return 0;
}

int main(int argc, char **argv)
{
	struct bench b = { .rows.verb = "bench", .rows.need = NEED_PLACE };

	b.to = fopen("/dev/null", "we");
	if (argc != 2 || !b.to)
		return 1;
	source_option(&b.rows.src, argv[1], false);
	return rows_open(&b.rows) != EXIT_OK || run(&b);
}
