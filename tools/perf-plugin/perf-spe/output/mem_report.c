// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/heat.h"
#include "input/ids.h"
#include "input/process.h"
#include "input/session.h"
#include "output/mem_report.h"
#include "util/memory.h"

char *mem_whose(const struct mem_report *m, int32_t pid, uint64_t address)
{
	const struct process *p = m->rows.resolver.session && pid != NO_ID ?
		session_process(m->rows.resolver.session, pid) : NULL;

	if (pid != NO_ID)
		return xformat("%d %s", pid, p && p->comm ? p->comm : "");
	return xformat("%s", m->pages.physical ? "physical" :
		       address >> 63 ? "kernel" : "");
}

char *mem_title(const struct mem_report *m, const struct heat *h)
{
	char *who = mem_whose(m, h->region.pid, h->region.start);
	char *title = xformat("%s by address and %s: 0x%" PRIx64 "-0x%" PRIx64 "%s%s",
			      m->by_latency ? "cycles" : "samples",
			      m->pages.timed ? "time" : "order",
			      h->region.start, h->region.end,
			      *who ? " of " : "", who);

	free(who);
	return title;
}
