/* SPDX-License-Identifier: MIT */
/* Structs of other versions; see sized.h. */
#include "state/sized.h"
#include "state/engine.h"

#include <string.h>

#define MOST_BYTES 4096u /* upper bound for all versions: uninitialized sizes usually exceed it */

#define UP_TO(s, member)  (offsetof(struct s, member) + sizeof(((struct s *)0)->member))
#define BEFORE(s, member) offsetof(struct s, member)

static const struct {
    size_t known, least;
    const char *what;
} rows[PC_SIZED] = {
    [PC_CONFIG] = {sizeof(struct policy_config), BEFORE(policy_config, backfill),
                   "size of the configuration"},
    [PC_NODE_SPEC] = {sizeof(struct policy_node_spec), UP_TO(policy_node_spec, whole_only),
                      "size of the node's spec"},
    [PC_QUEUE_SPEC] = {sizeof(struct policy_queue_spec), UP_TO(policy_queue_spec, fixed_milli),
                       "size of the queue's spec"},
    [PC_JOB_SPEC] = {sizeof(struct policy_job_spec), BEFORE(policy_job_spec, estimate_ms),
                     "size of the job's spec"},
    [PC_ROLE] = {sizeof(struct policy_role), UP_TO(policy_role, request), "size of a role"},
    [PC_TYPICAL_TASK] = {sizeof(struct policy_typical_task), UP_TO(policy_typical_task, request),
                         "size of a typical task"},
    [PC_EXPLANATION] = {sizeof(struct policy_explanation),
                        UP_TO(policy_explanation, tasks_fit_domain), "size of the explanation"},
    [PC_QUEUE_INFO] = {sizeof(struct policy_queue_info), UP_TO(policy_queue_info, usage_ppm),
                       "size of what is asked of a queue"},
    [PC_POOL_SHARE] = {sizeof(struct policy_pool_share), UP_TO(policy_pool_share, capacity),
                       "size of what is asked of a queue in a pool"},
    [PC_NODE_INFO] = {sizeof(struct policy_node_info), UP_TO(policy_node_info, releasing),
                      "size of what is asked of a node"},
    [PC_SHARE_ROW] = {sizeof(struct policy_share_row), UP_TO(policy_share_row, fair_share),
                      "size of a share row"},
    [PC_HISTORY] = {sizeof(struct policy_history), UP_TO(policy_history, reserved),
                    "size of a record of history"},
    [PC_OFFER] = {sizeof(struct policy_offer), UP_TO(policy_offer, least_paid_ms),
                  "size of an offer"},
};

static uint32_t size_of(const void *given)
{
    uint32_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

size_t pc_sized_least(enum pc_sized kind)
{
    return rows[kind].least;
}

bool pc_sized_fits(enum pc_sized kind, const void *given)
{
    return size_of(given) >= rows[kind].least && size_of(given) <= MOST_BYTES;
}

const void *pc_sized_in(enum pc_sized kind, const void *given, void *room)
{
    if (!pc_sized_fits(kind, given))
        return NULL;
    size_t size = size_of(given), known = rows[kind].known;
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)given)[i] != 0)
            return NULL;
    if (size >= known)
        return given;
    memset(room, 0, known);
    memcpy(room, given, size);
    return room;
}

const void *pc_sized_fact(struct policy *p, enum pc_sized kind, const void *given, void *room)
{
    const void *known = pc_sized_in(kind, given, room);
    if (known == NULL)
        pc_refuse(p, POLICY_INVALID, rows[kind].what, size_of(given),
                  pc_sized_fits(kind, given) ? "sets what this version does not know"
                                             : "of no version that this one knows");
    return known;
}

const void *pc_sized_at(const void *array, uint32_t i)
{
    return (const char *)array + (size_t)i * size_of(array);
}

void pc_sized_out(enum pc_sized kind, void *given, const void *answer)
{
    uint32_t size = size_of(given);
    size_t both = size < rows[kind].known ? size : rows[kind].known;
    memset(given, 0, size);
    memcpy(given, answer, both);
    memcpy(given, &size, sizeof size);
}
