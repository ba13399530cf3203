#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe export: the same rows in each format.
# usage: export.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program

perf_file x.data <<END
midrs 2 0x413fd0c1 0xc00fac40
comm 10 10 1 1 a,"b\\c
map 10 $map_prog 2 $id /usr/bin/prog
conv 0 4 1000
rec pc=$(user "$(at "$hot")") total=5 issue=0 xlat=3 class=1 op=0 va=0x5aff800000001040 pa=0x8000000000002040 source=9 events=6 ts=100
rec pc=$(user "$(at "$cold")") class=1 op=1 source=9 events=0
rec pc=0xa0ff800000001000 class=2 op=1 target=0xa0ff800000002000
auxtrace 0 0 10 0
rec class=1 op=0 source=9
auxtrace 1 1 10 0
END
export_as() {
	local format=$1
	shift
	run 0 export -i "$dir/x.data" --symfs "$dir/root" -f "$format" "$@"
}

begin "export: text"
export_as text -F pid,pc,op,total,issue,source_name,events
silent
row_is() {
	[ "$(sed -n "$1p" "$out")" = "$2" ] || fail "row $1 is $(sed -n "$1p" "$out")"
}
row_is 1 "pid=10 pc=$(at "$hot") op=load total=5 issue=0 source_name=peer-core events=retired|l1d-access"
row_is 2 "pid=10 pc=$(at "$cold") op=store events="
row_is 3 "pid=10 pc=0xffff800000001000 op=branch"
# On the other CPU code 9 means another data source.
row_is 4 "pid=10 op=load source_name=l2"

begin "export: script is its name too"
cp "$out" "$dir/text"
run 0 script -i "$dir/x.data" --symfs "$dir/root" -F pid,pc,op,total,issue,source_name,events
cmp -s "$out" "$dir/text" || fail "another text"

begin "export: csv"
export_as csv -F symbol,comm,va,va_tag,pa,pa_space,time,total,events
printf '%s\r\n' symbol,comm,va,va_tag,pa,pa_space,time,total,events \
	'"hot","a,""b\c",0xffff800000001040,90,0x2040,"non-secure",1400,5,"retired|l1d-access"' \
	'"cold","a,""b\c",,,,,,,""' \
	',"a,""b\c",,,,,,,' ',"a,""b\c",,,,,,,' >"$dir/want"
cmp -s "$out" "$dir/want" || fail "$(diff "$out" "$dir/want")"

begin "export: a file's name chooses its format, unless --format does"
for format in csv jsonl folded speedscope; do
	run 0 export -i "$dir/x.data" -f "$format" -o "$dir/format" --symfs "$dir/root"
	suffix=$format
	[ "$format" != speedscope ] || suffix=speedscope.json
	run 0 export -i "$dir/x.data" -o "$dir/name.$suffix" --symfs "$dir/root"
	cmp "$dir/format" "$dir/name.$suffix" >&2 || fail "$suffix is another format"
