#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Hostile names of programs, files, symbols, hosts, commands and events: no verb, format, message
# or hint prints what commands a terminal, forges a line, or runs in a shell.
# usage: names.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
command -v python3 >/dev/null || { this_case=names && skip 'no python3'; exit; }

make_names() {
	python3 - "$dir" "$fixture" "${CC:-cc}" <<'END'
import os, subprocess, sys
top, fixture, cc = sys.argv[1:]

names = [s if isinstance(s, bytes) else s.encode() for s in [
    "\x1b]0;T\x07", "\x1b[31m", "a\x1bc", "\x07", "\x08\x08", "a\x7f", "\x9d0;T\x9c", "\x9b31m", "\x85next",
    b"\x9d0;T\x9c", b"\x9b31m", b"\xff\xfe", b"a\xc3", b"\xe2\x80", b"\xc0\x9b", b"\xed\xa0\x80",
    b"\xf5\x80\x80\x80", b"\xe0\x82\x9b", "\u061ca", "\u200ea", "\u200fa", "\u202aa", "\u202ea", "\u2066a", "\u2069a",
    "\u2028FORGED", "\u2029FORGED", "a\n\n\nFORGED", "\n\n\nFORGED", "a\r\r\rFORGED", "a\t\t\tb", "=1+1", "+1+1",
    "-1+1", "@SUM(1)", "$(touch pwned)", "`touch pwned`", "a;touch pwned", "'\"\\", "a   b;c:1", "<b>&amp;\"'",
    "--help", "%s%n", "\u00e9\u4e2d\U0001f600",
]]
assert len(names) >= 40
os.makedirs(top + "/root/usr/bin")
# The fixture's words end at blanks: these bytes stand for three blanks each.
stands = {b"\n": b"\xf7N\xf7", b"\r": b"\xf7R\xf7", b"\t": b"\xf7T\xf7", b" ": b"\xf7S\xf7"}

def word(name):
    for blank, stand in stands.items():
        name = name.replace(3 * blank, stand).replace(blank, b"_")
    return name

def unword(data):
    for blank, stand in stands.items():
        data = data.replace(stand, 3 * blank)
    return data

def held(i, name):
    return (b"f%02d" % i).ljust(max(len(name), 4), b"z")

# One function for each name.  The names in the table of symbols are replaced.
names = [unword(word(name)) for name in names]
code = "".join("int %s(int x) { return x * %d; }\n" % (held(i, n).decode(), i + 3) for i, n in enumerate(names))
open(top + "/p.c", "w").write(code + "void _start(void) { }\n")
subprocess.run([cc, "-O0", "-g", "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=sha1", "-o", top + "/p",
                top + "/p.c"], check=True)
table = subprocess.run(["nm", top + "/p"], check=True, stdout=subprocess.PIPE).stdout.split(b"\n")
address = {line.split()[2]: int(line.split()[0], 16) for line in table if len(line.split()) == 3}
segments = subprocess.run(["readelf", "-lW", top + "/p"], check=True, stdout=subprocess.PIPE).stdout.split(b"\n")
segment = [line.split() for line in segments if b"LOAD" in line and (b"R E" in line or b"RE" in line)][0]
elf = open(top + "/p", "rb").read()
for i, name in enumerate(names):
    elf = elf.replace(held(i, name) + b"\0", name.ljust(4, b"z") + b"\0")

lines = [b"info 4", b"text 3 " + word(names[0]), b"text 8 " + word(names[1]), b"osrelease " + word(names[6]),
         b"words 11 perf record " + word(b"-".join(names[:20])) + b" " + word(b"-".join(names[20:])),
         b"names 1 " + word(names[7]), b"pmus 8 " + word(names[9])]
for i, name in enumerate(names):
    path = unword(word(b"/usr/bin/" + name.replace(b"/", b"_")))
    open(top.encode() + b"/root" + path, "wb").write(elf)
    pid, start = 100 + i, 0x7000000000
    lines += [b"comm %d %d 1 1 %s" % (pid, pid, word(name[:15])),
              b"map %d 0x%x 0x100000 %s 2 - %s" % (pid, start, segment[1], word(path)),
              b"dmap %d %d 0x60000000 0x10000 0 2 3 %s" % (pid, pid, word(b"/data/" + name.replace(b"/", b"_"))),
              b"itrace %d %d 0 3" % (pid, pid)]
    pc = start + address[held(i, name)] - int(segment[2], 16) | 1 << 63
    for k in range(6):
        lines += [b"rec pc=0x%x total=%d class=1 op=%d va=0x%x source=8 ts=%d" %
                  (pc, 500 + i, k & 1, 0x60000000 + 8 * i, 10 * i + k)]
    # Without a name
    lines += [b"rec pc=0x%x total=9 class=2 op=1 target=0x%x" % (start + 0xffff0 | 1 << 63, pc),
              b"auxtrace 0 0 %d %d" % (pid, 0)]
for form in "perf", "raw":
    subprocess.run([fixture, form, top + "/n." + form], input=b"\n".join(l for l in lines if form == "perf" or
                   l.startswith(b"rec ")) + b"\n", check=True)
data = open(top + "/n.perf", "rb").read()
open(top + "/n.data", "wb").write(unword(data))
open(top + "/objects", "wb").write(b"\0".join(names))
END
}

