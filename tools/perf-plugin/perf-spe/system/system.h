/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYSTEM_SYSTEM_H
#define PERF_SPE_SYSTEM_SYSTEM_H

#include <getopt.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/input.h"

/*
 * pmu.c: A machine's SPE PMUs as sysfs describes them, and perf events for them.
 */

struct pmu {
	const char *root;	/* "" for this machine */
	char *name;
};

/* config, config1 ...: words of struct perf_event_attr */
#define PMU_CONFIGS 5

/* What the user wants to sample.  The attributes are those of the driver. */
struct pmu_request {
	const char *verb;			/* for messages */
	bool load, store, branch, simd, fp;	/* keep these, any of them */
	bool physical;
	bool user, kernel;			/* one of them: only that */
	enum guests_wanted { GUESTS_NONE, GUESTS_TOO, GUESTS_ONLY } guests;	/* of KVM */
	uint64_t events, not_events;		/* by bit, all and none of them */
	uint64_t min_latency;
	uint64_t period, freq;			/* one of them, or neither */
	const char *sources;			/* names or codes, with commas */
	uint64_t batch;				/* of spe_sample_N: records for each interrupt; 0: its default */
};

/* Read the first line of a file without its line feed; false if there is none. */
bool sysfs_line(const char *path, char *line, size_t size);

/* All SPE PMUs, sorted by name; *count may be 0. */
struct pmu *pmus_find(const char *root, size_t *count);
/* The same of the PMUs spe_sample_N, whose records are samples */
struct pmu *pmus_find_samplers(const char *root, size_t *count);
void pmus_free(struct pmu *pmus, size_t count);

/* The path of a file or folder of the PMU; the caller frees it. */
char *pmu_path(const struct pmu *pmu, const char *file);

/* The number in the file @path of the PMU's folder; false without one. */
bool pmu_number(const struct pmu *pmu, const char *path, uint64_t *value);

/* Whether the driver is that of Linux's own tree: this project's has a folder of counters. */
bool pmu_is_linux(const struct pmu *pmu);

/*
 * The event for perf, "arm_spe_0/load_filter=1,.../u".  NULL after a message
 * for each thing that the PMU lacks.
 */
char *pmu_event(const struct pmu *pmu, const struct pmu_request *req);

/* The same as config words of the event; false after the same messages. */
bool pmu_config(const struct pmu *pmu, const struct pmu_request *req,
		uint64_t config[PMU_CONFIGS]);

/*
 * Parse a list such as "0-3,8".  Element n of the *count elements says whether
 * CPU n is in the list.  The caller frees the array; NULL if the list is empty or
 * malformed.
 */
#define CPUS_MAX 65536
bool *cpus_parse(const char *list, size_t *count);

/* The CPUs of a PMU in this form; NULL if sysfs does not have them */
bool *pmu_cpus(const struct pmu *pmu, size_t *count);

/* MIDR_EL1 of a CPU; false if sysfs does not have it */
bool pmu_cpu_midr(const char *root, size_t cpu, uint64_t *midr);

/* The NUMA node of each of *@count CPUs, -1: unknown.  The caller frees the array; NULL if sysfs has no nodes. */
int32_t *cpu_nodes(const char *root, size_t *count);

/* counters.c: The driver's counters, from the folder counters/ of a PMU in sysfs. */

struct counter {
	char *name;
	const char *text;	/* what it counts, "" if this version does not know it */
	bool readable;		/* false: this user may not read it */
	uint64_t value;
};

/*
 * All counters of a PMU: those that this version knows in its own order, then the
 * others by name.  NULL if the driver has no such folder.
 */
struct counter *counters_read(const struct pmu *pmu, size_t *count);
void counters_free(struct counter *counters, size_t count);

/*
 * ring.c: The memory that the kernel shares with a profiler (linux/perf_event.h): a ring
 * of events and an AUX area of SPE bytes.
 *
 *   page 0                | events: a power of two of pages | AUX area
 *   head, tail, aux_head, |  ...tail######head...           | ..tail###head..
 *   aux_tail, time        |
 *
 * Heads and tails count bytes since the start.  The kernel moves the heads, and
 * never more than the area's size ahead of the tails; perf-spe moves the tails.
 */

struct ring {
	struct perf_event_mmap_page *page;
	const uint8_t *events, *aux;
	uint64_t events_size, aux_size;
	int32_t cpu, tid;	/* of its SPE bytes; NO_ID: any */
	uint32_t idx;
};

