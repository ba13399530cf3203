# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2016
#
# A private apt beside the system's own.  It reads other Debian suites, for this machine
# and arm64, from the mirror that the system already uses, verifies them with Debian's
# archive keys, and changes nothing on the system.  The system's apt.conf (proxies,
# transports) still applies.  Sourced after lib.sh.

SPE_APT=$SPE_CACHE/apt
SPE_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# The suites that apt reads.  Every script names the suite together with the package.
SPE_SUITES="bookworm bookworm-updates bookworm-backports trixie trixie-updates trixie-backports"
SPE_SECURITY_SUITES="bookworm-security trixie-security"

# apt_use_suite SUITE: from now on apt reads this suite alone, from a private apt of its
# own.  If the mirror drops an old release, the packages of all others can still be
# fetched.  Security updates are left out: after the end of a release's support the mirror
# lists its last arm64 packages, but no longer has them.
apt_use_suite() {
	SPE_APT=$SPE_CACHE/apt-$1 SPE_SUITES=$1 SPE_SECURITY_SUITES=''
}

# mirror_of PATTERN: the URI of the first Debian source of this machine whose suite
# matches.
mirror_of() {
	apt-get indextargets --format '$(ORIGIN)|$(RELEASE)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk -F'|' -v want="$1" '$1 == "Debian" && $2 ~ want { print $3; exit }'
}

# mirror_for PATTERN SUITE...: the URI of the machine's source of the first of the suites
# that it has, or else of its first source that matches.
mirror_for() {
	local uri suite pattern=$1
	for suite in "${@:2}"; do
		uri=$(mirror_of "^$suite\$")
		[ -z "$uri" ] || break
	done
	echo "${uri:-$(mirror_of "$pattern")}"
}

# shellcheck disable=SC2086  # words
apt_write_config() {
	local main security archs=("$SPE_ARCH")
	[ "$SPE_ARCH" = arm64 ] || archs+=(arm64)
	main=$(mirror_for '^[a-z]+$' $SPE_SUITES)
	if [ -z "$main" ] && [ "$(id -u)" -eq 0 ]; then
		# The package lists were never read, or were deleted.
		say "this machine's package lists are empty; running apt-get update"
		apt-get -q update >&2 || true
		main=$(mirror_for '^[a-z]+$' $SPE_SUITES)
	fi
	[ -n "$main" ] || die "found no Debian mirror in this machine's apt sources" \
		"run apt-get update on a Debian system, then check that" \
		"apt-get indextargets lists a Debian mirror: set-up uses the same one"
	security=${SPE_SECURITY_SUITES:+$(mirror_for '-security$' $SPE_SECURITY_SUITES)}
	if [ -z "$security" ] && [ -n "$SPE_SECURITY_SUITES" ]; then
		say "this machine's apt sources have no security mirror; using only $main"
	fi
	[ -r "$SPE_KEYRING" ] || die "$SPE_KEYRING is missing" "install it: apt-get install debian-archive-keyring"
	mkdir -p "$SPE_APT"/{state/lists/partial,cache/archives/partial,empty.d}
	{
		printf 'Types: deb deb-src\nURIs: %s\nSuites: %s\nComponents: main\n' "$main" "$SPE_SUITES"
		printf 'Architectures: %s\nSigned-By: %s\n' "${archs[*]}" "$SPE_KEYRING"
		if [ -n "$security" ]; then
			printf '\nTypes: deb deb-src\nURIs: %s\nSuites: %s\nComponents: main\n' \
				"$security" "$SPE_SECURITY_SUITES"
			printf 'Architectures: %s\nSigned-By: %s\n' "${archs[*]}" "$SPE_KEYRING"
		fi
	} >"$SPE_APT/debian.sources"
	: >"$SPE_APT/state/status"
	# A system's apt.conf may delete archives after use or fetch desktop data.  A
	# cache needs neither.
	cat >"$SPE_APT/apt.conf" <<-EOC
		Dir::State "$SPE_APT/state";
		Dir::State::status "$SPE_APT/state/status";
		Dir::Cache "$SPE_APT/cache";
		Dir::Etc::sourcelist "$SPE_APT/debian.sources";
		Dir::Etc::sourceparts "$SPE_APT/empty.d";
		Dir::Etc::preferencesparts "$SPE_APT/empty.d";
		Dir::Etc::preferences "/dev/null";
		APT::Architecture "$SPE_ARCH";
		APT::Architectures { $(printf '"%s"; ' "${archs[@]}")};
		APT::Sandbox::User "root";
		APT::Install-Recommends "false";
		APT::Default-Release "";
		APT::Get::List-Cleanup "true";
		Acquire::Languages "none";
		Acquire::Retries "3";
		APT::Update::Post-Invoke { };
		DPkg::Post-Invoke { };
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear Acquire::IndexTargets;
		#clear DPkg::Post-Invoke;
		Acquire::IndexTargets {
			deb::Packages { MetaKey "\$(COMPONENT)/binary-\$(ARCHITECTURE)/Packages"; flatMetaKey "Packages"; ShortDescription "Packages"; Description "\$(RELEASE)/\$(COMPONENT) \$(ARCHITECTURE) Packages"; };
			deb-src::Sources { MetaKey "\$(COMPONENT)/source/Sources"; flatMetaKey "Sources"; ShortDescription "Sources"; Description "\$(RELEASE)/\$(COMPONENT) Sources"; Optional "0"; };
		};
	EOC
}

