/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of lanes, given to another policy; and refused records. Times are computed by hand.
 */
#include "state/engine.h"
#include "tests/lib/harness.h"
#include "tests/lib/side.h"

#include <string.h>

START_TEST(draws_continue)
{
    struct side a;
    struct side b;
    side_begin(&a, "random", "");
    side_begin(&b, "random", "");
    for (int i = 0; i < 4; i++) {
        side_submit(&a, i, 0, 0, 1, 1000);
        side_submit(&b, i, 0, 0, 1, 1000);
    }
    size_t count;
    const struct policy_decision *d = policy_decide(a.p, 0, &count);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(side_find(a.p, POLICY_HISTORY_DRAWS, POLICY_NO_ID).count, 4);
    for (int i = 0; i < 4; i++)
        side_runs(&b, 0, i, d[i].node.i, d[i].devices, 0);
    side_hand_over(&a, &b, 0);
    sides_remember_alike(&a, &b);
    for (int i = 4; i < 8; i++) {
        side_submit(&a, i, 1, 0, 1, 1000);
        side_submit(&b, i, 1, 0, 1, 1000);
    }
    sides_decide_alike(&a, &b, 1);
    side_finish(&a);
    side_finish(&b);
}
END_TEST

/*
 * Eight devices are taken until 1000 and 2000. The second pending job, of eight devices, has a
 * promise for 2000; the third, of four, which would take 1500, may begin at 1000 only if the second
 * has no such promise.
 */
START_TEST(nominations_are_kept)
{
    static const char *const options[] = {"", "easy_variant=frozen"};
    for (int i = 0; i < ROWS(options); i++) {
        struct side a;
        struct side b;
        side_begin(&a, i == 0 ? "conservative" : "easy", options[i]);
        side_begin(&b, i == 0 ? "conservative" : "easy", options[i]);
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
            side_submit(s, 0, 0, 0, 4, 1000);
            side_submit(s, 1, 0, 0, 4, 2000);
            side_runs(s, 0, 0, 0, 15, 0);
            side_runs(s, 0, 1, 1, 15, 0);
            side_submit(s, 2, 0, 0, 4, 5000);
            side_submit(s, 3, 0, 0, 4, 5000);
        }
        core_decide(a.p, 0, 0);
        struct policy_history h = side_find(a.p, POLICY_HISTORY_PROMISE, a.jobs[2].i);
        ck_assert_int_eq(h.at, 1000);
        if (i == 0) {
            h = side_find(a.p, POLICY_HISTORY_PROMISE, a.jobs[3].i);
            ck_assert_int_eq(h.at, 2000);
        }
        ck_assert(side_has(a.p, POLICY_HISTORY_BLOCKED));
        side_hand_over(&a, &b, 0);
        sides_remember_alike(&a, &b);
        ck_assert(!policy_has_work(b.p));
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL)
            ck_assert_int_eq(
                policy_task_ended(s->p, 700, s->jobs[1], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                POLICY_OK);
        sides_decide_alike(&a, &b, 700);
        sides_remember_alike(&a, &b);
        side_finish(&a);
        side_finish(&b);
    }
}
END_TEST

/* Behind a job with an unknown end, EASY reserves an unknown time. For conservative backfill that
 * is not a reservation. */
START_TEST(some_day_is_no_promise)
{
    struct side a;
    struct side b;
    side_begin(&a, "easy", "easy_variant=frozen");
    side_begin(&b, "conservative", "");
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        side_submit(s, 0, 0, 0, 4, -1);
        side_submit(s, 1, 0, 0, 4, -1);
        side_runs(s, 0, 0, 0, 15, 0);
        side_runs(s, 0, 1, 1, 15, 0);
        side_submit(s, 2, 0, 0, 4, 1000);
    }
    core_decide(a.p, 0, 0);
    struct policy_history h = side_find(a.p, POLICY_HISTORY_PROMISE, a.jobs[2].i);
    ck_assert_int_gt(h.at, INT64_MAX / 4);
    ck_assert_int_eq(side_tell(&b, 0, h), POLICY_OK);
    ck_assert(!side_has(b.p, POLICY_HISTORY_PROMISE));
    core_decide(b.p, 0, 0);
    side_finish(&a);
    side_finish(&b);
}
END_TEST

/*
 * The quota policy records no time with its reservation. EASY, variant frozen, which takes over,
 * computes one: job 1 starts when job 0 ends, and no longer job takes the four free devices.
 */