done
run 0 export -i "$dir/x.data" -f text -o "$dir/format" --symfs "$dir/root"
for name in name.csv.txt name.text csv name.2 .json a.json/name; do
	[[ $name != */* ]] || mkdir -p "$dir/${name%/*}"
	run 0 export -i "$dir/x.data" -o "$dir/$name" --symfs "$dir/root"
	cmp "$dir/format" "$dir/$name" >&2 || fail "$name is not text"
done
run 0 export -i "$dir/x.data" -f text -o "$dir/name.csv" --symfs "$dir/root"
cmp "$dir/format" "$dir/name.csv" >&2 || fail 'not the format that was given'
run 0 export -i "$dir/x.data" -f text -o "$dir/name.json" --symfs "$dir/root"
cmp "$dir/format" "$dir/name.json" >&2 || fail 'not text, though it was given'

begin "export: the name of a format is an ending, and that of none is refused"
"$perf_spe" export --help | sed -n '/--format NAME/,/default/p' | grep -oE '\b(sqlite|pprof|otlp|firefox|speedscope|perfetto)\b' | sort -u >"$dir/formats"
[ "$(wc -l <"$dir/formats")" -eq 6 ] || fail "formats: $(cat "$dir/formats")"
while read -r format; do
	"$perf_spe" export -i "$dir/x.data" -o "$dir/as.$format" --symfs "$dir/root" >"$out" 2>"$err" || { warns 'built without'; continue; }
	head -c 7 "$dir/as.$format" | finds 'offset=' && fail "$format is text"
done <"$dir/formats"
for ending in json:jsonl ndjson:jsonl tsv:csv sqlite3:sqlite; do
	run 2 export -i "$dir/x.data" -o "$dir/refused.${ending%:*}" --symfs "$dir/root"
	warns "no format has files that end in '.${ending%:*}'; give the file another ending, such as .csv, or add --format NAME: did you mean '${ending#*:}'?"
	[ ! -e "$dir/refused.${ending%:*}" ] || fail "there is a file"
done
run 2 export -i "$dir/x.data" -o "$dir/refused.xyz"
warns 'add --format NAME: choose text, csv'

begin "export: csv, JSON and SQLite say the same in every column"
if ! command -v python3 >/dev/null; then
	skip "no python3 to read them"
else
	for format in csv jsonl sqlite; do
		export_as "$format" -o "$dir/x.$format"
	done
	python3 - "$dir/x" >"$out" 2>"$err" <<'END' || fail "they differ"
import csv, json, sqlite3, sys
rows = list(csv.reader(open(sys.argv[1] + ".csv", newline="")))
names = rows.pop(0)
objects = [json.loads(line) for line in open(sys.argv[1] + ".jsonl")]
db = sqlite3.connect(sys.argv[1] + ".sqlite")
table = db.execute("SELECT * FROM samples").fetchall()
assert [c[1] for c in db.execute("PRAGMA table_info(samples)")] == names
assert len(rows) == len(objects) == len(table) == 4
seen = 0
for row, obj, record in zip(rows, objects, table):
    assert set(obj) <= set(names)
    for name, text, value in zip(names, row, record):
        if value is None:
            assert text == "" and name not in obj, name
            continue
        seen += 1
        if isinstance(value, str):
            assert text == value == obj[name], name
        elif text.startswith("0x"):
            assert text == obj[name] == hex(value & 2 ** 64 - 1), name
        else:
            assert int(text) == obj[name] == value, name
assert seen > 40
END
fi

begin "export: the guide's questions to a database have answers"
if ! command -v python3 >/dev/null; then
	skip "no python3 to ask them"
else
	{
		printf 'midrs 2 0x413fd0c1 0x413fd0c1\ncomm 10 10 1 1 a\ncomm 10 11 1 0 b\n'
		for task in 10 11; do
			echo "rec pc=0x1000 total=5 class=1 op=0 va=0x1048 source=9"
			echo "rec pc=0x1000 total=7 class=1 op=1 va=0x1040"
			echo "auxtrace $task -1 $task 0"
		done
	} | perf_file db.data
	rm -f "$dir/ask.db"
	run 0 export -i "$dir/db.data" -f sqlite -o "$dir/ask.db"
	python3 - "$here/../../../Documentation/perf-spe/guide.md" "$dir/ask.db" >"$out" 2>"$err" <<'END' || fail "a question fails"
import re, sqlite3, sys
db = sqlite3.connect(sys.argv[2])
questions = re.findall(r"^    SELECT .*?;$", open(sys.argv[1]).read(), re.S | re.M)
assert len(questions) == 3, len(questions)
for question in questions:
    print(db.execute(question).fetchall())
END
	printf '%s\n' '[(None, 4, 6.0)]' "[(9, 'peer-core', 2, 5.0)]" "[(10, '1040', 2, 4)]" | cmp -s - "$out" ||
		fail "other answers"
fi

begin "export: every column is documented, and --help names them all"
run 0 export --help
columns=$(sed -n '/^Columns/,$ { s/^Columns[^:]*://; p }' "$out" | tr -s ' ' '\n' | grep .)
[ "$(wc -w <<<"$columns")" -gt 30 ] || fail "columns: $columns"
run 0 export -i "$dir/x.data" -f csv -F "$(paste -sd, <<<"$columns")" --symfs "$dir/root"
for column in $columns; do
	grep -q "^| .*\`$column\`.* |" "$here/../../../Documentation/perf-spe/reference/common.md" ||
		fail "$column is not documented"
done

begin "export: --help tells the columns without --fields from those by name only, as the documents do"
run 0 export --help
for title in 'Columns' 'Columns by name only'; do
	awk -v title="$title:" 'index($0, "Columns") == 1 { on = index($0, title) == 1; sub(/^[^:]*:/, "") } on' "$out" |
		tr -s ' ' '\n' | grep . >"$dir/${title##* }.columns"
done
run 0 export -i "$dir/x.data" -f csv --symfs "$dir/root"
head -1 "$out" | tr -d '\r' | tr , '\n' | cmp -s - "$dir/Columns.columns" || fail "the help's: $(paste -sd, "$dir/Columns.columns")"
grep 'by name only *|$' "$here/../../../Documentation/perf-spe/reference/common.md" | sed 's/^| \([^|]*\).*/\1/' |
	grep -o '[a-z_]*' | sort >"$dir/documented"
sort "$dir/only.columns" | cmp -s - "$dir/documented" || fail "by name only: $(paste -sd, "$dir/only.columns")"

# D18.1.3: a reserved SUBCLASS is ignored, like a reserved CLASS.
begin "export: a reserved operation is no other operation"
printf 'rec total=%s class=%s op=%s events=2\n' 1 1 0x83 2 2 0xe3 3 3 0 4 0 0 | raw_file reserved.spe
run 0 export --raw "$dir/reserved.spe" -f csv -F total,op,subclass,op_flags
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '1,,, 2,,, 3,,, 4,other,OTHER,' ] || fail "$(cat "$out")"
run 0 export --raw "$dir/reserved.spe" -f csv -F total --filter 'op == other'
[ "$(tail -n +2 "$out" | tr -d '\r')" = 4 ] || fail "the filter: $(cat "$out")"

# D18.2.7: EVL 0b110 and 0b111, ETS 0b1111 and the reserved 0b1100, CR 0b00 and 0b11
begin "export: what dump tells of an operation"
printf 'rec total=%s class=%s op=%s events=2\n' 1 0 0x68 2 0 0x78 3 0 0xfc 4 0 0xe8 5 2 0 6 2 0x18 | raw_file ops.spe
run 0 export --raw "$dir/ops.spe" -f csv -F total,vector_bits,op_flags
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '1,2048, 2,2048,ABOVE-2048-BITS 3,,WHOLE-ZA 4,, 5,, 6,,NEITHER-LINK-NOR-RETURN' ] ||
	fail "$(cat "$out")"
