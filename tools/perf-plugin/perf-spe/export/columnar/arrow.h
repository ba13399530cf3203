/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arrow.c: Write columnar files with Apache Arrow's library.  C and C++ share only this
 * header.
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
	ARROW_F64,
	/* Values are indexes of texts, in signed types, and never negative. */
	ARROW_TEXT8, ARROW_TEXT16, ARROW_TEXT32,
};

struct arrow_column {
	const char *name;
	enum arrow_type type;
	const void *values;
	const uint8_t *valid;	/* a bit a row, the first in bit 0 */
	size_t absent;		/* rows whose bit is 0 */
	const char *bytes;	/* all texts, one after the other */
	const int32_t *end;	/* where each ends */
	size_t nr_texts;
};

/* A key and value of the file's metadata */
struct arrow_note {
	const char *name, *value;
};

struct arrow_file;

/*
 * Begin a file: Parquet, or Arrow's IPC form.  Each function returns NULL on
 * success, or an error text that the caller frees.  arrow_begin() sets *file to
 * NULL on failure; arrow_end() always frees the file.  All calls must have the
 * same columns in the same order.  In an IPC file the texts of a column may only
 * grow; in a Parquet file each call may have other texts.
 *
 * If @threads is more than 1, so many threads encode the columns of a Parquet file.  The
 * bytes of the file do not depend on @threads.  Calls may come from several threads, but
 * only one at a time.
 */
char *arrow_begin(struct arrow_file **file, const char *path, bool parquet,
		  unsigned int threads,
		  const struct arrow_column *columns, size_t count,
		  const struct arrow_note *notes, size_t nr_notes);
char *arrow_write(struct arrow_file *file, const struct arrow_column *columns,
		  size_t rows);
char *arrow_end(struct arrow_file *file);

#ifdef __cplusplus
}
#endif

#endif
