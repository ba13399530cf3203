// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernels of guests.  Nothing in a recording is of a guest but addresses and CONTEXTIDR_EL1, so
 * symbols come only from files that the user names, for all virtual machines or for one.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/input.h"
#include "symbols/kernel/kernel.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* No function of Linux is so long: behind the last one of an area is memory without symbols. */
#define FUNCTION_MOST	(UINT64_C(1) << 20)

/* From /proc/modules */
struct module {
	uint64_t start, end;
	const char *object;		/* "[guest.NAME]" */
};

#define GUEST_KERNEL	"[guest.kernel]"

struct guest_kernel {
	struct kernel names;		/* with the functions' names */
	struct kernel code;		/* of --guest-vmlinux beside --guest-kallsyms: the same kernel's file */
	char *kallsyms, *modules_path;	/* the files that were read; NULL: none */
	struct module *modules;
	size_t nr_modules, room_modules;
	atomic_bool used;
};

static const char *const options[NR_GUEST_FILES] = {
	[GUEST_KALLSYMS] = "--guest-kallsyms", [GUEST_VMLINUX] = "--guest-vmlinux",
	[GUEST_MODULES] = "--guest-modules", [GUEST_SYMFS] = "--guest-symfs",
};

/* The files of the machine with this name, NULL for all; NULL if there are too many machines */
static struct guest_files *files_of(struct guest_options *o, const char *vm, size_t len)
{
	size_t i;

	for (i = 0; i < o->nr; i++)
		if (o->of[i].vm_len == len && !memcmp(o->of[i].vm ? o->of[i].vm : "", vm ? vm : "", len))
			return &o->of[i];
	if (o->nr == GUESTS_MOST)
		return NULL;
	o->of[o->nr] = (struct guest_files){ .vm = vm, .vm_len = len };
	return &o->of[o->nr++];
}

static bool has_files(const struct guest_files *f)
{
	size_t i;

	for (i = 0; i < NR_GUEST_FILES; i++)
		if (f->path[i])
			return true;
	return false;
}

bool guest_option(struct guest_options *o, const char *verb, enum guest_file kind, const char *value)
{
	const size_t len = strcspn(value, "=");
	/* A path may have "=" behind a "/". */
	const bool named = value[len] && !memchr(value, '/', len);
	const char *path = named ? value + len + 1 : value;
	struct guest_files *files;

	if (!*path || (named && !len)) {
		say("%s: %s needs FILE for all virtual machines, or VM=FILE, where VM is the pid or the name of the process, not '%s'",
		    verb, options[kind], value);
		return false;
	}
	files = files_of(o, named ? value : NULL, named ? len : 0);
	if (!files)
		say("%s: %s: more than %d virtual machines have files of their own: read the recording several times", verb,
		    options[kind], GUESTS_MOST);
	else if (files->path[kind])
		say("%s: %s was given twice for %s%.*s: remove one", verb, options[kind],
		    named ? "the virtual machine " : "all virtual machines", (int)files->vm_len, named ? files->vm : "");
	if (!files || files->path[kind])
		return false;
	files->path[kind] = path;
	return true;
}

void guest_options_args(const struct guest_options *o, struct args *a)
{
	size_t i, kind;

	for (i = 0; i < o->nr; i++) {
		const struct guest_files *f = &o->of[i];

		for (kind = 0; !f->archived && kind < NR_GUEST_FILES; kind++) {
			if (!f->path[kind])
				continue;
			args_add(a, options[kind]);
			args_take(a, xformat("%.*s%s%s", (int)f->vm_len, f->vm ? f->vm : "",
					     f->vm ? "=" : "", f->path[kind]));
		}
	}
}

/*
 * An archive has the files of a machine where --guest-symfs looks for them, in a folder for each: FOR_ALL,
 * or ONE and the machine's name.  A machine whose files the user names has none from the archive.
 */
