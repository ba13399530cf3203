/* SPDX-License-Identifier: GPL-2.0-only */
/* What each key does in a view on the terminal; the help in browse.c lists them. */
#ifndef PERF_SPE_BROWSE_KEYS_H
#define PERF_SPE_BROWSE_KEYS_H

#include "output/tui/browse_levels.h"

/* Act on @key of the user, and return what is left to do. */
enum browse_act browse_key(struct browse *b, int key);

#endif
