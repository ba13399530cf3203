// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "util/util.h"

#define MOST_STREAMS	65536u

/* Names of auxtrace_info.type, for the message */
static const char *const auxtrace_names[] = {
	"unknown", "Intel PT", "Intel BTS", "CoreSight ETM", "Arm SPE",
	"S390 CPUMSF", "HiSilicon PTT",
};

/* The PMU of the first event whose records are samples, or NULL */
static const char *sampling_pmu(const struct session *s)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++)
		if (spe_event_samples(s, i))
			return feature_pmu(&s->pd, s->pd.attrs[i].type);
	return NULL;
}

static bool has_spe_event(const struct session *s)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		const char *pmu = feature_pmu(&s->pd, s->pd.attrs[i].type);

		if (pmu && !strncmp(pmu, "arm_spe", strlen("arm_spe")))
			return true;
	}
	return false;
}

#define NOTHING_RAN "what was sampled executed nothing that its filters keep, or too little: record longer; -p and -t leave out children that already run: name them too, or give -a; if neither is the reason, run 'perf spe doctor' on the machine that recorded"

static int check_spe(const struct session *s)
{
	const char *path = perfdata_name(&s->pd);
	size_t known = sizeof(auxtrace_names) / sizeof(auxtrace_names[0]);

	if (s->is_spe && s->nr_pieces)
		return 0;
	if (s->pd.damaged) {
		say("%s: no %s data is left before the damage; copy the file again, or record again",
		    path, s->is_spe ? "AUX" : "Arm SPE");
		return -1;
	}
	if (s->is_spe) {
		say("%s: no AUX data, though an Arm SPE event was recorded: " NOTHING_RAN,
		    path);
		return -1;
	}
	if (sampling_pmu(s)) {
		say("%s: no samples, though %s was recorded: " NOTHING_RAN,
		    path, sampling_pmu(s));
		return -1;
	}
	if (s->auxtrace_type)
		say("%s: no Arm SPE data, but AUX data of type %" PRIu64 " (%s); record with 'perf record -e arm_spe//'",
		    path, s->auxtrace_type,
		    auxtrace_names[s->auxtrace_type < known ? s->auxtrace_type :
				   0]);
	else if (has_spe_event(s))
		say("%s: no AUX data, as 'perf inject --itrace' leaves none: name the file that it read",
		    path);
	else
		say("%s: no Arm SPE data; record with 'perf record -e arm_spe//'",
		    path);
	return -1;
}

/* A stream as far as the file has been read */
struct stream_end {
	struct piece last;	/* as in the file */
	uint64_t end;		/* behind it, in offsets that count each byte once */
};

/*
 * How many of the first bytes of @p are the last ones of @last.  Their offsets only tell where
 * to look: those of Linux's own driver are places in the buffer, which come again, and do not
 * tell how often it went round.
 */
static uint64_t copied_bytes(const struct piece *last, const struct piece *p)
{
	uint64_t end = last->offset + last->len, len;

	if (end <= p->offset || !p->len)
		return 0;
	len = (end - p->offset - 1) % p->len + 1;
	if (len > last->len || memcmp(last->bytes + last->len - len, p->bytes, (size_t)len))
		return 0;
	return len;
}

/* Returns how many bytes of @p are copies, and puts it behind what the stream has so far. */
static uint64_t stream_add(struct stream_end *st, struct piece *p, bool overwritten)
{
	const struct piece in_file = *p;
	uint64_t copied = copied_bytes(&st->last, p);
	bool goes_on = copied || p->offset == st->last.offset + st->last.len;

	p->inside = overwritten && !goes_on;
	if (goes_on)
		p->offset = st->end;
	else if (p->offset <= st->end && st->last.len)
		p->offset = st->end + 1;
	p->bytes += copied;
	p->len -= copied;
	st->end = p->offset + p->len;
	st->last = in_file;
	return copied;
}

/*
 * A snapshot holds what the buffer holds, so the next one may begin with bytes that the last
 * one had: keep each once.  If it continues none, a record that was overwritten in part may
 * come first.
 */
