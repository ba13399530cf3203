// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "armspe.h"
#include "symbols/symbols.h"
#include "system/system.h"
#include "util/util.h"

static const struct hash_kind sums = {
	HASH_POINTERS,
	.key = { HASH_NUMBER(struct sum, group), HASH_NUMBER(struct sum, dso),
		 HASH_NUMBER(struct sum, object), HASH_NUMBER(struct sum, symbol),
		 HASH_NUMBER(struct sum, source), HASH_NUMBER(struct sum, address),
		 HASH_NUMBER(struct sum, events), HASH_NUMBER(struct sum, code), HASH_NUMBER(struct sum, node) },
};

static void add_latency(struct latencies *l, uint16_t cycles)
{
	l->count[cycles ? 32 - __builtin_clz(cycles) : 0]++;
	l->cycles += cycles;
}

/* What a sample counts as: the name of its source, or the code.  Stores have no meaning there. */
static void find_source(const struct row_batch *b, size_t i, bool known, uint64_t midr, struct sum *key)
{
	struct armspe_source source;

	if (!(b->valid[i] & ARMSPE_HAS_SOURCE) || !(b->valid[i] & ARMSPE_HAS_OP) ||
	    batch_op(b, i)->flags & ARMSPE_OPF_STORE)
		return;
	if (known && armspe_source_decode(midr, b->source[i], &source))
		key->source = source.name;
	else
		key->code = b->source[i] + 1u;
}

static void find_place(const struct reduce *r, const struct row_batch *b, size_t i, struct sum *key)
{
	const struct place *place = b->place[i];

	if (!place->has_address)
		return;
	key->object = place->object;
	key->dso = place->dso;
	if (r->symbols)
		key->symbol = place->symbol;
	if (!key->symbol)
		key->address = place_address(place, b->pc[i]);
}

static struct sum *sum_of(struct reduce *r, const struct sum *key)
{
	struct sum **slot = hash_table_find(&r->sums, &sums, key);

	if (slot)
		return *slot;
	if (r->sums.count >= r->most)
		return &r->other;
	slot = hash_table_add(&r->sums, &sums, key);
	*slot = xcalloc(1, sizeof(**slot));
	**slot = *key;
	return *slot;
}

static struct source_samples *source_of(struct reduce *r, const struct sum *key)
{
	char name[SOURCE_NAME];
	size_t i;

	if (key->source)
		snprintf(name, sizeof(name), "%s", key->source);
	else if (key->code)
		snprintf(name, sizeof(name), "code-%" PRIu32, key->code - 1);
	else
		snprintf(name, sizeof(name), "none");
	for (i = 0; i < r->nr_sources; i++)
		if (!strcmp(r->sources[i].name, name))
			return &r->sources[i];
	if (i == SOURCES)
		return &r->sources[SOURCES - 1];
	strcpy(r->sources[i].name, i == SOURCES - 1 ? "other" : name);
	r->nr_sources++;
	return &r->sources[i];
}

void reduce_begin(struct reduce *r, const char *root)
{
	r->cpu_nodes = cpu_nodes(root, &r->nr_cpus);
	r->other.node = -1;
}

void reduce_add(void *context, const struct row_batch *b)
{
	struct reduce *r = context;
	struct source_samples *source;
	struct sum *s;
	uint64_t midr;
	bool known = batch_midr(b, &midr);
	int32_t node = (size_t)b->piece->cpu < r->nr_cpus ? r->cpu_nodes[b->piece->cpu] : -1;
	size_t k;

	for (k = 0; k < b->nr; k++) {
		size_t i = b->kept[k];
		struct sum key = { .group = batch_owner(b, i)->group, .events = batch_events(b, i), .node = node };

		find_source(b, i, known, midr, &key);
		find_place(r, b, i, &key);
		s = sum_of(r, &key);
		source = source_of(r, &key);
		r->samples++;
		s->samples++;
		s->midr = known ? midr : 0;
		source->samples++;
		reservoir_add(&r->raw, b, i, s);
		if (!batch_has(b, i, SPE_COUNTER_TOTAL))
			continue;
		add_latency(&s->latencies, b->total[i]);
		add_latency(&source->latencies, b->total[i]);
	}
}

static int sum_order(const void *a, const void *b)
{
	const struct sum *x = *(const struct sum *const *)a, *y = *(const struct sum *const *)b;

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	if (text_order(x->object, y->object))
		return text_order(x->object, y->object);
	return text_order(x->symbol, y->symbol);
}

const struct sum **reduce_sorted(const struct reduce *r)
{
	const struct sum **sorted = xcalloc(r->sums.count + 1, sizeof(*sorted));
	struct sum **slot = NULL;
	size_t nr = 0;

	while ((slot = hash_table_next(&r->sums, &sums, slot)))
		sorted[nr++] = *slot;
	qsort(sorted, nr, sizeof(*sorted), sum_order);
	return sorted;
}

