// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "analysis/rows/rows.h"
#include "sample.h"
#include "util/util.h"

#define EVENT(name)	(UINT64_C(1) << SPE_EVENT_##name)

/*
 * The event names of perf's samples, and the SPE events that each one implies.
 * perf 6.1 makes "branch-miss" of a mispredicted branch.  Newer versions make
 * "branch" of every branch and report a miss only in the flags.
 */
static const struct {
	const char *name;
	uint64_t events;
} kinds[] = {
	{ "l1d-miss", EVENT(L1D_REFILL) }, { "l1d-access", EVENT(L1D_ACCESS) },
	{ "llc-miss", EVENT(LLC_MISS) }, { "llc-access", EVENT(LLC_ACCESS) },
	{ "tlb-miss", EVENT(TLB_WALK) }, { "tlb-access", EVENT(TLB_ACCESS) },
	{ "remote-access", EVENT(REMOTE_ACCESS) },
	{ "branch-miss", EVENT(MISPREDICTED) },
	{ "branch", 0 }, { "memory", 0 }, { "instructions", 0 },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* perf may append ":" and modifiers to a name. */
static size_t kind_of(const struct perf_dlfilter_sample *sample)
{
	size_t i, len = sample->event ? strcspn(sample->event, ":") : 0;

	for (i = 0; i < NR_KINDS; i++)
		if (strlen(kinds[i].name) == len &&
		    !strncmp(kinds[i].name, sample->event, len))
			break;
	return i;
}

bool sample_is_spe(const struct perf_dlfilter_sample *sample)
{
	return kind_of(sample) < NR_KINDS;
}

static union perf_mem_data_src data_src(const struct perf_dlfilter_sample *s)
{
	return (union perf_mem_data_src){ .val = s->data_src };
}

static bool is_level(union perf_mem_data_src src, unsigned int number,
		     unsigned int bits)
{
	return src.mem_lvl_num == number || src.mem_lvl & bits;
}

/* The events that perf has encoded in data_src */
static uint64_t memory_events(union perf_mem_data_src src)
{
	bool miss = src.mem_lvl & PERF_MEM_LVL_MISS;
	uint64_t events = 0;

	if (src.mem_dtlb & (PERF_MEM_TLB_HIT | PERF_MEM_TLB_MISS))
		events |= EVENT(TLB_ACCESS);
	if (src.mem_dtlb & PERF_MEM_TLB_MISS)
		events |= EVENT(TLB_WALK);
	if (miss && is_level(src, PERF_MEM_LVLNUM_L1, PERF_MEM_LVL_L1))
		events |= EVENT(L1D_REFILL);
	if (miss && is_level(src, PERF_MEM_LVLNUM_L3, PERF_MEM_LVL_L3))
		events |= EVENT(LLC_MISS);
	if (src.mem_remote ||
	    src.mem_lvl & (PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2 |
			   PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2))
		events |= EVENT(REMOTE_ACCESS);
	return events;
}

static uint64_t sample_events(const struct perf_dlfilter_sample *s)
{
	uint64_t events = kinds[kind_of(s)].events;

	if (s->data_src)
		events |= memory_events(data_src(s));
	if (s->brstack_nr && s->brstack[0].from == s->ip &&
	    s->brstack[0].mispred)
		events |= EVENT(MISPREDICTED);
	return events;
}

void sample_begin(struct sample_row *row,
		  const struct perf_dlfilter_sample *sample,
		  const struct perf_dlfilter_fns *fns, void *ctx)
{
	memset(row, 0, sizeof(*row));
	row->sample = sample;
	row->fns = fns;
	row->ctx = ctx;
	row->rec.valid = ARMSPE_HAS_EVENTS;
	row->rec.events = sample_events(sample);
	row->row.rec = &row->rec;
}

static const struct perf_dlfilter_sample *of(const struct row *row)
{
	return ((const struct sample_row *)row)->sample;
}

static void get_cpu(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, of(row)->cpu >= 0, (uint32_t)of(row)->cpu);
}

static void get_pid(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, of(row)->pid >= 0, (uint32_t)of(row)->pid);
}

static void get_tid(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, of(row)->tid >= 0, (uint32_t)of(row)->tid);
}

/* For these values perf reports 0 if the record has none. */
static void get_time(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, of(row)->time, of(row)->time);
}

static void get_pc(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, of(row)->ip, of(row)->ip);
}

static void get_total(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, of(row)->weight, of(row)->weight);
}

static void get_pa(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, of(row)->phys_addr, of(row)->phys_addr);
}

