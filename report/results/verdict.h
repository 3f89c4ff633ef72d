/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happened in a run, in sentences made from summary.json: where the GPU-hours went, how long
 * each class waited, which queue went short and which borrowed, what failures and evictions cost,
 * and what should alarm the reader. Sentences about what the run did not measure or did not have
 * are left out.
 *
 *     struct verdict verdict;
 *     verdict_make(&verdict, summary);
 *     for (size_t i = 0; i < verdict.count; i++)
 *         ... verdict.line[i].topic, .text, .alarm
 *     verdict_free(&verdict);
 *
 * Texts are plain UTF-8 with names as the run has them: not yet safe for HTML.
 */
#ifndef REPORT_RESULTS_VERDICT_H
#define REPORT_RESULTS_VERDICT_H

#include "sim/base/out.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#define VERDICT_LINES ((size_t)16)

struct verdict_line {
    const char *topic; /* "GPU-hours", "Waits" ... */
    char *text;
    bool alarm; /* something that a reader must not miss */
};

struct verdict {
    struct verdict_line line[VERDICT_LINES];
    size_t count;
};

/* A sentence: what it says of a summary (or of other figures) is printed, or nothing. */
struct verdict_sentence {
    const char *topic;
    void (*say)(struct out *, const cJSON *figures);
    bool alarm;
};

/* Alarms come first. */
void verdict_make(struct verdict *, const cJSON *summary);

/* The same of other figures, with sentences of their own: a line for each that says something, in
 * their order. */
void verdict_say(struct verdict *, const struct verdict_sentence *, size_t count,
                 const cJSON *figures);
void verdict_free(struct verdict *);

#endif
