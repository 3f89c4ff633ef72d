/* SPDX-License-Identifier: MIT */
/* Histories of use; see usage.h. */
#include "order/usage.h"

#include <string.h>

enum { RESOURCES = 3 };

#define ONE         (UINT64_C(1) << 31) /* weight of the newest bucket */
#define BUCKET_MOST (UINT64_C(1) << 63)

/* ---- windows ---- */

/* 2^32 * 0.5^(1/2), 0.5^(1/4), ... 0.5^(1/65536): powers of a half by the binary digits of the exponent. */
static const uint32_t roots[16] = {0xb504f334, 0xd744fccb, 0xeac0c6e8, 0xf5257d15, 0xfa83b2db, 0xfd3e0c0d,
                                   0xfe9e115c, 0xff4ecb59, 0xffa75652, 0xffd3a752, 0xffe9d2b3, 0xfff4e91c,
                                   0xfffa747f, 0xfffd3a3b, 0xfffe9d1d, 0xffff4e8e};

/* ONE * 0.5^(age / half life), the exponent rounded down to 1/65536. */
static uint32_t half_to_the(uint64_t age, uint64_t half_life)
{
    uint64_t rest;
    uint64_t fraction = pc_multiply_divide(age % half_life, 65536, half_life, &rest);
    uint64_t weight = ONE;
    for (unsigned i = 0; i < 16; i++)
        if ((fraction >> (15 - i) & 1) != 0)
            weight = weight * roots[i] >> 32;
    uint64_t halvings = age / half_life;
    return halvings < 32 ? (uint32_t)(weight >> halvings) : 0;
}

void pc_usage_window_init(struct pc_usage_window *w, int32_t kind, int64_t window_ms, int64_t half_life_ms)
{
    int64_t covered = window_ms;
    if (half_life_ms > 0 && half_life_ms < window_ms / 16)
        covered = 16 * half_life_ms;
    w->tumbling = kind == POLICY_USAGE_TUMBLING;
    w->window_ms = window_ms;
    w->step_ms = covered / PC_USAGE_BUCKETS + (covered % PC_USAGE_BUCKETS != 0);
    for (uint32_t age = 0; age < PC_USAGE_BUCKETS; age++)
        w->weight[age] =
            half_life_ms > 0 ? half_to_the((uint64_t)w->step_ms * age, (uint64_t)half_life_ms) : ONE;
}

/* ---- histories ---- */

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static uint64_t *bucket_of(struct pc_usage *u, int64_t number)
{
    return u->buckets[(uint64_t)number % PC_USAGE_BUCKETS];
}

static void forget(struct pc_usage *u)
{
    memset(u->buckets, 0, sizeof u->buckets);
    memset(u->before, 0, sizeof u->before);
}

static void accumulate(struct pc_usage *u, int64_t ms)
{
    const int64_t held[RESOURCES] = {u->held.gpu, u->held.cpu, u->held.mem};
    uint64_t *bucket = bucket_of(u, u->number);
    for (int r = 0; r < RESOURCES; r++) {
        uint64_t more = 0;
        if (held[r] > 0 && __builtin_mul_overflow((uint64_t)held[r], (uint64_t)ms, &more))
            more = BUCKET_MOST;
        bucket[r] = more < BUCKET_MOST - bucket[r] ? bucket[r] + more : BUCKET_MOST;
    }
}

static void sum_before(struct pc_usage *u, const struct pc_usage_window *w)
{
    memset(u->before, 0, sizeof u->before);
    for (uint32_t age = 1; age < PC_USAGE_BUCKETS; age++) {
        const uint64_t *bucket = bucket_of(u, u->number - age);
        for (int r = 0; r < RESOURCES; r++)
            u->before[r] = pc_wide_add(u->before[r], pc_wide_multiply(bucket[r], w->weight[age]));
    }
}

/* Makes `number` the newest bucket; those in between were empty or have been visited. */
static void enter(struct pc_usage *u, int64_t number)
{
    u->number = number;
    memset(bucket_of(u, number), 0, sizeof u->buckets[0]);
}

static void advance(struct pc_usage *u, const struct pc_usage_window *w, policy_time at)
{
    if (!u->begun) {
        u->begun = true;
        u->until = u->changed = at;
        u->number = floor_divide(at, w->step_ms);
    }
    if (at <= u->until)
        return;
    int64_t last = floor_divide(at, w->step_ms);
    int64_t former = u->number;
    policy_time window_start = floor_divide(at, w->window_ms) * w->window_ms;
    if (w->tumbling && u->until < window_start) {
        forget(u);
        u->until = window_start;
    }
    if (last - floor_divide(u->until, w->step_ms) >= PC_USAGE_BUCKETS) { // all that is known is too old
        forget(u);
        u->until = (last - PC_USAGE_BUCKETS + 1) * w->step_ms;
    }
    int64_t number = floor_divide(u->until, w->step_ms);
    if (number != u->number)
        enter(u, number);
    for (; u->number < last; enter(u, u->number + 1)) {
        policy_time end = (u->number + 1) * w->step_ms;
        accumulate(u, end - u->until);
        u->until = end;
    }
    accumulate(u, at - u->until);
    u->until = at;
    if (u->number != former)
        sum_before(u, w);
}