# clean FILE: nothing but lines of shown characters.  Carriage returns end the lines of CSV.
clean() {
	local found
	found=$(LC_ALL=C sed 's/\r$//' "$1" | LC_ALL=C grep -anP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]' | cat -v | head -n 3 | cut -c1-300)
	[ -z "$found" ] || fail "$2: raw characters: $found"
	iconv -f utf-8 -t utf-8 "$1" >"$dir/iconv" 2>&1 || fail "$2: no valid UTF-8"
	LC_ALL=C grep -aq '^FORGED' "$1" && fail "$2: a forged line"
	[ "${3-}" = tabs ] || ! LC_ALL=C grep -aq $'\t' "$1" || fail "$2: a tab"
}

# check ARGUMENTS...: what perf-spe prints is clean, whatever its status
check() {
	"$perf_spe" "$@" >"$out" 2>"$err" </dev/null
	[ $? -lt 100 ] || fail "it crashed: $*"
	clean "$out" "$*" "${tabs-}"
	clean "$err" "$*: messages" tabs
}

begin "names: the recording"
make_names || { fail 'python3' && finish && exit; }
i=(-i "$dir/n.data" --symfs "$dir/root")
run 0 report "${i[@]}" --by comm
[ "$(grep -vc '^#' "$out")" -ge 40 ] || fail 'fewer than 40 names'
cd "$dir" || exit 1

begin "names: text of each verb"
check report "${i[@]}"
for by in comm object symbol op source_line data_object data_kind comm,object,symbol; do
	check report "${i[@]}" --by "$by"
	check diff "$dir/n.data" "$dir/n.data" --symfs "$dir/root" --by "$by"
done
check report "${i[@]}" --summary
check report "${i[@]}" --callers
check report "${i[@]}" --callees
check report -i "$dir/n.data"
check stat "${i[@]}"
check stat "${i[@]}" --trust
check mem "${i[@]}"
check sharing "${i[@]}"
check advise "${i[@]}"
check advise "${i[@]}" -f json
check advise "${i[@]}" -f csv
check layout "${i[@]}"
check layout "${i[@]}" --json
check annotate "${i[@]}" --csv
check diff "$dir/n.data" "$dir/n.data" --symfs "$dir/root" --csv
check dump -i "$dir/n.data"
tabs='tabs' check annotate "${i[@]}"
check annotate -i "$dir/n.data"
while IFS= read -r -d '' word; do
	tabs='tabs' check annotate "${i[@]}" -- "$word"
	tabs='tabs' check annotate "${i[@]}" --object="$word"
	check report "${i[@]}" --comm="$word" --dso="$word"
	check report "${i[@]}" --filter="$word"
	check report -i "$word"
	check report "${i[@]}" --by="$word"
	check "$word"
