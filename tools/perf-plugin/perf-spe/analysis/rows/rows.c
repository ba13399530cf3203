// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/data/data.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/symbols.h"
#include "util/util.h"

enum rows_option { ROWS_OTHER, ROWS_GOOD, ROWS_BAD };

static enum rows_option take_selection(struct rows *r, enum selection_kind kind)
{
	return selection_take(&r->selection, r->verb, kind, optarg) ? ROWS_GOOD :
								      ROWS_BAD;
}

/* Take one of the common options; BAD after a message. */
static enum rows_option take_common(struct rows *r, int option)
{
	switch (option) {
	case 'i':
	case ROWS_RAW:
		return source_option(&r->src, optarg, option == ROWS_RAW) ?
			ROWS_GOOD : ROWS_BAD;
	case 'k':
		r->symbol_options.vmlinux = optarg;
		return ROWS_GOOD;
	case ROWS_SYMFS:
		r->symbol_options.symfs = optarg;
		return ROWS_GOOD;
	case ROWS_KALLSYMS:
		r->symbol_options.kallsyms = optarg;
		return ROWS_GOOD;
	case ROWS_SOURCE_DIR:
		return source_text_dir(&r->symbol_options.sources, r->verb, optarg) ?
			ROWS_GOOD : ROWS_BAD;
	case ROWS_ANY_SOURCE:
		r->symbol_options.any_source = true;
		return ROWS_GOOD;
	case ROWS_NO_DEMANGLE:
		r->symbol_options.mangled_names = true;
		return ROWS_GOOD;
	case ROWS_CPU_MODEL:
		return cpu_model_parse(r->verb, optarg, &r->midr) ?
			ROWS_GOOD : ROWS_BAD;
	case ROWS_FILTER:
		return take_selection(r, SELECT_FILTER);
	case ROWS_COMM:
		return take_selection(r, SELECT_COMM);
	case ROWS_DSO:
		return take_selection(r, SELECT_DSO);
	case ROWS_CPU:
		return take_selection(r, SELECT_CPU);
	case ROWS_TIME:
		return take_selection(r, SELECT_TIME);
	case ROWS_STACK_WITHIN:
		return parse_count(r->verb, "stack-within", optarg, &r->stack_within) ?
			ROWS_GOOD : ROWS_BAD;
	case ROWS_GUEST ... ROWS_GUEST + NR_GUEST_FILES - 1:
		return guest_option(&r->symbol_options.guests, r->verb, (enum guest_file)(option - ROWS_GUEST),
				    optarg) ? ROWS_GOOD : ROWS_BAD;
	default:
		return ROWS_OTHER;
	}
}

int rows_options(struct rows *r, const struct rows_grammar *grammar, void *verb,
		 int argc, char **argv)
{
	int option;

	while ((option = option_next(r->verb, argc, argv, grammar->letters,
				     grammar->options)) != -1) {
		enum rows_option common;

		if (option == '?')
			return EXIT_USAGE;
		if (option == 'h') {
			grammar->usage(stdout);
			return EXIT_OK;
		}
		common = take_common(r, option);
		if (common == ROWS_OTHER ? !grammar->take(verb, option) :
					   common == ROWS_BAD)
			return EXIT_USAGE;
	}
	r->argument = argc;
	/* top records by itself, and diff has several inputs. */
	if (!strncmp(grammar->letters, ROWS_SHORT, strlen(ROWS_SHORT))) {
		source_argument(&r->src, argc, argv);
		r->argument = optind;
	}
	if (!selection_any(&r->selection))
		return -1;
	r->filter = selection_filter(&r->selection, r->verb, NULL);
	return r->filter ? -1 : EXIT_USAGE;
}

bool rows_check(const struct rows *r, int argc, char **argv)
{
	/* The verb took one for a function or the like, as none is a recording. */
	if (optind > r->argument && !r->src.path && (optind < argc || access("perf.data", F_OK))) {
		const char *more = optind < argc ? argv[optind] : "perf.data";

		say("%s: neither '%s' nor '%s' is a recording: name one, or try 'perf-spe help %s'", r->verb,
		    argv[r->argument], more, r->verb);
		return false;
	}
	if (optind < argc) {
		source_say_left(&r->src, r->verb, argv[optind]);
		return false;
	}
	if (r->symbol_options.vmlinux && r->symbol_options.kallsyms) {
		say("%s: --vmlinux and --kallsyms exclude each other: remove one",
		    r->verb);
		return false;
	}
	return true;
}

/* Decode every class and payload of an operation in advance. */
static struct armspe_op *ops_new(void)
{
	struct armspe_op *ops = xcalloc(ROW_OPS, sizeof(*ops));
	unsigned int i;

	for (i = 0; i < ROW_NO_OP; i++)
		armspe_op_decode(i / 256, (uint8_t)i, &ops[i]);
	return ops;
}

