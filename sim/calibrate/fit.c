/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searching for parameters; see fit.h. */
#include "sim/calibrate/fit.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_NUMBERS 64
#define ROUNDS        2
#define SECTIONS      10
#define HARDLY        0.01 /* relative: a smaller change of the distance is ignored */
#define FAILED        1e300

/* ---- keys ---- */

static const struct {
    const char *key;
    double low, high;
} known[] = {
    {"policy.cycle_s", 0, 600},
    {"policy.options.launch_s", 0, 600},
    {"policy.options.preempt_overhead_s", 0, 600},
    {"startup.image", 0, 1800},
    {"policy.options.priority_weight_age", 0, 100000},
    {"policy.options.priority_weight_fairshare", 0, 100000},
    {"policy.options.priority_weight_job_size", 0, 100000},
};

static bool add(struct fit *fit, char *key, double low, double high, struct err *err)
{
    if (fit->count == FIT_KEYS) {
        free(key);
        return err_set(err, EXIT_INPUT, "--fit: at most %d keys", FIT_KEYS);
    }
    fit->keys[fit->count++] = (struct fit_key){.key = key, .low = low, .high = high};
    return true;
}

static bool add_known(struct fit *fit, const char *key, struct err *err)
{
    char hint[80];
    size_t count = sizeof known / sizeof *known;
    for (size_t i = 0; i < count; i++)
        if (strcmp(known[i].key, key) == 0)
            return add(fit, mem_text(key), known[i].low, known[i].high, err);
    return err_set(err, EXIT_INPUT, "--fit '%.80s': expected KEY=LOW..HIGH%s", key,
                   text_suggest(hint, sizeof hint, key, &known[0].key, count, sizeof *known));
}

bool fit_add(struct fit *fit, const char *text, struct err *err)
{
    const char *equals = strchr(text, '='), *dots = equals ? strstr(equals, "..") : NULL;
    double low, high;
    if (equals == NULL)
        return add_known(fit, text, err);
    if (dots == NULL || equals == text ||
        !text_f64(equals + 1, (size_t)(dots - equals - 1), &low) ||
        !text_f64(dots + 2, strlen(dots + 2), &high) || !(low >= 0 && low < high && high <= 1e12))
        return err_set(err, EXIT_INPUT,
                       "--fit '%.80s': expected KEY=LOW..HIGH with 0 <= LOW < HIGH", text);
    return add(fit, mem_text_n(text, (size_t)(equals - text)), low, high, err);
}

void fit_fini(struct fit *fit)
{
    for (size_t i = 0; i < fit->count; i++)
        free(fit->keys[i].key);
}

/* ---- one parameter ---- */

struct line {
    struct fit *fit;
    struct fit_key *key;
    double best_at, best, worst; /* as far as tried */
    bool failed;
    struct err *err;
};

static double rounded(const struct fit_key *key, double value)
{
    double unit = key->high >= 10 ? 1 : 1000;
    return fmin(key->high, fmax(key->low, round(value * unit) / unit));
}

/* The distance with the key at a value, for GSL: never nan. */
static double try_at(double value, void *self)
{
    struct line *line = self;
    double distance = FAILED;
    if (line->failed)
        return FAILED;
    line->key->set = true;
    line->key->value = rounded(line->key, value);
    line->fit->tries++;
    if (!line->fit->measure(line->fit->self, line->fit, &distance, line->err)) {
        line->failed = true;
        return FAILED;
    }
    if (distance < line->best) {
        line->best = distance;
        line->best_at = line->key->value;
    }
    line->worst = fmax(line->worst, distance);
    return distance;
}

/* Narrows the interval around a middle point that is better than both ends; does nothing if it is
 * not. */
static void narrow(struct line *line, double low, double f_low, double mid, double f_mid,
                   double high, double f_high)
{
    gsl_function line_function = {.function = try_at, .params = line};
    gsl_min_fminimizer *search = gsl_min_fminimizer_alloc(gsl_min_fminimizer_goldensection);
    int status = gsl_min_fminimizer_set_with_values(search, &line_function, mid, f_mid, low, f_low,
                                                    high, f_high);
    double unit = line->key->high >= 10 ? 1 : 0.001;
    for (int i = 0; i < SECTIONS && status == GSL_SUCCESS && !line->failed; i++) {
        if (gsl_min_fminimizer_x_upper(search) - gsl_min_fminimizer_x_lower(search) <= unit)
            break;
        status = gsl_min_fminimizer_iterate(search);
    }
    gsl_min_fminimizer_free(search);
}

/* Round numbers in the range and its ends, rising: 1, 2, 5, 10, ... and what people set times to.
 * Returns how many. */
static size_t round_numbers(const struct fit_key *key, double at[ROUND_NUMBERS])
{
    static const double steps[] = {1, 1.5, 2, 3, 4.5, 6, 9};
    size_t count = 0;
    double least = fmax(key->low, key->high / 1000);
    at[count++] = key->low;
    for (double ten = pow(10, floor(log10(least))); ten <= key->high; ten *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof *steps && count + 1 < ROUND_NUMBERS; i++) {
            double number = rounded(key, steps[i] * ten);
            if (number > at[count - 1] && number >= least && number < key->high)
                at[count++] = number;
        }
    at[count++] = key->high;
    return count;
}

/* The best of the round numbers, then of what lies between it and its neighbours. */
static void scan(struct line *line)
{
    double at[ROUND_NUMBERS], f[ROUND_NUMBERS];
    size_t count = round_numbers(line->key, at), best = 0;
    for (size_t i = 0; i < count; i++) {
        f[i] = try_at(at[i], line);
        best = f[i] < f[best] ? i : best;
    }
    if (best == 0 || best + 1 == count || line->failed)
        return;
    double below = (at[best - 1] + at[best]) / 2, above = (at[best] + at[best + 1]) / 2;
    double f_below = try_at(below, line), f_above = try_at(above, line);
    if (f_below < f[best] && f_below < f_above)
        narrow(line, at[best - 1], f[best - 1], below, f_below, at[best], f[best]);
    else if (f_above < f[best])
        narrow(line, at[best], f[best], above, f_above, at[best + 1], f[best + 1]);
    else
        narrow(line, below, f_below, at[best], f[best], above, f_above);
}

/* Leaves the key at the best value, or as it was if none is better. */
static bool search_line(struct fit *fit, struct fit_key *key, struct err *err)
{
    struct fit_key was = *key;
    struct line line = {.fit = fit, .key = key, .best = FAILED, .err = err};
    scan(&line);
    if (line.failed)
        return false;
    bool flat = line.worst - line.best <= HARDLY * line.worst;
    bool better = !flat && line.best < fit->after;
    *key = was;
    key->flat = flat && !was.set;
    if (better) {
        key->set = true;
        key->value = line.best_at;
        fit->after = line.best;
    }
    return true;
}

bool fit_search(struct fit *fit, struct err *err)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    fit->tries = 1;
    bool ok = fit->measure(fit->self, fit, &fit->before, err);
    fit->after = fit->before;
    for (int round = 0; ok && round < (fit->count > 1 ? ROUNDS : 1); round++)
        for (size_t i = 0; ok && i < fit->count; i++)
            ok = search_line(fit, &fit->keys[i], err);
    gsl_set_error_handler(handler);
    return ok;
}
