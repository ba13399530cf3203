// SPDX-License-Identifier: GPL-2.0-only
/*
 * The columns of an export.  Users rely on their names, kinds and meanings
 * (Documentation/perf-spe/reference/common.md): add columns, but change none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "analysis/stacks/stacks.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/data/data.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/types/types.h"

static void get_offset(const struct row *row, unsigned int arg,
		       struct value *v)
{
	(void)arg;
	set_number(v, true, row->rec->offset);
}

static void get_cpu(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, row->piece->cpu != NO_ID, (uint32_t)row->piece->cpu);
}

static void get_pid(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, row->owner.pid != NO_ID, (uint32_t)row->owner.pid);
}

static void get_tid(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, row->owner.tid != NO_ID, (uint32_t)row->owner.tid);
}

static void get_comm(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_text(v, row->owner.comm);
}

static void get_process_comm(const struct row *row, unsigned int arg, struct value *v)
{
	const struct process *process = owner_process(&row->owner);

	(void)arg;
	set_text(v, process ? process->comm : NULL);
}

static bool of_guest(const struct row *row)
{
	return claim_of_guest(row->session, row->rec->context_valid);
}

static void get_guest(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_text(v, of_guest(row) ? vocabulary_guest(0) : NULL);
}

/* "NAME/PID" of the process that is the virtual machine, or what is known of them */
static void get_vm(const struct row *row, unsigned int arg, struct value *v)
{
	const char *name = row->owner.vm ? row->owner.vm->comm : NULL;

	(void)arg;
	if (!row->owner.guest || row->owner.pid == NO_ID)
		return;
	snprintf(v->room, sizeof(v->room), "%s/%" PRId32, name ? name : "", row->owner.pid);
	set_text(v, v->room);
}

static void get_vcpu(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_number(v, row->owner.guest && row->owner.tid != NO_ID, (uint32_t)row->owner.tid);
}

enum { GROUP_PATH, GROUP_POD, GROUP_CONTAINER };

static const char *group_text(const struct cgroup *group, unsigned int which)
{
	return !group ? NULL : which == GROUP_PATH ? group->path :
	       which == GROUP_POD ? group->pod : group->container;
}

static void get_group(const struct row *row, unsigned int which, struct value *v)
{
	set_text(v, group_text(row->owner.group, which));
}

static void get_time(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	v->present = row->session &&
		     row->rec->valid & ARMSPE_HAS_TIMESTAMP &&
		     session_time(row->session, row->rec->timestamp,
				  &v->number);
}

/* Samples have a time instead of the record's timestamp. */
static bool has_ticks(const struct session *s)
{
	return !s || !s->sample_times;
}

static void get_timestamp(const struct row *row, unsigned int arg,
			  struct value *v)
{
	(void)arg;
	set_number(v, row->rec->valid & ARMSPE_HAS_TIMESTAMP && has_ticks(row->session),
		   row->rec->timestamp);
}

static bool has_addr(const struct row *row, unsigned int index)
{
	return row->rec->addr_valid >> index & 1;
}

static void get_virtual(const struct row *row, unsigned int index,
			struct value *v)
{
	set_number(v, has_addr(row, index),
		   armspe_addr_virtual(row->rec->addr[index]));
}

static void get_physical(const struct row *row, unsigned int index,
			 struct value *v)
{
	set_number(v, has_addr(row, index),
		   armspe_addr_physical(row->rec->addr[index]));
}

static void get_el(const struct row *row, unsigned int index, struct value *v)
{
	set_number(v, has_addr(row, index),
		   armspe_addr_el(row->rec->addr[index]));
}

static void get_guest_el(const struct row *row, unsigned int index, struct value *v)
{
	set_number(v, of_guest(row) && has_addr(row, index), armspe_addr_el(row->rec->addr[index]));
}

static void get_tag(const struct row *row, unsigned int index,
		    struct value *v)
{
	set_number(v, has_addr(row, index),
		   armspe_addr_tag(row->rec->addr[index]));
}

