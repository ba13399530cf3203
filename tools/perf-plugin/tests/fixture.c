// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes SPE bytes or perf.data files from a description on standard input:
 *
 *   fixture raw OUT < description
 *   fixture perf OUT < description
 *   fixture pipe OUT < description      in the form of perf record -o -
 *   fixture zstd OUT < description      in that of perf record -z
 *
 * One line a thing; numbers in C notation, -1 for "none":
 *
 *   rec KEY=VALUE...       append a record to the pending SPE bytes:
 *                          pc va pa target prev total issue xlat events class op
 *                          ctx1 ctx2 source ts align
 *   pad N / byte V...      append padding, or any bytes
 *   info TYPE              AUXTRACE_INFO, of version 1
 *   midrs CPUS MIDR...     AUXTRACE_INFO of Arm SPE, of version 2
 *   pmus-of-cpus CPUS TYPE...   the same with PMUs that differ
 *   comm PID TID TIME EXEC NAME
 *   map PID START LEN PGOFF TIME BUILD-ID NAME   BUILD-ID in hex, or -
 *   kmap START LEN PGOFF NAME
 *   fork PID PARENT TIME
 *   itrace PID TID CPU TIME
 *   switch OUT PID TID CPU TIME
 *   aux FLAGS [CPU] / lost N / conv SHIFT MULT ZERO
 *   auxtrace IDX CPU TID OFFSET   the pending SPE bytes become AUX data
 *   event TYPE N           an event of any type with N zero bytes
 *   wide OUT PID TID CPU TIME OTHER-PID OTHER-TID   SWITCH_CPU_WIDE
 *   attr TYPE PERIOD FREQUENCY CONFIG CONFIG1 CONFIG2 CONFIG3 CONFIG4
 *                          one attribute more; without any there is one of type 8
 *   owner N                what follows is of the N-th of them, from 0
 *   sample PERIOD          a sample of type 0
 *   physical               samples have physical addresses
 *   attrs N IDS            N attributes that share one list of IDS event ids
 *
 * and what fixture.h lists of the header's features.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "armspe.h"
#include "fixture.h"

#define SIZE (16u << 20)

static uint8_t spe_bytes[SIZE], data[SIZE];
static struct armspe_encoder spe;
static size_t data_len;
static uint64_t nr_attrs = 1, nr_ids = 1;

#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		     PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
#define EVENT_ID 100
#define ATTRS_MAX 8

/* Attributes that lines of the description tell of, with all their words */
static struct words_attr {
	struct perf_event_attr attr;
	uint64_t more[144 / 8 - sizeof(struct perf_event_attr) / 8];
} told[ATTRS_MAX];
static unsigned int nr_told, owner;	/* the events that follow are its */

void fail(const char *what, const char *line)
{
	fprintf(stderr, "fixture: %s: %s\n", what, line);
	exit(2);
}

static void put(const void *bytes, size_t len)
{
	if (data_len + len > SIZE)
		fail("too long", "");
	memcpy(data + data_len, bytes, len);
	data_len += len;
}

static void put32(uint32_t value)
{
	put(&value, 4);
}

static void put64(uint64_t value)
{
	put(&value, 8);
}

static struct perf_event_attr attr = {
	.type = 8, .size = sizeof(attr), .config = 1, .sample_period = 1024,
	.sample_type = SAMPLE_TYPE, .sample_id_all = 1,
};


static size_t event_start;

static void begin(uint32_t type, uint16_t misc)
{
	uint16_t size = 0;

	event_start = data_len;
	put32(type);
	put(&misc, 2);
	put(&size, 2);
}

static void end(void)
{
	uint16_t size = (uint16_t)(data_len - event_start);

	memcpy(data + event_start + 6, &size, 2);
}

static void end_with_id(int64_t pid, int64_t tid, int64_t cpu, uint64_t time)
{
	put32((uint32_t)pid);
	put32((uint32_t)tid);
	put64(time);
	put32((uint32_t)cpu);
	put32(0);
	put64(EVENT_ID + owner);
	end();
}

static void put_name(const char *name)
{
	size_t len = strlen(name) + 1;

	put(name, len);
	while (len++ % 8)
		put("", 1);
}

char *more_words(void)
{
	return strtok(NULL, " \n");
}

