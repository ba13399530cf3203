// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of the project's driver (drivers/perf/arm_spe) and of Linux's own (arm_spe_pmu),
 * with advice for each.  tests/doctor/log-lines has every such line of both drivers, and
 * the tests compare it with this table and with the drivers' sources.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "util/util.h"

const struct remedy reason_no_interrupt = { "no-interrupt",
	"the firmware describes no interrupt for SPE",
	"the kernel learns the interrupt from the MADT's GICC entries (ACPI 6.3), or from a device tree node arm,statistical-profiling-extension-v1; this machine has neither",
	"switch SPE on in the firmware's set-up if it has such a setting, else update the firmware; with a device tree, ask the vendor of the board for one that describes SPE" };

const struct remedy reason_page_tables = { "page-table-isolation",
	"the driver did not bind, because kernel page-table isolation is on",
	"this isolation unmaps the buffer while user code runs, so SPE could not write there",
	"if you can do without this protection, use the argument kpti=off: {kpti-now}{add-argument}" };

const struct remedy reason_other_driver = { "other-driver",
	"the driver {driver} has the SPE device {device}",
	"only one driver can have a device, and {driver} offers no SPE PMU",
	"modprobe -r {driver}, then {reload}" };

const struct remedy reason_no_cpu_online = { "no-cpu-online",
	"no CPU with SPE is online",
	"a driver reads a unit's capabilities on the unit's own CPU, and samples only there",
	"write 1 to /sys/devices/system/cpu/cpuN/online of such a CPU, then {reload}" };

const struct remedy reason_mismatch = { "module-mismatch",
	"the kernel {kernel} cannot load its module {module-name}",
	"the file was built for another kernel or another configuration; the log says: {line}",
	"build it anew for this kernel: with DKMS, dkms autoinstall -k {kernel}; else make install KDIR=/lib/modules/{kernel}/build; then modprobe {module-name}" };

static const struct remedy no_spe = { "no-spe",
	"the CPUs have no SPE (ID_AA64DFR0_EL1.PMSVer is 0)",
	"the CPU lacks it, or the firmware or a hypervisor hides it; the kernel's log says: {line}",
	"if the CPU's manual says that it has SPE, switch it on in the firmware's set-up; else record on another machine" };

static const struct remedy owned = { "buffer-owned",
	"a higher Exception level keeps SPE's buffer",
	"firmware at EL3 or a hypervisor at EL2 has not given it to the kernel (PMBIDR_EL1.P); the kernel's log says: {line}",
	"switch SPE on in the firmware's set-up or update the firmware; in a virtual machine, record on the host" };

static const struct remedy wrong_interrupt = { "wrong-interrupt",
	"the firmware describes SPE's interrupt wrongly",
	"SPE needs the same private interrupt (PPI) on each CPU; the kernel's log says: {line}",
	"update the firmware, or correct the device tree" };

static const struct remedy interrupt_taken = { "interrupt-taken",
	"the driver cannot get SPE's interrupt",
	"another driver uses it (error -16), or memory is short (-12); the kernel's log says: {line}",
	"look for the interrupt in /proc/interrupts, unload the driver that has it, then {reload}" };

static const struct remedy newer_unit = { "newer-unit",
	"this CPU's SPE is newer than the driver",
	"the driver does not know a value in the unit's registers; the kernel's log says: {line}",
	"use a newer kernel, or a newer version of this project's module" };

static const struct remedy addressing = { "addressing",
	"the driver did not bind, because of its parameter addressing",
	"the parameter asks for addresses that this CPU or its hypervisor does not allow; the kernel's log says: {line}",
	"remove addressing= from /etc/modprobe.d and from the kernel's command line, then {reload}" };

static const struct remedy bound_elsewhere = { "other-driver",
	"another driver has the SPE device",
	"only one driver can have a device; the kernel's log says: {line}",
	"modprobe -r the driver that the log names, then {reload}" };

static const struct remedy built_in = { "built-in-driver",
	"the kernel's built-in driver has the SPE device",
	"only one driver can have a device; the kernel's log says: {line}",
	"to use the built-in driver, modprobe -r arm_spe; to use this project's, modprobe -r arm_spe, then modprobe arm_spe takeover=1" };

static const struct remedy built_in_fixed = { "built-in-driver",
	"the kernel's built-in driver has the SPE device and cannot give it up",
	"this kernel cannot remove a PMU safely, the module was built without the means, or removing it failed; the kernel's log says: {line}",
	"to use the built-in driver, modprobe -r arm_spe; to use this project's, boot with the argument initcall_blacklist=arm_spe_pmu_init: {add-argument}" };

static const struct remedy built_in_busy = { "built-in-driver",
	"the kernel's built-in driver has the SPE device, and events use it",
	"an event would lose its PMU; the kernel's log says: {line}",
	"end the perf sessions, then modprobe -r arm_spe and modprobe arm_spe takeover=1" };

