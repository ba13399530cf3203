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
#define LINE_MAX_BYTES (20 + 3 * 16 + 1 + ARMSPE_TEXT_MAX)

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

/*
 * A line's bytes and text, for packets of up to 7 bytes: of these the same
 * ones come again and again.
 */
struct told {
	uint64_t key;			/* the bytes, and how many; 0: empty */
	size_t len;
	char text[80];
};

#define TOLD 1024			/* a power of two */

/* Lines on their way to standard output, and what they are made from */
struct lines_out {
	char line[1 << 16];
	size_t len;
	char hex[256][4];		/* "4a " of each byte */
	struct told told[TOLD];
};

static void out_init(struct lines_out *out)
{
	unsigned int i;

	for (i = 0; i < 256; i++)
		snprintf(out->hex[i], sizeof(out->hex[i]), "%02x ", i);
}

static void out_flush(struct lines_out *out)
{
	fwrite(out->line, 1, out->len, stdout);
	out->len = 0;
}

/* Where one more line has room */
static char *out_room(struct lines_out *out)
{
	if (out->len + LINE_MAX_BYTES > sizeof(out->line))
		out_flush(out);
	return out->line + out->len;
}

static void out_took(struct lines_out *out, char *end)
{
	out->len = (size_t)(end - out->line);
}

/* "00000010: ": as many digits as needed, at least eight */
static char *put_offset(const struct lines_out *out, char *to, uint64_t offset)
{
	int shift = 28;

	while (shift < 60 && offset >> shift >> 4)
		shift += 4;
	for (; shift >= 32; shift -= 4)
		*to++ = "0123456789abcdef"[offset >> shift & 15];
	for (shift = 24; shift >= 0; shift -= 8, to += 2)
		memcpy(to, out->hex[offset >> shift & 0xff], 2);
	*to++ = ':';
	*to++ = ' ';
	return to;
}

static char *put_bytes(const struct lines_out *out, char *to,
		       const uint8_t *bytes, size_t len)
{
	size_t i;

	/* The fourth byte is written over: a line has room. */
	for (i = 0; i < len; i++, to += 3)
		memcpy(to, out->hex[bytes[i]], 4);
	return to;
}

static void print_line(struct lines_out *out, uint64_t offset,
		       const uint8_t *bytes, size_t len, const char *text)
{
	char *to = put_offset(out, out_room(out), offset);

	to = put_bytes(out, to, bytes, len);
	to = stpcpy(to, text);
	*to++ = '\n';
	out_took(out, to);
}

/* Bytes that are no packets, 16 a line */
static void print_bytes(struct lines_out *out, const struct piece *p,
			size_t from, size_t len, const char *text)
{
	while (len) {
		size_t part = len < 16 ? len : 16;

		print_line(out, from, p->bytes + from, part, text);
		from += part;
		len -= part;
	}
}

static char *put_packet(const struct lines_out *out, char *to,
			const struct armspe_packet *packet,
			const uint8_t *bytes, size_t len)
{
	to = put_bytes(out, to, bytes, len);
	to += armspe_text_packet(packet, to, ARMSPE_TEXT_MAX);
	*to++ = '\n';
	return to;
}

/* The same, told before or kept; 8 bytes can be read at @bytes. */
static char *put_told(struct lines_out *out, char *to,
		      const struct armspe_packet *packet,
		      const uint8_t *bytes, size_t len)
{
	uint64_t key = pd_load64(bytes) &
		       ((UINT64_C(1) << 8 * len) - 1);
	struct told *told;
	char *end;

	key |= (uint64_t)len << 56;
	told = &out->told[key * 0x9e3779b97f4a7c15ULL >> 54];
	if (told->key == key) {
		/* All of it, as that takes no call: a line has room. */
		memcpy(to, told->text, sizeof(told->text));
		return to + told->len;
	}
	end = put_packet(out, to, packet, bytes, len);
	if ((size_t)(end - to) <= sizeof(told->text)) {
		told->key = key;
		told->len = (size_t)(end - to);
		memcpy(told->text, to, told->len);
	}
	return end;
}

/* All packets in [from, to); what is left there is cut. */
static void print_packets(struct lines_out *out, const struct piece *p,
			  size_t from, size_t to)
{
	struct armspe_packet packet;
	size_t len;

	while (armspe_packet_decode(p->bytes + from, to - from, &packet) ==
	       ARMSPE_OK) {
		char *end = put_offset(out, out_room(out), from);

		len = armspe_packet_bytes(&packet);
		if (len < 8 && p->len - from >= 8)
			end = put_told(out, end, &packet, p->bytes + from, len);
		else
			end = put_packet(out, end, &packet, p->bytes + from,
					 len);
		out_took(out, end);
		from += len;
	}
	print_bytes(out, p, from, to - from, "CUT");
}

/*
 * The rest of a packet that the piece before cut, told as a whole.  Returns
 * its bytes in this piece: 0 where the cut is between two packets.
 */
static size_t print_continued(struct lines_out *out,
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
	/* Without an end it has at most 9 of its 10 bytes. */
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
	print_line(out, span->from, span->piece->bytes + span->from, rest, text);
	return rest;
}

struct dump {
	struct lines_out *out;
	bool raw;
	const struct piece *piece;	/* NULL between two */
	size_t printed;			/* bytes of it */
};

static void dump_header(struct lines_out *out, const struct piece *p)
{
	out_flush(out);
	printf("# AUX buffer %" PRIu32 ", CPU %" PRId32 ", thread %" PRId32
	       ", offset 0x%" PRIx64 ", %" PRIu64 " bytes\n", p->idx, p->cpu,
	       p->tid, p->offset, p->len);
}

/*
 * Packets are printed record by record, so that the bytes that the record
 * layer gives up are shown as damaged and not as packets.
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
	if (span->status == ARMSPE_DAMAGED) {
		print_bytes(d->out, p, from, span->to - from, "DAMAGED");
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

	while ((option = getopt_long(argc, argv, "i:h", options, NULL)) != -1) {
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
	dump.raw = src.raw;
	dump.out = xcalloc(1, sizeof(*dump.out));
	out_init(dump.out);
	samples_each(&src, dump_span, &dump, &totals);
	out_flush(dump.out);
	free(dump.out);
	rc = samples_verdict(&src, &totals);
	source_close(&src);
	return rc;
}
