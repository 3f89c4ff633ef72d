/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of models' throughput by number of devices, if jobs name models. */
#include "report/page/html.h"
#include "report/words/units.h"

static void print_row(struct out *out, const char *name, const char *gpus, const cJSON *cell,
                      const char *samples)
{
    char text[UNIT_TEXT];
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, name);
    out_text(out, "</th>");
    html_number(out, gpus);
    html_number(out, unit_amount(text, json_number_at(cell, "gpu_h")));
    html_number(out, unit_amount(text, json_number_at(cell, "samples_per_s")));
    out_text(out, "<td>");
    html_text(out, samples);
    out_text(out, "</td>");
    html_number(out, unit_amount(text, json_number_at(cell, "mean_step_s")));
    html_number(out, unit_ratio(text, json_number_at(cell, "mean_slowdown")));
    out_text(out, "</tr>\n");
}

void html_models(const struct page *page)
{
    const cJSON *model, *cell, *all = json_at(page->run->summary, "models");
    if (!cJSON_IsObject(all) || !all->child)
        return;
    html_open_table(page, "Throughput by model", "by-model", "numbers");
    out_text(page->out,
             "<thead><tr><th scope=\"col\">Model</th><th scope=\"col\" class=\"n\">GPUs</th>"
             "<th scope=\"col\" class=\"n\">GPU-hours at work</th>"
             "<th scope=\"col\" class=\"n\">samples/s</th><th scope=\"col\">which are</th>"
             "<th scope=\"col\" class=\"n\">step, s</th>"
             "<th scope=\"col\" class=\"n\">slowdown</th></tr></thead>\n<tbody>\n");
    cJSON_ArrayForEach(model, all)
    {
        cJSON_ArrayForEach(cell, json_at(model, "by_gpus"))
        {
            if (model->string && cell->string)
                print_row(page->out, model->string, cell->string, cell,
                          json_text_at(model, "samples"));
        }
    }
    html_close_table(page);
}
