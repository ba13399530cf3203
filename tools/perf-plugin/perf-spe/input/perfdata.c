// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "input/input.h"
#include "util/util.h"

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
	FEATURE_CPUID = 9,
	FEATURE_BITS = 256,
};

#define MAGIC		0x32454c4946524550ULL	/* "PERFILE2" */
#define MAGIC_SWAPPED	0x50455246494c4532ULL
#define MAGIC_V1	0x454c494646524550ULL	/* "PERFFILE" */

static int fail(const struct perfdata *pd, const char *why)
{
	say("cannot read %s: %s", pd->in.path, why);
	return -1;
}

/* "lost the last 20 of 700 bytes of events; copy the file again, or record again" */
static char *consequence(const struct perfdata *pd, uint64_t offset, uint64_t lost)
{
	static const char advice[] = "; copy the file again, or record again";

	/* Without a file, the events are those of the running kernel. */
	if (!pd->in.bytes)
		return xformat("%s", "");
	/* Features and build ids of the header are behind the events, which are all there. */
	if (!pd->opened || (!lost && offset - pd->data > pd->data_end - pd->data))
		return xformat("%s", advice);
	if (lost)
		return xformat(": lost %" PRIu64 " byte%s%s", lost, plural(lost),
			       advice);
	return xformat(": lost the last %" PRIu64 " of %" PRIu64 " bytes of events%s",
		       pd->data_end - offset, pd->data_end - pd->data, advice);
}

int perfdata_lost(struct perfdata *pd, uint64_t offset, uint64_t lost,
		  const char *format, ...)
{
	char *what = NULL, *then = consequence(pd, offset, lost);
	va_list args;

	va_start(args, format);
	if (vasprintf(&what, format, args) < 0)
		what = NULL;
	va_end(args);
	say(pd->opened ? "%s: damaged at offset 0x%" PRIx64 ": %s%s" :
			 "cannot read %s at offset 0x%" PRIx64 ": %s%s",
	    pd->in.path, offset, what ? what : "damaged", then);
	pd->damaged = true;
	free(what);
	free(then);
	return -1;
}

/* Read the perf_file_section at @at, and check that it lies inside the file. */
static int section(struct perfdata *pd, uint64_t at, uint64_t *start,
		   uint64_t *end)
{
	uint64_t offset, size;

	if (at + 16 > pd->in.size)
		return perfdata_damaged(pd, at, "a section header is missing");
	offset = pd_load64(pd->in.bytes + at);
	size = pd_load64(pd->in.bytes + at + 8);
	if (offset > pd->in.size || size > pd->in.size - offset)
		return perfdata_damaged(pd, at, "a section of %" PRIu64
			" bytes at 0x%" PRIx64 " ends behind the file's %zu bytes",
			size, offset, pd->in.size);
	*start = offset;
	*end = offset + size;
	return 0;
}

static int refuse_packed(const struct perfdata *pd, const char *unpack)
{
	char *name = shell_word(pd->in.path);

	say("cannot read %s: it is compressed; run, with the verb that you want: %s %s | perf spe report -",
	    pd->in.path, unpack, name);
	free(name);
	return -1;
}

static int check_magic(struct perfdata *pd)
{
	const uint8_t *b = pd->in.bytes;
	uint64_t magic = pd->in.size >= 8 ? pd_load64(b) : 0;

	if (magic == MAGIC_SWAPPED)
		return fail(pd, "a machine of the other byte order wrote it; use perf report");
	if (magic == MAGIC_V1)
		return fail(pd, "perf.data version 1 is not supported; record with a newer perf");
	if (unpacker(b, pd->in.size))
		return refuse_packed(pd, unpacker(b, pd->in.size));
	if (magic != MAGIC)
		return fail(pd, "it is not a perf.data file; for SPE bytes alone use --raw FILE");
	if (pd->in.size < PIPE_HEADER_BYTES)
		return perfdata_damaged(pd, 8, "the header is incomplete");
	pd->pipe = pd_load64(b + HEADER_SIZE) == PIPE_HEADER_BYTES;
	if (pd->pipe)
		return 0;
	if (pd->in.size < HEADER_BYTES ||
	    pd_load64(b + HEADER_SIZE) < HEADER_BYTES)
		return perfdata_damaged(pd, 8, "the header is incomplete");
	return 0;
}

static const struct hash_kind id_kind = {
	HASH_SLOTS(struct pd_id, attr), .key = { HASH_NUMBER(struct pd_id, id) },
};

