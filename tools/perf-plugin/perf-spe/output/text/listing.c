// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "output/text/text.h"
#include "symbols/code/code.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* The samples of one instruction */
struct instruction {
	uint64_t address;		/* the file's own, or the sampled one */
	uint64_t count;
	struct hist latency[2];		/* total, issue */
	uint64_t event[TALLY_EVENTS];
	uint64_t heat;			/* cycles; samples, if no sample has a latency */
	bool left_out;			/* by listing_limit() */
};

struct listing {
	const struct rows *rows;
	const struct tally *events;	/* only what tally_events() reads */
	char *symbol;			/* NULL: samples without a symbol */
	char *object;
	struct dso *dso;		/* of the first sample, NULL: no file */
	/* Names of the latest sample in the function; object NULL: none yet */
	struct { const char *symbol, *object; } latest;
	const char *found;		/* object of the first sample */
	const struct piece *first;	/* that has it */
	bool several;			/* other objects have the symbol too */
	uint64_t count, all;		/* samples in the function, and in total */
	uint64_t limit;			/* of instructions; 0: all, also those without samples */
	struct hash_table spots;	/* struct instruction, by address */
	struct measured_all sum;	/* of the function */
	size_t nr_numbers;		/* columns of the grid: a narrow terminal has room for fewer */
	/* While listing_grid() or listing_data() runs; one of both is NULL */
	struct grid *g;
	struct data *d;
	uint64_t function;		/* that is being added, in listing_data(); 0: none */
	size_t functions;		/* added so far */
	size_t disassembled;		/* of them */
	uint64_t most;			/* heat */
	size_t hottest;			/* row */
	char *source;			/* the last line of source, if its row is not added yet */
	char *file;			/* the name that is above the last such row */
	size_t *code;			/* rows of instructions, upwards */
	size_t nr_code, room_code;
	uint64_t *sampled;		/* addresses of those with samples, upwards by row */
	size_t nr_sampled, room_sampled;
};

static const struct hash_kind spot_table = {
	HASH_SLOTS(struct instruction, count),
	.key = { HASH_NUMBER(struct instruction, address) },
};

static void spot_add(struct instruction *spot, const struct listing *a, const struct row_batch *b,
		     size_t i)
{
	uint64_t events;
	size_t n;

	spot->count++;
	if (batch_has(b, i, SPE_COUNTER_TOTAL))
		hist_add(&spot->latency[0], b->total[i]);
	if (batch_has(b, i, SPE_COUNTER_ISSUE))
		hist_add(&spot->latency[1], b->issue[i]);
	if (!a->events->nr_events)
		return;
	events = known_events(batch_events(b, i));
	for (n = 0; n < a->events->nr_events; n++)
		spot->event[n] += events >> a->events->event_bit[n] & 1;
}

/* Samples of one function have the same pointers to its names. */
static bool has_place(struct listing *a, const struct place *place)
{
	if (!place->has_address)
		return false;
	if (a->latest.object == place->object && a->latest.symbol == place->symbol)
		return true;
	if (!text_same(a->symbol, place->symbol) ||
	    (a->object && !strstr(place->object, a->object)))
		return false;
	a->latest.object = place->object;
	a->latest.symbol = place->symbol;
	return true;
}

void listing_add_one(struct listing *a, const struct row_batch *b, size_t i)
{
	const struct place *place = b->place[i];
	struct instruction *spot;
	uint64_t address;

	a->all++;
	if (!has_place(a, place))
		return;
	if (!a->found) {
		a->found = place->object;
		a->dso = place->dso;
		a->first = b->piece;
	}
	if (a->found != place->object && strcmp(a->found, place->object)) {
		a->several = true;
		return;
	}
	address = place_address(place, b->pc[i]);
	spot = hash_table_add(&a->spots, &spot_table, &address);
	spot->address = address;
	spot_add(spot, a, b, i);
	a->count++;
}

void listing_add(struct listing *a, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		listing_add_one(a, b, b->kept[k]);
}

static const enum measure numbers[] = {
	MEASURE_COST, MEASURE_COUNT, MEASURE_SHARE, MEASURE_MEAN, MEASURE_P99,
	MEASURE_ISSUE_MEAN,
};

