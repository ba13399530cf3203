// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/lines.h"
#include "input/ids.h"
#include "input/process.h"
#include "input/session.h"
#include "output/sharing_text.h"
#include "util/memory.h"
#include "util/plural.h"

const char *sharing_verdict(enum line_verdict verdict)
{
	static const char *const verdicts[] = {
		[LINE_COMMON] = "",
		[LINE_FALSE_SHARING] = "no byte shared: false sharing?",
		[LINE_ONE_CPU] = "no byte shared, but on one CPU",
		[LINE_FEW] = "no byte shared, but too few samples to tell",
	};

	return verdicts[verdict];
}

char *sharing_cpus(const struct line *line)
{
	return line->cpus ? xformat("%zu CPU%s", line->cpus, plural(line->cpus)) :
			    xformat("unknown CPUs");
}

char *sharing_who(const struct session *s, const struct access *a)
{
	const struct process *p = s && a->pid != NO_ID ?
		session_process(s, a->pid) : NULL;

	if (a->tid != NO_ID)
		return xformat("%d %s", a->tid, p && p->comm ? p->comm : "");
	return a->cpu != NO_ID ? xformat("CPU %d", a->cpu) : xformat("(unknown)");
}
