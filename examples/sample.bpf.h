/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a BPF program reads of a sample of spe_sample_N.
 *
 * The context of such a program has the address and the registers.  Latency and data source are
 * in the kernel's own structures, which bpf_cast_to_kern_ctx() of Linux 6.2 gives access to.
 * Their members are named here; libbpf finds where they are in the running kernel.
 */
#ifndef SAMPLE_BPF_H
#define SAMPLE_BPF_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/perf_event.h>

#include <bpf/bpf_helpers.h>

#define KERNEL_TYPE	__attribute__((preserve_access_index))

struct perf_sample_data {
	union perf_sample_weight weight;
	union perf_mem_data_src data_src;
} KERNEL_TYPE;

struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
} KERNEL_TYPE;

void *bpf_cast_to_kern_ctx(void *context) __ksym;

struct sample {
	__u64 ip;		/* address of the instruction */
	__u64 address;		/* of its data; 0: it accessed none */
	__u32 cycles;		/* total latency */
	union perf_mem_data_src source;
};

static __always_inline struct sample read_sample(struct bpf_perf_event_data *context)
{
	struct bpf_perf_event_data_kern *kernel = bpf_cast_to_kern_ctx(context);

	return (struct sample) {
		.ip = context->regs.pc,
		.address = context->addr,
		.cycles = kernel->data->weight.var1_dw,
		.source.val = kernel->data->data_src.val,
	};
}

/* How many samples came, and for how many a map had no room. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u64);
} totals SEC(".maps");

enum { TOTAL_SAMPLES, TOTAL_DROPPED };

static __always_inline void count_total(__u32 which)
{
	__u64 *total = bpf_map_lookup_elem(&totals, &which);

	if (total)
		__sync_fetch_and_add(total, 1);
}

/* Samples with something in common. */
struct sum {
	__u64 samples;
	__u64 cycles;
};

/* Adds the sample to the element of MAP with this key. */
static __always_inline void add_to(void *map, const void *key, const struct sample *sample)
{
	static const struct sum none;
	struct sum *sum = bpf_map_lookup_elem(map, key);

	if (!sum) {
		/* Another CPU may add the element first; then this does nothing. */
		bpf_map_update_elem(map, key, &none, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(map, key);
	}
	if (!sum) {
		count_total(TOTAL_DROPPED);
		return;
	}
	__sync_fetch_and_add(&sum->samples, 1);
	__sync_fetch_and_add(&sum->cycles, sample->cycles);
}

#endif
