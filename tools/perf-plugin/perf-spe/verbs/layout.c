// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe layout: a structure as the compiler laid it out, with the samples of each member, and
 * the padding that would separate falsely shared ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "output/layout/layout.h"
#include "util/util.h"
#include "verbs/verbs.h"

struct layout_verb {
	struct rows rows;
	char *name;			/* NULL: list the types */
	const char *object, *declared;
	uint64_t bytes, limit;		/* of --line and --limit; 0: not given */
	struct data_options data;
	bool table;			/* --csv names one */
	struct layout_types types;
};

static void usage(FILE *to)
{
	fputs("usage: perf spe layout [OPTIONS] [TYPE] [FILE]\n"
	      "\n"
	      "Prints a structure, union or class as the compiler laid it out, from the debugging\n"
	      "information: members with offset and size, holes, and where cache lines begin. Each\n"
	      "member has its samples of the recording FILE (default: perf.data) beside it: share\n"
	      "and count, loads and stores, mean and 99th percentile of the total latency, who reads\n"
	      "and who writes it, and whether CPUs share it truly or falsely. Below are the members\n"
	      "that share a line falsely and the padding that would separate them. TYPE is a name as\n"
	      "'struct queue', queue, or a typedef. Without TYPE it prints the types with most\n"
	      "samples.\n"
	      "\n"
	      "      --object NAME   take TYPE from the file whose path contains NAME\n"
	      "      --declared PLACE  take the TYPE that is declared there, such as queue.h:12\n"
	      "      --line BYTES    size of a cache line (default 64)\n"
	      "      --limit N       without TYPE: print at most N types (default 20)\n"
	      DATA_HELP
	      ROWS_HELP, to);
}

/* The names that layout_find() saw; a word_fn has no context. */
static const struct layout_find *seen;

static const char *seen_name(unsigned int index)
{
	return index < seen->nr_names ? seen->list[index] : NULL;
}

#define PROPOSED	3u

/* "did you mean 'space::box' or 'other::box'?", the types that have just this name; or NULL.  To be freed */
static char *named_so(const struct layout_find *f, const char *name)
{
	const char *found[PROPOSED];
	size_t nr = 0, i, k;
	char *text = NULL;

	for (i = 0; i < f->nr_names && nr < PROPOSED; i++) {
		for (k = 0; k < nr && strcmp(found[k], f->list[i]); k++)
			;
		if (k == nr && !strcmp(layout_own_name(f->list[i]), name))
			found[nr++] = f->list[i];
	}
	for (i = 0; i < nr; i++)
		text = xappend(text, "%s'%s'", !i ? "did you mean " : i + 1 < nr ? ", " : " or ", found[i]);
	return text ? xappend(text, "?") : NULL;
}

static void say_variable(const struct layout_verb *v, const struct layout_find *f)
{
	char *command = rows_command(&v->rows, "layout", NULL), *word = shell_word(f->variable);

	command = command_with(command, "--declared", f->variable_at);
	if (f->variable_at)
		say("layout: '%s' is a variable of the type %s: name the type; to see its layout, run: %s %s",
		    v->name, f->variable, command, word);
	else
		say("layout: '%s' is a variable of the type %s, which is no structure: name a structure, union or class",
		    v->name, f->variable);
	free(word);
	free(command);
}

/* The files are those of the samples that options keep. */
static bool say_options(struct layout_verb *v, const char *near)
{
	char *what, *why;

	if (!selection_any(&v->rows.selection))
		return false;
	what = xformat("is of a file that has the type '%s'", v->name);
	why = rows_why_none(&v->rows, what, NULL);
	say("layout: %s%s%s", why, near ? "; " : "", near ? near : "");
	free(why);
	free(what);
	return true;
}

