# SPDX-License-Identifier: GPL-3.0-or-later
# One non-recursive Makefile. Sources are found by folder, so a new file needs no edit here.
# Objects live in build/<variant>/; the program people run is build/fauxfleet (variant release).
#   make VARIANT=debug    make VARIANT=asan    make CC=clang VARIANT=clang    make V=1

VERSION := 0.1.0
VARIANT ?= release
B := build/$(VARIANT)

prefix ?= /usr/local
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
bashcompdir ?= $(datadir)/bash-completion/completions
zshcompdir ?= $(datadir)/zsh/site-functions
fishcompdir ?= $(datadir)/fish/vendor_completions.d
pkgconfigdir ?= $(libdir)/pkgconfig

# --- what has to be there ------------------------------------------------------------------------
RUN_PACKAGES := gcc libc6-dev pkg-config libgsl-dev libcsv-dev libcjson-dev zlib1g-dev libzstd-dev \
                nettle-dev uthash-dev gnuplot-nox
CHECK_PACKAGES := $(RUN_PACKAGES) check binutils g++ zstd libglpk-dev
SLURM_PACKAGES := $(CHECK_PACKAGES) slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge libslurm-dev
CI_PACKAGES := mkdocs python3 python3-jsonschema $(CHECK_PACKAGES) libslurm-dev libsqlite3-dev sqlite3 clang libclang-rt-14-dev valgrind clang-format cppcheck

# --- how many at a time: of a make without -j, all processors ------------------------------------
PROCESSORS := $(shell nproc 2>/dev/null || echo 2)
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(PROCESSORS))

# --- flags ---------------------------------------------------------------------------------------
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wold-style-definition -Wvla -Wformat=2 -Wundef -Wdouble-promotion \
            -Wcast-qual -Wwrite-strings -Wswitch-enum -Wimplicit-fallthrough $(if $(CI),-Werror)
BASE_CFLAGS := -std=c17 -ffp-contract=off -ffile-prefix-map=$(CURDIR)=. $(WARNINGS) -MMD -MP
HARDEN := -fstack-protector-strong -fPIE

OPT_release := -O3 -g -D_FORTIFY_SOURCE=2 $(HARDEN)
OPT_debug := -O0 -g $(HARDEN)
OPT_clang := -O2 -g $(HARDEN)
# Where stacks are printed, lines and names are enough.
OPT_asan := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
OPT_fuzz := -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
OPT_tsan := -O1 -g1 -fno-omit-frame-pointer -fsanitize=thread
OPT_coverage := -O0 -g --coverage
# Function addresses are all resolved at the start and are read-only from then on.
LD_HARDEN := -pie -Wl,-z,relro,-z,now
LD_release := $(LD_HARDEN)
LD_debug := $(LD_HARDEN)
LD_clang := $(LD_HARDEN)
# Without relocations programs start in two thirds of the time; the tests start thousands.
LD_asan := -fsanitize=address,undefined -no-pie
LD_fuzz := -fsanitize=address,undefined
LD_tsan := -fsanitize=thread
LD_coverage := --coverage
ifeq ($(OPT_$(VARIANT)),)
$(error unknown VARIANT '$(VARIANT)': release, debug, clang, asan, tsan, fuzz, coverage)
endif

PKGS := gsl libcjson zlib libzstd nettle
# Optional: `merge -o results.db`. NO_SQLITE=1 builds without although it is there.
SQLITE := $(if $(NO_SQLITE),,$(shell pkg-config --exists sqlite3 2>/dev/null && echo sqlite3))
PKGS += $(SQLITE)
PROGRAM_CFLAGS = $(BASE_CFLAGS) -D_POSIX_C_SOURCE=200809L -DFAUXFLEET_VERSION='"$(VERSION)"' -I. \
                 $(if $(SQLITE),-DFAUXFLEET_SQLITE) -include sim/base/banned.h $(OPT_$(VARIANT)) $(CFLAGS)
