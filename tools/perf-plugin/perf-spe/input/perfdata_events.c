// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walking the events of a perf.data file.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"


#define HEADER_BYTES	sizeof(struct perf_event_header)


/*
 * Find the attribute of a sample: IDENTIFIER is the first field.  Without it perf gives all events
 * the same fields, of which ID is one.
 */
static void sample_attr(struct perfdata *pd, struct pd_event *ev)
{
	uint64_t type = pd->nr_attrs ? pd->attrs[0].sample_type : 0;
	size_t at = type & PERF_SAMPLE_IDENTIFIER ? 0 :
		    8 * (size_t)__builtin_popcountll(type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							     PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR));

	if (pd->nr_attrs == 1)
		ev->attr = 0;
	else if (type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID) && ev->len >= at + 8)
		ev->attr = perfdata_attr_of(pd, pd_load64(ev->body + at));
}

/*
 * The attribute that defines the sample_id at the end of @ev.  IDENTIFIER is its
 * last field, so that it can be read before the others are known.  An unknown id
 * gets the first attribute.
 */
static const struct pd_attr *event_attr(struct perfdata *pd,
					struct pd_event *ev)
{
	if ((pd->attrs[0].sample_type & PERF_SAMPLE_IDENTIFIER) && ev->len >= 8)
		ev->attr = perfdata_attr_of(pd, pd_load64(ev->body + ev->len - 8));
	else if (pd->nr_attrs == 1)
		ev->attr = 0;
	return &pd->attrs[ev->attr == PD_NO_ATTR ? 0 : ev->attr];
}

/* Fields of the sample_id in the order of perf_event_open(2) */
void perfdata_sample_id(struct perfdata *pd, struct pd_event *ev)
{
	const struct pd_attr *attr;
	struct pd_sample_id *id = &ev->id;
	const uint8_t *at;
	uint64_t type;
	size_t bytes;

	/* A damaged pipe may have events before the first attribute. */
	if (!pd->nr_attrs)
		return;
	attr = event_attr(pd, ev);
	if (!attr->sample_id_all)
		return;
	type = attr->sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				    PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
				    PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
	bytes = 8 * (size_t)__builtin_popcountll(type);
	if (ev->len < bytes)
		return;
	ev->len -= bytes;
	at = ev->body + ev->len;
	if (type & PERF_SAMPLE_TID) {
		id->has_tid = true;
		id->pid = (int32_t)pd_load32(at);
		id->tid = (int32_t)pd_load32(at + 4);
		at += 8;
	}
	if (type & PERF_SAMPLE_TIME) {
		id->has_time = true;
		id->time = pd_load64(at);
		at += 8;
	}
	if (type & PERF_SAMPLE_ID)
		at += 8;
	if (type & PERF_SAMPLE_STREAM_ID)
		at += 8;
	if (type & PERF_SAMPLE_CPU) {
		id->has_cpu = true;
		id->cpu = pd_load32(at);
	}
}

static int read_auxtrace(struct perfdata *pd, uint64_t *pos,
			 struct pd_event *ev)
{
	uint64_t all, left;

	if (ev->len < PD_AUXTRACE_BYTES - HEADER_BYTES)
		return perfdata_damaged(pd, ev->offset, "an AUXTRACE event is too short");
	all = pd_load64(ev->body);
	left = pd->data_end - *pos;
	ev->aux_len = all < left ? all : left;
	ev->aux = pd->in.bytes + *pos;
	*pos += ev->aux_len;
	pd->behind_aux = *pos;
	if (all > left) {
		/* The records before the cut are whole. */
		perfdata_lost(pd, ev->offset, all - left, "of %" PRIu64
			      " bytes of AUX data only %" PRIu64 " are in the file",
			      all, left);
		return left ? 1 : -1;
	}
	return 1;
}

/* In the pipe form the tracing data follows its event, padded to 8 bytes. */
static int skip_tracing_data(struct perfdata *pd, uint64_t *pos,
			     const struct pd_event *ev)
{
	uint64_t size = ev->len >= 4 ? pd_load32(ev->body) : 0;

	size = (size + 7) / 8 * 8;
	if (size > pd->data_end - *pos)
		return perfdata_damaged(pd, ev->offset, "tracing data is incomplete");
	*pos += size;
	return 1;
}

/* Events that only the pipe form has */
static int pipe_event(struct perfdata *pd, uint64_t *pos,
		      const struct pd_event *ev)
{
	switch (ev->type) {
	case PD_EVENT_ATTR:
		return perfdata_add_attr(pd, ev) < 0 ? -1 : 1;
	case PD_EVENT_FEATURE:
		perfdata_add_feature(pd, ev);
		return 1;
	case PD_EVENT_BUILD_ID:
		perfdata_add_build_id(pd, ev);
		return 1;
	case PD_EVENT_TRACING_DATA:
		return skip_tracing_data(pd, pos, ev);
	default:
		return 1;
	}
}

