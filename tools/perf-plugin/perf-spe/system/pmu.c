// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "armspe.h"
#include "system/system.h"
#include "util/util.h"

#define DEVICES		"sys/bus/event_source/devices"

static int pmu_order(const void *a, const void *b)
{
	return strcmp(((const struct pmu *)a)->name,
		      ((const struct pmu *)b)->name);
}

static struct pmu *find(const char *root, const char *prefix, size_t *count)
{
	char *folder = xformat("%s/" DEVICES, root);
	DIR *dir = opendir(folder);
	struct pmu *pmus = NULL;
	struct dirent *entry;
	size_t room = 0;

	*count = 0;
	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)))
			continue;
		pmus = array_grow(pmus, *count, &room, sizeof(*pmus));
		pmus[*count].root = root;
		pmus[(*count)++].name = xformat("%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	free(folder);
	if (*count)
		qsort(pmus, *count, sizeof(*pmus), pmu_order);
	return pmus;
}

struct pmu *pmus_find(const char *root, size_t *count)
{
	return find(root, "arm_spe_", count);
}

struct pmu *pmus_find_samplers(const char *root, size_t *count)
{
	return find(root, "spe_sample_", count);
}

void pmus_free(struct pmu *pmus, size_t count)
{
	while (count)
		free(pmus[--count].name);
	free(pmus);
}

bool sysfs_line(const char *path, char *line, size_t size)
{
	FILE *f = fopen(path, "re");
	bool ok = f && fgets(line, (int)size, f);

	if (ok)
		line[strcspn(line, "\n")] = '\0';
	if (f)
		fclose(f);
	return ok;
}

char *pmu_path(const struct pmu *pmu, const char *file)
{
	return xformat("%s/" DEVICES "/%s/%s", pmu->root, pmu->name, file);
}

static bool pmu_line(const struct pmu *pmu, const char *file, char *line,
		     size_t size)
{
	char *path = pmu_path(pmu, file);
	bool ok = sysfs_line(path, line, size);

	free(path);
	return ok;
}

bool pmu_number(const struct pmu *pmu, const char *path, uint64_t *value)
{
	char line[64], *end;

	if (!pmu_line(pmu, path, line, sizeof(line)) || !isdigit((unsigned char)*line))
		return false;
	*value = strtoull(line, &end, 0);
	return !*end;
}

/* The place of an attribute, from "config2:0-11"; bits 0: the PMU lacks it */
struct place_of {
	unsigned int word;		/* of config, config1 ... */
	unsigned int lo, bits;
};

static struct place_of format_find(const struct pmu *pmu, const char *attr)
{
	char *file = xformat("format/%s", attr), line[64] = "";
	unsigned int lo = 0, hi = 0;
	struct place_of at = { 0 };
	const char *colon;
	int found;

	if (pmu_line(pmu, file, line, sizeof(line)) &&
	    !strncmp(line, "config", 6)) {
		colon = strchr(line, ':');
		found = colon ? sscanf(colon + 1, "%u-%u", &lo, &hi) : 0;
		hi = found == 1 ? lo : hi;
		if (found >= 1 && hi >= lo && hi < 64)
			at.bits = hi - lo + 1;
		at.lo = lo;
		at.word = line[6] == ':' ? 0 : (unsigned int)(line[6] - '0');
		if (at.word >= PMU_CONFIGS)
			at.bits = 0;
	}
	free(file);
	return at;
}

/* What an attribute needs, for the message that it is missing */
static const struct need {
	const char *attr, *why;
} needs[] = {
	{ "load_filter", "the CPU does not filter by type (PMSIDR_EL1.FT)" },
	{ "store_filter", "the CPU does not filter by type (PMSIDR_EL1.FT)" },
	{ "branch_filter", "the CPU does not filter by type (PMSIDR_EL1.FT)" },
	{ "simd_filter", "it needs FEAT_SPE_EFT, and a driver that supports it" },
	{ "float_filter", "it needs FEAT_SPE_EFT, and a driver that supports it" },
	{ "event_filter", "the CPU does not filter by event (PMSIDR_EL1.FE)" },
	{ "inv_event_filter", "it needs SPEv1p2, and Linux 6.3 or newer" },
	{ "min_latency", "the CPU does not filter by latency (PMSIDR_EL1.FL)" },
	{ "inv_data_src_filter", "it needs FEAT_SPE_FDS, and Linux 6.19 or newer" },
};

