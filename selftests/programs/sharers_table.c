// SPDX-License-Identifier: GPL-2.0-only
/* The patterns of sharers.c: each actor is a step, its byte in the lines, and its CPU. */
#include "sharers_steps.h"

#define ACTORS(n, ...)	.nr_actors = (n), .actors = { __VA_ARGS__ }

const struct pattern patterns[] = {
	/* Several CPUs write the same bytes. */
	{ "counter", "true", ACTORS(2, { add64, 0, 0, 0 }, { add64_again, 0, 1, 0 }) },
	{ "counter-of-four", "true", ACTORS(4, { add32, 0, 0, 0 }, { add32, 0, 1, 0 },
		{ add32, 0, 2, 0 }, { add32, 0, 3, 0 }) },
	{ "atomic-counter", "true", ACTORS(2, { atomic_add, 0, 0, 0 }, { atomic_add, 0, 1, 0 }) },
	{ "atomic-bits", "true", ACTORS(3, { atomic_or, 0, 0, 0 }, { atomic_or, 0, 1, 0 },
		{ atomic_or, 0, 2, 0 }) },
	{ "lock", "true", ACTORS(2, { lock_add, 0, 0, 0 }, { lock_add, 0, 1, 0 }) },
	{ "ticket-lock", "true", ACTORS(2, { ticket_add, 0, 0, 0 }, { ticket_add, 0, 1, 0 }) },
	{ "references", "true", ACTORS(3, { get_and_put, 0, 0, 0 }, { get_and_put, 0, 1, 0 },
		{ get_and_put, 0, 2, 0 }) },
	{ "list-head", "true", ACTORS(2, { push, 0, 0, 0 }, { push, 0, 1, 0 }) },
	/* One writes what others read. */
	{ "one-writer", "true", ACTORS(2, { write64, 0, 0, 0 }, { read64, 0, 1, 0 }) },
	{ "three-readers", "true", ACTORS(4, { write64, 8, 0, 0 }, { read64, 8, 1, 0 },
		{ read64, 8, 2, 0 }, { read64, 8, 3, 0 }) },
	{ "sequence-lock", "true", ACTORS(2, { sequence_write, 0, 0, 0 },
		{ sequence_read, 0, 1, 0 }) },
	{ "mailbox", "true", ACTORS(2, { mail_write, 0, 0, 0 }, { mail_read, 0, 1, 0 }) },
	{ "ring", "true", ACTORS(2, { ring_put, 0, 0, 0 }, { ring_get, 0, 1, 0 }) },
	/* The bytes in common are not the first ones of both accesses. */
	{ "half-of-a-word", "true", ACTORS(2, { write64, 16, 0, 0 }, { read32, 20, 1, 0 }) },
	{ "byte-of-a-word", "true", ACTORS(2, { read64, 0, 0, 0 }, { write8, 3, 1, 0 }) },
	{ "copy-of-a-field", "true", ACTORS(2, { copy32, 0, 0, 0 }, { write64, 24, 1, 0 }) },
	{ "second-of-a-pair", "true", ACTORS(2, { write16, 32, 0, 0 }, { read64, 40, 1, 0 }) },

	/* Neighbours */
	{ "words", "false", ACTORS(2, { add64, 0, 0, 0 }, { add64_again, 8, 1, 0 }) },
	{ "words-of-four", "false", ACTORS(4, { add64, 0, 0, 0 }, { add64, 8, 1, 0 },
		{ add64, 16, 2, 0 }, { add64, 24, 3, 0 }) },
	{ "counters-of-32-bits", "false", ACTORS(4, { add32, 0, 0, 0 }, { add32, 4, 1, 0 },
		{ add32, 8, 2, 0 }, { add32, 12, 3, 0 }) },
	{ "short-counters", "false", ACTORS(2, { add16, 0, 0, 0 }, { add16, 2, 1, 0 }) },
	{ "bytes", "false", ACTORS(4, { add8, 0, 0, 0 }, { add8, 1, 1, 0 }, { add8, 2, 2, 0 },
		{ add8, 3, 3, 0 }) },
	{ "halves", "false", ACTORS(2, { add_first_half, 0, 0, 0 },
		{ add_second_half, 0, 1, 0 }) },
	{ "pairs", "false", ACTORS(2, { write16, 0, 0, 0 }, { write16, 16, 1, 0 }) },
	{ "ends-of-an-array", "false", ACTORS(2, { sweep_end, 128, 0, 0 },
		{ sweep_begin, 128, 1, 0 }) },
	{ "heap-objects", "false", .heap = true, ACTORS(2, { add64, 0, 0, 0 },
		{ add64_again, 0, 1, 0 }) },
	{ "atomics", "false", ACTORS(2, { atomic_add, 0, 0, 0 }, { atomic_add, 56, 1, 0 }) },
	{ "locks", "false", ACTORS(2, { lock_add, 0, 0, 0 }, { lock_add, 32, 1, 0 }) },
	/* A reader and a neighbour who writes */
	{ "counter-by-a-constant", "false", ACTORS(2, { read64, 0, 0, 0 }, { add64, 8, 1, 0 }) },
	{ "counter-by-filled-constants", "false", .filled = true, ACTORS(3, { read64, 0, 0, 0 },
		{ read64_again, 16, 1, 0 }, { add64, 32, 2, 0 }) },
	{ "flags-of-their-owners", "false", ACTORS(3, { write8, 0, 0, 0 }, { write8, 8, 1, 0 },
		{ read8, 16, 2, 0 }) },
	{ "writers-only", "false", ACTORS(3, { write32, 0, 0, 0 }, { write32, 20, 1, 0 },
		{ write64, 40, 2, 0 }) },
	/* Few accesses have bytes in common. */
	{ "counters-and-a-monitor", "false", ACTORS(3, { add64, 0, 0, 0 },
		{ add64_again, 8, 1, 0 }, { read_all, 0, 2, 256 }) },
	{ "ring-with-copies", "false", ACTORS(2, { cached_put, 0, 0, 0 },
		{ cached_get, 0, 1, 0 }) },

	/* A line for each */
	{ "padded-words", "none", ACTORS(2, { add64, 0, 0, 0 }, { add64_again, 64, 1, 0 }) },
	{ "padded-atomics", "none", ACTORS(4, { atomic_add, 0, 0, 0 }, { atomic_add, 64, 1, 0 },
		{ atomic_add, 128, 2, 0 }, { atomic_add, 192, 3, 0 }) },
	{ "padded-locks", "none", ACTORS(2, { lock_add, 0, 0, 0 }, { lock_add, 128, 1, 0 }) },
	/* No thread writes to the line while other threads use it. */
	{ "constants", "none", ACTORS(4, { read64, 0, 0, 0 }, { read64, 0, 1, 0 },
		{ read64, 8, 2, 0 }, { read64, 8, 3, 0 }) },
	{ "filled-constants", "none", .filled = true, ACTORS(4, { read64, 0, 0, 0 },
		{ read64, 8, 1, 0 }, { read_all, 0, 2, 0 }, { read32, 4, 3, 0 }) },
	{ "filled-table", "none", .filled = true, ACTORS(2, { copy32, 0, 0, 0 },
		{ read_all, 0, 1, 0 }) },
	{ "stop-flag", "none", ACTORS(3, { read32, 0, 0, 0 }, { read32, 0, 1, 0 },
		{ write32, 0, 2, 1000000000 }) },
	/* One CPU */
	{ "alone", "none", ACTORS(1, { add64, 0, 0, 0 }) },
	{ "alone-with-atomics", "none", ACTORS(1, { lock_add, 0, 1, 0 }) },
	{ "words-on-one-cpu", "none", ACTORS(2, { add64, 0, 1, 0 }, { add64_again, 8, 1, 0 }) },
	{ "counter-on-one-cpu", "none", ACTORS(2, { add64, 0, 1, 0 }, { add64_again, 0, 1, 0 }) },
	/* One after the other */
	{ "successor", "none", .phases = 2, ACTORS(2, { add64, 0, 0, 0 },
		{ add64_again, 0, 1, 0 }) },
	{ "successor-beside", "none", .phases = 2, ACTORS(2, { add64, 0, 0, 0 },
		{ add64_again, 8, 1, 0 }) },
	{ "stages", "none", .phases = 3, ACTORS(3, { write64, 0, 0, 0 }, { add64, 0, 1, 0 },
		{ read64, 0, 2, 0 }) },
	{ "passed-on", "none", .phases = 6, ACTORS(3, { add64, 0, 0, 0 },
		{ add64_again, 0, 1, 0 }, { add64, 0, 2, 0 }) },
	{ "heap-passed-on", "none", .phases = 4, .heap = true, ACTORS(2, { add64, 0, 0, 0 },
		{ add64_again, 0, 1, 0 }) },
};

const size_t nr_patterns = sizeof(patterns) / sizeof(patterns[0]);
