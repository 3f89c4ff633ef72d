/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers for tests of scenarios: a small complete scenario, and loading text from memory that must
 * be accepted or refused.
 */
#ifndef TESTS_SCENARIOS_SCENARIOS_H
#define TESTS_SCENARIOS_SCENARIOS_H

#include "scenarios/load/fill.h"
#include "tests/lib/harness.h"

#include <string.h>

/* A fleet and a workload, so that other keys can be tested one by one. */
#define WITH(keys)                                                                                 \
    "{\"fauxfleet_scenario\": 1,\n"                                                                \
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": 8}, \"count\": 2}]},\n"       \
    " \"workload\": {\"generate\": {\"profile\": \"batch\"}},\n" keys "}\n"
#define WITHOUT_KEYS WITH("\"name\": \"t\"")

/* Loads text under the name t.json; the test fails if it is refused. */
static inline struct scenario *load_text(const char *text, const struct scen_overrides *overrides)
{
    struct scenario *scenario = NULL;
    struct err err = {0};
    bool ok = scenario_parse(&scenario, "t.json", text, strlen(text), overrides, true, &err);
    ck_assert_msg(ok, "refused: %s\n%s", err.msg, text);
    return scenario;
}

/* Fails the test unless the text is refused as input with a message that contains `part`. */
static inline void refuse_text(const char *text, const struct scen_overrides *overrides,
                               const char *part)
{
    struct scenario *scenario = NULL;
    struct err err = {0};
    bool ok = scenario_parse(&scenario, "t.json", text, strlen(text), overrides, true, &err);
    ck_assert_msg(!ok, "accepted: %s", text);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, part);
}

#endif
