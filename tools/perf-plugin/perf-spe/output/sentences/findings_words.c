// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "armspe.h"
#include "output/sentences/sentences.h"
#include "symbols/elf/elf.h"
#include "symbols/kernel/kernel.h"
#include "util/util.h"

static const struct {
	const char *about, *base, *remedy;
} words[NR_FINDING] = {
	[FINDING_TLB] = {
		"loads and stores that needed a page table walk",
		"accesses of the same kind without a walk",
		"map the data with huge pages (madvise MADV_HUGEPAGE, hugetlbfs), or keep what is used together on fewer pages",
	},
	[FINDING_MISPREDICTED] = {
		"mispredicted branches, without the operations that the CPU fetched in vain",
		"branches that were predicted",
		"replace the branch by a conditional select or a table, sort the data, or let 'perf spe pgo' guide the compiler",
	},
	[FINDING_MISALIGNED] = {
		"misaligned loads and stores",
		"aligned accesses of the same kind; only accesses that hit the first cache count (the others count in cache-misses)",
		"align the data to the size of the access (alignas, aligned_alloc), and do not pack hot structures",
	},
	[FINDING_REMOTE] = {
		"loads that another socket or chip served, by the data source packet",
		"loads that this socket served, with the same cache events if there are enough",
		"place threads and their memory on one NUMA node (numactl --cpunodebind --membind, or first touch by the thread that uses the data)",
	},
	[FINDING_SHARING] = {
		"loads and stores of threads that use different bytes of one cache line",
		"loads and stores of other lines that hit the first cache without a page table walk",
		"give each thread's data a cache line of its own (alignas(64), or padding between the offsets below)",
	},
	[FINDING_ATOMICS] = {
		"accesses to bytes of one cache line that several threads access by atomic or exclusive operations, with plain accesses to these bytes",
		"accesses that hit the first cache without a page table walk: atomic ones for atomics if any do, plain ones for the others",
		"count per thread and add up at the end, split the lock or hold it shorter, read before an atomic write",
	},
	[FINDING_MISSES] = {
		.base = "hits of the same instruction, or of others if it has too few; page table walks are left out (they count in tlb-walks)",
	},
	[FINDING_STRIDE] = {
		"misses of a load whose addresses have a regular stride",
		"its samples that hit, or other loads that hit the first cache without a page table walk",
		"prefetch as many strides ahead as the latency needs ('perf spe pgo -f prefetch' writes hints for compilers); if each step uses only a part of the stride, pack what the loop reads, or reorder the data so that it reads them in sequence",
	},
};

/* Of FINDING_MISSES */
static const struct {
	const char *about, *remedy;
} patterns[NR_MISS_PATTERN] = {
	[MISS_SHARED] = {
		"loads and stores that missed a cache, mostly because another CPU had the data",
		"let one thread own the data and hand it over in larger pieces ('perf spe sharing' shows the lines and who uses them)",
	},
	[MISS_STRIDE] = {
		"loads and stores that missed a cache, at addresses with a regular stride",
		"if each step uses only a part of the stride, let the inner loop go in the order of memory, or pack the used fields together (order of fields, smaller types); if the data are in sequence already, do all work on a block while the cache has it, or prefetch ahead",
	},
	[MISS_NEAR] = {
		"loads and stores that missed the first cache, of data that an outer cache has",
		"work on blocks of the data that fit the first cache, or make its elements smaller",
	},
	[MISS_FIELDS] = {
		"loads and stores of fields of structures that missed a cache, and show no stride",
		"put the fields that are used together into one cache line and the others elsewhere ('perf spe layout' shows which), make the structure smaller, or use one with fewer loads that wait for each other (an array instead of a list, a tree with wide nodes); prefetch where the program knows early what comes next",
	},
	[MISS_OTHER] = {
		"loads and stores that missed a cache; no common pattern reaches the thresholds",
		"prefetch where the program knows early what comes next, make the data smaller, work on blocks that fit the cache, or use a structure with fewer loads that wait for each other",
	},
};

const char *finding_about(const struct finding *f)
{
	return f->kind == FINDING_MISSES ? patterns[f->pattern].about : words[f->kind].about;
}

const char *finding_base(const struct finding *f)
{
	return words[f->kind].base;
}

const char *finding_remedy(const struct finding *f)
{
	return f->kind == FINDING_MISSES ? patterns[f->pattern].remedy : words[f->kind].remedy;
}

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

/* Whether distributions install files there (Filesystem Hierarchy Standard 3.0) */
static bool is_packaged(const char *path)
{
	static const char *const folders[] = { "/usr/", "/lib", "/bin/", "/sbin/", "/opt/" };
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return strncmp(path, "/usr/local/", strlen("/usr/local/"));
	return false;
}

/* Where a package has to be installed so that this command finds its debug file; to be freed */
static char *where_to_install(const struct symbols *syms, const struct dso *dso)
{
	char *file, *text;

	if (syms->opt.archived)
		return xformat(" on the machine that recorded, and archive again");
	if (!syms->opt.symfs || !dso->file_id_len)
		return xformat("%s", "");
	file = id_path(dso->file_id, dso->file_id_len, ".debug");
	text = xformat(" on the machine that recorded, and copy its /%s below --symfs %s", file, syms->opt.symfs);
	free(file);
	return text;
}

static void say_file(const struct symbols *syms, const struct dso *dso, double share)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	char *word = shell_word(dso->name), *where;
	bool asked = urls && *urls;

	if (!is_packaged(dso->name)) {
		say("%s has no symbols for %.2f%% of the samples: it is stripped; copy the file that it was before 'strip', or its debug file, to DIR%s, and give --symfs DIR",
		    dso->name, share, word);
		free(word);
		return;
	}
	where = where_to_install(syms, dso);
	say("%s has no symbols for %.2f%% of the samples: install its debug package (Debian, Ubuntu: NAME-dbgsym for the NAME that dpkg -S %s prints; Fedora, RHEL: dnf debuginfo-install \"$(rpm -qf %s)\")%s%s",
	    dso->name, share, word, word, where,
	    asked ? "; the servers of DEBUGINFOD_URLS have none" :
		    ", or set DEBUGINFOD_URLS to a server that has it");
	free(where);
	free(word);
}

void advice_say(const struct groups *g, const struct symbols *syms)
{
	const struct dso *said[FILES];
	const char *why = kernel_missing(&syms->kernel);
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
			say_file(syms, place->dso, share);
	}
}
