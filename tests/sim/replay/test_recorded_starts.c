/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded and simulated starts: differences, and the jobs that start in the same order. The
 * sources are in no library. */
#include "sim/replay/recorded_starts.c"
#include "sim/replay/spans.c"

#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

enum { MOST = 12, NEVER = -1 };

static const struct row {
    int64_t recorded[MOST], simulated[MOST]; /* ms, NEVER; up to the first pair of zeros */
    uint64_t compared, only, in_order;
    int64_t median, p90, max, median_signed;
} rows[] = {
    {{5, 7, 9}, {5, 7, 9}, 3, 0, 3, 0, 0, 0, 0},
    {{5, 7, 9}, {9, 7, 5}, 3, 0, 1, 4, 4, 4, 0}, /* +-4, 0, 4 */
    {{10, 20, 30, 40}, {11, 18, 33, NEVER}, 3, 1, 3, 2, 3, 3, -1},
    {{10, 10, 10, 50}, {3, 1, 2, 50}, 4, 0, 4, 7, 9, 9, 7}, /* jobs that start at the same time may
                                                             * have any order */
    {{10, 20, 30, 40}, {20, 20, 20, 20}, 4, 0, 4, 10, 20, 20, 0},
    {{1, 2, 3, 4, 5, 6}, {2, 1, 4, 3, 6, 5}, 6, 0, 3, 1, 1, 1, -1},
};

static void fill(struct recorded *r, struct recorded_starts *s, const int64_t *recorded,
                 const int64_t *simulated, size_t count)
{
    *r = (struct recorded){.jobs = mem_alloc(count + 1, sizeof *r->jobs), .job_count = count};
    recorded_starts_init(s, r);
    for (size_t i = 0; i < count; i++) {
        r->jobs[i] = (struct recorded_job){.runs = 1, .first_started_ms = recorded[i]};
        s->simulated_ms[i] = simulated[i] == NEVER ? RECORDED_NEVER : simulated[i];
    }
}

static void drop(struct recorded *r, struct recorded_starts *s)
{
    recorded_starts_fini(s);
    free(r->jobs);
}

START_TEST(figures)
{
    const struct row *row = &rows[_i];
    struct recorded r;
    struct recorded_starts s;
    size_t count = 0;
    while (row->recorded[count] != 0)
        count++;
    fill(&r, &s, row->recorded, row->simulated, count);
    recorded_starts_compare(&s);
    ck_assert_uint_eq(s.count, row->compared);
    ck_assert_uint_eq(s.only_recorded, row->only);
    ck_assert_uint_eq(s.in_order, row->in_order);
    ck_assert_int_eq(s.median_ms, row->median);
    ck_assert_int_eq(s.p90_ms, row->p90);
    ck_assert_int_eq(s.max_ms, row->max);
    ck_assert_int_eq(s.median_signed_ms, row->median_signed);
    drop(&r, &s);
}
END_TEST

/* By trying every set of jobs. */
static uint64_t tried(const int64_t *recorded, const int64_t *simulated, int count)
{
    uint64_t most = 0;
    for (uint32_t set = 0; set < 1u << count; set++) {
        bool ok = true;
        for (int i = 0; i < count && ok; i++)
            for (int k = 0; k < count && ok; k++)
                ok = (set >> i & 1) == 0 || (set >> k & 1) == 0 || recorded[i] >= recorded[k] ||
                     simulated[i] <= simulated[k];
        uint64_t size = (uint64_t)__builtin_popcount(set);
        most = ok && size > most ? size : most;
    }
    return most;
}

START_TEST(no_larger_set_is_in_order)
{
    uint64_t random = (uint64_t)_i + 1;
    int64_t recorded[8], simulated[8];
    struct recorded r;
    struct recorded_starts s;
    for (int i = 0; i < 8; i++) {
        recorded[i] = 1 + (int64_t)(test_draw(&random) % 6);
        simulated[i] = 1 + (int64_t)(test_draw(&random) % 6);
    }
    fill(&r, &s, recorded, simulated, 8);
    recorded_starts_compare(&s);
    ck_assert_uint_eq(s.in_order, tried(recorded, simulated, 8));
    drop(&r, &s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorded_starts");
    TCase *tcase = tcase_create("starts");
    tcase_add_loop_test(tcase, figures, 0, ROWS(rows));
    tcase_add_loop_test(tcase, no_larger_set_is_in_order, 0, harness_repeats(100));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
