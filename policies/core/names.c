/* SPDX-License-Identifier: MIT */
/* Names of reasons, actions and kinds, for people and journals. */
#include "core/state.h"

static const struct policy_row reasons[POLICY_REASONS] = {
    [POLICY_REASON_NONE] = {"NONE",          "not pending"                                            },
    [POLICY_REASON_NOT_ELIGIBLE] = {"NOT_ELIGIBLE",  "its begin time has not come"                            },
    [POLICY_REASON_WAITING] = {"WAITING",       "waits for the next scheduling decision"                 },
    [POLICY_REASON_BEHIND] = {"BEHIND",        "stands behind a job that cannot start (strict blocking)"},
    [POLICY_REASON_NEVER_FITS] = {"NEVER_FITS",    "would not even fit the empty fleet"                     },
    [POLICY_REASON_DEVICES_BUSY] = {"DEVICES_BUSY",  "fewer devices are free than it wants"                   },
    [POLICY_REASON_FRAGMENTED] = {"FRAGMENTED",    "enough devices are free, but not in the pieces it needs"},
    [POLICY_REASON_CPU_OR_MEMORY] = {"CPU_OR_MEMORY",
                            "devices are free, the CPU or memory beside them is not"                  },
    [POLICY_REASON_NODES_DOWN] = {"NODES_DOWN",    "would fit if all nodes and devices were usable"         },
};

static const char *const actions[] = {
    [POLICY_ALLOCATE] = "allocate", [POLICY_CONSOLIDATE] = "consolidate",
    [POLICY_RECLAIM] = "reclaim",   [POLICY_PREEMPT] = "preempt",
    [POLICY_STALE] = "stale",       [POLICY_BACKFILL] = "backfill",
};

static const char *const kinds[] = {
    [POLICY_START] = "start",
    [POLICY_NOMINATE] = "nominate",
    [POLICY_EVICT] = "evict",
};

static const char *name_in(const char *const *names, size_t count, int32_t i)
{
    return i > 0 && (size_t)i < count ? names[i] : "";
}

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
    return name_in(actions, sizeof actions / sizeof *actions, action);
}

const char *policy_kind_name(int32_t kind)
{
    return name_in(kinds, sizeof kinds / sizeof *kinds, kind);
}
