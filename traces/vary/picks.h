/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces made of the jobs of others. All jobs of the sources are held in memory. The result is a
 * list of picks, each a job of a source with its own time and name, returned in order of time:
 *
 *     sources      eva: j1 j2 j3    bob: j4
 *     picks        j1 at 0 s        j4 at 60 s        j1 again at 604800 s, copy 1 of its job and
 *                                                     of its user
 *     trace        j1, eva          j4, bob           j1#1, eva#1
 *
 * A copy's id, array and entries of `after` get its mark ("#1"), those of a moved block another one
 * ("~3"). Marks start above the numbers that the sources use in the same way, so that no name
 * occurs twice. Jobs without a user stay without.
 *
 * A stage embeds `struct picked`, adds its notes to base.notes and fills the list in its prepare(),
 * once all sources have been read.
 */
#ifndef TRACES_VARY_PICKS_H
#define TRACES_VARY_PICKS_H

#include "traces/trace_internal.h"
#include "traces/vary/whole.h"

struct pick {
    int64_t submit_ms;
    uint64_t order; /* unique; breaks ties of time */
    size_t job;     /* index in its source */
    uint32_t source;
    uint32_t block;     /* 1 + the new position of its block; 0: not moved */
    uint32_t copy;      /* unique by source and job; 0: the original */
    uint32_t user_copy; /* 0: the original user */
};

struct picks {
    struct pick *all;
    size_t count, capacity;
};

struct picked {
    struct trace base;    /* must be first */
    struct trace *merged; /* all sources, for digest and notes */
    struct trace **inner;
    size_t source_count;
    struct whole *sources;
    struct trace_names names;
    struct picks picks;
    /* Fills `picks`, in any order. False with err set on failure. */
    bool (*prepare)(struct picked *, struct err *);
    void (*release)(struct picked *); /* releases the stage's own memory; NULL: none */
    bool ready;
    size_t next;
    uint64_t row;
    uint32_t first_mark;
    char *texts[3]; /* id, after and array of the last job */
    struct trace_note_list
        *gathered; /* separate, since trace_notes() promises not to change the trace */
};

/* Initializes a zeroed struct whose prepare() is set. Takes ownership of the traces, which are read
 * at the first trace_next(). */
void picked_init(struct picked *, struct trace **, size_t count, const struct trace_names *);

static inline const struct trace_job *picked_job(const struct picked *p, const struct pick *pick)
{
    return &p->sources[pick->source].jobs[pick->job];
}

double picked_gpu_s(const struct picked *, const struct pick *);

void picks_add(struct picks *, struct pick); /* sets its order */
void picks_sort(struct picks *);             /* by time, then order, which is renumbered */

#endif