#define FOLDER	"guests"
#define FOR_ALL	"all"
#define ONE	"vm-"

void guest_options_unpacked(struct guest_options *o, const char *root)
{
	char *folder = path_below(root, FOLDER);
	DIR *dir = opendir(folder);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		const bool one = !strncmp(e->d_name, ONE, strlen(ONE));
		struct guest_files *files;
		char *path;

		if (!one && strcmp(e->d_name, FOR_ALL))
			continue;
		path = path_below(folder, e->d_name);
		files = files_of(o, one ? path + strlen(path) - strlen(e->d_name) + strlen(ONE) : NULL,
				 one ? strlen(e->d_name) - strlen(ONE) : 0);
		if (files && !has_files(files))
			files->path[GUEST_SYMFS] = files->archived = path;
		else
			free(path);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

void guest_options_packed(struct guest_options *o)
{
	/* They are the last ones. */
	while (o->nr && o->of[o->nr - 1].archived)
		free(o->of[--o->nr].archived);
}

static const char *intern(struct guests *g, char *text)
{
	const char *name;

	elf_lock();
	name = string_set_add(&g->names, text);
	elf_unlock();
	free(text);
	return name;
}

/* "NAME SIZE USERS DEPENDENCIES STATE 0xADDRESS" */
static bool add_module(struct guests *g, struct guest_kernel *k, const char *line)
{
	struct module module;
	uint64_t size;
	char name[64];

	if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &module.start) != 3)
		return false;
	if (!module.start)
		return true;
	module.end = module.start + size;
	module.object = intern(g, xformat("[guest.%s]", name));
	k->modules = array_grow(k->modules, k->nr_modules, &k->room_modules, sizeof(*k->modules));
	k->modules[k->nr_modules++] = module;
	return true;
}

static int load_modules(struct guests *g, struct guest_kernel *k, const char *path)
{
	FILE *f = fopen(path, "re");
	size_t room = 0, number = 0;
	char *line = NULL;
	int rc = 0;

	if (!f) {
		say("cannot read the guest's modules from %s: %s; name a copy of the guest's /proc/modules", path,
		    strerror(errno));
		return -1;
	}
	output_protect(fileno(f));
	while (!rc && getline(&line, &room, f) > 0 && ++number)
		if (!add_module(g, k, line))
			rc = -1;
	if (ferror(f)) {
		say("cannot read the guest's modules from %s: %s; name a copy of the guest's /proc/modules", path,
		    strerror(errno));
		rc = -1;
	} else if (rc) {
		say("cannot read the guest's modules from %s: line %zu is not 'NAME SIZE USERS DEPENDENCIES STATE ADDRESS'; copy /proc/modules again",
		    path, number);
	} else if (number && !k->nr_modules) {
		say("no names of the guest's modules: all addresses in %s are zero; copy it as root", path);
	}
	free(line);
	fclose(f);
	return rc;
}

