/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_OUTPUT_MEMORY_MEMORY_H
#define PERF_SPE_OUTPUT_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"

/* heat_picture.c: Heat as a picture in a file. */

struct canvas_kind;
struct heat;
struct working_set;

/*
 * With axes, what the colours mean, and the working set @set (or NULL) below.
 * 0, or -1 after a message or with errno set.
 */
int heat_picture(const struct heat *h, const struct working_set *set,
		 const struct canvas_kind *kind, const char *title, FILE *to);

/* heat_text.c: Heat as characters. */

struct heat;

/* With @colours in those of a terminal */
void heat_text(const struct heat *h, bool colours, FILE *to);

/* Columns of a picture that the terminal has room for, or 64 without a terminal */
size_t heat_text_columns(void);

/* mem_report.c: What "perf spe mem" found out, for its text and its page. */

/* Pictures on a page: of the processes with most samples */
#define MEM_PICTURES	4
/* So many samples later, the cell of a picture has come to the cache. */
#define MEM_WAITING	16

struct mem_report {
	struct rows rows;
	struct pages pages;
	struct working_set working_set;
	struct touchers touchers;
	struct touched_precise precise;	/* with ci */
	struct lines lines;		/* with html: names of bands */
	struct traffic traffic;		/* with by_time */
	struct heat heat;		/* of the hottest region, or of --range */
	struct heat pictures[MEM_PICTURES];	/* in files; larger */
	size_t nr_pictures;
	struct heat zoomed[MEM_PICTURES];	/* the same for a page, larger */
	size_t nr_zoomed;
	struct heat_at waiting[MEM_WAITING];	/* to count in @zoomed */
	uint64_t walked;		/* see pages_touch() */
	bool ranged, by_latency;
	bool ci;			/* --ci: with intervals, in text */
	bool by_time;			/* --traffic */
	struct region range;
	uint64_t limit, height, width;
	const char *svg, *png, *html;
	struct data_options data;	/* --json, --csv */
};

/* Begin m->zoomed: of @range, or with NULL of the processes with most samples. */
void mem_zoomed_begin(struct mem_report *m, const struct region *range);
/*
 * The second reading, of rows with PAGES_COLUMNS: what record @i touches goes to the touchers and to
 * m->zoomed.  False if it has no address.
 */
bool mem_touch(struct mem_report *m, const struct row_batch *b, size_t i, struct touch *touch);
/* After the last record */
void mem_touch_end(struct mem_report *m);
/* The same in several threads, as struct row_parts has it */
void mem_part_begin(struct mem_report *m, const struct mem_report *like);
void mem_part_merge(struct mem_report *m, struct mem_report *from);
void mem_part_free(struct mem_report *m);
/* The process whose memory it is; NO_ID for memory of the kernel or of no known process */
int32_t mem_pid(const struct mem_report *m, uint32_t whose);
/* "10 name", for the caller to free: whose memory it is */
char *mem_whose(const struct mem_report *m, uint32_t whose, uint64_t address);
/*
 * What region or page number @index holds, as "counters in shared, [heap]", and the
 * code that accesses a page, as "walk 90.00%, add 10.00%"; "" if nothing is known.
 * For the caller to free.
 */
char *mem_names(const struct mem_report *m, enum touched_kind kind, size_t index);
char *mem_code(const struct mem_report *m, size_t page);
/* Why there is nothing to show if no sample has an address, for the caller to free */
char *mem_why_none(const struct mem_report *m);
/* What a picture shows, in words, for the caller to free */
char *mem_title(const struct mem_report *m, const struct heat *h);

/* What a band of the picture holds: "line in shared 62%, [heap] 20%", or ""; to be freed */
char *heat_names(const struct heat *h, size_t index);

/* page_heat.c: Heat as a picture on a page that a reader can zoom. */

/* Cells of such a picture: more than a screen shows at once */
#define PAGE_HEAT_ROWS		384
#define PAGE_HEAT_COLUMNS	768

/*
 * Print the picture and its data; @number tells several pictures of a page apart, @title
 * is escaped here.
 */
void page_heat(FILE *to, const struct heat *h, unsigned int number,
	       const char *title);

/* heat_text.c: The working set over time as a table with bars. */

struct working_set;

void working_set_text(const struct working_set *w, FILE *to);

#endif
