/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See pool_world.h. */
#include "tests/lib/pool_world.h"

#include "tests/lib/core.h"
#include "tests/lib/draw.h"

#include <check.h>
#include <string.h>

#define DECISIONS_MOST 90 /* until the policy must come to rest */

uint32_t pool_world_below(struct pool_world *w, uint32_t n)
{
    return (uint32_t)(test_draw(&w->state) % n);
}

void pool_world_draw_sizes(struct pool_world *w)
{
    w->pools = 2 + (int32_t)pool_world_below(w, POOL_WORLD_POOLS - 1);
    w->queues = 2 + (int32_t)pool_world_below(w, POOL_WORLD_QUEUES - 1);
}

void pool_world_draw_may_use(struct pool_world *w, int32_t queue, uint32_t count)
{
    for (; count > 0; count--)
        w->may_use[queue] |= UINT32_C(1) << pool_world_below(w, (uint32_t)w->pools);
}

void pool_world_add_nodes(struct pool_world *w)
{
    uint32_t rank = 0;
    for (int32_t p = 0; p < w->pools; p++)
        for (int32_t left = w->devices[p]; left > 0; left -= 2) {
            struct policy_node_spec node = core_node_spec(rank++, left < 2 ? left : 2);
            node.pool = (uint32_t)p;
            ck_assert_uint_ne(policy_add_node(w->policy, 0, &node).i, POLICY_NO_ID);
        }
}

void pool_world_add_queue(struct pool_world *w, int32_t q, int64_t quota,
                          const struct policy_pool_quota *by_pool, uint32_t by_pool_count)
{
    uint32_t pools[POOL_WORLD_POOLS], count = 0;
    for (uint32_t p = 0; p < (uint32_t)w->pools; p++)
        if ((w->may_use[q] >> p & 1) != 0)
            pools[count++] = p;
    const struct policy_share unlimited = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    const struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = {POLICY_NO_ID},
        .rank = (uint32_t)q,
        .gpu = {quota * POLICY_WHOLE, POLICY_UNLIMITED, 1000},
        .cpu = unlimited,
        .mem = unlimited,
        .pools = pools,
        .pool_count = count,
        .by_pool = by_pool,
        .by_pool_count = by_pool_count,
        .preempt_min_runtime_ms = POLICY_INHERIT,
        .reclaim_min_runtime_ms = POLICY_INHERIT,
    };
    ck_assert_uint_eq(policy_add_queue(w->policy, 0, &spec).i, (uint32_t)q);
}

struct policy_queue_info pool_world_info(const struct pool_world *w, int32_t q)
{
    struct policy_queue_info info = {.size = sizeof info};
    ck_assert_int_eq(policy_queue_info(w->policy, (policy_queue){(uint32_t)q}, &info), POLICY_OK);
    return info;
}

static void submit(struct pool_world *w)
{
    uint32_t job = w->jobs++;
    uint32_t q = w->queue_of[job] = pool_world_below(w, (uint32_t)w->queues);
    const struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec((policy_queue){q}, job + 1, &role, 1);
    spec.preemptible = true;
    w->id[job] = policy_submit(w->policy, w->now, &spec);
    ck_assert_uint_ne(w->id[job].i, POLICY_NO_ID);
    w->alive[q]++;
}

static void end_one(struct pool_world *w)
{
    uint32_t first = pool_world_below(w, w->jobs);
    for (uint32_t i = 0; i < w->jobs; i++) {
        uint32_t job = (first + i) % w->jobs;
        if (w->over[job] || !w->runs[job])
            continue;
        int status =
            policy_task_ended(w->policy, w->now, w->id[job], POLICY_ALL_TASKS, POLICY_SUCCEEDED);
        ck_assert_int_eq(status, POLICY_OK);
        w->over[job] = true;
        w->alive[w->queue_of[job]]--;
        return;
    }
}

static uint32_t number_of(const struct pool_world *w, policy_job id)
{
    uint32_t job = 0;
    while (w->id[job].i != id.i || w->id[job].gen != id.gen)
        job++;
    return job;
}

static void carry_out(struct pool_world *w, const struct policy_decision *d)
{
    int status = POLICY_OK;
    if (d->kind == POLICY_START)
        status = policy_task_started(w->policy, w->now, d->job, POLICY_ALL_TASKS);
    if (d->kind == POLICY_EVICT)
        status = policy_task_releasing(w->policy, w->now, d->job, POLICY_ALL_TASKS);
    ck_assert_int_eq(status, POLICY_OK);
    if (d->kind != POLICY_NOMINATE)
        w->runs[number_of(w, d->job)] = d->kind == POLICY_START;
}

/* Decides once and carries it out. Returns true if there was a decision. */
static bool decide(struct pool_world *w)
{
    struct policy_decision all[4 * POOL_WORLD_JOBS];
    size_t count;
    w->now += 1000;
    const struct policy_decision *d = policy_decide(w->policy, w->now, &count);
    ck_assert_uint_le(count, sizeof all / sizeof *all);
    if (count > 0)
        memcpy(all, d, count * sizeof *all);
    for (size_t i = 0; i < count; i++)
        carry_out(w, &all[i]);
    core_is_sound(w->policy);
    if (w->check_decision != NULL)
        w->check_decision(w);
    for (size_t i = 0; i < count; i++) {
        if (all[i].kind != POLICY_EVICT)
            continue;
        int status =
            policy_task_ended(w->policy, w->now, all[i].job, POLICY_ALL_TASKS, POLICY_EVICTED);
        ck_assert_int_eq(status, POLICY_OK);
    }
    return count > 0;
}

static void settle(struct pool_world *w)
{
    int32_t decisions = 0;
    while (decide(w))
        ck_assert_msg(++decisions < DECISIONS_MOST, "case %llu does not come to rest",
                      (unsigned long long)w->seed);
}

void pool_world_play(struct pool_world *w)
{
    for (int32_t round = 0; round < 4; round++) {
        for (uint32_t more = 2 + pool_world_below(w, 9); more > 0 && w->jobs < POOL_WORLD_JOBS;
             more--) {
            submit(w);
            if (pool_world_below(w, 3) == 0)
                (void)decide(w);
        }
        for (uint32_t ends = pool_world_below(w, 3); ends > 0; ends--)
            end_one(w);
        settle(w);
        w->check_rest(w);
    }
}
