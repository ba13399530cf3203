-- SPDX-License-Identifier: GPL-2.0-only
--
-- The tables of "perf spe fleet" on DuckDB, from the Parquet files of "perf spe agent --send" in the folder
-- "partitions".  For the moment in which one file replaces those of an hour, a window is in two files, so
-- the tables take each window from one file.  "sums" needs a file of an agent that knows NUMA nodes: the
-- files of older ones have no column "node".
CREATE VIEW files AS SELECT * FROM read_parquet('partitions/host=*/date=*/hour=*/*.parquet',
  hive_partitioning = true, hive_types_autocast = false, union_by_name = true, filename = true);
CREATE VIEW once AS SELECT host, id, min(filename) AS filename FROM files
  WHERE duration_ns IS NOT NULL GROUP BY host, id;
CREATE VIEW windows AS SELECT host, id, begin_ns, duration_ns / 1e9 AS seconds, cpus, period,
  window_samples AS samples, other, cut, truncated, partial, collision, lost_events AS events,
  damaged_bytes FROM files WHERE duration_ns IS NOT NULL
  AND (host, id, filename) IN (SELECT host, id, filename FROM once);
CREATE VIEW sums AS SELECT host, id, begin_ns, CAST(period AS DOUBLE) AS period, samples, cycles,
  latencies, cgroup, pod, container, object, build_id, symbol, address, node, source, source_code, events
  FROM files WHERE samples IS NOT NULL
  AND (host, id, filename) IN (SELECT host, id, filename FROM once);
