#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe archive: tar(1) reads what it writes; all verbs print of it, in an empty folder, what they
# print of the recording and its files; hostile archives write nothing elsewhere, and leave nothing.
# usage: archive.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
top=$(cd "$here/../../.." && pwd)
examples=$top/Documentation/examples
export TMPDIR=$dir/tmp
mkdir "$TMPDIR" "$dir/empty"
left() { [ -z "$(ls "$TMPDIR")" ] || fail "left in TMPDIR: $(ls "$TMPDIR")"; }

begin "archive: tar reads it, and its files are those of the machine"
cd "$top" || exit 1
run 0 archive "$examples/shared.data" --symfs "$examples/symfs" -o "$dir/a.tar"
warns '1 program or library, 0 debug files, no kernel symbols, 1 source file'
mkdir "$dir/x"
tar -xf "$dir/a.tar" -C "$dir/x" 2>"$err" || fail 'tar'
silent
[ "$(cd "$dir/x" && find . -type f | sort | paste -sd' ')" = \
	'./recording/perf.data ./root/job/shared ./root/selftests/programs/shared.c' ] ||
	fail "$(find "$dir/x" -type f)"
cmp -s "$dir/x/recording/perf.data" "$examples/shared.data" || fail 'recording'
cmp -s "$dir/x/root/job/shared" "$examples/symfs/job/shared" || fail 'program'
cmp -s "$dir/x/root/selftests/programs/shared.c" selftests/programs/shared.c || fail 'source'
run 0 archive "$examples/shared.data" --symfs "$examples/symfs" -o -
mv "$out" "$dir/b.tar"
cmp -s "$dir/a.tar" "$dir/b.tar" || fail 'another one on standard output'

begin "archive: a filter leaves no sample out, and a message says so"
run 0 archive "$examples/shared.data" --symfs "$examples/symfs" --comm nobody --time 0%-50% -o "$dir/c.tar"
warns "archive: --comm 'nobody' and --time '0%-50%' chose only the source files; the archive has all samples, so give these options again to the verb that reads it"
tar -xOf "$dir/c.tar" recording/perf.data | cmp -s - "$examples/shared.data" || fail 'recording'
run 0 archive "$examples/shared.data" --symfs "$examples/symfs" --cpu 0 -o "$dir/c.tar"
warns "archive: --cpu '0' chose only the source files; the archive has all samples, so give this option again to the verb that reads it"

begin "archive: each file that reports lack is named: of call stacks, and of samples that a filter leaves out"
for options in '' '--comm nobody'; do
	# shellcheck disable=SC2086 # words
	run 0 archive "$examples/callers.data" --symfs "$examples/symfs" $options -o "$dir/c.tar"
	grep -o '^perf-spe: [0-9]* recorded files.*' "$err" >"$dir/lacks"
	run 0 report --callers leaf -i "$examples/callers.data" --symfs "$examples/symfs"
	grep -qF libc.so.6 "$err" || fail 'no stack is in a missing file'
	cmp -s "$err" "$dir/lacks" || fail "$options: $(cat "$dir/lacks")"
done

begin "archive: each verb prints the same of it"
while read -ra words; do
	cd "$top" || exit 1
	run 0 "${words[@]}" -i "$examples/shared.data" --symfs "$examples/symfs"
	grep -v '^# file ' "$out" | sed "s|-i $examples/shared.data --symfs $examples/symfs|INPUT|" >"$dir/want"
	cd "$dir/empty" || exit 1
	run 0 "${words[@]}" -i "$dir/a.tar"
	grep -v '^# file ' "$out" | sed "s|-i $dir/a.tar|INPUT|" >"$dir/got"
	cmp -s "$dir/want" "$dir/got" || fail "${words[*]}: $(diff "$dir/want" "$dir/got" | head -n 5)"
	grep -qF "$TMPDIR" "$out" "$err" && fail "${words[*]} names a folder that is gone"
	left
done <<'END'
report
report --by symbol,source_line
annotate add_left
advise
stat --ci
sharing
mem
layout
export
pgo -f autofdo /job/shared
END
run 0 dump -i "$dir/a.tar"
mv "$out" "$dir/dump"
run 0 dump -i "$examples/shared.data"
cmp -s "$out" "$dir/dump" || fail 'dump'
run 0 report "$dir/a.tar"
says add_left
run 0 diff "$dir/a.tar" "$dir/a.tar"
left
"$perf_spe" export "$dir/a.tar" 2>"$err" | head -n 1 >"$out"
left

