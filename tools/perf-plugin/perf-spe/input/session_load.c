// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "input/aux_samples.h"
#include "input/contexts.h"
#include "input/folder.h"
#include "input/mapped_file.h"
#include "input/perfdata.h"
#include "input/perfdata_events.h"
#include "input/session.h"
#include "input/session_events.h"
#include "input/session_load.h"
#include "util/memory.h"
#include "util/message.h"

#define MOST_STREAMS	65536u

/* Names of auxtrace_info.type, for the message */
static const char *const auxtrace_names[] = {
	"unknown", "Intel PT", "Intel BTS", "CoreSight ETM", "Arm SPE",
	"S390 CPUMSF", "HiSilicon PTT",
};

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
		say("%s: no AUX data, though an Arm SPE event was recorded; record longer, or check 'perf spe doctor' there",
		    path);
		return -1;
	}
	if (s->auxtrace_type)
		say("%s: no Arm SPE data, but AUX data of type %" PRIu64 " (%s); record with 'perf record -e arm_spe//'",
		    path, s->auxtrace_type,
		    auxtrace_names[s->auxtrace_type < known ? s->auxtrace_type :
				   0]);
	else
		say("%s: no Arm SPE data; record with 'perf record -e arm_spe//'",
		    path);
	return -1;
}

/*
 * A snapshot holds what the buffer holds, so the next one may begin with bytes that the last
 * one had.  Keep each byte once: a stream's offsets tell.  If it continues none, a record that
 * was overwritten in part may come first.
 */
static void drop_copies(struct session *s)
{
	uint64_t *end = NULL;
	size_t nr = 0, room = 0, to = 0, i;

	for (i = 0; i < s->nr_pieces; i++) {
		struct piece p = s->pieces[i];
		uint64_t copied;

		/* Indexes are small numbers; a damaged file may have others. */
		if (p.idx < MOST_STREAMS) {
			while (nr <= p.idx) {
				end = array_grow(end, nr, &room, sizeof(*end));
				end[nr++] = 0;
			}
			copied = end[p.idx] > p.offset ? end[p.idx] - p.offset : 0;
			if (copied && copied >= p.len) {
				s->copied += p.len;
				continue;
			}
			s->copied += copied;
			p.inside = s->overwritten && p.offset > end[p.idx];
			p.bytes += copied;
			p.offset += copied;
			p.len -= copied;
			end[p.idx] = p.offset + p.len;
		}
		s->pieces[to++] = p;
	}
	s->nr_pieces = to;
	free(end);
}

/* Drop the pages of events after so many bytes: files may exceed memory. */
#define FORGET_BYTES ((uint64_t)16 << 20)

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

int session_load(struct session *s, const char *path, bool calls)
{
	size_t i;

	session_init(s);
	s->calls.wanted = calls;
	if (perfdata_open(&s->pd, path) < 0)
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
	if (!s->nr_pieces)
		s->pieces = aux_samples_take(&s->aux_samples, &s->nr_pieces);
	else
		drop_copies(s);
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
	if (perfdata_clock(&s->pd) >= 0)
		s->tc.valid = false;
	session_judge_contexts(s);
	return 0;
}
