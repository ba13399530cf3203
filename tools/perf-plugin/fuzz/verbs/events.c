// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each kind of event has a function; kinds[] draws them.  Fields come from few processes,
 * threads, CPUs, names and addresses, so that events have to do with each other.
 */
#include <string.h>
#include <sys/mman.h>

#include "fuzz.h"
#include "armspe.h"
#include "heap/heap_format.h"

static uint64_t one_of(struct recording *r, const uint64_t *list, size_t count)
{
	return list[draw(r->dice, count)];
}

#define ONE_OF(r, ...) one_of(r, (const uint64_t []){ __VA_ARGS__ }, \
			      sizeof((const uint64_t []){ __VA_ARGS__ }) / 8)

static uint32_t draw_pid(struct recording *r)
{
	return (uint32_t)usual(r, ONE_OF(r, 10, 10, 10, 10, 11, 12, 20, 0, UINT32_MAX));
}

static uint32_t draw_tid(struct recording *r)
{
	return (uint32_t)usual(r, ONE_OF(r, 10, 10, 10, 11, 12, 13, 20, 0, UINT32_MAX));
}

static uint32_t draw_cpu(struct recording *r)
{
	return (uint32_t)usual(r, ONE_OF(r, 0, 0, 0, 1, 2, 3, 127, UINT32_MAX));
}

static uint64_t draw_code(struct recording *r)
{
	const struct tree *t = r->tree;
	uint64_t offset = draw(r->dice, 16) * 4;

	switch (draw(r->dice, 8)) {
	case 0:
		return usual(r, JIT_CODE + draw(r->dice, 64) * 16);
	case 1:
		return usual(r, KERNEL + draw(r->dice, 0x4000) * 4);
	case 2:
		return PROGRAM + t->segments[0].address + draw(r->dice, 0x4000) * 4;
	default:
		if (!t->nr_code)
			return PROGRAM;
		return usual(r, PROGRAM + t->code[draw(r->dice, t->nr_code)] + offset);
	}
}

static uint64_t draw_data(struct recording *r)
{
	const struct tree *t = r->tree;
	uint64_t offset = draw(r->dice, 64);

	switch (draw(r->dice, 8)) {
	case 0:
		return usual(r, STACK - offset * 8);
	case 1:
		return usual(r, HEAP + offset * 64);
	case 2:
		return usual(r, KERNEL + ONE_OF(r, 0x1000000, 0x3000, 0x100000000) + offset);
	case 3:
		return usual(r, ONE_OF(r, 0xffff000000000000, 0xfffffc0000000000, 0xffff800000000000,
				       0xfffffbfffe000000, 0xfffffbfffdff8000, JIT_CODE, 0x7300000000));
	default:
		if (!t->nr_data)
			return PROGRAM;
		return usual(r, PROGRAM + t->data[draw(r->dice, t->nr_data)] + offset);
	}
}

static const char *draw_name(struct recording *r)
{
	static const char *const names[] = {
		"/prog", "/prog", "/lib.so", "//anon", "[heap]", "[stack]", "[stack:11]", "[vdso]", "[vvar]",
		"[uprobes]", "/dev/zero (deleted)", "/memfd:jit (deleted)", "/SYSV00000000 (deleted)",
		"/anon_hugepage (deleted)", "[anon:heap of mine]", "/tmp/jitted-10-1.so", "/../prog", "",
		"/a", "x", "/kallsyms", "/tmp/perf-10.map", "//anon (deleted)", "/proc/kallsyms", "socket:[1]",
		"anon_inode:[perf_event]", "/dev/hugepages/x", "\xc2\x9b" "31m", "/i915 (deleted)",
	};

	return names[draw(r->dice, sizeof(names) / sizeof(names[0]))];
}

/* Around an event */

