#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe fleet: answers from windows whose sums a program without SQL adds up too, and folders
# with other files.
# usage: fleet.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/page.sh
. "$(dirname "$0")/lib/page.sh"
tests=$here/fleet
run 0 fleet --help
if ! "$perf_spe" fleet --show-sql hosts >/dev/null 2>&1; then
	begin "fleet: needs SQLite"
	run 1 fleet hosts .
	warns 'fleet: this perf-spe was built without SQLite'
	finish
	exit
fi
questions=$("$perf_spe" fleet --help | awk '/^  [a-z]+ +[a-z]/ { print $1 }')

for seed in 1 2 3; do
	begin "fleet: each question has the answer of the windows' sums, $seed"
	rm -rf "$dir/fleet"
	mkdir "$dir/fleet"
	python3 "$tests/windows.py" "$dir/fleet" "$seed" || fail 'no windows'
	for question in $questions; do
		run 0 fleet --csv "$question" "$dir/fleet/windows"
		silent
		python3 "$tests/same.py" "$dir/fleet/$question.csv" "$out" 2>"$err" || fail "$question: $(cat "$err")"
	done
	run 0 fleet --csv --sql "$(cat "$tests/rows.sql")" "$dir/fleet/windows"
	silent
	python3 "$tests/same.py" "$dir/fleet/rows.csv" "$out" 2>"$err" || fail "rows: $(cat "$err")"
done
[ "$(wc -w <<<"$questions")" -eq 7 ] || fail "other questions: $questions"
w=$dir/fleet/windows

begin "fleet: text, JSON, and limits"
run 0 fleet functions "$w"
says '# 72 windows of'
says 'vfs_read'
run 0 fleet --limit 2 functions "$w"
[ "$(grep -vc '^#' "$out")" -eq 2 ] || fail "$(cat "$out")"
says '# 4 more rows'
run 0 fleet --limit 2 --json functions "$w"
python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["verb"] == "fleet" and d["windows"] == 72 and d["twice"] == d["damaged"] == 0
assert len(d["rows"]) == 2 and d["rows"][1]["hosts"] == 3' "$out" || fail "$(head -c 300 "$out")"
run 0 fleet --host 'web[01]' --csv hosts "$w"
[ "$(wc -l <"$out")" -eq 3 ] || fail "$(cat "$out")"
run 1 fleet --host 'db*' hosts "$w"
warns "fleet: no window of a host that matches 'db*': change --host"
mkdir "$dir/empty"
run 1 fleet hosts "$dir/empty"
warns 'fleet: found no window of perf spe agent: name the folder'

begin "fleet: the answers fit the terminal"
for question in $questions; do
	PTY_COLUMNS=80 "$(dirname "$fixture")/pty" "$perf_spe" fleet "$question" "$w" >"$out" 2>"$err" <<<'end 0
print' || fail "$question: on a terminal"
	# The screen breaks a line that is wider.
	python3 - "$question" "$out" <(columns=$("$perf_spe" fleet "$question" "$w" | wc -L); echo "$columns") 2>"$err" <<'END' || fail "$(cat "$err")"
import sys
question, screen, whole = sys.argv[1:]
lines = [l.rstrip() for l in open(screen) if l.strip()]
rows = [l for l in lines if not l.startswith("#")]
assert all(l.startswith("  ") for l in rows), (question, rows)
wide = int(open(whole).read()) > 80
assert wide == any("no room for all columns" in l or ".." in l for l in lines), (question, lines)
END
done

page=$here/../../../Documentation/perf-spe/reference/fleet.md
blocks "$page" "$dir/page"
python3 "$tests/windows.py" "$dir/page" 1
mv "$dir/page/windows" "$dir/page/fleet"
shows=0
for shown in "$dir/page"/*.shown; do
	text=$(cat "${shown%.shown}.command")
	begin "fleet: the page: $text"
	run_block "$dir/page" "$text"
	cmp -s "$shown" <(sed 's/ *$//' "$out") || fail "$(diff "$shown" "$out")"
	shows=$((shows + 1))
done
begin "fleet: the page shows answers"
[ "$shows" -eq 4 ] || fail "$shows answers"
begin "fleet: the page's question to raw rows"
run_block "$dir/page" "$(cat "$(grep -l 'FROM rows' "$dir/page"/*.command)")"
[ "$(grep -c '^  web[12] ' "$out")" -eq 2 ] || fail "$(cat "$out")"

begin "fleet: whole numbers keep their digits"
run 0 fleet --csv --sql 'SELECT -9223372036854775807 AS least, 9223372036854775807 AS most' "$w"
says '-9223372036854775807,9223372036854775807'

begin "fleet: own questions only read"
run 0 fleet --csv --sql 'SELECT count(*) AS n, sum(s.samples) AS samples FROM sums s' "$w"
[ "$(tail -n 1 "$out" | tr -d "\r")" = "$(python3 -c '
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
lines = sum(1 for f in sys.argv[2:] for _ in open(f)) - 72
print(lines, sum(int(r["samples"]) for r in rows), sep=",")' "$dir/fleet/hosts.csv" "$w"/*/*)" ] || fail "$(cat "$out")"
for sql in 'DELETE FROM sums' 'PRAGMA user_version = 1' "ATTACH '$dir/new.db' AS new" 'SELECT 1; SELECT 2' 'SELECT nothing' ''; do
	run 2 fleet --sql "$sql" "$w"
	warns 'fleet: --sql'
