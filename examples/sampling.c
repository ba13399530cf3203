// SPDX-License-Identifier: GPL-2.0-only
#include "sampling.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#define DEVICES		"/sys/bus/event_source/devices/"

/* In the order of the map of totals in sample.bpf.h */
enum { TOTAL_SAMPLES, TOTAL_DROPPED, TOTALS };

static volatile sig_atomic_t interrupted;

_Noreturn void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static _Noreturn void usage(const char *name, const char *what)
{
	fail("usage: %s [-c PERIOD] [-e TERMS] [-u] [-s SECONDS] [-n ROWS] -- COMMAND [ARGUMENT...]\n"
	     "%s\n"
	     "  -c PERIOD   take a sample every PERIOD operations (10000)\n"
	     "  -e TERMS    as in perf record -e spe_sample_0/TERMS/: load_filter=1,min_latency=100\n"
	     "  -u          sample no kernel code\n"
	     "  -s SECONDS  print a table every SECONDS (1); 0: only at the end\n"
	     "  -n ROWS     rows of a table (20); 0: all", name, what);
}

static uint64_t number(const char *text, const char *option)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value > INT32_MAX)
		fail("%s '%s' is not a number from 0 to %d", option, text, INT32_MAX);
	return value;
}

struct options read_options(int argc, char **argv, const char *what)
{
	struct options o = { .period = 10000, .seconds = 1, .rows = 20 };
	int option;

	while ((option = getopt(argc, argv, "+c:e:us:n:")) != -1) {
		switch (option) {
		case 'c':
			o.period = number(optarg, "-c");
			break;
		case 'e':
			o.terms = optarg;
			break;
		case 'u':
			o.user = true;
			break;
		case 's':
			o.seconds = (unsigned int)number(optarg, "-s");
			break;
		case 'n':
			o.rows = (unsigned int)number(optarg, "-n");
			break;
		default:
			usage(argv[0], what);
		}
	}
	o.command = argv + optind;
	if (!*o.command || !o.period)
		usage(argv[0], what);
	return o;
}

/* Reads the first line of a file of a PMU.  Returns false if there is none. */
static bool read_line(const char *device, const char *name, char *line, size_t size)
{
	char path[512];
	FILE *file;
	bool ok;

	snprintf(path, sizeof(path), "%s/%s", device, name);
	file = fopen(path, "r");
	ok = file && fgets(line, (int)size, file);
	if (file)
		fclose(file);
	if (ok)
		line[strcspn(line, "\n")] = '\0';
	return ok;
}

/* Sets an attribute of the PMU, whose file says where it is: "config1:0-63". */
static void set_term(struct perf_event_attr *attr, const char *device, const char *name,
		     uint64_t value)
{
	char path[128], line[128];
	unsigned int word = 0, low, high;
	__u64 *words[] = { &attr->config, &attr->config1, &attr->config2 };

	snprintf(path, sizeof(path), "format/%s", name);
	if (!read_line(device, path, line, sizeof(line)))
		fail("%s has no attribute '%s': %s/format lists them", strrchr(device, '/') + 1, name,
		     device);
	if (sscanf(line, "config:%u-%u", &low, &high) < 1 &&
	    sscanf(line, "config%u:%u-%u", &word, &low, &high) < 2)
		fail("cannot read %s/%s: '%s'", device, path, line);
	if (!strchr(line, '-'))
		high = low;
	if (word > 2 || low > high || high > 63)
		fail("cannot set '%s': it is in '%s', which this program does not know", name, line);
	if (high - low < 63 && value >> (high - low + 1))
		fail("%s=%" PRIu64 " is too large: the attribute has %u bits", name, value,
		     high - low + 1);
	*words[word] |= value << low;
}

static void set_terms(struct perf_event_attr *attr, const char *device, const char *terms)
{
	char *copy = strdup(terms), *rest = copy, *term;

	while ((term = strsep(&rest, ","))) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		set_term(attr, device, term, value ? number(value, term) : 1);
	}
	free(copy);
}

static void open_event(struct sampling *s, struct bpf_program *program,
		       struct perf_event_attr *attr, const char *device, int cpu)
{
	struct event *event;

	s->events = realloc(s->events, (s->count + 1) * sizeof(*s->events));
	if (!s->events)
		fail("no memory for the events");
	event = &s->events[s->count++];
	event->fd = (int)syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (event->fd < 0)
		fail("cannot open an event of %s on CPU %d: %s%s", strrchr(device, '/') + 1, cpu,
		     strerror(errno), errno == EBUSY ? "; another event of SPE is open there" :
		     errno == EACCES ? "; run this as root" : "");
	/* This also enables the event. */
	event->link = bpf_program__attach_perf_event(program, event->fd);
	if (!event->link)
		fail("cannot attach the BPF program to the event on CPU %d: %s", cpu,
		     strerror(errno));
}

