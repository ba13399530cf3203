// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes, features, and the forms in which perf writes them and the events: a file, a pipe,
 * compressed, or a folder of several files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "fuzz.h"

#define MAGIC		0x32454c4946524550ULL	/* "PERFILE2" */
#define HEADER_BYTES	104

/* Of perf's header.h; the others are drawn without a meaning. */
enum { BUILD_ID = 2, HOSTNAME, OSRELEASE, ARCH = 6, NRCPUS, CPUDESC, CPUID, CMDLINE = 11, EVENT_DESC,
       NUMA = 14, PMUS = 16, MEMORY = 22, DIR_FORMAT = 24, CLOCK_DATA = 29 };

uint64_t usual(struct recording *r, uint64_t number)
{
	return r->hostile && one_in(r->dice, 300) ? draw_odd(r->dice) : number;
}

/* Attributes: the first is the SPE event, the others sample beside it. */

/* What "perf record" takes stacks by, or AUX data in samples */
static void add_stacks(struct recording *r, struct perf_event_attr *a)
{
	switch (draw(r->dice, 5)) {
	case 0:				/* frame pointers, and the link register */
		a->sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER;
		a->sample_regs_user = 1 << 30;
		break;
	case 1:
		a->sample_type |= PERF_SAMPLE_CALLCHAIN;
		break;
	case 2:
		a->sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		break;
	case 3:
		a->sample_type |= PERF_SAMPLE_CALLCHAIN | 1 << 20;
		break;
	}
}

static void add_attr(struct recording *r, uint32_t type)
{
	struct perf_event_attr *a = &r->attrs[r->nr_attrs].attr;
	unsigned int i;

	memset(a, 0, ATTR_BYTES);
	a->type = (uint32_t)usual(r, type);
	a->size = (uint32_t)usual(r, one_in(r->dice, 3) ? ATTR_BYTES : 128);
	/* The second bit is the attribute guest. */
	a->config = usual(r, draw(r->dice, 2) | (uint64_t)one_in(r->dice, 4) << 17);
	a->config1 = usual(r, draw(r->dice, 8));
	a->config2 = usual(r, draw(r->dice, 3) * 50);
	a->sample_period = usual(r, 1024);
	a->freq = one_in(r->dice, 8);
	a->exclude_user = one_in(r->dice, 8);
	a->exclude_kernel = one_in(r->dice, 8);
	a->exclude_host = one_in(r->dice, 8);
	a->enable_on_exec = one_in(r->dice, 4);
	a->context_switch = one_in(r->dice, 2);
	a->use_clockid = one_in(r->dice, 8);
	a->clockid = (int32_t)draw(r->dice, 5);
	a->sample_id_all = !one_in(r->dice, 16);
	a->read_format = draw(r->dice, 32);
	a->branch_sample_type = one_in(r->dice, 2) ? 1 << 17 | 1 << 19 : 1;
	a->sample_regs_user = usual(r, 0x1ffffffff);
	a->sample_regs_intr = usual(r, 7);
	a->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	if (type != 8)
		add_stacks(r, a);
	if (one_in(r->dice, 3))
		a->sample_type |= 1 << 21;	/* PERF_SAMPLE_CGROUP */
	for (i = 0; i < 25; i++)	/* all bits that the kernel has */
		if (one_in(r->dice, 16))
			a->sample_type ^= UINT64_C(1) << i;
	for (i = 0; i < 3; i++)
		r->attrs[r->nr_attrs].ids[i] = 100 + r->nr_attrs * 10 + i;
	r->nr_attrs++;
}

/* Features */

static void put_text(struct recording *r, struct bytes *b, const char *text)
{
	size_t len = strlen(text) / 64 * 64 + 64;

	put32(b, (uint32_t)usual(r, len));
	put(b, text, strlen(text));
	fill(b, 0, len - strlen(text));
}

