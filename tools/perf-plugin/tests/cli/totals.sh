#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe stat: the estimated totals of a recording.
# usage: totals.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/trust.sh
. "$(dirname "$0")/lib/trust.sh"

# With jitter the mean is 4096 + 1 with FEAT_SPE_ERnd (D17.3.4.3), 4096 + 128 without
# (D17.3.4.2).  The middle is 4160.5 operations for each sample.
begin "totals: a healthy recording, and its totals"
{ head_of 4096 0 $jitter; echo 'aux 0 0 1'; thousand; end_of; } | perf_file healthy.data
run 0 stat -i "$dir/healthy.data"
silent
verdict yes
says '# estimated totals: a sample stands for 4097 to 4224 operations'
total_is operations '4.16 million'
total_is 'operations that retired' '4.16 million'
total_is loads '1.66 million'
total_is 'loads that missed the first cache' '416 thousand'
total_is stores '832 thousand'
total_is branches '624 thousand'
total_is 'branches that were mispredicted' '125 thousand'
total_is 'stores that missed the first cache' ''
finds_not .
! grep -q '# record instead' "$out" || fail "advice without a reason"

# The order is random: sorted by a fixed hash of the number.
shuffled() { awk '{ print NR * 7919 % 4001, $0 }' | sort -n | cut -d' ' -f2-; }
# Wilson's limits of 400 of 1000 by hand are 0.370074 and 0.430691: times 1000 * 4097 and 4224.
# All operations: 999 * 4097 and 1001 * 4224.
begin "totals: intervals of totals"
{ head_of 4096 0 $jitter; echo 'aux 0 0 1'; thousand | shuffled; end_of; } | perf_file shuffled.data
run 0 stat -i "$dir/shuffled.data" --ci
total_is loads '1.66 million | 1.52 million to 1.82 million'
total_is operations '4.16 million | 4.09 million to 4.23 million'

# All loads come first.  Their variance counts as 2% of that of independent samples, which is the
# least: 0.4 -+ 1.96 * sqrt(0.4 * 0.6 * 0.02 / 1000) is 0.3957 to 0.4043, times 4.097 and 4.224 million.
begin "totals: phases narrow the interval"
run 0 stat -i "$dir/healthy.data" --ci
total_is loads '1.66 million | 1.62 million to 1.71 million'

# The number of samples is left to chance: the score interval of 1000 is 939.9 to 1063.9, times
# 4097 and 4224.
begin "totals: filters"
{ head_of 4096 0 $((jitter | load_filter)); repeat 1000 'rec class=1 op=0 total=8'; end_of; } | perf_file filter.data
run 0 stat -i "$dir/filter.data" --ci
verdict yes
found note 'only of the operations that pass load_filter'
total_is loads '4.16 million | 3.85 million to 4.49 million'

# arm_spe_1 samples no stores, which the total of stores cannot have.
begin "totals: filters of one PMU of two, and what both have is said once"
pair() { # CONFIG of arm_spe_1
	printf '%s\n' 'pmus 8 arm_spe_0 9 arm_spe_1' 'pmus-of-cpus 2 8 9' 'attr 8 1024 0 0 0 0 0 0' "attr 9 1024 0 $1 0 0 0 0" 'conv 0 1 0'
	repeat 500 'rec class=1 op=1 total=8' && echo 'auxtrace 0 0 -1 0'
	repeat 500 'rec class=1 op=0 total=8' && echo 'auxtrace 1 1 -1 0'
}
pair $load_filter | perf_file both.data
pair 0 | perf_file none.data
run 0 stat -i "$dir/both.data" --filter 'op == store'
found note 'filter: samples, shares and totals are only of the operations that pass load_filter, on the CPUs of arm_spe_1'
[ "$(grep -c 'no jitter' "$out")" -eq 1 ] || fail 'not once'
run 0 stat -i "$dir/none.data"
[ "$(grep -c 'no jitter' "$out")" -eq 1 ] || fail 'not once'
finds_not 'filter: '

begin "totals: a filter of the reader"
run 0 stat -i "$dir/healthy.data" --filter 'op == load'
found note 'options: the options of this command keep 400 of 1000 samples'
total_is operations '1.66 million'

# 1000 * 4097 operations and 500 * 8193 are 8.1935 million; the means differ by a factor of 2.0.
# Loads are 400 * 4097 and 500 * 8193: 5.7353 million.
begin "totals: several periods"
{
	echo 'pmus 8 arm_spe_0 9 arm_spe_1'
	echo 'pmus-of-cpus 2 8 9'
	echo 'attr 8 4096 0 0 0 0 0 0'
	echo 'attr 9 8192 0 0 0 0 0 0'
	thousand
	echo 'auxtrace 0 0 -1 0'
	repeat 500 'rec class=1 op=0 total=8'
	echo 'auxtrace 1 1 -1 0'
} | perf_file two.data
run 0 stat -i "$dir/two.data"
verdict 'with care'
found care 'several periods: the mean intervals go from 4097 to 8193 operations'
found care 'by a factor of up to 2.0'
total_is operations '8.19 million'
total_is loads '5.74 million'
says '# record instead: perf spe record --period 8192 -- COMMAND'
found care 'multiple of 17 '
found care 'multiple of 3 ' # 8193 is 3 * 2731

# walk() of selftests/rig/guest reads ROUNDS times, and the recorded command gives 200000.
begin "totals: the example's loads are within the interval"
examples=$here/../../../Documentation/examples
run 0 stat -i "$examples/shared.data" --symfs "$examples/symfs" --ci --filter 'symbol == walk'
low=$(total loads | sed 's/.* | //; s/ thousand.*//') high=$(total loads | sed 's/.* to //; s/ thousand//')
awk -v low="$low" -v high="$high" 'BEGIN { exit !(low > 100 && low < 200 && high > 200 && high < 400) }' ||
	fail "200 thousand reads are not within $(total loads)"

begin "totals: stat.md shows what stat prints"
run 0 stat -i "$examples/shared.data" --ci
# shellcheck disable=SC2016 # the $ is the document's prompt
documented '$ build/perf-spe stat -i Documentation/examples/shared.data --ci'

finish