# Without these files apt parses all lists in each call, for seconds.  Containers switch them off
# in the system's apt.conf, which is read after ours.
SPE_APT_CACHES=(-o Dir::Cache::pkgcache=pkgcache.bin -o Dir::Cache::srcpkgcache=srcpkgcache.bin)

# Another step of set-up may be fetching packages: wait for it.
spe_apt_get() { APT_CONFIG=$SPE_APT/apt.conf apt-get "${SPE_APT_CACHES[@]}" -q -o DPkg::Lock::Timeout=1800 "$@"; }
spe_apt_cache() { APT_CONFIG=$SPE_APT/apt.conf apt-cache "${SPE_APT_CACHES[@]}" "$@"; }

# apt_ready: writes the configuration and reads the package lists, at most once a day.
# Scripts call this only if they must fetch a package, so all others work without a
# network.
apt_ready() {
	local stamp=$SPE_APT/updated
	if [ -e "$stamp" ] && [ -n "$(find "$stamp" -mmin -1440)" ]; then
		return
	fi
	under_lock "$(basename "$SPE_APT")" apt_update
}

apt_update() {
	apt_write_config
	say "reading the package lists of: $SPE_SUITES${SPE_SECURITY_SUITES:+ $SPE_SECURITY_SUITES}"
	spe_apt_get update >&2 ||
		die "cannot read the package lists of: $SPE_SUITES${SPE_SECURITY_SUITES:+ $SPE_SECURITY_SUITES}" \
			"check the network and the mirror in this machine's apt sources" \
			"if that mirror no longer has ${SPE_SUITES%% *}, add a source that has it to these sources"
	touch "$SPE_APT/updated"
}

# apt_list SUITE ARCH PACKAGE...: fetches the packages with all dependencies, and prints a
# line "PACKAGE VERSION" for each, sorted.
apt_list() {
	local suite=$1 arch=$2
	shift 2
	set -- install -y --no-install-recommends -t "$suite" -o "APT::Architecture=$arch" "$@"
	spe_apt_get --download-only "$@" >&2
	# With an empty folder of archives apt names the file of every package.
	spe_apt_get --print-uris -o "Dir::Cache::archives=$SPE_APT/empty.d/" "$@" |
		awk 'split($2, part, "_") == 3 { gsub(/%3a/, ":", part[2]); print part[1], part[2] }' | sort
}

# apt_unpack ROOT ARCH: unpacks the fetched packages that standard input lists.  dpkg-deb
# is enough: no program of the other architecture runs.
apt_unpack() {
	local root=$1 arch=$2 deb version file name escaped found
	while read -r deb version; do
		escaped=${version//:/%3a} found=
		for file in "$SPE_APT/cache/archives/${deb}_${escaped}_$arch.deb" \
			"$SPE_APT/cache/archives/${deb}_${escaped}_all.deb"; do
			[ ! -e "$file" ] || found=$file
		done
		[ -n "$found" ] || die "apt-get did not download the package $deb $escaped"
		dpkg-deb --fsys-tarfile "$found" | tar -x -C "$root" --no-same-owner
	done
	# Old packages unpack into /bin and /lib, which are links into /usr on a merged
	# system.
	for name in bin sbin lib; do
		if [ -d "$root/$name" ] && [ ! -L "$root/$name" ]; then
			mkdir -p "$root/usr/$name"
			cp -a "$root/$name/." "$root/usr/$name/"
			rm -rf "${root:?}/$name"
		fi
		mkdir -p "$root/usr/$name"
		[ -e "$root/$name" ] || ln -s "usr/$name" "$root/$name"
	done
}
