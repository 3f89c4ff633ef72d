/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See fit.h. */
#include "traces/generate/fit.h"

#include "sim/base/mem.h"
#include "traces/generate/mix.h"
#include "traces/vary/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS      400  /* points of a distribution of run times */
#define LENGTHS    1000 /* jobs per session; longer ones count as several */
#define CLASSES    (TRACE_CLASSES + 1)
#define OUTCOMES   7
#define ROW_LEAST  30 /* least number of jobs for a separate row of ends */
#define HOUR_MS    INT64_C(3600000)
#define DAY_MS     (24 * HOUR_MS)
#define MOST_HOURS 900000

struct trace_fit {
    struct mix mix;
    struct mix_class classes[CLASSES];
    struct mix_outcome outcomes[OUTCOMES];
    struct gen_teams teams;
    double values[MIX_PARAMETERS];
    double lengths[LENGTHS];
};

/* The facts used about a job. */
struct seen {
    int64_t submit_ms, gpu_milli;
    double seconds, rank; /* mean rank of its run time in its class, 0..1 */
    uint32_t user;
    int class;
    size_t index;
};

/* ---- ranks ---- */

static int by_seconds(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->class != y->class)
        return (x->class > y->class) - (x->class < y->class);
    if (x->seconds < y->seconds || x->seconds > y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_user(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->user != y->user)
        return (x->user > y->user) - (x->user < y->user);
    return (x->index > y->index) - (x->index < y->index);
}

static int by_size(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->gpu_milli != y->gpu_milli)
        return (x->gpu_milli > y->gpu_milli) - (x->gpu_milli < y->gpu_milli);
    return (x->index > y->index) - (x->index < y->index);
}

/* Sets the mean rank of equal run times; `jobs` are `count` jobs of a class in the order of run
 * times. */
static void set_ranks(struct seen *jobs, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && !(jobs[end].seconds > jobs[i].seconds);)
            end++;
        for (size_t k = i; k < end; k++)
            jobs[k].rank = ((double)i + (double)end) / 2 / (double)count;
    }
}

struct moments {
    double n, x, y, xx, yy, xy;
};

static void add_pair(struct moments *m, double x, double y)
{
    m->n++, m->x += x, m->y += y;
    m->xx += x * x, m->yy += y * y, m->xy += x * y;
}

/* The correlation of normal scores that gives this correlation of ranks. */
static double normal_correlation(const struct moments *m)
{
    double both = (m->n * m->xx - m->x * m->x) * (m->n * m->yy - m->y * m->y);
    double r = both > 0 ? (m->n * m->xy - m->x * m->y) / sqrt(both) : 0;
    return 2 * sin(3.14159265358979 * r / 6);
}

/* ---- classes ---- */

/* Up to two points per rank: the share of jobs below a run time, and the share up to it. */
static void fit_durations(struct mix_class *class, const struct seen *jobs, size_t count)
{
    struct mix_point *points = mem_alloc(2 * (RANKS + 1), sizeof *points);
    size_t n = 0;
    for (size_t r = 0; r <= RANKS; r++) {
        size_t at = r * (count - 1) / RANKS, from = at, to = at + 1;
        double seconds = jobs[at].seconds;
        while (from > 0 && !(jobs[from - 1].seconds < seconds))
            from--;
        while (to < count && !(jobs[to].seconds > seconds))
            to++;
        double below = 100 * (double)from / (double)count, upto = 100 * (double)to / (double)count;
        if (n > 0 && !(points[n - 1].seconds < seconds))
            continue;
        if (n > 0 && points[n - 1].percent <= below && points[n - 1].seconds < seconds * (1 - 1e-9))
            points[n++] = (struct mix_point){seconds * (1 - 1e-9), below};
        points[n++] = (struct mix_point){seconds, upto};
    }
    class->durations = points;
    class->duration_count = n;
}

