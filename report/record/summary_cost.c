/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Money in summary.json, queues.csv and users.csv. */
#include "report/record/summary_cost.h"

#include "report/measure/storage.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOURS_PER_YEAR 8760.0
#define MS_PER_HOUR    3600000.0
#define MICRO          1e6

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static double usd(bool known, int64_t micro)
{
    return known ? (double)micro / MICRO : (double)NAN;
}

/* Converts thousandths or MiB, times milliseconds, to unit-hours or GiB-hours. */
static double hours(wide amount, double unit)
{
    return (double)amount / unit / MS_PER_HOUR;
}

/* ---- sources of prices ---- */

/* Lists the nodes whose prices have this source, each name once. */
static void price_names(const struct energy *e, struct json *j, const char *key,
                        bool (*is)(const struct energy_pool *))
{
    json_begin_array(j, key);
    for (size_t i = 0; i < e->pool_count; i++) {
        bool again = e->pools[i].name == NULL || !is(&e->pools[i]);
        for (size_t k = 0; k < i && !again; k++)
            again = e->pools[k].name != NULL && is(&e->pools[k]) &&
                    strcmp(e->pools[k].name, e->pools[i].name) == 0;
        if (!again)
            json_text(j, NULL, e->pools[i].name);
    }
    json_end_array(j);
}

static bool is_unverified(const struct energy_pool *pool)
{
    return pool->price.source != PRICE_UNKNOWN && pool->price.unverified;
}

static bool is_given(const struct energy_pool *pool)
{
    return pool->price.source == PRICE_GIVEN;
}

static bool is_unpriced(const struct energy_pool *pool)
{
    return pool->price.source == PRICE_UNKNOWN && pool->gpu_milli > 0;
}

/* ---- accounts ---- */

static const struct showback_account *account_at(const struct summary *s, enum showback_kind kind,
                                                 size_t i)
{
    static const struct showback_account none;
    const struct showback_accounts *by = &s->showback->by[kind];
    return i < by->count ? &by->of[i] : &none;
}

static void used_json(const struct showback_use *used, struct json *j)
{
    json_f64(j, "gpu_h", hours(used->of[SHOWBACK_GPU], 1000), 6);
    json_f64(j, "cpu_core_h", hours(used->of[SHOWBACK_CPU], 1000), 6);
    json_f64(j, "mem_gib_h", hours(used->of[SHOWBACK_MEM], 1024), 6);
}

static void account_json(const struct showback_bill *bill, const struct showback_cost *cost,
                         const struct showback_account *account, const char *name, struct json *j)
{
    json_begin_object(j, name);
    json_f64(j, "usd", usd(bill->known, cost->nodes + cost->energy + cost->storage), 6);
    json_f64(j, "nodes_usd", usd(bill->known, cost->nodes), 6);
    json_f64(j, "energy_usd", usd(bill->known, cost->energy), 6);
    if (bill->storage > 0) {
        json_f64(j, "storage_usd", usd(bill->known, cost->storage), 6);
        json_f64(j, "read_tb", (double)account->read / SHOWBACK_TB, 6);
        json_f64(j, "written_tb", (double)account->written / SHOWBACK_TB, 6);
    }
    used_json(&account->used, j);
    json_end_object(j);
}

static void accounts_json(const struct summary *s, const struct showback_bill *bill,
                          enum showback_kind kind, size_t count, const char *key, struct json *j)
{
    static const struct showback_cost none;
    struct showback_cost *costs = showback_costs(s->showback, bill, kind);
    json_begin_object(j, key);
    for (size_t i = 0; i < count; i++) {
        const char *name = showback_name(s->sim, kind, i);
        account_json(bill, i < s->showback->by[kind].count ? &costs[i] : &none,
                     account_at(s, kind, i), name[0] != '\0' ? name : "none", j);
    }
    json_end_object(j);
    free(costs);
}

static const struct store_prices *store_prices(const struct summary *s)
{
    return s->given != NULL ? &s->given->store_prices : NULL;
}

/* Written only if storage has a price. */
static void storage_json(const struct storage_bill *bill, const struct store_prices *prices,
                         struct json *j)
{
    if (prices == NULL || prices->count == 0)
        return;
    json_begin_object(j, "storage");
    json_f64(j, "kept_usd", usd(true, bill->kept), 6);
    json_f64(j, "moved_usd", usd(true, bill->moved), 6);
    json_begin_object(j, "tiers");
    for (size_t i = 0; i < prices->count; i++) {
        const struct storage_tier_bill *tier = &bill->tiers[i];
        json_begin_object(j, prices->tiers[i].name);
        json_f64(j, "tb", prices->tiers[i].tb, 6);
        json_f64(j, "read_tb", tier->read_tb, 6);
        json_f64(j, "written_tb", tier->written_tb, 6);
        json_f64(j, "kept_usd", usd(true, tier->kept), 6);
        json_f64(j, "moved_usd", usd(true, tier->moved), 6);
        json_end_object(j);
    }
    json_end_object(j);
    json_end_object(j);
}

