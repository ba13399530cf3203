// SPDX-License-Identifier: GPL-2.0-only
/*
 * kdump IMAGE INITRD: loads IMAGE with INITRD as the crash kernel, profiles the user space of every
 * CPU, with that of guests of KVM if the driver can sample guests, and crashes the kernel.  The same program is the crash kernel's first process: it loads
 * spe_state.ko, which prints the unit's registers, executes operations in user space, and prints
 * them again.
 *
 * The sessions leave the kernel out: with samples of the kernel the unit would fault early, at the
 * first access after the crash kernel has switched to its own page tables.
 *
 * Where the kernel has no kexec_file_load(), as Debian's for arm64, the program does the work of
 * kexec-tools: it gives the crash kernel a device tree, and a stub that passes it on.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <linux/perf_event.h>
#include <linux/reboot.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE		4096UL
#define AUX_SIZE	(1024 * 1024)
#define PERIOD		0x10000
#define TURNS		0x4000000	/* of some operations: a few hundred samples */
#define ALIGNMENT	(2UL * 1024 * 1024)

static const char command_line[] =
	"console=ttyAMA0 loglevel=1 rdinit=/init maxcpus=1 reset_devices panic=-1";

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int open_or_fail(const char *path, int flags)
{
	int fd = open(path, flags);

	if (fd < 0)
		fail(path);
	return fd;
}

/* A file in memory, with room for additions. */
struct blob {
	unsigned char *data;
	size_t size, room;
};

static struct blob read_blob(const char *path)
{
	struct blob b = { .room = 128UL * 1024 * 1024 };
	FILE *file = fopen(path, "r");

	b.data = malloc(b.room);
	if (!file || !b.data)
		fail(path);
	b.size = fread(b.data, 1, b.room, file);
	fclose(file);
	return b;
}

/* The header of a flattened device tree, in big-endian words. */
enum { FDT_TOTAL = 1, FDT_STRUCT, FDT_STRINGS, FDT_STRINGS_SIZE = 8, FDT_STRUCT_SIZE };

static uint32_t word(const struct blob *tree, size_t at)
{
	uint32_t value;

	memcpy(&value, tree->data + 4 * at, sizeof(value));
	return be32toh(value);
}

static void set_word(struct blob *tree, size_t at, uint32_t value)
{
	value = htobe32(value);
	memcpy(tree->data + 4 * at, &value, sizeof(value));
}

static void insert(struct blob *tree, size_t at, const void *bytes, size_t size)
{
	memmove(tree->data + at + size, tree->data + at, tree->size - at);
	memcpy(tree->data + at, bytes, size);
	tree->size += size;
	set_word(tree, FDT_TOTAL, tree->size);
}

/*
 * Adds a property at the beginning of /chosen, before one of that name: the first one counts.
 * QEMU's tree has the strings at its end.
 */
static void choose(struct blob *tree, const char *name, const void *value, size_t size)
{
	static const char chosen[] = "\0\0\0\1chosen\0";	/* FDT_BEGIN_NODE, padded */
	unsigned char property[1024] = { 0 };
	uint32_t head[3] = { htobe32(3), htobe32(size), htobe32(word(tree, FDT_STRINGS_SIZE)) };
	size_t end = word(tree, FDT_STRINGS) + word(tree, FDT_STRINGS_SIZE);
	size_t padded = sizeof(head) + ((size + 3) & ~3UL);
	unsigned char *node;

	insert(tree, end, name, strlen(name) + 1);
	set_word(tree, FDT_STRINGS_SIZE, word(tree, FDT_STRINGS_SIZE) + strlen(name) + 1);
	node = memmem(tree->data, tree->size, chosen, sizeof(chosen));
	if (!node || padded > sizeof(property))
		fail("kdump: /chosen");
	memcpy(property, head, sizeof(head));
	memcpy(property + sizeof(head), value, size);
	insert(tree, node + sizeof(chosen) - tree->data, property, padded);
	set_word(tree, FDT_STRUCT_SIZE, word(tree, FDT_STRUCT_SIZE) + padded);
	set_word(tree, FDT_STRINGS, word(tree, FDT_STRINGS) + padded);
}

static void choose_numbers(struct blob *tree, const char *name, uint64_t a, uint64_t b, int count)
{
	uint64_t value[2] = { htobe64(a), htobe64(b) };

	choose(tree, name, value, count * sizeof(value[0]));
}

/* The memory reserved for the crash kernel; END is the first byte after it. */
static void crash_memory(uint64_t *start, uint64_t *end)
{
	FILE *file = fopen("/proc/iomem", "r");
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (strstr(line, "Crash kernel") &&
		    sscanf(line, " %lx-%lx", start, end) == 2 && *start) {
			++*end;
			fclose(file);
			return;
		}
	}
	errno = ENOENT;
	fail("kdump: no memory for a crash kernel in /proc/iomem");
}

static uint64_t align(uint64_t at)
{
	return (at + ALIGNMENT - 1) & -ALIGNMENT;
}

