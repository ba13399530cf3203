// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/agent.h"

#define NAME	"perf_spe_"

static void head(FILE *to, const char *name, const char *type, const char *help)
{
	fprintf(to, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void number(FILE *to, const char *name, const char *type, const char *help, double value)
{
	head(to, name, type, help);
	fprintf(to, "%s %.17g\n", name, value);
}

/* The value of a label, in the syntax of the format */
static void put_label(FILE *to, const char *text)
{
	for (; *text; text++)
		if (*text == '\\' || *text == '"')
			fprintf(to, "\\%c", *text);
		else if (*text == '\n')
			fputs("\\n", to);
		else
			putc(*text, to);
}

static void histograms(FILE *to, const struct window_result *r)
{
	static const char name[] = NAME "latency_cycles";
	size_t i;

	head(to, name, "histogram", "Total latency of sampled operations, by the source of their data.");
	for (i = 0; i < r->nr_sources; i++) {
		const struct source_samples *s = &r->sources[i];
		uint64_t below = 0;
		unsigned int k;

		for (k = 0; k < LATENCIES; k++) {
			below += s->latencies.count[k];
			fprintf(to, "%s_bucket{source=\"", name);
			put_label(to, s->name);
			fprintf(to, "\",le=\"%" PRIu64 "\"} %" PRIu64 "\n", (UINT64_C(1) << k) - 1, below);
		}
		fprintf(to, "%s_bucket{source=\"", name);
		put_label(to, s->name);
		fprintf(to, "\",le=\"+Inf\"} %" PRIu64 "\n%s_sum{source=\"", below, name);
		put_label(to, s->name);
		fprintf(to, "\"} %" PRIu64 "\n%s_count{source=\"", s->latencies.cycles, name);
		put_label(to, s->name);
		fprintf(to, "\"} %" PRIu64 "\n", below);
	}
	head(to, NAME "samples_total", "counter", "Samples, by the source of their data.");
	for (i = 0; i < r->nr_sources; i++) {
		fputs(NAME "samples_total{source=\"", to);
		put_label(to, r->sources[i].name);
		fprintf(to, "\"} %" PRIu64 "\n", r->sources[i].samples);
	}
}

/* One metric for each counter, with a label for the PMU; times in seconds, as Prometheus wants them */
static void driver(FILE *to, const char *root)
{
	size_t nr, i, k, count[16];
	struct pmu *pmus = pmus_find(root, &nr);
	struct counter *of[16];

	nr = nr < 16 ? nr : 16;
	for (i = 0; i < nr; i++)
		of[i] = counters_read(&pmus[i], &count[i]);
	/* All PMUs have the same driver. */
	for (k = 0; nr && k < count[0]; k++) {
		const char *name = of[0][k].name;
		size_t len = strlen(name);
		bool ns = len > 3 && !strcmp(name + len - 3, "_ns");
		char *metric;

		if (!of[0][k].readable || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != len)
			continue;
		metric = ns ? xformat("arm_spe_%.*s_seconds_total", (int)len - 3, name) :
			      xformat("arm_spe_%s_total", name);
		fprintf(to, "# HELP %s Counter %s of the driver.\n# TYPE %s counter\n", metric, name, metric);
		for (i = 0; i < nr; i++)
			if (k < count[i] && !strcmp(of[i][k].name, name) && of[i][k].readable)
				fprintf(to, "%s{pmu=\"%s\"} %.17g\n", metric, pmus[i].name,
					(double)of[i][k].value * (ns ? 1e-9 : 1));
		free(metric);
	}
	for (i = 0; i < nr; i++)
		counters_free(of[i], count[i]);
	pmus_free(pmus, nr);
}

char *metrics_text(const struct metrics *m, const struct agent_config *c, const struct budget *b,
		   const char *root, size_t *len)
{
	char *text;
	FILE *to = open_memstream(&text, len);
	struct spool_state spool;
	unsigned int i;

	if (!to)
		abort();
	histograms(to, &m->sum);
	head(to, NAME "lost_total", "counter",
	     "What was lost: AUX records with a flag, events of perf, bytes that are no records.");
	for (i = 0; i < NR_LOSSES; i++)
		fprintf(to, NAME "lost_total{why=\"%s\"} %" PRIu64 "\n", window_loss_name(i), m->sum.lost[i]);
	number(to, NAME "other_samples_total", "counter", "Samples beyond the setting rows of a window.",
	       (double)m->sum.other);
	head(to, NAME "windows_total", "counter",
	     "Windows: kept in the spool, not written, without an event of perf, or crashed.");
	fprintf(to, NAME "windows_total{result=\"kept\"} %" PRIu64 "\n", m->kept);
	fprintf(to, NAME "windows_total{result=\"not_written\"} %" PRIu64 "\n",
		m->windows - m->kept - m->failed - m->crashed);
	fprintf(to, NAME "windows_total{result=\"not_sampled\"} %" PRIu64 "\n", m->failed);
	fprintf(to, NAME "windows_total{result=\"crashed\"} %" PRIu64 "\n", m->crashed);
	number(to, NAME "windows_cut_total", "counter", "Windows that ended early because of their memory.",
	       (double)m->cut);
	number(to, NAME "cpu_seconds_total", "counter", "CPU time of the agent and its windows.", m->own);
	if (m->has_service)
		number(to, NAME "driver_seconds_total", "counter",
		       "CPU time of the driver during the windows.", m->service);
	number(to, NAME "cost_ratio", "gauge", "Share of the CPUs' time that the last round cost.", m->share);
	number(to, NAME "budget_ratio", "gauge", "Share of the CPUs' time that the agent may cost.", c->budget / 100);
	number(to, NAME "budget_changes_total", "counter", "Changes of period, window or time between windows for the budget.",
	       (double)m->changes);
	number(to, NAME "period_operations", "gauge", "Operations from one sample to the next.",
	       (double)b->period);
	number(to, NAME "window_seconds", "gauge", "Length of a window.", b->window);
	number(to, NAME "every_seconds", "gauge", "Time from the start of one window to the start of the next.", b->every);
	spool = spool_look(c->spool);
	number(to, NAME "spool_bytes", "gauge", "Bytes of all files in the spool.", (double)spool.bytes);
	number(to, NAME "spool_windows", "gauge", "Windows in the spool.", (double)spool.count[SPOOL_WINDOW]);
	number(to, NAME "spool_dropped_total", "counter", "Windows that were deleted to make room for newer ones.",
	       (double)m->sum.dropped);
	if (*c->otlp_url || *c->pprof_url || *c->parquet_to) {
		head(to, NAME "unsent_profiles", "gauge", "Profiles and Parquet files in the spool that wait for --send.");
		fprintf(to, NAME "unsent_profiles{format=\"otlp\"} %zu\n", spool.count[SPOOL_OTLP]);
		fprintf(to, NAME "unsent_profiles{format=\"pprof\"} %zu\n", spool.count[SPOOL_PPROF]);
		fprintf(to, NAME "unsent_profiles{format=\"parquet\"} %zu\n", spool.count[SPOOL_PARQUET]);
		number(to, NAME "refused_profiles", "gauge", "Profiles in the spool that their server does not take.",
		       (double)spool.refused);
		number(to, NAME "unsent_dropped_total", "counter",
		       "Profiles, and windows for Parquet files, that were deleted to make room before they were sent.",
		       (double)m->sum.dropped_unsent);
	}
	driver(to, root);
	fclose(to);
	return text;
}

bool metrics_write(const struct agent_config *c, const char *text, size_t len)
{
	struct output *o = output_begin("agent", c->metrics_file);

	if (!o)
		return false;
	fwrite(text, 1, len, o->to);
	return output_end(o, true);
}

/* Other machines cannot ask, as nothing here asks who they are. */
uint16_t metrics_port(const char *where)
{
	static const char *const hosts[] = { "127.0.0.1:", "[::1]:" };
	unsigned long port;
	char *end;
	size_t i;

	for (i = 0; i < 2; i++) {
		const char *text = where + strlen(hosts[i]);

		if (strncmp(where, hosts[i], strlen(hosts[i])) || *text < '0' || *text > '9')
			continue;
		port = strtoul(text, &end, 10);
		return *end || port > UINT16_MAX ? 0 : (uint16_t)port;
	}
	return 0;
}

static int listen_local(const char *where)
{
	struct sockaddr_in four = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	bool is_six = *where == '[';
	int fd, one = 1;

	four.sin_port = six.sin6_port = htons(metrics_port(where));
	fd = socket(is_six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (fd < 0 || (is_six ? bind(fd, (void *)&six, sizeof(six)) : bind(fd, (void *)&four, sizeof(four)))) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

static int listen_path(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct stat st;
	int fd;

	if (strlen(path) >= sizeof(at.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(at.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* An earlier agent has left it; another file or one that a program listens at stays, and bind() fails. */
	if (fd >= 0 && !lstat(path, &st) && S_ISSOCK(st.st_mode) && connect(fd, (void *)&at, sizeof(at)) < 0 &&
	    errno == ECONNREFUSED)
		unlink(path);
	if (fd >= 0 && bind(fd, (void *)&at, sizeof(at))) {
		/* A descriptor that is connected has another reason. */
		if (errno == EINVAL)
			errno = EADDRINUSE;
		close(fd);
		return -1;
	}
	return fd;
}

int metrics_listen(const struct agent_config *c)
{
	const char *where = c->metrics_listen;
	int fd = *where == '/' ? listen_path(where) : listen_local(where);

	if (fd >= 0 && !listen(fd, 8))
		return fd;
	if (errno)
		say("agent: metrics_listen = %s: %s; choose another one, or end the program that uses it", where,
		    strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

#define ANSWER_SECONDS	1

/* Whether the client is ready before @until; one that pauses is not waited for. */
static bool is_ready(int fd, short events, double until)
{
	struct pollfd p = { fd, events, 0 };

	return clock_seconds(CLOCK_MONOTONIC) < until && poll(&p, 1, 200) > 0;
}

/* The first line of a request, as far as it comes at once */
static size_t read_request(int fd, char *text, size_t size, double until)
{
	size_t len = 0;

	while (len + 1 < size && is_ready(fd, POLLIN, until)) {
		ssize_t n = recv(fd, text + len, size - 1 - len, MSG_DONTWAIT);

		if (n <= 0)
			break;
		len += (size_t)n;
		text[len] = '\0';
		if (strstr(text, "\r\n\r\n") || strstr(text, "\n\n"))
			break;
	}
	text[len] = '\0';
	return len;
}

static void put_all(int fd, const char *bytes, size_t len, double until)
{
	while (len && is_ready(fd, POLLOUT, until)) {
		ssize_t n = send(fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n <= 0)
			return;
		bytes += n;
		len -= (size_t)n;
	}
}

void metrics_answer(int listening, const char *text, size_t len)
{
	int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	const double until = clock_seconds(CLOCK_MONOTONIC) + ANSWER_SECONDS;
	char request[4096], *reply;
	bool known;

	if (fd < 0)
		return;
	read_request(fd, request, sizeof(request), until);
	known = !strncmp(request, "GET /metrics ", 13) || !strncmp(request, "GET / ", 6);
	reply = known ? xformat("HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: %zu\r\n\r\n", len) :
			xformat("HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n");
	put_all(fd, reply, strlen(reply), until);
	if (known)
		put_all(fd, text, len, until);
	free(reply);
	shutdown(fd, SHUT_WR);
	close(fd);
}
