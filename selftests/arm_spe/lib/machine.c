// SPDX-License-Identifier: GPL-2.0-only
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* No memory is mapped here, so a store ends the run. */
#define NOWHERE		UINT64_C(0x10000000)

/* A GIC that the code does not use */
#define GIC		UINT64_C(0x08000000)

/* Executes x0 rounds of SPE_MACHINE_OPS operations, then stores to x1. */
static const uint32_t code[] = {
	0xd1000400,	/* sub	x0, x0, #1 */
	0xd503201f,	/* nop */
	0xd503201f,	/* nop */
	0xb5ffffa0,	/* cbnz	x0, . - 12 */
	0xf900003f,	/* str	xzr, [x1] */
};

/* Where spe_machine_try() puts code: an instruction, and the vector of its exceptions */
#define TRIED		0x1000
#define VECTORS		0x2000
#define VECTOR_SAME_EL	(VECTORS + 0x200)

static int set_register_by_id(const struct spe_machine *m, uint64_t id, uint64_t value)
{
	struct kvm_one_reg reg = { .id = id, .addr = (uintptr_t)&value };

	return ioctl(m->cpu, KVM_SET_ONE_REG, &reg);
}

static int set_register(const struct spe_machine *m, size_t offset, uint64_t value)
{
	return set_register_by_id(m, KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE |
				  offset / sizeof(uint32_t), value);
}

#define CORE_REG(name)	offsetof(struct kvm_regs, regs.name)

