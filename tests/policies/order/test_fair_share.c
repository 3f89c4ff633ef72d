/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The division of one resource among siblings: rows calculated by hand from its rules, and
 * invariants on random claims, with a twin in plain doubles that follows the rules literally.
 */
#include "order/fair_share.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <string.h>

#define NO        POLICY_UNLIMITED
#define MOST      8
#define K(n)      ((n)*INT64_C(1000000))
#define TERA      (INT64_C(1) << 40)
#define ENDLESSLY (INT64_C(1) << 60)

/* A claim in short: all are equally old, their rank is their index. Expects `share`. */
struct wish {
    int64_t quota, limit, weight, request, usage_ppm;
    int32_t priority;
    int64_t share;
};

struct division {
    const char *what;
    int64_t amount, unit, k_ppm, left;
    int count;
    struct wish wishes[4];
};

/* clang-format off */
static const struct division divisions[] = {
    {"nobody", 7, 1, 0, 7, 0, {{0, 0, 0, 0, 0, 0, 0}}},
    {"nothing to divide", 0, 1, 0, 0,
     2, {{0, NO, 1, 5, 0, 0, 0}, {NO, NO, 1, 5, 0, 0, 0}}},
    {"unlimited", NO, 1, 0, NO,
     2, {{0, NO, 0, 5, 0, 0, 5}, {0, 4, 1, 5, 0, 0, 4}}},

    /* quotas */
    {"quota within request and limit", 20, 1, 0, 8,
     3, {{5, NO, 0, 3, 0, 0, 3}, {5, NO, 0, 9, 0, 0, 5}, {5, 4, 0, 9, 0, 0, 4}}},
    {"quotas are not scaled down", 4000, 1000, 0, 0,
     2, {{3000, NO, 1, 5000, 0, 0, 3000}, {3000, NO, 1, 5000, 0, 0, 3000}}},
    {"unlimited quota is all there is", 5000, 1000, 0, 0,
     2, {{NO, NO, 0, 9000, 0, 0, 5000}, {1000, NO, 1, 2000, 0, 0, 1000}}},
    {"quotas need not be whole units", 10, 4, 0, 2,
     2, {{5, NO, 0, 9, 0, 0, 5}, {3, NO, 0, 9, 0, 0, 3}}},
    {"a limit of 0", 9000, 1000, 0, 9000,
     1, {{2000, 0, 1, 5000, 0, 0, 0}}},

    /* over quota */
    {"a request that is a fraction", 9000, 1000, 0, 4500,
     2, {{0, NO, 1, 4500, 0, 0, 4500}, {0, NO, 0, 4500, 0, 0, 0}}},
    {"by weight", 8000, 1000, 0, 0,
     2, {{2000, NO, 1, 6000, 0, 0, 3000}, {2000, NO, 3, 6000, 0, 0, 5000}}},
    {"a limit leaves more for the other", 10000, 1000, 0, 0,
     2, {{0, 3000, 1, 9000, 0, 0, 3000}, {0, NO, 1, 9000, 0, 0, 7000}}},
    {"units of one", 7, 1, 0, 0,
     2, {{0, NO, 1, 9, 0, 0, 4}, {0, NO, 1, 9, 0, 0, 3}}},
    {"huge weights", 3 * TERA, 1, 0, 0,
     2, {{0, NO, PC_WEIGHT_MAX, ENDLESSLY, 0, 0, 2 * TERA}, {0, NO, PC_WEIGHT_MAX / 2, ENDLESSLY,
        0, 0, TERA}}},
    {"a last bit of huge weights", PC_WEIGHT_MAX - 1, 1, 0, 0,
     2, {{0, NO, 1, ENDLESSLY, 0, 0, 1}, {0, NO, PC_WEIGHT_MAX - 2, ENDLESSLY, 0, 0,
        PC_WEIGHT_MAX - 2}}},

    /* remainders */
    {"the older queue gets the indivisible rest", 11000, 1000, 0, 0,
     2, {{2000, NO, 2, 6000, 0, 0, 6000}, {2000, NO, 2, 6000, 0, 0, 5000}}},
    /* 0.67 each: all get 0, and two of three remainders are served. */
    {"less than a unit each", 2000, 1000, 0, 0,
     3, {{0, NO, 1, 9000, 0, 0, 1000}, {0, NO, 1, 9000, 0, 0, 1000}, {0, NO, 1, 9000, 0, 0, 0}}},
    {"the larger remainder before age", 1000, 1000, 0, 0,
     2, {{0, NO, 1, 9000, 0, 0, 0}, {0, NO, 3, 9000, 0, 0, 1000}}},
    {"a remainder may be above the request", 1000, 1000, 0, 0,
     2, {{0, NO, 1, 700, 0, 0, 1000}, {0, NO, 1, 700, 0, 0, 0}}},
    {"less than a unit is left", 1500, 1000, 0, 0,
     2, {{0, NO, 1, 1200, 0, 0, 1000}, {0, NO, 1, 1200, 0, 0, 500}}},
    /* 2.5 each: 2 with remainder 0.5, and 1, its whole request. Then 2, of which it can use 1.2: no
     * remainder left. */
    {"satisfied later: the remainder is lost", 5000, 1000, 0, 800,
     2, {{0, NO, 1, 3200, 0, 0, 3200}, {0, NO, 1, 1000, 0, 0, 1000}}},
    /* 1.5, 1.5, 3 gives 1, 1, 3. No queue could use less than its entitlement, so the unit left
     * over is a remainder. */
    {"rounding makes no other round", 6000, 1000, 0, 0,
     3, {{0, NO, 1, 9000, 0, 0, 2000}, {0, NO, 1, 9000, 0, 0, 1000}, {0, NO, 2, 9000, 0, 0, 3000}}},
    /* 1.5, 0.75, 0.75, 3 gives 1, 0, 0, 3, and the last requests exactly that. */
    {"an entitlement that is just wanted makes none", 6000, 1000, 0, 0,
     4, {{0, NO, 2, 9000, 0, 0, 1000}, {0, NO, 1, 9000, 0, 0, 1000}, {0, NO, 1, 9000, 0, 0, 1000},
         {0, NO, 4, 3000, 0, 0, 3000}}},
    /* 1.75, 1.75, 3.5 gives 1, 1, 3, of which the last can use 1: 4 are left, so 2 and 2 in another
     * round. */
    {"an entitlement that is not wanted does", 7000, 1000, 0, 0,
     3, {{0, NO, 1, 9000, 0, 0, 3000}, {0, NO, 1, 9000, 0, 0, 3000}, {0, NO, 2, 1000, 0, 0, 1000}}},
    /* 0.5, 0.5, 1 gives 0, 0, 1. */
    {"nothing given: no other round", 2000, 1000, 0, 0,
     3, {{0, NO, 1, 9000, 0, 0, 1000}, {0, NO, 1, 9000, 0, 0, 0}, {0, NO, 2, 9000, 0, 0, 1000}}},

    /* priorities */
    {"priority before weight", 5000, 1000, 0, 0,
     2, {{0, NO, 100, 4000, 0, 1, 1000}, {0, NO, 1, 4000, 0, 2, 4000}}},
    {"quota before priority", 5000, 1000, 0, 0,
     2, {{2000, NO, 1, 4000, 0, 1, 2000}, {0, NO, 1, 4000, 0, 2, 3000}}},
    {"negative priorities", 1000, 1000, 0, 0,
     2, {{0, NO, 9, 4000, 0, -7, 0}, {0, NO, 1, 4000, 0, -5, 1000}}},
    /* 1.5 each, one each; the third unit is whole for the one below, before remainders are looked
     * at. */
    {"remainders after all priorities", 3000, 1000, 0, 0,
     3, {{0, NO, 1, 9000, 0, 2, 1000}, {0, NO, 1, 9000, 0, 2, 1000}, {0, NO, 1, 9000, 0, 1, 1000}}},
    /* 1.75 each gives 1 and 1; 1 of 1.5 for the one below, and the half to the first with a
     * remainder. */
    {"of remainders the higher priority", 3500, 1000, 0, 0,
     3, {{0, NO, 1, 9000, 0, 1, 1000}, {0, NO, 1, 9000, 0, 2, 1500}, {0, NO, 1, 9000, 0, 2, 1000}}},

    /* past use: with k = 1 the weights are 1/2 + (1/2 - 3/4) = 1/4 and 1/2 + 1/2 = 1; with k = 2
     * they are 0 and 3/2. */
    {"use without k", 10, 1, 0, 0,
     2, {{0, NO, 1, 20, 750000, 0, 5}, {0, NO, 1, 20, 0, 0, 5}}},
    {"use with k = 1", 10, 1, K(1), 0,
     2, {{0, NO, 1, 20, 750000, 0, 2}, {0, NO, 1, 20, 0, 0, 8}}},
    {"use with k = 2", 10, 1, K(2), 0,
     2, {{0, NO, 1, 20, 750000, 0, 0}, {0, NO, 1, 20, 0, 0, 10}}},
    /* k = 1/2: 1/2 - 1/8 = 3/8 and 3/4. */
    {"use with k = 1/2", 9, 1, 500000, 0,
     2, {{0, NO, 1, 20, 750000, 0, 3}, {0, NO, 1, 20, 0, 0, 6}}},
    {"k below 0 is 0", 10, 1, K(-3), 0,
     2, {{0, NO, 1, 20, 750000, 0, 5}, {0, NO, 1, 20, 0, 0, 5}}},
    {"k without use", 10, 1, K(7), 0,
     2, {{0, NO, 1, 20, 0, 0, 5}, {0, NO, 1, 20, 0, 0, 5}}},
    /* First 0 and 3/2. The second can use no more than 3; then the first has all the weight, 1 + 2
     * (1 - 3/4). */
    {"parts of the unsatisfied queues", 10, 1, K(2), 0,
     2, {{0, NO, 1, 20, 750000, 0, 7}, {0, NO, 1, 3, 0, 0, 3}}},
    {"all have used too much", 10, 1, K(1), 10,
     2, {{0, NO, 1, 20, 1000000, 0, 0}, {0, NO, 1, 20, 1500000, 0, 0}}},
    {"use does not touch quotas", 10, 1, K(9), 0,
     2, {{4, NO, 1, 20, 1000000, 0, 4}, {0, NO, 1, 20, 0, 0, 6}}},
    {"use counts within one priority", 10, 1, K(1), 0,
     2, {{0, NO, 1, 20, 900000, 2, 10}, {0, NO, 1, 20, 0, 1, 0}}},
    {"use beyond all bounds", 10, 1, ENDLESSLY, 0,
     2, {{0, NO, 1, 20, ENDLESSLY, 0, 0}, {0, NO, 1, 20, 1, 0, 10}}},
    /* Nearly 1/2 - 1/4 to 1/2. */
    {"k beyond all bounds", 9, 1, ENDLESSLY, 0,
     2, {{0, NO, 1, 20, 250000, 0, 3}, {0, NO, 1, 20, 0, 0, 6}}},
    {"use with huge weights", 10, 1, K(1), 0,
     2, {{0, NO, PC_WEIGHT_MAX, 20, 750000, 0, 2}, {0, NO, PC_WEIGHT_MAX, 20, 0, 0, 8}}},
    /* Nearly 1/2 and 1. */
    {"huge weights and an odd k", 3, 1, 999999, 0,
     2, {{0, NO, PC_WEIGHT_MAX, 20, 500000, 0, 1}, {0, NO, PC_WEIGHT_MAX, 20, 0, 0, 2}}},
};
/* clang-format on */

