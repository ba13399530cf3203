// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may use perf events.  On this machine doctor calls perf_event_open(2), because user ID 0
 * proves nothing in a container.  For a copy of a machine it reads only perf_event_paranoid.
 * record asks the same before it runs perf.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "util/util.h"

/* Of linux/capability.h */
#define PERFMON		(1ULL << 38)
#define SYS_ADMIN	(1ULL << 21)

static const struct remedy no_events = { "no-perf-events",
	"this kernel has no perf events",
	"/proc/sys/kernel/perf_event_paranoid is missing",
	"install a kernel with CONFIG_PERF_EVENTS" };

static const struct remedy no_settings = { "no-settings",
	"doctor cannot tell who may use perf events",
	"the folder /proc/sys/kernel is missing or unreadable",
	"mount /proc; for --root, copy this folder too" };

static const struct remedy forbidden = { "perf-event-paranoid",
	"only root may use perf",
	"perf_event_paranoid is {level}; above 2, the kernels of Debian, Ubuntu and Android refuse perf events to all other users",
	"run sysctl kernel.perf_event_paranoid=2 as root (in a file of /etc/sysctl.d to keep it), or record as root" };

/* Why the call fails, and what to do; the same whether it forbids everything or only a part */
#define SECCOMP "perf_event_open(2) fails ({error}), and a seccomp filter is on, as in the default profiles of Docker and Kubernetes; they allow this call to containers with CAP_PERFMON"
#define SECCOMP_DO "start the container with --cap-add PERFMON, or with a profile that allows perf_event_open; or record on the host"
#define NAMESPACE "perf_event_open(2) fails ({error}): this process is in a user namespace, where root has no rights over the machine, and perf_event_paranoid is {level}"
#define NAMESPACE_DO "record as root of the host; or set sysctl kernel.perf_event_paranoid there: 2 allows your own programs, 1 also the kernel, 0 also all CPUs (-a)"
#define CAPABILITY "perf_event_open(2) fails ({error}): this process has neither CAP_PERFMON nor CAP_SYS_ADMIN, and perf_event_paranoid is {level}"
#define CAPABILITY_DO "in a container, --cap-add PERFMON; else record as root, or set sysctl kernel.perf_event_paranoid: 2 allows your own programs, 1 also the kernel, 0 also all CPUs (-a)"
/* "if paranoid value is too high, CAP_SYS_ADMIN is required": github.com/aquasecurity/tracee/pull/2033 */
#define LEVEL "perf_event_open(2) fails ({error}): perf_event_paranoid is {level}, and above 2 Ubuntu's kernels want CAP_SYS_ADMIN; this process has only CAP_PERFMON"
#define LEVEL_DO "set sysctl kernel.perf_event_paranoid=2 on the host, where CAP_PERFMON is enough; or in a container, --cap-add SYS_ADMIN"
#define OTHER "perf_event_open(2) fails ({error}) although {allowed}, so a security module (SELinux, AppArmor, lockdown) or a seccomp filter forbids it"
#define OTHER_DO "look for the refusal in the audit log: ausearch -m AVC, or dmesg"

enum barrier {
	BARRIER_SECCOMP,
	BARRIER_NAMESPACE,
	BARRIER_CAPABILITY,
	BARRIER_LEVEL,			/* a capability, but not the one that this level needs */
	BARRIER_OTHER,
};

