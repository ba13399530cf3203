// SPDX-License-Identifier: GPL-2.0-only
/* Random attributes of events. */
#include "fuzz.h"
#include "sampling.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TRACEPOINTS	"/sys/kernel/tracing/events/"

/* Words of perf_event_attr that the C library's header may lack. */
#define WORD_AUX	14	/* aux_sample_size, and above it aux_action */
#define WORD_SIG	15	/* sig_data */

/* The bits of aux_action: start paused, pause, resume; the rest is reserved. */
#define ACTION_PAUSE	2u
#define ACTION_ALL	8u

uint64_t dice_word(struct dice *dice)
{
	uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

struct dice dice_of(uint64_t seed, unsigned int task, unsigned int life, unsigned int step,
		    unsigned int level)
{
	const unsigned int parts[] = { task, life, step, level };
	struct dice dice = { .state = seed };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		dice.state = dice_word(&dice) + parts[i];
	return dice;
}

unsigned int draw(struct dice *dice, unsigned int below)
{
	return (unsigned int)((dice_word(dice) >> 32) * below >> 32);
}

static uint32_t id_of(const char *path)
{
	long id = spe_read_number(path);

	return id > 0 ? (uint32_t)id : 0;
}

/* The PMU of the CPU's counters has another name on each machine, but always this file. */
static uint32_t core_pmu(void)
{
	DIR *dir = opendir(SPE_PMU_ROOT);
	struct dirent *entry;
	uint32_t type = 0;
	char path[512];

	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		snprintf(path, sizeof(path), SPE_PMU_ROOT "/%s/events/cpu_cycles", entry->d_name);
		if (access(path, F_OK))
			continue;
		snprintf(path, sizeof(path), SPE_PMU_ROOT "/%s/type", entry->d_name);
		type = id_of(path);
	}
	closedir(dir);
	return type;
}

static void read_fields(struct machine *machine, const struct spe_pmu *pmu)
{
	struct dirent *entry;
	char path[128];
	DIR *dir;

	snprintf(path, sizeof(path), SPE_PMU_ROOT "/%s/format", pmu->name);
	dir = opendir(path);
	if (!dir)
		return;
	while ((entry = readdir(dir)) && machine->fields < FUZZ_FIELDS)
		if (!spe_pmu_field(pmu, entry->d_name, &machine->field[machine->fields]))
			machine->fields++;
	closedir(dir);
}

/* The order of files in a folder may differ between boots, and steps must not. */
static void sort_fields(struct machine *machine)
{
	for (unsigned int i = 1; i < machine->fields; i++) {
		struct spe_field f = machine->field[i];
		unsigned int j = i;

		for (; j && (machine->field[j - 1].word * 64 + machine->field[j - 1].low >
			     f.word * 64 + f.low); j--)
			machine->field[j] = machine->field[j - 1];
		machine->field[j] = f;
	}
}

void machine_read(struct machine *machine)
{
	struct spe_pmu pmu, sampler;

	memset(machine, 0, sizeof(*machine));
	if (!spe_pmu_find(&pmu)) {
		machine->spe = pmu.type;
		read_fields(machine, &pmu);
		sort_fields(machine);
		if (!spe_sampling_find(&sampler, &pmu) &&
		    !spe_pmu_field(&sampler, "batch", &machine->batch))
			machine->sampler = sampler.type;
	}
	machine->core = core_pmu();
	machine->service = id_of(TRACEPOINTS "arm_spe_pmu/arm_spe_service/id");
	machine->call = id_of(TRACEPOINTS "syscalls/sys_enter_getppid/id");
	machine->exec = id_of(TRACEPOINTS "sched/sched_switch/id");
	machine->cpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
}

/* Records for each interrupt; sometimes one that is out of range, or an attribute of the wrong PMU. */
static void draw_batch(struct dice *dice, const struct machine *machine, union spe_attr *attr)
{
	uint64_t batch = once_in(dice, 32) ? draw(dice, 128) : draw(dice, 65);

	if (attr->perf.type == machine->sampler || once_in(dice, 64))
		attr->word[machine->batch.word] |= batch << machine->batch.low;
}

