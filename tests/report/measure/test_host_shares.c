/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU and memory of queues by hand: a reclaim of cores, divisions, dominant shares. */
#include "report/measure/host_shares.h"
#include "tests/sim/small.h"

#include <math.h>

static void begin(struct small *s, struct host_shares *h, const char *preset, int gpus,
                  int64_t cores, int64_t mem_mib)
{
    *h = (struct host_shares){0};
    small_begin(s, preset, "");
    small_observe(s, host_shares_observer(h));
    small_pool(s, "p", 1, gpus);
    s->fleet.nodes[0].cpu_milli = cores * 1000;
    s->fleet.nodes[0].mem_mib = mem_mib;
    s->config.grace_ms = 0;
}

static void add(struct small *s, const char *queue, const char *id, int64_t at_s, int64_t run_s,
                int64_t gpus, int64_t cores, int64_t mem_mib)
{
    struct trace_job *job = small_job_of(s, queue, id, at_s * 1000, run_s * 1000, gpus);
    job->cpu_milli = cores * 1000;
    job->mem_mib = mem_mib;
    job->preemptible = 1;
}

static double seconds(double milli_ms)
{
    return milli_ms / 1e6;
}

static void finish(struct small *s, struct host_shares *h)
{
    small_run(s);
    host_shares_finish(h, s->sim);
}

static void end(struct small *s, struct host_shares *h)
{
    host_shares_fini(h);
    small_end(s);
}

/*
 * 10 cores, a quota of 5 each. b runs on all of them from 0 s; at 100 s a wants its 5 and gets them
 * back. In the 200 s that count, a has 5 for 100 s, b 10 and then 5, as they are entitled to. As
 * mean shares of the cores these are 0.25 and 0.75: Jain's index is 1 / (2 x 0.625).
 */
START_TEST(a_reclaim_of_cores_is_seen)
{
    struct small s;
    struct host_shares h;
    begin(&s, &h, "runai", 0, 10, 65536);
    small_queue(&s, "a", 0)->cpu.quota = 5000;
    small_queue(&s, "b", 0)->cpu.quota = 5000;
    for (int i = 0; i < 10; i++)
        add(&s, "b", (char[]){'b', (char)('0' + i), '\0'}, 0, 1000, 0, 1, 0);
    for (int i = 0; i < 5; i++)
        add(&s, "a", (char[]){'a', (char)('0' + i), '\0'}, 100, 1000, 0, 1, 0);
    s.config.horizon_ms = 200000;
    finish(&s, &h);
    ck_assert(host_shares_any(&h));
    ck_assert_int_eq(small_start(&s, "a4"), 100000);
    const struct host_queue a = host_shares_of(&h, 0), b = host_shares_of(&h, 1);
    ck_assert_double_eq_tol(seconds(a.used_ms[HOST_CPU]), 500, 1e-9);
    ck_assert_double_eq_tol(seconds(a.entitled_ms[HOST_CPU]), 500, 1e-9);
    ck_assert_double_eq_tol(seconds(b.used_ms[HOST_CPU]), 1500, 1e-9);
    ck_assert_double_eq_tol(seconds(b.entitled_ms[HOST_CPU]), 1500, 1e-9);
    ck_assert_double_eq_tol(host_shares_dominant(&a, s.sim), 0.25, 1e-9);
    ck_assert_double_eq_tol(host_shares_dominant(&b, s.sim), 0.75, 1e-9);
    ck_assert_double_eq_tol(host_shares_jain(&h, s.sim), 0.8, 1e-9);
    end(&s, &h);
}
END_TEST

