# SPDX-License-Identifier: GPL-2.0-only
#
# Writes windows of the agents of machines, and what each question to them has as its answer,
# which this program adds up without SQL.
#
#   python3 windows.py FOLDER SEED [HOSTS [WINDOWS]]
#
# FOLDER/windows gets the files, FOLDER/QUESTION.csv the answers, FOLDER/rows.csv that of rows.sql.  The period differs between
# windows.  Of the two builds of /usr/bin/prog "cold" costs twice as much in the newer one.  The sums
# of the last host have no NUMA node.
import collections
import csv
import json
import os
import random
import sys
import time

folder, seed = sys.argv[1], int(sys.argv[2])
hosts = int(sys.argv[3]) if len(sys.argv) > 3 else 3
windows = int(sys.argv[4]) if len(sys.argv) > 4 else 24
rand = random.Random(seed)
PLACES = [
    # function, object, samples, mean latency, source, events
    ("hot", "/usr/bin/prog", 60, 21, "l1d", "retired|llc-miss"),
    ("cold", "/usr/bin/prog", 30, 8, "dram", "retired"),
    ("a, \"b\"'", "/usr/bin/prog", 10, 150, "remote", "retired|remote-access"),
    (None, "[kernel]", 9, 40, "peer-core", "retired|data-snooped"),
    ("vfs_read", "[kernel]", 4, 40, None, "retired"),
]
sums = []
heads = []
rows = []


def raw_rows(host, s):
    """Some of the samples of a sum: the first host has none, the second none of what has no sum"""
    if host == "web0" or (host == "web1" and "object" not in s):
        return []
    return [{"cpu": rand.randrange(4), "time_ns": rand.randrange(2**63), "pid": 5, "tid": 6, "comm": f"{host}, \"'",
             "op": rand.choice(["load", "store"]), "address": "0xffff800000001234", "va": rand.randrange(-2**63, 2**63),
             "cycles": rand.randrange(2**16), "issue": 1, "xlat": 0} for _ in range(rand.randrange(s["samples"] + 1))]


def write(host, number, begin):
    new = number >= windows // 2
    period = rand.choice([4096, 16384])
    ident = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(begin))}.000Z-{number:08x}"
    head = {"format": 1, "id": ident, "host": host, "begin_ns": begin * 10**9,
            "seconds": 10.0, "cpus": 4, "period": period, "samples": 0, "sums": 0, "other": 0,
            "cut": rand.random() < 0.1,
            "lost": {name: rand.randrange(3) for name in
                     ("truncated", "partial", "collision", "events", "damaged_bytes")}}
    lines = []
    for function, obj, share, mean, source, events in PLACES:
        samples = rand.randint(share - 3, share + 3)
        factor = 2 if function == "cold" and new else 1
        s = {"samples": samples, "cycles": round(samples * mean * factor * rand.uniform(0.97, 1.03)),
             "latencies": [0, samples], "events": events, "object": obj}
        if function:
            s["symbol"] = function
        else:
            s["address"] = "0x1234"
        if source:
            s["source"] = source
        if host != f"web{hosts - 1}":
            s["node"] = (number + len(lines)) // 2 % 2
        if obj != "[kernel]":
            s["build_id"] = "bb" if new else "aa"
            s["cgroup"] = "/docker/1"
            s["container"] = "1"
        lines.append(s)
    head["sums"] = len(lines)
    if rand.random() < 0.3:
        head["other"] = rand.randint(1, 9)
        lines.append({"samples": head["other"], "cycles": 3 * head["other"], "latencies": [0, 0, head["other"]]})
    head["samples"] = sum(s["samples"] for s in lines)
    kept = [raw_rows(host, s) for s in lines]
    if any(kept):
        head["raw_rows"] = sum(map(len, kept))
    for s, of in zip(lines, kept):
        rows.extend((host, head["samples"] / head["raw_rows"], period, s, row) for row in of)
    path = f"{folder}/windows/{host}"
    os.makedirs(path, exist_ok=True)
    with open(f"{path}/spe-{ident}.jsonl", "w") as to:
        for line in [head] + [{**s, "rows": of} if of else s for s, of in zip(lines, kept)]:
            to.write(json.dumps(line) + "\n")
    heads.append(head)
    sums.extend((host, head["id"], period, s) for s in lines)


for h in range(hosts):
    for n in range(windows):
        write(f"web{h}", n, 1000000 + 60 * n + h)


def rounded(number, digits):
    return float(f"{number:.{digits}f}")


def answer(question, names, rows):
    with open(f"{folder}/{question}.csv", "w", newline="") as to:
        out = csv.writer(to, lineterminator="\n")
        out.writerow(names)
        out.writerows(rows)


def place(s):
    return s.get("symbol", s.get("address", "(other)")), s.get("object")


def grouped(key, wanted=lambda s: True):
    groups = collections.defaultdict(list)
    for host, _, period, s in sums:
        if wanted(s):
            groups[key(host, s)].append((host, period, s))
    return groups


def weigh(rows, value, wanted=lambda s: True):
    return float(sum(s[value] * period for _, period, s in rows if wanted(s)))


ALL = float(sum(s["cycles"] * period for _, _, period, s in sums))


