/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of a job in a snapshot that only simulations use (life.h). */
#ifndef SCENARIOS_SNAPSHOT_SCHEMA_LIFE_H
#define SCENARIOS_SNAPSHOT_SCHEMA_LIFE_H

#include "scenarios/schema/schema.h"

#define LIFE_TIME(name, text)                                                                      \
    {                                                                                              \
        .key = name, .type = SCHEMA_DURATION, .summary = text                                      \
    }
#define LIFE_COUNT(name, text)                                                                     \
    {                                                                                              \
        .key = name, .type = SCHEMA_INTEGER, .max = 2e9, .summary = text                           \
    }
#define LIFE_SHARE(name, text)                                                                     \
    {                                                                                              \
        .key = name, .type = SCHEMA_NUMBER, .max = 1, .summary = text                              \
    }
#define LIFE_ROWS                                                                                  \
    LIFE_TIME("duration_s",                                                                        \
              "for a simulation: all of its productive run time [as start.remaining says]"),       \
        LIFE_TIME("done_s", "of it, done so far [all since last_start_ms]"),                       \
        LIFE_TIME("saved_s", "of it, covered by a checkpoint [none]"),                             \
        LIFE_TIME("estimate_s", "predicted run time"),                                             \
        LIFE_TIME("queue_s", "pending up to its last start"),                                      \
        LIFE_TIME("ran_s", "runs before the last one"),                                            \
        LIFE_TIME("checkpoint_s", "interval of its own checkpoints"),                              \
        LIFE_TIME("checkpoint_write_s", "to write one"),                                           \
        LIFE_TIME("restart_s", "overhead of a restart"),                                           \
        LIFE_COUNT("recorded_tasks", "tasks of the shape whose run time it is [all]"),             \
        {.key = "on_failure",                                                                      \
         .type = SCHEMA_CHOICE,                                                                    \
         .choices = SNAP_ON_FAILURES,                                                              \
         .summary = "what it does when a failure takes some of its tasks [as the scenario says]"}, \
        LIFE_COUNT("preemptions", "so far"), LIFE_COUNT("moves", "so far"),                        \
        LIFE_COUNT("failures", "so far"),                                                          \
        LIFE_SHARE("sm_util", "mean GPU utilisation while active"),                                \
        LIFE_SHARE("active_frac", "share of time active"),                                         \
        {.key = "first_start_ms",                                                                  \
         .type = SCHEMA_INTEGER,                                                                   \
         .min = -SCHEMA_EXACT,                                                                     \
         .max = SCHEMA_EXACT,                                                                      \
         .summary = "when it first began to run [last_start_ms]"},                                 \
        {.key = "row",                                                                             \
         .type = SCHEMA_INTEGER,                                                                   \
         .max = SNAP_MOST_ROW,                                                                     \
         .summary = "row in its trace, which seeds its random draws [its id]"},                    \
        {.key = "user", .type = SCHEMA_TEXT, .summary = "whose it is"},                            \
        {.key = "model",                                                                           \
         .type = SCHEMA_TEXT,                                                                      \
         .summary = "name in the catalogue of models [by class]"},                                 \
        {.key = "recorded_on",                                                                     \
         .type = SCHEMA_TEXT,                                                                      \
         .summary = "node of the catalogue, or gpu_type=TYPE, on which it would take duration_s "  \
                    "[where it "                                                                   \
                    "runs; pending: workload.recorded_on]"},                                       \
        {.key = "class",                                                                           \
         .type = SCHEMA_CHOICE,                                                                    \
         .choices = SNAP_CLASSES,                                                                  \
         .summary = "what it is [by workload and size]"},                                          \
        {.key = "status",                                                                          \
         .type = SCHEMA_CHOICE,                                                                    \
         .choices = SNAP_STATUSES,                                                                 \
         .summary = "how it will end [completed]"},                                                \
        {.key = "ending",                                                                          \
         .type = SCHEMA_BOOLEAN,                                                                   \
         .summary = "a limit has ended it: it is over when its tasks are released [false]"},       \
    {                                                                                              \
        .key = "progress", .type = SCHEMA_OBJECT, .child = schema_progress,                        \
        .summary = "how far it is, to the unit and phase, as run --snapshot-at writes it"          \
    }

/* as enum trace_class */
#define SNAP_CLASSES     "build|train|distributed|inference|batch"
#define SNAP_STATUSES    "completed|failed|cancelled" /* as enum trace_status */
#define SNAP_ON_FAILURES "restart|shrink|continue"    /* as enum trace_on_failure, from 1 */
#define SNAP_MOST_ROW    549755813887                 /* 2^39 - 1: larger ones are no trace jobs */

extern const struct schema_row schema_progress[];

#endif
