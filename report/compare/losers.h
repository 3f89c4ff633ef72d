/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Losers: queues, classes and job sizes that are certainly worse in some metric, in words:
 *
 *     robotics waits 3h02m longer at p95 (2h10m to 5h12m), is evicted 12 times more (3 to 15)
 *     jobs of 64 to 511 GPUs take 56.9% longer from submission to end on average (2d04h to 3d10h)
 *
 * A group is worse if the verdict says so (judge.h) and the ranks of the pairs confirm it,
 * corrected over all groups and metrics. They are ordered by harm: the logarithm of the ratio of
 * the two means. An offset added to both makes small changes count little: a minute, a hundredth of
 * a ratio, the group's number of jobs (for evictions), the GPU-hours it held (for lost GPU-hours).
 * With too few replicas for a verdict no group is a loser, and the list has the largest observed
 * harms.
 */
#ifndef REPORT_COMPARE_LOSERS_H
#define REPORT_COMPARE_LOSERS_H

#include "report/compare/group.h"
#include "report/compare/judge.h"
#include "sim/base/json.h"
#include "sim/base/out.h"

struct loser {
    enum group_kind kind;
    char *name;   /* "robotics" */
    char *metric; /* "wait_s.p95" */
    char *path;   /* "by_queue.robotics.wait_s.p95" */
    const char *unit;
    enum metric_better better;
    struct judgement judgement;
    double harm; /* 0.. */
};

struct losers {
    struct loser *rows; /* after losers_sort(): by harm, the largest first */
    size_t count, capacity;
    size_t metrics; /* metrics of the compared groups; 0: no statement is possible */
    size_t replicas;
    bool too_few; /* too few replicas for a verdict: the rows are the observed harms */
};

void losers_fini(struct losers *);

/*
 * Takes the metric in if it is one of a group that is worse off, and `sure`, or too_few is set;
 * `all` has the group's other metrics.
 */
void losers_take(struct losers *, const struct measures *all, const struct measure *,
                 const struct judgement *, bool sure);

/* Puts them in order; once, after the last one. */
void losers_sort(struct losers *);

/* The headline: the losers, or that there are none, or that there are too few replicas. The caller
 * frees it. */
char *losers_headline(const struct losers *);

/*
 * A sentence for each group, the one with the largest harm first, of at most one metric of a kind
 * (waits, completion, GPU-hours, evictions, ...). The texts and the array are the caller's.
 */
char **losers_sentences(const struct losers *, size_t *count);
void losers_sentences_free(char **, size_t count);

/* One loser in words: "robotics waits 3h02m longer at p95 (2h10m to 5h12m)". The caller frees
 * it. */
char *loser_words(const struct loser *);

/* The headline and the sentences: for the terminal, as a list in Markdown, as a section of a page.
 */
void losers_print(const struct losers *, struct out *);
void losers_markdown(const struct losers *, struct out *);
void losers_html(const struct losers *, struct out *);

/* "losers" and "observed_harms", into an object that is open; and one row of them, `scenario` may
 * be NULL. */
void losers_json(const struct losers *, struct json *);
void loser_json(const struct loser *, const char *scenario, struct json *);

#endif
