/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of stories; see quota_story.h. */
#include "tests/lib/quota_story.h"

#include "state/engine.h"
#include "state/state.h"
#include "tests/lib/harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 48, ROLES = 12, TASKS = 256, LABELS = 8 };

/* ---- names and numbers ---- */

static const struct {
    const char *name;
    int32_t compute, memory;
} profiles[] = {
    {"1g", 1, 1}, {"2g", 2, 2}, {"3g", 3, 4}, {"4g", 4, 4}, {"7g", 7, 8},
};
#define PROFILES (sizeof profiles / sizeof *profiles)

static uint32_t find(const struct story *s, const struct story_names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->of[i], name) == 0)
            return i;
    ck_abort_msg("nothing is named '%s' in: %s", name, s->line);
}

static uint32_t add_name(const struct story *s, struct story_names *names, const char *name,
                         uint32_t id)
{
    ck_assert_msg(id != POLICY_NO_ID, "%s: %s", s->line, policy_last_error(s->p)->message);
    ck_assert_uint_lt(names->count, STORY_MOST);
    ck_assert_uint_lt(strlen(name), sizeof names->of[0]);
    memcpy(names->of[names->count], name, strlen(name) + 1);
    names->id[names->count] = id;
    return names->count++;
}

static const char *name_of(const struct story_names *names, uint32_t id)
{
    for (uint32_t i = names->count; i-- > 0;) // the newest: numbers are reused
        if (names->id[i] == id)
            return names->of[i];
    return "?";
}

/* Reads a number with up to three decimals in thousandths; '-' is unlimited. Moves *text past it.
 */
static int64_t thousandths(const struct story *s, const char **text)
{
    if (**text == '-') {
        ++*text;
        return POLICY_UNLIMITED;
    }
    char *end;
    double value = strtod(*text, &end);
    ck_assert_msg(end != *text, "no number at '%s' in: %s", *text, s->line);
    *text = end;
    return (int64_t)(value * 1000 + 0.5);
}

static int64_t whole(const struct story *s, const char *text)
{
    int64_t value = thousandths(s, &text);
    ck_assert_msg(*text == '\0', "more than a number: '%s' in: %s", text, s->line);
    return value == POLICY_UNLIMITED ? value : value / 1000;
}

