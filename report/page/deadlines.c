/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of deadlines, if jobs have them. */
#include "report/page/html.h"

static const struct item items[] = {
    {"deadlines.jobs", "jobs with a deadline", unit_count, false},
    {"deadlines.met_share", "met, of those decided", unit_percent, false},
    {"deadlines.missed", "missed", unit_count, false},
    {"deadlines.lateness_s.mean", "lateness, mean (0 for those in time)", unit_duration, false},
    {"deadlines.lateness_s.p95", "p95", unit_duration, false},
    {"deadlines.lateness_s.max", "max", unit_duration, false},
};

void html_deadlines(const struct page *page)
{
    if (!(json_number_at(page->run->summary, "deadlines.jobs") > 0))
        return;
    html_items(page, &(struct html_items){"Deadlines", "deadlines", "Deadlines", items,
                                          sizeof items / sizeof *items});
}
