/* SPDX-License-Identifier: GPL-2.0-only */
/* What a load or store accesses, given what is known of the registers. */
#ifndef PERF_SPE_OPERAND_SPOT_H
#define PERF_SPE_OPERAND_SPOT_H

#include "symbols/code/a64_access.h"
#include "symbols/types/data_flow.h"

/* The value of a register: that of a variable's pointer, or what the state has */
struct register_value flow_register(const struct data_flow_point *p, uint8_t reg);
/* The same without the variables; the zero register too */
struct register_value flow_state(const struct data_flow_point *p, uint8_t reg);

/* What a variable tells of the register that it is in; false: nothing */
bool flow_variable(const struct data_flow_point *p, const struct scope_variable *v,
		   struct register_value *value);
/* The variable whose address is in the frame at the CFA plus @offset; NULL: none */
const struct data_type *flow_pointed(const struct data_flow_point *p, int64_t offset);

/* The address that @access begins at, with @base as the base register's value */
struct register_value operand_address(const struct data_flow_point *p,
				      const struct a64_access *access,
				      struct register_value base);
/*
 * What the access at @at touches: of a variable, through a pointer, or spot_stack or
 * spot_constant.  False: not known.
 */
bool operand_spot(const struct data_flow_point *p, const struct a64_access *access,
		  const struct register_value *at, struct type_spot *spot);

#endif