static void add_build_ids(struct recording *r, struct bytes *b)
{
	static const char *const names[] = { "/prog", "[kernel.kallsyms]", "/lib.so", "/prog" };
	size_t count = draw(r->dice, 5), i;

	for (i = 0; i < count; i++) {
		put32(b, 0);
		put16(b, (unsigned int)draw(r->dice, 4));
		put16(b, (unsigned int)usual(r, 36 + 24));
		put32(b, UINT32_MAX);
		put(b, r->tree->id, 20);
		if (one_in(r->dice, 4))
			b->at[b->len - 1] ^= 1;
		put32(b, (uint32_t)usual(r, 20));
		put_padded(b, names[draw(r->dice, 4)]);
		fill(b, 0, 24 - (strlen(names[0]) / 8 + 1) * 8);
	}
}

/* A count, and for each a number and a text */
static void add_numbered(struct recording *r, struct bytes *b, const char *text)
{
	uint32_t count = (uint32_t)draw(r->dice, 3) + 1, i;

	put32(b, (uint32_t)usual(r, count));
	for (i = 0; i < count; i++) {
		put32(b, (uint32_t)usual(r, 8 + i));
		put_text(r, b, text);
	}
}

static void add_descriptions(struct recording *r, struct bytes *b)
{
	unsigned int i, n;

	put32(b, (uint32_t)usual(r, r->nr_attrs));
	put32(b, (uint32_t)usual(r, ATTR_BYTES));
	for (i = 0; i < r->nr_attrs; i++) {
		put(b, r->attrs[i].bytes, ATTR_BYTES);
		put32(b, (uint32_t)usual(r, 3));
		put_text(r, b, i ? "cycles:u" : "arm_spe_0/ts_enable=1/");
		for (n = 0; n < 3; n++)
			put64(b, r->attrs[i].ids[n]);
	}
}

static void add_nodes(struct recording *r, struct bytes *b)
{
	uint32_t count = (uint32_t)draw(r->dice, 3), i;

	put32(b, (uint32_t)usual(r, count));
	for (i = 0; i < count; i++) {
		put32(b, i);
		put64(b, 1024);
		put64(b, 512);
		put_text(r, b, i ? "1-3,5" : "0");
	}
}

static void add_memory(struct recording *r, struct bytes *b)
{
	uint64_t count = draw(r->dice, 3), i;

	put64(b, usual(r, 1));
	put64(b, usual(r, 0x8000000));
	put64(b, usual(r, count));
	for (i = 0; i < count; i++) {
		put64(b, usual(r, i));
		put64(b, usual(r, 64));
		put64(b, usual(r, 64));
		put64(b, usual(r, 5 << i));
	}
}

static void add_feature(struct recording *r, unsigned int bit)
{
	static const char *const texts[] = { [HOSTNAME] = "box", [OSRELEASE] = "9.9.9", [ARCH] = "aarch64",
		[CPUDESC] = "Neoverse-N1", [CPUID] = "0x410fd0c0" };
	struct bytes *b = &r->features[bit];
	size_t i;

	switch (bit) {
	case BUILD_ID:
		add_build_ids(r, b);
		break;
	case HOSTNAME:
	case OSRELEASE:
	case CPUDESC:
	case CPUID:
		put_text(r, b, texts[bit]);
		break;
	case ARCH:
		put_text(r, b, one_in(r->dice, 8) ? "x86_64" : texts[bit]);
		break;
	case NRCPUS:
		put32(b, 4);
		put32(b, (uint32_t)usual(r, 4));
		break;
	case CMDLINE:
		put32(b, (uint32_t)usual(r, 3));
		for (i = 0; i < 3; i++)
			put_text(r, b, i ? "-e" : "perf");
		break;
	case EVENT_DESC:
		add_descriptions(r, b);
		break;
	case NUMA:
		add_nodes(r, b);
		break;
	case PMUS:
		add_numbered(r, b, "arm_spe_0");
		break;
	case MEMORY:
		add_memory(r, b);
		break;
	case CLOCK_DATA:
		put32(b, 1);
		put32(b, (uint32_t)draw(r->dice, 5));
		put64(b, usual(r, UINT64_C(1700000000) * 1000000000));
		put64(b, usual(r, r->now));
		break;
	default:
		for (i = draw(r->dice, 4) + 1; i; i--)
			put64(b, usual(r, draw(r->dice, 2)));
	}
	/* Cut it, or change a byte. */
	if (r->hostile && one_in(r->dice, 24))
		b->len = draw(r->dice, b->len + 1);
	if (r->hostile && b->len && one_in(r->dice, 24))
		b->at[draw(r->dice, b->len)] = (uint8_t)draw_odd(r->dice);
}

