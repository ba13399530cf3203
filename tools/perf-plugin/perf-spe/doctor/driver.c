// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "system/system.h"
#include "util/util.h"

/* Beside a driver that is built in, this project's module needs another name. */
#define MODULE		"arm_spe_pmu"
#define MODULE_BESIDE	"arm_spe"

static const struct remedy missing = { "driver-missing",
	"the driver " MODULE " is not installed for the kernel {kernel}",
	"{distribution}: {driver-in}",
	"{get-driver}" };

static const struct remedy not_built = { "driver-missing",
	"the kernel {kernel} was built without an SPE driver",
	"its configuration has CONFIG_ARM_SPE_PMU switched off",
	"install a kernel with CONFIG_ARM_SPE_PMU, or {build-it}" };

static const struct remedy kept_out = { "driver-missing",
	"the kernel's command line keeps Linux's built-in driver out, and this project's module is not installed",
	"it has initcall_blacklist= with arm_spe_pmu_init",
	"make install KDIR=/lib/modules/{kernel}/build, then modprobe " MODULE_BESIDE "; to use Linux's driver instead, remove arm_spe_pmu_init there and restart" };

static const struct remedy in_container = { "in-container",
	"the driver is not loaded, and this is a container, where nothing can load it",
	"a container has the kernel of its host, but its own distribution's files",
	"run perf spe doctor on the host, and load the driver there; then run the container with --cap-add PERFMON" };

static const struct remedy unknown = { "driver-unknown",
	"doctor cannot tell whether the kernel {kernel} has an SPE driver",
	"the folder lib/modules/{kernel} is missing or unreadable, and the driver is not loaded",
	"run doctor on the machine itself, not in a container; for --root, copy this folder too" };

static const struct remedy modules_gone = { "kernel-replaced",
	"the modules of the running kernel {kernel} are gone, so no driver can be loaded",
	"lib/modules has only those of {others}: an upgrade replaced the kernel",
	"restart" };

static const struct remedy not_listed = { "driver-not-listed",
	"the driver's file is there, but modprobe does not know it",
	"lib/modules/{kernel}/modules.dep does not list {module}: depmod did not run since, or does not know this compression",
	"depmod {kernel}, then modprobe {module-name}; if modules.dep still lacks it, use a newer kmod, or decompress the file first" };

static const struct remedy unreadable = { "module-mismatch",
	"the kernel {kernel} cannot read the file of its module {module-name}",
	"neither modprobe nor this kernel can decompress {module}, or it is damaged or for another architecture; the log says: {line}",
	"build it anew for this kernel: with DKMS, dkms autoinstall -k {kernel}; else make install KDIR=/lib/modules/{kernel}/build; then modprobe {module-name}" };

static const struct remedy not_loaded = { "driver-not-loaded",
	"the driver {module-name} is installed, but not loaded",
	"no program has loaded the module",
	"modprobe {module-name}; to load it at each start, echo {module-name} >/etc/modules-load.d/{module-name}.conf" };

static const struct remedy blocked_by_kernel = { "driver-blacklisted",
	"the kernel's command line forbids to load the driver",
	"it has {argument}",
	"{remove-argument}" };

static const struct remedy blocked_by_install = { "driver-blacklisted",
	"modprobe's configuration forbids to load the driver",
	"{file} has the line '{line}'",
	"remove this line, then modprobe {module-name}" };

static const struct remedy not_automatic = { "driver-blacklisted",
	"the driver is not loaded at start, because it is blacklisted",
	"{file} has '{line}', which stops udev, but not a modprobe by name",
	"modprobe {module-name} loads it now; remove the entry to load it at each start" };

static const struct remedy refused = { "driver-refused",
	"the kernel refuses to load the module {module}",
	"Secure Boot (lockdown) or module.sig_enforce=1 lets the kernel load only modules with a signature that it trusts, and this module, which is not of your distribution, has none",
	"mokutil --import {mok}, restart, confirm the key in the firmware's dialog, then modprobe {module-name}; or use the distribution's own module, which is signed" };

