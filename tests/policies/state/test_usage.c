/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Usage histories: stories computed by hand, and a twin that adds up every millisecond. */
#include "state/usage.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <string.h>

enum { STEP = 10, WINDOW = 64 * STEP };

static struct policy_amounts gpus(int64_t n)
{
    return (struct policy_amounts){n, 0, 0};
}

static bool near(double a, double b, double tolerance)
{
    return a - b <= tolerance && b - a <= tolerance;
}

/* ---- by arithmetic ---- */

/*
 * A cluster of 8 devices since the first change; a queue that holds a number of them from each time
 * on; its usage at `when`. The sliding window is 640 long.
 */
struct story {
    const char *what;
    int32_t kind;
    int64_t half_life;
    struct {
        policy_time at;
        int64_t held;
    } changes[3]; /* in the order of time */
    policy_time when;
    int64_t ppm;
};

#define S POLICY_USAGE_SLIDING
#define T POLICY_USAGE_TUMBLING

static const struct story stories[] = {
    {"nothing", S, 0, {{0, 0}}, 500, 0},
    {"no time has passed", S, 0, {{0, 8}}, 0, 0},
    {"all", S, 0, {{0, 8}}, 1, 1000000},
    {"half of it, always", S, 0, {{0, 4}}, 123456, 500000},
    {"half of it, always, tumbling", T, 0, {{0, 4}}, 123456, 500000},
    {"half of it, always, fading", S, 40, {{0, 4}}, 123456, 500000},
    {"half of it, always, fading and tumbling", T, 77, {{0, 4}}, 123456, 500000},
    {"all of it, half of the time", S, 0, {{0, 8}, {300, 0}}, 600, 500000},
    {"a negative amount is none", S, 0, {{0, 8}, {300, -8}}, 600, 500000},
    {"three amounts", S, 0, {{0, 8}, {100, 2}, {200, 4}}, 400, 562500}, /* (800 + 200 + 800) / 3200
                                                                         */
    {"the window is not full yet", S, 0, {{0, 8}, {160, 0}}, 639, 250391}, /* 160/639 */
    {"a quarter of the window", S, 0, {{0, 8}, {160, 0}}, 640, 250000},
    {"what has left the window counts no more", S, 0, {{0, 8}, {160, 0}}, 641, 248437}, /* 159/640
                                                                                         */
    {"the last of it", S, 0, {{0, 8}, {160, 0}}, 799, 1562}, /* none of it is left */
    {"all of it has left", S, 0, {{0, 8}, {160, 0}}, 800, 0},
    {"before time 0", S, 0, {{-900, 8}, {-600, 0}}, -200, 375000},          /* 240/640 */
    {"before time 0, tumbling", T, 0, {{-500, 8}, {-295, 0}}, -90, 500000}, /* 205/410 */
    {"a tumbling window grows", T, 0, {{0, 8}, {160, 0}}, 639, 250391},
    {"and starts over", T, 0, {{0, 8}, {160, 0}}, 640, 0},
    {"held amounts continue", T, 0, {{0, 8}, {700, 0}}, 760, 500000}, /* 60/120 */
    {"a window begins at time 0", T, 0, {{-20, 8}, {10, 0}}, 40, 250000},
    {"long afterwards", T, 0, {{0, 8}, {700, 0}}, 999999, 0},
    {"long afterwards", S, 0, {{0, 8}, {700, 0}}, 999999, 0},
    /* Of the last n half-lives the k-th weighs 2^-k of 1 - 2^-n. */
    {"after a half-life", S, 40, {{0, 8}, {40, 0}}, 80, 333333},
    {"after two half-lives", S, 40, {{0, 8}, {40, 0}}, 120, 142857},
    {"after half a half-life", S, 40, {{0, 8}, {40, 0}}, 60, 546918}, /* (2^-.5 - 2^-1.5) / (1 -
                                                                         2^-1.5) */
    {"after a half-life of 8, the window 128", S, 8, {{0, 8}, {8, 0}}, 16, 333333},
    {"after a half-life, tumbling", T, 8, {{640, 8}, {648, 0}}, 656, 333333},
    {"within the 16th half-life", S, 8, {{0, 8}, {8, 0}}, 132, 6}, /* 2^-15.5 - 2^-16 */
    {"after 16 half-lives", S, 8, {{0, 8}, {8, 0}}, 136, 0},
};

