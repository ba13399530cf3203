/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory for a decoder of libarmspe, which allocates nothing itself. */
#ifndef PERF_SPE_DECODER_H
#define PERF_SPE_DECODER_H

struct armspe_decoder;

/* A decoder with an empty piece; free() ends it. */
struct armspe_decoder *decoder_new(void);

#endif
