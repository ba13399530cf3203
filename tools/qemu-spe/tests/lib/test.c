// SPDX-License-Identifier: GPL-2.0-only
/* Output, verdicts and exception handlers of the bare-metal tests. */

#include "test.h"

#define SYS_WRITE0	0x04
#define SYS_GET_CMDLINE	0x15
#define SYS_EXIT	0x18

static unsigned int cases, failures;

uint64_t trapped_esr;
int trapped_el;
bool trap_skips = true;
void (*trap_hook)(uint64_t esr, uint64_t elr);
static bool trap_armed;

int current_el(void)
{
	return read_reg("CurrentEL") >> 2;
}

static void print(const char *text)
{
	semihost(SYS_WRITE0, text);
}

static char *put_number(char *p, uint64_t value, unsigned int base)
{
	char digits[20];
	int n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (n)
		*p++ = digits[--n];
	*p = 0;
	return p;
}

void note(const char *text, uint64_t value)
{
	char number[24] = "0x";

	put_number(number + 2, value, 16);
	print("# ");
	print(text);
	print(" ");
	print(number);
	print("\n");
}

void say(const char *text)
{
	print("# ");
	print(text);
	print("\n");
}

void ok(bool passed, const char *name)
{
	char number[24];

	put_number(number, ++cases, 10);
	print(passed ? "ok " : "not ok ");
	print(number);
	print(" - ");
	print(name);
	print("\n");
	failures += !passed;
}

void ok_eq(uint64_t got, uint64_t want, const char *name)
{
	if (got != want) {
		note("got", got);
		note("want", want);
	}
	ok(got == want, name);
}

void test_exit(void)
{
	static uint64_t block[2] = { 0x20026 };
	char line[32] = "1..";

	put_number(line + 3, cases, 10);
	print(line);
	print("\n");
	block[1] = failures != 0;
	semihost(SYS_EXIT, block);
	for (;;)
		;
}

uint64_t machine_argument(void)
{
	static char line[256];
	static uint64_t block[2];
	uint64_t value = 0;
	char *p = line;

	block[0] = (uint64_t)line;
	block[1] = sizeof(line);
	if (semihost(SYS_GET_CMDLINE, block))
		return 0;
	while (*p)
		p++;
	while (p > line && p[-1] != ' ')
		p--;
	if (p[0] != '0' || p[1] != 'x')
		return 0;
	for (p += 2; *p; p++)
		value = value << 4 | (*p <= '9' ? *p - '0' : *p - 'a' + 10);
	return value;
}

int64_t psci_cpu_on(uint64_t mpidr, const void *entry, uint64_t sp)
{
	register uint64_t x0 asm("x0") = 0xc4000003;
	register uint64_t x1 asm("x1") = mpidr;
	register uint64_t x2 asm("x2") = (uint64_t)entry;
	register uint64_t x3 asm("x3") = sp;

	asm volatile("hvc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3)
		     : "memory");
	return x0;
}

void trap_arm(void)
{
	trapped_esr = 0;
	trapped_el = 0;
	trap_armed = true;
}

uint64_t trap_disarm(void)
{
	trap_armed = false;
	return trapped_esr;
}

void on_unexpected(uint64_t esr, uint64_t elr, uint64_t far)
{
	note("unexpected exception at EL", current_el());
	note("esr", esr);
	note("elr", elr);
	note("far", far);
	ok(false, "no unexpected exception");
	test_exit();
}

/*
 * Returns the address to continue at, or 0 if the lower level asks to return.
 */
uint64_t on_sync(uint64_t esr, uint64_t elr, uint64_t far)
{
	uint32_t ec = ESR_EC(esr);

	if ((ec == 0x15 || ec == 0x16) && (esr & 0xffff) == 1)
		return 0;
	if (!trap_armed)
		on_unexpected(esr, elr, far);
	trapped_esr = esr;
	trapped_el = current_el();
	if (trap_hook)
		trap_hook(esr, elr);
	/*
	 * After SVC and HVC, ELR already holds the next instruction's address.
	 */
	return trap_skips && ec != 0x15 && ec != 0x16 ? elr + 4 : elr;
}

__attribute__((weak)) void on_irq(void)
{
	on_unexpected(0, 0, 0);
}

/* The compiler may emit calls of these. */
void *memset(void *dest, int c, size_t n)
{
	char *p = dest;

	while (n--)
		*p++ = c;
	return dest;
}

void *memcpy(void *dest, const void *src, size_t n);
void *memcpy(void *dest, const void *src, size_t n)
{
	char *p = dest;
	const char *q = src;

	while (n--)
		*p++ = *q++;
	return dest;
}