# The policy core sees libc's headers and its own folder, nothing else. The library is built without
# stack protector and fortify: an embedder without a libc gives it four memory functions
# (policies/policy.h), and both would call more.
POLICY_CFLAGS = $(BASE_CFLAGS) -Ipolicies -fvisibility=hidden -fPIC -fno-stack-protector \
                -U_FORTIFY_SOURCE $(filter-out -D_FORTIFY_SOURCE% $(HARDEN),$(OPT_$(VARIANT))) \
                $(filter-out -D_FORTIFY_SOURCE% -fstack-protector%,$(CFLAGS))
# The core inside the programs, which have a libc, is built with what the programs are built with.
CORE_CFLAGS = $(BASE_CFLAGS) -Ipolicies -fvisibility=hidden $(OPT_$(VARIANT)) $(CFLAGS)
# The adapters see policy.h and libraries, and nothing of the simulator.
ADAPTER_CFLAGS = $(BASE_CFLAGS) -D_POSIX_C_SOURCE=200809L -DFAUXFLEET_VERSION='"$(VERSION)"' -I. $(OPT_$(VARIANT)) $(CFLAGS)
LDLIBS = $(shell pkg-config --libs $(PKGS)) -lcsv -lm -lpthread

Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $(1) $(2)";)

# --- sources -------------------------------------------------------------------------------------
# The rooms of the policy core, from the ground up; their README.md say what each may use.
POLICY_ROOMS := base state pending order place act act/victims query
POLICY_SRC := $(wildcard policies/*.c $(POLICY_ROOMS:%=policies/%/*.c))
PROGRAM_SRC := $(wildcard sim/base/*.c sim/kernel/*.c sim/fleet/*.c sim/work/*.c sim/power/*.c sim/perf/*.c sim/fabric/*.c sim/faults/*.c sim/memory/*.c sim/goodput/*.c sim/services/*.c sim/storage/*.c sim/*.c sim/sources/*.c \
                          traces/*.c traces/*/*.c scenarios/*/*.c report/*/*.c policies/facts/*.c policies/adapters/ending/*.c)
# What commands do, in rooms from the ground up; the commands themselves are sim/cli/.
CLI_ROOMS := policy program trace start world ask study plan gate replay serve init calibrate cli
CLI_SRC := $(wildcard $(CLI_ROOMS:%=sim/%/*.c))
# The longest first: see tests/tools/run_tests.sh.
TEST_SRC := $(wildcard tests/property/*.c tests/policies/*.c tests/policies/*/*.c tests/policies/*/*/*.c \
                       tests/traces/*.c tests/traces/*/*.c \
                       tests/sim/*.c tests/sim/*/*.c tests/scenarios/*/*.c tests/report/*/*.c)
