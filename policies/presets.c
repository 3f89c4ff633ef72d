/* SPDX-License-Identifier: MIT */
/*
 * Named policies as compositions: an order, a placement and options. A new preset is a new row; a
 * new order or placement is one file in its folder and one row in the table of that folder.
 */
#include "act/actions.h"
#include "config_defaults.h"
#include "order/order.h"
#include "place/place.h"
#include "plugin_config.h"
#include "state/plugins.h"
#include "state/sized.h"
#include "state/traits.h"

#include <string.h>

struct preset {
    struct policy_row row;
    const char *order, *placement;
    int32_t scope, blocking, backfill;
    int32_t queue_order;                        /* enum policy_queue_order */
    struct policy_quota_options (*quota)(void); /* with a queue order, or task by task; or NULL */
    bool pods;                                  /* task-by-task scheduling */
};

// clang-format off
static const struct preset presets[] = {
    {{"fifo", "first submitted, first started"},
     "fifo", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"sjf", "shortest expected run time first"},
     "sjf", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"edf", "earliest deadline first"},
     "edf", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"srtf", "shortest remaining time first, preemptive"},
     "remaining", "best-fit", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"edf-preemptive", "earliest deadline first, preemptive"},
     "edf-preemptive", "best-fit", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"las", "least attained service first: queues by GPU time received, preemptive (Tiresias)"},
     "attained", "best-fit", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"qssf", "smallest predicted GPU time first, in each queue"},
     "predicted-gpu-time", "best-fit", POLICY_SCOPE_QUEUE, POLICY_STRICT, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"easy", "fifo with backfill: jobs may start early if, by their limits, they do not delay "
              "the first pending job"},
     "fifo", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_EASY, POLICY_NO_QUEUE_ORDER,
        NULL, false},
    {{"conservative", "fifo with backfill: jobs may start early if, by their limits, they delay "
                      "no earlier job"},
     "fifo", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_CONSERVATIVE,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"slurm", "multifactor priority (age, fair share, size, partition, QOS), EASY backfill and "
               "limits, as in Slurm"},
     "multifactor", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT, POLICY_EASY,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"best-fit", "packing study: the node with the least CPU and GPU left (BestFit of the FGD "
                  "paper)"},
     "fifo", "fgd-best-fit", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"random", "packing study: any node that fits, uniformly"},
     "fifo", "random", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL, POLICY_NO_QUEUE_ORDER,
        NULL, false},
    {{"fgd", "packing study: the node where the task adds the least fragmentation for typical "
             "tasks (FGD)"},
     "fifo", "fgd", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL, POLICY_NO_QUEUE_ORDER,
        NULL, false},
    {{"fgd-exact", "packing study: FGD with untruncated scores"},
     "fifo", "fgd-exact", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"dot-product", "packing study: the node that least resembles the task (DotProd of the FGD "
                     "paper)"},
     "fifo", "dot-product", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"gpu-packing", "packing study: devices in use first (GpuPacking of the FGD paper)"},
     "fifo", "gpu-packing", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"gpu-clustering", "packing study: tasks with the same number of devices together "
                        "(GpuClustering of the FGD paper)"},
     "fifo", "gpu-clustering", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, NULL, false},
    {{"runai", "guaranteed quotas: fair share, reclaim, preempt, consolidate, elastic jobs, "
               "fractions, topology"},
     "priority", "binpack", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_NO_BACKFILL, POLICY_FAIR_SHARE,
        pc_quota_defaults, false},
    {{"quota-conservative", "runai with backfill: jobs may start early if, by their limits, they "
                            "delay no earlier job"},
     "priority", "binpack", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_CONSERVATIVE,
        POLICY_FAIR_SHARE, pc_quota_defaults, false},
    {{"static", "each queue owns the devices of its quota: it gets no more, and no other queue "
                "may use them"},
     "priority", "binpack", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_NO_BACKFILL, POLICY_FAIR_SHARE,
        pc_static_defaults, false},
    {{"quota-sjf", "runai with the shortest expected run time first inside each queue"},
     "sjf", "binpack", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_NO_BACKFILL, POLICY_FAIR_SHARE,
        pc_quota_defaults, false},
    {{"quota-edf", "runai with the earliest deadline first inside each queue"},
     "edf", "binpack", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_NO_BACKFILL, POLICY_FAIR_SHARE,
        pc_quota_defaults, false},
    {{"quota-fgd", "runai with tasks placed where they add the least fragmentation for typical "
                   "tasks (FGD)"},
     "priority", "fgd", POLICY_SCOPE_QUEUE, POLICY_SKIP, POLICY_NO_BACKFILL, POLICY_FAIR_SHARE,
        pc_quota_defaults, false},
    {{"kube-default", "the default scheduler of Kubernetes: task by task, no gangs, no quotas, "
                      "preemption by priority"},
     "priority", "least-allocated", POLICY_SCOPE_FLEET, POLICY_SKIP, POLICY_NO_BACKFILL,
        POLICY_NO_QUEUE_ORDER, pc_pod_defaults, true},
};
// clang-format on
#define PRESETS (sizeof presets / sizeof *presets)

