// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that a command writes.  perf-spe writes to a temporary file in the same folder and renames
 * it when it is complete, so that a command which fails or is interrupted leaves what was there
 * before.  Devices, pipes and descriptors such as /dev/stdout are written directly.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/util.h"

/*
 * What a signal handler or exit() removes: the newest first, so files before their folders.  Parts
 * are never freed, because a handler may run in another thread at any time.
 */
struct part {
	struct part *next;		/* the one made before */
	char *path;
	bool folder;
	bool temporary;			/* perf-spe itself needs it, and only while it runs */
	volatile sig_atomic_t kept;	/* or removed */
};

static struct part *volatile parts;
static pid_t owner;			/* not a child that fork() made */

/* Files and folders that the command has read */
struct input {
	uint64_t device, inode, used;
};

static const struct hash_kind input_table = {
	HASH_SLOTS(struct input, used),
	.key = { HASH_NUMBER(struct input, device), HASH_NUMBER(struct input, inode) },
};

static struct hash_table inputs;
static pthread_mutex_t inputs_lock = PTHREAD_MUTEX_INITIALIZER;

void output_protect(int fd)
{
	struct input key = { .used = 1 };
	struct stat st;

	if (fstat(fd, &st) || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return;
	key.device = st.st_dev;
	key.inode = st.st_ino;
	pthread_mutex_lock(&inputs_lock);
	*(struct input *)hash_table_add(&inputs, &input_table, &key) = key;
	pthread_mutex_unlock(&inputs_lock);
}

static bool is_input(const struct stat *st)
{
	struct input key = { .device = st->st_dev, .inode = st->st_ino };
	bool found;

	pthread_mutex_lock(&inputs_lock);
	found = hash_table_find(&inputs, &input_table, &key);
	pthread_mutex_unlock(&inputs_lock);
	return found;
}

/* Whether the absolute path @target is an input, or in a folder that is one */
static bool replaces_input(const char *target)
{
	char *path = xformat("%s", target), *slash;
	bool found = false;
	struct stat st;

	found = !stat(path, &st) && is_input(&st);
	while (!found && (slash = strrchr(path, '/')) && slash > path) {
		*slash = '\0';
		found = !stat(path, &st) && is_input(&st);
	}
	free(path);
	return found;
}

/* Signals that end a process */
static const int deadly[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGXCPU,
	/* Without it write() fails with EFBIG, as on a full disk. */
	SIGXFSZ,
};

#define NR_DEADLY (sizeof(deadly) / sizeof(deadly[0]))

static struct sigaction before[NR_DEADLY];
static size_t nr_open;			/* the handlers are set while outputs are open */
/* A signal waits while files are created or get their names. */
static volatile sig_atomic_t holding, held;

/* Whether there were some.  Only async-signal-safe functions may be called here. */
static bool remove_parts(void)
{
	bool any = false;
	struct part *p;

	if (getpid() != owner)
		return false;
	for (p = parts; p; p = p->next)
		if (!p->kept) {
			any |= !p->temporary;
			if (unlink(p->path))
				rmdir(p->path);
		}
	return any;
}

void output_remove_parts(void)
{
	remove_parts();
}

/* If perf-spe died of the signal, perf would say that it was unable to run it. */
static void on_closed_pipe(int number)
{
	struct pollfd out = { .fd = STDOUT_FILENO };
	bool closed = poll(&out, 1, 0) == 1 && out.revents & POLLERR;

	(void)number;
	/* The reader of standard output has read enough; an incomplete file is of no use. */
	_exit(!remove_parts() && closed ? EXIT_OK : EXIT_INPUT);
}

void output_end_with_reader(void)
{
	struct sigaction action = { .sa_handler = on_closed_pipe };

	sigfillset(&action.sa_mask);
	sigaction(SIGPIPE, &action, NULL);
}

static void restore_signals(void)
{
	size_t i;

	for (i = 0; i < NR_DEADLY; i++)
		sigaction(deadly[i], &before[i], NULL);
}

static void on_signal(int number)
{
	int saved = errno;

	if (holding) {
		held = number;
	} else {
		output_remove_parts();
		restore_signals();
		raise(number);
	}
	errno = saved;
}

static void hold(void)
{
	holding = 1;
}

static void release(void)
{
	int number = held;

	holding = held = 0;
	if (number)
		raise(number);
}

static void watch_exit(void)
{
	if (!owner)
		atexit(output_remove_parts);
	owner = getpid();
}

static void watch_signals(void)
{
	struct sigaction action = { .sa_flags = SA_RESTART };
	size_t i;

	watch_exit();
	if (nr_open++)
		return;
	sigfillset(&action.sa_mask);
	for (i = 0; i < NR_DEADLY; i++) {
		sigaction(deadly[i], NULL, &before[i]);
		action.sa_handler = deadly[i] == SIGXFSZ ? SIG_IGN : on_signal;
		/* nohup(1) and shells ignore some of them for their children. */
		if (before[i].sa_handler != SIG_IGN)
			sigaction(deadly[i], &action, NULL);
	}
}

static void unwatch_signals(void)
{
	if (!--nr_open)
		restore_signals();
}

static struct part *part_add(char *path, bool folder)
{
	struct part *p = xcalloc(1, sizeof(*p));

	p->path = path;
	p->folder = folder;
	p->next = parts;
	parts = p;
	return p;
}

void output_temporary(const char *path, bool folder)
{
	static bool watching;

	if (!watching)
		watch_signals();
	watching = true;
	part_add(xformat("%s", path), folder)->temporary = true;
}

/* What to do about an error.  Some errors have the same remedy. */
static const char *remedy(int error)
{
	switch (error) {
	case ENOSPC:
	case EDQUOT:
		return "free space on its disk, or name another file";
	case EFBIG:
		return "raise the limit that 'ulimit -f' shows, or name another file";
	case EACCES:
	case EPERM:
		return "name a file that you may write, in a folder that you may write to";
	case EROFS:
		return "name a file on a disk that is not read-only";
	case ENOENT:
		return "create its folder, or name another file";
	default:
		return "name another file";
	}
}

static void say_error(const struct output *o, const char *what, int error)
{
	say("%s: cannot %s %s: %s; %s", o->verb, what, o->path, strerror(error), remedy(error));
}

static ssize_t put_bytes(void *cookie, const char *bytes, size_t len)
{
	struct output *o = cookie;
	size_t done = 0;
	ssize_t part;

	/* Both may be the same terminal or pipe. */
	if (!o->part)
		fflush(stdout);
	while (done < len && !o->error) {
		part = write(o->fd, bytes + done, len - done);
		if (part >= 0)
			done += (size_t)part;
		else if (errno != EINTR)
			o->error = errno;
	}
	return o->error ? 0 : (ssize_t)len;
}

/* The folder of @path, to be freed; NULL with errno set if there is none */
static char *real_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1) : xformat(".");
	char *real = realpath(folder, NULL);

	free(folder);
	return real;
}