typedef void (*ring_event_fn)(void *context,
			      const struct perf_event_header *event);

/*
 * Call @fn for each event in the ring, and free their space.  An event is valid
 * only until @fn returns.  If the bytes are not an event, drop all that the ring
 * holds and return false.
 */
bool ring_events(struct ring *r, ring_event_fn fn, void *context);

/*
 * The SPE bytes in the AUX area: two pieces if they wrap.  Returns the number of
 * pieces, which stay valid until ring_aux_free().
 */
size_t ring_aux(const struct ring *r, struct piece piece[2]);
/* Let the kernel overwrite @piece. */
void ring_aux_free(struct ring *r, const struct piece *piece);

/* Which part of the ring, or of its AUX area, is full: 0 to 1, the larger of the two */
double ring_fill(const struct ring *r);

/* The conversion of SPE timestamps to perf's clock; may be invalid */
struct time_conv ring_time(const struct ring *r);

/*
 * live.c: A session of the running system, from the kernel's rings instead of a file.
 *
 *   rings -> events -> session: threads that run, mappings
 *         -> SPE bytes -> streams -> samples
 *
 * live_forget() drops what no later sample needs, so that top can run for days.
 */

/* The sample_id fields of live events, and of those that proc.c makes */
#define LIVE_SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			  PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
/*
 * Of samples with call chains: also the user's link register (PERF_REG_ARM64_LR of
 * asm/perf_regs.h), because a function without a frame has its caller only there
 */
#define LIVE_STACK_TYPE (LIVE_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN | \
			 PERF_SAMPLE_REGS_USER)
#define LIVE_STACK_REGS (UINT64_C(1) << 30)
/* Of samples of spe_sample_N: also the bytes of the record */
#define LIVE_RECORD_TYPE (LIVE_SAMPLE_TYPE | PERF_SAMPLE_RAW)

struct stack_attr;

struct live {
	struct session *session;
	struct ring *rings;		/* the caller's */
	size_t nr_rings;
	struct aux_decoder *decoder;
	struct sample_totals totals;
	uint64_t damaged_events;	/* invalid events, and rings with them */
	uint8_t **bodies;		/* of samples that are records, until these are decoded */
	size_t nr_bodies, room_bodies;
	bool mapped;			/* mappings changed since @changed */
	/*
	 * The folder above /proc: a process is read from there when it runs for the first time, its
	 * mappings only if no event has told them.  NULL: none is
	 */
	const char *root;
	struct hash_table met;		/* struct met: those that were */
	void (*changed)(void *context);	/* drops cached places; may be NULL */
	/* With call stacks: see live_drain().  May be NULL */
	void (*settle)(void *context);
	void (*ready)(void *context);
	void *context;
};

/*
 * Begin an empty session of this machine.  @pmu_type is the type of its SPE PMU.  The caller
 * then sets l->decoder, which counts in l->totals.
 */
void live_init(struct live *l, struct session *s, uint64_t pmu_type, uint64_t period);
struct sampler;
/* The cores of all CPUs that are sampled: the meaning of data sources depends on them. */
void live_cores(struct live *l, const struct sampler *sampler, const char *root);
/* Frees the decoder and the session too. */
void live_free(struct live *l);

/* Also keep call chains, which samples of @attr have. */
void live_stacks(struct live *l, const struct stack_attr *attr);

/* The rings have samples of spe_sample_N and no SPE bytes. */
void live_samples(struct live *l);

/* Apply one event from a ring or from /proc. */
void live_event(void *live, const struct perf_event_header *event);
/*
 * Read all events and then all SPE samples that the rings hold now.
 *
 *   SPE samples   | ...rrrrrrrr
 *   settle()      |            <- wait ->
 *   call stacks   | .s....s....s....s....s
 *   ready()       |                       join them
 *
 * The newest SPE samples need call stacks from after them.  So settle() waits between the
 * look at the SPE samples and the reading of events, and ready() may use the call chains
 * before the first SPE sample is decoded.
 */
void live_drain(struct live *l);
/*
 * All samples up to now are decoded: forget what only they needed.  The call stacks of the last
 * LIVE_STACKS_KEPT ns stay for the samples that come next.
 */
#define LIVE_STACKS_KEPT	UINT64_C(200000000)
void live_forget(struct live *l);

/* preload.c: What record --heap adds to a command, so that the heap's library follows it. */

struct preload {
	char *library;		/* "LD_PRELOAD=..." */
	char *folder;		/* "PERF_SPE_HEAP=..." */
	char *id;		/* "PERF_SPE_HEAP_ID=..." */
};

