/* SPDX-License-Identifier: MIT */
/* Names of reasons, actions and kinds, for display and journals. */
#include "act/actions.h"
#include "state/engine.h"

static const struct policy_row reasons[POLICY_REASONS] = {
    [POLICY_REASON_NONE] = {"NONE", "not pending"},
    [POLICY_REASON_NOT_ELIGIBLE] = {"NOT_ELIGIBLE", "its begin time has not come"},
    [POLICY_REASON_WAITING] = {"WAITING", "waits for the next scheduling decision"},
    [POLICY_REASON_BEHIND] = {"BEHIND", "behind a job that cannot start (strict blocking)"},
    [POLICY_REASON_NEVER_FITS] = {"NEVER_FITS", "would not even fit the empty fleet"},
    [POLICY_REASON_DEVICES_BUSY] = {"DEVICES_BUSY", "fewer devices are free than requested"},
    [POLICY_REASON_FRAGMENTED] = {"FRAGMENTED",
                                  "enough devices are free, but not in the required shape"},
    [POLICY_REASON_CPU_OR_MEMORY] = {"CPU_OR_MEMORY",
                                     "devices are free, but not the CPU or memory next to them"},
    [POLICY_REASON_NODES_DOWN] = {"NODES_DOWN", "would fit if all nodes and devices were usable"},
    [POLICY_REASON_OVER_LIMIT] = {"OVER_LIMIT", "a queue would exceed its limit"},
    [POLICY_REASON_OVER_QUOTA] = {"OVER_QUOTA",
                                  "not preemptible, and a queue has too little quota left"},
    [POLICY_REASON_TOPOLOGY_FRAGMENTED] = {"TOPOLOGY_FRAGMENTED",
                                           "fits, but in no domain of the required level"},
    [POLICY_REASON_TOPOLOGY_UNKNOWN] = {"TOPOLOGY_UNKNOWN",
                                        "refers to an unknown topology or level"},
    [POLICY_REASON_NOT_READY] = {"NOT_READY", "fewer tasks exist, or may start, than its minimum"},
    [POLICY_REASON_SUSPENDED] = {"SUSPENDED", "the job or one of its queues is suspended"},
    [POLICY_REASON_NODE_MISMATCH] = {"NODE_MISMATCH", "no node has the required labels or devices"},
    [POLICY_REASON_RELEASING] = {"RELEASING", "its nominated place is still being released"},
    [POLICY_REASON_FIXED_QUOTA] = {"FIXED_QUOTA",
                                   "free devices are reserved for build sessions of other queues"},
    [POLICY_REASON_RESERVED] = {"RESERVED", "would delay a job that has a reservation"},
    [POLICY_REASON_RECLAIM_OVER_QUOTA] =
        {"RECLAIM_OVER_QUOTA", "a queue within its quota reclaims from one over its quota"},
    [POLICY_REASON_RECLAIM_OVER_SHARE] =
        {"RECLAIM_OVER_SHARE",
         "a queue within its fair share reclaims from one over its fair share"},
    [POLICY_REASON_PREEMPTED] = {"PREEMPTED",
                                 "by a job of higher priority (runai: in the same queue)"},
    [POLICY_REASON_MOVED] = {"MOVED", "continues elsewhere"},
    [POLICY_REASON_STALE_GANG] = {"STALE_GANG", "its gang was below the minimum for too long"},
    [POLICY_REASON_TIME_LIMIT] = {"TIME_LIMIT", "its time limit has expired"},
    [POLICY_REASON_OUTRANKED] = {"OUTRANKED", "higher-ranked jobs take the devices"},
    [POLICY_REASON_IDLE] = {"IDLE", "held devices without using them for too long"},
};

static const char *const kinds[] = {
    [POLICY_START] = "start", [POLICY_NOMINATE] = "nominate", [POLICY_EVICT] = "evict",
    [POLICY_ORDER] = "order", [POLICY_RELEASE] = "release",
};

const char *policy_reason_name(int32_t reason)
{
    return reason >= 0 && reason < POLICY_REASONS ? reasons[reason].name : "";
}

const char *policy_reason_summary(int32_t reason)
{
    return reason >= 0 && reason < POLICY_REASONS ? reasons[reason].summary : "";
}

const char *policy_action_name(int32_t action)
{
    const struct pc_action *row = pc_action_numbered(action);
    if (action == POLICY_BACKFILL) /* several rows, of which a configuration uses one */
        return "backfill";
    if (row != NULL)
        return row->row.name;
    return action == POLICY_PROVISION ? "provision" : ""; /* enabled by its own option */
}

const char *policy_kind_name(int32_t kind)
{
    return kind > 0 && (size_t)kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "";
}