static void get_security(const struct row *row, unsigned int index,
			 struct value *v)
{
	set_text(v, has_addr(row, index) ?
		 vocabulary_security(armspe_addr_security(row->rec->addr[index])) :
		 NULL);
}

static void get_object(const struct row *row, unsigned int arg,
		       struct value *v)
{
	(void)arg;
	set_text(v, row->place->has_address ? row->place->object : NULL);
}

static void get_symbol(const struct row *row, unsigned int arg,
		       struct value *v)
{
	(void)arg;
	set_text(v, row->place->symbol);
}

/* As batch_has_op() */
static bool has_op(const struct row *row)
{
	return row->rec->valid & ARMSPE_HAS_OP && row->op.subclass != ARMSPE_OP_RESERVED;
}

static void get_op(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_text(v, has_op(row) ? vocabulary_op(vocabulary_op_index(row->op.flags)) : NULL);
}

static void get_subclass(const struct row *row, unsigned int arg,
			 struct value *v)
{
	(void)arg;
	set_text(v, has_op(row) ? armspe_op_name(row->op.subclass) : NULL);
}

/* Append "|NAME" to the value's buffer, which has room for all 64 names. */
static void add_name(struct value *v, const char *name)
{
	if (v->room[0])
		strcat(v->room, "|");
	strcat(v->room, name);
}

static void get_op_flags(const struct row *row, unsigned int arg,
			 struct value *v)
{
	uint32_t flag;

	(void)arg;
	v->room[0] = '\0';
	for (flag = 1; flag; flag <<= 1) {
		const char *word = row->op.flags & flag ? op_flag_word(flag, row->op.flags) : NULL;

		if (word)
			add_name(v, word);
	}
	set_text(v, has_op(row) ? v->room : NULL);
}

static void get_vector_bits(const struct row *row, unsigned int arg,
			    struct value *v)
{
	(void)arg;
	set_number(v, has_op(row) && row->op.flags & ARMSPE_OPF_BITS_VALID,
		   row->op.vector_bits);
}

/* E[15:12] and E[63:48], which cores may name, and reserved bits, in which events_key() puts a CPU */
#define IMPDEF_EVENTS	UINT64_C(0xffff00000000f000)
#define RESERVED_EVENTS	UINT64_C(0x0000ffff00000000)

/* MIDR_EL1 of the core that may name these events; 0: none does.  As row_midr(), @midr may be given. */
static uint64_t events_midr(uint64_t events, uint64_t midr, const struct session *s, int32_t cpu)
{
	if (!(events & IMPDEF_EVENTS) || events & RESERVED_EVENTS)
		return 0;
	return midr || (s && session_midr(s, cpu, &midr)) ? midr : 0;
}

static uint64_t events_key(uint64_t events, uint64_t midr, const struct session *s, int32_t cpu)
{
	return events_midr(events, midr, s, cpu) ? events | (uint64_t)(uint16_t)(cpu + 1) << 32 :
						   events;
}

static void get_events(const struct row *row, unsigned int arg,
		       struct value *v)
{
	uint64_t events = row->rec->events, midr;
	unsigned int bit;

	(void)arg;
	v->room[0] = '\0';
	midr = row->rec->valid & ARMSPE_HAS_EVENTS ?
	       events_midr(events, row->midr, row->session, row->piece->cpu) : 0;
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++)
		if (events >> bit & 1)
			add_name(v, armspe_event_of(midr, events, bit));
	set_text(v, row->rec->valid & ARMSPE_HAS_EVENTS ? v->room : NULL);
}

static void get_event_bits(const struct row *row, unsigned int arg,
			   struct value *v)
{
	(void)arg;
	set_number(v, row->rec->valid & ARMSPE_HAS_EVENTS, row->rec->events);
}

