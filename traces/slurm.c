/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States and resources of Slurm. State numbers are those of its slurm.h. */
#include "traces/slurm.h"

#include "sim/base/text.h"

#include <string.h>
#include <strings.h>

static const struct state {
    const char *name;
    int64_t number; /* -1: a flag that sacct shows instead of the state */
    enum trace_status status;
    enum trace_cause cause;
    bool ended;
} states[] = {
    {"COMPLETED", 3, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, true},
    {"CANCELLED", 4, TRACE_CANCELLED, TRACE_CAUSE_UNKNOWN, true},
    {"CANCELED", -1, TRACE_CANCELLED, TRACE_CAUSE_UNKNOWN, true},
    {"FAILED", 5, TRACE_FAILED, TRACE_CAUSE_UNKNOWN, true},
    {"TIMEOUT", 6, TRACE_FAILED, TRACE_TIMEOUT, true},
    {"NODE_FAIL", 7, TRACE_FAILED, TRACE_NODE_FAIL, true},
    {"PREEMPTED", 8, TRACE_CANCELLED, TRACE_PREEMPTED, true},
    {"BOOT_FAIL", 9, TRACE_FAILED, TRACE_NODE_FAIL, true},
    {"DEADLINE", 10, TRACE_CANCELLED, TRACE_CAUSE_UNKNOWN, true},
    {"OUT_OF_MEMORY", 11, TRACE_FAILED, TRACE_OUT_OF_MEMORY, true},
    {"PENDING", 0, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, false},
    {"RUNNING", 1, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, false},
    {"SUSPENDED", 2, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, false},
    {"COMPLETING", -1, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, false},
    {"CONFIGURING", -1, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, false},
    {"STOPPED", -1, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, false},
    {"RESIZING", -1, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, false},
    {"REQUEUED", -1, TRACE_COMPLETED, TRACE_CAUSE_UNKNOWN, false},
    {"REVOKED", -1, TRACE_CANCELLED, TRACE_CAUSE_UNKNOWN, true}, // it runs in another cluster
};

/* Finds a state by name in any case, or by number. */
static bool find_state(const char *text, size_t n, int64_t *found)
{
    const char *blank = memchr(text, ' ', n); // "CANCELLED by 1000"
    size_t length = blank ? (size_t)(blank - text) : n;
    int64_t number = -1;
    if (!text_i64(text, n, &number))
        number = -1;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        bool named =
            strlen(states[i].name) == length && strncasecmp(states[i].name, text, length) == 0;
        if (named || (number >= 0 && number == states[i].number)) {
            *found = (int64_t)i;
            return true;
        }
    }
    return false;
}

const char *slurm_state(void *data, const struct csv_column *column, const char *text, size_t n)
{
    struct format_context *context = data;
    (void)column;
    if (!find_state(text, n, &context->row.raw.state))
        return "COMPLETED, CANCELLED, FAILED, TIMEOUT, RUNNING or another state of Slurm";
    context->row.raw.has_state = true;
    return NULL;
}

void slurm_state_word(struct format_context *context, const char *text, size_t n)
{
    static const struct {
        const char *word, *state;
    } words[] = {
        {"succeeded", "COMPLETED"}, {"success", "COMPLETED"},    {"successful", "COMPLETED"},
        {"complete", "COMPLETED"},  {"done", "COMPLETED"},       {"finished", "COMPLETED"},
        {"passed", "COMPLETED"},    {"pass", "COMPLETED"},       {"ok", "COMPLETED"},
        {"error", "FAILED"},        {"failure", "FAILED"},       {"killed", "CANCELLED"},
        {"aborted", "CANCELLED"},   {"terminated", "CANCELLED"}, {"deleted", "CANCELLED"},
        {"evicted", "PREEMPTED"},   {"oom", "OUT_OF_MEMORY"},    {"oomkilled", "OUT_OF_MEMORY"},
        {"timedout", "TIMEOUT"},    {"queued", "PENDING"},       {"waiting", "PENDING"},
        {"submitted", "PENDING"},   {"active", "RUNNING"},
    };
    struct format_row *row = &context->row;
    row->raw.has_state = find_state(text, n, &row->raw.state);
    for (size_t i = 0; !row->raw.has_state && i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == n && strncasecmp(words[i].word, text, n) == 0)
            row->raw.has_state =
                find_state(words[i].state, strlen(words[i].state), &row->raw.state);
    if (!row->raw.has_state)
        format_note(context, "a state that is not known: the job is taken as completed");
}