/* `jobs` are sorted by size. Shares of more than one GPU become whole GPUs. */
static void fit_sizes(struct mix_class *class, const struct seen *jobs, size_t count)
{
    size_t capacity = 0, n = 0;
    struct mix_size *sizes = NULL;
    for (size_t i = 0; i < count; i++) {
        int64_t milli =
            jobs[i].gpu_milli > 1000 ? (jobs[i].gpu_milli + 999) / 1000 * 1000 : jobs[i].gpu_milli;
        if (n == 0 || sizes[n - 1].gpu_milli != milli) {
            sizes = mem_grow(sizes, &capacity, n + 1, sizeof *sizes);
            sizes[n++] = (struct mix_size){milli, 0};
        }
        sizes[n - 1].weight++;
    }
    class->sizes = sizes;
    class->size_count = n;
    struct moments m = {0};
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && jobs[end].gpu_milli == jobs[i].gpu_milli;)
            end++;
        for (size_t k = i; k < end; k++)
            add_pair(&m, ((double)i + (double)end) / 2, jobs[k].rank);
    }
    class->size_effect = fmax(-0.95, fmin(0.95, normal_correlation(&m)));
}

/* The 10th to 90th percentile, in percent; unknown if no job has a value. */
static struct gen_percent fit_percent(const struct whole *whole, int class, bool active)
{
    size_t counts[101] = {0}, n = 0, below = 0;
    for (size_t i = 0; i < whole->count; i++) {
        int32_t ppm = active ? whole->jobs[i].active_ppm : whole->jobs[i].sm_util_ppm;
        if ((int)whole->jobs[i].class != class || ppm < 0)
            continue;
        counts[(ppm + 5000) / 10000]++;
        n++;
    }
    struct gen_percent range = {-1, -1};
    for (int p = 0; n > 0 && p <= 100; p++) {
        below += counts[p];
        if (range.low < 0 && below * 10 >= n)
            range.low = p;
        if (range.high < 0 && below * 10 >= 9 * n)
            range.high = p;
    }
    return range;
}

static void fit_classes(struct trace_fit *fit, const struct whole *whole, struct seen *jobs,
                        size_t count)
{
    qsort(jobs, count, sizeof *jobs, by_seconds);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && jobs[end].class == jobs[i].class;)
            end++;
        struct mix_class *class = &fit->classes[fit->mix.class_count++];
        *class = (struct mix_class){.class = (enum trace_class)jobs[i].class,
                                    .share = (double)(end - i)};
        set_ranks(jobs + i, end - i);
        fit_durations(class, jobs + i, end - i);
        class->sm_util = fit_percent(whole, jobs[i].class, false);
        class->active = fit_percent(whole, jobs[i].class, true);
        fit->mix.max_s = fmax(fit->mix.max_s, ceil(jobs[end - 1].seconds));
        qsort(jobs + i, end - i, sizeof *jobs, by_size);
        fit_sizes(class, jobs + i, end - i);
    }
    fit->mix.classes = fit->classes;
}

/* ---- ends ---- */

static void fit_outcomes(struct trace_fit *fit, const struct whole *whole, const struct seen *jobs,
                         size_t count)
{
    double counts[OUTCOMES][TRACE_STATUSES] = {{0}}, ranks[TRACE_STATUSES] = {0},
           n[TRACE_STATUSES] = {0};
    double attempts[TRACE_STATUSES] = {0}, known[TRACE_STATUSES] = {0};
    static const int64_t floors[OUTCOMES] = {0, 2, 4, 8, 16, 32, 64};
    for (size_t i = 0; i < count; i++) {
        const struct trace_job *job = &whole->jobs[jobs[i].index];
        int row = OUTCOMES - 1;
        while (floors[row] * 1000 > jobs[i].gpu_milli)
            row--;
        counts[row][job->status]++;
        ranks[job->status] += jobs[i].rank;
        n[job->status]++;
        attempts[job->status] += job->attempts > 0 ? job->attempts : 0;
        known[job->status] += job->attempts > 0;
    }
    for (int row = 0; row < OUTCOMES; row++) {
        double sum = counts[row][0] + counts[row][1] + counts[row][2];
        if (row > 0 && sum < ROW_LEAST)
            continue;
        struct mix_outcome *to = &fit->outcomes[fit->mix.outcome_count++];
        to->min_gpus = floors[row];
        for (int s = 0; s < TRACE_STATUSES;
             s++) /* an empty first row gets the shares of all jobs */
            to->share[s] = sum > 0 ? counts[row][s] : n[s];
    }
    for (int s = 0; s < TRACE_STATUSES; s++)
        fit->mix.attempts[s] = known[s] > 0 ? attempts[s] / known[s] : 0;
    /* The density 1 + a (1 - 2 u) on 0..1 has the mean 1/2 - a / 6. */
    double failed = n[TRACE_FAILED] > 0 ? ranks[TRACE_FAILED] / n[TRACE_FAILED] : 0.5;
    double cancelled = n[TRACE_CANCELLED] > 0 ? ranks[TRACE_CANCELLED] / n[TRACE_CANCELLED] : 0.5;
    fit->mix.fail_short = fmax(-1, fmin(1, 6 * (0.5 - failed)));
    fit->mix.cancel_long = fmax(-1, fmin(1, 6 * (cancelled - 0.5)));
    fit->mix.outcomes = fit->outcomes;
}

