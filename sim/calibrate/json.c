/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calibration as JSON; see print.h. Times in seconds, GPUs as numbers, nan as null. */
#include "sim/base/json.h"
#include "sim/calibrate/figures.h"
#include "sim/calibrate/print.h"

#include <math.h>
#include <stdio.h>

#define DIGITS 6

static void write_waits(struct json *j, const char *key, const struct calibrate_waits *waits)
{
    json_begin_object(j, key);
    json_f64(j, "mean", waits->mean_s, DIGITS);
    json_f64(j, "p50", waits->p50_s, DIGITS);
    json_f64(j, "p95", waits->p95_s, DIGITS);
    json_f64(j, "max", waits->max_s, DIGITS);
    json_end_object(j);
}

static void write_group(struct json *j, const char *key, const char *name,
                        const struct calibrate_group *group)
{
    json_begin_object(j, key);
    if (name != NULL)
        json_text(j, "name", name);
    json_u64(j, "jobs", group->jobs);
    json_f64(j, "difference_s", group->difference_s, DIGITS);
    write_waits(j, "recorded_s", &group->recorded);
    write_waits(j, "simulated_s", &group->simulated);
    json_end_object(j);
}

/* A list of those with jobs. */
static void write_groups(struct json *j, const char *key, const struct calibrate_group *groups,
                         size_t count)
{
    char hour[24];
    json_begin_array(j, key);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(hour, sizeof hour, "%02zu:00", i);
        if (groups[i].jobs > 0)
            write_group(j, NULL, groups[i].name != NULL ? groups[i].name : hour, &groups[i]);
    }
    json_end_array(j);
}

static void write_parts(struct json *j, const struct calibrate *c)
{
    static const char *const names[PARTS] = {
        [PART_NEITHER] = "at_once_in_both",
        [PART_RECORDED] = "waited_in_the_log_only",
        [PART_SIMULATED] = "waited_in_the_simulation_only",
        [PART_BOTH] = "waited_in_both",
    };
    json_begin_object(j, "parts");
    for (int i = 0; i < PARTS; i++)
        write_group(j, names[i], NULL, &c->parts[i]);
    json_end_object(j);
}

static void write_use(struct json *j, const struct calibrate *c)
{
    json_begin_object(j, "gpus");
    json_f64(j, "recorded", c->use.recorded, DIGITS);
    json_f64(j, "simulated", c->use.simulated, DIGITS);
    json_f64(j, "gap", c->use.gap, DIGITS);
    json_f64(j, "correlation", c->use.correlation, DIGITS);
    json_f64(j, "recorded_peak", c->use.peak, DIGITS);
    json_f64(j, "installed", c->use.installed, DIGITS);
    json_begin_array(j, "hours");
    for (size_t i = 0; i < c->hours.count; i++) {
        json_begin_object(j, NULL);
        json_seconds(j, "t_s", c->hours.from_ms + (int64_t)i * CALIBRATE_HOUR);
        json_f64(j, "recorded", c->hours.hours[i].recorded, DIGITS);
        json_f64(j, "simulated", c->hours.hours[i].simulated, DIGITS);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

static void write_jobs(struct json *j, const struct calibrate *c)
{
    json_begin_object(j, "jobs");
    json_u64(j, "read", c->log.read);
    json_u64(j, "compared", c->all.jobs);
    json_u64(j, "never_started_in_the_simulation", c->never);
    json_u64(j, "without_recorded_start", c->log.without_start);
    json_u64(j, "started_before_eligible", c->log.early);
    json_u64(j, "repeated_id", c->log.repeated);
    json_end_object(j);
}

static void write_fit(struct json *j, const struct fit *fit)
{
    json_begin_object(j, "fit");
    json_f64(j, "distance_before", fit->before, DIGITS);
    json_f64(j, "distance", fit->after, DIGITS);
    json_i64(j, "simulations", fit->tries);
    json_begin_array(j, "keys");
    for (size_t i = 0; i < fit->count; i++) {
        const struct fit_key *key = &fit->keys[i];
        json_begin_object(j, NULL);
        json_text(j, "key", key->key);
        json_f64(j, "value", key->set ? key->value : (double)NAN, DIGITS);
        json_bool(j, "identified", !key->flat);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

void calibrate_json(struct out *out, const struct calibrate *c,
                    const struct calibrate_verdict *verdict, const struct fit *fit)
{
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_i64(&j, "fauxfleet_calibration", 1);
    json_bool(&j, "agrees", calibrate_agrees(c));
    json_begin_array(&j, "verdict");
    for (size_t i = 0; i < verdict->count; i++)
        json_text(&j, NULL, verdict->sentences[i]);
    json_end_array(&j);
    write_jobs(&j, c);
    write_group(&j, "all", NULL, &c->all);
    write_parts(&j, c);
    write_groups(&j, "classes", c->classes, TRACE_CLASSES);
    write_groups(&j, "queues", c->queues, c->queue_count);
    write_groups(&j, "hours_of_day", c->day, CALIBRATE_DAY);
    json_begin_object(&j, "starts");
    json_f64(&j, "median_s", c->starts.median_s, DIGITS);
    json_f64(&j, "p90_s", c->starts.p90_s, DIGITS);
    json_u64(&j, "in_order", c->starts.in_order);
    json_end_object(&j);
    write_use(&j, c);
    if (fit != NULL)
        write_fit(&j, fit);
    json_end_object(&j);
    out_char(out, '\n');
}
