/* SPDX-License-Identifier: GPL-2.0-only */
/* An SQLite database as a format of exports. */
#ifndef PERF_SPE_FORMAT_SQLITE_H
#define PERF_SPE_FORMAT_SQLITE_H

struct format;

extern const struct format format_sqlite;

#endif
