/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who loses: the queues, classes and sizes of jobs that a comparison found certainly worse in some
 * metric, in words:
 *
 *     robotics waits 3h02m longer at p95 (2h10m to 5h12m), is evicted 12 times more (3 to 15)
 *     jobs of 64 to 511 GPUs take 56.9% longer from submission to end on average (2d04h to 3d10h)
 *
 * Worse is what the verdicts say (judge.h) and the ranks of the pairs confirm, for all groups and
 * metrics together. Harm orders them: the logarithm of the ratio of the two means, each with so
 * much added that small changes count little: a minute, a hundredth of a ratio, as many evictions
 * as the group has jobs, as many lost GPU-hours as it held. Where there are too few replicas for
 * any verdict no group is called a loser; then these are the largest harms that were observed.
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
    size_t metrics; /* of groups that were compared; 0: nothing can be said */
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

/* The headline: who loses, or that no group does, or that there are too few replicas to tell. To be
 * freed. */
char *losers_headline(const struct losers *);

/*
 * A sentence for each group, the one with the largest harm first, of at most one metric of a kind
 * (waits, completion, GPU-hours, evictions, ...). The texts and the array are the caller's.
 */
char **losers_sentences(const struct losers *, size_t *count);
void losers_sentences_free(char **, size_t count);

/* The words of one of them: "robotics waits 3h02m longer at p95 (2h10m to 5h12m)". The caller's. */
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