done
[ ! -e "$dir/new.db" ] || fail 'a new file'
run 2 fleet
warns "fleet: no question given: 'perf spe help fleet' lists the questions"
run 2 fleet functions
warns 'fleet: no folder given: name the folder'
run 2 fleet funtions "$w"
warns "fleet: unknown question 'funtions'; did you mean 'functions'?"
run 1 fleet hosts "$dir/none"
warns "fleet: cannot read $dir/none: No such file or directory; name a folder that you may read"

begin "fleet: windows that are there twice count once"
mkdir "$dir/copy"
cp "$w"/web0/* "$dir/copy"
run 0 fleet --csv hosts "$w" "$dir/copy"
warns 'fleet: 24 windows are there twice: counted once'
python3 "$tests/same.py" "$dir/fleet/hosts.csv" "$out" || fail 'another answer'

begin "fleet: windows that an agent deletes meanwhile"
mkdir "$dir/live"
one=$(find "$w/web0" -name '*.jsonl' | head -n 1)
for ((i = 0; i < 400; i++)); do
	for ((k = 0; k < 50; k++)); do ln -f "$one" "$dir/live/spe-$k.jsonl"; done
	rm -f "$dir"/live/*
	[ ! -e "$dir/live.end" ] || break
done &
for ((n = 0; n < 20; n++)); do
	"$perf_spe" fleet hosts "$dir/live" >"$out" 2>"$err" || true
	! grep -q 'cannot read' "$err" || fail 'a window that is gone'
done
touch "$dir/live.end"
wait
begin "fleet: files that are no whole window are left out, and told"
for damage in 'truncate -s 0' "sed -i 2d" "sed -i '\$a{}'" "sed -i '1s/\"format\": 1/\"format\": 2/'" "sed -i '2s/{/[/'" \
	"sed -i '3s/.*/5/'" "sed -i '1s/.*/{}/'" 'truncate -s -20' "sed -i '1s/\"host\"/\"hast\"/'"; do
	rm -r "$dir/copy"
	cp -r "$w" "$dir/copy"
	file=$(find "$dir/copy/web1" -name '*.jsonl' | sort | head -n 1)
	# A window without a last line for the rest, to which a line can be added twice
	sed -i '1s/"sums": [0-9]*/"sums": 5/; 7,$d' "$file"
	[ "$damage" != "sed -i '\$a{}'" ] || sed -i '$p' "$file"
	eval "$damage '$file'"
	run 1 fleet --csv hosts "$dir/copy"
	warns "fleet: cannot use the window $file: "
	says '"web1",23,'
	says '"web2",24,'
