// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast libarmspe decodes records, against Linux's loop over packets, which
 * does less: it fills no record.
 *
 *   bench [PERF-DATA...]   the AUX data of recordings, repeated to 64 MiB;
 *                          without any, a mix made by the encoder
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "samples.h"

#define SIZE	((size_t)64 << 20)
#define RUNS	9
#define GOAL	5.0

static uint64_t our_decode(const uint8_t *bytes, size_t len, uint64_t *sum)
{
	static struct armspe_decoder dec;
	static struct armspe_record rec;

	armspe_decoder_init(&dec, bytes, len, 0);
	while (armspe_record_next(&dec, &rec) == ARMSPE_OK)
		*sum += rec.addr[SPE_ADDR_PC] + rec.counter[SPE_COUNTER_TOTAL] +
			rec.events + rec.op_payload;
	return dec.totals.records;
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
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

	armspe_encode_init(&enc, bytes, SIZE);
	while (enc.len + 128 <= SIZE)
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
	for (i = 0; i < count && len + pieces[i].len <= SIZE; i++) {
		memcpy(bytes + len, pieces[i].bytes, pieces[i].len);
		len += pieces[i].len;
	}
	source_close(&src);
	return len - from;
}

static size_t repeat(uint8_t *bytes, size_t len)
{
	size_t whole = len;

	while (whole + len <= SIZE) {
		memcpy(bytes + whole, bytes, len);
		whole += len;
	}
	return whole;
}

int main(int argc, char **argv)
{
	double ours[RUNS], theirs[RUNS], mib, a, b;
	uint64_t our_records = 0, their_records = 0, sum = 0;
	uint8_t *bytes = malloc(SIZE);
	size_t len = 0;
	int i;

	if (!bytes)
		return 1;
	for (i = 1; i < argc; i++)
		len += add_recording(bytes, len, argv[i]);
	printf("# decode: %s\n", len ? "AUX data of recordings, repeated" :
				      "a mix of records made by the encoder");
	len = len ? repeat(bytes, len) : make_mix(bytes);
	for (i = 0; i < RUNS; i++) {
		double t = seconds();

		our_records = our_decode(bytes, len, &sum);
		ours[i] = seconds() - t;
		t = seconds();
		their_records = linux_decode(bytes, len, &sum);
		theirs[i] = seconds() - t;
	}
	qsort(ours, RUNS, sizeof(*ours), by_value);
	qsort(theirs, RUNS, sizeof(*theirs), by_value);
	mib = (double)len / (1 << 20);
	a = mib / ours[RUNS / 2];
	b = mib / theirs[RUNS / 2];
	if (our_records != their_records)
		printf("# records differ: ours %" PRIu64 ", theirs %" PRIu64 "\n",
		       our_records, their_records);
	printf("# %.0f MiB, %" PRIu64 " records, medians of %d runs, ours %.1f M records/s (checksum %" PRIx64 ")\n",
	       mib, our_records, RUNS,
	       (double)our_records / ours[RUNS / 2] * 1e-6, sum);
	printf("decode: ours %.0f MiB/s, theirs %.0f MiB/s, ratio %.2f, goal %.1f: %s\n",
	       a, b, a / b, GOAL, a / b >= GOAL ? "met" : "missed");
	free(bytes);
	return 0;
}
