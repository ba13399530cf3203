// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

#define FEATURES	32
#define FEATURE_BYTES	1024

enum { BUILD_ID = 2, OSRELEASE = 4, NRCPUS = 7, TOTAL_MEM = 10, DESC = 12, NUMA = 14,
       PMUS = 16, MEMORY = 22 };

static struct feature {
	uint8_t bytes[FEATURE_BYTES];
	size_t len;
} features[FEATURES];

static struct feature *feature_get(uint64_t number)
{
	if (number >= FEATURES)
		fail("no such feature", "");
	return &features[number];
}

static void add(struct feature *f, const void *bytes, size_t len)
{
	if (f->len + len > FEATURE_BYTES)
		fail("a feature is too long", "");
	memcpy(f->bytes + f->len, bytes, len);
	f->len += len;
}

static void add32(struct feature *f, uint64_t value)
{
	uint32_t narrow = (uint32_t)value;

	add(f, &narrow, 4);
}

static void add64(struct feature *f, uint64_t value)
{
	add(f, &value, 8);
}

/* Pad to a multiple of 64 bytes, as perf does. */
static void put_string(struct feature *f, const char *text)
{
	uint8_t padded[256] = { 0 };
	size_t len = (strlen(text) / 64 + 1) * 64;

	if (len > sizeof(padded))
		fail("a string is too long", text);
	memcpy(padded, text, strlen(text));
	add32(f, len);
	add(f, padded, len);
}

/* The count comes first in the file but is known only at the end. */
static void count_one_more(struct feature *f)
{
	uint32_t count;

	memcpy(&count, f->bytes, 4);
	count++;
	memcpy(f->bytes, &count, 4);
}

static void list(uint64_t number, void (*one)(struct feature *f, char *w))
{
	struct feature *f = feature_get(number);
	char *w;

	add32(f, 0);
	while ((w = more_words())) {
		one(f, w);
		count_one_more(f);
	}
}

static void one_word(struct feature *f, char *w)
{
	put_string(f, w);
}

static void one_pmu(struct feature *f, char *w)
{
	add32(f, strtoul(w, NULL, 0));
	put_string(f, word());
}

static void one_node(struct feature *f, char *w)
{
	char *cpus;

	add32(f, strtoul(w, NULL, 0));
	add64(f, 1024);
	add64(f, 512);
	cpus = word();
	put_string(f, strcmp(cpus, "-") ? cpus : "");
}

static void do_blocks(void)
{
	struct feature *f = feature_get(MEMORY);
	uint64_t nodes = 0;
	char *w;

	add64(f, 1);		/* version */
	add64(f, number());
	add64(f, 0);
	while ((w = more_words())) {
		add64(f, strtoull(w, NULL, 0));
		add64(f, 64);
		add64(f, 64);
		add64(f, number());
		nodes++;
	}
	memcpy(f->bytes + 16, &nodes, 8);
}

/* EVENT_DESC: repeats the attributes, here as zeros, each with its name */
static void do_names(void)
{
	struct feature *f = feature_get(DESC);
	uint64_t count = number();

	add32(f, count);
	add32(f, 8);
	while (count--) {
		add64(f, 0);
		add32(f, 1);
		put_string(f, word());
		add64(f, 100);
	}
}

static void do_buildid(void)
{
	struct feature *f = feature_get(BUILD_ID);
	uint8_t entry[64] = { [6] = sizeof(entry) };
	const char *id = word();
	unsigned int i;

	for (i = 0; id[2 * i] && i < 20; i++)
		sscanf(id + 2 * i, "%2hhx", &entry[12 + i]);
	entry[32] = (uint8_t)i;
	snprintf((char *)entry + 36, sizeof(entry) - 36, "%s", word());
	f->len = 0;
	add(f, entry, sizeof(entry));
}

static void do_bytes(void)
{
	struct feature *f = feature_get(number());
	char *w;

	while ((w = more_words())) {
		uint8_t byte = (uint8_t)strtoul(w, NULL, 16);

		add(f, &byte, 1);
	}
}

bool feature_line(const char *verb)
{
	struct feature *f;

	if (!strcmp(verb, "osrelease")) {
		put_string(feature_get(OSRELEASE), word());
	} else if (!strcmp(verb, "text")) {
		f = feature_get(number());
		put_string(f, word());
	} else if (!strcmp(verb, "words")) {
		list(number(), one_word);
	} else if (!strcmp(verb, "cpus")) {
		f = feature_get(NRCPUS);
		add32(f, 8);
		add32(f, number());
	} else if (!strcmp(verb, "memtotal")) {
		add64(feature_get(TOTAL_MEM), number());
	} else if (!strcmp(verb, "pmus")) {
		list(PMUS, one_pmu);
	} else if (!strcmp(verb, "numa")) {
		list(NUMA, one_node);
	} else if (!strcmp(verb, "names")) {
		do_names();
	} else if (!strcmp(verb, "blocks")) {
		do_blocks();
	} else if (!strcmp(verb, "buildid")) {
		do_buildid();
	} else if (!strcmp(verb, "feature")) {
		do_bytes();
	} else {
		return false;
	}
	return true;
}

uint64_t feature_bits(void)
{
	uint64_t bits = 0;
	unsigned int i;

	for (i = 0; i < FEATURES; i++)
		if (features[i].len)
			bits |= UINT64_C(1) << i;
	return bits;
}

void feature_write(FILE *f, uint64_t at)
{
	unsigned int i;

	at += 16u * (unsigned int)__builtin_popcountll(feature_bits());
	for (i = 0; i < FEATURES; i++) {
		uint64_t section[2] = { at, features[i].len };

		if (!features[i].len)
			continue;
		fwrite(section, sizeof(section), 1, f);
		at += features[i].len;
	}
	for (i = 0; i < FEATURES; i++)
		fwrite(features[i].bytes, features[i].len, 1, f);
}

const uint8_t *feature_bytes(unsigned int feature, size_t *len)
{
	*len = features[feature].len;
	return features[feature].bytes;
}
