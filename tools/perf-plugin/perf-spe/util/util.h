/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_UTIL_UTIL_H
#define PERF_SPE_UTIL_UTIL_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* args.c: The arguments of a command that execvp(3) runs */

struct args {
	char **args;		/* NULL after the last one that args_end() saw */
	size_t count, room;
};

void args_add(struct args *a, const char *text);
/* The list owns @text from now on. */
void args_take(struct args *a, char *text);
/* Add both; nothing if @value is NULL. */
void args_option(struct args *a, const char *option, const char *value);
/* Write the NULL that execvp(3) needs. */
void args_end(struct args *a);
/* Print them on one line, for a shell to read: each is quoted if it has to be. */
void args_print(const struct args *a);
void args_free(struct args *a);
/* @text as one word of a shell, in quotes if it needs them; to be freed */
char *shell_word(const char *text);
/* Append " OPTION VALUE" to a command for a shell; nothing if @value is NULL.  Frees @command. */
char *command_with(char *command, const char *option, const char *value);

/* data.c: Comma-separated values as RFC 4180 defines them. */

/* Without what put_name() replaces.  Always in quotes, so that an empty text differs from a missing one */
void csv_text(const char *text, FILE *to);
/* The same, with ' before a text that spreadsheets take for a formula */
void csv_no_formula(const char *text, FILE *to);

/* file.c: Opening files whose names come from a recording or from the user. */

/*
 * Open a regular file for reading.  Refuse everything else, because opening a
 * FIFO blocks and opening a device may have effects.  Returns the descriptor,
 * or -1 with *why set.
 */
int open_regular(const char *path, const char **why);

bool is_folder(const char *path);

/* The program that unpacks to standard output what begins with these bytes; NULL: none is known */
const char *unpacker(const void *bytes, size_t len);

/*
 * The same as open_regular(), but "-" is standard input: the first call copies it to an unlinked file, and each
 * call begins at its start.  One of them is open at a time.
 */
int open_input(const char *path, const char **why);

/*
 * The same for an absolute path to a folder in which other users write: neither the file nor
 * its folder may be a symbolic link, which could lead to a file that only this user may read.
 * A folder of the root, as /tmp, may be one: only the administrator makes it.
 */
int open_unlinked(const char *path, const char **why);

/*
 * The path of the file @name below @folder, to be freed.  ".." in @name does not leave @folder;
 * symbolic links in @folder may, as the user made that folder.
 */
char *path_below(const char *folder, const char *name);

/*
 * The path of the program @name, as execvp(3) finds it in the folders of @path, a value of PATH;
 * NULL if it is not there.  To be freed.  @root: look below it, in a copy of another machine,
 * where files may have lost their modes; "" for this one.
 */
char *program_find(const char *root, const char *path, const char *name);

/* A new file or folder's path below TMPDIR, for mkstemp() and mkdtemp(); to be freed */
char *temporary_path(void);

/* A number of 32 bits as A64 instructions are in memory, whatever machine this is */
static inline uint32_t little32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* digest.c: The checksums of source files in DWARF 5, and of requests to S3 as text. */

#define MD5_BYTES	16u
#define SHA256_BYTES	32

void md5(const void *bytes, size_t len, uint8_t sum[MD5_BYTES]);
void sha256(const void *bytes, size_t len, char hex[2 * SHA256_BYTES + 1]);

/* memory.c: Allocation that never fails: the program exits when memory runs out. */

void *xrealloc(void *old, size_t size);
void *xcalloc(size_t count, size_t size);
/*
 * As xcalloc(), for tables that are read before they are written, anywhere in them.  The kernel
 * gives a page of xcalloc() at the first read, and another one at the first write; the latter
 * interrupts the CPUs of all threads.  This one writes each page at once.
 */
