// SPDX-License-Identifier: GPL-2.0-only
#include "input/input.h"
#include "symbols/elf/elf.h"

bool dso_address(const struct dso *dso, const struct map *map,
		 uint64_t address, uint64_t *file_address)
{
	uint64_t offset = address - map->start + map->pgoff;
	size_t i;

	for (i = 0; i < dso->nr_segments; i++) {
		const struct segment *s = &dso->segments[i];

		if (offset - s->offset < s->filesz) {
			*file_address = offset - s->offset + s->vaddr;
			return true;
		}
	}
	return false;
}
