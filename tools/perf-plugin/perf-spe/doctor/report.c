// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "doctor/doctor.h"
#include "util/util.h"

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

const char *report_verdict(const struct report *r)
{
	if (r->of_level[LEVEL_PROBLEM])
		return "not-ready";
	return r->of_level[LEVEL_UNKNOWN] ? "unknown" : "ready";
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
