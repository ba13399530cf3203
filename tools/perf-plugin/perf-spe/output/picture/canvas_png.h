/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures as PNG, two of whose pixels are one of the canvas. */
#ifndef PERF_SPE_CANVAS_PNG_H
#define PERF_SPE_CANVAS_PNG_H

struct canvas_kind;

/* Without libpng its begin() fails after a message. */
extern const struct canvas_kind canvas_png;

#endif
