// SPDX-License-Identifier: GPL-2.0-only
/*
 * LLVM's library is loaded only when there is something to disassemble, because
 * loading takes longer than most verbs run.
 */
#include <stdio.h>

#include "symbols/code/code.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

#ifdef HAVE_LLVM

#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The functions that dlsym() has to find */
#define LLVM_FUNCTIONS(f)						\
	f(LLVMInitializeAArch64TargetInfo)				\
	f(LLVMInitializeAArch64TargetMC)				\
	f(LLVMInitializeAArch64Disassembler)				\
	f(LLVMInitializeX86TargetInfo)					\
	f(LLVMInitializeX86TargetMC)					\
	f(LLVMInitializeX86Disassembler)				\
	f(LLVMCreateDisasmCPUFeatures)					\
	f(LLVMSetDisasmOptions)						\
	f(LLVMDisasmInstruction)					\
	f(LLVMDisasmDispose)

static struct llvm {
#define POINTER(name) __typeof__(&name) name;
	LLVM_FUNCTIONS(POINTER)
} llvm;

static bool load_functions(void *library)
{
	bool all = true;

#define LOOK_UP(name) \
	*(void **)&llvm.name = dlsym(library, #name); \
	all &= !!llvm.name;
	LLVM_FUNCTIONS(LOOK_UP)
	return all;
}

static bool llvm_ready(void)
{
	static int ready = -1;
	void *library;

	if (ready >= 0)
		return ready;
	library = dlopen(HAVE_LLVM, RTLD_NOW | RTLD_LOCAL);
	ready = library && load_functions(library);
	if (!ready)
		return false;
	llvm.LLVMInitializeAArch64TargetInfo();
	llvm.LLVMInitializeAArch64TargetMC();
	llvm.LLVMInitializeAArch64Disassembler();
	llvm.LLVMInitializeX86TargetInfo();
	llvm.LLVMInitializeX86TargetMC();
	llvm.LLVMInitializeX86Disassembler();
	return true;
}

/* From @address on the section holds data, or instructions again. */
struct mark {
	uint64_t address;
	bool data;
};

/* The section that holds the function */
struct code {
	int fd;
	Elf *elf;
	const uint8_t *bytes;
	size_t len;			/* from the function's start on */
	bool big_endian_data;
	uint16_t machine;
	struct mark *marks;		/* by address */
	size_t nr_marks, room_marks;
};

/*
 * Mapping symbols (ELF for the Arm 64-bit Architecture, "Mapping symbols"): $x
 * begins instructions, $d data, each with anything behind a dot.
 */
static void add_marks(struct code *c, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	struct elf_names names;
	GElf_Sym sym;
	int i;

	if (!elf_names(c->elf, shdr->sh_link, &names))
		return;
	for (i = 0; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_name(&names, sym.st_name);

		if (!name || name[0] != '$' || (name[1] != 'x' && name[1] != 'd') ||
		    (name[2] && name[2] != '.'))
			continue;
		c->marks = array_grow(c->marks, c->nr_marks, &c->room_marks,
				      sizeof(*c->marks));
		c->marks[c->nr_marks++] = (struct mark){
			sym.st_value, name[1] == 'd',
		};
	}
}

static int mark_order(const void *x, const void *y)
{
	const struct mark *a = x, *b = y;

	return a->address < b->address ? -1 : a->address > b->address;
}

static void find_marks(struct code *c)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (c->machine == EM_AARCH64 && (scn = elf_nextscn(c->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_SYMTAB) {
			add_marks(c, scn, &shdr);
			/* A file has one. */
			break;
		}
	if (c->nr_marks)
		qsort(c->marks, c->nr_marks, sizeof(*c->marks), mark_order);
}

static bool is_data(const struct code *c, uint64_t address)
{
	size_t low;

	lower_bound(low, c->nr_marks, c->marks[low].address <= address);
	return low && c->marks[low - 1].data;
}

static bool find_section(struct code *c, uint64_t start)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(c->elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) ||
		    !(shdr.sh_flags & SHF_EXECINSTR) ||
		    shdr.sh_type != SHT_PROGBITS || start < shdr.sh_addr ||
		    start - shdr.sh_addr >= shdr.sh_size)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf || start - shdr.sh_addr >= data->d_size)
			return false;
		c->bytes = (const uint8_t *)data->d_buf + (start - shdr.sh_addr);
		c->len = data->d_size - (start - shdr.sh_addr);
		return true;
	}
	return false;
}

static bool code_open(struct code *c, const char *path, uint64_t start)
{
	const char *why;
	GElf_Ehdr head;

	memset(c, 0, sizeof(*c));
	c->fd = open_regular(path, &why);
	if (c->fd < 0)
		return false;
	elf_version(EV_CURRENT);
	c->elf = elf_begin(c->fd, ELF_C_READ_MMAP, NULL);
	if (!c->elf || !gelf_getehdr(c->elf, &head))
		return false;
	c->machine = head.e_machine;
	c->big_endian_data = head.e_ident[EI_DATA] == ELFDATA2MSB;
	find_marks(c);
	return find_section(c, start);
}

static void code_close(struct code *c)
{
	if (c->elf)
		elf_end(c->elf);
	if (c->fd >= 0)
		close(c->fd);
	free(c->marks);
}

/*
 * ADR and ADRP as objdump prints them: the address that the register gets.  LLVM prints how many
 * bytes or pages it is away.
 */
