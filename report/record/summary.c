/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of summary.json, one function each. */
#include "report/record/summary.h"
#include "report/measure/dependencies.h"
#include "report/measure/speeds.h"
#include "report/record/summary_cost.h"
#include "report/record/summary_elastic.h"
#include "report/record/summary_pools.h"
#include "report/record/summary_queues.h"
#include "sim/rungs.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static void nulls(struct json *j, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_null(j, keys[i]);
}
#define NULLS(j, ...)                                                                              \
    do {                                                                                           \
        static const char *const keys[] = {__VA_ARGS__};                                           \
        nulls((j), keys, sizeof keys / sizeof *keys);                                              \
    } while (0)

static void prefixed_digest(struct json *j, const char *key, const char *hex)
{
    char *text = hex != NULL && hex[0] != '\0' ? mem_format("sha256:%s", hex) : NULL;
    json_text(j, key, text);
    free(text);
}

static const char *window_end_name(const struct sim *sim)
{
    int64_t horizon = sim->config.horizon_ms;
    return horizon == SIM_TO_LAST_JOB || sim->window_falls_back ? "last job"
           : horizon == SIM_TO_LAST_SUBMISSION                  ? "last submission"
                                                                : "horizon";
}

static void header(const struct summary *s, struct json *j)
{
    json_i64(j, "fauxfleet_summary", 1);
    json_text(j, "scenario", s->scenario);
    prefixed_digest(j, "scenario_digest", s->scenario_digest);
    prefixed_digest(j, "trace_digest", s->trace_digest);
    if (s->rejected_rows > 0)
        json_u64(j, "rejected_rows", s->rejected_rows);
    json_text(j, "policy", s->policy);
    json_u64(j, "seed", s->seed);
    json_text(j, "version", s->version);
    json_begin_object(j, "window");
    json_seconds(j, "start_s", s->sim->window_start_ms);
    if (s->sim->config.warmup_ms > 0)
        json_seconds(j, "warmup_s", s->sim->config.warmup_ms);
    json_seconds(j, "end_s", s->sim->window_end_ms);
    json_text(j, "ends_with", window_end_name(s->sim));
    json_end_object(j);
}

static void jobs(const struct summary *s, struct json *j)
{
    const struct waits *w = s->waits;
    json_begin_object(j, "jobs");
    json_i64(j, "submitted", (int64_t)w->submitted);
    json_i64(j, "completed", (int64_t)w->completed);
    if (sim_rungs_figures(s->sim) != NULL)
        json_i64(j, "stopped", (int64_t)w->stopped);
    json_i64(j, "failed", (int64_t)w->failed);
    json_i64(j, "cancelled", (int64_t)w->cancelled);
    json_i64(j, "running", (int64_t)w->running);
    json_i64(j, "pending", (int64_t)w->pending);
    json_i64(j, "never_fits", (int64_t)w->never_fits);
    json_end_object(j);
    if (s->sim->last_end_ms == INT64_MIN)
        json_null(j, "makespan_s");
    else
        json_seconds(j, "makespan_s", s->sim->last_end_ms - s->sim->first_submit_ms);
}

