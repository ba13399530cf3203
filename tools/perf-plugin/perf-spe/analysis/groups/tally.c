// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "util/util.h"

static bool tally_by_has(const struct tally *t, const struct field *field)
{
	size_t i;

	for (i = 0; i < t->nr_by; i++)
		if (t->by[i] == field)
			return true;
	return false;
}

bool tally_once(const char *verb, const char *option, bool given)
{
	if (given)
		say("%s: %s is given twice: give one list, such as %s A,B", verb, option, option);
	return !given;
}

bool tally_by(struct tally *t, const char *verb, const char *list)
{
	char *proposal;
	size_t len;

	for (t->nr_by = 0;; list += len + 1) {
		const struct field *field;

		len = strcspn(list, ",");
		field = field_find(list, len);
		if (!field) {
			proposal = field_suggest(list, len);
			say("%s: --by: unknown column '%.*s'; %s", verb,
			    (int)len, list, proposal);
			free(proposal);
			return false;
		}
		if (t->nr_by == TALLY_KEYS) {
			say("%s: --by takes at most %d columns, and '%s' is more: remove it",
			    verb, TALLY_KEYS, list);
			return false;
		}
		if (tally_by_has(t, field)) {
			say("%s: --by lists '%s' twice: remove one", verb,
			    field->name);
			return false;
		}
		t->by[t->nr_by++] = field;
		if (!list[len])
			return true;
	}
}

static bool tally_has_event(const struct tally *t, unsigned int bit)
{
	size_t i;

	for (i = 0; i < t->nr_events; i++)
		if (t->event_bit[i] == bit)
			return true;
	return false;
}

bool tally_events(struct tally *t, const char *verb, const char *list)
{
	unsigned int bit;
	char *proposal;
	size_t len;

	for (t->nr_events = 0;; list += len + 1) {
		len = strcspn(list, ",");
		for (bit = 0; bit < SPE_EVENT_COUNT; bit++)
			if (strlen(armspe_event_name(bit)) == len &&
			    !memcmp(armspe_event_name(bit), list, len))
				break;
		if (bit == SPE_EVENT_COUNT) {
			proposal = suggest(vocabulary_event, list, len);
			say("%s: --events: unknown event '%.*s'; %s", verb,
			    (int)len, list, proposal);
			free(proposal);
			return false;
		}
		if (t->nr_events == TALLY_EVENTS) {
			say("%s: --events takes at most %d events, and '%s' is more: remove it",
			    verb, TALLY_EVENTS, list);
			return false;
		}
		if (tally_has_event(t, bit)) {
			say("%s: --events lists '%s' twice: remove one", verb, armspe_event_name(bit));
			return false;
		}
		t->event_bit[t->nr_events++] = bit;
		if (!list[len])
			return true;
	}
}

enum field_need tally_need(const struct tally *t)
{
	enum field_need need = NEED_RECORD;
	size_t i;

	for (i = 0; i < t->nr_by; i++)
		if (t->by[i]->need > need)
			need = t->by[i]->need;
	return need;
}

unsigned int tally_columns(const struct tally *t)
{
	unsigned int columns = t->nr_events ? ROW_EVENTS : 0;
	size_t i;

	for (i = 0; i < t->nr_by; i++)
		columns |= t->by[i]->columns;
	return columns;
}

bool tally_names_sources(const struct tally *t)
{
	size_t i;

	for (i = 0; i < t->nr_by; i++)
		if (field_names_source(t->by[i]))
			return true;
	return false;
}

static bool same_key(const struct field *field, const struct tally_key *key,
		     const struct value *v)
{
	if (key->present != v->present || !v->present)
		return key->present == v->present;
	return field->kind == FIELD_TEXT ? !strcmp(key->text, v->text) :
					   key->number == v->number;
}

static uint64_t hash_values(const struct tally *t, const struct value *v)
{
	uint64_t hash = 0;
	size_t i;

	for (i = 0; i < t->nr_by; i++) {
		uint64_t one = !v[i].present ? 1 :
			t->by[i]->kind == FIELD_TEXT ?
			hash_string(v[i].text) : v[i].number;

		hash = hash_add(hash, one);
	}
	return hash;
}

/* The key of a lookup in row_table; the hash is first as in struct tally_row. */
struct row_key {
	uint64_t hash;
	const struct tally *tally;
	const struct value *values;
};

static bool same_row(const void *element, const void *key)
{
	const struct tally_row *row = element;
	const struct row_key *k = key;
	size_t i;

	for (i = 0; i < k->tally->nr_by; i++)
		if (!same_key(k->tally->by[i], &row->key[i], &k->values[i]))
			return false;
	return true;
}

static const struct hash_kind row_table = {
	HASH_POINTERS, .hashed = true, .key = { HASH_NUMBER(struct tally_row, hash) },
	.same = same_row,
};

