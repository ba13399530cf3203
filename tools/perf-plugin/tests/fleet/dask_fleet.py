# SPDX-License-Identifier: GPL-2.0-only
#
# The questions of perf spe fleet on a Dask cluster, by its data frames, as Dask has no SQL:
#
#   python3 dask_fleet.py SCHEDULER-FILE FOLDER QUESTION...
#
# The cluster's workers read the Parquet files below FOLDER, a path or s3://BUCKET/PATH, with pyarrow, a day of a host
# for each task, and add up.  The rest is done here with pandas, on what is added up.  QUESTION.csv below the present
# folder gets each answer.
import itertools
import os
import sys
import urllib.parse

import dask.dataframe as dd
import distributed
import fsspec
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

client = distributed.Client(scheduler_file=sys.argv[1])
client.wait_for_workers(2, timeout=120)
store, folder = fsspec.url_to_fs(sys.argv[2])
paths = sorted(store.glob(folder + "/host=*/date=*/hour=*/*.parquet"))
NUMBERS = ["begin_ns", "duration_ns", "period", "window_samples", "other", "cut", "truncated", "partial", "collision",
           "lost_events", "damaged_bytes", "samples", "cycles", "node"]
TEXTS = ["id", "pod", "container", "cgroup", "object", "build_id", "symbol", "address", "source", "events"]


def rows(path):
    """All rows of a file but the raw ones, as an Arrow table"""
    table = pq.ParquetFile(store.open(path)).read(columns=NUMBERS + TEXTS)

    def column(name, kind):  # files of older agents have fewer
        return table[name].cast(kind, safe=False) if name in table.column_names else pa.nulls(len(table), kind)

    table = pa.table({name: column(name, pa.float64()) for name in NUMBERS} | {name: column(name, pa.string()) for name in TEXTS})
    return table.filter(pc.or_(pc.is_valid(table["duration_ns"]), pc.is_valid(table["samples"])))


def read(paths):
    """The rows of a host's day, in which each window is once.  What is not known is NULL."""
    seen, tables = set(), []
    for path in paths:  # While one file replaces those of an hour a window is in two files.
        table = rows(path)
        ids = pc.unique(table["id"])
        tables.append(table.filter(pc.invert(pc.is_in(table["id"], value_set=pa.array(sorted(seen), pa.string())))))
        seen |= set(ids.to_pylist())
    host = urllib.parse.unquote(path.split("/host=")[-1].partition("/")[0])
    return pa.concat_tables(tables).to_pandas(types_mapper={pa.string(): pd.StringDtype("pyarrow")}.get).assign(host=host)


days = [list(of) for _, of in itertools.groupby(paths, lambda path: os.path.dirname(os.path.dirname(path)))]
files = dd.from_map(read, days, meta=read(days[0]).iloc[:0]).persist()
distributed.wait(files)
if len({worker for of in client.who_has(files).values() for worker in of}) < min(2, len(days)):
    sys.exit("one worker has read all files")
windows = files[files.duration_ns.notnull()]
sums = files[files.samples.notnull()]
sums = sums.assign(n=sums.samples * sums.period, c=sums.cycles * sums.period)
ALL = float(sums.c.sum().compute())


def add(frame, keys, columns=("samples", "n", "c")):
    """What the workers add up for each of the keys, with NULL as a key"""
    return frame.groupby(keys, dropna=False)[list(columns)].sum().compute().reset_index()


def whole(number):
    return f"{number:.0f}"


def part(number, digits):
    return "" if pd.isna(number) else f"{number:.{digits}f}"


def table(frame, keys, order="c", names=None, extra=()):
    """By the keys: hosts, samples, percent of all cycles, mean latency; the largest first"""
    of = add(frame, [*keys, "host"], ("samples", "n", "c", *extra))
    of = of.groupby(keys, dropna=False).agg(hosts=("host", "nunique"), **{
        name: (name, "sum") for name in ("samples", "n", "c", *extra)}).reset_index()
    if names:
        of = names(of)
        keys = ["function", "object"]
    of = of.astype({key: object for key in keys})
    of[keys] = of[keys].where(of[keys].notnull(), None)
    rows = sorted(of.to_dict("records"), key=lambda r: (-r[order], *(r[key] or "" for key in keys)))
    return [([r[key] for key in keys], r) for r in rows]


def function_names(of):
    return of.assign(function=of.symbol.fillna(of.address).fillna("(other)"))


def functions():
    yield "function,object,hosts,samples,cost_percent,mean"
    for key, r in table(sums, ["symbol", "address", "object"], names=function_names):
        yield *key, r["hosts"], whole(r["samples"]), part(100 * r["c"] / ALL, 2), part(r["c"] / r["n"], 1)


def pods():
    missed = sums.assign(missed=sums.n.where(sums.events.fillna("").str.contains("llc-miss"), 0))
    yield "pod,container,cgroup,hosts,samples,cost_percent,mean,llc_miss_percent"
    for key, r in table(missed, ["pod", "container", "cgroup"], extra=["missed"]):
        yield (*key, r["hosts"], whole(r["samples"]), part(100 * r["c"] / ALL, 2), part(r["c"] / r["n"], 1),
               part(100 * r["missed"] / r["n"], 2))