START_TEST(stories_add_up)
{
    static struct pc_usage use, capacity;
    struct pc_usage_window w;
    const struct story *row = &stories[_i];
    memset(&use, 0, sizeof use);
    memset(&capacity, 0, sizeof capacity);
    pc_usage_window_init(&w, row->kind, WINDOW, row->half_life);
    struct policy_amounts all = gpus(8);
    pc_usage_add(&capacity, &w, row->changes[0].at, &all);
    for (int i = 0; i < 3; i++) {
        struct policy_amounts held = gpus(row->changes[i].held);
        if (i == 0 ||
            (row->changes[i].at > row->changes[i - 1].at && row->changes[i].at <= row->when))
            pc_usage_add(&use, &w, row->changes[i].at, &held);
    }
    struct policy_amounts ppm = pc_usage_ppm(&use, &capacity, &w, row->when);
    ck_assert_int_eq(ppm.cpu, 0);
    ck_assert_int_eq(ppm.mem, 0);
    ck_assert_msg(near((double)ppm.gpu, (double)row->ppm, row->half_life > 0 ? 1 : 0),
                  "%s: %lld, not %lld", row->what, (long long)ppm.gpu, (long long)row->ppm);
}
END_TEST

/* A window that 64 does not divide, and half-lives that cut it. */
START_TEST(steps_are_rounded_up)
{
    static const struct {
        int64_t window, half_life, step;
    } rows[] = {
        {64, 0, 1},
        {65, 0, 2},
        {1, 0, 1},
        {604800000, 0, 9450000}, /* a week: 2 h 37.5 min */
        {640, 40, 10},
        {640, 39, 10}, /* 624 / 64 */
        {640, 20, 5},
        {640, 1, 1},
        {INT64_MAX, 4000, 1000},
        {INT64_MAX, 0, (INT64_C(1) << 57)},
    };
    for (int i = 0; i < ROWS(rows); i++) {
        struct pc_usage_window w;
        pc_usage_window_init(&w, S, rows[i].window, rows[i].half_life);
        ck_assert_int_eq(w.step_ms, rows[i].step);
    }
}
END_TEST

/* The queue's allocation and the cluster's capacity, both for a month; parts per million. */
static const struct {
    int64_t held, available, ppm;
} extremes[] = {
    {1073741824, 2147483648, 500000}, /* a PiB of 2, in MiB */
    {INT64_MAX, INT64_MAX, 1000000},
    {0, 0, 0},
    {5, 0, 0},
    {5, -1, 0},
    {INT64_C(1) << 40, 1, PC_USAGE_MOST},
    {1, INT64_C(1) << 40, 0},
    {3000000, 1000000, 3000000},
};

START_TEST(extremes_are_bounded)
{
    static struct pc_usage use, capacity;
    struct pc_usage_window w;
    const int64_t month = INT64_C(2592000000);
    for (int64_t half_life = 0; half_life <= month / 2; half_life += month / 2) {
        memset(&use, 0, sizeof use);
        memset(&capacity, 0, sizeof capacity);
        pc_usage_window_init(&w, S, month, half_life);
        struct policy_amounts held = {0, 0, extremes[_i].held};
        struct policy_amounts available = {0, 0, extremes[_i].available};
        pc_usage_add(&use, &w, 0, &held);
        pc_usage_add(&capacity, &w, 0, &available);
        ck_assert_int_eq(pc_usage_ppm(&use, &capacity, &w, month).mem, extremes[_i].ppm);
    }
}
END_TEST

START_TEST(time_does_not_go_back)
{
    static struct pc_usage use, capacity;
    struct pc_usage_window w;
    memset(&use, 0, sizeof use);
    memset(&capacity, 0, sizeof capacity);
    pc_usage_window_init(&w, S, WINDOW, 0);
    struct policy_amounts all = gpus(8);
    struct policy_amounts none = gpus(0);
    pc_usage_add(&capacity, &w, 0, &all);
    pc_usage_add(&use, &w, 0, &all);
    pc_usage_add(&use, &w, 100, &all);
    pc_usage_add(&use, &w, 50, &none); /* is held from 100 on */
    ck_assert_int_eq(pc_usage_ppm(&use, &capacity, &w, 200).gpu, 500000);
}
END_TEST

