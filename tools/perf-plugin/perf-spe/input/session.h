/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that is needed to interpret samples: processes and their mappings,
 * which thread ran on which CPU and when, the AUX data and what was lost.
 * session_load.h fills a session from a perf.data file, live.h from the kernel.
 */
#ifndef PERF_SPE_SESSION_H
#define PERF_SPE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/aux_samples.h"
#include "input/call_samples.h"
#include "input/event_counts.h"
#include "input/perfdata.h"
#include "input/piece.h"
#include "input/process.h"
#include "input/processes.h"
#include "util/string_set.h"

/* From @time on, @tid runs on the CPU (NO_ID: a thread that is not known). */
struct turn {
	uint64_t time;
	uint32_t cpu;
	int32_t pid, tid;
};

struct time_conv {
	bool valid, is_short;
	uint64_t shift, mult, zero, cycles, mask;
};

/* What kind of core a CPU is, and the type of its PMU */
struct cpu_midr {
	uint64_t cpu, midr, pmu;
	uint64_t least;		/* the recommended least interval; 0: unknown */
};

struct session {
	struct perfdata pd;
	bool live;			/* false: all is in a file */
	struct string_set strings;	/* live: names from events */
	struct processes processes;
	uint64_t aux_last;		/* ns: the last AUX event; 0: none that tells */
	bool foreign_times;		/* those of the samples are of another counter */
	size_t cut_maps;		/* lists of mappings that perf did not read to the end */
	uint64_t *cpu_last;		/* ns: the last event so far of each CPU; 0: none */
	size_t nr_cpu_last, room_cpu_last;
	struct turn *turns;		/* sorted by CPU, then time */
	size_t nr_turns, room_turns;
	size_t turns_sorted;		/* how many of them session_sort() saw */
	/* 0: perf recorded none, so that a turn may have ended any time */
	size_t switches;
	uint64_t untimed;		/* events without times, which have their order instead */
	bool foreign_contexts;		/* see contexts.h */
	bool guessed_owners;		/* the same */
	bool several_pids;		/* of processes in the file */
	bool outside;			/* pid 0 is of all threads outside perf's pid namespace */
	struct piece *pieces;		/* in file order */
	size_t nr_pieces, room_pieces;
	uint64_t copied;		/* bytes that a snapshot had again */
	bool overwritten;		/* snapshots of buffers in which new records replace old ones */
	bool data_maps;			/* mappings of data were recorded */
	struct process kernel;		/* mappings of the kernel */
	struct process ksymbols;	/* code loaded at run time, such as BPF */
	uint64_t kernel_text;		/* run-time address of kernel_ref, 0: unknown */
	const char *kernel_ref;		/* "_text" or "_stext" */
	struct time_conv tc;
	bool is_spe;			/* AUXTRACE_INFO says Arm SPE */
	uint64_t auxtrace_type;
	uint64_t pmu_type;		/* of the SPE event, or of the first */
	struct cpu_midr *midrs;		/* AUXTRACE_INFO of version 2 */
	size_t nr_midrs;
	uint64_t first, last;		/* event's time, ns of perf's clock; 0: none has one */
	uint64_t aux_events, aux_truncated, aux_partial, aux_collision;
	uint64_t lost_events, lost_records;
	struct event_counts counts;	/* the same for each event */
	struct call_samples calls;	/* if calls.wanted was set before the events */
	struct aux_samples aux_samples;	/* AUX data in samples */
};

/* An empty session */
void session_init(struct session *s);
void session_free(struct session *s);

/*
 * What ran on @cpu at @time; NULL if unknown.  *@until is when it ended, UINT64_MAX if it did
 * not.  *@near is where to look first, the turn that was found last.
 */
const struct turn *session_turn_find(const struct session *s, uint32_t cpu, uint64_t time,
				     size_t *near, uint64_t *until);

/*
 * MIDR_EL1 of @cpu.  With NO_ID, or for a CPU that AUXTRACE_INFO lacks, that of all CPUs
 * that it has, if they are alike but for variants and revisions.  Returns false if it is unknown.
 */
bool session_midr(const struct session *s, int32_t cpu, uint64_t *midr);

/* The name of a core; variants and revisions count as alike.  To be freed. */
char *session_core(uint64_t midr);
/* All cores that the recording names, as "A, B"; NULL if it names none.  To be freed. */
char *session_cores(const struct session *s);

/* Whether AUXTRACE_INFO lists CPUs, but not @cpu */
bool session_cpu_missing(const struct session *s, int32_t cpu);

/*
 * The formula of struct perf_event_mmap_page, in 128 bits against overflow; @tc must be valid.
 * Inline, because most verbs call it for each record.
 */
static inline uint64_t session_time_of(const struct time_conv *tc, uint64_t timestamp)
{
	uint64_t cycles = tc->is_short ? tc->cycles + ((timestamp - tc->cycles) & tc->mask) :
					 timestamp;

	return tc->zero + (uint64_t)((unsigned __int128)cycles * tc->mult >> tc->shift);
}

/* perf clock in ns of an SPE timestamp; false without TIME_CONV. */
bool session_time(const struct session *s, uint64_t timestamp, uint64_t *time);

/* Apply changes of processes, and sort: the functions above need this after events were added. */
void session_sort(struct session *s);

#endif