/* Attributes of the driver: most of them valid, some out of range, some unknown bits. */
static void draw_spe(struct dice *dice, const struct machine *machine, union spe_attr *attr)
{
	static const enum spe_word words[] = {
		SPE_CONFIG, SPE_CONFIG1, SPE_CONFIG2, SPE_CONFIG3, SPE_CONFIG4,
	};

	attr->perf.type = machine->spe;
	attr->perf.sample_period = 256u << draw(dice, 9);
	if (machine->sampler) {
		if (once_in(dice, 3))
			attr->perf.type = machine->sampler;
		draw_batch(dice, machine, attr);
	}
	for (unsigned int i = 0; i < machine->fields; i++) {
		const struct spe_field *f = &machine->field[i];
		uint64_t mask = UINT64_MAX >> (63 - (f->high - f->low));

		if (once_in(dice, 24))
			attr->word[f->word] |= (dice_word(dice) & mask) << f->low;
	}
	if (once_in(dice, 32))
		attr->word[words[draw(dice, 5)]] ^= UINT64_C(1) << draw(dice, 64);
	if (once_in(dice, 6))
		attr->perf.aux_watermark = once_in(dice, 2) ? 4096u << draw(dice, 4) :
					   (uint32_t)dice_word(dice);
	if (once_in(dice, 6)) {
		attr->perf.freq = 1;
		attr->perf.sample_freq = 500u << draw(dice, 8);
	}
}

/*
 * Events of other PMUs.  Their periods are mostly long enough for a slow machine to do other
 * things than interrupts.
 */
static void draw_other(struct dice *dice, const struct machine *machine, union spe_attr *attr)
{
	static const uint64_t software[] = {
		PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK,
		PERF_COUNT_SW_PAGE_FAULTS, PERF_COUNT_SW_CONTEXT_SWITCHES,
		PERF_COUNT_SW_CPU_MIGRATIONS, PERF_COUNT_SW_DUMMY,
	};
	const uint32_t points[] = { machine->call, machine->service, machine->exec };

	attr->perf.sample_period = 100000u << draw(dice, 6);
	switch (draw(dice, 8)) {
	case 0: case 1: case 2:
		attr->perf.type = PERF_TYPE_SOFTWARE;
		attr->perf.config = software[draw(dice, sizeof(software) / sizeof(software[0]))];
		if (attr->perf.config > PERF_COUNT_SW_TASK_CLOCK)
			attr->perf.sample_period = 1 + draw(dice, 4);
		break;
	case 3:
		attr->perf.type = PERF_TYPE_HARDWARE;
		attr->perf.config = draw(dice, PERF_COUNT_HW_MAX);
		break;
	case 4:
		attr->perf.type = machine->core;
		attr->perf.config = draw(dice, 0x40);
		break;
	case 5: case 6:
		attr->perf.type = PERF_TYPE_TRACEPOINT;
		attr->perf.config = points[draw(dice, 3)];
		attr->perf.sample_period = 1 + draw(dice, 4);
		break;
	case 7:
		attr->perf.type = draw(dice, 16);
		attr->perf.config = dice_word(dice) & dice_word(dice);
		break;
	}
	if (once_in(dice, 16)) {
		attr->perf.freq = 1;
		attr->perf.sample_freq = 1u << draw(dice, 14);
	}
}

/* Each of these bits of the attribute is set now and then. */
static void draw_flags(struct dice *dice, bool root, bool member, union spe_attr *attr)
{
	struct perf_event_attr *a = &attr->perf;

	a->disabled = once_in(dice, 2);
	a->inherit = once_in(dice, 4);
	a->pinned = once_in(dice, member ? 64 : 8);
	a->exclusive = once_in(dice, member ? 64 : 16);
	a->exclude_user = once_in(dice, 32);
	a->exclude_kernel = root ? once_in(dice, 2) : !once_in(dice, 32);
	a->exclude_hv = !once_in(dice, 32);
	a->exclude_idle = once_in(dice, 64);
	a->exclude_host = once_in(dice, 64);
	a->exclude_guest = once_in(dice, 8);
	a->mmap = once_in(dice, 8);
	a->mmap2 = once_in(dice, 8);
	a->comm = once_in(dice, 8);
	a->comm_exec = once_in(dice, 8);
	a->task = once_in(dice, 8);
	a->inherit_stat = once_in(dice, 16);
	a->enable_on_exec = once_in(dice, 8);
	a->watermark = once_in(dice, 8);
	a->precise_ip = once_in(dice, 32) ? draw(dice, 4) : 0;
	a->sample_id_all = once_in(dice, 2);
	a->context_switch = once_in(dice, 8);
	a->write_backward = once_in(dice, 32);
	a->namespaces = once_in(dice, 16);
	a->aux_output = once_in(dice, member ? 16 : 64);
	/* cgroup, text_poke, build_id, inherit_thread, remove_on_exec, sigtrap, reserved ones. */
	if (once_in(dice, 16))
		attr->word[5] |= UINT64_C(1) << (32 + draw(dice, 12));
	a->wakeup_events = once_in(dice, 4) ? draw(dice, 64) : 0;
	if (once_in(dice, 16)) {
		a->use_clockid = 1;
		a->clockid = (int32_t)draw(dice, 14);
	}
}

