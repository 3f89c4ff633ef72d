/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The box at the top of a trace's page: its contents in words, and warnings to heed before
 * replaying it.
 */
#include "report/page/html.h"
#include "report/page/trace.h"
#include "report/words/units.h"

#include <math.h>

#define BURSTY 2.0 /* variance over mean of the hourly arrivals; 1 for Poisson */

static double at(const cJSON *stats, const char *path)
{
    return json_number_at(stats, path);
}

/* Returns the group with the largest value above 0; NULL if there is none. */
static const cJSON *largest(const cJSON *groups, const char *key)
{
    const cJSON *group, *most = NULL;
    cJSON_ArrayForEach(group, groups)
    {
        if (group->string && at(group, key) > (most ? at(most, key) : 0))
            most = group;
    }
    return most;
}

static void demand(struct out *out, const cJSON *stats)
{
    char jobs[UNIT_TEXT], span[UNIT_TEXT], hours[UNIT_TEXT], gpus[UNIT_TEXT];
    double span_s = at(stats, "last_submit_s") - at(stats, "first_submit_s"),
           work = at(stats, "gpu_hours");
    out_format(out, "%s jobs ask for %s GPU-hours", unit_count(jobs, at(stats, "jobs")),
               unit_amount(hours, work));
    if (!isnan(at(stats, "arrivals.per_hour")))
        out_format(out, " within %s: the work of %s GPUs that never pause",
                   unit_duration(span, span_s), unit_amount(gpus, work / (span_s / 3600)));
    out_char(out, '.');
}

static void sizes(struct out *out, const cJSON *stats)
{
    char share[UNIT_TEXT];
    const cJSON *groups = json_at(stats, "by_size"), *many = largest(groups, "jobs"),
                *much = largest(groups, "gpu_hours");
    if (many == NULL || much == NULL)
        return;
    out_format(out, "%s of the jobs are of size %s (GPUs)",
               unit_percent(share, at(many, "jobs") / at(stats, "jobs")), many->string);
    out_format(out, "; %s of the GPU-hours go to size %s.",
               unit_percent(share, at(much, "gpu_hours") / at(stats, "gpu_hours")), much->string);
}

static void ends(struct out *out, const cJSON *stats)
{
    char share[UNIT_TEXT], work[UNIT_TEXT];
    double completed = at(stats, "by_status.completed.jobs") / at(stats, "jobs");
    double useful = at(stats, "by_status.completed.gpu_hours") / at(stats, "gpu_hours");
    double unknown = at(stats, "by_status.unknown.jobs");
    if (unknown > 0) {
        out_format(out, "The log does not say how %s of the jobs ended.",
                   unit_percent(share, unknown / at(stats, "jobs")));
        return;
    }
    if (isnan(completed) || isnan(useful))
        return;
    out_format(out, "%s of the jobs completed, with %s of the GPU-hours",
               unit_percent(share, completed), unit_percent(work, useful));
    out_text(out, completed < 1 ? "; the others failed or were cancelled." : ".");
}

static void arrivals(struct out *out, const cJSON *stats)
{
    char most[UNIT_TEXT], mean[UNIT_TEXT], ratio[UNIT_TEXT];
    double dispersion = at(stats, "arrivals.hourly_dispersion");
    if (isnan(dispersion) || isnan(at(stats, "arrivals.per_hour")))
        return;
    out_format(out, "%s jobs an hour on average, %s in the busiest; ",
               unit_amount(mean, at(stats, "arrivals.per_hour")),
               unit_count(most, at(stats, "arrivals.most_in_an_hour")));
    if (dispersion > BURSTY)
        out_format(out, "they come in bursts (variance/mean %s, independent arrivals have 1).",
                   unit_amount(ratio, dispersion));
    else
        out_text(out, "not burstier than independent arrivals.");
}

/* Lists what was repaired, clamped, dropped or ignored. */
static void repaired(struct out *out, const cJSON *stats)
{
    char rows[UNIT_TEXT];
    const cJSON *notes = json_at(stats, "notes"), *note, *most = NULL;
    cJSON_ArrayForEach(note, notes)
    {
        if (most == NULL || at(note, "rows") > at(most, "rows"))
            most = note;
    }
    if (most == NULL)
        return;
    int kinds = cJSON_GetArraySize(notes);
    out_format(out,
               "The reader repaired, dropped or ignored something in %d way%s; most rows: %s, %s. ",
               kinds, kinds == 1 ? "" : "s", unit_count(rows, at(most, "rows")),
               json_text_at(most, "what"));
    out_text(out, "The table at the end has all of it.");
}

void trace_page_verdict(struct out *page, const cJSON *stats)
{
    static const struct verdict_sentence sentences[] = {
        {"Repaired", repaired, true}, {"Demand", demand, false},     {"Sizes", sizes, false},
        {"Ends", ends, false},        {"Arrivals", arrivals, false},
    };
    struct verdict verdict;
    verdict_say(&verdict, sentences, sizeof sentences / sizeof *sentences, stats);
    html_verdict_box(page, "What is in it", &verdict);
    verdict_free(&verdict);
}
