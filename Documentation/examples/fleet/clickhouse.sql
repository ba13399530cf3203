-- SPDX-License-Identifier: GPL-2.0-only
--
-- The tables of "perf spe fleet" on ClickHouse, as in duckdb.sql.  In SQL that names a column and an
-- alias alike, the setting prefer_column_name_to_alias takes the column, as DuckDB does.  Files of older
-- agents have fewer columns than those of newer ones: with "union" no file alone tells which there are.
SET use_hive_partitioning = 1, schema_inference_make_columns_nullable = 1, join_use_nulls = 1,
  prefer_column_name_to_alias = 1, schema_inference_mode = 'union';
CREATE VIEW files AS SELECT *, _path AS filename
  FROM file('partitions/host=*/date=*/hour=*/*.parquet', 'Parquet');
CREATE VIEW windows AS SELECT host, id, begin_ns, duration_ns / 1e9 AS seconds, cpus, period,
  window_samples AS samples, other, cut, truncated, partial, collision, lost_events AS events,
  damaged_bytes FROM files WHERE duration_ns IS NOT NULL AND (host, id, filename) IN
  (SELECT host, id, min(filename) FROM files WHERE duration_ns IS NOT NULL GROUP BY host, id);
CREATE VIEW sums AS SELECT host, id, begin_ns, CAST(period AS Nullable(Float64)) AS period, samples,
  cycles, latencies, cgroup, pod, container, object, build_id, symbol, address, node, source, source_code,
  events FROM files WHERE samples IS NOT NULL AND (host, id, filename) IN
  (SELECT host, id, min(filename) FROM files WHERE duration_ns IS NOT NULL GROUP BY host, id);
