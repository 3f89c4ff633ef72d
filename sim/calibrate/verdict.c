/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences about a calibration; see verdict.h. */
#include "sim/calibrate/verdict.h"

#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/calibrate/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MOSTLY 0.5 /* of all the difference: worth naming */

static void say(struct calibrate_verdict *v, char *sentence)
{
    BUG_ON(v->count == CALIBRATE_SENTENCES);
    v->sentences[v->count++] = sentence;
}

static void say_waits(struct calibrate_verdict *v, const struct calibrate *c)
{
    char p95[2][UNIT_TEXT], mean[2][UNIT_TEXT];
    say(v, mem_format("%s p95 wait %s recorded, %s simulated; mean wait %s recorded, %s simulated",
                      calibrate_agrees(c) ? "the simulation agrees with the log:"
                                          : "the simulation differs from the log:",
                      unit_duration(p95[0], c->all.recorded.p95_s),
                      unit_duration(p95[1], c->all.simulated.p95_s),
                      unit_duration(mean[0], c->all.recorded.mean_s),
                      unit_duration(mean[1], c->all.simulated.mean_s)));
}

/* ---- where the difference comes from ---- */

/* The sum over groups of |difference|, in which opposite signs do not cancel. */
static double sum_of(const struct calibrate_group *groups, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(groups[i].difference_s);
    return sum;
}

/* The one with the largest difference; the first of equal ones. */
static size_t largest(const struct calibrate_group *groups, size_t count)
{
    size_t most = 0;
    for (size_t i = 1; i < count; i++)
        if (fabs(groups[i].difference_s) > fabs(groups[most].difference_s))
            most = i;
    return most;
}

static void say_part(struct calibrate_verdict *v, const struct calibrate *c)
{
    static const char *const meanings[PARTS] = {
        [PART_NEITHER] = "jobs that start at once in both, within a minute: the interval between "
                         "cycles and the time that launches take",
        [PART_RECORDED] = "jobs that waited in the log and start at once in the simulation: the "
                          "fleet, its limits or its outages are not those of the log, or the log "
                          "lacks jobs that ran beside",
        [PART_SIMULATED] = "jobs that started at once in the log and wait in the simulation: the "
                           "fleet is too small, quotas are too tight, or blocking is too strict",
        [PART_BOTH] = "jobs that wait in both, but not as long: order, priorities or backfill",
    };
    char share[UNIT_TEXT], jobs[UNIT_TEXT];
    double sum = sum_of(c->parts, PARTS);
    size_t most = largest(c->parts, PARTS);
    if (sum <= 0)
        return;
    say(v, mem_format("the difference comes from (%s of it, %s jobs) %s",
                      unit_percent(share, fabs(c->parts[most].difference_s) / sum),
                      unit_count(jobs, (double)c->parts[most].jobs), meanings[most]));
}

static void say_queue(struct calibrate_verdict *v, const struct calibrate *c)
{
    char share[UNIT_TEXT], hours[UNIT_TEXT];
    double sum = sum_of(c->queues, c->queue_count);
    size_t most = largest(c->queues, c->queue_count);
    if (c->queue_count < 2 || sum <= 0 || fabs(c->queues[most].difference_s) < MOSTLY * sum)
        return;
    const struct calibrate_group *queue = &c->queues[most];
    say(v, mem_format("queue %s has %s of it: its jobs waited %s %s in all than simulated",
                      queue->name, unit_percent(share, fabs(queue->difference_s) / sum),
                      unit_duration(hours, fabs(queue->difference_s)),
                      queue->difference_s > 0 ? "longer" : "less"));
}

/* ---- what was not compared ---- */

static void say_fleet(struct calibrate_verdict *v, const struct calibrate *c)
{
    char peak[UNIT_TEXT], installed[UNIT_TEXT];
    if (c->use.peak > c->use.installed)
        say(v, mem_format("%s GPUs were busy at one time in the log, and the fleet has %s",
                          unit_count(peak, c->use.peak), unit_count(installed, c->use.installed)));
}

static void say_left_out(struct calibrate_verdict *v, uint64_t jobs, const char *what)
{
    if (jobs > 0)
        say(v, mem_format("%s: %" PRIu64 " jobs", what, jobs));
}

void calibrate_verdict_make(struct calibrate_verdict *v, const struct calibrate *c)
{
    *v = (struct calibrate_verdict){.count = 0};
    say_waits(v, c);
    say_part(v, c);
    say_queue(v, c);
    say_fleet(v, c);
    say_left_out(v, c->never, "started in the log and never in the simulation");
    say_left_out(v, c->log.without_start,
                 "left out, as the log does not say when they started (those that never did would "
                 "make its waits longer)");
    say_left_out(v, c->log.early, "left out, as they started before they were eligible");
    say_left_out(v, c->log.repeated, "left out, as another job has the same id");
}

void calibrate_verdict_fini(struct calibrate_verdict *v)
{
    for (size_t i = 0; i < v->count; i++)
        free(v->sentences[i]);
}
