// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "output/page/page.h"
#include "output/text/text.h"
#include "output/verbs/verbs.h"
#include "util/util.h"

/* How many differences of a comparison are significant */
static size_t diff_significant(const struct diff *d, const struct changes *c)
{
	size_t i, kind, count = 0;

	for (i = 0; i < c->nr_rows; i++)
		for (kind = 0; kind < change_kinds(c); kind++)
			count += change_is(&c->rows[i].change[kind], d->least);
	return count;
}

static size_t shown(const struct diff *d, const struct changes *c)
{
	return d->limit && d->limit < c->nr_rows ? (size_t)d->limit : c->nr_rows;
}

static void key_text(const struct changes *c, const struct changed_row *row, size_t key,
		     char *text, size_t size)
{
	const struct tally_row *any = row->row[0] ? row->row[0] : row->row[1];

	table_key(c->tally[0]->by[key], &any->key[key], text, size);
}

/* "44.34%", "18.9", or "-" */
static char *value_text(const struct change *change, size_t kind, size_t side)
{
	if (!change->known[side])
		return xformat("-");
	return xformat(kind == CHANGE_MEAN ? "%.1f" : "%.2f%%", change->value[side]);
}

/* "+10.2%", "new", or "-"; what is significant has a star behind it. */
static char *change_text(const struct diff *d, const struct change *change)
{
	const char *star = change_is(change, d->least) ? "*" : " ";
	double percents;

	if (!change->known[0] || !change->known[1])
		return xformat("- ");
	percents = change_percent(change);
	/* Ten times as much or more: another digit would say nothing. */
	return isinf(percents) ? xformat("new%s", star) :
				 xformat(percents < 1000 ? "%+.1f%%%s" : "%+.0f%%%s", percents, star);
}

static char *summary(const struct diff *d, const struct changes *c)
{
	size_t found = diff_significant(d, c);

	return xformat("%" PRIu64 " and %" PRIu64 " sample%s, %zu row%s, %zu difference%s tested, %zu significant",
		       c->tally[0]->count, c->tally[1]->count, plural(c->tally[1]->count),
		       c->nr_rows, plural(c->nr_rows), c->tests, plural(c->tests), found);
}

/* What a table shows: a narrow terminal has no room for all */
struct diff_columns {
	bool old;			/* the old numbers, which follow from the new ones and the changes */
	bool kind[CHANGES_MAX];
};

static void add_columns(struct grid *g, const struct changes *c, const struct diff_columns *of)
{
	size_t i;

	for (i = 0; i < c->tally[0]->nr_by; i++)
		grid_column(g, GRID_NAME, "", c->tally[0]->by[i]->name, -1);
	for (i = 0; i < change_kinds(c); i++) {
		if (!of->kind[i])
			continue;
		if (of->old)
			grid_column(g, GRID_NUMBER, change_name(c, i), "old", -1);
		grid_column(g, GRID_NUMBER, change_name(c, i), "new", -1);
		grid_column(g, GRID_NUMBER, change_name(c, i), "change ", -1);
	}
}

static void add_cell(struct grid *g, char *text)
{
	grid_cell(g, text);
	free(text);
}

static void add_row(struct grid *g, const struct diff *d, const struct changes *c,
		    const struct changed_row *row, const struct diff_columns *of)
{
	char text[1024];
	size_t i;

	for (i = 0; i < c->tally[0]->nr_by; i++) {
		key_text(c, row, i, text, sizeof(text));
		grid_cell(g, text);
	}
	for (i = 0; i < change_kinds(c); i++) {
		const struct change *change = &row->change[i];

		if (!of->kind[i])
			continue;
		if (of->old)
			add_cell(g, value_text(change, i, 0));
		add_cell(g, value_text(change, i, 1));
		add_cell(g, change_text(d, change));
	}
}

/* How many columns of the table fit in @width */
static size_t fill(struct grid *g, const struct diff *d, const struct changes *c,
		   const struct diff_columns *of, size_t width)
{
	struct grid_window w = { 0 };
	size_t i;

	grid_free(g);
	add_columns(g, c, of);
	for (i = 0; i < shown(d, c); i++)
		add_row(g, d, c, &c->rows[i], of);
	grid_layout(g, width);
	grid_fit(g, &w, width);
	return width ? w.count : g->nr_columns;
}

/*
 * How many columns fit in @width.  The old numbers are left out first, then numbers that the
 * user did not ask for, then the last events.
 */
