// SPDX-License-Identifier: GPL-2.0-only
/*
 * Archives of regular files in the format of POSIX.1 (ustar headers; pax headers for long names and
 * large files), which tar(1) of every system reads and writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/util.h"

#define BLOCK		512u
#define LARGEST		((uint64_t)8 << 30)	/* from here on 11 octal digits do not suffice */
#define PAX_MOST	((uint64_t)1 << 16)	/* bytes of a pax header: two long values and more */

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type;
	char link[100], magic[8], user[32], group[32], major[8], minor[8], prefix[155], rest[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is a block");

static const struct header zero;

/* The sum of all bytes, with the sum's own ones as blanks */
static unsigned int sum_of(const struct header *h)
{
	const uint8_t *byte = (const uint8_t *)h;
	unsigned int sum = 0, i;

	for (i = 0; i < BLOCK; i++)
		sum += i - offsetof(struct header, sum) < sizeof(h->sum) ? ' ' : byte[i];
	return sum;
}

static void put_header(FILE *to, struct header *h, char type, uint64_t size, int64_t mtime)
{
	h->type = type;
	snprintf(h->mode, sizeof(h->mode), "%07o", 0644);
	snprintf(h->uid, sizeof(h->uid), "%07o", 0);
	snprintf(h->gid, sizeof(h->gid), "%07o", 0);
	snprintf(h->size, sizeof(h->size), "%011" PRIo64, size < LARGEST ? size : 0);
	snprintf(h->mtime, sizeof(h->mtime), "%011" PRIo64,
		 mtime >= 0 && (uint64_t)mtime < LARGEST ? (uint64_t)mtime : 0);
	memcpy(h->magic, "ustar\00000", 8);
	snprintf(h->sum, sizeof(h->sum), "%06o", sum_of(h));
	fwrite(h, 1, BLOCK, to);
}

static void put_padding(FILE *to, uint64_t size)
{
	fwrite(&zero, 1, (BLOCK - size % BLOCK) % BLOCK, to);
}

/* "LENGTH KEY=VALUE\n", where the length counts its own digits; to be freed */
static char *pax_record(const char *key, const char *value)
{
	size_t rest = strlen(key) + strlen(value) + 3, len = rest + 1, digits;

	do {
		digits = (size_t)snprintf(NULL, 0, "%zu", len);
		len = rest + digits;
	} while ((size_t)snprintf(NULL, 0, "%zu", len) != digits);
	return xformat("%zu %s=%s\n", len, key, value);
}

/* Whether the header can hold the name, whole or in two parts */
static bool set_name(struct header *h, const char *name)
{
	size_t len = strlen(name), at;

	if (len <= sizeof(h->name)) {
		memcpy(h->name, name, len);
		return true;
	}
	for (at = len - 1; at && len - at - 1 <= sizeof(h->name); at--)
		if (name[at] == '/' && at <= sizeof(h->prefix) && at + 1 < len) {
			memcpy(h->prefix, name, at);
			memcpy(h->name, name + at + 1, len - at - 1);
			return true;
		}
	return false;
}

static void put_pax(FILE *to, const char *name, uint64_t size)
{
	char *number = xformat("%" PRIu64, size), *path = pax_record("path", name);
	char *bytes = size < LARGEST ? xformat("%s", "") : pax_record("size", number);
	char *all = xformat("%s%s", path, bytes);
	struct header h = { .name = "pax" };

	put_header(to, &h, 'x', strlen(all), 0);
	fputs(all, to);
	put_padding(to, strlen(all));
	free(all);
	free(bytes);
	free(path);
	free(number);
}

static void put_head(FILE *to, const char *name, uint64_t size, int64_t mtime)
{
	struct header h = zero;

	if (!set_name(&h, name) || size >= LARGEST) {
		put_pax(to, name, size);
		h = zero;
		memcpy(h.name, "long", 5);
	}
	put_header(to, &h, '0', size, mtime);
}

bool tar_put(FILE *to, const char *name, int fd, const struct stat *st)
{
	uint64_t size = (uint64_t)st->st_size, left = size;
	char bytes[1 << 14];

	put_head(to, name, size, st->st_mtime);
	while (left) {
		ssize_t got = read(fd, bytes, left < sizeof(bytes) ? (size_t)left : sizeof(bytes));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		fwrite(bytes, 1, (size_t)got, to);
		left -= (uint64_t)got;
	}
	put_padding(to, size);
	return true;
}

void tar_put_bytes(FILE *to, const char *name, const void *bytes, size_t size)
{
	put_head(to, name, size, 0);
	fwrite(bytes, 1, size, to);
	put_padding(to, size);
}

void tar_end(FILE *to)
{
	fwrite(&zero, 1, BLOCK, to);
	fwrite(&zero, 1, BLOCK, to);
}

/* Octal digits with blanks around; false for anything else */
static bool octal(const char *field, size_t len, uint64_t *number)
{
	size_t i = 0;

	for (*number = 0; i < len && field[i] == ' '; i++)
		;
	for (; i < len && field[i] >= '0' && field[i] <= '7'; i++)
		*number = *number << 3 | (uint64_t)(field[i] - '0');
	for (; i < len && (field[i] == ' ' || !field[i]); i++)
		;
	return i == len;
}

static bool is_header(const struct header *h)
{
	uint64_t sum;

	return !memcmp(h->magic, "ustar", 5) && octal(h->sum, sizeof(h->sum), &sum) && sum == sum_of(h);
}

bool tar_is(const char *path)
{
	const char *why;
	struct header h;
	int fd = open_input(path, &why);
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, &h, BLOCK) == (ssize_t)BLOCK && is_header(&h);
	close(fd);
	return is;
}

