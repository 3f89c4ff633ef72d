/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The generator: plays a plan (generator.h) as a stream of jobs sorted by submit time.
 *
 *     arrivals: one Poisson process of candidate sessions at the highest rate of the week, thinned
 *               to the rate of the hour. Candidate i draws its gap, its kind and whether it is kept
 *               from the stream (seed, RNG_ARRIVAL, i).
 *     sessions: team, user, size, number of jobs and their times from (seed, RNG_SHAPE, i).
 *     jobs:     the j-th job of session i draws its end and utilization from (seed, RNG_OUTCOME,
 *               i and j), its duration and limit from (seed, RNG_DURATION, i and j).
 *
 * So a job does not depend on how many numbers other jobs drew. Jobs of a burst may come after
 * those of later sessions; they wait in a heap until no future session can precede them. The heap
 * holds about a minute of jobs, and memory does not grow with the length of the trace.
 *
 * Results are identical on all machines: uniform numbers are integers, gaps are rounded to
 * nanoseconds and added as integers, durations are rounded to seconds. exp and log, whose last bit
 * may differ between C libraries, are only used before such rounding; the difference changes a
 * rounded value with a probability around 1e-12.
 */
#include "sim/base/heap.h"
#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "traces/generate/mix.h"
#include "traces/trace_internal.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S      INT64_C(1000000000)
#define LAST_NS       (INT64_C(100) * 366 * 86400 * NS_PER_S) /* a hundred years, well within int64 */
#define JOBS_BITS     16 /* (session << 16 | job) keys the streams of jobs */
#define DEFAULT_USERS 10

/* Values derived from a kind of the plan, ready for drawing. */
struct source {
    double rates[GEN_WEEK_HOURS], peak; /* relative to the kind's mean rate */
    double log_median[TRACE_STATUSES];  /* ln seconds */
    double together,
        apart; /* weights of the shared and the own part of ln duration; their squares add to 1 */
    gsl_ran_discrete_t *sizes;
    gsl_ran_discrete_t *bursts; /* of the number of jobs - 1; NULL: always one job */
};

/* A job that was drawn but not yet returned; ordered by submit_s, then sequence, which is unique.
 */
struct waiting {
    int64_t submit_s;
    uint64_t sequence;
    int64_t duration_s, limit_s, gpu_milli;
    uint32_t queue, user;
    int32_t sm_util_ppm, active_ppm;
    enum trace_class class;
    enum trace_status status;
};

struct generator {
    struct trace base;
    struct gen_plan plan;
    struct source sources[GEN_KINDS];
    struct gen_teams teams;
    gsl_ran_discrete_t *kind;
    uint64_t seed;
    double mean_gap_ns; /* between candidates */

    /* The next session; none of its jobs is drawn yet. */
    int64_t next_ns;
    uint64_t candidate; /* its number */
    int next_kind;
    bool exhausted; /* there is none */

    uint64_t drawn; /* number of jobs so far, and the next job's sequence */
    struct waiting *heap;
    size_t heap_count, heap_capacity;

    uint64_t row;
    char id[24];
    char digest[DIGEST_HEX];
};

/* ---- jobs that wait for their turn ---- */

static bool before(const struct waiting *a, const struct waiting *b)
{
    return a->submit_s != b->submit_s ? a->submit_s < b->submit_s : a->sequence < b->sequence;
}

HEAP(waiting, struct waiting, before)

/* ---- drawing --------------------------------------------------------------------------------- */

/* An exponential gap in whole nanoseconds, at most LAST_NS. */
static int64_t draw_gap_ns(struct rng_stream *stream, double mean_ns)
{
    double gap = gsl_ran_exponential(rng_gsl(stream), mean_ns);
    return gap < (double)LAST_NS ? llround(gap) : LAST_NS;
}

/* Advances to the next accepted candidate. */
static void find_session(struct generator *g)
{
    for (;;) {
        struct rng_stream stream;
        rng_init(&stream, g->seed, RNG_ARRIVAL, ++g->candidate);
        g->next_ns += draw_gap_ns(&stream, g->mean_gap_ns);
        if (g->next_ns >= LAST_NS ||
            (g->plan.jobs == 0 && g->next_ns >= g->plan.horizon_s * NS_PER_S)) {
            g->exhausted = true;
            return;
        }
        g->next_kind = (int)gsl_ran_discrete(rng_gsl(&stream), g->kind);
        const struct source *source = &g->sources[g->next_kind];
        int64_t hour = g->next_ns / (3600 * NS_PER_S) % GEN_WEEK_HOURS;
        if (rng_uniform(&stream) * source->peak < source->rates[hour])
            return;
    }
}

