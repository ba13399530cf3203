// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "output/page/page.h"
#include "output/text/text.h"
#include "util/util.h"

static const char page_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\" class=\"no-script\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	/* The page runs its own scripts, and the browser loads nothing for it. */
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
	"<title>";

static void put_script(FILE *to, const char *text)
{
	fprintf(to, "<script>\n%s</script>\n", text);
}

static void put_fact(void *context, const char *name, char *text)
{
	FILE *to = context;

	fprintf(to, "<div%s><dt>%s</dt>",
		strcmp(name, "command") ? "" : " class=\"wide\"", name);
	page_element(to, "dd", text);
	fputs("</div>\n", to);
}

/* @role: "old" or "new"; NULL: the only one */
static void put_facts(FILE *to, const struct rows *r, const char *role)
{
	char *no_source = heading_no_source(r);

	fputs("<dl class=\"facts\">\n", to);
	if (role)
		put_fact(to, "recording", xformat("%s", role));
	heading_each(r, put_fact, to);
	if (r->filter)
		put_fact(to, "filter", xformat("%s", filter_text(r->filter)));
	fputs("</dl>\n", to);
	if (no_source)
		page_element(to, "p class=\"note\"", no_source);
	/* A page of one recording has a part that tells of them. */
	if (role)
		page_losses(to, r->resolver.session, NULL);
}

void page_messages(FILE *to, size_t from)
{
	const char *text;

	for (; (text = message_at(from)); from++)
		page_element(to, "p class=\"note\"", xformat("%s", text));
}

void page_begin(FILE *to, const char *title, const struct rows *rows, size_t nr,
		const struct page_part *parts, size_t count)
{
	size_t i;

	fputs(page_head, to);
	for (i = 0; i < nr; i++)
		if (rows[i].src.path) {
			put_escaped(path_short(rows[i].src.path), to);
			fputs(i + 1 < nr ? ", " : " - ", to);
		}
	put_escaped(title, to);
	fprintf(to, "</title>\n<style>\n%s</style>\n", page_css);
	/* The theme is known before the first pixel. */
	put_script(to, page_theme_js);
	fputs("</head><body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"top\">\n<div class=\"bar\"><h1>", to);
	put_escaped(title, to);
	fputs("</h1>\n<button type=\"button\" id=\"theme\" class=\"scripted\">Theme: system</button></div>\n", to);
	for (i = 0; i < nr; i++)
		put_facts(to, &rows[i], nr == 1 ? NULL : i ? "new" : "old");
	page_messages(to, 0);
	fputs("</header>\n<nav aria-label=\"Parts of the page\"><ul>\n", to);
	for (i = 0; i < count; i++)
		fprintf(to, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].id,
			parts[i].title);
	fputs("</ul></nav>\n<main id=\"main\" tabindex=\"-1\">\n", to);
}

void page_end(FILE *to)
{
	fputs("</main>\n<footer><p>Written by perf spe. SPE samples operations; latencies of operations that overlap are not a time.</p></footer>\n<div id=\"tip\" class=\"tip\" role=\"status\" hidden></div>\n", to);
	put_script(to, page_table_js);
	put_script(to, page_flame_js);
	put_script(to, page_code_js);
	put_script(to, page_heat_js);
	/* The last one: the others hear which range it selects. */
	put_script(to, page_time_js);
	fputs("</body></html>\n", to);
}

void page_part_begin(FILE *to, const struct page_part *part)
{
	fprintf(to, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n",
		part->id, part->id, part->id, part->title);
}

void page_part_end(FILE *to)
{
	fputs("</section>\n", to);
}

void page_of_whole(FILE *to, const char *what)
{
	fprintf(to, "<p class=\"note of-whole\" hidden>%s of the whole recording, not of the selected time.</p>\n", what);
}

void page_none(FILE *to, char *why)
{
	/* A message begins with the name of its verb, a note with a capital. */
	why[0] = (char)toupper((unsigned char)why[0]);
	page_element(to, "p class=\"note\"", xappend(why, "."));
	putc('\n', to);
}

void page_element(FILE *to, const char *tag, char *text)
{
	fprintf(to, "<%s>", tag);
	put_escaped(text, to);
	fprintf(to, "</%.*s>", (int)strcspn(tag, " "), tag);
	free(text);
}

static void table_begin(FILE *to, const char *attributes, const char *caption,
			const char *const *names, unsigned int nr_text)
{
	unsigned int i;

	fprintf(to, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table%s><caption>%s</caption><thead><tr>",
		caption, attributes, caption);
	for (i = 0; names[i]; i++)
		fprintf(to, "<th scope=\"col\"%s>%s</th>",
			i < nr_text ? "" : " class=\"n\"", names[i]);
	fputs("</tr></thead><tbody>\n", to);
}

void page_table_begin(FILE *to, const char *caption, const char *const *names,
		      unsigned int nr_text)
{
	table_begin(to, "", caption, names, nr_text);
}

void page_table_sums(FILE *to, const char *id, const char *cells, const char *caption,
		     const char *const *names, unsigned int nr_text)
{
	char *attributes = xformat(" data-sums=\"%s\" data-cells=\"%s\"", id, cells);

	table_begin(to, attributes, caption, names, nr_text);
	free(attributes);
}

void page_table_end(FILE *to)
{
	fputs("</tbody></table></div>\n", to);
}

char *page_number(uint64_t number)
{
	char *plain = xformat("%" PRIu64, number), *text;
	size_t len = strlen(plain), i, at = 0;

	text = xcalloc(len + len / 3 + 1, 1);
	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = plain[i];
	}
	free(plain);
	return text;
}

void page_share(FILE *to, double share, bool known)
{
	if (known)
		fprintf(to, "<td class=\"n bar\" data-v=\"%.6f\" style=\"--v:%.2f%%\">%.2f%%</td>",
			share, share, share);
	else
		fputs("<td class=\"n\" data-v=\"-1\">-</td>", to);
}
