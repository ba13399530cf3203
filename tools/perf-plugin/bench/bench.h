/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_BENCH_H
#define PERF_SPE_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Decode all; returns the records seen and adds payloads to *sum. */
uint64_t linux_decode(const uint8_t *bytes, size_t len, uint64_t *sum);

#endif
