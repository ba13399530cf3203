/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_INPUT_INPUT_H
#define PERF_SPE_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armspe.h"
#include "heap/heap_format.h"
#include "util/util.h"

/* A part of an AUX area, from a file or from the kernel. */

/* One AUXTRACE event's data */
struct piece {
	uint64_t file_offset;
	const uint8_t *bytes;
	uint64_t len;
	uint64_t offset;	/* in the AUX area's stream */
	uint32_t idx;
	int32_t cpu, tid;	/* NO_ID: any */
	bool inside;		/* the first byte may be inside of a record */
	/* Of samples, each of which is a record: see record_samples.c; @bytes is NULL then */
	struct record_sample *samples;
	size_t nr_samples;
	int32_t pid;		/* all are of this process and the thread @tid */
};

/*
 * aux_decoder.c: From pieces of AUX data to records.  perf cuts the stream of bytes of an AUX
 * area into pieces; the decoder joins them again.
 */

struct sample_totals {
	struct armspe_totals decoded;
	uint64_t bytes;
	uint64_t incomplete;		/* bytes of records cut at a stream's begin or end */
	uint64_t incomplete_records;
	uint64_t cut_packets;		/* of these, cut inside a packet */
};

/*
 * A record or damage found in a piece.  Bytes outside of all spans are padding.
 * The last span of each piece is empty and has status ARMSPE_END.
 *
 *        piece 1     |      piece 2
 *   .. | PC | LAT | E|V | OP | END | padding | PC ..
 *      <- CUT, its -><----- OK ----->
 *         from to    |from         to
 *      <- carried ---|
 */
struct sample_span {
	const struct piece *piece;
	enum armspe_status status;	/* CUT: begins a record, ends the piece */
	size_t from, to;		/* offsets in the piece */
	const uint8_t *carried;		/* its bytes in the pieces before */
	size_t carried_len;
	const struct armspe_record *rec;	/* with ARMSPE_OK, else NULL */
	bool rest;			/* CUT: ends a record, begins the piece */
};

typedef void (*sample_fn)(void *context, const struct sample_span *span);

/* Called with cols->rows records of one piece */
typedef void (*batch_fn)(void *context, const struct piece *piece, struct armspe_columns *cols);

/* Decodes pieces of any number of streams.  Those of a file may be larger than memory. */
struct aux_decoder;

struct session;

/* @s: whose pieces they are; NULL: SPE bytes alone */
struct aux_decoder *aux_decoder_new(const struct session *s, sample_fn fn, void *context,
			    struct sample_totals *totals);
/* The same, but records come as rows of the caller's @cols, and what is none is only counted. */
struct aux_decoder *aux_decoder_batches(const struct session *s, batch_fn fn, void *context, struct armspe_columns *cols,
					struct sample_totals *totals);
/* Call @fn for each span of @p, the next piece of stream @nr. */
void aux_decoder_piece(struct aux_decoder *d, size_t nr, const struct piece *p);
/* Whether stream @nr ends inside a record, or in damage, and continues at @offset */
bool aux_decoder_cut_at(const struct aux_decoder *d, size_t nr, uint64_t offset);
/* Count the records that are still cut, and free the decoder. */
void aux_decoder_end(struct aux_decoder *d);

/*
 * aux_samples.c: SPE records in samples of another event (PERF_SAMPLE_AUX). Each sample has
 * the newest bytes
 * of its CPU's AUX area, so that two samples may have the same records:
 *
 *   AUX area       .. r1 r2 r3 r4 r5 r6 r7 ..
 *   sample 1       <- r1 r2 r3 ->                  behind them there may be padding
 *   sample 2             <- r3 r4 r5 ->            new: r4 r5
 *   sample 3                            <- r9 ->   a gap before it
 *
 * They become pieces of a stream for each CPU, or each thread of "perf record --per-thread", with
 * each record once.
 */

struct pd_sample;

struct aux_samples {
	struct piece *pieces;		/* in file order */
	size_t nr, room;
	/* Private: the events of one thread, which has an AUX area of its own; */
	struct hash_table threads;	/* struct aux_thread */
	/* and of each AUX area, the newest sample's bytes */
	struct hash_table windows;	/* struct aux_window */
};

/* The event @id counts the thread @tid alone, on any CPU. */
void aux_samples_of_thread(struct aux_samples *a, uint64_t id, int32_t tid);
/* Add the AUX bytes of @s, the sample at @file_offset; they must last. */
void aux_samples_add(struct aux_samples *a, uint64_t file_offset, const struct pd_sample *s);
/* The pieces, for the caller to free; @a is empty then. */
struct piece *aux_samples_take(struct aux_samples *a, size_t *count);
void aux_samples_free(struct aux_samples *a);

/*
 * record_samples.c: Samples of the PMU spe_sample_N.  Each is one record, and says which thread
 * executed its operation.
 *
 * The samples of a thread on a CPU become pieces whose bytes are made when the decoder needs them:
 * those of the record where perf wrote them (PERF_SAMPLE_RAW), else a record of what the sample
 * has.  So all that reads records reads these too.
 */

struct pd_attr;
struct pd_event;
struct session;

struct record_sample {
	const uint8_t *body;		/* of the event; must last */
	uint32_t len;
	uint16_t attr;			/* of the session's */
	uint16_t misc;			/* of the event's header */
};

struct record_samples {
	struct piece *pieces;		/* in the order of their first samples */
	size_t nr, room;
	uint64_t count;
	uint64_t raw;			/* with the record's bytes */
	uint64_t damaged;		/* without a whole record: left out */
	/* Private: the newest piece of each thread on each CPU */
	struct hash_table streams;	/* struct record_stream */
};

/* Add @s, a sample that @ev holds, which is of an event of spe_sample_N. */
void record_samples_add(struct record_samples *r, const struct pd_event *ev,
			const struct pd_sample *s);
/*
 * The samples become the session's pieces.  A sample's time, in ns of the clock of all events,
 * replaces the timestamp of its record.
 */
void record_samples_take(struct session *s);
/* From now on records have their own timestamps, in ticks that nothing relates to that clock. */
void record_samples_own_times(struct session *s);
/* The bytes of @p, a piece of samples, for the caller to free; it has @p->len. */
uint8_t *record_samples_bytes(const struct session *s, const struct piece *p);
void record_samples_free(struct record_samples *r);