/* A line that a newer driver writes */
static const struct remedy not_bound = { "not-bound",
	"the driver did not bind to the SPE device",
	"the kernel's log says: {line}",
	"do what the log says" };

/* The driver's part of a line must contain the text.  The first row that fits counts. */
static const struct row {
	const char *text;
	const struct remedy *advice;
} rows[] = {
	/* drivers/perf/arm_spe */
	{ "not bound: none of its CPUs", &reason_no_cpu_online },
	{ "not bound: no CPU has SPE", &no_spe },
	{ "not bound: this CPU has no SPE", &no_spe },
	{ "CPUs have SPE, but firmware describes no interrupt", &reason_no_interrupt },
	{ "not bound: firmware describes no interrupt", &reason_no_interrupt },
	{ "is not private to each CPU", &wrong_interrupt },
	{ "not bound: cannot request interrupt", &interrupt_taken },
	{ "not bound: the MADT has interrupt", &wrong_interrupt },
	{ "not bound: cannot make a device for interrupt", &wrong_interrupt },
	{ "which is built in and which this kernel cannot remove", &built_in_fixed },
	{ "this module was built with SPE_STRICT=1", &built_in_fixed },
	{ "which is built into the kernel; load this module", &built_in },
	{ "which is built in, and events use its PMU", &built_in_busy },
	{ "not bound: cannot take", &built_in_fixed },
	{ "is bound to the driver", &bound_elsewhere },
	{ "not bound: a higher Exception level owns", &owned },
	{ "not bound: PMSIDR_EL1.MaxSize", &newer_unit },
	{ "not bound: PMBIDR_EL1.Align", &newer_unit },
	{ "not bound: PMSIDR_EL1.Format", &newer_unit },
	{ "not bound: kernel page-table isolation", &reason_page_tables },
	{ "not bound: addressing=physical needs", &addressing },
	{ "not bound: the hypervisor allows only physical", &addressing },
	{ "not bound: ", &not_bound },
	/* Linux's drivers/perf/arm_spe_pmu.c, and the platform bus for it */
	{ "unsupported ID_AA64DFR0_EL1.PMSVer", &no_spe },
	{ "profiling buffer owned by higher exception level", &owned },
	{ "unsupported PMBIDR.Align", &newer_unit },
	{ "unsupported PMSIDR_EL1.MaxSize", &newer_unit },
	{ "expected PPI but got SPI", &wrong_interrupt },
	{ "profiling buffer inaccessible", &reason_page_tables },
	{ "IRQ index 0 not found", &reason_no_interrupt },
	/* Linux's drivers/perf/arm_pmu_acpi.c, for the device arm,spe-v1 */
	{ "ACPI: arm,spe-v1: must be homogeneous", &wrong_interrupt },
	{ "ACPI: arm,spe-v1 Unable to register interrupt", &wrong_interrupt },
	/* Linux's kernel/module/main.c and version.c; modprobe, if the journal is in the log */
	{ ": version magic '", &reason_mismatch },
	{ ": disagrees about version of symbol ", &reason_mismatch },
	{ ": Unknown symbol ", &reason_mismatch },
	{ ": .gnu.linkonce.this_module section size must match", &reason_mismatch },
	{ "': Exec format error", &reason_mismatch },
	{ "': Invalid module format", &reason_mismatch },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

/* Lines of all drivers are in the log: only those that name an SPE driver or device count. */
static const char *drivers_part(const char *line)
{
	const char *part = strstr(line, "arm_spe");

	if (!part)
		part = strstr(line, "ACPI: arm,spe");
	return part;
}

static const struct remedy *reason_of(const char *line)
{
	const char *part = drivers_part(line);
	size_t i;

	for (i = 0; part && i < ROWS; i++)
		if (strstr(part, rows[i].text))
			return rows[i].advice;
	return NULL;
}

const struct remedy *reason_find(const char *log, char **line)
{
	const struct remedy *found = NULL, *advice;
	size_t len;
	char *copy;

	*line = NULL;
	for (; *log; log += len + (log[len] == '\n')) {
		len = strcspn(log, "\n");
		/* Copying every line of a long log would take seconds. */
		if (!memmem(log, len, "arm", 3))
			continue;
		copy = xstrndup(log, len);
		advice = reason_of(copy);
		if (advice) {
			found = advice;
			free(*line);
			*line = xformat("%s", drivers_part(copy));
		}
		free(copy);
	}
	return found;
}

char *reason_no_sampler(const char *log)
{
	static const char says[] = "no PMU spe_sample_";
	const char *at, *end;
	char *reason = NULL;

	while ((at = strstr(log, says))) {
		end = at + strcspn(at, "\n");
		at += strcspn(at, ":\n");
		log = end;
		if (*at != ':')
			continue;
		free(reason);
		reason = xstrndup(at + 1 + (at[1] == ' '), (size_t)(end - at) - 1 - (at[1] == ' '));
	}
	return reason;
}
