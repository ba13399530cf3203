// SPDX-License-Identifier: GPL-2.0-only
#include <arm_spe/packet.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

/* Pieces are units of work for threads, so a recording should have several. */
#define PIECE_SAMPLES	4096u

/* The longest record, and a timestamp in place of its end */
#define MADE_MOST	(SPE_RECORD_BYTES_MAX + 9)

/* A thread on a CPU */
struct record_stream {
	int32_t cpu, pid, tid;
	uint32_t number;	/* from 1 on; 0: the slot is unused */
	size_t piece;		/* its newest one */
};

static const struct hash_kind stream_kind = {
	HASH_SLOTS(struct record_stream, number),
	.key = { HASH_NUMBER(struct record_stream, cpu), HASH_NUMBER(struct record_stream, pid),
		 HASH_NUMBER(struct record_stream, tid) },
};

/* A record in the bytes of a sample */
struct raw_record {
	const uint8_t *bytes;
	size_t len;		/* 0: there is no whole one */
	size_t packets;		/* bytes before the packet that ends it */
};

/* Behind the record there may be padding of perf's, which is any bytes. */
static struct raw_record raw_record(const struct pd_sample *s)
{
	struct raw_record r = { .bytes = s->raw };
	struct armspe_packet packet;
	size_t at = 0;

	while (armspe_packet_decode(s->raw + at, s->raw_len - at, &packet) == ARMSPE_OK) {
		r.packets = at;
		at += armspe_packet_bytes(&packet);
		if (at > SPE_RECORD_BYTES_MAX)
			break;
		if (packet.type == ARMSPE_TIMESTAMP || packet.type == ARMSPE_END_OF_RECORD) {
			r.len = at;
			break;
		}
	}
	return r;
}

static struct piece *piece_of(struct record_samples *r, const struct pd_sample *s,
			      uint64_t file_offset)
{
	struct record_stream key = {
		.cpu = s->has_cpu && s->cpu < CPUS_MOST ? (int32_t)s->cpu : NO_ID,
		.pid = s->has_tid ? s->pid : NO_ID, .tid = s->has_tid ? s->tid : NO_ID,
	}, *stream = hash_table_add(&r->streams, &stream_kind, &key);

	if (!stream->number) {
		key.number = (uint32_t)r->streams.count;
		*stream = key;
	} else if (r->pieces[stream->piece].nr_samples < PIECE_SAMPLES) {
		return &r->pieces[stream->piece];
	}
	r->pieces = array_grow(r->pieces, r->nr, &r->room, sizeof(*r->pieces));
	r->pieces[r->nr] = (struct piece){
		.file_offset = file_offset, .idx = stream->number - 1,
		.cpu = key.cpu, .pid = key.pid, .tid = key.tid,
	};
	stream->piece = r->nr++;
	return &r->pieces[stream->piece];
}

/* The array's room is the power of two from its length on. */
static void piece_add(struct piece *p, const struct record_sample *sample)
{
	if (!(p->nr_samples & (p->nr_samples - 1)))
		p->samples = xrealloc(p->samples, (p->nr_samples ? 2 * p->nr_samples : 1) *
						  sizeof(*p->samples));
	p->samples[p->nr_samples++] = *sample;
}

void record_samples_add(struct record_samples *r, const struct pd_event *ev,
			const struct pd_sample *s)
{
	const struct record_sample sample = {
		ev->body, (uint32_t)ev->len, (uint16_t)ev->attr, ev->misc,
	};

	if (s->raw && !raw_record(s).len) {
		r->damaged++;
		return;
	}
	r->raw += s->raw != NULL;
	r->count++;
	piece_add(piece_of(r, s, ev->offset), &sample);
}

/* Append a packet with a payload of 1 << @sz bytes. */
static uint8_t *packet_put(uint8_t *to, unsigned int header, uint64_t payload, unsigned int sz)
{
	unsigned int i;

	*to++ = (uint8_t)(header | sz << SPE_HDR_SZ_SHIFT);
	for (i = 0; i < 1u << sz; i++)
		*to++ = (uint8_t)(payload >> 8 * i);
	return to;
}

#define BIT(event)	(UINT64_C(1) << SPE_EVENT_##event)

/* Perf names the place of the data.  What is nearer was asked before, and did not have it. */
static uint64_t level_events(const union perf_mem_data_src *src)
{
	bool miss = src->mem_lvl != PERF_MEM_LVL_NA && src->mem_lvl & PERF_MEM_LVL_MISS;

	switch (src->mem_lvl_num) {
	case PERF_MEM_LVLNUM_L1:
		return BIT(L1D_ACCESS) | (miss ? BIT(L1D_REFILL) : 0);
	case PERF_MEM_LVLNUM_LFB:
		return BIT(RECENTLY_FETCHED);
	case PERF_MEM_LVLNUM_L2:
		return BIT(L1D_ACCESS) | BIT(L1D_REFILL) | BIT(L2D_ACCESS) |
		       (miss ? BIT(L2D_MISS) : 0);
	case PERF_MEM_LVLNUM_L3:
		return BIT(L1D_ACCESS) | BIT(L1D_REFILL) | BIT(LLC_ACCESS) |
		       (miss ? BIT(LLC_MISS) : 0);
	case PERF_MEM_LVLNUM_RAM:
		return BIT(L1D_ACCESS) | BIT(L1D_REFILL) | BIT(LLC_ACCESS) | BIT(LLC_MISS);
	default:
		return 0;
	}
}

