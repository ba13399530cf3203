// SPDX-License-Identifier: GPL-2.0-only
/* MD5 and SHA-256: the examples of RFC 1321, A.5, and FIPS 180-2, B, and texts of two blocks' length. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "util/util.h"

static void check_md5(const char *text, const char *want)
{
	uint8_t sum[MD5_BYTES];
	char hex[2 * MD5_BYTES + 1];
	size_t i;

	md5(text, strlen(text), sum);
	for (i = 0; i < MD5_BYTES; i++)
		snprintf(hex + 2 * i, 3, "%02x", sum[i]);
	CHECK_STR(hex, want);
}

static void check_sha256(const char *text, const char *want)
{
	char hex[2 * SHA256_BYTES + 1];

	sha256(text, strlen(text), hex);
	CHECK_STR(hex, want);
}

static void md5_suite(void)
{
	check_md5("", "d41d8cd98f00b204e9800998ecf8427e");
	check_md5("a", "0cc175b9c0f1b6a831c399e269772661");
	check_md5("abc", "900150983cd24fb0d6963f7d28e17f72");
	check_md5("message digest", "f96b697d7cb7938d525a2f31aaf161d0");
	check_md5("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b");
	check_md5("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	      "d174ab98d277d9f5a5611c2c9f419d9f");
	check_md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890",
	      "57edf4a22be3c955ac49da2e2107b67a");
}

static void sha256_examples(void)
{
	check_sha256("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	check_sha256("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* By md5sum(1) and sha256sum(1): 55 bytes leave room for the length, 56 and 64 do not. */
static void borders(void)
{
	char text[129] = { 0 };
	static const struct { size_t len; const char *md5, *sha256; } known[] = {
		{ 55, "04364420e25c512fd958a70738aa8f72",
		  "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072" },
		{ 56, "668a72d5ba17f08e62dabcafad6db14b",
		  "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e" },
		{ 63, "7dc2ca208106a2f703567bdff99d8981",
		  "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2" },
		{ 64, "c1bb4f81d892b2d57947682aeb252456",
		  "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c" },
		{ 119, "ab347a5f68c8a443cfcddc633f12c24f",
		  "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c" },
		{ 120, "fb98667f98096de92620b64f46e1c5b5",
		  "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98" },
		{ 128, "d69cb61a6ee87200676eb0d4b90edbcb",
		  "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464" },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		memset(text, 0, sizeof(text));
		memset(text, 'x', known[i].len);
		check_md5(text, known[i].md5);
		check_sha256(text, known[i].sha256);
	}
}

const struct test_case digest_cases[] = {
	{ "md5: the test suite of RFC 1321", md5_suite },
	{ "sha256: the examples of FIPS 180-2", sha256_examples },
	{ "md5 and sha256: lengths at the borders of blocks", borders },
	{ 0 },
};