void *xzeroed(size_t count, size_t size);
/* Zeros, on cache lines of their own, for what one thread writes to often; for free() */
void *xapart(size_t size);
char *xstrndup(const char *s, size_t len);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Add to @text, which may be NULL; returns it, moved where it had to grow. */
char *xappend(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * How many bytes may be taken on behalf of one file, of which a few bytes can ask for all
 * memory: 1 GiB, or less if ulimit -v permits only little memory.
 */
uint64_t file_budget(void);

/*
 * Make room for element @count of an array of elements of @size bytes;
 * *room is what it can hold.  Returns the array, moved where it had to grow.
 */
void *array_grow(void *array, size_t count, size_t *room, size_t size);

/* Names that may be missing. */

/* Either may be NULL, which equals NULL only. */
static inline bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* hash_table.c: Hash functions: one for bytes, one for numbers. */

/* FNV-1a */
uint64_t hash_bytes(const void *bytes, size_t len);
uint64_t hash_string(const char *text);

/*
 * Spreads the bits of @key over the result.  Tables use the low bits, and those are
 * zero in every address of a page.  The factor is 2^64 divided by the golden ratio.
 */
static inline uint64_t hash_mix(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15ULL;
	return key ^ key >> 32;
}

/* The hash of a key of several numbers, so far @hash, with one more of them */
static inline uint64_t hash_add(uint64_t hash, uint64_t value)
{
	return hash_mix(hash_mix(hash) + value);
}

/*
 * hash_table.c: A hash table with linear probing.  The user chooses what a slot is: a
 * structure, or a pointer to one.  The number of slots is a power of two, at most half of
 * the slots are in use, and an unused slot is all zeros.
 */

struct hash_table {
	void *slots;
	size_t count;		/* slots in use */
	size_t room;		/* slots; 0 at first */
};

/* A member of a structure: a number, a pointer, or a text by its characters */
struct hash_member {
	uint16_t at, size;	/* size 0: none; HASH_IS_TEXT: a pointer to a text, or NULL */
};

#define HASH_IS_TEXT	UINT16_MAX
/* Divides by zero, which does not compile, if the member is no number. */
#define HASH_SIZE(size) (size) / ((size) == 1 || (size) == 2 || (size) == 4 || (size) == 8)
#define HASH_NUMBER(type, member) \
	{ offsetof(type, member), HASH_SIZE(sizeof(((type *)0)->member)) }
#define HASH_TEXT(type, member) { offsetof(type, member), HASH_IS_TEXT }
#define HASH_KEYS	9

/*
 * What a table holds: elements, which differ in the members of @key.  What is looked up is an
 * element with these members, or another structure that has them in the same places.  Constant, so
 * that the compiler can inline the functions.
 */
struct hash_kind {
	size_t size;			/* of a slot */
	bool points;			/* a slot is a pointer to an element */
	bool hashed;			/* the first member of @key is the hash */
	unsigned int spare;		/* 2^spare times as many slots as others have */
	struct hash_member used;	/* of a slot: not 0 in used ones */
	struct hash_member key[HASH_KEYS];
	/* Compares what @key has not, or is NULL. */
	bool (*same)(const void *element, const void *key);
};

/* The first fields of a struct hash_kind */
#define HASH_SLOTS(type, member) .size = sizeof(type), .used = HASH_NUMBER(type, member)
#define HASH_POINTERS .size = sizeof(void *), .points = true, .used = { 0, sizeof(void *) }

#define HASH_INLINE static inline __attribute__((always_inline))

/* Empty the table and keep its slots. */
void hash_table_clear(struct hash_table *t, const struct hash_kind *kind);
/* Free the slots, but not what they point to. */
void hash_table_free(struct hash_table *t);

HASH_INLINE uint64_t hash_number(const void *from, struct hash_member m)
{
	const char *at = (const char *)from + m.at;
	uint64_t eight;
	uint32_t four;
	uint16_t two;

	switch (m.size) {
	case 8:
		return memcpy(&eight, at, 8), eight;
	case 4:
		return memcpy(&four, at, 4), four;
	case 2:
		return memcpy(&two, at, 2), two;
	default:
		return *(const uint8_t *)at;
	}
}

HASH_INLINE const char *hash_text(const void *from, struct hash_member m)
{
	const char *text;

	memcpy(&text, (const char *)from + m.at, sizeof(text));
	return text;
}

HASH_INLINE bool hash_slot_used(const void *slot, const struct hash_kind *kind)
{
	return hash_number(slot, kind->used);
}

HASH_INLINE const void *hash_element(const void *slot, const struct hash_kind *kind)
{
	return kind->points ? *(const void *const *)slot : slot;
}

HASH_INLINE uint64_t hash_key(const void *key, const struct hash_kind *kind)
{
	uint64_t hash = 0;
	size_t i;

	if (kind->hashed)
		return hash_number(key, kind->key[0]);
#pragma GCC unroll 9
	for (i = 0; i < HASH_KEYS; i++) {
		const struct hash_member m = kind->key[i];
		const char *text;

		if (m.size == HASH_IS_TEXT) {
			text = hash_text(key, m);
			hash = hash_mix(hash + (text ? hash_string(text) : 0));
		} else if (m.size) {
			hash = hash_mix(hash + hash_number(key, m));
		}
	}
	return hash;
}

HASH_INLINE bool hash_same(const void *element, const void *key, const struct hash_kind *kind)
{
	size_t i;

#pragma GCC unroll 9
	for (i = 0; i < HASH_KEYS; i++) {
		const struct hash_member m = kind->key[i];

		if (m.size == HASH_IS_TEXT) {
			if (!same_string(hash_text(element, m), hash_text(key, m)))
				return false;
		} else if (m.size && hash_number(element, m) != hash_number(key, m)) {
			return false;
		}
	}
	return !kind->same || kind->same(element, key);
}

/* The next used slot after @slot (NULL: the first one), or NULL at the end */
HASH_INLINE void *hash_table_next(const struct hash_table *t,
				  const struct hash_kind *kind,
				  const void *slot)
{
	size_t at = slot ? (size_t)((const char *)slot - (const char *)t->slots) /
			   kind->size + 1 : 0;

	for (; at < t->room; at++) {
		char *next = (char *)t->slots + at * kind->size;

		if (hash_slot_used(next, kind))
			return next;
	}
	return NULL;
}

HASH_INLINE void hash_table_grow(struct hash_table *t, const struct hash_kind *kind)
{
	struct hash_table old = *t;
	const char *slot = NULL;
	size_t at;

	t->room = old.room ? 2 * old.room : 4;
	t->slots = xzeroed(t->room, kind->size);
	while ((slot = hash_table_next(&old, kind, slot))) {
		at = hash_key(hash_element(slot, kind), kind) & (t->room - 1);
		while (hash_slot_used((char *)t->slots + at * kind->size, kind))
			at = (at + 1) & (t->room - 1);
		memcpy((char *)t->slots + at * kind->size, slot, kind->size);
	}
	free(old.slots);
}

/* The slot of @key, or the unused slot to put it in; the table must have slots. */
HASH_INLINE void *hash_table_slot(const struct hash_table *t,
				  const struct hash_kind *kind, const void *key)
{
	size_t at = hash_key(key, kind) & (t->room - 1);
	char *slot;

	for (;; at = (at + 1) & (t->room - 1)) {
		slot = (char *)t->slots + at * kind->size;
		if (!hash_slot_used(slot, kind) || hash_same(hash_element(slot, kind), key, kind))
			return slot;
	}
}

/* The slot of @key, or NULL */
HASH_INLINE void *hash_table_find(const struct hash_table *t,
				  const struct hash_kind *kind, const void *key)
{
	void *slot = t->room ? hash_table_slot(t, kind, key) : NULL;

	return slot && hash_slot_used(slot, kind) ? slot : NULL;
}

/* The slot of @key.  An unused slot counts as used now: the caller must fill it. */
HASH_INLINE void *hash_table_add(struct hash_table *t,
				 const struct hash_kind *kind, const void *key)
{
	void *slot;

	if (2 * t->count << kind->spare >= t->room)
		hash_table_grow(t, kind);
	slot = hash_table_slot(t, kind, key);
	t->count += !hash_slot_used(slot, kind);
	return slot;
}

/* data.c: Text as JSON strings. */

/*
 * Print a JSON string with its quotes.  U+FFFD stands for each byte that is no
 * valid UTF-8, so that every reader of JSON accepts the result.  What utf8_shown() refuses is
 * escaped, as JSON lines go to terminals too.
 */
void json_text(const char *text, FILE *to);
/* The same for a script element of HTML, which the text must not end */
void json_script_text(const char *text, FILE *to);

/*
 * Binary search: sets @at to the first index for which @before, an expression of @at, does not
 * hold; to @count if it holds for all.  The elements are sorted, so that it holds for the first
 * ones only.
 */
#define lower_bound(at, count, before) do {				\
	size_t low_ = 0, high_ = (count);				\
									\
	while (low_ < high_) {						\
		(at) = low_ + (high_ - low_) / 2;			\
		if (before)						\
			low_ = (at) + 1;				\
		else							\
			high_ = (at);					\
	}								\
	(at) = low_;							\
} while (0)

