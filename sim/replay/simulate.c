/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A journal as a scenario, run by the ordinary way of `run`; see simulate.h. The run directory has
 * the files of the recorded world in recorded/, and starts.csv.
 */
#include "sim/replay/simulate.h"
#include "sim/base/escape.h"

#include "report/report.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/program/overrides.h"
#include "sim/program/progress.h"
#include "sim/program/signals.h"
#include "sim/replay/recorded_files.h"
#include "sim/replay/recorded_starts.h"
#include "sim/study/run_dir.h"
#include "sim/study/run_one.h"
#include "sim/study/timing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 20 /* starts that lie farthest from each other */

struct simulating {
    struct cli *cli;
    const char *dir;
    struct recorded recorded;
    struct recorded_starts starts;
    struct scenario *scenario;
    char *path; /* of the scenario that was made */
    uint64_t odd, never;
};

/* ---- the run ---- */

static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    return strcmp(path, "-") == 0 ? mem_text("journal") : mem_text_n(base, strcspn(base, "."));
}

static bool went_on(const struct cli *cli, bool *goes_on, struct err *err)
{
    const char *word = cli_option(cli, OPT_EVICTED);
    *goes_on = word != NULL && strcmp(word, "go-on") == 0;
    return word == NULL || *goes_on || strcmp(word, "anew") == 0 ||
           err_set(err, EXIT_INPUT, "--evicted '%.64s': expected anew or go-on", word);
}

static bool load(struct simulating *s, struct err *err)
{
    bool goes_on;
    if (!went_on(s->cli, &goes_on, err))
        return false;
    char *recorded = mem_format("%s/recorded", s->dir), *name = name_of(s->cli->operands[0]);
    s->path = mem_format("%s/scenario.json", recorded);
    const struct scen_overrides overrides = overrides_of(s->cli);
    bool ok = recorded_read(&s->recorded, s->cli->operands[0], goes_on, err) &&
              run_dir_make(recorded, err) &&
              recorded_write(&s->recorded, recorded, *name != '\0' ? name : "journal", err) &&
              scenario_load(&s->scenario, s->path, &overrides, err);
    free(name);
    free(recorded);
    return ok;
}

static bool simulate(struct simulating *s, struct err *err)
{
    recorded_starts_init(&s->starts, &s->recorded);
    const struct run_watch watch = recorded_starts_watch(&s->starts);
    struct progress progress;
    struct run_one one = {.scenario = s->scenario,
                          .dir = s->dir,
                          .replica = 1,
                          .audit = cli_given(s->cli, OPT_AUDIT),
                          .notes = !cli_given(s->cli, OPT_QUIET),
                          .watch = &watch,
                          .progress = &progress};
    struct run_dir_previous former = {0};
    if (!run_dir_look(&former, s->dir, err))
        return false;
    cli_catch_signals();
    progress_begin(&progress, cli_given(s->cli, OPT_QUIET));
    double began = timing_now_s();
    bool ok = run_one(&one, err);
    progress_end(&progress);
    if (ok && one.interrupted)
        ok = err_set(err, 128 + cli_interrupted(),
                     "interrupted: %s holds what was simulated until then", s->dir);
    cli_release_signals();
    ok = ok && timing_write(s->dir, s->cli, s->path, s->scenario, timing_now_s() - began, err) &&
         run_dir_tidy(&former, err);
    run_dir_forget(&former);
    if (!ok)
        return false;
    recorded_starts_compare(&s->starts);
    return recorded_starts_write(&s->starts, s->dir, err);
}

/* ---- what is said ---- */

static int farthest(const void *left, const void *right)
{
    const struct recorded_start *a = left, *b = right;
    int64_t x = llabs(a->difference_ms), y = llabs(b->difference_ms);
    if (x != y)
        return x > y ? -1 : 1;
    return a->job < b->job ? -1 : a->job > b->job;
}

static void print_farthest(struct simulating *s, struct out *out)
{
    struct recorded_starts *starts = &s->starts;
    size_t shown = starts->count < SHOWN ? starts->count : SHOWN;
    qsort(starts->all, starts->count, sizeof *starts->all, farthest);
    escape_format(out, "\n  %-24s %14s %14s %14s\n", "farthest", "recorded_s", "simulated_s",
                  "difference_s");
    for (size_t i = 0; i < shown; i++) {
        const struct recorded_start *start = &starts->all[i];
        escape_format(out, "  %-24s %14.3f %14.3f %+14.3f\n", start->job->name,
                      (double)(start->job->first_started_ms - s->recorded.begin_ms) / 1000,
                      (double)(start->simulated_ms - s->recorded.begin_ms) / 1000,
                      (double)start->difference_ms / 1000);
    }
    out_text(out, "  in seconds since the first decision; all of them are in starts.csv\n");
}

static double share(uint64_t part, uint64_t all)
{
    return all > 0 ? 100.0 * (double)part / (double)all : 0;
}

static void print_spans(struct out *out, const char *what, struct spans *spans)
{
    if (spans->count > 0)
        escape_format(out, "    %-40s median %.3f s, p90 %.3f s, max %.3f s\n", what,
                      (double)spans_quantile(spans, 0.5) / 1000,
                      (double)spans_quantile(spans, 0.9) / 1000,
                      (double)spans_quantile(spans, 1) / 1000);
}

