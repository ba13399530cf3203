/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libarmspe decodes the sample records that Arm's Statistical Profiling
 * Extension (SPE) writes.
 *
 * Each layer uses only the layers above it:
 *
 *   packet   bytes to one packet                      armspe_packet_*
 *   op       payload of an Operation Type packet      armspe_op_*
 *   event    names of the 64 event bits               armspe_event_*
 *   source   Data Source codes, by MIDR               armspe_source_*
 *   record   packets to one record; skips damage      armspe_record_*
 *   columns  records to arrays, one for each field    armspe_columns_*
 *   text     a packet to readable text                armspe_text_*
 *
 * The library allocates no memory, has no global state, and calls only
 * memcpy() and memset().  Every function is reentrant.  A decoding function
 * never reads outside the bytes that it gets, whatever they contain.  Positions
 * are offsets in the stream, not addresses.  If a record lacks a field, the
 * field's valid bit is 0 and the field's value is unspecified.
 *
 * Rules, tables and sections refer to the Arm Architecture Reference Manual,
 * DDI 0487 M.a.
 */
#ifndef ARMSPE_H
#define ARMSPE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#include <arm_spe/packet.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

enum armspe_status {
	ARMSPE_OK,		/* decoded one packet, one record or all rows */
	ARMSPE_END,		/* no bytes are left */
	ARMSPE_CUT,		/* the bytes end inside a packet or record */
	ARMSPE_DAMAGED,		/* bytes that no conforming PE writes; but see resync.c */
};

/* ------------------------------------------------------------ packets */

enum armspe_packet_type {
	ARMSPE_PADDING,
	ARMSPE_END_OF_RECORD,
	ARMSPE_TIMESTAMP,
	ARMSPE_EVENTS,
	ARMSPE_DATA_SOURCE,
	ARMSPE_CONTEXT,
	ARMSPE_OP_TYPE,
	ARMSPE_ADDRESS,
	ARMSPE_COUNTER,
	ARMSPE_UNKNOWN,		/* undefined header: skip it by its size (D18.1.3) */
};

/* One packet (D18.1.1).  A padding packet is a run of 1 to 16 padding bytes. */
struct armspe_packet {
	uint64_t payload;	/* zero-extended; 0 without a payload */
	uint8_t type;		/* enum armspe_packet_type */
	uint8_t index;		/* INDEX or CLASS; 0 for types without one */
	uint8_t header_bytes;	/* 1 or 2; for padding, the length of the run */
	uint8_t payload_bytes;	/* 0, 1, 2, 4 or 8 */
	uint8_t header[2];	/* the header's bytes in the stream */
	bool reserved;		/* INDEX, CLASS or SZ has a reserved value */
};

/* Longest run of padding in one packet, in bytes. */
#define ARMSPE_PADDING_RUN 16

/*
 * Decodes the packet at the start of @bytes.  @len is the number of readable
 * bytes.
 *
 * Returns:
 * ARMSPE_OK       *packet is filled and has armspe_packet_bytes() bytes
 * ARMSPE_END      @len is 0
 * ARMSPE_CUT      the packet has more than @len bytes
 * ARMSPE_DAMAGED  byte 0 (0x20 to 0x3f) starts an extended header, but byte 1
 *                 encodes no payload size (D18.1.1)
 */
enum armspe_status armspe_packet_decode(const uint8_t *bytes, size_t len,
					struct armspe_packet *packet);

/* Returns the size of the packet in the stream, 1 to 16 bytes. */
static inline unsigned int armspe_packet_bytes(const struct armspe_packet *p)
{
	return p->header_bytes + p->payload_bytes;
}

/* --------------------------------------------------------- operations */

/* The operation subclasses of D18.2.7, one for each row of its tables. */
enum armspe_subclass {
	ARMSPE_OP_OTHER,
	ARMSPE_OP_SVE,
	ARMSPE_OP_SME,
	ARMSPE_OP_LDST_GP,
	ARMSPE_OP_LDST_SIMD_FP,
	ARMSPE_OP_LDST_UNSPECIFIED,
	ARMSPE_OP_LDST_TAG,
	ARMSPE_OP_LDST_SYSREG,
	ARMSPE_OP_LDST_EXTENDED,
	ARMSPE_OP_LDST_SVE_SME,
	ARMSPE_OP_LDST_MEMCPY,
	ARMSPE_OP_LDST_MEMSET,
	ARMSPE_OP_LDST_GCS,
	ARMSPE_OP_BRANCH,
	ARMSPE_OP_RESERVED,	/* D18.2.7 defines no such payload */
};

