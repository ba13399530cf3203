// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "util/util.h"

#define DEVICES		"sys/bus/platform/devices"
#define COMPATIBLE	"arm,statistical-profiling-extension-v1"

/* ACPI 6.5, 5.2.12 (MADT) and 5.2.12.14 (GICC structure) */
#define MADT_HEADER	44		/* then the structures */
#define GICC_TYPE	0x0b
#define GICC_SPE	78		/* 16 bits; ACPI 6.3 added them */

/* Firmware may list CPUs that a machine does not have: their flags have neither bit. */
#define GICC_FLAGS	12		/* 32 bits: 0 enabled, 3 online capable */
#define GICC_PRESENT	0x09

static const struct remedy madt_too_old = { "no-interrupt",
	"the firmware describes no interrupt for SPE",
	"the GICC entries of its MADT are older than ACPI 6.3, which added this interrupt",
	"update the firmware" };

static const struct remedy madt_none = { "no-interrupt",
	"the firmware describes no interrupt for SPE",
	"the field for it is 0 in all GICC entries of the MADT",
	"switch SPE on in the firmware's set-up if it has such a setting, else update the firmware" };

/* Linux's drivers/perf/arm_pmu_acpi.c then makes no device. */
static const struct remedy madt_part = { "wrong-interrupt",
	"the firmware describes SPE's interrupt for {with} of {all} CPUs only",
	"the kernel needs the same interrupt in the GICC entry of each CPU in the MADT",
	"update the firmware, and report it to the vendor of the machine" };

static const struct remedy tree_none = { "no-interrupt",
	"the device tree describes no SPE",
	"no device is compatible with " COMPATIBLE,
	"ask the vendor of the board for a device tree that describes SPE: only the chip's maker knows which interrupt the unit has" };

/* For cores that are known to have SPE; {cores} names them. */
static const struct remedy hidden = { "no-spe",
	"the CPUs ({cores}) have SPE, but the firmware or a hypervisor hides it (ID_AA64DFR0_EL1.PMSVer is 0)",
	"the kernel's log says: {line}",
	"switch SPE on in the firmware's set-up, or update the firmware; in a virtual machine, record on the host" };

static const struct remedy page_tables_maybe = { "page-table-isolation",
	"kernel page-table isolation is on, and the driver did not bind",
	"this isolation unmaps the buffer while user code runs, so SPE could not write there",
	"if you can do without this protection, use the argument kpti=off: {kpti-now}{add-argument}" };

static const struct remedy log_unreadable = { "log-unreadable",
	"the driver did not bind to the SPE device",
	"the reason is in the kernel's log, which doctor cannot read",
	"as root, run perf spe doctor again, or dmesg | grep -i spe; for --root, put the output of dmesg into DIR/var/log/dmesg" };

static const struct remedy log_silent = { "not-bound",
	"the driver did not bind to the SPE device",
	"the kernel's log has no reason; it may have lost its oldest lines",
	"{reload}, then dmesg | grep -i spe" };

/* A device tree gives the device any name, ACPI the name arm,spe-v1. */
static bool is_spe(const char *root, const char *name)
{
	char *path = xformat(DEVICES "/%s/uevent", name);
	bool is = !strncmp(name, "arm,spe-v1", strlen("arm,spe-v1")) ||
		  strstr(name, "spe-pmu") || root_has(root, path, COMPATIBLE);

	free(path);
	return is;
}

static char *find_device(const char *root)
{
	struct names names = root_names(root, DEVICES, "", "");
	char *found = NULL;
	size_t i;

	for (i = 0; i < names.count && !found; i++)
		if (is_spe(root, names.at[i]))
			found = xformat("%s", names.at[i]);
	names_free(&names);
	return found;
}

