/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libarmspe: decoder of Statistical Profiling Extension sample records.
 *
 * Layers, each using only those above it:
 *
 *   packet   bytes to one packet                      armspe_packet_*
 *   op       payload of an Operation Type packet      armspe_op_*
 *   event    names of the 64 event bits               armspe_event_*
 *   source   Data Source codes, by MIDR               armspe_source_*
 *   record   packets to one record, damage skipped    armspe_record_*
 *   columns  records to arrays, one a field           armspe_columns_*
 *   text     a packet in words                        armspe_text_*
 *   encode   values to bytes; the tests' oracle       armspe_encode_*
 *
 * The library allocates nothing, has no state of its own and needs nothing
 * beyond memcpy() and memset(); every function is reentrant and safe on any
 * input.  Nothing depends on where the bytes lie in memory: positions are
 * offsets in the stream.  A field that a record did not carry is marked by a
 * cleared valid bit and its value is then unspecified.
 *
 * Rules, tables and sections are those of the Arm ARM, DDI 0487 M.a.
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
	ARMSPE_OK,		/* one packet or record was decoded */
	ARMSPE_END,		/* nothing is left */
	ARMSPE_CUT,		/* the bytes end inside a packet or record */
	ARMSPE_DAMAGED,		/* bytes that no conforming PE writes */
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
	ARMSPE_UNKNOWN,		/* skipped by its size, as D18.1.3 demands */
};

/* One packet.  A padding packet stands for a run of 1 to 16 padding bytes. */
struct armspe_packet {
	uint64_t payload;	/* zero-extended; 0 where there is none */
	uint8_t type;		/* enum armspe_packet_type */
	uint8_t index;		/* INDEX or CLASS; 0 for other types */
	uint8_t header_bytes;	/* 1 or 2; for padding the run's length */
	uint8_t payload_bytes;	/* 0, 1, 2, 4 or 8 */
	uint8_t header[2];	/* as it stands in the stream */
	bool reserved;		/* INDEX, CLASS or SZ is a reserved value */
};

/* Longest run of padding that one packet stands for. */
#define ARMSPE_PADDING_RUN 16

/*
 * Decode the packet at the start of @bytes, of which @len are readable.
 *
 * ARMSPE_OK       *packet is filled, it covers armspe_packet_bytes() bytes
 * ARMSPE_END      @len is 0
 * ARMSPE_CUT      the packet needs more than @len bytes
 * ARMSPE_DAMAGED  byte 0 announces an extended header and byte 1 does not
 *                 encode a payload size (0x20-0x3f, D18.1.1)
 */
enum armspe_status armspe_packet_decode(const uint8_t *bytes, size_t len,
					struct armspe_packet *packet);

/* Bytes that the packet takes in the stream: 1 to 16. */
static inline unsigned int armspe_packet_bytes(const struct armspe_packet *p)
{
	return p->header_bytes + p->payload_bytes;
}

/* --------------------------------------------------------- operations */

/* One for each second-level operation class of D18.2.7. */
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
	ARMSPE_OP_RESERVED,	/* no row of D18.2.7 matches */
};

/* What an operation is, beyond its subclass. */
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
#define ARMSPE_OPF_GCS		(1u << 13)	/* branch with GCS access */
#define ARMSPE_OPF_LINK		(1u << 14)	/* CR: branch with link */
#define ARMSPE_OPF_RETURN	(1u << 15)	/* CR: procedure return */
#define ARMSPE_OPF_CR_VALID	(1u << 16)	/* CR recorded */
#define ARMSPE_OPF_BITS_VALID	(1u << 17)	/* vector_bits holds a size */
#define ARMSPE_OPF_BITS_ABOVE	(1u << 18)	/* more than vector_bits */
#define ARMSPE_OPF_WHOLE_ZA	(1u << 19)
#define ARMSPE_OPF_RESERVED	(1u << 20)	/* a field is a reserved value */

struct armspe_op {
	uint8_t subclass;	/* enum armspe_subclass */
	uint32_t flags;		/* ARMSPE_OPF_* */
	uint32_t vector_bits;	/* EVL or ETS in bits, 32 to 262144 */
};

/*
 * Decode an Operation Type packet's payload.  @op_class is CLASS (0 to 3).
 * Total: what D18.2.7 does not define gets ARMSPE_OP_RESERVED and false.
 */
bool armspe_op_decode(unsigned int op_class, uint8_t payload,
		      struct armspe_op *op);