/* A second finding, so that one restart is enough for both. */
static const struct remedy page_tables = { "page-table-isolation",
	"kernel page-table isolation is on, so the driver would not bind",
	"this isolation unmaps the buffer while user code runs; only SPE with physical addresses (FEAT_SPE_nVM) works with it",
	"if you can do without this protection, use the argument kpti=off: {kpti-now}{add-argument}" };

/* Folders in order of precedence: modprobe.d(5) */
static const char *const modprobe_folders[] = {
	"etc/modprobe.d", "run/modprobe.d", "usr/local/lib/modprobe.d", "usr/lib/modprobe.d",
	"lib/modprobe.d",
};

static char *module_list(const struct machine *m, const char *list)
{
	char *path = xformat("lib/modules/%s/%s", m->kernel, list);
	char *usr = xformat("usr/%s", path), *text = root_text(m->root, path);

	if (!text)
		text = root_text(m->root, usr);
	free(path);
	free(usr);
	return text;
}

/* The path of a module's file in such a list, or NULL */
static char *module_path(const char *list, const char *module)
{
	char *name = xformat("/%s.ko", module);
	const char *at = list ? strstr(list, name) : NULL, *begin = at;

	free(name);
	if (!at)
		return NULL;
	while (begin > list && begin[-1] != '\n' && begin[-1] != ' ')
		begin--;
	return xstrndup(begin, strcspn(begin, ": \n"));
}

static bool is_loaded(const struct machine *m, const char *module)
{
	char *modules = root_text(m->root, "proc/modules"), *first = xformat("%s ", module);
	char *other = xformat("\n%s ", module);
	bool loaded = modules && (!strncmp(modules, first, strlen(first)) ||
				  strstr(modules, other));

	free(other);
	free(first);
	free(modules);
	return loaded;
}

static bool is_set(const struct machine *m, const char *setting)
{
	char *path = xformat("boot/config-%s", m->kernel);
	bool is = root_has(m->root, path, setting);

	free(path);
	return is;
}

static bool is_built_in(const struct machine *m)
{
	char *list = module_list(m, "modules.builtin");
	bool is = (list && strstr(list, "/" MODULE ".ko")) ||
		  is_set(m, "CONFIG_ARM_SPE_PMU=y");

	free(list);
	return is;
}

/* Linux's own driver has no version, so the folder of its module has no such file. */
static char *module_version(const struct machine *m, const char *module)
{
	char *path = xformat("sys/module/%s/version", module);
	char *version = root_text(m->root, path);

	free(path);
	return version;
}

/* The names that drivers give themselves on the platform bus: ours arm_spe, Linux's arm_spe_pmu */
static enum whose_driver whose_driver(const struct machine *m)
{
	const struct driver *d = &m->driver;
	char *bound = device_driver(m);
	enum whose_driver whose = DRIVER_UNKNOWN;

	if (bound)
		whose = strcmp(bound, "arm_spe") ? DRIVER_LINUX : DRIVER_OURS;
	else if (d->version)
		whose = DRIVER_OURS;
	else if (d->is_loaded || d->is_built_in)
		whose = DRIVER_LINUX;
	free(bound);
	return whose;
}

static void set_words(struct machine *m)
{
	const struct driver *d = &m->driver;
	char *reload = xformat("modprobe -r %s and modprobe %s", d->module, d->module);

	words_set(&m->words, "module-name", d->module);
	words_set(&m->words, "reload",
		  d->is_built_in && !d->is_loaded ? "restart, since the driver is built in" : reload);
	words_set(&m->words, "driver-version", d->version ? d->version : "");
	free(reload);
}

/* Whether a word of the line is @name, with - and _ as the same character */
static bool has_module(const char *words, size_t len, const char *name)
{
	size_t i, at, size = strlen(name);

	for (at = 0; at + size <= len; at++) {
		for (i = 0; i < size; i++)
			if (words[at + i] != name[i] &&
			    !(words[at + i] == '-' && name[i] == '_'))
				break;
		if (i == size && (!at || strchr(" \t,=\"", words[at - 1])) &&
		    (at + i == len || strchr(" \t,\n\"", words[at + i])))
			return true;
	}
	return false;
}

