/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device, effect, times and drain of a fault. */
#include "sim/faults/draw.h"

#include <math.h>

/* GPUs of one of its nodes, NICs; -1 where a class has neither. */
static int device_of(const struct fault *fault, const struct fault_pool *pool, double u)
{
    int devices = 0;
    enum fault_scope scope = fault->class->scope;
    if (pool && (scope == FAULT_SCOPE_GPU || scope == FAULT_SCOPE_MEMORY))
        devices = pool->gpus;
    else if (pool && (scope == FAULT_SCOPE_NIC || scope == FAULT_SCOPE_LINK))
        devices = pool->nics;
    return devices > 0 ? (int)(u * devices) : -1;
}

/* The effect with redundancy in the fabric: a second link instead of the failed one, the other
 * NICs, another spine. */
static void route_around(struct fault *fault, const struct fault_plan *plan,
                         const struct fault_pool *pool)
{
    enum fault_scope scope = fault->class->scope;
    bool link = scope == FAULT_SCOPE_LEAF || (scope == FAULT_SCOPE_LINK && fault->id == FAULT_LINK);
    if (link && plan->dual_homed && fault->effect == FAULT_EFFECT_KILL) {
        fault->effect = FAULT_EFFECT_SLOW;
        fault->loss = 0.5;
    }
    if (fault->id == FAULT_NIC && plan->nic_failover && pool && pool->nics > 1 &&
        fault->effect == FAULT_EFFECT_KILL) {
        fault->effect = FAULT_EFFECT_SLOW;
        fault->loss = 1.0 / pool->nics;
    }
    if (scope == FAULT_SCOPE_SPINE && fault->effect == FAULT_EFFECT_SLOW && !plan->fixed_routing)
        fault->loss = 1.0 / plan->spines;
}

struct fault_repair fault_draw(struct fault *fault, const struct fault_plan *plan,
                               const struct fault_pool *pool, uint64_t seed, uint64_t root)
{
    const struct fault_class *class = fault->class;
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_FAULT_KIND, root);
    double device = rng_uniform(&stream); // the same one in all relapses
    rng_init(&stream, seed, RNG_FAULT_KIND, fault->key);
    double effect = rng_uniform(&stream), loss = rng_uniform(&stream);
    fault->pick = rng_u64(&stream);
    fault->device = device_of(fault, pool, device);
    fault->effect = effect < class->effect_share ? class->effect : class->otherwise;
    fault->loss = class->loss_low + loss * (class->loss_high - class->loss_low);
    fault->detect_ms = fault_span_draw_ms(&class->detect, &stream);
    route_around(fault, plan, pool);

    struct fault_repair repair = fault_repair_draw(class, seed, root, fault->attempt);
    fault->repair_ms = repair.takes_ms;
    fault->hardware = repair.hardware;
    fault->drain = repair.hardware ? class->drain_hardware : class->drain;
    if (fault->effect != FAULT_EFFECT_SLOW) {
        fault->loss = 0;
    } else if (class->lasts.kind == FAULT_SPAN_NONE) {
        fault->lasts_ms = fault->detect_ms + repair.takes_ms;
    } else {
        fault->lasts_ms = fault_span_draw_ms(&class->lasts, &stream);
        int64_t most_ms =
            (int64_t)llround(fmin(class->kills_after_s * 1000, (double)FAULT_SPAN_MOST_MS));
        fault->kills = most_ms > 0 && fault->lasts_ms >= most_ms;
        if (fault->kills)
            fault->lasts_ms = most_ms;
    }
    fault->rollback = fault->effect == FAULT_EFFECT_CORRUPT ? class->rollback : 0;
    return repair;
}