/* Short name of a subclass, never NULL, also for values outside the enum. */
const char *armspe_op_name(unsigned int subclass);

/* Name of the flag with this bit number, NULL where text shows it otherwise. */
const char *armspe_op_flag_name(unsigned int bit);

/* ------------------------------------------------------------- events */

/*
 * Name of event bit @bit (0 to 63), never NULL.  Bits without architected
 * meaning are "impdef-N" or "reserved-N"; outside the range, "invalid".
 */
const char *armspe_event_name(unsigned int bit);

/* -------------------------------------------------------- data sources */

enum armspe_level {
	ARMSPE_LEVEL_L1,
	ARMSPE_LEVEL_L2,
	ARMSPE_LEVEL_L3,		/* or the system's cache */
	ARMSPE_LEVEL_ANY_CACHE,		/* a cache, the core does not say which */
	ARMSPE_LEVEL_DRAM,
	ARMSPE_LEVEL_DEVICE,
};

#define ARMSPE_SOURCE_PEER	(1u << 0)	/* another core's cache gave it */
#define ARMSPE_SOURCE_MODIFIED	(1u << 1)	/* which had modified it */
#define ARMSPE_SOURCE_REMOTE	(1u << 2)	/* of another socket */

struct armspe_source {
	const char *name;	/* as "peer-core", constant */
	uint8_t level;		/* enum armspe_level */
	uint8_t flags;		/* ARMSPE_SOURCE_* */
};

/*
 * What @code, the SOURCE of a Data Source packet, means on a core with this
 * MIDR_EL1; its variant and revision do not matter.  False, and *source
 * untouched, where the core or the code is not known.  These cores tell it of
 * loads; with a store SOURCE says nothing.
 */
bool armspe_source_decode(uint64_t midr, uint16_t code,
			  struct armspe_source *source);

/* Name of a core whose codes are known, otherwise NULL. */
const char *armspe_source_core(uint64_t midr);

/* ------------------------------------------------------------ records */

/* Fields of which a record has at most one each; see armspe_record.valid. */
#define ARMSPE_HAS_OP		(1u << 0)
#define ARMSPE_HAS_EVENTS	(1u << 1)
#define ARMSPE_HAS_SOURCE	(1u << 2)
#define ARMSPE_HAS_TIMESTAMP	(1u << 3)

/*
 * One sample.  addr[], counter[] and context[] are indexed by the packets'
 * INDEX (SPE_ADDR_*, SPE_COUNTER_*, SPE_CONTEXT_*); bit INDEX of the matching
 * *_valid mask says whether the record carried it, and of several with one
 * IMPLEMENTATION DEFINED INDEX the last is kept.  Addresses are raw payloads:
 * see the armspe_addr_* accessors.  Counters are cycles and saturate.  Nothing
 * but the valid masks and the position is set where the record lacked the
 * packet.
 */
struct armspe_record {
	uint64_t offset;	/* of the first header byte, in the stream */
	uint32_t bytes;		/* first header to last payload, 1 to 2048 */
	uint32_t valid;		/* ARMSPE_HAS_* */
	uint32_t addr_valid;
	uint32_t counter_valid;
	uint16_t packets;	/* without padding */
	uint16_t padding;	/* padding bytes inside the record */
	uint16_t unknown;	/* unknown and reserved packets, skipped */
	uint8_t context_valid;
	uint8_t op_class;	/* CLASS, with HAS_OP */
	uint8_t source_bytes;	/* 1 or 2, with HAS_SOURCE */
	uint8_t op_payload;
	uint16_t source;	/* SOURCE, IMPLEMENTATION DEFINED */
	uint64_t events;	/* bits not output are 0 (D18.2.6) */
	uint64_t timestamp;
	uint32_t context[SPE_CONTEXT_COUNT];
	uint16_t counter[SPE_INDEX_COUNT];
	uint64_t addr[SPE_INDEX_COUNT];
};

/* Totals since armspe_decoder_init().  Later versions may add fields behind. */
struct armspe_totals {
	uint64_t records;
	uint64_t packets;	/* of the records, without padding */
	uint64_t unknown;	/* of these, unknown or reserved ones */
	uint64_t padding;	/* bytes, inside and between records */
	uint64_t damaged;	/* bytes */
	uint64_t damages;	/* separate stretches of damaged bytes */
};