START_TEST(a_reservation_without_a_time_gets_one)
{
    struct side a;
    struct side b;
    side_begin(&a, "runai", "backfill=true");
    side_begin(&b, "easy", "easy_variant=frozen");
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        struct policy_role role = core_role(2, core_devices(4));
        struct policy_job_spec spec = core_job_spec(s->queues[0], 1, &role, 1);
        spec.submitted = 0;
        spec.limit_ms = 1000;
        side_submit(s, 0, 0, 0, 4, 1000);
        side_runs(s, 0, 0, 0, 15, 0);
        s->jobs[1] = policy_submit(s->p, 0, &spec);
        side_submit(s, 2, 0, 0, 4, 5000);
    }
    const struct policy_history h = {
        .kind = POLICY_HISTORY_PROMISE, .job = a.jobs[1], .at = INT64_MAX};
    ck_assert_int_eq(side_tell(&a, 0, h), POLICY_OK);
    ck_assert_int_eq(side_tell(&b, 0, side_find(a.p, POLICY_HISTORY_PROMISE, a.jobs[1].i)),
                     POLICY_OK);
    core_decide(b.p, 0, 0);
    ck_assert_int_eq(side_find(b.p, POLICY_HISTORY_PROMISE, b.jobs[1].i).at, 1000);
    side_finish(&a);
    side_finish(&b);
}
END_TEST

/* One of two tasks was evicted. When the other has ended, the gang starts again; only the history
 * tells why it should. */
START_TEST(a_gang_evicted_in_part_waits_again)
{
    for (int told = 0; told < 2; told++) {
        struct side a;
        struct side b;
        struct policy_role role = core_role(2, core_devices(2));
        side_begin(&a, "fifo", "");
        side_begin(&b, "fifo", "");
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
            const struct policy_job_spec spec = core_job_spec(s->queues[0], 0, &role, 1);
            s->jobs[0] = policy_submit(s->p, 0, &spec);
        }
        core_decide(a.p, 0, 2);
        ck_assert_int_eq(policy_task_ended(a.p, 1, a.jobs[0], 0, POLICY_EVICTED), POLICY_OK);
        ck_assert_int_eq(policy_task_running(b.p, 1, b.jobs[0], 1, (policy_node){0}, 12, 0),
                         POLICY_OK);
        if (told == 1)
            side_hand_over(&a, &b, 1);
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL)
            ck_assert_int_eq(policy_task_ended(s->p, 2, s->jobs[0], 1, POLICY_FAILED), POLICY_OK);
        core_decide(a.p, 2, 2);
        core_decide(b.p, 2, told == 1 ? 2 : 0);
        side_finish(&a);
        side_finish(&b);
    }
}
END_TEST

/*
 * The second job is blocked; then the first ends. No decision was made since, so the record must
 * not prevent the second from being tried on what is free now.
 */
