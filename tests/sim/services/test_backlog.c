/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pending requests: an example by hand, a twin that steps through milliseconds and keeps the two
 * sums of arrivals and served requests, and the queue M/D/c.
 */
#include "sim/services/backlog.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * For a minute, 30 requests a second meet replicas for 10; then there are replicas for 40. 1,200
 * requests are pending then, and none after two more minutes. With a target of 30 s, the arrivals
 * of the first 15 s are in time (waits grow by 2 s per second). Requests that arrive x s after the
 * beginning, x > 20, wait until 60 + (30 x - 600) / 40 s, which is 30 s after x at x = 60.
 */
START_TEST(a_minute_by_hand)
{
    struct backlog b;
    backlog_init(&b, &(struct backlog_rule){.limit = -1, .within_ms = 30000});
    backlog_advance(&b, 0, 60000, 30000, 10000, true);
    ck_assert(b.waiting == INT64_C(1200000000));
    ck_assert(b.sums.served == INT64_C(600000000));
    backlog_advance(&b, 60000, 240000, 30000, 40000, true);
    ck_assert(b.waiting == 0);
    ck_assert(b.sums.served == INT64_C(7200000000));
    ck_assert(b.sums.waited == INT64_C(1200000000) * (60000 + 120000) / 2);
    ck_assert(b.sums.judged == INT64_C(30000) * 210000);
    ck_assert(b.sums.late == INT64_C(30000) * 45000);
    ck_assert_double_eq_tol(backlog_worst_hour(&b), 45.0 / 210, 1e-12);
    backlog_fini(&b);
}
END_TEST

START_TEST(a_full_queue_rejects)
{
    struct backlog b;
    backlog_init(&b, &(struct backlog_rule){.limit = 0, .within_ms = 0});
    backlog_advance(&b, 0, 1000, 30000, 10000, true);
    ck_assert(b.sums.served == 10000000 && b.sums.rejected == 20000000 && b.waiting == 0);
    backlog_fini(&b);
    backlog_init(&b, &(struct backlog_rule){.limit = 5000000, .within_ms = -1});
    backlog_advance(&b, 0, 1000, 30000, 10000, true);
    ck_assert(b.sums.served == 10000000 && b.sums.rejected == 15000000 && b.waiting == 5000000);
    backlog_fini(&b);
}
END_TEST

START_TEST(hours_are_judged_one_by_one)
{
    struct backlog b;
    backlog_init(&b, &(struct backlog_rule){.limit = 0, .within_ms = 1000});
    backlog_advance(&b, 0, 5400000, 1000, 1000, true);        /* an hour and a half in time, */
    backlog_advance(&b, 5400000, 7200000, 1000, 0, true);     /* half an hour rejected, */
    backlog_advance(&b, 7200000, 10801000, 1000, 1000, true); /* an hour in time */
    ck_assert_double_eq_tol(backlog_worst_hour(&b), 0.5, 1e-12);
    ck_assert(b.sums.judged == INT64_C(1000) * 10800000);
    ck_assert(b.sums.late == INT64_C(1000) * 1800000);
    backlog_fini(&b);
}
END_TEST

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *state >> 33;
}

enum { STEPS = 30, LONGEST = 40, UNTIL = STEPS * LONGEST };

