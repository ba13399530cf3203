// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

static void range_add(struct node_ranges *r, uint64_t first, uint64_t last,
		      uint32_t node)
{
	struct node_range *end = r->nr ? &r->of[r->nr - 1] : NULL;

	if (end && end->node == (int32_t)node && end->last + 1 == first) {
		end->last = last;
		return;
	}
	r->of = array_grow(r->of, r->nr, &r->room, sizeof(*r->of));
	r->of[r->nr++] = (struct node_range){ first, last, (int32_t)node };
}

static int range_order(const void *a, const void *b)
{
	const struct node_range *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static void ranges_sort(struct node_ranges *r)
{
	if (r->nr)
		qsort(r->of, r->nr, sizeof(*r->of), range_order);
}

static int32_t range_find(const struct node_ranges *r, uint64_t what)
{
	size_t low;

	lower_bound(low, r->nr, r->of[low].first <= what);
	return low && what <= r->of[low - 1].last ? r->of[low - 1].node :
						    NODE_UNKNOWN;
}

/* Add the CPUs of a list such as "0-3,8"; false if it is malformed. */
static bool cpu_list(struct node_ranges *cpus, const char *list, uint32_t node)
{
	/* The list of a node without CPUs is empty. */
	while (*list && *list != '\n') {
		unsigned long first, last;
		char *end;

		first = last = strtoul(list, &end, 10);
		if (end == list)
			return false;
		if (*end == '-') {
			list = end + 1;
			last = strtoul(list, &end, 10);
			if (end == list || last < first)
				return false;
		}
		range_add(cpus, first, last, node);
		list = *end == ',' ? end + 1 : end;
		if (*end && *end != ',' && *end != '\n')
			return false;
	}
	return true;
}

static bool read_cpus(struct nodes *n, const struct perfdata *pd)
{
	struct cursor r;
	uint32_t count, node;

	if (!feature_begin(&r, pd, PD_NUMA_TOPOLOGY))
		return true;
	for (count = cursor_u32(&r); count && !r.bad; count--) {
		node = cursor_u32(&r);
		cursor_u64(&r);	/* its memory, in KiB */
		cursor_u64(&r);	/* and what of it was free */
		if (node > INT32_MAX ||
		    !cpu_list(&n->cpus, feature_string(&r), node))
			r.bad = true;
	}
	ranges_sort(&n->cpus);
	return !r.bad;
}

/* Beyond all physical addresses, which have at most 56 bits */
#define ADDRESS_LIMIT (UINT64_C(1) << 60)

/* Read the memory blocks of a node: a bitmap with a bit for each block. */
static bool read_blocks(struct nodes *n, struct cursor *r,
			uint64_t block)
{
	uint64_t node = cursor_u64(r), bits, i, word = 0;

	cursor_u64(r);		/* the bitmap's size, which it repeats itself */
	bits = cursor_u64(r);
	if (node > INT32_MAX || bits / 8 > r->left)
		return false;
	for (i = 0; i < bits && !r->bad; i++) {
		if (i % 64 == 0)
			word = cursor_u64(r);
		if (!(word >> i % 64 & 1))
			continue;
		if (i >= ADDRESS_LIMIT / block)
			return false;
		range_add(&n->memory, i * block, (i + 1) * block - 1,
			  (uint32_t)node);
	}
	return !r->bad;
}

static bool read_memory(struct nodes *n, const struct perfdata *pd)
{
	struct cursor r;
	uint64_t block, count;

	if (!feature_begin(&r, pd, PD_MEM_TOPOLOGY))
		return true;
	/* The layout of other versions is not known. */
	if (cursor_u64(&r) != 1)
		return !r.bad;
	block = cursor_u64(&r);
	count = cursor_u64(&r);
	if (r.bad || !block || block > ADDRESS_LIMIT)
		return false;
	while (count--)
		if (!read_blocks(n, &r, block))
			return false;
	ranges_sort(&n->memory);
	return true;
}

bool nodes_init(struct nodes *n, const struct session *s)
{
	const char *what = NULL;

	memset(n, 0, sizeof(*n));
	if (!s)
		return true;
	if (!read_cpus(n, &s->pd))
		what = "NUMA_TOPOLOGY";
	else if (!read_memory(n, &s->pd))
		what = "MEM_TOPOLOGY";
	if (!what)
		return true;
	say("%s: cannot tell NUMA nodes: the header's %s is damaged; record again",
	    perfdata_name(&s->pd), what);
	nodes_free(n);
	return false;
}

int32_t nodes_of_cpu(const struct nodes *n, int32_t cpu)
{
	return cpu == NO_ID ? NODE_UNKNOWN :
			      range_find(&n->cpus, (uint32_t)cpu);
}

int32_t nodes_of_row(const struct nodes *n, const struct row_batch *b, size_t i)
{
	if (!(b->addr_valid[i] >> SPE_ADDR_DATA_PA & 1))
		return NODE_UNKNOWN;
	return range_find(&n->memory, armspe_addr_physical(b->pa[i]));
}

static size_t share_find(const struct nodes *n, int32_t cpu_node, int32_t memory_node)
{
	size_t i;

	if (n->latest < n->nr_shares && n->shares[n->latest].cpu_node == cpu_node &&
	    n->shares[n->latest].memory_node == memory_node)
		return n->latest;
	for (i = 0; i < n->nr_shares; i++)
		if (n->shares[i].cpu_node == cpu_node &&
		    n->shares[i].memory_node == memory_node)
			return i;
	return SIZE_MAX;
}

size_t nodes_share_of(const struct nodes *n, const struct row_batch *b, size_t i)
{
	if (n->nr_shares == 1)
		return 0;
	return share_find(n, nodes_of_cpu(n, b->piece->cpu), nodes_of_row(n, b, i));
}

static struct node_share *share_get(struct nodes *n, int32_t cpu_node,
				    int32_t memory_node)
{
	size_t at = share_find(n, cpu_node, memory_node);
	struct node_share *share;

	n->latest = at != SIZE_MAX ? at : n->nr_shares;
	if (at != SIZE_MAX)
		return &n->shares[at];
	n->shares = array_grow(n->shares, n->nr_shares, &n->room_shares,
			       sizeof(*n->shares));
	share = &n->shares[n->nr_shares++];
	memset(share, 0, sizeof(*share));
	share->cpu_node = cpu_node;
	share->memory_node = memory_node;
	return share;
}

int32_t nodes_add(struct nodes *n, const struct row_batch *b, size_t i)
{
	const int32_t node = nodes_of_row(n, b, i);
	struct node_share *share;

	if (n->piece != b->piece) {
		n->piece = b->piece;
		n->cpu_node = nodes_of_cpu(n, b->piece->cpu);
	}
	share = share_get(n, n->cpu_node, node);
	n->samples++;
	n->physical += b->addr_valid[i] >> SPE_ADDR_DATA_PA & 1;
	share->count++;
	share->stores += !!(batch_op(b, i)->flags & ARMSPE_OPF_STORE);
	share->remote += batch_events(b, i) >> SPE_EVENT_REMOTE_ACCESS & 1;
	share->timed += batch_has(b, i, SPE_COUNTER_TOTAL);
	share->cycles += batch_cycles(b, i);
	return node;
}

void nodes_merge(struct nodes *n, const struct nodes *from)
{
	size_t i;

	for (i = 0; i < from->nr_shares; i++) {
		const struct node_share *other = &from->shares[i];
		struct node_share *share = share_get(n, other->cpu_node, other->memory_node);

		share->count += other->count;
		share->stores += other->stores;
		share->remote += other->remote;
		share->timed += other->timed;
		share->cycles += other->cycles;
	}
	n->samples += from->samples;
	n->physical += from->physical;
}

static int share_order(const void *a, const void *b)
{
	const struct node_share *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->cpu_node != y->cpu_node)
		return x->cpu_node < y->cpu_node ? -1 : 1;
	return x->memory_node < y->memory_node ? -1 :
	       x->memory_node > y->memory_node;
}

void nodes_finish(struct nodes *n)
{
	if (n->nr_shares)
		qsort(n->shares, n->nr_shares, sizeof(*n->shares), share_order);
}

const char *nodes_no_memory(const struct nodes *n)
{
	if (!n->physical)
		return "no sample has a physical address; record with --physical";
	if (!n->memory.nr)
		return "the file's header has no MEM_TOPOLOGY, which perf writes on kernels with memory blocks in sysfs";
	return NULL;
}

const char *nodes_no_cpus(const struct nodes *n)
{
	return n->cpus.nr ? NULL :
	       "the file's header has no NUMA_TOPOLOGY, which perf writes on kernels with nodes in sysfs";
}

const char *node_way(const struct node_share *share)
{
	if (share->cpu_node < 0 || share->memory_node < 0)
		return "";
	return share->cpu_node == share->memory_node ? "local" : "other node";
}

char *node_text(int32_t node)
{
	return node == NODE_UNKNOWN ? xformat("-") :
	       node == NODE_SEVERAL ? xformat("several") : xformat("%d", node);
}

void nodes_free(struct nodes *n)
{
	free(n->cpus.of);
	free(n->memory.of);
	free(n->shares);
	memset(n, 0, sizeof(*n));
}