/* kexec_load(): places the parts itself.  The stub enters the kernel with the device tree in x0. */
static void load_by_hand(const char *image_path, const char *initrd_path)
{
	struct blob image = read_blob(image_path), initrd = read_blob(initrd_path);
	struct blob tree = read_blob("/sys/firmware/fdt");
	uint64_t start, end, image_size, at_initrd, at_tree, at_stub;
	uint64_t stub[6] = {
		0xd2800001580000c0,	/* ldr x0, stub + 24; mov x1, #0 */
		0xd2800003d2800002,	/* mov x2, #0; mov x3, #0 */
		0xd61f0080580000c4,	/* ldr x4, stub + 40; br x4 */
	};
	struct kexec_segment segment[4];

	crash_memory(&start, &end);
	memcpy(&image_size, image.data + 16, sizeof(image_size));
	image_size = (image_size + PAGE - 1) & -PAGE;
	at_initrd = align(start + image_size);
	at_tree = align(at_initrd + initrd.size);
	at_stub = at_tree + ALIGNMENT;
	choose(&tree, "bootargs", command_line, sizeof(command_line));
	choose_numbers(&tree, "linux,initrd-start", at_initrd, 0, 1);
	choose_numbers(&tree, "linux,initrd-end", at_initrd + initrd.size, 0, 1);
	choose_numbers(&tree, "linux,usable-memory-range", start, end - start, 2);
	stub[3] = at_tree;
	stub[5] = start;
	segment[0] = (struct kexec_segment){ image.data, image.size, (void *)start, image_size };
	segment[1] = (struct kexec_segment){ initrd.data, initrd.size, (void *)at_initrd,
					     (initrd.size + PAGE - 1) & -PAGE };
	segment[2] = (struct kexec_segment){ tree.data, tree.size, (void *)at_tree,
					     (tree.size + PAGE - 1) & -PAGE };
	segment[3] = (struct kexec_segment){ stub, sizeof(stub), (void *)at_stub, PAGE };
	if (syscall(SYS_kexec_load, at_stub, 4UL, segment,
		    (unsigned long)KEXEC_ARCH_AARCH64 | KEXEC_ON_CRASH))
		fail("kdump: kexec_load");
}

/* Loads the crash kernel. */
static void load(const char *image_path, const char *initrd_path)
{
	int image = open_or_fail(image_path, O_RDONLY);
	int initrd = open_or_fail(initrd_path, O_RDONLY);

	if (!syscall(SYS_kexec_file_load, image, initrd, sizeof(command_line), command_line,
		     KEXEC_FILE_ON_CRASH))
		return;
	if (errno != ENOSYS)
		fail("kdump: kexec_file_load");
	load_by_hand(image_path, initrd_path);
}

static void busy(void)
{
	for (volatile unsigned long turns = 0; turns < TURNS; turns++)
		;
}

/* The first process of the crash kernel. */
static int after_the_crash(void)
{
	int console, module;

	mkdir("/dev", 0755);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	console = open_or_fail("/dev/console", O_RDWR);
	dup2(console, 1);
	dup2(console, 2);
	module = open_or_fail("/spe_state.ko", O_RDONLY);
	if (syscall(SYS_finit_module, module, "", 0))
		fail("kdump: finit_module");
	busy();
	if (syscall(SYS_delete_module, "spe_state", 0))
		fail("kdump: delete_module");
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_POWER_OFF,
		NULL);
	fail("kdump: reboot");
	return 1;
}

static int pmu_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/arm_spe_0/type", "r");
	int type;

	if (!file || fscanf(file, "%d", &type) != 1)
		fail("kdump: arm_spe_0/type");
	fclose(file);
	return type;
}

/* The attribute "guest", where there is one */
static uint64_t guests(void)
{
	return access("/sys/bus/event_source/devices/arm_spe_0/format/guest", F_OK) ? 0 : 1 << 17;
}

/* Profiles user space on the CPU until the kernel ends. */
static void profile(int type, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = guests(),
		.sample_period = PERIOD,
		.exclude_kernel = 1,
		.disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
	struct perf_event_mmap_page *page;

	if (fd < 0)
		fail("kdump: perf_event_open");
	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		fail("kdump: mmap of the ring");
	page->aux_offset = 2 * PAGE;
	page->aux_size = AUX_SIZE;
	if (mmap(NULL, AUX_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 2 * PAGE) == MAP_FAILED)
		fail("kdump: mmap of the AUX area");
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		fail("kdump: PERF_EVENT_IOC_ENABLE");
}

int main(int argc, char **argv)
{
	int type, trigger;
	long cpus;

	if (getpid() == 1)
		return after_the_crash();
	if (argc != 3) {
		fprintf(stderr, "usage: kdump IMAGE INITRD\n");
		return 2;
	}
	load(argv[1], argv[2]);
	type = pmu_type();
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	for (long cpu = 0; cpu < cpus; cpu++)
		profile(type, cpu);
	busy();
	trigger = open_or_fail("/proc/sysrq-trigger", O_WRONLY);
	if (write(trigger, "c", 1) != 1)
		fail("kdump: /proc/sysrq-trigger");
	fail("kdump: the kernel has not crashed");
}
