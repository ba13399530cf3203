// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPUs' cores, and whether they have SPE.  Names and numbers of parts are those of Linux's
 * arch/arm64/include/asm/cputype.h.  Write nothing about SPE that the source does not say.
 */
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "util/util.h"

#define ARM	0x41
#define BROADCOM 0x42
#define CAVIUM	0x43
#define FUJITSU	0x46
#define HISI	0x48
#define NVIDIA	0x4e
#define APM	0x50
#define QCOM	0x51
#define APPLE	0x61
#define AMPERE	0xc0

static const struct core {
	unsigned int implementer, part;
	const char *name;
	enum cpu_spe spe;
} cores[] = {
	/*
	 * The reset value of ID_AA64DFR0_EL1 in the core's manual, as QEMU's target/arm/cpu64.c
	 * and target/arm/tcg/cpu64.c have it: PMSVer, bits 35 to 32, is 0.
	 */
	{ ARM, 0xd03, "Cortex-A53", CPU_WITHOUT_SPE },
	{ ARM, 0xd04, "Cortex-A35", CPU_WITHOUT_SPE },
	{ ARM, 0xd05, "Cortex-A55", CPU_WITHOUT_SPE },
	{ ARM, 0xd07, "Cortex-A57", CPU_WITHOUT_SPE },
	{ ARM, 0xd08, "Cortex-A72", CPU_WITHOUT_SPE },
	{ ARM, 0xd0b, "Cortex-A76", CPU_WITHOUT_SPE },
	{ ARM, 0xd47, "Cortex-A710", CPU_WITHOUT_SPE },
	{ FUJITSU, 0x001, "A64FX", CPU_WITHOUT_SPE },
	/* In the same files PMSVer is not 0. */
	{ ARM, 0xd0c, "Neoverse N1", CPU_WITH_SPE },
	{ ARM, 0xd40, "Neoverse V1", CPU_WITH_SPE },
	{ ARM, 0xd49, "Neoverse N2", CPU_WITH_SPE },
	/*
	 * GCC's gcc/config/aarch64/aarch64-cores.def: Armv8.0 (V8A), and V8_1A for ThunderX2.
	 * "ARMv8.2 introduces the optional Statistical Profiling Extension": the device tree
	 * binding spe-pmu.yaml of Linux.
	 */
	{ ARM, 0xd09, "Cortex-A73", CPU_WITHOUT_SPE },
	{ BROADCOM, 0x516, "ThunderX2", CPU_WITHOUT_SPE },
	{ CAVIUM, 0x0a1, "ThunderX", CPU_WITHOUT_SPE },
	{ CAVIUM, 0x0a2, "ThunderX", CPU_WITHOUT_SPE },
	{ CAVIUM, 0x0a3, "ThunderX", CPU_WITHOUT_SPE },
	{ CAVIUM, 0x0af, "ThunderX2", CPU_WITHOUT_SPE },
	{ APM, 0x000, "X-Gene or eMAG", CPU_WITHOUT_SPE },
	{ QCOM, 0xc00, "Falkor", CPU_WITHOUT_SPE },
	/*
	 * github.com/lelegard/arm-cpusysregs: PMSVer of an M1 is 0 in
	 * collect/applem1-host-macos/cpusysregs-registers.txt, and FEAT_SPE of M1, M3 and M4 is
	 * "no" in docs/apple-m1-features.md.  Of the M2, LLVM's AArch64Processors.td (AppleA15)
	 * lists the features, without FeatureSPE.
	 */
	{ APPLE, 0x022, "Apple M1", CPU_WITHOUT_SPE },
	{ APPLE, 0x023, "Apple M1", CPU_WITHOUT_SPE },
	{ APPLE, 0x024, "Apple M1 Pro", CPU_WITHOUT_SPE },
	{ APPLE, 0x025, "Apple M1 Pro", CPU_WITHOUT_SPE },
	{ APPLE, 0x028, "Apple M1 Max", CPU_WITHOUT_SPE },
	{ APPLE, 0x029, "Apple M1 Max", CPU_WITHOUT_SPE },
	{ APPLE, 0x032, "Apple M2", CPU_WITHOUT_SPE },
	{ APPLE, 0x033, "Apple M2", CPU_WITHOUT_SPE },
	{ APPLE, 0x034, "Apple M2 Pro", CPU_WITHOUT_SPE },
	{ APPLE, 0x035, "Apple M2 Pro", CPU_WITHOUT_SPE },
	{ APPLE, 0x038, "Apple M2 Max", CPU_WITHOUT_SPE },
	{ APPLE, 0x039, "Apple M2 Max", CPU_WITHOUT_SPE },
	/*
	 * LLVM's AArch64Processors.td: the core's list of features has no FeatureSPE.  That of
	 * Neoverse N2 lacks it too, although the core has SPE, so this alone is not enough for a
	 * server's core.  GCC's list says the same of A77, A510 and X2, and is right about N2.
	 */
	{ ARM, 0xd0d, "Cortex-A77", CPU_WITHOUT_SPE },
	{ ARM, 0xd46, "Cortex-A510", CPU_WITHOUT_SPE },
	{ ARM, 0xd48, "Cortex-X2", CPU_WITHOUT_SPE },
	{ ARM, 0xd80, "Cortex-A520", CPU_WITHOUT_SPE },
	{ NVIDIA, 0x004, "Carmel", CPU_WITHOUT_SPE },
	/* The same file: the list has FeatureSPE */
	{ ARM, 0xd41, "Cortex-A78", CPU_WITH_SPE },
	{ ARM, 0xd42, "Cortex-A78AE", CPU_WITH_SPE },
	{ ARM, 0xd44, "Cortex-X1", CPU_WITH_SPE },
	{ ARM, 0xd4b, "Cortex-A78C", CPU_WITH_SPE },
	{ ARM, 0xd4d, "Cortex-A715", CPU_WITH_SPE },
	{ ARM, 0xd4e, "Cortex-X3", CPU_WITH_SPE },
	{ ARM, 0xd81, "Cortex-A720", CPU_WITH_SPE },
	{ ARM, 0xd82, "Cortex-X4", CPU_WITH_SPE },
	{ ARM, 0xd85, "Cortex-X925", CPU_WITH_SPE },
	{ ARM, 0xd87, "Cortex-A725", CPU_WITH_SPE },
	{ NVIDIA, 0x010, "Olympus", CPU_WITH_SPE },
	{ QCOM, 0x001, "Oryon", CPU_WITH_SPE },
	/* "SPE is enabled on Graviton 2, 3, and 4 metal instances": aws-graviton-getting-started */
	{ ARM, 0xd4f, "Neoverse V2", CPU_WITH_SPE },
	/* "probed for CPUs 0-95": a log of this core that Hanjun Guo sent to linux-acpi, May 2019 */
	{ HISI, 0xd01, "TSV110", CPU_WITH_SPE },
	/* Linux's tools/perf/util/arm-spe.c knows the data sources in these cores' records. */
	{ ARM, 0xd4c, "Cortex-X1C", CPU_WITH_SPE },
	{ ARM, 0xd84, "Neoverse V3", CPU_WITH_SPE },
	{ ARM, 0xd89, "Cortex-A720AE", CPU_WITH_SPE },
	{ HISI, 0xd06, "HIP12", CPU_WITH_SPE },
	{ AMPERE, 0xac4, "AmpereOne A", CPU_WITH_SPE },
};

