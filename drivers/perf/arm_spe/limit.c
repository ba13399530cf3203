// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Where in the AUX buffer the Statistical Profiling Unit may write next.
 */
#include "limit.h"

static u64 spe_limit_down(u64 value, u64 unit)
{
	return value & ~(unit - 1);
}

static u64 spe_limit_up(u64 value, u64 unit)
{
	return spe_limit_down(value + unit - 1, unit);
}

u64 spe_limit_wakeup(u64 head, u64 watermark)
{
	return head - head % watermark + watermark;
}

/* The piece that holds an offset below bufsize. */
static u32 spe_limit_piece(const struct spe_space *s, u64 offset)
{
	u32 low = 0, high = s->nr_pieces;

	while (high - low > 1) {
		u32 middle = low + (high - low) / 2;

		if (s->pieces[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static u64 spe_limit_piece_end(const struct spe_space *s, u32 piece)
{
	return piece + 1 < s->nr_pieces ? s->pieces[piece + 1].offset : s->bufsize;
}

/* A wakeup less than a record ahead is due: the unit cannot stop just there. */
static bool spe_limit_wakeup_due(const struct spe_space *s, u64 head)
{
	return !s->overwrite && s->wakeup > head && s->wakeup - head < s->record;
}

/*
 * Padding before the first record: up to the alignment that a new pointer
 * needs, past a wakeup that is due there, or, where no record fits before
 * the piece's end, all the way to that.
 */
static u64 spe_limit_pad(const struct spe_space *s, u64 offset, u64 end)
{
	u64 pad = s->saved ? 0 : spe_limit_up(offset, s->align) - offset;

	if (spe_limit_wakeup_due(s, s->head + pad))
		pad = spe_limit_up(offset + s->wakeup - s->head, s->align) - offset;
	if (end - offset < pad + s->record)
		pad = end - offset;
	return pad;
}

/*
 * The end of what may be written from offset start with room bytes free.
 * perf calls a buffer with one byte free a full one, and then hands out no
 * handle to say so: one byte is always left.
 */
static u64 spe_limit_end(const struct spe_space *s, u64 head, u64 start, u64 end, u64 room)
{
	u64 wakeup = s->wakeup, next;

	if (s->max_bytes && end - start > s->max_bytes)
		end = spe_limit_down(start + s->max_bytes, s->page);
	if (s->overwrite)
		return end;
	if (room - 1 < end - start)
		end = spe_limit_down(start + room - 1, s->page);
	if (wakeup <= head)
		wakeup = spe_limit_wakeup(head, s->watermark);
	/* Room for a record there must be, also if that passes the wakeup. */
	next = wakeup - head < s->record ? s->record : wakeup - head;
	if (next < end - start && spe_limit_up(start + next, s->page) < end)
		end = spe_limit_up(start + next, s->page);
	return end;
}

struct spe_plan spe_limit_plan(const struct spe_space *s)
{
	const struct spe_plan full = { .run = false };
	struct spe_plan plan = { .run = true, .wakeup = s->wakeup };
	/* Buffers need not be a power of two, and positions pass 2^32. */
	u64 offset = s->head % s->bufsize;
	u32 piece = spe_limit_piece(s, offset);
	u64 end = spe_limit_piece_end(s, piece);

	plan.pad = spe_limit_pad(s, offset, end);
	if (!s->overwrite && plan.pad >= s->size)
		return full;
	plan.start = offset + plan.pad;
	if (plan.start == end) {
		piece = piece + 1 < s->nr_pieces ? piece + 1 : 0;
		plan.start = s->pieces[piece].offset;
		end = spe_limit_piece_end(s, piece);
	}
	plan.base = s->pieces[piece].base;
	plan.limit = spe_limit_end(s, s->head + plan.pad, plan.start, end, s->size - plan.pad);
	if (plan.limit < plan.start + s->record)
		return full;
	return plan;
}
