/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares of three levels of queues: departments, projects, users. Every expectation is computed by
 * hand from the rules (quotas, then over quota by priority and weight in rounds, then remainders by
 * size; the same below for each share), in whole devices.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#define NO   (-1)
#define ROOT POLICY_NO_ID

enum { MOST = 16 };

/* A queue in devices; quota and limit may be NO, use is in percent of the cluster. */
struct queue {
    const char *name;
    uint32_t parent; /* its row */
    int32_t priority;
    int64_t quota, limit, weight;
    double request;
    int32_t use;
    double share; /* expected */
};

struct forest {
    const char *what;
    int64_t capacity, k, left;
    struct queue queues[MOST]; /* up to the one without a name */
};

/* clang-format off */
static const struct forest forests[] = {
    /*
     * A requests 24, B requests 18. Of the 8 above their quotas: 5.33 and 2.67 is 5 and 2; the last
     * one is B's (.67). A: of 5 above quotas 1.25 and 3.75 is 1 and 3; the last one is A2's (.75).
     * B: 2.5 each, the last one B1's. A1: 2.5 each, of which A1b requests 2; A1a 2 and then the
     * last one. A2: 2.67 and 5.33; the last one is A2a's (.67).
     */
    {"quotas and weights on all levels", 20, 0, 0, {
        {"A",   ROOT, 0, 8, NO, 2, 0,  0, 13},
        {"B",   ROOT, 0, 4, NO, 1, 0,  0, 7},
        {"A1",  0,    0, 4, NO, 1, 0,  0, 5},
        {"A2",  0,    0, 4, NO, 3, 0,  0, 8},
        {"B1",  1,    0, 2, NO, 1, 0,  0, 5},
        {"B2",  1,    0, 0, NO, 1, 0,  0, 2},
        {"A1a", 2,    0, 0, NO, 1, 10, 0, 3},
        {"A1b", 2,    0, 0, NO, 1, 2,  0, 2},
        {"A2a", 3,    0, 0, NO, 1, 6,  0, 3},
        {"A2b", 3,    0, 0, NO, 2, 6,  0, 5},
        {"B1a", 4,    0, 0, NO, 1, 9,  0, 5},
        {"B2a", 5,    0, 0, NO, 1, 9,  0, 2}}},
    /* B requests 9 and comes first with a weight of 1; the 5 above A's quota go to B2, of which B2b
     * takes 3 first. */
    {"priorities on all levels", 7, 0, 0, {
        {"A",   ROOT, 1,  2, NO, 100, 0,  0, 2},
        {"B",   ROOT, 2,  0, NO, 1,   0,  0, 5},
        {"A1",  0,    99, 0, NO, 1,   0,  0, 2},
        {"B1",  1,    5,  0, NO, 50,  0,  0, 0},
        {"B2",  1,    9,  0, NO, 1,   0,  0, 5},
        {"A1a", 2,    99, 0, NO, 1,   10, 0, 2},
        {"B1a", 3,    99, 0, NO, 1,   3,  0, 0},
        {"B2a", 4,    -1, 0, NO, 7,   3,  0, 2},
        {"B2b", 4,    0,  0, NO, 1,   3,  0, 3}}},
    /* A is above B, but has no weight: only its quota. Priorities below A do not reach B's part. */
    {"priority without weight", 10, 0, 0, {
        {"A",   ROOT, 9, 3, NO, 0, 0, 0, 3},
        {"B",   ROOT, 1, 0, NO, 1, 0, 0, 7},
        {"A1",  0,    1, 0, NO, 1, 0, 0, 0},
        {"A2",  0,    2, 0, NO, 1, 0, 0, 3},
        {"B1",  1,    0, 0, NO, 1, 0, 0, 7},
        {"A1a", 2,    0, 0, NO, 1, 8, 0, 0},
        {"A2a", 3,    0, 0, NO, 1, 8, 0, 3},
        {"B1a", 4,    0, 0, NO, 1, 8, 0, 7}}},
    /* The quota of a low priority comes first; A's limit stops A at 5, so B gets 7, its project no
     * more than 4. */
    {"limits on the way down", 12, 0, 0, {
        {"A",   ROOT, 2, 0, 5,  1, 0, 0, 5},
        {"B",   ROOT, 1, 1, NO, 1, 0, 0, 7},
        {"A1",  0,    0, 0, NO, 1, 0, 0, 4},
        {"A2",  0,    0, 0, 1,  9, 0, 0, 1},
        {"B1",  1,    0, 0, 4,  1, 0, 0, 4},
        {"A1a", 2,    0, 0, NO, 1, 9, 0, 4},
        {"A2a", 3,    0, 0, NO, 1, 9, 0, 1},
        {"B1a", 4,    0, 0, NO, 1, 9, 0, 4}}},
    /* Two get their quotas, and nothing is left, although the quotas exceed the capacity; the same below. */
    {"quotas above what there is", 4, 0, 0, {
        {"A",   ROOT, 1, 3,  NO, 1, 0, 0, 3},
        {"B",   ROOT, 2, 3,  NO, 1, 0, 0, 3},
        {"C",   ROOT, 3, 0,  NO, 1, 0, 0, 0},
        {"A1",  0,    0, 5,  NO, 1, 0, 0, 5},
        {"A2",  0,    9, 0,  NO, 1, 0, 0, 0},
        {"B1",  1,    0, NO, NO, 0, 0, 0, 3}, /* unlimited: all that B has */
        {"C1",  2,    0, NO, NO, 0, 0, 0, 0},
        {"A1a", 3,    0, 0,  NO, 1, 9, 0, 5},
        {"A2a", 4,    0, 0,  NO, 1, 9, 0, 0},
        {"B1a", 5,    0, NO, NO, 0, 9, 0, 3},
        {"C1a", 6,    0, NO, NO, 0, 9, 0, 0}}},
    /* A requests 1.5 of 2 and gets exactly that; B gets 2, and then the half left over. */
    {"parts of devices", 4, 0, 0, {
        {"A",   ROOT, 0, 0, NO, 1, 0,    0, 1.5},
        {"B",   ROOT, 0, 0, NO, 1, 0,    0, 2.5},
        {"A1",  0,    0, 0, NO, 1, 0,    0, 1.5},
        {"B1",  1,    0, 0, NO, 1, 0,    0, 2.5},
        {"A1a", 2,    0, 0, NO, 1, 0.75, 0, 0.75},
        {"A1b", 2,    0, 0, NO, 1, 0.75, 0, 0.75},
        {"B1a", 3,    0, 0, NO, 1, 9,    0, 2.5}}},
    /* No queue requests more: the remainder is the rest of the roots, not of the levels below. */
    {"something remains", 9, 0, 4, {
        {"A",   ROOT, 0, 5, NO, 0, 0, 0, 5},
        {"A1",  0,    0, 1, NO, 0, 0, 0, 1},
        {"A1a", 1,    0, 1, NO, 0, 7, 0, 1}}},

    /*
     * Use in the past. A used 50 %, B 25 % and their weights are equal, 1/2.
     *   k = 0: 15 each. k = 1: 1/2 and 1/2 + 1/4, that is 2 to 3. k = 2: 1/2 and 1/2 + 2/4, that is
     *   1 to 2.
     * A1 is a third and used 10 %, A2 two thirds and 40 %.
     *   k = 0: 1 to 2. k = 1: 1/3 + 7/30 and 2/3 + 8/30, that is 17 to 28: of 12, 4.53 and 7.47,
     *   the last one A1's (.53). k = 2: 1/3 + 14/30 and 2/3 + 16/30, that is 2 to 3.
     * B1 used 25 %, B2 nothing.
     *   k = 0: 7.5 each, the last one to the first. k = 1: 3/4 and 1: of 18, 7.71 and 10.29, the
     *   last one B1's (.71). k = 2: 1 and 3/2, that is 2 to 3.
     * A2a used 40 %, A2b nothing.
     *   k = 1: 6/10 and 1, that is 3 to 5: of 7, 2.63 and 4.38, the last one A2a's. k = 2: 7/10 and
     *   3/2: of 6, 1.91 and 4.09, the last one A2a's.
     */
    {"use does not count without k", 30, 0, 0, {
        {"A",   ROOT, 0, 0, NO, 1, 0,   50, 15},
        {"B",   ROOT, 0, 0, NO, 1, 0,   25, 15},
        {"A1",  0,    0, 0, NO, 1, 0,   10, 5},
        {"A2",  0,    0, 0, NO, 2, 0,   40, 10},
        {"B1",  1,    0, 0, NO, 1, 0,   25, 8},
        {"B2",  1,    0, 0, NO, 1, 0,   0,  7},
        {"A1a", 2,    0, 0, NO, 1, 100, 10, 5},
        {"A2a", 3,    0, 0, NO, 1, 100, 40, 5},
        {"A2b", 3,    0, 0, NO, 1, 100, 0,  5},
        {"B1a", 4,    0, 0, NO, 1, 100, 25, 8},
        {"B2a", 5,    0, 0, NO, 1, 100, 0,  7}}},
    {"use with k = 1", 30, 1, 0, {
        {"A",   ROOT, 0, 0, NO, 1, 0,   50, 12},
        {"B",   ROOT, 0, 0, NO, 1, 0,   25, 18},
        {"A1",  0,    0, 0, NO, 1, 0,   10, 5},
        {"A2",  0,    0, 0, NO, 2, 0,   40, 7},
        {"B1",  1,    0, 0, NO, 1, 0,   25, 8},
        {"B2",  1,    0, 0, NO, 1, 0,   0,  10},
        {"A1a", 2,    0, 0, NO, 1, 100, 10, 5},
        {"A2a", 3,    0, 0, NO, 1, 100, 40, 3},
        {"A2b", 3,    0, 0, NO, 1, 100, 0,  4},
        {"B1a", 4,    0, 0, NO, 1, 100, 25, 8},
        {"B2a", 5,    0, 0, NO, 1, 100, 0,  10}}},
    {"use with k = 2", 30, 2, 0, {
        {"A",   ROOT, 0, 0, NO, 1, 0,   50, 10},
        {"B",   ROOT, 0, 0, NO, 1, 0,   25, 20},
        {"A1",  0,    0, 0, NO, 1, 0,   10, 4},
        {"A2",  0,    0, 0, NO, 2, 0,   40, 6},
        {"B1",  1,    0, 0, NO, 1, 0,   25, 8},
        {"B2",  1,    0, 0, NO, 1, 0,   0,  12},
        {"A1a", 2,    0, 0, NO, 1, 100, 10, 4},
        {"A2a", 3,    0, 0, NO, 1, 100, 40, 2},
        {"A2b", 3,    0, 0, NO, 1, 100, 0,  4},
        {"B1a", 4,    0, 0, NO, 1, 100, 25, 8},
        {"B2a", 5,    0, 0, NO, 1, 100, 0,  12}}},
    /*
     * C used everything and is still first by priority, with quota 1 and 4 more. A used 90 %:
     * nothing above its quota (1/2 + 2/2 - 2 * .9 < 0), so B gets the last 3. Below A, A1 may not
     * have more of what A does not have.
     */
    {"quota and priority come before use", 10, 2, 0, {
        {"A",   ROOT, 1, 2, NO, 1, 0, 90,  2},
        {"B",   ROOT, 1, 0, NO, 1, 0, 0,   3},
        {"C",   ROOT, 2, 1, NO, 1, 0, 100, 5},
        {"A1",  0,    0, 2, NO, 1, 0, 0,   2},
        {"A2",  0,    9, 0, NO, 1, 0, 0,   0},
        {"B1",  1,    0, 0, NO, 1, 0, 0,   3},
        {"C1",  2,    0, 0, NO, 1, 0, 0,   5},
        {"A1a", 3,    0, 0, NO, 1, 9, 0,   2},
        {"A2a", 4,    0, 0, NO, 1, 9, 0,   0},
        {"B1a", 5,    0, 0, NO, 1, 9, 0,   3},
        {"C1a", 6,    0, 0, NO, 1, 5, 0,   5}}},
    /* Alone on its level a queue has the whole weight, 1: with k = 1 it gets nothing after it used
     * twice as much. */
    {"use of an only child", 6, 1, 0, {
        {"A",   ROOT, 0, 0, NO, 1, 0, 100, 6},
        {"A1",  0,    0, 2, NO, 1, 0, 200, 2},
        {"A1a", 1,    0, 0, NO, 1, 9, 199, 2}}},
};
/* clang-format on */

