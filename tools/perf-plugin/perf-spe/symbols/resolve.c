// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <string.h>

#include "armspe.h"
#include "input/input.h"
#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "symbols/symbols.h"

/* The answer is the same for all times from @from until before @until. */
struct holds {
	uint64_t from, until;
};

/*
 * A thread that executes a program takes its process's id.  CONTEXTIDR has the thread's old
 * one until the next context switch, and no other thread of the old program lives on.
 */
static const struct era *after_exec(const struct session *s, const struct era *era,
				    int32_t *tid, uint64_t time, struct holds *holds)
{
	const struct process *p = era->process;
	const struct era *now;
	struct holds then;

	if (!p->replaced || *tid == p->pid)
		return era;
	if (time < p->replaced) {
		holds->until = holds->until < p->replaced ? holds->until : p->replaced;
		return era;
	}
	now = processes_era_span(&s->processes, p->pid, time, &then.from, &then.until);
	if (!now || now->process->pid != p->pid)
		return era;
	*tid = p->pid;
	*holds = then;
	return now;
}

/* The kernel's name of the idle threads, which no event tells; NULL for others */
#define IDLE_NAME(tid)	((tid) ? NULL : "swapper")

/* Thread @tid is the owner; false if the session does not have it. */
static bool owner_is(const struct session *s, uint64_t time, int32_t tid, struct owner *owner,
		     struct holds *holds)
{
	const struct era *era;
	struct era always;

	owner->tid = tid;
	if (time != UINT64_MAX) {
		era = processes_era_span(&s->processes, tid, time, &holds->from, &holds->until);
		if (!era)
			return false;
		era = after_exec(s, era, &owner->tid, time, holds);
		owner->pid = era->process->pid;
	} else {
		processes_always(&s->processes, tid, &always, &owner->pid);
		era = &always;
	}
	owner->process = era->process;
	owner->comm = era->comm ? era->comm : IDLE_NAME(tid);
	owner->group = era_group(era);
	return owner->pid != NO_ID;
}

static void memo_take(struct owner_memo *memo, const struct piece *piece, const struct claim *claim,
		      const struct owner *owner, const struct holds *holds)
{
	if (claim->time == UINT64_MAX)
		return;
	memo->from = holds->from;
	memo->until = holds->until;
	memcpy(memo->context, claim->context, sizeof(memo->context));
	memo->context_valid = claim->context_valid;
	memo->cpu = piece->cpu;
	memo->tid = piece->tid;
	memo->owner = *owner;
}

/* A guest has ids of its own in CONTEXTIDR_EL1. */
static unsigned int first_context(const struct session *s, const struct claim *claim)
{
	return claim_of_guest(s, claim->context_valid) ? SPE_CONTEXT_EL2 : SPE_CONTEXT_EL1;
}

/*
 * A kernel with CONFIG_PID_IN_CONTEXTIDR writes the running thread's id to
 * CONTEXTIDR of its own Exception level.  The file does not say whether the
 * option was on.  So accept a value only if it is a thread of the session.
 */
static bool owner_of_context(const struct session *s, struct owner_memo *memo,
			     const struct piece *piece, const struct claim *claim,
			     struct owner *owner)
{
	struct holds holds;
	unsigned int i;

	for (i = first_context(s, claim); i < 2; i++)
		if (claim->context[i] && claim->context[i] <= INT32_MAX &&
		    owner_is(s, claim->time, (int32_t)claim->context[i], owner, &holds)) {
			if (owner->tid == (int32_t)claim->context[i])
				memo_take(memo, piece, claim, owner, &holds);
			return true;
		}
	*owner = OWNER_UNKNOWN;
	return false;
}

/* Only the process is known. */
static const struct cgroup *process_group(const struct process *p)
{
	return p ? p->group : NULL;
}

/* As owner_is() for a time that is known */
static bool owner_is_then(const struct session *s, struct owner_memos *memos, uint64_t time,
			  int32_t tid, struct owner *owner, struct holds *holds)
{
	struct owner_thread *t = &memos->threads[(uint32_t)tid % OWNER_MEMOS];

	if (t->owner.tid != tid || time < t->from || time >= t->until || t->sorts != s->sorts) {
		if (!owner_is(s, time, tid, owner, holds) || owner->tid != tid)
			return owner->pid != NO_ID;
		*t = (struct owner_thread){ holds->from, holds->until, s->sorts, *owner };
	}
	*holds = (struct holds){ t->from, t->until };
	*owner = t->owner;
	return true;
}

