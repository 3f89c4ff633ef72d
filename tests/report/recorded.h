/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small simulation with everything recorded in its own folder, and short ways to query its
 * summary. */
#ifndef TESTS_REPORT_RECORDED_H
#define TESTS_REPORT_RECORDED_H

#include "report/record/recorder.h"
#include "tests/lib/folder.h"
#include "tests/sim/small.h"

#include <cjson/cJSON.h>

struct recorded {
    struct small s;
    struct folder folder;
    struct recorder *recorder;
    cJSON *summary;
};

static const struct recorder_about recorded_about = {
    .scenario = "tiny",
    .scenario_digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    .trace_digest = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210",
    .version = "9.9",
    .resolved = "{}\n",
    .seed = UINT64_MAX - 1,
};

static inline void recorded_begin(struct recorded *r, const char *preset, const char *options,
                                  bool fill)
{
    r->summary = NULL;
    small_begin(&r->s, preset, options);
    folder_make(&r->folder);
    struct recorder_options wanted = {.dir = r->folder.path,
                                      .policy = preset,
                                      .jobs = !fill,
                                      .journal = true,
                                      .timeline = !fill,
                                      .fill = fill};
    ck_assert_msg(recorder_create(&r->recorder, &wanted, &r->s.err), "%s", r->s.err.msg);
    size_t count;
    const struct sim_observer *observers = recorder_observers(r->recorder, &count);
    for (size_t i = 0; i < count; i++)
        small_observe(&r->s, observers[i]);
    r->s.config.tick_ms = fill ? 0 : 1000;
}

static inline void recorded_write(struct recorded *r)
{
    ck_assert_msg(recorder_write(r->recorder, r->s.sim, &recorded_about, &r->s.err), "%s",
                  r->s.err.msg);
    char *text = folder_read(&r->folder, "summary.json");
    r->summary = cJSON_Parse(text);
    ck_assert_msg(r->summary != NULL, "summary.json is not JSON");
    free(text);
}

static inline void recorded_run(struct recorded *r)
{
    small_run(&r->s);
    recorded_write(r);
}

static inline void recorded_end(struct recorded *r)
{
    cJSON_Delete(r->summary);
    recorder_destroy(r->recorder);
    small_end(&r->s);
    folder_remove(&r->folder);
}

/* The value at a path such as "wait_s.p95"; keys with dots are not supported. Fails the test if
 * there is none. */
static inline const cJSON *recorded_at(const cJSON *json, const char *path)
{
    const cJSON *at = json;
    char key[64];
    for (const char *rest = path; *rest != '\0';) {
        size_t n = strcspn(rest, ".");
        ck_assert_uint_lt(n, sizeof key);
        memcpy(key, rest, n);
        key[n] = '\0';
        at = cJSON_GetObjectItemCaseSensitive(at, key);
        ck_assert_msg(at != NULL, "no key %s of %s", key, path);
        rest += n + (rest[n] == '.');
    }
    return at;
}

static inline double recorded_number(const struct recorded *r, const char *path)
{
    const cJSON *item = recorded_at(r->summary, path);
    ck_assert_msg(cJSON_IsNumber(item), "%s is no number", path);
    return item->valuedouble;
}

static inline bool recorded_null(const struct recorded *r, const char *path)
{
    return cJSON_IsNull(recorded_at(r->summary, path));
}

#endif
