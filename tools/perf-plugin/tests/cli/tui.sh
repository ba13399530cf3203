#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe report on a terminal: type keys and check what the screen shows.
# usage: tui.sh PERF-SPE FIXTURE; beside them is pty, the terminal

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/tui.sh
. "$(dirname "$0")/lib/tui.sh"
# Source files are read from the current folder.
cd "$dir" || exit 1
CC="${CC:-cc} -g" make_program
{
	echo 'comm 10 10 1 1 prog'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo 'info 4'
	for total in 10 20 90; do
		echo "rec pc=$(user "$(at "$hot")") total=$total class=1 op=0 va=0x1000"
	done
	echo "rec pc=$(user "$(at "$cold")") total=700 class=1 op=1 va=0x2040"
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data

begin "tui: without it, and in a pipe"
need_ncurses
run 0 report -i "$dir/t.data" --symfs "$dir/root"
says '# 4 records'
screen 'see # 4 records
end 0' --text
screen 'see records: 4
end 0' --summary
TERM=dumb run 0 report -i "$dir/t.data" --symfs "$dir/root"
says 'hot'

# perf blocks SIGWINCH for what it runs.
begin "tui: the terminal changes its size, below perf too"
for perf in '' 'env --block-signal=WINCH'; do
	# shellcheck disable=SC2086
	PTY_COLUMNS=80 "$pty" $perf "$perf_spe" report -i "$dir/t.data" --symfs "$dir/root" >"$out" 2>"$err" <<<'see q quit
miss translation
size 160 30
see translation
size 80 12
row 12 q quit  h help  enter in  t calls  / find  s<> sort  c fold  g group  f filter
type q
end 0' || fail "${perf:-alone}"
done

begin "tui: the table, and its order"
screen 'see q quit
see by symbol, sorted by cost
see # 4 records, 4 with an address, 2 symbols
row 5   85.37%  cold    prog    25.00%  700.0    700    700      1     700      -            -      -      -            -            -       -            -
row 6   14.63%  hot     prog    75.00%   40.0     20     90      3     120      -            -      -      -            -            -       -            -
type s
see sorted by count
row 5   14.63%  hot     prog    75.00%   40.0     20     90      3     120      -            -      -      -            -            -       -            -
type s
see sorted by mean
type ssss
see sorted by cost
type q
end 0'

begin "tui: other columns"
screen 'see q quit
type g
see by comm
see 100.00%
type gg
see by op, sorted
see  store
type bcpu,symbol\r
see by cpu,symbol
see 25.00%
type bnothing\r
see unknown column '"'nothing'"'
type b\e
see by cpu,symbol
type bcomm,op,symbol,page\r
see by comm,op,symbol,page
type \r
see cold in /usr/bin/prog: 1 sample of 1
type q
see by comm,op,symbol,page
type q
end 0'

begin "tui: why the names of data sources are not there"
{
	printf 'info 4\nmidrs 1 0x410fd8e0\ncomm 10 10 1 1 prog\n'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo "rec pc=$(user "$(at "$hot")") total=10 class=1 op=0 va=0x1000 source=14"
	echo 'auxtrace 0 -1 10 0'
} | perf_file source.data
PTY_COLUMNS=80 "$pty" "$perf_spe" report -i "$dir/source.data" --symfs "$dir/root" >"$out" 2>"$err" <<'END' || fail 'on the terminal'
see q quit
type bsource_name\r
see by source_name
see # source_name is empty where MIDR_EL1 is 0x410fd8e0 (Neoverse N3)
see --cpu-model neoverse-n1
see 100.00%
type bop\r
see by op
see load
miss MIDR_EL1
type q
end 0
END

begin "tui: columns of data in the cycle of g, and addresses in hex"
screen 'see q quit
type ggggggg
see by cache_line, sorted
type \r
see only cache_line == 0x2040
type qg
see by data_symbol
type g
see by type
type g
see by tid
type g
see by source_line
see prog.c:
type q
end 0'

begin "tui: code that is wider than the screen moves to the left, its numbers stay"
for keys in '\eBA' '\r'; do
	PTY_COLUMNS=68 PTY_LINES=24 screen "see q quit
type $keys
see :       push
see cost  count    share
miss  x) {
type \eC\eC
see  x) {
see 100.00%
see cost  count    share
type \eD\eD
see :       push
type q
see by symbol
type qq
end 0"
done
# Without room beside them the numbers move too.
PTY_COLUMNS=54 PTY_LINES=24 screen 'see q quit
type \eBA
see 100.00%
miss return x
type \eC
see return x * 3
type h
see where a text is wid
type qqq
end 0'

begin "tui: annotate, sharing, layout and mem beside the table"
screen 'see q quit
type \eBA
see annotate
see hot
see return x * 3
miss return x + 1
type q
see by symbol, sorted by cost
type \eAS
see sharing
see loads and stores with an address
type M
see mem
see hottest pages
type q
see by symbol, sorted by cost
type L
see layout
type q
type ftotal < 50\r
see # 2 records
type S
see only total < 50
see # 2 loads and stores with an address
type h
see what annotate, layout, mem or sharing print
type qq
see only total < 50
see # 2 records
type q
end 0'

# The samples are of prog, and of a file that is missing, of which a message tells, too.
begin "tui: why annotate, sharing, layout and mem have nothing to show"
cp "$dir/t.data" "$dir/kept.data"
{
	echo 'comm 10 10 1 1 prog'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo 'map 10 0x7100000000 0x100000 0 2 - /usr/bin/missing'
	echo 'info 4'
	echo "rec pc=$(user "$(at "$hot")") total=10 class=1 op=0 va=0x7100000008"
	echo 'rec pc=0x8000007100000010 total=20 class=1 op=0 va=0x7100000010'
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data
screen 'see q quit
type S
see # 2 loads and stores with an address
see no sample is a store or an atomic operation, and lines without one are not listed
type q
see q quit
type L
see no sample is in data whose type is known
type q
see q quit
type fnot va or symbol == "x"\r
see # 0 records
see none of the 2 samples is kept: press f to change the filter
type M
see keeps none of the 2 samples
type f\uobject == "/usr/bin/missing"\r
see # 1 record
type A
see keeps has a symbol: change or remove the filter
type q
end 0
see 1 recorded file is not below --symfs'
cp "$dir/kept.data" "$dir/t.data"

begin "tui: from a cache line to its verdict"
cp "$dir/t.data" "$dir/kept.data"
cp "$here/../../../Documentation/examples/shared.data" "$dir/t.data"
# Sentences wrap.
PTY_COLUMNS=80 screen 'see q quit
type ggggggg
see by cache_line
see 0x422040
type S
see only cache_line == 0x422040
see virtual line 0x422040 of process
see sharers on 2 CPUs, no byte shared: false sharing?
type q
see by cache_line
type q
end 0'
cp "$dir/kept.data" "$dir/t.data"

begin "tui: colours of hot rows, where there are colours"
# pty follows the sequences of a VT52, so the test cannot wait for a text.
coloured() {
	rm -f "$dir/log"
	PTY_LOG=$dir/log screen 'type q
end 0'
	grep -q cold "$dir/log" || fail 'no table'
	grep -q $'\e\\[[0-9;]*31m' "$dir/log"
}
PTY_TERM=xterm-color coloured || fail 'a hot row is not red'
NO_COLOR=1 PTY_TERM=xterm-color coloured && fail 'colours in spite of NO_COLOR'
coloured && fail 'a VT52 has no colours'

begin "tui: write what is shown to a file"
screen "see q quit
type ggg
see by op, sorted
type w$dir/by-op\\r
see wrote 2 rows to
type w$dir/by-op\\r
see File exists; name another file
type c
see op      share  count
type w$dir/unfolded\\r
see wrote 2 rows to
see op      share  count
type q
end 0"
cmp -s "$dir/by-op" "$dir/unfolded" || fail "folded: $(diff "$dir/by-op" "$dir/unfolded")"
run 0 report -i "$dir/t.data" --symfs "$dir/root" --by op
cut -c1-60 <(body) >"$dir/piped"
cmp -s "$dir/piped" <(cut -c1-60 "$dir/by-op") || fail "$(diff "$dir/piped" <(cut -c1-60 "$dir/by-op"))"

# 80 columns hold whole columns; what is left out comes into sight to the right.
begin "tui: 80 columns and 24 lines, by whole columns"
PTY_COLUMNS=80 PTY_LINES=24 screen 'see q quit
row 4 #   cost  symbol  object   share   mean    p50    p99  count  cycles   mean
row 5   85.37%  cold    prog    25.00%  700.0    700    700      1     700      -
row 6   14.63%  hot     prog    75.00%   40.0     20     90      3     120      -
see g group  f filter
type \eC
row 4 #   cost  symbol  object   mean    p50    p99  count  cycles   mean         mean
row 5   85.37%  cold    prog    700.0    700    700      1     700      -            -
type \eC\eC\eC\eC\eC\eC\eC\eC\eC\eC\eC\eC\eC\eC\eC\eC
row 3 #                         issue  translation                issue  translation
row 4 #   cost  symbol  object    p99          p50          p99  cycles       cycles
type \eD\eD\eD\eD\eD\eD\eD\eD\eD\eD\eD\eD\eD\eD\eD\eD
row 6   14.63%  hot     prog    75.00%   40.0     20     90      3     120      -
type c
row 3 #   cost  symbol  object   share  count
row 5   14.63%  hot     prog    75.00%      3
type c
row 6   14.63%  hot     prog    75.00%   40.0     20     90      3     120      -
type q
end 0'
# The heading has two lines.
PTY_COLUMNS=80 screen 'row 6   85.37%  cold    prog    25.00%  700.0    700    700      1     700      -
end 0' --text
# So narrow, the heading has more lines.
PTY_COLUMNS=30 screen 'see   85.37%  cold    prog
end 0' --text

begin "tui: a filter, a wrong one, none"
screen 'see # 4 records
type ftotal < 50\r
see only total < 50
see # 2 records
see # of 4 records
type f\b\b >\r
see a value is missing
see only total < 50
type f\u\r
see # 4 records
miss only
type q
end 0'
screen 'see only op == load
see # 3 records
type q
end 0' --filter 'op == load'

begin "tui: into a function, at its hottest instruction, and back"
screen 'see q quit
type \r
see # cold in /usr/bin/prog: 1 sample of 4
see return x + 1
see q back
type q
see by symbol
type \eB\r
see # hot in /usr/bin/prog: 3 samples of 4
type \e
see by symbol, sorted
type \e\r
see # hot in /usr/bin/prog
type qq
end 0'

# A function that is longer than the screen; its last but tenth instruction is hot.
printf '.globl _start\n.type _start, %%function\n_start:\n.rept 100\nnop\n.endr\n.size _start, . - _start\n' >"$dir/long.s"
${CC:-cc} -nostdlib -static -no-pie -o "$dir/root/usr/bin/long" "$dir/long.s"
read -r start size < <(nm -S "$dir/root/usr/bin/long" | awk '$4 == "_start" { print $1, $2 }')
read -r long_off long_addr < <(readelf -lW "$dir/root/usr/bin/long" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
step=$((0x$size / 100))
late=$((0x$start + 90 * step))
{
	echo 'comm 10 10 1 1 long'
	echo "map 10 0x7000000000 0x100000 $long_off 2 - /usr/bin/long"
	echo 'info 4'
	for i in 1 2 3; do echo "rec pc=$(user $((0x7000000000 + 0x$start - long_addr))) total=$i"; done
	echo "rec pc=$(user $((0x7000000000 + late - long_addr))) total=54"
	echo 'auxtrace 0 -1 10 0'
} | perf_file long.data
begin "tui: the function opens at the instruction with most cycles"
cp "$dir/t.data" "$dir/kept.data"
cp "$dir/long.data" "$dir/t.data"
screen "see q quit
type \\r
see # _start in /usr/bin/long: 4 samples of 4
see $(printf '  %x:' "$late")
miss $(printf '  %x:' "0x$start")
see   90.00%      1  25.00%
type qq
end 0"
cp "$dir/kept.data" "$dir/t.data"

begin "tui: a long name gives way to the numbers, and gets their room when they are folded"
long=$(printf 'n%.0s' $(seq 40))
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo "map 10 0x7000000000 0x1000 0 2 - /usr/bin/$long"
	echo "rec pc=$(user 0x7000000010) total=30"
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data
PTY_COLUMNS=80 PTY_LINES=24 screen "see nnn..  100.00%   30.0
miss $long
type c
see   $long  100.00%      1
type q
end 0"
cp "$dir/kept.data" "$dir/t.data"

# ncurses without wide characters cannot draw them, but each takes one column.
begin "tui: characters of several bytes take one column each"
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo 'map 10 0x7000000000 0x1000 0 2 - /usr/bin/größe'
	echo 'map 10 0x7000001000 0x1000 0 2 - /usr/bin/ab'
	echo "rec pc=$(user 0x7000000010) total=30"
	echo "rec pc=$(user 0x7000001010) total=70"
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data
screen 'row 4   70.00%  ab      50.00%      1
row 5   30.00%  gr??e   50.00%      1
type q
end 0' --columns cost,object,share,count
cp "$dir/kept.data" "$dir/t.data"

begin "tui: the columns of --columns stay, whatever was seen in between"
# keep_columns LIST OPTIONS...
keep_columns() {
	screen "see q quit
type \\r
see in /usr/bin/prog
type q
see by symbol
type M
see memory
type q
see by symbol
type w$dir/seen\\r
see wrote
type q
end 0" --columns "$@"
	grep -qE "^# +${1//,/ +}\$" "$dir/seen" || fail "not the columns $1: $(grep symbol "$dir/seen")"
	rm -f "$dir/seen"
}
keep_columns share,symbol,cost
keep_columns count,l1d-access,symbol --by symbol --events l1d-access

begin "tui: a condition is added to options of several values"
screen 'see q quit
type f and op == store\r
see # 1 record
type q
end 0' --comm prog,other
screen 'see q quit
type f and op == store\r
see # 1 record
type q
end 0' --dso prog,other

begin "tui: into any row"
# From the task to its symbols, to the code, and back to where it was
screen 'see q quit
see comm
type \r
see by symbol, sorted by cost, only comm == '"'prog'"'
see hot
type \r
see # cold in /usr/bin/prog: 1 sample of 4
type q
see # 4 records, 4 with
type q
see 4 samples, 1 row
type q
end 0' --by comm
# A row with a function and another column: only the samples of both
screen 'see q quit
type \r
see # hot in /usr/bin/prog: 3 samples of 3
see only op == '"'load'"'
type qq
end 0' --by op,symbol --sort count
# By address, then by operation, by line and by time; then there is no more.
screen 'see q quit
type \r
see by op, sorted by cost, only pc ==
type \r
see by cache_line
type \r
see by time
type \r
see do not differ further
type qqqqend 0' --by pc

begin "tui: the help is a page of its own"
screen 'see q quit
type h
see another row
type \s\sq\r
see # cold in /usr/bin/prog
type qq
end 0'
screen 'see q quit
type \eBh\eB\eBhq\r
see # hot in /usr/bin/prog
type qq
end 0'

begin "tui: on 80 columns no text is cut"
cp "$dir/t.data" "$dir/kept.data"
PTY_COLUMNS=80 PTY_LINES=24 screen "see q quit
type h
see print of the samples that
see another row
see source_name, symbol and
see go back, or quit
type q
type bnothing\\r
see unknown column
see heap_life
type q
end 0"
# The title breaks at a blank, and all below it moves down.
filter='total < 1000 and total > 1 and not symbol == main and va != 3'
PTY_COLUMNS=80 PTY_LINES=24 screen "see q quit
see and va != 3
row 6   85.37%  cold    prog    25.00%  700.0    700    700      1     700      -
type q
end 0" --filter "$filter"

begin "tui: the title says what is shown"
screen 'see by symbol, sorted by cost
type \r
see code of cold
miss sorted by
type q
see by symbol, sorted by cost
type q
end 0'

begin "tui: a key that does nothing says so"
screen 'see q quit
type \r
see code of cold
type L
see this key works in the table only: press q to go back
type x
see this key does nothing here: press h for the keys
type q
type x
see this key does nothing here: press h for the keys
type q
end 0'

begin "tui: a wrong filter stays to be corrected"
screen 'see q quit
type ftotal < 50 nonsense\r
see nonsense
type f
see filter: total < 50 nonsense
type \b\b\b\b\b\b\b\b\b\r
see # 2 records
see only total < 50
type f\u\r
see # 4 records
type q
end 0'

begin "tui: the text of another verb begins without the heading"
cp "$here/../../../Documentation/examples/shared.data" "$dir/t.data"
for view in 'A annotate' 'M mem' 'S sharing'; do
	screen "see sorted by cost
type ${view% *}
see ${view#* }  $dir
miss # host
miss # duration
type qq
end 0" --symfs "$here/../../../Documentation/examples/symfs"
done

# A sample of a guest's kernel, which only the option names
begin "tui: the text of another verb has the symbols of guests"
printf '%s\n' 'ffff800000000000 T _text' 'ffff800000001000 T one_function' 'ffff800000001100 T end' >"$dir/guest"
printf '%s\n' 'attr 8 1024 0 0x20001 0 0 0 0' 'exclude 0 0 0' 'info 4' 'conv 0 1 0' 'comm 20 20 1 1 vm' \
	'rec pc=0xa0ff800000001010 ctx1=0 ctx2=20 total=5 class=1 op=0 va=0x5000 events=2 ts=10' \
	'auxtrace 0 0 -1 0' | perf_file t.data
for option in "--guest-kallsyms=$dir/guest" "--guest-kallsyms=vm=$dir/guest"; do
	screen 'see one_function
type A
see annotate
see # one_function in [guest.kernel]
type qq
end 0' "$option"
done
cp "$dir/kept.data" "$dir/t.data"

begin "tui: search"
screen 'see q quit
type /HOT\r\r
see # hot in /usr/bin/prog
type q
see by symbol, sorted
type /nothing\r
see no row has '"'nothing'"'
type /hot\rn\r
see # hot in
type qq
end 0'

begin "tui: sort by the column beside"
screen 'see q quit
type >
see sorted by share
row 5   14.63%  hot     prog    75.00%   40.0     20     90      3     120      -            -      -      -            -            -       -            -
type >
see sorted by mean
type <<<
see sorted by cost
type q
end 0'

begin "tui: help, and long tables"
screen 'see q quit
type h
see another row
see q back
type q
see # 4 records
type q
end 0'
{
	echo 'info 4'
	for ((i = 0; i < 100; i++)); do echo "rec pc=$(user $((0x1000 + i * 4))) total=$((i + 1))"; done
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data
screen 'see 0x1000
miss 0x118c
type \s\s\s\s\s
see 0x118c
miss 0x1000
type q
end 0' --by pc --sort symbol

# The terminal's mouse: xterm's reports, in a terminal type made for this test.
begin "tui: mouse wheel"
if ! command -v tic >/dev/null; then
	skip 'no tic'
else
	{
		printf 'vt52-mouse|a VT52 with a mouse,\n\tkmous=\\E[M, XM=\\E=,\n'
		infocmp -1 vt52 | grep -v '^#' | tail -n +2
	} >"$dir/terminal"
	tic -x -o "$dir/terminfo" "$dir/terminal" 2>"$err" || fail 'tic'
	# shellcheck disable=SC2016  # what xterm sends for the wheel
	TERMINFO=$dir/terminfo PTY_TERM=vt52-mouse screen 'see q quit
see 0x1000
miss 0x1084
type \e[Ma!!\e[Ma!!\e[Ma!!\e[Ma!!\e[Ma!!\e[Ma!!\e[Ma!!\e[Ma!!\e[Ma!!\e[Ma!!\e[Ma!!
see 0x1084
miss 0x1000
type \e[M`!!\e[M`!!\e[M`!!\e[M`!!\e[M`!!\e[M`!!\e[M`!!\e[M`!!\e[M`!!\e[M`!!\e[M`!!
see 0x1000
type q
end 0' --by pc --sort symbol
fi

begin "tui: what the last line has shown is not printed again in the end"
screen 'see q quit
type bnothing\r
see unknown column '"'nothing'"'
type s
see sorted by count
see q quit
miss nothing
type q
end 0
miss nothing'

begin "tui: what is wrong with the data is said in the end"
{
	echo 'info 4'
	echo "rec pc=$(user 0x1000) total=5"
	echo 'byte 0 0 0 0xff 0xff 0xff 0xff'
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data
screen 'see q quit
type q
see perf-spe:
end 1'

finish
