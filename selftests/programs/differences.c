// SPDX-License-Identifier: GPL-2.0-only
/*
 * differences RULES CONFIGURATION LOG FIRST SECOND [USED]: compares what the program differ has
 * printed for two drivers in one guest, and what the drivers wrote into the unit's registers.
 *
 * FIRST and SECOND hold the drivers' facts, LOG the model's trace with the events
 * spe_register_write, spe_sample and spe_write.  RULES lists the allowed differences, see
 * selftests/rig/lists/allowed-differences; the lines of the rules that matched are appended to the
 * file USED.  Prints every other difference and a line of counts; exits with 0 if there is
 * none.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ATTRS	4096
#define MAX_FACTS	65536
#define MAX_RULES	256
/*
 * With few records it is chance whether any is written.  If one driver has this many, the
 * probability that the other has none by chance is e^-16, one in ten million.
 */
#define FEW_RECORDS	16
#define FIRST_MARKER	0xa00000ULL
#define LAST_MARKER	0xbfffffULL

struct fact {
	char *key;
	char *value;
	int attr;		/* its number, or -1 for a fact of sysfs */
};

/* The facts of a driver. */
static struct driver {
	struct fact facts[MAX_FACTS];
	int nr;
	char *attrs[MAX_ATTRS];		/* as differ describes them */
	uint64_t samples[MAX_ATTRS], records[MAX_ATTRS];
	bool programmed[MAX_ATTRS], opened[MAX_ATTRS];
} drivers[2];

static struct rule {
	int line;
	bool used;
	regex_t key, context, values;
} rules[MAX_RULES];
static int nr_rules;

/* The registers that a session programs, in the order of names[]. */
enum { PMSCR, PMSICR, PMSIRR, PMSFCR, PMSEVFR, PMSNEVFR, PMSLATFR, PMSDSFR, PMBLIMITR, REGISTERS };
static const char * const names[REGISTERS] = {
	"PMSCR_EL1", "PMSICR_EL1", "PMSIRR_EL1", "PMSFCR_EL1", "PMSEVFR_EL1", "PMSNEVFR_EL1",
	"PMSLATFR_EL1", "PMSDSFR_EL1", "PMBLIMITR_EL1",
};

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "differences: %s: %s\n", what, which);
	exit(2);
}

static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file)
		fail("cannot open", path);
	return file;
}

static void add_fact(struct driver *d, int attr, const char *key, const char *value)
{
	if (d->nr == MAX_FACTS)
		fail("too many facts", key);
	d->facts[d->nr++] = (struct fact) { strdup(key), strdup(value), attr };
}

/* Lines are "sysfs FILE CONTENT" or "WORD K VALUE". */
static void read_facts(struct driver *d, const char *path)
{
	FILE *file = open_file(path);
	char *line = NULL, key[512];
	size_t size = 0;

	while (getline(&line, &size, file) > 0) {
		char *word = strtok(line, " "), *second = strtok(NULL, " "), *rest = strtok(NULL, "\n");
		int attr;

		if (!rest)
			fail("cannot parse a line of", path);
		if (!strcmp(word, "sysfs")) {
			snprintf(key, sizeof(key), "sysfs %s", second);
			add_fact(d, -1, key, rest);
			continue;
		}
		attr = atoi(second);
		if (attr < 0 || attr >= MAX_ATTRS)
			fail("too many attributes", path);
		if (!strcmp(word, "attr")) {
			d->attrs[attr] = strdup(rest);
			continue;
		}
		d->opened[attr] |= !strcmp(word, "open") && !strcmp(rest, "0");
		add_fact(d, attr, word, rest);
	}
	free(line);
	fclose(file);
}

/* Adds the facts of the session that begins with this write of PMSCR_EL1. */
static void add_session(struct driver *d, int attr, const uint64_t *regs)
{
	/* PMSFCR_EL1 enables the filters (D24.7.12); skip the registers of disabled ones. */
	static const int enables[REGISTERS] = {
		[PMSEVFR] = 1 << 0, [PMSLATFR] = 1 << 2, [PMSNEVFR] = 1 << 3, [PMSDSFR] = 1 << 4,
	};
	char value[32];

	d->programmed[attr] = true;
	for (int i = 0; i < REGISTERS; i++) {
		uint64_t number = regs[i];

		if (enables[i] && !(regs[PMSFCR] & enables[i]))
			continue;
		/* Each driver may choose another address for the buffer. */
		if (i == PMBLIMITR)
			number &= 0xfff;
		/* The registers of the enabled filters already show which bits are set. */
		if (i == PMSFCR)
			number &= ~0x1dULL;
		snprintf(value, sizeof(value), "0x%" PRIx64, number);
		add_fact(d, attr, names[i], value);
	}
}

