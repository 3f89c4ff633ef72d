/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples timeline.csv and reasons.csv; the heat map is in heat.c. */
#include "report/measure/series.h"
#include "report/measure/heat.h"

#include "policies/adapters/ending/temporary.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Creates a file without a name in the output folder, which has the room, so nothing is left
 * behind.
 */
static FILE *nameless_file(const char *dir, const char *name, struct err *err)
{
    char *path = mem_format("%s/%s", dir, name);
    struct temporary temporary;
    FILE *file = NULL;
    if (temporary_create(&temporary, path)) {
        file = temporary_unname(&temporary) ? fdopen(temporary.file, "w+b") : NULL;
        if (file == NULL)
            temporary_remove(&temporary);
    }
    if (file == NULL)
        (void)err_set(err, EXIT_INPUT, "%s: cannot make a temporary file for it: %s", path,
                      strerror(errno));
    free(path);
    return file;
}

bool series_init(struct series *s, struct shares *shares, struct energy *energy, const char *dir,
                 struct err *err)
{
    *s = (struct series){
        .shares = shares, .energy = energy, .timeline = nameless_file(dir, "timeline.csv", err)};
    s->reasons = s->timeline != NULL ? nameless_file(dir, "reasons.csv", err) : NULL;
    if (s->reasons != NULL) {
        s->timeline_rows = out_stream(s->timeline);
        s->reasons_rows = out_stream(s->reasons);
        return true;
    }
    series_fini(s);
    return false;
}

void series_fini(struct series *s)
{
    out_discard(s->timeline_rows);
    out_discard(s->reasons_rows);
    if (s->timeline != NULL)
        fclose(s->timeline);
    if (s->reasons != NULL)
        fclose(s->reasons);
    heat_fini(s);
    *s = (struct series){0};
}

static void gpus(struct out *out, int64_t milli)
{
    out_char(out, ',');
    out_milli(out, milli);
}

static int64_t wanted_milli(const struct sim *sim)
{
    int64_t sum = 0;
    for (size_t i = 0; i < sim->queue_count; i++)
        sum += sim->queues[i].wanted_milli;
    return sum;
}

static int64_t installed_milli(const struct sim *sim)
{
    int64_t milli = 0;
    for (size_t i = 0; i < sim->site_count; i++)
        milli += sim->sites[i].milli;
    return milli;
}

static int64_t available_milli(const struct sim *sim)
{
    int64_t milli = installed_milli(sim);
    for (size_t i = 0; i < sim->site_count; i++)
        milli -= sim->sites[i].milli_down + sim->sites[i].milli_drained;
    return milli;
}

static int64_t tested_milli(const struct sim *sim)
{
    int64_t milli = 0;
    for (size_t i = 0; i < sim->site_count; i++)
        milli += sim->sites[i].milli_tested;
    return milli;
}

/* Prints the nodes' power in watts with three decimals; nothing if it is unknown. */
static void power(struct out *out, int64_t microwatts)
{
    out_char(out, ',');
    if (microwatts >= 0)
        out_milli(out, microwatts / 1000);
}

static void timeline_row(struct series *s, const struct sim *sim, int64_t at, struct out *out)
{
    out_seconds(out, at);
    gpus(out, installed_milli(sim));
    gpus(out, available_milli(sim));
    gpus(out, sim->fleet->milli_used);
    int64_t running = sim->fleet->milli_used - sim->idle_milli;
    gpus(out, running);
    int64_t works = running - sim->hung_milli;
    gpus(out, works > s->failing_milli ? works - s->failing_milli : 0);
    out_char(out, ',');
    out_u64(out, sim->pending);
    gpus(out, wanted_milli(sim));
    out_char(out, ',');
    power(out, energy_now_uw(s->energy, sim));
    if (sim->config.faults.burns_in)
        gpus(out, tested_milli(sim));
    for (uint32_t i = 0; i < sim->queue_count; i++) {
        const struct sim_queue *queue = &sim->queues[i];
        gpus(out, queue->held_milli);
        gpus(out, (int64_t)(shares_entitled(s->shares, sim, i) + 0.5));
        out_char(out, ',');
        out_u64(out, queue->pending_jobs);
        gpus(out, queue->wanted_milli);
    }
    out_char(out, '\n');
}

#define LAST_REASON POLICY_REASON_RESERVED /* the last reason that exists under any policy */

