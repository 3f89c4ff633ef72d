/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of fault effects by class. */
#include "report/page/html.h"
#include "report/words/units.h"

static const char *const keys[] = {"faults", "interruptions", "lost_gpu_h"};
#define KEYS (sizeof keys / sizeof *keys)

/* A class without faults has no row. */
static bool struck(const cJSON *class)
{
    return class->string &&
           (json_number_at(class, "faults") > 0 || json_number_at(class, "interruptions") > 0);
}

static void print_row(struct out *out, const char *name, const double value[KEYS])
{
    char text[UNIT_TEXT];
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, name);
    out_text(out, "</th>");
    html_number(out, unit_count(text, value[0]));
    html_number(out, unit_count(text, value[1]));
    html_number(out, unit_amount(text, value[2]));
    out_text(out, "</tr>\n");
}

void html_faults(const struct page *page)
{
    const cJSON *class, *all = json_at(page->run->summary, "reliability.by_class");
    size_t rows = 0;
    double sum[KEYS] = {0};
    cJSON_ArrayForEach(class, all)
    {
        rows += struck(class);
    }
    if (rows == 0)
        return;
    html_open_table(page, "Faults by class", "by-fault", "numbers");
    out_text(page->out,
             "<thead><tr><th scope=\"col\">Class</th><th scope=\"col\" class=\"n\">faults</th>"
             "<th scope=\"col\" class=\"n\">jobs stopped</th><th scope=\"col\" "
             "class=\"n\">GPU-hours lost</th></tr></thead>\n<tbody>\n");
    cJSON_ArrayForEach(class, all)
    {
        double value[KEYS];
        for (size_t k = 0; k < KEYS && struck(class); k++) {
            value[k] = json_number_at(class, keys[k]);
            sum[k] += value[k];
        }
        if (struck(class))
            print_row(page->out, class->string, value);
    }
    print_row(page->out, "all", sum);
    html_close_table(page);
}
