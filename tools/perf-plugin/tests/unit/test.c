// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdlib.h>

#include "test.h"

static const char *running;
static bool failed, skipped;

void test_fail(const char *file, int line, const char *format, ...)
{
	va_list args;

	printf("  %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	failed = true;
}

void test_skip(const char *why)
{
	printf("skip %s: %s\n", running, why);
	skipped = true;
}

void test_decoder(struct armspe_decoder **dec, const uint8_t *bytes, size_t len,
		  uint64_t offset)
{
	size_t size = armspe_decoder_size();

	if (!*dec)
		*dec = aligned_alloc(ARMSPE_DECODER_ALIGN, size);
	*dec = armspe_decoder_init(*dec, size);
	if (!*dec)
		abort();
	armspe_decoder_feed(*dec, bytes, len, offset);
}

void test_encoded(struct armspe_decoder **dec, const struct armspe_encoder *enc)
{
	CHECK(!enc->overflow);
	test_decoder(dec, enc->bytes, enc->len, 0);
}

static void random_addresses(struct test_random *r, struct armspe_encoder *enc,
			     struct armspe_record *want)
{
	static const uint8_t index[] = { 0, 1, 2, 3, 4, 6, 7, 16, 25, 31 };
	unsigned int i;

	for (i = 0; i < sizeof(index); i++) {
		if (test_random_below(r, 3))
			continue;
		want->addr[index[i]] = test_random(r);
		want->addr_valid |= 1u << index[i];
		if (test_random_below(r, 4))
			armspe_encode_address(enc, index[i],
					      want->addr[index[i]]);
		else
			armspe_encode_address_ext(enc, index[i],
						  want->addr[index[i]]);
		want->packets++;
	}
}

static void random_counters(struct test_random *r, struct armspe_encoder *enc,
			    struct armspe_record *want)
{
	static const uint8_t index[] = { 0, 1, 2, 4, 6, 7, 17, 30 };
	unsigned int i;

	for (i = 0; i < sizeof(index); i++) {
		if (test_random_below(r, 2))
			continue;
		want->counter[index[i]] = (uint16_t)test_random(r);
		want->counter_valid |= 1u << index[i];
		if (test_random_below(r, 4))
			armspe_encode_counter(enc, index[i],
					      want->counter[index[i]]);
		else
			armspe_encode_counter_ext(enc, index[i],
						  want->counter[index[i]]);
		want->packets++;
	}
}

static void random_singles(struct test_random *r, struct armspe_encoder *enc,
			   struct armspe_record *want)
{
	unsigned int bytes = 1u << test_random_below(r, 4), i;

	want->events = test_random(r) >> (64 - 8 * bytes);
	want->valid |= ARMSPE_HAS_EVENTS | ARMSPE_HAS_OP;
	armspe_encode_events(enc, bytes, want->events);
	want->op_class = (uint8_t)test_random_below(r, 3);
	want->op_payload = (uint8_t)test_random(r);
	armspe_encode_op(enc, want->op_class, want->op_payload);
	want->packets += 2;
	if (test_random_below(r, 2)) {
		want->source_bytes = (uint8_t)(1 + test_random_below(r, 2));
		want->source = (uint16_t)(test_random(r) >>
					  (64 - 8 * want->source_bytes));
		want->valid |= ARMSPE_HAS_SOURCE;
		armspe_encode_source(enc, want->source_bytes, want->source);
		want->packets++;
	}
	for (i = 0; i < 2; i++) {
		if (test_random_below(r, 3))
			continue;
		want->context[i] = (uint32_t)test_random(r);
		want->context_valid |= (uint8_t)(1 << i);
		armspe_encode_context(enc, i, want->context[i]);
		want->packets++;
	}
}

void test_random_record(struct test_random *r, struct armspe_encoder *enc,
			struct armspe_record *want)
{
	size_t start = enc->len, pad;

	memset(want, 0, sizeof(*want));
	random_addresses(r, enc, want);
	random_counters(r, enc, want);
	random_singles(r, enc, want);
	pad = test_random_below(r, 3) ? 0 : test_random_below(r, 40);
	armspe_encode_padding(enc, pad);
	want->padding = (uint16_t)pad;
	if (test_random_below(r, 2)) {
		want->timestamp = test_random(r);
		want->valid |= ARMSPE_HAS_TIMESTAMP;
		armspe_encode_timestamp(enc, want->timestamp);
	} else {
		armspe_encode_end(enc);
	}
	want->packets++;
	want->bytes = (uint32_t)(enc->len - start);
}

void test_same_record(const struct armspe_record *got,
		      const struct armspe_record *want)
{
	unsigned int i;

	CHECK_EQ(got->bytes, want->bytes);
	CHECK_EQ(got->valid, want->valid);
	CHECK_EQ(got->addr_valid, want->addr_valid);
	CHECK_EQ(got->counter_valid, want->counter_valid);
	CHECK_EQ(got->context_valid, want->context_valid);
	CHECK_EQ(got->packets, want->packets);
	CHECK_EQ(got->padding, want->padding);
	CHECK_EQ(got->unknown, want->unknown);
	for (i = 0; i < SPE_INDEX_COUNT; i++) {
		if (want->addr_valid >> i & 1)
			CHECK_EQ(got->addr[i], want->addr[i]);
		if (want->counter_valid >> i & 1)
			CHECK_EQ(got->counter[i], want->counter[i]);
	}
	for (i = 0; i < SPE_CONTEXT_COUNT; i++)
		if (want->context_valid >> i & 1)
			CHECK_EQ(got->context[i], want->context[i]);
	if (want->valid & ARMSPE_HAS_OP) {
		CHECK_EQ(got->op_class, want->op_class);
		CHECK_EQ(got->op_payload, want->op_payload);
	}
	if (want->valid & ARMSPE_HAS_EVENTS)
		CHECK_EQ(got->events, want->events);
	if (want->valid & ARMSPE_HAS_SOURCE) {
		CHECK_EQ(got->source, want->source);
		CHECK_EQ(got->source_bytes, want->source_bytes);
	}
	if (want->valid & ARMSPE_HAS_TIMESTAMP)
		CHECK_EQ(got->timestamp, want->timestamp);
}

static const struct test_case *const lists[] = {
	packet_cases, op_cases, source_cases, text_cases, encode_cases,
	d18_cases,
	record_cases, bounds_cases, layout_cases, fill_cases, scan_cases, columns_cases,
	resync_cases, shape_cases,
	roundtrip_cases, hostile_cases, real_cases,
#ifndef LIBRARY_ONLY
	budget_cases, raw_cases, hist_cases, peak_cases, digest_cases, interval_cases, symtab_cases, session_cases, canvas_cases, live_cases,
	live_stacks_cases, packet_lines_cases, batch_cases, frames_cases,
	kernel_layout_cases, a64_cases, a64_value_cases, register_value_cases, strides_cases,
	heap_cases,
#endif
};

int main(int argc, char **argv)
{
	unsigned int l, failures = 0;
	const struct test_case *c;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
		for (c = lists[l]; c->name; c++) {
			if (argc > 1 && strcmp(argv[1], c->name))
				continue;
			running = c->name;
			failed = skipped = false;
			c->run();
			if (failed || !skipped)
				printf("%s %s\n", failed ? "FAIL" : "ok",
				       running);
			failures += failed;
			if (failures && getenv("TEST_STOP"))
				return 1;
		}
	}
	return failures ? 1 : 0;
}