size_t perfdata_attr_of(const struct perfdata *pd, uint64_t id)
{
	/* Events that perf synthesizes have id 0. */
	const struct pd_id *known = id ? hash_table_find(&pd->ids, &id_kind, &id) : NULL;

	return known ? known->attr - 1 : PD_NO_ATTR;
}

static int read_ids(struct perfdata *pd, uint64_t start, uint64_t end,
		    size_t attr)
{
	uint64_t at;

	/* More ids than fit into the file: sections must overlap. */
	if (pd->nr_ids + (end - start) / 8 > pd->in.size / 8)
		return perfdata_damaged(pd, start, "the sections of event ids overlap");
	for (at = start; end - at >= 8; at += 8) {
		uint64_t id = pd_load64(pd->in.bytes + at);
		struct pd_id *slot = hash_table_add(&pd->ids, &id_kind, &id);

		if (!slot->attr)
			*slot = (struct pd_id){ id, attr + 1 };
		pd->nr_ids++;
	}
	return 0;
}

static void add_attr(struct perfdata *pd, const uint8_t *bytes, uint64_t len)
{
	/* Offsets, because the build machine's header may lack the last fields. */
	static const uint8_t config_at[PD_CONFIGS] = { 8, 56, 64, 128, 136 };
	struct perf_event_attr raw;
	struct pd_attr *attr;
	unsigned int i;

	pd->attrs = array_grow(pd->attrs, pd->nr_attrs, &pd->room_attrs,
			       sizeof(*pd->attrs));
	attr = &pd->attrs[pd->nr_attrs++];
	memset(attr, 0, sizeof(*attr));
	memset(&raw, 0, sizeof(raw));
	memcpy(&raw, bytes, len < sizeof(raw) ? len : sizeof(raw));
	attr->type = raw.type;
	for (i = 0; i < PD_CONFIGS; i++)
		if (config_at[i] + UINT64_C(8) <= len)
			attr->config[i] = pd_load64(bytes + config_at[i]);
	attr->sample_period = raw.sample_period;
	attr->freq = raw.freq;
	attr->exclude_user = raw.exclude_user;
	attr->exclude_kernel = raw.exclude_kernel;
	attr->exclude_host = raw.exclude_host;
	attr->enable_on_exec = raw.enable_on_exec;
	attr->context_switch = raw.context_switch;
	attr->inherit = raw.inherit;
	attr->use_clockid = raw.use_clockid;
	attr->clockid = raw.clockid;
	attr->sample_type = raw.sample_type;
	attr->sample_id_all = raw.sample_id_all;
	attr->read_format = raw.read_format;
	attr->branch_sample_type = raw.branch_sample_type;
	attr->sample_regs_user = raw.sample_regs_user;
	attr->sample_regs_intr = raw.sample_regs_intr;
}

static int read_attr(struct perfdata *pd, uint64_t at, uint64_t attr_size)
{
	uint64_t start, end;

	if (section(pd, at + attr_size, &start, &end) < 0)
		return -1;
	add_attr(pd, pd->in.bytes + at, attr_size);
	return read_ids(pd, start, end, pd->nr_attrs - 1);
}