#define CORES (sizeof(cores) / sizeof(*cores))

static const struct core *core_find(unsigned long implementer, unsigned long part)
{
	size_t i;

	for (i = 0; i < CORES; i++)
		if (cores[i].implementer == implementer && cores[i].part == part)
			return &cores[i];
	return NULL;
}

/* The number of "NAME : 0x41" in this line, or -1 */
static long number_of(const char *line, const char *name)
{
	const char *at = line + strlen(name);

	if (strncmp(line, name, strlen(name)))
		return -1;
	at += strspn(at, " \t:");
	return strncmp(at, "0x", 2) ? -1 : strtol(at, NULL, 16);
}

/* Add the core's name to the list of @names, if it is not there. */
static char *add_name(char *names, const char *name)
{
	const char *at = names;
	size_t len;

	for (; *at; at += len, at += strspn(at, ", ")) {
		len = strcspn(at, ",");
		if (len == strlen(name) && !strncmp(at, name, len))
			return names;
	}
	return xappend(names, "%s%s", *names ? ", " : "", name);
}

enum cpu_spe cpus_read(const char *cpuinfo, char **names)
{
	enum cpu_spe spe = CPU_WITHOUT_SPE;
	long implementer = -1, number;
	size_t known = 0, unknown = 0;

	*names = xformat("%s", "");
	for (; cpuinfo; cpuinfo = strchr(cpuinfo, '\n'), cpuinfo += cpuinfo != NULL) {
		const struct core *core;

		number = number_of(cpuinfo, "CPU implementer");
		implementer = number < 0 ? implementer : number;
		number = number_of(cpuinfo, "CPU part");
		if (number < 0)
			continue;
		core = core_find((unsigned long)implementer, (unsigned long)number);
		known += core != NULL;
		unknown += !core;
		*names = core ? add_name(*names, core->name) : *names;
		spe = core && core->spe == CPU_WITH_SPE ? CPU_WITH_SPE : spe;
	}
	if (spe == CPU_WITHOUT_SPE && (unknown || !known))
		return CPU_SPE_UNKNOWN;
	return spe;
}
