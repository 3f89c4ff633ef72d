/* SPDX-License-Identifier: MIT */
/* Facts to the core and into the journal; see facts.h. */
#include "policies/adapters/slurm/facts.h"

#include "policies/adapters/slurm/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- lines ---- */

struct line {
    char *text;
    size_t length, room;
};

static void put(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t more = n > 0 ? (size_t)n : 0;
    if (line->length + more + 1 > line->room) {
        line->room = (line->length + more + 1) * 2;
        line->text = memory_resize(line->text, line->room, 1);
    }
    va_start(arguments, format);
    (void)vsnprintf(line->text + line->length, more + 1, format, arguments);
    va_end(arguments);
    line->length += more;
}

static void put_text(struct line *line, const char *key, const char *text)
{
    put(line, ", \"%s\": \"", key);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            put(line, "\\%c", *at);
        else if (*at < ' ')
            put(line, "\\u%04x", *at);
        else
            put(line, "%c", *at);
    }
    put(line, "\"");
}

static void put_i64(struct line *line, const char *key, int64_t value)
{
    put(line, ", \"%s\": %" PRId64, key, value);
}

static void put_bool(struct line *line, const char *key, bool value)
{
    put(line, ", \"%s\": %s", key, value ? "true" : "false");
}

static void put_set(struct line *line, const char *key, uint64_t set)
{
    put(line, ", \"%s\": \"%" PRIu64 "\"", key, set);
}

static struct line begin(policy_time at, const char *kind, const char *what)
{
    struct line line = {NULL, 0, 0};
    put(&line, "{\"t_ms\": %" PRId64 ", \"%s\": \"%s\"", at, kind, what);
    return line;
}

/* Appends the line whole and forgets it. After the first failure nothing more is written: what is there stays in order. */
static void end(struct facts *facts, struct line *line)
{
    put(line, "}\n");
    const char *at = line->text;
    for (size_t left = line->length; left > 0 && facts->file >= 0 && !facts->broken;) {
        ssize_t n = write(facts->file, at, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            facts->broken = true;
            facts->error = errno;
            break;
        }
        at += n;
        left -= (size_t)n;
    }
    free(line->text);
}

static bool writes(struct facts *facts, bool accepted)
{
    facts->news = facts->news || accepted;
    return accepted && facts->file >= 0;
}

bool facts_open(struct facts *facts, const char *path)
{
    *facts = (struct facts){.file = -1};
    if (path != NULL)
        facts->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    return path == NULL || facts->file >= 0;
}

void facts_close(struct facts *facts)
{
    if (facts->file >= 0)
        (void)close(facts->file);
    facts->file = -1;
}

void facts_begin(struct facts *facts, struct policy *policy, policy_time at, const char *name,
                 const char *options)
{
    facts->policy = policy;
    if (!writes(facts, true))
        return;
    struct line line = begin(at, "fact", "policy");
    put_i64(&line, "fauxfleet_facts", 1);
    put_i64(&line, "contract", POLICY_VERSION);
    put_text(&line, "policy", name);
    put(&line, ", \"options\": %s", options);
    end(facts, &line);
}

/* ---- nodes and queues ---- */

policy_node facts_add_node(struct facts *facts, policy_time at, const struct policy_node_spec *spec,
                           const char *name)
{
    policy_node node = policy_add_node(facts->policy, at, spec);
    if (!writes(facts, node.i != POLICY_NO_ID))
        return node;
    struct line line = begin(at, "fact", "node_add");
    put_i64(&line, "node", node.i);
    put_text(&line, "name", name);
    put_i64(&line, "devices", spec->devices);
    put_i64(&line, "type", spec->type);
    put_i64(&line, "pool", spec->pool);
    put_i64(&line, "rank", spec->rank);
    put_i64(&line, "max_tasks", spec->max_tasks);
    put_i64(&line, "cpu_milli", spec->cpu_milli);
    put_i64(&line, "mem_mib", spec->mem_mib);
    put(&line, ", \"labels\": [");
    for (uint32_t i = 0; i < spec->label_count; i++)
        put(&line, "%s[%" PRIu32 ", %" PRIu32 "]", i > 0 ? ", " : "", spec->labels[i].key,
            spec->labels[i].value);
    put(&line, "]");
    end(facts, &line);
    return node;
}

