/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_EXPORT_PGO_PGO_H
#define PERF_SPE_EXPORT_PGO_PGO_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/flow/flow.h"

/* A format of optimisers' profiles, see perf spe pgo. */

struct dso;
struct load_misses;

struct pgo_profile {
	struct dso *dso;		/* has a path */
	const struct flow_list *list;	/* sorted */
	const struct load_misses *misses;	/* for formats that need them */
};

struct pgo_format {
	const char *name;
	const char *help;
	bool needs_code;		/* cannot be written without the file's code */
	bool needs_lines;		/* nor without debugging information */
	bool needs_misses;		/* of loads, not branches */
	bool needs_strides;		/* writes only loads that have one */
	bool binary;			/* does not go to a terminal */
	bool for_people;		/* not optimisers, which know functions by the names in the file */
	void (*write)(const struct pgo_profile *p, FILE *to);
};

extern const struct pgo_format pgo_gcov;	/* AutoFDO's profile for GCC, for gcc -fauto-profile */

/* pgo_formats.c: All formats of optimisers' profiles. */

/* NULL if no format has this name */
const struct pgo_format *pgo_format_find(const char *name);
/* The formats one by one; NULL behind the last one */
const struct pgo_format *pgo_format_at(unsigned int index);

#endif
