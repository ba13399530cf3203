// SPDX-License-Identifier: GPL-2.0-only
/*
 * libdw skips the MD5 sums of source files that a line table of DWARF 5 may have (6.2.4), so this
 * file reads the header of the table.  clang writes them, gcc does not.
 */
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

struct reader {
	const uint8_t *at, *end;
	bool big_endian, bad;
	unsigned int offset_size;	/* 4, or 8 for 64-bit DWARF */
};

/* An entry's parts: what each is, and how it is written */
struct format {
	uint64_t content[16], form[16];
	unsigned int nr;
};

static void skip(struct reader *r, uint64_t bytes)
{
	r->bad |= bytes > (uint64_t)(r->end - r->at);
	if (!r->bad)
		r->at += bytes;
}

static uint64_t number(struct reader *r, unsigned int bytes)
{
	const uint8_t *at = r->at;
	uint64_t value = 0;
	unsigned int i;

	skip(r, bytes);
	for (i = 0; i < bytes && !r->bad; i++)
		value |= (uint64_t)at[i] << 8 * (r->big_endian ? bytes - 1 - i : i);
	return value;
}

static uint64_t uleb(struct reader *r)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = (uint8_t)number(r, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !r->bad);
	return value;
}

static void skip_form(struct reader *r, uint64_t form)
{
	const uint8_t *zero;

	switch (form) {
	case DW_FORM_string:
		zero = memchr(r->at, 0, (size_t)(r->end - r->at));
		r->bad |= !zero;
		r->at = zero ? zero + 1 : r->at;
		break;
	case DW_FORM_line_strp:
	case DW_FORM_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
		skip(r, r->offset_size);
		break;
	case DW_FORM_udata:
	case DW_FORM_strx:
		uleb(r);
		break;
	case DW_FORM_block:
		skip(r, uleb(r));
		break;
	case DW_FORM_data1:
	case DW_FORM_strx1:
		skip(r, 1);
		break;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		skip(r, 2);
		break;
	case DW_FORM_strx3:
		skip(r, 3);
		break;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		skip(r, 4);
		break;
	case DW_FORM_data8:
		skip(r, 8);
		break;
	case DW_FORM_data16:
		skip(r, 16);
		break;
	default:
		r->bad = true;
	}
}

static struct format read_format(struct reader *r)
{
	struct format f = { .nr = (unsigned int)number(r, 1) };
	unsigned int i;

	r->bad |= f.nr > sizeof(f.form) / sizeof(f.form[0]);
	for (i = 0; i < f.nr && !r->bad; i++) {
		f.content[i] = uleb(r);
		f.form[i] = uleb(r);
	}
	return f;
}

/* Skip @count entries.  Entries without parts take no bytes, so any @count of them would fit. */
static void skip_entries(struct reader *r, const struct format *f, uint64_t count)
{
	unsigned int i;

	for (; count && f->nr && !r->bad; count--)
		for (i = 0; i < f->nr; i++)
			skip_form(r, f->form[i]);
}

/* Up to the table of files; false for another version of DWARF */
static bool read_header(struct reader *r)
{
	uint64_t length = number(r, 4);
	struct format folders;

	r->offset_size = length == 0xffffffff ? 8 : 4;
	if (r->offset_size == 8)
		length = number(r, 8);
	if (length < (uint64_t)(r->end - r->at))
		r->end = r->at + length;
	if (number(r, 2) != 5)
		return false;
	/* address_size, segment_selector_size, header_length, and five bytes up to line_range */
	skip(r, 2 + r->offset_size + 5);
	/* opcode_base, standard_opcode_lengths */
	length = number(r, 1);
	skip(r, length ? length - 1 : 0);
	folders = read_format(r);
	skip_entries(r, &folders, uleb(r));
	return !r->bad;
}

/* The sum of file number @index of the table that @r begins with */
static bool read_sum(struct reader *r, size_t index, uint8_t sum[MD5_BYTES])
{
	struct format files;
	bool found = false;
	unsigned int i;

	if (!read_header(r))
		return false;
	files = read_format(r);
	if (index >= uleb(r))
		return false;
	skip_entries(r, &files, index);
	for (i = 0; i < files.nr && !r->bad; i++) {
		const uint8_t *at = r->at;

		skip_form(r, files.form[i]);
		if (!r->bad && files.content[i] == DW_LNCT_MD5 && files.form[i] == DW_FORM_data16) {
			memcpy(sum, at, MD5_BYTES);
			found = true;
		}
	}
	return found && !r->bad;
}

/* .debug_line, which libdw has decompressed */
static bool line_section(Elf *elf, struct reader *r)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr head;
	GElf_Shdr shdr;
	size_t names;

	if (!elf || !gelf_getehdr(elf, &head) || elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &shdr) ?
			elf_strptr(elf, names, shdr.sh_name) : NULL;
		Elf_Data *data;

		if (!name || (strcmp(name, ".debug_line") && strcmp(name, ".zdebug_line")))
			continue;
		data = elf_getdata(scn, NULL);
		if (!data || !data->d_buf)
			return false;
		*r = (struct reader){
			.at = data->d_buf, .end = (const uint8_t *)data->d_buf + data->d_size,
			.big_endian = head.e_ident[EI_DATA] == ELFDATA2MSB,
		};
		return true;
	}
	return false;
}

/* The number of the file @path in the line table of a unit; false: it has none */
static bool find_file(Dwarf_Die *die, const char *path, size_t *index)
{
	Dwarf_Files *files;
	size_t count;

	if (dwarf_getsrcfiles(die, &files, &count))
		return false;
	for (*index = 0; *index < count; ++*index) {
		const char *name = dwarf_filesrc(files, *index, NULL, NULL);

		if (name && !strcmp(name, path))
			return true;
	}
	return false;
}

bool source_sum(struct dso *dso, const char *path, uint8_t sum[MD5_BYTES])
{
	Dwarf *dwarf = srclines_dwarf(dso);
	Dwarf_Off at = 0, next;
	struct reader section;
	bool found = false;
	size_t header, index;

	if (!dwarf || !line_section(dwarf_getelf(dwarf), &section))
		return false;
	while (!found && !dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL)) {
		struct reader table = section;
		Dwarf_Attribute attr;
		Dwarf_Word offset;
		Dwarf_Die die;

		if (dwarf_offdie(dwarf, at + header, &die) && find_file(&die, path, &index) &&
		    dwarf_attr(&die, DW_AT_stmt_list, &attr) && !dwarf_formudata(&attr, &offset)) {
			skip(&table, offset);
			found = !table.bad && read_sum(&table, index, sum);
		}
		at = next;
	}
	return found;
}