static const char *op_of(const struct perf_dlfilter_sample *s)
{
	unsigned int op = data_src(s).mem_op;

	if (op & PERF_MEM_OP_LOAD)
		return "load";
	if (op & PERF_MEM_OP_STORE)
		return "store";
	if (s->flags & PERF_DLFILTER_FLAG_BRANCH ||
	    !strncmp(kinds[kind_of(s)].name, "branch", 6))
		return "branch";
	return NULL;
}

static void get_op(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_text(v, op_of(of(row)));
}

/* perf has one address per sample: a data address or a branch target. */
static void get_address(const struct row *row, unsigned int is_target,
			struct value *v)
{
	const char *op = op_of(of(row));

	set_number(v, of(row)->addr && op &&
		   (*op == 'b') == (is_target != 0), of(row)->addr);
}

/* The data address rounded down to a cache line or page */
static void get_block(const struct row *row, unsigned int bytes,
		      struct value *v)
{
	get_address(row, 0, v);
	v->number &= ~(uint64_t)(bytes - 1);
}

static const struct {
	unsigned int number, bits;
	const char *name;
} levels[] = {
	{ PERF_MEM_LVLNUM_L1, PERF_MEM_LVL_L1, "l1" },
	{ PERF_MEM_LVLNUM_LFB, PERF_MEM_LVL_LFB, "lfb" },
	{ PERF_MEM_LVLNUM_L2, PERF_MEM_LVL_L2, "l2" },
	{ PERF_MEM_LVLNUM_L3, PERF_MEM_LVL_L3, "l3" },
	{ PERF_MEM_LVLNUM_ANY_CACHE,
	  PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2, "any-cache" },
	{ PERF_MEM_LVLNUM_RAM, PERF_MEM_LVL_LOC_RAM |
	  PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2, "dram" },
	{ PERF_MEM_LVLNUM_IO, PERF_MEM_LVL_IO, "device" },
};

#define NR_LEVELS (sizeof(levels) / sizeof(levels[0]))

static const char *level_of(union perf_mem_data_src src)
{
	size_t i;

	/* Newer versions of perf set only mem_lvl_num. */
	for (i = 0; i < NR_LEVELS; i++)
		if (src.mem_lvl_num == levels[i].number)
			return levels[i].name;
	for (i = 0; i < NR_LEVELS; i++)
		if (src.mem_lvl & levels[i].bits)
			return levels[i].name;
	return NULL;
}

static void get_level(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_text(v, level_of(data_src(of(row))));
}

static void get_snoop(const struct row *row, unsigned int arg, struct value *v)
{
	union perf_mem_data_src src = data_src(of(row));

	(void)arg;
	set_text(v, src.mem_snoop & PERF_MEM_SNOOP_HITM ? "hitm" :
		    src.mem_snoopx & PERF_MEM_SNOOPX_PEER ? "peer" :
		    src.mem_snoop & PERF_MEM_SNOOP_HIT ? "hit" :
		    src.mem_snoop & PERF_MEM_SNOOP_MISS ? "miss" :
		    src.mem_snoop & PERF_MEM_SNOOP_NONE ? "none" : NULL);
}

static void get_events(const struct row *row, unsigned int arg,
		       struct value *v)
{
	uint64_t events = row->rec->events;
	size_t len = 0;

	(void)arg;
	v->room[0] = '\0';
	for (; events; events &= events - 1)
		len += (size_t)snprintf(v->room + len, sizeof(v->room) - len,
					"%s%s", len ? "|" : "",
					armspe_event_name((unsigned int)
						__builtin_ctzll(events)));
	set_text(v, v->room);
}

static void get_kind(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_text(v, kinds[kind_of(of(row))].name);
}

/* Resolve the place only when a filter needs it, because it is slow. */
static const struct perf_dlfilter_al *place(const struct row *row)
{
	struct sample_row *r = (struct sample_row *)row;

	if (!r->at)
		r->at = r->fns->resolve_ip(r->ctx);
	return r->at;
}

static void get_symbol(const struct row *row, unsigned int arg,
		       struct value *v)
{
	const struct perf_dlfilter_al *at = place(row);

	(void)arg;
	set_text(v, at ? at->sym : NULL);
}

static void get_object(const struct row *row, unsigned int arg,
		       struct value *v)
{
	const struct perf_dlfilter_al *at = place(row);

	(void)arg;
	set_text(v, at ? at->dso : NULL);
}

static void get_comm(const struct row *row, unsigned int arg, struct value *v)
{
	const struct perf_dlfilter_al *at = place(row);

	(void)arg;
	set_text(v, at ? at->comm : NULL);
}

