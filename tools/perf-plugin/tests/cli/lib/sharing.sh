# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # what cli.sh sets, and what the scripts read
#
# Records of three threads in a program, for scripts that test sharing; source cli.sh first.

make_program
hot_pc=$(user "$(at "$hot")") cold_pc=$(user "$(at "$cold")")

load() { echo "rec pc=$1 ctx1=$2 total=$3 class=1 op=0 va=$4 events=${5:-2}"; }
store() { echo "rec pc=$1 ctx1=$2 total=$3 class=1 op=1 va=$4 events=${5:-2}"; }
head_of() {
	cat <<END
midrs 2 0x413fd0c1 0x413fd0c1
comm 10 10 1 1 first
comm 10 11 1 0 first
comm 20 20 1 1 second
map 10 $map_prog 2 $id /usr/bin/prog
map 20 $map_prog 2 $id /usr/bin/prog
END
}
