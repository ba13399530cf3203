// SPDX-License-Identifier: GPL-2.0-only
/* Stacks of several places, as records with call stacks have them. */
#include "analysis/callers/callers.h"
#include "symbols/symbols.h"
#include "test.h"
#include "util/util.h"

/* The innermost first: leaf and middle of a library, main of a program */
static const struct place called[] = {
	{ .object = "/lib/lib.so", .symbol = "leaf", .address = 0x30, .has_address = true },
	{ .object = "/lib/lib.so", .symbol = "middle", .address = 0x20, .has_address = true },
	{ .object = "/bin/prog", .symbol = "main", .address = 0x10, .has_address = true },
};

/* The callers of called[0]: middle, then main */
static const struct caller callers_of[] = {
	{ .outer = &callers_of[1], .place = &called[1], .number = 1 },
	{ .outer = NULL, .place = &called[2], .number = 0 },
};
static const struct place_list all = { called, callers_of, false };

/* The stack as "root;...;leaf", objects in brackets */
static const char *text(const struct frames *f, uint32_t stack)
{
	static char room[256];
	const struct frame_function *path[16];
	size_t depth = 0;

	room[0] = '\0';
	for (; stack != NO_STACK && depth < 16; stack = f->stacks[stack].caller)
		path[depth++] = &f->functions[f->frames[f->stacks[stack].frame].function];
	while (depth--) {
		const struct frame_function *function = path[depth];

		strcat(room, room[0] ? ";" : "");
		strcat(room, function->is_object ? "[" : "");
		strcat(room, function->is_object ? path_short(function->object) :
			     function->name ? function->name : "?");
		strcat(room, function->is_object ? "]" : "");
	}
	return room;
}

static void callers(void)
{
	const struct place_list part = { called + 1, callers_of + 1, false };
	struct frames f = { .flags = 0 };
	uint32_t stack = frames_stack(&f, &all, NULL), shorter;

	CHECK_STR(text(&f, stack), "main;middle;leaf");
	CHECK_EQ(frames_stack(&f, &all, NULL), stack);
	/* A stack that another one begins with is a part of it. */
	shorter = frames_stack(&f, &part, NULL);
	CHECK_STR(text(&f, shorter), "main;middle");
	CHECK_EQ(f.stacks[stack].caller, shorter);
	CHECK_EQ(f.nr_stacks, 3);
	CHECK_EQ(f.nr_frames, 3);
	frames_free(&f);
}

static void objects(void)
{
	struct frames f = { .flags = FRAMES_OBJECTS };

	CHECK_STR(text(&f, frames_stack(&f, &all, NULL)),
		  "[prog];main;[lib.so];middle;leaf");
	frames_free(&f);
}

static void recursion(void)
{
	const struct caller twice = { .outer = &callers_of[1], .place = called, .number = 2 };
	const struct place_list list = { called, &twice, false };
	struct frames f = { .flags = FRAMES_ADDRESSES };
	uint32_t stack = frames_stack(&f, &list, NULL);

	CHECK_STR(text(&f, stack), "main;leaf;leaf");
	CHECK_EQ(f.nr_frames, 2);
	CHECK_EQ(f.frames[f.stacks[stack].frame].address, 0x30);
	frames_free(&f);
}

/* The same function at two addresses */
static void addresses(void)
{
	struct place other = called[0];
	const struct place_list one = { called, NULL, false }, two = { &other, NULL, false };
	struct frames with = { .flags = FRAMES_ADDRESSES }, without = { .flags = 0 };

	other.address = 0x34;
	CHECK(frames_stack(&with, &one, NULL) != frames_stack(&with, &two, NULL));
	CHECK_EQ(with.nr_functions, 1);
	CHECK_EQ(frames_stack(&without, &one, NULL),
		 frames_stack(&without, &two, NULL));
	frames_free(&with);
	frames_free(&without);
}

