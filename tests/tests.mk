# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that checks the project. Included by the Makefile, which defines the sources and flags
# used here. A test program is one file tests/**/test_*.c with its own main; a fuzz target is
# tests/fuzz/fuzz_NAME.c with its seeds in tests/fuzz/corpus/NAME/; an end-to-end test is a script
# tests/e2e/NAME.sh that drives $BIN.

# Other variants are built beside this one: build/asan beside build/release, build/mine/asan below
# build/mine.
BUILDS := $(patsubst %/$(VARIANT),%,$(B))

# GLPK solves linear programs; without it two property tests say that they are skipped. Those that do
# not use it are not linked with it.
GLPK := $(wildcard /usr/include/glpk.h)
CHECK_LIBS = $(shell pkg-config --libs check) $(GLPK:%=-Wl,--as-needed -lglpk)
PROGRAM_A := $(B)/libprogram.a
FUZZ_BIN := $(FUZZ_SRC:%.c=$(B)/%)
REPLAY_BIN := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=$(B)/tests/fuzz/replay_%)
E2E := $(sort $(wildcard tests/e2e/*.sh))
# These run the program at length for the figures that it prints, or tens of times for verdicts;
# other scripts use the same commands (hardware, metrics, prices, replicas, warmup ...), so the
# sanitizers leave these out.
E2E_LONG := $(patsubst %,tests/e2e/%.sh,bench figures gate gate-processes losers packing pages plan plan-evidence \
              studies sweep whatif)
SLURM_TESTS := $(filter-out tests/slurm/lib.sh,$(sort $(wildcard tests/slurm/*.sh)))
# Of the property tests the end-to-end ones need the whole program, those of the policy core need
# the core alone.
ADAPTER_TEST_BIN := $(filter $(B)/tests/policies/adapters/% $(B)/tests/policies/facts/%,$(TEST_BIN))
CORE_TEST_BIN := $(filter-out $(ADAPTER_TEST_BIN),$(filter $(B)/tests/policies/% $(B)/tests/property/test_policy% $(B)/tests/property/test_quota%,$(TEST_BIN)))
LIBRARY_CHECKS := tests/tools/check_policy_library.sh tests/tools/check_includes.sh tests/tools/check_hardening.sh

# --- test programs -------------------------------------------------------------------------------

# Hundreds of programs, each with most of the project in it: the faster linker where there is one,
# and in the release build, whose program has them, no symbols.
TEST_LDFLAGS := $(if $(shell command -v ld.gold),-fuse-ld=gold) $(if $(filter release,$(VARIANT)),-s)

# What a test does itself takes no time worth optimizing for.
ifeq ($(VARIANT),release)
$(B)/tests/%.o: PROGRAM_CFLAGS += -O1 -g0
endif

# Tests of the policy core may look at its internals.
$(B)/tests/policies/%.o $(addprefix $(B)/tests/property/test_,quota_random.o planned_random.o wanted_random.o): PROGRAM_CFLAGS += -Ipolicies
# As plugins are built; and stories are told with and without shortcuts.
$(addprefix $(B)/tests/lib/,plugins.o quota_story.o): PROGRAM_CFLAGS += -Ipolicies

$(PROGRAM_A): $(PROGRAM_OBJ)
	$(call say,AR,$@)rm -f $@ && $(AR) rcsD $@ $^

$(CORE_TEST_BIN): $(B)/%: $(B)/%.o $(TEST_LIB_OBJ) $(POLICY_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(TEST_LDFLAGS) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS)

$(ADAPTER_TEST_BIN): $(B)/%: $(B)/%.o $(TEST_LIB_OBJ) $(B)/tests/lib/slurm/fake_slurm.o $(ADAPTER_A) $(POLICY_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(TEST_LDFLAGS) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(shell pkg-config --libs libcjson nettle) -lm

$(filter-out $(CORE_TEST_BIN) $(ADAPTER_TEST_BIN),$(TEST_BIN)): $(B)/%: $(B)/%.o $(TEST_LIB_OBJ) $(PROGRAM_A) $(POLICY_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(TEST_LDFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(CHECK_LIBS) $(LDLIBS)

# This test includes the source of the choice, which is in no library; what watches plugins is
# linked.
$(B)/tests/sim/policy/test_choice: $(addprefix $(B)/sim/policy/,memory.o plugin_options.o plugin_watch.o thread_clock.o)

# The adapter for Slurm with a made-up one, to be ended anywhere: tests/e2e/slurm-kills.sh.
$(B)/tests/lib/slurm/life: $(B)/tests/lib/slurm/life_main.o $(TEST_LIB_OBJ) $(B)/tests/lib/slurm/fake_slurm.o $(ADAPTER_A) $(POLICY_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(shell pkg-config --libs libcjson nettle) -lm

# Libraries for LD_PRELOAD that let calls fail (tests/preload/faults.h). The sanitizers have such a
# library of their own, which has to come first, so these variants have none of ours.
PRELOAD := $(if $(filter release debug clang coverage,$(VARIANT)),$(addprefix $(B)/tests/preload/,faults.so probe))
PRELOAD_CFLAGS = $(filter-out -std=c17,$(BASE_CFLAGS)) -std=gnu17 -D_GNU_SOURCE -I. -O2 -g $(CFLAGS)

$(B)/tests/preload/%.o: tests/preload/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(PRELOAD_CFLAGS) -fPIC -c -o $@ $<

$(B)/tests/preload/faults.so: $(patsubst %.c,$(B)/%.o,$(wildcard tests/preload/faults*.c))
	$(call say,SO,$@)$(CC) -shared $(LDFLAGS) -o $@ $^

$(B)/tests/preload/probe: $(B)/tests/preload/probe.o
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^

# The example embeds the library as a stranger would: the public header, the library, libc.
$(B)/policies/examples/embed: policies/examples/embed.c $(POLICY_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(BASE_CFLAGS) -Ipolicies $(OPT_$(VARIANT)) $(LD_$(VARIANT)) $(CFLAGS) $(LDFLAGS) -o $@ $^

# --- running them --------------------------------------------------------------------------------

## check: install what is missing, build, run all tests; the last line has the totals
check:
	@sh tests/tools/packages.sh $(CHECK_PACKAGES)
	@$(MAKE) --no-print-directory $(PARALLEL) check-run

check-run: all $(TEST_BIN) $(REPLAY_BIN) $(PRELOAD) $(B)/tests/lib/slurm/life $(B)/policies/examples/embed
	@BIN=$(PROGRAM) B=$(B) CC="$(CC)" VARIANT=$(VARIANT) POLICY_A=$(POLICY_A) POLICY_SO=$(POLICY_SO) \
	  sh tests/tools/run_tests.sh $(E2E) $(TEST_BIN) $(REPLAY_BIN) $(if $(filter release,$(VARIANT)),$(LIBRARY_CHECKS))

## check-units: build and run the unit and property tests only
check-units: $(TEST_BIN)
	@sh tests/tools/run_tests.sh $(TEST_BIN)

## check-core: build and run the tests of the policy core only
check-core: $(CORE_TEST_BIN) $(POLICY_SO) $(B)/policies/examples/embed
	@B=$(B) CC="$(CC)" POLICY_A=$(POLICY_A) POLICY_SO=$(POLICY_SO) \
	  sh tests/tools/run_tests.sh $(CORE_TEST_BIN) $(if $(filter release,$(VARIANT)),tests/tools/check_policy_library.sh)

# Random runs under the sanitizers: one in so many.
ASAN_THIN := 20

## check-asan: the tests with AddressSanitizer and UndefinedBehaviorSanitizer, but for the longest scripts
check-asan:
	@FAUXFLEET_THIN=$(ASAN_THIN) $(MAKE) --no-print-directory VARIANT=asan B=$(BUILDS)/asan \
	  E2E="$(filter-out $(E2E_LONG),$(E2E))" check-run

## check-ubsan: the same as check-asan, which has both sanitizers
check-ubsan: check-asan

## check-tsan: what runs on several threads, with ThreadSanitizer
check-tsan:
	@$(MAKE) --no-print-directory VARIANT=tsan B=$(BUILDS)/tsan check-tsan-run

check-tsan-run: $(BIN) $(B)/tests/sim/base/test_workers $(B)/tests/policies/test_instances
	@BIN=$(BIN) B=$(B) VARIANT=tsan TSAN_OPTIONS=halt_on_error=1:exitcode=66 \
	  sh tests/tools/run_tests.sh $(B)/tests/sim/base/test_workers $(B)/tests/policies/test_instances tests/e2e/threads.sh

## check-slurm: install Slurm where that is possible, and run sweeps and the adapter on one of 16 nodes on this machine
check-slurm:
	@sh tests/tools/packages.sh $(SLURM_PACKAGES) || true
	@$(MAKE) --no-print-directory check-slurm-run

# What is not installed is skipped. One at a time: each starts a Slurm of its own.
check-slurm-run: all
	@JOBS=1 BIN=$(PROGRAM) ADAPTER=$(ADAPTER_PROGRAM) B=$(B) VARIANT=$(VARIANT) sh tests/tools/run_tests.sh $(SLURM_TESTS)

## check-kubernetes: build a control plane of Kubernetes once (5 CPU-minutes, 2 GB, root), and carry plans out on it
check-kubernetes: all
	@JOBS=1 BIN=$(PROGRAM) B=$(B) VARIANT=$(VARIANT) sh tests/tools/run_tests.sh tests/kubernetes/plan.sh

## distcheck: make the source tarball, and from it build, test the policy core, install, uninstall and make it again
distcheck: dist
	@CC="$(CC)" sh tests/tools/distcheck.sh $(DIST)

## check-reproducible: build twice in different places from the source tarball; the bytes have to be the same
check-reproducible: dist
	@CC="$(CC)" sh tests/tools/check_reproducible.sh $(DIST)

## deb: build the Debian packages into build/deb (needs debhelper)
deb: dist
	@sh tests/tools/deb.sh $(DIST) build/deb

## check-deb: build the Debian packages, look at them with lintian and use what is in them; skipped without debhelper
check-deb: dist
	@sh tests/tools/check_deb.sh $(DIST)

## check-browser: the HTML pages in headless Chromium, where it is installed (light, dark, narrow, wide, printed)
check-browser: $(PROGRAM)
	@BIN=$(PROGRAM) B=$(B) sh tests/tools/check_browser.sh

## slurm-kills: the adapter for Slurm, ended at every call that changes a file, or that call fails, under eight policies (minutes)
slurm-kills: all $(PRELOAD) $(B)/tests/lib/slurm/life
	@BIN=$(PROGRAM) B=$(B) KILLS=all sh tests/e2e/slurm-kills.sh

## settle: 100,000 random worlds of the quota policy, and 33,000 of kube-default, come to rest (minutes)
settle: $(B)/tests/property/test_quota_random
	@FAUXFLEET_RUNS=100000 nice -n 15 $<

## gate-evidence: how often the gate is wrong: a policy against itself, planted regressions, and 60 planted changes of policies/ (an hour; MUTANTS_ONLY=name)
MUTANTS_ONLY ?=
gate-evidence: all
	@$(if $(MUTANTS_ONLY),,BIN=$(PROGRAM) sh tests/tools/gate_evidence.sh &&) CC="$(CC)" sh tests/tools/gate_mutants.sh $(MUTANTS_ONLY)

## gate-coverage: which lines of policies/ the default suite of the gate reaches, and which it does not (minutes; POLICIES="runai easy")
gate-coverage:
	@$(MAKE) --no-print-directory VARIANT=coverage B=$(BUILDS)/gate-coverage $(BUILDS)/gate-coverage/fauxfleet
	@python3 tests/tools/gate_coverage.py $(BUILDS)/gate-coverage

## io-sweep: every call of every command fails once, each in every natural way (hours; IO_SWEEP="--shard 1/4 --only 'run.*'")
IO_SWEEP ?=
io-sweep: all $(PRELOAD)
	@python3 tests/tools/io_sweep.py --bin $(PROGRAM) --lib $(B)/tests/preload/faults.so --jobs 2 --done $(B)/io-sweep.done $(IO_SWEEP)

## signal-sweep: a signal at every call on a temporary file of seven commands (a quarter of an hour)
signal-sweep: all $(PRELOAD)
	@BIN=$(PROGRAM) B=$(B) SIGNALS=all sh tests/e2e/signals-anywhere.sh

## losers-evidence: how often a comparison of a world with itself calls somebody a loser: 200 of them (a minute)
losers-evidence: all
	@BIN=$(PROGRAM) LOSERS_TRIALS=200 sh tests/e2e/losers.sh | sed -n '/^#/p; $$p'

## plan-evidence: whether plans hold on fresh draws of the demand: 100 trials on a population of users (minutes)
plan-evidence: all
	@BIN=$(PROGRAM) sh tests/tools/plan_evidence.sh

## figures: write the figures of this build into README.md and docs/, and print what was changed (a minute)
figures: all
	@BIN=$(PROGRAM) FIGURES_ALL=1 FIGURES_UPDATE=1 sh tests/e2e/figures.sh

## reference: write docs/reference/ from the tables of this build
reference: all
	@python3 tests/tools/reference.py $(PROGRAM) docs/reference

## doc-figures: make the figures of docs/concepts.md anew
doc-figures: all
	@BIN=$(PROGRAM) sh docs/figures/make.sh

## site: the pages of docs/ as one HTML site in build/site (MkDocs)
site:
	@sh tests/tools/packages.sh mkdocs
	@mkdocs build --quiet --strict && echo build/site/index.html

VALGRIND := valgrind --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,possible -q
# Here programs, the same as `make check` runs, are fifty times slower. That target does all random
# runs and lets every allocation fail once; of these repetitions valgrind sees one in forty.
VALGRIND_THIN := 40
# These take minutes even so: random worlds, thousands of draws for a distribution, long files. The
# sanitizers run them, and other programs reach the same code.
VALGRIND_LONG := $(patsubst %,$(B)/tests/%,property/test_policy_random property/test_queueing property/test_wanted_random sim/faults/test_process \
                   policies/act/test_allocate_lanes sim/services/test_backlog traces/test_csv traces/test_published traces/formats/test_swf \
                   traces/generate/test_mix)

## check-valgrind: unit and property tests under valgrind, with a part of the random runs
check-valgrind: $(filter-out $(VALGRIND_LONG),$(TEST_BIN))
	@CK_FORK=no FAUXFLEET_VALGRIND=1 FAUXFLEET_THIN=$(VALGRIND_THIN) WRAP="$(VALGRIND)" sh tests/tools/run_tests.sh $^

## abi: compare the policy library's symbols and struct layouts with tests/abi/policy.abi
abi: $(POLICY_A) $(POLICY_SO) $(B)/policies/examples/embed
	@B=$(B) CC="$(CC)" POLICY_A=$(POLICY_A) POLICY_SO=$(POLICY_SO) sh tests/tools/check_policy_library.sh

## abi-update: write tests/abi/policy.abi anew, after a deliberate change
abi-update: $(POLICY_SO)
	@B=$(B) CC="$(CC)" POLICY_SO=$(POLICY_SO) sh tests/tools/policy_abi.sh > tests/abi/policy.abi

# --- analysis ------------------------------------------------------------------------------------

ANALYSED := $(sort $(POLICY_SRC) $(PROGRAM_SRC) $(CLI_SRC) $(filter-out $(if $(SLURM),,$(ADAPTER_SLURM_SRC)),$(ADAPTER_SRC)))

## cppcheck: static analysis with cppcheck; must pass
cppcheck:
	cppcheck -j$(PROCESSORS) --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 -q \
	  -I. -Ipolicies -DFAUXFLEET_VERSION='""' $(ANALYSED)

## tidy: static analysis with clang-tidy (checks in .clang-tidy)
tidy:
	clang-tidy --quiet $(POLICY_SRC) -- -std=c17 -Ipolicies
	clang-tidy --quiet $(PROGRAM_SRC) $(CLI_SRC) -- -std=c17 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE \
	  -DFAUXFLEET_VERSION='"$(VERSION)"' -I.

## analyze: gcc's static analyser
analyze:
	@for source in $(POLICY_SRC); do gcc -std=c17 -Ipolicies -O1 -fanalyzer -c -o /dev/null $$source || exit 1; done
	@for source in $(PROGRAM_SRC) $(CLI_SRC); do gcc -std=c17 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE \
	  -DFAUXFLEET_VERSION='"$(VERSION)"' -I. -O1 -fanalyzer -c -o /dev/null $$source || exit 1; done

## coverage: share of lines and branches that all tests together run, by folder and in total, and the worst files (minutes)
coverage:
	@sh tests/tools/packages.sh $(CHECK_PACKAGES)
	@$(MAKE) --no-print-directory $(PARALLEL) \
	  VARIANT=coverage B=$(BUILDS)/coverage coverage-run

# Repetitions of random runs reach nothing new, so there are few of them.
coverage-run: all $(TEST_BIN) $(REPLAY_BIN) $(PRELOAD) $(B)/tests/lib/slurm/life $(B)/policies/examples/embed
	@find $(B) -name '*.gcda' -delete
	@FAUXFLEET_THIN=$(VALGRIND_THIN) $(MAKE) --no-print-directory VARIANT=$(VARIANT) B=$(B) check-run | tail -n 1
	@sh tests/tools/coverage.sh $(B)

## mutation: plant small faults in the policy core, one at a time, and report those that no test notices (MUTANTS=200, SEED=1, FILES; about 30 minutes)
mutation: $(addsuffix .o,$(CORE_TEST_BIN)) $(TEST_LIB_OBJ)
	@python3 tests/tools/mutate.py --cc "$(CC)" --core "$(POLICY_SRC)" --tests "$(addsuffix .o,$(CORE_TEST_BIN))" \
	  --library "$(TEST_LIB_OBJ)" --libs "$(CHECK_LIBS)" --cflags "$(BASE_CFLAGS)" --room $(BUILDS)/mutation \
	  --mutants $(or $(MUTANTS),200) --seed $(or $(SEED),1) $(if $(FILES),--files "$(FILES)") $(if $(JOBS),--jobs $(JOBS))

include tests/fuzz/fuzz.mk
include tests/lib/serve/serve.mk
include tests/bench/bench.mk

ci-packages:
	@echo $(CI_PACKAGES)

.PHONY: reference doc-figures site settle io-sweep signal-sweep slurm-kills losers-evidence figures distcheck check-reproducible deb check-deb gate-evidence gate-coverage plan-evidence mutation ci-packages check check-run check-units check-core check-slurm check-slurm-run check-kubernetes check-asan check-ubsan check-tsan check-tsan-run check-browser check-valgrind \
        abi abi-update cppcheck tidy analyze coverage coverage-run
