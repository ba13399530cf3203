// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the windows of a fleet of machines whose load it draws from a seed, and the answer of each
 * question of perf spe fleet to them, which it adds up without SQL.
 *
 *   fleet-windows FOLDER SEED HOSTS HOURS WINDOWS SUMS
 *
 * WINDOWS is their number in an hour, SUMS that in a window.  FOLDER/windows/HOST/ gets the files,
 * each also under the name by which it waits for "agent --send" to make it Parquet;
 * FOLDER/QUESTION.csv gets the answers.  In the second half of the hours /usr/bin/prog is a newer
 * build, whose function 0 costs more and function 3 less.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BEGIN		1793491200ull	/* 2026-11-01, UTC */
#define HOSTS		1000u
#define FUNCTIONS	200u
#define KERNEL		150u		/* the first function of the kernel's */
#define PODS		20u
#define SOURCES		6u
#define NODES		2u

static const char *const sources[SOURCES] = { "l1d", "l2d", "dram", "remote-dram", "peer-core", "remote" };
static const unsigned int latency[SOURCES] = { 4, 12, 150, 300, 60, 250 };

struct total {
	uint64_t samples;
	double cost, weight;		/* cycles and samples, times the period */
	double misses;
	bool host[HOSTS];
};

/* A function in the windows of a build: sums of its cycles c and of all samples n, by window */
struct build {
	double c[KERNEL], cc[KERNEL], cn[KERNEL];
	double n, nn;
	uint64_t windows;
};

/* Of a NUMA node's CPUs, from all sources and from another socket */
struct loads {
	uint64_t samples;
	double weight, remote, remote_cost;
};

struct host {
	uint64_t windows, samples, least, most, other, cut, lost[5];
	struct loads loads[NODES + 1];		/* by node; of the last one the node is not known */
};

static struct total functions[FUNCTIONS + 1], shared[FUNCTIONS + 1], pods[PODS + 1], by_source[SOURCES];
static struct host of_host[HOSTS];
static struct build builds[2];
static double all;
static uint64_t state;
static unsigned int hosts, hours, windows, sums;
static const char *folder;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "fleet-windows: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Below @limit; xorshift64* */
static unsigned int draw(unsigned int limit)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned int)((state * 0x2545f4914f6cdd1dull >> 33) % limit);
}

static FILE *file_at(const char *format, ...)
{
	char path[4096];
	va_list args;
	FILE *f;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	f = fopen(path, "w");
	if (!f)
		die(path);
	return f;
}

static void add(struct total *t, unsigned int host, uint64_t samples, uint64_t cycles, double period)
{
	t->samples += samples;
	t->cost += (double)cycles * period;
	t->weight += (double)samples * period;
	t->host[host] = true;
}

struct window {
	unsigned int host;
	double period;
	bool newer;
	double n, c[KERNEL];		/* of /usr/bin/prog */
	uint64_t samples;
	char *text;
	FILE *to;
};

/* Source SOURCES: none was recorded. */
static void put_sum(struct window *w, unsigned int function, unsigned int source)
{
	const bool kernel = function >= KERNEL;
	const unsigned int pod = kernel ? PODS : (w->host + function) % PODS;
	const uint64_t samples = 1 + draw(1 + 400 / (1 + function));
	unsigned int mean = source < SOURCES ? latency[source] : 3;
	const unsigned int node = w->host % 5 ? draw(NODES) : NODES;
	struct loads *loads = &of_host[w->host].loads[node];
	uint64_t cycles;

	if (w->newer && (function == 0 || function == 3))
		mean = function ? mean - mean / 3 : mean * 3 / 2;
	cycles = samples * mean + draw(8);
	fprintf(w->to, "{\"samples\":%" PRIu64, samples);
	if (pod < PODS)
		fprintf(w->to, ",\"cgroup\":\"/kubepods/pod%04u/c%04u\",\"pod\":\"pod%04u\",\"container\":\"c%04u\"", pod, pod, pod, pod);
	fprintf(w->to, ",\"object\":\"%s\"", kernel ? "[kernel]" : "/usr/bin/prog");
	if (!kernel)
		fprintf(w->to, ",\"build_id\":\"%s\"", w->newer ? "bb" : "aa");
	fprintf(w->to, ",\"symbol\":\"%s%u\"", kernel ? "vfs_" : "work_", function);
	if (source < SOURCES)
		fprintf(w->to, ",\"source\":\"%s\"", sources[source]);
	if (node < NODES)
		fprintf(w->to, ",\"node\":%u", node);
	fprintf(w->to, ",\"events\":\"retired%s\",\"cycles\":%" PRIu64 ",\"latencies\":[0,0,%" PRIu64 "]}\n",
		source == 2 ? "|llc-miss" : "", cycles, samples);
	add(&functions[function], w->host, samples, cycles, w->period);
	add(&pods[pod], w->host, samples, cycles, w->period);
	pods[pod].misses += source == 2 ? (double)samples * w->period : 0;
	if (source < SOURCES) {
		add(&by_source[source], w->host, samples, cycles, w->period);
		loads->samples += samples;
		loads->weight += (double)samples * w->period;
	}
	if (source >= 4 && source < SOURCES)
		add(&shared[function], w->host, samples, cycles, w->period);
	if (source == 3 || source == 5) {
		loads->remote += (double)samples * w->period;
		loads->remote_cost += (double)cycles * w->period;
	}
	if (!kernel) {
		w->n += (double)samples * w->period;
		w->c[function] += (double)cycles * w->period;
	}
	all += (double)cycles * w->period;
	w->samples += samples;
}