/*
 * call_samples.c: The call stacks of a recording: samples of an event such as cycles that runs
 * beside the SPE
 * event.  Equal chains are stored once, because a program is mostly in few of them.
 */

struct pd_sample;

/* A call chain as the kernel walked it */
struct call_chain {
	uint64_t hash;		/* of all below */
	int32_t pid;		/* NO_ID: all is the kernel's, which is the same in all processes */
	uint64_t lr;		/* user's link register at the sample; 0: not recorded */
	uint64_t nr_words;
	const uint8_t *words;	/* as in the event */
};

/* Registers and a copy of the stack, to be unwound with DWARF */
struct user_stack {
	uint64_t regs_mask;
	const uint8_t *regs, *stack;	/* see struct pd_sample */
	uint64_t stack_len;
};

struct call_sample {
	uint64_t time;			/* ns of the perf clock */
	int32_t pid, tid;
	const struct call_chain *chain;	/* of the kernel alone if user_stack is set */
	const struct user_stack *user_stack;	/* NULL: the chain is all there is */
};

struct call_samples {
	bool wanted;			/* false: call_samples_add() is not called */
	bool copies;			/* the bytes of events do not last */
	struct call_sample *samples;	/* in file order */
	size_t nr, room;
	uint64_t drops;			/* calls of call_samples_forget() */
	size_t attr;			/* the event that they are of; PD_NO_ATTR: several */
	const char *event;		/* its name, where no recording has that; or NULL */
	/* Private */
	struct hash_table chains;	/* struct call_chain * */
	void **blocks;			/* owned copies */
	size_t nr_blocks, room_blocks;
};

/* Keep @s, a sample of the event @attr, if it has a stack, a thread and a time. */
void call_samples_add(struct call_samples *c, size_t attr, const struct pd_sample *s);
/* Drop samples from before @time, and chains that no other sample has.  Not for copied stacks. */
void call_samples_forget(struct call_samples *c, uint64_t time);
void call_samples_free(struct call_samples *c);
/*
 * The addresses of @chain in the form of SPE's instruction addresses, with the Exception level (1 for
 * any of the kernel's), the innermost first.  The first of each level is that of an instruction,
 * the others are of calls: the return address less 4.  @raw has room for @chain->nr_words; returns
 * how many they are.
 */
size_t call_chain_addresses(const struct call_chain *chain, uint64_t *raw);

/* contexts.c: Whether CONTEXT packets carry the ids of perf's events, and timestamps its times. */

struct session;

/*
 * Whether all timestamps, converted to perf's clock, are before or after the recording.  Perf's
 * clock is the virtual counter; with pct_enable records have the physical one.
 */
bool session_foreign_times(struct session *s);

/*
 * A host that samples its guests runs at EL2, so that a record has CONTEXTIDR_EL1 only if a guest
 * executed the operation (D17.6.9), at EL1 or EL0.  Its CONTEXTIDR_EL2 is the host's: that of the
 * thread in which the virtual CPU runs.  Linux's driver ignores exclude_host, and on a host at EL1 its
 * records have the host's threads in CONTEXTIDR_EL1; only other witnesses tell, or without them
 * whether the ids are known.  Sets guests.
 *
 * CONTEXTIDR has ids of the initial pid namespace, and perf's events those of the namespace
 * that perf ran in.  Compare the first records of each buffer with what the file says of
 * their threads in other ways: the thread of a per-thread buffer, or the one that a context
 * switch put on the CPU.  Sets foreign_contexts if most differ, or, without such a witness, if
 * most name no thread of the session.  Otherwise the ids count as perf's.
 *
 * Sets several_pids, and guessed_owners if there are several processes and neither contexts
 * nor context switches tell which of them a sample is of.
 */
void session_judge_contexts(struct session *s);

/* mapped_file.c: A whole input file, mapped read only. */

struct mapped_file {
	const char *path;
	const uint8_t *bytes;
	size_t size;
	int fd;				/* -1: only the mapping is left */
};

/*
 * Map a file.  "-" is standard input, which is copied to a temporary file first.
 * Returns 0, or -1 after a message, also for empty files and directories.  If
 * another program truncates a mapped file, a handler of SIGBUS ends perf-spe with a
 * message, which names the path: it must last.
 */
int mapped_file_open(struct mapped_file *in, const char *path);
/* perf-spe is done with these bytes: if they are a mapped file's, the kernel may drop their pages. */
void mapped_file_forget(const uint8_t *from, size_t len);
/*
 * Read these bytes to @room and return it, if they are a mapped file's, or else return @from.  The
 * kernel copies bytes in less time than it maps and unmaps their pages, which also makes threads
 * wait for one another.
 */
const uint8_t *mapped_file_read(const uint8_t *from, size_t len, uint8_t *room);
void mapped_file_close(struct mapped_file *in);

/* unpack.c: Compressed events of a perf.data file (perf record -z). */

struct unpacked {
	void *stream;
	const uint8_t *bytes;		/* of the newest block */
	size_t len, pos;
	uint64_t offset;		/* of its event, in the file */
	uint64_t total;
	bool cut;			/* the compressed bytes so far end inside a block */
	uint8_t **blocks;
	size_t nr_blocks, room_blocks;
};

/*
 * Unpack the @len bytes of the COMPRESSED event at @offset of the file @path, and
 * append the result to what is unpacked.  Returns 0, or -1 after a message.
 */
int unpack_event(struct unpacked *u, const char *path, uint64_t offset,
		 const uint8_t *from, size_t len);
void unpack_free(struct unpacked *u);

/*
 * perfdata.c: Reader of perf.data files: header, attributes and features, as
 * tools/perf/Documentation/perf.data-file-format.txt and the uapi header
 * linux/perf_event.h define them.  Everything is bounds-checked; nothing is
 * copied but strings.  perfdata_events.c walks over the events.
 */

