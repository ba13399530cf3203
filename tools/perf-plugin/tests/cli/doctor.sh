#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe doctor, on machines that doctor/machines describes.
# usage: doctor.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
m=$dir/machine
lines=$here/doctor/log-lines
driver=$here/../../../drivers/perf/arm_spe

# unfold MACHINE: write its files to $m
unfold() {
	rm -rf "$m"
	"$here/doctor/unfold" "$1" "$m" || fail "unfold $1"
}

# read_json: let Python, an independent reader, check the JSON on standard output.  Sets
# $ids to the findings that are not in order, the first one first.
read_json() {
	ids=$(python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
wrong = [f["id"] for f in report["findings"] if f["level"] != "ok"]
assert report["format"] == 1 and len(report["machine"]) == 8
assert report["verdict"] in ("not-ready", "unknown") if wrong else report["verdict"] == "ready"
print(*wrong)' "$out" 2>"$err") || fail "no valid JSON"
	ids=" $ids "
}

# first LABEL TEXT: the first line that begins with the pattern contains TEXT
first() {
	grep -m 1 -- "^$1" "$out" | finds -F -- "$2" || fail "the first '$1' lacks '$2'"
}

# meets KIND TEXT: one "expect" line of a machine
meets() {
	case $1 in
	status) ;;
	first) [[ $ids == " $2 "* ]] || fail "found$ids, not $2 first" ;;
	also) [[ $ids == *" $2 "* ]] || fail "found$ids, not $2" ;;
	what) if [ "$ids" = '  ' ]; then says "$2"; else first '[pu][rn]' "$2"; fi ;;
	why) first '   why   ' "$2" ;;
	do) first '   do    ' "$2" ;;
	ends) tail -n 1 "$out" | finds -F -- "$2" || fail "the last line lacks '$2'" ;;
	not) ! grep -qF -- "$2" "$out" || fail "says '$2'" ;;
	*) fail "unknown expectation $1" ;;
	esac
}

# examine MACHINE: run doctor on it, and compare with what the machine's file expects
examine() {
	local kind text status
	status=$(sed -n 's/^expect status //p' "$1")
	unfold "$1"
	run "${status:-none}" doctor --root "$m" --json
	silent
	read_json
	run "${status:-none}" doctor --root "$m"
	silent
	! grep -q '[{}]' "$out" || fail "a word was not replaced"
	while read -r kind text; do
		meets "$kind" "$text"
	done < <(sed -n 's/^expect //p' "$1")
}

for machine in "$here"/doctor/machines/*; do
	begin "doctor: ${machine##*/}"
	examine "$machine"
done

begin "doctor: an agent that runs, and one whose windows are old"
unfold "$here/doctor/machines/agent-idle"
echo '{}' >"$m/srv/windows/spe-20200101T000000.000Z-00000000.jsonl"
run 0 doctor --root "$m"
says 'perf spe agent runs, and /srv/windows has 1 windows'
touch -d '40 minutes ago' "$m"/srv/windows/spe-*
run 0 doctor --root "$m"
says 'writes no windows'
says 'there are 1 windows, and none is newer than 1950 s'
touch -d '5 minutes ago' "$m"/srv/windows/spe-*
run 0 doctor --root "$m"
says 'perf spe agent runs'
rm -r "$m/srv/windows"
run 0 doctor --root "$m"
says 'there are 0 windows'

# samples: the lines of log-lines as a log has them: FINDING, tab, LINE
samples() {
	sed -n 's/^\(ours\|linux\) \([a-z-]*\) /\1\t\2\t/p' "$lines" | while IFS=$'\t' read -r who id text; do
		case $text in
		'ACPI: '*) ;;
		'not bound: the MADT'* | 'not bound: cannot make'* | 'not bound: no CPU'* | *'CPUs have SPE, but'* | \
		*'bound to the driver'* | 'not bound: cannot take'*)
			text="arm_spe_pmu: $text" ;;
		'not bound: '*) text="arm_spe arm,spe-v1: $text" ;;
		*) [ "$who" = linux ] && text="arm_spe_pmu arm,spe-v1: $text" || text="arm_spe arm,spe-v1: not bound: $text" ;;
		esac
		text=${text//%\*pbl/0-3} text=${text//%d/2} text=${text//%u/0} text=${text//%s/arm,spe-v1} text=${text//\\\"/\"}
		printf '%s\t[    9.312345] %s\n' "$id" "$text"
	done
}

begin "doctor: each line that a driver logs"
unfold "$here/doctor/machines/state-no-log"
mkdir -p "$m/var/log"
known=0
while IFS=$'\t' read -r id line; do
	printf '%s\n' '[    1.000000] arm_spe arm,spe-v1: not bound: something else' "$line" >"$m/var/log/dmesg"
	run 1 doctor --root "$m" --json
	grep -m 1 -B 1 '"level": "problem"' "$out" | finds -F "\"id\": \"$id\"" || fail "$line: not $id"
	known=$((known + 1))
