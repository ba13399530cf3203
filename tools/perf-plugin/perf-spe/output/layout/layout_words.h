/* SPDX-License-Identifier: GPL-2.0-only */
/* Sentences about the members of a type that CPUs share, and about padding. */
#ifndef PERF_SPE_LAYOUT_WORDS_H
#define PERF_SPE_LAYOUT_WORDS_H

#include "output/layout/layout_view.h"

/* "false", "true", "false,true" or "": how CPUs share the bytes of a row */
const char *layout_shared(const struct layout_sharing *s, size_t row);
/* "members", "elements", "instances", "other" */
const char *layout_apart_name(enum layout_apart apart);
/* "right", "range.low"; of a member without a name its type: to be freed */
char *layout_member_name(const struct layout *l, size_t row);
/* The files that have the type, at most two or the number of more; to be freed */
char *layout_objects(const struct layout_type *type);
/* Lines that begin with "# ": what is shared, and the padding that would separate it */
void layout_words(const struct layout_view *v, FILE *to);

#endif
