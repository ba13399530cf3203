// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Names of the Events packet's bits (D18.2.6).
 */
#include "internal.h"

#define IMPDEF(n)	[n] = "impdef-" #n
#define RESERVED(n)	[n] = "reserved-" #n

/*
 * E[25:24] have these meanings with FEAT_SPE_SME.  A unit without it and older than
 * FEAT_SPEv1p4 may use them as it likes, and no recording says which unit it is.  E[3]
 * is a miss, no refill, from FEAT_SPEv1p4 on.  E[0] has a meaning only if E[1] is 1:
 * armspe_event_of().
 *
 * E[31:26] are IMPLEMENTATION DEFINED before FEAT_SPEv1p4, and zero from then on.
 * So a bit that is 1 is an IMPLEMENTATION DEFINED event.
 */
static const char *const event_names[SPE_EVENT_COUNT] = {
	[SPE_EVENT_EXCEPTION] = "exception",
	[SPE_EVENT_RETIRED] = "retired",
	[SPE_EVENT_L1D_ACCESS] = "l1d-access",
	[SPE_EVENT_L1D_REFILL] = "l1d-refill",
	[SPE_EVENT_TLB_ACCESS] = "tlb-access",
	[SPE_EVENT_TLB_WALK] = "tlb-walk",
	[SPE_EVENT_NOT_TAKEN] = "not-taken",
	[SPE_EVENT_MISPREDICTED] = "mispredicted",
	[SPE_EVENT_LLC_ACCESS] = "llc-access",
	[SPE_EVENT_LLC_MISS] = "llc-miss",
	[SPE_EVENT_REMOTE_ACCESS] = "remote-access",
	[SPE_EVENT_MISALIGNED] = "misaligned",
	IMPDEF(12), IMPDEF(13), IMPDEF(14), IMPDEF(15),
	[SPE_EVENT_TRANSACTIONAL] = "transactional",
	[SPE_EVENT_PARTIAL_PREDICATE] = "partial-predicate",
	[SPE_EVENT_EMPTY_PREDICATE] = "empty-predicate",
	[SPE_EVENT_L2D_ACCESS] = "l2d-access",
	[SPE_EVENT_L2D_MISS] = "l2d-miss",
	[SPE_EVENT_DATA_MODIFIED] = "data-modified",
	[SPE_EVENT_RECENTLY_FETCHED] = "recently-fetched",
	[SPE_EVENT_DATA_SNOOPED] = "data-snooped",
	[SPE_EVENT_STREAMING_SVE] = "streaming-sve",
	[SPE_EVENT_SMCU] = "smcu",
	IMPDEF(26), IMPDEF(27), IMPDEF(28), IMPDEF(29), IMPDEF(30), IMPDEF(31),
	RESERVED(32), RESERVED(33), RESERVED(34), RESERVED(35),
	RESERVED(36), RESERVED(37), RESERVED(38), RESERVED(39),
	RESERVED(40), RESERVED(41), RESERVED(42), RESERVED(43),
	RESERVED(44), RESERVED(45), RESERVED(46), RESERVED(47),
	IMPDEF(48), IMPDEF(49), IMPDEF(50), IMPDEF(51),
	IMPDEF(52), IMPDEF(53), IMPDEF(54), IMPDEF(55),
	IMPDEF(56), IMPDEF(57), IMPDEF(58), IMPDEF(59),
	IMPDEF(60), IMPDEF(61), IMPDEF(62), IMPDEF(63),
};

_Static_assert(SPE_EVENT_COUNT == 64, "a name for each bit of the payload");

const char *armspe_event_name(unsigned int bit)
{
	return bit < SPE_EVENT_COUNT ? event_names[bit] : "invalid";
}