/* This and those below find an owner that is unknown so far. */
static void owner_of_turn(const struct session *s, struct owner_memos *memos,
			  const struct piece *piece, const struct claim *claim, struct owner *owner)
{
	struct owner_memo *memo = owner_memo(memos, claim);
	const struct turn *turn;
	struct holds holds;
	uint64_t until;

	turn = session_turn_find(s, (uint32_t)piece->cpu, claim->time, &memo->turn, &until);
	if (!turn)
		return;
	if (owner_is_then(s, memos, claim->time, turn->tid, owner, &holds) &&
	    owner->pid == turn->pid) {
		holds.from = holds.from > turn->time ? holds.from : turn->time;
		holds.until = holds.until < until ? holds.until : until;
		if (owner->tid == turn->tid)
			memo_take(memo, piece, claim, owner, &holds);
		return;
	}
	owner->pid = turn->pid;
	owner->process = processes_at(&s->processes, turn->pid, claim->time);
	owner->comm = IDLE_NAME(turn->tid);
	owner->group = process_group(owner->process);
}

static bool has_context(const struct session *s, const struct claim *claim)
{
	return claim->context[first_context(s, claim)] || claim->context[SPE_CONTEXT_EL2];
}

/* Without CONTEXTIDR */
static void owner_of_piece(const struct session *s, struct owner_memos *memos,
			   const struct piece *piece, const struct claim *claim,
			   struct owner *owner)
{
	struct holds holds;

	if (piece->cpu == NO_ID) {
		owner_is(s, claim->time, piece->tid, owner, &holds);
		return;
	}
	if (s->switches && claim->time != UINT64_MAX) {
		owner_of_turn(s, memos, piece, claim, owner);
		return;
	}
	/* Its context names no thread that the recording knows. */
	owner->stranger = has_context(s, claim) && (!s->foreign_contexts || piece->tid == NO_ID);
	/* Only the time would tell which of the processes that ran this is. */
	if (owner->stranger || (s->switches && s->several_pids))
		return;
	owner_is(s, claim->time, piece->tid, owner, &holds);
	owner->sure = owner->pid == NO_ID;
	if (owner->process && !owner->process->threaded && !s->several_pids)
		return;
	owner->tid = NO_ID;
	if (owner->process && owner->process->threaded) {
		owner->comm = NULL;
		owner->group = process_group(owner->process);
	}
}

/* The sample's own thread, even if no event of the recording has its name */
static void owner_of_sample(const struct session *s, struct owner_memo *memo, const struct piece *piece,
			    const struct claim *claim, struct owner *owner)
{
	struct holds holds;

	if (owner_is(s, claim->time, piece->tid, owner, &holds) && owner->pid == piece->pid) {
		memo_take(memo, piece, claim, owner, &holds);
		return;
	}
	*owner = OWNER_UNKNOWN;
	owner->pid = piece->pid;
	owner->tid = piece->tid;
	owner->comm = IDLE_NAME(piece->tid);
	owner->process = processes_at(&s->processes, piece->pid, claim->time);
	owner->group = process_group(owner->process);
}

/* Apart from resolve_owner(), which mostly needs no stack */
static __attribute__((noinline))
void find_owner(const struct session *s, struct owner_memos *memos, const struct piece *piece,
		const struct claim *claim, struct owner *owner)
{
	struct owner_memo *memo = owner_memo(memos, claim);

	*owner = OWNER_UNKNOWN;
	/* In a live session, later events change what is known of earlier times. */
	if (memo->sorts != s->sorts)
		*memo = (struct owner_memo){ .sorts = s->sorts, .turn = memo->turn };
	if (piece->samples)
		owner_of_sample(s, memo, piece, claim, owner);
	else if (s->foreign_contexts || !claim->context_valid ||
		 !owner_of_context(s, memo, piece, claim, owner))
		owner_of_piece(s, memos, piece, claim, owner);
}

/* @owner is the thread of a virtual CPU: nothing of its process holds for what the guest executes. */
static void make_guest(const struct claim *claim, struct owner *owner)
{
	owner->guest = true;
	owner->guest_context = claim->context[SPE_CONTEXT_EL1];
	owner->vm = owner->process;
	owner->process = NULL;
}

void resolve_owner(const struct resolver *r, struct owner_memos *memos, const struct piece *piece,
		   const struct claim *claim, struct owner *owner)
{
	const struct owner_memo *memo = owner_memo(memos, claim);

	if (!r->session)
		*owner = OWNER_UNKNOWN;
	else if (memo->sorts == r->session->sorts && owner_memo_fits(memo, piece, claim))
		*owner = memo->owner;
	else
		find_owner(r->session, memos, piece, claim, owner);
	if (claim_of_guest(r->session, claim->context_valid))
		make_guest(claim, owner);
}

/* Code that the kernel loaded during the recording, such as a BPF program */
static const struct map *ksymbol(const struct resolver *r, uint64_t address,
				 uint64_t time, bool *untimed)
{
	const struct map *map;

	if (!r->session || !r->session->ksymbols.nr_maps)
		return NULL;
	if (time != UINT64_MAX)
		return process_map_find(&r->session->ksymbols, address, time);
	*untimed = !process_code_only(&r->session->ksymbols, address, &map);
	return *untimed ? NULL : map;
}

