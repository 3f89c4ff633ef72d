/* SPDX-License-Identifier: MIT */
/*
 * A custom queue order: the queue that is furthest below its entitlement is served first. The
 * entitlement is its quota or its weight, as the option `due` says. Quotas, reclaim, gangs, MIG and
 * everything else come from runai.
 *
 *     cc -shared -fPIC -I.. -o least_served.so least_served.c
 *     fauxfleet run scenario.json --policy ./least_served.so --set policy.options.due=weight -o out
 */
#include "plugin.h"

enum { BY_QUOTA = 0, BY_WEIGHT = 1 };

struct served {
    int64_t due;
};

static const struct policy_plugin_option options[] = {
    {{"due", "what queues are measured by"}, POLICY_OPTION_WORD, "quota|weight", BY_QUOTA, 0, 0},
};

static void *open_state(const struct policy_allocator *memory,
                        const struct policy_plugin_setup *setup)
{
    struct served *served = memory->resize(memory->user, 0, 0, sizeof *served);
    if (served)
        served->due = setup->options[0];
    return served;
}

static void close_state(void *self, const struct policy_allocator *memory)
{
    memory->resize(memory->user, self, sizeof(struct served), 0);
}

/* Millionths of the entitlement; a queue without one comes last. */
static int64_t part_served(void *self, const struct policy_view *view, policy_queue id)
{
    const struct served *served = self;
    struct policy_view_queue queue = {.size = sizeof queue};
    if (!view->queue(view, id, &queue))
        return INT64_MAX;
    int64_t due = served->due == BY_WEIGHT ? queue.gpu.weight : queue.gpu.quota;
    if (due == POLICY_UNLIMITED)
        due = view->capacity.gpu;
    return due > 0 ? queue.allocated.gpu * 1000000 / due : INT64_MAX;
}

const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("least-served", "the queue with the smallest part of its share goes first"),
    .base = "runai",
    .destroy = close_state,
    .options = options,
    .option_count = 1,
    .open = open_state,
    .queue_key = part_served,
};
