/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fuzzer of the verbs: makes a recording and its program, wrong in a few places, and runs
 * perf-spe's verbs on them.
 *
 *   main.c       inputs by number, each in a process of its own, with limits
 *   commands.c   the command lines that an input may run
 *   input.c      the files of an input
 *   recording.c  attributes, features and the forms of perf.data
 *   events.c     each kind of event, SPE records, and logs of a heap
 *   program.c    wrong values for headers, sections, symbols and texts
 *   dwarf.c      wrong values for DIEs and their abbreviations
 *   dice.c       what is drawn
 */
#ifndef FUZZ_VERBS_FUZZ_H
#define FUZZ_VERBS_FUZZ_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../tests/bytes.h"
#include "../../tests/encode.h"

/* dice.c: numbers that are the same on every run */

struct dice {
	uint64_t state;
};

struct dice dice_of(uint64_t number);
/* 0 to @below - 1 */
uint64_t draw(struct dice *d, uint64_t below);
bool one_in(struct dice *d, uint64_t times);
/* A number that programs seldom expect: limits, their neighbours, and any */
uint64_t draw_odd(struct dice *d);

/* program.c: a folder for --symfs, with the file "prog" */

struct tree_file {
	char *path;			/* in the folder */
	struct bytes content;
	struct die_value *values;	/* NULL: no DWARF */
	uint32_t *dies;			/* where they begin in the file */
	size_t nr_values, nr_dies;
};

struct load_segment {
	uint64_t offset, filesz, address, memsz;
	uint32_t flags;
};

struct tree {
	struct tree_file files[16];
	size_t nr_files;
	/* Of "prog": */
	struct load_segment segments[8];
	size_t nr_segments;
	uint64_t code[128], data[128];	/* addresses of functions and of variables */
	size_t nr_code, nr_data;
	uint8_t id[20];
};

/* Read a folder of seeds.  Exits after a message if it cannot. */
void tree_load(struct tree *t, const char *folder);
/* Make a few values wrong; @content is a copy of the file's. */
void program_spoil(struct dice *d, const struct tree_file *file, struct bytes *content);

/* dwarf.c: where DIEs and the values of their attributes are in a file */

struct die_value {
	uint32_t at, size;		/* in the file */
	uint16_t form;
	uint32_t unit;			/* where its unit begins in the file */
};

/* Fill in @f->values and @f->dies. */
void dwarf_index(struct tree_file *f);
/* Make one value wrong; false if the file has no DWARF. */
bool dwarf_spoil(struct dice *d, const struct tree_file *file, struct bytes *content);

/* recording.c: a recording of the program */

#define ATTRS_MOST	4
#define ATTR_BYTES	144
#define FEATURES	32

struct recording {
	struct dice *dice;
	bool hostile;			/* else each value is one that perf may write */
	const struct tree *tree;
	struct {
		union {
			struct perf_event_attr attr;
			uint8_t bytes[ATTR_BYTES];
		};
		uint64_t ids[3];
	} attrs[ATTRS_MOST];
	unsigned int nr_attrs;
	unsigned int owner;		/* whose the event is that is being made */
	struct bytes features[FEATURES], events;
	size_t event_at;		/* where the last event begins */
	uint64_t now;			/* of the next event, in ns */
	uint64_t stream[4];		/* bytes of AUX data so far */
	uint8_t spe_bytes[4096];
	struct armspe_encoder spe;	/* records that are in no event yet */
};

/* @number, or seldom, in a hostile recording, another one */
uint64_t usual(struct recording *r, uint64_t number);
void recording_make(struct recording *r, struct dice *d, const struct tree *t, bool hostile);
/* Take the events, attributes and features of the file @seed, which is in the plain form. */
void recording_read(struct recording *r, const struct bytes *seed);
void recording_free(struct recording *r);
/* Write it in a form that is drawn. */
void recording_write(struct recording *r, const char *path);

/* events.c */

void event_begin(struct recording *r, uint32_t type, uint16_t misc);
void event_end(struct recording *r);
/* What every recording begins with, and then @count events of kinds that are drawn */
void events_begin(struct recording *r);
void events_add(struct recording *r, size_t count);
/* Bytes of an event: of its header and body, without AUX data that follow; 0: there is none at @at */
size_t event_size(const struct bytes *events, size_t at, size_t *follows);
/* A log of the heap of process 10, as "perf spe record --heap" writes it */
void heap_log_make(struct recording *r, struct bytes *log);

/* Where the program's address 0 is mapped, and memory that is no file's */
#define PROGRAM		UINT64_C(0x7000000000)
#define HEAP		UINT64_C(0x7100000000)
#define JIT_CODE	UINT64_C(0x7200000000)
#define STACK		UINT64_C(0x7fff000000)
#define KERNEL		UINT64_C(0xffff800008000000)

/* input.c: the files of an input below a folder; commands.c runs verbs on them there. */

struct seeds {
	struct tree *trees;
	struct bytes *recordings;
	size_t nr_trees, nr_recordings;
};

enum kind { RECORDINGS, PROGRAMS };

/* Read the folders "programs" and "recordings" of @folder. */
void seeds_load(struct seeds *s, const char *folder);
/* Write the files into the working folder.  The file of @kind is hostile. */
void input_make(const struct seeds *s, enum kind kind, struct dice *d);
/* A new file in the working folder, and the folders above it */
void input_put(const char *path, const void *bytes, size_t len);

/* Run a few commands that are drawn, or with @all each; each is named in @now while it runs. */
void commands_run(struct dice *d, bool all, char *now, size_t size);

#endif