TEST_LIB_SRC := $(wildcard tests/lib/*.c)
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
# The adapter that drives a Slurm: a program of its own, of which load.c, send.c and main.c need
# libslurm (Debian: libslurm-dev), and all else can be tested without. NO_SLURM=1 builds without
# although it is there.
SLURM := $(if $(NO_SLURM),,$(wildcard /usr/include/slurm/slurm.h))
# All adapters share the vocabulary of facts, which the program has, too.
ADAPTER_SRC := $(wildcard policies/adapters/slurm/*.c policies/facts/*.c policies/adapters/program/*.c policies/adapters/ending/*.c)
ADAPTER_SLURM_SRC := $(patsubst %,policies/adapters/slurm/%.c,load main options send)
# Policies as shared libraries; embed.c is a program.
PLUGIN_SRC := $(filter-out policies/examples/embed.c,$(wildcard policies/examples/*.c))
DATA := $(sort $(wildcard scenarios/catalog/*.json))

POLICY_OBJ := $(sort $(POLICY_SRC:%.c=$(B)/%.o))
PROGRAM_OBJ := $(sort $(PROGRAM_SRC:%.c=$(B)/%.o)) $(B)/gen/catalog_data.o $(B)/gen/explorer.o
CLI_OBJ := $(sort $(CLI_SRC:%.c=$(B)/%.o))
TEST_BIN := $(TEST_SRC:%.c=$(B)/%)
PLUGIN_SO := $(PLUGIN_SRC:%.c=$(B)/%.so)
ADAPTER_OBJ := $(ADAPTER_SRC:%.c=$(B)/%.o)
ADAPTER_A := $(B)/libslurmadapter.a
TEST_LIB_OBJ := $(TEST_LIB_SRC:%.c=$(B)/%.o)

BIN := $(B)/fauxfleet
# Only the release build in its own place is the program that people run; any other stays in its
# folder.
PROGRAM := $(if $(filter release:build/release,$(VARIANT):$(B)),build/fauxfleet,$(BIN))
ADAPTER := $(B)/fauxfleet-slurm
ADAPTER_PROGRAM := $(if $(filter release:build/release,$(VARIANT):$(B)),build/fauxfleet-slurm,$(ADAPTER))
POLICY_A := $(B)/libfauxpolicy.a
# Where nothing is hardened, the library is the same as the core inside the programs.
CORE_A := $(if $(filter $(HARDEN),$(OPT_$(VARIANT))),$(B)/libcore.a,$(POLICY_A))
POLICY_SO := $(B)/libfauxpolicy.so.0
PAGES := $(B)/man/fauxfleet.1
COMPLETIONS := $(patsubst %,$(B)/completions/%,bash zsh fish)

.DEFAULT_GOAL := all
.SECONDARY:
.DELETE_ON_ERROR:

## all: build the program (build/fauxfleet), the policy library, its examples, the man pages and completions
all: $(PROGRAM) $(POLICY_SO) $(PLUGIN_SO) $(PAGES) $(COMPLETIONS) $(if $(SLURM),slurm-adapter)

ifneq ($(PROGRAM),$(BIN))
$(PROGRAM): $(BIN)
	$(call say,LINK,$@)cp $< $@.tmp && mv $@.tmp $@
endif

$(BIN): $(CLI_OBJ) $(PROGRAM_OBJ) $(CORE_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(LDLIBS)

## slurm-adapter: build build/fauxfleet-slurm, which schedules a Slurm cluster (part of all where libslurm-dev is installed)
slurm-adapter: $(if $(SLURM),$(ADAPTER_PROGRAM))
	$(if $(SLURM),,@echo "fauxfleet-slurm is not built: it needs the Debian package libslurm-dev")

ifneq ($(ADAPTER_PROGRAM),$(ADAPTER))
$(ADAPTER_PROGRAM): $(ADAPTER)
	$(call say,LINK,$@)cp $< $@.tmp && mv $@.tmp $@
endif

$(ADAPTER): $(ADAPTER_SLURM_SRC:%.c=$(B)/%.o) $(ADAPTER_A) $(CORE_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^ -lslurm $(shell pkg-config --libs libcjson nettle) -lm

# Stacks for signal handlers are XSI's, and timers of one thread Linux's.
$(B)/sim/base/mem.o $(B)/sim/policy/plugin_watch.o $(B)/sim/policy/thread_clock.o: PROGRAM_CFLAGS += -D_DEFAULT_SOURCE

$(ADAPTER_A): $(filter-out $(ADAPTER_SLURM_SRC:%.c=$(B)/%.o),$(ADAPTER_OBJ))
	$(call say,AR,$@)rm -f $@ && $(AR) rcsD $@ $^

$(B)/policies/adapters/%.o: policies/adapters/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ADAPTER_CFLAGS) -c -o $@ $<

$(B)/policies/facts/%.o: policies/facts/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ADAPTER_CFLAGS) -c -o $@ $<

$(POLICY_A): $(POLICY_OBJ)
	$(call say,AR,$@)rm -f $@ && $(AR) rcsD $@ $^

$(B)/libcore.a: $(POLICY_OBJ:$(B)/%=$(B)/core/%)
	$(call say,AR,$@)rm -f $@ && $(AR) rcsD $@ $^

$(B)/core/policies/%.o: policies/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CORE_CFLAGS) -c -o $@ $<

$(POLICY_SO): $(POLICY_OBJ) policies/exports.map
	$(call say,LD,$@)$(CC) $(filter-out -pie -no-pie,$(LD_$(VARIANT))) -shared $(LDFLAGS) -Wl,-soname,libfauxpolicy.so.0 \
	  -Wl,--version-script=policies/exports.map -o $@ $(POLICY_OBJ)

$(B)/policies/%.o: policies/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(POLICY_CFLAGS) -c -o $@ $<

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(PROGRAM_CFLAGS) -c -o $@ $<

# As their authors would build them: the public headers and nothing else.
$(B)/policies/examples/%.so: policies/examples/%.c
	@mkdir -p $(@D)
	$(call say,SO,$@)$(CC) $(BASE_CFLAGS) -Ipolicies -fPIC $(filter-out -fPIE,$(OPT_$(VARIANT))) $(CFLAGS) \
	  -shared $(filter-out -pie -no-pie,$(LD_$(VARIANT))) $(LDFLAGS) -o $@ $<

# The catalogue travels inside the program: one array of bytes, made from the JSON files.
$(B)/gen/catalog_data.c: $(DATA) scenarios/catalog/embed.sh
	@mkdir -p $(@D)
	$(call say,GEN,$@)sh scenarios/catalog/embed.sh $(DATA) > $@

# So do the script and the style of the explorer.
EXPLORER := report/explore/explorer.css $(addprefix report/explore/script/,read.js words.js span.js view.js devices.js queue.js life.js app.js)
$(B)/gen/explorer.c: $(EXPLORER) report/explore/embed.sh
	@mkdir -p $(@D)
	$(call say,GEN,$@)sh report/explore/embed.sh $(EXPLORER) > $@

$(B)/gen/%.o: $(B)/gen/%.c
	$(call say,CC,$<)$(CC) $(PROGRAM_CFLAGS) -c -o $@ $<

# fauxfleet(1), and beside it a page for each command. What the program says of itself.
$(PAGES): $(BIN)
	$(call say,GEN,$@)rm -rf $(@D) && mkdir -p $(@D) && for command in `$(BIN) list commands | sed 's/ .*//'`; do \
	  $(BIN) $$command --man > $(@D)/fauxfleet-$$command.1 || exit 1; done && $(BIN) --man > $@

$(B)/completions/%: $(BIN)
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(BIN) --completion $* > $@

# Which program --version speaks of.
$(B)/sim/cli/version.o: PROGRAM_CFLAGS += $(if $(SLURM),-DFAUXFLEET_SLURM)

## demo: install what is missing, build, simulate the built-in example, say where the report is
demo:
	@sh tests/tools/packages.sh $(RUN_PACKAGES)
	@$(MAKE) --no-print-directory $(PARALLEL) all
	$(PROGRAM) run scenarios/examples/demo.json -o build/demo

-include $(wildcard tests/tests.mk)

# They would be taken for several folders.
NO_BLANKS = $(if $(word 2,[$(DESTDIR)$(prefix)]),$(error DESTDIR '$(DESTDIR)' and prefix '$(prefix)': expected no blanks))

# What they say of themselves.
install_adapter = install -m 755 -t $(DESTDIR)$(bindir) $(1) && \
  $(1) --man | install -m 644 /dev/stdin $(DESTDIR)$(mandir)/man1/$(notdir $(1)).1 && \
  $(1) --completion bash | install -m 644 /dev/stdin $(DESTDIR)$(bashcompdir)/$(notdir $(1)) && \
  $(1) --completion zsh | install -m 644 /dev/stdin $(DESTDIR)$(zshcompdir)/_$(notdir $(1)) && \
  $(1) --completion fish | install -m 644 /dev/stdin $(DESTDIR)$(fishcompdir)/$(notdir $(1)).fish

## install: install program, man pages, completions, policy library, headers and pkg-config file (DESTDIR, prefix)
install: all
	$(NO_BLANKS)install -d $(addprefix $(DESTDIR),$(bindir) $(libdir) $(includedir)/fauxpolicy $(pkgconfigdir) $(mandir)/man1 \
	  $(bashcompdir) $(zshcompdir) $(fishcompdir))
	install -m 755 $(BIN) $(DESTDIR)$(bindir)/fauxfleet
	$(if $(SLURM),$(call install_adapter,$(ADAPTER)))
	$(if $(SLURM),install -D -m 644 -t $(DESTDIR)$(datadir)/fauxfleet policies/adapters/slurm/job_submit.lua)
	install -m 644 $(POLICY_A) $(DESTDIR)$(libdir)/libfauxpolicy.a
	install -m 644 $(POLICY_SO) $(DESTDIR)$(libdir)/libfauxpolicy.so.$(VERSION)
	ln -sf libfauxpolicy.so.$(VERSION) $(DESTDIR)$(libdir)/libfauxpolicy.so.0
	ln -sf libfauxpolicy.so.0 $(DESTDIR)$(libdir)/libfauxpolicy.so
	install -m 644 policies/policy.h policies/plugin.h $(DESTDIR)$(includedir)/fauxpolicy/
	sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
	  -e 's|@version@|$(VERSION)|' policies/fauxpolicy.pc.in > $(DESTDIR)$(pkgconfigdir)/fauxpolicy.pc
	install -m 644 $(dir $(PAGES))*.1 $(DESTDIR)$(mandir)/man1/
	install -m 644 $(B)/completions/bash $(DESTDIR)$(bashcompdir)/fauxfleet
	install -m 644 $(B)/completions/zsh $(DESTDIR)$(zshcompdir)/_fauxfleet
	install -m 644 $(B)/completions/fish $(DESTDIR)$(fishcompdir)/fauxfleet.fish

## uninstall: remove what install installed (with the same DESTDIR and prefix)
uninstall:
	$(NO_BLANKS)rm -f $(addprefix $(DESTDIR),$(bindir)/fauxfleet $(bindir)/fauxfleet-slurm $(libdir)/libfauxpolicy.a \
	  $(libdir)/libfauxpolicy.so $(libdir)/libfauxpolicy.so.0 $(libdir)/libfauxpolicy.so.$(VERSION) \
	  $(includedir)/fauxpolicy/policy.h $(includedir)/fauxpolicy/plugin.h $(pkgconfigdir)/fauxpolicy.pc \
	  $(mandir)/man1/fauxfleet.1 $(bashcompdir)/fauxfleet $(zshcompdir)/_fauxfleet $(fishcompdir)/fauxfleet.fish \
	  $(bashcompdir)/fauxfleet-slurm $(zshcompdir)/_fauxfleet-slurm $(fishcompdir)/fauxfleet-slurm.fish \
	  $(datadir)/fauxfleet/job_submit.lua)
	rm -f $(DESTDIR)$(mandir)/man1/fauxfleet-*.1
	rmdir $(DESTDIR)$(includedir)/fauxpolicy $(DESTDIR)$(datadir)/fauxfleet 2>/dev/null || true

## dist: write build/fauxfleet-VERSION.tar.gz: the same bytes for the same sources
DIST := build/fauxfleet-$(VERSION).tar.gz
dist:
	@sh tests/tools/dist.sh fauxfleet-$(VERSION) $(DIST)
	@echo $(DIST)

# The headers in tests/abi/older stay as they were published.
FORMATTED = $(shell git ls-files '*.c' '*.h' ':!tests/abi/older')

## format: format all sources with clang-format
format:
	clang-format -i $(FORMATTED)

## format-check: fail when a source is not formatted
format-check:
	clang-format --dry-run -Werror $(FORMATTED)

## clean: remove everything that was built
clean:
	rm -rf build

## help: list the targets
help:
	@grep -hE '^## [a-z-]+:' $(MAKEFILE_LIST) | sed -E 's/^## ([a-z-]+): /  \1\t/' | expand -t 22
	@echo "  Variables: VARIANT=release|debug|clang|asan|tsan|fuzz|coverage  CC=  CFLAGS=  V=1  DESTDIR=  prefix="

.PHONY: all slurm-adapter demo install uninstall dist format format-check clean help

-include $(shell find $(B) -name '*.d' 2>/dev/null)