/* What most kernels and PMUs accept; what an ordinary user may see of it, and all but AUX. */
#define USUAL	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |	\
		 PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_STREAM_ID | \
		 PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN)
#define ALL	(UINT64_C(0x1ffffff) & ~(uint64_t)(PERF_SAMPLE_AUX | PERF_SAMPLE_BRANCH_STACK |	\
						   PERF_SAMPLE_WEIGHT_STRUCT))

static void draw_sample(struct dice *dice, union spe_attr *attr)
{
	struct perf_event_attr *a = &attr->perf;

	a->sample_type = dice_word(dice) & (once_in(dice, 2) ? dice_word(dice) & ALL : USUAL);
	if (once_in(dice, 64))
		a->sample_type |= UINT64_C(1) << draw(dice, 64);
	a->read_format = once_in(dice, 4) ? draw(dice, 32) : 0;
	if (a->sample_type & PERF_SAMPLE_REGS_USER)
		a->sample_regs_user = dice_word(dice) & 0x1ffffffffu;
	if (a->sample_type & PERF_SAMPLE_REGS_INTR)
		a->sample_regs_intr = dice_word(dice) & 0x1ffffffffu;
	if (a->sample_type & PERF_SAMPLE_STACK_USER)
		a->sample_stack_user = 8 * draw(dice, 256);
	if (once_in(dice, 8))
		a->sample_max_stack = (uint16_t)draw(dice, 200);
}

/*
 * Records in samples; pause, resume, and to start paused.  perf accepts most of it only from
 * members of a group that another event leads.
 */
static void draw_aux(struct dice *dice, bool spe, bool member, union spe_attr *attr)
{
	uint64_t action;

	if (!member && !once_in(dice, 8))
		return;
	if (once_in(dice, 4)) {
		attr->perf.sample_type |= PERF_SAMPLE_AUX;
		attr->word[WORD_AUX] = once_in(dice, 8) ? dice_word(dice) & 0xffffffffu :
				       8u << draw(dice, 12);
	} else if (once_in(dice, 3)) {
		action = once_in(dice, 8) ? draw(dice, 64) :
			 spe && !once_in(dice, 3) ? 1 : ACTION_PAUSE << draw(dice, 2);
		attr->word[WORD_AUX] |= (once_in(dice, 16) ? ACTION_ALL : action) << 32;
	}
	if (once_in(dice, 64))
		attr->word[WORD_SIG] = dice_word(dice);
}

/* The size that the last word in use needs; sometimes another one. */
static uint32_t draw_size(struct dice *dice, const union spe_attr *attr)
{
	uint32_t words = PERF_ATTR_SIZE_VER5 / 8;

	for (uint32_t word = words; word < sizeof(attr->word) / sizeof(attr->word[0]); word++)
		if (attr->word[word])
			words = word + 1;
	return once_in(dice, 128) ? draw(dice, 8 * (words + 4)) : 8 * words;
}

void draw_attr(struct dice *dice, const struct machine *machine, bool root, bool member,
	       union spe_attr *attr)
{
	/* Two members of a group are rarely of this PMU. */
	bool spe = draw(dice, 16) < (member ? 4 : 12);

	memset(attr, 0, sizeof(*attr));
	draw_flags(dice, root, member, attr);
	draw_sample(dice, attr);
	if (spe)
		draw_spe(dice, machine, attr);
	else
		draw_other(dice, machine, attr);
	if (once_in(dice, 32))
		attr->perf.sample_period = dice_word(dice) >> draw(dice, 64);
	draw_aux(dice, spe, member, attr);
	attr->perf.size = draw_size(dice, attr);
}
