/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_OUTPUT_LAYOUT_LAYOUT_H
#define PERF_SPE_OUTPUT_LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/layout/layout.h"
#include "analysis/rows/rows.h"
#include "util/util.h"

/* What is known of a type, for those that print it */

struct layout_view {
	const struct rows *rows;
	const struct layout_type *type;
	const struct layout_heat *heat;
	const struct layout_sharing *sharing;
	const struct layout_pad *pad;
	bool narrow;			/* layout_text() leaves numbers out */
};

/* layout_data.c: A type's members and their samples for programs. */

/* The tables of one type, and "types" of the list; a word_fn */
const char *layout_table(unsigned int index);
void layout_data(const struct layout_view *v, const struct data_options *o, FILE *to);
/* A row for each file that has the type */
void layout_data_objects(struct data *d, const struct layout_type *type);

/* layout_lines.c: Lines of a type's definition: members, gaps, and where cache lines begin. */

/* A definition that is being printed; @line and @open are 0 and -1 at first. */
struct layout_lines {
	const struct layout *layout;
	unsigned int bytes;		/* of a cache line */
	int before;			/* characters for the numbers of a row */
	uint64_t line;			/* of the last row */
	int open;			/* the group that is not closed yet, or -1 */
};

/* Whether a gap is padding behind the last member of its group */
bool layout_is_padding(const struct layout *l, size_t row);
/* Print "struct queue {", and its end. */
void layout_lines_begin(const struct layout_lines *p, FILE *to);
void layout_lines_end(struct layout_lines *p, FILE *to);
/* Print what comes before the line of a row: ends of groups, and the begin of a cache line. */
void layout_lines_before(struct layout_lines *p, size_t row, FILE *to);
/* Print a row's own text, behind its numbers. */
void layout_lines_row(struct layout_lines *p, size_t row, FILE *to);

/* layout_list.c: The types with most samples. */

void layout_list_text(const struct rows *r, const struct layout_types *t, size_t limit, FILE *to);
void layout_list_data(const struct rows *r, const struct layout_types *t, size_t limit,
		      const struct data_options *o, FILE *to);

/* layout_text.c: A type's definition with the samples of each member beside it. */

/* On standard output, which may be a narrow terminal */
void layout_text(struct layout_view *v);
/* The same in full and without the heading, for a page that has one */
void layout_text_short(const struct layout_view *v, FILE *to);

/* layout_words.c: Sentences about the members of a type that CPUs share, and about padding. */

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