/* What a symbolic link of the kernel in /proc/PID/fd leads to has no name. */
static bool in_proc(const char *folder)
{
	return !strncmp(folder, "/proc/", 6);
}

/*
 * The absolute path of the file that @path leads to through symbolic links, which need not exist.
 * *number is the descriptor if the path names one of this process's, or else -1.  NULL with errno
 * set if there is no such path.
 */
static char *follow(const char *path, int *number)
{
	char *at = xformat("%s", path), *own = xformat("/proc/%d/fd", getpid());
	char *found = NULL, text[PATH_MAX];
	int links;

	for (links = 0; at && links < 40; links++) {
		const char *name = strrchr(at, '/') ? strrchr(at, '/') + 1 : at;
		char *folder = real_folder(at), *next = NULL;
		ssize_t len = -1;

		if (folder && !*name) {
			errno = ENOENT;
		} else if (folder) {
			*number = strcmp(folder, own) ? -1 : atoi(name);
			if (!in_proc(folder))
				len = readlink(at, text, sizeof(text) - 1);
			if (len < 0)
				found = xformat("%s/%s", strcmp(folder, "/") ? folder : "", name);
			else if (*text == '/')
				next = xformat("%.*s", (int)len, text);
			else
				next = xformat("%s/%.*s", folder, (int)len, text);
		}
		free(folder);
		free(at);
		at = next;
	}
	if (at)
		errno = ELOOP;
	free(at);
	free(own);
	return found;
}

/* Give the file the owner, group and permissions of the one that it replaces. */
static void keep_mode(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;

	/* A user who is not in the group must not give its permissions to another one. */
	if (fchown(fd, old->st_uid, old->st_gid) && fchown(fd, (uid_t)-1, old->st_gid))
		mode &= ~(mode_t)070;
	fchmod(fd, mode);
}

/* Create the temporary file beside @target; false with errno set */
static bool create_part(struct output *o, const char *target, const struct stat *old)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	const char *name = strrchr(target, '/') + 1;
	char *path = NULL;
	uint64_t random;
	int tries = 0, error;

	hold();
	do {
		size_t i;

		free(path);
		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
			random = hash_mix((uint64_t)getpid() + (uint64_t)tries);
		path = xformat("%.*s.perf-spe-XXXXXXXX", (int)(name - target), target);
		for (i = strlen(path) - 8; path[i]; i++, random >>= 5)
			path[i] = letters[random & 31];
		/* The file that it replaces may be private. */
		o->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			     old ? 0600 : 0666);
	} while (o->fd < 0 && errno == EEXIST && tries++ < 100);
	if (o->fd >= 0) {
		o->part = part_add(path, false);
		o->part_path = path;
		if (old)
			keep_mode(o->fd, old);
	} else {
		error = errno;
		free(path);
		errno = error;
	}
	release();
	return o->part;
}

static bool refused;

bool output_refused(void)
{
	return refused;
}

static bool say_input(const struct output *o)
{
	refused = true;
	say("%s: cannot write %s: it is the input, or another file that is read; name another file",
	    o->verb, o->path);
	return false;
}

