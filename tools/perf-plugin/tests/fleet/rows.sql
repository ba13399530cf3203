-- SPDX-License-Identifier: GPL-2.0-only
-- A question to the raw rows, whose answer the programs that write windows add up without SQL
SELECT host, coalesce(symbol, object, '(other)') AS function, op, count(*) AS n,
       count(DISTINCT build_id) AS builds, round(sum(weight), 1) AS estimate,
       round(sum(weight * period * cycles) / 1e6, 1) AS cost, sum(cycles) AS cycles,
       min(va) AS least, max(va) AS most, min(comm) AS comm, count(DISTINCT cpu) AS cpus
FROM rows GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