char *word(void)
{
	char *w = more_words();

	if (!w)
		fail("a word is missing", "");
	return w;
}

uint64_t number(void)
{
	char *w = word(), *stop;
	uint64_t value = *w == '-' ? (uint64_t)strtoll(w, &stop, 0) :
				     strtoull(w, &stop, 0);

	if (*stop)
		fail("not a number", w);
	return value;
}

/* Keys of "rec", in the order in which the packets are written */
static const char *const rec_keys[] = {
	"pc", "ctx1", "ctx2", "issue", "total", "xlat", "events", "class",
	"op", "va", "pa", "target", "prev", "source", "ts", "align",
};

enum {
	PC, CTX1, CTX2, ISSUE, TOTAL, XLAT, EVENTS, CLASS, OP, VA, PA, TARGET,
	PREV, SOURCE, TS, ALIGN, NR_KEYS
};

static void put_rec(const uint64_t *v, const bool *has)
{
	if (has[PC])
		armspe_encode_address(&spe, SPE_ADDR_PC, v[PC]);
	if (has[CTX1])
		armspe_encode_context(&spe, 0, (uint32_t)v[CTX1]);
	if (has[CTX2])
		armspe_encode_context(&spe, 1, (uint32_t)v[CTX2]);
	if (has[ISSUE])
		armspe_encode_counter(&spe, SPE_COUNTER_ISSUE,
				      (uint16_t)v[ISSUE]);
	if (has[TOTAL])
		armspe_encode_counter(&spe, SPE_COUNTER_TOTAL,
				      (uint16_t)v[TOTAL]);
	if (has[XLAT])
		armspe_encode_counter(&spe, SPE_COUNTER_XLAT,
				      (uint16_t)v[XLAT]);
	if (has[EVENTS])
		armspe_encode_events(&spe, v[EVENTS] > 0xffff ? 8 : 2,
				     v[EVENTS]);
	armspe_encode_op(&spe, (unsigned int)v[CLASS], (uint8_t)v[OP]);
	if (has[VA])
		armspe_encode_address(&spe, SPE_ADDR_DATA_VA, v[VA]);
	if (has[PA])
		armspe_encode_address(&spe, SPE_ADDR_DATA_PA, v[PA]);
	if (has[TARGET])
		armspe_encode_address(&spe, SPE_ADDR_TARGET, v[TARGET]);
	if (has[PREV])
		armspe_encode_address(&spe, SPE_ADDR_PREV_TARGET, v[PREV]);
	if (has[SOURCE])
		armspe_encode_source(&spe, 1, (uint16_t)v[SOURCE]);
	if (has[TS])
		armspe_encode_timestamp(&spe, v[TS]);
	else
		armspe_encode_end(&spe);
	if (has[ALIGN])
		armspe_encode_align(&spe, v[ALIGN]);
}

static void do_rec(void)
{
	uint64_t v[NR_KEYS] = { 0 };
	bool has[NR_KEYS] = { false };
	unsigned int i;
	char *w;

	while ((w = strtok(NULL, " \n"))) {
		char *value = strchr(w, '=');

		if (!value)
			fail("not KEY=VALUE", w);
		*value++ = '\0';
		for (i = 0; i < NR_KEYS && strcmp(w, rec_keys[i]); i++)
			;
		if (i == NR_KEYS)
			fail("unknown key", w);
		v[i] = strtoull(value, NULL, 0);
		has[i] = true;
	}
	put_rec(v, has);
}

static void do_byte(void)
{
	char *w;

	while ((w = strtok(NULL, " \n")) && spe.len < spe.size)
		spe.bytes[spe.len++] = (uint8_t)strtoul(w, NULL, 16);
}

static void do_map(void)
{
	uint64_t pid = number(), start = number(), len = number();
	uint64_t pgoff = number(), time = number();
	const char *id = word();
	bool has_id = strcmp(id, "-");
	uint8_t bytes[24] = { 0 };
	unsigned int i;

	begin(PERF_RECORD_MMAP2, has_id ? 1 << 14 | 2 : 2);
	put32((uint32_t)pid);
	put32((uint32_t)pid);
	put64(start);
	put64(len);
	put64(pgoff);
	if (has_id) {
		bytes[0] = (uint8_t)(strlen(id) / 2);
		for (i = 0; i < bytes[0] && i < 20; i++)
			sscanf(id + 2 * i, "%2hhx", &bytes[4 + i]);
	}
	put(bytes, 24);
	put32(5);		/* PROT_READ | PROT_EXEC */
	put32(2);		/* MAP_PRIVATE */
	put_name(word());
	end_with_id((int64_t)pid, (int64_t)pid, 0, time);
}

