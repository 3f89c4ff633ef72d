/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merges several traces. Each part is sorted, so the next job is the earliest of the parts' next
 * jobs; for a handful of parts a plain scan finds it. Only the part whose job was returned is read
 * further, and only at the next call, so the strings of a job live as long as trace.h promises.
 *
 * Jobs keep their ids, which must differ between parts. Rows are renumbered, since they must be
 * unique within a trace.
 */
#include "traces/trace_internal.h"

#include "sim/base/mem.h"
#include "traces/ids.h"

#include <stdlib.h>
#include <string.h>

struct part {
    struct trace *trace;
    struct trace_job job; /* the next one, if has_job */
    bool has_job, wanted; /* wanted: read it before the next choice */
};

struct merged {
    struct trace base;
    struct part *parts;
    size_t count;
    uint64_t row;
    struct trace_ids ids; /* by part, counted from 1 */
    struct trace_note_list
        *gathered; /* separate, since trace_notes() promises not to change the trace */
};

/* Reads the next job of each part that needs one; false with the result of a part that failed. */
static bool fill(struct merged *merged, enum trace_result *result, struct err *err)
{
    for (size_t i = 0; i < merged->count; i++) {
        struct part *part = &merged->parts[i];
        if (!part->wanted)
            continue;
        *result = trace_next(part->trace, &part->job, err);
        if (*result < 0)
            return false;
        part->has_job = *result == TRACE_JOB;
        part->wanted = false;
    }
    return true;
}

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct merged *merged = (struct merged *)base;
    enum trace_result result;
    if (!fill(merged, &result, err))
        return result;
    struct part *first = NULL;
    for (size_t i = 0; i < merged->count; i++) {
        struct part *part = &merged->parts[i];
        if (part->has_job && (!first || part->job.submit_ms < first->job.submit_ms))
            first = part;
    }
    if (!first)
        return TRACE_END;
    uint64_t number = (uint64_t)(first - merged->parts) + 1,
             before = trace_ids_add(&merged->ids, first->job.id, number);
    if (before != 0) {
        err_set(err, EXIT_INPUT,
                "the job id '%s' is in parts %llu and %llu of the workload, expected each id once",
                first->job.id, (unsigned long long)before, (unsigned long long)number);
        return TRACE_ERROR;
    }
    *job = first->job;
    job->row = merged->row++;
    first->has_job = false;
    first->wanted = true;
    return TRACE_JOB;
}

static void close_merged(struct trace *base)
{
    struct merged *merged = (struct merged *)base;
    for (size_t i = 0; i < merged->count; i++)
        trace_close(merged->parts[i].trace);
    free(merged->parts);
    trace_ids_fini(&merged->ids);
    trace_note_list_fini(merged->gathered);
    free(merged->gathered);
}

/* SHA-256 over the hexadecimal digests of the parts, each with a newline. */
static void get_digest(const struct trace *base, char hex[DIGEST_HEX])
{
    const struct merged *merged = (const struct merged *)base;
    struct digest digest;
    digest_init(&digest);
    for (size_t i = 0; i < merged->count; i++) {
        char part[DIGEST_HEX];
        trace_digest(merged->parts[i].trace, part);
        digest_add(&digest, part, strlen(part));
        digest_add(&digest, "\n", 1);
    }
    digest_hex(&digest, hex);
}

/* Concatenates the notes of the parts. The first line number of each note is kept, though it means
 * little without its file. */
static const struct trace_note *get_notes(const struct trace *base, size_t *count)
{
    const struct merged *merged = (const struct merged *)base;
    struct trace_note_list *all = merged->gathered;
    all->count = 0;
    for (size_t i = 0; i < merged->count; i++) {
        size_t n;
        const struct trace_note *notes = trace_notes(merged->parts[i].trace, &n);
        all->notes = mem_grow(all->notes, &all->capacity, all->count + n, sizeof *all->notes);
        for (size_t j = 0; j < n; j++)
            all->notes[all->count++] = notes[j];
    }
    *count = all->count;
    return all->notes;
}

static const struct trace_methods merged_methods = {
    .next = next,
    .close = close_merged,
    .digest = get_digest,
    .notes = get_notes,
};

struct trace *trace_merge(struct trace **traces, size_t count)
{
    if (count == 1)
        return traces[0];
    struct merged *merged = mem_alloc(1, sizeof *merged);
    merged->base.methods = &merged_methods;
    merged->base.format = "merged";
    merged->parts = mem_alloc(count, sizeof *merged->parts);
    merged->gathered = mem_alloc(1, sizeof *merged->gathered);
    merged->count = count;
    for (size_t i = 0; i < count; i++) {
        merged->parts[i] = (struct part){.trace = traces[i], .wanted = true};
        merged->base.linked |= trace_linked(traces[i]);
        merged->base.dated |= trace_dated(traces[i]);
        merged->base.mixed |= traces[i]->mixed;
    }
    return &merged->base;
}
