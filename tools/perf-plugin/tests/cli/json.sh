#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# --json and --csv of the verbs that read samples: Python's own readers read them, each table is
# the same in both forms, the keys are those of the page on them, and the sums are those of
# perf spe export and of the text.
# usage: json.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
top=$(cd "$here/../../.." && pwd)
page=$top/Documentation/perf-spe/reference/data.md
examples=$top/Documentation/examples

begin "json: Python reads what all verbs write"
command -v python3 >/dev/null || { skip 'no python3'; exit 0; }

# A reader that knows nothing of perf-spe but the page
cat >"$dir/check.py" <<'END'
import collections, csv, json, re, subprocess, sys

perf_spe, page = sys.argv[1:3]
source = sys.argv[3:]

def run(*words):
    done = subprocess.run([perf_spe, words[0], *source, *words[1:]], capture_output=True)
    if done.returncode:
        sys.exit(f'{words}: status {done.returncode}: {done.stderr.decode()}')
    return done.stdout.decode()

def documented():
    """keys of each section of the page: {verb: {table: keys}}; table '' is the object"""
    keys = collections.defaultdict(lambda: collections.defaultdict(set))
    verb = table = ''
    for line in open(page):
        if line.startswith('## '):
            verb, table = line[3:].strip(), ''
        elif line.startswith('### '):
            table = line[4:].strip()
            keys[verb][table]
        elif line.startswith('| `'):
            keys[verb][table] |= set(re.findall(r'`([^`]+)`', line.split('|')[1]))
    return keys

def cell(value):
    if value is None:
        return ''
    return {True: 'true', False: 'false'}.get(value, str(value)) if isinstance(value, bool) else value

def same(row, fields):
    for key, text in fields.items():
        value = cell(row[key])
        if isinstance(value, (int, float)):
            if text == '' or float(text) != float(value):
                return False
        elif value != text:
            return False
    return list(row) == list(fields)

pages = documented()
everywhere = pages['Every verb']
shared = set(everywhere['']) - {'damaged'}
# layout has other tables with and without the name of a type.
words = {'layout TYPE': ['layout', 'struct (anonymous)']}
for title, *options in (['report'], ['report', '--histogram'], ['stat'], ['sharing', '--types'], ['mem'], ['mem', '--traffic'], ['annotate'],
                        ['advise'], ['layout'], ['layout TYPE']):
    verb, *arguments = words.get(title, [title])
    options += arguments
    keys = pages[title]
    for extra in ([], ['--ci']) if verb in ('report', 'stat', 'sharing', 'mem') else [[]]:
        of = json.loads(run(verb, '--json', *options, *extra))
        assert of['format'] == 1 and of['verb'] == verb
        tables = {key: value for key, value in of.items() if isinstance(value, list)}
        listed = set(run(verb, '--csv=help').split())
        assert listed >= set(tables) if verb == 'layout' else listed == set(tables), (title, set(tables))
        want = {key for key in keys['']} | set(everywhere['']) & set(of)
        assert set(of) - set(tables) == want, (verb, set(of) - set(tables) ^ want)
        assert set(tables) == (set(keys) | set(everywhere)) - {''}, (title, set(tables))
        for name, rows in tables.items():
            text = run(verb, f'--csv={name}', *options, *extra)
            read = list(csv.DictReader(text.splitlines(keepends=True)))
            # The name of a table asks for it, as the options do for JSON.
            if not rows and name in ('shapes', 'peaks', 'histograms', 'traffic'):
                assert read, (verb, name)
                continue
            assert len(read) == len(rows), (verb, name)
            assert all(map(same, rows, read)), (verb, name)
            if not rows:
                continue
            got = set(rows[0])
            listed = (keys.get(name) or everywhere[name]) - {'event_NAME_percent'}
            assert listed <= got, (verb, name, listed - got)
            more = {re.sub('_(low|high)$', '', key) for key in got} if extra else got
            assert more <= listed, (verb, name, more - listed)