struct builder {
	const struct pmu *pmu;
	const char *verb;
	char *text;		/* "a=1,b=2" */
	uint64_t config[PMU_CONFIGS];	/* the same as bits */
	bool bad;
};

static void lacks(struct builder *b, const char *attr)
{
	const char *why = "its driver does not support it";
	size_t i;

	for (i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		if (!strcmp(needs[i].attr, attr))
			why = needs[i].why;
	say("%s: %s has no %s: %s; remove the option that asks for it", b->verb,
	    b->pmu->name, attr, why);
	b->bad = true;
}

static void add(struct builder *b, const char *attr, uint64_t value)
{
	struct place_of at = format_find(b->pmu, attr);
	char *old = b->text;

	if (!at.bits) {
		lacks(b, attr);
		return;
	}
	if (at.bits < 64 && value >> at.bits) {
		say("%s: %s: %s %" PRIu64 " is too large: give at most %" PRIu64,
		    b->verb, b->pmu->name, attr, value,
		    (UINT64_C(1) << at.bits) - 1);
		b->bad = true;
		return;
	}
	b->config[at.word] |= value << at.lo;
	b->text = xformat(value < 4096 ? "%s%s%s=%" PRIu64 : "%s%s%s=0x%" PRIx64,
			  old ? old : "", old ? "," : "", attr, value);
	free(old);
}

bool pmu_is_linux(const struct pmu *pmu)
{
	char *path = pmu_path(pmu, "counters");
	bool has_none = access(path, F_OK);

	free(path);
	return has_none;
}

/*
 * The bits of PMSEVFR_EL1 that Linux's own driver takes, where it has no caps/event_filter: the
 * others are in its PMSEVFR_EL1_RES0_IMP, _V1P1 and _V1P2.  It shows inv_event_filter with SPEv1p2
 * only.
 */
#define LINUX_EVENTS	UINT64_C(0xffff0000ff00f0aa)
#define LINUX_V1P1	(UINT64_C(1) << SPE_EVENT_MISALIGNED |	\
			 UINT64_C(1) << SPE_EVENT_PARTIAL_PREDICATE |	\
			 UINT64_C(1) << SPE_EVENT_EMPTY_PREDICATE)
#define LINUX_V1P2	(UINT64_C(1) << SPE_EVENT_NOT_TAKEN)

/* The events of these bits by their names, without those that have none */
static char *event_list(uint64_t events)
{
	char *list = NULL;
	unsigned int bit;

	for (bit = 0; bit < SPE_EVENT_COUNT; bit++)
		if (events & UINT64_C(1) << bit && strncmp(armspe_event_name(bit), "impdef", 6))
			list = text_list_add(list, armspe_event_name(bit));
	return list;
}

/* What does not need the filter: the reports can choose by the event, too. */
static char *without_filter(const char *event, bool inverted)
{
	return xformat("record without this filter and give the reports --filter '%sevents has %s'",
		       inverted ? "not " : "", event);
}

static void check_linux_event(struct builder *b, unsigned int bit, bool inverted)
{
	bool v1p2 = format_find(b->pmu, "inv_event_filter").bits;
	uint64_t most = LINUX_EVENTS | LINUX_V1P1 | (v1p2 ? LINUX_V1P2 : 0), event = UINT64_C(1) << bit;
	const char *name = armspe_event_name(bit);
	char *instead = without_filter(name, inverted), *list = event_list(most);

	if (!(most & event)) {
		say("%s: %s cannot filter by the event %s: Linux's own driver of this kernel, %s, filters by no others than %s; %s, or load this project's arm_spe_pmu",
		    b->verb, b->pmu->name, name,
		    v1p2 ? "with SPEv1p2" : "before SPEv1p2 or Linux 6.3", list, instead);
		b->bad = true;
	} else if (event & LINUX_V1P1 && !v1p2) {
		say("%s: Linux's own driver filters by the event %s only with SPEv1p1 or later, and no file tells whether this CPU has it: if the event is refused now, %s, or load this project's arm_spe_pmu",
		    b->verb, name, instead);
	}
	free(list);
	free(instead);
}

