/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYMBOLS_SYMBOLS_H
#define PERF_SPE_SYMBOLS_SYMBOLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "armspe.h"
#include "input/input.h"
#include "symbols/code/code.h"
#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "util/util.h"

/*
 * absent.c: Why samples have no symbols: recorded files that cannot be read, times that are
 * unknown.
 */

struct symbols;

struct absent {
	const char **names;	/* as recorded, each once */
	size_t nr, room;
	uint64_t doubts[NR_DOUBTS];	/* samples by why their object is unknown */
	bool data_doubts[NR_DOUBTS];	/* the same of their data, not counted */
	struct hash_table known;	/* the same pointers */
	const char *last;		/* of absent_add() */
};

/* @name is that of a struct dso: equal names have equal pointers. */
void absent_add(struct absent *a, const char *name);
void absent_join(struct absent *a, const struct absent *more);
/* @doubts: for each enum map_doubt, whether it made a data address unknown */
void absent_data(struct absent *a, const bool *doubts);
/* One message for all files that do not exist, one for those that differ, one for each doubt */
void absent_say(const struct absent *a, struct symbols *syms);
void absent_free(struct absent *a);

/*
 * same_name.c: Names that the recording gives to several files, one after the other or in several
 * containers, without build ids: only inodes tell the files apart.
 */

struct same_names {
	struct hash_table files;
	bool read;
};

/*
 * Whether another mapping with the name of @map is of another file.  Reads all mappings on
 * the first call.
 */
bool name_is_shared(struct same_names *all, const struct session *s, const struct map *map);
void same_names_free(struct same_names *all);

/* Whether the inode of @path is that of @map */
bool inode_is(const char *path, const struct map *map);

/* guest.c: Kernels of guests, whose symbols the user must give. */

struct guest_kernel;
struct owner;
struct place;

struct guests {
	struct guest_options opt;
	struct guest_kernel *of;	/* by virtual machine, as the options */
	struct string_set names;	/* of objects */
	/* What nothing names so far */
	atomic_bool unnamed, users;
	_Atomic(const struct process *) machine;	/* one that is unnamed; NULL: unknown, as when live */
};

/* Take "FILE" or "VM=FILE"; false after a message. */
bool guest_option(struct guest_options *o, const char *verb, enum guest_file kind, const char *value);
/* Add the options to @a: the name of each, and its value. */
void guest_options_args(const struct guest_options *o, struct args *a);
/* Add the files of guests that guests_each_file() has told of, which are below @root now. */
void guest_options_unpacked(struct guest_options *o, const char *root);
/* Remove these. */
void guest_options_packed(struct guest_options *o);
/* 0, or -1 after a message */
int guests_init(struct guests *g, const struct guest_options *o, bool mangled_names);
void guests_free(struct guests *g);
/* Name @address of the kernel of the guest @owner: its object and, if that is known, its symbol. */
void guests_place(struct guests *g, const struct owner *owner, uint64_t address, struct place *place);
/* A variable of a guest's kernel */
struct guest_variable {
	const char *object, *name;
	uint64_t start;
	bool module;		/* it is of a module, and not of the kernel's image */
};

/* The variable at @address of the kernel of the guest @owner; false if none is known */
bool guests_variable(struct guests *g, const struct owner *owner, uint64_t address, struct guest_variable *v);
/* The object of a guest's user code */
const char *guests_user(struct guests *g, uint32_t context);
/* Call @fn with each file that symbols of guests are from, and with its name in an archive. */
typedef void guest_file_fn(void *context, const char *name, const char *path);
void guests_each_file(const struct guests *g, guest_file_fn *fn, void *context);
/* Say why code of guests has no symbols. */
void guests_say(const struct guests *g);

/* symbols.c: Symbols of mapped files and of the kernel. */

/* An entry of the recorded list of build ids */
struct listed_id {
	const char *name;
	const uint8_t *id;
	size_t len;
};

/* The object of a mapping that was asked for last */
struct mapped_dso {
	const struct map *map;
	struct dso *dso;
};

#define MAPPED_DSOS	256

struct symbols {
	struct symbol_options opt;
	struct session *session;	/* NULL: bare SPE bytes */
	bool here;			/* recorded by this machine's kernel */
	bool warned_elsewhere;
	struct hash_table dsos;		/* struct dso *, by name and recorded build id or inode */
	/* Of them.  A live session has these names already, and one thread reads it: names are the session's. */
	struct string_set *names, own_names;
	int32_t *no_map;		/* processes that made code and have no perf-PID.map */
	size_t nr_no_map, room_no_map;
	struct listed_id *listed;	/* by name, read on first use */
	size_t nr_listed;
	bool listed_read;
	struct same_names same_names;
	struct mapped_dso mapped[MAPPED_DSOS];
	struct kernel kernel;
	struct guests guests;
};