done
cp "$w"/web0/*-00000003.jsonl "$dir/copy/notes.txt"
mkfifo "$dir/copy/fifo.jsonl"
rm "$file"
run 0 fleet --csv hosts "$dir/copy"
silent

begin "fleet: hostile names stay text"
rm -r "$dir/copy"
mkdir "$dir/copy"
hostile=$'\e[2J\'\nx\u00e4'
python3 - "$dir/copy/spe-1-1.jsonl" "$hostile" <<'END'
import json, sys
with open(sys.argv[1], "w") as to:
    for line in ({"format": 1, "id": "spe-1-1", "host": sys.argv[2], "begin_ns": 2**62, "seconds": 1, "cpus": 1,
                  "period": 2**30, "samples": 2**44, "sums": 1, "other": 0, "cut": False, "lost": {}},
                 {"samples": 2**44, "cycles": 2**62, "latencies": [], "symbol": sys.argv[2]}):
        to.write(json.dumps(line) + "\n")
END
for question in $questions; do
	run 0 fleet "$question" "$dir/copy"
	silent
	! grep -q $'\e' "$out" || fail "$question: an escape sequence"
done

# window_of NUMBER HEAD SUM...: with these keys in place of usual ones
window_of() {
	python3 - "$dir/copy/spe-$1.jsonl" "$@" <<'END'
import json, sys
head = {"format": 1, "id": "spe-" + sys.argv[2], "host": "h", "begin_ns": int(sys.argv[2]), "seconds": 1, "cpus": 1,
        "period": 2**30, "samples": 5, "sums": len(sys.argv) - 4, "other": 0, "cut": False, "lost": {}}
with open(sys.argv[1], "w") as to:
    to.write(json.dumps({**head, **eval(sys.argv[3])}) + "\n")
    for sum in sys.argv[4:]:
        to.write(json.dumps({"samples": 5, "cycles": 9, "symbol": "f", "source": "L1", **eval(sum)}) + "\n")
END
}
begin "fleet: a large fleet's cycles exceed 64 bits"
rm "$dir/copy"/*
for n in 1 2 3 4; do window_of $n '{}' '{"cycles": 2**32}' '{"cycles": 2**32}'; done
for question in $questions; do
	run 0 fleet "$question" "$dir/copy"
	silent
done

begin "fleet: loads of a core whose data sources have no names"
rm "$dir/copy"/*
window_of 1 '{}' '{}' '{"source": None, "source_code": 9}'
for question in $questions; do
	run 0 fleet "$question" "$dir/copy"
	case $question in
	sources|remote|shared) warns "fleet: $question leaves out 5 samples of loads whose data source has only a code, because perf-spe does not know its name on that core" ;;
	*) silent ;;
	esac
done
run 0 fleet sources "$dir/copy" --json
json 'd["messages"][0]["text"].startswith("fleet: sources leaves out 5 samples")'
window_of 1 '{}' '{}' '{"source": None, "source_code": 9, "events": "retired,data-snooped"}'
run 0 fleet shared "$dir/copy"
silent
for n in 1 2 3 4; do window_of $n '{}' '{}'; done

begin "fleet: numbers that no agent writes"
for damage in '{"samples": 2**62}' '{"samples": -1}' '{"lost": {"truncated": 2**62}}' '{"seconds": "x"}' '{"period": -1}' \
	'{"begin_ns": "x"}' '{"begin_ns": None}'; do
	window_of 5 "$damage" '{}'
	run 1 fleet hosts "$dir/copy"
	warns 'spe-5.jsonl: its first line does not describe a window'
	says ' h           4 '
done
for damage in '{"samples": 2**62}' '{"samples": -1}' '{"cycles": "x"}' '{"cycles": -1}' '{"symbol": 2000000 * "x"}'; do
	window_of 5 '{}' "$damage" "$damage"
	run 1 fleet functions "$dir/copy"
	warns 'spe-5.jsonl: a line is not a sum'
done
begin "fleet: raw rows that no agent writes"
for rows in '"x"' '[{"cpu": "x"}]' '[{"cpu": -1}]' '[{"va": 0.5}]' '[{"time_ns": "x"}]' '[{"cycles": 2**32}]' '[5]' '[]' '[{}, {}]'; do
	window_of 5 '{"raw_rows": 1}' "{\"rows\": $rows}"
	run 1 fleet functions "$dir/copy"
	warns 'spe-5.jsonl: '
	says ' f '
done
window_of 5 '{"raw_rows": 2}' '{"rows": [{"cpu": 1, "comm": "\x1b[2J"}, {}]}'
run 0 fleet --csv --sql 'SELECT weight, cpu, tid, symbol, source FROM rows ORDER BY cpu' "$dir/copy"
[ "$(tail -n +2 "$out" | tr -d '\r' | paste -sd' ')" = '2.5,,,"f","L1" 2.5,1,,"f","L1"' ] || fail "$(cat "$out")"
run 0 fleet --sql 'SELECT comm FROM rows' "$dir/copy"
! grep -q $'\e' "$out" || fail 'an escape sequence'
rm "$dir/copy/spe-5.jsonl"
run 0 fleet --json --sql 'SELECT 1e999 AS most' "$dir/copy"
json 'd["rows"] == [{"most": None}]'

begin "fleet: a line without end takes no memory"
truncate -s 3G "$dir/copy/spe-5.jsonl"
run 1 fleet hosts "$dir/copy"
warns "fleet: cannot use the window $dir/copy/spe-5.jsonl: "
finish
