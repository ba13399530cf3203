// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the columns hold.  Names, kinds and meanings are promised to users
 * (Documentation/perf-spe/perf-spe.md): only new ones may be added.
 */
#include <string.h>

#include "fields.h"

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
	const struct process *p = row->session && row->owner.pid != NO_ID ?
		session_process(row->session, row->owner.pid) : NULL;

	(void)arg;
	set_text(v, p ? p->comm : NULL);
}

static void get_time(const struct row *row, unsigned int arg, struct value *v)
{
	(void)arg;
	v->present = row->session &&
		     row->rec->valid & ARMSPE_HAS_TIMESTAMP &&
		     session_time(row->session, row->rec->timestamp,
				  &v->number);
}

static void get_timestamp(const struct row *row, unsigned int arg,
			  struct value *v)
{
	(void)arg;
	set_number(v, row->rec->valid & ARMSPE_HAS_TIMESTAMP,
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

static void get_tag(const struct row *row, unsigned int index,
		    struct value *v)
{
	set_number(v, has_addr(row, index),
		   armspe_addr_tag(row->rec->addr[index]));
}

static void get_security(const struct row *row, unsigned int index,
			 struct value *v)
{
	static const char *const names[] = {
		[ARMSPE_SECURE] = "secure",
		[ARMSPE_NON_SECURE] = "non-secure",
		[ARMSPE_SECURITY_RESERVED] = "reserved",
		[ARMSPE_REALM] = "realm",
	};

	set_text(v, has_addr(row, index) ?
		 names[armspe_addr_security(row->rec->addr[index])] : NULL);
}

static void get_object(const struct row *row, unsigned int arg,
		       struct value *v)
{
	(void)arg;
	set_text(v, row->place.has_address ? row->place.object : NULL);
}

static void get_symbol(const struct row *row, unsigned int arg,
		       struct value *v)
{
	(void)arg;
	set_text(v, row->place.symbol);
}

static bool has_op(const struct row *row)
{
	return row->rec->valid & ARMSPE_HAS_OP;
}

static void get_op(const struct row *row, unsigned int arg, struct value *v)
{
	uint32_t flags = row->op.flags;

	(void)arg;
	set_text(v, !has_op(row) ? NULL :
		 flags & ARMSPE_OPF_LOAD ? "load" :
		 flags & ARMSPE_OPF_STORE ? "store" :
		 flags & ARMSPE_OPF_BRANCH ? "branch" : "other");
}

static void get_subclass(const struct row *row, unsigned int arg,
			 struct value *v)
{
	(void)arg;
	set_text(v, has_op(row) ? armspe_op_name(row->op.subclass) : NULL);
}

/* "A|B" into the value's own room, which all 64 names fit in */
static void add_name(struct value *v, const char *name)
{
	if (v->room[0])
		strcat(v->room, "|");
	strcat(v->room, name);
}

static void get_op_flags(const struct row *row, unsigned int arg,
			 struct value *v)
{
	unsigned int bit;

	(void)arg;
	v->room[0] = '\0';
	for (bit = 0; bit < 32; bit++) {
		const char *name = armspe_op_flag_name(bit);

		if (name && row->op.flags >> bit & 1)
			add_name(v, name);
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

static void get_events(const struct row *row, unsigned int arg,
		       struct value *v)
{
	unsigned int bit;

	(void)arg;
	v->room[0] = '\0';
	for (bit = 0; bit < SPE_EVENT_COUNT; bit++)
		if (row->rec->events >> bit & 1)
			add_name(v, armspe_event_name(bit));
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

static void get_source(const struct row *row, unsigned int arg,
		       struct value *v)
{
	(void)arg;
	set_number(v, row->rec->valid & ARMSPE_HAS_SOURCE, row->rec->source);
}

/* With a store these cores' SOURCE says nothing. */
static void get_source_name(const struct row *row, unsigned int arg,
			    struct value *v)
{
	struct armspe_source source;
	uint64_t midr;

	(void)arg;
	if (row->session && row->rec->valid & ARMSPE_HAS_SOURCE &&
	    has_op(row) && !(row->op.flags & ARMSPE_OPF_STORE) &&
	    session_midr(row->session, row->piece->cpu, &midr) &&
	    armspe_source_decode(midr, row->rec->source, &source))
		set_text(v, source.name);
}

static void get_context(const struct row *row, unsigned int index,
			struct value *v)
{
	set_number(v, row->rec->context_valid >> index & 1,
		   row->rec->context[index]);
}

/* The granules that sharing and working sets are told in */
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
	set_text(v, row->session &&
		 session_midr(row->session, row->piece->cpu, &midr) ?
		 armspe_source_core(midr) : NULL);
}

static void get_object_address(const struct row *row, unsigned int arg,
			       struct value *v)
{
	(void)arg;
	set_number(v, row->place.dso, row->place.file_address);
}

static void get_source_line(const struct row *row, unsigned int arg,
			    struct value *v)
{
	const char *file;
	int line;

	(void)arg;
	if (!row->place.dso ||
	    !srcline_find(row->place.dso, row->place.file_address, &file,
			  &line))
		return;
	snprintf(v->room, sizeof(v->room), "%s:%d", file, line);
	set_text(v, v->room);
}

const struct field fields[] = {
	{ "offset", FIELD_NUMBER, get_offset, 0, NEED_RECORD, false },
	{ "cpu", FIELD_NUMBER, get_cpu, 0, NEED_RECORD, false },
	{ "pid", FIELD_NUMBER, get_pid, 0, NEED_OWNER, false },
	{ "comm", FIELD_TEXT, get_comm, 0, NEED_OWNER, false },
	{ "time", FIELD_NUMBER, get_time, 0, NEED_RECORD, false },
	{ "timestamp", FIELD_NUMBER, get_timestamp, 0, NEED_RECORD, false },
	{ "pc", FIELD_ADDRESS, get_virtual, SPE_ADDR_PC, NEED_RECORD, false },
	{ "el", FIELD_NUMBER, get_el, SPE_ADDR_PC, NEED_RECORD, false },
	{ "security", FIELD_TEXT, get_security, SPE_ADDR_PC, NEED_RECORD, false },
	{ "object", FIELD_TEXT, get_object, 0, NEED_PLACE, false },
	{ "symbol", FIELD_TEXT, get_symbol, 0, NEED_PLACE, false },
	{ "op", FIELD_TEXT, get_op, 0, NEED_RECORD, false },
	{ "subclass", FIELD_TEXT, get_subclass, 0, NEED_RECORD, false },
	{ "op_flags", FIELD_TEXT, get_op_flags, 0, NEED_RECORD, false },
	{ "vector_bits", FIELD_NUMBER, get_vector_bits, 0, NEED_RECORD, false },
	{ "events", FIELD_TEXT, get_events, 0, NEED_RECORD, false },
	{ "event_bits", FIELD_ADDRESS, get_event_bits, 0, NEED_RECORD, false },
	{ "total", FIELD_NUMBER, get_counter, SPE_COUNTER_TOTAL, NEED_RECORD, false },
	{ "issue", FIELD_NUMBER, get_counter, SPE_COUNTER_ISSUE, NEED_RECORD, false },
	{ "translation", FIELD_NUMBER, get_counter, SPE_COUNTER_XLAT,
	  NEED_RECORD, false },
	{ "altclk_issue", FIELD_NUMBER, get_counter, SPE_COUNTER_ALTCLK_ISSUE,
	  NEED_RECORD, false },
	{ "target", FIELD_ADDRESS, get_virtual, SPE_ADDR_TARGET, NEED_RECORD, false },
	{ "previous_target", FIELD_ADDRESS, get_virtual, SPE_ADDR_PREV_TARGET,
	  NEED_RECORD, false },
	{ "va", FIELD_ADDRESS, get_virtual, SPE_ADDR_DATA_VA, NEED_RECORD, false },
	{ "va_tag", FIELD_NUMBER, get_tag, SPE_ADDR_DATA_VA, NEED_RECORD, false },
	{ "pa", FIELD_ADDRESS, get_physical, SPE_ADDR_DATA_PA, NEED_RECORD, false },
	{ "pa_space", FIELD_TEXT, get_security, SPE_ADDR_DATA_PA, NEED_RECORD, false },
	{ "source", FIELD_NUMBER, get_source, 0, NEED_RECORD, false },
	{ "source_name", FIELD_TEXT, get_source_name, 0, NEED_RECORD, false },
	{ "context_el1", FIELD_NUMBER, get_context, SPE_CONTEXT_EL1,
	  NEED_RECORD, false },
	{ "context_el2", FIELD_NUMBER, get_context, SPE_CONTEXT_EL2,
	  NEED_RECORD, false },
	{ "cache_line", FIELD_ADDRESS, get_granule, 64, NEED_RECORD, false },
	{ "page", FIELD_ADDRESS, get_granule, 4096, NEED_RECORD, false },
	{ "core", FIELD_TEXT, get_core, 0, NEED_RECORD, false },
	{ "tid", FIELD_NUMBER, get_tid, 0, NEED_OWNER, false },
	{ "object_address", FIELD_ADDRESS, get_object_address, 0, NEED_PLACE,
	  false },
	{ "source_line", FIELD_TEXT, get_source_line, 0, NEED_PLACE, true },
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
