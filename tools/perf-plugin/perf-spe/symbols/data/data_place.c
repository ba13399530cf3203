// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "symbols/data/data.h"
#include "util/util.h"

const char *data_kind_name(enum data_kind kind)
{
	static const char *const names[] = {
		[DATA_UNKNOWN] = "unknown", [DATA_HEAP] = "heap",
		[DATA_STACK] = "stack", [DATA_ANONYMOUS] = "anonymous",
		[DATA_FILE] = "file", [DATA_VDSO] = "vdso", [DATA_DATA] = "data",
		[DATA_BSS] = "bss", [DATA_RODATA] = "rodata",
		[DATA_KERNEL] = "kernel", [DATA_MODULE] = "module",
		[DATA_LINEAR] = "linear-map", [DATA_VMALLOC] = "vmalloc",
		[DATA_VMEMMAP] = "vmemmap", [DATA_FIXMAP] = "fixmap",
		[DATA_PCI_IO] = "pci-io",
	};

	_Static_assert(sizeof(names) / sizeof(names[0]) == NR_DATA_KINDS,
		       "a name for each kind");
	return names[kind];
}

static const char *short_name(const char *object)
{
	const char *slash = object[0] == '/' ? strrchr(object, '/') : NULL;

	return slash && slash[1] ? slash + 1 : object;
}

char *data_place_text(const struct data_place *place, uint64_t address)
{
	const char *in = place->block ? "from" : "in";
	uint64_t offset = address - place->base;

	if (!place->object)
		return xformat("%s", "");
	if (place->symbol && offset)
		return xformat("%s+0x%" PRIx64 " %s %s", place->symbol, offset, in,
			       short_name(place->object));
	if (place->symbol)
		return xformat("%s %s %s", place->symbol, in, short_name(place->object));
	if (!place->has_base)
		return xformat("%s", short_name(place->object));
	return xformat("%s+0x%" PRIx64 "%s%s", short_name(place->object), offset,
		       place->kind == DATA_FILE ? "" : ", ",
		       place->kind == DATA_FILE ? "" : data_kind_name(place->kind));
}
