/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rates come to; see rates.h. */
#include "sim/faults/rates.h"

#include <string.h>

#define USUAL_DEVICES ((double)FAULT_USUAL_GPUS)

double fault_rate_of_hours(double hours)
{
    return 24 * 1000 / hours;
}

double fault_profile_total(const struct fault_profile *profile)
{
    double total = 0;
    for (int i = 0; i < FAULT_CLASSES; i++)
        total += profile->classes[i].counted ? profile->classes[i].rate : 0;
    return total;
}

double fault_per_node(enum fault_scope scope, double gpus)
{
    bool devices = scope == FAULT_SCOPE_GPU || scope == FAULT_SCOPE_MEMORY ||
                   scope == FAULT_SCOPE_DOMAIN || scope == FAULT_SCOPE_NIC ||
                   scope == FAULT_SCOPE_LINK;
    return devices ? gpus / USUAL_DEVICES : 1;
}

void fault_profile_rescale(struct fault_profile *profile, double total, double gpus)
{
    double now = 0;
    for (int i = 0; i < FAULT_CLASSES; i++)
        now += profile->classes[i].counted
                   ? profile->classes[i].rate * fault_per_node(profile->classes[i].scope, gpus)
                   : 0;
    for (int i = 0; i < FAULT_CLASSES; i++) {
        if (profile->classes[i].counted && now > 0)
            profile->classes[i].rate *= total / now;
    }
}

void fault_profile_scale(struct fault_profile *profile, double factor)
{
    for (int i = 0; i < FAULT_CLASSES; i++) {
        if (i != FAULT_MAINTENANCE && i != FAULT_USER)
            profile->classes[i].rate *= factor;
    }
}

void fault_profile_only(struct fault_profile *profile, uint32_t mask)
{
    for (int i = 0; i < FAULT_CLASSES; i++) {
        if (!(mask >> i & 1))
            profile->classes[i].rate = 0;
    }
}

uint32_t fault_profile_counted(const struct fault_profile *profile)
{
    uint32_t mask = 0;
    for (int i = 0; i < FAULT_CLASSES; i++)
        mask |= profile->classes[i].counted ? UINT32_C(1) << i : 0;
    return mask;
}

void fault_profile_exponential(struct fault_profile *profile)
{
    profile->lemon_share = 0;
    profile->lemon_factor = 1;
    profile->drift_sigma = 0;
    for (int i = 0; i < FAULT_CLASSES; i++) {
        struct fault_class *class = &profile->classes[i];
        if (class->arrival == FAULT_ARRIVAL_WEIBULL)
            class->arrival = FAULT_ARRIVAL_EXPONENTIAL;
        class->relapse = 0;
    }
}

double fault_profile_frailty(const struct fault_profile *profile)
{
    return 1 - profile->lemon_share + profile->lemon_share * profile->lemon_factor;
}

/* ---- one component; a row a scope */

static double per_gpu(const struct fault_profile *profile, const struct fault_pool *pool)
{
    (void)profile;
    return pool->gpus / USUAL_DEVICES;
}

static double per_gb(const struct fault_profile *profile, const struct fault_pool *pool)
{
    double gb = pool->hbm_gb > 0 ? pool->hbm_gb : profile->hbm_gb;
    return pool->gpus / USUAL_DEVICES * gb / profile->hbm_gb;
}

static double per_domain(const struct fault_profile *profile, const struct fault_pool *pool)
{
    // A single device does not communicate.
    return pool->gpus > 1 || pool->nodes_per_domain > 1
               ? per_gpu(profile, pool) * pool->nodes_per_domain
               : 0;
}

static double per_nic(const struct fault_profile *profile, const struct fault_pool *pool)
{
    (void)profile;
    return pool->nics / USUAL_DEVICES;
}

static double per_one(const struct fault_profile *profile, const struct fault_pool *pool)
{
    (void)profile;
    (void)pool;
    return 1;
}

static double none(const struct fault_profile *profile, const struct fault_pool *pool)
{
    (void)profile;
    (void)pool;
    return 0;
}

static const struct {
    double (*factor)(const struct fault_profile *, const struct fault_pool *);
    bool nodes; /* a component is a node, or several */
} scopes[FAULT_SCOPES] = {
    [FAULT_SCOPE_GPU] = {per_gpu, true},       [FAULT_SCOPE_MEMORY] = {per_gb, true},
    [FAULT_SCOPE_DOMAIN] = {per_domain, true}, [FAULT_SCOPE_NIC] = {per_nic, true},
    [FAULT_SCOPE_LINK] = {per_nic, true},      [FAULT_SCOPE_HOST] = {per_one, true},
    [FAULT_SCOPE_JOB] = {per_one, true},       [FAULT_SCOPE_SET] = {per_one, true},
    [FAULT_SCOPE_LEAF] = {per_one, false},     [FAULT_SCOPE_SPINE] = {per_one, false},
    [FAULT_SCOPE_RACK] = {per_one, false},     [FAULT_SCOPE_FLEET] = {per_one, false},
    [FAULT_SCOPE_USER] = {none, false},
};

uint32_t fault_width(const struct fault_class *class, const struct fault_pool *pool)
{
    if (!scopes[class->scope].nodes)
        return 0;
    if (class->scope == FAULT_SCOPE_DOMAIN)
        return pool->nodes_per_domain;
    return class->scope == FAULT_SCOPE_SET ? class->width : 1;
}

double fault_daily(const struct fault_profile *profile, enum fault_class_id id,
                   const struct fault_pool *pool)
{
    const struct fault_class *class = &profile->classes[id];
    double factor = scopes[class->scope].factor(profile, pool);
    return class->rate / 1000 * factor * (class->scope == FAULT_SCOPE_SET ? class->width : 1);
}

static bool stops(enum fault_effect effect)
{
    return effect == FAULT_EFFECT_KILL || effect == FAULT_EFFECT_HANG ||
           effect == FAULT_EFFECT_CORRUPT;
}

double fault_stops_daily(const struct fault_profile *profile, const struct fault_pool *pool)
{
    double sum = 0;
    for (int i = 0; i < FAULT_CLASSES; i++) {
        const struct fault_class *class = &profile->classes[i];
        uint32_t width = fault_width(class, pool);
        double share = (stops(class->effect) ? class->effect_share : 0) +
                       (stops(class->otherwise) ? 1 - class->effect_share : 0);
        if (width > 0)
            sum += share * fault_daily(profile, (enum fault_class_id)i, pool) / width;
    }
    return sum;
}
