/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each case is a function and prints one line: "ok NAME", "skip NAME: why", or
 * "FAIL NAME" after indented lines with the reasons.  CHECK() continues after a
 * failure, so that a run shows all failures of a case.
 */
#ifndef PERF_SPE_TEST_H
#define PERF_SPE_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../encode.h"
#include "armspe.h"

struct test_case {
	const char *name;
	void (*run)(void);
};

/* Each test file has a list of cases, which a case without name ends. */
extern const struct test_case packet_cases[], op_cases[], text_cases[],
	record_cases[], columns_cases[], resync_cases[],
	bounds_cases[], layout_cases[], fill_cases[], scan_cases[], encode_cases[],
	source_cases[], shape_cases[], roundtrip_cases[],
	hostile_cases[], real_cases[], budget_cases[], raw_cases[], hist_cases[], peak_cases[], digest_cases[], interval_cases[], symtab_cases[],
	session_cases[], canvas_cases[], d18_cases[], live_cases[], live_stacks_cases[],
	packet_lines_cases[], batch_cases[], frames_cases[], kernel_layout_cases[],
	a64_cases[], a64_value_cases[], register_value_cases[], strides_cases[], heap_cases[];

void test_fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void test_skip(const char *why);

#define CHECK(condition) \
	do { \
		if (!(condition)) \
			test_fail(__FILE__, __LINE__, "%s", #condition); \
	} while (0)

#define CHECK_EQ(got, want) \
	do { \
		unsigned long long got_ = (unsigned long long)(got); \
		unsigned long long want_ = (unsigned long long)(want); \
		if (got_ != want_) \
			test_fail(__FILE__, __LINE__, "%s is 0x%llx, not 0x%llx", \
				  #got, got_, want_); \
	} while (0)

#define CHECK_STR(got, want) \
	do { \
		const char *got_ = (got), *want_ = (want); \
		if (strcmp(got_, want_)) \
			test_fail(__FILE__, __LINE__, "\"%s\", not \"%s\"", \
				  got_, want_); \
	} while (0)

/* A reproducible generator; seed it at the start of a case. */
struct test_random {
	uint64_t state;
};

/*
 * Begin a stream with *dec, which test.c allocates where it is NULL: exactly
 * armspe_decoder_size() bytes, so that the sanitizers see what lies beyond.
 */
void test_decoder(struct armspe_decoder **dec, const uint8_t *bytes, size_t len,
		  uint64_t offset);

/* The same with all that @enc has encoded.  Fails where its buffer was too small. */
void test_encoded(struct armspe_decoder **dec, const struct armspe_encoder *enc);

uint64_t test_random(struct test_random *r);
/* 0 to @below - 1 */
unsigned int test_random_below(struct test_random *r, unsigned int below);

/*
 * Rounds of a case that draws its input, and the step of one that walks all
 * places.  The program that selftests/mutants runs for each mutant does a
 * sixteenth of the work.
 */
#ifdef LIBRARY_ONLY
#define TEST_ROUNDS(n)	(((n) + 15) / 16)
#define TEST_STEP	17
#else
#define TEST_ROUNDS(n)	(n)
#define TEST_STEP	1
#endif

/*
 * A random valid record by the encoder, with its values in *want; at most
 * 200 bytes, ended by an End or Timestamp packet.
 */
void test_random_record(struct test_random *r, struct armspe_encoder *enc,
			struct armspe_record *want);

/* Compare all that the valid masks cover, not the position. */
void test_same_record(const struct armspe_record *got,
		      const struct armspe_record *want);

/*
 * Decode @bytes to columns, @room rows (at most 300) at a time, to records and
 * packet by packet, and compare.
 */
void test_columns_agree(const uint8_t *bytes, size_t len, size_t room);

#endif
