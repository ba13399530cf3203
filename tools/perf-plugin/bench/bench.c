// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast libarmspe decodes records, to columns and one by one, against
 * Linux's loop over packets, which does less: it keeps nothing of a record.
 *
 *   bench [PERF-DATA...]   the AUX data of recordings, repeated to 1 GiB
 *                          (BENCH_MIB in the environment: so many MiB);
 *                          without any, a mix made by the encoder
 *   bench --loop PERF-DATA...   Linux's loop alone, once, on the AUX data as it is
 *   bench --decoders PERF-DATA... decoding to columns in GiB/s, what a second core gives
 *                               Linux's loop, and the least report in GiB/s
 *
 * The rates of one core count the thread's own CPU time, so that other programs on
 * the machine matter less.  The comparison of two cores with one uses the clock.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tests/encode.h"
#include "armspe.h"
#include "bench.h"
#include "input/input.h"

#define RUNS	7
/* The columns stay in the first cache.  No power of two: they would share its sets. */
#define ROWS	264
#define GOAL	0.95		/* of finding records and storing 14 numbers for each */
#define GOAL_GIB	4.0
#define GOAL_COPY	10.0
#define GOAL_CORES	1.8

static size_t size = (size_t)1024 << 20;

static uint64_t our_records(const uint8_t *bytes, size_t len, uint64_t *sum)
{
	struct armspe_decoder *dec = decoder_new();
	static struct armspe_record rec;
	uint64_t records;

	armspe_decoder_feed(dec, bytes, len, 0);
	while (armspe_record_next(dec, &rec) == ARMSPE_OK)
		*sum += rec.addr[SPE_ADDR_PC] + rec.counter[SPE_COUNTER_TOTAL] +
			rec.events + rec.op_payload;
	records = armspe_decoder_totals(dec)->records;
	free(dec);
	return records;
}

/* All that D18.2 names; the rows are overwritten block by block. */
struct table {
	uint64_t offset[ROWS], events[ROWS], timestamp[ROWS];
	uint64_t addr[5][ROWS];
	uint32_t valid[ROWS], addr_valid[ROWS], counter_valid[ROWS];
	uint32_t context[2][ROWS];
	uint16_t counter[5][ROWS], source[ROWS];
	uint8_t context_valid[ROWS], source_bytes[ROWS], op_class[ROWS];
	uint8_t op_payload[ROWS];
};

/* What to do with the rows of a batch, and the sum that shows that it was done; @fn may be NULL. */
typedef void rows_fn(struct table *t, const struct armspe_columns *cols, uint64_t *sum);

/* Decode all to @cols, a batch at a time; the number of records */
static uint64_t decode_rows(struct armspe_columns *cols, const uint8_t *bytes, size_t len, rows_fn *fn,
			    struct table *t, uint64_t *sum)
{
	struct armspe_decoder *dec = decoder_new();
	enum armspe_status status;
	uint64_t records;

	armspe_decoder_feed(dec, bytes, len, 0);
	do {
		cols->rows = 0;
		status = armspe_columns_next(dec, cols);
		if (fn && cols->rows)
			fn(t, cols, sum);
	} while (status == ARMSPE_OK || status == ARMSPE_DAMAGED);
	records = armspe_decoder_totals(dec)->records;
	free(dec);
	return records;
}

static void sum_rows(struct table *t, const struct armspe_columns *cols, uint64_t *sum)
{
	*sum += t->addr[SPE_ADDR_PC][cols->rows - 1] + t->events[cols->rows / 2];
}

static uint64_t our_columns(struct table *t, const uint8_t *bytes, size_t len,
			    uint64_t *sum)
{
	struct armspe_columns cols = {
		.room = ROWS, .offset = t->offset, .valid = t->valid,
		.addr_valid = t->addr_valid, .counter_valid = t->counter_valid,
		.context_valid = t->context_valid, .events = t->events,
		.timestamp = t->timestamp, .source = t->source,
		.source_bytes = t->source_bytes, .op_class = t->op_class,
		.op_payload = t->op_payload,
		.context = { t->context[0], t->context[1] },
	};
	unsigned int i;

	for (i = 0; i < 5; i++) {
		cols.addr[i] = t->addr[i];
		cols.counter[i] = t->counter[i];
	}
	return decode_rows(&cols, bytes, len, sum_rows, t, sum);
}

