/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_AGENT_AGENT_H
#define PERF_SPE_AGENT_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "system/system.h"
#include "util/util.h"

/*
 * config.c: The file of --config: a line "KEY = VALUE" for each setting that is not the usual one.
 */

struct agent_config {
	double window, every;		/* seconds: of sampling, and from one window to the next */
	double budget;			/* percent of the time of all sampled CPUs */
	uint64_t period;		/* operations per sample, at the least; 0: chosen for the machine */
	uint64_t rows;			/* of a window, at most */
	double raw_share;		/* percent of a window's samples that are kept as rows */
	uint64_t raw_rows;		/* of them, at most */
	uint64_t memory_mib, spool_mib;
	bool symbols;			/* functions, not addresses */
	char *host, *spool;		/* texts are never NULL */
	char *metrics_file, *metrics_listen;	/* "": none */
	char *otlp_url, *pprof_url;	/* where profiles of the windows go; "": nowhere */
	char *parquet_to;		/* where Parquet files of the windows go, a path or a URL; "": nowhere */
	char *s3_region, *s3_key_file;
	char *token_file, *ca_file;	/* "": none */
	double send_seconds;		/* for a request */
};

/* False after a message for each line that is wrong. */
bool agent_config_read(struct agent_config *c, const char *path);
void agent_config_free(struct agent_config *c);
/* Print each key with its usual value and its meaning. */
void agent_config_help(FILE *to);

/*
 * budget.c: What sampling may cost.  If a round costs more, the period becomes longer; where that does
 * not help, the window shorter; and where that does not help either, the time from one window to the
 * next longer.  The other way round if it costs little.
 */

#define BUDGET_LONGEST	(UINT64_C(1) << 30)	/* operations per sample */
#define BUDGET_SHORTEST	1.0			/* seconds, if the window is not shorter at first */
#define BUDGET_ROUNDS	64			/* times the time from one window to the next of the settings */

struct budget {
	uint64_t period, period_least;
	double window, window_most;
	double every, every_least;
	/* Private: the share and the settings before the last change, to see whether it helped */
	double share_before, window_before;
	uint64_t period_before;
	bool window_is_next, every_is_next;
};

/* The settings at first */
struct budget budget_begin(uint64_t period, double window, double every);
/* @share of the CPUs' time was used, and @limit may be.  True if something changed. */
bool budget_step(struct budget *b, double share, double limit);

/* reduce.c: The samples of a window, added up. */

/* Latencies of 0, 1, 2 to 3, 4 to 7, ..., 32768 to 65535 cycles */
#define LATENCIES	17u

struct latencies {
	uint64_t count[LATENCIES];
	uint64_t cycles;		/* of all */
};

struct sum {
	/* Which samples; pointers are those of the session and its symbols, and NULL if unknown */
	const struct cgroup *group;
	const struct dso *dso;
	const char *object, *symbol, *source;
	uint64_t address;		/* without a symbol */
	uint64_t events;
	uint32_t code;			/* of a source without a name, + 1; 0: none */
	int32_t node;			/* of the CPU; -1: unknown */
	/* How many */
	uint64_t samples;
	uint64_t midr;			/* of one of them; 0: unknown */
	struct latencies latencies;
};

/* Sources of data of all samples together: few, but a hostile recording may have any code */
#define SOURCES		32u
#define SOURCE_NAME	24u

struct source_samples {
	char name[SOURCE_NAME];
	uint64_t samples;
	struct latencies latencies;
};

/* raw.c: Some of the samples as they were, chosen at random. */

/*
 * All raw rows of a window may be of one sum, which is a line of JSON, and readers take a line of
 * up to 1 MiB.  A row has at most 330 bytes.
 */
#define RAW_ROWS_MOST	2500

struct raw_row {
	const struct sum *sum;		/* that counts the sample, and has what is not here */
	uint64_t time, address;
	int64_t data;			/* the data's virtual address */
	const char *op;			/* NULL: unknown */
	int32_t cpu, pid, tid;
	uint32_t counters;		/* a bit for each SPE_COUNTER_* that there is */
	uint16_t cycles, issue, xlat;
	bool has_time, has_address, has_data;
	char comm[16];			/* as long as the kernel's */
};

struct reservoir {
	double share;			/* of all samples; 0: none, 1: all */
	uint64_t most;			/* rows */
	uint64_t state;			/* of the random numbers: at first any number */
	uint64_t chosen;
	struct raw_row *rows;
	size_t nr, room;
};

