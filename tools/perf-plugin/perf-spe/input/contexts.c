// SPDX-License-Identifier: GPL-2.0-only
#include <arm_spe/packet.h>
#include <stdlib.h>

#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

#define PIECES	256u
#define RECORDS	256u		/* of each */
/* Near a context switch the times of both may cross, so a few records prove nothing. */
#define ENOUGH	8u

/* The thread of a record by another witness than its context; NO_ID: there is none */
static int32_t witness(const struct session *s, const struct piece *p,
		       const struct armspe_record *rec)
{
	const struct turn *turn;
	uint64_t time, until;
	size_t near = 0;

	if (p->cpu == NO_ID)
		return p->tid;
	if (!s->switches || !(rec->valid & ARMSPE_HAS_TIMESTAMP) ||
	    !session_time(s, rec->timestamp, &time))
		return NO_ID;
	turn = session_turn_find(s, (uint32_t)p->cpu, time, &near, &until);
	return turn ? turn->tid : NO_ID;
}

/*
 * Records with contexts, and those of them that another witness agrees with, or not; and those
 * whose contexts name no thread of the session
 */
struct judged {
	size_t contexts, same, other, unnamed;
	size_t host, guest;	/* with CONTEXTIDR_EL1 alone: it is another witness's thread, or not */
	size_t known;		/* the same without a witness: it is a thread of the session */
};

/* A thread that executes a program takes its process's id. */
static bool took_pid(const struct session *s, int32_t tid, uint32_t pid)
{
	const struct era *era = processes_era(&s->processes, tid, UINT64_MAX);

	return era && era->process->replaced && (uint32_t)era->process->pid == pid;
}

static bool is_known(const struct session *s, uint32_t id)
{
	return id && id <= INT32_MAX && processes_era(&s->processes, (int32_t)id, UINT64_MAX);
}

static void count(struct session *s, const struct piece *p, const struct armspe_record *rec,
		  void *context)
{
	size_t weight = p->cpu == NO_ID ? ENOUGH : 1;
	int32_t tid = witness(s, p, rec);
	struct judged *j = context;
	bool any = false, equal = false, named = false;
	unsigned int i;

	if (s->guests && rec->context_valid == 1 << SPE_CONTEXT_EL1 && tid != NO_ID)
		*(rec->context[0] == (uint32_t)tid ? &j->host : &j->guest) += 1;
	else if (s->guests && rec->context_valid == 1 << SPE_CONTEXT_EL1)
		j->known += is_known(s, rec->context[0]);
	/* A guest's own ids name no thread of the host. */
	for (i = s->guests ? SPE_CONTEXT_EL2 : 0; i < 2; i++) {
		if (!(rec->context_valid >> i & 1) || !rec->context[i])
			continue;
		any = true;
		equal |= rec->context[i] == (uint32_t)tid || took_pid(s, tid, rec->context[i]);
		named |= is_known(s, rec->context[i]);
	}
	j->contexts += any;
	j->unnamed += any && !named;
	if (tid != NO_ID && any)
		*(equal ? &j->same : &j->other) += weight;
}

/* Whether an event asks for guests; @sure: with the attribute that only this project's driver has, at EL2 */
static bool asks_for_guests(const struct session *s, bool sure)
{
	size_t i;

	for (i = 0; i < s->pd.nr_attrs; i++) {
		struct pd_attr attr = s->pd.attrs[i];

		attr.exclude_host &= !sure;
		if (spe_event_is(s, i) && spe_event_guests(&attr))
			return true;
	}
	return false;
}

static bool several_pids(const struct session *s)
{
	size_t i;

	for (i = 1; i < s->processes.nr; i++)
		if (s->processes.all[i]->pid != s->processes.all[0]->pid)
			return true;
	return false;
}