START_TEST(rows_are_divided_by_the_rules)
{
    const struct division *row = &divisions[_i];
    struct pc_claim claims[4];
    struct pc_claim *order[4];
    for (int i = 0; i < row->count; i++) {
        const struct wish *w = &row->wishes[i];
        claims[i] = (struct pc_claim){.quota = w->quota,
                                      .limit = w->limit,
                                      .weight = w->weight,
                                      .request = w->request,
                                      .usage_ppm = w->usage_ppm,
                                      .priority = w->priority,
                                      .rank = (uint32_t)i,
                                      .share = -77};
    }
    int64_t left =
        pc_divide(row->amount, row->unit, row->k_ppm, claims, (uint32_t)row->count, order);
    for (int i = 0; i < row->count; i++)
        ck_assert_msg(claims[i].share == row->wishes[i].share, "%s: %d gets %lld, not %lld",
                      row->what, i, (long long)claims[i].share, (long long)row->wishes[i].share);
    ck_assert_msg(left == row->left, "%s: %lld are left, not %lld", row->what, (long long)left,
                  (long long)row->left);
}
END_TEST

START_TEST(ties_go_by_age_then_rank)
{
    struct pc_claim claims[3];
    struct pc_claim *order[3];
    static const struct {
        policy_time created[3];
        uint32_t rank[3];
        int winner;
    } rows[] = {
        {{3, 2, 1}, {0, 1, 2}, 2},
        {{1, 1, 1}, {2, 0, 1}, 1},
        {{5, -5, -5}, {0, 9, 8}, 2},
        {{INT64_MIN, 0, 1}, {7, 1, 2}, 0},
    };
    for (int row = 0; row < ROWS(rows); row++) {
        for (int i = 0; i < 3; i++)
            claims[i] = (struct pc_claim){.limit = NO,
                                          .weight = 1000,
                                          .request = 5,
                                          .created = rows[row].created[i],
                                          .rank = rows[row].rank[i]};
        ck_assert_int_eq(pc_divide(1, 1, 0, claims, 3, order), 0);
        for (int i = 0; i < 3; i++)
            ck_assert_int_eq(claims[i].share, i == rows[row].winner);
    }
}
END_TEST

