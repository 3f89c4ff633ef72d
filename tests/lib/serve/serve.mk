# SPDX-License-Identifier: GPL-3.0-or-later
# What plays sessions with the decision service: a client that keeps books, and a service in the same process. Included by tests/tests.mk.

SERVE_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard tests/lib/serve/*.c))

$(B)/tests/sim/cli/test_service: $(SERVE_OBJ) $(COMMANDS_A)
$(B)/tests/sim/cli/test_service: LDLIBS := $(COMMANDS_A) $(PROGRAM_A) $(POLICY_A) $(LDLIBS)
