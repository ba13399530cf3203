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

/* The rows of a Parquet row group; an IPC batch should fit into the CPU's cache. */
#define PARQUET_ROWS	262144
#define ARROW_ROWS	8192

struct columnar {
	struct arrow_file *file;
	struct arrow_column *columns;
	struct column_batch *batch;
	struct column_batch *spare;	/* of Parquet: what the library may still read */
	bool parquet;
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
		struct arrow_column *to = &c->columns[i];

		to->name = from->field->name;
		to->type = type_of(from->field);
		to->values = from->values;
		to->valid = from->valid;
		to->absent = from->absent;
		if (!from->dictionary)
			continue;
		to->bytes = from->dictionary->bytes;
		to->end = from->dictionary->end;
		to->nr_texts = from->dictionary->count;
	}
}

/* Returns 0 if @why is NULL, or -1 after a message with it. */
static int check(struct writer *w, char *why)
{
	if (!why)
		return 0;
	if (!w->failed)
		say("export: cannot write %s: %s; name another file", w->path, why);
	w->failed = true;
	free(why);
	return -1;
}

static void release(struct columnar *c)
{
	column_batch_free(c->batch);
	if (c->spare)
		column_batch_free(c->spare);
	free(c->columns);
	free(c);
}

static struct column_batch *new_batch(const struct writer *w, bool parquet)
{
	struct column_batch *b = column_batch_new(w->columns, w->nr_columns,
						  parquet ? PARQUET_ROWS : ARROW_ROWS);

	b->late = w->late;
	b->late_context = w->late_context;
	return b;
}

static int begin(struct writer *w, bool parquet)
{
	unsigned int threads = threads_asked() ? threads_asked() : threads_cpus();
	struct arrow_note notes[] = {
		{ "perf-spe.schema", "1" }, { "perf-spe.host", w->host },
	};
	struct columnar *c = xcalloc(1, sizeof(*c));

	c->parquet = parquet;
	c->columns = xcalloc(w->nr_columns, sizeof(*c->columns));
	c->batch = new_batch(w, parquet);
	show(c);
	w->state = c;
	if (!check(w, arrow_begin(&c->file, w->out->part_path, parquet, threads, c->columns,
				  w->nr_columns, notes, w->host ? 2 : 1)))
		return 0;
	release(c);
	return -1;
}

/* The library may read the last batch until the next one is written. */
static void swap_batches(struct writer *w)
{
	struct columnar *c = w->state;
	struct column_batch *written = c->batch;

	c->batch = c->spare ? c->spare : new_batch(w, true);
	c->spare = written;
}

static void write_batch(struct writer *w)
{
	struct columnar *c = w->state;

	column_batch_finish(c->batch);
	if (c->batch->full && !w->failed) {
		say("export: cannot write %s: one column has too many different texts; choose other columns with --fields",
		    w->path);
		w->failed = true;
	}
	if (c->batch->rows && !w->failed) {
		show(c);
		check(w, arrow_write(c->file, c->columns, c->batch->rows));
	}
	if (c->parquet)
		swap_batches(w);
	column_batch_begin(c->batch, c->parquet);
}

static void columnar_row(struct writer *w, const struct row *row)
{
	struct columnar *c = w->state;

	if (column_batch_add(c->batch, row))
		write_batch(w);
}

static int columnar_end(struct writer *w)
{
	struct columnar *c = w->state;

	if (!w->failed)
		write_batch(w);
	check(w, arrow_end(c->file));
	release(c);
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
	"parquet", "parquet", true, NULL, true, PROFILE_NONE, false,
	parquet_begin, columnar_row, columnar_end,
};

const struct format format_arrow = {
	"arrow", "arrow", true, NULL, true, PROFILE_NONE, false,
	arrow_file_begin, columnar_row, columnar_end,
};

#else

#define MISSING(what)							\
	"export: cannot write " what ": this perf-spe was built without " \
	"Apache Arrow's library; use --format csv or jsonl and convert the file"

const struct format format_parquet = {
	.name = "parquet", .missing = MISSING("Parquet"),
};

const struct format format_arrow = {
	.name = "arrow", .missing = MISSING("Arrow files"),
};

#endif
