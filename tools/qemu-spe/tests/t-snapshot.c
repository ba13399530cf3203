// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session of t-migrate.c with fewer records.  The run keeps the log, and
 * loads a snapshot of the machine midway.
 */

#define INTERVAL	191ul
#define ROUNDS		540000000ul	/* must last until the machine is stopped */
#include "t-migrate.c"
