#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare Parquet and Arrow files, read by DuckDB, with CSV value by value.  Then
# run the SQL queries of the documentation on a folder of many recordings, and those of
# perf spe fleet on the Parquet files of agents.
# usage: columnar.sh DIRECTORY FIXTURE [RECORDING...]
# DIRECTORY is build/arrow, which tools/setup/doc/arrow makes.

built=$(realpath "$1") recordings=("${@:3}")
# shellcheck source-path=SCRIPTDIR source=cli/lib/cli.sh
. "$(dirname "$0")/cli/lib/cli.sh" "$built/perf-plugin/san/bin/perf-spe" "$2"
results=$dir/results
exec > >(tee "$results")
reference=$here/../../../Documentation/perf-spe/reference

duck() { "$built/duckdb" -csv -noheader -init /dev/null -c "$1" 2>"$err" || fail "DuckDB: $1"; }

# as_csv PARQUET CSV: let DuckDB convert the file to the CSV that perf-spe writes
as_csv() {
	local name type select='' quoted=''
	while IFS=, read -r name type; do
		case $type in
		UBIGINT) select+=", format('0x{:x}', \"$name\") AS \"$name\"" ;;
		*) select+=", \"$name\"" ;;
		esac
		[ "$type" != VARCHAR ] || quoted+=", \"$name\""
	done < <(duck "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '$1')" | tr -d '\r')
	duck "COPY (SELECT ${select#, } FROM '$1') TO '$2' (HEADER, FORCE_QUOTE (${quoted#, }))"
}

# same_as_csv RECORDING OPTIONS...: Parquet and Arrow have the rows of CSV, in order
same_as_csv() {
	local format recording=$1
	shift
	rm -f "$dir"/as.*
	for format in csv parquet arrow; do
		"$perf_spe" export -i "$recording" -f "$format" -o "$dir/as.$format" "$@" 2>"$err" ||
			fail "export -f $format"
	done
	tr -d '\r' <"$dir/as.csv" >"$dir/want"
	"$built/perf-plugin/arrow-to-parquet" "$dir/as.arrow" "$dir/as.arrow.parquet" 2>"$err" ||
		fail "the Arrow file is none"
	for format in parquet arrow.parquet; do
		as_csv "$dir/as.$format" "$dir/got"
		sed -i '1s/"//g' "$dir/got"
		cmp -s "$dir/got" "$dir/want" || fail "$format: $(diff "$dir/got" "$dir/want" | head -n 5)"
	done
	[ "$(wc -l <"$dir/want")" -gt 1 ] || fail "no rows"
}

make_program
samples() {
	cat <<END
midrs 2 0x413fd0c1 0xc00fac40
comm 10 10 1 1 a,"b\\c
comm 11 11 1 1 "é"
map 10 $map_prog 2 $id /usr/bin/prog
conv 0 4 1000
rec pc=$(user "$(at "$hot")") total=5 issue=0 xlat=3 class=1 op=0 va=0x5aff800000001040 pa=0x8000000000002040 source=9 events=6 ts=100
rec pc=$(user "$(at "$cold")") class=1 op=1 source=9 events=0 ctx1=10 ctx2=4294967295
rec pc=0xa0ff800000001000 class=2 op=1 target=0xa0ff800000002000 prev=0xa0ff8000deadbee0
auxtrace 0 0 10 0
rec class=1 op=0 source=9 events=0xffffffffffffffff total=65535
auxtrace 1 1 10 0
rec total=1
auxtrace 2 -1 11 0
END
}
samples | perf_file x.data
every=$("$perf_spe" export --help | sed -n '/^Columns/,$ { s/^Columns[^:]*://; p }' | tr -s ' ' '\n' | grep . | paste -sd,)

begin "columnar: every column of every kind of value is CSV's"
same_as_csv "$dir/x.data" --symfs "$dir/root" -F "$every"

begin "columnar: the columns that are asked for, in their order"
same_as_csv "$dir/x.data" --symfs "$dir/root" -F symbol,total,pc

# A host with one virtual machine: a sample of the host, then one of each level of the guest
{
	printf '%s\n' 'attr 8 1024 0 0x20001 0 0 0 0' 'exclude 0 0 0' 'info 4' 'conv 0 1 0' 'comm 100 100 1 1 vmm'
	printf '%s\n' 'thread 100 101 100 3' 'comm 100 101 4 0 CPU-0/KVM'
	for of in '0xc0ff800000001010 ctx2=101' '0xa0ff800000001010 ctx1=7 ctx2=101' '0x8000000000400100 ctx1=8 ctx2=101'; do
		echo "rec pc=$of total=5 events=2 ts=10"
	done
	echo 'auxtrace 0 0 -1 0'
} | perf_file guests.data
begin "columnar: samples of guests"
same_as_csv "$dir/guests.data" -F guest,vm,vcpu,guest_el,guest_context,pid,tid,object
printf '%s\n' 'NULL,NULL,NULL,NULL,NULL,100,101,[kernel]' 'yes,vmm/100,101,1,7,100,101,[guest.kernel]' \
	'yes,vmm/100,101,0,8,100,101,[guest.user 8]' >"$dir/want"
