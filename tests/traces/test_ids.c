/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated ids are found, with their first place, however many there are; different ids never
 * match. */
#include "traces/ids.h"

#include "tests/lib/harness.h"

#include <stdio.h>

START_TEST(ids_that_come_again)
{
    struct trace_ids ids = {0};
    char id[32];
    for (uint64_t i = 1; i <= 20000; i++) {
        snprintf(id, sizeof id, "job-%llu", (unsigned long long)i);
        ck_assert_uint_eq(trace_ids_add(&ids, id, i), 0);
    }
    for (uint64_t i = 1; i <= 20000; i++) {
        snprintf(id, sizeof id, "job-%llu", (unsigned long long)i);
        ck_assert_uint_eq(trace_ids_add(&ids, id, 99999), i);
    }
    ck_assert_uint_eq(ids.count, 20000);
    ck_assert_uint_ge(ids.size, 40000);
    ck_assert_uint_eq(trace_ids_add(&ids, "JOB-1", 7), 0);
    trace_ids_fini(&ids);
    ck_assert_uint_eq(trace_ids_add(&ids, "job-1", 5), 0);
    trace_ids_fini(&ids);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ids");
    TCase *tcase = tcase_create("ids");
    tcase_add_test(tcase, ids_that_come_again);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
