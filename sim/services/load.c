/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a load, and sums over them; see load.h. */
#include "sim/services/load.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#define HOUR_MS  3600000.0
#define WEEK_H   168.0
#define WEEKDAYS 120.0 /* hours of a week before its weekend */
#define TURN     (2 * 3.14159265358979323846)

static void make_room(struct load *load, size_t count)
{
    *load = (struct load){.at_ms = mem_alloc(count, sizeof *load->at_ms),
                          .milli = mem_alloc(count, sizeof *load->milli),
                          .sum = mem_alloc(count, sizeof *load->sum)};
}

static void add(struct load *load, int64_t at_ms, int64_t milli)
{
    size_t i = load->count++;
    load->at_ms[i] = at_ms;
    load->milli[i] = milli;
    if (i > 0)
        load->sum[i] =
            load->sum[i - 1] + (load_sum)load->milli[i - 1] * (at_ms - load->at_ms[i - 1]);
}

void load_fini(struct load *load)
{
    free(load->at_ms);
    free(load->milli);
    free(load->sum);
    *load = (struct load){0};
}

void load_given(struct load *load, const struct load_row *rows, size_t count)
{
    make_room(load, count);
    for (size_t i = 0; i < count; i++)
        add(load, rows[i].at_ms, rows[i].milli);
}

/* ---- a made load ---- */

static double rate_at(const struct load_shape *shape, double hour)
{
    double share = (1 + cos(TURN * (hour - shape->peak_hour) / 24)) / 2;
    double week = fmod(hour, WEEK_H) < WEEKDAYS ? 1 : shape->weekend;
    return shape->base_rps + (shape->peak_rps - shape->base_rps) * share * week;
}

void load_make(struct load *load, const struct load_shape *shape, int64_t until_ms, uint64_t seed,
               uint64_t entity)
{
    size_t count = (size_t)(until_ms / shape->step_ms) + 1;
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_LOAD, entity);
    make_room(load, count);
    for (size_t i = 0; i < count; i++) {
        int64_t at_ms = (int64_t)i * shape->step_ms;
        double rate = rate_at(shape, ((double)at_ms + (double)shape->step_ms / 2) / HOUR_MS);
        stream.state.counter =
            64 * i; /* as good as never does a normal deviate take as many draws */
        if (shape->noise > 0)
            rate *= exp(gsl_ran_gaussian(rng_gsl(&stream), shape->noise) -
                        shape->noise * shape->noise / 2);
        add(load, at_ms, (int64_t)llround(rate * 1000));
    }
}

/* ---- questions ---- */

/* The step that `at_ms` lies in. */
static size_t step_of(const struct load *load, int64_t at_ms)
{
    size_t low = 0, high = load->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(load->at_ms[middle] <= at_ms ? &low : &high) = middle;
    }
    return low;
}

int64_t load_at(const struct load *load, int64_t at_ms)
{
    return load->milli[step_of(load, at_ms)];
}

int64_t load_next(const struct load *load, int64_t at_ms)
{
    size_t next = step_of(load, at_ms) + 1;
    return next < load->count ? load->at_ms[next] : INT64_MAX;
}

static load_sum sum_until(const struct load *load, int64_t at_ms)
{
    size_t i = step_of(load, at_ms);
    return load->sum[i] + (load_sum)load->milli[i] * (at_ms - load->at_ms[i]);
}

load_sum load_between(const struct load *load, int64_t from_ms, int64_t to_ms)
{
    return sum_until(load, to_ms) - sum_until(load, from_ms);
}

int64_t load_most(const struct load *load, int64_t from_ms, int64_t to_ms)
{
    int64_t most = 0;
    for (size_t i = step_of(load, from_ms); i < load->count && load->at_ms[i] <= to_ms; i++)
        most = load->milli[i] > most ? load->milli[i] : most;
    return most;
}
