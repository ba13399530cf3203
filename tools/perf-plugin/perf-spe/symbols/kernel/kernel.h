/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYMBOLS_KERNEL_KERNEL_H
#define PERF_SPE_SYMBOLS_KERNEL_KERNEL_H

#include <libelf.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"

/* kallsyms.c: The kernel's symbols from a copy of /proc/kallsyms. */

struct symtab;

/*
 * Add the functions, or with @data the variables, to @t; the caller sorts.  Sets *@edata (may be NULL) to
 * the address of _edata, where the kernel's data end; 0: it is not there.  Returns 0, or -1 after a message, which asks for a copy of the recorded machine's file, or of a guest's.
 */
int kallsyms_load(const char *path, struct symtab *t, bool data, bool guest, uint64_t *edata);
/* The machine in messages: "guest's" or "recorded machine's" */
const char *kallsyms_owner(bool guest);

/* kernel.c: The recorded kernel's symbols: find a file that has them, and check whose it is. */

struct session;

/* Files of a guest's kernel: see guest.c */
enum guest_file { GUEST_KALLSYMS, GUEST_VMLINUX, GUEST_MODULES, GUEST_SYMFS, NR_GUEST_FILES };

/* Of one virtual machine */
struct guest_files {
	const char *vm;			/* its pid or name, of @vm_len bytes; NULL: all that have no files of their own */
	size_t vm_len;
	const char *path[NR_GUEST_FILES];
	char *archived;			/* an archive's folder, which is the only path; NULL: of the command line */
};

#define GUESTS_MOST	16

struct guest_options {
	struct guest_files of[GUESTS_MOST];
	size_t nr;
};

struct kernel_identity;

struct symbol_options {
	const struct kernel_identity *guest;	/* they are of a guest's kernel, not of the recorded machine's; or NULL */
	const char *symfs;	/* NULL: the machine's own files */
	bool archived;		/* it is what perf spe archive packed, and not of the command line */
	const char *kallsyms;
	const char *vmlinux;
	/* Where source files may be */
	struct source_dirs sources;
	bool any_source;
	bool mangled_names;	/* show names as they are in the file */
	struct guest_options guests;
};

struct kernel {
	struct symtab symtab;
	uint64_t slide;		/* run-time minus table address */
	uint64_t text;		/* the table's address of where the kernel begins; 0: unknown */
	struct dso file;	/* vmlinux: its lines; path NULL: none */
	char *told;		/* whose the symbols are, or why there are none; or NULL */
	char *held;		/* messages about files that were found and cannot be used; or NULL */
	atomic_bool used;	/* the first lookup happened */
	char *path;		/* the file of the symbols, NULL: none */
	struct symtab data;	/* variables, see kernel_data.c */
	uint64_t end;		/* with them: of the kernel's image, 0: unknown */
	bool data_loaded;
	bool guest;
};

/*
 * Read the symbols from the file that an option names, or else from the first that
 * belongs to the recorded kernel.  @listed is the kernel's recorded build id or NULL;
 * @here says that this machine's architecture and release are the recorded ones.
 * Returns 0, or -1 after a message if the file of an option cannot be used.
 */
int kernel_init(struct kernel *k, const struct symbol_options *opt,
		const struct session *s, const uint8_t *listed, size_t len,
		bool here);
void kernel_free(struct kernel *k);

/*
 * The symbol at a run-time address, or NULL.  The first call tells the user where
 * symbols come from.  Several threads may call this at the same time.
 */
const struct symbol *kernel_find(struct kernel *k, uint64_t address);

/* The message of a first lookup, for lookups in other tables */
void kernel_use(struct kernel *k);

/* A message that says why kernel samples have no symbols, NULL if there is no need. */
const char *kernel_missing(const struct kernel *k);