static size_t fit(struct grid *g, const struct diff *d, const struct changes *c,
		  struct diff_columns *of, size_t width)
{
	static const unsigned int first_out[] = { CHANGE_SHARE, CHANGE_MEAN, CHANGE_COST };
	size_t keys = c->tally[0]->nr_by, nr = 0, kind, count;

	*of = (struct diff_columns){ .old = true };
	for (kind = 0; kind < change_kinds(c); kind++)
		of->kind[kind] = true;
	count = fill(g, d, c, of, width);
	if (count == g->nr_columns)
		return count;
	of->old = false;
	count = fill(g, d, c, of, width);
	while (count < g->nr_columns && c->tally[0]->nr_events && nr < NR_CHANGES) {
		of->kind[first_out[nr++]] = false;
		count = fill(g, d, c, of, width);
	}
	if (count > keys)
		count -= (count - keys) % 2;
	/* Say which are left out. */
	for (kind = 0, nr = keys; kind < change_kinds(c); kind++)
		if (of->kind[kind]) {
			nr += 2;
			of->kind[kind] = nr <= count;
		}
	return count;
}

/* "the old numbers", or "the old numbers, share and mean": what @of leaves out; NULL: nothing.  To be freed */
static char *left_out(const struct changes *c, const struct diff_columns *of)
{
	size_t kind, left = 0;
	char *text;

	if (of->old)
		return NULL;
	text = xformat("the old numbers");
	for (kind = 0; kind < change_kinds(c); kind++)
		left += !of->kind[kind];
	for (kind = 0; kind < change_kinds(c); kind++)
		if (!of->kind[kind])
			text = xappend(text, "%s%s", --left ? ", " : " and ", change_name(c, kind));
	return text;
}

static void table(const struct diff *d, const struct changes *c, FILE *to)
{
	size_t width = terminal_width(to), rows = c->nr_rows - shown(d, c), columns;
	struct diff_columns of;
	struct grid g = { 0 };
	char *text = summary(d, c);

	columns = fit(&g, d, c, &of, width);
	put_sentence(to, "# ", xformat("# %s", text));
	free(text);
	grid_below(&g, rows ? xformat("# %zu more row%s\n", rows, plural(rows)) : NULL);
	grid_print(&g, columns, width, to);
	text = left_out(c, &of);
	if (text)
		put_sentence(to, "# ", xformat("# the terminal has no room for %s: a wider one, a pipe or --csv has them", text));
	free(text);
	grid_free(&g);
}

/* A fact of one recording, below its name */
static void put_fact(void *context, const char *name, char *text)
{
	FILE *to = context;
	int used = fprintf(to, "#   %-10s", name);

	put_words(to, (size_t)used, " ", "#              ", text);
	free(text);
}

static void put_file(const char *role, const struct rows *r, FILE *to)
{
	fprintf(to, "# %-10s ", role);
	put_name(r->src.path, to);
	putc('\n', to);
	heading_each(r, put_fact, to);
	table_flags(to, r->resolver.session);
}

/* To be freed */
static char *no_stars(const struct changes *c)
{
	return xformat("these recordings cannot be compared, so no change is marked: %s",
		       comparison_advice(&c->of));
}

static void put_unlike(const struct changes *c, FILE *to)
{
	char *text;
	size_t i;

	for (i = 0; i < c->of.nr; i++)
		heading_line(to, c->of.unlike[i].what, xformat("%s", c->of.unlike[i].text));
	if (!c->of.impossible)
		return;
	text = no_stars(c);
	put_sentence(to, "# ", xformat("# %s", text));
	free(text);
}

void diff_text(const struct diff *d, FILE *to)
{
	size_t i;

	for (i = 0; i < d->nr_changes; i++) {
		if (i)
			putc('\n', to);
		put_file("old", &d->rows[0], to);
		put_file("new", &d->rows[i + 1], to);
		put_unlike(&d->changes[i], to);
		table(d, &d->changes[i], to);
	}
}

static void put_change(struct data *d, const struct diff *diff, const struct changes *c, size_t kind,
		       const struct change *change)
{
	bool both = change->known[0] && change->known[1] && !isinf(change_percent(change));

	data_text(d, "number", change_name(c, kind));
	data_real(d, "old", change->known[0], change->value[0]);
	data_real(d, "new", change->known[1], change->value[1]);
	data_real(d, "change_percent", both, both ? change_percent(change) : 0);
	data_real(d, "p", change->tested, change->p);
	if (change->tested)
		data_flag(d, "significant", change_is(change, diff->least));
	else
		data_none(d, "significant");
	data_take_text(d, "incomparable", c->of.impossible ? comparison_text(&c->of) : NULL);
}