static void get_counter(const struct row *row, unsigned int index,
			struct value *v)
{
	set_number(v, row->rec->counter_valid >> index & 1,
		   row->rec->counter[index]);
}

/* The longest text: 18 addresses and 18 counters */
static void get_impdef(const struct row *row, unsigned int arg, struct value *v)
{
	const struct armspe_record *rec = row->rec;
	char text[40];
	unsigned int i;

	(void)arg;
	_Static_assert(sizeof(v->room) > 18 * sizeof("|address-31=0x0123456789abcdef") +
				       18 * sizeof("|counter-31=65535"), "room for all");
	v->room[0] = '\0';
	for (i = 0; i < SPE_INDEX_COUNT; i++) {
		if (!(SPE_INDEX_IMPDEF_MASK >> i & 1))
			continue;
		if (rec->addr_valid >> i & 1) {
			snprintf(text, sizeof(text), "address-%u=0x%" PRIx64, i, rec->addr[i]);
			add_name(v, text);
		}
		if (rec->counter_valid >> i & 1) {
			snprintf(text, sizeof(text), "counter-%u=%u", i, rec->counter[i]);
			add_name(v, text);
		}
	}
	set_text(v, v->room[0] ? v->room : NULL);
}

static void get_source(const struct row *row, unsigned int arg,
		       struct value *v)
{
	(void)arg;
	set_number(v, row->rec->valid & ARMSPE_HAS_SOURCE, row->rec->source);
}

/* On these cores the data source packet of a store has no meaning. */
static void get_source_name(const struct row *row, unsigned int arg,
			    struct value *v)
{
	struct armspe_source source;
	uint64_t midr;

	(void)arg;
	if (row->rec->valid & ARMSPE_HAS_SOURCE &&
	    has_op(row) && !(row->op.flags & ARMSPE_OPF_STORE) &&
	    row_midr(row, &midr) &&
	    armspe_source_decode(midr, row->rec->source, &source))
		set_text(v, source.name);
}

static void get_context(const struct row *row, unsigned int index,
			struct value *v)
{
	set_number(v, row->rec->context_valid >> index & 1,
		   row->rec->context[index]);
}

static void get_guest_context(const struct row *row, unsigned int index, struct value *v)
{
	set_number(v, of_guest(row), row->rec->context[index]);
}

/* Cache lines and pages, as sharing and working sets use them */
static void get_granule(const struct row *row, unsigned int bytes,
			struct value *v)
{
	get_virtual(row, SPE_ADDR_DATA_VA, v);
	v->number &= ~((uint64_t)bytes - 1);
}

static void get_core(const struct row *row, unsigned int arg, struct value *v)
{
	uint64_t midr;

	(void)arg;
	set_text(v, row_midr(row, &midr) ? armspe_source_core(midr) : NULL);
}

static void get_object_address(const struct row *row, unsigned int arg,
			       struct value *v)
{
	(void)arg;
	set_number(v, row->place->dso, row->place->file_address);
}

static void get_source_line(const struct row *row, unsigned int arg,
			    struct value *v)
{
	const char *file;
	int line;

	(void)arg;
	if (!row->place->dso ||
	    !srcline_find(row->place->dso, row->place->file_address, &file,
			  &line))
		return;
	snprintf(v->room, sizeof(v->room), "%s:%d", file, line);
	set_text(v, v->room);
}

bool row_data(const struct row *row, struct data_place *place)
{
	if (!row->data || !(row->rec->addr_valid >> SPE_ADDR_DATA_VA & 1))
		return false;
	*place = *data_names_find(row->data, &row->owner, row->rec->addr[SPE_ADDR_DATA_VA], row->time);
	return true;
}

enum { NAME_KIND, NAME_OBJECT, NAME_SYMBOL };

static void get_data_name(const struct row *row, unsigned int which,
			  struct value *v)
{
	struct data_place place;

	set_text(v, !row_data(row, &place) ? NULL :
		 which == NAME_KIND ? data_kind_name(place.kind) :
		 which == NAME_OBJECT ? place.object : place.symbol);
}