/*
 * Read the kernel's symbols from the files that the options or the session name.
 * Returns 0, or -1 after a message if the file of an option cannot be used.  @s is
 * NULL for SPE bytes without a session.
 */
int symbols_init(struct symbols *syms, const struct symbol_options *opt,
		 struct session *s);
void symbols_free(struct symbols *syms);

typedef void (*dso_fn)(void *context, const struct dso *dso);

/* Where a folder of --symfs may have the file of a build id; @end is ".debug" for debug files; to be freed */
char *id_path(const uint8_t *id, size_t len, const char *end);

/* Call @fn for each object whose mapping was looked up, in any order. */
void symbols_each(struct symbols *syms, dso_fn fn, void *context);

/*
 * The object of a recorded mapping.  Reads its symbols on the first call.  The
 * caller must hold elf_lock().
 */
struct dso *symbols_dso(struct symbols *syms, const struct map *map);
/* The same for an object that may be no program; says nothing if it cannot be read. */
struct dso *symbols_mapped(struct symbols *syms, const struct map *map);
/* The name of @dso where its code was copied to other memory at the same addresses */
const char *symbols_moved(struct symbols *syms, const struct dso *dso);
/* Why the object of this recorded name has no symbols */
enum dso_lack symbols_lack(struct symbols *syms, const char *name);
/* The same of @count names, to be freed */
enum dso_lack *symbols_lacks(const struct symbols *syms, const char *const *names, size_t count);
/* The objects that were asked for so far, by name; to be freed */
struct dso **symbols_all(const struct symbols *syms, size_t *count);
/* A file of both, or the kernel, that has symbols in @has alone; NULL: none */
const char *symbols_unlike(const struct symbols *lacks, const struct symbols *has);
/* Whether both have one file whose name ends with these @len bytes, of one build */
bool symbols_alike(const struct symbols *a, const struct symbols *b, const char *name, size_t len);
/* The variables of @dso, by its own addresses.  The caller must hold elf_lock(). */
const struct symtab *symbols_data(struct symbols *syms, struct dso *dso);
/*
 * The JIT code of process @pid, with addresses of that process; NULL if the files
 * of the recording machine are not available.  The caller must hold elf_lock().
 */
struct dso *symbols_jit(struct symbols *syms, int32_t pid);
/*
 * Whether the code of @below may be in @map now, at the same addresses, which has no file.  A
 * compiler may also have taken the place of a library that was unloaded.  Takes elf_lock().
 */
bool symbols_may_be_moved(struct symbols *syms, int32_t pid, const struct map *map,
			  const struct map *below);
/* Nothing else has the names of a sample in the code that @pid made.  Needs the same lock. */
void symbols_need_jit(struct symbols *syms, int32_t pid);

/* resolve.c: Find the process and the symbol of a sample. */

/* A place in the code, as reports show it */
#define RESOLVE_UNKNOWN	"[unknown]"

struct group;

struct place {
	const char *object;	/* file, "[kernel]", "[module]" or "[unknown]" */
	const char *symbol;	/* NULL where no symbol covers the address */
	uint64_t address;	/* in no known object: the sampled one; else 0 */
	struct dso *dso;	/* the file that it is in, NULL: not known */
	uint64_t file_address;	/* with it: the address that the file has */
	bool has_address;	/* false: the sample had no PC */
	bool unnamed;		/* no symbol of the file: symbol is FILE+0xADDRESS */
	uint8_t doubt;		/* enum map_doubt: why the object is unknown */
	bool lacking;		/* object is a file that cannot be read, see absent.c */
	bool unsaid;		/* rows_absent() counts the next sample */
	uint32_t hint;		/* see places.c */
	uint32_t group_tag;	/* of groups.c: */
	struct group *group;	/* its group in the groups with this tag */
};

/* The address of an instruction in @place: the file's own, or without a file that of @pc, the payload */
static inline uint64_t place_address(const struct place *place, uint64_t pc)
{
	return place->dso ? place->file_address : armspe_addr_virtual(pc);
}

struct resolver {
	struct session *session;	/* NULL: bare SPE bytes */
	struct symbols *symbols;
};