static void say_unknown(struct layout_verb *v, const struct layout_find *f)
{
	const char *bare = layout_bare_name(v->name);
	char *near, *command;

	if (rows_none_kept(&v->rows))
		return;
	if (f->other) {
		say("layout: '%s' is a number, pointer, array or enumeration, which has no layout: name a structure, union or class",
		    v->name);
		return;
	}
	if (v->declared) {
		say("layout: no type '%s' is declared at '%s': remove --declared, or name a place such as queue.h:12",
		    v->name, v->declared);
		return;
	}
	if (v->object && !f->files && !f->bare) {
		command = rows_command(&v->rows, "report --by object", NULL);
		say("layout: no file of the recording has a path that contains '%s': change --object; to see the files, run: %s",
		    v->object, command);
		free(command);
		return;
	}
	if (!f->files && !say_options(v, NULL))
		say("layout: none of the recording's files%s%s has debugging information of types: compile with -g, install debug packages, or point --symfs at files that have it",
		    v->object ? " whose path contains " : "", v->object ? v->object : "");
	else if (f->files && f->variable)
		say_variable(v, f);
	if (!f->files || f->variable)
		return;
	seen = f;
	command = rows_command(&v->rows, "layout", NULL);
	near = named_so(f, bare);
	if (!near)
		near = suggest_near(seen_name, bare, strlen(bare));
	if (!say_options(v, near))
		say("layout: no type '%s' in the debugging information of %zu file%s (%zu more ha%s none)%s%s to see the types with samples, run: %s",
		    v->name, f->files, plural(f->files), f->bare, f->bare == 1 ? "s" : "ve",
		    near ? "; " : ":", near ? near : "", command);
	free(command);
	free(near);
}

/* Several layouts of one name: list each with its files. */
static void say_several(const struct layout_verb *v, const struct layout_find *f)
{
	size_t i;

	say("layout: '%s' has %zu different layouts; choose one with --object or --declared:", v->name, f->nr);
	for (i = 0; i < f->nr; i++) {
		const struct layout *l = f->found[i]->layout;
		char *objects = layout_objects(f->found[i]);

		say("  %s, %llu bytes, declared at %s, in %s", l->name, (unsigned long long)l->size,
		    l->source ? l->source : "(unknown)", objects);
		free(objects);
	}
}

/* The type that the user means; NULL after a message */
static struct layout_type *choose(struct layout_verb *v)
{
	struct layout_find find = {
		.name = v->name, .object = v->object, .declared = v->declared, .types = &v->types,
	};
	struct layout_type *type = NULL;

	layout_find(&find, &v->rows.symbols);
	if (find.nr != 1)
		rows_say_lacks(&v->rows);
	if (find.nr == 1)
		type = find.found[0];
	else if (find.nr)
		say_several(v, &find);
	else
		say_unknown(v, &find);
	layout_find_free(&find);
	return type;
}

static int show(struct layout_verb *v, const struct layout_type *type)
{
	struct layout_heat heat = { 0 };
	struct layout_sharing sharing = { 0 };
	struct layout_pad pad = { 0 };
	struct layout_view view = { &v->rows, type, &heat, &sharing, &pad, false };
	static const struct row_taker taker = {
		.take = layout_heat_add, .columns = LINES_COLUMNS,
	};
	struct sample_totals totals;
	int rc;

	layout_heat_begin(&heat, &v->types, type, v->bytes ? (unsigned int)v->bytes : 64);
	rc = rows_take(&v->rows, &taker, &heat, &totals);
	layout_sharing_judge(&sharing, &heat);
	layout_pad_plan(&pad, &heat, &sharing);
	if (v->data.form)
		rows_say_lacks(&v->rows);
	if (v->data.form)
		layout_data(&view, &v->data, stdout);
	else
		layout_text(&view);
	if (!heat.all.samples) {
		char *command = rows_command(&v->rows, "layout", NULL);
		char *advice = xformat("to see the types that have some, run: %s", command);

		rows_none(&v->rows, "is in an instance of this type outside of other structures", advice);
		free(advice);
		free(command);
	}
	layout_pad_free(&pad);
	layout_sharing_free(&sharing);
	layout_heat_free(&heat);
	return rc;
}

/* Why the list of structures is empty */
static void say_no_structure(struct layout_verb *v)
{
	char *command = rows_command(&v->rows, "report --by type", NULL), *advice;

	if (!v->types.addresses) {
		rows_none(&v->rows, "has a data address", "record again with --loads --stores");
	} else if (!v->types.typed) {
		rows_none(&v->rows, "is in data whose type is known",
			  "compile the programs with -g, or point --symfs at files that have debugging information");
	} else {
		advice = xformat("their types are known, but are numbers, pointers or arrays of these; to see them, run: %s",
				 command);
		rows_none(&v->rows, "is in a structure", advice);
		free(advice);
	}
	free(command);
}