static void name_place(const struct disassembly *d, uint32_t word, uint64_t address, char *code,
		       size_t size)
{
	const struct a64_value v = a64_value(word, address);
	char *operand = v.operation == A64_PLACE ? strchr(code, ',') : NULL;
	const struct symtab *t = d->data;
	const struct symbol *symbol;
	uint64_t to = (uint64_t)v.number;
	int len;

	if (!operand)
		return;
	size -= (size_t)(operand - code);
	symbol = symtab_find(t, to);
	if (!symbol)
		symbol = symtab_find(t = d->symbols, to);
	len = snprintf(operand, size, ", %" PRIx64, to);
	if (!symbol || len < 0 || (size_t)len >= size)
		return;
	operand += len;
	size -= (size_t)len;
	if (symbol->start == to)
		snprintf(operand, size, " <%s>", symtab_name(t, symbol));
	else
		snprintf(operand, size, " <%s+0x%" PRIx64 ">", symtab_name(t, symbol), to - symbol->start);
}

/* A branch target as "symbol" or "symbol+0x10"; empty if there is none */
struct targets {
	const struct symtab *symbols;
	uint64_t value;
	char text[512];
};

static const char *name_target(void *context, uint64_t value, uint64_t *type,
			       uint64_t pc, const char **name)
{
	struct targets *t = context;
	const struct symbol *symbol = NULL;

	(void)pc;
	*name = NULL;
	if (*type == LLVMDisassembler_ReferenceType_In_Branch)
		symbol = symtab_find(t->symbols, value);
	*type = LLVMDisassembler_ReferenceType_InOut_None;
	if (!symbol)
		return NULL;
	t->value = value;
	if (symbol->start == value)
		snprintf(t->text, sizeof(t->text), "%s",
			 symtab_name(t->symbols, symbol));
	else
		snprintf(t->text, sizeof(t->text), "%s+0x%" PRIx64,
			 symtab_name(t->symbols, symbol), value - symbol->start);
	return t->text;
}

/*
 * Add the target's address before its name, and drop the quotes that LLVM puts
 * around many names.
 */
static char *line_of(const struct targets *t, uint64_t address, char *code)
{
	char *name = *t->text ? strstr(code, t->text) : NULL, *behind;

	if (!name || name == code)
		return xformat("%8" PRIx64 ":%s", address, code);
	behind = name + strlen(t->text);
	if (name[-1] == '"' && *behind == '"') {
		name--;
		behind++;
	}
	*name = '\0';
	return xformat("%8" PRIx64 ":%s%" PRIx64 " <%s>%s", address, code,
		       t->value, t->text, behind);
}

static LLVMDisasmContextRef context_for(const struct code *c, struct targets *t)
{
	LLVMDisasmContextRef ref = NULL;

	if (c->machine == EM_AARCH64)
		ref = llvm.LLVMCreateDisasmCPUFeatures("aarch64-linux-gnu", "",
						       "+all", t, 0, NULL,
						       name_target);
	else if (c->machine == EM_X86_64)
		ref = llvm.LLVMCreateDisasmCPUFeatures("x86_64-linux-gnu", "",
						       "", t, 0, NULL,
						       name_target);
	if (ref)
		llvm.LLVMSetDisasmOptions(ref,
					  LLVMDisassembler_Option_PrintImmHex);
	return ref;
}

/* Data between instructions, in assembler syntax */
static size_t print_data(const struct code *c, size_t at, size_t left,
			 char *text, size_t size)
{
	size_t len = c->machine == EM_AARCH64 && left >= 4 ? 4 : 1, i;
	uint32_t word = 0;

	for (i = 0; i < len; i++)
		word |= (uint32_t)c->bytes[at + i] << 8 * i;
	snprintf(text, size, len == 4 ? "\t.word\t0x%08x" : "\t.byte\t0x%02x",
		 word);
	return len;
}

static void print_code(const struct disassembly *d, const struct code *c,
		       LLVMDisasmContextRef ref, struct targets *targets)
{
	uint64_t want = d->end - d->start;
	size_t left = want < c->len ? (size_t)want : c->len, at = 0;
	struct source_text text = { 0 };

	while (at < left) {
		uint64_t address = d->start + at;
		char code[1024], *line;
		size_t len = 0;

		*targets->text = '\0';
		if (!is_data(c, address))
			len = llvm.LLVMDisasmInstruction(ref,
				(uint8_t *)c->bytes + at, left - at, address,
				code, sizeof(code));
		if (len == 4 && c->machine == EM_AARCH64)
			name_place(d, little32(c->bytes + at), address, code, sizeof(code));
		if (!len)
			len = print_data(c, at, left - at, code, sizeof(code));
		disasm_source(d, &text, address);
		line = line_of(targets, address, code);
		d->fn(d->context, true, address, line);
		free(line);
		at += len;
	}
	source_text_free(&text);
}

int disasm_llvm(const struct disassembly *d)
{
	struct targets targets = { .symbols = d->symbols };
	LLVMDisasmContextRef ref = NULL;
	struct code code;

	if (!llvm_ready())
		return 1;
	if (code_open(&code, d->dso->path, d->start) && !code.big_endian_data)
		ref = context_for(&code, &targets);
	if (ref) {
		print_code(d, &code, ref, &targets);
		llvm.LLVMDisasmDispose(ref);
	}
	code_close(&code);
	return ref ? 0 : 1;
}

#else

int disasm_llvm(const struct disassembly *d)
{
	(void)d;
	return 1;
}

#endif
