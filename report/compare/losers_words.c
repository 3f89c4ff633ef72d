/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Losers in words; see losers.h. */
#include "report/compare/losers.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS ((size_t)40)
#define OBSERVED     ((size_t)5) /* harms named without a verdict */
#define SAME_HARM    0.9         /* at least this share of another harm counts as equal */
#define WORTH        0.005       /* only the first topic may have less harm than this */

/*
 * Wording of a change: as an amount in the metric's unit, as a share of A, or in percentage points.
 */
enum amount { AMOUNT_BY, AMOUNT_SHARE, AMOUNT_POINTS };

enum topic {
    TOPIC_WAITS,
    TOPIC_ENDS,
    TOPIC_HOURS,
    TOPIC_QUOTA,
    TOPIC_EVICTIONS,
    TOPIC_OTHER,
    TOPICS
};

/*
 * `@` is replaced by the amount. One phrase for a queue and one for jobs; the longest matching
 * metric wins.
 */
static const struct phrase {
    const char *metric;
    enum topic topic;
    enum amount amount;
    const char *queue, *jobs;
} phrases[] = {
    {"wait_s", TOPIC_WAITS, AMOUNT_BY, "waits @ longer", "wait @ longer"},
    {"wait_s.censored", TOPIC_WAITS, AMOUNT_BY, "has @ more jobs that do not start",
     "include @ more that do not start"},
    {"queue_s", TOPIC_WAITS, AMOUNT_BY, "is pending @ longer, requeues included,",
     "are pending @ longer, requeues included,"},
    {"queue_s.censored", TOPIC_WAITS, AMOUNT_BY, "has @ more jobs pending at the end",
     "include @ more that are pending at the end"},
    {"jct_s", TOPIC_ENDS, AMOUNT_SHARE, "takes @ longer from submission to end",
     "take @ longer from submission to end"},
    {"jct_s.censored", TOPIC_ENDS, AMOUNT_BY, "has @ more jobs that do not end",
     "include @ more that do not end"},
    {"bounded_slowdown", TOPIC_ENDS, AMOUNT_SHARE, "has a slowdown @ larger",
     "have a slowdown @ larger"},
    {"completed", TOPIC_ENDS, AMOUNT_BY, "completes @ fewer jobs", "complete @ fewer"},
    {"gpu_hours.allocated", TOPIC_HOURS, AMOUNT_BY, "holds @ fewer GPU-hours",
     "hold @ fewer GPU-hours"},
    {"gpu_hours.running", TOPIC_HOURS, AMOUNT_BY, "runs @ fewer GPU-hours",
     "run @ fewer GPU-hours"},
    {"gpu_hours.productive", TOPIC_HOURS, AMOUNT_BY, "gets @ fewer productive GPU-hours",
     "get @ fewer productive GPU-hours"},
    {"gpu_hours.work", TOPIC_HOURS, AMOUNT_BY, "gets @ fewer GPU-hours of work done",
     "get @ fewer GPU-hours of work done"},
    {"gpu_hours.lost.failure", TOPIC_HOURS, AMOUNT_BY, "loses @ more GPU-hours to failures",
     "lose @ more GPU-hours to failures"},
    {"gpu_hours.lost.checkpoint", TOPIC_HOURS, AMOUNT_BY, "loses @ more GPU-hours to checkpoints",
     "lose @ more GPU-hours to checkpoints"},
    {"gpu_hours.lost.restart", TOPIC_HOURS, AMOUNT_BY, "loses @ more GPU-hours to restarts",
     "lose @ more GPU-hours to restarts"},
    {"gpu_hours.lost.startup", TOPIC_HOURS, AMOUNT_BY, "loses @ more GPU-hours to startup",
     "lose @ more GPU-hours to startup"},
    {"gpu_hours.lost.user", TOPIC_HOURS, AMOUNT_BY, "loses @ more GPU-hours to jobs that fail",
     "lose @ more GPU-hours to jobs that fail"},
    {"gpu_hours.lost.slowdown", TOPIC_HOURS, AMOUNT_BY, "loses @ more GPU-hours to slowdown",
     "lose @ more GPU-hours to slowdown"},
    {"utilization.occupancy", TOPIC_HOURS, AMOUNT_POINTS,
     "runs in @ less of the time that it holds GPUs",
     "run in @ less of the time that they hold GPUs"},
    {"utilization.goodput_ratio", TOPIC_HOURS, AMOUNT_POINTS,
     "is productive in @ less of its running time",
     "are productive in @ less of their running time"},
    {"share", TOPIC_QUOTA, AMOUNT_POINTS, "gets @ less of its entitlement", NULL},
    {"share_deficit_gpu_h", TOPIC_QUOTA, AMOUNT_BY, "is owed @ more GPU-hours", NULL},
    {"share_deficit_core_h", TOPIC_QUOTA, AMOUNT_BY, "is owed @ more core-hours", NULL},
    {"share_deficit_gib_h", TOPIC_QUOTA, AMOUNT_BY, "is owed @ more GiB-hours", NULL},
    {"quota_satisfaction", TOPIC_QUOTA, AMOUNT_POINTS, "has its quota in @ less of the time", NULL},
    {"reclaim_p50_s", TOPIC_QUOTA, AMOUNT_BY, "waits @ longer for its quota at p50", NULL},
    {"reclaim_p95_s", TOPIC_QUOTA, AMOUNT_BY, "waits @ longer for its quota at p95", NULL},
    {"rho", TOPIC_QUOTA, AMOUNT_SHARE, "ends jobs @ later, against what it would have alone,",
     NULL},
    {"rho.share_above_1", TOPIC_QUOTA, AMOUNT_POINTS, "has @ more jobs that end later than alone",
     NULL},
    {"preemption.evictions", TOPIC_EVICTIONS, AMOUNT_BY, "is evicted @ times more",
     "are evicted @ times more"},
    {"preemption.tasks", TOPIC_EVICTIONS, AMOUNT_BY, "has @ more tasks stopped",
     "have @ more tasks stopped"},
    {"preemption.jobs", TOPIC_EVICTIONS, AMOUNT_BY, "has @ more jobs evicted",
     "include @ more that are evicted"},
    {"preemption.moves", TOPIC_EVICTIONS, AMOUNT_BY, "is moved @ times more",
     "are moved @ times more"},
    {"preemption.lost_gpu_h", TOPIC_EVICTIONS, AMOUNT_BY, "loses @ more GPU-hours to evictions",
     "lose @ more GPU-hours to evictions"},
    {"gpu_hours.lost.preemption", TOPIC_EVICTIONS, AMOUNT_BY,
     "does @ more GPU-hours again after evictions", "do @ more GPU-hours again after evictions"},
};

