// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "input/input.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "symbols/types/types.h"
#include "util/util.h"

/* What loading a file needs to know about the recording */
struct wanted {
	const struct session *s;
	struct kernel_identity recorded;
	const char *archive;	/* the folder of its files; NULL: none */
};

/*
 * arm64 has its kernel in the vmalloc area, which ends below this address (Linux,
 * Documentation/arch/arm64/memory.rst).  x86-64 and RISC-V have their kernels above.
 */
#define ARM64_TEXT_END UINT64_C(0xffffffff80000000)
#define KERNEL_MOST	(UINT64_C(1) << 30)	/* bytes from _text to _edata */

static const struct symbol *reference(const struct symtab *t,
				      const struct session *s)
{
	const char *name = s && s->kernel_text ? s->kernel_ref : "_text";
	size_t i;

	for (i = 0; i < t->count; i++)
		if (!strcmp(t->symbols[i].name, name))
			return &t->symbols[i];
	return NULL;
}

/* kallsyms does not name its architecture, but the addresses tell arm64 from others. */
static bool arm64_addresses(const struct symtab *t, const char *path,
			    const struct wanted *w, const struct symbol *ref)
{
	const struct symbol *first = ref ? ref : t->symbols;

	if (w->recorded.machine != EM_AARCH64 || !t->count ||
	    first->start < ARM64_TEXT_END ||
	    (w->s && w->s->kernel_text >= ARM64_TEXT_END))
		return true;
	say("cannot use %s for kernel symbols: its %s is at %" PRIx64 ", where arm64 has no kernel; name a copy of the %s /proc/kallsyms",
	    path, first->name, first->start, kallsyms_owner(w->recorded.guest));
	return false;
}

/*
 * kallsyms tells neither release nor build id, but how far _edata is from the start.  There perf of Linux
 * 6.6 and newer lets the kernel's mapping end; older ones let it end at the first module, or nowhere, and
 * other architectures at _etext.  Modules begin on a page, which _edata seldom does.
 */
static bool same_size(const char *path, const struct wanted *w, const struct symbol *ref, uint64_t edata)
{
	const uint64_t size = w->s ? w->s->kernel_size : 0;

	if (!(size % 4096) || size >= KERNEL_MOST || !ref || !edata || edata - ref->start == size)
		return true;
	say("cannot use %s for kernel symbols: it is of another kernel, which ends 0x%" PRIx64 " bytes behind %s, and the recorded one 0x%" PRIx64 "; name a copy of the %s /proc/kallsyms",
	    path, edata - ref->start, ref->name, size, kallsyms_owner(w->recorded.guest));
	return false;
}

/* Tell what @path has in common with the recorded kernel, or that nothing is known. */
static void describe(struct kernel *k, const char *path, const struct wanted *w,
		     const struct symbol *ref, const char *proof)
{
	const struct session *s = w->s;

	if (!s || s->live)
		return;
	if (w->archive && !strncmp(path, w->archive, strlen(w->archive)))
		path = "the archive";
	if (!proof && ref && ref->start == s->kernel_text)
		proof = "its start has the recorded address";
	if (!s->kernel_text)
		k->told = xformat("names of kernel functions may be wrong or missing: the recording does not say at which address the kernel was, so %s fits only a kernel without address randomization; record as root, without --user",
				  path);
	else if (proof)
		k->told = xformat("kernel symbols are from %s: %s", path, proof);
	else if (!ref)
		k->told = xformat("names of kernel functions may be wrong: %s has no symbol %s, which tells where the kernel was; copy all of /proc/kallsyms",
				  path, s->kernel_ref);
	else
		k->told = xformat("names of kernel functions may be wrong: %s has %s at %" PRIx64 ", the recording at %" PRIx64 "; they are right only if %s is of another boot of the same kernel",
				  path, s->kernel_ref, ref->start, s->kernel_text,
				  path);
}

/*
 * A copy of kallsyms from another boot serves as well, except for modules, which
 * that boot loaded at other addresses.
 */
static void drop_modules(struct symtab *t)
{
	size_t from, to = 0;

	for (from = 0; from < t->count; from++)
		if (!t->symbols[from].module)
			t->symbols[to++] = t->symbols[from];
	t->count = to;
}

/* @proof: what is known of the file already, or NULL */
static int load_kallsyms(struct kernel *k, const char *path,
			 const struct wanted *w, const char *proof)
{
	struct kernel_identity file;
	uint64_t edata;
	const struct symbol *ref;

	kernel_identity_kallsyms(&file, path);
	if (!proof && !kernel_identity_same(&file, path, &w->recorded, &proof))
		return -1;
	if (kallsyms_load(path, &k->symtab, false, w->recorded.guest, &edata) < 0) {
		symtab_free(&k->symtab);
		return -1;
	}
	/* Before aliases are dropped: _text has many. */
	ref = reference(&k->symtab, w->s);
	if (!arm64_addresses(&k->symtab, path, w, ref) || (!proof && !same_size(path, w, ref, edata))) {
		symtab_free(&k->symtab);
		return -1;
	}
	describe(k, path, w, ref, proof);
	k->text = ref ? ref->start : 0;
	/* KASLR moved the recorded kernel by this distance. */
	if (w->s && w->s->kernel_text && ref)
		k->slide = w->s->kernel_text - ref->start;
	if (k->slide)
		drop_modules(&k->symtab);
	symtab_finish(&k->symtab);
	k->path = xformat("%s", path);
	return 0;
}

