// SPDX-License-Identifier: GPL-2.0-only
/* Read any bytes as a perf.data file: perf-spe reads or refuses it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void count_span(void *context, const struct sample_span *span)
{
	*(uint64_t *)context += span->status == ARMSPE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static int fd = -1;
	static char path[64];
	struct source src = { 0 };
	struct sample_totals totals;
	uint64_t records = 0;

	if (fd < 0) {
		fd = memfd_create("perf.data", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) ||
	    pwrite(fd, bytes, len, 0) != (ssize_t)len)
		abort();
	source_option(&src, path, false);
	if (!source_open(&src)) {
		session_judge_contexts(&src.session);
		samples_each(&src, count_span, &records, &totals);
		samples_verdict(&src, &totals);
		if (records != totals.decoded.records)
			abort();
	}
	source_close(&src);
	return 0;
}