/* message.c: Messages to the user, and exit codes. */

/* Exit codes of every verb. */
#define EXIT_OK		0
#define EXIT_INPUT	1	/* unreadable, foreign or damaged input */
#define EXIT_USAGE	2

/*
 * Print a name from a file.  Each character that utf8_shown() refuses becomes a question mark: it
 * could command the terminal, break the line or reverse the text.
 */
void put_name(const char *name, FILE *to);
void put_name_bytes(const char *name, size_t len, FILE *to);
/* The same with @instead in place of each @c, which means something in the file */
void put_name_without(char c, const char *instead, const char *name, FILE *to);
/* Change a text in the same way, but leave the characters of ASCII in @keep. */
void clean_name(char *name, const char *keep);

/* Columns of the terminal @fd, 0 if it is none */
size_t terminal_columns(int fd);
/*
 * End a line that has @used columns so far with @gap and @text.  The words that have no room in
 * @width columns go on below, behind @indent; 0 is room for all.
 */
void put_wrapped(FILE *to, size_t width, size_t used, const char *gap, const char *indent,
		 const char *text);

#define SAY_BEGIN	"perf-spe: "

/*
 * Print "perf-spe: ..." on standard error, without control characters.  A message
 * says what failed, why, and what to do next.  A command follows ", run: " and ends the message.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, unless this process has said these words already: of each recording that it reads */
