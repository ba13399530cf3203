// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each row of a cloud says what is documented about SPE there, with the source in a
 * comment.  Write nothing that the source does not say.
 */
#include <stddef.h>
#include <string.h>

#include "doctor/doctor.h"

/* How to tell a cloud's machines without a hypervisor from its virtual ones */
enum metal {
	METAL_NONE,			/* the cloud rents none with Arm CPUs */
	METAL_BY_PRODUCT,		/* the product's name has ".metal" */
	METAL_BY_LEVEL,			/* only there the kernel starts at EL2 */
	METAL_BY_VENDOR,		/* virtual machines have the vendor QEMU */
};

#define ID		"virtual-machine"
#define METAL_ONLY	"the hypervisor hides SPE from its virtual machines"

static const struct row {
	struct platform platform;
	/* Parts of the strings that must all be there; NULL: any */
	const char *vendor, *product, *asset_tag;
	enum metal metal;
} rows[] = {
	/*
	 * "SPE is enabled on Graviton 2, 3, and 4 metal instances":
	 * github.com/aws/aws-graviton-getting-started, perfrunbook/debug_hw_perf.md.
	 * "SPE is only available on metal instances": issues/415 there.
	 */
	{ { "ec2", "Amazon EC2",
	    { ID, "this is a virtual machine of Amazon EC2 ({product}), and EC2 gives SPE to metal instances only",
	      METAL_ONLY,
	      "record on a metal size of {family}; to list these sizes, run aws ec2 describe-instance-types --filters Name=bare-metal,Values=true 'Name=instance-type,Values={family}.*'" } },
	  "Amazon EC2", NULL, NULL, METAL_BY_PRODUCT },
	/*
	 * The asset tag is that of each Azure machine: cloud-init,
	 * cloudinit/sources/azure/identity.py.  No publication about SPE was found.
	 */
	{ { "azure", "Microsoft Azure",
	    { ID, "this is a virtual machine of Microsoft Azure, and it has no SPE",
	      "the hypervisor shows no SPE here, and we know of no Azure size with SPE",
	      "record on a machine without a hypervisor that has the same kind of CPU, for example a metal instance of another cloud" } },
	  "Microsoft Corporation", "Virtual Machine", "7783-7084-3265-9085-8269-3286-77",
	  METAL_NONE },
	/*
	 * "tested on Google Axion C4A metal instances and confirm SPE support":
	 * github.com/ArmDeveloperEcosystem/arm-learning-paths,
	 * servers-and-cloud-computing/spe-on-performix/how-to-4.md.
	 */
	{ { "google", "Google Cloud",
	    { ID, "this is a virtual machine of Google Cloud, and it has no SPE",
	      "the hypervisor shows no SPE here; Arm has tested SPE on metal machine types of C4A",
	      "record on a metal machine type of C4A, for example c4a-highmem-96-metal" } },
	  "Google", "Google Compute Engine", NULL, METAL_BY_LEVEL },
	/*
	 * The asset tag is that of each instance: cloud-init,
	 * cloudinit/sources/DataSourceOracle.py.  Virtual shapes run on KVM.  No
	 * publication about SPE was found.
	 */
	{ { "oracle", "Oracle Cloud",
	    { ID, "this is a virtual machine of Oracle Cloud, and KVM gives it no SPE",
	      "KVM gives SPE to no guest",
	      "record on a bare-metal shape with the same CPU, for example BM.Standard.A1.160" } },
	  NULL, NULL, "OracleCloud.com", METAL_BY_VENDOR },
};

/* Hypervisors outside of these clouds, by the vendor or product of systemd-detect-virt(1) */
#define GUEST(where) { ID, "this is a virtual machine (" where "), and it has no SPE",	\
	"its hypervisor shows no SPE to this guest",					\
	"record on the host, or on a machine without a hypervisor" }

static const struct platform kvm = { "kvm", "QEMU or KVM",
	{ ID, "this is a virtual machine (QEMU or KVM), and it has no SPE",
	  "KVM gives SPE to no guest",
	  "record on the host, or on a machine without a hypervisor" } };

