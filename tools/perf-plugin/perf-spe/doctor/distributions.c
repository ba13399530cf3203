// SPDX-License-Identifier: GPL-2.0-only
/* Comments name the source for what a distribution's packages contain. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "util/util.h"

#define GRUB_ADD	"add {argument} to GRUB_CMDLINE_LINUX in /etc/default/grub, run update-grub, and restart"
#define GRUB_REMOVE	"remove {argument} from GRUB_CMDLINE_LINUX in /etc/default/grub, run update-grub, and restart"
#define GRUBBY_ADD	"run grubby --update-kernel=ALL --args={argument}, and restart"
#define GRUBBY_REMOVE	"run grubby --update-kernel=ALL --remove-args={argument}, and restart"
#define BUILD_IT	"install a kernel with CONFIG_ARM_SPE_PMU, or {build-it}"
#define BY_IMAGE	"the running system's files are read-only"
/* Both ways to get perf: none, and a newer one */
#define IN_CONTAINER	"run perf in a container with CAP_PERFMON", \
			"run a newer perf in a container with CAP_PERFMON"
#define DKMS_KEY	"/var/lib/dkms/mok.pub"

/* rpm-ostree(1); OpenShift builds modules with its driver-toolkit image. */
#define OSTREE										\
	{ "ostree", "a system of ostree images", BY_IMAGE ", and a new image replaces them",	\
	  "on OpenShift, build the module with the driver-toolkit image and load it by Kernel Module Management; else build an image with the package of the driver (rpm-ostree install), and restart", \
	  "run perf in a container with CAP_PERFMON (toolbox), or rpm-ostree install perf, and restart", \
	  "rpm-ostree upgrade, and restart",						\
	  "rpm-ostree kargs --append={argument}, and restart; on OpenShift, by kernelArguments of a MachineConfig", \
	  "rpm-ostree kargs --delete={argument}, and restart; on OpenShift, by kernelArguments of a MachineConfig", \
	  DKMS_KEY, false }

const struct distribution distribution_ostree = OSTREE;

/* Every Android has system/build.prop, which lists the properties of the build. */
const struct distribution distribution_android = {
	"android", "Android", "the device's kernel needs CONFIG_ARM_SPE_PMU",
	"build the device's kernel with CONFIG_ARM_SPE_PMU, or this project's module in that kernel's tree, and flash the image",
	"copy a perf for this kernel to the device: adb push perf /data/local/tmp, and put that folder into PATH",
	"copy a newer perf to the device by adb push",
	"add {argument} to the command line of the boot image, and flash it",
	"remove {argument} from the command line of the boot image, and flash it",
	DKMS_KEY, true };

