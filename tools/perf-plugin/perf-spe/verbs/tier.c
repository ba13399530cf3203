// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe tier: the pages of processes whose data come from another NUMA node; --move moves them to
 * the node that uses them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "output/text/text.h"
#include "system/system.h"
#include "util/util.h"
#include "verbs/verbs.h"

/* What became of a page; without --move all stay as they are. */
enum fate { FATE_NOT_TRIED, FATE_MOVED, FATE_THERE, FATE_LEFT };

struct tiering {
	struct rows rows;
	struct tier tier;
	struct data_options data;
	uint64_t limit;
	bool move;
	enum fate *fates;		/* of tier.chosen */
	int *errors;			/* why a page was left; 0: not known */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe tier [OPTIONS] [FILE]\n"
	      "\n"
	      "Prints the pages whose loads and stores went to memory of another socket: the\n"
	      "process of each page, and the node whose CPUs access it. Moves nothing without\n"
	      "--move.\n"
	      "\n"
	      "      --move          move these pages to that node with move_pages(2), while their\n"
	      "                      processes still run on this machine\n"
	      "      --far N         only pages with N samples or more from another node (default 4)\n"
	      "      --share N       only pages with N percent or more of their samples from one\n"
	      "                      node (default 75)\n"
	      "      --limit N       print at most N pages (default 20); --move moves all\n"
	      DATA_HELP
	      ROWS_HELP, to);
}

static const char *fate_text(const struct tiering *t, size_t i)
{
	switch (t->fates[i]) {
	case FATE_MOVED:
		return "moved";
	case FATE_THERE:
		return "there already";
	case FATE_LEFT:
		return t->errors[i] == ENOENT || t->errors[i] == EFAULT ? "not moved: no longer mapped" :
		       t->errors[i] == EACCES ? "not moved: another process uses it too" :
		       t->errors[i] ? strerror(t->errors[i]) : "not moved";
	default:
		return "";
	}
}

static void print_page(FILE *to, const struct tiering *t, size_t i)
{
	const struct tier_page *page = t->tier.chosen[i];
	char *node = node_text(page->node);
	const char *fate = fate_text(t, i);

	fprintf(to, "%10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %7.2f%% %7s %4d  0x%" PRIx64 "  %d ",
		page->to->cycles, page->to->far, page->samples,
		percent(page->to->samples, page->samples), node, page->to->node, page->address,
		page->pid);
	free(node);
	put_name(page->comm ? page->comm : "[unknown]", to);
	fprintf(to, "%s%s\n", *fate ? ", " : "", fate);
}

static void print_fates(const struct tiering *t)
{
	size_t count[FATE_LEFT + 1] = { 0 }, i;

	for (i = 0; i < t->tier.nr_chosen; i++)
		count[t->fates[i]]++;
	printf("# %zu page%s moved, %zu there already, %zu not moved\n", count[FATE_MOVED],
	       plural(count[FATE_MOVED]), count[FATE_THERE],
	       count[FATE_LEFT] + count[FATE_NOT_TRIED]);
}

static void print(const struct tiering *t)
{
	const struct tier *tier = &t->tier;
	const char *why = nodes_no_memory(&tier->nodes);
	struct fitted fitted;
	FILE *to;
	size_t i;

	heading_print(stdout, &t->rows);
	table_flags(stdout, t->rows.resolver.session);
	to = fitted_begin(&fitted);
	if (tier_unknown(tier))
		fprintf(to, "# unknown which of %" PRIu64 " loads and stores of user space went to memory of another socket: no load has a known data source, and no sample has the event remote-access\n",
			tier->placed);
	else
		fprintf(to, "# %" PRIu64 " of %" PRIu64 " loads and stores of user space went to memory of another socket\n",
			tier->far, tier->placed);
	/* Then a cache of another socket counts as memory. */
	if (why && tier->far)
		fprintf(to, "# nodes of memory unknown: %s\n", why);
	fprintf(to, "# %zu page%s of another node to move", tier->nr_chosen, plural(tier->nr_chosen));
	if (tier->few)
		fprintf(to, ", %" PRIu64 " with fewer than %" PRIu64 " such samples", tier->few, tier->least);
	if (tier->shared)
		fprintf(to, ", %" PRIu64 " that CPUs of several nodes access", tier->shared);
	putc('\n', to);
	if (tier->nr_chosen)
		fprintf(to, "# %8s %8s %8s %8s %7s %4s  %s\n", "cycles", "far", "samples", "share",
			"from", "to", "page, process");
	for (i = 0; i < tier->nr_chosen && i < t->limit; i++)
		print_page(to, t, i);
	fitted_end(&fitted);
	if (!tier->nr_chosen)
		return;
	if (i < tier->nr_chosen)
		printf("# %zu more page%s\n", tier->nr_chosen - i, plural(tier->nr_chosen - i));
	if (t->move)
		print_fates(t);
	else
		puts("# nothing was moved; --move does it while the processes run");
}

