// SPDX-License-Identifier: GPL-2.0-only
/* Adds the latency of samples up by page and by instruction, for each process. */
#include "sample.bpf.h"
#include "keys.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ENTRIES);
	__type(key, struct place);
	__type(value, struct sum);
} pages SEC(".maps"), code SEC(".maps");

SEC("perf_event")
int take_sample(struct bpf_perf_event_data *context)
{
	struct sample sample = read_sample(context);
	struct place place = { .pid = bpf_get_current_pid_tgid() >> 32, .address = sample.ip };

	count_total(TOTAL_SAMPLES);
	add_to(&code, &place, &sample);
	if (sample.address) {
		place.address = sample.address & -(__u64)PAGE_BYTES;
		add_to(&pages, &place, &sample);
	}
	return 0;
}

char terms[] SEC("license") = "GPL";
