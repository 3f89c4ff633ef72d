/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a gate that runs policies, each piece in a process of its own: a policy that crashes,
 * hangs, or takes all memory ends only that process, and no policy sees what another one left in
 * memory. The process is this program with two words before the command line of the gate:
 *
 *     fauxfleet @gate-side run,0,1,3,1,86400000 gate suite.json --base ... --candidate ...
 *
 * The second word is the task (struct gate_task). The process answers on standard output with one
 * JSON object, whose members depend on the task, and exits with 0; or with {"code": 4, "message":
 * "..."} and that exit code. A policy cannot write there: its output goes to standard error.
 */
#ifndef SIM_GATE_SIDE_H
#define SIM_GATE_SIDE_H

#include "sim/base/children.h"
#include "sim/program/command.h"

#include <stdint.h>

#define GATE_SIDE_WORD "@gate-side"
#define GATE_TASK_TEXT 128

enum gate_task_kind {
    GATE_TASK_PREPARE, /* check policy and scenario, find the end of an "auto" warm-up: "warmup_ms",
                          "half" */
    GATE_TASK_RUN, /* simulate a replica: "summary", a text, and its costs by gate_measure_names */
    GATE_TASK_RECORD, /* simulate it once more: "decisions", lines of a time in ms and words */
    GATE_TASK_KEEP, /* the same for a baseline: "packed" (baseline.h), "" when there are too many */
    GATE_TASK_DIFFERENCE, /* the first decision that the sides take differently (difference.h) */
    GATE_TASKS
};

struct gate_task {
    enum gate_task_kind kind;
    size_t scenario;
    int side;
    int replica; /* 1.. */
    bool audit;
    int64_t warmup_ms; /* of an "auto" warm-up; -1: not known yet */
};

const char *gate_task_text(char text[GATE_TASK_TEXT], const struct gate_task *);
bool gate_task_parse(const char *text, struct gate_task *);

/* Limits of a child from the command line; 0 if not given. Returns false with err set. */
bool gate_side_limits(const struct cli *, struct child_limits *, struct err *);

/* Does a task, as such a process. Returns the exit code. */
int gate_side_main(struct cli *, const char *task);

#endif
