/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multifactor priority in decisions: each factor alone, computed from the published formulas, and
 * when priorities are calculated. One device; jobs are numbered from 1 in the order of submission.
 * Times in milliseconds.
 */
#include "order/multifactor.h"
#include "order/multifactor_use.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#define HOUR INT64_C(3600000)
#define DAY  (24 * HOUR)
#define NONE                                                                                       \
    "priority_weight_age=0 priority_weight_fairshare=0 priority_weight_job_size=0 "                \
    "priority_weight_partition=0 priority_weight_qos=0 "

struct line {
    struct tally tally;
    struct policy *p;
    policy_queue queues[4];
    policy_job jobs[8];
    uint64_t count;
};

static policy_queue queue_at(struct line *l, policy_time at, policy_queue parent, int32_t priority,
                             int64_t shares)
{
    struct policy_queue_spec spec = {.size = sizeof spec,
                                     .parent = parent,
                                     .priority = priority,
                                     .gpu = {0, POLICY_UNLIMITED, shares * 1000}};
    policy_queue q = policy_add_queue(l->p, at, &spec);
    ck_assert_uint_ne(q.i, POLICY_NO_ID);
    return q;
}

static policy_queue queue(struct line *l, policy_queue parent, int32_t priority, int64_t shares)
{
    return queue_at(l, 0, parent, priority, shares);
}

static void begin(struct line *l, const char *options)
{
    *l = (struct line){0};
    l->p = core_create(&l->tally, "slurm", options);
    core_node(l->p, 0, 8);
    for (int i = 0; i < 4; i++)
        l->queues[i] = queue(l, (policy_queue){POLICY_NO_ID}, 10 * (i + 1), i + 1);
}

static uint32_t submit(struct line *l, policy_time at, int queue_of, uint32_t user, int32_t devices,
                       int32_t priority)
{
    struct policy_role role = core_role(1, core_devices(devices));
    struct policy_job_spec spec = core_job_spec(l->queues[queue_of], l->count, &role, 1);
    spec.submitted = at;
    spec.user = user;
    spec.priority = priority;
    policy_job job = policy_submit(l->p, at, &spec);
    ck_assert_uint_ne(job.i, POLICY_NO_ID);
    l->jobs[l->count++] = job;
    return job.i;
}

