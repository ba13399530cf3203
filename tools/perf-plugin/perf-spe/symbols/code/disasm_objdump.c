// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbols/code/code.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* A program for another architecture needs a cross objdump. */
static const char *objdump_for(const char *path)
{
	Elf64_Ehdr head = { .e_machine = EM_NONE };
	const char *named = getenv("OBJDUMP");
	struct utsname here;
	FILE *f;

	if (named && *named)
		return named;
	f = fopen(path, "re");
	if (f && fread(&head, sizeof(head), 1, f) != 1)
		head.e_machine = EM_NONE;
	if (f)
		fclose(f);
	if (head.e_machine == EM_AARCH64 && !uname(&here) &&
	    strcmp(here.machine, "aarch64"))
		return "aarch64-linux-gnu-objdump";
	return "objdump";
}

/* For one function of any honest program */
#define CPU_SECONDS	5

/* Runs in the child.  "--" comes first, as a file name may begin with "-". */
static void run_objdump(const char *objdump, const struct disassembly *d, int to)
{
	char *from = xformat("--start-address=0x%" PRIx64, d->start);
	char *stop = xformat("--stop-address=0x%" PRIx64, d->end);
	char name[] = "objdump", code[] = "-d", names[] = "-C",
	     raw[] = "--no-show-raw-insn", no_more[] = "--", *file =
		xformat("%s", d->dso->path);
	char *args[] = { name, code, raw, from, stop,
			 d->symbols->mangled_names ? raw : names, no_more, file,
			 NULL };

	const struct rlimit limit = { CPU_SECONDS, CPU_SECONDS };

	/* It believes the sizes that a file has. */
	setrlimit(RLIMIT_CPU, &limit);
	if (dup2(to, STDOUT_FILENO) >= 0)
		execvp(objdump, args);
	_exit(errno == ENOENT ? 127 : 126);
}

static pid_t start_objdump(const char *objdump, const struct disassembly *d,
			   FILE **from)
{
	pid_t pid;
	int ends[2];

	if (pipe(ends) < 0)
		return -1;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(ends[0]);
		run_objdump(objdump, d, ends[1]);
	}
	close(ends[1]);
	*from = pid < 0 ? NULL : fdopen(ends[0], "r");
	if (!*from)
		close(ends[0]);
	return pid;
}

/* "  401000:\tmov ..." */
static bool is_instruction(const char *line, uint64_t *address)
{
	char *end;

	if (*line != ' ')
		return false;
	*address = strtoull(line, &end, 16);
	return end != line && *end == ':' && (end[1] == '\t' || end[1] == ' ');
}

/* With the program objdump: 0, or -1 after a message */
static int disasm_objdump(const struct disassembly *d)
{
	const char *path = d->dso->path, *objdump = objdump_for(path);
	FILE *from = NULL;
	pid_t pid = start_objdump(objdump, d, &from);
	size_t room = 0, skip = 0;
	struct source_text text = { 0 };
	char *line = NULL;
	int status = -1;

	while (from && getline(&line, &room, from) > 0) {
		uint64_t address = 0;
		bool code = is_instruction(line, &address);

		line[strcspn(line, "\n")] = '\0';
		/* objdump prints its own header before the first function. */
		skip += strstr(line, ">:") && skip < 1;
		/* objdump -S would read any source file. */
		if (skip && code)
			disasm_source(d, &text, address);
		if (skip)
			d->fn(d->context, code, address, line);
	}
	free(line);
	source_text_free(&text);
	if (from)
		fclose(from);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && !status)
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		say("cannot disassemble %s: %s is not installed; install it, or set the variable OBJDUMP to another one",
		    path, objdump);
	else
		say("cannot disassemble %s: %s failed; set the variable OBJDUMP to another one",
		    path, objdump);
	return -1;
}

void disasm_source(const struct disassembly *d, struct source_text *text, uint64_t address)
{
	bool other;
	const char *line = source_text_at(text, d->dso, address, &other);

	if (line && other)
		d->fn(d->context, false, 0, text->path);
	if (line)
		d->fn(d->context, false, 0, line);
}

int disasm_each(const struct disassembly *d)
{
	const char *named = getenv("OBJDUMP");
	int rc = named && *named ? 1 : disasm_llvm(d);

	return rc > 0 ? disasm_objdump(d) : rc;
}