def table(key, wanted=lambda s: True, extra=lambda rows: []):
    """KEY..., hosts, samples, percent of all cycles, mean latency"""
    result = []
    for k, rows in grouped(key, wanted).items():
        cost = weigh(rows, "cycles")
        result.append((-cost, [*k, len({h for h, _, _ in rows}), sum(s["samples"] for _, _, s in rows),
                               rounded(100 * cost / ALL, 2), rounded(cost / weigh(rows, "samples"), 1), *extra(rows)]))
    return [row for _, row in sorted(result, key=lambda r: r[0])]


def remote(s):
    return "remote" in s.get("source", "") or "remote-access" in s["events"]


HEAD = ["hosts", "samples", "cost_percent", "mean"]
answer("functions", ["function", "object", *HEAD], table(lambda h, s: place(s)))
answer("pods", ["pod", "container", "cgroup", *HEAD, "llc_miss_percent"],
       table(lambda h, s: (None, s.get("container"), s.get("cgroup")), extra=lambda rows: [rounded(
           100 * weigh(rows, "samples", lambda s: "llc-miss" in s.get("events", "")) / weigh(rows, "samples"), 2)]))
answer("sources", ["source", *HEAD], table(lambda h, s: (s["source"],), lambda s: "source" in s))
loads = [[*key, sum(s["samples"] for _, _, s in rows),
          rounded(100 * weigh(rows, "samples", remote) / weigh(rows, "samples"), 2),
          rounded(weigh(rows, "cycles", remote) / weigh(rows, "samples", remote), 1)]
         for key, rows in grouped(lambda h, s: (h, s.get("node")), lambda s: "source" in s).items()]
answer("remote", ["host", "node", "loads", "remote_percent", "remote_mean"], sorted(loads, key=lambda r: (-r[3], *r[:2])))
shared = [[*k, len({h for h, _, _ in rows}), sum(s["samples"] for _, _, s in rows),
           rounded(weigh(rows, "cycles") / weigh(rows, "samples"), 1), weigh(rows, "samples")]
          for k, rows in grouped(lambda h, s: place(s), lambda s: s.get("source") in ("peer-core", "remote")).items()]
answer("shared", ["function", "object", "hosts", "samples", "mean"],
       [r[:-1] for r in sorted(shared, key=lambda r: -r[-1])])
lost = ["truncated", "partial", "collision", "events", "damaged_bytes"]
answer("hosts", ["host", "windows", "seconds", "sampled_percent", "samples", "least_period", "most_period", "other",
                 "cut", "truncated", "partial", "collision", "lost_events", "damaged_bytes"],
       [[h, len(of), 10.0 * len(of), rounded(100 * 10 * len(of) / (60 * (windows - 1) + 10), 2),
         sum(w["samples"] for w in of), min(w["period"] for w in of), max(w["period"] for w in of),
         sum(w["other"] for w in of), sum(w["cut"] for w in of), *(sum(w["lost"][x] for w in of) for x in lost)]
        for h in sorted({w["host"] for w in heads}) for of in [[w for w in heads if w["host"] == h]]])


# Two builds: costs as ratios of sums over windows, with the variance of their residuals
def cost(function, build):
    units = collections.defaultdict(lambda: [0.0, 0.0])
    for host, ident, period, s in sums:
        if s.get("build_id") == build:
            units[host, ident][0] += s["samples"] * period
            units[host, ident][1] += s["cycles"] * period if s["symbol"] == function else 0
    n = sum(u[0] for u in units.values())
    r = sum(u[1] for u in units.values()) / n
    k = len(units)
    return r, sum((c - r * m) ** 2 for m, c in units.values()) * k / (k - 1) / n**2, k


builds = []
for function in {s["symbol"] for _, _, _, s in sums if "build_id" in s}:
    (old, v, k), (new, w, j) = cost(function, "aa"), cost(function, "bb")
    z2 = (new - old) ** 2 / (v + w)
    builds.append([function, "/usr/bin/prog", "bb", "aa", rounded(old, 3), rounded(new, 3),
                 rounded(100 * (new - old) / old, 1), k, j, rounded(z2, 1), "yes" if z2 > 15.14 else "no", new - old])
answer("builds", ["function", "object", "new_build", "old_build", "old_cost", "new_cost", "change_percent",
                  "old_windows", "new_windows", "z2", "significant"], [r[:-1] for r in sorted(builds, key=lambda r: -r[-1])])

groups = collections.defaultdict(list)
for host, weight, period, s, row in rows:
    groups[host, s.get("symbol", s.get("object", "(other)")), row["op"]].append((weight, period, s, row))
answer("rows", ["host", "function", "op", "n", "builds", "estimate", "cost", "cycles", "least", "most", "comm", "cpus"],
       [[*key, len(of), len({s.get("build_id") for _, _, s, _ in of} - {None}), rounded(sum(w for w, _, _, _ in of), 1),
         rounded(sum(w * p * row["cycles"] for w, p, _, row in of) / 1e6, 1), sum(row["cycles"] for *_, row in of),
         min(row["va"] for *_, row in of), max(row["va"] for *_, row in of), of[0][3]["comm"],
         len({row["cpu"] for *_, row in of})] for key, of in sorted(groups.items())])
