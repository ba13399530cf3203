/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_FLOW_FLOW_H
#define PERF_SPE_ANALYSIS_FLOW_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "symbols/code/code.h"
#include "util/util.h"

/*
 * flow.c: How often a program went from one instruction to another.  Addresses are those of the
 * ELF file, not run-time ones.  Counts are of executions: a sample counts for the
 * operations of its event's interval.
 */

enum flow_kind {
	FLOW_RANGE,		/* executed in sequence, @from to @to, both included */
	FLOW_ADDRESS,		/* executed at @from */
	FLOW_BRANCH,		/* branched, @from to @to */
	FLOW_STEP,		/* from the last instruction of a block to the next block */
	FLOW_AWAY,		/* branched from @from to another file */
	FLOW_ENTRY,		/* another file branched to @from */
	NR_FLOWS
};

struct flow {
	enum flow_kind kind;
	uint64_t from, to;
	uint64_t count, mispredicted;
	bool ends_in_branch;	/* of a range */
};

/* Sorted by kind, then by @from, @to and @ends_in_branch */
struct flow_list {
	struct flow *flows;
	size_t count, room;
	size_t first[NR_FLOWS + 1];	/* of each kind; set by flow_list_sort() */
};

/* Add @flow's counts to those of the flow that has the same kind and addresses. */
void flow_add(struct hash_table *table, const struct flow *flow);
/* Move all flows of @table to @list, sorted, and free @table. */
void flow_list_of(struct flow_list *list, struct hash_table *table);
void flow_list_add(struct flow_list *list, const struct flow *flow);
void flow_list_sort(struct flow_list *list);
void flow_list_free(struct flow_list *list);

static inline size_t flow_nr(const struct flow_list *list, enum flow_kind kind)
{
	return list->first[kind + 1] - list->first[kind];
}

/*
 * The first flow of @kind at or behind @from; the flows of the kind end at
 * list->first[kind + 1].
 */
size_t flow_list_find(const struct flow_list *list, enum flow_kind kind, uint64_t from);

#define flow_each(flow, list, kind)					\
	for ((flow) = (list)->flows + (list)->first[kind];		\
	     (flow) < (list)->flows + (list)->first[(kind) + 1]; (flow)++)

/*
 * code_graph.c: The blocks of a function and the ways between them, from its instructions and
 * from the
 * targets of sampled branches.
 */

#define GRAPH_OUTSIDE	UINT32_MAX	/* no block of the function */

/* Instructions that always execute in sequence; the last one may branch. */
struct graph_block {
	uint64_t start, last;		/* addresses of instructions */
	struct a64_branch branch;	/* the last instruction */
	double count;			/* executions, estimated */
	uint32_t first_in, first_out;	/* of graph.in and graph.out */
};

enum graph_edge_kind {
	EDGE_STEP,		/* to the next instruction, not by a branch */
	EDGE_NOT_TAKEN,		/* to the next instruction, by a branch */
	EDGE_TAKEN,		/* by a branch */
	EDGE_RETURNED,		/* from a call to the instruction behind it */
	EDGE_ENTRY,		/* from another function */
};

struct graph_edge {
	enum graph_edge_kind kind;
	uint32_t from, to;	/* blocks, or GRAPH_OUTSIDE */
	uint64_t target;	/* of a direct branch; else 0 where @to is outside */
	double flow;
};

struct graph {
	uint64_t start, end;
	struct graph_block *blocks;	/* by address, one behind the other */
	struct graph_edge *edges;
	uint32_t *in, *out;		/* indexes of edges, by block */
	uint32_t nr_blocks;
	size_t nr_edges, room_edges;
};

/*
 * Make the graph of the function from @start to @end.  @sampled has the branches of the
 * samples; @arrivals are its addresses that a branch went to, sorted.  Returns false if
 * there are no instructions.
 */
bool graph_make(struct graph *g, const struct a64_code *code, uint64_t start,
		uint64_t end, const struct flow_list *sampled,
		const uint64_t *arrivals, size_t nr_arrivals);
void graph_free(struct graph *g);
/* The block that begins at @address, or GRAPH_OUTSIDE */
uint32_t graph_block_at(const struct graph *g, uint64_t address);

/* Walk over the edges into, or out of, block number @b. */
#define graph_each_in(g, b, i)						\
	for ((i) = (g)->blocks[b].first_in; (i) < (g)->blocks[(b) + 1].first_in; (i)++)
#define graph_each_out(g, b, i)						\
	for ((i) = (g)->blocks[b].first_out; (i) < (g)->blocks[(b) + 1].first_out; (i)++)

/* flow_estimate.c: Make a function's counts consistent. */

/* What enters a block may differ from what leaves it by this share. */
#define FLOW_BALANCE_BOUND	0.001
/* Walks over the function before the counts are taken as they are */
#define FLOW_BALANCE_WALKS	2000