/*
 * The variables for a recording in the file @data; false after a message if there is no
 * library.  All logs together have at most @limit bytes.  Without @print the folder for the logs is made, and an earlier one is kept as
 * FOLDER.old, as perf does with the file.
 */
bool preload_prepare(struct preload *p, const char *data, uint64_t limit, bool print);
/* Warn if the loader will not preload a library into the program @name. */
void preload_check(const char *name);
void preload_free(struct preload *p);

/* proc.c: Processes that began before sampling, from /proc. */

struct live;

/*
 * Send events to @l for all processes that run now, or only for @pid and its
 * threads.  @root is the folder above /proc.  False if there is no such process.
 */
bool proc_all(struct live *l, const char *root);
bool proc_one(struct live *l, const char *root, int32_t pid);
/*
 * The path of the control group of process @pid, in the hierarchy of perf's events or else in the unified
 * one; NULL if nothing tells it.  To be freed
 */
char *proc_group(const char *root, int32_t pid);
/* Whether perf's events can tell control groups: the kernel has CONFIG_CGROUP_PERF */
bool proc_has_groups(const char *root);
/* The process of thread @tid, NO_ID where there is none */
int32_t proc_process(const char *root, int32_t tid);
/* The threads of @pid, to be freed; NULL where there is no such process. */
int32_t *proc_threads(const char *root, int32_t pid, size_t *count);

/* request.c: Options of record and top that choose what to sample. */

enum request_option {
	REQUEST_LOADS = 2048, REQUEST_STORES, REQUEST_BRANCHES, REQUEST_SIMD,
	REQUEST_FLOAT, REQUEST_PHYSICAL, REQUEST_USER, REQUEST_KERNEL,
	REQUEST_EVENT, REQUEST_NOT_EVENT, REQUEST_MIN_LATENCY, REQUEST_SOURCE,
	REQUEST_PERIOD, REQUEST_FREQ,
};

#define REQUEST_OPTIONS							\
	{ "loads", no_argument, NULL, REQUEST_LOADS },			\
	{ "stores", no_argument, NULL, REQUEST_STORES },		\
	{ "branches", no_argument, NULL, REQUEST_BRANCHES },		\
	{ "simd", no_argument, NULL, REQUEST_SIMD },			\
	{ "float", no_argument, NULL, REQUEST_FLOAT },			\
	{ "physical", no_argument, NULL, REQUEST_PHYSICAL },		\
	{ "user", no_argument, NULL, REQUEST_USER },			\
	{ "kernel", no_argument, NULL, REQUEST_KERNEL },		\
	{ "event", required_argument, NULL, REQUEST_EVENT },		\
	{ "not-event", required_argument, NULL, REQUEST_NOT_EVENT },	\
	{ "min-latency", required_argument, NULL, REQUEST_MIN_LATENCY }, \
	{ "data-source", required_argument, NULL, REQUEST_SOURCE },	\
	{ "period", required_argument, NULL, REQUEST_PERIOD },		\
	{ "freq", required_argument, NULL, REQUEST_FREQ }
#define REQUEST_HELP							\
	"      --loads, --stores, --branches, --simd, --float\n"	\
	"                          keep only these operations; several options add up\n" \
	"      --event LIST        keep only samples that have all of these events\n" \
	"      --not-event LIST    keep only samples that have none of these events\n" \
	"      --min-latency N     keep only samples of N cycles or more\n"	\
	"      --data-source LIST  keep only loads from these data sources: names of this\n" \
	"                          CPU, such as 'dram', or codes\n"	\
	"      --period N          take one sample per N operations\n"	\
	"      --freq N            take N samples per second, if the driver and perf can\n" \
	"      --physical          record physical addresses too; needs privilege\n" \
	"      --user, --kernel    sample only user code, or only the kernel\n"

enum request_taken { REQUEST_OTHER, REQUEST_GOOD, REQUEST_BAD };

/* Take one of these options, with getopt's optarg; BAD after a message. */
enum request_taken request_take(struct pmu_request *req, int option);
/* Check that the options go together; false after a message. */
bool request_check(const struct pmu_request *req);
/* Check that the PMU supports the period or frequency; false after a message. */
bool request_period(const struct pmu_request *req, const struct pmu *pmu);

/*
 * sampler.c: perf events that sample tasks on the CPUs of SPE PMUs, and their rings.
 */

struct pmu;
struct pmu_request;
struct stack_attr;

