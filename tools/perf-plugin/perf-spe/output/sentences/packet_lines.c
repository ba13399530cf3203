// SPDX-License-Identifier: GPL-2.0-only
/*
 * The header byte of a packet determines the form of its line:
 *
 *   00000000: b0 80 14 81 f8 91 9c ff a0 PC 0xffff9c91f8811480 EL1 NON-SECURE
 *   <-offset-><-- bytes, from a table --> <name><-- number ---><-- ending -->
 *
 * Names and endings are cut out of the text of armspe_text_packet(): the name from
 * a packet whose payload is 0, the ending from a packet that has only the top byte
 * of the payload.  Packets with few values, such as events, have a cache of whole
 * lines.
 *
 * Copies have a fixed length, so that the compiler makes no call.  They may copy
 * too much: the next copy overwrites that, and a line has room for it.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "output/sentences/sentences.h"
#include "util/util.h"

/* Offset, 16 bytes, text, and the excess of a copy of fixed length */
#define LINE_MAX_BYTES (20 + 3 * 16 + 1 + ARMSPE_TEXT_MAX + 64)

/* Bytes that must be readable at a packet to use its form */
#define REACH	16

enum kind {
	FORM_NONE,		/* the library makes the text */
	FORM_PADDING,
	FORM_KEPT,
	FORM_DECIMAL,
	FORM_HEX,
	FORM_VIRTUAL,		/* addresses: number and ending */
	FORM_PHYSICAL,
};

struct form {
	uint64_t mask;		/* of the payload */
	uint8_t kind;
	uint8_t len;		/* of the packet */
	uint8_t name_len;
	char name[32];
};

/* The text after an address, with the newline; len 0: not made yet */
struct ending {
	uint8_t len;
	char text[63];
};

/* A cached line; header 0: unused */
struct kept {
	uint64_t payload;
	uint32_t header;
	uint32_t len;
	char text[112];
};

#define KEPT_BITS 10

/* A number below SMALL with the newline */
struct small {
	char text[7];
	uint8_t len;
};

#define SMALL	4096		/* most latencies */

struct packet_lines {
	FILE *to;
	size_t used;
	uint64_t high;		/* bits 31:8 of the last offset */
	char high_text[8];	/* and its digits */
	char buf[1 << 16];
	char hex[256][4];	/* "4a " of each byte */
	struct form form[256];
	struct ending ending[SPE_HDR_INDEX_MASK + 1][256];
	struct {
		uint8_t len;
		char text[64];
	} padding[ARMSPE_PADDING_RUN + 1];
	struct small small[SMALL];
	struct kept kept[1 << KEPT_BITS];
};

static uint64_t load64(const uint8_t *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return le64toh(word);
}

static void store64(char *to, uint64_t word)
{
	word = htole64(word);
	memcpy(to, &word, sizeof(word));
}

/* ------------------------------------------------------------- numbers */

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

/* Eight digits, the first one in the lowest byte */
static uint64_t hex_digits(uint32_t value)
{
	uint64_t x = value;

	x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x | x << 4) & EACH_BYTE(0x0f);
	/* 10 and above, which 6 more take to a second digit, are letters. */
	x += EACH_BYTE('0') +
	     ((x + EACH_BYTE(6)) >> 4 & EACH_BYTE(1)) * ('a' - '0' - 10);
	return __builtin_bswap64(x);
}

/* Eight decimal digits of a number below 10^8, as values 0 to 9 */
static uint64_t decimal_digits(uint32_t value)
{
	uint64_t x, high;

	/* Four digits each, two each, one each: 1/100 and 1/10 as products */
	x = value / 10000 | (uint64_t)(value % 10000) << 32;
	high = x * 10486 >> 20 & UINT64_C(0x0000007f0000007f);
	x = high | (x - high * 100) << 16;
	high = x * 103 >> 10 & UINT64_C(0x000f000f000f000f);
	return high | (x - high * 10) << 8;
}

