/* SPDX-License-Identifier: MIT */
/*
 * The division of one resource among siblings; see fair_share.h.
 *
 * Remainders are fixed-point numbers, (entitlement modulo unit) * 2^48, rounded down: equal
 * remainders are equal numbers however they were computed, and different ones keep their order down
 * to 2^-48. Smaller differences are ignored.
 */
#include "order/fair_share.h"

#include "base/int128.h"

#define REMAINDER_ONE (UINT64_C(1) << 48)
#define MILLION       1000000

/* The order in which remainders are served: priority, lost fraction, age, rank. A total order. */
static bool before(const struct pc_claim *a, const struct pc_claim *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    if (a->remainder != b->remainder)
        return a->remainder > b->remainder;
    if (a->created != b->created)
        return a->created < b->created;
    return a->rank < b->rank;
}

static void sift_down(struct pc_claim **order, uint32_t root, uint32_t count)
{
    struct pc_claim *moving = order[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && before(order[child], order[child + 1]))
            child++;
        if (!before(moving, order[child]))
            break;
        order[root] = order[child];
        root = child;
    }
    order[root] = moving;
}

/* Heap sort; siblings are often in order already, which a single pass detects. */
static void sort(struct pc_claim **order, uint32_t count)
{
    uint32_t sorted = 1;
    while (sorted < count && before(order[sorted - 1], order[sorted]))
        sorted++;
    if (sorted >= count)
        return;
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(order, i, count);
    for (uint32_t end = count - 1; end > 0; end--) {
        struct pc_claim *last = order[0];
        order[0] = order[end];
        order[end] = last;
        sift_down(order, 0, end);
    }
}

/* The first pass. Quotas are served in full even if they exceed the amount; then nothing
 * remains. */
static int64_t give_quotas(int64_t amount, struct pc_claim *claims, uint32_t count,
                           struct pc_claim **order)
{
    int64_t left = amount;
    for (uint32_t i = 0; i < count; i++) {
        struct pc_claim *claim = &claims[i];
        int64_t quota = claim->quota < 0 ? amount : claim->quota;
        claim->wanted =
            claim->limit >= 0 && claim->limit < claim->request ? claim->limit : claim->request;
        claim->share = amount < 0 || claim->wanted < quota ? claim->wanted : quota;
        claim->part = claim->remainder = 0;
        order[i] = claim;
        if (left > 0)
            left = claim->share < left ? left - claim->share : 0;
    }
    return left;
}

/*
 * Parts adjusted for past usage. With n = weight / weights and k = top / bottom in lowest terms, n
 * + k (n - u) times weights * bottom * 10^6 is the integer
 *     weight * (bottom + top) * 10^6  -  top * usage_ppm * weights
 *
 * computed in 128 bits. All are shifted right by the same number of bits if their sum might exceed
 * 63.
 */
static uint64_t weigh_by_use(struct pc_claim **bucket, uint32_t count, int64_t k_ppm,
                             uint64_t weights)
{
    uint64_t k = (uint64_t)(k_ppm < PC_K_MAX ? k_ppm : PC_K_MAX);
    uint64_t common = pc_common_divisor(k, MILLION);
    uint64_t top = k / common;
    uint64_t scale = (MILLION / common + top) * MILLION;
    struct pc_int128 most = pc_int128_multiply(weights, scale);
    unsigned shift = 0;
    while (pc_int128_shift(most, shift).hi != 0 || pc_int128_shift(most, shift).lo >> 63 != 0)
        shift++;
    uint64_t parts = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct pc_claim *claim = bucket[i];
        uint64_t use;
        struct pc_int128 due = pc_int128_multiply(claim->part, scale);
        // A product that overflows exceeds `due`, so nothing is due.
        if (__builtin_mul_overflow(top, (uint64_t)claim->usage_ppm, &use))
            due = (struct pc_int128){0, 0};
        else if (pc_int128_less(pc_int128_multiply(use, weights), due))
            due = pc_int128_subtract(due, pc_int128_multiply(use, weights));
        else
            due = (struct pc_int128){0, 0};
        claim->part = pc_int128_shift(due, shift).lo;
        parts += claim->part;
    }
    return parts;
}

/* Sets the part of every claim of the bucket in the next round. Returns their sum, below 2^63. */
static uint64_t weigh(struct pc_claim **bucket, uint32_t count, int64_t k_ppm)
{
    uint64_t weights = 0;
    bool used = false;
    for (uint32_t i = 0; i < count; i++) {
        struct pc_claim *claim = bucket[i];
        int64_t weight = claim->weight < PC_WEIGHT_MAX ? claim->weight : PC_WEIGHT_MAX;
        claim->part = claim->share < claim->wanted && weight > 0 ? (uint64_t)weight : 0;
        weights += claim->part;
        used = used || (claim->part > 0 && claim->usage_ppm > 0);
    }
    return used && k_ppm > 0 ? weigh_by_use(bucket, count, k_ppm, weights) : weights;
}

/*
 * The second pass for queues of one priority. A queue that can use only part of its entitlement
 * leaves the rest to the others, for another round; what rounding down leaves does not start one.
 * Every round but the last satisfies a queue, so the loop ends.
 */
static int64_t give_over_quota(int64_t left, int64_t unit, int64_t k_ppm, struct pc_claim **bucket,
                               uint32_t count)
{
    for (bool again = true; again && left > 0;) {
        again = false;
        uint64_t parts = weigh(bucket, count, k_ppm);
        uint64_t round = (uint64_t)left;
        for (uint32_t i = 0; i < count; i++) {
            struct pc_claim *claim = bucket[i];
            if (claim->part == 0)
                continue;
            uint64_t rest;
            int64_t entitled = (int64_t)pc_multiply_divide(round, claim->part, parts, &rest);
            int64_t given = claim->wanted - claim->share;
            if (given <= entitled) {
                claim->remainder = 0;
                again = again || given < entitled || rest > 0;
            } else {
                given = entitled - entitled % unit;
                uint64_t unused;
                if (given < entitled ||
                    rest > 0) // a whole entitlement keeps the recorded remainder
                    claim->remainder = (uint64_t)(entitled - given) * REMAINDER_ONE +
                                       pc_multiply_divide(rest, REMAINDER_ONE, parts, &unused);
            }
            claim->share += given;
            left -= given;
        }
    }
    return left;
}

int64_t pc_divide(int64_t amount, int64_t unit, int64_t k_ppm, struct pc_claim *claims,
                  uint32_t count, struct pc_claim **order)
{
    int64_t left = give_quotas(amount, claims, count, order);
    if (left <= 0)
        return left;
    sort(order, count);
    for (uint32_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && order[end]->priority == order[first]->priority)
            end++;
        left = give_over_quota(left, unit, k_ppm, order + first, end - first);
    }
    sort(order, count);
    for (uint32_t i = 0; i < count && left > 0; i++) {
        if (order[i]->remainder == 0)
            continue;
        int64_t given = left < unit ? left : unit;
        order[i]->share += given;
        left -= given;
    }
    return left;
}