void event_begin(struct recording *r, uint32_t type, uint16_t misc)
{
	r->event_at = r->events.len;
	put32(&r->events, (uint32_t)usual(r, type));
	put16(&r->events, (uint16_t)usual(r, misc));
	put16(&r->events, 0);
}

void event_end(struct recording *r)
{
	uint16_t size;

	/* Cut it, or append something. */
	if (r->hostile && one_in(r->dice, 128)) {
		size_t len = r->events.len - r->event_at;

		r->events.len = r->event_at + 8 + draw(r->dice, len - 7);
		fill(&r->events, 1, draw(r->dice, 2) * draw(r->dice, 24));
	}
	size = (uint16_t)usual(r, r->events.len - r->event_at);
	memcpy(r->events.at + r->event_at + 6, &size, 2);
}

size_t event_size(const struct bytes *events, size_t at, size_t *follows)
{
	uint32_t type;
	uint16_t size;
	uint64_t aux;

	*follows = 0;
	if (events->len - at < 8)
		return 0;
	memcpy(&type, events->at + at, 4);
	memcpy(&size, events->at + at + 6, 2);
	if (size < 8 || size > events->len - at)
		return 0;
	if (type == 71 && size >= 16) {
		memcpy(&aux, events->at + at + 8, 8);
		*follows = aux < events->len - at - size ? aux : events->len - at - size;
	}
	return size;
}

static void end_with_id(struct recording *r, uint32_t pid, uint32_t tid)
{
	const struct perf_event_attr *a = &r->attrs[r->owner].attr;
	struct bytes *b = &r->events;

	r->now += draw(r->dice, 1000);
	if (a->sample_id_all && a->sample_type & PERF_SAMPLE_TID) {
		put32(b, pid);
		put32(b, tid);
	}
	if (a->sample_id_all && a->sample_type & PERF_SAMPLE_TIME)
		put64(b, usual(r, one_in(r->dice, 8) ? 0 : r->now));
	if (a->sample_id_all && a->sample_type & PERF_SAMPLE_ID)
		put64(b, r->attrs[r->owner].ids[0]);
	if (a->sample_id_all && a->sample_type & PERF_SAMPLE_STREAM_ID)
		put64(b, r->attrs[r->owner].ids[0]);
	if (a->sample_id_all && a->sample_type & PERF_SAMPLE_CPU)
		put64(b, draw_cpu(r));
	if (a->sample_id_all && a->sample_type & PERF_SAMPLE_IDENTIFIER)
		put64(b, usual(r, r->attrs[r->owner].ids[draw(r->dice, 3)]));
	event_end(r);
}

/* Processes */

static void on_comm(struct recording *r)
{
	uint32_t pid = draw_pid(r), tid = one_in(r->dice, 2) ? pid : draw_tid(r);

	event_begin(r, PERF_RECORD_COMM, one_in(r->dice, 4) ? PERF_RECORD_MISC_COMM_EXEC : 0);
	put32(&r->events, pid);
	put32(&r->events, tid);
	put_padded(&r->events, draw_name(r));
	end_with_id(r, pid, tid);
}

static uint64_t draw_group(struct recording *r)
{
	return usual(r, ONE_OF(r, 1, 1, 2, 3));
}

static void on_cgroup(struct recording *r)
{
	static const char *const paths[] = {
		"/", "/web", "/kubepods/pod01234567-89ab-cdef-0123-456789abcdef/docker-"
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope",
		"/a-kubepods-pod0:cri-containerd:0", "pod", "kubepods-pod", "//docker-/.scope/",
	};

	event_begin(r, 19, 0);		/* PERF_RECORD_CGROUP */
	put64(&r->events, draw_group(r));
	put_padded(&r->events, one_in(r->dice, 4) ? draw_name(r) : paths[draw(r->dice, 7)]);
	end_with_id(r, 0, 0);
}

