// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perf calls by another name than perf-spe.  The names are those of Linux 6.12's perf.
 */
#include <stddef.h>
#include <string.h>

#include "util/util.h"

#define RECORDS	"record top"
#define READS	"report annotate script export"
#define PRINTS	"report annotate script export stat sharing mem layout advise diff tier top"
#define PASS_ON	"put --perf before each of its words, to pass it on to perf record"

static const struct perf_name names[] = {
	/* Options that mean the same */
	{ RECORDS, "count", 'c', true, "period", NULL },
	{ RECORDS, NULL, 'F', true, "freq", NULL },
	{ RECORDS, NULL, 'g', false, "stacks", NULL },
	{ RECORDS, "call-graph", '\0', true, "stacks", NULL },
	{ RECORDS, "all-cpus", '\0', false, "a", NULL },
	{ RECORDS, "cpu", '\0', true, "C", NULL },
	{ RECORDS, "pid", '\0', true, "p", NULL },
	{ RECORDS, "tid", '\0', true, "t", NULL },
	{ RECORDS, "mmap-pages", '\0', true, "m", NULL },
	{ "record", "output", '\0', true, "o", NULL },
	{ "record", "all-user", '\0', false, "user", NULL },
	{ "record", "all-kernel", '\0', false, "kernel", NULL },
	{ "top", "delay", 'd', true, "interval", NULL },
	{ "top", "entries", 'E', true, "limit", NULL },
	{ "top", "comms", '\0', true, "comm", NULL },
	{ "top", "dsos", '\0', true, "dso", NULL },
	{ "report", "stdio", '\0', false, "text", NULL },
	{ "report annotate script export stat sharing mem layout advise tier pgo archive",
	  NULL, 'C', true, "cpu", NULL },
	{ "mem", "phys-data", 'p', false, "physical", NULL },
	{ "diff", "sort", 's', true, "by", NULL },
	{ "diff", "comms", 'C', true, "comm", NULL },
	{ "diff", "dsos", 'd', true, "dso", NULL },
	{ "report", "comms", 'c', true, "comm", NULL },
	{ "report", "dsos", 'd', true, "dso", NULL },
	{ "annotate", "dsos", 'd', true, "dso", NULL },
	{ READS, "guestkallsyms", '\0', true, "guest-kallsyms", NULL },
	{ READS, "guestvmlinux", '\0', true, "guest-vmlinux", NULL },
	{ READS, "guestmodules", '\0', true, "guest-modules", NULL },

	/* Options that perf-spe does not need, or that mean something else */
	{ RECORDS, NULL, 'e', true, NULL,
	  "perf-spe makes the SPE events itself; choose samples with --loads, --event l1d-refill and others" },
	{ "record", "data", 'd', false, NULL, "addresses of data are always recorded; remove it" },
	{ "report", "children", '\0', false, NULL,
	  "a row has its own samples only; for those of the functions that it called, give --callees" },
	{ "report", "no-children", '\0', false, NULL,
	  "a row has its own samples only; remove it" },
	{ "report", "call-graph", 'g', false, NULL,
	  "give --callers for functions and their callers, or --callees from the outermost function on" },
	{ "report", "inverted", 'G', false, NULL, "give --callees" },
	{ "report", "show-nr-samples", 'n', false, NULL,
	  "the column count has the numbers of samples; remove it" },
	{ "report", "fields", 'F', true, NULL,
	  "give --columns for the numbers of a row, --by for what rows stand for" },
	{ "report", "symbols", 'S', true, NULL, "give --filter 'symbol == \"NAME\"'" },
	{ READS, "pid", '\0', true, NULL, "give --filter 'pid == N'" },
	{ READS, "tid", '\0', true, NULL, "give --filter 'tid == N'" },
	{ "report", "tui", '\0', false, NULL, "a terminal always gets this view; remove it" },
	{ "annotate", "symbol", 's', true, NULL, "give the function as an argument" },
	{ "report", "parent", 'p', true, NULL,
	  "for callers give --callers; for the samples of a process give --filter 'pid == N'" },
	{ "report", "hide-unresolved", 'U', false, NULL,
	  "give --filter symbol, which keeps the samples that have one" },
	{ "report annotate script export", "dump-raw-trace", 'D', false, NULL,
	  "'perf spe dump' prints the packets" },
	{ "report script export", "header", '\0', false, NULL,
	  "remove it; 'perf spe stat' prints how the recording was made" },
	{ "report script export", "header-only", '\0', false, NULL,
	  "remove it; 'perf spe stat' prints how the recording was made" },
	{ "report annotate script export", "itrace", '\0', true, NULL,
	  "each sample is decoded, once; to keep some give --filter, such as 'events has tlb-walk'" },
	{ "report", "mem-mode", '\0', false, NULL,
	  "give --by data_symbol, type or cache_line; 'perf spe mem' prints which memory was accessed" },
	{ "report", "stats", '\0', false, NULL, "'perf spe stat' prints totals" },
	{ "report", "tasks", '\0', false, NULL, "give --by pid,comm" },
	{ "report", "threads", 'T', false, NULL, "give --by pid,tid" },
	{ "report", "total-period", '\0', false, NULL,
	  "the column count has the numbers of samples, and 'perf spe stat' estimates those of operations; remove it" },
	{ "report", "hierarchy", '\0', false, NULL,
	  "give --by with several columns, such as comm,object,symbol" },
	{ "report", "group", '\0', false, NULL, "give --events for columns of events" },
	{ "report annotate sharing mem diff", "force", 'f', false, NULL,
	  "perf-spe reads files of any owner; remove it; for a format give --csv or --json" },
	{ "annotate", "print-line", 'l', false, NULL,
	  "lines of source are printed where their files are found; remove it" },
	{ "annotate", "full-paths", 'P', false, NULL,
	  "source files have the paths that the compiler recorded; remove it" },
	{ "annotate", "objdump", '\0', true, NULL, "set the variable OBJDUMP" },
	{ "annotate", "percent-type", '\0', true, NULL,
	  "share is of the samples of the function, cost of its cycles; remove it" },
	{ "annotate", "stdio2", '\0', false, NULL, "the output is always text; remove it" },
	{ "mem", "type", 't', true, NULL, "give --filter 'op == load' or 'op == store'" },
	{ "stat", "event", 'e', true, NULL,
	  "perf-spe prints what a recording has; 'perf stat' counts events of a program" },
	{ "top", "hide_kernel_symbols", 'K', false, NULL, "give --user, which samples no kernel" },
	{ "top", "hide_user_symbols", 'U', false, NULL, "give --kernel, which samples only the kernel" },
	{ "top", "zero", 'z', false, NULL,
	  "a table has the samples of its interval only, except with --keep; remove it" },
	{ "top", "stdio", '\0', false, NULL, "in a pipe the output is text; add | cat instead" },
	{ "top", "show-nr-samples", 'n', false, NULL,
	  "the column count has the numbers of samples; for the number of tables give --iterations N" },
	{ "top", "symbols", '\0', true, NULL, "give --filter 'symbol == \"NAME\"'" },
	{ "diff", "compute", 'c', true, NULL, "cost, share and mean are always compared; remove it" },
	{ "diff", "order", 'o', true, NULL, "the row whose cost changed most comes first; remove it" },
	{ "diff", "symbols", 'S', true, NULL, "give --filter 'symbol == \"NAME\"'" },
	{ "diff", "input", 'i', true, NULL, "give the recordings as arguments: perf spe diff OLD NEW" },
	{ "diff", "pid", '\0', true, NULL, "give --filter 'pid == N'" },
	{ "diff", "tid", '\0', true, NULL, "give --filter 'tid == N'" },
	{ "diff", "field-separator", 't', true, NULL, "for comma-separated values give --csv" },
	{ "sharing", "coalesce", 'c', true, NULL,
	  "accesses of a line are always apart by thread, CPU and function; remove it" },
	{ "sharing", "display", 'd', true, NULL,
	  "lines with most accesses that another cache answered come first; remove it" },
	{ "sharing", "stats", '\0', false, NULL, "'perf spe stat' prints totals" },
	{ "sharing mem", "call-graph", 'g', true, NULL, "'perf spe report --callers' prints callers" },
	{ "mem sharing", "sort", 's', true, NULL, "for other rows give 'perf spe report --by' columns" },
	{ "mem", "field-separator", 'x', true, NULL, "for comma-separated values give --csv" },
	{ "script export", "script", 's', true, NULL,
	  "write rows with -f csv, jsonl or sqlite, which any language reads" },
	{ "report", "percent-limit", '\0', true, NULL, "give --limit N for the first N rows" },
	{ "report script export", "max-stack", '\0', true, NULL,
	  "a stack has all callers that were recorded; remove it" },
	{ "report", "column-widths", 'w', true, NULL,
	  "columns have the width of their texts; remove it, or give --csv" },
	{ "report script export", "inline", '\0', false, NULL,
	  "call stacks and flame graphs always have the inlined functions; remove it" },
	{ "report annotate", "disassembler-style", 'M', true, NULL,
	  "instructions are written as Arm's manuals have them; remove it" },
	{ "report annotate", "prefix", '\0', true, NULL, "give --source-dir OLD=NEW" },
	{ "report annotate", "prefix-strip", '\0', true, NULL, "give --source-dir OLD=NEW" },
	{ "report", "symbol-filter", '\0', true, NULL, "give --filter 'symbol ~ TEXT'" },
	{ "report", "percentage", '\0', true, NULL,
	  "shares are of the samples that filters keep; remove it" },
	{ "report", "field-separator", 't', true, NULL, "for comma-separated values give --csv" },
	{ "report annotate", NULL, 'x', true, NULL, "for comma-separated values give --csv" },
	{ "stat", "field-separator", 'x', true, NULL, "for comma-separated values give --csv" },
	{ "script export", NULL, 'x', true, NULL, "for comma-separated values give -f csv" },
	{ PRINTS, "verbose", 'v', false, NULL, "messages are always complete; remove it" },
	{ "report stat", "quiet", 'q', false, NULL, "for numbers without a heading give --csv; remove it" },
	{ "annotate script export", "quiet", 'q', false, NULL,
	  "for numbers without a heading give --csv to report; remove it" },
	{ "record", "delay", 'D', true, NULL, PASS_ON },
	{ "record", "verbose", 'v', false, NULL, PASS_ON },
	{ "record", "quiet", 'q', false, NULL, PASS_ON },
	{ "record", "no-inherit", 'i', false, NULL, PASS_ON },
	{ "record", "cgroup", 'G', true, NULL, PASS_ON },
	{ "record", "uid", 'u', true, NULL, PASS_ON },
	{ "record", "no-buildid", 'B', false, NULL, PASS_ON },
	{ "record", "no-buildid-cache", 'N', false, NULL, PASS_ON },
	{ "record", "compression-level", 'z', true, NULL, PASS_ON },
	{ "record", "clockid", 'k', true, NULL, PASS_ON },
	{ "record", "switch-output", '\0', true, NULL, PASS_ON },
	{ "record", "max-size", '\0', true, NULL, PASS_ON },
	{ "record", "control", '\0', true, NULL, PASS_ON },
	{ "record", "switch-events", '\0', false, NULL, PASS_ON },
	{ "record", "namespaces", '\0', false, NULL, PASS_ON },
	{ "annotate stat sharing mem layout advise diff tier", "stdio", '\0', false, NULL,
	  "the output is always text; remove it" },

	/* Options of other verbs of perf-spe */
	{ "!export !script", "json", '\0', false, NULL, "give --format jsonl" },
	{ "!export !script", "csv", '\0', false, NULL, "give --format csv" },
	{ "report annotate stat sharing mem layout diff tier top", "format", '\0', true, NULL,
	  "give --csv or --json" },
	{ "!export !script", "limit", '\0', false, NULL,
	  "end the command with | head, or keep fewer samples with --time or --filter" },
	{ "!annotate !stat !sharing !layout !advise !tier", "html", '\0', false, NULL,
	  "give it to report, whose page has this too" },

	/* Columns of perf script -F and perf report --sort */
	{ PERF_COLUMN, "ip", '\0', false, "pc", NULL },
	{ PERF_COLUMN, "addr", '\0', false, "va", NULL },
	{ PERF_COLUMN, "phys_addr", '\0', false, "pa", NULL },
	{ PERF_COLUMN, "sym", '\0', false, "symbol", NULL },
	{ PERF_COLUMN, "dso", '\0', false, "object", NULL },
	{ PERF_COLUMN, "event", '\0', false, "events", NULL },
	{ PERF_COLUMN, "weight", '\0', false, "total", NULL },
	{ PERF_COLUMN, "local_weight", '\0', false, "total", NULL },
	{ PERF_COLUMN, "mem", '\0', false, "source_name", NULL },
	{ PERF_COLUMN, "data_src", '\0', false, "source_name", NULL },
	{ PERF_COLUMN, "srcline", '\0', false, "source_line", NULL },
	{ PERF_COLUMN, "dcacheline", '\0', false, "cache_line", NULL },
	{ PERF_COLUMN, "symbol_daddr", '\0', false, "data_symbol", NULL },
	{ PERF_COLUMN, "dso_daddr", '\0', false, "data_object", NULL },
	{ PERF_COLUMN, "typeoff", '\0', false, "field", NULL },
	{ PERF_COLUMN, "parent", '\0', false, "caller", NULL },
	{ PERF_COLUMN, "callchain", '\0', false, "stack", NULL },

	/* Verbs */
	{ PERF_VERB, "c2c", '\0', false, NULL,
	  "'perf spe sharing' prints the cache lines that threads share, of a recording of 'perf spe record --loads --stores'" },
	{ PERF_VERB, "evlist", '\0', false, NULL,
	  "'perf spe stat' prints the events of a recording and their settings" },
	{ PERF_VERB, "list", '\0', false, NULL,
	  "'perf spe record --event help' lists the events" },
	{ PERF_VERB, "inject", '\0', false, NULL, "each verb decodes the SPE data of a recording itself; remove it" },
	{ PERF_VERB, "kvm", '\0', false, NULL, "'perf spe record -a --guests' samples guests, and every verb reads them" },
	{ PERF_VERB, "flamegraph", '\0', false, NULL,
	  "'perf spe report --html' draws one, and 'perf spe export -f folded' writes the stacks for others" },
	{ PERF_VERB, "buildid-list", '\0', false, NULL,
	  "'perf buildid-list' prints them; 'perf spe archive' packs the files" },
	/* Words of its verbs */
	{ PERF_VERB, "mem record", '\0', false, NULL, "give perf spe record --loads --stores" },
	{ PERF_VERB, "mem report", '\0', false, NULL, "give perf spe mem FILE" },
};

#define NR_NAMES (sizeof(names) / sizeof(names[0]))

/* Whether the words of @list have @word */
static bool lists(const char *list, const char *word)
{
	size_t len;

	for (; *list; list += len + (list[len] != '\0')) {
		len = strcspn(list, " ");
		if (strlen(word) == len && !memcmp(list, word, len))
			return true;
	}
	return false;
}

const struct perf_name *perf_name_next(const char *where, const struct perf_name *last)
{
	const struct perf_name *n = last ? last + 1 : names;

	for (; n < names + NR_NAMES; n++)
		if (lists(n->where, where))
			return n;
	return NULL;
}

const struct perf_name *perf_name_find(const char *where, const char *name, size_t len)
{
	const struct perf_name *n = NULL;

	while ((n = perf_name_next(where, n)))
		if (n->name && strlen(n->name) == len && !memcmp(n->name, name, len))
			break;
	return n;
}
