/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repairs: two branches, relapses, resets followed by replacement; drains; users; XIDs. */
#include "sim/faults/repair.h"

#include "sim/faults/drain.h"
#include "sim/faults/user.h"
#include "sim/faults/xid.h"
#include "tests/lib/faults.h"

#include <math.h>

#define DRAWS 100000

START_TEST(branches_and_relapses)
{
    struct fault_class class = test_profile("h100").classes[FAULT_GPU];
    double parts = 0, relapses = 0, resets_s = 0, parts_s = 0;
    for (uint64_t key = 0; key < DRAWS; key++) {
        struct fault_repair repair = fault_repair_draw(&class, 1, key, 0);
        parts += repair.hardware;
        relapses += repair.relapses;
        (repair.hardware) ? (parts_s += (double)repair.takes_ms / 1000)
                          : (resets_s += (double)repair.takes_ms / 1000);
        ck_assert(!repair.relapses || (!repair.hardware && repair.relapse_ms > 0));
    }
    double resets = DRAWS - parts;
    ck_assert_double_eq_tol(parts / DRAWS, 0.27, 0.006);
    ck_assert_double_eq_tol(relapses / resets, 0.1, 0.005);
    ck_assert_double_eq_tol(parts_s / parts, 4 * 24 * 3600, 0.01 * 4 * 24 * 3600);
    // A lognormal with sigma 1.94: the mean of 73,000 has a standard error of 2.4 %.
    ck_assert_double_eq_tol(resets_s / resets, 7920, 0.1 * 7920);
    ck_assert_double_eq_tol(fault_repair_mean_s(&class), 0.73 * 7920 + 0.27 * 345600, 1);
}
END_TEST

START_TEST(resets_give_way_to_parts)
{
    struct fault_class class = test_profile("h100").classes[FAULT_GPU];
    class.relapse = 1;
    for (uint64_t key = 0; key < 1000; key++) {
        unsigned attempt = 0;
        while (fault_repair_draw(&class, 1, key, attempt).relapses)
            attempt++;
        ck_assert_uint_le(attempt, FAULT_RESETS);
        ck_assert(fault_repair_draw(&class, 1, key, attempt).hardware);
    }
}
END_TEST

START_TEST(repairs_are_keyed)
{
    struct fault_class class = test_profile("h100").classes[FAULT_GPU];
    struct fault_repair first = fault_repair_draw(&class, 1, 77, 0);
    (void)fault_repair_draw(&class, 1, 78, 0);
    struct fault_repair again = fault_repair_draw(&class, 1, 77, 0);
    ck_assert_int_eq(first.takes_ms, again.takes_ms);
    ck_assert_int_ne(first.takes_ms, fault_repair_draw(&class, 2, 77, 0).takes_ms);
    ck_assert_int_ne(first.takes_ms, fault_repair_draw(&class, 1, 78, 0).takes_ms);
    ck_assert_int_ne(first.takes_ms, fault_repair_draw(&class, 1, 77, 1).takes_ms);
}
END_TEST

static const struct drain_row {
    enum fault_drain rule;
    bool repeated, patient;
    enum fault_drain done;
} drain_rows[] = {
    {FAULT_DRAIN_NO, true, false, FAULT_DRAIN_NO},
    {FAULT_DRAIN_REPEAT, false, false, FAULT_DRAIN_NO},
    {FAULT_DRAIN_REPEAT, true, false, FAULT_DRAIN_AFTER_JOB},
    {FAULT_DRAIN_AFTER_JOB, false, false, FAULT_DRAIN_AFTER_JOB},
    {FAULT_DRAIN_NOW, false, false, FAULT_DRAIN_NOW},
    {FAULT_DRAIN_NOW, false, true, FAULT_DRAIN_AFTER_JOB},
};

START_TEST(drains_follow_rules)
{
    const struct drain_row *row = &drain_rows[_i];
    ck_assert_int_eq(fault_drain_decide(row->rule, row->repeated, row->patient), row->done);
}
END_TEST

/* Nearly a quarter of the jobs; 73 % of those in their first ten minutes. */
START_TEST(users_fail_early)
{
    struct fault_class user = test_profile("h100").classes[FAULT_USER];
    double failed = 0, early = 0;
    for (uint64_t job = 0; job < DRAWS; job++) {
        int64_t after = fault_user_after_ms(&user, 1, job);
        ck_assert_int_eq(after, fault_user_after_ms(&user, 1, job));
        failed += after != INT64_MAX;
        early += after <= 600 * 1000;
    }
    ck_assert_double_eq_tol(failed / DRAWS, 0.24, 4 * sqrt(0.24 * 0.76 / DRAWS));
    ck_assert_double_eq_tol(early / failed, 0.73, 4 * sqrt(0.73 * 0.27 / failed) + 0.001);
}
END_TEST

static const struct xid_row {
    int xid;
    bool known, kills;
    enum fault_drain drain;
    enum fault_class_id of;
} xid_rows[] = {
    {13, true, true, FAULT_DRAIN_NO, FAULT_USER},
    {48, true, true, FAULT_DRAIN_NOW, FAULT_HBM},
    {63, true, false, FAULT_DRAIN_AFTER_JOB, FAULT_HBM},
    {64, true, true, FAULT_DRAIN_NOW, FAULT_HBM},
    {74, true, true, FAULT_DRAIN_NOW, FAULT_NVLINK},
    {79, true, true, FAULT_DRAIN_NOW, FAULT_GPU},
    {92, true, false, FAULT_DRAIN_NO, FAULT_HBM},
    {94, true, true, FAULT_DRAIN_NO, FAULT_HBM},
    {95, true, true, FAULT_DRAIN_NOW, FAULT_HBM},
    {119, true, true, FAULT_DRAIN_NOW, FAULT_GSP},
    {147, true, true, FAULT_DRAIN_NOW, FAULT_NVLINK},
    {0, false, false, FAULT_DRAIN_NO, FAULT_USER},
    {111, false, false, FAULT_DRAIN_NO, FAULT_USER},
};

START_TEST(xids_have_their_actions)
{
    const struct xid_row *row = &xid_rows[_i];
    const struct fault_xid *xid = fault_xid_find(row->xid);
    ck_assert_int_eq(xid != NULL, row->known);
    if (!xid)
        return;
    ck_assert_int_eq(xid->kills, row->kills);
    ck_assert_int_eq(xid->drain, row->drain);
    ck_assert_int_eq(xid->of, row->of);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("repair");
    TCase *tcase = tcase_create("repairs");
    tcase_add_test(tcase, branches_and_relapses);
    tcase_add_test(tcase, resets_give_way_to_parts);
    tcase_add_test(tcase, repairs_are_keyed);
    tcase_add_loop_test(tcase, drains_follow_rules, 0, ROWS(drain_rows));
    tcase_add_test(tcase, users_fail_early);
    tcase_add_loop_test(tcase, xids_have_their_actions, 0, ROWS(xid_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