/*
 * No command writes a recording: such a name was meant as an input.  open_regular() is for inputs, which
 * no output may replace.  What waits in a pipe is not ours to read.
 */
static bool is_recording(const char *path)
{
	struct stat st;
	int fd = !stat(path, &st) && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	char magic[8];
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) && begins_recording(magic);

	if (fd >= 0)
		close(fd);
	return is;
}

bool output_named(const char *verb, const char *option, const char *path)
{
	if (output_is_standard(path) || !is_recording(path))
		return true;
	say("%s: cannot write %s: it is a recording, which would be lost; the name behind %s is that of the file to write; name the recording after it",
	    verb, path, option);
	return false;
}

static bool open_output(struct output *o)
{
	struct stat st;
	/* The kernel, and not follow(), decides whether the user may follow these links. */
	bool exists = !stat(o->path, &st);
	bool good = exists || errno == ENOENT;
	int number = -1;

	if (good && exists && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		good = false;
	}
	o->target = good ? follow(o->path, &number) : NULL;
	if (o->target && exists && (!S_ISREG(st.st_mode) || in_proc(o->target))) {
		free(o->target);
		o->target = NULL;
		if (S_ISREG(st.st_mode) && is_input(&st))
			return say_input(o);
		o->fd = number >= 0 ? fcntl(number, F_DUPFD_CLOEXEC, 0) :
				      open(o->path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
		good = o->fd >= 0;
	} else if (o->target) {
		if (replaces_input(o->target))
			return say_input(o);
		if (exists && is_recording(o->path)) {
			say("%s: cannot write %s: it is a recording, which would be lost; name another file, or remove it first",
			    o->verb, o->path);
			refused = true;
			return false;
		}
		good = (!exists || !faccessat(AT_FDCWD, o->target, W_OK, AT_EACCESS)) &&
		       create_part(o, o->target, exists ? &st : NULL);
	} else {
		good = false;
	}
	if (!good)
		say_error(o, "create", errno);
	return good;
}

static void output_free(struct output *o)
{
	unwatch_signals();
	free(o->target);
	free(o->path);
	free(o);
}

struct output *output_begin(const char *verb, const char *path)
{
	static const cookie_io_functions_t functions = { .write = put_bytes };
	struct output *o = xcalloc(1, sizeof(*o));

	o->verb = verb;
	o->path = xformat("%s", output_is_standard(path) ? "/dev/stdout" : path);
	o->fd = -1;
	watch_signals();
	if (!open_output(o)) {
		output_free(o);
		return NULL;
	}
	o->to = fopencookie(o, "w", functions);
	if (!o->to) {
		say_error(o, "create", errno);
		output_drop(o);
		return NULL;
	}
	setvbuf(o->to, o->buffer, _IOFBF, sizeof(o->buffer));
	return o;
}

bool output_close(struct output *o)
{
	bool bad = fflush(o->to) != 0;

	bad |= ferror(o->to) != 0;
	bad |= fclose(o->to) != 0;
	o->to = NULL;
	/* Network file systems report a full disk only now. */
	if (close(o->fd) && !o->error)
		o->error = errno;
	o->fd = -1;
	if (!bad && !o->error)
		return true;
	say_error(o, "write", o->error ? o->error : EIO);
	return false;
}

void output_drop(struct output *o)
{
	if (o->to)
		fclose(o->to);
	if (o->fd >= 0)
		close(o->fd);
	if (o->part && !o->part->kept) {
		unlink(o->part_path);
		o->part->kept = 1;
	}
	output_free(o);
}

/* An input that was opened since output_begin() counts too. */
static bool give_name(struct output *o)
{
	if (!o->part)
		return true;
	if (replaces_input(o->target))
		return say_input(o);
	if (!rename(o->part_path, o->target))
		return true;
	say_error(o, "create", errno);
	return false;
}

bool output_keep(struct output **all, size_t count)
{
	size_t i, named = 0;
	struct part *p;
	bool good;

	hold();
	while (named < count && give_name(all[named]))
		named++;
	good = named == count;
	for (i = 0; i < count; i++) {
		struct output *o = all[i];

		/* Of several files all are new. */
		if (!good && i < named && o->part && count > 1)
			unlink(o->target);
		if (i < named && o->part)
			o->part->kept = 1;
	}
	for (p = parts; p && good; p = p->next)
		if (p->folder && !p->temporary)
			p->kept = 1;
	release();
	for (i = 0; i < count; i++)
		output_drop(all[i]);
	return good;
}

bool output_folders(const char *verb, const char *path)
{
	char *at = xformat("%s", path), *slash = at;
	bool good = true;

	watch_exit();
	while (good && (slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (!mkdir(at, 0777)) {
			part_add(xformat("%s", at), true);
		} else if (errno != EEXIST) {
			say("%s: cannot create the folder of %s: %s; name another --output", verb,
			    path, strerror(errno));
			good = false;
		}
		*slash = '/';
	}
	free(at);
	return good;
}

bool output_end(struct output *o, bool good)
{
	if (good && output_close(o))
		return output_keep(&o, 1);
	output_drop(o);
	return false;
}
