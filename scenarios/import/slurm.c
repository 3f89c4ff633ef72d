/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slurm's `squeue --json` (jobs) and `scontrol show nodes --json`, or `sinfo --json` of versions
 * that list single nodes. Numbers are plain in old versions and {"set": true, "infinite": false,
 * "number": 5} in newer ones; states are a string or a list.
 *
 * A job is a gang of one task per node, with its resources divided evenly; partitions are queues.
 * GPUs are the generic resource "gpu". Ended jobs are left out.
 */
#include "traces/slurm.h"
#include "scenarios/import/gres.h"
#include "scenarios/import/internal.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TASKS   100000 /* nodes of a job */
#define MOST_SECONDS 1e12
#define NO_GPU_ID    (-1) /* here, resources are identified by name */

/* ---- values ---- */

/* Returns a number in either form; `otherwise` if there is none, or it is infinite. */
static double number_of(const cJSON *object, const char *key, double otherwise)
{
    const cJSON *value = import_at(object, key), *inner = import_at(value, "number");
    if (cJSON_IsNumber(value))
        return value->valuedouble;
    bool said = cJSON_IsNumber(inner) && !cJSON_IsFalse(import_at(value, "set")) &&
                !cJSON_IsTrue(import_at(value, "infinite"));
    return said ? inner->valuedouble : otherwise;
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/*
 * Returns true if the text contains the upper-case word, in any case: "MIXED+DRAIN", or "mixed" in
 * old versions.
 */
static bool contains(const char *text, const char *word)
{
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (word[i] != '\0' && upper(text[i]) == word[i])
            i++;
        if (word[i] == '\0')
            return true;
    }
    return false;
}

/* Returns true if the state, or one of its flags, contains the word. */
static bool has_state(const cJSON *object, const char *key, const char *word)
{
    const cJSON *value = import_at(object, key), *one;
    if (cJSON_IsString(value))
        return contains(value->valuestring, word);
    cJSON_ArrayForEach(one, value)
    {
        if (cJSON_IsString(one) && contains(one->valuestring, word))
            return true;
    }
    return false;
}

/* ---- lists of hosts: "n[01-03,07],m5" ---- */

struct hosts {
    char (*names)[128]; /* room for `most` */
    size_t count, most;
};

static bool add_host(struct hosts *hosts, const char *prefix, size_t n, const char *number,
                     size_t digits)
{
    if (hosts->count == hosts->most || n + digits >= sizeof *hosts->names)
        return false;
    memcpy(hosts->names[hosts->count], prefix, n);
    memcpy(hosts->names[hosts->count] + n, number, digits);
    hosts->names[hosts->count++][n + digits] = '\0';
    return true;
}

/* Adds one "01-03" or "07" of a list in brackets. */
static bool add_range(struct hosts *hosts, const char *prefix, size_t n, const char *range,
                      size_t length)
{
    const char *dash = memchr(range, '-', length);
    size_t digits = dash ? (size_t)(dash - range) : length;
    int64_t from, to;
    char number[32];
    if (!dash)
        return add_host(hosts, prefix, n, range, length);
    if (!text_i64(range, digits, &from) || !text_i64(dash + 1, length - digits - 1, &to) ||
        from < 0 || to < from || digits >= sizeof number)
        return false;
    for (int64_t i = from; i <= to; i++) {
        int size = snprintf(number, sizeof number, "%0*lld", (int)digits, (long long)i);
        if (!add_host(hosts, prefix, n, number, (size_t)size))
            return false;
    }
    return true;
}

static bool read_hosts(const char *text, struct hosts *hosts)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "[,");
        if (text[n] != '[') {
            if (!add_host(hosts, text, n, "", 0))
                return false;
            text += n + (text[n] == ',');
            continue;
        }
        const char *at = text + n + 1, *end = strchr(at, ']');
        if (!end || (end[1] != '\0' && end[1] != ','))
            return false;
        while (at < end) {
            size_t length = strcspn(at, ",]");
            if (!add_range(hosts, text, n, at, length))
                return false;
            at += length + (at[length] == ',');
        }
        text = end + 1 + (end[1] == ',');
    }
    return true;
}

/* ---- nodes ---- */