#define NR_NUMBERS	(sizeof(numbers) / sizeof(numbers[0]))
/* Without events, a terminal of WIDE columns has room for all of them and the code, one of NARROW for NR_NARROW */
#define NR_NARROW	4u
#define WIDE		100u
#define NARROW		80u
#define NR_LEAST	2u

/* Characters of a line that the columns of events need */
static size_t events_width(const struct listing *a)
{
	size_t width = 0, i;

	for (i = 0; i < a->events->nr_events; i++)
		width += strlen(armspe_event_name(a->events->event_bit[i])) + 2;
	return width;
}

/* How many numbers a terminal of @width columns has room for; 0: no terminal */
static size_t numbers_for(const struct listing *a, size_t width)
{
	size_t events = events_width(a);

	if (!width || width >= WIDE + events)
		return NR_NUMBERS;
	return !events || width >= NARROW + events ? NR_NARROW : NR_LEAST;
}

static void add_columns(const struct listing *a)
{
	size_t i;

	for (i = 0; i < a->nr_numbers; i++)
		grid_column(a->g, GRID_NUMBER, measure_latency(numbers[i]),
			    measure_heading(numbers[i]), (int)numbers[i]);
	for (i = 0; i < a->events->nr_events; i++)
		grid_column(a->g, GRID_NUMBER, "",
			    armspe_event_name(a->events->event_bit[i]), -1);
	grid_column(a->g, GRID_TAIL, "", "", -1);
}

static void note_hottest(struct listing *a, const struct instruction *spot)
{
	if (spot->heat <= a->most)
		return;
	a->most = spot->heat;
	a->hottest = grid_rows(a->g);
}

static void add_spot(struct listing *a, const struct instruction *spot)
{
	const struct measured row = { spot->count, spot->latency, NULL };
	char text[32];
	size_t i;

	note_hottest(a, spot);
	a->sampled = array_grow(a->sampled, a->nr_sampled, &a->room_sampled, sizeof(*a->sampled));
	a->sampled[a->nr_sampled++] = spot->address;
	for (i = 0; i < a->nr_numbers; i++) {
		measure_text(numbers[i], &row, &a->sum, text, sizeof(text));
		grid_cell(a->g, text);
	}
	for (i = 0; i < a->events->nr_events; i++)
		grid_format(a->g, "%.2f%%", percent(spot->event[i], spot->count));
}

/* Source stays near the left: columns of events would push it off the screen. */
static void add_blank(const struct listing *a, bool is_code)
{
	size_t i;

	for (i = 0; i < a->nr_numbers; i++)
		grid_cell(a->g, "");
	for (i = 0; i < a->events->nr_events; i++) {
		if (is_code)
			grid_cell(a->g, "");
		else
			grid_skip(a->g);
	}
}

/* The row that is added next has an instruction. */
static void note_code(struct listing *a)
{
	a->code = array_grow(a->code, a->nr_code, &a->room_code, sizeof(*a->code));
	a->code[a->nr_code++] = grid_rows(a->g);
}

static int row_order(const void *x, const void *y)
{
	const size_t a = *(const size_t *)x, b = *(const size_t *)y;

	return a < b ? -1 : a > b;
}

bool listing_is_code(const struct listing *a, size_t row)
{
	return a->nr_code && bsearch(&row, a->code, a->nr_code,
				     sizeof(row), row_order);
}

/* "mov x5, x0" of "  400904:\tmov\tx5, x0", to be freed; @line NULL: unknown */
static char *instruction_of(const char *line)
{
	const char *colon = line ? strchr(line, ':') : NULL;
	const char *text = colon ? colon + 1 + strspn(colon + 1, " \t") : line;
	char *copy = text ? xformat("%s", text) : NULL, *at;

	for (at = copy; at && (at = strchr(at, '\t'));)
		*at = ' ';
	return copy;
}

static void put_source(const struct listing *a, uint64_t address)
{
	const char *file;
	int line;

	if (a->dso && srcline_find(a->dso, address, &file, &line))
		data_take_text(a->d, "source_line", xformat("%s:%d", file, line));
	else
		data_none(a->d, "source_line");
}

