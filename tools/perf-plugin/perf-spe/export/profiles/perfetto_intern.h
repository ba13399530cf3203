/* SPDX-License-Identifier: GPL-2.0-only */
/* The names, frames and callstacks that packets of a Perfetto trace refer to. */
#ifndef PERF_SPE_PERFETTO_INTERN_H
#define PERF_SPE_PERFETTO_INTERN_H

#ifdef HAVE_PROTOBUF_C

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/callers/frames.h"
#include "export/dictionary.h"
#include "export/profiles/proto_file.h"

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
