/* SPDX-License-Identifier: MIT */
/* The core's memory in a file; see past.h. */
#include "policies/adapters/slurm/past.h"

#include "policies/adapters/facts/read.h"
#include "policies/adapters/facts/write.h"
#include "policies/adapters/slurm/tracker_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_LINE 65536

/* ---- names ---- */

static const char *job_name(const struct tracker *t, policy_job core)
{
    const struct track_job *job = core.i < t->by_core_room ? t->by_core[core.i] : NULL;
    return job != NULL && job->core.gen == core.gen ? job->id : NULL;
}

static const char *queue_name(const struct tracker *t, policy_queue core)
{
    for (size_t i = 0; i < t->queue_count; i++)
        if (t->queues[i].core.i == core.i)
            return t->queues[i].name;
    return NULL;
}

static const char *node_name(const struct tracker *t, policy_node core)
{
    for (uint32_t i = 0; i < t->node_count; i++)
        if (t->nodes[i].core.i == core.i)
            return t->nodes[i].name;
    return NULL;
}

/* ---- writing ---- */

static void put_record(struct text *text, const struct tracker *t, const struct policy_history *h)
{
    const char *job = h->job.i != POLICY_NO_ID ? job_name(t, h->job) : "";
    const char *queue = h->queue.i != POLICY_NO_ID ? queue_name(t, h->queue) : "";
    const char *node = h->node.i != POLICY_NO_ID ? node_name(t, h->node) : "";
    if (job == NULL || queue == NULL || node == NULL ||
        policy_history_is_of_then(h->kind)) /* that is not so any more in another life */
        return;
    struct text line = {.length = 0};
    fact_write(&line, &(struct fact){.kind = FACT_HISTORY, .at = t->now, .spec = h});
    text_put(&line, ", \"id\": {\"job\": ");
    text_quoted(&line, job);
    text_put(&line, ", \"queue\": ");
    text_quoted(&line, queue);
    text_put(&line, ", \"node\": ");
    text_quoted(&line, node);
    text_put(&line, "}}\n");
    text->failed = text->failed || line.failed;
    text_bytes(text, line.bytes, line.length);
    text_fini(&line);
}

/* One file beside the other, on the disk before it takes its place. */
static bool replace(const char *path, const struct text *text)
{
    char *fresh = memory_format("%s.new", path);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t written = 0;
    bool ok = fd >= 0;
    while (ok && written < text->length) {
        ssize_t more = write(fd, text->bytes + written, text->length - written);
        ok = more >= 0 || errno == EINTR;
        written += more > 0 ? (size_t)more : 0;
    }
    ok = ok && fsync(fd) == 0;
    int wrong = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        wrong = errno;
        ok = false;
    }
    if (ok && rename(fresh, path) != 0) {
        wrong = errno;
        ok = false;
    }
    if (!ok && fd >= 0)
        (void)unlink(fresh);
    free(fresh);
    errno = wrong;
    return ok;
}

bool past_save(const struct tracker *t, const char *path, char *error, size_t size)
{
    struct policy_history h = {.size = sizeof h};
    struct text text = {.length = 0};
    for (uint64_t next = 0; policy_history(t->policy, &next, &h);)
        put_record(&text, t, &h);
    bool ok = !text.failed && replace(path, &text);
    if (!ok)
        (void)snprintf(error, size, "%s: %s", path, text.failed ? "out of memory" : strerror(errno));
    text_fini(&text);
    return ok;
}

/* ---- reading ---- */

static const char *id_of(const struct fact_line *line, const char *key)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(line->tree, "id");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(id, key);
    return cJSON_IsString(name) ? name->valuestring : "";
}

static policy_job job_of(const struct tracker *t, const char *id)
{
    for (const struct track_job *job = t->jobs; job != NULL; job = job->hh.next)
        if (strcmp(job->id, id) == 0)
            return job->core;
    return (policy_job){POLICY_NO_ID, 0};
}

static policy_node node_of(const struct tracker *t, const char *name)
{
    for (uint32_t i = 0; i < t->node_count; i++)
        if (strcmp(t->nodes[i].name, name) == 0)
            return t->nodes[i].core;
    return (policy_node){POLICY_NO_ID};
}

/* Ours for the names. False: somebody is gone. */
static bool number(struct tracker *t, const struct view *view, const struct fact_line *line,
                   struct policy_history *h)
{
    const char *job = id_of(line, "job");
    const char *queue = id_of(line, "queue");
    const char *node = id_of(line, "node");
    h->job = job_of(t, job);
    h->queue = *queue != '\0' ? track_named_queue(t, view, queue) : (policy_queue){POLICY_NO_ID};
    h->node = *node != '\0' ? node_of(t, node) : (policy_node){POLICY_NO_ID};
    return (*job == '\0' || h->job.i != POLICY_NO_ID) && (*queue == '\0' || h->queue.i != POLICY_NO_ID) &&
           (*node == '\0' || h->node.i != POLICY_NO_ID);
}

/* A core of another policy takes what it remembers, too; what contradicts what Slurm says now is gone. */
static void tell(struct tracker *t, const struct view *view, const struct fact_line *line)
{
    struct policy_history h;
    memcpy(&h, line->fact.spec, sizeof h);
    if (!policy_history_is_of_then(h.kind) && number(t, view, line, &h) &&
        facts_history(t->at.facts, t->now, &h) == POLICY_INVALID)
        track_say(t, "what was remembered of %s%s is not taken: %s", id_of(line, "job"), id_of(line, "queue"),
                  policy_last_error(t->policy)->message);
}

/* All lines, told to the tracker if there is one. */
static bool read_all(struct tracker *t, const struct view *view, const char *path, char *error, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        bool absent = errno == ENOENT;
        (void)snprintf(error, size, "%s: %s", path, strerror(errno));
        return absent;
    }
    struct fact_line line = {.kind = LINE_FACT};
    char *bytes = memory_get(MOST_LINE, 1);
    bool ok = true;
    for (unsigned number = 1; ok && fgets(bytes, MOST_LINE, file) != NULL; number++) {
        size_t n = strcspn(bytes, "\n");
        ok = bytes[n] == '\n' && fact_line_read(&line, bytes, n) && line.kind == LINE_FACT &&
             line.fact.kind == FACT_HISTORY;
        if (!ok)
            (void)snprintf(error, size, "%s:%u: not what the adapter keeps there%s%s", path, number,
                           line.error[0] != '\0' ? ": " : "", line.error);
        else if (t != NULL)
            tell(t, view, &line);
    }
    if (ok && ferror(file)) {
        ok = false;
        (void)snprintf(error, size, "%s: %s", path, strerror(errno));
    }
    (void)fclose(file);
    free(bytes);
    fact_line_fini(&line);
    return ok;
}

bool past_check(const char *path, char *error, size_t size)
{
    return read_all(NULL, NULL, path, error, size);
}

bool past_restore(struct tracker *t, const struct view *view, const char *path, char *error, size_t size)
{
    return read_all(t, view, path, error, size);
}
