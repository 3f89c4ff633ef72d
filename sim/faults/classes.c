/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the enumerations of classes.h, and the ranges of the figures. */
#include "sim/faults/classes.h"

#include <math.h>
#include <string.h>

/* The component of a class, and whether the profile's total counts it, are part of its meaning;
 * figures are not. */
static const struct {
    const char *name;
    enum fault_scope scope;
    bool counted;
} classes[FAULT_CLASSES] = {
    [FAULT_GPU] = {"gpu", FAULT_SCOPE_GPU, true},
    [FAULT_NVLINK] = {"nvlink", FAULT_SCOPE_DOMAIN, true},
    [FAULT_HBM] = {"hbm", FAULT_SCOPE_MEMORY, true},
    [FAULT_SRAM] = {"sram", FAULT_SCOPE_GPU, true},
    [FAULT_GSP] = {"gsp", FAULT_SCOPE_GPU, true},
    [FAULT_THERMAL] = {"thermal", FAULT_SCOPE_GPU, true},
    [FAULT_SDC] = {"sdc", FAULT_SCOPE_GPU, true},
    [FAULT_NIC] = {"nic", FAULT_SCOPE_NIC, true},
    [FAULT_LINK] = {"link", FAULT_SCOPE_LINK, true},
    [FAULT_LEAF] = {"leaf", FAULT_SCOPE_LEAF, false},
    [FAULT_SPINE] = {"spine", FAULT_SCOPE_SPINE, false},
    [FAULT_FLAP] = {"flap", FAULT_SCOPE_LINK, false},
    [FAULT_HOST] = {"host", FAULT_SCOPE_HOST, true},
    [FAULT_HOST_MAINTENANCE] = {"host-maintenance", FAULT_SCOPE_HOST, true},
    [FAULT_SOFTWARE] = {"software", FAULT_SCOPE_JOB, true},
    [FAULT_HANG] = {"hang", FAULT_SCOPE_JOB, true},
    [FAULT_SLOW_DEVICE] = {"slow-device", FAULT_SCOPE_GPU, false},
    [FAULT_SLOW_NETWORK] = {"slow-network", FAULT_SCOPE_LEAF, false},
    [FAULT_RACK] = {"rack", FAULT_SCOPE_RACK, false},
    [FAULT_MOUNT] = {"mount", FAULT_SCOPE_HOST, true},
    [FAULT_STORAGE] = {"storage", FAULT_SCOPE_FLEET, false},
    [FAULT_MAINTENANCE] = {"maintenance", FAULT_SCOPE_SET, false},
    [FAULT_USER] = {"user", FAULT_SCOPE_USER, false},
};

static const char *const scope_names[FAULT_SCOPES] = {
    [FAULT_SCOPE_GPU] = "gpu",     [FAULT_SCOPE_MEMORY] = "memory", [FAULT_SCOPE_DOMAIN] = "domain",
    [FAULT_SCOPE_NIC] = "nic",     [FAULT_SCOPE_LINK] = "link",     [FAULT_SCOPE_HOST] = "host",
    [FAULT_SCOPE_JOB] = "job",     [FAULT_SCOPE_SET] = "set",       [FAULT_SCOPE_LEAF] = "leaf",
    [FAULT_SCOPE_SPINE] = "spine", [FAULT_SCOPE_RACK] = "rack",     [FAULT_SCOPE_FLEET] = "fleet",
    [FAULT_SCOPE_USER] = "user",
};

static const char *const arrival_names[FAULT_ARRIVALS] = {[FAULT_ARRIVAL_EXPONENTIAL] =
                                                              "exponential",
                                                          [FAULT_ARRIVAL_WEIBULL] = "weibull",
                                                          [FAULT_ARRIVAL_PERIODIC] = "periodic"};

static const char *const effect_names[FAULT_EFFECTS] = {[FAULT_EFFECT_KILL] = "kill",
                                                        [FAULT_EFFECT_SLOW] = "slow",
                                                        [FAULT_EFFECT_CORRUPT] = "corrupt",
                                                        [FAULT_EFFECT_HANG] = "hang",
                                                        [FAULT_EFFECT_STOP] = "stop"};

