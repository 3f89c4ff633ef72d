/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as the files of a finished run, in the order below: the run is refused with a message,
 * or yields its summary, its charts and its comparison with itself, without differences.
 */
#include "report/compare/comparison.h"
#include "report/report.h"
#include "report/results/rundir.h"
#include "report/terminal/charts.h"
#include "tests/fuzz/folder.h"

static const char *const files[] = {"summary.json", "scenario.json", "queues.csv",
                                    "jobs.csv",     "timeline.csv",  "reasons.csv"};

static void check_refusal(const struct err *err)
{
    BUG_ON((err->code != EXIT_INPUT && err->code != EXIT_BASELINE) || err->msg[0] == '\0');
}

static void read_tables(const struct rundir *run)
{
    size_t count;
    char *damage = NULL;
    struct rundir_queue *queues = rundir_queues(run, &count, &damage);
    size_t *ranks = rundir_queue_ranks(queues, count);
    for (size_t i = 0; i < count; i++)
        BUG_ON(ranks[i] >= count || queues[i].name == NULL);
    free(ranks);
    free(damage);
    rundir_queues_free(queues, count);
}

static void compare(const char *dir)
{
    struct comparison comparison;
    struct comparison_options options = {.alpha = 0.05};
    struct err err = {0};
    if (!comparison_open(&comparison, dir, dir, &options, &err)) {
        check_refusal(&err);
        return;
    }
    struct out *out = out_memory();
    BUG_ON(comparison.pairing.change_count != 0);
    comparison_table(&comparison, out, 100);
    comparison_close(&comparison);
    out_discard(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *dir = fuzz_folder();
    struct rundir run;
    struct err err = {0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        fuzz_put_part(files[i], &data, &size);
    if (!rundir_open(&run, dir, &err)) {
        check_refusal(&err);
        return 0;
    }
    read_tables(&run);
    rundir_close(&run);
    struct out *out = out_memory();
    if (!report_print_summary(dir, out, 100, &err) || !charts_run(dir, out, SPARK_ASCII, 100, &err))
        check_refusal(&err);
    out_discard(out);
    compare(dir);
    return 0;
}
