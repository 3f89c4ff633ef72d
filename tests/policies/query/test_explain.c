/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why jobs of the quota policy are pending: what blocks them, and the amounts as evidence. */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"
#include "tests/lib/racks.h"

#include <string.h>

static struct policy_explanation explain(struct policy *p, policy_job job)
{
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(p, job, &why), POLICY_OK);
    return why;
}

/* ---- bounds and kept devices ---- */

static const struct {
    const char *what, *text; /* job x is explained */
    int32_t reason;
    const char *queue;
    int64_t has, may, wants;
    int32_t tasks_fit_now, most_free;
} bounds[] = {
    {"the session reserve: 6 of 8", "node n0 8; queue s gpu=6 keeps=6; queue q; job x q 1x4",
     POLICY_REASON_FIXED_QUOTA, "s", 0, 6000, 4000, 0, 2},
    {"of which they hold a part",
     "node n0 8; queue s gpu=6 keeps=6; queue q; job r s build 1x1@n0; job x q 4x1",
     POLICY_REASON_FIXED_QUOTA, "s", 1000, 6000, 4000, 2, 2},
    {"all of it", "node n0 2; queue s gpu=2 keeps=2; queue q; job x q 1x1",
     POLICY_REASON_FIXED_QUOTA, "s", 0, 2000, 1000, 0, 0},
    {"a limit that binds on the node: 2000 of 4000 MiB",
     "node n0 2 gpumem=4000; queue q gpu=0/.4; job x q 1xm2000", POLICY_REASON_OVER_LIMIT, "q", 0,
     400, 500, 0, 2},
    {"of the queue above", "node n0 2 gpumem=4000; queue D gpu=0/.4; queue q in=D; job x q 1xm2000",
     POLICY_REASON_OVER_LIMIT, "D", 0, 400, 500, 0, 2},
    {"a quota that binds on the node",
     "node n0 2 gpumem=4000; queue q gpu=.7; job r q fixed 1xm1000@n0:0;job x q fixed 1xm2000",
     POLICY_REASON_OVER_QUOTA, "q", 250, 700, 500, 0, 1},
    {"for the third task of a gang", "node n0 2 gpumem=4000; queue q gpu=0/1.2; job x q 3xm2000",
     POLICY_REASON_OVER_LIMIT, "q", 0, 1200, 1500, 2, 2},
    {"where it weighs least",
     "node n0 1 gpumem=4000; node n1 1 gpumem=8000; queue q gpu=0/.2; job x q 1xm2000",
     POLICY_REASON_OVER_LIMIT, "q", 0, 200, 250, 0, 1},
    {"CPU is CPU", "node n0 2 gpumem=4000 cpu=1; queue q; job x q 1xm2000+c1.5",
     POLICY_REASON_NEVER_FITS, NULL, 0, 0, 0, 0, 2},
    {"also while it is taken",
     "node n0 2 gpumem=4000 cpu=2; queue q; job r q 1xc1@n0; job x q 1xm2000+c1.5",
     POLICY_REASON_CPU_OR_MEMORY, NULL, 0, 0, 0, 0, 2},
    {"the place taken by another task of it is taken",
     "node n0 8; node n1 8; node n2 4; queue q gpu=16; job r q fixed 1x4@n1; job x q 2x8",
     POLICY_REASON_FRAGMENTED, NULL, 0, 0, 0, 1, 8},
    {"the CPU next to the devices of the second task",
     "node n0 8; node n1 8 cpu=1; queue q; job r q fixed 1xc1@n1; job x q 2x8+c1",
     POLICY_REASON_CPU_OR_MEMORY, NULL, 0, 0, 0, 1, 8},
    {"only the minimum must fit", "node n0 2; queue q; job r q 1x2@n0; job x q 1x1/1 &1x8",
     POLICY_REASON_DEVICES_BUSY, NULL, 0, 0, 0, 0, 0},
};

