/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accesses with known locality: a walk over an array, with one element sampled
 * and its record decoded.  Nothing else accesses memory meanwhile.
 */
#ifndef SPE_TEST_MEMORY_H
#define SPE_TEST_MEMORY_H

#define E_L1D		(1ul << 2)
#define E_L1D_REFILL	(1ul << 3)
#define E_TLB		(1ul << 4)
#define E_TLB_WALK	(1ul << 5)
#define E_MISPREDICTED	(1ul << 7)
#define E_LLC		(1ul << 8)
#define E_LLC_MISS	(1ul << 9)
#define E_REMOTE	(1ul << 10)
#define E_MISALIGNED	(1ul << 11)
#define E_L2		(1ul << 19)
#define E_L2_MISS	(1ul << 20)
#define E_MODIFIED	(1ul << 21)
#define E_RECENT	(1ul << 22)
#define E_SNOOPED	(1ul << 23)
#define E_MEMORY	(E_L1D | E_L1D_REFILL | E_TLB | E_TLB_WALK | E_LLC | \
			 E_LLC_MISS | E_REMOTE | E_MISALIGNED | E_L2 | \
			 E_L2_MISS | E_MODIFIED | E_RECENT | E_SNOOPED)

/* Data Source values of Neoverse cores */
#define FROM_L1D	0x0
#define FROM_L2		0x8
#define FROM_PEER_CORE	0x9
#define FROM_LLC	0xb
#define FROM_CLUSTER	0xc
#define FROM_REMOTE	0xd
#define FROM_DRAM	0xe

/*
 * @count accesses, @stride bytes apart, from @base on.  The ISB is the first
 * operation after the one that enables profiling.
 */
#define WALK(name, access)						\
void name(uint64_t base, uint64_t stride, uint64_t count,		\
	  uint64_t pmsicr);						\
asm(".text\n" #name ":\n\t"						\
    "mov x5, #2\n\t"							\
    "msr " PMSICR_EL1 ", x3\n\t"					\
    "msr " PMSCR_EL1 ", x5\n\t"						\
    "isb\n"								\
    "1:\t" access "\n\t"						\
    "add x0, x0, x1\n\t"						\
    "subs x2, x2, #1\n\t"						\
    "b.ne 1b\n\t"							\
    "msr " PMSCR_EL1 ", xzr\n\t"					\
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret")

WALK(load_walk, "ldr x4, [x0]");
WALK(store_walk, "str x4, [x0]");

#define OPS_BEFORE	1u
#define OPS_PER_ELEMENT	4u

/*
 * Samples operation @op of element @i of a walk.  False if there is no record.
 */
static inline bool sample_walk(void (*walk)(uint64_t, uint64_t, uint64_t, uint64_t),
			       uint64_t base, uint64_t stride, uint64_t count,
			       uint64_t i, unsigned int op, uint64_t buffer,
			       struct record *r)
{
	spe_setup(buffer, buffer + 4096);
	walk(base, stride, count, OPS_BEFORE + 1 + OPS_PER_ELEMENT * i + op);
	return spe_records(buffer) == 1 && spe_decode(buffer, r);
}

/* The memory events of a single access; the record has its Data Source. */
static inline uint64_t events_of(void (*walk)(uint64_t, uint64_t, uint64_t, uint64_t),
				 uint64_t address, uint64_t buffer, struct record *r)
{
	if (!sample_walk(walk, address, 0, 1, 0, 0, buffer, r))
		return ~0ul;
	return r->events & E_MEMORY;
}

#endif
