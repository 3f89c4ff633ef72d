/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits by group, starts and use of GPUs; see figures.h. */
#include "sim/calibrate/figures.h"

#include "report/stats/tally.h"
#include "sim/base/in_order.h"
#include "sim/base/mem.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#define SMALL_S 10.0 /* see calibrate_distance() */
#define NEVER   10.0

/* ---- waits ---- */

/* The waits of a group. */
struct heap {
    struct tally recorded, simulated;
    double difference_ms;
};

static void heap_add(struct heap *heap, const struct calibrate_job *job)
{
    tally_add(&heap->recorded, job->recorded_ms, false);
    tally_add(&heap->simulated, job->simulated_ms, false);
    heap->difference_ms += (double)(job->recorded_ms - job->simulated_ms);
}

static struct calibrate_waits waits_of(const struct tally *tally, uint64_t jobs)
{
    size_t count;
    struct tally_cell *cells = tally_sorted(tally, &count);
    struct calibrate_waits waits = {
        .mean_s = (double)tally->sum / (double)jobs / 1000,
        .p50_s = (double)tally_quantile(tally, cells, count, 0.5).value / 1000,
        .p95_s = (double)tally_quantile(tally, cells, count, 0.95).value / 1000,
        .max_s = (double)tally->max / 1000};
    free(cells);
    return waits;
}

/* Ends the heap. */
static void fill_group(struct calibrate_group *group, struct heap *heap, const char *name)
{
    uint64_t jobs = heap->recorded.observed;
    *group = (struct calibrate_group){
        .name = name, .jobs = jobs, .difference_s = heap->difference_ms / 1000};
    if (jobs > 0) {
        group->recorded = waits_of(&heap->recorded, jobs);
        group->simulated = waits_of(&heap->simulated, jobs);
    }
    tally_fini(&heap->recorded);
    tally_fini(&heap->simulated);
}

static enum calibrate_part part_of(const struct calibrate_job *job)
{
    return (job->recorded_ms > CALIBRATE_AT_ONCE_MS ? PART_RECORDED : PART_NEITHER) +
           (job->simulated_ms > CALIBRATE_AT_ONCE_MS ? PART_SIMULATED : PART_NEITHER);
}

static size_t hour_of(const struct calibrate_job *job)
{
    int64_t hour = job->eligible_ms / CALIBRATE_HOUR;
    hour -= job->eligible_ms % CALIBRATE_HOUR < 0; /* rounded down also before zero */
    return (size_t)((hour % CALIBRATE_DAY + CALIBRATE_DAY) % CALIBRATE_DAY);
}

static bool is_compared(const struct calibrate_job *job)
{
    return job->counted && job->simulated_ms != CALIBRATE_NEVER;
}

static void fill_groups(struct calibrate *c)
{
    const struct calibrate_log *log = &c->log;
    c->queue_count = symbols_count(log->names.queues);
    c->queues = mem_alloc(c->queue_count + 1, sizeof *c->queues);
    struct heap all = {0}, classes[TRACE_CLASSES] = {0}, day[CALIBRATE_DAY] = {0},
                parts[PARTS] = {0}, *queues = mem_alloc(c->queue_count + 1, sizeof *queues);
    for (size_t i = 0; i < log->job_count; i++) {
        const struct calibrate_job *job = &log->jobs[i];
        c->never += job->counted && job->simulated_ms == CALIBRATE_NEVER;
        if (!is_compared(job))
            continue;
        heap_add(&all, job);
        heap_add(&classes[job->class], job);
        heap_add(&day[hour_of(job)], job);
        heap_add(&parts[part_of(job)], job);
        heap_add(&queues[job->queue], job);
    }
    fill_group(&c->all, &all, NULL);
    for (size_t i = 0; i < TRACE_CLASSES; i++)
        fill_group(&c->classes[i], &classes[i], trace_class_names[i]);
    for (size_t i = 0; i < CALIBRATE_DAY; i++)
        fill_group(&c->day[i], &day[i], NULL);
    for (size_t i = 0; i < PARTS; i++)
        fill_group(&c->parts[i], &parts[i], NULL);
    for (size_t i = 0; i < c->queue_count; i++)
        fill_group(&c->queues[i], &queues[i], symbols_name(log->names.queues, (uint32_t)i));
    free(queues);
}

/* ---- starts ---- */

/* In the order of recorded starts; of equal ones in that of simulated starts, as either order of
 * them is right. */
static int by_start(const void *left, const void *right)
{
    const struct calibrate_job *a = *(const struct calibrate_job *const *)left;
    const struct calibrate_job *b = *(const struct calibrate_job *const *)right;
    if (a->start_ms != b->start_ms)
        return a->start_ms < b->start_ms ? -1 : 1;
    if (a->simulated_start_ms != b->simulated_start_ms)
        return a->simulated_start_ms < b->simulated_start_ms ? -1 : 1;
    return (a > b) - (a < b); /* places in one array */
}

