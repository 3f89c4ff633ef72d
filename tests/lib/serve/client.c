/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client with books of its own; see client.h. */
#include "tests/lib/serve/client.h"

#include "tests/lib/draw.h"

#include <cjson/cJSON.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum client_task { WAITS, DECIDED, RUNS, LEAVES, RELEASES, OVER };
enum request { OTHER, DECIDE, ADD_JOB, STARTED, START_FAILED, RELEASING, ENDED, CANCEL, LOOK };
enum { ALL = -1 };

static uint32_t below(struct client *c, uint32_t n)
{
    return (uint32_t)(test_draw(&c->random) % n);
}

static void complain(struct client *c, const char *what, uint32_t job, uint32_t task)
{
    if (c->wrong[0] == '\0')
        (void)snprintf(c->wrong, sizeof c->wrong, "request %u: job %u task %u: %s", c->requests,
                       job, task, what);
}

/* ---- asking ---- */

static struct client_request *ask(struct client *c, int kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A fact or decide has its number, and so have those that follow before it is answered. */
static struct client_request *ask(struct client *c, int kind, const char *format, ...)
{
    char body[CLIENT_LINE - 80];
    struct client_request *r = &c->asked[c->asked_count];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(body, sizeof body, format, arguments);
    va_end(arguments);
    *r = (struct client_request){.kind = kind, .has_record = kind != LOOK};
    if (r->has_record)
        (void)snprintf(r->line, sizeof r->line,
                       "{\"t_ms\": %" PRId64 ", %s, \"record\": %" PRIu64 "}\n", c->now, body,
                       c->record + c->asked_count);
    else
        (void)snprintf(r->line, sizeof r->line, "{%s}\n", body);
    c->asked_count++;
    c->requests++;
    return r;
}

static void about(struct client_request *r, uint32_t job, int task)
{
    r->job = job;
    r->task = (uint32_t)task;
}

static const char *task_member(int task, char buffer[32])
{
    if (task == ALL)
        buffer[0] = '\0';
    else
        (void)snprintf(buffer, 32, ", \"task\": %d", task);
    return buffer;
}

/* ---- the world ---- */

static void tell_world(struct client *c)
{
    uint32_t i = c->begun++;
    if (i < c->nodes) {
        (void)ask(c, OTHER,
                  "\"fact\": \"node_add\", \"node\": %u, \"rank\": %u, \"name\": \"n%u\", "
                  "\"devices\": %u, \"cpu_milli\": 64000",
                  i + 10, i, i, 4 + 4 * below(c, 2));
    } else if (i < c->nodes + c->queues) {
        i -= c->nodes;
        (void)ask(c, OTHER,
                  "\"fact\": \"queue_add\", \"queue\": %u, \"rank\": %u%s, \"gpu\": {\"quota\": "
                  "%u, \"limit\": %d, \"weight\": %u}",
                  i, i, i > 0 ? ", \"parent\": 0" : "", i > 0 ? 2000 + 2000 * below(c, 4) : 24000,
                  i > 0 && below(c, 3) == 0 ? 16000 : -1, 1 + below(c, 3));
    } else {
        (void)ask(c, OTHER,
                  "\"fact\": \"typical_tasks\", \"all\": 10, \"tasks\": [{\"count\": 7, "
                  "\"request\": {\"devices\": 1}}, {\"count\": 3, \"request\": {\"devices\": 1, "
                  "\"device_milli\": 500}}]");
    }
}

static void add_job(struct client *c)
{
    uint32_t number = c->job_count + c->asked_count, tasks = 1 + below(c, CLIENT_TASKS);
    uint32_t devices = 1 + below(c, below(c, 3) == 0 ? 8 : 2);
    const char *share =
        c->has_pods && devices == 1 && below(c, 4) == 0 ? ", \"device_milli\": 500" : "";
    uint32_t least = c->has_pods ? 1 + below(c, tasks) : tasks;
    char delay[48] = "";
    if (below(c, 6) == 0)
        (void)snprintf(delay, sizeof delay, ", \"eligible_ms\": %" PRId64,
                       c->now + 1000 * below(c, 300));
    about(ask(c, ADD_JOB,
              "\"fact\": \"job_add\", \"job\": %u, \"name\": \"j%u\", \"queue\": %u, \"priority\": "
              "%u, \"preemptible\": %s, \"rank\": \"%u\", "
              "\"submitted_ms\": %" PRId64
              "%s, \"run_ms\": %u, \"limit_ms\": %u, \"estimate_ms\": %u, \"user\": %u, "
              "\"roles\": [{\"tasks\": %u, \"min_tasks\": %u, \"request\": {\"devices\": %u%s, "
              "\"cpu_milli\": 1000}}]",
              number, number, 1 + below(c, c->queues - 1), 50 * below(c, 4),
              below(c, 4) > 0 ? "true" : "false", number, c->now - 1000 * below(c, 20), delay,
              1000 * (1 + below(c, 3600)), 1000 * (600 + below(c, 7200)),
              1000 * (1 + below(c, 3600)), 1 + below(c, 5), tasks, least, devices, share),
          number, (int)tasks);
}

/* ---- what becomes of tasks ---- */

static bool has(const struct client_job *job, uint8_t state)
{
    for (uint32_t i = 0; i < job->tasks; i++)
        if (job->state[i] == state)
            return true;
    return false;
}

static int first(const struct client_job *job, uint8_t state)
{
    for (uint32_t i = 0; i < job->tasks; i++)
        if (job->state[i] == state)
            return (int)i;
    return ALL;
}

static void end_task(struct client *c, uint32_t number, int task, const char *outcome)
{
    char member[32];
    struct client_request *r =
        ask(c, ENDED, "\"fact\": \"task_ended\", \"job\": %u%s, \"outcome\": \"%s\"", number,
            task_member(task, member), outcome);
    about(r, number, task);
    r->is_evicted = strcmp(outcome, "evicted") == 0;
}

static void answer_eviction(struct client *c, uint32_t number, const struct client_job *job)
{
    char member[32];
    bool is_leaving = has(job, LEAVES);
    int task = first(job, is_leaving ? LEAVES : RELEASES);
    if (is_leaving && below(c, 3) == 0)
        about(ask(c, RELEASING, "\"fact\": \"task_releasing\", \"job\": %u%s", number,
                  task_member(task, member)),
              number, task);
    else
        end_task(c, number, !c->has_pods && below(c, 2) == 0 ? ALL : task, "evicted");
}

static void answer_start(struct client *c, uint32_t number, const struct client_job *job)
{
    char member[32];
    uint32_t chance = below(c, 20);
    int task = chance < 4 ? first(job, DECIDED) : ALL;
    if (chance == 19 && !has(job, RUNS))
        about(ask(c, START_FAILED, "\"fact\": \"start_failed\", \"job\": %u", number), number, ALL);
    else
        about(ask(c, STARTED, "\"fact\": \"task_started\", \"job\": %u%s", number,
                  task_member(task, member)),
              number, task);
}

static void go_on(struct client *c, uint32_t number, const struct client_job *job)
{
    uint32_t chance = below(c, 12);
    if (chance < 3)
        end_task(c, number, ALL, "succeeded");
    else if (chance < 4)
        end_task(c, number, first(job, RUNS), below(c, 2) == 0 ? "succeeded" : "failed");
    else if (chance < 5)
        end_task(c, number, first(job, RUNS), "evicted");
    else if (chance < 7)
        (void)ask(c, OTHER, "\"fact\": \"activity\", \"job\": %u, \"utilization_ppm\": %u", number,
                  below(c, 2) * 500000);
    else
        (void)ask(c, OTHER, "\"fact\": \"progress\", \"job\": %u, \"remaining_ms\": %u", number,
                  1000 * below(c, 3600));
}

static void wait_on(struct client *c, uint32_t number, const struct client_job *job)
{
    uint32_t chance = below(c, 12);
    if (chance > 1 && !c->has_pods)
        (void)ask(c, DECIDE, "\"do\": \"decide\"");
    else if (chance < 1)
        about(ask(c, CANCEL, "\"fact\": \"job_cancel\", \"job\": %u", number), number, ALL);
    else if (chance < 4)
        (void)ask(c, OTHER, "\"fact\": \"task_gated\", \"job\": %u, \"task\": %d%s", number,
                  first(job, WAITS), below(c, 2) == 0 ? ", \"gated\": true" : "");
    else
        (void)ask(c, OTHER, "\"fact\": \"progress\", \"job\": %u, \"remaining_ms\": %u", number,
                  1000 * below(c, 3600));
}

/* Something about one of the jobs, if there is one. */
static bool report(struct client *c)
{
    uint32_t at = below(c, c->job_count + 1);
    for (uint32_t i = 0; i < c->job_count; i++) {
        uint32_t number = (at + i) % c->job_count;
        const struct client_job *job = &c->jobs[number];
        if (job->is_over)
            continue;
        if (has(job, LEAVES) || has(job, RELEASES))
            answer_eviction(c, number, job);
        else if (has(job, DECIDED))
            answer_start(c, number, job);
        else if (has(job, RUNS))
            go_on(c, number, job);
        else
            wait_on(c, number, job);
        return true;
    }
    return false;
}

static void change_node(struct client *c)
{
    static const char *const states[] = {"up", "up", "draining", "down"};
    uint32_t node = 10 + below(c, c->nodes);
    if (below(c, 2) == 0)
        (void)ask(c, OTHER, "\"fact\": \"node_state\", \"node\": %u, \"state\": \"%s\"", node,
                  states[below(c, 4)]);
    else
        (void)ask(c, OTHER, "\"fact\": \"device_health\", \"node\": %u, \"device\": %u%s", node,
                  below(c, 4), below(c, 3) > 0 ? ", \"usable\": true" : "");
}

static uint32_t live(const struct client *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->job_count; i++)
        count += !c->jobs[i].is_over;
    return count;
}