/* ---- random claims ---- */

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

/* A case for the properties: amounts in thousandths, units of 1000 or 1, sometimes with past use.
 */
struct random_case {
    struct pc_claim claims[MOST], given[MOST];
    uint32_t count;
    int64_t amount, unit, k_ppm, left;
};

static void draw_case(struct random_case *c, uint64_t *state, bool with_use)
{
    c->count = 1 + draw(state, MOST);
    c->unit = draw(state, 3) == 0 ? 1 : 1000;
    int64_t grain = draw(state, 2) == 0 ? c->unit : c->unit > 1 ? 50 : 1;
    c->amount = draw(state, 40) * grain;
    c->k_ppm = with_use ? draw(state, 6) * 500000 : 0;
    uint32_t levels = 1 + draw(state, 3);
    for (uint32_t i = 0; i < c->count; i++) {
        struct pc_claim *claim = &c->claims[i];
        *claim = (struct pc_claim){
            .quota = draw(state, 8) == 0 ? NO : draw(state, 3) * draw(state, 8) * grain,
            .limit = draw(state, 3) > 0 ? NO : draw(state, 20) * grain,
            .weight = draw(state, 5) * 500,
            .request = draw(state, 25) * grain,
            .usage_ppm = with_use ? draw(state, 12) * 50000 : 0,
            .priority = (int32_t)draw(state, levels) - 1,
            .created = draw(state, 3),
            .rank = i,
        };
    }
    memcpy(c->given, c->claims, sizeof c->given);
    struct pc_claim *order[MOST];
    c->left = pc_divide(c->amount, c->unit, c->k_ppm, c->given, c->count, order);
}

