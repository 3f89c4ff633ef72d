/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the bills of elastic pools; see summary_elastic.h. */
#include "report/record/summary_elastic.h"

#include "sim/base/json.h"

#define MS_PER_HOUR 3600000.0

static double usd_of(const struct sim_elastic_pool *terms, const struct sim_elastic_bill *bill)
{
    return (double)bill->paid_ms / MS_PER_HOUR * ((double)terms->price_micro_usd_h / 1e6);
}

static void put(const struct sim_elastic_bill *bill, double usd, struct json *j)
{
    json_f64(j, "usd", usd, 6);
    json_f64(j, "node_h", (double)bill->there_ms / MS_PER_HOUR, 6);
    json_f64(j, "paid_node_h", (double)bill->paid_ms / MS_PER_HOUR, 6);
    json_i64(j, "orders", (int64_t)bill->orders);
    json_i64(j, "releases", (int64_t)bill->releases);
    json_i64(j, "reclaims", (int64_t)bill->reclaims);
    json_i64(j, "nodes_peak", bill->most_held);
}

static void add(struct sim_elastic_bill *to, const struct sim_elastic_bill *more)
{
    to->there_ms += more->there_ms;
    to->paid_ms += more->paid_ms;
    to->orders += more->orders;
    to->releases += more->releases;
    to->reclaims += more->reclaims;
    to->most_held += more->most_held;
}

void elastic_json(const struct sim *sim, struct json *j)
{
    const struct sim_elastic_book *book = sim->elastic_book;
    const struct sim_elastic_pool *terms = sim->config.elastic.of_pool;
    struct sim_elastic_bill sum = {0};
    double usd = 0;
    if (book == NULL)
        return;
    json_begin_object(j, "elastic");
    json_begin_object(j, "pools");
    for (uint32_t i = 0; i < sim->fleet->pool_count; i++) {
        if (!terms[i].given)
            continue;
        json_begin_object(j, sim->fleet->pools[i].name);
        put(&book->bills[i], usd_of(&terms[i], &book->bills[i]), j);
        json_end_object(j);
        add(&sum, &book->bills[i]);
        usd += usd_of(&terms[i], &book->bills[i]);
    }
    json_end_object(j);
    put(&sum, usd, j);
    json_end_object(j);
}
