/* SPDX-License-Identifier: GPL-2.0-only */
/* Hash functions: one for bytes, one for numbers. */
#ifndef PERF_SPE_HASH_H
#define PERF_SPE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a */
uint64_t hash_bytes(const void *bytes, size_t len);
uint64_t hash_string(const char *text);

/*
 * All bits of @key spread over all bits of the result, by the golden ratio's
 * fraction: addresses that are multiples of a page differ in low bits, too.
 */
static inline uint64_t hash_mix(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15ULL;
	return key ^ key >> 32;
}

#endif
