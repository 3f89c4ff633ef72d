/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of snapshots: values, queues that cannot have jobs, roles and groups. */
#include "scenarios/snapshot/snapshot.h"
#include "tests/scenarios/snapshots.h"

START_TEST(jobs_have_defaults)
{
    struct snapshot *s = load_snapshot(JOB("\"tasks\": [{\"id\": \"t\"}]"));
    const struct snap_job *job = &s->jobs[0];
    ck_assert_int_eq(job->priority, 50);
    ck_assert(job->preemptible);
    ck_assert_int_eq(job->submit_ms, 1000);
    ck_assert(job->last_start_ms == POLICY_NEVER && job->stale_since_ms == POLICY_NEVER &&
              !job->stale);
    ck_assert_int_eq(job->run_ms, -1);
    ck_assert_int_eq(job->limit_ms, -1);
    ck_assert_int_eq(job->workload, POLICY_TRAIN);
    ck_assert_int_eq(job->interactive_limit_ms, 0);
    ck_assert_int_eq(job->stray, SNAP_IN_QUEUE);
    ck_assert_uint_eq(job->role_count, 1);
    ck_assert_str_eq(job->roles[0].name, "default");
    ck_assert_int_eq(job->roles[0].min_tasks, 1);
    snapshot_destroy(s);
}
END_TEST

static const struct {
    const char *keys;
    bool preemptible;
} preemptible[] = {
    {"\"priority\": 99", true},
    {"\"priority\": 100", false},
    {"\"priority\": 100, \"preemptible\": true", true},
    {"\"priority\": 10, \"preemptible\": false", false},
    {"\"preemptible\": null, \"priority\": 125", false},
};

START_TEST(priority_decides_where_a_job_does_not)
{
    char text[512];
    (void)snprintf(text, sizeof text, JOB("%s"), preemptible[_i].keys);
    struct snapshot *s = load_snapshot(text);
    ck_assert_int_eq(s->jobs[0].preemptible, preemptible[_i].preemptible);
    snapshot_destroy(s);
}
END_TEST

START_TEST(jobs_keep_given_values)
{
    struct snapshot *s = load_snapshot(
        JOB("\"submit_ms\": -5, \"last_start_ms\": 7, \"stale_since_ms\": 9, \"run_s\": \"2m\", "
            "\"limit_s\": 3,"
            " \"workload\": \"build\", \"interactive_limit_s\": \"8h\", \"eligible_ms\": 11"));
    const struct snap_job *job = &s->jobs[0];
    ck_assert_int_eq(job->submit_ms, -5);
    ck_assert_int_eq(job->last_start_ms, 7);
    ck_assert_int_eq(job->stale_since_ms, 9);
    ck_assert(job->stale);
    ck_assert_int_eq(job->run_ms, 120000);
    ck_assert_int_eq(job->limit_ms, 3000);
    ck_assert_int_eq(job->workload, POLICY_BUILD);
    ck_assert_int_eq(job->interactive_limit_ms, 28800000);
    ck_assert_int_eq(job->eligible_ms, 11);
    snapshot_destroy(s);
    s = load_snapshot(JOB("\"interactive_limit_s\": 0"));
    ck_assert_int_eq(s->jobs[0].interactive_limit_ms, -1);
    snapshot_destroy(s);
}
END_TEST

static const struct {
    const char *queue;
    enum snap_stray stray;
} strays[] = {
    {"q", SNAP_IN_QUEUE},
    {"top", SNAP_QUEUE_INNER},
    {"Q", SNAP_QUEUE_UNKNOWN},
    {"lost", SNAP_QUEUE_LOST},
};

START_TEST(only_leaves_that_exist_hold_jobs)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   SNAP("\"queues\": [{\"name\": \"q\", \"parent\": \"top\"}, {\"name\": \"top\"},"
                        " {\"name\": \"lost\", \"parent\": \"gone\"}], \"jobs\": [{\"id\": \"j\", "
                        "\"queue\": \"%s\"}]"),
                   strays[_i].queue);
    struct snapshot *s = load_snapshot(text);
    ck_assert_int_eq(s->jobs[0].stray, strays[_i].stray);
    snapshot_destroy(s);
}
END_TEST

START_TEST(roles_come_by_name)
{
    struct snapshot *s = load_snapshot(
        JOB("\"roles\": [{\"name\": \"worker\", \"min_tasks\": 1}, {\"name\": \"ps\"}],"
            "\"tasks\": [{\"id\": \"a\", \"role\": \"worker\"}, {\"id\": \"b\", \"role\": \"ps\"},"
            " {\"id\": \"c\", \"role\": \"ps\"}, {\"id\": \"d\", \"role\": \"worker\"}]"));
    const struct snap_job *job = &s->jobs[0];
    ck_assert_uint_eq(job->role_count, 2);
    ck_assert_str_eq(job->roles[0].name, "ps");
    ck_assert_int_eq(job->roles[0].min_tasks, 2); /* all of them */
    ck_assert_int_eq(job->roles[1].min_tasks, 1);
    ck_assert_uint_eq(job->roles[1].first_task, 2);
    ck_assert_uint_eq(job->roles[1].tasks, 2);
    snapshot_destroy(s);
}
END_TEST

