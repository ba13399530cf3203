/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_MEMORY_MEMORY_H
#define PERF_SPE_ANALYSIS_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "symbols/data/data.h"
#include "symbols/symbols.h"
#include "util/util.h"

/*
 * nodes.c: NUMA nodes: the nodes of CPUs and memory, and how many samples went from each
 * node to each other.
 */

#define NODE_UNKNOWN	(-1)
#define NODE_SEVERAL	(-2)	/* the page was on more than one node */

/* [first, last] of CPUs, or of physical addresses, and their node */
struct node_range {
	uint64_t first, last;
	int32_t node;
};

struct node_ranges {
	struct node_range *of;
	size_t nr, room;
};

/* Samples from CPUs of one node to memory of one node */
struct node_share {
	int32_t cpu_node, memory_node;
	uint64_t count, stores, remote;	/* remote: with that event */
	uint64_t timed, cycles;
};

struct nodes {
	struct node_ranges cpus, memory;
	struct node_share *shares;	/* after nodes_finish() most samples first */
	size_t nr_shares, room_shares;
	size_t latest;			/* of the shares */
	const struct piece *piece;	/* of the latest sample, and the node of its CPU */
	int32_t cpu_node;
	uint64_t samples, physical;	/* with an address; with a physical one */
};

/* Read the nodes of @s (NULL: none); false after a message if they are damaged. */
bool nodes_init(struct nodes *n, const struct session *s);
int32_t nodes_of_cpu(const struct nodes *n, int32_t cpu);
/* Add record @i.  Returns nodes_of_row(). */
int32_t nodes_add(struct nodes *n, const struct row_batch *b, size_t i);
/* The node of record @i's physical address; NODE_UNKNOWN if it has none */
int32_t nodes_of_row(const struct nodes *n, const struct row_batch *b, size_t i);
/* Add the samples of @from. */
void nodes_merge(struct nodes *n, const struct nodes *from);
void nodes_finish(struct nodes *n);
/* After nodes_finish(): the index in n->shares of a row that nodes_add() saw */
size_t nodes_share_of(const struct nodes *n, const struct row_batch *b, size_t i);
/* Why the nodes of memory, or of CPUs, are unknown; NULL if they are known */
const char *nodes_no_memory(const struct nodes *n);
const char *nodes_no_cpus(const struct nodes *n);
/* "local", "other node", or "" if a node is unknown */
const char *node_way(const struct node_share *share);
/* "2", "several" or "-", for the caller to free */
char *node_text(int32_t node);
void nodes_free(struct nodes *n);

/*
 * pages.c: The memory that samples accessed, as pages and regions of neighbouring pages.
 * mem reads the samples twice: the first time finds the ranges of addresses and
 * of time that the second time divides into steps.
 */

#define PAGE_BYTES	4096u
#define HUGE_BYTES	((uint64_t)2 << 20)
/* Pages that are further apart belong to different regions. */
#define REGION_GAP	((uint64_t)16 << 20)

struct touched {
	uint64_t loads, stores;
	uint64_t timed, cycles;		/* of total latency */
};

/* A load or store, as the second reading sees it */
struct touch {
	uint32_t whose;
	uint64_t address;
	uint64_t time;			/* from pages.first on */
	uint64_t cycles;		/* of total latency, 0 without */
	const struct page *page;	/* mem_touch() finds it */
};

struct page {
	uint32_t whose;			/* owner_number(); 0: physical, or the kernel's */
	uint64_t address;
	uint64_t lines;			/* one bit for each 64 bytes */
	uint64_t when;			/* one bit for each step of time, see working_set.c */
	int32_t node;			/* NUMA node, or one of NODE_... */
	struct touched touched;
	uint32_t rank, region;		/* see touchers.c: 1 for the first; 0: not shown */
};

struct region {
	uint32_t whose;
	uint64_t start, end;
	uint64_t pages, lines;
	struct touched touched;
};