/* Returns NULL for a metric without a phrase. */
static const struct phrase *phrase_of(const struct loser *loser)
{
    const struct phrase *best = NULL;
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t n = strlen(phrases[i].metric);
        char end = strncmp(loser->metric, phrases[i].metric, n) == 0 ? loser->metric[n] : 'x';
        if ((end == '\0' || end == '.') && (best == NULL || n > strlen(best->metric)))
            best = &phrases[i];
    }
    return best != NULL && (loser->kind == GROUP_QUEUE || best->jobs != NULL) ? best : NULL;
}

static enum topic topic_of(const struct loser *loser)
{
    const struct phrase *phrase = phrase_of(loser);
    return phrase != NULL ? phrase->topic : TOPIC_OTHER;
}

/* ---- pieces ---- */

static char *subject_of(const struct loser *loser)
{
    static const struct {
        const char *name, *words;
    } sizes[] = {
        {"0", "jobs without GPUs"},
        {"<1", "jobs of less than one GPU"},
        {"1", "jobs of one GPU"},
    };
    char *name = unit_name(*loser->name != '\0' ? loser->name : "(no name)", NAME_COLUMNS),
         *words = NULL;
    for (size_t i = 0; loser->kind == GROUP_SIZE && i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(sizes[i].name, name) == 0)
            words = mem_text(sizes[i].words);
    int first = (int)strcspn(name, "-+");
    if (words == NULL && loser->kind == GROUP_SIZE)
        words = name[first] == '-'
                    ? mem_format("jobs of %.*s to %s GPUs", first, name, name + first + 1)
                : name[first] == '+' ? mem_format("jobs of %.*s or more GPUs", first, name)
                                     : mem_format("jobs of %s GPUs", name);
    if (words == NULL && loser->kind == GROUP_CLASS)
        words = mem_format("%s jobs", name);
    if (words == NULL)
        words = mem_text(name);
    free(name);
    return words;
}

/* Returns " at p95" for the last part of "wait_s.p95". */
static const char *statistic_of(const struct loser *loser)
{
    static const struct {
        const char *name, *words;
    } statistics[] = {
        {".mean", " on average"},    {".gmean", " on average (geometric mean)"},
        {".p50", " at the median"},  {".p90", " at p90"},
        {".p95", " at p95"},         {".p99", " at p99"},
        {".max", " at the maximum"},
    };
    const char *dot = strrchr(loser->metric, '.');
    for (size_t i = 0; dot != NULL && i < sizeof statistics / sizeof *statistics; i++)
        if (strcmp(statistics[i].name, dot) == 0)
            return statistics[i].words;
    return "";
}

