// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "symbols/code/code.h"

int disasm_each(const struct disassembly *d)
{
	const char *named = getenv("OBJDUMP");
	int rc = named && *named ? 1 : disasm_llvm(d);

	return rc > 0 ? disasm_objdump(d) : rc;
}
