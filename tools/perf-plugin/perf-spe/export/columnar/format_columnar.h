/* SPDX-License-Identifier: GPL-2.0-only */
/* Parquet and Arrow files as formats of exports. */
#ifndef PERF_SPE_FORMAT_COLUMNAR_H
#define PERF_SPE_FORMAT_COLUMNAR_H

struct format;

extern const struct format format_parquet, format_arrow;

#endif