/* The least work of any reader of the bytes */
static uint64_t read_only(const uint8_t *bytes, size_t len, uint64_t *sum)
{
	uint64_t part[4] = { 0 }, word[4];
	size_t i;

	for (i = 0; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(word, bytes + i, sizeof(word));
		part[0] += word[0];
		part[1] += word[1];
		part[2] += word[2];
		part[3] += word[3];
	}
	*sum += part[0] + part[1] + part[2] + part[3];
	return 0;
}

/* The least for columns: finds each record and its layout, and stores nothing. */
static uint64_t find_records(const uint8_t *bytes, size_t len)
{
	struct armspe_columns cols = { .room = ROWS };

	return decode_rows(&cols, bytes, len, NULL, NULL, NULL);
}

static void store_rows(struct table *t, const struct armspe_columns *cols, uint64_t *sum)
{
	size_t i;

	(void)sum;
	for (i = 0; i < cols->rows; i++) {
		t->offset[i] = t->events[i] = t->timestamp[i] = i;
		t->addr[SPE_ADDR_PC][i] = i;
		t->valid[i] = t->addr_valid[i] = t->counter_valid[i] = (uint32_t)i;
		t->context[0][i] = (uint32_t)i;
		t->counter[SPE_COUNTER_TOTAL][i] = t->counter[SPE_COUNTER_ISSUE][i] = (uint16_t)i;
		t->context_valid[i] = t->source_bytes[i] = (uint8_t)i;
		t->op_class[i] = t->op_payload[i] = (uint8_t)i;
		/* No wide stores: the values of neighbours are at different offsets. */
		__asm__ volatile("" ::: "memory");
	}
}

/* The same, and stores a number to each of the columns that all usual records have. */
static uint64_t store_only(struct table *t, const uint8_t *bytes, size_t len)
{
	struct armspe_columns cols = { .room = ROWS };

	return decode_rows(&cols, bytes, len, store_rows, t, NULL);
}

#define SLOTS	16384		/* a power of two */
#define GROUPS	256		/* the same */

static struct { uint64_t pc; uint32_t group; } slots[SLOTS];
static struct { uint64_t count, latency[256]; } groups[GROUPS];

static void count_rows(struct table *t, const struct armspe_columns *cols, uint64_t *sum)
{
	size_t i;

	(void)sum;
	for (i = 0; i < cols->rows; i++) {
		const uint64_t pc = t->addr[SPE_ADDR_PC][i], at = pc >> 2 & (SLOTS - 1);

		if (slots[at].pc != pc) {
			slots[at].pc = pc;
			slots[at].group = pc >> 12 & (GROUPS - 1);
		}
		groups[slots[at].group].count++;
		groups[slots[at].group].latency[t->counter[SPE_COUNTER_TOTAL][i] & 255]++;
	}
}

/*
 * The least for a report by symbol: the columns that tell the owner, the address and the latencies, and
 * for each record one look-up by address, one count, and one count by latency.  It knows no owners,
 * files or symbols: a page stands for a symbol.
 */
static uint64_t least_report(struct table *t, const uint8_t *bytes, size_t len, uint64_t *sum)
{
	struct armspe_columns cols = {
		.room = ROWS, .addr_valid = t->addr_valid, .counter_valid = t->counter_valid,
		.context_valid = t->context_valid, .timestamp = t->timestamp,
		.addr[SPE_ADDR_PC] = t->addr[SPE_ADDR_PC],
		.context = { t->context[0], t->context[1] },
		.counter = { t->counter[0], t->counter[1], t->counter[2] },
	};
	const uint64_t records = decode_rows(&cols, bytes, len, count_rows, t, sum);
	size_t i;

	for (i = 0; i < GROUPS; i++)
		*sum += groups[i].count + groups[i].latency[1];
	return records;
}

static double seconds(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 20;
}

/*
 * Loads, stores, branches and other operations as a core that aligns records
 * to 64 bytes writes them, in random order.
 */