/*
 * Change the flows of the edges so that each block is left as often as it is entered.  Of
 * all consistent flows the result is the one with the least relative entropy to the given
 * ones ("balancing a matrix", Schneider and Zenios, Operations Research 38(3), 1990).
 * Edges without flow stay so, and a block that only one side has flow for is left alone.
 * Blocks with less flow than @small do not count for the bound.  Returns the largest share
 * that is left.
 */
double flow_balance(struct graph *g, double small);
/* What enters block number @b */
double flow_in(const struct graph *g, uint32_t b);

/* flow_estimate.c: First counts of a function's blocks and edges, each from its own samples. */

/* What the samples say */
struct flow_samples {
	struct flow_list list;	/* BRANCH: taken, STEP: not taken, RANGE: by PBT packets */
	double unit;		/* operations that a sample stands for */
	bool branches_only;	/* other operations were not sampled */
	uint64_t *arrivals;	/* targets of branches, sorted; freed by the owner */
	struct arrival {
		uint64_t to, from;	/* @from 0: in another file */
		uint64_t count;
	} *entries;		/* sorted by @to */
	size_t nr_arrivals, nr_entries;
};

/* The sampled branches of the instruction at @address: where they went, how often. */
struct branch_samples {
	const struct flow *first, *end;	/* taken, to this file */
	double taken, not_taken, away;	/* @taken includes @away */
};

/* Fill arrivals and entries from the list. */
void flow_samples_index(struct flow_samples *s);
void flow_samples_free(struct flow_samples *s);
struct branch_samples branch_samples_at(const struct flow_samples *s, uint64_t address);
/* Set the count of each block and the flow of each edge. */
void flow_estimate(struct graph *g, const struct flow_samples *s);

/*
 * strides.c: How far apart the addresses are that an instruction accesses one after the other.
 * Between two samples the instruction was executed many times, so a step between two sampled
 * addresses is a multiple of the stride; the steps' common divisor is the stride.  The intervals
 * must be random (jitter): with equal ones all steps have a common divisor that is too large.
 */

/* From fewer steps nothing follows: of random ones, 0.7% go one way as often as a walk does. */
#define STRIDES_LEAST	32

/* The steps between successive samples of one instruction in one thread */
struct strides {
	int64_t *steps;
	size_t count, room;
};

struct stride {
	int64_t bytes;		/* negative: downwards */
	double regular;		/* the part of all steps that are multiples of it, 0 to 1 */
	double mean;		/* of the steps in its direction, in bytes, above 0 */
};

/* Later steps than the first 4096 are dropped. */
void strides_add(struct strides *s, int64_t step);
/*
 * Returns false if the addresses are no walk: fewer than STRIDES_LEAST steps, fewer than
 * three quarters of them in one direction, or fewer than 90% of these a multiple of one
 * number.
 */
bool strides_find(const struct strides *s, struct stride *to);
void strides_free(struct strides *s);

/*
 * load_misses.c: The loads, or the stores, of one file that missed a data cache: how often, and how
 * their addresses move.
 */

/* The cache line that most samples access, by majority vote (Boyer and Moore) */
struct line_vote {
	uint64_t address;
	uint32_t process;	/* owner_number(); 0: by physical address, or the kernel's */
	bool physical;
	uint64_t lead;		/* 0: none has a majority */
};

/* What "perf spe advise" counts of the misses; it fills this in. */
struct miss_split {
	/* Latency without translation: of misses that this socket served, those of an outer cache, and of hits */
	struct stake_sums local, outer, hit;
	uint64_t misses;		/* samples of them */
	uint64_t near, last;		/* that an outer cache served; that no cache served */
	uint64_t walks, snooped;	/* that needed a page table walk; that another CPU's cache served */
	struct line_vote line;
	struct data_place memory;	/* of some misses */
	uint64_t at;			/* the address that @memory is the place of */
	bool several;			/* there are others */
	struct dso *global;		/* a file's variable that a miss accessed, and its address there */
	uint64_t global_address;
	bool found;			/* a finding of its own has this load */
};

/* Where an instruction's latest sample in a thread, on a CPU, accessed memory */
struct load_latest {
	uint64_t instruction, data;
	int32_t tid, cpu;
	bool used;
};

struct load_miss {
	uint64_t address;		/* of the load, as the file has it */
	const char *symbol;		/* or NULL */
	uint64_t loads, misses;		/* executions: sums of the samples' weights */
	uint64_t samples;
	struct stake_sums missed, hit;	/* total latency of samples with misses, and of the others */
	struct strides strides;
	struct load_latest latest;
	struct miss_split split;
};

