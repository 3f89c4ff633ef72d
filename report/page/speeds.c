/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table of the speeds that a run assumed for hardware on which its jobs were not recorded
 * (report/measure/speeds.h).
 */
#include "report/page/html.h"
#include "report/words/units.h"

static void print_text(struct out *out, const char *text)
{
    out_text(out, "<td>");
    html_text(out, text);
    out_text(out, "</td>");
}

static void print_row(struct out *out, const cJSON *row)
{
    char text[UNIT_TEXT];
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, json_text_at(row, "node"));
    out_text(out, "</th>");
    print_text(out, json_text_at(row, "model"));
    print_text(out, json_text_at(row, "recorded_on"));
    html_number(out, unit_ratio(text, json_number_at(row, "speed")));
    html_number(out, unit_ratio(text, json_number_at(row, "low")));
    html_number(out, unit_ratio(text, json_number_at(row, "high")));
    print_text(out, json_text_at(row, "mark"));
    print_text(out, json_text_at(row, "source"));
    out_text(out, "</tr>\n");
}

void html_speeds(const struct page *page)
{
    const cJSON *row, *all = json_at(page->run->summary, "speeds");
    if (cJSON_GetArraySize(all) == 0)
        return;
    html_open_table(page, "Assumed speeds of GPUs, relative to those on which jobs were recorded",
                    "speeds", "numbers");
    out_text(
        page->out,
        "<thead><tr><th scope=\"col\">Node</th><th scope=\"col\">Model</th>"
        "<th scope=\"col\">Recorded on</th><th scope=\"col\" class=\"n\">speed</th>"
        "<th scope=\"col\" class=\"n\">from</th><th scope=\"col\" class=\"n\">to</th>"
        "<th scope=\"col\">confidence</th><th scope=\"col\">source</th></tr></thead>\n<tbody>\n");
    cJSON_ArrayForEach(row, all)
    {
        print_row(page->out, row);
    }
    html_close_table(page);
}
