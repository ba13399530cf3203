/*
 * Helpers that generated code calls for statistical profiling.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef CONFIG_USER_ONLY
DEF_HELPER_1(spe_step, void, env)
DEF_HELPER_2(spe_boundary, i32, env, i32)
DEF_HELPER_2(spe_set_pm, void, env, i32)
DEF_HELPER_FLAGS_3(spe_feed, TCG_CALL_NO_WG, void, env, i32, i64)
DEF_HELPER_1(spe_psb_csync, void, env)
DEF_HELPER_FLAGS_1(spe_isb, TCG_CALL_NO_RWG, void, env)
DEF_HELPER_FLAGS_3(spe_branch, TCG_CALL_NO_WG, void, env, i32, i32)
#endif
