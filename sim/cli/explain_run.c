/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet explain DIR JOB`: why a job of a run was pending at a time. A run is deterministic, so it is run again, from the
 * scenario kept in its directory: once to learn when the job was submitted, started and ended, and once up to the time
 * asked about, where the policy core itself is asked.
 */
#include "scenarios/scenario.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/cli/explain.h"
#include "sim/cli/simulate.h"
#include "sim/cli/why.h"
#include "sim/holds.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* The run of a directory, which may be that of one replica. */
struct former {
    const char *dir;
    const struct scenario *scenario;
    int replica; /* 1.. */
};

struct life {
    const char *id;
    bool seen, started, ended;
    int64_t first_submit_ms; /* of the run */
    int64_t submit_ms, eligible_ms, start_ms, end_ms;
};

static void on_submit(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct life *life = self;
    if (life->seen || strcmp(work_id(job), life->id) != 0)
        return;
    life->seen = true;
    life->submit_ms = job->submit_ms;
    life->eligible_ms = job->eligible_ms;
}

static void on_start(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct life *life = self;
    if (!life->seen || life->started || strcmp(work_id(job), life->id) != 0)
        return;
    life->started = true;
    life->start_ms = job->start_ms;
}

static void on_end(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    struct life *life = self;
    if (!life->started || life->ended || strcmp(work_id(job), life->id) != 0)
        return;
    life->ended = true;
    life->end_ms = job->end_ms;
}

/* ---- running it again ---- */

static char *read_text(const char *dir, const char *name)
{
    char *path = mem_format("%s/%s", dir, name);
    FILE *file = fopen(path, "rb");
    free(path);
    if (file == NULL)
        return NULL;
    size_t capacity = 0;
    size_t n = 0;
    char *text = NULL;
    for (size_t got = 1; got > 0 && n < (64u << 20); n += got) {
        text = mem_grow(text, &capacity, n + 65536, 1);
        got = fread(text + n, 1, 65535, file);
    }
    text[n] = '\0';
    fclose(file);
    return text;
}

/* A text member of a JSON file of the run directory, or NULL; to be freed. */
static char *member(const char *dir, const char *file, const char *key)
{
    char *text = read_text(dir, file);
    cJSON *json = text != NULL ? cJSON_Parse(text) : NULL;
    const cJSON *item = json != NULL ? cJSON_GetObjectItemCaseSensitive(json, key) : NULL;
    char *value = cJSON_IsString(item) ? mem_text(item->valuestring) : NULL;
    cJSON_Delete(json);
    free(text);
    return value;
}

static bool run_until(const struct former *run, struct life *life, bool sort, int64_t until_ms,
                      struct simulation *s, struct err *err)
{
    struct sim_observer observer = {
        .self = life, .submitted = on_submit, .started = on_start, .ended = on_end};
    struct simulation_options options = {
        .replica = run->replica, .sort = sort, .observers = &observer, .observer_count = 1};
    if (simulation_open(s, run->scenario, &options, err) && simulation_run(s, until_ms, err))
        return true;
    bool unsorted = s->sim != NULL && s->sim->unsorted && !sort;
    simulation_close(s);
    if (!unsorted)
        return false;
    *err = (struct err){0};
    *life = (struct life){.id = life->id};
    return run_until(run, life, true, until_ms, s, err);
}

/*
 * The number behind "seed", exact where a double would not be. It is the first member of that name in a summary, and
 * no text can hold the same bytes, for a quotation mark in a text has a backslash before it.
 */
static bool seed_of(const char *summary, uint64_t *seed)
{
    static const char name[] = "\"seed\":";
    const char *c = strstr(summary, name);
    if (c == NULL)
        return false;
    c += sizeof name - 1;
    c += strspn(c, " ");
    if (*c < '0' || *c > '9')
        return false;
    for (*seed = 0; *c >= '0' && *c <= '9'; c++)
        *seed = *seed * 10 + (uint64_t)(*c - '0');
    return true;
}

/*
 * Replica K of a scenario with seed S ran with seed S + K - 1, and its summary says so. The summary of all replicas
 * is explained by the first, and so is a directory whose summary is gone.
 */
static bool find_replica(struct former *run, struct err *err)
{
    run->replica = 1;
    char *text = read_text(run->dir, "summary.json");
    uint64_t seed;
    bool one = text != NULL && strstr(text, "\n \"replicas\": [") == NULL && seed_of(text, &seed);
    free(text);
    if (!one)
        return true;
    uint64_t behind = seed - run->scenario->seed;
    if (behind >= (uint64_t)run->scenario->replicas)
        return err_set(err, EXIT_INPUT,
                       "summary.json and scenario.json of '%s' are not of one run (their seeds differ)",
                       run->dir);
    run->replica = 1 + (int)behind;
    return true;
}

/* The whole run, for the life of the job and to see that it is the run of the directory. */
static bool first_pass(const struct former *run, struct life *life, int64_t *end_ms, struct err *err)
{
    struct simulation s;
    if (!run_until(run, life, false, INT64_MAX, &s, err))
        return false;
    *end_ms = s.sim->now_ms;
    life->first_submit_ms = s.sim->first_submit_ms;
    char digest[DIGEST_HEX];
    trace_digest(s.trace, digest);
    simulation_close(&s);
    char *kept = member(run->dir, "summary.json", "trace_digest");
    bool same = kept == NULL || strlen(kept) < 7 || strcmp(kept + 7, digest) == 0; /* behind "sha256:" */
    free(kept);
    if (!same)
        return err_set(err, EXIT_INPUT,
                       "the trace is not the one that '%s' was made from (its digest differs)", run->dir);
    return life->seen || err_set(err, EXIT_INPUT, "the run has no job '%s'", life->id);
}

/* ---- the answer ---- */

struct answer {
    const struct life *life;
    int64_t at_ms;
    const char *queue, *class;
    char behind[128], stands_in[128]; /* a job, a queue */
    int64_t gpu_milli;
    bool pending;
    const char *held; /* why it is not submitted yet, or NULL */
    int64_t held_since_ms;
    struct policy_explanation why;
};

static const struct work_job *find(const struct sim *sim, const char *id)
{
    for (size_t i = 0; i < sim->work.capacity; i++)
        if ((sim->work.jobs[i].state == WORK_PENDING || sim->work.jobs[i].state == WORK_RUNNING) &&
            strcmp(work_id(&sim->work.jobs[i]), id) == 0)
            return &sim->work.jobs[i];
    return NULL;
}

static void ask(const struct sim *sim, struct answer *a)
{
    const struct work_job *job = find(sim, a->life->id);
    a->pending = job != NULL && job->state == WORK_PENDING;
    if (job == NULL)
        sim_holds_find(sim, a->life->id, &a->held_since_ms, &a->held);
    if (job == NULL)
        return;
    a->queue = sim->queues[job->queue].name;
    a->class = trace_class_names[job->class];
    a->gpu_milli = job->gpu_milli;
    a->why = (struct policy_explanation){
        .size = sizeof a->why, .behind = {POLICY_NO_ID, 0},
              .queue = {POLICY_NO_ID           }
    };
    policy_explain(sim->policy, job->core, &a->why);
    if (a->why.behind.i != POLICY_NO_ID)
        snprintf(a->behind, sizeof a->behind, "%s", work_id(&sim->work.jobs[a->why.behind.i]));
    for (size_t i = 0; i < sim->queue_count && a->pending; i++)
        if (sim->queues[i].core.i == a->why.queue.i)
            snprintf(a->stands_in, sizeof a->stands_in, "%s", sim->queues[i].name);
}

/* Waiting begins when the job may start. */
static int64_t waited_ms(const struct answer *a)
{
    return a->at_ms > a->life->eligible_ms ? a->at_ms - a->life->eligible_ms : 0;
}

static struct why words(const struct answer *a)
{
    return (struct why){.explained = &a->why,
                        .behind = a->behind[0] != '\0' ? a->behind : NULL,
                        .queue = a->stands_in[0] != '\0' ? a->stands_in : NULL};
}

static void print(const struct answer *a, struct out *out)
{
    const struct life *l = a->life;
    out_format(out, "Job %s at ", l->id);
    out_seconds(out, a->at_ms);
    out_text(out, " s");
    if (a->queue != NULL) {
        out_format(out, " (queue %s, %s, ", a->queue, a->class);
        why_gpus(out, a->gpu_milli);
        out_char(out, ')');
    }
    if (a->held != NULL) {
        out_text(out, ": held for ");
        explain_duration(out, a->at_ms - a->held_since_ms);
        out_format(out, ", not submitted yet: %s\n", a->held);
        return;
    }
    if (!a->pending) {
        out_text(out, a->at_ms < l->submit_ms             ? ": not submitted yet\n"
                      : l->ended && a->at_ms >= l->end_ms ? ": it has ended\n"
                                                          : ": it runs\n");
        return;
    }
    out_text(out, "\n  pending for  ");
    explain_duration(out, waited_ms(a));
    if (l->started) {
        out_text(out, " of ");
        explain_duration(out, l->start_ms - l->eligible_ms);
    }
    out_char(out, '\n');
    const struct why why = words(a);
    why_print(&why, out);
    out_text(out, "  alternative  ");
    why_hint(&why, out);
    out_char(out, '\n');
}

static void print_json(const struct answer *a, struct out *out)
{
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_text(&j, "job", a->life->id);
    json_seconds(&j, "at_s", a->at_ms);
    json_text(&j, "state",
              a->held != NULL                 ? "held"
              : a->pending                    ? "pending"
              : a->queue != NULL              ? "running"
              : a->at_ms < a->life->submit_ms ? "not_submitted"
                                              : "ended");
    const struct why why = words(a);
    char *detail = a->pending ? why_detail(&why) : a->held != NULL ? mem_text(a->held) : NULL;
    json_text(&j, "reason", a->pending ? policy_reason_name(a->why.reason) : NULL);
    json_text(&j, "detail", detail);
    free(detail);
    if (a->pending) {
        json_seconds(&j, "waited_s", waited_ms(a));
        json_text(&j, "queue", a->queue);
        why_json(&why, &j);
    }
    json_end_object(&j);
    out_char(out, '\n');
}

/* When to ask if nobody said: just before it started, or at the end when it never did. */
static int64_t default_time(const struct life *life, int64_t end_ms)
{
    if (!life->started)
        return end_ms;
    return life->start_ms > life->eligible_ms ? life->start_ms - 1 : life->start_ms;
}

/* Seconds on the trace's clock; with a unit, so long after the first submission. */
static bool time_of(const char *text, const struct life *life, int64_t *at_ms)
{
    const int64_t most = INT64_MAX / 2; /* so that differences of two times fit */
    size_t n = strlen(text);
    if (text_scaled(text, n, 3, at_ms))
        return *at_ms >= -most && *at_ms <= most;
    int64_t since_ms;
    if (!text_duration_ms(text, n, &since_ms) || since_ms > most)
        return false;
    *at_ms = life->first_submit_ms + since_ms;
    return true;
}

static bool explain(const struct cli *cli, const struct former *run, struct err *err)
{
    struct life life = {.id = cli->operands[1]};
    int64_t end_ms = 0;
    if (run->scenario->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT, "'%s' is a packing study: it has no time at which a job waits",
                       run->dir);
    if (!first_pass(run, &life, &end_ms, err))
        return false;
    const char *at = cli_option(cli, OPT_AT);
    struct answer answer = {.life = &life, .at_ms = default_time(&life, end_ms)};
    if (at != NULL && !time_of(at, &life, &answer.at_ms))
        return err_set(
            err, EXIT_INPUT,
            "--at '%s': expected seconds on the trace's clock, or a duration since the first submission "
            "such as 2h",
            at);
    struct life again = {.id = life.id};
    struct simulation s;
    if (!run_until(run, &again, false, answer.at_ms, &s, err))
        return false;
    ask(s.sim, &answer);
    (cli_given(cli, OPT_JSON) ? print_json : print)(&answer, cli->out);
    simulation_close(&s);
    return true;
}

int explain_run(struct cli *cli)
{
    struct err err = {0};
    struct former run = {.dir = cli->operands[0]};
    if (cli_given(cli, OPT_POLICY))
        return cli_misuse(cli, "--policy goes with a snapshot, '%s' is a run directory", run.dir);
    char *path = mem_format("%s/scenario.json", run.dir);
    char *base = member(run.dir, "timing.json", "base_dir");
    char *trace = member(run.dir, "timing.json", "trace");
    char *library = member(run.dir, "timing.json", "policy");
    char *set = library != NULL ? mem_format("policy.name=%s", library) : NULL;
    const char *const sets[] = {set};
    struct scen_overrides overrides = {
        .trace = cli_option(cli, OPT_TRACE), .set = sets, .set_count = set != NULL ? 1 : 0, .base_dir = base};
    if (overrides.trace == NULL)
        overrides.trace = trace;
    struct scenario *sc = NULL;
    int code = EXIT_OK;
    bool ok = scenario_load(&sc, path, &overrides, &err);
    run.scenario = sc;
    if (!ok || !find_replica(&run, &err) || !explain(cli, &run, &err))
        code = cli_fail(&err);
    scenario_destroy(sc);
    free(set);
    free(library);
    free(trace);
    free(base);
    free(path);
    return code;
}