/* Properties of an operation: fields of its packet (D18.2.7). */
#define ARMSPE_OPF_LOAD		(1u << 0)
#define ARMSPE_OPF_STORE	(1u << 1)
#define ARMSPE_OPF_BRANCH	(1u << 2)
#define ARMSPE_OPF_COND		(1u << 3)
#define ARMSPE_OPF_INDIRECT	(1u << 4)
#define ARMSPE_OPF_FP		(1u << 5)
#define ARMSPE_OPF_ASE		(1u << 6)
#define ARMSPE_OPF_PRED		(1u << 7)
#define ARMSPE_OPF_SG		(1u << 8)
#define ARMSPE_OPF_AT		(1u << 9)
#define ARMSPE_OPF_EXCL		(1u << 10)
#define ARMSPE_OPF_AR		(1u << 11)
#define ARMSPE_OPF_COMM		(1u << 12)
#define ARMSPE_OPF_GCS		(1u << 13)	/* branch that accesses the GCS */
#define ARMSPE_OPF_LINK		(1u << 14)	/* CR: branch with link */
#define ARMSPE_OPF_RETURN	(1u << 15)	/* CR: procedure return */
#define ARMSPE_OPF_CR_VALID	(1u << 16)	/* the packet has CR */
#define ARMSPE_OPF_BITS_VALID	(1u << 17)	/* vector_bits is valid */
#define ARMSPE_OPF_BITS_ABOVE	(1u << 18)	/* the size exceeds vector_bits */
#define ARMSPE_OPF_WHOLE_ZA	(1u << 19)
#define ARMSPE_OPF_RESERVED	(1u << 20)	/* a field has a reserved value */

struct armspe_op {
	uint8_t subclass;	/* enum armspe_subclass */
	uint32_t flags;		/* ARMSPE_OPF_* */
	uint32_t vector_bits;	/* EVL or ETS, 32 to 262144 bits */
};

/*
 * Decodes the payload of an Operation Type packet.  @op_class is CLASS, 0 to 3.
 * Fills *op for every payload.  Returns false and sets the subclass to
 * ARMSPE_OP_RESERVED if D18.2.7 does not define the payload.
 */
bool armspe_op_decode(unsigned int op_class, uint8_t payload,
		      struct armspe_op *op);

/* Returns the short name of a subclass.  Never NULL, also outside the enum. */
const char *armspe_op_name(unsigned int subclass);

/*
 * Returns the name of the flag with bit number @bit.  NULL if the bit is no flag,
 * or if armspe_text_packet() shows the flag in another form.
 */
const char *armspe_op_flag_name(unsigned int bit);

/* ------------------------------------------------------------- events */

/*
 * Returns the name of event bit @bit, 0 to 63 (D18.2.6).  Never NULL: the name
 * of a bit without architected meaning is "impdef-N" or "reserved-N", and that
 * of a number above 63 is "invalid".
 */
const char *armspe_event_name(unsigned int bit);

/*
 * Returns the name of event bit @bit, which is 1 in the Events packet with @events, of
 * the core with this MIDR_EL1, or 0 if the core is unknown.  Never NULL.  It is that of
 * armspe_event_name(), except
 *
 * - "impdef-0" for E[0] if E[1] is 0: it has no architected meaning then (D18.2.6)
 * - the core's name for an IMPLEMENTATION DEFINED event, if it is public
 */
const char *armspe_event_of(uint64_t midr, uint64_t events, unsigned int bit);

/* -------------------------------------------------------- data sources */

enum armspe_level {
	ARMSPE_LEVEL_L1,
	ARMSPE_LEVEL_L2,
	ARMSPE_LEVEL_L3,		/* or the system cache */
	ARMSPE_LEVEL_ANY_CACHE,		/* a cache; the code does not tell which */
	ARMSPE_LEVEL_DRAM,
	ARMSPE_LEVEL_DEVICE,
};

