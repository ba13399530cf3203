// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packet layer: D18.1.1 headers, Tables D18-1 and D18-2.
 */
#include "internal.h"

/* libarmspe.abi lacks enumerations that no function takes, so assert their lengths. */
_Static_assert(ARMSPE_UNKNOWN == 9, "programs know the types by number");
_Static_assert(ARMSPE_OP_RESERVED == 14, "and the subclasses");
_Static_assert(ARMSPE_REALM == 3, "and the security states");

_Static_assert(SPE_HDR_TIMESTAMP >> 6 == 1, "Table D18-1");
_Static_assert((SPE_HDR_ADDRESS & ~SPE_HDR_ADDRESS_MASK) == 0, "value in mask");
_Static_assert((SPE_HDR_COUNTER & ~SPE_HDR_COUNTER_MASK) == 0, "value in mask");
_Static_assert((SPE_HDR_CONTEXT & ~SPE_HDR_CONTEXT_MASK) == 0, "value in mask");
_Static_assert((SPE_HDR_OP_TYPE & ~SPE_HDR_OP_TYPE_MASK) == 0, "value in mask");
_Static_assert((SPE_HDR_EVENTS & ~SPE_HDR_EVENTS_MASK) == 0, "value in mask");
_Static_assert((SPE_HDR_EXT & ~SPE_HDR_EXT_MASK) == 0, "value in mask");

/* Type of each byte as a header of one byte; other bytes are unknown. */
static const uint8_t short_type[256] = {
	[0x00] = ARMSPE_PADDING,
	[0x01] = ARMSPE_END_OF_RECORD,
	[0x02 ... 0x41] = ARMSPE_UNKNOWN,
	[0x42] = ARMSPE_EVENTS,
	[0x43] = ARMSPE_DATA_SOURCE,
	[0x44 ... 0x47] = ARMSPE_UNKNOWN,
	[0x48 ... 0x4b] = ARMSPE_OP_TYPE,
	[0x4c ... 0x51] = ARMSPE_UNKNOWN,
	[0x52] = ARMSPE_EVENTS,
	[0x53] = ARMSPE_DATA_SOURCE,
	[0x54 ... 0x61] = ARMSPE_UNKNOWN,
	[0x62] = ARMSPE_EVENTS,
	[0x63] = ARMSPE_DATA_SOURCE,
	[0x64 ... 0x67] = ARMSPE_CONTEXT,
	[0x68 ... 0x70] = ARMSPE_UNKNOWN,
	[0x71] = ARMSPE_TIMESTAMP,
	[0x72] = ARMSPE_EVENTS,
	[0x73] = ARMSPE_DATA_SOURCE,
	[0x74 ... 0x97] = ARMSPE_UNKNOWN,
	[0x98 ... 0x9f] = ARMSPE_COUNTER,
	[0xa0 ... 0xaf] = ARMSPE_UNKNOWN,
	[0xb0 ... 0xb7] = ARMSPE_ADDRESS,
	[0xb8 ... 0xff] = ARMSPE_UNKNOWN,
};

static unsigned int payload_bytes(uint8_t header)
{
	if (!(header & SPE_HDR_HAS_PAYLOAD))
		return 0;
	return 1u << ((header & SPE_HDR_SZ_MASK) >> SPE_HDR_SZ_SHIFT);
}

static uint64_t payload_load(const uint8_t *bytes, unsigned int len)
{
	uint64_t value = 0;

	while (len--)
		value = value << 8 | bytes[len];
	return value;
}

/* INDEX values that are neither architected nor IMPLEMENTATION DEFINED */
static bool index_reserved(unsigned int index, uint32_t defined)
{
	return !((defined | SPE_INDEX_IMPDEF_MASK) >> index & 1);
}

/* Derives type, index and reserved from the header. */
static void packet_classify(struct armspe_packet *p, uint8_t header)
{
	p->type = short_type[header];
	switch (p->type) {
	case ARMSPE_ADDRESS:
		p->index |= header & SPE_HDR_INDEX_MASK;
		p->reserved = index_reserved(p->index, SPE_ADDR_DEFINED_MASK);
		break;
	case ARMSPE_COUNTER:
		p->index |= header & SPE_HDR_INDEX_MASK;
		p->reserved = index_reserved(p->index,
					     SPE_COUNTER_DEFINED_MASK);
		break;
	case ARMSPE_CONTEXT:
		p->index = header & SPE_HDR_CONTEXT_INDEX_MASK;
		p->reserved = !(SPE_CONTEXT_DEFINED_MASK >> p->index & 1);
		break;
	case ARMSPE_OP_TYPE:
		p->index = header & SPE_HDR_OP_TYPE_CLASS_MASK;
		p->reserved = p->index > SPE_OP_CLASS_BRANCH;
		break;
	case ARMSPE_DATA_SOURCE:
		p->reserved = p->payload_bytes > 2;
		break;
	default:
		break;
	}
}

static enum armspe_status padding_decode(const uint8_t *bytes, size_t len,
					 struct armspe_packet *p)
{
	size_t run = 1;

	while (run < ARMSPE_PADDING_RUN && run < len && !bytes[run])
		run++;
	p->header_bytes = (uint8_t)run;
	p->type = ARMSPE_PADDING;
	return ARMSPE_OK;
}

/*
 * Table D18-2 defines an extended header only where byte 0 is 001000xx and
 * byte 1 is that of a short address or counter header.
 */
static void extended_classify(struct armspe_packet *p)
{
	uint8_t type = short_type[p->header[1]];

	if ((p->header[0] & SPE_HDR_EXT_MASK) != SPE_HDR_EXT ||
	    (type != ARMSPE_ADDRESS && type != ARMSPE_COUNTER)) {
		p->type = ARMSPE_UNKNOWN;
		return;
	}
	p->index = (p->header[0] & SPE_HDR_EXT_INDEX_MASK)
		<< SPE_HDR_EXT_INDEX_SHIFT;
	packet_classify(p, p->header[1]);
}

enum armspe_status armspe_packet_decode(const uint8_t *bytes, size_t len,
					struct armspe_packet *p)
{
	uint8_t sizing;

	memset(p, 0, sizeof(*p));
	if (!len)
		return ARMSPE_END;
	if (bytes[0] == SPE_HDR_PADDING)
		return padding_decode(bytes, len, p);

	p->header[0] = sizing = bytes[0];
	p->header_bytes = 1;
	if (header_is_extended(sizing)) {
		if (len < 2)
			return ARMSPE_CUT;
		p->header[1] = sizing = bytes[1];
		if (header_is_extended(sizing))
			return ARMSPE_DAMAGED;
		p->header_bytes = 2;
	}
	p->payload_bytes = (uint8_t)payload_bytes(sizing);
	if (len < armspe_packet_bytes(p))
		return ARMSPE_CUT;

	if (p->header_bytes == 2)
		extended_classify(p);
	else
		packet_classify(p, p->header[0]);
	p->payload = payload_load(bytes + p->header_bytes, p->payload_bytes);
	return ARMSPE_OK;
}
