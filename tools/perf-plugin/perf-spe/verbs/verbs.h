/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_VERBS_H
#define PERF_SPE_VERBS_H

/* Each verb gets its own name as argv[0] and returns the exit status. */
int verb_advise(int argc, char **argv);
int verb_annotate(int argc, char **argv);
int verb_diff(int argc, char **argv);
int verb_doctor(int argc, char **argv);
int verb_dump(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_layout(int argc, char **argv);
int verb_mem(int argc, char **argv);
int verb_pgo(int argc, char **argv);
int verb_pmbsr(int argc, char **argv);
int verb_record(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_sharing(int argc, char **argv);
int verb_stat(int argc, char **argv);
int verb_top(int argc, char **argv);

#endif
