// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data address of a Memory Copy (D17.6.4, D17.6.4.3), in both directions.
 * According to C6.2.119, each stage copies the bytes between the values of Xn
 * before and after it.  The recorded address must be one of these bytes: of the
 * source for a load, of the destination for a store.  A stage that copies
 * nothing has no address and no access events.  Runs at EL1.
 */

#include "sample.h"

/* The operands are [x3]!, [x1]!, x2! */
#define CPYP ".inst 0x1d010443\n\t"
#define CPYM ".inst 0x1d410443\n\t"
#define CPYE ".inst 0x1d810443\n\t"
#define CPYFP ".inst 0x19010443\n\t"
#define CPYFM ".inst 0x19410443\n\t"
#define CPYFE ".inst 0x19810443\n\t"

#define ROUNDS	12
#define NS	(1ul << 63)

static uint8_t data[32768] __attribute__((aligned(8192)));

/* The registers of a copy: before each stage, and after the last one. */
static struct {
	uint64_t n[4], from[4], to[4];
} copy;

#define note_stage(i) do {						\
	copy.n[i] = n_;							\
	copy.from[i] = from_;						\
	copy.to[i] = to_;						\
} while (0)
#define stage(text)							\
	asm volatile(text : "+r"(from_), "+r"(n_), "+r"(to_) : : "cc", "memory")

/* Executes the same copy without profiling, and notes the registers. */
#define trace_copy(p, m, e, from, bytes, to) do {			\
	register uint64_t from_ asm("x1") = (from);			\
	register uint64_t n_ asm("x2") = (bytes);			\
	register uint64_t to_ asm("x3") = (to);				\
	note_stage(0);							\
	stage(p);							\
	note_stage(1);							\
	stage(m);							\
	note_stage(2);							\
	stage(e);							\
	note_stage(3);							\
} while (0)

/* Option A: Xn is negative after CPYP of a forward copy. */
static bool forward(void)
{
	return (int64_t)copy.n[1] < 0;
}

/* The range of bytes that stage @i accessed.  @base is copy.to or copy.from. */
static void touched(const uint64_t *base, int i, uint64_t *low, uint64_t *high)
{
	if (!forward()) {
		*low = base[i] + copy.n[i + 1];
		*high = base[i] + copy.n[i];
	} else {
		/*
		 * In the first stage, CPYP, Xn is positive before and negative
		 * after.
		 */
		*low = i ? base[i] + copy.n[i] : base[0];
		*high = base[i + 1] + copy.n[i + 1];
	}
}

static bool address_is_right(int i)
{
	bool store = r.subclass & ST;
	uint64_t low, high;

	touched(store ? copy.to : copy.from, i, &low, &high);
	if (low == high)
		return !r.va_valid && !r.pa_valid && !r.translation_valid &&
		       events(E_L1D | E_TLB, 0);
	if (r.va_valid && r.va >= low && r.va < high &&
	    r.pa_valid && r.pa == (r.va | NS) && events(E_L1D, E_L1D))
		return true;
	note(store ? "recorded as a store at" : "recorded as a load at", r.va);
	note("first byte of the stage", low);
	note("end of the stage", high);
	return false;
}

/*
 * Executes each stage several times, because the model records its load or its
 * store at random.
 */
#define check_copy(p, m, e, from, bytes, to, backward, what) do {	\
	bool right_[3] = { true, true, true };				\
	trace_copy(p, m, e, from, bytes, to);				\
	ok(forward() != (backward) && copy.n[3] == 0,			\
	   what ": its direction and its end");				\
	for (int i_ = 0; i_ < ROUNDS; i_++) {				\
		right_[0] = right_[0] &&				\
			    sample(p m e, from, bytes, to) &&		\
			    address_is_right(0);			\
		right_[1] = right_[1] &&				\
			    sample_after(1, p, m e, from, bytes, to) &&	\
			    address_is_right(1);			\
		right_[2] = right_[2] &&				\
			    sample_after(2, p m, e, from, bytes, to) &&	\
			    address_is_right(2);			\
	}								\
	ok(right_[0], what ": the prologue's address");			\
	ok(right_[1], what ": the main part's address");		\
	ok(right_[2], what ": the epilogue's address");			\
} while (0)

/*
 * A prologue that stops at the end of a page does not access the next page.  So
 * the first load from the next page misses (D18.2.6, E[3]).
 */
static void next_page(void)
{
	uint64_t from = (uint64_t)data + 4096 - 16, to = (uint64_t)data + 20480;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (!sample(CPYP CPYM CPYE, from, 64, to))
			break;
		if (!(r.subclass & ST))
			break;
	}
	ok(i < ROUNDS && r.va_valid && r.va == from, "a load is sampled");
	ok(events(1ul << 11, 0), "its 16 bytes lie in one line: aligned");
	ok(sample("ldr x0, [x1]", (uint64_t)data + 4096, 0, 0) &&
	   events(1ul << 3, 1ul << 3),
	   "the line after the page's end has not been fetched");
}

void test_main(uint64_t el)
{
	uint64_t low = (uint64_t)data;

	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	mmu_on();
	control = PMSCR_E1SPE | PMSCR_PA;
	next_page();
	check_copy(CPYP, CPYM, CPYE, low + 100, 9000, low + 300, true,
		   "backward");
	check_copy(CPYP, CPYM, CPYE, low + 300, 9000, low + 100, false,
		   "forward, overlapping");
	check_copy(CPYP, CPYM, CPYE, low + 4000, 200, low + 4096, true,
		   "backward, two pages");
	check_copy(CPYP, CPYM, CPYE, low, 40, low + 8, true,
		   "backward, less than a line");
	check_copy(CPYP, CPYM, CPYE, low + 4090, 300, low + 20400, false,
		   "forward, little for CPYM");
	check_copy(CPYFP, CPYFM, CPYFE, low + 100, 9000, low + 300, false,
		   "CPYF, overlapping");
	test_exit();
}
