// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "util/util.h"

/* Implementer and PartNum of MIDR_EL1 */
#define CORE_MASK	UINT64_C(0xff00fff0)

bool thresholds_share(const char *where, const char *text, size_t len, double *share)
{
	char *end;
	double percents = strtod(text, &end);

	if (end == text || end != text + len || !(percents >= 0 && percents <= 100)) {
		say("advise: %s needs a number of percent from 0 to 100, not '%.*s'", where,
		    (int)len, text);
		return false;
	}
	*share = percents / 100;
	return true;
}

/* Sets the share of one kind. */
static bool parse_one(const char *where, const char *text, size_t len, double *share)
{
	size_t name = strcspn(text, ",=");
	unsigned int kind;
	char *proposal;

	for (kind = 0; finding_name(kind); kind++)
		if (strlen(finding_name(kind)) == name && !memcmp(finding_name(kind), text, name))
			break;
	if (!finding_name(kind)) {
		proposal = suggest(finding_name, text, name);
		say("advise: %s: unknown kind of finding '%.*s'; %s", where, (int)name, text, proposal);
		free(proposal);
		return false;
	}
	if (text[name] != '=') {
		say("advise: %s: '%.*s' has no share: write %s=5", where, (int)len, text,
		    finding_name(kind));
		return false;
	}
	return thresholds_share(where, text + name + 1, len - name - 1, &share[kind]);
}

bool thresholds_parse(const char *where, const char *list, double *share)
{
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		if (!parse_one(where, list, len, share))
			return false;
		if (!list[len])
			return true;
	}
}

/* "*", a name that cpu_model_name() knows, or MIDR_EL1 as a number; false after a message. */
static bool parse_core(const char *where, const char *name, uint64_t *midr)
{
	unsigned int i;
	char *end;

	*midr = 0;
	if (!strcmp(name, "*"))
		return true;
	for (i = 0; cpu_model_name(i); i++)
		if (!strcmp(cpu_model_name(i), name))
			*midr = cpu_model_midr(i);
	if (!*midr && !strncmp(name, "0x", 2)) {
		*midr = strtoull(name, &end, 16) & CORE_MASK;
		if (*end)
			*midr = 0;
	}
	if (!*midr)
		say("advise: %s: unknown core '%s': give a name as neoverse-n1, a MIDR_EL1 as 0x413fd0c1, or * for all cores",
		    where, name);
	return *midr;
}

/* A line without its comment; empty lines are fine. */
static bool take_line(struct thresholds *t, const char *where, char *line)
{
	char *core = strtok(line, " \t\r\n"), *list = strtok(NULL, " \t\r\n");
	struct threshold_line *to;
	unsigned int i;

	if (!core)
		return true;
	if (!list || strtok(NULL, " \t\r\n")) {
		say("advise: %s: a line needs a core and a list, for example 'neoverse-n1 tlb-walks=10,remote=2'",
		    where);
		return false;
	}
	t->lines = array_grow(t->lines, t->nr, &t->room, sizeof(*t->lines));
	to = &t->lines[t->nr++];
	for (i = 0; i < NR_FINDING; i++)
		to->share[i] = -1;
	return parse_core(where, core, &to->midr) && thresholds_parse(where, list, to->share);
}

bool thresholds_read(struct thresholds *t, const char *path)
{
	FILE *f = fopen(path, "re");
	unsigned int number = 0;
	char *line = NULL;
	size_t room = 0;
	bool good = f;

	if (!f)
		say("advise: cannot read %s: %s; name another file with --thresholds", path,
		    strerror(errno));
	if (f)
		output_protect(fileno(f));
	while (good && getline(&line, &room, f) >= 0) {
		char *where = xformat("%s:%u", path, ++number);

		line[strcspn(line, "#")] = '\0';
		good = take_line(t, where, line);
		free(where);
	}
	free(line);
	if (f)
		fclose(f);
	return good;
}

void thresholds_apply(const struct thresholds *t, uint64_t midr, double *share)
{
	unsigned int kind;
	size_t i;

	for (i = 0; i < t->nr; i++)
		for (kind = 0; kind < NR_FINDING; kind++)
			if ((!t->lines[i].midr || t->lines[i].midr == (midr & CORE_MASK)) &&
			    t->lines[i].share[kind] >= 0)
				share[kind] = t->lines[i].share[kind];
}

void thresholds_free(struct thresholds *t)
{
	free(t->lines);
}
