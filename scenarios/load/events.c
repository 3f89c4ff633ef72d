/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planned changes of queues (`events`): their times and effects. */
#include "scenarios/load/fill.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/base/week.h"
#include "sim/planned_changes.h"
#include "traces/times.h"

#include <stdio.h>
#include <string.h>

/* ---- moments ---- */

/* A day and a clock as one time of the week: "mon" and " 09:00". */
static bool read_day(const char *day, size_t n, const char *clock, int64_t *ms)
{
    char text[64];
    int written = snprintf(text, sizeof text, "%.*s%s", (int)n, day, clock);
    return n < 16 && written > 0 && (size_t)written < sizeof text &&
           week_parse(text, (size_t)written, ms);
}

/* "mon 09:00", "mon-fri 09:00" and "sat,sun 09:00"; "fri-mon" is four days. */
static bool read_weekly(const char *text, struct sim_moment *moment)
{
    const char *clock = strchr(text, ' ');
    *moment = (struct sim_moment){.kind = SIM_WEEKLY};
    for (const char *at = text; clock != NULL; at++) {
        size_t n = strcspn(at, "-, ");
        int64_t first, last;
        if (!read_day(at, n, clock, &first))
            return false;
        last = first;
        at += n;
        if (*at == '-') {
            n = strcspn(at + 1, "-, ");
            if (!read_day(at + 1, n, clock, &last))
                return false;
            at += 1 + n;
        }
        moment->ms = first % SIM_DAY_MS;
        for (int64_t day = first / SIM_DAY_MS;; day = (day + 1) % 7) {
            moment->days |= UINT32_C(1) << day;
            if (day == last / SIM_DAY_MS)
                break;
        }
        if (at == clock)
            return true;
        if (*at != ',')
            return false;
    }
    return false;
}

/* "2026-11-23", "2026-11-23 09:00", "2026-11-23T09:00:00Z" */
static bool read_date(const char *text, int64_t *ms)
{
    char whole[40];
    size_t n = strlen(text);
    const char *rest = n == 10 ? " 00:00:00" : n == 16 ? ":00" : "";
    int written = snprintf(whole, sizeof whole, "%s%s", text, rest);
    return written > 0 && (size_t)written < sizeof whole &&
           times_clock(whole, (size_t)written, &times_utc, ms);
}

static bool read_moment(struct build *build, const char *path, const cJSON *value,
                        struct sim_moment *moment)
{
    if (cJSON_IsNumber(value)) {
        moment->kind = SIM_AFTER_BEGIN;
        moment->ms = (int64_t)(value->valuedouble * 1000 + 0.5);
        return true;
    }
    const char *text = value->valuestring;
    if (read_weekly(text, moment))
        return true;
    *moment = (struct sim_moment){.kind = SIM_AFTER_BEGIN};
    if (text_duration_ms(text, strlen(text), &moment->ms))
        return true;
    moment->kind = SIM_ON_DATE;
    return read_date(text, &moment->ms) ||
           build_fail(build, path,
                      "expected a time of the run (\"2h\"), a date (\"2026-11-23 09:00\") or days "
                      "of the week (\"mon 09:00\", \"mon-fri 09:00\"), got '%.64s'",
                      text);
}

static bool read_times(struct build *build, size_t i, const cJSON *entry, struct sim_change *change)
{
    char path[64];
    const cJSON *until = json_member(entry, "until");
    (void)snprintf(path, sizeof path, "events[%zu].at", i);
    if (!read_moment(build, path, json_member(entry, "at"), &change->at))
        return false;
    if (until == NULL)
        return true;
    (void)snprintf(path, sizeof path, "events[%zu].until", i);
    if (!read_moment(build, path, until, &change->until))
        return false;
    change->ends = true;
    if (change->until.kind != change->at.kind)
        return build_fail(build, path,
                          "expected the same kind of time as `at`: a time of the run, a date or "
                          "days of the week");
    return change->at.kind == SIM_WEEKLY || change->until.ms > change->at.ms ||
           build_fail(build, path, "expected a time after `at`");
}

/* ---- what changes ---- */

static void set_term(struct sim_change *change, int term, int64_t value)
{
    change->sets |= UINT32_C(1) << term;
    change->value[term] = value;
}

