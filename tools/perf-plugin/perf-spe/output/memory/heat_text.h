/* SPDX-License-Identifier: GPL-2.0-only */
/* Heat as characters. */
#ifndef PERF_SPE_HEAT_TEXT_H
#define PERF_SPE_HEAT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

struct heat;

/* With @colours in those of a terminal */
void heat_text(const struct heat *h, bool colours, FILE *to);

/* Columns of a picture that the terminal has room for, or 64 without a terminal */
size_t heat_text_columns(void);

#endif
