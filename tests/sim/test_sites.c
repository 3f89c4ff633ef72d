/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites: pools that belong together, their backlogs, and that an interval is closed once per
 * instant. */
#include "tests/sim/small.h"

/* Queues are bound to the pools of a set (bit i: pool i, 0: any); 5 pools of 1, 2, 4, 8, 16
 * devices. */
static const struct {
    uint32_t queues[4];
    int queue_count;
    bool from_trace;
    uint32_t site_of_pool[5];
    int64_t gpus_of_site[5]; /* up to the first 0 */
} rows[] = {
    {{0}, 0, true, {0, 0, 0, 0, 0}, {31}},
    {{0}, 1, false, {0, 0, 0, 0, 0}, {31}},
    {{1, 2, 4, 8}, 4, false, {0, 1, 2, 3, 4}, {1, 2, 4, 8, 16}},
    {{1, 2, 4}, 3, true, {0, 0, 0, 0, 0}, {31}}, /* a new queue may use any pool */
    {{3, 12}, 2, false, {0, 0, 1, 1, 2}, {3, 12, 16}},
    {{5, 20}, 2, false, {0, 1, 0, 2, 0}, {21, 2, 8}}, /* 0-2 and 2-4: one chain */
    {{24, 12, 6, 3}, 4, false, {0, 0, 0, 0, 0}, {31}},
    {{17, 10}, 2, false, {0, 1, 2, 1, 0}, {17, 10, 4}},
    {{1, 0, 2}, 3, false, {0, 0, 0, 0, 0}, {31}},
    {{16, 16, 16, 16}, 4, false, {0, 1, 2, 3, 4}, {1, 2, 4, 8, 16}},
};

START_TEST(queues_connect_pools)
{
    struct small s;
    small_begin(&s, "fifo", "");
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (int pool = 0; pool < 5; pool++)
        small_pool(&s, names[pool], 1, 1 << pool);
    for (int i = 0; i < rows[_i].queue_count; i++)
        small_queue(&s, names[i], rows[_i].queues[i]);
    s.config.queues_from_trace = rows[_i].from_trace;
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    for (int pool = 0; pool < 5; pool++)
        ck_assert_uint_eq(s.sim->site_of_pool[pool], rows[_i].site_of_pool[pool]);
    size_t sites = 0;
    while (sites < 5 && rows[_i].gpus_of_site[sites] > 0) {
        ck_assert_int_eq(s.sim->sites[sites].milli, rows[_i].gpus_of_site[sites] * 1000);
        sites++;
    }
    ck_assert_uint_eq(s.sim->site_count, sites);
    for (int i = 0; i < rows[_i].queue_count; i++)
        for (int pool = 0; pool < 5; pool++)
            if ((rows[_i].queues[i] >> pool & 1) != 0)
                ck_assert_uint_eq(s.sim->queues[i].site, rows[_i].site_of_pool[pool]);
    small_end(&s);
}
END_TEST

/* An inner queue without pools of its own has no jobs, so it connects nothing. */
START_TEST(inner_queues_connect_nothing)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "a", 1, 1);
    small_pool(&s, "b", 1, 2);
    small_queue(&s, "top", 0);
    small_queue(&s, "left", 1)->parent = 0;
    small_queue(&s, "right", 2)->parent = 0;
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    ck_assert_uint_eq(s.sim->site_count, 2);
    ck_assert_uint_eq(s.sim->queues[1].site, 0);
    ck_assert_uint_eq(s.sim->queues[2].site, 1);
    small_end(&s);
}
END_TEST

/* Site 0 has two queues with different pools, whose backlogs are added; site 1 waits separately. */
START_TEST(backlogs_belong_to_sites)
{
    struct small s;
    small_begin(&s, "fifo", "scope=queue blocking=skip");
    small_pool(&s, "a", 1, 4);
    small_pool(&s, "b", 1, 4);
    small_pool(&s, "c", 1, 2);
    small_queue(&s, "wide", 3);
    small_queue(&s, "narrow", 2);
    small_queue(&s, "also narrow", 2);
    small_queue(&s, "apart", 4);
    small_job_of(&s, "narrow", "n1", 0, 10000, 4);
    small_job_of(&s, "wide", "w1", 0, 10000, 4);
    small_job_of(&s, "narrow", "n2", 1000, 1000, 3);
    small_job_of(&s, "also narrow", "n3", 1000, 1000, 1);
    small_job_of(&s, "wide", "w2", 1000, 1000, 2);
    small_job_of(&s, "wide", "w3", 1000, 1000, 9); /* never */
    small_job_of(&s, "wide", "w4", 1000, 1000, 1)->eligible_ms = 20000;
    small_job_of(&s, "apart", "x1", 1000, 9000, 2);
    small_job_of(&s, "apart", "x2", 1000, 9000, 1);
    ck_assert(small_create(&s) && sim_run(s.sim, 5000, &s.err));
    struct policy_backlog backlog;
    sim_backlog(s.sim, 0, &backlog);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_DEVICES_BUSY], 3);
    ck_assert_int_eq(backlog.gpu_milli[POLICY_REASON_DEVICES_BUSY], 6000);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_NEVER_FITS], 1);
    ck_assert_int_eq(backlog.gpu_milli[POLICY_REASON_NEVER_FITS], 9000);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_NOT_ELIGIBLE], 1);
    sim_backlog(s.sim, 1, &backlog);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_DEVICES_BUSY], 1);
    ck_assert_int_eq(backlog.gpu_milli[POLICY_REASON_DEVICES_BUSY], 1000);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_NEVER_FITS], 0);
    for (size_t i = 0; i < s.sim->work.capacity; i++) {
        const struct work_job *job = &s.sim->work.jobs[i];
        if (job->state == WORK_PENDING)
            ck_assert_int_eq(sim_never_fits(s.sim, job), strcmp(work_id(job), "w3") == 0);
    }
    small_end(&s);
}
END_TEST

