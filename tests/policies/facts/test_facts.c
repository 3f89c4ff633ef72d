/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts as lines: what is written is read back unchanged, member by member, including numbers that
 * a JSON reader would round; errors are refused with a message; the chain detects every changed
 * byte; and a writer's numbers are separate from the core's.
 */
#include "policies/facts/chain.h"
#include "policies/facts/map.h"
#include "policies/facts/read.h"
#include "policies/facts/write.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

/* ---- round trips ---- */

/* Each kind with its expected line; defaults are omitted. */
static const char *const lines[] = {
    "{\"t_ms\": \"-9223372036854775808\", \"fact\": \"policy\", \"fauxfleet_facts\": 1, "
    "\"contract\": 2, \"policy\": \"fifo\", \"seed\": \"18446744073709551615\", \"options\": "
    "{\"blocking\": \"skip\"}, \"after\": \"0123456789abcdef\"",
    "{\"t_ms\": 0, \"fact\": \"node_add\", \"node\": 4294967294, \"name\": \"a \\\"b\\\" \\\\ "
    "\\u000a\", \"devices\": 8, "
    "\"type\": 3, \"pool\": 2, \"rank\": 7, \"max_tasks\": 110, \"cpu_milli\": 64000, \"mem_mib\": "
    "9007199254740992, \"device_mem_mib\": 81920, \"mig\": \"fixed\", \"mig_instances\": [0, 7], "
    "\"labels\": [{\"key\": 1, \"value\": 2}, "
    "{\"key\": 3, \"value\": 4294967295}], \"whole_only\": true",
    "{\"t_ms\": 1, \"fact\": \"node_remove\", \"node\": 0",
    "{\"t_ms\": 1, \"fact\": \"node_state\", \"node\": 0, \"state\": \"draining\"",
    "{\"t_ms\": 1, \"fact\": \"device_health\", \"node\": 0, \"device\": 5, \"usable\": false",
    "{\"t_ms\": 1, \"fact\": \"topology\", \"topology\": 1, \"levels\": [3, 2, 1]",
    "{\"t_ms\": 1, \"fact\": \"mig_profile\", \"profile\": 2, \"compute_slices\": 3, "
    "\"memory_slices\": 4",
    "{\"t_ms\": 1, \"fact\": \"typical_tasks\", \"tasks\": [{\"count\": 9, \"request\": "
    "{\"devices\": 1, \"device_milli\": 500}}, {\"count\": 1}], \"all\": 10",
    "{\"t_ms\": 1, \"fact\": \"name\", \"of\": \"mig_profile\", \"number\": 2, \"name\": "
    "\"3g.40gb\"",
    "{\"t_ms\": 1, \"fact\": \"offer\", \"pool\": 3, \"least\": 1, \"most\": 8, "
    "\"price_micro_usd_h\": 2500000, \"delay_ms\": 90000, \"idle_ms\": 600000, \"wait_ms\": "
    "1, \"least_paid_ms\": 3600000, \"monday_ms\": -5",
    "{\"t_ms\": 1, \"fact\": \"queue_add\", \"queue\": 1, \"name\": \"q\", \"parent\": 0, "
    "\"priority\": -1, \"rank\": 1, "
    "\"created_ms\": -5, \"gpu\": {\"quota\": 8000, \"limit\": 9000, \"weight\": 8}, \"cpu\": "
    "{\"quota\": -1}, \"pools\": "
    "[0, 5], \"preempt_min_runtime_ms\": 0, \"reclaim_min_runtime_ms\": 60000, \"fixed_milli\": "
    "1000",
    "{\"t_ms\": 1, \"fact\": \"queue_set\", \"queue\": 1, \"rank\": 1, \"gpu\": {\"quota\": 4000}, "
    "\"suspended\": true",
    "{\"t_ms\": 1, \"fact\": \"queue_remove\", \"queue\": 1",
    "{\"t_ms\": 1, \"fact\": \"usage\", \"queue\": 1, \"gpu\": 250000, \"mem\": 7",
    "{\"t_ms\": 1, \"fact\": \"job_add\", \"job\": 3, \"gen\": 2, \"name\": \"j\", \"queue\": 1, "
    "\"priority\": 50, "
    "\"preemptible\": true, \"rank\": \"18446744073709551615\", \"submitted_ms\": "
    "-9007199254740992, \"eligible_ms\": \"9007199254740993\", \"run_ms\": 0, \"limit_ms\": "
    "\"9223372036854775807\", \"roles\": [{\"tasks\": 4, \"min_tasks\": 2, \"group\": 1, "
    "\"topology\": {\"topology\": 1, \"required\": -1, \"preferred\": 2}, \"request\": {\"types\": "
    "\"12\", "
    "\"device_mem_mib\": 5, \"mig\": [1], \"terms\": [{\"key\": 1, \"values\": [2, 3]}]}}, "
    "{\"joined\": true, \"request\": "
    "{\"cpu_milli\": 1, \"mem_mib\": 2}}], \"groups\": [{\"topology\": {\"topology\": 1}}, "
    "{\"parent\": 1}], \"topology\": {\"preferred\": 1}, \"workload\": \"inference\", "
    "\"interactive_limit_ms\": -1, \"estimate_ms\": 6, \"user\": 4, \"deadline_ms\": 86400000",
    "{\"t_ms\": 1, \"fact\": \"job_cancel\", \"job\": 3",
    "{\"t_ms\": 1, \"fact\": \"stale_since\", \"job\": 3, \"since_ms\": 0",
    "{\"t_ms\": 1, \"fact\": \"activity\", \"job\": 3, \"utilization_ppm\": 12",
    "{\"t_ms\": 1, \"fact\": \"progress\", \"job\": 3, \"gen\": 9, \"remaining_ms\": 0",
    "{\"t_ms\": 1, \"fact\": \"job_priority\", \"job\": 3, \"priority\": -7",
    "{\"t_ms\": 1, \"fact\": \"job_suspend\", \"job\": 3, \"gen\": 1, \"suspended\": false",
    "{\"t_ms\": 1, \"fact\": \"task_running\", \"job\": 3, \"task\": 0, \"node\": 2, \"devices\": "
    "\"9223372036854775808\", \"since_ms\": -3",
    "{\"t_ms\": 1, \"fact\": \"task_started\", \"job\": 3",
    "{\"t_ms\": 1, \"fact\": \"task_releasing\", \"job\": 3, \"task\": 1",
    "{\"t_ms\": 1, \"fact\": \"task_gated\", \"job\": 3, \"task\": 1, \"gated\": true",
    "{\"t_ms\": 1, \"fact\": \"start_failed\", \"job\": 3",
    "{\"t_ms\": 1, \"fact\": \"task_ended\", \"job\": 3, \"outcome\": \"evicted\"",
    "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"job\", \"job\": 3, \"gen\": 9, \"at_ms\": -1, "
    "\"entered_ms\": 5, "
    "\"attained_gpu_us\": \"9007199254740993\", \"started\": \"18446744073709551615\", "
    "\"evicted\": \"1\", \"place\": 4, "
    "\"level\": 1, \"chosen\": true, \"settled\": true",
    "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"user\", \"queue\": 0, \"user\": 7, "
    "\"used_gpu_100us\": \"5\", "
    "\"used_since_gpu_us\": \"6\"",
    "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"priorities\", \"from_ms\": 1, \"until_ms\": "
    "\"9223372036854775807\", \"count\": \"3\", \"capacity_milli\": 8000, \"due\": true",
    "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"nomination\", \"job\": 3, \"task\": 1, "
    "\"node\": 0, \"devices\": \"9223372036854775808\"",
    "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"usage\", \"count\": \"60000\", "
    "\"used_gpu_us\": \"1\", \"used_cpu_us\": \"2\", \"used_mib_ms\": \"3\"",
    "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"decided\"",
    "{\"t_ms\": 1, \"fact\": \"decide\", \"decisions\": 2",
    "{\"t_ms\": 1, \"fact\": \"policy\", \"fauxfleet_facts\": 1, \"contract\": 2, \"policy\": "
    "\"las\", \"after\": \"0123456789abcdef\", \"records\": 500, \"facts\": 7, \"closed\": true",
    "{\"t_ms\": 1, \"fact\": \"end\", \"lines\": 3",
    "{\"t_ms\": 1, \"decision\": \"start\", \"job\": 3, \"gen\": 1, \"name\": \"j\", \"task\": 0, "
    "\"node\": 4, \"node_name\": \"n\", \"pool\": 1, \"devices\": \"255\", \"gpu_milli\": 8000, "
    "\"action\": \"backfill\"",
    "{\"t_ms\": 1, \"decision\": \"evict\", \"job\": 3, \"action\": \"reclaim\", \"for_job\": 0, "
    "\"for_gen\": 7, "
    "\"reason\": \"RECLAIM_OVER_QUOTA\"",
};

