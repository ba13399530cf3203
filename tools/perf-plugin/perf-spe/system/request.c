// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "armspe.h"
#include "system/system.h"
#include "util/util.h"

/* PMSIRR_EL1.INTERVAL counts in 256 operations, in bits 31:8. */
#define PERIOD_MAX UINT64_C(0xffffff00)

static bool event_bits(const char *verb, const char *names, uint64_t *bits)
{
	unsigned int bit;
	char *proposal;
	size_t len;

	for (;; names += len + 1) {
		len = strcspn(names, ",");
		for (bit = 0; bit < SPE_EVENT_COUNT; bit++)
			if (strlen(armspe_event_name(bit)) == len &&
			    !memcmp(armspe_event_name(bit), names, len))
				break;
		if (bit == SPE_EVENT_COUNT) {
			proposal = suggest(vocabulary_event, names, len);
			say("%s: unknown event '%.*s'; %s", verb, (int)len,
			    names, proposal);
			free(proposal);
			return false;
		}
		*bits |= UINT64_C(1) << bit;
		if (!names[len])
			return true;
	}
}

/* Take an option without value; false if @option is not one. */
static bool take_switch(struct pmu_request *req, int option)
{
	bool *const switches[] = {
		&req->load, &req->store, &req->branch, &req->simd, &req->fp,
		&req->physical, &req->user, &req->kernel,
	};

	if (option < REQUEST_LOADS || option > REQUEST_KERNEL)
		return false;
	*switches[option - REQUEST_LOADS] = true;
	return true;
}

static enum request_taken taken(bool good)
{
	return good ? REQUEST_GOOD : REQUEST_BAD;
}

enum request_taken request_take(struct pmu_request *req, int option)
{
	switch (option) {
	case REQUEST_EVENT:
		return taken(event_bits(req->verb, optarg, &req->events));
	case REQUEST_NOT_EVENT:
		return taken(event_bits(req->verb, optarg, &req->not_events));
	case REQUEST_MIN_LATENCY:
		return taken(parse_count(req->verb, "min-latency", optarg,
					 &req->min_latency));
	case REQUEST_PERIOD:
		return taken(parse_count(req->verb, "period", optarg,
					 &req->period));
	case REQUEST_FREQ:
		return taken(parse_count(req->verb, "freq", optarg,
					 &req->freq));
	case REQUEST_SOURCE:
		req->sources = optarg;
		return REQUEST_GOOD;
	default:
		return take_switch(req, option) ? REQUEST_GOOD : REQUEST_OTHER;
	}
}

bool request_check(const struct pmu_request *req)
{
	const char *why = NULL;

	if (req->period && req->freq)
		why = "--period and --freq exclude each other: remove one";
	else if (req->user && req->kernel)
		why = "--user and --kernel exclude each other: remove one";
	else if (req->events & req->not_events)
		why = "--event and --not-event name the same event: remove it from one";
	if (why)
		say("%s: %s", req->verb, why);
	return !why;
}

bool request_period(const struct pmu_request *req, const struct pmu *pmu)
{
	uint64_t least;

	if (req->period > PERIOD_MAX) {
		say("%s: --period %" PRIu64 " is too large: give at most %" PRIu64,
		    req->verb, req->period, PERIOD_MAX);
		return false;
	}
	if (req->freq && pmu_is_linux(pmu)) {
		say("%s: %s takes no --freq: Linux's own driver samples by a period only; give --period N, or load this project's arm_spe_pmu",
		    req->verb, pmu->name);
		return false;
	}
	if (req->period && pmu_number(pmu, "caps/min_interval", &least) &&
	    req->period < least)
		say("%s: --period %" PRIu64 " is below %" PRIu64
		    ", the minimum of %s: samples will collide and be dropped; give a larger one",
		    req->verb, req->period, least, pmu->name);
	return true;
}
