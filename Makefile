# SPDX-License-Identifier: GPL-2.0-only
#
# Targets for people; what the kernel builds is in Kbuild.  The cache holds what is
# fetched or built once (ARM_SPE_CACHE, by default $XDG_CACHE_HOME/arm-spe); build/ holds
# what this checkout builds.

SHELL := /bin/bash
export ARM_SPE_BUILD ?= $(CURDIR)/build
B := $(ARM_SPE_BUILD)
KERNEL ?= all
KERNEL_LIST := tools/setup/kernel/kernel-list
# The kernels that make check boots, and those that all other targets need.
# Asked for when first needed.
CHECKED = $(eval CHECKED := $(shell $(KERNEL_LIST) check))$(CHECKED)
KERNELS = $(CHECKED)
RELEASES = $(eval RELEASES := $(shell $(KERNEL_LIST) release))$(RELEASES)
# The release kernels, and the kernel that KERNEL= names if make check boots it too.
NEEDED = $(RELEASES) $(filter-out $(RELEASES),$(filter $(CHECKED),$(KERNEL)))
DEMO_KERNEL := 6.12
# For these the module is also built as for a kernel with a built-in driver.
KERNELS_BESIDE := 6.12 newest
# The parts of check-long: make targets, or NAME:COMMAND.
CHECKS_LONG := check-browser check-hostile check-intervals check-sharing check-advise check-types check-packages check-guest-long check-differential-long check-hardened check-debug check-nmi check-exception check-upstream check-parquet check-pgo
# The kernels that check-exception builds and boots.
EXCEPTIONS = $(if $(filter exc%,$(KERNEL)),$(KERNEL),$(shell $(KERNEL_LIST) exception))
DEBUG_KERNELS = $(shell $(KERNEL_LIST) debug)
PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help host host-native viewers demo demo-set-up demo-files example check check-host check-model check-guest check-guest-long check-differential check-differential-long check-hardened check-debug check-nmi check-exception check-upstream check-parquet check-pgo check-browser check-hostile check-intervals check-sharing check-identity check-advise check-types check-native check-install check-packages check-demo check-long mutants \
	modules tools qemu guest guest-programs examples kernels lint fuzz-verbs fuzz-coverage bench bench-page bench-driver figures \
	bench-exception bench-samples \
	bench-model docs install uninstall deb rpm dist clean

help: ## use | list these targets
	@echo 'Statistical Profiling Extension: driver, decoder, model.  make TARGET:'
	@awk -f tools/setup/help.awk $(firstword $(MAKEFILE_LIST))
	@echo
	@echo 'Variables: KDIR=DIR (modules, install: the build folder of a kernel)'
	@echo '           KERNEL=5.10|6.1|6.12|newest|all (check-guest, guest)   EL2=1, ACPI=1 (guest)'
	@echo '           ARM_SPE_CACHE=DIR (cache of downloads and builds), PREFIX, DESTDIR (install)'
	@echo '           ARM_SPE_PACKAGES=ask|install|never (whether to install missing Debian packages)'

# A target-specific variable holds for the prerequisites "kernels" and "modules" too.
check lint guest guest-programs bench bench-driver bench-samples bench-exception check-install \
	check-differential check-differential-long check-hardened check-debug check-nmi \
	check-exception check-upstream check-identity: KERNELS = $(NEEDED)
ifneq ($(KERNEL),all)
check-guest: KERNELS = $(NEEDED)
endif

# One kernel, one module, one program, and those that each guest has: what the demo needs, and
# no more.  Both parts at a time, because many steps of demo-files wait or have one process.
DEMO_PROGRAMS := $(addprefix $(B)/guest/,hot hold leftovers)
demo-set-up: host ## set-up | fetch and build what make demo needs
	@$(MAKE) -s demo-files & $(MAKE) -s qemu; status=$$?; wait $$! && exit $$status