static void end(struct line *l, policy_time at, uint32_t job)
{
    ck_assert_int_eq(policy_task_ended(l->p, at, l->jobs[job], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                     POLICY_OK);
}

/* The points of a pending job. */
static double points(const struct line *l, uint32_t job)
{
    return (double)-l->p->cluster->jobs[job].key.minor / (double)PC_PRIORITY_UNIT;
}

static void finish(struct line *l)
{
    core_destroy(l->p, &l->tally);
}

START_TEST(without_weights_it_is_first_come_first_served)
{
    struct line l;
    begin(&l, NONE);
    uint32_t first = submit(&l, 0, 0, 1, 8, 1);
    uint32_t second = submit(&l, 0, 3, 2, 1, 99);
    core_decide(l.p, 0, 1);
    ck_assert_int_eq(l.p->cluster->jobs[first].running, 1);
    ck_assert(points(&l, second) == 0);
    finish(&l);
}
END_TEST

/* age_factor = time waited / PriorityMaxAge, at most 1. */
START_TEST(age_counts_up_to_the_most)
{
    static const struct {
        policy_time waited;
        double points;
    } rows[] = {
        {0, 0}, {DAY, 1000.0 / 7}, {3 * DAY + 12 * HOUR, 500}, {7 * DAY, 1000}, {30 * DAY, 1000}};
    struct line l;
    for (int i = 0; i < ROWS(rows); i++) {
        begin(&l, NONE "priority_weight_age=1000");
        submit(&l, 0, 0, 1, 8, 1); /* runs */
        core_decide(l.p, 0, 1);
        uint32_t waits = submit(&l, 0, 0, 1, 8, 1);
        submit(&l, 0, 0, 1, 8, 1);
        core_decide(l.p, rows[i].waited, 0);
        submit(&l, rows[i].waited, 1, 2, 8, 1); /* a new user: everything is recalculated */
        core_decide(l.p, rows[i].waited, 0);
        ck_assert_msg(points(&l, waits) >= rows[i].points - 1e-5 &&
                          points(&l, waits) <= rows[i].points + 1e-5,
                      "%f points, not %f", points(&l, waits), rows[i].points);
        finish(&l);
    }
}
END_TEST

/* Of 8 devices: 2 are a quarter; the larger has more, or less. */
START_TEST(size_counts)
{
    for (int small = 0; small < 2; small++) {
        struct line l;
        begin(&l, small ? NONE "priority_weight_job_size=1000 priority_favor_small=true"
                        : NONE "priority_weight_job_size=1000");
        submit(&l, 0, 0, 1, 8, 1);
        core_decide(l.p, 0, 1);
        uint32_t quarter = submit(&l, 1, 0, 1, 2, 1);
        uint32_t half = submit(&l, 1, 0, 1, 4, 1);
        core_decide(l.p, 1, 0);
        ck_assert(points(&l, quarter) == (small ? 750 : 250));
        ck_assert(points(&l, half) == 500);
        end(&l, 2, 0);
        const struct policy_decision *d = core_decide(l.p, 2, 2);
        ck_assert_uint_eq(d[0].job.i, small ? quarter : half);
        finish(&l);
    }
}
END_TEST

/* Priorities of queues are 10, 20, 30 and 40; of jobs 25, 100 and below 0. */
START_TEST(partitions_and_qualities_count)
{
    struct line l;
    begin(&l, NONE "priority_weight_partition=1000 priority_weight_qos=100");
    submit(&l, 0, 0, 1, 8, 100);
    core_decide(l.p, 0, 1);
    uint32_t a = submit(&l, 1, 0, 1, 1, 25);
    uint32_t b = submit(&l, 1, 3, 1, 1, -5);
    core_decide(l.p, 1, 0);
    ck_assert(points(&l, a) == 250 + 25);
    ck_assert(points(&l, b) == 1000);
    submit(&l, 2, 3, 1, 1, 200); /* a higher quality than any before */
    core_decide(l.p, 2, 0);
    ck_assert(points(&l, a) == 250 + 12.5);
    finish(&l);
}
END_TEST

/*
 * Users 1 and 2 of one queue. 1 has had all 8 devices for an hour, so 2 comes first, with 2/2 of
 * the points, and 1 has 1/2; before, both were tied.
 */
START_TEST(less_usage_comes_first)
{
    struct line l;
    begin(&l, NONE "priority_weight_fairshare=10000");
    submit(&l, 0, 0, 1, 8, 1);
    uint32_t b = submit(&l, 0, 0, 1, 8, 1);
    uint32_t c = submit(&l, 0, 0, 2, 8, 1);
    core_decide(l.p, 0, 1);
    ck_assert(points(&l, b) == 10000 && points(&l, c) == 10000);
    ck_assert_int_eq(policy_next_wakeup(l.p), 300000);
    core_decide(l.p, 300000, 0);
    ck_assert(points(&l, b) == 5000 && points(&l, c) == 10000);
    end(&l, HOUR, 0);
    const struct policy_decision *d = core_decide(l.p, HOUR, 1);
    ck_assert_uint_eq(d[0].job.i, c);
    finish(&l);
}
END_TEST

/* Queues have 1, 2, 3 and 4 shares. After equal usage the order is that of shares; b is last. */
START_TEST(accounts_come_before_users)
{
    struct line l;
    begin(&l, NONE "priority_weight_fairshare=12");
    for (int i = 0; i < 4; i++)
        submit(&l, 0, i, 7, 2, 1);
    core_decide(l.p, 0, 4);
    uint32_t waiting[4];
    for (int i = 0; i < 4; i++)
        waiting[i] = submit(&l, 1, i, i == 0 ? 8 : 7, 1, 1);
    core_decide(l.p, HOUR, 0);
    ck_assert(points(&l, waiting[3]) == 12);           /* 5 of 5 */
    ck_assert(points(&l, waiting[2]) <= 12.0 / 5 * 4); /* rounded down */
    ck_assert(points(&l, waiting[2]) > 12.0 / 5 * 4 - 1e-5);
    ck_assert(points(&l, waiting[1]) > 12.0 / 5 * 3 - 1e-5);
    ck_assert(points(&l, waiting[0]) >
              12.0 / 5 * 2 - 1e-5); /* unused itself, in the account that used most */
    ck_assert(points(&l, waiting[0]) < 12.0 / 5 * 3 - 1e-5);
    finish(&l);
}
END_TEST

/* Use before the last half-life counts half: 8 devices for 2 days, then a week later 8 for 1 day
 * and a little more. */
START_TEST(past_use_fades)
{
    struct line l;
    begin(&l, NONE "priority_weight_fairshare=2 priority_decay_half_life_s=604800");
    submit(&l, 0, 0, 1, 8, 1);
    core_decide(l.p, 0, 1);
    end(&l, 2 * DAY, 0);
    submit(&l, 9 * DAY - DAY / 2, 0, 2, 8, 1);
    core_decide(l.p, 9 * DAY - DAY / 2, 1);
    uint32_t one = submit(&l, 9 * DAY, 0, 1, 8, 1);
    uint32_t two = submit(&l, 9 * DAY, 0, 2, 8, 1);
    core_decide(l.p, 9 * DAY, 0);
    ck_assert(points(&l, one) == 1 &&
              points(&l, two) == 2); /* 2 days, faded to less than 1; but half a day */
    core_decide(l.p, 9 * DAY + DAY / 2, 0);
    ck_assert(points(&l, one) == 2 &&
              points(&l, two) == 1); /* a day is more than what is left of two */
    finish(&l);
}
END_TEST

/*
 * The earliest time, -2^63, is 124,192 ms into a period of 300 s, so the next one begins 175,808 ms
 * later. Use is counted in thousandths of a device times 100 ms at the start of each period, and
 * times 1 ms since then: a device adds 10 a millisecond, and 1000.
 */
static const struct {
    int64_t ran_ms;
    uint64_t used, since_bound;
} earliest[] = {
    {175807, 0, 175807000},
    {175808, 1758080, 0},
    {175808 + 300000 + 7, 1758080 + 3000000, 7000},
};

START_TEST(use_counts_from_the_earliest_time_on)
{
    const policy_time from = INT64_MIN;
    struct line l = {0};
    l.p = core_create(&l.tally, "slurm", "priority_decay_half_life_s=0");
    struct policy_node_spec node = core_node_spec(0, 1);
    ck_assert_uint_eq(policy_add_node(l.p, from, &node).i, 0);
    l.queues[0] = queue_at(&l, from, (policy_queue){POLICY_NO_ID}, 1, 1);
    submit(&l, from, 0, 1, 1, 1);
    core_decide(l.p, from, 1);
    end(&l, from + earliest[_i].ran_ms, 0);
    ck_assert_uint_eq(pc_multifactor_of(l.p)->of[0].used, earliest[_i].used);
    ck_assert_uint_eq(pc_multifactor_of(l.p)->of[0].since_bound, earliest[_i].since_bound);
    finish(&l);
}
END_TEST

/* Time does not change the order of one user's jobs until one has reached the maximum age; nor
 * while no job runs. */
START_TEST(time_wakes_only_where_it_matters)
{
    struct line l;
    begin(&l, "priority_max_age_s=1000");
    submit(&l, 0, 0, 1, 8, 1);
    core_decide(l.p, 0, 1);
    submit(&l, 1, 0, 1, 8, 1);
    core_decide(l.p, 1, 0);
    ck_assert_int_eq(policy_next_wakeup(l.p), INT64_MAX); /* one is pending */
    submit(&l, 2, 0, 1, 4, 1);
    core_decide(l.p, 2, 0);
    ck_assert_int_eq(policy_next_wakeup(l.p), 1200000); /* the first bound after 1,000,001 */
    submit(&l, 3, 1, 1, 4, 1);
    core_decide(l.p, 3, 0);
    ck_assert_int_eq(policy_next_wakeup(l.p), 300000); /* two users */
    ck_assert_int_eq(policy_set_node_state(l.p, 4, (policy_node){0}, POLICY_NODE_DOWN), POLICY_OK);
    end(&l, 5, 0);
    core_decide(l.p, 5, 0);
    ck_assert_int_eq(policy_next_wakeup(l.p), INT64_MAX);
    finish(&l);
}
END_TEST

/* Removing a queue removes its users; its number may be reused. */
START_TEST(users_go_with_their_queue)
{
    struct line l;
    begin(&l, NONE "priority_weight_fairshare=100");
    submit(&l, 0, 2, 1, 8, 1);
    core_decide(l.p, 0, 1);
    end(&l, HOUR, 0);
    ck_assert_uint_eq(pc_multifactor_of(l.p)->sorted_count, 1);
    ck_assert_int_eq(policy_remove_queue(l.p, HOUR, l.queues[2]), POLICY_OK);
    ck_assert_uint_eq(pc_multifactor_of(l.p)->sorted_count, 0);
    struct policy_queue_spec spec = {
        .size = sizeof spec, .parent = {POLICY_NO_ID}, .gpu = {0, -1, 1000}};
    ck_assert_uint_eq(policy_add_queue(l.p, HOUR, &spec).i, l.queues[2].i);
    submit(&l, HOUR, 2, 1, 8, 1);
    core_decide(l.p, HOUR, 1);
    ck_assert_uint_eq(pc_multifactor_of(l.p)->count, 1);
    ck_assert_uint_eq(pc_multifactor_of(l.p)->of[0].used, 0);
    finish(&l);
}
END_TEST

/* There is nothing to move then, not even zero bytes from NULL. */
START_TEST(queues_without_users_go_too)
{
    struct line l;
    begin(&l, "");
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(policy_remove_queue(l.p, 0, l.queues[i]), POLICY_OK);
    core_is_sound(l.p);
    finish(&l);
}
END_TEST

/* A job behind the first one gets that reason. */
START_TEST(reasons_are_the_usual_ones)
{
    struct line l;
    begin(&l, "backfilling=none");
    submit(&l, 0, 0, 1, 6, 1);
    core_decide(l.p, 0, 1);
    submit(&l, 1, 0, 1, 8, 1);
    submit(&l, 1, 0, 1, 1, 1);
    core_decide(l.p, 1, 0);
    ck_assert_int_eq(core_reason(l.p, l.jobs[1]), POLICY_REASON_DEVICES_BUSY);
    ck_assert_int_eq(core_reason(l.p, l.jobs[2]), POLICY_REASON_BEHIND);
    finish(&l);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("multifactor");
    TCase *tcase = tcase_create("multifactor");
    tcase_add_test(tcase, without_weights_it_is_first_come_first_served);
    tcase_add_test(tcase, age_counts_up_to_the_most);
    tcase_add_test(tcase, size_counts);
    tcase_add_test(tcase, partitions_and_qualities_count);
    tcase_add_test(tcase, less_usage_comes_first);
    tcase_add_test(tcase, accounts_come_before_users);
    tcase_add_test(tcase, past_use_fades);
    tcase_add_loop_test(tcase, use_counts_from_the_earliest_time_on, 0, ROWS(earliest));
    tcase_add_test(tcase, time_wakes_only_where_it_matters);
    tcase_add_test(tcase, users_go_with_their_queue);
    tcase_add_test(tcase, queues_without_users_go_too);
    tcase_add_test(tcase, reasons_are_the_usual_ones);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