static char *put_hex(char *to, uint64_t value)
{
	unsigned int zeros = (unsigned int)__builtin_clzll(value | 1) / 4;

	value <<= 4 * zeros;
	store64(to, hex_digits((uint32_t)(value >> 32)));
	store64(to + 8, hex_digits((uint32_t)value));
	return to + 16 - zeros;
}

static char *put_decimal(char *to, uint64_t value)
{
	uint64_t digits;
	unsigned int zeros;

	if (value >= 100000000) {
		to = put_decimal(to, value / 100000000);
		digits = decimal_digits((uint32_t)(value % 100000000));
		store64(to, digits + EACH_BYTE('0'));
		return to + 8;
	}
	digits = decimal_digits((uint32_t)value);
	zeros = digits ? (unsigned int)__builtin_ctzll(digits) / 8 : 7;
	store64(to, (digits + EACH_BYTE('0')) >> 8 * zeros);
	return to + 8 - zeros;
}

/*
 * "00000010: ": as many digits as needed, at least eight, of which most are the
 * last line's.
 */
static inline char *put_offset(struct packet_lines *l, char *to,
			       uint64_t offset)
{
	if (offset >> 32)
		to = put_hex(to, offset >> 32);
	if ((uint32_t)offset >> 8 != l->high) {
		l->high = (uint32_t)offset >> 8;
		store64(l->high_text, hex_digits((uint32_t)offset));
	}
	memcpy(to, l->high_text, 8);
	memcpy(to + 6, l->hex[offset & 0xff], 2);
	memcpy(to + 8, ": ", 2);
	return to + 10;
}

static inline char *put_bytes(const struct packet_lines *l, char *to,
			      const uint8_t *bytes, size_t len)
{
	size_t i;

	/* Copies four bytes, of which the next copy overwrites the last. */
#pragma GCC unroll 9
	for (i = 0; i < len; i++, to += 3)
		memcpy(to, l->hex[bytes[i]], 4);
	return to;
}

/* ------------------------------------------------------ what is prepared */

static enum kind form_kind(const struct armspe_packet *p)
{
	switch (p->type) {
	case ARMSPE_EVENTS:
	case ARMSPE_OP_TYPE:
	case ARMSPE_DATA_SOURCE:
	case ARMSPE_END_OF_RECORD:
		return FORM_KEPT;
	case ARMSPE_COUNTER:
	case ARMSPE_TIMESTAMP:
		return FORM_DECIMAL;
	case ARMSPE_CONTEXT:
		return FORM_HEX;
	case ARMSPE_ADDRESS:
		if (!(SPE_ADDR_DEFINED_MASK >> p->index & 1))
			return FORM_HEX;
		return p->index == SPE_ADDR_DATA_PA ? FORM_PHYSICAL :
						      FORM_VIRTUAL;
	default:
		return FORM_NONE;
	}
}

static void form_init(struct form *form, uint8_t header)
{
	const uint8_t bytes[REACH] = { header };
	char text[ARMSPE_TEXT_MAX], *end;
	struct armspe_packet packet;

	/* Packets with an extended header have no form here. */
	if (armspe_packet_decode(bytes, sizeof(bytes), &packet) != ARMSPE_OK ||
	    packet.header_bytes != 1)
		return;
	form->kind = form_kind(&packet);
	form->len = (uint8_t)armspe_packet_bytes(&packet);
	if (packet.payload_bytes)
		form->mask = ~UINT64_C(0) >> (64 - 8 * packet.payload_bytes);
	if (form->kind < FORM_DECIMAL)
		return;
	armspe_text_packet(&packet, text, sizeof(text));
	/* The first 0 is the number, because no name contains one. */
	end = strchr(text, '0');
	if (form->kind > FORM_DECIMAL)
		end += 2;
	form->name_len = (uint8_t)(end - text);
	memcpy(form->name, text, form->name_len);
}

static char *put_text(char *to, const struct armspe_packet *packet)
{
	to += armspe_text_packet(packet, to, ARMSPE_TEXT_MAX);
	*to++ = '\n';
	return to;
}