void say_once(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Message @index of those that were printed so far, each once; NULL behind the last one */
const char *message_at(size_t index);
/* Print lines that say() has printed where there was no terminal. */
void say_again(const char *lines);
/* Add messages to *@text (NULL or to be freed), for say_again() to print later; NULL: print them */
void say_hold(char **text);
/* Where they go from now on; NULL: to standard error again */
void messages_to(FILE *to);

/* output.c: Files that a command writes: complete, or not at all. */

/* Whether a file begins with perf's magic number, which is in the byte order of the machine that wrote it */
static inline bool begins_recording(const char magic[8])
{
	return !memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8);
}

/* Whether @path stands for standard output: "-", or NULL where the user named no file */
static inline bool output_is_standard(const char *path)
{
	return !path || !strcmp(path, "-");
}

struct output {
	FILE *to;
	int fd;			/* of the same file, for libraries that want one */
	int error;		/* errno of the first write that failed, or 0 */
	const char *part_path;	/* for libraries that want a path; NULL: written directly */
	/* Private */
	const char *verb;
	char *path;
	char *target;		/* what @path leads to through symbolic links */
	struct part *part;
	char buffer[1 << 16];
};

/* Whether @option may name @path as an output; false after a message if it is a recording */
bool output_named(const char *verb, const char *option, const char *path);
/*
 * Begin to write the file @path, or return NULL after a message.  It gets its name when it is
 * complete; until then, what was there stays.  A symbolic link stays too: what it leads to is
 * replaced.  "-" is standard output.  The message names @verb.
 */
struct output *output_begin(const char *verb, const char *path);
/*
 * Give the file its name.  Returns false after a message, or if @good is false because a message
 * was given before: then no new file is left.  Frees @o.
 */
