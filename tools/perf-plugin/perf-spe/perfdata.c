// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata.h"

/* struct perf_header: offsets of its fields */
enum {
	HEADER_SIZE = 8,
	HEADER_ATTR_SIZE = 16,
	HEADER_ATTRS = 24,
	HEADER_DATA = 40,
	HEADER_FEATURES = 72,
	HEADER_BYTES = 104,
	PIPE_HEADER_BYTES = 16,
};

enum {
	FEATURE_BUILD_ID = 2,
	FEATURE_OSRELEASE = 4,
	FEATURE_ARCH = 6,
	FEATURE_BITS = 256,
};

#define MAGIC		0x32454c4946524550ULL	/* "PERFILE2" */
#define MAGIC_SWAPPED	0x50455246494c4532ULL
#define MAGIC_V1	0x454c494646524550ULL	/* "PERFFILE" */

uint32_t pd_load32(const uint8_t *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return value;
}

uint64_t pd_load64(const uint8_t *from)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static int fail(const struct perfdata *pd, uint64_t offset, const char *what)
{
	say("%s: at offset 0x%" PRIx64 ": %s", pd->in.path, offset, what);
	return -1;
}

/* A perf_file_section at @at: where it lies, if inside the file. */
static int section(const struct perfdata *pd, uint64_t at, uint64_t *start,
		   uint64_t *end)
{
	uint64_t offset, size;

	if (at + 16 > pd->in.size)
		return fail(pd, at, "truncated: a section header is missing");
	offset = pd_load64(pd->in.bytes + at);
	size = pd_load64(pd->in.bytes + at + 8);
	if (offset > pd->in.size || size > pd->in.size - offset) {
		say("%s: at offset 0x%" PRIx64 ": truncated: a section of %" PRIu64
		    " bytes at 0x%" PRIx64 " ends behind the file's %zu bytes",
		    pd->in.path, at, size, offset, pd->in.size);
		return -1;
	}
	*start = offset;
	*end = offset + size;
	return 0;
}

static int check_magic(const struct perfdata *pd)
{
	const uint8_t *b = pd->in.bytes;
	uint64_t magic = pd->in.size >= 8 ? pd_load64(b) : 0;

	if (magic == MAGIC_SWAPPED)
		return fail(pd, 0, "written by a machine of the other byte order, "
			    "which is not supported");
	if (magic == MAGIC_V1)
		return fail(pd, 0, "perf.data version 1, which is not supported");
	if (magic != MAGIC)
		return fail(pd, 0, "not a perf.data file (for bare SPE bytes use "
			    "--raw FILE)");
	if (pd->in.size < PIPE_HEADER_BYTES)
		return fail(pd, 8, "truncated: the header is incomplete");
	if (pd_load64(b + HEADER_SIZE) == PIPE_HEADER_BYTES)
		return fail(pd, 8, "pipe form (perf record -o -), which is not "
			    "supported; convert with 'perf inject -i FILE -o NEW'");
	if (pd->in.size < HEADER_BYTES ||
	    pd_load64(b + HEADER_SIZE) < HEADER_BYTES)
		return fail(pd, 8, "truncated: the header is incomplete");
	return 0;
}

static int read_ids(struct perfdata *pd, uint64_t start, uint64_t end,
		    size_t attr)
{
	uint64_t at;

	/* Each id has its place in the file, unless sections overlap. */
	if (pd->nr_ids + (end - start) / 8 > pd->in.size / 8)
		return fail(pd, start, "the sections of event ids overlap");
	for (at = start; end - at >= 8; at += 8) {
		pd->ids = array_grow(pd->ids, pd->nr_ids, &pd->room_ids,
				     sizeof(*pd->ids));
		pd->ids[pd->nr_ids++] =
			(struct pd_id){ pd_load64(pd->in.bytes + at), attr };
	}
	return 0;
}

static int read_attr(struct perfdata *pd, uint64_t at, uint64_t attr_size)
{
	struct pd_attr *attr = &pd->attrs[pd->nr_attrs];
	struct perf_event_attr raw;
	uint64_t start, end;

	memset(&raw, 0, sizeof(raw));
	memcpy(&raw, pd->in.bytes + at,
	       attr_size < sizeof(raw) ? attr_size : sizeof(raw));
	if (section(pd, at + attr_size, &start, &end) < 0)
		return -1;
	attr->type = raw.type;
	attr->config = raw.config;
	attr->sample_type = raw.sample_type;
	attr->sample_id_all = raw.sample_id_all;
	return read_ids(pd, start, end, pd->nr_attrs++);
}