static void get_data_offset(const struct row *row, unsigned int index,
			    struct value *v)
{
	struct data_place place;

	if (!row_data(row, &place) || !place.has_base)
		return;
	get_virtual(row, index, v);
	v->number -= place.base;
}

enum { HEAP_SITE, HEAP_SIZE, HEAP_OFFSET, HEAP_LIFE };

static void get_heap(const struct row *row, unsigned int which, struct value *v)
{
	struct heap_name name;

	v->present = row->heap && heap_names_find(row->heap, row->owner, row->rec, &name);
	if (!v->present)
		return;
	v->number = which == HEAP_SIZE ? name.size : name.offset;
	v->text = which == HEAP_LIFE ? heap_life_name(name.life) : name.site;
}

static bool find_variable(struct data_names *data, const struct owner *owner, uint64_t raw,
			  uint64_t time, const struct place *code, struct instance *i)
{
	struct access_span span = { 0 };
	uint64_t address;

	if (!data || !data_names_file(data, owner, raw, time, &i->dso, &address))
		return false;
	if (code->dso)
		span = operand_span(code->dso, code->file_address);
	return global_type(address, span, i);
}

bool place_instance(const struct place *place, struct instance *i)
{
	i->dso = place->dso;
	return i->dso && operand_type(place->file_address, i);
}

bool row_instance(const struct row *row, struct instance *i)
{
	return (row->rec->addr_valid >> SPE_ADDR_DATA_VA & 1 &&
		find_variable(row->data, &row->owner, row->rec->addr[SPE_ADDR_DATA_VA], row->time,
			      row->place, i)) ||
	       place_instance(row->place, i);
}

bool batch_variable(const struct row_batch *b, size_t k, struct instance *i)
{
	return b->addr_valid[k] >> SPE_ADDR_DATA_VA & 1 &&
	       find_variable(b->rows->data, batch_owner(b, k), b->va[k], b->time[k], b->place[k], i);
}

bool batch_instance(const struct row_batch *b, size_t k, struct instance *i)
{
	return batch_variable(b, k, i) || place_instance(b->place[k], i);
}

enum { TYPE_NAME, TYPE_FIELD };

static void get_type(const struct row *row, unsigned int which, struct value *v)
{
	struct instance t;

	_Static_assert(sizeof(v->room) >= sizeof(t.field), "room for a path");
	if (!row_instance(row, &t))
		return;
	if (which == TYPE_NAME) {
		set_text(v, t.type->name);
	} else if (t.field[0]) {
		memcpy(v->room, t.field, strlen(t.field) + 1);
		set_text(v, v->room);
	}
}

/* The function that called the row's, where the row has a stack */
static void get_caller(const struct row *row, unsigned int arg, struct value *v)
{
	const struct place *place = row->callers ? row->callers->place : NULL;

	(void)arg;
	set_text(v, !place ? NULL : place->symbol ? place->symbol : place->object);
}

static void get_stack(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	set_text(v, row->stacks && row->stack == STACK_FOUND ?
		 stack_text(row->stacks, row->place, row->callers) : NULL);
}

/* The text of the column source_name follows from this; @op is NULL if it is not known. */
static uint64_t source_key(uint16_t source, const struct armspe_op *op, int32_t cpu)
{
	uint64_t store = op && op->flags & ARMSPE_OPF_STORE;

	return (uint64_t)(uint32_t)cpu << 32 | (uint64_t)(op != NULL) << 17 | store << 16 | source;
}

/*
 * Define struct field.each for a column, from the expressions @has and @what of record @i.  The
 * loop over a whole batch has no index to load, so that the compiler can vectorise it.
 */