/* ---- reported past usage ---- */

/*
 * A queue that used a quarter of 8 devices in the window before the report, and nothing (or
 * everything) from then on: its usage at `when`.
 */
static const struct {
    const char *what;
    int32_t kind;
    int64_t half_life;
    policy_time known, told, when; /* since when the capacity is known, or NEVER: only now */
    int64_t held, ppm;
} seeds[] = {
    {"at once", S, 0, POLICY_NEVER, 1000, 1000, 0, 250000},
    {"at any other time", S, 0, POLICY_NEVER, 1007, 1007, 0, 250000},
    {"fading", S, 40, POLICY_NEVER, 1003, 1003, 0, 250000},
    {"tumbling", T, 0, POLICY_NEVER, 1003, 1003, 0, 250000},
    {"before time 0", S, 0, POLICY_NEVER, -90, -90, 0, 250000},
    {"half of the window left", S, 0, POLICY_NEVER, 1000, 1320, 0, 125000},
    {"all of it left", S, 0, POLICY_NEVER, 1000, 1640, 0, 0},
    {"after a half-life", S, 40, POLICY_NEVER, 1000, 1040, 0, 125000},
    {"in the same window", T, 0, POLICY_NEVER, 960, 1120, 0, 166667}, /* 640 to 960 of 480 */
    {"in another window", T, 0, POLICY_NEVER, 960, 1281, 0, 0},
    {"with what it holds", S, 0, POLICY_NEVER, 1000, 1320, 8, 625000}, /* (320/4 + 320) / 640 */
    {"of a known capacity", S, 0, 900, 1000, 1000, 0, 250000},
    {"half of what is known", S, 0, 900, 1000, 1100, 0, 125000},
};

START_TEST(past_usage_can_be_reported)
{
    static struct pc_usage use, capacity;
    struct pc_usage_window w;
    struct policy_amounts all = gpus(8), held = gpus(seeds[_i].held), ppm = gpus(250000);
    memset(&use, 0, sizeof use);
    memset(&capacity, 0, sizeof capacity);
    pc_usage_window_init(&w, seeds[_i].kind, WINDOW, seeds[_i].half_life);
    bool known = seeds[_i].known != POLICY_NEVER;
    pc_usage_add(&capacity, &w, known ? seeds[_i].known : seeds[_i].told, &all);
    pc_usage_add(&use, &w, seeds[_i].told, &held);
    pc_usage_seed(&use, &capacity, &w, seeds[_i].told, &ppm);
    int64_t got = pc_usage_ppm(&use, &capacity, &w, seeds[_i].when).gpu;
    int64_t rounding = seeds[_i].told == seeds[_i].when ? 0 : seeds[_i].half_life > 0 ? 60 : 1;
    ck_assert_msg(got - seeds[_i].ppm <= rounding && seeds[_i].ppm - got <= rounding,
                  "%s: %lld, not %lld", seeds[_i].what, (long long)got, (long long)seeds[_i].ppm);
}
END_TEST

/* Reported usage is returned, for every resource and any value, up to the largest possible one. */
START_TEST(any_past_usage_can_be_reported)
{
    static const int64_t parts[] = {0,       1,       2,       333333,        999999,
                                    1000000, 1000001, 7777777, PC_USAGE_MOST, INT64_MAX};
    static struct pc_usage use, capacity;
    struct pc_usage_window w;
    pc_usage_window_init(&w, S, 604800000, 86400000);
    for (int i = 0; i < ROWS(parts); i++) {
        struct policy_amounts all = {3000, 16000, 1},
                              ppm = {parts[i], parts[(i + 1) % ROWS(parts)], parts[i]};
        memset(&use, 0, sizeof use);
        memset(&capacity, 0, sizeof capacity);
        pc_usage_add(&capacity, &w, 1000000007, &all);
        pc_usage_seed(&use, &capacity, &w, 1000000007, &ppm);
        struct policy_amounts got = pc_usage_ppm(&use, &capacity, &w, 1000000007);
        ck_assert_int_eq(got.gpu, ppm.gpu < PC_USAGE_MOST ? ppm.gpu : PC_USAGE_MOST);
        ck_assert_int_eq(got.cpu, ppm.cpu < PC_USAGE_MOST ? ppm.cpu : PC_USAGE_MOST);
        ck_assert_int_eq(got.mem, ppm.mem < PC_USAGE_MOST ? ppm.mem : PC_USAGE_MOST);
    }
}
END_TEST

