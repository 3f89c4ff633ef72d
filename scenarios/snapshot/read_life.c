/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the progress of jobs; see life.h. */
#include "scenarios/snapshot/internal.h"
#include "scenarios/snapshot/schema_life.h"

#include "traces/trace.h"

#include <math.h>

#define UNITS(name, text)                                                                          \
    {                                                                                              \
        .key = name, .type = SCHEMA_INTEGER, .max = SCHEMA_EXACT, .summary = text                  \
    }

const struct schema_row schema_progress[] = {
    UNITS("total", "units of work in all, as the simulator counts them"),
    UNITS("done", "units"),
    UNITS("saved", "units covered by a checkpoint"),
    UNITS("begun", "units that were done when the last checkpoint was begun"),
    UNITS("left_ms", "of the phase"),
    UNITS("writing_ms", "left of the write that is going on"),
    UNITS("launch_ms", "left of the launch"),
    UNITS("owed_ms", "left of overheads"),
    UNITS("launches", "so far"),
    {.key = "phase",
     .type = SCHEMA_CHOICE,
     .choices = WORK_PHASE_NAMES,
     .summary = "what it does [work]"},
    {.key = "restarts", .type = SCHEMA_BOOLEAN, .summary = "this run is not its first [false]"},
    {0},
};

static int32_t choice(const cJSON *from, const char *key, const char *names, int32_t absent)
{
    return json_member(from, key) ? snap_choice(from, key, names) : absent;
}

static const char *text(const cJSON *from, const char *key)
{
    const char *value = snap_text(from, key);
    return value ? value : "";
}

static int32_t millionths(const cJSON *from, const char *key)
{
    return json_member(from, key) ? (int32_t)snap_scaled(from, key, 1e6) : -1;
}

static int32_t count(const cJSON *from, const char *key)
{
    return (int32_t)snap_integer(from, key, 0);
}

static struct work_progress progress_of(const cJSON *from)
{
    return (struct work_progress){
        .total = snap_integer(from, "total", 0),
        .done = snap_integer(from, "done", 0),
        .saved = snap_integer(from, "saved", 0),
        .begun = snap_integer(from, "begun", 0),
        .left_ms = snap_integer(from, "left_ms", 0),
        .writing_ms = snap_integer(from, "writing_ms", 0),
        .launch_ms = snap_integer(from, "launch_ms", 0),
        .owed_ms = snap_integer(from, "owed_ms", 0),
        .launches = (uint32_t)(snap_integer(from, "launches", 0) & UINT32_MAX),
        .phase = (uint8_t)choice(from, "phase", WORK_PHASE_NAMES, PHASE_WORK),
        .restarts = cJSON_IsTrue(json_member(from, "restarts")),
    };
}

/* saved <= begun <= done <= total, as everywhere. */
static bool check_progress(struct snap_reader *reader, const struct work_progress *p)
{
    return (p->saved <= p->begun && p->begun <= p->done && p->done <= p->total) ||
           snap_fail(reader, ".progress", "expected saved <= begun <= done <= total");
}

bool snap_read_life(struct snap_reader *reader, const cJSON *from, struct snap_life *life)
{
    const cJSON *progress = json_member(from, "progress");
    *life = (struct snap_life){
        .duration_ms = snap_ms(from, "duration_s", -1),
        .done_ms = snap_ms(from, "done_s", -1),
        .saved_ms = snap_ms(from, "saved_s", -1),
        .estimate_ms = snap_ms(from, "estimate_s", -1),
        .first_start_ms = snap_integer(from, "first_start_ms", POLICY_NEVER),
        .queue_ms = snap_ms(from, "queue_s", -1),
        .ran_ms = snap_ms(from, "ran_s", -1),
        .checkpoint_ms = snap_ms(from, "checkpoint_s", -1),
        .checkpoint_write_ms = snap_ms(from, "checkpoint_write_s", -1),
        .restart_ms = snap_ms(from, "restart_s", -1),
        .row = snap_integer(from, "row", -1),
        .user = text(from, "user"),
        .model = text(from, "model"),
        .recorded_on = text(from, "recorded_on"),
        .class = choice(from, "class", SNAP_CLASSES, TRACE_CLASS_UNSET),
        .status = choice(from, "status", SNAP_STATUSES, TRACE_COMPLETED),
        .tasks = count(from, "recorded_tasks"),
        .on_failure = 1 + choice(from, "on_failure", SNAP_ON_FAILURES, -1),
        .preemptions = count(from, "preemptions"),
        .moves = count(from, "moves"),
        .failures = count(from, "failures"),
        .sm_util_ppm = millionths(from, "sm_util"),
        .active_ppm = millionths(from, "active_frac"),
        .ending = cJSON_IsTrue(json_member(from, "ending")),
        .exact = progress != NULL,
    };
    if (progress)
        life->progress = progress_of(progress);
    return check_progress(reader, &life->progress);
}
