// SPDX-License-Identifier: GPL-2.0-only
#include "export/profiles/profiles.h"

#ifdef HAVE_PROTOBUF_C

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "export/format/format.h"
#include "util/util.h"

struct proto_file {
	FILE *to;		/* the writer's, whose errors are told there */
	bool compressed;
#ifdef HAVE_ZLIB
	z_stream gz;
	uint8_t out[1 << 14];
#endif
	uint8_t *bytes;		/* a packed message */
	size_t room;
};

struct proto_file *proto_begin(const struct writer *w, bool compressed)
{
	struct proto_file *f = xcalloc(1, sizeof(*f));

	f->to = w->to;
	f->compressed = compressed;
#ifdef HAVE_ZLIB
	/* 16 more than the size of the window: gzip */
	if (compressed && deflateInit2(&f->gz, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
#endif
	return f;
}

/* Compress the bytes, and with Z_FINISH what is left of those before. */
static void put(struct proto_file *f, size_t len, int flush)
{
#ifdef HAVE_ZLIB
	if (f->compressed) {
		f->gz.next_in = f->bytes;
		f->gz.avail_in = (uInt)len;
		do {
			f->gz.next_out = f->out;
			f->gz.avail_out = sizeof(f->out);
			deflate(&f->gz, flush);
			fwrite_unlocked(f->out, 1, sizeof(f->out) - f->gz.avail_out, f->to);
		} while (!f->gz.avail_out);
		return;
	}
#endif
	(void)flush;
	fwrite_unlocked(f->bytes, 1, len, f->to);
}

void proto_put(struct proto_file *f, const ProtobufCMessage *message)
{
	size_t len = protobuf_c_message_get_packed_size(message);

	if (!len)
		return;
	if (len > f->room) {
		f->room = 2 * len;
		f->bytes = xrealloc(f->bytes, f->room);
	}
	protobuf_c_message_pack(message, f->bytes);
	put(f, len, 0);
}

void proto_end(struct proto_file *f)
{
#ifdef HAVE_ZLIB
	if (f->compressed) {
		put(f, 0, Z_FINISH);
		deflateEnd(&f->gz);
	}
#endif
	free(f->bytes);
	free(f);
}

#else

/* ISO C wants a declaration. */
extern int proto_file_unused;

#endif