int rows_open(struct rows *r)
{
	int rc;

	r->src.calls = r->stacks_if_any || r->need >= NEED_STACK ||
		       (r->filter && filter_need(r->filter) >= NEED_STACK);
	if (source_open(&r->src) < 0)
		return EXIT_INPUT;
	if (r->src.root && !r->symbol_options.symfs)
		r->symbol_options.symfs = r->src.root;
	r->symbol_options.archived = r->src.root && r->symbol_options.symfs == r->src.root;
	if (r->src.root)
		guest_options_unpacked(&r->symbol_options.guests, r->src.root);
	rc = rows_ready(r);
	if (rc != EXIT_OK) {
		guest_options_packed(&r->symbol_options.guests);
		source_close(&r->src);
	}
	return rc;
}

/* The filter of --time depends on the recording. */
static bool take_times(struct rows *r)
{
	const struct session *s = source_session(&r->src);
	uint64_t seconds;

	if (s && s->tc.valid && r->filter && filter_seconds(r->filter, s, &seconds))
		say_once("%s: --filter: the column time has nanoseconds of perf's clock, and %" PRIu64
			 " looks like seconds: give --time, which takes seconds, or %" PRIu64 "000000000",
			 r->verb, seconds, seconds);
	if (!selection_needs_times(&r->selection))
		return true;
	if (!s || !s->tc.valid) {
		say("%s: --time: the samples of %s have no time%s: remove --time", r->verb, r->src.path,
		    s ? ", as the recording does not relate timestamps to perf's clock" :
			" without perf.data");
		return false;
	}
	filter_free(r->filter);
	r->filter = selection_filter(&r->selection, r->verb, s);
	return r->filter;
}

static void new_finder(struct rows *r)
{
	stack_finder_free(r->finder);
	r->finder = stack_finder_new(r->stacks);
}

void rows_restack(struct rows *r)
{
	uint64_t ms = r->stack_within ? r->stack_within : STACKS_WITHIN_MS;

	stacks_free(r->stacks);
	r->stacks = stacks_new(&r->resolver, ms * 1000000);
	r->mapped = false;
	new_finder(r);
}

bool rows_add_stacks(struct rows *r)
{
	if (r->mapped || !stacks_add(r->stacks))
		return false;
	new_finder(r);
	return true;
}

/* False after a message: a stack is needed, and there is none. */
static bool open_stacks(struct rows *r)
{
	const struct session *s = r->resolver.session;

	if (r->need < NEED_STACK && !(r->stacks_if_any && r->need >= NEED_PLACE))
		return true;
	if (s && (s->calls.nr || (s->live && s->calls.wanted))) {
		rows_restack(r);
		return true;
	}
	if (r->need >= NEED_STACK)
		say("%s: %s has no call stacks: record with 'perf spe record --stacks', or do not ask for callers",
		    r->verb, r->src.path);
	return r->need < NEED_STACK;
}

/* What rows_ready() does at the same time */
struct preparation {
	struct rows *rows;
	int rc;			/* of symbols_init() */
};

static void prepare(void *preparation, size_t number)
{
	struct preparation *p = preparation;
	struct rows *r = p->rows;
	struct session *s = r->resolver.session;

	if (!number) {
		p->rc = r->need >= NEED_PLACE ? symbols_init(&r->symbols, &r->symbol_options, s) : 0;
		return;
	}
	r->ops = ops_new();
	r->places = places_new(rows_threads(r) > 1);
	if (s && !s->live)
		session_judge_contexts(s);
}

/*
 * To read the kernel's symbols takes about as long as to read some records of all parts of the
 * recording, and neither needs the other.  But files of guests are of use only if records show guests.
 */
static int prepare_all(struct rows *r)
{
	struct preparation p = { .rows = r };

	if (rows_threads(r) > 1 && r->need >= NEED_PLACE && !r->symbol_options.guests.nr) {
		threads_each(2, prepare, &p);
	} else {
		prepare(&p, 1);
		prepare(&p, 0);
	}
	return p.rc;
}

