// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fake kernel with SPE for perf spe top.  It replaces four functions of the C
 * library: events are descriptors that never become readable, rings are plain
 * memory, and each time an event is disabled the same records appear.
 *
 *   FAKE_MAP   PID START LEN PGOFF FILE: a process and what it has mapped
 *   FAKE_INODE MAJOR MINOR NUMBER: of this file
 *   FAKE_PCS   PC:N...: at each stop N records of each, of 1, 2, ... cycles.  @ADDRESS,...
 *              among them is a sample with this call chain, if an event wants such samples;
 *              with ~@ it is only there when perf-spe has slept.  Records and samples are 1 ns
 *              apart, and stops 1 s.  Parts between | take turns, one at each stop
 *   FAKE_CROWD N: processes 1000 to 999 + N run in turn, each on one CPU, with records each time;
 *              names of processes and files have bytes that terminals and JSON treat specially
 *   FAKE_DATA  ADDRESS: of the data of a record of one cycle; each more cycle is 8 bytes further.  Such records
 *              also have the other two latencies
 *   FAKE_LOG   a file that gets a line for each event that is opened
 *   FAKE_OFFLINE  the number of a CPU that is offline
 *   FAKE_REFUSE  if it is set, the kernel permits no event; "kernel": none of its own code;
 *                "filter": none with this filter; "busy": another profiler has the SPE PMU, so only samples are possible
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../encode.h"
#include "armspe.h"
#include "input/input.h"
#include "system/system.h"

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
void *__real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __real_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);

#define EVENTS_MAX 512

static struct fake {
	int fd, cpu;
	uint32_t number;	/* of the events with SPE records */
	bool spe, chains, samples, on, told;
	struct perf_event_mmap_page *page;
	uint8_t *events, *aux;
	size_t events_size, aux_size;
} fakes[EVENTS_MAX];
static size_t nr_fakes;
static uint32_t nr_spe;
static uint64_t time_now = 1000;	/* ns */

struct id {
	uint32_t pid, tid;
	uint64_t time, cpu, event;
};

#define DEPTH_MAX 8

/* As LIVE_STACK_TYPE orders its parts (linux/perf_event.h) */
struct chain_sample {
	struct perf_event_header header;
	uint64_t event;
	uint32_t pid, tid;
	uint64_t time, cpu, count, word[DEPTH_MAX + 2];	/* behind the addresses, registers */
};

#define LATER_MAX 16

/* Samples that perf-spe finds when it has slept */
static struct {
	struct fake *to;
	struct chain_sample sample;
} later[LATER_MAX];
static size_t nr_later;

static struct fake *find(int fd)
{
	size_t i;

	for (i = 0; i < nr_fakes; i++)
		if (fakes[i].fd == fd)
			return &fakes[i];
	return NULL;
}

static void log_event(const struct perf_event_attr *attr, int tid, int cpu)
{
	const char *path = getenv("FAKE_LOG");
	FILE *to = path ? fopen(path, "ae") : NULL;

	if (!to)
		return;
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		fprintf(to, "stacks tid %d cpu %d type %" PRIu32 " config %" PRIu64
			" freq %" PRIu64 " registers 0x%" PRIx64 " inherit %d user %d kernel %d\n",
			tid, cpu, (uint32_t)attr->type, (uint64_t)attr->config,
			attr->freq ? (uint64_t)attr->sample_freq : 0,
			(uint64_t)attr->sample_regs_user, (int)attr->inherit,
			(int)!attr->exclude_user, (int)!attr->exclude_kernel);
	else
		fprintf(to, "%s tid %d cpu %d period %" PRIu64 " config 0x%" PRIx64
		" inherit %d user %d\n",
		attr->type == PERF_TYPE_SOFTWARE ? "dummy" :
		attr->sample_type & PERF_SAMPLE_RAW ? "samples" : "spe", tid, cpu,
		(uint64_t)attr->sample_period, (uint64_t)attr->config,
		(int)attr->inherit, (int)!attr->exclude_user);
	fclose(to);
}

