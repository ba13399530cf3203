// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "symbols/code/code.h"
#include "symbols/dwarf/dwarf.h"

void disasm_source(const struct disassembly *d, struct source_text *text, uint64_t address)
{
	bool other;
	const char *line = source_text_at(text, d->dso, address, &other);

	if (line && other)
		d->fn(d->context, false, 0, text->path);
	if (line)
		d->fn(d->context, false, 0, line);
}

int disasm_each(const struct disassembly *d)
{
	const char *named = getenv("OBJDUMP");
	int rc = named && *named ? 1 : disasm_llvm(d);

	return rc > 0 ? disasm_objdump(d) : rc;
}
