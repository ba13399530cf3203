// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe pgo: write how one program's code was executed for profile-guided optimisers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/flow/flow.h"
#include "analysis/rows/rows.h"
#include "export/pgo/pgo.h"
#include "symbols/dwarf/dwarf.h"
#include "util/util.h"
#include "verbs/verbs.h"

struct pgo {
	struct rows rows;
	struct flow_collector collector;
	struct load_misses misses;
	const struct pgo_format *format;
	const char *output;
};

static void usage(FILE *to)
{
	const struct pgo_format *format;
	unsigned int i;

	fputs("usage: perf spe pgo [OPTIONS] OBJECT [FILE]\n"
	      "\n"
	      "Writes how often the branches and blocks of one program or library were executed,\n"
	      "for profile-guided optimisation. OBJECT is its file name, as 'perf spe report'\n"
	      "shows it, or its path.\n"
	      "\n"
	      "  -f, --format NAME   one of these (default: bolt)\n", to);
	for (i = 0; (format = pgo_format_at(i)); i++)
		fprintf(to, "                        %-9s %s\n", format->name, format->help);
	fputs("  -o, --output FILE   write to FILE; - or none is standard output\n"
	      ROWS_HELP, to);
}

/* Write to the user's file, or to standard output. */
static int write_file(const struct pgo *p, const struct pgo_profile *profile)
{
	struct output *out;

	if (output_is_standard(p->output)) {
		p->format->write(profile, stdout);
		return EXIT_OK;
	}
	out = output_begin("pgo", p->output);
	if (!out)
		return EXIT_INPUT;
	p->format->write(profile, out->to);
	return output_end(out, true) ? EXIT_OK : EXIT_INPUT;
}

static bool has_lines(const struct pgo_profile *profile)
{
	unsigned int discriminator;
	const struct flow *flow;
	int line;

	flow_each(flow, profile->list, FLOW_ADDRESS)
		if (srcline_block(profile->dso, flow->from, &line, &discriminator))
			return true;
	return false;
}

static int write_profile(struct pgo *p)
{
	struct pgo_profile profile = { .dso = p->collector.dso, .misses = &p->misses };
	struct flow_inferred inferred = { 0 };
	struct flow_samples samples;
	int rc = EXIT_INPUT;
	bool code;

	flow_collect_end(&p->collector, &samples);
	load_misses_end(&p->misses);
	code = flow_infer(&inferred, profile.dso, &samples);
	profile.list = code ? &inferred.list : &samples.list;
	if (!code && p->format->needs_code)
		say("pgo: %s is no AArch64 program that can be read, and the format '%s' needs its code; point --symfs at the file",
		    p->collector.object, p->format->name);
	else if (p->format->needs_lines && !has_lines(&profile))
		say("pgo: %s has no debugging information, and the format '%s' counts lines; build it with -g",
		    p->collector.object, p->format->name);
	else
		rc = write_file(p, &profile);
	flow_list_free(&inferred.list);
	flow_samples_free(&samples);
	return rc;
}

static bool has_strides(const struct load_misses *misses)
{
	struct stride stride;
	size_t i;

	for (i = 0; i < misses->count; i++)
		if (load_miss_stride(misses->sorted[i], &stride))
			return true;
	return false;
}

/* Say what the profile lacks. */
static void say_none(struct pgo *p)
{
	if (!p->format->needs_misses) {
		if (!p->collector.targets)
			rows_none(&p->rows, "is a branch with a target",
				  "record again with --branches");
	} else if (!p->misses.count) {
		rows_none(&p->rows, "is a load that missed a cache",
			  "record again with --loads");
	} else if (p->format->needs_strides && !has_strides(&p->misses)) {
		rows_none(&p->rows, "is a load with misses that walks through memory",
			  "record longer, or with a shorter period");
	}
}

static void say_no_object(struct pgo *p)
{
	char *command = command_with(rows_command_all(&p->rows, "report"), "--by", "object");

	say("pgo: no OBJECT given: add a file name that this prints: %s", command);
	free(command);
}

