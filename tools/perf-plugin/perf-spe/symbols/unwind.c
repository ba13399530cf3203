// SPDX-License-Identifier: GPL-2.0-only
#include <arm_spe/packet.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "symbols/elf/elf.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* Numbers of PERF_REG_ARM64_... in the kernel's asm/perf_regs.h; DWARF has the same up to SP. */
enum { REGISTER_SP = 31, REGISTER_PC = 32, NR_REGISTERS = 33 };
#define CALL_BYTES	4	/* of each A64 instruction */
#define ALL_REGISTERS	((UINT64_C(1) << NR_REGISTERS) - 1)

struct unwinder {
	const struct resolver *r;
	Dwfl *dwfl;		/* of process @pid, with the modules seen so far */
	bool attached;
	int32_t pid;
	/* The sample that is unwound */
	uint64_t time;
	const struct user_stack *stack;
	uint64_t *raw;
	size_t count;
	enum unwind_end end;
	uint64_t returns;	/* of the last frame, as libdwfl has it */
	bool cfi;		/* the last frame has unwinding data */
	bool linked;		/* libdwfl's link register may have an address that was used */
};

static uint64_t register_of(const struct unwinder *u, unsigned int number)
{
	return pd_load64(u->stack->regs + 8 * (size_t)number);
}

/*
 * @value, which may be a return address: libdwfl takes the signed ones for other addresses, and does
 * not tell which of the values it takes for a return address.
 */
static uint64_t unsigned_value(const struct unwinder *u, uint64_t value)
{
	const uint64_t known = register_of(u, REGISTER_PC) | register_of(u, REGISTER_SP);

	return unsigned_return(u->r, u->pid, value, known, u->time);
}

/* perf-spe finds the files: libdwfl's own search would ignore --symfs and ask servers. */
static int find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		    char **file, Elf **elf)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)elf;
	return -1;
}

static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const char *why;

	(void)module, (void)name, (void)base, (void)file, (void)link, (void)crc;
	if (!data || !*data)
		return -1;
	*found = xformat("%s", (const char *)*data);
	return open_regular(*found, &why);
}

static const Dwfl_Callbacks files = {
	.find_elf = find_elf, .find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* The mapping of code at @address; NULL if there is none. */
static const struct map *code_at(const struct resolver *r, int32_t pid, uint64_t address,
				 uint64_t time)
{
	const struct process *p = processes_at(&r->session->processes, pid, time);
	const struct map *map = p ? process_code_at(p, address, time) : NULL;

	/* The event came late or was lost. */
	if (!map && p && !process_code_only(p, address, &map))
		return NULL;
	return map;
}

uint64_t unsigned_return(const struct resolver *r, int32_t pid, uint64_t value, uint64_t known,
			 uint64_t time)
{
	/* Bits of the addresses that Linux gives to a process */
	static const unsigned int sizes[] = { 52, 48, 47, 42, 39, 36 };
	uint64_t mask;
	size_t i;

	if (value >> (SPE_ADDR_BITS - 1) & 1)
		return value;
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		mask = (UINT64_C(1) << sizes[i]) - 1;
		if (known & ~mask)
			break;
		if (value & ~mask && code_at(r, pid, (value & mask) - CALL_BYTES, time))
			return code_at(r, pid, value - CALL_BYTES, time) ? value : value & mask;
	}
	return value;
}

/* The object at @address and how far it is from its own addresses; NULL if there is none. */
static struct dso *object_at(const struct unwinder *u, uint64_t address, uint64_t *bias)
{
	const struct map *map = code_at(u->r, u->pid, address, u->time);
	struct dso *dso = map ? symbols_dso(u->r->symbols, map) : NULL;
	uint64_t own;

	if (!dso || !dso->path || !dso_address(dso, map, address, &own))
		return NULL;
	*bias = address - own;
	return dso;
}