static void read_share(const cJSON *entry, const char *resource, double unit, int first,
                       struct sim_change *change)
{
    static const char *const keys[] = {"quota", "limit", "weight"};
    const cJSON *share = json_member(entry, resource);
    for (int k = 0; k < 3; k++)
        if (json_member(share, keys[k]) != NULL)
            set_term(change, first + k, fill_scaled(share, keys[k], k == 2 ? 1000 : unit));
}

static void read_terms(const cJSON *entry, struct sim_change *change)
{
    const cJSON *suspended = json_member(entry, "suspended");
    read_share(entry, "gpu", 1000, SIM_TERM_GPU_QUOTA, change);
    read_share(entry, "cpu", 1000, SIM_TERM_CPU_QUOTA, change);
    read_share(entry, "mem", 1, SIM_TERM_MEM_QUOTA, change);
    if (json_member(entry, "priority") != NULL)
        set_term(change, SIM_TERM_PRIORITY, fill_integer(entry, "priority"));
    if (suspended != NULL)
        set_term(change, SIM_TERM_SUSPENDED, cJSON_IsTrue(suspended));
}

/* ---- checks ---- */

static bool check_queue(struct build *build, size_t i, const struct sim_change *change,
                        const struct scen_queue **queue)
{
    const struct scenario *sc = &build->scenario;
    const char **names = build_alloc(build, sc->queue_count + 1, sizeof *names);
    char path[64], hint[128];
    *queue = NULL;
    for (size_t k = 0; k < sc->queue_count; k++) {
        names[k] = sc->queues[k].name;
        if (strcmp(names[k], change->queue) == 0)
            *queue = &sc->queues[k];
    }
    if (*queue != NULL || sc->queue_count == 0) /* names come from the trace */
        return true;
    (void)snprintf(path, sizeof path, "events[%zu].queue", i);
    text_suggest(hint, sizeof hint, change->queue, names, sc->queue_count, sizeof *names);
    return build_fail(build, path, "unknown queue '%.64s'%s", change->queue, hint);
}

/* The amount fixed for build sessions never exceeds the quota or the limit. */
static bool check_fixed(struct build *build, size_t i, const struct sim_change *change,
                        const struct scen_queue *queue)
{
    for (int term = SIM_TERM_GPU_QUOTA; term <= SIM_TERM_GPU_LIMIT; term++) {
        int64_t value = change->value[term];
        if (queue == NULL || (change->sets >> term & 1) == 0 || value < 0 ||
            value >= queue->fixed_milli)
            continue;
        char path[64];
        (void)snprintf(path, sizeof path, "events[%zu].gpu", i);
        return build_fail(build, path,
                          "expected at least the %g GPUs that the queue keeps for "
                          "sessions (gpu.fixed), got %g",
                          (double)queue->fixed_milli / 1000.0, (double)value / 1000.0);
    }
    return true;
}

/* A quota by pool has no single number that could change. */
static bool check_by_pool(struct build *build, size_t i, const struct sim_change *change,
                          const struct scen_queue *queue)
{
    char path[64];
    if (queue == NULL || queue->by_pool_count == 0 || (change->sets >> SIM_TERM_GPU_QUOTA & 1) == 0)
        return true;
    (void)snprintf(path, sizeof path, "events[%zu].gpu.quota", i);
    return build_fail(build, path,
                      "the queue '%.64s' has quotas by pool, which events do not change",
                      queue->name);
}

bool fill_events(struct build *build)
{
    const cJSON *list = json_member(build->tree, "events");
    struct scenario *sc = &build->scenario;
    size_t count = list != NULL ? (size_t)cJSON_GetArraySize(list) : 0, i = 0;
    if (count == 0)
        return true;
    struct sim_change *changes = build_alloc(build, count, sizeof *changes);
    for (const cJSON *entry = list->child; entry != NULL; entry = entry->next, i++) {
        struct sim_change *change = &changes[i];
        const struct scen_queue *queue;
        change->queue = fill_text(entry, "queue");
        read_terms(entry, change);
        if (!read_times(build, i, entry, change) || !check_queue(build, i, change, &queue) ||
            !check_fixed(build, i, change, queue) || !check_by_pool(build, i, change, queue))
            return false;
        char path[64];
        (void)snprintf(path, sizeof path, "events[%zu]", i);
        if (change->sets == 0)
            return build_fail(build, path,
                              "expected something that changes: gpu, cpu, mem, "
                              "priority or suspended");
    }
    sc->changes = changes;
    sc->change_count = count;
    return true;
}
