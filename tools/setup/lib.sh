# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2016
#
# Shared by all set-up scripts: paths, messages, logs, locks and cache keys.  Sourced,
# never run.

set -euo pipefail

SPE_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SPE_CACHE=${ARM_SPE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/arm-spe}
SPE_BUILD=${ARM_SPE_BUILD:-$SPE_TOP/build}
SPE_JOBS=${ARM_SPE_JOBS:-$(nproc)}
# shellcheck source=tools/setup/arch.sh
. "$SPE_TOP/tools/setup/arch.sh"

say() { printf '[set-up] %s\n' "$*" >&2; }

# die WHAT [ADVICE...]: prints what failed, then advice on lines of its own.
die() {
	printf '[set-up] error: %s\n' "$1" >&2
	shift
	local line
	for line in "$@"; do printf '[set-up]        %s\n' "$line" >&2; done
	exit 1
}

# kernel_command NAME: prints the command that gets a kernel of kernels.list, its image for guests
# included.
kernel_command() {
	if [ "$1" = newest ]; then
		echo "tools/setup/kernels newest image-newest"
	else
		echo "tools/setup/kernels $1"
	fi
}

# hash_of PATH...: prints a short hash of the contents and relative names of files and
# folders, as the cache key of what is built from them.
hash_of() {
	local path
	for path in "$@"; do
		[ -e "$path" ] || die "cannot hash $path: no such file"
		(cd "$(dirname "$path")" && find "$(basename "$path")" -type f -print0 |
			LC_ALL=C sort -z | xargs -0r sha256sum)
	done | sha256sum | cut -c1-16
}

# under_lock NAME COMMAND...: two clones may share the cache, and only one may build.
under_lock() {
	local name=$1
	shift
	mkdir -p "$SPE_CACHE/lock"
	(
		if ! flock -n 9; then
			say "waiting for another build of $name"
			flock 9
		fi
		# Close the lock's descriptor: processes that outlive this step must not
		# hold the lock.
		"$@" 9>&-
	) 9>"$SPE_CACHE/lock/$name"
}

# cpu_seconds PID: of the programs that this shell has started and waited for
cpu_seconds() {
	awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($14 + $15) / hz) }' "/proc/$1/stat"
}

# run_logged TITLE LOG COMMAND...: prints the title of a long step, then its progress
# every half minute.  If the step fails, prints the end of its log.
run_logged() {
	local title=$1 log=$2 start=$SECONDS pid rc=0 me=$BASHPID before after
	shift 2
	mkdir -p "$(dirname "$log")"
	say "$title (log: $log)"
	before=$(cpu_seconds "$me")
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	# Nothing is ever written to this pipe, so each read waits for 0.2 s.  "sleep 0.2" would
	# start a process each time, which is slow under qemu-user.
	local next=$((SECONDS + 30)) pipe
	exec {pipe}<> <(:)
	while kill -0 "$pid" 2>/dev/null; do
		read -rt 0.2 -u "$pipe" || true
		if [ "$SECONDS" -ge "$next" ]; then
			say "  ... $((SECONDS - start)) s: $(tail -n 1 "$log" | tr -d '\r' | cut -c1-90)"
			next=$((SECONDS + 30))
		fi
	done
	exec {pipe}>&-
	wait "$pid" || rc=$?
	if [ "$rc" -ne 0 ]; then
		tail -n 25 "$log" >&2
		die "$title: failed with status $rc" "see the whole log: $log"
	fi
	after=$(cpu_seconds "$me")
	say "  done in $((SECONDS - start)) s, with $((after - before)) s of CPU time"
}

# failures_in LOG: the name of each failed case, and the indented lines that tell why: those of
# perf-spe's tests come before the case, all others follow it.
failures_in() {
	awk '/^FAIL / { print $0 why; n = 0; why = ""; next }
		/^not ok / { print; n = 8; why = ""; next }
		/^    / && n-- > 0 { print; next }
		/^  / { why = why "\n    " $0; next }
		{ n = 0; why = "" }' "$1"
}

# record_version NAME VERSION: notes a version in use, for bug reports.
record_version() {
	local file=$SPE_BUILD/versions.txt
	mkdir -p "$SPE_BUILD" "$SPE_CACHE/lock"
	(
		flock 9
		touch "$file"
		{ grep -v "^$1 " "$file" || true; printf '%s %s\n' "$1" "$2"; } | sort >"$file.new"
		mv "$file.new" "$file"
	) 9>"$SPE_CACHE/lock/versions"
}
