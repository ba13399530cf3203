// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "symbols/elf/elf.h"

#ifdef HAVE_IBERTY

#include HAVE_IBERTY
#include <string.h>

char *demangle(const char *name)
{
	char *text;

	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return NULL;
	/* Rust's older mangling is C++ with a hash: c++filt would print that too. */
	text = rust_demangle(name, DMGL_PARAMS | DMGL_ANSI);
	return text ? text : cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI);
}

#else

char *demangle(const char *name)
{
	(void)name;
	return NULL;
}

#endif