static int make_memory(struct spe_machine *m)
{
	struct kvm_userspace_memory_region region = {
		.guest_phys_addr = SPE_MACHINE_RAM,
		.memory_size = SPE_MACHINE_SIZE,
	};

	m->ram = mmap(NULL, SPE_MACHINE_SIZE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (m->ram == MAP_FAILED) {
		m->ram = NULL;
		return -1;
	}
	memcpy(m->ram, code, sizeof(code));
	region.userspace_addr = (uintptr_t)m->ram;
	return ioctl(m->vm, KVM_SET_USER_MEMORY_REGION, &region);
}

/* Linux 6.16 and later */
#ifndef KVM_CAP_ARM_EL2
#define KVM_CAP_ARM_EL2		240
#endif
#ifndef KVM_ARM_VCPU_HAS_EL2
#define KVM_ARM_VCPU_HAS_EL2	7
#endif

static int make_cpu(struct spe_machine *m, uint32_t features)
{
	struct kvm_vcpu_init init;

	m->cpu = ioctl(m->vm, KVM_CREATE_VCPU, 0);
	if (m->cpu < 0)
		return -1;
	m->run_size = (size_t)ioctl(m->kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	m->run = mmap(NULL, m->run_size, PROT_READ | PROT_WRITE, MAP_SHARED, m->cpu, 0);
	if (m->run == MAP_FAILED) {
		m->run = NULL;
		return -1;
	}
	if (ioctl(m->vm, KVM_ARM_PREFERRED_TARGET, &init))
		return -1;
	init.features[0] |= features;
	return ioctl(m->cpu, KVM_ARM_VCPU_INIT, &init) ? -1 : 0;
}

static int set_gic(int gic, uint32_t group, uint64_t what, uint64_t *value)
{
	struct kvm_device_attr attr = { .group = group, .attr = what, .addr = (uintptr_t)value };

	return ioctl(gic, KVM_SET_DEVICE_ATTR, &attr);
}

/* The machine keeps the device when its file is closed. */
int spe_machine_add_gic(int vm, uint64_t distributor, uint64_t redistributors)
{
	struct kvm_create_device gic = { .type = KVM_DEV_TYPE_ARM_VGIC_V3 };
	int err;

	if (ioctl(vm, KVM_CREATE_DEVICE, &gic))
		return -errno;
	err = set_gic(gic.fd, KVM_DEV_ARM_VGIC_GRP_ADDR, KVM_VGIC_V3_ADDR_TYPE_DIST, &distributor) ||
	      set_gic(gic.fd, KVM_DEV_ARM_VGIC_GRP_ADDR, KVM_VGIC_V3_ADDR_TYPE_REDIST, &redistributors) ||
	      set_gic(gic.fd, KVM_DEV_ARM_VGIC_GRP_CTRL, KVM_DEV_ARM_VGIC_CTRL_INIT, NULL) ? -errno : 0;
	close(gic.fd);
	return err;
}

static int machine_open(struct spe_machine *m, bool hypervisor)
{
	*m = SPE_NO_MACHINE;
	m->kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (m->kvm < 0)
		return -errno;
	if (hypervisor && ioctl(m->kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_EL2) <= 0)
		return -EOPNOTSUPP;
	m->vm = ioctl(m->kvm, KVM_CREATE_VM, 0);
	m->hypervisor = hypervisor;
	if (m->vm < 0 || make_memory(m) ||
	    make_cpu(m, hypervisor ? 1u << KVM_ARM_VCPU_HAS_EL2 : 0))
		return -errno;
	/* KVM runs a CPU with EL2 only beside a GIC. */
	return hypervisor ? spe_machine_add_gic(m->vm, GIC, GIC + 0xa0000) : 0;
}

int spe_machine_open(struct spe_machine *m)
{
	return machine_open(m, false);
}

int spe_machine_open_hypervisor(struct spe_machine *m)
{
	return machine_open(m, true);
}

int spe_machine_set_context(struct spe_machine *m, uint64_t context)
{
	/* CONTEXTIDR_EL1, or CONTEXTIDR_EL2, which a hypervisor in a guest has in the place of EL1's */
	return set_register_by_id(m, ARM64_SYS_REG(3, m->hypervisor ? 4 : 0, 13, 0, 1), context) ?
		-errno : 0;
}

int spe_machine_drop(struct spe_machine *m)
{
	return set_register(m, CORE_REG(pstate), PSR_MODE_EL0t) ? -errno : 0;
}

/* Runs the code at @pc until it stores at or behind NOWHERE.  Returns how far behind, or a negative error number. */
static int run_at(struct spe_machine *m, uint64_t pc)
{
	int ret;

	if (set_register(m, CORE_REG(pc), pc) || set_register(m, CORE_REG(regs[1]), NOWHERE))
		return -errno;
	do {
		ret = ioctl(m->cpu, KVM_RUN, 0);
	} while (ret < 0 && errno == EINTR);
	if (ret)
		return -errno;
	if (m->run->exit_reason != KVM_EXIT_MMIO || m->run->mmio.phys_addr - NOWHERE > 8)
		return -EIO;
	return (int)(m->run->mmio.phys_addr - NOWHERE);
}

int spe_machine_run(struct spe_machine *m, uint64_t rounds)
{
	int ret;

	if (set_register(m, CORE_REG(regs[0]), rounds))
		return -errno;
	ret = run_at(m, SPE_MACHINE_RAM);
	return ret > 0 ? -EIO : ret;
}

/* The machine fetches from memory without a cache, because its MMU is off. */
static void put_code(const struct spe_machine *m, size_t at, const uint32_t *text, size_t size)
{
	char *to = (char *)m->ram + at;

	memcpy(to, text, size);
	__asm__ volatile("dc civac, %0\n\tdsb sy" : : "r"(to) : "memory");
}

int spe_machine_try(struct spe_machine *m, uint32_t instruction, uint64_t *result)
{
	/* KVM_RUN first ends the store of the run before: it skips an instruction. */
	const uint32_t tried[] = {
		0xd503201f,	/* nop */
		instruction,
		0xf9000022,	/* str	x2, [x1] */
	};
	static const uint32_t vector[] = {
		0xd5385202,	/* mrs	x2, esr_el1 */
		0xf9000422,	/* str	x2, [x1, #8] */
	};
	int ret;

	put_code(m, TRIED, tried, sizeof(tried));
	put_code(m, VECTOR_SAME_EL, vector, sizeof(vector));
	if (set_register_by_id(m, ARM64_SYS_REG(3, 0, 12, 0, 0), SPE_MACHINE_RAM + VECTORS) ||
	    set_register(m, CORE_REG(regs[2]), 0))
		return -errno;
	ret = run_at(m, SPE_MACHINE_RAM + TRIED);
	if (ret < 0)
		return ret;
	memcpy(result, m->run->mmio.data, sizeof(*result));
	return ret > 0;
}

void spe_machine_close(struct spe_machine *m)
{
	if (m->run)
		munmap(m->run, m->run_size);
	if (m->cpu >= 0)
		close(m->cpu);
	if (m->ram)
		munmap(m->ram, SPE_MACHINE_SIZE);
	if (m->vm >= 0)
		close(m->vm);
	if (m->kvm >= 0)
		close(m->kvm);
	*m = SPE_NO_MACHINE;
}
