#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion: the words that perf-spe offers, and what a user of bash and of zsh gets who
# types them and the key Tab on a terminal.
# usage: completion.sh PERF-SPE FIXTURE; beside them is pty, the terminal

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
pty=$(dirname "$fixture")/pty
completion=$(cd "$here/../completion" && pwd)
make_program
sym_file
mkdir -p "$dir/bin" "$dir/work"
ln -s "$perf_spe" "$dir/bin/perf-spe"
cp "$dir/sym.data" "$dir/work/perf.data"

# offers WANT WORDS...: for the last of WORDS perf-spe offers WANT
offers() {
	local want=$1
	shift
	run 0 --complete "$@"
	[ "$(paste -sd' ' "$out")" = "$want" ] || fail "$*: $(paste -sd' ' "$out")"
	silent
}

begin "completion: verbs"
offers 'record' rec
offers 'stat sharing script' s
offers '' x
offers 'sharing' help sha
offers '' report sha

begin "completion: options of a verb, and of another"
offers '--not-event' record --not
offers '' mem --not
offers '--sort --summary --source-dir --symfs --stack-within' report --s
offers '--format' pgo --form
offers '--limit' annotate --lim
offers '--limit' advise --lim

begin "completion: values from closed vocabularies"
offers 'cpu comm context_el1 context_el2 cache_line core caller cgroup container' report --by c
offers 'comm,cpu' report --by comm,cp
offers 'comm,cpu,context_el1 comm,cpu,context_el2 comm,cpu,cache_line comm,cpu,core comm,cpu,caller comm,cpu,cgroup comm,cpu,container' report --by comm,cpu,c
offers '--by=comm,cache_line --by=comm,caller' report --by=comm,ca
offers 'tlb-access,tlb-walk' record --event tlb-access,tlb
offers 'translation' export --filter trans
offers 'csv' export -f c
offers 'cycles' export --value c
offers 'csv' script --format c
offers 'autofdo' pgo -f a
offers 'fdata' pgo -f fd
offers 'csv' advise -f c
offers 'tlb-walks' advise --fail-on t
offers 'mean' report -s m
offers 'neoverse-n1 neoverse-n2' stat --cpu-model neoverse-n
offers '' report --limit 1

begin "completion: what is in the recording"
offers 'hot' annotate -i "$dir/sym.data" --symfs "$dir/root" h
offers 'prog' report -i "$dir/sym.data" --comm p
offers 'prog' report -i "$dir/sym.data" --symfs "$dir/root" --dso pr
offers 'hot' annotate --input "$dir/sym.data" --symfs "$dir/root" h
offers 'hot' annotate --input="$dir/sym.data" --symfs="$dir/root" h
offers 'prog' report --input="$dir/sym.data" --comm p
offers '' report --input="$dir/sym.data"
offers '' annotate -i "$dir/none.data" h
offers '' annotate --input="$dir/none.data" h
offers '' annotate -i "$dir/sym.data" --symfs "$dir/root"/

begin "completion: every verb is in the man page, and explains itself"
run 0 --complete ''
[ "$(wc -l <"$out")" -gt 8 ] || fail 'verbs are missing'
cp "$out" "$dir/verbs"
while read -r verb; do
	run 0 "$verb" --help
	grep -q "\.BR* .*\b$verb\b" "$here/../man/perf-spe.1" || fail "$verb is not in the man page"
done <"$dir/verbs"

# between FROM TO: the man page from one line to another
between() { sed -n "/^\.SH $1/,/^\.SH $2/p" "$here/../man/perf-spe.1"; }
begin "completion: the man page has every verb, every format and who ends with which status"
between SYNOPSIS DESCRIPTION >"$dir/synopsis"
between DESCRIPTION FILES >"$dir/description"
while read -r verb; do
	[ "$verb" = script ] || grep -q "^\.B perf spe $verb\$" "$dir/synopsis" || fail "$verb is not in the synopsis"
	grep -q "^\.B.*\b$verb\b" "$dir/description" || fail "$verb is not in the description"
