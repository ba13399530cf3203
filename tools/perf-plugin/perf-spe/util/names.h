/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that may be missing, and paths. */
#ifndef PERF_SPE_NAMES_H
#define PERF_SPE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Either may be NULL, which equals NULL only. */
static inline bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The last part of a path, or all of it if it ends with a slash */
static inline const char *path_short(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

#endif
