/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes of jobs: refused specs, and that equal jobs share one shape. */
#include "state/state.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>
#include <string.h>

static const char world[] = "node n0 8 gpumem=1000 label=1:1; queue D; queue q in=D";

/* ---- requests ---- */

static const int32_t one_3g[POLICY_MAX_PROFILES] = {[2] = 1};
static const int32_t one_unknown[POLICY_MAX_PROFILES] = {[9] = 1};
static const int32_t less_than_none[POLICY_MAX_PROFILES] = {[2] = -1};
static const int32_t too_many[POLICY_MAX_PROFILES] = {[2] = 256};
static const int32_t no_instances[POLICY_MAX_PROFILES] = {0};

static const struct {
    struct policy_request request;
    int status;
} requests[] = {
    {{.devices = 1}, POLICY_OK},
    {{.devices = 64}, POLICY_OK},
    {{.devices = 65}, POLICY_INVALID},
    {{.devices = -1}, POLICY_INVALID},
    {{.devices = 0}, POLICY_OK},
    {{.devices = 1, .device_milli = 1}, POLICY_OK},
    {{.devices = 1, .device_milli = 1000}, POLICY_OK},
    {{.devices = 1, .device_milli = 1001}, POLICY_INVALID},
    {{.devices = 1, .device_milli = -1}, POLICY_INVALID},
    {{.devices = 2, .device_mem_mib = 1}, POLICY_OK},
    {{.devices = 1, .device_mem_mib = -1}, POLICY_INVALID},
    {{.devices = 1, .device_mem_mib = INT64_C(1) << 31}, POLICY_INVALID},
    {{.devices = 1, .device_milli = 500, .device_mem_mib = 1}, POLICY_INVALID},
    {{.mig = one_3g}, POLICY_OK},
    {{.mig = one_unknown}, POLICY_UNKNOWN},
    {{.mig = less_than_none}, POLICY_INVALID},
    {{.mig = too_many}, POLICY_INVALID},
    {{.devices = 1, .mig = one_3g}, POLICY_INVALID},
    {{.devices = 1, .mig = no_instances}, POLICY_OK},
    {{.cpu_milli = -1}, POLICY_INVALID},
    {{.mem_mib = -1}, POLICY_INVALID},
    {{.mem_mib = INT64_MAX}, POLICY_INVALID},
};

static policy_job submit(struct story *s, struct policy_job_spec spec)
{
    return policy_submit(s->p, s->now, &spec);
}

static void expect(struct story *s, struct policy_job_spec spec, int status)
{
    policy_job job = submit(s, spec);
    if (job.i == POLICY_NO_ID)
        ck_assert_int_eq(policy_last_error(s->p)->status, status);
    else
        ck_assert_int_eq(POLICY_OK, status);
    core_is_sound(s->p);
}

START_TEST(requests_are_checked)
{
    struct story s;
    story_open(&s, world);
    struct policy_role role = core_role(1, requests[_i].request);
    expect(&s, core_job_spec(story_queue(&s, "q"), 1, &role, 1), requests[_i].status);
    story_close(&s);
}
END_TEST

/* ---- jobs ---- */

START_TEST(jobs_are_checked)
{
    struct story s;
    story_open(&s, world);
    struct policy_role role = core_role(2, core_devices(1));
    struct policy_job_spec good = core_job_spec(story_queue(&s, "q"), 1, &role, 1);
    struct policy_job_spec spec = good;
    spec.queue = story_queue(&s, "D");
    expect(&s, spec, POLICY_CONFLICT); /* no leaf */
    spec.queue.i = 99;
    expect(&s, spec, POLICY_UNKNOWN);
    spec = good;
    spec.workload = 3;
    expect(&s, spec, POLICY_INVALID);
    spec = good;
    spec.role_count = 0;
    expect(&s, spec, POLICY_INVALID);
    spec = good;
    spec.size = 8;
    expect(&s, spec, POLICY_INVALID);
    spec = good;
    spec.group_count = 1; /* without groups */
    expect(&s, spec, POLICY_INVALID);
    spec = good;
    spec.topology.topology = 17;
    expect(&s, spec, POLICY_INVALID);
    spec.topology = (struct policy_constraint){1, -2, 0};
    expect(&s, spec, POLICY_INVALID);
    spec.topology = (struct policy_constraint){-1, -1, -1}; /* unknown: it stays pending */
    expect(&s, spec, POLICY_OK);
    story_close(&s);
}
END_TEST

