/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The users of a generated trace: teams, and their users by activity. */
#include "traces/generate/generator.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gsl_ran_discrete_t *gen_discrete(size_t count, const double *weights)
{
    gsl_ran_discrete_t *table = gsl_ran_discrete_preproc(count, weights);
    BUG_ON(!table); // the weights were checked, so only memory can be lacking
    return table;
}

static void make_users(struct gen_team *team, const struct trace_team *from, double slope,
                       struct symbols *names)
{
    size_t users = (size_t)from->users;
    double *weights = mem_alloc(users, sizeof *weights);
    team->users = mem_alloc(users, sizeof *team->users);
    for (size_t u = 0; u < users; u++) {
        char *name = mem_format("%s-u%02zu", from->queue, u + 1);
        team->users[u] = symbols_add(names, name, strlen(name));
        free(name);
        weights[u] = pow((double)(u + 1), -slope);
    }
    team->user = gen_discrete(users, weights);
    free(weights);
}

void gen_teams_make(struct gen_teams *teams, const struct trace_team *from, size_t count,
                    double slope, const struct trace_names *names)
{
    teams->count = count;
    teams->teams = mem_alloc(count, sizeof *teams->teams);
    double *weights = mem_alloc(count, sizeof *weights);
    for (size_t t = 0; t < count; t++) {
        weights[t] = from[t].weight;
        teams->teams[t].queue = symbols_add(names->queues, from[t].queue, strlen(from[t].queue));
        make_users(&teams->teams[t], &from[t], slope, names->users);
    }
    teams->team = gen_discrete(count, weights);
    free(weights);
}

const struct gen_team *gen_team_draw(const struct gen_teams *teams, gsl_rng *rng)
{
    return &teams->teams[gsl_ran_discrete(rng, teams->team)];
}

uint32_t gen_user_draw(const struct gen_team *team, gsl_rng *rng)
{
    return team->users[gsl_ran_discrete(rng, team->user)];
}

void gen_teams_free(struct gen_teams *teams)
{
    for (size_t t = 0; t < teams->count; t++) {
        gsl_ran_discrete_free(teams->teams[t].user);
        free(teams->teams[t].users);
    }
    gsl_ran_discrete_free(teams->team);
    free(teams->teams);
}
