// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "symbols/kernel/kernel.h"
#include "util/util.h"

/* With the names that uname -m has for them, and those for messages */
static const struct machine {
	uint16_t machine;
	const char *uname, *name;
} machines[] = {
	{ EM_AARCH64, "aarch64", "arm64" },
	{ EM_AARCH64, "armv8l", "arm64" },	/* a 32-bit perf */
	{ EM_X86_64, "x86_64", "x86-64" },
	{ EM_386, "i686", "x86" },
	{ EM_ARM, "armv7l", "32-bit Arm" },
	{ EM_RISCV, "riscv64", "RISC-V" },
	{ EM_PPC64, "ppc64le", "PowerPC" },
	{ EM_S390, "s390x", "s390" },
};

#define NR_MACHINES (sizeof(machines) / sizeof(machines[0]))

const char *kernel_machine_name(uint16_t machine)
{
	size_t i;

	for (i = 0; i < NR_MACHINES; i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return "another architecture";
}

static uint16_t machine_of(const char *uname)
{
	size_t i;

	for (i = 0; i < NR_MACHINES; i++)
		if (!strcmp(machines[i].uname, uname))
			return machines[i].machine;
	return EM_NONE;
}

/* perf pads each id to 20 bytes with zeros. */
static void set_id(struct kernel_identity *k, const void *id, size_t len)
{
	const uint8_t *bytes = id;

	if (len > sizeof(k->id))
		len = sizeof(k->id);
	while (len > 16 && !bytes[len - 1])
		len--;
	memcpy(k->id, bytes, len);
	k->id_len = len;
}

void kernel_identity_recorded(struct kernel_identity *k, const struct session *s,
			      const uint8_t *listed, size_t len)
{
	size_t i;

	memset(k, 0, sizeof(*k));
	/* Only arm64 has SPE. */
	k->machine = s && s->pd.arch ? machine_of(s->pd.arch) : EM_AARCH64;
	if (!s)
		return;
	if (s->pd.osrelease)
		snprintf(k->release, sizeof(k->release), "%s", s->pd.osrelease);
	if (listed)
		set_id(k, listed, len);
	for (i = 0; i < s->kernel.nr_maps && !k->id_len; i++) {
		const struct map *map = &s->kernel.maps[i];

		if (map->build_id_len &&
		    !strncmp(map->file, "[kernel.kallsyms]", 17))
			set_id(k, map->build_id, map->build_id_len);
	}
}

/*
 * The kernel's constant linux_banner is "Linux version RELEASE (...".  Linux has no
 * other constant in which a digit follows these two words.
 */
static bool find_banner(struct kernel_identity *k, const char *text, size_t len)
{
	static const char words[] = "Linux version ";
	const char *at = text, *end = text + len;
	size_t size = sizeof(words) - 1, n;

	while ((at = memmem(at, (size_t)(end - at), words, size))) {
		at += size;
		if (at == end || !isdigit((unsigned char)*at))
			continue;
		for (n = 0; at + n < end && n < sizeof(k->release) - 1 &&
		     isgraph((unsigned char)at[n]); n++)
			k->release[n] = at[n];
		k->release[n] = '\0';
		return true;
	}
	return false;
}

void kernel_identity_vmlinux(struct kernel_identity *k, Elf *elf)
{
	Elf_Scn *scn = NULL;
	const void *id;
	GElf_Ehdr head;
	GElf_Shdr shdr;
	ssize_t len;

	memset(k, 0, sizeof(*k));
	if (gelf_getehdr(elf, &head))
		k->machine = head.e_machine;
	len = dwelf_elf_gnu_build_id(elf, &id);
	if (len > 0)
		set_id(k, id, (size_t)len);
	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_PROGBITS ||
		    !(shdr.sh_flags & SHF_ALLOC) || shdr.sh_flags & SHF_EXECINSTR)
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf && find_banner(k, data->d_buf, data->d_size))
			return;
	}
}