static void read_log(const char *path)
{
	FILE *file = open_file(path);
	uint64_t regs[REGISTERS] = { 0 }, value;
	char line[256], name[32];
	struct driver *d = NULL;
	int attr = -1, cpu;

	while (fgets(line, sizeof(line), file)) {
		bool marker = regs[PMSIRR] >> 8 >= FIRST_MARKER && regs[PMSIRR] >> 8 <= LAST_MARKER;
		int i = 0;

		if (strstr(line, "spe_sample ") && d && !marker)
			d->samples[attr]++;
		if (strstr(line, "spe_write ") && d && !marker)
			d->records[attr]++;
		if (sscanf(line, "spe_register_write cpu %d %31s %" SCNx64, &cpu, name, &value) != 3)
			continue;
		while (i < REGISTERS && strcmp(name, names[i]))
			i++;
		if (i == REGISTERS)
			continue;
		regs[i] = value;
		if (i == PMSIRR && value >> 8 >= FIRST_MARKER && value >> 8 <= LAST_MARKER) {
			d = &drivers[(value >> 8) - FIRST_MARKER >= 0x100000];
			attr = (value >> 8) & 0xfffff;
			if (attr >= MAX_ATTRS)
				fail("invalid marker in the log", line);
		}
		if (i == PMSCR && value & 3 && d && !marker && !d->programmed[attr])
			add_session(d, attr, regs);
	}
	fclose(file);
}

static void compile(regex_t *regex, const char *text, int line)
{
	char anchored[1100], where[32];

	while (*text == ' ')
		text++;
	snprintf(anchored, sizeof(anchored), "^%s$", text);
	snprintf(where, sizeof(where), "line %d", line);
	if (regcomp(regex, anchored, REG_EXTENDED | REG_NOSUB))
		fail("invalid pattern in the rules", where);
}

/* Each rule is KEY | CONTEXT | FIRST | SECOND | REASON; the first four are patterns. */
static void read_rules(const char *path)
{
	FILE *file = open_file(path);
	char line[1024], values[1024];

	for (int number = 1; fgets(line, sizeof(line), file); number++) {
		char *field[5], *at = line;
		int n = 0;

		if (*line == '#' || *line == '\n')
			continue;
		for (; n < 5 && at; n++) {
			char *end = strstr(at, " | ");

			field[n] = at;
			at = end ? end + 3 : NULL;
			while (end && end > field[n] && end[-1] == ' ')
				end--;
			if (end)
				*end = 0;
		}
		if (n < 5 || at || nr_rules == MAX_RULES)
			fail("a rule must have five fields", line);
		rules[nr_rules].line = number;
		compile(&rules[nr_rules].key, field[0], number);
		compile(&rules[nr_rules].context, field[1], number);
		snprintf(values, sizeof(values), "%s => %s", field[2], field[3]);
		compile(&rules[nr_rules].values, values, number);
		nr_rules++;
	}
	fclose(file);
}

static bool matches(const regex_t *regex, const char *text)
{
	return !regexec(regex, text, 0, NULL, 0);
}

static bool allowed(const char *key, const char *context, const char *a, const char *b)
{
	char values[8192];

	snprintf(values, sizeof(values), "%s => %s", a, b);
	for (int i = 0; i < nr_rules; i++) {
		if (!matches(&rules[i].key, key) || !matches(&rules[i].context, context) ||
		    !matches(&rules[i].values, values))
			continue;
		rules[i].used = true;
		return true;
	}
	return false;
}

static struct fact *find(struct driver *d, int attr, const char *key)
{
	for (int i = 0; i < d->nr; i++)
		if (d->facts[i].attr == attr && !strcmp(d->facts[i].key, key))
			return &d->facts[i];
	return NULL;
}

static int compared, tolerated, wrong;
static const char *configuration;