static void on_task(struct recording *r, uint32_t type)
{
	uint32_t pid = draw_pid(r), parent = one_in(r->dice, 2) ? pid : draw_pid(r), by = draw_tid(r);

	event_begin(r, type, 0);
	put32(&r->events, pid);
	put32(&r->events, parent);
	put32(&r->events, pid == parent ? draw_tid(r) : pid);
	put32(&r->events, by);
	put64(&r->events, usual(r, one_in(r->dice, 4) ? 0 : r->now));
	end_with_id(r, parent, by);
}

static void on_fork(struct recording *r)
{
	on_task(r, PERF_RECORD_FORK);
}

static void on_exit_of(struct recording *r)
{
	on_task(r, PERF_RECORD_EXIT);
}

static void on_itrace(struct recording *r)
{
	uint32_t pid = draw_pid(r), tid = draw_tid(r);

	event_begin(r, PERF_RECORD_ITRACE_START, 0);
	put32(&r->events, pid);
	put32(&r->events, tid);
	end_with_id(r, pid, tid);
}

static void on_switch(struct recording *r)
{
	bool wide = one_in(r->dice, 2);

	event_begin(r, wide ? PERF_RECORD_SWITCH_CPU_WIDE : PERF_RECORD_SWITCH,
		    one_in(r->dice, 2) ? PERF_RECORD_MISC_SWITCH_OUT : 0);
	if (wide) {
		put32(&r->events, draw_pid(r));
		put32(&r->events, draw_tid(r));
	}
	end_with_id(r, draw_pid(r), draw_tid(r));
}

/* Mappings */

struct mapping {
	uint32_t pid;
	uint64_t start, len, pgoff;
	uint32_t prot, flags;
	bool with_id;			/* a build id in place of the inode */
	const char *file;
};

static void put_mapping(struct recording *r, const struct mapping *m)
{
	struct bytes *b = &r->events;
	uint16_t misc = m->start >= KERNEL ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;

	if (!(m->prot & PROT_EXEC))
		misc |= PERF_RECORD_MISC_MMAP_DATA;
	if (m->with_id)
		misc |= 1 << 14;	/* PERF_RECORD_MISC_MMAP_BUILD_ID */
	if (one_in(r->dice, 64))
		misc |= PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT;
	event_begin(r, m->flags ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP, misc);
	put32(b, m->pid);
	put32(b, m->pid == UINT32_MAX ? 0 : draw_tid(r));
	put64(b, usual(r, m->start));
	put64(b, usual(r, m->len));
	put64(b, usual(r, m->pgoff));
	if (m->flags && m->with_id) {
		put32(b, (uint32_t)usual(r, 20));
		put(b, r->tree->id, 20);
	} else if (m->flags) {
		put32(b, 8);
		put32(b, (uint32_t)draw(r->dice, 3));
		put64(b, usual(r, draw(r->dice, 3)));
		put64(b, draw(r->dice, 2));
	}
	if (m->flags) {
		put32(b, (uint32_t)usual(r, m->prot));
		put32(b, (uint32_t)usual(r, m->flags));
	}
	put_padded(b, m->file);
	end_with_id(r, m->pid, m->pid);
}

static void map_program(struct recording *r, uint32_t pid)
{
	size_t i;

	for (i = 0; i < r->tree->nr_segments; i++) {
		const struct load_segment *s = &r->tree->segments[i];
		uint64_t page = s->address & 0xfff;
		const struct mapping m = {
			.pid = pid, .start = PROGRAM + s->address - page,
			.len = (s->memsz + page + 0xfff) & ~UINT64_C(0xfff), .pgoff = s->offset - page,
			.prot = (s->flags & 1 ? PROT_EXEC : 0) | PROT_READ | (s->flags & 2 ? PROT_WRITE : 0),
			.flags = MAP_PRIVATE, .with_id = one_in(r->dice, 3), .file = "/prog",
		};

		put_mapping(r, &m);
	}
}

