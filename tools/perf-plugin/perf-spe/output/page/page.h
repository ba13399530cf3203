/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_OUTPUT_PAGE_PAGE_H
#define PERF_SPE_OUTPUT_PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/advice/advice.h"
#include "analysis/callers/callers.h"
#include "analysis/groups/groups.h"
#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "output/memory/memory.h"
#include "output/text/text.h"

/*
 * page.c: A page of HTML that needs no other file: its frame, style and scripts.  The sources of
 * style and scripts are in output/html.  The page forbids the browser to load anything.
 */

/* A part of the page, which its navigation names */
struct page_part {
	const char *id, *title;
};

/*
 * Begin the page with its style, its navigation, the facts of @nr recordings, the old one first, and
 * the messages so far: call rows_say_lacks() of each before.
 */
void page_begin(FILE *to, const char *title, const struct rows *rows, size_t nr,
		const struct page_part *parts, size_t count);
/* End the page with the scripts. */
void page_end(FILE *to);

/* The user can select a range of time, which this is not limited to; @what is its subject. */
void page_of_whole(FILE *to, const char *what);
/* Messages from number @from on, as notes: who gets the page alone sees no terminal. */
void page_messages(FILE *to, size_t from);
/* Say why a part shows nothing, in the words of rows_why_none(); @why is freed. */
void page_none(FILE *to, char *why);

void page_part_begin(FILE *to, const struct page_part *part);
void page_part_end(FILE *to);

/* Text that is escaped and freed, between "<TAG>" (with attributes) and what closes it */
void page_element(FILE *to, const char *tag, char *text);
/*
 * A table that can be scrolled sideways, with the names of its columns up to NULL; all but the
 * first @nr_text have numbers.
 */
void page_table_begin(FILE *to, const char *caption, const char *const *names,
		      unsigned int nr_text);
/*
 * The same of a table whose rows have sums under the name @id.  @cells says what its columns are:
 * "-" for names, "whole" for what does not follow a range of time, else what time.js knows.
 */
void page_table_sums(FILE *to, const char *id, const char *cells, const char *caption,
		     const char *const *names, unsigned int nr_text);
void page_table_end(FILE *to);
/* 1234567 as "1,234,567"; to be freed. */
char *page_number(uint64_t number);
/* A cell with a share in percent, and a bar of that length; @known false: a dash */
void page_share(FILE *to, double share, bool known);

/* page_assets.c: The files of output/html as strings. */

#define PAGE_ASSET __attribute__((visibility("hidden")))

extern const char page_css[] PAGE_ASSET;
extern const char page_theme_js[] PAGE_ASSET;	/* in the head, before the page is drawn */
extern const char page_table_js[] PAGE_ASSET;	/* sorts and filters tables */
extern const char page_flame_js[] PAGE_ASSET;
extern const char page_code_js[] PAGE_ASSET;	/* opens listings, follows links */
extern const char page_heat_js[] PAGE_ASSET;
extern const char page_time_js[] PAGE_ASSET;	/* selects a range of time, which the others follow */

/* page_findings.c: What to improve, on a page. */

struct advice;

void page_findings(FILE *to, const struct advice *a);

/* page_flame.c: The flame graph of a page. */

/*
 * Print the tree, with the rows of the table of functions that have the cells'
 * functions: the first @limit of @g, which may be NULL as well as @s.  @id tells several trees of a
 * page apart; the first one has "flame".
 */
void page_flame(FILE *to, const char *id, const struct flame *f, const struct groups *g,
		size_t limit, const struct session *s);

/* page_functions.c: The table of functions of a page, and the listings that it links to. */

/* The listing of a function */
struct page_code {
	const struct group *group;
	size_t row;			/* of the table of functions */
	struct listing *listing;
};

/*
 * Print the first @limit functions of @g, which is sorted by @sort, with links to those
 * that @codes has.
 */
void page_functions(FILE *to, const struct groups *g, enum measure sort,
		    size_t limit, const struct page_code *codes,
		    size_t nr_codes);
