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
	FILE *plain;		/* or NULL */
#ifdef HAVE_ZLIB
	gzFile gz;		/* or NULL */
#endif
	uint8_t *bytes;		/* a packed message */
	size_t room;
	bool failed;
};

static bool open_on(struct proto_file *f, int fd, bool compressed)
{
#ifdef HAVE_ZLIB
	if (compressed) {
		f->gz = gzdopen(fd, "wb");
		return f->gz;
	}
#endif
	(void)compressed;
	f->plain = fdopen(fd, "w");
	return f->plain;
}

struct proto_file *proto_begin(const struct writer *w, bool compressed)
{
	struct proto_file *f = xcalloc(1, sizeof(*f));
	int fd = w->path ?
		open(w->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) :
		fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);

	if (fd >= 0 && open_on(f, fd, compressed))
		return f;
	say("export: cannot create %s: %s; name another file",
	    w->path ? w->path : "standard output", strerror(errno));
	if (fd >= 0)
		close(fd);
	free(f);
	return NULL;
}

static bool put(struct proto_file *f, size_t len)
{
#ifdef HAVE_ZLIB
	if (f->gz)
		return gzwrite(f->gz, f->bytes, (unsigned int)len) == (int)len;
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

int proto_end(struct proto_file *f, const struct writer *w)
{
	bool failed = f->failed;

#ifdef HAVE_ZLIB
	if (f->gz)
		failed |= gzclose(f->gz) != Z_OK;
#endif
	if (f->plain)
		failed |= fclose(f->plain) != 0;
	if (failed)
		say("export: cannot write %s: %s; free space on its disk, or name another file",
		    w->path ? w->path : "standard output",
		    errno ? strerror(errno) : "the disk may be full");
	free(f->bytes);
	free(f);
	return failed ? -1 : 0;
}

#else

/* ISO C wants a declaration. */
extern int proto_file_unused;

#endif