static void utilization(const struct summary *s, struct json *j)
{
    const struct ledger *l = s->ledger;
    double installed = ledger_hours(l->installed);
    double available = ledger_hours(l->available);
    double allocated = ledger_hours(l->allocated);
    double running = ledger_hours(ledger_running(l));
    double productive = ledger_hours(ledger_productive(l));
    json_begin_object(j, "utilization");
    json_f64(j, "availability", ratio(available, installed), 6);
    json_f64(j, "allocation", ratio(allocated, available), 6);
    json_f64(j, "occupancy", ratio(running, allocated), 6);
    json_f64(j, "goodput_ratio", ratio(productive, running), 6);
    json_f64(j, "fleet_goodput", ratio(productive, installed), 6);
    json_f64(j, "sm", ratio((double)l->sm_weighted / 1e6, (double)l->sm_allocated), 6);
    json_end_object(j);
    json_begin_object(j, "gpu_hours");
    json_f64(j, "installed", installed, 6);
    json_f64(j, "available", available, 6);
    json_f64(j, "allocated", allocated, 6);
    json_f64(j, "running", running, 6);
    json_f64(j, "productive", productive, 6);
    json_f64(j, "work", ledger_hours(ledger_work(l)), 6);
    json_begin_object(j, "lost");
    json_f64(j, "failure", ledger_hours(l->failure + l->hung), 6);
    json_f64(j, "preemption", ledger_hours(l->preemption), 6);
    json_f64(j, "checkpoint", ledger_hours(l->checkpoint), 6);
    json_f64(j, "restart", ledger_hours(l->restart), 6);
    json_f64(j, "startup", ledger_hours(l->startup + l->hold), 6);
    json_f64(j, "user", ledger_hours(l->user_lost), 6);
    json_f64(j, "slowdown", ledger_hours(l->slowdown), 6);
    json_f64(j, "idle_fragmented", ledger_hours(l->idle_fragmented), 6);
    json_f64(j, "idle_blocked", ledger_hours(l->idle_blocked), 6);
    json_f64(j, "idle_no_demand", ledger_hours(l->idle_no_demand), 6);
    json_f64(j, "drained", ledger_hours(l->drained), 6);
    json_f64(j, "down", ledger_hours(l->down), 6);
    if (s->sim->config.faults.burns_in)
        json_f64(j, "burn_in", ledger_hours(l->burn_in), 6);
    if (s->sim->config.faults.reclaims)
        json_f64(j, "reclaimed", ledger_hours(l->reclaimed), 6);
    json_end_object(j);
    json_end_object(j);
}

/* Sums over classes and sizes (-1 means all), and over queues. */
enum kind { WAIT, JCT };
enum queue_kind { QUEUE, SLOWDOWN };

static struct tally sum_of(const struct waits *w, enum kind kind, int class, int size)
{
    struct tally sum = {0};
    for (int c = 0; c < TRACE_CLASSES; c++)
        for (int z = 0; z < WAITS_SIZES; z++)
            if ((class < 0 || c == class) && (size < 0 || z == size))
                tally_merge(&sum, kind == WAIT ? &w->cells[c][z].wait : &w->cells[c][z].jct);
    return sum;
}

static struct tally sum_of_queues(const struct waits *w, enum queue_kind kind)
{
    struct tally sum = {0};
    for (size_t i = 0; i < w->queue_count; i++)
        tally_merge(&sum, kind == QUEUE ? &w->by_queue[i].queue : &w->by_queue[i].slowdown);
    return sum;
}

static uint64_t jobs_of(const struct waits *w, int class, int size)
{
    uint64_t jobs = 0;
    for (int c = 0; c < TRACE_CLASSES; c++)
        for (int z = 0; z < WAITS_SIZES; z++)
            if ((class < 0 || c == class) && (size < 0 || z == size))
                jobs += w->cells[c][z].jobs;
    return jobs;
}

static void slowdown(const struct waits *w, struct json *j)
{
    struct tally sum = sum_of_queues(w, SLOWDOWN);
    size_t count;
    struct tally_cell *cells = tally_sorted(&sum, &count);
    double n = (double)w->slowdown_count;
    struct tally_quantile p95 = tally_quantile(&sum, cells, count, 0.95);
    json_begin_object(j, "bounded_slowdown");
    json_f64(j, "mean", ratio(w->slowdown_sum, n), 3);
    json_f64(j, "gmean", n > 0 ? exp(w->slowdown_log_sum / n) : (double)NAN, 3);
    json_f64(j, "p95", n > 0 ? (double)p95.value / 1000.0 : (double)NAN, 3);
    json_seconds(j, "tau_s", w->tau_ms);
    json_end_object(j);
    free(cells);
    tally_fini(&sum);
}

static void group(struct json *j, const char *key, uint64_t jobs, const struct tally *wait,
                  const struct tally *jct)
{
    json_begin_object(j, key);
    json_u64(j, "jobs", jobs);
    tally_json(wait, j, "wait_s");
    tally_json(jct, j, "jct_s");
    json_end_object(j);
}

/* Includes pending jobs as if they started now: then it is a lower bound. */
static void weighted(const struct waits *w, struct json *j)
{
    double mean = (double)w->weighted / (double)w->weight / 1000;
    json_begin_object(j, "wait_gpu_h_weighted_s");
    json_f64(j, "mean", w->weight > 0 && !w->weighted_open ? mean : (double)NAN, 3);
    if (w->weighted_open)
        json_f64(j, "mean_at_least", mean, 3);
    json_end_object(j);
}

