/* SPDX-License-Identifier: GPL-2.0-only */
/* Heat as characters. */
#ifndef PERF_SPE_HEAT_TEXT_H
#define PERF_SPE_HEAT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

struct heat;

/* With @colours in those of a terminal */
void heat_text(const struct heat *h, bool colours, FILE *to);

#endif