static void say_no_sample(struct pgo *p)
{
	char *what = xformat("is in %s", p->collector.object);
	char *command = rows_command(&p->rows, "report --by object", NULL);
	char *advice = xformat("name another file; to see the names, run: %s", command);

	rows_none(&p->rows, what, advice);
	free(advice);
	free(command);
	free(what);
}

/* What the recording calls the file at a path such as ./prog or symfs/bin/prog; NULL: no such path.  To be freed */
static char *recorded_path(const char *path, const char *symfs)
{
	char *real = *path != '/' && strchr(path, '/') ? realpath(path, NULL) : NULL;
	char *below = real && symfs ? realpath(symfs, NULL) : NULL;
	size_t len = below ? strlen(below) : 0;

	if (len && !strncmp(real, below, len) && real[len] == '/')
		memmove(real, real + len, strlen(real + len) + 1);
	free(below);
	return real;
}

static int run(struct pgo *p)
{
	static const struct row_taker taker = { .take = flow_collect, .columns = FLOW_COLUMNS };
	struct sample_totals totals;
	int rc = rows_open(&p->rows), written = EXIT_INPUT;
	char *path;

	if (rc != EXIT_OK)
		return rc;
	path = recorded_path(p->collector.object, p->rows.symbol_options.symfs);
	if (path)
		p->collector.object = path;
	p->collector.rows = &p->rows;
	if (p->format->needs_misses)
		p->collector.misses = &p->misses;
	rc = rows_take(&p->rows, &taker, &p->collector, &totals);
	if (p->collector.samples) {
		written = write_profile(p);
		/* The profile is of this file: no other one matters. */
		if (written == EXIT_OK && p->collector.dso && p->collector.dso->path)
			absent_free(&p->rows.absent);
		if (written == EXIT_OK)
			say_none(p);
	} else if (p->collector.fileless) {
		say("pgo: %" PRIu64 " sample%s in %s, but the recorded file is not here, and a profile needs its code: point --symfs at a folder that has it",
		    p->collector.fileless, p->collector.fileless == 1 ? " is" : "s are", p->collector.object);
	} else {
		say_no_sample(p);
	}
	/* An object without samples may still have entries. */
	hash_table_free(&p->collector.table);
	load_misses_free(&p->misses);
	rows_close(&p->rows);
	free(path);
	return rc == EXIT_OK ? written : rc;
}

/* "bolt, fdata or profgen", to be freed */
static char *format_names(void)
{
	char *names = xformat("%s", pgo_format_at(0)->name);
	unsigned int i;

	for (i = 1; pgo_format_at(i); i++)
		names = xappend(names, "%s%s", pgo_format_at(i + 1) ? ", " : " or ", pgo_format_at(i)->name);
	return names;
}

static bool take_format(struct pgo *p)
{
	char *names;

	p->format = pgo_format_find(optarg);
	if (p->format)
		return true;
	names = format_names();
	say("pgo: --format: unknown format '%s'; choose %s", optarg, names);
	free(names);
	return false;
}

static bool take_option(void *verb, int option)
{
	struct pgo *p = verb;

	switch (option) {
	case 'f':
		return take_format(p);
	case 'o':
		p->output = optarg;
		return true;
	default:
		return false;
	}
}

int verb_pgo(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT "f:o:", .options = options,
		.usage = usage, .take = take_option,
	};
	struct pgo p = {
		.rows = { .verb = "pgo", .need = NEED_PLACE, .unheaded = true },
		.format = pgo_format_at(0),
	};
	int rc;

	rc = rows_options(&p.rows, &grammar, &p, argc, argv);
	if (rc >= 0)
		goto out;
	rc = EXIT_USAGE;
	p.rows.symbol_options.mangled_names |= !p.format->for_people;
	if (p.format->binary && output_is_standard(p.output) && output_terminal() >= 0) {
		say("pgo: the format '%s' is no text: name a file with -o", p.format->name);
		goto out;
	}
	if (optind < argc)
		p.collector.object = argv[optind++];
	else
		say_no_object(&p);
	if (p.collector.object && rows_check(&p.rows, argc, argv))
		rc = run(&p);
out:
	filter_free(p.rows.filter);
	return rc;
}
