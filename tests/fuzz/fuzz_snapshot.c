/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a snapshot. An accepted one keeps the promises of snapshot.h; a policy that accepts
 * all of it decides twice, names its decisions, and its invariants hold. No file is opened.
 */
#include "scenarios/snapshot/facts.h"
#include "sim/base/mem.h"
#include "tests/fuzz/resize.h"
#include "tests/fuzz/sound.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_job(const struct snapshot *s, const struct snap_job *job)
{
    uint32_t next = 0;
    for (uint32_t r = 0; r < job->role_count; r++) {
        const struct snap_role *role = &job->roles[r];
        BUG_ON(role->first_task != next || role->tasks == 0 || role->min_tasks < 1);
        BUG_ON(r > 0 && strcmp(job->roles[r - 1].name, role->name) >= 0);
        BUG_ON(role->group < 0 || (uint32_t)role->group > job->group_count);
        next += role->tasks;
    }
    BUG_ON(next != job->task_count);
    for (uint32_t g = 0; g < job->group_count; g++)
        BUG_ON(job->groups[g].parent < 0 || (uint32_t)job->groups[g].parent > g);
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_task *task = &job->tasks[t];
        BUG_ON(task->role >= job->role_count || (!task->id && task->state != SNAP_GATED));
        BUG_ON(snap_holds(task) != (task->node != SNAP_NONE));
        BUG_ON(snap_holds(task) && task->node >= s->node_count);
    }
}

static void check(const struct snapshot *s)
{
    for (size_t i = 0; i < s->queue_count; i++) {
        const struct snap_queue *queue = &s->queues[s->queue_order[i]];
        BUG_ON(queue->parent_index != SNAP_NONE &&
               s->queues[queue->parent_index].depth + 1 != queue->depth);
        BUG_ON(i > 0 && s->queues[s->queue_order[i - 1]].depth > queue->depth);
    }
    for (size_t i = 0; i < s->job_count; i++)
        check_job(s, &s->jobs[i]);
}

static void decide(const struct snapshot *s, const char *preset)
{
    struct policy_config config;
    struct policy_error error = {0};
    struct err err = {0};
    struct snap_facts facts;
    BUG_ON(policy_config_init(&config, preset, (struct policy_allocator){fuzz_resize, NULL},
                              &error) != POLICY_OK);
    struct policy *policy = policy_create(&config, &error);
    BUG_ON(!policy);
    bool ok = snapshot_tell(&facts, policy, s, false, &err);
    BUG_ON(!ok && (err.code != EXIT_INPUT || err.msg[0] == '\0'));
    for (int cycle = 0; ok && cycle < 2; cycle++) {
        size_t count;
        const struct policy_decision *d = policy_decide(policy, s->now_ms, &count);
        for (size_t i = 0; i < count; i++)
            BUG_ON(!snap_facts_task(&facts, d[i].job, d[i].task)->id ||
                   !snap_facts_node(&facts, d[i].node));
        ok = snapshot_apply(&facts, d, count, &err);
        BUG_ON(!ok);
        fuzz_is_sound(policy);
    }
    snap_facts_fini(&facts);
    policy_destroy(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct snapshot *s = NULL;
    struct err err = {0};
    char *text = mem_text_n((const char *)data, size);
    if (snapshot_parse(&s, "fuzz.json", text, size, &err)) {
        check(s);
        decide(s, "fifo");
        decide(s, "runai");
        decide(s, "kube-default");
        if (s->history_count > 0) {
            decide(s, "las");
            decide(s, "slurm");
            decide(s, "conservative");
            decide(s, "random");
        }
        snapshot_destroy(s);
    } else {
        BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
    }
    free(text);
    return 0;
}
