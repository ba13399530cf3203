/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fake rings of the kernel for tests of live.c: events and SPE bytes, and the session and the
 * samples that live.c makes of them.
 */
#ifndef PERF_SPE_FAKE_RINGS_H
#define PERF_SPE_FAKE_RINGS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/rows.h"
#include "output/text/text.h"
#include "system/system.h"

#define EVENTS	4096u
#define AUX	256u		/* bytes, so that records are cut */

/* The kernel's side of a ring, in memory of the same layout */
struct fake {
	_Alignas(8) uint8_t events[EVENTS], aux[AUX];
	struct perf_event_mmap_page page;
	struct ring ring;
};

void fake_init(struct fake *f, int32_t cpu);
/* @event begins with its header. */
void fake_event(struct fake *f, const void *event);
/* Write as many bytes as fit; returns how many. */
size_t fake_aux(struct fake *f, const uint8_t *bytes, size_t len);

/* Events as perf_event_open(2) lays them out, in the order of LIVE_SAMPLE_TYPE's parts */
struct fake_id {
	uint32_t pid, tid;
	uint64_t time, cpu, event;
};

struct fake_comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[16];
	struct fake_id id;
};

struct fake_task {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
	struct fake_id id;
};

struct fake_switched {
	struct perf_event_header header;
	struct fake_id id;
};

struct fake_mapped {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, len, pgoff, inode[3];
	uint32_t prot, flags;
	char file[16];
	struct fake_id id;
};

struct fake_comm fake_comm(uint32_t pid, const char *name, uint64_t time, bool exec);
struct fake_task fake_task(uint32_t type, uint32_t pid, uint32_t ppid, uint64_t time);
struct fake_switched fake_switched(uint32_t pid, uint64_t time, uint64_t cpu);
struct fake_mapped fake_mapped(uint32_t pid, uint64_t start, const char *file, uint64_t time);

#define EVENT(fake, made) \
	do { \
		__typeof__(made) made_ = (made); \
		fake_event(fake, &made_); \
	} while (0)

/* One record of a user's instruction; returns its bytes. */
size_t fake_bytes(uint8_t bytes[64], uint64_t pc, uint64_t time);
/* Put such a record into the AUX area, which has room for it. */
void fake_record(struct fake *f, uint64_t pc, uint64_t time);

/* Results of all samples */
struct watched {
	struct rows rows;
	struct live live;
	struct view view;
	struct row_sink sink;
	uint64_t count[256];		/* samples by pid */
	const char *object[256];
};

/* The session of these rings */
struct watched *watch(struct fake *fakes, size_t count);
void unwatch(struct watched *w);

#endif
