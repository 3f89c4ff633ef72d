/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a history record, and their members in the struct; see schema_history.h. */
#include "scenarios/snapshot/schema_history.h"
#include "scenarios/snapshot/history.h"

#include <stddef.h>

// clang-format off

#define RECORD(key_, member, type_) {.key = key_, .offset = offsetof(struct policy_history, \
   member), .type = type_}
const struct snap_history_key snap_history_keys[] = {
    RECORD("at_ms", at, SNAP_HISTORY_I64),
    RECORD("from_ms", from, SNAP_HISTORY_I64),
    RECORD("until_ms", until, SNAP_HISTORY_I64),
    RECORD("entered_ms", entered, SNAP_HISTORY_I64),
    RECORD("attained_gpu_us", attained, SNAP_HISTORY_I64),
    RECORD("remaining_ms", remaining, SNAP_HISTORY_I64),
    RECORD("started", started, SNAP_HISTORY_U64),
    RECORD("evicted", evicted, SNAP_HISTORY_U64),
    RECORD("count", count, SNAP_HISTORY_U64),
    RECORD("used_gpu_100us", used, SNAP_HISTORY_U64),
    RECORD("used_since_gpu_us", used_since, SNAP_HISTORY_U64),
    RECORD("used_gpu_us", used_gpu, SNAP_HISTORY_U64),
    RECORD("used_cpu_us", used_cpu, SNAP_HISTORY_U64),
    RECORD("used_mib_ms", used_mem, SNAP_HISTORY_U64),
    RECORD("capacity_milli", capacity, SNAP_HISTORY_I64),
    RECORD("devices", devices, SNAP_HISTORY_U64),
    RECORD("task", task, SNAP_HISTORY_U32),
    RECORD("place", place, SNAP_HISTORY_U32),
    RECORD("level", level, SNAP_HISTORY_U32),
    RECORD("due", due, SNAP_HISTORY_BOOL),
    RECORD("chosen", chosen, SNAP_HISTORY_BOOL),
    RECORD("leaving", leaving, SNAP_HISTORY_BOOL),
    RECORD("settled", settled, SNAP_HISTORY_BOOL),
    RECORD("timed", timed, SNAP_HISTORY_BOOL),
    RECORD("data", data, SNAP_HISTORY_TEXT),
    {0},
};

static const struct schema_row decimal = {.type = SCHEMA_TEXT, .min = 1};
#define SIGNED(key_, what) \
    {.key = key_, .type = SCHEMA_INTEGER, .min = -SCHEMA_EXACT, .max = SCHEMA_EXACT, \
     .other = &decimal, .summary = what}
#define NATURAL(key_, what) \
    {.key = key_, .type = SCHEMA_INTEGER, .max = SCHEMA_EXACT, .other = &decimal, .summary = what}
#define SMALL(key_, what) {.key = key_, .type = SCHEMA_INTEGER, .max = UINT32_MAX, .summary = what}
#define NAME(key_, what) {.key = key_, .type = SCHEMA_TEXT, .summary = what}
#define TRUTH(key_, what) {.key = key_, .type = SCHEMA_BOOLEAN, .summary = what}

static const struct schema_row rows[] = {
    {.key = "of", .type = SCHEMA_CHOICE, .choices = SNAP_HISTORY_KINDS, .required = true,
     .summary = "what is remembered"},
    NAME("job", "id of the job"),
    NAME("other", "displaced: id of the job that it lost tasks to"),
    NAME("queue", "name of the queue"),
    NAME("user", "name of the user"),
    NAME("node", "name of the node"),
    SIGNED("at_ms", "the time it is of [now]; of a promise the promised one"),
    SIGNED("from_ms", "usage: begin of the part; idle: since then; priorities: ages count up to "
                      "then"),
    SIGNED("until_ms", "usage: of the last change; priorities, decided: when to look again"),
    SIGNED("entered_ms", "of a job that was evicted: when it went back into the queue"),
    NATURAL("attained_gpu_us", "service that the job had, GPU-microseconds"),
    NATURAL("remaining_ms", "time that the job still has to run, as the policy knows"),
    NATURAL("started", "number of its last start"),
    NATURAL("evicted", "number of its last eviction"),
    NATURAL("count", "draws; users that were ranked; ms of a part of usage; plugin: bytes of its "
                     "state"),
    NATURAL("used_gpu_100us", "faded use of the user, units of 100 GPU-microseconds"),
    NATURAL("used_since_gpu_us", "use since that faded last, GPU-microseconds"),
    NATURAL("used_gpu_us", "use in a part, GPU-microseconds"),
    NATURAL("used_cpu_us", "core-microseconds"),
    NATURAL("used_mib_ms", "MiB x ms"),
    NATURAL("capacity_milli", "milli-GPUs of the fleet for which priorities were calculated"),
    NATURAL("devices", "set of devices that are nominated, bit by bit; started: of tasks from "
                       "`task` on"),
    SMALL("task", "number of the task in its job"),
    SMALL("place", "in the order; of a nomination the slice; plugin: the first of these bytes"),
    SMALL("level", "thresholds that were passed; highest priority of a job; plugin: version of its "
                   "state"),
    TRUTH("due", "a calculation is due at once; no time was promised; displaced: something else "
                 "has happened since"),
    TRUTH("chosen", "the job waits for devices that it has a part of"),
    TRUTH("leaving", "it was decided to evict the job"),
    TRUTH("settled", "nothing has changed since its eviction"),
    TRUTH("timed", "remaining_ms is said"),
    {.key = "data", .type = SCHEMA_TEXT, .summary = "plugin: a part of its saved state, hexadecimal"},
    {0},
};
// clang-format on

const struct schema_row schema_history = {.type = SCHEMA_OBJECT, .child = rows};
