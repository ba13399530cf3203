// SPDX-License-Identifier: GPL-2.0-only
/* Lines of SPE bytes: records, padding, any bytes. */
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

static uint8_t bytes[FIXTURE_SIZE];
struct armspe_encoder fixture_spe = {
	.bytes = bytes, .size = sizeof(bytes),
};

/* Keys of "rec", in the order in which the packets are written */
static const char *const rec_keys[] = {
	"pc", "ctx1", "ctx2", "issue", "total", "xlat", "events", "class",
	"op", "va", "pa", "target", "prev", "source", "ts", "align",
};

enum {
	PC, CTX1, CTX2, ISSUE, TOTAL, XLAT, EVENTS, CLASS, OP, VA, PA, TARGET,
	PREV, SOURCE, TS, ALIGN, NR_KEYS
};

static void put_rec(const uint64_t *v, const bool *has)
{
	if (has[PC])
		armspe_encode_address(&fixture_spe, SPE_ADDR_PC, v[PC]);
	if (has[CTX1])
		armspe_encode_context(&fixture_spe, 0, (uint32_t)v[CTX1]);
	if (has[CTX2])
		armspe_encode_context(&fixture_spe, 1, (uint32_t)v[CTX2]);
	if (has[ISSUE])
		armspe_encode_counter(&fixture_spe, SPE_COUNTER_ISSUE,
				      (uint16_t)v[ISSUE]);
	if (has[TOTAL])
		armspe_encode_counter(&fixture_spe, SPE_COUNTER_TOTAL,
				      (uint16_t)v[TOTAL]);
	if (has[XLAT])
		armspe_encode_counter(&fixture_spe, SPE_COUNTER_XLAT,
				      (uint16_t)v[XLAT]);
	if (has[EVENTS])
		armspe_encode_events(&fixture_spe, v[EVENTS] > 0xffff ? 8 : 2,
				     v[EVENTS]);
	armspe_encode_op(&fixture_spe, (unsigned int)v[CLASS], (uint8_t)v[OP]);
	if (has[VA])
		armspe_encode_address(&fixture_spe, SPE_ADDR_DATA_VA, v[VA]);
	if (has[PA])
		armspe_encode_address(&fixture_spe, SPE_ADDR_DATA_PA, v[PA]);
	if (has[TARGET])
		armspe_encode_address(&fixture_spe, SPE_ADDR_TARGET, v[TARGET]);
	if (has[PREV])
		armspe_encode_address(&fixture_spe, SPE_ADDR_PREV_TARGET, v[PREV]);
	if (has[SOURCE])
		armspe_encode_source(&fixture_spe, 1, (uint16_t)v[SOURCE]);
	if (has[TS])
		armspe_encode_timestamp(&fixture_spe, v[TS]);
	else
		armspe_encode_end(&fixture_spe);
	if (has[ALIGN])
		armspe_encode_align(&fixture_spe, v[ALIGN]);
}

static void do_rec(void)
{
	uint64_t v[NR_KEYS] = { 0 };
	bool has[NR_KEYS] = { false };
	unsigned int i;
	char *w;

	while ((w = strtok(NULL, " \n"))) {
		char *value = strchr(w, '=');

		if (!value)
			fail("not KEY=VALUE", w);
		*value++ = '\0';
		for (i = 0; i < NR_KEYS && strcmp(w, rec_keys[i]); i++)
			;
		if (i == NR_KEYS)
			fail("unknown key", w);
		v[i] = strtoull(value, NULL, 0);
		has[i] = true;
	}
	put_rec(v, has);
}

static void do_byte(void)
{
	char *w;

	while ((w = strtok(NULL, " \n")) && fixture_spe.len < fixture_spe.size)
		fixture_spe.bytes[fixture_spe.len++] = (uint8_t)strtoul(w, NULL, 16);
}

bool record_line(const char *verb)
{
	if (!strcmp(verb, "rec"))
		do_rec();
	else if (!strcmp(verb, "byte"))
		do_byte();
	else if (!strcmp(verb, "pad"))
		armspe_encode_padding(&fixture_spe, number());
	else
		return false;
	return true;
}
