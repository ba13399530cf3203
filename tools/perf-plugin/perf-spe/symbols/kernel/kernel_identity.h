/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which kernel a recording or a file with symbols belongs to: architecture, build
 * id and release.
 */
#ifndef PERF_SPE_KERNEL_IDENTITY_H
#define PERF_SPE_KERNEL_IDENTITY_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

#define KERNEL_ID_MAX 20

struct kernel_identity {
	uint16_t machine;		/* EM_...; EM_NONE: unknown */
	uint8_t id[KERNEL_ID_MAX];	/* build id */
	size_t id_len;			/* 0: unknown */
	char release[128];		/* as of uname -r; empty: unknown */
};

/*
 * The recorded kernel.  @listed is its entry in the list of build ids, or NULL; the
 * kernel's mapping may have one too.  Without a session only the architecture is
 * known.
 */
void kernel_identity_recorded(struct kernel_identity *k, const struct session *s,
			      const uint8_t *listed, size_t len);
/* A vmlinux file; what the file does not have stays unknown. */
void kernel_identity_vmlinux(struct kernel_identity *k, Elf *elf);
/*
 * The kernel of a file whose path ends with "/proc/kallsyms", from the files
 * sys/kernel/osrelease and ../sys/kernel/notes beside it.
 */
void kernel_identity_kallsyms(struct kernel_identity *k, const char *path);

/* "arm64"; for a machine without a name "another architecture" */
const char *kernel_machine_name(uint16_t machine);

/*
 * Compare the kernel of file @path with the recorded one.  Returns false after a
 * message if they differ.  Sets *proof to what they share, or to NULL if neither
 * build id nor release is known of both.
 */
bool kernel_identity_same(const struct kernel_identity *file, const char *path,
			  const struct kernel_identity *recorded,
			  const char **proof);

#endif