demo-files: tools ## set-up | fetch and build what make demo needs beside QEMU
	@tools/setup/kernels $(DEMO_KERNEL)
	@tools/setup/modules $(B)/kernels/$(DEMO_KERNEL) $(B)/modules/$(DEMO_KERNEL)
	@$(MAKE) -s -C selftests/programs BUILD=$(B) $(DEMO_PROGRAMS)
	@tools/setup/root/userland $$($(KERNEL_LIST) --field userland $(DEMO_KERNEL)) >/dev/null
	@tools/setup/root/userland --perf >/dev/null

demo: demo-set-up ## use | profile real programs in a guest and compare every count
	@selftests/rig/demo --kernel $(DEMO_KERNEL)

# lint and check-host run at the same time, so that what both need is built before.
check: host kernels tools viewers ## test | run all tests but the long ones; ends with N passed, N failed, N skipped
	@tools/setup/tally lint+check-host check-model check-guest check-differential check-install+check-demo

check-long: host ## long | run the long tests; ends with a count like check
	@tools/setup/tally $(CHECKS_LONG) links:'tools/setup/qemu --link-check' dist:'tools/setup/package/dist --check' mutants:'$(MAKE) -s mutants MUTANTS=$(or $(MUTANTS),40)'

check-host: tools viewers ## test | run the tests of the driver's pure files and of perf-spe on this machine
	@tools/setup/tally driver:'$(MAKE) -s -C selftests/host check' \
		decoder:'$(MAKE) -s -C tools/perf-plugin BUILD=$(B) check'

check-model: qemu tools ## test | run bare-metal tests of the SPE model, and compare spe=off with unmodified QEMU
	@tools/setup/qemu --pristine
	@tools/qemu-spe/tests/run

check-guest: qemu kernels tools modules guest-programs ## test | run kselftests and stock perf in guests (KERNEL=5.10|6.1|6.12|newest|all)
	@$(if $(filter all,$(KERNEL)),tools/setup/kernels image-newest)
	@selftests/rig/check-guest --kernel $(KERNEL)

check-guest-long: qemu kernels tools modules guest-programs ## long | run the guests that make check leaves out
	@tools/setup/kernels image-newest intree-5.10
	@tools/setup/root/guest-perf-spe --bpf-perf
	@selftests/rig/check-guest --long

check-install: qemu kernels tools guest-programs ## test | test make install, the Debian package and DKMS, and what modprobe loads in guests
	@$(if $(filter all,$(KERNEL)),tools/setup/kernels image-newest)
	@selftests/rig/check-install --kernel $(KERNEL)

check-packages: qemu kernels tools modules guest-programs ## long | test the Debian and RPM packages, and Secure Boot (PARTS=rpm takes one part)
	@selftests/rig/check-packages $(PARTS)

check-differential: qemu kernels modules guest-programs ## test | compare this driver with the kernel's own on random CPUs (SEED=N repeats one guest)
	@tools/setup/kernels image-newest
	@selftests/rig/check-differential $(if $(SEED),--seed $(SEED)) $(FILES)

check-differential-long: qemu kernels modules guest-programs ## long | run check-differential on 200 random CPUs
	@tools/setup/kernels image-newest
	@selftests/rig/check-differential --long

check-hardened: qemu kernels tools guest-programs ## long | run kselftests in a kernel of clang's, under kCFI, BTI and memory tags
	@tools/setup/kernels hardened
	@tools/setup/modules $(B)/kernels/hardened $(B)/modules/hardened
	@tools/setup/modules --tests $(B)/kernels/hardened $(B)/test-modules/hardened
	@selftests/rig/check-guest --kernel hardened

check-debug: qemu kernels tools guest-programs ## long | run KUnit, kselftests and a stress test under KASAN, lockdep, kmemleak and KCSAN
	@tools/setup/kernels $(DEBUG_KERNELS)
	@set -e; for k in $(DEBUG_KERNELS); do \
		tools/setup/modules $(B)/kernels/$$k $(B)/modules/$$k; \
		tools/setup/modules --tests $(B)/kernels/$$k $(B)/test-modules/$$k; done
	@tools/setup/tally $(foreach k,$(DEBUG_KERNELS),$(k):'selftests/rig/check-guest --kernel $(k)')

