/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which samples the user wants: --filter, and the shorter options --comm, --dso, --cpu
 * and --time, which become parts of the same filter.
 */
#ifndef PERF_SPE_SELECTION_H
#define PERF_SPE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/rows/filter.h"
#include "input/session.h"

enum selection_kind {
	SELECT_FILTER, SELECT_COMM, SELECT_DSO, SELECT_CPU, SELECT_TIME,
	NR_SELECTIONS,
};

struct selection {
	const char *given[NR_SELECTIONS];	/* NULL: this option is not used */
};

/* Take an option's value; false after a message. */
bool selection_take(struct selection *s, const char *verb, enum selection_kind kind,
		    const char *value);
bool selection_any(const struct selection *s);
/* Whether the filter depends on when the recording began and ended */
bool selection_needs_times(const struct selection *s);
/*
 * The filter of all options, joined by "and".  @session tells when the recording began
 * and ended; NULL: only check the options.  NULL after a message.
 */
struct filter *selection_filter(const struct selection *s, const char *verb,
				const struct session *session);
/* "--comm 'a' and --cpu '1'", for messages; to be freed */
char *selection_options(const struct selection *s);
/* Where the user sees which values there are; NULL: several options, or --filter */
const char *selection_hint(const struct selection *s);
/* Whether it is more than one option, so that the verb is in the plural */
bool selection_several(const struct selection *s);

#endif
