// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/groups/groups.h"
#include "output/sentences/sentences.h"
#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "util/util.h"

#define FILES		3	/* that are worth a message */
#define SHARE_MIN	5.0	/* percent of the samples */

/* Samples in ranges of @dso that have no symbol */
static uint64_t count_of(const struct groups *g, const struct dso *dso)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < g->nr; i++)
		if (g->all[i]->place.unnamed && g->all[i]->place.dso == dso)
			count += g->all[i]->count;
	return count;
}

static void say_file(const struct dso *dso, double share)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	char *word = shell_word(dso->name);
	bool asked = urls && *urls;

	say("%s has no symbols for %.2f%% of the samples: install its debug package (Debian, Ubuntu: NAME-dbgsym for the NAME that dpkg -S %s prints; Fedora, RHEL: dnf debuginfo-install \"$(rpm -qf %s)\")%s",
	    dso->name, share, word, word,
	    asked ? "; the servers of DEBUGINFOD_URLS have none" :
		    ", or set DEBUGINFOD_URLS to a server that has it");
	free(word);
}

void advice_say(const struct groups *g, const struct kernel *k)
{
	const struct dso *said[FILES];
	const char *why = kernel_missing(k);
	size_t nr = 0, i, j;

	if (why)
		say("%s", why);
	/* The most sampled ranges belong to the files that matter. */
	for (i = 0; i < g->nr_sorted && nr < FILES; i++) {
		const struct place *place = &g->sorted[i]->place;
		double share;

		for (j = 0; j < nr && said[j] != place->dso; j++)
			;
		if (!place->unnamed || j < nr)
			continue;
		said[nr++] = place->dso;
		share = percent(count_of(g, place->dso), g->with_pc);
		if (share >= SHARE_MIN)
			say_file(place->dso, share);
	}
}