/* A row for programs; @spot NULL: no sample has the instruction */
static void put_instruction(const struct listing *a, const struct instruction *spot,
			    uint64_t address, const char *line)
{
	static const enum measure measures[] = {
		MEASURE_COST, MEASURE_COUNT, MEASURE_SHARE, MEASURE_CYCLES, MEASURE_MEAN,
		MEASURE_P50, MEASURE_P99, MEASURE_ISSUE_CYCLES, MEASURE_ISSUE_MEAN,
		MEASURE_ISSUE_P50, MEASURE_ISSUE_P99,
	};
	static const struct instruction none;
	const struct instruction *of = spot ? spot : &none;
	const struct measured row = { of->count, of->latency, NULL };
	size_t i;

	data_row(a->d);
	if (a->function)
		data_address(a->d, "function", a->function);
	else
		data_none(a->d, "function");
	data_address(a->d, "address", address);
	data_take_text(a->d, "instruction", instruction_of(line));
	put_source(a, address);
	table_measures_data(a->d, measures, sizeof(measures) / sizeof(measures[0]), false, &row,
			    &a->sum);
	for (i = 0; i < a->events->nr_events; i++)
		table_event_data(a->d, a->events->event_bit[i], false, of->event[i], of->count);
	data_row_end(a->d);
}

/* With a limit, source waits for an instruction of it that is not left out. */
static void keep_source(struct listing *a, const char *line)
{
	free(a->source);
	a->source = line ? xformat("%s", line) : NULL;
}

/* The source of the instruction at @address, below the name of its file if that is another one */
static void put_kept_source(struct listing *a, uint64_t address)
{
	const char *file;
	int line;

	if (srcline_find(a->dso, address, &file, &line) && !same_string(a->file, file)) {
		free(a->file);
		a->file = xformat("%s", file);
		add_blank(a, false);
		grid_cell(a->g, file);
	}
	add_blank(a, false);
	grid_cell(a->g, a->source);
	keep_source(a, NULL);
}

static void add_code(void *context, bool is_code, uint64_t address,
		     const char *line)
{
	struct listing *a = context;
	const struct instruction *spot = !is_code ? NULL :
		hash_table_find(&a->spots, &spot_table, &address);

	if (a->limit && !is_code)
		keep_source(a, line);
	if (a->limit && (!spot || spot->left_out))
		return;
	if (a->d) {
		if (is_code)
			put_instruction(a, spot, address, line);
		return;
	}
	if (a->source)
		put_kept_source(a, address);
	if (is_code)
		note_code(a);
	if (spot)
		add_spot(a, spot);
	else
		add_blank(a, is_code);
	grid_cell(a->g, line);
}

