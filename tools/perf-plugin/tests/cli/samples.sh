#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Recordings whose records are samples of spe_sample_N, with and without the records' bytes.
# usage: samples.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program

# PERF_SAMPLE_..., linux/perf_event.h: RAW is bit 10, ADDR 3, WEIGHT 14, WEIGHT_STRUCT 24,
# DATA_SRC 15, PHYS_ADDR 19, CALLCHAIN 5.
raw=0x400 fields=0x8c008 weights=0x1000000 calls=0x20
hot_at=$(at "$hot") cold_at=$(at "$cold")

# head_text PARTS: a recording of spe_sample_0, batch=8, without AUX data
head_text() {
	cat <<END
attr 9 1024 0 0x0800000000000000 0 0 0 0
parts $1 0
pmus 8 arm_spe_0 9 spe_sample_0
comm 10 10 1 1 prog
comm 20 20 1 1 other
map 10 $map_prog 2 $id /usr/bin/prog
map 20 $map_prog 2 $id /usr/bin/prog
thread 10 11 10 2
conv 0 10 1000
END
}
# The records say thread 10 or nothing, and the samples know better.
load() { echo "rec pc=$(user "$hot_at") ctx1=$2 issue=2 total=$3 xlat=1 events=0x1e class=1 op=0 va=0x5000 pa=0x8000000000006000 source=4 ts=$1"; }
branch() { echo "rec pc=$(user "$cold_at") ctx1=$2 issue=1 total=$3 events=0x82 class=2 op=1 target=$(user "$hot_at") ts=$1"; }
sample() { echo "spesample $1 $2 $3 $4 $5 0 0 0 0"; }
raw_text() {
	head_text $((raw | fields))
	load 100 10 50 && sample 10 10 0 2000 "$hot_at"
	load 110 10 60 && sample 20 20 0 2100 "$hot_at"
	branch 120 10 7 && sample 10 11 1 2200 "$cold_at"
	load 130 10 70 && sample 10 10 0 2300 "$hot_at"
	branch 140 10 8 && sample 20 20 0 2400 "$cold_at"
}
table() { # FILE COLUMNS LINE...
	local file=$1 columns=$2
	shift 2
	run 0 export -i "$dir/$file" --symfs "$dir/root" -f csv -F "$columns"
	[ "$(tail -n +2 "$out" | tr -d '\r"' | sort)" = "$(printf '%s\n' "$@" | sort)" ] ||
		fail "$columns: $(tail -n +2 "$out" | tr '\r\n' '  ')"
}

begin "samples: each has its own thread, CPU and time, and all that its record has"
raw_text | perf_file raw.data
table raw.data time,cpu,pid,tid,comm,symbol,total,op,events,va,source \
	'2000,0,10,10,prog,hot,50,load,retired|l1d-access|l1d-refill|tlb-access,0x5000,4' \
	'2100,0,20,20,other,hot,60,load,retired|l1d-access|l1d-refill|tlb-access,0x5000,4' \
	'2200,1,10,11,prog,cold,7,branch,retired|mispredicted,,' \
	'2300,0,10,10,prog,hot,70,load,retired|l1d-access|l1d-refill|tlb-access,0x5000,4' \
	'2400,0,20,20,other,cold,8,branch,retired|mispredicted,,'
silent
target=$(printf '0x%x' "$hot_at")
table raw.data timestamp,context_el1,issue,translation,pa,target,subclass \
	,10,2,1,0x6000,,GP-REG ,10,2,1,0x6000,,GP-REG ",10,1,,,$target,BRANCH" \
	,10,2,1,0x6000,,GP-REG ",10,1,,,$target,BRANCH"

begin "samples: the kernel stopped the event, for 150 ns of 400"
{ raw_text; printf '%s\n' 'throttle 1 0 2100' 'throttle 0 0 2250'; } | perf_file stopped.data
run 0 stat -i "$dir/stopped.data" --symfs "$dir/root"
says ' no    throttled: the kernel stopped the event 1 time, for 0.000 s in all'
says '# record instead, '
run 0 diff --by op "$dir/raw.data" "$dir/stopped.data"
says '# losses     new: the kernel stopped the event 1 time, for 0.000 s in all, because it had too many samples'

begin "samples: the same records as AUX data have the same columns"
{
	head_text 0 | sed 's/^attr 9 /attr 8 /; s/^conv.*/info 4/'
	echo 'conv 0 10 1000'
	load 100 10 50 && load 110 10 60 && load 130 10 70 && echo 'auxtrace 0 0 10 0'
	branch 140 10 8 && echo 'auxtrace 0 0 10 0'
	branch 120 10 7 && echo 'auxtrace 1 1 10 0'
} | perf_file aux.data
columns=pc,el,security,object,symbol,op,subclass,op_flags,events,event_bits,total,issue,translation,target,va,pa,source,context_el1,object_address
for f in raw aux; do
	"$perf_spe" export -i "$dir/$f.data" --symfs "$dir/root" -f csv -F "$columns" 2>/dev/null | sort >"$dir/$f.csv"
done
[ "$(wc -l <"$dir/aux.csv")" -eq 6 ] || fail 'not 5 records'
diff "$dir/aux.csv" "$dir/raw.csv" >"$dir/diff" || fail "$(cat "$dir/diff")"

begin "samples: reports, the PMU, and what the packets are"
run 0 report -i "$dir/raw.data" --symfs "$dir/root" --sort count
count_is prog hot 3
count_is prog cold 2
says 'pmu        spe_sample_0'
run 0 stat -i "$dir/raw.data"
says 'one in 1025 operations'
says 'spe_sample_0 batch=8'
run 0 dump -i "$dir/raw.data"
says '# 2 samples of CPU 0, thread 10, offset 0x0'
[ "$(grep -c LAT "$out")" -ge 5 ] || fail 'packets are missing'
[ "$(grep -oE 'TIMESTAMP [0-9]+' "$out" | sort | paste -sd ' ')" = 'TIMESTAMP 100 TIMESTAMP 110 TIMESTAMP 120 TIMESTAMP 130 TIMESTAMP 140' ] ||
	fail 'not the timestamps of the records'
silent

begin "samples: a filter, a range of time, and the second thread's"
run 0 export -i "$dir/raw.data" -f csv -F total --time 0.0000021,0.0000022
[ "$(tail -n +2 "$out" | tr -d '\r')" = "$(printf '60\n7')" ] || fail 'other samples'
run 0 report -i "$dir/raw.data" --by pid --filter 'op == load' --csv
says '10'
PERF_SPE_THREADS=2 "$perf_spe" report -i "$dir/raw.data" --symfs "$dir/root" --json >"$dir/two" 2>/dev/null
PERF_SPE_THREADS=1 "$perf_spe" report -i "$dir/raw.data" --symfs "$dir/root" --json >"$dir/one" 2>/dev/null
cmp -s "$dir/one" "$dir/two" || fail 'two threads read otherwise'

begin "samples: of another clock, and of none: the samples' times"
{
	raw_text
	echo 'feature 29 1 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'
} | perf_file mono.data
raw_text | sed 's/ ts=120$//' | perf_file end.data
raw_text | sed 's/^conv.*//' | perf_file unrelated.data
for f in mono end unrelated; do
	table $f.data time,timestamp,total 2000,,50 2100,,60 2200,,7 2300,,70 2400,,8
done

# PERF_MEM_...: op in bits 4:0 (load 2, store 4), hit 2 and miss 4 in lvl from bit 5 on, dtlb from
# bit 26 on (hit 2, miss 4, walker 0x20), lvl_num from bit 33 on (L1 1, L2 2, L3 3, LFB 0xc, RAM 0xd),
# remote bit 37, snoop from bit 19 on (HITM 0x10)
source_of() { # OP LVL DTLB LVL_NUM REMOTE SNOOP
	printf '0x%x' $(($1 | $2 << 5 | $3 << 26 | $4 << 33 | $5 << 37 | $6 << 19))
}
bare_text() { # PARTS
	head_text "$1"
	echo "spesample 10 10 0 2000 $hot_at 0x5000 0x6000 40 $(source_of 2 2 0x22 1 0 0)"
	echo "spesample 10 10 0 2001 $hot_at 0x5008 0x6008 41 $(source_of 2 2 0x24 2 0 0x10)"
	echo "spesample 10 10 0 2002 $hot_at 0x5010 0x6010 42 $(source_of 4 4 0 3 1 0)"
	echo "spesample 10 10 0 2003 $hot_at 0x5018 0 43 $(source_of 2 2 0 0xd 0 0)"
	echo "spesample 10 10 0 2004 $hot_at 0x5020 0 44 $(source_of 2 2 0 0xc 0 0)"
	echo "spesample 10 10 0 2005 $hot_at 0x5028 0 45 $(source_of 2 1 0 0xf 0 0)"
	echo "spesample 20 20 1 2006 0xffff800080000000 0 0 46 0"
}

begin "samples: without their records, what a sample has"
bare_text $fields | perf_file bare.data
table bare.data time,cpu,pid,el,total,issue,op,subclass,va,pa,events \
	'2000,0,10,0,40,,load,UNSPECIFIED-REG,0x5000,0x6000,l1d-access|tlb-access' \
	'2001,0,10,0,41,,load,UNSPECIFIED-REG,0x5008,0x6008,l1d-access|l1d-refill|tlb-access|tlb-walk|l2d-access|data-modified|data-snooped' \
	'2002,0,10,0,42,,store,UNSPECIFIED-REG,0x5010,0x6010,l1d-access|l1d-refill|llc-access|llc-miss|remote-access' \
	'2003,0,10,0,43,,load,UNSPECIFIED-REG,0x5018,,l1d-access|l1d-refill|llc-access|llc-miss' \
	'2004,0,10,0,44,,load,UNSPECIFIED-REG,0x5020,,recently-fetched' \
	'2005,0,10,0,45,,load,UNSPECIFIED-REG,0x5028,,' \
	'2006,1,20,1,46,,,,,,'
warns 'the samples do not have their records (perf record --raw-samples)'
[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one note'
run 1 dump -i "$dir/bare.data"
warns 'does not have the packets of its samples: record with perf record --raw-samples'
[ ! -s "$out" ] || fail 'it prints packets that the recording lacks'

begin "samples: two events with the same fields, whose ids are not the first"
{
	echo plain-ids
	head_text $fields | sed "1,2!d"
	head_text $fields | sed "1,2!d; s/^attr 9/attr 1/"
	head_text $fields | grep pmus
	echo "spesample 10 10 0 2000 $hot_at 0x5000 0 40 0"
	echo 'owner 1'
	echo "spesample 10 10 0 2000 $hot_at 0x5000 0 99 0"
} | perf_file plain.data
table plain.data total 40

begin "samples: those that perf record stored twice count once"
for form in perf pipe zstd; do
	{
		raw_text
		echo 'twice 2'
		load 150 10 90 && sample 10 10 0 2500 "$hot_at"
		echo 'twice 1'
		echo 'event 68 0'
	} | "$fixture" $form "$dir/twice.data"
	table twice.data time,total 2000,50 2100,60 2200,7 2300,70 2400,8 2500,90
	run 0 stat -i "$dir/twice.data"
	says '# 6 samples, '
	silent
done

# The first sample is of another ring than the 70,000 that follow it, and stored again after these.
begin "samples: one that was stored twice counts once, however long the round is"
{
	head_text $((raw | fields))
	echo 'event 68 0'
	load 100 10 50 && sample 10 10 0 2000 "$hot_at"
	load 200 10 7 >"$dir/rec"
	awk -v at="$hot_at" '{ for (i = 0; i < 70000; i++) print $0 "\nspesample 10 10 1 " 3000 + i " " at " 0 0 0 0" }' "$dir/rec"
	echo 'event 68 0'
	load 100 10 50 && sample 10 10 0 2000 "$hot_at"
} | perf_file long.data
run 0 report -i "$dir/long.data" --by cpu --csv=rows
[ "$(cut -d, -f2,7 "$out" | tr -d '\r' | tail -n +2 | sort | paste -sd ' ')" = '0,1 1,70000' ] || fail "$(cat "$out")"

begin "samples: three weights"
{
	head_text $(((fields & ~0x4000) | weights))
	echo "spesample 10 10 0 2000 $hot_at 0x5000 0 $((3 << 48 | 5 << 32 | 70)) $(source_of 2 2 0 1 0 0)"
	echo "spesample 10 10 0 2001 $hot_at 0 0 $((5 << 32 | 71)) 0"
} | perf_file weights.data
table weights.data total,issue,translation 70,5,3 71,5,

begin "samples: a thread that no event names"
{
	head_text $raw
	branch 100 10 7 && sample 30 31 1 2000 "$cold_at"
} | perf_file unnamed.data
table unnamed.data cpu,pid,tid,comm 1,30,31,

begin "samples: damaged records are left out, and told"
{
	raw_text
	echo 'byte b0 00 11'
	sample 10 10 0 2500 "$hot_at"
} | perf_file damaged.data
run 1 export -i "$dir/damaged.data" -f csv -F total
[ "$(wc -l <"$out")" -eq 6 ] || fail 'the other samples are not there'
warns '1 sample of spe_sample has no whole record: left out; copy the file again'

begin "samples: beside AUX data"
{
	raw_text | sed 's/^conv.*/info 4\n&/'
	branch 140 10 9 && echo 'auxtrace 0 0 10 0'
} | perf_file both.data
run 0 export -i "$dir/both.data" -f csv -F total
[ "$(tail -n +2 "$out" | tr -d '\r')" = 9 ] || fail 'not the AUX data alone'
warns 'it has AUX data of SPE too, so the 5 samples of spe_sample are left out'

begin "samples: losses"
{
	raw_text
	echo 'lost 3'
} | perf_file lost.data
run 0 report -i "$dir/lost.data"
says '# lost: 3 perf records'
run 0 stat -i "$dir/lost.data"
says 'no    lost samples: perf lost at least 3 of 8 samples and other records: 37.50%; a pause of the driver counts as one'
{
	raw_text
	for i in {1..200}; do load 100 10 50 && sample 10 10 0 $((3000 + i)) "$hot_at"; done
	echo 'lost 1'
} | perf_file pause.data
run 0 stat -i "$dir/pause.data"
says 'care  lost samples: perf lost at least 1 of '
run 0 diff --by op "$dir/lost.data" "$dir/stopped.data"
says '# losses     old: perf lost at least 3 of 8 samples and other records: 37.50%; new: the kernel stopped'

begin "samples: call chains are the samples' own"
user_mark=0xfffffffffffffe00
{
	head_text $((raw | fields | calls))
	load 100 10 50 && echo "$(sample 10 10 0 2000 "$hot_at") $user_mark $hot_at $((cold_at + 4))"
	load 110 10 60 && echo "$(sample 10 10 0 2100 "$hot_at") $user_mark $hot_at"
} | perf_file calls.data
table calls.data total,caller 50,cold 60,

begin "samples: the pipe form, and compressed"
for form in pipe zstd; do
	raw_text | "$fixture" "$form" "$dir/$form.data" || continue
	table $form.data total,tid 50,10 60,20 7,11 70,10 8,20
done

begin "samples: none at all"
head_text $raw | perf_file none.data
run 1 report -i "$dir/none.data"
warns 'no samples, though spe_sample_0 was recorded'
finish
