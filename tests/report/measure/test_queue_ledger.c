/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accounts of queues in hand-made runs, and that they add up to the ledger. */
#include "report/measure/preemption.h"
#include "report/measure/queue_ledger.h"
#include "tests/sim/evict.h"

static int64_t gpu_s(ledger_amount amount)
{
    return (int64_t)(amount / 1000000);
}

/*
 * 4 GPUs, 5 s of grace. a's job of 2 GPUs and 100 s, whose restart takes 10 s, is evicted at 40
 * without a checkpoint: 80 GPU-seconds are repeated, after 10 of grace and 20 of restart. b's job
 * of 1 GPU fails after 50 s.
 */
START_TEST(each_queue_has_its_own_losses)
{
    struct small s;
    struct ledger l = {0};
    struct queue_ledger q;
    struct preemption p = {0};
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 4);
    small_queue(&s, "a", 0);
    small_queue(&s, "b", 0);
    small_queue(&s, "empty", 0);
    s.config.grace_ms = 5000;
    struct trace_job *a = small_job_of(&s, "a", "lost", 0, 100000, 2);
    a->checkpoint_ms = 1000000;
    a->checkpoint_write_ms = 0;
    a->restart_ms = 10000;
    small_job_of(&s, "b", "fails", 0, 50000, 2)->status = TRACE_FAILED;
    small_observe(&s, queue_ledger_observer(&q, &l));
    small_observe(&s, preemption_observer(&p));
    ck_assert(small_create(&s));
    evict_run(&s, 40000);
    evict_now(&s, "lost", INT32_MAX);
    evict_finish(&s);

    const struct queue_account of_a = queue_ledger_of(&q, 0), of_b = queue_ledger_of(&q, 1);
    const struct queue_account of_empty = queue_ledger_of(&q, 2), beyond = queue_ledger_of(&q, 99);
    ck_assert_int_eq(gpu_s(of_a.preemption), 80);
    ck_assert_int_eq(gpu_s(of_a.hold), 10);
    ck_assert_int_eq(gpu_s(of_a.restart), 20);
    ck_assert_int_eq(gpu_s(of_a.user), 0);
    ck_assert_int_eq(gpu_s(of_a.allocated), 80 + 10 + 20 + 200);
    ck_assert_int_eq(gpu_s(queue_account_running(&of_a)), 80 + 200);
    ck_assert_int_eq(gpu_s(queue_account_productive(&of_a)), 200);
    ck_assert_int_eq(gpu_s(of_b.user), 100);
    ck_assert_int_eq(gpu_s(of_b.allocated), 100);
    ck_assert_int_eq(gpu_s(queue_account_productive(&of_b)), 0);
    ck_assert(of_empty.allocated == 0 && beyond.allocated == 0);
    ck_assert(of_a.allocated + of_b.allocated == l.allocated);
    ck_assert(queue_account_productive(&of_a) + queue_account_productive(&of_b) ==
              ledger_productive(&l));

    /* on recorded hardware the lasting work is the productive time */
    ck_assert_int_eq(gpu_s(of_a.work), 200);
    ck_assert_int_eq(gpu_s(of_b.work), 0);
    ck_assert(of_a.work + of_b.work == ledger_work(&l));

    ck_assert_uint_eq(preemption_of(&p, 0).evictions, 1);
    ck_assert_uint_eq(preemption_of(&p, 0).jobs, 1);
    ck_assert_uint_eq(preemption_of(&p, 1).evictions, 0);
    ck_assert_uint_eq(preemption_of(&p, 99).evictions, 0);
    queue_ledger_fini(&q);
    ledger_fini(&l);
    preemption_fini(&p);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queue_ledger");
    TCase *tcase = tcase_create("queue_ledger");
    tcase_add_test(tcase, each_queue_has_its_own_losses);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
