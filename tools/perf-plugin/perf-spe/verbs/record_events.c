// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "system/system.h"
#include "util/util.h"
#include "verbs/verbs.h"

/* Bytes a second from all CPUs that are expected to be busy, or from one */
static double rate(const struct record_events *r, const struct volume *v, bool all)
{
	size_t cpus = all ? v->cpus : 1;

	return r->req.freq ? (double)(r->req.freq * v->bytes * cpus) : volume_rate(v, r->req.period, cpus);
}

/* Say what the period that perf-spe chose writes, and why it is no shorter if that is not the reason. */
static void say_chosen(const struct record_events *r, const struct volume *v)
{
	char *one = volume_text(rate(r, v, false)), *all = volume_text(rate(r, v, true));
	char *reason = volume_reason(v, r->all);
	char *for_cpus = r->all || v->cpus == 1 ? xformat(" for %zu CPU%s", v->cpus, plural(v->cpus)) : NULL;
	char *most = for_cpus ? xformat("%s", all) :
		     xformat("%s for each busy CPU and %s for all %zu", one, all, v->cpus);

	say("record: chose period %" PRIu64 "%s%s%s: at most %s, if a CPU executes at most %.1f G operations a second and a sample has %u bytes; --period N changes it",
	    r->req.period, for_cpus ? for_cpus : "", reason ? ", as " : "", reason ? reason : "", most,
	    (double)v->hz * VOLUME_IPC / 1e9, v->bytes);
	free(one);
	free(all);
	free(reason);
	free(for_cpus);
	free(most);
}

/* Whether the CPU leaves samples out; how many, only the program tells. */
static bool keeps_some(const struct pmu_request *req)
{
	return req->load || req->store || req->branch || req->simd || req->fp || req->events ||
	       req->not_events || req->min_latency || req->sources;
}

/* Warn of what the user's own period or frequency writes. */
static void check_volume(const struct record_events *r, const struct volume *v)
{
	double bytes = rate(r, v, r->all);

	if (bytes > (double)VOLUME_MOST)
		say("record: --%s %" PRIu64 " writes up to %.0f MB/s from %s, more than perf and a disk take, %s a %s one, for example --period %" PRIu64,
		    r->req.freq ? "freq" : "period",
		    r->req.freq ? r->req.freq : r->req.period, bytes / 1e6,
		    r->all ? "all CPUs" : "each busy CPU",
		    keeps_some(&r->req) ?
		    "unless your filters keep few samples: if 'perf spe stat' says that samples were lost, give" :
		    "so samples will be lost: give",
		    r->req.freq ? "lower" : "larger", volume_period(v, r->all));
}

/* Samples with stacks bound the volume, whatever the period is. */
static void say_aux_sample(const struct record_events *r, bool chosen)
{
	struct stack_attr attr = stack_attr(r->root, r->stacks);
	char *period = chosen ? xformat("chose period %" PRIu64 "; ", r->req.period) : xformat("%s", "");
	char *most = volume_text((double)(attr.freq * r->aux_sample));

	say("record: %sup to %" PRIu64 " samples of %s a second carry the newest %" PRIu64 " bytes of records: at most %s from each busy CPU",
	    period, attr.freq, attr.name, r->aux_sample, most);
	free(period);
	free(most);
}

/* Choose a period if the user has not, and tell the volume of data. */
static void choose_period(struct record_events *r, const struct pmu *pmus, size_t count)
{
	struct volume v = volume_read(r->root, pmus, count, r->cpus, r->samples);
	bool chosen = !r->req.period && !r->req.freq && !r->own_period;

	if (chosen)
		r->req.period = volume_period(&v, r->all);
	if (r->aux_sample)
		say_aux_sample(r, chosen);
	else if (chosen)
		say_chosen(r, &v);
	else if (!r->own_period)
		check_volume(r, &v);
}

/*
 * Records can lie in samples if a PMU for all CPUs has a driver that copies them; its counter
 * tells.  False after a message: then the whole trace is recorded beside the stacks.
 */
static bool can_aux_sample(const struct pmu *pmus, size_t count)
{
	char *path = pmu_path(&pmus[0], "counters/aux_samples");
	bool copies = !access(path, F_OK);

	free(path);
	if (!copies)
		say("record: the driver of %s does not support --aux-sample: recording all records instead; load this project's arm_spe_pmu to use it",
		    pmus[0].name);
	else if (count > 1)
		say("record: --aux-sample needs one SPE PMU for all CPUs, and this machine has %zu: recording all records instead",
		    count);
	return copies && count == 1;
}

/*
 * Chains of frame pointers lack the caller of a function that has no frame: the link register
 * tells it.
 */
static void add_stacks(struct record_events *r, struct args *args, char *spe_event)
{
	char *stacks = stack_event(r->root, r->stacks, r->aux_sample, &r->req);

	if (r->stacks == STACKS_FP)
		args_add(args, "--user-regs=lr");
	args_add(args, "-e");
	if (!spe_event) {
		args_take(args, stacks);
		return;
	}
	args_take(args, xformat("{%s,%s}", spe_event, stacks));
	free(stacks);
	free(spe_event);
}