static void by_size(const struct waits *w, struct json *j)
{
    json_begin_object(j, "by_size");
    for (int size = 0; size < WAITS_SIZES; size++) {
        struct tally wait = sum_of(w, WAIT, -1, size), jct = sum_of(w, JCT, -1, size);
        group(j, waits_size_names[size], jobs_of(w, -1, size), &wait, &jct);
        tally_fini(&wait);
        tally_fini(&jct);
    }
    json_end_object(j);
}

/* The classes are sorted first: often all jobs are of one class, which then also is the total. */
static void waiting(const struct summary *s, struct json *j)
{
    const struct waits *w = s->waits;
    struct tally wait[TRACE_CLASSES], jct[TRACE_CLASSES], all_wait = {0}, all_jct = {0};
    for (int c = 0; c < TRACE_CLASSES; c++) {
        wait[c] = sum_of(w, WAIT, c, -1);
        jct[c] = sum_of(w, JCT, c, -1);
        tally_sort(&wait[c]);
        tally_sort(&jct[c]);
        tally_merge(&all_wait, &wait[c]);
        tally_merge(&all_jct, &jct[c]);
    }
    struct tally queued = sum_of_queues(w, QUEUE);
    tally_json(&all_wait, j, "wait_s");
    weighted(w, j);
    tally_json(&queued, j, "queue_s");
    tally_json(&all_jct, j, "jct_s");
    slowdown(w, j);
    json_begin_object(j, "by_class");
    for (int c = 0; c < TRACE_CLASSES; c++)
        group(j, trace_class_names[c], jobs_of(w, c, -1), &wait[c], &jct[c]);
    json_end_object(j);
    by_size(w, j);
    summary_by_queue(s, j);
    for (int c = 0; c < TRACE_CLASSES; c++) {
        tally_fini(&wait[c]);
        tally_fini(&jct[c]);
    }
    tally_fini(&queued);
    tally_fini(&all_wait);
    tally_fini(&all_jct);
}

static void fairness(const struct summary *s, struct json *j)
{
    struct shares_summary f = shares_summarise(s->shares, s->sim);
    json_begin_object(j, "fairness");
    json_f64(j, "jain", f.jain, 6);
    json_f64(j, "gini", f.gini, 6);
    json_f64(j, "min_share", f.min_share, 6);
    json_f64(j, "share_deficit_gpu_h", f.deficit_gpu_h, 6);
    json_f64(j, "quota_satisfaction", f.quota_satisfaction, 6);
    struct tally reclaim = shares_reclaim(s->shares);
    summary_reclaim(&reclaim, j);
    tally_fini(&reclaim);
    rho_json(s->rho, WORK_NONE, j);
    json_f64(j, "jain_dominant", host_shares_jain(s->hosts, s->sim), 6);
    summary_host_deficits(s, j);
    summary_quotas(s, j);
    summary_fairness_queues(s, j);
    summary_pools(s, j);
    json_end_object(j);
}

static void preemption(const struct summary *s, struct json *j)
{
    const struct preemption *p = s->preemption;
    json_begin_object(j, "preemption");
    json_u64(j, "evictions", p->evictions);
    json_u64(j, "tasks", p->tasks);
    json_u64(j, "jobs", p->jobs);
    json_u64(j, "moves", p->moves);
    json_f64(j, "lost_gpu_h", ledger_hours(s->ledger->preemption + s->ledger->restart), 6);
    json_begin_object(j, "by_cause");
    for (const int32_t *cause = preemption_causes; *cause != 0; cause++)
        json_u64(j, policy_action_name(*cause), p->by_action[*cause]);
    for (int32_t action = 1; action < POLICY_MOST_ACTIONS; action++)
        if (p->by_action[action] > 0 && !preemption_is_usual(action))
            json_u64(j, policy_action_name(action), p->by_action[action]);
    json_end_object(j);
    json_end_object(j);
}

