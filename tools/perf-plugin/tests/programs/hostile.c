// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes files that take much time or memory if perf-spe believes them, or does quadratic work:
 * hostile FOLDER [CASE...], or hostile --list.
 *
 * Each case is a recording FOLDER/CASE.data, maybe with its program FOLDER/CASE.symfs/prog, and
 * other files there.  One sampled process, 10, has the program mapped at BASE.
 */
#include <elf.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../bytes.h"

#define BASE		UINT64_C(0x10000000)
#define EVENT_ID	UINT64_C(100)
#define SECOND		UINT64_C(1000000000)

static const char *folder, *name;
static struct bytes events, spe, features[32];
static uint64_t now;			/* of the next event */
static size_t event_at;

static FILE *create(const char *suffix)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s%s", folder, name, suffix);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

static void make_folder(const char *suffix)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s%s", folder, name, suffix);
	mkdir(path, 0700);
}

static void write_bytes(const char *suffix, const struct bytes *b)
{
	FILE *f = create(suffix);

	if (fwrite(b->at, 1, b->len, f) != b->len || fclose(f))
		exit(1);
}

/* Recordings: events, of which most end with the thread, time, CPU and id. */

static void begin(uint32_t type, uint16_t misc)
{
	uint16_t size = 0;

	event_at = events.len;
	put32(&events, type);
	put(&events, &misc, 2);
	put(&events, &size, 2);
}

static void end(void)
{
	uint16_t size = (uint16_t)(events.len - event_at);

	memcpy(events.at + event_at + 6, &size, 2);
}

static void end_with_id(uint32_t pid, uint32_t tid)
{
	put32(&events, pid);
	put32(&events, tid);
	put64(&events, now++);
	put64(&events, 0);		/* CPU */
	put64(&events, EVENT_ID);
	end();
}

static void comm(uint32_t pid, uint32_t tid, const char *text)
{
	begin(PERF_RECORD_COMM, 0);
	put32(&events, pid);
	put32(&events, tid);
	put_padded(&events, text);
	end_with_id(pid, tid);
}

static void map_as(uint32_t pid, uint32_t tid, uint64_t start, uint64_t len, uint64_t pgoff,
		   uint32_t prot, const char *file)
{
	begin(PERF_RECORD_MMAP2, prot & 4 ? 0 : PERF_RECORD_MISC_MMAP_DATA);
	put32(&events, pid);
	put32(&events, tid);
	put64(&events, start);
	put64(&events, len);
	put64(&events, pgoff);
	put64(&events, 0);
	put64(&events, 0);
	put64(&events, 0);
	put32(&events, prot);
	put32(&events, 2);
	put_padded(&events, file);
	end_with_id(pid, tid);
}

static void map(uint64_t start, uint64_t len, const char *file)
{
	map_as(10, 10, start, len, 0, 5, file);
}

static void fork_as(uint32_t type, uint32_t pid, uint32_t tid, uint32_t parent, uint32_t ptid)
{
	begin(type, 0);
	put32(&events, pid);
	put32(&events, parent);
	put32(&events, tid);
	put32(&events, ptid);
	put64(&events, now);
	end_with_id(parent, ptid);
}

static void record(uint64_t pc, uint64_t va, uint64_t time, uint32_t context)
{
	if (context) {
		put8(&spe, 0x64);
		put32(&spe, context);
	}
	put8(&spe, 0xb0);
	put64(&spe, pc);
	if (va) {
		put8(&spe, 0xb2);
		put64(&spe, va);
		put8(&spe, 0x49);
		put8(&spe, 0);
	}
	put8(&spe, 0x71);
	put64(&spe, time);
}

static void aux_event(int32_t cpu, int32_t tid)
{
	static uint64_t offset;

	begin(71, 0);
	put64(&events, spe.len);
	put64(&events, offset);
	put64(&events, 0);
	put32(&events, (uint32_t)(cpu < 0 ? tid : cpu));
	put32(&events, (uint32_t)tid);
	put32(&events, (uint32_t)cpu);
	put32(&events, 0);
	end();
	put(&events, spe.at, spe.len);
	offset += spe.len;
	spe.len = 0;
}

static void begin_session(void)
{
	begin(79, 0);			/* TIME_CONV: ticks are ns */
	put64(&events, 0);
	put64(&events, 1);
	put64(&events, 0);
	put64(&events, 0);
	put64(&events, UINT64_MAX);
	put64(&events, 1);
	end();
	begin(70, 0);			/* AUXTRACE_INFO of Arm SPE */
	put32(&events, 4);
	put32(&events, 0);
	put64(&events, 8);
	put64(&events, 0);
	end();
	now = 1;
	comm(10, 10, "prog");
	map(BASE, 0x10000000, "/prog");
}

/* A few samples of the program, and the end of the recording */
static void sample(size_t count, uint64_t step)
{
	size_t i;

	for (i = 0; i < count; i++)
		record(BASE + i * step % 0x10000000, 0x7000000000 + i * 64 % 0x100000, now + SECOND + i, 10);
	aux_event(0, -1);
}

static struct perf_event_attr attr = {
	.type = 8, .size = 128, .sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
};

static void write_attr(struct bytes *to)
{
	static const uint8_t zeros[128];
	size_t len = sizeof(attr) < 128 ? sizeof(attr) : 128;

	attr.size = 128;
	put(to, &attr, len);
	put(to, zeros, 128 - len);
}

static void write_perf(void)
{
	struct bytes file = { 0 };
	uint64_t bits = 0, start = 104 + 8 + 128 + 16, at = start + events.len;
	unsigned int i, nr = 0;

	for (i = 0; i < 32; i++) {
		bits |= (uint64_t)!!features[i].len << i;
		nr += !!features[i].len;
	}
	put64(&file, 0x32454c4946524550ULL);
	put64(&file, 104);
	put64(&file, 128 + 16);
	put64(&file, 112);
	put64(&file, 128 + 16);
	put64(&file, start);
	put64(&file, events.len);
	put64(&file, 0);
	put64(&file, 0);
	put64(&file, bits);
	put64(&file, 0);
	put64(&file, 0);
	put64(&file, 0);
	put64(&file, EVENT_ID);
	write_attr(&file);
	put64(&file, 104);
	put64(&file, 8);
	put(&file, events.at, events.len);
	at += 16 * nr;
	for (i = 0; i < 32; i++)
		if (features[i].len) {
			put64(&file, at);
			put64(&file, features[i].len);
			at += features[i].len;
		}
	for (i = 0; i < 32; i++)
		put(&file, features[i].at, features[i].len);
	write_bytes(".data", &file);
	free(file.at);
}