/* Where the next sample has to be stored; NULL: it is not chosen. */
struct raw_row *reservoir_next(struct reservoir *r);
/* Choose record @i of the batch, which @s counts, or not; needs REDUCE_RAW. */
void reservoir_add(struct reservoir *r, const struct row_batch *b, size_t i, const struct sum *s);
void reservoir_sort(struct reservoir *r);
/* After that: the rows of @s as a key of its JSON object */
void reservoir_print(const struct reservoir *r, const struct sum *s, FILE *to);

struct reduce {
	uint64_t most;			/* sums */
	bool symbols;
	int32_t *cpu_nodes;		/* of @nr_cpus */
	size_t nr_cpus;
	struct reservoir raw;
	struct hash_table sums;		/* struct sum */
	struct sum other;		/* of samples for which there is no more room */
	uint64_t samples;
	struct source_samples sources[SOURCES];	/* the last one has all that have no room */
	size_t nr_sources;
};

/* Texts to be freed together */
struct texts {
	char **text;
	size_t nr, room;
};

/* Read the nodes of CPUs from sysfs below @root.  The caller has set the limits and what to keep. */
void reduce_begin(struct reduce *r, const char *root);
/* The columns that it reads, enum row_column, without and with raw rows */
#define REDUCE_COLUMNS	(ROW_OP | ROW_EVENTS | ROW_SOURCE)
#define REDUCE_RAW	(REDUCE_COLUMNS | ROW_DATA)
/* A row_batch_fn; @context is the struct reduce. */
void reduce_add(void *context, const struct row_batch *b);
/* The sums, those of most samples first; to be freed */
const struct sum **reduce_sorted(const struct reduce *r);
/* A line of JSON, with the raw rows of the sum; call reservoir_sort() first. */
void reduce_print(const struct reduce *r, const struct sum *s, FILE *to);
/*
 * Add the sums to a profile: a stack of one frame each, and a thread for each control group.  Names that are too long
 * are cut, and kept in @texts for as long as the profile is needed.
 */
void reduce_profile(const struct reduce *r, struct profile *p, struct texts *texts);
void reduce_free(struct reduce *r);

/* window.c: One window: sample, reduce, write. */

enum window_loss {
	LOSS_TRUNCATED, LOSS_PARTIAL, LOSS_COLLISION,	/* AUX records with these flags */
	LOSS_EVENTS,					/* perf's events that found no room */
	LOSS_DAMAGED,					/* bytes that are no records */
	NR_LOSSES,
};

/* "truncated", ...: a word_fn */
const char *window_loss_name(unsigned int loss);

/* What the process of a window tells the one that goes on */
struct window_result {
	bool sampled;		/* false: no event could be opened */
	bool kept;		/* its file is in the spool */
	bool cut;		/* it ended early: the memory was used up */
	bool user_only;		/* no permission to sample the kernel */
	uint64_t cpus, samples, rows, other;
	uint64_t lost[NR_LOSSES];
	bool has_service;	/* the driver tells */
	double service;		/* seconds that it needed */
	uint64_t dropped, dropped_unsent;	/* windows, and what was not sent, that made room in the spool */
	struct source_samples sources[SOURCES];
	size_t nr_sources;
};

/*
 * Sample for b->window seconds, or until *@stop, and put the result into the spool.  Call it in a process
 * of its own, which ends afterwards: all memory of a window ends with it.
 */
void window_take(const struct agent_config *c, const struct budget *b, const char *root,
		 const volatile int *stop, struct window_result *r);

/*
 * spool.c: A folder of windows, and of profiles of them that wait to be sent.  Each file is there completely or
 * not at all.
 */

enum spool_kind {
	SPOOL_WINDOW, SPOOL_OTLP, SPOOL_PPROF,
	/* More names of a window's file: it waits to become Parquet; it did, and waits for the end of its hour. */
	SPOOL_PARQUET, SPOOL_HOUR,
	SPOOL_DONE,	/* a list of windows whose hour is one file */
	NR_SPOOL_KINDS
};

/*
 * A descriptor, or -1 after a message.  While it is open no other agent can begin with this folder.  Removes
 * what a crash has left.
 */
int spool_begin(const char *folder);
/* A descriptor, or -1 after a message.  While it is open no other process sends what is in this folder. */
int spool_lock_sender(const char *folder);
struct spool_state {
	bool readable;
	uint64_t bytes;			/* of all files */
	size_t count[NR_SPOOL_KINDS];	/* of windows, and of profiles that wait */
	size_t refused;			/* profiles that their server does not take */
	int64_t newest;			/* when the newest window was written, in seconds since 1970; 0: none */
};

struct spool_state spool_look(const char *folder);

struct spool_file {
	const char *folder;
	enum spool_kind kind;
	char *part, *path;	/* before and after spool_end() */
	int fd, error;		/* errno of what failed; 0: nothing */
	bool parquet;		/* of a window: it waits to become Parquet too */
	uint64_t most, bytes;
	uint64_t dropped[NR_SPOOL_KINDS];	/* files that had to go */
};

