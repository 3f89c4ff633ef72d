/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening the workload; see workload.h. */
#include "sim/world/workload.h"
#include "sim/program/command.h"
#include "sim/trace/read.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "traces/vary/perturb.h"
#include "traces/vary/replicate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* one replay is one sample: several jitter unless the scenario says otherwise */
#define SHAKE_OF_REPLICAS_MS 30000

/* ---- sources ---- */

double workload_gpus(const struct simulation *s)
{
    if (s->slice != NULL)
        return s->slice->working_gpus;
    const uint32_t *spares = s->scenario->mode == SCEN_REPLAY ? s->scenario->faults.spares : NULL;
    int64_t milli = s->fleet.milli;
    for (size_t i = 0; i < s->scenario->pool_count; i++)
        milli -=
            scen_pool_extra(&s->scenario->pools[i]) * s->scenario->pools[i].node.gpus * FLEET_WHOLE;
    for (size_t i = 0; spares != NULL && i < s->fleet.pool_count; i++) {
        const struct fleet_pool *pool = &s->fleet.pools[i];
        for (uint32_t k = 1; k <= spares[i]; k++)
            milli -=
                (int64_t)s->fleet.nodes[pool->first_node + pool->node_count - k].gpus * FLEET_WHOLE;
    }
    return (double)milli / FLEET_WHOLE;
}

/* The value that it would have: the profile's unless it is given. */
static double value_of(const struct trace_profile_row *profile, const struct trace_parameter *given,
                       size_t count, const char *name)
{
    double value = 0;
    for (size_t i = 0; profile->parameter_names[i] != NULL; i++)
        value =
            strcmp(profile->parameter_names[i], name) == 0 ? profile->parameter_defaults[i] : value;
    for (size_t i = 0; i < count; i++)
        value = strcmp(given[i].name, name) == 0 ? given[i].value : value;
    return value;
}

/* Demand grows by more jobs in the same time, also where their number is given. */
static void grow(const char *profile_name, double growth, struct trace_parameter *parameters,
                 size_t *count)
{
    size_t profiles, p = 0;
    const struct trace_profile_row *rows = trace_profiles(&profiles);
    while (p < profiles && strcmp(rows[p].name, profile_name) != 0)
        p++;
    BUG_ON(p == profiles); /* the scenario was checked */
    double load = value_of(&rows[p], parameters, *count, "load");
    double jobs = value_of(&rows[p], parameters, *count, "jobs");
    parameters[(*count)++] = (struct trace_parameter){"load", load * growth};
    parameters[(*count)++] = (struct trace_parameter){"jobs", round(jobs * growth)};
}

static bool open_generator(struct simulation *s, const struct scen_source *source, uint64_t seed,
                           struct trace **trace, struct err *err)
{
    size_t count = source->generate.parameter_count;
    double growth = s->scenario->growth;
    struct trace_parameter *parameters = mem_alloc(count + 3, sizeof *parameters);
    for (size_t i = 0; i < count; i++)
        parameters[i] = source->generate.parameters[i];
    if (growth < 1 || growth > 1)
        grow(source->generate.profile, growth, parameters, &count);
    if (!source->generate.gpus_given)
        parameters[count++] = (struct trace_parameter){"gpus", workload_gpus(s)};
    struct trace_generate_options options = {
        .profile = source->generate.profile,
        .parameters = parameters,
        .parameter_count = count,
        .teams = source->generate.teams,
        .team_count = source->generate.team_count,
        .seed = seed,
        .names = s->names,
    };
    bool ok = trace_generate(trace, &options, err);
    free(parameters);
    return ok;
}

static int class_named(const char *name)
{
    for (int c = 0; name != NULL && c < TRACE_CLASSES; c++)
        if (strcmp(trace_class_names[c], name) == 0)
            return c;
    return -1;
}

/* What the first part says holds for all jobs that do not say: only others have to be told. */
static uint32_t recorded_on(const struct simulation *s, const struct scen_source *source)
{
    const char *name = source->recorded_name, *first = s->scenario->sources[0].recorded_name;
    return name == NULL || first == NULL || strcmp(name, first) == 0
               ? SYMBOL_NONE
               : symbols_add(s->names.nodes, name, strlen(name));
}

