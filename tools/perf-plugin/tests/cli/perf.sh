#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compare the samples of the host's stock perf with perf-spe's, on records of all
# kinds.
# usage: perf.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

perf=${PERF:-perf}

# Records with random combinations of packets.  The script has its own generator, so
# that every run has the same records.  Data addresses are of user and kernel, with
# and without tag.
random_records() {
	awk 'BEGIN {
		seed = 4711
		for (n = 0; n < 400; n++) {
			line = "rec"
			if (r(8)) line = line sprintf(" pc=0x%s%06x", r(2) ? "8000000000" : "a0ff800008", r(65536) * 4)
			if (r(3)) line = line sprintf(" total=%d", r(4) ? r(400) : 4095)
			if (r(3)) line = line sprintf(" issue=%d", r(40))
			if (r(4)) line = line sprintf(" xlat=%d", r(40))
			if (r(10)) line = line sprintf(" events=0x%x", r(4096))
			if (r(3)) {
				line = line sprintf(" class=1 op=%d", r(2))
				if (r(5))
					line = line sprintf(" va=0x%s%06x", r(3) ? (r(2) ? "0000007fff" : "00fff00008") : "5a00007f12", r(16777216))
				if (r(2)) line = line sprintf(" pa=0x80000000%08x", r(16777216))
				if (r(4)) line = line sprintf(" source=%d", r(16))
			} else if (r(2)) {
				line = line sprintf(" class=2 op=%d", r(4))
				if (r(3)) line = line sprintf(" target=0x8000000000%06x", r(65536) * 4)
				if (r(3) == 0) line = line sprintf(" prev=0x8000000000%06x", r(65536) * 4)
			} else {
				line = line " class=0 op=0"
			}
			print line sprintf(" ts=%d", 1000 + n)
		}
	}
	function r(below) {
		seed = (seed * 16807) % 2147483647
		return int(seed / 2147483647 * below)
	}'
}

begin "perf: the same samples in stock perf and here, field by field"
if ! command -v "$perf" >/dev/null; then
	skip "no perf here: Debian's package linux-perf has it"
	finish
	exit
fi
{
	echo 'physical'
	echo 'conv 1 3 7'
	echo 'info 4'
	echo 'comm 10 10 1 1 program'
	echo 'itrace 10 10 0 3'
	random_records
	echo 'auxtrace 0 0 10 0'
	echo 'comm 10 10 1000000 0 program'
} | perf_file a.data
"$perf" script --ns -i "$dir/a.data" --itrace=i1iMbfmta \
	-F hw:time,event,ip,addr,phys_addr,weight,data_src 2>"$err" | gzip -1 >"$dir/a.gz"
"$here/same-samples" "$perf_spe" "$dir/a.data" "$dir/a.gz" >"$out" 2>>"$err" || fail "$(head -n 4 "$out")"
[ "$(sed -n '$s/ samples$//p' "$out")" -gt 1500 ] || fail "$(tail -n 1 "$out")"

begin "perf: and what one of them says otherwise is found"
for change in 's/va=/pc=/' 's/total=3/total=4/' 's/events=0x1/events=0x2/' 's/pa=0x8/va=0x7/'; do
	{
		echo 'physical'
		echo 'conv 1 3 7'
		echo 'info 4'
		random_records | sed "$change"
		echo 'auxtrace 0 0 10 0'
	} | perf_file b.data
	"$here/same-samples" "$perf_spe" "$dir/b.data" "$dir/a.gz" >"$out" 2>"$err" && fail "not found: $change"
done

finish
