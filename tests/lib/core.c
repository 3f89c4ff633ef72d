/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers for tests of the policy core; see core.h. */
#include "tests/lib/core.h"

#include "tests/lib/harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

#define HEADER 16 /* keeps the alignment of malloc */

static void *resize(void *user, void *old, size_t old_size, size_t new_size)
{
    struct tally *tally = user;
    char *block = old == NULL ? NULL : (char *)old - HEADER;
    size_t known = 0;
    if (block != NULL)
        memcpy(&known, block, sizeof known);
    ck_assert_msg(known == old_size, "a block of %zu bytes was said to have %zu", known, old_size);
    if (new_size > 0 && ++tally->calls == tally->fail_at) {
        tally->failed = true;
        return NULL;
    }
    tally->bytes += new_size - old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    /* Always moves the block and fills it with a pattern, so that no caller relies on luck. */
    char *fresh = malloc(new_size + HEADER);
    ck_assert_ptr_nonnull(fresh);
    memset(fresh, 0xa5, new_size + HEADER);
    memcpy(fresh, &new_size, sizeof new_size);
    if (block != NULL)
        memcpy(fresh + HEADER, old, old_size < new_size ? old_size : new_size);
    free(block);
    return fresh + HEADER;
}

struct policy_allocator tally_allocator(struct tally *tally)
{
    return (struct policy_allocator){resize, tally};
}

/* ---- life ---- */

struct policy *core_create(struct tally *tally, const char *preset, const char *options)
{
    struct policy_config config = {.size = sizeof config};
    struct policy_error error;
    ck_assert_int_eq(policy_config_init(&config, preset, tally_allocator(tally), &error),
                     POLICY_OK);
    char words[640];
    int n = snprintf(words, sizeof words, "%s ", options);
    ck_assert(n > 0 && (size_t)n < sizeof words);
    for (char *word = words, *end; (end = strchr(word, ' ')) != NULL; word = end + 1) {
        *end = '\0';
        char *value = strchr(word, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        ck_assert_msg(policy_config_set(&config, word, value, &error) == POLICY_OK, "%s",
                      error.message);
    }
    struct policy *p = policy_create(&config, &error);
    ck_assert_msg(p != NULL || tally->failed, "%s", error.message);
    return p;
}

void core_is_sound(const struct policy *p)
{
    struct policy_error error;
    ck_assert_msg(policy_check(p, &error) == POLICY_OK, "%s", error.message);
}

void core_destroy(struct policy *p, struct tally *tally)
{
    core_is_sound(p);
    policy_destroy(p);
    ck_assert_uint_eq(tally->bytes, 0);
}

/* ---- facts ---- */

struct policy_node_spec core_node_spec(uint32_t rank, int32_t devices)
{
    return (struct policy_node_spec){
        .size = sizeof(struct policy_node_spec),
        .devices = devices,
        .rank = rank,
        .max_tasks = POLICY_UNLIMITED,
        .cpu_milli = POLICY_UNLIMITED,
        .mem_mib = POLICY_UNLIMITED,
    };
}

policy_node core_node(struct policy *p, uint32_t rank, int32_t devices)
{
    struct policy_node_spec spec = core_node_spec(rank, devices);
    policy_node node = policy_add_node(p, 0, &spec);
    ck_assert_msg(node.i != POLICY_NO_ID, "%s", policy_last_error(p)->message);
    return node;
}

policy_queue core_queue(struct policy *p, const uint32_t *pools, uint32_t count)
{
    struct policy_queue_spec spec = {
        .size = sizeof spec, .parent = {POLICY_NO_ID}, .pools = pools, .pool_count = count};
    policy_queue queue = policy_add_queue(p, 0, &spec);
    ck_assert_msg(queue.i != POLICY_NO_ID, "%s", policy_last_error(p)->message);
    return queue;
}

struct policy_request core_devices(int32_t devices)
{
    return (struct policy_request){.devices = devices};
}

struct policy_request core_share(int32_t milli)
{
    return (struct policy_request){.devices = 1, .device_milli = milli};
}

struct policy_role core_role(int32_t tasks, struct policy_request request)
{
    return (struct policy_role){
        .size = sizeof(struct policy_role), .tasks = tasks, .min_tasks = tasks, .request = request};
}

struct policy_job_spec core_job_spec(policy_queue queue, uint64_t rank,
                                     const struct policy_role *roles, uint32_t role_count)
{
    return (struct policy_job_spec){
        .size = sizeof(struct policy_job_spec),
        .queue = queue,
        .rank = rank,
        .submitted = (policy_time)rank,
        .run_ms = -1,
        .limit_ms = -1,
        .roles = roles,
        .role_count = role_count,
    };
}

policy_job core_submit(struct policy *p, policy_time at, policy_queue queue, uint64_t rank,
                       int32_t tasks, struct policy_request request)
{
    struct policy_role role = core_role(tasks, request);
    struct policy_job_spec spec = core_job_spec(queue, rank, &role, 1);
    policy_job job = policy_submit(p, at, &spec);
    ck_assert_msg(job.i != POLICY_NO_ID, "%s", policy_last_error(p)->message);
    return job;
}

policy_node core_node_left(struct policy *p, policy_queue queue, struct policy_node_spec spec,
                           const char *left)
{
    spec.devices = (int32_t)strlen(left);
    policy_node node = policy_add_node(p, 0, &spec);
    ck_assert_msg(node.i != POLICY_NO_ID, "%s", policy_last_error(p)->message);
    for (uint32_t d = 0; left[d] != '\0'; d++) {
        if (left[d] == '.')
            continue;
        int32_t taken = left[d] == '#' ? POLICY_WHOLE : POLICY_WHOLE - 100 * (left[d] - '0');
        uint64_t rank = UINT64_C(1000000) + spec.rank * UINT64_C(64) + d;
        policy_job job = core_submit(p, 0, queue, rank, 1, core_share(taken));
        ck_assert_int_eq(policy_task_running(p, 0, job, 0, node, UINT64_C(1) << d, 0), POLICY_OK);
    }
    return node;
}

/* ---- decisions ---- */

const struct policy_decision *core_decide(struct policy *p, policy_time now, size_t count)
{
    size_t found;
    const struct policy_decision *d = policy_decide(p, now, &found);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_OK);
    ck_assert_uint_eq(found, count);
    ck_assert_int_eq(d != NULL, count > 0);
    core_is_sound(p);
    return d;
}