/* The argument of the command line that begins with @name and lists @what, or NULL */
static char *find_argument(const struct machine *m, const char *name, const char *what)
{
	const char *at = m->command_line;
	size_t len;

	for (; *at; at += len + (at[len] != '\0')) {
		len = strcspn(at, " \n");
		if (!strncmp(at, name, strlen(name)) && has_module(at, len, what))
			return xstrndup(at, len);
	}
	return NULL;
}

void driver_read(struct machine *m)
{
	struct driver *d = &m->driver;
	bool has_built_in = is_built_in(m), beside = is_loaded(m, MODULE_BESIDE);
	char *kept_out_by = find_argument(m, "initcall_blacklist=", "arm_spe_pmu_init");

	d->is_built_in = has_built_in && !kept_out_by;
	d->module = has_built_in || beside ? MODULE_BESIDE : MODULE;
	d->is_loaded = beside || (!has_built_in && is_loaded(m, MODULE));
	d->version = module_version(m, d->module);
	d->whose = whose_driver(m);
	set_words(m);
	free(kept_out_by);
}

/* The line of a configuration that begins with @command and names the module, or NULL */
static char *find_command(const char *text, const char *command, const char *module)
{
	size_t len;

	for (; *text; text += len + (text[len] != '\0')) {
		text += strspn(text, " \t");
		len = strcspn(text, "\n");
		if (!strncmp(text, command, strlen(command)) && has_module(text, len, module))
			return xstrndup(text, len);
	}
	return NULL;
}

static bool file_has_command(struct machine *m, const char *path, const char *command)
{
	char *text = root_text(m->root, path), *full;
	char *line = text ? find_command(text, command, m->driver.module) : NULL;

	free(text);
	if (!line)
		return false;
	full = xformat("/%s", path);
	words_set(&m->words, "file", full);
	words_set(&m->words, "line", line);
	free(full);
	free(line);
	return true;
}

/* Look for a command of modprobe.d(5); true with the words file and line. */
static bool configured(struct machine *m, const char *command)
{
	size_t i, k;
	bool found = false;

	for (i = 0; i < sizeof(modprobe_folders) / sizeof(*modprobe_folders) && !found; i++) {
		struct names names = root_names(m->root, modprobe_folders[i], "", ".conf");

		for (k = 0; k < names.count && !found; k++) {
			char *path = xformat("%s/%s", modprobe_folders[i], names.at[k]);

			found = file_has_command(m, path, command);
			free(path);
		}
		names_free(&names);
	}
	return found;
}

static bool argument_is(struct machine *m, const char *name, const char *word)
{
	char *argument = find_argument(m, name, m->driver.module);

	if (!argument)
		return false;
	words_set(&m->words, word, argument);
	free(argument);
	return true;
}

static bool check_blacklists(struct machine *m)
{
	if (argument_is(m, "module_blacklist=", "argument")) {
		machine_problem(m, &blocked_by_kernel);
		words_set(&m->words, "argument", "kpti=off");
	} else if (configured(m, "install ")) {
		machine_problem(m, &blocked_by_install);
	} else if (configured(m, "blacklist ")) {
		machine_problem(m, &not_automatic);
	} else if (argument_is(m, "modprobe.blacklist=", "line")) {
		words_set(&m->words, "file", "the kernel's command line");
		machine_problem(m, &not_automatic);
	} else {
		return false;
	}
	return true;
}

/*
 * Linux's kernel/module/signing.c and security/lockdown log these lines, without the
 * module's name.  A distribution signs its own modules, below kernel/.
 */
static bool is_refused(const struct machine *m, const char *path)
{
	if (!strncmp(path, "kernel/", strlen("kernel/")))
		return false;
	if (!m->log)
		return root_has(m->root, "sys/module/module/parameters/sig_enforce", "Y") ||
		       (root_exists(m->root, "sys/kernel/security/lockdown") &&
			!root_has(m->root, "sys/kernel/security/lockdown", "[none]"));
	return strstr(m->log, "oading of unsigned module is rejected") ||
	       strstr(m->log, "oading of module with unavailable key is rejected") ||
	       strstr(m->log, "unsigned module loading is restricted");
}

/*
 * The last line of Linux's kernel/module/main.c or decompress.c about a file that it cannot read,
 * or NULL.  These lines do not name the file, so they count for a module of the kernel's own
 * package no more than those of a missing signature.
 */
