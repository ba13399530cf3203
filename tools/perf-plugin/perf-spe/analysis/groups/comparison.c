// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "input/input.h"
#include "util/util.h"

typedef char *(*event_fn)(const struct session *s, const struct pd_attr *attr);

/* What @text says of each SPE event, once if it is the same of all */
static char *of_events(const struct session *s, event_fn text)
{
	char *all = NULL, *first = NULL;
	FILE *to = NULL;
	bool same = true;
	size_t i, n, nr = 0, len;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		char *one = spe_event_is(s, i) ? text(s, &s->pd.attrs[i]) : NULL;

		if (!one)
			continue;
		same &= !first || !strcmp(first, one);
		if (!same && !to) {
			/* Those before were all as the first one. */
			to = open_memstream(&all, &len);
			for (n = 0; to && n < nr; n++)
				fprintf(to, "%s%s", n ? " and " : "", first);
		}
		if (to)
			fprintf(to, " and %s", one);
		nr++;
		if (first)
			free(one);
		else
			first = one;
	}
	if (to && fclose(to)) {
		free(all);
		all = NULL;
	}
	if (!same || !first) {
		free(first);
		return all ? all : xformat("unknown");
	}
	free(all);
	return first;
}

static char *filters_of(const struct session *s, const struct pd_attr *attr)
{
	char *settings = spe_event_filter_text(attr), *text;

	(void)s;
	text = xformat("%s%s%s", settings, attr->exclude_user ? ", no user" : "",
		       attr->exclude_kernel ? ", no kernel" : "");
	free(settings);
	/* The text begins with a comma. */
	settings = xformat("%s", *text ? text + 2 : "none");
	free(text);
	return settings;
}

/* The numbers of PMUs' types differ from boot to boot. */
static char *pmu_of(const struct session *s, const struct pd_attr *attr)
{
	const char *name = feature_pmu(&s->pd, attr->type);

	return xformat("%s", name ? name : "unknown");
}

static char *interval_of(const struct session *s, const struct pd_attr *attr)
{
	const char *jitter = spe_event_jitter(attr) ? "" : " without jitter";

	(void)s;
	if (attr->freq)
		return xformat("%" PRIu64 " samples per second%s", attr->sample_period, jitter);
	return xformat("%" PRIu64 "%s", spe_event_interval(attr), jitter);
}

static char *cores_of(const struct session *s)
{
	char *list = session_cores(s);

	return list ? list : xformat("unknown");
}

void comparison_note(struct comparison *c, const char *what, char *text, bool decides)
{
	c->unlike = array_grow(c->unlike, c->nr, &c->room, sizeof(*c->unlike));
	c->unlike[c->nr++] = (struct unlike){ what, text, decides };
	c->impossible |= decides;
}

/* Take the texts of both, and note that they differ if they do. */
static void differ(struct comparison *c, const char *what, char *old, char *new)
{
	if (strcmp(old, new))
		comparison_note(c, what, xformat("%s in old; %s in new", old, new), true);
	free(old);
	free(new);
}

struct intervals {
	bool varies, jitter, several;
	uint64_t interval;
};

static struct intervals intervals_of(const struct session *s)
{
	struct intervals all = { 0 };
	bool any = false;
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		const struct pd_attr *attr = &s->pd.attrs[i];

		if (!spe_event_is(s, i))
			continue;
		all.varies |= attr->freq;
		all.several |= any && (all.interval != spe_event_interval(attr) ||
				       all.jitter != spe_event_jitter(attr));
		all.interval = spe_event_interval(attr);
		all.jitter = spe_event_jitter(attr);
		any = true;
	}
	return all;
}

/*
 * Why shares or means depend on the interval; NULL if they do not.  Each operation has the same
 * chance to be sampled, whatever the interval, unless something else comes into play.
 */
static const char *interval_matters(const struct session *old, const struct session *new,
				    bool other)
{
	struct intervals a = intervals_of(old), b = intervals_of(new);

	if (a.varies || b.varies)
		return "it changed while perf recorded, and the files do not say how, so phases of the program count for more or less than their time";
	if (old->overwritten != new->overwritten)
		return "one recording has only the newest records before each snapshot, or sample of another event";
	if (!other)
		return NULL;
	if (a.several || b.several)
		return "CPUs with a short one have more samples, and the recordings differ in that";
	if (a.jitter != b.jitter)
		return "without jitter a loop may show always the same operations";
	if (old->aux_collision || new->aux_collision)
		return "samples were lost in collisions after slow operations, more of them with a short one";
	return NULL;
}

static void judge_interval(struct comparison *c, const struct session *old,
			   const struct session *new)
{
	char *text[2] = { of_events(old, interval_of), of_events(new, interval_of) };
	bool other = strcmp(text[0], text[1]) != 0;
	const char *why = interval_matters(old, new, other);
	char *both = other ? xformat("%s in old; %s in new", text[0], text[1]) :
			     xformat("%s in both", text[0]);

	if (other || why)
		comparison_note(c, "interval", xformat("%s: %s", both,
			why ? why : "shares and means do not depend on it"), why);
	free(text[0]);
	free(text[1]);
	free(both);
}

void comparison_judge(struct comparison *c, const struct session *old, const struct session *new)
{
	memset(c, 0, sizeof(*c));
	differ(c, "filters", of_events(old, filters_of), of_events(new, filters_of));
	differ(c, "pmus", of_events(old, pmu_of), of_events(new, pmu_of));
	differ(c, "cores", cores_of(old), cores_of(new));
	judge_interval(c, old, new);
}

void comparison_lost(struct comparison *c, const char *old, const char *new)
{
	if (old || new)
		comparison_note(c, "losses", xformat("%s%s%s%s%s", old ? "old: " : "", old ? old : "",
						     old && new ? "; " : "", new ? "new: " : "",
						     new ? new : ""), true);
}

const char *comparison_advice(const struct comparison *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++) {
		if (!strcmp(c->unlike[i].what, "losses"))
			return "record both alike and without losses, as 'perf spe stat' advises";
		if (!strcmp(c->unlike[i].what, "stacks"))
			return "record both with --samples --perf -g, which gives each sample a stack of its own, or compare by other columns";
	}
	return "record both alike";
}

static char *deciding(const struct comparison *c, bool with_text)
{
	char *list = xformat("%s", "");
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const struct unlike *u = &c->unlike[i];

		if (!u->decides)
			continue;
		/* The texts have commas. */
		list = xappend(list, "%s%s%s%s", !*list ? "" : with_text ? "; " : ", ", u->what,
			       with_text ? ": " : "", with_text ? u->text : "");
	}
	return list;
}

char *comparison_names(const struct comparison *c)
{
	return deciding(c, false);
}

char *comparison_text(const struct comparison *c)
{
	return deciding(c, true);
}

void comparison_free(struct comparison *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		free(c->unlike[i].text);
	free(c->unlike);
}
