/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_DOCTOR_DOCTOR_H
#define PERF_SPE_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * distributions.c: Linux distributions: their packages, and how to change the kernel's command
 * line.
 */

/* Texts that can use the words {kernel}, {codename} and {argument} */
struct distribution {
	const char *id;			/* in --json */
	const char *name;
	const char *driver_in;		/* where its kernels have the driver */
	const char *get_driver;
	const char *get_perf;		/* for this kernel */
	const char *newer_perf;		/* the same, if an older perf is installed */
	const char *add_argument;	/* to the kernel's command line */
	const char *remove_argument;
	const char *mok;		/* the key with which DKMS signs modules */
	bool stricter;			/* its kernels know perf_event_paranoid above 2 */
};

/* The value of NAME=value, or NAME="value", in an os-release file; NULL without it */
char *distribution_value(const char *os_release, const char *name);

/*
 * The row for an os-release file (NULL: unreadable) and a kernel's release; the last
 * row fits every distribution.
 */
const struct distribution *distribution_find(const char *os_release, const char *kernel);
/* For a system whose files ostree replaces as a whole, and for Android, which has no os-release */
extern const struct distribution distribution_ostree, distribution_android;

/*
 * words.c: Words that stand for facts of the machine in the texts of doctor's tables, as
 * {kernel} in "apt-get install linux-modules-extra-{kernel}".
 */

#define WORDS_MAX	48

struct words {
	struct {
		const char *name;
		char *value;
		bool has_words;		/* the value is a text of a table */
	} at[WORDS_MAX];
	size_t count;
};

/* Set a word to a fact.  Braces in @value stay as they are. */
void words_set(struct words *w, const char *name, const char *value);
/* Set a word to a text of a table, which can use other words. */
void words_set_text(struct words *w, const char *name, const char *text);
/* @text with the values of its words; an unknown word stays as it is */
char *words_fill(const struct words *w, const char *text);
void words_free(struct words *w);

/* print.c: What doctor found, in the order in which the user should act on it. */

/* A finding as tables have it: its name in --json, and texts with words */
struct remedy {
	const char *id;
	const char *what;
	const char *why;
	const char *todo;
};

enum level {
	LEVEL_OK,
	LEVEL_PROBLEM,		/* the machine cannot record */
	LEVEL_UNKNOWN,		/* doctor cannot tell */
	LEVEL_NR
};

struct diagnosis {
	enum level level;
	const char *id;
	char *what, *why, *todo;	/* NULL: none */
};

struct report {
	struct diagnosis *at;
	size_t count, room;
	size_t of_level[LEVEL_NR];
};

/* Add a finding; why and todo of the advice may be NULL. */
void report_add(struct report *r, enum level level, const struct remedy *advice,
		const struct words *words);
void report_free(struct report *r);

/*
 * platforms.c: Clouds and hypervisors: how to recognize them, and which machines of theirs
 * have SPE.
 */

/* What firmware says of the machine (SMBIOS, as /sys/class/dmi/id has it); "" if nothing */
struct dmi {
	const char *vendor;		/* sys_vendor */
	const char *product;		/* product_name */
	const char *asset_tag;		/* chassis_asset_tag */
};

/* What the kernel's log says about the Exception level at which it started */
enum started {
	STARTED_UNKNOWN,
	STARTED_EL1,
	STARTED_EL2,
};

struct platform {
	const char *id;			/* in --json */
	const char *name;
	struct remedy absent;		/* no SPE in a virtual machine of this platform */
};

/*
 * The platform that these strings name; *is_virtual tells whether the machine is a
 * virtual one.  NULL if no row fits: the machine counts as a real one.
 */
const struct platform *platform_find(const struct dmi *dmi, enum started started,
				     bool *is_virtual);
/* For a kernel that only one hypervisor runs */
const struct platform *platform_of_kernel(const char *release);
/* For a kernel that a hypervisor runs, of which the firmware's strings say nothing */
const struct platform *platform_of_log(const char *log, enum started started);
/* The same by what the device tree and /sys/hypervisor/type say; "" if nothing */
const struct platform *platform_of_board(const char *compatible, const char *hypervisor);

/* driver.c: The SPE driver: this project's or Linux's own, and what keeps it from being loaded. */

enum whose_driver {
	DRIVER_UNKNOWN,			/* none is loaded, or doctor cannot see which one */
	DRIVER_OURS,
	DRIVER_LINUX,
};

/*
 * This project's module has Linux's name arm_spe_pmu, but is arm_spe beside a driver of
 * Linux that is built into the kernel.
 */
struct driver {
	enum whose_driver whose;	/* the driver that has the SPE device */
	const char *module;		/* the one to load: arm_spe or arm_spe_pmu */
	char *version;			/* of this project's module, if loaded; else NULL */
	bool is_loaded;			/* one of the two modules */
	bool is_built_in;		/* Linux's own, and the command line lets it start */
};

/* cpu.c: The CPUs' cores, and whether they have SPE. */

enum cpu_spe {
	CPU_SPE_UNKNOWN,		/* doctor does not know one of the cores */
	CPU_WITHOUT_SPE,		/* none of them has it */
	CPU_WITH_SPE,			/* at least one of them has it */
};

/* Judge proc/cpuinfo; also returns the names of the known cores, "" if there are none */
enum cpu_spe cpus_read(const char *cpuinfo, char **names);

/* machine.c: The machine that doctor examines: the facts that several checks use. */

struct machine {
	const char *root;		/* "": this machine */
	char *kernel;			/* its release */
	char *command_line;		/* of the kernel; "" if unknown */
	char *log;			/* of the kernel; NULL: unreadable */
	char *product;			/* "" if unknown */
	const struct distribution *distribution;
	const struct platform *platform;	/* NULL: none that doctor knows */
	bool is_virtual;
	bool in_container;
	char *cores;			/* names of the CPUs' cores; "" if unknown */
	enum cpu_spe cpu_spe;
	struct driver driver;
	struct words words;
	struct report report;
};