static char *unreadable_line(const struct machine *m, const char *path)
{
	static const char *const texts[] = {
		"Invalid ELF header magic", "Invalid architecture in ELF header",
		"ecompression failed with status", "not a gzip compressed module",
		"not an xz compressed module", "not a zstd compressed module",
	};
	const char *at, *last = NULL;
	size_t i;

	if (!m->log || !strncmp(path, "kernel/", strlen("kernel/")))
		return NULL;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (at = m->log; (at = strstr(at, texts[i])); at++)
			last = at > last ? at : last;
	while (last && last > m->log && last[-1] != '\n' && last[-1] != ']')
		last--;
	if (!last)
		return NULL;
	last += strspn(last, " ");
	return xstrndup(last, strcspn(last, "\n"));
}

static void explain_file(struct machine *m, const char *path)
{
	char *line = NULL, *broken = unreadable_line(m, path);

	words_set(&m->words, "module", path);
	if (check_blacklists(m)) {
		free(broken);
		return;
	}
	if (is_refused(m, path)) {
		machine_problem(m, &refused);
	} else if (broken) {
		words_set(&m->words, "line", broken);
		machine_problem(m, &unreadable);
	} else if (m->log && reason_find(m->log, &line) == &reason_mismatch) {
		words_set(&m->words, "line", line);
		machine_problem(m, &reason_mismatch);
	} else {
		machine_problem(m, &not_loaded);
	}
	free(line);
	free(broken);
}

/* Where Kbuild, DKMS, make install and distributions put the file below lib/modules/KERNEL */
static char *unlisted_file(const struct machine *m)
{
	static const char *const folders[] = {
		"updates", "updates/dkms", "extra", "weak-updates", "kernel/drivers/perf",
	};
	char *start = xformat("%s.ko", m->driver.module), *found = NULL;
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(*folders) && !found; i++) {
		char *path = xformat("lib/modules/%s/%s", m->kernel, folders[i]);
		struct names names = root_names(m->root, path, start, "");

		if (names.count)
			found = xformat("%s/%s", folders[i], names.at[0]);
		names_free(&names);
		free(path);
	}
	free(start);
	return found;
}

/* Whether the modules of other kernels are there, but no list of the running one's */
static bool kernel_replaced(struct machine *m, const char *list)
{
	struct names names = root_names(m->root, "lib/modules", "", "");
	char *others = NULL;
	bool replaced;
	size_t i;

	for (i = 0; i < names.count; i++) {
		char *path = xformat("lib/modules/%s/modules.dep", names.at[i]);

		if (root_exists(m->root, path))
			others = text_list_add(others, names.at[i]);
		free(path);
	}
	names_free(&names);
	words_set(&m->words, "others", others ? others : "");
	replaced = others && !list;
	free(others);
	return replaced;
}

static void explain_absence(struct machine *m)
{
	char *list = module_list(m, "modules.dep"), *path = module_path(list, m->driver.module);
	char *unlisted = path ? NULL : unlisted_file(m);

	if (unlisted)
		words_set(&m->words, "module", unlisted);
	if (m->in_container)
		machine_problem(m, &in_container);
	else if (path)
		explain_file(m, path);
	else if (unlisted)
		machine_problem(m, &not_listed);
	else if (kernel_replaced(m, list))
		machine_problem(m, &modules_gone);
	else if (!strcmp(m->driver.module, MODULE_BESIDE))
		machine_problem(m, &kept_out);
	else if (is_set(m, "# CONFIG_ARM_SPE_PMU is not set"))
		machine_problem(m, &not_built);
	else if (list || is_set(m, "CONFIG_ARM_SPE_PMU=m"))
		machine_problem(m, &missing);
	else
		machine_unknown(m, &unknown);
	free(unlisted);
	free(path);
	free(list);
}

static const struct remedy beside_linux = { "driver",
	"Linux's own driver has the SPE device, and this project's module arm_spe {driver-version} is loaded beside it without effect",
	"Linux's driver is built into this kernel, and a device has one driver",
	"to use this project's, see takeover= and initcall_blacklist= in Documentation/install.md; to use Linux's, modprobe -r arm_spe" };