/* The number at the beginning of the text. */
static uint32_t small(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

static void take_status(const struct story *s, int status)
{
    ck_assert_msg(status == POLICY_OK, "%s: %s", s->line, policy_last_error(s->p)->message);
}

/* The value of a word NAME=VALUE, or NULL. */
static const char *value_of(const char *word, const char *name)
{
    size_t n = strlen(name);
    return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

static void unknown(const struct story *s, const char *word)
{
    ck_abort_msg("'%s' means nothing in: %s", word, s->line);
}

static uint32_t profile_of(const struct story *s, const char *name)
{
    for (uint32_t i = 0; i < PROFILES; i++)
        if (strncmp(profiles[i].name, name, 2) == 0)
            return i;
    ck_abort_msg("no profile '%s' in: %s", name, s->line);
}

/* ---- nodes ---- */

static void read_mig(const struct story *s, const char *text, struct policy_node_spec *spec,
                     int32_t *counts)
{
    spec->mig = POLICY_MIG_FIXED;
    spec->mig_instances = counts;
    if (strcmp(text, "single") == 0)
        spec->mig = POLICY_MIG_SINGLE;
    else if (strcmp(text, "free") == 0)
        spec->mig = POLICY_MIG_FREE;
    if (spec->mig != POLICY_MIG_FIXED)
        return;
    while (*text != '\0') {
        char *end;
        long n = strtol(text, &end, 10);
        ck_assert_msg(*end == 'x', "'%s' is no count of instances in: %s", text, s->line);
        counts[profile_of(s, end + 1)] = (int32_t)n;
        text = end + 3 + (end[3] == '+');
    }
}

static void tell_node(struct story *s, char **words, uint32_t count)
{
    struct policy_node_spec spec = core_node_spec(s->nodes.count, (int32_t)whole(s, words[2]));
    struct policy_label labels[LABELS];
    int32_t mig[POLICY_MAX_PROFILES] = {0};
    int32_t state = POLICY_NODE_UP;
    spec.labels = labels;
    for (uint32_t i = 3; i < count; i++) {
        const char *v;
        if ((v = value_of(words[i], "cpu")) != NULL)
            spec.cpu_milli = thousandths(s, &v);
        else if ((v = value_of(words[i], "mem")) != NULL)
            spec.mem_mib = whole(s, v);
        else if ((v = value_of(words[i], "tasks")) != NULL)
            spec.max_tasks = (int32_t)whole(s, v);
        else if ((v = value_of(words[i], "gpumem")) != NULL)
            spec.device_mem_mib = whole(s, v);
        else if ((v = value_of(words[i], "type")) != NULL)
            spec.type = (uint32_t)whole(s, v);
        else if ((v = value_of(words[i], "pool")) != NULL)
            spec.pool = (uint32_t)whole(s, v);
        else if ((v = value_of(words[i], "mig")) != NULL)
            read_mig(s, v, &spec, mig);
        else if ((v = value_of(words[i], "label")) != NULL && spec.label_count < LABELS)
            labels[spec.label_count++] = (struct policy_label){small(v), small(strchr(v, ':') + 1)};
        else if (strcmp(words[i], "down") == 0)
            state = POLICY_NODE_DOWN;
        else if (strcmp(words[i], "drain") == 0)
            state = POLICY_NODE_DRAINING;
        else if (strcmp(words[i], "whole") == 0)
            spec.whole_only = true;
        else
            unknown(s, words[i]);
    }
    policy_node node = policy_add_node(s->p, s->now, &spec);
    add_name(s, &s->nodes, words[1], node.i);
    if (state != POLICY_NODE_UP)
        take_status(s, policy_set_node_state(s->p, s->now, node, state));
}

/* ---- queues ---- */

/* Reads QUOTA[/LIMIT[/WEIGHT]]; missing parts stay as they are. */
static void read_share(const struct story *s, const char *text, bool thousands,
                       struct policy_share *share)
{
    int64_t *parts[] = {&share->quota, &share->limit, &share->weight};
    for (int i = 0; i < 3 && *text != '\0'; i++) {
        int64_t value = thousandths(s, &text);
        *parts[i] = i == 2 || thousands || value == POLICY_UNLIMITED ? value : value / 1000;
        text += *text == '/';
    }
    ck_assert_msg(*text == '\0', "'%s' is left in: %s", text, s->line);
}

static uint32_t read_pools(const char *text, uint32_t *pools)
{
    uint32_t count = 0;
    for (const char *at = text; at != NULL && count < LABELS; at = strchr(at, ',')) {
        at += *at == ',';
        pools[count++] = small(at);
    }
    return count;
}

/* "0:8,1+2:4": 8 devices of pool 0, and 4 of pools 1 and 2. */
static uint32_t read_quotas(struct story *s, const char *text, struct policy_pool_quota *quotas)
{
    uint32_t count = 0, first = 0;
    while (*text != '\0' && count < LABELS) {
        quotas[count] = (struct policy_pool_quota){.pool = small(text), .joined = count > first};
        text += strspn(text, "0123456789");
        count++;
        if (*text++ == '+')
            continue;
        int64_t quota = thousandths(s, &text);
        for (; first < count; first++)
            quotas[first].quota = quota;
        text += *text == ',';
    }
    return count;
}

static void tell_queue(struct story *s, char **words, uint32_t count)
{
    uint32_t pools[LABELS];
    struct policy_pool_quota quotas[LABELS];
    const char *used = NULL;
    struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = {POLICY_NO_ID},
        .priority = 100,
        .rank = s->queues.count,
        .created = s->queues.count * INT64_C(1000),
        .gpu = {0, POLICY_UNLIMITED, 1000},
        .cpu = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000},
        .mem = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000},
        .preempt_min_runtime_ms = POLICY_INHERIT,
        .reclaim_min_runtime_ms = POLICY_INHERIT,
    };
    for (uint32_t i = 2; i < count; i++) {
        const char *v;
        if ((v = value_of(words[i], "in")) != NULL)
            spec.parent = story_queue(s, v);
        else if ((v = value_of(words[i], "gpu")) != NULL)
            read_share(s, v, true, &spec.gpu);
        else if ((v = value_of(words[i], "cpu")) != NULL)
            read_share(s, v, true, &spec.cpu);
        else if ((v = value_of(words[i], "mem")) != NULL)
            read_share(s, v, false, &spec.mem);
        else if ((v = value_of(words[i], "prio")) != NULL)
            spec.priority = (int32_t)whole(s, v);
        else if ((v = value_of(words[i], "created")) != NULL)
            spec.created = thousandths(s, &v);
        else if ((v = value_of(words[i], "keeps")) != NULL)
            spec.fixed_milli = thousandths(s, &v);
        else if ((v = value_of(words[i], "preempt_min")) != NULL)
            spec.preempt_min_runtime_ms = thousandths(s, &v);
        else if ((v = value_of(words[i], "reclaim_min")) != NULL)
            spec.reclaim_min_runtime_ms = thousandths(s, &v);
        else if ((v = value_of(words[i], "pools")) != NULL) {
            spec.pool_count = read_pools(v, pools);
            spec.pools = pools;
        } else if ((v = value_of(words[i], "by")) != NULL) {
            spec.by_pool_count = read_quotas(s, v, quotas);
            spec.by_pool = quotas;
            for (uint32_t k = 0; k < spec.by_pool_count; k++)
                spec.gpu.quota += quotas[k].joined ? 0 : quotas[k].quota;
        } else if (strcmp(words[i], "spans") == 0)
            spec.spans_pools = true;
        else if ((v = value_of(words[i], "used")) != NULL)
            used = v;
        else
            unknown(s, words[i]);
    }
    policy_queue queue = policy_add_queue(s->p, s->now, &spec);
    add_name(s, &s->queues, words[1], queue.i);
    if (used != NULL) {
        struct policy_amounts ppm = {thousandths(s, &used) * 1000, 0, 0};
        take_status(s, policy_set_usage(s->p, s->now, queue, &ppm));
    }
}

