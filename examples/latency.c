// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the pages and the functions whose accesses and operations take the most cycles, of all
 * processes, while a command runs.  latency.bpf.c adds them up in the kernel.
 */
#include "names.h"
#include "sampling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EMBED(latency_bpf, "latency.bpf.o");

struct row {
	struct place place;
	const char *name;	/* of the function, or NULL */
	struct sum sum;
};

struct rows {
	struct row *row;
	size_t count;
};

static void add_row(const void *key, const struct sum *sum, void *data)
{
	struct rows *rows = data;

	rows->row = realloc(rows->row, (rows->count + 1) * sizeof(*rows->row));
	if (!rows->row)
		fail("no memory for the table");
	rows->row[rows->count++] = (struct row) { *(const struct place *)key, NULL, *sum };
}

/* Instructions of one function are one row. */
static void add_instruction(const void *key, const struct sum *sum, void *data)
{
	const struct place *place = key;
	struct rows *rows = data;
	const char *name;

	names_keep(place->pid);
	name = name_of(place->pid, place->address);
	for (size_t i = 0; name && i < rows->count; i++) {
		struct row *row = &rows->row[i];

		if (row->name == name && row->place.pid == place->pid) {
			row->sum.samples += sum->samples;
			row->sum.cycles += sum->cycles;
			return;
		}
	}
	add_row(key, sum, data);
	rows->row[rows->count - 1].name = name;
}

static int by_cycles(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->sum.cycles != b->sum.cycles)
		return a->sum.cycles < b->sum.cycles ? 1 : -1;
	if (a->place.pid != b->place.pid)
		return a->place.pid < b->place.pid ? -1 : 1;
	return a->place.address < b->place.address ? -1 : a->place.address > b->place.address;
}

static void print_rows(const char *title, struct rows *rows, unsigned int most)
{
	if (rows->count)
		qsort(rows->row, rows->count, sizeof(*rows->row), by_cycles);
	printf("#   cycles  samples  process  %s\n", title);
	for (size_t i = 0; i < rows->count && (!most || i < most); i++) {
		const struct row *row = &rows->row[i];

		printf("%10" PRIu64 " %8" PRIu64 " %8" PRIu64 "  ", row->sum.cycles,
		       row->sum.samples, (uint64_t)row->place.pid);
		if (row->name)
			puts(row->name);
		else
			printf("%#" PRIx64 "\n", (uint64_t)row->place.address);
	}
	free(rows->row);
}

static void print(const struct sampling *sampling, const struct options *options, bool last)
{
	struct rows pages = { 0 }, functions = { 0 };

	each_element(sampling, "pages", sizeof(struct place), add_row, &pages);
	each_element(sampling, "code", sizeof(struct place), add_instruction, &functions);
	print_rows("page", &pages, options->rows);
	print_rows("function", &functions, options->rows);
	print_totals(sampling);
	puts(last ? "# the command has ended" : "");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct options options = read_options(argc, argv,
		"prints the pages and functions with the most cycles of latency");

	names_begin();
	return sample_command(&options, "latency", latency_bpf,
			      (size_t)(latency_bpf_end - latency_bpf), print);
}
