// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "armspe.h"
#include "export/profiles/profiles.h"

const char *window_loss_name(unsigned int loss)
{
	static const char *const names[NR_LOSSES] = {
		"truncated", "partial", "collision", "events", "damaged_bytes",
	};

	return loss < NR_LOSSES ? names[loss] : NULL;
}

struct window {
	const struct agent_config *config;
	const volatile int *stop;
	struct target_options options;
	struct target target;
	struct rows rows;
	struct live live;
	struct row_sink sink;
	struct reduce reduce;
	struct pollfd *polls;
	struct timespec begin;		/* of the wall clock */
	struct window_result *result;
};

/* The driver's own time, of all PMUs; false if it does not tell */
static bool read_service(const char *root, double *seconds)
{
	size_t nr, i;
	struct pmu *pmus = pmus_find(root, &nr);
	bool told = nr;
	uint64_t ns;

	*seconds = 0;
	for (i = 0; i < nr; i++) {
		told &= pmu_number(&pmus[i], "counters/service_ns", &ns);
		*seconds += told ? (double)ns * 1e-9 : 0;
	}
	pmus_free(pmus, nr);
	return told;
}

/* Resident memory of this process in MiB; 0 if it is not known */
static uint64_t memory_mib(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	uint64_t all = 0, resident = 0;

	if (!f || fscanf(f, "%" SCNu64 " %" SCNu64, &all, &resident) != 2)
		resident = 0;
	if (f)
		fclose(f);
	return resident * (uint64_t)sysconf(_SC_PAGESIZE) >> 20;
}

static void on_change(void *context)
{
	struct window *w = context;

	rows_forget(&w->rows);
}

/* Pages of a CPU's ring: at most @most bytes, and all CPUs together at most an eighth of memory_mib */
static uint64_t ring_pages(const struct agent_config *c, size_t cpus, uint64_t most)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = 1, all = (c->memory_mib << 20) / 8;

	while (2 * pages * page * cpus <= all && 2 * pages * page <= most)
		pages *= 2;
	return pages;
}

static bool begin(struct window *w)
{
	const struct row_taker taker = {
		.take = reduce_add, .in_order = true,
		.columns = w->config->raw_share > 0 ? REDUCE_RAW : REDUCE_COLUMNS,
	};
	uint64_t type = 0;
	size_t i;

	if (target_open(&w->target, "agent", &w->options) < 0)
		return false;
	pmu_number(&w->target.pmus[0], "type", &type);
	live_init(&w->live, &w->rows.src.session, type, target_period(&w->options));
	row_sink_init(&w->sink, &w->rows, &taker, &w->reduce);
	w->live.decoder = row_sink_decoder(&w->sink, &w->live.totals);
	live_cores(&w->live, &w->target.sampler, w->options.root);
	w->live.changed = on_change;
	w->live.context = w;
	w->live.root = w->options.root;
	w->live.rings = w->target.sampler.rings;
	w->live.nr_rings = w->target.sampler.nr_rings;
	w->rows.need = NEED_PLACE;
	if (rows_ready(&w->rows) != EXIT_OK)
		return false;
	w->polls = xcalloc(w->target.sampler.nr_spe, sizeof(*w->polls));
	for (i = 0; i < w->target.sampler.nr_spe; i++)
		w->polls[i] = (struct pollfd){ w->target.sampler.spe[i], POLLIN, 0 };
	return true;
}

static void end(struct window *w)
{
	if (w->rows.ops)
		rows_finish(&w->rows);
	if (w->live.session)
		live_free(&w->live);
	row_sink_free(&w->sink);
	target_close(&w->target);
	reduce_free(&w->reduce);
	free(w->polls);
}

/* A hostile program can make many names and mappings: rather end early than take the memory. */
static bool is_over(struct window *w, double until)
{
	uint64_t mib = memory_mib();

	if (mib > w->config->memory_mib && !w->result->cut) {
		w->result->cut = true;
		say("agent: a window ends early, as it needs %" PRIu64 " MiB: raise memory_mib, or lower rows", mib);
	}
	return w->result->cut || *w->stop || clock_seconds(CLOCK_MONOTONIC) >= until;
}

