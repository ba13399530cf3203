// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/heap/heap_logs.h"
#include "analysis/rows/heap_names.h"
#include "input/ids.h"
#include "input/session.h"
#include "symbols/srcline.h"
#include "symbols/symtab.h"
#include "util/memory.h"

struct heap_names {
	const struct resolver *resolver;
	const char *data;
	pthread_mutex_t lock;
	struct heap_logs *logs;		/* NULL: not read yet */
};

const char *heap_life_name(unsigned int life)
{
	static const char *const names[] = {
		[HEAP_LIVE] = "live", [HEAP_FREED] = "freed",
		[HEAP_INHERITED] = "inherited", [HEAP_LIFE_UNKNOWN] = "unknown",
	};

	return life < NR_HEAP_LIVES ? names[life] : NULL;
}

struct heap_names *heap_names_new(const struct resolver *r, const char *data)
{
	struct heap_names *n;

	if (!r->session || !data)
		return NULL;
	n = xcalloc(1, sizeof(*n));
	n->resolver = r;
	n->data = data;
	pthread_mutex_init(&n->lock, NULL);
	return n;
}

void heap_names_free(struct heap_names *n)
{
	if (!n)
		return;
	heap_logs_free(n->logs);
	pthread_mutex_destroy(&n->lock);
	free(n);
}

/* The site is the address after the call: the call has the address before. */
static void name_site(const struct heap_names *n, struct owner owner, uint64_t site,
		      uint64_t begin, char *text, size_t room)
{
	uint64_t time = UINT64_MAX;
	const struct symbol *symbol;
	const char *file, *slash;
	struct place place;
	int line;

	session_time(n->resolver->session, begin, &time);
	resolve_address(n->resolver, owner, site - 1, time, &place);
	symbol = place.dso ? symtab_find(&place.dso->symtab, place.file_address) : NULL;
	if (place.symbol && place.dso &&
	    srcline_find(place.dso, place.file_address, &file, &line)) {
		slash = strrchr(file, '/');
		snprintf(text, room, "%s at %s:%d", place.symbol, slash ? slash + 1 : file, line);
	} else if (place.symbol && symbol) {
		snprintf(text, room, "%s+0x%" PRIx64, place.symbol,
			 place.file_address + 1 - symbol->start);
	} else {
		snprintf(text, room, "%s+0x%" PRIx64, place.object,
			 place.dso ? place.file_address + 1 : site);
	}
}

bool heap_names_find(struct heap_names *n, struct owner owner,
		     const struct armspe_record *rec, struct heap_name *name)
{
	bool timed = rec->valid & ARMSPE_HAS_TIMESTAMP;
	const struct heap_blocks *blocks;
	struct heap_found found;
	uint64_t address;
	bool good;

	if (!(rec->addr_valid >> SPE_ADDR_DATA_VA & 1) || owner.pid == NO_ID)
		return false;
	address = armspe_addr_virtual(rec->addr[SPE_ADDR_DATA_VA]);
	if (address >> 63)
		return false;
	pthread_mutex_lock(&n->lock);
	if (!n->logs)
		n->logs = heap_logs_new(n->resolver->session, n->data);
	good = heap_logs_find(n->logs, owner.pid, address, timed ? &rec->timestamp : NULL,
			      &found, &blocks);
	if (good) {
		name->size = found.block->size;
		name->offset = address - found.start;
		name->life = found.life;
		name_site(n, owner, heap_blocks_site(blocks, found.block->site),
			  found.block->begin, name->site, sizeof(name->site));
	}
	pthread_mutex_unlock(&n->lock);
	return good;
}
