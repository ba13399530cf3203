#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Input that is missing, foreign, damaged or hostile.
# usage: cli-input.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"
make_program
sym_file

# -------------------------------------------------------------- bad input

begin "bad input: missing, empty, a directory, a pipe"
run 1 dump --raw "$dir/none"
: >"$dir/empty"
run 1 dump --raw "$dir/empty"
warns 'empty'
run 1 report -i "$dir"
warns 'directory'
run 1 report -i -
warns 'standard input'
mkfifo "$dir/pipe"
run 1 report -i "$dir/pipe"
warns 'not a regular file'
run 1 dump --raw "$dir/pipe"
run 1 report -i "$dir/sym.data" --vmlinux "$dir/pipe"

begin "bad input: foreign files"
run 1 report -i "$prog"
warns 'not a perf.data file'
run 1 report --raw "$here/cli-input.sh"
warns 'is this SPE data?'
run 1 dump --raw "$here/cli-input.sh"
run 1 report --raw "$dir/sym.data"
warns 'use -i'

begin "bad input: not one whole record"
printf 'rec pc=0x8000000000001000 total=1' | raw_file rec.spe
for ((cut = 1; cut < 15; cut++)); do
	head -c "$cut" "$dir/rec.spe" >"$dir/part.spe"
	run 1 report --raw "$dir/part.spe"
	warns 'no SPE record'
done
printf 'America/Los_Angeles\n' >"$dir/text"
run 1 report --raw "$dir/text"

begin "bad input: perf.data of other kinds"
perf_file nospe.data <<<'comm 10 10 1 1 prog'
run 1 report -i "$dir/nospe.data"
warns 'no Arm SPE data'
perf_file pt.data <<<'info 1'
run 1 report -i "$dir/pt.data"
warns 'Intel PT'
perf_file noaux.data <<<'info 4'
run 1 report -i "$dir/noaux.data"
warns 'no AUX data'
printf 'info 4\nevent 81 8\n' | perf_file zstd.data
run 1 report -i "$dir/zstd.data"
warns 'compressed'
printf '2ELIFREP%0100d' 0 >"$dir/swapped.data"
run 1 report -i "$dir/swapped.data"
warns 'other byte order'
printf 'PERFILE2\020\0\0\0\0\0\0\0' >"$dir/pipe.data"
run 1 report -i "$dir/pipe.data"
warns 'pipe form'

begin "bad input: lists of event ids that overlap"
for attrs in 1 40; do
	printf '%s\n' "attrs $attrs 2000" 'info 4' 'comm 10 10 1 1 prog' \
		'rec pc=0x8000000000003000 total=1' 'auxtrace 0 -1 10 0' | perf_file ids.data
	run $((attrs > 1)) report -i "$dir/ids.data" --summary
done
warns 'event ids overlap'

begin "bad input: an event too small, an event too long"
for field in '\001\000' '\377\377'; do
	cp "$dir/sym.data" "$dir/size.data"
	# shellcheck disable=SC2059 # the field is the format
	printf "$field" | dd of="$dir/size.data" bs=1 seek=$((104 + 8 + 128 + 16 + 6)) \
		conv=notrunc status=none
	run 1 report -i "$dir/size.data"
	warns 'at offset 0x'
done

begin "bad input: perf.data truncated at every byte"
size=$(stat -c %s "$dir/sym.data")
for ((cut = 1; cut < size; cut += 1 + cut / 40)); do
	head -c "$cut" "$dir/sym.data" >"$dir/trunc.data"
	run 1 report -i "$dir/trunc.data"
	[ -s "$err" ] || fail "no message at $cut"
	[ "$bad" -eq 0 ] || break
done

finish
