// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input/session.h"

/* What auxtrace_info.type can name, for the message */
static const char *const auxtrace_names[] = {
	"unknown", "Intel PT", "Intel BTS", "CoreSight ETM", "Arm SPE",
	"S390 CPUMSF", "HiSilicon PTT",
};

static int check_spe(const struct session *s)
{
	const char *path = s->pd.in.path;
	size_t known = sizeof(auxtrace_names) / sizeof(auxtrace_names[0]);

	if (s->is_spe) {
		if (s->nr_pieces)
			return 0;
		say("%s: Arm SPE was recorded, but the file holds no AUX data",
		    path);
		return -1;
	}
	if (s->auxtrace_type)
		say("%s: holds AUX data of type %" PRIu64 " (%s), not of Arm SPE",
		    path, s->auxtrace_type,
		    auxtrace_names[s->auxtrace_type < known ? s->auxtrace_type :
				   0]);
	else
		say("%s: holds no Arm SPE data; record with 'perf record -e arm_spe//'",
		    path);
	return -1;
}

/* Of a file larger than memory, so much is in memory at once. */
#define FORGET_BYTES ((uint64_t)16 << 20)

int session_load(struct session *s, const char *path)
{
	struct pd_event ev;
	uint64_t pos, forgotten;
	int more;

	memset(s, 0, sizeof(*s));
	s->kernel.pid = s->kernel.parent = NO_ID;
	s->ksymbols.pid = s->ksymbols.parent = NO_ID;
	if (perfdata_open(&s->pd, path) < 0)
		return -1;
	forgotten = pos = s->pd.data;
	while ((more = perfdata_next(&s->pd, &pos, &ev)) > 0) {
		if (pos - forgotten > FORGET_BYTES) {
			input_forget(&s->pd.in, s->pd.in.bytes + forgotten,
				     (size_t)(ev.offset - forgotten));
			forgotten = ev.offset;
		}
		if (session_event(s, &ev) < 0) {
			more = -1;
			break;
		}
	}
	if (more < 0 || check_spe(s) < 0) {
		session_free(s);
		return -1;
	}
	session_sort(s);
	return 0;
}

void session_free(struct session *s)
{
	size_t i;

	for (i = 0; i < s->room_processes; i++) {
		if (s->processes[i])
			free(s->processes[i]->maps);
		free(s->processes[i]);
	}
	free(s->processes);
	free(s->kernel.maps);
	free(s->ksymbols.maps);
	free(s->threads);
	free(s->turns);
	free(s->midrs);
	free(s->pieces);
	asked_free(&s->asked);
	perfdata_close(&s->pd);
	memset(s, 0, sizeof(*s));
}

