/*
 * Helpers that generated code calls for statistical profiling.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

DEF_HELPER_1(spe_step, void, env)
DEF_HELPER_2(spe_boundary, i32, env, i32)
