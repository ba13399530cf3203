/* SPDX-License-Identifier: GPL-2.0-only */
/* The arguments of a command that execvp(3) runs */
#ifndef PERF_SPE_ARGS_H
#define PERF_SPE_ARGS_H

#include <stddef.h>

struct args {
	char **args;		/* NULL after the last one that args_end() saw */
	size_t count, room;
};

void args_add(struct args *a, const char *text);
/* The list owns @text from now on. */
void args_take(struct args *a, char *text);
/* Write the NULL that execvp(3) needs. */
void args_end(struct args *a);
/* Print them on one line, for a shell to read: each is quoted if it has to be. */
void args_print(const struct args *a);
void args_free(struct args *a);

#endif