static const char *const drain_names[FAULT_DRAINS] = {[FAULT_DRAIN_NO] = "no",
                                                      [FAULT_DRAIN_REPEAT] = "repeat",
                                                      [FAULT_DRAIN_AFTER_JOB] = "after-job",
                                                      [FAULT_DRAIN_NOW] = "now"};

const char *fault_class_name(enum fault_class_id id)
{
    return classes[id].name;
}

struct fault_class fault_class_plain(enum fault_class_id id)
{
    return (struct fault_class){.scope = classes[id].scope,
                                .counted = classes[id].counted,
                                .width = 1,
                                .shape = 1,
                                .effect_share = 1,
                                .transient_share = 1};
}

const char *fault_scope_name(enum fault_scope scope)
{
    return scope_names[scope];
}

const char *fault_arrival_name(enum fault_arrival arrival)
{
    return arrival_names[arrival];
}

const char *fault_effect_name(enum fault_effect effect)
{
    return effect_names[effect];
}

const char *fault_drain_name(enum fault_drain drain)
{
    return drain_names[drain];
}

int fault_class_find(const char *name)
{
    for (int i = 0; i < FAULT_CLASSES; i++) {
        if (strcmp(classes[i].name, name) == 0)
            return i;
    }
    return -1;
}

/* ---- ranges */

#define SPANS 5 /* of a class */

static bool share(double value)
{
    return value >= 0 && value <= 1;
}

static bool amount(double value)
{
    return value >= 0 && isfinite(value);
}

static bool span_is_good(const struct fault_span *span)
{
    if (!share(span->at_once) || !amount(span->a) || !amount(span->b) || !amount(span->mean_s))
        return false;
    switch (span->kind) {
    case FAULT_SPAN_UNIFORM:
        return span->a <= span->b;
    case FAULT_SPAN_WEIBULL:
        return span->b > 0;
    case FAULT_SPAN_HEAVY:
        return span->a > 0;
    case FAULT_SPAN_NONE:
    case FAULT_SPAN_FIXED:
    case FAULT_SPAN_LOGNORMAL:
    case FAULT_SPAN_KINDS:
        break;
    }
    return true;
}

static const char *wrong_with_class(const struct fault_class *class)
{
    const struct fault_span *const spans[SPANS] = {&class->detect, &class->lasts, &class->transient,
                                                   &class->hardware, &class->relapses};
    for (int i = 0; i < SPANS; i++) {
        if (!span_is_good(spans[i]))
            return "a time whose distribution has impossible parameters";
    }
    if (!amount(class->rate) || (class->scope == FAULT_SCOPE_USER && class->rate > 1))
        return "the rate";
    if (class->arrival == FAULT_ARRIVAL_WEIBULL && !(class->shape > 0 && isfinite(class->shape)))
        return "the shape of the Weibull distribution";
    if (class->scope == FAULT_SCOPE_SET && class->width == 0)
        return "the width of a set of nodes";
    if (!share(class->effect_share) || !share(class->transient_share) || !share(class->relapse))
        return "a share";
    if (!share(class->loss_low) || !share(class->loss_high) || class->loss_low > class->loss_high)
        return "the share of speed that is lost";
    if (!amount(class->kills_after_s) || class->rollback < 0)
        return "its effect on the job";
    return NULL;
}

bool fault_profile_check(const struct fault_profile *profile, const char **what)
{
    *what = NULL;
    if (!(profile->hbm_gb > 0))
        *what = "the device memory that its rates are for";
    else if (!share(profile->lemon_share) ||
             !(profile->lemon_factor >= 1 && isfinite(profile->lemon_factor)))
        *what = "the share of lemons, or how much worse they are";
    else if (!(profile->drift_sigma >= 0 && profile->drift_sigma <= 3))
        *what = "the drift";
    for (int i = 0; i < FAULT_CLASSES && !*what; i++)
        *what = wrong_with_class(&profile->classes[i]);
    return *what == NULL;
}
