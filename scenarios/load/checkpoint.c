/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints of a scenario's jobs. */
#include "scenarios/load/fill.h"
#include "scenarios/schema/resolve.h"
#include "scenarios/schema/scenario.h"

#include <string.h>

/* Sets the interval: a duration, or a rule, which depends on the failure rate. */
static bool fill_interval(struct build *build, const cJSON *interval,
                          struct scen_checkpoint *checkpoint)
{
    bool young = cJSON_IsString(interval) && strcmp(interval->valuestring, "young") == 0;
    bool daly = cJSON_IsString(interval) && strcmp(interval->valuestring, "daly") == 0;
    if (!young && !daly) {
        checkpoint->interval_ms = check_duration_ms(interval);
        return true;
    }
    checkpoint->rule = young ? SCEN_INTERVAL_YOUNG : SCEN_INTERVAL_DALY;
    return json_member(build->tree, "faults") != NULL ||
           build_fail(build, "checkpoint.interval",
                      "'%s' is worked out from how often a job's nodes fail: it needs `faults`",
                      interval->valuestring);
}

/*
 * Returns true if checkpoints have a size; then `storage` determines the time of a write, not
 * `write`.
 */
static bool is_sized(const cJSON *tree)
{
    static const char *const keys[] = {"gb", "gb_per_gpu", "parameters"};
    bool sized = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const cJSON *size = json_member(tree, keys[i]);
        sized |= size && size->valuedouble > 0;
    }
    return sized;
}

/* A rule depends on the time of a write; with no time it would write continuously. */
static bool check_rule(struct build *build, const cJSON *tree,
                       const struct scen_checkpoint *checkpoint)
{
    return checkpoint->rule == SCEN_INTERVAL_GIVEN || checkpoint->write_ms > 0 || is_sized(tree) ||
           build_fail(build, "checkpoint.interval",
                      "'%s' weighs how long a write takes: it needs a `write` above 0",
                      json_member(tree, "interval")->valuestring);
}

static bool fill_async(struct build *build, const cJSON *tree, struct scen_checkpoint *checkpoint)
{
    const cJSON *async = json_member(tree, "async");
    if (!async)
        return true;
    checkpoint->async = true;
    checkpoint->stall_ms = fill_ms(async, "stall", 0);
    return checkpoint->stall_ms <= checkpoint->write_ms || is_sized(tree) ||
           build_fail(
               build, "checkpoint.async.stall",
               "expected at most checkpoint.write (%g s), of which it is the first part, got %g s",
               (double)checkpoint->write_ms / 1000, (double)checkpoint->stall_ms / 1000);
}

bool fill_checkpoint(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "checkpoint");
    struct scen_checkpoint *checkpoint = &build->scenario.checkpoint;
    cJSON *nothing = cJSON_CreateObject(), *usual = NULL;
    bool ok = true;
    bool can_stop = json_member(build->tree, "faults") || build->scenario.spot ||
                    json_member(build->tree, "gpu_memory");
    if (!tree && can_stop) /* without checkpoints nothing could be lost */
        tree = usual = resolve_value(nothing, schema_member(&schema_scenario, "checkpoint"));
    if (tree) {
        *checkpoint = (struct scen_checkpoint){.given = true,
                                               .write_ms = fill_ms(tree, "write", 0),
                                               .restart_ms = fill_ms(tree, "restart", 0),
                                               .on_evict = fill_true(tree, "on_evict")};
        ok = fill_interval(build, json_member(tree, "interval"), checkpoint) &&
             check_rule(build, tree, checkpoint) && fill_async(build, tree, checkpoint);
    }
    cJSON_Delete(usual);
    cJSON_Delete(nothing);
    return ok;
}
