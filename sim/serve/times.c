/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plausible times; see times.h. */
#include "sim/serve/times.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_within(int64_t ms)
{
    return ms == POLICY_NEVER || (ms >= -SERVICE_LAST_TIME && ms <= SERVICE_LAST_TIME);
}

static bool refuse_beyond(const char *what, int64_t ms, char *why, size_t size)
{
    (void)snprintf(why, size,
                   "'%s': expected at most %" PRId64
                   " (the year 9999) before or after 1970, got %" PRId64,
                   what, SERVICE_LAST_TIME, ms);
    return false;
}

bool service_time_is_plausible(const struct service *s, policy_time at, char *why, size_t size)
{
    bool is_first = s->now == INT64_MIN;
    if (is_first && at == INT64_MIN)
        return true;
    if (at == INT64_MIN || !is_within(at))
        return refuse_beyond("t_ms", at, why, size);
    if (is_first || at <= s->now ||
        (uint64_t)at - (uint64_t)s->now <= (uint64_t)s->options.max_jump_ms)
        return true;
    (void)snprintf(why, size,
                   "'t_ms': %" PRId64 " is more than %" PRId64 " ms (--max-jump) after %" PRId64
                   ", which was reported last",
                   at, s->options.max_jump_ms, s->now);
    return false;
}

bool service_fact_is_plausible(const struct service *s, const struct fact *fact, char *why,
                               size_t size)
{
    const struct policy_job_spec *job = fact->kind == FACT_JOB_ADD ? fact->spec : NULL;
    const bool of_queue = fact->kind == FACT_QUEUE_ADD || fact->kind == FACT_QUEUE_SET;
    const struct policy_queue_spec *queue = of_queue ? fact->spec : NULL;
    bool has_since = fact->kind == FACT_TASK_RUNNING || fact->kind == FACT_STALE_SINCE;
    const struct {
        const char *what;
        int64_t ms;
    } times[] = {
        {"submitted_ms", job != NULL ? job->submitted : 0},
        {"eligible_ms", job != NULL ? job->eligible : 0},
        {"deadline_ms", job != NULL ? job->deadline : 0},
        {"created_ms", queue != NULL ? queue->created : 0},
        {"since_ms", has_since ? fact->value : 0},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (!is_within(times[i].ms))
            return refuse_beyond(times[i].what, times[i].ms, why, size);
    return service_time_is_plausible(s, fact->at, why, size);
}
