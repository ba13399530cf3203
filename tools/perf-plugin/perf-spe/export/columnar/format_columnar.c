// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parquet and Arrow files: collect rows into columns for Arrow's library, if
 * perf-spe was built with it.
 */
#include <stdlib.h>

#include "analysis/rows/rows.h"
#include "export/columnar/columnar.h"
#include "export/format/format.h"
#include "util/util.h"

#ifdef HAVE_ARROW

#include "export/columnar/arrow.h"

/*
 * The rows of a Parquet row group or of an IPC batch, and how many bytes of SPE data hold so many
 * records of 64 bytes.  A thread collects these rows, and writes them when its turn comes.
 */
#define PARQUET_ROWS	131072
#define ARROW_ROWS	65536
#define PARQUET_PART	((uint64_t)8 << 20)
#define ARROW_PART	((uint64_t)1 << 19)

/* What the writers of all threads share; only the thread whose turn it is uses it */
struct columnar_file {
	struct arrow_file *file;
	struct arrow_column *columns;
	struct dictionary **texts;	/* of Arrow: all texts of a column so far; NULL: no text */
	bool parquet;
	bool failed;			/* a message was given */
};

/* For each text's number in a thread: its number in the file */
struct file_numbers {
	uint32_t *of;
	size_t count, room;
	bool same;			/* both numbers are the same for all texts */
};

/* The state of one thread */
struct columnar {
	struct columnar_file *to;
	struct column_batch *batch;
	struct file_numbers *numbers;	/* by column */
};

static enum arrow_type type_of(const struct field *field)
{
	bool text = field->kind == FIELD_TEXT;

	switch (field->bits) {
	case 8:
		return text ? ARROW_TEXT8 : ARROW_U8;
	case 16:
		return text ? ARROW_TEXT16 : ARROW_U16;
	case 32:
		return text ? ARROW_TEXT32 : ARROW_U32;
	default:
		/* Signed, so that SQL can subtract times; addresses are not. */
		return field->kind == FIELD_NUMBER ? ARROW_S64 : ARROW_U64;
	}
}

static void show(struct columnar *c)
{
	size_t i;

	for (i = 0; i < c->batch->nr_columns; i++) {
		const struct batch_column *from = &c->batch->columns[i];
		const struct dictionary *texts =
			c->to->texts[i] ? c->to->texts[i] : from->dictionary;
		struct arrow_column *to = &c->to->columns[i];

		to->name = from->field->name;
		to->type = type_of(from->field);
		to->values = from->values;
		to->valid = from->valid;
		to->absent = from->absent;
		if (!texts)
			continue;
		to->bytes = texts->bytes;
		to->end = texts->end;
		to->nr_texts = texts->count;
	}
}

/* Returns 0 if @why is NULL, or -1 after a message with it. */
static int check(struct writer *w, struct columnar_file *file, char *why)
{
	if (!why)
		return 0;
	if (!file->failed)
		say("export: cannot write %s: %s; name another file", w->path, why);
	file->failed = w->failed = true;
	free(why);
	return -1;
}

static struct columnar *new_thread(struct writer *w, struct columnar_file *to)
{
	struct columnar *c = xcalloc(1, sizeof(*c));
	size_t i;

	c->to = to;
	c->batch = column_batch_new(w->columns, w->nr_columns,
				    to->parquet ? PARQUET_ROWS : ARROW_ROWS);
	c->numbers = xcalloc(w->nr_columns, sizeof(*c->numbers));
	for (i = 0; i < w->nr_columns; i++)
		c->numbers[i].same = true;
	w->state = c;
	return c;
}

static void columnar_leave(struct writer *w)
{
	struct columnar *c = w->state;
	size_t i;

	for (i = 0; i < w->nr_columns; i++)
		free(c->numbers[i].of);
	free(c->numbers);
	column_batch_free(c->batch);
	free(c);
}

static void columnar_join(struct writer *w, const struct writer *first)
{
	const struct columnar *c = first->state;

	new_thread(w, c->to);
}

static void release(struct writer *w)
{
	struct columnar *c = w->state;
	struct columnar_file *to = c->to;
	size_t i;

	columnar_leave(w);
	for (i = 0; i < w->nr_columns; i++) {
		if (to->texts[i])
			dictionary_free(to->texts[i]);
		free(to->texts[i]);
	}
	free(to->texts);
	free(to->columns);
	free(to);
}

static int begin(struct writer *w, bool parquet)
{
	unsigned int threads = threads_most();
	struct arrow_note notes[] = {
		{ "perf-spe.schema", "1" }, { "perf-spe.host", w->host },
	};
	struct columnar_file *to = xcalloc(1, sizeof(*to));
	size_t i;

	to->parquet = parquet;
	to->columns = xcalloc(w->nr_columns, sizeof(*to->columns));
	to->texts = xcalloc(w->nr_columns, sizeof(*to->texts));
	for (i = 0; !parquet && i < w->nr_columns; i++)
		if (w->columns[i]->kind == FIELD_TEXT)
			to->texts[i] = xcalloc(1, sizeof(*to->texts[i]));
	show(new_thread(w, to));
	if (!check(w, to, arrow_begin(&to->file, w->out->part_path, parquet, threads, to->columns,
				      w->nr_columns, notes, w->host ? 2 : 1)))
		return 0;
	release(w);
	return -1;
}