/* Parts draw independently. */
static uint64_t part_seed(uint64_t seed, size_t part)
{
    return seed ^ (uint64_t)part << 48;
}

/* Of the first generator that of the replica: what stands before it does not change what it draws.
 */
static uint64_t generator_seed(const struct simulation *s, size_t part)
{
    size_t generators = 0;
    for (size_t i = 0; i < part; i++)
        generators += s->scenario->sources[i].trace == NULL;
    return part_seed(s->seed, generators);
}

static const struct trace_adjustment unchanged = {.jobs = -1,
                                                  .time_scale = 1,
                                                  .load_scale = 1,
                                                  .queue = SYMBOL_NONE,
                                                  .class = -1,
                                                  .recorded_on = SYMBOL_NONE};

/* The first jobs of a source, and other users or weeks of it where that is asked for. */
static struct trace *perturbed(const struct scenario *sc, size_t part, uint64_t seed,
                               const struct trace_names *names, struct trace *trace)
{
    const struct scen_source *source = &sc->sources[part];
    bool grows = source->trace != NULL && sc->replicate != SCEN_REPLICATE_RESAMPLE;
    struct trace_adjustment first = unchanged;
    struct trace_perturbation other = {
        .block_ms = source->block_ms,
        .resample = source->resample_users,
        .load = source->users_scale * (grows ? sc->growth : 1),
        .seed = part_seed(seed, part),
        .names = *names,
    };
    first.jobs = source->jobs;
    trace = trace_adjust(trace, &first);
    return trace_perturbs(&other, 1) ? trace_perturb(&trace, 1, &other) : trace;
}

bool workload_recorded(const struct scenario *sc, size_t part, uint64_t seed,
                       const struct trace_names *names, bool sort,
                       const struct workload_rejects *rejects, struct trace **trace,
                       struct err *err)
{
    const struct scen_source *source = &sc->sources[part];
    struct trace_options options = {.path = source->trace,
                                    .format = source->format,
                                    .names = *names,
                                    .sort = sort,
                                    .nonempty = sc->source_count == 1,
                                    .reject = rejects ? rejects->reject : NULL,
                                    .reject_to = rejects ? rejects->to : NULL,
                                    .tolerant = rejects == NULL || !rejects->all,
                                    .settings = source->settings,
                                    .setting_count = source->setting_count};
    if (!trace_open(trace, &options, err))
        return false;
    *trace = perturbed(sc, part, seed, names, *trace);
    return true;
}

int64_t workload_jitter_ms(const struct scenario *sc)
{
    bool jitters = sc->replicate == SCEN_REPLICATE_UNSET || sc->replicate == SCEN_REPLICATE_JITTER;
    if (sc->mode == SCEN_FILL)
        return 0;
    return sc->jitter_ms >= 0            ? sc->jitter_ms
           : jitters && sc->replicas > 1 ? SHAKE_OF_REPLICAS_MS
                                         : 0;
}

/* Rows are kept as they will be written, with the name of their trace if there are several. */
static void reject_row(void *to, const struct err *row)
{
    struct simulation *s = to;
    const struct scenario *sc = s->scenario;
    if (s->rejected.out == NULL)
        rejected_keep(&s->rejected, sc->source_count > 1);
    for (size_t i = 0; i < sc->source_count; i++) {
        const char *name = sc->sources[i].trace;
        if (name != NULL && strncmp(row->msg, name, strlen(name)) == 0)
            s->rejected.name = name;
    }
    rejected_row(&s->rejected, row);
}

bool workload_write_rejected(const struct simulation *s, const char *dir, struct err *err)
{
    if (s->rejected.rows == 0)
        return true;
    return out_write_in(dir, "rejected.csv", out_memory_text(s->rejected.out, NULL), err);
}

