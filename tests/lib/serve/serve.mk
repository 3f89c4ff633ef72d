# SPDX-License-Identifier: GPL-3.0-or-later
# What plays sessions with the decision service: a client that keeps books, with a service in the
# same process or behind pipes. Included by tests/tests.mk.

SERVE_OBJ := $(addprefix $(B)/tests/lib/serve/,client.o session.o)
SERVE_PLAY := $(if $(PRELOAD),$(B)/tests/lib/serve/play)

$(B)/tests/sim/serve/test_service: $(SERVE_OBJ) $(COMMANDS_A)
$(B)/tests/sim/serve/test_service: LDLIBS := $(COMMANDS_A) $(PROGRAM_A) $(POLICY_A) $(LDLIBS)

$(B)/tests/lib/serve/play: $(B)/tests/lib/serve/play.o $(B)/tests/lib/serve/client.o
	$(call say,LD,$@)$(CC) $(LD_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs libcjson)

check-run: $(SERVE_PLAY)

## serve-kill-sweep: kill serve at every call on its files, under each preset, and play 1,000 random histories (an hour)
serve-kill-sweep: all $(PRELOAD) $(SERVE_PLAY) $(B)/tests/sim/serve/test_service
	@SERVE_HISTORIES=1000 $(B)/tests/sim/serve/test_service | sed '/^#/d'
	@BIN=$(PROGRAM) B=$(B) sh tests/tools/serve_kill_sweep.sh

.PHONY: serve-kill-sweep

$(B)/tests/fuzz/replay_serve $(B)/tests/fuzz/fuzz_serve: $(SERVE_OBJ)
$(B)/tests/fuzz/replay_serve $(B)/tests/fuzz/fuzz_serve: LDLIBS := $(FUZZ_A) $(LDLIBS)
