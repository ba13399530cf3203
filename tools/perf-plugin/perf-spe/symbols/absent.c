// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/symbols.h"
#include "util/util.h"

#define NAMED	4	/* files that a message names; it counts the others */
#define FETCHED	16	/* files that a command fetches */

/* Names of earlier messages, of all recordings: diff reads several of the same programs. */
static struct string_set said;

/* Names by their addresses */
static const struct hash_kind table = {
	.size = sizeof(char *), .used = { 0, sizeof(char *) }, .key = { { 0, sizeof(char *) } },
};

void absent_add(struct absent *a, const char *name)
{
	const char **slot;

	/* Samples of one file often follow each other. */
	if (a->last == name)
		return;
	a->last = name;
	slot = hash_table_add(&a->known, &table, &name);
	if (*slot)
		return;
	*slot = name;
	if (a->nr == a->room)
		a->names = array_grow(a->names, a->nr, &a->room,
				      sizeof(*a->names));
	a->names[a->nr++] = name;
}

void absent_join(struct absent *a, const struct absent *more)
{
	size_t i;

	for (i = 0; i < more->nr; i++)
		absent_add(a, more->names[i]);
	for (i = 0; i < NR_DOUBTS; i++)
		a->doubts[i] += more->doubts[i];
}

void absent_data(struct absent *a, const bool *doubts)
{
	size_t i;

	for (i = 0; i < NR_DOUBTS; i++)
		a->data_doubts[i] |= doubts[i];
}

/*
 * The files with this lack that no message named so far, by name: in which order threads find
 * them is chance.  To be freed
 */
static const char **unsaid(const struct absent *a, const enum dso_lack *lacks, enum dso_lack lack,
			   size_t *count)
{
	const char **names = xcalloc(a->nr, sizeof(*names));
	size_t i;

	*count = 0;
	for (i = 0; i < a->nr; i++) {
		size_t before = said.table.count;

		if (lacks[i] != lack)
			continue;
		string_set_add(&said, a->names[i]);
		if (said.table.count > before)
			names[(*count)++] = a->names[i];
	}
	qsort(names, *count, sizeof(*names), text_array_order);
	return names;
}

/* "A, B and 2 more", to be freed */
static char *list(const char *const *names, size_t count)
{
	char *text = xformat("%s", "");
	size_t i;

	for (i = 0; i < count && i < NAMED; i++)
		text = xappend(text, "%s%s", *text ? ", " : "", names[i]);
	if (count > NAMED)
		text = xappend(text, " and %zu more", count - NAMED);
	return text;
}

/*
 * The recorded machine as an argument of ssh(1); one that begins with - would be an option, and
 * "(none)" is the kernel's name for a machine without a name.
 */
static char *host_word(const struct session *s)
{
	char *host = s ? feature_hostname(&s->pd) : NULL;
	char *word = shell_word(host && isalnum((unsigned char)*host) ? host : "HOST");

	free(host);
	return word;
}

/* The command that copies files from the recorded machine to below @folder; to be freed */
static char *fetch_command(const struct session *s, const char *const *names, size_t count,
			   const char *folder)
{
	char *host = host_word(s), *to = shell_word(folder), *remote = xformat("tar -chf - --"), *word;
	char *command;
	size_t i;

	for (i = 0; i < count && i < FETCHED; i++) {
		word = shell_word(names[i]);
		remote = xappend(remote, " %s", word);
		free(word);
	}
	/* Two shells read this. */
	word = shell_word(remote);
	command = xformat("mkdir -p %s && ssh %s %s | tar -xf - -C %s", to, host, word, to);
	free(word);
	free(remote);
	free(to);
	free(host);
	return command;
}

static void say_missing(const struct symbols *syms, const char *const *names, size_t count)
{
	const char *verb = count == 1 ? " is" : "s are", *whose = count == 1 ? "its" : "their";
	const char *symfs = syms->opt.symfs;
	char *text;

	if (syms->opt.archived) {
		text = list(names, count);
		say("%zu recorded file%s not in the archive, so %s code has no symbols: %s; make the archive where all are; or unpack it with tar, add what lacks to the folder root that is in it, and give --symfs root",
		    count, verb, whose, text);
	} else if (syms->here && !symfs) {
		text = list(names, count);
		say("%zu recorded file%s no longer on this machine, so %s code has no symbols: %s; put %s back, or point --symfs at a folder with a copy",
		    count, verb, whose, text, count == 1 ? "it" : "them");
	} else {
		text = fetch_command(syms->session, names, count, symfs ? symfs : "symfs");
		say("%zu recorded file%s not %s%s, so %s code has no symbols; to fetch %s%s, run: %s",
		    count, verb, symfs ? "below --symfs " : "on this machine", symfs ? symfs : "",
		    whose, count > FETCHED ? "the first ones" : count == 1 ? "it" : "them",
		    symfs ? "" : " for --symfs symfs", text);
	}
	free(text);
}

