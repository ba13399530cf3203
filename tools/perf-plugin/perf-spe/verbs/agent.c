// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf spe agent: samples this machine in windows, and writes the sums of each window to a folder.
 */
#include <stdio.h>

#include "agent/agent.h"
#include "util/util.h"
#include "verbs/verbs.h"

enum { OPT_CONFIG = 256, OPT_CHECK, OPT_WINDOWS, OPT_SEND, OPT_ONCE, OPT_ROOT };

static void usage(FILE *to)
{
	fputs("usage: perf spe agent --config FILE [OPTIONS]\n"
	      "\n"
	      "Samples all CPUs in windows, adds up the samples of each window, and writes the sums\n"
	      "to a file. Samples less often or for less time when its CPU time exceeds the budget.\n"
	      "SIGTERM or SIGINT ends it.\n"
	      "\n"
	      "      --config FILE       the settings\n"
	      "      --check             only check FILE, and name each wrong line\n"
	      "      --windows N         end after N windows\n"
	      "      --send              instead of sampling, send the profiles in the spool\n"
	      "      --once              with --send: try once to send each profile, and end\n"
	      "      --root DIR          read DIR/sys and DIR/proc instead of /sys and /proc\n"
	      "  -h, --help              this text\n"
	      "\n"
	      "A line of FILE sets one of these keys, which are shown with their defaults:\n", to);
	agent_config_help(to);
}

int verb_agent(int argc, char **argv)
{
	static const struct option options[] = {
		{ "config", required_argument, NULL, OPT_CONFIG },
		{ "check", no_argument, NULL, OPT_CHECK },
		{ "windows", required_argument, NULL, OPT_WINDOWS },
		{ "send", no_argument, NULL, OPT_SEND },
		{ "once", no_argument, NULL, OPT_ONCE },
		{ "root", required_argument, NULL, OPT_ROOT },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *path = NULL, *root = "";
	struct agent_config config;
	uint64_t windows = 0;
	bool check = false, send = false, once = false;
	int option, rc;

	while ((option = option_next("agent", argc, argv, "h", options)) != -1) {
		switch (option) {
		case 'h':
			usage(stdout);
			return EXIT_OK;
		case OPT_CONFIG:
			path = optarg;
			break;
		case OPT_CHECK:
			check = true;
			break;
		case OPT_WINDOWS:
			if (!parse_count("agent", "windows", optarg, &windows))
				return EXIT_USAGE;
			break;
		case OPT_SEND:
			send = true;
			break;
		case OPT_ONCE:
			once = true;
			break;
		case OPT_ROOT:
			root = optarg;
			break;
		default:
			return EXIT_USAGE;
		}
	}
	if (optind < argc || !path) {
		if (optind < argc)
			say("agent: unexpected argument '%s': try 'perf-spe help agent'", argv[optind]);
		else
			say("agent: no settings given: give --config FILE; 'perf spe help agent' lists the settings");
		return EXIT_USAGE;
	}
	if (send ? windows != 0 : once) {
		say(send ? "agent: --windows is for sampling, not for --send: leave it out" :
		    "agent: --once is for --send: add it, or limit sampling by --windows N");
		return EXIT_USAGE;
	}
	rc = agent_config_read(&config, path) ? EXIT_OK : EXIT_USAGE;
	if (rc == EXIT_OK && !check)
		rc = send ? agent_send(&config, once) : agent_run(&config, root, windows);
	agent_config_free(&config);
	return rc;
}