struct load_misses {
	bool stores;			/* instead of loads */
	struct hash_table loads;	/* struct load_miss * */
	struct hash_table last;		/* struct load_latest, of other threads and CPUs */
	struct load_miss **sorted;	/* by load_misses_end(): those that missed, most first */
	size_t count;
};

/* The load of a sample of the file, or NULL if it is none; it does not move. */
struct load_miss *load_misses_at(struct load_misses *m, const struct row_batch *b, size_t i);
/*
 * Add a sample of @load; it stands for @weight executions.  Samples of one CPU must come in their
 * order.
 */
void load_misses_add(struct load_misses *m, struct load_miss *load, const struct row_batch *b,
		     size_t i, uint64_t weight);
/* Sort, after the last sample. */
void load_misses_end(struct load_misses *m);
/* Mean total latency of the samples with misses, in cycles; 0 if none has one */
double load_miss_latency(const struct load_miss *load);
/*
 * The stride of a load that walks through memory; false if it does not.  A walk by elements of
 * different sizes is none: there the steps exceed what the load could do by strides.
 */
bool load_miss_stride(const struct load_miss *load, struct stride *to);
/* Samples of the load or store at @address */
uint64_t load_misses_samples(const struct load_misses *m, uint64_t address);
void load_misses_free(struct load_misses *m);
/*
 * strides.c: How far the address of @access, of @dso, advances in each turn of the innermost loop around
 * it, as its code says.  Short loops need this: they end before the next sample.  *@bytes is 0 if the
 * program computes it before the loop.  @of: the loads and stores of the file, which tell whether the loop
 * has several turns.  False: it has no such stride, or that is not known.  Takes elf_lock().
 */
bool loop_stride(const struct dso *dso, const struct load_misses of[2], const struct load_miss *access,
		 int64_t *bytes);

/* flow_collect.c: Gather from rows how one file's code was executed. */

struct flow_collector {
	const struct rows *rows;
	const char *object;		/* a path, or a file name */
	struct hash_table table;	/* struct flow */
	struct profile_intervals intervals;
	struct load_misses *misses;	/* NULL: the format has none */
	struct dso *dso;		/* of the first sample */
	uint64_t samples, weight;	/* of the object; @weight in operations */
	uint64_t targets;		/* of them: taken branches within the file */
	uint64_t fileless;		/* samples of the object where its file is not here */
	bool other_operations;		/* neither branch nor load nor store */
};

/* A row_batch_fn whose context is a struct flow_collector, and the columns that it reads */
void flow_collect(void *collector, const struct row_batch *b);
#define FLOW_COLUMNS	(ROW_OP | ROW_EVENTS | ROW_DATA | ROW_REST)
/* Move what was collected to @to, for flow_samples_free(). */
void flow_collect_end(struct flow_collector *c, struct flow_samples *to);

/* flow_infer.c: The profile of a file, from samples and from the file's code. */

struct dso;

struct flow_inferred {
	struct flow_list list;		/* RANGE, ADDRESS, BRANCH, STEP */
	size_t functions;		/* with samples, and with code that can be read */
	double imbalance;		/* the largest, see flow_balance() */
};

/*
 * Infer the flows of the functions that have samples.  Code without a symbol keeps the
 * flows of its samples.  Returns false, and no flow, if @dso is no AArch64 ELF file.
 */
bool flow_infer(struct flow_inferred *to, const struct dso *dso,
		const struct flow_samples *samples);

/*
 * source_profile.c: Counts by function, and in it by line and inlined function: what compilers
 * read. A
 * line's number is its distance from the line of the function's declaration.
 */

struct dso;

struct source_call {
	const char *callee;
	uint64_t count;
};

struct source_line {
	uint32_t offset, discriminator;
	uint64_t count;
	struct source_call *calls;	/* by name */
	size_t nr_calls, room_calls;
};

struct source_function {
	const char *name;
	uint32_t offset, discriminator;	/* inlined: of the call */
	uint64_t head;			/* times that it was entered; not inlined */
	uint64_t total;			/* sum of all counts */
	struct source_line *lines;	/* by offset and discriminator */
	struct source_function *inlined;	/* the same, then by name */
	size_t nr_lines, room_lines, nr_inlined, room_inlined;
};

/* What a line's count is, where several of its instructions have one */
enum source_sum { SOURCE_MOST, SOURCE_SUM };

/* Functions of a profile: the root's "inlined", by name */
struct source_profile {
	struct source_function root;
	enum source_sum sum;
	bool llvm;		/* discriminators as LLVM stores them in DWARF */
};

/* Add the executed ranges, the calls and the entries of an inferred profile. */
void source_profile_flows(struct source_profile *p, struct dso *dso,
			  const struct flow_list *list);
/* Sort everything and add up totals, after the last addition. */
void source_profile_finish(struct source_profile *p);
void source_profile_free(struct source_profile *p);

#endif