/* Read all rings ten times a second: a full ring of events does not end poll(), as a full AUX area does. */
static void wait_turn(struct window *w, double until)
{
	size_t nr = w->target.sampler.nr_spe, i;

	while (!is_over(w, until)) {
		double left = until - clock_seconds(CLOCK_MONOTONIC);

		if (poll(w->polls, nr, left > 0.1 ? 100 : left > 0 ? (int)(left * 1000) + 1 : 0) > 0)
			for (i = 0; i < nr; i++)
				if (w->polls[i].revents & ~POLLIN)
					w->polls[i].fd = -1;
		live_drain(&w->live);
		target_resume(&w->target);
	}
}

/* What was needed for the samples of a turn is forgotten after it: who ran, and what has ended. */
#define TURN	1.0

static void sample(struct window *w, double seconds)
{
	double until = clock_seconds(CLOCK_MONOTONIC) + seconds;

	clock_gettime(CLOCK_REALTIME, &w->begin);
	target_start(&w->target);
	for (;;) {
		wait_turn(w, fmin(clock_seconds(CLOCK_MONOTONIC) + TURN, until));
		target_flush(&w->target);
		live_drain(&w->live);
		if (is_over(w, until))
			return;
		live_forget(&w->live);
		target_resume(&w->target);
	}
}

static void count_losses(struct window *w)
{
	const struct session *s = &w->rows.src.session;
	struct window_result *r = w->result;

	r->lost[LOSS_TRUNCATED] = s->aux_truncated;
	r->lost[LOSS_PARTIAL] = s->aux_partial;
	r->lost[LOSS_COLLISION] = s->aux_collision;
	r->lost[LOSS_EVENTS] = s->lost_records;
	r->lost[LOSS_DAMAGED] = w->live.totals.decoded.damaged;
	r->samples = w->reduce.samples;
	r->rows = w->reduce.sums.count;
	r->other = w->reduce.other.samples;
	r->nr_sources = w->reduce.nr_sources;
	memcpy(r->sources, w->reduce.sources, sizeof(r->sources));
}