static void write_pipe(void)
{
	struct bytes file = { 0 };

	put64(&file, 0x32454c4946524550ULL);
	put64(&file, 16);
	put(&file, events.at, events.len);
	write_bytes(".data", &file);
	free(file.at);
}

static void usual_end(void)
{
	sample(1000, 16);
	write_perf();
}

/* Cases of recordings */

static void feature_word(unsigned int feature, const char *word)
{
	struct bytes *b = &features[feature];

	put32(b, (uint32_t)strlen(word) + 1);
	put(b, word, strlen(word) + 1);
}

static void cmdline_words(void)
{
	size_t i;

	begin_session();
	put32(&features[11], 200000);
	for (i = 0; i < 200000; i++)
		feature_word(11, "a");
	usual_end();
}

static void cmdline_count(void)
{
	begin_session();
	put32(&features[11], UINT32_MAX);
	feature_word(11, "perf");
	usual_end();
}

static void pmu_mappings(void)
{
	uint32_t i;

	begin_session();
	put32(&features[16], 200000);
	for (i = 0; i < 200000; i++) {
		put32(&features[16], 100 + i);
		feature_word(16, "p");
	}
	usual_end();
}

static void event_desc(void)
{
	uint32_t i;

	begin_session();
	put32(&features[12], 100000);
	put32(&features[12], 0);
	for (i = 0; i < 100000; i++) {
		put32(&features[12], 0);
		feature_word(12, "e");
	}
	usual_end();
}

static void many_attrs(void)
{
	struct bytes file = { 0 };
	size_t count = 20000, i;

	begin_session();
	sample(1000, 16);
	put64(&file, 0x32454c4946524550ULL);
	put64(&file, 104);
	put64(&file, 128 + 16);
	put64(&file, 112);
	put64(&file, (128 + 16) * count);
	put64(&file, 112 + (128 + 16) * count);
	put64(&file, events.len);
	fill(&file, 0, 104 - file.len);
	put64(&file, EVENT_ID);
	for (i = 0; i < count; i++) {
		write_attr(&file);
		put64(&file, 104);
		put64(&file, 8);
	}
	put(&file, events.at, events.len);
	write_bytes(".data", &file);
	free(file.at);
}

static void attr_event(uint64_t first, size_t ids)
{
	size_t i;

	begin(64, 0);
	write_attr(&events);
	for (i = 0; i < ids; i++)
		put64(&events, first + i);
	end();
}

static void pipe_ids(void)
{
	size_t i;

	for (i = 0; i < 40; i++)
		attr_event(EVENT_ID + 7900 * i, 7900);
	begin_session();
	for (i = 0; i < 4000; i++) {
		attr_event(1000000 + i, 1);
		comm(10, 10, "prog");
	}
	sample(1000, 16);
	write_pipe();
}

static void pipe_attrs(void)
{
	size_t i;

	attr_event(EVENT_ID, 1);
	begin_session();
	for (i = 0; i < 50000; i++)
		attr_event(1000000 + i, 1);
	sample(1000, 16);
	write_pipe();
}

static void pipe_features(void)
{
	size_t i;

	attr_event(EVENT_ID, 1);
	begin_session();
	for (i = 0; i < 100000; i++) {
		begin(80, 0);
		put64(&events, 3 + i % 20);
		put32(&events, 8);
		put_padded(&events, "x");
		end();
		begin(67, 0);		/* BUILD_ID */
		put32(&events, 10);
		put64(&events, i);
		fill(&events, 0, 16);
		put_padded(&events, "/lib");
		end();
	}
	sample(1000, 16);
	write_pipe();
}

static void map_overlap(int same)
{
	size_t i;

	begin_session();
	for (i = 0; i < 20000; i++)
		map(BASE + (same ? 0 : i * 4096), 0x10000000, same == 2 ? "/other" : "/prog");
	sample(100000, 4096);
	write_perf();
}

static void map_nested(void)
{
	map_overlap(0);
}

static void map_same(void)
{
	map_overlap(1);
}

static void map_alternate(void)
{
	char file[32];
	size_t i;

	begin_session();
	for (i = 0; i < 20000; i++) {
		snprintf(file, sizeof(file), "/f%zu", i % 2000);
		map(BASE - i * 4096, 0x10000000 + 2 * i * 4096, file);
	}
	sample(100000, 4096);
	write_perf();
}

/* The same without times: all mappings at an address count. */
static void map_untimed(void)
{
	size_t i;

	begin_session();
	for (i = 0; i < 20000; i++)
		map(BASE, 0x10000000 + i * 4096, "/prog");
	for (i = 0; i < 100000; i++) {
		put8(&spe, 0xb0);
		put64(&spe, BASE + i * 16);
		put8(&spe, 1);
	}
	aux_event(0, 10);
	write_perf();
}

static void data_overlap(void)
{
	size_t i;

	begin_session();
	for (i = 0; i < 20000; i++)
		map_as(10, 10, 0x7000000000 - i * 4096, 0x200000 + 2 * i * 4096, 0, 3, "//anon");
	sample(100000, 16);
	write_perf();
}

static void many_files(void)
{
	char file[64];
	size_t i;

	begin_session();
	for (i = 0; i < 50000; i++) {
		snprintf(file, sizeof(file), "/lib/x%zu.so", i);
		map(BASE + i * 4096, 4096, file);
	}
	sample(50000, 4096);
	write_perf();
}

/* None of the files is below --symfs. */
static void many_absent(void)
{
	many_files();
	make_folder(".symfs");
}

static void many_jit(void)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 30000; i++) {
		map_as(1000 + i, 1000 + i, BASE, 0x1000, 0, 7, "//anon");
		record(BASE, 0, now + SECOND, 1000 + i);
	}
	aux_event(0, -1);
	write_perf();
}

static void stack_forks(void)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 20000; i++)
		map_as(10, 10, 0x7000000000 + i * 8192, 4096, 0, 3, "//anon");
	for (i = 0; i < 100000; i++)
		fork_as(PERF_RECORD_FORK, 10, 100 + i, 10, 9999999);
	usual_end();
}

static void stack_forks_mixed(void)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 50000; i++) {
		map_as(10, 10, 0x7000000000 + i * 8192, 4096, 0, 3, "//anon");
		fork_as(PERF_RECORD_FORK, 10, 100 + i, 10, 9999999 - i % 3);
		fork_as(PERF_RECORD_EXIT, 10, 100 + i, 10, 10);
	}
	usual_end();
}