begin "archive: without sources"
cd "$dir/empty" || exit 1
run 0 archive --strip-sources "$dir/a.tar" -o "$dir/s.tar"
left
run 0 export "$dir/a.tar" -o "$dir/rows"
left
tar -tf "$dir/s.tar" >"$out"
grep -q '\.c$' "$out" && fail 'a source'
run 0 annotate add_left -i "$dir/s.tar"
grep -q 'line.left++' "$out" && fail 'a line of the source'
warns 'shared.c was not found: sought in the archive'

begin "archive: without sources of another version than the program's"
mkdir -p "$dir/other/selftests/programs"
sed 's/add_left(void)/&\n/;1s/^/\n/' "$top/selftests/programs/shared.c" >"$dir/other/selftests/programs/shared.c"
run 0 archive "$examples/shared.data" --symfs "$examples/symfs" --source-dir "$dir/other" -o "$dir/o.tar"
warns '0 source files'
warns 'shared.c: '
run 0 archive "$examples/shared.data" --symfs "$examples/symfs" --source-dir "$dir/other" --any-source -o "$dir/o.tar"
warns '1 source file'

begin "archive: kernel symbols, logs of the heap, long names"
long=$(printf 'l%.0s' {1..120})
make_program
mkdir -p "$dir/root/proc" "$dir/root/$long/$long"
mv "$prog" "$dir/root/$long/$long/prog"
sym_text | sed "s|/usr/bin/prog|/$long/$long/prog|" | perf_file k.data
mkdir "$dir/k.data.heap"
echo log >"$dir/k.data.heap/1.heap"
run 0 archive "$dir/k.data" --symfs "$dir/root"
tar -tf "$dir/k.data.tar" >"$out"
says "root/$long/$long/prog"
says 'recording/perf.data.heap/1.heap'
mv "$dir/root" "$dir/gone"
run 0 report "$dir/k.data.tar"
count_is prog hot 2
left

# The name of these symbols begins with the recording's.
printf 'ffff800008000000 T _text\nffff800008001000 T do_idle\n' >"$dir/n.data.kallsyms"
perf_file n.data <<'END'
info 4
kmap 0xffff800008000000 0x10000000 0xffff800008000000 [kernel.kallsyms]_text
rec pc=0xa0ff800008001004 total=1
auxtrace 0 0 -1 0
END
run 0 archive "$dir/n.data" --kallsyms "$dir/n.data.kallsyms"
run 0 report "$dir/n.data.tar"
count_is '[kernel]' do_idle 1
warns 'kernel symbols are from the archive: its start has'
mkdir -p "$dir/n.folder/kcore_dir"
cp "$dir/n.data" "$dir/n.folder/data"
sed 's/do_idle/other/' "$dir/n.data.kallsyms" >"$dir/n.folder/kcore_dir/kallsyms"
run 0 archive "$dir/n.folder" --kallsyms "$dir/n.data.kallsyms"
run 0 report "$dir/n.folder.tar"
count_is '[kernel]' do_idle 1
left

begin "archive: two programs with the same name, as in two containers"
make_program
sed 's/hot/warm/' "$dir/prog.c" | ${CC:-cc} -O0 -nostdlib -static -no-pie -Wl,--build-id=sha1 -o "$dir/second" -x c - ||
	fail 'cannot build'
second=$(readelf -nW "$dir/second" | sed -n 's/.*Build ID: //p')
for each in "$id $prog" "$second $dir/second"; do
	folder=$dir/cache/.build-id/${each:0:2}/${each:2:38}
	mkdir -p "$folder"
	cp "${each#* }" "$folder/elf"