/* The thread that a sample belongs to, at the sample's time. */
struct owner {
	int32_t pid, tid;	/* NO_ID where nothing tells */
	bool sure;		/* false: guessed from the buffer's thread */
	bool stranger;		/* of a thread that the recording does not know */
	/* A guest executed the operation.  The thread is its virtual CPU, and has no mappings of it. */
	bool guest;
	uint32_t guest_context;	/* with it: the guest's CONTEXTIDR_EL1 */
	const struct process *process;	/* NULL where nothing tells, and of guests */
	const struct process *vm;	/* of guests: the process of the virtual machine; NULL where nothing tells */
	const char *comm;	/* the thread's name, NULL where nothing tells */
	const struct cgroup *group;	/* its control group, NULL where nothing tells */
};

#define OWNER_UNKNOWN ((struct owner){ .pid = NO_ID, .tid = NO_ID, .sure = true })

/* The host's process: that of a virtual machine for its guest; NULL where nothing tells */
static inline const struct process *owner_process(const struct owner *owner)
{
	return owner->guest ? owner->vm : owner->process;
}

/* The bits of owner_number() for a pid instead of a process's number, and for a guest */
#define OWNER_PID	(UINT32_C(1) << 31)
#define OWNER_GUEST	(UINT32_C(1) << 30)

/* Tells programs apart, also those of which only the pid is known, and guests from their processes. */
static inline uint32_t owner_number(struct owner owner)
{
	const struct process *process = owner_process(&owner);
	uint32_t number = process ? process->number : ((uint32_t)owner.pid & (OWNER_GUEST - 1)) | OWNER_PID;

	return owner.guest ? number | OWNER_GUEST : number;
}

static inline bool owner_is_guest(uint32_t number)
{
	return number & OWNER_GUEST;
}

/* The number of the host's process */
static inline uint32_t owner_host(uint32_t number)
{
	return number & ~OWNER_GUEST;
}

/* The pid that @number was made of, if no process has that number */
static inline int32_t owner_pid(uint32_t number)
{
	const uint32_t pid = number & (OWNER_GUEST - 1);

	return number & OWNER_PID && pid != OWNER_GUEST - 1 ? (int32_t)pid : NO_ID;
}

/* What a record says of its owner */
struct claim {
	/* ns of perf's clock; UINT64_MAX: it has none, or events have none to compare it with */
	uint64_t time;
	uint32_t context[2];	/* 0 where the record has none */
	unsigned int context_valid;
};

/* What resolve_owner() found last, for the next sample: most follow one of the same thread. */
struct owner_memo {
	uint64_t from, until;	/* ns of perf's clock; until is not included */
	uint32_t context[2];
	unsigned int context_valid;
	int32_t cpu, tid;	/* of the piece */
	size_t turn;		/* see session_turn_find() */
	uint64_t sorts;		/* of the session then */
	struct owner owner;
};

/* The owner that a thread is from @from until before @until */
struct owner_thread {
	uint64_t from, until;
	uint64_t sorts;
	struct owner owner;
};

/* Threads that take turns on a CPU; a power of two */
#define OWNER_MEMOS	32u

/* All zeros at first; of one session */
struct owner_memos {
	struct owner_memo of[OWNER_MEMOS];	/* by the contexts of records */
	struct owner_thread threads[OWNER_MEMOS];	/* by tid, for records without */
};

static inline struct owner_memo *owner_memo(struct owner_memos *memos, const struct claim *claim)
{
	return &memos->of[(claim->context[0] + claim->context[1]) % OWNER_MEMOS];
}

/* Whether a guest executed the operation: see contexts.c */
static inline bool claim_of_guest(const struct session *s, unsigned int context_valid)
{
	return s && s->guests && context_valid >> SPE_CONTEXT_EL1 & 1;
}

/*
 * Find the thread of a sample from @piece.  A piece of samples has it.  Else, in this order: CONTEXTIDR, if it
 * names a thread of the session and the session's ids are those of CONTEXTIDR
 * (contexts.c; a guest's CONTEXTIDR_EL1 names none); the thread of a per-thread buffer; the thread that ran on the CPU at
 * the sample's timestamp; the thread that a per-CPU buffer names.  That last one is the
 * thread that perf started, and its children write to the same buffer.
 *
 * Without a timestamp only what was the same all the time is known.
 */
void resolve_owner(const struct resolver *r, struct owner_memos *memos, const struct piece *piece,
		   const struct claim *claim, struct owner *owner);

