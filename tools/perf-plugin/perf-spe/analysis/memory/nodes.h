/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NUMA nodes: the nodes of CPUs and memory, and how many samples went from each
 * node to each other.
 */
#ifndef PERF_SPE_NODES_H
#define PERF_SPE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "input/session.h"

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
	uint64_t samples, physical;	/* with an address; with a physical one */
};

/* Read the nodes of @s (NULL: none); false after a message if they are damaged. */
bool nodes_init(struct nodes *n, const struct session *s);
int32_t nodes_of_cpu(const struct nodes *n, int32_t cpu);
/* The node of a row's physical address; NODE_UNKNOWN if it has none */
int32_t nodes_of_row(const struct nodes *n, const struct row *row);
void nodes_add(struct nodes *n, const struct row *row);
void nodes_finish(struct nodes *n);
/* After nodes_finish(): the index of the row's samples in n->shares; SIZE_MAX: nodes_add() saw none */
size_t nodes_share_of(const struct nodes *n, const struct row *row);
/* Why the nodes of memory, or of CPUs, are unknown; NULL if they are known */
const char *nodes_no_memory(const struct nodes *n);
const char *nodes_no_cpus(const struct nodes *n);
/* "local", "other node", or "" if a node is unknown */
const char *node_way(const struct node_share *share);
/* "2", "several" or "-", for the caller to free */
char *node_text(int32_t node);
void nodes_free(struct nodes *n);

#endif
