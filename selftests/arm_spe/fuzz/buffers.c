// SPDX-License-Identifier: GPL-2.0-only
/* The calls on buffers: mapping them, and what a reader, also a hostile one, does there. */
#include "fuzz.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

struct event *next_event(struct task *task, struct dice *dice,
			 bool (*fits)(const struct event *event))
{
	unsigned int first = draw(dice, FUZZ_EVENTS);

	if (once_in(dice, 16))
		return &task->event[first];
	for (unsigned int i = 0; i < FUZZ_EVENTS; i++) {
		struct event *event = &task->event[(first + i) % FUZZ_EVENTS];

		if (fits(event))
			return event;
	}
	return &task->event[first];
}

static bool lacks_data(const struct event *event)
{
	return event->fd >= 0 && !event->data;
}

static bool lacks_aux(const struct event *event)
{
	return event->fd >= 0 && event->spe && event->data && event->writable && !event->aux;
}

static bool has_control(const struct event *event)
{
	return event->data && event->writable;
}

static bool has_data(const struct event *event)
{
	return event->data;
}

static bool has_aux(const struct event *event)
{
	return event->aux;
}

static bool unmap(void **at, size_t size)
{
	bool ok = *at && !munmap(*at, size);

	*at = NULL;
	return ok;
}

void unmap_all(struct event *event)
{
	unmap(&event->aux, event->aux_size);
	unmap(&event->data, event->data_size);
}

bool map_data(struct event *event, struct dice *dice)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 1 + (1u << draw(dice, 4));
	bool writable = !once_in(dice, 4);

	if (once_in(dice, 16))
		pages = draw(dice, 40);
	if (event->fd < 0 || event->data)
		return false;
	event->data = mmap(NULL, pages * page, PROT_READ | (writable ? PROT_WRITE : 0),
			   once_in(dice, 32) ? MAP_PRIVATE : MAP_SHARED, event->fd, 0);
	if (event->data == MAP_FAILED)
		event->data = NULL;
	event->data_size = pages * page;
	event->writable = writable;
	return event->data;
}

bool call_map_data(struct task *task, struct dice *dice)
{
	return map_data(next_event(task, dice, lacks_data), dice);
}

/* The control page may be gone: another task may have ended the event it belonged to. */
static sigjmp_buf after_fault;

static void on_fault(int number)
{
	(void)number;
	siglongjmp(after_fault, 1);
}

static void catch_faults(void (*handler)(int number))
{
	signal(SIGSEGV, handler);
	signal(SIGBUS, handler);
}

static bool store(volatile uint64_t *at, uint64_t value)
{
	volatile bool ok = false;

	catch_faults(on_fault);
	if (!sigsetjmp(after_fault, 1)) {
		*at = value;
		ok = true;
	}
	catch_faults(SIG_DFL);
	return ok;
}

bool map_aux(struct event *event, struct dice *dice)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = page << draw(dice, 7), offset = event->data_size;
	struct perf_event_mmap_page *control = event->data;
	bool overwrite = once_in(dice, 3);

	if (once_in(dice, 16))
		size = page * draw(dice, 100);
	if (once_in(dice, 16))
		offset = page * draw(dice, 200);
	if (event->fd < 0 || !control || !event->writable || event->aux)
		return false;
	if (!store((volatile uint64_t *)&control->aux_offset, offset) ||
	    !store((volatile uint64_t *)&control->aux_size, size))
		return false;
	event->aux = mmap(NULL, size, overwrite ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
			  event->fd, (off_t)offset);
	if (event->aux == MAP_FAILED)
		event->aux = NULL;
	event->aux_size = size;
	return event->aux;
}

bool call_map_aux(struct task *task, struct dice *dice)
{
	return map_aux(next_event(task, dice, lacks_aux), dice);
}

bool call_unmap_data(struct task *task, struct dice *dice)
{
	struct event *event = next_event(task, dice, has_data);

	return unmap(&event->data, event->data_size);
}

bool call_unmap_aux(struct task *task, struct dice *dice)
{
	struct event *event = next_event(task, dice, has_aux);

	return unmap(&event->aux, event->aux_size);
}

/* What a reader writes: where it has read up to.  A hostile one writes anything. */
bool call_tail(struct task *task, struct dice *dice)
{
	struct event *event = next_event(task, dice, has_control);
	struct perf_event_mmap_page *control = event->data;
	bool aux = !once_in(dice, 3);
	unsigned int where = draw(dice, 10);
	uint64_t any = dice_word(dice), head, value;

	if (!control || !event->writable)
		return false;
	head = aux ? control->aux_head : control->data_head;
	switch (where) {
	case 0:
		value = any;
		break;
	case 1:
		value = 0;
		break;
	case 2:
		value = head + any % 4096;
		break;
	case 3:
		value = head - any % 4096;
		break;
	case 4:
		value = head - event->aux_size - any % 64;
		break;
	default:
		value = head;
	}
	return store((volatile uint64_t *)(aux ? &control->aux_tail : &control->data_tail), value);
}

/* Scribbles on the numbers by which mmap() finds the AUX area. */
bool call_scribble(struct task *task, struct dice *dice)
{
	struct event *event = next_event(task, dice, has_control);
	struct perf_event_mmap_page *control = event->data;
	uint64_t value = dice_word(dice) >> draw(dice, 64);

	if (!control || !event->writable)
		return false;
	return store((volatile uint64_t *)(value & 1 ? &control->aux_offset : &control->aux_size),
		     value & ~UINT64_C(1));
}

static bool look(volatile const uint8_t *at, size_t size)
{
	volatile bool ok = false;

	catch_faults(on_fault);
	if (!sigsetjmp(after_fault, 1)) {
		for (size_t i = 0; i < size; i += 512)
			(void)at[i];
		ok = true;
	}
	catch_faults(SIG_DFL);
	return ok;
}

/* Reads the AUX area, as a tool does. */
bool call_look(struct task *task, struct dice *dice)
{
	struct event *event = next_event(task, dice, has_aux);

	return event->aux && look(event->aux, event->aux_size);
}
