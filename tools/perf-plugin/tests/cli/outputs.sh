#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Files that verbs write: complete or not at all, never over an input, and as the user left them
# where a command fails or is interrupted.
# usage: outputs.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
examples=$(cd "$here/../../../Documentation/examples" && pwd)

cp "$examples/branchy.data" "$dir/in.data"
cp "$examples/branchy.data" "$dir/old.data"
mkdir "$dir/symfs" "$dir/w"
cp -r "$examples/symfs/job" "$dir/symfs/"
in=("$dir/in.data") symfs=(--symfs "$dir/symfs")

# Each command that writes a file; its name comes last.
commands=(
	'pgo -f autofdo branchy -i IN -o' 'pgo -f bolt branchy -i IN -o' 'pgo -f fdata branchy -i IN -o'
	'pgo -f misses branchy -i IN -o'
	'mem -i IN --svg' 'mem -i IN --html' 'report -i IN --html' 'diff OLD IN --html' 'diff IN OLD --html'
	'export -f text -i IN -o' 'export -f csv -i IN -o' 'export -f jsonl -i IN -o' 'export -f folded -i IN -o'
	'export -f firefox -i IN -o' 'export -f speedscope -i IN -o' 'archive -i IN -o'
)
# These write new files only.
new=('export -f sqlite -i IN -o')
"$perf_spe" mem -i "${in[0]}" "${symfs[@]}" --png "$dir/x.png" >/dev/null 2>&1 && commands+=('mem -i IN --png')
"$perf_spe" export -i "${in[0]}" "${symfs[@]}" -f pprof -o "$dir/x.pprof" 2>/dev/null &&
	commands+=('export -f pprof -i IN -o' 'export -f otlp -i IN -o' 'export -f perfetto -i IN -o')
for format in parquet arrow; do
	"$perf_spe" export -i "${in[0]}" "${symfs[@]}" -f "$format" -o "$dir/x.$format" 2>/dev/null &&
		new+=("export -f $format -i IN -o")
done
"$perf_spe" export -i "${in[0]}" "${symfs[@]}" -f sqlite -o "$dir/x.db" 2>/dev/null || new=("${new[@]:1}")

# words COMMAND: its words, with the names of files
words() {
	local words
	read -ra words <<<"$1"
	words=("${words[@]/#IN/${in[0]}}")
	command=("${words[@]/#OLD/$dir/old.data}")
	# The file's name stays the last word.
	command=("${command[0]}" "${symfs[@]}" "${command[@]:1}")
}

# write STATUS COMMAND FILE
write() {
	words "$2"
	run "$1" "${command[@]}" "$3"
}

# Nothing but the named files is in the folder of outputs.
only() {
	local left
	left=$(ls -A "$dir/w")
	[ "$left" = "$*" ] || fail "${command[*]}: '$left' is in the folder, not '$*'"
}

same() { cmp -s "$1" "$2" || fail "${command[*]}: $2 has changed"; }

clean() { rm -rf "$dir/w" && mkdir "$dir/w"; }

begin "outputs: a file is complete, and has the permissions of the umask"
for c in "${commands[@]}" "${new[@]}"; do
	clean
	umask 027
	write 0 "$c" "$dir/w/file"
	umask 022
	only file
	[ -s "$dir/w/file" ] || fail "$c: the file is empty"
	[ "$(stat -c %a "$dir/w/file")" = 640 ] || fail "$c: mode $(stat -c %a "$dir/w/file")"
done

begin "outputs: what was there is replaced and keeps its permissions, and a link stays a link"
for c in "${commands[@]}"; do
	clean
	mkdir "$dir/w/sub"
	echo old >"$dir/w/sub/file"
	chmod 604 "$dir/w/sub/file"
	ln -s sub/file "$dir/w/link"
	write 0 "$c" "$dir/w/link"
	[ -L "$dir/w/link" ] || fail "$c: the link is gone"
	[ "$(stat -c %a "$dir/w/sub/file")" = 604 ] || fail "$c: mode $(stat -c %a "$dir/w/sub/file")"
	[ "$(head -c 4 "$dir/w/sub/file" | tr -d "\\0")" != old ] || fail "$c: not written"
	[ "$(ls -A "$dir/w/sub")" = file ] || fail "$c: more than the file is left"
	rm "$dir/w/sub/file"
	write 0 "$c" "$dir/w/link"
	[ -s "$dir/w/sub/file" ] || fail "$c: a link to no file is not followed"
