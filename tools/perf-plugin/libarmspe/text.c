// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A packet as readable text.  Fields are NAME or NAME=value.  Reserved encodings
 * appear with their value, so that the text hides nothing.
 */
#include "internal.h"

struct text {
	char *to;
	size_t size;
	size_t len;
};

static void put_char(struct text *t, char c)
{
	if (t->len + 1 < t->size)
		t->to[t->len] = c;
	t->len++;
}

static void put_chars(struct text *t, const char *s, size_t len)
{
	if (t->len + len < t->size) {
		memcpy(t->to + t->len, s, len);
		t->len += len;
		return;
	}
	while (len--)
		put_char(t, *s++);
}

static void put(struct text *t, const char *s)
{
	while (*s)
		put_char(t, *s++);
}

static void put_hex(struct text *t, uint64_t value)
{
	char digits[18];
	size_t at = sizeof(digits);

	do
		digits[--at] = "0123456789abcdef"[value & 15];
	while (value >>= 4);
	digits[--at] = 'x';
	digits[--at] = '0';
	put_chars(t, digits + at, sizeof(digits) - at);
}

static void put_dec(struct text *t, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	put_chars(t, digits + at, sizeof(digits) - at);
}

/* " NAME=value" */
static void put_field(struct text *t, const char *name, uint64_t value)
{
	put_char(t, ' ');
	put(t, name);
	put_char(t, '=');
	put_hex(t, value);
}

/* "IMPDEF-NAME[6]" or "RESERVED-NAME[5]" */
static void put_index(struct text *t, const struct armspe_packet *p,
		      const char *name)
{
	put(t, p->reserved ? "RESERVED-" : "IMPDEF-");
	put(t, name);
	put_char(t, '[');
	put_dec(t, p->index);
	put_char(t, ']');
}

static void put_security(struct text *t, uint64_t raw)
{
	static const char *const names[] = {
		[ARMSPE_SECURE] = " SECURE",
		[ARMSPE_NON_SECURE] = " NON-SECURE",
		[ARMSPE_SECURITY_RESERVED] = " SECURITY=reserved",
		[ARMSPE_REALM] = " REALM",
	};

	_Static_assert(ARRAY_LEN(names) == ARMSPE_REALM + 1,
		       "a name for each security state");
	put(t, names[armspe_addr_security(raw)]);
}

/* Figure D18-4 */
static void put_insn_address(struct text *t, uint64_t raw)
{
	put_hex(t, armspe_addr_virtual(raw));
	put(t, " EL");
	put_dec(t, armspe_addr_el(raw));
	put_security(t, raw);
	if (armspe_addr_tag(raw) & SPE_ADDR_INSN_RES0)
		put_field(t, "reserved",
			  armspe_addr_tag(raw) & SPE_ADDR_INSN_RES0);
}

/* Figure D18-6 */
static void put_physical_address(struct text *t, uint64_t raw)
{
	unsigned int top = armspe_addr_tag(raw);

	put_hex(t, armspe_addr_physical(raw));
	put_security(t, raw);
	if (top & SPE_ADDR_PA_CH)
		put(t, " TAG-CHECKED");
	if (top & (SPE_ADDR_PA_CH | SPE_ADDR_PA_PAT_MASK))
		put_field(t, "PAT", top & SPE_ADDR_PA_PAT_MASK);
	if (top & SPE_ADDR_PA_RES0)
		put_field(t, "reserved", top & SPE_ADDR_PA_RES0);
}

static void put_address(struct text *t, const struct armspe_packet *p)
{
	switch (p->index) {
	case SPE_ADDR_PC:
		put(t, "PC ");
		put_insn_address(t, p->payload);
		break;
	case SPE_ADDR_TARGET:
		put(t, "BRANCH-TARGET ");
		put_insn_address(t, p->payload);
		break;
	case SPE_ADDR_PREV_TARGET:
		put(t, "PREVIOUS-BRANCH-TARGET ");
		put_insn_address(t, p->payload);
		break;
	case SPE_ADDR_DATA_VA:
		/* Byte 7 is the tag, not part of the address (Figure D18-5). */
		put(t, "DATA-VA ");
		put_hex(t, armspe_addr_virtual(p->payload));
		put_field(t, "TAG", armspe_addr_tag(p->payload));
		break;
	case SPE_ADDR_DATA_PA:
		put(t, "DATA-PA ");
		put_physical_address(t, p->payload);
		break;
	default:
		put_index(t, p, "ADDRESS");
		put_char(t, ' ');
		put_hex(t, p->payload);
		break;
	}
}

static void put_counter(struct text *t, const struct armspe_packet *p)
{
	switch (p->index) {
	case SPE_COUNTER_TOTAL:
		put(t, "TOTAL-LATENCY");
		break;
	case SPE_COUNTER_ISSUE:
		put(t, "ISSUE-LATENCY");
		break;
	case SPE_COUNTER_XLAT:
		put(t, "TRANSLATION-LATENCY");
		break;
	case SPE_COUNTER_ALTCLK_ISSUE:
		put(t, "ALTCLK-ISSUE-LATENCY");
		break;
	default:
		put_index(t, p, "COUNTER");
		break;
	}
	put_char(t, ' ');
	put_dec(t, p->payload);
	/* With counters of 16 bits, 0xfff is an ordinary count. */
	if (p->payload == SPE_COUNTER_MAX_12BIT)
		put(t, " (saturated if 12-bit)");
	else if (p->payload == SPE_COUNTER_MAX_16BIT)
		put(t, " SATURATED");
}