/* Tell libdwfl of the object at @address; false if there is none, or another one was there. */
static bool need_module(struct unwinder *u, uint64_t address)
{
	Dwfl_Module *module = dwfl_addrmodule(u->dwfl, address);
	const char *file = NULL;
	void **data = NULL;
	uint64_t bias;
	struct dso *dso = object_at(u, address, &bias);

	if (!dso)
		return false;
	if (module) {
		dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &file, NULL);
		return file && !strcmp(file, dso->path);
	}
	dwfl_report_begin_add(u->dwfl);
	module = dwfl_report_elf(u->dwfl, dso->path, dso->path, -1, bias, true);
	dwfl_report_end(u->dwfl, NULL, NULL);
	if (module && dso->debug_path) {
		dwfl_module_info(module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
		*data = dso->debug_path;
	}
	return module && dwfl_addrmodule(u->dwfl, address) == module;
}

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread)
{
	struct unwinder *u = context;

	(void)dwfl;
	if (*thread)
		return 0;
	*thread = u;
	return u->pid;
}

/* The thread is found by next_thread() alone. */
static bool set_registers(Dwfl_Thread *thread, void *context)
{
	const struct unwinder *u = context;
	Dwarf_Word values[REGISTER_SP + 1];
	unsigned int i;

	for (i = 0; i <= REGISTER_SP; i++)
		values[i] = unsigned_value(u, register_of(u, i));
	if (!dwfl_thread_state_registers(thread, 0, REGISTER_SP + 1, values))
		return false;
	dwfl_thread_state_register_pc(thread, register_of(u, REGISTER_PC));
	return true;
}

#define STACK_MOST	(UINT64_C(1) << 30)	/* what is further from the copy is not the stack */

/* Only the copy of the stack is there. */
static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *value, void *context)
{
	struct unwinder *u = context;
	uint64_t at = address - register_of(u, REGISTER_SP);

	(void)dwfl;
	if (u->stack->stack_len < sizeof(*value) || at > u->stack->stack_len - sizeof(*value)) {
		if (at < STACK_MOST)
			u->end = UNWIND_COPY;
		return false;
	}
	*value = unsigned_value(u, pd_load64(u->stack->stack + at));
	return true;
}

static const Dwfl_Thread_Callbacks threads = {
	.next_thread = next_thread, .set_initial_registers = set_registers,
	.memory_read = read_memory,
};

/*
 * Whether @pc is no caller of the last frame, which has no unwinding data.  There libdwfl takes the
 * link register for the return address, and what the frame pointer tells for the one after that.
 * But only while the innermost function has called nothing the register has its caller.  Later it has
 * where the last call returned to, in the same function; and in a frame that was unwound, where
 * that frame itself continues.
 */
static bool is_again(const struct unwinder *u, uint64_t pc)
{
	const uint64_t last = armspe_addr_virtual(u->raw[u->count - 1]);
	const struct symbol *symbol;
	uint64_t bias;
	struct dso *dso;

	if (u->count > 1)
		return pc == u->returns;
	dso = object_at(u, last, &bias);
	symbol = dso ? symtab_find(&dso->symtab, last - bias) : NULL;
	return symbol && pc - bias > symbol->start && pc - bias <= symbol->end;
}

/*
 * The same, once: then libdwfl has gone on to the frame pointer, and an address that comes again is
 * that of a function which calls itself.
 */
static bool leave_out(struct unwinder *u, uint64_t pc)
{
	bool again;

	if (!u->count || u->cfi || !u->linked)
		return false;
	again = is_again(u, pc);
	u->linked = !again && u->count == 1;
	return again;
}

/* Whether libdwfl unwinds the frame at @pc by its unwinding data */
static bool has_cfi(const struct unwinder *u, uint64_t pc)
{
	Dwfl_Module *module = dwfl_addrmodule(u->dwfl, pc);
	Dwarf_Addr bias = 0;
	Dwarf_Frame *frame;
	Dwarf_CFI *cfi;
	int way;

	for (way = 0; module && way < 2; way++) {
		cfi = way ? dwfl_module_dwarf_cfi(module, &bias) : dwfl_module_eh_cfi(module, &bias);
		if (cfi && !dwarf_cfi_addrframe(cfi, pc - bias, &frame)) {
			free(frame);
			return true;
		}
	}
	return false;
}