static bool open_source(struct simulation *s, size_t part, bool sort, struct trace **trace,
                        struct err *err)
{
    const struct scenario *sc = s->scenario;
    const struct scen_source *source = &sc->sources[part];
    const char *queue = source->assign_queue;
    struct trace_adjustment change = {
        .jobs = -1,
        .time_scale = source->time_scale,
        .load_scale = source->load_scale,
        .queue = queue != NULL ? symbols_add(s->names.queues, queue, strlen(queue)) : SYMBOL_NONE,
        .class = class_named(source->assign_class),
        .recorded_on = recorded_on(s, source),
        /* "2.j17": generators count alike. Jobs of a trace keep their names. */
        .part = part > 0 && source->trace == NULL ? (uint32_t)part + 1 : 0,
        .jitter_ms = workload_jitter_ms(sc),
        .seed = part_seed(s->seed, part),
    };
    /* once, however often a policy reads the workload again */
    const struct workload_rejects rejects = {.reject = reject_row, .to = s};
    if (sc->has_jitter_seed) /* of replica k: k - 1 behind that of the first, as all seeds */
        change.seed = part_seed(sc->jitter_seed + (s->seed - sc->seed), part);
    if (source->trace == NULL) {
        if (!open_generator(s, source, generator_seed(s, part), trace, err))
            return false;
        *trace = perturbed(sc, part, s->seed, &s->names, *trace);
    } else if (!workload_recorded(sc, part, s->seed, &s->names, sort,
                                  s->trace == NULL ? &rejects : NULL, trace, err)) {
        return false;
    } else if (sc->replicate == SCEN_REPLICATE_RESAMPLE) {
        const struct trace_replication draws = {.block_ms = sc->replicate_block_ms,
                                                .growth = sc->growth,
                                                .seed = part_seed(s->seed, part),
                                                .names = s->names};
        *trace = trace_replicate(*trace, &draws);
    }
    *trace = trace_adjust(*trace, &change);
    return true;
}

static bool open_trace(struct simulation *s, bool sort, struct trace **trace, struct err *err)
{
    const struct scenario *sc = s->scenario;
    struct trace **parts = mem_alloc(sc->source_count + 1, sizeof(struct trace *));
    size_t opened = 0;
    while (opened < sc->source_count && open_source(s, opened, sort, &parts[opened], err))
        opened++;
    bool ok = opened == sc->source_count;
    if (ok)
        *trace = sc->source_count == 1 ? parts[0] : trace_merge(parts, sc->source_count);
    if (ok && s->slice != NULL)
        *trace = trace_of_queue(
            *trace, symbols_add(s->names.queues, s->slice->queue, strlen(s->slice->queue)),
            s->slice->milli);
    for (size_t i = 0; !ok && i < opened; i++)
        trace_close(parts[i]);
    free(parts);
    return ok;
}

bool workload_reads_stdin(const struct scenario *sc)
{
    for (size_t i = 0; i < sc->source_count; i++)
        if (sc->sources[i].trace != NULL && strcmp(sc->sources[i].trace, "-") == 0)
            return true;
    return false;
}

bool workload_rereadable(const struct scenario *sc, const char *what, struct err *err)
{
    return !workload_reads_stdin(sc) ||
           err_set(err, EXIT_INPUT,
                   "%s the jobs several times, which standard input cannot be: give a file", what);
}

bool workload_reopen(struct simulation *s, struct trace **trace, struct err *err)
{
    if (workload_reads_stdin(s->scenario))
        return err_set(err, EXIT_INPUT,
                       "policy '%s' needs to read the whole workload first, which standard input "
                       "does not allow: give a file",
                       s->scenario->policy.name);
    return open_trace(s, true, trace, err);
}

/* ---- packing studies ---- */

static bool read_list(struct simulation *s, struct err *err)
{
    size_t capacity = 0;
    struct trace_job job;
    enum trace_result got;
    while ((got = trace_next(s->trace, &job, err)) == TRACE_JOB) {
        char place[TRACE_PLACE];
        if (job.after[0] != '\0')
            return err_set(
                err, EXIT_INPUT,
                "%s waits for jobs to end (after), which never happens in a packing study",
                trace_job_place(&job, place));
        s->fill_jobs =
            mem_grow(s->fill_jobs, &capacity, s->fill_job_count + 1, sizeof *s->fill_jobs);
        job.id = mem_text(job.id);
        job.mig = mem_text(job.mig);
        job.array = job.rungs = ""; /* nothing runs */
        job.topology_required = mem_text(job.topology_required);
        job.topology_preferred = mem_text(job.topology_preferred);
        job.gpu_spec = mem_text(job.gpu_spec);
        s->fill_jobs[s->fill_job_count++] = job;
    }
    if (got == TRACE_END && s->fill_job_count == 0)
        return err_set(err, EXIT_INPUT, "the trace has no jobs");
    return got == TRACE_END;
}

