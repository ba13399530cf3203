/* SPDX-License-Identifier: GPL-2.0-only */
/* From a sample to the process and the symbol that it belongs to. */
#ifndef PERF_SPE_RESOLVE_H
#define PERF_SPE_RESOLVE_H

#include "armspe.h"
#include "symbols.h"

/* What a report calls a place in the code. */
struct place {
	const char *object;	/* file, "[kernel]", "[module]" or "[unknown]" */
	const char *symbol;	/* NULL where no symbol covers the address */
	uint64_t address;	/* without symbol: the sampled address; else 0 */
	bool has_address;	/* false: the sample had no PC */
};

struct resolver {
	struct session *session;	/* NULL: bare SPE bytes */
	struct symbols *symbols;
};

/*
 * The process that @rec, from @piece, belongs to; NO_ID where nothing tells.
 * In this order: CONTEXTIDR where it names a thread of the session, the thread
 * that the buffer belongs to, who ran on the CPU at the sample's timestamp.
 */
int32_t resolve_pid(const struct resolver *r, const struct piece *piece,
		    const struct armspe_record *rec);

/* The place of the sampled instruction in process @pid (may be NO_ID). */
void resolve_place(const struct resolver *r, int32_t pid,
		   const struct armspe_record *rec, struct place *place);

/*
 * True where resolve_place() depends on nothing but @pid and the PC, so that
 * its answer may be kept.
 */
bool resolve_is_stable(const struct resolver *r, int32_t pid);

#endif
