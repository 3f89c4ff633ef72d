/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of services: requests served, resources used, and error budgets. */
#include "report/page/html.h"
#include "report/words/units.h"

static void print_row(struct out *out, const char *name, const cJSON *s)
{
    char text[UNIT_TEXT];
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, name);
    out_text(out, "</th>");
    html_number(out, unit_amount(text, json_number_at(s, "requests_offered")));
    html_number(out, unit_amount(text, json_number_at(s, "requests_over_capacity")));
    html_number(out, unit_percent(text, json_number_at(s, "served_share")));
    html_number(out, unit_duration(text, json_number_at(s, "queue_wait_mean_s")));
    html_number(out, unit_count(text, json_number_at(s, "cold_starts")));
    html_number(out, unit_duration(text, json_number_at(s, "ready_s.mean")));
    html_number(out, unit_duration(text, json_number_at(s, "ready_s.p95")));
    html_number(out, unit_amount(text, json_number_at(s, "replica_hours")));
    html_number(out, unit_amount(text, json_number_at(s, "gpu_hours")));
    out_text(out, "</tr>\n");
}

static void print_level(struct out *out, const char *name, const cJSON *slo)
{
    char text[UNIT_TEXT];
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, name);
    out_text(out, "</th>");
    html_number(out, unit_percent(text, json_number_at(slo, "objective")));
    html_number(out, unit_percent(text, json_number_at(slo, "in_time_share")));
    html_number(out, unit_amount(text, json_number_at(slo, "late_requests")));
    html_number(out, unit_amount(text, json_number_at(slo, "error_budget_requests")));
    html_number(out, unit_percent(text, json_number_at(slo, "error_budget_left")));
    html_number(out, unit_amount(text, json_number_at(slo, "burn_rate")));
    html_number(out, unit_amount(text, json_number_at(slo, "worst_hour_burn_rate")));
    out_text(out, "</tr>\n");
}

/* Printed only if a service has an SLO. */
static void print_levels(const struct page *page, const cJSON *all)
{
    const cJSON *item, *slo;
    size_t count = 0;
    cJSON_ArrayForEach(item, all) count += json_at(item, "slo") != NULL;
    if (count == 0)
        return;
    html_open_table(page, "Error budgets", "error-budgets", "numbers");
    out_text(page->out,
             "<thead><tr><th scope=\"col\">Service</th><th scope=\"col\" class=\"n\">SLO</th>"
             "<th scope=\"col\" class=\"n\">in time</th><th scope=\"col\" class=\"n\">late "
             "requests</th><th scope=\"col\" class=\"n\">error budget</th><th scope=\"col\" "
             "class=\"n\">left of it</th><th scope=\"col\" class=\"n\">burn rate</th><th "
             "scope=\"col\" class=\"n\">worst hour</th></tr></thead>\n<tbody>\n");
    cJSON_ArrayForEach(item, all)
    {
        slo = json_at(item, "slo");
        if (item->string != NULL && slo != NULL)
            print_level(page->out, item->string, slo);
    }
    html_close_table(page);
}

void html_services(const struct page *page)
{
    const cJSON *item, *all = json_at(page->run->summary, "services.by_name");
    if (!all || !all->child)
        return;
    html_open_table(page, "Services", "services", "numbers");
    out_text(
        page->out,
        "<thead><tr><th scope=\"col\">Service</th><th scope=\"col\" class=\"n\">requests</th>"
        "<th scope=\"col\" class=\"n\">not served</th><th scope=\"col\" class=\"n\">served</th>"
        "<th scope=\"col\" class=\"n\">mean wait</th>"
        "<th scope=\"col\" class=\"n\">cold starts</th><th scope=\"col\" class=\"n\">ready, "
        "mean</th><th scope=\"col\" class=\"n\">p95</th><th scope=\"col\" "
        "class=\"n\">replica-hours</th>"
        "<th scope=\"col\" class=\"n\">GPU-hours</th></tr></thead>\n<tbody>\n");
    cJSON_ArrayForEach(item, all)
    {
        if (item->string && cJSON_IsObject(item))
            print_row(page->out, item->string, item);
    }
    print_row(page->out, "all", json_at(page->run->summary, "services.total"));
    html_close_table(page);
    print_levels(page, all);
}