void recording_make(struct recording *r, struct dice *d, const struct tree *t, bool hostile)
{
	unsigned int i;

	memset(r, 0, sizeof(*r));
	r->dice = d;
	r->tree = t;
	r->hostile = hostile;
	r->now = 1000000;
	armspe_encode_init(&r->spe, r->spe_bytes, sizeof(r->spe_bytes));
	add_attr(r, 8);
	for (i = (unsigned int)draw(d, ATTRS_MOST); i; i--)
		add_attr(r, one_in(d, 3) ? 8 : (uint32_t)draw(d, 3));
	for (i = 2; i < FEATURES; i++)
		if (!one_in(d, 3))
			add_feature(r, i);
	/* One file of a folder is refused. */
	r->features[DIR_FORMAT].len = 0;
	events_begin(r);
	events_add(r, draw(d, 48));
}

void recording_free(struct recording *r)
{
	unsigned int i;

	for (i = 0; i < FEATURES; i++)
		free(r->features[i].at);
	free(r->events.at);
}

/* A recording that perf or the program fixture wrote */

static uint64_t load64(const struct bytes *b, uint64_t at)
{
	uint64_t value = 0;

	if (at <= b->len && b->len - at >= 8)
		memcpy(&value, b->at + at, 8);
	return value;
}

/* Events at random become fewer, more, and change their places; AUX data get shorter. */
static void take_events(struct recording *r, const struct bytes *from)
{
	size_t at, size, follows, aux;

	for (at = 0; (size = event_size(from, at, &follows)); at += size + follows) {
		aux = follows < 4096 ? follows : 4096;
		if (r->hostile && one_in(r->dice, 16))
			continue;
		r->event_at = r->events.len;
		put(&r->events, from->at + at, size);
		if (follows)
			memcpy(r->events.at + r->event_at + 8, &aux, 8);
		if (r->hostile && one_in(r->dice, 16) && size >= 16) {
			uint64_t odd = draw_odd(r->dice);

			memcpy(r->events.at + r->event_at + draw(r->dice, (size - 8) / 4) * 4, &odd, 8);
		}
		put(&r->events, from->at + at + size, aux);
		if (r->hostile && one_in(r->dice, 16))
			events_add(r, 1 + draw(r->dice, 4));
	}
}

void recording_read(struct recording *r, const struct bytes *seed)
{
	uint64_t entry = load64(seed, 16), attrs = load64(seed, 24), i;
	struct bytes events = { seed->at + load64(seed, 40), load64(seed, 48), 0 };
	uint64_t bits = load64(seed, 72), table = load64(seed, 40) + load64(seed, 48);

	for (i = 0; i < load64(seed, 32) / entry && i < ATTRS_MOST; i++) {
		const uint8_t *at = seed->at + attrs + i * entry;
		uint64_t ids = load64(seed, attrs + (i + 1) * entry - 16);

		memset(&r->attrs[i], 0, sizeof(r->attrs[i]));
		memcpy(r->attrs[i].bytes, at, entry - 16 < ATTR_BYTES ? entry - 16 : ATTR_BYTES);
		r->attrs[i].ids[0] = r->attrs[i].ids[1] = r->attrs[i].ids[2] = load64(seed, ids);
	}
	r->nr_attrs = (unsigned int)i;
	for (i = 0; i < FEATURES; i++) {
		if (!(bits >> i & 1))
			continue;
		r->features[i].len = 0;
		put(&r->features[i], seed->at + load64(seed, table), load64(seed, table + 8));
		table += 16;
	}
	r->events.len = 0;
	take_events(r, &events);
}

