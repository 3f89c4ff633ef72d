/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict: each row of the table makes one sentence or none. Sentences are built in memory from
 * the summary alone.
 */
#include "report/results/verdict.h"
#include "report/words/price_note.h"

#include "report/results/rundir.h"
#include "report/words/losses.h"
#include "report/words/units.h"
#include "sim/base/out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW_SHARE  0.0005 /* of the installed hours: smaller shares are not mentioned */
#define MET_SHARE  0.9995 /* shown as 100.0% */
#define HELD_SHARE 0.9    /* share of the allocated hours in which jobs ran: less raises an alarm */
#define LONG_NAMES ((size_t)40)

static void put_share(struct out *out, double share)
{
    char text[UNIT_TEXT];
    out_text(out, unit_percent(text, share));
}

static void put_name(struct out *out, const char *name)
{
    char *safe = unit_name(*name ? name : "(no name)", LONG_NAMES);
    out_text(out, safe);
    free(safe);
}

static double at(const cJSON *summary, const char *path)
{
    return json_number_at(summary, path);
}

/* ---- alarms ---------------------------------------------------------------------------------- */

/* "1 job has", "3 jobs have" */
static void put_jobs(struct out *out, double jobs, const char *one, const char *many)
{
    char text[UNIT_TEXT];
    bool single = !(jobs < 1) && !(jobs > 1);
    out_format(out, "%s job%s %s", unit_count(text, jobs), single ? "" : "s", single ? one : many);
}

static void never_fits(struct out *out, const cJSON *summary)
{
    double jobs = at(summary, "jobs.never_fits");
    if (!(jobs > 0))
        return;
    put_jobs(out, jobs, "never fits", "never fit");
    out_text(out,
             ": the fleet, any one place in it, or the part that the queue may use is too small.");
}

static void not_started(struct out *out, const cJSON *summary)
{
    double jobs = at(summary, "wait_s.censored"), all = at(summary, "jobs.submitted");
    if (!(jobs > 0))
        return;
    put_jobs(out, jobs, "had", "had");
    out_text(out, " not started when the simulation stopped");
    if (all > 0) {
        out_text(out, " (");
        put_share(out, jobs / all);
        out_text(out, " of those submitted)");
    }
    out_text(out, ": their waits are lower bounds, and figures that depend on them say "
                  "\xE2\x80\x9C"
                  "at least\xE2\x80\x9D.");
}

/*
 * Devices that jobs hold without working: the only sign of gangs that wait for each other for ever.
 */
static void held(struct out *out, const cJSON *summary)
{
    double ran = at(summary, "utilization.occupancy");
    if (!(ran < HELD_SHARE))
        return;
    out_text(out, "Of the GPU-hours that jobs held they ran for ");
    put_share(out, ran);
    out_text(out, " only; otherwise they started up, waited for the rest of a gang or for memory, "
                  "or were being released.");
}

static void ledger_off(struct out *out, const cJSON *summary)
{
    double installed = at(summary, "gpu_hours.installed"),
           sum = at(summary, "gpu_hours.productive");
    const cJSON *lost = json_at(summary, "gpu_hours.lost");
    if (!(installed > 0) || isnan(sum) || lost == NULL)
        return;
    for (int g = LOSS_NONE + 1; g < LOSS_GROUPS; g++)
        sum += loss_sum(lost, (enum loss_group)g);
    if (fabs(sum - installed) <= LOSS_TOLERANCE * installed)
        return;
    out_text(out, "The ledger does not add up: productive hours and losses are ");
    put_share(out, sum / installed);
    out_text(out, " of the installed ones. Do not rely on this page.");
}

static void quotas_missed(struct out *out, const cJSON *summary)
{
    double met = at(summary, "fairness.quota_satisfaction");
    if (!(met < MET_SHARE))
        return;
    out_text(out, "Queues with demand had at least their quota, or all they asked for, for ");
    put_share(out, met);
    out_text(out, " of the time only.");
}

/* By the scenario's quotas, whatever the outcome of the run. */
static void quotas_exceed(struct out *out, const cJSON *summary)
{
    const cJSON *excess, *excesses = json_at(summary, "fairness.quotas_exceed");
    int count = 0;
    cJSON_ArrayForEach(excess, excesses)
    {
        const char *text = json_text_at(excess, "text");
        if (*text == '\0' || ++count > 3)
            continue;
        out_text(out, count > 1 ? " " : "");
        out_char(out, *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text);
        out_format(out, "%s.", text + 1);
    }
    if (count > 3)
        out_format(out, " And %d more.", count - 3);
}

static void services_short(struct out *out, const cJSON *summary)
{
    double served = at(summary, "services.total.served_share");
    if (!(served < MET_SHARE))
        return;
    out_text(out, "Services answered ");
    put_share(out, served);
    out_text(out, " of their requests; the rest came when too few replicas were up.");
}

/* ---- results --------------------------------------------------------------------------------- */