check-nmi: qemu kernels tools guest-programs ## long | test perf's calls in NMI context, in a kernel with pseudo-NMIs
	@tools/setup/kernels nmi
	@tools/setup/modules $(B)/kernels/nmi $(B)/modules/nmi
	@tools/setup/modules --tests $(B)/kernels/nmi $(B)/test-modules/nmi
	@selftests/rig/check-guest --kernel nmi

check-exception: qemu kernels tools guest-programs ## long | test the Profiling exception, in kernels built with patches/linux (KERNEL=exc|exc-6.12|exc-debug)
	@tools/setup/kernels $(EXCEPTIONS)
	@set -e; for k in $(EXCEPTIONS); do \
		tools/setup/modules $(B)/kernels/$$k $(B)/modules/$$k; \
		tools/setup/modules --tests $(B)/kernels/$$k $(B)/test-modules/$$k; done
	@tools/setup/tally $(foreach k,$(EXCEPTIONS),$(k):'selftests/rig/check-guest --kernel $(k)')

check-upstream: qemu kernels tools guest-programs ## long | apply and build patches/upstream, and run kselftests with the kernel's own driver
	@tools/setup/kernels upstream
	@tools/setup/modules $(B)/kernels/upstream $(B)/modules/upstream
	@tools/setup/modules --tests $(B)/kernels/upstream $(B)/test-modules/upstream
	@tools/setup/lint 'patches of Linux'
	@selftests/rig/check-guest --kernel upstream

check-parquet: host tools ## long | write Parquet and Arrow files with the libraries of Debian forky, and read them with DuckDB
	@tools/setup/doc/arrow
	@tools/setup/doc/radosgw
	@tools/setup/doc/dask
	@tools/setup/doc/clickhouse
	@$(MAKE) -s -C tools/perf-plugin BUILD=$(B) check-parquet

check-hostile: tools ## long | have each verb read files that ask for much time or memory, in 10 s and 512 MiB
	@$(MAKE) -s -C tools/perf-plugin BUILD=$(B) check-hostile

fuzz-verbs: tools ## long | have all verbs read wrong recordings (FUZZ_KIND=programs: wrong programs; FUZZ_FIRST=, FUZZ_COUNT=, FUZZ_KEEP=)
	@$(MAKE) -s -C tools/perf-plugin BUILD=$(B) fuzz-verbs

fuzz-coverage: tools ## measure | print which lines of perf-spe/input and perf-spe/symbols these inputs reach
	@$(MAKE) -s -C tools/perf-plugin BUILD=$(B) fuzz-coverage

check-types: tools ## long | compare types and fields of operands with what programs say of their objects
	@tools/setup/host
	@tools/setup/kernels newest
	@$(MAKE) -s -C tools/perf-plugin BUILD=$(B) check-types

check-pgo: qemu tools ## long | optimise programs with perf spe pgo's profiles, and compare these with QEMU's counts and with strides known from the source
	@tools/setup/kernels 6.12
	@tools/setup/modules $(B)/kernels/6.12 $(B)/modules/6.12
	@$(MAKE) -s guest-programs
	@selftests/rig/check-pgo

check-browser: tools ## long | open pages of perf spe in headless Chromium, by keyboard and mouse, and look for barriers
	@tools/setup/host --browser
	@NODE_MODULES=$$(tools/setup/doc/npm) && \
		$(MAKE) -s -C tools/perf-plugin BUILD=$(B) NODE_MODULES=$$NODE_MODULES check-browser

check-intervals: qemu tools ## long | check on the model that 95% of the intervals of perf spe hold the truth, and what diff finds
	@selftests/rig/check-intervals

check-sharing: qemu tools ## long | count how many of 50 patterns perf spe sharing and stock perf c2c tell right
	@tools/setup/kernels 6.12
	@tools/setup/modules $(B)/kernels/6.12 $(B)/modules/6.12
	@$(MAKE) -s guest-programs
	@selftests/rig/check-sharing