void machine_read(struct machine *m, const char *root);
void machine_free(struct machine *m);

/* Add a finding with this machine's words. */
void machine_ok(struct machine *m, const char *id, const char *what);
void machine_problem(struct machine *m, const struct remedy *advice);
void machine_unknown(struct machine *m, const struct remedy *advice);

/* device.c: ACPI's MADT, in which firmware describes the interrupt of SPE for each CPU. */

enum madt_spe {
	MADT_UNKNOWN,			/* no table, or a damaged one */
	MADT_TOO_OLD,			/* its GICC entries end before the field */
	MADT_NONE,			/* the field is 0 in each entry */
	MADT_PART,			/* some CPUs have an interrupt, others have none */
	MADT_ALL,			/* all CPUs have an interrupt */
};

/* device.c: The SPE device that firmware describes, and why no driver has bound it. */

/* What firmware tells the kernel of SPE */
struct firmware {
	char *device;			/* of the platform bus; NULL: none */
	enum madt_spe madt;
	unsigned int cpus_with, cpus;	/* in the MADT: those with an interrupt, and all */
};

/* The name of the driver that has the SPE device, as sysfs says; NULL: none, or unknown */
char *device_driver(const struct machine *m);

void firmware_read(struct firmware *f, const struct machine *m);
void firmware_free(struct firmware *f);

/* Whether firmware describes the interrupt, as far as doctor can see */
bool firmware_has_spe(const struct firmware *f);
/* Whether firmware certainly describes none; then add the finding. */
bool check_firmware(struct machine *m, const struct firmware *f);
/* The driver is there, but has no PMU: find out why it did not bind. */
void check_binding(struct machine *m, const struct firmware *f);

/* Set m->driver and the words {module-name} and {reload}. */
void driver_read(struct machine *m);
/* True if the driver runs; else after a finding */
bool check_driver(struct machine *m);
/* There is a PMU: say which driver has it. */
void check_whose_driver(struct machine *m);

/* There is a PMU: say whether other events can pause it, and why not. */
void check_pause(struct machine *m);
/* Whether records can be samples of perf (spe_sample_N), and why not */
void check_samplers(struct machine *m);

struct pmu;

/* Whether guests of KVM can be sampled, and why not: a file of @pmu says it */
void check_guests(struct machine *m, const struct pmu *pmu);

/*
 * Run all checks.  The report's first problem is the one to solve first: checks of what
 * makes others pointless, such as a hypervisor without SPE, come before these.
 */
void examine(struct machine *m);

/* Whether perf is installed, for this kernel, and knows the PMU's attributes */
void check_perf(struct machine *m);

/* Who may use perf events */
void check_permission(struct machine *m);

/* What a process may sample: each includes those before it. */
enum permission {
	PERMISSION_NONE,
	PERMISSION_PROGRAMS,		/* its own, without the kernel */
	PERMISSION_KERNEL,		/* also the kernel in them */
	PERMISSION_ALL,			/* all that the CPUs run */
};

/*
 * What this process may sample, or, below another root, one with the capabilities of proc/self/status
 * there.  *@why says in doctor's words why it is not all, and what to do; NULL for all.  To be freed
 */
enum permission permission_read(const char *root, char **why);

/* agent.c: Whether perf spe agent, where it has settings, writes windows */
void check_agent(struct machine *m);

void print_text(const struct machine *m, FILE *to);
/* One object.  Documentation/perf-spe/reference/doctor.md lists the keys: keep their meaning. */
void print_json(const struct machine *m, FILE *to);

/* reasons.c: Reasons for which a driver did not bind, as it writes them to the kernel's log. */

/*
 * The advice for the last such line of the log, NULL if it has none.  *line is a copy
 * of the line without the kernel's timestamp, for the caller to free.
 */
const struct remedy *reason_find(const char *log, char **line);
/* Why the driver has no PMU spe_sample_N, in the words of its newest line; NULL without one.  To be freed */
char *reason_no_sampler(const char *log);

/* Why the kernel refused the module's file; the log names it before a driver runs. */
extern const struct remedy reason_mismatch;

/* Reasons that doctor also finds without the log */
extern const struct remedy reason_no_interrupt, reason_page_tables, reason_other_driver,
			   reason_no_cpu_online;

/*
 * root.c: Files of the machine that doctor examines: this machine, or a copy of another
 * machine's files below a folder.  A copy is hostile: a file can be huge, binary, a
 * FIFO or a dangling link.
 */

/* The root of this machine is "". */
static inline bool root_is_here(const char *root)
{
	return !*root;
}

/*
 * The content of a file: the end of it if it is longer than 8 MiB.  Spaces replace
 * zero bytes, and newlines at the end are removed.  NULL if it cannot be read.
 */
char *root_text(const char *root, const char *path);
/* The same, with the number of bytes in *size and all bytes as they are */
char *root_bytes(const char *root, const char *path, size_t *size);
/* Whether the file can be read and contains @word */
bool root_has(const char *root, const char *path, const char *word);
bool root_exists(const char *root, const char *path);
bool root_can_list(const char *root, const char *folder);
/* The last part of the path to which a symbolic link leads, or NULL */
char *root_link_name(const char *root, const char *path);

/* The sorted names in a folder that begin with @prefix and end with @suffix */
struct names {
	char **at;
	size_t count;
};

struct names root_names(const char *root, const char *folder, const char *prefix,
			const char *suffix);
void names_free(struct names *names);

#endif
