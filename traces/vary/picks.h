/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces that are made of the jobs of others. All jobs of the sources are held in memory; the
 * result is a list of picks, each a job of a source at a time and under a name of its own, given
 * out in order of time:
 *
 *     sources      eva: j1 j2 j3    bob: j4
 *     picks        j1 at 0 s        j4 at 60 s        j1 again at 604800 s, copy 1 of its job and
 *                                                     of its user
 *     trace        j1, eva          j4, bob           j1#1, eva#1
 *
 * A copy's id, array and entries of `after` get its mark ("#1"), a moved block's one of its own
 * ("~3"). Numbers of marks start above those that the sources use in the same way, so that no name
 * occurs twice. Jobs without a user stay without.
 *
 * A stage embeds `struct picked`, adds its notes to base.notes and fills the list in its prepare(),
 * once all sources were read.
 */
#ifndef TRACES_VARY_PICKS_H
#define TRACES_VARY_PICKS_H

#include "traces/trace_internal.h"
#include "traces/vary/whole.h"

struct pick {
    int64_t submit_ms;
    uint64_t order; /* unique; breaks ties of time */
    size_t job;     /* of its source */
    uint32_t source;
    uint32_t block;     /* 1 + where its block is now, 0: where it was */
    uint32_t copy;      /* unique by source and job; 0: the job itself */
    uint32_t user_copy; /* 0: the user himself */
};

struct picks {
    struct pick *all;
    size_t count, capacity;
};

struct picked {
    struct trace base;    /* first */
    struct trace *merged; /* of the sources, for digest and notes */
    struct trace **inner;
    size_t source_count;
    struct whole *sources;
    struct trace_names names;
    struct picks picks;
    /* Fills `picks`; the order does not matter. False with err set. */
    bool (*prepare)(struct picked *, struct err *);
    void (*release)(struct picked *); /* what the stage owns; NULL: nothing */
    bool ready;
    size_t next;
    uint64_t row;
    uint32_t first_mark;
    char *texts[3]; /* id, after and array of the job given out */
    struct trace_note_list
        *gathered; /* apart, since trace_notes() promises not to change the trace */
};

/* Of a zeroed struct whose prepare() is set. Takes the traces over; they are read at the first
 * trace_next(). */
void picked_init(struct picked *, struct trace **, size_t count, const struct trace_names *);

static inline const struct trace_job *picked_job(const struct picked *p, const struct pick *pick)
{
    return &p->sources[pick->source].jobs[pick->job];
}

double picked_gpu_s(const struct picked *, const struct pick *);

void picks_add(struct picks *, struct pick); /* sets its order */
void picks_sort(struct picks *);             /* by time, then order, which is numbered anew */

#endif
