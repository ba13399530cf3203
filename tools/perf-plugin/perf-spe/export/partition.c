// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "export/export.h"
#include "input/input.h"
#include "util/util.h"

#define NS		1000000000LL
#define HOUR		3600

/* So many bytes at each end of a recording make its id. */
#define TELLTALE	((size_t)1 << 16)

/*
 * The id of a recording: a hash of its size and of its bytes at both ends.  It is
 * the same in each export, so that a second export to the folder is refused.
 */
static uint64_t recording_id(const struct mapped_file *in)
{
	size_t some = in->size < TELLTALE ? in->size : TELLTALE;
	uint64_t part[] = {
		in->size, hash_bytes(in->bytes, some),
		hash_bytes(in->bytes + in->size - some, some),
	};

	return hash_bytes(part, sizeof(part));
}

bool partition_recorded(struct partition *p, const char *text)
{
	struct tm tm = { 0 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);

	if (!end || *end) {
		say("export: --recorded needs a UTC time such as 2026-01-31T23:59:58Z, not '%s'",
		    text);
		return false;
	}
	p->end = timegm(&tm);
	p->recorded = true;
	return true;
}

bool partition_dated(struct partition *p, const struct source *src)
{
	struct stat st;

	if (p->recorded)
		return true;
	if (!strcmp(src->path, "-") || stat(source_input(src)->path, &st))
		return false;
	p->end = st.st_mtime;
	return true;
}

struct latest {
	const struct session *session;
	bool any;
	uint64_t time;
};

static void see_time(void *context, const struct sample_span *span)
{
	struct latest *l = context;
	uint64_t time;

	if (span->status != ARMSPE_OK ||
	    !(span->rec->valid & ARMSPE_HAS_TIMESTAMP) ||
	    !session_time(l->session, span->rec->timestamp, &time))
		return;
	if (!l->any || time > l->time)
		l->time = time;
	l->any = true;
}

/*
 * perf's clock starts at boot.  Assume that the last sample was taken when the
 * recording ended; the error is the time that perf took to write the file.
 */
static void find_latest(struct partition *p, struct rows *r)
{
	struct latest latest = { .session = r->resolver.session };
	struct sample_totals totals;

	if (latest.session)
		samples_each(&r->src, see_time, &latest, &totals);
	p->has_clock = latest.any;
	p->latest = latest.time;
}

int partition_begin(struct partition *p, struct rows *r, const char *host)
{
	const struct session *session = r->resolver.session;

	p->times = rows_command_all(r, "export --fields time");
	p->host = host ? xformat("%s", host) :
		  session ? feature_hostname(&session->pd) : NULL;
	if (!p->host || !*p->host) {
		say("export: --partition: the recording does not name its host: add --host NAME");
		p->failed = true;
	} else if (!partition_dated(p, &r->src)) {
		say("export: --partition cannot tell when standard input was recorded: add --recorded TIME");
		p->failed = true;
	} else {
		p->id = recording_id(source_input(&r->src));
		find_latest(p, r);
	}
	return p->failed ? -1 : 0;
}

char *partition_escape(const char *name)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	char *text = xcalloc(strlen(name) + 1, 3), *to = text;

	for (; *name; name++) {
		if (strchr(plain, *name))
			*to++ = *name;
		else
			to += sprintf(to, "%%%02X", (unsigned char)*name);
	}
	return text;
}

char *partition_folder(const char *host, int64_t hour)
{
	time_t seconds = hour * HOUR;
	char *name = partition_escape(host), *folder, date[64];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "date=%Y-%m-%d/hour=%H", &tm);
	folder = xformat("host=%s/%s", name, date);
	free(name);
	return folder;
}

static char *file_path(const struct partition *p, int64_t hour)
{
	char *folder = partition_folder(p->host, hour), *path;

	path = xformat("%s/%s/spe-%016" PRIx64 "-%04zu.%s", p->like->path, folder, p->id,
		       p->nr_paths, p->like->format->suffix);
	free(folder);
	return path;
}

static void close_first(struct partition *p)
{
	struct partition_file *f = &p->files[0];
	struct writer *w = &f->writer;

	w->failed |= p->failed;
	p->failed |= writer_close(w) < 0;
	if (w->out) {
		p->done = array_grow(p->done, p->nr_done, &p->room_done, sizeof(*p->done));
		p->done[p->nr_done++] = w->out;
	}
	free(f->path);
	memmove(p->files, p->files + 1, --p->in_use * sizeof(*f));
}

