/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of record and top that choose what to sample. */
#ifndef PERF_SPE_REQUEST_H
#define PERF_SPE_REQUEST_H

#include <getopt.h>
#include <stdbool.h>

#include "live/pmu.h"

enum request_option {
	REQUEST_LOADS = 2048, REQUEST_STORES, REQUEST_BRANCHES, REQUEST_SIMD,
	REQUEST_FLOAT, REQUEST_PHYSICAL, REQUEST_USER, REQUEST_KERNEL,
	REQUEST_EVENT, REQUEST_NOT_EVENT, REQUEST_MIN_LATENCY, REQUEST_SOURCE,
	REQUEST_PERIOD, REQUEST_FREQ,
};

#define REQUEST_OPTIONS							\
	{ "loads", no_argument, NULL, REQUEST_LOADS },			\
	{ "stores", no_argument, NULL, REQUEST_STORES },		\
	{ "branches", no_argument, NULL, REQUEST_BRANCHES },		\
	{ "simd", no_argument, NULL, REQUEST_SIMD },			\
	{ "float", no_argument, NULL, REQUEST_FLOAT },			\
	{ "physical", no_argument, NULL, REQUEST_PHYSICAL },		\
	{ "user", no_argument, NULL, REQUEST_USER },			\
	{ "kernel", no_argument, NULL, REQUEST_KERNEL },		\
	{ "event", required_argument, NULL, REQUEST_EVENT },		\
	{ "not-event", required_argument, NULL, REQUEST_NOT_EVENT },	\
	{ "min-latency", required_argument, NULL, REQUEST_MIN_LATENCY }, \
	{ "data-source", required_argument, NULL, REQUEST_SOURCE },	\
	{ "period", required_argument, NULL, REQUEST_PERIOD },		\
	{ "freq", required_argument, NULL, REQUEST_FREQ }
#define REQUEST_HELP							\
	"      --loads, --stores, --branches, --simd, --float\n"	\
	"                          keep only these operations; several options add up\n" \
	"      --event LIST        keep only samples that have all of these events\n" \
	"      --not-event LIST    keep only samples that have none of these events\n" \
	"      --min-latency N     keep only samples of N cycles or more\n"	\
	"      --data-source LIST  keep only loads from these data sources: names of this\n" \
	"                          CPU, such as 'dram', or codes\n"	\
	"      --period N          take one sample per N operations\n"	\
	"      --freq N            take N samples per second, if the driver and perf can\n" \
	"      --physical          record physical addresses too; needs privilege\n" \
	"      --user, --kernel    sample only user code, or only the kernel\n"

enum request_taken { REQUEST_OTHER, REQUEST_GOOD, REQUEST_BAD };

/* Take one of these options, with getopt's optarg; BAD after a message. */
enum request_taken request_take(struct pmu_request *req, int option);
/* Check that the options go together; false after a message. */
bool request_check(const struct pmu_request *req);
/* Check that the PMU supports the period; false after a message. */
bool request_period(const struct pmu_request *req, const struct pmu *pmu);

#endif