static enum trace_status draw_status(struct rng_stream *stream, const struct gen_outcome *outcome)
{
    double sum = 0;
    for (int s = 0; s < TRACE_STATUSES; s++)
        sum += outcome->share[s];
    double u = rng_uniform(stream) * sum;
    int status = 0;
    while (status < TRACE_STATUSES - 1 && u >= outcome->share[status])
        u -= outcome->share[status++];
    return (enum trace_status)status;
}

static int32_t draw_ppm(struct rng_stream *stream, struct gen_percent range)
{
    if (range.low < 0)
        return TRACE_UNKNOWN;
    unsigned long span = (unsigned long)(range.high - range.low) + 1;
    return (range.low + (int32_t)gsl_rng_uniform_int(rng_gsl(stream), span)) * 10000;
}

static int64_t draw_limit_s(struct rng_stream *stream, const struct gen_kind *kind,
                            int64_t duration_s)
{
    const struct gen_limit *limit = &kind->limit;
    double wanted = (double)duration_s;
    if (!limit->steps_s)
        return (int64_t)ceil(wanted *
                             (limit->low + (limit->high - limit->low) * rng_uniform(stream)));
    if (rng_uniform(stream) >= limit->exact_share)
        wanted *= fmax(1, gsl_ran_lognormal(rng_gsl(stream), limit->log_mean, limit->sigma));
    const int64_t *step = limit->steps_s;
    while (*step && (double)*step < wanted)
        step++;
    // No request exceeds the site's limit, and no duration does.
    int64_t max_s = (int64_t)ceil(kind->max_s);
    return *step && *step < max_s ? *step : max_s;
}

/* A log-normal duration whose logarithm has a shared and an own part; or a gamma one. */
static double draw_seconds(struct generator *g, struct rng_stream *stream, enum trace_status status,
                           double common)
{
    const struct gen_kind *kind = &g->plan.kinds[g->next_kind];
    const struct source *source = &g->sources[g->next_kind];
    if (kind->mean_s > 0)
        return kind->scv > 0
                   ? gsl_ran_gamma(rng_gsl(stream), 1 / kind->scv, kind->mean_s * kind->scv)
                   : kind->mean_s;
    double z = common + source->apart * gsl_ran_ugaussian(rng_gsl(stream));
    return exp(source->log_median[status] + kind->sigma * z);
}

/* Draws one job of a session; `session` carries what its jobs share, `common` the shared part of ln
 * duration. */
static void draw_job(struct generator *g, const struct waiting *session, int index, double common)
{
    const struct gen_kind *kind = &g->plan.kinds[g->next_kind];
    uint64_t key = g->candidate << JOBS_BITS | (uint64_t)index;
    struct waiting job = *session;
    job.sequence = g->drawn++;

    struct rng_stream stream;
    rng_init(&stream, g->seed, RNG_OUTCOME, key);
    job.status = draw_status(&stream, gen_kind_outcome(kind, job.gpu_milli));
    job.sm_util_ppm = draw_ppm(&stream, kind->sm_util);
    job.active_ppm = draw_ppm(&stream, kind->active);

    rng_init(&stream, g->seed, RNG_DURATION, key);
    double seconds = fmin(draw_seconds(g, &stream, job.status, common), kind->max_s);
    job.duration_s = seconds < 1 ? 1 : llround(seconds);
    job.limit_s = draw_limit_s(&stream, kind, job.duration_s);
    g->heap = mem_grow(g->heap, &g->heap_capacity, g->heap_count + 1, sizeof *g->heap);
    waiting_put(g->heap, &g->heap_count, job);
}

