/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The single bar of a plan: its share never falls, whatever the search finds. The sources are in no
 * library, so they are included. */
#include "sim/plan/progress.c"
#include "sim/program/progress.c"
#include "tests/lib/harness.h"

START_TEST(the_share_never_falls)
{
    struct plan_progress p;
    double last = 0;
    plan_progress_begin(&p, true, 20, 2);
    for (size_t option = 0; option < 2; option++) {
        plan_progress_option(&p);
        for (size_t number = 0; number < 10; number++) {
            plan_progress_expect(&p, number == 3 ? 9 : 10 - number); /* more than expected */
            plan_progress_number(&p);
            for (size_t replica = 0; replica < (number < 5 ? 2 : 20); replica++) {
                plan_progress_count(&p);
                size_t total = plan_progress_total(&p);
                ck_assert_uint_ge(total, p.done);
                ck_assert(p.share >= last && p.share <= 1);
                last = p.share;
            }
        }
    }
    ck_assert_uint_eq(plan_progress_total(&p), p.done);
    plan_progress_end(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan_progress");
    TCase *tcase = tcase_create("plan_progress");
    tcase_add_test(tcase, the_share_never_falls);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
