// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe dump: every packet, one a line, "OFFSET: BYTES TEXT".
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"
#include "verbs.h"

/* Offset, 16 bytes, text */
#define LINE_MAX_BYTES (20 + 3 * 16 + ARMSPE_TEXT_MAX)

static void usage(FILE *to)
{
	fputs("usage: perf spe dump [-i FILE | --raw FILE]\n"
	      "\n"
	      "Prints the packets of Arm SPE data, one a line: offset in its AUX buffer,\n"
	      "bytes, meaning.\n"
	      "\n"
	      "  -i, --input FILE   perf.data file (default: perf.data)\n"
	      "      --raw FILE     bare SPE bytes\n"
	      "  -h, --help         this text\n", to);
}

static char *put_byte(char *to, uint8_t byte)
{
	static const char digit[] = "0123456789abcdef";

	*to++ = digit[byte >> 4];
	*to++ = digit[byte & 15];
	*to++ = ' ';
	return to;
}

/* "00000010: 99 02 00 ": as many digits as needed, at least eight */
static char *put_head(char *to, uint64_t offset, const uint8_t *bytes,
		      size_t len)
{
	int shift = 28;
	size_t i;

	while (shift < 60 && offset >> shift >> 4)
		shift += 4;
	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[offset >> shift & 15];
	*to++ = ':';
	*to++ = ' ';
	for (i = 0; i < len; i++)
		to = put_byte(to, bytes[i]);
	return to;
}

static void print_line(uint64_t offset, const uint8_t *bytes, size_t len,
		       const char *text)
{
	char line[LINE_MAX_BYTES];
	char *to = put_head(line, offset, bytes, len);

	*to = '\0';
	printf("%s%s\n", line, text);
}

/* Bytes that are no packets, 16 a line */
static void print_bytes(const struct piece *p, size_t from, size_t len,
			const char *text)
{
	while (len) {
		size_t part = len < 16 ? len : 16;

		print_line(from, p->bytes + from, part, text);
		from += part;
		len -= part;
	}
}

/* All packets in [from, to); returns the offset of the first that is cut. */
static size_t print_packets(const struct piece *p, size_t from, size_t to)
{
	struct armspe_packet packet;
	char line[LINE_MAX_BYTES], *end;
	size_t len;

	while (armspe_packet_decode(p->bytes + from, to - from, &packet) ==
	       ARMSPE_OK) {
		len = armspe_packet_bytes(&packet);
		end = put_head(line, from, p->bytes + from, len);
		end += armspe_text_packet(&packet, end, ARMSPE_TEXT_MAX);
		*end++ = '\n';
		fwrite(line, 1, (size_t)(end - line), stdout);
		from += len;
	}
	return from;
}

/*
 * Packets are printed record by record, so that the bytes that the record
 * layer gives up are shown as damaged and not as packets.
 */
static void dump_piece(const struct piece *p)
{
	struct armspe_decoder dec;
	struct armspe_record rec;
	enum armspe_status status;
	size_t printed = 0;

	armspe_decoder_init(&dec, p->bytes, (size_t)p->len, 0);
	do {
		status = armspe_record_next(&dec, &rec);
		if (status == ARMSPE_DAMAGED) {
			print_packets(p, printed, (size_t)rec.offset);
			print_bytes(p, (size_t)rec.offset, rec.bytes, "DAMAGED");
			printed = dec.pos;
		} else if (status == ARMSPE_OK) {
			/* With the padding in front of it */
			printed = print_packets(p, printed, dec.pos);
		}
	} while (status == ARMSPE_OK || status == ARMSPE_DAMAGED);

	printed = print_packets(p, printed, (size_t)p->len);
	print_bytes(p, printed, (size_t)p->len - printed, "CUT");
}

static void dump_source(const struct source *src)
{
	const struct piece *pieces;
	size_t i, count;

	pieces = source_pieces(src, &count);
	for (i = 0; i < count; i++) {
		const struct piece *p = &pieces[i];

		if (!src->raw)
			printf("# AUX buffer %" PRIu32 ", CPU %" PRId32
			       ", thread %" PRId32 ", offset 0x%" PRIx64
			       ", %" PRIu64 " bytes\n", p->idx, p->cpu, p->tid,
			       p->offset, p->len);
		dump_piece(p);
	}
}

static void no_sample(void *context, const struct piece *piece,
		      const struct armspe_record *rec)
{
	(void)context;
	(void)piece;
	(void)rec;
}

int verb_dump(int argc, char **argv)
{
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "raw", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct source src = { .path = "perf.data" };
	struct sample_totals totals;
	int option, rc;

	while ((option = getopt_long(argc, argv, "i:h", options, NULL)) != -1) {
		switch (option) {
		case 'i':
		case 'r':
			src.path = optarg;
			src.raw = option == 'r';
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		default:
			usage(stderr);
			return EXIT_USAGE;
		}
	}
	if (optind < argc) {
		say("dump: unexpected argument '%s'", argv[optind]);
		return EXIT_USAGE;
	}
	if (source_open(&src) < 0)
		return EXIT_INPUT;
	dump_source(&src);
	/* What a piece cuts the next one may complete: judge whole streams. */
	samples_each(&src, no_sample, NULL, &totals);
	rc = samples_verdict(&src, &totals);
	source_close(&src);
	return rc;
}
