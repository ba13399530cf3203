// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux's packet loop, as perf's own record reader drives it: the next packet,
 * over padding, to the end.  The decoder itself is compiled from the kernel's
 * source package; nothing of it is kept here.
 */
#include <stddef.h>
#include <stdint.h>

#include "arm-spe-decoder/arm-spe-pkt-decoder.h"

#include "bench.h"

uint64_t linux_decode(const uint8_t *bytes, size_t len, uint64_t *sum)
{
	struct arm_spe_pkt packet;
	uint64_t records = 0;

	while (len) {
		int ret = arm_spe_get_packet(bytes, len, &packet, 0);

		if (ret <= 0)
			ret = 1;
		bytes += ret;
		len -= (size_t)ret;
		*sum += packet.payload;
		records += packet.type == ARM_SPE_END ||
			   packet.type == ARM_SPE_TIMESTAMP;
	}
	return records;
}