done

begin "outputs: an input is refused, also by its hard and symbolic links"
cp "$dir/in.data" "$dir/keep"
ln "$dir/in.data" "$dir/hard"
ln -s in.data "$dir/soft"
ln -s soft "$dir/softer"
mkdir "$dir/other"
for c in "${commands[@]}"; do
	for target in in.data hard soft softer ../"${dir##*/}"/in.data other/../soft; do
		write 2 "$c" "$dir/$target"
		warns "cannot write $dir/$target: it is $(case $c in *--*) echo a recording ;; *) echo the input ;; esac)"
		same "$dir/keep" "$dir/in.data"
	done
	write 2 "$c" "$dir/symfs/job/branchy"
	same "$examples/symfs/job/branchy" "$dir/symfs/job/branchy"
done
write 2 'diff IN OLD --html' "$dir/old.data"
same "$dir/keep" "$dir/old.data"
(cd "$dir" && mkdir here && cp in.data here/perf.data && cd here &&
	run 2 report --html perf.data && cmp -s ../keep perf.data) || fail 'perf.data of the current folder'
# Of another recording the name is no input either.
cp "$dir/in.data" "$dir/other.data"
for c in "${commands[@]}"; do
	write 2 "$c" "$dir/other.data"
	warns "other.data"
	same "$dir/keep" "$dir/other.data"
done
words 'pgo -f bolt branchy -i IN -o'
run 2 "${command[@]}" "$dir/other.data"
warns "pgo: cannot write $dir/other.data: it is a recording, which would be lost; name another file, or remove it first"
# No perf.data is here, so --html has taken the name of the input.
for c in report diff mem; do
	run 2 "$c" --html "$dir/other.data"
	warns "$c: cannot write $dir/other.data: it is a recording, which would be lost; the name behind --html is that of the file to write"
done
# Only a file is looked into: what waits in a pipe stays there.
mkfifo "$dir/pipe"
exec 9<>"$dir/pipe"
printf abcdefgh >&9
run 1 report --html "$dir/pipe" -i "$dir/none.data"
[ "$(timeout 5 head -c 8 <&9)" = abcdefgh ] || fail 'bytes of a pipe are lost'
exec 9>&-
printf '0000000000001000 T first\n0000000000002000 T second\n' >"$dir/kallsyms"
cp "$dir/kallsyms" "$dir/kept"
run 2 report -i "${in[0]}" "${symfs[@]}" --kallsyms "$dir/kallsyms" --html "$dir/kallsyms"
same "$dir/kept" "$dir/kallsyms"
cp "$dir/in.data" "$dir/stdin.data"
# shellcheck disable=SC2094 # this is what must be refused
"$perf_spe" export -i - "${symfs[@]}" -f text -o "$dir/stdin.data" <"$dir/stdin.data" 2>"$err" && fail 'standard input: status 0'
same "$dir/keep" "$dir/stdin.data"
# shellcheck disable=SC2094
"$perf_spe" export -i "$dir/stdin.data" "${symfs[@]}" -o /dev/stdout >>"$dir/stdin.data" 2>"$err" && fail '>>: status 0'
same "$dir/keep" "$dir/stdin.data"

# fails COMMAND WORDS...: the shell's words make perf-spe fail
fails() {
	local c=$1 got=0
	words "$c"
	shift
	("$@" "$perf_spe" "${command[@]}" "$dir/w/file") >/dev/null 2>"$err" || got=$?
	[ "$got" -eq 1 ] || fail "$c: status $got"
	warns "$dir/w/file: "
}

limited() { ulimit -f 1 && exec "$@"; }

