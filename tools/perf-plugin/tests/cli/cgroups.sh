#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The columns cgroup, pod and container: from samples with PERF_SAMPLE_CGROUP, whatever the order
# of the events, and from names of control groups.
# usage: cgroups.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/top.sh
. "$(dirname "$0")/lib/top.sh"

rec() { echo "rec pc=$(user 0x400100) ts=$1 ctx1=$2 events=0x2 total=3"; }
# head_text: an SPE event, and one whose samples have the control group (bit 21)
head_text() {
	printf '%s\n' 'attr 8 1024 0 1 0 0 0 0' 'attr 1 1 0 11 0 0 0 0' 'parts 0x200000 0' \
		'info 4' 'conv 0 1 0'
}
# in_group GROUP PID TID TIME: what the kernel says when a thread leaves the CPU
in_group() { printf '%s\n' 'owner 1' "group $1" "calls $2 $3 0 $4" 'owner 0'; }
owners() { "$perf_spe" export -i "$dir/a.data" -f csv -F "$1" 2>"$err" | tr -d '\r"' | tail -n +2; }
expect() { # FIELDS LINE...
	local fields=$1 got
	shift
	got=$(owners "$fields")
	[ "$got" = "$(printf '%s\n' "$@")" ] || fail "$fields: $(tr '\n' ' ' <<<"$got")"
}

