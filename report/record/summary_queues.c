/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queues in summary.json: `by_queue` with the metrics of the whole fleet, and their part of
 * `fairness`.
 */
#include "report/record/summary_queues.h"
#include "scenarios/load/quotas.h"

#include <math.h>
#include <stdlib.h>

static double ratio(ledger_amount a, ledger_amount b)
{
    return b > 0 ? (double)a / (double)b : (double)NAN;
}

void summary_quotas(const struct summary *s, struct json *j)
{
    size_t count = 0;
    struct quota_excess *excesses = s->given != NULL ? quota_excesses(s->given, &count) : NULL;
    if (count > 0)
        json_begin_array(j, "quotas_exceed");
    for (size_t i = 0; i < count; i++) {
        char *text = quota_excess_text(&excesses[i]);
        json_begin_object(j, NULL);
        json_text(j, "what", quota_kind_names[excesses[i].kind]);
        json_text(j, "queue", excesses[i].queue != NULL ? excesses[i].queue->name : NULL);
        json_f64(j, "promised_gpus", (double)excesses[i].promised_milli / 1000, 3);
        json_f64(j, "has_gpus", (double)excesses[i].has_milli / 1000, 3);
        json_text(j, "text", text);
        json_end_object(j);
        free(text);
    }
    if (count > 0)
        json_end_array(j);
    free(excesses);
}

static const struct waits_queue *waits_of(const struct summary *s, size_t i)
{
    static const struct waits_queue empty;
    return i < s->waits->queue_count ? &s->waits->by_queue[i] : &empty;
}

void summary_reclaim(const struct tally *reclaim, struct json *j)
{
    static const struct {
        const char *key, *at_least;
        double q;
    } rows[] = {
        {"reclaim_p50_s", "reclaim_p50_s_at_least", 0.50},
        {"reclaim_p95_s", "reclaim_p95_s_at_least", 0.95},
    };
    size_t count;
    struct tally_cell *cells = tally_sorted(reclaim, &count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tally_quantile q = tally_quantile(reclaim, cells, count, rows[i].q);
        if (q.known)
            json_seconds(j, rows[i].key, q.value);
        else
            json_null(j, rows[i].key);
        if (!q.known && reclaim->censored > 0)
            json_seconds(j, rows[i].at_least, q.value);
    }
    free(cells);
}

/* Converts thousandths of cores times milliseconds to core-hours. */
static double core_h(double amount)
{
    return amount / 1000 / 3600000;
}

static double gib_h(double amount)
{
    return amount / 1024 / 3600000;
}

static void put_host(const struct summary *s, size_t queue, struct json *j)
{
    const struct host_queue q = host_shares_of(s->hosts, queue);
    json_f64(j, "entitled_core_h", core_h(q.entitled_ms[HOST_CPU]), 6);
    json_f64(j, "used_core_h", core_h(q.used_ms[HOST_CPU]), 6);
    json_f64(j, "entitled_gib_h", gib_h(q.entitled_ms[HOST_MEM]), 6);
    json_f64(j, "used_gib_h", gib_h(q.used_ms[HOST_MEM]), 6);
    json_f64(j, "share_deficit_core_h", core_h(q.deficit_ms[HOST_CPU]), 6);
    json_f64(j, "share_deficit_gib_h", gib_h(q.deficit_ms[HOST_MEM]), 6);
    json_f64(j, "dominant_share", host_shares_dominant(&q, s->sim), 6);
}

void summary_host_deficits(const struct summary *s, struct json *j)
{
    json_f64(j, "share_deficit_core_h", core_h(host_shares_deficit_ms(s->hosts, HOST_CPU)), 6);
    json_f64(j, "share_deficit_gib_h", gib_h(host_shares_deficit_ms(s->hosts, HOST_MEM)), 6);
}

void summary_host_heads(struct out *out)
{
    out_text(out, ",quota_cores,entitled_core_h,used_core_h,quota_mem_gib,entitled_gib_h,"
                  "used_gib_h,dominant_share");
}

void summary_host_cells(const struct summary *s, size_t queue, struct out *out)
{
    const struct sim_queue *of = &s->sim->queues[queue];
    const struct host_queue q = host_shares_of(s->hosts, queue);
    double cores = (double)of->cpu.quota / 1000, gib = (double)of->mem.quota / 1024;
    const double cells[] = {
        of->cpu.quota == POLICY_UNLIMITED ? -1 : cores,
        core_h(q.entitled_ms[HOST_CPU]),
        core_h(q.used_ms[HOST_CPU]),
        of->mem.quota == POLICY_UNLIMITED ? -1 : gib,
        gib_h(q.entitled_ms[HOST_MEM]),
        gib_h(q.used_ms[HOST_MEM]),
        host_shares_dominant(&q, s->sim),
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        out_char(out, ',');
        out_f64(out, cells[i], 6);
    }
}

/* Installed amounts are unknown if some node does not state its cores or memory. */
struct hosts {
    double cores, gib, plain_cores; /* plain: on nodes without GPUs */
    int64_t plain_nodes;
};

static struct hosts hosts_of(const struct fleet *fleet)
{
    struct hosts all = {0};
    const double unknown = (double)NAN;
    for (size_t i = 0; i < fleet->node_count; i++) {
        const struct fleet_node *node = &fleet->nodes[i];
        double cores = node->cpu_milli >= 0 ? (double)node->cpu_milli / 1000 : unknown;
        all.cores += cores;
        all.gib += node->mem_mib >= 0 ? (double)node->mem_mib / 1024 : unknown;
        all.plain_cores += node->gpus == 0 ? cores : 0;
        all.plain_nodes += node->gpus == 0;
    }
    return all;
}