begin "outputs: a file that cannot be completed leaves the old one, and a reason"
for c in "${commands[@]}" "${new[@]}"; do
	clean
	write 0 "$c" "$dir/w/file"
	# Small ones fit.
	[ "$(stat -c %s "$dir/w/file")" -gt 2048 ] || continue
	rm "$dir/w/file"
	fails "$c" limited
	only ''
	case $c in *sqlite* | *parquet* | *arrow*) continue ;; esac
	echo old >"$dir/w/file"
	fails "$c" limited
	warns 'File too large; raise the limit'
	only file
	[ "$(cat "$dir/w/file")" = old ] || fail "$c: the old file is gone"
done

begin "outputs: a full disk"
if unshare -m mount -t tmpfs none "$dir/w" 2>/dev/null; then
	for c in "${commands[@]}" "${new[@]}"; do
		words "$c"
		# shellcheck disable=SC2016 # the inner shell expands it
		unshare -m bash -c 'mount -t tmpfs -o size=8k none "$1" && f=$1/file && echo old >"$1/old" &&
			[ "$2" = new ] || echo old >"$f"
			shift 2; head -c 4096 /dev/zero >"${f%/*}/fill"; "$@" "$f" >/dev/null 2>"${f%/*}"/../err
			echo "status $?"; ls -A "${f%/*}"; cat "$f"' bash "$dir/w" \
			"$([[ " ${new[*]} " != *" $c "* ]] || echo new)" "$perf_spe" "${command[@]}" >"$out" 2>"$err.shell"
		warns "$dir/w/file: No space left on device; free space"
		if [[ " ${new[*]} " == *" $c "* ]]; then
			[ "$(tr '\n' ' ' <"$out")" = 'status 1 fill old ' ] || fail "$c: a full disk"
		else
			[ "$(tr '\n' ' ' <"$out")" = 'status 1 file fill old old ' ] || fail "$c: a full disk"
		fi
	done
else
	skip 'no mount namespace: run as root'
fi

begin "outputs: devices, pipes and descriptors are written directly"
for c in "${commands[@]}"; do
	clean
	write 0 "$c" "$dir/w/file"
	words "$c"
	mv "$dir/w/file" "$dir/want"
	mkfifo "$dir/w/fifo"
	cat "$dir/w/fifo" >"$dir/got" &
	write 0 "$c" "$dir/w/fifo"
	wait $!
	[ -p "$dir/w/fifo" ] || fail "$c: the FIFO is gone"
	same "$dir/want" "$dir/got"
	only fifo
	"$perf_spe" "${command[@]}" /dev/fd/3 3>"$dir/got" >/dev/null 2>"$err" || fail "$c: /dev/fd/3"
	same "$dir/want" "$dir/got"
	write 0 "$c" /dev/null
	[ -c /dev/null ] || fail "$c: /dev/null is gone"
	[ ! -w /dev/full ] || write 1 "$c" /dev/full
	[ ! -w /dev/full ] || warns '/dev/full: No space left on device; free space'
	# Standard output goes on where it is.
	case $c in export* | pgo*)
		{ echo first && "$perf_spe" "${command[@]}" /dev/stdout && echo last; } >"$dir/got" 2>"$err"
		{ echo first && cat "$dir/want" && echo last; } >"$dir/both"
		same "$dir/both" "$dir/got" ;;
	esac
	"$perf_spe" "${command[@]}" /dev/stdout 2>/dev/null | head -c 1 >/dev/null
done

