// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ranges of kernel addresses.  Each number below is worked out by hand from the macros of
 * arch/arm64/include/asm/memory.h of the named version of Linux.
 */
#include "symbols/kernel/kernel.h"
#include "test.h"

static enum kernel_range range(uint64_t text, uint64_t page, const char *release,
			       uint64_t address)
{
	struct kernel_layout l;

	kernel_layout_init(&l, text, page, release);
	return kernel_layout_find(&l, address);
}

/* 6.1, 48 bits, 4 KiB: VMEMMAP_START = -(1 << (48 - 6)), FIXADDR_TOP 32 MiB below */
static void linux_6_1(void)
{
	static const struct {
		uint64_t address;
		enum kernel_range want;
	} rows[] = {
		{ 0xffeffffffffff000, KERNEL_UNKNOWN },
		{ 0xffff000000000000, KERNEL_LINEAR },
		{ 0xffff7fffffffffff, KERNEL_LINEAR },
		{ 0xffff800000000000, KERNEL_VMALLOC },
		{ 0xfffffbffefffffff, KERNEL_VMALLOC },
		{ 0xfffffbfff0000000, KERNEL_UNKNOWN },
		{ 0xfffffbfffdffffff, KERNEL_FIXMAP },
		{ 0xfffffbfffe000000, KERNEL_UNKNOWN },
		{ 0xfffffbfffe800000, KERNEL_PCI_IO },
		{ 0xfffffbffff7fffff, KERNEL_PCI_IO },
		{ 0xfffffbffff800000, KERNEL_UNKNOWN },
		{ 0xfffffc0000000000, KERNEL_VMEMMAP },
		{ 0xfffffdffffffffff, KERNEL_VMEMMAP },
		{ 0xfffffe0000000000, KERNEL_UNKNOWN },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CHECK_EQ(range(0xffff800008000000, 4096, "6.1.0-56-arm64",
			       rows[i].address), rows[i].want);
}

/*
 * 6.12, 48 or 52 bits, 4 KiB: VMEMMAP_END = -1 GiB.  With 48 bits VMEMMAP_SIZE is 2^41 and
 * with 52 bits 2^46 - 2^41; what both agree on is known.
 */
static void linux_6_12(void)
{
	const uint64_t text = 0xffffd41f6e800000, page = 4096;
	const char *release = "6.12.117+deb12-arm64";

	CHECK_EQ(range(text, page, release, 0xfff0000000000000), KERNEL_LINEAR);
	CHECK_EQ(range(text, page, release, 0xffff800080000000), KERNEL_VMALLOC);
	CHECK_EQ(range(text, page, release, 0xffffc1ffbf7fffff), KERNEL_VMALLOC);
	CHECK_EQ(range(text, page, release, 0xffffc1ffbf800000), KERNEL_UNKNOWN);
	CHECK_EQ(range(text, page, release, 0xfffffdffbfffffff), KERNEL_UNKNOWN);
	CHECK_EQ(range(text, page, release, 0xfffffdffc0000000), KERNEL_VMEMMAP);
	CHECK_EQ(range(text, page, release, 0xffffffffbfffffff), KERNEL_VMEMMAP);
	CHECK_EQ(range(text, page, release, 0xffffffffc0800000), KERNEL_PCI_IO);
	CHECK_EQ(range(text, page, release, 0xffffffffff7fffff), KERNEL_FIXMAP);
	CHECK_EQ(range(text, page, release, 0xffffffffff800000), KERNEL_UNKNOWN);
}

/* 5.10, 39 bits, 4 KiB: VMEMMAP_START = -2^32 - 2 MiB, PCI I/O 18 MiB below */
static void linux_5_10(void)
{
	const uint64_t text = 0xffffffc010000000, page = 4096;

	CHECK_EQ(range(text, page, "5.10.0", 0xffffffc000000000), KERNEL_VMALLOC);
	CHECK_EQ(range(text, page, "5.10.0", 0xffffffbfffffffff), KERNEL_LINEAR);
	CHECK_EQ(range(text, page, "5.10.0", 0xfffffffeffe00000), KERNEL_VMEMMAP);
	CHECK_EQ(range(text, page, "5.10.0", 0xfffffffefec00000), KERNEL_PCI_IO);
	CHECK_EQ(range(text, page, "5.10.0", 0xfffffffefe9fffff), KERNEL_FIXMAP);
}

static void not_known(void)
{
	const uint64_t linear = 0xffff000000001000;

	CHECK_EQ(range(0, 4096, "6.12.0", linear), KERNEL_UNKNOWN);
	CHECK_EQ(range(0xffff800080000000, 4096, NULL, linear), KERNEL_UNKNOWN);
	/* Before 5.4 the halves were the other way round. */
	CHECK_EQ(range(0xffff800080000000, 4096, "4.19.0", linear), KERNEL_UNKNOWN);
	/* Red Hat's kernel has a layout of its own. */
	CHECK_EQ(range(0xffff800080000000, 4096, "5.14.0-503.el9.aarch64", linear),
		 KERNEL_UNKNOWN);
	/* 48 bits and random, or 47 bits: only the page's size would tell. */
	CHECK_EQ(range(0xffffd41f6e800000, 0, "6.12.0", linear), KERNEL_UNKNOWN);
	CHECK_EQ(range(0xffffd41f6e800000, 16384, "6.12.0", linear), KERNEL_UNKNOWN);
	CHECK_EQ(range(0xffff800080000000, 0, "6.12.0", linear), KERNEL_LINEAR);
}

const struct test_case kernel_layout_cases[] = {
	{ "kernel layout: Linux 6.1, 48 bits", linux_6_1 },
	{ "kernel layout: Linux 6.12, 48 or 52 bits", linux_6_12 },
	{ "kernel layout: Linux 5.10, 39 bits", linux_5_10 },
	{ "kernel layout: what is not known has no name", not_known },
	{ 0 },
};