/* Opens the events of one PMU, on the CPUs that it has: "0-3,6". */
static void open_pmu(struct sampling *s, struct bpf_program *program,
		     const struct options *options, const char *device)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.sample_period = options->period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_STRUCT |
			       PERF_SAMPLE_DATA_SRC,
		.disabled = 1,
		.exclude_kernel = options->user,
		.exclude_hv = options->user,
	};
	char line[4096], *at = line;

	if (!read_line(device, "type", line, sizeof(line)))
		fail("cannot read %s/type", device);
	attr.type = (uint32_t)number(line, "type");
	if (options->terms)
		set_terms(&attr, device, options->terms);
	if (!read_line(device, "cpumask", line, sizeof(line)))
		fail("cannot read %s/cpumask", device);
	while (*at) {
		int first = (int)strtol(at, &at, 10), last = first;

		if (*at == '-')
			last = (int)strtol(at + 1, &at, 10);
		for (; first <= last; first++)
			open_event(s, program, &attr, device, first);
		if (*at++ != ',')
			break;
	}
}

static void open_all(struct sampling *s, const struct options *options)
{
	struct bpf_program *program = bpf_object__next_program(s->object, NULL);
	glob_t found;

	if (glob(DEVICES "spe_sample_*", 0, NULL, &found))
		fail("this machine has no PMU spe_sample: load this project's driver; perf spe doctor tells more");
	for (size_t i = 0; i < found.gl_pathc; i++)
		open_pmu(s, program, options, found.gl_pathv[i]);
	globfree(&found);
}

static void close_all(struct sampling *s)
{
	for (size_t i = 0; i < s->count; i++) {
		bpf_link__destroy(s->events[i].link);
		close(s->events[i].fd);
	}
	free(s->events);
	bpf_object__close(s->object);
}

/* The last records become samples now. */
static void disable_all(const struct sampling *s)
{
	for (size_t i = 0; i < s->count; i++)
		ioctl(s->events[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

/* Starts the command, which waits until a byte comes or the pipe is closed. */
static pid_t start(char **command, int *gate)
{
	int ends[2];
	pid_t pid;
	char go;

	if (pipe(ends) || (pid = fork()) < 0)
		fail("cannot start '%s': %s", *command, strerror(errno));
	if (!pid) {
		close(ends[1]);
		if (read(ends[0], &go, 1) != 1)
			_exit(2);
		close(ends[0]);
		execvp(*command, command);
		fprintf(stderr, "cannot start '%s': %s\n", *command, strerror(errno));
		_exit(127);
	}
	close(ends[0]);
	*gate = ends[1];
	return pid;
}

static void interrupt(int signal)
{
	interrupted = signal;
}

int sample_command(const struct options *options, const char *what, const char *object, size_t size,
		   void (*print)(const struct sampling *, const struct options *, bool last))
{
	LIBBPF_OPTS(bpf_object_open_opts, named, .object_name = what);
	struct sampling s = { .object = bpf_object__open_mem(object, size, &named) };
	const struct timespec tick = { .tv_nsec = 100000000 };
	unsigned int ticks = 0;
	int gate, status = 0;
	pid_t pid;

	if (!s.object)
		fail("cannot read the BPF program: %s", strerror(errno));
	if (bpf_object__load(s.object))
		fail("the kernel refuses the BPF program: %s; it takes root, and Linux 6.2 or newer with CONFIG_BPF_EVENTS and CONFIG_DEBUG_INFO_BTF",
		     strerror(errno));
	signal(SIGINT, interrupt);
	signal(SIGPIPE, SIG_IGN);
	pid = start(options->command, &gate);
	open_all(&s, options);
	if (write(gate, "", 1) != 1)
		fail("cannot start '%s'", *options->command);
	close(gate);
	while (!waitpid(pid, &status, WNOHANG) && !interrupted) {
		nanosleep(&tick, NULL);
		if (options->seconds && ++ticks % (options->seconds * 10) == 0)
			print(&s, options, false);
	}
	disable_all(&s);
	print(&s, options, true);
	close_all(&s);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void each_element(const struct sampling *sampling, const char *map, size_t key_size,
		  void (*visit)(const void *key, const struct sum *sum, void *data), void *data)
{
	int fd = bpf_object__find_map_fd_by_name(sampling->object, map);
	char keys[2][32], *key = keys[0], *before = NULL;
	struct sum sum;

	if (fd < 0 || key_size > sizeof(keys[0]))
		fail("the BPF program has no map '%s'", map);
	while (!bpf_map_get_next_key(fd, before, key)) {
		if (!bpf_map_lookup_elem(fd, key, &sum))
			visit(key, &sum, data);
		before = key;
		key = key == keys[0] ? keys[1] : keys[0];
	}
}

void print_totals(const struct sampling *sampling)
{
	int fd = bpf_object__find_map_fd_by_name(sampling->object, "totals");
	uint64_t totals[TOTALS] = { 0 };

	for (uint32_t i = 0; i < TOTALS; i++)
		bpf_map_lookup_elem(fd, &i, &totals[i]);
	printf("# %" PRIu64 " samples\n", totals[TOTAL_SAMPLES]);
	if (totals[TOTAL_DROPPED])
		printf("# %" PRIu64 " not in the tables: a table of the BPF program is full (%d rows)\n",
		       totals[TOTAL_DROPPED], ENTRIES);
}