static void padding_init(struct packet_lines *l)
{
	const uint8_t bytes[ARMSPE_PADDING_RUN] = { 0 };
	struct armspe_packet packet;
	char line[LINE_MAX_BYTES];
	size_t run;

	for (run = 1; run <= ARMSPE_PADDING_RUN; run++) {
		armspe_packet_decode(bytes, run, &packet);
		l->padding[run].len = (uint8_t)(put_text(
			put_bytes(l, line, bytes, run), &packet) - line);
		memcpy(l->padding[run].text, line, l->padding[run].len);
	}
}

static void small_init(struct packet_lines *l)
{
	char line[LINE_MAX_BYTES], *end;
	unsigned int i;

	for (i = 0; i < SMALL; i++) {
		end = put_decimal(line, i);
		*end++ = '\n';
		l->small[i].len = (uint8_t)(end - line);
		memcpy(l->small[i].text, line, l->small[i].len);
	}
}

struct packet_lines *packet_lines_new(FILE *to)
{
	struct packet_lines *l = xcalloc(1, sizeof(*l));
	unsigned int i;

	l->to = to;
	l->high = UINT64_MAX;
	for (i = 0; i < 256; i++) {
		store64(l->buf, hex_digits(i) >> 48 | ' ' << 16);
		memcpy(l->hex[i], l->buf, 4);
		form_init(&l->form[i], (uint8_t)i);
	}
	l->form[0].kind = FORM_PADDING;
	padding_init(l);
	small_init(l);
	return l;
}

void packet_lines_free(struct packet_lines *l)
{
	free(l);
}

/* --------------------------------------------------------------- packets */

static const struct ending *ending_of(struct packet_lines *l,
				      const struct form *form,
				      unsigned int header, unsigned int top)
{
	struct ending *e = &l->ending[header & SPE_HDR_INDEX_MASK][top];
	uint8_t bytes[REACH] = { (uint8_t)header };
	char text[ARMSPE_TEXT_MAX];
	struct armspe_packet packet;

	if (!e->len) {
		bytes[8] = (uint8_t)top;
		armspe_packet_decode(bytes, sizeof(bytes), &packet);
		e->len = (uint8_t)(put_text(text, &packet) - text -
				   form->name_len - 1);
		memcpy(e->text, text + form->name_len + 1, e->len);
	}
	return e;
}

static char *put_address(struct packet_lines *l, char *to,
			 const struct form *form, unsigned int header,
			 uint64_t payload)
{
	const struct ending *e = ending_of(l, form, header,
					   armspe_addr_tag(payload));

	to = put_hex(to, form->kind == FORM_VIRTUAL ?
			 armspe_addr_virtual(payload) :
			 armspe_addr_physical(payload));
	memcpy(to, e->text, 32);
	if (e->len > 32)
		memcpy(to + 32, e->text + 32, 31);
	return to + e->len;
}

/* @len is the form's length, and a constant in each call. */
static inline char *put_number(struct packet_lines *l, char *to,
			       const struct form *form, const uint8_t *bytes,
			       size_t len, uint64_t payload)
{
	to = put_bytes(l, to, bytes, len);
	memcpy(to, form->name, sizeof(form->name));
	to += form->name_len;
	if (form->kind == FORM_DECIMAL && payload < SMALL) {
		memcpy(to, l->small[payload].text, 8);
		return to + l->small[payload].len;
	}
	if (form->kind == FORM_DECIMAL)
		to = put_decimal(to, payload);
	else if (form->kind == FORM_HEX)
		to = put_hex(to, payload);
	else
		return put_address(l, to, form, bytes[0], payload);
	*to = '\n';
	return to + 1;
}

static char *put_decoded(struct packet_lines *l, char *to,
			 const struct armspe_packet *packet,
			 const uint8_t *bytes)
{
	to = put_bytes(l, to, bytes, armspe_packet_bytes(packet));
	return put_text(to, packet);
}

