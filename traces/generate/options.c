/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the caller's options: the profile's name, its parameters with their ranges, the teams.
 * Rejects values that are not finite or out of range, so that the distributions behind (GSL checks
 * little) always get sensible numbers.
 */
#include "traces/generate/generator.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEAM_USERS 100000

const struct gen_profile *gen_profile_find(const char *name, struct err *err)
{
    size_t count;
    const struct gen_profile *profiles = gen_profiles(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(profiles[i].row->name, name) == 0)
            return &profiles[i];
    size_t row_count;
    const struct trace_profile_row *rows = trace_profiles(&row_count);
    char hint[128];
    text_suggest(hint, sizeof hint, name, &rows->name, row_count, sizeof *rows);
    err_set(err, EXIT_INPUT, "there is no profile '%s' of generated traces%s", name, hint);
    return NULL;
}

static size_t parameter_count(const struct trace_profile_row *row)
{
    size_t n = 0;
    while (row->parameter_names[n])
        n++;
    return n;
}

static bool set_value(const struct gen_profile *profile, double *values,
                      const struct trace_parameter *parameter, struct err *err)
{
    const struct trace_profile_row *row = profile->row;
    size_t count = parameter_count(row), i = 0;
    while (i < count && strcmp(row->parameter_names[i], parameter->name) != 0)
        i++;
    if (i == count) {
        char hint[128];
        text_suggest(hint, sizeof hint, parameter->name, row->parameter_names, count,
                     sizeof *row->parameter_names);
        return err_set(err, EXIT_INPUT, "profile '%s' has no parameter '%s'%s", row->name,
                       parameter->name, hint);
    }
    const struct gen_range *range = &profile->ranges[i];
    double value = parameter->value;
    if (!isfinite(value) || value < range->low || value > range->high ||
        (range->whole && value != floor(value)))
        return err_set(err, EXIT_INPUT,
                       "profile '%s': %s is %.10g, expected a%s number from %.10g to %.10g",
                       row->name, parameter->name, value, range->whole ? " whole" : "", range->low,
                       range->high);
    values[i] = value;
    return true;
}

double *gen_profile_values(const struct gen_profile *profile,
                           const struct trace_generate_options *options, struct err *err)
{
    size_t count = parameter_count(profile->row);
    double *values = mem_alloc(count, sizeof *values);
    memcpy(values, profile->row->parameter_defaults, count * sizeof *values);
    for (size_t i = 0; i < options->parameter_count; i++)
        if (!set_value(profile, values, &options->parameters[i], err)) {
            free(values);
            return NULL;
        }
    return values;
}

bool gen_teams_check(const struct trace_team *teams, size_t count, struct err *err)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct trace_team *team = &teams[i];
        if (!team->queue || !*team->queue)
            return err_set(err, EXIT_INPUT, "team %zu has no queue name", i);
        for (size_t j = 0; j < i; j++)
            if (strcmp(teams[j].queue, team->queue) == 0)
                return err_set(err, EXIT_INPUT, "teams %zu and %zu have the same queue '%s'", j, i,
                               team->queue);
        if (!isfinite(team->weight) || team->weight < 0 || team->weight > 1e9)
            return err_set(err, EXIT_INPUT,
                           "team '%s': weight is %g, expected a number from 0 to 1e9", team->queue,
                           team->weight);
        if (team->users < 1 || team->users > MAX_TEAM_USERS)
            return err_set(err, EXIT_INPUT, "team '%s': users is %d, expected 1 to %d", team->queue,
                           team->users, MAX_TEAM_USERS);
        sum += team->weight;
    }
    if (count > 0 && sum <= 0)
        return err_set(err, EXIT_INPUT,
                       "the weights of all teams are 0, expected at least one above 0");
    return true;
}