static void do_something(struct client *c)
{
    uint32_t chance = below(c, 100);
    c->now += below(c, 5) < 3 ? 100 * (int64_t)below(c, 2000) : 0;
    if (chance < 20 && live(c) < 30 && c->job_count + CLIENT_ASKED < CLIENT_JOBS)
        for (uint32_t n = 1 + below(c, 4); n > 0; n--)
            add_job(c);
    else if (chance < 45)
        (void)ask(c, DECIDE, "\"do\": \"decide\"");
    else if (chance < 48)
        change_node(c);
    else if (chance < 49)
        (void)ask(c, OTHER, "\"fact\": \"usage\", \"queue\": %u, \"gpu\": %u",
                  1 + below(c, c->queues - 1), 1000 * below(c, 500));
    else if (chance < 51)
        (void)ask(c, LOOK, c->takes_shot ? "\"do\": \"snapshot\"" : "\"do\": \"status\"");
    else if (!report(c))
        (void)ask(c, DECIDE, "\"do\": \"decide\"");
}

/* At the end each job that is not over has to be known. */
static bool look_for_jobs(struct client *c)
{
    while (c->checked < c->job_count && c->jobs[c->checked].is_over)
        c->checked++;
    if (c->checked == c->job_count)
        return false;
    about(ask(c, LOOK, "\"do\": \"explain\", \"job\": %u", c->checked), c->checked, 0);
    c->checked++;
    return true;
}

