// SPDX-License-Identifier: GPL-2.0-only
/*
 * The dlfilter as perf would call it, with the sanitizers on.
 *
 *   dlfilter ARGUMENT... < samples
 *
 * One line a sample, KEY=VALUE...: event ip addr phys weight time cpu pid tid
 * flags op lvl lvlnum snoop snoopx remote dtlb mispred symbol.  Prints the lines
 * of those that are kept; ends with the status 1 where start() refuses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perf/perf_dlfilter.h>

extern struct perf_dlfilter_fns perf_dlfilter_fns;

static char **arguments;
static int nr_arguments;
static struct perf_dlfilter_al here;

static char **get_arguments(void *ctx, int *count)
{
	(void)ctx;
	*count = nr_arguments;
	return arguments;
}

static const struct perf_dlfilter_al *get_here(void *ctx)
{
	(void)ctx;
	return here.sym ? &here : NULL;
}

static void set(struct perf_dlfilter_sample *s, union perf_mem_data_src *src,
		struct perf_branch_entry *branch, const char *key,
		const char *text)
{
	unsigned long long value = strtoull(text, NULL, 0);

#define SET(name, to) if (!strcmp(key, name)) to = (__typeof__(to))value
#define SET_BITS(name, to) if (!strcmp(key, name)) to = value
	if (!strcmp(key, "event"))
		s->event = text;
	if (!strcmp(key, "symbol"))
		here.sym = here.dso = here.comm = text;
	SET("ip", s->ip);
	SET("addr", s->addr);
	SET("phys", s->phys_addr);
	SET("weight", s->weight);
	SET("time", s->time);
	SET("cpu", s->cpu);
	SET("pid", s->pid);
	SET("tid", s->tid);
	SET("flags", s->flags);
	SET_BITS("op", src->mem_op);
	SET_BITS("lvl", src->mem_lvl);
	SET_BITS("lvlnum", src->mem_lvl_num);
	SET_BITS("snoop", src->mem_snoop);
	SET_BITS("snoopx", src->mem_snoopx);
	SET_BITS("remote", src->mem_remote);
	SET_BITS("dtlb", src->mem_dtlb);
	if (!strcmp(key, "mispred")) {
		branch->from = s->ip;
		branch->mispred = value;
		s->brstack = branch;
		s->brstack_nr = 1;
	}
}

static void one(char *line, void *data)
{
	struct perf_dlfilter_sample s = { .size = sizeof(s), .cpu = -1,
					  .pid = -1, .tid = -1 };
	struct perf_branch_entry branch = { 0 };
	union perf_mem_data_src src = { 0 };
	char *copy = strdup(line), *word = strtok(copy, " \n");

	memset(&here, 0, sizeof(here));
	for (; word; word = strtok(NULL, " \n")) {
		char *value = strchr(word, '=');

		*value++ = '\0';
		set(&s, &src, &branch, word, value);
	}
	s.data_src = src.val;
	if (!filter_event(data, &s, NULL))
		fputs(line, stdout);
	free(copy);
}

int main(int argc, char **argv)
{
	const char *more = NULL;
	void *data = NULL;
	char line[1024];

	arguments = argv + 1;
	nr_arguments = argc - 1;
	perf_dlfilter_fns.args = get_arguments;
	perf_dlfilter_fns.resolve_ip = get_here;
	if (start(&data, NULL))
		return 1;
	while (fgets(line, sizeof(line), stdin))
		one(line, data);
	puts(filter_description(&more));
	fputs(more, stdout);
	return stop(data, NULL) ? 1 : 0;
}