bool output_end(struct output *o, bool good);
/* The same in steps, for many new files of which all or none are kept */
bool output_close(struct output *o);
bool output_keep(struct output **all, size_t count);
void output_drop(struct output *o);
/* Create the folders of the file @path; they stay if output_keep() keeps files. */
bool output_folders(const char *verb, const char *path);
/* No output of this command may replace the open file @fd, or a file in the open folder @fd. */
void output_protect(int fd);
/* Whether a file was refused because the command reads it */
bool output_refused(void);
/* From now on end with EXIT_OK when the reader of standard output has closed it. */
void output_end_with_reader(void);
/* Remove this file or folder however the command ends, the newest first. */
void output_temporary(const char *path, bool folder);
/* Remove all incomplete and temporary files; for handlers of signals. */
void output_remove_parts(void);

/* pager.c: A pager between long output and the terminal: $PAGER, or less */

/* No pager from now on: --no-pager */
void pager_forbid(void);
/* Have a pager show standard output from now on, if that is a terminal. */
void pager_begin(void);
/* Wait until the user has left the pager, if there is one. */
void pager_end(void);
/* The terminal that standard output goes to, also through the pager; -1: none */
int output_terminal(void);

/* Paths. */

/* The last part of a path, or all of it if it ends with a slash */
static inline const char *path_short(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/*
 * The length of a name without the " (deleted)" that the kernel adds if a file was deleted or replaced, or
 * a control group removed; 0: it is not there
 */
static inline size_t deleted_len(const char *name)
{
	static const char added[] = " (deleted)";
	const size_t len = strlen(name), own = sizeof(added) - 1;

	return len > own && !strcmp(name + len - own, added) ? len - own : 0;
}

/* options.c: Parse option values of the command line. */

/* Parse a positive whole number; false after a message that names @option. */
bool parse_count(const char *verb, const char *option, const char *text,
		 uint64_t *count);

/*
 * getopt_long() without its own messages.  Returns '?' after a message for an
 * option that is unknown, ambiguous, or has no value or one too many.
 */
int option_next(const char *verb, int argc, char **argv, const char *letters,
		const struct option *options);

/*
 * Called where the value of an option is "help": print the values that @option of @verb can have.
 * False if it has no list of values: then "help" is a value like others.
 */
typedef bool (*values_fn)(const char *verb, const char *option);

/* Have option_next() call this; the program then ends. */
void option_values(values_fn print);

/*
 * perf_names.c: What perf calls by another name than perf-spe: options, columns and verbs.  perf's
 * options work where perf-spe has one that means the same; all others get a message with the
 * name that perf-spe has.
 */

struct perf_name {
	const char *where;	/* names of verbs with blanks between, or one of these two */
#define PERF_COLUMN	"(column)"
#define PERF_VERB	"(verb)"
#define OTHER_VERBS	"!"	/* before a verb's name: options that it lacks and other verbs have */
	const char *name;	/* NULL: only the letter */
	char letter;		/* of an option, '\0': none */
	bool has_value;		/* of an option */
	const char *ours;	/* what means the same, NULL: nothing does */
	const char *hint;	/* what to do instead */
};

/* The next name after @last (NULL: the first one) of the verb @where, or of the other lists */
const struct perf_name *perf_name_next(const char *where, const struct perf_name *last);
/* The one whose name is the @len characters at @name; NULL: none */
const struct perf_name *perf_name_find(const char *where, const char *name, size_t len);

/* Shares of a whole, as tables show them. */

/* 0 if @whole is 0 */
static inline double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static inline size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The greatest one; the other number if one is 0 */
static inline uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static inline double clock_seconds(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* Nouns with their number. */

/* What to append to a regular noun: "1 line", "2 lines" */
static inline const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* progress.c: A progress line on the terminal while perf-spe reads samples. */

/*
 * Print that @done of @all bytes are read, if standard error is a terminal.  The
 * line appears after one second, or after PERF_SPE_PROGRESS milliseconds.
 */
void progress_begin(uint64_t all);
void progress_at(uint64_t done);
void progress_end(void);
/* Erase the line before a message; the next progress_at() prints it again. */
void progress_hide(void);

/* string_set.c: A set of strings: it keeps one copy of each. */

struct string_set {
	struct hash_table table;	/* char * */
};

/* The set's copy of @text, valid until string_set_free() */
const char *string_set_add(struct string_set *s, const char *text);
bool string_set_has(const struct string_set *s, const char *text);
/* The text after @last (NULL: the first), in any order; NULL behind the last one */
const char *const *string_set_next(const struct string_set *s, const char *const *last);
void string_set_free(struct string_set *s);

/* suggest.c: What a message proposes for a word that perf-spe does not know. */

/* Word number @index of a list, NULL behind the last one */
typedef const char *(*word_fn)(unsigned int index);

/* Whether the @len characters at @text are a word of the list */
bool words_have(word_fn words, const char *text, size_t len);

/*
 * "did you mean 'load'?" with at most three words that are near to the @len
 * characters at @text, or else "choose load, store or other" with all words.
 * To be freed.
 */
char *suggest(word_fn words, const char *text, size_t len);

/* The same, but NULL if no word is near */
char *suggest_near(word_fn words, const char *text, size_t len);

/*
 * data.c: What a verb found out, for programs: as one JSON object or as one table of
 * comma-separated values.  A verb writes each of its tables once, as rows of named values, for both
 * forms.  Documentation/perf-spe/reference/data.md has all names.
 */

/* Increase this if you remove a key or change its meaning. */
#define DATA_FORMAT	1

enum data_form { DATA_PEOPLE, DATA_JSON, DATA_CSV };

struct data_options {
	enum data_form form;
	const char *table;		/* of CSV */
};

enum { DATA_OPTION_JSON = 8192, DATA_OPTION_CSV };

#define DATA_OPTIONS							\
	{ "json", no_argument, NULL, DATA_OPTION_JSON },		\
	{ "csv", optional_argument, NULL, DATA_OPTION_CSV }
#define DATA_HELP							\
	"      --json          print one JSON object instead: raw numbers, all rows\n" \
	"      --csv[=TABLE]   print comma-separated values instead: one table of the same\n"

/* Whether it is one of these two options */
static inline bool data_option(int option)
{
	return option == DATA_OPTION_JSON || option == DATA_OPTION_CSV;
}

/* Take one of them, with getopt's optarg; the first of @tables is the usual one.  False after a message. */
bool data_take(struct data_options *o, const char *verb, word_fn tables, int option);

/* How many rows to print: @limit of --limit; if that is 0, @usual for people, all for programs */
static inline uint64_t data_limit(const struct data_options *o, uint64_t limit, uint64_t usual)
{
	return limit ? limit : o->form == DATA_PEOPLE ? usual : UINT64_MAX;
}

struct data {
	FILE *to;
	uint64_t interval;		/* first value of each row, as top has several tables; 0: none */
	/* Private */
	enum data_form form;
	const char *verb, *table;	/* of CSV: the table to print */
	bool in_table, headed;		/* of CSV */
	size_t rows, values;		/* since the last beginning of a table, a row or an object */
	FILE *line;			/* of CSV: the row, as its columns' names come first */
	char *text;
	size_t len;
};

void data_begin(struct data *d, const struct data_options *o, const char *verb, FILE *to);
/* Says so if the table of CSV had no row, and thus no line of keys. */
void data_end(struct data *d);
/* Values that belong together; CSV has neither them nor other values outside of the table. */
void data_object(struct data *d, const char *name);
void data_object_end(struct data *d);
void data_table(struct data *d, const char *name);
void data_table_end(struct data *d);
/* Each row of a table has the same names in the same order. */
void data_row(struct data *d);
void data_row_end(struct data *d);
/* A value; without one JSON has null, and CSV an empty field. */
void data_none(struct data *d, const char *name);
void data_text(struct data *d, const char *name, const char *text);
/* The same; frees @text. */
void data_take_text(struct data *d, const char *name, char *text);
void data_number(struct data *d, const char *name, uint64_t number);
void data_signed(struct data *d, const char *name, int64_t number);
/* A CPU, process or thread; none below 0 */
void data_id(struct data *d, const char *name, int32_t id);
void data_real(struct data *d, const char *name, bool known, double number);
/* In JSON a text, because many readers round numbers to 53 bits */
void data_address(struct data *d, const char *name, uint64_t address);
void data_flag(struct data *d, const char *name, bool flag);

/* tar.c: Archives of regular files, as tar(1) reads and writes them. */

struct stat;

/* Add the file @fd, which @st is of; false if it became shorter: the archive is useless then. */
bool tar_put(FILE *to, const char *name, int fd, const struct stat *st);
void tar_put_bytes(FILE *to, const char *name, const void *bytes, size_t size);
void tar_end(FILE *to);
/* Whether the file begins as an archive does */
bool tar_is(const char *path);
/* Takes a file whose @size bytes begin at @from.  Returns NULL, or why it failed */
typedef const char *(*tar_fn)(void *context, const char *name, FILE *from, uint64_t size, int64_t mtime);
/*
 * Give each file to @fn.  Names are relative, without "." and "..": other ones, links, devices and
 * damage end it.  Why it ended early, or NULL
 */
const char *tar_read(const char *path, tar_fn fn, void *context);

/* Texts that may be NULL, as names that are not known: NULL is equal to NULL alone, and sorts as "". */
static inline bool text_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static inline int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Of an array of texts, for qsort() and bsearch() */
static inline int text_array_order(const void *a, const void *b)
{
	return text_order(*(const char *const *)a, *(const char *const *)b);
}

/* string_set.c: Lists in a text: "A, B".  NULL is an empty list. */

/* @list, which is freed, with one more text, unless it has it or @text is NULL */
char *text_list_add(char *list, const char *text);
/* The same; frees @text. */
char *text_list_take(char *list, char *text);

/* The number in the variable PERF_SPE_THREADS, at least 1; 0 if it is not set */
unsigned int threads_asked(void);
/* CPUs that this process may run on, which taskset or a container can restrict */
unsigned int threads_cpus(void);
/* The one if it is set, or else the other */
unsigned int threads_most(void);
/*
 * Call @fn for each number below @nr, all at the same time, and return when all have returned.  The
 * caller does what is for threads that do not start, after number 0.
 */
void threads_each(size_t nr, void (*fn)(void *context, size_t number), void *context);

/*
 * time_windows.c: When something was sampled: from when to when, and in which of at most 64
 * windows of equal length
 */

#define TIME_WINDOWS	64u

struct time_windows {
	uint64_t windows;	/* bit n: sampled in window @first + n; 0: never sampled */
	uint64_t first;		/* window n is from n << @shift on, in ticks of any clock */
	uint8_t shift;
	uint64_t begin, end;	/* the first and the last time */
};

/* As time_windows_add(), for a time outside of what @m has */
void time_windows_extend(struct time_windows *m, uint64_t time);

/* Windows become longer as far as this needs.  Times may come in any order. */
static inline void time_windows_add(struct time_windows *m, uint64_t time)
{
	if (m->windows && time >= m->begin && time <= m->end)
		m->windows |= UINT64_C(1) << ((time >> m->shift) - m->first);
	else
		time_windows_extend(m, time);
}

/* Add all times of @from. */
void time_windows_merge(struct time_windows *m, const struct time_windows *from);
/*
 * Of the windows of the one that was sampled in fewer, the part in which the other was sampled
 * too, 0 to 1.  Windows are so long that both together span at most @most, which is 2 to
 * TIME_WINDOWS.  Returns 0 if one was never sampled.
 */
double time_windows_common(const struct time_windows *a, const struct time_windows *b, unsigned int most);

/* utf8.c: Text as UTF-8, which formats of files require. */

/* The length of the UTF-8 character at @s, 0 if it is invalid */
size_t utf8_len(const uint8_t *s);
/* The code point of the valid character of @len bytes at @s */
uint32_t utf8_character(const uint8_t *s, size_t len);
/* A copy, with U+FFFD for each byte that is no valid UTF-8; to be freed */
char *utf8_text(const char *text);
/* The same, but NULL if all is valid */
char *utf8_repaired(const char *text);
/*
 * Whether a terminal or a line of text may have the character at @s: it is valid and neither a
 * control character, a separator of lines, nor one that changes the direction of the text.  *len is
 * its length, 1 for an invalid byte.
 */
bool utf8_shown(const char *s, size_t *len);

#endif
