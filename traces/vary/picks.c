/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See picks.h. */
#include "traces/vary/picks.h"

#include "sim/base/mem.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* larger numbers after '#' are names, not marks; ours stay below twice this */
#define MARK_MOST  1000000000U
#define MARK_BYTES 25 /* "~4294967295#4294967295" and the NUL */

/* ---- the list ---- */

void picks_add(struct picks *picks, struct pick pick)
{
    picks->all = mem_grow(picks->all, &picks->capacity, picks->count + 1, sizeof *picks->all);
    pick.order = picks->count;
    picks->all[picks->count++] = pick;
}

static int by_time(const void *a, const void *b)
{
    const struct pick *x = a, *y = b;
    if (x->submit_ms != y->submit_ms)
        return x->submit_ms < y->submit_ms ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void picks_sort(struct picks *picks)
{
    if (picks->count > 0)
        qsort(picks->all, picks->count, sizeof *picks->all, by_time);
    for (size_t i = 0; i < picks->count; i++)
        picks->all[i].order = i;
}

double picked_gpu_s(const struct picked *p, const struct pick *pick)
{
    const struct trace_job *job = picked_job(p, pick);
    return (double)trace_job_gpu_milli(job) / 1000 * (double)job->duration_ms / 1000;
}

/* ---- reading ---- */

/* The largest number after a '#' or '~', 0 if there is none below MARK_MOST. */
static uint32_t largest_mark(const char *name)
{
    uint32_t largest = 0;
    for (; *name != '\0'; name++) {
        uint32_t number = 0;
        if (*name != '#' && *name != '~')
            continue;
        for (const char *digit = name + 1; isdigit((unsigned char)*digit) && number < MARK_MOST;
             digit++)
            number = 10 * number + (uint32_t)(*digit - '0');
        if (number < MARK_MOST && number > largest)
            largest = number;
    }
    return largest;
}

static void see_marks(struct picked *p, const struct trace_job *job)
{
    const char *names[] = {job->id, job->array, symbols_name(p->names.users, job->user)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t mark = largest_mark(names[i]);
        p->first_mark = mark > p->first_mark ? mark : p->first_mark;
    }
}

static bool load_all(struct picked *p, enum trace_result *result, struct err *err)
{
    struct trace_job job;
    for (size_t i = 0; i < p->source_count; i++) {
        while ((*result = trace_next(p->inner[i], &job, err)) == TRACE_JOB) {
            whole_add(&p->sources[i], &job);
            see_marks(p, &job);
        }
        if (*result < 0)
            return false;
    }
    return true;
}

/* ---- returning jobs ---- */

/* Appends "~BLOCK#COPY" to the name, or to each entry of `after`. */
static const char *mark(const struct picked *p, char **text, const char *name,
                        const struct pick *pick)
{
    free(*text);
    *text = NULL;
    if (name[0] == '\0' || (pick->copy == 0 && pick->block == 0))
        return name;
    size_t entries = 1;
    for (const char *c = name; *c != '\0'; c++)
        entries += *c == '|';
    *text = mem_alloc(strlen(name) + entries * MARK_BYTES, 1);
    char *to = *text;
    while (*name != '\0') {
        size_t n = strcspn(name, "|");
        memcpy(to, name, n);
        to += n;
        to += pick->block > 0 ? snprintf(to, 12, "~%u", p->first_mark + pick->block) : 0;
        to += pick->copy > 0 ? snprintf(to, 12, "#%u", p->first_mark + pick->copy) : 0;
        name += n;
        if (*name == '|')
            *to++ = *name++;
    }
    *to = '\0';
    return *text;
}

static uint32_t user_of(const struct picked *p, uint32_t user, uint32_t copy)
{
    const char *name = symbols_name(p->names.users, user);
    if (copy == 0 || name[0] == '\0')
        return user;
    char *marked = mem_format("%s#%u", name, p->first_mark + copy);
    uint32_t id = symbols_add(p->names.users, marked, strlen(marked));
    free(marked);
    return id;
}

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct picked *p = (struct picked *)base;
    enum trace_result result = TRACE_ERROR;
    if (!p->ready) {
        if (!load_all(p, &result, err))
            return result;
        if (!p->prepare(p, err))
            return TRACE_ERROR;
        picks_sort(&p->picks);
        p->ready = true;
    }
    if (p->next == p->picks.count)
        return TRACE_END;
    const struct pick *pick = &p->picks.all[p->next++];
    *job = *picked_job(p, pick);
    trace_job_shift(job, pick->submit_ms - job->submit_ms);
    job->row = p->row++;
    job->user = user_of(p, job->user, pick->user_copy);
    job->id = mark(p, &p->texts[0], job->id, pick);
    job->after = mark(p, &p->texts[1], job->after, pick);
    job->array = mark(p, &p->texts[2], job->array, pick);
    return TRACE_JOB;
}

static void close_picked(struct trace *base)
{
    struct picked *p = (struct picked *)base;
    if (p->release != NULL)
        p->release(p);
    for (size_t i = 0; i < p->source_count; i++)
        whole_free(&p->sources[i]);
    for (int i = 0; i < 3; i++)
        free(p->texts[i]);
    trace_close(p->merged);
    free(p->sources);
    free(p->inner);
    free(p->picks.all);
    trace_note_list_fini(p->gathered);
    free(p->gathered);
}

static void get_digest(const struct trace *base, char hex[DIGEST_HEX])
{
    trace_digest(((const struct picked *)base)->merged, hex);
}

/* The notes of the sources, then the stage's own (base.notes). */
static const struct trace_note *get_notes(const struct trace *base, size_t *count)
{
    const struct picked *p = (const struct picked *)base;
    const struct trace_note_list *own = &base->notes;
    const struct trace_note *notes = trace_notes(p->merged, count);
    if (own->count == 0)
        return notes;
    struct trace_note_list *all = p->gathered;
    all->count = *count + own->count;
    all->notes = mem_grow(all->notes, &all->capacity, all->count, sizeof *all->notes);
    for (size_t i = 0; i < all->count; i++)
        all->notes[i] = i < *count ? notes[i] : own->notes[i - *count];
    *count = all->count;
    return all->notes;
}

void picked_init(struct picked *p, struct trace **traces, size_t count,
                 const struct trace_names *names)
{
    static const struct trace_methods methods = {
        .next = next, .close = close_picked, .digest = get_digest, .notes = get_notes};
    p->inner = mem_alloc(count, sizeof *p->inner);
    memcpy(p->inner, traces, count * sizeof *p->inner);
    p->source_count = count;
    p->sources = mem_alloc(count, sizeof *p->sources);
    p->names = *names;
    p->gathered = mem_alloc(1, sizeof *p->gathered);
    p->merged = trace_merge(traces, count);
    p->base.methods = &methods;
    p->base.format = trace_format_name(p->merged);
    p->base.linked = trace_linked(p->merged);
    p->base.dated = trace_dated(p->merged);
    p->base.mixed = p->merged->mixed;
}