/* Where a row stands for several distributions, their names are separated by blanks. */
static const struct row {
	const char *ids;		/* ID and ID_LIKE of os-release; NULL: any */
	const char *kernel;		/* how the kernel's release begins; NULL: any */
	struct distribution d;
} rows[] = {
	/*
	 * arm_spe_pmu.ko is in linux-modules-extra: aws-graviton-getting-started,
	 * perfrunbook/debug_hw_perf.md, and Arm's learning path spe-on-performix.
	 */
	{ "ubuntu", NULL,
	  { "ubuntu", "Ubuntu", "the package linux-modules-extra-{kernel} has it",
	    "apt-get install linux-modules-extra-{kernel}, then modprobe arm_spe_pmu",
	    "apt-get install linux-tools-{kernel}", "apt-get install linux-tools-{kernel}", GRUB_ADD, GRUB_REMOVE,
	    "/var/lib/shim-signed/mok/MOK.der", true } },
	/* CONFIG_ARM_SPE_PMU=m in Debian's arm64 kernels 6.1, 6.12 and 7.3 */
	{ "debian", NULL,
	  { "debian", "Debian", "Debian's packages linux-image-*-arm64 have it",
	    "apt-get install linux-image-arm64, restart with that kernel, then modprobe arm_spe_pmu",
	    "apt-get install linux-perf",
	    "apt-get install -t {codename}-backports linux-perf, or linux-perf of the release from which the kernel is", GRUB_ADD, GRUB_REMOVE, DKMS_KEY, true } },
	/*
	 * CONFIG_ARM_SPE_PMU=y in 6.1: aws-graviton-getting-started/pull/474.  Kernels of
	 * other series have packages named after it, as kernel6.12, perf6.12, perf6.18: public
	 * scripts for Amazon Linux 2023 install these names.
	 */
	{ "amzn", "6.1.",
	  { "amzn", "Amazon Linux", "Amazon Linux 2023 has it in its kernel 6.1",
	    "dnf upgrade kernel, and restart", "dnf install perf", "dnf upgrade perf", GRUBBY_ADD, GRUBBY_REMOVE,
	    DKMS_KEY, false } },
	{ "amzn", "6.",
	  { "amzn", "Amazon Linux", "a package of the kernel {series} can have it",
	    "dnf provides '*/{kernel}/*arm_spe_pmu.ko*' names the package with it: install that, then modprobe arm_spe_pmu; if there is none, {build-it}",
	    "dnf install perf{series}", "dnf swap perf perf{series}", GRUBBY_ADD, GRUBBY_REMOVE,
	    DKMS_KEY, false } },
	/* Amazon Linux 2 has Linux 4.14 to 5.15, and yum in place of dnf. */
	{ "amzn", NULL,
	  { "amzn", "Amazon Linux 2", "Amazon Linux 2023 has it in its kernel 6.1",
	    "use Amazon Linux 2023 on this machine; or {build-it}", "yum install perf", "yum update perf",
	    GRUBBY_ADD, GRUBBY_REMOVE, DKMS_KEY, false } },
	/*
	 * Systems with a read-only root and no compiler.  bottlerocket.dev: settings.boot.
	 * flatcar.org: building kernel modules in the developer container.
	 * cloud.google.com/kubernetes-engine/security/secure-modules-cos: "permits only
	 * Google-signed modules".
	 */
	{ "bottlerocket", NULL,
	  { "bottlerocket", "Bottlerocket", BY_IMAGE ", and its kernel loads only modules of its own image",
	    "use another AMI on this machine, for example Amazon Linux 2023, whose kernel 6.1 has the driver",
	    IN_CONTAINER,
	    "add {argument} to settings.boot.kernel-parameters (apiclient apply), and restart",
	    "remove {argument} from settings.boot.kernel-parameters (apiclient apply), and restart", DKMS_KEY, false } },
	{ "flatcar coreos", NULL,
	  { "flatcar", "Flatcar Container Linux", BY_IMAGE ", and it has no compiler",
	    "build the module in Flatcar's developer container for this release, and load it by insmod or a system extension",
	    IN_CONTAINER,
	    "add {argument} to linux_append in /oem/grub.cfg, and restart",
	    "remove {argument} from linux_append in /oem/grub.cfg, and restart", DKMS_KEY, false } },
	{ "cos", NULL,
	  { "cos", "Container-Optimized OS", BY_IMAGE ", and its kernel loads only modules that Google signed",
	    "use a node image of Ubuntu on this machine", IN_CONTAINER,
	    "use a node image of Ubuntu, and there add {argument} to the command line",
	    "use a node image of Ubuntu", DKMS_KEY, false } },
	/* Each build of Talos signs its modules with a key of its own: siderolabs/pkgs, kernel. */
	{ "talos", NULL,
	  { "talos", "Talos Linux", BY_IMAGE ", and its kernel loads only modules of its own build",
	    "build an image whose kernel has the driver (Talos' packages pkgs and imager), or use another distribution on this machine",
	    IN_CONTAINER,
	    "add {argument} to extraKernelArgs of the installation image, upgrade to that image, and restart",
	    "remove {argument} from extraKernelArgs of the installation image, upgrade to that image, and restart",
	    DKMS_KEY, false } },
	{ "rhcos scos", NULL, OSTREE },
	/* CentOS Stream 10 has it as a module: Arm's learning path spe-on-performix. */
	{ "rhel fedora centos rocky almalinux ol openEuler kylin azurelinux mariner", NULL,
	  { "rhel", "Red Hat Enterprise Linux or a relative",
	    "a package of this kernel can have it",
	    "dnf provides '*/{kernel}/*arm_spe_pmu.ko*' names the package with it: install that, then modprobe arm_spe_pmu; if there is none, {build-it}",
	    "dnf install perf", "dnf upgrade perf", GRUBBY_ADD, GRUBBY_REMOVE, DKMS_KEY, false } },
	/* transactional-update(8): changes go into a new snapshot, which the next start uses. */
	{ "sl-micro sle-micro opensuse-microos opensuse-leap-micro", NULL,
	  { "suse", "SUSE Linux Micro or openSUSE MicroOS", "the package kernel-default can have it; kernel-default-base has only a part of its modules",
	    "transactional-update pkg install kernel-default (it replaces kernel-default-base), restart, then modprobe arm_spe_pmu; if that is installed, in transactional-update shell {build-it}",
	    "transactional-update pkg install perf, and restart", "transactional-update pkg update perf, and restart",
	    "add {argument} to GRUB_CMDLINE_LINUX in /etc/default/grub, run transactional-update grub.cfg, and restart",
	    "remove {argument} from GRUB_CMDLINE_LINUX in /etc/default/grub, run transactional-update grub.cfg, and restart",
	    DKMS_KEY, false } },
	/*
	 * "This package contains only the base modules": kernel-default-base.spec, which
	 * lists them, and drivers/perf is not among them (build.opensuse.org).
	 */
	{ "suse", NULL,
	  { "suse", "SUSE", "the package kernel-default can have it; kernel-default-base has only a part of its modules",
	    "zypper install kernel-default (it replaces kernel-default-base), restart, then modprobe arm_spe_pmu; if that is installed, {build-it}",
	    "zypper install perf", "zypper update perf",
	    "add {argument} to GRUB_CMDLINE_LINUX in /etc/default/grub, run grub2-mkconfig -o /boot/grub2/grub.cfg, and restart",
	    "remove {argument} from GRUB_CMDLINE_LINUX in /etc/default/grub, run grub2-mkconfig -o /boot/grub2/grub.cfg, and restart",
	    DKMS_KEY, false } },
	{ NULL, NULL,
	  { "unknown", "an unknown distribution", "it needs CONFIG_ARM_SPE_PMU",
	    BUILD_IT,
	    "install your distribution's package with perf",
	    "install your distribution's package with perf for this kernel",
	    "add {argument} to the kernel's command line, and restart",
	    "remove {argument} from the kernel's command line, and restart", DKMS_KEY, true } },
};