/* Events that perf itself writes, beyond enum perf_event_type */
enum {
	PD_EVENT_USER_FIRST = 64,
	PD_EVENT_ATTR = 64,
	PD_EVENT_TRACING_DATA = 66,
	PD_EVENT_BUILD_ID = 67,
	PD_EVENT_FINISHED_ROUND = 68,
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

/* An AUXTRACE event, without the AUX data that follow it */
#define PD_AUXTRACE_BYTES 48u

#define PD_CONFIGS 5

struct pd_attr {
	uint32_t type;		/* PMU */
	uint64_t config[PD_CONFIGS];	/* config, config1 ... */
	uint64_t sample_period;	/* samples a second where freq is set */
	bool freq;
	bool exclude_user, exclude_kernel, exclude_host;
	bool enable_on_exec, context_switch;
	bool inherit;		/* it follows tasks, unless it is of CPUs: see session.of_cpus */
	bool use_clockid;	/* the event's times are of @clockid, not of perf's clock */
	int32_t clockid;
	uint64_t sample_type;
	bool sample_id_all;
	/* The shape of its samples: see sample_event.c */
	uint64_t read_format, branch_sample_type;
	uint64_t sample_regs_user, sample_regs_intr;	/* a bit for each register */
};

/* An event id and the attribute that owns it */
struct pd_id {
	uint64_t id;
	size_t attr;			/* from 1 on */
};

/* A PMU by its type, see feature.c */
struct pd_pmu {
	uint32_t type;
	const char *name;
};

/* Features of the header that are kept as they are, see feature.c */
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

/* A file of events beside the one with the header: see folder.c */
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
	uint64_t behind_aux;		/* where the AUX data end that were found last */
	uint8_t auxtrace[PD_AUXTRACE_BYTES];	/* a copy of the event there */
	char *arch;			/* features; NULL where absent */
	char *osrelease;
	uint64_t midr;			/* of the CPUID feature: MIDR_EL1; 0: not there */
	struct pd_feature features[PD_FEATURES];
	uint64_t build_ids, build_ids_end;
	uint64_t *build_id_at;		/* pipe: offsets of BUILD_ID events */
	size_t nr_build_ids, room_build_ids;
	struct hash_table ids;		/* struct pd_id; of equal ones the first counts */
	uint64_t nr_ids;		/* equal ones too */
	struct hash_table pmus;		/* struct pd_pmu */
	const char **event_names;	/* by attribute */
	size_t nr_event_names;
};

/*
 * @path may be a folder that perf made: see folder.c.  Messages about a file call it @shown, which
 * is the archive that it was in; it must stay.  0, or -1 after a message that names the offset.
 * If the events or features are cut, it says what is lost, sets pd->damaged, and returns 0.
 */
int perfdata_open(struct perfdata *pd, const char *path, const char *shown);
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
/* The attribute that owns event id @id, or PD_NO_ATTR */
size_t perfdata_attr_of(const struct perfdata *pd, uint64_t id);

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
static inline uint32_t pd_load32(const uint8_t *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static inline uint64_t pd_load64(const uint8_t *from)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return value;
}

/* The clock of the events' times: a clockid_t, -1 for perf's own, INT32_MAX for an unknown one */
int32_t perfdata_clock(const struct perfdata *pd);
/* "CLOCK_MONOTONIC", "perf's clock" */
const char *perfdata_clock_name(const struct perfdata *pd);

/*
 * Reads bytes that a file or the kernel wrote, and never past their end.
 *
 *	struct cursor c = { bytes, len, false };
 *	uint32_t count = cursor_u32(&c);
 *	...
 *	if (c.bad)		(something was missing: so its value was 0, or NULL)
 */

struct cursor {
	const uint8_t *at;
	uint64_t left;		/* bytes from there */
	bool bad;		/* it had to read past the end, and reads nothing more */
};

/* The next @len bytes, or NULL */
static inline const uint8_t *cursor_take(struct cursor *c, uint64_t len)
{
	const uint8_t *at = c->at;

	if (c->bad || len > c->left) {
		c->bad = true;
		return NULL;
	}
	c->at += len;
	c->left -= len;
	return at;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const uint8_t *at = cursor_take(c, 4);

	return at ? pd_load32(at) : 0;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const uint8_t *at = cursor_take(c, 8);

	return at ? pd_load64(at) : 0;
}

/* @count elements of @each bytes, or NULL */
static inline const uint8_t *cursor_array(struct cursor *c, uint64_t count, uint64_t each)
{
	if (count > c->left / each)
		c->bad = true;
	return cursor_take(c, count * each);
}

/* aux_decoder.c: Memory for a decoder of libarmspe, which allocates nothing itself. */

struct armspe_decoder;

/* A decoder with an empty piece; free() ends it. */
struct armspe_decoder *decoder_new(void);

/*
 * event_counts.c: Counts for each event of a recording: AUX records and their flags, lost
 * records, and the event's own samples.
 */

struct pd_event;
struct perfdata;

/* Of one attribute of the file */
struct event_count {
	uint64_t aux_events, truncated, partial, collision;
	uint64_t lost;			/* perf records of its buffer */
	uint64_t samples, sum;		/* its own samples, and their periods */
};

/* AUX data of @cpu end at @time, in ns of perf's clock. */
struct aux_cut {
	uint64_t time;
	uint32_t cpu;
	bool lossy;			/* TRUNCATED or PARTIAL: records behind it are lost */
};

struct event_counts {
	struct event_count *of;		/* by attribute */
	size_t room;
	size_t *cpus;			/* by CPU: whose AUX data it is */
	size_t room_cpus;
	struct aux_cut *cuts;		/* AUX records with time and CPU */
	size_t nr_cuts, room_cuts;
};

/* Count @ev, if it is an AUX, LOST or SAMPLE record; called for all records. */
void event_counts_add(struct event_counts *c, const struct perfdata *pd,
		      const struct pd_event *ev);
/* The counts of attribute @attr, zeros if the file has no records of it */
struct event_count event_counts_of(const struct event_counts *c, size_t attr);
/* The attribute @attr has the records of @cpu. */
void event_counts_owner(struct event_counts *c, uint32_t cpu, size_t attr);
/* The attribute that wrote AUX data of @cpu, or PD_NO_ATTR */
size_t event_counts_of_cpu(const struct event_counts *c, int32_t cpu);
void event_counts_free(struct event_counts *c);

/*
 * feature.c: Features of a perf.data header, which describe the machine and the recording.
 * tools/perf/Documentation/perf.data-file-format.txt defines them.
 */

/* Put the cursor on the bytes of @feature; false if the file does not have it. */
bool feature_begin(struct cursor *r, const struct perfdata *pd,
		   unsigned int feature);
/* The string at the cursor, inside the mapped file, "" if it is damaged */
const char *feature_string(struct cursor *r);

