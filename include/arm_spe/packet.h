/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Facts of the Statistical Profiling Extension record format, version 0
 * (Arm ARM DDI 0487 M.a, D18): encodings only, no code.  Plain macros, so that
 * kernel code, userspace and models share them.
 *
 * Masks and values are those of the manual's figures; byte offsets count from
 * the first header byte, bit numbers of a payload from its least significant
 * byte (payloads are little-endian, D18.1.2).
 */
#ifndef ARM_SPE_PACKET_H
#define ARM_SPE_PACKET_H

/*
 * Headers (D18.1.1, Tables D18-1 and D18-2)
 *
 * Bits 7:6 of a header byte that has a payload are not zero and bits 5:4 then
 * hold SZ, the log2 of the payload's bytes.  0x00-0x1f has no payload.
 * 0x20-0x3f is the first byte of an extended header, whose second byte
 * encodes the payload's size as a first byte would.
 */
#define SPE_HDR_HAS_PAYLOAD		0xc0
#define SPE_HDR_SZ_SHIFT		4
#define SPE_HDR_SZ_MASK			0x30
#define SPE_HDR_EXT_FIRST		0x20
#define SPE_HDR_EXT_LAST		0x3f

#define SPE_HDR_PADDING			0x00
#define SPE_HDR_END			0x01
#define SPE_HDR_TIMESTAMP		0x71

/* 01xx0010: any SZ.  01xx0011: SZ 0b00 or 0b01, the others are reserved. */
#define SPE_HDR_EVENTS			0x42
#define SPE_HDR_EVENTS_MASK		0xcf
#define SPE_HDR_DATA_SOURCE		0x43
#define SPE_HDR_DATA_SOURCE_MASK	0xcf

/* 011001xx and 010010xx: two bits of INDEX or CLASS. */
#define SPE_HDR_CONTEXT			0x64
#define SPE_HDR_CONTEXT_MASK		0xfc
#define SPE_HDR_CONTEXT_INDEX_MASK	0x03
#define SPE_HDR_OP_TYPE			0x48
#define SPE_HDR_OP_TYPE_MASK		0xfc
#define SPE_HDR_OP_TYPE_CLASS_MASK	0x03

/*
 * 10110xxx and 10011xxx: INDEX[2:0].  In the extended format these stand in
 * byte 1, and byte 0 is 001000xx with INDEX[4:3].
 */
#define SPE_HDR_ADDRESS			0xb0
#define SPE_HDR_ADDRESS_MASK		0xf8
#define SPE_HDR_COUNTER			0x98
#define SPE_HDR_COUNTER_MASK		0xf8
#define SPE_HDR_INDEX_MASK		0x07
#define SPE_HDR_EXT			0x20
#define SPE_HDR_EXT_MASK		0xfc
#define SPE_HDR_EXT_INDEX_MASK		0x03
#define SPE_HDR_EXT_INDEX_SHIFT		3

#define SPE_INDEX_COUNT			32	/* INDEX[4:0] of D18.2.1, D18.2.3 */
#define SPE_CONTEXT_COUNT		4	/* INDEX[1:0] of D18.2.2 */

/* PMSIDR_EL1.MaxSize: a record has at most this many bytes. */
#define SPE_RECORD_BYTES_MAX		2048

/* Address packet, INDEX (D18.2.1); 0b0011x and 0b1xxxx are IMPLEMENTATION DEFINED */
#define SPE_ADDR_PC			0
#define SPE_ADDR_TARGET			1
#define SPE_ADDR_DATA_VA		2
#define SPE_ADDR_DATA_PA		3
#define SPE_ADDR_PREV_TARGET		4
#define SPE_INDEX_IMPDEF_MASK		0xffff00c0UL	/* bit n: INDEX n */
#define SPE_ADDR_DEFINED_MASK		0x0000001fUL

/* Address packet payload, byte 7 (Figures D18-4 to D18-6) */
#define SPE_ADDR_BITS			56
#define SPE_ADDR_MASK			0x00ffffffffffffffULL
#define SPE_ADDR_TOP_SHIFT		56
#define SPE_ADDR_NS			0x80
#define SPE_ADDR_EL_SHIFT		5
#define SPE_ADDR_EL_MASK		0x60
#define SPE_ADDR_NSE			0x10
#define SPE_ADDR_INSN_RES0		0x0f
#define SPE_ADDR_PA_CH			0x40
#define SPE_ADDR_PA_RES0		0x20
#define SPE_ADDR_PA_PAT_MASK		0x0f

/* Context packet, INDEX (D18.2.2) */
#define SPE_CONTEXT_EL1			0
#define SPE_CONTEXT_EL2			1
#define SPE_CONTEXT_DEFINED_MASK	0x3

/* Counter packet, INDEX (D18.2.3); the rest as for addresses */
#define SPE_COUNTER_TOTAL		0
#define SPE_COUNTER_ISSUE		1
#define SPE_COUNTER_XLAT		2
#define SPE_COUNTER_ALTCLK_ISSUE	4
#define SPE_COUNTER_DEFINED_MASK	0x00000017UL

/* Saturated values for the two sizes that PMSIDR_EL1.CountSize can name */
#define SPE_COUNTER_MAX_12BIT		0x0fff
#define SPE_COUNTER_MAX_16BIT		0xffff