static void place_kernel(const struct resolver *r, uint64_t address,
			 uint64_t time, struct place *place)
{
	const struct symbol *symbol =
		kernel_find(&r->symbols->kernel, address);
	bool untimed = false;
	const struct map *map = ksymbol(r, address, time, &untimed);

	if (untimed) {
		place->doubt = DOUBT_TIME;
		return;
	}
	place->object = "[kernel]";
	/* BPF programs come and go, and kallsyms may be older or newer. */
	if (map) {
		if (map->file && map->prot == PERF_RECORD_KSYMBOL_TYPE_BPF)
			place->object = "[bpf]";
		place->symbol = map->file;
		return;
	}
	map = r->session ? kernel_map(r->session, address) : NULL;
	if (symbol && r->session && !kernel_applies(&r->symbols->kernel, r->session, symbol, map))
		symbol = NULL;
	if (symbol) {
		place->symbol = symtab_name(&r->symbols->kernel.symtab, symbol);
		if (symbol->module)
			place->object = symbol->module;
		if (r->symbols->kernel.file.path) {
			place->dso = &r->symbols->kernel.file;
			place->file_address =
				address - r->symbols->kernel.slide;
		}
		return;
	}
	if (map && strncmp(map->file, "[kernel", 7))
		place->object = map->file;
}

/*
 * Of a guest the host knows the address and the context id, and the kernel's symbols where the user has
 * given them: see guest.c.
 */
static void place_guest(const struct resolver *r, const struct owner *owner, uint64_t raw, struct place *place)
{
	const uint64_t address = armspe_addr_virtual(raw);

	if (resolve_is_kernel(raw)) {
		guests_place(&r->symbols->guests, owner, address, place);
		return;
	}
	place->object = guests_user(&r->symbols->guests, owner->guest_context);
	place->address = address;
}

static const struct map *common_code(const struct session *s, int32_t pid, uint64_t address,
				     uint64_t time, enum map_doubt *doubt)
{
	/* Of processes in other pid namespaces no mappings are known. */
	return s->outside && pid == NO_ID ? NULL :
		processes_common_code(&s->processes, pid, address, time, doubt);
}

static const struct map *user_map(const struct resolver *r, struct owner owner,
				  uint64_t address, uint64_t time, enum map_doubt *doubt)
{
	const struct process *p = owner.process;
	const struct map *map = NULL;

	if (owner.stranger)
		return NULL;
	if (!p)
		return common_code(r->session, owner.pid, address, time, doubt);
	if (time != UINT64_MAX) {
		map = process_code_at(p, address, time);
	} else if (!process_code_only(p, address, &map)) {
		*doubt = DOUBT_TIME;
		return NULL;
	}
	if (!map && !owner.sure)
		map = common_code(r->session, NO_ID, address, time, doubt);
	if (!map && *doubt == DOUBT_NONE && process_is_cut(p))
		*doubt = DOUBT_FORKS;
	return map;
}

static bool find_code(const struct process *p)
{
	size_t i;

	for (i = 0; i < p->nr_maps; i++)
		if (jit_is_code(&p->maps[i]))
			return true;
	return false;
}

static bool made_code(struct process *p)
{
	uint8_t known = __atomic_load_n(&p->makes_code, __ATOMIC_RELAXED);

	if (known == MEMO_NONE) {
		known = find_code(p) ? MEMO_YES : MEMO_NO;
		__atomic_store_n(&p->makes_code, known, __ATOMIC_RELAXED);
	}
	return known == MEMO_YES;
}

/*
 * Compilers begin their map anew, so that /tmp/perf-PID.map is of the last of the programs
 * that had this pid and made code; what a program inherited, another one made.
 */
static bool owns_jit_map(const struct session *s, struct process *p)
{
	uint8_t known;

	if (!p)
		return true;
	known = __atomic_load_n(&p->owns_jit, __ATOMIC_RELAXED);
	if (known == MEMO_NONE) {
		known = made_code(p) && !processes_any_after(&s->processes, p, made_code) ?
			MEMO_YES : MEMO_NO;
		__atomic_store_n(&p->owns_jit, known, __ATOMIC_RELAXED);
	}
	return known == MEMO_YES;
}

/* Find JIT code in the process's perf-PID.map; false if it is not there. */
static bool place_jit(const struct resolver *r, struct owner owner,
		      uint64_t address, struct place *place)
{
	const struct symbol *symbol;
	struct dso *dso;

	if (owner.pid == NO_ID || !owns_jit_map(r->session, (struct process *)owner.process))
		return false;
	elf_lock();
	dso = symbols_jit(r->symbols, owner.pid);
	elf_unlock();
	symbol = dso ? symtab_find(&dso->symtab, address) : NULL;
	if (!symbol)
		return false;
	place->object = dso->name;
	place->symbol = symtab_name(&dso->symtab, symbol);
	return true;
}

