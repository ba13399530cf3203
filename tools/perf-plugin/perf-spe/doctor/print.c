// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "doctor/doctor.h"
#include "util/util.h"

static const char *const labels[LEVEL_NR] = {
	[LEVEL_OK] = "ok       ",
	[LEVEL_PROBLEM] = "problem  ",
	[LEVEL_UNKNOWN] = "unknown  ",
};

static const char *const levels[LEVEL_NR] = {
	[LEVEL_OK] = "ok",
	[LEVEL_PROBLEM] = "problem",
	[LEVEL_UNKNOWN] = "unknown",
};

static void text_line(const char *label, const char *text, FILE *to)
{
	if (!text)
		return;
	fputs(label, to);
	put_name(text, to);
	putc('\n', to);
}

void print_text(const struct machine *m, FILE *to)
{
	const struct report *r = &m->report;
	size_t i;

	for (i = 0; i < r->count; i++) {
		const struct diagnosis *f = &r->at[i];

		text_line(labels[f->level], f->what, to);
		text_line("   why   ", f->why, to);
		text_line("   do    ", f->todo, to);
	}
	if (r->of_level[LEVEL_OK] == r->count)
		fputs("\nNext: perf spe record -- PROGRAM, then perf spe report\n", to);
}

/* A pair "name": "value" of an object; null if there is no value */
static void json_pair(const char *separator, const char *name, const char *value, FILE *to)
{
	fprintf(to, "%s\"%s\": ", separator, name);
	if (value)
		json_text(value, to);
	else
		fputs("null", to);
}

static const char *const whose[] = {
	[DRIVER_UNKNOWN] = NULL,
	[DRIVER_OURS] = "arm-spe",
	[DRIVER_LINUX] = "linux",
};

static void json_machine(const struct machine *m, FILE *to)
{
	fputs(" \"machine\": {\n", to);
	json_pair("  ", "kernel", *m->kernel ? m->kernel : NULL, to);
	json_pair(",\n  ", "distribution", m->distribution->id, to);
	json_pair(",\n  ", "platform", m->platform ? m->platform->id : NULL, to);
	json_pair(",\n  ", "product", *m->product ? m->product : NULL, to);
	json_pair(",\n  ", "cores", *m->cores ? m->cores : NULL, to);
	json_pair(",\n  ", "driver", whose[m->driver.whose], to);
	json_pair(",\n  ", "driver_version", m->driver.version, to);
	fprintf(to, ",\n  \"virtual\": %s\n },\n", m->is_virtual ? "true" : "false");
}

static void json_finding(const struct diagnosis *f, FILE *to)
{
	json_pair("  {\n   ", "id", f->id, to);
	json_pair(",\n   ", "level", levels[f->level], to);
	json_pair(",\n   ", "what", f->what, to);
	json_pair(",\n   ", "why", f->why, to);
	json_pair(",\n   ", "do", f->todo, to);
	fputs("\n  }", to);
}

/* As --json has it */
static const char *report_verdict(const struct report *r)
{
	if (r->of_level[LEVEL_PROBLEM])
		return "not-ready";
	return r->of_level[LEVEL_UNKNOWN] ? "unknown" : "ready";
}

void print_json(const struct machine *m, FILE *to)
{
	const struct report *r = &m->report;
	size_t i;

	fputs("{\n \"format\": 1,\n", to);
	json_pair(" ", "verdict", report_verdict(r), to);
	fputs(",\n", to);
	json_machine(m, to);
	fputs(" \"findings\": [\n", to);
	for (i = 0; i < r->count; i++) {
		json_finding(&r->at[i], to);
		fputs(i + 1 < r->count ? ",\n" : "\n", to);
	}
	fputs(" ]\n}\n", to);
}

void report_add(struct report *r, enum level level, const struct remedy *advice,
		const struct words *words)
{
	struct diagnosis *f;

	r->at = array_grow(r->at, r->count, &r->room, sizeof(*r->at));
	f = &r->at[r->count++];
	f->level = level;
	f->id = advice->id;
	f->what = words_fill(words, advice->what);
	f->why = advice->why ? words_fill(words, advice->why) : NULL;
	f->todo = advice->todo ? words_fill(words, advice->todo) : NULL;
	r->of_level[level]++;
}

void report_free(struct report *r)
{
	while (r->count) {
		struct diagnosis *f = &r->at[--r->count];

		free(f->what);
		free(f->why);
		free(f->todo);
	}
	free(r->at);
}