struct sampler {
	const char *verb;		/* for messages */
	const struct pmu_request *request;
	const struct stack_attr *stacks;	/* event with call chains; NULL: none */
	const int32_t *tids;		/* NO_ID: all tasks */
	size_t nr_tids;
	uint64_t page;
	uint64_t aux_bytes;		/* of each AUX area */
	uint64_t event_bytes;		/* of each ring of events, if none has call stacks */
	bool aux_fixed;			/* fail if that cannot be locked */
	bool samples;			/* of spe_sample_N: the rings have events alone, of @aux_bytes */
	bool else_samples;		/* if the PMU is busy, the caller takes spe_sample_N: no message */
	bool busy;			/* ... and it was */
	bool user_only;			/* the kernel may not be sampled */
	int *spe, *others;		/* events: SPE; switches and mappings */
	int *chains;			/* of s->stacks */
	size_t nr_spe, room_spe, nr_others, room_others, nr_chains, room_chains;
	struct ring *rings;
	size_t nr_rings, room_rings;
};

/* Operations per sample */
uint64_t sampler_period(const struct pmu_request *request);

struct target_options;

/* The caller sets s->tids and s->stacks afterwards. */
void sampler_init(struct sampler *s, const char *verb, const struct target_options *opt);
/*
 * Open the events of one PMU, disabled, on its CPUs that are in @chosen (NULL:
 * all).  Returns 0, or -1 after a message; call sampler_close() in both cases.
 */
int sampler_open(struct sampler *s, const struct pmu *pmu, const bool *chosen,
		 size_t nr_chosen);
/* Enable the events with call chains and the SPE events, also those that the kernel disabled on a full buffer. */
void sampler_enable(const struct sampler *s);
/*
 * Disable the SPE events, upon which the driver publishes its data.  Those with call chains go
 * on: the last SPE records need samples that come after them.
 */
void sampler_disable(const struct sampler *s);
void sampler_close(struct sampler *s);

/*
 * stack_event.c: The event whose samples have the call stacks of record --stacks and top
 * --stacks.
 */

struct pmu_request;

enum stack_method {
	STACKS_NONE,
	STACKS_FP,		/* the kernel follows frame pointers */
	STACKS_DWARF,		/* perf copies the user's stack, for perf-spe to unwind */
};

/* Samples a second on each CPU, if the kernel lets perf take so many */
#define STACKS_FP_FREQ		4000
#define STACKS_DWARF_FREQ	1000	/* each has 8 KiB of stack */

/* Take the value of --stacks, NULL for its default; false after a message. */
bool stacks_parse(const char *verb, const char *text, enum stack_method *stacks);

/*
 * Bytes of SPE records in each sample: by default as many as perf record --aux-sample takes, at
 * least one record, at most what perf 6.1 lets into a sample beside the rest.
 */
#define AUX_SAMPLE_DEFAULT	4096
#define AUX_SAMPLE_LEAST	64
#define AUX_SAMPLE_MOST		61440

/* Take the value of --aux-sample, NULL for its default; false after a message. */
bool aux_sample_parse(const char *verb, const char *text, uint64_t *bytes);

/* The event as perf_event_open(2) takes it */
struct stack_attr {
	const char *name;	/* "cycles" or "cpu-clock" */
	uint32_t type;		/* PERF_TYPE_... */
	uint64_t config;
	uint64_t freq;		/* samples a second on each CPU */
};

/* The same choice as stack_event() makes; @stacks is not STACKS_NONE. */
struct stack_attr stack_attr(const char *root, enum stack_method stacks);
/*
 * The event for perf record, such as "cycles/call-graph=fp,freq=4000/u": cycles if a PMU of
 * the CPUs counts them, cpu-clock if none does.  If @aux_sample is not 0, its samples carry so
 * many bytes of SPE records; then it must be in the group of an SPE event.  To be freed.
 */
char *stack_event(const char *root, enum stack_method stacks, uint64_t aux_sample,
		  const struct pmu_request *req);

/* target.c: What top samples: CPUs, tasks or a command. */

struct target_options {
	const char *root;		/* "" for this machine */
	struct pmu_request req;
	const char *cpus;		/* a list, NULL: all */
	const char *pids, *tids;	/* lists, NULL: all tasks */
	char **command;			/* NULL: none */
	bool quiet;			/* discard the command's output */
	bool aside;			/* send its standard output to standard error */
	uint64_t pages;			/* of each AUX area; 0: as many as allowed */
	uint64_t event_pages;		/* of each ring of events without call stacks; 0: the usual */
	enum stack_method stacks;		/* call stacks beside SPE */
	bool samples;			/* of spe_sample_N instead of AUX data */
	bool else_samples;		/* the same, but only if the SPE PMU is busy */
};