/* Whether @memo has the answer. */
static inline bool owner_memo_fits(const struct owner_memo *memo, const struct piece *piece,
				   const struct claim *claim)
{
	return claim->context_valid == memo->context_valid && piece->cpu == memo->cpu && piece->tid == memo->tid &&
	       claim->context[0] == memo->context[0] && claim->context[1] == memo->context[1] &&
	       claim->time >= memo->from && claim->time < memo->until;
}

/* All code above EL0 belongs to the kernel or the hypervisor; @raw is the payload. */
static inline bool resolve_is_kernel(uint64_t raw)
{
	return armspe_addr_el(raw) != 0;
}

/*
 * The place of an instruction, at @time in ns of perf's clock (UINT64_MAX: not known); @raw has
 * the form of SPE's instruction addresses.
 */
void resolve_address(const struct resolver *r, struct owner owner, uint64_t raw,
		     uint64_t time, struct place *place);

/*
 * True if the place of all records with the PC @raw from *@from on, in ns of perf's clock,
 * depends only on owner_number(), so that it may be cached; also of those whose time is not
 * known.
 */
bool resolve_is_stable(const struct resolver *r, struct owner owner, uint64_t raw,
		       uint64_t *from);

/*
 * The file of which the page with the address @raw, of PROCESS_PAGE bytes, is a part since the time
 * *@from, and *@offset of the page in it.  Pages of one file and offset have the same places in all
 * processes.  NULL if process_code_page() finds no mapping, or one of memory without a file.
 */
const struct dso *resolve_page(const struct resolver *r, struct owner owner, uint64_t raw,
			       uint64_t *offset, uint64_t *from);

/* access_sizes.c: How many bytes an instruction loads or stores, which no SPE packet tells */

#define ACCESS_SIZES_FILES	32u
#define ACCESS_SIZES_KNOWN	4096u	/* a power of two */

/* All zero at first */
struct access_sizes {
	/* The files that were asked for last, open; those that cannot be read have no elf */
	struct a64_code files[ACCESS_SIZES_FILES];
	unsigned int next;		/* to be replaced */
	struct {
		const struct dso *dso;
		uint64_t address;
		unsigned int bytes;
	} known[ACCESS_SIZES_KNOWN];
};

/*
 * The bytes that the load or store at @place accesses from its address on; 0 if the file cannot
 * be read, or if a64_access() does not know the instruction.
 */
unsigned int access_size(struct access_sizes *sizes, const struct place *place);
void access_sizes_free(struct access_sizes *sizes);

/*
 * images.c: Where the programs and libraries of a process are in its memory: all of each, with the
 * parts that have no mapping of the file, as .bss.
 */

struct image {
	uint64_t start, end;	/* run-time addresses */
	uint64_t bias;		/* run-time address minus the file's own */
	struct map map;		/* of its code */
	struct dso *dso;
};

struct images {
	struct hash_table by_process;
};

/*
 * The image of @p at @address and @time, NULL if there is none: the latest one whose code is
 * mapped then.  With UINT64_MAX, if the time is not known, the only one that ever was there.
 * Reads the headers of all files that @p executes on the first call.
 */
const struct image *images_find(struct images *all, struct symbols *syms,
				const struct process *p, uint64_t address,
				uint64_t time);
/*
 * Whether images_find() finds the same from *@from on, in ns of perf's clock, whatever other
 * mappings say
 */
bool images_stable(struct images *all, struct symbols *syms, const struct process *p,
		   uint64_t address, uint64_t *from);
void images_free(struct images *all);

/* Which part of its file an address of an image is in; NULL if none */
const struct segment *image_segment(const struct image *image, uint64_t address);

/* jit.c: Symbols of code that JIT compilers generated. */

struct map;
struct symtab;

/* Whether a mapping of this name is memory and no file */
bool jit_is_memory(const char *file);
/* Whether a mapping may hold generated code */
bool jit_is_code(const struct map *map);
/* Whether perf inject --jit made this file of a jitdump */
bool jit_is_dumped(const struct map *map);
/*
 * The map of process @pid, which runs now, as its compiler names it in a container: with
 * the pid, and in the files, that the process sees.  NULL if there is none; to be freed.
 */
char *jit_path_now(int32_t pid);
/* Whose process @pid is, which runs now; this user's if there is none */
uid_t jit_owner_now(int32_t pid);
/*
 * Add the symbols of the map file @path; false if it does not exist.  Unless @owner is NULL
 * the file is used only if root or @owner owns it, and no symbolic link leads to it.  The
 * file is a log: where two lines have one address, the later one counts.
 */