static void print_table(struct simulating *s)
{
    struct out *out = s->cli->out;
    struct recorded *r = &s->recorded;
    const struct recorded_starts *starts = &s->starts;
    escape_format(
        out, "  recorded     %s: policy %s, %zu jobs on %zu nodes in %.1f s, %" PRIu64 " cycles\n",
        s->cli->operands[0], r->policy, r->job_count, r->node_count,
        (double)(r->end_ms - r->begin_ms) / 1000, r->cycles);
    escape_format(out, "  simulated    policy %s: %zu of %" PRIu64 " jobs that started\n",
                  s->scenario->policy.name, starts->count, starts->count + starts->only_recorded);
    escape_format(out,
                  "  difference   of starts: median %.3f s, p90 %.3f s, max %.3f s; recorded minus "
                  "simulated: median %+.3f s\n",
                  (double)starts->median_ms / 1000, (double)starts->p90_ms / 1000,
                  (double)starts->max_ms / 1000, (double)starts->median_signed_ms / 1000);
    escape_format(out, "  order        %" PRIu64 " of %zu jobs (%.1f %%) start in the same order\n",
                  starts->in_order, starts->count, share(starts->in_order, starts->count));
    out_text(out, "  what the simulation does not have, as recorded:\n");
    print_spans(out, "told after submission", &r->seen);
    print_spans(out, "between decisions", &r->cycling);
    out_text(out, "  what it has as a constant, the median:\n");
    print_spans(out, "started after the decision", &r->starts);
    print_spans(out, "stopped after the decision", &r->stops);
    print_farthest(s, out);
}

static void spans_json(struct json *j, const char *key, struct spans *spans)
{
    json_begin_object(j, key);
    json_u64(j, "count", spans->count);
    json_seconds(j, "median", spans_quantile(spans, 0.5));
    json_seconds(j, "p90", spans_quantile(spans, 0.9));
    json_seconds(j, "max", spans_quantile(spans, 1));
    json_end_object(j);
}

static void print_json(struct simulating *s)
{
    struct recorded *r = &s->recorded;
    const struct recorded_starts *starts = &s->starts;
    struct json j;
    json_init(&j, s->cli->out, 1);
    json_begin_object(&j, NULL);
    json_text(&j, "journal", s->cli->operands[0]);
    json_text(&j, "recorded_policy", r->policy);
    json_text(&j, "policy", s->scenario->policy.name);
    json_u64(&j, "jobs", r->job_count);
    json_u64(&j, "never_started", s->never);
    json_u64(&j, "compared", starts->count);
    json_u64(&j, "only_recorded", starts->only_recorded);
    json_u64(&j, "in_order", starts->in_order);
    json_begin_object(&j, "difference_s");
    json_seconds(&j, "median", starts->median_ms);
    json_seconds(&j, "p90", starts->p90_ms);
    json_seconds(&j, "max", starts->max_ms);
    json_seconds(&j, "median_signed", starts->median_signed_ms);
    json_end_object(&j);
    spans_json(&j, "told_after_submission_s", &r->seen);
    spans_json(&j, "between_decisions_s", &r->cycling);
    spans_json(&j, "started_after_decision_s", &r->starts);
    spans_json(&j, "stopped_after_decision_s", &r->stops);
    json_u64(&j, "sections", r->sections);
    json_seconds(&j, "silent_s", r->silent_ms);
    json_u64(&j, "outages", r->outage_count);
    json_end_object(&j);
    out_char(s->cli->out, '\n');
}

static void note(uint64_t count, const char *what)
{
    if (count > 0)
        cli_note("%" PRIu64 " %s", count, what);
}

/* What the simulated world leaves out. */
static void print_notes(struct simulating *s)
{
    const struct recorded *r = &s->recorded;
    for (size_t i = 0; i < r->job_count; i++)
        s->odd += r->jobs[i].is_odd && r->jobs[i].runs > 0;
    s->never = recorded_never_started(r);
    if (cli_given(s->cli, OPT_QUIET))
        return;
    note(s->never, "jobs were never started and are skipped");
    note(s->odd, "jobs request node labels or topology, which is ignored");
    note(r->drains, "times a node was cordoned, which is ignored");
    note(r->devices, "times a device was unusable, which is ignored");
    note(r->unheard, "jobs ended while nothing was recorded, and are assumed to have run until the "
                     "next section");
    if (r->sections > 1)
        cli_note("%" PRIu64 " sections, with %.1f s between them without decisions", r->sections,
                 (double)r->silent_ms / 1000);
}

int replay_simulate(struct cli *cli)
{
    struct err err = {0};
    struct simulating s = {.cli = cli, .dir = cli_option(cli, OPT_OUTPUT)};
    if (s.dir == NULL)
        return cli_misuse(cli, "no output directory given (-o DIR)");
    bool ok = run_dir_make(s.dir, &err) && load(&s, &err) && simulate(&s, &err);
    if (ok) {
        print_notes(&s);
        (cli_given(cli, OPT_JSON) ? print_json : print_table)(&s);
    }
    int code = ok ? EXIT_OK : cli_fail(&err);
    recorded_starts_fini(&s.starts);
    recorded_fini(&s.recorded);
    scenario_destroy(s.scenario);
    free(s.path);
    return code;
}
