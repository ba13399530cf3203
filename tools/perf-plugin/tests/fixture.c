// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes SPE bytes or perf.data files from a description on standard input:
 *
 *   fixture raw OUT < description
 *   fixture perf OUT < description
 *   fixture pipe OUT < description      in the form of perf record -o -
 *   fixture zstd OUT < description      in that of perf record -z
 *
 * Each line adds one item.  Numbers are in C notation, -1 means "none":
 *
 *   rec KEY=VALUE...       append a record to the pending SPE bytes:
 *                          pc va pa target prev total issue xlat events class op
 *                          ctx1 ctx2 source ts align
 *   pad N / byte V...      append padding, or any bytes
 *   info TYPE              AUXTRACE_INFO, of version 1
 *   least N                the least interval that the CPUs of the next line recommend
 *   midrs CPUS MIDR...     AUXTRACE_INFO of Arm SPE, of version 2
 *   pmus-of-cpus CPUS TYPE...   the same with PMUs that differ
 *   comm PID TID TIME EXEC NAME
 *   map PID START LEN PGOFF TIME BUILD-ID NAME   BUILD-ID in hex, or -
 *   dmap PID TID START LEN PGOFF TIME PROT NAME   a mapping of data; PROT as of mmap(2)
 *   kmap START LEN PGOFF NAME
 *   fork PID PARENT TIME
 *   thread PID TID PARENT-TID TIME
 *   ksym START LEN TIME NAME / ksym-gone START LEN TIME NAME
 *   itrace PID TID CPU TIME
 *   switch OUT PID TID CPU TIME
 *   aux FLAGS [CPU [TIME]] / lost N / conv SHIFT MULT ZERO
 *   auxtrace IDX CPU TID OFFSET   the pending SPE bytes become AUX data
 *   event TYPE N           an event of any type with N zero bytes
 *   wide OUT PID TID CPU TIME OTHER-PID OTHER-TID   SWITCH_CPU_WIDE
 *   attr TYPE PERIOD FREQUENCY CONFIG CONFIG1 CONFIG2 CONFIG3 CONFIG4
 *                          add an attribute; the default is one of type 8
 *   parts BITS REGISTERS   samples of the last attribute also have PERF_SAMPLE_... BITS, and
 *                          these registers (a mask) where they are one of them
 *   calls PID TID CPU TIME WORD...   a sample with this call chain; reg WORD... and
 *                          bytes of "byte V..." before it are its registers and stack
 *   auxsample PID TID CPU TIME KEEP WORD...   the same with the pending SPE bytes, of
 *                          which the last KEEP stay pending
 *   owner N                the next events are of attribute N, from 0
 *   sample PERIOD          a sample of type 0
 *   physical               samples have physical addresses
 *   attrs N IDS            N attributes that share one list of IDS event ids
 *
 * fixture.h lists the lines for features of the header.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

struct words_attr fixture_told[FIXTURE_ATTRS];
unsigned int fixture_nr_told, fixture_owner;
uint64_t fixture_nr_attrs = 1, fixture_nr_ids = 1;

struct perf_event_attr fixture_attr = {
	.type = 8, .size = sizeof(fixture_attr), .config = 1,
	.sample_period = 1024, .sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
};

void fail(const char *what, const char *line)
{
	fprintf(stderr, "fixture: %s: %s\n", what, line);
	exit(2);
}

char *more_words(void)
{
	return strtok(NULL, " \n");
}

char *word(void)
{
	char *w = more_words();

	if (!w)
		fail("a word is missing", "");
	return w;
}

uint64_t number(void)
{
	char *w = word(), *stop;
	uint64_t value = *w == '-' ? (uint64_t)strtoll(w, &stop, 0) :
				     strtoull(w, &stop, 0);

	if (*stop)
		fail("not a number", w);
	return value;
}

/* fixture_attr TYPE PERIOD FREQUENCY CONFIG CONFIG1 ... CONFIG4 */
static void do_attr(void)
{
	struct words_attr *t = &fixture_told[fixture_nr_told++];
	uint64_t config;
	unsigned int i;

	if (fixture_nr_told > FIXTURE_ATTRS)
		fail("too many attributes", "");
	memcpy(&t->attr, &fixture_attr, sizeof(fixture_attr));
	t->attr.type = (uint32_t)number();
	t->attr.sample_period = number();
	t->attr.freq = number() & 1;
	t->attr.size = sizeof(*t);
	if (!t->attr.type)
		t->attr.sample_type |= PERF_SAMPLE_PERIOD;
	for (i = 0; i < 5; i++) {
		static const uint8_t at[5] = { 8, 56, 64, 128, 136 };

		config = number();
		memcpy((uint8_t *)t + at[i], &config, 8);
	}
}

static bool attr_line(const char *verb)
{
	if (!strcmp(verb, "attr")) {
		do_attr();
	} else if (!strcmp(verb, "parts")) {
		struct words_attr *t = &fixture_told[fixture_nr_told - 1];

		t->attr.sample_type |= number();
		t->attr.sample_regs_user = number();
	} else if (!strcmp(verb, "owner")) {
		fixture_owner = (unsigned int)number();
	} else if (!strcmp(verb, "physical")) {
		fixture_attr.sample_type |= PERF_SAMPLE_PHYS_ADDR;
	} else if (!strcmp(verb, "attrs")) {
		fixture_nr_attrs = number();
		fixture_nr_ids = number();
	} else {
		return false;
	}
	return true;
}

static void do_line(char *line)
{
	char *verb = strtok(line, " \n");

	if (!verb || *verb == '#')
		return;
	if (!record_line(verb) && !attr_line(verb) && !event_line(verb) &&
	    !feature_line(verb))
		fail("unknown line", verb);
}

int main(int argc, char **argv)
{
	char line[4096];
	FILE *f;

	if (argc != 3)
		fail("usage", "fixture raw|perf|pipe|zstd OUT < description");
	while (fgets(line, sizeof(line), stdin))
		do_line(line);
	if (fixture_spe.overflow)
		fail("too many SPE bytes", "");
	if (!strcmp(argv[1], "zstd"))
		compress();
	f = fopen(argv[2], "wb");
	if (!f)
		fail("cannot write", argv[2]);
	if (!strcmp(argv[1], "raw"))
		fwrite(fixture_spe.bytes, fixture_spe.len, 1, f);
	else if (!strcmp(argv[1], "pipe"))
		write_pipe(f);
	else
		write_perf(f);
	return fclose(f) ? 1 : 0;
}