/* The samples without a sum of their own */
static uint64_t put_other(struct window *w)
{
	const uint64_t samples = draw(3) ? 0 : 1 + draw(9);

	if (!samples)
		return 0;
	fprintf(w->to, "{\"samples\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"latencies\":[0,0,%" PRIu64 "]}\n", samples,
		3 * samples, samples);
	add(&functions[FUNCTIONS], w->host, samples, 3 * samples, w->period);
	add(&pods[PODS], w->host, samples, 3 * samples, w->period);
	all += (double)(3 * samples) * w->period;
	w->samples += samples;
	return samples;
}

static void end_builds(const struct window *w)
{
	struct build *b = &builds[w->newer];
	unsigned int f;

	if (w->n <= 0)
		return;
	b->windows++;
	b->n += w->n;
	b->nn += w->n * w->n;
	for (f = 0; f < KERNEL; f++) {
		b->c[f] += w->c[f];
		b->cc[f] += w->c[f] * w->c[f];
		b->cn[f] += w->c[f] * w->n;
	}
}

static void put_window(unsigned int host, unsigned int hour, unsigned int number)
{
	static const char *const losses[5] = { "truncated", "partial", "collision", "events", "damaged_bytes" };
	struct window w = { .host = host, .newer = hour >= hours / 2, .period = 4096 << draw(3) };
	const time_t begin = (time_t)(BEGIN + hour * 3600ull + number * (3600u / windows));
	char id[64], path[4096], link_path[4100];
	struct host *h = &of_host[host];
	const bool cut = !draw(10);
	uint64_t other, lost;
	size_t len;
	unsigned int i;
	struct tm tm;
	FILE *to;

	w.to = open_memstream(&w.text, &len);
	for (i = 0; i < sums; i++)
		put_sum(&w, (i * 7 + number) % FUNCTIONS, (i + number / 2) % (SOURCES + 1));
	other = put_other(&w);
	fclose(w.to);
	gmtime_r(&begin, &tm);
	strftime(id, sizeof(id), "%Y%m%dT%H%M%S", &tm);
	snprintf(id + strlen(id), sizeof(id) - strlen(id), ".000Z-%08x", host);
	snprintf(path, sizeof(path), "%s/windows/host%03u/spe-%s.jsonl", folder, host, id);
	to = file_at("%s", path);
	fprintf(to, "{\"format\":1,\"id\":\"%s\",\"host\":\"host%03u\",\"begin_ns\":%" PRIu64 ",\"seconds\":10.000000,"
		"\"cpus\":64,\"period\":%.0f,\"samples\":%" PRIu64 ",\"sums\":%u,\"other\":%" PRIu64 ",\"cut\":%s,\"kernel\":true",
		id, host, (uint64_t)begin * 1000000000, w.period, w.samples, sums, other, cut ? "true" : "false");
	for (i = 0; i < 5; i++) {
		lost = draw(4) ? 0 : draw(9);
		h->lost[i] += lost;
		fprintf(to, "%s\"%s\":%" PRIu64, i ? "," : ",\"lost\":{", losses[i], lost);
	}
	fputs("}}\n", to);
	fwrite(w.text, 1, len, to);
	free(w.text);
	if (fclose(to))
		die(path);
	snprintf(link_path, sizeof(link_path), "%s.new", path);
	if (link(path, link_path))
		die(link_path);
	end_builds(&w);
	h->windows++;
	h->samples += w.samples;
	h->other += other;
	h->cut += cut;
	h->least = !h->least || w.period < (double)h->least ? (uint64_t)w.period : h->least;
	h->most = w.period > (double)h->most ? (uint64_t)w.period : h->most;
}