/* For MADT_PART also how many CPUs have an interrupt, and how many CPUs there are */
static enum madt_spe read_madt(const uint8_t *table, size_t size, unsigned int *with,
			       unsigned int *all)
{
	bool has_field = false;
	size_t at, len;

	*with = *all = 0;
	for (at = MADT_HEADER; at + 2 <= size; at += len) {
		const uint8_t *entry = table + at;

		len = entry[1];
		if (len < 2 || len > size - at)
			return MADT_UNKNOWN;
		if (entry[0] != GICC_TYPE)
			continue;
		if (len > GICC_FLAGS && !(entry[GICC_FLAGS] & GICC_PRESENT))
			continue;
		++*all;
		if (len < GICC_SPE + 2)
			continue;
		has_field = true;
		*with += entry[GICC_SPE] || entry[GICC_SPE + 1];
	}
	if (!*all)
		return MADT_UNKNOWN;
	if (!*with)
		return has_field ? MADT_NONE : MADT_TOO_OLD;
	return *with < *all ? MADT_PART : MADT_ALL;
}

void firmware_read(struct firmware *f, const struct machine *m)
{
	size_t size;
	char *table = root_bytes(m->root, "sys/firmware/acpi/tables/APIC", &size);

	f->device = find_device(m->root);
	f->madt = table ? read_madt((const uint8_t *)table, size, &f->cpus_with, &f->cpus) :
		  MADT_UNKNOWN;
	free(table);
}

void firmware_free(struct firmware *f)
{
	free(f->device);
}

bool firmware_has_spe(const struct firmware *f)
{
	return f->device || f->madt == MADT_ALL;
}

bool check_firmware(struct machine *m, const struct firmware *f)
{
	char *with, *all;

	if (firmware_has_spe(f) || f->madt == MADT_UNKNOWN)
		return false;
	with = xformat("%u", f->cpus_with);
	all = xformat("%u", f->cpus);
	words_set(&m->words, "with", with);
	words_set(&m->words, "all", all);
	machine_problem(m, f->madt == MADT_PART ? &madt_part :
			f->madt == MADT_NONE ? &madt_none : &madt_too_old);
	free(all);
	free(with);
	return true;
}

static bool has_tree(const struct machine *m)
{
	return root_exists(m->root, "sys/firmware/devicetree/base/compatible") &&
	       !root_exists(m->root, "sys/firmware/acpi/tables");
}

static char *driver_of(const struct machine *m, const char *device)
{
	char *path = xformat(DEVICES "/%s/driver", device);
	char *driver = root_link_name(m->root, path);

	free(path);
	return driver;
}

char *device_driver(const struct machine *m)
{
	char *device = find_device(m->root), *driver = device ? driver_of(m, device) : NULL;

	free(device);
	return driver;
}

/* The name of a driver other than those for SPE that has the device, or NULL */
static char *other_driver(const struct machine *m, const struct firmware *f)
{
	char *driver = driver_of(m, f->device);

	if (driver && (!strcmp(driver, "arm_spe") || !strcmp(driver, "arm_spe_pmu"))) {
		free(driver);
		driver = NULL;
	}
	return driver;
}

static bool check_other_driver(struct machine *m, const struct firmware *f)
{
	char *driver = f->device ? other_driver(m, f) : NULL;

	if (!driver)
		return false;
	words_set(&m->words, "driver", driver);
	words_set(&m->words, "device", f->device);
	machine_problem(m, &reason_other_driver);
	free(driver);
	return true;
}

static bool check_log(struct machine *m)
{
	const struct remedy *advice;
	char *line = NULL;

	advice = m->log ? reason_find(m->log, &line) : NULL;
	if (!advice)
		return false;
	words_set(&m->words, "line", line);
	if (!strcmp(advice->id, hidden.id) && m->cpu_spe == CPU_WITH_SPE)
		advice = &hidden;
	machine_problem(m, advice);
	free(line);
	return true;
}

void check_binding(struct machine *m, const struct firmware *f)
{
	if (check_other_driver(m, f) || check_log(m))
		return;
	if (!firmware_has_spe(f))
		machine_problem(m, has_tree(m) ? &tree_none : &reason_no_interrupt);
	else if (root_has(m->root, "sys/devices/system/cpu/vulnerabilities/meltdown", "PTI"))
		machine_problem(m, &page_tables_maybe);
	else
		machine_problem(m, m->log ? &log_silent : &log_unreadable);
}