static void fork_chain(void)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 50000; i++) {
		fork_as(PERF_RECORD_FORK, 11 + i, 11 + i, 10 + i, 10 + i);
		map_as(11 + i, 11 + i, 0x5000000000, 4096, 0, 5, "/other");
	}
	for (i = 0; i < 50000; i++)
		record(BASE + i * 16, 0x7000000000 + i, now + SECOND + i, 50010);
	aux_event(0, -1);
	write_perf();
}

static void fork_wide(void)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 50000; i++)
		fork_as(PERF_RECORD_FORK, 11 + i, 11 + i, 10, 10);
	/* Of a thread that the recording does not know */
	for (i = 0; i < 50000; i++)
		record(BASE + i * 16, 0x7000000000 + i, now + SECOND + i, 9999999);
	aux_event(0, -1);
	write_perf();
}

/* 20,000 samples that do not say of which thread they are */
static void sample_unsure(void)
{
	size_t i;

	for (i = 0; i < 20000; i++)
		record(BASE + i * 16, 0x7000000000 + i, now + SECOND + i, 0);
	aux_event(0, -1);
	write_perf();
}

/* Of programs that have the same code there, and maybe one that has not */
static void fork_unsure(bool same)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 20000; i++) {
		fork_as(PERF_RECORD_FORK, 11 + i, 11 + i, 10, 10);
		if (i % 8 == 0)
			map_as(11 + i, 11 + i, BASE, 0x10000000, 0, 5, "/prog");
	}
	if (!same)
		map_as(11 + i - 1, 11 + i - 1, BASE, 0x10000000, 0, 5, "/other");
	sample_unsure();
}

static void fork_unsure_same(void)
{
	fork_unsure(true);
}

static void fork_unsure_other(void)
{
	fork_unsure(false);
}

/* All programs that had the code are gone when the samples are taken. */
static void exec_unsure(void)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 20000; i++) {
		map_as(11 + i, 11 + i, BASE, 0x10000000, 0, 5, "/prog");
		begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
		put32(&events, 11 + i);
		put32(&events, 11 + i);
		put_padded(&events, "prog");
		end_with_id(11 + i, 11 + i);
	}
	sample_unsure();
}

/* Samples of thread 10 without a time: CONTEXT, PC and END packets; and all that the file has */
static void samples_untimed(size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		put8(&spe, 0x64);
		put32(&spe, 10);
		put8(&spe, 0xb0);
		put64(&spe, BASE + i * 16);
		put8(&spe, 1);
	}
	aux_event(0, -1);
	write_perf();
}

/* One program after the other with the same id and code, and samples without a time */
static void execs_untimed(void)
{
	size_t i;

	begin_session();
	for (i = 0; i < 20000; i++) {
		begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
		put32(&events, 10);
		put32(&events, 10);
		put_padded(&events, "prog");
		end_with_id(10, 10);
		map(BASE, 0x10000000, "/prog");
	}
	samples_untimed(20000);
}

static void many_comms(void)
{
	char text[16];
	size_t i;

	begin_session();
	for (i = 0; i < 100000; i++) {
		snprintf(text, sizeof(text), "c%zu", i);
		comm(10, 10, text);
	}
	sample(50000, 16);
	write_perf();
}

/* Eras of a thread, and samples without a time */
static void comms_untimed(void)
{
	size_t i;

	begin_session();
	for (i = 0; i < 100000; i++)
		comm(10, 10, i % 2 ? "prog" : "gorp");
	samples_untimed(50000);
}

static void many_execs(void)
{
	size_t i;

	begin_session();
	for (i = 0; i < 50000; i++) {
		begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
		put32(&events, 10);
		put32(&events, 10);
		put_padded(&events, "prog");
		end_with_id(10, 10);
	}
	sample(50000, 16);
	write_perf();
}

static void times_backwards(void)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 100000; i++) {
		now = 2 * SECOND - i;
		fork_as(PERF_RECORD_FORK, 10, 11, 10, 10);
	}
	now = 3 * SECOND;
	usual_end();
}

static void exits(void)
{
	uint32_t i;

	begin_session();
	for (i = 0; i < 100000; i++) {
		fork_as(PERF_RECORD_FORK, 10, 11, 10, 10);
		fork_as(PERF_RECORD_EXIT, 10, 11, 10, 10);
	}
	usual_end();
}

static void aux_sample(uint32_t cpu, const uint8_t *bytes, size_t len)
{
	begin(PERF_RECORD_SAMPLE, 0);
	put64(&events, EVENT_ID);
	put32(&events, 10);
	put32(&events, 10);
	put64(&events, now++);
	put64(&events, cpu);
	put64(&events, len);
	put(&events, bytes, len);
	end();
}

static void aux_equal(int byte, int last)
{
	static uint8_t bytes[65000];
	size_t i;

	attr.sample_type |= PERF_SAMPLE_AUX;
	begin_session();
	memset(bytes, byte, sizeof(bytes));
	bytes[sizeof(bytes) - 1] = (uint8_t)last;
	for (i = 0; i < 200; i++)
		aux_sample(0, bytes, sizeof(bytes));
	write_perf();
}

static void aux_samples_equal(void)
{
	aux_equal(0x71, 0x71);
}

static void aux_samples_end(void)
{
	aux_equal(0x71, 0x72);
}

static void aux_samples_damage(void)
{
	aux_equal(0x20, 0x20);
}

static void aux_samples_short(void)
{
	aux_equal(0x01, 0x01);
}

static void aux_cpus(void)
{
	static uint8_t bytes[16] = { 0xb0, 1, 2, 3, 4, 5, 6, 7, 8, 0x71, 1 };
	uint32_t i;

	attr.sample_type |= PERF_SAMPLE_AUX;
	begin_session();
	for (i = 0; i < 100000; i++)
		aux_sample(i, bytes, sizeof(bytes));
	write_perf();
}

static void aux_streams(void)
{
	int32_t i;

	begin_session();
	for (i = 0; i < 50000; i++) {
		record(BASE, 0x7000000000, SECOND, 10);
		aux_event(i, -1);
	}
	write_perf();
}

static void aux_pieces(void)
{
	int32_t i;

	begin_session();
	for (i = 0; i < 100000; i++) {
		put8(&spe, 0xb0);
		aux_event(0, -1);
	}
	usual_end();
}

static void spe_bytes(int byte, size_t len)
{
	begin_session();
	fill(&spe, byte, len);
	aux_event(0, 10);
	write_perf();
}

static void spe_damaged(void)
{
	spe_bytes(0x20, 8 << 20);
}

static void spe_timestamps(void)
{
	spe_bytes(0x71, 8 << 20);
}

