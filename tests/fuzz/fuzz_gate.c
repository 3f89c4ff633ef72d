/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the suite of a gate. An accepted one has usable scenarios, metrics and looks. */
#include "scenarios/load/gate_suite.h"
#include "sim/base/mem.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_suite(const struct gate_suite *suite)
{
    BUG_ON(suite->scenario_count == 0 || suite->metric_count == 0 || suite->look_count == 0);
    BUG_ON(suite->look_count > GATE_LOOKS || suite->looks[0] < 2 || suite->audit < 0);
    for (size_t k = 1; k < suite->look_count; k++)
        BUG_ON(suite->looks[k] <= suite->looks[k - 1]);
    BUG_ON(!(suite->alpha > 0 && suite->alpha <= 0.5));
    for (size_t i = 0; i < suite->metric_count; i++)
        BUG_ON(!(suite->metrics[i].margin >= 0) || suite->metrics[i].path == NULL);
    for (size_t i = 0; i < suite->scenario_count; i++) {
        static const char *const set[] = {"policy.cycle_s=1"};
        struct scen_overrides command_line = {.set = set, .set_count = 1};
        struct gate_changes changes;
        struct err err = {0};
        if (!gate_suite_changes(suite, i, &command_line, &changes, &err))
            BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
        gate_changes_free(&changes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gate_suite suite;
    struct err err = {0};
    char *text = mem_text_n((const char *)data, size);
    if (gate_suite_parse(&suite, "fuzz.json", text, size, &err)) {
        check_suite(&suite);
        gate_suite_close(&suite);
    } else {
        BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
    }
    free(text);
    return 0;
}