# What is said on standard error, such as that files are missing, is in the object and in a table.
for verb in 'report', 'annotate', 'stat', 'sharing', 'mem', 'layout', 'advise', 'tier', 'diff':
    files = [source[1]] * 2 if verb == 'diff' else source[:2]
    done = subprocess.run([perf_spe, verb, '--json', *files], capture_output=True, text=True)
    heard = [line.removeprefix('perf-spe: ') for line in done.stderr.splitlines()]
    of = [row['text'] for row in json.loads(done.stdout)['messages']] if done.stdout else []
    assert of or verb in ('annotate', 'stat', 'tier'), (verb, done.stderr)
    assert of == heard[:len(of)], (verb, of, heard)

rows = [json.loads(line) for line in run('export', '-f', 'jsonl').splitlines()]
assert rows

def count(column, keep=lambda row: True):
    return collections.Counter(row.get(column) for row in rows if keep(row))

# The functions, by another way
report = json.loads(run('report', '--json'))
assert {row['symbol']: row['count'] for row in report['rows'] if row['symbol']} == \
    {name: n for name, n in count('symbol').items() if name}
assert sum(row['count'] for row in report['rows']) == report['samples'] == len(rows)
assert sum(row['cycles'] for row in report['rows']) == sum(row.get('total', 0) for row in rows)
assert abs(sum(row['share_percent'] for row in report['rows']) - 100) < 1e-6

# The instructions of the function that costs most, and what advise says of the line that it shares
annotate = json.loads(run('annotate', '--json'))
assert annotate['samples'] == count('symbol')[annotate['symbol']]
addresses = count('object_address', lambda row: row.get('symbol') == annotate['symbol'])
assert {row['address']: row['count'] for row in annotate['instructions'] if row['count']} == addresses
events = json.loads(run('annotate', '--json', '--events', 'l1d-refill'))['instructions']
refills = sum(row['count'] * row['event_l1d_refill_percent'] / 100 for row in events if row['count'])
assert round(refills) == sum('l1d-refill' in row['events'].split('|') for row in rows
                             if row.get('symbol') == annotate['symbol'])
assert any(row['count'] == 0 and row['instruction'] for row in annotate['instructions'])
assert abs(sum(row['share_percent'] for row in annotate['instructions']) - 100) < 1e-6
advise = json.loads(run('advise', '--json'))
assert [row['kind'] for row in advise['findings']] == ['false-sharing']
assert sum(row['count'] for row in advise['evidence']) == advise['findings'][0]['count']
assert json.loads(run('advise', '-f', 'json')) == advise
layout = json.loads(run('layout', '--json'))
assert sum(row['count'] for row in layout['types']) == layout['samples']
assert len(json.loads(run('layout', '--json', '--limit', '1'))['types']) == 1
# The distributions of latencies, and their peaks
with_shapes = json.loads(run('report', '--json', '--histogram'))
assert not report['histograms'] and not report['shapes'] and not report['peaks']
for row in with_shapes['rows']:
    mine = lambda table: [r for r in with_shapes[table] if all(r[k] == row[k] for k in ('symbol', 'address', 'object'))]
    totals = [r['total'] for r in rows if 'total' in r and r.get('symbol') == row['symbol'] and r.get('object') == row['object']]
    shape, = mine('shapes')
    assert shape['latencies'] == sum(r['count'] for r in mine('histograms'))
    if row['symbol']:
        assert shape['latencies'] == len(totals)
        for r in mine('histograms'):
            assert r['count'] == sum(r['from'] <= n <= r['to'] for n in totals), r
    if shape['latencies'] < 30:
        assert shape['peaks'] is None and not mine('peaks')
    else:
        assert shape['peaks'] == len(mine('peaks')) >= 1
        assert shape['latencies'] == sum(r['count'] for r in mine('peaks'))
assert any(shape['peaks'] for shape in with_shapes['shapes']), 'no row has a shape'

# Grouped by columns, with addresses as export writes them
by = json.loads(run('report', '--json', '--by', 'cache_line', '--events', 'l1d-refill'))
assert {row['cache_line']: row['count'] for row in by['rows']} == dict(count('cache_line'))
refills = sum(row['count'] * row['event_l1d_refill_percent'] / 100 for row in by['rows'])
assert round(refills) == sum('l1d-refill' in row['events'].split('|') for row in rows)

