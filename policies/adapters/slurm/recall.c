/* SPDX-License-Identifier: MIT */
/* Recovers a core's history from a section of the journal; see recall.h. */
#include "policies/adapters/slurm/recall.h"

#include "policies/adapters/slurm/memory.h"
#include "policies/facts/map.h"
#include "policies/facts/read.h"
#include "policies/facts/records.h"
#include "policies/facts/write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- locating it ---- */

struct search {
    struct recall_section *found;
    uint64_t section; /* being read */
};

static bool look_at(void *of, uint64_t number, const char *line, size_t n)
{
    struct search *search = of;
    static const char time[] = "{\"t_ms\": ";
    if (record_is(line, n, "\"fact\": \"policy\""))
        search->section = number;
    else if (record_is(line, n, "\"fact\": \"decide\""))
        search->found->first = search->section;
    if (search->section != 0 && search->found->first == search->section)
        search->found->last = number;
    if (n > sizeof time && memcmp(line, time, sizeof time - 1) == 0)
        search->found->at = strtoll(line + sizeof time - 1, NULL, 10);
    return true;
}

bool recall_find(struct recall_section *found, const struct fact_log *log)
{
    struct search search = {.found = found};
    *found = (struct recall_section){.first = 0};
    return log->file < 0 || log->records == log->base ||
           fact_log_read(log, log->base + 1, (struct fact_log_reader){look_at, &search});
}

/* ---- replaying it ---- */

struct replay {
    const struct recall_section *section;
    struct fact_line line;
    struct policy *policy;
    struct fact_map map;
    policy_time at;
    struct policy_decision *decisions; /* of the last cycle, as decided now */
    size_t count, next;
    char *error;
    size_t size;
};

static bool refuse(struct replay *r, uint64_t number, const char *why)
{
    (void)snprintf(r->error, r->size, "record %" PRIu64 ": %s", number, why);
    return false;
}

static void *resize(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size > 0)
        return memory_resize(old, new_size, 1);
    free(old);
    return NULL;
}

static bool begin(struct replay *r, const struct fact_policy *from, uint64_t number)
{
    struct policy_config config = {.size = sizeof config};
    struct policy_error e = {0};
    if (from->version != FACTS_VERSION || from->contract != POLICY_VERSION)
        return refuse(r, number, "it was written by another version of the program");
    int status =
        policy_config_init(&config, from->name, (struct policy_allocator){resize, NULL}, &e);
    for (uint32_t i = 0; i < from->option_count && status == POLICY_OK; i++)
        status = policy_config_set(&config, from->options[i].name, from->options[i].value, &e);
    r->policy = status == POLICY_OK ? policy_create(&config, &e) : NULL;
    return r->policy != NULL || refuse(r, number, e.message);
}

static bool decide(struct replay *r, const struct fact *fact, uint64_t number)
{
    size_t count;
    const struct policy_decision *d = policy_decide(r->policy, fact->at, &count);
    if (policy_last_error(r->policy)->status != POLICY_OK)
        return refuse(r, number, policy_last_error(r->policy)->message);
    r->decisions = memory_resize(r->decisions, count + 1, sizeof *r->decisions);
    if (count > 0)
        memcpy(r->decisions, d, count * sizeof *d);
    r->count = count;
    r->next = 0;
    return count == fact->count || refuse(r, number, "the policy decides otherwise by now");
}

/* Names are the adapter's; numbers and reasons are the core's. */
static void put(struct text *text, struct fact_decision d)
{
    d.name = d.node_name = NULL;
    fact_write_decision(text, &d);
}

static bool compare(struct replay *r, const struct fact_decision *recorded, uint64_t number)
{
    struct text theirs = {.length = 0}, ours = {.length = 0};
    bool same = r->next < r->count;
    if (same) {
        put(&theirs, *recorded);
        put(&ours, fact_map_decision(&r->map, recorded->at, &r->decisions[r->next++]));
        same = theirs.length == ours.length && memcmp(theirs.bytes, ours.bytes, ours.length) == 0;
    }
    text_fini(&theirs);
    text_fini(&ours);
    return same || refuse(r, number, "the policy decides otherwise by now");
}

static bool take(void *of, uint64_t number, const char *line, size_t n)
{
    struct replay *r = of;
    const struct fact *fact = &r->line.fact;
    if (number > r->section->last)
        return true;
    if (!fact_line_read(&r->line, line, n))
        return refuse(r, number, r->line.error);
    if (r->line.kind == LINE_DECISION)
        return compare(r, &r->line.decision, number);
    r->at = fact->at;
    if (fact->kind == FACT_POLICY)
        return begin(r, fact->spec, number);
    if (fact->kind == FACT_DECIDE)
        return decide(r, fact, number);
    int status = fact_map_tell(&r->map, r->policy, fact);
    return status == POLICY_OK || refuse(r, number, r->map.error);
}

/* ---- history ---- */

static const char *job_name(const void *of, policy_job job)
{
    const char *name;
    (void)fact_map_their_job(of, job, &name);
    return name;
}

static const char *queue_name(const void *of, policy_queue queue)
{
    return fact_map_queue_name(of, queue);
}

static const char *node_name(const void *of, policy_node node)
{
    return fact_map_node_name(of, node);
}

bool recall(struct past *past, const struct fact_log *log, const struct recall_section *section,
            char *error, size_t size)
{
    struct replay r = {.section = section, .error = error, .size = size};
    errno = 0;
    *error = '\0';
    bool ok = fact_log_read(log, section->first, (struct fact_log_reader){take, &r});
    if (ok)
        past_take(past, r.policy, r.at,
                  &(struct past_names){job_name, queue_name, node_name, &r.map});
    else if (*error == '\0')
        (void)snprintf(error, size, "%s", strerror(errno));
    policy_destroy(r.policy);
    fact_map_fini(&r.map);
    fact_line_fini(&r.line);
    free(r.decisions);
    return ok;
}
