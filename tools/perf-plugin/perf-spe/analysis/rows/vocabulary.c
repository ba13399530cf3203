// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "symbols/data/data.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *vocabulary_op(unsigned int index)
{
	static const char *const names[] = { "load", "store", "branch", "other" };

	return index < COUNT(names) ? names[index] : NULL;
}

const char *vocabulary_subclass(unsigned int index)
{
	return index < ARMSPE_OP_RESERVED ? armspe_op_name(index) : NULL;
}

/* dump shows some flags as a part of a value: EVL=>2048, ETS=whole-ZA. */
const char *op_flag_word(uint32_t flag, uint32_t flags)
{
	switch (flag) {
	case ARMSPE_OPF_CR_VALID:
		return flags & (ARMSPE_OPF_LINK | ARMSPE_OPF_RETURN) ? NULL :
		       "NEITHER-LINK-NOR-RETURN";
	case ARMSPE_OPF_BITS_ABOVE:
		return "ABOVE-2048-BITS";
	case ARMSPE_OPF_WHOLE_ZA:
		return "WHOLE-ZA";
	default:
		return armspe_op_flag_name((unsigned int)__builtin_ctz(flag));
	}
}

const char *vocabulary_op_flag(unsigned int index)
{
	const char *word;
	uint32_t flag;

	for (flag = 1; flag; flag <<= 1) {
		word = op_flag_word(flag, 0);
		if (word && !index--)
			return word;
	}
	return NULL;
}

const char *vocabulary_event(unsigned int index)
{
	return index < SPE_EVENT_COUNT ? armspe_event_name(index) : NULL;
}

const char *vocabulary_event_word(unsigned int index)
{
	unsigned int core, bit;
	uint64_t midr;

	if (index < SPE_EVENT_COUNT)
		return armspe_event_name(index);
	index -= SPE_EVENT_COUNT;
	if (!index--)
		return armspe_event_of(0, 0, SPE_EVENT_EXCEPTION);
	for (core = 0; (midr = armspe_source_midr(core)); core++)
		for (bit = SPE_EVENT_RETIRED; bit < SPE_EVENT_COUNT; bit++)
			if (strcmp(armspe_event_of(midr, 0, bit), armspe_event_name(bit)) &&
			    !index--)
				return armspe_event_of(midr, 0, bit);
	return NULL;
}

const char *vocabulary_security(unsigned int index)
{
	static const char *const names[] = {
		[ARMSPE_SECURE] = "secure",
		[ARMSPE_NON_SECURE] = "non-secure",
		[ARMSPE_SECURITY_RESERVED] = "reserved",
		[ARMSPE_REALM] = "realm",
	};

	_Static_assert(COUNT(names) == ARMSPE_REALM + 1,
		       "a name for each security state");
	return index < COUNT(names) ? names[index] : NULL;
}

/* SOURCE has 16 bits, but no known core has a code above this. */
#define SOURCE_CODES	64
/* All cores together have fewer names. */
#define SOURCES		64

/* Whether an earlier core or code has the name of @code on core number @core */
static bool named_before(unsigned int core, uint16_t code, const char *name)
{
	struct armspe_source source;
	unsigned int c;
	uint16_t n;

	for (c = 0; c <= core; c++)
		for (n = 0; n < (c == core ? code : SOURCE_CODES); n++)
			if (armspe_source_decode(armspe_source_midr(c), n, &source) &&
			    !strcmp(source.name, name))
				return true;
	return false;
}

static unsigned int find_sources(const char **names)
{
	struct armspe_source source;
	unsigned int core, count = 0;
	uint64_t midr;
	uint16_t code;

	for (core = 0; (midr = armspe_source_midr(core)); core++)
		for (code = 0; code < SOURCE_CODES && count < SOURCES; code++)
			if (armspe_source_decode(midr, code, &source) &&
			    !named_before(core, code, source.name))
				names[count++] = source.name;
	return count;
}

const char *vocabulary_source(unsigned int index)
{
	static const char *names[SOURCES];
	static unsigned int count;

	if (!count)
		count = find_sources(names);
	return index < count ? names[index] : NULL;
}

const char *vocabulary_core(unsigned int index)
{
	uint64_t midr = armspe_source_midr(index);

	return midr ? armspe_source_core(midr) : NULL;
}

const char *vocabulary_guest(unsigned int index)
{
	return index ? NULL : "yes";
}

const char *vocabulary_data_kind(unsigned int index)
{
	return index < NR_DATA_KINDS ? data_kind_name(index) : NULL;
}