static void drop_copies(struct session *s)
{
	struct stream_end *stream = NULL;
	size_t nr = 0, room = 0, to = 0, i;

	for (i = 0; i < s->nr_pieces; i++) {
		struct piece *p = &s->pieces[i];

		/* Indexes are small numbers; a damaged file may have others. */
		if (p->idx < MOST_STREAMS) {
			while (nr <= p->idx) {
				stream = array_grow(stream, nr, &room, sizeof(*stream));
				stream[nr++] = (struct stream_end){ 0 };
			}
			s->copied += stream_add(&stream[p->idx], p, s->overwritten);
			if (!p->len)
				continue;
		}
		s->pieces[to++] = *p;
	}
	s->nr_pieces = to;
	free(stream);
}

/* Drop the pages of events after so many bytes: files may exceed memory. */
#define FORGET_BYTES ((uint64_t)4 << 20)

/* Records that are samples.  Those of a file with AUX data too have other clocks and losses. */
static void take_samples(struct session *s)
{
	const struct record_samples *r = &s->record_samples;
	const char *path = perfdata_name(&s->pd);

	if (r->damaged) {
		say("%s: %" PRIu64 " sample%s of spe_sample %s no whole record: left out; copy the file again, or record again",
		    path, r->damaged, plural(r->damaged), r->damaged == 1 ? "has" : "have");
		s->pd.damaged = true;
	}
	if (r->nr && s->nr_pieces) {
		say("%s: it has AUX data of SPE too, so the %" PRIu64 " sample%s of spe_sample %s left out; record each alone",
		    path, r->count, plural(r->count), r->count == 1 ? "is" : "are");
		return;
	}
	if (!r->nr)
		return;
	record_samples_take(s);
	if (s->made)
		say("%s: the samples do not have their records (perf record --raw-samples), so only thread, time, addresses, latencies, and for loads and stores the level of the data are known",
		    path);
}

/* All events of the file that s->pd reads now.  Damage ends them; what is before it is good. */
static void read_events(struct session *s)
{
	uint64_t pos = s->pd.data, forgotten = pos;
	struct pd_event ev;
	int more;

	while ((more = perfdata_next(&s->pd, &pos, &ev)) > 0) {
		if (pos - forgotten > FORGET_BYTES) {
			mapped_file_forget(s->pd.in.bytes + forgotten,
					   (size_t)(ev.offset - forgotten));
			forgotten = ev.offset;
		}
		if (session_event(s, &ev) < 0)
			break;
	}
	if (more < 0)
		s->pd.damaged = true;
}

int session_load(struct session *s, const char *path, const char *shown, bool calls)
{
	size_t i;

	session_init(s);
	s->calls.wanted = calls;
	if (perfdata_open(&s->pd, path, shown) < 0)
		return -1;
	if (folder_open(&s->pd) < 0) {
		session_free(s);
		return -1;
	}
	read_events(s);
	for (i = 0; i < s->pd.nr_parts; i++) {
		perfdata_swap(&s->pd, i);
		if (!s->pd.parts[i].empty)
			read_events(s);
		perfdata_swap(&s->pd, i);
	}
	/* A recording with a whole AUX area has these records twice. */
	if (!s->nr_pieces) {
		s->pieces = aux_samples_take(&s->aux_samples, &s->nr_pieces);
		s->overwritten = s->nr_pieces;
	} else {
		drop_copies(s);
	}
	take_samples(s);
	if (check_spe(s) < 0) {
		session_free(s);
		return -1;
	}
	for (i = 0; i < s->pd.nr_attrs; i++) {
		s->processes.on_exec |= s->pd.attrs[i].enable_on_exec;
		s->switches += s->pd.attrs[i].context_switch;
	}
	session_sort(s);
	/* Times of events and samples cannot be compared. */
	s->foreign_times = s->tc.valid && session_foreign_times(s);
	if ((perfdata_clock(&s->pd) >= 0 && !s->sample_times) || s->foreign_times)
		s->tc.valid = false;
	return 0;
}
