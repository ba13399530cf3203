// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace for Perfetto, written while the recording is read.  Each sample is an event on
 * the track of its CPU, with its latencies as values of counters and with what it counts
 * for as annotations, and a sample with a callstack of its thread.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/format/format.h"
#include "export/profiles/profiles.h"

#ifdef HAVE_PROTOBUF_C

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "perfetto.pb-c.h"
#include "util/util.h"

#define INSTANT		3	/* the type of events */
#define USES_IIDS	2	/* sequence_flags */
#define NR_LATENCIES	3

static const struct {
	unsigned int index;
	const char *name;
} latencies[NR_LATENCIES] = {
	{ SPE_COUNTER_TOTAL, "total latency" },
	{ SPE_COUNTER_ISSUE, "issue latency" },
	{ SPE_COUNTER_XLAT, "translation latency" },
};

/* Tracks have numbers in the order in which they appear; 0: not yet. */
struct cpu_tracks {
	int32_t cpu;		/* NO_ID: not known */
	uint64_t samples, latency[NR_LATENCIES];
};

struct perfetto {
	struct profile profile;		/* only its frames and threads */
	struct proto_file *file;
	struct perfetto_intern intern;
	struct cpu_tracks *cpus;
	size_t nr_cpus, room_cpus;
	size_t cpu;			/* of the last sample: many follow */
	size_t nr_processes, nr_threads;	/* whose tracks are written */
	uint64_t tracks;
	uint64_t written, timeless;
};

static void put(struct perfetto *p, Perfetto__Packet *packet)
{
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;

	trace.n_packet = 1;
	trace.packet = &packet;
	proto_put(p->file, &trace.base);
}

static uint64_t put_track(struct perfetto *p, Perfetto__Track *track)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	track->has_uuid = true;
	track->uuid = ++p->tracks;
	packet.has_sequence = true;
	packet.sequence = PERFETTO_SEQUENCE;
	packet.track = track;
	put(p, &packet);
	return track->uuid;
}

static void put_process(struct perfetto *p, const struct profile_process *from)
{
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	Perfetto__Process process = PERFETTO__PROCESS__INIT;

	if (from->pid == NO_ID)
		return;
	process.has_pid = true;
	process.pid = from->pid;
	process.name = from->comm ? utf8_text(from->comm) : NULL;
	track.process = &process;
	put_track(p, &track);
	free(process.name);
}

static void put_thread(struct perfetto *p, const struct profile_thread *from)
{
	const struct profile_process *process =
		&p->profile.processes[from->process];
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	Perfetto__Thread thread = PERFETTO__THREAD__INIT;
	const char *name;

	if (process->pid == NO_ID || from->tid == NO_ID)
		return;
	thread.has_pid = true;
	thread.pid = process->pid;
	thread.has_tid = true;
	thread.tid = from->tid;
	name = from->comm ? from->comm : process->comm;
	thread.name = name ? utf8_text(name) : NULL;
	track.thread = &thread;
	put_track(p, &track);
	free(thread.name);
}

static struct cpu_tracks *cpu_of(struct perfetto *p, int32_t cpu)
{
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	struct cpu_tracks *c;
	size_t i;

	if (p->cpu < p->nr_cpus && p->cpus[p->cpu].cpu == cpu)
		return &p->cpus[p->cpu];
	for (i = 0; i < p->nr_cpus; i++) {
		if (p->cpus[i].cpu != cpu)
			continue;
		p->cpu = i;
		return &p->cpus[i];
	}
	p->cpus = array_grow(p->cpus, p->nr_cpus, &p->room_cpus,
			     sizeof(*p->cpus));
	c = &p->cpus[p->nr_cpus++];
	memset(c, 0, sizeof(*c));
	c->cpu = cpu;
	track.name = cpu == NO_ID ? xformat("SPE samples") :
		     xformat("SPE samples of CPU %d", cpu);
	c->samples = put_track(p, &track);
	free(track.name);
	return c;
}

