/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that an address is in, from DWARF: the compiler may have put one
 * function's code into another.
 */
#ifndef PERF_SPE_INLINE_H
#define PERF_SPE_INLINE_H

#include <stddef.h>
#include <stdint.h>

struct dso;
struct inlines;

/* More functions than compilers put into each other */
#define INLINE_DEPTH	64

/* All texts are valid until inlines_free() and srclines_free(). */
struct inline_frame {
	const char *name;	/* as its source has it, NULL: unknown */
	const char *file;	/* of its declaration, NULL: unknown */
	int line;		/* 0: unknown */
	/* The line of the next frame into which the function was inlined */
	const char *call_file;	/* NULL: not inlined, or unknown */
	int call_line;		/* 0: the same */
	unsigned int call_discriminator;	/* of the block in this line */
};

/*
 * The functions at the file's own address @address, the innermost first; the last
 * is the one that has a symbol.  Returns their number, at most @room, which is at
 * least 1; 0 without DWARF for the address.  Of more functions than @room, those
 * next to the last are left out.  Reads a compilation unit on first use.  Several
 * threads may call this at the same time.
 */
size_t inline_find(struct dso *dso, uint64_t address,
		   struct inline_frame *frames, size_t room);
void inlines_free(struct inlines *in);

#endif
