/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The estimated time of the start; see explain_eta.h. */
#include "sim/ask/explain_eta.h"
#include "sim/base/escape.h"

#include "sim/base/mem.h"
#include "sim/world/start_memory.h"

#include <stdlib.h>

/* Chooses another job for a second prediction, whose arrays belong to the list or to *half; NULL:
 * none, or it starts now anyway. */
static const struct snap_job *choose_other(struct explain_eta *e, const struct dry_run *run,
                                           const struct snap_job *job,
                                           const struct alternatives *all, struct altered *half)
{
    if (all->count > 0) {
        e->words = mem_text(all->list[0].words);
        return all->list[0].trial.outcome == TRIAL_STARTS ? NULL : &all->nearest.job;
    }
    struct out *words = out_memory();
    bool found = alternative_half(run, job, half, words);
    e->words = out_memory_take(words);
    return found ? &half->job : NULL;
}

bool explain_eta_find(struct explain_eta *e, const struct cli *cli, const struct scenario *scenario,
                      const struct dry_run *run, const struct snap_job *job,
                      const struct alternatives *all, struct err *err)
{
    struct altered half = {.roles = NULL};
    struct eta_question q = {
        .scenario = scenario, .job = job->id, .threads = (int)cli_number(cli, OPT_JOBS, 1)};
    *e = (struct explain_eta){.asked = true,
                              .remaining = eta_remaining(scenario),
                              .forgotten = start_memory(scenario),
                              .alone = scenario->source_count == 0};
    bool ok = eta_find(&e->job, &q, err);
    q.instead = ok ? choose_other(e, run, job, all, &half) : NULL;
    e->has_other = q.instead != NULL;
    ok = ok && (!e->has_other || eta_find(&e->other, &q, err));
    altered_fini(&half);
    return ok;
}

void explain_eta_fini(struct explain_eta *e)
{
    eta_fini(&e->job);
    eta_fini(&e->other);
    free(e->words);
    e->words = NULL;
}

void explain_eta_print(const struct explain_eta *e, struct out *out)
{
    if (!e->asked)
        return;
    out_text(out, "  starts       ");
    eta_print(&e->job, out);
    if (e->has_other) {
        escape_format(out, "\n               or %s: ", e->words);
        eta_print(&e->other, out);
    }
    escape_format(out, "\n               how long jobs take: %s\n", e->remaining);
    if (e->alone)
        out_text(out, "               of jobs that come later nothing is known (--trace)\n");
    if (e->forgotten != NULL)
        escape_format(out, "               not carried over: %s\n", e->forgotten);
}

void explain_eta_json(const struct explain_eta *e, struct json *j)
{
    if (!e->asked)
        return;
    json_text(j, "remaining", e->remaining);
    json_bool(j, "later_jobs", !e->alone);
    json_text(j, "not_carried_over", e->forgotten);
    eta_json(&e->job, "eta", j);
    if (e->has_other)
        json_text(j, "eta_alternative_detail", e->words);
    if (e->has_other)
        eta_json(&e->other, "eta_alternative", j);
}
