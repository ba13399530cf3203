// SPDX-License-Identifier: GPL-2.0-only
/* MD5: the test suite of RFC 1321, A.5, and a text of two blocks' length. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "util/util.h"

static void check(const char *text, const char *want)
{
	uint8_t sum[MD5_BYTES];
	char hex[2 * MD5_BYTES + 1];
	size_t i;

	md5(text, strlen(text), sum);
	for (i = 0; i < MD5_BYTES; i++)
		snprintf(hex + 2 * i, 3, "%02x", sum[i]);
	CHECK_STR(hex, want);
}

static void test_suite(void)
{
	check("", "d41d8cd98f00b204e9800998ecf8427e");
	check("a", "0cc175b9c0f1b6a831c399e269772661");
	check("abc", "900150983cd24fb0d6963f7d28e17f72");
	check("message digest", "f96b697d7cb7938d525a2f31aaf161d0");
	check("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b");
	check("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	      "d174ab98d277d9f5a5611c2c9f419d9f");
	check("12345678901234567890123456789012345678901234567890123456789012345678901234567890",
	      "57edf4a22be3c955ac49da2e2107b67a");
}

/* By md5sum(1): 55 bytes leave room for the length, 56 and 64 do not. */
static void borders(void)
{
	char text[129] = { 0 };
	static const struct { size_t len; const char *sum; } known[] = {
		{ 55, "04364420e25c512fd958a70738aa8f72" },
		{ 56, "668a72d5ba17f08e62dabcafad6db14b" },
		{ 63, "7dc2ca208106a2f703567bdff99d8981" },
		{ 64, "c1bb4f81d892b2d57947682aeb252456" },
		{ 119, "ab347a5f68c8a443cfcddc633f12c24f" },
		{ 120, "fb98667f98096de92620b64f46e1c5b5" },
		{ 128, "d69cb61a6ee87200676eb0d4b90edbcb" },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		memset(text, 0, sizeof(text));
		memset(text, 'x', known[i].len);
		check(text, known[i].sum);
	}
}

const struct test_case md5_cases[] = {
	{ "md5: the test suite of RFC 1321", test_suite },
	{ "md5: lengths at the borders of blocks", borders },
	{ 0 },
};