static struct tally_row *row_new(const struct tally *t, const struct value *v,
				 uint64_t hash)
{
	struct tally_row *row = xcalloc(1, sizeof(*row) +
					t->nr_by * sizeof(*row->key));
	size_t i;

	row->hash = hash;
	row->nr_keys = t->nr_by;
	for (i = 0; i < t->nr_by; i++) {
		row->key[i].present = v[i].present;
		if (v[i].present && t->by[i]->kind == FIELD_TEXT)
			row->key[i].text = xstrndup(v[i].text,
						    strlen(v[i].text));
		else if (v[i].present)
			row->key[i].number = v[i].number;
	}
	return row;
}

static struct tally_row *row_get(struct tally *t, const struct value *v)
{
	struct row_key key = { hash_values(t, v), t, v };
	struct tally_row **slot = hash_table_add(&t->table, &row_table, &key);

	if (!*slot)
		*slot = row_new(t, v, key.hash);
	return *slot;
}

static void values_of(const struct tally *t, const struct tally_row *row, struct value *v)
{
	size_t k;

	for (k = 0; k < t->nr_by; k++) {
		v[k].present = row->key[k].present;
		v[k].number = row->key[k].number;
		v[k].text = row->key[k].text;
	}
}

struct tally_row *tally_same(const struct tally *t, const struct tally_row *like)
{
	struct value v[TALLY_KEYS];
	struct row_key key = { like->hash, t, v };
	struct tally_row **slot;

	values_of(t, like, v);
	slot = hash_table_find(&t->table, &row_table, &key);
	return slot ? *slot : NULL;
}

void tally_merge(struct tally *t, const struct tally *from)
{
	struct tally_row **slot = NULL;
	struct value v[TALLY_KEYS];
	size_t k;

	while ((slot = hash_table_next(&from->table, &row_table, slot))) {
		const struct tally_row *other = *slot;
		struct tally_row *row;

		values_of(t, other, v);
		row = row_get(t, v);
		row->count += other->count;
		lag_merge(&row->lag, &other->lag);
		for (k = 0; k < t->nr_events; k++)
			row->event[k] += other->event[k];
		for (k = 0; k < 3; k++)
			hist_merge(&row->latency[k], &other->latency[k]);
	}
	t->count += from->count;
	lag_chain_merge(&t->chain, &from->chain);
}

/* A row of the tally by the keys of its columns, which take less time than the texts */
struct tally_known {
	uint64_t key[TALLY_KEYS];
	uint8_t present[TALLY_KEYS];
	struct tally_row *row;		/* NULL: empty */
};

#define KNOWN	256			/* a power of two */

/* Where the row of these keys is noted */
static struct tally_known *known_at(struct tally *t, const struct tally_known *key)
{
	uint64_t hash = 0;
	size_t i;

	for (i = 0; i < t->nr_by; i++)
		hash = hash_add(hash, key->key[i]);
	return &t->known[hash & (KNOWN - 1)];
}

static bool is_known(const struct tally *t, const struct tally_known *known,
		     const struct tally_known *key)
{
	size_t i;

	for (i = 0; i < t->nr_by; i++)
		if (known->key[i] != key->key[i] || known->present[i] != key->present[i])
			return false;
	return known->row;
}

/* Whether all columns have keys, and no text moves */
static bool has_keys(const struct tally *t, const struct row_batch *b)
{
	const struct session *s = b->rows->resolver.session;
	size_t n;

	for (n = 0; n < t->nr_by; n++)
		if (!t->by[n]->each)
			return false;
	return !(s && s->live);
}

static void get_values(const struct tally *t, const struct row_batch *b, size_t i, struct value *v)
{
	struct row row = batch_row(b);
	size_t n;

	batch_row_at(b, i, &row);
	for (n = 0; n < t->nr_by; n++) {
		v[n].present = false;
		t->by[n]->get(&row, t->by[n]->arg, &v[n]);
	}
}

static void need_known(struct tally *t)
{
	if (!t->known)
		t->known = xcalloc(KNOWN, sizeof(*t->known));
}

/* Most rows have the keys of one that is known. */
static void add_by_keys(struct tally *t, const struct row_batch *b)
{
	uint64_t keys[TALLY_KEYS][ROW_BATCH];
	uint8_t present[TALLY_KEYS][ROW_BATCH];
	struct tally_known key, *known;
	struct value v[TALLY_KEYS];
	size_t k, n;

	need_known(t);
	for (n = 0; n < t->nr_by; n++)
		t->by[n]->each(b, t->by[n]->arg, keys[n], present[n]);
	for (k = 0; k < b->nr; k++) {
		for (n = 0; n < t->nr_by; n++) {
			key.key[n] = keys[n][k];
			key.present[n] = present[n][k];
		}
		known = known_at(t, &key);
		if (!is_known(t, known, &key)) {
			get_values(t, b, b->kept[k], v);
			key.row = row_get(t, v);
			*known = key;
		}
		tally_add_to(t, known->row, b, b->kept[k]);
	}
}