/* Events packet, bit numbers (D18.2.6) */
#define SPE_EVENT_EXCEPTION		0
#define SPE_EVENT_RETIRED		1
#define SPE_EVENT_L1D_ACCESS		2
#define SPE_EVENT_L1D_REFILL		3
#define SPE_EVENT_TLB_ACCESS		4
#define SPE_EVENT_TLB_WALK		5
#define SPE_EVENT_NOT_TAKEN		6
#define SPE_EVENT_MISPREDICTED		7
#define SPE_EVENT_LLC_ACCESS		8
#define SPE_EVENT_LLC_MISS		9
#define SPE_EVENT_REMOTE_ACCESS		10
#define SPE_EVENT_MISALIGNED		11
#define SPE_EVENT_TRANSACTIONAL		16
#define SPE_EVENT_PARTIAL_PREDICATE	17
#define SPE_EVENT_EMPTY_PREDICATE	18
#define SPE_EVENT_L2D_ACCESS		19
#define SPE_EVENT_L2D_MISS		20
#define SPE_EVENT_DATA_MODIFIED		21
#define SPE_EVENT_RECENTLY_FETCHED	22
#define SPE_EVENT_DATA_SNOOPED		23
#define SPE_EVENT_STREAMING_SVE		24
#define SPE_EVENT_SMCU			25
#define SPE_EVENT_COUNT			64

/* Operation Type packet, CLASS (D18.2.7) */
#define SPE_OP_CLASS_OTHER		0
#define SPE_OP_CLASS_LDST		1
#define SPE_OP_CLASS_BRANCH		2

/*
 * Operation Type packet, SUBCLASS: one pair a row, value and the mask of the
 * bits that the pattern fixes.
 */
#define SPE_OP_OTHER			0x00	/* 0b00000xxx */
#define SPE_OP_OTHER_MASK		0xf8
#define SPE_OP_SVE			0x08	/* 0b0xxx1xx0 */
#define SPE_OP_SVE_MASK			0x89
#define SPE_OP_SME			0x88	/* 0b1xxx1xx0 */
#define SPE_OP_SME_MASK			0x89

#define SPE_OP_LDST_GP			0x00	/* 0b0000000x */
#define SPE_OP_LDST_SIMD_FP		0x04	/* 0b0000010x */
#define SPE_OP_LDST_UNSPECIFIED		0x10	/* 0b0001000x */
#define SPE_OP_LDST_TAG			0x14	/* 0b0001010x */
#define SPE_OP_LDST_SYSREG		0x30	/* 0b0011000x */
#define SPE_OP_LDST_GENERAL_MASK	0xfe
#define SPE_OP_LDST_EXTENDED		0x02	/* 0b000xxx1x */
#define SPE_OP_LDST_EXTENDED_MASK	0xe2
#define SPE_OP_LDST_SVE_SME		0x08	/* 0bxxxx1x0x */
#define SPE_OP_LDST_SVE_SME_MASK	0x0a
#define SPE_OP_LDST_MEMCPY		0x20	/* 0b0010000x */
#define SPE_OP_LDST_MEMCPY_MASK		0xfe
#define SPE_OP_LDST_MEMSET		0x25	/* 0b00100101 */
#define SPE_OP_LDST_MEMSET_MASK		0xff
#define SPE_OP_LDST_GCS			0x40	/* 0b01000x0x */
#define SPE_OP_LDST_GCS_MASK		0xfa

#define SPE_OP_BRANCH			0x00	/* 0b000xxxxx */
#define SPE_OP_BRANCH_MASK		0xe0

/* Fields inside the payload, by the subclass that defines them */
#define SPE_OP_COND			0x01	/* other, branch */
#define SPE_OP_FP			0x02	/* other, SVE, SME */
#define SPE_OP_OTHER_ASE		0x04
#define SPE_OP_PRED			0x04	/* SVE; load/store SVE or SME */
#define SPE_OP_EVL_SHIFT		4	/* SVE; load/store SVE or SME */
#define SPE_OP_EVL_MASK			0x70
#define SPE_OP_EVL_OVER_2048		7
#define SPE_OP_ETS_HI_SHIFT		4	/* SME: ETS[3:1] */
#define SPE_OP_ETS_HI_MASK		0x70
#define SPE_OP_ETS_LO			0x04	/* SME: ETS[0] */
#define SPE_OP_ETS_WHOLE_ZA		15
#define SPE_OP_LDST			0x01	/* 1: store */
#define SPE_OP_AT			0x04	/* extended */
#define SPE_OP_EXCL			0x08
#define SPE_OP_AR			0x10
#define SPE_OP_SG			0x80	/* load/store SVE or SME */
#define SPE_OP_COMM			0x04	/* GCS */
#define SPE_OP_IND			0x02	/* branch */
#define SPE_OP_BRANCH_GCS		0x04
#define SPE_OP_CR_SHIFT			3
#define SPE_OP_CR_MASK			0x18
#define SPE_OP_CR_NOT_RECORDED		0
#define SPE_OP_CR_LINK			1
#define SPE_OP_CR_RETURN		2
#define SPE_OP_CR_NEITHER		3

#endif
