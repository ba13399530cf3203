// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "util/util.h"

/* Actions of syslog(2) */
#define SYSLOG_READ_ALL	3
#define SYSLOG_SIZE	10

static char *text_or_empty(const char *root, const char *path)
{
	char *text = root_text(root, path);

	return text ? text : xformat("%s", "");
}

/* The kernel's own buffer; NULL if dmesg_restrict forbids it. */
static char *log_of_kernel(void)
{
	int size = klogctl(SYSLOG_SIZE, NULL, 0), len;
	char *log;

	if (size <= 0)
		return NULL;
	log = xcalloc(1, (size_t)size + 1);
	len = klogctl(SYSLOG_READ_ALL, log, size);
	if (len > 0)
		return log;
	free(log);
	return NULL;
}

/*
 * A file of syslog holds several boots, and only the last one counts.  Each begins with
 * Linux's banner (init/version.c).
 */
static char *last_boot(char *log)
{
	char *at = log, *next, *cut;

	while (at && (next = strstr(at + (at > log), "Linux version ")))
		at = next;
	if (!at || at == log)
		return log;
	cut = xformat("%s", at);
	free(log);
	return cut;
}

static char *log_read(const char *root)
{
	static const char *const files[] = {
		"var/log/dmesg", "var/log/kern.log", "var/log/messages",
	};
	char *log = root_is_here(root) ? log_of_kernel() : NULL;
	size_t i;

	for (i = 0; !log && i < sizeof(files) / sizeof(*files); i++)
		log = last_boot(root_text(root, files[i]));
	return log;
}

static char *kernel_read(const char *root)
{
	char *release = root_text(root, "proc/sys/kernel/osrelease");
	struct utsname here;

	if (!release && root_is_here(root) && !uname(&here))
		release = xformat("%s", here.release);
	return release ? release : xformat("%s", "");
}

static void read_cpus(struct machine *m)
{
	char *cpuinfo = root_text(m->root, "proc/cpuinfo");

	m->cpu_spe = cpus_read(cpuinfo, &m->cores);
	words_set(&m->words, "cores", m->cores);
	free(cpuinfo);
}

/*
 * Files of Docker, Podman, systemd (in a container of LXC, nspawn or others) and Kubernetes; and
 * with control groups of version 1, or without a namespace for them, the group of process 1.
 */
static bool in_container(const char *root)
{
	static const char *const files[] = {
		".dockerenv", "run/.containerenv", "run/systemd/container",
		"var/run/secrets/kubernetes.io",
	};
	static const char *const groups[] = { "kubepods", "/docker", "/lxc", "/libpod" };
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (root_exists(root, files[i]))
			return true;
	for (i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (root_has(root, "proc/1/cgroup", groups[i]))
			return true;
	return false;
}

static void read_distribution(struct machine *m)
{
	char *text = root_text(m->root, "etc/os-release"), *codename;

	if (!text)
		text = root_text(m->root, "usr/lib/os-release");
	m->distribution = root_exists(m->root, "run/ostree-booted") ? &distribution_ostree :
			  !text && root_exists(m->root, "system/build.prop") ? &distribution_android :
			  distribution_find(text, m->kernel);
	m->in_container = in_container(m->root);
	codename = distribution_value(text, "VERSION_CODENAME");
	words_set(&m->words, "codename", codename ? codename : "RELEASE");
	free(codename);
	free(text);
}

/* Linux's arch/arm64/kernel/smp.c logs this when all CPUs are up. */
static enum started level_of_log(const char *log)
{
	if (!log)
		return STARTED_UNKNOWN;
	if (strstr(log, "CPU: All CPU(s) started at EL2"))
		return STARTED_EL2;
	return strstr(log, "CPU: All CPU(s) started at EL1") ? STARTED_EL1 : STARTED_UNKNOWN;
}

static void read_platform(struct machine *m)
{
	char *vendor = text_or_empty(m->root, "sys/class/dmi/id/sys_vendor");
	char *tag = text_or_empty(m->root, "sys/class/dmi/id/chassis_asset_tag");
	char *board = text_or_empty(m->root, "sys/firmware/devicetree/base/compatible");
	char *hypervisor = text_or_empty(m->root, "sys/hypervisor/type");
	struct dmi dmi = { .vendor = vendor, .asset_tag = tag };
	enum started started = level_of_log(m->log);

	m->product = text_or_empty(m->root, "sys/class/dmi/id/product_name");
	dmi.product = m->product;
	m->platform = platform_find(&dmi, started, &m->is_virtual);
	if (!m->platform) {
		m->platform = platform_of_kernel(m->kernel);
		if (!m->platform)
			m->platform = platform_of_log(m->log ? m->log : "", started);
		if (!m->platform)
			m->platform = platform_of_board(board, hypervisor);
		m->is_virtual = m->platform != NULL;
	}
	free(board);
	free(hypervisor);
	free(vendor);
	free(tag);
}

/* As BUILD_EXCLUSIVE_KERNEL of packaging/dkms.conf says */
static bool kernel_is_old(const char *release)
{
	unsigned int major, minor;

	return sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major < 5 || (major == 5 && minor < 10));
}

