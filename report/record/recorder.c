/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combines the collectors of a run; see recorder.h. */
#include "report/record/recorder.h"
#include "report/measure/changes.h"
#include "report/measure/deadlines.h"
#include "report/measure/drain.h"
#include "report/measure/series.h"
#include "report/record/facts_journal.h"
#include "report/record/faults_csv.h"
#include "report/record/jobs_csv.h"
#include "report/record/nodes_csv.h"
#include "report/record/summary_cost.h"
#include "report/record/summary_pools.h"
#include "report/record/trace_events.h"

#include "sim/base/mem.h"

#include <stdlib.h>

#define MOST_OBSERVERS 26

struct recorder {
    struct recorder_options options;
    struct waits waits;
    struct ledger ledger;
    struct drain drain;
    struct changes changes;
    struct deadlines deadlines;
    struct queue_ledger queue_ledger;
    struct shares shares;
    struct host_shares hosts;
    struct pool_uses pools;
    struct rho rho;
    struct preemption preemption;
    struct reliability reliability;
    struct spares spares;
    struct gpu_memory gpu_memory;
    struct energy energy;
    struct showback showback;
    struct gangs gangs;
    struct throughput throughput;
    struct services_report services;
    struct storage_use storage;
    struct series series;
    struct jobs_csv jobs;
    struct faults_csv faults;
    struct nodes_csv nodes;
    struct journal journal;
    struct facts_journal facts;
    struct trace_events trace_events;
    struct fill_curve fill;
    bool has_fill;
    struct sim_observer observers[MOST_OBSERVERS];
    size_t observer_count;
};

static void observe(struct recorder *r, struct sim_observer observer)
{
    BUG_ON(r->observer_count == MOST_OBSERVERS);
    r->observers[r->observer_count++] = observer;
}

bool recorder_create(struct recorder **out, const struct recorder_options *options, struct err *err)
{
    struct recorder *r = mem_alloc(1, sizeof *r);
    r->options = *options;
    BUG_ON(options->dir == NULL && (options->jobs || options->journal || options->timeline ||
                                    options->faults || options->nodes));
    journal_init(&r->journal);
    energy_init(&r->energy, &options->energy);
    spares_init(&r->spares);
    bool ok =
        (!options->jobs || jobs_csv_open(&r->jobs, options->dir, err)) &&
        (!options->faults || faults_csv_open(&r->faults, options->dir, err)) &&
        (!options->nodes || nodes_csv_open(&r->nodes, options->dir, err)) &&
        (!options->facts ||
         facts_journal_open(&r->facts, options->dir, options->policy_path, options->policy_options,
                            options->policy_option_count, err)) &&
        (!options->journal || options->facts ||
         journal_open(&r->journal, options->dir, options->policy, err)) &&
        (options->trace_events == NULL ||
         trace_events_open(&r->trace_events, options->trace_events, err)) &&
        (!options->timeline || series_init(&r->series, &r->shares, &r->energy, options->dir, err));
    if (!ok) {
        recorder_destroy(r);
        return false;
    }
    r->waits.tau_ms = options->tau_ms;
    observe(r, waits_observer(&r->waits));
    r->jobs.tau_ms = r->waits.tau_ms;
    r->jobs.showback = &r->showback;
    observe(r, drain_observer(&r->drain));
    r->changes.over_by_pool = pool_uses_over;
    r->changes.over_self = &r->pools;
    if (options->changes)
        observe(r, changes_observer(&r->changes));
    observe(r, deadlines_observer(&r->deadlines));
    observe(r, queue_ledger_observer(&r->queue_ledger, &r->ledger));
    observe(r, shares_observer(&r->shares));
    observe(r, host_shares_observer(&r->hosts));
    observe(r, pool_uses_observer(&r->pools));
    if (options->rho) {
        rho_init(&r->rho);
        observe(r, rho_observer(&r->rho));
    }
    observe(r, preemption_observer(&r->preemption));
    observe(r, reliability_observer(&r->reliability));
    observe(r, spares_observer(&r->spares));
    if (options->gpu_memory)
        observe(r, gpu_memory_observer(&r->gpu_memory));
    observe(r, showback_observer(&r->showback, &r->energy));
    observe(r, gangs_observer(&r->gangs));
    if (options->models)
        observe(r, throughput_observer(&r->throughput));
    if (options->storage)
        observe(r, storage_use_observer(&r->storage));
    observe(r, journal_observer(&r->journal));
    if (options->services)
        observe(r, services_report_observer(&r->services));
    if (options->jobs)
        observe(r, jobs_csv_observer(&r->jobs));
    if (options->faults)
        observe(r, faults_csv_observer(&r->faults));
    if (options->nodes)
        observe(r, nodes_csv_observer(&r->nodes));
    if (options->trace_events != NULL)
        observe(r, trace_events_observer(&r->trace_events));
    if (options->timeline)
        observe(r, series_observer(&r->series));
    if (options->fill)
        observe(r, fill_curve_observer(&r->fill));
    *out = r;
    return true;
}