static bool read_text(struct fact_line *line, const char *text)
{
    return fact_line_read(line, text, strlen(text));
}

START_TEST(files_read_are_written_back)
{
    struct fact_line line = {.kind = LINE_FACT};
    struct text again = {.length = 0};
    char whole[2048];
    (void)snprintf(whole, sizeof whole, "%s, \"chain\": \"0\", \"id\": [1]}", lines[_i]);
    ck_assert_msg(read_text(&line, whole), "%s: %s", lines[_i], line.error);
    if (line.kind == LINE_FACT)
        fact_write(&again, &line.fact);
    else
        fact_write_decision(&again, &line.decision);
    text_bytes(&again, "", 1);
    ck_assert(!again.failed);
    ck_assert_str_eq(again.bytes, lines[_i]);
    text_fini(&again);
    fact_line_fini(&line);
}
END_TEST

START_TEST(every_kind_has_a_line)
{
    bool seen[FACT_KINDS] = {false};
    struct fact_line line = {.kind = LINE_FACT};
    for (int i = 0; i < ROWS(lines); i++) {
        char whole[2048];
        (void)snprintf(whole, sizeof whole, "%s}", lines[i]);
        ck_assert(read_text(&line, whole));
        if (line.kind == LINE_FACT)
            seen[line.fact.kind] = true;
    }
    for (int i = 0; i < FACT_KINDS; i++)
        ck_assert_msg(seen[i], "no line of %s", fact_kinds[i].name);
    fact_line_fini(&line);
}
END_TEST

