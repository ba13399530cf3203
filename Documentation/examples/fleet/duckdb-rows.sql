-- SPDX-License-Identifier: GPL-2.0-only
--
-- The table "rows" of "perf spe fleet" on DuckDB, after duckdb.sql.  It needs a file of an agent that knows raw
-- rows; the files of older ones have none.
CREATE VIEW rows AS SELECT host, id, begin_ns, CAST(period AS DOUBLE) AS period, weight, cpu, pid, tid, cycles,
  issue, xlat, time_ns, va, comm, op, address, cgroup, pod, container, object, build_id, symbol, node,
  source, source_code, events FROM files WHERE weight IS NOT NULL
  AND (host, id, filename) IN (SELECT host, id, filename FROM once);