static void on_map(struct recording *r)
{
	static const uint64_t starts[] = { PROGRAM, PROGRAM + 0x10000, HEAP, JIT_CODE, STACK, KERNEL, 0 };
	struct mapping m = {
		.pid = draw_pid(r), .start = one_of(r, starts, 7) - draw(r->dice, 3) * 0x1000,
		.len = draw(r->dice, 64) * 0x1000 + 0x1000, .pgoff = draw(r->dice, 3) * 0x1000,
		.prot = (uint32_t)ONE_OF(r, PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE, PROT_READ, 7, 0100644),
		.flags = (uint32_t)ONE_OF(r, 0, MAP_PRIVATE, MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED,
					  MAP_PRIVATE | MAP_HUGETLB),
		.with_id = one_in(r->dice, 4), .file = draw_name(r),
	};

	put_mapping(r, &m);
}

/* So many that a process gets an index */
static void on_many_maps(struct recording *r)
{
	size_t count = 20 + draw(r->dice, 100);

	if (one_in(r->dice, 4))
		while (count--)
			on_map(r);
}

static void on_kernel_map(struct recording *r)
{
	static const char *const names[] = { "[kernel.kallsyms]_text", "[kernel.kallsyms]_stext", "[mod]",
		"/lib/modules/9.9.9/kernel/mod.ko.xz", "[kernel.kallsyms]", "[bpf]" };
	struct mapping m = {
		.pid = UINT32_MAX, .start = KERNEL - draw(r->dice, 4) * 0x1000000, .len = 0x1000000,
		.pgoff = KERNEL + (one_in(r->dice, 2) ? 0 : draw(r->dice, 8) * 0x10000), .prot = PROT_EXEC, .with_id = one_in(r->dice, 3),
		.flags = (uint32_t)draw(r->dice, 2), .file = names[draw(r->dice, 6)],
	};

	put_mapping(r, &m);
}

static void on_ksymbol(struct recording *r)
{
	event_begin(r, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL);
	put64(&r->events, usual(r, KERNEL + draw(r->dice, 8) * 0x100));
	put32(&r->events, (uint32_t)usual(r, 0x100));
	put16(&r->events, (unsigned int)draw(r->dice, 4));
	put16(&r->events, (unsigned int)draw(r->dice, 2));
	put_padded(&r->events, one_in(r->dice, 2) ? "bpf_prog_0123_x" : draw_name(r));
	end_with_id(r, 0, 0);
}

/* Losses */

static void on_aux(struct recording *r)
{
	event_begin(r, PERF_RECORD_AUX, 0);
	put64(&r->events, usual(r, r->stream[0]));
	put64(&r->events, usual(r, 64));
	put64(&r->events, usual(r, draw(r->dice, 16)));
	end_with_id(r, draw_pid(r), draw_tid(r));
}

static void on_lost(struct recording *r)
{
	bool samples = one_in(r->dice, 2);

	event_begin(r, samples ? PERF_RECORD_LOST_SAMPLES : PERF_RECORD_LOST, 0);
	if (!samples)
		put64(&r->events, r->attrs[r->owner].ids[0]);
	put64(&r->events, usual(r, draw(r->dice, 100)));
	end_with_id(r, draw_pid(r), draw_tid(r));
}

/* SPE records */

#define USER_PC(address)	(UINT64_C(1) << 63 | (address))

static uint64_t pc_of(uint64_t address)
{
	return address >= KERNEL ? UINT64_C(0xa0) << 56 | (address & 0xffffffffffffff) : USER_PC(address);
}

