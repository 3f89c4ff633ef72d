/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy's history in a snapshot: read, refused with a message, given to a policy, and written
 * as it was read. */
#include "report/record/snapshot_history.h"
#include "scenarios/snapshot/facts.h"
#include "tests/scenarios/snapshots.h"

#define HISTORY(list)                                                                              \
    SNAP(NODES ",\n" QUEUES                                                                        \
               ",\n\"jobs\": [{\"id\": \"j\", \"queue\": \"q\", \"user\": \"u\", \"tasks\": "      \
               "[{\"id\": \"t\", \"gpus\": 1}]}],\n\"history\": [" list "]")

START_TEST(numbers_are_read)
{
    struct snapshot *s =
        load_snapshot(HISTORY("{\"of\": \"job\", \"job\": \"j\", \"attained_gpu_us\": "
                              "\"9223372036854775807\", \"evicted\": 3,"
                              " \"entered_ms\": -5, \"place\": 4294967295, \"chosen\": true},"
                              "{\"of\": \"user\", \"queue\": \"q\", \"user\": \"u\", \"at_ms\": "
                              "\"-9223372036854775808\"},{\"of\": \"nomination\", \"job\": \"j\", "
                              "\"node\": \"n10\", \"devices\": "
                              "\"18446744073709551615\"}"));
    ck_assert(s->has_history);
    ck_assert_uint_eq(s->history_count, 3);
    const struct snap_history *h = s->history;
    ck_assert_int_eq(h[0].record.kind, POLICY_HISTORY_JOB);
    ck_assert_uint_eq(h[0].job, 0);
    ck_assert_uint_eq(h[0].queue, SNAP_NONE);
    ck_assert_int_eq(h[0].record.at, 1000); /* the snapshot's time */
    ck_assert_int_eq(h[0].record.attained, INT64_MAX);
    ck_assert_uint_eq(h[0].record.evicted, 3);
    ck_assert_int_eq(h[0].record.entered, -5);
    ck_assert_uint_eq(h[0].record.place, UINT32_MAX);
    ck_assert(h[0].record.chosen && !h[0].record.settled);
    ck_assert_int_eq(h[1].record.at, INT64_MIN);
    ck_assert_str_eq(h[1].user, "u");
    ck_assert_uint_eq(h[1].queue, 0);
    ck_assert_uint_eq(h[2].node, 1);
    ck_assert_uint_eq(h[2].record.devices, UINT64_MAX);
    snapshot_destroy(s);
}
END_TEST

START_TEST(nothing_may_be_said)
{
    struct snapshot *s = load_snapshot(JOB("\"tasks\": []"));
    ck_assert(!s->has_history);
    ck_assert_uint_eq(s->history_count, 0);
    snapshot_destroy(s);
    s = load_snapshot(HISTORY(""));
    ck_assert(s->has_history);
    snapshot_destroy(s);
}
END_TEST

static const struct {
    const char *text, *part;
} wrong[] = {
    {HISTORY("{\"job\": \"j\"}"), "history[0]"},
    {HISTORY("{\"of\": \"jobs\"}"), "did you mean 'job'?"},
    {HISTORY("{\"of\": \"job\", \"job\": \"i\"}"), "history[0].job: unknown job 'i'"},
    {HISTORY("{\"of\": \"user\", \"queue\": \"p\"}"), "history[0].queue: unknown queue 'p'"},
    {HISTORY("{\"of\": \"job\", \"attained_gpu_us\": -1}"), "attained_gpu_us"},
    {HISTORY("{\"of\": \"draws\", \"count\": \"-1\"}"),
     "history[0].count: '-1' is not a whole number"},
    {HISTORY("{\"of\": \"draws\", \"count\": \"18446744073709551616\"}"),
     "is not a whole number of 64 bits"},
    {HISTORY("{\"of\": \"job\", \"entered_ms\": \"9223372036854775808\"}"),
     "is not a whole number of 64 bits"},
    {HISTORY("{\"of\": \"job\", \"entered_ms\": \"7 \"}"), "history[0].entered_ms: '7 ' is not"},
    {HISTORY("{\"of\": \"job\", \"atained_gpu_us\": 1}"), "did you mean 'attained_gpu_us'?"},
};