void client_begin(struct client *c, uint64_t seed, const char *policy, uint32_t most,
                  bool takes_shot)
{
    static const char *const pods[] = {"runai", "static", "kube-default"};
    *c = (struct client){.random = seed, .most = most, .takes_shot = takes_shot, .record = 2};
    c->nodes = 3 + below(c, 4);
    c->queues = 3 + below(c, 2);
    c->now = 1000000;
    for (size_t i = 0; i < sizeof pods / sizeof *pods; i++)
        c->has_pods |= strcmp(policy, pods[i]) == 0;
}

const char *client_ask(struct client *c)
{
    if (c->asked_count == 0 && c->begun <= c->nodes + c->queues)
        tell_world(c);
    else if (c->asked_count == 0 && c->requests < c->most)
        do_something(c);
    else if (c->asked_count == 0 && !look_for_jobs(c))
        return NULL;
    c->text[0] = '\0';
    size_t length = 0;
    for (uint32_t i = 0; i < c->asked_count; i++) {
        size_t n = strlen(c->asked[i].line);
        memcpy(c->text + length, c->asked[i].line, n + 1);
        length += n;
    }
    return c->text;
}

/* ---- hearing ---- */

static int64_t number(const cJSON *object, const char *key, int64_t usual)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? (int64_t)item->valuedouble : usual;
}

static void note(struct client *c, const char *text)
{
    size_t n = strlen(text);
    if (c->heard_length + n + 2 > c->heard_room) {
        c->heard_room = 2 * (c->heard_length + n + 2);
        c->heard = realloc(c->heard, c->heard_room);
        if (c->heard == NULL)
            abort();
    }
    memcpy(c->heard + c->heard_length, text, n + 1);
    c->heard_length += n;
}

/* A task that is on its way out may be decided to start elsewhere in the same breath. */
static void hear_decision(struct client *c, const cJSON *d)
{
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(d, "decision"));
    int64_t job = number(d, "job", -1), task = number(d, "task", -1);
    char line[128];
    if (kind == NULL || job < 0 || job >= c->job_count || task >= (int64_t)c->jobs[job].tasks) {
        complain(c, "a decision about nobody", (uint32_t)job, (uint32_t)task);
        return;
    }
    for (uint32_t i = 0; i < c->jobs[job].tasks; i++) {
        uint8_t *state = &c->jobs[job].state[i];
        if (task >= 0 && i != (uint32_t)task)
            continue;
        if (strcmp(kind, "start") == 0) {
            c->starts++;
            if (c->jobs[job].is_over || *state == DECIDED || *state == RUNS || *state == OVER)
                complain(c, "it is started a second time", (uint32_t)job, i);
            *state = DECIDED;
        } else if (strcmp(kind, "evict") == 0) {
            c->evictions++;
            if (*state == WAITS || *state == OVER)
                complain(c, "it is evicted and does not run", (uint32_t)job, i);
            *state = LEAVES;
        }
    }
    (void)snprintf(line, sizeof line, "%" PRId64 " %s %" PRId64 " %" PRId64 " @%" PRId64 " %s\n",
                   number(d, "t_ms", 0), kind, job, task, number(d, "node", -1),
                   cJSON_IsString(cJSON_GetObjectItemCaseSensitive(d, "devices"))
                       ? cJSON_GetObjectItemCaseSensitive(d, "devices")->valuestring
                       : "");
    note(c, line);
}