static void fragmentation(const struct summary *s, struct json *j)
{
    static const struct {
        const char *key;
        int64_t ppm;
    } quantiles[] = {
        {"largest_gang_p5", 50000},
        {"largest_gang_p50", 500000},
    };
    json_begin_object(j, "fragmentation");
    double ratio = (double)NAN, amount = (double)NAN;
    if (s->fill != NULL)
        fill_curve_means(s->fill, s->sim, &ratio, &amount);
    json_f64(j, "mean_ratio", ratio, 6);
    json_f64(j, "mean_amount", amount, 6);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        int64_t size = gangs_quantile(s->gangs, quantiles[i].ppm);
        if (size < 0)
            json_null(j, quantiles[i].key);
        else
            json_i64(j, quantiles[i].key, size);
    }
    json_end_object(j);
}

static void placement(const struct summary *s, struct json *j)
{
    json_begin_object(j, "placement");
    json_f64(j, "mean_slowdown", ledger_mean_slowdown(s->ledger), 6);
    json_end_object(j);
}

static void fault_class(const struct reliability_class *c, const char *name, struct json *j)
{
    json_begin_object(j, name);
    json_i64(j, "faults", (int64_t)c->faults);
    json_i64(j, "interruptions", (int64_t)c->interruptions);
    json_f64(j, "lost_gpu_h", ledger_hours(c->lost), 6);
    json_end_object(j);
}

/* Writes all classes of the run, so replicas have the same keys. */
static void fault_classes(const struct summary *s, struct json *j)
{
    const struct reliability *r = s->reliability;
    json_begin_object(j, "by_class");
    for (uint32_t i = 0; i < r->class_count; i++)
        fault_class(&r->classes[i], s->sim->config.faults.classes[i], j);
    if (s->sim->memory != NULL)
        fault_class(&r->memory, "memory", j);
    json_end_object(j);
}

static void burn_in(const struct reliability *r, struct json *j)
{
    json_begin_object(j, "burn_in");
    json_i64(j, "tests", (int64_t)r->burn_ins);
    json_i64(j, "rejected", (int64_t)r->rejected);
    json_f64(j, "rejected_share", ratio((double)r->rejected, (double)r->burn_ins), 6);
    json_f64(j, "gpu_h", ledger_hours(r->burn_in), 6);
    json_end_object(j);
}

static void reliability(const struct summary *s, struct json *j)
{
    const struct reliability *r = s->reliability;
    bool can_stop = r->class_count > 0 || s->sim->memory != NULL;
    json_begin_object(j, "reliability");
    json_i64(j, "faults", (int64_t)r->faults);
    json_i64(j, "node_failures", (int64_t)r->node_failures);
    json_i64(j, "job_interruptions", (int64_t)r->interruptions);
    fault_classes(s, j);
    json_begin_object(j, "mttf_h_by_size");
    for (int size = 0; size < WAITS_SIZES && can_stop; size++)
        json_f64(j, waits_size_names[size],
                 ratio((double)r->run_ms[size] / 3.6e6, (double)r->stops[size]), 6);
    json_end_object(j);
    json_f64(j, "ettr", reliability_ettr(r), 6);
    json_f64(j, "lost_gpu_h", ledger_hours(s->ledger->failure + s->ledger->hung), 6);
    if (s->sim->config.faults.burns_in)
        burn_in(r, j);
    spares_json(s->spares, s->sim, j);
    json_end_object(j);
}

static void startup(const struct summary *s, struct json *j)
{
    if (s->ledger->startup == 0)
        return;
    json_begin_object(j, "startup");
    json_f64(j, "gpu_h", ledger_hours(s->ledger->startup), 6);
    json_f64(j, "hold_gpu_h", ledger_hours(s->ledger->hold), 6);
    json_end_object(j);
}

/* A replay has no fill curve. */
static void no_fill(struct json *j)
{
    json_begin_object(j, "fill");
    json_begin_array(j, "curve");
    json_end_array(j);
    NULLS(j, "failed_tasks");
    json_end_object(j);
}

static void engine(const struct summary *s, struct json *j)
{
    char hex[DIGEST_HEX];
    journal_hex(s->journal, hex);
    json_begin_object(j, "engine");
    json_i64(j, "events", (int64_t)s->sim->event_count);
    json_i64(j, "decisions", (int64_t)s->sim->decision_count);
    json_i64(j, "cycles", (int64_t)s->sim->cycle_count);
    json_text(j, "journal_sha256", hex);
    json_end_object(j);
}