struct sim_facts recorder_facts(struct recorder *r)
{
    return r->options.facts ? facts_journal_listener(&r->facts) : (struct sim_facts){0};
}

void recorder_destroy(struct recorder *r)
{
    if (r == NULL)
        return;
    waits_fini(&r->waits);
    changes_fini(&r->changes);
    deadlines_fini(&r->deadlines);
    ledger_fini(&r->ledger);
    queue_ledger_fini(&r->queue_ledger);
    preemption_fini(&r->preemption);
    shares_fini(&r->shares);
    host_shares_fini(&r->hosts);
    pool_uses_fini(&r->pools);
    rho_fini(&r->rho);
    gangs_fini(&r->gangs);
    throughput_fini(&r->throughput);
    reliability_fini(&r->reliability);
    showback_fini(&r->showback);
    energy_fini(&r->energy);
    series_fini(&r->series);
    out_discard(r->jobs.out);
    out_discard(r->faults.out);
    nodes_csv_fini(&r->nodes);
    out_discard(r->services.out);
    out_discard(r->journal.out);
    facts_journal_fini(&r->facts);
    trace_events_fini(&r->trace_events);
    if (r->has_fill)
        fill_curve_fini(&r->fill);
    free(r);
}

const struct sim_observer *recorder_observers(struct recorder *r, size_t *count)
{
    *count = r->observer_count;
    return r->observers;
}

void recorder_fill(struct recorder *r, const struct sim *sim, const struct trace_job *jobs,
                   size_t count)
{
    fill_curve_init(&r->fill, sim, jobs, count);
    r->has_fill = true;
}

struct rho *recorder_rho(struct recorder *r)
{
    return &r->rho;
}

bool recorder_services(struct recorder *r, struct services *services, struct err *err)
{
    r->services.services = services;
    return services == NULL || !r->options.timeline ||
           services_report_open(&r->services, r->options.dir, err);
}

static bool close_out(struct out **out, struct err *err)
{
    struct out *closing = *out;
    *out = NULL;
    return out_close(closing, err);
}

/* Completes the collectors, which keep their data. */
static struct summary summarise(struct recorder *r, const struct sim *sim,
                                const struct recorder_about *about)
{
    waits_finish(&r->waits, sim);
    changes_finish(&r->changes, sim);
    deadlines_finish(&r->deadlines, sim);
    shares_finish(&r->shares, sim);
    host_shares_finish(&r->hosts, sim);
    gangs_finish(&r->gangs, sim);
    reliability_close(&r->reliability, sim);
    spares_finish(&r->spares, sim);
    energy_finish(&r->energy, sim);
    showback_finish(&r->showback, sim);
    return (struct summary){
        .scenario = about->scenario,
        .given = about->given,
        .policy = r->options.policy,
        .version = about->version,
        .scenario_digest = about->scenario_digest,
        .trace_digest = about->trace_digest,
        .rejected_rows = about->rejected_rows,
        .seed = about->seed,
        .sim = sim,
        .waits = &r->waits,
        .ledger = &r->ledger,
        .drain = &r->drain,
        .changes = &r->changes,
        .deadlines = &r->deadlines,
        .queue_ledger = &r->queue_ledger,
        .shares = &r->shares,
        .hosts = &r->hosts,
        .pools = &r->pools,
        .rho = &r->rho,
        .preemption = &r->preemption,
        .reliability = &r->reliability,
        .spares = &r->spares,
        .gpu_memory = &r->gpu_memory,
        .energy = &r->energy,
        .showback = &r->showback,
        .gangs = &r->gangs,
        .throughput = &r->throughput,
        .services = &r->services,
        .storage = &r->storage,
        .journal = &r->journal,
        .fill = r->has_fill ? &r->fill : NULL,
    };
}

void recorder_summary(struct recorder *r, const struct sim *sim, const struct recorder_about *about,
                      struct out *out)
{
    struct summary summary = summarise(r, sim, about);
    summary_print(&summary, out);
}

bool recorder_write(struct recorder *r, const struct sim *sim, const struct recorder_about *about,
                    struct err *err)
{
    jobs_csv_finish(&r->jobs, sim);
    trace_events_finish(&r->trace_events, sim);
    struct summary summary = summarise(r, sim, about);
    const char *dir = r->options.dir;
    return close_out(&r->jobs.out, err) && close_out(&r->faults.out, err) &&
           close_out(&r->nodes.out, err) && close_out(&r->services.out, err) &&
           close_out(&r->journal.out, err) && close_out(&r->facts.out, err) &&
           close_out(&r->trace_events.out, err) &&
           (!r->options.timeline || series_write(&r->series, sim, dir, err)) &&
           out_write_in(dir, "scenario.json", about->resolved, err) &&
           summary_write_queues(&summary, dir, err) && summary_write_pools(&summary, dir, err) &&
           summary_write_users(&summary, dir, err) && summary_write(&summary, dir, err);
}
