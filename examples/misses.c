// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the cache lines that miss the first-level data cache most often, for each control
 * group, while a command runs.  misses.bpf.c counts them in the kernel.
 */
#define _XOPEN_SOURCE 700
#include "sampling.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS	"/sys/fs/cgroup"

EMBED(misses_bpf, "misses.bpf.o");

struct row {
	struct line line;
	struct sum sum;
};

struct rows {
	struct row *row;
	size_t count;
};

/* The group that visit_folder() looks for, and its name. */
static uint64_t wanted;
static char found[512];

static int visit_folder(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)at;
	if (type != FTW_D || status->st_ino != wanted)
		return 0;
	snprintf(found, sizeof(found), "%s", path + strlen(GROUPS));
	return 1;
}

/* The kernel's number of a control group is the inode of its folder. */
static const char *group_name(uint64_t group)
{
	wanted = group;
	if (nftw(GROUPS, visit_folder, 16, FTW_PHYS) != 1)
		snprintf(found, sizeof(found), "(%" PRIu64 ")", group);
	else if (!*found)
		strcpy(found, "/");
	return found;
}

static void add_row(const void *key, const struct sum *sum, void *data)
{
	struct rows *rows = data;

	rows->row = realloc(rows->row, (rows->count + 1) * sizeof(*rows->row));
	if (!rows->row)
		fail("no memory for the table");
	rows->row[rows->count++] = (struct row) { *(const struct line *)key, *sum };
}

static int by_group(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->line.cgroup != b->line.cgroup)
		return a->line.cgroup < b->line.cgroup ? -1 : 1;
	if (a->sum.samples != b->sum.samples)
		return a->sum.samples < b->sum.samples ? 1 : -1;
	return a->line.address < b->line.address ? -1 : a->line.address > b->line.address;
}

/* Prints the lines of one group, the first rows of @rows.  Returns how many there are. */
static size_t print_group(const struct row *rows, size_t count, unsigned int most)
{
	struct sum sum = { 0 };
	size_t lines = 0;

	for (; lines < count && rows[lines].line.cgroup == rows->line.cgroup; lines++) {
		sum.samples += rows[lines].sum.samples;
		sum.cycles += rows[lines].sum.cycles;
	}
	printf("group %s: %" PRIu64 " misses, %" PRIu64 " cycles, %zu lines\n",
	       group_name(rows->line.cgroup), sum.samples, sum.cycles, lines);
	for (size_t i = 0; i < lines && (!most || i < most); i++)
		printf("%10" PRIu64 " %10" PRIu64 "  %#" PRIx64 "\n", rows[i].sum.samples,
		       rows[i].sum.cycles, (uint64_t)rows[i].line.address);
	return lines;
}

static void print(const struct sampling *sampling, const struct options *options, bool last)
{
	struct rows rows = { 0 };

	each_element(sampling, "lines", sizeof(struct line), add_row, &rows);
	if (rows.count)
		qsort(rows.row, rows.count, sizeof(*rows.row), by_group);
	puts("#   misses     cycles  line");
	for (size_t i = 0; i < rows.count;)
		i += print_group(&rows.row[i], rows.count - i, options->rows);
	free(rows.row);
	print_totals(sampling);
	puts(last ? "# the command has ended" : "");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct options options = read_options(argc, argv,
		"prints the cache lines with the most misses of each control group");

	return sample_command(&options, "misses", misses_bpf,
			      (size_t)(misses_bpf_end - misses_bpf), print);
}
