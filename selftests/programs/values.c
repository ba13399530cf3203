// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the values in records, decoded directly from D18.2, without the decoder library and
 * the model's encoder.
 *
 * usage: values <RECORDS   (one record a line, in hexadecimal digits)
 *
 * Prints a line for each record, in the format of perf spe export --format csv with the fields
 * that values --fields prints.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "line.h"

struct value {
	bool there;
	uint64_t is;
};

struct record {
	struct value address[32], counter[32], context[4];
	struct value events, source, timestamp, op;
	unsigned int op_class;
};

/* The fields, in the order of the output. */
static const char fields[] =
	"timestamp,pc,el,security,op,event_bits,total,issue,translation,altclk_issue,"
	"target,previous_target,va,va_tag,pa,pa_space,source,context_el1,context_el2";

/* Returns where to store a packet's payload, by the header's last byte (Table D18-1). */
static struct value *place(struct record *r, unsigned int header, unsigned int high)
{
	if ((header & 0xf8) == 0xb0)
		return &r->address[high << 3 | (header & 7)];
	if ((header & 0xf8) == 0x98)
		return &r->counter[high << 3 | (header & 7)];
	if ((header & 0xfc) == 0x64)
		return &r->context[header & 3];
	if ((header & 0xcf) == 0x42)
		return &r->events;
	if ((header & 0xcf) == 0x43)
		return &r->source;
	if (header == 0x71)
		return &r->timestamp;
	if ((header & 0xfc) == 0x48) {
		r->op_class = header & 3;
		return &r->op;
	}
	return NULL;
}

/* Decodes one packet of @bytes.  Returns its length, or 0 if it is malformed or incomplete. */
static size_t take_packet(struct record *r, const uint8_t *bytes, size_t left)
{
	unsigned int header = bytes[0], high = 0;
	size_t at = 1, size;
	struct value *value;

	if (header <= 1)
		return 1;			/* padding, end */
	if ((header & 0xfc) == 0x20 && left > 1) {
		high = header & 3;
		header = bytes[at++];
	}
	/* D18.1.1: bits [5:4] of the header are the payload's size. */
	size = (size_t)1 << (header >> 4 & 3);
	value = place(r, header, high);
	if (!value || at + size > left)
		return 0;
	value->there = true;
	value->is = 0;
	for (size_t i = 0; i < size; i++)
		value->is |= (uint64_t)bytes[at + i] << 8 * i;
	return at + size;
}

static void number(const struct value *v, uint64_t is, const char *comma)
{
	if (v->there)
		printf("%" PRIu64, is);
	fputs(comma, stdout);
}

static void hex(const struct value *v, uint64_t is)
{
	if (v->there)
		printf("0x%" PRIx64, is);
	putchar(',');
}

static void word(const struct value *v, const char *is)
{
	if (v->there)
		printf("\"%s\"", is);
	putchar(',');
}

/* Bits [55:0], sign-extended from bit 55. */
static uint64_t virtual_of(uint64_t payload)
{
	return payload >> 55 & 1 ? payload | UINT64_C(0xff) << 56 : payload << 8 >> 8;
}

/* NS is bit 63, NSE bit 60 (D18.2.1). */
static const char *space_of(uint64_t payload)
{
	static const char *const names[] = { "secure", "non-secure", "reserved", "realm" };

	return names[(payload >> 63 & 1) | (payload >> 60 & 1) << 1];
}

static const char *op_of(const struct record *r)
{
	if (r->op_class == 1)
		return r->op.is & 1 ? "store" : "load";
	return r->op_class == 2 ? "branch" : "other";
}

static void print(const struct record *r)
{
	const struct value *pc = &r->address[0], *va = &r->address[2], *pa = &r->address[3];

	number(&r->timestamp, r->timestamp.is, ",");
	hex(pc, virtual_of(pc->is));
	number(pc, pc->is >> 61 & 3, ",");
	word(pc, space_of(pc->is));
	word(&r->op, op_of(r));
	hex(&r->events, r->events.is);
	number(&r->counter[0], r->counter[0].is, ",");	/* total */
	number(&r->counter[1], r->counter[1].is, ",");	/* issue */
	number(&r->counter[2], r->counter[2].is, ",");	/* translation */
	number(&r->counter[4], r->counter[4].is, ",");	/* alternate clock */
	hex(&r->address[1], virtual_of(r->address[1].is));
	hex(&r->address[4], virtual_of(r->address[4].is));
	hex(va, virtual_of(va->is));
	number(va, va->is >> 56, ",");
	hex(pa, pa->is << 8 >> 8);
	word(pa, space_of(pa->is));
	number(&r->source, r->source.is, ",");
	number(&r->context[0], r->context[0].is, ",");
	number(&r->context[1], r->context[1].is, "\n");
}

int main(int argc, char **argv)
{
	uint8_t bytes[2048];
	char line[4100];

	if (argc == 2 && !strcmp(argv[1], "--fields")) {
		puts(fields);
		return 0;
	}
	while (fgets(line, sizeof(line), stdin)) {
		size_t len = read_line(line, bytes, sizeof(bytes)), at = 0, used = 1;
		struct record r = { 0 };

		for (; used && at < len; at += used)
			used = take_packet(&r, bytes + at, len - at);
		if (!len || !used) {
			fprintf(stderr, "values: cannot decode this line as a record: %s", line);
			return 2;
		}
		print(&r);
	}
	return 0;
}