/* A CPU without a filter for an event would drop all samples. */
static void check_event(struct builder *b, unsigned int bit, bool inverted)
{
	char *instead;
	uint64_t can;

	if (!pmu_number(b->pmu, "caps/event_filter", &can)) {
		if (pmu_is_linux(b->pmu))
			check_linux_event(b, bit, inverted);
		return;
	}
	if (can & UINT64_C(1) << bit)
		return;
	instead = without_filter(armspe_event_name(bit), inverted);
	say("%s: %s cannot filter by the event %s: its CPU has no such filter; %s",
	    b->verb, b->pmu->name, armspe_event_name(bit), instead);
	free(instead);
	b->bad = true;
}

/* A PMU without the attribute has had its message. */
static void add_events(struct builder *b, const char *attr, uint64_t events, bool inverted)
{
	unsigned int bit;

	if (!events)
		return;
	add(b, attr, events);
	for (bit = 0; bit < SPE_EVENT_COUNT && format_find(b->pmu, attr).bits; bit++)
		if (events & UINT64_C(1) << bit)
			check_event(b, bit, inverted);
}

bool pmu_cpu_midr(const char *root, size_t cpu, uint64_t *midr)
{
	char line[64], *path, *end;
	bool ok;

	path = xformat("%s/sys/devices/system/cpu/cpu%zu/regs/identification/midr_el1",
		       root, cpu);
	ok = sysfs_line(path, line, sizeof(line));
	free(path);
	if (ok)
		*midr = strtoull(line, &end, 0);
	return ok && !*end && end != line;
}

/* MIDR_EL1 of the PMU's first CPU; all CPUs of a PMU are of one kind. */
static bool pmu_midr(const struct pmu *pmu, uint64_t *midr)
{
	char line[64];

	return pmu_line(pmu, "cpumask", line, sizeof(line)) &&
	       isdigit((unsigned char)*line) &&
	       pmu_cpu_midr(pmu->root, strtoul(line, NULL, 10), midr);
}

/* Data source codes: PMSDSFR_EL1 has a bit for each. */
#define SOURCES 64

static bool source_bits(uint64_t midr, bool known, const char *name, size_t len,
			uint64_t *bits)
{
	struct armspe_source source;
	bool found = false;
	char *end;
	unsigned long number = strtoul(name, &end, 0);
	uint16_t code;

	if (isdigit((unsigned char)*name) && end == name + len &&
	    number < SOURCES) {
		*bits |= UINT64_C(1) << number;
		return true;
	}
	for (code = 0; known && code < SOURCES; code++) {
		if (!armspe_source_decode(midr, code, &source) ||
		    strlen(source.name) != len || memcmp(source.name, name, len))
			continue;
		*bits |= UINT64_C(1) << code;
		found = true;
	}
	return found;
}

static void print_sources(uint64_t midr)
{
	struct armspe_source source;
	uint16_t code;

	fprintf(stderr, "  the %s has:", armspe_source_core(midr));
	for (code = 0; code < SOURCES; code++)
		if (armspe_source_decode(midr, code, &source))
			fprintf(stderr, " %s", source.name);
	putc('\n', stderr);
}

/* The driver's attribute selects the sources to drop, so invert the list. */
static void add_sources(struct builder *b, const char *list)
{
	uint64_t midr = 0, bits = 0;
	bool known = pmu_midr(b->pmu, &midr) && armspe_source_core(midr);
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		if (!source_bits(midr, known, list, len, &bits)) {
			say("%s: --data-source: no source '%.*s' on this CPU: %s",
			    b->verb, (int)len, list, known ?
			    "choose one of those below" :
			    "perf-spe does not know its names, so give codes, 0 to 63");
			if (known)
				print_sources(midr);
			b->bad = true;
			return;
		}
		if (!list[len])
			break;
	}
	add(b, "inv_data_src_filter", ~bits);
}

static void add_switch(struct builder *b, const char *attr, bool on)
{
	if (on)
		add(b, attr, 1);
}

