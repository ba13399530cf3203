// SPDX-License-Identifier: GPL-2.0-only
/*
 * A virtual machine monitor that boots Linux under KVM, for tests in which the host samples
 * its guests.  The machine has memory, CPUs, a GICv3, timers and PSCI, and no devices:
 * tenant.c is its first process, and leaves files in a window of memory that the machine
 * shares with its host.
 *
 * usage: vmm IMAGE INITRD DIR CPUS ARGUMENTS
 *
 * ARGUMENTS is the kernel's command line.  DIR gets the files of the machine, and "machine": a
 * line "memory FIRST END" with the host's physical addresses for each page of memory, and "cpu
 * TID" with the host's thread of each CPU.  What the machine writes to its console goes to
 * standard output.  Ends with status 0 if the machine has powered itself off.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"
#include "vmm.h"

/* The machine's addresses.  An access where nothing is ends the machine, but for the console. */
#define GIC_DISTRIBUTOR		UINT64_C(0x08000000)
#define GIC_DISTRIBUTOR_SIZE	0x10000
#define GIC_REDISTRIBUTORS	UINT64_C(0x080a0000)
#define GIC_REDISTRIBUTOR_SIZE	0x20000
#define CONSOLE			UINT64_C(0x09000000)	/* a PL011, as earlycon uses it */
#define CONSOLE_SIZE		0x1000
#define RAM			UINT64_C(0x40000000)
#define RAM_SIZE		(UINT64_C(192) << 20)
#define INITRD			(RAM + (UINT64_C(128) << 20))
#define TREE			(RAM + (UINT64_C(120) << 20))
#define TREE_SIZE		0x10000
#define CPUS_MAX		4
#define HUGE_PAGE		(UINT64_C(2) << 20)

static int kvm, vm;
static int cpus[CPUS_MAX];
static unsigned char *ram, *window;
static const char *dir;
static FILE *list;		/* "machine" */

static void fail(const char *what)
{
	fprintf(stderr, "vmm: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void must(bool done, const char *what)
{
	if (!done)
		fail(what);
}

/* A device tree: the structure block, and the names of properties behind it. */
static struct {
	unsigned char block[TREE_SIZE / 2];
	char names[1024];
	size_t size, names_size;
} tree;

static void put32(unsigned char *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = value >> (24 - 8 * i);
}

static void tree_word(uint32_t value)
{
	put32(tree.block + tree.size, value);
	tree.size += 4;
}

static void tree_bytes(const void *bytes, size_t size)
{
	memcpy(tree.block + tree.size, bytes, size);
	tree.size += (size + 3) & ~(size_t)3;
}

static void tree_begin(const char *name)
{
	tree_word(1);
	tree_bytes(name, strlen(name) + 1);
}

static void tree_end(void)
{
	tree_word(2);
}

static uint32_t tree_name(const char *name)
{
	size_t at;

	for (at = 0; at < tree.names_size; at += strlen(tree.names + at) + 1)
		if (!strcmp(tree.names + at, name))
			return at;
	strcpy(tree.names + at, name);
	tree.names_size = at + strlen(name) + 1;
	return at;
}

static void tree_property(const char *name, const void *bytes, size_t size)
{
	tree_word(3);
	tree_word(size);
	tree_word(tree_name(name));
	tree_bytes(bytes, size);
}

static void tree_text(const char *name, const char *text)
{
	tree_property(name, text, strlen(text) + 1);
}

static void tree_words(const char *name, const uint32_t *words, size_t count)
{
	unsigned char bytes[64];

	for (size_t i = 0; i < count; i++)
		put32(bytes + 4 * i, words[i]);
	tree_property(name, bytes, 4 * count);
}

#define WORDS(name, ...)								\
	tree_words(name, (const uint32_t[]){ __VA_ARGS__ },				\
		   sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))
#define PAIR(value)	(uint32_t)((uint64_t)(value) >> 32), (uint32_t)(value)

/* The devices that the kernel finds: bindings of Linux' Documentation/devicetree. */
static void describe(int count, const char *arguments, uint64_t initrd_size)
{
	char name[16];

	tree_begin("");
	WORDS("#address-cells", 2);
	WORDS("#size-cells", 2);
	WORDS("interrupt-parent", 1);
	tree_text("compatible", "linux,dummy-virt");
	tree_begin("chosen");
	tree_text("bootargs", arguments);
	WORDS("linux,initrd-start", PAIR(INITRD));
	WORDS("linux,initrd-end", PAIR(INITRD + initrd_size));
	tree_end();
	tree_begin("memory");
	tree_text("device_type", "memory");
	WORDS("reg", PAIR(RAM), PAIR(RAM_SIZE));
	tree_end();
	tree_begin("cpus");
	WORDS("#address-cells", 1);
	WORDS("#size-cells", 0);
	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "cpu@%d", i);
		tree_begin(name);
		tree_text("device_type", "cpu");
		tree_text("compatible", "arm,armv8");
		tree_text("enable-method", "psci");
		WORDS("reg", i);
		tree_end();
	}
	tree_end();
	tree_begin("psci");
	tree_text("compatible", "arm,psci-0.2");
	tree_text("method", "hvc");
	tree_end();
	tree_begin("timer");
	tree_text("compatible", "arm,armv8-timer");
	/* Private interrupts, active high: secure, physical, virtual, hypervisor */
	WORDS("interrupts", 1, 13, 4, 1, 14, 4, 1, 11, 4, 1, 10, 4);
	tree_property("always-on", "", 0);
	tree_end();
	tree_begin("interrupt-controller");
	tree_text("compatible", "arm,gic-v3");
	WORDS("#interrupt-cells", 3);
	tree_property("interrupt-controller", "", 0);
	WORDS("reg", PAIR(GIC_DISTRIBUTOR), PAIR(GIC_DISTRIBUTOR_SIZE), PAIR(GIC_REDISTRIBUTORS),
	      PAIR(CPUS_MAX * GIC_REDISTRIBUTOR_SIZE));
	WORDS("phandle", 1);
	tree_end();
	tree_end();
	tree_word(9);
}