/* As text, for the caller to free; NULL if the file has no such feature */
char *feature_hostname(const struct perfdata *pd);
char *feature_cpu(const struct perfdata *pd);
char *feature_memory(const struct perfdata *pd);
char *feature_command(const struct perfdata *pd);
/* The words of that command; none: the file does not have it */
struct args feature_words(const struct perfdata *pd);
/* The name of the PMU of this type, inside the mapped file, or NULL */
const char *feature_pmu(const struct perfdata *pd, uint32_t type);
/* perfdata.c has read @feature. */
void feature_index(struct perfdata *pd, unsigned int feature);

/* The name of event @attr as given to perf record, inside the mapped file */
const char *feature_event(const struct perfdata *pd, size_t attr);

/*
 * folder.c: perf's folder form of a recording: perf record --kcore and --threads make a folder
 * whose file "data" has the header.  With --kcore, kcore_dir/kallsyms has the kernel's
 * symbols.  With --threads, data.0, data.1 ... have events without a header, one for each
 * buffer; each that is compressed is a stream of its own.
 *
 * perf up to Linux 7.3 refuses --threads for AUX data, but nothing in the form does.
 */

struct perfdata;

/*
 * After perfdata_open(): open the files beside "data" that belong to the recording.  Says
 * which of them are missing or not read, and sets pd->damaged then; also if pd is the
 * file "data" alone.  Returns -1 after a message if the folder has a newer form.
 */
int folder_open(struct perfdata *pd);

/* event_counts.c: CPUs that went offline during a recording of CPUs. */

struct session;

/* CPU @cpu went offline at @from: the recording has no samples of it after that. */
struct gap {
	uint32_t cpu;
	uint64_t from;		/* ns of perf's clock */
	uint64_t to;		/* the last event of any CPU */
};

/* The last switch of context of any CPU, in ns of perf's clock; 0: the session has none */
uint64_t session_last_switch(const struct session *s);
/*
 * All gaps, in the order of CPUs; the caller frees them.  NULL if there are none, or
 * if the session does not tell: it has no context switches of CPUs, or is live.
 */
struct gap *session_gaps(const struct session *s, size_t *count);

/* heap_chunk.c: The records of one chunk of a heap's log. */

#define HEAP_CHUNK_WORDS (HEAP_CHUNK / 8)

/* One call of the program; a HEAP_ALLOC stands for HEAP_LARGE too. */
struct heap_record {
	enum heap_kind kind;	/* HEAP_ALLOC or HEAP_FREE */
	int32_t tid;
	uint64_t time;		/* of the log's clock */
	uint64_t address;
	uint64_t site, size;	/* HEAP_ALLOC */
};

struct heap_chunk {
	const uint64_t *words;	/* HEAP_CHUNK_WORDS of them */
	size_t at;
	uint64_t base;
	struct heap_record rec;	/* the last one that heap_chunk_next() found */
};

void heap_chunk_begin(struct heap_chunk *c, const uint64_t *words);
/* 1 if c->rec is another record, 0 at the end, -1 if the rest is damaged */
int heap_chunk_next(struct heap_chunk *c);

/* heap_log.c: Reads the log of one process's heap, see heap_format.h. */

struct heap_log {
	const char *path;
	int fd;
	struct heap_header header;
	uint64_t chunks;	/* that the file has */
	uint64_t missing;	/* that it had when it was written, and has no more */
	uint64_t damaged;	/* of those read: the records before the damage are good */
};

typedef void (*heap_record_fn)(void *context, const struct heap_record *rec);

/* Whether a file of this name in a folder of logs is one */
bool heap_log_named(const char *name);
/* 0, or -1 after a message; @path must outlive the log. */
int heap_log_open(struct heap_log *l, const char *path);
void heap_log_close(struct heap_log *l);
/* Call @fn for each record, chunk by chunk, and count what is damaged. */
void heap_log_each(struct heap_log *l, heap_record_fn fn, void *context);
/*
 * The same in order of time.  Of records with the same time those of a thread keep
 * their order.
 */
void heap_log_sorted(struct heap_log *l, heap_record_fn fn, void *context);

/* Ids of processes, threads and CPUs. */

/* Linux has no machine with more: NR_CPUS is at most 8192. */
#define CPUS_MOST 8192

#define NO_ID (-1)	/* an unknown process, thread or CPU */

/* perfdata_events.c: Walking the events of a perf.data file. */

struct perfdata;
struct pd_event;

/*
 * The event at *pos (at first pd->data), which is moved behind it.
 * 1: *ev is filled; 0: the end; -1 after a message that names the offset.
 */
int perfdata_next(struct perfdata *pd, uint64_t *pos, struct pd_event *ev);

/* Take the sample_id off the end of @ev, as the attributes say. */
void perfdata_sample_id(struct perfdata *pd, struct pd_event *ev);

/*
 * cgroups.c: Control groups, and what their paths tell of containers.  Events name a group by the
 * kernel's number, and other events tell the number's path, in any order.
 */

struct cgroup {
	uint64_t id;			/* 0: told by @name */
	const char *name;		/* its path in /proc; NULL: told by @id */
	const char *path;		/* NULL: nothing tells it */
	char *pod, *container;		/* their ids; NULL: the path has none */
};

/* Threads of which more than one group is known, so that none is */
extern const struct cgroup cgroup_several;

/* The group with this number or name, which must last, in the table @t; it stays where it is. */
const struct cgroup *cgroup_add(struct hash_table *t, uint64_t id, const char *name);
/* The path of a group that has none yet; it must last. */
void cgroup_set_path(const struct cgroup *group, const char *path);
void cgroups_free(struct hash_table *t);

/* process.c: A process and its mappings. */

/* A mapping of a process or of the kernel */
struct map {
	uint64_t start, end;	/* virtual addresses, end not included */
	uint64_t reach;		/* after sorting: largest end in its subtree */
	uint64_t pgoff;		/* file offset of start */
	uint64_t time;		/* ns; 0: from the beginning */
	size_t seq;		/* place among the process's, in file order */
	const char *file;	/* inside the perf.data file; NULL: code that the kernel removed */
	const uint8_t *build_id;
	size_t build_id_len;	/* 0: not recorded here */
	const uint8_t *inode;	/* of PERF_RECORD_MMAP2: maj, min, ino, ino_generation; */
				/* NULL: not recorded */
	int32_t tid;		/* of the thread that mapped it */
	uint16_t prot;		/* PROT_... of mmap(2); 0 also if not recorded; */
				/* of the kernel's code: PERF_RECORD_KSYMBOL_TYPE_... */
	bool hugetlb;		/* MAP_HUGETLB of mmap(2) */
};