/* What the recording says is at a kernel address; NULL: nothing, or several things in turn */
const struct map *kernel_map(const struct session *s, uint64_t address);
/*
 * Whether @symbol is what the recording has in @at, its mapping of the address or NULL.  The list
 * of symbols may be of a later time, when other modules were loaded there.
 */
bool kernel_applies(const struct kernel *k, const struct session *s, const struct symbol *symbol,
		    const struct map *at);

/* kernel_data.c: The kernel's variables. */

struct kernel;
struct symbol;

/*
 * Read the variables from the file that kernel_init() found; again: nothing.  The
 * caller must hold elf_lock().
 */
void kernel_data_load(struct kernel *k);
/* The variable at a run-time address, of kernel or module; NULL if none is known. */
const struct symbol *kernel_data_find(const struct kernel *k, uint64_t address);
/*
 * The run-time addresses of the kernel's image; false if they are not known.  Set
 * by kernel_data_load().
 */
bool kernel_data_image(const struct kernel *k, uint64_t *start, uint64_t *end);

/*
 * kernel_identity.c: Which kernel a recording or a file with symbols belongs to: architecture,
 * build
 * id and release.
 */

struct session;

#define KERNEL_ID_MAX 20

struct kernel_identity {
	uint16_t machine;		/* EM_...; EM_NONE: unknown */
	uint8_t id[KERNEL_ID_MAX];	/* build id */
	size_t id_len;			/* 0: unknown */
	char release[128];		/* as of uname -r; empty: unknown */
	bool guest;			/* it is a guest's, not the recorded machine's */
};

/*
 * The recorded kernel.  @listed is its entry in the list of build ids, or NULL; the
 * kernel's mapping may have one too.  Without a session only the architecture is
 * known.
 */
void kernel_identity_recorded(struct kernel_identity *k, const struct session *s,
			      const uint8_t *listed, size_t len);
/* A vmlinux file; what the file does not have stays unknown. */
void kernel_identity_vmlinux(struct kernel_identity *k, Elf *elf);
/*
 * The kernel of a file whose path ends with "/proc/kallsyms", from the files
 * sys/kernel/osrelease and ../sys/kernel/notes beside it.
 */
void kernel_identity_kallsyms(struct kernel_identity *k, const char *path);

/* "arm64"; for a machine without a name "another architecture" */
const char *kernel_machine_name(uint16_t machine);

/*
 * Compare the kernel of file @path with the recorded one.  Returns false after a
 * message if they differ.  Sets *proof to what they share, or to NULL if neither
 * build id nor release is known of both.
 */
bool kernel_identity_same(const struct kernel_identity *file, const char *path,
			  const struct kernel_identity *recorded,
			  const char **proof);

/*
 * kernel_layout.c: What arm64's Linux uses a kernel address for:
 * Documentation/arch/arm64/memory.rst
 * and arch/arm64/include/asm/memory.h of Linux 5.10, 6.1, 6.12 and 7.3.
 */

enum kernel_range {
	KERNEL_UNKNOWN,
	KERNEL_LINEAR,		/* all memory, one to one */
	KERNEL_VMALLOC,		/* also modules and the kernel itself */
	KERNEL_VMEMMAP,		/* struct page of all memory */
	KERNEL_PCI_IO,
	KERNEL_FIXMAP,
};

struct kernel_layout {
	uint64_t linear, middle;	/* start and end of the linear map; 0: unknown */
	unsigned int va_bits;		/* that the kernel has at least */
	unsigned int page_shift;	/* 0: unknown */
	unsigned int era;		/* of the layout behind the linear map */
};

/*
 * @text is the run-time address of the kernel's code, 0 if unknown; @page the bytes of
 * a page, 0 if unknown; @release as of uname -r, or NULL.
 */
void kernel_layout_init(struct kernel_layout *l, uint64_t text, uint64_t page,
			const char *release);
/* Names a range only if it is the same for all that is not known of the kernel. */
enum kernel_range kernel_layout_find(const struct kernel_layout *l,
				     uint64_t address);

#endif