/* ---- sessions ---- */

struct sessions {
    double starts, gaps, gap_s, same;
    struct moments runs;
    double *by_hour; /* starts per hour */
    size_t hours;
    int64_t first_ms;
};

static void end_session(struct trace_fit *fit, struct sessions *s, const struct seen *first,
                        size_t length)
{
    fit->lengths[length - 1]++;
    s->starts++;
    size_t hour = (size_t)((first->submit_ms - s->first_ms) / HOUR_MS);
    if (hour < s->hours)
        s->by_hour[hour]++;
}

/* Jobs without a user are sessions of one. */
static void fit_sessions(struct trace_fit *fit, const struct trace_names *names, struct seen *jobs,
                         size_t count, struct sessions *s)
{
    qsort(jobs, count, sizeof *jobs, by_user);
    for (size_t i = 0, end; i < count; i = end) {
        bool nobody = symbols_name(names->users, jobs[i].user)[0] == '\0';
        for (end = i + 1;
             end < count && !nobody && jobs[end].user == jobs[i].user && end - i < LENGTHS; end++) {
            int64_t gap = jobs[end].submit_ms - jobs[end - 1].submit_ms;
            if (gap > SAMPLE_GAP_MS)
                break;
            s->gaps++;
            s->gap_s += (double)gap / 1000;
            s->same += jobs[end].gpu_milli == jobs[end - 1].gpu_milli;
            add_pair(&s->runs, jobs[end - 1].rank, jobs[end].rank);
        }
        end_session(fit, s, &jobs[i], end - i);
    }
    size_t most = LENGTHS;
    while (most > 1 && !(fit->lengths[most - 1] > 0))
        most--;
    fit->mix.session_lengths = fit->lengths;
    fit->mix.session_length_count = most;
    fit->values[MIX_SESSION_GAP_S] = s->gaps > 0 ? s->gap_s / s->gaps : 0;
    fit->values[MIX_SAME_SIZE] = s->gaps > 0 ? s->same / s->gaps : 1;
    double e = fit->classes[0].size_effect, r = normal_correlation(&s->runs);
    fit->values[MIX_LIKENESS] = fmax(0, fmin(1, (r - e * e) / (1 - e * e)));
}

/* ---- arrivals ---- */

static void fit_profile(struct trace_fit *fit, const struct seen *jobs, size_t count,
                        int64_t first_ms)
{
    for (size_t i = 0; i < count; i++) {
        fit->mix.hour[(jobs[i].submit_ms - first_ms) / HOUR_MS % 24]++;
        fit->mix.weekday[(jobs[i].submit_ms - first_ms) / DAY_MS % 7]++;
    }
    /* A trace may contain some days of the week more often than others: use the rate per day. */
    double days = ceil(fit->mix.span_s * 1000 / (double)DAY_MS), sum = 0;
    for (int d = 0; d < 7; d++) {
        double had = floor(days / 7) + (d < fmod(days, 7));
        fit->mix.weekday[d] = had > 0 ? fit->mix.weekday[d] / had : -1;
        sum += had > 0 ? fit->mix.weekday[d] : 0;
    }
    for (int d = 0; d < 7; d++) /* a missing day gets the mean of the others */
        fit->mix.weekday[d] = fit->mix.weekday[d] < 0 ? sum / fmin(days, 7) : fit->mix.weekday[d];
}

