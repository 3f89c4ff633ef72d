/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See like.h. */
#include "sim/trace/like.h"
#include "sim/base/escape.h"

struct reading {
    struct sink sink; /* first */
    struct whole whole;
    struct like *like;
};

/* Also when it begins again, sorted. */
static bool begin(struct sink *sink, struct err *err)
{
    (void)err;
    struct reading *reading = (struct reading *)sink;
    whole_free(&reading->whole);
    sample_destroy(reading->like->source);
    reading->like->source = sample_create();
    return true;
}

static void keep(struct sink *sink, const struct trace_job *job)
{
    struct reading *reading = (struct reading *)sink;
    if (trace_job_gpu_milli(job) <= 0)
        return;
    whole_add(&reading->whole, job);
    sample_add(reading->like->source, job);
}

bool like_open(struct like *like, const struct cli *cli, const struct trace_names *names,
               struct err *err)
{
    *like = (struct like){.path = cli_option(cli, OPT_LIKE), .made = sample_create()};
    struct reading reading = {.sink = {.begin = begin, .job = keep, .names = *names}, .like = like};
    struct trace *trace;
    bool ok = trace_read_path(&trace, cli, like->path, &reading.sink, false, err);
    if (ok) {
        like->fit = trace_fit_create(&reading.whole, names, err);
        trace_close(trace);
        if (like->fit == NULL)
            err_prefix(err, "%s", like->path);
    }
    whole_free(&reading.whole);
    return like->fit != NULL;
}

void like_close(struct like *like)
{
    trace_fit_destroy(like->fit);
    sample_destroy(like->source);
    sample_destroy(like->made);
}

static void share(struct out *out, const char *name, double source, double made)
{
    escape_format(out, "%-14s %12.4f %12.4f\n", name, source, made);
}

void like_print(struct like *like, struct out *out)
{
    double ks[SAMPLE_MARGINALS];
    if (sample_jobs(like->made) == 0)
        return;
    sample_compare(like->source, like->made, ks);
    escape_format(out, "%zu jobs made like the %zu of %s\n\n", sample_jobs(like->made),
                  sample_jobs(like->source), like->path);
    out_text(out, "marginal             mean         made       median         made       KS\n");
    for (int m = 0; m < SAMPLE_MARGINALS; m++)
        escape_format(out, "%-12s %12.4g %12.4g %12.4g %12.4g %8.4f\n", sample_names[m],
                      sample_mean(like->source, (enum sample_marginal)m),
                      sample_mean(like->made, (enum sample_marginal)m),
                      sample_median(like->source, (enum sample_marginal)m),
                      sample_median(like->made, (enum sample_marginal)m), ks[m]);
    out_text(out, "\nshare                source         made\n");
    for (int s = 0; s < TRACE_STATUSES; s++)
        share(out, trace_status_names[s], sample_status(like->source, (enum trace_status)s),
              sample_status(like->made, (enum trace_status)s));
    share(out, "top_users", sample_top_users(like->source), sample_top_users(like->made));
}