static int id_order(const void *a, const void *b)
{
	const struct pd_id *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->attr < y->attr ? -1 : x->attr > y->attr;
}

static int read_attrs(struct perfdata *pd)
{
	uint64_t entry = pd_load64(pd->in.bytes + HEADER_ATTR_SIZE);
	uint64_t start, end;

	if (section(pd, HEADER_ATTRS, &start, &end) < 0)
		return -1;
	/* attr_size counts the attribute and the section behind it */
	if (entry < PERF_ATTR_SIZE_VER0 + 16 || (end - start) % entry ||
	    start == end)
		return fail(pd, HEADER_ATTR_SIZE, "no event attributes, or of a "
			    "size that does not fit");
	pd->attrs = xcalloc((end - start) / entry, sizeof(*pd->attrs));
	for (; start < end; start += entry)
		if (read_attr(pd, start, entry - 16) < 0)
			return -1;
	if (pd->nr_ids)
		qsort(pd->ids, pd->nr_ids, sizeof(*pd->ids), id_order);
	return 0;
}

/* A perf_header_string */
static char *read_string(const struct perfdata *pd, uint64_t start,
			 uint64_t end)
{
	uint32_t len;

	if (end - start < 4)
		return NULL;
	len = pd_load32(pd->in.bytes + start);
	if (len > end - start - 4)
		return NULL;
	return xstrndup((const char *)pd->in.bytes + start + 4, len);
}

static int read_features(struct perfdata *pd)
{
	uint64_t at = pd->data_end, start, end;
	unsigned int bit;

	for (bit = 0; bit < FEATURE_BITS; bit++) {
		if (!(pd->in.bytes[HEADER_FEATURES + bit / 8] >> bit % 8 & 1))
			continue;
		if (section(pd, at, &start, &end) < 0)
			return -1;
		at += 16;
		if (bit == FEATURE_ARCH && !pd->arch) {
			pd->arch = read_string(pd, start, end);
		} else if (bit == FEATURE_OSRELEASE && !pd->osrelease) {
			pd->osrelease = read_string(pd, start, end);
		} else if (bit == FEATURE_BUILD_ID) {
			pd->build_ids = start;
			pd->build_ids_end = end;
		}
	}
	return 0;
}

int perfdata_open(struct perfdata *pd, const char *path)
{
	memset(pd, 0, sizeof(*pd));
	if (input_open(&pd->in, path) < 0)
		return -1;
	if (check_magic(pd) < 0 || read_attrs(pd) < 0 ||
	    section(pd, HEADER_DATA, &pd->data, &pd->data_end) < 0)
		goto fail;
	if (pd->data == pd->data_end) {
		fail(pd, HEADER_DATA + 8, "no events: perf record did not finish");
		goto fail;
	}
	if (read_features(pd) < 0)
		goto fail;
	return 0;
fail:
	perfdata_close(pd);
	return -1;
}

void perfdata_close(struct perfdata *pd)
{
	free(pd->attrs);
	free(pd->ids);
	free(pd->arch);
	free(pd->osrelease);
	input_close(&pd->in);
	memset(pd, 0, sizeof(*pd));
}

int perfdata_next_build_id(struct perfdata *pd, uint64_t *pos,
			   const uint8_t **id, size_t *id_len,
			   const char **name)
{
	/* header 8, pid 4, build_id 20, its size 1, reserved 3, filename */
	const uint64_t fixed = 36;
	const uint8_t *at = pd->in.bytes + *pos;
	uint16_t size;

	if (*pos == pd->build_ids_end)
		return 0;
	if (pd->build_ids_end - *pos < fixed + 1)
		return fail(pd, *pos, "truncated: a build id is incomplete");
	memcpy(&size, at + 6, sizeof(size));
	if (size < fixed + 1 || size > pd->build_ids_end - *pos ||
	    !memchr(at + fixed, 0, size - fixed))
		return fail(pd, *pos, "a build id entry has a bad size");
	*id = at + 12;
	*id_len = at[32] && at[32] <= 20 ? at[32] : 20;
	*name = (const char *)at + fixed;
	*pos += size;
	return 1;
}