/* This project's driver says in a file why it has no such attribute. */
static void add_guests(struct builder *b)
{
	char why[256];

	if (format_find(b->pmu, "guest").bits) {
		add(b, "guest", 1);
		return;
	}
	if (pmu_line(b->pmu, "guests", why, sizeof(why)))
		say("%s: guests of KVM are %s; remove --guests", b->verb, why);
	else
		say("%s: %s cannot sample guests of KVM: its driver does not support it; load this project's arm_spe_pmu, or remove --guests",
		    b->verb, b->pmu->name);
	b->bad = true;
}

static void build(struct builder *b, const struct pmu *pmu,
		  const struct pmu_request *req)
{
	memset(b, 0, sizeof(*b));
	b->pmu = pmu;
	b->verb = req->verb;
	add(b, "ts_enable", 1);
	add(b, "jitter", 1);
	add_switch(b, "pa_enable", req->physical);
	if (req->guests != GUESTS_NONE)
		add_guests(b);
	add_switch(b, "load_filter", req->load);
	add_switch(b, "store_filter", req->store);
	add_switch(b, "branch_filter", req->branch);
	add_switch(b, "simd_filter", req->simd);
	add_switch(b, "float_filter", req->fp);
	add_events(b, "event_filter", req->events, false);
	add_events(b, "inv_event_filter", req->not_events, true);
	if (req->min_latency)
		add(b, "min_latency", req->min_latency);
	if (req->sources)
		add_sources(b, req->sources);
	if (req->batch)
		add(b, "batch", req->batch);
}

char *pmu_event(const struct pmu *pmu, const struct pmu_request *req)
{
	char *event = NULL;
	struct builder b;

	build(&b, pmu, req);
	if (!b.bad)
		event = xformat("%s/%s/%s%s%s", pmu->name, b.text, req->user ? "u" : "",
				req->kernel ? "k" : "", req->guests == GUESTS_ONLY ? "G" : "");
	free(b.text);
	return event;
}

bool pmu_config(const struct pmu *pmu, const struct pmu_request *req,
		uint64_t config[PMU_CONFIGS])
{
	struct builder b;

	build(&b, pmu, req);
	memcpy(config, b.config, sizeof(b.config));
	free(b.text);
	return !b.bad;
}

bool *cpus_parse(const char *list, size_t *count)
{
	bool *cpus = NULL;
	size_t room = 0;

	for (*count = 0; *list && *list != '\n'; list += *list == ',') {
		char *end = (char *)(uintptr_t)list;
		unsigned long first, last;

		first = last = isdigit((unsigned char)*list) ?
			strtoul(list, &end, 10) : 0;
		if (end != list && *end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (end == list || last < first || last >= CPUS_MAX ||
		    (*end && *end != ',' && *end != '\n')) {
			free(cpus);
			return NULL;
		}
		while (*count <= last) {
			cpus = array_grow(cpus, *count, &room, sizeof(*cpus));
			cpus[(*count)++] = false;
		}
		for (; first <= last; first++)
			cpus[first] = true;
		list = end;
	}
	return cpus;
}

bool *pmu_cpus(const struct pmu *pmu, size_t *count)
{
	char line[4096];

	if (!pmu_line(pmu, "cpumask", line, sizeof(line)))
		return NULL;
	return cpus_parse(line, count);
}

int32_t *cpu_nodes(const char *root, size_t *count)
{
	const char *folder = "sys/devices/system/node/node";
	char *pattern = xformat("%s/%s[0-9]*/cpulist", root, folder);
	char line[16384];	/* more than arm64's 4096 CPUs need */
	int32_t *nodes = NULL;
	size_t room = 0, i, cpu, nr;
	glob_t found = { 0 };
	bool *cpus;

	*count = 0;
	glob(pattern, 0, NULL, &found);
	for (i = 0; i < found.gl_pathc; i++) {
		const char *number = found.gl_pathv[i] + strlen(root) + 1 + strlen(folder);

		cpus = sysfs_line(found.gl_pathv[i], line, sizeof(line)) ? cpus_parse(line, &nr) : NULL;
		for (cpu = 0; cpus && cpu < nr; cpu++) {
			while (*count <= cpu) {
				nodes = array_grow(nodes, *count, &room, sizeof(*nodes));
				nodes[(*count)++] = -1;
			}
			if (cpus[cpu])
				nodes[cpu] = atoi(number);
		}
		free(cpus);
	}
	globfree(&found);
	free(pattern);
	return nodes;
}