/* ---- requests ---- */

/* The arrays to which the roles of one job point. */
struct pieces {
    struct policy_role roles[ROLES];
    uint32_t role_count;
    int32_t mig[ROLES][POLICY_MAX_PROFILES];
    struct policy_term terms[ROLES][LABELS];
    uint32_t values[ROLES][LABELS];
    const char *places[ROLES]; /* the places after '@', or NULL */
};

static void read_devices(struct story *s, const char **text, struct policy_request *r, int32_t *mig)
{
    const char *at = *text;
    if (at[0] >= '1' && at[0] <= '9' && at[1] == 'g') {
        mig[profile_of(s, at)] = 1;
        r->mig = mig;
        *text += 2;
        return;
    }
    r->devices = 1;
    if (at[0] >= '1' && at[0] <= '9' && at[1] == '*') {
        r->devices = at[0] - '0';
        at += 2;
    }
    if (*at == 'm') {
        at++;
        r->device_mem_mib = thousandths(s, &at) / 1000;
    } else {
        int64_t milli = thousandths(s, &at);
        if (milli % POLICY_WHOLE == 0 && *(*text + 1) != '*')
            r->devices = (int32_t)(milli / POLICY_WHOLE);
        else
            r->device_milli = (int32_t)milli;
    }
    *text = at;
}

/* Reads a request, up to the '/' or '@' after it. */
static void read_request(struct story *s, const char **text, struct pieces *pieces, uint32_t role)
{
    struct policy_request *r = &pieces->roles[role].request;
    const char *at = *text;
    for (;; at++) {
        if (*at == 'c') {
            at++;
            r->cpu_milli = thousandths(s, &at);
        } else if (*at == 'r') {
            at++;
            r->mem_mib = thousandths(s, &at) / 1000;
        } else if (*at == 't') {
            r->types |= UINT64_C(1) << small(at + 1);
            at += strcspn(at, "+/@");
        } else if (*at == 'k') {
            uint32_t n = r->term_count++;
            ck_assert_uint_lt(n, LABELS);
            pieces->values[role][n] = small(strchr(at, ':') + 1);
            pieces->terms[role][n] =
                (struct policy_term){small(at + 1), 1, &pieces->values[role][n]};
            r->terms = pieces->terms[role];
            at += strcspn(at, "+/@");
        } else {
            read_devices(s, &at, r, pieces->mig[role]);
        }
        if (*at != '+')
            break;
    }
    *text = at;
}