const char *tier_table(unsigned int index)
{
	static const char *const names[] = { "pages", "recording", "offline_cpus", "messages" };

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

static void page_data(struct data *d, const struct tiering *t, size_t i)
{
	const struct tier_page *page = t->tier.chosen[i];

	data_row(d);
	data_address(d, "address", page->address);
	data_id(d, "pid", page->pid);
	data_text(d, "comm", page->comm);
	data_id(d, "from", page->node >= 0 ? page->node : NO_ID);
	data_flag(d, "several", page->node == NODE_SEVERAL);
	data_id(d, "to", page->to->node);
	data_number(d, "cycles", page->to->cycles);
	data_number(d, "far", page->to->far);
	data_number(d, "samples", page->samples);
	data_real(d, "share_percent", true, percent(page->to->samples, page->samples));
	data_text(d, "result", *fate_text(t, i) ? fate_text(t, i) : NULL);
	data_row_end(d);
}

static void print_data(struct tiering *t)
{
	const struct tier *tier = &t->tier;
	struct data d;
	size_t i;

	rows_say_lacks(&t->rows);
	data_begin(&d, &t->data, "tier", stdout);
	table_recording_data(&d, &t->rows);
	data_number(&d, "samples", tier->samples);
	data_number(&d, "far", tier->far);
	data_number(&d, "user_samples", tier->placed);
	data_flag(&d, "far_known", !tier_unknown(tier));
	data_flag(&d, "memory_nodes_known", !nodes_no_memory(&tier->nodes));
	data_number(&d, "all_pages", tier->nr_chosen);
	data_number(&d, "few", tier->few);
	data_number(&d, "several_nodes", tier->shared);
	data_table(&d, "pages");
	for (i = 0; i < tier->nr_chosen && i < t->limit; i++)
		page_data(&d, t, i);
	data_table_end(&d);
	data_end(&d);
}

/* Whether the recording is of this machine.  False after a message. */
static bool is_here(const struct tiering *t)
{
	const struct session *s = t->rows.resolver.session;
	char *host = s ? feature_hostname(&s->pd) : NULL;
	struct utsname name;
	bool here = host && !uname(&name) && !strcmp(host, name.nodename);

	if (!here)
		say("tier: --move needs a recording of this machine, and this one is of '%s'; record on this machine",
		    host ? host : "an unknown machine");
	free(host);
	return here;
}

/* Whether the process is still the recorded one, as far as its name tells.  False after a message. */
static bool is_alive(const struct tier_page *page)
{
	char name[64];

	if (!process_name(page->pid, name, sizeof(name)))
		say("tier: process %d has ended: its pages cannot be moved", page->pid);
	else if (page->comm && strcmp(name, page->comm))
		say("tier: process %d is '%s' now and was '%s': its pages are not moved", page->pid,
		    name, page->comm);
	else
		return true;
	return false;
}

/* Pages of one process, of which @at are the numbers in tier.chosen */
struct moving {
	size_t count, *at;
	void **pages;
	int *to, *before, *after;
};

static void set_fates(struct tiering *t, const struct moving *m)
{
	size_t i;

	for (i = 0; i < m->count; i++) {
		enum fate *fate = &t->fates[m->at[i]];

		if (m->after[i] != m->to[i]) {
			*fate = FATE_LEFT;
			t->errors[m->at[i]] = m->after[i] < 0 ? -m->after[i] : 0;
		} else {
			*fate = m->before[i] == m->to[i] ? FATE_THERE : FATE_MOVED;
		}
	}
}

/* Returns false after a message. */
static bool move_process(struct tiering *t, const struct tier_page *of, const struct moving *m)
{
	int err;

	if (!is_alive(of))
		return false;
	err = pages_where(of->pid, m->pages, m->count, m->before);
	if (!err)
		err = pages_move(of->pid, m->pages, m->count, m->to, m->after);
	if (err) {
		say("tier: cannot move pages of process %d: %s%s", of->pid, strerror(-err),
		    err == -EPERM ? "; run this as its user or as root" :
		    err == -ENOSYS ? "; this kernel has no NUMA nodes" : "");
		return false;
	}
	set_fates(t, m);
	return true;
}

/* Move the pages of the process with the page @first, and those of no other.  False after a message. */
static bool move_from(struct tiering *t, size_t first)
{
	const struct tier *tier = &t->tier;
	const struct tier_page *of = tier->chosen[first];
	const size_t room = tier->nr_chosen - first;
	struct moving m = {
		.at = xcalloc(room, sizeof(size_t)), .pages = xcalloc(room, sizeof(void *)),
		.to = xcalloc(room, sizeof(int)), .before = xcalloc(room, sizeof(int)),
		.after = xcalloc(room, sizeof(int)),
	};
	bool ok;
	size_t i;

	for (i = first; i < tier->nr_chosen; i++) {
		const struct tier_page *page = tier->chosen[i];

		if (page->whose != of->whose)
			continue;
		m.at[m.count] = i;
		m.pages[m.count] = (void *)(uintptr_t)page->address;
		m.to[m.count++] = page->to->node;
	}
	ok = move_process(t, of, &m);
	free(m.at);
	free(m.pages);
	free(m.to);
	free(m.before);
	free(m.after);
	return ok;
}

/* Whether an earlier page is of the same process */
static bool is_done(const struct tier *tier, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (tier->chosen[k]->whose == tier->chosen[i]->whose)
			return true;
	return false;
}

/* Returns the exit status. */
static int move_all(struct tiering *t)
{
	int rc = EXIT_OK;
	size_t i;

	if (!is_here(t))
		return EXIT_INPUT;
	for (i = 0; i < t->tier.nr_chosen; i++)
		if (!is_done(&t->tier, i) && !move_from(t, i))
			rc = EXIT_INPUT;
	return rc;
}

/* Say why no page can be named; false if some can. */
static bool nothing_known(struct tiering *t)
{
	const char *why = nodes_no_cpus(&t->tier.nodes);

	if (!t->tier.samples)
		rows_none(&t->rows, "has a data address", "record again with --loads --stores --physical");
	else if (why)
		say("tier: nodes of CPUs unknown: %s", why);
	else
		return false;
	return true;
}

static int run(struct tiering *t)
{
	static const struct row_taker taker = { .take = tier_add, .columns = TIER_COLUMNS };
	struct sample_totals totals;
	int rc = rows_open(&t->rows), moved = EXIT_OK;

	if (rc != EXIT_OK)
		return rc;
	if (!nodes_init(&t->tier.nodes, t->rows.resolver.session)) {
		rows_close(&t->rows);
		return EXIT_INPUT;
	}
	rows_read(&t->rows, &taker, &t->tier, &tier_parts, &totals);
	rc = samples_verdict(&t->rows.src, &totals);
	tier_finish(&t->tier);
	t->fates = xcalloc(t->tier.nr_chosen + 1, sizeof(*t->fates));
	t->errors = xcalloc(t->tier.nr_chosen + 1, sizeof(*t->errors));
	if (nothing_known(t)) {
		rc = t->tier.samples ? EXIT_INPUT : rc;
		if (rc == EXIT_OK && t->data.form)
			print_data(t);
	} else {
		if (t->move && t->tier.nr_chosen)
			moved = move_all(t);
		if (t->data.form)
			print_data(t);
		else
			print(t);
	}
	free(t->fates);
	free(t->errors);
	tier_free(&t->tier);
	rows_close(&t->rows);
	return rc == EXIT_OK ? moved : rc;
}

enum { OPT_MOVE = 256, OPT_FAR, OPT_SHARE, OPT_LIMIT };

static bool take_option(void *verb, int option)
{
	struct tiering *t = verb;

	switch (option) {
	case DATA_OPTION_JSON:
	case DATA_OPTION_CSV:
		return data_take(&t->data, "tier", tier_table, option);
	case OPT_MOVE:
		return t->move = true;
	case OPT_FAR:
		return parse_count("tier", "far", optarg, &t->tier.least);
	case OPT_SHARE:
		if (!parse_count("tier", "share", optarg, &t->tier.share))
			return false;
		if (t->tier.share <= 100)
			return true;
		say("tier: --share is in percent: give at most 100, not '%s'", optarg);
		return false;
	case OPT_LIMIT:
		return parse_count("tier", "limit", optarg, &t->limit);
	default:
		return false;
	}
}

int verb_tier(int argc, char **argv)
{
	static const struct option options[] = {
		{ "move", no_argument, NULL, OPT_MOVE },
		{ "far", required_argument, NULL, OPT_FAR },
		{ "share", required_argument, NULL, OPT_SHARE },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		DATA_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct tiering t = {
		.rows = { .verb = "tier", .need = NEED_OWNER, .names_sources = true },
		.tier = { .least = 4, .share = 75 },
	};
	int rc;

	rc = rows_options(&t.rows, &grammar, &t, argc, argv);
	t.limit = data_limit(&t.data, t.limit, 20);
	if (rc < 0)
		rc = rows_check(&t.rows, argc, argv) ? run(&t) : EXIT_USAGE;
	filter_free(t.rows.filter);
	return rc;
}