bool jit_load(const char *path, const uid_t *owner, struct symtab *t);

/*
 * places.c: A cache of resolve_address(), from a PC to its place: for all processes where the PC is
 * of a file or of the kernel, else for one.  Places do not move.  Their hint, 0 at first, is the
 * caller's, for the next sample of this PC.
 */

/* What was found last for a PC of an owner */
struct places_last {
	uint64_t pc, whose;		/* see places_whose() */
	uint64_t from;			/* the time from which on it holds */
	struct place *place;
};

#define PLACES_LAST	16384		/* a power of two */

struct places {
	uint32_t epoch;			/* of 30 bits: changes when places are dropped */
	struct places_known *known;
	struct places_last last[PLACES_LAST];
};

/* @threads: others run at the same time, see xzeroed(); without, unused entries take no memory. */
struct places *places_new(bool threads);
void places_free(struct places *p);
/* Mappings have changed: drop all. */
void places_forget(struct places *p);
/* Drop all if there are many.  Pointers to places are of no use then. */
void places_trim(struct places *p);

/* As places_whose(), of guests */
uint64_t places_whose_guest(struct places *p, const struct owner *owner);

/* All that the place of a user's PC depends on, beside the time */
static inline uint64_t places_whose(struct places *p, const struct owner *owner)
{
	if (owner->guest)
		return places_whose_guest(p, owner);
	return (uint64_t)owner_number(*owner) << 32 | p->epoch << 1 | owner->sure;
}

struct place *places_look_up(struct places *p, const struct resolver *r,
			     const struct owner *owner, uint64_t pc, uint64_t time,
			     struct places_last *last);

/* Where the last place of @pc is, if places_fit() */
static inline struct places_last *places_last(struct places *p, uint64_t whose, uint64_t pc)
{
	return &p->last[(pc >> 2 ^ whose >> 30) & (PLACES_LAST - 1)];
}

static inline bool places_fit(const struct places_last *last, uint64_t whose, uint64_t pc,
			      uint64_t time)
{
	return last->pc == pc && last->whose == whose && time >= last->from;
}

/* The place of @pc, a PC's payload, at @time (UINT64_MAX: not known); @whose is of @owner. */
static inline struct place *places_find(struct places *p, const struct resolver *r,
					const struct owner *owner, uint64_t whose, uint64_t pc,
					uint64_t time)
{
	struct places_last *last = places_last(p, whose, pc);

	return places_fit(last, whose, pc, time) ? last->place :
						   places_look_up(p, r, owner, pc, time, last);
}

/* The place of samples without a PC */
struct place *places_none(struct places *p);

/* unwind.c: Call chains of user code from registers and a copy of the stack, by DWARF (libdwfl). */

struct user_stack;
struct unwinder;

/* The longest chain; the outermost callers of a longer one are left out. */
#define UNWIND_DEPTH	128

struct unwinder *unwinder_new(const struct resolver *r);
void unwinder_free(struct unwinder *u);
/* Where a stack ended */
enum unwind_end {
	UNWIND_ALL,		/* at the outermost function, as far as is known */
	UNWIND_FILE,		/* in code whose file is not there */
	UNWIND_NO_FILE,		/* in code that is in no file */
	UNWIND_NO_CODE,		/* at an address without code */
	UNWIND_CFI,		/* in a function without unwinding data */
	UNWIND_COPY,		/* where the copy of the stack ends */
	UNWIND_DEEP,		/* at UNWIND_DEPTH */
	NR_UNWIND_ENDS
};

/*
 * The chain of process @pid at @time (ns of perf's clock), as in struct call_chain; @raw has
 * room for UNWIND_DEPTH addresses.  Returns their number: of a stack that cannot be unwound
 * further, what is known of it; 0 without registers of arm64.  Sets *@end.
 */
size_t unwind(struct unwinder *u, int32_t pid, uint64_t time, const struct user_stack *stack,
	      uint64_t *raw, enum unwind_end *end);

/*
 * @value, a return address of process @pid at @time, without the bits with which pointer
 * authentication signed it.  They are between those of an address and bit 55, which tells user from
 * kernel, and a recording does not say how many an address has: so the most that make an address
 * behind code.  @known: a valid address, or several ORed; none has more bits.  Other values stay as
 * they are.
 */
uint64_t unsigned_return(const struct resolver *r, int32_t pid, uint64_t value, uint64_t known,
			 uint64_t time);

#endif
