/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays a mix (mix.h) as a stream of jobs sorted by submit time.
 *
 *     pass 1   draws sessions 0, 1, 2, ... until there are enough jobs or enough GPU time; keeps
 *     only
 *              the number of sessions and the sum of an exponential number for each
 *     pass 2   draws the same sessions again and puts the i-th at
 *              u_i = (e_0 + ... + e_i) / (e_0 + ... + e_n) of the horizon, as in a Poisson process
 *              conditioned on n arrivals. Busy hours are wider on the scale of u.
 *
 * The numbers of a session come from streams keyed by it, so both passes draw the same. Jobs of a
 * session may come after the first jobs of later sessions; they wait in a heap.
 *
 * Results are identical on all machines: times and durations are rounded to seconds, and results of
 * exp, log and the like are only used before that.
 */
#include "traces/generate/mix.h"

#include "sim/base/heap.h"
#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "traces/trace_internal.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RETRIES_MOST 20
#define HOUR_S       3600.0

/* A class of the mix, ready for drawing. */
struct source {
    const struct mix_class *class;
    gsl_ran_discrete_t *sizes;
    gsl_ran_discrete_t *lengths; /* of the session length - 1 */
    double *below; /* share of the jobs smaller than size i; one more entry than sizes */
};

/* A job of a session; ordered by submit time and sequence, which is unique, in the heap. */
struct mix_job {
    int64_t submit_s; /* draw_session(): relative to the beginning of the session */
    uint64_t sequence, session;
    int64_t duration_s, limit_s, gpu_milli;
    uint32_t queue, user;
    int32_t index, after; /* index in its session; index of the job that it retries, or -1 */
    int32_t sm_util_ppm, active_ppm, attempts;
    int32_t class, status;
    bool sweep;
    int64_t rung_s[2]; /* of a sweep, rising or equal; 0: no rungs */
};

struct player {
    struct trace base;
    const struct mix *mix;
    double values[MIX_PARAMETERS];
    uint64_t seed;
    struct gen_teams own_teams;
    const struct gen_teams *teams;
    struct source *sources;
    gsl_ran_discrete_t *source;

    uint64_t sessions, jobs_most; /* number of sessions; jobs to return, UINT64_MAX: all */
    double horizon_s, marks;      /* sum of the exponential numbers */
    double *hours;                /* cumulative weights */
    size_t hour_count, hour;

    uint64_t session, drawn; /* pass 2: the next session; jobs so far */
    double mark;
    int64_t begin_s;      /* beginning of the next session */
    struct mix_job *jobs; /* of the current session */
    size_t job_count, job_capacity;
    struct mix_job *heap;
    size_t heap_count, heap_capacity;

    uint64_t row;
    char id[48], after[64], array[48], rungs[48], roles[MIX_ROLES];
    char digest[DIGEST_HEX];
};

/* ---- the heap ---- */

static bool before(const struct mix_job *a, const struct mix_job *b)
{
    return a->submit_s != b->submit_s ? a->submit_s < b->submit_s : a->sequence < b->sequence;
}

HEAP(waiting, struct mix_job, before)

/* ---- one job ---- */

static int32_t draw_ppm(struct rng_stream *stream, struct gen_percent range)
{
    if (range.low < 0)
        return TRACE_UNKNOWN;
    unsigned long span = (unsigned long)(range.high - range.low) + 1;
    return (range.low + (int32_t)gsl_rng_uniform_int(rng_gsl(stream), span)) * 10000;
}

/*
 * With probability 1/4 the smallest sufficient value, else the smallest round value above the run
 * time x lognormal(ln 8, 1.5): our model of requests at ThetaGPU, where a quarter of the jobs reach
 * their limits. No request exceeds the site's limit.
 */
static int64_t draw_limit_s(struct rng_stream *stream, double seconds, double max_s)
{
    static const double steps_s[] = {600,   1200,  1800,   3600,   7200,   14400,  21600,
                                     43200, 86400, 172800, 259200, 604800, 1209600};
    if (rng_uniform(stream) >= 0.25)
        seconds *= fmax(1, gsl_ran_lognormal(rng_gsl(stream), 2.0794415416798357, 1.5));
    size_t i = 0;
    while (i < MIX_COUNT(steps_s) && steps_s[i] < seconds)
        i++;
    return (int64_t)(i < MIX_COUNT(steps_s) && steps_s[i] < max_s ? steps_s[i] : max_s);
}