/* A perf_event_attr, as long as its size says, and the event's ids */
int perfdata_add_attr(struct perfdata *pd, const struct pd_event *ev)
{
	uint64_t body = (uint64_t)(ev->body - pd->in.bytes);
	uint32_t size = ev->len >= 8 ? pd_load32(ev->body + 4) : 0;

	if (size < PERF_ATTR_SIZE_VER0 || size > ev->len)
		return perfdata_damaged(pd, ev->offset, "an event attribute has a bad size");
	add_attr(pd, ev->body, size);
	return read_ids(pd, body + size, body + ev->len, pd->nr_attrs - 1);
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
		return perfdata_damaged(pd, HEADER_ATTR_SIZE,
					"there are no event attributes, or their size is wrong");
	for (; start < end; start += entry)
		if (read_attr(pd, start, entry - 16) < 0)
			return -1;
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

static void read_feature(struct perfdata *pd, uint64_t bit, uint64_t start,
			 uint64_t end)
{
	char **text = bit == FEATURE_ARCH ? &pd->arch :
		      bit == FEATURE_OSRELEASE ? &pd->osrelease : NULL;
	char *midr;

	if (text && !*text)
		*text = read_string(pd, start, end);
	if (bit == FEATURE_CPUID && !pd->midr) {
		midr = read_string(pd, start, end);
		/* perf inject on another machine writes that one's, such as AuthenticAMD,26,2,1. */
		pd->midr = midr && !midr[strspn(midr, "0x123456789abcdefABCDEF\n")] ?
			strtoull(midr, NULL, 16) : 0;
		free(midr);
	}
	if (bit < PD_FEATURES && !pd->features[bit].bytes) {
		pd->features[bit] = (struct pd_feature){
			pd->in.bytes + start, (size_t)(end - start) };
		feature_index(pd, (unsigned int)bit);
	}
}

void perfdata_add_feature(struct perfdata *pd, const struct pd_event *ev)
{
	uint64_t body = (uint64_t)(ev->body - pd->in.bytes);

	if (ev->len >= 8)
		read_feature(pd, pd_load64(ev->body), body + 8, body + ev->len);
}

void perfdata_add_build_id(struct perfdata *pd, const struct pd_event *ev)
{
	pd->build_id_at = array_grow(pd->build_id_at, pd->nr_build_ids,
				     &pd->room_build_ids, sizeof(uint64_t));
	pd->build_id_at[pd->nr_build_ids++] = ev->offset;
}

/* Find the events.  They may be cut, or without end if perf record was killed. */
static int read_data(struct perfdata *pd)
{
	uint64_t size = pd_load64(pd->in.bytes + HEADER_DATA + 8);

	pd->data = pd_load64(pd->in.bytes + HEADER_DATA);
	if (pd->data < HEADER_BYTES || pd->data > pd->in.size)
		return perfdata_damaged(pd, HEADER_DATA,
			"the events begin at 0x%" PRIx64 ", outside of the file's %zu bytes",
			pd->data, pd->in.size);
	pd->data_end = pd->in.size;
	if (!size) {
		say("%s: perf record did not finish: the header has neither the size of the events nor features such as host, kernel and build ids; end perf record with SIGINT",
		    pd->in.path);
		pd->damaged = true;
	} else if (size > pd->in.size - pd->data) {
		say("%s: truncated: its events should end at 0x%" PRIx64
		    ", but the file ends at 0x%zx; the features behind them, such as host, kernel and build ids, are lost too; copy the file again, or record again",
		    pd->in.path, pd->data + size, pd->in.size);
		pd->damaged = true;
	} else {
		pd->data_end = pd->data + size;
	}
	return 0;
}

static bool has_feature(const struct perfdata *pd, unsigned int bit)
{
	return pd->in.bytes[HEADER_FEATURES + bit / 8] >> bit % 8 & 1;
}

/* The section of the feature at @at of the table; false if the file lacks a part. */
static bool feature_section(const struct perfdata *pd, uint64_t at,
			    uint64_t *start, uint64_t *end)
{
	uint64_t size;

	*start = at;
	if (pd->in.size - at < 16)
		return false;
	*start = pd_load64(pd->in.bytes + at);
	size = pd_load64(pd->in.bytes + at + 8);
	*end = *start + size;
	return *start <= pd->in.size && size <= pd->in.size - *start;
}

/* A table behind the events has the places of the features. */
static void read_features(struct perfdata *pd)
{
	uint64_t at = pd->data_end, start, end, first = 0;
	unsigned int bit, lost = 0, all = 0;

	for (bit = 0; bit < FEATURE_BITS; bit++) {
		if (!has_feature(pd, bit))
			continue;
		all++;
		if (!feature_section(pd, at, &start, &end)) {
			first = lost++ ? first : start;
		} else {
			read_feature(pd, bit, start, end);
			if (bit == FEATURE_BUILD_ID) {
				pd->build_ids = start;
				pd->build_ids_end = end;
			}
		}
		if (pd->in.size - at >= 16)
			at += 16;
	}
	if (!lost)
		return;
	say("%s: lost %u of %u features of the header, such as host, kernel and build ids, from offset 0x%" PRIx64
	    " on: the file ends at 0x%zx; copy the file again, or record again",
	    pd->in.path, lost, all, first, pd->in.size);
	pd->damaged = true;
}

/* Map the file with the header: of perf's folder form the one named "data" */
static int open_data(struct perfdata *pd, const char *path, const char *shown)
{
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode)) {
		if (mapped_file_open(&pd->in, path) < 0)
			return -1;
		pd->in.path = shown;
		return 0;
	}
	pd->folder = xformat("%s", path);
	pd->data_path = xformat("%s/data", path);
	if (!access(pd->data_path, F_OK) || errno != ENOENT)
		return mapped_file_open(&pd->in, pd->data_path);
	say("cannot read %s: it is a directory without the file data, which perf record --kcore writes; name another recording",
	    path);
	return -1;
}