done
perf_file two.data <<END
info 4
comm 10 10 1 1 prog
map 10 $map_prog 2 $id /usr/bin/prog
comm 20 20 1 1 prog
map 20 $map_prog 2 $second /usr/bin/prog
rec pc=$(user "$(at "$hot")") total=5
auxtrace 0 0 10 0
rec pc=$(user "$(at "$hot")") total=5
auxtrace 1 1 20 0
END
mkdir "$dir/none.d"
PERF_BUILDID_DIR=$dir/cache run 0 archive "$dir/two.data" --symfs "$dir/none.d"
warns '2 programs or libraries'
run 0 report "$dir/two.data.tar"
count_is prog hot 1
count_is prog warm 1
left

# hostile NAME: an archive, made by tar, that must be refused
begin "archive: hostile archives are refused, and write nothing elsewhere"
mkdir -p "$dir/h/recording" "$dir/h/root"
cd "$dir/h" || exit 1
cp "$examples/shared.data" recording/perf.data
ln -s "$dir/victim" root/link
ln recording/perf.data root/hard
mkfifo root/fifo
pack() { tar --format=ustar -cf "$dir/$1.tar" "${@:2}" 2>/dev/null; }
pack up -P --transform 's|^root/f|../../victim/f|' recording/perf.data root/fifo
pack dots -P --transform 's|^recording/perf|recording/../../victim/perf|' recording/perf.data
pack absolute -P "$dir/h/recording/perf.data"
pack link recording/perf.data root/link
pack hard recording/perf.data root/hard
pack fifo recording/perf.data root/fifo
pack other --transform 's|root|etc|' recording/perf.data root/hard
cat "$dir/a.tar" >"$dir/cut.tar"
truncate -s 20000 "$dir/cut.tar"
# Two archives in a row without the end of the first: each name comes twice.
head -c $(($(stat -c %s "$dir/a.tar") - 1024)) "$dir/a.tar" >"$dir/twice.tar"
cat "$dir/a.tar" >>"$dir/twice.tar"
for bad in up dots absolute link hard fifo other cut twice; do
	run 1 report "$dir/$bad.tar"
	warns 'cannot unpack'
	[ ! -e "$dir/victim" ] || fail "$bad wrote elsewhere"
	left
done
# A size of many gigabytes, in the header and in a pax header
if command -v python3 >/dev/null; then
	python3 - "$dir" <<'END' || fail 'python'
import io, sys, tarfile
for name, form in ('huge', tarfile.USTAR_FORMAT), ('pax', tarfile.PAX_FORMAT):
    info = tarfile.TarInfo('recording/perf.data')
    info.size = 7 << 30 if name == 'huge' else 1 << 62
    with open(f'{sys.argv[1]}/{name}.tar', 'wb') as out:
        out.write(info.tobuf(form) + b'x' * 4096)
    # A header of pax alone is none of ustar's to begin with.
END
	for bad in huge pax; do
		run 1 report -i "$dir/$bad.tar"
		warns 'cannot unpack'
		left
	done
fi

begin "archive: a recording that is missing, an archive where none can be, TMPDIR and PERF_SPE_SYMFS"
cd "$dir/h" || exit 1
pack empty root/hard
run 1 report "$dir/empty.tar"
warns 'it has no recording/perf.data'
run 0 report "$dir/a.tar"
body >"$dir/named"
run 0 report -i - <"$dir/a.tar"
body | cmp -s - "$dir/named" || fail 'standard input gives another report'
head -c 5000 "$dir/a.tar" >"$dir/cut.tar"
run 1 report - <"$dir/cut.tar"
warns 'cannot unpack -'
TMPDIR='' run 0 report "$dir/a.tar"
PERF_SPE_SYMFS=$dir/empty run 0 report "$dir/a.tar"
says add_left
left

begin "archive: a folder with a slash behind its name, a recording that is cut"
mkdir "$dir/folder"
cp "$examples/shared.data" "$dir/folder/data"
run 0 archive "$dir/folder/" --symfs "$examples/symfs"
run 0 report "$dir/folder.tar"
says add_left
head -c 90000 "$examples/shared.data" >"$dir/short.data"
run 1 archive "$dir/short.data"
run 1 report "$dir/short.data.tar"
warns "$dir/short.data.tar: truncated"
grep -qF "$TMPDIR" "$err" && fail 'it names a folder that is gone'
left

begin "archive: wrong usage"
run 2 archive --raw "$examples/shared.data"
run 2 archive -i - </dev/null
run 2 archive "$dir/none"
finish