static const struct row hypervisors[] = {
	{ { "hyperv", "Hyper-V", GUEST("Hyper-V") },
	  "Microsoft Corporation", "Virtual Machine", NULL, METAL_NONE },
	{ { "vmware", "VMware", GUEST("VMware") }, "VMware", NULL, NULL, METAL_NONE },
	{ { "apple", "Apple Virtualization", GUEST("Apple Virtualization") },
	  NULL, "Apple Virtualization", NULL, METAL_NONE },
	{ { "parallels", "Parallels", GUEST("Parallels") }, "Parallels", NULL, NULL, METAL_NONE },
	{ { "virtualbox", "VirtualBox", GUEST("VirtualBox") }, "innotek GmbH", NULL, NULL, METAL_NONE },
	{ { "xen", "Xen", GUEST("Xen") }, "Xen", NULL, NULL, METAL_NONE },
	{ { "openstack", "OpenStack", GUEST("OpenStack") }, "OpenStack", NULL, NULL, METAL_BY_LEVEL },
	/* Distributions of OpenStack have vendors of their own: cloud-init's tools/ds-identify. */
	{ { "openstack", "OpenStack", GUEST("OpenStack") }, NULL, "OpenStack", NULL, METAL_BY_LEVEL },
	{ { "alibaba", "Alibaba Cloud", GUEST("Alibaba Cloud") },
	  "Alibaba Cloud", NULL, NULL, METAL_BY_LEVEL },
	/* "Manufacturer: Tencent Cloud" of dmidecode: reinstall.sh of bin456789/reinstall */
	{ { "tencent", "Tencent Cloud", GUEST("Tencent Cloud") },
	  "Tencent Cloud", NULL, NULL, METAL_BY_LEVEL },
	/* sys_vendor and product_name: systemd's src/basic/virt.c */
	{ { "kubevirt", "KubeVirt", GUEST("KubeVirt") }, "KubeVirt", NULL, NULL, METAL_NONE },
	{ { "kubevirt", "KubeVirt", GUEST("KubeVirt") }, NULL, "KubeVirt", NULL, METAL_NONE },
	{ { "bhyve", "bhyve", GUEST("bhyve") }, NULL, "BHYVE", NULL, METAL_NONE },
	/* cloud-init's tools/ds-identify tells these clouds by the same strings. */
	{ { "huawei", "Huawei Cloud", GUEST("Huawei Cloud") }, NULL, NULL, "HUAWEICLOUD", METAL_BY_LEVEL },
	{ { "scaleway", "Scaleway", GUEST("Scaleway") }, "Scaleway", NULL, NULL, METAL_BY_LEVEL },
	{ { "upcloud", "UpCloud", GUEST("UpCloud") }, "UpCloud", NULL, NULL, METAL_NONE },
	{ { "hetzner", "Hetzner Cloud", GUEST("Hetzner Cloud") }, "Hetzner", "vServer", NULL, METAL_NONE },
};

static const struct platform unknown_hypervisor = { "hypervisor", "a hypervisor",
	{ ID, "this kernel was started at EL1, and it has no SPE",
	  "a hypervisor or the firmware keeps EL2, and shows no SPE to this kernel",
	  "record on the host, or on a machine without a hypervisor" } };

static bool fits(const struct row *row, const struct dmi *dmi)
{
	return (!row->vendor || strstr(dmi->vendor, row->vendor)) &&
	       (!row->product || strstr(dmi->product, row->product)) &&
	       (!row->asset_tag || strstr(dmi->asset_tag, row->asset_tag));
}

static bool is_metal(const struct row *row, const struct dmi *dmi, enum started started)
{
	switch (row->metal) {
	case METAL_BY_PRODUCT:
		return strstr(dmi->product, ".metal");
	case METAL_BY_LEVEL:
		return started == STARTED_EL2;
	case METAL_BY_VENDOR:
		return !strstr(dmi->vendor, "QEMU");
	default:
		return false;
	}
}

static const struct platform *find(const struct row *table, size_t count, const struct dmi *dmi,
				   enum started started, bool *is_virtual)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!fits(&table[i], dmi))
			continue;
		*is_virtual = !is_metal(&table[i], dmi, started);
		return &table[i].platform;
	}
	return NULL;
}

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

const struct platform *platform_find(const struct dmi *dmi, enum started started,
				     bool *is_virtual)
{
	const struct platform *p;

	*is_virtual = false;
	p = find(rows, COUNT(rows), dmi, started, is_virtual);
	if (!p)
		p = find(hypervisors, COUNT(hypervisors), dmi, started, is_virtual);
	if (!p && (strstr(dmi->vendor, "QEMU") || strstr(dmi->product, "KVM"))) {
		*is_virtual = true;
		p = &kvm;
	}
	return p;
}

static const struct platform wsl = { "wsl", "WSL", GUEST("WSL") };

static const struct platform gvisor = { "gvisor", "gVisor",
	{ ID, "this is a sandbox of gVisor, and it has no SPE",
	  "gVisor runs programs on a kernel of its own, which has no PMU",
	  "record on the host, or in a container without gVisor (runc)" } };

/*
 * Microsoft's kernel for WSL 2 has its name in the release: 6.6.87.2-microsoft-standard-WSL2
 * (WSL 1: 4.4.0-19041-Microsoft);
 * newer versions of gVisor have theirs: 4.19.0-gvisor.
 */
const struct platform *platform_of_kernel(const char *release)
{
	if (strstr(release, "gvisor"))
		return &gvisor;
	return strcasestr(release, "microsoft") ? &wsl : NULL;
}

/*
 * Linux prints the second line when KVM answers its SMCCC call (drivers/firmware/smccc).  The
 * first one is gVisor's; syzkaller's executor looks for it, too.
 */
const struct platform *platform_of_log(const char *log, enum started started)
{
	if (strstr(log, "Starting gVisor"))
		return &gvisor;
	if (strstr(log, "KVM: hypervisor services detected"))
		return &kvm;
	return started == STARTED_EL1 ? &unknown_hypervisor : NULL;
}

/*
 * The device tree of QEMU's machine virt (hw/arm/virt.c), which Firecracker and crosvm also
 * give their guests; Xen's name is in Documentation/ABI/stable/sysfs-hypervisor-xen.
 */
const struct platform *platform_of_board(const char *compatible, const char *hypervisor)
{
	size_t i;

	if (strstr(compatible, "linux,dummy-virt"))
		return &kvm;
	for (i = 0; *hypervisor && i < COUNT(hypervisors); i++)
		if (!strcmp(hypervisors[i].platform.id, hypervisor))
			return &hypervisors[i].platform;
	return NULL;
}