struct pages {
	bool physical;			/* by data physical address */
	struct nodes nodes;
	struct hash_table table;	/* struct page * */
	uint64_t samples;		/* with an address */
	uint64_t guests;		/* others: by a virtual address of a guest's process */
	uint64_t cycles;		/* of their total latency */
	bool timed;			/* all of them have a time */
	uint64_t first, last;		/* of perf's clock, or the sample's number */
	/* After pages_finish() */
	struct page **hot;		/* most samples first */
	struct region *regions;		/* most samples first */
	size_t nr_regions, room_regions;
	struct page **by_address;
	uint64_t lines, huge;		/* touched: of 64 bytes, of 2 MiB */
};

#define PAGES_COLUMNS (ROW_OP | ROW_EVENTS | ROW_DATA)

/* A row_batch_fn, of rows with their owner and these columns; @context is the struct pages. */
void pages_add(void *context, const struct row_batch *b);
/* For rows_read() with a struct pages, whose nodes are read */
extern const struct row_parts pages_parts;
void pages_finish(struct pages *p);
/*
 * For the second reading of the same rows; false if record @i has no address.  Without p->timed
 * *@walked counts such samples, which must come in the order of the file.
 */
bool pages_touch(const struct pages *p, const struct row_batch *b, size_t i, uint64_t *walked,
		 struct touch *t);
/* The page of an address that pages_add() has seen, or NULL */
struct page *pages_find(const struct pages *p, uint32_t whose, uint64_t address);
/* Whether two pages lie in the same 2 MiB of the same process */
bool pages_same_huge(const struct page *a, const struct page *b);
/* The fewest pages that hold @percent of the samples */
size_t pages_holding(const struct pages *p, unsigned int percent);
uint64_t pages_touches(const struct touched *t);
void pages_free(struct pages *p);

/*
 * tier.c: The pages of processes that CPUs of another node access: which of them belong to another
 * node.
 */

/* The samples of a page from the CPUs of one node */
struct tier_user {
	int32_t node;
	uint64_t samples;
	uint64_t far, cycles;		/* from memory of another node, and their total latency */
};

struct tier_page {
	uint32_t whose;			/* owner_number() */
	uint64_t address;
	int32_t pid;
	const char *comm;		/* of the process, or NULL */
	int32_t node;			/* of its memory, or one of NODE_... */
	struct tier_user *users;
	size_t nr_users, room_users;
	/* After tier_finish() */
	uint64_t samples;
	const struct tier_user *to;	/* the node that it belongs to; NULL: no sample is far */
};

struct tier {
	uint64_t least;			/* far samples that a page needs */
	uint64_t share;			/* percent of its samples that one node needs */
	struct nodes nodes;
	struct hash_table table;	/* struct tier_page * */
	uint64_t samples;		/* with an address */
	uint64_t placed;		/* of user space, of a known process and node of CPUs */
	uint64_t told;			/* of these, with the event or a known source */
	uint64_t local;			/* of these, to memory of the CPU's node */
	uint64_t far;
	/* After tier_finish() */
	struct tier_page **chosen;	/* the most cycles first */
	size_t nr_chosen;
	uint64_t few, shared;		/* other pages with far samples: too few; other nodes use it too */
};

#define TIER_COLUMNS (ROW_OP | ROW_EVENTS | ROW_SOURCE | ROW_DATA)

/* A row_batch_fn, of rows with their owner and these columns; @context is the struct tier. */
void tier_add(void *context, const struct row_batch *b);
/* For rows_read() with a struct tier, whose nodes are read */
extern const struct row_parts tier_parts;
void tier_finish(struct tier *t);
/* Whether some samples may be far, but none tells */
bool tier_unknown(const struct tier *t);
void tier_free(struct tier *t);

/*
 * bands.c: The address axis of a picture: the ranges that samples accessed, with the
 * gaps between them cut out.  Without the cuts, a heap and a stack that lie
 * terabytes apart would leave nothing but empty space.
 */

#define LINE_BYTES	64u
#define BANDS_MAX	12u