static void do_kmap(void)
{
	begin(PERF_RECORD_MMAP, 1);
	put32((uint32_t)-1);
	put32(0);
	put64(number());
	put64(number());
	put64(number());
	put_name(word());
	end_with_id(-1, 0, 0, 0);
}

static void do_comm(void)
{
	uint64_t pid = number(), tid = number(), time = number();

	begin(PERF_RECORD_COMM, number() ? 1 << 13 : 0);
	put32((uint32_t)pid);
	put32((uint32_t)tid);
	put_name(word());
	end_with_id((int64_t)pid, (int64_t)tid, 0, time);
}

static void do_fork(void)
{
	uint64_t pid = number(), parent = number(), time = number();

	begin(PERF_RECORD_FORK, 0);
	put32((uint32_t)pid);
	put32((uint32_t)parent);
	put32((uint32_t)pid);
	put32((uint32_t)parent);
	put64(time);
	end_with_id((int64_t)pid, (int64_t)pid, 0, time);
}

static void do_itrace(void)
{
	uint64_t pid = number(), tid = number(), cpu = number();

	begin(PERF_RECORD_ITRACE_START, 0);
	put32((uint32_t)pid);
	put32((uint32_t)tid);
	end_with_id((int64_t)pid, (int64_t)tid, (int64_t)cpu, number());
}

static void do_switch(void)
{
	uint64_t out = number(), pid = number(), tid = number();
	uint64_t cpu = number();

	begin(PERF_RECORD_SWITCH, out ? 1 << 13 : 0);
	end_with_id((int64_t)pid, (int64_t)tid, (int64_t)cpu, number());
}

static void do_wide(void)
{
	uint64_t out = number(), pid = number(), tid = number();
	uint64_t cpu = number(), time = number();

	begin(PERF_RECORD_SWITCH_CPU_WIDE, out ? 1 << 13 : 0);
	put32((uint32_t)number());
	put32((uint32_t)number());
	end_with_id((int64_t)pid, (int64_t)tid, (int64_t)cpu, time);
}

static void do_aux(void)
{
	char *cpu;

	begin(PERF_RECORD_AUX, 0);
	put64(0);
	put64(0);
	put64(number());
	cpu = more_words();
	end_with_id(0, 0, cpu ? atoi(cpu) : 0, 0);
}

static void do_lost(void)
{
	begin(PERF_RECORD_LOST, 0);
	put64(EVENT_ID);
	put64(number());
	end_with_id(0, 0, 0, 0);
}

/* A hardware event's sample, of which so many periods are one */
static void do_sample(void)
{
	begin(PERF_RECORD_SAMPLE, 0);
	put64(EVENT_ID + owner);
	put64(0x1000);		/* its instruction */
	put64(0);		/* thread */
	put64(0);		/* time */
	put64(0);		/* CPU */
	put64(number());
	end();
}

/* attr TYPE PERIOD FREQUENCY CONFIG CONFIG1 ... CONFIG4 */
static void do_attr(void)
{
	struct words_attr *t = &told[nr_told++];
	uint64_t config;
	unsigned int i;

	if (nr_told > ATTRS_MAX)
		fail("too many attributes", "");
	memcpy(&t->attr, &attr, sizeof(attr));
	t->attr.type = (uint32_t)number();
	t->attr.sample_period = number();
	t->attr.freq = number() & 1;
	t->attr.size = sizeof(*t);
	if (!t->attr.type)
		t->attr.sample_type |= PERF_SAMPLE_PERIOD;
	for (i = 0; i < 5; i++) {
		static const uint8_t at[5] = { 8, 56, 64, 128, 136 };

		config = number();
		memcpy((uint8_t *)t + at[i], &config, 8);
	}
}

static void do_conv(void)
{
	begin(79, 0);
	put64(number());
	put64(number());
	put64(number());
	put64(0);
	put64(~0ULL);
	put("\1\0\0\0\0\0\0", 8);
	end();
}