static char *put_kept(struct packet_lines *l, char *to,
		      const struct form *form, const uint8_t *bytes,
		      uint64_t payload)
{
	uint64_t hash = hash_mix(payload + bytes[0]);
	struct kept *kept = &l->kept[hash >> (64 - KEPT_BITS)];
	struct armspe_packet packet;
	char *end;

	if (kept->header == bytes[0] && kept->payload == payload) {
		memcpy(to, kept->text, 48);
		if (kept->len > 48)
			memcpy(to + 48, kept->text + 48, 64);
		return to + kept->len;
	}
	armspe_packet_decode(bytes, form->len, &packet);
	end = put_decoded(l, to, &packet, bytes);
	if ((size_t)(end - to) <= sizeof(kept->text)) {
		kept->header = bytes[0];
		kept->payload = payload;
		kept->len = (uint32_t)(end - to);
		memcpy(kept->text, to, kept->len);
	}
	return end;
}

static size_t padding_run(const uint8_t *bytes, size_t len)
{
	size_t run = 1;

	if (len >= ARMSPE_PADDING_RUN && !(load64(bytes) | load64(bytes + 8)))
		return ARMSPE_PADDING_RUN;
	while (run < len && run < ARMSPE_PADDING_RUN && !bytes[run])
		run++;
	return run;
}

/* Print the packet at @bytes by its form; NULL if it has none. */
static inline char *put_formed(struct packet_lines *l, char *to,
			       const uint8_t *bytes, size_t len, size_t *took)
{
	const struct form *form = &l->form[bytes[0]];
	uint64_t payload = load64(bytes + 1) & form->mask;

	*took = form->len;
	if (form->len > len)
		return NULL;
	switch (form->kind) {
	case FORM_NONE:
		return NULL;
	case FORM_PADDING:
		*took = padding_run(bytes, len);
		memcpy(to, l->padding[*took].text, 64);
		return to + l->padding[*took].len;
	case FORM_KEPT:
		return put_kept(l, to, form, bytes, payload);
	case FORM_DECIMAL:
		/* The text of a counter at its maximum says that it saturates. */
		if (payload == SPE_COUNTER_MAX_12BIT ||
		    payload == SPE_COUNTER_MAX_16BIT)
			return put_kept(l, to, form, bytes, payload);
		break;
	default:
		break;
	}
	if (form->len == 3)
		return put_number(l, to, form, bytes, 3, payload);
	if (form->len == 5)
		return put_number(l, to, form, bytes, 5, payload);
	return put_number(l, to, form, bytes, 9, payload);
}

/* Make room for one more line. */
static inline char *line_room(struct packet_lines *l)
{
	if (l->used + LINE_MAX_BYTES > sizeof(l->buf))
		packet_lines_flush(l);
	return l->buf + l->used;
}

size_t packet_lines_put(struct packet_lines *l, const uint8_t *bytes,
			size_t from, size_t to, size_t len)
{
	struct armspe_packet packet;
	size_t took;

	for (; from < to; from += took) {
		char *line = put_offset(l, line_room(l), from), *end = NULL;

		if (len - from >= REACH)
			end = put_formed(l, line, bytes + from, to - from,
					 &took);
		if (!end) {
			if (armspe_packet_decode(bytes + from, to - from,
						 &packet) != ARMSPE_OK)
				return from;
			took = armspe_packet_bytes(&packet);
			end = put_decoded(l, line, &packet, bytes + from);
		}
		l->used = (size_t)(end - l->buf);
	}
	return from;
}

void packet_lines_say(struct packet_lines *l, size_t offset,
		      const uint8_t *bytes, size_t len, const char *text)
{
	char *to = put_offset(l, line_room(l), offset);

	to = put_bytes(l, to, bytes, len);
	to = stpcpy(to, text);
	*to++ = '\n';
	l->used = (size_t)(to - l->buf);
}

void packet_lines_flush(struct packet_lines *l)
{
	fwrite(l->buf, 1, l->used, l->to);
	l->used = 0;
}
