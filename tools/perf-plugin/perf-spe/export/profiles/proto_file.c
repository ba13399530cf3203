// SPDX-License-Identifier: GPL-2.0-only
#include "export/profiles/profiles.h"

#ifdef HAVE_PROTOBUF_C

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "export/format/format.h"
#include "util/util.h"

struct proto_file {
	FILE *plain;		/* the writer's */
#ifdef HAVE_ZLIB
	gzFile gz;		/* or NULL */
	int error;		/* errno of its first failure */
#endif
	uint8_t *bytes;		/* a packed message */
	size_t room;
	bool failed;
};

struct proto_file *proto_begin(const struct writer *w, bool compressed)
{
	struct proto_file *f = xcalloc(1, sizeof(*f));
	int fd;

	f->plain = w->to;
#ifdef HAVE_ZLIB
	if (!compressed)
		return f;
	fd = fcntl(w->out ? w->out->fd : STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	f->gz = fd < 0 ? NULL : gzdopen(fd, "wb");
	if (f->gz)
		return f;
	say("export: cannot compress %s: %s; choose another --format",
	    w->path ? w->path : "standard output", strerror(errno));
	if (fd >= 0)
		close(fd);
	free(f);
	return NULL;
#else
	return f;
#endif
}

static bool put(struct proto_file *f, size_t len)
{
#ifdef HAVE_ZLIB
	if (f->gz) {
		errno = 0;
		if (gzwrite(f->gz, f->bytes, (unsigned int)len) == (int)len)
			return true;
		f->error = errno;
		return false;
	}
#endif
	return fwrite_unlocked(f->bytes, 1, len, f->plain) == len;
}

void proto_put(struct proto_file *f, const ProtobufCMessage *message)
{
	size_t len = protobuf_c_message_get_packed_size(message);

	if (f->failed || !len)
		return;
	if (len > f->room) {
		f->room = 2 * len;
		f->bytes = xrealloc(f->bytes, f->room);
	}
	protobuf_c_message_pack(message, f->bytes);
	f->failed = !put(f, len);
}

/* Errors of the plain file are those of the writer's. */
int proto_end(struct proto_file *f, const struct writer *w)
{
	int rc = 0;

#ifdef HAVE_ZLIB
	errno = f->error;
	if (f->gz && (gzclose(f->gz) != Z_OK || f->failed)) {
		rc = -1;
		if (w->out)
			w->out->error = errno ? errno : EIO;
		else
			say("export: cannot write to standard output: %s; free space on its disk, or name a file with --output",
			    errno ? strerror(errno) : "the disk may be full");
	}
#else
	(void)w;
#endif
	free(f->bytes);
	free(f);
	return rc;
}

#else

/* ISO C wants a declaration. */
extern int proto_file_unused;

#endif