struct band {
	uint64_t start, end;	/* whole lines */
	bool warm;		/* a hundredth of the samples, or all of a range */
	uint64_t samples;	/* heat_add() counts them */
	size_t row, rows;	/* row: the one with the lowest address */
};

/* What a band holds most of; see bands.c */
struct band_name {
	struct data_place place;
	uint64_t count;			/* samples */
	uint64_t line;			/* the lowest one with it */
};

#define BAND_NAMES	3u

struct bands {
	struct band band[BANDS_MAX];	/* lowest address first */
	struct band_name name[BANDS_MAX][BAND_NAMES];	/* of each band, most samples first; count 0: none */
	size_t count;
	/* Regions of the same process that have no band, and their samples */
	size_t omitted;
	uint64_t omitted_samples;
};

/* One band, for the whole range @start to @end */
void bands_of_range(struct bands *b, uint64_t start, uint64_t end);
/*
 * Bands for the hottest regions of the program @whose, an owner_number().  A gap between two accessed
 * lines is cut if it would fill more than two of @rows and is no chance of
 * sampling.  A page with an eighth of the samples has a band of its own.
 */
void bands_of_process(struct bands *b, const struct pages *p, uint32_t whose,
		      size_t rows);
/*
 * Shares out @rows: a warm band gets rows by the logarithm of its size, and no more
 * than it has lines.  Any other band gets one.  Returns how many rows they have.
 */
size_t bands_share_rows(struct bands *b, size_t rows);
/* The band that holds @address, or NULL */
struct band *bands_find(struct bands *b, uint64_t address);
/* The band that holds @row, which must be one of theirs */
const struct band *bands_of_row(const struct bands *b, size_t row);

/*
 * bands.c: The variables, heap sites and kinds of memory that bands hold, from the cache lines
 * of the same samples.
 */

struct lines;

/* @whose: as of bands_of_process().  Lines that are known by physical address have no part in it. */
void bands_name(struct bands *b, uint32_t whose, const struct lines *l);

/* heat.c: How often which address was accessed when. */

struct heat {
	const struct pages *pages;
	uint32_t whose;			/* whose addresses */
	struct bands bands;
	bool by_latency;		/* cycles instead of samples */
	size_t rows, columns;		/* addresses upwards, time to the right */
	/*
	 * Column by column, rows from the lowest address: time goes on, so samples that follow each
	 * other are near each other.
	 */
	struct heat_cell *cells;
	uint64_t most;			/* largest cell, by what it is drawn */
};

struct heat_cell {
	uint64_t samples, cycles;
};

static inline const struct heat_cell *heat_cell(const struct heat *h, size_t row, size_t column)
{
	return &h->cells[column * h->rows + row];
}
/* What a cell is drawn by */
static inline uint64_t heat_number(const struct heat *h, const struct heat_cell *cell)
{
	return h->by_latency ? cell->cycles : cell->samples;
}

/* Where @part, of 0 to @last, comes in so many steps */
size_t heat_scale(uint64_t part, uint64_t last, size_t steps);

/* Of one range of addresses, accessed or not */
void heat_of_range(struct heat *h, const struct pages *pages,
		   const struct region *range, size_t rows, size_t columns);
/*
 * Begin a picture of each process that has at least a hundredth of the samples, and of the
 * one with the hottest region, at most @max in @list.  Returns their number.
 */
size_t heat_of_owners(struct heat *list, size_t max, const struct pages *pages,
		      size_t rows, size_t columns);
void heat_add(struct heat *h, const struct touch *t);

/* The same in two steps: the cell is on its way to the cache between them. */
struct heat_at {
	struct heat *heat;
	struct band *band;
	struct heat_cell *cell;		/* NULL: none */
	uint64_t cycles;
};

/* False: the picture has no cell for it. */
bool heat_find(struct heat *h, const struct touch *t, struct heat_at *at);
void heat_count(struct heat_at *at);
/* An empty picture of the same cells; @h may be @like. */
void heat_twin(struct heat *h, const struct heat *like);
/* Add all of @from, a picture of the same cells. */
void heat_merge(struct heat *h, const struct heat *from);
/* The first address of a row */
uint64_t heat_address(const struct heat *h, size_t row);
/* 0 for the least heat to 1 for the most: the logarithm, as it spans decades */
double heat_part(const struct heat *h, uint64_t cell);
void heat_free(struct heat *h);

