/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the process and the symbol of a sample. */
#ifndef PERF_SPE_RESOLVE_H
#define PERF_SPE_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "armspe.h"
#include "input/ids.h"
#include "input/piece.h"
#include "input/process.h"
#include "input/session.h"
#include "symbols/elf/dso.h"
#include "symbols/symbols.h"

/* A place in the code, as reports show it */
struct place {
	const char *object;	/* file, "[kernel]", "[module]" or "[unknown]" */
	const char *symbol;	/* NULL where no symbol covers the address */
	uint64_t address;	/* in no known object: the sampled one; else 0 */
	struct dso *dso;	/* the file that it is in, NULL: not known */
	uint64_t file_address;	/* with it: the address that the file has */
	bool has_address;	/* false: the sample had no PC */
	bool unnamed;		/* no symbol of the file: symbol is FILE+0xADDRESS */
	bool untimed;		/* unknown, because only its time would tell which object it is */
	bool lacking;		/* object is a file that cannot be read, see absent.h */
	uint32_t hint;		/* see place_cache_resolve() */
};

struct resolver {
	struct session *session;	/* NULL: bare SPE bytes */
	struct symbols *symbols;
};

/* The thread that a sample belongs to, at the sample's time. */
struct owner {
	int32_t pid, tid;	/* NO_ID where nothing tells */
	bool sure;		/* false: guessed from the buffer's thread */
	bool stranger;		/* of a thread that the recording does not know */
	const struct process *process;	/* NULL where nothing tells */
	const char *comm;	/* the thread's name, NULL where nothing tells */
};

#define OWNER_UNKNOWN ((struct owner){ .pid = NO_ID, .tid = NO_ID, .sure = true })

/* Tells programs apart, also those of which only the pid is known. */
static inline uint32_t owner_number(struct owner owner)
{
	return owner.process ? owner.process->number : (uint32_t)owner.pid | UINT32_C(1) << 31;
}

/* The pid that @number was made of, if no process has that number */
static inline int32_t owner_pid(uint32_t number)
{
	return number >> 31 && number != UINT32_MAX ? (int32_t)(number & INT32_MAX) : NO_ID;
}

/*
 * What resolve_owner() found last, for the next sample: most follow one of the same thread.
 * All zeros at first; of one session.
 */
struct owner_memo {
	uint64_t from, until;	/* ns of perf's clock; until is not included */
	uint32_t context[2];
	unsigned int context_valid;
	int32_t cpu;		/* of the buffer */
	size_t turn;		/* see session_turn_find() */
	uint64_t time;		/* of this sample, as resolve_time(); UINT64_MAX: not known */
	struct owner owner;
};

/*
 * Find the thread of sample @rec from @piece.  In this order: CONTEXTIDR, if it
 * names a thread of the session and the session's ids are those of CONTEXTIDR
 * (contexts.h); the thread of a per-thread buffer; the thread that ran on the CPU at
 * the sample's timestamp; the thread that a per-CPU buffer names.  That last one is the
 * thread that perf started, and its children write to the same buffer.
 *
 * Without a timestamp only what was the same all the time is known.
 */
void resolve_owner(const struct resolver *r, struct owner_memo *memo, const struct piece *piece,
		   const struct armspe_record *rec, struct owner *owner);

/*
 * The sample's time in ns of perf's clock; false if it has none, or if events have none to
 * compare it with.
 */
bool resolve_time(const struct session *s, const struct armspe_record *rec,
		  uint64_t *time);

/* All code above EL0 belongs to the kernel or the hypervisor; @raw is the payload. */
static inline bool resolve_is_kernel(uint64_t raw)
{
	return armspe_addr_el(raw) != 0;
}

/* The place of the sampled instruction. */
void resolve_place(const struct resolver *r, struct owner owner,
		   const struct armspe_record *rec, struct place *place);

/* The same for another instruction address of @rec; @raw is the payload. */
void resolve_at(const struct resolver *r, struct owner owner,
		const struct armspe_record *rec, uint64_t raw,
		struct place *place);

/*
 * The same for an instruction that no record has, at @time in ns of perf's clock (UINT64_MAX:
 * not known); @raw has the form of SPE's instruction addresses.
 */
void resolve_address(const struct resolver *r, struct owner owner, uint64_t raw,
		     uint64_t time, struct place *place);

/*
 * True if the place of all records from *@from on, in ns of perf's clock, depends only on
 * owner_number() and on the PC of @rec, so that it may be cached; also of those whose time
 * is not known.  @rec must have a PC.
 */
bool resolve_is_stable(const struct resolver *r, struct owner owner,
		       const struct armspe_record *rec, uint64_t *from);

/*
 * The file that the page of PROCESS_PAGE bytes with the address @raw was mapped from, from *@from
 * on, and *@offset, where in the file the page begins; the places of any two pages of one file and
 * offset are the same.  NULL if this does not hold or cannot be told quickly.
 */
const struct dso *resolve_page(const struct resolver *r, struct owner owner, uint64_t raw,
			       uint64_t *offset, uint64_t *from);

#endif