run 0 export --raw "$dir/ops.spe" -f csv -F total --filter 'op_flags has NEITHER-LINK-NOR-RETURN or op_flags has ABOVE-2048-BITS'
[ "$(tail -n +2 "$out" | tr -d '\r' | paste -sd ' ')" = '2 6' ] || fail "$(cat "$out")"

# Kunpeng 930 has counter 6, of which no public manual tells the meaning.
begin "export: IMPLEMENTATION DEFINED addresses and counters"
raw_file impdef.spe <<'TEXT'
byte b6 11 22 00 00 00 00 00 80 22 b1 01 00 00 00 00 00 00 00 9e 01 01 23 9f ff ff
rec total=1 events=2
rec total=2 events=2
TEXT
run 0 export --raw "$dir/impdef.spe" -f csv -F total,impdef
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '1,address-6=0x8000000000002211|counter-6=257|address-17=0x1|counter-31=65535 2,' ] ||
	fail "$(cat "$out")"

# D18.2.6: E[0] has a meaning if E[1] is 1.  Linux 7.3 names E[12] of Neoverse N1 (0xd0c), and no other core's.
begin "export: events that depend on the core and on other events"
{
	echo 'midrs 2 0x413fd0c1 0x410fd490'
	printf 'rec total=%s events=%s\n' 1 0x1003 2 1
	echo 'auxtrace 0 0 -1 0'
	printf 'rec total=%s events=%s\n' 3 0x1002
	echo 'auxtrace 1 1 -1 0'
} | perf_file events.data
run 0 export -i "$dir/events.data" -f csv -F total,events
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '1,exception|retired|late-prefetch 2,impdef-0 3,retired|impdef-12' ] ||
	fail "$(cat "$out")"