static void spe_ends(void)
{
	spe_bytes(0x01, 8 << 20);
}

static void spe_addresses(void)
{
	spe_bytes(0xb0, 8 << 20);
}

static void spe_many_places(void)
{
	size_t i;

	begin_session();
	for (i = 0; i < 50000; i++)
		record(BASE + i * 804 % 0x10000000, (i << 40) + (i << 12), now + SECOND + i, 10);
	aux_event(0, -1);
	write_perf();
}

static void spe_many_lines(void)
{
	size_t i;

	begin_session();
	for (i = 0; i < 50000; i++)
		record(BASE + i % 7 * 4, 0x7000000000 + i * 64, now + SECOND + (i << 30), 10);
	aux_event(0, -1);
	write_perf();
}

static void switches(void)
{
	size_t i;

	begin_session();
	attr.context_switch = 1;
	for (i = 0; i < 200000; i++) {
		begin(PERF_RECORD_SWITCH, i % 2 ? PERF_RECORD_MISC_SWITCH_OUT : 0);
		end_with_id(10, 10);
	}
	usual_end();
}

static void itraces(void)
{
	size_t i;

	begin_session();
	for (i = 0; i < 100000; i++) {
		begin(PERF_RECORD_ITRACE_START, 0);
		put32(&events, 10);
		put32(&events, 10);
		end_with_id(10, 10);
		begin(PERF_RECORD_AUX, 0);
		put64(&events, i * 16);
		put64(&events, 16);
		put64(&events, 1);
		end_with_id(10, 10);
		begin(PERF_RECORD_LOST, 0);
		put64(&events, EVENT_ID);
		put64(&events, 1);
		end_with_id(10, 10);
	}
	usual_end();
}

static void ksymbols(void)
{
	char text[32];
	size_t i;

	begin_session();
	for (i = 0; i < 50000; i++) {
		begin(PERF_RECORD_KSYMBOL, 0);
		put64(&events, 0xffff800080000000 + (i & 1 ? 0 : i) * 64);
		put32(&events, 1 << 24);
		put32(&events, 1);
		snprintf(text, sizeof(text), "bpf_prog_%zu", i);
		put_padded(&events, text);
		end_with_id(0, 0);
	}
	for (i = 0; i < 50000; i++)
		record(0xa0ff800080000000 + (i & 0xffff), 0, now + SECOND + i, 0);
	aux_event(0, -1);
	write_perf();
}

static void kernel_maps(void)
{
	char text[64];
	size_t i;

	begin_session();
	for (i = 0; i < 20000; i++) {
		begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
		put32(&events, UINT32_MAX);
		put32(&events, 0);
		put64(&events, 0xffff800080000000);
		put64(&events, 0x10000000 + 4096 * i);
		put64(&events, 0);
		snprintf(text, sizeof(text), "[mod%zu]", i);
		put_padded(&events, text);
		end_with_id(0, 0);
	}
	for (i = 0; i < 50000; i++)
		record(0xa0ff800080000000 + i * 16, 0, now + SECOND + i, 0);
	aux_event(0, -1);
	write_perf();
}

static void call_chains(void)
{
	uint64_t i, n;

	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	begin_session();
	for (i = 0; i < 100; i++) {
		begin(PERF_RECORD_SAMPLE, 0);
		put64(&events, EVENT_ID);
		put64(&events, (uint64_t)10 << 32 | 10);
		put64(&events, now++);
		put64(&events, 0);
		put64(&events, 8000);
		for (n = 0; n < 8000; n++)
			put64(&events, BASE + (n * (i + 1) * 4) % 0x1000000);
		end();
	}
	usual_end();
}

static void build_ids(void)
{
	struct bytes *b = &features[2];
	size_t i;

	begin_session();
	for (i = 0; i < 100000; i++) {
		put32(b, 67);
		put32(b, (uint32_t)(8 + 4 + 24 + 8) << 16);
		put32(b, 10);
		put64(b, i);
		fill(b, 0, 16);
		put(b, "/prog\0\0", 8);
	}
	usual_end();
}

/* perf's folder of a recording would need more files; an event's size is what is wrong here. */
static void auxtrace_size(void)
{
	begin_session();
	begin(71, 0);
	put64(&events, UINT64_MAX);
	fill(&events, 0, 32);
	end();
	usual_end();
}

static void aux_sample_size(void)
{
	attr.sample_type |= PERF_SAMPLE_AUX;
	begin_session();
	begin(PERF_RECORD_SAMPLE, 0);
	put64(&events, EVENT_ID);
	fill(&events, 0, 24);
	put64(&events, UINT64_MAX - 7);
	end();
	usual_end();
}

static void metadata_cpus(void)
{
	begin_session();
	begin(70, 0);
	put32(&events, 4);
	put32(&events, 0);
	put64(&events, 2);		/* version */
	put64(&events, 24);
	put64(&events, 8);
	put64(&events, UINT32_MAX);	/* CPUs */
	end();
	usual_end();
}

static void long_names(void)
{
	static char text[60000];
	size_t i;

	begin_session();
	memset(text, 'n', sizeof(text) - 1);
	for (i = 0; i < 300; i++) {
		text[i] = 'm';
		map(BASE + i * 4096, 4096, text);
		comm(10, 10, text);
	}
	sample(100000, 16);
	write_perf();
}

/* Programs */

enum { TEXT = 1, NAMES, SYMTAB, STRTAB, SECTIONS };

struct elf {
	struct bytes text, symbols, strings, names, more;	/* more: section headers, appended */
	struct { Elf64_Shdr header; struct bytes content; char name[24]; } extra[16];
	unsigned int nr_extra, phnum;
	uint64_t text_size, text_address;
	int copies;			/* of the header of .symtab */
	int stripped;
	int no_end;			/* the names of sections end without a zero */
};

static size_t add_string(struct elf *e, const char *text)
{
	size_t at = e->strings.len;

	put(&e->strings, text, strlen(text) + 1);
	return at;
}

static void add_symbol(struct elf *e, size_t text, uint64_t value, uint64_t size, unsigned int type)
{
	Elf64_Sym sym = {
		.st_name = (Elf64_Word)text, .st_value = value, .st_size = size, .st_shndx = TEXT,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, type),
	};

	put(&e->symbols, &sym, sizeof(sym));
}

static void elf_new(struct elf *e)
{
	memset(e, 0, sizeof(*e));
	e->text_address = 0x1000;
	put8(&e->strings, 0);
	put8(&e->names, 0);
	add_symbol(e, 0, 0, 0, STT_NOTYPE);
	fill(&e->text, 0x1f, 4096);
	e->text_size = 4096;
	e->phnum = 1;
}

