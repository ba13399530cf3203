/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columnar files by Apache Arrow's library.  This is all that the rest of
 * perf-spe knows of it, and the only header that C++ reads here.
 */
#ifndef PERF_SPE_ARROW_H
#define PERF_SPE_ARROW_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

enum arrow_type {
	ARROW_U8, ARROW_U16, ARROW_U32,
	ARROW_S64,
	ARROW_U64,
	/* Values are numbers of words, signed, and none is negative. */
	ARROW_TEXT8, ARROW_TEXT16, ARROW_TEXT32,
};

struct arrow_column {
	const char *name;
	enum arrow_type type;
	const void *values;
	const uint8_t *valid;	/* a bit a row, the first in bit 0 */
	size_t absent;		/* rows whose bit is 0 */
	const char *bytes;	/* of all words, one behind the other */
	const int32_t *end;	/* where each ends */
	size_t nr_texts;
};

/* What a file says of itself, beside its columns */
struct arrow_note {
	const char *name, *value;
};

struct arrow_file;

/*
 * Begin a file: Parquet, or Arrow's own IPC form.  Each of the functions
 * returns NULL where all is well, or why not, in words for free(); a file
 * that could not be begun is none, and arrow_end() frees it in each case.
 * Columns are always the same ones in the same order.  Words only grow in
 * number in an IPC file; in a Parquet file each call may have others.
 */
char *arrow_begin(struct arrow_file **file, const char *path, bool parquet,
		  const struct arrow_column *columns, size_t count,
		  const struct arrow_note *notes, size_t nr_notes);
char *arrow_write(struct arrow_file *file, const struct arrow_column *columns,
		  size_t rows);
char *arrow_end(struct arrow_file *file);

#ifdef __cplusplus
}
#endif

#endif