int rows_ready(struct rows *r)
{
	const char *symfs = getenv("PERF_SPE_SYMFS");

	/* An archive has its own. */
	if (!r->symbol_options.symfs && symfs && *symfs)
		r->symbol_options.symfs = symfs;
	if (r->need >= NEED_PLACE && r->symbol_options.symfs && !is_folder(r->symbol_options.symfs)) {
		say("%s: %s%s: %s; name the folder below which programs have their usual paths",
		    r->verb, r->symbol_options.symfs == symfs ? "PERF_SPE_SYMFS=" : "--symfs ",
		    r->symbol_options.symfs,
		    access(r->symbol_options.symfs, F_OK) ? strerror(errno) : "it is no folder");
		return EXIT_INPUT;
	}
	if (!take_times(r))
		return EXIT_INPUT;
	if (r->filter && filter_need(r->filter) > r->need)
		r->need = filter_need(r->filter);
	r->resolver.session = source_session(&r->src);
	r->resolver.symbols = &r->symbols;
	if (prepare_all(r) < 0) {
		rows_finish(r);
		return EXIT_INPUT;
	}
	source_text_from(r->symbol_options.symfs, r->symbol_options.archived,
			 &r->symbol_options.sources, r->symbol_options.any_source);
	if (r->need >= NEED_PLACE)
		r->data = data_names_new(&r->resolver);
	if (r->need >= NEED_PLACE && r->resolver.session && !r->resolver.session->live)
		r->heap = heap_names_new(&r->resolver, r->src.data);
	if (!open_stacks(r)) {
		rows_finish(r);
		return EXIT_INPUT;
	}
	return EXIT_OK;
}

void rows_forget(struct rows *r)
{
	r->mapped = true;
	places_forget(r->places);
	if (r->data)
		data_names_forget(r->data);
}

void rows_progress(const struct rows *r, const struct piece *pieces, size_t count,
		   size_t threads)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < count; i++)
		bytes += pieces[i].len;
	progress_begin(r->on_terminal ? 0 : bytes / threads);
}

void rows_restart(struct rows *r)
{
	r->seen = r->kept = r->guests = 0;
	r->sourced = r->physical = false;
	memset(r->stack_count, 0, sizeof(r->stack_count));
	memset(r->absent.doubts, 0, sizeof(r->absent.doubts));
}

void rows_take_again(struct rows *r, const struct row_taker *taker, void *context,
		     struct sample_totals *totals)
{
	size_t i, count, *stream_of = source_stream_numbers(&r->src);
	struct aux_decoder *decoder;
	const struct piece *pieces;
	struct row_sink sink;

	rows_restart(r);
	pieces = source_pieces(&r->src, &count);
	rows_progress(r, pieces, count, 1);
	row_sink_init(&sink, r, taker, context);
	decoder = row_sink_decoder(&sink, totals);
	for (i = 0; i < count; i++)
		aux_decoder_piece(decoder, stream_of[i], &pieces[i]);
	aux_decoder_end(decoder);
	row_sink_free(&sink);
	free(stream_of);
	progress_end();
}

struct rows *rows_twin(const struct rows *r)
{
	struct rows *twin = xapart(sizeof(*twin));

	*twin = *r;
	twin->places = places_new(true);
	if (r->data)
		twin->data = data_names_new(&twin->resolver);
	twin->absent = (struct absent){ 0 };
	twin->finder = r->stacks ? stack_finder_new(r->stacks) : NULL;
	rows_restart(twin);
	return twin;
}

void rows_twin_free(struct rows *twin)
{
	absent_free(&twin->absent);
	stack_finder_free(twin->finder);
	places_free(twin->places);
	data_names_free(twin->data);
	free(twin);
}

int rows_take(struct rows *r, const struct row_taker *taker, void *context,
	      struct sample_totals *totals)
{
	rows_take_again(r, taker, context, totals);
	return samples_verdict(&r->src, totals);
}

/* Why no sample has a value in columns of this kind, and what to do; NULL if one may have it */
static char *why_empty(const struct rows *r, unsigned int columns, enum row_column kind)
{
	const struct session *s = r->resolver.session;

	if (!(columns & kind) || !r->seen ||
	    (s && (kind == ROW_GUEST ? s->guests : s->grouped && s->group_paths)))
		return NULL;
	if (kind == ROW_GUEST)
		return xformat("guest, vm, vcpu, guest_el and guest_context are empty: %s",
			       !s ? "raw SPE data do not tell guests from their host: read the perf.data file" :
			       s->live ? "only 'perf spe record' samples guests; record with 'perf spe record -a --guests'" :
			       "the recording did not ask for samples of guests; record with 'perf spe record -a --guests'");
	return xformat("cgroup, pod and container are empty: %s",
		       !s ? "raw SPE data have no processes: read the perf.data file" :
		       s->live ? "found no control group of a process that ran: look at /proc/PID/cgroup" :
		       s->grouped ? "the recording has the control groups of threads without their paths, which perf found nowhere: record again where a control group file system is mounted, as on /sys/fs/cgroup" :
		       "the recording does not have the control groups of threads: record with 'perf spe record', as root, on a kernel with CONFIG_CGROUP_PERF");
}

/* The same for the columns of the filter, which are then not told of again */
static char *why_filter_empty(struct rows *r)
{
	const unsigned int columns = r->filter ? filter_columns(r->filter) : 0;
	enum row_column kind = ROW_GUEST;
	char *why = why_empty(r, columns, kind);

	if (!why) {
		kind = ROW_GROUP;
		why = why_empty(r, columns, kind);
	}
	if (why)
		r->names &= ~(unsigned int)kind;
	return why;
}

