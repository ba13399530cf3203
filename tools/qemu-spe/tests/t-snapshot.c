// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session of t-migrate.c with fewer records, for a run whose log is kept
 * and whose machine goes back to a snapshot midway.
 */

#define INTERVAL	191ul
#define ROUNDS		540000000ul	/* it must not end before it is stopped */
#include "t-migrate.c"
