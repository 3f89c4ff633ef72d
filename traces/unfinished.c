/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See unfinished.h. */
#include "traces/unfinished.h"

#include "sim/base/mem.h"

#include <stdlib.h>

struct user_times {
    int64_t *ms;
    size_t count, capacity;
};

struct run_times {
    struct user_times *users; /* by user id */
    size_t count, capacity;
};

void unfinished_learn(struct format_context *context)
{
    const struct trace_job *job = &context->row.job;
    if (context->settings->unfinished != SETTINGS_UNFINISHED_USER || job->user == SYMBOL_NONE)
        return;
    if (context->run_times == NULL)
        context->run_times = mem_alloc(1, sizeof *context->run_times);
    struct run_times *times = context->run_times;
    if (job->user >= times->count) {
        times->users =
            mem_grow(times->users, &times->capacity, (size_t)job->user + 1, sizeof *times->users);
        for (; times->count <= job->user; times->count++)
            times->users[times->count] = (struct user_times){.ms = NULL};
    }
    struct user_times *user = &times->users[job->user];
    user->ms = mem_grow(user->ms, &user->capacity, user->count + 1, sizeof *user->ms);
    user->ms[user->count++] = job->duration_ms;
}

void run_times_destroy(struct run_times *times)
{
    for (size_t i = 0; times != NULL && i < times->count; i++)
        free(times->users[i].ms);
    if (times != NULL)
        free(times->users);
    free(times);
}

/* The mean of the user's run times above `elapsed_ms`, in whole ms; TRACE_UNKNOWN if there are
 * none. */
static int64_t expected(const struct run_times *times, uint32_t user, int64_t elapsed_ms)
{
    int64_t mean = 0, count = 0, rest = 0;
    if (times == NULL || user == SYMBOL_NONE || user >= times->count)
        return TRACE_UNKNOWN;
    const struct user_times *of = &times->users[user];
    for (size_t i = 0; i < of->count; i++)
        count += of->ms[i] > elapsed_ms;
    if (count == 0)
        return TRACE_UNKNOWN;
    for (size_t i = 0; i < of->count; i++)
        if (of->ms[i] > elapsed_ms) { /* their sum may overflow */
            mean += of->ms[i] / count;
            rest += of->ms[i] % count;
        }
    return mean + rest / count;
}

static void keep(struct format_context *context, int64_t ms, const char *note)
{
    context->row.raw.duration_ms = ms;
    format_note(context, note);
}

enum format_verdict unfinished_duration(struct format_context *context)
{
    struct format_row *row = &context->row;
    int64_t how = context->settings->unfinished, limit_ms = row->job.limit_ms;
    bool started = row->raw.start_ms != FORMAT_ABSENT || row->raw.duration_ms > 0;
    int64_t elapsed_ms = row->raw.duration_ms > 0 ? row->raw.duration_ms : 0;
    if (how == SETTINGS_UNFINISHED_DROP)
        return format_drop(context, "still running or pending when the log ends, row dropped");
    int64_t mean_ms = how == SETTINGS_UNFINISHED_USER
                          ? expected(context->run_times, row->job.user, elapsed_ms)
                          : TRACE_UNKNOWN;
    bool bounded = how != SETTINGS_UNFINISHED_ELAPSED && limit_ms > elapsed_ms;
    if (mean_ms != TRACE_UNKNOWN)
        keep(context, bounded && limit_ms < mean_ms ? limit_ms : mean_ms,
             "still running or pending when the log ends: its user's mean run time is taken");
    else if (bounded)
        keep(context, limit_ms,
             "still running or pending when the log ends: its time limit is taken");
    else if (elapsed_ms > 0)
        keep(context, elapsed_ms,
             "still running when the log ends: its run time so far is taken, a lower bound (option "
             "unfinished)");
    else
        return format_drop(
            context, started ? "still running when the log ends, run time not known, row dropped"
                             : "pending when the log ends, row dropped (option unfinished=limit or "
                               "user keeps it)");
    return FORMAT_KEEP;
}
