/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a job as text and JSON; see life_print.h. */
#include "report/terminal/life_print.h"

#include "report/words/units.h"

#include <stdio.h>
#include <stdlib.h>

#define BAR_WIDTH  24
#define LINE_WIDTH ((size_t)60)
#define TEXT_SIZE  512

static const char *const states[] = {
    [LIFE_HELD] = "held",     [LIFE_PENDING] = "pending",   [LIFE_STOPPING] = "stopping",
    [LIFE_PARTLY] = "partly", [LIFE_STARTING] = "starting", [LIFE_RUNNING] = "running",
};

/* ---- events ---- */

static const struct {
    const char *name;
    const char *words; /* printed before the tasks, or before `other` */
    const char *key;   /* key of `other` in JSON */
    bool tasks;
} kinds[] = {
    [LIFE_ARRIVED] = {"arrived", "arrives, and is held", NULL, false},
    [LIFE_SUBMITTED] = {"submitted", "submitted to queue", "queue", false},
    [LIFE_STARTED] = {"started", "starts", "where", true},
    [LIFE_LAUNCHED] = {"launched", "is at work", NULL, false},
    [LIFE_EVICTED] = {"evicted", "evicted", "job", true},
    [LIFE_SHRUNK] = {"shrunk", "shrinks by", "job", true},
    [LIFE_GROWN] = {"grown", "grows by", NULL, true},
    [LIFE_TOOK] = {"took", "takes the place of", "job", true},
    [LIFE_INTERRUPTED] = {"interrupted", "interrupted by a fault", "class", false},
    [LIFE_ENDED] = {"ended", "ends", "state", false},
};

static void eviction(const struct life_event *e, char *text, size_t size)
{
    (void)snprintf(text, size, "%s %d task%s%s%s: %s (%s)", kinds[e->kind].words, e->tasks,
                   e->tasks == 1 ? "" : "s", e->other != NULL ? " for job " : "",
                   e->other != NULL ? e->other : "", policy_reason_name(e->reason),
                   policy_action_name(e->action));
}

static void describe(const struct life_event *e, char *text, size_t size)
{
    const char *other = e->other != NULL ? e->other : "", *words = kinds[e->kind].words;
    const char *plural = e->tasks == 1 ? "" : "s";
    switch ((enum life_kind)e->kind) {
    case LIFE_STARTED:
        (void)snprintf(text, size, "%s %d task%s on %s", words, e->tasks, plural, other);
        return;
    case LIFE_EVICTED:
    case LIFE_SHRUNK:
        eviction(e, text, size);
        return;
    case LIFE_GROWN:
        (void)snprintf(text, size, "%s %d task%s", words, e->tasks, plural);
        return;
    case LIFE_TOOK:
        (void)snprintf(text, size, "%s job %s, %d task%s: %s (%s)", words, other, e->tasks, plural,
                       policy_reason_name(e->reason), policy_action_name(e->action));
        return;
    case LIFE_ENDED:
        (void)snprintf(text, size, "%s, %s", words, other);
        return;
    case LIFE_INTERRUPTED:
        (void)snprintf(text, size, "%s: %s", words, other);
        return;
    case LIFE_ARRIVED:
    case LIFE_SUBMITTED:
    case LIFE_LAUNCHED:
        (void)snprintf(text, size, "%s%s%s", words, *other != '\0' ? " " : "", other);
        return;
    }
}

/* Returns true if row i of `count` is shown. The first hidden row prints how many are hidden. */
static bool is_shown(size_t i, size_t count, struct out *out)
{
    size_t left_out = count > LIFE_ROWS ? count - LIFE_ROWS : 0;
    if (left_out == 0 || i < LIFE_ROWS / 2 || i >= LIFE_ROWS / 2 + left_out)
        return true;
    if (i == LIFE_ROWS / 2)
        out_format(out, "  ... %zu more, with --json\n", left_out);
    return false;
}

/* Prints the time in seconds on the trace's clock, and relative to the job's submission. */
static void when(const struct life *l, int64_t at_ms, struct out *out)
{
    char text[UNIT_TEXT];
    struct out *seconds = out_memory();
    out_seconds(seconds, at_ms);
    out_format(out, "  %14s s  +%-8s", out_memory_text(seconds, NULL),
               unit_duration(text, (double)(at_ms - l->submit_ms) / 1000.0));
    out_discard(seconds);
}

static void print_events(const struct life *l, struct out *out)
{
    char text[TEXT_SIZE];
    for (size_t i = 0; i < l->event_count; i++) {
        if (!is_shown(i, l->event_count, out))
            continue;
        when(l, l->events[i].at_ms, out);
        describe(&l->events[i], text, sizeof text);
        char *safe = unit_name(text, 0);
        out_format(out, "  %s\n", safe);
        free(safe);
    }
}

/* ---- reasons ---- */

static const char *span_name(const struct life_span *span)
{
    return span->state == LIFE_PENDING ? policy_reason_name(span->reason) : states[span->state];
}

static void print_spans(const struct life *l, struct out *out)
{
    char text[UNIT_TEXT];
    out_format(out, "  %14s    %-9s  %10s  because\n", "from", "after", "for");
    for (size_t i = 0; i < l->span_count; i++) {
        const struct life_span *span = &l->spans[i];
        if (!is_shown(i, l->span_count, out))
            continue;
        when(l, span->from_ms, out);
        out_format(out, "  %10s  %s\n",
                   unit_duration(text, (double)(span->to_ms - span->from_ms) / 1000.0),
                   span_name(span));
    }
}

