/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_EXPORT_PROFILES_PROFILES_H
#define PERF_SPE_EXPORT_PROFILES_PROFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#ifdef HAVE_PROTOBUF_C
#include <protobuf-c/protobuf-c.h>
#endif

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "export/format/format.h"

/* The formats */
extern const struct format format_firefox;		/* Profiles for the Firefox Profiler */
extern const struct format format_folded;		/* Folded stacks, which flame graphs are made of */
extern const struct format format_otlp;		/* Profiles for OpenTelemetry's collectors */
extern const struct format format_perfetto;	/* Traces for Perfetto */
extern const struct format format_pprof;		/* Profiles for pprof */
extern const struct format format_speedscope;	/* Profiles for speedscope */

/* firefox_tables.c: The tables that all threads of a profile for the Firefox Profiler share. */

/* Print the members "libs" and "shared"; stacks keep their numbers. */
void firefox_tables(const struct frames *f, FILE *to);

/* profile_file.c: What the formats of profiles have in common. */

/* 0 if the recording has the value that --value names, or -1 after a message */
int profile_file_check(const struct writer *w);
/* 0 if @why is NULL, or -1 after a message with it */
int profile_file_failed(const char *why);

/* The name of a frame: a function, "[no symbol]" or an object's short name */
const char *profile_file_name(const struct frame_function *function);
/* "COMM PID" and "thread TID", to be freed */
char *profile_file_process(const struct profile_process *process);
char *profile_file_thread(const struct profile_thread *thread);
/* The id of the function's file in hex, or the recorded one, to be freed; NULL: none */
char *profile_file_build_id(const struct frame_function *function);

/* format_otlp.c: Why a collector does not take all of a request: of its answer, to be freed.  NULL: it takes all */
char *otlp_refusal(const uint8_t *answer, size_t len);

#ifdef HAVE_PROTOBUF_C

/*
 * proto_file.c: Write protobuf messages one after the other.  Readers of protobuf merge such
 * messages: the result has the repeated fields of each.
 */


struct proto_file;

/* Begin to write to the writer's file, with gzip if @compressed.  Its errors are those of that file. */
struct proto_file *proto_begin(const struct writer *w, bool compressed);
void proto_put(struct proto_file *f, const ProtobufCMessage *message);
void proto_end(struct proto_file *f);

/* perfetto_intern.c: The names, frames and callstacks that packets of a Perfetto trace refer to. */

#define PERFETTO_SEQUENCE	1

/* iids are numbers plus 1. */
struct perfetto_intern {
	const struct frames *frames;
	struct proto_file *file;
	struct dictionary objects, sources;
	size_t nr_functions, nr_frames;		/* written so far */
	bool *written;				/* by stack */
	size_t room;
	uint32_t *path;				/* frames of a stack */
	uint64_t *iids;
	size_t room_path, room_iids;
};

/* Write the names of annotations: annotation @i has iid @i plus 1. */
void perfetto_intern_begin(struct perfetto_intern *in,
			   const struct frames *frames,
			   struct proto_file *file,
			   const char *const *annotations, size_t count);
/* Write what a packet with this stack needs and earlier packets did not have. */
void perfetto_intern_stack(struct perfetto_intern *in, uint32_t stack);
void perfetto_intern_free(struct perfetto_intern *in);

#endif

#endif
