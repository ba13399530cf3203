// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/code/code.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

static const struct a64_code *code_of(struct access_sizes *sizes, const struct dso *dso)
{
	struct a64_code *code;
	unsigned int i;

	for (i = 0; i < ACCESS_SIZES_FILES; i++)
		if (sizes->files[i].dso == dso)
			return &sizes->files[i];
	code = &sizes->files[sizes->next];
	sizes->next = (sizes->next + 1) % ACCESS_SIZES_FILES;
	if (code->elf)
		a64_code_close(code);
	if (!a64_code_open(code, dso))
		*code = (struct a64_code){ .dso = dso };
	return code;
}

static unsigned int read_size(struct access_sizes *sizes, const struct place *place)
{
	const struct a64_code *code = code_of(sizes, place->dso);
	struct a64_access access;

	if (!code->elf || !a64_code_access(code, place->file_address, &access))
		return 0;
	return access.size * access.count;
}

unsigned int access_size(struct access_sizes *sizes, const struct place *place)
{
	size_t at;

	if (!place->dso)
		return 0;
	at = hash_add((uintptr_t)place->dso, place->file_address) % ACCESS_SIZES_KNOWN;
	if (sizes->known[at].dso != place->dso ||
	    sizes->known[at].address != place->file_address) {
		elf_lock();
		sizes->known[at].bytes = read_size(sizes, place);
		elf_unlock();
		sizes->known[at].dso = place->dso;
		sizes->known[at].address = place->file_address;
	}
	return sizes->known[at].bytes;
}

void access_sizes_free(struct access_sizes *sizes)
{
	unsigned int i;

	elf_lock();
	for (i = 0; i < ACCESS_SIZES_FILES; i++)
		if (sizes->files[i].elf)
			a64_code_close(&sizes->files[i]);
	elf_unlock();
	*sizes = (struct access_sizes){ 0 };
}
