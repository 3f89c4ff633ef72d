/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of jobs with dependencies. */
#include "report/page/html.h"

static const struct item items[] = {
    {"dependencies.linked", "jobs that follow others (after)", unit_count, true},
    {"dependencies.unknown", "names in it of jobs that the trace had not had", unit_count, true},
    {"dependencies.cancelled", "cancelled: one they needed did not complete", unit_count, true},
    {"dependencies.arrays", "arrays", unit_count, true},
    {"dependencies.array_jobs", "their jobs", unit_count, true},
    {"dependencies.capped", "held back by the limit of their array", unit_count, true},
    {"dependencies.judged", "jobs judged at rungs", unit_count, true},
    {"dependencies.went_on", "went on", unit_count, true},
    {"dependencies.stopped", "stopped", unit_count, true},
    {"dependencies.spared_gpu_h", "GPU-hours that they did not run", unit_amount, true},
    {"dependencies.reactions", "jobs that follow another of their user", unit_count, true},
    {"dependencies.still_held", "still held at the end", unit_count, true},
    {"dependencies.held_s.mean", "held, mean", unit_duration, true},
    {"dependencies.held_s.max", "held, most", unit_duration, true},
};

void html_dependencies(const struct page *page)
{
    if (json_at(page->run->summary, "dependencies") == NULL)
        return;
    html_items(page, &(struct html_items){"Jobs that wait for jobs", "dependencies",
                                          "Dependencies and arrays", items,
                                          sizeof items / sizeof *items});
}
