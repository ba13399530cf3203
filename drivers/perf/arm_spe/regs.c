// SPDX-License-Identifier: GPL-2.0-only
/*
 * The storage of regs.h, whose functions are all inline.
 */
#include "regs.h"

DEFINE_PER_CPU(struct spe_regs_pmscr, spe_regs_pmscr);