static void reasons_row(const struct sim *sim, int64_t at, struct out *out)
{
    uint64_t jobs[POLICY_REASONS] = {0};
    for (uint32_t site = 0; site < sim->site_count; site++) {
        struct policy_backlog backlog;
        sim_backlog(sim, site, &backlog);
        for (int reason = 1; reason <= LAST_REASON; reason++)
            jobs[reason] += backlog.jobs[reason];
    }
    out_seconds(out, at);
    for (int reason = 1; reason <= LAST_REASON; reason++) {
        out_char(out, ',');
        out_u64(out, jobs[reason]);
    }
    out_char(out, '\n');
}

static void tick(void *self, const struct sim *sim, int64_t at)
{
    struct series *s = self;
    timeline_row(s, sim, at, s->timeline_rows);
    reasons_row(sim, at, s->reasons_rows);
    heat_tick(s, sim, at);
}

static void held(void *self, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    struct series *s = self;
    if (job->status == TRACE_FAILED)
        s->failing_milli += sign * task->held_milli;
    heat_change(s, sim, task, sign);
}

static void turned(void *self, const struct sim *sim, uint32_t node)
{
    heat_turn(self, sim, node);
}

struct sim_observer series_observer(struct series *s)
{
    return (struct sim_observer){.self = s, .tick = tick, .held = held, .turned = turned};
}

/* Copies the rows; queues that a row did not know yet get zeros. */
static bool copy_rows(FILE *rows, size_t columns, struct out *out)
{
    if (fseek(rows, 0, SEEK_SET) != 0)
        return false;
    size_t seen = 1;
    char block[16384];
    for (size_t n; (n = fread(block, 1, sizeof block, rows)) > 0;) {
        size_t from = 0;
        for (size_t i = 0; i < n; i++) {
            seen += block[i] == ',';
            if (block[i] != '\n')
                continue;
            out_bytes(out, block + from, i - from);
            for (; seen < columns; seen++)
                out_text(out, ",0");
            seen = 1;
            from = i; /* the line's end is written with what follows */
        }
        out_bytes(out, block + from, n - from);
    }
    return !ferror(rows);
}

static bool write_rows(FILE *rows, size_t columns, const char *header, const char *dir,
                       const char *name, struct err *err)
{
    struct out *out = out_open_in(dir, name, err);
    if (out == NULL)
        return false;
    out_text(out, header);
    if (!copy_rows(rows, columns, out)) {
        out_discard(out);
        return err_set(err, EXIT_INPUT, "%s/%s: cannot read its temporary file back: %s", dir, name,
                       strerror(errno));
    }
    return out_close(out, err);
}

static const char *timeline_header(const struct sim *sim, struct out *header)
{
    static const char *const columns[] = {"allocated", "entitled", "pending_jobs", "pending_gpus"};
    out_text(header, "time_s,installed,available,allocated,running,productive,pending_jobs,pending_"
                     "gpus,frag,power_w");
    if (sim->config.faults.burns_in)
        out_text(header, ",burn_in");
    for (size_t i = 0; i < sim->queue_count; i++)
        for (size_t k = 0; k < 4; k++) {
            char *name = mem_format("%s:%s", sim->queues[i].name, columns[k]);
            out_char(header, ',');
            out_csv(header, name);
            free(name);
        }
    out_char(header, '\n');
    return out_memory_text(header, NULL);
}

static size_t timeline_columns(const struct sim *sim)
{
    return 10 + sim->config.faults.burns_in + 4 * sim->queue_count;
}

static const char *reasons_header(struct out *header)
{
    out_text(header, "time_s");
    for (int reason = 1; reason <= LAST_REASON; reason++) {
        out_char(header, ',');
        out_text(header, policy_reason_name(reason));
    }
    out_char(header, '\n');
    return out_memory_text(header, NULL);
}

static bool close_rows(struct out **rows, const char *dir, const char *name, struct err *err)
{
    struct out *closing = *rows;
    *rows = NULL;
    return out_close(closing, err) || err_prefix(err, "%s/%s", dir, name);
}

bool series_write(struct series *s, const struct sim *sim, const char *dir, struct err *err)
{
    if (!close_rows(&s->timeline_rows, dir, "timeline.csv", err) ||
        !close_rows(&s->reasons_rows, dir, "reasons.csv", err))
        return false;
    struct out *header = out_memory();
    bool ok = write_rows(s->timeline, timeline_columns(sim), timeline_header(sim, header), dir,
                         "timeline.csv", err);
    out_discard(header);
    header = out_memory();
    ok = ok && write_rows(s->reasons, (size_t)LAST_REASON + 1, reasons_header(header), dir,
                          "reasons.csv", err);
    out_discard(header);
    return ok && heat_write(s, sim, dir, err);
}
