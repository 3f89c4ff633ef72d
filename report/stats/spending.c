/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels of a group sequential test; see spending.h. */
#include "report/stats/spending.h"

#include "sim/base/err.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/*
 * Simpson's rule with this many intervals, from this many standard deviations below 0 up to the
 * boundary.
 */
#define INTERVALS  200
#define DEVIATIONS 8

/* The density of the paths below all boundaries so far, times the weights of the rule. */
struct paths {
    double at[INTERVALS + 1], mass[INTERVALS + 1];
};

static double spent(double t, double alpha)
{
    return alpha * log1p(expm1(1) * t);
}

/* Places the points from far below 0 to `top`, with the weights of the rule as their mass. */
static void spread(struct paths *p, double t, double top)
{
    double bottom = -DEVIATIONS * sqrt(t), step = (top - bottom) / INTERVALS;
    for (int i = 0; i <= INTERVALS; i++) {
        p->at[i] = bottom + step * i;
        p->mass[i] = step / 3 * (i == 0 || i == INTERVALS ? 1 : i % 2 == 1 ? 4 : 2);
    }
}

/* Returns the probability that a path moves above `top` within dt. */
static double crossing(const struct paths *p, double dt, double top)
{
    double sum = 0;
    for (int i = 0; i <= INTERVALS; i++)
        sum += p->mass[i] * gsl_cdf_ugaussian_Q((top - p->at[i]) / sqrt(dt));
    return sum;
}

/*
 * Returns the boundary that `chance` of the paths cross, by bisection: the probability falls as the
 * boundary rises.
 */
static double boundary(const struct paths *p, double t, double dt, double chance)
{
    double low = -DEVIATIONS * sqrt(t), high = 2 * DEVIATIONS * sqrt(t);
    for (int i = 0; i < 80; i++) {
        double middle = (low + high) / 2;
        if (crossing(p, dt, middle) > chance)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static void move_on(struct paths *p, double t, double dt, double top)
{
    struct paths next;
    spread(&next, t, top);
    for (int i = 0; i <= INTERVALS; i++) {
        double density = 0;
        for (int k = 0; k <= INTERVALS; k++)
            density += p->mass[k] * gsl_ran_gaussian_pdf(next.at[i] - p->at[k], sqrt(dt));
        next.mass[i] *= density;
    }
    *p = next;
}

void stat_spending_levels(const double *looks, size_t count, double alpha, double *level)
{
    struct paths paths;
    BUG_ON(count == 0 || count > STAT_LOOKS || !(alpha > 0 && alpha < 0.5));
    for (size_t k = 0; k < count; k++) {
        double t = looks[k] / looks[count - 1],
               before = k > 0 ? looks[k - 1] / looks[count - 1] : 0;
        if (k == 0) {
            level[0] = spent(t, alpha);
            double top = sqrt(t) * gsl_cdf_ugaussian_Qinv(level[0]);
            spread(&paths, t, top);
            for (int i = 0; i <= INTERVALS; i++)
                paths.mass[i] *= gsl_ran_gaussian_pdf(paths.at[i], sqrt(t));
        } else {
            double top = boundary(&paths, t, t - before, spent(t, alpha) - spent(before, alpha));
            level[k] = gsl_cdf_ugaussian_Q(top / sqrt(t));
            if (k + 1 < count)
                move_on(&paths, t, t - before, top);
        }
    }
}