/* ---- refusals ---- */

static const struct {
    const char *text, *why;
} wrong[] = {
    {"", "one JSON object"},
    {"[]", "one JSON object"},
    {"{\"t_ms\": 1, \"fact\": \"decide\"} {}", "one JSON object"},
    {"{\"t_ms\": 1}", "'fact', 'decision' or 'do'"},
    {"{\"fact\": \"decide\"}", "'t_ms' is missing"},
    {"{\"t_ms\": 1, \"fact\": \"decode\"}", "no fact is called 'decode'"},
    {"{\"t_ms\": 1.5, \"fact\": \"decide\"}", "'t_ms': expected a whole"},
    {"{\"t_ms\": 1e300, \"fact\": \"decide\"}", "'t_ms': expected a whole"},
    {"{\"t_ms\": \"9223372036854775808\", \"fact\": \"decide\"}", "'t_ms': expected a whole"},
    {"{\"t_ms\": \"-\", \"fact\": \"decide\"}", "'t_ms': expected a whole"},
    {"{\"t_ms\": 1, \"fact\": \"decide\", \"decision\": 1}", "no member 'decision'"},
    {"{\"t_ms\": 1, \"fact\": \"node_remove\"}", "'node' is missing"},
    {"{\"t_ms\": 1, \"fact\": \"node_remove\", \"node\": -1}", "'node': expected"},
    {"{\"t_ms\": 1, \"fact\": \"node_remove\", \"node\": 4294967296}", "'node': expected"},
    {"{\"t_ms\": 1, \"fact\": \"node_state\", \"node\": 1, \"state\": \"dow\"}",
     "one of up|draining|down"},
    {"{\"t_ms\": 1, \"fact\": \"node_state\", \"node\": 1, \"state\": 2}",
     "one of up|draining|down"},
    {"{\"t_ms\": 1, \"fact\": \"device_health\", \"node\": 1, \"device\": 1, \"usable\": 1}",
     "true or false"},
    {"{\"t_ms\": 1, \"fact\": \"topology\", \"topology\": 1, \"levels\": 3}", "expected a list"},
    {"{\"t_ms\": 1, \"fact\": \"topology\", \"topology\": 1, \"levels\": [true]}",
     "'levels': expected a whole"},
    {"{\"t_ms\": 1, \"fact\": \"typical_tasks\", \"all\": 1, \"tasks\": [{}]}",
     "'count' is missing"},
    {"{\"t_ms\": 1, \"fact\": \"typical_tasks\", \"all\": 1, \"tasks\": [3]}", "list of objects"},
    {"{\"t_ms\": 1, \"fact\": \"typical_tasks\", \"all\": 1, \"tasks\": [{\"count\": 1, \"t_ms\": "
     "1}]}",
     "no member 't_ms'"},
    {"{\"t_ms\": 1, \"fact\": \"usage\", \"queue\": 1, \"gpu\": \"x\"}", "'gpu': expected a whole"},
    {"{\"t_ms\": 1, \"fact\": \"queue_add\", \"queue\": 1, \"rank\": 1, \"gpu\": 5}",
     "'gpu': expected an object"},
    {"{\"t_ms\": 1, \"fact\": \"task_running\", \"job\": 1, \"node\": 1, \"devices\": "
     "\"18446744073709551616\"}",
     "2^64-1"},
    {"{\"t_ms\": 1, \"fact\": \"task_running\", \"job\": 1, \"node\": 1, \"devices\": -1}",
     "2^64-1"},
    {"{\"t_ms\": 1, \"fact\": \"policy\", \"fauxfleet_facts\": 1, \"contract\": 2, \"policy\": 3}",
     "'policy': expected a text"},
    {"{\"t_ms\": 1, \"fact\": \"policy\", \"fauxfleet_facts\": 1, \"contract\": 2, \"policy\": "
     "\"x\", \"options\": {\"a\": 1}}",
     "'a': expected a text"},
    {"{\"t_ms\": 1, \"decision\": \"halt\", \"job\": 1, \"action\": \"allocate\"}",
     "'halt' is not known"},
    {"{\"t_ms\": 1, \"decision\": \"start\", \"job\": 1, \"action\": \"\"}", "'' is not known"},
};