START_TEST(unlisted_roles_are_those_of_tasks)
{
    struct snapshot *s = load_snapshot(JOB("\"tasks\": [{\"id\": \"a\", \"role\": \"w\"}, {\"id\": "
                                           "\"b\"}, {\"id\": \"c\", \"role\": \"w\"}]"));
    const struct snap_job *job = &s->jobs[0];
    ck_assert_uint_eq(job->role_count, 2);
    ck_assert_str_eq(job->roles[0].name, "default");
    ck_assert_str_eq(job->roles[1].name, "w");
    ck_assert_int_eq(job->roles[1].min_tasks, 2);
    snapshot_destroy(s);
}
END_TEST

START_TEST(groups_come_parents_first_siblings_by_name)
{
    struct snapshot *s = load_snapshot(
        JOB("\"roles\": [{\"name\": \"r1\"}, {\"name\": \"r2\"}, {\"name\": \"r3\"}],\"groups\": "
            "[{\"name\": \"z\", \"roles\": [\"r3\"], \"groups\": [{\"name\": \"c\", \"roles\": "
            "[\"r1\"]}, {\"name\": \"b\"}]},"
            " {\"name\": \"a\"}], \"tasks\": [{\"id\": \"t\", \"role\": \"r1\"}]"));
    const struct snap_job *job = &s->jobs[0];
    static const struct {
        const char *name;
        int32_t parent;
    } expected[] = {{"a", 0}, {"z", 0}, {"b", 2}, {"c", 2}};
    ck_assert_uint_eq(job->group_count, ROWS(expected));
    for (int i = 0; i < ROWS(expected); i++) {
        ck_assert_str_eq(job->groups[i].name, expected[i].name);
        ck_assert_int_eq(job->groups[i].parent, expected[i].parent);
    }
    ck_assert_int_eq(job->roles[0].group, 4);
    ck_assert_int_eq(job->roles[1].group, 0);
    ck_assert_int_eq(job->roles[2].group, 2);
    snapshot_destroy(s);
}
END_TEST

static const struct {
    const char *keys, *part;
} refused[] = {
    {"\"roles\": [{\"name\": \"a\"}, {\"name\": \"a\"}]",
     "jobs[0].roles: there are two roles of the name 'a'"},
    {"\"roles\": [{\"name\": \"a\", \"min_tasks\": 0}]",
     "jobs[0].roles[0].min_tasks: expected an integer from 1"},
    {"\"roles\": [{\"name\": \"a\", \"topology\": \"x\"}]",
     "jobs[0].roles[0].topology: expected an object"},
    {"\"roles\": [{\"name\": \"worker\"}], \"groups\": [{\"name\": \"g\", \"roles\": "
     "[\"workers\"]}]",
     "jobs[0].groups: unknown role 'workers', did you mean 'worker'?"},
    {"\"roles\": [{\"name\": \"a\"}], \"groups\": [{\"name\": \"g\", \"roles\": [\"a\"]}, "
     "{\"name\": \"h\", \"roles\": [\"a\"]}]",
     "jobs[0].groups: the role 'a' stands in two groups"},
    {"\"groups\": [{\"name\": \"g\", \"groups\": [{\"name\": \"g\"}]}]",
     "jobs[0].groups: there are two groups of the name 'g'"},
    {"\"workload\": \"batch\"", "jobs[0].workload: expected one of train|build|inference"},
};

START_TEST(wrong_jobs_are_refused)
{
    char text[1024];
    (void)snprintf(text, sizeof text, JOB("%s"), refused[_i].keys);
    refuse_snapshot(text, refused[_i].part);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_jobs");
    TCase *tcase = tcase_create("jobs");
    tcase_add_test(tcase, jobs_have_defaults);
    tcase_add_loop_test(tcase, priority_decides_where_a_job_does_not, 0, ROWS(preemptible));
    tcase_add_test(tcase, jobs_keep_given_values);
    tcase_add_loop_test(tcase, only_leaves_that_exist_hold_jobs, 0, ROWS(strays));
    tcase_add_test(tcase, roles_come_by_name);
    tcase_add_test(tcase, unlisted_roles_are_those_of_tasks);
    tcase_add_test(tcase, groups_come_parents_first_siblings_by_name);
    tcase_add_loop_test(tcase, wrong_jobs_are_refused, 0, ROWS(refused));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