static void do_info(void)
{
	begin(70, 0);
	put32((uint32_t)number());
	put32(0);
	put64(8);		/* PMU type */
	put64(0);		/* per-CPU mmaps */
	end();
}

/* AUXTRACE_INFO of version 2: of CPU 0, 1 ... a word each */
static void put_metadata(uint64_t cpus, bool pmus)
{
	uint64_t cpu;

	begin(70, 0);
	put32(4);
	put32(0);
	put64(2);		/* version */
	put64(4);		/* words in this head */
	put64(8);		/* PMU type */
	put64(cpus);
	for (cpu = 0; cpu < cpus; cpu++) {
		put64(0x1010101010101010);
		put64(cpu);
		put64(4);	/* parameters */
		put64(pmus ? 0x410fd0c0 : number());
		put64(pmus ? number() : 8);
		put64(256);
		put64(0);
	}
	end();
}

static void do_midrs(void)
{
	put_metadata(number(), false);
}

static void do_pmus(void)
{
	put_metadata(number(), true);
}

static void do_auxtrace(void)
{
	uint64_t idx = number(), cpu = number(), tid = number();

	begin(71, 0);
	put64(spe.len);
	put64(number());
	put64(0);
	put32((uint32_t)idx);
	put32((uint32_t)tid);
	put32((uint32_t)cpu);
	put32(0);
	end();
	put(spe.bytes, spe.len);
	spe.len = 0;
}

static void do_event(void)
{
	uint64_t type = number(), n = number();

	begin((uint32_t)type, 0);
	while (n--)
		put("", 1);
	end();
}

static void do_line(char *line)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} verbs[] = {
		{ "rec", do_rec }, { "byte", do_byte }, { "map", do_map },
		{ "kmap", do_kmap }, { "comm", do_comm }, { "fork", do_fork },
		{ "itrace", do_itrace }, { "switch", do_switch },
		{ "aux", do_aux }, { "lost", do_lost }, { "conv", do_conv },
		{ "info", do_info }, { "auxtrace", do_auxtrace },
		{ "event", do_event }, { "wide", do_wide },
		{ "midrs", do_midrs }, { "attr", do_attr },
		{ "pmus-of-cpus", do_pmus },
		{ "sample", do_sample },
	};
	char *verb = strtok(line, " \n");
	size_t i;

	if (!verb || *verb == '#')
		return;
	if (!strcmp(verb, "pad")) {
		armspe_encode_padding(&spe, number());
		return;
	}
	if (feature_line(verb))
		return;
	if (!strcmp(verb, "owner")) {
		owner = (unsigned int)number();
		return;
	}
	if (!strcmp(verb, "physical")) {
		attr.sample_type |= PERF_SAMPLE_PHYS_ADDR;
		return;
	}
	if (!strcmp(verb, "attrs")) {
		nr_attrs = number();
		nr_ids = number();
		return;
	}
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (!strcmp(verb, verbs[i].name)) {
			verbs[i].run();
			return;
		}
	}
	fail("unknown line", verb);
}

/* All but the list of build ids */
static void put_features(void)
{
	unsigned int i;
	size_t len;

	for (i = 0; i < 32; i++) {
		const uint8_t *bytes = feature_bytes(i, &len);

		if (!len || i == 2)
			continue;
		begin(80, 0);
		put64(i);
		put(bytes, len);
		end();
	}
}

/* A header, then events alone: attribute, features and build id are such too */
static void write_pipe(FILE *f)
{
	static uint8_t saved[SIZE];
	uint64_t header[2] = { 0x32454c4946524550ULL, 16 };
	size_t len = data_len, feature_len;
	const uint8_t *bytes;
	unsigned int i;

	memcpy(saved, data, len);
	data_len = 0;
	if (!nr_told) {
		begin(64, 0);
		put(&attr, sizeof(attr));
		put64(EVENT_ID);
		end();
	}
	for (i = 0; i < nr_told; i++) {
		begin(64, 0);
		put(&told[i], sizeof(told[i]));
		put64(EVENT_ID + i);
		end();
	}
	put_features();
	begin(66, 0);		/* tracing data: 5 bytes, padded */
	put32(5);
	put32(0);
	end();
	put64(~0ULL);
	bytes = feature_bytes(2, &feature_len);
	if (feature_len) {
		/* The list's entries are events of their own. */
		put32(67);
		put(bytes + 4, feature_len - 4);
	}
	fwrite(header, sizeof(header), 1, f);
	fwrite(data, data_len, 1, f);
	fwrite(saved, len, 1, f);
}