/* u is the quantile of the job's run time in its class. */
static enum trace_status draw_status(const struct player *p, struct rng_stream *stream,
                                     int64_t gpu_milli, double u)
{
    const double *share = mix_outcome_of(p->mix, gpu_milli)->share;
    double sum = share[TRACE_COMPLETED] + share[TRACE_FAILED] + share[TRACE_CANCELLED];
    double cancelled = share[TRACE_CANCELLED] / sum * (1 + p->mix->cancel_long * (2 * u - 1));
    double failed =
        share[TRACE_FAILED] / sum * (1 + p->mix->fail_short * (1 - 2 * u)) * p->values[MIX_FAIL];
    double at = rng_uniform(stream);
    return at < failed ? TRACE_FAILED : at < failed + cancelled ? TRACE_CANCELLED : TRACE_COMPLETED;
}

/* The first attempt and a geometric number of retries; TRACE_UNKNOWN if the mean is 0. */
static int32_t draw_attempts(struct rng_stream *stream, double mean)
{
    return mean <= 1 ? mean > 0 ? 1 : TRACE_UNKNOWN
                     : (int32_t)gsl_ran_geometric(rng_gsl(stream), 1 / mean);
}

/* The values shared by the jobs of a session. */
struct session {
    const struct source *source;
    double common; /* normal score of run times */
    size_t size;   /* index of the size, and its normal score */
    double size_score;
    bool sweep;
};

static void draw_size(struct session *s, struct rng_stream *stream)
{
    s->size = gsl_ran_discrete(rng_gsl(stream), s->source->sizes);
    double low = s->source->below[s->size], high = s->source->below[s->size + 1];
    double u = low + (high - low) * rng_uniform(stream);
    s->size_score = gsl_cdf_ugaussian_Pinv(fmin(fmax(u, 1e-12), 1 - 1e-12));
}

static void draw_job(struct player *p, const struct session *s, struct mix_job *job)
{
    struct rng_stream stream;
    rng_init(&stream, p->seed, RNG_MIX_JOB, job->session << 16 | (uint64_t)job->index);
    const struct mix_class *class = s->source->class;
    double effect = class->size_effect, likeness = p->values[MIX_LIKENESS];
    double own =
        sqrt(likeness) * s->common + sqrt(1 - likeness) * gsl_ran_ugaussian(rng_gsl(&stream));
    double u = gsl_cdf_ugaussian_P(effect * s->size_score + sqrt(1 - effect * effect) * own);
    job->gpu_milli = class->sizes[s->size].gpu_milli;
    job->class = (int32_t) class->class;
    job->duration_s =
        (int64_t)fmin(mix_duration_s(class->durations, class->duration_count, u), p->mix->max_s);
    job->status = (int32_t)draw_status(p, &stream, job->gpu_milli, u);
    job->sm_util_ppm = draw_ppm(&stream, class->sm_util);
    job->active_ppm = draw_ppm(&stream, class->active);
    job->attempts = draw_attempts(&stream, p->mix->attempts[job->status]);
    job->limit_s = draw_limit_s(&stream, (double)job->duration_s, p->mix->max_s);
    job->sweep = s->sweep;
}

/* Sets the rungs of a sweep relative to the run time of its first trial; none below two seconds. */
static void put_rungs(struct player *p)
{
    double halving = p->values[MIX_SWEEP_HALVING], all = (double)p->jobs[0].duration_s;
    for (size_t i = 0; i < p->job_count && p->jobs[i].sweep && halving > 1 && all >= 2; i++) {
        p->jobs[i].rung_s[0] = (int64_t)ceil(all / (halving * halving));
        p->jobs[i].rung_s[1] = (int64_t)ceil(all / halving);
    }
}

/* ---- one session ---- */

static struct mix_job *add_job(struct player *p)
{
    p->jobs = mem_grow(p->jobs, &p->job_capacity, p->job_count + 1, sizeof *p->jobs);
    struct mix_job *job = &p->jobs[p->job_count];
    *job = (struct mix_job){.index = (int32_t)p->job_count, .after = -1};
    p->job_count++;
    return job;
}