done <"$dir/verbs"
run 0 --complete export -f ''
[ -s "$out" ] || fail 'no formats'
sed -n '/spe export/,/^\.PP/p' "$dir/synopsis" >"$dir/formats"
while read -r format; do
	[ "$format" = help ] || grep -qw "$format" "$dir/formats" || fail "export -f $format"
done <"$out"
between 'EXIT STATUS' 'SEE ALSO' >"$dir/status"
for verb in annotate pgo diff; do
	sed -n '/^\.B 1/,/^\.TP/p' "$dir/status" | finds "^\.BR* $verb\b" || fail "1 of $verb"
done
for verb in doctor advise diff; do
	sed -n '/^\.B 3/,$p' "$dir/status" | finds "^\.BR* $verb\b" || fail "3 of $verb"
done

# typed SHELL STEPS: a shell on a terminal, with perf-spe and a perf of our own in PATH
typed() {
	(cd "$dir/work" && PATH=$dir/bin:$PATH TERM=vt52 PTY_TERM=vt52 PTY_WATCHDOG=60 ZDOTDIR=$dir/zsh \
		ASAN_OPTIONS=detect_leaks=0 "$pty" "${@:2}") >"$out" 2>"$err" <<<"$1" || fail 'on the terminal'
}
cat >"$dir/bin/perf" <<'END'
#!/bin/sh
[ "$*" = --list-cmds ] && echo report record annotate sched script stat
END
chmod +x "$dir/bin/perf"
# The start of a shell that has bash-completion and our two files
share=$dir/data/bash-completion/completions
mkdir -p "$share" "$dir/zsh"
cp "$completion/perf-spe" "$share/"
cat >"$dir/bashrc" <<END
PS1='> ' XDG_DATA_DIRS=$dir/data:/usr/share
bind 'set enable-bracketed-paste off'
[ ! -r /usr/share/bash-completion/bash_completion ] || . /usr/share/bash-completion/bash_completion
. $completion/perf-spe-hook
END
keys='type perf-spe rec\t
see perf-spe record
type \uperf-spe report --by cac\t
see perf-spe report --by cache_line
type \uperf-spe report --by comm,cac\t
see perf-spe report --by comm,cache_line
type \uperf-spe report --by=comm,cac\t
see perf-spe report --by=comm,cache_line
type \uperf-spe export -f pa\t
see perf-spe export -f parquet
type \uperf-spe report -i perf.d\t
see perf-spe report -i perf.data
type \uperf-spe annotate --symfs '$dir/root' h\t
see root hot'
end='
type \uexit\r
end 0'

begin "completion: in bash"
if [ ! -r /usr/share/bash-completion/bash_completion ]; then
	skip 'no bash-completion: install it'
else
	typed "see >
$keys$end" bash --noprofile --rcfile "$dir/bashrc" -i
fi

begin "completion: perf spe in bash, beside perf's own completion"
if [ ! -r /usr/share/bash-completion/completions/perf ] || [ ! -r /usr/share/bash-completion/bash_completion ]; then
	skip "no completion of perf: install linux-perf and bash-completion"
else
	typed "see >
type perf spe rec\t
see perf spe record
type \uperf spe report --by comm,cac\t
see perf spe report --by comm,cache_line
type \uperf sch\t
see perf sched
type \uperf sp\t
see perf spe
type re\t
type \uperf spe report --by=cac\t
see perf spe report --by=cache_line$end" bash --noprofile --rcfile "$dir/bashrc" -i
fi

begin "completion: in zsh, perf spe beside zsh's own completion of perf"
if ! command -v zsh >/dev/null; then
	skip 'no zsh: install it'
else
	cat >"$dir/zsh/.zshrc" <<END
PS1='> '
unset zle_bracketed_paste
fpath=($completion \$fpath)
autoload -Uz compinit && compinit -D -u
END
	# zsh asks a real perf for more than this one knows.
	rm "$dir/bin/perf"
	own=
	[ "$(perf --list-cmds 2>/dev/null | grep -cw sched)" -eq 0 ] || own='
type \uperf sch\t
see perf sched'
	typed "see >
$keys
type \uperf spe rec\t
see perf spe record
type \uperf spe report --by comm,cac\t
see perf spe report --by comm,cache_line
type \uperf sp\t
see perf spe$own$end" zsh -d -i
fi

finish