static struct bytes *add_section(struct elf *e, const char *text, uint32_t type, uint64_t flags)
{
	unsigned int i = e->nr_extra++;

	snprintf(e->extra[i].name, sizeof(e->extra[i].name), "%s", text);
	e->extra[i].header.sh_type = type;
	e->extra[i].header.sh_flags = flags;
	return &e->extra[i].content;
}

static size_t section_name(struct elf *e, const char *text)
{
	size_t at = e->names.len;

	put(&e->names, text, strlen(text) + 1);
	return at;
}

static Elf64_Shdr place(struct bytes *file, const struct bytes *content, uint32_t type, size_t text)
{
	Elf64_Shdr h = { .sh_type = type, .sh_name = (Elf64_Word)text, .sh_addralign = 1 };

	while (file->len % 8)
		put8(file, 0);
	h.sh_offset = file->len;
	h.sh_size = content->len;
	put(file, content->at, content->len);
	return h;
}

static void elf_write(struct elf *e)
{
	struct bytes file = { 0 }, headers = { 0 };
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = EM_AARCH64, .e_version = EV_CURRENT, .e_ehsize = 64,
		.e_phentsize = sizeof(Elf64_Phdr), .e_shentsize = sizeof(Elf64_Shdr),
		.e_phoff = 64, .e_shstrndx = NAMES,
	};
	Elf64_Phdr load = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_align = 4096 };
	Elf64_Shdr h = { 0 };
	size_t at[SECTIONS], i;
	int n;

	at[TEXT] = section_name(e, ".text");
	at[NAMES] = section_name(e, ".shstrtab");
	at[SYMTAB] = section_name(e, ".symtab");
	at[STRTAB] = section_name(e, ".strtab");
	put(&file, &head, sizeof(head));
	fill(&file, 0, (size_t)e->phnum * sizeof(load));
	put(&headers, &h, sizeof(h));
	h = place(&file, &e->text, SHT_PROGBITS, at[TEXT]);
	load.p_offset = 0;
	load.p_filesz = load.p_memsz = 0x10000000;
	h.sh_addr = e->text_address;
	h.sh_size = e->text_size;
	h.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	put(&headers, &h, sizeof(h));
	put(&headers, &h, sizeof(h));		/* of the names, later */
	h = place(&file, &e->symbols, e->stripped ? SHT_PROGBITS : SHT_SYMTAB, at[SYMTAB]);
	h.sh_link = STRTAB;
	h.sh_entsize = sizeof(Elf64_Sym);
	put(&headers, &h, sizeof(h));
	n = (int)headers.len;
	h = place(&file, &e->strings, SHT_STRTAB, at[STRTAB]);
	put(&headers, &h, sizeof(h));
	for (i = 0; i < e->nr_extra; i++) {
		Elf64_Shdr own = e->extra[i].header;

		h = place(&file, &e->extra[i].content, own.sh_type, section_name(e, e->extra[i].name));
		h.sh_flags = own.sh_flags;
		h.sh_addr = own.sh_addr;
		if (own.sh_size)
			h.sh_size = own.sh_size;
		put(&headers, &h, sizeof(h));
	}
	memcpy(&h, headers.at + n - sizeof(h), sizeof(h));
	for (i = 0; i < (size_t)e->copies; i++)
		put(&headers, &h, sizeof(h));
	put(&headers, e->more.at, e->more.len);
	if (e->no_end)
		e->names.at[e->names.len - 1] = 'x';
	h = place(&file, &e->names, SHT_STRTAB, at[NAMES]);
	memcpy(headers.at + NAMES * sizeof(h), &h, sizeof(h));
	while (file.len % 8)
		put8(&file, 0);
	head.e_shoff = file.len;
	head.e_shnum = (Elf64_Half)(headers.len / sizeof(h));
	if (headers.len / sizeof(h) >= SHN_LORESERVE) {
		uint64_t all = headers.len / sizeof(h);

		head.e_shnum = 0;
		memcpy(headers.at + offsetof(Elf64_Shdr, sh_size), &all, 8);
	}
	head.e_phnum = (Elf64_Half)e->phnum;
	put(&file, headers.at, headers.len);
	memcpy(file.at, &head, sizeof(head));
	for (i = 0; i < e->phnum; i++)
		memcpy(file.at + 64 + i * sizeof(load), &load, sizeof(load));
	make_folder(".symfs");
	write_bytes(".symfs/prog", &file);
	free(file.at);
	begin_session();
	sample(1000, 16);
	sample(1000, 4096);
	write_perf();
}

static void elf_text_size(void)
{
	struct elf e;

	elf_new(&e);
	e.text_size = UINT64_C(1) << 40;
	elf_write(&e);
}

static void elf_text_wraps(void)
{
	struct elf e;

	elf_new(&e);
	e.text_address = UINT64_MAX - 0xfff;
	e.text_size = UINT64_C(1) << 62;
	elf_write(&e);
}

static void elf_text_overlap(void)
{
	Elf64_Shdr h = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_size = 2 << 20 };
	struct elf e;
	int i;

	elf_new(&e);
	fill(&e.text, 0x1f, 2 << 20);
	for (i = 0; i < 30000; i++) {
		h.sh_addr = 0x1000 + (uint64_t)i * (4 << 20);
		put(&e.more, &h, sizeof(h));
	}
	elf_write(&e);
}

/* Each section walks over all symbols. */
static void elf_sections_symbols(void)
{
	Elf64_Shdr h = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_size = 64 };
	struct elf e;
	size_t text;
	int i;

	elf_new(&e);
	text = add_string(&e, "f");
	for (i = 0; i < 60000; i++) {
		add_symbol(&e, text, 0x1000 + (uint64_t)i * 32, 16, STT_FUNC);
		h.sh_addr = UINT64_C(0x40000000) + (uint64_t)i * 64;
		put(&e.more, &h, sizeof(h));
	}
	elf_write(&e);
}

static void elf_long_name(int byte, int type, size_t step)
{
	static char text[1 << 20];
	struct elf e;
	size_t at;
	int i;

	elf_new(&e);
	memset(text, byte, sizeof(text) - 1);
	at = add_string(&e, text);
	for (i = 0; i < 40000; i++)
		add_symbol(&e, at + (size_t)i % 20, 0x1000 + (uint64_t)i * step, step, (unsigned int)type);
	elf_write(&e);
}

static void elf_names(void)
{
	elf_long_name('n', STT_FUNC, 16);
}

static void elf_names_data(void)
{
	elf_long_name('n', STT_OBJECT, 16);
}

