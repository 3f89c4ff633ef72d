/* SPDX-License-Identifier: MIT */
/*
 * Named policies as compositions: an order, a placement and options. A new preset is a new row; a new order or
 * placement is one file in its folder and one row in the table of that folder.
 */
#include "core/state.h"

#include <string.h>

struct preset {
    struct policy_row row;
    const char *order, *placement;
    int32_t scope, blocking;
};

// clang-format off
static const struct preset presets[] = {
    {{"fifo", "first submitted, first started"},
     "fifo", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT},
    {{"sjf", "shortest expected run time first"},
     "sjf", "best-fit", POLICY_SCOPE_FLEET, POLICY_STRICT},
    {{"best-fit", "packing study: the node with the least CPU and GPU left (BestFit of the FGD paper)"},
     "fifo", "fgd-best-fit", POLICY_SCOPE_FLEET, POLICY_SKIP},
    {{"random", "packing study: any node that fits, uniformly"},
     "fifo", "random", POLICY_SCOPE_FLEET, POLICY_SKIP},
};
// clang-format on
#define PRESETS (sizeof presets / sizeof *presets)

static int32_t find_order(const char *name)
{
    for (uint32_t i = 0; i < pc_order_count; i++)
        if (pc_text_equal(pc_orders[i]->row.name, name))
            return (int32_t)i;
    return -1;
}

static int32_t find_placement(const char *name)
{
    for (uint32_t i = 0; i < pc_placement_count; i++)
        if (pc_text_equal(pc_placements[i]->row.name, name))
            return (int32_t)i;
    return -1;
}

int policy_config_init(struct policy_config *config, const char *preset, struct policy_allocator allocator,
                       struct policy_error *error)
{
    for (size_t i = 0; i < PRESETS; i++) {
        if (!pc_text_equal(presets[i].row.name, preset))
            continue;
        *config = (struct policy_config){
            .size = sizeof *config,
            .allocator = allocator,
            .order = find_order(presets[i].order),
            .placement = find_placement(presets[i].placement),
            .scope = presets[i].scope,
            .blocking = presets[i].blocking,
        };
        for (size_t c = 0; presets[i].row.name[c] != '\0'; c++) /* the rest of the field is zero already */
            config->preset[c] = presets[i].row.name[c];
        return POLICY_OK;
    }
    pc_error_set(error, POLICY_UNKNOWN, "no policy is named '", preset, "'");
    return POLICY_UNKNOWN;
}

/* ---- options ---- */

static int32_t word_of(const char *value, const char *zero, const char *one)
{
    if (pc_text_equal(value, zero))
        return 0;
    return pc_text_equal(value, one) ? 1 : -1;
}

static bool set_scope(struct policy_config *config, const char *value)
{
    int32_t word = word_of(value, "fleet", "queue");
    config->scope = word >= 0 ? word : config->scope;
    return word >= 0;
}

static bool set_blocking(struct policy_config *config, const char *value)
{
    int32_t word = word_of(value, "strict", "skip");
    config->blocking = word >= 0 ? word : config->blocking;
    return word >= 0;
}

static bool set_placement(struct policy_config *config, const char *value)
{
    int32_t row = find_placement(value);
    config->placement = row >= 0 ? row : config->placement;
    return row >= 0;
}

static bool set_order(struct policy_config *config, const char *value)
{
    int32_t row = find_order(value);
    config->order = row >= 0 ? row : config->order;
    return row >= 0;
}

static bool set_seed(struct policy_config *config, const char *value)
{
    uint64_t seed = 0;
    if (*value == '\0')
        return false;
    for (; *value != '\0'; value++) {
        if (*value < '0' || *value > '9')
            return false;
        uint64_t digit = (uint64_t)(*value - '0');
        if (seed > (UINT64_MAX - digit) / 10)
            return false;
        seed = seed * 10 + digit;
    }
    config->seed = seed;
    return true;
}

struct option {
    struct policy_row row;
    bool (*set)(struct policy_config *, const char *value);
};

// clang-format off
static const struct option options[] = {
    {{"scope", "fleet|queue: jobs wait behind those of the whole fleet, or of their own queue only"}, set_scope},
    {{"blocking", "strict|skip: the first job that cannot start holds back the rest, or is passed over"},
     set_blocking},
    {{"placement", "a row of the placements"}, set_placement},
    {{"order", "a row of the orders"}, set_order},
    {{"seed", "0 or more: for placements that choose at random"}, set_seed},
};
// clang-format on
#define OPTIONS (sizeof options / sizeof *options)

int policy_config_set(struct policy_config *config, const char *option, const char *value,
                      struct policy_error *error)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!pc_text_equal(options[i].row.name, option))
            continue;
        if (options[i].set(config, value))
            return POLICY_OK;
        pc_error_set(error, POLICY_INVALID, value, " is not ", options[i].row.summary);
        return POLICY_INVALID;
    }
    pc_error_set(error, POLICY_UNKNOWN, "no option is named '", option, "'");
    return POLICY_UNKNOWN;
}

/* ---- the tables as rows ---- */

const struct policy_row *policy_preset_row(size_t i)
{
    return i < PRESETS ? &presets[i].row : NULL;
}

const struct policy_row *policy_option_row(size_t i)
{
    return i < OPTIONS ? &options[i].row : NULL;
}

bool policy_placement_counts(const struct policy_config *config)
{
    return pc_placements[config->placement]->counts;
}