START_TEST(errors_are_refused)
{
    refuse_snapshot(wrong[_i].text, wrong[_i].part);
}
END_TEST

/* ---- round trips */

static const char *no_name(const void *of, uint32_t number)
{
    (void)of, (void)number;
    return NULL;
}

static const char *job_name(const void *of, policy_job job)
{
    return snap_facts_job(of, job)->id;
}

static const char *queue_name(const void *of, policy_queue queue)
{
    return snap_facts_queue(of, queue)->name;
}

static const char *node_name(const void *of, policy_node node)
{
    return snap_facts_node(of, node)->name;
}

static const char *user_name(const void *of, uint32_t user)
{
    return user == 1 ? "u" : no_name(of, user);
}

static const struct {
    const char *preset, *line;
} told[] = {
    {"las",
     "{\"of\": \"job\", \"job\": \"j\", \"at_ms\": 1000, \"entered_ms\": -5, \"attained_gpu_us\": "
     "\"9007199254740993\", \"remaining_ms\": 7, \"evicted\": 3, \"level\": 1, \"timed\": true}"},
    {"random", "{\"of\": \"draws\", \"at_ms\": 0, \"count\": \"18446744073709551615\"}"},
    {"slurm", "{\"of\": \"user\", \"queue\": \"q\", \"user\": \"u\", \"at_ms\": -7, "
              "\"used_gpu_100us\": 5, \"used_since_gpu_us\": 6, \"place\": 1}"},
    {"runai", "{\"of\": \"nomination\", \"job\": \"j\", \"node\": \"n10\", \"at_ms\": 0}"},
};

START_TEST(reported_facts_are_written)
{
    char text[1024];
    (void)snprintf(text, sizeof text, HISTORY("%s"), told[_i].line);
    struct snapshot *s = load_snapshot(text);
    struct policy *policy = snapshots_policy(told[_i].preset);
    struct snap_facts facts;
    struct err err = {0};
    ck_assert_msg(snapshot_tell(&facts, policy, s, false, &err), "%s", err.msg);
    const struct snapshot_names names = {&facts, job_name, queue_name, node_name, user_name};
    struct out *out = out_memory();
    snapshot_history(policy, &names, out);
    harness_contains(out_memory_text(out, NULL), told[_i].line);
    out_discard(out);
    snap_facts_fini(&facts);
    policy_destroy(policy);
    snapshot_destroy(s);
}
END_TEST

/* A policy without such history ignores it; contradictions are errors. */
START_TEST(others_do_without)
{
    struct snapshot *s =
        load_snapshot(HISTORY("{\"of\": \"job\", \"job\": \"j\", \"at_ms\": 1001}"));
    static const char *const presets[] = {"fifo", "runai", "las"};
    for (int i = 0; i < ROWS(presets); i++) {
        struct policy *policy = snapshots_policy(presets[i]);
        struct snap_facts facts;
        struct err err = {0};
        ck_assert_int_eq(snapshot_tell(&facts, policy, s, false, &err), i < 2);
        if (i == 2)
            harness_contains(err.msg, "history[0]");
        snap_facts_fini(&facts);
        policy_destroy(policy);
    }
    snapshot_destroy(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scenarios/snapshot_history");
    TCase *tcase = tcase_create("history");
    tcase_add_test(tcase, numbers_are_read);
    tcase_add_test(tcase, nothing_may_be_said);
    tcase_add_loop_test(tcase, errors_are_refused, 0, ROWS(wrong));
    tcase_add_loop_test(tcase, reported_facts_are_written, 0, ROWS(told));
    tcase_add_test(tcase, others_do_without);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