static void judge(int attr, const char *key, const char *a, const char *b)
{
	char context[1024];

	compared++;
	if (!strcmp(a, b))
		return;
	snprintf(context, sizeof(context), "%s : %s", configuration,
		 attr < 0 ? "" : drivers[0].attrs[attr]);
	if (allowed(key, context, a, b)) {
		tolerated++;
		return;
	}
	wrong++;
	printf("%s: in-tree %s, ours %s", key, a, b);
	if (attr >= 0)
		printf("; attribute %d: %s", attr, drivers[0].attrs[attr]);
	printf("\n");
}

/* One driver has few records and the other none: the facts that depend on it may differ. */
static bool by_chance(const struct fact *f)
{
	uint64_t a, b;

	if (f->attr < 0 || (strcmp(f->key, "data") && strcmp(f->key, "aux")))
		return false;
	a = drivers[0].records[f->attr];
	b = drivers[1].records[f->attr];
	return (!a && b < FEW_RECORDS) || (!b && a < FEW_RECORDS);
}

/* If one driver refuses an attribute, the other's registers cannot be compared. */
static void compare_facts(struct driver *d, struct driver *other, bool reverse)
{
	for (int i = 0; i < d->nr; i++) {
		struct fact *f = &d->facts[i];
		struct fact *twin = find(other, f->attr, f->key);
		bool refused = f->attr >= 0 && (!d->opened[f->attr] || !other->opened[f->attr]);

		if (by_chance(f))
			continue;
		if (reverse && !twin && !refused)
			judge(f->attr, f->key, "absent", f->value);
		if (!reverse && (!refused || !strcmp(f->key, "open")))
			judge(f->attr, f->key, f->value, twin ? twin->value : "absent");
	}
}

/*
 * In user space the number of samples depends only on the interval, because the program
 * executes the same instructions each time.  Jitter adds some variation.
 */
static void compare_samples(int attr)
{
	uint64_t a = drivers[0].samples[attr], b = drivers[1].samples[attr];
	uint64_t larger = a > b ? a : b, smaller = a > b ? b : a;
	const char *text = drivers[0].attrs[attr];
	char first[32], second[32];

	if (!drivers[0].programmed[attr] || !drivers[1].programmed[attr] ||
	    !strstr(text, " exclude_kernel") || strstr(text, " exclude_user"))
		return;
	snprintf(first, sizeof(first), "%" PRIu64, a);
	snprintf(second, sizeof(second), "%" PRIu64, b);
	judge(attr, "samples", first, larger - smaller <= 2 + larger / 20 ? first : second);
}

static int compare_attributes(void)
{
	int attrs = 0;

	for (int i = 0; i < MAX_ATTRS; i++) {
		const char *a = drivers[0].attrs[i], *b = drivers[1].attrs[i];

		if (!a && !b)
			continue;
		if (!a || !b || strcmp(a, b))
			fail("the drivers got different attributes", a ? a : b);
		attrs++;
		compare_samples(i);
		for (int k = 0; k < 2; k++) {
			struct fact *f = find(&drivers[k], i, "mmap");

			/* A session that was mapped must have written registers. */
			if (f && !strcmp(f->value, "0") && !drivers[k].programmed[i] &&
			    drivers[!k].opened[i] &&
			    !strstr(a, "exclude_user exclude_kernel"))
				judge(i, "programmed", k ? "yes" : "no", k ? "no" : "yes");
		}
	}
	return attrs;
}

int main(int argc, char **argv)
{
	FILE *used = NULL;
	int attrs;

	if (argc < 6)
		fail("usage", "RULES CONFIGURATION LOG FIRST SECOND [USED]");
	read_rules(argv[1]);
	configuration = argv[2];
	read_facts(&drivers[0], argv[4]);
	read_facts(&drivers[1], argv[5]);
	read_log(argv[3]);
	attrs = compare_attributes();
	compare_facts(&drivers[0], &drivers[1], false);
	compare_facts(&drivers[1], &drivers[0], true);
	if (argc > 6)
		used = fopen(argv[6], "a");
	for (int i = 0; used && i < nr_rules; i++)
		if (rules[i].used)
			fprintf(used, "%d\n", rules[i].line);
	if (used)
		fclose(used);
	printf("%d attributes, %d facts compared, %d differences allowed, %d not\n",
	       attrs, compared, tolerated, wrong);
	return wrong || !attrs;
}
