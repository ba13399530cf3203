# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# What make install and make tools do to this machine, shown in folders of their own and
# with an apt-get that only notes how it was called.  Sourced by check-install, which has
# check(), $work and $version.

files_in() { (cd "$1" && find . ! -type d | LC_ALL=C sort); }

# The installed perf-spe must preload the installed library.  The machine is one of a few files.
finds_heap_library() { # PREFIX
	local spe=$work/machine/sys/bus/event_source/devices/arm_spe_0 said
	mkdir -p "$spe/format" "$spe/caps"
	echo 0-3 >"$spe/cpumask"
	echo config:0 >"$spe/format/ts_enable"
	echo config:16 >"$spe/format/jitter"
	echo 1024 >"$spe/caps/min_interval"
	said=$(env -u LD_PRELOAD "$1/bin/perf-spe" record --root "$work/machine" --print --heap -- true) || return
	echo "$said"
	said=${said#* LD_PRELOAD=}
	[ "$(realpath "${said%% *}")" = "$(realpath "$1/lib/perf-spe/libarmspe-heap.so")" ]
}

# Files that others put into the folders of make install must outlive make uninstall.
uninstall_mirrors_install() {
	local to=$work/prefix
	rm -rf "$to"
	make -s -C "$SPE_TOP" install DESTDIR="$to" PREFIX=/usr || return
	files_in "$to" | tee "$work/installed"
	[ "$(wc -l <"$work/installed")" -ge 20 ] || return
	finds_heap_library "$to/usr" || return
	touch "$to/usr/bin/other" "$to/usr/lib/perf-spe/other.so"
	make -s -C "$SPE_TOP" uninstall DESTDIR="$to" PREFIX=/usr || return
	files_in "$to" | diff - <(printf './usr/%s\n' bin/other lib/perf-spe/other.so)
}

uninstall_removes_folders() {
	local to=$work/prefix
	rm -f "$to/usr/lib/perf-spe/other.so"
	make -s -C "$SPE_TOP" uninstall DESTDIR="$to" PREFIX=/usr &&
		[ ! -e "$to/usr/lib/perf-spe" ] && [ ! -e "$to/usr/include/arm_spe" ]
}

# A machine on which root has installed no package.  $work/apt-get.log has the calls.
fake_machine() {
	local name
	mkdir -p "$work/fake"
	rm -f "$work/apt-get.log"
	for name in 'dpkg-query exit 1' 'id echo 0' 'dpkg echo arm64' \
		"apt-get echo \"\$*\" >>'$work/apt-get.log'"; do
		printf '#!/bin/sh\n%s\n' "${name#* }" >"$work/fake/${name%% *}"
		chmod +x "$work/fake/${name%% *}"
	done
}

# on_fake [NAME=VALUE...] COMMAND...: also keeps the output.  The caller's own choice of
# ARM_SPE_PACKAGES does not hold there.
on_fake() {
	env -u ARM_SPE_PACKAGES "PATH=$work/fake:$PATH" "ARM_SPE_CACHE=$work/fake-cache" "$@" 2>&1 | tee "$work/host.txt"
	return "${PIPESTATUS[0]}"
}

# Runs make tools' set-up on a terminal, and types an answer.
on_terminal() { # ANSWER
	echo "$1" | on_fake script -qec "'$SPE_TOP/tools/setup/host' --native" /dev/null
}

never_installs() {
	fake_machine
	! on_fake ARM_SPE_PACKAGES=never "$SPE_TOP/tools/setup/host" --native &&
		grep -E 'run as root: apt-get install -y --no-install-recommends .*libdw-dev' "$work/host.txt" &&
		[ ! -e "$work/apt-get.log" ]
}

asks_on_terminal() {
	fake_machine
	! on_terminal n && grep 'install them now?' "$work/host.txt" && [ ! -e "$work/apt-get.log" ] || return
	on_terminal y && grep '^-q install .*libdw-dev' "$work/apt-get.log"
}

# The announcement must come first: apt-get is only called after it.
announces_without_terminal() {
	fake_machine
	on_fake "$SPE_TOP/tools/setup/host" --native </dev/null &&
		grep 'ARM_SPE_PACKAGES=never' "$work/host.txt" &&
		[ "$(grep -n 'apt-get install -y' "$work/host.txt" | cut -d: -f1)" -lt \
			"$(grep -n 'packages (log:' "$work/host.txt" | cut -d: -f1)" ] &&
		grep '^-q install .*libdw-dev' "$work/apt-get.log"
}

# packages RELEASE WORD: those for which lists/vendor-packages has that word
packages() {
	awk -v release="$1" -v word="$2" '$1 == release && $2 == word { print $3 }' "$SPE_TOP/selftests/rig/lists/vendor-packages"
}

# shellcheck disable=SC2016  # the stubs expand it
# An apt-get that, as the real one, installs nothing if it does not know one of the names.  What
# it knows is in lists/vendor-packages.  $work/apt-get.log has what it installed.
fake_vendor() { # RELEASE
	local unknown
	fake_machine
	rm -rf "$work/fake-cache"
	unknown=" $(packages "$1" lacks | tr '\n' ' ')"
	printf '#!/bin/sh\nfor name; do case "%s" in *" $name "*) echo "E: Unable to locate package $name"; exit 100 ;; esac; done\necho "$*" >>"%s"\n' \
		"$unknown" "$work/apt-get.log" >"$work/fake/apt-get"
	printf '#!/bin/sh\ncase "%s" in *" $2 "*) exit 100 ;; esac\n' "$unknown" >"$work/fake/apt-cache"
	chmod +x "$work/fake/apt-cache"
}

# installs_on RELEASE WANTED...: without a package that this release lacks
installs_on() {
	local release=$1 text
	shift
	fake_vendor "$release"
	on_fake ARM_SPE_PACKAGES=install "$SPE_TOP/tools/setup/host" --native </dev/null || return
	cat "$work/apt-get.log"
	for text in libdw-dev libsqlite3-dev "$@"; do grep -E "(^| )$text( |$)" "$work/apt-get.log" || return; done
}

# shellcheck disable=SC2016  # the stubs expand it
# A release that has neither name: the rest is installed, and the loss is named, once by apt-get
# and then from the list of what it refused.
goes_on_without() {
	fake_vendor nothing
	printf '#!/bin/sh\nfor name; do case $name in linux-perf|linux-tools-common|libpng-dev) exit 100 ;; esac; done\necho "$*" >>"%s"\n' \
		"$work/apt-get.log" >"$work/fake/apt-get"
	printf '#!/bin/sh\ncase $2 in linux-perf|linux-tools-common|libpng-dev) exit 100 ;; esac\n' >"$work/fake/apt-cache"
	on_fake ARM_SPE_PACKAGES=install "$SPE_TOP/tools/setup/host" --native </dev/null || return
	grep -F 'without libpng-dev: no pictures of perf-spe' "$work/host.txt" &&
		grep -F 'without linux-perf or linux-tools-common: no perf_dlfilter.h for spe-filter.so' "$work/host.txt" &&
		grep -F libzstd-dev "$work/apt-get.log" || return
	on_fake ARM_SPE_PACKAGES=install "$SPE_TOP/tools/setup/host" --native </dev/null &&
		grep -F 'apt-get refused these before' "$work/host.txt" || return
	! grep -F 'linux-perf' "$work/apt-get.log"
}

# bare_machine ID_LINE KERNEL [PROGRAM...]: a PATH with these programs and no others
bare_machine() {
	local line=$1 kernel=$2 text
	shift 2
	rm -rf "$work/bare"
	mkdir -p "$work/bare"
	printf '%s\n' "$line" >"$work/os-release"
	for text in bash cat cut dirname env nproc sed "$@"; do ln -sf "$(command -v "$text")" "$work/bare/"; done
	printf '#!/bin/sh\necho %s\n' "$kernel" >"$work/bare/uname"
	chmod +x "$work/bare/uname"
}

on_bare() { # [OPTION]
	env -i "PATH=$work/bare" HOME=/ "OS_RELEASE=$work/os-release" "$SPE_TOP/tools/setup/host" "${1:---native}" >"$work/other.txt" 2>&1
}

# The names of packages are those of the distributions' own repositories.
names_for() { # ID_LINE KERNEL WANTED...
	local text
	bare_machine "$1" "$2"
	shift 2
	! on_bare || return
	cat "$work/other.txt"
	for text in "$@"; do grep -F -- "$text" "$work/other.txt" || return; done
}

# make rpm needs what make tools needs; tools/setup/package/rpm says that rpmbuild is missing.
packs_rpm_without_dpkg() {
	bare_machine 'ID="rhel"' 5.14.0-503.el9.aarch64
	! on_bare --rpm || return
	cat "$work/other.txt"
	grep -F 'dnf install gcc make' "$work/other.txt" && ! grep -F 'dpkg' "$work/other.txt"
}

# packs_for MACHINE ID: what make would run for deb and rpm on a machine of that distribution
packs_for() {
	printf '#!/bin/sh\necho %s\n' "$1" >"$work/fake/dpkg"
	chmod +x "$work/fake/dpkg"
	echo "ID=$2" >"$work/os-release"
	PATH=$work/fake:$PATH OS_RELEASE=$work/os-release make -n -C "$SPE_TOP" deb rpm
}

# Only Debian's archive has the libraries for arm64 and QEMU's source.
packs_others_on_debian_only() {
	fake_machine
	packs_for amd64 debian | tee "$work/packs" && grep -e '--cross' "$work/packs" && grep deb-qemu "$work/packs" || return
	! packs_for amd64 ubuntu | grep -E 'cross|qemu' && ! packs_for arm64 debian | grep -E 'cross|qemu'
}

# knows_names RELEASE ID_LINE KERNEL MANAGER: runs each command that set-up prints, as a shell reads it,
# with a package manager that refuses names that the release is not known to have.  Of these the list
# must call each one argued.  An optional package has a command of its own, so that a name that is
# refused stops no other, and its line says what is lost.
knows_names() {
	local release=$1 manager=$4 line command count=0
	bare_machine "$2" "$3"
	! on_bare || return
	# shellcheck disable=SC2016  # the stub expands it
	printf '#!/bin/bash\nshift\nfor name; do case "%s" in *" ${name%%%%-%s} "*) ;; *) echo "$name" >>"%s"; exit 1 ;; esac; done\n' \
		" $(packages "$release" has | tr '\n' ' ')" "${3%+64k}" "$work/refused.txt" >"$work/bare/$manager"
	chmod +x "$work/bare/$manager"
	: >"$work/refused.txt"
	command=$(sed -n 's/.*needed: //p' "$work/other.txt")
	echo "$command"
	[[ $command == "$manager install "* ]] && env -i "PATH=$work/bare" bash -c "$command" || return
	while IFS= read -r line; do
		echo "$line"
		[[ $line == *' without '*': no '* ]] || return
		command=${line##* (} command=${command%)}
		env -i "PATH=$work/bare" bash -c "$command" || true
		count=$((count + 1))
	done < <(grep -F " ($manager install " "$work/other.txt")
	echo "$count optional parts"
	[ "$count" -ge 10 ] && diff <(packages "$release" argued | sort) <(sort "$work/refused.txt")
}

# A compiler that finds only libdw and libelf: all else is optional, on every distribution.
goes_on_where_only_needed_is_there() { # ID_LINE WANTED
	bare_machine "$1" 6.12.0 make
	printf '#!/bin/sh\ncat >/dev/null\ncase "$*" in *libdw.h*|*libelf.h*) exit 0 ;; esac\nexit 1\n' >"$work/bare/gcc"
	chmod +x "$work/bare/gcc"
	on_bare || { cat "$work/other.txt"; return 1; }
	cat "$work/other.txt"
	grep -F -- "$2" "$work/other.txt"
}

# A kernel of gcc 99, and a make that fails as with an unknown option: the package is named, not the
# compiler's messages.
names_newer_compiler() {
	local kdir=$work/kernel-99
	mkdir -p "$kdir/include/generated"
	touch "$kdir/Makefile"
	echo '#define CONFIG_GCC_VERSION 990100' >"$kdir/include/generated/autoconf.h"
	printf 'modules:\n\t@echo "error: unrecognized command-line option -fmin-function-alignment=8"; exit 2\n' >"$kdir/Makefile"
	! "$SPE_TOP/tools/setup/modules" "$kdir" "$work/modules-99" >"$work/modules.txt" 2>&1 || return
	cat "$work/modules.txt"
	grep -F 'failed: gcc 99 built this kernel, and' "$work/modules.txt" &&
		grep -F 'run as root: ' "$work/modules.txt" | grep -F gcc-99 || return
	! grep -F 'unrecognized' "$work/modules.txt"
}

# what_kernel_has OUT: the results of the probes of a build, in one line
what_kernel_has() { sed 's/#define SPE_HAVE_//' "$1/src/drivers/perf/arm_spe/kernel_has.h" | LC_ALL=C sort | tr '\n' ' '; }

# other_headers FILE...: makes links to the headers of 6.12 in $kdir and $common, but leaves these files
# out of $common.  $from is the original of $common.
other_headers() {
	from=$(sed -n 's/^include \(.*\)\/Makefile$/\1/p' "$SPE_BUILD/kernels/6.12/Makefile")
	rm -rf "$kdir" "$common"
	cp -rs "$from" "$common" && cp -rs "$(realpath "$SPE_BUILD/kernels/6.12")" "$kdir" || return
	rm -f "$kdir/Makefile" "${@/#/$common/}"
	sed "s|$from|$common|g" "$SPE_BUILD/kernels/6.12/Makefile" >"$kdir/Makefile"
}

# The headers of 6.12, but perf_allow_kernel() has the parameter that Red Hat's has, on two lines, and
# comments name two interfaces of newer kernels.
builds_by_what_compiles() {
	local kdir=$work/kernel-other common=$work/common-other from to=$work/modules-other found
	other_headers include/linux/{perf_event,hrtimer}.h || return
	sed 's|\(perf_allow_kernel(\)void);|\1\n\tstruct perf_event_attr *attr);|; $a /* spinlock_t events_lock; */' \
		"$from/include/linux/perf_event.h" >"$common/include/linux/perf_event.h"
	sed '$a /* void hrtimer_setup(struct hrtimer *timer); */' "$from/include/linux/hrtimer.h" >"$common/include/linux/hrtimer.h"
	! cmp -s "$from/include/linux/perf_event.h" "$common/include/linux/perf_event.h" || return
	"$SPE_TOP/tools/setup/modules" "$kdir" "$to" W=1 || return
	found=$(what_kernel_has "$to")
	echo "$found"
	[ "$found" = 'ALLOW_KERNEL_ATTR ANYTHING DISABLE_IRQ MADT_GICC PENDING_IRQ PMU_CONTEXT PMU_PARENT SAMPLE_DYN_SIZE SAMPLE_FLAGS VOID_REMOVE ' ] &&
		nm -u "$to/arm_spe_pmu.ko" | grep -w perf_allow_kernel
}

# The headers of 6.12 with that of patches/linux, on a kernel that does not export its functions, and on
# one that does.  The function of the patched cpufeature.h that it calls is a stub.
finds_profiling_exception() {
	local kdir=$work/kernel-other common=$work/common-other from to=$work/modules-other
	local header=arch/arm64/include/asm/profiling.h
	other_headers || return
	sed -sn "\\,^+++ b/$header,,/^diff/ s/^+\\([^+].*\\)\\?\$/\\1/p" "$SPE_TOP"/patches/linux/6.12/*.patch |
		sed 's,^#include <asm/cpufeature.h>,static inline bool system_supports_ebep(void) { return true; },' >"$common/$header"
	grep -F 'profiling_register_handler' "$common/$header" || return
	"$SPE_TOP/tools/setup/modules" "$kdir" "$to" || return
	! what_kernel_has "$to" | grep -w PROFILING_EXC || return
	cp --remove-destination "$(realpath "$kdir/Module.symvers")" "$kdir/Module.symvers"
	printf '0x00000000\tprofiling_%sregister_handler\tvmlinux\tEXPORT_SYMBOL_GPL\t\n' '' un >>"$kdir/Module.symvers"
	"$SPE_TOP/tools/setup/modules" "$kdir" "$to" W=1 || return
	what_kernel_has "$to" | grep -w PROFILING_EXC && nm -u "$to/arm_spe_pmu.ko" | grep -w profiling_register_handler
}

# The same folder serves one kernel after the other.  What was found for one must not stay.
probes_again_for_another_kernel() {
	local to=$work/modules-other kernel found
	for kernel in 6.1 6.12; do
		"$SPE_TOP/tools/setup/modules" "$SPE_BUILD/kernels/$kernel" "$to" && found="${found-}$(what_kernel_has "$to")/ " || return
	done
	echo "$found"
	[ "$found" = "ANYTHING MADT_GICC PENDING_IRQ SAMPLE_FLAGS / ALLOW_KERNEL ANYTHING DISABLE_IRQ MADT_GICC PENDING_IRQ PMU_CONTEXT PMU_PARENT SAMPLE_DYN_SIZE SAMPLE_FLAGS VOID_REMOVE / " ] || return
	MAKE_OUTPUT=$work/again.log "$SPE_TOP/tools/setup/modules" "$SPE_BUILD/kernels/6.12" "$to" &&
		grep -q MODPOST "$work/again.log" || return
	! grep -E 'PROBE|CC ' "$work/again.log"
}

# A compiler that compiles nothing must not look like a kernel that has nothing.
names_compiler_that_fails() {
	local to=$work/modules-broken
	! "$SPE_TOP/tools/setup/modules" "$SPE_BUILD/kernels/6.12" "$to" KCFLAGS=-fno-such-option || return
	cat "$to/build.log"
	grep -F 'fno-such-option' "$to/build.log" && ! grep -E 'CC \[M\] .*main.o' "$to/build.log"
}

check_probes() {
	check 'a kernel has what compiles, whatever the text of its headers is' builds_by_what_compiles
	check 'a build for another kernel asks that kernel, and one for the same kernel asks nothing' probes_again_for_another_kernel
	check 'a kernel with patches/linux has the Profiling exception, if it exports it' finds_profiling_exception
	check 'a compiler that fails ends the build' names_compiler_that_fails
}

# The signature of a module is its last part, and the end says how long it is.
verify_signature() { # MODULE CERTIFICATE
	local size length
	size=$(($(stat -c %s "$1") - 40))
	[ "$(tail -c 28 "$1")" = '~Module signature appended~' ] || return
	length=$(tail -c 32 "$1" | od -An -N4 -tu4 --endian=big | tr -d ' ')
	head -c $((size - length)) "$1" >"$work/signed-content"
	tail -c $((length + 40)) "$1" | head -c "$length" >"$work/signature"
	openssl cms -verify -binary -inform DER -in "$work/signature" -content "$work/signed-content" \
		-certfile "$2" -nointern -noverify -out /dev/null
}

# key_pair NAME: makes a key and its certificate, which no kernel trusts
key_pair() {
	openssl req -new -x509 -nodes -days 2 -subj "/CN=$1" -newkey rsa:2048 -keyout "$work/$1.key" -out "$work/$1.pem" 2>/dev/null
}

# install_signed KERNEL KEY CERTIFICATE
install_signed() {
	SIGN_KEY=$2 SIGN_CERT=$3 make -s -C "$SPE_TOP" install "KDIR=$work/kernel-$1" "DESTDIR=$work/signed-$1" 2>&1
}

# A kernel that compresses its modules in this way decompresses a module first and then looks for
# the signature.
# shellcheck disable=SC2086  # a program and its arguments
signs_then_compresses() { # CONFIG SUFFIX UNPACK
	local kdir=$work/kernel-$1 file plain=$work/plain-$1.ko
	cp -rs "$(realpath "$SPE_BUILD/kernels/6.12")" "$kdir" || return
	rm "$kdir/include/config/auto.conf"
	sed '/^CONFIG_MODULE_COMPRESS/d' "$SPE_BUILD/kernels/6.12/include/config/auto.conf" >"$kdir/include/config/auto.conf"
	echo "CONFIG_MODULE_COMPRESS_$1=y" >>"$kdir/include/config/auto.conf"
	install_signed "$1" "$work/one.key" "$work/one.pem" || return
	file=$(echo "$work/signed-$1"/lib/modules/*/updates/*)
	[[ $file == */arm_spe_pmu.ko$2 ]] && $3 <"$file" >"$plain" && modinfo "$plain" || return
	[ "$(modinfo -F sig_id "$plain")" = PKCS#7 ] && [ "$(modinfo -F signer "$plain")" = one ] &&
		verify_signature "$plain" "$work/one.pem"
}

# The module that was there stays, byte for byte.
keeps_module_if_signing_fails() { # TEXT KEY CERTIFICATE
	local file said
	file=$(echo "$work"/signed-XZ/lib/modules/*/updates/arm_spe_pmu.ko.xz)
	cp "$file" "$work/before.ko.xz"
	said=$(install_signed XZ "$2" "$3") && return 1
	echo "$said"
	grep -F -- "$1" <<<"$said" && cmp "$file" "$work/before.ko.xz"
}

# A token of SoftHSM with the key one.  SoftHSM uses OpenSSL too, and hangs if OpenSSL's provider
# unloads it at the end.
make_token() { # MODULE-OF-PROVIDER
	export SOFTHSM2_CONF=$work/softhsm.conf OPENSSL_CONF=$work/openssl.conf
	mkdir -p "$work/tokens"
	printf 'directories.tokendir = %s\nobjectstore.backend = file\n' "$work/tokens" >"$SOFTHSM2_CONF"
	cat >"$OPENSSL_CONF" <<-EOC
		openssl_conf = token_openssl
		[token_openssl]
		providers = token_providers
		[token_providers]
		default = token_default
		pkcs11 = token_pkcs11
		[token_default]
		activate = 1
		[token_pkcs11]
		module = $1
		pkcs11-module-path = /usr/lib/softhsm/libsofthsm2.so
		pkcs11-module-quirks = no-deinit
		activate = 1
	EOC
	env -u OPENSSL_CONF softhsm2-util --init-token --free --label spe --pin 1234 --so-pin 12345678 &&
		env -u OPENSSL_CONF softhsm2-util --import "$work/one.key" --token spe --label one --id 01 --pin 1234
}

# Debian 12 has no provider, so the kernel's program cannot use a token there: then the message says so.
signs_with_token() {
	local uri='pkcs11:token=spe;object=one;type=private' module file
	module=$(openssl version -m | sed 's/.*"\(.*\)"/\1/')/pkcs11.so
	if ! [ -e "$module" ]; then
		keeps_module_if_signing_fails 'install pkcs11-provider' "$uri" "$work/one.pem"
		return
	elif ! command -v softhsm2-util; then
		keeps_module_if_signing_fails "check the token's name" "$uri" "$work/one.pem"
		return
	fi
	(
		make_token "$module" || exit
		export KBUILD_SIGN_PIN=9999
		keeps_module_if_signing_fails "check the token's name" "$uri" "$work/one.pem" || exit
		KBUILD_SIGN_PIN=1234 install_signed XZ "$uri" "$work/one.pem" || exit
		file=$work/plain-token.ko
		xz -dc "$work"/signed-XZ/lib/modules/*/updates/arm_spe_pmu.ko.xz >"$file"
		modinfo "$file" && verify_signature "$file" "$work/one.pem"
	)
}

says_it_did_not_sign() {
	local file
	install_signed XZ '' '' | grep -F 'is not signed' || return
	file=$(echo "$work"/signed-XZ/lib/modules/*/updates/arm_spe_pmu.ko.xz)
	[ -z "$(modinfo -F sig_id "$file")" ]
}

check_signing() {
	key_pair one
	key_pair other
	check 'make install signs the module before it compresses it with xz' signs_then_compresses XZ .xz "xz -dc"
	check 'make install signs the module before it compresses it with zstd' signs_then_compresses ZSTD .zst "zstd -dc"
	check 'make install signs the module before it compresses it with gzip' signs_then_compresses GZIP .gz "gzip -dc"
	check 'make install signs the module of a kernel without compressed modules' signs_then_compresses NONE '' cat
	check 'make install with a key that does not fit the certificate installs nothing' \
		keeps_module_if_signing_fails 'does the certificate' "$work/other.key" "$work/one.pem"
	check 'make install with a key and no certificate installs nothing' \
		keeps_module_if_signing_fails 'SIGN_CERT' "$work/one.key" ''
	check 'make install with a key that is no file installs nothing' \
		keeps_module_if_signing_fails "$work/none.key" "$work/none.key" "$work/one.pem"
	check 'make install signs with a key in a token, or says what that needs' signs_with_token
	check 'make install without a key says that the module is not signed' says_it_did_not_sign
}
needed='dnf install gcc make elfutils-devel elfutils-libelf-devel'
check_host() {
	check 'make install: perf-spe finds its library for heaps; make uninstall removes all that is installed, and nothing else' uninstall_mirrors_install
	check "make uninstall removes perf-spe's own folders" uninstall_removes_folders
	check 'make tools with ARM_SPE_PACKAGES=never names the command and installs nothing' never_installs
	check 'make tools on a terminal asks before it installs' asks_on_terminal
	check 'make tools without a terminal announces what it installs' announces_without_terminal
	# shellcheck disable=SC2016  # the reader's shell expands it
	{
		check 'RHEL: make tools names the packages of dnf' names_for 'ID="rhel"' 5.14.0-503.el9.aarch64 \
			"$needed" 'dnf install kernel-devel-$(uname -r)' 'sqlite-devel'
		check 'RHEL, 64 KiB pages: also the headers' names_for 'ID="rhel"' 5.14.0-503.el9.aarch64+64k \
			"$needed" 'dnf install kernel-64k-devel-5.14.0-503.el9.aarch64)'
		check 'Amazon Linux 2023, kernel 6.12: also the headers' names_for 'ID="amzn"' 6.12.40-64.114.amzn2023.aarch64 \
			"$needed" 'dnf install kernel6.12-devel-$(uname -r)'
		check 'Amazon Linux 2023, kernel 6.1: also the headers' names_for 'ID="amzn"' 6.1.140-154.222.amzn2023.aarch64 \
			"$needed" 'dnf install kernel-devel-$(uname -r)'
	}
	check 'RHEL: make rpm names what make tools names' packs_rpm_without_dpkg
	check 'make deb and make rpm build for arm64, and QEMU, on Debian for amd64 only' packs_others_on_debian_only
	check 'make modules for a kernel of a newer gcc names the package' names_newer_compiler
	check 'SLES: make tools names what zypper installs' names_for $'ID="sles"\nID_LIKE="suse"' 6.4.0-150600.23.47-default \
		"zypper install gcc make 'pkgconfig(libdw)' 'pkgconfig(libelf)'" 'zypper install kernel-default-devel'
	check 'Azure Linux: make tools names what tdnf installs' names_for 'ID=azurelinux' 6.6.57.1-7.azl3 \
		'tdnf install gcc make elfutils-devel elfutils-libelf-devel'
	check 'Azure Linux: tdnf knows each name that make tools prints' knows_names azurelinux-3 ID=azurelinux 6.6.64.2-7.azl3 tdnf
	check 'RHEL 9: dnf knows the names that make tools prints' knows_names rhel-9 'ID="rhel"' 5.14.0-611.35.1.el9_7.aarch64 dnf
	check 'RHEL 9, 64 KiB pages: dnf knows them too' knows_names rhel-9 'ID="rhel"' 5.14.0-611.35.1.el9_7.aarch64+64k dnf
	check 'openEuler: dnf knows the names, and those that it may refuse are optional' \
		knows_names openeuler-24.03 'ID="openEuler"' 6.6.0-86.0.0.81.oe2403.aarch64 dnf
	check 'openSUSE and SLES: zypper knows the names' knows_names opensuse $'ID="sles"\nID_LIKE="suse"' 6.4.0-150600.23.47-default zypper
	check 'openEuler and Kylin: make tools names what dnf installs' names_for 'ID="openEuler"' 6.6.0-72.oe2403.aarch64 "$needed"
	check 'on another distribution make tools names the headers and programs' names_for 'ID=arch' 6.18.1-arch1 \
		'does not know the packages of this distribution (arch)' 'elfutils/libdw.h libelf.h'
	local line
	for line in ID=openEuler ID=kylin ID=azurelinux ID=sles ID=arch ID=alpine ID=rhel; do
		check "$line: make tools goes on with gcc, make, libelf and libdw" goes_on_where_only_needed_is_there "$line" \
			'no compressed recordings'
	done
	check 'Ubuntu 22.04: make tools installs the rest' installs_on ubuntu-22.04 linux-tools-common
	check 'Ubuntu 24.04: make tools installs the rest' installs_on ubuntu-24.04 linux-tools-common
	check 'Debian 12: make tools installs linux-perf' installs_on debian-12 linux-perf
	check 'a release without optional packages: make tools goes on and names the loss' goes_on_without
}