/* The file of an option, or else the first of these below --guest-symfs that can be read; NULL: none */
static char *find_file(const struct guest_files *f, enum guest_file kind, const char *const names[2])
{
	size_t i;

	if (f->path[kind])
		return xformat("%s", f->path[kind]);
	for (i = 0; f->path[GUEST_SYMFS] && i < 2; i++) {
		char *path = path_below(f->path[GUEST_SYMFS], names[i]);

		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* The guest's kernel, by the files of /proc and /sys beside its kallsyms or below --guest-symfs */
static void identify(struct kernel_identity *id, const struct guest_files *f, const char *kallsyms)
{
	char *path;

	kernel_identity_kallsyms(id, kallsyms ? kallsyms : "");
	if (!id->id_len && f->path[GUEST_SYMFS]) {
		path = path_below(f->path[GUEST_SYMFS], "proc/kallsyms");
		kernel_identity_kallsyms(id, path);
		free(path);
	}
	id->machine = EM_AARCH64;
	id->guest = true;
}

/* The ELF file with the kernel's build id, of the guest's files, of this machine or of its servers; NULL: none */
static char *find_by_id(const struct kernel_identity *id, const struct guest_files *f)
{
	char *name = id->id_len ? id_path(id->id, id->id_len, ".debug") : NULL, *path = NULL;
	const char *folders[] = { f->path[GUEST_SYMFS], "/" };
	size_t i;

	for (i = 0; name && !path && i < 2; i++) {
		path = folders[i] ? path_below(folders[i], name) : NULL;
		if (path && access(path, R_OK)) {
			free(path);
			path = NULL;
		}
	}
	free(name);
	return path || !id->id_len ? path : buildid_debug(id->id, id->id_len);
}

static int load_kernel(struct kernel *k, const struct kernel_identity *id, const char *symfs, const char *kallsyms,
		       const char *vmlinux, bool mangled_names)
{
	const struct symbol_options opt = {
		.guest = id, .kallsyms = kallsyms, .vmlinux = vmlinux, .symfs = symfs,
		.mangled_names = mangled_names,
	};

	return kernel_init(k, &opt, NULL, NULL, 0, false);
}

/* A vmlinux file has no run-time addresses: kallsyms tells how far the kernel was moved. */
static int load_code(struct guest_kernel *k, const struct kernel_identity *id, const char *vmlinux, bool mangled_names)
{
	if (load_kernel(&k->code, id, NULL, NULL, vmlinux, mangled_names) < 0)
		return -1;
	if (!k->names.text || !k->code.text) {
		say("cannot use %s with %s: one of them has no symbol _text, which tells where the guest's kernel was; copy all of /proc/kallsyms",
		    vmlinux, k->kallsyms);
		return -1;
	}
	k->code.slide = k->names.text - k->code.text;
	return 0;
}

static int load_both(struct guest_kernel *k, const struct guest_files *f, bool mangled_names)
{
	static const char *const kallsyms[] = { "proc/kallsyms", "kallsyms" };
	static const char *const vmlinux[] = { "vmlinux", "boot/vmlinux" };
	struct kernel_identity id;
	char *path;
	int rc;

	k->kallsyms = find_file(f, GUEST_KALLSYMS, kallsyms);
	identify(&id, f, k->kallsyms);
	if (!k->kallsyms)
		return load_kernel(&k->names, &id, f->path[GUEST_SYMFS], NULL, f->path[GUEST_VMLINUX], mangled_names);
	if (load_kernel(&k->names, &id, NULL, k->kallsyms, NULL, mangled_names) < 0)
		return -1;
	path = find_file(f, GUEST_VMLINUX, vmlinux);
	if (path) {
		rc = load_code(k, &id, path, mangled_names);
		free(path);
		return rc;
	}
	/* The user did not name this file, so it is no error if it does not fit. */
	path = find_by_id(&id, f);
	if (path && load_code(k, &id, path, mangled_names) < 0) {
		kernel_free(&k->code);
		memset(&k->code, 0, sizeof(k->code));
	}
	free(path);
	return 0;
}

static int load(struct guests *g, struct guest_kernel *k, const struct guest_files *f, bool mangled_names)
{
	static const char *const modules[] = { "proc/modules", "modules" };
	const char *folder = f->path[GUEST_SYMFS];

	if (folder && !is_folder(folder)) {
		say("%s %s: %s; name the folder below which the guest's files have their usual paths", options[GUEST_SYMFS],
		    folder, access(folder, F_OK) ? strerror(errno) : "it is no folder");
		return -1;
	}
	if (load_both(k, f, mangled_names) < 0)
		return -1;
	k->modules_path = find_file(f, GUEST_MODULES, modules);
	return k->modules_path ? load_modules(g, k, k->modules_path) : 0;
}

int guests_init(struct guests *g, const struct guest_options *o, bool mangled_names)
{
	size_t i;

	g->opt = *o;
	g->of = o->nr ? xcalloc(o->nr, sizeof(*g->of)) : NULL;
	for (i = 0; i < o->nr; i++)
		if (load(g, &g->of[i], &o->of[i], mangled_names) < 0)
			return -1;
	return 0;
}

void guests_free(struct guests *g)
{
	size_t i;

	for (i = 0; g->of && i < g->opt.nr; i++) {
		kernel_free(&g->of[i].names);
		kernel_free(&g->of[i].code);
		free(g->of[i].modules);
		free(g->of[i].modules_path);
		free(g->of[i].kallsyms);
	}
	free(g->of);
	string_set_free(&g->names);
}

/* The kernel cuts names of threads to so many bytes. */
#define COMM_MOST	15

/* How well the files fit: 3 by pid, 2 by name, which is no number, 1 as those for all, 0 not */
static int fit(const struct guest_files *f, const struct owner *owner)
{
	const char *comm = owner->vm ? owner->vm->comm : NULL;
	const size_t len = f->vm_len < COMM_MOST ? f->vm_len : COMM_MOST;
	char pid[16];

	if (!f->vm)
		return 1;
	if (strspn(f->vm, "0123456789") >= f->vm_len) {
		snprintf(pid, sizeof(pid), "%" PRId32, owner->pid);
		return strlen(pid) == f->vm_len && !memcmp(pid, f->vm, f->vm_len) ? 3 : 0;
	}
	return comm && strlen(comm) == len && !memcmp(comm, f->vm, len) ? 2 : 0;
}

/* The files of its virtual machine, or those for all; NULL: none */
static struct guest_kernel *kernel_of(struct guests *g, const struct owner *owner)
{
	struct guest_kernel *found = NULL;
	int best = 0;
	size_t i;

	for (i = 0; i < g->opt.nr; i++) {
		const int fits = fit(&g->opt.of[i], owner);

		if (fits > best)
			found = &g->of[i];
		best = fits > best ? fits : best;
	}
	if (found)
		atomic_store(&found->used, true);
	return found;
}

static const char *module_at(const struct guest_kernel *k, uint64_t address)
{
	size_t i;

	for (i = 0; i < k->nr_modules; i++)
		if (address >= k->modules[i].start && address < k->modules[i].end)
			return k->modules[i].object;
	return NULL;
}

/* Of several, that with the least pid, as threads find them in any order */
static void note_unnamed(struct guests *g, const struct process *machine)
{
	const struct process *known = atomic_load(&g->machine);

	while (machine && (!known || machine->pid < known->pid) &&
	       !atomic_compare_exchange_weak(&g->machine, &known, machine))
		;
	atomic_store(&g->unnamed, true);
}

void guests_place(struct guests *g, const struct owner *owner, uint64_t address, struct place *place)
{
	struct guest_kernel *k = kernel_of(g, owner);
	const struct symbol *symbol;
	struct kernel *code;
	const char *module;

	place->object = GUEST_KERNEL;
	if (!k) {
		note_unnamed(g, owner->vm);
		return;
	}
	module = module_at(k, address);
	if (module)
		place->object = module;
	symbol = kernel_find(&k->names, address);
	if (symbol && (address - k->names.slide - symbol->start >= FUNCTION_MOST || (module && !symbol->module)))
		symbol = NULL;
	if (!symbol)
		return;
	place->symbol = symtab_name(&k->names.symtab, symbol);
	if (symbol->module)
		place->object = intern(g, xformat("[guest.%s", symbol->module + 1));
	code = k->code.file.path ? &k->code : &k->names;
	if (code->file.path && !symbol->module) {
		place->dso = &code->file;
		place->file_address = address - code->slide;
	}
}

bool guests_variable(struct guests *g, const struct owner *owner, uint64_t address, struct guest_variable *v)
{
	struct guest_kernel *k = kernel_of(g, owner);
	const struct symbol *symbol;

	if (!k)
		return false;
	elf_lock();
	kernel_data_load(&k->names);
	elf_unlock();
	symbol = kernel_data_find(&k->names, address);
	if (!symbol)
		return false;
	v->module = symbol->module;
	v->object = v->module ? intern(g, xformat("[guest.%s", symbol->module + 1)) : GUEST_KERNEL;
	v->name = symtab_name(&k->names.data, symbol);
	v->start = symbol->start + k->names.slide;
	return true;
}

const char *guests_user(struct guests *g, uint32_t context)
{
	atomic_store(&g->users, true);
	return context ? intern(g, xformat("[guest.user %" PRIu32 "]", context)) : "[guest.user]";
}

static void each_beside(const char *kallsyms, const char *folder, guest_file_fn *fn, void *context)
{
	static const char *const names[] = { "/proc/sys/kernel/osrelease", "/sys/kernel/notes" };
	static const char tail[] = "/proc/kallsyms";
	const size_t len = strlen(kallsyms), tail_len = sizeof(tail) - 1;
	size_t i;

	for (i = 0; len >= tail_len && !strcmp(kallsyms + len - tail_len, tail) && i < 2; i++) {
		char *path = xformat("%.*s%s", (int)(len - tail_len), kallsyms, names[i]);
		char *name = xformat("%s%s", folder, names[i]);

		if (!access(path, R_OK))
			fn(context, name, path);
		free(name);
		free(path);
	}
}

static void call(guest_file_fn *fn, void *context, const char *folder, const char *file, const char *path)
{
	char *name = path ? path_below(folder, file) : NULL;

	if (name)
		fn(context, name, path);
	free(name);
}

void guests_each_file(const struct guests *g, guest_file_fn *fn, void *context)
{
	size_t i;

	for (i = 0; g->of && i < g->opt.nr; i++) {
		const struct guest_files *f = &g->opt.of[i];
		const struct guest_kernel *k = &g->of[i];
		char *folder = f->vm ? xformat(FOLDER "/" ONE "%.*s", (int)f->vm_len, f->vm) :
			xformat("%s", FOLDER "/" FOR_ALL);

		call(fn, context, folder, "proc/kallsyms", k->kallsyms);
		if (k->kallsyms)
			each_beside(k->kallsyms, folder, fn, context);
		call(fn, context, folder, "vmlinux", k->code.file.path ? k->code.file.path : k->names.file.path);
		call(fn, context, folder, "proc/modules", k->modules_path);
		free(folder);
	}
}

/* Once also for diff, which reads several recordings */
void guests_say(const struct guests *g)
{
	static bool unnamed, users;
	const struct process *machine = atomic_load(&g->machine);
	char *of = xformat("%s", "");
	size_t i;

	if (machine)
		of = xappend(of, ", such as that of the virtual machine %s/%" PRId32,
			     machine->comm ? machine->comm : "", machine->pid);
	for (i = 0; g->of && i < g->opt.nr; i++)
		if (g->opt.of[i].vm && !g->opt.of[i].archived && !atomic_load(&g->of[i].used))
			say_once("no sample of a guest's kernel is of the virtual machine '%.*s', whose files you name: give its pid or the name of its process, as the column vm has them",
				 (int)g->opt.of[i].vm_len, g->opt.of[i].vm);
	if (atomic_load(&g->unnamed) && !unnamed)
		say("no symbols for kernels of guests%s: a recording of the host has none; pass --guest-kallsyms with a copy of the guest's /proc/kallsyms", of);
	free(of);
	if (atomic_load(&g->users) && !users)
		say("no symbols for user code of guests: the host does not know which programs a guest runs; the column guest_context tells its threads apart, if the guest's kernel writes their ids to CONTEXTIDR_EL1");
	unnamed |= atomic_load(&g->unnamed);
	users |= atomic_load(&g->users);
}