duck "SELECT * FROM '$dir/as.parquet'" | tr -d '\r' >"$out"
cmp -s "$out" "$dir/want" || fail "$(diff "$dir/want" "$out")"

begin "columnar: types as documented"
"$perf_spe" export -i "$dir/x.data" -f parquet -o "$dir/types.parquet" -F "$every" 2>/dev/null
duck "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '$dir/types.parquet')" | tr -d '\r' >"$out"
while IFS=, read -r column type; do
	grep -q "^| .*\`$column\`.* |.*" "$reference/common.md" || fail "$column is not documented"
	grep -q "\`$column\`" <<<"$(grep "^| \`$type\` |" "$reference/export.md")" || fail "$column is $type"
done <"$out"
[ "$(wc -l <"$out")" -gt 30 ] || fail "few columns"

begin "columnar: more rows than a batch and a row group have"
for ((i = 0; i < 3000; i++)); do
	echo "rec pc=0x80000000000$((10000 + i % 700)) total=$((i % 4000)) events=$((i * 2)) ts=$i"
done >"$dir/recs"
{
	printf 'info 4\nconv 0 4 1000\n'
	for ((i = 0; i < 100; i++)); do cat "$dir/recs"; done
	echo 'auxtrace 0 0 10 0'
} | perf_file many.data
same_as_csv "$dir/many.data"
[ "$(wc -l <"$dir/want")" -eq 300001 ] || fail "not 300000 rows"
[ "$(duck "SELECT count(DISTINCT row_group_id) FROM parquet_metadata('$dir/as.parquet')" | tr -d '\r')" -eq 3 ] ||
	fail "not three row groups"

begin "columnar: several threads write the same bytes as one"
for threads in 1 2 5; do
	PERF_SPE_THREADS=$threads run 0 export -i "$dir/many.data" -f parquet -o "$dir/by$threads.parquet"
	cmp -s "$dir/by1.parquet" "$dir/by$threads.parquet" || fail "$threads threads: other bytes"
done

# parts REST BEGINNING: 40 pieces of one stream, each with 200 records of 15 bytes and much padding.  In
# each but the first the bytes REST come first; in each but the last the bytes BEGINNING come last.
parts() {
	awk -v rest="$1" -v beginning="$2" 'BEGIN {
		print "info 4"
		for (i = 0; i < 40; i++) {
			bytes = 200 * 15 + 700000
			if (rest != "" && i > 0)
				print "byte " rest
			if (i > 0)
				bytes += split(rest, part, " ")
			# PC, events, total latency, END
			for (n = 0; n < 200; n++)
				printf "byte b0 %02x 20 00 00 00 00 00 80 42 %02x 98 %02x 00 01\n", n, (i * 7 + n % 3) % 256, n
			print "pad 700000"
			if (beginning != "" && i < 39)
				print "byte " beginning
			if (i < 39)
				bytes += split(beginning, part, " ")
			print "auxtrace 0 0 10 " offset + 0
			offset += bytes
		}
	}'
}

begin "columnar: threads read parts of a recording, and write what one thread writes"
# The second recording has a record that begins in each piece and ends in the next.
for rest in '' '98 07 00 01'; do
	parts "$rest" "${rest:+b0 10 20 00 00 00 00 00 80}" | perf_file parts.data
	for format in parquet arrow; do
		for threads in 1 2 3; do
			rm -f "$dir/by$threads"
			PERF_SPE_THREADS=$threads run 0 export -i "$dir/parts.data" -f "$format" -o "$dir/by$threads"
			cmp -s "$dir/by1" "$dir/by$threads" || fail "$format, $threads threads, '$rest': other bytes"
		done
	done
	same_as_csv "$dir/parts.data"
	lines=$((1 + 40 * 200))
	[ -z "$rest" ] || lines=$((lines + 39))
	[ "$(wc -l <"$dir/want")" -eq "$lines" ] || fail "$(wc -l <"$dir/want") lines"
done

begin "columnar: a full disk is an error of each thread"
for threads in 1 2; do
	(
		ulimit -f 8
		trap '' XFSZ
		! PERF_SPE_THREADS=$threads "$perf_spe" export -i "$dir/many.data" -f parquet \
			-o "$dir/full.parquet" 2>"$err"
	) || fail "$threads threads: no error"
	warns "$dir/full.parquet: "
	[ ! -e "$dir/full.parquet" ] || fail "$threads threads: a file without end is left"
done

begin "columnar: row groups say the least and greatest number of a column, and not of a text"
duck "SELECT DISTINCT path_in_schema FROM parquet_metadata('$dir/by1.parquet')
	WHERE stats_min_value IS NOT NULL" | tr -d '\r' >"$out"
for column in time total pc; do grep -qx "$column" "$out" || fail "$column has none"; done
! grep -x 'symbol\|object\|op' "$out" || fail "a text has them"

begin "columnar: a recording without samples is a file without rows"
printf 'info 4\npad 64\nauxtrace 0 0 10 0\n' | perf_file none.data
run 0 export -i "$dir/none.data" -f parquet -o "$dir/none.parquet"
[ "$(duck "SELECT count(*) FROM '$dir/none.parquet'" | tr -d '\r')" = 0 ] || fail "rows"

begin "columnar: a file that is there already stays"
echo mine >"$dir/mine.parquet"
run 1 export -i "$dir/x.data" -f parquet -o "$dir/mine.parquet" --symfs "$dir/root"
warns 'already exists'
[ "$(cat "$dir/mine.parquet")" = mine ] || fail "it is gone"

begin "columnar: an output that cannot be written"
for format in parquet arrow; do
	run 1 export -i "$dir/x.data" -f "$format" -o "$dir/none/x" --symfs "$dir/root"
	warns "$dir/none/x: "
done
(
	ulimit -f 8
	trap '' XFSZ
	! "$perf_spe" export -i "$dir/many.data" -f arrow -o "$dir/large.arrow" 2>"$err"
) || fail "a full disk is no error"
warns "$dir/large.arrow: "
[ ! -e "$dir/large.arrow" ] || fail "a file without end is left"

begin "columnar: a folder of two machines' recordings answers the reference's questions"
fleet=$dir/fleet
for host in web1 web2; do
	{
		printf 'text 3 %s\nmidrs 2 0x413fd0c1 0xc00fac40\n' "$host"
		samples | sed -e '/^midrs/d' -e 's/^conv .*/conv 0 1000000000 0/'
		echo 'rec pc=0x8000000000001000 class=1 op=1 va=0xffff800000001040 source=9 total=7 ts=7300'
		echo 'auxtrace 2 -1 11 4096'
		# Another thread of the process loads from the line to which the first one stores.
		echo 'comm 11 12 1 1 second'
		echo 'rec pc=0x8000000000001000 class=1 op=0 va=0xffff800000001044 source=9 total=7 ts=7301'
		echo 'auxtrace 2 -1 12 8192'
	} | perf_file "$host.data"
	run 0 export -i "$dir/$host.data" -f parquet --partition --recorded 2026-03-01T05:30:00Z \
		-o "$fleet" --symfs "$dir/root"
done
duck "SELECT host, date, hour, count(*) FROM read_parquet('$fleet/**/*.parquet', hive_partitioning = true)
	GROUP BY ALL ORDER BY ALL" | tr -d '\r' >"$out"
printf 'web%d,2026-03-01,%s\n' 1 3,1 1 5,6 2 3,1 2 5,6 >"$dir/want"
sed -i 's/,0\([0-9]\),/,\1,/' "$out"
cmp -s "$out" "$dir/want" || fail "$(diff "$out" "$dir/want")"
# Run each SQL query of the documentation that reads such a folder.
awk '/^    -- / { text = "" } /^    / { text = text substr($0, 5) "\n" }
	/^    .*;$/ { if (text ~ /read_parquet/) printf "%s%c", text, 0; text = "" }' "$reference/export.md" >"$dir/queries"
questions=0
while IFS= read -r -d '' query; do
	questions=$((questions + 1))
	(cd "$dir" && duck "$query") >"$out"
	[ -s "$out" ] || fail "no answer: $query"
done <"$dir/queries"
[ "$questions" -ge 3 ] || fail "$questions questions in the reference"

begin "columnar: the questions of perf spe fleet have the same answers on DuckDB"
mkdir "$dir/agents"
python3 "$here/fleet/windows.py" "$dir/agents" 7
awk '/^    / { print substr($0, 5) }' "$reference/fleet.md" | sed -n '/^CREATE VIEW lines/,$p' |
	sed "s|'fleet/|'$dir/agents/windows/|" >"$dir/views"
[ "$(grep -c '^CREATE VIEW' "$dir/views")" -eq 3 ] || fail 'no views in the reference'
query=$(awk '/^    SELECT container/ { on = 1 } !NF { on = 0 } on { print substr($0, 5) }' "$reference/agent.md")
duck "${query//\/var\/lib\/perf-spe\/spool/$dir/agents/windows/web0}" >"$out"
[ "$(wc -l <"$out")" -ge 4 ] || fail "the query of agent.md: $(cat "$out")"
for question in $("$perf_spe" fleet --help | awk '/^  [a-z]+ +[a-z]/ { print $1 }'); do
	{ cat "$dir/views"; "$perf_spe" fleet --show-sql "$question"; echo ';'; } >"$dir/question"
	"$built/duckdb" -csv -init /dev/null <"$dir/question" >"$out" 2>"$err" || fail "$question: $(head -n 3 "$err")"
	python3 "$here/fleet/same.py" "$dir/agents/$question.csv" "$out" 2>"$err" || fail "$question: $(cat "$err")"
done

# shellcheck source-path=SCRIPTDIR source=fleet/partitions.sh
. "$here/fleet/partitions.sh"

for recording in "${recordings[@]}"; do
	begin "columnar: $(basename "$(dirname "$(dirname "$recording")")")'s recording is CSV's"
	same_as_csv "$recording"
done
finish

count() { grep -c "^$1 " "$results"; }
sleep 0.2 # tee
echo "$(count ok) passed, $(count FAIL) failed, $(count skip) skipped"
[ "$(count FAIL)" -eq 0 ]
