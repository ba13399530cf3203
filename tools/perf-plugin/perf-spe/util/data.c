// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

bool data_take(struct data_options *o, const char *verb, word_fn tables, int option)
{
	enum data_form form = option == DATA_OPTION_JSON ? DATA_JSON : DATA_CSV;
	char *proposal;

	if (o->form && o->form != form) {
		say("%s: --json and --csv exclude each other: remove one", verb);
		return false;
	}
	o->form = form;
	if (form == DATA_JSON)
		return true;
	o->table = optarg ? optarg : tables(0);
	if (words_have(tables, o->table, strlen(o->table)))
		return true;
	proposal = suggest(tables, o->table, strlen(o->table));
	say("%s: --csv: unknown table '%s'; %s", verb, o->table, proposal);
	free(proposal);
	return false;
}

/* Whether the next value is printed: CSV has one table, and nothing outside of it. */
static bool shown(const struct data *d)
{
	return d->form == DATA_JSON || d->in_table;
}

/* Write what precedes a value.  CSV keeps the row until the names of its columns are known. */
static FILE *begin_value(struct data *d, const char *name)
{
	if (d->form == DATA_JSON) {
		if (d->values++)
			putc(',', d->to);
		json_text(name, d->to);
		putc(':', d->to);
		return d->to;
	}
	if (!d->headed)
		fprintf(d->to, "%s%s", d->values ? "," : "", name);
	if (d->values++)
		putc(',', d->line);
	return d->line;
}

void data_begin(struct data *d, const struct data_options *o, const char *verb, FILE *to)
{
	*d = (struct data){ .to = to, .form = o->form, .verb = verb, .table = o->table };
	if (d->form == DATA_JSON)
		putc('{', to);
	data_number(d, "format", DATA_FORMAT);
	data_text(d, "verb", verb);
}

/* Who reads the values alone must see what makes them doubtful. */
static void put_messages(struct data *d)
{
	const char *text;
	size_t i;

	data_table(d, "messages");
	for (i = 0; (text = message_at(i)); i++) {
		data_row(d);
		data_text(d, "text", text);
		data_row_end(d);
	}
	data_table_end(d);
}

void data_end(struct data *d)
{
	put_messages(d);
	if (d->form == DATA_JSON)
		fputs("}\n", d->to);
	else if (!d->headed)
		say("%s: --csv: the table '%s' is empty, so it has no line of keys either", d->verb, d->table);
}

void data_object(struct data *d, const char *name)
{
	if (d->form != DATA_JSON)
		return;
	fputc('{', begin_value(d, name));
	d->values = 0;
}

void data_object_end(struct data *d)
{
	if (d->form != DATA_JSON)
		return;
	putc('}', d->to);
	d->values = 1;
}

void data_table(struct data *d, const char *name)
{
	d->rows = 0;
	if (d->form == DATA_JSON)
		fputc('[', begin_value(d, name));
	else
		d->in_table = !strcmp(name, d->table);
}

void data_table_end(struct data *d)
{
	if (d->form == DATA_JSON)
		putc(']', d->to);
	d->in_table = false;
	d->values = 1;
}

void data_row(struct data *d)
{
	d->values = 0;
	if (d->form == DATA_JSON) {
		fputs(d->rows++ ? ",\n{" : "\n{", d->to);
	} else if (d->in_table) {
		d->line = open_memstream(&d->text, &d->len);
		if (!d->line)
			exit(EXIT_INPUT);
	}
	if (d->interval)
		data_number(d, "interval", d->interval);
}

void data_row_end(struct data *d)
{
	if (d->form == DATA_JSON) {
		putc('}', d->to);
		return;
	}
	if (!d->in_table)
		return;
	fclose(d->line);
	if (!d->headed)
		fputs("\r\n", d->to);
	d->headed = true;
	fwrite(d->text, 1, d->len, d->to);
	fputs("\r\n", d->to);
	free(d->text);
}

void data_none(struct data *d, const char *name)
{
	FILE *to;

	if (!shown(d))
		return;
	to = begin_value(d, name);
	if (d->form == DATA_JSON)
		fputs("null", to);
}

void data_text(struct data *d, const char *name, const char *text)
{
	if (!text) {
		data_none(d, name);
		return;
	}
	if (!shown(d))
		return;
	if (d->form == DATA_JSON)
		json_text(text, begin_value(d, name));
	else
		csv_text(text, begin_value(d, name));
}

void data_take_text(struct data *d, const char *name, char *text)
{
	data_text(d, name, text);
	free(text);
}

void data_number(struct data *d, const char *name, uint64_t number)
{
	if (shown(d))
		fprintf(begin_value(d, name), "%" PRIu64, number);
}

void data_signed(struct data *d, const char *name, int64_t number)
{
	if (shown(d))
		fprintf(begin_value(d, name), "%" PRId64, number);
}

void data_id(struct data *d, const char *name, int32_t id)
{
	if (id < 0)
		data_none(d, name);
	else
		data_number(d, name, (uint64_t)id);
}

void data_real(struct data *d, const char *name, bool known, double number)
{
	if (!known)
		data_none(d, name);
	else if (shown(d))
		fprintf(begin_value(d, name), "%.10g", number);
}

void data_address(struct data *d, const char *name, uint64_t address)
{
	const char *quote = d->form == DATA_JSON ? "\"" : "";

	if (shown(d))
		fprintf(begin_value(d, name), "%s0x%" PRIx64 "%s", quote, address, quote);
}

void data_flag(struct data *d, const char *name, bool flag)
{
	if (shown(d))
		fputs(flag ? "true" : "false", begin_value(d, name));
}

static void put_quoted(const char *first, const char *text, FILE *to)
{
	putc_unlocked('"', to);
	fputs_unlocked(first, to);
	put_name_without('"', "\"\"", text, to);
	putc_unlocked('"', to);
}

void csv_text(const char *text, FILE *to)
{
	put_quoted("", text, to);
}

void csv_no_formula(const char *text, FILE *to)
{
	put_quoted(*text && strchr("=+-@\t\r", *text) ? "'" : "", text, to);
}

/* How many bytes at @s a JSON string can hold without escapes */
static size_t json_plain(const uint8_t *s)
{
	size_t len = 0;

	while (s[len] >= 0x20 && s[len] < 0x7f && s[len] != '"' &&
	       s[len] != '\\')
		len++;
	return len;
}

void json_text(const char *text, FILE *to)
{
	const uint8_t *s = (const uint8_t *)text;
	bool shown;

	putc_unlocked('"', to);
	for (;;) {
		size_t len = json_plain(s);

		fwrite_unlocked(s, 1, len, to);
		s += len;
		if (!*s)
			break;
		shown = utf8_shown((const char *)s, &len);
		if (!utf8_len(s))
			fputs_unlocked("\\ufffd", to);
		else if (!shown)
			fprintf(to, "\\u%04x", utf8_character(s, len));
		else if (*s == '"' || *s == '\\')
			fprintf(to, "\\%c", *s);
		else
			fwrite_unlocked(s, 1, len, to);
		s += len;
	}
	putc_unlocked('"', to);
}

void json_script_text(const char *text, FILE *to)
{
	char *json = NULL, *c;
	size_t len;
	FILE *memory = open_memstream(&json, &len);

	if (!memory) {
		say("out of memory: reduce what the page shows with --limit or --filter");
		exit(EXIT_INPUT);
	}
	json_text(text, memory);
	fclose(memory);
	/* "</script>" and "<!--" would end or change the element. */
	for (c = json; *c; c++) {
		if (*c == '<')
			fputs("\\u003c", to);
		else
			putc(*c, to);
	}
	free(json);
}