/* A cache line: which threads accessed which bytes, from which code, and what that means */

/* Accesses of one kind, by one sharer, from one place, to one offset */
struct access {
	uint8_t offset;			/* in the line */
	uint16_t bytes;			/* of the line, from there on; at least 1 */
	bool store;
	int32_t tid, cpu;		/* tid NO_ID: only the CPU is known */
	uint32_t process;	/* owner_number() of its thread */
	const char *comm;	/* the name of the first such access's thread, or NULL */
	const char *object, *symbol;
	uint64_t pc;			/* where there is no symbol */
	const char *type, *field;	/* of the data, with lines.types; NULL: unknown */
	uint32_t name;			/* of the last sample, in line.names from 1 on; 0: none */
	uint64_t count;
	uint64_t snooped;		/* served from, or seen by, other caches */
	uint64_t timed, cycles;		/* of total latency */
	double squares;			/* of these cycles */
	uint64_t writes;		/* stores, and atomic operations */
	uint64_t atomics;		/* atomic and exclusive accesses of these */
	struct stake_sums atomic;	/* those with a total latency */
	struct stake_sums hit;		/* with lines.hits: others that hit the first cache, the same */
	struct time_windows when;		/* by the recorded time stamps */
	const struct piece *first;	/* where its first sample is, and how many other accesses */
	uint32_t order;			/* the line had before; see first_order() */
};

/* What a line or a part of it belongs to.  A place of the heap may have several blocks in turn. */
struct line_name {
	struct data_place place;	/* its base counts from the line's start */
	uint64_t count;			/* samples */
	const struct piece *first;	/* as of an access */
	uint32_t order;
};

/* Which of two comes first in the file; one thread reads a piece, in order. */
static inline int first_order(const struct piece *a, uint32_t a_order, const struct piece *b,
			      uint32_t b_order)
{
	if (a != b)
		return a < b ? -1 : 1;
	return a_order < b_order ? -1 : a_order > b_order;
}

/* What two accesses of a line by different sharers are to each other: see line_verdict.c. */
struct line_pair {
	/* Those of the pair's two functions with the most samples, the first with more */
	const struct access *a, *b;
	/* The bytes of the line that the accesses of each function span */
	uint16_t a_first, a_end, b_first, b_end;
	bool common;			/* the accesses have bytes in common */
	double part;			/* of the line's meetings, 0 to 1 */
};

/*
 * Samples that each of two threads needs before the line counts as falsely shared.
 * If a thread uses a common byte in a quarter of its accesses, ten samples miss it
 * with a probability of 0.75^10, which is 6%.
 */
#define LINES_ENOUGH	10

/* Accesses of a line of which pairs are made, those with the most samples */
#define LINE_PAIRED	128u

enum line_verdict {
	LINE_COMMON,		/* it would move half as often at least if it were padded */
	LINE_FALSE_SHARING,	/* less often: few accesses that meet have common bytes */
	/* No accesses meet: */
	LINE_ONE_CPU,		/* no two caches hold the line */
	LINE_IN_TURN,		/* its sharers use it at different times */
	LINE_FEW,		/* fewer than LINES_ENOUGH samples of a side, or in their order by chance */
};

struct line {
	int32_t pid;			/* NO_ID: physical, or the kernel's */
	uint32_t process;		/* owner_number(); 0 with that NO_ID */
	bool physical;
	uint64_t address;
	uint64_t loads, stores, writes, snooped, timed, cycles;
	struct access *accesses;
	size_t nr_accesses, room_accesses;
	struct line_name *names;	/* after lines_finish() those with most samples first */
	size_t nr_names, room_names;
	bool shared;			/* after lines_finish(): it is in lines.sorted */
	size_t rank;			/* and there it has this number */
	/* After line_judge() */
	size_t sharers;
	size_t cpus;			/* 0: none is known */
	enum line_verdict verdict;
	bool apart;			/* no accesses that meet have a byte in common */
	struct line_pair *pairs;	/* of functions that meet, the most frequent first */
	size_t nr_pairs;
};

