// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the loads and stores of a program accessed, by the program's own table of its objects.
 *
 *   judge LISTING TABLE CONSTANTS SIZE < LOG
 *
 * LISTING is objdump's, TABLE what witness.c printed, CONSTANTS where .rodata is, and LOG the one
 * of QEMU with all registers before each instruction.  Prints a line for each load or store that
 * ran: its PC, the first address, and the answers that are right for each access that it made, as
 * "TYPE,FIELD;...".
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

#define CODE_MAX	(1u << 20)	/* words of code */
#define FRAMES		256
#define PER_SITE	32		/* accesses that are kept of an instruction */

struct site {
	char *text;		/* the instruction */
	bool start;		/* a function begins here */
	uint32_t function;	/* which one the instruction is in */
	unsigned int count;
	struct access *at;
};

static struct site *sites;
static uint64_t code_base, object_call, forget_call;
static struct frame {
	uint64_t sp;		/* when the function was entered */
	uint32_t function;
	int64_t id;
} frames[FRAMES];
static unsigned int depth;
static int64_t frame_ids;
static uint64_t now;

static struct site *site_at(uint64_t pc)
{
	uint64_t at = (pc - code_base) / 4;

	return at < CODE_MAX ? &sites[at] : NULL;
}

static void read_listing(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[512], name[256];
	uint32_t functions = 0;
	struct site *site;
	uint64_t address;

	if (!f)
		exit(1);
	while (fgets(line, sizeof(line), f)) {
		bool label = sscanf(line, "%lx <%255[^>]>:", &address, name) == 2;
		char *tab = strchr(line, '\t');

		if (!label && (!tab || sscanf(line, " %lx:", &address) != 1))
			continue;
		if (!code_base)
			code_base = address & ~UINT64_C(4095);
		site = site_at(address);
		if (!site)
			continue;
		if (label) {
			site->start = true;
			functions++;
			object_call = strcmp(name, "witness_object") ? object_call : address;
			forget_call = strcmp(name, "witness_forget") ? forget_call : address;
		} else {
			site->text = strdup(tab + 1);
			site->function = functions;
		}
	}
	fclose(f);
}

/* x0 to x30, and at 31 the stack pointer */
static uint64_t reg_value(const uint64_t *x, const char *name)
{
	uint64_t value;

	if (!strncmp(name, "sp", 2))
		return x[31];
	if (!strncmp(name + 1, "zr", 2))
		return 0;
	value = x[strtoul(name + 1, NULL, 10) & 31];
	return name[0] == 'w' ? value & 0xffffffff : value;
}

/* "[x0, w1, sxtw #3]": the last part, as in "w1, sxtw #3" */
static uint64_t index_value(const uint64_t *x, const char *text)
{
	uint64_t value = reg_value(x, text);
	const char *amount = strchr(text, '#');

	if (strstr(text, "sxtw"))
		value = (uint64_t)(int32_t)value;
	return amount ? value << strtol(amount + 1, NULL, 0) : value;
}

/* The address that an instruction accesses; false: it is no load or store. */
static bool operand(const char *text, const uint64_t *x, uint64_t *address)
{
	static const char *const names[] = { "ld", "st", "swp", "cas" };
	const char *open = strchr(text, '['), *close, *comma;
	size_t i;

	for (i = 0; i < 4; i++)
		if (!strncmp(text, names[i], strlen(names[i])))
			break;
	if (i == 4)
		return false;
	if (!open) {	/* "ldr x0, 400600 <name>" */
		comma = strrchr(text, ',');
		return comma && sscanf(comma + 1, "%lx", address) == 1;
	}
	close = strchr(open, ']');
	comma = strchr(open, ',');
	*address = reg_value(x, open + 1);
	if (!close || !comma || comma > close)
		return close;
	comma++;
	while (*comma == ' ')
		comma++;
	if (*comma == '#')
		*address += (uint64_t)strtol(comma + 1, NULL, 0);
	else
		*address += index_value(x, comma);
	return true;
}

/* The bytes of an element of "ldrb w0, [x1]", "ldp x0, x1, [x2]" or "str q0, [x1]", by the mnemonic and register */
static unsigned int element_of(const char *text)
{
	const char *word = text + strcspn(text, " \t"), *reg = word + strspn(word, " \t");

	switch (word[-1]) {
	case 'b':
		return 1;
	case 'h':
		return 2;
	case 'w':	/* LDRSW, LDPSW */
		return 4;
	default:
		return *reg == 'q' ? 16 : *reg == 'x' || *reg == 'd' ? 8 :
		       *reg == 'w' || *reg == 's' ? 4 : *reg == 'h' ? 2 : *reg == 'b';
	}
}

/* The frame that contains the address: the innermost one whose sp at entry is above it */
static int64_t frame_of(uint64_t address, uint64_t sp)
{
	unsigned int i = depth;

	if (!depth || address + 65536 < sp || address > frames[0].sp + 65536)
		return NO_FRAME;
	while (i && frames[i - 1].sp <= address)
		i--;
	return i ? frames[i - 1].id : 0;
}

static void executed(uint64_t pc, const uint64_t *x)
{
	struct site *site = site_at(pc);
	struct access one = { .time = ++now };

	if (!site || !site->text)
		return;
	while (depth && (x[31] > frames[depth - 1].sp ||
			 (x[31] == frames[depth - 1].sp &&
			  site->function != frames[depth - 1].function)))
		depth--;
	if (site->start && depth < FRAMES)
		frames[depth++] = (struct frame){ x[31], site->function, ++frame_ids };
	one.by = depth ? frames[depth - 1].id : 0;
	if (pc == object_call || pc == forget_call) {
		/* These functions have a frame of their own. */
		one.by = depth > 1 ? frames[depth - 2].id : 0;
		one.address = x[0];
	} else if (!operand(site->text, x, &one.address)) {
		return;
	}
	one.bytes = element_of(site->text);
	one.frame = frame_of(one.address, x[31]);
	if (pc == object_call)
		table_object(&one);
	if (pc == forget_call)
		table_forget(x[0], now);
	if (pc == object_call || pc == forget_call)
		return;
	if (!site->at)
		site->at = calloc(PER_SITE, sizeof(*site->at));
	if (site->at && site->count < PER_SITE)
		site->at[site->count++] = one;
}

/* Each instruction has lines " PC=... X00=...", "X02=...", up to "... SP=...". */
static void read_log(FILE *f)
{
	uint64_t x[32] = { 0 }, pc = 0;
	char line[512], *at;

	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, " PC=", 4))
			pc = strtoull(line + 4, NULL, 16);
		for (at = strchr(line, 'X'); at && isdigit(at[1]); at = strchr(at + 1, 'X'))
			x[strtoul(at + 1, NULL, 10) & 31] = strtoull(at + 4, NULL, 16);
		at = strstr(line, " SP=");
		if (!at)
			continue;
		x[31] = strtoull(at + 4, NULL, 16);
		executed(pc, x);
	}
}

int main(int argc, char **argv)
{
	uint64_t constants;
	unsigned int i;

	sites = calloc(CODE_MAX, sizeof(*sites));
	if (argc != 5 || !sites)
		return 2;
	constants = strtoull(argv[3], NULL, 16);
	read_listing(argv[1]);
	table_read(argv[2], constants, constants + strtoull(argv[4], NULL, 16));
	read_log(stdin);
	for (i = 0; i < CODE_MAX; i++) {
		if (!sites[i].count)
			continue;
		printf("%016lx\t%lx\t", code_base + 4 * i, sites[i].at[0].address);
		table_answers(sites[i].at, sites[i].count);
		putchar('\n');
	}
	return 0;
}
