// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profiling session, and a decoder of records written from chapter D18 alone.
 */

#include "test.h"

/* A record has no long runs of this byte. */
#define UNTOUCHED 0xa5

void spe_setup(uint64_t base, uint64_t limit)
{
	for (uint64_t p = base & ~0xffful; p < limit + 4096; p += 8)
		*(volatile uint64_t *)p = 0x0101010101010101ul * UNTOUCHED;
	write_reg(PMBSR_EL1, 0);
	write_reg(PMBPTR_EL1, base);
	write_reg(PMBLIMITR_EL1, limit | 1);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSICR_EL1, 0);
	write_reg(PMSIRR_EL1, 0xfffffful << 8);
	isb();
}

void spe_start(uint64_t pmscr)
{
	write_reg(PMSCR_EL1, pmscr);
	isb();
}

/* D17.9: PSB CSYNC and DSB make all records visible */
void spe_stop(void)
{
	write_reg(PMSCR_EL1, 0);
	asm volatile("isb; hint #17; dsb sy; isb" : : : "memory");
}

/* The bytes from one record to the next: PMBIDR_EL1.Align, but at least 64. */
static unsigned int spe_step(void)
{
	unsigned int align = 1u << (read_reg(PMBIDR_EL1) & 15);

	return align > 64 ? align : 64;
}

unsigned int spe_records(uint64_t from)
{
	return (read_reg(PMBPTR_EL1) - from) / spe_step();
}

static uint64_t payload(const uint8_t *p, int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | p[bytes];
	return value;
}

static bool address(struct record *r, int index, uint64_t value)
{
	switch (index) {
	case 0:
		r->pc = value;
		r->pc_valid = true;
		return true;
	case 1:
		r->target = value;
		r->target_valid = true;
		return true;
	case 2:
		r->va = value;
		r->va_valid = true;
		return true;
	case 3:
		r->pa = value;
		r->pa_valid = true;
		return true;
	case 4:
		r->previous = value;
		r->previous_valid = true;
		return true;
	default:
		return false;
	}
}

static bool counter(struct record *r, int index, uint64_t value)
{
	switch (index) {
	case 0:
		r->total = value;
		r->total_valid = true;
		return true;
	case 1:
		r->issue = value;
		r->issue_valid = true;
		return true;
	case 2:
		r->translation = value;
		r->translation_valid = true;
		return true;
	case 4:
		r->alt_issue = value;
		r->alt_issue_valid = true;
		return true;
	default:
		return false;
	}
}

static bool context(struct record *r, int index, uint64_t value)
{
	if (index == 0) {
		r->context1 = value;
		r->context1_valid = true;
	} else if (index == 1) {
		r->context2 = value;
		r->context2_valid = true;
	}
	return index < 2;
}

/* Decodes one packet.  False if D18.2 does not define it. */
static bool packet(struct record *r, uint8_t header, uint64_t value)
{
	if ((header & 0xf8) == 0xb0)
		return address(r, header & 7, value);
	if ((header & 0xf8) == 0x98)
		return counter(r, header & 7, value);
	if ((header & 0xfc) == 0x64)
		return context(r, header & 3, value);
	if ((header & 0xfc) == 0x48) {
		r->class = header & 3;
		r->subclass = value;
		r->type_valid = true;
		return true;
	}
	if ((header & 0xcf) == 0x42) {
		r->events = value;
		r->events_valid = true;
		return true;
	}
	if ((header & 0xcf) == 0x43) {
		r->source = value;
		r->source_valid = true;
		return true;
	}
	if (header == 0x71) {
		r->timestamp = value;
		r->timestamp_valid = true;
		return true;
	}
	return false;
}

bool spe_decode(uint64_t at, struct record *r)
{
	const uint8_t *start = (const uint8_t *)at, *p = start;
	const uint8_t *end = start + spe_step();

	memset(r, 0, sizeof(*r));
	while (p < end) {
		uint8_t header = *p++;
		int bytes;

		if (header == 0x01)
			break;
		if (header < 0x40) {
			note("malformed record, header", header);
			return false;
		}
		bytes = 1 << (header >> 4 & 3);
		if (!packet(r, header, payload(p, bytes))) {
			note("malformed record, header", header);
			return false;
		}
		p += bytes;
		if (header == 0x71)
			break;
	}
	r->length = p - start;
	while (p < end) {
		if (*p++) {
			note("padding is not zero at", (uint64_t)p);
			return false;
		}
	}
	return r->events_valid && r->pc_valid && r->type_valid;
}
