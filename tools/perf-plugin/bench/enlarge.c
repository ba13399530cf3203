// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording as if it had taken longer: its AUX data again and again, at the
 * offsets that follow, until there are at least so many MiB.  What else the file holds
 * stays as it was.
 *
 *   enlarge PERF-DATA MIB OUT
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

/* Offsets in the header, as in perf.data-file-format.txt */
#define DATA_SIZE	48
#define FEATURES	72
#define FEATURE_BITS	256
#define FEATURE_AUXTRACE 18	/* where the AUXTRACE events are: left out */

/* An AUXTRACE event with its data, and the length of the stream it is cut from */
struct part {
	uint64_t at, len, offset, period;
	uint32_t idx;
};

struct parts {
	struct part *part;
	size_t count, room;
	uint64_t bytes;
};

static void put(FILE *to, const void *bytes, size_t len)
{
	if (fwrite(bytes, 1, len, to) != len) {
		say("enlarge: cannot write: %s", strerror(errno));
		exit(1);
	}
}

static void parts_add(struct parts *p, const struct pd_event *ev)
{
	struct part *part;

	p->part = array_grow(p->part, p->count, &p->room, sizeof(*p->part));
	part = &p->part[p->count++];
	part->at = ev->offset;
	part->len = 8 + ev->len + ev->aux_len;
	part->offset = pd_load64(ev->body + 8);
	part->idx = pd_load32(ev->body + 24);
	p->bytes += ev->aux_len;
}

/* How far each stream reaches: where its next copy begins */
static void parts_period(struct parts *p)
{
	size_t i, k;

	for (i = 0; i < p->count; i++) {
		for (k = 0; k < p->count; k++) {
			const struct part *o = &p->part[k];
			uint64_t end = o->offset + o->len;

			if (o->idx == p->part[i].idx &&
			    end > p->part[i].period)
				p->part[i].period = end;
		}
		p->part[i].period = (p->part[i].period + 4095) & ~4095ULL;
	}
}

/* All parts once more, as the @round-th copy; returns the bytes written. */
static uint64_t put_round(const struct perfdata *pd, const struct parts *p,
			  uint64_t round, FILE *to)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < p->count; i++) {
		const struct part *part = &p->part[i];
		uint64_t offset = part->offset + round * part->period;
		const uint8_t *from = pd->in.bytes + part->at;

		/* header 8, size 8, offset 8 */
		put(to, from, 16);
		put(to, &offset, 8);
		put(to, from + 24, part->len - 24);
		bytes += part->len;
	}
	return bytes;
}

static bool has_feature(const struct perfdata *pd, unsigned int bit)
{
	return pd->in.bytes[FEATURES + bit / 8] >> bit % 8 & 1;
}

/* The sections behind the events have moved. */
static void put_features(const struct perfdata *pd, uint64_t moved, FILE *to)
{
	const uint8_t *at = pd->in.bytes + pd->data_end;
	const uint8_t *end = pd->in.bytes + pd->in.size;
	unsigned int bit;

	if (has_feature(pd, FEATURE_AUXTRACE))
		moved -= 16;
	for (bit = 0; bit < FEATURE_BITS; bit++) {
		uint64_t offset;

		if (!has_feature(pd, bit))
			continue;
		offset = pd_load64(at) + moved;
		if (bit != FEATURE_AUXTRACE) {
			put(to, &offset, 8);
			put(to, at + 8, 8);
		}
		at += 16;
	}
	put(to, at, (size_t)(end - at));
}

/* What the header says of the events and of the features */
static bool put_header(const struct perfdata *pd, uint64_t size, FILE *to)
{
	uint8_t byte = pd->in.bytes[FEATURES + FEATURE_AUXTRACE / 8];

	if (fseek(to, DATA_SIZE, SEEK_SET))
		return false;
	put(to, &size, 8);
	byte &= (uint8_t)~(1u << FEATURE_AUXTRACE % 8);
	if (fseek(to, FEATURES + FEATURE_AUXTRACE / 8, SEEK_SET))
		return false;
	put(to, &byte, 1);
	return true;
}

int main(int argc, char **argv)
{
	uint64_t pos, moved = 0, round, want;
	struct parts parts = { 0 };
	struct perfdata pd;
	struct pd_event ev;
	FILE *to;

	if (argc != 4 || !parse_count("enlarge", "mib", argv[2], &want) ||
	    perfdata_open(&pd, argv[1], argv[1]) < 0 || pd.pipe)
		return 1;
	for (pos = pd.data; perfdata_next(&pd, &pos, &ev) > 0;)
		if (ev.type == PD_EVENT_AUXTRACE)
			parts_add(&parts, &ev);
	to = fopen(argv[3], "wbe");
	if (!parts.bytes || !to) {
		say("enlarge: nothing to enlarge, or nowhere to write");
		return 1;
	}
	parts_period(&parts);
	put(to, pd.in.bytes, (size_t)pd.data_end);
	for (round = 1; round * parts.bytes < want << 20; round++)
		moved += put_round(&pd, &parts, round, to);
	put_features(&pd, moved, to);
	if (!put_header(&pd, pd.data_end - pd.data + moved, to) || fclose(to))
		return 1;
	printf("# %s, %" PRIu64 " times: %" PRIu64 " MiB\n", argv[1], round,
	       round * parts.bytes >> 20);
	free(parts.part);
	perfdata_close(&pd);
	return 0;
}
