// SPDX-License-Identifier: GPL-2.0-only
/*
 * Open events with perf_event_open(2) and map their rings with mmap(2).  All
 * tasks' events on a CPU write to one ring.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "input/input.h"
#include "system/system.h"
#include "util/util.h"

/*
 * A perf_event_attr with room for config3 and config4, which older headers lack.
 * Their offsets are the same in all kernels that have them; older kernels accept
 * zeros there.
 */
union attr {
	struct perf_event_attr known;
	uint8_t bytes[256];
};
#define CONFIG3_AT	128

#define AUX_BYTES	((uint64_t)1 << 20)
/* The size of each ring: room for 2000 context switches between two reads */
#define EVENT_BYTES	((uint64_t)128 << 10)
/* With call stacks also for 1000 samples of 48 frames */
#define STACKED_BYTES	((uint64_t)512 << 10)
/* About 20,000 samples per second from a CPU that does 3e9 operations */
#define PERIOD		131072

uint64_t sampler_period(const struct pmu_request *request)
{
	return request->period ? request->period : PERIOD;
}

void sampler_init(struct sampler *s, const char *verb, const struct target_options *opt)
{
	memset(s, 0, sizeof(*s));
	s->verb = verb;
	s->request = &opt->req;
	s->page = (uint64_t)sysconf(_SC_PAGESIZE);
	s->aux_fixed = opt->pages;
	s->aux_bytes = opt->pages ? opt->pages * s->page : AUX_BYTES;
	s->event_bytes = opt->event_pages ? opt->event_pages * s->page : EVENT_BYTES;
}