/*
 * A position in a piece of a stream, the totals, and the record layouts that
 * the decoder has learnt.  Only the library knows the fields, so that they may
 * change between versions.  The caller provides the memory:
 *
 *	void *memory = aligned_alloc(ARMSPE_DECODER_ALIGN, armspe_decoder_size());
 *	struct armspe_decoder *dec = armspe_decoder_init(memory, armspe_decoder_size());
 *
 *	armspe_decoder_feed(dec, bytes, len, 0);
 */
struct armspe_decoder;

/* Bytes to which the memory of a decoder is aligned. */
#define ARMSPE_DECODER_ALIGN 16

/*
 * Bytes of memory that one decoder takes, a multiple of ARMSPE_DECODER_ALIGN.
 * About 80 KiB: too much for a stack in the kernel.
 */
size_t armspe_decoder_size(void);

/*
 * Make a decoder of @size bytes at @memory, whose content does not matter.  Its
 * totals are 0, it knows no layout, and its piece is empty: the next call is
 * armspe_decoder_feed().  A decoder owns nothing: the caller frees the memory,
 * or calls this function again to start anew.
 *
 * Returns the decoder, which begins at @memory.  Returns NULL when @memory is
 * NULL or not aligned to ARMSPE_DECODER_ALIGN, or @size is less than
 * armspe_decoder_size().
 */
struct armspe_decoder *armspe_decoder_init(void *memory, size_t size);

/*
 * Decode the @len bytes at @bytes next; the first one has offset @offset in the
 * stream.  The caller keeps the bytes in place until the next piece.  Totals
 * and learnt layouts stay.  When the last piece ended inside a record, the
 * caller puts the armspe_decoder_left() bytes of that record in front of the
 * new piece.
 */
void armspe_decoder_feed(struct armspe_decoder *dec, const uint8_t *bytes,
			 size_t len, uint64_t offset);

/* Offset in the piece of the next byte to decode: 0 to the piece's length. */
size_t armspe_decoder_position(const struct armspe_decoder *dec);

/* Bytes of the piece that no call has consumed. */
size_t armspe_decoder_left(const struct armspe_decoder *dec);

/* The totals so far.  The pointer stays valid, and the values follow dec. */
const struct armspe_totals *
armspe_decoder_totals(const struct armspe_decoder *dec);

/*
 * Go back to @position of the same piece, to decode again what follows it.
 * @totals are those that the decoder had there, copied before it went on.
 * Returns false, and changes nothing, when the decoder stands before @position.
 */
bool armspe_decoder_rewind(struct armspe_decoder *dec, size_t position,
			   const struct armspe_totals *totals);

/*
 * Decode the next record; padding before it is skipped.
 *
 * ARMSPE_OK       *rec is filled
 * ARMSPE_END      the piece is used up
 * ARMSPE_CUT      an incomplete record is left and nothing was consumed; with
 *                 the following bytes behind it, decoding can go on
 * ARMSPE_DAMAGED  rec->offset and rec->bytes (then not limited to 2048) say
 *                 which bytes were skipped; no other field is set.  The next
 *                 call goes on behind them.
 *
 * What is damage, and where decoding goes on, is described in resync.c.
 */
enum armspe_status armspe_record_next(struct armspe_decoder *dec,
				      struct armspe_record *rec);

/* ------------------------------------------------------------ columns */

/*
 * Records as arrays, an array for each field of struct armspe_record.  The
 * caller owns the arrays, each of @room elements; a field that he does not
 * want has NULL and costs nothing.  Row for row the arrays hold what
 * armspe_record_next() would have told: an element is meaningful where the
 * row's valid mask has its bit, and anything elsewhere.
 */
