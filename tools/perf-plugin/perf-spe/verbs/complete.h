/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf-spe --complete WORD...: what the shell may put in place of the last word.  The
 * completions of bash and zsh ask for it.
 */
#ifndef PERF_SPE_COMPLETE_H
#define PERF_SPE_COMPLETE_H

#include "util/suggest.h"

/* Runs a verb, whose name is argv[0]; returns its exit status. */
typedef int (*verb_fn)(int argc, char **argv);

/*
 * Print a line for each completion of the last of @words, which ends with NULL: verbs,
 * options, values of options, symbols for annotate.  Nothing if it is a file, or
 * something that perf-spe does not know.  Messages are dropped.
 */
void complete(char **words, word_fn verbs, verb_fn run);

#endif
