/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of an export: one row a column, for every format. */
#ifndef PERF_SPE_FIELDS_H
#define PERF_SPE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armspe.h"
#include "input/piece.h"
#include "input/session.h"
#include "symbols/resolve.h"

enum field_kind {
	FIELD_NUMBER,
	FIELD_ADDRESS,		/* 64 bits, shown in hex */
	FIELD_TEXT,
};

/* A record and what is known of it; only this is looked at for a value. */
struct row {
	const struct armspe_record *rec;
	const struct piece *piece;
	const struct session *session;	/* NULL: bare SPE bytes */
	struct owner owner;
	struct place place;
	uint32_t *hint;			/* of the place, or NULL */
	struct armspe_op op;		/* where the record has one */
};

/* Finds out what of rows was left open, for many at once. */
typedef void (*rows_late_fn)(void *context, struct row *rows, size_t count);

struct value {
	bool present;
	uint64_t number;
	const char *text;		/* FIELD_TEXT */
	char room[1024];		/* what text may point to */
};

static inline void set_number(struct value *v, bool present, uint64_t number)
{
	v->present = present;
	v->number = number;
}

static inline void set_text(struct value *v, const char *text)
{
	v->present = text;
	v->text = text;
}

/* What of a row a value is taken from; each includes those before. */
enum field_need { NEED_RECORD, NEED_OWNER, NEED_PLACE };

struct field {
	const char *name;
	enum field_kind kind;
	void (*get)(const struct row *row, unsigned int arg, struct value *v);
	unsigned int arg;
	enum field_need need;
	bool costly;			/* only where it is asked for by name */
	uint8_t bits;			/* that a number needs, or of a text its
					   number among all that the column has */
	/*
	 * The same of many rows at once, for who gathers columns: numbers, or
	 * of a text a key: where keys are equal, the texts are, and @get may
	 * find that one has none.  NULL: no such key, @get tells.
	 */
	void (*each)(const struct row *rows, size_t count, unsigned int arg,
		     uint64_t *numbers, uint8_t *present);
};

extern const struct field fields[];
extern const size_t nr_fields;

const struct field *field_find(const char *name, size_t len);

#endif
