/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_OUTPUT_SENTENCES_SENTENCES_H
#define PERF_SPE_OUTPUT_SENTENCES_SENTENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/advice/advice.h"
#include "analysis/callers/callers.h"
#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "util/util.h"

/* findings_words.c: Tell the user how to get symbols for code that has none. */

struct groups;
struct symbols;

/* A message for each file in which many samples have no symbol, and for the kernel */
void advice_say(const struct groups *g, const struct symbols *syms);

/* call_text.c: A tree of calls as text. */

/* What a node is: its function, or "[no symbol] in libc.so.6"; to be freed */
char *call_name(const struct call_node *n);
/*
 * Print the tree, indented; @all are all samples, of which shares are.  At most @limit (0: all)
 * functions are printed at the top.  Below them, nodes with less than 0.5% of their function's
 * cycles and samples become one line.
 */
void call_text_print(const struct call_node *root, enum call_order order,
		     const struct call_sum *all, uint64_t limit, FILE *to);

/* findings_text.c: What "perf spe advise" prints for people. */

struct advice {
	const struct rows *rows;	/* open, after the walk */
	const struct finding_list *list;	/* sorted */
	const struct trust *trust;
	const char *unweighed;		/* why the list's weights are unknown, or NULL */
	uint64_t limit;			/* of findings that are shown; 0: all */
};

/* How many findings are shown; a recording that is not to be trusted is one. */
size_t findings_shown(const struct advice *a);
/* Number @n of them, from 0 on; NULL: the recording */
const struct finding *finding_at(const struct advice *a, size_t n);

/* The command whose rows are the evidence; to be freed */
char *finding_evidence(const struct advice *a, const struct finding *f);
/* "line 0x1000 of process 10, counter in prog"; NULL: nothing more is known.  To be freed */
char *finding_where(const struct finding *f);

/* Numbered findings, each with its remedy, the command of its evidence, and rows of it */
void findings_text(const struct advice *a, FILE *to);

/* findings_data.c: The same for programs. */

/* The tables, and "text", "csv", "json" of --format; word_fns */
const char *findings_table(unsigned int index);
const char *findings_format(unsigned int index);
void findings_data(const struct advice *a, const struct data_options *o, FILE *to);

/*
 * findings_words.c: The words for findings: what a kind is, and what to do.
 */

/* "loads and stores that needed a page table walk" */
const char *finding_about(const struct finding *f);
/* What the cycles at stake are compared with */
const char *finding_base(const struct finding *f);
const char *finding_remedy(const struct finding *f);

/*
 * packet_lines.c: Print packets as lines "OFFSET: BYTES TEXT" for dump, much faster than with one
 * call of armspe_text_packet() each.  The text is the same.
 */

struct packet_lines;

/* Lines are buffered and go to @to. */
struct packet_lines *packet_lines_new(FILE *to);
/* Drops buffered lines: call packet_lines_flush() first. */
void packet_lines_free(struct packet_lines *lines);
void packet_lines_flush(struct packet_lines *lines);

/*
 * Print a line for each packet in [@from, @to) of @bytes, of which @len bytes can
 * be read.  Returns @to, or the offset of a packet that @to cuts.
 */
size_t packet_lines_put(struct packet_lines *lines, const uint8_t *bytes,
			size_t from, size_t to, size_t len);

/* Print a line of @len bytes, at most 16, with @text. */
void packet_lines_say(struct packet_lines *lines, size_t offset,
		      const uint8_t *bytes, size_t len, const char *text);

/* sharing_text.c: What a shared cache line is, in words. */

/* "no byte shared: false sharing?", or "" where sharers use common bytes */
const char *sharing_verdict(const struct line *line);
/* "2 CPUs", or "unknown CPUs"; to be freed. */
char *sharing_cpus(const struct line *line);
/* "10 name", or which CPU where the thread is not known; to be freed. */
char *sharing_who(const struct access *a);

/* Why no line can be listed, whatever the threads do; NULL if one can be.  To be freed */
char *sharing_why_none(const struct rows *r, const struct lines *l);

/*
 * The variables or the memory in the line, as "left in shared, right at +8 in shared", for
 * the caller to free; "" if none is known.
 */
char *sharing_names(const struct line *line);

/* trust_text.c: The estimated totals of a recording, and whether it can be trusted, as text. */

/* @number with three digits: "987", "1.23 million"; @size of at least 32 bytes is enough. */
void total_text(double number, char *text, size_t size);
/* "with care"; "with care, for the reasons below"; "care", which weighs one reason */
const char *trust_word(enum trust_level level);
const char *trust_verdict(enum trust_level level);
const char *trust_level_name(enum trust_level level);
/* The totals that are not 0, @ci: with intervals; nothing if there is no estimate */
void totals_print(FILE *to, const struct estimate *e, bool ci);
/* The verdict, its reasons, and what to record instead */
void trust_print(FILE *to, const struct trust *t);

#endif
