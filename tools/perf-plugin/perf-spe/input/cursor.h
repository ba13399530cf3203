/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads bytes that a file or the kernel wrote, and never past their end.
 *
 *	struct cursor c = { bytes, len, false };
 *	uint32_t count = cursor_u32(&c);
 *	...
 *	if (c.bad)		(something was missing: so its value was 0, or NULL)
 */
#ifndef PERF_SPE_CURSOR_H
#define PERF_SPE_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "input/perfdata.h"

struct cursor {
	const uint8_t *at;
	uint64_t left;		/* bytes from there */
	bool bad;		/* it had to read past the end, and reads nothing more */
};

/* The next @len bytes, or NULL */
static inline const uint8_t *cursor_take(struct cursor *c, uint64_t len)
{
	const uint8_t *at = c->at;

	if (c->bad || len > c->left) {
		c->bad = true;
		return NULL;
	}
	c->at += len;
	c->left -= len;
	return at;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const uint8_t *at = cursor_take(c, 4);

	return at ? pd_load32(at) : 0;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const uint8_t *at = cursor_take(c, 8);

	return at ? pd_load64(at) : 0;
}

/* @count elements of @each bytes, or NULL */
static inline const uint8_t *cursor_array(struct cursor *c, uint64_t count, uint64_t each)
{
	if (count > c->left / each)
		c->bad = true;
	return cursor_take(c, count * each);
}

#endif