char *distribution_value(const char *text, const char *name)
{
	size_t len = strlen(name);

	while (text) {
		if (!strncmp(text, name, len) && text[len] == '=') {
			text += len + 1;
			text += *text == '"' || *text == '\'';
			return xstrndup(text, strcspn(text, "\"'\n"));
		}
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return NULL;
}

/* Whether one of the words in @list is one of those in @words */
static bool have_common(const char *list, const char *words)
{
	size_t len, at;

	for (; *list; list += len + (list[len] == ' ')) {
		len = strcspn(list, " ");
		for (at = 0; len && words[at]; at += strcspn(words + at, " "),
		     at += strspn(words + at, " "))
			if (strcspn(words + at, " ") == len &&
			    !strncmp(words + at, list, len))
				return true;
	}
	return false;
}

static bool fits(const struct row *row, const char *id, const char *kernel)
{
	return (!row->ids || (id && have_common(id, row->ids))) &&
	       (!row->kernel || !strncmp(kernel, row->kernel, strlen(row->kernel)));
}

static const struct row *find(const char *id, const char *kernel)
{
	const struct row *row = rows;

	while (!fits(row, id, kernel))
		row++;
	return row;
}

const struct distribution *distribution_find(const char *os_release, const char *kernel)
{
	char *id = distribution_value(os_release, "ID");
	char *like = distribution_value(os_release, "ID_LIKE");
	const struct row *row = find(id, kernel);

	/* Amazon Linux is like fedora, and Ubuntu like debian, so ID comes first. */
	if (!row->ids)
		row = find(like, kernel);
	free(id);
	free(like);
	return &row->d;
}