/* What Linux 6.12.117 and 7.3 refuse above perf_event_paranoid 1 */
static bool wants_kernel(const struct perf_event_attr *attr)
{
	return !attr->exclude_kernel ||
	       (attr->sample_type & PERF_SAMPLE_CALLCHAIN && !attr->exclude_callchain_kernel);
}

static long open_event(const struct perf_event_attr *attr, int tid, int cpu)
{
	const char *refuse = getenv("FAKE_REFUSE"), *offline = getenv("FAKE_OFFLINE");
	struct fake *f = &fakes[nr_fakes];

	if (refuse && !strcmp(refuse, "busy")) {
		errno = EBUSY;
		if (attr->type != PERF_TYPE_SOFTWARE && !(attr->sample_type & PERF_SAMPLE_RAW))
			return -1;
	} else if (refuse && !strcmp(refuse, "filter")) {
		errno = EOPNOTSUPP;
		return -1;
	} else if (refuse && (strcmp(refuse, "kernel") || wants_kernel(attr))) {
		errno = EACCES;
		return -1;
	}
	if (offline && tid < 0 && cpu == atoi(offline)) {
		errno = ENODEV;
		return -1;
	}
	if (nr_fakes == EVENTS_MAX)
		abort();
	log_event(attr, tid, cpu);
	f->fd = eventfd(0, EFD_CLOEXEC);
	f->cpu = cpu;
	f->chains = attr->sample_type & PERF_SAMPLE_CALLCHAIN;
	f->spe = !f->chains && attr->type != PERF_TYPE_SOFTWARE;
	f->samples = attr->sample_type & PERF_SAMPLE_RAW;
	f->number = nr_spe;
	nr_spe += f->spe;
	nr_fakes++;
	return f->fd;
}

long __wrap_syscall(long number, ...)
{
	long arg[6];
	va_list args;
	int i;

	va_start(args, number);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_perf_event_open)
		return open_event((const void *)arg[0], (int)arg[1], (int)arg[2]);
	return __real_syscall(number, arg[0], arg[1], arg[2], arg[3], arg[4],
			      arg[5]);
}

void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct fake *f = fd < 0 ? NULL : find(fd);

	if (!f)
		return __real_mmap(at, len, prot, flags, fd, off);
	at = __real_mmap(NULL, len, prot, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (off) {
		f->aux = at;
		f->aux_size = len;
	} else {
		f->page = at;
		f->page->cap_user_time = f->page->cap_user_time_zero = 1;
		f->page->time_mult = 1;
		f->events = (uint8_t *)at + page;
		f->events_size = len - page;
	}
	return at;
}

static void put_event(struct fake *f, const void *event)
{
	const struct perf_event_header *header = event;
	uint16_t i;

	if (f->page->data_head + header->size - f->page->data_tail > f->events_size)
		abort();
	for (i = 0; i < header->size; i++)
		f->events[(f->page->data_head + i) % f->events_size] =
			((const uint8_t *)event)[i];
	__atomic_store_n(&f->page->data_head,
			 f->page->data_head + header->size, __ATOMIC_RELEASE);
}

/* What a task has mapped */
struct mapping {
	uint64_t start, len, pgoff, inode[3];
	char file[256];
};

/* Write the event of a task that now runs on this CPU. */
static void put_switch(struct fake *f, uint32_t pid)
{
	struct {
		struct perf_event_header header;
		struct id id;
	} now = { .header = { PERF_RECORD_SWITCH, 0, sizeof(now) }, .id = { .pid = pid, .tid = pid } };

	now.id.cpu = (uint64_t)f->cpu;
	now.id.time = time_now++;
	put_event(f, &now);
}

