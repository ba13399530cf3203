// SPDX-License-Identifier: GPL-2.0-only
#include "armspe.h"
#include "input/input.h"
#include "util/util.h"

struct armspe_decoder *decoder_new(void)
{
	size_t size = armspe_decoder_size();

	return armspe_decoder_init(xapart(size), size);
}
