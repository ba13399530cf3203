// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU in sysfs.  Names and bit positions are the ABI that stock perf and other tools use,
 * so every driver must provide the same.
 */
#include "test.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>

SPE_FIXTURE(pmu);

TEST_F(pmu, is_named_arm_spe_0)
{
	ASSERT_STREQ("arm_spe_0", self->t.pmu.name);
}

/*
 * FOLDER: the device folder of the PMU whose name begins with PREFIX, or "" if there is none.
 */
static void device_of(const char *prefix, char *folder)
{
	DIR *dir = opendir(SPE_PMU_ROOT);
	struct dirent *entry;
	char path[512];

	*folder = '\0';
	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)))
			continue;
		snprintf(path, sizeof(path), SPE_PMU_ROOT "/%s", entry->d_name);
		if (!realpath(path, folder))
			*folder = '\0';
	}
	if (dir)
		closedir(dir);
}

/*
 * Newer kernels make each PMU a child of its platform device; scripts use this to find the
 * device.  If the CPU's own PMU is such a child, this PMU must be one too.
 */
TEST_F(pmu, is_a_child_of_the_units_device)
{
	char cpu[PATH_MAX], spe[PATH_MAX];

	device_of("armv8_", cpu);
	device_of("arm_spe_0", spe);
	ASSERT_STRNE("", cpu);
	if (access("/proc/device-tree/cpus", F_OK))
		SKIP(return, "under ACPI the CPU's PMU has no device to compare with");
	EXPECT_EQ(!!strstr(cpu, "/platform/"), !!strstr(spe, "/platform/"))
		TH_LOG("the SPE PMU's device is %s, the CPU PMU's is %s; both or neither must be below /platform/",
		       spe, cpu);
}

/* perf reserves the types below PERF_TYPE_MAX for its own classes of events. */
TEST_F(pmu, has_a_dynamic_type)
{
	ASSERT_LE(PERF_TYPE_MAX, self->t.pmu.type);
}

TEST_F(pmu, covers_every_online_cpu)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t cpus;

	ASSERT_EQ(0, spe_pmu_cpus(&self->t.pmu, &cpus));
	ASSERT_EQ(online, CPU_COUNT(&cpus));
	for (long cpu = 0; cpu < online; cpu++) {
		EXPECT_TRUE(CPU_ISSET(cpu, &cpus));
	}
}

TEST_F(pmu, counts_architecture_instructions)
{
	ASSERT_EQ(1, spe_pmu_cap(&self->t.pmu, "arch_inst"));
}

TEST_F(pmu, says_whether_jitter_keeps_the_mean)
{
	long ernd = spe_pmu_cap(&self->t.pmu, "ernd");

	ASSERT_TRUE(ernd == 0 || ernd == 1);
}

/* PMSIDR_EL1.CountSize allows two sizes. */
TEST_F(pmu, counts_latencies_in_12_or_16_bits)
{
	long size = spe_pmu_cap(&self->t.pmu, "count_size");

	ASSERT_TRUE(size == 12 || size == 16);
}

/* The intervals that PMSIDR_EL1.Interval encodes. */
TEST_F(pmu, recommends_an_interval)
{
	static const long known[] = { 256, 512, 768, 1024, 1536, 2048, 3072,
				      4096 };
	long interval = spe_pmu_cap(&self->t.pmu, "min_interval");
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		found |= interval == known[i];
	ASSERT_TRUE(found)
		TH_LOG("min_interval %ld", interval);
}

FIXTURE(format) {
	struct spe_test t;
};

FIXTURE_VARIANT(format) {
	const char *name;
	enum spe_word word;
	unsigned int low, high;
};

SPE_FIXTURE_SETUP(format)

#define FORMAT(attribute, config, first, last)				\
	FIXTURE_VARIANT_ADD(format, attribute) {			\
		.name = #attribute, .word = config,			\
		.low = first, .high = last,				\
	}
FORMAT(ts_enable, SPE_CONFIG, 0, 0);
FORMAT(pa_enable, SPE_CONFIG, 1, 1);
FORMAT(pct_enable, SPE_CONFIG, 2, 2);
FORMAT(jitter, SPE_CONFIG, 16, 16);
FORMAT(branch_filter, SPE_CONFIG, 32, 32);
FORMAT(load_filter, SPE_CONFIG, 33, 33);
FORMAT(store_filter, SPE_CONFIG, 34, 34);
FORMAT(event_filter, SPE_CONFIG1, 0, 63);
FORMAT(min_latency, SPE_CONFIG2, 0, 11);

TEST_F(format, is_where_tools_expect_it)
{
	struct spe_field field;

	ASSERT_EQ(0, spe_pmu_field(&self->t.pmu, variant->name, &field));
	EXPECT_EQ(variant->word, field.word);
	EXPECT_EQ(variant->low, field.low);
	/* The first ABI had 12 bits.  A driver may add four for 16-bit counters. */
	if (!strcmp(variant->name, "min_latency") &&
	    spe_pmu_cap(&self->t.pmu, "count_size") == 16) {
		EXPECT_TRUE(field.high == 11 || field.high == 15);
		return;
	}
	EXPECT_EQ(variant->high, field.high);
}

/* The attribute needs both PMSIDR_EL1.FnE and the kernel's config3. */
TEST_F(pmu, inverted_event_filter_is_where_tools_expect_it)
{
	struct spe_field field;
	int ret = spe_pmu_field(&self->t.pmu, "inv_event_filter", &field);

	if (ret == -ENOENT)
		SKIP(return, "this driver and kernel have no inv_event_filter");
	ASSERT_EQ(0, ret);
	if (field.word != SPE_CONFIG3)
		SKIP(return, "this kernel's perf_event_attr has no config3");
	EXPECT_EQ(0, field.low);
	EXPECT_EQ(63, field.high);
}

TEST_F(pmu, attributes_do_not_overlap)
{
	static const char *const names[] = {
		"ts_enable", "pa_enable", "pct_enable", "jitter", "guest",
		"branch_filter", "load_filter", "store_filter",
		"event_filter", "min_latency", "inv_event_filter", "discard",
		"simd_filter", "float_filter", "data_src_filter",
	};
	uint64_t used[24] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct spe_field field;
		uint64_t mask;

		if (spe_pmu_field(&self->t.pmu, names[i], &field))
			continue;
		mask = UINT64_MAX >> (63 - (field.high - field.low));
		mask <<= field.low;
		EXPECT_EQ(0, used[field.word] & mask)
			TH_LOG("%s overlaps another attribute", names[i]);
		used[field.word] |= mask;
	}
}

TEST_HARNESS_MAIN
