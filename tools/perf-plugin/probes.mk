# SPDX-License-Identifier: GPL-2.0-only
#
# What the machine has that perf-spe can do without: prints variables for the Makefile, which
# keeps them in config.mk of the build folder.

comma := ,
CXX   ?= g++
CLANG ?= clang

# Optional libraries of the target machine.  Without one, the features that need it
# end with a message.  WITHOUT names libraries to leave out although they are there.
HEADER_z          := zlib.h
HEADER_protobuf-c := protobuf-c/protobuf-c.h
has_lib = $(if $(filter $(1),$(WITHOUT)),,$(shell echo 'int main(void) { return 0; }' | $(CC) $(LDFLAGS) \
	-include $(or $(HEADER_$(1)),$(1).h) -x c -o /dev/null - -l$(1) 2>/dev/null && echo yes))
define probe
ifneq ($(call has_lib,$(1)),)
CONFIG_FLAGS += -DHAVE_$(2)
CONFIG_LIBS  += -l$(1)
endif
endef
$(eval $(call probe,zstd,ZSTD))
$(eval $(call probe,ncurses,NCURSES))
$(eval $(call probe,png,PNG))
$(eval $(call probe,sqlite3,SQLITE))
$(eval $(call probe,z,ZLIB))
# protobuf-c for viewers' formats: the library, and protoc-c, which makes C of the messages
PROTOC_C ?= protoc-c
ifneq ($(and $(call has_lib,protobuf-c),$(shell command -v $(PROTOC_C))),)
CONFIG_OBJS  += proto/pprof.pb-c.o proto/otlp.pb-c.o proto/perfetto.pb-c.o
CONFIG_FLAGS += -DHAVE_PROTOBUF_C -I$$(PROTO)
CONFIG_LIBS  += -lprotobuf-c
endif
# libiberty is a static library.  Debian has its headers in a folder of their own.
IBERTY := $(if $(filter iberty,$(WITHOUT)),,$(firstword $(foreach header,libiberty/demangle.h demangle.h, \
	$(shell echo 'int main(void) { return !rust_demangle("", 0); }' | $(CC) $(LDFLAGS) \
	-include $(header) -x c -o /dev/null - -liberty 2>/dev/null && echo $(header)))))
ifneq ($(IBERTY),)
CONFIG_FLAGS += -DHAVE_IBERTY='<$(IBERTY)>'
CONFIG_LIBS  += -liberty
endif

# perf-spe loads LLVM's library at run time, so the build needs only its headers.
LLVM_CONFIG ?= $(firstword $(wildcard /usr/bin/llvm-config-19 /usr/bin/llvm-config))
LLVM_DIR    := $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) --includedir 2>/dev/null))
ifneq ($(shell $(CC) -I$(LLVM_DIR) -fsyntax-only -include llvm-c/Disassembler.h -x c /dev/null \
	2>/dev/null && echo yes),)
LLVM_SONAME := $(shell readelf -d "$$($(LLVM_CONFIG) --libdir)/libLLVM.so" 2>/dev/null | \
	sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
CONFIG_FLAGS   += -I$(LLVM_DIR) -DHAVE_LLVM='"$(LLVM_SONAME)"'
CONFIG_LIBS    += -ldl
endif

# perf-spe loads libcurl at run time too.
ifeq ($(filter curl,$(WITHOUT)),)
ifneq ($(shell $(CC) -fsyntax-only -include curl/curl.h -x c /dev/null 2>/dev/null && echo yes),)
CONFIG_FLAGS += -DHAVE_CURL
CONFIG_LIBS  += -ldl
endif
endif

# Apache Arrow's library, which is C++: arrow.cc alone is, and it alone is left
# out without.  ARROW_FLAGS and ARROW_LIBS name one that lies elsewhere.
ifneq ($(shell $(CXX) $(ARROW_FLAGS) -fsyntax-only -include parquet/parquet_version.h \
	-x c++ /dev/null 2>/dev/null && echo yes),)
CONFIG_OBJS  += export/columnar/arrow.o
CONFIG_FLAGS += -DHAVE_ARROW
CONFIG_LIBS  += $(ARROW_LIBS) -lstdc++
endif

# The flags of Debian's hardening=+all that this compiler takes
takes = $(shell echo 'int main(void) { return 0; }' | $(CC) -Wall -Werror -O2 $(1) -x c -o /dev/null - \
	2>/dev/null && echo yes)
HARDEN := $(foreach flag,-Werror=format-security -fstack-protector-strong -fstack-clash-protection \
	-fcf-protection -mbranch-protection=standard,$(if $(call takes,$(flag)),$(flag)))
HARDEN_LINK := $(foreach flag,-Wl$(comma)-z$(comma)relro -Wl$(comma)-z$(comma)now,$(if $(call takes,$(flag)),$(flag)))
PIE := $(if $(call takes,-fPIE -pie),yes)

# The filter for perf script --dlfilter, if perf's header is installed
HAVE_DLFILTER := $(shell $(CC) -fsyntax-only -include perf/perf_dlfilter.h \
	-x c /dev/null 2>/dev/null && echo yes)
# Only clang has libFuzzer.
HAVE_FUZZER  := $(shell echo 'int LLVMFuzzerTestOneInput(const char *b, long n) { return !b && n; }' | \
		$(CLANG) -fsanitize=fuzzer,address -x c -o /dev/null - 2>/dev/null && echo yes)

$(info CONFIG_OBJS  := $(CONFIG_OBJS))
$(info CONFIG_FLAGS := $(CONFIG_FLAGS))
$(info CONFIG_LIBS  := $(CONFIG_LIBS))
$(info CONFIG_HARDEN := $(HARDEN))
$(info CONFIG_HARDEN_LINK := $(HARDEN_LINK))
$(info CONFIG_PIE := $(PIE))
$(info HAVE_DLFILTER := $(HAVE_DLFILTER))
$(info HAVE_FUZZER  := $(HAVE_FUZZER))
.PHONY: print
print: ;