/* Write the events of a task's name and of its mapping. */
static void put_task(struct fake *f, uint32_t pid, const char *name, const struct mapping *m)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
		struct id id;
	} comm = { .header = { PERF_RECORD_COMM, 0, sizeof(comm) }, .pid = pid, .tid = pid };
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, len, pgoff, inode[3];
		uint32_t prot, flags;
		char file[256];
		struct id id;
	} map = { .header = { PERF_RECORD_MMAP2, 0, sizeof(map) }, .pid = pid, .tid = pid,
		  .start = m->start, .len = m->len, .pgoff = m->pgoff, .prot = PROT_EXEC };

	snprintf(comm.comm, sizeof(comm.comm), "%s", name);
	memcpy(map.inode, m->inode, sizeof(map.inode));
	memcpy(map.file, m->file, sizeof(map.file));
	put_event(f, &comm);
	put_event(f, &map);
}

/* Write the events for the task that runs on this CPU and for its mapping. */
static void tell(struct fake *f)
{
	const char *text = getenv("FAKE_MAP");
	struct mapping m = { 0 };
	uint32_t pid;

	f->told = true;
	if (!text || sscanf(text, "%" SCNu32 " %" SCNi64 " %" SCNi64 " %" SCNi64 " %255[^\n]", &pid,
			    (int64_t *)&m.start, (int64_t *)&m.len, (int64_t *)&m.pgoff, m.file) != 5)
		return;
	text = getenv("FAKE_INODE");
	if (text && sscanf(text, "%" SCNi64 " %" SCNi64 " %" SCNi64, (int64_t *)&m.inode[0],
			   (int64_t *)&m.inode[2], (int64_t *)&m.inode[1]) == 3) {
		m.inode[0] |= m.inode[2] << 32;
		m.inode[2] = 0;
	}
	put_task(f, pid, "faked", &m);
	put_switch(f, pid);
}

/* As LIVE_RECORD_TYPE orders its parts */
static void put_sample(struct fake *f, const uint8_t *bytes, size_t len)
{
	const char *map = getenv("FAKE_MAP");
	struct {
		struct perf_event_header header;
		uint64_t event;
		uint32_t pid, tid;
		uint64_t time, cpu;
		uint32_t len;
		uint8_t bytes[68];
	} s = { .header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s) } };

	s.pid = s.tid = map ? (uint32_t)strtoul(map, NULL, 10) : 0;
	s.time = time_now;
	s.cpu = (uint64_t)f->cpu;
	s.len = sizeof(s.bytes);
	memcpy(s.bytes, bytes, len);
	put_event(f, &s);
}

static void put_record(struct fake *f, uint64_t pc, unsigned int cycles)
{
	const char *data = getenv("FAKE_DATA");
	struct armspe_encoder enc;
	uint8_t bytes[64];
	size_t i;

	armspe_encode_init(&enc, bytes, sizeof(bytes));
	armspe_encode_address(&enc, SPE_ADDR_PC, pc | 1ULL << 63);
	armspe_encode_op(&enc, SPE_OP_CLASS_LDST, 0);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, (uint16_t)cycles);
	if (data) {
		armspe_encode_counter(&enc, SPE_COUNTER_ISSUE, (uint16_t)(cycles / 2));
		armspe_encode_counter(&enc, SPE_COUNTER_XLAT, (uint16_t)(cycles / 4));
		armspe_encode_address(&enc, SPE_ADDR_DATA_VA, strtoull(data, NULL, 0) + 8 * (cycles - 1));
	}
	armspe_encode_timestamp(&enc, time_now++);
	if (f->samples) {
		put_sample(f, bytes, enc.len);
		return;
	}
	for (i = 0; i < enc.len; i++)
		f->aux[(f->page->aux_head + i) % f->aux_size] = bytes[i];
	__atomic_store_n(&f->page->aux_head, f->page->aux_head + enc.len,
			 __ATOMIC_RELEASE);
}

/* Whether an event of this CPU that is enabled has call chains */
static bool has_chains(int cpu)
{
	size_t i;

	for (i = 0; i < nr_fakes; i++)
		if (fakes[i].chains && fakes[i].on && fakes[i].cpu == cpu)
			return true;
	return false;
}

