/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How packets follow each other in a record (D18.1).  Pure.
 */
#ifndef SPE_PARSE_H
#define SPE_PARSE_H

#include <arm_spe/packet.h>

#include "types.h"

/* The largest packet: an extended header and eight bytes of payload. */
#define SPE_PARSE_PACKET_MAX	10

/*
 * spe_parse_size() - the size of a packet in bytes, 1 to SPE_PARSE_PACKET_MAX (D18.1.1)
 * @first: the packet's first byte
 * @second: the byte after it; any value if there is none
 *
 * Unknown packets have a size too: software must skip them by it (D18.1.3).
 */
static inline u32 spe_parse_size(u8 first, u8 second)
{
	u32 header = 1;
	u8 byte = first;

	if (first >= SPE_HDR_EXT_FIRST && first <= SPE_HDR_EXT_LAST) {
		header = 2;
		byte = second;
	}
	if (!(byte & SPE_HDR_HAS_PAYLOAD))
		return header;
	return header + (1U << ((byte & SPE_HDR_SZ_MASK) >> SPE_HDR_SZ_SHIFT));
}

/* Whether a record ends after the packet with this first byte (D18.1.2). */
static inline bool spe_parse_ends(u8 first)
{
	return first == SPE_HDR_END || first == SPE_HDR_TIMESTAMP;
}

#endif /* SPE_PARSE_H */