static bool evicts(const struct policy_config *config)
{
    for (uint32_t i = 0; i < pc_action_count; i++)
        if (pc_actions[i]->evicts && (config->quota.actions >> pc_actions[i]->action & 1) != 0)
            return true;
    return false;
}

struct pc_traits pc_traits_of(const struct policy_config *config)
{
    bool quotas = !pc_in_lanes(config);
    const struct pc_placement *placement = pc_placement_of(config);
    return (struct pc_traits){
        .by_free = !quotas || (placement->traits & PC_WALKS_FREE) != 0,
        .fills_fullest =
            placement == &pc_place_packed && config->quota.gpu_placement == POLICY_PACK,
        .lists_soon = quotas || (placement->traits & PC_WALKS_SOON) != 0,
        .evicts = config->pods.on || (quotas && evicts(config)),
        .thousandths = !quotas,
        .nominates = quotas,
        .shared_takes_place = quotas,
        .counts_only = (placement->traits & PC_COUNTS_ONLY) != 0,
        .logs_changes = placement->module != NULL || config->pods.on,
        .counts_kinds = (placement->traits & PC_COUNTS_KINDS) != 0,
        .anyone_gives = config->pods.on && config->pods.victims == POLICY_VICTIMS_LOWER,
    };
}

int32_t pc_find_order(const char *name)
{
    for (uint32_t i = 0; i < pc_order_count; i++)
        if (pc_text_equal(pc_orders[i]->row.name, name))
            return (int32_t)i;
    return -1;
}

int32_t pc_find_placement(const char *name)
{
    for (uint32_t i = 0; i < pc_placement_count; i++)
        if (pc_text_equal(pc_placements[i]->row.name, name))
            return (int32_t)i;
    return -1;
}

static int defaults_of(struct policy_config *config, const char *preset,
                       struct policy_allocator allocator, struct policy_error *error)
{
    for (size_t i = 0; i < PRESETS; i++) {
        if (!pc_text_equal(presets[i].row.name, preset))
            continue;
        *config = (struct policy_config){
            .size = sizeof *config,
            .allocator = allocator,
            .order = pc_find_order(presets[i].order),
            .placement = pc_find_placement(presets[i].placement),
            .scope = presets[i].scope,
            .blocking = presets[i].blocking,
            .backfill = presets[i].backfill,
            .queue_order = presets[i].queue_order,
        };
        for (size_t c = 0; presets[i].row.name[c] != '\0';
             c++) /* the rest of the field is already zero */
            config->preset[c] = presets[i].row.name[c];
        if (presets[i].quota != NULL)
            config->quota = presets[i].quota();
        config->pods.on = presets[i].pods;
        config->reversal_ms = presets[i].queue_order != POLICY_NO_QUEUE_ORDER ? PC_REVERSAL_MS : 0;
        config->backfill_depth =
            presets[i].queue_order != POLICY_NO_QUEUE_ORDER ? PC_BACKFILL_DEPTH : 0;
        if (pc_orders[config->order] == &pc_order_attained)
            config->ranked = pc_attained_defaults();
        if (pc_orders[config->order] == &pc_order_multifactor) {
            config->multifactor = pc_multifactor_defaults();
            config->queue_limits = config->time_limits = true;
        }
        if (presets[i].quota == NULL)
            config->quota.workday_end_ms = -1;
        return POLICY_OK;
    }
    pc_error_set(error, POLICY_UNKNOWN, "no policy is named '", preset, "'");
    return POLICY_UNKNOWN;
}

/* Clears the options of lanes, which a plugin that decides by itself does not use. */
static void drop_line_options(struct policy_config *config, const struct policy_plugin *plugin)
{
    if (plugin->key != NULL || plugin->rekey != NULL || plugin->rank != NULL ||
        plugin->decide != NULL) {
        config->ranked = (struct policy_ranked_options){0};
        config->multifactor = (struct policy_multifactor_options){0};
    }
    if (plugin->rank != NULL || plugin->decide != NULL) {
        config->blocking = POLICY_SKIP;
        config->backfill = POLICY_NO_BACKFILL;
        config->queue_limits = config->time_limits = false;
    }
    if (plugin->decide != NULL)
        config->scope = POLICY_SCOPE_FLEET;
}

static bool has_action(const struct policy_config *config, const char *name)
{
    for (uint32_t i = 0; i < pc_action_count; i++)
        if (pc_text_equal(pc_actions[i]->row.name, name))
            return (config->quota.actions >> pc_actions[i]->action & 1) != 0;
    return false;
}