static bool may_begin(const struct partition *p, const char *path)
{
	if (p->nr_paths == PARTITION_MOST)
		say("export: --partition would write more than %u files: the timestamps span too many days, or are damaged; keep fewer with --filter; to see them, run: %s",
		    PARTITION_MOST, p->times);
	else if (!access(path, F_OK))
		say("export: %s already exists: this recording was exported before; remove its files first",
		    path);
	else
		return output_folders("export", path);
	return false;
}

static struct partition_file *file_begin(struct partition *p, int64_t hour)
{
	char *path = file_path(p, hour);
	struct partition_file *f;

	if (p->in_use == PARTITION_FILES)
		close_first(p);
	f = &p->files[p->in_use];
	*f = (struct partition_file){ .hour = hour, .writer = *p->like, .path = path };
	f->writer.host = p->host;
	f->writer.path = path;
	p->failed |= !may_begin(p, path) || writer_begin(&f->writer) < 0;
	if (p->failed) {
		free(path);
		return NULL;
	}
	p->nr_paths++;
	p->in_use++;
	return f;
}

static int64_t hour_at(const struct partition *p, const struct row_batch *b, size_t k)
{
	size_t i = b->kept[k];
	int64_t seconds;
	uint64_t time, before;

	if (!p->has_clock || !(b->valid[i] & ARMSPE_HAS_TIMESTAMP) ||
	    !session_time(b->rows->resolver.session, b->timestamp[i], &time))
		return p->end / HOUR;
	/* Times may be any numbers; seconds before the end are few enough. */
	before = p->latest - time;
	seconds = p->end - (int64_t)(before / NS + !!(before % NS));
	return seconds > 0 ? seconds / HOUR : 0;
}

/* The file of this hour, moved to the end of the open files */
static struct partition_file *file_of(struct partition *p, int64_t hour)
{
	struct partition_file found;
	unsigned int i;

	for (i = p->in_use; i--;) {
		if (p->files[i].hour != hour)
			continue;
		if (i == p->in_use - 1)
			return &p->files[i];
		found = p->files[i];
		memmove(&p->files[i], &p->files[i + 1],
			(p->in_use - 1 - i) * sizeof(found));
		p->files[p->in_use - 1] = found;
		return &p->files[p->in_use - 1];
	}
	return file_begin(p, hour);
}

static void write_batch(struct partition *p, int64_t hour, const struct row_batch *b)
{
	struct partition_file *f = file_of(p, hour);

	if (!f)
		return;
	writer_batch(&f->writer, b);
	p->failed |= f->writer.failed;
}

/* Write each run of an hour's rows alone. */
static void write_hours(struct partition *p, const struct row_batch *b)
{
	struct row_batch *run = p->run;
	size_t from, to;

	*run = *b;
	for (from = 0; from < b->nr && !p->failed; from = to) {
		int64_t hour = hour_at(p, b, from);

		for (to = from + 1; to < b->nr && hour_at(p, b, to) == hour;)
			to++;
		run->nr = to - from;
		memcpy(run->kept, b->kept + from, run->nr * sizeof(*run->kept));
		write_batch(p, hour, run);
	}
}

void partition_batch(struct partition *p, const struct row_batch *b)
{
	size_t k;

	for (k = 1; k < b->nr && hour_at(p, b, k) == hour_at(p, b, 0);)
		k++;
	if (p->failed || !b->nr)
		return;
	if (k == b->nr) {
		write_batch(p, hour_at(p, b, 0), b);
		return;
	}
	if (!p->run)
		p->run = xcalloc(1, sizeof(*p->run));
	write_hours(p, b);
}

int partition_end(struct partition *p)
{
	size_t i;

	while (p->in_use)
		close_first(p);
	if (!p->failed)
		p->failed = !output_keep(p->done, p->nr_done);
	else
		for (i = 0; i < p->nr_done; i++)
			output_drop(p->done[i]);
	free(p->done);
	free(p->times);
	free(p->host);
	free(p->run);
	return p->failed ? -1 : 0;
}