static void set_all(struct client_job *job, uint32_t task, uint8_t from, uint8_t to)
{
    for (uint32_t i = 0; i < job->tasks && i < CLIENT_TASKS; i++)
        if ((task == (uint32_t)ALL || i == task) &&
            (job->state[i] == from || (task == i && from == OVER)))
            job->state[i] = to;
}

static bool holds(uint8_t state)
{
    return state != WAITS && state != OVER;
}

static void end_pods(struct client_job *job, const struct client_request *r)
{
    bool is_all = r->task == (uint32_t)ALL;
    bool is_over = true;
    for (uint32_t i = 0; i < job->tasks; i++) {
        uint8_t *state = &job->state[i];
        if (i == r->task || (is_all && holds(*state)))
            *state = r->is_evicted ? WAITS : OVER;
        is_over &= *state == OVER;
    }
    job->is_over = is_over || (is_all && !r->is_evicted);
}

/* A gang that nothing runs of any more is over, or waits as a whole if any of it was evicted. */
static void end_gang(struct client_job *job, const struct client_request *r)
{
    bool runs = false;
    job->was_evicted |= r->is_evicted;
    for (uint32_t i = 0; i < job->tasks; i++) {
        if (i == r->task || r->task == (uint32_t)ALL)
            job->state[i] = OVER;
        runs |= holds(job->state[i]);
    }
    if (runs)
        return;
    job->is_over = !job->was_evicted;
    for (uint32_t i = 0; i < job->tasks && job->was_evicted; i++)
        job->state[i] = WAITS;
    job->was_evicted = false;
}

static void take_effect(struct client *c, const struct client_request *r, const cJSON *answer)
{
    const cJSON *d;
    struct client_job *job = &c->jobs[r->job];
    switch (r->kind) {
    case DECIDE:
        cJSON_ArrayForEach(d, cJSON_GetObjectItemCaseSensitive(answer, "decisions"))
            hear_decision(c, d);
        break;
    case ADD_JOB:
        if (r->job != c->job_count)
            complain(c, "jobs are taken in another order", r->job, 0);
        *job = (struct client_job){.tasks = r->task};
        c->job_count = r->job + 1;
        break;
    case STARTED:
        set_all(job, r->task, DECIDED, RUNS);
        break;
    case START_FAILED:
        set_all(job, (uint32_t)ALL, DECIDED, WAITS);
        if (!c->has_pods)
            set_all(job, (uint32_t)ALL, OVER, WAITS);
        break;
    case RELEASING:
        set_all(job, r->task, LEAVES, RELEASES);
        break;
    case ENDED:
        (c->has_pods ? end_pods : end_gang)(job, r);
        break;
    case CANCEL:
        job->is_over = true;
        break;
    default:
        break;
    }
}

void client_hear(struct client *c, const char *bytes, size_t n)
{
    const struct client_request r = c->asked[0];
    cJSON *answer = cJSON_ParseWithLength(bytes, n);
    bool ok = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "ok"));
    int64_t record = number(answer, "record", -1);
    if (c->asked_count == 0 || answer == NULL) {
        complain(c, "an answer to no request, or none", 0, 0);
        cJSON_Delete(answer);
        return;
    }
    c->asked_count--;
    memmove(c->asked, c->asked + 1, c->asked_count * sizeof *c->asked);
    c->repeated += cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "repeated")) != 0;
    c->refused += !ok;
    if (ok && r.has_record && record != (int64_t)c->record)
        complain(c, "it is another record", r.job, r.task);
    if (!ok && ((r.kind == LOOK && c->checked > 0) || r.kind == ADD_JOB || r.kind == DECIDE))
        complain(c, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "error")), r.job,
                 r.task);
    if (ok && r.has_record)
        c->record = (uint64_t)number(answer, "records", record) + 1;
    if (ok)
        take_effect(c, &r, answer);
    cJSON_Delete(answer);
}

void client_end(struct client *c)
{
    free(c->heard);
    c->heard = NULL;
}