static int unpack(struct perfdata *pd, const struct pd_event *ev)
{
	const uint8_t *from = ev->body;
	uint64_t len = ev->len;

	if (ev->type == PD_EVENT_COMPRESSED2) {
		if (len < 8 || pd_load64(from) > len - 8)
			return perfdata_damaged(pd, ev->offset,
				"a COMPRESSED2 event is too short");
		len = pd_load64(from);
		from += 8;
	}
	return unpack_event(&pd->unpacked, pd->in.path, ev->offset, from,
			    (size_t)len);
}

/* The next whole unpacked event; returns 0 if there is none */
static int next_unpacked(struct perfdata *pd, struct pd_event *ev)
{
	struct unpacked *u = &pd->unpacked;
	struct perf_event_header header;

	if (u->len - u->pos < HEADER_BYTES)
		return 0;
	memcpy(&header, u->bytes + u->pos, sizeof(header));
	if (header.size < HEADER_BYTES)
		return perfdata_damaged(pd, u->offset, "a compressed event is smaller than its header");
	if (header.size > u->len - u->pos)
		return 0;
	ev->offset = u->offset;
	ev->type = header.type;
	ev->misc = header.misc;
	ev->body = u->bytes + u->pos + HEADER_BYTES;
	ev->len = header.size - HEADER_BYTES;
	u->pos += header.size;
	if (ev->type >= PD_EVENT_USER_FIRST)
		return perfdata_damaged(pd, u->offset, "an event is compressed that perf never compresses");
	return 1;
}

/*
 * The event at @pos of the file.  Between AUX data it takes less time to copy an event than to map its
 * page, with which the kernel maps others.
 */
static const uint8_t *event_at(struct perfdata *pd, uint64_t pos)
{
	const uint8_t *at = pd->in.bytes + pos, *copy;
	struct perf_event_header header;

	if (pos != pd->behind_aux || pd->data_end - pos < PD_AUXTRACE_BYTES)
		return at;
	copy = mapped_file_read(at, PD_AUXTRACE_BYTES, pd->auxtrace);
	memcpy(&header, copy, sizeof(header));
	return header.type == PD_EVENT_AUXTRACE && header.size == PD_AUXTRACE_BYTES ? copy : at;
}

/* The event at *pos of the file itself */
static int next_in_file(struct perfdata *pd, uint64_t *pos,
			struct pd_event *ev)
{
	struct perf_event_header header;
	const uint8_t *at;

	if (*pos == pd->data_end)
		return 0;
	if (pd->data_end - *pos < HEADER_BYTES)
		return perfdata_damaged(pd, *pos, "an event header is incomplete");
	at = event_at(pd, *pos);
	memcpy(&header, at, sizeof(header));
	if (header.size < HEADER_BYTES)
		return perfdata_damaged(pd, *pos, "an event is smaller than its header");
	if (header.size > pd->data_end - *pos)
		return perfdata_damaged(pd, *pos, "an event is incomplete");
	ev->offset = *pos;
	ev->type = header.type;
	ev->misc = header.misc;
	ev->body = at + HEADER_BYTES;
	ev->len = header.size - HEADER_BYTES;
	*pos += header.size;
	return 1;
}

static bool has_sample_id(const struct pd_event *ev)
{
	return ev->type < PD_EVENT_USER_FIRST &&
	       ev->type != PERF_RECORD_SAMPLE && ev->type != PERF_RECORD_READ;
}

int perfdata_next(struct perfdata *pd, uint64_t *pos, struct pd_event *ev)
{
	int more;

	memset(ev, 0, sizeof(*ev));
	ev->attr = PD_NO_ATTR;
	while (!(more = next_unpacked(pd, ev))) {
		more = next_in_file(pd, pos, ev);
		if (!more && (pd->unpacked.cut || pd->unpacked.pos < pd->unpacked.len))
			return perfdata_damaged(pd, pd->unpacked.offset,
				"a compressed event is incomplete");
		if (more <= 0 || (ev->type != PD_EVENT_COMPRESSED &&
				  ev->type != PD_EVENT_COMPRESSED2))
			break;
		if (unpack(pd, ev) < 0)
			return -1;
	}
	if (more <= 0)
		return more;
	if (ev->type == PD_EVENT_AUXTRACE)
		return read_auxtrace(pd, pos, ev);
	if (pd->pipe && ev->type >= PD_EVENT_USER_FIRST)
		return pipe_event(pd, pos, ev);
	if (has_sample_id(ev))
		perfdata_sample_id(pd, ev);
	else if (ev->type == PERF_RECORD_SAMPLE)
		sample_attr(pd, ev);
	return 1;
}