static void elf_names_alias(void)
{
	elf_long_name('n', STT_FUNC, 0);
}

static void elf_names_underscores(void)
{
	elf_long_name('_', STT_FUNC, 0);
}

static void elf_symtab_copies(void)
{
	struct elf e;
	size_t at;
	int i;

	elf_new(&e);
	at = add_string(&e, "function_with_a_name");
	for (i = 0; i < 40000; i++)
		add_symbol(&e, at, 0x1000 + (uint64_t)i * 16, 16, STT_FUNC);
	e.copies = 10000;
	elf_write(&e);
}

static void elf_no_end(void)
{
	Elf64_Shdr h = { .sh_type = SHT_PROGBITS, .sh_name = 1 };
	struct elf e;
	int i;

	elf_new(&e);
	for (i = 0; i < 60000; i++)
		put(&e.more, &h, sizeof(h));
	e.no_end = 1;
	put8(&e.names, 0);
	fill(&e.names, 'x', 2 << 20);
	elf_write(&e);
}

static void elf_strings_no_end(void)
{
	struct elf e;
	int i;

	elf_new(&e);
	add_string(&e, "f");
	fill(&e.strings, 'x', 4 << 20);
	for (i = 0; i < 100000; i++)
		add_symbol(&e, 1, 0x1000 + (uint64_t)i * 16, 16, STT_FUNC);
	elf_write(&e);
}

static void elf_segments(void)
{
	struct elf e;

	elf_new(&e);
	e.phnum = 65000;
	elf_write(&e);
}

static void demangle_case(const char *text)
{
	struct elf e;
	size_t at, i;

	elf_new(&e);
	at = add_string(&e, text);
	for (i = 0; i < 250; i++)
		add_symbol(&e, at, 0x1000 + i * 16, 16, STT_FUNC);
	elf_write(&e);
}

/* Append levels that each have the one before twice; @seq is the number of that substitution. */
static void put_levels(char *text, const char *before, int levels, int seq)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char id[8];

	for (text += strlen(text); levels--; seq += 2) {
		if (seq < 36)
			snprintf(id, sizeof(id), "%c", digits[seq]);
		else
			snprintf(id, sizeof(id), "%c%c", digits[seq / 36], digits[seq % 36]);
		text += sprintf(text, "%s1%cIS%s_S%s_E", before, 'A' + (seq / 2 + 1) % 26, id, id);
	}
}

static void demangle_doubles(void)
{
	char text[4096] = "_Z1f1AIiiE";

	put_levels(text, "", 30, 0);
	demangle_case(text);
}

static void demangle_nested(void)
{
	static char text[100000];
	size_t at;

	strcpy(text, "_Z1f");
	at = strlen(text);
	memset(text + at, 'P', 60000);
	strcpy(text + at + 60000, "i");
	demangle_case(text);
}

static void demangle_functions(void)
{
	static char text[100000];
	int i;
	char *at = text + sprintf(text, "_Z1f");

	for (i = 0; i < 20000; i++)
		at += sprintf(at, "PFi");
	demangle_case(text);
}

/* A pack expansion looks through all of what it has, and finds no pack. */
static void demangle_packs(void)
{
	char text[4096] = "_Z1fIiEv1AIiiE";

	put_levels(text, "", 30, 1);
	strcat(text, "Dp1ZIS1K_S1K_E");
	demangle_case(text);
}

static void demangle_conversions(void)
{
	char text[4096] = "_Z1f";
	int i;

	for (i = 0; i < 60; i++)
		strcat(text, "cvT_IXcvT_I");
	demangle_case(text);
}

static void demangle_rust(void)
{
	char text[4096] = "_RINvC1a1f";
	size_t before = strlen(text) - 2, start;
	int i;

	for (i = 0; i < 24; i++) {
		char level[64];

		start = strlen(text) - 2;
		snprintf(level, sizeof(level), "TB%c_B%c_E", "0123456789abcdefghijklmnopqrstuvwxyz"[before % 36],
			 "0123456789abcdefghijklmnopqrstuvwxyz"[before % 36]);
		strcat(text, level);
		before = start;
	}
	strcat(text, "E");
	demangle_case(text);
}

static void demangle_many(void)
{
	struct elf e;
	int i;

	elf_new(&e);
	for (i = 0; i < 4000; i++) {
		char text[4096];

		snprintf(text, sizeof(text), "_Z5f%04d1AIiiE", i);
		put_levels(text, "", 30, 0);
		add_symbol(&e, add_string(&e, text), 0x1000 + (uint64_t)i * 4, 4, STT_FUNC);
	}
	elf_write(&e);
}

static void eh_frames(void)
{
	struct elf e;
	struct bytes *b;
	uint32_t i;

	elf_new(&e);
	b = add_section(&e, ".eh_frame", SHT_PROGBITS, SHF_ALLOC);
	e.extra[0].header.sh_addr = 0x8000000;
	for (i = 0; i < 100000; i++) {
		put32(b, 20);			/* a CIE for each FDE */
		put32(b, 0);
		put(b, "\1zR\0\1\1\36\1\33\0\0\0\0\0\0\0", 16);
		put32(b, 20);
		put32(b, 28);
		put32(b, (uint32_t)-(int32_t)(b->len + 0x8000000 - 0x1000 - i * 64));
		put32(b, UINT32_MAX >> 8);
		put64(b, 0);
	}
	put32(b, 0);
	elf_write(&e);
}

/* DWARF: units with one abbreviation each */
static void dwarf_units(void)
{
	struct elf e;
	struct bytes *info, *abbrev;
	int i;

	elf_new(&e);
	abbrev = add_section(&e, ".debug_abbrev", SHT_PROGBITS, 0);
	put(abbrev, "\1\21\0\21\1\22\7\0\0\0", 10);	/* compile_unit: low_pc addr, high_pc data8 */
	info = add_section(&e, ".debug_info", SHT_PROGBITS, 0);
	for (i = 0; i < 50000; i++) {
		put32(info, 24);
		put(info, "\4\0\0\0\0\0\10\1", 8);
		put64(info, 0x1000);
		put64(info, 0x10000000);
	}
	elf_write(&e);
}

