/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a journal, with its chain repaired so that it is read: its history is refused with a
 * message, or its times are consistent.
 */
#include "sim/replay/recorded.h"
#include "tests/fuzz/folder.h"
#include "tests/lib/journal.h"

static void check(struct recorded *r)
{
    for (size_t i = 0; i < r->job_count; i++) {
        const struct recorded_job *job = &r->jobs[i];
        BUG_ON(job->run_ms < 0 || job->queue >= r->queue_count || job->state == RECORDED_RUNS);
        BUG_ON(job->runs > 0 && (job->first_started_ms == RECORDED_NEVER ||
                                 job->first_started_ms < job->first_decided_ms));
        BUG_ON(job->evictions > job->runs);
    }
    for (size_t i = 0; i < r->outage_count; i++)
        BUG_ON(r->outages[i].down_ms >= r->outages[i].up_ms || r->outages[i].node >= r->node_count);
    BUG_ON(spans_quantile(&r->starts, 0.5) < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    struct recorded recorded;
    struct err err = {0};
    (void)unlink(fuzz_path(path, "journal.jsonl"));
    if (journal_put(path, (const char *)data, size) > 0) {
        if (recorded_read(&recorded, path, size % 2 == 0, &err))
            check(&recorded);
        else
            BUG_ON(err.msg[0] == '\0' || err.code != EXIT_INPUT);
        recorded_fini(&recorded);
    }
    return 0;
}
