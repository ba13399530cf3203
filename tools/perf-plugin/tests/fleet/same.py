# SPDX-License-Identifier: GPL-2.0-only
#
# Whether two CSV files have the same rows in the same order.  Numbers may differ by one in the
# last place that is printed, as halves are rounded up or down.
#
#   python3 same.py WANTED GOT
import csv
import sys


def rows(path):
    return list(csv.reader(open(path, newline="")))


def same(want, got):
    if want == got or {want, got} == {"", "NULL"}:
        return True
    try:
        if all(x.removeprefix("-").isdigit() for x in (want, got)):
            return int(want) == int(got)
        a, b = float(want), float(got)
    except ValueError:
        return False
    digits = max(len(x.partition(".")[2]) for x in (want, got))
    return abs(a - b) <= 1.01 * 10.0**-digits if digits else a == b


want, got = rows(sys.argv[1]), rows(sys.argv[2])
if len(want) != len(got):
    sys.exit(f"{len(got)} rows, not {len(want)}")
for a, b in zip(want, got):
    if len(a) != len(b) or not all(map(same, a, b)):
        sys.exit(f"{b}, not {a}")