/* Before the pid of @line */
static inline const char *line_of(const struct line *line)
{
	return owner_is_guest(line->process) ? "of a guest's kernel in process" : "of process";
}

/*
 * The thread of an access, for the host and for the guest in it, or its CPU if the thread is unknown.
 * It stays the same thread when it executes another program, and no two threads have one id at once.
 */
static inline uint64_t access_sharer(const struct access *a)
{
	return a->tid != NO_ID ? UINT64_C(1) << 32 | (uint32_t)a->tid : (uint32_t)a->cpu;
}

/* Whether samples of both are counted together */
static inline bool access_same(const struct access *a, const struct access *b)
{
	return a->offset == b->offset && a->bytes == b->bytes && a->store == b->store &&
	       a->tid == b->tid && a->cpu == b->cpu && a->process == b->process &&
	       a->symbol == b->symbol && a->object == b->object && a->pc == b->pc &&
	       a->type == b->type && a->field == b->field;
}

static inline bool access_same_code(const struct access *a, const struct access *b)
{
	return a->symbol == b->symbol && a->object == b->object && a->pc == b->pc;
}

/* line_names.c: What the memory of a cache line belongs to */

/*
 * Set the name of @access by that of record @i's memory.  All samples of an access have the same
 * name, unless it is of a block of the heap.
 */
void line_name_find(struct line *line, struct access *access, const struct row_batch *b, size_t i);
/* Add the names of the same line that another thread has read. */
void line_names_merge(struct line *line, const struct line *from);
/* The number of a place in line.names, to which it is added */
uint32_t line_name_of(struct line *line, const struct data_place *place);
/*
 * After all merges, with accesses in the order of the file: keep the names that come first; @blocks
 * of the heap have some too.
 */
void line_names_in_order(struct line *line, bool blocks);
/* Order the names: those with most samples first. */
void line_names_sort(struct line *line);

/* line_times.c: Whether two accesses to a cache line were made at the same time */

enum line_when { LINE_AT_ONCE, LINE_APART, LINE_WHEN_UNKNOWN };

/*
 * Whether @a and @b, accesses of two sharers of @line, were sampled at the same time.  Without time
 * stamps all were.
 *
 * If all samples of one come before all samples of the other, they were not, unless so few samples
 * are in this order by chance.  Then the samples that the same functions have elsewhere in the line
 * are added, and then all samples that both sharers have of the line.
 *
 * Else time is divided into windows, so long that each has two samples of the rarer access on
 * average.  The two were made at the same time if both have samples in more than half of the
 * windows of the one in fewer.  If not, and one has fewer than LINES_ENOUGH samples, it is unknown.
 */
enum line_when line_when(const struct line *line, const struct access *a, const struct access *b);

/*
 * line_verdict.c: What the accesses to a cache line say of it: who meets there, and at which
 * bytes
 */

/*
 * Fill in what line.c says that a line has after line_judge(), and sort its accesses, the one with
 * the most snooped samples first.
 *
 * An access meets another sharer's if that one writes, both are on different CPUs, and both were
 * sampled at the same time.  Then the line goes to the other CPU and has to come back.  A sample
 * met each writer with a probability in proportion to that writer's samples; where samples are
 * marked as snooped, only those met one.
 */
void line_judge(struct line *line);

/*
 * lines.c: Cache lines: which threads accessed which bytes, from which code.
 */

/* The index of an access in its line's array */
struct access_at {
	uint32_t hash;
	uint32_t at;
	struct line *line;		/* NULL: empty */
};

/*
 * Name an access by something else than the code that made it: set its object, symbol and pc.
 * Accesses with the same three count as of the same code.
 */
typedef void (*access_fn)(void *context, const struct row *row, struct access *access);

