// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Chooses where in the AUX buffer the Statistical Profiling Unit may write next.
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

/* Returns the piece that contains an offset.  The offset is below bufsize. */
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

/* Whether the next wakeup is less than a record ahead: the unit cannot stop before it. */
static bool spe_limit_wakeup_due(const struct spe_space *s, u64 head)
{
	return !s->overwrite && s->wakeup > head && s->wakeup - head < s->record;
}

/*
 * Computes the padding before the first record.  A new write pointer needs alignment.
 * If a wakeup is due, the padding passes it.  If no record fits before the end of the
 * piece, the padding fills the piece.
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
 * Computes the limit for a plan from offset start with room bytes free.  Always leave
 * one byte free: if the buffer is completely full, perf gives out no handle, and the
 * driver could not flag the AUX record.
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
	/* The plan must have room for a record, even if that passes the wakeup. */
	next = wakeup - head < s->record ? s->record : wakeup - head;
	if (next < end - start && spe_limit_up(start + next, s->page) < end)
		end = spe_limit_up(start + next, s->page);
	return end;
}

struct spe_plan spe_limit_plan(const struct spe_space *s)
{
	const struct spe_plan full = { .run = false };
	struct spe_plan plan = { .run = true, .wakeup = s->wakeup };
	/* A buffer size need not be a power of two, and a position may exceed 2^32. */
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
