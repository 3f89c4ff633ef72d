/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labelled clusters; see racks.h. */
#include "tests/lib/racks.h"

#include "tests/lib/harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FILLER_RANK UINT64_C(1000000) /* rank after those of all jobs of a test */

void racks_open(struct racks *r, uint32_t levels, const uint32_t *pools, uint32_t pool_count)
{
    static const uint32_t keys[RACKS_LEVELS] = {1, 2, 3};
    static const struct policy_share any = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    memset(r, 0, sizeof *r);
    r->p = core_create(&r->tally, "runai", "actions=allocate");
    ck_assert_int_eq(policy_set_topology(r->p, 0, 1, keys, levels), POLICY_OK);
    struct policy_queue_spec spec = {.size = sizeof spec,
                                     .parent = {POLICY_NO_ID},
                                     .gpu = any,
                                     .cpu = any,
                                     .mem = any,
                                     .pools = pools,
                                     .pool_count = pool_count};
    r->queue = policy_add_queue(r->p, 0, &spec);
    ck_assert_msg(r->queue.i != POLICY_NO_ID, "%s", policy_last_error(r->p)->message);
}

void racks_close(struct racks *r)
{
    core_destroy(r->p, &r->tally);
}

/* Makes a task hold devices from `first` on. */
static void hold(struct racks *r, policy_node node, uint32_t first, int32_t devices, bool leaving)
{
    struct policy_role role = core_role(1, core_devices(devices));
    struct policy_job_spec spec = core_job_spec(r->queue, FILLER_RANK + r->jobs++, &role, 1);
    spec.submitted = 0;
    policy_job job = policy_submit(r->p, 0, &spec);
    ck_assert_msg(job.i != POLICY_NO_ID, "%s", policy_last_error(r->p)->message);
    uint64_t set = ((UINT64_C(1) << devices) - 1) << first;
    ck_assert_int_eq(policy_task_running(r->p, 0, job, 0, node, set, 0), POLICY_OK);
    if (leaving)
        ck_assert_int_eq(policy_task_releasing(r->p, 0, job, 0), POLICY_OK);
}

policy_node racks_node(struct racks *r, uint32_t rank, const struct racks_node *n)
{
    struct policy_label labels[RACKS_LEVELS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < RACKS_LEVELS; i++)
        if (n->at[i] != 0)
            labels[count++] = (struct policy_label){i + 1, n->at[i]};
    struct policy_node_spec spec = core_node_spec(rank, n->devices);
    spec.pool = n->pool;
    spec.labels = count > 0 ? labels : NULL;
    spec.label_count = count;
    spec.cpu_milli = n->cpu_milli > 0 ? n->cpu_milli : POLICY_UNLIMITED;
    policy_node node = policy_add_node(r->p, 0, &spec);
    ck_assert_msg(node.i != POLICY_NO_ID, "%s", policy_last_error(r->p)->message);
    if (n->used > 0)
        hold(r, node, 0, n->used, false);
    if (n->leaving > 0)
        hold(r, node, (uint32_t)n->used, n->leaving, true);
    if (n->down)
        ck_assert_int_eq(policy_set_node_state(r->p, 0, node, POLICY_NODE_DOWN), POLICY_OK);
    return node;
}

uint32_t racks_nodes(struct racks *r, const struct racks_node *nodes, uint32_t most)
{
    uint32_t i = 0;
    for (; i < most && nodes[i].devices > 0; i++)
        racks_node(r, i, &nodes[i]);
    return i;
}

struct policy_job_spec racks_job(struct racks *r, struct policy_role *roles, uint32_t most)
{
    uint32_t count = 0;
    for (; count < most && roles[count].tasks > 0; count++) {
        roles[count].size = sizeof *roles;
        if (roles[count].min_tasks == 0)
            roles[count].min_tasks = roles[count].tasks;
    }
    struct policy_job_spec spec = core_job_spec(r->queue, r->jobs++, roles, count);
    spec.submitted = 0;
    return spec;
}

policy_job racks_submit(struct racks *r, const struct policy_job_spec *spec)
{
    policy_job job = policy_submit(r->p, 0, spec);
    ck_assert_msg(job.i != POLICY_NO_ID, "%s", policy_last_error(r->p)->message);
    return job;
}

const char *racks_decide(struct racks *r, policy_time now, policy_job job, char *text, size_t size)
{
    size_t count;
    size_t used = 0;
    const struct policy_decision *d = policy_decide(r->p, now, &count);
    ck_assert_int_eq(policy_last_error(r->p)->status, POLICY_OK);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (d[i].job.i != job.i)
            continue;
        char mark = d[i].kind == POLICY_START ? '@' : d[i].kind == POLICY_NOMINATE ? '~' : '!';
        int n = snprintf(text + used, size - used, "%s%" PRIu32 "%c%" PRIu32, used > 0 ? " " : "",
                         d[i].task, mark, d[i].node.i);
        ck_assert(n > 0 && (size_t)n < size - used);
        used += (size_t)n;
    }
    core_is_sound(r->p);
    return text;
}