check-identity: qemu kernels tools modules guest-programs ## long | record programs that log what they did, and compare whose perf spe says each sample is
	@tools/setup/kernels image-newest
	@selftests/rig/check-guest --long --only '*-identity*'

check-advise: qemu tools ## long | count the flaws of seeded programs that perf spe advise names first, and the findings in their healthy twins (SEED=N draws other programs)
	@tools/setup/kernels 6.12
	@tools/setup/modules $(B)/kernels/6.12 $(B)/modules/6.12
	@$(MAKE) -s guest-programs
	@selftests/rig/check-advise

check-native: host ## long | build and test in arm64 and amd64 roots of Debian 12 and 13 (NATIVE=bookworm-arm64 takes one, PARTS=qemu builds QEMU there)
	@selftests/rig/check-native $(if $(PARTS),--parts "$(PARTS)") $(NATIVE)

mutants: host ## test | count the wrong constants, comparisons and operators that the fast tests find (MUTANTS=N per file, SEED=, FILES=)
	@selftests/mutants/run $(if $(MUTANTS),--sample $(MUTANTS)) $(if $(SEED),--seed $(SEED)) $(FILES)

example: host qemu kernels modules guest-programs ## measure | record Documentation/examples anew in a guest
	@selftests/rig/example

check-demo: demo-set-up ## test | run make demo as a test
	@selftests/rig/demo --tap --kernel $(DEMO_KERNEL)

lint: host kernels tools ## test | run checkpatch, sparse, gcc, clang, shellcheck, licences, layering, binding, documents
	@tools/setup/host --docs
	@tools/setup/lint

docs: tools ## build | build the documents as HTML, with a search and new screenshots: build/docs/index.html
	@tools/setup/host --docs
	@tools/setup/host --browser
	@tools/setup/doc/screenshots
	@tools/setup/doc/docs

modules: $(if $(KDIR),host-native,kernels) ## build | build the module, for KDIR=DIR or for each supported kernel (SPE_STRICT=1: without what Linux's tree would refuse)
ifneq ($(KDIR),)
	@tools/setup/modules $(KDIR) $(B)/modules/custom
else
	@set -e; for k in $(KERNELS); do \
		tools/setup/modules $(B)/kernels/$$k $(B)/modules/$$k; \
		tools/setup/modules --tests $(B)/kernels/$$k $(B)/test-modules/$$k; done
	@set -e; for k in $(KERNELS_BESIDE); do \
		tools/setup/modules $(B)/kernels/$$k $(B)/modules/$$k-beside CONFIG_ARM_SPE_PMU=y; done
	@tools/setup/modules $(B)/kernels/newest $(B)/modules/newest-strict CONFIG_ARM_SPE_PMU=y SPE_STRICT=1
endif

tools: host-native ## build | build perf-spe and libarmspe in build/
	@$(MAKE) -s -j$$(nproc) -C tools/perf-plugin BUILD=$(B)

qemu: host ## build | build QEMU with the SPE model: build/qemu-system-aarch64
	@tools/setup/qemu

kernels: host ## set-up | fetch or build the kernels that tests boot
	@tools/setup/kernels $(KERNELS) $(if $(filter newest,$(KERNEL)),image-newest)

guest-programs: host kernels ## set-up | build the programs that run in guests
	@$(MAKE) -s -C selftests/programs BUILD=$(B)
	@$(MAKE) -s -C selftests/arm_spe BUILD=$(B)
	@tools/setup/root/guest-perf-spe
	@tools/setup/root/guest-perf-spe --examples

examples: host ## build | build the BPF programs of examples/ for arm64: build/guest/latency, build/guest/misses
	@tools/setup/root/guest-perf-spe --examples

