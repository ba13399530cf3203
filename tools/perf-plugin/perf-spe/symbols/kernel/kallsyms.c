// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/kallsyms: "ADDRESS TYPE NAME" and for modules "\t[MODULE]".
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "util/util.h"

#define BYTES_MAX (1u << 28)	/* ten times what a large kernel has */

const char *kallsyms_owner(bool guest)
{
	return guest ? "guest's" : "recorded machine's";
}

static int fail(const char *path, const char *why, bool guest)
{
	say("cannot read kernel symbols from %s: %s; name a copy of the %s /proc/kallsyms", path, why,
	    kallsyms_owner(guest));
	return -1;
}

/* Files of /proc have size 0, so read to the end. */
static char *read_all(const char *path, size_t *len, bool guest)
{
	size_t room = 0, got;
	char *text = NULL;
	FILE *f = fopen(path, "re");

	*len = 0;
	if (!f) {
		fail(path, strerror(errno), guest);
		return NULL;
	}
	output_protect(fileno(f));
	do {
		room = room ? 2 * room : 1 << 20;
		text = xrealloc(text, room);
		got = fread(text + *len, 1, room - *len - 1, f);
		*len += got;
	} while (got && !ferror(f) && *len < BYTES_MAX);
	if (ferror(f)) {
		fail(path, strerror(errno), guest);
	} else if (got) {
		fail(path, "it is too large for a kallsyms file; copy /proc/kallsyms again", guest);
	} else {
		text[*len] = '\0';
		fclose(f);
		return text;
	}
	free(text);
	fclose(f);
	return NULL;
}

/*
 * Read a hexadecimal number; returns its end, or NULL for none or more than 64 bits.
 * strtoull() would take half of the time that the file takes.
 */
static char *parse_hex(char *text, uint64_t *number)
{
	char *at = text;

	*number = 0;
	for (; isxdigit((unsigned char)*at); at++) {
		unsigned int digit = (unsigned char)*at;

		/* '0' is 0x30; 'A' and 'a' are 0x41 and 0x61, so add 9 to the low bits. */
		digit = (digit & 0xf) + (digit >> 6) * 9;
		*number = *number << 4 | digit;
	}
	return at == text || at - text > 16 ? NULL : at;
}

/* Split a line in place.  False if it has another form. */
static bool parse_line(char *line, struct symbol *symbol, char *type)
{
	char *end;

	memset(symbol, 0, sizeof(*symbol));
	end = parse_hex(line, &symbol->start);
	symbol->end = symbol->start;
	if (!end || end[0] != ' ' || !end[1] || end[2] != ' ' ||
	    !end[3] || isspace((unsigned char)end[3]))
		return false;
	*type = end[1];
	symbol->name = end + 3;
	end = strchr(end + 3, '\t');
	if (end) {
		*end = '\0';
		symbol->module = end + 1;
	}
	return true;
}

static bool is_text(const struct symbol *symbol, char type)
{
	/* "$x" and "$d" mark code and data in Arm objects. */
	return strchr("tTwW", type) && symbol->name[0] != '$';
}

/* Variables: of .data, .bss and .rodata, and weak ones ("man nm") */
static bool is_data(const struct symbol *symbol, char type)
{
	return strchr("dDbBrRvV", type) && symbol->name[0] != '$';
}

/* Give the symbols from @first on names of their own: these are a third of the text, or less. */
static void keep_names(struct symtab *t, size_t first)
{
	size_t bytes = 1, i;
	char *block, *at;

	for (i = first; i < t->count; i++)
		bytes += strlen(t->symbols[i].name) + 1 +
			 (t->symbols[i].module ? strlen(t->symbols[i].module) + 1 : 0);
	block = at = xcalloc(bytes, 1);
	for (i = first; i < t->count; i++) {
		struct symbol *s = &t->symbols[i];
		const char *name = s->name, *module = s->module;

		s->name = at;
		at = stpcpy(at, name) + 1;
		if (!module)
			continue;
		s->module = at;
		at = stpcpy(at, module) + 1;
	}
	symtab_own(t, block, bytes);
}

/* Add the symbols of a text, in which their names stay.  Returns 0, or -1 after a message. */
static int add_symbols(const char *path, char *text, size_t len, struct symtab *t, bool data, bool guest)
{
	size_t line_nr = 0;
	char *line, *next;
	uint64_t seen = 0;

	if (strlen(text) != len)
		return fail(path, "it holds zero bytes; copy /proc/kallsyms again", guest);
	for (line = text; *line; line = next) {
		struct symbol symbol;
		char type;

		line_nr++;
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (!parse_line(line, &symbol, &type)) {
			say("cannot read kernel symbols from %s: line %zu is not 'ADDRESS TYPE NAME'; copy /proc/kallsyms again",
			    path, line_nr);
			return -1;
		}
		seen |= symbol.start;
		symbol.rank = strchr("vVwW", type) ? RANK_WEAK :
			      isupper((unsigned char)type) ? RANK_GLOBAL : RANK_LOCAL;
		if ((data ? is_data : is_text)(&symbol, type))
			symtab_add(t, &symbol);
	}
	symtab_tell(t, path);
	if (seen)
		return 0;
	return fail(path, line_nr ?
		    "all addresses are zero; copy it as root, with kernel.kptr_restrict at most 1" :
		    "it is empty; copy /proc/kallsyms again", guest);
}

int kallsyms_load(const char *path, struct symtab *t, bool data, bool guest)
{
	size_t len, first = t->count;
	char *text = read_all(path, &len, guest);
	int err = -1;

	if (!text)
		return err;
	err = add_symbols(path, text, len, t, data, guest);
	keep_names(t, first);
	free(text);
	return err;
}
