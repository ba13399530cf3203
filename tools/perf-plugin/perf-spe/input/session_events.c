// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each type of event has a function on_TYPE().
 */
#include <inttypes.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "input/input.h"
#include "util/util.h"

#ifndef PERF_AUX_FLAG_COLLISION
#define PERF_AUX_FLAG_COLLISION 0x08
#endif
/* The header of the build machine may be older than the recording's kernel. */
#define RECORD_CGROUP	19
#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#endif

static const struct hash_kind live_inodes = {
	HASH_POINTERS, .key = { HASH_NUMBER(struct live_inode, device), HASH_NUMBER(struct live_inode, number) },
};

void session_free_inodes(struct session *s)
{
	struct live_inode **slot = NULL;

	while ((slot = hash_table_next(&s->inodes, &live_inodes, slot)))
		free(*slot);
	hash_table_free(&s->inodes);
}

static int too_short(struct session *s, const struct pd_event *ev,
		     const char *name)
{
	return perfdata_damaged(&s->pd, ev->offset, "%s event is too short",
				name);
}

/* The zero-terminated string at @at of the event, NULL if it has no end */
static const char *body_string(const struct pd_event *ev, size_t at)
{
	if (at >= ev->len || !memchr(ev->body + at, 0, ev->len - at))
		return NULL;
	/* The kernel has no name that is longer than a path may be.  Each sample compares names. */
	if (!memchr(ev->body + at, 0, ev->len - at < PATH_MAX ? ev->len - at : PATH_MAX))
		return "[name too long]";
	return (const char *)ev->body + at;
}

/*
 * The same, but kept: the kernel overwrites the events of a live session.  Equal names have one
 * address, because who uses names compares their addresses.
 */
static const char *kept_string(struct session *s, const struct pd_event *ev,
			       size_t at)
{
	const char *text = body_string(ev, at);

	return text ? string_set_add(&s->strings, text) : NULL;
}

/*
 * An event with the time 0 describes what was there before.  Of events without times the
 * order is known, but no sample can be compared with them.
 */
static uint64_t time_of(struct session *s, const struct pd_event *ev)
{
	if (ev->id.has_time || s->live)
		return ev->id.has_time ? ev->id.time : 0;
	return ++s->untimed;
}

static void saw_thread(struct session *s, const struct pd_event *ev, int32_t pid, int32_t tid)
{
	const struct process_change seen = {
		.kind = CHANGE_SEEN, .pid = pid, .tid = tid, .time = time_of(s, ev),
	};

	if (pid != NO_ID)
		processes_change(&s->processes, &seen);
}

/* The idle thread executes, maps and forks nothing: the kernel has no id to give. */
static bool is_outside(struct session *s, int32_t pid)
{
	s->outside |= !pid;
	return !pid;
}

static int on_comm(struct session *s, const struct pd_event *ev)
{
	struct process_change c = {
		.kind = ev->misc & PERF_RECORD_MISC_COMM_EXEC ? CHANGE_EXEC : CHANGE_COMM,
		.time = time_of(s, ev), .comm = kept_string(s, ev, 8),
	};

	if (ev->len < 8 || !c.comm)
		return too_short(s, ev, "COMM");
	c.pid = (int32_t)pd_load32(ev->body);
	c.tid = (int32_t)pd_load32(ev->body + 4);
	if (c.kind != CHANGE_EXEC || !is_outside(s, c.pid))
		processes_change(&s->processes, &c);
	return 0;
}

/*
 * The inode of a live mapping, kept: a text of what identifies it would not be shorter.  /proc does not
 * tell the generation, so that counts as the same for all.
 */
static const uint8_t *kept_inode(struct session *s, const uint8_t *from)
{
	struct live_inode key = {
		.device = pd_load64(from), .number = pd_load64(from + 8),
	}, **slot;

	if (!key.number)
		return NULL;
	slot = hash_table_add(&s->inodes, &live_inodes, &key);
	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = key;
	}
	return (const uint8_t *)*slot;
}

