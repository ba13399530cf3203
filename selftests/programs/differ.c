// SPDX-License-Identifier: GPL-2.0-only
/*
 * differ NUMBER SEED RANDOM: prints what the loaded driver shows and accepts, one fact a line,
 * to compare it with another driver (selftests/rig/check-differential).
 *
 *   sysfs FILE CONTENT     each file below the PMU's folder
 *   attr K WORDS           attribute number K, which depends on the seed only
 *   open K, mmap K, aux K  the kernel's answers, and the flags of AUX records
 *
 * Before each attribute the program runs a session with a marker as its interval: 0xa00000 +
 * 0x100000 * NUMBER + K, where NUMBER is the driver's.  In the model's log of register writes
 * (spe_register_write) the marker shows which attribute follows.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/perf_event.h>

#define PMU		"/sys/bus/event_source/devices/arm_spe_0"
#define PAGE		4096UL
#define RING_PAGES	3
/* On a busy host the kernel executes millions of operations within a session of a CPU. */
#define AUX_SIZE	(4UL << 20)
#define LOOPS		7000	/* of 11 or 16 instructions */
#define CALLS		300	/* of the kernel */
#define FIRST_MARKER	0xa00000ULL
#define LAST_MARKER	0xbfffffULL

/* struct perf_event_attr as words, because headers of older kernels lack its end. */
union attr {
	struct perf_event_attr perf;
	uint64_t word[18];
};

enum where { CPU, TASK, TASK_ON_CPU };
static const char * const wheres[] = { "cpu", "task", "task_on_cpu" };

struct request {
	union attr attr;
	enum where where;
	bool overwrite;
};

/* Indices of config, config1, config2, config3 and config4. */
static const int config_words[] = { 1, 7, 8, 16, 17 };

/* The user ABI, as in include/arm_spe/attr.h and Linux's own driver. */
static const struct { const char *name; uint8_t config, lo, hi; } fields[] = {
	{ "ts_enable", 0, 0, 0 }, { "pa_enable", 0, 1, 1 }, { "pct_enable", 0, 2, 2 },
	{ "jitter", 0, 16, 16 }, { "guest", 0, 17, 17 }, { "branch_filter", 0, 32, 32 },
	{ "load_filter", 0, 33, 33 }, { "store_filter", 0, 34, 34 }, { "discard", 0, 35, 35 },
	{ "branch_filter_mask", 0, 36, 36 }, { "load_filter_mask", 0, 37, 37 },
	{ "store_filter_mask", 0, 38, 38 }, { "simd_filter", 0, 39, 39 },
	{ "simd_filter_mask", 0, 40, 40 }, { "float_filter", 0, 41, 41 },
	{ "float_filter_mask", 0, 42, 42 }, { "event_filter", 1, 0, 63 },
	{ "min_latency", 2, 0, 11 },
	/* These bits belong to min_latency if the counters have 16 bits. */
	{ "wide_latency", 2, 12, 15 },
	{ "inv_event_filter", 3, 0, 63 }, { "inv_data_src_filter", 4, 0, 63 },
};

static const uint64_t periods[] = {
	0, 1, 255, 256, 257, 511, 512, 767, 768, 1000, 1023, 1024, 1535, 1536, 2048, 3071, 3072,
	4095, 4096, 4097, 0xfffffeff, 0xffffff00, 0xffffffff, 1ULL << 32, 3ULL << 33 | 5,
	~0ULL >> 1, 1ULL << 63,
};