bool slurm_is_over(struct format_context *context)
{
    const struct state *state = &states[context->row.raw.state];
    if (!state->ended)
        return false;
    context->row.job.status = state->status;
    context->row.job.cause = state->cause;
    return true;
}

bool slurm_ended(struct format_context *context)
{
    if (slurm_is_over(context))
        return true;
    format_note(context, "still running or suspended when the log ends, row dropped");
    return false;
}

/* "170000M", "340G", "1.5T": MiB without a unit. May end in n (per node) or c (per CPU), which is
 * ignored. */
static bool memory(const char *text, size_t n, int64_t *mib)
{
    static const char units[] = "KMGTP";
    const char *unit = n > 1 ? memchr(units, text[n - 1], sizeof units - 1) : NULL;
    int64_t milli;
    if (!text_scaled(text, n - (unit != NULL), 3, &milli) || milli < 0 || milli > FIELD_LARGEST)
        return false;
    int64_t power = unit ? unit - units : 1;
    for (; power > 1; power--) {
        if (milli > INT64_MAX / 1024)
            return false;
        milli *= 1024;
    }
    *mib = (power == 0 ? milli / 1024 : milli) / 1000;
    return *mib <= FIELD_LARGEST;
}

static bool count(const char *text, size_t n, int64_t *value)
{
    return text_i64(text, n, value) && *value >= 0 && *value <= INT32_MAX;
}

static bool is(const char *key, size_t n, const char *name, int64_t number, int64_t id)
{
    return number >= 0 ? number == id : strlen(name) == n && memcmp(name, key, n) == 0;
}

struct reading {
    struct format_size *size;
    int64_t gpu_id;
    int64_t typed_gpus; /* over all types */
    int64_t plain_gpus; /* generic resources without a type */
    bool plain;         /* there were some */
    const char *type;   /* if there is exactly one; else NULL */
    size_t type_length;
};

/* GPUs of one type, "gres/gpu:a100=2". */
static bool typed(struct reading *reading, const char *type, size_t n, const char *value,
                  size_t length)
{
    int64_t amount;
    if (n == 0 || !count(value, length, &amount))
        return false;
    reading->type = reading->typed_gpus > 0 ? NULL : type;
    reading->type_length = n;
    reading->typed_gpus += amount;
    return reading->typed_gpus <= INT32_MAX;
}

/* Reads one "key=value". Values of unused keys, such as licences, may be anything. */
static bool read_pair(struct reading *reading, const char *key, size_t n, const char *value,
                      size_t length)
{
    static const char by_type[] = "gres/gpu:";
    size_t prefix = sizeof by_type - 1;
    int64_t number = -1;
    if (!text_i64(key, n, &number))
        number = -1;
    if (is(key, n, "mem", number, 2))
        return memory(value, length, &reading->size->mem_mib);
    if (is(key, n, "cpu", number, 1))
        return count(value, length, &reading->size->cpus);
    if (is(key, n, "node", number, 4))
        return count(value, length, &reading->size->nodes);
    if (is(key, n, "gres/gpu", number, reading->gpu_id))
        return count(value, length, &reading->size->gpus);
    if (n >= prefix && memcmp(key, by_type, prefix) == 0)
        return typed(reading, key + prefix, n - prefix, value, length);
    return true;
}

/* ---- generic resources: "gpu:8", "gres:gpu:h100:8", "gpu:h100:8(S:0-1)", "gpu" ---- */

/* The length up to the next colon or the end. */
static size_t part(const char *text, size_t n)
{
    const char *colon = memchr(text, ':', n);
    return colon ? (size_t)(colon - text) : n;
}

static bool add_gpus(struct reading *reading, const char *number, size_t n)
{
    int64_t amount;
    if (!count(number, n, &amount))
        return false;
    reading->plain = true;
    reading->plain_gpus += amount;
    return reading->plain_gpus <= INT32_MAX;
}