static void add_record(struct recording *r)
{
	struct armspe_encoder *e = &r->spe;
	unsigned int class = (unsigned int)draw(r->dice, 4);
	uint64_t events = ONE_OF(r, 2, 0x13, 0x82, 0x422, 0x842, 0xffff, 0x10012);

	armspe_encode_address(e, SPE_ADDR_PC, usual(r, pc_of(draw_code(r))));
	if (!one_in(r->dice, 4))
		armspe_encode_context(e, (unsigned int)draw(r->dice, 2), draw_tid(r));
	armspe_encode_counter(e, 0, (uint16_t)usual(r, draw(r->dice, 500)));
	armspe_encode_counter(e, 1, (uint16_t)usual(r, draw(r->dice, 100)));
	if (one_in(r->dice, 2))
		armspe_encode_counter(e, 2, (uint16_t)usual(r, draw(r->dice, 50)));
	armspe_encode_events(e, events > 0xffff ? 8 : 2, usual(r, events));
	armspe_encode_op(e, class, (uint8_t)ONE_OF(r, 0, 1, 4, 5, 8, 0x10, 0x14, 0x30, draw(r->dice, 256)));
	if (class == 1) {
		armspe_encode_address(e, SPE_ADDR_DATA_VA, draw_data(r));
		if (one_in(r->dice, 3))
			armspe_encode_address(e, SPE_ADDR_DATA_PA, usual(r, UINT64_C(1) << 63 | 0x40000000));
		armspe_encode_source(e, 1, (uint16_t)draw(r->dice, 16));
	} else if (class == 2) {
		armspe_encode_address(e, SPE_ADDR_TARGET, pc_of(draw_code(r)));
		if (one_in(r->dice, 4))
			armspe_encode_address(e, SPE_ADDR_PREV_TARGET, pc_of(draw_code(r)));
	}
	if (one_in(r->dice, 8))
		armspe_encode_end(e);
	else
		armspe_encode_timestamp(e, usual(r, r->now));
	r->now += draw(r->dice, 100);
}

static void add_records(struct recording *r)
{
	size_t count = draw(r->dice, 24), at;

	while (count--)
		add_record(r);
	for (count = draw(r->dice, 5); r->hostile && count && r->spe.len; count--) {
		at = draw(r->dice, r->spe.len);
		r->spe.bytes[at] = (uint8_t)draw_odd(r->dice);
	}
	if (one_in(r->dice, 4))
		armspe_encode_align(&r->spe, 64);
	else if (one_in(r->dice, 8) && r->spe.len)
		r->spe.len -= draw(r->dice, r->spe.len);	/* cut it */
}

static void on_auxtrace(struct recording *r)
{
	uint32_t cpu = draw_cpu(r), idx = (uint32_t)draw(r->dice, 4);

	add_records(r);
	event_begin(r, 71, 0);
	put64(&r->events, usual(r, r->spe.len));
	put64(&r->events, usual(r, r->stream[idx]));
	put64(&r->events, 0);
	put32(&r->events, (uint32_t)usual(r, idx));
	put32(&r->events, draw_tid(r));
	put32(&r->events, cpu);
	put32(&r->events, 0);
	event_end(r);
	put(&r->events, r->spe.bytes, r->spe.len);
	r->stream[idx] += r->spe.len;
	/* The next may begin with the same, as snapshots do. */
	if (!one_in(r->dice, 4))
		r->spe.len = 0;
}

/* A sample, part by part, as perf_event_open(2) has them */

static void put_chain(struct recording *r)
{
	size_t count = draw(r->dice, 12);

	put64(&r->events, usual(r, count));
	while (count--)
		put64(&r->events, one_in(r->dice, 4) ? ONE_OF(r, -512, -128, -1, -2048) : draw_code(r));
}

static void put_registers(struct recording *r, uint64_t mask)
{
	uint64_t abi = one_in(r->dice, 8) ? 0 : PERF_SAMPLE_REGS_ABI_64;
	unsigned int i;

	put64(&r->events, usual(r, abi));
	for (i = 0; abi && i < 64; i++)
		if (mask >> i & 1)
			put64(&r->events, i == 32 || i == 30 ? draw_code(r) : usual(r, STACK - 256));
}

