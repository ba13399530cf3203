/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a perf.data file says around the samples: processes and what they had
 * mapped, who ran where and when, the AUX data and what was lost.
 */
#ifndef PERF_SPE_SESSION_H
#define PERF_SPE_SESSION_H

#include "input/asked.h"

#define NO_ID (-1)

/* An executable mapping; of the kernel's modules where the owner is -1. */
struct map {
	uint64_t start, end;	/* virtual addresses, end not included */
	uint64_t reach;		/* after sorting: largest end in its subtree */
	uint64_t pgoff;		/* file offset of start */
	uint64_t time;		/* ns; 0: from the beginning */
	size_t seq;		/* place among the process's, in file order */
	const char *file;	/* inside the perf.data file */
	const uint8_t *build_id;
	size_t build_id_len;	/* 0: not recorded here */
};

struct process {
	int32_t pid;
	int32_t parent;		/* NO_ID where unknown */
	uint64_t born;		/* ns of its FORK */
	uint64_t exec;		/* ns of its last exec; UINT64_MAX: none */
	const char *comm;
	struct map *maps;	/* by start: a binary tree, its root the middle */
	size_t nr_maps, room_maps;
	size_t added;		/* maps so far */
	bool sorted;
	bool exited;		/* live only: its threads may go on */
};

struct thread {
	int32_t tid, pid;
};

/* From @time on, @tid runs on the CPU (NO_ID: not known who). */
struct turn {
	uint64_t time;
	uint32_t cpu;
	int32_t pid, tid;
};

/* One AUXTRACE event's data */
struct piece {
	uint64_t file_offset;
	const uint8_t *bytes;
	uint64_t len;
	uint64_t offset;	/* in the AUX area's stream */
	uint32_t idx;
	int32_t cpu, tid;	/* NO_ID where it belongs to all */
};

struct time_conv {
	bool valid, is_short;
	uint64_t shift, mult, zero, cycles, mask;
};

/* What kind of core a CPU is, and the type of its PMU */
struct cpu_midr {
	uint64_t cpu, midr, pmu;
};

struct live;

struct session {
	struct perfdata pd;
	struct live *live;		/* NULL: all is in a file */
	struct process **processes;	/* hash by pid, a power of two */
	size_t nr_processes, room_processes;
	struct thread *threads;		/* hash by tid, a power of two */
	size_t nr_threads, room_threads;
	struct turn *turns;		/* sorted by CPU, then time */
	size_t nr_turns, room_turns;
	size_t turns_sorted;		/* how many of them session_sort() saw */
	struct piece *pieces;		/* in file order */
	size_t nr_pieces, room_pieces;
	struct process kernel;		/* mappings of the kernel */
	struct process ksymbols;	/* code that it made, by name */
	uint64_t kernel_text;		/* run-time address of kernel_ref, 0: unknown */
	const char *kernel_ref;		/* "_text" or "_stext" */
	struct time_conv tc;
	bool is_spe;			/* AUXTRACE_INFO says Arm SPE */
	uint64_t auxtrace_type;
	uint64_t pmu_type;		/* of the SPE event, or of the first */
	struct cpu_midr *midrs;		/* AUXTRACE_INFO of version 2 */
	size_t nr_midrs;
	uint64_t aux_events, aux_truncated, aux_partial, aux_collision;
	uint64_t lost_events, lost_records;
	struct asked asked;		/* the same for each event */
};

/* 0, or -1 after a message.  Refuses files without Arm SPE data. */
int session_load(struct session *s, const char *path);
void session_free(struct session *s);

struct process *session_process(const struct session *s, int32_t pid);
/* The same, made where it is new */
struct process *session_process_get(struct session *s, int32_t pid);
void session_thread_set(struct session *s, int32_t pid, int32_t tid);
void process_map_add(struct process *p, const struct map *map);
/* pid of a thread, NO_ID where the file does not name it */
int32_t session_pid_of_tid(const struct session *s, int32_t tid);

/* Who ran on @cpu at @time; NULL where the file does not tell. */
const struct turn *session_turn_find(const struct session *s, uint32_t cpu,
				     uint64_t time);

/*
 * MIDR_EL1 of @cpu, or of all where @cpu is NO_ID and they are alike; false
 * where the file does not tell.
 */
bool session_midr(const struct session *s, int32_t cpu, uint64_t *midr);

/* perf clock in ns of an SPE timestamp; false without TIME_CONV. */
bool session_time(const struct session *s, uint64_t timestamp, uint64_t *time);

/* The mapping of @p itself that holds @address at @time, or NULL. */
const struct map *process_map_find(const struct process *p, uint64_t address,
				   uint64_t time);

/* Whether @p itself has the same bytes at @address whatever the time. */
bool process_map_always(const struct process *p, uint64_t address);

/*
 * The mapping of @p that holds @address at @time (UINT64_MAX: at the end), or
 * one inherited from a parent.  NULL where there is none.
 */
const struct map *session_map_find(const struct session *s,
				   const struct process *p, uint64_t address,
				   uint64_t time);

/* After loading: sort what is looked up.  Called by session_load(). */
void session_sort(struct session *s);

/* Apply one event.  Called by session_load(); see events.c. */
int session_event(struct session *s, const struct pd_event *ev);

#endif