/* Bits of perf_event_attr's flags. */
static const struct { const char *name; int bit; } flags[] = {
	{ "inherit", 1 }, { "pinned", 2 }, { "exclusive", 3 }, { "exclude_user", 4 },
	{ "exclude_kernel", 5 }, { "exclude_hv", 6 }, { "exclude_idle", 7 }, { "mmap", 8 },
	{ "comm", 9 }, { "inherit_stat", 11 }, { "enable_on_exec", 12 }, { "task", 13 },
	{ "watermark", 14 }, { "precise_ip", 15 }, { "sample_id_all", 18 },
	{ "exclude_host", 19 }, { "exclude_guest", 20 }, { "exclude_callchain_kernel", 21 },
	{ "use_clockid", 25 }, { "context_switch", 26 }, { "aux_output", 32 }, { "sigtrap", 37 },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static uint64_t random_state;
static uint32_t pmu_type;
static int number;

static uint64_t next_random(void)
{
	random_state += 0x9e3779b97f4a7c15ULL;
	uint64_t z = random_state;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static bool one_in(unsigned int n)
{
	return next_random() % n == 0;
}

static const char *answer(long result)
{
	return result < 0 ? strerrorname_np(errno) : "0";
}

static void show_file(const char *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (length < 0) {
		printf("%s\n", answer(-1));
	} else {
		text[length] = 0;
		for (char *c = text; *c; c++)
			if (*c == '\n')
				*c = c[1] ? ';' : 0;
		printf("\"%s\"\n", text);
	}
	if (fd >= 0)
		close(fd);
}

static void show_link(const char *path, const char *name)
{
	char target[512];
	ssize_t length = readlink(path, target, sizeof(target));

	printf("sysfs %s -> %.*s\n", name, (int)(length < 0 ? 0 : length), target);
}

/* Prints links without following them. */
static void show_folder(const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort);
	char child[512];
	struct stat st;

	for (int i = 0; i < n; i++) {
		if (!strcmp(names[i]->d_name, ".") || !strcmp(names[i]->d_name, ".."))
			continue;
		snprintf(child, sizeof(child), "%s/%s", path, names[i]->d_name);
		if (lstat(child, &st))
			continue;
		if (S_ISDIR(st.st_mode)) {
			show_folder(child);
			continue;
		}
		if (S_ISLNK(st.st_mode)) {
			show_link(child, child + strlen(PMU) + 1);
			continue;
		}
		printf("sysfs %s %03o ", child + strlen(PMU) + 1, st.st_mode & 0777);
		if (st.st_mode & 0444)
			show_file(child);
		else
			printf("not readable\n");
	}
}

static struct request base_request(void)
{
	struct request r = { .where = CPU };

	r.attr.perf.type = pmu_type;
	r.attr.perf.size = sizeof(r.attr);
	r.attr.perf.disabled = 1;
	r.attr.perf.exclude_kernel = 1;
	r.attr.perf.sample_period = 4096;
	return r;
}

static uint64_t field_mask(unsigned int i)
{
	return ~0ULL >> (63 - fields[i].hi + fields[i].lo) << fields[i].lo;
}

static void set_field(struct request *r, unsigned int i, uint64_t value)
{
	uint64_t *word = &r->attr.word[config_words[fields[i].config]];

	*word = (*word & ~field_mask(i)) | ((value << fields[i].lo) & field_mask(i));
}

static void set_flag(struct request *r, unsigned int i)
{
	r->attr.word[5] |= 1ULL << flags[i].bit;
}

/* Tries each field alone, each flag alone, each period and each kind of session. */
static bool systematic(unsigned int k, struct request *r)
{
	static const uint64_t frequencies[] = { 0, 1, 1000, 1000000 };

	if (k < 2 * COUNT(fields)) {
		set_field(r, k / 2, k % 2 ? ~0ULL : 1);
		return true;
	}
	k -= 2 * COUNT(fields);
	if (k < COUNT(periods)) {
		r->attr.perf.sample_period = periods[k];
		return true;
	}
	k -= COUNT(periods);
	if (k < COUNT(flags)) {
		set_flag(r, k);
		return true;
	}
	k -= COUNT(flags);
	if (k < COUNT(frequencies)) {
		r->attr.perf.freq = 1;
		r->attr.perf.sample_freq = frequencies[k];
		return true;
	}
	k -= COUNT(frequencies);
	switch (k) {
	case 0 ... 2:
		/* aux_start_paused, aux_pause, aux_resume */
		r->attr.word[14] |= 1ULL << (32 + k);
		return true;
	case 3:
		r->attr.perf.exclude_kernel = 0;
		return true;
	case 4 ... 5:
		r->where = k - 3;
		return true;
	case 6:
		r->overwrite = true;
		return true;
	}
	return false;
}

static uint64_t random_value(void)
{
	switch (next_random() % 4) {
	case 0:
		return 1;
	case 1:
		return ~0ULL;
	case 2:
		return 1ULL << next_random() % 64;
	}
	return next_random() & next_random();
}

static void random_request(struct request *r)
{
	uint64_t interval = next_random() & 0xfffff;

	for (unsigned int i = 0; i < COUNT(fields); i++)
		if (one_in(6))
			set_field(r, i, random_value());
	/* Most random events do not exist, so often choose among the architected ones. */
	if (one_in(3))
		r->attr.word[config_words[1]] = next_random() & next_random() & 0xfe0ffe;
	if (one_in(12))
		r->attr.word[config_words[next_random() % 5]] |= 1ULL << next_random() % 64;
	for (unsigned int i = 0; i < COUNT(flags); i++)
		if (one_in(16))
			set_flag(r, i);
	r->attr.perf.exclude_kernel = !one_in(3);
	r->attr.perf.sample_period = one_in(4) ? periods[next_random() % COUNT(periods)] : interval;
	r->where = one_in(2) ? CPU : next_random() % 3;
	r->overwrite = one_in(6);
}

/* The patterns in allowed-differences match these words. */
static void describe(unsigned int k, const struct request *r)
{
	uint64_t unknown[COUNT(config_words)];

	printf("attr %u where=%s", k, wheres[r->where]);
	for (unsigned int i = 0; i < COUNT(config_words); i++)
		unknown[i] = r->attr.word[config_words[i]];
	for (unsigned int i = 0; i < COUNT(fields); i++) {
		uint64_t value = unknown[fields[i].config] & field_mask(i);

		unknown[fields[i].config] &= ~field_mask(i);
		if (value)
			printf(" %s=%#llx", fields[i].name,
			       (unsigned long long)(value >> fields[i].lo));
	}
	for (unsigned int i = 0; i < COUNT(config_words); i++)
		if (unknown[i])
			printf(" unknown_config%u=%#llx", i, (unsigned long long)unknown[i]);
	if (r->attr.word[config_words[1]] & r->attr.word[config_words[3]])
		printf(" events_overlap");
	printf(" %s=%llu", r->attr.perf.freq ? "freq" : "period",
	       (unsigned long long)r->attr.perf.sample_period);
	for (unsigned int i = 0; i < COUNT(flags); i++)
		if (r->attr.word[5] >> flags[i].bit & 1)
			printf(" %s", flags[i].name);
	if (r->attr.word[14] >> 32)
		printf(" aux_action=%#x", (unsigned int)(r->attr.word[14] >> 32));
	printf("%s\n", r->overwrite ? " overwrite" : "");
}

/*
 * Every type of operation that a filter can select, so that each filter passes many samples.  A
 * branch on a random number varies the length of the rounds: with a constant length, an
 * interval that is a multiple of it would sample only one instruction.
 */
static void work(void)
{
	static uint64_t memory[2];
	uint64_t *at = memory, turns = LOOPS, random = 88172645463325252ULL, value = 0;

	__asm__ volatile(
		"1:	eor	%[random], %[random], %[random], lsl #13\n"
		"	eor	%[random], %[random], %[random], lsr #7\n"
		"	eor	%[random], %[random], %[random], lsl #17\n"
		"	ldr	%[value], [%[at]]\n"
		"	add	%[value], %[value], %[random]\n"
		"	str	%[value], [%[at]]\n"
		"	fadd	d0, d0, d1\n"
		"	add	v2.4s, v2.4s, v3.4s\n"
		"	tbz	%[random], #0, 2f\n"
		"	ldr	%[value], [%[at], #8]\n"
		"	eor	%[value], %[value], %[random]\n"
		"	str	%[value], [%[at], #8]\n"
		"	fmul	d4, d0, d1\n"
		"	eor	v2.16b, v2.16b, v3.16b\n"
		"2:	subs	%[turns], %[turns], #1\n"
		"	b.ne	1b"
		: [turns] "+r"(turns), [random] "+r"(random), [value] "+r"(value)
		: [at] "r"(at)
		: "cc", "memory", "v0", "v2", "v4");
	/* Without these, a session of the kernel alone would sample interrupts, which come or not. */
	for (unsigned int call = 0; call < CALLS; call++)
		syscall(SYS_getppid);
}

static int open_request(struct request *r)
{
	return syscall(SYS_perf_event_open, &r->attr, r->where == CPU ? -1 : 0,
		       r->where == TASK ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Prints the flags of all AUX records in the ring, and whether there is any data. */
static void show_aux(unsigned int k, const struct perf_event_mmap_page *page)
{
	const char *data = (const char *)page + PAGE;
	uint64_t all = 0, bytes = 0;

	for (uint64_t at = 0; at < page->data_head;) {
		const struct perf_event_header *header = (const void *)(data + at);
		/* The body of the record: offset, size, flags. */
		const uint64_t *aux = (const uint64_t *)(header + 1);

		if (header->type == PERF_RECORD_AUX) {
			bytes += aux[1];
			all |= aux[2];
		}
		at += header->size;
	}
	printf("aux %u flags=%#llx\n", k, (unsigned long long)all);
	printf("data %u %s\n", k, bytes ? "some" : "none");
}

static void run_session(int k, int fd, bool overwrite)
{
	struct perf_event_mmap_page *page;
	void *aux = MAP_FAILED;

	page = mmap(NULL, RING_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		page->aux_offset = AUX_SIZE;
		page->aux_size = AUX_SIZE;
		aux = mmap(NULL, AUX_SIZE, PROT_READ | (overwrite ? 0 : PROT_WRITE),
			   MAP_SHARED, fd, AUX_SIZE);
	}
	if (k >= 0)
		printf("mmap %d %s\n", k, answer(aux == MAP_FAILED ? -1 : 0));
	if (aux != MAP_FAILED) {
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		if (k >= 0)
			work();
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		if (k >= 0)
			show_aux(k, page);
		munmap(aux, AUX_SIZE);
	}
	if (page != MAP_FAILED)
		munmap(page, RING_PAGES * PAGE);
}

static void mark(unsigned int k)
{
	struct request r = base_request();
	int fd;

	r.attr.perf.sample_period = (FIRST_MARKER + 0x100000ULL * number + k) << 8;
	fd = open_request(&r);
	if (fd < 0) {
		perror("differ: the driver refuses a marker");
		exit(1);
	}
	run_session(-1, fd, false);
	close(fd);
}

static void try_request(unsigned int k, struct request *r)
{
	uint64_t interval = r->attr.perf.sample_period >> 8;
	int fd;

	if (interval >= FIRST_MARKER && interval <= LAST_MARKER)
		r->attr.perf.sample_period >>= 4;
	mark(k);
	describe(k, r);
	fd = open_request(r);
	printf("open %u %s\n", k, answer(fd));
	if (fd < 0)
		return;
	run_session(k, fd, r->overwrite);
	close(fd);
}

int main(int argc, char **argv)
{
	FILE *type = fopen(PMU "/type", "r");
	unsigned int k, extra;
	struct request r;

	if (argc != 4 || !type || fscanf(type, "%u", &pmu_type) != 1) {
		fprintf(stderr, "usage: differ NUMBER SEED RANDOM, with a driver loaded\n");
		return 2;
	}
	fclose(type);
	number = atoi(argv[1]);
	random_state = strtoull(argv[2], NULL, 0);
	extra = atoi(argv[3]);
	show_link(PMU, ".");
	show_folder(PMU);
	for (k = 0; r = base_request(), systematic(k, &r); k++)
		try_request(k, &r);
	for (extra += k; k < extra; k++) {
		r = base_request();
		random_request(&r);
		try_request(k, &r);
	}
	return 0;
}
