// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "system/system.h"
#include "util/util.h"

static const struct remedy missing = { "perf-missing",
	"perf is not installed",
	"perf spe record runs perf record; no folder of PATH has {perf}",
	"{get-perf}" };

static const struct remedy not_for_kernel = { "perf-missing",
	"perf is not installed for the kernel {kernel}",
	"/usr/bin/perf is only a script, which looks for usr/lib/linux-tools/{kernel}/perf",
	"{get-perf}" };

static const struct remedy does_not_run = { "perf-missing",
	"perf is installed, but does not run",
	"'{perf} --version' prints no version",
	"run {perf} --version to see why; the package with perf: {get-perf}" };

static const struct remedy too_old = { "perf-too-old",
	"perf {version} is too old for this kernel's SPE driver",
	"the PMU has attributes in {word}, which perf knows since Linux {since}; an older perf refuses the PMU or sets none of its attributes",
	"{newer-perf}" };

/* The words of perf_event_attr that perf learned after its first SPE support */
static const struct word {
	const char *name, *since;
	unsigned int major, minor;
} words[] = {
	/* perf of Linux 6.12 ignores config4, and then each attribute: kernels.list */
	{ "config4", "6.19", 6, 19 },
	{ "config3", "6.3", 6, 3 },
};

/* Where programs are in a copy of a machine, and without PATH */
#define PATH_OF_COPY	"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* The path of a program below the root, or NULL */
static char *find_program(const struct machine *m, const char *name)
{
	const char *path = root_is_here(m->root) ? getenv("PATH") : NULL;

	return program_find(m->root, path ? path : PATH_OF_COPY, name);
}

/* Write what "PROGRAM --version" prints to @text. */
static void run_version(const char *program, char *text, size_t size)
{
	int ends[2], null, status;
	size_t have = 0;
	ssize_t got = 0;
	pid_t pid;

	*text = '\0';
	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		dup2(null, STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execl(program, program, "--version", NULL);
		_exit(127);
	}
	close(ends[1]);
	while (pid > 0 && have < size - 1 &&
	       ((got = read(ends[0], text + have, size - 1 - have)) > 0 ||
		(got < 0 && errno == EINTR)))
		have += got > 0 ? (size_t)got : 0;
	text[have] = '\0';
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, &status, 0);
}

/* The version of Debian's package linux-perf, from dpkg's list; or "" */
static void read_package_version(const struct machine *m, char *text, size_t size)
{
	static const char package[] = "Package: linux-perf\n", field[] = "\nVersion: ";
	char *list = root_text(m->root, "var/lib/dpkg/status"), *at, *end;

	*text = '\0';
	at = list ? strstr(list, package) : NULL;
	end = at ? strstr(at, "\n\n") : NULL;
	if (end)
		*end = '\0';
	at = at ? strstr(at, field) : NULL;
	if (at) {
		at += sizeof(field) - 1;
		snprintf(text, size, "%.*s", (int)strcspn(at, "\n-"), at);
	}
	free(list);
}

/* Ubuntu's /usr/bin/perf is a script that runs the perf of the kernel that is booted. */
static bool is_script(const struct machine *m, const char *path)
{
	size_t size;
	char *bytes = root_bytes(m->root, path, &size);
	bool is = bytes && size > 2 && !memcmp(bytes, "#!", 2) && strstr(bytes, "linux-tools");

	free(bytes);
	return is;
}

static bool has_tools(const struct machine *m)
{
	char *path = xformat("usr/lib/linux-tools/%s/perf", m->kernel);
	bool has = root_exists(m->root, path);

	free(path);
	return has;
}

/* Whether one of the PMU's attributes is in this word of perf_event_attr */
static bool pmu_uses(const struct pmu *pmu, const char *word)
{
	char *folder = xformat("sys/bus/event_source/devices/%s/format", pmu->name);
	struct names names = root_names(pmu->root, folder, "", "");
	bool uses = false;
	size_t i;

	for (i = 0; i < names.count && !uses; i++) {
		char *path = xformat("%s/%s", folder, names.at[i]);

		uses = root_has(pmu->root, path, word);
		free(path);
	}
	names_free(&names);
	free(folder);
	return uses;
}

static bool any_pmu_uses(const struct machine *m, const char *word)
{
	size_t count, i;
	struct pmu *pmus = pmus_find(m->root, &count);
	bool uses = false;

	for (i = 0; i < count && !uses; i++)
		uses = pmu_uses(&pmus[i], word);
	pmus_free(pmus, count);
	return uses;
}

static bool is_too_old(struct machine *m, const char *version)
{
	unsigned int major, minor;
	size_t i;

	if (sscanf(version, "%u.%u", &major, &minor) != 2)
		return false;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const struct word *w = &words[i];

		if ((major > w->major || (major == w->major && minor >= w->minor)) ||
		    !any_pmu_uses(m, w->name))
			continue;
		words_set(&m->words, "version", version);
		words_set(&m->words, "word", w->name);
		words_set(&m->words, "since", w->since);
		machine_problem(m, &too_old);
		return true;
	}
	return false;
}

static void check_version(struct machine *m, const char *path)
{
	static const char prefix[] = "perf version ";
	char text[256], *version = text;

	if (root_is_here(m->root)) {
		run_version(path, text, sizeof(text));
		version = strstr(text, prefix);
		if (!version) {
			machine_problem(m, &does_not_run);
			return;
		}
		version += sizeof(prefix) - 1;
		version[strcspn(version, " \n")] = '\0';
	} else {
		read_package_version(m, text, sizeof(text));
	}
	if (is_too_old(m, version))
		return;
	words_set(&m->words, "version", version);
	machine_ok(m, "perf", *version ? "perf {version} is installed" : "perf is installed");
}

void check_perf(struct machine *m)
{
	const char *name = getenv("PERF");
	char *path;

	if (!name || !root_is_here(m->root))
		name = "perf";
	path = find_program(m, name);
	words_set(&m->words, "perf", name);
	if (!path)
		machine_problem(m, &missing);
	else if (is_script(m, path) && !has_tools(m))
		machine_problem(m, &not_for_kernel);
	else
		check_version(m, path);
	free(path);
}
