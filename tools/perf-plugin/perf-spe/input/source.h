/* SPDX-License-Identifier: GPL-2.0-only */
/* An input: a perf.data file, or bare SPE bytes. */
#ifndef PERF_SPE_SOURCE_H
#define PERF_SPE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "input/mapped_file.h"
#include "input/piece.h"
#include "input/session.h"

/* Where to read from, as the command line says. */
struct source {
	const char *path;	/* NULL: perf.data, as with perf */
	bool raw;		/* bare SPE bytes instead of perf.data */
	struct mapped_file in;	/* raw */
	struct piece whole;	/* raw: all of it as one piece */
	struct session session;	/* perf.data */
};

/* What -i (or --raw, with @raw) names; false after a message. */
bool source_option(struct source *src, const char *path, bool raw);
/* 0, or -1 after a message */
int source_open(struct source *src);
void source_close(struct source *src);
/* NULL for bare SPE bytes */
struct session *source_session(struct source *src);
const struct piece *source_pieces(const struct source *src, size_t *count);
const struct mapped_file *source_input(const struct source *src);
/*
 * For each piece the number of its stream, from 0 on: pieces with the same
 * index, CPU and thread follow each other.  To be freed.
 */
size_t *source_stream_numbers(const struct source *src);

#endif
