// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fake kernel with SPE for perf spe top.  It replaces three functions of the C
 * library: events are descriptors that never become readable, rings are plain
 * memory, and each time an event is disabled the same records appear.
 *
 *   FAKE_MAP   PID START LEN PGOFF FILE: a process and what it has mapped
 *   FAKE_PCS   PC:N...: at each stop N records of each, of 1, 2, ... cycles
 *   FAKE_LOG   a file that gets a line for each event that is opened
 */
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
#include <unistd.h>

#include "armspe.h"
#include "input/ids.h"
#include "live/ring.h"

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
void *__real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);

#define EVENTS_MAX 64

static struct fake {
	int fd, cpu;
	bool spe, on, told;
	struct perf_event_mmap_page *page;
	uint8_t *events, *aux;
	size_t events_size, aux_size;
} fakes[EVENTS_MAX];
static size_t nr_fakes;

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
	fprintf(to, "%s tid %d cpu %d period %" PRIu64 " config 0x%" PRIx64
		" inherit %d user %d\n",
		attr->type == PERF_TYPE_SOFTWARE ? "dummy" : "spe", tid, cpu,
		(uint64_t)attr->sample_period, (uint64_t)attr->config,
		(int)attr->inherit, (int)!attr->exclude_user);
	fclose(to);
}

static long open_event(const struct perf_event_attr *attr, int tid, int cpu)
{
	struct fake *f = &fakes[nr_fakes];

	if (nr_fakes == EVENTS_MAX)
		abort();
	log_event(attr, tid, cpu);
	f->fd = eventfd(0, EFD_CLOEXEC);
	f->cpu = cpu;
	f->spe = attr->type != PERF_TYPE_SOFTWARE;
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

	for (i = 0; i < header->size; i++)
		f->events[(f->page->data_head + i) % f->events_size] =
			((const uint8_t *)event)[i];
	__atomic_store_n(&f->page->data_head,
			 f->page->data_head + header->size, __ATOMIC_RELEASE);
}

struct id {
	uint32_t pid, tid;
	uint64_t time, cpu, event;
};

/* Write the events for the task that runs on this CPU and for its mapping. */
static void tell(struct fake *f)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
		struct id id;
	} comm = { .header = { PERF_RECORD_COMM, 0, sizeof(comm) },
		   .comm = "faked" };
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t start, len, pgoff, inode[3];
		uint32_t prot, flags;
		char file[256];
		struct id id;
	} map = { .header = { PERF_RECORD_MMAP2, 0, sizeof(map) },
		  .prot = PROT_EXEC };
	struct {
		struct perf_event_header header;
		struct id id;
	} now = { .header = { PERF_RECORD_SWITCH, 0, sizeof(now) } };
	const char *text = getenv("FAKE_MAP");

	f->told = true;
	if (!text || sscanf(text, "%" SCNu32 " %" SCNi64 " %" SCNi64 " %" SCNi64
			    " %255s", &map.pid, (int64_t *)&map.start,
			    (int64_t *)&map.len, (int64_t *)&map.pgoff,
			    map.file) != 5)
		return;
	map.tid = comm.pid = comm.tid = now.id.pid = now.id.tid = map.pid;
	now.id.cpu = (uint64_t)f->cpu;
	put_event(f, &comm);
	put_event(f, &map);
	put_event(f, &now);
}

static void put_record(struct fake *f, uint64_t pc, unsigned int cycles)
{
	static uint64_t time = 1000;
	struct armspe_encoder enc;
	uint8_t bytes[64];
	size_t i;

	armspe_encode_init(&enc, bytes, sizeof(bytes));
	armspe_encode_address(&enc, SPE_ADDR_PC, pc | 1ULL << 63);
	armspe_encode_op(&enc, SPE_OP_CLASS_LDST, 0);
	armspe_encode_counter(&enc, SPE_COUNTER_TOTAL, (uint16_t)cycles);
	armspe_encode_timestamp(&enc, time++);
	for (i = 0; i < enc.len; i++)
		f->aux[(f->page->aux_head + i) % f->aux_size] = bytes[i];
	__atomic_store_n(&f->page->aux_head, f->page->aux_head + enc.len,
			 __ATOMIC_RELEASE);
}

static void stop(struct fake *f)
{
	const char *at = getenv("FAKE_PCS");
	unsigned long n;
	uint64_t pc;
	char *end;

	if (!f->on || !f->page)
		return;
	f->on = false;
	if (!f->told)
		tell(f);
	while (at && *at) {
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
	else if (request == PERF_EVENT_IOC_ENABLE)
		f->on = true;
	return 0;
}