static void say_empty(const struct rows *r, enum row_column kind)
{
	char *why = why_empty(r, r->names, kind);

	if (why)
		say_once("%s: %s", r->verb, why);
	free(why);
}

/* A filter by the address may keep only samples without one. */
static void say_no_physical(const struct rows *r)
{
	if (!(r->names & ROW_PHYSICAL) || !r->kept || r->physical ||
	    (r->filter && filter_columns(r->filter) & ROW_PHYSICAL))
		return;
	say_once("%s: pa and pa_space are empty: no sample has a physical address; record with --physical, as root",
		 r->verb);
}

/* Who gets a profile or a table of rows never sees the lines of table_flags(). */
static void say_losses(const struct rows *r)
{
	const struct session *s = r->resolver.session;
	char *losses = r->unheaded && s ? session_losses(s) : NULL;
	char *command = losses ? rows_command_all(r, "stat") : NULL;

	if (losses)
		say("%s: the recording lost data: %s; to see what that costs, run: %s", r->verb, losses, command);
	free(command);
	free(losses);
}

void rows_say_lacks(struct rows *r)
{
	/* Listings seek source files while they are written, which may be after the first call. */
	source_text_say(r->verb);
	if (r->silent)
		return;
	r->silent = true;
	say_losses(r);
	say_empty(r, ROW_GROUP);
	say_empty(r, ROW_GUEST);
	say_no_physical(r);
	if (r->heap)
		heap_names_say(r->heap);
	if (r->data)
		absent_data(&r->absent, data_names_doubts(r->data));
	absent_say(&r->absent, &r->symbols);
	if (r->seen)
		guests_say(&r->symbols.guests);
}

bool rows_none_kept(struct rows *r)
{
	bool several = selection_several(&r->selection);
	char *options, *command, *verb, *why;

	if (!selection_any(&r->selection) || r->kept || !r->seen)
		return false;
	options = selection_options(&r->selection);
	why = why_filter_empty(r);
	verb = why ? NULL : selection_verb(&r->selection);
	command = verb ? rows_command_all(r, verb) : NULL;
	rows_say_lacks(r);
	say("%s: %s keep%s none of the %" PRIu64 " sample%s: change or remove %s%s%s",
	    r->verb, options, several ? "" : "s", r->seen, plural(r->seen),
	    several ? "one of them" : "it",
	    why ? "; " : command ? "; to see the values that there are, run: " : "",
	    why ? why : command ? command : "");
	free(why);
	free(command);
	free(verb);
	free(options);
	return true;
}

char *rows_nameless(const struct rows *r)
{
	size_t nr = r->absent.nr;

	return nr ? xformat("%zu recorded file%s ha%s no symbols, and the function may be in %s;", nr, plural(nr),
			    nr == 1 ? "s" : "ve", nr == 1 ? "it" : "one of them") : NULL;
}

char *rows_why_none(const struct rows *r, const char *what, const char *advice)
{
	bool several = selection_several(&r->selection);
	char *options, *why;

	if (!selection_any(&r->selection))
		return xformat("no sample %s: %s", what, advice);
	options = selection_options(&r->selection);
	why = xformat("no sample that %s keep%s %s: change or remove %s", options,
		      several ? "" : "s", what, several ? "one of them" : "the filter");
	free(options);
	return why;
}

void rows_say_none(struct rows *r, const char *why)
{
	if (!why || rows_none_kept(r))
		return;
	rows_say_lacks(r);
	say("%s: %s", r->verb, why);
}

void rows_none(struct rows *r, const char *what, const char *advice)
{
	char *why = rows_why_none(r, what, advice);

	rows_say_none(r, why);
	free(why);
}

void rows_close(struct rows *r)
{
	rows_finish(r);
	if (r->symbol_options.archived)
		r->symbol_options.symfs = NULL;
	r->symbol_options.archived = false;
	guest_options_packed(&r->symbol_options.guests);
	source_close(&r->src);
}

void rows_finish(struct rows *r)
{
	rows_say_lacks(r);
	absent_free(&r->absent);
	stack_finder_free(r->finder);
	stacks_free(r->stacks);
	symbols_free(&r->symbols);
	places_free(r->places);
	data_names_free(r->data);
	heap_names_free(r->heap);
	free(r->ops);
	filter_free(r->filter);
	r->places = NULL;
	r->data = NULL;
	r->heap = NULL;
	r->stacks = NULL;
	r->finder = NULL;
	r->ops = NULL;
	r->filter = NULL;
}

void time_span_merge(struct time_span *span, const struct time_span *from)
{
	if (from->samples && (!span->samples || from->first < span->first))
		span->first = from->first;
	if (from->samples && (!span->samples || from->last > span->last))
		span->last = from->last;
	span->samples += from->samples;
}
