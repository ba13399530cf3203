// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe archive: writes a recording and all files that its reports need to one tar file, with
 * the folders recording/, and root/ for --symfs.  input/archive.c reads it.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/heap/heap.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"
#include "verbs/verbs.h"

struct archive {
	struct rows rows;
	const char *path;		/* of -o; NULL: the recording's with .tar */
	bool strip;			/* no sources */
	struct output *out;
	struct string_set members, sources;
	struct string_set functions;	/* that were compared with their sources */
	struct string_set unfit;	/* sources of other versions than the programs' */
	struct source_text text;	/* the source at hand */
	size_t programs, debug, source_files, guest_files;
	bool failed;			/* after a message */
};

static void usage(FILE *to)
{
	fputs("usage: perf spe archive [OPTIONS] [FILE]\n"
	      "\n"
	      "Writes a recording and all files that its reports need to one tar file: the\n"
	      "programs and libraries, their debug files, the kernel's symbols, the source files\n"
	      "of the sampled code, and the logs of 'record --heap'. Every verb reads it like a\n"
	      "recording, on any machine.\n"
	      "\n"
	      "  -o, --output FILE   write to FILE (default: the recording's name with .tar);\n"
	      "                      - is standard output\n"
	      "      --strip-sources leave the source files out, for people who may not see them\n"
	      ROWS_SOURCE_HELP
	      ROWS_HELP, to);
}

/* Whether the set did not have the text */
static bool add_new(struct string_set *s, const char *text)
{
	const size_t known = s->table.count;

	string_set_add(s, text);
	return s->table.count > known;
}

static bool put_file(struct archive *a, const char *member, const char *path, int fd,
		     const struct stat *st)
{
	if (tar_put(a->out->to, member, fd, st))
		return true;
	say("archive: cannot read %s: it became shorter; try again when nothing writes to it", path);
	a->failed = true;
	return false;
}

/* Add the file at @path; one that cannot be read is left out after a message. */
static bool add_file(struct archive *a, const char *member, const char *path)
{
	const char *why;
	struct stat st;
	bool good;
	int fd;

	if (a->failed || !add_new(&a->members, member))
		return false;
	fd = open_regular(path, &why);
	if (fd >= 0 && fstat(fd, &st)) {
		why = strerror(errno);
		close(fd);
		fd = -1;
	}
	if (fd < 0) {
		say("archive: left out %s: %s", path, why);
		return false;
	}
	good = put_file(a, member, path, fd, &st);
	close(fd);
	return good;
}

/* The same for a file that --symfs finds by the name @name */
static bool add_below(struct archive *a, const char *name, const char *path)
{
	char *member = path_below("root", name);
	bool added = add_file(a, member, path);

	free(member);
	return added;
}

/* Files of /proc have no size before they are read. */
static void add_text(struct archive *a, const char *name, const char *path)
{
	char *bytes = NULL, *member = path_below("root", name);
	size_t len = 0, room = 0, got;
	FILE *from = fopen(path, "r");

	if (!from)
		say("archive: left out %s: %s", path, strerror(errno));
	while (from) {
		if (len == room)
			bytes = xrealloc(bytes, room = room ? 2 * room : 1 << 20);
		got = fread(bytes + len, 1, room - len, from);
		len += got;
		if (!got || len >= file_budget())
			break;
	}
	if (from) {
		fclose(from);
		tar_put_bytes(a->out->to, member, bytes, len);
	}
	free(bytes);
	free(member);
}

/* Add the files of a folder, without those of folders in it. */
static void add_folder(struct archive *a, const char *member, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	struct stat st;

	while (dir && (e = readdir(dir))) {
		char *path = xformat("%s/%s", folder, e->d_name);
		char *name = xformat("%s/%s", member, e->d_name);

		if (!stat(path, &st) && S_ISREG(st.st_mode))
			add_file(a, name, path);
		free(name);
		free(path);
	}
	if (dir)
		closedir(dir);
}

