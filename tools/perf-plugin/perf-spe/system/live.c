// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "input/input.h"
#include "system/system.h"
#include "util/util.h"

/* The attributes of a session: of the SPE events, of those with call chains */
enum { ATTR_SPE, ATTR_STACKS };

void live_init(struct live *l, struct session *s, uint64_t pmu_type, uint64_t period)
{
	struct utsname uts;

	memset(l, 0, sizeof(*l));
	session_init(s);
	l->session = s;
	s->live = s->processes.copies = true;
	s->is_spe = true;
	s->pmu_type = pmu_type;
	s->pd.in.path = "the kernel";
	s->pd.attrs = xcalloc(2, sizeof(*s->pd.attrs));
	s->pd.nr_attrs = 1;
	s->pd.attrs[ATTR_SPE] = (struct pd_attr){
		.type = (uint32_t)pmu_type, .sample_period = period,
		.sample_type = LIVE_SAMPLE_TYPE, .sample_id_all = true,
	};
	if (!uname(&uts)) {
		s->pd.osrelease = xformat("%s", uts.release);
		s->pd.arch = xformat("%s", uts.machine);
	}
}

void live_stacks(struct live *l, const struct stack_attr *attr)
{
	struct session *s = l->session;

	s->pd.attrs[ATTR_STACKS] = (struct pd_attr){
		.type = attr->type, .config = { attr->config }, .freq = true,
		.sample_period = attr->freq, .sample_type = LIVE_STACK_TYPE,
		.sample_regs_user = LIVE_STACK_REGS, .sample_id_all = true,
	};
	s->pd.nr_attrs = ATTR_STACKS + 1;
	s->calls.wanted = true;
	s->calls.event = attr->name;
}

void live_samples(struct live *l)
{
	struct session *s = l->session;

	s->pd.attrs[ATTR_SPE].sample_type = LIVE_RECORD_TYPE;
	s->sampled = s->sample_times = true;
	s->tc = (struct time_conv){ .valid = true, .mult = 1 };
}

void live_cores(struct live *l, const struct sampler *sampler, const char *root)
{
	struct session *s = l->session;
	size_t i;

	s->midrs = xcalloc(sampler->nr_rings, sizeof(*s->midrs));
	for (i = 0; i < sampler->nr_rings; i++) {
		size_t cpu = (size_t)sampler->rings[i].cpu;
		uint64_t midr;

		if (pmu_cpu_midr(root, cpu, &midr))
			s->midrs[s->nr_midrs++] = (struct cpu_midr){
				.cpu = cpu, .midr = midr, .pmu = s->pmu_type,
			};
	}
}

void live_free(struct live *l)
{
	aux_decoder_end(l->decoder);
	session_free(l->session);
	hash_table_free(&l->met);
	free(l->bodies);
	memset(l, 0, sizeof(*l));
}

/* The kernel overwrites the event before its record is decoded. */
static const uint8_t *kept_body(struct live *l, const struct pd_event *ev)
{
	uint8_t *body = memcpy(xcalloc(1, ev->len), ev->body, ev->len);

	l->bodies = array_grow(l->bodies, l->nr_bodies, &l->room_bodies, sizeof(*l->bodies));
	l->bodies[l->nr_bodies++] = body;
	return body;
}

static bool changes_places(uint32_t type)
{
	return type == PERF_RECORD_MMAP2 || type == PERF_RECORD_MMAP ||
	       type == PERF_RECORD_FORK;
}

void live_event(void *live, const struct perf_event_header *event)
{
	struct live *l = live;
	struct pd_event ev = {
		.type = event->type, .misc = event->misc,
		.body = (const uint8_t *)(event + 1),
		.len = event->size - sizeof(*event),
		.attr = PD_NO_ATTR,
	};

	if (event->type >= PERF_RECORD_MAX)
		return;
	/* Only events with call chains, or those of spe_sample_N, write samples; these have their ids at the front. */
	if (event->type != PERF_RECORD_SAMPLE) {
		perfdata_sample_id(&l->session->pd, &ev);
	} else if (l->session->sampled) {
		ev.attr = ATTR_SPE;
		ev.body = kept_body(l, &ev);
	} else if (l->session->calls.wanted) {
		ev.attr = ATTR_STACKS;
	} else {
		return;
	}
	l->mapped |= changes_places(event->type);
	if (session_event(l->session, &ev) < 0)
		l->damaged_events++;
}

static void report_changes(struct live *l)
{
	if (l->mapped && l->changed)
		l->changed(l->context);
	l->mapped = false;
}

struct met {
	uint32_t number;	/* of the process */
};

static const struct hash_kind met_kind = {
	HASH_SLOTS(struct met, number), .key = { HASH_NUMBER(struct met, number) },
};

