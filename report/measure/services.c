/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals of services as JSON, and their samples; see services.h. */
#include "report/measure/services.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS_PER_HOUR 3600000.0

/* ---- services.csv ---- */

bool services_report_open(struct services_report *r, const char *dir, struct err *err)
{
    r->out = out_open_in(dir, "services.csv", err);
    if (r->out == NULL)
        return false;
    out_text(r->out, "time_s,load_rps,capacity_rps,replicas,waiting");
    for (size_t i = 0; i < r->services->count; i++) {
        static const char *const columns[] = {"load_rps", "capacity_rps", "replicas", "waiting"};
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            char *name = mem_format("%s:%s", r->services->list[i].spec.name, columns[k]);
            out_char(r->out, ',');
            out_csv(r->out, name);
            free(name);
        }
    }
    out_char(r->out, '\n');
    return true;
}

/* Load and capacity in thousandths of a request per second; requests that wait, in millionths. */
struct state {
    int64_t load, capacity, ready;
    load_sum waiting;
};

static struct state state_of(const struct service *v, int64_t at_ms)
{
    return (struct state){.load = load_at(&v->spec.load, at_ms),
                          .capacity = v->ready * v->spec.rule.replica_milli,
                          .ready = v->ready,
                          .waiting = v->requests.waiting};
}

static void add_state(struct out *out, const struct state *state)
{
    out_char(out, ',');
    out_milli(out, state->load);
    out_char(out, ',');
    out_milli(out, state->capacity);
    out_format(out, ",%lld,", (long long)state->ready);
    out_milli(out, (int64_t)(state->waiting / 1000));
}

static void tick(void *self, const struct sim *sim, int64_t at_ms)
{
    const struct services_report *r = self;
    struct services *s = r->services;
    struct state all = {0};
    if (r->out == NULL || at_ms < s->origin_ms || at_ms - s->origin_ms > s->until_ms)
        return;
    services_settle(s, at_ms - s->origin_ms);
    (void)sim;
    for (size_t i = 0; i < s->count; i++) {
        struct state own = state_of(&s->list[i], at_ms - s->origin_ms);
        all.load += own.load;
        all.capacity += own.capacity;
        all.ready += own.ready;
        all.waiting += own.waiting;
    }
    out_seconds(r->out, at_ms);
    add_state(r->out, &all);
    for (size_t i = 0; i < s->count; i++) {
        struct state own = state_of(&s->list[i], at_ms - s->origin_ms);
        add_state(r->out, &own);
    }
    out_char(r->out, '\n');
}

struct sim_observer services_report_observer(struct services_report *r)
{
    return (struct sim_observer){.self = r, .tick = tick};
}

/* ---- summary.json ---- */

/* In the units of the report: requests, hours, seconds. */
struct figures {
    double offered, served, rejected, waiting, waited_s, replica_hours, ready_hours, gpu_hours;
    uint64_t cold_starts;
    int64_t peak; /* -1: not reported */
    int64_t *waits_ms;
    size_t wait_count;
};

static struct figures figures_of(const struct service *v)
{
    const struct service_sums *sums = &v->sums;
    const struct trace_job *replica = &v->spec.replica;
    double gpus = replica->gpu_milli > 0 ? replica->gpu_milli / 1000.0 : replica->gpus;
    struct figures f = {.offered = (double)sums->offered / 1e6,
                        .served = (double)v->requests.sums.served / 1e6,
                        .rejected = (double)v->requests.sums.rejected / 1e6,
                        .waiting = (double)v->requests.waiting / 1e6,
                        .waited_s = (double)v->requests.sums.waited / 1e9,
                        .replica_hours = (double)sums->held_ms / MS_PER_HOUR,
                        .ready_hours = (double)sums->ready_ms / MS_PER_HOUR,
                        .cold_starts = sums->cold_starts,
                        .peak = sums->peak,
                        .wait_count = sums->wait_count};
    f.gpu_hours = f.replica_hours * gpus;
    f.waits_ms = mem_alloc(f.wait_count + 1, sizeof *f.waits_ms);
    if (f.wait_count > 0)
        memcpy(f.waits_ms, sums->waits_ms, f.wait_count * sizeof *f.waits_ms);
    return f;
}

