/* SPDX-License-Identifier: GPL-2.0-only */
/* The terminal that plain text goes to. */
#ifndef PERF_SPE_TERMINAL_H
#define PERF_SPE_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* Columns of the terminal, 0 if @to is none */
size_t terminal_width(FILE *to);

/*
 * How many of @most columns are left beside @used ones on the terminal of standard
 * output, at least 8; @most if it is no terminal.
 */
size_t terminal_rest(size_t used, size_t most);

#endif
