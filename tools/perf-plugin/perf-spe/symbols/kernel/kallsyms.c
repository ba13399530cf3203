// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/kallsyms: "ADDRESS TYPE NAME" and for modules "\t[MODULE]".
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "util/util.h"

#define BYTES_MAX (1u << 28)	/* ten times what a large kernel has */
#define CHUNK (1u << 16)	/* bytes to read at once, and to allocate for names */

const char *kallsyms_owner(bool guest)
{
	return guest ? "guest's" : "recorded machine's";
}

/* First digits of an address, which mostly are those of the line before */
#define SAME	12u

struct before {
	char digits[SAME];
	uint64_t number;
};

struct reader {
	const char *path;
	bool data, guest;
	struct symtab *to;
	uint64_t edata;			/* the address of _edata; 0: not found */
	struct before before;
	uint64_t seen;			/* bits of all addresses */
	size_t line_nr;
	char *names;			/* room for names, of @left bytes */
	size_t left;
	const char *module;		/* of the symbol before */
};

static int fail(const struct reader *r, const char *why)
{
	say("cannot read kernel symbols from %s: %s; name a copy of the %s /proc/kallsyms", r->path, why,
	    kallsyms_owner(r->guest));
	return -1;
}

/* One more than what a hexadecimal digit counts for; 0 for another character */
static const uint8_t digits_of[256] = {
	['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ['A'] = 11, 12, 13, 14, 15, 16,
	['a'] = 11, 12, 13, 14, 15, 16,
};

/* Read a hexadecimal number before @end; returns its end, or NULL for none or more than 64 bits. */
static const char *parse_hex(const char *text, const char *end, struct before *before,
			     uint64_t *number)
{
	const bool same = (size_t)(end - text) > SAME && !memcmp(text, before->digits, SAME);
	const char *at = same ? text + SAME : text;
	unsigned int digit;
	uint64_t all;
	size_t digits;

	for (all = same ? before->number : 0;
	     at < end && (digit = digits_of[(unsigned char)*at]); at++)
		all = all << 4 | (digit - 1);
	*number = all;
	digits = (size_t)(at - text);
	if (!digits || digits > 16)
		return NULL;
	if (!same && digits >= SAME) {
		memcpy(before->digits, text, SAME);
		before->number = all >> 4 * (digits - SAME);
	}
	return at;
}

/* Split a line that ends at @end.  False if it has another form. */
static bool parse_line(const char *line, const char *end, struct before *before, uint64_t *address,
		       const char **name, char *type)
{
	const char *at = parse_hex(line, end, before, address);

	if (!at || end - at < 4 || at[0] != ' ' || at[2] != ' ' || at[3] == ' ' ||
	    (at[3] >= '\t' && at[3] <= '\r'))
		return false;
	*type = at[1];
	*name = at + 3;
	return true;
}

/* Functions, or variables: of .data, .bss and .rodata, and weak ones ("man nm") */
static inline bool is_wanted(const char *name, char type, bool data)
{
	const char small = (char)(type | 0x20);

	/* "$x" and "$d" mark code and data in Arm objects. */
	return name[0] != '$' && (data ? small == 'd' || small == 'b' || small == 'r' || small == 'v' :
					 small == 't' || small == 'w');
}

static const char *keep(struct reader *r, const char *text, size_t len)
{
	char *kept;

	if (len >= r->left) {
		r->left = len < CHUNK ? CHUNK : len + 1;
		r->names = xrealloc(NULL, r->left);
		symtab_own(r->to, r->names, r->left);
	}
	kept = memcpy(r->names, text, len);
	kept[len] = '\0';
	r->names += len + 1;
	r->left -= len + 1;
	return kept;
}

static void add_symbol(struct reader *r, uint64_t address, const char *name, const char *end,
		       char type)
{
	const char *tab = memchr(name, '\t', (size_t)(end - name)), *module = tab ? tab + 1 : NULL;
	const size_t len = tab ? (size_t)(end - module) : 0;
	const char small = (char)(type | 0x20);
	const struct symbol symbol = {
		.start = address, .end = address,
		.name = keep(r, name, (size_t)((tab ? tab : end) - name)),
		.rank = small == 'v' || small == 'w' ? RANK_WEAK :
			type < 'a' ? RANK_GLOBAL : RANK_LOCAL,
		.module = !tab ? NULL : r->module && !strncmp(r->module, module, len) && !r->module[len] ?
			  r->module : keep(r, module, len),
	};

	r->module = symbol.module ? symbol.module : r->module;
	symtab_add(r->to, &symbol);
}

/*
 * Add the symbols of whole lines, of which the @last may have no newline.  Returns how many bytes
 * they have, or -1 after a message.
 */
static ssize_t add_lines(struct reader *r, const char *text, size_t len, bool last)
{
	const char *line, *end, *name, *end_of_text = text + len;
	uint64_t address;
	char type;

	for (line = text; line < end_of_text; line = end < end_of_text ? end + 1 : end) {
		end = memchr(line, '\n', (size_t)(end_of_text - line));
		if (!end && !last)
			break;
		end = end ? end : end_of_text;
		r->line_nr++;
		if (!parse_line(line, end, &r->before, &address, &name, &type)) {
			say("cannot read kernel symbols from %s: line %zu is not 'ADDRESS TYPE NAME'; copy /proc/kallsyms again",
			    r->path, r->line_nr);
			return -1;
		}
		r->seen |= address;
		if (is_wanted(name, type, r->data))
			add_symbol(r, address, name, end, type);
		if (*name == '_' && end - name == 6 && !memcmp(name, "_edata", 6))
			r->edata = address;
	}
	return line - text;
}

/* Files of /proc have size 0, so read to the end. */
static int read_file(struct reader *r, FILE *f)
{
	size_t room = CHUNK, have = 0, got = 1, all = 0;
	char *text = xrealloc(NULL, room);
	ssize_t used;
	int err = 0;

	while (!err && got) {
		got = fread(text + have, 1, room - have, f);
		have += got;
		all += got;
		if (ferror(f)) {
			err = fail(r, strerror(errno));
		} else if (all >= BYTES_MAX) {
			err = fail(r, "it is too large for a kallsyms file; copy /proc/kallsyms again");
		} else if (memchr(text + have - got, '\0', got)) {
			err = fail(r, "it holds zero bytes; copy /proc/kallsyms again");
		} else if ((used = add_lines(r, text, have, !got)) < 0) {
			err = -1;
		} else {
			have -= (size_t)used;
			memmove(text, text + used, have);
			room *= have == room ? 2 : 1;
			text = xrealloc(text, room);
		}
	}
	free(text);
	return err;
}

int kallsyms_load(const char *path, struct symtab *t, bool data, bool guest, uint64_t *edata)
{
	struct reader r = { .path = path, .data = data, .guest = guest, .to = t };
	FILE *f = fopen(path, "re");
	int err;

	if (!f)
		return fail(&r, strerror(errno));
	output_protect(fileno(f));
	err = read_file(&r, f);
	fclose(f);
	if (err)
		return err;
	if (edata)
		*edata = r.edata;
	symtab_tell(t, path);
	if (r.seen)
		return 0;
	return fail(&r, r.line_nr ?
		    "all addresses are zero; copy it as root, with kernel.kptr_restrict at most 1" :
		    "it is empty; copy /proc/kallsyms again");
}
