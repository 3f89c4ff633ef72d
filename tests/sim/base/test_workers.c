/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of work on several threads: each is done once, and the first error is the same for any
 * number of threads. */
#include "sim/base/workers.h"
#include "tests/lib/harness.h"

#include <pthread.h>

#define MOST 500

struct bench {
    pthread_mutex_t lock;
    int done[MOST];
    size_t total;
    size_t fails_from; /* these pieces fail */
    size_t stops_at;   /* stops after this many; MOST: never */
};

static bool piece(void *self, size_t number, struct err *err)
{
    struct bench *bench = self;
    pthread_mutex_lock(&bench->lock);
    bench->done[number]++;
    bench->total++;
    pthread_mutex_unlock(&bench->lock);
    return number < bench->fails_from || err_set(err, EXIT_INPUT, "piece %zu", number);
}

static bool stop(void *self)
{
    struct bench *bench = self;
    pthread_mutex_lock(&bench->lock);
    bool yes = bench->stops_at < MOST && bench->total >= bench->stops_at;
    pthread_mutex_unlock(&bench->lock);
    return yes;
}

static bool run(struct bench *bench, size_t count, int threads, struct err *err)
{
    struct work work = {
        .count = count, .threads = threads, .piece = piece, .stop = stop, .self = bench};
    pthread_mutex_init(&bench->lock, NULL);
    bool ok = workers_run(&work, err);
    pthread_mutex_destroy(&bench->lock);
    return ok;
}

static const int threads_rows[] = {0, 1, 2, 3, 8, 64};

START_TEST(each_piece_is_done_once)
{
    static const size_t counts[] = {0, 1, 2, 7, MOST};
    for (int i = 0; i < ROWS(counts); i++) {
        struct bench bench = {.fails_from = MOST, .stops_at = MOST};
        struct err err = {0};
        ck_assert(run(&bench, counts[i], threads_rows[_i], &err));
        ck_assert_uint_eq(bench.total, counts[i]);
        for (size_t k = 0; k < MOST; k++)
            ck_assert_int_eq(bench.done[k], k < counts[i] ? 1 : 0);
        ck_assert_int_eq(err.code, 0);
    }
}
END_TEST

START_TEST(the_failure_with_the_lowest_number_is_reported)
{
    struct bench bench = {.fails_from = 37, .stops_at = MOST};
    struct err err = {0};
    ck_assert(!run(&bench, MOST, threads_rows[_i], &err));
    ck_assert_str_eq(err.msg, "piece 37");
    ck_assert_int_eq(err.code, EXIT_INPUT);
    for (size_t k = 0; k <= 37; k++)
        ck_assert_int_eq(bench.done[k], 1);
    /* Each thread may have started one more before it noticed. */
    ck_assert_uint_le(bench.total, 38 + (size_t)threads_rows[_i]);
}
END_TEST

START_TEST(it_stops_in_good_order)
{
    struct bench bench = {.fails_from = MOST, .stops_at = 20};
    struct err err = {0};
    ck_assert(run(&bench, MOST, threads_rows[_i], &err));
    ck_assert_uint_ge(bench.total, 20);
    ck_assert_uint_le(bench.total, 20 + (size_t)threads_rows[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("workers");
    TCase *tcase = tcase_create("workers");
    tcase_add_loop_test(tcase, each_piece_is_done_once, 0, ROWS(threads_rows));
    tcase_add_loop_test(tcase, the_failure_with_the_lowest_number_is_reported, 0,
                        ROWS(threads_rows));
    tcase_add_loop_test(tcase, it_stops_in_good_order, 0, ROWS(threads_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
