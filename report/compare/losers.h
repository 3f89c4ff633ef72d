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
    struct loser *rows; /* after losers_sort(): largest harm first */
    size_t count, capacity;
    size_t metrics; /* judged metrics of groups; 0: no statement is possible */
    size_t replicas;
    bool too_few; /* too few replicas for a verdict: the rows are the observed harms */
};

void losers_fini(struct losers *);

/*
 * Adds the metric if it belongs to a group that is worse off, and `sure` or too_few is set; `all`
 * has the group's other metrics.
 */
void losers_take(struct losers *, const struct measures *all, const struct measure *,
                 const struct judgement *, bool sure);

/* Sorts the losers; call once, after the last one was added. */
void losers_sort(struct losers *);

/*
 * Returns the headline: the losers, or that there are none, or that there are too few replicas. The
 * caller frees it.
 */
char *losers_headline(const struct losers *);

/*
 * Returns a sentence for each group, the one with the largest harm first, with at most one metric
 * of each topic (waits, completion, GPU-hours, evictions, ...). The caller frees the texts and the
 * array.
 */
char **losers_sentences(const struct losers *, size_t *count);
void losers_sentences_free(char **, size_t count);

/*
 * Returns one loser in words: "robotics waits 3h02m longer at p95 (2h10m to 5h12m)". The caller
 * frees it.
 */
char *loser_words(const struct loser *);

/*
 * Print the headline and the sentences: on the terminal, as a list in Markdown, as a section of a
 * page.
 */
void losers_print(const struct losers *, struct out *);
void losers_markdown(const struct losers *, struct out *);
void losers_html(const struct losers *, struct out *);

/*
 * Write "losers" and "observed_harms" into an open object; and one row of them, where `scenario`
 * may be NULL.
 */
void losers_json(const struct losers *, struct json *);
void loser_json(const struct loser *, const char *scenario, struct json *);

#endif