static void fill_starts(struct calibrate *c)
{
    const struct calibrate_job **sorted = mem_alloc(c->log.job_count + 1, sizeof *sorted);
    int64_t *simulated = mem_alloc(c->log.job_count + 1, sizeof *simulated);
    struct tally apart = {0};
    size_t count = 0, cells_count;
    for (size_t i = 0; i < c->log.job_count; i++)
        if (is_compared(&c->log.jobs[i]))
            sorted[count++] = &c->log.jobs[i];
    if (count > 0)
        qsort(sorted, count, sizeof *sorted, by_start);
    for (size_t i = 0; i < count; i++) {
        simulated[i] = sorted[i]->simulated_start_ms;
        tally_add(&apart, llabs(sorted[i]->recorded_ms - sorted[i]->simulated_ms), false);
    }
    struct tally_cell *cells = tally_sorted(&apart, &cells_count);
    if (count > 0)
        c->starts = (struct calibrate_starts){
            .median_s = (double)tally_quantile(&apart, cells, cells_count, 0.5).value / 1000,
            .p90_s = (double)tally_quantile(&apart, cells, cells_count, 0.9).value / 1000,
            .in_order = in_order_length(simulated, count)};
    free(cells);
    tally_fini(&apart);
    free(simulated);
    free(sorted);
}

/* ---- use ---- */

/* A job takes or returns GPUs. */
struct change {
    int64_t at_ms, milli;
};

static int by_time(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    if (a->at_ms != b->at_ms)
        return a->at_ms < b->at_ms ? -1 : 1;
    return (a->milli > b->milli) - (a->milli < b->milli); /* returns come first, so that returned
                                                             GPUs can be taken */
}

static double peak_of(const struct calibrate_log *log)
{
    struct change *changes = mem_alloc(2 * log->job_count + 1, sizeof *changes);
    size_t count = 0;
    int64_t now = 0, peak = 0;
    for (size_t i = 0; i < log->job_count; i++) {
        const struct calibrate_job *job = &log->jobs[i];
        if (job->end_ms > job->start_ms) {
            changes[count++] = (struct change){job->start_ms, job->gpu_milli};
            changes[count++] = (struct change){job->end_ms, -job->gpu_milli};
        }
    }
    if (count > 0)
        qsort(changes, count, sizeof *changes, by_time);
    for (size_t i = 0; i < count; i++) {
        now += changes[i].milli;
        peak = now > peak ? now : peak;
    }
    free(changes);
    return (double)peak / 1000;
}

static void fill_use(struct calibrate *c)
{
    size_t n = c->hours.count;
    struct calibrate_use *use = &c->use;
    use->peak = peak_of(&c->log);
    use->recorded = use->simulated = use->gap = use->correlation = (double)NAN;
    if (n == 0)
        return;
    const double *recorded = &c->hours.hours[0].recorded, *simulated = &c->hours.hours[0].simulated;
    use->recorded = gsl_stats_mean(recorded, 2, n);
    use->simulated = gsl_stats_mean(simulated, 2, n);
    use->gap = 0;
    for (size_t i = 0; i < n; i++)
        use->gap += fabs(c->hours.hours[i].recorded - c->hours.hours[i].simulated) / (double)n;
    bool varies =
        n > 1 && gsl_stats_variance(recorded, 2, n) > 0 && gsl_stats_variance(simulated, 2, n) > 0;
    if (varies)
        use->correlation = gsl_stats_correlation(recorded, 2, simulated, 2, n);
}

void calibrate_figures(struct calibrate *c)
{
    fill_groups(c);
    fill_starts(c);
    fill_use(c);
}

/* ---- agreement ---- */

double calibrate_distance(const struct calibrate *c)
{
    double sum = 0, jobs = 0;
    for (size_t i = 0; i < c->log.job_count; i++) {
        const struct calibrate_job *job = &c->log.jobs[i];
        if (!job->counted)
            continue;
        double recorded = (double)job->recorded_ms / 1000,
               simulated = (double)job->simulated_ms / 1000;
        bool never = job->simulated_ms == CALIBRATE_NEVER;
        sum += never ? NEVER : fabs(log((recorded + SMALL_S) / (simulated + SMALL_S)));
        jobs++;
    }
    return jobs > 0 ? sum / jobs : 0;
}

static bool is_near(double recorded_s, double simulated_s)
{
    double apart = fabs(recorded_s - simulated_s);
    return apart <= CALIBRATE_AT_ONCE_MS / 1000.0 || apart <= 0.1 * recorded_s;
}

bool calibrate_agrees(const struct calibrate *c)
{
    return is_near(c->all.recorded.p95_s, c->all.simulated.p95_s) &&
           is_near(c->all.recorded.mean_s, c->all.simulated.mean_s) &&
           c->never * 100 <= c->all.jobs + c->never;
}