done < <(samples)
[ "$known" -ge 25 ] || fail "only $known lines"

# driver_lines: the texts with which the driver says that it did not bind
driver_lines() {
	cat "$driver"/*.c | grep -o '"not bound: [^%].*\\n"\|"not bound: %[^s].*\\n"\|"not bound: %s is.*\\n"' |
		sed 's/^"//; s/\\n"$//'
	sed -n '/spe_reasons\[/,/^};/s/^\t\t"\([^"]*\)",$/\1/p' "$driver/caps.c"
}

begin "doctor: the driver logs these lines and no others"
driver_lines | sort >"$dir/logged"
sed -n 's/^ours [a-z-]* //p' "$lines" | sort >"$dir/listed"
[ "$(wc -l <"$dir/logged")" -ge 16 ] || fail "found too few lines in the driver"
diff "$dir/logged" "$dir/listed" >"$out" || fail "the list and the driver differ"

begin "doctor: a --root that is no machine"
run 3 doctor --root "$dir/nothing"
warns "cannot examine --root $dir/nothing: No such file or directory; name a folder"
mkdir "$dir/empty"
run 3 doctor --root "$dir/empty"
warns 'it has neither proc nor sys'
run 3 doctor --root "$dir/out" --json
warns 'Not a directory'
run 3 doctor --root ''
warns 'cannot examine --root'
[ ! -s "$out" ] || fail "prints a report"

begin "doctor: whether other events can pause sampling"
unfold "$here/doctor/machines/state-paranoid-ubuntu"
run 1 doctor --root "$m"
says 'this driver cannot do it'
for module in arm_spe_pmu arm_spe; do
	mkdir -p "$m/sys/module/$module/parameters"
	echo N >"$m/sys/module/$module/parameters/aux_pause"
	run 1 doctor --root "$m"
	says 'to risk that, load the module with aux_pause=1'
	echo Y >"$m/sys/module/$module/parameters/aux_pause"
	run 1 doctor --root "$m" --json
	read_json
	says 'other events can pause sampling'
	rm -r "$m/sys/module/$module"
done

begin "doctor: whether records can be samples, and why not"
unfold "$here/doctor/machines/state-paranoid-ubuntu"
mkdir -p "$m/var/log"
run 1 doctor --root "$m"
says 'records cannot be samples of perf: '
device=$m/sys/bus/platform/devices/arm,spe-v1
rm -rf "$device"
mkdir -p "$device"
ln -s ../../../../bus/platform/drivers/arm_spe "$device/driver"
: >"$m/var/log/dmesg"
run 1 doctor --root "$m"
says 'the driver has no PMU spe_sample; dmesg | grep spe_sample tells why'
# Each line of the driver that begins so, without the words that it fills in
grep -hoE '(no PMU spe_sample_%d: [^"]*)' "$driver"/*.c >"$dir/says"
echo '[ 1.0] arm_spe arm,spe-v1: no PMU spe_sample_0: an older reason' >"$m/var/log/dmesg"
while read -r line; do
	line=${line//%d/0} line=${line/\\n/} line=${line//%s/a reason}
	echo "[ 2.0] arm_spe arm,spe-v1: $line" >>"$m/var/log/dmesg"
	run 1 doctor --root "$m"
	says "the driver says why it has no PMU spe_sample: ${line#*: }"
done <"$dir/says"
[ "$(wc -l <"$dir/says")" -ge 2 ] || fail 'the driver has other lines'
mkdir -p "$m/sys/bus/event_source/devices/spe_sample_0"
run 1 doctor --root "$m" --json
read_json
says 'records can be samples of perf: spe_sample_0; perf spe record --samples'

begin "doctor: whether guests of KVM can be sampled, and why not"
unfold "$here/doctor/machines/driver-ours"
pmu=$(echo "$m"/sys/bus/event_source/devices/arm_spe_*)
run 0 doctor --root "$m"
says 'guests of KVM cannot be sampled: this driver does not support it'
echo 'never sampled, because this kernel runs at EL1' >"$pmu/guests"
run 0 doctor --root "$m"
says 'guests of KVM are never sampled, because this kernel runs at EL1'
echo 'sampled on request' >"$pmu/guests"
run 0 doctor --root "$m" --json
read_json
says 'guests of KVM are sampled on request; perf spe record --guests'

begin "doctor: hostile files"
unfold "$here/doctor/machines/state-no-log"
mkdir -p "$m/var/log"
head -c 9000000 /dev/urandom >"$m/var/log/dmesg"
run 1 doctor --root "$m"
{ head -c 12000000 /dev/zero | tr '\0' 'x'; printf '\n[ 1.0] arm_spe arm,spe-v1: not bound: \033[2J{kernel}\xff"\\\n'; } >"$m/var/log/dmesg"
run 1 doctor --root "$m"
says '?[2J{kernel}'
run 1 doctor --root "$m" --json
read_json
says '{kernel}'
for file in sys/firmware/acpi/tables/APIC proc/cmdline etc/os-release var/lib/dpkg/status \
	sys/bus/event_source/devices/arm_spe_0/cpumask lib/modules/6.1.0-56-arm64/modules.dep \
	etc/modprobe.d/a.conf sys/class/dmi/id/product_name proc/sys/kernel/osrelease \
	proc/sys/kernel/perf_event_paranoid; do
	mkdir -p "$m/$(dirname "$file")"
	head -c 5000 /dev/urandom >"$m/$file"
	"$perf_spe" doctor --root "$m" --json >"$out" 2>"$err"
	[ $? -lt 4 ] || fail "status with a damaged $file"
	read_json
done
rm "$m/proc/cpuinfo"
mkfifo "$m/proc/cpuinfo"
run 3 doctor --root "$m"
says 'why   /proc/cpuinfo is missing, empty or unreadable'

# in_namespaces OPTIONS [FILTER]: doctor of this machine with an Arm CPU, in namespaces of its
# own; the Python program FILTER runs it.  With $level, /proc says that perf_event_paranoid is this.
in_namespaces() {
	unfold "$here/doctor/machines/state-no-log"
	[ -z "${level:-}" ] || echo "$level" >"$m/proc/sys/kernel/perf_event_paranoid"
	# shellcheck disable=SC2016  # the inner shell expands it
	unshare "$1" sh -c 'mount --bind "$1/proc/cpuinfo" /proc/cpuinfo || exit
		[ -z "$2" ] || mount --bind "$1/proc/sys/kernel/perf_event_paranoid" /proc/sys/kernel/perf_event_paranoid || exit
		shift 2 && exec "$@"' sh "$m" "${level:-}" ${2:+python3 -c "$2"} "$perf_spe" doctor >"$out" 2>"$err"
}

# A filter that lets perf_event_open(2) fail with EPERM, as Docker's profile does
seccomp='import ctypes, os, struct, sys
number = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
rules = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
assert not libc.prctl(38, 1, 0, 0, 0) and not libc.prctl(22, 2, program)
os.execv(sys.argv[1], sys.argv[1:])'
# The same with EACCES, as a security module does
denied=${seccomp/0x00050001/0x0005000d}
# Before that, all capabilities but CAP_PERFMON are dropped; CAP_SETPCAP, 8, as the last one
perfmon='import ctypes, os, sys
prctl = ctypes.CDLL(None).prctl
last = int(open("/proc/sys/kernel/cap_last_cap").read())
assert not any([prctl(24, cap, 0, 0, 0) for cap in range(last + 1) if cap not in (8, 38)] + [prctl(24, 8, 0, 0, 0)])
'

begin "doctor: perf_event_open(2) decides about the permission"
if ! unshare -Urm true 2>"$err"; then
	skip "no user namespaces here"
elif [ "$(id -u)" != 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 1 ]; then
	skip "needs root, and perf_event_paranoid above 0"
else
	in_namespaces -m
	says 'you may record everything'
	in_namespaces -Urm
	says 'in a user namespace, where root has no rights over the machine'
	! grep -q 'record everything' "$out" || fail "root of a user namespace may record everything"
	in_namespaces -m "$seccomp"
	says 'problem  you may not use perf'
	says 'a seccomp filter is on'
	says '--cap-add PERFMON'
	in_namespaces -m "$perfmon"'os.execv(sys.argv[1], sys.argv[1:])'
	says 'you may record everything'
	level=2
	in_namespaces -m "$denied"
	says 'although perf_event_paranoid is 2, which allows it, so a security module (SELinux'
	in_namespaces -Urm "$denied"
	says 'although perf_event_paranoid is 2, which allows it, so a security module (SELinux'
	level=4
	in_namespaces -m "$denied"
	says 'although this process has CAP_PERFMON or CAP_SYS_ADMIN, so a security module (SELinux'
	in_namespaces -m "$perfmon$denied"
	says "perf_event_paranoid is 4, and above 2 Ubuntu's kernels want CAP_SYS_ADMIN; this process has only CAP_PERFMON"
	says 'set sysctl kernel.perf_event_paranoid=2 on the host'
	in_namespaces -Urm "$denied"
	says 'in a user namespace, where root has no rights over the machine'
	level=''
fi

begin "doctor: this machine, whatever it is"
"$perf_spe" doctor >"$out" 2>"$err"
[ $? -lt 4 ] || fail "status"
silent
"$perf_spe" doctor --json >"$out" 2>"$err"
read_json
says "\"kernel\": \"$(uname -r)\""
run 2 doctor more
run 2 doctor --yaml

finish