def sources():
    yield "source,hosts,samples,cost_percent,mean"
    for key, r in table(sums[sums.source.notnull()], ["source"]):
        yield *key, r["hosts"], whole(r["samples"]), part(100 * r["c"] / ALL, 2), part(r["c"] / r["n"], 1)


def shared():
    source, events = sums.source.fillna(""), sums.events.fillna("")
    of = sums[events.str.contains("data-snooped") | source.str.startswith("peer") |
              source.isin(["local-cluster", "chip-cache-or-device"]) |
              (source.str.startswith("remote") & (source != "remote-dram"))]
    yield "function,object,hosts,samples,mean"
    for key, r in table(of, ["symbol", "address", "object"], order="n", names=function_names):
        yield *key, r["hosts"], whole(r["samples"]), part(r["c"] / r["n"], 1)


def remote():
    of = sums[sums.source.notnull()]
    far = of.source.str.contains("remote") | of.events.fillna("").str.contains("remote-access")
    of = add(of.assign(rn=of.n.where(far, 0), rc=of.c.where(far, 0)), ["host", "node"], ("samples", "n", "rn", "rc"))
    yield "host,node,loads,remote_percent,remote_mean"
    of = of.assign(known=of.node.fillna(-1))
    for r in sorted(of.to_dict("records"), key=lambda r: (-round(100 * r["rn"] / r["n"], 2), r["host"], r["known"])):
        yield r["host"], part(r["node"], 0), whole(r["samples"]), part(100 * r["rn"] / r["n"], 2), part(r["rc"] / r["rn"] if r["rn"] else None, 1)


def hosts():
    lost = ["other", "cut", "truncated", "partial", "collision", "lost_events", "damaged_bytes"]
    of = windows.assign(end=windows.begin_ns / 1e9 + windows.duration_ns / 1e9)
    by = of.groupby("host").agg({"id": "count", "duration_ns": "sum", "end": "max", "begin_ns": "min", "window_samples": "sum",
                                 "period": ["min", "max"], **{name: "sum" for name in lost}}).compute()
    by.columns = [f"{a}-{b}" for a, b in by.columns]
    yield ("host,windows,seconds,sampled_percent,samples,least_period,most_period,other,cut,truncated,partial,collision,"
           "lost_events,damaged_bytes")
    for host, r in by.sort_index().iterrows():
        seconds = r["duration_ns-sum"] / 1e9
        yield (host, whole(r["id-count"]), part(seconds, 1), part(100 * seconds / (r["end-max"] - r["begin_ns-min"] / 1e9), 2),
               whole(r["window_samples-sum"]), whole(r["period-min"]), whole(r["period-max"]),
               *(whole(r[name + "-sum"]) for name in lost))


def builds():
    known = sums[sums.object.notnull() & sums.build_id.notnull()]
    seen = known.groupby(["object", "build_id"]).begin_ns.min().compute().reset_index()
    seen = seen.sort_values(["object", "begin_ns", "build_id"], ascending=[True, False, True])
    seen["age"] = seen.groupby("object").cumcount() + 1
    seen = seen[seen.age <= 2]
    unit = ["object", "build_id", "host", "id"]
    known = known.assign(function=known.symbol.fillna(known.address))
    n = add(known, unit, ["n"]).merge(seen)
    c = add(known, [*unit, "function"], ["c"]).merge(n)
    all_of = n.assign(nn=n.n**2).groupby(["object", "age"]).agg(n=("n", "sum"), nn=("nn", "sum"), k=("n", "size")).reset_index()
    rate = c.assign(cc=c.c**2, cn=c.c * c.n).groupby(["object", "age", "function"], dropna=False)[["c", "cc", "cn"]].sum()
    of = rate.reset_index()[["object", "function"]].drop_duplicates().merge(all_of).merge(rate.reset_index(), how="left").fillna(
        {"c": 0, "cc": 0, "cn": 0})
    of["cost"] = of.c / of.n
    of["variance"] = ((of.cc - 2 * of.cost * of.cn + of.cost**2 * of.nn) * of.k / (of.k - 1) / of.n**2).where(of.k > 1)
    of = of.merge(seen[["object", "age", "build_id"]])
    pair = of[of.age == 1].merge(of[of.age == 2], on=["object", "function"], suffixes=("", "_old"))
    pair["change"] = pair.cost - pair.cost_old
    yield "function,object,new_build,old_build,old_cost,new_cost,change_percent,old_windows,new_windows,z2,significant"
    for r in sorted(pair.to_dict("records"), key=lambda r: (-r["change"], r["function"], r["object"])):
        variance = r["variance"] + r["variance_old"]
        square = r["change"] ** 2
        yield (r["function"], r["object"], r["build_id"], r["build_id_old"], part(r["cost_old"], 3), part(r["cost"], 3),
               part(100 * r["change"] / r["cost_old"] if r["cost_old"] else None, 1), r["k_old"], r["k"],
               part(square / variance if variance else None, 1),
               "unknown" if pd.isna(variance) else "yes" if square > 15.14 * variance else "no")


def quoted(value):
    return "" if value is None else '"' + str(value).replace('"', '""') + '"'


questions = {q.__name__: q for q in (functions, builds, pods, remote, sources, shared, hosts)}
for question in sys.argv[3:]:
    head, *rows = questions[question]()
    with open(question + ".csv", "w") as to:
        to.write("\n".join([head, *(",".join(map(quoted, row)) for row in rows)]) + "\n")
