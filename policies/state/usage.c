/* SPDX-License-Identifier: MIT */
/* Usage history; see usage.h. */
#include "state/usage.h"

#include <string.h>

enum { RESOURCES = 3 };

#define PART_MOST (UINT64_C(1) << 63)
#define HALVINGS  16 /* a window is cut to this many half-lives */

/* ---- windows ---- */

void pc_usage_window_init(struct pc_usage_window *w, int32_t kind, int64_t window_ms,
                          int64_t half_life_ms)
{
    w->tumbling = kind == POLICY_USAGE_TUMBLING;
    w->window_ms = window_ms;
    w->half_life_ms = half_life_ms;
    w->reach_ms = half_life_ms > 0 && half_life_ms < window_ms / HALVINGS ? HALVINGS * half_life_ms
                                                                          : window_ms;
    w->step_ms = w->reach_ms / PC_USAGE_STEPS + (w->reach_ms % PC_USAGE_STEPS != 0);
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Start of the window that ends now. */
static policy_time start_of(const struct pc_usage_window *w, policy_time now)
{
    policy_time start = now < INT64_MIN + w->reach_ms ? INT64_MIN : now - w->reach_ms;
    policy_time whole = floor_divide(now, w->window_ms) * w->window_ms;
    return w->tumbling && whole > start ? whole : start;
}

/* ---- weights ---- */

/*
 * With a half-life H, usage at time t is weighted by the growth of
 *     g(t) = 2^(t / H - scale)
 *
 * there, which halves within H when seen from later times. The reference time cancels out because
 * numerator and denominator use one scale. So the weight of a part only changes with the scale: the
 * number of the current half-life, minus HALVINGS + 1. Constant usage is weighted exactly.
 */

/* 2^(1/2), 2^(1/4), ... 2^(2^-40), times 2^63, rounded down. */
static const uint64_t roots[40] = {
    0xb504f333f9de6484, 0x9837f0518db8a96f, 0x8b95c1e3ea8bd6e6, 0x85aac367cc487b14,
    0x82cd8698ac2ba1d7, 0x8164d1f3bc030773, 0x80b1ed4fd999ab6c, 0x8058d7d2d5e5f6b0,
    0x802c6436d0e04f50, 0x8016302f17467628, 0x800b179c82028fd0, 0x80058baf7fee3b5d,
    0x8002c5d00fdcfcb6, 0x800162e61bed4a48, 0x8000b17292f702a3, 0x800058b92abbae02,
    0x80002c5c8dade4d7, 0x8000162e44eaf636, 0x80000b1721fa7c18, 0x8000058b90de7e4c,
    0x800002c5c8678f36, 0x80000162e431db9f, 0x800000b1721872d0, 0x80000058b90c1aa8,
    0x8000002c5c8605a4, 0x800000162e4300e6, 0x8000000b17217ff8, 0x800000058b90bfdd,
    0x80000002c5c85fe6, 0x8000000162e42ff1, 0x80000000b17217f8, 0x8000000058b90bfc,
    0x800000002c5c85fd, 0x80000000162e42fe, 0x800000000b17217f, 0x80000000058b90bf,
    0x8000000002c5c85f, 0x800000000162e42f, 0x8000000000b17217, 0x800000000058b90b};

static int64_t scale_at(const struct pc_usage_window *w, policy_time now)
{
    return w->half_life_ms > 0 ? floor_divide(now, w->half_life_ms) - HALVINGS - 1 : 0;
}

/* g(t) * 2^45, for a time 0 to 17 half-lives after the scale. */
static uint64_t growth(const struct pc_usage_window *w, int64_t scale, policy_time t)
{
    int64_t whole = floor_divide(t, w->half_life_ms);
    uint64_t rest;
    uint64_t fraction = pc_multiply_divide((uint64_t)(t - whole * w->half_life_ms),
                                           UINT64_C(1) << 40, (uint64_t)w->half_life_ms, &rest);
    uint64_t value = UINT64_C(1) << 63;
    for (int i = 0; i < 40; i++) {
        if ((fraction >> (39 - i) & 1) == 0)
            continue;
        struct pc_int128 product = pc_int128_multiply(value, roots[i]);
        value = product.hi << 1 | product.lo >> 63;
    }
    return value >> (1 + HALVINGS + 1 - (whole - scale));
}

static uint64_t weight(const struct pc_usage_window *w, int64_t scale, policy_time from,
                       policy_time to)
{
    return w->half_life_ms > 0 ? growth(w, scale, to) - growth(w, scale, from)
                               : (uint64_t)to - (uint64_t)from;
}

/* The weighted amount of the resource in the part, from a time within it on. */
static struct pc_int128 weigh(const struct pc_usage_window *w, int64_t scale,
                              const struct pc_usage_part *part, policy_time from, int resource)
{
    if (part->held[resource] == 0)
        return (struct pc_int128){0, 0};
    struct pc_int128 product =
        pc_int128_multiply(part->held[resource], weight(w, scale, from, part->from + part->ms));
    uint64_t rest = product.hi % (uint64_t)part->ms;
    uint64_t unused;
    return (struct pc_int128){
        product.hi / (uint64_t)part->ms,
        pc_int128_divide((struct pc_int128){rest, product.lo}, (uint64_t)part->ms, &unused)};
}

/* ---- parts ---- */

static struct pc_usage_part *part_at(struct pc_usage *u, uint32_t i) /* oldest first */
{
    return &u->parts[(u->first + i) % PC_USAGE_PARTS];
}

static void forget(struct pc_usage *u)
{
    u->count = u->first = 0;
    memset(u->total, 0, sizeof u->total);
    u->open = (struct pc_usage_part){.from = u->until};
}

/* Merges neighbours that are short together. */
static void merge(struct pc_usage *u, const struct pc_usage_window *w)
{
    uint32_t kept = 0;
    for (uint32_t i = 1; i < u->count; i++) {
        struct pc_usage_part *last = part_at(u, kept);
        const struct pc_usage_part *next = part_at(u, i);
        if (next->from + next->ms - last->from > w->step_ms / 2) {
            *part_at(u, ++kept) = *next;
            continue;
        }
        last->ms = next->from + next->ms - last->from;
        for (int r = 0; r < RESOURCES; r++)
            last->held[r] = next->held[r] < PART_MOST - last->held[r]
                                ? last->held[r] + next->held[r]
                                : PART_MOST;
    }
    u->count = kept + 1;
    u->summed = false;
}

static void sum_up(struct pc_usage *u, const struct pc_usage_window *w, int64_t scale)
{
    if (u->summed && u->scale == scale)
        return;
    memset(u->total, 0, sizeof u->total);
    for (uint32_t i = 0; i < u->count; i++)
        for (int r = 0; r < RESOURCES; r++)
            u->total[r] =
                pc_int128_add(u->total[r], weigh(w, scale, part_at(u, i), part_at(u, i)->from, r));
    u->scale = scale;
    u->summed = true;
}

/* Closes the open part. */
static void close(struct pc_usage *u, const struct pc_usage_window *w)
{
    if (u->open.ms > 0) {
        if (u->count == PC_USAGE_PARTS)
            merge(u, w);
        *part_at(u, u->count++) = u->open;
        for (int r = 0; r < RESOURCES && u->summed; r++)
            u->total[r] = pc_int128_add(u->total[r], weigh(w, u->scale, &u->open, u->open.from, r));
    }
    u->open = (struct pc_usage_part){.from = u->until};
}

/* Accumulates the held amounts up to then, at most to the end of a step. */
static void accumulate(struct pc_usage *u, policy_time until)
{
    const int64_t held[RESOURCES] = {u->held.gpu, u->held.cpu, u->held.mem};
    for (int r = 0; r < RESOURCES; r++) {
        uint64_t *sum = &u->open.held[r];
        uint64_t more = 0;
        if (held[r] > 0 &&
            __builtin_mul_overflow((uint64_t)held[r], (uint64_t)(until - u->until), &more))
            more = PART_MOST;
        *sum = more < PART_MOST - *sum ? *sum + more : PART_MOST;
    }
    u->open.ms += until - u->until;
    u->until = until;
}

/* Drops parts older than the window. */
static void drop(struct pc_usage *u, const struct pc_usage_window *w, policy_time start)
{
    for (; u->count > 0 && part_at(u, 0)->from + part_at(u, 0)->ms <= start; u->count--) {
        for (int r = 0; r < RESOURCES && u->summed; r++)
            u->total[r] = pc_int128_subtract(
                u->total[r], weigh(w, u->scale, part_at(u, 0), part_at(u, 0)->from, r));
        u->first = (u->first + 1) % PC_USAGE_PARTS;
    }
}

static void advance(struct pc_usage *u, const struct pc_usage_window *w, policy_time at)
{
    if (!u->begun) {
        u->begun = true;
        u->until = u->changed = at;
        u->open = (struct pc_usage_part){.from = at};
    }
    if (at <= u->until)
        return;
    u->being_told = false;
    policy_time start = start_of(w, at);
    if (u->until <= start) { /* everything known is too old */
        u->until = start;
        forget(u);
    }
    drop(u, w, start);
    sum_up(u, w, scale_at(w, at));
    for (policy_time end = u->open.from + w->step_ms; end < at; end += w->step_ms) {
        accumulate(u, end);
        close(u, w);
    }
    accumulate(u, at);
}

void pc_usage_add(struct pc_usage *u, const struct pc_usage_window *w, policy_time at,
                  const struct policy_amounts *held)
{
    advance(u, w, at);
    if (held->gpu == u->held.gpu && held->cpu == u->held.cpu && held->mem == u->held.mem)
        return;
    close(u, w);
    u->being_told = false;
    u->changed = u->until;
    u->held = *held;
}

bool pc_usage_settled(const struct pc_usage *u, const struct pc_usage_window *w, policy_time now)
{
    return !u->begun ||
           (now >= u->changed && (uint64_t)now - (uint64_t)u->changed >= (uint64_t)w->reach_ms);
}

/* ---- the ratio ---- */

/* Rounded down. Compensates for the rounding of weights, less than 2^-32 of the usage. */
static int64_t ratio_ppm(struct pc_int128 used, struct pc_int128 available)
{
    if (used.hi == 0 && used.lo == 0)
        return 0;
    if (available.hi == 0 && available.lo == 0)
        return 0;
    used = pc_int128_add(used, pc_int128_shift(used, 32));
    while (used.hi != 0 || available.hi != 0) {
        used = pc_int128_shift(used, 1);
        available = pc_int128_shift(available, 1);
    }
    if (available.lo <= used.lo / (PC_USAGE_MOST / 1000000))
        return PC_USAGE_MOST;
    uint64_t rest;
    return (int64_t)pc_multiply_divide(used.lo, 1000000, available.lo, &rest);
}

/* The weighted amount of the resource in the window that ends at `until`. */
static struct pc_int128 integral(struct pc_usage *u, const struct pc_usage_window *w, int resource)
{
    policy_time start = start_of(w, u->until);
    struct pc_int128 sum = u->total[resource];
    if (u->open.ms > 0) {
        policy_time from = u->open.from > start ? u->open.from : start;
        sum = pc_int128_add(sum, weigh(w, u->scale, &u->open, from, resource));
    }
    const struct pc_usage_part *oldest = part_at(u, 0);
    if (u->count == 0 || oldest->from >= start)
        return sum;
    sum = pc_int128_subtract(sum, weigh(w, u->scale, oldest, oldest->from, resource));
    return pc_int128_add(sum, weigh(w, u->scale, oldest, start, resource));
}

struct policy_amounts pc_usage_ppm(struct pc_usage *u, struct pc_usage *capacity,
                                   const struct pc_usage_window *w, policy_time now)
{
    int64_t ppm[RESOURCES];
    policy_time at = capacity->begun && capacity->until > now ? capacity->until : now;
    advance(u, w, at);
    at = u->until;
    advance(capacity, w, at);
    sum_up(u, w, scale_at(w, at));
    sum_up(capacity, w, scale_at(w, at));
    for (int r = 0; r < RESOURCES; r++)
        ppm[r] = ratio_ppm(integral(u, w, r), integral(capacity, w, r));
    return (struct policy_amounts){ppm[0], ppm[1], ppm[2]};
}

/* ---- reported past usage ---- */

/* Assumes that the current amounts were held during the whole window. */
static void extend(struct pc_usage *u, const struct pc_usage_window *w)
{
    policy_time now = u->until;
    u->until = start_of(w, now);
    forget(u);
    advance(u, w, now);
}

/* Rounded up, so that the ratio, which is rounded down, gives the same value again. */
static uint64_t part_of(uint64_t available, int64_t ppm)
{
    uint64_t parts = (uint64_t)(ppm < PC_USAGE_MOST ? ppm : PC_USAGE_MOST);
    if (available > PART_MOST / (parts / 1000000 + 1))
        return PART_MOST;
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
    if (capacity->count == 0 && capacity->open.ms == 0)
        extend(capacity, w);
    u->first = capacity->first;
    u->count = capacity->count;
    u->open = capacity->open;
    memcpy(u->parts, capacity->parts, sizeof u->parts);
    for (int r = 0; r < RESOURCES; r++) {
        u->open.held[r] = part_of(u->open.held[r], told[r]);
        for (uint32_t i = 0; i < u->count; i++)
            part_at(u, i)->held[r] = part_of(part_at(u, i)->held[r], told[r]);
    }
    u->summed = false;
    u->changed = u->until;
}

/* ---- restoring a history ---- */

bool pc_usage_get(const struct pc_usage *u, uint32_t age, struct pc_usage_part *part)
{
    if (!u->begun || age > u->count)
        return false;
    *part = age == 0 ? u->open : u->parts[(u->first + u->count - age) % PC_USAGE_PARTS];
    return true;
}

/* The index at which the part belongs; PC_USAGE_PARTS + 1: it overlaps another. */
static uint32_t place_of(struct pc_usage *u, const struct pc_usage_part *part)
{
    uint32_t at = u->count;
    while (at > 0 && part_at(u, at - 1)->from >= part->from)
        at--;
    policy_time end = part->from + part->ms;
    bool over = (at < u->count && part_at(u, at)->from < end) || u->open.from < end ||
                (at > 0 && part_at(u, at - 1)->from + part_at(u, at - 1)->ms > part->from);
    return over ? PC_USAGE_PARTS + 1 : at;
}

bool pc_usage_set(struct pc_usage *u, const struct pc_usage_window *w, policy_time until,
                  policy_time changed, const struct pc_usage_part *told)
{
    struct pc_usage_part part = *told;
    bool counts =
        (uint64_t)until - (uint64_t)part.from <= (uint64_t)w->reach_ms + (uint64_t)w->step_ms;
    if (part.from > until || part.ms < 0 || part.ms > w->step_ms || !counts ||
        (part.ms > 0 && part.from + part.ms <= start_of(w, until)))
        return false;
    part.ms = until - part.from < part.ms ? until - part.from : part.ms;
    for (int r = 0; r < RESOURCES; r++)
        part.held[r] = part.ms == 0 ? 0 : part.held[r] < PART_MOST ? part.held[r] : PART_MOST;
    bool anew = !u->being_told || u->until != until;
    u->begun = u->being_told = true;
    u->until = until;
    u->changed = changed;
    u->summed = false;
    if (anew) {
        forget(u);
        u->open = part.from + part.ms == until ? part : u->open;
    }
    if (part.ms == 0 || (anew && u->open.from == part.from))
        return true;
    uint32_t at = place_of(u, &part);
    if (at <= PC_USAGE_PARTS && u->count == PC_USAGE_PARTS)
        return false;
    for (uint32_t i = u->count; at <= PC_USAGE_PARTS && i > at; i--)
        *part_at(u, i) = *part_at(u, i - 1);
    if (at <= PC_USAGE_PARTS) {
        *part_at(u, at) = part;
        u->count++;
    }
    return at <= PC_USAGE_PARTS;
}