static void put_stack(struct recording *r)
{
	size_t words = draw(r->dice, 32), i;

	put64(&r->events, usual(r, 8 * words));
	for (i = 0; i < words; i++)
		put64(&r->events, one_in(r->dice, 2) ? STACK - 256 + 8 * draw(r->dice, 32) : draw_code(r));
	if (words)
		put64(&r->events, usual(r, 8 * words));
}

static void put_values(struct recording *r, uint64_t format)
{
	uint64_t count = 1;

	if (format & PERF_FORMAT_GROUP)
		put64(&r->events, usual(r, count = draw(r->dice, 3)));
	put64(&r->events, 1);
	for (; count; count--)
		fill(&r->events, 0, 8 + 8 * !!(format & PERF_FORMAT_ID));
}

static void put_sample_ids(struct recording *r, uint64_t type, uint32_t pid)
{
	struct bytes *b = &r->events;
	uint64_t id = usual(r, r->attrs[r->owner].ids[draw(r->dice, 3)]);

	if (type & PERF_SAMPLE_IDENTIFIER)
		put64(b, id);
	if (type & PERF_SAMPLE_IP)
		put64(b, draw_code(r));
	if (type & PERF_SAMPLE_TID) {
		put32(b, pid);
		put32(b, one_in(r->dice, 4) ? draw_tid(r) : pid);
	}
	if (type & PERF_SAMPLE_TIME)
		put64(b, usual(r, r->now));
	if (type & PERF_SAMPLE_ADDR)
		put64(b, draw_data(r));
	if (type & PERF_SAMPLE_ID)
		put64(b, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put64(b, id);
	if (type & PERF_SAMPLE_CPU)
		put64(b, draw_cpu(r));
	if (type & PERF_SAMPLE_PERIOD)
		put64(b, usual(r, 1000));
}

static void put_branches(struct recording *r, uint64_t kind)
{
	size_t count = draw(r->dice, 3);

	put64(&r->events, usual(r, count));
	if (kind & 1 << 17)		/* PERF_SAMPLE_BRANCH_HW_INDEX */
		put64(&r->events, 0);
	fill(&r->events, 0, (kind & 1 << 19 ? 32 : 24) * count);
}

static void put_sample_parts(struct recording *r, const struct perf_event_attr *a)
{
	struct bytes *b = &r->events;
	uint64_t type = a->sample_type;
	unsigned int bit;

	if (type & PERF_SAMPLE_READ)
		put_values(r, a->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_chain(r);
	if (type & PERF_SAMPLE_RAW) {
		put32(b, (uint32_t)usual(r, 4));
		put32(b, 0);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(r, a->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		put_registers(r, a->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(r);
	if (type & (PERF_SAMPLE_WEIGHT | 1 << 24))
		put64(b, 1);
	if (type & PERF_SAMPLE_DATA_SRC)
		put64(b, 1);
	if (type & PERF_SAMPLE_TRANSACTION)
		put64(b, 1);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_registers(r, a->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put64(b, 1);
	if (type & 1 << 21)	/* PERF_SAMPLE_CGROUP */
		put64(b, draw_group(r));
	for (bit = 22; bit < 24; bit++)	/* sizes of pages */
		if (type >> bit & 1)
			put64(b, 1);
}

static void on_sample(struct recording *r)
{
	const struct perf_event_attr *a = &r->attrs[r->owner].attr;
	uint64_t keep;

	r->now += draw(r->dice, 1000);
	event_begin(r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_sample_ids(r, a->sample_type, draw_pid(r));
	put_sample_parts(r, a);
	if (a->sample_type & 1 << 20) {	/* PERF_SAMPLE_AUX */
		add_records(r);
		put64(&r->events, usual(r, r->spe.len));
		put(&r->events, r->spe.bytes, r->spe.len);
		keep = draw(r->dice, r->spe.len + 1);
		memmove(r->spe.bytes, r->spe.bytes + r->spe.len - keep, keep);
		r->spe.len = keep;
	}
	event_end(r);
}

/* What perf itself adds */

static void on_info(struct recording *r)
{
	uint64_t cpus = draw(r->dice, 4), i;

	event_begin(r, 70, 0);
	put32(&r->events, (uint32_t)usual(r, 4));	/* Arm SPE */
	put32(&r->events, 0);
	if (!cpus) {
		put64(&r->events, usual(r, 8));
		put64(&r->events, 0);
	} else {
		put64(&r->events, usual(r, 2));
		put64(&r->events, usual(r, 4));
		put64(&r->events, usual(r, 8));
		put64(&r->events, usual(r, cpus));
	}
	for (i = 0; i < cpus; i++) {
		put64(&r->events, 0x1010101010101010);
		put64(&r->events, usual(r, i));
		put64(&r->events, usual(r, 4));
		put64(&r->events, usual(r, ONE_OF(r, 0x410fd0c0, 0x413fd490, 0x480fd010, 0xc00fac30, 0x410fd4f0)));
		put64(&r->events, usual(r, 8));
		put64(&r->events, usual(r, 256));
		put64(&r->events, 0);
	}
	event_end(r);
}

static void on_time_conv(struct recording *r)
{
	bool newer = !one_in(r->dice, 3);

	event_begin(r, 79, 0);
	put64(&r->events, usual(r, draw(r->dice, 2) * 10));
	put64(&r->events, usual(r, ONE_OF(r, 1, 40960)));
	put64(&r->events, usual(r, 0));
	if (newer) {
		put64(&r->events, usual(r, 0));
		put64(&r->events, usual(r, UINT64_MAX));
		put64(&r->events, usual(r, ONE_OF(r, 1, 0x101)));
	}
	event_end(r);
}

static void on_id_index(struct recording *r)
{
	uint64_t count = draw(r->dice, 4), i;

	event_begin(r, 69, 0);
	put64(&r->events, usual(r, count));
	for (i = 0; i < count; i++) {
		put64(&r->events, r->attrs[r->owner].ids[i % 3]);
		put64(&r->events, i);
		put64(&r->events, usual(r, one_in(r->dice, 2) ? UINT64_MAX : i));
		put64(&r->events, draw_tid(r));
	}
	event_end(r);
}

/* Events of the pipe form; others have them by mistake. */

static void on_attr(struct recording *r)
{
	unsigned int size = r->attrs[r->owner].attr.size;

	event_begin(r, 64, 0);
	put(&r->events, r->attrs[r->owner].bytes, size < ATTR_BYTES ? size : ATTR_BYTES);
	put(&r->events, r->attrs[r->owner].ids, 8 * draw(r->dice, 4));
	event_end(r);
}

static void on_feature(struct recording *r)
{
	uint64_t bit = draw(r->dice, FEATURES);

	event_begin(r, 80, 0);
	put64(&r->events, usual(r, bit));
	put(&r->events, r->features[bit].at, r->features[bit].len);
	event_end(r);
}

static void on_build_id(struct recording *r)
{
	event_begin(r, 67, (uint16_t)draw(r->dice, 4));
	put32(&r->events, draw_pid(r));
	put(&r->events, r->tree->id, 20);
	put32(&r->events, (uint32_t)usual(r, 20));
	put_padded(&r->events, one_in(r->dice, 4) ? "[kernel.kallsyms]" : draw_name(r));
	event_end(r);
}

static void on_tracing_data(struct recording *r)
{
	event_begin(r, 66, 0);
	put32(&r->events, (uint32_t)usual(r, 5));
	put32(&r->events, 0);
	event_end(r);
	put64(&r->events, 0);
}

/* Any other kind, of the kernel or of perf, with words that mean nothing */
static void on_other(struct recording *r)
{
	static const uint8_t types[] = { 5, 6, 8, 13, 15, 18, 19, 20, 21, 22, 65, 68, 72, 73, 74, 75, 76, 77, 78, 81,
		82, 83, 84, 85, 86, 99 };
	size_t words = draw(r->dice, 10);

	event_begin(r, types[draw(r->dice, sizeof(types))], 0);
	while (words--)
		put64(&r->events, draw_odd(r->dice));
	end_with_id(r, draw_pid(r), draw_tid(r));
}

static const struct {
	void (*make)(struct recording *r);
	unsigned int weight;
	bool of_pipe;
} kinds[] = {
	{ on_comm, 4, false }, { on_cgroup, 2, false }, { on_fork, 5, false }, { on_exit_of, 2, false }, { on_itrace, 2, false },
	{ on_switch, 5, false }, { on_map, 6, false }, { on_many_maps, 1, false },
	{ on_kernel_map, 1, false },
	{ on_ksymbol, 2, false }, { on_aux, 2, false }, { on_lost, 2, false }, { on_auxtrace, 6, false },
	{ on_sample, 12, false }, { on_info, 1, false }, { on_time_conv, 1, false }, { on_id_index, 1, false },
	{ on_other, 3, false }, { on_attr, 1, true }, { on_feature, 1, true },
	{ on_build_id, 1, true }, { on_tracing_data, 1, true },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

void events_begin(struct recording *r)
{
	on_info(r);
	on_time_conv(r);
	on_kernel_map(r);
	on_comm(r);
	map_program(r, 10);
	if (one_in(r->dice, 2))
		map_program(r, 11);
}

void events_add(struct recording *r, size_t count)
{
	unsigned int all = 0, at;
	size_t i;

	for (i = 0; i < KINDS; i++)
		all += kinds[i].weight;
	while (count--) {
		at = (unsigned int)draw(r->dice, all);
		for (i = 0; at >= kinds[i].weight; i++)
			at -= kinds[i].weight;
		r->owner = (unsigned int)draw(r->dice, r->nr_attrs);
		if (!kinds[i].of_pipe || r->hostile)
			kinds[i].make(r);
	}
	on_auxtrace(r);
}

void heap_log_make(struct recording *r, struct bytes *log)
{
	struct heap_header h = {
		.header_bytes = HEAP_CHUNK, .chunk_bytes = HEAP_CHUNK,
		.clock = (uint32_t)usual(r, ONE_OF(r, HEAP_COUNTER, HEAP_MONOTONIC_RAW)), .pid = 10,
		.parent = (int32_t)draw(r->dice, 2) * 12, .stopped = (uint32_t)ONE_OF(r, 0, 0, 28, HEAP_LIMIT, HEAP_ENDED),
		.id = 7, .start = 1, .chunks = usual(r, 2), .lost = usual(r, 0),
	};
	size_t chunk, i;

	memcpy(h.magic, HEAP_MAGIC, sizeof(h.magic));
	put(log, &h, sizeof(h));
	for (chunk = 0; chunk < 2; chunk++) {
		fill(log, 0, (chunk + 1) * HEAP_CHUNK - log->len);
		put64(log, HEAP_BASE | (uint64_t)draw_tid(r) << 32);
		put64(log, usual(r, 100 * chunk));
		for (i = draw(r->dice, 40); i; i--) {
			uint64_t kind = ONE_OF(r, HEAP_ALLOC, HEAP_ALLOC, HEAP_FREE, HEAP_LARGE, HEAP_BASE);

			put64(log, usual(r, kind | draw(r->dice, 1000) << HEAP_KIND_BITS | UINT64_C(64) << 32));
			put64(log, kind == HEAP_BASE ? usual(r, r->now) : usual(r, HEAP + draw(r->dice, 64) * 64));
			if (kind == HEAP_ALLOC || kind == HEAP_LARGE)
				put64(log, draw_code(r));
			if (kind == HEAP_LARGE)
				put64(log, usual(r, 4096));
		}
	}
	fill(log, 0, draw(r->dice, 2) * (3 * HEAP_CHUNK - log->len));
}