/* Why the mapping at an address is unknown */
enum map_doubt {
	DOUBT_NONE,
	DOUBT_TIME,		/* several files in turn; the time of the sample is unknown */
	DOUBT_FORKS,		/* too many forks between the process and what it inherited */
	DOUBT_CROWD,		/* too many programs or mappings are possible */
	NR_DOUBTS
};

/* The answer to a question that several threads may ask, and answer, at the same time */
enum memo { MEMO_NONE, MEMO_NO, MEMO_YES };

/*
 * A program in a process, from a fork or an exec until the next exec.  See processes.c.
 */
struct process {
	int32_t pid;
	uint32_t number;	/* in the session; from 1 on */
	const struct process *parent;	/* whose mappings it began with; NULL: none */
	uint64_t inherited;	/* ns: as of when */
	uint64_t replaced;	/* ns: when its last thread executed another program; 0: never */
	const char *comm;	/* the last name of its first thread; NULL: unknown */
	const struct cgroup *group;	/* of all its threads of which nothing else tells; NULL: unknown */
	struct map *maps;	/* executable; by start: a binary tree, its root the middle */
	size_t nr_maps, room_maps;
	size_t added;		/* maps so far */
	struct {		/* the first file that is executed, and where its mappings end */
		const char *file;	/* NULL: none yet */
		uint64_t end;
		bool amid;	/* it is near the vDSO, where other mappings may follow it, too */
	} program;
	struct map_index *index;	/* of @maps, if many overlap; NULL: they do not */
	struct hash_table last;	/* of data: the last one that each thread mapped, for the first */
	size_t nr_last;		/* of @maps */
	uint32_t generation;	/* how many parents it has */
	bool sorted;
	bool cut;		/* its parent has too many parents, see process_inherit() */
	uint8_t makes_code, owns_jit;	/* enum memo, see resolve.c */
	bool threaded;		/* had other threads than its first */
	bool exited;		/* live only: its threads may go on */
	bool grouped;		/* @group is its own; false: from the process that forked it */
	bool present;		/* see processes_forget() */
	struct process *data;	/* its mappings that are not executable; NULL: none */
};

/* Memory without a file, as the kernel names it in its events and in /proc */
bool map_is_anonymous(const struct map *map);

void process_map_add(struct process *p, const struct map *map);

/* The same for a mapping that is not executable */
void process_data_add(struct process *p, const struct map *map);
/*
 * A new thread, which thread @parent made, begins at @time: if its stack can be told from
 * the mappings of @parent, name that mapping @name, and return it; or NULL.
 */
const struct map *process_name_stack(struct process *p, int32_t parent, const char *name,
				     uint64_t time);
/* Free all maps; @p can be used again. */
void process_free_maps(struct process *p);

/* Sort the maps; process_map_find() needs this after process_map_add(). */
void process_sort(struct process *p);

/* The mapping of @p, not of its parents, at @address and @time, or NULL */
const struct map *process_map_find(const struct process *p, uint64_t address,
				   uint64_t time);

/*
 * Whether @p, not a parent, has the same bytes at @address all the time, or none; *@one
 * is a mapping with them, or NULL.
 */
bool process_map_always(const struct process *p, uint64_t address, const struct map **one);

/* Whether two mappings of one name are of two files, by their build ids or inodes */
bool map_other_file(const struct map *a, const struct map *b);
/* Whether two mappings have the same bytes of the same file at the same addresses */
bool map_same_bytes(const struct map *a, const struct map *b);

/*
 * The executable mapping at @address and @time (UINT64_MAX: at the end) that @p made or
 * inherited, or NULL
 */
const struct map *process_code_at(const struct process *p, uint64_t address, uint64_t time);
/* The same for any mapping, executable or not: of two, the later one */
const struct map *process_memory_at(const struct process *p, uint64_t address, uint64_t time);
/*
 * The latest mapping that process_code_at() could find if there were none that @hidden names;
 * NULL also if there are too many
 */
const struct map *process_code_below(const struct process *p, uint64_t address, uint64_t time,
				     bool (*hidden)(const struct map *map));
/* Whether @p, or a parent, had so many mappings at @address that the functions here may give up */
bool process_is_crowded(const struct process *p, uint64_t address);
/* Whether it inherited mappings of ancestors that are too many forks away */
bool process_is_cut(const struct process *p);
/*
 * Where the time is unknown: false if @p made or inherited mappings of different bytes at
 * @address, so that only the time would tell; else *@map is one of them, NULL if there is none.
 */
bool process_code_only(const struct process *p, uint64_t address, const struct map **map);
/* The same for any mapping; memory without a file is the same if its name is. */
bool process_memory_only(const struct process *p, uint64_t address, const struct map **map);
/* Whether process_code_at() finds the same bytes from *@from on, and none before */
bool process_code_always(const struct process *p, uint64_t address, uint64_t *from);

#define PROCESS_PAGE	4096		/* the smallest of Arm's */

/*
 * The mapping with which process_code_always() holds for each address of the page at @address,
 * of PROCESS_PAGE bytes.  NULL if there is none, or if a mapping covers only a part of the page.
 */
const struct map *process_code_page(const struct process *p, uint64_t address, uint64_t *from);

typedef bool (*map_fn)(void *context, const struct map *map);
/* Whether @fits holds for all mappings that @p, not a parent, ever had at @address */
bool process_any_all(const struct process *p, uint64_t address, map_fn fits,
		     void *context);

/*
 * @child begins as a copy of @parent at @time.  With @copy it has mappings of its own, and
 * @parent may end.
 */
void process_inherit(struct process *child, const struct process *parent, uint64_t time,
		     bool copy);

/* Forget mappings that a later one at the same addresses hides; true if there were any. */
bool process_forget_maps(struct process *p);

/*
 * processes.c: Processes and threads over time.
 *
 * An id names one thread after another, and a thread's program and name change.  So each
 * thread has a list of eras, by time: from the era's time on it belonged to this process
 * and had this name.  A process is one program: fork and exec begin a new one, with
 * mappings of its own.  Caches and tables use the process as their key, never the pid,
 * because one pid may name several processes.
 *
 * Events come in the order of buffers, so changes are collected, and applied in the order
 * of time.  Those with time 0 describe what was there before.
 */

struct era {
	uint64_t time;			/* ns of perf's clock */
	struct process *process;	/* of this pid; never NULL */
	const char *comm;		/* NULL: unknown */
	const struct cgroup *group;	/* NULL: that of the process */
};

