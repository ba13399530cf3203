/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of strings: it keeps one copy of each. */
#ifndef PERF_SPE_STRING_SET_H
#define PERF_SPE_STRING_SET_H

#include "util/hash_table.h"

struct string_set {
	struct hash_table table;	/* char * */
};

/* The set's copy of @text, valid until string_set_free() */
const char *string_set_add(struct string_set *s, const char *text);
void string_set_free(struct string_set *s);

#endif