static void add(struct figures *to, const struct figures *f)
{
    to->offered += f->offered;
    to->served += f->served;
    to->rejected += f->rejected;
    to->waiting += f->waiting;
    to->waited_s += f->waited_s;
    to->replica_hours += f->replica_hours;
    to->ready_hours += f->ready_hours;
    to->gpu_hours += f->gpu_hours;
    to->cold_starts += f->cold_starts;
    to->waits_ms =
        mem_resize(to->waits_ms, to->wait_count + f->wait_count + 1, sizeof *to->waits_ms);
    memcpy(to->waits_ms + to->wait_count, f->waits_ms, f->wait_count * sizeof *f->waits_ms);
    to->wait_count += f->wait_count;
}

/* Sets the mean and the 95th percentile by nearest rank; the times are sorted. */
static void waits_json(struct figures *f, struct json *j)
{
    double sum = 0;
    size_t rank = (95 * f->wait_count + 99) / 100;
    qsort(f->waits_ms, f->wait_count, sizeof *f->waits_ms, order_i64);
    for (size_t i = 0; i < f->wait_count; i++)
        sum += (double)f->waits_ms[i];
    json_begin_object(j, "ready_s");
    json_f64(j, "mean", f->wait_count > 0 ? sum / 1000 / (double)f->wait_count : (double)NAN, 3);
    json_f64(j, "p95", f->wait_count > 0 ? (double)f->waits_ms[rank - 1] / 1000 : (double)NAN, 3);
    json_end_object(j);
}

static double per(double part, double all)
{
    return all > 0 ? part / all : (double)NAN;
}

/* At a burn rate of 1, the error budget lasts exactly for its period. */
static void slo_json(const struct service *v, struct json *j)
{
    const struct backlog *b = &v->requests;
    double allowed = (double)v->spec.late_ppm / 1e6;
    double late = per((double)b->sums.late, (double)b->sums.judged);
    json_begin_object(j, "slo");
    json_f64(j, "objective", 1 - allowed, 6);
    json_f64(j, "in_time_share", 1 - late, 6);
    json_f64(j, "late_requests", (double)b->sums.late / 1e6, 3);
    json_f64(j, "error_budget_requests", allowed * (double)b->sums.judged / 1e6, 3);
    json_f64(j, "error_budget_left", 1 - late / allowed, 6);
    json_f64(j, "burn_rate", late / allowed, 6);
    json_f64(j, "worst_hour_burn_rate", backlog_worst_hour(b) / allowed, 6);
    json_end_object(j);
}

/* `v` is NULL for the total of all services, which has no SLO. */
static void figures_json(struct figures *f, const struct service *v, struct json *j,
                         const char *key)
{
    json_begin_object(j, key);
    json_f64(j, "requests_offered", f->offered, 3);
    json_f64(j, "requests_served", f->served, 3);
    json_f64(j, "requests_over_capacity", f->offered - f->served, 3);
    json_f64(j, "served_share", per(f->served, f->offered), 6);
    json_f64(j, "replica_hours", f->replica_hours, 6);
    json_f64(j, "ready_hours", f->ready_hours, 6);
    json_f64(j, "gpu_hours", f->gpu_hours, 6);
    json_i64(j, "cold_starts", (int64_t)f->cold_starts);
    if (f->peak >= 0)
        json_i64(j, "replicas_peak", f->peak);
    waits_json(f, j);
    json_f64(j, "requests_rejected", f->rejected, 3);
    json_f64(j, "requests_waiting", f->waiting, 3);
    json_f64(j, "queue_wait_mean_s", per(f->waited_s, f->served), 6);
    if (v != NULL && v->spec.late_ppm >= 0)
        slo_json(v, j);
    json_end_object(j);
}

void services_report_json(const struct services_report *r, struct json *j, const char *key)
{
    const struct services *s = r->services;
    struct figures total = {.peak = -1};
    if (s == NULL)
        return;
    json_begin_object(j, key);
    json_begin_object(j, "by_name");
    for (size_t i = 0; i < s->count; i++) {
        struct figures f = figures_of(&s->list[i]);
        figures_json(&f, &s->list[i], j, s->list[i].spec.name);
        add(&total, &f);
        free(f.waits_ms);
    }
    json_end_object(j);
    figures_json(&total, NULL, j, "total");
    json_end_object(j);
    free(total.waits_ms);
}