static int by_row(const void *a, const void *b)
{
    uint64_t x = ((const struct trace_job *)a)->row;
    uint64_t y = ((const struct trace_job *)b)->row;
    return (x > y) - (x < y); /* rows are unique in a file */
}

static bool order_from_file(struct simulation *s, struct err *err)
{
    const struct scenario *sc = s->scenario;
    s->fill_order = mem_alloc(sc->fill_arrival_count + 1, sizeof *s->fill_order);
    for (size_t i = 0; i < sc->fill_arrival_count; i++) {
        if (sc->fill_arrivals[i] < 0 || sc->fill_arrivals[i] >= (int64_t)s->fill_job_count)
            return err_set(err, EXIT_INPUT,
                           "workload.arrivals line %zu: row %lld, but the trace has rows 0 to %zu",
                           i + 1, (long long)sc->fill_arrivals[i], s->fill_job_count - 1);
        s->fill_order[i] = sc->fill_arrivals[i];
    }
    s->fill_order_count = sc->fill_arrival_count;
    return true;
}

/* The list once in its order, then rows drawn with replacement, until requests would pass `tune`
 * times the fleet. */
static void order_by_tune(struct simulation *s)
{
    double target = s->scenario->fill_tune * (double)s->fleet.milli;
    struct rng_stream stream;
    rng_init(&stream, s->seed, RNG_ARRIVAL, 0);
    size_t capacity = 0;
    double requested = 0;
    bool asks = false;
    for (size_t i = 0; i < s->fill_job_count; i++)
        asks |= trace_job_gpu_milli(&s->fill_jobs[i]) > 0;
    for (size_t n = 0;; n++) {
        if (n >= s->fill_job_count && (target <= 0 || !asks))
            return;
        size_t row =
            n < s->fill_job_count ? n : (size_t)(rng_uniform(&stream) * (double)s->fill_job_count);
        requested += (double)trace_job_gpu_milli(&s->fill_jobs[row]);
        if (target > 0 && requested > target)
            return;
        s->fill_order =
            mem_grow(s->fill_order, &capacity, s->fill_order_count + 1, sizeof *s->fill_order);
        s->fill_order[s->fill_order_count++] = (int64_t)row;
    }
}

bool workload_open(struct simulation *s, bool sort, struct err *err)
{
    /* A packing study has no clock: its list is loaded anyway, and rows are meant by their number
     * in the file. */
    bool fill = s->scenario->mode == SCEN_FILL;
    if (!open_trace(s, sort || fill, &s->trace, err))
        return false;
    if (!fill)
        return true;
    if (!read_list(s, err))
        return false;
    if (s->scenario->source_count == 1)
        qsort(s->fill_jobs, s->fill_job_count, sizeof *s->fill_jobs, by_row);
    if (s->scenario->fill_arrivals != NULL)
        return order_from_file(s, err);
    order_by_tune(s);
    return true;
}

static void free_text(const char *text)
{
    free((char *)(uintptr_t)text);
}

void workload_close(struct simulation *s)
{
    if (s->trace != NULL)
        trace_close(s->trace);
    for (size_t i = 0; i < s->fill_job_count; i++) {
        free_text(s->fill_jobs[i].id);
        free_text(s->fill_jobs[i].mig);
        free_text(s->fill_jobs[i].topology_required);
        free_text(s->fill_jobs[i].topology_preferred);
        free_text(s->fill_jobs[i].gpu_spec);
    }
    out_discard(s->rejected.out);
    free(s->fill_jobs);
    free(s->fill_order);
}