/* A change of a process or of a thread, from an event */
struct process_change {
	enum process_event {
		CHANGE_FORK,		/* @parent's thread @by made process @pid, or thread @tid of it */
		CHANGE_COMM,
		CHANGE_EXEC,		/* with the new name */
		CHANGE_MAP,		/* executable */
		CHANGE_DATA,		/* a mapping of data */
		CHANGE_SEEN,		/* the thread exists */
		CHANGE_EXIT,		/* of thread @tid */
		CHANGE_GROUP,		/* thread @tid is in @group */
	} kind;
	int32_t pid, tid;
	int32_t parent, by;
	uint64_t time;
	size_t seq;			/* set by processes_change() */
	const char *comm;		/* must stay valid */
	const char *stack;		/* CHANGE_FORK of a thread: the name of its stack */
	const struct cgroup *group;
	struct map map;
};

struct crowd;

struct processes {
	struct process **all;		/* by number, which begins with 1 */
	size_t nr, room;
	uint32_t numbers;		/* given so far */
	struct hash_table threads;	/* struct thread */
	struct process_change *changes;		/* not applied yet */
	size_t nr_changes, room_changes;
	bool on_exec;			/* perf enabled its events at the first exec, */
	uint64_t begins;		/* which was at this time; 0: no exec yet */
	struct crowd *crowd;		/* NULL: not needed so far */
	bool copies;			/* live: a child copies mappings, as its parent may go */
};

void processes_change(struct processes *p, const struct process_change *change);
/* Applies all changes.  The functions below know only what was applied. */
void processes_apply(struct processes *p);

/* The thread's era at @time (UINT64_MAX: the last one); NULL if the thread is not known */
const struct era *processes_era(const struct processes *p, int32_t tid, uint64_t time);
/* The control group of a thread in @era; NULL if it is not known */
const struct cgroup *era_group(const struct era *era);
/* The same, and from when to when, not included, it is the same as at @time */
const struct era *processes_era_span(const struct processes *p, int32_t tid, uint64_t time,
				     uint64_t *from, uint64_t *until);
/*
 * What stayed the same during all times that samples may have: *@era has NULL for a process or
 * name that changed, and *@pid is NO_ID if the pid changed.
 */
void processes_always(const struct processes *p, int32_t tid, struct era *era, int32_t *pid);
/* The last name that the thread had in @process; NULL if it was never in it */
const char *processes_last_name(const struct processes *p, int32_t tid,
				const struct process *process);
/* The process with @pid at @time, NULL if there is none */
struct process *processes_at(const struct processes *p, int32_t pid, uint64_t time);
/* Whether the pid named one process all the time */
bool processes_one(const struct processes *p, int32_t pid);
/* Whether @fits holds for a process that had the pid of @process later */
typedef bool (*process_fn)(struct process *p);
bool processes_any_after(const struct processes *p, const struct process *process, process_fn fits);
/* The process with this number; NULL if there is none, or no more */
struct process *processes_numbered(const struct processes *p, uint32_t number);

/*
 * The program is unknown.  If all programs, or with @pid all that had it, have the same code at
 * @address, at @time if that is known, return its mapping; else NULL, and maybe why in *@doubt.
 */
const struct map *processes_common_code(const struct processes *p, int32_t pid, uint64_t address,
					uint64_t time, enum map_doubt *doubt);

/* Live: forget all but the present. */
bool processes_forget(struct processes *p);
void processes_free(struct processes *p);

/* record_rest.c: Bytes that begin inside of a record */

/*
 * The first of @len bytes may be inside of a record.  Returns the length of the record's
 * rest; 0 if the bytes begin with a record, or if nothing tells.
 */
size_t record_rest(const uint8_t *bytes, size_t len);

/*
 * sample_event.c: PERF_RECORD_SAMPLE, as the uapi header linux/perf_event.h lays it out: the
 * parts that call
 * stacks and SPE records in samples or as samples need.
 */

struct pd_attr;
struct pd_event;

/* A part that the sample does not have is NULL with a length of 0.  All point into the event. */
struct pd_sample {
	bool has_tid, has_time, has_cpu, has_id;
	int32_t pid, tid;
	uint32_t cpu;
	uint64_t time;		/* ns of the perf clock */
	uint64_t id;		/* of the event */
	const uint8_t *chain;	/* words of 64 bits: addresses and PERF_CONTEXT_... */
	uint64_t chain_len;	/* words */
	uint64_t regs_mask;	/* which user registers, by bit; 0: none */
	const uint8_t *regs;	/* their values, 64 bits each */
	const uint8_t *stack;	/* the user stack from its pointer upwards */
	uint64_t stack_len;	/* bytes that are valid */
	const uint8_t *aux;	/* PERF_SAMPLE_AUX: the newest bytes of the AUX area */
	uint64_t aux_len;
	/* 0 where the sample does not have it: */
	uint64_t ip, addr, phys_addr;
	bool has_group;
	uint64_t group;		/* the control group's number */
	uint64_t weight;
	bool weights;		/* these are three numbers: PERF_SAMPLE_WEIGHT_STRUCT */
	uint64_t data_src;	/* union perf_mem_data_src */
	const uint8_t *raw;	/* PERF_SAMPLE_RAW; its last bytes may be padding with any value */
	uint64_t raw_len;
};

/* Read the sample @ev of an event with @attr; false if it is too short for its parts. */
bool sample_event_read(const struct pd_attr *attr, const struct pd_event *ev,
		       struct pd_sample *s);

/* The value of user register @number in the sample; false if it does not have it. */
bool sample_event_register(const struct pd_sample *s, unsigned int number, uint64_t *value);

/*
 * session.c: Everything that is needed to interpret samples: processes and their mappings,
 * which thread ran on which CPU and when, the AUX data and what was lost.
 * session_load.c fills a session from a perf.data file, live.h from the kernel.
 */

/* From @time on, @tid runs on the CPU (NO_ID: a thread that is not known). */
struct turn {
	uint64_t time;
	int32_t pid, tid;
};

/* What ran on a CPU */
struct cpu_turns {
	struct turn *turns;		/* sorted by time */
	size_t nr, room;
	size_t met;			/* live: of the first so many the processes were read from /proc */
	bool unsorted;			/* until session_sort() */
	uint64_t last;			/* ns: the last event so far of this CPU; 0: none */
	uint64_t throttled;		/* ns: since when the SPE event takes no samples; 0: it does */
};