static int open_event(const union attr *attr, int32_t tid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static void fill_attr(const struct sampler *s, union attr *wide)
{
	struct perf_event_attr *attr = &wide->known;

	memset(wide, 0, sizeof(*wide));
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->sample_id_all = 1;
	attr->sample_type = LIVE_SAMPLE_TYPE;
	attr->inherit = s->tids[0] != NO_ID;
	attr->exclude_user = s->request->kernel;
	attr->exclude_kernel = s->request->user || s->user_only;
	attr->exclude_hv = attr->exclude_kernel;
}

/* Context switches and mappings.  This event is always on, to miss none. */
static int open_others(const struct sampler *s, int32_t tid, int cpu)
{
	union attr wide;
	struct perf_event_attr *attr = &wide.known;

	fill_attr(s, &wide);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->sample_period = 1;
	attr->exclude_kernel = attr->exclude_hv = 1;
	attr->exclude_user = 0;
	attr->disabled = 0;
	attr->mmap = attr->mmap2 = 1;
	attr->comm = attr->comm_exec = attr->task = 1;
	attr->context_switch = 1;
	return open_event(&wide, tid, cpu);
}

static int open_spe(const struct sampler *s, const struct pmu *pmu,
		    const uint64_t config[PMU_CONFIGS], int32_t tid, int cpu)
{
	const struct pmu_request *req = s->request;
	union attr wide;
	struct perf_event_attr *attr = &wide.known;
	uint64_t type;

	if (!pmu_number(pmu, "type", &type)) {
		errno = ENODEV;
		return -1;
	}
	fill_attr(s, &wide);
	attr->type = (uint32_t)type;
	attr->config = config[0];
	attr->config1 = config[1];
	attr->config2 = config[2];
	memcpy(wide.bytes + CONFIG3_AT, &config[3], 2 * sizeof(config[3]));
	if (config[3] || config[4])
		attr->size = CONFIG3_AT + 2 * sizeof(config[3]);
	attr->freq = req->freq != 0;
	attr->sample_period = req->freq ? req->freq : sampler_period(s->request);
	if (s->samples) {
		attr->sample_type = LIVE_RECORD_TYPE;
		attr->watermark = 1;
		attr->wakeup_watermark = (uint32_t)(s->aux_bytes / 4);
	} else {
		attr->aux_watermark = (uint32_t)(s->aux_bytes / 4);
	}
	return open_event(&wide, tid, cpu);
}

static int open_chains(const struct sampler *s, int32_t tid, int cpu)
{
	union attr wide;
	struct perf_event_attr *attr = &wide.known;

	fill_attr(s, &wide);
	attr->type = s->stacks->type;
	attr->config = s->stacks->config;
	attr->freq = 1;
	attr->sample_freq = s->stacks->freq;
	attr->sample_type = LIVE_STACK_TYPE;
	attr->sample_regs_user = LIVE_STACK_REGS;
	/* New kernels refuse the kernel's part of a chain to those who may not sample the kernel. */
	attr->exclude_callchain_kernel = attr->exclude_kernel;
	return open_event(&wide, tid, cpu);
}

static int map_ring(struct sampler *s, int fd, int cpu, struct ring *ring)
{
	/* Without AUX areas the samples are events. */
	uint64_t events = s->samples ? s->aux_bytes : s->stacks ? STACKED_BYTES : s->event_bytes;
	size_t len = (size_t)(events + s->page);
	void *at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return -1;
	memset(ring, 0, sizeof(*ring));
	ring->page = at;
	ring->events = (uint8_t *)at + s->page;
	ring->events_size = events;
	ring->cpu = cpu;
	ring->tid = NO_ID;
	ring->idx = (uint32_t)s->nr_rings;
	if (s->samples)
		return 0;
	ring->page->aux_offset = len;
	ring->page->aux_size = s->aux_bytes;
	at = mmap(NULL, s->aux_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  (off_t)len);
	if (at == MAP_FAILED) {
		int why = errno;

		munmap(ring->page, len);
		errno = why;
		return -1;
	}
	ring->aux = at;
	ring->aux_size = s->aux_bytes;
	return 0;
}

/* The user's limit of locked memory may be low: halve the size until it fits. */
static int new_ring(struct sampler *s, int fd, int cpu)
{
	struct ring ring;

	while (map_ring(s, fd, cpu, &ring) < 0) {
		if ((errno != EPERM && errno != ENOMEM) || s->aux_fixed ||
		    s->aux_bytes <= 2 * s->page)
			return -1;
		s->aux_bytes /= 2;
	}
	s->rings = array_grow(s->rings, s->nr_rings, &s->room_rings,
			      sizeof(*s->rings));
	s->rings[s->nr_rings++] = ring;
	return 0;
}

static void add_fd(int **fds, size_t *count, size_t *room, int fd)
{
	*fds = array_grow(*fds, *count, room, sizeof(**fds));
	(*fds)[(*count)++] = fd;
}

static int open_failed(const struct sampler *s, const char *what)
{
	int why = errno;

	if (why == EACCES || why == EPERM)
		say("%s: cannot open %s: %s; run as root, or set kernel.perf_event_paranoid=%d to sample %s",
		    s->verb, what, strerror(why), s->tids[0] == NO_ID ? 0 : 2,
		    s->tids[0] == NO_ID ? "all programs of a CPU" : "your own programs");
	else if (why == EMFILE)
		say("%s: cannot open %s: too many open files; raise 'ulimit -n', or choose fewer CPUs with -C",
		    s->verb, what);
	else if (why == EBUSY)
		say("%s: cannot open %s: it is busy; end the other profiler that uses it",
		    s->verb, what);
	else if (why == EOPNOTSUPP && (s->request->events | s->request->not_events) && !s->nr_spe)
		say("%s: cannot open %s: its driver does not filter by these events; remove --event and --not-event, and give --filter instead",
		    s->verb, what);
	else
		say("%s: cannot open %s: %s; run 'perf spe doctor' for the cause",
		    s->verb, what, strerror(why));
	return -1;
}

/* Open an event beside the SPE event @first, to write to the ring of that. */
static int add_beside(struct sampler *s, size_t task, int cpu, int first, bool chains)
{
	const char *what = chains ? s->stacks->name : "the context switch event";
	int fd = (chains ? open_chains : open_others)(s, s->tids[task], cpu);

	/* The task may have ended in the meantime. */
	if (fd < 0 && errno == ESRCH && s->nr_tids > 1)
		return 0;
	if (fd < 0)
		return open_failed(s, what);
	if (chains)
		add_fd(&s->chains, &s->nr_chains, &s->room_chains, fd);
	else
		add_fd(&s->others, &s->nr_others, &s->room_others, fd);
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, first) ? open_failed(s, what) : 0;
}