/* ---- settled usage ---- */

static const struct {
    int32_t kind;
    int64_t half_life;
    policy_time changed, when;
    bool settled;
} settling[] = {
    {S, 0, 0, 0, false},
    {S, 0, 0, 639, false},
    {S, 0, 0, 640, true},
    {S, 0, 7, 640, false},
    {T, 0, 0, 639, false},
    {T, 0, 0, 640, true},
    {S, 20, 0, 319, false}, /* 16 half-lives */
    {S, 20, 0, 320, true},
    {S, 0, INT64_MIN, INT64_MAX, true},
    {S, 0, INT64_MAX, INT64_MAX, false},
};

START_TEST(use_settles)
{
    struct pc_usage_window w;
    static struct pc_usage use;
    memset(&use, 0, sizeof use);
    pc_usage_window_init(&w, settling[_i].kind, WINDOW, settling[_i].half_life);
    ck_assert(pc_usage_settled(&use, &w, settling[_i].when)); /* has not begun */
    use.begun = true;
    use.changed = settling[_i].changed;
    ck_assert_int_eq(pc_usage_settled(&use, &w, settling[_i].when), settling[_i].settled);
}
END_TEST

/* Only different amounts are a change; after it the ratio moves until it has settled, and never
 * again. */
START_TEST(settled_decisions_do_not_change)
{
    struct pc_usage_window w;
    static struct pc_usage use, capacity;
    struct policy_amounts all = gpus(8);
    for (int kind = S; kind <= T; kind++) {
        memset(&use, 0, sizeof use);
        memset(&capacity, 0, sizeof capacity);
        pc_usage_window_init(&w, kind, WINDOW, kind == S ? 77 : 0);
        pc_usage_add(&capacity, &w, 3, &all);
        struct policy_amounts held = gpus(6);
        pc_usage_add(&use, &w, 3, &held);
        held = gpus(2);
        pc_usage_add(&use, &w, 333, &held);
        pc_usage_add(&use, &w, 400, &held); /* the same */
        int64_t ppm = 0;
        for (policy_time t = 400; t < 3000; t++) {
            int64_t now = pc_usage_ppm(&use, &capacity, &w, t).gpu;
            if (kind == T && t % WINDOW == 0)
                continue; /* at the instant at which it begins a tumbling window has no usage */
            if (pc_usage_settled(&use, &w, t - 1))
                ck_assert_int_eq(now, ppm);
            ppm = now;
        }
        ck_assert_int_eq(ppm, 250000);
        ck_assert(!pc_usage_settled(&use, &w, 972) && pc_usage_settled(&use, &w, 973));
    }
}
END_TEST

/* ---- the twin ---- */

enum { MOMENTS = 8000 };

struct twin {
    int64_t held[MOMENTS][3], available[MOMENTS][3];
};

static int64_t of(const struct policy_amounts *a, int resource)
{
    return resource == 0 ? a->gpu : resource == 1 ? a->cpu : a->mem;
}

/* The weight of the allocation from m to m + 1, by the exponential function. */
static double weight_of(const struct pc_usage_window *w, policy_time now, policy_time m)
{
    if (w->half_life_ms == 0)
        return 1;
    double half_life = (double)w->half_life_ms;
    return exp2((double)(m + 1 - now) / half_life) - exp2((double)(m - now) / half_life);
}