/*
 * A new file for the window with the id @id, in a spool of @most bytes.  When the disk is full, or the
 * spool at the end, the oldest files go.
 */
bool spool_open(struct spool_file *f, const char *folder, uint64_t most, const char *id, enum spool_kind kind);
void spool_put(struct spool_file *f, const char *bytes, size_t len);
/* Write all to the disk, and give the file its name; false after a message.  Also after spool_open() failed */
bool spool_end(struct spool_file *f);
/* The paths of all files of @kind, the oldest first by name, and NULL; all to be freed */
char **spool_list(const char *folder, enum spool_kind kind);
/* "spe-ID" of a file of @kind, and the other way round; both to be freed */
char *spool_id(const char *path, enum spool_kind kind);
char *spool_path(const char *folder, const char *id, enum spool_kind kind);
/* Write the names of the files in @folder to the disk; false with errno. */
bool sync_folder(const char *folder);
/* Keep the file, which its server does not take, under a name of its own. */
bool spool_refuse(const char *path);

/* parquet.c: Windows as rows of a Parquet file. */

struct parquet_file {
	char *bytes;
	size_t len;
	char *folder;			/* "host=H/date=D/hour=HH" */
	uint64_t windows;		/* 0: there is no file */
	uint64_t damaged;
};

/* Why this perf-spe cannot write Parquet files, or NULL */
const char *parquet_missing(void);
/*
 * Make a file of the windows at @paths.  It has none of those that are gone or damaged, and there is none
 * if the windows are of several hosts or hours.  NULL, or why that failed, to be freed; always parquet_free().
 */
char *parquet_make(char *const *paths, size_t count, struct parquet_file *f);
void parquet_free(struct parquet_file *f);

/*
 * store.c: Where Parquet files go.  @key is a path there.  NULL, or why not, to be freed; then *@wait has the
 * seconds that the server asks for, if it does.
 */

bool store_is_url(const struct agent_config *c);
char *store_put(const struct agent_config *c, const char *key, const char *bytes, size_t len, double *wait);
char *store_remove(const struct agent_config *c, const char *key, double *wait);

/* hours.c: Parquet files of the windows that wait in the spool, and of their hours.  As in store.c. */

char *hours_window(const struct agent_config *c, const char *path, double *wait);
char *hours_merge(const struct agent_config *c, double *wait);

/* http.c: Requests to servers, with libcurl. */

struct answer {
	char *bytes;
	size_t len;
	long status;			/* 0: none came */
	double wait;			/* seconds that the server asks for, or 0 */
	char *error;			/* why none came */
};

/* False after a message */
bool http_load(void);
/* Send the profile; @a->bytes, or @a->error, is to be freed. */
void http_post(const struct agent_config *c, const char *url, enum spool_kind kind, const char *bytes, size_t len,
	       struct answer *a);
/* PUT the bytes, or DELETE without them, in storage that has the interface of S3. */
void http_object(const struct agent_config *c, const char *url, const char *bytes, size_t len, struct answer *a);

/* send.c: Send what waits in the spool. */

/* @once: try each of them once, and end; else until a signal.  Returns the exit status. */
int agent_send(const struct agent_config *c, bool once);

/* metrics.c: What happened since the start, for Prometheus. */

struct metrics {
	struct window_result sum;		/* of all windows */
	uint64_t windows, kept, cut, failed, crashed;
	double own, service;			/* seconds of CPU time */
	bool has_service;
	double share;				/* of the CPUs' time, in the last round */
	uint64_t changes;			/* of the budget */
	bool said_user_only;
	int listening;				/* -1: no socket */
};

/* The text; @root is the folder above sys, for the driver's counters. */
char *metrics_text(const struct metrics *m, const struct agent_config *c, const struct budget *b,
		   const char *root, size_t *len);
/* Write it to c->metrics_file; false after a message */
bool metrics_write(const struct agent_config *c, const char *text, size_t len);
/* The port of "127.0.0.1:PORT" or "[::1]:PORT", 0 for anything else */
uint16_t metrics_port(const char *where);
/* Listen where c->metrics_listen says.  Returns a descriptor, or -1 after a message. */
int metrics_listen(const struct agent_config *c);
/* Answer one client that waits, which has a second. */
void metrics_answer(int listening, const char *text, size_t len);

/* loop.c: Windows, one after the other. */

/* After agent_signals(), whether SIGINT or SIGTERM has come */
extern volatile int agent_stopped;
void agent_signals(void);
/* @windows: how many; 0: until a signal ends it.  Returns the exit status. */
int agent_run(const struct agent_config *c, const char *root, uint64_t windows);

#endif