/* Reads one generic resource. Other resources than GPUs may have any amount, such as
 * "bandwidth:1G". */
static bool read_gres(struct reading *reading, const char *text, size_t n)
{
    const char *bracket = memchr(text, '(', n);
    n = bracket ? (size_t)(bracket - text) : n;
    size_t name = part(text, n);
    if (name == 4 && n > 5 && (memcmp(text, "gres", 4) == 0)) {
        text += 5;
        n -= 5;
        name = part(text, n);
    }
    if (name != 3 || memcmp(text, "gpu", 3) != 0)
        return name > 0 && name < n;
    if (n == name)
        return add_gpus(reading, "1", 1);
    const char *rest = text + name + 1;
    size_t left = n - name - 1, type = part(rest, left);
    if (type < left)
        return typed(reading, rest, type, rest + type + 1, left - type - 1);
    bool counted = left > 0 && rest[0] >= '0' && rest[0] <= '9';
    return counted ? add_gpus(reading, rest, left) : typed(reading, rest, left, "1", 1);
}

/* The next comma outside brackets, as in "gpu:8(S:0,1)", or the end. */
static const char *end_of_item(const char *at, const char *end)
{
    for (int depth = 0; at < end && (*at != ',' || depth > 0); at++)
        depth += *at == '(' ? 1 : *at == ')' && depth > 0 ? -1 : 0;
    return at;
}

static bool read_pairs(struct reading *reading, const char *text, size_t n)
{
    const char *end = text + n;
    for (const char *at = text; at < end;) {
        const char *last = end_of_item(at, end);
        const char *equals = memchr(at, '=', (size_t)(last - at));
        if (equals == at || (equals && equals + 1 == last))
            return false;
        bool ok = equals ? read_pair(reading, at, (size_t)(equals - at), equals + 1,
                                     (size_t)(last - equals - 1))
                         : read_gres(reading, at, (size_t)(last - at));
        if (!ok)
            return false;
        at = last + 1;
    }
    return true;
}

bool slurm_resources(struct format_size *size, int64_t gpu_id, const char *text, size_t n,
                     const char **type, size_t *type_length)
{
    struct reading reading = {.size = size, .gpu_id = gpu_id};
    if (!read_pairs(&reading, text, n))
        return false;
    if (size->gpus == FORMAT_ABSENT && (reading.plain || reading.typed_gpus > 0))
        size->gpus = reading.plain_gpus + reading.typed_gpus;
    *type = reading.type;
    *type_length = reading.type_length;
    return true;
}

const char *slurm_size(struct format_context *context, struct format_size *size, int64_t gpu_id,
                       const char *text, size_t n)
{
    const char *type;
    size_t length;
    if (!slurm_resources(size, gpu_id, text, n, &type, &length))
        return "a list of resources such as cpu=4,mem=16G,node=1,gres/gpu=2";
    if (!type)
        return NULL;
    struct format_row *row = &context->row;
    const struct csv_column types = {.name = "gpu_type",
                                     .offset = (size_t)((char *)&size->gpu_types - (char *)row)};
    return field_types(context, &types, type, length);
}

static bool is_empty(const struct format_size *size)
{
    return size->gpus == FORMAT_ABSENT && size->cpus == FORMAT_ABSENT;
}

static int64_t gpus_of(const struct format_size *size)
{
    return size->gpus == FORMAT_ABSENT ? 0 : size->gpus;
}

void slurm_shape(struct format_context *context)
{
    const struct format_size *requested = &context->row.raw.requested;
    const struct format_size *allocated = &context->row.raw.allocated;
    bool wanted = context->settings->tres == SETTINGS_TRES_ALLOCATED;
    if (!is_empty(requested) && !is_empty(allocated) && gpus_of(requested) != gpus_of(allocated))
        format_note(context,
                    "GPUs requested and allocated differ (option tres says which are used)");
    if (wanted ? is_empty(allocated) : !is_empty(requested))
        format_shape(context, requested);
    else
        format_shape(context, allocated);
}
