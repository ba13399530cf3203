/* SPDX-License-Identifier: GPL-2.0-only */
/* What the analysis of a function reads, and where it is. */
#ifndef PERF_SPE_DATA_FLOW_H
#define PERF_SPE_DATA_FLOW_H

#include "symbols/elf/dso.h"
#include "symbols/types/function_code.h"
#include "symbols/types/globals.h"
#include "symbols/types/register_state.h"
#include "symbols/types/scope_variables.h"
#include "symbols/types/type_spot.h"

struct data_flow {
	const struct function_code *code;
	const struct scope_variables *variables;
	struct globals *globals;
	const struct dso *dso;
	struct data_types *types;
	/* The type that a function returns, at its file address; NULL: void, or not known */
	const struct data_type *(*returned)(void *context, uint64_t address);
	/* What the load or store at @address accesses */
	void (*found)(void *context, uint64_t address, const struct type_spot *spot);
	void *context;
};

/* An instruction of the function, and the registers before it */
struct data_flow_point {
	const struct data_flow *flow;
	const struct register_state *state;
	uint64_t address;
	uint32_t id;		/* for values that begin here, and the next 31 */
};

#endif