/* Draws the jobs of the session that find_session() found. */
static void draw_session(struct generator *g)
{
    const struct gen_kind *kind = &g->plan.kinds[g->next_kind];
    const struct source *source = &g->sources[g->next_kind];
    struct rng_stream stream;
    rng_init(&stream, g->seed, RNG_SHAPE, g->candidate);
    const struct gen_team *team = gen_team_draw(&g->teams, rng_gsl(&stream));
    size_t size = gsl_ran_discrete(rng_gsl(&stream), source->sizes);
    struct waiting session = {
        .class = kind->class,
        .queue = team->queue,
        .user = gen_user_draw(team, rng_gsl(&stream)),
        .gpu_milli = kind->sizes[size].gpu_milli,
    };
    int jobs = source->bursts ? 1 + (int)gsl_ran_discrete(rng_gsl(&stream), source->bursts) : 1;
    // A single job is a burst of one: the shared part is drawn, too, so that its duration has the
    // same distribution.
    double common =
        source->together > 0 ? source->together * gsl_ran_ugaussian(rng_gsl(&stream)) : 0;
    int64_t at_ns = g->next_ns;
    for (int i = 0; i < jobs; i++) {
        if (g->plan.jobs > 0 && g->drawn == (uint64_t)g->plan.jobs)
            return;
        session.submit_s = at_ns / NS_PER_S;
        // A burst at the very end is compressed, so that no job arrives after the horizon.
        if (g->plan.jobs == 0 && session.submit_s >= g->plan.horizon_s)
            session.submit_s = g->plan.horizon_s - 1;
        draw_job(g, &session, i, common);
        at_ns += draw_gap_ns(&stream, kind->burst_gap_s * (double)NS_PER_S);
    }
}

/* ---- the trace ------------------------------------------------------------------------------- */

static void put_id(struct generator *g)
{
    char digits[24];
    size_t n = 0, length = 0;
    for (uint64_t rest = g->row; n == 0 || rest > 0; rest /= 10)
        digits[n++] = (char)('0' + rest % 10);
    g->id[length++] = g->base.format[0];
    while (n > 0)
        g->id[length++] = digits[--n];
    g->id[length] = '\0';
}

/* The memory limit of a GPU share in MiB; device memory is divided in steps of 100 MiB. */
static int64_t mem_limit(const struct gen_plan *plan, int64_t gpu_milli)
{
    int64_t most = plan->gpu_mem_mib / 100 * 100;
    double limit = ceil((double)(gpu_milli * most) / 1000 * plan->mem_growth);
    return limit < (double)most ? (int64_t)limit : most;
}

static void put_job(struct generator *g, struct trace_job *job, const struct waiting *from)
{
    trace_job_init(job);
    put_id(g);
    job->row = g->row++;
    job->id = g->id;
    job->queue = from->queue;
    job->user = from->user;
    job->class = from->class;
    job->status = from->status;
    job->submit_ms = job->eligible_ms = from->submit_s * 1000;
    job->duration_ms = from->duration_s * 1000;
    job->limit_ms = from->limit_s * 1000;
    job->sm_util_ppm = from->sm_util_ppm;
    job->active_ppm = from->active_ppm;
    if (from->gpu_milli < 1000) {
        job->gpus = 1;
        job->gpu_milli = (int32_t)from->gpu_milli;
        job->gpu_mem_limit_mib = g->plan.mem_growth > 1 ? mem_limit(&g->plan, from->gpu_milli) : 0;
    } else {
        job->gpus_total = from->gpu_milli / 1000;
    }
}

static bool all_drawn(const struct generator *g)
{
    return g->exhausted || (g->plan.jobs > 0 && g->drawn == (uint64_t)g->plan.jobs);
}

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct generator *g = (struct generator *)base;
    while (!all_drawn(g) && (g->heap_count == 0 || g->next_ns / NS_PER_S <= g->heap[0].submit_s)) {
        draw_session(g);
        find_session(g);
    }
    if (g->heap_count > 0) {
        struct waiting from = waiting_take(g->heap, &g->heap_count);
        put_job(g, job, &from);
        return TRACE_JOB;
    }
    if (g->plan.jobs > 0 && g->drawn < (uint64_t)g->plan.jobs) {
        err_set(err, EXIT_INPUT,
                "profile '%s': only %llu of %lld jobs arrive within a hundred years; raise load or "
                "gpus",
                g->base.format, (unsigned long long)g->drawn, (long long)g->plan.jobs);
        return TRACE_ERROR;
    }
    return TRACE_END;
}

static void close_generator(struct trace *base)
{
    struct generator *g = (struct generator *)base;
    for (int k = 0; k < g->plan.kind_count; k++) {
        gsl_ran_discrete_free(g->sources[k].sizes);
        gsl_ran_discrete_free(g->sources[k].bursts);
    }
    gsl_ran_discrete_free(g->kind);
    gen_teams_free(&g->teams);
    free(g->heap);
}

static void get_digest(const struct trace *base, char hex[DIGEST_HEX])
{
    memcpy(hex, ((const struct generator *)base)->digest, DIGEST_HEX);
}

static const struct trace_methods generator_methods = {
    .next = next,
    .close = close_generator,
    .digest = get_digest,
};