static void dwarf_nested(void)
{
	struct elf e;
	struct bytes *info, *abbrev;
	int i, n = 50000;

	elf_new(&e);
	abbrev = add_section(&e, ".debug_abbrev", SHT_PROGBITS, 0);
	put(abbrev, "\1\21\1\21\1\22\7\0\0", 9);
	put(abbrev, "\2\13\1\21\1\22\7\0\0\0", 10);	/* lexical_block, with children */
	info = add_section(&e, ".debug_info", SHT_PROGBITS, 0);
	put32(info, (uint32_t)(7 + 17 + n * 17 + n + 1));
	put(info, "\4\0\0\0\0\0\10", 7);
	put8(info, 1);
	put64(info, 0x1000);
	put64(info, 0x10000000);
	for (i = 0; i < n; i++) {
		put8(info, 2);
		put64(info, 0x1000);
		put64(info, 0x10000000);
	}
	fill(info, 0, (size_t)n + 1);
	elf_write(&e);
}

static void dwarf_flat(void)
{
	struct elf e;
	struct bytes *info, *abbrev;
	int i, n = 200000;

	elf_new(&e);
	abbrev = add_section(&e, ".debug_abbrev", SHT_PROGBITS, 0);
	put(abbrev, "\1\21\1\21\1\22\7\0\0", 9);
	put(abbrev, "\2\56\0\21\1\22\7\0\0\0", 10);	/* subprogram */
	info = add_section(&e, ".debug_info", SHT_PROGBITS, 0);
	put32(info, (uint32_t)(7 + 17 + n * 17 + 1));
	put(info, "\4\0\0\0\0\0\10", 7);
	put8(info, 1);
	put64(info, 0x1000);
	put64(info, 0x10000000);
	for (i = 0; i < n; i++) {
		put8(info, 2);
		put64(info, 0x1000);
		put64(info, 0x10000000);
	}
	put8(info, 0);
	elf_write(&e);
}

/* A type that is used by all of its members */
static void dwarf_types(void)
{
	struct elf e;
	struct bytes *info, *abbrev;
	int i, n = 50000;

	elf_new(&e);
	abbrev = add_section(&e, ".debug_abbrev", SHT_PROGBITS, 0);
	put(abbrev, "\1\21\1\21\1\22\7\0\0", 9);
	put(abbrev, "\2\23\1\13\17\0\0", 7);		/* structure: byte_size udata */
	put(abbrev, "\3\15\0\111\23\70\17\0\0\0", 10);	/* member: type ref4, location udata */
	info = add_section(&e, ".debug_info", SHT_PROGBITS, 0);
	put32(info, (uint32_t)(7 + 17 + 5 + n * 6 + 2));
	put(info, "\4\0\0\0\0\0\10", 7);
	put8(info, 1);
	put64(info, 0x1000);
	put64(info, 0x10000000);
	put(info, "\2\377\377\377\17", 5);
	for (i = 0; i < n; i++) {
		put8(info, 3);
		put32(info, 11 + 17);
		put8(info, 0);
	}
	fill(info, 0, 2);
	elf_write(&e);
}

static void elf_debugdata(void)
{
	char path[4096], command[9000];
	struct elf e;
	struct bytes *b;
	uint8_t part[65536];
	size_t got;
	FILE *f;

	/* xz makes a small file of 4 GiB of zeros; without it this section has only rubbish. */
	elf_new(&e);
	e.stripped = 1;
	b = add_section(&e, ".gnu_debugdata", SHT_PROGBITS, 0);
	snprintf(path, sizeof(path), "%s/zeros.xz", folder);
	snprintf(command, sizeof(command),
		 "[ -e '%s' ] || head -c 4G /dev/zero | xz -0 -T1 >'%s' 2>/dev/null", path, path);
	if (system(command))
		put(b, "\3757zXZ", 6);
	f = fopen(path, "r");
	while (f && (got = fread(part, 1, sizeof(part), f)) > 0)
		put(b, part, got);
	if (f)
		fclose(f);
	elf_write(&e);
}

static void elf_count(void)
{
	struct elf e;

	elf_new(&e);
	elf_write(&e);
	{
		char path[4096];
		uint32_t huge = 0xffff;
		uint64_t far = UINT64_MAX / 2;
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s.symfs/prog", folder, name);
		f = fopen(path, "r+");
		if (!f)
			exit(1);
		fseek(f, 60, SEEK_SET);		/* e_shnum */
		fwrite(&huge, 2, 1, f);
		fseek(f, 32, SEEK_SET);		/* e_phoff */
		fwrite(&far, 8, 1, f);
		fseek(f, 56, SEEK_SET);		/* e_phnum */
		fwrite(&huge, 2, 1, f);
		fclose(f);
	}
}

/* Files of symbols that are no ELF */

static void jit_case(size_t lines, const char *format, int overlap)
{
	FILE *f;
	size_t i;

	make_folder(".symfs");
	make_folder(".symfs/tmp");
	f = create(".symfs/tmp/perf-10.map");
	for (i = 0; i < lines; i++)
		fprintf(f, format, (uint64_t)(BASE + (overlap ? i : i * 16)),
			(uint64_t)(overlap ? 0x10000000 - 2 * i : 16), i);
	fclose(f);
	begin_session();
	map_as(10, 10, BASE, 0x10000000, 0, 7, "//anon");
	sample(20000, 16);
	write_perf();
}

static void jit_overlap(void)
{
	jit_case(300000, "%" PRIx64 " %" PRIx64 " f%zu\n", 1);
}

static void jit_long(void)
{
	static char format[1 << 15];

	memset(format, 'n', sizeof(format) - 1);
	memcpy(format, "%" PRIx64 " %" PRIx64 " f%zu", strlen("%" PRIx64 " %" PRIx64 " f%zu"));
	format[sizeof(format) - 2] = '\n';
	jit_case(1000, format, 0);
}

static void jit_mangled(void)
{
	char text[4096] = "%" PRIx64 " %" PRIx64 " _Z6f%05zu1AIiiE";

	put_levels(text, "", 30, 0);
	strcat(text, "\n");
	jit_case(20000, text, 0);
}

static void elf_names_legal(void)
{
	static char text[60000];
	struct elf e;
	size_t at;
	int i;

	elf_new(&e);
	memset(text, 'n', sizeof(text) - 1);
	at = add_string(&e, text);
	for (i = 0; i < 40000; i++)
		add_symbol(&e, at + (size_t)i % 20000, 0x1000 + (uint64_t)i * 16, 16, STT_FUNC);
	elf_write(&e);
}

/* Logs of a heap */
static void heap_header(struct bytes *log, uint32_t parent, uint64_t start, uint64_t chunks)
{
	put(log, "SPEHEAP1", 8);
	put32(log, 65536);
	put32(log, 65536);
	put32(log, 1);
	put32(log, 10);
	put32(log, parent);
	put32(log, 0);
	put64(log, 7);
	put64(log, start);
	put64(log, chunks);
	put64(log, 0);
}

