// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of functions as the source has them, by libiberty.  A mangled name refers to its
 * earlier parts, so that 1 KB can stand for gigabytes.  A name stays mangled if it, or what it
 * stands for, is too long, or if that takes too much time.
 */
#include <stddef.h>

#include "symbols/elf/elf.h"

#ifdef HAVE_IBERTY

#include HAVE_IBERTY
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/util.h"

/* libiberty calls itself for each level, at most once for each character. */
#define MANGLED_MOST	16384u
#define SOURCE_MOST	65536u
#define STACK_BYTES	((size_t)8 << 20)

/* A shorter name cannot take long.  Those that are longer, and name parts again, get a thread. */
#define QUICK		128u
#define US_USUAL	200		/* CPU time of a name that is no attack, with its thread */
#define US_MOST		50000
/* For all names that take more than usual: then no such name is tried any more. */
#define US_ALL		500000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long wasted;		/* us */

struct work {
	const char *name;
	char text[SOURCE_MOST];
	size_t len;
	bool good, done;
	long us;		/* of the thread */
	jmp_buf too_long;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

/* libiberty keeps what it needs on the stack, so this may leave it in the middle. */
static void take(const char *part, size_t len, void *context)
{
	struct work *w = context;

	if (len >= SOURCE_MOST - w->len)
		longjmp(w->too_long, 1);
	memcpy(w->text + w->len, part, len);
	w->len += len;
}

static bool from_rust(struct work *w)
{
	return !setjmp(w->too_long) && rust_demangle_callback(w->name, DMGL_PARAMS | DMGL_ANSI, take, w);
}

static bool from_cxx(struct work *w)
{
	return !setjmp(w->too_long) && cplus_demangle_v3_callback(w->name, DMGL_PARAMS | DMGL_ANSI, take, w);
}

/* CPU time of a thread in us */
static long cpu_us(clockid_t clock)
{
	struct timespec used = { 0 };

	clock_gettime(clock, &used);
	return (long)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static void *thread(void *context)
{
	struct work *w = context;
	int old;

	/* Between the two calls this thread holds no lock and allocates nothing. */
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	w->good = from_cxx(w);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	w->us = cpu_us(CLOCK_THREAD_CPUTIME_ID);
	pthread_mutex_lock(&w->lock);
	w->done = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Wait until the thread has ended or taken its time: CPU time, as the machine may be busy. */
static void await(struct work *w, pthread_t of)
{
	struct timespec until;
	clockid_t clock;

	pthread_mutex_lock(&w->lock);
	while (!w->done && (pthread_getcpuclockid(of, &clock) || cpu_us(clock) < US_MOST)) {
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += 10000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		pthread_cond_timedwait(&w->changed, &w->lock, &until);
	}
	if (!w->done)
		pthread_cancel(of);
	pthread_mutex_unlock(&w->lock);
}

static bool convert_in_time(struct work *w)
{
	pthread_condattr_t clock;
	pthread_attr_t stack;
	pthread_t of;
	int rc;

	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, &clock);
	pthread_attr_init(&stack);
	pthread_attr_setstacksize(&stack, STACK_BYTES);
	rc = pthread_create(&of, &stack, thread, w);
	if (!rc) {
		await(w, of);
		pthread_join(of, NULL);
	}
	pthread_attr_destroy(&stack);
	pthread_condattr_destroy(&clock);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	if (!w->done)
		w->us = US_MOST;
	if (w->us > US_USUAL)
		wasted += w->us;
	return w->done && w->good;
}

/* Whether a name has parts that it names again, packs, or conversions, of which libiberty tries two meanings */
static bool is_hard(const char *name, size_t len)
{
	const char *at;

	if (len <= QUICK || name[1] != 'Z')
		return false;
	for (at = name + 2; at[1]; at++)
		if ((*at == 'S' && (at[1] == '_' || (at[1] >= '0' && at[1] <= '9') ||
				    (at[1] >= 'A' && at[1] <= 'Z'))) ||
		    (*at == 'T' && (at[1] == '_' || (at[1] >= '0' && at[1] <= '9'))) ||
		    (*at == 'D' && at[1] == 'p') || (*at == 'c' && at[1] == 'v'))
			return true;
	return false;
}

/* The name of a function of another file, through which code of this file calls it */
static char *demangle_stub(const char *name, size_t len)
{
	char *mangled = xstrndup(name, len), *plain = demangle(mangled), *text = NULL;

	if (plain)
		text = xformat("%s@plt", plain);
	free(plain);
	free(mangled);
	return text;
}

char *demangle(const char *name)
{
	struct work *w;
	size_t len;
	char *text = NULL;
	bool good;

	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return NULL;
	len = strnlen(name, MANGLED_MOST + 1);
	if (len > MANGLED_MOST)
		return NULL;
	if (len > 4 && !strcmp(name + len - 4, "@plt"))
		return demangle_stub(name, len - 4);
	w = xrealloc(NULL, sizeof(*w));
	w->name = name;
	w->len = 0;
	w->good = w->done = false;
	/*
	 * Rust's older mangling is C++ with a hash: c++filt would print that too.  Each step of the
	 * newer one writes something, so that the length is limit enough.
	 */
	good = from_rust(w);
	if (!good) {
		w->len = 0;
		if (!is_hard(name, len)) {
			good = from_cxx(w);
		} else {
			pthread_mutex_lock(&lock);
			good = wasted < US_ALL && convert_in_time(w);
			pthread_mutex_unlock(&lock);
		}
	}
	if (good)
		text = xstrndup(w->text, w->len);
	free(w);
	return text;
}

#else

char *demangle(const char *name)
{
	(void)name;
	return NULL;
}

#endif