/* An answer: its lines with what they are sorted by */
static struct line {
	double key;
	char text[512];
} *lines;
static size_t nr_lines;

static void __attribute__((format(printf, 2, 3))) line(double key, const char *format, ...)
{
	va_list args;

	lines = realloc(lines, (nr_lines + 1) * sizeof(*lines));
	if (!lines)
		die("memory");
	lines[nr_lines].key = key;
	va_start(args, format);
	vsnprintf(lines[nr_lines++].text, sizeof(lines->text), format, args);
	va_end(args);
}

static int by_key(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->key < y->key ? 1 : x->key > y->key ? -1 : strcmp(x->text, y->text);
}

static void answer(const char *question, const char *head)
{
	FILE *to = file_at("%s/%s.csv", folder, question);
	size_t i;

	qsort(lines, nr_lines, sizeof(*lines), by_key);
	fprintf(to, "%s\n", head);
	for (i = 0; i < nr_lines; i++)
		fprintf(to, "%s\n", lines[i].text);
	if (fclose(to))
		die(question);
	nr_lines = 0;
}

static unsigned int count_hosts(const struct total *t)
{
	unsigned int i, n = 0;

	for (i = 0; i < hosts; i++)
		n += t->host[i];
	return n;
}

static const char *name_of(unsigned int function)
{
	static char text[64];

	if (function == FUNCTIONS)
		return "(other),";
	snprintf(text, sizeof(text), "%s%u,%s", function < KERNEL ? "work_" : "vfs_", function,
		 function < KERNEL ? "/usr/bin/prog" : "[kernel]");
	return text;
}

static void answer_functions(void)
{
	const struct total *t;
	unsigned int f;

	for (f = 0, t = functions; f <= FUNCTIONS; f++, t++)
		if (t->samples)
			line(t->cost, "%s,%u,%" PRIu64 ",%.2f,%.1f", name_of(f), count_hosts(t), t->samples, 100 * t->cost / all,
			     t->cost / t->weight);
	answer("functions", "function,object,hosts,samples,cost_percent,mean");
	for (f = 0, t = shared; f <= FUNCTIONS; f++, t++)
		if (t->samples)
			line(t->weight, "%s,%u,%" PRIu64 ",%.1f", name_of(f), count_hosts(t), t->samples, t->cost / t->weight);
	answer("shared", "function,object,hosts,samples,mean");
}

static void answer_pods(void)
{
	const struct total *t;
	char name[64] = ",,";
	unsigned int i;

	for (i = 0, t = pods; i <= PODS; i++, t++) {
		if (i < PODS)
			snprintf(name, sizeof(name), "pod%04u,c%04u,/kubepods/pod%04u/c%04u", i, i, i, i);
		if (t->samples)
			line(t->cost, "%s,%u,%" PRIu64 ",%.2f,%.1f,%.2f", i < PODS ? name : ",,", count_hosts(t), t->samples,
			     100 * t->cost / all, t->cost / t->weight, 100 * t->misses / t->weight);
	}
	answer("pods", "pod,container,cgroup,hosts,samples,cost_percent,mean,llc_miss_percent");
	for (i = 0, t = by_source; i < SOURCES; i++, t++)
		if (t->samples)
			line(t->cost, "%s,%u,%" PRIu64 ",%.2f,%.1f", sources[i], count_hosts(t), t->samples, 100 * t->cost / all,
			     t->cost / t->weight);
	answer("sources", "source,hosts,samples,cost_percent,mean");
}