/* Fits the variation of session counts beyond Poisson: var = m + (e^(sd^2) - 1) m^2 (a Poisson
 * process with log-normal rates). */
static void fit_noise(struct trace_fit *fit, const struct sessions *s)
{
    double hour = 0, day = 0, excess = 0, squares = 0, lagged = 0, former = 0;
    for (int h = 0; h < 24; h++)
        hour += fit->mix.hour[h] / 24;
    for (int d = 0; d < 7; d++)
        day += fit->mix.weekday[d] / 7;
    for (size_t h = 0; h < s->hours; h++) {
        double m = s->starts / (double)s->hours * fit->mix.hour[h % 24] / hour *
                   fit->mix.weekday[h / 24 % 7] / day;
        double d = s->by_hour[h] - m;
        excess += d * d - m;
        squares += m * m;
        lagged += h > 0 ? d * former : 0;
        former = d;
    }
    double over = squares > 0 ? fmax(0, excess / squares) : 0;
    fit->values[MIX_NOISE_SD] = fmin(2, sqrt(log1p(over)));
    fit->values[MIX_NOISE_RHO] = excess > 0 ? fmax(0, fmin(0.95, lagged / excess)) : 0;
}

/* ---- people ---- */

/* A team per queue, with its users weighted by jobs. A user of several queues is in each of them.
 */
static void fit_teams(struct trace_fit *fit, const struct whole *whole,
                      const struct trace_names *names)
{
    size_t queues = symbols_count(names->queues), users = symbols_count(names->users);
    double **weights = mem_alloc(queues, sizeof *weights), *all = mem_alloc(queues, sizeof *all);
    for (size_t i = 0; i < whole->count; i++) {
        const struct trace_job *job = &whole->jobs[i];
        if (weights[job->queue] == NULL)
            weights[job->queue] = mem_alloc(users, sizeof **weights);
        weights[job->queue][job->user]++;
        all[job->queue]++;
    }
    fit->teams.teams = mem_alloc(queues, sizeof *fit->teams.teams);
    for (uint32_t q = 0, t = 0; q < queues; q++) {
        if (weights[q] == NULL)
            continue;
        struct gen_team *team = &fit->teams.teams[t];
        team->queue = q;
        team->users = mem_alloc(users, sizeof *team->users);
        size_t n = 0;
        for (uint32_t u = 0; u < users; u++)
            if (weights[q][u] > 0) {
                weights[q][n] = weights[q][u];
                team->users[n++] = u;
            }
        team->user = gen_discrete(n, weights[q]);
        all[t++] = all[q];
        fit->teams.count = t;
        free(weights[q]);
    }
    fit->teams.team = gen_discrete(fit->teams.count, all);
    fit->mix.teams = &fit->teams;
    free(weights);
    free(all);
}

/* ---- the whole ---- */

static void set_values(struct trace_fit *fit, const struct seen *jobs, size_t count)
{
    double gpu_s = 0, largest = 1, *v = fit->values;
    for (size_t i = 0; i < count; i++) {
        gpu_s += jobs[i].seconds * (double)jobs[i].gpu_milli / 1000;
        largest = fmax(largest, ceil((double)jobs[i].gpu_milli / 1000));
    }
    memcpy(v, mix_philly_defaults,
           sizeof fit->values); /* for values that are set below or not used */
    double mean = gpu_s / fit->mix.span_s;
    v[MIX_GPUS] = fmin(1e7, fmax(largest, ceil(mean)));
    v[MIX_LOAD] = fmax(1e-3, fmin(10, mean / v[MIX_GPUS]));
    v[MIX_HORIZON_S] = fit->mix.span_s;
    v[MIX_JOBS] = (double)count;
    v[MIX_MAX_GPUS] = fmin(1e6, largest);
    v[MIX_DAY] = v[MIX_WEEK] = v[MIX_FAIL] = 1;
    v[MIX_RETRY_SHARE] = v[MIX_SWEEP_SHARE] = 0;
}

