/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list reasons`: the codes for why a job is pending or a task was evicted, as used by
 * explain, decide, journals and reasons.csv. Names and numbers are defined by the policy core,
 * meanings by this table.
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
    {POLICY_REASON_NOT_ELIGIBLE, PENDING,
     "It is submitted, but its begin time lies ahead. Not counted as waiting."},
    {POLICY_REASON_WAITING, PENDING,
     "The next scheduling cycle considers it; with what is free now it could start."},
    {POLICY_REASON_BEHIND, PENDING,
     "Jobs of its queue (or fleet) start in order, and one before it cannot start: explain names "
     "that job and why."},
    {POLICY_REASON_NEVER_FITS, PENDING,
     "Its gang does not fit even the empty, healthy fleet, within the nodes that its queue and its "
     "required topology allow."},
    {POLICY_REASON_DEVICES_BUSY, PENDING,
     "The nodes where it may run have fewer free devices in total than it wants."},
    {POLICY_REASON_FRAGMENTED, PENDING,
     "Enough devices are free, but spread over nodes in smaller pieces than its tasks need."},
    {POLICY_REASON_CPU_OR_MEMORY, PENDING,
     "A node has the devices for its next task, but not the CPU cores, the memory or a slot for "
     "one more task."},
    {POLICY_REASON_NODES_DOWN, PENDING,
     "It would fit if no nodes and devices were down, draining or unhealthy."},
    {POLICY_REASON_OVER_LIMIT, PENDING,
     "Its queue, or one above, would exceed its limit: jobs there have to end, or the limit has to "
     "be raised."},
    {POLICY_REASON_OVER_QUOTA, PENDING,
     "It is not preemptible, so it has to fit the quota of its queue, of which too little is left; "
     "a preemptible job may exceed the quota."},
    {POLICY_REASON_TOPOLOGY_FRAGMENTED, PENDING,
     "All its tasks fit, but not within one domain of the topology level that it requires."},
    {POLICY_REASON_TOPOLOGY_UNKNOWN, PENDING,
     "It names a topology, or a level of one, that the cluster does not have."},
    {POLICY_REASON_NOT_READY, PENDING,
     "Fewer of its tasks exist, or may start (scheduling gates), than its gang needs."},
    {POLICY_REASON_SUSPENDED, PENDING,
     "It is suspended, or its queue or one above it is: nothing of it starts until it is resumed."},
    {POLICY_REASON_NODE_MISMATCH, PENDING,
     "No usable node has the labels or the type of device that it requests."},
    {POLICY_REASON_RELEASING, PENDING,
     "It is nominated for a place where tasks are still being stopped."},
    {POLICY_REASON_FIXED_QUOTA, PENDING,
     "The free devices are kept for interactive (build) sessions of queues with a fixed quota."},
    {POLICY_REASON_RESERVED, PENDING,
     "It would fit, but would delay an earlier job that has a reservation (backfill): with a "
     "shorter time limit it could start."},
    {POLICY_REASON_RECLAIM_OVER_QUOTA, EVICTED,
     "Its queue was above its quota, and a queue within its own reclaimed devices."},
    {POLICY_REASON_RECLAIM_OVER_SHARE, EVICTED,
     "Its queue was above its fair share, and a queue within its own reclaimed devices."},
    {POLICY_REASON_PREEMPTED, EVICTED,
     "A job of the same queue with a higher priority took its place."},
    {POLICY_REASON_MOVED, EVICTED, "It moves to another place, to free a larger piece."},
    {POLICY_REASON_STALE_GANG, EVICTED,
     "Its gang ran below its minimum for longer than the grace period."},
    {POLICY_REASON_TIME_LIMIT, EVICTED, "It, or its session, reached its time limit."},
    {POLICY_REASON_IDLE, EVICTED, "It held devices without using them for too long."},
    {POLICY_REASON_OUTRANKED, PENDING | EVICTED,
     "Jobs that come before it in its queue (or fleet) take the devices."},
};

/* Jobs in snapshots that never reach the policy. */
static const struct {
    const char *name, *meaning;
} strays[] = {
    {"QUEUE_UNKNOWN", "The snapshot has no queue of the name that the job states."},
    {"QUEUE_DROPPED", "Its queue is below one that the snapshot does not have."},
    {"QUEUE_NOT_A_LEAF", "Its queue has queues below it, and only leaves hold jobs."},
};

static const char *about(int set)
{
    return set == PENDING ? "pending" : set == EVICTED ? "evicted" : "pending, evicted";
}

static void row_json(struct json *j, const char *name, int32_t code, const char *of,
                     const char *meaning)
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
        row_json(&j, policy_reason_name(meanings[i].reason), meanings[i].reason,
                 about(meanings[i].about), meanings[i].meaning);
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