/* Whose kernel an ELF file is; false after a message if it is another one */
static bool same_vmlinux(const char *path, const struct wanted *w,
			 const char **proof)
{
	struct kernel_identity file;
	const char *why;
	Elf *elf;
	int fd;

	elf = elf_open(path, &fd, &why);
	if (!elf) {
		say("cannot read kernel symbols from %s: %s; name the kernel's vmlinux file",
		    path, why);
		return false;
	}
	kernel_identity_vmlinux(&file, elf);
	elf_close(elf, fd);
	return kernel_identity_same(&file, path, &w->recorded, proof);
}

static int load_vmlinux(struct kernel *k, const char *path,
			const struct wanted *w)
{
	const struct symbol *ref;
	const char *why, *proof;
	struct dso dso = { 0 };

	if (!same_vmlinux(path, w, &proof))
		return -1;
	if (elf_load(path, &dso, &why) < 0) {
		say("cannot read kernel symbols from %s: %s; name the kernel's vmlinux file",
		    path, why);
		return -1;
	}
	free(dso.segments);
	ref = reference(&dso.symtab, w->s);
	if (!dso.symtab.count || !ref) {
		say(dso.symtab.count ?
		    "cannot read kernel symbols from %s: it is not a kernel, as it has no symbol %s; name the kernel's vmlinux file" :
		    "cannot read kernel symbols from %s: it has none; install the kernel's debug package",
		    path, w->s && w->s->kernel_text ? w->s->kernel_ref : "_text");
		symtab_free(&dso.symtab);
		return -1;
	}
	describe(k, path, w, ref, proof);
	k->text = ref->start;
	if (w->s && w->s->kernel_text)
		k->slide = w->s->kernel_text - ref->start;
	symtab_finish(&dso.symtab);
	k->symtab = dso.symtab;
	k->file.path = xformat("%s", path);
	k->path = xformat("%s", path);
	return 0;
}

/* Load the copy of kallsyms that perf record --kcore put into the recording. */
static void find_inside(struct kernel *k, const struct wanted *w)
{
	const char *folder = w->s ? w->s->pd.folder : NULL;
	char *path;

	if (!folder)
		return;
	path = xformat("%s/kcore_dir/kallsyms", folder);
	if (!access(path, F_OK))
		load_kallsyms(k, path, w, NULL);
	free(path);
}

/* Look for kernel symbols below --symfs, in the best source first. */
static void find_below(struct kernel *k, const char *dir, const struct wanted *w)
{
	const char *release = *w->recorded.release ? w->recorded.release : "none";
	char *path[] = {
		xformat("%s/proc/kallsyms", dir),
		xformat("%s/kallsyms", dir),
		xformat("%s/vmlinux", dir),
		xformat("%s/boot/vmlinux-%s", dir, release),
		xformat("%s/usr/lib/debug/boot/vmlinux-%s", dir, release),
		xformat("%s/usr/lib/debug/lib/modules/%s/vmlinux", dir, release),
		xformat("%s/lib/modules/%s/build/vmlinux", dir, release),
	};
	size_t i, count = sizeof(path) / sizeof(path[0]);
	bool done = false;

	for (i = 0; i < count; i++) {
		if (!done && !access(path[i], R_OK))
			done = !(i < 2 ? load_kallsyms(k, path[i], w, NULL) :
					 load_vmlinux(k, path[i], w));
		free(path[i]);
	}
}

/*
 * Take this machine's own symbols only for its own recordings.  Many machines run a
 * kernel of the same release, so without a build id the host name must agree too.
 */
static void find_here(struct kernel *k, const struct wanted *w)
{
	static const char path[] = "/proc/kallsyms";
	char *host = feature_hostname(&w->s->pd);
	struct kernel_identity own;
	struct utsname uts;

	kernel_identity_kallsyms(&own, path);
	if (host && !(own.id_len && w->recorded.id_len) && !uname(&uts) &&
	    strcmp(uts.nodename, host))
		k->told = xformat("no kernel symbols: the recording is of host %s, and this is %s; pass --kallsyms or --vmlinux with a file of the recorded kernel",
				  host, uts.nodename);
	else if (!access(path, R_OK))
		load_kallsyms(k, path, w, NULL);
	free(host);
}

/* Load the copy of kallsyms that perf record put into its cache. */
static void find_by_id(struct kernel *k, const struct wanted *w)
{
	char *path = w->recorded.id_len ?
		buildid_kallsyms(w->recorded.id, w->recorded.id_len) : NULL;

	if (!path)
		return;
	free(k->told);
	k->told = NULL;
	load_kallsyms(k, path, w, "perf's cache has it for the recorded build id");
	free(path);
}

