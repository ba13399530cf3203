// SPDX-License-Identifier: GPL-2.0-only
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

#define LINK_REGISTER	30	/* x30, in DWARF for the Arm 64-bit Architecture */

/* Of a program, .eh_frame; .debug_frame where it lacks that */
struct cfi {
	Elf *elf;
	int fd;
	Dwarf_CFI *eh, *debug;
};

static struct cfi *cfi_read(struct dso *dso)
{
	struct cfi *c = xcalloc(1, sizeof(*c));
	Dwarf *dwarf = srclines_dwarf(dso);
	GElf_Ehdr header;
	const char *why;

	c->elf = dso->path ? elf_open(dso->path, &c->fd, &why) : NULL;
	if (!c->elf)
		return c;
	if (gelf_getehdr(c->elf, &header) && header.e_machine == EM_AARCH64) {
		c->eh = dwarf_getcfi_elf(c->elf);
		c->debug = dwarf ? dwarf_getcfi(dwarf) : NULL;
	}
	return c;
}

/* Whether register @number of the caller is still in the register itself */
static bool unchanged(Dwarf_CFI *cfi, uint64_t address, int number, bool *known)
{
	Dwarf_Op memory[3], *ops;
	Dwarf_Frame *frame;
	size_t count;
	bool same;

	*known = cfi && !dwarf_cfi_addrframe(cfi, address, &frame);
	if (!*known)
		return false;
	/* No operations: the value is the same, or no rule names the register. */
	same = !dwarf_frame_register(frame, number, memory, &ops, &count) && !count;
	free(frame);
	return same;
}

bool cfi_return_in_register(struct dso *dso, uint64_t address)
{
	bool known, same;

	elf_lock();
	if (!dso->cfi)
		dso->cfi = cfi_read(dso);
	same = unchanged(dso->cfi->eh, address, LINK_REGISTER, &known);
	if (!known)
		same = unchanged(dso->cfi->debug, address, LINK_REGISTER, &known);
	elf_unlock();
	return same;
}

void cfi_free(struct cfi *c)
{
	if (!c)
		return;
	if (c->elf) {
		dwarf_cfi_end(c->eh);
		elf_close(c->elf, c->fd);
	}
	free(c);
}