/* "19.4% idle (mostly held back: 11.9%)" */
static void put_losses(struct out *out, const cJSON *lost, enum loss_group group, double installed,
                       const char *words)
{
    double share = loss_sum(lost, group) / installed;
    const cJSON *largest = loss_largest(lost, group);
    if (!(share > FEW_SHARE) || largest == NULL)
        return;
    out_text(out, ", ");
    put_share(out, share);
    out_format(out, " %s (", words);
    double of_largest = largest->valuedouble / installed;
    bool rest = share - of_largest > FEW_SHARE;
    out_text(out, rest ? "mostly " : "");
    out_text(out, loss_label(largest->string));
    if (rest) {
        out_text(out, ": ");
        put_share(out, of_largest);
    }
    out_char(out, ')');
}

static void hours(struct out *out, const cJSON *summary)
{
    double installed = at(summary, "gpu_hours.installed"),
           productive = at(summary, "gpu_hours.productive");
    const cJSON *lost = json_at(summary, "gpu_hours.lost");
    if (!(installed > 0) || isnan(productive))
        return;
    char text[UNIT_TEXT];
    out_format(out, "Of %s installed GPU-hours ", unit_amount(text, installed));
    put_share(out, productive / installed);
    out_text(out, " were productive");
    put_losses(out, lost, LOSS_IDLE, installed, "idle");
    put_losses(out, lost, LOSS_AT_WORK, installed, "lost at work");
    put_losses(out, lost, LOSS_GONE, installed, "out of service");
    out_char(out, '.');
}

/* Returns "30s", "at least 2h05m" if only a lower bound is known, or NULL. */
static const char *wait_words(char words[2 * UNIT_TEXT], const cJSON *waits, const char *key,
                              const char *bound_key)
{
    char text[UNIT_TEXT];
    double value = at(waits, key), bound = at(waits, bound_key);
    if (isnan(value) && isnan(bound))
        return NULL;
    (void)snprintf(words, 2 * UNIT_TEXT, "%s%s", isnan(value) ? "at least " : "",
                   unit_duration(text, isnan(value) ? bound : value));
    return words;
}

/* "build 0s and 12s; train 42m and 5h17m" */
static void waits(struct out *out, const cJSON *summary)
{
    const cJSON *class;
    bool first = true;
    cJSON_ArrayForEach(class, json_at(summary, "by_class"))
    {
        char half[2 * UNIT_TEXT], most[2 * UNIT_TEXT];
        const cJSON *waits = json_at(class, "wait_s");
        if (class->string == NULL || !(at(class, "jobs") > 0) ||
            !wait_words(half, waits, "p50", "p50_at_least") ||
            !wait_words(most, waits, "p95", "p95_at_least"))
            continue;
        if (first)
            out_format(out, "Until half of a class had started, and 95%% of it%s: ",
                       at(summary, "jobs.never_fits") > 0 ? " (without the jobs that never fit)"
                                                          : "");
        else
            out_text(out, "; ");
        put_name(out, class->string);
        out_format(out, " %s and %s", half, most);
        first = false;
    }
    out_text(out, first ? "" : ".");
}

/*
 * Of the queues with an entitlement, the one that used the smallest share of it and the one that
 * used the largest.
 */
struct extremes {
    const char *least_name, *most_name;
    double least, most;       /* used over entitled */
    double missing, borrowed; /* GPU-hours */
};

static struct extremes extremes_of(const cJSON *queues)
{
    struct extremes e = {.least = (double)INFINITY, .most = -(double)INFINITY};
    const cJSON *queue;
    cJSON_ArrayForEach(queue, queues)
    {
        double used = at(queue, "used_gpu_h"), entitled = at(queue, "entitled_gpu_h");
        if (queue->string == NULL || !(entitled > 0) || isnan(used))
            continue;
        double share = used / entitled;
        if (share < e.least) {
            e.least = share;
            e.least_name = queue->string;
            e.missing = entitled - used;
        }
        if (share > e.most) {
            e.most = share;
            e.most_name = queue->string;
            e.borrowed = used - entitled;
        }
    }
    return e;
}

/*
 * A queue was short with less than nine tenths of its entitlement, starved with less than half, and
 * borrowed with more than 11/10.
 */
static void queues(struct out *out, const cJSON *summary)
{
    char text[UNIT_TEXT];
    struct extremes e = extremes_of(json_at(summary, "fairness.queues"));
    if (e.least_name == NULL || (e.least >= 0.9 && e.most <= 1.1)) {
        if (e.least_name != NULL && strcmp(e.least_name, e.most_name) != 0)
            out_text(out, "Every queue used about its entitlement (90% to 110% of it).");
        return;
    }
    if (e.least < 0.9) {
        put_name(out, e.least_name);
        out_text(out, e.least < 0.5 ? " starved: it had " : " went short: it had ");
        put_share(out, e.least);
        out_format(out, " of what it was entitled to, %s GPU-hours less",
                   unit_amount(text, e.missing));
        out_text(out, e.most > 1.1 ? "; " : ".");
    }
    if (e.most > 1.1) {
        put_name(out, e.most_name);
        out_text(out, " borrowed most: ");
        put_share(out, e.most);
        out_format(out, " of its entitlement, %s GPU-hours more.", unit_amount(text, e.borrowed));
    }
}

