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

/*
 * Padding before the first record: up to the alignment that a new pointer
 * needs, or, where no record fits before the buffer's end, all the way there.
 */
static u64 spe_limit_pad(const struct spe_space *s, u64 offset)
{
	u64 pad = s->saved ? 0 : spe_limit_up(offset, s->align) - offset;

	if (s->bufsize - offset < pad + s->record)
		pad = s->bufsize - offset;
	return pad;
}

/*
 * The end of what may be written from offset start with room bytes free.
 * perf calls a buffer with one byte free a full one, and then hands out no
 * handle to say so: one byte is always left.
 */
static u64 spe_limit_end(const struct spe_space *s, u64 head, u64 start, u64 room)
{
	u64 end = s->bufsize, wakeup;

	if (s->most && end - start > s->most)
		end = spe_limit_down(start + s->most, s->page);
	if (s->overwrite)
		return end;
	if (room - 1 < end - start)
		end = spe_limit_down(start + room - 1, s->page);
	if (s->wakeup > head && s->wakeup - head < end - start) {
		/* Stopping anywhere within a record of the limit passes it. */
		wakeup = spe_limit_up(start + (s->wakeup - head) + s->record, s->page);
		if (wakeup < end)
			end = wakeup;
	}
	return end;
}

struct spe_plan spe_limit_plan(const struct spe_space *s)
{
	const struct spe_plan full = { .run = false };
	struct spe_plan plan = { .run = true };
	/* Buffers need not be a power of two, and positions pass 2^32. */
	u64 offset = s->head % s->bufsize;

	plan.pad = spe_limit_pad(s, offset);
	if (!s->overwrite && plan.pad >= s->size)
		return full;
	plan.start = offset + plan.pad;
	if (plan.start == s->bufsize)
		plan.start = 0;
	plan.limit = spe_limit_end(s, s->head + plan.pad, plan.start, s->size - plan.pad);
	if (plan.limit < plan.start + s->record)
		return full;
	return plan;
}

u64 spe_limit_wakeup(u64 head, u64 watermark)
{
	return head - head % watermark + watermark;
}

bool spe_limit_advance(u64 mark, u64 start, u64 limit, u64 ptr, u64 *head)
{
	*head = mark;
	if (ptr < start || ptr > limit)
		return false;
	*head = mark + (ptr - start);
	return true;
}