/* Whether buffers that several processes may write to are credited to one thread */
static bool guesses(const struct session *s)
{
	size_t i;

	for (i = 0; i < s->nr_pieces; i++)
		if (s->pieces[i].cpu != NO_ID && s->pieces[i].tid != NO_ID)
			return !s->switches && s->several_pids;
	return false;
}

typedef void (*record_fn)(struct session *s, const struct piece *p,
			  const struct armspe_record *rec, void *context);

/* What most records have room in, with what pads them */
#define USUAL_BYTES	128u

struct some_records {
	struct armspe_decoder *dec;
	struct armspe_record *rec;
	uint8_t *room;
	size_t most, nr;
};

/* Read records from @len bytes of the piece.  False if there were fewer than the most, or damage. */
static bool read_some(struct some_records *some, const struct piece *p, size_t len)
{
	enum armspe_status status = ARMSPE_OK;
	bool sound = true;
	size_t k;

	some->nr = 0;
	armspe_decoder_feed(some->dec, mapped_file_read(p->bytes, len, some->room), len, p->offset);
	for (k = 0; k < some->most; k++) {
		status = armspe_record_next(some->dec, &some->rec[some->nr]);
		if (status != ARMSPE_OK && status != ARMSPE_DAMAGED)
			return false;
		some->nr += status == ARMSPE_OK;
		sound &= status == ARMSPE_OK;
	}
	return sound;
}

/* The first @most records of pieces in all parts of the recording; mostly few bytes hold them. */
static void some_records(struct session *s, size_t most, record_fn fn, void *context)
{
	const size_t step = s->nr_pieces / PIECES + 1, bytes = most * SPE_RECORD_BYTES_MAX;
	struct some_records some = {
		.dec = decoder_new(), .rec = xcalloc(most, sizeof(*some.rec)),
		.room = xrealloc(NULL, bytes), .most = most,
	};
	size_t i, k;

	for (i = 0; i < s->nr_pieces; i += step) {
		const struct piece *p = &s->pieces[i];
		const size_t len = smaller(p->len, bytes), usual = smaller(len, most * USUAL_BYTES);

		if (!read_some(&some, p, usual) && usual < len)
			read_some(&some, p, len);
		for (k = 0; k < some.nr; k++)
			fn(s, p, &some.rec[k], context);
	}
	free(some.dec);
	free(some.rec);
	free(some.room);
}

struct times {
	uint64_t first, last;
};

static void count_time(struct session *s, const struct piece *p, const struct armspe_record *rec,
		       void *context)
{
	struct times *t = context;
	uint64_t time;

	(void)p;
	if (!(rec->valid & ARMSPE_HAS_TIMESTAMP) || !session_time(s, rec->timestamp, &time))
		return;
	t->first = time < t->first ? time : t->first;
	t->last = time > t->last ? time : t->last;
}

#define MINUTE	UINT64_C(60000000000)

bool session_foreign_times(struct session *s)
{
	struct times t = { UINT64_MAX, 0 };

	if (s->aux_last)
		some_records(s, 1, count_time, &t);
	/* An AUX event is later than its records, and by less than a minute. */
	return t.last && (t.first > s->aux_last ||
			  t.last + (s->last - s->first) + MINUTE < s->first);
}

void session_judge_contexts(struct session *s)
{
	struct judged j = { 0 };

	s->several_pids = several_pids(s);
	s->guests = asks_for_guests(s, false);
	/* Samples have the ids of perf's events. */
	if (s->sampled)
		return;
	some_records(s, RECORDS, count, &j);
	if (j.host > j.guest || (!j.guest && j.known && !asks_for_guests(s, true))) {
		s->guests = false;
		j = (struct judged){ 0 };
		some_records(s, RECORDS, count, &j);
	}
	s->foreign_contexts = (j.other >= ENOUGH && j.other > j.same) ||
			      (!j.same && j.unnamed >= ENOUGH && 2 * j.unnamed > j.contexts);
	s->guessed_owners = (!j.contexts || s->foreign_contexts) && guesses(s);
}
