/* SPDX-License-Identifier: GPL-2.0-only */
/* Text formats: NAME=VALUE, CSV, JSON lines. */
#ifndef PERF_SPE_FORMAT_TEXT_H
#define PERF_SPE_FORMAT_TEXT_H

struct format;

extern const struct format format_text, format_csv, format_jsonl;

#endif