static const struct {
	struct remedy all, part;
} barriers[] = {
#define ROW(why)								\
	{ { "perf-forbidden", "you may not use perf", why, why##_DO },			\
	  { "permission", "you may record your own programs only, {extent}", why, why##_DO } }
	[BARRIER_SECCOMP] = ROW(SECCOMP),
	[BARRIER_NAMESPACE] = ROW(NAMESPACE),
	[BARRIER_CAPABILITY] = ROW(CAPABILITY),
	[BARRIER_LEVEL] = ROW(LEVEL),
	[BARRIER_OTHER] = ROW(OTHER),
};

/* 0, or the error of opening an event that counts time */
static int try_event(bool kernel, bool all_programs)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .disabled = 1,
		.config = PERF_COUNT_SW_CPU_CLOCK, .exclude_hv = 1, .exclude_kernel = !kernel,
	};
	long fd = syscall(SYS_perf_event_open, &attr, all_programs ? -1 : 0,
			  all_programs ? sched_getcpu() : -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

/* The number after a name in /proc/self/status, written in this base */
static unsigned long long status_number(const char *root, const char *name, int base)
{
	char *status = root_text(root, "proc/self/status");
	char *line = status ? strstr(status, name) : NULL;
	unsigned long long number = line ? strtoull(line + strlen(name), NULL, base) : 0;

	free(status);
	return number;
}

/* The first user namespace maps all IDs to themselves. */
static bool in_user_namespace(const char *root)
{
	char *map = root_text(root, "proc/self/uid_map"), *at = map;
	unsigned long numbers[3] = { 0, 0, 4294967295UL };
	int i;

	for (i = 0; map && i < 3; i++)
		numbers[i] = strtoul(at, &at, 10);
	free(map);
	return numbers[0] || numbers[1] || numbers[2] != 4294967295UL;
}

static unsigned long long capabilities(const char *root)
{
	return status_number(root, "CapEff:", 16) & (PERFMON | SYS_ADMIN);
}

/*
 * The kernel's perf returns EACCES, so any other error may come from a seccomp filter.  @allows
 * tells whether perf_event_paranoid allows this call to everyone.
 */
static enum barrier barrier_of(const char *root, int error, bool allows, long level)
{
	if (status_number(root, "Seccomp:", 10) && error != EACCES)
		return BARRIER_SECCOMP;
	if (allows)
		return BARRIER_OTHER;
	if (in_user_namespace(root))
		return BARRIER_NAMESPACE;
	if (!capabilities(root))
		return BARRIER_CAPABILITY;
	return level > 2 && capabilities(root) == PERFMON ? BARRIER_LEVEL : BARRIER_OTHER;
}

/* The errors of sampling one's own programs, the kernel in them and all CPUs; 0: allowed */
struct refusals {
	int own, kernel, all;
};

static struct refusals ask_kernel(void)
{
	return (struct refusals){ try_event(false, false), try_event(true, false), try_event(false, true) };
}

static int first_refusal(const struct refusals *r)
{
	return r->own ? r->own : r->kernel ? r->kernel : r->all;
}

/* Why the first refusal is one, and what to do; sets the words of this text. */
static const struct remedy *explain(struct words *w, const char *root, const struct refusals *r, long level)
{
	bool allows = level <= (r->own ? 2 : r->kernel ? 1 : 0);
	enum barrier barrier = barrier_of(root, first_refusal(r), allows, level);

	words_set_text(w, "allowed", allows ? "perf_event_paranoid is {level}, which allows it" :
		       "this process has CAP_PERFMON or CAP_SYS_ADMIN");
	words_set(w, "error", strerror(first_refusal(r)));
	words_set(w, "extent", r->kernel ? "without the kernel and without -a (all CPUs)" :
		  "with the kernel, but without -a (all CPUs)");
	return r->own ? &barriers[barrier].all : &barriers[barrier].part;
}

static void judge_calls(struct machine *m, long level)
{
	struct refusals r = ask_kernel();

	if (!first_refusal(&r))
		machine_ok(m, "permission", capabilities("") && !in_user_namespace("") ?
			   "you may record everything" :
			   "you may record your programs, the kernel and all CPUs (-a)");
	else if (r.own)
		machine_problem(m, explain(&m->words, "", &r, level));
	else
		report_add(&m->report, LEVEL_OK, explain(&m->words, "", &r, level), &m->words);
}

/* For a copy: what the setting allows users without a capability */
static void judge_setting(struct machine *m, long level)
{
	if (level > 2 && m->distribution->stricter)
		machine_problem(m, &forbidden);
	else if (level > 1)
		machine_ok(m, "permission",
			   "you may record your own programs; the kernel and physical addresses need CAP_PERFMON or sysctl kernel.perf_event_paranoid=1, all CPUs (-a) need 0 there");
	else
		machine_ok(m, "permission", "you may record programs and the kernel");
}

void check_permission(struct machine *m)
{
	char *text = root_text(m->root, "proc/sys/kernel/perf_event_paranoid");

	if (!text && root_exists(m->root, "proc/sys/kernel")) {
		machine_problem(m, &no_events);
	} else if (!text) {
		machine_unknown(m, &no_settings);
	} else {
		words_set(&m->words, "level", text);
		if (root_is_here(m->root))
			judge_calls(m, strtol(text, NULL, 10));
		else
			judge_setting(m, strtol(text, NULL, 10));
	}
	free(text);
}

/* What a copy's setting refuses to a process of its capabilities */
static struct refusals refusals_of_copy(const char *root, long level)
{
	char *status = root_text(root, "proc/self/status");
	/* Of a copy without it nothing is known of who records there. */
	bool allowed = !status || capabilities(root);

	free(status);
	return (struct refusals){ level > 2 && !allowed ? EACCES : 0, level > 1 && !allowed ? EACCES : 0,
				  level > 0 && !allowed ? EACCES : 0 };
}

enum permission permission_read(const char *root, char **why)
{
	char *text = root_text(root, "proc/sys/kernel/perf_event_paranoid");
	long level = text ? strtol(text, NULL, 10) : -1;
	struct refusals r = root_is_here(root) ? ask_kernel() : refusals_of_copy(root, level);
	struct words words = { 0 };
	struct diagnosis *d;
	struct report report = { 0 };

	*why = NULL;
	if (text && first_refusal(&r)) {
		words_set(&words, "level", text);
		report_add(&report, LEVEL_PROBLEM, explain(&words, root, &r, level), &words);
		d = &report.at[0];
		*why = xformat("%s: %s; %s", d->what, d->why, d->todo);
	}
	report_free(&report);
	words_free(&words);
	free(text);
	if (!*why)
		return PERMISSION_ALL;
	return r.own ? PERMISSION_NONE : r.kernel ? PERMISSION_PROGRAMS : PERMISSION_KERNEL;
}