START_TEST(freed_devices_are_tried)
{
    struct side a;
    struct side b;
    side_begin(&a, "fifo", "");
    side_begin(&b, "fifo", "");
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        side_submit(s, 0, 0, 0, 4, 1000);
        side_submit(s, 1, 0, 0, 4, 1000);
        side_submit(s, 2, 0, 0, 4, 1000);
    }
    core_decide(a.p, 0, 2);
    ck_assert(side_has(a.p, POLICY_HISTORY_BLOCKED));
    side_runs(&b, 0, 0, 0, 15, 0);
    side_runs(&b, 0, 1, 1, 15, 0);
    ck_assert_int_eq(policy_task_ended(a.p, 1, a.jobs[0], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                     POLICY_OK);
    ck_assert_int_eq(policy_task_ended(b.p, 1, b.jobs[0], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                     POLICY_OK);
    side_hand_over(&a, &b, 1);
    sides_decide_alike(&a, &b, 1);
    ck_assert(!side_has(b.p, POLICY_HISTORY_BLOCKED));
    side_finish(&a);
    side_finish(&b);
}
END_TEST

/* ---- refusals ---- */

static const struct {
    const char *preset, *options;
    struct policy_history h;
    bool names_job; /* a pending one */
    int status;
} refused[] = {
    {"fifo", "", {.kind = POLICY_HISTORY_JOB}, true, POLICY_UNSUPPORTED},
    {"fifo", "", {.kind = 0}, false, POLICY_UNSUPPORTED},
    {"fifo", "", {.kind = 99}, false, POLICY_UNSUPPORTED},
    {"fifo", "", {.kind = POLICY_HISTORY_DRAWS}, false, POLICY_UNSUPPORTED},
    {"easy", "", {.kind = POLICY_HISTORY_PROMISE}, true, POLICY_UNSUPPORTED},
    {"runai", "", {.kind = POLICY_HISTORY_PROMISE}, true, POLICY_UNSUPPORTED},
    {"runai", "", {.kind = POLICY_HISTORY_USAGE}, false, POLICY_UNSUPPORTED},
    {"runai", "", {.kind = POLICY_HISTORY_IDLE}, true, POLICY_UNSUPPORTED},
    {"las", "", {.kind = POLICY_HISTORY_JOB, .job = {7, 0}}, false, POLICY_UNKNOWN},
    {"las", "", {.kind = POLICY_HISTORY_JOB, .attained = -1}, true, POLICY_INVALID},
    {"las", "", {.kind = POLICY_HISTORY_JOB, .level = -1}, true, POLICY_INVALID},
    {"las", "", {.kind = POLICY_HISTORY_JOB, .at = 11}, true, POLICY_INVALID},
    {"las", "", {.kind = POLICY_HISTORY_JOB, .evicted = UINT64_MAX}, true, POLICY_INVALID},
    {"las", "scope=queue", {.kind = POLICY_HISTORY_DECIDED, .queue = {5}}, false, POLICY_UNKNOWN},
    {"slurm", "", {.kind = POLICY_HISTORY_USER, .queue = {5}}, false, POLICY_UNKNOWN},
    {"slurm", "", {.kind = POLICY_HISTORY_USER, .used = UINT64_MAX}, false, POLICY_INVALID},
    {"slurm", "", {.kind = POLICY_HISTORY_USER, .at = INT64_MIN}, false, POLICY_INVALID},
    {"slurm", "", {.kind = POLICY_HISTORY_PRIORITIES, .from = 11}, false, POLICY_INVALID},
    {"slurm", "", {.kind = POLICY_HISTORY_PRIORITIES, .count = UINT64_MAX}, false, POLICY_INVALID},
    {"slurm",
     "",
     {.kind = POLICY_HISTORY_MODULE, .job = {7, 0}, .data = "multifactor"},
     false,
     POLICY_UNKNOWN},
    {"slurm",
     "",
     {.kind = POLICY_HISTORY_MODULE, .capacity = 4000, .data = "multifactor"},
     true,
     POLICY_CONFLICT},
    {"fifo", "", {.kind = POLICY_HISTORY_BLOCKED}, true, POLICY_INVALID},
    {"fifo", "", {.kind = POLICY_HISTORY_BLOCKED, .level = 99}, true, POLICY_INVALID},
    {"runai", "", {.kind = POLICY_HISTORY_NOMINATION, .task = 1}, true, POLICY_UNKNOWN},
    {"runai", "", {.kind = POLICY_HISTORY_NOMINATION, .node = {2}}, true, POLICY_UNKNOWN},
    {"runai", "", {.kind = POLICY_HISTORY_NOMINATION, .devices = 16}, true, POLICY_INVALID},
    {"runai", "", {.kind = POLICY_HISTORY_NOMINATION, .place = 8}, true, POLICY_INVALID},
    {"runai", "idle_limit_s=10", {.kind = POLICY_HISTORY_IDLE, .from = 5}, true, POLICY_INVALID},
    {"runai", "", {.kind = POLICY_HISTORY_STARTED, .devices = 1}, true, POLICY_CONFLICT},
    {"runai", "", {.kind = POLICY_HISTORY_EVICTED}, true, POLICY_UNSUPPORTED},
    {"fifo", "", {.kind = POLICY_HISTORY_EVICTED}, true, POLICY_CONFLICT},
    {"fifo", "", {.kind = POLICY_HISTORY_STARTED}, true, POLICY_UNSUPPORTED},
    {"runai",
     "usage_window=sliding usage_window_s=64",
     {.kind = POLICY_HISTORY_USAGE, .count = 1001},
     false,
     POLICY_UNSUPPORTED},
    {"runai",
     "usage_window=sliding usage_window_s=64",
     {.kind = POLICY_HISTORY_USAGE, .count = 1000, .from = 1},
     false,
     POLICY_INVALID},
    {"runai",
     "usage_window=sliding usage_window_s=64",
     {.kind = POLICY_HISTORY_USAGE, .count = 1000, .from = -65000},
     false,
     POLICY_INVALID},
    {"runai",
     "usage_window=sliding usage_window_s=64",
     {.kind = POLICY_HISTORY_USAGE, .count = 1000, .until = 11},
     false,
     POLICY_INVALID},
    {"runai",
     "usage_window=sliding usage_window_s=64",
     {.kind = POLICY_HISTORY_USAGE, .count = 1000, .queue = {5}},
     false,
     POLICY_UNKNOWN},
};

START_TEST(impossible_values_are_refused)
{
    struct side s;
    side_begin(&s, refused[_i].preset, refused[_i].options);
    struct policy_history h = refused[_i].h;
    policy_job job = side_submit(&s, 0, 9, 0, 4, 1000);
    h.job = refused[_i].names_job ? job : h.job;
    struct policy_history before[SIDE_RECORDS];
    struct policy_history after[SIDE_RECORDS];
    uint32_t count = side_records(s.p, before);
    ck_assert_int_eq(side_tell(&s, 10, h), refused[_i].status);
    ck_assert_uint_eq(side_records(s.p, after), count);
    ck_assert(memcmp(before, after, count * sizeof *before) == 0);
    ck_assert_int_eq(s.p->now, 9); /* no time has passed either */
    ck_assert_int_eq(
        side_tell(&s, 8, (struct policy_history){.kind = h.kind, .job = h.job, .level = 5}) < 0, 1);
    side_finish(&s);
}
END_TEST

/* Structs of impossible sizes are refused; a longer one is accepted if its unknown part is zero. */
START_TEST(records_carry_their_size)
{
    struct {
        struct policy_history h;
        uint64_t more;
    } longer = {{.size = sizeof longer, .kind = POLICY_HISTORY_DRAWS, .count = 3}, 0};
    struct side s;
    side_begin(&s, "random", "");
    uint64_t next = 0;
    struct policy_history none = {.size = 8};
    ck_assert(!policy_history(s.p, &next, &none));
    ck_assert_int_eq(policy_set_history(s.p, 0, &none), POLICY_INVALID);
    ck_assert_int_eq(policy_set_history(s.p, 0, &longer.h), POLICY_OK);
    longer.more = 1;
    ck_assert_int_eq(policy_set_history(s.p, 0, &longer.h), POLICY_INVALID);
    ck_assert_uint_eq(side_find(s.p, POLICY_HISTORY_DRAWS, POLICY_NO_ID).count, 3);
    side_finish(&s);
}
END_TEST

/* Each allocation fails once: the record is refused, and accepted the next time. */
START_TEST(memory_may_run_out)
{
    static const char *const presets[] = {"slurm", "runai"};
    for (int preset = 0; preset < ROWS(presets); preset++) {
        bool failed = false;
        for (uint64_t fail = 1; fail < 16; fail++) {
            struct side s;
            side_begin(&s, presets[preset], "");
            side_submit(&s, 0, 0, 0, 4, 1000);
            struct policy_history h = {.kind = POLICY_HISTORY_NOMINATION, .job = s.jobs[0]};
            if (preset == 0)
                h = (struct policy_history){
                    .kind = POLICY_HISTORY_USER, .queue = s.queues[1], .used = 7};
            s.tally.failed = false;
            s.tally.fail_at = s.tally.calls + fail;
            int status = POLICY_OK;
            for (uint32_t i = 0; i < (preset == 0 ? 20 : 1) && status == POLICY_OK; i++) {
                h.user = preset == 0 ? i : 0;
                status = side_tell(&s, 0, h);
            }
            ck_assert_int_eq(status == POLICY_NO_MEMORY, s.tally.failed);
            failed = failed || s.tally.failed;
            s.tally.fail_at = 0;
            ck_assert(status == POLICY_OK || side_tell(&s, 0, h) == POLICY_OK);
            side_finish(&s);
        }
        ck_assert(failed);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("history");
    TCase *tcase = tcase_create("history");
    tcase_add_test(tcase, draws_continue);
    tcase_add_test(tcase, nominations_are_kept);
    tcase_add_test(tcase, some_day_is_no_promise);
    tcase_add_test(tcase, a_reservation_without_a_time_gets_one);
    tcase_add_test(tcase, a_gang_evicted_in_part_waits_again);
    tcase_add_test(tcase, freed_devices_are_tried);
    tcase_add_loop_test(tcase, impossible_values_are_refused, 0, ROWS(refused));
    tcase_add_test(tcase, records_carry_their_size);
    tcase_add_test(tcase, memory_may_run_out);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