/* Adds retries of the last job as long as it fails. */
static void add_retries(struct player *p, const struct session *s, struct rng_stream *stream)
{
    size_t last = p->job_count - 1;
    for (int tries = 0; tries < RETRIES_MOST && p->jobs[last].status == TRACE_FAILED; tries++) {
        if (rng_uniform(stream) >= p->values[MIX_RETRY_SHARE])
            return;
        double think_s = gsl_ran_exponential(rng_gsl(stream), p->values[MIX_RETRY_THINK_S]);
        struct mix_job *job = add_job(p);
        const struct mix_job *former = &p->jobs[last];
        job->session = former->session;
        job->queue = former->queue;
        job->user = former->user;
        job->after = former->index;
        job->submit_s = former->submit_s + former->duration_s + llround(fmin(think_s, 1e8));
        draw_job(p, s, job);
        last = p->job_count - 1;
    }
}

/* Draws all jobs of a session, with times relative to its beginning. */
static void draw_session(struct player *p, uint64_t number)
{
    const double *v = p->values;
    struct rng_stream stream;
    rng_init(&stream, p->seed, RNG_MIX_GROUP, number);
    struct session s = {.source = &p->sources[gsl_ran_discrete(rng_gsl(&stream), p->source)]};
    const struct gen_team *team = gen_team_draw(p->teams, rng_gsl(&stream));
    uint32_t user = gen_user_draw(team, rng_gsl(&stream));
    size_t count = 1 + gsl_ran_discrete(rng_gsl(&stream), s.source->lengths);
    s.sweep = s.source->class->sweeps && rng_uniform(&stream) < v[MIX_SWEEP_SHARE];
    if (s.sweep)
        count = (size_t)v[MIX_SWEEP_LEAST] +
                gsl_rng_uniform_int(rng_gsl(&stream),
                                    (unsigned long)(v[MIX_SWEEP_MOST] - v[MIX_SWEEP_LEAST]) + 1);
    s.common = gsl_ran_ugaussian(rng_gsl(&stream));
    draw_size(&s, &stream);
    double at_s = 0;
    p->job_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && !s.sweep && rng_uniform(&stream) >= v[MIX_SAME_SIZE])
            draw_size(&s, &stream);
        struct mix_job *job = add_job(p);
        job->session = number;
        job->queue = team->queue;
        job->user = user;
        job->submit_s = llround(at_s);
        draw_job(p, &s, job);
        if (v[MIX_RETRY_SHARE] > 0 && !s.sweep)
            add_retries(p, &s, &stream);
        if (!s.sweep)
            at_s += gsl_ran_exponential(rng_gsl(&stream), v[MIX_SESSION_GAP_S]);
    }
    put_rungs(p);
}

static double draw_mark(const struct player *p, uint64_t number)
{
    struct rng_stream stream;
    rng_init(&stream, p->seed, RNG_MIX_TIME, number);
    return gsl_ran_exponential(rng_gsl(&stream), 1);
}

/* ---- pass 1 ---- */

/* The expected run time of a job: one in `halving` continues beyond each rung. */
static double expected_s(const struct mix_job *job, double halving)
{
    double left = (double)job->duration_s, sum = 0, share = 1, from = 0;
    for (int k = 0; k < 2 && job->rung_s[k] > 0 && (double)job->rung_s[k] < left; k++) {
        if ((double)job->rung_s[k] <= from)
            continue;
        sum += share * ((double)job->rung_s[k] - from);
        from = (double)job->rung_s[k];
        share /= halving;
    }
    return sum + share * (left - from);
}

static double session_gpu_s(const struct player *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->job_count; i++)
        sum += (double)p->jobs[i].gpu_milli / 1000 *
               expected_s(&p->jobs[i], p->values[MIX_SWEEP_HALVING]);
    return sum;
}

