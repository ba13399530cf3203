/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory, growing arrays, messages and input files. */
#ifndef PERF_SPE_UTIL_H
#define PERF_SPE_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes of every verb. */
#define EXIT_OK		0
#define EXIT_INPUT	1	/* unreadable, foreign or damaged input */
#define EXIT_USAGE	2

/*
 * A name from a file: control characters, which could act on a terminal or
 * break a line, become question marks.
 */
void put_name(const char *name, FILE *to);

/* "perf-spe: ..." on standard error, with put_name()'s care. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* These end the program where memory runs out. */
void *xrealloc(void *old, size_t size);
void *xcalloc(size_t count, size_t size);
/* Not zeroed; @size is a multiple of @alignment. */
void *xaligned(size_t alignment, size_t size);
char *xstrndup(const char *s, size_t len);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Make room for element @count of an array of elements of @size bytes;
 * *room is what it can hold.  Returns the array, moved where it had to grow.
 */
void *array_grow(void *array, size_t count, size_t *room, size_t size);

/*
 * Open a regular file for reading: nothing else is opened, as that may block
 * or act.  The descriptor, or -1 with *why set.
 */
int open_regular(const char *path, const char **why);

/* A whole file, mapped read only. */
struct input {
	const char *path;
	const uint8_t *bytes;
	size_t size;
};

/*
 * 0, or -1 after a message.  Empty files and directories are refused; "-" is
 * standard input, kept in a temporary file.  One input is open at a time: when
 * its file becomes shorter the program ends with a message.
 */
int input_open(struct input *in, const char *path);
/* These bytes of the mapping were used: memory may do without them. */
void input_forget(const struct input *in, const uint8_t *from, size_t len);
void input_close(struct input *in);

/* A positive number behind an option; false after a message. */
bool parse_count(const char *verb, const char *option, const char *text,
		 uint64_t *count);

/*
 * Of @all bytes @done are done: said on standard error where that is a
 * terminal, after a second (or so many ms as PERF_SPE_PROGRESS says).
 */
void progress_begin(uint64_t all);
void progress_at(uint64_t done);
void progress_end(void);
/* Out of the way of a message; the next progress_at() brings it back. */
void progress_hide(void);

/* FNV-1a, for the hash tables */
uint64_t hash_bytes(const void *bytes, size_t len);

#endif
