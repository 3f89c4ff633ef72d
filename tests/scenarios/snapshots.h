/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers for tests of snapshots: loading text from memory that must be accepted or refused. */
#ifndef TESTS_SCENARIOS_SNAPSHOTS_H
#define TESTS_SCENARIOS_SNAPSHOTS_H

#include "scenarios/snapshot/snapshot.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

#define SNAP(keys) "{\"fauxfleet_snapshot\": 1, \"now_ms\": 1000,\n" keys "}\n"

/* Two nodes, a queue "q" below a queue "top", and jobs. */
#define NODES      "\"nodes\": [{\"name\": \"n2\", \"gpus\": 4}, {\"name\": \"n10\", \"gpus\": 8}]"
#define QUEUES     "\"queues\": [{\"name\": \"q\", \"parent\": \"top\"}, {\"name\": \"top\"}]"
#define JOBS(jobs) SNAP(NODES ",\n" QUEUES ",\n\"jobs\": [" jobs "]")
#define JOB(keys)  JOBS("{\"id\": \"j\", \"queue\": \"q\", " keys "}")

/* Loads text under the name s.json; the test fails if it is refused. */
static inline struct snapshot *load_snapshot(const char *text)
{
    struct snapshot *snapshot = NULL;
    struct err err = {0};
    bool ok = snapshot_parse(&snapshot, "s.json", text, strlen(text), &err);
    ck_assert_msg(ok, "refused: %s\n%s", err.msg, text);
    return snapshot;
}

/* Fails the test unless the text is refused as input with a message that contains `part`. */
static inline void refuse_snapshot(const char *text, const char *part)
{
    struct snapshot *snapshot = NULL;
    struct err err = {0};
    bool ok = snapshot_parse(&snapshot, "s.json", text, strlen(text), &err);
    ck_assert_msg(!ok, "accepted: %s", text);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, part);
}

/* libc's allocator for the policy core. */
static inline void *snapshots_resize(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

static inline struct policy *snapshots_policy(const char *preset)
{
    struct policy_config config;
    struct policy_error error = {0};
    const struct policy_allocator memory = {snapshots_resize, NULL};
    ck_assert_int_eq(policy_config_init(&config, preset, memory, &error), POLICY_OK);
    struct policy *policy = policy_create(&config, &error);
    ck_assert_ptr_nonnull(policy);
    return policy;
}

#endif
