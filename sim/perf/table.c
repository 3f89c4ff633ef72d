/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks of a table, in the order in which they say most; each names the row, both figures and
 * a way out. */
#include "sim/perf/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rounding explains. */
#define FACTOR_SLACK     0.006 /* relative: two digits after the point, cut or rounded */
#define LINEAR_SLACK     0.001 /* relative */
#define DIFFERENCE_SLACK 0.006 /* percentage points: two digits, rounded */

static double speed_up(const struct perf_table *table, size_t i)
{
    return table->rate[i] / table->rate[0];
}

static double efficiency(const struct perf_table *table, size_t i)
{
    return speed_up(table, i) / (table->nodes[i] / table->nodes[0]);
}

/*
 * Most misprints are one wrong digit: the only number from low to high that differs from the
 * printed one in a single digit; 0 when there is none, or more than one.
 */
static double put_right(double printed, double low, double high)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%.0f", printed);
    double found = 0;
    for (int i = 0; i < n && n < (int)sizeof digits; i++) {
        char was = digits[i];
        for (digits[i] = '0'; digits[i] <= '9'; digits[i]++) {
            double other = strtod(digits, NULL);
            if (digits[i] == was || other < low || other > high)
                continue;
            if (found > 0)
                return 0;
            found = other;
        }
        digits[i] = was;
    }
    return found;
}

#define WANTED 192

/* What the other columns say the rate of a row should be, for the end of a message. */
static const char *wanted(const struct perf_table *table, size_t i, char text[WANTED])
{
    double says = 0;
    double slack = 0;
    text[0] = '\0';
    if (table->difference_pct && table->reference) {
        says = table->reference[i] * (1 - table->difference_pct[i] / 100);
        slack = table->reference[i] * DIFFERENCE_SLACK / 100;
        (void)snprintf(text, WANTED, "; its difference of %.2f %% to %.0f says about %.0f",
                       table->difference_pct[i], table->reference[i], says);
    } else if (table->factor) {
        says = table->factor[i] * table->rate[0];
        slack = says * FACTOR_SLACK;
        (void)snprintf(text, WANTED, "; its speed-up of %.2f says about %.0f", table->factor[i],
                       says);
    }
    size_t used = strlen(text);
    double right = says > 0 ? put_right(table->rate[i], says - slack, says + slack) : 0;
    if (right > 0)
        (void)snprintf(text + used, WANTED - used, ", which is %.0f with one digit put right",
                       right);
    return text;
}

static bool check_order(const struct perf_table *table, struct err *err)
{
    for (size_t i = 0; i < table->count; i++) {
        if (!(table->nodes[i] > 0 && table->rate[i] > 0))
            return err_set(err, EXIT_INPUT, "row %zu: sizes and rates must be above 0", i + 1);
        if (i > 0 && table->nodes[i] <= table->nodes[i - 1])
            return err_set(err, EXIT_INPUT, "row %zu: expected more than %g nodes, got %g", i + 1,
                           table->nodes[i - 1], table->nodes[i]);
    }
    return true;
}

/* Communication grows with size, so each added node is worth a little less than those before. */
static bool check_efficiency(const struct perf_table *table, struct err *err)
{
    char hint[WANTED];
    for (size_t i = 1; i < table->count; i++) {
        double before = efficiency(table, i - 1), here = efficiency(table, i);
        if (here > before + PERF_TABLE_RISE)
            return err_set(err, EXIT_INPUT,
                           "the table contradicts itself: %g nodes run %.3f times as fast as %g, "
                           "but %g only %.3f times; efficiency cannot rise from %.1f to %.1f %% as "
                           "nodes are added, so %.0f or %.0f is a misprint%s",
                           table->nodes[i], speed_up(table, i), table->nodes[0],
                           table->nodes[i - 1], speed_up(table, i - 1), before * 100, here * 100,
                           table->rate[0], table->rate[i], wanted(table, i, hint));
    }
    return true;
}