static void faults(struct out *out, const cJSON *summary)
{
    char text[UNIT_TEXT];
    double struck = at(summary, "reliability.faults"), ettr = at(summary, "reliability.ettr");
    if (!(struck > 0))
        return;
    double broken = at(summary, "reliability.node_failures"),
           interrupted = at(summary, "reliability.job_interruptions");
    out_format(out, "%s faults struck", unit_count(text, struck));
    if (broken > 0)
        out_format(out, ", took nodes out %s times", unit_count(text, broken));
    if (interrupted > 0) {
        out_format(out, ", interrupted jobs %s times", unit_count(text, interrupted));
        out_format(out, " and cost them %s GPU-hours of work",
                   unit_amount(text, at(summary, "reliability.lost_gpu_h")));
    }
    double gone = loss_sum(json_at(summary, "gpu_hours.lost"), LOSS_GONE);
    if (gone > 0)
        out_format(out, "; %s GPU-hours were out of service", unit_amount(text, gone));
    out_char(out, '.');
    if (!isnan(ettr)) {
        out_text(out, " Jobs of an hour and more got on for ");
        put_share(out, ettr);
        out_text(out, " of the time from their first start (ETTR).");
    }
}

static void evictions(struct out *out, const cJSON *summary)
{
    char text[UNIT_TEXT];
    double count = at(summary, "preemption.evictions");
    if (!(count > 0))
        return;
    out_format(out, "The policy evicted %s times", unit_count(text, count));
    out_format(out, " (%s jobs)", unit_count(text, at(summary, "preemption.jobs")));
    const cJSON *cause;
    const char *between = ": ";
    cJSON_ArrayForEach(cause, json_at(summary, "preemption.by_cause"))
    {
        if (!loss_is_amount(cause) || !(cause->valuedouble > 0))
            continue;
        out_format(out, "%s%s ", between, unit_count(text, cause->valuedouble));
        put_name(out, cause->string);
        between = ", ";
    }
    double lost = at(summary, "preemption.lost_gpu_h");
    if (!isnan(lost))
        out_format(out, "; that cost %s GPU-hours", unit_amount(text, lost));
    out_char(out, '.');
}

/* Only if prices are known. */
static void cost(struct out *out, const cJSON *summary)
{
    char text[UNIT_TEXT];
    double each = at(summary, "cost.usd_per_productive_gpu_h"), idle = at(summary, "cost.idle_usd");
    if (isnan(each) || !(at(summary, "cost.usd") > 0))
        return;
    out_format(out, "A productive GPU-hour cost %s USD", unit_amount(text, each));
    if (idle > 0)
        out_format(out, "; %s USD went to idle GPUs", unit_amount(text, idle));
    char *note = price_note(summary);
    if (note != NULL)
        out_format(out, " (%s)", note);
    free(note);
    out_char(out, '.');
}

static void one_replay(struct out *out, const cJSON *summary)
{
    double replicas = (double)cJSON_GetArraySize(json_at(summary, "replicas"));
    if (replicas < 2)
        out_text(out, "This is one replay, which is one sample: with --replicas 20 the arrivals "
                      "get jitter, and the spread shows how much may be chance.");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const struct verdict_sentence sentences[] = {
    {"Ledger", ledger_off, true},
    {"Never fit", never_fits, true},
    {"Waiting", not_started, true},
    {"Held", held, true},
    {"Quotas", quotas_exceed, true},
    {"Quotas", quotas_missed, true},
    {"Services", services_short, true},
    {"GPU-hours", hours, false},
    {"Waits", waits, false},
    {"Queues", queues, false},
    {"Failures", faults, false},
    {"Evictions", evictions, false},
    {"Cost", cost, false},
    {"Sample", one_replay, false},
};
#define SENTENCES (sizeof sentences / sizeof *sentences)
_Static_assert(SENTENCES <= VERDICT_LINES, "VERDICT_LINES");

void verdict_make(struct verdict *verdict, const cJSON *summary)
{
    verdict_say(verdict, sentences, SENTENCES, summary);
}

void verdict_say(struct verdict *verdict, const struct verdict_sentence *said, size_t count,
                 const cJSON *figures)
{
    BUG_ON(count > VERDICT_LINES);
    *verdict = (struct verdict){0};
    for (size_t i = 0; i < count; i++) {
        struct out *out = out_memory();
        said[i].say(out, figures);
        char *text = out_memory_take(out);
        if (*text != '\0')
            verdict->line[verdict->count++] =
                (struct verdict_line){said[i].topic, text, said[i].alarm};
        else
            free(text);
    }
}

void verdict_free(struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->count; i++)
        free(verdict->line[i].text);
    *verdict = (struct verdict){0};
}