static void put_numbers(struct data *d, const struct diff *diff, size_t index,
			const struct changed_row *row)
{
	const struct changes *c = &diff->changes[index];
	const struct tally_row *any = row->row[0] ? row->row[0] : row->row[1];
	size_t kind, key;

	for (kind = 0; kind < change_kinds(c); kind++) {
		data_row(d);
		data_text(d, "new_file", diff->rows[index + 1].src.path);
		for (key = 0; key < c->tally[0]->nr_by; key++)
			table_key_data(d, c->tally[0]->by[key], &any->key[key]);
		put_change(d, diff, c, kind, &row->change[kind]);
		data_row_end(d);
	}
}

const char *diff_table(unsigned int index)
{
	static const char *const names[] = { "changes", "recording", "losses", "offline_cpus", "messages" };

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

void diff_data(const struct diff *diff, const struct data_options *o, FILE *to)
{
	struct data d;
	size_t i, row;

	data_begin(&d, o, "diff", to);
	table_recordings_data(&d, diff->rows, diff->nr_changes + 1);
	data_text(&d, "old_file", diff->rows[0].src.path);
	data_table(&d, "changes");
	for (i = 0; i < diff->nr_changes; i++)
		for (row = 0; row < shown(diff, &diff->changes[i]); row++)
			put_numbers(&d, diff, i, &diff->changes[i].rows[row]);
	data_table_end(&d);
	data_end(&d);
}

static void html_head(const struct changes *c, FILE *to)
{
	size_t i;

	fputs("<thead><tr>", to);
	for (i = 0; i < c->tally[0]->nr_by; i++)
		page_element(to, "th scope=\"col\"", xformat("%s", c->tally[0]->by[i]->name));
	for (i = 0; i < change_kinds(c); i++) {
		page_element(to, "th scope=\"col\" class=\"n\"",
			     xformat("%s, old", change_name(c, i)));
		page_element(to, "th scope=\"col\" class=\"n\"",
			     xformat("%s, new", change_name(c, i)));
		page_element(to, "th scope=\"col\" class=\"n\"",
			     xformat("%s, change", change_name(c, i)));
	}
	fputs("</tr></thead>\n<tbody>\n", to);
}

static void html_row(const struct diff *d, const struct changes *c,
		     const struct changed_row *row, FILE *to)
{
	char text[1024];
	size_t i;

	fputs("<tr>", to);
	for (i = 0; i < c->tally[0]->nr_by; i++) {
		key_text(c, row, i, text, sizeof(text));
		page_element(to, "td class=\"holds\"", xformat("%s", text));
	}
	for (i = 0; i < change_kinds(c); i++) {
		const struct change *change = &row->change[i];
		const char *td = "td class=\"n\"";

		page_element(to, td, value_text(change, i, 0));
		page_element(to, td, value_text(change, i, 1));
		if (change_is(change, d->least))
			fputs("<td class=\"n\"><strong>", to);
		else
			fputs("<td class=\"n\">", to);
		page_element(to, "span", change_text(d, change));
		fputs(change_is(change, d->least) ? "</strong></td>" : "</td>", to);
	}
	fputs("</tr>\n", to);
}

static void html_table(const struct diff *d, size_t n, FILE *to)
{
	const struct changes *c = &d->changes[n];
	size_t i;

	page_element(to, "p", xformat("Old: %s. New: %s.", d->rows[0].src.path,
				      d->rows[n + 1].src.path));
	for (i = 0; i < c->of.nr; i++)
		page_element(to, "p class=\"note\"", xformat("%s: %s", c->of.unlike[i].what,
							     c->of.unlike[i].text));
	if (c->of.impossible)
		page_element(to, "p class=\"note\"", no_stars(c));
	page_element(to, "p", summary(d, c));
	fputs("<p class=\"soft\">A star marks a change that is too large to come from sampling: at most 5% of comparisons get one by sampling alone. What else changes from run to run can bring one too, such as the machine's load: compare two recordings of the old program first.</p>\n", to);
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Differences\"><table>\n", to);
	html_head(c, to);
	for (i = 0; i < shown(d, c); i++)
		html_row(d, c, &c->rows[i], to);
	fputs("</tbody></table></div>\n", to);
}

#define VERDICT_ROWS	10u	/* changes that the verdict names */

