// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "export/columnar/columnar.h"
#include "export/export.h"
#include "export/format/format.h"
#include "export/profiles/profiles.h"
#include "util/util.h"

static const struct format *const all[] = {
	&format_text, &format_csv, &format_jsonl, &format_sqlite,
	&format_parquet, &format_arrow, &format_folded, &format_pprof,
	&format_otlp, &format_firefox, &format_speedscope, &format_perfetto,
};

#define NR_FORMATS (sizeof(all) / sizeof(all[0]))

const char *format_name(unsigned int index)
{
	return index < NR_FORMATS ? all[index]->name : NULL;
}

const struct format *format_find(const char *name)
{
	size_t i;

	for (i = 0; i < NR_FORMATS; i++)
		if (!strcmp(name, all[i]->name))
			return all[i];
	return NULL;
}

static bool has_ending(const char *name, const char *ending)
{
	size_t len = strlen(name), end = strlen(ending);

	return len > end && name[len - end - 1] == '.' && !strcmp(name + len - end, ending);
}

const struct format *format_of_file(const char *path, const char **ending)
{
	const char *name = path_short(path), *dot = strrchr(name, '.');
	size_t i;

	for (i = 0; i < NR_FORMATS; i++)
		if (has_ending(name, all[i]->suffix) || has_ending(name, all[i]->name))
			return all[i];
	/* A number, as in samples.2, is no ending, and neither is .samples, which has no name before it. */
	if (!dot || dot == name || !isalpha((unsigned char)dot[1]))
		return &format_text;
	*ending = dot + 1;
	return NULL;
}

int writer_begin(struct writer *w)
{
	if (w->format->missing) {
		say("%s", w->format->missing);
		return -1;
	}
	if (w->format->needs_path && !access(w->path, F_OK)) {
		say("export: cannot create %s: it already exists; remove it, or name another file",
		    w->path);
		return -1;
	}
	if (w->format->binary && output_is_standard(w->path) && output_terminal() >= 0) {
		say("export: --format %s is not for a terminal: add --output FILE",
		    w->format->name);
		return -1;
	}
	w->to = stdout;
	if (!output_is_standard(w->path)) {
		w->out = output_begin("export", w->path);
		if (!w->out)
			return -1;
		w->to = w->out->to;
	}
	if (!w->format->begin || !w->format->begin(w))
		return 0;
	/* Where a write failed, output_end() says why. */
	if (w->out)
		output_end(w->out, w->out->error);
	return -1;
}

void writer_batch(struct writer *w, const struct row_batch *b)
{
	struct row row = batch_row(b);
	size_t k;

	if (w->format->batch && !w->failed)
		w->format->batch(w, b);
	for (k = 0; w->format->row && !w->failed && k < b->nr; k++) {
		batch_row_at(b, b->kept[k], &row);
		w->format->row(w, &row);
	}
}

int writer_close(struct writer *w)
{
	int rc = w->format->end ? w->format->end(w) : 0;

	/* main() checks standard output for errors when the program ends. */
	if (!w->out)
		return rc;
	/* Where a write failed, output_close() says why. */
	if (((!rc && !w->failed) || w->out->error) && output_close(w->out))
		return rc;
	output_drop(w->out);
	w->out = NULL;
	return -1;
}

int writer_restart(struct writer *w)
{
	w->failed = true;
	writer_close(w);
	w->failed = false;
	return writer_begin(w);
}

int writer_end(struct writer *w)
{
	int rc = writer_close(w);

	return rc || !w->out || output_keep(&w->out, 1) ? rc : -1;
}
