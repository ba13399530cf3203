// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/input.h"
#include "util/util.h"

/* The feature DIR_FORMAT: what a folder holds */
enum { FORMAT_DATA_ONLY, FORMAT_PARTS, FORMAT_UNKNOWN = -1 };

/* A header that is cut, or one of a pipe, has no features: any part may belong to it. */
static int64_t format_of(const struct perfdata *pd)
{
	const struct pd_feature *f = &pd->features[PD_DIR_FORMAT];

	if (f->len >= 8)
		return (int64_t)(pd_load64(f->bytes) & INT64_MAX);
	return pd->damaged || pd->pipe ? FORMAT_UNKNOWN : FORMAT_DATA_ONLY;
}

/* The number of "data.N", or -1 for another name */
static int64_t number_of(const char *name)
{
	const char *digits = name + strlen("data.");
	char *end;
	long number;

	if (!isdigit((unsigned char)*digits) || (*digits == '0' && digits[1]))
		return -1;
	errno = 0;
	number = strtol(digits, &end, 10);
	return *end || errno ? -1 : number;
}

static void not_read(struct perfdata *pd, const char *name, const char *why)
{
	say("%s/%s: not read: %s; remove it if it is not of this recording", pd->folder, name, why);
	pd->damaged = true;
}

/* One file "data.*", which perf leaves empty if its buffer had no events */
static void add_part(struct perfdata *pd, const char *name, int64_t format)
{
	struct pd_part part = { .number = number_of(name) };
	struct stat st;

	part.path = xformat("%s/%s", pd->folder, name);
	if (!stat(part.path, &st) && S_ISDIR(st.st_mode)) {
		free(part.path);
		return;
	}
	if (part.number < 0 || format == FORMAT_DATA_ONLY) {
		not_read(pd, name, part.number < 0 ?
			 "perf numbers the files of its buffers: data.0, data.1 and so on" :
			 "the header says that perf wrote one file");
		free(part.path);
		return;
	}
	part.empty = !stat(part.path, &st) && S_ISREG(st.st_mode) && !st.st_size;
	if (!part.empty && mapped_file_open(&part.in, part.path) < 0) {
		part.empty = true;
		pd->damaged = true;
	}
	part.data_end = part.in.size;
	pd->parts = array_grow(pd->parts, pd->nr_parts, &pd->room_parts, sizeof(*pd->parts));
	pd->parts[pd->nr_parts++] = part;
}

static int part_order(const void *a, const void *b)
{
	const struct pd_part *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* perf numbers its files from 0 on, so a gap is a file that was not copied. */
static void check_numbers(struct perfdata *pd, int64_t format)
{
	int64_t wanted = 0;
	size_t i;

	if (pd->nr_parts)
		qsort(pd->parts, pd->nr_parts, sizeof(*pd->parts), part_order);
	for (i = 0; i < pd->nr_parts && pd->parts[i].number == wanted; i++)
		wanted++;
	if (i == pd->nr_parts && (i || format != FORMAT_PARTS))
		return;
	say("%s: data.%" PRId64 " is missing, and what perf wrote to it is lost; copy the whole folder again",
	    pd->folder, wanted);
	pd->damaged = true;
}

int folder_open(struct perfdata *pd)
{
	int64_t format = format_of(pd);
	const struct dirent *entry;
	DIR *d;

	if (!pd->folder && format >= FORMAT_PARTS) {
		say("%s: it is one file of a folder, and the others are not read; name the folder instead",
		    pd->in.path);
		pd->damaged = true;
	}
	if (!pd->folder)
		return 0;
	if (format > FORMAT_PARTS) {
		say("cannot read %s: it is a folder of version %" PRId64 ", and this perf-spe knows 0 and 1; use a newer perf-spe",
		    pd->folder, format);
		return -1;
	}
	d = opendir(pd->folder);
	if (!d) {
		say("%s: cannot list its files: %s; data.0, data.1 ... are not read, if there are any",
		    pd->folder, strerror(errno));
		pd->damaged = true;
		return 0;
	}
	output_protect(dirfd(d));
	while ((entry = readdir(d)))
		if (!strncmp(entry->d_name, "data.", 5))
			add_part(pd, entry->d_name, format);
	closedir(d);
	check_numbers(pd, format);
	return 0;
}