static void put_record(struct armspe_encoder *enc, uint64_t *state)
{
	uint64_t r = next_random(state);
	unsigned int kind = r % 16;
	bool memory = kind < 6, branch = kind >= 6 && kind < 9;

	armspe_encode_address(enc, SPE_ADDR_PC, r | 0x8000000000000000ULL);
	armspe_encode_context(enc, SPE_CONTEXT_EL1, r & 0xffff);
	armspe_encode_op(enc, memory ? SPE_OP_CLASS_LDST :
			 branch ? SPE_OP_CLASS_BRANCH : SPE_OP_CLASS_OTHER,
			 kind & 1);
	armspe_encode_events(enc, kind & 1 ? 2 : 4, r & 0xfff);
	armspe_encode_counter(enc, SPE_COUNTER_ISSUE, r & 0x3f);
	armspe_encode_counter(enc, SPE_COUNTER_TOTAL, r & 0xff);
	if (memory) {
		armspe_encode_address(enc, SPE_ADDR_DATA_VA, r << 4);
		armspe_encode_counter(enc, SPE_COUNTER_XLAT, r & 0x1f);
		if (kind < 4)
			armspe_encode_source(enc, 1, r & 0xf);
	}
	if (branch && kind != 8)
		armspe_encode_address(enc, SPE_ADDR_TARGET, r << 2);
	armspe_encode_timestamp(enc, r);
	armspe_encode_align(enc, 64);
}

static size_t make_mix(uint8_t *bytes)
{
	struct armspe_encoder enc;
	uint64_t state = 1;

	armspe_encode_init(&enc, bytes, size);
	while (enc.len + 128 <= size)
		put_record(&enc, &state);
	return enc.len;
}

/* Append a recording's AUX data; 0 where it cannot be read. */
static size_t add_recording(uint8_t *bytes, size_t len, const char *path)
{
	struct source src = { .path = path };
	const struct piece *pieces;
	size_t i, count, from = len;

	if (source_open(&src) < 0)
		return 0;
	pieces = source_pieces(&src, &count);
	for (i = 0; i < count && len + pieces[i].len <= size; i++) {
		memcpy(bytes + len, pieces[i].bytes, pieces[i].len);
		len += pieces[i].len;
	}
	source_close(&src);
	return len - from;
}

static size_t repeat(uint8_t *bytes, size_t len)
{
	size_t whole = len;

	while (whole + len <= size) {
		memcpy(bytes + whole, bytes, len);
		whole += len;
	}
	return whole;
}

enum { THEIRS, RECORDS, COLUMNS, COPY, READ, FIND, STORE, REPORT, KINDS };

static uint64_t one_run(int kind, const uint8_t *bytes, uint8_t *to,
			size_t len, uint64_t *sum)
{
	static struct table table;

	switch (kind) {
	case THEIRS:
		return linux_decode(bytes, len, sum);
	case RECORDS:
		return our_records(bytes, len, sum);
	case COLUMNS:
		return our_columns(&table, bytes, len, sum);
	case READ:
		return read_only(bytes, len, sum);
	case FIND:
		return find_records(bytes, len);
	case STORE:
		return store_only(&table, bytes, len);
	case REPORT:
		return least_report(&table, bytes, len, sum);
	default:
		memcpy(to, bytes, len);
		*sum += to[len / 2];
		return 0;
	}
}

static double times_as_fast(double (*time)[RUNS], int kind, int other)
{
	double ratio[RUNS];
	int i;

	for (i = 0; i < RUNS; i++)
		ratio[i] = time[other][i] / time[kind][i];
	qsort(ratio, RUNS, sizeof(double), by_value);
	return ratio[RUNS / 2];
}

struct result {
	double rate[KINDS];		/* GiB/s */
	double records, columns;	/* times Linux's loop */
	double stored;			/* columns in times store_only() */
	double copy;			/* columns in times memory copy */
	uint64_t count;
};

/*
 * Medians; ratios are taken run by run, as what else the machine does changes
 * meanwhile.  False where the decoders do not agree.
 */
