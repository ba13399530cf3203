/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures as SVG. */
#ifndef PERF_SPE_CANVAS_SVG_H
#define PERF_SPE_CANVAS_SVG_H

struct canvas_kind;

extern const struct canvas_kind canvas_svg;

#endif