START_TEST(bounds_are_named)
{
    struct story s;
    char text[256];
    story_open(&s, bounds[_i].text);
    ck_assert_str_eq(story_decide(&s, text, sizeof text), "");
    struct policy_explanation why = explain(s.p, story_job(&s, "x"));
    ck_assert_msg(why.reason == bounds[_i].reason, "%s: %s", bounds[_i].what,
                  policy_reason_name(why.reason));
    ck_assert_uint_eq(why.queue.i, bounds[_i].queue != NULL ? story_queue(&s, bounds[_i].queue).i
                                                            : POLICY_NO_ID);
    ck_assert_int_eq(why.queue_has, bounds[_i].has);
    ck_assert_int_eq(why.queue_may, bounds[_i].may);
    ck_assert_int_eq(why.job_wants, bounds[_i].wants);
    ck_assert_int_eq(why.tasks_fit_now, bounds[_i].tasks_fit_now);
    ck_assert_int_eq(why.most_free, bounds[_i].most_free);
    core_is_sound(s.p);
    story_close(&s);
}
END_TEST

/* ---- domains ---- */

/* clang-format off */
#define AT(all, taken, ...) .at = {__VA_ARGS__}, .devices = (all), .used = (taken)
#define GPU(n)              {.devices = (n)}
#define REQUIRED(a)         {1, (a), 0}

/* Racks in pods; a job that cannot start. */
static const struct {
    const char *what;
    struct racks_node nodes[6];
    struct policy_constraint job;
    struct policy_role roles[3];
    int32_t reason, level, tasks_fit_domain;
} domains[] = {
    {"racks that are too small even when empty",
     {{AT(2, 1, 1, 1)}, {AT(2, 0, 1, 1)}, {AT(2, 0, 1, 2)}}, REQUIRED(2), {{.tasks = 5,
      .request = GPU(1)}},
     POLICY_REASON_NEVER_FITS, 2, 4},
    {"large enough, but not now",
     {{AT(2, 1, 1, 1)}, {AT(2, 0, 1, 1)}, {AT(2, 0, 1, 2)}}, REQUIRED(2), {{.tasks = 4,
      .request = GPU(1)}},
     POLICY_REASON_TOPOLOGY_FRAGMENTED, 2, 3},
    {"large enough if all nodes were up",
     {{AT(2, 0, 1, 1)}, {AT(2, 0, 1, 1), .down = true}, {AT(2, 0, 1, 2)}}, REQUIRED(2),
      {{.tasks = 4, .request = GPU(1)}},
     POLICY_REASON_NODES_DOWN, 2, 2},
    {"the fleet itself is too small",
     {{AT(2, 0, 1, 1)}, {AT(2, 0, 1, 2)}}, REQUIRED(1), {{.tasks = 5, .request = GPU(1)}},
     POLICY_REASON_NEVER_FITS, 0, 0},
    {"roles that only fit one without the other",
     {{AT(4, 0, 1, 1)}, {AT(4, 0, 1, 2)}}, REQUIRED(2), {{.tasks = 1, .request = GPU(2)},
      {.tasks = 3, .request = GPU(1)}},
     POLICY_REASON_NEVER_FITS, 2, 3},
    {"tasks beyond the minimum do not matter",
     {{AT(4, 3, 1, 1)}, {AT(4, 3, 1, 2)}}, REQUIRED(2), {{.tasks = 9, .min_tasks = 2,
      .request = GPU(1)}},
     POLICY_REASON_TOPOLOGY_FRAGMENTED, 2, 1},
    {"of one pod set",
     {{AT(4, 0, 1, 1)}, {AT(4, 0, 1, 2)}}, {0, 0, 0},
     {{.tasks = 2, .request = GPU(1)}, {.tasks = 5, .request = GPU(1), .topology = REQUIRED(2)}},
     POLICY_REASON_NEVER_FITS, 2, 4},
    {"a level that is only preferred blocks no job",
     {{AT(2, 1, 1, 1)}, {AT(2, 0, 1, 2)}}, {1, 0, 2}, {{.tasks = 4, .request = GPU(1)}},
     POLICY_REASON_DEVICES_BUSY, 0, 0},
};
/* clang-format on */