int perfdata_open(struct perfdata *pd, const char *path, const char *shown)
{
	memset(pd, 0, sizeof(*pd));
	if (open_data(pd, path, shown) < 0 || check_magic(pd) < 0)
		goto fail;
	if (pd->pipe) {
		pd->data = PIPE_HEADER_BYTES;
		pd->data_end = pd->in.size;
	} else {
		if (read_attrs(pd) < 0 || read_data(pd) < 0)
			goto fail;
		if (!pd->damaged)
			read_features(pd);
	}
	pd->opened = true;
	return 0;
fail:
	perfdata_close(pd);
	return -1;
}

const char *perfdata_name(const struct perfdata *pd)
{
	return pd->folder ? pd->folder : pd->in.path;
}

void perfdata_swap(struct perfdata *pd, size_t i)
{
	struct pd_part *p = &pd->parts[i], old = *p;
	uint64_t total = pd->unpacked.total;

	p->in = pd->in;
	p->unpacked = pd->unpacked;
	p->data = pd->data;
	p->data_end = pd->data_end;
	pd->in = old.in;
	pd->unpacked = old.unpacked;
	pd->data = old.data;
	pd->data_end = old.data_end;
	/* The limit of a recording's unpacked bytes is for all its files. */
	pd->unpacked.total = total;
}

void perfdata_close(struct perfdata *pd)
{
	size_t i;

	for (i = 0; i < pd->nr_parts; i++) {
		unpack_free(&pd->parts[i].unpacked);
		mapped_file_close(&pd->parts[i].in);
		free(pd->parts[i].path);
	}
	free(pd->parts);
	free(pd->attrs);
	hash_table_free(&pd->ids);
	hash_table_free(&pd->pmus);
	free(pd->event_names);
	free(pd->arch);
	free(pd->osrelease);
	free(pd->build_id_at);
	unpack_free(&pd->unpacked);
	mapped_file_close(&pd->in);
	free(pd->folder);
	free(pd->data_path);
	memset(pd, 0, sizeof(*pd));
}

int perfdata_next_build_id(struct perfdata *pd, uint64_t *pos,
			   const uint8_t **id, size_t *id_len,
			   const char **name)
{
	/* header 8, pid 4, build_id 20, its size 1, reserved 3, filename */
	const uint64_t fixed = 36;
	uint64_t from = *pos, end = pd->build_ids_end;
	const uint8_t *at;
	uint16_t size;

	/* In the pipe form *pos counts the entries. */
	if (pd->pipe) {
		if (*pos == pd->nr_build_ids)
			return 0;
		from = pd->build_id_at[*pos];
		end = pd->data_end;
	}
	if (from == end)
		return 0;
	if (end - from < fixed + 1)
		return perfdata_damaged(pd, from, "a build id is incomplete");
	at = pd->in.bytes + from;
	memcpy(&size, at + 6, sizeof(size));
	if (size < fixed + 1 || size > end - from ||
	    !memchr(at + fixed, 0, size - fixed))
		return perfdata_damaged(pd, from, "a build id entry has a bad size");
	*id = at + 12;
	*id_len = at[32] && at[32] <= 20 ? at[32] : 20;
	*name = (const char *)at + fixed;
	*pos += pd->pipe ? 1 : size;
	return 1;
}

/* perf writes the two features only for recordings with -k. */
int32_t perfdata_clock(const struct perfdata *pd)
{
	const struct pd_feature *data = &pd->features[PD_CLOCK_DATA];
	size_t i;

	for (i = 0; i < pd->nr_attrs; i++)
		if (pd->attrs[i].use_clockid)
			return pd->attrs[i].clockid;
	if (data->len >= 8)
		return (int32_t)pd_load32(data->bytes + 4);
	return pd->features[PD_CLOCKID].len >= 8 ? INT32_MAX : -1;
}

const char *perfdata_clock_name(const struct perfdata *pd)
{
	switch (perfdata_clock(pd)) {
	case -1:
		return "perf's clock";
	case CLOCK_REALTIME:
		return "CLOCK_REALTIME";
	case CLOCK_MONOTONIC:
		return "CLOCK_MONOTONIC";
	case CLOCK_MONOTONIC_RAW:
		return "CLOCK_MONOTONIC_RAW";
	default:
		return "another clock than perf's";
	}
}