/* CAP_PERFMON and CAP_SYS_ADMIN, of linux/capability.h */
#define CAPABILITIES	(UINT64_C(1) << 38 | UINT64_C(1) << 21)

/* The program perf may have the capability although this one has not, so this is no error. */
static void say_privilege(const struct record_events *r)
{
	char *path = xformat("%s/proc/self/status", r->root), line[256];
	FILE *status = fopen(path, "re");
	uint64_t has = CAPABILITIES;

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "CapEff: %" SCNx64, &has) == 1)
			break;
	if (!(has & CAPABILITIES))
		say("record: the driver lets only users with CAP_PERFMON sample guests, and you do not have it: if perf fails, run this command as root");
	if (status)
		fclose(status);
	free(path);
}

/* Whether perf has file capabilities, so that what this process may do says nothing of it */
static bool perf_has_capabilities(const char *perf)
{
	char *path = program_find("", getenv("PATH"), perf);
	bool has = path && getxattr(path, "security.capability", NULL, 0) > 0;

	free(path);
	return has;
}

/* What perf may sample; say why before it fails, or leaves out what the user asked for. */
static enum permission ask_permission(const struct record_events *r, const char *perf)
{
	enum permission may, wanted = r->all ? PERMISSION_ALL :
				      r->req.kernel || r->req.physical ? PERMISSION_KERNEL : PERMISSION_PROGRAMS;
	char *why;

	if (perf_has_capabilities(perf))
		return PERMISSION_ALL;
	may = permission_read(r->root, &why);
	if (may < wanted)
		say("record: %s", why);
	else if (may < PERMISSION_KERNEL && !r->req.user)
		say("record: no permission to sample the kernel, so only programs are sampled: run 'perf spe doctor' for the cause, or give --user");
	free(why);
	return may;
}

/*
 * The kernel puts its own functions into a chain even if the event excludes it, and new kernels refuse
 * such chains to those who may not sample the kernel.
 */
static void add_chains(const struct record_events *r, enum permission may, struct args *args)
{
	if ((r->stacks != STACKS_NONE || r->own_chains) && !r->req.kernel &&
	    (r->req.user || may < PERMISSION_KERNEL))
		args_add(args, "--user-callchains");
}

/* Add all events; @spe are those of the PMUs, which this function frees. */
static void add_events(struct record_events *r, struct args *args, char **spe, size_t count)
{
	size_t i;

	for (i = 0; i < count && !r->aux_sample; i++) {
		args_add(args, "-e");
		args_take(args, spe[i]);
	}
	if (r->stacks != STACKS_NONE)
		add_stacks(r, args, r->aux_sample ? spe[0] : NULL);
}

/* What a sample has beside its record's bytes; -d, the data address, is always there. */
static void add_parts(const struct record_events *r, struct args *args)
{
	args_add(args, "--raw-samples");
	args_add(args, "-W");
	if (r->req.physical)
		args_add(args, "--phys-data");
}

/*
 * Samples when threads leave the CPU tell their control groups, which AUX data do not.  The kernel takes
 * them in its own code, so not for a user of --user, and not for one who may not sample the kernel: to one
 * who may sample nothing, perf would only say that the kernel has no control groups.
 */
static void add_groups(const struct record_events *r, enum permission may, struct args *args)
{
	if (r->req.user || may < PERMISSION_KERNEL || !proc_has_groups(r->root))
		return;
	args_add(args, "--all-cgroups");
	if (r->samples)
		return;
	args_add(args, "-e");
	args_add(args, "context-switches/period=1/");
}

static void add_amount(const struct record_events *r, struct args *args)
{
	uint64_t amount = r->req.period ? r->req.period : r->req.freq;

	if (!amount)
		return;
	args_add(args, r->req.period ? "-c" : "-F");
	args_take(args, xformat("%" PRIu64, amount));
}

bool record_events(struct record_events *r, struct args *args)
{
	size_t count, i;
	struct pmu *pmus = (r->samples ? pmus_find_samplers : pmus_find)(r->root, &count);
	enum permission may;
	char **spe = xcalloc(count, sizeof(*spe));
	bool good = count;

	if (!count)
		say("record: this machine has no %s: run 'perf spe doctor' for the cause",
		    r->samples ? "PMU spe_sample" : "SPE PMU");
	for (i = 0; i < count; i++) {
		spe[i] = pmu_event(&pmus[i], &r->req);
		good &= spe[i] && request_period(&r->req, &pmus[i]);
	}
	if (good) {
		may = ask_permission(r, args->args[0]);
		if (r->req.guests != GUESTS_NONE)
			say_privilege(r);
		if (r->aux_sample && !can_aux_sample(pmus, count))
			r->aux_sample = 0;
		choose_period(r, pmus, count);
		if (r->samples)
			add_parts(r, args);
		add_chains(r, may, args);
		add_events(r, args, spe, count);
		add_groups(r, may, args);
		add_amount(r, args);
	}
	for (i = 0; i < count && !good; i++)
		free(spe[i]);
	free(spe);
	pmus_free(pmus, count);
	return good;
}