static int64_t thousandths(double devices)
{
    return devices < 0 ? POLICY_UNLIMITED : (int64_t)(devices * 1000 + 0.5);
}

/* The queues as rows; the amounts may be those of devices or of CPUs. */
static uint32_t make_rows(const struct forest *f, struct policy_share_row *rows, bool cpus)
{
    const struct policy_share nothing = {0, NO, 0};
    const int64_t other = 770000; // past use of other resources, which has no effect
    uint32_t count = 0;
    for (const struct queue *q = f->queues; count < MOST && q->name != NULL; q++) {
        struct policy_share share = {thousandths((double)q->quota), thousandths((double)q->limit),
                                     q->weight * 1000};
        int64_t request = thousandths(q->request);
        int64_t use = q->use * INT64_C(10000);
        rows[count++] = (struct policy_share_row){
            .size = sizeof *rows,
            .parent = q->parent,
            .priority = q->priority,
            .gpu = cpus ? nothing : share,
            .cpu = cpus ? share : nothing,
            .mem = nothing,
            .request = cpus ? (struct policy_amounts){0, request, 0}
                            : (struct policy_amounts){request, 0, 0},
            .usage_ppm = cpus ? (struct policy_amounts){other, use, other}
                              : (struct policy_amounts){use, other, other},
        };
    }
    return count;
}