#define ARMSPE_SOURCE_PEER	(1u << 0)	/* the cache of another core */
#define ARMSPE_SOURCE_MODIFIED	(1u << 1)	/* that core had modified the line */
#define ARMSPE_SOURCE_REMOTE	(1u << 2)	/* on another socket */

struct armspe_source {
	const char *name;	/* such as "peer-core"; a constant */
	uint8_t level;		/* enum armspe_level */
	uint8_t flags;		/* ARMSPE_SOURCE_* */
};

/*
 * Translates @code, the SOURCE of a Data Source packet, for the core with this
 * MIDR_EL1.  Variant and revision do not matter.  Returns false and leaves
 * *source unchanged if the core or the code is not known.  SOURCE is
 * IMPLEMENTATION DEFINED (D18.2.4); the known cores define it for loads only.
 */
bool armspe_source_decode(uint64_t midr, uint16_t code,
			  struct armspe_source *source);

/* Returns the name of a core whose codes are known, or NULL. */
const char *armspe_source_core(uint64_t midr);

/* Returns the name of a core, also if its codes are not known, or NULL. */
const char *armspe_core_name(uint64_t midr);

/*
 * Returns Implementer and PartNum, in the places that MIDR_EL1 has them, of core
 * number @index of those whose codes are known.  0 behind the last one.
 */
uint64_t armspe_source_midr(unsigned int index);

/* ------------------------------------------------------------ records */

/* Bits of armspe_record.valid.  A record has each of these fields at most once. */
#define ARMSPE_HAS_OP		(1u << 0)
#define ARMSPE_HAS_EVENTS	(1u << 1)
#define ARMSPE_HAS_SOURCE	(1u << 2)
#define ARMSPE_HAS_TIMESTAMP	(1u << 3)

/*
 * One sample.  The INDEX of a packet (SPE_ADDR_*, SPE_COUNTER_*, SPE_CONTEXT_*)
 * is the index into addr[], counter[] and context[].  Bit INDEX of the matching
 * *_valid mask is 1 if the record has the packet.  If a record has several
 * packets with one IMPLEMENTATION DEFINED INDEX, the last one counts.
 *
 * A payload with a reserved value, such as a SUBCLASS, counts as a packet like
 * others: armspe_op_decode() tells it.
 *
 * Addresses are raw payloads: use the armspe_addr_* functions.  Counters are in
 * cycles and saturate.
 */
struct armspe_record {
	uint64_t offset;	/* of the first header byte in the stream */
	uint32_t bytes;		/* from first header to last payload, 1 to 2048 */
	uint32_t valid;		/* ARMSPE_HAS_* */
	uint32_t addr_valid;
	uint32_t counter_valid;
	uint16_t packets;	/* without padding */
	uint16_t padding;	/* padding bytes inside the record */
	uint16_t unknown;	/* unknown packets, and reserved ones by their header: skipped */
	uint8_t context_valid;
	uint8_t op_class;	/* CLASS, with ARMSPE_HAS_OP */
	uint8_t source_bytes;	/* 1 or 2, with ARMSPE_HAS_SOURCE */
	uint8_t op_payload;
	uint16_t source;	/* SOURCE, IMPLEMENTATION DEFINED */
	uint64_t events;	/* bits that the packet lacks are 0 (D18.2.6) */
	uint64_t timestamp;
	uint32_t context[SPE_CONTEXT_COUNT];
	uint16_t counter[SPE_INDEX_COUNT];
	uint64_t addr[SPE_INDEX_COUNT];
};

/* Totals since armspe_decoder_init().  Later versions may add fields at the end. */
struct armspe_totals {
	uint64_t records;
	uint64_t packets;	/* packets of the records, without padding */
	uint64_t unknown;	/* how many of these are unknown or reserved */
	uint64_t padding;	/* padding bytes, inside and between records */
	uint64_t damaged;	/* damaged bytes */
	uint64_t damages;	/* separate runs of damaged bytes */
};