# The text rounds the same numbers.
text = {line.split()[1]: line.split() for line in run('report').splitlines() if line[0] != '#'}
for row in report['rows']:
    if row['symbol']:
        words = text[row['symbol']]
        assert words[0] == f"{row['cost_percent']:.2f}%", words
        assert words[4] == f"{row['mean']:.1f}" and words[7] == str(row['count']), words

stat = json.loads(run('stat', '--json'))
ops = collections.Counter()
for row in stat['operations']:
    ops[row['op']] += row['count']
assert ops == count('op'), ops
assert {row['cpu']: row['count'] for row in stat['cpus']} == dict(count('cpu'))
histogram = {row['cycles']: row['count'] for row in stat['histogram']}
assert histogram == dict(count('total', lambda row: 'total' in row))
total = next(row for row in stat['latencies'] if row['latency'] == 'total')
assert total['cycles'] == sum(cycles * n for cycles, n in histogram.items())
assert total['max'] == max(histogram)
assert sum(row['count'] for row in stat['tasks']) == len(rows)
for event in stat['events']:
    assert event['count'] == sum(event['event'] in row['events'].split('|') for row in rows), event

sharing = json.loads(run('sharing', '--json'))
lines = count('cache_line')
assert sharing['lines'] and sharing['samples'] == sum(n for line, n in lines.items() if line)
for line in sharing['lines']:
    assert line['count'] == lines[line['address']] == line['loads'] + line['stores']
    assert line['count'] == sum(access['count'] for access in sharing['accesses']
                                if access['line'] == line['line'])

mem = json.loads(run('mem', '--json'))
pages_of = count('page', lambda row: 'page' in row)
assert {row['page']: row['count'] for row in mem['pages']} == dict(pages_of)
assert sum(row['count'] for row in mem['regions']) == mem['samples'] == sum(pages_of.values())
assert sum(row['count'] for row in mem['working_set']) == mem['samples']
traffic = json.loads(run('mem', '--json', '--traffic'))['traffic']
assert not mem['traffic']
for of in 'node', 'object':
    assert sum(row['count'] for row in traffic if row['of'] == of) == mem['samples'], of
assert len(json.loads(run('mem', '--json', '--limit', '3'))['pages']) == 3
END
python3 "$dir/check.py" "$perf_spe" "$page" -i "$examples/shared.data" --symfs "$examples/symfs" \
	>"$out" 2>"$err" || fail 'they differ'

begin "json: hostile names stay texts"
make_program
sym_text | sed 's/^comm .*/comm 10 10 1 1 "a,\\/' | perf_file h.data
for form in --json --csv=tasks; do
	run 0 stat "$form" -i "$dir/h.data"
	mv "$out" "$dir/h$form"
done
python3 - "$dir/h--json" "$dir/h--csv=tasks" 2>"$err" <<'END' || fail 'names'
import csv, json, sys
names = [row['comm'] for row in json.load(open(sys.argv[1]))['tasks']]
assert names == [row['comm'] for row in csv.DictReader(open(sys.argv[2], newline=''))], names
assert '"a,\\' in names, names
END

begin "json: a filter that keeps nothing"
for verb in report stat sharing mem; do
	run 0 "$verb" --json -i "$examples/shared.data" --filter 'total == 60000'
	warns 'keeps none of the 1337 samples'
	python3 -c 'import json, sys; assert json.load(sys.stdin)["samples"] == 0' <"$out" 2>>"$err" ||
		fail "$verb"
done

begin "json: CSV of a table without rows says so"
run 0 sharing --csv=pairs -i "$examples/callers.data" --symfs "$examples/symfs"
[ ! -s "$out" ] || fail 'a line'
warns "sharing: --csv: the table 'pairs' is empty, so it has no line of keys either"

begin "json: what excludes each other"
run 2 report --json --csv
warns 'exclude each other'
run 2 report --csv=rovs
warns "did you mean 'rows'?"
run 2 report --json --summary
run 2 report --json --callers
run 2 report --json --html x.html
run 2 stat --csv --driver
warns "stat: --driver has no --csv: use --json"
run 2 mem --json --png -
finish
