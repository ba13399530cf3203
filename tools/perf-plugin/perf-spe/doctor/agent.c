// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "doctor/doctor.h"
#include "util/util.h"

#define SETTINGS	"/etc/perf-spe/agent.conf"

static const struct remedy wrong = { "agent-settings",
	"the settings of perf spe agent, " SETTINGS ", are wrong",
	"the agent does not start with them",
	"perf spe agent --check --config " SETTINGS };

static const struct remedy idle = { "agent-idle",
	"perf spe agent has settings, and writes no windows to {spool}",
	"there are {windows} windows, and none is newer than {limit} s",
	"systemctl status perf-spe-agent; journalctl -u perf-spe-agent" };

static void look(struct machine *m, const struct agent_config *c)
{
	char *spool = xformat("%s%s", m->root, c->spool), *text;
	struct spool_state s = spool_look(spool);
	/* The budget may make a round so many times as long. */
	double limit = (BUDGET_ROUNDS + 1) * c->every;
	bool missing = access(spool, F_OK) && errno == ENOENT;

	words_set(&m->words, "spool", c->spool);
	text = xformat("%zu", s.count[SPOOL_WINDOW]);
	words_set(&m->words, "windows", text);
	free(text);
	text = xformat("%.0f", limit);
	words_set(&m->words, "limit", text);
	free(text);
	if (!s.readable && !missing)
		machine_ok(m, "agent", "perf spe agent has settings; only root may see its windows in {spool}");
	else if (difftime(time(NULL), (time_t)s.newest) > limit)
		report_add(&m->report, LEVEL_OK, &idle, &m->words);
	else
		machine_ok(m, "agent", "perf spe agent runs, and {spool} has {windows} windows");
	free(spool);
}

void check_agent(struct machine *m)
{
	char *path = xformat("%s" SETTINGS, m->root);
	FILE *none = fopen("/dev/null", "we");
	struct agent_config c;
	bool good;

	if (root_exists(m->root, &SETTINGS[1])) {
		/* --check says what is wrong. */
		messages_to(none);
		good = agent_config_read(&c, path);
		messages_to(NULL);
		if (good)
			look(m, &c);
		else
			report_add(&m->report, LEVEL_OK, &wrong, &m->words);
		agent_config_free(&c);
	}
	if (none)
		fclose(none);
	free(path);
}