void check_whose_driver(struct machine *m)
{
	const struct driver *d = &m->driver;

	if (d->whose == DRIVER_OURS)
		machine_ok(m, "driver", d->version ?
			   "the driver is this project's module {module-name}, version {driver-version}" :
			   "the driver is this project's module; doctor cannot read its version");
	else if (d->whose == DRIVER_LINUX && d->is_built_in && d->is_loaded)
		report_add(&m->report, LEVEL_OK, &beside_linux, &m->words);
	else if (d->whose == DRIVER_LINUX)
		machine_ok(m, "driver", d->is_built_in ?
			   "the driver is Linux's own, which is built into the kernel {kernel}" :
			   "the driver is Linux's own module arm_spe_pmu, of the kernel {kernel}");
	else
		machine_ok(m, "driver", "doctor cannot tell whose driver it is: no file names it");
}

bool check_driver(struct machine *m)
{
	if (m->driver.is_loaded) {
		machine_ok(m, "driver", m->driver.version ?
			   "the driver {module-name} {driver-version} is loaded" :
			   "the driver is loaded");
		return true;
	}
	if (m->driver.is_built_in) {
		machine_ok(m, "driver", "the driver is built into the kernel");
		return true;
	}
	explain_absence(m);
	if (root_has(m->root, "sys/devices/system/cpu/vulnerabilities/meltdown", "PTI"))
		machine_problem(m, &page_tables);
	return false;
}

/*
 * The parameter of this project's module, which has another name beside a built-in driver.
 * Linux's own driver has neither the parameter nor the capability.
 */
void check_pause(struct machine *m)
{
	static const char *const files[] = {
		"sys/module/arm_spe_pmu/parameters/aux_pause",
		"sys/module/arm_spe/parameters/aux_pause",
	};
	char *value = root_text(m->root, files[0]);

	if (!value)
		value = root_text(m->root, files[1]);
	if (!value)
		machine_ok(m, "pause",
			   "other events cannot pause sampling (aux-action=): this driver cannot do it");
	else if (*value == 'Y')
		machine_ok(m, "pause",
			   "other events can pause sampling (aux-action=); on a kernel without the fixes of patches/upstream/core every user can cause a kernel warning by it");
	else
		machine_ok(m, "pause",
			   "other events cannot pause sampling (aux-action=): by a fault of perf's core every user could cause a kernel warning; to risk that, load the module with aux_pause=1");
	free(value);
}

static char *sampler_names(const struct machine *m)
{
	size_t count, i;
	struct pmu *pmus = pmus_find_samplers(m->root, &count);
	char *list = NULL;

	for (i = 0; i < count; i++)
		list = text_list_add(list, pmus[i].name);
	pmus_free(pmus, count);
	return list;
}

void check_samplers(struct machine *m)
{
	char *names = sampler_names(m), *reason = m->log ? reason_no_sampler(m->log) : NULL;

	if (names)
		words_set(&m->words, "samplers", names);
	if (reason)
		words_set_text(&m->words, "no-sampler", reason);
	if (names)
		machine_ok(m, "samples",
			   "records can be samples of perf: {samplers}; perf spe record --samples");
	else if (m->driver.whose == DRIVER_LINUX)
		machine_ok(m, "samples",
			   "records cannot be samples of perf: only this project's driver has a PMU spe_sample");
	else if (reason)
		machine_ok(m, "samples",
			   "records cannot be samples of perf: the driver says why it has no PMU spe_sample: {no-sampler}");
	else
		machine_ok(m, "samples",
			   "records cannot be samples of perf: the driver has no PMU spe_sample; dmesg | grep spe_sample tells why");
	free(reason);
	free(names);
}

void check_guests(struct machine *m, const struct pmu *pmu)
{
	char *path = xformat("sys/bus/event_source/devices/%s/guests", pmu->name);
	char *text = root_text(m->root, path);

	if (text)
		words_set_text(&m->words, "guests", text);
	if (!text)
		machine_ok(m, "guests", "guests of KVM cannot be sampled: this driver does not support it");
	else if (!strncmp(text, "never", 5))
		machine_ok(m, "guests", "guests of KVM are {guests}");
	else
		machine_ok(m, "guests", "guests of KVM are {guests}; perf spe record --guests");
	free(text);
	free(path);
}