START_TEST(as_the_twin_has_it)
{
    uint64_t random = (uint64_t)_i + 1;
    static int64_t arrived[UNTIL + 1], served[UNTIL + 1], refused[UNTIL];
    int64_t limit = draw(&random) % 2 ? (int64_t)(draw(&random) % 300) : -1, now = 0, worst = 0;
    int64_t lag = (int64_t)(draw(&random) % 60), rejected = 0, waited = 0, late = 0;
    struct backlog b;
    backlog_init(&b, &(struct backlog_rule){.limit = limit, .within_ms = lag});
    for (int i = 0; i < STEPS; i++) {
        int64_t to = now + 1 + (int64_t)(draw(&random) % (LONGEST - 1));
        int64_t rate = (int64_t)(draw(&random) % 20), capacity = (int64_t)(draw(&random) % 24);
        backlog_advance(&b, now, to, rate, capacity, true);
        for (; now < to; now++) {
            int64_t most = served[now] + capacity + limit, all = arrived[now] + rate;
            refused[now] = limit >= 0 && all > most && rate > capacity ? all - most : 0;
            rejected += refused[now];
            all -= refused[now];
            int64_t most_served = served[now] + capacity;
            arrived[now + 1] = all;
            served[now + 1] = most_served < all ? most_served : all;
            waited += arrived[now] - served[now] + all - served[now + 1];
        }
        worst = rate > worst ? rate : worst;
    }
    ck_assert(b.waiting == arrived[now] - served[now]);
    ck_assert(b.sums.served == served[now]);
    ck_assert(b.sums.rejected == rejected);
    ck_assert(b.sums.waited >= waited / 2 - 2 * STEPS && b.sums.waited <= waited / 2 + 2 * STEPS);
    for (int64_t u = 0; u + lag < now; u++)
        late +=
            refused[u] + (served[u + 1 + lag] < arrived[u + 1] ? arrived[u + 1] - arrived[u] : 0);
    ck_assert_int_le(llabs((int64_t)b.sums.late - late), 2 * STEPS * worst);
    ck_assert(b.sums.late <= b.sums.judged);
    backlog_fini(&b);
}
END_TEST

/* ---- the limit of single requests of one second each ---- */

enum { SECONDS = 2000000, STATES = 400 };

static double uniform(uint64_t *state)
{
    return ((double)draw(state) + 0.5) / 2147483648.0;
}

static int poisson(uint64_t *state, double mean)
{
    int n = 0;
    for (double p = uniform(state); p > exp(-mean); p *= uniform(state))
        n++;
    return n;
}

/* Poisson arrivals in each second, as a fluid; returns the mean backlog at the ends of seconds. */
static double mean_waiting(double mean, int servers, uint64_t seed)
{
    struct backlog b;
    double sum = 0;
    backlog_init(&b, &(struct backlog_rule){.limit = -1, .within_ms = -1});
    for (int64_t t = 0; t < SECONDS; t++) {
        backlog_advance(&b, t * 1000, (t + 1) * 1000, (int64_t)poisson(&seed, mean) * 1000,
                        (int64_t)servers * 1000, true);
        sum += (double)b.waiting / 1e6;
    }
    backlog_fini(&b);
    return sum / SECONDS;
}

/* Crommelin (1932): in M/D/c the number in the system n becomes max(n - c, 0) + arrivals within a
 * service time. Returns the mean of max(n - c, 0), from the chain's stationary distribution. */
static double crommelin(double mean, int servers)
{
    static double now[STATES], next[STATES];
    double waiting = 0;
    for (int i = 0; i < STATES; i++)
        now[i] = i == 0;
    for (int round = 0; round < 2000; round++) {
        for (int i = 0; i < STATES; i++)
            next[i] = 0;
        for (int i = 0; i < STATES; i++) {
            int left = i > servers ? i - servers : 0;
            double p = exp(-mean);
            for (int a = 0; a < 60 && left + a < STATES; p *= mean / ++a)
                next[left + a] += now[i] * p;
        }
        memcpy(now, next, sizeof now);
    }
    for (int i = servers; i < STATES; i++)
        waiting += now[i] * (i - servers);
    return waiting;
}

static const struct {
    double load; /* of each server */
    int servers;
} crowd_rows[] = {{0.5, 1}, {0.8, 1}, {0.8, 2}, {0.9, 4}};

START_TEST(as_many_wait_as_in_m_d_c)
{
    double load = crowd_rows[_i].load;
    int servers = crowd_rows[_i].servers;
    double expected = crommelin(load * servers, servers);
    double waiting = mean_waiting(load * servers, servers, (uint64_t)_i + 1);
    if (servers == 1) /* Pollaczek and Khinchine */
        ck_assert_double_eq_tol(expected, load * load / (2 * (1 - load)), 1e-6);
    ck_assert_double_eq_tol(waiting / expected, 1, 0.02);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backlog");
    TCase *tcase = tcase_create("queue");
    tcase_add_test(tcase, a_minute_by_hand);
    tcase_add_test(tcase, a_full_queue_rejects);
    tcase_add_test(tcase, hours_are_judged_one_by_one);
    tcase_add_loop_test(tcase, as_the_twin_has_it, 0, 500);
    tcase_add_loop_test(tcase, as_many_wait_as_in_m_d_c, 0, ROWS(crowd_rows));
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