static void add_recording(struct archive *a)
{
	const char *data = a->rows.src.data;
	char *logs = heap_logs_folder(data);
	struct stat st;

	if (!stat(data, &st) && S_ISDIR(st.st_mode)) {
		char *kernel = xformat("%s/kcore_dir", data);

		add_folder(a, ARCHIVE_DATA, data);
		add_folder(a, ARCHIVE_DATA "/kcore_dir", kernel);
		free(kernel);
	} else if (!add_file(a, ARCHIVE_DATA, data)) {
		a->failed = true;
	}
	add_folder(a, ARCHIVE_DATA ".heap", logs);
	free(logs);
}

/* A dso_fn */
static void add_object(void *context, const struct dso *dso)
{
	struct archive *a = context;
	char *name;
	bool added;

	if (!dso->path)
		return;
	/* What a JIT compiler wrote is below /tmp. */
	name = *dso->name == '/' ? xformat("%s", dso->name) : xformat("tmp/%s", dso->name);
	added = add_below(a, name, dso->path);
	free(name);
	if (!added && dso->file_id_len) {
		/* Another one has this name, as in another container, or before an update. */
		name = id_path(dso->file_id, dso->file_id_len, "");
		added = add_below(a, name, dso->path);
		free(name);
	}
	a->programs += added;
	if (!dso->debug_path)
		return;
	name = id_path(dso->file_id, dso->file_id_len, ".debug");
	a->debug += add_below(a, name, dso->debug_path);
	free(name);
}

/* Read the files of all mappings, also of those that have no sample. */
static void load_objects(struct archive *a)
{
	const struct processes *all = &a->rows.resolver.session->processes;
	size_t i, k;

	elf_lock();
	for (i = 0; i < all->nr; i++)
		for (k = 0; all->all[i] && k < all->all[i]->nr_maps; k++)
			if (all->all[i]->maps[k].file)
				symbols_dso(&a->rows.symbols, &all->all[i]->maps[k]);
	elf_unlock();
}

static void add_kernel(struct archive *a)
{
	const struct kernel *k = &a->rows.symbols.kernel;
	const char *data = a->rows.src.data;
	const size_t len = strlen(data);

	if (k->file.path)
		add_below(a, "vmlinux", k->file.path);
	/* add_recording() added those that are in the recording's folder. */
	else if (k->path && (strncmp(k->path, data, len) || k->path[len] != '/'))
		add_text(a, "proc/kallsyms", k->path);
}

/* A guest_file_fn: all files but the kernel's may be of /proc. */
static void add_guest_file(void *context, const char *name, const char *path)
{
	const char *slash = strrchr(name, '/');

	if (slash && !strcmp(slash, "/vmlinux"))
		add_below(context, name, path);
	else
		add_text(context, name, path);
	((struct archive *)context)->guest_files++;
}

/* Note the source file of a sample's code, and whether it is the program's version. */
static void note_source(struct archive *a, const struct place *at)
{
	char *function;
	const char *file;
	bool other;
	int line;

	if (a->strip || !at->dso || !srcline_find(at->dso, at->file_address, &file, &line))
		return;
	function = xformat("%p %s %s", (void *)at->dso, at->symbol ? at->symbol : "", file);
	if (add_new(&a->functions, function)) {
		source_text_at(&a->text, at->dso, at->file_address, &other);
		string_set_add(a->text.bytes ? &a->sources : &a->unfit, file);
	}
	free(function);
}

static void note_sources(void *context, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		note_source(context, b->place[b->kept[k]]);
}

static void add_sources(struct archive *a)
{
	const char *const *name = NULL;
	struct stat st;

	while ((name = string_set_next(&a->sources, name))) {
		char *member = path_below("root", *name);
		/* One that does not fit one of several programs is left out. */
		int fd = add_new(&a->unfit, *name) ? source_text_open(*name) : -1;

		if (fd >= 0 && !fstat(fd, &st) && !a->failed && add_new(&a->members, member))
			a->source_files += put_file(a, member, *name, fd, &st);
		if (fd >= 0)
			close(fd);
		free(member);
	}
}

/* The recording's name with .tar, beside it if it is a folder with a slash behind its name */
static char *usual_path(const char *recording)
{
	size_t len = strlen(recording);

	while (len > 1 && recording[len - 1] == '/')
		len--;
	return xformat("%.*s.tar", (int)len, recording);
}

