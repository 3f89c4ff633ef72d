/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The auditor detects queues above their rights: each test changes them behind the policy's back.
 */
#include "tests/sim/evict.h"

/* A department with a team: 3 GPUs of a preemptible job, 1 of a non-preemptible one; 2 cores and
 * 100 MiB per task. */
static void midway(struct small *s)
{
    small_begin(s, "runai", "");
    small_pool(s, "p", 1, 4);
    s->fleet.nodes[0].cpu_milli = 64000;
    s->fleet.nodes[0].mem_mib = 10000;
    small_queue(s, "dept", 0)->gpu.quota = 4000;
    struct sim_queue *team = small_queue(s, "team", 0);
    team->parent = 0;
    team->gpu.quota = 4000;
    for (int i = 0; i < 2; i++) {
        struct trace_job *job =
            small_job_of(s, "team", i == 0 ? "a" : "b", 0, 10000, TRACE_UNKNOWN);
        job->gpus = i == 0 ? 3 : 1;
        job->cpu_milli = 2000;
        job->mem_mib = 100;
        job->preemptible = i == 0;
    }
    ck_assert(small_create(s));
    evict_run(s, 5000);
    ck_assert_uint_eq(s->sim->running, 2);
}

static struct policy_share *share(struct small *s, int queue, char resource)
{
    struct sim_queue *q = &s->sim->queues[queue];
    return resource == 'g' ? &q->gpu : resource == 'c' ? &q->cpu : &q->mem;
}

static const struct {
    int queue; /* 0 the department, 1 the team */
    char resource;
    int64_t quota, limit;
    const char *message; /* NULL: no violation */
} rights[] = {
    {1, 'g', 4000, 4000, NULL},
    {1, 'g', 4000, 3999, "'team' has 4000 thousandths of GPUs, over its limit of 3999"},
    {0, 'g', 4000, 3999, "'dept' has 4000"},
    {1, 'g', 1000, -1, NULL},
    {1, 'g', 999, -1,
     "'team' has 1000 thousandths of GPUs in jobs that may not be preempted, over its quota of "
     "999"},
    {0, 'g', 0, -1, "'dept' has 1000"},
    {1, 'c', 2000, 4000, NULL},
    {1, 'c', -1, 3999, "'team' has 4000 thousandths of CPUs"},
    {0, 'c', 1999, -1, "'dept' has 2000 thousandths of CPUs in jobs"},
    {1, 'm', 100, 200, NULL},
    {1, 'm', -1, 199, "'team' has 200 MiB"},
    {1, 'm', 99, -1, "'team' has 100 MiB in jobs"},
};

START_TEST(rights_are_kept)
{
    struct small s;
    midway(&s);
    ck_assert_msg(sim_audit_queues(s.sim, &s.err), "%s", s.err.msg);
    share(&s, rights[_i].queue, rights[_i].resource)->quota = rights[_i].quota;
    share(&s, rights[_i].queue, rights[_i].resource)->limit = rights[_i].limit;
    ck_assert_int_eq(sim_audit_queues(s.sim, &s.err), rights[_i].message == NULL);
    if (rights[_i].message != NULL) {
        ck_assert_int_eq(s.err.code, EXIT_INVARIANT);
        harness_contains(s.err.msg, rights[_i].message);
    }
    small_end(&s);
}
END_TEST

/* Without the hierarchy, a department has no rights of its own. */
START_TEST(flat_queues_stand_alone)
{
    struct small s;
    midway(&s);
    s.sim->traits |= POLICY_TRAIT_FLAT;
    s.sim->queues[0].gpu.limit = 1;
    ck_assert(sim_audit_queues(s.sim, &s.err));
    s.sim->queues[1].gpu.limit = 1;
    ck_assert(!sim_audit_queues(s.sim, &s.err));
    small_end(&s);
}
END_TEST

/* Devices being released no longer count for the queue; other policies have no such rules. */
START_TEST(released_tasks_do_not_count)
{
    struct small s;
    midway(&s);
    s.sim->config.grace_ms = 30000;
    evict_now(&s, "a", INT32_MAX);
    s.sim->queues[1].gpu.limit = 1000;
    ck_assert_msg(sim_audit_queues(s.sim, &s.err), "%s", s.err.msg);
    s.sim->queues[1].gpu.limit = 999;
    ck_assert(!sim_audit_queues(s.sim, &s.err));
    s.sim->traits &= ~(uint64_t)(POLICY_TRAIT_LIMITS | POLICY_TRAIT_GPU_LIMITS);
    ck_assert(sim_audit_queues(s.sim, &s.err));
    small_end(&s);
}
END_TEST

START_TEST(counts_are_checked)
{
    for (int i = 0; i < 3; i++) {
        struct small s;
        midway(&s);
        int64_t *const counts[] = {&s.sim->queues[1].held_milli, &s.sim->queues[1].running_milli,
                                   &s.sim->queues[1].wanted_milli};
        ++*counts[i];
        ck_assert(!sim_audit_queues(s.sim, &s.err));
        harness_contains(s.err.msg, "queue 'team' holds 4000, runs 4000 and wants 0");
        small_end(&s);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("audit_queues");
    TCase *tcase = tcase_create("audit_queues");
    tcase_add_loop_test(tcase, rights_are_kept, 0, ROWS(rights));
    tcase_add_test(tcase, flat_queues_stand_alone);
    tcase_add_test(tcase, released_tasks_do_not_count);
    tcase_add_test(tcase, counts_are_checked);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