/*
 * A decoder holds a position in a piece of a stream, the totals, and the record
 * layouts that it has learnt.  Only the library knows the fields, so they may
 * change between versions.  The caller provides the memory:
 *
 *	void *memory = aligned_alloc(ARMSPE_DECODER_ALIGN, armspe_decoder_size());
 *	struct armspe_decoder *dec = armspe_decoder_init(memory, armspe_decoder_size());
 *
 *	armspe_decoder_feed(dec, bytes, len, 0);
 */
struct armspe_decoder;

/* Alignment of the memory of a decoder, in bytes. */
#define ARMSPE_DECODER_ALIGN 16

/*
 * Returns the bytes of memory that one decoder needs, a multiple of
 * ARMSPE_DECODER_ALIGN.  They are about 80 KiB, too many for a kernel stack.
 */
size_t armspe_decoder_size(void);

/*
 * Makes a decoder in the @size bytes at @memory, whatever they contain.  Its
 * totals are 0, it knows no layout, and its piece is empty: call
 * armspe_decoder_feed() next.  A decoder owns no resources: the caller frees the
 * memory, or calls this function again to start anew.
 *
 * Returns the decoder, which is at @memory.  Returns NULL if @memory is NULL or
 * not aligned to ARMSPE_DECODER_ALIGN, or if @size is less than
 * armspe_decoder_size().
 */
struct armspe_decoder *armspe_decoder_init(void *memory, size_t size);

/*
 * Gives the decoder its next piece: the @len bytes at @bytes.  @offset is the
 * offset of the first one in the stream.  The caller keeps the bytes in place
 * until the next piece.  Totals and learnt layouts stay.
 *
 * If the last piece ended inside a record (ARMSPE_CUT), the new piece must start
 * with the last armspe_decoder_left() bytes of the old one.
 */
void armspe_decoder_feed(struct armspe_decoder *dec, const uint8_t *bytes,
			 size_t len, uint64_t offset);

/* Returns the offset of the next byte to decode in the piece, 0 to its length. */
size_t armspe_decoder_position(const struct armspe_decoder *dec);

/* Returns the number of bytes of the piece that are not decoded yet. */
size_t armspe_decoder_left(const struct armspe_decoder *dec);

/* Returns the totals so far, inside the decoder: they change as it decodes. */
const struct armspe_totals *
armspe_decoder_totals(const struct armspe_decoder *dec);

/*
 * Goes back to @position in the same piece, so that the next call decodes from
 * there again.  @totals is the caller's copy of the totals at that position.
 * Returns false and changes nothing if @position is after the decoder's own.
 */
bool armspe_decoder_rewind(struct armspe_decoder *dec, size_t position,
			   const struct armspe_totals *totals);

/*
 * Skips padding and decodes the next record.
 *
 * Returns:
 * ARMSPE_OK       *rec is filled
 * ARMSPE_END      the piece has no more bytes
 * ARMSPE_CUT      the piece ends inside a record, whose bytes are not consumed:
 *                 feed them again, together with the bytes that follow
 * ARMSPE_DAMAGED  the call skipped rec->bytes damaged bytes at rec->offset; here
 *                 rec->bytes may exceed 2048.  No other field is set.  The next
 *                 call continues after them.
 *
 * resync.c defines damage, and where decoding continues after it.
 */
enum armspe_status armspe_record_next(struct armspe_decoder *dec,
				      struct armspe_record *rec);

/* ------------------------------------------------------------ columns */

/*
 * Records as arrays: one array for each field of struct armspe_record, one row
 * for each record.  The caller owns the arrays.  Each has @room elements; a NULL
 * array is left out and costs nothing.  Row by row the arrays hold the fields
 * that armspe_record_next() would return.  An element is unspecified if the
 * valid mask of its row lacks its bit.
 */
struct armspe_columns {
	size_t room;		/* number of rows in each array */
	size_t rows;		/* number of filled rows; set it to 0 to reuse them */
	uint64_t skipped_offset;	/* ARMSPE_DAMAGED: first skipped byte, and */
	uint64_t skipped_bytes;		/* number of bytes skipped after the last row */
	uint64_t *offset;
	uint32_t *bytes;
	uint32_t *valid;
	uint32_t *addr_valid;
	uint32_t *counter_valid;
	uint8_t *context_valid;
	uint16_t *packets;
	uint16_t *padding;
	uint16_t *unknown;
	uint64_t *events;
	uint64_t *timestamp;
	uint16_t *source;
	uint8_t *source_bytes;
	uint8_t *op_class;
	uint8_t *op_payload;
	uint64_t *addr[SPE_INDEX_COUNT];
	uint16_t *counter[SPE_INDEX_COUNT];
	uint32_t *context[SPE_CONTEXT_COUNT];
};

