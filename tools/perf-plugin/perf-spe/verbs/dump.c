// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe dump: print each packet on a line, as "OFFSET: BYTES TEXT".
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/input.h"
#include "output/sentences/sentences.h"
#include "util/util.h"
#include "verbs/verbs.h"

static void usage(FILE *to)
{
	fputs("usage: perf spe dump [FILE | --raw FILE]\n"
	      "\n"
	      "Prints the packets of Arm SPE data, one per line: its offset in the AUX buffer,\n"
	      "its bytes and its meaning.\n"
	      "\n"
	      "  -i, --input FILE   perf.data file (default: perf.data)\n"
	      "      --raw FILE     SPE bytes alone, without perf.data around them\n"
	      "  -h, --help         this text\n", to);
}

/* Print bytes that are not packets, 16 per line. */
static void print_bytes(struct packet_lines *out, const struct piece *p,
			size_t from, size_t len, const char *text)
{
	while (len) {
		size_t part = len < 16 ? len : 16;

		packet_lines_say(out, from, p->bytes + from, part, text);
		from += part;
		len -= part;
	}
}

/* Print all packets in [from, to); the rest is a packet that the end cuts. */
static void print_packets(struct packet_lines *out, const struct piece *p,
			  size_t from, size_t to)
{
	from = packet_lines_put(out, p->bytes, from, to, (size_t)p->len);
	print_bytes(out, p, from, to - from, "CUT");
}

/*
 * Print the packet that the previous piece cut, from its bytes in both pieces.
 * Returns how many of its bytes are in this piece; 0 if the cut is between two
 * packets.
 */
static size_t print_continued(struct packet_lines *out,
			      const struct sample_span *span)
{
	char text[ARMSPE_TEXT_MAX + 16];
	size_t cut = 0, begun, rest = span->to - span->from;
	struct armspe_packet packet;
	uint8_t bytes[16];

	while (armspe_packet_decode(span->carried + cut,
				    span->carried_len - cut, &packet) ==
	       ARMSPE_OK)
		cut += armspe_packet_bytes(&packet);
	begun = span->carried_len - cut;
	if (!begun)
		return 0;
	/* A cut packet has at most 9 of its at most 10 bytes. */
	memcpy(bytes, span->carried + cut, begun);
	if (rest > sizeof(bytes) - begun)
		rest = sizeof(bytes) - begun;
	memcpy(bytes + begun, span->piece->bytes + span->from, rest);
	if (armspe_packet_decode(bytes, begun + rest, &packet) != ARMSPE_OK) {
		print_bytes(out, span->piece, span->from, rest, "CUT");
		return rest;
	}
	armspe_text_packet(&packet, text, ARMSPE_TEXT_MAX);
	strcat(text, " (continued)");
	rest = armspe_packet_bytes(&packet) - begun;
	packet_lines_say(out, span->from, span->piece->bytes + span->from, rest, text);
	return rest;
}

struct dump {
	struct packet_lines *out;
	bool raw;
	const struct piece *piece;	/* NULL between two pieces */
	size_t printed;			/* bytes of the piece */
};

static void dump_header(struct packet_lines *out, const struct piece *p)
{
	packet_lines_flush(out);
	if (p->samples) {
		printf("# %zu sample%s of CPU %" PRId32 ", thread %" PRId32 ", offset 0x%" PRIx64
		       ", %" PRIu64 " bytes\n", p->nr_samples, plural(p->nr_samples), p->cpu,
		       p->tid, p->offset, p->len);
		return;
	}
	printf("# AUX buffer %" PRIu32 ", CPU %" PRId32 ", thread %" PRId32
	       ", offset 0x%" PRIx64 ", %" PRIu64 " bytes\n", p->idx, p->cpu,
	       p->tid, p->offset, p->len);
}

/*
 * Print packets record by record, so that bytes that the record layer skips as
 * damaged are not shown as packets.
 */
static void dump_span(void *context, const struct sample_span *span)
{
	const struct piece *p = span->piece;
	size_t from = span->from;
	struct dump *d = context;

	if (!d->piece) {
		d->piece = p;
		d->printed = 0;
		if (!d->raw)
			dump_header(d->out, p);
	}
	print_packets(d->out, p, d->printed, from);
	d->printed = span->to;
	if (span->status == ARMSPE_DAMAGED || span->rest) {
		print_bytes(d->out, p, from, span->to - from, span->rest ? "CUT" : "DAMAGED");
		return;
	}
	if (span->carried_len)
		from += print_continued(d->out, span);
	print_packets(d->out, p, from, span->to);
	if (span->status == ARMSPE_END)
		d->piece = NULL;
}

int verb_dump(int argc, char **argv)
{
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "raw", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct source src = { 0 };
	struct sample_totals totals;
	struct dump dump = { 0 };
	int option, rc;

	while ((option = option_next("dump", argc, argv, "i:h", options)) != -1) {
		switch (option) {
		case 'i':
		case 'r':
			if (!source_option(&src, optarg, option == 'r'))
				return EXIT_USAGE;
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		default:
			return EXIT_USAGE;
		}
	}
	source_argument(&src, argc, argv);
	if (optind < argc) {
		source_say_left(&src, "dump", argv[optind]);
		return EXIT_USAGE;
	}
	if (source_open(&src) < 0)
		return EXIT_INPUT;
	if (!src.raw && src.session.made) {
		say("dump: %s does not have the packets of its samples: record with perf record --raw-samples, or 'perf spe record --samples'",
		    src.path);
		source_close(&src);
		return EXIT_INPUT;
	}
	if (!src.raw && src.session.sampled)
		record_samples_own_times(&src.session);
	dump.raw = src.raw;
	dump.out = packet_lines_new(stdout);
	samples_each(&src, dump_span, &dump, &totals);
	packet_lines_flush(dump.out);
	packet_lines_free(dump.out);
	rc = samples_verdict(&src, &totals);
	source_close(&src);
	return rc;
}
