/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The losses of GPU-hours in words. */
#include "report/words/losses.h"

#include <math.h>
#include <string.h>

static const struct loss {
    const char *key, *label;
    enum loss_group group;
} losses[] = {
    {"failure", "redone after failures", LOSS_AT_WORK},
    {"preemption", "redone after preemptions", LOSS_AT_WORK},
    {"checkpoint", "writing checkpoints", LOSS_AT_WORK},
    {"restart", "restarting", LOSS_AT_WORK},
    {"startup", "held, starting or waiting", LOSS_AT_WORK},
    {"user", "work of jobs that failed", LOSS_AT_WORK},
    {"slowdown", "slower than ideal placement", LOSS_AT_WORK},
    {"idle_fragmented", "fragmented", LOSS_IDLE},
    {"idle_blocked", "held back", LOSS_IDLE},
    {"idle_no_demand", "no demand", LOSS_IDLE},
    {"drained", "drained", LOSS_GONE},
    {"down", "broken", LOSS_GONE},
    {"burn_in", "burn-in", LOSS_GONE},
    {"reclaimed", "spot capacity, reclaimed", LOSS_GONE},
};

static const struct loss *find(const char *key)
{
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (strcmp(losses[i].key, key) == 0)
            return &losses[i];
    return NULL;
}

const char *loss_label(const char *key)
{
    const struct loss *loss = find(key);
    return loss ? loss->label : key;
}

enum loss_group loss_group(const char *key)
{
    const struct loss *loss = find(key);
    return loss ? loss->group : LOSS_AT_WORK;
}

const char *loss_group_label(enum loss_group group)
{
    static const char *const labels[LOSS_GROUPS] = {"Productive", "Lost at work", "Idle",
                                                    "Out of service"};
    return labels[group];
}

bool loss_is_amount(const cJSON *item)
{
    return item->string && cJSON_IsNumber(item) && isfinite(item->valuedouble);
}

const cJSON *loss_largest(const cJSON *lost, enum loss_group group)
{
    const cJSON *item, *largest = NULL;
    cJSON_ArrayForEach(item, lost)
    {
        bool of_group =
            loss_is_amount(item) && (group == LOSS_NONE || loss_group(item->string) == group);
        if (of_group && item->valuedouble > (largest ? largest->valuedouble : 0))
            largest = item;
    }
    return largest;
}

double loss_sum(const cJSON *lost, enum loss_group group)
{
    const cJSON *item;
    double sum = 0;
    cJSON_ArrayForEach(item, lost)
    {
        if (loss_is_amount(item) && loss_group(item->string) == group)
            sum += item->valuedouble;
    }
    return sum;
}