static uint64_t latency_track(struct perfetto *p, struct cpu_tracks *c,
			      unsigned int i)
{
	Perfetto__Track track = PERFETTO__TRACK__INIT;
	Perfetto__Counter counter = PERFETTO__COUNTER__INIT;

	if (c->latency[i])
		return c->latency[i];
	counter.unit = (char *)"cycles";
	track.counter = &counter;
	track.has_parent = true;
	track.parent = c->samples;
	track.name = c->cpu == NO_ID ? xformat("%s", latencies[i].name) :
		     xformat("%s of CPU %d", latencies[i].name, c->cpu);
	c->latency[i] = put_track(p, &track);
	free(track.name);
	return c->latency[i];
}

/* The packet's parts that all packets of a sample have */
static Perfetto__Packet packet_at(uint64_t time)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;

	packet.has_timestamp = true;
	packet.timestamp = time;
	packet.has_sequence = true;
	packet.sequence = PERFETTO_SEQUENCE;
	packet.has_sequence_flags = true;
	packet.sequence_flags = USES_IIDS;
	return packet;
}

static size_t annotate(struct perfetto *p, const struct row_batch *b, size_t at,
		       Perfetto__Annotation *annotation)
{
	uint64_t value[NR_PROFILE_VALUES];
	size_t count = 0, i;

	profile_values(b, at, &p->profile.intervals, value);
	for (i = 0; i < NR_PROFILE_VALUES; i++) {
		if (i == PROFILE_SAMPLES || !value[i])
			continue;
		annotation[count] =
			(Perfetto__Annotation)PERFETTO__ANNOTATION__INIT;
		annotation[count].has_name_iid = true;
		annotation[count].name_iid = i + 1;
		annotation[count].has_number = true;
		annotation[count++].number = value[i];
	}
	return count;
}

static void put_event(struct perfetto *p, const struct row_batch *b, size_t at,
		      uint64_t time, uint32_t stack)
{
	Perfetto__Packet packet = packet_at(time);
	Perfetto__Event event = PERFETTO__EVENT__INIT;
	Perfetto__Annotation annotation[NR_PROFILE_VALUES];
	Perfetto__Annotation *annotations[NR_PROFILE_VALUES];
	struct cpu_tracks *cpu = cpu_of(p, b->piece->cpu);
	const struct frames *f = &p->profile.frames;
	uint64_t tracks[NR_LATENCIES];
	int64_t values[NR_LATENCIES];
	unsigned int i;

	for (i = 0; i < NR_LATENCIES; i++) {
		if (!(b->counter_valid[at] >> latencies[i].index & 1))
			continue;
		tracks[event.n_counter_track++] = latency_track(p, cpu, i);
		values[event.n_counter_value++] =
			b->cols.counter[latencies[i].index][at];
	}
	event.counter_track = tracks;
	event.counter_value = values;
	for (i = 0; i < NR_PROFILE_VALUES; i++)
		annotations[i] = &annotation[i];
	event.n_annotation = annotate(p, b, at, annotation);
	event.annotation = annotations;
	event.has_type = true;
	event.type = INSTANT;
	event.has_track = true;
	event.track = cpu->samples;
	event.has_name_iid = true;
	event.name_iid = f->frames[f->stacks[stack].frame].function +
			 UINT64_C(1);
	packet.event = &event;
	put(p, &packet);
}

/* Perfetto takes a sample without a thread for one of the idle thread. */
static void put_sample(struct perfetto *p, const struct owner *owner, int32_t cpu,
		       uint64_t time, uint32_t stack)
{
	Perfetto__Packet packet = packet_at(time);
	Perfetto__Sample sample = PERFETTO__SAMPLE__INIT;

	if (owner->pid == NO_ID || owner->tid == NO_ID)
		return;
	sample.has_cpu = cpu != NO_ID;
	sample.cpu = (uint32_t)cpu;
	sample.has_pid = true;
	sample.pid = (uint32_t)owner->pid;
	sample.has_tid = true;
	sample.tid = (uint32_t)owner->tid;
	sample.has_callstack_iid = true;
	sample.callstack_iid = stack + UINT64_C(1);
	packet.sample = &sample;
	put(p, &packet);
}