done <"$dir/objects"

begin "names: exports"
for format in text csv jsonl folded firefox speedscope; do
	check export "${i[@]}" -f "$format"
done
check export "${i[@]}" -f csv -F comm,object,symbol,source_file,data_object,caller
for format in pprof otlp perfetto sqlite parquet arrow; do
	"$perf_spe" export "${i[@]}" -f "$format" -o "$dir/out.$format" 2>"$err"
	clean "$err" "$format: messages" tabs
done
run 0 export "${i[@]}" -f jsonl -F comm,object,symbol
python3 - "$out" "$dir/objects" <<'END' || fail 'JSON does not hold the names'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
want = {n.decode("utf-8", "replace") for n in open(sys.argv[2], "rb").read().split(b"\0") if n.isascii() and len(n) < 16}
assert want <= {r["comm"] for r in rows}
END

begin "names: a CSV for spreadsheets"
run 0 export "${i[@]}" -f csv -F comm,object --no-formulas
clean "$out" '--no-formulas'
for word in =1+1 +1+1 -1+1 '@SUM(1)' --help; do says "\"'$word\","; done
LC_ALL=C grep -aqE '(^|,)"[=+@-]' "$out" && fail 'a formula is left'
run 0 export "${i[@]}" -f csv -F comm
says '"=1+1"'
run 2 export "${i[@]}" -f jsonl --no-formulas
warns '--no-formulas is for CSV: remove it, or choose --format csv'

begin "names: profiles for optimisers"
for format in bolt fdata autofdo profgen llvm misses prefetch; do
	check pgo "${i[@]}" -f "$format" =1+1
done

begin "names: pages and pictures"
for args in 'report --html' 'mem --html' 'mem --svg'; do
	read -ra words <<<"$args"
	"$perf_spe" "${words[0]}" "${i[@]}" "${words[1]}" "$dir/page" >"$out" 2>"$err" || fail "$args"
	clean "$dir/page" "$args" tabs
	clean "$out" "$args: text"
	clean "$err" "$args: messages"
done
"$perf_spe" diff "$dir/n.data" "$dir/n.data" --symfs "$dir/root" --html "$dir/page" >"$out" 2>"$err"
clean "$dir/page" 'diff --html' tabs

begin "names: completion"
for words in 'report -i n.data --comm' 'report -i n.data --dso' 'annotate -i n.data --symfs root' 'annotate -i n.data --object'; do
	read -ra words <<<"$words"
	check --complete "${words[@]}" ''
done

begin "names: what messages offer to paste"
mkdir -p "$dir/fake"
for word in perf dpkg rpm dnf; do printf '#!/bin/sh\n' >"$dir/fake/$word"; done
chmod +x "$dir/fake"/*
while IFS= read -r -d '' word; do
	for file in "$dir/root/usr/bin/"*; do [ "${file##*/}" = "${word//\//_}" ] && strip -R .eh_frame "$file" 2>/dev/null; done
done <"$dir/objects"
: >"$dir/commands"
while IFS= read -r -d '' word; do
	for verb in annotate advise; do
		"$perf_spe" "$verb" "${i[@]}" --comm="$word" >"$out" 2>"$err"
		clean "$out" "$verb" tabs
		clean "$err" "$verb" tabs
		sed -n 's/.*that \(dpkg -S .*\) prints; Fedora.*/\1/p; s/.*RHEL: \(dnf .*)"\)).*/\1/p; s/.*run: \(perf .*\)/\1/p' "$err" >>"$dir/commands"
		sed -n 's/^ *\$ \(perf .*\)/\1/p' "$out" >>"$dir/commands"
	done
done <"$dir/objects"
[ "$(wc -l <"$dir/commands")" -gt 40 ] || fail "$(wc -l <"$dir/commands") commands"
while IFS= read -r line; do
	(PATH=$dir/fake:$PATH bash -c "$line") </dev/null >"$out" 2>"$err" || fail "$line"
	[ ! -e pwned ] || { fail "it ran: $line"; rm pwned; }
done <"$dir/commands"
finish