void pc_usage_add(struct pc_usage *u, const struct pc_usage_window *w, policy_time at,
                  const struct policy_amounts *held)
{
    advance(u, w, at);
    if (held->gpu != u->held.gpu || held->cpu != u->held.cpu || held->mem != u->held.mem)
        u->changed = u->until;
    u->held = *held;
}

/* A bucket more than there are, since the change may have been anywhere in the first. */
bool pc_usage_settled(const struct pc_usage *u, const struct pc_usage_window *w, policy_time now)
{
    return !u->begun || (now >= u->changed &&
                         ((uint64_t)now - (uint64_t)u->changed) / (uint64_t)w->step_ms > PC_USAGE_BUCKETS);
}

static int64_t ratio_ppm(struct pc_wide used, struct pc_wide available)
{
    if (used.hi == 0 && used.lo == 0)
        return 0;
    if (available.hi == 0 && available.lo == 0)
        return 0;
    while (used.hi != 0 || available.hi != 0) {
        used = pc_wide_shift(used, 1);
        available = pc_wide_shift(available, 1);
    }
    if (available.lo <= used.lo / (PC_USAGE_MOST / 1000000))
        return PC_USAGE_MOST;
    uint64_t rest;
    return (int64_t)pc_multiply_divide(used.lo, 1000000, available.lo, &rest);
}

struct policy_amounts pc_usage_ppm(struct pc_usage *u, struct pc_usage *capacity,
                                   const struct pc_usage_window *w, policy_time now)
{
    int64_t ppm[RESOURCES];
    advance(u, w, now);
    advance(capacity, w, now);
    for (int r = 0; r < RESOURCES; r++) {
        struct pc_wide used = pc_wide_multiply(bucket_of(u, u->number)[r], ONE);
        struct pc_wide available = pc_wide_multiply(bucket_of(capacity, capacity->number)[r], ONE);
        ppm[r] = ratio_ppm(pc_wide_add(used, u->before[r]), pc_wide_add(available, capacity->before[r]));
    }
    return (struct policy_amounts){ppm[0], ppm[1], ppm[2]};
}

/* ---- what is told of the past ---- */

static bool is_empty(const struct pc_usage *u)
{
    for (uint32_t i = 0; i < PC_USAGE_BUCKETS; i++)
        for (int r = 0; r < RESOURCES; r++)
            if (u->buckets[i][r] != 0)
                return false;
    return true;
}

/* What is held now was held in the whole window. */
static void extend(struct pc_usage *u, const struct pc_usage_window *w)
{
    policy_time now = u->until;
    u->until = w->tumbling ? floor_divide(now, w->window_ms) * w->window_ms
                           : (u->number - PC_USAGE_BUCKETS + 1) * w->step_ms;
    u->number = floor_divide(u->until, w->step_ms);
    advance(u, w, now);
}

/* Rounded up, so that the ratio, which is rounded down, is the same again. */
static uint64_t part_of(uint64_t available, int64_t ppm)
{
    uint64_t parts = (uint64_t)(ppm < PC_USAGE_MOST ? ppm : PC_USAGE_MOST);
    if (available > BUCKET_MOST / (parts / 1000000 + 1))
        return BUCKET_MOST;
    uint64_t rest;
    uint64_t part = pc_multiply_divide(available, parts, 1000000, &rest);
    return part + (rest != 0);
}

void pc_usage_seed(struct pc_usage *u, struct pc_usage *capacity, const struct pc_usage_window *w,
                   policy_time now, const struct policy_amounts *ppm)
{
    const int64_t told[RESOURCES] = {ppm->gpu, ppm->cpu, ppm->mem};
    advance(u, w, now);
    advance(capacity, w, now);
    if (is_empty(capacity))
        extend(capacity, w);
    for (uint32_t i = 0; i < PC_USAGE_BUCKETS; i++)
        for (int r = 0; r < RESOURCES; r++)
            u->buckets[i][r] = part_of(capacity->buckets[i][r], told[r]);
    sum_before(u, w);
    u->changed = u->until;
}

/* ---- one history as it was in another policy ---- */

bool pc_usage_get(const struct pc_usage *u, const struct pc_usage_window *w, uint32_t age,
                  struct pc_usage_bucket *bucket)
{
    if (!u->begun || age >= PC_USAGE_BUCKETS)
        return false;
    int64_t number = u->number - age;
    bucket->from = number * w->step_ms;
    memcpy(bucket->held, u->buckets[(uint64_t)number % PC_USAGE_BUCKETS], sizeof bucket->held);
    return true;
}

bool pc_usage_set(struct pc_usage *u, const struct pc_usage_window *w, policy_time until, policy_time changed,
                  const struct pc_usage_bucket *bucket)
{
    int64_t newest = floor_divide(until, w->step_ms);
    if (bucket->from > until || bucket->from < until - PC_USAGE_BUCKETS * w->step_ms)
        return false;
    int64_t number = floor_divide(bucket->from, w->step_ms);
    if (number * w->step_ms != bucket->from || number > newest || newest - number >= PC_USAGE_BUCKETS)
        return false;
    if (!u->begun || u->until != until)
        forget(u);
    u->begun = true;
    u->until = until;
    u->changed = changed;
    u->number = newest;
    for (int r = 0; r < RESOURCES; r++)
        bucket_of(u, number)[r] = bucket->held[r] < BUCKET_MOST ? bucket->held[r] : BUCKET_MOST;
    sum_before(u, w);
    return true;
}