static int turn_order(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static int map_order(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* The largest end of [low, high), kept for each subtree at its root. */
static uint64_t maps_reach(struct map *maps, size_t low, size_t high)
{
	size_t mid = low + (high - low) / 2;
	uint64_t reach, below;

	if (low == high)
		return 0;
	reach = maps[mid].end;
	below = maps_reach(maps, low, mid);
	reach = below > reach ? below : reach;
	below = maps_reach(maps, mid + 1, high);
	maps[mid].reach = below > reach ? below : reach;
	return maps[mid].reach;
}

static void process_sort(struct process *p)
{
	if (p->sorted || !p->nr_maps)
		return;
	p->sorted = true;
	qsort(p->maps, p->nr_maps, sizeof(*p->maps), map_order);
	maps_reach(p->maps, 0, p->nr_maps);
}

void session_sort(struct session *s)
{
	size_t i;

	if (s->nr_turns != s->turns_sorted)
		qsort(s->turns, s->nr_turns, sizeof(*s->turns), turn_order);
	s->turns_sorted = s->nr_turns;
	for (i = 0; i < s->room_processes; i++)
		if (s->processes[i])
			process_sort(s->processes[i]);
	process_sort(&s->kernel);
	process_sort(&s->ksymbols);
}

const struct turn *session_turn_find(const struct session *s, uint32_t cpu,
				     uint64_t time)
{
	size_t low = 0, high = s->nr_turns;

	/* The last turn on the CPU that began no later than @time */
	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct turn *t = &s->turns[mid];

		if (t->cpu < cpu || (t->cpu == cpu && t->time <= time))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || s->turns[low - 1].cpu != cpu ||
	    s->turns[low - 1].pid == NO_ID)
		return NULL;
	return &s->turns[low - 1];
}

bool session_midr(const struct session *s, int32_t cpu, uint64_t *midr)
{
	bool found = false;
	size_t i;

	/* Version 1 names no CPU; what the header says holds for all. */
	if (!s->nr_midrs && s->pd.cpuid) {
		*midr = strtoull(s->pd.cpuid, NULL, 16);
		return *midr;
	}
	for (i = 0; i < s->nr_midrs; i++) {
		if (cpu != NO_ID && s->midrs[i].cpu != (uint64_t)cpu)
			continue;
		if (found && s->midrs[i].midr != *midr)
			return false;
		*midr = s->midrs[i].midr;
		found = true;
	}
	return found;
}

/* As the perf_event_mmap_page description has it, in 128 bits. */
bool session_time(const struct session *s, uint64_t timestamp, uint64_t *time)
{
	const struct time_conv *tc = &s->tc;
	uint64_t cycles = timestamp;

	if (!tc->valid)
		return false;
	if (tc->is_short)
		cycles = tc->cycles + ((cycles - tc->cycles) & tc->mask);
	*time = tc->zero +
		(uint64_t)((unsigned __int128)cycles * tc->mult >> tc->shift);
	return true;
}

/* What was mapped later hides what was there before. */
static bool map_hides(const struct map *map, const struct map *other)
{
	return map->time > other->time ||
	       (map->time == other->time && map->seq > other->seq);
}

/* The one of [low, high) that holds @address at @time, unless @best hides it. */
static const struct map *maps_search(const struct map *maps, size_t low,
				     size_t high, uint64_t address,
				     uint64_t time, const struct map *best)
{
	const struct map *map = &maps[low + (high - low) / 2];

	if (low == high || address >= map->reach)
		return best;
	best = maps_search(maps, low, (size_t)(map - maps), address, time,
			   best);
	if (address < map->start)
		return best;
	if (address < map->end && map->time <= time &&
	    (!best || map_hides(map, best)))
		best = map;
	return maps_search(maps, (size_t)(map - maps) + 1, high, address, time,
			   best);
}

const struct map *process_map_find(const struct process *p, uint64_t address,
				   uint64_t time)
{
	if (!p->nr_maps)
		return NULL;
	return maps_search(p->maps, 0, p->nr_maps, address, time, NULL);
}

/* The same bytes at the same addresses: loaders map a file's text twice. */
static bool same_bytes(const struct map *a, const struct map *b)
{
	return a->start - a->pgoff == b->start - b->pgoff &&
	       !strcmp(a->file, b->file);
}

/* Whether all of [low, high) that hold @address are of the bytes of *@one. */
static bool maps_agree(const struct map *maps, size_t low, size_t high,
		       uint64_t address, const struct map **one)
{
	const struct map *map = &maps[low + (high - low) / 2];

	if (low == high || address >= map->reach)
		return true;
	if (!maps_agree(maps, low, (size_t)(map - maps), address, one))
		return false;
	if (address < map->start)
		return true;
	if (address < map->end) {
		if (*one && !same_bytes(*one, map))
			return false;
		*one = map;
	}
	return maps_agree(maps, (size_t)(map - maps) + 1, high, address, one);
}

bool process_map_always(const struct process *p, uint64_t address)
{
	const struct map *one = NULL;

	return p->nr_maps &&
	       maps_agree(p->maps, 0, p->nr_maps, address, &one) && one;
}

const struct map *session_map_find(const struct session *s,
				   const struct process *p, uint64_t address,
				   uint64_t time)
{
	/* More generations than any real file has: a hostile one may have a loop. */
	int generations = 64;

	while (p && generations--) {
		const struct map *map = process_map_find(p, address, time);

		if (map || p->parent == NO_ID ||
		    (p->exec != UINT64_MAX && time >= p->exec))
			return map;
		/* What the parent mapped after the fork is not the child's. */
		if (p->born < time)
			time = p->born;
		p = session_process(s, p->parent);
	}
	return NULL;
}