/* The inode of mappings of a live session; its bytes are as in PERF_RECORD_MMAP2. */
struct live_inode {
	uint64_t device;		/* major number, then minor number, of 32 bits each */
	uint64_t number, generation;	/* the latter is 0 */
};

/* @tid was in the control group at @time; or, without a group, a new thread got this id then. */
struct group_seen {
	uint64_t time;
	int32_t pid, tid;
	const struct cgroup *group;
};

struct time_conv {
	bool valid, is_short;
	uint64_t shift, mult, zero, cycles, mask;
};

/* What kind of core a CPU is, and the type of its PMU */
struct cpu_midr {
	uint64_t cpu, midr, pmu;
	uint64_t least;		/* the recommended least interval; 0: unknown */
};

struct session {
	struct perfdata pd;
	bool live;			/* false: all is in a file */
	struct string_set strings;	/* names from events */
	struct processes processes;
	struct hash_table rounds[2];	/* see is_repeated() */
	bool has_rounds;		/* perf record wrote the end of one */
	struct hash_table cgroups;	/* see cgroups.c */
	struct hash_table inodes;	/* live: struct live_inode * */
	struct group_seen *groups;	/* not among the changes of processes yet */
	size_t nr_groups, room_groups;
	bool grouped;			/* something told the group of a thread */
	bool group_paths;		/* and the path of a group */
	uint64_t aux_last;		/* ns: the last AUX event; 0: none that tells */
	bool foreign_times;		/* those of the samples are of another counter */
	size_t cut_maps;		/* lists of mappings that perf did not read to the end */
	struct cpu_turns *cpus;		/* by CPU */
	size_t nr_cpus;
	uint64_t sorts;			/* calls of session_sort() */
	/* 0: perf recorded none, so that a turn may have ended any time */
	size_t switches;
	bool of_cpus;			/* events are of CPUs, not of tasks: there was a SWITCH_CPU_WIDE */
	uint64_t untimed;		/* events without times, which have their order instead */
	bool foreign_contexts;		/* see contexts.c */
	bool guessed_owners;		/* the same */
	bool guests;			/* records of KVM's guests are among them: see contexts.c */
	bool several_pids;		/* of processes in the file */
	bool outside;			/* pid 0 is of all threads outside perf's pid namespace */
	struct piece *pieces;		/* in file order */
	size_t nr_pieces, room_pieces;
	uint64_t copied;		/* bytes that a snapshot had again */
	bool overwritten;		/* snapshots, or samples, with the newest records alone */
	bool data_maps;			/* mappings of data were recorded */
	struct process kernel;		/* mappings of the kernel */
	struct process ksymbols;	/* code loaded at run time, such as BPF */
	uint64_t kernel_text;		/* run-time address of kernel_ref, 0: unknown */
	const char *kernel_ref;		/* "_text" or "_stext" */
	uint64_t kernel_size;		/* bytes from there to the kernel's end, as perf recorded it */
	struct time_conv tc;
	bool is_spe;			/* AUXTRACE_INFO says Arm SPE */
	uint64_t auxtrace_type;
	uint64_t pmu_type;		/* of the SPE event, or of the first */
	struct cpu_midr *midrs;		/* AUXTRACE_INFO of version 2 */
	size_t nr_midrs;
	uint64_t first, last;		/* event's time, ns of perf's clock; 0: none has one */
	uint64_t aux_events, aux_truncated, aux_partial, aux_collision;
	uint64_t lost_events, lost_records;
	/* How often the kernel stopped an event whose samples are records, and for how long */
	uint64_t throttles, throttled_ns;
	struct event_counts counts;	/* the same for each event */
	struct call_samples calls;	/* if calls.wanted was set before the events */
	struct aux_samples aux_samples;	/* AUX data in samples */
	struct record_samples record_samples;	/* records that are samples */
	bool sampled;			/* the pieces are of these */
	bool sample_times;		/* their timestamps are the times of the samples, in ns */
	bool made;			/* the records are made: the recording does not have their bytes */
};

/* An empty session */
void session_init(struct session *s);
void session_free(struct session *s);

/*
 * The turns of @cpu, to be added to; NULL for larger numbers than any machine has: the file is
 * damaged.
 */
struct cpu_turns *session_cpu_new(struct session *s, uint32_t cpu);
static inline struct cpu_turns *session_cpu(struct session *s, uint32_t cpu)
{
	return cpu < s->nr_cpus ? &s->cpus[cpu] : session_cpu_new(s, cpu);
}
/*
 * What ran on @cpu at @time; NULL if unknown.  *@until is when it ended, UINT64_MAX if it did
 * not.  *@near is where to look first, the turn that was found last.
 */
const struct turn *session_turn_find(const struct session *s, uint32_t cpu, uint64_t time,
				     size_t *near, uint64_t *until);

/*
 * MIDR_EL1 of @cpu.  With NO_ID, or for a CPU that AUXTRACE_INFO lacks, that of all CPUs
 * that it has, if they are alike but for variants and revisions.  Returns false if it is unknown.
 */
bool session_midr(const struct session *s, int32_t cpu, uint64_t *midr);

/* The name of a core; variants and revisions count as alike.  To be freed. */
char *session_core(uint64_t midr);
/* All cores that the recording names, as "A, B"; NULL if it names none.  To be freed. */
char *session_cores(const struct session *s);
/* What perf says that it lost: "AUX data 5 times truncated, ..."; NULL: nothing.  To be freed */
char *session_losses(const struct session *s);

/* Whether AUXTRACE_INFO lists CPUs, but not @cpu */
bool session_cpu_missing(const struct session *s, int32_t cpu);

/*
 * The formula of struct perf_event_mmap_page, in 128 bits against overflow; @tc must be valid.
 * Inline, because most verbs call it for each record.
 */
static inline uint64_t session_time_of(const struct time_conv *tc, uint64_t timestamp)
{
	uint64_t cycles = tc->is_short ? tc->cycles + ((timestamp - tc->cycles) & tc->mask) :
					 timestamp;

	return tc->zero + (uint64_t)((unsigned __int128)cycles * tc->mult >> tc->shift);
}

/*
 * Set @times[] to session_time_of() of @count timestamps, one at least, with fewer instructions.  False,
 * and times without meaning, if they are too far from each other for that, or @tc has unusual factors.
 */