/* Sets the number of sessions and the horizon. */
static void count_sessions(struct player *p)
{
    const double *v = p->values;
    bool by_jobs = v[MIX_JOBS] > 0;
    double target = v[MIX_LOAD] * v[MIX_GPUS] * v[MIX_HORIZON_S], sum = 0;
    uint64_t jobs = 0;
    p->jobs_most = by_jobs ? (uint64_t)v[MIX_JOBS] : UINT64_MAX;
    for (;;) {
        draw_session(p, p->sessions);
        if (by_jobs && jobs + p->job_count > p->jobs_most)
            p->job_count = (size_t)(p->jobs_most - jobs);
        double own = session_gpu_s(p);
        /* Keep the last session if that brings the load closer to its target. */
        if (!by_jobs && p->sessions > 0 && sum + own / 2 > target)
            break;
        p->marks += draw_mark(p, p->sessions++);
        jobs += p->job_count;
        sum += own;
        if (by_jobs ? jobs >= p->jobs_most : sum >= target)
            break;
    }
    p->marks += draw_mark(p, p->sessions);
    p->horizon_s = !by_jobs || p->mix->span_s > 0 ? v[MIX_HORIZON_S]
                                                  : fmax(60, sum / (v[MIX_LOAD] * v[MIX_GPUS]));
}

static bool make_hours(struct player *p, struct err *err)
{
    if (p->horizon_s > 100 * 366 * 86400.0)
        return err_set(err, EXIT_INPUT,
                       "profile '%s': %.0f jobs arrive within %.3g years, expected at most 100; "
                       "raise load or gpus",
                       p->mix->name, p->values[MIX_JOBS], p->horizon_s / (365.25 * 86400));
    p->hour_count = (size_t)ceil(p->horizon_s / HOUR_S);
    p->hours = mem_alloc(p->hour_count + 1, sizeof *p->hours);
    mix_hours(p->mix, p->values, p->seed, p->hour_count, p->hours);
    return true;
}

/* ---- pass 2 ---- */

/* Sets the beginning of the next session, if there is one. */
static void next_begin(struct player *p)
{
    if (p->session == p->sessions)
        return;
    p->mark += draw_mark(p, p->session);
    /* The last hour may be incomplete. */
    double rest = p->horizon_s / HOUR_S - (double)(p->hour_count - 1);
    double total = p->hours[p->hour_count - 1] +
                   rest * (p->hours[p->hour_count] - p->hours[p->hour_count - 1]);
    double at = p->mark / p->marks * total;
    while (p->hour + 1 < p->hour_count && p->hours[p->hour + 1] <= at)
        p->hour++;
    double width = p->hours[p->hour + 1] - p->hours[p->hour];
    double part = width > 0 ? (at - p->hours[p->hour]) / width : 0;
    double seconds = floor(((double)p->hour + part) * HOUR_S);
    p->begin_s = (int64_t)fmin(seconds, ceil(p->horizon_s) - 1);
}

static void play_session(struct player *p)
{
    int64_t last_s = (int64_t)ceil(p->horizon_s) - 1;
    draw_session(p, p->session++);
    for (size_t i = 0; i < p->job_count && p->drawn < p->jobs_most; i++) {
        struct mix_job *job = &p->jobs[i];
        job->submit_s += p->begin_s;
        /* A session at the very end is compressed; retries are not. */
        if (job->after < 0 && job->submit_s > last_s)
            job->submit_s = last_s;
        job->sequence = p->drawn++;
        p->heap = mem_grow(p->heap, &p->heap_capacity, p->heap_count + 1, sizeof *p->heap);
        waiting_put(p->heap, &p->heap_count, *job);
    }
    next_begin(p);
}

static bool has_servers(const struct player *p, const struct mix_job *job)
{
    struct rng_stream stream;
    if (p->values[MIX_SERVER_SHARE] <= 0 || job->gpu_milli < 2000)
        return false;
    rng_init(&stream, p->seed, RNG_MIX_SERVERS, job->session);
    return rng_uniform(&stream) < p->values[MIX_SERVER_SHARE];
}