static int64_t wanted(const struct pc_claim *claim)
{
    return claim->limit >= 0 && claim->limit < claim->request ? claim->limit : claim->request;
}

static int64_t guaranteed(const struct pc_claim *claim, int64_t amount)
{
    int64_t quota = claim->quota < 0 ? amount : claim->quota;
    return quota < wanted(claim) ? quota : wanted(claim);
}

START_TEST(invariants_hold)
{
    uint64_t state = 1;
    for (int run = 0; run < 20000; run++) {
        struct random_case c;
        draw_case(&c, &state, run % 2 == 1);
        int64_t shares = 0;
        int64_t guarantees = 0;
        for (uint32_t i = 0; i < c.count; i++) {
            const struct pc_claim *claim = &c.given[i];
            int64_t guarantee = guaranteed(claim, c.amount);
            shares += claim->share;
            guarantees += guarantee;
            ck_assert_int_ge(claim->share, guarantee);
            ck_assert_int_lt(claim->share, wanted(claim) + c.unit);
            if (claim->weight == 0)
                ck_assert_int_eq(claim->share, guarantee);
            // The rest at the end is wanted by no claim with an effective weight.
            if (c.left > 0 && claim->weight > 0 && c.k_ppm == 0)
                ck_assert_int_ge(claim->share, wanted(claim));
        }
        ck_assert_int_ge(c.left, 0);
        if (guarantees <= c.amount)
            ck_assert_int_eq(shares + c.left, c.amount);
        else
            ck_assert_int_eq(shares, guarantees);
    }
}
END_TEST

