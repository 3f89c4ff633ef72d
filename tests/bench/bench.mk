# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmark; included by tests/tests.mk.

BENCH_BIN := $(addprefix $(B)/tests/bench/,calibrate measure quota pending perf faults ratio coverage)
BENCH_LINK = $(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^
BENCH_O := $(B)/tests/bench/bench.o
BENCH_HEAP_O := $(addprefix $(B)/sim/,kernel/events.o base/mem.o base/err.o)
BENCH_PENDING_O := $(B)/tests/bench/pending.o $(B)/tests/bench/churn.o $(BENCH_O) $(BENCH_HEAP_O)

$(B)/tests/bench/calibrate: $(B)/tests/bench/calibrate.o $(BENCH_O) $(BENCH_HEAP_O)
	$(BENCH_LINK)

$(B)/tests/bench/measure: $(B)/tests/bench/measure.o
	$(BENCH_LINK)

$(B)/tests/bench/quota: $(B)/tests/bench/quota.o $(BENCH_O) $(POLICY_A)
	$(BENCH_LINK)

$(B)/tests/bench/pending: $(BENCH_PENDING_O) $(POLICY_A)
	$(BENCH_LINK)

$(B)/tests/bench/perf: $(B)/tests/bench/perf.o $(BENCH_O) $(patsubst %.c,$(B)/%.o,$(wildcard sim/perf/*.c)) $(B)/sim/base/err.o
	$(BENCH_LINK) -lm

$(B)/tests/bench/faults: $(B)/tests/bench/faults.o $(BENCH_O) $(PROGRAM_A) $(POLICY_A)
	$(BENCH_LINK) $(LDLIBS)

$(B)/tests/bench/ratio: $(B)/tests/bench/ratio.o $(PROGRAM_A) $(POLICY_A)
	$(BENCH_LINK) $(LDLIBS)

$(B)/tests/bench/coverage: $(B)/tests/bench/coverage.o $(PROGRAM_A) $(POLICY_A)
	$(BENCH_LINK) $(LDLIBS)

# Among the tests is one of the benchmark's scripts.
check-run: $(BENCH_BIN)

## bench: measure speed and memory: workloads against their bars, each policy by fleet and pending jobs (10 to 15 minutes; never fails on slowness)
bench:
	@sh tests/tools/packages.sh $(RUN_PACKAGES)
	@$(MAKE) --no-print-directory bench-run

bench-run: all $(BENCH_BIN)
	@BIN=$(PROGRAM) B=$(B) CC="$(CC)" sh tests/bench/numbers.sh

## bench-compare: OLD=REVISION|FOLDER: CPU time of this build against another one, with intervals (2 minutes and a build; never fails on slowness)
bench-compare: all $(B)/tests/bench/measure $(B)/tests/bench/pending $(B)/tests/bench/ratio
	@OLD="$(OLD)" BIN=$(PROGRAM) B=$(B) CC="$(CC)" LINK="$(CC) $(LD_$(VARIANT)) $(LDFLAGS)" PENDING_O="$(BENCH_PENDING_O)" \
	  sh tests/bench/compare.sh

## bench-csv: CPU time of a million jobs from CSV with all outputs, beside sort (1 minute; never fails on slowness)
bench-csv: all $(B)/tests/bench/measure
	@BIN=$(PROGRAM) B=$(B) sh tests/bench/csv.sh

## bench-fleet: ten million jobs on 100,000 full GPUs under runai (a quarter of an hour; BENCH_NODES=125 BENCH_JOBS=5000: seconds)
bench-fleet: all $(B)/tests/bench/measure
	@BIN=$(PROGRAM) B=$(B) sh tests/bench/fleet.sh

## coverage-study: how often intervals hold the truth, and how wide they are; writes tests/bench/coverage.md (minutes)
coverage-study: all $(B)/tests/bench/coverage
	@BIN=$(PROGRAM) B=$(B) sh tests/bench/coverage.sh

.PHONY: bench bench-run bench-compare bench-csv bench-fleet coverage-study