#define EACH(field, has, what)						\
static void each_##field(const struct row_batch *b, unsigned int arg,	\
			 uint64_t *restrict numbers,			\
			 uint8_t *restrict present)			\
{									\
	const size_t nr = b->nr, all = b->cols.rows;			\
	size_t i, k;							\
									\
	(void)arg;							\
	for (i = 0; nr == all && i < nr; i++) {				\
		present[i] = (has);					\
		numbers[i] = (what) & -(uint64_t)present[i];		\
	}								\
	for (k = 0; nr != all && k < nr; k++) {				\
		i = b->kept[k];						\
		present[k] = (has);					\
		numbers[k] = (what) & -(uint64_t)present[k];		\
	}								\
}

/* A text whose pointer is its key */
#define EACH_TEXT(field, text)	EACH(field, (text) != NULL, (uintptr_t)(text))

/* Bits of the batch's masks, as 0 or 1 */
#define HAS(flag)		!!(b->valid[i] & (flag))
#define HAS_ADDR		(b->addr_valid[i] >> arg & 1)
#define ADDR			b->cols.addr[arg][i]
#define OWNER			(&b->owners[b->owner[i]])

/* All texts of an operation follow from it. */
static uint64_t batch_op_key(const struct row_batch *b, size_t i)
{
	return (uint64_t)b->op_class[i] << 8 | b->op_payload[i];
}

static uint64_t batch_events_key(const struct row_batch *b, size_t i)
{
	return events_key(b->events[i], b->rows->midr, b->rows->resolver.session, b->piece->cpu);
}

static uint64_t batch_source_key(const struct row_batch *b, size_t i)
{
	return source_key(b->source[i], batch_has_op(b, i) ? batch_op(b, i) : NULL, b->piece->cpu);
}

static bool has_time(const struct row_batch *b)
{
	return b->rows->resolver.session && b->rows->resolver.session->tc.valid;
}

static uint64_t time_at(const struct row_batch *b, size_t i)
{
	return has_time(b) ? session_time_of(&b->rows->resolver.session->tc, b->timestamp[i]) : 0;
}

EACH(offset, 1, b->offset[i])
EACH(cpu, b->piece->cpu != NO_ID, (uint32_t)b->piece->cpu)
EACH(pid, OWNER->pid != NO_ID, (uint32_t)OWNER->pid)
EACH(tid, OWNER->tid != NO_ID, (uint32_t)OWNER->tid)
EACH(time, HAS(ARMSPE_HAS_TIMESTAMP) & has_time(b), time_at(b, i))
EACH(timestamp, HAS(ARMSPE_HAS_TIMESTAMP) & has_ticks(b->rows->resolver.session), b->timestamp[i])
EACH(virtual, HAS_ADDR, armspe_addr_virtual(ADDR))
EACH(physical, HAS_ADDR, armspe_addr_physical(ADDR))
EACH(el, HAS_ADDR, armspe_addr_el(ADDR))
EACH(tag, HAS_ADDR, armspe_addr_tag(ADDR))
EACH(security, HAS_ADDR, armspe_addr_security(ADDR))
EACH(granule, b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1,
     armspe_addr_virtual(b->va[i]) & ~((uint64_t)arg - 1))
EACH(vector_bits, batch_has_op(b, i) && batch_op(b, i)->flags & ARMSPE_OPF_BITS_VALID,
     batch_op(b, i)->vector_bits)