/* The files that have the names now are other versions: no command can fetch those that ran. */
static void say_deleted(const struct symbols *syms, const char *const *names, size_t count)
{
	const bool one = count == 1;
	char *text = list(names, count);

	say("%zu recorded file%s deleted or replaced while %s ran, so %s code has no symbols: %s; restart the program%s and record again, or copy what still runs as root (/proc/PID/exe; of a library its link in /proc/PID/map_files) below --symfs %s under %s",
	    count, one ? " was" : "s were", one ? "its program" : "their programs", one ? "its" : "their",
	    text, plural(count), syms->opt.symfs && !syms->opt.archived ? syms->opt.symfs : "symfs",
	    one ? "this name" : "these names");
	free(text);
}

static void say_different(const struct symbols *syms, const char *names, size_t count)
{
	const char *symfs = syms->opt.archived ? NULL : syms->opt.symfs;

	if (!symfs && syms->session && syms->session->live) {
		say("not using symbols of %zu file%s of this machine, as programs run other files of %s: %s; the programs' files were replaced or deleted, or reading them needs CAP_SYS_PTRACE",
		    count, plural(count), count == 1 ? "this name" : "these names", names);
		return;
	}
	say("not using symbols of %zu file%s %s%s, whose build id%s the recorded one%s: %s; point --symfs at the recorded files",
	    count, plural(count), symfs ? "below --symfs " : syms->opt.archived ? "of the archive" :
	    "of this machine", symfs ? symfs : "", count == 1 ? " differs from" : "s differ from",
	    plural(count), names);
}

static int pid_order(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void say_no_map(struct symbols *syms)
{
	size_t count = syms->nr_no_map, i;
	char *pids = xformat("%s", "");

	if (count)
		qsort(syms->no_map, count, sizeof(*syms->no_map), pid_order);
	for (i = 0; i < count && i < NAMED; i++)
		pids = xappend(pids, "%s%" PRId32, i ? ", " : "", syms->no_map[i]);
	if (count)
		say("code that %zu process%s made has no names (pid %s%s): let the compiler write %s/tmp/perf-PID.map; one from a container has the pid there in its name, so copy it to this name",
		    count, count == 1 ? "" : "es", pids, count > NAMED ? " and others" : "",
		    syms->opt.symfs ? syms->opt.symfs : "");
	free(pids);
}

static void say_doubts(const struct absent *a)
{
	static const char *const why[NR_DOUBTS] = {
		[DOUBT_TIME] = "several were at the address over time, and the time of the sample is unknown; record with timestamps (ts_enable=1), without -k",
		[DOUBT_FORKS] = "what their process inherited over more than 256 forks is not followed; begin the recording when the process already runs",
		[DOUBT_CROWD] = "more than 512 programs, or mappings of the address, come into question, and so many are not compared; record fewer processes, or with context switches and timestamps",
	};
	unsigned int i;

	for (i = DOUBT_NONE + 1; i < NR_DOUBTS; i++) {
		uint64_t count = a->doubts[i];

		if (count)
			say("%" PRIu64 " sample%s no object: %s", count, count == 1 ? " has" : "s have", why[i]);
		else if (a->data_doubts[i])
			say("some data addresses have no object: %s", why[i]);
	}
}

void absent_say(const struct absent *a, struct symbols *syms)
{
	enum dso_lack *lacks = symbols_lacks(syms, (const char *const *)a->names, a->nr);
	const char **names;
	size_t count;
	char *text;

	names = unsaid(a, lacks, LACK_FILE, &count);
	if (count)
		say_missing(syms, names, count);
	free(names);
	names = unsaid(a, lacks, LACK_DELETED, &count);
	if (count)
		say_deleted(syms, names, count);
	free(names);
	names = unsaid(a, lacks, LACK_SAME, &count);
	text = list(names, count);
	if (count)
		say_different(syms, text, count);
	free(text);
	free(names);
	names = unsaid(a, lacks, LACK_WHICH, &count);
	text = list(names, count);
	if (count)
		say("%zu name%s of several files, one after the other or in several containers, and nothing tells them apart, so their code has no symbols: %s; record with --buildid-mmap",
		    count, count == 1 ? " is" : "s are", text);
	free(text);
	free(names);
	free(lacks);
	say_no_map(syms);
	say_doubts(a);
}

void absent_free(struct absent *a)
{
	free(a->names);
	hash_table_free(&a->known);
	memset(a, 0, sizeof(*a));
}
