// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cuts a good perf.data file at each byte, and reads what is left.  The records
 * must be those of the whole file whose bytes lie before the cut, and no others:
 * the bytes of a record stand in the file, so where the last one ends is known
 * without the code that recovers.  The sanitizers end the program on an error.
 *
 *   cut FILE FIRST SCRATCH     FIRST: the first cut from which on the events begin
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "armspe.h"
#include "input/input.h"

#define RECORDS 1000

/* What identifies a record, and where its bytes end in the file */
struct seen {
	uint64_t piece, offset, bytes, events, pc, end;
};

struct all {
	struct seen record[RECORDS];
	size_t count;
	const uint8_t *file;
};

static void take(void *context, const struct sample_span *span)
{
	const struct armspe_record *rec = span->rec;
	struct all *all = context;

	if (span->status != ARMSPE_OK || all->count == RECORDS)
		return;
	all->record[all->count++] = (struct seen){
		span->piece->file_offset, rec->offset, rec->bytes,
		rec->valid & ARMSPE_HAS_EVENTS ? rec->events : 0,
		rec->addr_valid & 1 ? rec->addr[0] : 0,
		(uint64_t)(span->piece->bytes - all->file) + span->to,
	};
}

static bool read_all(char *path, struct all *all)
{
	struct source src = { 0 };
	struct sample_totals totals;

	all->count = 0;
	source_option(&src, path, false);
	if (source_open(&src) < 0)
		return false;
	all->file = source_input(&src)->bytes;
	samples_each(&src, take, all, &totals);
	/* A file that lost something must not end with status 0. */
	if (src.session.pd.damaged && samples_verdict(&src, &totals) == 0)
		all->count = RECORDS;
	source_close(&src);
	return true;
}

static void write_part(const char *path, const uint8_t *bytes, size_t len)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || close(fd))
		exit(2);
}

static int check_cut(char *path, const struct all *whole, size_t cut)
{
	static struct all part;
	size_t want = 0, i;

	while (want < whole->count && whole->record[want].end <= cut)
		want++;
	read_all(path, &part);
	if (part.count != want) {
		printf("  cut at %zu: %zu records, not %zu\n", cut, part.count,
		       want);
		return 1;
	}
	for (i = 0; i < want; i++) {
		const struct seen *a = &part.record[i], *b = &whole->record[i];

		if (memcmp(a, b, sizeof(*a))) {
			printf("  cut at %zu: record %zu is pc 0x%" PRIx64
			       " at %" PRIu64 ", %" PRIu64 " bytes until %" PRIu64
			       ", not pc 0x%" PRIx64 " at %" PRIu64 ", %" PRIu64
			       " bytes until %" PRIu64 "\n", cut, i, a->pc,
			       a->offset, a->bytes, a->end, b->pc, b->offset,
			       b->bytes, b->end);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	static uint8_t bytes[1 << 20];
	static struct all whole;
	size_t len, cut;
	int null, bad = 0;
	FILE *f;

	if (argc != 4)
		return 2;
	f = fopen(argv[1], "rb");
	if (!f)
		return 2;
	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	null = open("/dev/null", O_WRONLY);
	dup2(null, 2);
	if (!read_all(argv[1], &whole) || !whole.count)
		return 2;
	for (cut = strtoul(argv[2], NULL, 0); cut < len && bad < 5; cut++) {
		write_part(argv[3], bytes, cut);
		bad += check_cut(argv[3], &whole, cut);
	}
	printf("  %zu records in %zu bytes\n", whole.count, len);
	return bad ? 1 : 0;
}
