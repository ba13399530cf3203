// SPDX-License-Identifier: GPL-2.0-only
/*
 * SPE bytes from elsewhere, with the packets that another decoder read in
 * them.  The folder is optional; its cases are skipped by name without it.
 */
#include <stdlib.h>

#include "test.h"

static uint8_t bytes[65536];
static size_t len;

/* False, with the case skipped, where the file is not there. */
static bool read_file(const char *name, const char *suffix, uint8_t *to,
		      size_t size, size_t *got)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s%s", getenv("SPE_REAL_DATA") ?
		 getenv("SPE_REAL_DATA") : "../../../shared/data/real", name,
		 suffix);
	f = fopen(path, "rb");
	if (!f) {
		test_skip("no ../shared/data/real beside this checkout");
		return false;
	}
	*got = fread(to, 1, size, f);
	fclose(f);
	return true;
}

/* ".  0000000c:  98 0d 00      LAT 13 TOT": offset and bytes */
static size_t expected_line(const char *line, uint64_t *offset,
			    uint8_t *packet)
{
	char *end;
	size_t n = 0;

	*offset = strtoull(line + 1, &end, 16);
	if (*end++ != ':')
		return 0;
	end += strspn(end, " ");
	while (n < 16 && strspn(end, "0123456789abcdef") == 2 && end[2] == ' ') {
		packet[n++] = (uint8_t)strtoul(end, &end, 16);
		end++;
	}
	return n;
}

static void same_packets(const char *name)
{
	static char text[65536];
	size_t text_len, pos = 0;
	struct armspe_packet p;
	char *line;

	if (!read_file(name, "", bytes, sizeof(bytes), &len) ||
	    !read_file(name, ".expected-packets.txt", (uint8_t *)text,
		       sizeof(text) - 1, &text_len))
		return;
	text[text_len] = '\0';
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		uint8_t want[16];
		uint64_t offset;
		size_t n = expected_line(line, &offset, want);

		CHECK(n > 0);
		CHECK_EQ(offset, pos);
		CHECK(armspe_packet_decode(bytes + pos, len - pos, &p) ==
		      ARMSPE_OK);
		CHECK_EQ(armspe_packet_bytes(&p), n);
		CHECK(!memcmp(bytes + pos, want, n));
		pos += armspe_packet_bytes(&p);
	}
	CHECK_EQ(pos, len);
}

/* Often enough behind each other that layouts are recognised */
static void real_columns(void)
{
	static const char *const names[] = {
		"spe-b1-ts0.data", "kvm-spe-cover-2019.bin",
		"perf-spe-commit-2018.bin",
	};
	static uint8_t many[65536];
	size_t i, n;

	for (i = 0; i < 3; i++) {
		if (!read_file(names[i], "", bytes, sizeof(bytes), &len))
			return;
		for (n = 0; n + len <= sizeof(many); n += len)
			memcpy(many + n, bytes, len);
		test_columns_agree(many, n, 300);
		test_columns_agree(many + 3, n - 3, 300);
	}
}

static void b1_packets(void)
{
	same_packets("spe-b1-ts0.data");
}

static void kvm_packets(void)
{
	same_packets("kvm-spe-cover-2019.bin");
}

static void commit_packets(void)
{
	same_packets("perf-spe-commit-2018.bin");
}

/* Against the CSV that came with the capture */
static void b1_record(void)
{
	static struct armspe_decoder *dec;
	struct armspe_record rec;
	struct armspe_op op;

	if (!read_file("spe-b1-ts0.data", "", bytes, sizeof(bytes), &len))
		return;
	test_decoder(&dec, bytes, len, 0);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(armspe_addr_virtual(rec.addr[SPE_ADDR_PC]), 0x7ffdbf2143e0);
	CHECK_EQ(armspe_addr_el(rec.addr[SPE_ADDR_PC]), 0);
	CHECK_EQ(armspe_addr_virtual(rec.addr[SPE_ADDR_TARGET]),
		 0x7ffdbf214408);
	CHECK_EQ(rec.counter[SPE_COUNTER_ISSUE], 39);
	CHECK_EQ(rec.counter[SPE_COUNTER_TOTAL], 40);
	CHECK_EQ(rec.events, 1u << SPE_EVENT_RETIRED);
	armspe_op_decode(rec.op_class, rec.op_payload, &op);
	CHECK_EQ(op.flags, ARMSPE_OPF_BRANCH | ARMSPE_OPF_COND);
	CHECK(!(rec.valid & ARMSPE_HAS_TIMESTAMP));
	CHECK(!(rec.counter_valid >> SPE_COUNTER_XLAT & 1));
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_END);
}

static void kvm_records(void)
{
	static struct armspe_decoder *dec;
	struct armspe_record rec;

	if (!read_file("kvm-spe-cover-2019.bin", "", bytes, sizeof(bytes),
		       &len))
		return;
	test_decoder(&dec, bytes, len, 0);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.timestamp, 86447955877);
	CHECK_EQ(rec.counter[SPE_COUNTER_XLAT], 1);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.timestamp, 86447955951);
	/* The post quotes the beginning of a third. */
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_CUT);
	CHECK_EQ(armspe_decoder_left(dec), 18);
}