#ifdef HAVE_ZSTD

/* @len bytes of the one zstd stream as events of at most 50 bytes of it */
static void put_compressed(ZSTD_CCtx *stream, const uint8_t *bytes, size_t len)
{
	static uint8_t packed[SIZE];
	ZSTD_inBuffer in = { bytes, len, 0 };
	ZSTD_outBuffer out = { packed, sizeof(packed), 0 };
	size_t from, part, i;

	if (ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush))
		fail("zstd", "");
	for (from = 0; from < out.pos; from += part) {
		bool newer = from / 50 % 2;	/* COMPRESSED2, which is padded */

		part = out.pos - from < 50 ? out.pos - from : 50;
		begin(newer ? 83 : 81, 0);
		if (newer)
			put64(part);
		put(packed + from, part);
		for (i = part; newer && i % 8; i++)
			put("", 1);
		end();
	}
}

static void compress(void)
{
	static uint8_t plain[SIZE];
	ZSTD_CCtx *stream = ZSTD_createCCtx();
	size_t len = data_len, from = 0, pos = 0;

	memcpy(plain, data, len);
	data_len = 0;
	while (pos < len) {
		uint64_t follows = 0;
		uint32_t type;
		uint16_t size;

		memcpy(&type, plain + pos, 4);
		memcpy(&size, plain + pos + 6, 2);
		if (type == 71)
			memcpy(&follows, plain + pos + 8, 8);
		if (type >= 64) {
			put_compressed(stream, plain + from, pos - from);
			from = pos + size + follows;
			put(plain + pos, size + follows);
		}
		pos += size + follows;
	}
	put_compressed(stream, plain + from, pos - from);
	ZSTD_freeCCtx(stream);
}

#else

static void compress(void)
{
	exit(77);
}

#endif

static void write_perf(FILE *f)
{
	/* header, ids, attributes each with the place of its ids, events, features */
	uint64_t size = nr_told ? sizeof(told[0]) : sizeof(attr);
	uint64_t count = nr_told ? nr_told : nr_attrs, id, i;
	uint64_t all_ids = nr_told ? nr_told : nr_ids;
	uint64_t attrs = 104 + 8 * all_ids, attrs_len = count * (size + 16);
	uint64_t start = attrs + attrs_len;
	uint64_t header[13] = {
		0x32454c4946524550ULL, 104, size + 16,
		attrs, attrs_len, start, data_len, 0, 0,
		feature_bits(),
	};

	fwrite(header, sizeof(header), 1, f);
	for (id = EVENT_ID; id < EVENT_ID + all_ids; id++)
		fwrite(&id, sizeof(id), 1, f);
	for (i = 0; i < count; i++) {
		uint64_t ids[2] = { nr_told ? 104 + 8 * i : 104,
				    nr_told ? 8 : 8 * nr_ids };

		fwrite(nr_told ? (void *)&told[i] : &attr, size, 1, f);
		fwrite(ids, sizeof(ids), 1, f);
	}
	fwrite(data, data_len, 1, f);
	feature_write(f, start + data_len);
}

int main(int argc, char **argv)
{
	char line[4096];
	FILE *f;

	if (argc != 3)
		fail("usage", "fixture raw|perf|pipe|zstd OUT < description");
	armspe_encode_init(&spe, spe_bytes, sizeof(spe_bytes));
	while (fgets(line, sizeof(line), stdin))
		do_line(line);
	if (spe.overflow)
		fail("too many SPE bytes", "");
	if (!strcmp(argv[1], "zstd"))
		compress();
	f = fopen(argv[2], "wb");
	if (!f)
		fail("cannot write", argv[2]);
	if (!strcmp(argv[1], "raw"))
		fwrite(spe.bytes, spe.len, 1, f);
	else if (!strcmp(argv[1], "pipe"))
		write_pipe(f);
	else
		write_perf(f);
	return fclose(f) ? 1 : 0;
}