EACH(event_bits, HAS(ARMSPE_HAS_EVENTS), b->events[i])
EACH(counter, b->counter_valid[i] >> arg & 1, b->cols.counter[arg][i])
EACH(source, HAS(ARMSPE_HAS_SOURCE), b->source[i])
EACH(context, b->context_valid[i] >> arg & 1, b->cols.context[arg][i])
EACH(object_address, b->place[i]->dso != NULL, b->place[i]->file_address)
EACH_TEXT(object, b->place[i]->has_address ? b->place[i]->object : NULL)
EACH_TEXT(symbol, b->place[i]->symbol)
EACH_TEXT(comm, OWNER->comm)
EACH(process_comm, owner_process(OWNER) != NULL, owner_host(owner_number(*OWNER)))
EACH(guest, batch_guest(b, i), 1)
EACH(vm, OWNER->guest && OWNER->pid != NO_ID, owner_number(*OWNER))
EACH(vcpu, OWNER->guest && OWNER->tid != NO_ID, (uint32_t)OWNER->tid)
EACH(guest_el, batch_guest(b, i) && HAS_ADDR, armspe_addr_el(ADDR))
EACH(guest_context, batch_guest(b, i), b->cols.context[arg][i])
EACH_TEXT(group, group_text(OWNER->group, arg))
EACH(op, HAS(ARMSPE_HAS_OP), batch_op_key(b, i))
EACH(events, HAS(ARMSPE_HAS_EVENTS), batch_events_key(b, i))
EACH(source_name, HAS(ARMSPE_HAS_SOURCE), batch_source_key(b, i))
EACH(core, 1, (uint32_t)b->piece->cpu)

