# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # what columnar.sh has set
#
# Parquet files of perf spe agent --send, for columnar.sh: perf spe fleet, DuckDB, ClickHouse's engine and Dask give the
# answers of the program that wrote the windows; no window is twice, and none is lost.

# shellcheck source-path=SCRIPTDIR source=storage.sh
. "$here/fleet/storage.sh"
maker=$(dirname "$fixture")/fleet-windows
lake=$dir/lake servers=''
questions=$("$perf_spe" fleet --help | awk '/^  [a-z]+ +[a-z]/ { print $1 }')
begin "partitions: the questions"
[ "$(wc -w <<<"$questions")" -eq 7 ] || fail "other ones: $questions"

# fleet_of SEED HOSTS HOURS WINDOWS SUMS: sets w, and a spool for each host in $dir/spools
fleet_of() {
	rm -rf "$dir/made" "$dir/spools" "$lake"
	mkdir -p "$dir/made" "$dir/spools" "$lake"
	"$maker" "$dir/made" "$@" 2>"$err" || fail 'no windows'
	w=$dir/made/windows
	cp -rl "$w"/* "$dir/spools"
}
# send_as STATUS SPOOL LINE...: send once, with more settings
send_as() {
	local status=$1
	printf '%s\n' "spool = $2" "parquet_to = $lake" "${@:3}" >"$dir/conf"
	run "$status" agent --config "$dir/conf" --send --once
}
send_all() {
	local host
	for host in "$dir/spools"/*; do send_as 0 "$host"; done
}
files_of() { find "$lake" -type f -name "$1" | sort; }
# views ENGINE: the definitions of the documents, for this folder
views() { sed "s|'partitions/|'$lake/|" "$here/../../../Documentation/examples/fleet/$1.sql"; }
# once: each window is in one file; prints windows and samples by the view, and by all rows
once() {
	{
		views duckdb
		echo 'SELECT (SELECT count(*) FROM windows), (SELECT count(DISTINCT (host, id)) FROM windows),
			(SELECT sum(samples) FROM sums), (SELECT sum(samples) FROM files),
			(SELECT sum(samples) FROM windows);'
	} | "$built/duckdb" -csv -noheader -init /dev/null 2>"$err" | tr -d '\r'
}
# answers: each question has the answer of the program that wrote the windows, by fleet and by DuckDB
answers() {
	local question
	for question in $questions; do
		[ -e "$dir/made/$question.csv" ] || fail "no answer to $question"
		run 0 fleet --csv "$question" "$w"
		python3 "$here/fleet/same.py" "$dir/made/$question.csv" "$out" 2>"$err" || fail "fleet $question: $(cat "$err")"
		{ views duckdb; "$perf_spe" fleet --show-sql "$question"; echo ';'; } |
			"$built/duckdb" -csv -init /dev/null >"$out" 2>"$err" || fail "DuckDB $question"
		python3 "$here/fleet/same.py" "$dir/made/$question.csv" "$out" 2>"$err" || fail "DuckDB $question: $(cat "$err")"
	done
}

# by_clickhouse: each question has the same answer by ClickHouse's engine, with the views of standard input
by_clickhouse() {
	local question
	if [ ! -e "$built/clickhouse" ]; then
		skip 'the engine is missing: tools/setup/doc/clickhouse, on amd64'
		return
	fi
	cat >"$dir/views"
	for question in $questions; do
		rm -rf "$dir/engine"
		{ cat "$dir/views"; "$perf_spe" fleet --show-sql "$question"; echo ';'; } >"$dir/question"
		node "$here/clickhouse/query.js" "$built/clickhouse" "$dir/engine" <"$dir/question" >"$out" 2>"$err" ||
			fail "ClickHouse $question"
		python3 "$here/fleet/same.py" "$dir/made/$question.csv" "$out" 2>"$err" || fail "ClickHouse $question: $(cat "$err")"
	done
}

# by_dask LAKE: each question has the same answer by a Dask cluster
by_dask() {
	local question
	if [ ! -e "$built/dask" ]; then
		skip 'Dask is missing: tools/setup/doc/dask'
		return
	fi
	mkdir "$dir/dask"
	# shellcheck disable=SC2086 # words
	(cd "$dir/dask" && "$here/fleet/dask" "$built" "$1" $questions) >"$out" 2>"$err" || {
		fail 'Dask: no answer'
		return
	}
	for question in $questions; do
		python3 "$here/fleet/same.py" "$dir/made/$question.csv" "$dir/dask/$question.csv" 2>"$err" || fail "Dask $question: $(cat "$err")"
	done
	rm -rf "$dir/dask"
}

for seed in 1 2; do
	begin "partitions: the answers are those of the windows, of hours in one file each, $seed"
	fleet_of "$seed" 3 4 6 200
	send_all
	silent
	answers
	[ "$(files_of '*.hour.parquet' | wc -l) $(files_of '*' | wc -l)" = '12 12' ] || fail "other files: $(files_of '*')"
	[ -z "$(find "$dir/spools" -name '*.jsonl.*' -o -name '*.done')" ] || fail 'something waits'
	[ "$(find "$dir/spools" -name '*.jsonl' | wc -l)" -eq 72 ] || fail 'the windows are gone'
done

begin "partitions: ClickHouse's engine has the same answers"
by_clickhouse < <(views clickhouse)

begin "partitions: a Dask cluster has the same answers"
by_dask "$lake"

begin "partitions: the windows of an older agent, which knew no NUMA nodes"
fleet_of 16 2 2 2 20
for file in "$w"/host001/*; do
	# All nodes of the host have the same share, of no loads from another socket.
	sed -i 's/"source":"remote[^"]*"/"source":"dram"/' "$file"
	[[ $file != *T01* ]] || sed -i 's/"node":[0-9]*,//' "$file"
done
rm -rf "$dir/spools"
cp -r "$w" "$dir/spools"
send_all
# Of this host no node is known; its files come first, and have no column of nodes.
while read -r file; do
	duck "COPY (SELECT * EXCLUDE node FROM read_parquet('$file', hive_partitioning = false))
		TO '$dir/older.parquet' (FORMAT parquet)" >"$out"
	mv "$dir/older.parquet" "$file"
done < <(files_of '*' | grep host=host000)
run 0 fleet --csv remote "$w"
cp "$out" "$dir/made/remote.csv"
[ "$(sed -n 's/^"host001",\([01]*\),.*/node \1/p' "$out" | paste -sd,)" = 'node ,node 0,node 1' ] || fail 'other order'
{ views duckdb; "$perf_spe" fleet --show-sql remote; echo ';'; } | "$built/duckdb" -csv -init /dev/null >"$out" 2>"$err" || fail DuckDB
python3 "$here/fleet/same.py" "$dir/made/remote.csv" "$out" 2>"$err" || fail "DuckDB: $(cat "$err")"
questions=remote by_clickhouse < <(views clickhouse)
questions=remote by_dask "$lake"

begin "partitions: raw rows, by fleet, DuckDB and ClickHouse"
rm -rf "$dir/made" "$dir/spools" "$lake"
mkdir "$dir/made" "$lake"
python3 "$here/fleet/windows.py" "$dir/made" 5 2>"$err" || fail 'no windows'
w=$dir/made/windows
cp -r "$w" "$dir/spools"
for window in "$dir/spools"/*/*.jsonl; do ln "$window" "$window.new"; done
send_all
silent
[ "$(files_of '*.hour.parquet' | wc -l) $(files_of '*' | wc -l)" = '6 6' ] || fail "other files: $(files_of '*')"
answers
by_clickhouse < <(views clickhouse)
# rows WHO: whether the answer is that of the program that wrote the windows
rows() { python3 "$here/fleet/same.py" "$dir/made/rows.csv" "$out" 2>"$err" || fail "$1: $(cat "$err")"; }
run 0 fleet --csv --sql "$(cat "$here/fleet/rows.sql")" "$w"
rows fleet
# Files from before there were raw rows have no such column, and no rows.
older=$(files_of '*' | grep host=web0 | head -n 1)
columns=$(duck "SELECT string_agg(column_name, ', ') FROM (DESCRIBE SELECT * FROM '$older' LIMIT 1) WHERE column_name IN
	('raw_rows', 'weight', 'cpu', 'time_ns', 'pid', 'tid', 'comm', 'op', 'va', 'issue', 'xlat')" | tr -d '\r"')
[ "$(tr -cd , <<<"$columns" | wc -c)" -eq 10 ] || fail "columns $columns"
duck "COPY (SELECT * EXCLUDE ($columns) FROM '$older') TO '$dir/older.parquet' (FORMAT parquet)"
mv "$dir/older.parquet" "$older"
for engine in duckdb clickhouse; do
	{ views $engine; views $engine-rows; cat "$here/fleet/rows.sql"; echo ';'; } >"$dir/question"
	if [ $engine = duckdb ]; then
		"$built/duckdb" -csv -init /dev/null <"$dir/question" >"$out" 2>"$err" || fail DuckDB
	elif [ -e "$built/clickhouse" ]; then
		rm -rf "$dir/engine"
		node "$here/clickhouse/query.js" "$built/clickhouse" "$dir/engine" <"$dir/question" >"$out" 2>"$err" || fail ClickHouse
	else
		continue
	fi
	rows $engine
done
answers
fleet_of 2 3 4 6 200
send_all

begin "partitions: the same windows again are the same files"
before=$(once)
for host in "$dir/spools"/*; do
	for window in "$host"/*.jsonl; do ln "$window" "$window.new"; done
done
send_all
[ "$(once)" = "$before" ] || fail "$(once), not $before"
[ "$(files_of '*' | wc -l)" -eq 12 ] || fail "other files: $(files_of '*')"

begin "partitions: an hour that is not over has a file for each window"
fleet_of 3 1 2 6 50
spool=$dir/spools/host000
now=$(date -u +%s)
# A window of the last hour that is too young to be merged has a name with its time.
for window in "$spool"/*.new; do rm "$window"; done
for age in 0 1 2; do
	id=$(date -u -d "@$((now - age))" +%Y%m%dT%H%M%S).000Z-0000000$age
	sed "1s/\"id\":\"[^\"]*\"/\"id\":\"$id\"/; 1s/\"begin_ns\":[0-9]*/\"begin_ns\":$(((now - age) * 1000000000))/" \
		"$(find "$spool" -name 'spe-20261101T0[01]*.jsonl' | sort | sed -n "$((age + 1))p")" >"$spool/spe-$id.jsonl"
	ln "$spool/spe-$id.jsonl" "$spool/spe-$id.jsonl.new"
done
send_as 0 "$spool"
[ "$(files_of '*Z-0000000[012].parquet' | wc -l)" -eq 3 ] || fail "$(files_of '*')"
[ "$(find "$spool" -name '*.jsonl.hour' | wc -l)" -eq 3 ] || fail 'they do not wait for their hour'
send_as 0 "$spool"
[ "$(files_of '*' | wc -l)" -eq 3 ] || fail 'sent again'
duck "SELECT DISTINCT kv.key || '=' || kv.value FROM parquet_kv_metadata('$(files_of '*' | head -n 1)') kv" >"$out"
[ "$(tr -d '\r' <"$out" | grep -cx 'perf-spe.windows=1\|perf-spe.host=host000')" -eq 2 ] || fail 'no version or host'

begin "partitions: killed at any time, no window is twice or lost"
fleet_of 4 1 6 12 300
spool=$dir/spools/host000
printf '%s\n' "spool = $spool" "parquet_to = $lake" >"$dir/conf"
before=0
for ((i = 0; i < 60; i++)); do
	"$built/perf-spe" agent --config "$dir/conf" --send --once 2>"$err" &
	pid=$!
	sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
	kill -9 "$pid" 2>/dev/null || before=$((before + 1))
	wait "$pid" 2>/dev/null
	[[ $((i % 6)) -eq 0 && -n $(files_of '*.parquet') ]] || continue
	IFS=, read -r all different sums _ heads < <(once)
	[ "$all $sums" = "$different $heads" ] || fail "kill $i: $all windows, $different different, $sums of $heads samples"
done
[ "$before" -lt 50 ] || fail "only $((60 - before)) kills met it"
send_as 0 "$spool"
answers
IFS=, read -r all different sums plain _ < <(once)
[ "$all $different $sums" = "72 72 $plain" ] || fail "$all windows, $different different, $sums and $plain samples"
[ "$(files_of '*.parquet' | wc -l)" -eq 6 ] || fail "other files: $(files_of '*')"

begin "partitions: a list of merged windows that a crash left is finished"
fleet_of 5 1 2 4 200
spool=$dir/spools/host000
send_as 0 "$spool"
first=$(files_of '*.hour.parquet' | head -n 1)
folder=${first%/*} folder=${folder#"$lake/"}
id=$(basename "$first" .hour.parquet)
cp "$first" "$lake/$folder/$id.parquet"
ln "$spool/$id.jsonl" "$spool/$id.jsonl.hour"
printf '%s\n%s' "$folder" "$id" >"$spool/$id.hour.done"
before=$(once)
send_as 0 "$spool"
[ "$(files_of '*' | wc -l)" -eq 2 ] || fail "$(files_of '*')"
[ -z "$(find "$spool" -name '*.hour' -o -name '*.done')" ] || fail 'the list is left'
IFS=, read -r all different sums plain _ < <(once)
[ "$all $sums" = "8 $plain" ] || fail "$(once), before $before"

begin "partitions: readers of this version read a file with another column"
newer=$(files_of '*.hour.parquet' | head -n 1)
duck "COPY (SELECT *, 5 AS later FROM '$newer') TO '$dir/newer.parquet' (FORMAT parquet)"
before=$(once)
mv "$dir/newer.parquet" "$newer"
[ "$(once)" = "$before" ] || fail 'other answers'
answers

begin "partitions: the names of a file and of its new folders are on the disk before its window stops waiting"
fleet_of 15 1 2 1 20
if ! command -v strace >/dev/null; then
	skip 'strace is missing'
else
	printf '%s\n' "spool = $dir/spools/host000" "parquet_to = $lake" >"$dir/conf"
	strace -f -y -e trace=fsync,rename,unlink -o "$dir/calls" "$built/perf-spe" agent --config "$dir/conf" --send --once 2>"$err" ||
		fail 'not sent'
	folder=$(dirname "$(files_of '*' | head -n 1)")
	sed -n '0,/\(rename\|unlink\).*jsonl[.]new/p' "$dir/calls" >"$dir/first"
	while
		grep -qF "<$folder>)" "$dir/first" || fail "$folder is not synced: $(cat "$dir/first")"
		[ "$folder" != "$lake" ]
	do
		folder=${folder%/*}
	done
fi

begin "partitions: a folder that cannot be written, and one that is full"
fleet_of 6 1 2 4 20
spool=$dir/spools/host000
rmdir "$lake"
send_as 1 "$spool"
warns "cannot write to $lake/host=host000: No such file or directory; create the folder $lake"
[ "$(wc -l <"$err")" -eq 1 ] || fail 'a message for each window'
warns 'the window stays in the spool until a later try'
[ "$(find "$spool" -name '*.new' | wc -l)" -eq 8 ] || fail 'a window is gone'
mkdir "$lake"
if unshare -rm true 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's variables
	unshare -rm bash -c 'mount -t tmpfs -o size=12k none "$1" && ! "$2" agent --config "$3" --send --once &&
		find "$1" -type f | sed "s/^/left: /"' full "$lake" "$perf_spe" "$dir/conf" >"$out" 2>"$err" ||
		fail 'a full disk is no error'
	warns 'No space left on device'
	[ "$(grep -c '^left: ' "$out")" -eq "$(grep -c '^left: .*[.]parquet$' "$out")" ] || fail 'a part is left'
	for window in "$spool"/*.hour; do mv "$window" "${window%.hour}.new"; done
fi
send_as 0 "$spool"
[ "$(files_of '*.hour.parquet' | wc -l)" -eq 2 ] || fail "$(files_of '*')"

begin "partitions: a window that this user may not read waits"
fleet_of 12 1 2 2 20
spool=$dir/spools/host000
ln -sfn loop "$spool/loop"
mv "$spool"/spe-20261101T000000*.new "$dir/aside"
ln -s loop "$spool/spe-20261101T000000.000Z-00000000.jsonl.new"
send_as 1 "$spool"
warns "cannot read $spool/spe-20261101T000000.000Z-00000000.jsonl.new: "
[ -z "$(find "$spool" -name '*.refused')" ] || fail 'it is refused'
rm "$spool/spe-20261101T000000.000Z-00000000.jsonl.new" "$spool/loop"

begin "partitions: --send deletes no window for room"
fleet_of 13 1 2 12 1000
spool=$dir/spools/host000
[ "$(du -sb "$spool" | cut -f1)" -gt 2000000 ] || fail 'the spool is not above its limit'
send_as 0 "$spool" 'spool_mib = 1'
[ "$(find "$spool" -name '*.jsonl' | wc -l) $(files_of '*' | wc -l)" = '24 2' ] || fail "$(ls "$spool")"

begin "partitions: two at once"
fleet_of 14 1 2 4 20
spool=$dir/spools/host000
printf '%s\n' "spool = $spool" "parquet_to = $lake" >"$dir/conf"
"$perf_spe" agent --config "$dir/conf" --send 2>"$dir/first" &
first=$!
for ((i = 0; i < 100; i++)); do
	[ "$(files_of '*' | wc -l)" -ne 2 ] || break
	sleep 0.1
done
send_as 1 "$spool"
warns "another perf spe agent --send works on the spool $spool: end it, or let it do this"
kill "$first" && wait "$first"
send_as 0 "$spool"
[ ! -s "$dir/first" ] || fail "$(cat "$dir/first")"

begin "partitions: what is no window is kept aside"
fleet_of 7 1 2 4 20
spool=$dir/spools/host000
rm "$spool"/*.new
echo '{}' >"$spool/spe-20261101T000000.000Z-1.jsonl.new"
send_as 0 "$spool"
warns 'is kept as spe-20261101T000000.000Z-1.jsonl.new.refused'
[ -z "$(files_of '*')" ] || fail 'a file'

begin "partitions: the name of a host in a folder's name, and windows of several hosts"
sed '1s/"host":"host000"/"host":"we b\/1"/' "$w"/*/spe-20261101T000000*.jsonl >"$spool/spe-20261101T000000.000Z-2.jsonl.new"
cp "$(find "$w" -name 'spe-20261101T001500*.jsonl')" "$spool/spe-20261101T001500.000Z-3.jsonl.new"
send_as 0 "$spool"
[ "$(files_of '*' | paste -sd' ')" = "$lake/host=host000/date=2026-11-01/hour=00/spe-20261101T001500.000Z-3.parquet \
$lake/host=we%20b%2F1/date=2026-11-01/hour=00/spe-20261101T000000.000Z-2.parquet" ] || fail "$(files_of '*')"

begin "partitions: the agent's own windows"
# shellcheck source-path=SCRIPTDIR/.. source=cli/lib/top.sh
. "$here/cli/lib/top.sh"
faked=$built/perf-plugin/san/bin/faked
make_agent_machine "/docker/$(printf '%064d' 1)"
rm -rf "$lake" && mkdir "$lake"
printf '%s\n' "spool = $spool" 'memory_mib = 2000' 'window = 0.02' 'every = 0.1' 'host = box' 'budget = 100' \
	"parquet_to = $lake" "metrics_file = $dir/metrics" >"$dir/conf"
"$faked" agent --root "$dir/spe" --config "$dir/conf" --windows 3 2>"$err" || fail 'the agent'
[ "$(find "$spool" -name '*.jsonl.new' | wc -l)" -eq 3 ] || fail 'no window waits'
grep -qx 'perf_spe_unsent_profiles{format="parquet"} 3' "$dir/metrics" || fail "$(grep unsent "$dir/metrics")"
bytes=$(cat "$spool"/*.jsonl | wc -c)
told=$(sed -n 's/^perf_spe_spool_bytes //p' "$dir/metrics")
# Each of the two names of a file counts half of it.
[[ $((bytes - told)) -ge 0 && $((bytes - told)) -le 3 ]] || fail "$told bytes, not $bytes"
run 0 agent --config "$dir/conf" --send --once
IFS=, read -r all _ sums _ heads < <(once)
[[ $all = 3 && $sums = "$heads" && $sums -gt 0 ]] || fail "$(once)"

begin "partitions: all raw rows of the agent's own windows add up to the sums, and the weights of some to the samples"
for most in 2500 9; do
	rm -rf "$lake" "$spool" && mkdir "$lake" "$spool"
	{ grep -v '^metrics' "$dir/conf" && printf '%s\n' 'raw_share = 100' "raw_rows = $most"; } >"$dir/conf.raw"
	FAKE_DATA=0x7f0000001000 "$faked" agent --root "$dir/spe" --config "$dir/conf.raw" --windows 2 2>"$err" || fail 'the agent'
	run 0 agent --config "$dir/conf.raw" --send --once
	# A line for each sum whose rows are not all there, or add up to something else; then windows and rows
	{
		views duckdb
		views duckdb-rows
		echo "CREATE VIEW of_sum AS SELECT id, symbol, count(*) AS n, sum(cycles) AS cycles, min(va) AS least, max(va) AS most,
			sum(weight) AS weight FROM rows GROUP BY id, symbol;
			SELECT * FROM sums FULL JOIN of_sum USING (id, symbol) WHERE $most > 9 AND NOT (samples = n AND
			sums.cycles = of_sum.cycles AND least = 139637976731648 AND most >= least AND (most - least) % 8 = 0
			AND round(weight) = samples) IS TRUE;
			SELECT count(DISTINCT id), count(*), round(sum(weight)) = (SELECT sum(samples) FROM sums) FROM rows;"
	} | "$built/duckdb" -csv -noheader -init /dev/null >"$out" 2>"$err" || fail DuckDB
	read -r want < <(grep -h '"raw_rows"' "$spool"/*.jsonl | jq -s 'map(.raw_rows) | add')
	[ "$(tr -d '\r' <"$out")" = "2,$want,true" ] || fail "not 2,$want,true: $(cat "$out")"
	[ "$want" -eq $((most > 9 ? 80 : 18)) ] || fail "$want rows"
done

# A relay to the server at PORT: each connection takes a line of the file "answers": a status is the answer, with a
# Retry-After; "drop" ends the connection when the server has done what was asked; else the server's answer comes.
cat >"$dir/relay.py" <<'END'
import os, socket, sys, threading
folder, port = sys.argv[1], int(sys.argv[2])
lock = threading.Lock()
def serve(client):
    with lock:
        lines = open(folder + "/answers").read().split("\n")
        open(folder + "/answers", "w").write("\n".join(lines[1:]))
        what = lines[0]
        data = b""
        while b"\r\n\r\n" not in data:
            data += client.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        lengths = [int(l.split(b":")[1]) for l in head.lower().split(b"\r\n") if l.startswith(b"content-length:")]
        while len(body) < sum(lengths):
            body += client.recv(65536)
        open(folder + "/log", "a").write(f"{what or 'pass'} {head.split()[0].decode()} {head.split()[1].decode()}\n")
        if what.isdigit():
            client.sendall(b"HTTP/1.1 " + what.encode() + b" no\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        else:
            server = socket.create_connection(("127.0.0.1", port))
            server.sendall(head.replace(b"\r\nAccept: */*", b"\r\nConnection: close") + b"\r\n\r\n" + body)
            answer = b""
            while more := server.recv(65536):
                answer += more
            if what != "drop":
                client.sendall(answer)
        client.close()
listening = socket.create_server(("127.0.0.1", 0))
open(folder + "/port.part", "w").write(str(listening.getsockname()[1]))
os.rename(folder + "/port.part", folder + "/port")
while True:
    threading.Thread(target=serve, args=(listening.accept()[0],), daemon=True).start()
END

# begin_relay: sets relay, its port
begin_relay() {
	local i
	mkdir "$dir/relay"
	: >"$dir/relay/answers"
	python3 "$dir/relay.py" "$dir/relay" "$store" 2>"$dir/relay/err" &
	servers+=" $!"
	for ((i = 0; i < 300; i++)); do
		[ ! -e "$dir/relay/port" ] || break
		sleep 0.1
	done
	relay=$(cat "$dir/relay/port")
}
# store_as STATUS SPOOL LINE...: send once to the bucket
store_as() {
	local status=$1
	printf '%s\n' "spool = $2" "parquet_to = http://127.0.0.1:$relay/fleet/lake" "s3_key_file = $dir/key" "${@:3}" >"$dir/conf"
	run "$status" agent --config "$dir/conf" --send --once
}
requests() { grep -c "^.* $1 " "$dir/relay/log"; }

begin "partitions: settings of a bucket"
for line in http://h s3://h/b http://u@h/b 'http://h/b?x' http://h/ http://h// http:///b lake; do
	printf '%s\n' "parquet_to = $line" 's3_key_file = /k' >"$dir/conf"
	run 2 agent --check --config "$dir/conf"
	warns 'parquet_to needs a path that begins with /, or https://HOST/BUCKET'
done
printf '%s\n' 'parquet_to = https://h/b' >"$dir/conf"
run 2 agent --check --config "$dir/conf"
warns 's3_key_file needs a path that begins with /'
printf '%s\n' 'parquet_to = https://h/b' 's3_key_file = /k' 's3_region = x:y' >"$dir/conf"
run 2 agent --check --config "$dir/conf"
warns 's3_region = x:y: give letters, digits and -'
for host in "$(printf 'x%.0s' {1..251})" "$(printf 'ü%.0s' {1..42})"; do
	printf '%s\n' "parquet_to = $lake" "host = $host" >"$dir/conf"
	run 2 agent --check --config "$dir/conf"
	warns 'its folder would have more than 250 bytes: shorten it'
	printf '%s\n' "parquet_to = $lake" "host = ${host%?}" >"$dir/conf"
	run 0 agent --check --config "$dir/conf"
done

begin "partitions: a bucket of radosgw gets the files of the folder"
if [ ! -x "$built/radosgw" ]; then
	skip 'radosgw is missing: tools/setup/doc/radosgw'
else
	begin_storage
	begin_relay
	fleet_of 8 2 3 6 200
	echo key1:secret1 >"$dir/key"
	for spool in "$dir/spools"/*; do
		cp -rl "$spool" "$dir/twin"
		send_as 0 "$dir/twin"
		rm -r "$dir/twin"
		store_as 0 "$spool"
		silent
	done
	(cd "$dir" && find lake -type f | sort) >"$dir/want"
	objects | cmp -s - "$dir/want" || fail "objects: $(objects)"
	while read -r object; do
		ask GET "/fleet/${object//=/%3D}" -o "$dir/object"
		cmp -s "$dir/object" "$dir/$object" || fail "other bytes in $object"
	done <"$dir/want"
	[ "$(requests PUT) $(requests DELETE)" = '42 36' ] || fail "$(requests PUT) PUT, $(requests DELETE) DELETE"
	store_as 0 "$spool"
	[ "$(requests PUT) $(requests DELETE)" = '42 36' ] || fail 'sent again'

	begin "partitions: ClickHouse's engine reads the bucket"
	rm -r "$lake"
	by_clickhouse < <(views clickhouse | sed "s|file('$lake/\(.*\)', 'Parquet')|s3('http://127.0.0.1:$store/fleet/lake/\1', 'key1', 'secret1', 'Parquet')|")

	begin "partitions: a Dask cluster reads the bucket"
	FSSPEC_S3_ENDPOINT_URL=http://127.0.0.1:$store FSSPEC_S3_KEY=key1 FSSPEC_S3_SECRET=secret1 by_dask s3://fleet/lake

	begin "partitions: DuckDB reads the bucket, which s3fs mounts"
	if [ ! -w /dev/fuse ] || ! unshare -rm true 2>/dev/null; then
		skip 'nothing can be mounted by FUSE here: /dev/fuse and user namespaces are needed'
	else
		mkdir "$lake" "$dir/answers"
		for question in $questions; do
			{ views duckdb; "$perf_spe" fleet --show-sql "$question"; echo ';'; } >"$dir/answers/$question"
		done
		# shellcheck disable=SC2016 # the inner shell's variables
		in_mount "$lake" bash -c 'for question in "$2"/*; do "$1" -csv -init /dev/null <"$question" >"$question.csv" || exit; done' \
			ask "$built/duckdb" "$dir/answers" >"$out" 2>"$err" || fail 'DuckDB: no answer'
		for question in $questions; do
			python3 "$here/fleet/same.py" "$dir/made/$question.csv" "$dir/answers/$question.csv" 2>"$err" ||
				fail "DuckDB $question: $(cat "$err")"
		done
		rm -r "$lake" "$dir/answers"
	fi

	begin "partitions: a bucket that fails, or whose answer is lost, has each object once"
	fleet_of 9 1 2 6 50
	spool=$dir/spools/host000
	: >"$dir/relay/log"
	printf 'drop\ndrop\n500\n' >"$dir/relay/answers"
	store_as 1 "$spool"
	warns "cannot send to http://127.0.0.1:$relay/fleet/lake: "
	warns 'HTTP status 500; the window stays in the spool'
	[ "$(find "$spool" -name '*.new' | wc -l)" -eq 3 ] || fail 'a window is gone, or not sent'
	for ((i = 0; i < 20; i++)); do
		# Files of windows and of hours, and deletions, whose answers are lost
		yes pass | head -n "$i" >"$dir/relay/answers"
		echo drop >>"$dir/relay/answers"
		"$perf_spe" agent --config "$dir/conf" --send --once 2>"$err" && break
	done
	[[ $i -gt 1 && $i -lt 20 ]] || fail "$i tries"
	objects | grep -c 'host=host000/date=2026-11-01/hour=0[01]/.*Z-00000000.hour.parquet' >"$out"
	[ "$(cat "$out") $(objects | grep -vc 'hour.parquet')" = '2 0' ] || fail "$(objects)"
	[ -z "$(find "$spool" -name '*.jsonl.*' -o -name '*.done')" ] || fail 'something waits'

	begin "partitions: a wrong key, and none"
	fleet_of 10 1 2 1 20
	spool=$dir/spools/host000
	echo key1:other >"$dir/key"
	store_as 1 "$spool"
	warns 'HTTP status 403: the server wants another s3_key_file or s3_region'
	for key in key1 key1: :secret1 ' : '; do
		echo "$key" >"$dir/key"
		store_as 1 "$spool"
		warns "$dir/key has no key: write ACCESS_KEY:SECRET_KEY as the first line"
	done
	rm "$dir/key"
	store_as 1 "$spool"
	warns "cannot read the key in $dir/key: No such file"
	[ "$(find "$spool" -name '*.new' | wc -l)" -eq 2 ] || fail 'a window is gone'
	printf ' key1:secret1 \t\r\nother:key\n' >"$dir/key"
	sed -i 's|/fleet/lake|/nothing/lake|' "$dir/conf"
	run 1 agent --config "$dir/conf" --send --once
	warns 'HTTP status 404: the server has no such bucket'
	echo 301 >"$dir/relay/answers"
	store_as 1 "$spool"
	warns 'HTTP status 301: the bucket may be in another s3_region, or at another URL'
	store_as 0 "$spool"

	begin "partitions: a bucket's names with characters that a URL escapes"
	fleet_of 11 1 2 1 20
	printf '%s\n' "spool = $dir/spools/host000" "parquet_to = http://127.0.0.1:$relay/fleet/team=x+y" \
		"s3_key_file = $dir/key" >"$dir/conf"
	run 0 agent --config "$dir/conf" --send --once
	[ "$(objects | grep -c '^team=x.y/host=host000/.*parquet$')" -eq 2 ] || fail "$(objects)"
	end_storage
fi
