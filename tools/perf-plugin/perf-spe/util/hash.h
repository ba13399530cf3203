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
 * Spreads the bits of @key over the result.  Tables use the low bits, and those are
 * zero in every address of a page.  The factor is 2^64 divided by the golden ratio.
 */
static inline uint64_t hash_mix(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15ULL;
	return key ^ key >> 32;
}

/* The hash of a key of several numbers, so far @hash, with one more of them */
static inline uint64_t hash_add(uint64_t hash, uint64_t value)
{
	return hash_mix(hash_mix(hash) + value);
}

#endif