static bool add_node(struct import *import, const cJSON *from, struct err *err)
{
    char type[64];
    const char *name = import_text(from, "name");
    int64_t gpus = gres_gpus(import_text(from, "gres"), type);
    double cpus = number_of(from, "cpus", -1), mib = number_of(from, "real_memory", -1);
    if (*name == '\0')
        return import_fail(import, err, "a node without a name");
    if (gpus > 64)
        return import_fail(import, err, "a node with %lld GPUs, expected at most 64",
                           (long long)gpus);
    cJSON *node = import_node(import, name);
    import_number(node, "gpus", (double)gpus);
    cJSON_AddStringToObject(node, "gpu_type", type);
    import_number(node, "cpu_milli", cpus < 0 ? -1 : cpus * 1000);
    import_number(node, "mem_mib", mib);
    static const char *const gone[] = {"DOWN",         "FAIL",    "NOT_RESPONDING",
                                       "POWERED_DOWN", "UNKNOWN", "FUTURE"};
    static const char *const leaving[] = {"DRAIN", "MAINT", "REBOOT", "POWERING_DOWN"};
    const char *state = "up";
    for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++)
        state = has_state(from, "state", leaving[i]) || has_state(from, "state_flags", leaving[i])
                    ? "draining"
                    : state;
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        state = has_state(from, "state", gone[i]) || has_state(from, "state_flags", gone[i])
                    ? "down"
                    : state;
    cJSON_AddStringToObject(node, "state", state);
    return true;
}

/* ---- jobs ---- */

/* Reads a job's allocated resources, else the requested ones. */
static bool read_size(struct import *import, const cJSON *job, struct format_size *size,
                      char type[64], struct err *err)
{
    const char *text = import_text(job, "tres_alloc_str"), *name = NULL;
    size_t length = 0;
    *size = (struct format_size){FORMAT_ABSENT, FORMAT_ABSENT, FORMAT_ABSENT, FORMAT_ABSENT, 0};
    *type = '\0';
    if (*text == '\0')
        text = import_text(job, "tres_req_str");
    if (!slurm_resources(size, NO_GPU_ID, text, strlen(text), &name, &length))
        return import_fail(
            import, err,
            "resources '%.80s', expected a list such as cpu=4,mem=16G,node=1,gres/gpu=2", text);
    if (name)
        (void)snprintf(type, 64, "%.*s", (int)(length > 63 ? 63 : length), name);
    double nodes = number_of(job, "node_count", 1);
    if (size->nodes == FORMAT_ABSENT || size->nodes < 1)
        size->nodes = nodes > MOST_TASKS ? MOST_TASKS + 1 : nodes >= 1 ? (int64_t)nodes : 1;
    return size->nodes <= MOST_TASKS || import_fail(import, err, "more than %d nodes", MOST_TASKS);
}

/* Returns the part of task i; the first tasks take the remainder. */
static double part(int64_t amount, int64_t tasks, int64_t i)
{
    return amount == FORMAT_ABSENT ? 0 : (double)(amount / tasks + (i < amount % tasks));
}

static void add_tasks(struct import *import, cJSON *to, const struct format_size *size,
                      const char *type, const char *state, const struct hosts *hosts)
{
    int64_t gpus = size->gpus == FORMAT_ABSENT ? 0 : size->gpus;
    if (gpus % size->nodes != 0)
        import_note(import,
                    "GPUs of a job that do not divide among its nodes are given to the first ones");
    for (int64_t i = 0; i < size->nodes; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "%lld", (long long)i);
        cJSON *task = import_task(to, id, state, (size_t)i < hosts->count ? hosts->names[i] : "");
        import_number(task, "gpus", part(gpus, size->nodes, i));
        import_number(task, "cpu_milli", 1000 * part(size->cpus, size->nodes, i));
        import_number(task, "mem_mib", part(size->mem_mib, size->nodes, i));
        if (*type != '\0')
            cJSON_AddStringToObject(task, "gpu_types", type);
    }
}

/*
 * Reads seconds since 1970, 0 if there are none; returns false with err set if they are
 * unreasonable.
 */
static bool read_seconds(struct import *import, const cJSON *from, const char *key, double *seconds,
                         struct err *err)
{
    *seconds = number_of(from, key, 0);
    if (*seconds >= 0 && *seconds <= MOST_SECONDS)
        return true;
    return import_fail(import, err, "%s: %g, expected seconds since 1970", key, *seconds);
}

