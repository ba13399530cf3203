-- SPDX-License-Identifier: GPL-2.0-only
--
-- The table "rows" of "perf spe fleet" on ClickHouse, after clickhouse.sql.  It needs a file of an agent that
-- knows raw rows; the files of older ones have none.
CREATE VIEW rows AS SELECT host, id, begin_ns, CAST(period AS Nullable(Float64)) AS period, weight, cpu, pid, tid,
  cycles, issue, xlat, time_ns, va, comm, op, address, cgroup, pod, container, object, build_id, symbol, node,
  source, source_code, events FROM file('partitions/host=*/date=*/hour=*/*.parquet', 'Parquet') WHERE weight IS NOT NULL
  AND (host, id, _path) IN (SELECT host, id, min(filename) FROM files WHERE duration_ns IS NOT NULL GROUP BY host, id);