START_TEST(errors_are_reported)
{
    struct fact_line line = {.kind = LINE_FACT};
    ck_assert_msg(!read_text(&line, wrong[_i].text), "taken: %s", wrong[_i].text);
    ck_assert_msg(strstr(line.error, wrong[_i].why) != NULL, "%s: '%s'", wrong[_i].text,
                  line.error);
    fact_line_fini(&line);
}
END_TEST

/* ---- the chain ---- */

static struct text chained(void)
{
    struct chain chain;
    struct text all = {.length = 0}, line = {.length = 0};
    chain_begin(&chain);
    for (int i = 0; i < 3; i++) {
        line.length = 0;
        text_put(&line, lines[i]);
        chain_end_line(&chain, &line);
        text_bytes(&all, line.bytes, line.length);
    }
    text_fini(&line);
    return all;
}

/* Returns true if all lines hold; *count is their number. */
static bool holds(const char *bytes, size_t n, int *count)
{
    struct chain chain;
    bool all = true;
    chain_begin(&chain);
    *count = 0;
    for (const char *end; n > 0 && (end = memchr(bytes, '\n', n)) != NULL; (*count)++) {
        all = all && chain_check(&chain, bytes, (size_t)(end - bytes)) == CHAIN_HOLDS;
        n -= (size_t)(end + 1 - bytes);
        bytes = end + 1;
    }
    return all && n == 0;
}

START_TEST(every_changed_byte_is_found)
{
    struct text all = chained();
    int count;
    ck_assert(holds(all.bytes, all.length, &count));
    ck_assert_int_eq(count, 3);
    for (size_t i = 0; i < all.length; i++) {
        all.bytes[i] = (char)(all.bytes[i] ^ 1);
        ck_assert_msg(!holds(all.bytes, all.length, &count), "byte %zu", i);
        all.bytes[i] = (char)(all.bytes[i] ^ 1);
    }
    const char *second = memchr(all.bytes, '\n', all.length);
    size_t first = (size_t)(second + 1 - all.bytes);
    ck_assert(!holds(second + 1, all.length - first, &count)); /* the first line is missing */
    text_fini(&all);
}
END_TEST