static bool put_times(struct import *import, cJSON *to, const cJSON *from, bool runs,
                      struct err *err)
{
    double submit_s, start_s, eligible_s, limit_min = number_of(from, "time_limit", -1);
    if (!read_seconds(import, from, "submit_time", &submit_s, err) ||
        !read_seconds(import, from, "start_time", &start_s, err) ||
        !read_seconds(import, from, "eligible_time", &eligible_s, err))
        return false;
    import_event(import, (int64_t)(submit_s * 1000));
    import_number(to, "submit_ms", submit_s * 1000);
    if (eligible_s > submit_s && !runs)
        import_number(to, "eligible_ms", eligible_s * 1000);
    if (runs && start_s > 0) {
        import_event(import, (int64_t)(start_s * 1000));
        import_number(to, "last_start_ms", start_s * 1000);
    }
    if (limit_min > 0)
        import_number(to, "limit_s", limit_min * 60);
    return true;
}

/* Returns "running", "releasing", "gated" or "pending"; NULL for a job that has ended. */
static const char *state_of(const cJSON *job)
{
    static const char *const held[] = {"JobHeldUser", "JobHeldAdmin", "Dependency", "BeginTime"};
    if (has_state(job, "job_state", "COMPLETING"))
        return "releasing";
    if (has_state(job, "job_state", "RUNNING") || has_state(job, "job_state", "SUSPENDED") ||
        has_state(job, "job_state", "CONFIGURING"))
        return "running";
    if (!has_state(job, "job_state", "PENDING"))
        return NULL;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (strcmp(import_text(job, "state_reason"), held[i]) == 0)
            return "gated";
    return "pending";
}

static bool add_job(struct import *import, const cJSON *from, struct err *err)
{
    char id[32], type[64];
    struct format_size size;
    const char *state = state_of(from), *partition = import_text(from, "partition");
    double number = number_of(from, "job_id", -1), priority = number_of(from, "priority", 0);
    if (!(number >= 0 && number < 1e15))
        return import_fail(import, err, "a job without job_id");
    if (!state) {
        import_note(import, "jobs that have ended are skipped");
        return true;
    }
    (void)snprintf(id, sizeof id, "%.0f", number);
    if (!read_size(import, from, &size, type, err))
        return false;
    if (strchr(partition, ','))
        import_note(import, "of several partitions of a job the first is its queue");
    char queue[128];
    (void)snprintf(queue, sizeof queue, "%.*s", (int)strcspn(partition, ","), partition);
    cJSON *job = import_job(import, id, *queue ? queue : "default");
    if (priority > 1e9)
        import_note(import, "a priority beyond 1e9 is cut to it");
    import_number(job, "priority", priority > 1e9 ? 1e9 : priority);
    cJSON_AddBoolToObject(job, "preemptible",
                          0); // in Slurm, partitions or QOS control preemption
    bool placed = strcmp(state, "running") == 0 || strcmp(state, "releasing") == 0;
    if (!put_times(import, job, from, placed, err))
        return false;
    struct hosts hosts = {mem_alloc((size_t)size.nodes, sizeof *hosts.names), 0,
                          (size_t)size.nodes};
    const char *nodes = import_text(from, "nodes");
    bool ok = !placed || (read_hosts(nodes, &hosts) && (int64_t)hosts.count == size.nodes);
    if (ok)
        add_tasks(import, job, &size, type, state, &hosts);
    else
        import_fail(import, err, "job %s: nodes '%.80s', expected a list of its %lld nodes", id,
                    nodes, (long long)size.nodes);
    free(hosts.names);
    return ok;
}

/* ---- lists ---- */

static bool add_list(struct import *import, const cJSON *root, const char *key,
                     bool (*add)(struct import *, const cJSON *, struct err *), struct err *err)
{
    const cJSON *item;
    import->list = key;
    import->index = 0;
    cJSON_ArrayForEach(item, import_at(root, key))
    {
        if (!add(import, item, err))
            return false;
        import->index++;
    }
    return true;
}

bool import_slurm(struct import *import, const cJSON *root, struct err *err)
{
    if (import_at(root, "sinfo"))
        return err_set(err, EXIT_INPUT,
                       "%s: sinfo of this version of Slurm puts nodes together that look alike; "
                       "give what 'scontrol show nodes --json' prints",
                       import->file);
    return add_list(import, root, "nodes", add_node, err) &&
           add_list(import, root, "jobs", add_job, err);
}
