// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "heap.h"

static struct real real;
static atomic_bool found;
static __thread bool looking __attribute__((tls_model("initial-exec")));

static char early[65536] __attribute__((aligned(16)));
static atomic_size_t early_used;

void *early_alloc(size_t size)
{
	size_t room = (size + 15) & ~(size_t)15, at;

	if (size > sizeof(early))
		return NULL;
	at = atomic_fetch_add(&early_used, room);
	return at + room <= sizeof(early) ? early + at : NULL;
}

bool early_has(const void *p)
{
	return (uintptr_t)p - (uintptr_t)early < sizeof(early);
}

size_t early_room(const void *p)
{
	return (size_t)(early + sizeof(early) - (const char *)p);
}

/* A pointer to a function: ISO C has no cast from dlsym's pointer to an object. */
static void find(const char *name, void *function)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	memcpy(function, &symbol, sizeof(symbol));
}

const struct real *real_find(void)
{
	int error;

	if (atomic_load_explicit(&found, memory_order_acquire))
		return &real;
	if (looking)
		return NULL;
	error = errno;
	looking = true;
	/* Two threads that come here at the same time store the same pointers. */
	find("malloc", &real.malloc);
	find("calloc", &real.calloc);
	find("realloc", &real.realloc);
	find("free", &real.free);
	find("posix_memalign", &real.posix_memalign);
	find("aligned_alloc", &real.aligned_alloc);
	find("memalign", &real.memalign);
	find("valloc", &real.valloc);
	looking = false;
	errno = error;
	atomic_store_explicit(&found, true, memory_order_release);
	return &real;
}