static void put_job(struct player *p, struct trace_job *job, const struct mix_job *from)
{
    trace_job_init(job);
    char letter = p->base.format[0];
    snprintf(p->id, sizeof p->id, "%c%" PRIu64 ".%" PRId32, letter, from->session, from->index);
    job->id = p->id;
    job->row = p->row++;
    job->queue = from->queue;
    job->user = from->user;
    job->class = (enum trace_class)from->class;
    job->status = (enum trace_status)from->status;
    job->submit_ms = job->eligible_ms = from->submit_s * 1000;
    job->duration_ms = from->duration_s * 1000;
    job->limit_ms = from->limit_s * 1000;
    job->sm_util_ppm = from->sm_util_ppm;
    job->active_ppm = from->active_ppm;
    job->attempts = from->attempts;
    if (from->gpu_milli < 1000) {
        job->gpus = 1;
        job->gpu_milli = (int32_t)from->gpu_milli;
    } else {
        job->gpus_total = from->gpu_milli / 1000;
    }
    if (has_servers(p, from))
        mix_roles(job, p->roles);
    if (from->after >= 0) {
        snprintf(p->after, sizeof p->after, "any:%c%" PRIu64 ".%" PRId32, letter, from->session,
                 from->after);
        job->after = p->after;
    }
    if (from->sweep) {
        snprintf(p->array, sizeof p->array, "sweep%" PRIu64, from->session);
        job->array = p->array;
        job->array_limit = (int32_t)p->values[MIX_SWEEP_LIMIT];
    }
    if (from->rung_s[0] > 0) {
        int n = snprintf(p->rungs, sizeof p->rungs, "%" PRId64, from->rung_s[0]);
        if (from->rung_s[1] > from->rung_s[0])
            snprintf(p->rungs + n, sizeof p->rungs - (size_t)n, "|%" PRId64, from->rung_s[1]);
        job->rungs = p->rungs;
        job->eta_milli = llround(p->values[MIX_SWEEP_HALVING] * 1000);
    }
}

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    (void)err;
    struct player *p = (struct player *)base;
    while (p->session < p->sessions && (p->heap_count == 0 || p->begin_s <= p->heap[0].submit_s))
        play_session(p);
    if (p->heap_count == 0)
        return TRACE_END;
    struct mix_job from = waiting_take(p->heap, &p->heap_count);
    put_job(p, job, &from);
    return TRACE_JOB;
}

/* ---- setting up ---- */

static void close_player(struct trace *base)
{
    struct player *p = (struct player *)base;
    for (size_t i = 0; p->sources != NULL && i < p->mix->class_count; i++) {
        if (p->sources[i].sizes == NULL)
            continue;
        gsl_ran_discrete_free(p->sources[i].sizes);
        gsl_ran_discrete_free(p->sources[i].lengths);
        free(p->sources[i].below);
    }
    if (p->source != NULL)
        gsl_ran_discrete_free(p->source);
    if (p->teams == &p->own_teams)
        gen_teams_free(&p->own_teams);
    free(p->sources);
    free(p->hours);
    free(p->jobs);
    free(p->heap);
}

static void get_digest(const struct trace *base, char hex[DIGEST_HEX])
{
    memcpy(hex, ((const struct player *)base)->digest, DIGEST_HEX);
}

static const struct trace_methods player_methods = {
    .next = next, .close = close_player, .digest = get_digest};

/* Returns the mean number of jobs in a session. */
static double make_lengths(const struct player *p, struct source *source)
{
    const struct mix *mix = p->mix;
    double most = p->values[MIX_SESSION_MOST], own = source->class->session_most;
    size_t count = (size_t)(own > 0 && own < most ? own : most);
    if (mix->session_lengths != NULL)
        count = mix->session_length_count;
    double *weights = mem_alloc(count, sizeof *weights), sum = 0, jobs = 0;
    for (size_t i = 0; i < count; i++) {
        weights[i] = mix->session_lengths != NULL
                         ? mix->session_lengths[i]
                         : pow((double)(i + 1), -p->values[MIX_SESSION_SLOPE]);
        sum += weights[i];
        jobs += weights[i] * (double)(i + 1);
    }
    source->lengths = gen_discrete(count, weights);
    free(weights);
    double mean = jobs / sum;
    double sweep = source->class->sweeps ? p->values[MIX_SWEEP_SHARE] : 0;
    return (1 - sweep) * mean +
           sweep * (p->values[MIX_SWEEP_LEAST] + p->values[MIX_SWEEP_MOST]) / 2;
}