/* The hint of a place tells which one it is, whoever called it. */
static void hints(void)
{
	const struct place_list one = { called, NULL, false };
	struct place other = called[0];
	const struct place_list two = { &other, NULL, false };
	struct frames f = { .flags = FRAMES_ADDRESSES };
	uint32_t hint = 0, first, none = 0, stack;

	stack = frames_stack(&f, &one, &hint);
	first = hint;
	CHECK(first);
	CHECK_EQ(frames_stack(&f, &one, &hint), stack);
	CHECK_STR(text(&f, frames_stack(&f, &all, &hint)), "main;middle;leaf");
	CHECK_EQ(frames_stack(&f, &one, &hint), stack);
	CHECK_EQ(hint, first);
	/* The same without a hint, and for one that is lost */
	CHECK_EQ(frames_stack(&f, &one, NULL), stack);
	CHECK_EQ(frames_stack(&f, &one, &none), stack);
	CHECK_EQ(none, first);
	other.address = 0x34;
	none = 0;
	CHECK(frames_stack(&f, &two, &none) != stack);
	CHECK(none != first);
	CHECK_STR(path_short("/bin/prog"), "prog");
	CHECK_STR(path_short("[kernel]"), "[kernel]");
	CHECK_STR(path_short("/"), "/");
	frames_free(&f);
}

/* Callers with a number that others had before: see rows_restack(). */
static void other_callers(void)
{
	const struct caller main_alone = { .place = &called[2], .number = 1 };
	const struct place_list list = { called, &main_alone, false };
	struct frames f = { .flags = 0 };
	uint32_t hint = 0;

	CHECK_STR(text(&f, frames_stack(&f, &all, &hint)), "main;middle;leaf");
	frames_forget_callers(&f);
	CHECK_STR(text(&f, frames_stack(&f, &list, &hint)), "main;leaf");
	frames_free(&f);
}

/* All pairs of places and callers, in turn, are more than it holds at once. */
static void memory_is_limited(void)
{
	enum { PLACES = 1000, CALLERS = 3000 };
	struct stack_memory m = { 0 };
	uint32_t callers, place, *stack, wrong = 0;

	for (callers = 0; callers < CALLERS; callers++) {
		for (place = 0; place < PLACES; place++) {
			stack = stack_memory_at(&m, callers, place);
			wrong += *stack && *stack != callers * PLACES + place + 1;
			*stack = callers * PLACES + place + 1;
		}
		wrong += *stack_memory_at(&m, callers, 0) != callers * PLACES + 1 &&
			 *stack_memory_at(&m, callers, 0);
	}
	CHECK_EQ(wrong, 0);
	CHECK_EQ(*stack_memory_at(&m, CALLERS - 1, PLACES - 1), CALLERS * PLACES);
	/* 64 bytes for each 16 places: 12 MB without a limit */
	CHECK(m.room_blocks * sizeof(*m.blocks) <= (8 << 20));
	stack_memory_forget(&m);
	CHECK_EQ(*stack_memory_at(&m, CALLERS - 1, PLACES - 1), 0);
	stack_memory_free(&m);
}

/* Samples without a stack are beside those that have one. */
static void no_stack(void)
{
	const struct place_list none = { called, NULL, true }, root = { called, NULL, false };
	struct frames f = { .flags = FRAMES_OBJECTS };

	CHECK_STR(text(&f, frames_stack(&f, &none, NULL)), "[no stack];[lib.so];leaf");
	CHECK_STR(text(&f, frames_stack(&f, &root, NULL)), "[lib.so];leaf");
	frames_free(&f);
}

const struct test_case frames_cases[] = {
	{ "frames: callers, and stacks that share them", callers },
	{ "frames: an object around its functions", objects },
	{ "frames: a function that calls itself", recursion },
	{ "frames: addresses tell instructions apart", addresses },
	{ "frames: samples whose callers are not known", no_stack },
	{ "frames: a hint is for the sampled place alone", hints },
	{ "frames: callers that take the numbers of others", other_callers },
	{ "frames: the memory of stacks is limited", memory_is_limited },
	{ 0 },
};