/* The recording of the logs, whose command names their id */
static void heap_recording(void)
{
	put32(&features[11], 2);
	feature_word(11, "perf");
	feature_word(11, "PERF_SPE_HEAP_ID=7");
	begin_session();
	sample(20000, 16);
	write_perf();
}

static void heap_case(uint64_t chunks, int kind)
{
	struct bytes log = { 0 };
	uint64_t i, n;

	heap_header(&log, 0, 1, kind == 2 ? UINT64_MAX : chunks);
	fill(&log, 0, 65536 - log.len);
	for (i = 0; i < chunks; i++) {
		put64(&log, 1 | UINT64_C(10) << 32);
		put64(&log, kind ? 100 : 100 + i);
		for (n = 2; n + 3 <= 8192; n += 3) {
			put64(&log, 2 | UINT64_C(64) << 32);
			put64(&log, kind == 1 ? 0x7000000000 : 0x7000000000 + (i * 2730 + n) * 64 % 0x1000000);
			put64(&log, BASE + n * 4);
		}
		fill(&log, 0, (8192 - n) * 8);
	}
	make_folder(".data.heap");
	write_bytes(".data.heap/10-0.heap", &log);
	free(log.at);
	heap_recording();
}

static void heap_many(void)
{
	heap_case(200, 0);
}

static void heap_one_address(void)
{
	heap_case(200, 1);
}

static void heap_chunks(void)
{
	heap_case(4, 2);
}

/* Of one process, which says that it has forked itself */
static void heap_logs(void)
{
	char suffix[64];
	uint64_t i;

	make_folder(".data.heap");
	for (i = 0; i < 20000; i++) {
		struct bytes log = { 0 };

		heap_header(&log, 10, SECOND + i, 0);
		snprintf(suffix, sizeof(suffix), ".data.heap/10-%" PRIu64 ".heap", i);
		write_bytes(suffix, &log);
		free(log.at);
	}
	heap_recording();
}

static const struct {
	const char *name;
	void (*make)(void);
} cases[] = {
	{ "cmdline-words", cmdline_words }, { "elf-text-size", elf_text_size },
	{ "elf-names", elf_names }, { "demangle-doubles", demangle_doubles },
	{ "map-nested", map_nested }, { "aux-cpus", aux_cpus },
	{ "aux-samples-equal", aux_samples_equal }, { "stack-forks", stack_forks },
	{ "pipe-ids", pipe_ids }, { "elf-symtab-copies", elf_symtab_copies },
	{ "elf-text-overlap", elf_text_overlap }, { "elf-count", elf_count },
	{ "cmdline-count", cmdline_count }, { "pmu-mappings", pmu_mappings },
	{ "event-desc", event_desc }, { "many-attrs", many_attrs }, { "pipe-attrs", pipe_attrs },
	{ "pipe-features", pipe_features }, { "map-same", map_same },
	{ "map-alternate", map_alternate }, { "map-untimed", map_untimed },
	{ "data-overlap", data_overlap }, { "many-files", many_files }, { "many-jit", many_jit },
	{ "many-absent", many_absent },
	{ "stack-forks-mixed", stack_forks_mixed }, { "fork-chain", fork_chain },
	{ "fork-wide", fork_wide }, { "many-comms", many_comms },
	{ "comms-untimed", comms_untimed }, { "many-execs", many_execs },
	{ "times-backwards", times_backwards }, { "exits", exits },
	{ "aux-samples-end", aux_samples_end }, { "aux-samples-damage", aux_samples_damage },
	{ "aux-samples-short", aux_samples_short }, { "aux-streams", aux_streams },
	{ "aux-pieces", aux_pieces }, { "spe-damaged", spe_damaged },
	{ "spe-timestamps", spe_timestamps }, { "spe-ends", spe_ends },
	{ "spe-addresses", spe_addresses }, { "spe-many-places", spe_many_places },
	{ "spe-many-lines", spe_many_lines }, { "switches", switches }, { "itraces", itraces },
	{ "ksymbols", ksymbols }, { "kernel-maps", kernel_maps }, { "call-chains", call_chains },
	{ "build-ids", build_ids }, { "auxtrace-size", auxtrace_size },
	{ "aux-sample-size", aux_sample_size }, { "metadata-cpus", metadata_cpus },
	{ "long-names", long_names }, { "elf-text-wraps", elf_text_wraps },
	{ "elf-sections-symbols", elf_sections_symbols }, { "elf-names-data", elf_names_data },
	{ "elf-names-alias", elf_names_alias }, { "elf-names-underscores", elf_names_underscores },
	{ "elf-names-legal", elf_names_legal }, { "elf-no-end", elf_no_end }, { "elf-strings-no-end", elf_strings_no_end },
	{ "elf-segments", elf_segments }, { "demangle-nested", demangle_nested },
	{ "demangle-functions", demangle_functions }, { "demangle-packs", demangle_packs },
	{ "demangle-conversions", demangle_conversions }, { "demangle-rust", demangle_rust },
	{ "demangle-many", demangle_many }, { "eh-frames", eh_frames }, { "dwarf-units", dwarf_units },
	{ "dwarf-nested", dwarf_nested }, { "dwarf-flat", dwarf_flat }, { "dwarf-types", dwarf_types },
	{ "elf-debugdata", elf_debugdata }, { "jit-overlap", jit_overlap }, { "jit-long", jit_long },
	{ "jit-mangled", jit_mangled }, { "heap-many", heap_many },
	{ "heap-one-address", heap_one_address }, { "heap-chunks", heap_chunks },
	{ "heap-logs", heap_logs }, { "fork-unsure-same", fork_unsure_same },
	{ "fork-unsure-other", fork_unsure_other }, { "exec-unsure", exec_unsure },
	{ "execs-untimed", execs_untimed },
};

#define CASES (sizeof(cases) / sizeof(cases[0]))

int main(int argc, char **argv)
{
	const struct perf_event_attr usual = attr;
	size_t i, n;
	int wanted;

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (i = 0; i < CASES; i++)
			puts(cases[i].name);
		return 0;
	}
	if (argc < 2)
		return 2;
	folder = argv[1];
	for (i = 0; i < CASES; i++) {
		wanted = argc == 2;
		for (n = 2; n < (size_t)argc; n++)
			wanted |= !strcmp(argv[n], cases[i].name);
		if (!wanted)
			continue;
		name = cases[i].name;
		attr = usual;
		events.len = spe.len = 0;
		for (n = 0; n < 32; n++)
			features[n].len = 0;
		cases[i].make();
	}
	return 0;
}