const char *core_decisions(struct policy *p, policy_time now, char *text, size_t size)
{
    size_t count;
    const struct policy_decision *d = policy_decide(p, now, &count);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(text + used, size - used,
                         "%s%" PRIu32 ":%" PRIu32 "@%" PRIu32 "[0x%02" PRIx64 "]", i > 0 ? " " : "",
                         d[i].job.i, d[i].task, d[i].node.i, d[i].devices);
        ck_assert(n > 0 && (size_t)n < size - used);
        used += (size_t)n;
    }
    core_is_sound(p);
    return text;
}

int32_t core_reason(struct policy *p, policy_job job)
{
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(p, job, &why), POLICY_OK);
    core_is_sound(p);
    return why.reason;
}

void core_places(const struct core_placing *row)
{
    struct tally tally = {0};
    char options[64];
    (void)snprintf(options, sizeof options, "placement=%s", row->placement);
    struct policy *p = core_create(&tally, "fifo", options);
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 4 && row->nodes[i] != NULL; i++) {
        struct policy_node_spec spec = core_node_spec(i, 0);
        spec.cpu_milli = 100000; /* every node has the same CPU, unless a task takes it */
        core_node_left(p, q, spec, row->nodes[i]);
    }
    policy_job job = core_submit(p, 0, q, 1, row->tasks, row->request);
    char text[256];
    char expected[256];
    size_t used = 0;
    expected[0] = '\0';
    for (const char *c = row->expected; *c != '\0'; c++) {
        int n = *c == '%' ? snprintf(expected + used, sizeof expected - used, "%u:", job.i)
                          : snprintf(expected + used, sizeof expected - used, "%c", *c);
        used += (size_t)n;
    }
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), expected);
    core_destroy(p, &tally);
}