/* The words of the columns, each a word_fn; the getters above give no others. */
static const char *op_word(unsigned int index)
{
	static const char *const names[] = { "load", "store", "branch" };

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

static const char *event_word(unsigned int index)
{
	return index < SPE_EVENT_COUNT ? armspe_event_name(index) : NULL;
}

static const char *level_word(unsigned int index)
{
	return index < NR_LEVELS ? levels[index].name : NULL;
}

static const char *snoop_word(unsigned int index)
{
	static const char *const names[] = {
		"hitm", "peer", "hit", "miss", "none",
	};

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

static const char *kind_word(unsigned int index)
{
	return index < NR_KINDS ? kinds[index].name : NULL;
}

#define NUMBER FIELD_NUMBER
#define TEXT FIELD_TEXT
#define ADDRESS FIELD_ADDRESS

#define COLUMN(column, type, getter, argument, needs, known, is_list)	\
	{ .name = column, .kind = type, .get = getter, .arg = argument,	\
	  .need = needs, .words = known, .list = is_list }

/* The columns have the names of an export; the last three exist only in perf. */
const struct field fields[] = {
	COLUMN("cpu", NUMBER, get_cpu, 0, NEED_RECORD, NULL, false),
	COLUMN("pid", NUMBER, get_pid, 0, NEED_RECORD, NULL, false),
	COLUMN("tid", NUMBER, get_tid, 0, NEED_RECORD, NULL, false),
	COLUMN("comm", TEXT, get_comm, 0, NEED_PLACE, NULL, false),
	COLUMN("time", NUMBER, get_time, 0, NEED_RECORD, NULL, false),
	COLUMN("pc", ADDRESS, get_pc, 0, NEED_RECORD, NULL, false),
	COLUMN("object", TEXT, get_object, 0, NEED_PLACE, NULL, false),
	COLUMN("symbol", TEXT, get_symbol, 0, NEED_PLACE, NULL, false),
	COLUMN("op", TEXT, get_op, 0, NEED_RECORD, op_word, false),
	COLUMN("events", TEXT, get_events, 0, NEED_RECORD, event_word, true),
	COLUMN("total", NUMBER, get_total, 0, NEED_RECORD, NULL, false),
	COLUMN("target", ADDRESS, get_address, 1, NEED_RECORD, NULL, false),
	COLUMN("va", ADDRESS, get_address, 0, NEED_RECORD, NULL, false),
	COLUMN("pa", ADDRESS, get_pa, 0, NEED_RECORD, NULL, false),
	COLUMN("cache_line", ADDRESS, get_block, 64, NEED_RECORD, NULL, false),
	COLUMN("page", ADDRESS, get_block, 4096, NEED_RECORD, NULL, false),
	COLUMN("level", TEXT, get_level, 0, NEED_RECORD, level_word, false),
	COLUMN("snoop", TEXT, get_snoop, 0, NEED_RECORD, snoop_word, false),
	COLUMN("sample", TEXT, get_kind, 0, NEED_RECORD, kind_word, false),
};
const size_t nr_fields = sizeof(fields) / sizeof(fields[0]);

/* Columns of an export that struct perf_dlfilter_sample does not have */
static const char *const missing_fields[] = {
	"offset", "timestamp", "el", "security", "subclass", "op_flags",
	"process_comm", "vector_bits", "event_bits", "issue", "translation", "altclk_issue",
	"previous_target", "va_tag", "pa_space", "source", "source_name",
	"context_el1", "context_el2", "core", "object_address", "source_line",
	"data_kind", "data_object", "data_symbol", "data_offset", "type", "field",
	"caller", "stack", "heap_site", "heap_size", "heap_offset", "heap_life",
	"impdef", "guest", "vm", "vcpu", "guest_el", "guest_context", "cgroup", "pod", "container",
};

#define NR_MISSING (sizeof(missing_fields) / sizeof(missing_fields[0]))

const struct field *field_find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < nr_fields; i++)
		if (strlen(fields[i].name) == len &&
		    !strncmp(fields[i].name, name, len))
			return &fields[i];
	for (i = 0; i < NR_MISSING; i++)
		if (strlen(missing_fields[i]) == len &&
		    !strncmp(missing_fields[i], name, len))
			say("perf does not pass '%s' to a dlfilter: use 'perf spe export --filter'",
			    missing_fields[i]);
	return NULL;
}

void sample_columns(char *text, size_t size, bool missing)
{
	size_t i, len = 0, count = missing ? NR_MISSING : nr_fields;

	text[0] = '\0';
	for (i = 0; i < count && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, " %s",
					missing ? missing_fields[i] :
						  fields[i].name);
}

const char *field_name(unsigned int index)
{
	return index < nr_fields ? fields[index].name : NULL;
}
