// SPDX-License-Identifier: GPL-2.0-only
/* Events as bytes, and the file around them. */
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "fixture.h"

static uint8_t *data;
static size_t data_len, data_room;

void put(const void *bytes, size_t len)
{
	while (data_len + len > data_room) {
		data_room = data_room ? 2 * data_room : 1 << 16;
		data = realloc(data, data_room);
		if (!data)
			fail("no memory", "");
	}
	memcpy(data + data_len, bytes, len);
	data_len += len;
}

void put32(uint32_t value)
{
	put(&value, 4);
}

void put64(uint64_t value)
{
	put(&value, 8);
}

static size_t event_start;

void begin(uint32_t type, uint16_t misc)
{
	uint16_t size = 0;

	event_start = data_len;
	put32(type);
	put(&misc, 2);
	put(&size, 2);
}

void end(void)
{
	uint16_t size = (uint16_t)(data_len - event_start);

	memcpy(data + event_start + 6, &size, 2);
}

void end_with_id(int64_t pid, int64_t tid, int64_t cpu, uint64_t time)
{
	put32((uint32_t)pid);
	put32((uint32_t)tid);
	put64(time);
	put32((uint32_t)cpu);
	put32(0);
	put64(FIXTURE_EVENT_ID + fixture_owner);
	end();
}

void put_name(const char *name)
{
	size_t len = strlen(name) + 1;

	put(name, len);
	while (len++ % 8)
		put("", 1);
}

/* All features but the list of build ids */
static void put_features(void)
{
	unsigned int i;
	size_t len;

	for (i = 0; i < 32; i++) {
		const uint8_t *bytes = feature_bytes(i, &len);

		if (!len || i == 2)
			continue;
		begin(80, 0);
		put64(i);
		put(bytes, len);
		end();
	}
}

/* What was put until now, for free(); what follows is put from the start. */
static uint8_t *take_data(size_t *len)
{
	uint8_t *taken = data;

	*len = data_len;
	data = NULL;
	data_len = data_room = 0;
	return taken;
}

/* The pipe form: after the header everything is an event. */
void write_pipe(FILE *f)
{
	uint64_t header[2] = { 0x32454c4946524550ULL, 16 };
	size_t len, feature_len;
	uint8_t *saved = take_data(&len);
	const uint8_t *bytes;
	unsigned int i;

	if (!fixture_nr_told) {
		begin(64, 0);
		put(&fixture_attr, sizeof(fixture_attr));
		put64(FIXTURE_EVENT_ID);
		end();
	}
	for (i = 0; i < fixture_nr_told; i++) {
		begin(64, 0);
		put(&fixture_told[i], sizeof(fixture_told[i]));
		put64(FIXTURE_EVENT_ID + i);
		end();
	}
	put_features();
	begin(66, 0);		/* tracing data: 5 bytes, padded */
	put32(5);
	put32(0);
	end();
	put64(~0ULL);
	bytes = feature_bytes(2, &feature_len);
	if (feature_len) {
		/* In the pipe form each build id is an event. */
		put32(67);
		put(bytes + 4, feature_len - 4);
	}
	fwrite(header, sizeof(header), 1, f);
	fwrite(data, data_len, 1, f);
	if (len)
		fwrite(saved, len, 1, f);
	free(saved);
}

#ifdef HAVE_ZSTD

/* Cut @len bytes of the zstd stream into events of at most 50 bytes. */
static void put_compressed(ZSTD_CCtx *stream, const uint8_t *bytes, size_t len)
{
	static uint8_t packed[FIXTURE_SIZE];
	ZSTD_inBuffer in = { bytes, len, 0 };
	ZSTD_outBuffer out = { packed, sizeof(packed), 0 };
	size_t from, part, i;

	if (ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush))
		fail("zstd", "");
	for (from = 0; from < out.pos; from += part) {
		bool newer = from / 50 % 2;	/* COMPRESSED2, which is padded */

		part = out.pos - from < 50 ? out.pos - from : 50;
		begin(newer ? 83 : 81, 0);
		if (newer)
			put64(part);
		put(packed + from, part);
		for (i = part; newer && i % 8; i++)
			put("", 1);
		end();
	}
}

void compress(void)
{
	ZSTD_CCtx *stream = ZSTD_createCCtx();
	size_t len, from = 0, pos = 0;
	uint8_t *plain = take_data(&len);

	while (pos < len) {
		uint64_t follows = 0;
		uint32_t type;
		uint16_t size;

		memcpy(&type, plain + pos, 4);
		memcpy(&size, plain + pos + 6, 2);
		if (type == 71)
			memcpy(&follows, plain + pos + 8, 8);
		if (type >= 64) {
			put_compressed(stream, plain + from, pos - from);
			from = pos + size + follows;
			put(plain + pos, size + follows);
		}
		pos += size + follows;
	}
	put_compressed(stream, plain + from, pos - from);
	ZSTD_freeCCtx(stream);
	free(plain);
}

#else

void compress(void)
{
	exit(77);
}

#endif

void write_perf(FILE *f)
{
	/* The file: header, ids, attributes with the place of their ids, events, features */
	uint64_t size = fixture_nr_told ? sizeof(fixture_told[0]) : sizeof(fixture_attr);
	uint64_t count = fixture_nr_told ? fixture_nr_told : fixture_nr_attrs, id, i;
	uint64_t all_ids = fixture_nr_told ? fixture_nr_told : fixture_nr_ids;
	uint64_t attrs = 104 + 8 * all_ids, attrs_len = count * (size + 16);
	uint64_t start = attrs + attrs_len;
	uint64_t header[13] = {
		0x32454c4946524550ULL, 104, size + 16,
		attrs, attrs_len, start, data_len, 0, 0,
		feature_bits(),
	};

	fwrite(header, sizeof(header), 1, f);
	for (id = FIXTURE_EVENT_ID; id < FIXTURE_EVENT_ID + all_ids; id++)
		fwrite(&id, sizeof(id), 1, f);
	for (i = 0; i < count; i++) {
		uint64_t ids[2] = { fixture_nr_told ? 104 + 8 * i : 104,
				    fixture_nr_told ? 8 : 8 * fixture_nr_ids };

		fwrite(fixture_nr_told ? (void *)&fixture_told[i] : &fixture_attr, size, 1, f);
		fwrite(ids, sizeof(ids), 1, f);
	}
	if (data_len)
		fwrite(data, data_len, 1, f);
	feature_write(f, start + data_len);
}
