/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See dependencies.h. */
#include "report/measure/dependencies.h"

#include "sim/dependencies.h"
#include "sim/rungs.h"

#include <math.h>

void dependencies_json(const struct sim *sim, struct json *j)
{
    const struct sim_dependencies_figures *f = sim_dependencies_figures(sim);
    if (f == NULL)
        return;
    json_begin_object(j, "dependencies");
    json_u64(j, "linked", f->linked);
    json_u64(j, "unknown", f->unknown);
    json_u64(j, "cancelled", f->cancelled);
    json_u64(j, "arrays", f->arrays);
    json_u64(j, "array_jobs", f->members);
    json_u64(j, "capped", f->capped);
    const struct sim_rungs_figures *rungs = sim_rungs_figures(sim);
    if (rungs != NULL) {
        json_u64(j, "judged", rungs->judged);
        json_u64(j, "went_on", rungs->judged - rungs->stopped);
        json_u64(j, "stopped", rungs->stopped);
        json_f64(j, "spared_gpu_h", (double)rungs->spared / 3.6e9, 6);
    }
    json_u64(j, "reactions", f->reactions);
    json_u64(j, "still_held", f->open);
    json_begin_object(j, "held_s");
    json_f64(j, "mean",
             f->released > 0 ? (double)f->held_ms / (double)f->released / 1000.0 : (double)NAN, 3);
    json_f64(j, "max", f->released > 0 ? (double)f->longest_ms / 1000.0 : (double)NAN, 3);
    json_end_object(j);
    json_end_object(j);
}