/* The values of a pax header that count */
struct pax {
	char *path;			/* NULL: none */
	bool sized;
	uint64_t size;
};

static void pax_forget(struct pax *p)
{
	free(p->path);
	*p = (struct pax){ 0 };
}

/* Take "LENGTH KEY=VALUE\n" at @at, of which @left bytes are there; its length, or 0 */
static size_t pax_take(struct pax *p, char *at, size_t left)
{
	char *end, *equals;
	unsigned long long len = strtoull(at, &end, 10);

	if (*end != ' ' || len > left || len < (size_t)(end - at) + 2 || at[len - 1] != '\n')
		return 0;
	at[len - 1] = '\0';
	equals = strchr(end + 1, '=');
	if (!equals)
		return 0;
	if (!strncmp(end + 1, "path=", 5)) {
		free(p->path);
		p->path = xformat("%s", equals + 1);
	} else if (!strncmp(end + 1, "size=", 5)) {
		p->sized = true;
		p->size = strtoull(equals + 1, NULL, 10);
	}
	return (size_t)len;
}

/* Read a pax header's @size bytes; NULL, or why not */
static const char *pax_read(struct pax *p, FILE *from, uint64_t size)
{
	size_t at = 0, len;
	char *bytes;

	if (size > PAX_MOST)
		return "a header is too large";
	bytes = xcalloc((size_t)size + 1, 1);
	len = fread(bytes, 1, (size_t)size, from);
	while (at < len) {
		size_t taken = pax_take(p, bytes + at, len - at);

		if (!taken)
			break;
		at += taken;
	}
	free(bytes);
	return at == size ? NULL : "a header is damaged";
}

/* The name of a header without pax path; to be freed */
static char *name_of(const struct header *h)
{
	return *h->prefix ? xformat("%.155s/%.100s", h->prefix, h->name) : xformat("%.100s", h->name);
}

/* Whether the name stays in the folder that it is unpacked to */
static bool stays_inside(const char *name)
{
	size_t len;

	if (strlen(name) >= PATH_MAX / 2)
		return false;
	for (;; name += len + 1) {
		len = strcspn(name, "/");
		if (!len || (len == 1 && *name == '.') || (len == 2 && !memcmp(name, "..", 2)))
			return false;
		if (!name[len])
			return true;
	}
}

/* Give the file at hand to @fn, and go behind it. */
static const char *take_file(FILE *from, const char *name, uint64_t size, int64_t mtime, tar_fn fn,
			     void *context)
{
	const long long begin = ftello(from);
	const char *why = fn(context, name, from, size, mtime);

	if (!why && fseeko(from, (off_t)begin + (off_t)size, SEEK_SET))
		why = strerror(errno);
	return why;
}

/* Read the member of @h. */
static const char *take_member(FILE *from, const struct header *h, struct pax *pax, uint64_t left,
			       tar_fn fn, void *context)
{
	uint64_t size, mtime = 0;
	const char *why = NULL;
	char *name;

	if (!octal(h->size, sizeof(h->size), &size) && !pax->sized)
		return "a size is no number";
	if (h->type != 'x' && pax->sized)
		size = pax->size;
	if (size > left)
		return "it is truncated";
	if (h->type == 'x' || h->type == 'g') {
		why = h->type == 'x' ? pax_read(pax, from, size) :
		      fseeko(from, (off_t)size, SEEK_CUR) ? strerror(errno) : NULL;
	} else if (h->type == '0' || !h->type) {
		octal(h->mtime, sizeof(h->mtime), &mtime);
		name = pax->path ? xformat("%s", pax->path) : name_of(h);
		why = stays_inside(name) ? take_file(from, name, size, (int64_t)mtime, fn, context) :
					   "a name leads out of the archive";
		free(name);
		pax_forget(pax);
	} else if (h->type == '5') {
		pax_forget(pax);
	} else {
		why = "it has links, devices or other members that perf spe archive does not write";
	}
	if (!why && h->type != '5' && fseeko(from, (off_t)((BLOCK - size % BLOCK) % BLOCK), SEEK_CUR))
		why = strerror(errno);
	return why;
}

const char *tar_read(const char *path, tar_fn fn, void *context)
{
	const char *why;
	int fd = open_input(path, &why);
	FILE *from = fd < 0 ? NULL : fdopen(fd, "r");
	struct pax pax = { 0 };
	struct header h;
	struct stat st;
	long long at;

	if (!from)
		return why ? why : strerror(errno);
	why = fstat(fd, &st) ? strerror(errno) : NULL;
	while (!why) {
		if (fread(&h, 1, BLOCK, from) != BLOCK)
			why = "it is truncated";
		else if (!memcmp(&h, &zero, BLOCK))
			break;
		else if (!is_header(&h))
			why = "a header is damaged";
		at = ftello(from);
		if (!why)
			why = take_member(from, &h, &pax, at > st.st_size ? 0 : (uint64_t)(st.st_size - at),
					  fn, context);
	}
	pax_forget(&pax);
	fclose(from);
	return why;
}