static int run(struct layout_verb *v)
{
	struct sample_totals totals;
	static const struct row_taker taker = { .take = layout_types_add, .columns = ROW_DATA };
	const struct layout_type *type;
	const size_t limit = data_limit(&v->data, v->limit, 20);
	int rc = rows_open(&v->rows);

	if (rc != EXIT_OK)
		return rc;
	if (v->name) {
		rows_take_again(&v->rows, &taker, &v->types, &totals);
		type = choose(v);
		rc = type ? show(v, type) : EXIT_INPUT;
	} else {
		rc = rows_take(&v->rows, &taker, &v->types, &totals);
		layout_types_sort(&v->types);
		if (v->data.form)
			rows_say_lacks(&v->rows);
		if (v->data.form)
			layout_list_data(&v->rows, &v->types, limit, &v->data, stdout);
		else
			layout_list_text(&v->rows, &v->types, limit, stdout);
		if (!v->types.samples)
			say_no_structure(v);
	}
	layout_types_free(&v->types);
	rows_close(&v->rows);
	return rc;
}

enum { OPT_OBJECT = 256, OPT_DECLARED, OPT_LINE, OPT_LIMIT };

static bool take_line(struct layout_verb *v)
{
	if (!parse_count("layout", "line", optarg, &v->bytes))
		return false;
	if (v->bytes >= 16 && v->bytes <= 256 && !(v->bytes & (v->bytes - 1)))
		return true;
	say("layout: --line needs a power of two from 16 to 256, not '%s'", optarg);
	return false;
}

static bool take_option(void *verb, int option)
{
	struct layout_verb *v = verb;

	switch (option) {
	case OPT_OBJECT:
		v->object = optarg;
		return true;
	case OPT_DECLARED:
		v->declared = optarg;
		return true;
	case OPT_LINE:
		return take_line(v);
	case OPT_LIMIT:
		return parse_count("layout", "limit", optarg, &v->limit);
	case DATA_OPTION_CSV:
		v->table |= optarg != NULL;
		return data_take(&v->data, "layout", layout_table, option);
	case DATA_OPTION_JSON:
		return data_take(&v->data, "layout", layout_table, option);
	default:
		return false;
	}
}

/* The list of types and a type have other tables. */
static bool check_table(struct layout_verb *v)
{
	static const char *const of_type[] = { "members", "false_sharing", "padding" };
	const char *table = v->data.table;
	bool types, members = false;
	size_t i;

	if (v->data.form != DATA_CSV)
		return true;
	if (!v->table) {
		v->data.table = v->name ? "members" : "types";
		return true;
	}
	types = !strcmp(table, "types");
	for (i = 0; i < sizeof(of_type) / sizeof(of_type[0]); i++)
		members |= !strcmp(table, of_type[i]);
	if (v->name ? !types : !members)
		return true;
	say("layout: --csv=%s: %s", table, types ? "this table is of the list of types: remove TYPE" :
						  "this table is of one type: name TYPE");
	return false;
}

/* An option that would change nothing is a mistake. */
static bool check_type(const struct layout_verb *v)
{
	const char *option = v->object ? "--object" : v->declared ? "--declared" : v->bytes ? "--line" : NULL;

	if (v->name && v->limit)
		say("layout: --limit is about the list of types: remove it, or TYPE");
	else if (!v->name && option)
		say("layout: %s is about one type: name TYPE", option);
	else
		return true;
	return false;
}

/* TYPE, of which "struct" may be an argument of its own */
static bool take_arguments(struct layout_verb *v, int argc, char **argv)
{
	bool word = optind + 1 < argc && (!strcmp(argv[optind], "struct") ||
					  !strcmp(argv[optind], "union") ||
					  !strcmp(argv[optind], "class"));

	if (word)
		v->name = xformat("%s %s", argv[optind], argv[optind + 1]);
	else if (optind < argc)
		v->name = xformat("%s", argv[optind]);
	optind += word ? 2 : optind < argc;
	return rows_check(&v->rows, argc, argv);
}

int verb_layout(int argc, char **argv)
{
	static const struct option options[] = {
		{ "object", required_argument, NULL, OPT_OBJECT },
		{ "declared", required_argument, NULL, OPT_DECLARED },
		{ "line", required_argument, NULL, OPT_LINE },
		{ "limit", required_argument, NULL, OPT_LIMIT },
		DATA_OPTIONS,
		ROWS_OPTIONS,
		{ 0 },
	};
	static const struct rows_grammar grammar = {
		.letters = ROWS_SHORT, .options = options,
		.usage = usage, .take = take_option,
	};
	struct layout_verb v = {
		.rows = { .verb = "layout", .need = NEED_PLACE },
	};
	int rc;

	rc = rows_options(&v.rows, &grammar, &v, argc, argv);
	if (rc < 0)
		rc = take_arguments(&v, argc, argv) && check_table(&v) && check_type(&v) ? run(&v) : EXIT_USAGE;
	free(v.name);
	filter_free(v.rows.filter);
	return rc;
}