/* "6.12" of 6.12.40-63.114.amzn2023.aarch64 */
static char *series_of(const char *release)
{
	size_t len = strcspn(release, ".");

	return xstrndup(release, len + (release[len] ? 1 + strcspn(release + len + 1, ".-") : 0));
}

static void set_words(struct machine *m)
{
	const struct distribution *d = m->distribution;
	char *series = series_of(m->kernel);
	char *family = xstrndup(m->product, strcspn(m->product, ". \n"));

	words_set(&m->words, "kernel", m->kernel);
	words_set(&m->words, "series", series);
	words_set(&m->words, "product", m->product);
	words_set(&m->words, "family", family);
	words_set(&m->words, "distribution", d->name);
	words_set(&m->words, "argument", "kpti=off");
	words_set(&m->words, "kpti-now", strstr(m->command_line, "kpti=") ?
		  "first remove the other kpti= from the command line, since the last one counts; then " : "");
	words_set(&m->words, "mok", d->mok);
	words_set_text(&m->words, "driver-in", d->driver_in);
	words_set_text(&m->words, "get-driver", d->get_driver);
	words_set_text(&m->words, "build-it", kernel_is_old(m->kernel) ?
		       "this project's module needs Linux 5.10 or later, so update to a newer release of the distribution" :
		       "build this project's module: make install KDIR=/lib/modules/{kernel}/build");
	words_set_text(&m->words, "get-perf", d->get_perf);
	words_set_text(&m->words, "newer-perf", d->newer_perf);
	words_set_text(&m->words, "add-argument", d->add_argument);
	words_set_text(&m->words, "remove-argument", d->remove_argument);
	free(series);
	free(family);
}

void machine_read(struct machine *m, const char *root)
{
	memset(m, 0, sizeof(*m));
	m->root = root;
	m->kernel = kernel_read(root);
	m->command_line = text_or_empty(root, "proc/cmdline");
	m->log = log_read(root);
	read_cpus(m);
	read_distribution(m);
	read_platform(m);
	set_words(m);
	driver_read(m);
}

void machine_free(struct machine *m)
{
	free(m->kernel);
	free(m->command_line);
	free(m->log);
	free(m->product);
	free(m->cores);
	free(m->driver.version);
	words_free(&m->words);
	report_free(&m->report);
}

void machine_ok(struct machine *m, const char *id, const char *what)
{
	struct remedy advice = { .id = id, .what = what };

	report_add(&m->report, LEVEL_OK, &advice, &m->words);
}

void machine_problem(struct machine *m, const struct remedy *advice)
{
	report_add(&m->report, LEVEL_PROBLEM, advice, &m->words);
}

void machine_unknown(struct machine *m, const struct remedy *advice)
{
	report_add(&m->report, LEVEL_UNKNOWN, advice, &m->words);
}
