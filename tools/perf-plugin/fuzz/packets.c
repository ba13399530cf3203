// SPDX-License-Identifier: GPL-2.0-only
/* Decode any bytes as packets: decoding ends, and each packet's text fits. */
#include <stdlib.h>
#include <string.h>

#include "armspe.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char text[ARMSPE_TEXT_MAX];
	struct armspe_packet packet;
	struct armspe_op op;
	size_t at = 0, size, wrote;

	while (at < len) {
		switch (armspe_packet_decode(bytes + at, len - at, &packet)) {
		case ARMSPE_OK:
			break;
		case ARMSPE_DAMAGED:
			at++;
			continue;
		default:
			return 0;
		}
		size = armspe_packet_bytes(&packet);
		if (!size || size > len - at || size > 16)
			abort();
		wrote = armspe_text_packet(&packet, text, sizeof(text));
		if (wrote >= sizeof(text) || strlen(text) != wrote)
			abort();
		if (packet.type == ARMSPE_OP_TYPE)
			armspe_op_decode(packet.index, (uint8_t)packet.payload,
					 &op);
		at += size;
	}
	return 0;
}
