// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "output/sentences/sentences.h"
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
		"aligned accesses of the same kind",
		"align the data to the size of the access (alignas, aligned_alloc), and do not pack hot structures",
	},
	[FINDING_REMOTE] = {
		"loads that another socket or chip served, by the data source packet",
		"loads with the same cache events that this socket served",
		"place threads and their memory on one NUMA node (numactl --cpunodebind --membind, or first touch by the thread that uses the data)",
	},
	[FINDING_SHARING] = {
		"loads and stores of threads that use different bytes of one cache line",
		"loads and stores that hit the first cache",
		"give each thread's data a cache line of its own (alignas(64), or padding between the offsets below)",
	},
	[FINDING_ATOMICS] = {
		"atomic or exclusive accesses of several threads to one cache line",
		"atomic accesses, or other ones if no atomic does, that hit the first cache",
		"count per thread and add up at the end, split the lock or hold it shorter, read before an atomic write",
	},
	[FINDING_MISSES] = {
		.base = "hits of the same instruction, or of others if it has too few; page table walks are left out (they count in tlb-walks)",
	},
	[FINDING_STRIDE] = {
		"misses of a load whose addresses have a regular stride",
		"its samples that hit, or other loads that hit the first cache",
		"prefetch as many strides ahead as the latency needs ('perf spe pgo -f prefetch' writes hints for compilers), or reorder the data so that the loop reads it in sequence",
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
		"if each step uses only a part of the stride, pack the used fields together (order of fields, smaller types); if the data are in sequence already, do all work on a block while the cache has it, or prefetch ahead",
	},
	[MISS_NEAR] = {
		"loads and stores that missed the first cache, of data that an outer cache has",
		"work on blocks of the data that fit the first cache, or make its elements smaller",
	},
	[MISS_FIELDS] = {
		"loads and stores of fields of structures that missed a cache, without a stride",
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