begin "outputs: a folder that does not exist, or may not be written"
for c in "${commands[@]}" "${new[@]}"; do
	clean
	write 1 "$c" "$dir/none/file"
	warns "cannot create $dir/none/file: No such file or directory; create its folder"
	write 1 "$c" "$dir/in.data/file"
	warns 'Not a directory'
	[[ " ${new[*]} " == *" $c "* ]] || write 1 "$c" "$dir/w"
	only ''
	[ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null || {
		chmod 755 "$dir"
		chmod 555 "$dir/w"
		words "$c"
		setpriv --reuid=65534 --clear-groups "$perf_spe" "${command[@]}" "$dir/w/file" >/dev/null 2>"$err" &&
			fail "$c: status 0"
		warns "cannot create $dir/w/file: Permission denied; name a file"
		only ''
	}
	[ "$(id -u)" -eq 0 ] || {
		chmod 555 "$dir/w"
		write 1 "$c" "$dir/w/file"
		warns "Permission denied"
		chmod 755 "$dir/w"
	}
done

# interrupt SIGNAL COMMAND DELAY: send the signal when there is a new file, or after the delay
interrupt() {
	local number pid got=0 i
	words "$2"
	cp "$dir/w/file" "$dir/before" 2>/dev/null || rm -f "$dir/before"
	# Background jobs of a script ignore SIGINT.
	env --default-signal=INT,QUIT "$perf_spe" "${command[@]}" "$dir/w/file" >/dev/null 2>&1 &
	pid=$!
	for ((i = 0; i < $3; i++)); do
		compgen -G "$dir/w/.perf-spe-*" >/dev/null && break
		kill -0 $pid 2>/dev/null || break
		sleep 0.005
	done
	kill -"$1" $pid 2>/dev/null
	wait $pid 2>/dev/null || got=$?
	number=$(kill -l "$1")
	compgen -G "$dir/w/.perf-spe-*" >/dev/null && fail "$2: SIG$1 leaves a file"
	if [ "$got" -eq $((128 + number)) ]; then
		# The signal may also come when the file has just been completed.
		if [ -e "$dir/before" ]; then
			cmp -s "$dir/before" "$dir/w/file" || cmp -s "$dir/want" "$dir/w/file" ||
				fail "$2: SIG$1: the old file has changed"
		elif [ -e "$dir/w/file" ]; then
			cmp -s "$dir/want" "$dir/w/file" || fail "$2: SIG$1 leaves a file"
		fi
	elif [ "$got" -ne 0 ]; then
		fail "$2: SIG$1: status $got"
	fi
	[ "$got" -ne 0 ] && [ "$i" -lt "$3" ] && hits=$((hits + 1))
}

begin "outputs: an interrupted command leaves what was there"
hits=0
if env --default-signal=INT true 2>/dev/null; then
	for c in "${commands[@]}"; do
		clean
		write 0 "$c" "$dir/w/file"
		mv "$dir/w/file" "$dir/want"
		for signal in INT TERM HUP; do
			clean
			interrupt $signal "$c" 400
			echo old >"$dir/w/file"
			interrupt $signal "$c" 400
		done
	done
	rm "$dir/want"
	for c in "${new[@]}"; do clean; interrupt INT "$c" 400; done
	[ "$hits" -gt 0 ] || fail "no command was interrupted while it wrote"
else
	skip 'env(1) does not set signals'
fi

begin "outputs: nohup's choice is kept"
clean
(trap '' HUP; "$perf_spe" export -i "${in[0]}" "${symfs[@]}" -o "$dir/w/file" 2>/dev/null & pid=$!
	while [ ! -e "$dir/w/file" ] && kill -0 $pid 2>/dev/null; do kill -HUP $pid; sleep 0.01; done
	wait $pid) || fail "SIGHUP ended it"

begin "outputs: --partition leaves all files, or none and no folder"
partition=(export -f csv --partition --host h -i "${in[0]}" "${symfs[@]}" --recorded 2026-01-31T23:59:58Z -o)
clean
run 0 "${partition[@]}" "$dir/w/parts"
[ "$(find "$dir/w" -type f | wc -l)" -ge 1 ] || fail 'no file'
find "$dir/w" -name '.*' -type f | finds . && fail 'a temporary file is left'
clean
(limited "$perf_spe" "${partition[@]}" "$dir/w/parts") >/dev/null 2>"$err" && fail 'status 0'
only ''
mkdir "$dir/w/parts"
(limited "$perf_spe" "${partition[@]}" "$dir/w/parts") >/dev/null 2>"$err" && fail 'status 0'
only parts
[ -z "$(ls -A "$dir/w/parts")" ] || fail 'a folder is left'
finish
