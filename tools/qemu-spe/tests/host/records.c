// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the record packer against D18.2: each packet in each of its formats,
 * then order, padding and sizes.  The expected bytes were worked out by hand
 * from the tables.
 */

#include <stdio.h>
#include <string.h>

#include "host.h"
#include "record/record.h"

static const SPEFormat plain = {
	.counter_max = 0xfff, .events_size = 4, .source_size = 1,
	.align = 64, .max_size = 64, .shuffle = 1,
};

static const SPEFormat extended = {
	.counter_max = 0xffff, .events_size = 8, .source_size = 2,
	.extended = true, .align = 1, .max_size = 128, .shuffle = 1,
};

static void to_text(const uint8_t *bytes, size_t length, char *text)
{
	*text = 0;
	for (size_t i = 0; i < length; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
}

static bool same(const uint8_t *bytes, size_t length, const char *hex)
{
	char text[2 * SPE_MAX_SIZE + 1];

	to_text(bytes, length, text);
	if (strcmp(text, hex))
		printf("# got %s\n# want %s\n", text, hex);
	return !strcmp(text, hex);
}

static bool packs_to(const SPERecord *rec, const SPEFormat *f, const char *hex)
{
	uint8_t bytes[SPE_RECORD_MAX];
	SPEFormat format = *f;

	return same(bytes, spe_record_pack(rec, &format, bytes), hex);
}

static void whole_records(void)
{
	SPERecord rec = {
		.events = SPE_EVENT_RETIRED, .op_class = 2, .subclass = 1,
		.pc = 0xa000000000001234, .issue = 2, .total = 0x12345,
	};

	ok(packs_to(&rec, &plain, "b034120000000000a0" "4a01" "6202000000"
		    "990200" "98ff0f" "01"),
	   "PC, type, events, saturated counter, End");
	ok(packs_to(&rec, &extended, "20b034120000000000a0" "4a01"
		    "720200000000000000" "20990200" "2098ffff" "01"),
	   "the same with extended headers, 16 bits, 8 bytes of events");
	rec.has = SPE_HAS_TARGET | SPE_HAS_TIMESTAMP;
	rec.target = 0x8000000000005678;
	rec.timestamp = 0x0102030405060708;
	rec.total = 3;
	ok(packs_to(&rec, &plain, "b034120000000000a0" "4a01" "6202000000"
		    "990200" "980300" "b17856000000000080"
		    "710807060504030201"),
	   "branch target, Timestamp in place of End");
}

/*
 * Each optional packet alone: the bytes that it adds before End, as hexadecimal
 * digits in Short format and in Extended format.
 */
static const struct {
	const char *name;
	uint32_t has;
	const char *bytes, *extended;
} packets[] = {
	{ "branch target", SPE_HAS_TARGET,
	  "b11111111111111180", "20b11111111111111180" },
	{ "data virtual address", SPE_HAS_VADDR,
	  "b222222222222222a5", "20b222222222222222a5" },
	{ "data physical address, NS, CH, NSE, PAT", SPE_HAS_PADDR,
	  "b333333333333300dd", "20b333333333333300dd" },
	{ "previous branch target", SPE_HAS_PREVIOUS,
	  "b444444444444444c0", "20b444444444444444c0" },
	{ "IMPLEMENTATION DEFINED address", SPE_HAS_IMP_ADDRESS,
	  "22b055555555555555ff", "22b055555555555555ff" },
	{ "translation latency", SPE_HAS_TRANSLATION, "9a3412", "209a3412" },
	{ "alternate clock issue latency", SPE_HAS_ALT_ISSUE,
	  "9cff0f", "209cfe0f" },
	{ "IMPLEMENTATION DEFINED counter", SPE_HAS_IMP_COUNTER,
	  "2298ff0f", "2298ffff" },
	{ "CONTEXTIDR_EL1", SPE_HAS_CONTEXT1, "6444332211", "6444332211" },
	{ "CONTEXTIDR_EL2", SPE_HAS_CONTEXT2, "6588776655", "6588776655" },
	{ "data source", SPE_HAS_SOURCE, "430d", "530dc0" },
};

#define PACKETS (sizeof(packets) / sizeof(packets[0]))

static const SPERecord everything = {
	.target = 0x8011111111111111, .vaddr = 0xa522222222222222,
	.paddr = 0xdd00333333333333, .previous = 0xc044444444444444,
	.imp_address = 0xff55555555555555, .context1 = 0x11223344,
	.context2 = 0x55667788, .source = 0xc00d, .timestamp = 7,
	.translation = 0x1234, .alt_issue = 0xffe, .imp_counter = 0x123456,
};

static bool adds(const SPEFormat *f, uint32_t has, const char *hex)
{
	char with[2 * SPE_RECORD_MAX + 1], without[2 * SPE_RECORD_MAX + 1];
	uint8_t bytes[SPE_RECORD_MAX];
	SPERecord rec = everything;
	SPEFormat format = *f;
	char *at;

	to_text(bytes, spe_record_pack(&rec, &format, bytes), without);
	rec.has = has;
	to_text(bytes, spe_record_pack(&rec, &format, bytes), with);
	at = strstr(with, hex);
	if (!at || strlen(with) != strlen(without) + strlen(hex)) {
		printf("# record %s does not have the additional packet %s\n", with, hex);
		return false;
	}
	memmove(at, at + strlen(hex), strlen(at + strlen(hex)) + 1);
	return !strcmp(with, without);
}

static void each_packet(void)
{
	SPEFormat short12 = plain;
	char name[80];

	for (size_t i = 0; i < PACKETS; i++) {
		const char *hex = packets[i].bytes;

		/* 0x1234 and 0xffe fit into 16 bits, but saturate 12 bits. */
		if (packets[i].has == SPE_HAS_TRANSLATION)
			hex = "9aff0f";
		else if (packets[i].has == SPE_HAS_ALT_ISSUE)
			hex = "9cfe0f";
		snprintf(name, sizeof(name), "%s, Short format",
			 packets[i].name);
		ok(adds(&short12, packets[i].has, hex), name);
		snprintf(name, sizeof(name), "%s, Extended format",
			 packets[i].name);
		ok(adds(&extended, packets[i].has, packets[i].extended), name);
	}
}

static void event_sizes(void)
{
	SPERecord rec = { .events = 0xfedcba9876543212 };
	static const struct {
		int size;
		const char *hex, *name;
	} forms[] = {
		{ 1, "4212", "Events packet of a byte" },
		{ 2, "521232", "Events packet of a halfword" },
		{ 4, "6212325476", "Events packet of a word" },
		{ 8, "721232547698badcfe", "Events packet of a doubleword" },
	};

	for (size_t i = 0; i < 4; i++) {
		char text[2 * SPE_RECORD_MAX + 1];
		uint8_t bytes[SPE_RECORD_MAX];
		SPEFormat format = plain;

		format.events_size = forms[i].size;
		to_text(bytes, spe_record_pack(&rec, &format, bytes), text);
		ok(strstr(text, forms[i].hex) == text + 2 * (9 + 2),
		   forms[i].name);
	}
}

/*
 * Writes the header of each packet to @order; of an extended header, the second
 * byte.  Returns the number of packets.
 */
static int packets_of(const uint8_t *bytes, size_t length, uint8_t *order)
{
	int n = 0;

	for (size_t i = 0; i < length; n++) {
		uint8_t header = bytes[i++];

		if ((header & 0xe0) == 0x20)
			header = bytes[i++];
		order[n] = header;
		if (header >= 0x40)
			i += 1 << (header >> 4 & 3);
	}
	return n;
}

/* Writes the packets of @record to @out, the last but one first. */
static void reverse(const uint8_t *record, size_t length, uint8_t *out)
{
	size_t start = 0, last = length - 9, put = last;

	while (start < last) {
		size_t size = (record[start] & 0xe0) == 0x20;

		size += 1 + (1 << (record[start + size] >> 4 & 3));
		put -= size;
		memcpy(out + put, record + start, size);
		start += size;
	}
	memcpy(out + last, record + last, 9);
}

static void orders(void)
{
	uint8_t wanted[SPE_RECORD_MAX];
	bool place[16][16] = { { false } }, everywhere = true;
	uint8_t first[SPE_RECORD_MAX], other[SPE_RECORD_MAX];
	uint8_t a[32], b[32];
	SPERecord rec = everything;
	SPEFormat format = extended;
	bool reversed = true, complete = true, last = true, moved = false;
	size_t length;
	int n, seen;

	rec.has = ~0u;
	length = spe_record_pack(&rec, &format, first);
	n = packets_of(first, length, a);
	ok(length == SPE_RECORD_MAX && n == 17, "all packets in one record");
	format.order = SPE_ORDER_REVERSED;
	ok(spe_record_pack(&rec, &format, other) == length &&
	   packets_of(other, length, b) == n, "reversed: the same packets");
	for (int i = 0; i < n - 1; i++)
		reversed &= b[i] == a[n - 2 - i];
	reverse(first, length, wanted);
	ok(reversed && b[n - 1] == 0x71 && !memcmp(other, wanted, length),
	   "reversed: first to last but the Timestamp");
	format.order = SPE_ORDER_SHUFFLED;
	for (int round = 0; round < 1000; round++) {
		complete &= spe_record_pack(&rec, &format, other) == length &&
			    packets_of(other, length, b) == n;
		last &= b[n - 1] == 0x71;
		moved |= memcmp(a, b, n) != 0;
		for (int i = 0; i < 16; i++)
			for (int j = 0; j < 16; j++)
				place[i][j] |= b[i] == a[j];
		seen = 0;
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				seen += a[i] == b[j];
		/*
		 * PC and address 16 have equal second header bytes, and so have
		 * counters 0 and 16.  Each pair adds two matches.
		 */
		complete &= seen == n + 4;
	}
	ok(complete, "shuffled: no packet is lost");
	ok(last, "shuffled: the Timestamp comes last");
	ok(moved, "shuffled: the others do not stay");
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++)
			everywhere &= place[i][j];
	ok(everywhere, "shuffled: each packet comes to each place");
	/*
	 * The generator is Marsaglia's xorshift64 (Journal of Statistical Software
	 * 8:14, 2003), with his shifts 13, 7, 17 and his seed.  A record of five
	 * packets takes five values.
	 */
	format.shuffle = 88172645463325252;
	rec.has = 0;
	spe_record_pack(&rec, &format, other);
	ok(format.shuffle == 8204724074003728306, "shuffled: by Marsaglia's xorshift64");
}