static uint64_t source_events(const union perf_mem_data_src *src)
{
	uint64_t events = level_events(src);

	if (src->mem_dtlb & PERF_MEM_TLB_WK)
		events |= BIT(TLB_ACCESS) | (src->mem_dtlb & PERF_MEM_TLB_MISS ? BIT(TLB_WALK) : 0);
	if (src->mem_remote)
		events |= BIT(REMOTE_ACCESS);
	if (src->mem_snoop & PERF_MEM_SNOOP_HITM)
		events |= BIT(DATA_SNOOPED) | BIT(DATA_MODIFIED);
	return events;
}

static uint8_t *address_put(uint8_t *to, unsigned int index, uint64_t address, unsigned int top)
{
	return packet_put(to, SPE_HDR_ADDRESS | index,
			  (address & SPE_ADDR_MASK) | (uint64_t)top << SPE_ADDR_TOP_SHIFT, 3);
}

static uint8_t *access_put(uint8_t *to, const struct pd_sample *s)
{
	const union perf_mem_data_src src = { .val = s->data_src };
	unsigned int store = src.mem_op & PERF_MEM_OP_STORE ? SPE_OP_LDST : 0;
	uint64_t events = source_events(&src);

	if (!store && !(src.mem_op & PERF_MEM_OP_LOAD))
		return to;
	if (events)
		to = packet_put(to, SPE_HDR_EVENTS, events, 3);
	return packet_put(to, SPE_HDR_OP_TYPE | SPE_OP_CLASS_LDST, SPE_OP_LDST_UNSPECIFIED | store, 0);
}

/* A record of what the sample has, without its end */
static uint8_t *record_put(uint8_t *to, const struct pd_sample *s, const struct pd_attr *attr,
			   uint16_t misc)
{
	unsigned int mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	unsigned int level = mode == PERF_RECORD_MISC_KERNEL ? 1u << SPE_ADDR_EL_SHIFT : 0;
	bool data = s->addr || s->phys_addr;
	uint64_t total = s->weights ? s->weight & UINT32_MAX : s->weight;

	if (attr->sample_type & PERF_SAMPLE_IP)
		to = address_put(to, SPE_ADDR_PC, s->ip, SPE_ADDR_NS | level);
	if (total)
		to = packet_put(to, SPE_HDR_COUNTER | SPE_COUNTER_TOTAL, total, 1);
	if (s->weights)
		to = packet_put(to, SPE_HDR_COUNTER | SPE_COUNTER_ISSUE, s->weight >> 32, 1);
	if (s->weights && data)
		to = packet_put(to, SPE_HDR_COUNTER | SPE_COUNTER_XLAT, s->weight >> 48, 1);
	to = access_put(to, s);
	if (s->addr)
		to = address_put(to, SPE_ADDR_DATA_VA, s->addr, (unsigned int)(s->addr >> 56));
	if (s->phys_addr)
		to = address_put(to, SPE_ADDR_DATA_PA, s->phys_addr, SPE_ADDR_NS);
	return to;
}

static size_t make(const struct session *s, const struct record_sample *from, uint8_t *to)
{
	const struct pd_event ev = { .body = from->body, .len = from->len };
	const struct pd_attr *attr = &s->pd.attrs[from->attr];
	const uint8_t *begin = to;
	struct pd_sample sample;
	struct raw_record raw;

	sample_event_read(attr, &ev, &sample);
	if (sample.raw) {
		raw = raw_record(&sample);
		if (!s->sample_times || !sample.has_time) {
			memcpy(to, raw.bytes, raw.len);
			return raw.len;
		}
		memcpy(to, raw.bytes, raw.packets);
		to += raw.packets;
	} else {
		to = record_put(to, &sample, attr, from->misc);
	}
	if (sample.has_time)
		to = packet_put(to, SPE_HDR_TIMESTAMP, sample.time, 3);
	else
		*to++ = SPE_HDR_END;
	return (size_t)(to - begin);
}

uint8_t *record_samples_bytes(const struct session *s, const struct piece *p)
{
	uint8_t *bytes = xcalloc(1, p->len + MADE_MOST), *to = bytes;
	size_t i;

	/* A file that changes while it is read must not make more than was measured. */
	for (i = 0; i < p->nr_samples && (size_t)(to - bytes) <= p->len; i++)
		to += make(s, &p->samples[i], to);
	return bytes;
}

/* Where each piece is in its stream */
static void find_lengths(struct session *s)
{
	uint64_t *end = xcalloc(s->record_samples.streams.count, sizeof(*end));
	uint8_t bytes[MADE_MOST];
	size_t i, k;

	for (i = 0; i < s->nr_pieces; i++) {
		struct piece *p = &s->pieces[i];

		p->len = 0;
		for (k = 0; k < p->nr_samples; k++)
			p->len += make(s, &p->samples[k], bytes);
		p->offset = end[p->idx];
		end[p->idx] += p->len;
	}
	free(end);
}

void record_samples_take(struct session *s)
{
	struct record_samples *r = &s->record_samples;

	s->sampled = true;
	s->made = !r->raw;
	s->is_spe = true;
	s->pmu_type = s->pd.attrs[r->pieces[0].samples[0].attr].type;
	s->sample_times = true;
	s->tc = (struct time_conv){ .valid = true, .mult = 1 };
	s->pieces = r->pieces;
	s->nr_pieces = r->nr;
	r->pieces = NULL;
	r->nr = r->room = 0;
	find_lengths(s);
}

void record_samples_own_times(struct session *s)
{
	s->sample_times = false;
	find_lengths(s);
}

void record_samples_free(struct record_samples *r)
{
	while (r->nr)
		free(r->pieces[--r->nr].samples);
	free(r->pieces);
	hash_table_free(&r->streams);
	memset(r, 0, sizeof(*r));
}