START_TEST(higher_priorities_are_satisfied_first)
{
    uint64_t state = 2;
    int looked_at = 0;
    for (int run = 0; run < 20000; run++) {
        struct random_case c;
        draw_case(&c, &state, false);
        for (int32_t level = -1; level <= 2; level++) {
            int64_t below = 0;
            int64_t unsatisfied = 0;
            for (uint32_t i = 0; i < c.count; i++) {
                const struct pc_claim *claim = &c.given[i];
                if (claim->priority < level)
                    below += claim->share - guaranteed(claim, c.amount);
                else if (claim->weight > 0 && claim->share < wanted(claim))
                    unsatisfied++;
            }
            // Lower priorities get parts of units that could not be divided above them.
            if (unsatisfied > 0) {
                ck_assert_int_lt(below, unsatisfied * c.unit);
                looked_at++;
            }
        }
    }
    ck_assert_int_gt(looked_at, 1000);
}
END_TEST

static void shuffle(struct pc_claim *claims, uint32_t count, uint64_t *state)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = draw(state, i);
        struct pc_claim moved = claims[i - 1];
        claims[i - 1] = claims[other];
        claims[other] = moved;
    }
}

START_TEST(the_order_of_rows_does_not_matter)
{
    uint64_t state = 3;
    for (int run = 0; run < 5000; run++) {
        struct random_case c;
        draw_case(&c, &state, run % 2 == 1);
        struct pc_claim *order[MOST];
        shuffle(c.claims, c.count, &state);
        ck_assert_int_eq(pc_divide(c.amount, c.unit, c.k_ppm, c.claims, c.count, order), c.left);
        for (uint32_t i = 0; i < c.count; i++)
            ck_assert_int_eq(c.claims[i].share, c.given[c.claims[i].rank].share);
    }
}
END_TEST

/* ---- the twin ---- */

struct twin {
    const struct random_case *c;
    double share[MOST], remainder[MOST], left;
};

static double want(const struct twin *t, uint32_t i)
{
    return (double)wanted(&t->c->claims[i]) / (double)t->c->unit;
}

/* One round for one priority; returns true if another one is due. */
static bool twin_round(struct twin *t, int32_t priority)
{
    const double tiny = 1e-9; /* a whole number that doubles miss by a little is whole */
    double weights = 0;
    double sum = 0;
    double part[MOST] = {0};
    for (uint32_t i = 0; i < t->c->count; i++)
        if (t->c->claims[i].priority == priority && t->share[i] < want(t, i) - tiny)
            weights += part[i] = (double)t->c->claims[i].weight;
    for (uint32_t i = 0; i < t->c->count && weights > 0; i++) {
        double n = part[i] / weights;
        if (part[i] > 0)
            part[i] = n + (double)t->c->k_ppm / 1e6 * (n - (double)t->c->claims[i].usage_ppm / 1e6);
        part[i] = part[i] > tiny ? part[i] : 0;
        sum += part[i];
    }
    double round = t->left;
    bool again = false;
    for (uint32_t i = 0; i < t->c->count && sum > 0; i++) {
        double entitled = round * part[i] / sum;
        double given = want(t, i) - t->share[i];
        if (part[i] <= 0)
            continue;
        if (given <= entitled + tiny) {
            t->remainder[i] = 0;
            again = again || given < entitled - tiny;
        } else {
            given = floor(entitled + tiny);
            if (entitled - given > tiny)
                t->remainder[i] = entitled - given;
        }
        t->share[i] += given;
        t->left -= given;
    }
    return again && t->left > tiny;
}