/* Forms */

static void write_file(struct recording *r, const char *path, const struct bytes *events)
{
	uint64_t entry = ATTR_BYTES + 16, ids = HEADER_BYTES, attrs = ids + 24 * r->nr_attrs;
	uint64_t start = attrs + entry * r->nr_attrs, at = start + events->len, bits = 0;
	struct bytes b = { 0 };
	unsigned int i, nr = 0;

	for (i = 0; i < FEATURES; i++) {
		bits |= (uint64_t)!!r->features[i].len << i;
		nr += !!r->features[i].len;
	}
	put64(&b, usual(r, MAGIC));
	put64(&b, usual(r, HEADER_BYTES));
	put64(&b, usual(r, entry));
	put64(&b, usual(r, attrs));
	put64(&b, usual(r, entry * r->nr_attrs));
	put64(&b, usual(r, start));
	put64(&b, usual(r, events->len));
	fill(&b, 0, 16);
	put64(&b, usual(r, bits));
	fill(&b, 0, 24);
	for (i = 0; i < r->nr_attrs; i++)
		put(&b, r->attrs[i].ids, 24);
	for (i = 0; i < r->nr_attrs; i++) {
		put(&b, r->attrs[i].bytes, ATTR_BYTES);
		put64(&b, usual(r, ids + 24 * i));
		put64(&b, usual(r, 24));
	}
	put(&b, events->at, events->len);
	for (i = 0, at += 16 * nr; i < FEATURES; at += r->features[i++].len)
		if (r->features[i].len) {
			put64(&b, usual(r, at));
			put64(&b, usual(r, r->features[i].len));
		}
	for (i = 0; i < FEATURES; i++)
		put(&b, r->features[i].at, r->features[i].len);
	if (r->hostile && one_in(r->dice, 16))
		b.len = draw(r->dice, b.len);
	for (i = (unsigned int)draw(r->dice, 4); r->hostile && i && b.len > 8; i--) {
		at = draw_odd(r->dice);
		memcpy(b.at + draw(r->dice, b.len - 8), &at, (size_t)1 << draw(r->dice, 4));
	}
	input_put(path, b.at, b.len);
	free(b.at);
}

/* After the header everything is an event. */
static void write_pipe(struct recording *r, const char *path)
{
	struct bytes b = { 0 }, all = r->events;
	unsigned int i;

	put64(&b, MAGIC);
	put64(&b, 16);
	r->events = b;
	for (i = 0; i < r->nr_attrs; i++) {
		event_begin(r, 64, 0);
		put(&r->events, r->attrs[i].bytes,
		    r->attrs[i].attr.size <= ATTR_BYTES ? r->attrs[i].attr.size : ATTR_BYTES);
		put(&r->events, r->attrs[i].ids, 24);
		event_end(r);
	}
	for (i = 0; i < FEATURES; i++) {
		if (i == BUILD_ID || !r->features[i].len || r->features[i].len > 60000)
			continue;
		event_begin(r, 80, 0);
		put64(&r->events, i);
		put(&r->events, r->features[i].at, r->features[i].len);
		event_end(r);
	}
	put(&r->events, all.at, all.len);
	if (r->hostile && one_in(r->dice, 16))
		r->events.len = draw(r->dice, r->events.len);
	input_put(path, r->events.at, r->events.len);
	free(r->events.at);
	r->events = all;
}

#ifdef HAVE_ZSTD