START_TEST(devices_are_divided_level_by_level)
{
    const struct forest *f = &forests[_i];
    struct policy_share_row rows[MOST];
    struct policy_amounts capacity = {f->capacity * 1000, 0, 0};
    struct policy_amounts left;
    struct tally tally = {0};
    uint32_t count = make_rows(f, rows, false);
    ck_assert_int_eq(
        policy_divide(tally_allocator(&tally), &capacity, f->k * 1000000, rows, count, &left),
        POLICY_OK);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_msg(rows[i].fair_share.gpu == thousandths(f->queues[i].share),
                      "%s: %s gets %lld, not %lld", f->what, f->queues[i].name,
                      (long long)rows[i].fair_share.gpu,
                      (long long)thousandths(f->queues[i].share));
    ck_assert_int_eq(left.gpu, f->left * 1000);
}
END_TEST

/* CPUs by the same rules, but in units of a thousandth: results differ from those for devices by
 * less than one. */
START_TEST(cpus_are_divided_alike)
{
    const struct forest *f = &forests[_i];
    struct policy_share_row rows[MOST];
    struct policy_amounts capacity = {0, f->capacity * 1000, 0};
    struct policy_amounts left;
    struct tally tally = {0};
    uint32_t count = make_rows(f, rows, true);
    ck_assert_int_eq(
        policy_divide(tally_allocator(&tally), &capacity, f->k * 1000000, rows, count, &left),
        POLICY_OK);
    for (uint32_t i = 0; i < count; i++) {
        int64_t more = rows[i].fair_share.cpu - thousandths(f->queues[i].share);
        ck_assert_msg(more < 1000 && more > -1000, "%s: %s gets %lld", f->what, f->queues[i].name,
                      (long long)rows[i].fair_share.cpu);
        ck_assert_int_eq(rows[i].fair_share.gpu, 0);
    }
    ck_assert_int_eq(left.cpu, f->left * 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fair share, levels");
    TCase *tcase = tcase_create("levels");
    tcase_add_loop_test(tcase, devices_are_divided_level_by_level, 0, ROWS(forests));
    tcase_add_loop_test(tcase, cpus_are_divided_alike, 0, ROWS(forests));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