/* Write the sample of the addresses at @at, now or @late.  Returns what is behind them. */
static char *put_chain(struct fake *f, const char *at, bool late)
{
	struct chain_sample s = { .header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 0 } };
	const char *map = getenv("FAKE_MAP");
	char *end;

	do {
		if (s.count == DEPTH_MAX)
			abort();
		s.word[s.count++] = strtoull(at, &end, 0);
		at = end + 1;
	} while (*end == ',');
	s.word[s.count] = PERF_SAMPLE_REGS_ABI_64;
	s.header.size = (uint16_t)(offsetof(struct chain_sample, word) + 8 * (s.count + 2));
	s.pid = s.tid = map ? (uint32_t)strtoul(map, NULL, 10) : 0;
	s.cpu = (uint64_t)f->cpu;
	s.time = time_now++;
	if (!has_chains(f->cpu))
		return end;
	if (!late) {
		put_event(f, &s);
	} else if (nr_later == LATER_MAX) {
		abort();
	} else {
		later[nr_later].to = f;
		later[nr_later++].sample = s;
	}
	return end;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	size_t i;

	for (i = 0; i < nr_later; i++)
		put_event(later[i].to, &later[i].sample);
	nr_later = 0;
	return __real_nanosleep(time, left);
}

/* The part of FAKE_PCS for this stop; NULL without it */
static const char *next_part(void)
{
	static const char *part;

	part = part ? strchr(part, '|') : NULL;
	part = part ? part + 1 : getenv("FAKE_PCS");
	part += part ? strspn(part, " ") : 0;
	return part;
}

#define CROWD_PID	1000u
#define CROWD_START	UINT64_C(0x400000)

/*
 * Write the events of this CPU's part of the processes of FAKE_CROWD, and records of each: so many
 * that they fill half of the rings.  The first time, the events of new tasks do.
 */
static void put_crowd(struct fake *f, uint32_t count, bool first)
{
	const size_t turns = first ? 0 : f->events_size / 2 / (sizeof(struct perf_event_header) + sizeof(struct id));
	struct mapping m = { .start = CROWD_START, .len = 1 << 20 };
	const size_t records = f->aux_size / 2 / 64, own = count / nr_spe + 1;
	uint32_t i;
	size_t k;
	char name[16];

	for (i = f->number; i < count; i += nr_spe) {
		snprintf(name, sizeof(name), "\"\\\n\33\377<%04x>", i & 0xffff);
		snprintf(m.file, sizeof(m.file), "/tmp/%200s\"\\\n\t\33[2J\377\302<%04x>", "", i & 0xffff);
		if (first)
			put_task(f, CROWD_PID + i, name, &m);
		for (k = 0; k <= turns / own; k++)
			put_switch(f, CROWD_PID + i);
		for (k = 0; k <= records / own; k++)
			put_record(f, CROWD_START + 4 * (i % 1000), 1 + i % 100);
	}
}

static void stop(struct fake *f)
{
	const char *crowd = getenv("FAKE_CROWD");
	bool first = !f->told;
	const char *at;
	unsigned long n;
	uint64_t pc;
	char *end;

	if (!f->on || !f->page)
		return;
	f->on = false;
	if (!f->told)
		tell(f);
	if (crowd)
		put_crowd(f, (uint32_t)strtoul(crowd, NULL, 10), first);
	time_now += 1000000000;
	at = next_part();
	while (at && *at && *at != '|') {
		bool late = *at == '~';

		at += late;
		if (*at == '@') {
			end = put_chain(f, at + 1, late);
			at = end + strspn(end, " ");
			continue;
		}
		pc = strtoull(at, &end, 0);
		n = *end == ':' ? strtoul(end + 1, &end, 0) : 0;
		at = end + strspn(end, " ");
		for (; n; n--)
			put_record(f, pc, (unsigned int)n);
	}
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct fake *f = find(fd);
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (!f)
		return __real_ioctl(fd, request, arg);
	if (f->spe && request == PERF_EVENT_IOC_DISABLE)
		stop(f);
	else if ((f->spe || f->chains) && request == PERF_EVENT_IOC_ENABLE)
		f->on = true;
	return 0;
}
