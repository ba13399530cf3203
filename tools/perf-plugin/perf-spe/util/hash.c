// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "util/util.h"

uint64_t hash_bytes(const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t hash = 0xcbf29ce484222325ULL;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3ULL;
	return hash;
}

uint64_t hash_string(const char *text)
{
	return hash_bytes(text, strlen(text));
}