/* Tasks of two roles, and their requests; then the number of such jobs accepted, by 2^51. */
static const struct {
    struct policy_request request[2];
    int32_t tasks[2];
    uint32_t fit;
} sums[] = {
    {{{.mem_mib = INT64_C(1) << 31}, {0}}, {1 << 20, 1}, 1},
    {{{.mem_mib = INT64_C(1) << 31}, {.mem_mib = 1}}, {1 << 20, 1}, 0},
    {{{.mem_mib = INT64_C(1) << 31}, {.mem_mib = INT64_C(1) << 31}}, {1 << 18, 1 << 18}, 2},
    {{{.cpu_milli = INT64_MAX / 4}, {0}}, {1, 1}, 0},
    {{{.cpu_milli = INT64_C(1) << 50}, {.cpu_milli = 1}}, {1, 1}, 1},
    {{{.cpu_milli = INT64_C(1) << 49}, {.mem_mib = INT64_C(1) << 49}}, {1, 1}, 4},
    /* 64 * (2^31 - 1 + 1) * 10 of 2^51: 1638.4 */
    {{{.devices = 64, .device_mem_mib = INT32_MAX}, {0}}, {1000, 1}, 1},
    {{{.devices = 64, .device_mem_mib = INT32_MAX}, {0}}, {1639, 1}, 0},
};

START_TEST(sums_stay_far_from_the_end)
{
    struct story s;
    story_open(&s, world);
    struct policy_role roles[2] = {core_role(sums[_i].tasks[0], sums[_i].request[0]),
                                   core_role(sums[_i].tasks[1], sums[_i].request[1])};
    policy_job job = {POLICY_NO_ID, 0};
    for (uint32_t i = 0; i <= sums[_i].fit; i++) {
        struct policy_job_spec spec = core_job_spec(story_queue(&s, "q"), i, roles, 2);
        policy_job one = submit(&s, spec);
        ck_assert_msg((one.i != POLICY_NO_ID) == (i < sums[_i].fit), "row %d: job %u", _i, i);
        job = one.i != POLICY_NO_ID ? one : job;
    }
    ck_assert_int_eq(policy_last_error(s.p)->status, POLICY_INVALID);
    if (sums[_i].fit > 0) { /* a leaving job makes room again */
        struct policy_job_spec spec = core_job_spec(story_queue(&s, "q"), 99, roles, 2);
        ck_assert_int_eq(policy_cancel(s.p, s.now, job), POLICY_OK);
        ck_assert_uint_ne(submit(&s, spec).i, POLICY_NO_ID);
    }
    story_close(&s);
}
END_TEST

START_TEST(roles_and_groups_are_checked)
{
    struct story s;
    story_open(&s, world);
    struct policy_role role = core_role(2, core_devices(1));
    struct policy_group groups[12];
    memset(groups, 0, sizeof groups);
    struct policy_job_spec spec = core_job_spec(story_queue(&s, "q"), 1, &role, 1);
    role.min_tasks = -1;
    expect(&s, spec, POLICY_INVALID);
    role = core_role(0, core_devices(1));
    expect(&s, spec, POLICY_INVALID);
    role = core_role(2, core_devices(1));
    role.group = 1;
    expect(&s, spec, POLICY_INVALID); /* there is none */
    spec.groups = groups;
    spec.group_count = 2;
    groups[1].parent = 2; /* itself */
    expect(&s, spec, POLICY_INVALID);
    groups[1].parent = -1;
    expect(&s, spec, POLICY_INVALID);
    groups[1].parent = 1;
    expect(&s, spec, POLICY_OK);
    spec.rank++;
    spec.group_count = 9; /* nine deep */
    for (int32_t i = 0; i < 9; i++)
        groups[i].parent = i;
    expect(&s, spec, POLICY_INVALID);
    spec.group_count = 8;
    expect(&s, spec, POLICY_OK);
    story_close(&s);
}
END_TEST

/* Two roles of two tasks each. The minimum of the first counts for both if they are one pod set. */
static const struct {
    int32_t minimum;
    bool joined;
    int status;
} minimums[] = {
    {2, false, POLICY_OK}, {3, false, POLICY_INVALID}, {3, true, POLICY_OK},
    {4, true, POLICY_OK},  {5, true, POLICY_INVALID},
};

START_TEST(a_minimum_is_at_most_the_tasks_of_its_pod_set)
{
    struct story s;
    story_open(&s, world);
    struct policy_role roles[] = {core_role(2, core_devices(1)), core_role(2, core_devices(0))};
    roles[0].min_tasks = minimums[_i].minimum;
    roles[1].joined = minimums[_i].joined;
    expect(&s, core_job_spec(story_queue(&s, "q"), 1, roles, 2), minimums[_i].status);
    story_close(&s);
}
END_TEST

START_TEST(too_many_roles)
{
    struct policy_role roles[POLICY_MAX_ROLES + 1];
    struct story s;
    story_open(&s, world);
    for (int i = 0; i <= POLICY_MAX_ROLES; i++)
        roles[i] = core_role(1, core_devices(1));
    expect(&s, core_job_spec(story_queue(&s, "q"), 1, roles, POLICY_MAX_ROLES + 1), POLICY_INVALID);
    expect(&s, core_job_spec(story_queue(&s, "q"), 1, roles, POLICY_MAX_ROLES), POLICY_OK);
    story_close(&s);
}
END_TEST

/* ---- recent specs ---- */

/* Many specs that differ only a little, two of which are equivalent. */
static struct policy_role alike(uint32_t i)
{
    struct policy_role role =
        core_role((int32_t)(1 + i % 3), core_devices((int32_t)(1 + i / 3 % 5)));
    role.request.cpu_milli = i / 15 % 4 * 1000;
    role.request.device_milli = i / 60 % 2 * POLICY_WHOLE;
    role.min_tasks = role.tasks;
    return role;
}