#define FIELD(name, kind, bits, field, arg, need, columns, each, words, list, help)	\
	{ name, kind, get_##field, arg, need, columns, false, bits, each_##each, words, list, help }
#define NUMBER(name, bits, field, arg, need, columns, help)		\
	FIELD(name, FIELD_NUMBER, bits, field, arg, need, columns, field, NULL, false, help)
#define ADDRESS(name, field, arg, need, columns, help)			\
	FIELD(name, FIELD_ADDRESS, 64, field, arg, need, columns, field, NULL, false, help)
#define TEXT(name, bits, field, need, columns, help)			\
	FIELD(name, FIELD_TEXT, bits, field, 0, need, columns, field, NULL, false, help)
#define WORDS(name, bits, field, arg, columns, words, help)		\
	FIELD(name, FIELD_TEXT, bits, field, arg, NEED_RECORD, columns, field, words, false, help)
/* A text that is made anew for each row */
#define MADE(name, bits, field, each, columns, words, list, help)	\
	FIELD(name, FIELD_TEXT, bits, field, 0, NEED_RECORD, columns, each, words, list, help)
/* Without keys, and no default column */
#define COSTLY(name, kind, bits, field, arg, need, columns, words, list, help)	\
	{ name, kind, get_##field, arg, need, columns, true, bits, NULL, words, list, help }

/* No default column, as few recordings have the control groups */
#define GROUP(name, which, help)					\
	{ name, FIELD_TEXT, get_group, which, NEED_OWNER, ROW_GROUP, true, 32, each_group, NULL, false, help }

const struct field fields[] = {
	NUMBER("offset", 64, offset, 0, NEED_RECORD, ROW_REST,
		"where the record begins in its AUX buffer's stream"),
	NUMBER("cpu", 32, cpu, 0, NEED_RECORD, 0,
		"CPU of the buffer"),
	NUMBER("pid", 32, pid, 0, NEED_OWNER, 0,
		"process"),
	TEXT("comm", 32, comm, NEED_OWNER, 0,
		"name of the thread at the time of the sample"),
	TEXT("process_comm", 32, process_comm, NEED_OWNER, 0,
		"last name of the process's first thread"),
	NUMBER("time", 64, time, 0, NEED_RECORD, 0,
		"ns of perf's clock"),
	NUMBER("timestamp", 64, timestamp, 0, NEED_RECORD, 0,
		"the same as recorded, in ticks"),
	ADDRESS("pc", virtual, SPE_ADDR_PC, NEED_RECORD, 0,
		"address of the instruction"),
	NUMBER("el", 8, el, SPE_ADDR_PC, NEED_RECORD, 0,
		"Exception level: 0 user, 1 kernel, 2 hypervisor or kernel"),
	WORDS("security", 8, security, SPE_ADDR_PC, 0, vocabulary_security,
		"Security state of the instruction"),
	TEXT("object", 32, object, NEED_PLACE, 0,
		"file or kernel of the instruction"),
	TEXT("symbol", 32, symbol, NEED_PLACE, 0,
		"function of the instruction"),
	WORDS("op", 8, op, 0, ROW_OP, vocabulary_op,
		"load, store, branch or other"),
	MADE("subclass", 8, subclass, op, ROW_OP, vocabulary_subclass, false,
		"class of the operation, as in the manual"),
	MADE("op_flags", 16, op_flags, op, ROW_OP, vocabulary_op_flag, true,
		"flags of the operation, such as ATOMIC"),
	NUMBER("vector_bits", 32, vector_bits, 0, NEED_RECORD, ROW_OP,
		"length of a vector or tile"),
	MADE("events", 32, events, events, ROW_EVENTS, vocabulary_event_word, true,
		"what happened to the operation; '--events help' lists all"),
	ADDRESS("event_bits", event_bits, 0, NEED_RECORD, ROW_EVENTS,
		"the same as a number"),
	NUMBER("total", 16, counter, SPE_COUNTER_TOTAL, NEED_RECORD, 0,
		"cycles from dispatch to the end of the operation"),
	NUMBER("issue", 16, counter, SPE_COUNTER_ISSUE, NEED_RECORD, 0,
		"cycles from dispatch to issue"),
	NUMBER("translation", 16, counter, SPE_COUNTER_XLAT, NEED_RECORD, 0,
		"cycles for translating the address"),
	NUMBER("altclk_issue", 16, counter, SPE_COUNTER_ALTCLK_ISSUE, NEED_RECORD, ROW_ALTCLK,
		"cycles from dispatch to issue, of another clock"),
	ADDRESS("target", virtual, SPE_ADDR_TARGET, NEED_RECORD, ROW_REST,
		"target of the branch"),
	ADDRESS("previous_target", virtual, SPE_ADDR_PREV_TARGET, NEED_RECORD, ROW_REST,
		"target of the branch before"),
	ADDRESS("va", virtual, SPE_ADDR_DATA_VA, NEED_RECORD, ROW_DATA,
		"virtual address of the data"),
	NUMBER("va_tag", 8, tag, SPE_ADDR_DATA_VA, NEED_RECORD, ROW_DATA,
		"top byte of this address"),
	ADDRESS("pa", physical, SPE_ADDR_DATA_PA, NEED_RECORD, ROW_DATA | ROW_PHYSICAL,
		"physical address of the data"),
	WORDS("pa_space", 8, security, SPE_ADDR_DATA_PA, ROW_DATA | ROW_PHYSICAL, vocabulary_security,
		"address space of the physical address"),
	NUMBER("source", 16, source, 0, NEED_RECORD, ROW_SOURCE,
		"where a load got its data from, the raw code"),
	MADE("source_name", 16, source_name, source_name, ROW_SOURCE | ROW_OP, vocabulary_source, false,
		"the same as a name, where it is known for the core"),
	NUMBER("context_el1", 32, context, SPE_CONTEXT_EL1, NEED_RECORD, 0,
		"CONTEXTIDR_EL1"),
	NUMBER("context_el2", 32, context, SPE_CONTEXT_EL2, NEED_RECORD, 0,
		"CONTEXTIDR_EL2"),
	ADDRESS("cache_line", granule, 64, NEED_RECORD, ROW_DATA,
		"va without its last 6 bits"),
	ADDRESS("page", granule, 4096, NEED_RECORD, ROW_DATA,
		"va without its last 12 bits"),
	MADE("core", 16, core, core, ROW_CORE, vocabulary_core, false,
		"kind of core, where its data sources are known"),
	NUMBER("tid", 32, tid, 0, NEED_OWNER, 0,
		"thread"),
	ADDRESS("object_address", object_address, 0, NEED_PLACE, 0,
		"address of the instruction in the object's file"),
	COSTLY("source_line", FIELD_TEXT, 32, source_line, 0, NEED_PLACE, 0, NULL, false,
		"FILE:LINE of the instruction"),
	COSTLY("data_kind", FIELD_TEXT, 8, data_name, NAME_KIND, NEED_PLACE, ROW_DATA, vocabulary_data_kind, false,
		"kind of memory that va is in"),
	COSTLY("data_object", FIELD_TEXT, 32, data_name, NAME_OBJECT, NEED_PLACE, ROW_DATA, NULL, false,
		"file that va is in, or the kind of memory"),
	COSTLY("data_symbol", FIELD_TEXT, 32, data_name, NAME_SYMBOL, NEED_PLACE, ROW_DATA, NULL, false,
		"variable at va"),
	COSTLY("data_offset", FIELD_ADDRESS, 64, data_offset, SPE_ADDR_DATA_VA, NEED_PLACE, ROW_DATA, NULL, false,
		"offset of va in this variable"),
	COSTLY("type", FIELD_TEXT, 32, type, TYPE_NAME, NEED_PLACE, ROW_DATA, NULL, false,
		"type of the data"),
	COSTLY("field", FIELD_TEXT, 32, type, TYPE_FIELD, NEED_PLACE, ROW_DATA, NULL, false,
		"member of the type"),
	COSTLY("caller", FIELD_TEXT, 32, caller, 0, NEED_STACK, 0, NULL, false,
		"function that called"),
	COSTLY("stack", FIELD_TEXT, 32, stack, 0, NEED_STACK, 0, NULL, true,
		"all functions of the call stack"),
	COSTLY("heap_site", FIELD_TEXT, 32, heap, HEAP_SITE, NEED_PLACE, ROW_DATA, NULL, false,
		"code that allocated the heap block at va"),
	COSTLY("heap_size", FIELD_NUMBER, 64, heap, HEAP_SIZE, NEED_PLACE, ROW_DATA, NULL, false,
		"bytes of this block"),
	COSTLY("heap_offset", FIELD_ADDRESS, 64, heap, HEAP_OFFSET, NEED_PLACE, ROW_DATA, NULL, false,
		"offset of va in this block"),
	COSTLY("heap_life", FIELD_TEXT, 8, heap, HEAP_LIFE, NEED_PLACE, ROW_DATA, heap_life_name, false,
		"whether the block was allocated at the time"),
	COSTLY("impdef", FIELD_TEXT, 32, impdef, 0, NEED_RECORD, ROW_IMPDEF, NULL, true,
		"addresses and counters that only the CPU's manual defines"),
	WORDS("guest", 8, guest, 0, ROW_GUEST, vocabulary_guest,
		"yes if a guest of KVM executed the instruction"),
	TEXT("vm", 32, vm, NEED_OWNER, ROW_GUEST,
		"the guest's virtual machine: NAME/PID of its process"),
	NUMBER("vcpu", 32, vcpu, 0, NEED_OWNER, ROW_GUEST,
		"the guest's virtual CPU: its thread on the host"),
	NUMBER("guest_el", 8, guest_el, SPE_ADDR_PC, NEED_RECORD, ROW_GUEST,
		"Exception level in the guest: 0 user, 1 kernel"),
	NUMBER("guest_context", 32, guest_context, SPE_CONTEXT_EL1, NEED_RECORD, ROW_GUEST,
		"CONTEXTIDR_EL1 of the guest, for Linux a thread's id"),
	GROUP("cgroup", GROUP_PATH,
		"control group of the thread at the time of the sample"),
	GROUP("pod", GROUP_POD,
		"pod that its path names"),
	GROUP("container", GROUP_CONTAINER,
		"container that its path names"),
};

const size_t nr_fields = sizeof(fields) / sizeof(fields[0]);

const struct field *field_find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < nr_fields; i++)
		if (strlen(fields[i].name) == len &&
		    !memcmp(fields[i].name, name, len))
			return &fields[i];
	return NULL;
}

const char *field_name(unsigned int index)
{
	return index < nr_fields ? fields[index].name : NULL;
}