/* ---- closing intervals ---- */

static void note(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    (void)sim;
    char *text = self;
    size_t used = strlen(text);
    (void)snprintf(text + used, 256 - used, "%u:%d-%d ", site, (int)(from / 1000),
                   (int)(to / 1000));
}

START_TEST(only_sites_with_events_are_settled)
{
    char text[256] = "";
    struct small s;
    small_begin(&s, "fifo", "scope=queue");
    small_pool(&s, "a", 1, 1);
    small_pool(&s, "b", 1, 1);
    small_pool(&s, "idle", 1, 1);
    small_queue(&s, "x", 1);
    small_queue(&s, "y", 2);
    small_job_of(&s, "x", "x1", 0, 3000, 1);
    small_job_of(&s, "y", "y1", 2000, 4000, 1);
    small_job_of(&s, "x", "x2", 3000, 3000, 1);
    small_observe(&s, (struct sim_observer){.self = text, .interval = note});
    small_run(&s);
    ck_assert_str_eq(text, "1:0-2 0:0-3 1:2-6 0:3-6 2:0-6 ");
    small_end(&s);
}
END_TEST

/* ---- which queues changed ---- */

enum { WATCHED = 4 };

struct watch {
    struct sim_queue before[WATCHED]; /* in the site's last interval */
    uint64_t intervals, changes;
};

static bool is_listed(const struct sim_site *site, uint32_t queue)
{
    for (size_t i = 0; i < site->altered_count; i++)
        if (site->altered[i] == queue)
            return true;
    return false;
}

static bool is_same(const struct sim_queue *a, const struct sim_queue *b)
{
    return a->held_milli == b->held_milli && a->running_milli == b->running_milli &&
           a->wanted_milli == b->wanted_milli && a->pending_jobs == b->pending_jobs &&
           a->gpu.quota == b->gpu.quota && a->gpu.limit == b->gpu.limit;
}

static void compare_queues(void *self, const struct sim *sim, uint32_t id, int64_t from, int64_t to)
{
    struct watch *w = self;
    const struct sim_site *site = &sim->sites[id];
    (void)from, (void)to;
    w->intervals++;
    for (size_t i = 0; i < site->queue_count; i++) {
        const struct sim_queue *queue = &sim->queues[site->queues[i]];
        bool same = is_same(queue, &w->before[site->queues[i]]);
        ck_assert_msg(same || is_listed(site, site->queues[i]), "queue %u changed, unlisted",
                      site->queues[i]);
        w->changes += !same;
        w->before[site->queues[i]] = *queue;
    }
}

/* Jobs of one to four GPUs on six, preempted and preempting, some that never fit, in four queues of
 * one site; the limit of one queue changes after 20 s. */
START_TEST(queues_that_change_are_listed)
{
    struct small s;
    struct watch w = {0};
    uint64_t random = (uint64_t)_i;
    static const char *const names[WATCHED] = {"w", "x", "y", "z"};
    const struct sim_change changes[] = {
        {.queue = "w",
         .at = {.kind = SIM_AFTER_BEGIN, .ms = 20000},
         .sets = 1u << SIM_TERM_GPU_LIMIT,
         .value = {[SIM_TERM_GPU_LIMIT] = 2000}},
    };
    small_begin(&s, "srtf", "");
    small_pool(&s, "p", 2, 3);
    for (int i = 0; i < WATCHED; i++)
        small_queue(&s, names[i], 0);
    s.config.grace_ms = 1000;
    s.config.changes = changes;
    s.config.change_count = ROWS(changes);
    for (int64_t i = 0; i < 60; i++)
        small_job_of(&s, names[small_below(&random, WATCHED)], "j", i * 1500,
                     1000 * (1 + small_below(&random, 30)), 1 + (int)small_below(&random, 5));
    small_observe(&s, (struct sim_observer){.self = &w, .interval = compare_queues});
    small_run(&s);
    ck_assert_uint_gt(w.intervals, 60);
    ck_assert_uint_gt(w.changes, 60);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sites");
    TCase *tcase = tcase_create("sites");
    tcase_add_loop_test(tcase, queues_connect_pools, 0, ROWS(rows));
    tcase_add_test(tcase, inner_queues_connect_nothing);
    tcase_add_test(tcase, backlogs_belong_to_sites);
    tcase_add_test(tcase, only_sites_with_events_are_settled);
    tcase_add_loop_test(tcase, queues_that_change_are_listed, 0, 20);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
