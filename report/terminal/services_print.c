/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of services and of their error budgets; see services_print.h. */
#include "report/terminal/services_print.h"

#include "report/results/rundir.h"
#include "report/terminal/table.h"
#include "report/words/units.h"

static const char *name_of(const cJSON *service)
{
    return *service->string ? service->string : "(no name)";
}

static void add_service(struct table *table, const char *name, const cJSON *s)
{
    char text[7][UNIT_TEXT];
    table_row(table, (const char *const[]){
                         name, unit_amount(text[0], json_number_at(s, "requests_offered")),
                         unit_percent(text[1], json_number_at(s, "served_share")),
                         unit_amount(text[2], json_number_at(s, "requests_over_capacity")),
                         unit_count(text[3], json_number_at(s, "cold_starts")),
                         unit_duration(text[4], json_number_at(s, "ready_s.mean")),
                         unit_duration(text[5], json_number_at(s, "ready_s.p95")),
                         unit_amount(text[6], json_number_at(s, "gpu_hours"))});
}

static void print_all(struct out *out, const cJSON *all, const cJSON *total, size_t width)
{
    const cJSON *item;
    struct table *table = table_create(8);
    table_row(table, (const char *const[]){"service", "requests", "served", "not served",
                                           "cold starts", "ready mean", "p95", "GPU-h"});
    cJSON_ArrayForEach(item, all)
    {
        if (item->string && cJSON_IsObject(item))
            add_service(table, name_of(item), item);
    }
    if (all->child->next)
        add_service(table, "all", total);
    out_char(out, '\n');
    table_print(table, out, width);
    table_destroy(table);
}

static void add_level(struct table *table, const char *name, const cJSON *slo)
{
    char text[6][UNIT_TEXT];
    table_row(table, (const char *const[]){
                         name, unit_percent(text[0], json_number_at(slo, "objective")),
                         unit_percent(text[1], json_number_at(slo, "in_time_share")),
                         unit_amount(text[2], json_number_at(slo, "late_requests")),
                         unit_percent(text[3], json_number_at(slo, "error_budget_left")),
                         unit_amount(text[4], json_number_at(slo, "burn_rate")),
                         unit_amount(text[5], json_number_at(slo, "worst_hour_burn_rate"))});
}

static void print_levels(struct out *out, const cJSON *all, size_t width)
{
    const cJSON *item;
    size_t count = 0;
    struct table *table = table_create(7);
    table_row(table, (const char *const[]){"service", "SLO", "in time", "late", "budget left",
                                           "burn rate", "worst hour"});
    cJSON_ArrayForEach(item, all)
    {
        const cJSON *slo = json_at(item, "slo");
        if (item->string == NULL || slo == NULL)
            continue;
        add_level(table, name_of(item), slo);
        count++;
    }
    if (count > 0) {
        out_char(out, '\n');
        table_print(table, out, width);
    }
    table_destroy(table);
}

void services_print(struct out *out, const cJSON *summary, size_t width)
{
    const cJSON *all = json_at(summary, "services.by_name");
    if (!all || !all->child)
        return;
    print_all(out, all, json_at(summary, "services.total"), width);
    print_levels(out, all, width);
}