/* Jobs come and go; with `exhaustive` every spec is normalized. */
START_TEST(a_spec_that_came_lately_has_the_shape_that_it_would_find)
{
    struct story quick, slow;
    policy_job jobs[40][2];
    uint64_t random = (uint64_t)_i;
    bool lives[40] = {false};
    story_open(&quick, world);
    story_open(&slow, world);
    slow.p->cluster->exhaustive = true;
    for (uint32_t step = 0; step < 2000; step++) {
        uint32_t at = (uint32_t)(test_draw(&random) % 40);
        struct policy_role role = alike((uint32_t)(test_draw(&random) % (_i % 2 == 0 ? 12 : 120)));
        struct policy_job_spec spec = core_job_spec(story_queue(&quick, "q"), step, &role, 1);
        if (lives[at]) {
            ck_assert_int_eq(policy_cancel(quick.p, quick.now, jobs[at][0]), POLICY_OK);
            ck_assert_int_eq(policy_cancel(slow.p, slow.now, jobs[at][1]), POLICY_OK);
        } else {
            jobs[at][0] = submit(&quick, spec);
            jobs[at][1] = submit(&slow, spec);
            ck_assert_uint_ne(jobs[at][0].i, POLICY_NO_ID);
            ck_assert_uint_eq(quick.p->cluster->jobs[jobs[at][0].i].shape,
                              slow.p->cluster->jobs[jobs[at][1].i].shape);
        }
        lives[at] = !lives[at];
        ck_assert_uint_eq(quick.p->cluster->shapes_live, slow.p->cluster->shapes_live);
    }
    core_is_sound(quick.p);
    story_close(&quick);
    story_close(&slow);
}
END_TEST

/* ---- shapes are shared ---- */

static const struct {
    const char *a, *b;
    bool same;
} pairs[] = {
    {"1x1", "1x1", true},
    {"1x1", "1x1.0", true},
    {"1x1", "2x1", false},
    {"2x1", "2x1/1", false},
    {"1x1", "1x.5", false},
    {"1x.5", "1xm500", false},
    {"1x1+c1", "1x1+c2", false},
    {"1x1+r1", "1x1", false},
    {"1x1+k1:1", "1x1", false},
    {"1x1+k1:1", "1x1+k1:2", false},
    {"1x1+k1:1", "1x1+k1:1", true},
    {"1x3g", "1x2g", false},
    {"1x1 1x1", "2x1", false},
    {"1x1 &1x1", "1x1 1x1", false},
    {"1x1 1x2", "1x2 1x1", false},
    {"prio=1 1x1", "prio=2 1x1", true}, /* priority is not of the shape */
};

START_TEST(equal_jobs_share_a_shape)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text, "%s; job a q %s; job b q %s", world, pairs[_i].a,
                   pairs[_i].b);
    story_open(&s, text);
    const struct pc_cluster *c = s.p->cluster;
    ck_assert_int_eq(c->jobs[story_job(&s, "a").i].shape == c->jobs[story_job(&s, "b").i].shape,
                     pairs[_i].same);
    story_close(&s);
}
END_TEST

/* Shapes are removed with their last job, and their places are reused. */
START_TEST(shapes_come_and_go)
{
    struct story s;
    story_open(&s, world);
    for (int round = 0; round < 3; round++) {
        policy_job jobs[200];
        for (int i = 0; i < 200; i++) {
            struct policy_role role = core_role(1 + i / 2, core_devices(1));
            jobs[i] = submit(&s, core_job_spec(story_queue(&s, "q"), (uint64_t)(1 + i), &role, 1));
            ck_assert_uint_ne(jobs[i].i, POLICY_NO_ID);
        }
        ck_assert_uint_eq(s.p->cluster->shapes_live, 100);
        ck_assert_uint_eq(s.p->cluster->shape_count, 100);
        core_is_sound(s.p);
        for (int i = 0; i < 200; i++)
            ck_assert_int_eq(policy_cancel(s.p, s.now, jobs[i]), POLICY_OK);
        ck_assert_uint_eq(s.p->cluster->shapes_live, 0);
    }
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shapes");
    TCase *tcase = tcase_create("shapes");
    tcase_add_loop_test(tcase, requests_are_checked, 0, ROWS(requests));
    tcase_add_test(tcase, jobs_are_checked);
    tcase_add_test(tcase, roles_and_groups_are_checked);
    tcase_add_loop_test(tcase, a_minimum_is_at_most_the_tasks_of_its_pod_set, 0, ROWS(minimums));
    tcase_add_test(tcase, too_many_roles);
    tcase_add_loop_test(tcase, equal_jobs_share_a_shape, 0, ROWS(pairs));
    tcase_add_loop_test(tcase, a_spec_that_came_lately_has_the_shape_that_it_would_find, 0, 4);
    tcase_add_test(tcase, shapes_come_and_go);
    if (harness_whole())
        tcase_add_loop_test(tcase, sums_stay_far_from_the_end, 0, ROWS(sums));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
