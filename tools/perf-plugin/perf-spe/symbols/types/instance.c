// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/types/types.h"

static bool is_record(const struct data_type *type)
{
	return type && (type->class == CLASS_RECORD || type->class == CLASS_UNION) && type->size;
}

void instance_at(struct data_types *types, const struct data_type *type, uint64_t offset,
		 struct instance *i)
{
	const struct data_type *element = data_type_element(types, type);

	i->type = type;
	i->offset = offset;
	if (type->class == CLASS_ARRAY && is_record(element)) {
		i->type = element;
		i->offset %= element->size;
	}
	if (!member_path(types, i->type, i->offset, 1, i->field))
		i->field[0] = '\0';
}
