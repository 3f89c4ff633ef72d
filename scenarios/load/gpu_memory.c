/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device memory that tasks share, from a scenario. */
#include "scenarios/load/fill.h"

#include <math.h>
#include <string.h>

#define ALL_PPM 1e6

static enum memory_mode mode_of(const char *name)
{
    static const char *const names[MEMORY_MODES] = {
        [MEMORY_OFF] = "",      [MEMORY_STATIC] = "static",     [MEMORY_NONE] = "none",
        [MEMORY_WAIT] = "wait", [MEMORY_PRIORITY] = "priority", [MEMORY_SWAP] = "swap"};
    int mode = MEMORY_OFF;
    while (mode + 1 < MEMORY_MODES && strcmp(names[mode], name) != 0)
        mode++;
    return (enum memory_mode)mode;
}

/* Refuses times that would not advance. */
static bool check_times(struct build *build, const struct memory_rules *rules)
{
    const struct {
        const char *path;
        int64_t ms;
    } times[] = {
        {"gpu_memory.phase", rules->phase_ms},
        {"gpu_memory.retry", rules->retry_ms},
        {"gpu_memory.turn", rules->turn_ms},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i].ms < 1)
            return build_fail(build, times[i].path, "expected a time above 0");
    return true;
}

bool fill_gpu_memory(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "gpu_memory");
    struct memory_rules *rules = &build->scenario.gpu_memory;
    if (!tree)
        return true;
    *rules = (struct memory_rules){
        .mode = mode_of(fill_text(tree, "mode")),
        .grow_ppm = (int32_t)lround(fill_number(tree, "grow_share") * ALL_PPM),
        .least_ppm = (int32_t)lround(fill_number(tree, "grow_least") * ALL_PPM),
        .phase_ms = fill_ms(tree, "phase", 0),
        .idle_after_ms = fill_ms(tree, "idle_after", 0),
        .retry_ms = fill_ms(tree, "retry", 0),
        .host_mbps = (int64_t)lround(fill_number(tree, "host_gbps") * 1000),
        .turn_ms = fill_ms(tree, "turn", 0),
    };
    return check_times(build, rules);
}