/* Of a CPU whose event failed with ENODEV, which errno keeps */
static bool is_offline(const struct pmu *pmu, int cpu)
{
	char line[4096], *path = xformat("%s/sys/devices/system/cpu/online", pmu->root);
	size_t count = 0;
	bool *online = sysfs_line(path, line, sizeof(line)) ? cpus_parse(line, &count) : NULL;
	bool offline = online && !((size_t)cpu < count && online[cpu]);

	free(online);
	free(path);
	errno = ENODEV;
	return offline;
}

/*
 * Open the events of a task, or of all, on one CPU.  Tasks share its ring.  A CPU that is offline has none,
 * unless it was @chosen: then it fails.
 */
static int add_events(struct sampler *s, const struct pmu *pmu,
		      const uint64_t config[PMU_CONFIGS], size_t task, int cpu,
		      bool chosen, int *first)
{
	int fd = open_spe(s, pmu, config, s->tids[task], cpu);

	if (fd < 0 && (errno == EACCES || errno == EPERM) && !s->user_only &&
	    !s->request->kernel && !s->nr_spe) {
		s->user_only = true;
		fd = open_spe(s, pmu, config, s->tids[task], cpu);
	}
	/* The task may have ended in the meantime. */
	if (fd < 0 && errno == ESRCH && s->nr_tids > 1)
		return 0;
	if (fd < 0 && errno == ENODEV && is_offline(pmu, cpu)) {
		if (chosen)
			say("%s: CPU %d is offline: bring it online, or leave it out of -C", s->verb, cpu);
		return chosen ? -1 : 0;
	}
	s->busy = fd < 0 && errno == EBUSY && s->else_samples;
	if (s->busy)
		return -1;
	if (fd < 0)
		return open_failed(s, pmu->name);
	add_fd(&s->spe, &s->nr_spe, &s->room_spe, fd);
	if (*first < 0) {
		if (new_ring(s, fd, cpu) < 0)
			return open_failed(s, s->samples ? "the ring of samples" : "the AUX buffer");
		*first = fd;
	} else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, *first)) {
		return open_failed(s, pmu->name);
	}
	if (add_beside(s, task, cpu, *first, false) < 0)
		return -1;
	return s->stacks ? add_beside(s, task, cpu, *first, true) : 0;
}

int sampler_open(struct sampler *s, const struct pmu *pmu, const bool *chosen,
		 size_t nr_chosen)
{
	uint64_t config[PMU_CONFIGS];
	size_t cpu, task, count;
	bool *cpus;
	int rc = 0;

	if (!pmu_config(pmu, s->request, config) ||
	    !request_period(s->request, pmu))
		return -1;
	cpus = pmu_cpus(pmu, &count);
	for (cpu = 0; cpus && cpu < count && !rc; cpu++) {
		int first = -1;

		if (!cpus[cpu] || (chosen && (cpu >= nr_chosen || !chosen[cpu])))
			continue;
		for (task = 0; task < s->nr_tids && !rc; task++)
			rc = add_events(s, pmu, config, task, (int)cpu, chosen != NULL, &first);
	}
	free(cpus);
	return rc;
}

static void each(const int *fds, size_t count, unsigned long request)
{
	size_t i;

	for (i = 0; i < count; i++)
		ioctl(fds[i], request, 0);
}

void sampler_enable(const struct sampler *s)
{
	each(s->chains, s->nr_chains, PERF_EVENT_IOC_ENABLE);
	each(s->spe, s->nr_spe, PERF_EVENT_IOC_ENABLE);
}

void sampler_disable(const struct sampler *s)
{
	each(s->spe, s->nr_spe, PERF_EVENT_IOC_DISABLE);
}

void sampler_close(struct sampler *s)
{
	size_t i;

	for (i = 0; i < s->nr_rings; i++) {
		if (s->rings[i].aux)
			munmap((void *)(uintptr_t)s->rings[i].aux, s->rings[i].aux_size);
		munmap(s->rings[i].page, s->rings[i].events_size + s->page);
	}
	for (i = 0; i < s->nr_spe; i++)
		close(s->spe[i]);
	for (i = 0; i < s->nr_others; i++)
		close(s->others[i]);
	for (i = 0; i < s->nr_chains; i++)
		close(s->chains[i]);
	free(s->rings);
	free(s->spe);
	free(s->others);
	free(s->chains);
	memset(s, 0, sizeof(*s));
}
