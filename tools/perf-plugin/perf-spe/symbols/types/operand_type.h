/* SPDX-License-Identifier: GPL-2.0-only */
/* The type and the field that a load or store accesses, from its function's code and DWARF. */
#ifndef PERF_SPE_OPERAND_TYPE_H
#define PERF_SPE_OPERAND_TYPE_H

#include <stdbool.h>
#include <stdint.h>

struct instance;
struct operands;

/*
 * What the instruction at @address of the file i->dso accesses; fills in the rest of @i.  Memory of
 * the frame that no variable has is of a type with the name "(stack)".  False where the operand is
 * not known.  Takes elf_lock().  The first question for a function analyses all of it; i->type is
 * valid as long as i->dso.
 */
bool operand_type(uint64_t address, struct instance *i);
/* The caller holds elf_lock(), or is the only thread.  @o may be NULL. */
void operands_free(struct operands *o);

#endif