static int node_fact(struct facts *facts, policy_time at, policy_node node, const char *what, int32_t state,
                     int status)
{
    if (!writes(facts, status == POLICY_OK))
        return status;
    struct line line = begin(at, "fact", what);
    put_i64(&line, "node", node.i);
    if (state >= 0)
        put_i64(&line, "state", state);
    end(facts, &line);
    return status;
}

int facts_remove_node(struct facts *facts, policy_time at, policy_node node)
{
    return node_fact(facts, at, node, "node_remove", -1, policy_remove_node(facts->policy, at, node));
}

int facts_node_state(struct facts *facts, policy_time at, policy_node node, int32_t state)
{
    return node_fact(facts, at, node, "node_state", state,
                     policy_set_node_state(facts->policy, at, node, state));
}

static void put_share(struct line *line, const char *key, const struct policy_share *share)
{
    put(line, ", \"%s\": {\"quota\": %" PRId64 ", \"limit\": %" PRId64 ", \"weight\": %" PRId64 "}", key,
        share->quota, share->limit, share->weight);
}

policy_queue facts_add_queue(struct facts *facts, policy_time at, const struct policy_queue_spec *spec,
                             const char *name)
{
    policy_queue queue = policy_add_queue(facts->policy, at, spec);
    if (!writes(facts, queue.i != POLICY_NO_ID))
        return queue;
    struct line line = begin(at, "fact", "queue_add");
    put_i64(&line, "queue", queue.i);
    put_text(&line, "name", name);
    put_i64(&line, "parent", spec->parent.i == POLICY_NO_ID ? -1 : (int64_t)spec->parent.i);
    put_i64(&line, "priority", spec->priority);
    put_i64(&line, "rank", spec->rank);
    put_i64(&line, "created_ms", spec->created);
    put_share(&line, "gpu", &spec->gpu);
    put_share(&line, "cpu", &spec->cpu);
    put_share(&line, "mem", &spec->mem);
    put_i64(&line, "preempt_min_runtime_ms", spec->preempt_min_runtime_ms);
    put_i64(&line, "reclaim_min_runtime_ms", spec->reclaim_min_runtime_ms);
    if (spec->pools != NULL) {
        put(&line, ", \"pools\": [");
        for (uint32_t i = 0; i < spec->pool_count; i++)
            put(&line, "%s%" PRIu32, i > 0 ? ", " : "", spec->pools[i]);
        put(&line, "]");
    }
    end(facts, &line);
    return queue;
}

/* ---- jobs ---- */

static void put_role(struct line *line, const struct policy_role *role)
{
    const struct policy_request *r = &role->request;
    put(line, "{\"tasks\": %" PRId32 ", \"min_tasks\": %" PRId32, role->tasks, role->min_tasks);
    put_i64(line, "devices", r->devices);
    put_i64(line, "cpu_milli", r->cpu_milli);
    put_i64(line, "mem_mib", r->mem_mib);
    put_set(line, "types", r->types);
    put(line, ", \"terms\": [");
    for (uint32_t i = 0; i < r->term_count; i++) {
        put(line, "%s[%" PRIu32, i > 0 ? ", " : "", r->terms[i].key);
        for (uint32_t k = 0; k < r->terms[i].value_count; k++)
            put(line, ", %" PRIu32, r->terms[i].values[k]);
        put(line, "]");
    }
    put(line, "]}");
}

policy_job facts_submit(struct facts *facts, policy_time at, const struct policy_job_spec *spec,
                        const char *id)
{
    policy_job job = policy_submit(facts->policy, at, spec);
    if (!writes(facts, job.i != POLICY_NO_ID))
        return job;
    struct line line = begin(at, "fact", "job_add");
    put_i64(&line, "job", job.i);
    put_i64(&line, "gen", job.gen);
    put_text(&line, "id", id);
    put_i64(&line, "queue", spec->queue.i);
    put_i64(&line, "priority", spec->priority);
    put_bool(&line, "preemptible", spec->preemptible);
    put_set(&line, "rank", spec->rank);
    put_i64(&line, "submitted_ms", spec->submitted);
    put_i64(&line, "eligible_ms", spec->eligible);
    put_i64(&line, "run_ms", spec->run_ms);
    put_i64(&line, "limit_ms", spec->limit_ms);
    put_i64(&line, "workload", spec->workload);
    put_i64(&line, "user", spec->user);
    put(&line, ", \"roles\": [");
    for (uint32_t i = 0; i < spec->role_count; i++) {
        put(&line, i > 0 ? ", " : "");
        put_role(&line, &spec->roles[i]);
    }
    put(&line, "]");
    end(facts, &line);
    return job;
}