/* ---- setting up ------------------------------------------------------------------------------ */

/* Returns the mean number of jobs in a session of this kind. */
static double make_source(struct source *source, const struct gen_kind *kind, int64_t horizon_s)
{
    source->peak = gen_kind_rates(kind, horizon_s, source->rates);
    for (int s = 0; s < TRACE_STATUSES; s++)
        source->log_median[s] = log(kind->median_s[s]);
    source->together = sqrt(kind->burst_likeness);
    source->apart = sqrt(1 - kind->burst_likeness);

    double sizes[GEN_SIZES];
    for (int i = 0; i < kind->size_count; i++)
        sizes[i] = kind->sizes[i].weight;
    source->sizes = gen_discrete((size_t)kind->size_count, sizes);
    if (kind->burst_share <= 0)
        return 1;
    double *bursts = mem_alloc((size_t)kind->burst_max, sizeof *bursts);
    double mean = gen_kind_bursts(kind, bursts);
    source->bursts = gen_discrete((size_t)kind->burst_max, bursts);
    free(bursts);
    return mean;
}

/* Sources and the rate of candidates, from the load: see generator.h. */
static void make_sources(struct generator *g)
{
    const struct gen_plan *plan = &g->plan;
    double weights[GEN_KINDS] = {0}, shares = 0, gpu_s = 0;
    for (int k = 0; k < plan->kind_count; k++) {
        shares += plan->kinds[k].share;
        gpu_s += plan->kinds[k].share * gen_kind_gpu_s(&plan->kinds[k]);
    }
    double jobs_per_s = plan->load * plan->gpus * shares / gpu_s, candidates_per_s = 0;
    for (int k = 0; k < plan->kind_count; k++) {
        double jobs =
            make_source(&g->sources[k], &plan->kinds[k], plan->jobs > 0 ? 0 : plan->horizon_s);
        weights[k] = jobs_per_s * plan->kinds[k].share / shares / jobs * g->sources[k].peak;
        candidates_per_s += weights[k];
    }
    g->kind = gen_discrete((size_t)plan->kind_count, weights);
    g->mean_gap_ns = (double)NS_PER_S / candidates_per_s;
}

static void make_teams(struct generator *g, const struct trace_generate_options *options)
{
    static const struct trace_team alone = {"default", 1, DEFAULT_USERS};
    bool given = options->team_count > 0;
    gen_teams_make(&g->teams, given ? options->teams : &alone, given ? options->team_count : 1,
                   g->plan.user_slope, &options->names);
}

/* A generated trace has no bytes: its digest covers everything that it is made from. */
static void make_digest(char hex[DIGEST_HEX], const struct gen_profile *profile,
                        const double *values, const struct trace_generate_options *options)
{
    struct digest digest;
    digest_init(&digest);
    char *text = mem_format("generated %s seed %llu\n", profile->row->name,
                            (unsigned long long)options->seed);
    digest_add(&digest, text, strlen(text));
    free(text);
    for (size_t i = 0; profile->row->parameter_names[i]; i++) {
        text = mem_format("%s %.17g\n", profile->row->parameter_names[i], values[i]);
        digest_add(&digest, text, strlen(text));
        free(text);
    }
    for (size_t t = 0; t < options->team_count; t++) {
        const struct trace_team *team = &options->teams[t];
        text = mem_format("team %.17g %d %s\n", team->weight, team->users, team->queue);
        digest_add(&digest, text, strlen(text));
        free(text);
    }
    digest_hex(&digest, hex);
}

bool trace_generate(struct trace **trace, const struct trace_generate_options *options,
                    struct err *err)
{
    const struct gen_profile *profile = gen_profile_find(options->profile, err);
    if (!profile || !gen_teams_check(options->teams, options->team_count, err))
        return false;
    double *values = gen_profile_values(profile, options, err);
    if (!values)
        return false;
    if (profile->mix != NULL) {
        char digest[DIGEST_HEX];
        make_digest(digest, profile, values, options);
        bool made = mix_generate(trace, profile->mix, values, options, digest, err);
        free(values);
        return made;
    }
    struct generator *g = mem_alloc(1, sizeof *g);
    if (!profile->plan(&g->plan, values, err)) {
        free(values);
        free(g);
        return false;
    }
    g->base.methods = &generator_methods;
    g->base.format = profile->row->name;
    g->seed = options->seed;
    make_sources(g);
    make_teams(g, options);
    make_digest(g->digest, profile, values, options);
    free(values);
    find_session(g);
    *trace = &g->base;
    return true;
}
