/* SPDX-License-Identifier: GPL-2.0-only */
/* Files by their build id, from perf's cache or a server. */
#ifndef PERF_SPE_BUILDID_H
#define PERF_SPE_BUILDID_H

#include <stddef.h>
#include <stdint.h>

/*
 * A file of this build id, to be freed; NULL where there is none.  The caller
 * checks that the file has the id.
 */
char *buildid_program(const uint8_t *id, size_t len);
char *buildid_debug(const uint8_t *id, size_t len);
/* The copy of /proc/kallsyms that perf keeps of a kernel */
char *buildid_kallsyms(const uint8_t *id, size_t len);

#endif
