// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints each object when the program tells of it, as "object ADDRESS SIZE TYPE", and each member
 * as "member OFFSET SIZE TYPE|NAME|OF".  The judge finds the calls in QEMU's log, in this order.
 */
#include "witness.h"

void witness_object(const volatile void *address, size_t size, const char *type, size_t count)
{
	printf("object %zx %zu %s", (size_t)address, size, type);
	if (count)
		printf("[%zu]", count);
	printf("\n");
}

void witness_forget(const volatile void *address)
{
	printf("forget %zx\n", (size_t)address);
}

void witness_member(const char *type, const char *member, size_t offset, size_t size,
		    const char *of)
{
	printf("member %zu %zu %s|%s|%s\n", offset, size, type, member, of);
}