static void answer_hosts(void)
{
	const double every = 3600.0 / windows, length = 10.0;
	const struct host *h;
	unsigned int i;

	for (i = 0, h = of_host; i < hosts; i++, h++) {
		const double n = (double)h->windows;

		line(-(double)i, "host%03u,%" PRIu64 ",%.1f,%.2f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		     ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, i, h->windows, length * n, 100 * length * n /
		     (every * (n - 1) + length), h->samples, h->least, h->most, h->other, h->cut, h->lost[0], h->lost[1], h->lost[2],
		     h->lost[3], h->lost[4]);
	}
	answer("hosts", "host,windows,seconds,sampled_percent,samples,least_period,most_period,other,cut,"
	       "truncated,partial,collision,lost_events,damaged_bytes");
}

static void answer_remote(void)
{
	const struct loads *of;
	unsigned int i, node;
	char name[16], mean[32];

	for (i = 0; i < hosts; i++)
		for (node = 0, of = of_host[i].loads; node <= NODES; node++, of++) {
			if (!of->samples)
				continue;
			snprintf(name, sizeof(name), "%u", node);
			snprintf(mean, sizeof(mean), "%.1f", of->remote_cost / of->remote);
			/* The question sorts by what it prints. */
			line((double)(uint64_t)(10000 * of->remote / of->weight + 0.5), "host%03u,%s,%" PRIu64 ",%.2f,%s", i,
			     node < NODES ? name : "", of->samples, 100 * of->remote / of->weight, of->remote > 0 ? mean : "");
		}
	answer("remote", "host,node,loads,remote_percent,remote_mean");
}

/* The cost of a function in a build, and its variance: a ratio of sums over windows, and that of its residuals */
static double cost(const struct build *b, unsigned int f, double *variance)
{
	const double r = b->c[f] / b->n, k = (double)b->windows;

	*variance = (b->cc[f] - 2 * r * b->cn[f] + r * r * b->nn) * k / (k - 1) / (b->n * b->n);
	return r;
}

static void answer_builds(void)
{
	double v, w, before, after, z2;
	unsigned int f;

	for (f = 0; f < KERNEL; f++) {
		if (builds[0].c[f] <= 0 && builds[1].c[f] <= 0)
			continue;
		before = cost(&builds[0], f, &v);
		after = cost(&builds[1], f, &w);
		z2 = (after - before) * (after - before) / (v + w);
		line(after - before, "work_%u,/usr/bin/prog,bb,aa,%.3f,%.3f,%.1f,%" PRIu64 ",%" PRIu64 ",%.1f,%s", f, before, after,
		     100 * (after - before) / before, builds[0].windows, builds[1].windows, z2, z2 > 15.14 ? "yes" : "no");
	}
	answer("builds", "function,object,new_build,old_build,old_cost,new_cost,change_percent,old_windows,"
	       "new_windows,z2,significant");
}

int main(int argc, char **argv)
{
	char path[4096];
	unsigned int host, hour, n;

	if (argc != 7) {
		fprintf(stderr, "usage: fleet-windows FOLDER SEED HOSTS HOURS WINDOWS SUMS\n");
		return 2;
	}
	folder = argv[1];
	state = strtoull(argv[2], NULL, 10) * 2 + 1;
	hosts = (unsigned int)atoi(argv[3]);
	hours = (unsigned int)atoi(argv[4]);
	windows = (unsigned int)atoi(argv[5]);
	sums = (unsigned int)atoi(argv[6]);
	if (!hosts || hosts > HOSTS || hours < 2 || !windows || windows > 360 || !sums) {
		fprintf(stderr, "fleet-windows: at least 2 HOURS, at most %u HOSTS and 360 WINDOWS\n", HOSTS);
		return 2;
	}
	snprintf(path, sizeof(path), "%s/windows", folder);
	if (mkdir(path, 0755) && errno != EEXIST)
		die(path);
	for (host = 0; host < hosts; host++) {
		snprintf(path, sizeof(path), "%s/windows/host%03u", folder, host);
		if (mkdir(path, 0755) && errno != EEXIST)
			die(path);
		for (hour = 0; hour < hours; hour++)
			for (n = 0; n < windows; n++)
				put_window(host, hour, n);
	}
	answer_functions();
	answer_pods();
	answer_hosts();
	answer_remote();
	answer_builds();
	free(lines);
	return 0;
}
