# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmark; included by tests/tests.mk.

BENCH_BIN := $(B)/tests/bench/calibrate $(B)/tests/bench/measure $(B)/tests/bench/quota $(B)/tests/bench/perf $(B)/tests/bench/faults

$(B)/tests/bench/calibrate: $(B)/tests/bench/calibrate.o $(B)/sim/kernel/events.o $(B)/sim/base/mem.o $(B)/sim/base/err.o
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^

$(B)/tests/bench/measure: $(B)/tests/bench/measure.o
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^

$(B)/tests/bench/quota: $(B)/tests/bench/quota.o $(POLICY_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^

$(B)/tests/bench/perf: $(B)/tests/bench/perf.o $(patsubst %.c,$(B)/%.o,$(wildcard sim/perf/*.c)) $(B)/sim/base/err.o
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^ -lm

$(B)/tests/bench/faults: $(B)/tests/bench/faults.o $(PROGRAM_A) $(POLICY_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(LDLIBS)

## bench: a million jobs, the Venus replay, a packing study, the quota policy, speeds by placement: jobs/s, ns per event, memory, against the bars (never fails on slowness)
bench:
	@sh tests/tools/packages.sh $(RUN_PACKAGES)
	@$(MAKE) --no-print-directory bench-run

bench-run: all $(BENCH_BIN)
	@BIN=$(PROGRAM) B=$(B) CC="$(CC)" sh tests/bench/bench.sh

.PHONY: bench bench-run