static bool twin_is_next(const struct twin *t, uint32_t i, uint32_t best)
{
    const struct pc_claim *a = &t->c->claims[i];
    const struct pc_claim *b = &t->c->claims[best];
    if (a->priority != b->priority)
        return a->priority > b->priority;
    double more = t->remainder[i] - t->remainder[best];
    if (more > 1e-9 || more < -1e-9)
        return more > 0;
    return a->created != b->created ? a->created < b->created : a->rank < b->rank;
}

static void twin_divide(struct twin *t)
{
    t->left = (double)t->c->amount / (double)t->c->unit;
    for (uint32_t i = 0; i < t->c->count; i++) {
        t->share[i] = (double)guaranteed(&t->c->claims[i], t->c->amount) / (double)t->c->unit;
        t->remainder[i] = 0;
    }
    for (uint32_t i = 0; i < t->c->count; i++)
        t->left = t->share[i] < t->left ? t->left - t->share[i] : 0;
    for (int32_t priority = 2; priority >= -1; priority--)
        while (t->left > 1e-9 && twin_round(t, priority))
            continue;
    for (;;) {
        uint32_t best = MOST;
        for (uint32_t i = 0; i < t->c->count; i++)
            if (t->remainder[i] > 0 && (best == MOST || twin_is_next(t, i, best)))
                best = i;
        if (best == MOST)
            break;
        double given = t->left < 1 ? t->left : 1;
        t->share[best] += given;
        t->left -= given;
        t->remainder[best] = 0;
    }
}

START_TEST(a_twin_in_doubles_agrees)
{
    uint64_t state = 4;
    int exact = 0;
    const int runs = 20000;
    for (int run = 0; run < runs; run++) {
        struct random_case c;
        draw_case(&c, &state, run % 2 == 1);
        struct twin t = {.c = &c};
        twin_divide(&t);
        bool same = true;
        for (uint32_t i = 0; i < c.count; i++) {
            double difference = t.share[i] * (double)c.unit - (double)c.given[i].share;
            ck_assert_msg(difference < (double)c.unit + 0.5 && difference > -(double)c.unit - 0.5,
                          "run %d, queue %u: %lld, and %f by the twin", run, i,
                          (long long)c.given[i].share, t.share[i] * (double)c.unit);
            same = same && difference < 0.5 && difference > -0.5;
        }
        exact += same;
    }
    ck_assert_int_ge(exact,
                     runs - runs / 100); // doubles may break a tie of remainders differently
}
END_TEST

/* Many queues exercise the sort. All request everything, so each gets its part or a unit more. */
START_TEST(hundreds_of_queues)
{
    enum { COUNT = 700 };
    static struct pc_claim claims[COUNT], again[COUNT];
    struct pc_claim *order[COUNT];
    uint64_t state = 5;
    int64_t weights = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        claims[i] = (struct pc_claim){.limit = NO,
                                      .weight = 1000 * (1 + draw(&state, 9)),
                                      .request = 100000,
                                      .priority = 7,
                                      .created = draw(&state, 100),
                                      .rank = i};
        weights += claims[i].weight;
    }
    memcpy(again, claims, sizeof again);
    const int64_t amount = 10007;
    ck_assert_int_eq(pc_divide(amount, 1, 0, claims, COUNT, order), 0);
    int64_t sum = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        sum += claims[i].share;
        ck_assert_int_ge(claims[i].share, amount * claims[i].weight / weights);
    }
    ck_assert_int_eq(sum, amount);
    shuffle(again, COUNT, &state);
    ck_assert_int_eq(pc_divide(amount, 1, 0, again, COUNT, order), 0);
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_int_eq(again[i].share, claims[again[i].rank].share);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fair share");
    TCase *tcase = tcase_create("rows");
    tcase_add_loop_test(tcase, rows_are_divided_by_the_rules, 0, ROWS(divisions));
    tcase_add_test(tcase, ties_go_by_age_then_rank);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("properties");
    tcase_add_test(tcase, invariants_hold);
    tcase_add_test(tcase, higher_priorities_are_satisfied_first);
    tcase_add_test(tcase, the_order_of_rows_does_not_matter);
    tcase_add_test(tcase, a_twin_in_doubles_agrees);
    tcase_add_test(tcase, hundreds_of_queues);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
