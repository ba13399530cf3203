// SPDX-License-Identifier: GPL-2.0-only
/*
 * The "processed profile format" of the Firefox Profiler, version 70: tables whose
 * columns are arrays.  src/types/profile.ts of github.com/firefox-devtools/profiler
 * describes it.  Each thread has samples with a weight and a time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "export/format/format.h"
#include "export/profiles/profiles.h"
#include "input/input.h"
#include "util/util.h"

/* Times that samples of a thread have at most */
#define SLICES		1000

struct firefox {
	struct profile profile;
	struct writer *w;
	size_t threads;		/* written */
	uint32_t thread;	/* that the samples below are of */
	struct profile_sum *sums;
	size_t nr_sums, room;
};

static const char *profile_head =
	"{\"meta\":{\"interval\":%g,\"startTime\":0,\"processType\":0,"
	"\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Guest\",\"color\":\"green\",\"subcategories\":[\"Other\"]}],"
	"\"product\":\"perf-spe\",\"importedFrom\":\"perf-spe\",\"stackwalk\":1,"
	"\"version\":36,\"preprocessedProfileVersion\":70,\"symbolicated\":true,"
	"\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
	"\"markerSchema\":[]},\n";

/* Milliseconds; a profile without times has one sample a millisecond. */
static double slice_ms(const struct profile *p)
{
	return p->slices ? (double)p->width / 1e6 : 1;
}

static void put_owner(const struct firefox *f)
{
	const struct profile_thread *t = &f->profile.threads[f->thread];
	const struct profile_process *p = &f->profile.processes[t->process];
	char *process = profile_file_process(p), *thread = profile_file_thread(t);
	FILE *to = f->w->to;

	fputs("\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\"name\":",
	      to);
	json_text(thread, to);
	fprintf(to, ",\"isMainThread\":%s,\"processName\":",
		t->tid != NO_ID && t->tid == p->pid ? "true" : "false");
	json_text(process, to);
	/* The viewer groups threads by this text. */
	if (p->pid == NO_ID)
		fputs(",\"pid\":\"unknown\"", to);
	else
		fprintf(to, ",\"pid\":\"%d\"", p->pid);
	if (t->tid == NO_ID)
		fputs(",\"tid\":\"unknown\"", to);
	else
		fprintf(to, ",\"tid\":%d", t->tid);
	free(process);
	free(thread);
}

static void put_thread(struct firefox *f)
{
	double ms = slice_ms(&f->profile);
	FILE *to = f->w->to;
	size_t i;

	if (!f->nr_sums)
		return;
	fputs(f->threads++ ? ",\n{" : "{", to);
	put_owner(f);
	fputs(",\n\"samples\":{\"stack\":[", to);
	for (i = 0; i < f->nr_sums; i++)
		fprintf(to, "%s%" PRIu32, i ? "," : "", f->sums[i].stack);
	fputs("],\n\"time\":[", to);
	for (i = 0; i < f->nr_sums; i++)
		fprintf(to, "%s%.6g", i ? "," : "", f->sums[i].slice * ms);
	fputs("],\n\"weight\":[", to);
	for (i = 0; i < f->nr_sums; i++)
		fprintf(to, "%s%" PRIu64, i ? "," : "",
			f->sums[i].value[f->w->value]);
	fprintf(to, "],\"weightType\":\"samples\",\"length\":%zu},\n", f->nr_sums);
	fputs("\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0}}",
	      to);
	f->nr_sums = 0;
}

static void take_sum(void *context, const struct profile_sum *sum)
{
	struct firefox *f = context;

	if (sum->thread != f->thread)
		put_thread(f);
	f->thread = sum->thread;
	if (!sum->value[f->w->value])
		return;
	f->sums = array_grow(f->sums, f->nr_sums, &f->room, sizeof(*f->sums));
	f->sums[f->nr_sums++] = *sum;
}

static const char *put_file(struct firefox *f)
{
	FILE *to = f->w->to;
	const char *why;

	fprintf(to, profile_head, slice_ms(&f->profile));
	firefox_tables(&f->profile.frames, to);
	fputs(",\n\"threads\":[", to);
	why = profile_each(&f->profile, take_sum, f);
	put_thread(f);
	fputs("]}\n", to);
	return why;
}

static int firefox_begin(struct writer *w)
{
	struct firefox *f;

	if (profile_file_check(w) < 0)
		return -1;
	f = xcalloc(1, sizeof(*f));
	f->w = w;
	profile_begin(&f->profile, w->rows, FRAMES_LINES,
		      SLICES);
	w->state = f;
	return 0;
}

static void firefox_batch(struct writer *w, const struct row_batch *b)
{
	struct firefox *f = w->state;

	profile_add(&f->profile, b);
}

static int firefox_end(struct writer *w)
{
	struct firefox *f = w->state;
	int rc;

	profile_finish(&f->profile);
	rc = profile_file_failed(put_file(f));
	profile_free(&f->profile);
	free(f->sums);
	free(f);
	return rc;
}

const struct format format_firefox = {
	.name = "firefox", .suffix = "firefox.json",
	.profile = PROFILE_ONE_VALUE,
	.begin = firefox_begin, .batch = firefox_batch, .end = firefox_end,
};