/* 16 records of 44 bytes, each with padding before its timestamp */
static void kunpeng_records(void)
{
	static struct armspe_decoder *dec;
	struct armspe_record rec;
	uint64_t before = 0;
	size_t n = 0;

	if (!read_file("kunpeng-2021.bin", "", bytes, sizeof(bytes), &len))
		return;
	test_decoder(&dec, bytes, len, 0);
	while (armspe_record_next(dec, &rec) == ARMSPE_OK) {
		CHECK_EQ(rec.offset, 44 * n);
		CHECK_EQ(rec.bytes, 44);
		CHECK(rec.addr_valid >> SPE_ADDR_PC & 1);
		/* A kernel at EL2: the high addresses are its own. */
		CHECK_EQ(armspe_addr_el(rec.addr[SPE_ADDR_PC]),
			 armspe_addr_virtual(rec.addr[SPE_ADDR_PC]) >> 63 ? 2 : 0);
		CHECK_EQ(rec.counter_valid, 1u << SPE_COUNTER_ISSUE | 1u << SPE_COUNTER_TOTAL);
		CHECK(rec.counter[SPE_COUNTER_ISSUE] < rec.counter[SPE_COUNTER_TOTAL]);
		CHECK(rec.timestamp > before);
		before = rec.timestamp;
		n++;
	}
	CHECK_EQ(n, 16);
}

static void kunpeng_counter(void)
{
	static struct armspe_decoder *dec;
	struct armspe_record rec;

	if (!read_file("kunpeng930-llc-miss.bin", "", bytes, sizeof(bytes), &len))
		return;
	test_decoder(&dec, bytes, len, 0);
	CHECK(armspe_record_next(dec, &rec) == ARMSPE_OK);
	CHECK_EQ(rec.counter[SPE_COUNTER_TOTAL], 269);
	CHECK(rec.counter_valid >> 6 & 1);
	CHECK_EQ(rec.counter[6], 257);
	CHECK_EQ(rec.events >> SPE_EVENT_LLC_MISS & 1, 1);
}

/* Packets that were published with what they mean, which @words have in this project's names */
static void published(const char *name, const char *const *words)
{
	char text[ARMSPE_TEXT_MAX];
	struct armspe_packet p;
	size_t pos;

	if (!read_file(name, "", bytes, sizeof(bytes), &len))
		return;
	for (pos = 0; *words; words++) {
		CHECK(armspe_packet_decode(bytes + pos, len - pos, &p) == ARMSPE_OK);
		armspe_text_packet(&p, text, sizeof(text));
		CHECK(!strcmp(text, *words));
		pos += armspe_packet_bytes(&p);
	}
}

static void telemetry_frame(void)
{
	static const char *const words[] = {
		"TIMESTAMP 13196304120239", "PC 0xaaaae4a9b600 EL0 NON-SECURE", "OP LOAD GP-REG",
		"EVENTS retired l1d-access tlb-access", "ISSUE-LATENCY 4", "TOTAL-LATENCY 8",
		"DATA-VA 0xaaaae65dda43 TAG=0x0", "TRANSLATION-LATENCY 1",
		"DATA-PA 0x8032c955a43 NON-SECURE", "DATA-SOURCE 0x0", NULL,
	};

	published("telemetry-solution/frame.bin", words);
}

static void telemetry_packets(void)
{
	static const char *const words[] = {
		"PC 0xffffc0c2868c8b5c EL2 NON-SECURE", "DATA-PA 0x80bd88a09e8 NON-SECURE",
		"DATA-VA 0xfffffc2007c226c0 TAG=0x0", "BRANCH-TARGET 0xffffc0c2868c89e0 EL2 NON-SECURE",
		"ISSUE-LATENCY 7", "TOTAL-LATENCY 11", "TRANSLATION-LATENCY 1",
		"TIMESTAMP 13196348225644", NULL,
	};

	published("telemetry-solution/packets.bin", words);
}

static void quoted_operations(void)
{
	static const char *const ase[] = { "OP OTHER FP ASE", NULL };
	static const char *const gcs[] = { "OP LOAD GCS COMM", NULL };

	published("quotes-2025/other-ase-fp.bin", ase);
	published("quotes-2025/gcs.bin", gcs);
}

const struct test_case real_cases[] = {
	{ "real: kunpeng-2021 records", kunpeng_records },
	{ "real: kunpeng930 counter", kunpeng_counter },
	{ "real: telemetry-solution frame", telemetry_frame },
	{ "real: telemetry-solution packets", telemetry_packets },
	{ "real: quotes of 2025", quoted_operations },
	{ "real: spe-b1-ts0 packets", b1_packets },
	{ "real: spe-b1-ts0 record", b1_record },
	{ "real: kvm-spe-cover-2019 packets", kvm_packets },
	{ "real: kvm-spe-cover-2019 records", kvm_records },
	{ "real: perf-spe-commit-2018 packets", commit_packets },
	{ "real: columns as records", real_columns },
	{ 0 },
};