/* Checks that the base has a place for everything the plugin provides. */
static int check_base(const struct policy_config *config, const struct policy_plugin *plugin,
                      const char *base, struct policy_error *error)
{
    const bool quotas = config->queue_order != POLICY_NO_QUEUE_ORDER;
    const char *wrong = NULL;
    if (config->pods.on && pc_plugin_evicts(plugin))
        wrong = "': rank and decide need one that starts whole gangs";
    else if (quotas && pc_plugin_evicts(plugin))
        wrong = "': rank and decide need one without quotas";
    else if (!quotas && plugin->queue_key != NULL)
        wrong = "': it has no order of queues";
    else if (!quotas && plugin->act != NULL)
        wrong = "': it has no actions to be replaced";
    if (wrong == NULL && plugin->act_for != NULL && !has_action(config, plugin->act_for)) {
        pc_error_set(error, POLICY_INVALID, "a plugin cannot act for '", plugin->act_for,
                     "': the base '");
        pc_error_text(error, base);
        pc_error_text(error, "' has no such action");
        return POLICY_INVALID;
    }
    if (wrong == NULL)
        return POLICY_OK;
    pc_error_set(error, POLICY_INVALID, "a plugin cannot have the base '", base, wrong);
    return POLICY_INVALID;
}

static int defaults_of_plugin(struct policy_config *config, const struct policy_plugin *given,
                              struct policy_allocator allocator, struct policy_error *error)
{
    struct policy_plugin room;
    int status = pc_plugin_check(given, error);
    if (status != POLICY_OK)
        return status;
    const struct policy_plugin *plugin = pc_plugin_known(given, &room);
    const char *base = plugin->base != NULL       ? plugin->base
                       : pc_plugin_evicts(plugin) ? "srtf"
                                                  : "fifo";
    status = defaults_of(config, base, allocator, error);
    if (status == POLICY_OK && (status = check_base(config, plugin, base, error)) != POLICY_OK)
        return status;
    if (status != POLICY_OK)
        return status;
    config->plugin = given;
    pc_plugin_defaults(config, plugin);
    drop_line_options(config, plugin);
    memset(config->preset, 0, sizeof config->preset);
    for (size_t c = 0; plugin->name[c] != '\0'; c++)
        config->preset[c] = plugin->name[c];
    return POLICY_OK;
}

/* Writes as much of a configuration as the caller's struct has room for. */
static int give_config(struct policy_config *to, uint32_t size, const struct policy_config *config,
                       struct policy_error *error)
{
    memcpy(to, &size, sizeof size); /* the rest is uninitialized */
    if (!pc_sized_fits(PC_CONFIG, to)) {
        pc_error_set(error, POLICY_INVALID, "the configuration has a size of ", "no version", "");
        return POLICY_INVALID;
    }
    pc_sized_out(PC_CONFIG, to, config);
    return POLICY_OK;
}

int policy_config_init_sized(struct policy_config *config, uint32_t size, const char *preset,
                             struct policy_allocator allocator, struct policy_error *error)
{
    struct policy_config defaults;
    int status = defaults_of(&defaults, preset, allocator, error);
    return status == POLICY_OK ? give_config(config, size, &defaults, error) : status;
}

int policy_config_plugin_sized(struct policy_config *config, uint32_t size,
                               const struct policy_plugin *plugin,
                               struct policy_allocator allocator, struct policy_error *error)
{
    struct policy_config defaults;
    int status = defaults_of_plugin(&defaults, plugin, allocator, error);
    if (status == POLICY_OK &&
        size < offsetof(struct policy_config, plugin) + sizeof config->plugin) {
        pc_error_set(error, POLICY_UNSUPPORTED, "the configuration has no room for ", "a plugin",
                     "");
        return POLICY_UNSUPPORTED;
    }
    return status == POLICY_OK ? give_config(config, size, &defaults, error) : status;
}

const struct policy_config *pc_config_in(const struct policy_config *given,
                                         struct policy_config *room, struct policy_error *error)
{
    const struct policy_config *known = pc_sized_in(PC_CONFIG, given, room);
    if (known == NULL) {
        pc_error_set(error, POLICY_INVALID, "the configuration was not made by ",
                     "policy_config_init()", ", or sets what this version does not know");
        return NULL;
    }
    if (known == given)
        return given;
    int status = room->plugin != NULL
                     ? defaults_of_plugin(room, room->plugin, given->allocator, error)
                     : defaults_of(room, given->preset, given->allocator, error);
    if (status != POLICY_OK)
        return NULL;
    memcpy(room, given, given->size);
    room->size = sizeof *room;
    return room;
}

/* ---- the tables as rows ---- */

const struct policy_row *policy_preset_row(size_t i)
{
    return i < PRESETS ? &presets[i].row : NULL;
}
