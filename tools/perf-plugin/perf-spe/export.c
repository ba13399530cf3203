// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe export: each sample as a row.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "samples.h"
#include "verbs.h"
#include "writer.h"

struct export {
	struct source src;
	struct symbol_options symbols;
	struct resolver resolver;
	struct writer writer;
	enum field_need need;
};

static void usage(FILE *to)
{
	size_t i, column = 0;

	fputs("usage: perf spe export [OPTIONS]\n"
	      "\n"
	      "Writes the samples of Arm SPE data, one a row.\n"
	      "\n"
	      "  -i, --input FILE    perf.data file, - for standard input (default: perf.data)\n"
	      "      --raw FILE      bare SPE bytes\n"
	      "  -f, --format NAME   text (default), csv, jsonl or sqlite\n"
	      "  -o, --output FILE   instead of standard output; sqlite needs it\n"
	      "  -F, --fields LIST   columns, with commas between (default: all)\n"
	      "      --symfs DIR     look for files below DIR\n"
	      "  -k, --vmlinux FILE  the kernel's symbols from an ELF file\n"
	      "      --kallsyms FILE the kernel's symbols from a copy of /proc/kallsyms\n"
	      "  -h, --help          this text\n"
	      "\n"
	      "Columns:", to);
	for (i = 0; i < nr_fields; i++) {
		fprintf(to, "%s %s", column > 60 ? "\n        " : "",
			fields[i].name);
		column = (column > 60 ? 8 : column) + strlen(fields[i].name) + 1;
	}
	putc('\n', to);
}

static void add_column(struct export *e, const struct field *field)
{
	e->writer.columns[e->writer.nr_columns++] = field;
	if (field->need > e->need)
		e->need = field->need;
}

static bool parse_fields(struct export *e, const char *list)
{
	e->writer.nr_columns = 0;
	e->need = NEED_RECORD;
	for (;;) {
		size_t len = strcspn(list, ","), i;
		const struct field *field = field_find(list, len);

		if (!field) {
			say("export: --fields: no column '%.*s'; --help lists them",
			    (int)len, list);
			return false;
		}
		for (i = 0; i < e->writer.nr_columns; i++) {
			if (e->writer.columns[i] == field) {
				say("export: --fields: '%s' is there twice",
				    field->name);
				return false;
			}
		}
		add_column(e, field);
		if (!list[len])
			return true;
		list += len + 1;
	}
}

static bool parse_format(struct export *e, const char *name)
{
	e->writer.format = format_find(name);
	if (!e->writer.format)
		say("export: --format %s: not one of text, csv, jsonl, sqlite",
		    name);
	return e->writer.format;
}

static void export_span(void *context, const struct sample_span *span)
{
	struct export *e = context;
	struct row row = {
		.rec = span->rec, .piece = span->piece,
		.session = e->resolver.session, .owner = { NO_ID, false },
	};

	if (span->status != ARMSPE_OK || e->writer.failed)
		return;
	if (span->rec->valid & ARMSPE_HAS_OP)
		armspe_op_decode(span->rec->op_class, span->rec->op_payload,
				 &row.op);
	if (e->need >= NEED_OWNER && row.session)
		row.owner = resolve_owner(&e->resolver, span->piece,
					  span->rec);
	if (e->need >= NEED_PLACE)
		resolve_place(&e->resolver, row.owner, span->rec, &row.place);
	e->writer.format->row(&e->writer, &row);
}

static int export_samples(struct export *e)
{
	struct sample_totals totals;
	int rc;

	if (e->writer.format->begin(&e->writer) < 0)
		return EXIT_INPUT;
	samples_each(&e->src, export_span, e, &totals);
	rc = samples_verdict(&e->src, &totals);
	if (e->writer.format->end(&e->writer) < 0)
		rc = EXIT_INPUT;
	return rc;
}

static int run(struct export *e)
{
	struct symbols symbols = { 0 };
	int rc = EXIT_INPUT;

	if (source_open(&e->src) < 0)
		return EXIT_INPUT;
	e->resolver.session = source_session(&e->src);
	e->resolver.symbols = &symbols;
	if (e->need < NEED_PLACE ||
	    !symbols_init(&symbols, &e->symbols, e->resolver.session))
		rc = export_samples(e);
	symbols_free(&symbols);
	source_close(&e->src);
	return rc;
}

enum { OPT_RAW = 256, OPT_SYMFS, OPT_KALLSYMS };

static bool parse_option(struct export *e, int option)
{
	switch (option) {
	case 'i':
	case OPT_RAW:
		return source_option(&e->src, optarg, option == OPT_RAW);
	case 'f':
		return parse_format(e, optarg);
	case 'o':
		e->writer.path = optarg;
		return true;
	case 'F':
		return parse_fields(e, optarg);
	case 'k':
		e->symbols.vmlinux = optarg;
		return true;
	case OPT_SYMFS:
		e->symbols.symfs = optarg;
		return true;
	case OPT_KALLSYMS:
		e->symbols.kallsyms = optarg;
		return true;
	default:
		usage(stderr);
		return false;
	}
}

/* An output that would replace the recording while it is read */
static bool is_input(const struct export *e)
{
	const char *path = e->src.path ? e->src.path : "perf.data";
	struct stat in, out;

	return e->writer.path && !stat(path, &in) &&
	       !stat(e->writer.path, &out) && in.st_dev == out.st_dev &&
	       in.st_ino == out.st_ino;
}

static bool check_options(const struct export *e, int argc, char **argv)
{
	if (optind < argc) {
		say("export: unexpected argument '%s'", argv[optind]);
		return false;
	}
	if (e->symbols.vmlinux && e->symbols.kallsyms) {
		say("export: --vmlinux and --kallsyms exclude each other");
		return false;
	}
	if (e->writer.format->needs_path && !e->writer.path) {
		say("export: --format %s needs --output FILE",
		    e->writer.format->name);
		return false;
	}
	if (is_input(e)) {
		say("export: --output %s is the input", e->writer.path);
		return false;
	}
	return true;
}

int verb_export(int argc, char **argv)
{
	static const struct option options[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "raw", required_argument, NULL, OPT_RAW },
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		{ "fields", required_argument, NULL, 'F' },
		{ "symfs", required_argument, NULL, OPT_SYMFS },
		{ "vmlinux", required_argument, NULL, 'k' },
		{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct export e = { 0 };
	int option, rc = EXIT_USAGE;
	size_t i;

	e.writer.columns = xcalloc(nr_fields, sizeof(*e.writer.columns));
	for (i = 0; i < nr_fields; i++)
		add_column(&e, &fields[i]);
	e.writer.format = format_find("text");
	while ((option = getopt_long(argc, argv, "i:f:o:F:k:h", options,
				     NULL)) != -1) {
		if (option == 'h') {
			usage(stdout);
			rc = EXIT_OK;
			goto out;
		}
		if (!parse_option(&e, option))
			goto out;
	}
	if (check_options(&e, argc, argv))
		rc = run(&e);
out:
	free(e.writer.columns);
	return rc;
}
