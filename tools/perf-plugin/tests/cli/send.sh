#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe agent --send: profiles of windows to servers that take them, refuse them, ask for
# patience, are slow, have another certificate, or are not there.
# usage: send.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/top.sh
. "$(dirname "$0")/lib/top.sh"

c1=$(printf '%064d' 1)
make_agent_machine "/kubepods/burstable/pod00000000-1111-2222-3333-444444444444/$c1"

settings() {
	printf '%s\n' "spool = $spool" 'memory_mib = 2000' 'window = 0.02' 'every = 0.1' 'host = box' \
		'budget = 100' 'send_seconds = 1' "$@" >"$dir/conf"
}
# windows N: so many windows with their profiles
windows() {
	rm -f "$spool"/*
	"$faked" agent --root "$dir/spe" --config "$dir/conf" --windows "$1" >"$out" 2>"$err" || fail "status $?"
	silent
}
count() { find "$spool" -name "spe-*$1" | wc -l; }
has() { [ "$(count "$1")" -eq "$2" ] || fail "$(count "$1") files *$1, not $2"; }

begin "send: what is wrong with the settings"
wrong() { # MESSAGE LINE...
	local message=$1
	shift
	settings "$@"
	run 2 agent --check --config "$dir/conf"
	warns "$message"
}
wrong 'otlp_url = ftp://x: give a URL that begins with https:// or http://' 'otlp_url = ftp://x'
wrong 'pprof_url = https://: give a URL' 'pprof_url = https://'
wrong 'pprof_url = https:///x: give a URL' 'pprof_url = https:///x'
wrong 'give a URL that begins with https:// or http://, without @' 'otlp_url = http://localhost:1@example.org/' 'token_file = /x'
wrong 'a token may only go to https:// or to this machine' 'otlp_url = http://127.0.0.1.example/' 'token_file = /x'
wrong 'parquet_to needs ' 'parquet_to = x'
wrong 'token_file and ca_file need a path that begins with /' 'token_file = x'
settings
run 2 agent --config "$dir/conf" --send
warns 'agent: --send has nowhere to send to: set otlp_url, pprof_url or parquet_to'
run 2 agent --config "$dir/conf" --once
warns '--once is for --send'
run 2 agent --config "$dir/conf" --send --windows 1
warns '--windows is for sampling'

if ! command -v python3 >/dev/null || ! command -v openssl >/dev/null; then
	skip 'python3 and openssl are missing: apt-get install python3 openssl'
	finish
	exit
fi
settings 'otlp_url = http://127.0.0.1:9/'
run 0 agent --help
if "$perf_spe" agent --config "$dir/conf" --send --once 2>&1 | grep -q 'without which this perf-spe was built\|cannot load libcurl'; then
	skip 'libcurl is missing: apt-get install libcurl4-gnutls-dev'
	finish
	exit
fi

# A server: each request takes a line of the file "answers": the status and a Retry-After, "slow", or "drop";
# without one it is 200.  Request N becomes the files N.body and N.head.
cat >"$dir/server.py" <<'E2'
import http.server, os, ssl, sys, time
folder, certificate = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
number = 0
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global number
        number += 1
        body = self.rfile.read(int(self.headers["Content-Length"]))
        lines = open(folder + "/answers").read().split("\n")
        open(folder + "/answers", "w").write("\n".join(lines[1:]))
        what = lines[0].split() or ["200"]
        open(f"{folder}/{number:03d}.body", "wb").write(body)
        open(f"{folder}/{number:03d}.head", "w").write(f"status {what[0]}\npath {self.path}\n{self.headers}")
        if what[0] == "slow":
            time.sleep(3)
        if what[0] in ("slow", "drop"):
            self.close_connection = True
            return
        answer = bytes.fromhex(what[2]) if len(what) > 2 else b""
        self.send_response(int(what[0]))
        if len(what) > 1 and what[1] != "0":
            self.send_header("Retry-After", what[1])
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
open(folder + "/port.part", "w").write(str(server.server_port))
os.rename(folder + "/port.part", folder + "/port")
server.serve_forever()
E2
# serve [CERTIFICATE]: sets port and server
serve() {
	rm -rf "$dir/got"
	mkdir "$dir/got"
	: >"$dir/got/answers"
	python3 "$dir/server.py" "$dir/got" "$@" &
	server=$!
	for ((i = 0; i < 200; i++)); do
		[ -e "$dir/got/port" ] && break
		sleep 0.05
	done
	port=$(cat "$dir/got/port")
}
stop() { kill "$server" && wait "$server" 2>/dev/null; }
got() { find "$dir/got" -name "*.$1" | sort; }
# send STATUS: once
send() { run "$1" agent --config "$dir/conf" --send --once; }
# headers FILE TEXT
headers() { grep -qiF -- "$2" "$1" || fail "no $2 in $(cat "$1")"; }

begin "send: each profile reaches its server once, with the window's sums"
serve
settings "otlp_url = http://127.0.0.1:$port/v1development/profiles" "pprof_url = http://127.0.0.1:$port/ingest"
windows 3
has .otlp.pb.gz 3
has .pprof.pb.gz 3
samples=$(cat "$spool"/*.jsonl | python3 -c '
import json, sys
print(sum(o["samples"] for o in map(json.loads, sys.stdin) if "format" not in o))')
send 0
silent
has .pb.gz 0
has .jsonl 3
[ "$(got body | wc -l)" -eq 6 ] || fail "$(got body | wc -l) requests"
send 0
[ "$(got body | wc -l)" -eq 6 ] || fail 'sent again'
headers "$dir/got/001.head" 'path /v1development/profiles'
headers "$dir/got/001.head" 'content-type: application/x-protobuf'
headers "$dir/got/001.head" 'content-encoding: gzip'
headers "$dir/got/004.head" 'path /ingest'
! grep -qi 'content-encoding' "$dir/got/004.head" || fail 'pprof is compressed by itself'
cp "$dir"/got/*.body "$dir"
stop

begin "send: the published classes read what was sent"
if ! modules=$("$here/../../setup/doc/otlp" --ready 2>/dev/null) || [ ! -x /usr/bin/python3 ]; then
	skip 'the published classes are missing: make viewers'
else
	for n in 001 002 003; do
		gunzip <"$dir/$n.body" >"$dir/$n.otlp"
		PYTHONPATH=$modules /usr/bin/python3 "$here/viewers/otlp.py" "$dir/$n.otlp" >>"$dir/text" 2>"$err" ||
			fail "otlp.py: $(cat "$err")"
	done
	[ "$(sed -n 's/^samples\/count .* //p' "$dir/text" | paste -sd+ | bc)" = "$samples" ] || fail "not $samples samples"
	grep -q '^samples/count - - - /usr/bin/prog hot ' "$dir/text" || fail "no hot in $(cat "$dir/text")"
	grep -q '^first samples, period 131072$' "$dir/text" || fail "no period in $(cat "$dir/text")"
	PYTHONPATH=$modules /usr/bin/python3 - "$dir" "$c1" <<'E2' >"$err" 2>&1 || fail "$(cat "$err")"
import sys
from opentelemetry.proto.profiles.v1development import profiles_pb2 as p
ids = set()
for n in ("001", "002", "003"):
    d = p.ProfilesData.FromString(open(f"{sys.argv[1]}/{n}.otlp", "rb").read())
    t = d.dictionary
    keys = {t.string_table[a.key_strindex]: a.value.string_value for a in t.attribute_table}
    assert keys["container.id"] == sys.argv[2], keys
    assert keys["k8s.pod.uid"] == "00000000-1111-2222-3333-444444444444", keys
    assert keys["process.linux.cgroup"].startswith("/kubepods/"), keys
    for r in d.resource_profiles:
        assert any(a.key == "host.name" and a.value.string_value == "box" for a in r.resource.attributes)
        for s in r.scope_profiles:
            for one in s.profiles:
                assert len(one.profile_id) == 16 and one.time_unix_nano and one.duration_nano
                ids.add(one.profile_id)
assert len(ids) >= 9, ids
E2
fi

begin "send: a server that asks for patience, fails, or ends the connection gets the profile later"
serve
settings "otlp_url = http://127.0.0.1:$port/"
windows 1
printf '%s\n' '429 2' 500 drop 503 >"$dir/got/answers"
"$perf_spe" agent --config "$dir/conf" --send >"$out" 2>"$err" &
sender=$!
for ((i = 0; i < 300; i++)); do
	[ "$(count .pb.gz)" -eq 0 ] && break
	sleep 0.1
done
kill "$sender"
wait "$sender" || fail "status $?"
has .pb.gz 0
[ "$(got body | wc -l)" -eq 5 ] || fail "$(got body | wc -l) requests"
for n in 2 3 4 5; do cmp -s "$dir/got/001.body" "$dir/got/00$n.body" || fail 'another profile'; done
warns "cannot send to http://127.0.0.1:$port/: HTTP status 429; the profile stays in the spool"
warns 'HTTP status 500'
warns "can send to http://127.0.0.1:$port/ again"
waited=$(($(stat -c %Y "$dir/got/002.body") - $(stat -c %Y "$dir/got/001.body")))
[ "$waited" -ge 1 ] || fail "it did not wait: $waited s"

begin "send: what the server will never take is kept, and the next one goes"
windows 2
printf '400\n' >"$dir/got/answers"
send 0
warns 'HTTP status 400; it is kept as spe-'
has .refused 1
has .gz 0
windows 1
# Of the answer: refused 3, why "no"
printf '200 0 0a06080312026e6f\n' >"$dir/got/answers"
send 0
warns 'only in part: 3 profiles refused: no'
has .gz 0

begin "send: a slow server, none, and a name that does not exist"
windows 1
echo slow >"$dir/got/answers"
send 1
warns "cannot send to http://127.0.0.1:$port/: no answer in 1 s, the send_seconds of the settings; the profile"
stop
send 1
warns "cannot send to http://127.0.0.1:$port/:"
! grep -q ' ms[:;]' "$err" || fail 'a reason that is another one each time'
settings 'otlp_url = http://host.invalid/'
send 1
warns 'cannot send to http://host.invalid/:'
has .otlp.pb.gz 1
rm "$spool"/*
settings "otlp_url = http://127.0.0.1:$port/" "spool = $dir/none"
sed -i 1d "$dir/conf"
send 1
warns "cannot use the spool $dir/none: No such file"

begin "send: TLS, and a token that only the right server gets"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
	-keyout "$dir/key" -out "$dir/certificate" 2>/dev/null || fail 'no certificate'
cat "$dir/key" "$dir/certificate" >"$dir/both"
serve "$dir/both"
echo 'secret-1' >"$dir/token"
settings "otlp_url = https://127.0.0.1:$port/" "token_file = $dir/token"
windows 1
send 1
warns 'cannot send to'
[ -z "$(got body)" ] || fail 'a server without a known certificate got it'
settings "otlp_url = https://127.0.0.1:$port/" "token_file = $dir/token" "ca_file = $dir/certificate"
echo 401 >"$dir/got/answers"
send 1
warns 'HTTP status 401: the server wants another token_file'
echo 'secret-2' >"$dir/token"
send 0
headers "$dir/got/001.head" 'authorization: Bearer secret-1'
headers "$dir/got/002.head" 'authorization: Bearer secret-2'
has .gz 0
windows 1
: >"$dir/token"
send 1
warns "$dir/token has no token"
rm "$dir/token" && mkfifo "$dir/token"
timeout 20 "$perf_spe" agent --config "$dir/conf" --send --once >"$out" 2>"$err" && fail 'it sends'
warns "cannot read the token in $dir/token: it is not a regular file"
stop

begin "send: metrics of what waits"
settings 'otlp_url = https://host.invalid/' "metrics_file = $dir/metrics"
windows 2
grep -qx 'perf_spe_unsent_profiles{format="otlp"} 2' "$dir/metrics" || fail "$(grep unsent "$dir/metrics")"
grep -qx 'perf_spe_refused_profiles 0' "$dir/metrics" || fail 'no count of refused ones'

finish
