/* SPDX-License-Identifier: GPL-2.0-only */
/* An input: a perf.data file, or SPE bytes alone. */
#ifndef PERF_SPE_SOURCE_H
#define PERF_SPE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "input/mapped_file.h"
#include "input/piece.h"
#include "input/session.h"

/* The input that the command line names */
struct source {
	const char *path;	/* a file, or perf's folder form; NULL: perf.data, as with perf */
	bool raw;		/* SPE bytes alone instead of perf.data */
	bool calls;		/* source_open() reads call stacks too */
	struct mapped_file in;	/* raw */
	struct piece whole;	/* raw: all of it as one piece */
	struct session session;	/* perf.data */
};

/* Take the value of -i, or of --raw if @raw is set; false after a message. */
bool source_option(struct source *src, const char *path, bool raw);
/* 0, or -1 after a message */
int source_open(struct source *src);
void source_close(struct source *src);
/* NULL for SPE bytes alone */
struct session *source_session(struct source *src);
const struct piece *source_pieces(const struct source *src, size_t *count);
/* The opened file; of a recording that is a folder, the one with the header */
const struct mapped_file *source_input(const struct source *src);
/* Whether a file written to @path would overwrite the recording, or a file in its folder */
bool source_holds(const struct source *src, const char *path);
/*
 * For each piece the number of its stream, from 0 on.  Pieces with the same index,
 * CPU and thread are of one stream.  The caller frees the array.
 */
size_t *source_stream_numbers(const struct source *src);

#endif
