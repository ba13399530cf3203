// SPDX-License-Identifier: GPL-2.0-only
/*
 * The MADT that the machine provides to firmware.  Each GICC entry must name
 * the SPE overflow interrupt if there is an SPU, and 0 otherwise.
 */

#include "test.h"

#define FW_CFG_DATA	0x09020000ul
#define FW_CFG_SELECT	0x09020008ul
#define FILE_DIR	0x19

static uint8_t next_byte(void)
{
	return *(volatile uint8_t *)FW_CFG_DATA;
}

static void select(uint16_t key)
{
	*(volatile uint16_t *)FW_CFG_SELECT = __builtin_bswap16(key);
}

static uint64_t big_endian(int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | next_byte();
	return value;
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static uint8_t tables[1 << 18];

static uint32_t read_tables(void)
{
	uint32_t files, size = 0;
	uint16_t key = 0;
	char name[56];

	select(FILE_DIR);
	files = big_endian(4);
	for (uint32_t i = 0; i < files; i++) {
		uint32_t length = big_endian(4);
		uint16_t entry = big_endian(2);

		big_endian(2);
		for (int j = 0; j < 56; j++)
			name[j] = next_byte();
		if (same(name, "etc/acpi/tables")) {
			key = entry;
			size = length;
		}
	}
	if (!key || size > sizeof(tables))
		return 0;
	select(key);
	for (uint32_t i = 0; i < size; i++)
		tables[i] = next_byte();
	return size;
}

static uint32_t little_endian(const uint8_t *p, int bytes)
{
	uint32_t value = 0;

	while (bytes--)
		value = value << 8 | p[bytes];
	return value;
}

static const uint8_t *find(uint32_t size, const char *signature)
{
	for (uint32_t i = 0; i + 36 < size; i++) {
		if (tables[i] == signature[0] && tables[i + 1] == signature[1] &&
		    tables[i + 2] == signature[2] &&
		    tables[i + 3] == signature[3])
			return tables + i;
	}
	return NULL;
}

void test_main(uint64_t el)
{
	bool spe = read_reg("id_aa64dfr0_el1") >> 32 & 0xf;
	const uint8_t *madt = find(read_tables(), "APIC"), *p;
	unsigned int entries = 0, right = 0;

	(void)el;
	ok(madt, "the machine offers a MADT");
	if (!madt)
		return;
	ok_eq(madt[8], spe ? 5 : 4, "its revision");
	for (p = madt + 44; p < madt + little_endian(madt + 4, 4); p += p[1]) {
		if (p[0] != 0xb)
			continue;
		entries++;
		right += p[1] == 80 &&
			 little_endian(p + 78, 2) == (spe ? 21u : 0u);
	}
	ok_eq(entries, 2, "two PEs, two GICC entries");
	ok_eq(right, 2, spe ? "each names INTID 21" : "none names an interrupt");
}
