// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/sentences/sentences.h"
#include "output/text/text.h"
#include "util/util.h"

/* Where the words of a finding go on that have no room on a terminal's line */
#define BEHIND		"     "
#define BEHIND_ROW	"                          "

static bool is_distrusted(const struct advice *a)
{
	return a->trust->level != TRUST_YES;
}

static size_t findings_count(const struct advice *a)
{
	return a->list->nr + is_distrusted(a);
}

size_t findings_shown(const struct advice *a)
{
	size_t nr = findings_count(a);

	return a->limit && a->limit < nr ? (size_t)a->limit : nr;
}

/* Nothing else is sure if the samples do not represent the program. */
const struct finding *finding_at(const struct advice *a, size_t n)
{
	if (a->trust->level == TRUST_NO)
		return n ? &a->list->all[n - 1] : NULL;
	return n < a->list->nr ? &a->list->all[n] : NULL;
}

char *finding_evidence(const struct advice *a, const struct finding *f)
{
	char *command = rows_command(a->rows, f->verb, f->filter);
	const char *by = f->kind != FINDING_MISSES ? "symbol,object" :
			 f->by_pc ? "symbol,object_address,pc" : "symbol,object_address";

	command = command_with(command, "--by", strcmp(f->verb, "report") ? NULL : by);
	return command_with(command, "-f misses", f->object);
}

/* "... 5% of all cycles ..., 15% for tlb-walks": only other shares are listed. */
static void print_thresholds(const struct advice *a, FILE *to)
{
	const struct finding_limits *l = &a->list->limits;
	double usual = l->share[NR_FINDING - 1];
	unsigned int i;
	char *text = xformat("# thresholds: %" PRIu64 " samples, and %g%% of all cycles of total latency at stake",
			     l->samples, 100 * usual);

	for (i = 0; i < NR_FINDING; i++)
		if (l->share[i] < usual || l->share[i] > usual)
			text = xappend(text, ", %g%% for %s", 100 * l->share[i], finding_name(i));
	text = xappend(text, ", %g%% for %s that an outer cache serves",
		       100 * FINDING_NEAR_TIMES * l->share[FINDING_MISSES], finding_name(FINDING_MISSES));
	put_sentence(to, "# ", text);
}

static void print_unseen(const struct advice *a, FILE *to)
{
	char *text = NULL;
	unsigned int i;

	for (i = 0; i < NR_FINDING; i++)
		if (a->list->unseen[i])
			text = xappend(text, "%s%s (%s)", text ? ", " : "# these samples cannot show: ",
				       finding_name(i), a->list->unseen[i]);
	if (text)
		put_sentence(to, "# ", text);
	if (a->list->scattered && !a->list->unseen[FINDING_MISSES])
		put_sentence(to, "# ", xformat("# left out of cache-misses: %s", a->list->scattered));
}

static void print_heading(const struct advice *a, FILE *to)
{
	size_t nr = findings_count(a);

	heading_print(to, a->rows);
	table_flags(to, a->rows->resolver.session);
	put_sentence(to, "# ", xformat("# %" PRIu64 " sample%s; the cycles are %s%s", a->rows->kept,
				   plural(a->rows->kept), a->unweighed ?
				   "those of the samples alone, as " :
				   "estimates for all operations that the samples stand for",
				   a->unweighed ? a->unweighed : ""));
	fputs("# latencies are those that the recording gave (of a model: the model's).\n"
	      "# Operations overlap: without the flaw a program saves at most the cycles at\n"
	      "# stake, and two findings may count the same cycles\n", to);
	print_thresholds(a, to);
	print_unseen(a, to);
	if (nr)
		fprintf(to, "# %zu finding%s\n", nr, plural(nr));
	else
		fputs("# nothing was found: no flaw reaches the thresholds\n", to);
}

static void print_trust(const struct advice *a, size_t rank, FILE *to)
{
	const struct trust *t = a->trust;
	char *command = trust_command(t), *shown = rows_command(a->rows, "stat", NULL);
	size_t i;

	fprintf(to, "\n%zu. recording: can it be trusted? %s\n", rank, trust_word(t->level));
	for (i = 0; i < t->nr; i++) {
		if (t->found[i].level == TRUST_YES)
			continue;
		put_sentence(to, BEHIND, xformat("   %s: %s", t->found[i].bias, t->found[i].text));
	}
	if (command)
		fprintf(to, "   do: record again%s: %s\n", t->longer > 1 ? ", longer" : "", command);
	fputs("   $ ", to);
	put_name(shown, to);
	putc('\n', to);
	free(shown);
	free(command);
}

static void print_rows(const struct finding *f, FILE *to)
{
	size_t i;

	fprintf(to, "     %8s %8s  %s\n", "count", "mean", "code");
	for (i = 0; i < f->nr_rows; i++) {
		char *mean = f->rows[i].mean >= 0 ? xformat("%.1f", f->rows[i].mean) : xformat("-");

		put_sentence(to, BEHIND_ROW, xformat("     %8" PRIu64 " %8s  %s", f->rows[i].count, mean,
						     f->rows[i].name));
		free(mean);
	}
}

char *finding_where(const struct finding *f)
{
	char *names = f->line ? sharing_names(f->line) : NULL, *text = NULL;

	if (f->what)
		text = xformat("%s%s%s", f->what, names && *names ? ", " : "", names ? names : "");
	free(names);
	return text;
}

static void print_finding(const struct advice *a, const struct finding *f, size_t rank, FILE *to)
{
	char about[32], low[32], high[32], *command = finding_evidence(a, f);
	char *where = finding_where(f);

	total_text(f->cycles, about, sizeof(about));
	total_text(f->interval.low, low, sizeof(low));
	total_text(f->interval.high, high, sizeof(high));
	putc('\n', to);
	put_sentence(to, BEHIND, xformat("%zu. %s: %.1f%% of the cycles at stake: about %s (95%% CI %s to %s)", rank,
				     finding_name(f->kind), 100 * f->share, about, low, high));
	put_sentence(to, BEHIND, xformat("   %" PRIu64 " samples of %s", f->samples, finding_about(f)));
	if (where)
		put_sentence(to, BEHIND, xformat("   where: %s", where));
	put_sentence(to, BEHIND, xformat("   at stake: %s latency above the mean of %s", f->latency, finding_base(f)));
	put_sentence(to, BEHIND, xformat("   do: %s", finding_remedy(f)));
	fputs("   $ ", to);
	put_name(command, to);
	putc('\n', to);
	print_rows(f, to);
	free(where);
	free(command);
}

void findings_text(const struct advice *a, FILE *to)
{
	size_t i, shown = findings_shown(a), more = findings_count(a) - shown;

	print_heading(a, to);
	for (i = 0; i < shown; i++) {
		const struct finding *f = finding_at(a, i);

		if (f)
			print_finding(a, f, i + 1, to);
		else
			print_trust(a, i + 1, to);
	}
	if (more)
		fprintf(to, "\n# %zu more finding%s\n", more, plural(more));
}
