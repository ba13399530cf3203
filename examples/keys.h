/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of the maps that the BPF programs fill. */
#ifndef KEYS_H
#define KEYS_H

#include <linux/types.h>

#define ENTRIES		65536
#define PAGE_BYTES	4096
#define LINE_BYTES	64

/* latency: a page or an instruction of a process */
struct place {
	__u64 pid;
	__u64 address;
};

/* misses: a cache line that a control group accesses */
struct line {
	__u64 cgroup;
	__u64 address;
};

#endif
