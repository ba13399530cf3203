/*
 * Arm Statistical Profiling Extension: the data address of a sampled Memory
 * Copy or Memory Set (D17.6.4.3).
 *
 * The sample describes what the instruction accesses first: at most
 * SPE_LINE_SIZE bytes, within one page of the source and of the destination.
 * QEMU implements option A of C6.2.119: the prologue stops at the end of a
 * page, the main part accesses nothing if less than a page is left, and the
 * epilogue accesses the rest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/target_page.h"
#include "internals.h"
#include "capture.h"

/* What remains to be accessed before the instruction executes */
typedef struct Rest {
    uint64_t to;            /* the lowest address of the destination */
    uint64_t from;          /* the lowest address of the source */
    uint64_t size;
    bool backward;          /* from the highest byte to the lowest */
} Rest;

static bool copies_both_ways(const SPEInsn *insn)
{
    return insn->addr == SPE_ADDR_COPY && !(insn->flags & SPE_INSN_FORWARD);
}

/* The registers have plain addresses and an unsigned length. */
static Rest before_prologue(const SPEInsn *insn, uint64_t to, uint64_t from,
                            uint64_t size)
{
    uint64_t low = extract64(from, 0, 56), dest = extract64(to, 0, 56);
    Rest rest = { .to = to, .from = from };

    if (!copies_both_ways(insn)) {
        rest.size = MIN(size, INT64_MAX);
        return rest;
    }
    rest.size = MIN(size, MAKE_64BIT_MASK(0, 55));
    rest.backward = low < dest && extract64(from + rest.size, 0, 56) > dest;
    return rest;
}

/* A negative length counts up to the end of both buffers. */
static Rest before_others(const SPEInsn *insn, uint64_t to, uint64_t from,
                          int64_t length)
{
    if (copies_both_ways(insn) && length > 0) {
        return (Rest) { .to = to, .from = from, .size = length,
                        .backward = true };
    }
    return (Rest) { .to = to + length, .from = from + length,
                    .size = -(uint64_t)length };
}

/* The bytes from @at upwards, or downwards, that are in its page */
static uint64_t in_page(uint64_t at, bool downward)
{
    uint64_t offset = at & ~TARGET_PAGE_MASK;

    return downward ? offset + 1 : TARGET_PAGE_SIZE - offset;
}

bool spe_mops_address(CPUARMState *env, ARMSPESample *p, uint64_t *va)
{
    const SPEInsn *insn = &p->insn;
    uint64_t to = spe_read_x(env, insn->rd), from = spe_read_x(env, insn->rm);
    uint64_t n = spe_read_x(env, insn->rn), part, skip;
    Rest rest;

    if (insn->stage == SPE_STAGE_PROLOGUE) {
        rest = before_prologue(insn, to, from, n);
    } else {
        rest = before_others(insn, to, from, n);
    }
    if (rest.size == 0 || (insn->stage == SPE_STAGE_MAIN &&
                           rest.size < TARGET_PAGE_SIZE)) {
        return false;
    }
    part = MIN(rest.size, SPE_LINE_SIZE);
    skip = rest.backward ? rest.size - 1 : 0;
    part = MIN(part, in_page(rest.to + skip, rest.backward));
    if (insn->addr == SPE_ADDR_COPY) {
        part = MIN(part, in_page(rest.from + skip, rest.backward));
    }
    *va = insn->addr == SPE_ADDR_COPY && (insn->flags & SPE_INSN_LD)
          ? rest.from : rest.to;
    *va += rest.backward ? rest.size - part : 0;
    p->size = part;
    return true;
}
