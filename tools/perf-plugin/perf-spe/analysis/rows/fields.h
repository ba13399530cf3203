/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of an export, the same in every format. */
#ifndef PERF_SPE_FIELDS_H
#define PERF_SPE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armspe.h"
#include "analysis/stacks/caller.h"
#include "input/piece.h"
#include "input/session.h"
#include "symbols/resolve.h"
#include "util/suggest.h"

enum field_kind {
	FIELD_NUMBER,
	FIELD_ADDRESS,		/* 64 bits, shown in hex */
	FIELD_TEXT,
};

struct data_names;
struct data_place;
struct heap_names;
struct instance;
struct stack_finder;

/* A record and what is known of it; getters read nothing else. */
struct row {
	const struct armspe_record *rec;
	const struct piece *piece;
	const struct session *session;	/* NULL: SPE bytes alone */
	struct owner owner;
	uint64_t time;			/* with the owner: see struct owner_memo */
	struct place place;
	struct data_names *data;	/* names data addresses; NULL: nothing does */
	struct heap_names *heap;	/* names blocks of heaps; NULL: nothing does */
	uint32_t *hint;			/* of the place, or NULL */
	uint64_t midr;			/* of --cpu-model; 0: as recorded */
	struct armspe_op op;		/* where the record has one */
	/* Call stacks, see stacks.h */
	struct stack_finder *stacks;	/* NULL: the recording has none, or nothing asks */
	enum stack_status stack;	/* if @stacks is set */
	const struct caller *callers;	/* of the row's function; NULL: none, or no stack */
};

/* MIDR_EL1 of the core that took the sample; false if it is not known */
static inline bool row_midr(const struct row *row, uint64_t *midr)
{
	*midr = row->midr;
	return row->midr || (row->session &&
			     session_midr(row->session, row->piece->cpu, midr));
}

/* Events that the architecture defines: of E[0] that is so only if E[1] is 1 (D18.2.6). */
static inline uint64_t known_events(const struct armspe_record *rec)
{
	return rec->events >> SPE_EVENT_RETIRED & 1 ? rec->events :
	       rec->events & ~(UINT64_C(1) << SPE_EVENT_EXCEPTION);
}

/* What the row's data virtual address belongs to; false if it has none. */
bool row_data(const struct row *row, struct data_place *place);
/* What the row's load or store accesses, for the columns type and field; false if that is not known. */
bool row_instance(const struct row *row, struct instance *i);

/* Completes rows that were made without their place, many at once. */
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

/* The parts of a row that a value needs; each includes those before. */
enum field_need { NEED_RECORD, NEED_OWNER, NEED_PLACE, NEED_STACK };

struct field {
	const char *name;
	enum field_kind kind;
	void (*get)(const struct row *row, unsigned int arg, struct value *v);
	unsigned int arg;
	enum field_need need;
	bool costly;			/* no default column: slow to find */
	uint8_t bits;			/* of a number, or of a text's number in
					   the column's dictionary */
	/*
	 * @get for many rows at once, used by column_batch.c.  For texts it
	 * gives keys instead: rows with equal keys have equal texts, or none.
	 * NULL if the column has no such key.
	 */
	void (*each)(const struct row *rows, size_t count, unsigned int arg,
		     uint64_t *numbers, uint8_t *present);
	/*
	 * The words that the column's texts are, or that they list between bars.
	 * NULL: any text.
	 */
	word_fn words;
};

extern const struct field fields[];
extern const size_t nr_fields;

const struct field *field_find(const char *name, size_t len);
/* The names of the columns: a word_fn */
const char *field_name(unsigned int index);

#endif
