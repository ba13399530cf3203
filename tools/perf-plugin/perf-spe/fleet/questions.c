// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "fleet/fleet.h"

/*
 * A sample stands for as many operations as its window's period, so sums of windows with
 * different periods are weighed by it.  Windows are SQLite's, DuckDB's and ClickHouse's: no
 * function here is known to one of them only.
 */
static const struct fleet_question questions[] = {
	{ "functions", "functions by their share of all cycles of latency",
	  "SELECT coalesce(symbol, address, '(other)') AS function, object,\n"
	  "       count(DISTINCT host) AS hosts, sum(samples) AS samples,\n"
	  "       round(100.0 * sum(cycles * period) / (SELECT sum(cycles * period) FROM sums), 2) AS cost_percent,\n"
	  "       round(1.0 * sum(cycles * period) / sum(samples * period), 1) AS mean\n"
	  "FROM sums GROUP BY symbol, address, object\n"
	  "ORDER BY sum(cycles * period) DESC, function, object\n", NULL },
	/*
	 * Of each object the two builds that were seen last.  cost: cycles of the function for each
	 * sampled operation of the object, a ratio of sums over windows, whose variance is that of
	 * its residuals.  z2 is the square of the normal deviate.
	 */
	{ "builds", "functions whose cost changed between the two latest builds of an object",
	  "WITH seen AS (SELECT object, build_id, min(begin_ns) AS first FROM sums\n"
	  "              WHERE object IS NOT NULL AND build_id IS NOT NULL GROUP BY object, build_id),\n"
	  "aged AS (SELECT object, build_id,\n"
	  "                row_number() OVER (PARTITION BY object ORDER BY first DESC, build_id) AS age FROM seen),\n"
	  "build AS (SELECT object, build_id, age FROM aged WHERE age <= 2),\n"
	  "unit AS (SELECT s.object AS object, b.age AS age, s.host AS host, s.id AS id,\n"
	  "                1.0 * sum(s.samples * s.period) AS n\n"
	  "         FROM sums s JOIN build b ON s.object = b.object AND s.build_id = b.build_id\n"
	  "         GROUP BY s.object, b.age, s.host, s.id),\n"
	  "part AS (SELECT s.object AS object, b.age AS age, s.host AS host, s.id AS id,\n"
	  "                coalesce(s.symbol, s.address) AS function, 1.0 * sum(s.cycles * s.period) AS c\n"
	  "         FROM sums s JOIN build b ON s.object = b.object AND s.build_id = b.build_id\n"
	  "         GROUP BY s.object, b.age, s.host, s.id, coalesce(s.symbol, s.address)),\n"
	  "whole AS (SELECT object, age, sum(n) AS n, sum(n * n) AS nn, count(*) AS k FROM unit GROUP BY object, age),\n"
	  "rate AS (SELECT p.object AS object, p.age AS age, p.function AS function, sum(p.c) AS c,\n"
	  "                sum(p.c * p.c) AS cc, sum(p.c * u.n) AS cn\n"
	  "         FROM part p JOIN unit u ON p.object = u.object AND p.age = u.age AND p.host = u.host AND p.id = u.id\n"
	  "         GROUP BY p.object, p.age, p.function),\n"
	  "name AS (SELECT DISTINCT object, function FROM rate),\n"
	  "ratio AS (SELECT f.object AS object, f.function AS function, w.age AS age, w.k AS k,\n"
	  "                 coalesce(r.c, 0) / w.n AS cost,\n"
	  "                 CASE WHEN w.k > 1 THEN (coalesce(r.cc, 0) - 2 * coalesce(r.c, 0) / w.n * coalesce(r.cn, 0)\n"
	  "                      + coalesce(r.c, 0) / w.n * coalesce(r.c, 0) / w.n * w.nn)\n"
	  "                      * w.k / (w.k - 1) / (w.n * w.n) END AS variance\n"
	  "          FROM name f JOIN whole w ON f.object = w.object\n"
	  "          LEFT JOIN rate r ON r.object = f.object AND r.age = w.age AND r.function = f.function),\n"
	  "pair AS (SELECT a.object AS object, a.function AS function, b.cost AS old, a.cost AS new,\n"
	  "                b.k AS old_windows, a.k AS new_windows, a.variance + b.variance AS variance\n"
	  "         FROM ratio a JOIN ratio b ON a.object = b.object AND a.function = b.function\n"
	  "         WHERE a.age = 1 AND b.age = 2)\n"
	  "SELECT function, pair.object AS object, n.build_id AS new_build, o.build_id AS old_build,\n"
	  "       round(old, 3) AS old_cost, round(new, 3) AS new_cost,\n"
	  "       round(100 * (new - old) / nullif(old, 0), 1) AS change_percent, old_windows, new_windows,\n"
	  "       round((new - old) * (new - old) / nullif(variance, 0), 1) AS z2,\n"
	  "       CASE WHEN (new - old) * (new - old) > 15.14 * variance THEN 'yes'\n"
	  "            WHEN variance IS NULL THEN 'unknown' ELSE 'no' END AS significant\n"
	  "FROM pair JOIN build n ON n.object = pair.object AND n.age = 1\n"
	  "JOIN build o ON o.object = pair.object AND o.age = 2\n"
	  "ORDER BY new - old DESC, function, pair.object\n", NULL },
	{ "pods", "pods, containers and control groups by their share of all cycles",
	  "SELECT pod, container, cgroup, count(DISTINCT host) AS hosts, sum(samples) AS samples,\n"
	  "       round(100.0 * sum(cycles * period) / (SELECT sum(cycles * period) FROM sums), 2) AS cost_percent,\n"
	  "       round(1.0 * sum(cycles * period) / sum(samples * period), 1) AS mean,\n"
	  "       round(100.0 * sum(CASE WHEN events LIKE '%llc-miss%' THEN samples * period ELSE 0 END)\n"
	  "             / sum(samples * period), 2) AS llc_miss_percent\n"
	  "FROM sums GROUP BY pod, container, cgroup\n"
	  "ORDER BY sum(cycles * period) DESC, pod, container, cgroup\n", NULL },
	{ "remote", "loads that another socket served, by the NUMA node of their CPUs",
	  "SELECT host, node, sum(samples) AS loads,\n"
	  "       round(100.0 * sum(CASE WHEN source LIKE '%remote%' OR events LIKE '%remote-access%'\n"
	  "             THEN samples * period ELSE 0 END) / sum(samples * period), 2) AS remote_percent,\n"
	  "       round(1.0 * sum(CASE WHEN source LIKE '%remote%' OR events LIKE '%remote-access%'\n"
	  "             THEN cycles * period ELSE 0 END) / nullif(sum(CASE WHEN source LIKE '%remote%'\n"
	  "             OR events LIKE '%remote-access%' THEN samples * period ELSE 0 END), 0), 1) AS remote_mean\n"
	  "FROM sums WHERE source IS NOT NULL GROUP BY host, node\n"
	  "ORDER BY remote_percent DESC, host, coalesce(node, -1)\n", "true" },
	{ "sources", "which cache or memory served the loads, and how long that took",
	  "SELECT source, count(DISTINCT host) AS hosts, sum(samples) AS samples,\n"
	  "       round(100.0 * sum(cycles * period) / (SELECT sum(cycles * period) FROM sums), 2) AS cost_percent,\n"
	  "       round(1.0 * sum(cycles * period) / sum(samples * period), 1) AS mean\n"
	  "FROM sums WHERE source IS NOT NULL GROUP BY source\n"
	  "ORDER BY sum(cycles * period) DESC, source\n", "true" },
	{ "shared", "functions whose accesses were served by another CPU's cache",
	  "SELECT coalesce(symbol, address, '(other)') AS function, object,\n"
	  "       count(DISTINCT host) AS hosts, sum(samples) AS samples,\n"
	  "       round(1.0 * sum(cycles * period) / sum(samples * period), 1) AS mean\n"
	  "FROM sums WHERE events LIKE '%data-snooped%' OR source LIKE 'peer%' OR source = 'local-cluster'\n"
	  "      OR source = 'chip-cache-or-device' OR (source LIKE 'remote%' AND source <> 'remote-dram')\n"
	  "GROUP BY symbol, address, object\n"
	  "ORDER BY sum(samples * period) DESC, function, object\n",
	  "coalesce(events, '') NOT LIKE '%data-snooped%'" },
	{ "hosts", "what was sampled of each host, and what was lost",
	  "SELECT host, count(*) AS windows, round(sum(seconds), 1) AS seconds,\n"
	  "       round(100.0 * sum(seconds) / nullif(max(begin_ns / 1e9 + seconds) - min(begin_ns / 1e9), 0), 2)\n"
	  "       AS sampled_percent, sum(samples) AS samples, min(period) AS least_period, max(period) AS most_period,\n"
	  "       sum(other) AS other, sum(cut) AS cut, sum(truncated) AS truncated, sum(partial) AS partial,\n"
	  "       sum(collision) AS collision, sum(events) AS lost_events, sum(damaged_bytes) AS damaged_bytes\n"
	  "FROM windows GROUP BY host ORDER BY host\n", NULL },
};

const struct fleet_question *fleet_question(unsigned int index)
{
	return index < sizeof(questions) / sizeof(questions[0]) ? &questions[index] : NULL;
}
