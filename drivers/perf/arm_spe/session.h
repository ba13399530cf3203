/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: perf schedules an event in and out on a CPU.
 */
#ifndef SPE_SESSION_H
#define SPE_SESSION_H

#include "spe.h"

/* Callbacks of struct pmu.  perf calls start() and stop() also in NMI context. */
int spe_session_add(struct perf_event *event, int flags);
void spe_session_del(struct perf_event *event, int flags);
void spe_session_start(struct perf_event *event, int flags);
void spe_session_stop(struct perf_event *event, int flags);

/* CPU hotplug and module unload. */
void spe_session_setup(struct spe_cpu *c);
void spe_session_online(struct spe_cpu *c, bool online);
void spe_session_cleanup(struct spe_pmu *spe);

#endif /* SPE_SESSION_H */
