/* SPDX-License-Identifier: GPL-2.0-only */
/* A filter expression, as filter.c parses it, for rows and for batches */
#ifndef PERF_SPE_ANALYSIS_ROWS_FILTER_H
#define PERF_SPE_ANALYSIS_ROWS_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/rows.h"

enum node_kind {
	NODE_OR, NODE_AND, NODE_NOT,
	NODE_PRESENT, NODE_EQ, NODE_NE, NODE_LT, NODE_LE, NODE_GT, NODE_GE,
	NODE_PART, NODE_END, NODE_LIKE, NODE_HAS,
	NODE_EVENT,		/* NODE_HAS of events, as bits for speed */
};

struct node {
	enum node_kind kind;
	size_t left, right;		/* of the operators */
	const struct field *field;
	uint64_t number;
	char *text;			/* of a text column */
};

struct filter {
	struct node *nodes;
	size_t nr_nodes, room_nodes;
	size_t root;
	enum field_need need;
	unsigned int columns;		/* enum row_column */
	bool names_source, names_latency, names_side;
	char *text;
};

/* Whether a value that is there compares as the node says */
bool filter_number_matches(const struct node *node, uint64_t number);
/* Whether node @at is true for the row */
bool filter_node_matches(const struct filter *f, size_t at, const struct row *row);

#endif