static void read_group(struct live *l, struct process *p)
{
	struct session *s = l->session;
	char *path = proc_group(l->root, p->pid);

	if (!path)
		return;
	p->group = cgroup_add(&s->cgroups, 0, string_set_add(&s->strings, path));
	p->grouped = s->grouped = s->group_paths = true;
	free(path);
}

/* The process with this pid runs now; true if its mappings were read. */
static bool meet(struct live *l, int32_t pid)
{
	struct processes *all = &l->session->processes;
	struct process *p = processes_at(all, pid, UINT64_MAX);
	bool known = p && p->nr_maps;
	struct met *met;

	if (!known && proc_one(l, l->root, pid)) {
		processes_apply(all);
		p = processes_at(all, pid, UINT64_MAX);
	}
	if (!p)
		return false;
	met = hash_table_add(&l->met, &met_kind, &p->number);
	if (met->number)
		return false;
	met->number = p->number;
	read_group(l, p);
	return !known;
}

static void meet_all(struct live *l)
{
	const struct session *s = l->session;
	bool read = false;
	size_t i;

	for (i = 0; l->root && i < s->nr_cpus; i++) {
		struct cpu_turns *c = &s->cpus[i];

		for (; c->met < c->nr; c->met++)
			if (c->turns[c->met].pid != NO_ID)
				read |= meet(l, c->turns[c->met].pid);
	}
	if (read)
		session_sort(l->session);
}

/* Decode the samples of spe_sample_N that events have brought, and forget them. */
static void decode_samples(struct live *l)
{
	struct session *s = l->session;
	size_t i;

	l->damaged_events += s->record_samples.damaged;
	if (s->record_samples.nr)
		record_samples_take(s);
	for (i = 0; i < s->nr_pieces; i++) {
		aux_decoder_piece(l->decoder, s->pieces[i].idx, &s->pieces[i]);
		free(s->pieces[i].samples);
	}
	free(s->pieces);
	s->pieces = NULL;
	s->nr_pieces = 0;
	record_samples_free(&s->record_samples);
	while (l->nr_bodies)
		free(l->bodies[--l->nr_bodies]);
}

/*
 * Apply all events before decoding samples: a sample may depend on any event up
 * to its own time.  ring_aux() comes first, so that no SPE sample is newer than the
 * events.
 */
void live_drain(struct live *l)
{
	struct piece (*pieces)[2] = xcalloc(l->nr_rings, sizeof(*pieces));
	size_t *count = xcalloc(l->nr_rings, sizeof(*count));
	size_t i, k, any = 0;

	for (i = 0; i < l->nr_rings; i++) {
		count[i] = ring_aux(&l->rings[i], pieces[i]);
		any += count[i];
	}
	if (any && l->settle)
		l->settle(l->context);
	for (i = 0; i < l->nr_rings; i++)
		if (!ring_events(&l->rings[i], live_event, l))
			l->damaged_events++;
	for (i = 0; i < l->nr_rings && !l->session->tc.valid; i++)
		l->session->tc = ring_time(&l->rings[i]);
	session_sort(l->session);
	meet_all(l);
	report_changes(l);
	if (any && l->ready)
		l->ready(l->context);
	for (i = 0; i < l->nr_rings; i++) {
		for (k = 0; k < count[i]; k++) {
			aux_decoder_piece(l->decoder, i, &pieces[i][k]);
			ring_aux_free(&l->rings[i], &pieces[i][k]);
		}
	}
	decode_samples(l);
	free(count);
	free(pieces);
}

/* Keep only the last turn of each CPU: that thread still runs. */
static void forget_turns(struct session *s)
{
	size_t i;

	for (i = 0; i < s->nr_cpus; i++) {
		struct cpu_turns *c = &s->cpus[i];

		if (c->nr > 1) {
			c->turns[0] = c->turns[c->nr - 1];
			c->nr = c->met = 1;
		}
	}
}

static void forget_calls(struct call_samples *c)
{
	uint64_t newest = 0;
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->samples[i].time > newest)
			newest = c->samples[i].time;
	if (newest > LIVE_STACKS_KEPT)
		call_samples_forget(c, newest - LIVE_STACKS_KEPT);
}

/* A process may have other threads after its first one has ended. */
static bool is_gone(const struct process *p)
{
	return p->exited && kill(p->pid, 0) < 0 && errno == ESRCH;
}

void live_forget(struct live *l)
{
	struct session *s = l->session;
	size_t i;

	session_sort(s);
	forget_turns(s);
	forget_calls(&s->calls);
	for (i = 0; i < s->processes.nr; i++) {
		struct process *p = s->processes.all[i];

		if (is_gone(p)) {
			process_free_maps(p);
			p->exited = false;
		}
	}
	l->mapped |= processes_forget(&s->processes);
	session_sort(s);
}