static void read_set(struct story *s, const char *word, struct pieces *pieces)
{
    uint32_t role = pieces->role_count++;
    ck_assert_uint_lt(role, ROLES);
    bool joined = *word == '&';
    char *end;
    long tasks = strtol(word + joined, &end, 10);
    if (tasks < 1 || *end != 'x')
        unknown(s, word);
    const char *at = end + 1;
    pieces->roles[role] = core_role((int32_t)tasks, (struct policy_request){0});
    pieces->roles[role].joined = joined;
    read_request(s, &at, pieces, role);
    if (*at == '/') {
        pieces->roles[role].min_tasks = (int32_t)strtol(at + 1, &end, 10);
        at = end;
    }
    pieces->places[role] = *at == '@' ? at + 1 : NULL;
    if (*at != '@' && *at != '\0')
        unknown(s, at);
}

/* ---- places of tasks ---- */

static void put_task(struct story *s, policy_job job, uint32_t task, const char *place,
                     policy_time since)
{
    char node[16];
    size_t n = strcspn(place, ":!");
    uint64_t devices = 0;
    switch (*place) {
    case '-':
        return;
    case '?':
        take_status(s, policy_task_gated(s->p, s->now, job, task, true));
        return;
    case '+':
    case 'x':
        take_status(s, policy_task_ended(s->p, s->now, job, task,
                                         *place == '+' ? POLICY_SUCCEEDED : POLICY_FAILED));
        return;
    default:
        break;
    }
    ck_assert_uint_lt(n, sizeof node);
    memcpy(node, place, n);
    node[n] = '\0';
    const char *at = place + n;
    for (at += *at == ':'; *at >= '0' && *at <= '9'; at++)
        devices |= UINT64_C(1) << (*at - '0');
    take_status(s,
                policy_task_running(s->p, s->now, job, task, story_node(s, node), devices, since));
    if (*at == '!')
        take_status(s, policy_task_releasing(s->p, s->now, job, task));
}

/* Reads PLACE[*COUNT],... for the tasks from `task` on. */
static void put_tasks(struct story *s, policy_job job, uint32_t task, const char *places,
                      policy_time since)
{
    while (*places != '\0') {
        char place[24];
        size_t n = strcspn(places, ",");
        ck_assert_uint_lt(n, sizeof place);
        memcpy(place, places, n);
        place[n] = '\0';
        places += n + (places[n] == ',');
        char *times = strchr(place, '*');
        uint32_t count = times != NULL ? small(times + 1) : 1;
        if (times != NULL)
            *times = '\0';
        for (; count > 0; count--)
            put_task(s, job, task++, place, since);
    }
}

/* ---- jobs ---- */

