// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "analysis/rows/rows.h"
#include "fake_rings.h"
#include "input/input.h"
#include "test.h"
#include "util/util.h"

void fake_init(struct fake *f, int32_t cpu)
{
	memset(f, 0, sizeof(*f));
	f->ring = (struct ring){
		.page = &f->page, .events = f->events, .aux = f->aux,
		.events_size = EVENTS, .aux_size = AUX, .cpu = cpu,
		.tid = NO_ID, .idx = (uint32_t)cpu,
	};
	f->page.cap_user_time = f->page.cap_user_time_zero = 1;
	f->page.time_mult = 1;
}

void fake_event(struct fake *f, const void *event)
{
	const struct perf_event_header *header = event;
	uint16_t i;

	for (i = 0; i < header->size; i++)
		f->events[(f->page.data_head + i) % EVENTS] =
			((const uint8_t *)event)[i];
	f->page.data_head += header->size;
}

size_t fake_aux(struct fake *f, const uint8_t *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len && f->page.aux_head - f->page.aux_tail < AUX; i++)
		f->aux[f->page.aux_head++ % AUX] = bytes[i];
	return i;
}

struct fake_comm fake_comm(uint32_t pid, const char *name, uint64_t time, bool exec)
{
	struct fake_comm e = {
		.header = { PERF_RECORD_COMM,
			    exec ? PERF_RECORD_MISC_COMM_EXEC : 0, sizeof(e) },
		.pid = pid, .tid = pid, .id = { pid, pid, time, 0, 0 },
	};

	strncpy(e.comm, name, sizeof(e.comm) - 1);
	return e;
}

struct fake_task fake_task(uint32_t type, uint32_t pid, uint32_t ppid,
			uint64_t time)
{
	struct fake_task e = {
		.header = { type, 0, sizeof(e) }, .pid = pid, .ppid = ppid,
		.tid = pid, .ptid = ppid, .time = time,
		.id = { pid, pid, time, 0, 0 },
	};

	return e;
}

struct fake_switched fake_switched(uint32_t pid, uint64_t time, uint64_t cpu)
{
	struct fake_switched e = {
		.header = { PERF_RECORD_SWITCH, 0, sizeof(e) },
		.id = { pid, pid, time, cpu, 0 },
	};

	return e;
}

struct fake_mapped fake_mapped(uint32_t pid, uint64_t start, const char *file,
			    uint64_t time)
{
	struct fake_mapped e = {
		.header = { PERF_RECORD_MMAP2, 0, sizeof(e) },
		.pid = pid, .tid = pid, .start = start, .len = 0x1000,
		.prot = PROT_EXEC, .id = { pid, pid, time, 0, 0 },
	};

	strncpy(e.file, file, sizeof(e.file) - 1);
	return e;
}

size_t fake_bytes(uint8_t bytes[64], uint64_t pc, uint64_t time)
{
	struct armspe_encoder enc;

	armspe_encode_init(&enc, bytes, 64);
	armspe_encode_address(&enc, SPE_ADDR_PC, pc | 1ULL << 63);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, 7);
	armspe_encode_timestamp(&enc, time);
	return enc.len;
}

static void count_row(void *context, const struct row *row)
{
	struct watched *w = context;
	uint8_t pid = (uint8_t)row->owner.pid;

	w->count[pid]++;
	w->object[pid] = row->place->object;
}

static void take(void *context, const struct row_batch *b)
{
	struct watched *w = context;

	batch_each(b, count_row, w);
	view_add(&w->view, b);
}

static void on_change(void *context)
{
	struct watched *w = context;

	rows_forget(&w->rows);
}

struct watched *watch(struct fake *fakes, size_t count)
{
	static const struct row_taker taker = { .take = take };
	struct watched *w = calloc(1, sizeof(*w));
	struct ring *rings = calloc(count, sizeof(*rings));
	size_t i;

	if (!w || !rings)
		abort();
	for (i = 0; i < count; i++)
		rings[i] = fakes[i].ring;
	live_init(&w->live, &w->rows.src.session, 8, 1024);
	row_sink_init(&w->sink, &w->rows, &taker, w);
	w->live.decoder = row_sink_decoder(&w->sink, &w->live.totals);
	w->live.changed = on_change;
	w->live.context = w;
	w->live.rings = rings;
	w->live.nr_rings = count;
	/* Use no files of this machine: they have other symbols. */
	w->rows.symbol_options.symfs = "/proc/self/fdinfo";
	w->rows.need = NEED_PLACE;
	CHECK(rows_ready(&w->rows) == EXIT_OK);
	view_begin(&w->view, &w->rows);
	w->rows.need = NEED_PLACE;
	return w;
}

void unwatch(struct watched *w)
{
	view_clear(&w->view);
	rows_finish(&w->rows);
	free(w->live.rings);
	live_free(&w->live);
	row_sink_free(&w->sink);
	free(w);
}

void fake_record(struct fake *f, uint64_t pc, uint64_t time)
{
	uint8_t bytes[64];
	size_t len = fake_bytes(bytes, pc, time);

	CHECK_EQ(fake_aux(f, bytes, len), len);
}