/* Names of hostile programs may have megabytes. */
#define NAME_MOST	1000

/* The text, or what is left of a long one, to be freed; NULL: it is not too long */
static char *cut_text(const char *text)
{
	return text && strnlen(text, NAME_MOST + 1) > NAME_MOST ? xformat("%.*s...", NAME_MOST, text) : NULL;
}

static void put_text(const char *name, const char *text, FILE *to)
{
	char *cut = cut_text(text);

	if (!text)
		return;
	fprintf(to, ",\"%s\":", name);
	json_text(cut ? cut : text, to);
	free(cut);
}

static void put_build_id(const struct dso *dso, FILE *to)
{
	const uint8_t *id = dso->build_id_len ? dso->build_id : dso->file_id;
	size_t i, len = dso->build_id_len ? dso->build_id_len : dso->file_id_len;

	if (!len)
		return;
	fputs(",\"build_id\":\"", to);
	for (i = 0; i < len; i++)
		fprintf(to, "%02x", id[i]);
	putc('"', to);
}

static void put_events(const struct sum *s, FILE *to)
{
	const char *before = "";
	unsigned int bit;

	fputs(",\"events\":\"", to);
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++)
		if (s->events >> bit & 1) {
			fprintf(to, "%s%s", before, armspe_event_of(s->midr, s->events, bit));
			before = "|";
		}
	putc('"', to);
}

static void put_latencies(const struct latencies *l, FILE *to)
{
	unsigned int i, nr = LATENCIES;

	while (nr && !l->count[nr - 1])
		nr--;
	fprintf(to, ",\"cycles\":%" PRIu64 ",\"latencies\":[", l->cycles);
	for (i = 0; i < nr; i++)
		fprintf(to, "%s%" PRIu64, i ? "," : "", l->count[i]);
	putc(']', to);
}

void reduce_print(const struct reduce *r, const struct sum *s, FILE *to)
{
	fprintf(to, "{\"samples\":%" PRIu64, s->samples);
	if (s->group) {
		put_text("cgroup", s->group->path, to);
		put_text("pod", s->group->pod, to);
		put_text("container", s->group->container, to);
	}
	put_text("object", s->object, to);
	if (s->dso)
		put_build_id(s->dso, to);
	put_text("symbol", s->symbol, to);
	if (s->object && !s->symbol)
		fprintf(to, ",\"address\":\"0x%" PRIx64 "\"", s->address);
	put_text("source", s->source, to);
	if (s->code)
		fprintf(to, ",\"source_code\":%" PRIu32, s->code - 1);
	if (s->node >= 0)
		fprintf(to, ",\"node\":%" PRId32, s->node);
	put_events(s, to);
	put_latencies(&s->latencies, to);
	reservoir_print(&r->raw, s, to);
	fputs("}\n", to);
}

static const char *keep_text(struct texts *t, const char *text)
{
	char *cut = cut_text(text);

	if (!cut)
		return text;
	t->text = array_grow(t->text, t->nr, &t->room, sizeof(*t->text));
	return t->text[t->nr++] = cut;
}

static void add_to_profile(const struct sum *s, const char *name, const char *object, struct profile *p,
			   struct texts *texts)
{
	const struct frame_function function = {
		.name = keep_text(texts, name), .object = keep_text(texts, object), .dso = s->dso,
	};
	const struct frame frame = {
		.address = s->symbol ? 0 : s->address, .function = frames_function(&p->frames, &function),
	};
	struct profile_sum sum = {
		.thread = profile_group(p, s->group),
		.stack = frames_path(&p->frames, NO_STACK, frames_frame(&p->frames, &frame)),
	};
	unsigned int i;

	sum.value[PROFILE_SAMPLES] = s->samples;
	sum.value[PROFILE_CYCLES] = s->latencies.cycles;
	sum.value[PROFILE_MISSES] = s->events & PROFILE_MISS_EVENTS ? s->samples : 0;
	sum.value[PROFILE_PERIOD] = s->samples * p->period;
	for (i = 0; i < NR_PROFILE_VALUES; i++)
		p->total[i] += sum.value[i];
	profile_add_sum(p, &sum);
}

void reduce_profile(const struct reduce *r, struct profile *p, struct texts *texts)
{
	struct sum **slot = NULL, *s;

	while ((slot = hash_table_next(&r->sums, &sums, slot))) {
		s = *slot;
		add_to_profile(s, s->symbol, s->object ? s->object : "[unknown]", p, texts);
	}
	if (r->other.samples)
		add_to_profile(&r->other, "[beyond the setting rows]", "[other]", p, texts);
}

void reduce_free(struct reduce *r)
{
	struct sum **slot = NULL;

	while ((slot = hash_table_next(&r->sums, &sums, slot)))
		free(*slot);
	hash_table_free(&r->sums);
	free(r->raw.rows);
	free(r->cpu_nodes);
	memset(r, 0, sizeof(*r));
}
