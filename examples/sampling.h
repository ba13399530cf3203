/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens an event of spe_sample_N on each CPU and attaches a BPF program to them. */
#ifndef SAMPLING_H
#define SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/libbpf.h>

#include "keys.h"

/* The BPF program, as a part of this one: a file in the folder of objects */
#define EMBED(name, file)						\
	asm(".pushsection .rodata\n"					\
	    ".global " #name ", " #name "_end\n"			\
	    ".balign 8\n"						\
	    #name ": .incbin \"" file "\"\n"				\
	    #name "_end:\n"						\
	    ".popsection\n");						\
	extern const char name[], name##_end[]

struct options {
	uint64_t period;	/* operations from one sample to the next */
	bool user;		/* no samples of the kernel */
	const char *terms;	/* as in perf record -e spe_sample_0/TERMS/, or NULL */
	unsigned int seconds;	/* from one table to the next; 0: only one at the end */
	unsigned int rows;	/* of a table; 0: all */
	char **command;
};

struct sampling {
	struct bpf_object *object;
	struct event {
		int fd;
		struct bpf_link *link;
	} *events;
	size_t count;
};

struct sum {
	uint64_t samples, cycles;
};

/* Prints a message and ends the program. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads the options; prints the usage and ends the program if they are wrong. */
struct options read_options(int argc, char **argv, const char *what);

/*
 * Loads the BPF program @what, samples while the command runs, and has @print print tables: each
 * few seconds, with @last set when the command has ended.  Returns the command's exit status.
 */
int sample_command(const struct options *options, const char *what, const char *object, size_t size,
		   void (*print)(const struct sampling *, const struct options *, bool last));

/* Calls @visit for each element of a map. */
void each_element(const struct sampling *sampling, const char *map, size_t key_size,
		  void (*visit)(const void *key, const struct sum *sum, void *data), void *data);

/* Prints how many samples came, and what is missing. */
void print_totals(const struct sampling *sampling);

#endif
