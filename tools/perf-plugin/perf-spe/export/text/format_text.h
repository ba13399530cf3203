/* SPDX-License-Identifier: GPL-2.0-only */
/* Text formats: NAME=VALUE, CSV, JSON lines. */
#ifndef PERF_SPE_FORMAT_TEXT_H
#define PERF_SPE_FORMAT_TEXT_H

#include "export/format.h"

extern const struct format format_text, format_csv, format_jsonl;

/* Open and close the writer's file for text; 0, or -1 after a message */
int text_begin(struct writer *w);
int text_end(struct writer *w);

#endif
