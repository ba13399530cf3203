// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of a virtual machine (vmm.c): work of known amount at known addresses, in
 * user space and in the machine's kernel, whose samples the host takes.
 *
 * usage: tenant WORK ROUNDS...     (the arguments that the kernel hands to init)
 *
 * WORK is one of the functions of works[].  For the host the process leaves files of /proc and
 * /sys that tell the kernel's symbols, modules and build id, and "said": a line "work NAME FIRST
 * END OPERATIONS" for each work that has an address here.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vmm.h"

/* Rounds of four operations each */
#define LOOP(name)						\
	void name(uint64_t rounds);				\
	extern const char name##_end[];				\
	__asm__(".text\n.p2align 6\n.globl " #name "\n"		\
		".type " #name ", %function\n" #name ":\n"	\
		"1: sub x0, x0, #1\n nop\n nop\n cbnz x0, 1b\n"	\
		".globl " #name "_end\n" #name "_end:\n ret\n"	\
		".size " #name ", . - " #name "\n")
#define LOOP_OPS	4
LOOP(spin_one);
LOOP(spin_two);

/* Works of the kernel */
static void ask(uint64_t rounds)
{
	while (rounds--)
		syscall(SYS_getppid);
}

static void clear(uint64_t rounds)
{
	static char block[1 << 16];
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	while (rounds--)
		if (read(zero, block, sizeof(block)) != sizeof(block))
			return;
	close(zero);
}

static const struct work {
	const char *name;
	void (*run)(uint64_t rounds);
	const char *end;
} works[] = {
	{ "spin_one", spin_one, spin_one_end },
	{ "spin_two", spin_two, spin_two_end },
	{ "ask", ask, NULL },
	{ "clear", clear, NULL },
};

static volatile uint64_t *window;

/* The window is device memory for this kernel: each store has its natural size. */
static void put(const void *bytes, size_t size)
{
	uint64_t word;

	for (size_t i = 0; i < size; i += sizeof(word)) {
		word = 0;
		memcpy(&word, (const char *)bytes + i, size - i < sizeof(word) ? size - i : sizeof(word));
		*window++ = word;
	}
}

static void leave(const char *name, const char *text, size_t size)
{
	struct vmm_file file = { .size = size };

	snprintf(file.name, sizeof(file.name), "%s", name);
	put(&file, sizeof(file));
	put(text, size);
}

/* A file below / */
static void leave_copy(const char *name)
{
	static char text[12 << 20];
	char path[sizeof(((struct vmm_file *)NULL)->name) + 1];
	size_t size = 0;
	ssize_t got;
	int file;

	snprintf(path, sizeof(path), "/%s", name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	while (file >= 0 && (got = read(file, text + size, sizeof(text) - size)) > 0)
		size += got;
	close(file);
	leave(name, text, size);
}

int main(int argc, char **argv)
{
	char said[1024] = "";
	size_t length = 0;
	int memory;

	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	memory = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
	window = mmap(NULL, VMM_WINDOW_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, VMM_WINDOW);
	if (window == MAP_FAILED)
		return 1;
	for (int i = 1; i + 1 < argc; i += 2)
		for (const struct work *w = works; w < works + sizeof(works) / sizeof(*works); w++) {
			uint64_t rounds = strtoull(argv[i + 1], NULL, 0);

			if (strcmp(argv[i], w->name))
				continue;
			w->run(rounds);
			if (w->end)
				length += snprintf(said + length, sizeof(said) - length,
						   "work %s %#" PRIxPTR " %#" PRIxPTR " %" PRIu64 "\n",
						   w->name, (uintptr_t)w->run, (uintptr_t)w->end,
						   rounds * LOOP_OPS);
		}
	leave_copy("proc/kallsyms");
	leave_copy("proc/modules");
	leave_copy("proc/sys/kernel/osrelease");
	leave_copy("sys/kernel/notes");
	leave("said", said, length);
	reboot(RB_POWER_OFF);
	return 1;
}