/*
 * Returns the glyph of a reason by its place in the list of shares; further reasons share the last
 * glyph.
 */
static const char *glyph(const struct life_share *shares, size_t count, int32_t reason,
                         enum spark spark)
{
    size_t i = 0;
    while (i < count && i < SPARK_PARTS - 1 && shares[i].reason != reason)
        i++;
    return spark_part(spark, i);
}

/* Returns the longest span in a part of the job's life. */
static const struct life_span *most_of(const struct life *l, int64_t from_ms, int64_t to_ms)
{
    const struct life_span *most = NULL;
    int64_t longest_ms = 0;
    for (size_t i = 0; i < l->span_count; i++) {
        int64_t from = l->spans[i].from_ms > from_ms ? l->spans[i].from_ms : from_ms;
        int64_t to = l->spans[i].to_ms < to_ms ? l->spans[i].to_ms : to_ms;
        if (to - from <= longest_ms)
            continue;
        longest_ms = to - from;
        most = &l->spans[i];
    }
    return most;
}

/*
 * Each column is an equal part of the job's life: the glyph of the reason it was pending, else '.'.
 */
static void print_line(const struct life *l, const struct life_share *shares, size_t count,
                       enum spark spark, struct out *out)
{
    const int64_t begin = l->spans[0].from_ms, end = l->spans[l->span_count - 1].to_ms;
    out_text(out, "    ");
    for (size_t c = 0; c < LINE_WIDTH; c++) {
        const double width = (double)(end - begin) / (double)LINE_WIDTH;
        const struct life_span *span = most_of(l, begin + (int64_t)((double)c * width),
                                               begin + (int64_t)((double)(c + 1) * width));
        out_text(out, span != NULL && span->state == LIFE_PENDING
                          ? glyph(shares, count, span->reason, spark)
                          : ".");
    }
    out_char(out, '\n');
}

static bool was_partly_started(const struct life *l)
{
    bool found = false;
    for (size_t i = 0; i < l->span_count; i++)
        found |= l->spans[i].state == LIFE_PARTLY;
    return found;
}

static void print_shares(const struct life *l, enum spark spark, struct out *out)
{
    struct life_share shares[POLICY_REASONS];
    int64_t total_ms;
    char text[UNIT_TEXT], percent[UNIT_TEXT];
    size_t count = life_shares(l, shares, &total_ms);
    if (count == 0) {
        out_format(out, "  it never waited%s\n",
                   was_partly_started(l) ? " for its first task" : "");
        return;
    }
    out_format(out, "  waited %s in all\n", unit_duration(text, (double)total_ms / 1000.0));
    for (size_t i = 0; i < count; i++) {
        double share = (double)shares[i].ms / (double)total_ms;
        out_format(out, "    %-20s %10s %7s", policy_reason_name(shares[i].reason),
                   unit_duration(text, (double)shares[i].ms / 1000.0),
                   unit_percent(percent, share));
        if (spark != SPARK_NONE) {
            out_format(out, "  %s ", glyph(shares, count, shares[i].reason, spark));
            spark_bar(out, spark, share, BAR_WIDTH);
        }
        out_char(out, '\n');
    }
    if (spark != SPARK_NONE)
        print_line(l, shares, count, spark, out);
}

void life_print(const struct life *l, enum spark spark, struct out *out)
{
    print_events(l, out);
    print_shares(l, spark, out);
    print_spans(l, out);
}

/* ---- JSON ---- */

static void event_json(const struct life_event *e, struct json *j)
{
    json_begin_object(j, NULL);
    json_seconds(j, "at_s", e->at_ms);
    json_text(j, "event", kinds[e->kind].name);
    if (kinds[e->kind].tasks)
        json_i64(j, "tasks", e->tasks);
    if (kinds[e->kind].key != NULL)
        json_text(j, kinds[e->kind].key, e->other);
    if (e->action > 0) {
        json_text(j, "action", policy_action_name(e->action));
        json_text(j, "reason", policy_reason_name(e->reason));
    }
    json_end_object(j);
}

void life_json(const struct life *l, struct json *j)
{
    struct life_share shares[POLICY_REASONS];
    int64_t total_ms;
    size_t count = life_shares(l, shares, &total_ms);
    json_begin_array(j, "events");
    for (size_t i = 0; i < l->event_count; i++)
        event_json(&l->events[i], j);
    json_end_array(j);
    json_begin_array(j, "spans");
    for (size_t i = 0; i < l->span_count; i++) {
        const struct life_span *span = &l->spans[i];
        json_begin_object(j, NULL);
        json_seconds(j, "from_s", span->from_ms);
        json_seconds(j, "to_s", span->to_ms);
        json_text(j, "state", states[span->state]);
        json_text(j, "reason",
                  span->state == LIFE_PENDING ? policy_reason_name(span->reason) : NULL);
        json_end_object(j);
    }
    json_end_array(j);
    json_seconds(j, "waited_s", total_ms);
    json_begin_array(j, "waited_by_reason");
    for (size_t i = 0; i < count; i++) {
        json_begin_object(j, NULL);
        json_text(j, "reason", policy_reason_name(shares[i].reason));
        json_seconds(j, "waited_s", shares[i].ms);
        json_f64(j, "share", (double)shares[i].ms / (double)total_ms, 4);
        json_end_object(j);
    }
    json_end_array(j);
}