/* Print the listings. */
void page_codes(FILE *to, const struct groups *g, const struct page_code *codes,
		size_t nr_codes);

/* page_memory.c: The memory that samples accessed, on a page. */

/* Print m->zoomed. */
void page_memory_pictures(const struct mem_report *m, FILE *to);
/* Print the regions, the hottest pages and the NUMA nodes. */
void page_memory_tables(const struct mem_report *m, FILE *to);

/* page_sharing.c: Shared cache lines on a page. */

#define PAGE_LINES	50u	/* of the table */
#define PAGE_SIDES	16u	/* accesses of a line */

void page_sharing(FILE *to, const struct rows *r, const struct lines *l);

struct page_sums;

/*
 * page_time.c: The samples of each slice of time, of which the reader of a page selects a range.
 * The page sums up the slices that are selected.
 */

/* What struct slices sums up for a page: slice_sum.part, with the number and address of a thing */
enum page_sum {
	PAGE_ALL,		/* all samples */
	PAGE_FUNCTION,		/* number: row of the table of functions */
	PAGE_CODE,		/* the same, address: of the instruction */
	PAGE_MEMORY,		/* samples in the tables and pictures of memory */
	PAGE_LINE,		/* number: of the line; PAGE_LINES: all; address: 1 for stores */
	PAGE_ACCESS,		/* number: of the line, address: of its access */
};

/* Print the control that selects the range, as a part without a heading: the findings come first. */
void page_time(FILE *to, const struct page_part *part, const struct slices *s, const struct rows *r);
/* Print the sums behind it, and those of @count tables; after all other parts. */
void page_time_data(FILE *to, const struct slices *s, size_t functions,
		    const struct page_code *codes, size_t nr_codes, const struct lines *l,
		    const struct page_sums *tables, size_t count);

/*
 * Sums by slice of time of the rows of a table, which page_table_sums() names: the page
 * adds them up.
 */

#define PAGE_NUMBERS	5u
#define PAGE_ALL_ROWS	SIZE_MAX
#define PAGE_ROWS	20u	/* of a table of the summary */
#define PAGE_CPUS	256u

/* The first numbers; what the others are, the table says: stores and remote accesses, or loads and stores */
enum page_number { PAGE_COUNT, PAGE_TIMED, PAGE_CYCLES, PAGE_MORE, PAGE_MOST };

struct page_sums {
	const char *id;			/* of the table */
	size_t rows;
	uint64_t (*of)[PAGE_NUMBERS];	/* of all rows together and of each one, TIME_SLICES */
	struct hist *hists;		/* the total latencies of each row, TIME_SLICES; or NULL */
	bool *ranked;			/* with @hists: whether those of the row are known */
};

void page_sums_init(struct page_sums *p, const char *id, size_t rows, bool ranked);
/* Numbers of a row, or of PAGE_ALL_ROWS, which come first: SIZE_MAX + 1 is 0. */
static inline uint64_t *page_sums_of(const struct page_sums *p, size_t row, unsigned int slice)
{
	return p->of[(row + 1) * TIME_SLICES + slice];
}
static inline struct hist *page_sums_hist(const struct page_sums *p, size_t row, unsigned int slice)
{
	return &p->hists[row * TIME_SLICES + slice];
}
void page_sums_free(struct page_sums *p);

/* page_summary.c: What a recording consists of, on a page. */

/* What table_flags() says, and what of the SPE data cannot be read (@t may be NULL); false: nothing */
bool page_losses(FILE *to, const struct session *s, const struct sample_totals *t);
/* @g is sorted, and @r was walked with @of's totals. */
void page_summary(FILE *to, const struct rows *r,
		  const struct trust_of *of,
		  const struct composition *c, const struct groups *g);

/* page_trust.c: The estimated totals of a recording, and whether it can be trusted, on a page. */

void page_trust(FILE *to, const struct trust_of *of);

#endif