static void put_events(struct text *t, const struct armspe_packet *p)
{
	unsigned int bit;

	put(t, "EVENTS");
	for (bit = 0; bit < 8u * p->payload_bytes; bit++) {
		if (p->payload >> bit & 1) {
			put_char(t, ' ');
			put(t, armspe_event_of(0, p->payload, bit));
		}
	}
	if (!p->payload)
		put(t, " none");
}

static void put_op_size(struct text *t, const struct armspe_op *op)
{
	if (op->flags & ARMSPE_OPF_WHOLE_ZA)
		put(t, " ETS=whole-ZA");
	if (!(op->flags & ARMSPE_OPF_BITS_VALID))
		return;
	put(t, op->subclass == ARMSPE_OP_SME ? " ETS=" : " EVL=");
	if (op->flags & ARMSPE_OPF_BITS_ABOVE)
		put_char(t, '>');
	put_dec(t, op->vector_bits);
}

static void put_op(struct text *t, const struct armspe_packet *p)
{
	struct armspe_op op;
	unsigned int bit;

	put(t, "OP ");
	armspe_op_decode(p->index, (uint8_t)p->payload, &op);
	if (op.flags & ARMSPE_OPF_LOAD)
		put(t, "LOAD ");
	if (op.flags & ARMSPE_OPF_STORE)
		put(t, "STORE ");
	put(t, armspe_op_name(op.subclass));
	for (bit = 0; bit < 32; bit++) {
		const char *name = armspe_op_flag_name(bit);

		if (op.flags >> bit & 1 && name) {
			put_char(t, ' ');
			put(t, name);
		}
	}
	/* CR 0b11: neither link nor return.  0b00 means "not recorded". */
	if (op.flags & ARMSPE_OPF_CR_VALID &&
	    !(op.flags & (ARMSPE_OPF_LINK | ARMSPE_OPF_RETURN)))
		put(t, " NEITHER-LINK-NOR-RETURN");
	put_op_size(t, &op);
	if (op.flags & ARMSPE_OPF_RESERVED) {
		put_field(t, "CLASS", p->index);
		put_field(t, "payload", p->payload);
	}
}

static void put_context(struct text *t, const struct armspe_packet *p)
{
	if (p->index == SPE_CONTEXT_EL1)
		put(t, "CONTEXTIDR_EL1");
	else if (p->index == SPE_CONTEXT_EL2)
		put(t, "CONTEXTIDR_EL2");
	else
		put_index(t, p, "CONTEXT");
	put_char(t, ' ');
	put_hex(t, p->payload);
}

static void put_unknown(struct text *t, const struct armspe_packet *p)
{
	put(t, "UNKNOWN");
	put_field(t, "header", p->header[0]);
	if (p->header_bytes == 2) {
		put_char(t, ',');
		put_hex(t, p->header[1]);
	}
	if (p->payload_bytes)
		put_field(t, "payload", p->payload);
}

/* "NAME value", for packets without further fields */
static void put_plain(struct text *t, const struct armspe_packet *p)
{
	static const char *const names[] = {
		[ARMSPE_PADDING] = "PADDING",
		[ARMSPE_END_OF_RECORD] = "END",
		[ARMSPE_TIMESTAMP] = "TIMESTAMP",
		[ARMSPE_DATA_SOURCE] = "DATA-SOURCE",
	};
	const char *name = p->type < ARRAY_LEN(names) ? names[p->type] : NULL;

	put(t, name ? name : "INVALID");
	if (p->type == ARMSPE_END_OF_RECORD)
		return;
	put_char(t, ' ');
	if (p->type == ARMSPE_DATA_SOURCE)
		put_hex(t, p->payload);
	else
		put_dec(t, p->type == ARMSPE_PADDING ? p->header_bytes :
						       p->payload);
	if (p->reserved)
		put_field(t, "reserved-SZ", p->payload_bytes);
}

size_t armspe_text_packet(const struct armspe_packet *p, char *text,
			  size_t size)
{
	struct text t = { text, size, 0 };

	switch (p->type) {
	case ARMSPE_ADDRESS:
		put_address(&t, p);
		break;
	case ARMSPE_COUNTER:
		put_counter(&t, p);
		break;
	case ARMSPE_EVENTS:
		put_events(&t, p);
		break;
	case ARMSPE_OP_TYPE:
		put_op(&t, p);
		break;
	case ARMSPE_CONTEXT:
		put_context(&t, p);
		break;
	case ARMSPE_UNKNOWN:
		put_unknown(&t, p);
		break;
	default:
		put_plain(&t, p);
		break;
	}
	if (size)
		text[t.len < size ? t.len : size - 1] = '\0';
	return t.len;
}
