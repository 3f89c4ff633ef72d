/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of jobs that waited for others. */
#include "report/html.h"
#include "report/units.h"

#include <math.h>

static const struct {
    const char *key, *name;
    const char *(*format)(char text[UNIT_TEXT], double value);
} items[] = {
    {"linked",      "jobs that follow others (after)",                unit_count   },
    {"unknown",     "names in it of jobs that the trace had not had", unit_count   },
    {"cancelled",   "cancelled: one they needed did not complete",    unit_count   },
    {"arrays",      "arrays",                                         unit_count   },
    {"array_jobs",  "their jobs",                                     unit_count   },
    {"capped",      "held back by the limit of their array",          unit_count   },
    {"reactions",   "jobs that follow another of their user",         unit_count   },
    {"still_held",  "still held at the end",                          unit_count   },
    {"held_s.mean", "held, mean",                                     unit_duration},
    {"held_s.max",  "held, most",                                     unit_duration},
};

void html_dependencies(const struct page *page)
{
    const cJSON *all = json_at(page->run->summary, "dependencies");
    if (all == NULL)
        return;
    html_open_table(page, "Jobs that wait for jobs", "dependencies", "numbers");
    out_text(page->out, "<thead><tr><th scope=\"col\">Dependencies and arrays</th><th scope=\"col\" "
                        "class=\"n\">in the window</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        char text[UNIT_TEXT];
        double value = json_number_at(all, items[i].key);
        if (isnan(value) || !(value > 0))
            continue;
        out_text(page->out, "<tr><th scope=\"row\">");
        html_text(page->out, items[i].name);
        out_text(page->out, "</th>");
        html_number(page->out, items[i].format(text, value));
        out_text(page->out, "</tr>\n");
    }
    html_close_table(page);
}
