// SPDX-License-Identifier: GPL-2.0-only
/* SHA-256: the examples of FIPS 180-2, B, and texts of two blocks' length. */
#include <string.h>

#include "test.h"
#include "util/util.h"

static void check(const char *text, const char *want)
{
	char hex[2 * SHA256_BYTES + 1];

	sha256(text, strlen(text), hex);
	CHECK_STR(hex, want);
}

static void examples(void)
{
	check("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	check("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* By sha256sum(1): 55 bytes leave room for the length, 56 and 64 do not. */
static void borders(void)
{
	char text[129] = { 0 };
	static const struct { size_t len; const char *sum; } known[] = {
		{ 55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072" },
		{ 56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e" },
		{ 63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2" },
		{ 64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c" },
		{ 119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c" },
		{ 120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98" },
		{ 128, "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464" },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		memset(text, 0, sizeof(text));
		memset(text, 'x', known[i].len);
		check(text, known[i].sum);
	}
}

const struct test_case sha256_cases[] = {
	{ "sha256: the examples of FIPS 180-2", examples },
	{ "sha256: lengths at the borders of blocks", borders },
	{ 0 },
};