/* ---- numbers of a speaker ---- */

static int tell(struct fact_map *map, struct policy *p, const char *text)
{
    struct fact_line line = {.kind = LINE_FACT};
    char whole[512];
    (void)snprintf(whole, sizeof whole, "{\"t_ms\": %s}", text);
    ck_assert_msg(read_text(&line, whole), "%s: %s", whole, line.error);
    int status = fact_map_tell(map, p, &line.fact);
    fact_line_fini(&line);
    return status;
}

#define NODE                                                                                       \
    "0, \"fact\": \"node_add\", \"node\": 900, \"name\": \"n900\", \"rank\": 0, \"devices\": 8"
#define QUEUE "0, \"fact\": \"queue_add\", \"queue\": 70, \"rank\": 0"
#define JOB(number, rank)                                                                          \
    "0, \"fact\": \"job_add\", \"job\": " number                                                   \
    ", \"name\": \"j\", \"queue\": 70, \"rank\": \"" rank "\","                                    \
    " \"submitted_ms\": 0, \"roles\": [{\"request\": {\"devices\": 8}}]"

START_TEST(numbers_are_the_speakers)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    struct fact_map map = {.error = ""};
    size_t count;
    ck_assert_int_eq(tell(&map, p, NODE), POLICY_OK);
    ck_assert_int_eq(tell(&map, p, NODE), POLICY_CONFLICT);
    ck_assert_str_eq(map.error, "there is a node 900 already");
    ck_assert_int_eq(tell(&map, p, JOB("5", "1")), POLICY_UNKNOWN);
    ck_assert_str_eq(map.error, "there is no queue 70");
    ck_assert_int_eq(tell(&map, p, QUEUE), POLICY_OK);
    ck_assert_int_eq(tell(&map, p, JOB("5000000", "1")), POLICY_OK);
    ck_assert_int_eq(tell(&map, p, JOB("5000000", "2")), POLICY_CONFLICT);
    const struct policy_decision *d = policy_decide(p, 0, &count);
    ck_assert_uint_eq(count, 1);
    struct fact_decision theirs = fact_map_decision(&map, 0, d);
    ck_assert_uint_eq(theirs.d.job.i, 5000000);
    ck_assert_uint_eq(theirs.d.node.i, 900);
    ck_assert_uint_eq(theirs.d.for_job.i, POLICY_NO_ID);
    ck_assert_str_eq(theirs.node_name, "n900");
    ck_assert_int_eq(
        tell(&map, p, "1, \"fact\": \"task_ended\", \"job\": 4, \"outcome\": \"failed\""),
        POLICY_UNKNOWN);
    ck_assert_int_eq(
        tell(&map, p,
             "1, \"fact\": \"task_ended\", \"job\": 5000000, \"gen\": 1, \"outcome\": \"failed\""),
        POLICY_UNKNOWN);
    ck_assert_int_eq(
        tell(&map, p, "1, \"fact\": \"task_ended\", \"job\": 5000000, \"outcome\": \"failed\""),
        POLICY_OK);
    /* The core reuses its number for the next one: the first one's is free then. */
    ck_assert_int_eq(tell(&map, p,
                          "2, \"fact\": \"job_add\", \"job\": 6, \"queue\": 70, \"rank\": \"9\", "
                          "\"submitted_ms\": 0, \"roles\": [{}]"),
                     POLICY_OK);
    ck_assert_int_eq(tell(&map, p, JOB("5000000", "3")), POLICY_TIME_BACK);
    ck_assert_uint_eq(fact_map_job(&map, (policy_job){5000000, 0}).i, POLICY_NO_ID);
    fact_map_fini(&map);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("facts");
    TCase *tcase = tcase_create("lines");
    tcase_add_loop_test(tcase, files_read_are_written_back, 0, ROWS(lines));
    tcase_add_test(tcase, every_kind_has_a_line);
    tcase_add_loop_test(tcase, errors_are_reported, 0, ROWS(wrong));
    tcase_add_test(tcase, every_changed_byte_is_found);
    tcase_add_test(tcase, numbers_are_the_speakers);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