guest: qemu kernels modules guest-programs ## use | open a shell in a guest with the module and perf (KERNEL=, EL2=1, ACPI=1)
	@selftests/rig/guest --kernel $(if $(filter all,$(KERNEL)),6.12,$(KERNEL)) \
		$(if $(EL2),--el2) $(if $(ACPI),--acpi)

figures: ## measure | print how many files, headers and functions a reader meets
	@tools/setup/figures

bench: tools kernels ## measure | compare decoding speed with Linux's packet loop
	@$(MAKE) -s -C tools/perf-plugin BUILD=$(B) bench

bench-page: tools ## measure | print what a page of ten million samples costs, and how fast it answers in headless Chromium
	@tools/setup/host --browser
	@NODE_MODULES=$$(tools/setup/doc/npm) && \
		$(MAKE) -s -C tools/perf-plugin BUILD=$(B) NODE_MODULES=$$NODE_MODULES bench-page

bench-driver: qemu kernels modules guest-programs tools ## measure | compare the cost of this driver with the in-tree one, in operations and instructions
	@$(if $(filter 5.10,$(KERNEL)),tools/setup/kernels intree-5.10)
	@KERNEL=$(KERNEL) selftests/rig/bench-driver

bench-samples: qemu kernels modules guest-programs ## measure | print the instructions of a record as AUX data and as a sample of spe_sample_N
	@KERNEL=$(KERNEL) selftests/rig/bench-samples

bench-exception: qemu guest-programs ## measure | count the instructions that patches/linux add to kernel entries and exits
	@tools/setup/kernels exc
	@KERNEL=$(KERNEL) selftests/rig/bench-exception

bench-model: qemu ## measure | compare the model's speed, off, idle and profiling, with unmodified QEMU
	@selftests/rig/bench-model

install: tools ## install | install perf-spe and libarmspe in DESTDIR/PREFIX, and with KDIR=DIR the module for that kernel, signed with SIGN_KEY= and SIGN_CERT=
	@$(MAKE) -s -C tools/perf-plugin BUILD=$(B) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) install
	@$(if $(KDIR),tools/setup/kernel/install-module $(KDIR) $(DESTDIR))

uninstall: ## install | remove what make install put there; with KDIR=DIR also the module, so that modprobe loads the kernel's own driver again
	@$(MAKE) -s -C tools/perf-plugin PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) uninstall
	@$(if $(KDIR),tools/setup/kernel/install-module --remove $(KDIR) $(DESTDIR))

# Libraries for arm64 and QEMU's source come from the archive of Debian, which other distributions do not read.
on_debian_amd64 = $(filter debian-amd64,$(shell . "$${OS_RELEASE:-/etc/os-release}" && echo "$$ID-$$(dpkg --print-architecture)" 2>/dev/null))

deb: ## install | build the Debian packages in build/deb/: module (DKMS), perf-spe, libarmspe; on Debian for amd64 also those for arm64, and QEMU with the model for both
	@tools/setup/host --deb
	@tools/setup/package/deb
	@$(if $(on_debian_amd64),tools/setup/host --qemu && tools/setup/package/deb --cross && \
		tools/setup/package/deb-qemu && tools/setup/package/deb-qemu --cross)

rpm: ## install | build the RPM packages in build/rpm/: module (DKMS), perf-spe, libarmspe, on Debian for amd64 QEMU with the model
	@tools/setup/host --rpm
	@tools/setup/package/rpm
	@$(if $(on_debian_amd64),tools/setup/host --qemu && tools/setup/package/rpm --qemu)

dist: ## install | pack the last commit into build/arm-spe-VERSION.tar.xz
	@tools/setup/package/dist

clean: ## build | remove build/ (the cache stays)
	rm -rf $(B)

host: ## set-up | install the packages that tests and guests need
	@tools/setup/host

# Without these readers, tests of exports are skipped.
viewers: ## set-up | fetch the readers of profiles that tests of exports use
	@tools/setup/doc/viewers >/dev/null || true
	@tools/setup/doc/otlp >/dev/null || true

host-native: ## set-up | install the packages that make tools needs
	@tools/setup/host --native