static void put_use(struct json *j, const char *key, const char *installed_key, double installed,
                    const char *used_key, double used)
{
    json_begin_object(j, key);
    json_f64(j, installed_key, installed, 6);
    json_f64(j, used_key, used, 6);
    json_f64(j, "use", installed > 0 ? used / installed : (double)NAN, 6);
    json_end_object(j);
}

void summary_hosts(const struct summary *s, struct json *j)
{
    const struct hosts all = hosts_of(s->sim->fleet);
    const wide *used = s->showback->all.of;
    double hours = (double)sim_inside(s->sim, s->sim->window_start_ms, s->sim->now_ms) / 3600000;
    json_begin_object(j, "hosts");
    put_use(j, "cpu", "installed_core_h", all.cores * hours, "held_core_h",
            core_h((double)used[SHOWBACK_CPU]));
    put_use(j, "mem", "installed_gib_h", all.gib * hours, "held_gib_h",
            gib_h((double)used[SHOWBACK_MEM]));
    json_i64(j, "cpu_nodes", all.plain_nodes);
    if (all.plain_nodes > 0)
        put_use(j, "on_cpu_nodes", "installed_core_h", all.plain_cores * hours, "held_core_h",
                core_h((double)used[SHOWBACK_PLAIN_CPU]));
    json_end_object(j);
}

void summary_fairness_queues(const struct summary *s, struct json *j)
{
    json_begin_object(j, "queues");
    for (size_t i = 0; i < s->shares->count; i++) {
        const struct shares_queue *q = &s->shares->queues[i];
        json_begin_object(j, s->sim->queues[i].name);
        json_f64(j, "entitled_gpu_h", q->entitled_ms / (1000.0 * 3600000.0), 6);
        json_f64(j, "used_gpu_h", q->used_ms / (1000.0 * 3600000.0), 6);
        json_f64(j, "share", shares_ratio(q), 6);
        json_f64(j, "share_deficit_gpu_h", q->deficit_ms / (1000.0 * 3600000.0), 6);
        json_f64(j, "quota_satisfaction", shares_satisfaction(q, &s->sim->queues[i]), 6);
        summary_reclaim(&q->reclaim, j);
        if (s->rho->wanted)
            rho_json(s->rho, (uint32_t)i, j);
        json_i64(j, "jobs", (int64_t)q->jobs);
        tally_json(&waits_of(s, i)->wait, j, "wait_s");
        tally_json(&waits_of(s, i)->jct, j, "jct_s");
        put_host(s, i, j);
        json_end_object(j);
    }
    json_end_object(j);
}

static void put_hours(const struct queue_account *a, struct json *j)
{
    ledger_amount running = queue_account_running(a), productive = queue_account_productive(a);
    json_begin_object(j, "utilization");
    json_f64(j, "occupancy", ratio(running, a->allocated), 6);
    json_f64(j, "goodput_ratio", ratio(productive, running), 6);
    json_end_object(j);
    json_begin_object(j, "gpu_hours");
    json_f64(j, "allocated", ledger_hours(a->allocated), 6);
    json_f64(j, "running", ledger_hours(running), 6);
    json_f64(j, "productive", ledger_hours(productive), 6);
    json_f64(j, "work", ledger_hours(a->work), 6);
    json_begin_object(j, "lost");
    json_f64(j, "failure", ledger_hours(a->failure + a->hung), 6);
    json_f64(j, "preemption", ledger_hours(a->preemption), 6);
    json_f64(j, "checkpoint", ledger_hours(a->checkpoint), 6);
    json_f64(j, "restart", ledger_hours(a->restart), 6);
    json_f64(j, "startup", ledger_hours(a->startup + a->hold), 6);
    json_f64(j, "user", ledger_hours(a->user), 6);
    json_f64(j, "slowdown", ledger_hours(a->slowdown), 6);
    json_end_object(j);
    json_end_object(j);
}

static void put_preemption(const struct preemption_queue *p, const struct queue_account *a,
                           struct json *j)
{
    json_begin_object(j, "preemption");
    json_u64(j, "evictions", p->evictions);
    json_u64(j, "tasks", p->tasks);
    json_u64(j, "jobs", p->jobs);
    json_u64(j, "moves", p->moves);
    json_f64(j, "lost_gpu_h", ledger_hours(a->preemption + a->restart), 6);
    json_end_object(j);
}

void summary_by_queue(const struct summary *s, struct json *j)
{
    json_begin_object(j, "by_queue");
    for (size_t i = 0; i < s->shares->count; i++) {
        const struct shares_queue *q = &s->shares->queues[i];
        const struct waits_queue *w = waits_of(s, i);
        struct queue_account account = queue_ledger_of(s->queue_ledger, i);
        struct preemption_queue preemption = preemption_of(s->preemption, i);
        json_begin_object(j, s->sim->queues[i].name);
        json_u64(j, "jobs", q->jobs);
        json_u64(j, "completed", q->completed);
        tally_json(&w->wait, j, "wait_s");
        tally_json(&w->queue, j, "queue_s");
        tally_json(&w->jct, j, "jct_s");
        tally_json(&w->slowdown, j, "bounded_slowdown");
        put_hours(&account, j);
        put_preemption(&preemption, &account, j);
        json_end_object(j);
    }
    json_end_object(j);
}