/* Cut @plain, as zstd makes it, into events of a few bytes or many. */
static void put_compressed(struct recording *r, struct bytes *to, ZSTD_CCtx *stream,
			   const struct bytes *plain)
{
	static uint8_t packed[1 << 20];
	ZSTD_inBuffer in = { plain->at, plain->len, 0 };
	ZSTD_outBuffer out = { packed, sizeof(packed), 0 };
	size_t from, part, step = one_in(r->dice, 2) ? 50 : 4000;

	if (ZSTD_isError(ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush)))
		return;
	for (from = 0; from < out.pos; from += part) {
		bool newer = from / step % 2;	/* COMPRESSED2 has its size, and is padded. */

		part = out.pos - from < step ? out.pos - from : step;
		if (r->hostile && one_in(r->dice, 64))
			packed[from + draw(r->dice, part)] ^= (uint8_t)(1 << draw(r->dice, 8));
		put32(to, newer ? 83 : 81);
		put16(to, 0);
		put16(to, (unsigned int)usual(r, newer ? 16 + (part + 7) / 8 * 8 : 8 + part));
		if (newer)
			put64(to, usual(r, part));
		put(to, packed + from, part);
		fill(to, 0, newer ? -part & 7 : 0);
	}
}

/* perf compresses what the kernel wrote, and not what it adds itself. */
static struct bytes compress(struct recording *r)
{
	ZSTD_CCtx *stream = ZSTD_createCCtx();
	struct bytes packed = { 0 }, plain = { 0 };
	size_t at, size, follows;
	uint32_t type;

	for (at = 0; (size = event_size(&r->events, at, &follows)); at += size + follows) {
		memcpy(&type, r->events.at + at, 4);
		if (type < 64 || one_in(r->dice, 200)) {
			put(&plain, r->events.at + at, size);
			continue;
		}
		put_compressed(r, &packed, stream, &plain);
		plain.len = 0;
		put(&packed, r->events.at + at, size + follows);
	}
	put_compressed(r, &packed, stream, &plain);
	put(&packed, r->events.at + at, r->events.len - at);
	ZSTD_freeCCtx(stream);
	free(plain.at);
	return packed;
}

#else

static struct bytes compress(struct recording *r)
{
	struct bytes same = { 0 };

	put(&same, r->events.at, r->events.len);
	return same;
}

#endif

/* perf record --threads: the header's file has what perf adds, and each thread's file its events. */
static void write_folder(struct recording *r, const char *path, const struct bytes *events)
{
	static const char *const names[] = { "data.0", "data.1", "data.2", "data.x", "data.7", "other" };
	struct bytes none = { 0 };
	size_t at = 0, size, follows, from = 0, file = 0;
	char name[256];

	if (!r->hostile || !one_in(r->dice, 8)) {
		r->features[DIR_FORMAT].len = 0;
		put64(&r->features[DIR_FORMAT], usual(r, 1));
	}
	while ((size = event_size(events, at, &follows))) {
		at += size + follows;
		if (file < 3 && one_in(r->dice, 12)) {
			snprintf(name, sizeof(name), "%s/%s", path,
				 names[r->hostile && one_in(r->dice, 6) ? draw(r->dice, 6) : file]);
			input_put(name, events->at + from, at - from);
			from = at;
			file++;
		}
	}
	none = (struct bytes){ events->at + from, events->len - from, 0 };
	snprintf(name, sizeof(name), "%s/data", path);
	write_file(r, name, &none);
	snprintf(name, sizeof(name), "%s/kcore_dir/kallsyms", path);
	if (one_in(r->dice, 2))
		input_put(name, "ffff800008000000 T _text\nffff800008000100 T inside\n", 52);
	snprintf(name, sizeof(name), "%s/data.4/file", path);
	if (r->hostile && one_in(r->dice, 16))
		input_put(name, "x", 1);
}

void recording_write(struct recording *r, const char *path)
{
	struct bytes packed = { 0 };
	unsigned int form = (unsigned int)draw(r->dice, 8);

	if (one_in(r->dice, 5))
		packed = compress(r);
	if (form == 0)
		write_folder(r, path, packed.at ? &packed : &r->events);
	else if (form == 1)
		write_pipe(r, path);
	else
		write_file(r, path, packed.at ? &packed : &r->events);
	free(packed.at);
}