void summary_json(const struct summary *s, struct json *j)
{
    json_begin_object(j, NULL);
    header(s, j);
    jobs(s, j);
    utilization(s, j);
    drain_json(s->drain, s->sim, j);
    waiting(s, j);
    deadlines_json(s->deadlines, j);
    changes_json(s->changes, s->sim, j);
    fairness(s, j);
    preemption(s, j);
    fragmentation(s, j);
    placement(s, j);
    startup(s, j);
    storage_use_json(s->storage, s->sim, j);
    speeds_json(s->sim, j);
    throughput_json(s->throughput, s->sim, j, "models");
    services_report_json(s->services, j, "services");
    reliability(s, j);
    gpu_memory_json(s->gpu_memory, s->sim, j);
    dependencies_json(s->sim, j);
    summary_hosts(s, j);
    summary_cost(s, j);
    elastic_json(s->sim, j);
    if (s->fill != NULL)
        fill_curve_json(s->fill, s->sim, j);
    else
        no_fill(j);
    engine(s, j);
    json_end_object(j);
}

void summary_print(const struct summary *s, struct out *out)
{
    struct json j;
    json_init(&j, out, 1);
    summary_json(s, &j);
    out_char(out, '\n');
}

bool summary_write(const struct summary *s, const char *dir, struct err *err)
{
    struct out *out = out_open_in(dir, "summary.json", err);
    if (out == NULL)
        return false;
    summary_print(s, out);
    return out_close(out, err);
}

static void seconds_or_nothing(struct out *out, struct tally_quantile q)
{
    out_char(out, ',');
    if (q.known)
        out_seconds(out, q.value);
}

static void queue_row(const struct summary *s, const struct showback_bill *bill,
                      const struct showback_cost *costs, size_t i, struct out *out)
{
    static const struct tally empty;
    const struct sim_queue *queue = &s->sim->queues[i];
    const struct shares_queue *q = &s->shares->queues[i];
    const struct tally *wait = i < s->waits->queue_count ? &s->waits->by_queue[i].wait : &empty;
    out_csv(out, queue->name);
    out_format(out, ",%llu,%llu,", (unsigned long long)q->jobs, (unsigned long long)q->completed);
    out_milli(out, queue->gpu.quota == POLICY_UNLIMITED ? -1000 : queue->gpu.quota);
    out_char(out, ',');
    out_milli(out, queue->gpu.weight);
    out_char(out, ',');
    out_f64(out, q->entitled_ms / (1000.0 * 3600000.0), 6);
    out_char(out, ',');
    out_f64(out, q->used_ms / (1000.0 * 3600000.0), 6);
    out_char(out, ',');
    out_f64(out, shares_ratio(q), 6);
    size_t count;
    struct tally_cell *cells = tally_sorted(wait, &count);
    out_char(out, ',');
    if (wait->observed > 0 && wait->censored == 0)
        out_f64(out, (double)wait->sum / (double)wait->observed / 1000.0, 3);
    seconds_or_nothing(out, tally_quantile(wait, cells, count, 0.50));
    seconds_or_nothing(out, tally_quantile(wait, cells, count, 0.95));
    seconds_or_nothing(
        out, (struct tally_quantile){wait->observed > 0 && wait->censored == 0, wait->max});
    summary_cost_cells(s, bill, costs, i, out);
    summary_host_cells(s, i, out);
    out_char(out, '\n');
    free(cells);
}

bool summary_write_queues(const struct summary *s, const char *dir, struct err *err)
{
    struct out *out = out_open_in(dir, "queues.csv", err);
    if (out == NULL)
        return false;
    out_text(out, "queue,jobs,completed,quota_gpus,weight,entitled_gpu_h,used_gpu_h,share,wait_"
                  "mean_s,wait_p50_s,wait_p95_s,wait_max_s");
    summary_cost_heads(out);
    summary_host_heads(out);
    out_char(out, '\n');
    struct showback_bill bill = summary_bill(s);
    struct showback_cost *costs = showback_costs(s->showback, &bill, SHOWBACK_QUEUE);
    for (size_t i = 0; i < s->shares->count; i++)
        queue_row(s, &bill, costs, i, out);
    free(costs);
    return out_close(out, err);
}