static void tell_none(struct kernel *k, const struct symbol_options *opt,
		      const struct wanted *w, bool here)
{
	const char *release = w->recorded.release;

	if (!w->s || w->s->live || k->told || session_excludes_kernel(w->s))
		return;
	if (opt->symfs || here)
		k->told = xformat("no kernel symbols: found no file of the recorded kernel%s%s; pass --kallsyms or --vmlinux",
				  *release ? ", Linux " : "", release);
	else
		k->told = xformat("no kernel symbols: the recording is of another machine or kernel (%s%s%s); pass --kallsyms or --vmlinux with a file of the recorded kernel",
				  kernel_machine_name(w->recorded.machine),
				  *release ? ", Linux " : "", release);
}

/* Files that no option names are of interest only if a sample is of the kernel: kernel_use() tells of them. */
static void find(struct kernel *k, const struct symbol_options *opt, const struct wanted *w, bool here)
{
	say_hold(&k->held);
	/* An archive has those that its writer chose, perhaps instead of those in the recording. */
	if (w->archive)
		find_below(k, w->archive, w);
	if (!k->symtab.count)
		find_inside(k, w);
	if (!k->symtab.count && !w->archive && opt->symfs)
		find_below(k, opt->symfs, w);
	else if (!k->symtab.count && !opt->symfs && here)
		find_here(k, w);
	if (!k->symtab.count)
		find_by_id(k, w);
	if (!k->symtab.count)
		tell_none(k, opt, w, here);
	say_hold(NULL);
	/* No sample is of the kernel: only a call stack may begin there, and those parts are not shown. */
	if (w->s && session_excludes_kernel(w->s)) {
		free(k->told);
		free(k->held);
		k->told = k->held = NULL;
	}
}

static int load(struct kernel *k, const struct symbol_options *opt,
		const struct wanted *w, bool here)
{
	if (opt->kallsyms)
		return load_kallsyms(k, opt->kallsyms, w, NULL);
	if (opt->vmlinux)
		return load_vmlinux(k, opt->vmlinux, w);
	find(k, opt, w, here);
	return 0;
}

int kernel_init(struct kernel *k, const struct symbol_options *opt,
		const struct session *s, const uint8_t *listed, size_t len,
		bool here)
{
	struct wanted w = { .s = s, .archive = opt->archived ? opt->symfs : NULL };
	int rc;

	if (opt->guest)
		w.recorded = *opt->guest;
	else
		kernel_identity_recorded(&w.recorded, s, listed, len);
	k->guest = w.recorded.guest;
	rc = load(k, opt, &w, here);
	k->symtab.mangled_names = opt->mangled_names;
	return rc;
}

void kernel_use(struct kernel *k)
{
	if (atomic_load(&k->used) || atomic_exchange(&k->used, true))
		return;
	if (k->held)
		say_again(k->held);
	if (k->symtab.count && k->told)
		say("%s", k->told);
}

const struct symbol *kernel_find(struct kernel *k, uint64_t address)
{
	kernel_use(k);
	return symtab_find(&k->symtab, address - k->slide);
}

const char *kernel_missing(const struct kernel *k)
{
	return k->symtab.count || !atomic_load(&k->used) ? NULL : k->told;
}

void kernel_free(struct kernel *k)
{
	symtab_free(&k->symtab);
	operands_free(k->file.operands);
	globals_free(k->file.globals);
	cfi_free(k->file.cfi);
	inlines_free(k->file.inlines);
	srclines_free(k->file.lines);
	symtab_free(&k->data);
	free(k->file.path);
	free(k->path);
	free(k->told);
	free(k->held);
}

const struct map *kernel_map(const struct session *s, uint64_t address)
{
	const struct map *map;

	/* perf lists modules once, when it starts: they have no time. */
	return process_code_only(&s->kernel, address, &map) ? map : NULL;
}

static bool is_module(const struct map *map)
{
	return map && strncmp(map->file, "[kernel", 7);
}

/* Whether "[nvme_core]" is the module of "/lib/modules/.../nvme-core.ko.xz" */
static bool is_of(const char *module, const char *path)
{
	const char *file = strrchr(path, '/');

	file = file ? file + 1 : path;
	for (file += *file == '[', module += *module == '['; *module && *module != ']';
	     file++, module++)
		if (*file != *module && !(*file == '-' && *module == '_'))
			return false;
	return !*file || *file == ']' || *file == '.';
}

bool kernel_applies(const struct kernel *k, const struct session *s, const struct symbol *symbol,
		    const struct map *at)
{
	const struct map *start = kernel_map(s, symbol->start + k->slide);

	if (is_module(at))
		return symbol->module && is_of(symbol->module, at->file);
	/* The last symbol of a module has no end of its own. */
	return !is_module(start);
}