/* Find the numbers in the file for texts that are new to the thread. */
static void learn_numbers(struct file_numbers *n, const struct dictionary *own,
			  struct dictionary *file)
{
	size_t begin;

	while (n->count < own->count) {
		begin = n->count ? (size_t)own->end[n->count - 1] : 0;
		n->of = array_grow(n->of, n->count, &n->room, sizeof(*n->of));
		n->of[n->count] = dictionary_number_of(file, own->bytes + begin,
						       (size_t)own->end[n->count] - begin);
		n->same &= n->of[n->count] == n->count;
		n->count++;
	}
}

#define RENUMBER(bits)							\
static bool renumber_##bits(uint##bits##_t *numbers, size_t rows,	\
			    const uint32_t *to)				\
{									\
	uint32_t all = 0;						\
	size_t i;							\
									\
	for (i = 0; i < rows; i++) {					\
		all |= to[numbers[i]];					\
		numbers[i] = (uint##bits##_t)to[numbers[i]];		\
	}								\
	return !(all >> (bits - 1));					\
}

RENUMBER(8)
RENUMBER(16)
RENUMBER(32)

/*
 * An IPC file has one dictionary for each column: replace the thread's numbers of texts by
 * those in the file.  Returns false if they do not fit into the column.
 */
static bool renumber(struct columnar *c, size_t column)
{
	struct batch_column *b = &c->batch->columns[column];
	struct file_numbers *n = &c->numbers[column];

	learn_numbers(n, b->dictionary, c->to->texts[column]);
	if (n->same || b->absent == c->batch->rows)
		return true;
	switch (b->bytes) {
	case 1:
		return renumber_8(b->values, c->batch->rows, n->of);
	case 2:
		return renumber_16(b->values, c->batch->rows, n->of);
	default:
		return renumber_32(b->values, c->batch->rows, n->of);
	}
}

static void write_batch(struct writer *w)
{
	struct columnar *c = w->state;
	bool full = c->batch->full;
	size_t i;

	w->failed |= c->to->failed;
	for (i = 0; i < w->nr_columns; i++)
		full |= c->to->texts[i] && !renumber(c, i);
	if (full && !w->failed) {
		say("export: cannot write %s: one column has too many different texts; choose other columns with --fields",
		    w->path);
		w->failed = c->to->failed = true;
	}
	if (c->batch->rows && !w->failed) {
		show(c);
		check(w, c->to, arrow_write(c->to->file, c->to->columns, c->batch->rows));
	}
	column_batch_begin(c->batch, c->to->parquet);
}

static void columnar_batch(struct writer *w, const struct row_batch *b)
{
	struct columnar *c = w->state;

	if (!column_batch_add(c->batch, b))
		return;
	if (rows_turn(b->rows))
		write_batch(w);
	else
		column_batch_begin(c->batch, c->to->parquet);
}

static int columnar_end(struct writer *w)
{
	struct columnar *c = w->state;

	if (!w->failed)
		write_batch(w);
	check(w, c->to, arrow_end(c->to->file));
	release(w);
	return w->failed ? -1 : 0;
}

static int parquet_begin(struct writer *w)
{
	return begin(w, true);
}

static int arrow_file_begin(struct writer *w)
{
	return begin(w, false);
}

const struct format format_parquet = {
	.name = "parquet", .suffix = "parquet", .needs_path = true,
	.begin = parquet_begin, .batch = columnar_batch, .end = columnar_end,
	.join = columnar_join, .part_end = write_batch, .leave = columnar_leave,
	.part_bytes = PARQUET_PART,
};

const struct format format_arrow = {
	.name = "arrow", .suffix = "arrow", .needs_path = true,
	.begin = arrow_file_begin, .batch = columnar_batch, .end = columnar_end,
	.join = columnar_join, .part_end = write_batch, .leave = columnar_leave,
	.part_bytes = ARROW_PART,
};

#else

#define MISSING(what)							\
	"export: cannot write " what ": this perf-spe was built without " \
	"Apache Arrow's library, which Debian has from release 14 on (libparquet-dev); use --format " \
	"csv or jsonl and convert the file, or build perf-spe with tools/setup/doc/arrow"

const struct format format_parquet = {
	.name = "parquet", .suffix = "parquet", .missing = MISSING("Parquet"),
};

const struct format format_arrow = {
	.name = "arrow", .suffix = "arrow", .missing = MISSING("Arrow files"),
};

#endif
