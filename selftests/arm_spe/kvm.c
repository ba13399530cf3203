// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host that profiles a task which runs a virtual machine: KVM keeps the
 * guest out of the host's profile (MDCR_EL2.E2PB and the controls of Table
 * D17-2), so the host's records are all there and none is the guest's.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <sys/mman.h>

/* Where the virtual machine sees its memory; no program of ours lies there. */
#define GUEST_RAM	UINT64_C(0x80000000)
#define GUEST_SIZE	UINT64_C(0x10000)
/* Nothing is there: a store ends the run. */
#define GUEST_NOWHERE	UINT64_C(0x10000000)
#define GUEST_OPS	4
#define RUNS		20
#define SAMPLES		400

struct machine {
	int kvm, vm, cpu;
	void *ram;
	struct kvm_run *run;
	size_t run_size;
};

/* x0 rounds of GUEST_OPS operations, then a store to x1. */
static const uint32_t guest_code[] = {
	0xd1000400,	/* sub	x0, x0, #1 */
	0xd503201f,	/* nop */
	0xd503201f,	/* nop */
	0xb5ffffa0,	/* cbnz	x0, . - 12 */
	0xf900003f,	/* str	xzr, [x1] */
};

static int set_register(const struct machine *m, size_t offset, uint64_t value)
{
	struct kvm_one_reg reg = {
		.id = KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE |
		      offset / sizeof(uint32_t),
		.addr = (uintptr_t)&value,
	};

	return ioctl(m->cpu, KVM_SET_ONE_REG, &reg);
}

#define CORE_REG(name)	offsetof(struct kvm_regs, regs.name)

static void machine_open(struct __test_metadata *_metadata, struct machine *m)
{
	struct kvm_userspace_memory_region region = {
		.guest_phys_addr = GUEST_RAM,
		.memory_size = GUEST_SIZE,
	};
	struct kvm_vcpu_init init;

	m->vm = ioctl(m->kvm, KVM_CREATE_VM, 0);
	ASSERT_LE(0, m->vm);
	m->ram = mmap(NULL, GUEST_SIZE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, m->ram);
	memcpy(m->ram, guest_code, sizeof(guest_code));
	region.userspace_addr = (uintptr_t)m->ram;
	ASSERT_EQ(0, ioctl(m->vm, KVM_SET_USER_MEMORY_REGION, &region));
	m->cpu = ioctl(m->vm, KVM_CREATE_VCPU, 0);
	ASSERT_LE(0, m->cpu);
	m->run_size = (size_t)ioctl(m->kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	m->run = mmap(NULL, m->run_size, PROT_READ | PROT_WRITE, MAP_SHARED, m->cpu, 0);
	ASSERT_NE(MAP_FAILED, (void *)m->run);
	ASSERT_EQ(0, ioctl(m->vm, KVM_ARM_PREFERRED_TARGET, &init));
	ASSERT_EQ(0, ioctl(m->cpu, KVM_ARM_VCPU_INIT, &init));
}

static void machine_close(struct machine *m)
{
	if (m->run)
		munmap(m->run, m->run_size);
	close(m->cpu);
	if (m->ram)
		munmap(m->ram, GUEST_SIZE);
	close(m->vm);
	close(m->kvm);
}

/* ROUNDS of the guest's loop, to its end, whatever interrupts it. */
static void machine_run(struct __test_metadata *_metadata, struct machine *m,
			uint64_t rounds)
{
	int ret;

	ASSERT_EQ(0, set_register(m, CORE_REG(pc), GUEST_RAM));
	ASSERT_EQ(0, set_register(m, CORE_REG(regs[0]), rounds));
	ASSERT_EQ(0, set_register(m, CORE_REG(regs[1]), GUEST_NOWHERE));
	do {
		ret = ioctl(m->cpu, KVM_RUN, 0);
	} while (ret < 0 && errno == EINTR);
	ASSERT_EQ(0, ret);
	ASSERT_EQ((uint32_t)KVM_EXIT_MMIO, m->run->exit_reason);
	ASSERT_EQ(GUEST_NOWHERE, m->run->mmio.phys_addr);
}

FIXTURE(kvm) {
	struct spe_test t;
	struct machine machine;
};

FIXTURE_VARIANT(kvm) {
	bool user, kernel;
};

FIXTURE_VARIANT_ADD(kvm, user) { .user = true };
FIXTURE_VARIANT_ADD(kvm, kernel) { .kernel = true };
FIXTURE_VARIANT_ADD(kvm, both) { .user = true, .kernel = true };

FIXTURE_SETUP(kvm)
{
	self->machine = (struct machine){ .kvm = -1, .vm = -1, .cpu = -1 };
	spe_test_begin(_metadata, &self->t);
	self->machine.kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (self->machine.kvm < 0) {
		/* Only a kernel at EL2 is a host. */
		ASSERT_STRNE("2", getenv("ARM_SPE_KERNEL_EL") ?: "1");
		SKIP(return, "no /dev/kvm");
	}
	machine_open(_metadata, &self->machine);
}

FIXTURE_TEARDOWN(kvm)
{
	machine_close(&self->machine);
	spe_test_end(&self->t);
}

/* The guest executes as much as the host, in turns. */
TEST_F(kvm, guest_is_left_out_and_the_host_is_whole)
{
	struct spe_test *t = &self->t;
	uint64_t host = spe_rounds(t, WORK_ALU_OPS, SAMPLES / RUNS);
	uint64_t guest = spe_rounds(t, GUEST_OPS, SAMPLES / RUNS);
	size_t guests = 0, kernels = 0, count;

	t->attr.perf.exclude_user = !variant->user;
	t->attr.perf.exclude_kernel = !variant->kernel;
	spe_open(_metadata, t, 256);
	for (int i = 0; i < RUNS; i++) {
		spe_enable(_metadata, t);
		work_alu(host);
		machine_run(_metadata, &self->machine, guest);
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(0, spe_session_drain(&t->session));
	}
	if (variant->kernel)
		spe_finish_with_kernel(_metadata, t);
	else
		spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		/* The host's kernel is at EL2, its programs at EL0. */
		guests += r->pc_el == 1 ||
			  (r->pc >= GUEST_RAM && r->pc < GUEST_RAM + GUEST_SIZE);
		kernels += r->pc_el == 2;
	}
	EXPECT_EQ(0, guests);
	count = spe_count_pc(&t->records, work_alu, work_alu_end);
	if (variant->user && !variant->kernel) {
		EXPECT_LE(SAMPLES - 5, count);
		EXPECT_GE(SAMPLES + 5, count);
	}
	EXPECT_EQ(variant->user, count > 0);
	/* Entering a guest is the host's kernel's work. */
	EXPECT_EQ(variant->kernel, kernels > 0);
}

/* Guests cannot be profiled, least of all alone. */
TEST_F(kvm, exclude_guest_changes_nothing)
{
	struct spe_test *t = &self->t;

	t->attr.perf.exclude_user = !variant->user;
	t->attr.perf.exclude_kernel = !variant->kernel;
	t->attr.perf.exclude_guest = 1;
	spe_open(_metadata, t, 64);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 40));
	machine_run(_metadata, &self->machine, spe_rounds(t, GUEST_OPS, 200));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_session_records(&t->session, &t->records);
	EXPECT_LT(0, t->records.count);
	EXPECT_EQ(0, t->records.damaged);
}

TEST_HARNESS_MAIN