/* Read a small file of /proc or /sys; the number of bytes, 0 if it is not there. */
static size_t read_small(const char *root, const char *name, void *bytes,
			 size_t size)
{
	char *path = xformat("%s%s", root, name);
	FILE *f = fopen(path, "re");
	size_t got = f ? fread(bytes, 1, size, f) : 0;

	if (f)
		fclose(f);
	free(path);
	return got;
}

/* Notes of elf(5): three sizes, the name, the content, each padded to 4 bytes */
static void read_notes(struct kernel_identity *k, const uint8_t *notes, size_t len)
{
	size_t at = 0;

	while (len - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr head;
		size_t name = at + sizeof(head), content, next;

		memcpy(&head, notes + at, sizeof(head));
		if (head.n_namesz > len || head.n_descsz > len)
			return;
		content = name + ((size_t)head.n_namesz + 3) / 4 * 4;
		next = content + ((size_t)head.n_descsz + 3) / 4 * 4;
		if (next > len)
			return;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
		    !memcmp(notes + name, "GNU", 4)) {
			set_id(k, notes + content, head.n_descsz);
			return;
		}
		at = next;
	}
}

void kernel_identity_kallsyms(struct kernel_identity *k, const char *path)
{
	static const char tail[] = "/proc/kallsyms";
	size_t len = strlen(path), size = sizeof(tail) - 1;
	uint8_t notes[4096];
	char *root;

	memset(k, 0, sizeof(*k));
	if (len < size || strcmp(path + len - size, tail))
		return;
	root = xstrndup(path, len - size);
	read_small(root, "/proc/sys/kernel/osrelease", k->release,
		   sizeof(k->release) - 1);
	k->release[strcspn(k->release, "\n")] = '\0';
	read_notes(k, notes, read_small(root, "/sys/kernel/notes", notes,
					sizeof(notes)));
	free(root);
}

static const char *owner_of(const struct kernel_identity *k)
{
	return k->guest ? "guest's" : "recorded";
}

static void id_text(const struct kernel_identity *k, char *text)
{
	size_t i;

	for (i = 0; i < k->id_len; i++)
		snprintf(text + 2 * i, 3, "%02x", k->id[i]);
}

static void say_other_id(const struct kernel_identity *file, const char *path,
			 const struct kernel_identity *recorded)
{
	char text[2][2 * KERNEL_ID_MAX + 1] = { "", "" };

	id_text(file, text[0]);
	id_text(recorded, text[1]);
	say("cannot use %s for kernel symbols: its build id is %s, but that of the %s kernel is %s; name the file of the %s kernel",
	    path, text[0], owner_of(recorded), text[1], owner_of(recorded));
}

bool kernel_identity_same(const struct kernel_identity *file, const char *path,
			  const struct kernel_identity *recorded,
			  const char **proof)
{
	*proof = NULL;
	if (file->machine && recorded->machine &&
	    file->machine != recorded->machine) {
		say("cannot use %s for kernel symbols: it is a file of %s, but the %s kernel is of %s; name the file of the %s kernel",
		    path, kernel_machine_name(file->machine), owner_of(recorded),
		    kernel_machine_name(recorded->machine), owner_of(recorded));
		return false;
	}
	if (file->id_len && recorded->id_len) {
		if (file->id_len != recorded->id_len ||
		    memcmp(file->id, recorded->id, file->id_len)) {
			say_other_id(file, path, recorded);
			return false;
		}
		*proof = "it has the recorded build id";
		return true;
	}
	if (file->release[0] && recorded->release[0]) {
		if (strcmp(file->release, recorded->release)) {
			say("cannot use %s for kernel symbols: it is of Linux %s, but the %s kernel is Linux %s; name the file of the %s kernel",
			    path, file->release, owner_of(recorded), recorded->release, owner_of(recorded));
			return false;
		}
		*proof = "it has the recorded release";
	}
	return true;
}
