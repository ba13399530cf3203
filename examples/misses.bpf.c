// SPDX-License-Identifier: GPL-2.0-only
/* Counts the cache lines that the tasks of each control group miss in the first-level cache. */
#include "sample.bpf.h"
#include "keys.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ENTRIES);
	__type(key, struct line);
	__type(value, struct sum);
} lines SEC(".maps");

static __always_inline int missed(union perf_mem_data_src source)
{
	__u64 hit = PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT;

	return source.mem_lvl && !(source.mem_lvl & PERF_MEM_LVL_NA) && (source.mem_lvl & hit) != hit;
}

SEC("perf_event")
int take_sample(struct bpf_perf_event_data *context)
{
	struct sample sample = read_sample(context);
	struct line line = {
		.cgroup = bpf_get_current_cgroup_id(),
		.address = sample.address & -(__u64)LINE_BYTES,
	};

	count_total(TOTAL_SAMPLES);
	if (missed(sample.source))
		add_to(&lines, &line, &sample);
	return 0;
}

char terms[] SEC("license") = "GPL";