/* The same beside a site with 90 more cores, which the policy divides together with the first. */
START_TEST(a_site_is_divided_by_itself)
{
    struct small s;
    struct host_shares h;
    begin(&s, &h, "runai", 0, 10, 65536);
    small_pool(&s, "q", 1, 8);
    s.fleet.nodes[1].cpu_milli = 90000;
    s.fleet.nodes[1].mem_mib = 65536;
    small_queue(&s, "a", 1)->cpu.quota = 5000;
    small_queue(&s, "b", 1)->cpu.quota = 5000;
    small_queue(&s, "other", 2);
    for (int i = 0; i < 10; i++)
        add(&s, "b", (char[]){'b', (char)('0' + i), '\0'}, 0, 1000, 0, 1, 0);
    add(&s, "other", "c", 0, 1000, 1, 1, 0);
    for (int i = 0; i < 5; i++)
        add(&s, "a", (char[]){'a', (char)('0' + i), '\0'}, 100, 1000, 0, 1, 0);
    s.config.horizon_ms = 200000;
    finish(&s, &h);
    ck_assert_double_eq_tol(seconds(host_shares_of(&h, 0).entitled_ms[HOST_CPU]), 500, 1e-9);
    ck_assert_double_eq_tol(seconds(host_shares_of(&h, 1).entitled_ms[HOST_CPU]), 1500, 1e-9);
    ck_assert_double_eq_tol(seconds(host_shares_of(&h, 2).entitled_ms[HOST_CPU]), 200, 1e-9);
    end(&s, &h);
}
END_TEST

/* The policy decides every 10 s even when nothing changes. Of 8 devices, a holds 2 for 100 s and b
 * 4 for 50 s. */
START_TEST(devices_count_before_the_policy_is_asked_again)
{
    struct small s;
    struct host_shares h;
    begin(&s, &h, "runai", 8, 64, 65536);
    add(&s, "a", "x", 0, 100, 2, 1, 0);
    add(&s, "b", "y", 0, 50, 4, 0, 0);
    s.config.cycle_ms = 10000;
    s.config.ask_always = true;
    s.config.horizon_ms = 100000;
    finish(&s, &h);
    const struct host_queue a = host_shares_of(&h, 0), b = host_shares_of(&h, 1);
    ck_assert_double_eq_tol(host_shares_dominant(&a, s.sim), 0.25, 1e-9);
    ck_assert_double_eq_tol(host_shares_dominant(&b, s.sim), 0.25, 1e-9);
    ck_assert_int_eq(a.demand_ms, 100000);
    ck_assert_int_eq(b.demand_ms, 50000);
    end(&s, &h);
}
END_TEST

/*
 * fifo does not reclaim: a waits from 10 s until b's jobs end at 100 s, with quotas of 4 of 10
 * cores and equal weights for the remaining 2: a is entitled to 5 of its 6, and b to 5 of its 10.
 */
START_TEST(without_a_division_of_the_policy_quotas_and_weights_divide)
{
    struct small s;
    struct host_shares h;
    begin(&s, &h, "fifo", 0, 10, 65536);
    small_queue(&s, "a", 0)->cpu.quota = 4000;
    small_queue(&s, "b", 0)->cpu.quota = 4000;
    add(&s, "b", "b0", 0, 100, 0, 10, 0);
    add(&s, "a", "a0", 10, 50, 0, 6, 0);
    s.config.horizon_ms = 100000;
    finish(&s, &h);
    const struct host_queue a = host_shares_of(&h, 0), b = host_shares_of(&h, 1);
    ck_assert_double_eq_tol(seconds(a.used_ms[HOST_CPU]), 0, 1e-9);
    ck_assert_double_eq_tol(seconds(a.entitled_ms[HOST_CPU]), 5 * 90, 1e-9);
    ck_assert_double_eq_tol(seconds(b.used_ms[HOST_CPU]), 1000, 1e-9);
    ck_assert_double_eq_tol(seconds(b.entitled_ms[HOST_CPU]), 10 * 10 + 5 * 90, 1e-9);
    end(&s, &h);
}
END_TEST

/*
 * The example of the DRF paper: 9 cores, 18 GB. A's tasks take 1 core and 4 GB, B's 3 cores and 1
 * GB: with 3 of A and 2 of B both have a dominant share of 2/3, A of memory and B of cores.
 */
