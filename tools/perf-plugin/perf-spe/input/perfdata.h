/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reader of perf.data files: header, attributes and features, as
 * tools/perf/Documentation/perf.data-file-format.txt and the uapi header
 * linux/perf_event.h define them.  Everything is bounds-checked; nothing is
 * copied but strings.  perfdata_events.h walks over the events.
 */
#ifndef PERF_SPE_PERFDATA_H
#define PERF_SPE_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/mapped_file.h"
#include "input/unpack.h"

/* Events that perf itself writes, beyond enum perf_event_type */
enum {
	PD_EVENT_USER_FIRST = 64,
	PD_EVENT_ATTR = 64,
	PD_EVENT_TRACING_DATA = 66,
	PD_EVENT_BUILD_ID = 67,
	PD_EVENT_ID_INDEX = 69,
	PD_EVENT_AUXTRACE_INFO = 70,
	PD_EVENT_AUXTRACE = 71,
	PD_EVENT_AUXTRACE_ERROR = 72,
	PD_EVENT_TIME_CONV = 79,
	PD_EVENT_FEATURE = 80,
	PD_EVENT_COMPRESSED = 81,
	PD_EVENT_COMPRESSED2 = 83,
};

#define PD_AUXTRACE_ARM_SPE 4	/* auxtrace_info.type */

/* The sample_id that ends an event; a field is meaningful where has_* says so. */
struct pd_sample_id {
	bool has_tid, has_time, has_cpu;
	int32_t pid, tid;
	uint32_t cpu;
	uint64_t time;		/* ns of the perf clock; 0 on synthesized events */
};

struct pd_event {
	uint64_t offset;	/* of its header, in the file */
	uint32_t type;
	uint16_t misc;
	const uint8_t *body;	/* behind the header, without the sample_id */
	size_t len;
	const uint8_t *aux;	/* AUXTRACE: the trace bytes behind the event */
	uint64_t aux_len;
	struct pd_sample_id id;
	size_t attr;		/* whose event it is; PD_NO_ATTR: not told */
};

#define PD_NO_ATTR SIZE_MAX

#define PD_CONFIGS 5

struct pd_attr {
	uint32_t type;		/* PMU */
	uint64_t config[PD_CONFIGS];	/* config, config1 ... */
	uint64_t sample_period;	/* samples a second where freq is set */
	bool freq;
	bool exclude_user, exclude_kernel;
	bool enable_on_exec, context_switch;
	bool use_clockid;	/* the event's times are of @clockid, not of perf's clock */
	int32_t clockid;
	uint64_t sample_type;
	bool sample_id_all;
	/* The shape of its samples: see sample_event.h */
	uint64_t read_format, branch_sample_type;
	uint64_t sample_regs_user, sample_regs_intr;	/* a bit for each register */
};

/* An event id and the attribute that owns it */
struct pd_id {
	uint64_t id;
	size_t attr;
};

/* Features of the header that are kept as they are, see feature.h */
enum {
	PD_HOSTNAME = 3,
	PD_NRCPUS = 7,
	PD_CPUDESC = 8,
	PD_TOTAL_MEM = 10,
	PD_CMDLINE = 11,
	PD_EVENT_DESC = 12,
	PD_NUMA_TOPOLOGY = 14,
	PD_PMU_MAPPINGS = 16,
	PD_MEM_TOPOLOGY = 22,
	PD_CLOCKID = 23,
	PD_DIR_FORMAT = 24,
	PD_CLOCK_DATA = 29,
	PD_FEATURES = 32,
};

struct pd_feature {
	const uint8_t *bytes;		/* NULL: absent */
	size_t len;
};

/* A file of events beside the one with the header: see folder.h */
struct pd_part {
	int64_t number;
	char *path;
	bool empty;
	struct mapped_file in;
	struct unpacked unpacked;
	uint64_t data, data_end;	/* the events, offsets in the file */
};

struct perfdata {
	struct mapped_file in;		/* the file that is read now */
	char *folder;			/* its name, NULL: the recording is one file */
	char *data_path;		/* with it: of the file with the header */
	struct pd_part *parts;		/* by number; see folder_open() */
	size_t nr_parts, room_parts;
	bool pipe;			/* attributes and features are events */
	bool opened;			/* damage no longer makes the file unreadable */
	bool damaged;			/* a part of the file is lost */
	struct unpacked unpacked;
	struct pd_attr *attrs;
	size_t nr_attrs, room_attrs;
	uint64_t data, data_end;	/* the events, offsets in the file */
	char *arch;			/* features; NULL where absent */
	char *osrelease;
	char *cpuid;
	struct pd_feature features[PD_FEATURES];
	uint64_t build_ids, build_ids_end;
	uint64_t *build_id_at;		/* pipe: offsets of BUILD_ID events */
	size_t nr_build_ids, room_build_ids;
	struct pd_id *ids;		/* by id; of equal ones the first counts */
	size_t nr_ids, room_ids;
	bool ids_sorted;
};

/*
 * @path may be a folder that perf made: see folder.h.  0, or -1 after a message that
 * names the offset.  If the events or features are cut, it says what is lost, sets
 * pd->damaged, and returns 0.
 */
int perfdata_open(struct perfdata *pd, const char *path);
void perfdata_close(struct perfdata *pd);
/* The recording's name: of its file, or of the folder that the file is in */
const char *perfdata_name(const struct perfdata *pd);
/* Exchange the file that is read and part @i: once for its events, once to go back. */
void perfdata_swap(struct perfdata *pd, size_t i);

/*
 * The next entry of the recorded build ids; *pos starts at pd->build_ids.
 * Same results as perfdata_next().  *name is inside the file and ends in zero.
 */
int perfdata_next_build_id(struct perfdata *pd, uint64_t *pos,
			   const uint8_t **id, size_t *id_len,
			   const char **name);

/* In the pipe form these are events; perfdata_events.c calls these functions. */
int perfdata_add_attr(struct perfdata *pd, const struct pd_event *ev);
void perfdata_add_feature(struct perfdata *pd, const struct pd_event *ev);
void perfdata_add_build_id(struct perfdata *pd, const struct pd_event *ev);
void perfdata_sort_ids(struct perfdata *pd);

/*
 * Report that the file is damaged at @offset, in the words of @format, and what to
 * do.  Among the events, all events from @offset on are lost; @lost says instead
 * how many bytes are, unless it is 0.  Sets pd->damaged and returns -1.
 */
int perfdata_lost(struct perfdata *pd, uint64_t offset, uint64_t lost,
		  const char *format, ...)
	__attribute__((format(printf, 4, 5)));
#define perfdata_damaged(pd, offset, ...) perfdata_lost(pd, offset, 0, __VA_ARGS__)

/* Unaligned loads */
uint32_t pd_load32(const uint8_t *from);
uint64_t pd_load64(const uint8_t *from);

/* The clock of the events' times: a clockid_t, -1 for perf's own, INT32_MAX for an unknown one */
int32_t perfdata_clock(const struct perfdata *pd);
/* "CLOCK_MONOTONIC", "perf's clock" */
const char *perfdata_clock_name(const struct perfdata *pd);

#endif