begin "cgroups: of a process, of what it forks, and of one that nothing tells of"
{
	head_text
	echo 'cgroup 70 /web' && echo 'cgroup 71 /db'
	echo 'comm 10 10 1 1 one' && echo 'comm 20 20 1 1 two' && echo 'comm 30 30 1 1 three'
	rec 10 10 && rec 11 20 && rec 12 30
	in_group 70 10 10 20
	in_group 71 20 20 21
	echo 'fork 12 10 40' && rec 50 12
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,cgroup,container,pod '10,/web,,' '20,/db,,' '30,,,' '12,/web,,'
run 0 report -i "$dir/a.data" --by cgroup --csv
grep -q '^50,"/web",50,3,3,3,2,' "$out" || fail 'not two samples of /web'
run 0 report -i "$dir/a.data" --filter 'cgroup == "/db"'
says '1 record'
run 0 export -i "$dir/a.data" -f csv
! grep -q cgroup "$out" || fail 'a default column'

begin "cgroups: diff does not compare groups that one recording alone can name"
samples_of() { printf '%s\n' 'comm 10 10 1 1 one'; for ((i = 0; i < 40; i++)); do rec $((i + 10)) 10; done; echo 'auxtrace 0 0 10 0'; }
{ head_text; echo 'cgroup 70 /web'; in_group 70 10 10 9; samples_of; } | perf_file grouped.data
{ head_text; samples_of; } | perf_file plain.data
run 0 diff --by cgroup "$dir/grouped.data" "$dir/plain.data"
says '# groups     no control groups in new, unlike old, so rows without a name or of one recording alone are not tested'
says '2 rows, 0 differences tested'
run 0 diff --by cgroup "$dir/grouped.data" "$dir/grouped.data"
says '1 row, 3 differences tested'

begin "cgroups: a process moves, a child moves before its exec, and groups get their names late"
{
	head_text
	echo 'comm 10 10 1 1 one'
	rec 10 10 && rec 30 10 && rec 50 12
	in_group 71 10 10 25
	in_group 70 10 10 15
	in_group 71 12 12 60
	echo 'fork 12 10 16' && echo 'comm 12 12 45 1 job'
	echo 'cgroup 70 /web' && echo 'cgroup 71 /db'
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,cgroup '10,/web' '10,/db' '12,/db'

begin "cgroups: what a process forks after it moved is where it was then"
{
	head_text
	echo 'cgroup 70 /a' && echo 'cgroup 71 /b'
	echo 'comm 10 10 1 1 one'
	in_group 70 10 10 10 && in_group 71 10 10 20 && in_group 70 10 10 40
	echo 'fork 12 10 15' && echo 'fork 13 10 30' && echo 'comm 13 13 31 1 job' && echo 'fork 14 10 50'
	rec 16 12 && rec 35 13 && rec 55 14
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,cgroup '12,/a' '13,/b' '14,/a'

begin "cgroups: threads of one process in two groups, and one of which nothing tells"
{
	head_text
	echo 'cgroup 70 /a' && echo 'cgroup 71 /b'
	echo 'comm 10 10 1 1 one'
	for tid in 11 12 13; do echo "thread 10 $tid 10 2"; done
	in_group 70 10 11 15
	in_group 71 10 12 16
	rec 20 11 && rec 21 12 && rec 22 13
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect tid,cgroup '11,/a' '12,/b' '13,'

begin "cgroups: a pid that is used again does not keep its group"
{
	head_text
	echo 'cgroup 70 /a'
	echo 'comm 1 1 1 1 init' && echo 'comm 10 10 1 1 one'
	in_group 70 10 10 15
	rec 20 10
	echo 'fork 10 1 30' && rec 40 10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,cgroup '10,/a' '10,'

begin "cgroups: a pid that is used again is in the old group again"
{
	head_text
	echo 'cgroup 70 /a' && echo 'cgroup 71 /init'
	echo 'comm 1 1 1 1 init' && echo 'comm 10 10 1 1 one'
	in_group 71 1 1 5
	in_group 70 10 10 15
	rec 20 10
	echo 'fork 10 1 30'
	in_group 70 10 10 35
	rec 40 10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,cgroup '10,/a' '10,/a'

begin "cgroups: without times, only what was always so"
{
	head_text | grep -v conv
	echo 'cgroup 70 /a' && echo 'cgroup 71 /b'
	echo 'comm 10 10 1 1 one' && echo 'comm 20 20 1 1 two'
	in_group 70 10 10 15
	in_group 70 20 20 15
	in_group 71 20 20 16
	echo 'rec events=2 ctx1=10' && echo 'rec events=2 ctx1=20'
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,cgroup '10,/a' '20,'

begin "cgroups: the records that are samples say it themselves"
{
	printf '%s\n' 'attr 9 1024 0 0 0 0 0 0' 'parts 0x28c008 0' 'pmus 8 arm_spe_0 9 spe_sample_0'
	echo 'cgroup 70 /a' && echo 'comm 10 10 1 1 one'
	echo 'group 70' && echo "spesample 10 10 0 20 $(user 0x400100) 0 0 0 0"
	echo 'group 99' && echo "spesample 10 10 0 30 $(user 0x400100) 0 0 0 0"
} | perf_file a.data
expect time,cgroup '20,/a' '30,'

begin "cgroups: why there is none"
printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' "$(rec 10 10)" 'auxtrace 0 0 10 0' | perf_file a.data
run 0 report -i "$dir/a.data" --by cgroup
warns 'report: cgroup, pod and container are empty: the recording does not have the control groups of threads'
run 0 report -i "$dir/a.data" --filter 'not container' --text
warns 'cgroup, pod and container are empty'
run 0 export -i "$dir/a.data" -f csv -F pod
warns 'export: cgroup, pod and container are empty'
run 0 report -i "$dir/a.data"
! grep -q 'control groups' "$err" || fail "a reason, and nobody asked"
# perf reads the paths in a mounted file system: without one the samples have numbers of groups alone.
{
	head_text
	echo 'comm 10 10 1 1 one' && rec 10 10
	in_group 70 10 10 20
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
run 0 report -i "$dir/a.data" --by cgroup
warns 'report: cgroup, pod and container are empty: the recording has the control groups of threads without their paths, which perf found nowhere: record again where a control group file system is mounted, as on /sys/fs/cgroup'

begin "cgroups: containers and pods by the names of their runtimes"
c1=$(printf '%064d' 1) c2=$(printf 'ab%062d' 2) uid=01234567-89ab-cdef-0123-456789abcdef
# is PATH POD CONTAINER
is() {
	{
		head_text
		echo "cgroup 70 $1" && echo 'comm 10 10 1 1 one'
		in_group 70 10 10 15
		rec 10 10
		echo 'auxtrace 0 0 10 0'
	} | perf_file a.data
	expect cgroup,pod,container "$1,$2,$3"
}
slices=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid//-/_}.slice
is "/docker/$c1" '' "$c1"
is "/system.slice/docker-$c1.scope" '' "$c1"
is "/docker/$c1/docker/$c2/init" '' "$c2"
is "/machine.slice/libpod-$c1.scope/container" '' "$c1"
is "/machine.slice/libpod-conmon-$c1.scope" '' ''
is "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-$c1.scope" '' "$c1"
is "$slices/cri-containerd-$c1.scope" "$uid" "$c1"
is "$slices/crio-$c1.scope" "$uid" "$c1"
is "$slices/crio-conmon-$c1.scope" "$uid" ''
is "$slices" "$uid" ''
is "/kubepods.slice/kubepods-pod${uid//-/_}.slice/docker-$c1.scope" "$uid" "$c1"
is "/kubepods/besteffort/pod$uid/$c1" "$uid" "$c1"
is "/kubepods/pod$uid/$c1" "$uid" "$c1"
is "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod${uid//-/_}.slice:cri-containerd:$c1" "$uid" "$c1"
is "/system.slice/containerd.service/kubepods-besteffort-pod${uid//-/_}.slice:cri-containerd:$c1" "$uid" "$c1"
is "/system.slice/podman.service" '' ''
is "/docker/${c1%?}" '' ''
is "/docker/${c1}0" '' ''
is "/docker/${c1%?}X" '' ''
is "/user.slice/x-pod.slice" '' ''
is / '' ''

begin "cgroups: top reads them from /proc"
make_program
make_pmu spe
echo 0 >"$pmu/cpumask"
FAKE_MAP="10 $map_prog /usr/bin/prog"
FAKE_PCS="$(at "$hot"):30"
watched 0 --iterations 1 --by cgroup
warns 'top: cgroup, pod and container are empty: found no control group of a process that ran'
mkdir -p "$dir/spe/proc/10"
printf '3:cpu:/no\n1:perf_event:/docker/%s\n0::/no\n' "$c1" >"$dir/spe/proc/10/cgroup"
watched 0 --iterations 1 --by container
says "$c1"
printf '1:name=systemd:/no\n0::/system.slice/docker-%s.scope\n' "$c2" >"$dir/spe/proc/10/cgroup"
watched 0 --iterations 1 --by container,cgroup
says "$c2"
silent

begin "cgroups: record asks for them where the kernel has them"
run 0 record --root "$dir/spe" --print -- prog
! grep -q cgroup "$out" || fail 'asked for what there is not'
printf '#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t0\t1\t1\nperf_event\t0\t1\t1\n' >"$dir/spe/proc/cgroups"
run 0 record --root "$dir/spe" --print -a
says 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ --all-cgroups -e context-switches/period=1/ -c'
run 0 record --root "$dir/spe" --print --user -- prog
! grep -q cgroup "$out" || fail 'events of the kernel for a user'
printf 'perf_event\t0\t1\t0\n' >"$dir/spe/proc/cgroups"
run 0 record --root "$dir/spe" --print -a
! grep -q cgroup "$out" || fail 'a controller that is disabled'

finish
