// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads Linux's register descriptions.  The head of arch/arm64/tools/sysreg describes their
 * syntax.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sysreg.h"

const char * const subject_names[SUBJECTS] = { "regs.h", "model" };
struct fact facts[4096];
struct entry entries[256];
int nr_facts, nr_entries, nr_linux_registers;
char unreadable[256];

/* The block that the reader is in, and the enumeration within it. */
static char reg[32], field[32];
static bool wanted, listed;

bool same_word(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a == '_')
			a++;
		while (*b == '_')
			b++;
		if (toupper((unsigned char)*a) != toupper((unsigned char)*b))
			return false;
		if (!*a)
			return true;
	}
}

static void write_name(const struct fact *fact, char *name, size_t size)
{
	snprintf(name, size, "%s%s%s%s%s", fact->reg, *fact->field ? "." : "",
		 fact->field, *fact->value ? "." : "", fact->value);
}

const char *sysreg_name(const struct fact *fact)
{
	static char name[128];

	write_name(fact, name, sizeof(name));
	return name;
}

struct fact *sysreg_fact(const char *name)
{
	char other[128];

	for (int i = 0; i < nr_facts; i++) {
		write_name(&facts[i], other, sizeof(other));
		if (!strcmp(other, name))
			return &facts[i];
	}
	return NULL;
}

/* A fact in registers.list must be missing from Linux's file. */
static void add_fact(const char *value, uint64_t number)
{
	struct fact new = { .number = number, .from_list = listed };
	struct fact *old;

	snprintf(new.reg, sizeof(new.reg), "%s", reg);
	snprintf(new.field, sizeof(new.field), "%s", field);
	snprintf(new.value, sizeof(new.value), "%s", value);
	old = sysreg_fact(sysreg_name(&new));
	/* The list repeats the register or field to which it adds something. */
	if (old && listed && !old->from_list && !*value && old->number == number)
		return;
	if (old)
		snprintf(unreadable, sizeof(unreadable), "%s is described twice",
			 sysreg_name(&new));
	else if (nr_facts < (int)(sizeof(facts) / sizeof(facts[0])))
		facts[nr_facts++] = new;
	else
		snprintf(unreadable, sizeof(unreadable), "too many facts");
}

/* The shifts are Op0_shift, Op1_shift, ... of Linux's arch/arm64/include/asm/sysreg.h. */
static bool read_register(char * const *words, int count)
{
	static const int shifts[] = { 19, 16, 12, 8, 5 };
	uint64_t encoding = 0;

	if (count != 7)
		return false;
	snprintf(reg, sizeof(reg), "%s", words[1]);
	*field = 0;
	for (int i = 0; i < 5; i++)
		encoding |= strtoull(words[2 + i], NULL, 10) << shifts[i];
	nr_linux_registers += !listed;
	/* SPE does not use the other registers. */
	wanted = listed || !strncmp(reg, "PMS", 3) || !strncmp(reg, "PMB", 3) ||
		 !strncmp(reg, "ID_AA64DFR", 10) || !strcmp(reg, "MDCR_EL2") ||
		 !strcmp(reg, "HFGITR_EL2");
	if (wanted)
		add_fact("", encoding);
	return true;
}

static bool read_field(const char *bits, const char *name)
{
	char *end;
	unsigned long hi = strtoul(bits, &end, 10), lo = hi;

	if (*end == ':')
		lo = strtoul(end + 1, &end, 10);
	if (*end || hi > 63 || lo > hi)
		return false;
	snprintf(field, sizeof(field), "%s", name);
	add_fact("", (~0ULL >> (63 - hi)) & (~0ULL << lo));
	return true;
}

static bool read_entry(char * const *words, int count)
{
	static const char * const names[] = { "Omit", "Same", "Own" };
	struct entry *e = &entries[nr_entries];
	int word = 0, subject = 0;

	while (word < 3 && strcmp(words[0], names[word]))
		word++;
	while (subject < SUBJECTS && count > 2 && strcmp(words[1], subject_names[subject]))
		subject++;
	/* An entry must have a reason, or the other name. */
	if (!listed || word == 3 || subject == SUBJECTS || count < 4 ||
	    nr_entries == (int)(sizeof(entries) / sizeof(entries[0])))
		return false;
	nr_entries++;
	e->word = word;
	e->subject = subject;
	snprintf(e->name, sizeof(e->name), "%s", words[2]);
	snprintf(e->target, sizeof(e->target), "%s", words[3]);
	return true;
}

static bool read_line(char * const *words, int count)
{
	const char *word = words[0];

	if (!strcmp(word, "Sysreg"))
		return read_register(words, count);
	if (!strncmp(word, "SysregFields", 12) || !strncmp(word, "End", 3)) {
		wanted &= !strcmp(word, "EndEnum");
		return true;
	}
	if (!strcmp(word, "Omit") || !strcmp(word, "Same") || !strcmp(word, "Own"))
		return read_entry(words, count);
	if (!wanted || !strncmp(word, "Res", 3) || !strcmp(word, "Unkn") || !strcmp(word, "Raz") ||
	    !strcmp(word, "Mapping"))
		return true;
	if (!strcmp(word, "Field") || !strcmp(word, "Enum") || !strcmp(word, "UnsignedEnum") ||
	    !strcmp(word, "SignedEnum"))
		return count == 3 && read_field(words[1], words[2]);
	if (strncmp(word, "0b", 2) || count != 2 || !*field)
		return false;
	add_fact(words[1], strtoull(word + 2, NULL, 2));
	return true;
}

void sysreg_read(const char *path, bool from_list)
{
	FILE *file = fopen(path, "r");
	char line[256], copy[256];

	listed = from_list;
	wanted = false;
	if (!file) {
		snprintf(unreadable, sizeof(unreadable), "cannot open %.200s", path);
		return;
	}
	while (fgets(line, sizeof(line), file)) {
		char *words[8], *rest = NULL;
		int count = 0;

		snprintf(copy, sizeof(copy), "%s", line);
		for (char *w = strtok_r(line, " \t\n", &rest); w && count < 8;
		     w = strtok_r(NULL, " \t\n", &rest)) {
			if (*w == '#')
				break;
			words[count++] = w;
		}
		if (count && !read_line(words, count) && !*unreadable)
			snprintf(unreadable, sizeof(unreadable), "%s", copy);
	}
	fclose(file);
}
