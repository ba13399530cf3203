// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/heap/heap.h"
#include "analysis/rows/rows.h"
#include "input/input.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* The text of a call, by its place in a file */
struct call_text {
	const struct dso *dso;
	uint64_t address;
	const char *text;	/* NULL: an empty slot */
};

struct heap_names {
	const struct resolver *resolver;
	const char *data;
	bool followed;
	pthread_mutex_t lock;
	struct heap_logs *logs;		/* NULL: not read yet */
	struct hash_table calls;	/* struct call_text */
	struct string_set texts;
	const char *own_new;		/* the file of a site in operator new; NULL: there was none */
};

static const struct hash_kind call_kind = {
	HASH_SLOTS(struct call_text, text),
	.key = { HASH_NUMBER(struct call_text, dso), HASH_NUMBER(struct call_text, address) },
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
	n->followed = heap_logs_followed(r->session, data);
	pthread_mutex_init(&n->lock, NULL);
	return n;
}

void heap_names_say(struct heap_names *n)
{
	if (n->own_new)
		say("blocks that %s allocated by operator new have this function as their site, not its caller: the program has an operator new of its own (-static-libstdc++, for example), which the log of the heap does not follow; link it with libstdc++ as a shared object, and record again",
		    n->own_new);
	n->own_new = NULL;
}

void heap_names_free(struct heap_names *n)
{
	if (!n)
		return;
	heap_logs_free(n->logs);
	hash_table_free(&n->calls);
	string_set_free(&n->texts);
	pthread_mutex_destroy(&n->lock);
	free(n);
}

/* The text, to be freed; @place is of the call, which is before @site. */
static char *text_of_call(const struct place *place, uint64_t site)
{
	const struct symbol *symbol = place->dso ?
		symtab_find(&place->dso->symtab, place->file_address) : NULL;
	const char *file;
	int line;

	if (place->symbol && place->dso && inline_line(place->dso, place->file_address, &file, &line))
		return xformat("%s at %s:%d", place->symbol, path_short(file), line);
	if (place->symbol && symbol)
		return xformat("%s+0x%" PRIx64, place->symbol, place->file_address + 1 - symbol->start);
	return xformat("%s+0x%" PRIx64, place->object, place->dso ? place->file_address + 1 : site);
}

/* Frees @text. */
static const char *keep_text(struct heap_names *n, char *text)
{
	const char *kept = string_set_add(&n->texts, text);

	free(text);
	return kept;
}

/* By either name; an operator new[] too */
static bool is_operator_new(const char *symbol)
{
	return !strncmp(symbol, "operator new", strlen("operator new")) ||
	       !strncmp(symbol, "_Znwm", strlen("_Znwm")) || !strncmp(symbol, "_Znam", strlen("_Znam"));
}

/* The site is the address after the call: the call has the address before. */
static const char *site_text(struct heap_names *n, struct owner owner, uint64_t site,
			     uint64_t begin)
{
	uint64_t time = UINT64_MAX;
	struct call_text *call, key;
	struct place place;

	session_time(n->resolver->session, begin, &time);
	resolve_address(n->resolver, owner, site - 1, time, &place);
	if (!place.dso)
		return keep_text(n, text_of_call(&place, site));
	key = (struct call_text){ .dso = place.dso, .address = place.file_address };
	call = hash_table_add(&n->calls, &call_kind, &key);
	if (!call->text) {
		if (place.symbol && !n->own_new && is_operator_new(place.symbol))
			n->own_new = string_set_add(&n->texts, place.object);
		key.text = keep_text(n, text_of_call(&place, site));
		*call = key;
	}
	return call->text;
}

/* The caller must hold the lock. */
static struct heap_logs *logs_of(struct heap_names *n)
{
	if (!n->logs)
		n->logs = heap_logs_new(n->resolver->session, n->data);
	return n->logs;
}

/* The caller must hold the lock. */
static bool find_name(struct heap_names *n, struct owner owner,
		      const struct armspe_record *rec, struct heap_name *name)
{
	bool timed = rec->valid & ARMSPE_HAS_TIMESTAMP;
	const struct heap_blocks *blocks;
	struct heap_found found;
	uint64_t address;

	if (!(rec->addr_valid >> SPE_ADDR_DATA_VA & 1) || owner.pid == NO_ID || owner.guest)
		return false;
	address = armspe_addr_virtual(rec->addr[SPE_ADDR_DATA_VA]);
	if (address >> 63)
		return false;
	if (!heap_logs_find(logs_of(n), owner.process, owner.pid, address,
			    timed ? &rec->timestamp : NULL, &found, &blocks))
		return false;
	name->size = found.block->size;
	name->offset = address - found.start;
	name->life = found.life;
	name->site = site_text(n, owner, heap_blocks_site(blocks, found.block->site),
			       found.block->begin);
	return true;
}

bool heap_names_find(struct heap_names *n, struct owner owner,
		     const struct armspe_record *rec, struct heap_name *name)
{
	bool good;

	pthread_mutex_lock(&n->lock);
	good = find_name(n, owner, rec, name);
	pthread_mutex_unlock(&n->lock);
	return good;
}

/* As heap_names_find(), as a place; false too if the block has been freed */
static bool heap_names_place(struct heap_names *n, struct owner owner,
			     const struct armspe_record *rec, struct data_place *place)
{
	struct heap_name name;
	char size[32];
	bool good;

	pthread_mutex_lock(&n->lock);
	good = find_name(n, owner, rec, &name) && name.life != HEAP_FREED;
	if (good) {
		snprintf(size, sizeof(size), "%" PRIu64 "-byte block", name.size);
		*place = (struct data_place){
			.kind = DATA_HEAP, .has_base = true, .block = true,
			.object = name.site, .symbol = string_set_add(&n->texts, size),
			.base = armspe_addr_virtual(rec->addr[SPE_ADDR_DATA_VA]) - name.offset,
		};
	}
	pthread_mutex_unlock(&n->lock);
	return good;
}

bool rows_have_heap_logs(const struct rows *r)
{
	bool any;

	if (!r->heap)
		return false;
	pthread_mutex_lock(&r->heap->lock);
	any = heap_logs_any(logs_of(r->heap));
	pthread_mutex_unlock(&r->heap->lock);
	return any;
}

bool rows_have_blocks(const struct rows *r)
{
	return r->heap && r->heap->followed;
}

bool batch_memory(const struct row_batch *b, size_t i, struct data_place *place)
{
	const struct rows *r = b->rows;
	const struct owner *owner = batch_owner(b, i);
	struct row row;

	if (!(b->addr_valid[i] >> SPE_ADDR_DATA_VA & 1))
		return false;
	if (rows_have_blocks(r)) {
		row = batch_row(b);
		batch_row_at(b, i, &row);
		if (heap_names_place(r->heap, *owner, row.rec, place))
			return true;
	}
	if (r->data)
		*place = *data_names_find(r->data, owner, b->va[i], b->time[i]);
	return r->data;
}
