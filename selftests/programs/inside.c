// SPDX-License-Identifier: GPL-2.0-only
/*
 * Computes which records a filter must let pass (D17.5), from the records and the attributes
 * alone.  It uses neither the driver's registers nor the model's filter.
 *
 * usage: inside NAME=VALUE,... <RECORDS   (one record a line, in hexadecimal digits)
 *
 * Prints the lines that pass.  It knows the types branch, load and store, but not the filters
 * for floating-point and SIMD.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "record.h"

enum { BRANCH = 1, LOAD = 2, STORE = 4 };

struct filter {
	unsigned int type, mask;
	uint64_t events, absent, latency, bad_sources;
};

static const struct type {
	const char *name;
	unsigned int bit;
} types[] = {
	{ "branch_filter", BRANCH }, { "load_filter", LOAD }, { "store_filter", STORE },
};

/* Attributes that are not filters. */
static bool is_neutral(const char *name)
{
	return !strcmp(name, "ts_enable") || !strcmp(name, "jitter");
}

static bool take_type(struct filter *f, const char *name, uint64_t value)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		size_t length = strlen(types[i].name);

		if (strncmp(name, types[i].name, length))
			continue;
		if (!name[length])
			f->type |= value ? types[i].bit : 0;
		else if (!strcmp(name + length, "_mask"))
			f->mask |= value ? types[i].bit : 0;
		else
			return false;
		return true;
	}
	return false;
}

static bool take(struct filter *f, char *word)
{
	char *value = strchr(word, '='), *end;
	uint64_t number;

	if (!value)
		return false;
	*value++ = 0;
	number = strtoull(value, &end, 0);
	if (end == value || *end)
		return false;
	if (!strcmp(word, "event_filter"))
		f->events = number;
	else if (!strcmp(word, "inv_event_filter"))
		f->absent = number;
	else if (!strcmp(word, "min_latency"))
		f->latency = number;
	else if (!strcmp(word, "inv_data_src_filter"))
		f->bad_sources = number;
	else
		return is_neutral(word) || take_type(f, word, number);
	return true;
}

/* RNYZKJ: any of the types without a mask, and exactly the types with a mask. */
static bool type_passes(const struct filter *f, const struct spe_record *r)
{
	unsigned int is = (spe_is_branch(r) ? BRANCH : 0) | (spe_is_load(r) ? LOAD : 0) |
			  (spe_is_store(r) ? STORE : 0);

	if (f->type & ~f->mask && !(is & f->type & ~f->mask))
		return false;
	return (is & f->mask) == (f->type & f->mask);
}

static bool passes(const struct filter *f, const struct spe_record *r)
{
	if (!type_passes(f, r) || (r->events & f->events) != f->events || r->events & f->absent)
		return false;
	if (f->latency && !(r->has & SPE_HAS_TOTAL && r->total >= f->latency))
		return false;
	return !(r->has & SPE_HAS_SOURCE && f->bad_sources >> (r->source & 63) & 1);
}

int main(int argc, char **argv)
{
	struct filter f = { 0 };
	uint8_t bytes[2048];
	char line[4100];

	for (char *word = strtok(argc == 2 ? argv[1] : NULL, ","); word; word = strtok(NULL, ","))
		if (!take(&f, word)) {
			fprintf(stderr, "inside: unknown attribute: %s\n", word);
			return 2;
		}
	while (fgets(line, sizeof(line), stdin)) {
		struct spe_records records = { 0 };

		spe_records_add(&records, bytes, read_line(line, bytes, sizeof(bytes)));
		if (records.count != 1 || records.damaged) {
			fprintf(stderr, "inside: line without exactly one record: %s", line);
			return 2;
		}
		if (passes(&f, &records.record[0]))
			fputs(line, stdout);
		spe_records_free(&records);
	}
	return 0;
}