struct armspe_columns {
	size_t room;		/* rows that there is space for */
	size_t rows;		/* rows filled; set to 0 to begin again */
	uint64_t skipped_offset;	/* with ARMSPE_DAMAGED: what was */
	uint64_t skipped_bytes;		/* skipped behind the last row */
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
 * Decode records to rows behind cols->rows until there is no more room, or
 * something other than a record is met.  The rows are good in each case.
 *
 * ARMSPE_OK       cols->rows is cols->room
 * ARMSPE_END      the piece is used up
 * ARMSPE_CUT      an incomplete record is left, as with armspe_record_next()
 * ARMSPE_DAMAGED  bytes behind the last row were skipped; the next call goes
 *                 on behind them
 */
enum armspe_status armspe_columns_next(struct armspe_decoder *dec,
				       struct armspe_columns *cols);

/* Bits 55:0 of an address, bit 55 copied upwards: a virtual address. */
static inline uint64_t armspe_addr_virtual(uint64_t raw)
{
	return (raw & (1ULL << (SPE_ADDR_BITS - 1))) ?
		raw | ~SPE_ADDR_MASK : raw & SPE_ADDR_MASK;
}

/* Bits 55:0 of a physical address. */
static inline uint64_t armspe_addr_physical(uint64_t raw)
{
	return raw & SPE_ADDR_MASK;
}

/* Byte 7: top-byte tag of a data virtual address. */
static inline unsigned int armspe_addr_tag(uint64_t raw)
{
	return (unsigned int)(raw >> SPE_ADDR_TOP_SHIFT);
}

/* Exception level, 0 to 3: instruction and branch target addresses only. */
static inline unsigned int armspe_addr_el(uint64_t raw)
{
	return (armspe_addr_tag(raw) & SPE_ADDR_EL_MASK) >> SPE_ADDR_EL_SHIFT;
}

/* PAT, 0 to 15, and CH of a data physical address: Figure D18-6 */
static inline unsigned int armspe_addr_pat(uint64_t raw)
{
	return armspe_addr_tag(raw) & SPE_ADDR_PA_PAT_MASK;
}

static inline bool armspe_addr_checked(uint64_t raw)
{
	return armspe_addr_tag(raw) & SPE_ADDR_PA_CH;
}

/*
 * Whether a counter stands at its largest value, so that the true one may be
 * above.  @bits is PMSIDR_EL1.CountSize in bits, 12 or 16: the stream does not
 * tell it.
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

/* Security state or physical address space: not for data virtual addresses. */
static inline enum armspe_security armspe_addr_security(uint64_t raw)
{
	unsigned int top = armspe_addr_tag(raw);

	return (enum armspe_security)((top & SPE_ADDR_NSE ? 2 : 0) |
				      (top & SPE_ADDR_NS ? 1 : 0));
}

/* ------------------------------------------------------- text, encode */

/* Enough for armspe_text_packet() on any packet, with the final zero. */
#define ARMSPE_TEXT_MAX 1024

/*
 * Write a packet's meaning to @text, at most @size bytes with the final zero.
 * Returns the length of the whole text, as snprintf() does: a value not below
 * @size says that it was cut.
 */
size_t armspe_text_packet(const struct armspe_packet *packet, char *text,
			  size_t size);

/* Name of a packet type, never NULL. */
const char *armspe_text_type(unsigned int type);

/*
 * A buffer that packets are appended to.  What does not fit is dropped whole
 * and sets overflow, so that a sequence needs one test at its end.
 */
struct armspe_encoder {
	uint8_t *bytes;
	size_t size;
	size_t len;
	bool overflow;
};

void armspe_encode_init(struct armspe_encoder *enc, uint8_t *bytes,
			size_t size);
/* @index 0 to 31; below 8 the short header is used. */
void armspe_encode_address(struct armspe_encoder *enc, unsigned int index,
			   uint64_t payload);
void armspe_encode_counter(struct armspe_encoder *enc, unsigned int index,
			   uint16_t count);
/* The same in the extended format for every index, as Table D18-2 allows. */
void armspe_encode_address_ext(struct armspe_encoder *enc, unsigned int index,
			       uint64_t payload);
void armspe_encode_counter_ext(struct armspe_encoder *enc, unsigned int index,
			       uint16_t count);
/* @index 0 to 3. */
void armspe_encode_context(struct armspe_encoder *enc, unsigned int index,
			   uint32_t context);
/* @bytes 1, 2, 4 or 8. */
void armspe_encode_events(struct armspe_encoder *enc, unsigned int bytes,
			  uint64_t events);
/* @bytes 1 or 2. */
void armspe_encode_source(struct armspe_encoder *enc, unsigned int bytes,
			  uint16_t source);
/* @op_class 0 to 3. */
void armspe_encode_op(struct armspe_encoder *enc, unsigned int op_class,
		      uint8_t payload);
void armspe_encode_timestamp(struct armspe_encoder *enc, uint64_t ts);
void armspe_encode_end(struct armspe_encoder *enc);
void armspe_encode_padding(struct armspe_encoder *enc, size_t bytes);
/* Padding up to a multiple of @align bytes of the buffer's length. */
void armspe_encode_align(struct armspe_encoder *enc, size_t align);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