START_TEST(the_dominant_share_is_that_of_the_paper)
{
    struct small s;
    struct host_shares h;
    begin(&s, &h, "fifo", 0, 9, 18 * 1024);
    small_queue(&s, "A", 0);
    small_queue(&s, "B", 0);
    for (int i = 0; i < 3; i++)
        add(&s, "A", (char[]){'a', (char)('0' + i), '\0'}, 0, 60, 0, 1, 4 * 1024);
    for (int i = 0; i < 2; i++)
        add(&s, "B", (char[]){'b', (char)('0' + i), '\0'}, 0, 60, 0, 3, 1024);
    finish(&s, &h);
    const struct host_queue a = host_shares_of(&h, 0), b = host_shares_of(&h, 1);
    ck_assert_double_eq_tol(host_shares_dominant(&a, s.sim), 2.0 / 3, 1e-9);
    ck_assert_double_eq_tol(host_shares_dominant(&b, s.sim), 2.0 / 3, 1e-9);
    ck_assert_double_eq_tol(host_shares_jain(&h, s.sim), 1, 1e-9);
    ck_assert_double_eq_tol(a.used_ms[HOST_MEM] / 1024 / 60000, 12, 1e-9);
    end(&s, &h);
}
END_TEST

/* 2 of 8 GPUs and 8 of 16 cores: cores dominate; a job of GPUs alone has its share of these. */
START_TEST(gpus_are_one_of_the_resources)
{
    struct small s;
    struct host_shares h;
    begin(&s, &h, "fifo", 8, 16, 65536);
    small_queue(&s, "mixed", 0);
    small_queue(&s, "gpus", 0);
    add(&s, "mixed", "m", 0, 60, 2, 8, 0);
    add(&s, "gpus", "g", 0, 60, 3, 0, 0);
    finish(&s, &h);
    const struct host_queue mixed = host_shares_of(&h, 0), gpus = host_shares_of(&h, 1);
    ck_assert_double_eq_tol(host_shares_dominant(&mixed, s.sim), 0.5, 1e-9);
    ck_assert_double_eq_tol(host_shares_dominant(&gpus, s.sim), 0.375, 1e-9);
    end(&s, &h);
}
END_TEST

START_TEST(jobs_of_gpus_alone_ask_for_no_host)
{
    struct small s;
    struct host_shares h;
    begin(&s, &h, "runai", 8, 16, 65536);
    add(&s, "q", "g", 0, 60, 3, 0, 0);
    finish(&s, &h);
    ck_assert(!host_shares_any(&h));
    end(&s, &h);
}
END_TEST

/* Random worlds: the use is the jobs' cores times their run time. */
START_TEST(used_is_what_jobs_held)
{
    struct small s;
    struct host_shares h;
    uint64_t random = (uint64_t)_i;
    begin(&s, &h, _i % 2 == 0 ? "fifo" : "easy", 4, 12, 4096);
    double expected[2] = {0, 0};
    small_queue(&s, "x", 0)->cpu.quota = 6000;
    small_queue(&s, "y", 0);
    for (int64_t i = 0, at = 0; i < 30; i++, at += small_below(&random, 20)) {
        int64_t queue = small_below(&random, 2), cores = small_below(&random, 13);
        int64_t run = 1 + small_below(&random, 50);
        add(&s, queue == 0 ? "x" : "y", (char[]){(char)('a' + i), '\0'}, at, run,
            small_below(&random, 3), cores, small_below(&random, 4096));
        expected[queue] += (double)(cores * run);
    }
    finish(&s, &h);
    for (size_t i = 0; i < 2; i++) {
        const struct host_queue q = host_shares_of(&h, i);
        ck_assert_double_eq_tol(seconds(q.used_ms[HOST_CPU]), expected[i], 1e-6);
        ck_assert_int_eq(q.running.of[HOST_CPU], 0);
        ck_assert_int_eq(q.wanted.of[HOST_MEM], 0);
    }
    end(&s, &h);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host_shares");
    TCase *tcase = tcase_create("host shares");
    tcase_add_test(tcase, a_reclaim_of_cores_is_seen);
    tcase_add_test(tcase, a_site_is_divided_by_itself);
    tcase_add_test(tcase, devices_count_before_the_policy_is_asked_again);
    tcase_add_test(tcase, without_a_division_of_the_policy_quotas_and_weights_divide);
    tcase_add_test(tcase, the_dominant_share_is_that_of_the_paper);
    tcase_add_test(tcase, gpus_are_one_of_the_resources);
    tcase_add_test(tcase, jobs_of_gpus_alone_ask_for_no_host);
    tcase_add_loop_test(tcase, used_is_what_jobs_held, 0, 40);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