static bool measure(const uint8_t *bytes, size_t len, struct result *r)
{
	double time[KINDS][RUNS];
	uint64_t got[KINDS], sum = 0;
	uint8_t *to = malloc(len);
	int kind, i;

	if (!to)
		return false;
	memset(to, 1, len);
	for (i = 0; i < RUNS; i++) {
		for (kind = 0; kind < KINDS; kind++) {
			double t = seconds(CLOCK_THREAD_CPUTIME_ID);

			got[kind] = one_run(kind, bytes, to, len, &sum);
			time[kind][i] = seconds(CLOCK_THREAD_CPUTIME_ID) - t;
		}
	}
	free(to);
	r->records = times_as_fast(time, RECORDS, THEIRS);
	r->columns = times_as_fast(time, COLUMNS, THEIRS);
	r->copy = times_as_fast(time, COLUMNS, COPY);
	r->stored = times_as_fast(time, COLUMNS, STORE);
	for (kind = 0; kind < KINDS; kind++) {
		qsort(time[kind], RUNS, sizeof(double), by_value);
		r->rate[kind] = (double)len / (1 << 30) / time[kind][RUNS / 2];
	}
	r->count = got[COLUMNS];
	printf("# %zu MiB, %" PRIu64 " records, medians of %d runs (checksum %"
	       PRIx64 ")\n", len >> 20, r->count, RUNS, sum);
	if (got[THEIRS] == got[COLUMNS] && got[RECORDS] == got[COLUMNS])
		return true;
	printf("# records: theirs %" PRIu64 ", ours %" PRIu64 " and %" PRIu64
	       "\n", got[THEIRS], got[RECORDS], got[COLUMNS]);
	return false;
}

static const char *met(double got, double goal)
{
	return got >= goal ? "met" : "missed";
}

struct half {
	pthread_t thread;
	int kind;
	struct table *table;
	const uint8_t *bytes;
	size_t len;
	uint64_t records, sum;
};

static void *half_run(void *arg)
{
	struct half *h = arg;

	if (h->kind == THEIRS)
		h->records = linux_decode(h->bytes, h->len, &h->sum);
	else
		h->records = our_columns(h->table, h->bytes, h->len, &h->sum);
	return NULL;
}

/* Least seconds by the clock of @count threads, each with its part */
static double threads_run(struct half *halves, int count)
{
	double best = 1e9;
	int run, i;

	for (run = 0; run < RUNS; run++) {
		double t = seconds(CLOCK_MONOTONIC);

		for (i = 0; i < count; i++)
			if (pthread_create(&halves[i].thread, NULL, half_run,
					   &halves[i]))
				abort();
		for (i = 0; i < count; i++)
			pthread_join(halves[i].thread, NULL);
		t = seconds(CLOCK_MONOTONIC) - t;
		best = t < best ? t : best;
	}
	return best;
}

/* A record's end near the middle, told by decoding up to there. */
static size_t middle(const uint8_t *bytes, size_t len)
{
	struct armspe_decoder *dec = decoder_new();
	static struct armspe_record rec;
	size_t pos;

	armspe_decoder_feed(dec, bytes, len, 0);
	while (armspe_decoder_position(dec) < len / 2 &&
	       armspe_record_next(dec, &rec) == ARMSPE_OK)
		;
	pos = armspe_decoder_position(dec);
	free(dec);
	return pos;
}

/* How many times as fast two threads are as one, each with half of the work */
static double two_cores(int kind, const uint8_t *bytes, size_t len)
{
	size_t mid = middle(bytes, len);
	struct half whole = { .kind = kind, .bytes = bytes, .len = len };
	struct half halves[2] = {
		{ .kind = kind, .bytes = bytes, .len = mid },
		{ .kind = kind, .bytes = bytes + mid, .len = len - mid },
	};
	double one;

	whole.table = halves[0].table = calloc(1, sizeof(struct table));
	halves[1].table = calloc(1, sizeof(struct table));
	if (!whole.table || !halves[1].table)
		abort();
	one = threads_run(&whole, 1);
	one /= threads_run(halves, 2);
	if (halves[0].records + halves[1].records != whole.records)
		printf("# records differ between one core and two\n");
	free(whole.table);
	free(halves[1].table);
	return one;
}

/*
 * Two cores may be threads of one, or one may be busy: what Linux's loop, which
 * shares nothing with a second one, gains says so.
 */
static void measure_cores(const uint8_t *bytes, size_t len)
{
	double ours = two_cores(COLUMNS, bytes, len);

	printf("cores: two %.2f times one, goal %.1f: %s\n", ours, GOAL_CORES,
	       met(ours, GOAL_CORES));
	printf("# cores: of Linux's packet loop two are %.2f times one on this machine\n",
	       two_cores(THEIRS, bytes, len));
}

