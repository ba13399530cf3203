// SPDX-License-Identifier: GPL-2.0-only
/*
 * kexec IMAGE: starts IMAGE (after.S) in place of another kernel, with the system calls of
 * kexec -e, while a task on every CPU is profiled, including this one and its guests of KVM if
 * the driver can sample guests.
 *
 * The program ends no session: the driver must stop the unit.  perf itself removes the events
 * of CPUs before a restart (perf_reboot()), but not those of tasks.  The buffers are so large
 * that none fills up, because a full buffer would stop the unit.
 */
#define _GNU_SOURCE
#include <linux/kexec.h>
#include <linux/perf_event.h>
#include <linux/reboot.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An address in the memory of QEMU's virt machine, which begins at 1 GiB. */
#define PLACE		0x60000000UL
#define PAGE		4096
#define AUX_SIZE	(1024 * 1024)
#define PERIOD		0x10000

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int pmu_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/arm_spe_0/type", "r");
	int type;

	if (!file || fscanf(file, "%d", &type) != 1)
		fail("kexec: arm_spe_0/type");
	fclose(file);
	return type;
}

/* The attribute "guest", where there is one */
static uint64_t guests(void)
{
	return access("/sys/bus/event_source/devices/arm_spe_0/format/guest", F_OK) ? 0 : 1 << 17;
}

/* Profiles the calling task at all Exception levels until the kernel ends. */
static void profile(int type)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = guests(),
		.sample_period = PERIOD,
		.disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	struct perf_event_mmap_page *page;

	if (fd < 0)
		fail("kexec: perf_event_open");
	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		fail("kexec: mmap of the ring");
	page->aux_offset = 2 * PAGE;
	page->aux_size = AUX_SIZE;
	if (mmap(NULL, AUX_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 2 * PAGE) == MAP_FAILED)
		fail("kexec: mmap of the AUX area");
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		fail("kexec: PERF_EVENT_IOC_ENABLE");
}

/* Starts a task that keeps the CPU busy and profiles it. */
static void occupy(int type, int cpu)
{
	cpu_set_t set;

	if (fork())
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("kexec: sched_setaffinity");
	profile(type);
	for (volatile unsigned long turns = 0;; turns++)
		;
}

int main(int argc, char **argv)
{
	static char image[PAGE];
	struct kexec_segment segment = {
		.buf = image, .mem = (void *)PLACE, .memsz = PAGE,
	};
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int type;

	if (!file)
		fail("usage: kexec IMAGE");
	segment.bufsz = fread(image, 1, sizeof(image), file);
	fclose(file);
	if (syscall(SYS_kexec_load, PLACE, 1UL, &segment, (unsigned long)KEXEC_ARCH_AARCH64))
		fail("kexec: kexec_load");
	type = pmu_type();
	for (long cpu = 1; cpu < cpus; cpu++)
		occupy(type, cpu);
	sleep(1);
	profile(type);
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL);
	fail("kexec: reboot");
}