static void put_tree(unsigned char *at)
{
	const uint32_t reserved = 40, block = reserved + 16, names = block + tree.size;
	const uint32_t header[] = {
		0xd00dfeed, names + tree.names_size, block, names, reserved, 17, 16, 0,
		tree.names_size, tree.size,
	};

	for (size_t i = 0; i < sizeof(header) / sizeof(*header); i++)
		put32(at + 4 * i, header[i]);
	memcpy(at + block, tree.block, tree.size);
	memcpy(at + names, tree.names, tree.names_size);
}

/* Pages of 2 MiB keep their addresses, and have few faults. */
static unsigned char *add_memory(int slot, uint64_t address, uint64_t size)
{
	struct kvm_userspace_memory_region region = {
		.slot = slot, .guest_phys_addr = address, .memory_size = size,
	};
	unsigned char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1, 0);

	must(at != MAP_FAILED, "pages of 2 MiB (/proc/sys/vm/nr_hugepages)");
	region.userspace_addr = (uintptr_t)at;
	must(!ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region), "KVM_SET_USER_MEMORY_REGION");
	return at;
}

static void list_memory(const unsigned char *at, uint64_t size)
{
	int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	long page = sysconf(_SC_PAGESIZE);
	uint64_t entry, first;

	must(map >= 0, "/proc/self/pagemap");
	for (uint64_t i = 0; i < size; i += HUGE_PAGE) {
		must(pread(map, &entry, sizeof(entry), (uintptr_t)(at + i) / page * sizeof(entry)) ==
		     sizeof(entry), "/proc/self/pagemap");
		/* The number of the page is below bit 55. */
		first = (entry & ((UINT64_C(1) << 55) - 1)) * page;
		fprintf(list, "memory %#" PRIx64 " %#" PRIx64 "\n", first, first + HUGE_PAGE);
	}
	close(map);
}

/* Returns the size of the file, which is now in memory at @to. */
static uint64_t load(const char *name, unsigned char *to, uint64_t room)
{
	int file = open(name, O_RDONLY | O_CLOEXEC);
	uint64_t size = 0;
	ssize_t got;

	must(file >= 0, name);
	while ((got = read(file, to + size, room - size)) > 0)
		size += got;
	must(!got, name);
	close(file);
	if (size == room) {
		fprintf(stderr, "vmm: %s is too large for the machine's memory\n", name);
		exit(1);
	}
	return size;
}

static void set_register(int cpu, size_t offset, uint64_t value)
{
	struct kvm_one_reg reg = {
		.id = KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | offset / sizeof(uint32_t),
		.addr = (uintptr_t)&value,
	};

	must(!ioctl(cpu, KVM_SET_ONE_REG, &reg), "KVM_SET_ONE_REG");
}

/* The first CPU starts the kernel, and the kernel the others, by PSCI. */
static int make_cpu(int number)
{
	struct kvm_vcpu_init init;
	int cpu = ioctl(vm, KVM_CREATE_VCPU, number);

	must(cpu >= 0, "KVM_CREATE_VCPU");
	must(!ioctl(vm, KVM_ARM_PREFERRED_TARGET, &init), "KVM_ARM_PREFERRED_TARGET");
	init.features[0] |= 1 << KVM_ARM_VCPU_PSCI_0_2;
	if (number)
		init.features[0] |= 1 << KVM_ARM_VCPU_POWER_OFF;
	if (ioctl(vm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_PTRAUTH_ADDRESS) > 0)
		init.features[0] |= 1 << KVM_ARM_VCPU_PTRAUTH_ADDRESS |
				    1 << KVM_ARM_VCPU_PTRAUTH_GENERIC;
	must(!ioctl(cpu, KVM_ARM_VCPU_INIT, &init), "KVM_ARM_VCPU_INIT");
	return cpu;
}

