/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `start`: the snapshot that a run starts from, and how long its jobs run. */
#include "scenarios/json/paths.h"
#include "scenarios/load/fill.h"
#include "scenarios/snapshot/snapshot.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SIGMA 20

const struct snapshot *build_snapshot(struct build *build, const char *path, const char *name)
{
    const char *file = build_file(build, path, name);
    const size_t most = sizeof build->snapshots / sizeof *build->snapshots;
    size_t i = 0;
    for (; i < most && build->snapshots[i]; i++)
        if (strcmp(build->snapshots[i]->file, file) == 0)
            return build->snapshots[i];
    BUG_ON(i == most);
    if (!snapshot_load(&build->snapshots[i], file, build->err)) {
        build_blame(build, path);
        return NULL;
    }
    return build->snapshots[i];
}

/* ---- remaining ---- */

static bool wrong(struct build *build, const char *text)
{
    static const char *const names[] = {"known", "limits", "exponential", "lognormal", "trace"};
    char word[32], hint[96];
    (void)snprintf(word, sizeof word, "%.*s",
                   (int)(strcspn(text, ":") < 31 ? strcspn(text, ":") : 31), text);
    return build_fail(
        build, "start.remaining",
        "'%.64s', expected known, limits, exponential:MEAN, lognormal:MEDIAN:SIGMA or trace:FILE, "
        "with times such as 2h%s",
        text, text_suggest(hint, sizeof hint, word, names, 5, sizeof *names));
}

/* Returns what follows "NAME:"; NULL for another name. */
static const char *after(const char *text, const char *name)
{
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && text[n] == ':' && text[n + 1] != '\0' ? text + n + 1
                                                                                : NULL;
}

static bool read_time(const char *text, size_t n, double *ms)
{
    int64_t value;
    if (!text_duration_ms(text, n, &value) || value <= 0)
        return false;
    *ms = (double)value;
    return true;
}

static bool read_lognormal(const char *text, struct scen_start *start)
{
    const char *colon = strchr(text, ':');
    return colon && read_time(text, (size_t)(colon - text), &start->mean_ms) &&
           text_f64(colon + 1, strlen(colon + 1), &start->sigma) && start->sigma > 0 &&
           start->sigma <= MOST_SIGMA;
}

/* The name of a trace of durations is relative to the file that contains it, like any other. */
static bool read_trace(struct build *build, const char *name, struct scen_start *start)
{
    start->trace = build_file(build, "start.remaining", name);
    return !build->files || path_digest(&build->digest, start->trace, build->err) ||
           build_blame(build, "start.remaining");
}

static bool read_remaining(struct build *build, const char *text, struct scen_start *start)
{
    const char *rest;
    if (strcmp(text, "known") == 0 || strcmp(text, "limits") == 0) {
        start->remaining = *text == 'k' ? SCEN_REMAINING_KNOWN : SCEN_REMAINING_LIMITS;
        return true;
    }
    if ((rest = after(text, "exponential")) != NULL) {
        start->remaining = SCEN_REMAINING_EXPONENTIAL;
        return read_time(rest, strlen(rest), &start->mean_ms) || wrong(build, text);
    }
    if ((rest = after(text, "lognormal")) != NULL) {
        start->remaining = SCEN_REMAINING_LOGNORMAL;
        return read_lognormal(rest, start) || wrong(build, text);
    }
    if ((rest = after(text, "trace")) == NULL)
        return wrong(build, text);
    start->remaining = SCEN_REMAINING_TRACE;
    return read_trace(build, rest, start);
}

bool fill_start(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "start");
    struct scen_start *start = &build->scenario.start;
    if (!tree)
        return true;
    if (json_member(build->tree, "services"))
        return build_fail(
            build, "services",
            "do not go with a run that begins with a snapshot (start): which of its jobs "
            "are replicas is not said there");
    start->from_now = strcmp(fill_text(tree, "arrivals"), "from-now") == 0;
    if (!read_remaining(build, fill_text(tree, "remaining"), start))
        return false;
    if (!build->files)
        return true;
    start->snapshot = build_snapshot(build, "start.snapshot", fill_text(tree, "snapshot"));
    if (!start->snapshot)
        return false;
    snapshot_digest(start->snapshot, &build->digest);
    return true;
}