static int on_mmap(struct session *s, const struct pd_event *ev)
{
	bool two = ev->type == PERF_RECORD_MMAP2;
	size_t name = two ? 64 : 32;
	struct map map = { 0 };
	int32_t pid;
	bool data;

	map.file = kept_string(s, ev, name);
	if (!map.file)
		return too_short(s, ev, two ? "MMAP2" : "MMAP");
	pid = (int32_t)pd_load32(ev->body);
	map.start = pd_load64(ev->body + 8);
	map.end = map.start + pd_load64(ev->body + 16);
	map.pgoff = pd_load64(ev->body + 24);
	map.time = time_of(s, ev);
	map.tid = (int32_t)pd_load32(ev->body + 4);
	map.prot = two ? (uint16_t)pd_load32(ev->body + 56) : 0;
	map.hugetlb = two && pd_load32(ev->body + 60) & MAP_HUGETLB;
	if (two && !s->live && ev->misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	    ev->body[32] <= 20) {
		map.build_id = ev->body + 36;
		map.build_id_len = ev->body[32];
	} else if (two && !(ev->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) && pd_load64(ev->body + 40)) {
		map.inode = s->live ? kept_inode(s, ev->body + 32) : ev->body + 32;
	}
	if ((ev->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER &&
	    is_outside(s, pid))
		return 0;
	s->cut_maps += !!(ev->misc & PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT);
	/*
	 * Of a compiler's code, perf inject writes its file's mode in place of PROT_...  Of the kernel and
	 * its modules, whose data has no mappings, perf record --buildid-mmap (usual in new versions) writes 0.
	 */
	data = two ? pid != NO_ID && !(map.prot & (PROT_EXEC | S_IFREG)) :
		     ev->misc & PERF_RECORD_MISC_MMAP_DATA;
	if (pid != NO_ID) {
		const struct process_change c = {
			.kind = data ? CHANGE_DATA : CHANGE_MAP, .pid = pid, .tid = map.tid,
			.time = map.time, .map = map,
		};

		s->data_maps |= data;
		processes_change(&s->processes, &c);
		return 0;
	}
	if (data)
		return 0;
	/* "[kernel.kallsyms]_text": pgoff is the run-time address of _text. */
	if (!strncmp(map.file, "[kernel.kallsyms]_", 18)) {
		s->kernel_text = map.pgoff;
		s->kernel_ref = map.file + 17;
		s->kernel_size = map.end > map.pgoff ? map.end - map.pgoff : 0;
	}
	process_map_add(&s->kernel, &map);
	return 0;
}

/* Where code is removed, a mapping without a name hides it from then on. */
static int on_ksymbol(struct session *s, const struct pd_event *ev)
{
	struct map map = { .file = kept_string(s, ev, 16) };

	if (!map.file)
		return too_short(s, ev, "KSYMBOL");
	map.start = pd_load64(ev->body);
	map.end = map.start + pd_load32(ev->body + 8);
	map.time = time_of(s, ev);
	map.prot = (uint16_t)(ev->body[12] | ev->body[13] << 8);
	if (ev->body[14] & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER)
		map.file = NULL;
	process_map_add(&s->ksymbols, &map);
	return 0;
}

/* Without a group: another thread has the id from now on. */
static void saw_group(struct session *s, int32_t pid, int32_t tid, uint64_t time, const struct cgroup *group)
{
	s->groups = array_grow(s->groups, s->nr_groups, &s->room_groups, sizeof(*s->groups));
	s->groups[s->nr_groups++] = (struct group_seen){ .time = time, .pid = pid, .tid = tid, .group = group };
	s->grouped |= group != NULL;
}

static int on_fork(struct session *s, const struct pd_event *ev)
{
	struct process_change c = { .kind = CHANGE_FORK };
	char *name;

	if (ev->len < 24)
		return too_short(s, ev, "FORK");
	c.pid = (int32_t)pd_load32(ev->body);
	c.parent = (int32_t)pd_load32(ev->body + 4);
	c.tid = (int32_t)pd_load32(ev->body + 8);
	c.by = (int32_t)pd_load32(ev->body + 12);
	if (is_outside(s, c.pid))
		return 0;
	/* The event's own time tells what was there before. */
	c.time = pd_load64(ev->body + 16) || ev->id.has_time ? time_of(s, ev) : 0;
	if (c.pid == c.parent && c.tid != c.pid) {
		name = xformat("[stack:%" PRId32 "]", c.tid);
		c.stack = string_set_add(&s->strings, name);
		free(name);
	}
	saw_group(s, c.pid, c.tid, c.time, NULL);
	processes_change(&s->processes, &c);
	return 0;
}

/* A control group's number and path */
static int on_cgroup(struct session *s, const struct pd_event *ev)
{
	const char *path = kept_string(s, ev, 8);

	if (!path)
		return too_short(s, ev, "CGROUP");
	cgroup_set_path(cgroup_add(&s->cgroups, pd_load64(ev->body), NULL), path);
	s->group_paths = true;
	return 0;
}

static int on_exit_of(struct session *s, const struct pd_event *ev)
{
	struct process_change c = { .kind = CHANGE_EXIT, .time = time_of(s, ev) };

	if (ev->len < 16)
		return too_short(s, ev, "EXIT");
	c.pid = (int32_t)pd_load32(ev->body);
	c.tid = (int32_t)pd_load32(ev->body + 8);
	if (s->live || c.tid != c.pid)
		processes_change(&s->processes, &c);
	return 0;
}

static void turn_append(struct session *s, uint64_t time, uint32_t cpu, int32_t pid,
			int32_t tid)
{
	struct cpu_turns *c = session_cpu(s, cpu);

	if (!c)
		return;
	c->unsorted |= c->nr && c->turns[c->nr - 1].time > time;
	c->turns = array_grow(c->turns, c->nr, &c->room, sizeof(*c->turns));
	c->turns[c->nr++] = (struct turn){ time, pid, tid };
}

static void turn_add(struct session *s, const struct pd_event *ev, int32_t pid,
		     int32_t tid)
{
	if (ev->id.has_time && ev->id.has_cpu)
		turn_append(s, ev->id.time, ev->id.cpu, pid, tid);
}

static int on_itrace_start(struct session *s, const struct pd_event *ev)
{
	int32_t pid, tid;

	if (ev->len < 8)
		return too_short(s, ev, "ITRACE_START");
	pid = (int32_t)pd_load32(ev->body);
	tid = (int32_t)pd_load32(ev->body + 4);
	saw_thread(s, ev, pid, tid);
	turn_add(s, ev, pid, tid);
	return 0;
}

static int on_switch(struct session *s, const struct pd_event *ev)
{
	bool out = ev->misc & PERF_RECORD_MISC_SWITCH_OUT;

	s->switches++;
	s->of_cpus |= ev->type == PERF_RECORD_SWITCH_CPU_WIDE;
	if (!out) {
		if (ev->id.has_tid)
			turn_add(s, ev, ev->id.pid, ev->id.tid);
	} else if (ev->type == PERF_RECORD_SWITCH) {
		/* A thread that is not profiled may run now. */
		turn_add(s, ev, NO_ID, NO_ID);
	} else {
		if (ev->len < 8)
			return too_short(s, ev, "SWITCH_CPU_WIDE");
		turn_add(s, ev, (int32_t)pd_load32(ev->body),
			 (int32_t)pd_load32(ev->body + 4));
	}
	return 0;
}

static int on_aux(struct session *s, const struct pd_event *ev)
{
	uint64_t flags;

	if (ev->len < 24)
		return too_short(s, ev, "AUX");
	flags = pd_load64(ev->body + 16);
	s->aux_events++;
	if (ev->id.has_time && ev->id.time > s->aux_last)
		s->aux_last = ev->id.time;
	s->overwritten |= flags & PERF_AUX_FLAG_OVERWRITE;
	s->aux_truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	s->aux_partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	s->aux_collision += !!(flags & PERF_AUX_FLAG_COLLISION);
	return 0;
}

/*
 * The kernel tells a loss when it next has room for an event.  Since the event before it,
 * which has the time @last of the CPU, this may have switched to other threads.
 */
static int on_lost(struct session *s, const struct pd_event *ev)
{
	bool samples = ev->type == PERF_RECORD_LOST_SAMPLES;
	const struct cpu_turns *c;

	if (ev->len < (samples ? 8 : 16))
		return too_short(s, ev, samples ? "LOST_SAMPLES" : "LOST");
	c = !samples && ev->id.has_cpu && ev->id.has_time ? session_cpu(s, ev->id.cpu) : NULL;
	if (c)
		turn_append(s, c->last ? c->last + 1 : 0, ev->id.cpu, NO_ID, NO_ID);
	s->lost_events++;
	s->lost_records += pd_load64(ev->body + (samples ? 0 : 8));
	return 0;
}

/*
 * AUXTRACE_INFO of Arm SPE consists of 64-bit words.  Version 1 has two words:
 * the PMU, and whether buffers are per CPU.  From version 2 on there are
 *
 *   version | words in this head | PMU | number of CPUs, then for each CPU
 *   magic | CPU | number of parameters | MIDR | PMU | least interval | ...
 *
 * Every CPU has the same number of words, which newer versions may increase.
 */
static int read_metadata(struct session *s, const struct pd_event *ev)
{
	const uint8_t *info = ev->body + 8;
	uint64_t total = (ev->len - 8) / 8, head, cpus, each, i;

	if (total)
		s->pmu_type = pd_load64(info + (total < 4 ? 0 : 16));
	if (total < 4 || pd_load64(info) < 2)
		return 0;
	head = pd_load64(info + 8);
	cpus = pd_load64(info + 24);
	if (!cpus)
		return 0;
	if (head < 4 || head > total || cpus > (total - head) / 4) {
		return perfdata_damaged(&s->pd, ev->offset,
			"an AUXTRACE_INFO event claims %" PRIu64
			" CPUs but has no room for them", cpus);
	}
	each = (total - head) / cpus;
	free(s->midrs);
	s->midrs = xcalloc(cpus, sizeof(*s->midrs));
	s->nr_midrs = cpus;
	for (i = 0; i < cpus; i++) {
		const uint8_t *cpu = info + 8 * (head + i * each);

		s->midrs[i].cpu = pd_load64(cpu + 8);
		s->midrs[i].midr = pd_load64(cpu + 24);
		s->midrs[i].pmu = each > 4 ? pd_load64(cpu + 32) : s->pmu_type;
		s->midrs[i].least = each > 5 ? pd_load64(cpu + 40) : 0;
	}
	return 0;
}

static int on_auxtrace_info(struct session *s, const struct pd_event *ev)
{
	if (ev->len < 8)
		return too_short(s, ev, "AUXTRACE_INFO");
	s->auxtrace_type = pd_load32(ev->body);
	s->is_spe = s->auxtrace_type == PD_AUXTRACE_ARM_SPE;
	return s->is_spe ? read_metadata(s, ev) : 0;
}

/* A count, then for each event its id, an index, its CPU and its thread; CPU -1: any */
static int on_id_index(struct session *s, const struct pd_event *ev)
{
	const uint8_t *at = ev->body + 8;
	uint64_t count, i;

	if (ev->len < 8)
		return too_short(s, ev, "ID_INDEX");
	count = pd_load64(ev->body);
	if (count > (ev->len - 8) / 32)
		return too_short(s, ev, "ID_INDEX");
	for (i = 0; i < count; i++, at += 32)
		if (pd_load64(at + 16) == UINT64_MAX)
			aux_samples_of_thread(&s->aux_samples, pd_load64(at),
					      (int32_t)pd_load64(at + 24));
	return 0;
}

static int on_auxtrace(struct session *s, const struct pd_event *ev)
{
	struct piece *p;

	s->pieces = array_grow(s->pieces, s->nr_pieces, &s->room_pieces,
			       sizeof(*s->pieces));
	p = &s->pieces[s->nr_pieces++];
	*p = (struct piece){ .file_offset = ev->offset };
	p->bytes = ev->aux;
	p->len = ev->aux_len;
	p->offset = pd_load64(ev->body + 8);
	p->idx = pd_load32(ev->body + 24);
	p->tid = (int32_t)pd_load32(ev->body + 28);
	p->cpu = (int32_t)pd_load32(ev->body + 32);
	/* What is kept for each CPU is large. */
	if (p->cpu >= CPUS_MOST)
		p->cpu = NO_ID;
	return 0;
}

/* Too many samples of an event: the kernel takes no more of this CPU up to its next tick, or later. */
static int on_throttle(struct session *s, const struct pd_event *ev)
{
	struct cpu_turns *c = ev->id.has_cpu ? session_cpu(s, ev->id.cpu) : NULL;
	uint64_t time;

	if (ev->len < 8)
		return too_short(s, ev, "THROTTLE");
	if (s->live || !c || ev->attr >= s->pd.nr_attrs || !spe_event_samples(s, ev->attr))
		return 0;
	time = pd_load64(ev->body);
	if (ev->type == PERF_RECORD_THROTTLE) {
		s->throttles++;
		c->throttled = time;
	} else if (c->throttled && time > c->throttled) {
		s->throttled_ns += time - c->throttled;
		c->throttled = 0;
	}
	return 0;
}

/* Newer versions of perf add time_cycles, time_mask and two flags. */
static int on_time_conv(struct session *s, const struct pd_event *ev)
{
	if (ev->len < 24)
		return too_short(s, ev, "TIME_CONV");
	s->tc.shift = pd_load64(ev->body);
	s->tc.mult = pd_load64(ev->body + 8);
	s->tc.zero = pd_load64(ev->body + 16);
	s->tc.valid = s->tc.shift < 64;
	if (ev->len >= 42) {
		s->tc.cycles = pd_load64(ev->body + 24);
		s->tc.mask = pd_load64(ev->body + 32);
		s->tc.valid = s->tc.valid && ev->body[40];
		s->tc.is_short = ev->body[41];
	}
	return 0;
}

/* Synthesized events have the time 0. */
static void take_time(struct session *s, uint64_t time)
{
	if (!s->first || time < s->first)
		s->first = time;
	if (time > s->last)
		s->last = time;
}

static void on_record_sample(struct session *s, const struct pd_event *ev,
			     const struct pd_sample *sample)
{
	if (sample->has_time && sample->time)
		take_time(s, sample->time);
	if (sample->has_cpu)
		event_counts_owner(&s->counts, sample->cpu, ev->attr);
	record_samples_add(&s->record_samples, ev, sample);
}

/* A sample that is too short for its parts has no stack and no AUX data. */
static int on_sample(struct session *s, const struct pd_event *ev)
{
	struct pd_sample sample;
	bool is_record, whole;

	if (ev->attr >= s->pd.nr_attrs)
		return 0;
	is_record = s->live ? s->sampled : spe_event_samples(s, ev->attr);
	whole = sample_event_read(&s->pd.attrs[ev->attr], ev, &sample);
	s->record_samples.damaged += is_record && !whole;
	if (!whole)
		return 0;
	/* Of events without times the order is known, as time_of() has it. */
	if (sample.has_group && sample.has_tid)
		saw_group(s, sample.pid, sample.tid, sample.has_time ? sample.time : ++s->untimed,
			  cgroup_add(&s->cgroups, sample.group, NULL));
	if (is_record)
		on_record_sample(s, ev, &sample);
	if (sample.aux_len && !s->live)
		aux_samples_add(&s->aux_samples, ev->offset, &sample);
	if (s->calls.wanted)
		call_samples_add(&s->calls, ev->attr, &sample);
	return 0;
}

/* Each CPU's events come in the order of time. */
static void take_cpu_time(struct session *s, uint32_t cpu, uint64_t time)
{
	struct cpu_turns *c = session_cpu(s, cpu);

	if (c)
		c->last = time;
}

static int handle(struct session *s, const struct pd_event *ev)
{
	switch (ev->type) {
	case PERF_RECORD_COMM:
		return on_comm(s, ev);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return on_mmap(s, ev);
	case PERF_RECORD_KSYMBOL:
		return on_ksymbol(s, ev);
	case RECORD_CGROUP:
		return on_cgroup(s, ev);
	case PERF_RECORD_FORK:
		return on_fork(s, ev);
	case PERF_RECORD_EXIT:
		return on_exit_of(s, ev);
	case PERF_RECORD_ITRACE_START:
		return on_itrace_start(s, ev);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return on_switch(s, ev);
	case PERF_RECORD_AUX:
		return on_aux(s, ev);
	case PERF_RECORD_SAMPLE:
		return on_sample(s, ev);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return on_lost(s, ev);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return on_throttle(s, ev);
	case PD_EVENT_ID_INDEX:
		return on_id_index(s, ev);
	case PD_EVENT_AUXTRACE_INFO:
		return on_auxtrace_info(s, ev);
	case PD_EVENT_AUXTRACE:
		return on_auxtrace(s, ev);
	case PD_EVENT_TIME_CONV:
		return on_time_conv(s, ev);
	default:
		return 0;
	}
}

/* The events of a round that count something; 0 stands for no event. */
static const struct hash_kind round_kind = {
	.size = sizeof(uint64_t), .hashed = true, .used = { 0, sizeof(uint64_t) }, .key = { { 0, sizeof(uint64_t) } },
};

/* Recordings without ends of rounds are cut into parts of so many events. */
#define ROUND_EVENTS	65536u

/* What tells @ev from all others: a hash of its bytes, or 0 if it has no time */
static uint64_t event_mark(const struct session *s, const struct pd_event *ev)
{
	const struct pd_attr *attr = ev->attr < s->pd.nr_attrs ? &s->pd.attrs[ev->attr] : NULL;
	uint64_t hash = ev->type;
	size_t at;

	if (ev->type == PERF_RECORD_SAMPLE ? !attr || !(attr->sample_type & PERF_SAMPLE_TIME) :
					     !ev->id.has_time || !ev->id.time)
		return 0;
	hash = hash_add(hash_add(hash, ev->id.time), ev->id.cpu);
	for (at = 0; at + 8 <= ev->len; at += 8)
		hash = hash_mix(hash + pd_load64(ev->body + at));
	return hash;
}

/*
 * perf record reads the head of a ring twice: it stores the events up to the second value, and the next round
 * begins at the first one (perf_mmap__push() of Linux 7.3, tools/perf/util/mmap.c).  So events that the
 * kernel wrote in between are in the file twice, with the same time.  To handle them again changes nothing,
 * except for those that count something.
 */
static bool is_repeated(struct session *s, const struct pd_event *ev)
{
	struct hash_table last = s->rounds[1];
	uint64_t mark;

	if (s->live)
		return false;
	if (ev->type == PD_EVENT_FINISHED_ROUND ||
	    (!s->has_rounds && s->rounds[0].count == ROUND_EVENTS)) {
		s->has_rounds |= ev->type == PD_EVENT_FINISHED_ROUND;
		/* To clear the table of a long round after each short one takes too long. */
		if (8 * last.count < last.room)
			hash_table_free(&last);
		else
			hash_table_clear(&last, &round_kind);
		s->rounds[1] = s->rounds[0];
		s->rounds[0] = last;
	}
	if (ev->type != PERF_RECORD_AUX && ev->type != PERF_RECORD_LOST &&
	    ev->type != PERF_RECORD_LOST_SAMPLES && ev->type != PERF_RECORD_SAMPLE)
		return false;
	mark = event_mark(s, ev);
	if (!mark)
		return false;
	if (hash_table_find(&s->rounds[1], &round_kind, &mark) || hash_table_find(&s->rounds[0], &round_kind, &mark))
		return true;
	*(uint64_t *)hash_table_add(&s->rounds[0], &round_kind, &mark) = mark;
	return false;
}

int session_event(struct session *s, const struct pd_event *ev)
{
	int error;

	if (is_repeated(s, ev))
		return 0;
	if (ev->id.has_time && ev->id.time)
		take_time(s, ev->id.time);
	event_counts_add(&s->counts, &s->pd, ev);
	error = handle(s, ev);
	if (ev->id.has_cpu && ev->id.has_time && ev->id.time)
		take_cpu_time(s, ev->id.cpu, ev->id.time);
	return error;
}
