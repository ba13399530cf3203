// SPDX-License-Identifier: GPL-2.0-only
/* Parse any text as a filter expression, and evaluate it if it is valid. */
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/rows.h"
#include "input/input.h"
#include "util/util.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const struct piece piece = { .cpu = NO_ID, .tid = NO_ID };
	static const struct armspe_record rec = {
		.valid = ARMSPE_HAS_OP | ARMSPE_HAS_EVENTS, .events = 6,
		.addr_valid = 5, .counter_valid = 1, .op_class = 1,
	};
	static const struct place place = { .object = RESOLVE_UNKNOWN };
	struct row row = {
		.rec = &rec, .piece = &piece, .owner = OWNER_UNKNOWN, .place = &place,
	};
	char *text = xstrndup((const char *)bytes, len);
	struct filter *f = filter_parse("fuzz", text), *not_f;
	char *not_text = xformat("not (%s)", text);

	armspe_op_decode(1, 0, &row.op);
	/* With one more bracket it may be too deep. */
	not_f = f ? filter_parse("fuzz", not_text) : NULL;
	if (not_f && filter_match(f, &row) == filter_match(not_f, &row))
		abort();
	filter_free(f);
	filter_free(not_f);
	free(not_text);
	free(text);
	return 0;
}
