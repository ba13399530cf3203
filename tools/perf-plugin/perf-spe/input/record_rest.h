/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes that begin inside of a record */
#ifndef PERF_SPE_RECORD_REST_H
#define PERF_SPE_RECORD_REST_H

#include <stddef.h>
#include <stdint.h>

/*
 * The first of @len bytes may be inside of a record.  Returns the length of the record's
 * rest; 0 if the bytes begin with a record, or if nothing tells.
 */
size_t record_rest(const uint8_t *bytes, size_t len);

#endif