static void tell_job(struct story *s, char **words, uint32_t count)
{
    static struct pieces empty; // zero; too large to set member by member
    struct pieces pieces = empty;
    struct policy_job_spec spec =
        core_job_spec(story_queue(s, words[2]), s->jobs.count, pieces.roles, 0);
    spec.priority = 50;
    spec.preemptible = true;
    spec.submitted = STORY_NOW - 1000000 + (policy_time)s->jobs.count * 1000;
    policy_time since = s->now - 60000;
    const char *stale = NULL;
    for (uint32_t i = 3; i < count; i++) {
        const char *v;
        if ((v = value_of(words[i], "prio")) != NULL)
            spec.priority = (int32_t)whole(s, v);
        else if ((v = value_of(words[i], "at")) != NULL)
            spec.submitted = STORY_NOW - 1000000 + thousandths(s, &v);
        else if ((v = value_of(words[i], "start")) != NULL)
            since = strcmp(v, "never") == 0 ? POLICY_NEVER : s->now - thousandths(s, &v);
        else if ((v = value_of(words[i], "stale")) != NULL)
            stale = v;
        else if ((v = value_of(words[i], "limit")) != NULL)
            spec.limit_ms = thousandths(s, &v);
        else if ((v = value_of(words[i], "run")) != NULL)
            spec.run_ms = thousandths(s, &v);
        else if (strcmp(words[i], "fixed") == 0)
            spec.preemptible = false;
        else if (strcmp(words[i], "build") == 0)
            spec.workload = POLICY_BUILD;
        else if (strcmp(words[i], "inference") == 0)
            spec.workload = POLICY_INFERENCE;
        else
            read_set(s, words[i], &pieces);
    }
    spec.role_count = pieces.role_count;
    policy_job job = policy_submit(s->p, s->now, &spec);
    s->job_ids[add_name(s, &s->jobs, words[1], job.i)] = job;
    uint32_t task = 0;
    for (uint32_t i = 0; i < pieces.role_count; i++) {
        if (pieces.places[i] != NULL)
            put_tasks(s, job, task, pieces.places[i], since);
        task += (uint32_t)pieces.roles[i].tasks;
    }
    if (stale != NULL)
        take_status(s, policy_set_stale_since(s->p, s->now, job, s->now - thousandths(s, &stale)));
}

/* ---- stories ---- */

static const struct {
    const char *name;
    void (*tell)(struct story *, char **words, uint32_t count);
    uint32_t least; /* of words */
} lines[] = {
    {"node", tell_node, 3},
    {"queue", tell_queue, 2},
    {"job", tell_job, 4},
};

static void tell_line(struct story *s, char *line)
{
    char *words[WORDS];
    char copy[512];
    uint32_t count = 0;
    ck_assert_uint_lt(strlen(line), sizeof copy);
    memcpy(copy, line, strlen(line) + 1);
    s->line = line;
    for (char *at = copy; *at != '\0' && count < WORDS;) {
        at += strspn(at, " \n");
        if (*at != '\0')
            words[count++] = at;
        at += strcspn(at, " \n");
        if (*at != '\0')
            *at++ = '\0';
    }
    if (count == 0)
        return;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strcmp(words[0], lines[i].name) == 0) {
            ck_assert_msg(count >= lines[i].least, "too short: %s", line);
            lines[i].tell(s, words, count);
            return;
        }
    unknown(s, words[0]);
}

void story_tell(struct story *s, const char *text)
{
    while (*text != '\0') {
        char line[512];
        size_t n = strcspn(text, ";");
        ck_assert_uint_lt(n, sizeof line);
        memcpy(line, text, n);
        line[n] = '\0';
        tell_line(s, line);
        text += n + (text[n] == ';');
    }
}

/* If the text begins with the word, copies the rest of that line; returns the text after the line.
 */
static const char *take_first(const char *text, const char *word, char *rest, size_t size)
{
    size_t before = strlen(word);
    text += strspn(text, " ");
    if (strncmp(text, word, before) != 0)
        return text;
    size_t n = strcspn(text, ";");
    ck_assert_uint_lt(n - before, size);
    memcpy(rest, text + before, n - before);
    rest[n - before] = '\0';
    return text + n + (text[n] == ';');
}

void story_open(struct story *s, const char *text)
{
    char preset[32] = "runai";
    char options[256] = "";
    memset(s, 0, sizeof *s);
    s->now = STORY_NOW;
    s->line = "";
    text = take_first(text, "preset ", preset, sizeof preset);
    text = take_first(text, "opt ", options, sizeof options);
    s->p = core_create(&s->tally, preset, options);
    for (uint32_t i = 0; i < PROFILES; i++)
        take_status(
            s, policy_set_mig_profile(s->p, s->now, i, profiles[i].compute, profiles[i].memory));
    story_tell(s, text);
    core_is_sound(s->p);
}

void story_close(struct story *s)
{
    core_destroy(s->p, &s->tally);
}

policy_node story_node(const struct story *s, const char *name)
{
    return (policy_node){s->nodes.id[find(s, &s->nodes, name)]};
}

policy_queue story_queue(const struct story *s, const char *name)
{
    return (policy_queue){s->queues.id[find(s, &s->queues, name)]};
}