struct target {
	const struct target_options *opt;
	const char *verb;
	struct pmu *pmus;
	size_t nr_pmus;
	int32_t *tids;			/* NO_ID: all tasks */
	size_t nr_tids, room_tids;
	struct sampler sampler;
	struct stack_attr stack_attr;	/* if stacks are wanted */
	pid_t child;			/* of the command; 0: none */
	int go;				/* pipe that starts it, -1 once used */
	bool ended;
};

/* Operations per sample */
uint64_t target_period(const struct target_options *opt);

/*
 * Open all events, disabled, and fork the command.  Returns 0, or -1 after a
 * message; call target_close() in both cases.
 */
int target_open(struct target *t, const char *verb,
		const struct target_options *opt);
/* Add the processes that already run to the session. */
void target_read_proc(const struct target *t, struct live *l);
/* Enable sampling and start the command. */
void target_start(struct target *t);
/* Disable sampling, so that the driver puts all samples into the rings. */
void target_flush(struct target *t);
/* Enable sampling again after the rings were emptied. */
void target_resume(struct target *t);
/* Whether the command or all tasks have ended */
bool target_ended(struct target *t);
void target_close(struct target *t);

/*
 * volume.c: How much data sampling writes, and a period that a machine with many CPUs survives.
 *
 * A CPU takes one sample in PERIOD operations.  How many operations it executes is not
 * known before it does, so these are assumptions, which messages state: CPUs run at
 * their highest frequency, and execute VOLUME_IPC operations a cycle.
 */

/* Operations a cycle: a busy server core seldom sustains more. */
#define VOLUME_IPC		2
/* Hz, where sysfs has no cpufreq, as in virtual machines */
#define VOLUME_HZ		UINT64_C(3000000000)
/*
 * Bytes of a sample.  With the packets that a load usually has these are PC 9, operation 2,
 * events 3, three counters 9, data address 9, source 2, timestamp 9 (D18.2), in all 43;
 * with a context packet and a physical address 57.  CPUs pad records to 64 bytes.
 */
#define VOLUME_RECORD		64
/*
 * Bytes of a sample of spe_sample_N: the record with its length, and eleven words of 64 bits: header,
 * id, address, thread, time, data address, CPU, period, weight, data source, physical address.
 */
#define VOLUME_SAMPLE		160
/* Bytes a second of all CPUs that are expected to be busy: little for any disk */
#define VOLUME_WANTED		UINT64_C(64000000)
/*
 * If all CPUs are busy.  perf record is one thread that copies all data to a file; a SATA
 * disk takes about as much.
 */
#define VOLUME_MOST		UINT64_C(512000000)

struct volume {
	size_t cpus;		/* that may be sampled, at least 1 */
	uint64_t hz;		/* the highest of their frequencies */
	uint64_t least;		/* the largest caps/min_interval of the PMUs */
	unsigned int bytes;	/* of a sample */
	uint64_t most;		/* samples a second that perf takes from a CPU; 0: any number */
};

/* @cpus is the list of -C, or NULL for all CPUs. */
struct volume volume_read(const char *root, const struct pmu *pmus, size_t count,
			  const char *cpus, bool samples);
/*
 * A power of two: with @all busy CPUs write at most VOLUME_WANTED, or else one CPU, and
 * all together at most VOLUME_MOST.
 */
uint64_t volume_period(const struct volume *v, bool all);
/* What keeps this period from being shorter, if it is not the bytes; else NULL.  To be freed */
char *volume_reason(const struct volume *v, bool all);
/* Bytes a second from @cpus busy CPUs */
double volume_rate(const struct volume *v, uint64_t period, size_t cpus);
/* "47 MB/s" or "58 KB/s", for bytes a second.  To be freed */
char *volume_text(double bytes);

/*
 * proc.c: The NUMA nodes of a process's pages.
 */

/* Write the node of each page, or a negative error number.  Returns 0 or a negative error number. */
int pages_where(int32_t pid, void *const *pages, size_t count, int *nodes);
/* The same after each page was moved to its node of @to, as far as the kernel can */
int pages_move(int32_t pid, void *const *pages, size_t count, const int *to, int *nodes);
/* The name of a process that runs; false if it does not. */
bool process_name(int32_t pid, char *name, size_t size);

#endif
