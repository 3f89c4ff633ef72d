/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See replicas.h. */
#include "sim/study/replicas.h"

#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/trace/read.h"
#include "sim/world/workload.h"
#include "traces/vary/replicate.h"

#include <stdlib.h>

/* What varies between the replicas of one recorded part. */
static bool find_variety(const struct scenario *sc, size_t part, struct trace_variety *variety,
                         struct err *err)
{
    struct trace_names names = trace_names_create();
    const struct trace_replication draws = {
        .block_ms = sc->replicate_block_ms, .growth = sc->growth, .seed = sc->seed, .names = names};
    bool ok = false, again = true;
    for (int sort = 0; sort < 2 && again; sort++) {
        struct trace *trace;
        again = false;
        if (!workload_recorded(sc, part, sc->seed, &names, sort > 0, NULL, &trace, err))
            break;
        enum trace_result end = trace_variety(trace, &draws, variety, err);
        ok = end >= 0;
        again = end == TRACE_UNSORTED;
    }
    trace_names_destroy(&names);
    return ok;
}

static void put_count(struct out *out, size_t count, const char *one, const char *several)
{
    char number[UNIT_TEXT];
    out_format(out, "%s %s", unit_count(number, (double)count), count == 1 ? one : several);
}

static void put_resampled(struct out *out, const struct trace_variety *v, size_t traces)
{
    out_text(out, "resample ");
    put_count(out, v->users, v->bursts ? "burst of jobs" : "user",
              v->bursts ? "bursts of jobs" : "users");
    if (v->bursts)
        out_text(out, " (too few users are named)");
    if (v->blocks >= 2) {
        int64_t days = v->block_ms / 86400000;
        out_text(out, " and ");
        if (days == 7)
            put_count(out, v->blocks, "week", "weeks");
        else if (days == 1)
            put_count(out, v->blocks, "day", "days");
        else
            put_count(out, v->blocks, "block", "blocks");
    }
    if (traces > 1)
        out_format(out, " of %zu traces", traces);
    else
        out_text(out, " of the trace");
}

static bool put_traces(struct out *out, const struct scenario *sc, size_t traces, struct err *err)
{
    struct trace_variety sum = {0};
    if (sc->replicate != SCEN_REPLICATE_RESAMPLE || traces == 0)
        return true;
    for (size_t i = 0; i < sc->source_count; i++) {
        struct trace_variety v;
        if (sc->sources[i].trace == NULL)
            continue;
        if (!find_variety(sc, i, &v, err))
            return false;
        sum.users += v.users;
        sum.bursts |= v.bursts;
        if (v.blocks > sum.blocks) {
            sum.blocks = v.blocks;
            sum.block_ms = v.block_ms;
        }
    }
    put_resampled(out, &sum, traces);
    return true;
}

/*
 * Demand other than recorded consists of different copies in each replica, unless all users are
 * resampled: the sentence for it, or NULL.
 */
static const char *copies_of(const struct scenario *sc)
{
    const char *copies = NULL;
    for (size_t i = 0; i < sc->source_count; i++) {
        const struct scen_source *source = &sc->sources[i];
        double load = source->users_scale;
        load *= sc->replicate != SCEN_REPLICATE_RESAMPLE ? sc->growth : 1;
        if (source->trace != NULL && load > 1)
            copies = "draw the users whose jobs are repeated";
        else if (source->trace != NULL && load < 1)
            copies = "draw the users whose jobs are dropped";
    }
    return copies;
}

bool replicas_vary(const struct scenario *sc, char **text, struct err *err)
{
    size_t traces = 0;
    *text = NULL;
    for (size_t i = 0; i < sc->source_count; i++)
        traces += sc->sources[i].trace != NULL;
    if (sc->replicas < 2 || sc->source_count == 0 || sc->mode == SCEN_FILL)
        return true;
    int64_t jitter_ms = workload_jitter_ms(sc);
    bool resamples = sc->replicate == SCEN_REPLICATE_RESAMPLE && traces > 0,
         draws = traces < sc->source_count;
    const char *copies = copies_of(sc);
    struct out *out = out_memory();
    out_text(out, "replicas ");
    if (!put_traces(out, sc, traces, err)) {
        out_discard(out);
        return false;
    }
    if (draws)
        out_format(out, "%sdraw the %s again", resamples ? " and " : "",
                   sc->source_count - traces == 1 ? "generator" : "generators");
    if (copies != NULL)
        out_format(out, "%s%s", resamples || draws ? " and " : "", copies);
    if (jitter_ms > 0) {
        char time[UNIT_TEXT];
        out_format(out, "%sjitter arrivals by up to %s s",
                   resamples || draws || copies ? " and " : "",
                   unit_exact(time, (double)jitter_ms / 1000));
    }
    if (!resamples && !draws && copies == NULL && jitter_ms == 0)
        out_text(out, "keep the arrivals as recorded");
    *text = out_memory_take(out);
    return true;
}