/* Shares that differ by less than a tenth of a percent get more digits. */
static const char *value_text(char text[UNIT_TEXT], const struct loser *loser, enum amount amount,
                              double value)
{
    const double *mean = loser->judgement.mean;
    bool near = fabs(mean[SIDE_B] - mean[SIDE_A]) < 0.001;
    if (amount != AMOUNT_POINTS)
        return unit_any(text, loser->unit, value);
    if (!near)
        return unit_percent(text, value);
    (void)snprintf(text, UNIT_TEXT, "%.3f%%", 100 * value);
    return text;
}

/* Returns "3h02m" or "56.9%"; "" if only lower bounds are known. */
static const char *amount_text(char text[UNIT_TEXT], const struct loser *loser, enum amount amount)
{
    const struct judgement *j = &loser->judgement;
    double difference = fabs(j->mean[SIDE_B] - j->mean[SIDE_A]),
           share = difference / fabs(j->mean[SIDE_A]);
    text[0] = '\0';
    if (j->scale == JUDGE_SIGNS)
        return text;
    if (amount == AMOUNT_SHARE && isfinite(share))
        (void)snprintf(text, UNIT_TEXT, "%.*f%%",
                       share < 0.01 ? 2
                       : share < 10 ? 1
                                    : 0,
                       100 * share);
    else
        (void)value_text(text, loser, amount, difference);
    return text;
}

/* " more jobs that do not start" of one: " more job that does not start". */
static void put_singular(struct out *out, const char *text)
{
    static const struct {
        const char *many, *one;
    } words[] = {
        {"jobs", "job"}, {"tasks", "task"}, {"times", "time"}, {"do", "does"}, {"are", "is"},
    };
    while (*text != '\0') {
        size_t n = strcspn(text, " ");
        const char *one = NULL;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strlen(words[i].many) == n && memcmp(words[i].many, text, n) == 0)
                one = words[i].one;
        if (one != NULL)
            out_text(out, one);
        else
            out_bytes(out, text, n);
        text += n;
        if (*text == ' ')
            out_char(out, *text++);
    }
}

/* Prints the template with the amount in place of '@', or without it and the blank after it. */
static void put_template(struct out *out, const char *template, const char *amount)
{
    const char *at = strchr(template, '@');
    size_t before = at != NULL ? (size_t)(at - template) : strlen(template);
    out_bytes(out, template, before);
    if (at == NULL)
        return;
    out_text(out, amount);
    at += 1 + (*amount == '\0' && at[1] == ' ');
    if (strcmp(amount, "1") == 0)
        put_singular(out, at);
    else
        out_text(out, at);
}

static void put_values(struct out *out, const struct loser *loser, enum amount amount)
{
    const struct judgement *j = &loser->judgement;
    char a[UNIT_TEXT], b[UNIT_TEXT];
    out_format(out, " (%s%s to %s%s", j->bounds[SIDE_A] > 0 ? "at least " : "",
               value_text(a, loser, amount, j->mean[SIDE_A]),
               j->bounds[SIDE_B] > 0 ? "at least " : "",
               value_text(b, loser, amount, j->mean[SIDE_B]));
    size_t pairs = loser->better == METRIC_HIGHER ? j->lower : j->higher;
    if (j->scale == JUDGE_SIGNS)
        out_format(out, ", in %zu of %zu pairs", pairs, j->n);
    out_char(out, ')');
}

/* "waits 3h02m longer at p95 (2h10m to 5h12m)" */
static void put_clause(struct out *out, const struct loser *loser)
{
    const struct phrase *phrase = phrase_of(loser);
    char amount[UNIT_TEXT];
    if (phrase == NULL) {
        char *metric = unit_name(loser->metric, NAME_COLUMNS);
        out_format(out, "%s a harmed %s", loser->kind == GROUP_QUEUE ? "has" : "have", metric);
        put_values(out, loser, AMOUNT_BY);
        free(metric);
        return;
    }
    put_template(out, loser->kind == GROUP_QUEUE ? phrase->queue : phrase->jobs,
                 amount_text(amount, loser, phrase->amount));
    out_text(out, statistic_of(loser));
    put_values(out, loser, phrase->amount);
}

char *loser_words(const struct loser *loser)
{
    struct out *out = out_memory();
    char *subject = subject_of(loser);
    out_format(out, "%s ", subject);
    put_clause(out, loser);
    free(subject);
    return out_memory_take(out);
}

/* ---- sentences ---- */

