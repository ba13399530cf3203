// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes and starts an ELF file with one segment: the two headers and a few A32 instructions.
 */
#include "a32.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker.h"

#define BASE	0x10000
#define PATH	"/tmp/spe_a32"

/* MOVW and MOVT hold their 16-bit immediate in two fields. */
#define MOVW(reg, value) \
	(0xe3000000 | ((value) & 0xf000) << 4 | (reg) << 12 | ((value) & 0xfff))
#define MOVT(reg, value) \
	(0xe3400000 | ((value) & 0xf000) << 4 | (reg) << 12 | ((value) & 0xfff))

struct program {
	Elf32_Ehdr elf;
	Elf32_Phdr segment;
	uint32_t code[11];
};

static struct program compose(uint32_t rounds)
{
	return (struct program) {
		.elf = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32,
				     ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC, .e_machine = EM_ARM, .e_version = EV_CURRENT,
			.e_entry = BASE + offsetof(struct program, code),
			.e_phoff = offsetof(struct program, segment),
			.e_flags = EF_ARM_EABI_VER5,
			.e_ehsize = sizeof(Elf32_Ehdr),
			.e_phentsize = sizeof(Elf32_Phdr), .e_phnum = 1,
		},
		.segment = {
			.p_type = PT_LOAD, .p_vaddr = BASE, .p_paddr = BASE,
			.p_filesz = sizeof(struct program),
			.p_memsz = sizeof(struct program),
			.p_flags = PF_R | PF_X, .p_align = 0x1000,
		},
		.code = {
			MOVW(4, rounds & 0xffff),	/* 1: */
			MOVT(4, rounds >> 16),
			0xe320f000,			/* 2: nop */
			0xe2544001,			/* subs r4, r4, #1 */
			0x1afffffc,			/* bne 2b */
			MOVW(0, 1),			/* write(1, sp, 1) */
			0xe1a0100d,			/* mov r1, sp */
			MOVW(2, 1),
			MOVW(7, 4),
			0xef000000,			/* svc #0 */
			0xeafffff4,			/* b 1b */
		},
	};
}

static int create(uint32_t rounds)
{
	struct program program = compose(rounds);
	int fd = open(PATH, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	ssize_t written;

	if (fd < 0)
		return -errno;
	written = write(fd, &program, sizeof(program));
	close(fd);
	return written == sizeof(program) ? 0 : -EIO;
}

pid_t spe_a32_start(int cpu, uint32_t rounds, int *from)
{
	char *const arguments[] = { "spe_a32", NULL };
	int err = create(rounds), ends[2];
	pid_t pid;

	if (err)
		return err;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	*from = ends[0];
	pid = fork();
	if (pid) {
		close(ends[1]);
		return pid < 0 ? -errno : pid;
	}
	if (spe_pin(cpu) || dup2(ends[1], 1) != 1)
		_exit(1);
	execv(PATH, arguments);
	_exit(1);
}

void spe_a32_stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
