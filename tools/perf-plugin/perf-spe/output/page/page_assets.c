// SPDX-License-Identifier: GPL-2.0-only
/*
 * The assembler reads the files.  Their paths are relative to the folder of the make
 * file, which also makes the object depend on them.
 */
#include "output/page/page.h"

#define EMBED(name, file)						\
	__asm__(".section .rodata\n"					\
		"\t.globl " #name "\n"					\
		"\t.hidden " #name "\n"					\
		#name ":\n"						\
		"\t.incbin \"perf-spe/output/page/html/" file "\"\n"		\
		"\t.byte 0\n"						\
		"\t.previous\n")

EMBED(page_css, "page.css");
EMBED(page_theme_js, "theme.js");
EMBED(page_table_js, "table.js");
EMBED(page_flame_js, "flame.js");
EMBED(page_code_js, "code.js");
EMBED(page_heat_js, "heat.js");
EMBED(page_time_js, "time.js");