policy_job story_job(const struct story *s, const char *name)
{
    return s->job_ids[find(s, &s->jobs, name)];
}

/* ---- decisions ---- */

/* Returns true for a task with part of a device: some task takes less than a whole one. */
static bool has_part(const struct policy_decision *d)
{
    int64_t taken = 0;
    for (uint64_t rest = d->devices; rest != 0; rest &= rest - 1)
        taken += POLICY_WHOLE;
    return taken > 0 && d->gpu_milli != taken;
}

static int write_word(const struct story *s, const struct policy_decision *d, char *text,
                      size_t size)
{
    static const char marks[] = {'?', '@', '~', '!'};
    ck_assert(d->kind >= POLICY_START && d->kind <= POLICY_EVICT);
    int n = snprintf(text, size, "%s/%" PRIu32 "%c%s", name_of(&s->jobs, d->job.i), d->task,
                     marks[d->kind], name_of(&s->nodes, d->node.i));
    if (has_part(d))
        n += snprintf(text + n, size - (size_t)n, ":");
    for (uint32_t i = 0; has_part(d) && i < 10; i++)
        if ((d->devices >> i & 1) != 0)
            n += snprintf(text + n, size - (size_t)n, "%" PRIu32, i);
    return n;
}

const char *story_decide(struct story *s, char *text, size_t size)
{
    size_t count;
    size_t used = 0;
    const struct policy_decision *d = policy_decide(s->p, s->now, &count);
    ck_assert_int_eq(policy_last_error(s->p)->status, POLICY_OK);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (used > 0)
            text[used++] = ' ';
        ck_assert_uint_lt(used + 64, size);
        used += (size_t)write_word(s, &d[i], text + used, size - used);
    }
    core_is_sound(s->p);
    return text;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the words of the text and separates them by one blank. */
static void sort_words(const char *text, char *sorted, size_t size)
{
    char copy[2048];
    char *words[TASKS];
    size_t count = 0;
    size_t used = 0;
    ck_assert_uint_lt(strlen(text), sizeof copy);
    memcpy(copy, text, strlen(text) + 1);
    for (char *at = copy; *at != '\0' && count < TASKS;) {
        at += strspn(at, " ");
        if (*at != '\0')
            words[count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0')
            *at++ = '\0';
    }
    qsort(words, count, sizeof *words, compare_words);
    sorted[0] = '\0';
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(sorted + used, size - used, "%s%s", i > 0 ? " " : "", words[i]);
}

void story_decides(struct story *s, const char *expected, const char *what)
{
    char text[2048];
    char found[2048];
    char wanted[2048];
    sort_words(story_decide(s, text, sizeof text), found, sizeof found);
    sort_words(expected, wanted, sizeof wanted);
    ck_assert_msg(strcmp(found, wanted) == 0, "%s: decided '%s', expected '%s'", what, found,
                  wanted);
}

void story_expects(const char *text, const char *expected, const char *what)
{
    for (int all = 0; all < 2; all++) {
        struct story s;
        story_open(&s, text);
        s.p->cluster->exhaustive = all == 1;
        char told[256];
        (void)snprintf(told, sizeof told, "%s%s", what, all == 1 ? " (without shortcuts)" : "");
        story_decides(&s, expected, told);
        story_close(&s);
    }
}

void story_expects_in_order(const char *text, const char *expected, const char *what)
{
    struct story s;
    char found[2048];
    story_open(&s, text);
    story_decide(&s, found, sizeof found);
    ck_assert_msg(strcmp(found, expected) == 0, "%s: decided '%s', expected '%s'", what, found,
                  expected);
    story_close(&s);
}

int64_t story_fair_share(const struct story *s, const char *queue)
{
    struct policy_queue_info info = {.size = sizeof info};
    ck_assert_int_eq(policy_queue_info(s->p, story_queue(s, queue), &info), POLICY_OK);
    return info.fair_share.gpu;
}

int32_t story_reason(struct story *s)
{
    size_t count;
    const struct policy_decision *d = policy_decide(s->p, s->now, &count);
    for (size_t i = 0; i < count; i++)
        if (d[i].kind == POLICY_EVICT)
            return d[i].reason;
    return POLICY_REASON_NONE;
}
