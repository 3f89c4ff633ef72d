/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of a run in sentences, made from summary.json: where the GPU-hours went, how long
 * each class waited, which queue was short and which borrowed, the cost of failures and evictions,
 * and alarms. Topics that the run did not measure or have are left out.
 *
 *     struct verdict verdict;
 *     verdict_make(&verdict, summary);
 *     for (size_t i = 0; i < verdict.count; i++)
 *         ... verdict.line[i].topic, .text, .alarm
 *     verdict_free(&verdict);
 *
 * Texts are plain UTF-8 with names as in the run; they are not yet escaped for HTML.
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
    bool alarm; /* a reader must not miss it */
};

struct verdict {
    struct verdict_line line[VERDICT_LINES];
    size_t count;
};

/* A sentence prints what it says about a summary (or other values), or nothing. */
struct verdict_sentence {
    const char *topic;
    void (*say)(struct out *, const cJSON *figures);
    bool alarm;
};

/* Makes the lines; alarms come first. */
void verdict_make(struct verdict *, const cJSON *summary);

/*
 * The same for other values with their own sentences: a line for each that prints something, in
 * their order.
 */
void verdict_say(struct verdict *, const struct verdict_sentence *, size_t count,
                 const cJSON *figures);
void verdict_free(struct verdict *);

#endif