static int write_archive(struct archive *a)
{
	char *path = a->path ? xformat("%s", a->path) : usual_path(a->rows.src.path);
	int rc = EXIT_INPUT;
	char *guests;

	a->out = output_begin("archive", path);
	if (a->out) {
		add_recording(a);
		load_objects(a);
		symbols_each(&a->rows.symbols, add_object, a);
		add_kernel(a);
		if (a->rows.resolver.session->guests)
			guests_each_file(&a->rows.symbols.guests, add_guest_file, a);
		add_sources(a);
		tar_end(a->out->to);
		if (output_end(a->out, !a->failed))
			rc = EXIT_OK;
	}
	guests = a->guest_files ? xformat(", %zu file%s of guests", a->guest_files, plural(a->guest_files)) : NULL;
	if (rc == EXIT_OK)
		say("archive: wrote %s: the recording, %zu program%s or librar%s, %zu debug file%s, %s, %zu source file%s%s",
		    path, a->programs, plural(a->programs), a->programs == 1 ? "y" : "ies", a->debug,
		    plural(a->debug), a->rows.symbols.kernel.path ? "the kernel's symbols" :
		    "no kernel symbols", a->source_files, plural(a->source_files), guests ? guests : "");
	free(guests);
	free(path);
	return rc;
}

/* The samples that a filter leaves out are in the archive, which strangers may get. */
static void say_whole(const struct rows *r)
{
	char *options = selection_any(&r->selection) ? selection_options(&r->selection) : NULL;

	if (options)
		say("archive: %s chose only the source files; the archive has all samples, so give %s again to the verb that reads it",
		    options, selection_several(&r->selection) ? "these options" : "this option");
	free(options);
}

static void note_nothing(void *context, const struct row_batch *b)
{
	(void)context;
	(void)b;
}

/* Find the files of the samples that only a filter leaves out: the archive has these samples. */
static void read_whole(struct archive *a)
{
	static const struct row_taker taker = { .take = note_nothing };
	struct filter *filter = a->rows.filter;
	struct sample_totals totals;

	a->rows.filter = NULL;
	rows_take_again(&a->rows, &taker, a, &totals);
	a->rows.filter = filter;
}

static int run(struct archive *a)
{
	static const struct row_taker taker = { .take = note_sources };
	struct sample_totals totals;
	int rc = rows_open(&a->rows), written;

	if (rc != EXIT_OK)
		return rc;
	if (a->rows.filter)
		read_whole(a);
	rc = rows_take(&a->rows, &taker, a, &totals);
	written = write_archive(a);
	if (written == EXIT_OK)
		say_whole(&a->rows);
	string_set_free(&a->members);
	string_set_free(&a->sources);
	string_set_free(&a->functions);
	string_set_free(&a->unfit);
	source_text_free(&a->text);
	rows_close(&a->rows);
	return written == EXIT_OK ? rc : written;
}

/* Standard input and SPE bytes have no files that belong to them. */
static bool check(const struct archive *a)
{
	if (!a->rows.src.raw && !(a->rows.src.path && !strcmp(a->rows.src.path, "-")))
		return true;
	say("archive: needs a perf.data file: name it as an argument");
	return false;
}

static bool take_option(void *verb, int option)
{
	struct archive *a = verb;

	if (option == 'o')
		a->path = optarg;
	else if (option == 's')
		a->strip = true;
	return option == 'o' || option == 's';
}

int verb_archive(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "strip-sources", no_argument, NULL, 's' },
		ROWS_SOURCE_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT "o:", .options = options,
		.usage = usage, .take = take_option,
	};
	/* Call stacks need files that no sample is in. */
	struct archive a = { .rows = { .verb = "archive", .need = NEED_PLACE, .stacks_if_any = true } };
	int rc;

	rc = rows_options(&a.rows, &grammar, &a, argc, argv);
	if (rc < 0)
		rc = rows_check(&a.rows, argc, argv) && check(&a) ? run(&a) : EXIT_USAGE;
	filter_free(a.rows.filter);
	return rc;
}
