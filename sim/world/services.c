/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what a scenario says of services to replicas that can be submitted. */
#include "sim/world/services.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "traces/trace_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOR_EVER_MS (INT64_C(100) * 365 * 24 * 3600 * 1000) /* a replica runs until it is ended */

static uint32_t name_id(struct symbols *names, const char *name)
{
    return symbols_add(names, name, strlen(name));
}

static struct trace_job replica_of(const struct scen_service *from, const struct trace_names *names)
{
    struct trace_job job;
    trace_job_init(&job);
    job.queue = name_id(names->queues, from->queue);
    job.user = name_id(names->users, "");
    job.class = TRACE_INFERENCE;
    job.priority = from->priority;
    job.preemptible = from->preemptible;
    job.duration_ms = FOR_EVER_MS;
    job.gpus = from->gpus;
    job.gpu_milli = from->gpu_milli;
    if (*from->gpu_type)
        job.gpu_types = UINT64_C(1)
                        << name_id(names->gpu_types, from->gpu_type); /* a node has it */
    struct err ignored; /* the scenario's reader has checked them */
    (void)trace_job_set_roles(&job, from->roles, names->gpu_types, &ignored);
    return job;
}

/* Requests of the scenario's load, times its growth. */
static void make_load(struct load *load, const struct scen_service *from, const struct scenario *sc,
                      uint64_t seed)
{
    if (from->row_count == 0) {
        struct load_shape shape = from->shape;
        shape.base_rps *= sc->growth;
        shape.peak_rps *= sc->growth;
        load_make(load, &shape, sc->window.horizon_ms, seed, rng_entity(from->name));
        return;
    }
    struct load_row *rows = mem_alloc(from->row_count, sizeof *rows);
    for (size_t i = 0; i < from->row_count; i++)
        rows[i] = (struct load_row){from->rows[i].at_ms,
                                    llround((double)from->rows[i].milli * sc->growth)};
    load_given(load, rows, from->row_count);
    free(rows);
}

struct services *cli_services(const struct scenario *sc, const struct trace_names *names,
                              uint64_t seed)
{
    if (sc->service_count == 0)
        return NULL;
    struct service_spec *specs = mem_alloc(sc->service_count, sizeof *specs);
    for (size_t i = 0; i < sc->service_count; i++) {
        const struct scen_service *from = &sc->services[i];
        specs[i] = (struct service_spec){.name = from->name,
                                         .replica = replica_of(from, names),
                                         .rule = from->rule,
                                         .startup_ms = from->startup_ms,
                                         .requests = from->requests,
                                         .late_ppm = from->late_ppm};
        make_load(&specs[i].load, from, sc, seed);
    }
    struct services *services =
        services_create(specs, sc->service_count, sc->window.warmup_ms, sc->window.horizon_ms);
    free(specs);
    return services;
}
