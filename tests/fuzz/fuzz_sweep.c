/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the plan of a sweep. An accepted one has points, each of which can be described. */
#include "scenarios/load/sweep_plan.h"
#include "sim/base/mem.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_point(const struct sweep_plan *plan, size_t point)
{
    struct sweep_changes changes;
    struct scen_overrides none = {0};
    struct err err = {0};
    bool ok = sweep_plan_changes(plan, point, &none, &changes, &err);
    BUG_ON(!ok && (err.code != EXIT_INPUT || err.msg[0] == '\0'));
    BUG_ON(changes.overrides.change_count > plan->key_count);
    sweep_changes_free(&changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep_plan plan;
    struct err err = {0};
    char *text = mem_text_n((const char *)data, size);
    if (sweep_plan_parse(&plan, "fuzz.json", text, size, &err)) {
        BUG_ON(plan.count == 0 || plan.count > SWEEP_POINTS_MAX || plan.scenario == NULL);
        check_point(&plan, 0);
        check_point(&plan, plan.count / 2);
        check_point(&plan, plan.count - 1);
        sweep_plan_close(&plan);
    } else {
        BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
    }
    free(text);
    return 0;
}
