/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which values of parameters bring two things nearest to each other, when each try is expensive and
 * the distance is rough: for one parameter after the other, twice, round numbers first (people set
 * 30 and 300, not 37.5), then golden sections around the best of them (GSL). A parameter on which
 * the distance hardly depends is left as it was.
 */
#ifndef SIM_CALIBRATE_FIT_H
#define SIM_CALIBRATE_FIT_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define FIT_KEYS 8

struct fit_key {
    char *key;        /* "policy.cycle_s" */
    double low, high; /* 0 <= low < high */
    bool set;         /* it has a value: */
    double value;     /* an integer if high is 10 or more, else with three decimals */
    bool flat;        /* the distance hardly depends on it */
};

struct fit {
    struct fit_key keys[FIT_KEYS];
    size_t count;
    /* The distance with the keys that are set; not negative. False with err set ends the search. */
    bool (*measure)(void *self, const struct fit *, double *distance, struct err *err);
    void *self;
    double before, after; /* distance with no key set, and with those set now */
    int tries;
};

/* "policy.cycle_s=0..600", or the name alone of a key with a known range. Returns false with err
 * set. */
bool fit_add(struct fit *, const char *text, struct err *err);

/* Keys, measure and self are set. False with err set when a measurement failed. */
bool fit_search(struct fit *, struct err *err);

void fit_fini(struct fit *);

#endif