bool session_times_near(const struct time_conv *tc, const uint64_t *timestamps, size_t count,
			uint64_t *times);

/* perf clock in ns of an SPE timestamp; false without TIME_CONV. */
bool session_time(const struct session *s, uint64_t timestamp, uint64_t *time);

/* Apply changes of processes, and sort: the functions above need this after events were added. */
void session_sort(struct session *s);

/* archive.c: A recording and all files that belong to it, in one file; see verbs/archive.c */

#define ARCHIVE_DATA	"recording/perf.data"	/* the recording in it */

/* The path of a new folder with its files, to be freed, or NULL after a message.  It is removed in the end. */
char *archive_unpack(const char *path);

/* source.c: An input: a perf.data file, or SPE bytes alone. */

/* The input that the command line names */
struct source {
	const char *path;	/* a file, or perf's folder form; NULL: perf.data, as with perf */
	bool raw;		/* SPE bytes alone instead of perf.data */
	bool calls;		/* source_open() reads call stacks too */
	char *unpacked;		/* @path is an archive: the folder with its files; else NULL */
	char *data;		/* the recording: in that folder, or @path */
	char *root;		/* for --symfs: in that folder; else NULL */
	struct mapped_file in;	/* raw */
	struct piece whole;	/* raw: all of it as one piece */
	struct session session;	/* perf.data */
};

/* Take the value of -i, or of --raw if @raw is set; false after a message. */
bool source_option(struct source *src, const char *path, bool raw);
/* Whether @path is a recording of perf: a file, a folder, or "-" for standard input */
bool source_is_recording(const char *path);
/*
 * Without -i and --raw: the first argument from optind on that is a recording is the input.  It
 * moves before optind, so that the others are left.
 */
void source_argument(struct source *src, int argc, char **argv);
/* Say that the argument is left, and why it is not the input. */
void source_say_left(const struct source *src, const char *verb, const char *argument);
/* "perf spe VERB -i FILE", which reads this input again; to be freed */
char *source_command(const struct source *src, const char *verb);
/* 0, or -1 after a message */
int source_open(struct source *src);
void source_close(struct source *src);
/* NULL for SPE bytes alone */
struct session *source_session(struct source *src);
const struct piece *source_pieces(const struct source *src, size_t *count);
/* The opened file; of a recording that is a folder, the one with the header */
const struct mapped_file *source_input(const struct source *src);
/*
 * For each piece the number of its stream, from 0 on.  Pieces with the same index,
 * CPU and thread are of one stream.  The caller frees the array.
 */
size_t *source_stream_numbers(const struct source *src);

/* samples.c: The samples of an input: a perf.data file or SPE bytes. */

/* Call @fn for each span of @src, piece by piece in file order. */
void samples_each(const struct source *src, sample_fn fn, void *context,
		  struct sample_totals *totals);

/*
 * Print messages about damaged, unknown and incomplete data.  Returns EXIT_OK if
 * all records were whole; the last one may end between two packets.
 */
int samples_verdict(const struct source *src,
		    const struct sample_totals *totals);

/* session_events.c: Events of perf, each applied to a session. */

struct pd_event;
struct session;

/* 0, or -1 after a message */
int session_event(struct session *s, const struct pd_event *ev);
void session_free_inodes(struct session *s);

/* session_load.c: A perf.data file as a session. */

struct session;

/*
 * 0, or -1 after a message.  Refuses files without Arm SPE data.  @shown is that of
 * perfdata_open().  @calls: keep the call stacks of the samples of other events.
 */
int session_load(struct session *s, const char *path, const char *shown, bool calls);

/*
 * spe_event.c: The events of a recording and their settings.  A recording may have several SPE
 * events, one per PMU, each with its own period and filters.
 */

struct pd_attr;
struct session;

/* Whether attribute @attr is an event of an SPE PMU. */
bool spe_event_is(const struct session *s, size_t attr);
/* Whether its records are samples: the PMU is a spe_sample_N. */
bool spe_event_samples(const struct session *s, size_t attr);
/* Whether all events, those of call stacks too, leave the kernel out */
bool session_excludes_kernel(const struct session *s);
/* The attribute that wrote the AUX data of @cpu, or PD_NO_ATTR */
size_t spe_event_of_cpu(const struct session *s, int32_t cpu);
/*
 * Operations from one sample to the next: PMSIRR_EL1 holds a multiple of 256
 * (D24.7).  0 for an event with a frequency, whose interval varies.
 */
uint64_t spe_event_interval(const struct pd_attr *attr);
bool spe_event_jitter(const struct pd_attr *attr);

/* Between these numbers is the mean number of operations from one sample to the next. */
struct spe_mean {
	uint64_t low, high;		/* 0: the recording does not say */
};

/*
 * The mean interval of @attr.  A driver may have raised a period that is below @least, the
 * CPU's recommended least interval (0: unknown).
 */
struct spe_mean spe_event_mean(const struct pd_attr *attr, uint64_t least);
/* It as text, "1025-1152" with "-" as @to, or "varies", where no driver raised it; to be freed */
char *spe_event_mean_text(const struct pd_attr *attr, const char *to);
/* That of the event of @cpu (NO_ID: of a thread's buffer); 0 if the file does not name it */
struct spe_mean spe_cpu_mean(const struct session *s, int32_t cpu);
/* Whether it asks for samples of KVM's guests */
bool spe_event_guests(const struct pd_attr *attr);
/* Whether the CPU records only a part of its samples */
bool spe_event_filters(const struct pd_attr *attr);
/* These settings as text: ", load_filter, min_latency=20" */
char *spe_event_filter_text(const struct pd_attr *attr);
/* The options with which record makes such an event, without its period: " --loads --user" */
char *spe_event_options(const struct session *s, size_t attr);
/* Whether the CPU records only a part of its samples, in any of the SPE events */
bool spe_event_chosen(const struct session *s);
/* Whether all AUX data is of one CPU; @s may be NULL */
bool session_one_cpu(const struct session *s);
/*
 * Whether the CPU records only operations that met some events, a least latency or some data sources, in
 * any of the SPE events; @s may be NULL
 */
bool spe_event_met(const struct session *s);
/* The settings as text: "arm_spe_0 jitter load_filter min_latency=20" */
char *spe_event_text(const struct session *s, size_t attr);
/* The name of an event that is not SPE's: "instructions", "event 4/0x11" */
char *other_event_name(const struct session *s, size_t attr);

#endif
