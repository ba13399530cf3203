// SPDX-License-Identifier: GPL-2.0-only
/* Compare the lines of packet_lines.c with the library's text, byte by byte. */
#include <stdlib.h>

#include "output/sentences/sentences.h"
#include "test.h"

#define BYTES 4096

/* The expected lines, made packet by packet */
static size_t want_lines(char *to, const uint8_t *bytes, size_t *from,
			 size_t len)
{
	struct armspe_packet packet;
	char *at = to;
	size_t i, took;

	while (armspe_packet_decode(bytes + *from, len - *from, &packet) ==
	       ARMSPE_OK) {
		took = armspe_packet_bytes(&packet);
		at += sprintf(at, "%08zx: ", *from);
		for (i = 0; i < took; i++)
			at += sprintf(at, "%02x ", bytes[*from + i]);
		at += armspe_text_packet(&packet, at, ARMSPE_TEXT_MAX);
		*at++ = '\n';
		*from += took;
	}
	return (size_t)(at - to);
}

/* A copy of @bytes at the end of an allocation, so that the sanitizer sees overruns */
static void check_lines(struct packet_lines *lines, FILE *to, char **got,
			size_t *got_len, const uint8_t *bytes, size_t len)
{
	char *want = malloc(len * (ARMSPE_TEXT_MAX + 16) + 1);
	uint8_t *own = memcpy(malloc(len ? len : 1), bytes, len);
	size_t want_len, want_end = 0, end;

	rewind(to);
	end = packet_lines_put(lines, own, 0, len, len);
	packet_lines_flush(lines);
	fflush(to);
	want_len = want_lines(want, bytes, &want_end, len);
	if (want_len != *got_len || memcmp(want, *got, want_len)) {
		want[want_len < 200 ? want_len : 200] = '\0';
		test_fail(__FILE__, __LINE__, "\"%.200s\", not \"%s\"", *got,
			  want);
	}
	CHECK_EQ(end, want_end);
	free(own);
	free(want);
}

/* Random bytes, but mostly from the few values that packets have */
static uint8_t likely_byte(struct test_random *r)
{
	switch (test_random_below(r, 4)) {
	case 0:
		return 0;
	case 1:
		return 0xff;
	default:
		return (uint8_t)test_random(r);
	}
}

/*
 * Each header with payloads of which each byte takes its turn at being 0, 0xff
 * and anything, with what the last one left in the tables; then cut.
 */
static void every_header(void)
{
	struct test_random r = { 1 };
	uint8_t bytes[32];
	unsigned int header, turn, i;
	size_t got_len;
	char *got;
	FILE *to = open_memstream(&got, &got_len);
	struct packet_lines *lines = packet_lines_new(to);

	for (turn = 0; turn < 60; turn++) {
		for (header = 0; header < 256; header++) {
			bytes[0] = (uint8_t)header;
			for (i = 1; i < sizeof(bytes); i++)
				bytes[i] = likely_byte(&r);
			check_lines(lines, to, &got, &got_len, bytes,
				    1 + test_random_below(&r, sizeof(bytes)));
		}
	}
	packet_lines_free(lines);
	fclose(to);
	free(got);
}

/* Numbers around each change of the number of digits, in both bases */
static void every_length(void)
{
	static const uint8_t headers[] = {
		0x65, 0x71, 0x98, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb6,
	};
	uint8_t bytes[24] = { 0 };
	uint64_t value = 1;
	unsigned int i, base, digits;
	size_t got_len;
	char *got;
	FILE *to = open_memstream(&got, &got_len);
	struct packet_lines *lines = packet_lines_new(to);

	for (base = 10; base <= 16; base += 6) {
		for (digits = 0, value = 1; digits < 16; digits++) {
			for (i = 0; i < 3 * sizeof(headers); i++) {
				uint64_t near = value - 1 + i % 3;

				bytes[0] = headers[i / 3];
				memcpy(bytes + 1, &near, 8);
				check_lines(lines, to, &got, &got_len, bytes,
					    sizeof(bytes));
			}
			value *= base;
		}
	}
	packet_lines_free(lines);
	fclose(to);
	free(got);
}

/* Offsets of all lengths, with the packets of an encoded record */
static void far_offsets(void)
{
	static const uint64_t offsets[] = {
		0, 0xff, 0x100, 0xffffff, 0x1000000, 0xfffffff0, 0x100000000,
		0x1000000ff, 0xfedcba9876543210, 0x2000000ff,
	};
	const uint8_t byte = 0x4a;
	char want[64];
	unsigned int i;
	size_t got_len;
	char *got;
	FILE *to = open_memstream(&got, &got_len);
	struct packet_lines *lines = packet_lines_new(to);

	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		rewind(to);
		packet_lines_say(lines, offsets[i], &byte, 1, "CUT");
		packet_lines_flush(lines);
		fputc('\0', to);
		fflush(to);
		snprintf(want, sizeof(want), "%08llx: 4a CUT\n",
			 (unsigned long long)offsets[i]);
		CHECK_STR(got, want);
	}
	packet_lines_free(lines);
	fclose(to);
	free(got);
}

static void many_records(void)
{
	struct test_random r = { 2 };
	struct armspe_record rec;
	struct armspe_encoder enc;
	uint8_t bytes[BYTES];
	unsigned int turn;
	size_t got_len;
	char *got;
	FILE *to = open_memstream(&got, &got_len);
	struct packet_lines *lines = packet_lines_new(to);

	for (turn = 0; turn < 40; turn++) {
		armspe_encode_init(&enc, bytes, sizeof(bytes));
		while (enc.len + 256 < sizeof(bytes))
			test_random_record(&r, &enc, &rec);
		check_lines(lines, to, &got, &got_len, bytes, enc.len);
	}
	packet_lines_free(lines);
	fclose(to);
	free(got);
}

const struct test_case packet_lines_cases[] = {
	{ "packet lines: each header, any payload", every_header },
	{ "packet lines: numbers of each length", every_length },
	{ "packet lines: offsets of each length", far_offsets },
	{ "packet lines: records of the encoder", many_records },
	{ 0 },
};