/*
 * Whether the file has nothing at the address: the kernel records one mapping for all segments of a
 * program, and other memory may lie between these.
 */
static bool is_between_segments(const struct resolver *r, const struct map *map, uint64_t address)
{
	const struct dso *dso;
	uint64_t file_address;
	bool between;

	elf_lock();
	dso = symbols_dso(r->symbols, map);
	between = dso->nr_segments && !dso_address(dso, map, address, &file_address);
	elf_unlock();
	return between;
}

/*
 * The file that was mapped at the address before memory without a file covered it; NULL if
 * there was none.  perf inject makes such a file of a jitdump, and maps it when the code was
 * made; a later mprotect() covers it.  *@moved: a program has copied its own code to other
 * memory, as to huge pages.
 */
static const struct map *file_below(const struct resolver *r, struct owner owner,
				    const struct map *map, uint64_t address, uint64_t time,
				    bool *moved)
{
	const struct map *below = owner.process ?
		process_code_below(owner.process, address, time, jit_is_code) : NULL;

	*moved = below && !jit_is_dumped(below);
	if (*moved && (!symbols_may_be_moved(r->symbols, owner.pid, map, below) ||
		       is_between_segments(r, below, address)))
		below = NULL;
	*moved &= !!below;
	if (!below && owner.pid != NO_ID) {
		elf_lock();
		symbols_need_jit(r->symbols, owner.pid);
		elf_unlock();
	}
	return below;
}

static void place_user(const struct resolver *r, struct owner owner,
		       uint64_t address, uint64_t time, struct place *place)
{
	const struct map *map, *below;
	enum map_doubt doubt = DOUBT_NONE;
	const struct symbol *symbol;
	bool moved = false;
	struct dso *dso;

	place->address = address;
	map = r->session ? user_map(r, owner, address, time, &doubt) : NULL;
	place->doubt = map ? DOUBT_NONE : (uint8_t)doubt;
	if (!map)
		return;
	place->address = 0;
	if (jit_is_code(map)) {
		if (place_jit(r, owner, address, place))
			return;
		below = file_below(r, owner, map, address, time, &moved);
		if (!below && owner.process && process_is_crowded(owner.process, address))
			place->doubt = DOUBT_CROWD;
		map = below ? below : map;
	}
	elf_lock();
	dso = symbols_dso(r->symbols, map);
	place->object = moved ? symbols_moved(r->symbols, dso) : dso->name;
	elf_unlock();
	place->lacking = dso->lack != LACK_NOTHING;
	if (!dso_address(dso, map, address, &place->file_address))
		return;
	place->dso = dso;
	symbol = symtab_find(&dso->symtab, place->file_address);
	if (!symbol)
		return;
	place->symbol = symtab_name(&dso->symtab, symbol);
	place->unnamed = symbol->rank == RANK_UNNAMED;
}

void resolve_address(const struct resolver *r, struct owner owner, uint64_t raw,
		     uint64_t time, struct place *place)
{
	memset(place, 0, sizeof(*place));
	place->object = RESOLVE_UNKNOWN;
	place->has_address = true;
	if (owner.guest)
		place_guest(r, &owner, raw, place);
	else if (resolve_is_kernel(raw))
		place_kernel(r, armspe_addr_virtual(raw), time, place);
	else
		place_user(r, owner, armspe_addr_virtual(raw), time, place);
}

bool resolve_is_stable(const struct resolver *r, struct owner owner, uint64_t raw,
		       uint64_t *from)
{
	*from = 0;
	if (!r->session || owner.guest)
		return true;
	if (resolve_is_kernel(raw))
		return !process_map_find(&r->session->ksymbols,
					 armspe_addr_virtual(raw), UINT64_MAX);
	/* Of overlapping and inherited mappings, and of programs, the sample's time chooses one. */
	return owner.process &&
	       process_code_always(owner.process, armspe_addr_virtual(raw), from);
}

const struct dso *resolve_page(const struct resolver *r, struct owner owner, uint64_t raw,
			       uint64_t *offset, uint64_t *from)
{
	uint64_t page = armspe_addr_virtual(raw) & ~(uint64_t)(PROCESS_PAGE - 1);
	const struct map *map;
	const struct dso *dso;

	if (!r->session || owner.guest || !owner.process || owner.stranger || resolve_is_kernel(raw))
		return NULL;
	map = process_code_page(owner.process, page, from);
	if (!map || jit_is_code(map))
		return NULL;
	elf_lock();
	dso = symbols_dso(r->symbols, map);
	elf_unlock();
	*offset = page - map->start + map->pgoff;
	return dso;
}
