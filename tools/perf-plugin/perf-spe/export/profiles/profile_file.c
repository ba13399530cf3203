// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <stdio.h>

#include "analysis/callers/callers.h"
#include "analysis/rows/rows.h"
#include "export/format/format.h"
#include "export/profiles/profiles.h"
#include "input/input.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

int profile_file_check(const struct writer *w)
{
	if (w->value != PROFILE_PERIOD ||
	    profile_has_period(w->rows->resolver.session))
		return 0;
	say("export: --value period: the recording has no fixed interval between samples; choose samples, cycles or misses");
	return -1;
}

int profile_file_failed(const char *why)
{
	if (!why)
		return 0;
	say("export: cannot use a temporary file: %s; name a folder with free space in the variable TMPDIR",
	    why);
	return -1;
}

const char *profile_file_name(const struct frame_function *function)
{
	if (function->is_object)
		return path_short(function->object);
	return function->name ? function->name : "[no symbol]";
}

char *profile_file_process(const struct profile_process *process)
{
	if (process->pid == NO_ID)
		return xformat("[unknown process]");
	if (!process->comm)
		return xformat("process %d", process->pid);
	return xformat("%s %d", process->comm, process->pid);
}

char *profile_file_thread(const struct profile_thread *thread)
{
	if (thread->tid == NO_ID)
		return xformat("[unknown thread]");
	if (thread->comm)
		return xformat("%s", thread->comm);
	return xformat("thread %d", thread->tid);
}

char *profile_file_build_id(const struct frame_function *function)
{
	const struct dso *dso = function->dso;
	const uint8_t *id = dso && dso->file_id_len ? dso->file_id :
			    dso ? dso->build_id : NULL;
	size_t len = dso && dso->file_id_len ? dso->file_id_len :
		     dso ? dso->build_id_len : 0, i;
	char *hex;

	if (!id || !len)
		return NULL;
	hex = xcalloc(len, 2 + 1);
	for (i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	return hex;
}