static bool same_group(const struct loser *a, const struct loser *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

/* Means and p95 are the usual statistics; another one is used for its topic only if both are
 * absent. */
static bool is_usual(const struct loser *loser)
{
    const char *dot = strrchr(loser->metric, '.');
    bool statistic = *statistic_of(loser) != '\0';
    return !statistic || strcmp(dot, ".mean") == 0 || strcmp(dot, ".p95") == 0;
}

/*
 * Returns true if the row represents its topic better than one with at least its harm: by a more
 * common statistic, or by a simpler metric (earlier in the table) with about the same harm.
 */
static bool stands_before(const struct loser *a, const struct loser *best)
{
    if (is_usual(a) != is_usual(best))
        return is_usual(a);
    return phrase_of(a) < phrase_of(best) && a->harm >= SAME_HARM * best->harm;
}

/*
 * Chooses for each topic the row to print in the group's sentence, or NULL. Rows are ordered by
 * harm.
 */
static size_t choose(const struct losers *l, size_t first, const struct loser *chosen[TOPICS])
{
    size_t rows = 0;
    for (size_t i = first; i < l->count; i++) {
        const struct loser *loser = &l->rows[i], **best = &chosen[topic_of(loser)];
        if (!same_group(&l->rows[first], loser))
            continue;
        rows++;
        if (*best == NULL || stands_before(loser, *best))
            *best = loser;
    }
    return rows;
}

static char *sentence(const struct losers *l, size_t first)
{
    const struct loser *chosen[TOPICS] = {NULL};
    size_t rows = choose(l, first, chosen), said = 0;
    struct out *out = out_memory();
    char *subject = subject_of(&l->rows[first]);
    out_text(out, subject);
    free(subject);
    enum topic lead = topic_of(&l->rows[first]);
    for (size_t i = 0; i <= TOPICS; i++) { /* most harmful topic first */
        const struct loser *loser = i == 0                        ? chosen[lead]
                                    : (enum topic)(i - 1) != lead ? chosen[i - 1]
                                                                  : NULL;
        if (loser == NULL || (i > 0 && loser->harm < WORTH))
            continue;
        out_text(out, said++ > 0 ? ", " : " ");
        put_clause(out, loser);
    }
    if (rows > said)
        out_format(out, ", and %zu more metric%s", rows - said, rows - said > 1 ? "s" : "");
    return out_memory_take(out);
}

/* Returns the first row of each group, by harm; the caller frees it. */
static size_t *groups_of(const struct losers *l, size_t *count)
{
    size_t *firsts = mem_alloc(l->count + 1, sizeof *firsts);
    *count = 0;
    for (size_t i = 0; i < l->count; i++) {
        bool known = false;
        for (size_t k = 0; k < *count && !known; k++)
            known = same_group(&l->rows[firsts[k]], &l->rows[i]);
        if (!known)
            firsts[(*count)++] = i;
    }
    return firsts;
}

char **losers_sentences(const struct losers *l, size_t *count)
{
    size_t *firsts = groups_of(l, count);
    if (l->too_few && *count > OBSERVED)
        *count = OBSERVED;
    char **sentences = mem_alloc(*count + 1, sizeof *sentences);
    for (size_t i = 0; i < *count; i++)
        sentences[i] = sentence(l, firsts[i]);
    free(firsts);
    return sentences;
}

void losers_sentences_free(char **sentences, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(sentences[i]);
    free(sentences);
}

/* "2 queues, 1 class and 3 sizes are certainly worse." */
static void put_numbers(struct out *out, const struct losers *l)
{
    static const char *const many[GROUP_KINDS] = {"", "classes", "sizes", "queues"};
    size_t of[GROUP_KINDS] = {0}, kinds = 0, said = 0, count, *firsts = groups_of(l, &count);
    for (size_t i = 0; i < count; i++)
        kinds += of[l->rows[firsts[i]].kind]++ == 0;
    for (int kind = GROUP_KINDS - 1; kind > GROUP_NONE; kind--) {
        if (of[kind] == 0)
            continue;
        said++;
        out_format(out, "%s%zu %s",
                   said == 1       ? ""
                   : said == kinds ? " and "
                                   : ", ",
                   of[kind], of[kind] == 1 ? group_kind_names[kind] : many[kind]);
    }
    out_format(out, " %s certainly worse.", count == 1 ? "is" : "are");
    free(firsts);
}

char *losers_headline(const struct losers *l)
{
    bool one = l->replicas == 1;
    struct out *out = out_memory();
    char *number = one ? mem_text("one replica") : mem_format("%zu replicas", l->replicas);
    if (l->metrics == 0)
        out_text(out, "No metric of a queue, class or size was compared.");
    else if (l->too_few)
        out_format(out,
                   "Nobody can be called a loser: %s on each side %s too few for a verdict.%s%s%s",
                   number, one ? "is" : "are", l->count > 0 ? " The largest harms observed (" : "",
                   l->count > 0 ? number : "", l->count > 0 ? "):" : "");
    else if (l->count == 0)
        out_text(out, "No queue, class or size is certainly worse.");
    else {
        out_text(out, "Who loses: ");
        put_numbers(out, l);
    }
    free(number);
    return out_memory_take(out);
}