/* What a data source of a CPU is */
struct lines_source {
	bool used, named;
	uint32_t flags;			/* ARMSPE_SOURCE_*, if it has a name */
	uint16_t source;
	int32_t cpu;
};

#define LINES_SOURCES	64u		/* a power of two */

/* What tells the access of a sample before the access is looked up */
struct lines_key {
	const struct place *place;
	uint64_t address;		/* raw payload */
	uint64_t pc;			/* the same, where there is no symbol */
	uint32_t process;
	int32_t tid, cpu;
	uint32_t flags;			/* ARMSPE_OPF_* */
	bool physical;
};

/* Samples with the same key, which their line and access do not count yet.  It fills two cache lines. */
struct lines_known {
	_Alignas(64) struct lines_key key;
	struct line *line;
	uint32_t at;			/* in line.accesses */
	uint32_t count, snooped, timed;
	uint64_t cycles, squares;
	struct time_windows when;
};

/* The index of these samples in lines.known */
struct known_at {
	uint32_t hash;
	uint32_t number;		/* the index + 1; 0: empty */
};

#define LINES_KNOWN	16384u
#define LINES_BITS	4096u		/* a power of two */

struct lines {
	unsigned int bytes;		/* of a line, a power of two up to 256 */
	struct hash_table table;	/* struct line * */
	struct hash_table accesses;	/* struct access_at */
	struct access_sizes sizes;
	bool types;			/* tell accesses to different types and fields apart */
	struct string_set texts;	/* of types and fields */
	bool hits;			/* fill in access.hit */
	bool blocks;			/* names may be of blocks of the heap */
	bool merged;			/* accesses are not in the order of the file */
	struct lines_source sources[LINES_SOURCES];	/* that were seen last */
	struct lines_known *known;	/* not yet counted; NULL: none yet */
	struct hash_table known_at;	/* struct known_at */
	uint32_t nr_known, epoch;	/* valid only if it is that of the places */
	uint64_t waiting;		/* samples that may be in one of them */
	access_fn name;			/* NULL: by its code */
	void *context;			/* of @name */
	uint64_t samples;		/* with a data address */
	uint64_t physical;		/* of these by physical address */
	uint64_t unknown;		/* others: by a virtual address of an unknown process */
	uint64_t cycles;		/* of total latency */
	/* After lines_finish(), of the shared lines */
	uint64_t shared_samples, shared_snooped;
	struct line **sorted;		/* shared lines, worst first */
	size_t nr_sorted;
	uint64_t shared_bits[LINES_BITS / 64];	/* of the hashes of their addresses */
};

/* Whether a load or store with these events hit the first cache, and waited for no page table walk */
static inline bool lines_is_hit(uint64_t events)
{
	const uint64_t misses = UINT64_C(1) << SPE_EVENT_L1D_REFILL | UINT64_C(1) << SPE_EVENT_LLC_MISS |
				UINT64_C(1) << SPE_EVENT_DATA_SNOOPED | UINT64_C(1) << SPE_EVENT_TLB_WALK;

	return events >> SPE_EVENT_L1D_ACCESS & 1 && !(events & misses);
}

#define LINES_COLUMNS (ROW_OP | ROW_EVENTS | ROW_SOURCE | ROW_DATA)

/* A row_batch_fn, of rows with their place and these columns; @context is the struct lines. */
void lines_add(void *context, const struct row_batch *b);
/* For rows_read() with a struct lines, of which name must be NULL */
extern const struct row_parts lines_parts;
/*
 * Find the lines that several sharers use and at least one writes to.  Lines with
 * more snooped samples come first, then lines that several CPUs use.
 */
void lines_finish(struct lines *l);
/* The line after @slot (NULL: the first one) in no order; NULL at the end.  *@slot is the line. */
struct line **lines_next(const struct lines *l, struct line **slot);
/* Whether any sample is a store or an atomic operation: without one no line is listed. */
bool lines_written(const struct lines *l);
/* Whose the samples are */
enum lines_reach {
	LINES_ONE_THREAD,		/* or of one CPU where threads are unknown */
	LINES_ONE_CPU,			/* of several threads on it */
	LINES_SEVERAL,			/* or of unknown CPUs, which may differ */
};
enum lines_reach lines_reach(const struct lines *l);
/* Whether the thread or the CPU of any sample is known: without them no line has two sharers. */
bool lines_know_sharers(const struct lines *l);
/*
 * The line that lines_add() counted record @i for, NULL if none, and what identifies the access; for
 * access_same().
 */