static int perfetto_begin(struct writer *w)
{
	const char *names[NR_PROFILE_VALUES];
	struct perfetto *p = xcalloc(1, sizeof(*p));
	unsigned int i;

	p->file = proto_begin(w, false);
	profile_begin(&p->profile, w->rows,
		      FRAMES_LINES | FRAMES_ADDRESSES, 0);
	for (i = 0; i < NR_PROFILE_VALUES; i++)
		names[i] = profile_value_name(i);
	perfetto_intern_begin(&p->intern, &p->profile.frames, p->file, names,
			      NR_PROFILE_VALUES);
	w->state = p;
	return 0;
}

static void put_row(struct perfetto *p, const struct row_batch *b, size_t i)
{
	const struct session *s = b->rows->resolver.session;
	const struct place_list list = frames_places(b, i);
	uint64_t time;
	uint32_t stack;

	if (!s || !(b->valid[i] & ARMSPE_HAS_TIMESTAMP) ||
	    !session_time(s, b->timestamp[i], &time)) {
		p->timeless++;
		return;
	}
	p->written++;
	profile_thread(&p->profile, s, batch_owner(b, i));
	while (p->nr_processes < p->profile.nr_processes)
		put_process(p, &p->profile.processes[p->nr_processes++]);
	while (p->nr_threads < p->profile.nr_threads)
		put_thread(p, &p->profile.threads[p->nr_threads++]);
	stack = frames_stack(&p->profile.frames, &list, &b->place[i]->hint);
	perfetto_intern_stack(&p->intern, stack);
	put_event(p, b, i, time, stack);
	put_sample(p, batch_owner(b, i), b->piece->cpu, time, stack);
}

static void perfetto_batch(struct writer *w, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		put_row(w->state, b, b->kept[k]);
}

static int number_order(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Perfetto tells processes apart by their ids alone. */
static void say_shared_pids(const struct profile *profile)
{
	int32_t *pids = xcalloc(profile->nr_processes + 1, sizeof(*pids));
	size_t shared = 0, i;

	for (i = 0; i < profile->nr_processes; i++)
		pids[i] = profile->processes[i].pid;
	qsort(pids, profile->nr_processes, sizeof(*pids), number_order);
	for (i = 1; i < profile->nr_processes; i++)
		shared += pids[i] != NO_ID && pids[i] == pids[i - 1] &&
			  (i < 2 || pids[i - 2] != pids[i]);
	if (shared)
		say("export: %zu process id%s named several programs one after the other, which Perfetto shows as one process; --format firefox tells them apart",
		    shared, plural(shared));
	free(pids);
}

static int perfetto_end(struct writer *w)
{
	struct perfetto *p = w->state;
	int rc = 0;

	proto_end(p->file);
	say_shared_pids(&p->profile);
	if (p->timeless)
		say("export: --format perfetto leaves out %" PRIu64 " sample%s without a time%s",
		    p->timeless, plural(p->timeless),
		    p->written ? "; other formats keep them" :
		    ": record with timestamps (ts_enable=1), or choose speedscope, pprof or firefox");
	if (p->timeless && !p->written)
		rc = -1;
	perfetto_intern_free(&p->intern);
	profile_free(&p->profile);
	free(p->cpus);
	free(p);
	return rc;
}

const struct format format_perfetto = {
	.name = "perfetto", .suffix = "perfetto-trace",
	.profile = PROFILE_EACH, .binary = true,
	.begin = perfetto_begin, .batch = perfetto_batch, .end = perfetto_end,
};

#else

const struct format format_perfetto = {
	.name = "perfetto", .suffix = "perfetto-trace", .profile = PROFILE_EACH,
	.missing = "export: cannot write Perfetto traces: this perf-spe was built without protobuf-c; use --format firefox, which shows times too",
};

#endif