/* How a stack ends at @pc, of which need_module() knows no file */
static enum unwind_end end_in(const struct unwinder *u, uint64_t pc)
{
	const struct map *map = code_at(u->r, u->pid, pc, u->time);

	if (!map)
		return UNWIND_NO_CODE;
	return map_is_anonymous(map) || map->file[0] == '[' ? UNWIND_NO_FILE : UNWIND_FILE;
}

/* The first address is that of an instruction, the others are behind calls. */
static int add_frame(Dwfl_Frame *frame, void *context)
{
	struct unwinder *u = context;
	bool exact, known;
	Dwarf_Addr pc;

	u->end = u->count == UNWIND_DEPTH ? UNWIND_DEEP : UNWIND_ALL;
	if (!dwfl_frame_pc(frame, &pc, NULL) || !pc || u->count == UNWIND_DEPTH)
		return DWARF_CB_ABORT;
	if (leave_out(u, pc))
		return DWARF_CB_OK;
	/* To tell whether @pc is exact libdwfl unwinds this frame, once, so it must know the module. */
	known = need_module(u, u->count ? pc - CALL_BYTES : pc);
	if (!dwfl_frame_pc(frame, &pc, &exact))
		return DWARF_CB_ABORT;
	u->returns = pc;
	if (u->count && !exact)
		pc -= CALL_BYTES;
	else if (u->count)
		known = need_module(u, pc);
	u->raw[u->count++] = (pc & SPE_ADDR_MASK) | (uint64_t)SPE_ADDR_NS << SPE_ADDR_TOP_SHIFT;
	u->cfi = known && has_cfi(u, pc);
	u->linked |= u->cfi;
	if (known)
		return DWARF_CB_OK;
	u->end = end_in(u, pc);
	return DWARF_CB_ABORT;
}

static void forget(struct unwinder *u)
{
	if (u->dwfl)
		dwfl_end(u->dwfl);
	u->dwfl = NULL;
	u->attached = false;
}

static bool attach(struct unwinder *u)
{
	uint64_t pc = register_of(u, REGISTER_PC);

	if (!u->dwfl)
		u->dwfl = dwfl_begin(&files);
	if (!u->dwfl || !need_module(u, pc))
		return false;
	if (!u->attached)
		u->attached = dwfl_attach_state(u->dwfl, NULL, u->pid, &threads, u);
	return u->attached;
}

struct unwinder *unwinder_new(const struct resolver *r)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->r = r;
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (u)
		forget(u);
	free(u);
}

size_t unwind(struct unwinder *u, int32_t pid, uint64_t time, const struct user_stack *stack,
	      uint64_t *raw, enum unwind_end *end)
{
	*end = UNWIND_ALL;
	if ((stack->regs_mask & ALL_REGISTERS) != ALL_REGISTERS)
		return 0;
	elf_lock();
	if (u->pid != pid)
		forget(u);
	u->pid = pid;
	u->time = time;
	u->stack = stack;
	u->raw = raw;
	u->count = 0;
	u->linked = true;
	u->end = end_in(u, register_of(u, REGISTER_PC));
	/* After an exec another object may be mapped at the same address. */
	if (!attach(u)) {
		forget(u);
		attach(u);
	}
	if (u->attached)
		dwfl_getthread_frames(u->dwfl, pid, add_frame, u);
	/* Only unwinding data tell the outermost function; frame pointers may have led to it too. */
	if (u->count && u->end == UNWIND_ALL && !u->cfi && u->linked)
		u->end = UNWIND_CFI;
	if (!u->count)
		u->raw[u->count++] = (register_of(u, REGISTER_PC) & SPE_ADDR_MASK) |
				     (uint64_t)SPE_ADDR_NS << SPE_ADDR_TOP_SHIFT;
	*end = u->end;
	elf_unlock();
	return u->count;
}