/* Returns false if all its jobs are too large. */
static bool make_sizes(struct source *source, int64_t most_milli)
{
    const struct mix_class *class = source->class;
    double *weights = mem_alloc(class->size_count, sizeof *weights), sum = 0, below = 0;
    for (size_t i = 0; i < class->size_count; i++) {
        weights[i] = class->sizes[i].gpu_milli <= most_milli ? class->sizes[i].weight : 0;
        sum += weights[i];
    }
    if (sum > 0) {
        source->sizes = gen_discrete(class->size_count, weights);
        source->below = mem_alloc(class->size_count + 1, sizeof *source->below);
        for (size_t i = 0; i < class->size_count; i++) {
            below += weights[i] / sum;
            source->below[i + 1] = fmin(below, 1);
        }
    }
    free(weights);
    return sum > 0;
}

static double class_factor(const struct player *p, const struct mix_class *class)
{
    return p->values[class->class == TRACE_CLASS_UNSET ? MIX_TRAIN : MIX_BUILD + (int)class->class];
}

static bool make_sources(struct player *p, struct err *err)
{
    size_t count = p->mix->class_count;
    double *weights = mem_alloc(count, sizeof *weights), sum = 0;
    p->sources = mem_alloc(count, sizeof *p->sources);
    for (size_t i = 0; i < count; i++) {
        struct source *source = &p->sources[i];
        source->class = &p->mix->classes[i];
        if (!make_sizes(source, (int64_t)fmin(p->values[MIX_MAX_GPUS], p->values[MIX_GPUS]) * 1000))
            continue;
        weights[i] =
            source->class->share * class_factor(p, source->class) / make_lengths(p, source);
        sum += weights[i];
    }
    if (sum > 0)
        p->source = gen_discrete(count, weights);
    free(weights);
    return sum > 0 || err_set(err, EXIT_INPUT,
                              "profile '%s': no class of jobs is left: all shares are 0, or all "
                              "jobs are larger than max_gpus or gpus",
                              p->mix->name);
}

/* The mix's own teams, those of the options, or queues vc1, vc2, ... with equal numbers of users.
 */
static void make_teams(struct player *p, const struct trace_generate_options *options)
{
    p->teams = p->mix->teams != NULL ? p->mix->teams : &p->own_teams;
    if (p->mix->teams != NULL)
        return;
    if (options->team_count > 0) {
        gen_teams_make(&p->own_teams, options->teams, options->team_count,
                       p->values[MIX_USER_SLOPE], &options->names);
        return;
    }
    size_t count = (size_t)p->values[MIX_QUEUES];
    struct trace_team *teams = mem_alloc(count, sizeof *teams);
    for (size_t i = 0; i < count; i++) {
        int users = (int)(p->values[MIX_USERS] / (double)count +
                          ((double)i < fmod(p->values[MIX_USERS], (double)count)));
        teams[i] = (struct trace_team){.queue = mem_format("vc%zu", i + 1),
                                       .weight = pow((double)(i + 1), -p->values[MIX_QUEUE_SLOPE]),
                                       .users = users > 0 ? users : 1};
    }
    gen_teams_make(&p->own_teams, teams, count, p->values[MIX_USER_SLOPE], &options->names);
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)teams[i].queue);
    free(teams);
}

bool mix_generate(struct trace **trace, const struct mix *mix, const double *values,
                  const struct trace_generate_options *options, const char *digest, struct err *err)
{
    if (values[MIX_SWEEP_LEAST] > values[MIX_SWEEP_MOST])
        return err_set(err, EXIT_INPUT, "profile '%s': sweep_least is %.0f, above sweep_most %.0f",
                       mix->name, values[MIX_SWEEP_LEAST], values[MIX_SWEEP_MOST]);
    struct player *p = mem_alloc(1, sizeof *p);
    p->base.methods = &player_methods;
    p->base.format = mix->name;
    p->base.linked = values[MIX_RETRY_SHARE] > 0 || values[MIX_SWEEP_SHARE] > 0;
    p->base.mixed = values[MIX_SERVER_SHARE] > 0;
    p->mix = mix;
    memcpy(p->values, values, sizeof p->values);
    p->seed = options->seed;
    memcpy(p->digest, digest, DIGEST_HEX);
    make_teams(p, options);
    bool ok = make_sources(p, err);
    if (ok)
        count_sessions(p);
    if (!ok || !make_hours(p, err)) {
        trace_close(&p->base);
        return false;
    }
    next_begin(p);
    *trace = &p->base;
    return true;
}