while read -r name want; do
	run 0 export -i "$dir/events.data" -f csv -F total --filter "events has $name"
	[ "$(tail -n +2 "$out" | tr -d '\r' | paste -sd ' ')" = "$want" ] || fail "$name: $(cat "$out")"
done <<<'exception 1
impdef-0 2
late-prefetch 1
impdef-12 3
retired 1 3'
{
	echo 'midrs 2 0x413fd0c1 0x410fd0c0'
	echo 'rec total=1 events=0x1002'
	echo 'auxtrace 0 0 -1 0'
} | perf_file alike.data
run 0 stat -i "$dir/alike.data"
says late-prefetch
run 0 stat -i "$dir/events.data"
says '  exception'
[ "$(awk '/  exception$/ { print $1 }' "$out")" = 1 ] || fail 'E[0] without E[1] is no exception'

begin "export: JSON of names that are no text"
printf 'midrs 1 0\ncomm 10 10 1 1 \001\377é"\nitrace 10 10 0 3\nrec pc=0x8000000000001000\nauxtrace 0 0 10 0\n' |
	perf_file odd.data
run 0 export -i "$dir/odd.data" -f jsonl -F comm
[ "$(cat "$out")" = '{"comm":"\u0001\ufffdé\""}' ] || fail "wrong"

begin "export: bare bytes have what a record has"
printf 'rec pc=0x8000000000001000 total=7 class=1 op=0 source=8' | raw_file x.spe
run 0 export --raw "$dir/x.spe" -F pid,time,pc,total,source,source_name
row_is 1 "pc=0x1000 total=7 source=8"

begin "export: wrong usage"
run 2 export -i "$dir/x.data" -f xml
warns 'choose text, csv, jsonl, sqlite'
run 2 export -i "$dir/x.data" -F pc,nothing
warns "unknown column 'nothing'"
run 2 export -i "$dir/x.data" -F pc,pc
warns 'twice'
run 2 export -i "$dir/x.data" -F ''
run 2 export -i "$dir/x.data" -f sqlite
warns 'cannot go to standard output: add --output FILE'
run 2 export -i "$dir/x.data" -f text -o "$dir/x.data"
warns 'is the input'
[ -s "$dir/x.data" ] || fail "the recording is gone"
run 2 export more

begin "export: without Arrow's library its formats are refused in words"
if "$perf_spe" export -i "$dir/x.data" -f parquet -o "$dir/x.parquet" --symfs "$dir/root" 2>"$err"; then
	skip "this perf-spe has the library: check-parquet tests it"
else
	for format in parquet arrow; do
		run 1 export -i "$dir/x.data" -f "$format" -o "$dir/x.$format" --symfs "$dir/root"
		warns "built without Apache Arrow's library"
		[ ! -e "$dir/x.$format" ] || fail "there is a file"
		[ ! -s "$out" ] || fail "something is written"
	done
fi

begin "export: an output that cannot be written"
run 1 export -i "$dir/x.data" -o "$dir/none/x.csv" --symfs "$dir/root"
warns 'No such file'
if [ -e /dev/full ]; then
	run 1 export -i "$dir/x.data" -o /dev/full --symfs "$dir/root"
	warns 'cannot write'
fi
echo mine >"$dir/mine.db"
run 1 export -i "$dir/x.data" -f sqlite -o "$dir/mine.db" --symfs "$dir/root"
[ "$(cat "$dir/mine.db")" = mine ] || fail "a file that was there is gone"

finish
