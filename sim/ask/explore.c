/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer's page for run directories; see explore.h. */
#include "sim/ask/explore.h"

#include "report/explore/explore.h"
#include "report/record/journal.h"
#include "sim/base/mem.h"
#include "sim/base/week.h"
#include "sim/world/previous_run.h"

#include <stdlib.h>

/* One run; the simulation stays open, since the explorer refers to its names. */
struct explored {
    struct previous_run previous;
    struct simulation simulation;
    bool open;
    struct explore explore;
};

static bool check_decisions(const struct explored *x, struct journal *journal, struct err *err)
{
    char decisions[DIGEST_HEX];
    bool same = true;
    journal_hex(journal, decisions);
    if (!previous_run_check_trace(&x->previous, &x->simulation, err) ||
        !previous_run_decided(&x->previous, decisions, &same, err))
        return false;
    if (!same)
        cli_note("the decisions are not those of '%s': it was interrupted, or made by another "
                 "version",
                 x->previous.dir);
    return true;
}

static bool explore_one(struct explored *x, const char *dir, const char *trace, struct err *err)
{
    struct journal journal;
    if (!previous_run_open(&x->previous, dir, trace, err))
        return false;
    if (x->previous.scenario->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT,
                       "%s: a packing study has no time, so there is nothing to explore", dir);
    const struct sim_observer observers[] = {
        journal_observer(&journal), explore_observer(&x->explore)}; /* until sim_finish() */
    do {
        explore_fini(&x->explore);
        journal_init(&journal);
        x->open = previous_run_run(&x->previous, observers, 2, INT64_MAX, &x->simulation, err);
    } while (!x->open && x->previous.again);
    if (!x->open || !sim_finish(x->simulation.sim, err))
        return false;
    const struct scenario *scenario = x->previous.scenario;
    x->explore.title = mem_text(scenario->name);
    x->explore.policy = mem_text(scenario->policy.name);
    x->explore.dated = x->explore.begin_ms >= SIM_CLOCK_HAS_DATE;
    explore_finish(&x->explore, x->simulation.sim);
    return check_decisions(x, &journal, err);
}

static void close_one(struct explored *x)
{
    explore_fini(&x->explore);
    if (x->open)
        simulation_close(&x->simulation);
    previous_run_close(&x->previous);
}

bool explore_directories(const struct cli *cli, const char *path, struct err *err)
{
    struct explored *all = mem_alloc(EXPLORE_RUNS, sizeof *all);
    struct explore runs[EXPLORE_RUNS];
    size_t count = 0;
    bool ok = true;
    for (; ok && count < cli->operand_count; count++) {
        explore_init(&all[count].explore);
        ok = explore_one(&all[count], cli->operands[count], cli_option(cli, OPT_TRACE), err);
        runs[count] = all[count].explore;
    }
    ok = ok && explore_page(path, runs, count, err);
    for (size_t i = 0; i < count; i++)
        close_one(&all[i]);
    free(all);
    return ok;
}
