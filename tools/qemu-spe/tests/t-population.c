// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that always executes the same operations, sampled many times, for
 * selftests/rig/check-intervals; this is not a test.  Runs at EL1.
 *
 * The last argument of the machine, from its lowest bits: 16 bits INTERVAL, 1 bit RND, 3 bits
 * form, 12 bits slowdown, 16 bits sessions, 16 bits rounds in thousands.
 * With RND a session begins where the model chooses.  Without, session N samples operation N
 * first: so many sessions as the interval has operations sample each operation once.
 *
 * Forms: 0 draws the function of each call by lot, 1 calls each function in a fixed order,
 * 2 calls one function many times before it draws the next one.  Each @slowdown-th call
 * of add() takes one turn of its loop more.
 *
 * The calls belong to two threads, by CONTEXTIDR_EL1: the form chooses the thread as it chooses
 * the function.  Each has a half of near[]; both count their calls in the same lines.
 */

#include "test.h"

#define NEAR_WORDS	512u		/* 4 KiB */
#define FAR_WORDS	131072u		/* 1 MiB: more than the L2 */
#define BUFFER_BYTES	0x1f0000ul

#define HALF_WORDS	(NEAR_WORDS / 2)
#define FIRST_THREAD	10u

static uint64_t near[NEAR_WORDS], far[FAR_WORDS];
/* Calls of functions, by thread; a line each */
static volatile uint64_t counters[3][8] __attribute__((aligned(64)));
static uint64_t *own = near;		/* the thread's half of near[] */
static unsigned int thread;
static uint64_t state, slowdown, calls;
static volatile uint64_t result;	/* so that the compiler keeps all calls */

static inline uint64_t draw(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 33;
}

#define FUNCTION static __attribute__((noinline, noclone)) uint64_t

FUNCTION add(uint64_t x)
{
	unsigned int n = ++calls % slowdown ? 4 : 5;

	for (unsigned int i = 0; i < n; i++)
		x = (x ^ x >> 7) + own[(x + i) & (HALF_WORDS - 1)];
	return x;
}

FUNCTION put(uint64_t x)
{
	for (unsigned int i = 0; i < 3; i++)
		own[(x >> i) & (HALF_WORDS - 1)] = x + i;
	return x;
}

FUNCTION chase(uint64_t x)
{
	uint64_t sum = far[x & (FAR_WORDS - 1)];

	return sum + own[sum & 1];
}

FUNCTION spin(uint64_t x)
{
	for (unsigned int i = x & 7; i; i--)
		x = x * 3 + i;
	return x;
}

FUNCTION scatter(uint64_t x)
{
	far[x >> 2 & (FAR_WORDS - 1)] = x;
	return x + far[x >> 5 & 0x3fff];
}

static void switch_to(unsigned int next)
{
	thread = next;
	own = &near[next * HALF_WORDS];
	write_reg("contextidr_el1", FIRST_THREAD + next);
	isb();
}

static uint64_t call(unsigned int which, uint64_t x)
{
	counters[which % 3][thread]++;
	switch (which) {
	case 0: case 1: case 2:
		return add(x);
	case 3:
		return put(x);
	case 4:
		return chase(x);
	case 5: case 6:
		return spin(x);
	default:
		return scatter(x);
	}
}

FUNCTION work(unsigned int form, uint64_t rounds)
{
	unsigned int which = 0, left = 0;
	uint64_t sum = 0;

	state = 1;
	calls = 0;
	switch_to(0);
	for (uint64_t i = 0; i < rounds; i++) {
		uint64_t x = draw();

		if (form == 1) {
			which = i & 7;
			switch_to(i >> 3 & 1);
		} else if (!left) {
			which = x >> 20 & 7;
			left = form ? 50 + (draw() & 0x1ff) : 1;
			switch_to(x >> 23 & 1);
		}
		left--;
		sum += call(which, x);
	}
	return sum;
}

void test_main(uint64_t el)
{
	uint64_t argument = machine_argument(), interval = argument & 0xffff;
	uint64_t rnd = argument >> 16 & 1, sessions = argument >> 32 & 0xffff;
	uint64_t rounds = (argument >> 48) * 1000, records = 0;
	unsigned int form = argument >> 17 & 7;

	(void)el;
	/* The division is part of the program either way. */
	slowdown = argument >> 20 & 0xfff;
	if (!slowdown)
		slowdown = ~0ul;
	mmu_on();
	for (uint64_t n = 0; n <= sessions; n++) {
		spe_setup(BUFFER, BUFFER + (n ? BUFFER_BYTES : 4096));
		/* The first session fills the caches, and has no sample. */
		if (n)
			write_reg(PMSIRR_EL1, interval << 8 | rnd);
		if (n && !rnd)
			write_reg(PMSICR_EL1, n);
		isb();
		spe_start(PMSCR_E1SPE | PMSCR_CX);
		result = work(form, rounds);
		spe_stop();
		records += spe_records(BUFFER);
	}
	note("records", records);
	ok(records >= sessions && !read_reg(PMBSR_EL1), "all sessions have samples");
}