static int64_t ns_of(const struct timespec *ts)
{
	return (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec;
}

/* The first line: what holds for all sums */
static void print_head(const struct window *w, const char *id, double seconds, FILE *to)
{
	const struct window_result *r = w->result;
	unsigned int i;

	fputs("{\"format\":1,\"id\":", to);
	json_text(id, to);
	fputs(",\"host\":", to);
	json_text(w->config->host, to);
	fprintf(to, ",\"begin_ns\":%" PRId64 ",\"seconds\":%.6f,\"cpus\":%" PRIu64 ",\"period\":%" PRIu64
		",\"samples\":%" PRIu64 ",\"sums\":%" PRIu64 ",\"other\":%" PRIu64
		",\"raw_rows\":%zu,\"cut\":%s,\"kernel\":%s",
		ns_of(&w->begin), seconds, r->cpus, target_period(&w->options), r->samples,
		r->rows, r->other, w->reduce.raw.nr, r->cut ? "true" : "false",
		r->user_only ? "false" : "true");
	for (i = 0; i < NR_LOSSES; i++)
		fprintf(to, "%s\"%s\":%" PRIu64, i ? "," : ",\"lost\":{", window_loss_name(i), r->lost[i]);
	fputs("}}\n", to);
}

#define CHUNK	(64u << 10)

/* A part of the text at a time is in memory. */
static void put_chunk(struct spool_file *f, FILE **to, char **text, size_t *len, size_t least)
{
	fflush(*to);
	if (*len < least)
		return;
	fclose(*to);
	spool_put(f, *text, *len);
	free(*text);
	*to = open_memstream(text, len);
	if (!*to)
		abort();
}

static void count_dropped(struct window_result *r, const struct spool_file *f)
{
	r->dropped += f->dropped[SPOOL_WINDOW];
	r->dropped_unsent += f->dropped[SPOOL_OTLP] + f->dropped[SPOOL_PPROF] + f->dropped[SPOOL_PARQUET];
}

/* Write the sums in a format of profiles, whose state begins with the profile. */
static void write_profile(struct window *w, const char *id, double seconds, const struct format *format,
			  enum spool_kind kind)
{
	struct writer writer = { .format = format, .rows = &w->rows, .host = w->config->host,
				 .compressed = kind == SPOOL_OTLP };
	struct texts texts = { 0 };
	const uint64_t hash = hash_string(id), host = hash_string(w->config->host);
	struct profile *p;
	struct spool_file f;
	char *bytes;
	size_t len, i;

	writer.to = open_memstream(&bytes, &len);
	if (!writer.to)
		abort();
	if (format->begin(&writer) < 0) {
		fclose(writer.to);
		free(bytes);
		return;
	}
	p = writer.state;
	p->period = target_period(&w->options);
	p->begin = (uint64_t)ns_of(&w->begin);
	p->duration = (uint64_t)(seconds * 1e9);
	memcpy(p->id, &hash, sizeof(hash));
	memcpy(p->id + sizeof(hash), &host, sizeof(host));
	reduce_profile(&w->reduce, p, &texts);
	format->end(&writer);
	fclose(writer.to);
	spool_open(&f, w->config->spool, w->config->spool_mib << 20, id, kind);
	spool_put(&f, bytes, len);
	spool_end(&f);
	count_dropped(w->result, &f);
	for (i = 0; i < texts.nr; i++)
		free(texts.text[i]);
	free(texts.text);
	free(bytes);
}

static bool write_window(struct window *w, const char *id, double seconds)
{
	const struct sum **sorted = reduce_sorted(&w->reduce);
	struct spool_file f;
	char *text;
	FILE *to;
	size_t len, i;
	bool good;

	spool_open(&f, w->config->spool, w->config->spool_mib << 20, id, SPOOL_WINDOW);
	f.parquet = *w->config->parquet_to;
	to = open_memstream(&text, &len);
	if (!to)
		abort();
	print_head(w, id, seconds, to);
	reservoir_sort(&w->reduce.raw);
	for (i = 0; sorted[i]; i++) {
		reduce_print(&w->reduce, sorted[i], to);
		put_chunk(&f, &to, &text, &len, CHUNK);
	}
	if (w->reduce.other.samples)
		reduce_print(&w->reduce, &w->reduce.other, to);
	put_chunk(&f, &to, &text, &len, 1);
	fclose(to);
	free(text);
	free(sorted);
	good = spool_end(&f);
	count_dropped(w->result, &f);
	return good;
}

/* A number that no other process has, and this one at no other time */
static uint64_t seed(void)
{
	return hash_add((uint64_t)getpid(), (uint64_t)(clock_seconds(CLOCK_MONOTONIC) * 1e9));
}

static void write_all(struct window *w, double seconds)
{
	char id[64];
	struct tm tm;

	/* Windows in the order of time, by name too; no other has this id, even if the clock is set back. */
	gmtime_r(&w->begin.tv_sec, &tm);
	strftime(id, sizeof(id), "%Y%m%dT%H%M%S", &tm);
	snprintf(id + strlen(id), sizeof(id) - strlen(id), ".%03ldZ-%08" PRIx32, w->begin.tv_nsec / 1000000,
		 (uint32_t)(seed() >> 32));
	w->result->kept = write_window(w, id, seconds);
	if (*w->config->otlp_url)
		write_profile(w, id, seconds, &format_otlp, SPOOL_OTLP);
	if (*w->config->pprof_url)
		write_profile(w, id, seconds, &format_pprof, SPOOL_PPROF);
}

void window_take(const struct agent_config *c, const struct budget *b, const char *root,
		 const volatile int *stop, struct window_result *r)
{
	struct window w = {
		.config = c, .stop = stop, .result = r,
		.options = { .root = root, .req = { .verb = "agent", .period = b->period } },
		/* What has no symbols would be said in each window. */
		.rows = { .verb = "agent", .silent = true },
		.reduce = { .most = c->rows, .symbols = c->symbols,
			    .raw = { .share = c->raw_share / 100, .most = c->raw_rows } },
	};
	double before, after, from;
	size_t count;
	struct pmu *pmus = pmus_find(root, &count);
	struct volume v = volume_read(root, pmus, count, NULL, false);

	pmus_free(pmus, count);
	memset(r, 0, sizeof(*r));
	w.reduce.raw.state = seed();
	r->cpus = v.cpus;
	reduce_begin(&w.reduce, root);
	w.options.pages = ring_pages(c, v.cpus, 1 << 20);
	w.options.event_pages = ring_pages(c, v.cpus, 128 << 10);
	r->has_service = read_service(root, &before);
	r->sampled = begin(&w);
	r->user_only = w.target.sampler.user_only;
	if (r->sampled) {
		from = clock_seconds(CLOCK_MONOTONIC);
		sample(&w, b->window);
		count_losses(&w);
		write_all(&w, clock_seconds(CLOCK_MONOTONIC) - from);
	}
	end(&w);
	r->has_service &= read_service(root, &after);
	if (r->has_service && after > before)
		r->service = after - before;
}
