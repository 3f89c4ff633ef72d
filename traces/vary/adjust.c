/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes a trace: fewer jobs, scaled arrivals, another queue or class. These change one job at a
 * time and keep the order, since multiplication, division and rounding are monotone; jitter does
 * not keep it and is a stage of its own (jitter.c).
 */
#include "traces/vary/adjust_internal.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct changed {
    struct stage stage;
    struct trace_adjustment wanted;
    int64_t given; /* jobs returned */
    int64_t first_ms;
    bool scaled;
    char *texts[3]; /* prefixed with the part's number: id, after and array of the last job */
};

void stage_init(struct stage *stage, const struct trace_methods *methods, struct trace *inner)
{
    stage->base.methods = methods;
    stage->base.format = trace_format_name(inner);
    stage->base.linked = trace_linked(inner);
    stage->base.dated = trace_dated(inner);
    stage->base.mixed = inner->mixed;
    stage->inner = inner;
}

void stage_close(struct trace *base)
{
    trace_close(((struct stage *)base)->inner);
}

void stage_digest(const struct trace *base, char hex[DIGEST_HEX])
{
    trace_digest(((const struct stage *)base)->inner, hex);
}

const struct trace_note *stage_notes(const struct trace *base, size_t *count)
{
    return trace_notes(((const struct stage *)base)->inner, count);
}

/*
 * Returns false if the result is not a valid time of a trace. The difference of two times is below
 * 2^53 ms, hence exact as a double, and each operation is correctly rounded, so the result is the
 * same on every machine.
 */
static bool scale(const struct changed *changed, int64_t *ms)
{
    double distance = (double)(*ms - changed->first_ms);
    double moved = round(distance * changed->wanted.time_scale / changed->wanted.load_scale);
    if (fabs(moved) > 2.0 * (double)STAGE_LAST_MS)
        return false;
    *ms = changed->first_ms + (int64_t)moved;
    return *ms <= STAGE_LAST_MS;
}

/* "a|any:b" becomes "2.a|any:2.b". */
static const char *numbered(char **text, uint32_t part, const char *names)
{
    struct out *out = out_memory();
    for (const char *name = names; *name != '\0'; name += *name == '|') {
        size_t n = strcspn(name, "|"), any = n > 4 && memcmp(name, "any:", 4) == 0 ? 4 : 0;
        out_format(out, "%s%.*s%u.%.*s", name > names ? "|" : "", (int)any, name, part,
                   (int)(n - any), name + any);
        name += n;
    }
    free(*text);
    *text = out_memory_take(out);
    return *text;
}

static enum trace_result change(struct changed *changed, struct trace_job *job, struct err *err)
{
    if (changed->given++ == 0)
        changed->first_ms = job->submit_ms;
    int64_t submit_ms = job->submit_ms;
    if (changed->scaled) {
        if (!scale(changed, &job->submit_ms) || !scale(changed, &job->eligible_ms)) {
            err_set(err, EXIT_INPUT,
                    "job '%s': time_scale %g and load_scale %g move it beyond 1e12 s, expected "
                    "smaller factors",
                    job->id, changed->wanted.time_scale, changed->wanted.load_scale);
            return TRACE_ERROR;
        }
        job->start_ms = job->end_ms = TRACE_UNKNOWN;
        if (job->deadline_ms != TRACE_UNKNOWN) /* keeps the time to the deadline */
            job->deadline_ms += job->submit_ms - submit_ms;
    }
    if (changed->wanted.queue != SYMBOL_NONE)
        job->queue = changed->wanted.queue;
    if (job->recorded_on == SYMBOL_NONE)
        job->recorded_on = changed->wanted.recorded_on;
    if (changed->wanted.class >= 0)
        job->class = (enum trace_class)changed->wanted.class;
    if (changed->wanted.part > 0) {
        const char **names[] = {&job->id, &job->after, &job->array};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            *names[i] = numbered(&changed->texts[i], changed->wanted.part, *names[i]);
    }
    return TRACE_JOB;
}

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct changed *changed = (struct changed *)base;
    struct trace *inner = changed->stage.inner;
    enum trace_result result;
    if (changed->wanted.jobs < 0 || changed->given < changed->wanted.jobs) {
        result = trace_next(inner, job, err);
        return result == TRACE_JOB ? change(changed, job, err) : result;
    }
    struct trace_job unused;
    do {
        result = trace_next(inner, &unused, err);
    } while (result == TRACE_JOB);
    return result;
}

static void close_changed(struct trace *base)
{
    struct changed *changed = (struct changed *)base;
    for (size_t i = 0; i < sizeof changed->texts / sizeof *changed->texts; i++)
        free(changed->texts[i]);
    stage_close(base);
}

static const struct trace_methods changed_methods = {
    .next = next,
    .close = close_changed,
    .digest = stage_digest,
    .notes = stage_notes,
};

/* Exactly 1.0 means none. */
static bool is_factor(double scale_wanted)
{
    BUG_ON(!(scale_wanted > 0.0) || isinf(scale_wanted));
    return scale_wanted < 1.0 || scale_wanted > 1.0;
}

struct trace *trace_adjust(struct trace *trace, const struct trace_adjustment *wanted)
{
    BUG_ON(wanted->class >= TRACE_CLASSES || wanted->jitter_ms < 0);
    bool time_factor = is_factor(wanted->time_scale), load_factor = is_factor(wanted->load_scale);
    bool scaled = time_factor || load_factor;
    if (scaled || wanted->jobs >= 0 || wanted->queue != SYMBOL_NONE || wanted->class >= 0 ||
        wanted->recorded_on != SYMBOL_NONE || wanted->part > 0) {
        struct changed *changed = mem_alloc(1, sizeof *changed);
        stage_init(&changed->stage, &changed_methods, trace);
        changed->wanted = *wanted;
        changed->scaled = scaled;
        trace = &changed->stage.base;
    }
    return wanted->jitter_ms > 0 ? stage_jitter(trace, wanted->jitter_ms, wanted->seed) : trace;
}