void tally_add(void *context, const struct row_batch *b)
{
	struct tally *t = context;
	struct value v[TALLY_KEYS];
	size_t k;

	if (has_keys(t, b)) {
		add_by_keys(t, b);
		return;
	}
	for (k = 0; k < b->nr; k++) {
		get_values(t, b, b->kept[k], v);
		tally_add_to(t, row_get(t, v), b, b->kept[k]);
	}
}

/* Texts that stay where they are, as symbols do, are keys themselves. */
static bool key_of_values(const struct tally *t, const struct value *v, struct tally_known *key)
{
	size_t n;

	for (n = 0; n < t->nr_by; n++) {
		const bool text = t->by[n]->kind == FIELD_TEXT;

		if (text && v[n].present && v[n].text == v[n].room)
			return false;
		key->present[n] = v[n].present;
		key->key[n] = !v[n].present ? 0 : text ? (uintptr_t)v[n].text : v[n].number;
	}
	return true;
}

struct tally_row *tally_find(struct tally *t, const struct row_batch *b, size_t i)
{
	struct tally_known key, *known;
	struct value v[TALLY_KEYS];

	get_values(t, b, i, v);
	if (!has_keys(t, b) || !key_of_values(t, v, &key))
		return row_get(t, v);
	need_known(t);
	known = known_at(t, &key);
	if (!is_known(t, known, &key)) {
		key.row = row_get(t, v);
		*known = key;
	}
	return known->row;
}

void tally_add_more(struct tally *t, struct tally_row *to, const struct row_batch *b, size_t i)
{
	const uint64_t events = known_events(batch_events(b, i));
	size_t k;

	if (t->precise)
		lag_add_cycles(&t->chain, &to->lag, b->piece, batch_cycles(b, i));
	for (k = 0; k < t->nr_events; k++)
		to->event[k] += events >> t->event_bit[k] & 1;
}

void tally_skip(struct tally *t, const struct piece *piece)
{
	if (t->precise)
		lag_skip(&t->chain, piece);
}

static int key_order(const struct tally_key *a, const struct tally_key *b)
{
	if (a->present != b->present)
		return a->present ? -1 : 1;
	if (a->text && b->text)
		return strcmp(a->text, b->text);
	return a->number < b->number ? -1 : a->number > b->number;
}

static int keys_order(const void *a, const void *b)
{
	const struct tally_row *x = a, *y = b;
	int order = 0;
	size_t i;

	for (i = 0; !order && i < x->nr_keys; i++)
		order = key_order(&x->key[i], &y->key[i]);
	return order;
}

int tally_order(const struct tally_row *a, const struct tally_row *b)
{
	return keys_order(a, b);
}

struct measured tally_measured(const struct tally_row *row)
{
	return (struct measured){ row->count, row->latency, &row->lag };
}

static struct measured measured(const void *row)
{
	return tally_measured(row);
}

void tally_sort(struct tally *t, enum measure by)
{
	struct tally_row **slot = NULL;

	free(t->sorted);
	t->sorted = xcalloc(t->table.count, sizeof(*t->sorted));
	t->nr_sorted = 0;
	t->sum = (struct measured_all){
		.chain = t->precise ? &t->chain : NULL,
	};
	while ((slot = hash_table_next(&t->table, &row_table, slot))) {
		const struct measured row = measured(*slot);

		t->sorted[t->nr_sorted++] = *slot;
		measured_add(&t->sum, &row);
	}
	measure_sort(by, t->sorted, t->nr_sorted, measured, keys_order);
}

void tally_clear(struct tally *t)
{
	struct tally_row **slot = NULL;
	size_t n;

	while ((slot = hash_table_next(&t->table, &row_table, slot))) {
		struct tally_row *row = *slot;

		for (n = 0; n < 3; n++)
			hist_free(&row->latency[n]);
		for (n = 0; n < row->nr_keys; n++)
			free(row->key[n].text);
		free(row);
	}
	hash_table_free(&t->table);
	free(t->known);
	free(t->sorted);
	t->known = NULL;
	t->sorted = NULL;
	t->nr_sorted = 0;
	t->count = 0;
	memset(&t->chain, 0, sizeof(t->chain));
}

void tally_free(struct tally *t)
{
	tally_clear(t);
	memset(t, 0, sizeof(*t));
}

struct tally tally_bare(const struct tally *t)
{
	struct tally options = *t;

	memset(&options.table, 0, sizeof(options.table));
	options.known = NULL;
	options.sorted = NULL;
	options.nr_sorted = 0;
	options.count = 0;
	memset(&options.chain, 0, sizeof(options.chain));
	return options;
}

static void part_begin(void *part, const void *like)
{
	if (part == like)
		tally_clear(part);
	else
		*(struct tally *)part = tally_bare(like);
}

static void part_merge(void *whole, void *part)
{
	tally_merge(whole, part);
}

static void part_free(void *part)
{
	tally_clear(part);
}

const struct row_parts tally_parts = {
	sizeof(struct tally), part_begin, part_merge, part_free,
};