START_TEST(domains_are_measured)
{
    struct racks r;
    racks_open(&r, 2, NULL, 0);
    racks_nodes(&r, domains[_i].nodes, 6);
    struct policy_role roles[3];
    memcpy(roles, domains[_i].roles, sizeof roles);
    struct policy_job_spec spec = racks_job(&r, roles, 3);
    spec.topology = domains[_i].job;
    policy_job job = racks_submit(&r, &spec);
    char text[256];
    ck_assert_str_eq(racks_decide(&r, 0, job, text, sizeof text), "");
    struct policy_explanation why = explain(r.p, job);
    ck_assert_msg(why.reason == domains[_i].reason, "%s: %s", domains[_i].what,
                  policy_reason_name(why.reason));
    ck_assert_int_eq(why.level, domains[_i].level);
    ck_assert_int_eq(why.tasks_fit_domain, domains[_i].tasks_fit_domain);
    racks_close(&r);
}
END_TEST

/* ---- the backlog ---- */

START_TEST(all_that_wait_are_in_the_backlog)
{
    struct story s;
    struct policy_backlog b;
    story_open(&s, "opt actions=allocate; node n0 4; queue q; queue o pools=1; job r q 1x3@n0; job "
                   "x q 2x2@-,?;job y q 3x1/2@-,?,?; job z q 1x2; job f o 2x1@?,-");
    struct policy_role role = core_role(2, core_devices(4));
    struct policy_job_spec spec = core_job_spec(story_queue(&s, "q"), 50, &role, 1);
    spec.preemptible = true;
    spec.eligible = s.now + 1000;
    policy_job held = policy_submit(s.p, s.now, &spec);
    spec.rank++;
    policy_job gone = policy_submit(s.p, s.now, &spec);
    story_decides(&s, "", "nothing can start");
    ck_assert_int_eq(policy_cancel(s.p, s.now, gone), POLICY_OK);
    core_is_sound(s.p);
    ck_assert_int_eq(policy_backlog(s.p, story_queue(&s, "q"), &b), POLICY_OK);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_NOT_ELIGIBLE], 1);
    ck_assert_int_eq(b.gpu_milli[POLICY_REASON_NOT_ELIGIBLE], 8000);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_NOT_READY],
                      2); /* x, and y below its minimum of 2; f has other nodes */
    ck_assert_int_eq(b.gpu_milli[POLICY_REASON_NOT_READY], 4000 + 2000);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_WAITING], 1); /* z, since that one is gone */
    ck_assert_int_eq(policy_task_gated(s.p, s.now, story_job(&s, "y"), 1, false), POLICY_OK);
    ck_assert_int_eq(policy_cancel(s.p, s.now, story_job(&s, "x")), POLICY_OK);
    s.now += 1000;
    story_decides(&s, "", "y would need 2 devices, the other one its time");
    ck_assert_int_eq(policy_backlog(s.p, story_queue(&s, "q"), &b), POLICY_OK);
    ck_assert_uint_eq(b.jobs[POLICY_REASON_NOT_ELIGIBLE] + b.jobs[POLICY_REASON_NOT_READY], 0);
    ck_assert_int_eq(b.gpu_milli[POLICY_REASON_NOT_ELIGIBLE] + b.gpu_milli[POLICY_REASON_NOT_READY],
                     0);
    ck_assert_int_eq(core_reason(s.p, held), POLICY_REASON_NEVER_FITS);
    core_is_sound(s.p);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("explanations of the quota policy");
    TCase *tcase = tcase_create("explanations");
    tcase_add_loop_test(tcase, bounds_are_named, 0, ROWS(bounds));
    tcase_add_loop_test(tcase, domains_are_measured, 0, ROWS(domains));
    tcase_add_test(tcase, all_that_wait_are_in_the_backlog);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