static bool check_factor(const struct perf_table *table, size_t i, struct err *err)
{
    double is = speed_up(table, i);
    if (!table->factor || fabs(is - table->factor[i]) <= FACTOR_SLACK * fmax(1, is))
        return true;
    return err_set(err, EXIT_INPUT,
                   "the table contradicts itself: at %g nodes it prints a speed-up of %.2f, but "
                   "%.0f is %.3f times %.0f",
                   table->nodes[i], table->factor[i], table->rate[i], is, table->rate[0]);
}

static bool check_linear(const struct perf_table *table, size_t i, struct err *err)
{
    double is = table->rate[0] * table->nodes[i] / table->nodes[0];
    if (!table->linear || fabs(is - table->linear[i]) <= LINEAR_SLACK * is)
        return true;
    return err_set(err, EXIT_INPUT,
                   "the table contradicts itself: at %g nodes it prints %.0f for perfect scaling, "
                   "but %g times %.0f is %.0f",
                   table->nodes[i], table->linear[i], table->nodes[i] / table->nodes[0],
                   table->rate[0], is);
}

static bool check_difference(const struct perf_table *table, size_t i, struct err *err)
{
    if (!table->difference_pct || !table->reference)
        return true;
    double is = (1 - table->rate[i] / table->reference[i]) * 100;
    if (fabs(is - table->difference_pct[i]) <= DIFFERENCE_SLACK)
        return true;
    char hint[WANTED];
    return err_set(err, EXIT_INPUT,
                   "the table contradicts itself: at %g nodes it prints a difference of %.2f %%, "
                   "but between %.0f and %.0f there are %.2f %%%s",
                   table->nodes[i], table->difference_pct[i], table->reference[i], table->rate[i],
                   is, wanted(table, i, hint));
}

bool perf_table_check(const struct perf_table *table, struct err *err)
{
    if (!check_order(table, err) || !check_efficiency(table, err))
        return false;
    for (size_t i = 0; i < table->count; i++) {
        if (!check_factor(table, i, err) || !check_linear(table, i, err) ||
            !check_difference(table, i, err))
            return false;
    }
    return true;
}

bool perf_table_follow(const struct perf_table *table, const struct perf_rules *rules,
                       const struct perf_model *model, const struct perf_part *node,
                       double tolerance, struct err *err)
{
    for (size_t i = 0; i < table->count; i++) {
        struct perf_part part = *node;
        struct perf_step step;
        if (table->nodes[i] < 1 || table->nodes[i] > INT32_MAX ||
            table->nodes[i] > floor(table->nodes[i]))
            return err_set(err, EXIT_INPUT, "row %zu: expected a whole number of nodes, got %g",
                           i + 1, table->nodes[i]);
        part.nodes = (int)table->nodes[i];
        (void)perf_step(rules, model, &(struct perf_place){.parts = &part, .count = 1}, &step);
        double off = step.samples_per_s / table->rate[i] - 1;
        if (!(fabs(off) <= tolerance))
            return err_set(err, EXIT_INPUT,
                           "the model contradicts the table: %g nodes run %.0f samples a second by "
                           "the model, %.0f by the table: %+.1f %%, and the tolerance is %g %%",
                           table->nodes[i], step.samples_per_s, table->rate[i], off * 100,
                           tolerance * 100);
    }
    return true;
}

bool perf_calibrate(const struct perf_rules *rules, struct perf_model *model,
                    const struct perf_place *place, double samples_per_s, struct err *err)
{
    struct perf_model idle = *model;
    struct perf_step step;
    idle.work_s = 1;
    double with_one = perf_step(rules, &idle, place, &step), per_work = step.busy_s + step.bubble_s;
    double devices = 0;
    for (size_t i = 0; i < place->count; i++)
        devices += perf_part_devices(&place->parts[i]);
    double seconds = model->batch * (model->weak ? devices : 1) / samples_per_s,
           others = with_one - per_work;
    if (seconds <= others)
        return err_set(err, EXIT_INPUT,
                       "%g samples per second leave %g s for a step, but communication and fixed "
                       "time alone take %g s",
                       samples_per_s, seconds, others);
    model->work_s = (seconds - others) / per_work;
    return true;
}
