// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "output/text/text.h"
#include "util/util.h"

/* The key of a column, to be freed */
static char *key_of(const char *before, const char *column, const char *after)
{
	char *key = xformat("%s%s%s", before, column, after), *at;

	for (at = key; (at = strchr(at, '-'));)
		*at = '_';
	return key;
}

void table_interval_data(struct data *d, const char *name, bool known, const struct interval *i)
{
	char *low = xformat("%s_low", name), *high = xformat("%s_high", name);

	data_real(d, low, known, known ? i->low : 0);
	data_real(d, high, known && !i->open, known ? i->high : 0);
	free(low);
	free(high);
}

/* One number; @ci: and its interval */
static void table_measure_data(struct data *d, enum measure m, bool ci, const struct measured *row,
			       const struct measured_all *all)
{
	enum measure_kind kind = measure_kind(m);
	char *key = key_of("", measure_name(m),
			   kind == KIND_COST || kind == KIND_SHARE ? "_percent" : "");
	struct interval i;
	double number = 0;
	bool known = measure_get(m, row, all, &number);

	if (known && (kind == KIND_COUNT || kind == KIND_SUM))
		data_number(d, key, kind == KIND_COUNT ? row->count : row->latency[measure_of(m)].sum);
	else
		data_real(d, key, known, number);
	if (ci) {
		known = precision_get(m, row, all, &i);
		table_interval_data(d, key, known, &i);
	}
	free(key);
}

void table_measures_data(struct data *d, const enum measure *list, size_t count, bool ci,
			 const struct measured *row, const struct measured_all *all)
{
	size_t i;

	for (i = 0; i < count; i++)
		table_measure_data(d, list[i], ci, row, all);
}

void table_key_data(struct data *d, const struct field *field, const struct tally_key *key)
{
	if (!key->present)
		data_none(d, field->name);
	else if (field->kind == FIELD_TEXT)
		data_text(d, field->name, key->text);
	else if (field->kind == FIELD_ADDRESS)
		data_address(d, field->name, key->number);
	else
		data_number(d, field->name, key->number);
}

void table_event_data(struct data *d, unsigned int bit, bool ci, uint64_t event, uint64_t count)
{
	char *key = key_of("event_", armspe_event_name(bit), "_percent");
	struct interval i;

	data_real(d, key, count, percent(event, count));
	if (ci) {
		i = interval_share((double)event, (double)count, 1);
		i.low *= 100;
		i.high *= 100;
		table_interval_data(d, key, true, &i);
	}
	free(key);
}

void table_tally_data(struct data *d, const struct columns *c, const struct tally *t, uint64_t limit)
{
	size_t i, n;

	for (i = 0; i < t->nr_sorted && (!limit || i < limit); i++) {
		const struct tally_row *row = t->sorted[i];
		const struct measured measured = tally_measured(row);

		data_row(d);
		for (n = 0; n < c->nr; n++) {
			const unsigned int index = c->list[n].index;

			if (c->list[n].kind == COLUMN_KEY)
				table_key_data(d, t->by[index], &row->key[index]);
			else if (c->list[n].kind == COLUMN_EVENT)
				table_event_data(d, t->event_bit[index], c->intervals,
						 row->event[index], row->count);
			else
				table_measure_data(d, (enum measure)index, c->intervals, &measured,
						   &t->sum);
		}
		data_row_end(d);
	}
}

void table_place_data(struct data *d, unsigned int key, const struct place *place)
{
	if (key) {
		data_text(d, "object", place->object);
		return;
	}
	data_text(d, "symbol", place->symbol);
	if (!place->symbol && place->has_address && place->address)
		data_address(d, "address", place->address);
	else
		data_none(d, "address");
}

void table_groups_data(struct data *d, const struct columns *c, const struct groups *groups,
		       uint64_t limit)
{
	size_t i, n;

	for (i = 0; i < groups->nr_sorted && (!limit || i < limit); i++) {
		const struct group *group = groups->sorted[i];
		const struct measured measured = { group->count, group->latency, &group->lag };

		data_row(d);
		for (n = 0; n < c->nr; n++)
			if (c->list[n].kind == COLUMN_KEY)
				table_place_data(d, c->list[n].index, &group->place);
			else
				table_measure_data(d, (enum measure)c->list[n].index, c->intervals,
						   &measured, &groups->sum);
		data_row_end(d);
	}
}

/* Whose rows of a table these are; @file NULL: those of the only recording, without a column for it */
struct facts {
	struct data *d;
	const char *file;
};

static void begin_fact(const struct facts *f)
{
	data_row(f->d);
	if (f->file)
		data_text(f->d, "file", f->file);
}

static void put_fact(void *context, const char *name, char *text)
{
	const struct facts *f = context;

	begin_fact(f);
	data_text(f->d, "name", name);
	data_take_text(f->d, "text", text);
	data_row_end(f->d);
}

static void put_losses(struct data *d, const struct session *s)
{
	data_flag(d, "damaged", s->pd.damaged);
	data_number(d, "aux_truncated", s->aux_truncated);
	data_number(d, "aux_partial", s->aux_partial);
	data_number(d, "aux_collision", s->aux_collision);
	data_number(d, "lost", s->lost_records);
}

static void put_gaps(const struct facts *f, const struct session *s)
{
	struct data *d = f->d;
	size_t count, i;
	struct gap *gaps = session_gaps(s, &count);

	for (i = 0; i < count; i++) {
		begin_fact(f);
		data_number(d, "cpu", gaps[i].cpu);
		data_number(d, "from_ns", gaps[i].from);
		data_number(d, "to_ns", gaps[i].to);
		data_row_end(d);
	}
	free(gaps);
}

void table_recording_data(struct data *d, const struct rows *r)
{
	const struct session *s = r->resolver.session;
	struct facts facts = { .d = d };

	data_table(d, "recording");
	heading_each(r, put_fact, &facts);
	data_table_end(d);
	if (!s)
		return;
	data_object(d, "losses");
	put_losses(d, s);
	data_object_end(d);
	data_table(d, "offline_cpus");
	put_gaps(&facts, s);
	data_table_end(d);
}

void table_recordings_data(struct data *d, const struct rows *r, size_t count)
{
	struct facts facts = { .d = d };
	size_t i;

	data_table(d, "recording");
	for (i = 0; i < count; i++) {
		facts.file = r[i].src.path;
		heading_each(&r[i], put_fact, &facts);
	}
	data_table_end(d);
	data_table(d, "losses");
	for (i = 0; i < count; i++) {
		facts.file = r[i].src.path;
		begin_fact(&facts);
		put_losses(d, r[i].resolver.session);
		data_row_end(d);
	}
	data_table_end(d);
	data_table(d, "offline_cpus");
	for (i = 0; i < count; i++) {
		facts.file = r[i].src.path;
		put_gaps(&facts, r[i].resolver.session);
	}
	data_table_end(d);
}