static double twin_ppm(const struct twin *t, const struct pc_usage_window *w, policy_time now,
                       int resource)
{
    double used = 0;
    double available = 0;
    policy_time reach = w->half_life_ms > 0 && 16 * w->half_life_ms < w->window_ms
                            ? 16 * w->half_life_ms
                            : w->window_ms;
    for (policy_time m = now - 1; m >= 0 && m >= now - reach; m--) {
        if (w->tumbling && m < now / w->window_ms * w->window_ms)
            break;
        used += (double)t->held[m][resource] * weight_of(w, now, m);
        available += (double)t->available[m][resource] * weight_of(w, now, m);
    }
    return available > 0 ? used / available * 1e6 : 0;
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

static const struct {
    int32_t kind;
    int64_t window, half_life;
} twins[] = {
    {S, 640, 0},    {S, 1000, 0},  {S, 999, 7},
    {S, 1000, 130}, {S, 3000, 40}, /* cut to 640 */
    {T, 640, 0},    {T, 1000, 0},  {T, 1000, 130},
    {T, 3000, 40},  {T, 30, 0}, /* fewer milliseconds than parts */
};

START_TEST(a_twin_agrees)
{
    static struct twin t;
    static struct pc_usage use, capacity;
    struct pc_usage_window w;
    uint64_t state = 1 + (uint64_t)_i;
    memset(&use, 0, sizeof use);
    memset(&capacity, 0, sizeof capacity);
    pc_usage_window_init(&w, twins[_i].kind, twins[_i].window, twins[_i].half_life);
    struct policy_amounts held = {0, 0, 0};
    struct policy_amounts available = {8, 0, 8};
    pc_usage_add(&use, &w, 0, &held);
    pc_usage_add(&capacity, &w, 0, &available);
    policy_time next = 0;
    for (policy_time now = 0; now < MOMENTS; now++) {
        if (now == next) {
            if (draw(&state, 8) == 0) {
                available = (struct policy_amounts){8 + draw(&state, 8), draw(&state, 9),
                                                    8 + draw(&state, 3)};
                pc_usage_add(&capacity, &w, now, &available);
            } else {
                held =
                    (struct policy_amounts){draw(&state, 9), draw(&state, 3), draw(&state, 2) * 8};
                pc_usage_add(&use, &w, now, &held);
            }
            if (draw(&state, 3) == 0) {
                struct policy_amounts ppm = pc_usage_ppm(&use, &capacity, &w, now);
                for (int r = 0; r < 3; r++) {
                    double expected = twin_ppm(&t, &w, now, r);
                    ck_assert_msg(near((double)of(&ppm, r) + 0.5, expected, 0.6),
                                  "at %lld: %lld of resource %d, and %f by the twin",
                                  (long long)now, (long long)of(&ppm, r), r, expected);
                }
            }
            next = now + (draw(&state, 20) == 0 ? 1 + draw(&state, 2000) : draw(&state, 60));
            next += next == now; // every change takes effect
        }
        for (int r = 0; r < 3; r++) {
            t.held[now][r] = of(&held, r);
            t.available[now][r] = of(&available, r);
        }
    }
}
END_TEST

/* ---- more changes than capacity ---- */

/* Held in alternate milliseconds, twice in the first half of each second: half of the cluster,
 * minus the part at the edge. */
START_TEST(merging_keeps_the_sum)
{
    enum { LONG = 64000 };
    static struct pc_usage use, capacity;
    struct pc_usage_window w;
    struct policy_amounts all = gpus(8);
    memset(&use, 0, sizeof use);
    memset(&capacity, 0, sizeof capacity);
    pc_usage_window_init(&w, S, LONG, 0);
    pc_usage_add(&capacity, &w, 0, &all);
    for (policy_time t = 0; t < LONG; t++) {
        struct policy_amounts held = gpus(t % 2 == 0 ? 8 : 0);
        pc_usage_add(&use, &w, t, &held);
    }
    ck_assert_int_eq(pc_usage_ppm(&use, &capacity, &w, LONG).gpu,
                     500000); /* nothing has left yet */
    struct policy_amounts none = gpus(0);
    pc_usage_add(&use, &w, LONG, &none);
    for (policy_time t = LONG; t <= 2 * LONG; t += 77) {
        int64_t exact = (2 * LONG - t) * 500000 / LONG;
        int64_t got = pc_usage_ppm(&use, &capacity, &w, t).gpu;
        ck_assert_msg(got - exact <= 500000 / 128 && exact - got <= 500000 / 128,
                      "at %lld: %lld, not %lld", (long long)t, (long long)got, (long long)exact);
    }
}
END_TEST

/* ---- handing over ---- */

static void hand_over(const struct pc_usage *from, struct pc_usage *to,
                      const struct pc_usage_window *w)
{
    struct pc_usage_part part;
    memset(to, 0, sizeof *to);
    for (uint32_t age = 0; pc_usage_get(from, age, &part); age++)
        ck_assert(pc_usage_set(to, w, from->until, from->changed, &part));
    to->held = from->held;
}

/* A history given away in any state gives the same answers from then on, and is the same history.
 */
START_TEST(a_history_is_continued_elsewhere)
{
    static struct pc_usage use, capacity, use_there, capacity_there;
    struct pc_usage_window w;
    uint64_t state = 99 + (uint64_t)_i;
    memset(&use, 0, sizeof use);
    memset(&capacity, 0, sizeof capacity);
    pc_usage_window_init(&w, twins[_i].kind, twins[_i].window, twins[_i].half_life);
    for (policy_time now = 0; now < 20000; now += 1 + draw(&state, 90)) {
        struct policy_amounts held = gpus(draw(&state, 9)), all = gpus(8 + draw(&state, 2));
        pc_usage_add(&use, &w, now, &held);
        pc_usage_add(&capacity, &w, now, &all);
        if (draw(&state, 20) != 0)
            continue;
        hand_over(&use, &use_there, &w);
        hand_over(&capacity, &capacity_there, &w);
        for (policy_time end = now + 2000; now < end; now += 1 + draw(&state, 300)) {
            int64_t here = pc_usage_ppm(&use, &capacity, &w, now).gpu;
            ck_assert_int_eq(pc_usage_ppm(&use_there, &capacity_there, &w, now).gpu, here);
        }
    }
}
END_TEST

START_TEST(parts_that_cannot_be_are_refused)
{
    static struct pc_usage use;
    struct pc_usage_window w;
    pc_usage_window_init(&w, S, WINDOW, 0);
    memset(&use, 0, sizeof use);
    const struct pc_usage_part parts[] = {
        {1001, 1, {0, 0, 0}},                       /* not yet */
        {900, 11, {0, 0, 0}},                       /* longer than a step */
        {900, -1, {0, 0, 0}}, {300, 10, {0, 0, 0}}, /* too old */
        {985, 10, {0, 0, 0}},                       /* over the one that is there */
        {995, 10, {0, 0, 0}},
    };
    const struct pc_usage_part open = {991, 10, {90, 0, 0}}; /* ends at 1000 */
    ck_assert(pc_usage_set(&use, &w, 1000, 1000, &open));
    ck_assert_int_eq(use.open.ms, 9);
    for (int i = 0; i < ROWS(parts); i++)
        ck_assert_msg(!pc_usage_set(&use, &w, 1000, 1000, &parts[i]), "part %d", i);
    ck_assert_uint_eq(use.count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("usage");
    TCase *tcase = tcase_create("usage");
    tcase_add_loop_test(tcase, stories_add_up, 0, ROWS(stories));
    tcase_add_test(tcase, steps_are_rounded_up);
    tcase_add_loop_test(tcase, extremes_are_bounded, 0, ROWS(extremes));
    tcase_add_test(tcase, time_does_not_go_back);
    tcase_add_loop_test(tcase, a_twin_agrees, 0, ROWS(twins));
    tcase_add_loop_test(tcase, past_usage_can_be_reported, 0, ROWS(seeds));
    tcase_add_test(tcase, any_past_usage_can_be_reported);
    tcase_add_loop_test(tcase, use_settles, 0, ROWS(settling));
    tcase_add_test(tcase, settled_decisions_do_not_change);
    tcase_add_test(tcase, merging_keeps_the_sum);
    tcase_add_loop_test(tcase, a_history_is_continued_elsewhere, 0, ROWS(twins));
    tcase_add_test(tcase, parts_that_cannot_be_are_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
