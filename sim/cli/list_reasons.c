/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list reasons`: the codes that say why a job waits or a task was evicted, in explain, decide, journals and
 * reasons.csv. Names and numbers are those of the policy core and stay; what stands here is what they mean.
 */
#include "policies/policy.h"
#include "sim/base/json.h"
#include "sim/program/command.h"

enum about { PENDING = 1, EVICTED = 2 };

static const struct {
    int32_t reason;
    int about; /* set of enum about */
    const char *meaning;
} meanings[] = {
    {POLICY_REASON_NOT_ELIGIBLE,        PENDING,
     "It is submitted, but asked to start no earlier than a time to come. Not counted as waiting."                            },
    {POLICY_REASON_WAITING,             PENDING,
     "The next scheduling cycle will look at it; by what is free now it could start."                                         },
    {POLICY_REASON_BEHIND,              PENDING,
     "Jobs of its line start in order, and one before it cannot start: explain names that job and why."                       },
    {POLICY_REASON_NEVER_FITS,          PENDING,
     "Not even with everything healthy and idle would there be room for its gang, where its queue and its "
     "required topology let it run."                                                                                          },
    {POLICY_REASON_DEVICES_BUSY,        PENDING,
     "On nodes where it may run fewer devices are free, in sum, than it wants."                                               },
    {POLICY_REASON_FRAGMENTED,          PENDING,
     "As many devices as it wants are free, but spread over nodes in smaller pieces than its tasks need."                     },
    {POLICY_REASON_CPU_OR_MEMORY,       PENDING,
     "A node has the devices for its next task, but not the CPU cores, the memory or a place for one more "
     "task."                                                                                                                  },
    {POLICY_REASON_NODES_DOWN,          PENDING,
     "It would fit, were it not for nodes and devices that are down, draining or unhealthy."                                  },
    {POLICY_REASON_OVER_LIMIT,          PENDING,
     "Its queue, or one above, would have more than its limit: what runs there has to end, or the limit to "
     "be raised."                                                                                                             },
    {POLICY_REASON_OVER_QUOTA,          PENDING,
     "It may not be preempted, so it counts against the quota of its queue, and too little is left of that; "
     "a preemptible job may go beyond the quota."                                                                             },
    {POLICY_REASON_TOPOLOGY_FRAGMENTED, PENDING,
     "There is room for all its tasks, but not in one domain of the level of the fabric that it requires."                    },
    {POLICY_REASON_TOPOLOGY_UNKNOWN,    PENDING,
     "It names a topology, or a level of one, that the cluster does not have."                                                },
    {POLICY_REASON_NOT_READY,           PENDING,
     "Fewer of its tasks exist, or may start (gates), than the minimum of its gang."                                          },
    {POLICY_REASON_NODE_MISMATCH,       PENDING,
     "No usable node has the labels or the type of device that it asks for."                                                  },
    {POLICY_REASON_RELEASING,           PENDING,           "It has been promised a place where tasks are still being stopped."},
    {POLICY_REASON_FIXED_QUOTA,         PENDING,
     "What is free is kept for build sessions of queues that have a fixed quota for them."                                    },
    {POLICY_REASON_RESERVED,            PENDING,
     "It would fit, but would delay a job before it that has a reservation (backfill): a time limit that "
     "ends before that would let it start."                                                                                   },
    {POLICY_REASON_RECLAIM_OVER_QUOTA,  EVICTED,
     "Its queue had more than its quota, and a queue that stays within its own took devices back."                            },
    {POLICY_REASON_RECLAIM_OVER_SHARE,  EVICTED,
     "Its queue had more than its fair share, and a queue that stays within its own took devices back."                       },
    {POLICY_REASON_PREEMPTED,           EVICTED,           "A job of the same queue with a higher priority has its place."    },
    {POLICY_REASON_MOVED,               EVICTED,           "It goes on at another place, so that a larger piece is free."     },
    {POLICY_REASON_STALE_GANG,          EVICTED,           "Its gang ran below its minimum for longer than the grace period." },
    {POLICY_REASON_TIME_LIMIT,          EVICTED,           "It ran as long as it, or its session, may."                       },
    {POLICY_REASON_IDLE,                EVICTED,           "It held devices without using them for too long."                 },
    {POLICY_REASON_OUTRANKED,           PENDING | EVICTED,
     "Jobs that come before it in the order of its line take the devices."                                                    },
};

/* Of snapshots: their jobs are not told to the policy at all. */
static const struct {
    const char *name, *meaning;
} strays[] = {
    {"QUEUE_UNKNOWN",    "The snapshot has no queue of the name that the job gives."},
    {"QUEUE_DROPPED",    "Its queue is below one that the snapshot does not have."  },
    {"QUEUE_NOT_A_LEAF", "Its queue has queues below it, and only leaves hold jobs."},
};

static const char *about(int set)
{
    return set == PENDING ? "pending" : set == EVICTED ? "evicted" : "pending, evicted";
}

static void row_json(struct json *j, const char *name, int32_t code, const char *of, const char *meaning)
{
    json_begin_object(j, NULL);
    json_text(j, "name", name);
    if (code >= 0)
        json_i64(j, "code", code);
    else
        json_null(j, "code");
    json_text(j, "of", of);
    json_text(j, "description", meaning);
    json_end_object(j);
}

static void print_json(struct out *out)
{
    struct json j;
    json_init(&j, out, 2);
    json_begin_array(&j, NULL);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        row_json(&j, policy_reason_name(meanings[i].reason), meanings[i].reason, about(meanings[i].about),
                 meanings[i].meaning);
    for (size_t i = 0; i < sizeof strays / sizeof *strays; i++)
        row_json(&j, strays[i].name, -1, "pending", strays[i].meaning);
    json_end_array(&j);
    out_char(out, '\n');
}

int cmd_list_reasons(struct cli *cli)
{
    if (cli_given(cli, OPT_JSON)) {
        print_json(cli->out);
        return EXIT_OK;
    }
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        out_format(cli->out, "%-19s  [%s] %s\n", policy_reason_name(meanings[i].reason),
                   about(meanings[i].about), meanings[i].meaning);
    for (size_t i = 0; i < sizeof strays / sizeof *strays; i++)
        out_format(cli->out, "%-19s  [pending] %s\n", strays[i].name, strays[i].meaning);
    return EXIT_OK;
}