/* A fact about a job with up to two numbers; a key of NULL: none. */
static int job_fact(struct facts *facts, policy_time at, policy_job job, const char *what, const char *key,
                    int64_t value, int status)
{
    if (!writes(facts, status == POLICY_OK))
        return status;
    struct line line = begin(at, "fact", what);
    put_i64(&line, "job", job.i);
    put_i64(&line, "gen", job.gen);
    if (key != NULL)
        put_i64(&line, key, value);
    end(facts, &line);
    return status;
}

int facts_cancel(struct facts *facts, policy_time at, policy_job job)
{
    return job_fact(facts, at, job, "job_cancel", NULL, 0, policy_cancel(facts->policy, at, job));
}

int facts_running(struct facts *facts, policy_time at, policy_job job, uint32_t task, policy_node node,
                  uint64_t devices, policy_time since)
{
    int status = policy_task_running(facts->policy, at, job, task, node, devices, since);
    if (!writes(facts, status == POLICY_OK))
        return status;
    struct line line = begin(at, "fact", "task_running");
    put_i64(&line, "job", job.i);
    put_i64(&line, "gen", job.gen);
    put_i64(&line, "task", task);
    put_i64(&line, "node", node.i);
    put_set(&line, "devices", devices);
    put_i64(&line, "since_ms", since);
    end(facts, &line);
    return status;
}

int facts_started(struct facts *facts, policy_time at, policy_job job)
{
    return job_fact(facts, at, job, "task_started", NULL, 0,
                    policy_task_started(facts->policy, at, job, POLICY_ALL_TASKS));
}

int facts_releasing(struct facts *facts, policy_time at, policy_job job, uint32_t task)
{
    return job_fact(facts, at, job, "task_releasing", "task", task == POLICY_ALL_TASKS ? -1 : (int64_t)task,
                    policy_task_releasing(facts->policy, at, job, task));
}

int facts_start_failed(struct facts *facts, policy_time at, policy_job job)
{
    return job_fact(facts, at, job, "start_failed", NULL, 0, policy_start_failed(facts->policy, at, job));
}

int facts_ended(struct facts *facts, policy_time at, policy_job job, int32_t outcome)
{
    return job_fact(facts, at, job, "task_ended", "outcome", outcome,
                    policy_task_ended(facts->policy, at, job, POLICY_ALL_TASKS, outcome));
}

int facts_progress(struct facts *facts, policy_time at, policy_job job, int64_t remaining_ms)
{
    return job_fact(facts, at, job, "progress", "remaining_ms", remaining_ms,
                    policy_report_progress(facts->policy, at, job, remaining_ms));
}

/* ---- decisions ---- */

static void put_decision(struct facts *facts, policy_time at, const struct facts_names *names,
                         const struct policy_decision *d)
{
    struct line line = begin(at, "decision", policy_kind_name(d->kind));
    put_i64(&line, "job", d->job.i);
    put_i64(&line, "gen", d->job.gen);
    put_text(&line, "id", names->job(names->of, d->job));
    put_i64(&line, "task", d->task == POLICY_ALL_TASKS ? -1 : (int64_t)d->task);
    if (d->node.i != POLICY_NO_ID) {
        put_i64(&line, "node", d->node.i);
        put_text(&line, "name", names->node(names->of, d->node));
    }
    put_set(&line, "devices", d->devices);
    put_text(&line, "action", policy_action_name(d->action));
    if (d->kind == POLICY_EVICT)
        put_text(&line, "reason", policy_reason_name(d->reason));
    if (d->for_job.i != POLICY_NO_ID)
        put_text(&line, "for", names->job(names->of, d->for_job));
    end(facts, &line);
}

const struct policy_decision *facts_decide(struct facts *facts, policy_time at,
                                           const struct facts_names *names, size_t *count)
{
    const struct policy_decision *decisions = policy_decide(facts->policy, at, count);
    bool news = facts->news || *count > 0;
    facts->news = false;
    if (facts->file < 0 || !news)
        return decisions;
    struct line line = begin(at, "fact", "decide");
    put_i64(&line, "decisions", (int64_t)*count);
    end(facts, &line);
    for (size_t i = 0; i < *count; i++)
        put_decision(facts, at, names, &decisions[i]);
    return decisions;
}
