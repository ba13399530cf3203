/* SPDX-License-Identifier: GPL-2.0-only */
/* Heat as a picture on a page that a reader can zoom. */
#ifndef PERF_SPE_PAGE_HEAT_H
#define PERF_SPE_PAGE_HEAT_H

#include <stdio.h>

#include "analysis/memory/heat.h"

/* Cells of such a picture: more than a screen shows at once */
#define PAGE_HEAT_ROWS		384
#define PAGE_HEAT_COLUMNS	768

/*
 * Print the picture and its data; @number tells several pictures of a page apart, @title
 * is escaped here.
 */
void page_heat(FILE *to, const struct heat *h, unsigned int number,
	       const char *title);

#endif