static int spot_order(const void *x, const void *y)
{
	const struct instruction *a = x, *b = y;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* The spots by address, without those that are left out; to be freed */
static struct instruction *sorted_spots(const struct listing *a, size_t *count)
{
	struct instruction *spots = xcalloc(a->spots.count, sizeof(*spots));
	const struct instruction *slot = NULL;
	size_t n = 0;

	while ((slot = hash_table_next(&a->spots, &spot_table, slot)))
		if (!slot->left_out)
			spots[n++] = *slot;
	qsort(spots, n, sizeof(*spots), spot_order);
	*count = n;
	return spots;
}

/* Without a disassembly list the sampled addresses. */
static void add_addresses(struct listing *a, const struct instruction *spots,
			  size_t count)
{
	const char *file;
	size_t i;
	int line;

	for (i = 0; i < count; i++) {
		char *text;

		if (a->d) {
			put_instruction(a, &spots[i], spots[i].address, NULL);
			continue;
		}
		note_code(a);
		add_spot(a, &spots[i]);
		if (a->dso && srcline_find(a->dso, spots[i].address, &file,
					   &line))
			text = xformat("%8" PRIx64 "  %s:%d", spots[i].address,
				       file, line);
		else
			text = xformat("%8" PRIx64, spots[i].address);
		grid_cell(a->g, text);
		free(text);
	}
}

static const struct symtab *data_of(const struct listing *a)
{
	const struct symtab *t;

	if (a->dso == &a->rows->symbols.kernel.file)
		return &a->rows->symbols.kernel.data;
	elf_lock();
	t = symbols_data(a->rows->resolver.symbols, a->dso);
	elf_unlock();
	return t;
}

static const struct symtab *symtab_of(const struct listing *a)
{
	return a->dso == &a->rows->symbols.kernel.file ?
		&a->rows->symbols.kernel.symtab : &a->dso->symtab;
}

/* A heading between two functions */
static void add_heading(const struct listing *a, uint64_t address)
{
	size_t i;

	if (a->d)
		return;
	for (i = 0; i < a->nr_numbers + a->events->nr_events; i++)
		grid_skip(a->g);
	grid_format(a->g, "# function at %" PRIx64, address);
}

/* Of one name */
#define FUNCTIONS_MOST	32u

/*
 * Add the function of the first spot, or the spot alone if it has none.  Returns
 * the number of spots in it, 0 if it cannot be disassembled.
 */
static size_t add_function(struct listing *a, const struct instruction *spots,
			   size_t count)
{
	const struct symbol *symbol = symtab_find(symtab_of(a), spots->address);
	struct disassembly d = {
		.dso = a->dso, .fn = add_code, .context = a,
		.symbols = symtab_of(a), .data = data_of(a),
	};
	size_t in = 1;

	a->function = symbol ? symbol->start : 0;
	/* Each is disassembled by itself, and a file may give all functions one name. */
	if (!symbol || a->disassembled == FUNCTIONS_MOST) {
		add_addresses(a, spots, 1);
		return 1;
	}
	while (in < count && spots[in].address < symbol->end)
		in++;
	/* A name may stand for several functions: static ones, or Rust's generic ones. */
	if (in < count || a->functions++)
		add_heading(a, symbol->start);
	a->disassembled++;
	d.start = symbol->start;
	d.end = symbol->end;
	return disasm_each(&d) ? 0 : in;
}

static int heat_order(const void *x, const void *y)
{
	const struct instruction *const *a = x, *const *b = y;

	if ((*a)->heat != (*b)->heat)
		return (*a)->heat < (*b)->heat ? 1 : -1;
	return spot_order(*a, *b);
}

static void find_heat(struct listing *a)
{
	struct instruction **spots = xcalloc(a->spots.count, sizeof(*spots)), *spot = NULL;
	size_t n = 0;

	while ((spot = hash_table_next(&a->spots, &spot_table, spot))) {
		spot->heat = a->sum.cycles ? spot->latency[0].sum : spot->count;
		spots[n++] = spot;
	}
	qsort(spots, n, sizeof(*spots), heat_order);
	while (a->limit && n > a->limit)
		spots[--n]->left_out = true;
	free(spots);
}

static void add_up(struct listing *a)
{
	const struct instruction *spot = NULL;

	a->sum = (struct measured_all){ 0 };
	while ((spot = hash_table_next(&a->spots, &spot_table, spot))) {
		const struct measured row = { spot->count, spot->latency, NULL };

		measured_add(&a->sum, &row);
	}
	find_heat(a);
}

/* The instructions of the functions with samples, and sampled addresses that are in none */
static void add_all(struct listing *a)
{
	size_t count, i = 0, in = 1;
	struct instruction *spots = sorted_spots(a, &count);

	a->functions = a->disassembled = 0;
	if (a->dso && a->dso->path)
		for (; i < count && in; i += in)
			in = add_function(a, spots + i, count - i);
	a->function = 0;
	add_addresses(a, spots + i, count - i);
	free(spots);
}

const char *listing_table(unsigned int index)
{
	static const char *const names[] = { "instructions", "recording", "offline_cpus", "messages" };

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

bool listing_data(struct listing *a, const struct data_options *o, FILE *to)
{
	struct data d;

	if (!a->count)
		return false;
	data_begin(&d, o, "annotate", to);
	table_recording_data(&d, a->rows);
	data_text(&d, "symbol", a->symbol);
	data_text(&d, "object", a->found);
	data_number(&d, "samples", a->count);
	data_number(&d, "all_samples", a->all);
	add_up(a);
	data_table(&d, "instructions");
	a->d = &d;
	add_all(a);
	a->d = NULL;
	data_table_end(&d);
	data_end(&d);
	return true;
}

bool listing_grid(struct listing *a, struct grid *g, size_t *hottest)
{
	char *where;

	*hottest = 0;
	if (!a->count)
		return false;
	a->g = g;
	free(a->file);
	a->file = NULL;
	a->most = a->hottest = a->nr_code = a->nr_sampled = 0;
	add_up(a);
	where = xformat("%s in %s", a->symbol ? a->symbol : NO_SYMBOL, a->found);
	clean_name(where, "");
	grid_above(g, xformat("# %s: %" PRIu64 " sample%s of %" PRIu64 "\n", where, a->count,
			      plural(a->count), a->all));
	free(where);
	add_columns(a);
	add_all(a);
	*hottest = a->hottest;
	return true;
}

bool listing_print(struct listing *a, FILE *to)
{
	const size_t width = fitted_width();
	struct grid g = { 0 };
	struct fitted fitted;
	size_t hottest;

	a->nr_numbers = numbers_for(a, width);
	if (!listing_grid(a, &g, &hottest))
		return false;
	grid_print(&g, g.nr_columns, 0, fitted_begin(&fitted));
	fitted_end(&fitted);
	grid_free(&g);
	if (a->nr_numbers < NR_NUMBERS)
		put_sentence(to, "# ", xformat("# %s: a terminal of %zu columns, a pipe or --csv has them",
					       a->nr_numbers == NR_LEAST ? "share, the means, p99" : "p99 and the issue latency",
					       WIDE + events_width(a)));
	if (a->limit && a->limit < a->spots.count)
		fprintf(to, "# %" PRIu64 " more instruction%s with samples\n",
			a->spots.count - a->limit, plural(a->spots.count - a->limit));
	return true;
}

void listing_merge(struct listing *a, const struct listing *from)
{
	const struct instruction *other = NULL;
	struct instruction *spot;
	size_t i;

	a->several |= from->several || (a->found && from->found && strcmp(a->found, from->found));
	if (from->found && (!a->found || from->first < a->first)) {
		a->found = from->found;
		a->dso = from->dso;
		a->first = from->first;
	}
	while ((other = hash_table_next(&from->spots, &spot_table, other))) {
		spot = hash_table_add(&a->spots, &spot_table, &other->address);
		spot->address = other->address;
		spot->count += other->count;
		for (i = 0; i < 2; i++)
			hist_merge(&spot->latency[i], &other->latency[i]);
		for (i = 0; i < a->events->nr_events; i++)
			spot->event[i] += other->event[i];
	}
	a->count += from->count;
	a->all += from->all;
}

struct listing *listing_new(const struct rows *rows, const struct tally *events,
			    const char *symbol, const char *object)
{
	struct listing *a = xcalloc(1, sizeof(*a));

	a->rows = rows;
	a->events = events;
	a->nr_numbers = NR_NUMBERS;
	a->symbol = symbol ? xformat("%s", symbol) : NULL;
	a->object = object ? xformat("%s", object) : NULL;
	return a;
}

void listing_limit(struct listing *a, uint64_t limit)
{
	a->limit = limit;
}

const uint64_t *listing_sampled(const struct listing *a, size_t *count)
{
	*count = a->nr_sampled;
	return a->sampled;
}

bool listing_any(const struct listing *a)
{
	return a->count;
}

const char *listing_several(const struct listing *a)
{
	return a->several ? a->found : NULL;
}

const char *listing_codeless(const struct listing *a)
{
	return a->symbol && !(a->dso && a->dso->path) ? a->found : NULL;
}

void listing_free(struct listing *a)
{
	struct instruction *spot = NULL;

	if (!a)
		return;
	while ((spot = hash_table_next(&a->spots, &spot_table, spot))) {
		hist_free(&spot->latency[0]);
		hist_free(&spot->latency[1]);
	}
	hash_table_free(&a->spots);
	free(a->code);
	free(a->source);
	free(a->file);
	free(a->sampled);
	free(a->symbol);
	free(a->object);
	free(a);
}
