// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of a target.  perf_event_open(2) and two mmap(2) are all that it
 * takes: a ring for each CPU, which all tasks' events there write to.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live/request.h"
#include "live/target.h"

/*
 * Its words behind those that the C library's header may know: config3 and
 * config4 stand at the same place in each kernel that has them, and others
 * take zeros there.
 */
union attr {
	struct perf_event_attr known;
	uint8_t bytes[256];
};
#define CONFIG3_AT	128

static int open_event(const union attr *attr, int32_t tid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static void fill_attr(const struct target *t, union attr *wide)
{
	struct perf_event_attr *attr = &wide->known;

	memset(wide, 0, sizeof(*wide));
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->sample_id_all = 1;
	attr->sample_type = LIVE_SAMPLE_TYPE;
	attr->inherit = t->tids[0] != NO_ID;
	attr->exclude_user = t->opt->req.kernel;
	attr->exclude_kernel = t->opt->req.user || t->user_only;
	attr->exclude_hv = attr->exclude_kernel;
}

/* Who runs and what is mapped: never off, so that nothing is missed. */
static int open_others(struct target *t, int32_t tid, int cpu)
{
	union attr wide;
	struct perf_event_attr *attr = &wide.known;

	fill_attr(t, &wide);
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

static int open_spe(const struct target *t, const struct pmu *pmu,
		    const uint64_t config[PMU_CONFIGS], int32_t tid, int cpu)
{
	const struct pmu_request *req = &t->opt->req;
	union attr wide;
	struct perf_event_attr *attr = &wide.known;
	uint64_t type;

	if (!pmu_number(pmu, "type", &type)) {
		errno = ENODEV;
		return -1;
	}
	fill_attr(t, &wide);
	attr->type = (uint32_t)type;
	attr->config = config[0];
	attr->config1 = config[1];
	attr->config2 = config[2];
	memcpy(wide.bytes + CONFIG3_AT, &config[3], 2 * sizeof(config[3]));
	if (config[3] || config[4])
		attr->size = CONFIG3_AT + 2 * sizeof(config[3]);
	attr->freq = req->freq != 0;
	attr->sample_period = req->freq ? req->freq : target_period(t->opt);
	attr->aux_watermark = (uint32_t)(t->aux_bytes / 4);
	return open_event(&wide, tid, cpu);
}

static int map_ring(struct target *t, int fd, int cpu, struct ring *ring)
{
	size_t len = (size_t)(EVENT_BYTES + t->page);
	void *at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return -1;
	memset(ring, 0, sizeof(*ring));
	ring->page = at;
	ring->events = (uint8_t *)at + t->page;
	ring->events_size = EVENT_BYTES;
	ring->page->aux_offset = len;
	ring->page->aux_size = t->aux_bytes;
	at = mmap(NULL, t->aux_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  (off_t)len);
	if (at == MAP_FAILED) {
		int why = errno;

		munmap(ring->page, len);
		errno = why;
		return -1;
	}
	ring->aux = at;
	ring->aux_size = t->aux_bytes;
	ring->cpu = cpu;
	ring->tid = NO_ID;
	ring->idx = (uint32_t)t->nr_rings;
	return 0;
}

/* How much may be locked depends on who asks: half of it is enough as well. */
static int new_ring(struct target *t, int fd, int cpu)
{
	struct ring ring;

	while (map_ring(t, fd, cpu, &ring) < 0) {
		if ((errno != EPERM && errno != ENOMEM) || t->opt->pages ||
		    t->aux_bytes <= 2 * t->page)
			return -1;
		t->aux_bytes /= 2;
	}
	t->rings = array_grow(t->rings, t->nr_rings, &t->room_rings,
			      sizeof(*t->rings));
	t->rings[t->nr_rings++] = ring;
	return 0;
}

static void add_fd(int **fds, size_t *count, size_t *room, int fd)
{
	*fds = array_grow(*fds, *count, room, sizeof(**fds));
	(*fds)[(*count)++] = fd;
}

static int complain(const struct target *t, const char *what)
{
	int why = errno;

	if (why == EACCES || why == EPERM)
		say("%s: %s: %s: as root, or with CAP_PERFMON, or after 'sysctl kernel.perf_event_paranoid=-1'",
		    t->verb, what, strerror(why));
	else if (why == EMFILE)
		say("%s: %s: too many files are open: 'ulimit -n' allows more, -C fewer CPUs",
		    t->verb, what);
	else if (why == EBUSY)
		say("%s: %s: somebody else samples there", t->verb, what);
	else
		say("%s: %s: %s; 'perf spe doctor' tells more", t->verb, what,
		    strerror(why));
	return -1;
}

/* One task (or all) on one CPU; the first task's ring there serves all. */
static int add_events(struct target *t, const struct pmu *pmu,
		      const uint64_t config[PMU_CONFIGS], size_t task, int cpu,
		      int *first)
{
	int fd = open_spe(t, pmu, config, t->tids[task], cpu);

	if (fd < 0 && (errno == EACCES || errno == EPERM) && !t->user_only &&
	    !t->opt->req.kernel && !t->nr_spe) {
		t->user_only = true;
		fd = open_spe(t, pmu, config, t->tids[task], cpu);
	}
	/* A task may end meanwhile. */
	if (fd < 0 && errno == ESRCH && t->nr_tids > 1)
		return 0;
	if (fd < 0)
		return complain(t, pmu->name);
	add_fd(&t->spe, &t->nr_spe, &t->room_spe, fd);
	if (*first < 0) {
		if (new_ring(t, fd, cpu) < 0)
			return complain(t, "memory for the samples");
		*first = fd;
	} else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, *first)) {
		return complain(t, pmu->name);
	}
	fd = open_others(t, t->tids[task], cpu);
	if (fd < 0)
		return complain(t, "who runs");
	add_fd(&t->others, &t->nr_others, &t->room_others, fd);
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, *first))
		return complain(t, "who runs");
	return 0;
}

int target_open_pmu(struct target *t, const struct pmu *pmu, const bool *asked,
		    size_t nr_asked)
{
	uint64_t config[PMU_CONFIGS];
	size_t cpu, task, count;
	bool *cpus;
	int rc = 0;

	if (!pmu_config(pmu, &t->opt->req, config) ||
	    !request_period(&t->opt->req, pmu))
		return -1;
	cpus = pmu_cpus(pmu, &count);
	for (cpu = 0; cpus && cpu < count && !rc; cpu++) {
		int first = -1;

		if (!cpus[cpu] || (asked && (cpu >= nr_asked || !asked[cpu])))
			continue;
		for (task = 0; task < t->nr_tids && !rc; task++)
			rc = add_events(t, pmu, config, task, (int)cpu, &first);
	}
	free(cpus);
	return rc;
}