struct line *lines_find(struct lines *l, const struct row_batch *b, size_t i,
			struct access *access);
/*
 * Whether lines_add() counted record @i, and in *@line its line if that is shared, or else NULL; after
 * lines_finish()
 */
bool lines_shared(struct lines *l, const struct row_batch *b, size_t i, const struct line **line);

/* What tells lines apart */
struct line_id {
	uint64_t address;
	uint32_t process;	/* as in struct line */
	bool physical;
};

/* The line of a record with an address; false if it is of none.  It need not be in @l. */
bool lines_id(const struct lines *l, const struct row_batch *b, size_t i, struct line_id *id);
/* NULL: there is none in @l */
const struct line *lines_with(const struct lines *l, const struct line_id *id);
/* The data source of record @i; NULL if it has none, or none with a name */
const struct lines_source *lines_source(struct lines *l, const struct row_batch *b, size_t i);
/* Whether another cache took part */
bool lines_snooped(struct lines *l, const struct row_batch *b, size_t i);
void lines_free(struct lines *l);

/*
 * lines_precise.c: What the intervals of shared lines and their accesses need, from a second
 * reading of the
 * samples that lines_add() has seen.
 */

/*
 * Of one line, by access.  Where samples of the line were snooped, the shares are of these, but
 * the means are of all.
 */
struct line_precise {
	struct precise share, mean;
};

struct lines_precise {
	struct lines *lines;		/* after lines_finish() */
	size_t nr;			/* the first so many lines of lines->sorted */
	struct precise share;		/* of all shared lines, by line */
	struct line_precise *of;	/* of each of the first lines */
};

/* Collect for the first @lines shared lines and for the first @accesses of each. */
void lines_precise_init(struct lines_precise *p, struct lines *l, size_t lines,
			size_t accesses);
/* A row_batch_fn, with LINES_COLUMNS; @context is the struct lines_precise. */
void lines_precise_add(void *context, const struct row_batch *b);
/* After the last one */
void lines_precise_finish(struct lines_precise *p, const struct rows *rows);
void lines_precise_free(struct lines_precise *p);

/* lines_precise.c: What the intervals of mem's tables need, from the second reading */

/* By index in pages.regions, pages.hot and pages.nodes.shares, as far as they are printed */
struct touched_precise {
	struct precise regions, pages, nodes;
};

/* Collect for the first @limit rows of each table, after pages_finish() and touchers_begin(). */
void touched_precise_init(struct touched_precise *t, const struct pages *p, size_t limit);
/* Add the access @touch of record @i, or NULL for one without address. */
void touched_precise_add(struct touched_precise *t, const struct pages *p,
			 const struct row_batch *b, size_t i, const struct touch *touch);
/* Add all of @from, for the same tables. */
void touched_precise_merge(struct touched_precise *t, const struct touched_precise *from);
/* After the last one */
void touched_precise_finish(struct touched_precise *t, const struct rows *rows);
void touched_precise_free(struct touched_precise *t);

/*
 * touchers.c: What the regions and pages with most samples hold, and which code accesses the pages.
 * Collected by the second reading of the samples, see pages.c.
 */

enum touched_kind { TOUCHED_REGION, TOUCHED_PAGE, TOUCHED_BY, NR_TOUCHED };

#define TOUCHERS_LATEST	32u		/* a power of two */

/* One name of a region or page, or one function that accesses a page */
struct toucher {
	enum touched_kind kind;
	uint32_t index;			/* in pages.regions or pages.hot */
	const char *object, *symbol;	/* symbol NULL: none */
	bool block;			/* they are those of a heap's block, see data_names.c */
	uint64_t count;
};