/*
 * Decodes records to the rows from cols->rows on, until the arrays are full or
 * the next bytes are no record.  The filled rows are valid with every result.
 *
 * Returns:
 * ARMSPE_OK       the arrays are full: cols->rows is cols->room
 * ARMSPE_END      the piece has no more bytes
 * ARMSPE_CUT      the piece ends inside a record: see armspe_record_next()
 * ARMSPE_DAMAGED  the call skipped damaged bytes after the last row.  The next
 *                 call continues after them.
 */
enum armspe_status armspe_columns_next(struct armspe_decoder *dec,
				       struct armspe_columns *cols);

/* Returns a virtual address: bits 55:0, sign-extended from bit 55 (D18.2.1). */
static inline uint64_t armspe_addr_virtual(uint64_t raw)
{
	return (raw & (1ULL << (SPE_ADDR_BITS - 1))) ?
		raw | ~SPE_ADDR_MASK : raw & SPE_ADDR_MASK;
}

/* Returns a physical address: bits 55:0 (D18.2.1). */
static inline uint64_t armspe_addr_physical(uint64_t raw)
{
	return raw & SPE_ADDR_MASK;
}

/* Returns byte 7: the top-byte tag of a data virtual address. */
static inline unsigned int armspe_addr_tag(uint64_t raw)
{
	return (unsigned int)(raw >> SPE_ADDR_TOP_SHIFT);
}

/* Returns the Exception level, 0 to 3, of an instruction or branch target address. */
static inline unsigned int armspe_addr_el(uint64_t raw)
{
	return (armspe_addr_tag(raw) & SPE_ADDR_EL_MASK) >> SPE_ADDR_EL_SHIFT;
}

/* Returns PAT, 0 to 15, of a data physical address (Figure D18-6). */
static inline unsigned int armspe_addr_pat(uint64_t raw)
{
	return armspe_addr_tag(raw) & SPE_ADDR_PA_PAT_MASK;
}

/* Returns CH of a data physical address (Figure D18-6): the tag was checked. */
static inline bool armspe_addr_checked(uint64_t raw)
{
	return armspe_addr_tag(raw) & SPE_ADDR_PA_CH;
}

/*
 * Returns true if a counter is at its largest value: the true count may be
 * larger.  @bits is the width of the counters, 12 or 16.  PMSIDR_EL1.CountSize
 * tells the width; the stream does not contain it.
 */
static inline bool armspe_counter_saturated(uint16_t count, unsigned int bits)
{
	return count >= (bits == 12 ? SPE_COUNTER_MAX_12BIT :
				      SPE_COUNTER_MAX_16BIT);
}

enum armspe_security {
	ARMSPE_SECURE,
	ARMSPE_NON_SECURE,
	ARMSPE_SECURITY_RESERVED,	/* NSE 1, NS 0 */
	ARMSPE_REALM,
};

/*
 * Returns the Security state of an instruction or branch target address, or the
 * physical address space of a data physical address.  Data virtual addresses
 * have neither.
 */
static inline enum armspe_security armspe_addr_security(uint64_t raw)
{
	unsigned int top = armspe_addr_tag(raw);

	return (enum armspe_security)((top & SPE_ADDR_NSE ? 2 : 0) |
				      (top & SPE_ADDR_NS ? 1 : 0));
}

/* --------------------------------------------------------------- text */

/* Size of a buffer for the text of any packet, final zero included. */
#define ARMSPE_TEXT_MAX 1024

/*
 * Writes a packet as readable text to @text, at most @size bytes including the
 * final zero.  Returns the length of the whole text, as snprintf() does: if it is
 * not less than @size, the text is cut.
 */
size_t armspe_text_packet(const struct armspe_packet *packet, char *text,
			  size_t size);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