static size_t look(const struct whole *whole, struct seen *jobs)
{
    size_t n = 0;
    for (size_t i = 0; i < whole->count; i++) {
        const struct trace_job *job = &whole->jobs[i];
        int64_t milli = trace_job_gpu_milli(job);
        if (milli <= 0)
            continue;
        jobs[n++] = (struct seen){.submit_ms = job->submit_ms,
                                  .gpu_milli = milli,
                                  .seconds = fmax(1, (double)job->duration_ms / 1000),
                                  .user = job->user,
                                  .class = (int)job->class,
                                  .index = i};
    }
    return n;
}

static int64_t midnight(int64_t ms)
{
    int64_t rest = ms % DAY_MS;
    return ms - (rest < 0 ? rest + DAY_MS : rest);
}

static void fit_all(struct trace_fit *fit, const struct whole *whole,
                    const struct trace_names *names, struct seen *jobs, size_t count)
{
    struct sessions s = {.first_ms = midnight(jobs[0].submit_ms)};
    fit->mix.span_s = fmax(60, ceil((double)(jobs[count - 1].submit_ms + 1 - s.first_ms) / 1000));
    s.hours = (size_t)ceil(fit->mix.span_s * 1000 / (double)HOUR_MS);
    s.by_hour = mem_alloc(s.hours, sizeof *s.by_hour);
    set_values(fit, jobs, count);
    fit_profile(fit, jobs, count, s.first_ms);
    fit_classes(fit, whole, jobs, count);
    fit_outcomes(fit, whole, jobs, count);
    fit_sessions(fit, names, jobs, count, &s);
    fit_noise(fit, &s);
    fit_teams(fit, whole, names);
    free(s.by_hour);
}

struct trace_fit *trace_fit_create(const struct whole *whole, const struct trace_names *names,
                                   struct err *err)
{
    struct seen *jobs = mem_alloc(whole->count, sizeof *jobs);
    size_t count = look(whole, jobs);
    struct trace_fit *fit = NULL;
    if (count < FIT_LEAST_JOBS)
        err_set(err, EXIT_INPUT,
                "the trace has %zu jobs with GPUs, expected at least %d to make others like them",
                count, FIT_LEAST_JOBS);
    else if ((jobs[count - 1].submit_ms - jobs[0].submit_ms) / HOUR_MS > MOST_HOURS)
        err_set(err, EXIT_INPUT, "the trace lasts longer than 100 years");
    else {
        fit = mem_alloc(1, sizeof *fit);
        fit->mix.name = "like";
        fit_all(fit, whole, names, jobs, count);
    }
    free(jobs);
    return fit;
}

void trace_fit_destroy(struct trace_fit *fit)
{
    if (fit == NULL)
        return;
    for (size_t i = 0; i < fit->mix.class_count; i++) {
        free((void *)(uintptr_t)fit->classes[i].sizes);
        free((void *)(uintptr_t)fit->classes[i].durations);
    }
    gen_teams_free(&fit->teams);
    free(fit);
}

bool trace_generate_like(struct trace **trace, const struct trace_fit *fit,
                         const struct trace_generate_options *options, struct err *err)
{
    const struct trace_profile_row row = {"like", "", mix_parameter_names, fit->values,
                                          mix_parameter_texts};
    const struct gen_profile profile = {.row = &row, .ranges = mix_parameter_ranges};
    double *values = gen_profile_values(&profile, options, err);
    if (values == NULL)
        return false;
    struct digest digest;
    digest_init(&digest);
    digest_add(&digest, values, MIX_PARAMETERS * sizeof *values);
    char hex[DIGEST_HEX];
    digest_hex(&digest, hex);
    bool ok = mix_generate(trace, &fit->mix, values, options, hex, err);
    free(values);
    return ok;
}