struct touchers {
	struct hash_table table;	/* struct toucher * */
	/* Those of the latest samples, by kind and index */
	struct toucher *latest[NR_TOUCHED][TOUCHERS_LATEST];
	/* After touchers_finish() */
	struct toucher **sorted;	/* by kind, index, then most samples first */
	size_t nr_sorted;
};

/* Collect for the first @limit regions and pages of @p, after pages_finish(). */
void touchers_begin(struct pages *p, size_t limit);
/* Add the access @touch of record @i. */
void touchers_add(struct touchers *t, const struct row_batch *b, size_t i, const struct touch *touch);
/* Add all of @from, for the same pages. */
void touchers_merge(struct touchers *t, const struct touchers *from);
void touchers_finish(struct touchers *t);
/* The toucher with most samples of a region or page; they end at *@end. */
struct toucher *const *touchers_of(const struct touchers *t, enum touched_kind kind,
				   size_t index, struct toucher *const **end);
void touchers_free(struct touchers *t);

/*
 * working_set.c: The working set over time: which pages samples saw in which step of the
 * recording.  Of lines of 64 bytes so few are seen twice that such a count
 * would tell of the samples, not of the program.
 */

#define WORKING_SET_STEPS 64		/* bits of page.when */

struct working_set_step {
	uint64_t samples;
	uint64_t pages, huge;	/* of 4 KiB and 2 MiB, touched in this step */
	uint64_t fresh;		/* of 4 KiB, not in one before */
};

struct working_set {
	struct pages *pages;
	uint64_t samples[WORKING_SET_STEPS];
};

/* Several threads, each with a set of its own, may add to the same pages. */
void working_set_add(struct working_set *w, const struct touch *t);
void working_set_merge(struct working_set *w, const struct working_set *from);
/* @steps of them: a divisor of WORKING_SET_STEPS */
void working_set_steps(const struct working_set *w, struct working_set_step *to, unsigned int steps);

/*
 * traffic.c: How often memory is accessed, over time: by NUMA node of the memory and by what the
 * memory holds.  A sample stands for the operations of its interval, so a rate is an estimate.
 * Bytes are known only where the code can be read: no packet tells the size of an access.
 */

#define TRAFFIC_STEPS 8u

enum traffic_kind { TRAFFIC_NODE, TRAFFIC_OBJECT };

struct traffic_step {
	uint64_t count;			/* samples */
	uint64_t unknown;		/* of these without a known interval */
	double accesses, low, high;	/* that they stand for: between @low and @high */
	uint64_t sized;			/* samples whose size is known */
	double bytes;			/* that their accesses stand for */
};

struct traffic_row {
	enum traffic_kind kind;
	int32_t node;			/* of the memory, or one of NODE_... */
	const char *object, *symbol;	/* as struct data_place has it; NULL: not known */
	bool block;
	struct traffic_step steps[TRAFFIC_STEPS], all;
};

struct traffic {
	struct hash_table table;	/* struct traffic_row * */
	struct access_sizes sizes;
	const struct piece *piece;	/* of the latest sample, and the mean interval there */
	struct spe_mean mean;
	/* After traffic_finish(): nodes, then objects with most samples first */
	struct traffic_row **sorted;
	size_t nr_sorted;
};

/* Add the access @touch of record @i. */
void traffic_add(struct traffic *t, const struct pages *p, const struct row_batch *b, size_t i,
		 const struct touch *touch);
void traffic_merge(struct traffic *t, const struct traffic *from);
void traffic_finish(struct traffic *t);
/* Accesses per second and their interval of 95%; false if they cannot be told */
bool traffic_rate(const struct traffic_step *s, double seconds, double *rate, struct interval *i);
/* Bytes per second; false unless the size of all accesses is known */
bool traffic_bytes(const struct traffic_step *s, double seconds, double *rate);
/* Why there is no rate at all; NULL: there is. @s may be NULL. */
const char *traffic_unknown(const struct pages *p, const struct session *s);
void traffic_free(struct traffic *t);

#endif