struct showback_bill summary_bill(const struct summary *s)
{
    const struct storage_bill storage = storage_bill(store_prices(s), s->sim);
    return showback_bill(s->showback, s->sim, &storage);
}

void summary_cost(const struct summary *s, struct json *j)
{
    const struct energy *e = s->energy;
    const struct storage_bill storage = storage_bill(store_prices(s), s->sim);
    struct showback_bill bill = showback_bill(s->showback, s->sim, &storage);
    double all = usd(bill.known, bill.nodes + bill.energy + bill.storage);
    double window_ms = (double)sim_inside(s->sim, s->sim->window_start_ms, s->sim->now_ms);
    json_begin_object(j, "cost");
    json_f64(j, "usd", all, 6);
    json_f64(j, "usd_per_productive_gpu_h", ratio(all, ledger_hours(ledger_productive(s->ledger))),
             6);
    json_f64(j, "usd_per_work_gpu_h", ratio(all, ledger_hours(ledger_work(s->ledger))), 6);
    json_f64(j, "energy_kwh", energy_kwh(e), 6);
    json_f64(j, "idle_usd", usd(bill.known, bill.idle_gpu_nodes), 6);
    json_f64(j, "usd_per_year", ratio(all, window_ms / MS_PER_HOUR) * HOURS_PER_YEAR, 6);
    json_text(j, "basis", e->pool_count > 0 ? price_basis_name(e->basis) : NULL);
    price_names(e, j, "unverified", is_unverified);
    price_names(e, j, "given", is_given);
    price_names(e, j, "unpriced", is_unpriced);
    json_f64(j, "nodes_usd", usd(bill.known, bill.nodes), 6);
    json_f64(j, "energy_usd", usd(bill.known, bill.energy), 6);
    json_f64(j, "storage_usd", usd(bill.known, bill.storage), 6);
    json_f64(j, "unused_storage_usd", usd(bill.known, bill.unused_storage), 6);
    json_f64(j, "idle_cpu_usd", usd(bill.known, bill.idle_cpu_nodes), 6);
    json_f64(j, "idle_energy_usd", usd(bill.known, bill.idle_energy), 6);
    storage_json(&storage, store_prices(s), j);
    accounts_json(s, &bill, SHOWBACK_QUEUE, s->shares->count, "by_queue", j);
    accounts_json(s, &bill, SHOWBACK_CLASS, TRACE_CLASSES, "by_class", j);
    if (s->showback->by[SHOWBACK_MODEL].count > 1)
        accounts_json(s, &bill, SHOWBACK_MODEL, s->showback->by[SHOWBACK_MODEL].count, "by_model",
                      j);
    json_end_object(j);
}

/* ---- tables ---- */

static void cell(struct out *out, double value)
{
    out_char(out, ',');
    out_f64(out, value, 6);
}

static void cost_cells(const struct showback_bill *bill, const struct showback_cost *cost,
                       struct out *out)
{
    cell(out, usd(bill->known, cost->nodes));
    cell(out, usd(bill->known, cost->energy));
    cell(out, usd(bill->known, cost->storage));
    cell(out, usd(bill->known, cost->nodes + cost->energy + cost->storage));
}

void summary_cost_heads(struct out *out)
{
    out_text(out, ",nodes_usd,energy_usd,storage_usd,cost_usd");
}

void summary_cost_cells(const struct summary *s, const struct showback_bill *bill,
                        const struct showback_cost *costs, size_t queue, struct out *out)
{
    static const struct showback_cost none;
    cost_cells(bill, queue < s->showback->by[SHOWBACK_QUEUE].count ? &costs[queue] : &none, out);
}

bool summary_write_users(const struct summary *s, const char *dir, struct err *err)
{
    struct out *out = out_open_in(dir, "users.csv", err);
    if (out == NULL)
        return false;
    struct showback_bill bill = summary_bill(s);
    struct showback_cost *costs = showback_costs(s->showback, &bill, SHOWBACK_USER);
    out_text(out, "user,jobs,completed,gpu_h,cpu_core_h,mem_gib_h,nodes_usd,energy_usd,storage_usd,"
                  "cost_usd\n");
    for (size_t i = 0; i < s->showback->by[SHOWBACK_USER].count; i++) {
        const struct showback_account *account = account_at(s, SHOWBACK_USER, i);
        out_csv(out, showback_name(s->sim, SHOWBACK_USER, i));
        out_format(out, ",%llu,%llu", (unsigned long long)account->jobs,
                   (unsigned long long)account->completed);
        cell(out, hours(account->used.of[SHOWBACK_GPU], 1000));
        cell(out, hours(account->used.of[SHOWBACK_CPU], 1000));
        cell(out, hours(account->used.of[SHOWBACK_MEM], 1024));
        cost_cells(&bill, &costs[i], out);
        out_char(out, '\n');
    }
    free(costs);
    return out_close(out, err);
}
