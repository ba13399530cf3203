/* SPDX-License-Identifier: GPL-2.0-only */
/* From a sample to the process and the symbol that it belongs to. */
#ifndef PERF_SPE_RESOLVE_H
#define PERF_SPE_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "armspe.h"
#include "input/piece.h"
#include "input/session.h"
#include "symbols/dso.h"
#include "symbols/symbols.h"

/* What a report calls a place in the code. */
struct place {
	const char *object;	/* file, "[kernel]", "[module]" or "[unknown]" */
	const char *symbol;	/* NULL where no symbol covers the address */
	uint64_t address;	/* in no known object: the sampled one; else 0 */
	struct dso *dso;	/* the file that it is in, NULL: not known */
	uint64_t file_address;	/* with it: the address that the file has */
	bool has_address;	/* false: the sample had no PC */
	uint32_t hint;		/* see place_cache_resolve() */
};

struct resolver {
	struct session *session;	/* NULL: bare SPE bytes */
	struct symbols *symbols;
};

/* The process that a sample belongs to. */
struct owner {
	int32_t pid, tid;	/* NO_ID where nothing tells */
	bool sure;		/* false: only the buffer's thread speaks for it */
};

/*
 * Whose sample @rec, from @piece, is.  In this order: CONTEXTIDR where it
 * names a thread of the session; the thread that a per-thread buffer belongs
 * to; who ran on the CPU at the sample's timestamp.  A per-CPU buffer names
 * the thread that perf started with, which its children share: last resort.
 */
struct owner resolve_owner(const struct resolver *r, const struct piece *piece,
			   const struct armspe_record *rec);

/* The place of the sampled instruction. */
void resolve_place(const struct resolver *r, struct owner owner,
		   const struct armspe_record *rec, struct place *place);

/* The same of another instruction address of @rec: @raw, as recorded. */
void resolve_at(const struct resolver *r, struct owner owner,
		const struct armspe_record *rec, uint64_t raw,
		struct place *place);

/*
 * True where resolve_place() depends on nothing but @owner and the PC of @rec,
 * which it has, so that the answer may be kept.
 */
bool resolve_is_stable(const struct resolver *r, struct owner owner,
		       const struct armspe_record *rec);

#endif