static bool pads_to(int padding, int align, size_t length, size_t before,
		    size_t total)
{
	SPEFormat format = plain;
	uint8_t bytes[SPE_MAX_SIZE];
	size_t found, got;
	bool zero = true;

	format.padding = padding;
	format.align = align;
	format.max_size = 128;
	memset(bytes, 0xee, sizeof(bytes));
	for (size_t i = 0; i < length; i++)
		bytes[i] = i + 1;
	got = spe_record_pad(&format, bytes, length, &found);
	for (size_t i = 0; i < total; i++)
		if (i < before || i >= before + length)
			zero &= bytes[i] == 0;
		else
			zero &= bytes[i] == i - before + 1;
	return got == total && found == before && zero && bytes[total] == 0xee;
}

static void paddings(void)
{
	ok(pads_to(SPE_PAD_AFTER, 64, 60, 0, 64), "padding up to 64");
	ok(pads_to(SPE_PAD_AFTER, 64, 64, 0, 64), "nothing to pad");
	ok(pads_to(SPE_PAD_AFTER, 64, 65, 0, 128), "the next multiple of 64");
	ok(pads_to(SPE_PAD_AFTER, 1, 61, 0, 61), "no alignment, no padding");
	ok(pads_to(SPE_PAD_BEFORE, 64, 60, 4, 64), "padding before");
	ok(pads_to(SPE_PAD_BEFORE, 16, 49, 15, 64), "padding before, up to 16");
	ok(pads_to(SPE_PAD_MAX, 8, 30, 0, 128), "padding to the maximum size");
}

static void sizes(void)
{
	uint32_t optional = SPE_HAS_PREVIOUS | SPE_HAS_ALT_ISSUE |
			    SPE_HAS_IMP_ADDRESS | SPE_HAS_IMP_COUNTER;

	ok(spe_record_length(~(optional | SPE_HAS_TARGET), &plain) == 64,
	   "without optional packets the largest record has 64 bytes");
	ok(spe_record_length(~SPE_HAS_TARGET, &plain) == 64 + 9 + 3 + 10 + 4,
	   "with them, 90");
	ok(spe_record_length(0, &plain) == 9 + 2 + 5 + 3 + 3 + 1,
	   "the smallest has 23");
	ok(spe_instruction_address(0xffff800012345679, 2, true) ==
	   0xc0ff800012345679, "instruction address, EL2, Non-secure");
}

void records(void)
{
	whole_records();
	each_packet();
	event_sizes();
	orders();
	paddings();
	sizes();
}