static void say_load(void)
{
	double load[1] = { 0 };

	getloadavg(load, 1);
	printf("# load of this machine: %.1f\n", load[0]);
}

static void report(const struct result *r, size_t len)
{
	double scaled = r->copy * GOAL_COPY;

	printf("# GiB/s: theirs %.2f, our records %.2f, our columns %.2f (%.1f M records/s), memory copy %.2f\n",
	       r->rate[THEIRS], r->rate[RECORDS], r->rate[COLUMNS],
	       (double)r->count * r->rate[COLUMNS] /
	       ((double)len / (1 << 30)) * 1e-6, r->rate[COPY]);
	printf("linux: %.2f M records/s in its packet loop\n",
	       (double)r->count * r->rate[THEIRS] /
	       ((double)len / (1 << 30)) * 1e-6);
	printf("records: %.2f times Linux's packet loop\n", r->records);
	printf("columns: %.2f times Linux's packet loop\n", r->columns);
	printf("# GiB/s: reading the bytes %.2f, finding records %.2f, and storing 14 numbers for each %.2f, "
	       "the least report %.2f\n", r->rate[READ], r->rate[FIND], r->rate[STORE],
	       r->rate[REPORT]);
	printf("columns: %.2f of the rate of finding records and storing 14 numbers for each, goal %.2f: %s\n",
	       r->stored, GOAL, met(r->stored, GOAL));
	printf("columns: %.2f GiB/s where memory copy reaches %.0f, goal %.1f: %s\n",
	       scaled, GOAL_COPY, GOAL_GIB, met(scaled, GOAL_GIB));
}

/* The rate of one run of Linux's loop, for programs that are compared with it */
static int loop_alone(const uint8_t *bytes, size_t len)
{
	uint64_t records, sum = 0;
	double t = seconds(CLOCK_THREAD_CPUTIME_ID);

	records = linux_decode(bytes, len, &sum);
	t = seconds(CLOCK_THREAD_CPUTIME_ID) - t;
	printf("linux: %.2f M records/s, %zu MiB (checksum %" PRIx64 ")\n",
	       (double)records / t * 1e-6, len >> 20, sum);
	return records ? 0 : 1;
}

/* What programs that decode and do more are compared with */
static int decoders(const uint8_t *bytes, size_t len)
{
	uint64_t sum = 0, records[2];
	double t, best[2] = { 1e9, 1e9 };
	int i;

	for (i = 0; i < 2 * RUNS; i++) {
		t = seconds(CLOCK_THREAD_CPUTIME_ID);
		records[i % 2] = one_run(i % 2 ? REPORT : COLUMNS, bytes, NULL, len, &sum);
		t = seconds(CLOCK_THREAD_CPUTIME_ID) - t;
		best[i % 2] = t < best[i % 2] ? t : best[i % 2];
	}
	printf("decoders: %.3f %.3f %.3f (%" PRIu64 " records, checksum %" PRIx64 ")\n",
	       (double)len / (1 << 30) / best[0], two_cores(THEIRS, bytes, len),
	       (double)len / (1 << 30) / best[1], records[0], sum);
	return records[0] && records[0] == records[1] ? 0 : 1;
}

int main(int argc, char **argv)
{
	bool alone = argc > 1 && !strcmp(argv[1], "--loop");
	bool compared = argc > 1 && !strcmp(argv[1], "--decoders");
	const char *mib = getenv("BENCH_MIB");
	struct result result;
	uint8_t *bytes;
	size_t len = 0;
	int i;

	if (mib && atoi(mib) > 0)
		size = (size_t)atoi(mib) << 20;
	bytes = malloc(size);
	if (!bytes)
		return 1;
	for (i = 1 + (alone || compared); i < argc; i++)
		len += add_recording(bytes, len, argv[i]);
	if (alone)
		return loop_alone(bytes, len);
	if (compared)
		return decoders(bytes, repeat(bytes, len));
	printf("# decode: %s\n", len ? "AUX data of recordings, repeated" :
				      "a mix of records made by the encoder");
	len = len ? repeat(bytes, len) : make_mix(bytes);
	say_load();
	if (!measure(bytes, len, &result))
		return 1;
	report(&result, len);
	measure_cores(bytes, len);
	free(bytes);
	return 0;
}
