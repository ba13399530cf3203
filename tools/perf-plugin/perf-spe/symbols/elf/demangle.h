/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of C++ and Rust functions as their source has them. */
#ifndef PERF_SPE_DEMANGLE_H
#define PERF_SPE_DEMANGLE_H

/*
 * The source's name of a function, to be freed.  NULL if @name is not mangled, or if
 * perf-spe was built without libiberty.
 */
char *demangle(const char *name);

#endif
