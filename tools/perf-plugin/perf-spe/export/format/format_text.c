// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text formats with one line per row: NAME=VALUE pairs, CSV (RFC 4180) and JSON
 * (RFC 8259).  A missing value is left out; in CSV its field is empty.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "export/format/format.h"
#include "util/util.h"

/*
 * A row has forty values, and a recording has many millions of rows: avoid format
 * strings and locks below.
 */
static void put(const char *bytes, size_t len, FILE *to)
{
	fwrite_unlocked(bytes, 1, len, to);
}

static void put_text(const char *text, FILE *to)
{
	put(text, strlen(text), to);
}

static void put_number(const struct field *field, const struct value *v,
		       FILE *to)
{
	bool hex = field->kind == FIELD_ADDRESS;
	unsigned int base = hex ? 16 : 10;
	uint64_t number = v->number;
	char digits[24];
	size_t at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	if (hex) {
		digits[--at] = 'x';
		digits[--at] = '0';
	}
	put(digits + at, sizeof(digits) - at, to);
}

/* NAME=VALUE, with blanks between */
static void words_row(struct writer *w, const struct row *row)
{
	struct value v;
	size_t i, n = 0;

	for (i = 0; i < w->nr_columns; i++) {
		const struct field *field = w->columns[i];

		v.present = false;
		field->get(row, field->arg, &v);
		if (!v.present)
			continue;
		if (n++)
			putc_unlocked(' ', w->to);
		put_text(field->name, w->to);
		putc_unlocked('=', w->to);
		if (field->kind == FIELD_TEXT)
			put_name(v.text, w->to);
		else
			put_number(field, &v, w->to);
	}
	putc_unlocked('\n', w->to);
}

static int csv_begin(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->nr_columns; i++)
		fprintf(w->to, "%s%s", i ? "," : "", w->columns[i]->name);
	fputs("\r\n", w->to);
	return 0;
}

static void csv_row(struct writer *w, const struct row *row)
{
	void (*put_field)(const char *text, FILE *to) = w->no_formulas ? csv_no_formula : csv_text;
	struct value v;
	size_t i;

	for (i = 0; i < w->nr_columns; i++) {
		const struct field *field = w->columns[i];

		if (i)
			putc_unlocked(',', w->to);
		v.present = false;
		field->get(row, field->arg, &v);
		if (v.present && field->kind == FIELD_TEXT)
			put_field(v.text, w->to);
		else if (v.present)
			put_number(field, &v, w->to);
	}
	put("\r\n", 2, w->to);
}

/* Addresses are strings, as many readers of JSON round numbers to 53 bits. */
static void json_row(struct writer *w, const struct row *row)
{
	struct value v;
	size_t i, n = 0;

	putc_unlocked('{', w->to);
	for (i = 0; i < w->nr_columns; i++) {
		const struct field *field = w->columns[i];

		v.present = false;
		field->get(row, field->arg, &v);
		if (!v.present)
			continue;
		put_text(n++ ? ",\"" : "\"", w->to);
		put_text(field->name, w->to);
		put("\":", 2, w->to);
		if (field->kind == FIELD_ADDRESS)
			putc_unlocked('"', w->to);
		if (field->kind == FIELD_TEXT)
			json_text(v.text, w->to);
		else
			put_number(field, &v, w->to);
		if (field->kind == FIELD_ADDRESS)
			putc_unlocked('"', w->to);
	}
	put("}\n", 2, w->to);
}

const struct format format_text = {
	.name = "text", .suffix = "txt", .row = words_row,
};

const struct format format_csv = {
	.name = "csv", .suffix = "csv", .begin = csv_begin, .row = csv_row,
};

const struct format format_jsonl = {
	.name = "jsonl", .suffix = "jsonl", .row = json_row,
};
