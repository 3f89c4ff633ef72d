/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/lib/side.h"

#include "tests/lib/harness.h"

#include <string.h>

void side_begin(struct side *s, const char *preset, const char *options)
{
    *s = (struct side){.p = NULL};
    s->p = core_create(&s->tally, preset, options);
    core_node(s->p, 0, 4);
    core_node(s->p, 1, 4);
    for (uint32_t i = 0; i < 2; i++) {
        const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
        const struct policy_queue_spec spec = {.size = sizeof spec,
                                               .parent = {POLICY_NO_ID},
                                               .rank = i,
                                               .gpu = all,
                                               .cpu = all,
                                               .mem = all,
                                               .preempt_min_runtime_ms = POLICY_INHERIT,
                                               .reclaim_min_runtime_ms = POLICY_INHERIT};
        s->queues[i] = policy_add_queue(s->p, 0, &spec);
        ck_assert_uint_ne(s->queues[i].i, POLICY_NO_ID);
    }
}

void side_finish(struct side *s)
{
    core_destroy(s->p, &s->tally);
}

policy_job side_submit(struct side *s, int i, policy_time at, int queue, int32_t devices,
                       int64_t limit)
{
    struct policy_role role = core_role(1, core_devices(devices));
    struct policy_job_spec spec = core_job_spec(s->queues[queue], (uint64_t)i, &role, 1);
    spec.submitted = at;
    spec.limit_ms = limit;
    spec.user = (uint32_t)i % 2 + 1;
    spec.preemptible = true;
    s->jobs[i] = policy_submit(s->p, at, &spec);
    ck_assert_uint_ne(s->jobs[i].i, POLICY_NO_ID);
    return s->jobs[i];
}

uint32_t side_records(const struct policy *p, struct policy_history list[SIDE_RECORDS])
{
    uint32_t count = 0;
    struct policy_history h = {.size = sizeof h};
    for (uint64_t next = 0; policy_history(p, &next, &h);) {
        ck_assert_uint_lt(count, SIDE_RECORDS);
        list[count++] = h;
    }
    return count;
}

struct policy_history side_find(const struct policy *p, int32_t kind, uint32_t job)
{
    struct policy_history list[SIDE_RECORDS];
    uint32_t count = side_records(p, list);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == kind && (job == POLICY_NO_ID || list[i].job.i == job))
            return list[i];
    ck_abort_msg("no record of kind %d", kind);
    return list[0];
}

bool side_has(const struct policy *p, int32_t kind)
{
    struct policy_history list[SIDE_RECORDS];
    uint32_t count = side_records(p, list);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == kind)
            return true;
    return false;
}

int side_tell(struct side *s, policy_time at, struct policy_history h)
{
    h.size = sizeof h;
    int status = policy_set_history(s->p, at, &h);
    core_is_sound(s->p);
    return status;
}

void side_hand_over(const struct side *from, struct side *to, policy_time at)
{
    struct policy_history list[SIDE_RECORDS];
    uint32_t count = side_records(from->p, list);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_msg(side_tell(to, at, list[i]) == POLICY_OK, "kind %d: %s", list[i].kind,
                      policy_last_error(to->p)->message);
}

void sides_remember_alike(const struct side *a, const struct side *b)
{
    struct policy_history lists[2][SIDE_RECORDS];
    uint32_t count = side_records(a->p, lists[0]);
    ck_assert_uint_eq(side_records(b->p, lists[1]), count);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_msg(memcmp(&lists[0][i], &lists[1][i], sizeof lists[0][i]) == 0,
                      "record %u, of kind %d", (unsigned)i, lists[0][i].kind);
}

void side_runs(struct side *to, policy_time at, int job, uint32_t node, uint64_t devices,
               policy_time since)
{
    ck_assert_int_eq(
        policy_task_running(to->p, at, to->jobs[job], 0, (policy_node){node}, devices, since),
        POLICY_OK);
}

void sides_decide_alike(struct side *a, struct side *b, policy_time at)
{
    char texts[2][256];
    core_decisions(a->p, at, texts[0], sizeof texts[0]);
    core_decisions(b->p, at, texts[1], sizeof texts[1]);
    ck_assert_str_eq(texts[0], texts[1]);
}
