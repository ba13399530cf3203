// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* A checkout or an unpacked archive writes its files within this time, in any order. */
#define SECONDS_APART	60

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The end of @word in @line, not as a part of another word; or NULL */
static const char *find_word(const char *line, const char *word, size_t len)
{
	const char *at = line;

	for (; (at = strstr(at, word)); at++)
		if ((at == line || !is_word(at[-1])) && !is_word(at[len]))
			return at + len;
	return NULL;
}

/* Whether a line begins to define a function, as C does: at the left, and without a semicolon */
static bool defines(const char *line, const char *name, size_t len)
{
	const char *behind = find_word(line, name, len);

	return behind && (is_word(*line) || *line == '*') && behind[strspn(behind, " ")] == '(' &&
	       !strchr(behind, ';');
}

/*
 * Whether the file has the function in another line.  A function whose name is not in the file at
 * all may come from a macro: it has not moved.
 */
static bool has_moved(const struct source_text *t, const struct inline_frame *f)
{
	size_t len = 0, i;

	while (is_word(f->name[len]))
		len++;
	/* "operator()", "~box", "max<int>", "{closure}" */
	if (!len || f->name[len] || f->line <= 0)
		return false;
	if ((size_t)f->line <= t->nr_lines && find_word(t->lines[f->line - 1], f->name, len))
		return false;
	for (i = 0; i < t->nr_lines; i++)
		if (defines(t->lines[i], f->name, len))
			return true;
	return false;
}

char *source_mismatch_at(const struct source_text *t, struct dso *dso, uint64_t address)
{
	struct inline_frame frames[INLINE_DEPTH];
	size_t nr = inline_find(dso, address, frames, INLINE_DEPTH), i;

	for (i = 0; i < nr; i++)
		if (frames[i].name && frames[i].file && !strcmp(frames[i].file, t->path) &&
		    has_moved(t, &frames[i]))
			return xformat("the program was compiled from another version, in which %s is in line %d",
				       frames[i].name, frames[i].line);
	return NULL;
}

char *source_mismatch(struct source_text *t, struct dso *dso, int64_t changed)
{
	uint8_t wanted[MD5_BYTES];
	int last = srcline_last(dso, t->path);
	struct stat st;
	bool known;

	elf_lock();
	known = source_sum(dso, t->path, wanted);
	elf_unlock();
	if (known) {
		t->sure = !memcmp(wanted, t->sum, MD5_BYTES);
		return t->sure ? NULL :
			xformat("the program was compiled from another version, with another MD5 sum");
	}
	if (last > 0 && (size_t)last > t->nr_lines)
		return xformat("the program was compiled from another version, which had a line %d", last);
	if (!stat(dso->path, &st) && changed > st.st_mtime + SECONDS_APART)
		return xformat("it is newer than the program");
	return NULL;
}
