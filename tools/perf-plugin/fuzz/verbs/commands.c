// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs that read recordings, through perf-spe's own main().  doctor, record and top look at
 * this machine, and pmbsr at a number.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

/* main() of perf-spe/main.c, compiled with this name */
int perf_spe_main(int argc, char **argv);

#define READ	"-i perf.data --symfs symfs"

static const char *const commands[] = {
	"report --text " READ,
	"report --text --by comm,tid,cpu,op,events,source_name,el,security " READ,
	"report --text --by symbol,source_line,object --events l1d-refill,mispredicted " READ,
	"report --text --by data_kind,data_object,data_symbol,data_offset,type,field --ci " READ,
	"report --text --by heap_site,heap_size,heap_life,caller,stack " READ,
	"report --text --callers " READ,
	"report --text --callees " READ,
	"report --text --by vm,guest_context,object,symbol --guest-symfs symfs " READ,
	"report --summary " READ,
	"report --html out.html --any-source " READ,
	"report --text --kallsyms symfs/proc/kallsyms -i perf.data",
	"report --text --vmlinux symfs/prog -i perf.data",
	"report --text -k symfs/vmlinux -i perf.data",
	"report --text --no-demangle --filter total>5&&op!=branch " READ,
	"report --text --time 10%-90% --comm prog,/prog --cpu 0-3 " READ,
	"report --text --dso prog --sort mean -i perf.data",
	"report --raw perf.data --text",
	"report --json --by comm,symbol,op " READ,
	"stat --json --ci " READ,
	"mem --json " READ,
	"sharing --json " READ,
	"archive -o out.tar --any-source " READ,
	"annotate " READ,
	"annotate --events l1d-refill,mispredicted --source-dir symfs " READ,
	"annotate --object prog main " READ,
	"annotate --json --events l1d-refill " READ,
	"stat --ci " READ,
	"stat -i perf.data",
	"mem " READ,
	"mem --physical --latency --ci " READ,
	"mem --html out.html --png out.png --svg out.svg " READ,
	"sharing --types --ci " READ,
	"sharing -i perf.data",
	"tier --far 1 --share 1 " READ,
	"advise " READ,
	"advise -f json --min-samples 1 --min-share 0 " READ,
	"layout " READ,
	"layout --csv " READ,
	"layout --json --line 32 box " READ,
	"diff --html out.html --by symbol,source_line --symfs symfs perf.data perf.data",
	"dump -i perf.data",
	"export -f csv -F data_kind,data_object,data_symbol,type,field,caller,stack,heap_site,heap_life " READ,
	"export -f csv -F source_line,tid,comm,core,stack,process_comm --stack-within 1000 " READ,
	"export -f csv -F tid,cgroup,pod,container " READ,
	"report --text --by cgroup,container --filter pod " READ,
	"export -f csv " READ,
	"export -f jsonl " READ,
	"export -f sqlite -o out.db " READ,
	"export -f parquet -o out.parquet " READ,
	"export -f folded " READ,
	"export -f pprof --value cycles -o out.pb " READ,
	"export -f otlp -o out.otlp " READ,
	"export -f firefox " READ,
	"export -f speedscope " READ,
	"export -f perfetto -o out.trace " READ,
	"export -f csv --partition -o out " READ,
	"pgo -f bolt prog " READ,
	"pgo -f fdata prog " READ,
	"pgo -f autofdo prog " READ,
	"pgo -f llvm prog " READ,
	"pgo -f gcov -o out.gcov prog " READ,
	"pgo -f profgen prog " READ,
	"pgo -f misses prog " READ,
	"pgo -f prefetch prog " READ,
	"--complete report " READ " --comm ",
	"--complete annotate " READ " ",
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void run(const char *command)
{
	char text[512], name[] = "perf-spe", *args[32] = { name }, *word, *rest = text;
	int count = 1;

	snprintf(text, sizeof(text), "%s", command);
	/* At the end a word that is empty, for completion */
	while ((word = strsep(&rest, " ")) && count < 31)
		args[count++] = word;
	args[count] = NULL;
	optind = 0;		/* getopt begins anew */
	perf_spe_main(count, args);
	fflush(stdout);
	clearerr(stdout);
}

/* Completion may end the process after a second, which is no failure: nothing follows it. */
static bool is_last(const char *command)
{
	return command[0] == '-';
}

void commands_run(struct dice *d, bool all, char *now, size_t size)
{
	size_t count = all ? COMMANDS : 4, at, i;

	/* LLVM loads once; objdump is a process for each function. */
	if (one_in(d, 50))
		setenv("OBJDUMP", "aarch64-linux-gnu-objdump", 1);
	setenv("PERF_SPE_THREADS", one_in(d, 8) ? "2" : "1", 1);
	for (i = 0; i < count; i++) {
		at = all ? i : draw(d, COMMANDS);
		snprintf(now, size, "perf-spe %s", commands[at]);
		if (!is_last(commands[at]) || !all)
			run(commands[at]);
		if (is_last(commands[at]))
			break;
	}
	snprintf(now, size, "the end");
}
