# SPDX-License-Identifier: GPL-3.0-or-later
# Building and running the fuzz targets; included by tests/tests.mk. A target may use what is behind
# the command line, too. Every reader of files has one:
#
#     traces in all formats, plain or compressed                    traces, native, helios, openb, swf, pai (two tables)
#     lists beside them: nodes, pools, queues, loads, outages       lists
#     scenarios with --set, sweep plans, gate suites                scenario, sweep, gate
#     snapshots, what kubectl and Slurm print, files of shares      snapshot, import, shares
#     what a cluster says about itself                              cluster
#     files of a policy's name and options                          policy_file
#     run directories, results of sweeps, baselines of gates        rundir, results, baseline
#     targets of plans                                              target
#     facts and requests, journals                                  facts, replay, recorded
#     the Slurm adapter's configuration; its journal and state      slurm_adapter, slurm_past
#
# The catalogues are part of the program, and what plan keeps of its replicas are summaries as those
# of run directories.

COMMANDS_A := $(B)/libcommands.a
FUZZ_A := $(COMMANDS_A) $(PROGRAM_A) $(ADAPTER_A) $(POLICY_A)

$(COMMANDS_A): $(filter-out %/main.o,$(CLI_OBJ))
	$(call say,AR,$@)rm -f $@ && $(AR) rcsD $@ $^

$(REPLAY_BIN): $(B)/tests/fuzz/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay_main.o $(FUZZ_A)
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(TEST_LDFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(FUZZ_BIN): $(B)/%: $(B)/%.o $(FUZZ_A)
	$(call say,LD,$@)$(CC) -fsanitize=fuzzer,address,undefined $(LDFLAGS) -o $@ $^ $(LDLIBS)

FUZZ_MAKE = $(MAKE) --no-print-directory VARIANT=fuzz CC=clang B=$(BUILDS)/fuzz

## fuzz: run each fuzz target for FUZZ_SECONDS (10; ci: what .ci/run gives it) over its corpus and what it found before
FUZZ_SECONDS ?= 10
fuzz:
	+@$(FUZZ_MAKE) fuzz-run

## fuzz-long: the same for FUZZ_SECONDS=600; make fuzz-corpus keeps what it found
fuzz-long: FUZZ_SECONDS := 600
fuzz-long:
	+@$(FUZZ_MAKE) FUZZ_SECONDS=$(FUZZ_SECONDS) fuzz-run

# What .ci/run gives each target, in seconds. From its seeds alone none is near its plateau after
# such a time: of what 90 s on a busy machine reached, 97 % took most targets 10 to 70 s. So the
# corpus has to bring it: it has every edge that all runs so far have reached (make fuzz-long, make
# fuzz-corpus), and a run begins there. What is left to do in CI is to try changes of these inputs
# on the code of the day. Readers try thousands a second; what decides, replays or compares with
# each of its inputs tries some hundred, and gets more: in all more than a minute of one processor.
FUZZ_CI := 2
$(foreach slow,facts import recorded replay rundir scenario serve slurm_past snapshot traces,$(eval FUZZ_CI_$(slow) := 5))

# One target a job of make, once all are built: the time is for inputs. What is found stays in
# $(B)/corpus.
FUZZ_RUNS := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=fuzz-run-%)
fuzz_seconds = $(if $(filter ci,$(FUZZ_SECONDS)),$(or $(FUZZ_CI_$(1)),$(FUZZ_CI)),$(FUZZ_SECONDS))
fuzz-run: $(FUZZ_RUNS)
$(FUZZ_RUNS): fuzz-run-%: $(B)/tests/fuzz/fuzz_% | $(FUZZ_BIN)
	@mkdir -p $(B)/corpus/$*
	@$< -max_total_time=$(call fuzz_seconds,$*) -rss_limit_mb=2048 -timeout=30 -print_final_stats=1 -close_fd_mask=1 \
	  -artifact_prefix=$(B)/ $(B)/corpus/$* tests/fuzz/corpus/$* >$(B)/fuzz-$*.log 2>&1 || { cat $(B)/fuzz-$*.log; exit 1; }
	@sed -n "s|^stat::number_of_executed_units: *|  FUZZ $*: inputs tried |p" $(B)/fuzz-$*.log

## fuzz-corpus: put what the fuzz targets found into tests/fuzz/corpus, as few files as reach the same branches
fuzz-corpus:
	+@$(FUZZ_MAKE) fuzz-corpus-run

FUZZ_KEEPS := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=fuzz-keep-%)
fuzz-corpus-run: $(FUZZ_KEEPS)
$(FUZZ_KEEPS): fuzz-keep-%: $(B)/tests/fuzz/fuzz_%
	@sh tests/fuzz/keep.sh $< tests/fuzz/corpus/$* $(B)/corpus/$*

## fuzz-replay: feed the corpus of the fuzz targets to them once (part of check)
fuzz-replay: $(REPLAY_BIN)
	@sh tests/tools/run_tests.sh $(REPLAY_BIN)

.PHONY: fuzz fuzz-run fuzz-long fuzz-corpus fuzz-corpus-run fuzz-replay $(FUZZ_RUNS) $(FUZZ_KEEPS)
