// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walking the events of a perf.data file.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "perfdata.h"

#define HEADER_BYTES	sizeof(struct perf_event_header)
#define AUXTRACE_BYTES	40	/* struct auxtrace_event without header */

static int fail(const struct perfdata *pd, uint64_t offset, const char *what)
{
	say("%s: at offset 0x%" PRIx64 ": %s", pd->in.path, offset, what);
	return -1;
}

/* The attribute that owns event id @id; the first one where none does. */
static const struct pd_attr *attr_by_id(const struct perfdata *pd, uint64_t id)
{
	size_t low = 0, high = pd->nr_ids;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (pd->ids[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	/* Events that perf itself made up have id 0. */
	if (!id || low == pd->nr_ids || pd->ids[low].id != id)
		return &pd->attrs[0];
	return &pd->attrs[pd->ids[low].attr];
}

/*
 * Fields of the sample_id in the order of perf_event_open(2); IDENTIFIER is
 * always last, so that the attribute can be found before the rest is known.
 */
static void read_sample_id(struct perfdata *pd, struct pd_event *ev)
{
	const struct pd_attr *attr = &pd->attrs[0];
	struct pd_sample_id *id = &ev->id;
	const uint8_t *at;
	uint64_t type;
	size_t bytes;

	if ((attr->sample_type & PERF_SAMPLE_IDENTIFIER) && ev->len >= 8)
		attr = attr_by_id(pd, pd_load64(ev->body + ev->len - 8));
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
	if (ev->len < AUXTRACE_BYTES)
		return fail(pd, ev->offset, "an AUXTRACE event is too short");
	ev->aux_len = pd_load64(ev->body);
	ev->aux = pd->in.bytes + *pos;
	if (ev->aux_len > pd->data_end - *pos) {
		say("%s: at offset 0x%" PRIx64 ": truncated: AUX data of %" PRIu64
		    " bytes, %" PRIu64 " are there", pd->in.path, ev->offset,
		    ev->aux_len, pd->data_end - *pos);
		return -1;
	}
	*pos += ev->aux_len;
	return 1;
}

int perfdata_next(struct perfdata *pd, uint64_t *pos, struct pd_event *ev)
{
	struct perf_event_header header;

	memset(ev, 0, sizeof(*ev));
	if (*pos == pd->data_end)
		return 0;
	if (pd->data_end - *pos < HEADER_BYTES)
		return fail(pd, *pos, "truncated: an event header is incomplete");
	memcpy(&header, pd->in.bytes + *pos, sizeof(header));
	if (header.size < HEADER_BYTES)
		return fail(pd, *pos, "an event is smaller than its header");
	if (header.size > pd->data_end - *pos)
		return fail(pd, *pos, "truncated: an event is incomplete");
	ev->offset = *pos;
	ev->type = header.type;
	ev->misc = header.misc;
	ev->body = pd->in.bytes + *pos + HEADER_BYTES;
	ev->len = header.size - HEADER_BYTES;
	*pos += header.size;

	switch (ev->type) {
	case PD_EVENT_COMPRESSED:
	case PD_EVENT_COMPRESSED2:
		return fail(pd, ev->offset, "compressed events (perf record -z) "
			    "are not supported; record without -z");
	case PD_EVENT_AUXTRACE:
		return read_auxtrace(pd, pos, ev);
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_READ:
		return 1;
	default:
		if (ev->type < PD_EVENT_USER_FIRST)
			read_sample_id(pd, ev);
		return 1;
	}
}
