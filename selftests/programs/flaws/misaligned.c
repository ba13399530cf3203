// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misaligned accesses: RECORDS records of 64 bytes, whose field crosses into the next cache line
 * with CROSS bytes.  In the twin the field is at the start of its record.
 *
 * FORM 0 loads words of 8 bytes, FORM 1 stores them, FORM 2 loads vectors of 16 bytes.
 */
#include "flaws.h"

typedef uint64_t vector __attribute__((vector_size(16)));

#if FORM == 2
typedef vector field_type;
#else
typedef uint64_t field_type;
#endif

/* The type's alignment is 1, but the CPU accesses it at once. */
struct field {
	field_type value;
} __attribute__((packed));

enum { OFFSET = IS_FLAWED ? LINE - (int)sizeof(field_type) + CROSS : 0 };

_Static_assert(CROSS > 0 && CROSS < sizeof(field_type), "a part is in the next line");

static _Alignas(LINE) uint8_t memory[(RECORDS + 1) * LINE];

HOT_FUNCTION uint64_t HOT(void)
{
	struct noise noise = { 0 };
	unsigned int at = 0;
	uint64_t sum = 0;

	for (long i = 0; i < ROUNDS; i++) {
#pragma GCC unroll 4
		for (unsigned int next = 0; next < 4; next++) {
			volatile struct field *field = (volatile struct field *)&memory[(at + next) * LINE + OFFSET];

#if FORM == 0
			sum += field->value;
#elif FORM == 1
			field->value = sum + next;
#else
			vector value = field->value;

			sum += value[1];
#endif
		}
		at = at + 4 == RECORDS ? 0 : at + 4;
		make_noise(&noise, (uint64_t)i);
	}
	return sum;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(memory); i++)
		memory[i] = (uint8_t)next_random();
	printf("%llu\n", (unsigned long long)HOT());
	return 0;
}
