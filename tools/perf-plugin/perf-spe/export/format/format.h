/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_EXPORT_FORMAT_FORMAT_H
#define PERF_SPE_EXPORT_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/rows/rows.h"
#include "util/util.h"

/* dictionary.c: The dictionary of a column: each text has a number. */

#define DICTIONARY_KNOWN	1024		/* a power of two */
#define NO_NUMBER		UINT32_MAX

struct dictionary {
	char *bytes;			/* all texts, one after the other */
	size_t len, room_bytes;
	int32_t *end;			/* offset at which each text ends */
	size_t count, room;
	struct hash_table table;	/* numbers by text */
	/* A cache from keys to numbers; see struct field.each */
	struct dictionary_known {
		uint64_t key;
		uint32_t number;		/* NO_NUMBER: the key has no text */
		uint32_t used;		/* 0 or 1 */
	} known[DICTIONARY_KNOWN];
};

/*
 * The number of @text, which is added if it is new.  NO_NUMBER if all texts
 * together would exceed 2 GiB.
 */
uint32_t dictionary_number(struct dictionary *w, const char *text);
uint32_t dictionary_number_of(struct dictionary *w, const char *text, size_t len);
/* Empty the dictionary. */
void dictionary_forget(struct dictionary *w);
void dictionary_free(struct dictionary *w);

static inline struct dictionary_known *dictionary_known(struct dictionary *w, uint64_t key)
{
	return &w->known[hash_mix(key) >> 54 & (DICTIONARY_KNOWN - 1)];
}

/*
 * An export format is a set of functions that write rows.  All formats of rows have
 * the same columns; those of profiles have none.
 */

struct writer {
	const struct format *format;
	const struct field **columns;
	size_t nr_columns;
	const char *path;		/* NULL: standard output */
	struct output *out;		/* of @path, or NULL */
	const char *host;		/* NULL: not known */
	int64_t end;			/* s since 1970: when the recording ended; 0: not known */
	const struct rows *rows;	/* open */
	enum profile_value value;	/* of formats that hold profiles */
	bool no_formulas;		/* of CSV: --no-formulas */
	bool compressed;		/* of otlp: with gzip, as a request may be */
	FILE *to;			/* @out, or standard output */
	void *state;			/* of the format; that of otlp and pprof begins with a struct profile */
	bool failed;			/* a message was given */
};

/* What a format holds */
enum format_profile {
	PROFILE_NONE,			/* rows, with columns */
	PROFILE_ONE_VALUE,		/* samples added up, by one value */
	PROFILE_VALUES,			/* by all values; one is shown first */
	PROFILE_EACH,			/* each sample, with all values */
};

struct format {
	const char *name;
	const char *suffix;		/* of its files */
	bool needs_path;		/* writes a new file, never to stdout */
	const char *missing;		/* message if not built in, or NULL */
	enum format_profile profile;
	bool binary;			/* does not go to a terminal */
	bool dated;			/* says which host was recorded, and when */
	/* Begin and end may be NULL.  0, or -1 after a message */
	int (*begin)(struct writer *w);
	/* One of both */
	void (*row)(struct writer *w, const struct row *row);
	void (*batch)(struct writer *w, const struct row_batch *b);
	int (*end)(struct writer *w);
	/*
	 * For formats that several threads can write, each with its own writer: begin @w for
	 * another thread as a copy of @first, end a part of the input, and end such a copy.
	 */
	void (*join)(struct writer *w, const struct writer *first);
	void (*part_end)(struct writer *w);
	void (*leave)(struct writer *w);
	uint64_t part_bytes;		/* see struct row_taker */
};

/* Formats of rows: NAME=VALUE, CSV, JSON lines, and an SQLite database */
extern const struct format format_text, format_csv, format_jsonl, format_sqlite;

#endif
