/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See whole.h. */
#include "traces/vary/whole.h"

#include "sim/base/mem.h"
#include "traces/trace_internal.h"

#include <stdlib.h>

void whole_add(struct whole *whole, const struct trace_job *job)
{
    whole->jobs = mem_grow(whole->jobs, &whole->capacity, whole->count + 1, sizeof *whole->jobs);
    whole->texts =
        mem_grow(whole->texts, &whole->text_capacity, whole->count + 1, sizeof *whole->texts);
    struct trace_job *kept = &whole->jobs[whole->count];
    char *text = NULL;
    size_t capacity = 0;
    *kept = *job;
    trace_job_keep(kept, &text, &capacity);
    whole->texts[whole->count++] = text;
    whole->dated |= job->deadline_ms != TRACE_UNKNOWN;
    whole->mixed |= job->roles[0] != '\0' || job->on_failure != TRACE_ON_FAILURE_UNSET;
    whole->linked |= job->after[0] != '\0' || job->array[0] != '\0';
}

void whole_free(struct whole *whole)
{
    for (size_t i = 0; i < whole->count; i++)
        free(whole->texts[i]);
    free(whole->texts);
    free(whole->jobs);
    *whole = (struct whole){0};
}

struct told {
    struct trace base;
    const struct whole *whole;
    size_t next;
};

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    (void)err;
    struct told *told = (struct told *)base;
    if (told->next == told->whole->count)
        return TRACE_END;
    *job = told->whole->jobs[told->next++];
    return TRACE_JOB;
}

static void nothing(struct trace *base)
{
    (void)base;
}

struct trace *whole_trace(const struct whole *whole, const char *format)
{
    static const struct trace_methods methods = {.next = next, .close = nothing};
    struct told *told = mem_alloc(1, sizeof *told);
    told->base.methods = &methods;
    told->base.format = format;
    told->base.linked = whole->linked;
    told->base.dated = whole->dated;
    told->base.mixed = whole->mixed;
    told->whole = whole;
    return &told->base;
}