/* A line for each significant change of a row, as long as @left is not 0 */
static void html_row_verdict(const struct diff *d, const struct changes *c,
			     const struct changed_row *row, size_t *left, FILE *to)
{
	char text[1024];
	size_t kind, key;

	for (kind = 0; kind < change_kinds(c); kind++) {
		const struct change *change = &row->change[kind];
		char *old, *new, *by;

		if (!change_is(change, d->least) || !*left)
			continue;
		--*left;
		fputs("<li>", to);
		for (key = 0; key < c->tally[0]->nr_by; key++) {
			key_text(c, row, key, text, sizeof(text));
			page_element(to, "code", xformat("%s", text));
			putc(' ', to);
		}
		old = value_text(change, kind, 0);
		new = value_text(change, kind, 1);
		by = change_text(d, change);
		page_element(to, "span", xformat("%s from %s to %s%s (%.*s)", change_name(c, kind),
						 old, new, kind == CHANGE_MEAN ? " cycles an operation" : "",
						 (int)strcspn(by, "* "), by));
		fputs("</li>\n", to);
		free(old);
		free(new);
		free(by);
	}
}

static void html_verdict(const struct diff *d, size_t n, FILE *to)
{
	const struct changes *c = &d->changes[n];
	size_t found = diff_significant(d, c), left = VERDICT_ROWS, i;

	if (d->nr_changes > 1)
		page_element(to, "h3", xformat("%s", d->rows[n + 1].src.path));
	if (c->of.impossible) {
		page_element(to, "p class=\"note bad\"", no_stars(c));
		return;
	}
	if (!found) {
		fprintf(to, "<p>%s: %zu difference%s tested.</p>\n", c->tests ?
			"Nothing changed that is more than chance" : "No row has enough samples to compare",
			c->tests, plural(c->tests));
		return;
	}
	fprintf(to, "<p>%zu of %zu tested difference%s %s more than chance:</p>\n<ul>\n", found, c->tests,
		plural(c->tests), found == 1 ? "is" : "are");
	for (i = 0; i < c->nr_rows; i++)
		html_row_verdict(d, c, &c->rows[i], &left, to);
	fputs("</ul>\n", to);
	if (found > VERDICT_ROWS)
		fprintf(to, "<p class=\"soft\">The table below has %zu more.</p>\n", found - VERDICT_ROWS);
}

static bool common_process(const struct flame *f)
{
	const struct flame_node *n;

	for (n = f->all->child; n; n = n->next)
		if (n->count && n->old.count)
			return true;
	return false;
}

static void html_flame(const struct diff *d, size_t n, FILE *to)
{
	const struct rows *old = &d->rows[0], *new = &d->rows[n + 1];
	char *id = n ? xformat("flame-%zu", n) : xformat("flame");
	struct flame flame = { 0 };

	if (d->nr_changes > 1)
		page_element(to, "h3", xformat("%s", new->src.path));
	flame_compare(&flame, &d->flames[0], old->resolver.session, &d->flames[n + 1],
		      new->resolver.session);
	if (!common_process(&flame))
		fputs("<p class=\"note\">No process of one recording has the name of a process of the other, so no cells match: see the table.</p>\n", to);
	page_flame(to, id, &flame, NULL, 0, NULL);
	flame_free(&flame);
	free(id);
}

enum { VERDICT, DIFFERENCES, FLAME, NR_PARTS };

void diff_html(const struct diff *d, FILE *to)
{
	static const struct page_part parts[NR_PARTS] = {
		[VERDICT] = { "verdict", "Verdict" },
		[DIFFERENCES] = { "differences", "Differences" },
		[FLAME] = { "flame", "Flame graph" },
	};
	static void (*const print[NR_PARTS])(const struct diff *d, size_t n, FILE *to) = {
		[VERDICT] = html_verdict, [DIFFERENCES] = html_table, [FLAME] = html_flame,
	};
	size_t part, i;

	page_begin(to, "perf spe diff", d->rows, d->nr_changes + 1, parts, NR_PARTS);
	for (part = 0; part < NR_PARTS; part++) {
		page_part_begin(to, &parts[part]);
		if (part == FLAME)
			fputs("<p>Each cell is a part of its recording: of all cycles, or of all samples. Colours say whether it is a larger or a smaller part than in the old recording; the difference that is strongest has the full colour. Whether a change is more than chance, the table says.</p>\n", to);
		for (i = 0; i < d->nr_changes; i++)
			print[part](d, i, to);
		page_part_end(to);
	}
	page_end(to);
}