/* The console's only register that counts: what is written to the first goes out. */
static bool console(struct kvm_run *run)
{
	if (run->mmio.phys_addr < CONSOLE || run->mmio.phys_addr >= CONSOLE + CONSOLE_SIZE)
		return false;
	if (!run->mmio.is_write)
		memset(run->mmio.data, 0, sizeof(run->mmio.data));
	else if (run->mmio.phys_addr == CONSOLE)
		putchar(run->mmio.data[0]);
	return true;
}

/* Makes the folders that the path names. */
static void make_folders(char *path)
{
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (*path)
			mkdir(path, 0755);
		*slash = '/';
	}
}

static const struct vmm_file *next_file(const struct vmm_file *file)
{
	const unsigned char *bytes = (const unsigned char *)(file + 1);

	return (const struct vmm_file *)(bytes + ((file->size + 7) & ~UINT64_C(7)));
}

/* Copies the machine's files out of the window. */
static void take_files(void)
{
	const struct vmm_file *file = (const struct vmm_file *)window;
	const unsigned char *end = window + VMM_WINDOW_SIZE - sizeof(*file);
	char path[256];
	FILE *to;

	for (; (const unsigned char *)file <= end && file->name[0]; file = next_file(file)) {
		snprintf(path, sizeof(path), "%s/%.*s", dir, (int)sizeof(file->name), file->name);
		make_folders(path);
		to = fopen(path, "w");
		must(to && fwrite(file + 1, 1, file->size, to) == file->size && !fclose(to), path);
	}
}

static void *run_cpu(void *arg)
{
	int cpu = *(int *)arg;
	struct kvm_run *run;

	fprintf(list, "cpu %ld\n", syscall(SYS_gettid));
	run = mmap(NULL, ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), PROT_READ | PROT_WRITE, MAP_SHARED,
		   cpu, 0);
	must(run != MAP_FAILED, "the CPU's page");
	for (;;) {
		if (ioctl(cpu, KVM_RUN, 0)) {
			must(errno == EINTR || errno == EAGAIN, "KVM_RUN");
			continue;
		}
		if (run->exit_reason == KVM_EXIT_MMIO && console(run))
			continue;
		if (run->exit_reason == KVM_EXIT_SYSTEM_EVENT &&
		    run->system_event.type == KVM_SYSTEM_EVENT_SHUTDOWN) {
			take_files();
			exit(0);
		}
		fprintf(stderr, "vmm: the machine ended early: exit %u, address %#" PRIx64 "\n",
			run->exit_reason,
			run->exit_reason == KVM_EXIT_MMIO ? (uint64_t)run->mmio.phys_addr : 0);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct { uint64_t start, offset, size; } image;
	int count = argc == 6 ? atoi(argv[4]) : 0;
	uint64_t initrd_size;
	pthread_t thread;
	char path[256];

	if (count < 1 || count > CPUS_MAX) {
		fprintf(stderr, "usage: vmm IMAGE INITRD DIR CPUS ARGUMENTS\n");
		return 2;
	}
	dir = argv[3];
	kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	must(kvm >= 0, "/dev/kvm");
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	must(vm >= 0, "KVM_CREATE_VM");
	ram = add_memory(0, RAM, RAM_SIZE);
	window = add_memory(1, VMM_WINDOW, VMM_WINDOW_SIZE);
	snprintf(path, sizeof(path), "%s/machine", dir);
	list = fopen(path, "w");
	must(list, path);
	list_memory(ram, RAM_SIZE);
	list_memory(window, VMM_WINDOW_SIZE);

	load(argv[1], ram, TREE - RAM);
	memcpy(&image, ram, sizeof(image));
	initrd_size = load(argv[2], ram + (INITRD - RAM), RAM + RAM_SIZE - INITRD);
	describe(count, argv[5], initrd_size);
	put_tree(ram + (TREE - RAM));

	for (int i = 0; i < count; i++)
		cpus[i] = make_cpu(i);
	errno = -spe_machine_add_gic(vm, GIC_DISTRIBUTOR, GIC_REDISTRIBUTORS);
	must(!errno, "the GIC");
	set_register(cpus[0], offsetof(struct kvm_regs, regs.pc), RAM + image.offset);
	set_register(cpus[0], offsetof(struct kvm_regs, regs.regs[0]), TREE);
	for (int i = 1; i < count; i++)
		must(!pthread_create(&thread, NULL, run_cpu, &cpus[i]), "a thread");
	run_cpu(&cpus[0]);
}
