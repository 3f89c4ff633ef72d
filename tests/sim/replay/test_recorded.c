/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history that a journal contains. The sources are in no library, so they are included. */
#include "sim/replay/journal_file.c"
#include "sim/replay/recorded.c"
#include "sim/replay/recorded_jobs.c"
#include "sim/replay/spans.c"

#include "tests/lib/folder.h"
#include "tests/lib/harness.h"
#include "tests/lib/journal.h"

/* Times in milliseconds; a fleet of two nodes, a queue, and what the row says. */
#define SECTION(at)                                                                                \
    "{\"t_ms\": " at                                                                               \
    ", \"fact\": \"policy\", \"fauxfleet_facts\": 1, \"contract\": 2, \"policy\": \"fifo\"}\n"
#define NODE(at, number, name)                                                                     \
    "{\"t_ms\": " at ", \"fact\": \"node_add\", \"node\": " number ", \"name\": \"" name           \
    "\", \"devices\": 8, \"rank\": " number "}\n"
#define WORLD(at)                                                                                  \
    SECTION(at)                                                                                    \
    NODE(at, "0", "n0")                                                                            \
    NODE(at, "1", "n1")                                                                            \
    "{\"t_ms\": " at ", \"fact\": \"queue_add\", \"queue\": 0, \"name\": \"q\", \"rank\": 0}\n"
#define JOB(at, number, name, submitted)                                                           \
    "{\"t_ms\": " at ", \"fact\": \"job_add\", \"job\": " number ", \"name\": \"" name             \
    "\", \"queue\": 0, \"rank\": \"" number "\", \"submitted_ms\": " submitted                     \
    ", \"roles\": [{\"request\": {\"devices\": 8}}]}\n"
#define DECIDE(at, n) "{\"t_ms\": " at ", \"fact\": \"decide\", \"decisions\": " n "}\n"
#define START(at, number)                                                                          \
    "{\"t_ms\": " at ", \"decision\": \"start\", \"job\": " number                                 \
    ", \"task\": 0, \"node\": 0, \"devices\": \"255\", \"action\": \"allocate\"}\n"
#define EVICT(at, number)                                                                          \
    "{\"t_ms\": " at ", \"decision\": \"evict\", \"job\": " number                                 \
    ", \"task\": 0, \"node\": 0, \"action\": \"reclaim\"}\n"
#define FACT(at, kind, number) "{\"t_ms\": " at ", \"fact\": \"" kind "\", \"job\": " number "}\n"
#define ENDED(at, number, outcome)                                                                 \
    "{\"t_ms\": " at ", \"fact\": \"task_ended\", \"job\": " number ", \"outcome\": \"" outcome    \
    "\"}\n"
#define FOUND(at, number, since)                                                                   \
    "{\"t_ms\": " at ", \"fact\": \"task_running\", \"job\": " number                              \
    ", \"task\": 0, \"node\": 1, \"devices\": \"255\", \"since_ms\": " since "}\n"
#define STATE(at, number, state)                                                                   \
    "{\"t_ms\": " at ", \"fact\": \"node_state\", \"node\": " number ", \"state\": \"" state "\"}" \
    "\n"

static bool read_text(struct recorded *r, const char *text, bool goes_on, struct err *err)
{
    struct folder folder;
    folder_make(&folder);
    ck_assert_uint_gt(journal_put(folder_path(&folder, "j"), text, strlen(text)), 0);
    bool ok = recorded_read(r, folder_path(&folder, "j"), goes_on, err);
    folder_remove(&folder);
    return ok;
}

/* ---- one job ---- */

enum { NEVER = -1 };

/* Three tasks, any number of which may run. */
#define ELASTIC(at)                                                                                \
    "{\"t_ms\": " at                                                                               \
    ", \"fact\": \"job_add\", \"job\": 5, \"name\": \"j\", \"queue\": 0, \"rank\": \"5\", "        \
    "\"submitted_ms\": 0, \"roles\": [{\"tasks\": 3, \"min_tasks\": 1, \"request\": "              \
    "{\"devices\": 2}}]}\n"
#define ONE(at, kind, task)                                                                        \
    "{\"t_ms\": " at ", \"fact\": \"" kind "\", \"job\": 5, \"task\": " task "}\n"
#define ONE_ENDED(at, task)                                                                        \
    "{\"t_ms\": " at ", \"fact\": \"task_ended\", \"job\": 5, \"task\": " task                     \
    ", \"outcome\": \"succeeded\"}\n"
static const char one_of_two[] = WORLD("0") ELASTIC("1") DECIDE("2", "2") START("2", "5")
    START("2", "5") ONE("9", "task_started", "0") FACT("9", "start_failed", "5")
        ONE_ENDED("109", "0") DECIDE("500", "0");
static const char others_later[] =
    WORLD("0") ELASTIC("1") DECIDE("2", "2") START("2", "5") START("2", "5")
        ONE("9", "task_started", "0") FACT("9", "start_failed", "5") ONE_ENDED("109", "0")
            DECIDE("109", "2") START("109", "5") START("109", "5") FACT("120", "task_started", "5")
                ONE_ENDED("200", "1") ONE_ENDED("209", "2") DECIDE("500", "0");
static const char others_never[] = WORLD("0") ELASTIC("1") DECIDE("2", "2") START("2", "5")
    START("2", "5") ONE("9", "task_started", "0") FACT("9", "start_failed", "5")
        ONE_ENDED("109", "0") DECIDE("109", "2") START("109", "5") FACT("120", "start_failed", "5")
            DECIDE("500", "0");
static const char requeued[] = WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5")
    ENDED("302", "5", "evicted") FACT("302", "job_cancel", "5") JOB("302", "6", "j", "0")
        DECIDE("400", "1") START("400", "6") ENDED("1400", "6", "succeeded");
static const char others_at_once[] = WORLD("0") ELASTIC("1") DECIDE("2", "2") START("2", "5")
    START("2", "5") ONE("9", "task_started", "0") FACT("9", "start_failed", "5") DECIDE("20", "1")
        START("20", "5") ONE("25", "task_started", "1") ONE_ENDED("109", "0") ONE_ENDED("159", "1")
            DECIDE("500", "0");

static const struct job_row {
    const char *what, *lines;
    bool goes_on;
    int64_t told, decided, started, run; /* ms, NEVER; of its first start, and its run time */
    uint32_t runs, evictions;
    bool failed, early, found;
} job_rows[] = {
    {"it starts and ends",
     WORLD("0") DECIDE("1", "0") JOB("100", "5", "j", "40") DECIDE("110", "1") START("110", "5")
         FACT("150", "task_started", "5") ENDED("1150", "5", "succeeded") DECIDE("1200", "0"),
     false, 100, 110, 150, 1000, 1, 0, false, false, false},
    {"nobody confirms it",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5")
         ENDED("502", "5", "failed"),
     false, 1, 2, 2, 500, 1, 0, true, true, false},
    {"the start fails at first",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5")
         FACT("9", "start_failed", "5") DECIDE("20", "1") START("20", "5")
             FACT("25", "task_started", "5") ENDED("125", "5", "succeeded"),
     false, 1, 20, 25, 100, 1, 0, false, true, false},
    {"one of two tasks fails to start", one_of_two, false, 1, 2, 9, 100, 1, 0, false, true, false},
    {"and starts with the third when the first has ended", others_later, false, 1, 2, 9, 200, 1, 0,
     false, true, false},
    {"or the others fail to start again", others_never, false, 1, 2, 9, 100, 1, 0, false, true,
     false},
    {"it is evicted, cancelled and told again", requeued, false, 1, 2, 2, 1000, 2, 1, false, true,
     false},
    {"or while it runs", others_at_once, false, 1, 2, 9, 150, 1, 0, false, true, false},
    {"it is cancelled and comes again",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "0") FACT("10", "job_cancel", "5")
         JOB("60", "6", "j", "0") DECIDE("61", "1") START("61", "6") ENDED("161", "6", "succeeded"),
     false, 60, 61, 61, 100, 1, 0, false, true, false},
    {"it is evicted and begins anew",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5") DECIDE("302", "1")
         EVICT("302", "5") ENDED("332", "5", "evicted") DECIDE("400", "1") START("400", "5")
             ENDED("1400", "5", "succeeded"),
     false, 1, 2, 2, 1000, 2, 1, false, true, false},
    {"or goes on",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5") DECIDE("302", "1")
         EVICT("302", "5") ENDED("332", "5", "evicted") DECIDE("400", "1") START("400", "5")
             ENDED("1400", "5", "succeeded"),
     true, 1, 2, 2, 1300, 2, 1, false, true, false},
    {"it is evicted and cancelled",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5")
         ENDED("302", "5", "evicted") DECIDE("303", "0") FACT("310", "job_cancel", "5"),
     false, 1, 2, 2, 300, 1, 1, true, true, false},
    {"the journal ends before it",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5")
         ENDED("302", "5", "evicted") DECIDE("400", "1") START("400", "5") DECIDE("500", "0"),
     false, 1, 2, 2, 300, 2, 1, false, true, false},
    {"it runs when the journal begins",
     WORLD("1000") JOB("1001", "5", "j", "200") FOUND("1001", "5", "300") DECIDE("1002", "0")
         ENDED("1300", "5", "succeeded"),
     false, 1001, 300, 300, 1000, 1, 0, false, true, true},
    {"it runs when the journal begins, after a section of nothing",
     SECTION("0") WORLD("1000") JOB("1001", "5", "j", "200") FOUND("1001", "5", "300")
         DECIDE("1002", "0") ENDED("1300", "5", "succeeded"),
     false, 1001, 300, 300, 1000, 1, 0, false, true, true},
    {"or after one that decided nothing, another job of which is gone",
     WORLD("500") JOB("501", "4", "gone", "200") FOUND("501", "4", "300") JOB(
         "501", "5", "j", "200") FOUND("501", "5", "300") WORLD("1000") JOB("1001", "4", "j", "200")
         FOUND("1001", "4", "300") DECIDE("1002", "0") ENDED("1300", "4", "succeeded"),
     false, 1001, 300, 300, 1000, 1, 0, false, true, true},
    {"it waits then",
     SECTION("0") WORLD("1000") JOB("1001", "5", "j", "200") DECIDE("1002", "1") START("1002", "5")
         ENDED("1302", "5", "succeeded"),
     false, 1001, 1002, 1002, 300, 1, 0, false, true, false},
    {"it goes on in the next section, under another number",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5")
         FACT("9", "task_started", "5") WORLD("600") JOB("600", "0", "j", "0")
             FOUND("600", "0", "5") DECIDE("601", "0") ENDED("1009", "0", "succeeded"),
     false, 1, 2, 9, 1000, 1, 0, false, true, false},
    {"it ends between two sections",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5") WORLD("600")
         DECIDE("602", "0"),
     false, 1, 2, 2, 600, 1, 0, false, true, false},
    {"it waits again in the next section",
     WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5") WORLD("600") JOB(
         "600", "9", "j", "0") DECIDE("602", "1") START("602", "9") ENDED("702", "9", "succeeded"),
     false, 1, 2, 2, 100, 2, 1, false, true, false},
    {"what a policy remembers is told beside it",
     WORLD("\"-9223372036854775808\"") "{\"t_ms\": 0, \"fact\": \"usage\", \"queue\": 0}\n" JOB(
         "1", "5", "j", "0") "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"job\", \"job\": 5, "
                             "\"at_ms\": 1}\n" DECIDE("2", "1") START("2", "5")
                                 FACT("3", "stale_since", "5") ENDED("502", "5", "succeeded"),
     false, 1, 2, 2, 500, 1, 0, false, true, false},
    {"it never starts", WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "0"), false, 1, NEVER, NEVER,
     0, 0, 0, false, true, false},
};

static int64_t known(int64_t ms)
{
    return ms == RECORDED_NEVER ? NEVER : ms;
}

START_TEST(a_job)
{
    const struct job_row *row = &job_rows[_i];
    struct recorded r;
    struct err err = {0};
    ck_assert_msg(read_text(&r, row->lines, row->goes_on, &err), "%s: %s", row->what, err.msg);
    ck_assert_uint_eq(r.job_count, 1);
    const struct recorded_job *job = &r.jobs[0];
    ck_assert_str_eq(job->name, "j");
    ck_assert_int_eq(job->told_ms, row->told);
    ck_assert_int_eq(known(job->first_decided_ms), row->decided);
    ck_assert_int_eq(known(job->first_started_ms), row->started);
    ck_assert_msg(job->run_ms == row->run, "%s: %lld", row->what, (long long)job->run_ms);
    ck_assert_uint_eq(job->runs, row->runs);
    ck_assert_uint_eq(job->evictions, row->evictions);
    ck_assert_int_eq(job->failed, row->failed);
    ck_assert_int_eq(job->is_early, row->early);
    ck_assert_int_eq(job->was_found, row->found);
    ck_assert_uint_eq(job->place_count, row->found);
    recorded_fini(&r);
}
END_TEST

START_TEST(the_policy_is_the_one_that_decided_first)
{
    struct recorded r;
    struct err err = {0};
    ck_assert(
        read_text(&r,
                  "{\"t_ms\": 0, \"fact\": \"policy\", \"fauxfleet_facts\": 1, \"contract\": 2, "
                  "\"policy\": \"easy\", \"options\": {\"easy_variant\": \"frozen\"}}\n" WORLD("1")
                      DECIDE("2", "0") "{\"t_ms\": 3, \"fact\": \"policy\", \"fauxfleet_facts\": "
                                       "1, \"contract\": 2, \"policy\": \"sjf\"}\n",
                  false, &err));
    ck_assert_str_eq(r.policy, "fifo");
    ck_assert_uint_eq(r.option_count, 0);
    recorded_fini(&r);
}
END_TEST

/* ---- jobs of one name ---- */

static const char in_turn[] = WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1") START("2", "5")
    ENDED("102", "5", "succeeded") JOB("110", "6", "j", "110") DECIDE("120", "1") START("120", "6")
        ENDED("150", "6", "succeeded");
static const char same_number[] = WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1")
    START("2", "5") ENDED("102", "5", "succeeded") JOB("110", "5", "j", "110") DECIDE("120", "1")
        START("120", "5") ENDED("150", "5", "succeeded");
static const char at_once[] = WORLD("0") JOB("1", "4", "j#6.0", "0") JOB("1", "5", "j", "0")
    JOB("1", "6", "j", "0") DECIDE("2", "2") START("2", "5") START("2", "6")
        ENDED("102", "5", "succeeded") ENDED("152", "6", "succeeded");
static const char over_sections[] = WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1")
    START("2", "5") ENDED("102", "5", "succeeded") JOB("110", "6", "j", "110") DECIDE("120", "1")
        START("120", "6") WORLD("130") JOB("130", "0", "j", "110") FOUND("130", "0", "120")
            DECIDE("131", "0") ENDED("150", "0", "succeeded");
static const char later_section[] = WORLD("0") JOB("1", "5", "j", "0") DECIDE("2", "1")
    START("2", "5") ENDED("102", "5", "succeeded") WORLD("600") JOB("600", "9", "j", "590")
        DECIDE("602", "1") START("602", "9") ENDED("652", "9", "succeeded");
static const struct {
    const char *what, *lines;
    const char *jobs; /* "name told run " */
} name_rows[] = {
    {"one after the other", in_turn, "j 1 100 j#6.0 110 30 "},
    {"under the same number", same_number, "j 1 100 j#5.0 110 30 "},
    {"at the same time, and the odd name is taken", at_once, "j#6.0 1 0 j 1 100 j#6.0#6.0 1 150 "},
    {"when the next section begins", later_section, "j 1 100 j#9.0 600 50 "},
    {"the second goes on in the next section", over_sections, "j 1 100 j#6.0 110 30 "},
};

START_TEST(a_name)
{
    struct recorded r;
    struct err err = {0};
    char shown[200] = "";
    ck_assert_msg(read_text(&r, name_rows[_i].lines, false, &err), "%s: %s", name_rows[_i].what,
                  err.msg);
    for (size_t i = 0; i < r.job_count; i++) {
        size_t n = strlen(shown);
        (void)snprintf(shown + n, sizeof shown - n, "%s %lld %lld ", r.jobs[i].name,
                       (long long)r.jobs[i].told_ms, (long long)r.jobs[i].run_ms);
    }
    ck_assert_str_eq(shown, name_rows[_i].jobs);
    recorded_fini(&r);
}
END_TEST

/* ---- nodes ---- */

static const struct node_row {
    const char *what, *lines;
    const char *outages; /* "n1 5-9 n0 7-" */
} node_rows[] = {
    {"up all the time", WORLD("0") DECIDE("1", "0"), ""},
    {"down and up", WORLD("0") DECIDE("1", "0") STATE("5", "1", "down") STATE("9", "1", "up"),
     "n1 5-9 "},
    {"to the end", WORLD("0") DECIDE("1", "0") STATE("7", "0", "down"), "n0 7- "},
    {"from the beginning",
     WORLD("0") STATE("0", "0", "down") DECIDE("1", "0") STATE("9", "0", "up"), "n0 1-9 "},
    {"drained only", WORLD("0") DECIDE("1", "0") STATE("5", "1", "draining") STATE("9", "1", "up"),
     ""},
    {"it comes later", WORLD("0") DECIDE("1", "0") NODE("8", "2", "n2"), "n2 1-8 "},
    {"it is taken away",
     WORLD("0") DECIDE("1", "0") "{\"t_ms\": 4, \"fact\": \"node_remove\", \"node\": 1}\n" DECIDE(
         "5", "0"),
     "n1 4- "},
    {"down over two sections is one outage",
     WORLD("0") DECIDE("1", "0") STATE("5", "1", "down") WORLD("20") STATE("20", "1", "down")
         DECIDE("21", "0") STATE("30", "1", "up"),
     "n1 5-30 "},
    {"up again in the next section",
     WORLD("0") DECIDE("1", "0") STATE("5", "1", "down") WORLD("20") DECIDE("21", "0"), "n1 5-21 "},
    {"down again at the time it came up",
     WORLD("0") DECIDE("1", "0") STATE("5", "1", "down") STATE("9", "1", "up")
         STATE("9", "1", "down") STATE("12", "1", "up"),
     "n1 5-12 "},
    {"not there in the next section",
     WORLD("0") DECIDE("1", "0") SECTION("20") NODE("20", "0", "n0") DECIDE("21", "0"), "n1 21- "},
};

START_TEST(a_node)
{
    const struct node_row *row = &node_rows[_i];
    struct recorded r;
    struct err err = {0};
    char shown[200] = "";
    ck_assert_msg(read_text(&r, row->lines, false, &err), "%s: %s", row->what, err.msg);
    for (size_t i = 0; i < r.outage_count; i++) {
        const struct recorded_outage *o = &r.outages[i];
        size_t n = strlen(shown);
        (void)snprintf(shown + n, sizeof shown - n, "%s %lld-", r.nodes[o->node].name,
                       (long long)o->down_ms);
        n = strlen(shown);
        if (o->up_ms < INT64_MAX)
            (void)snprintf(shown + n, sizeof shown - n, "%lld ", (long long)o->up_ms);
        else
            (void)snprintf(shown + n, sizeof shown - n, " ");
    }
    ck_assert_str_eq(shown, row->outages);
    recorded_fini(&r);
}
END_TEST

/* ---- spans ---- */

START_TEST(spans_are_measured)
{
    struct recorded r;
    struct err err = {0};
    ck_assert(read_text(&r,
                        WORLD("0") JOB("30", "1", "a", "10") JOB("30", "2", "b", "0")
                            DECIDE("40", "1") START("40", "1") FACT("47", "task_started", "1")
                                DECIDE("140", "1") EVICT("140", "1") ENDED("152", "1", "evicted")
                                    WORLD("1000") JOB("1000", "1", "a", "10") DECIDE("1010", "0")
                                        DECIDE("1070", "0"),
                        false, &err));
    ck_assert_uint_eq(r.seen.count, 2);
    ck_assert_int_eq(spans_quantile(&r.seen, 0.5), 20);
    ck_assert_int_eq(spans_quantile(&r.seen, 1), 30);
    ck_assert_uint_eq(r.starts.count, 1);
    ck_assert_int_eq(spans_quantile(&r.starts, 0.9), 7);
    ck_assert_int_eq(spans_quantile(&r.stops, 0.5), 12);
    ck_assert_uint_eq(r.cycling.count, 2); /* 100 in the first section and 60 in the second */
    ck_assert_int_eq(spans_quantile(&r.cycling, 0.5), 60);
    ck_assert_int_eq(r.silent_ms, 1010 - 152);
    ck_assert_uint_eq(r.sections, 2);
    ck_assert_uint_eq(r.cycles, 4);
    ck_assert_int_eq(r.begin_ms, 40);
    ck_assert_int_eq(r.end_ms, 1070);
    recorded_fini(&r);
}
END_TEST

/* ---- refusals ---- */

static const struct {
    const char *lines, *part;
} refused[] = {
    {WORLD("0") JOB("1", "5", "j", "0"), "nothing was decided in this journal"},
    {WORLD("0") DECIDE("1", "0") FACT("2", "task_started", "7"), "j:6: there is no job 7"},
    {WORLD("0") DECIDE("1", "0") STATE("2", "7", "down"), "j:6: there is no node 7"},
    {WORLD("0") DECIDE("1", "0") START("1", "3"), "j:6: there is no job 3"},
    {SECTION("0") JOB("1", "5", "j", "0"), "j:2: there is no queue 0"},
    {WORLD("0") "{\"t_ms\": 0, \"fact\": \"node_add\", \"node\": 3, \"devices\": 8, \"rank\": 3, "
                "\"mig\": \"free\"}\n",
     "j:5: a node with MIG instances"},
    {WORLD("0") "{\"t_ms\": 0, \"fact\": \"job_add\", \"job\": 3, \"queue\": 0, \"rank\": \"3\", "
                "\"submitted_ms\": 0, "
                "\"roles\": [{\"request\": {\"mig\": [1]}}]}\n",
     "j:5: a job that asks for MIG instances"},
    {WORLD("0") JOB("1", "5", "j", "\"-9223372036854775807\""),
     "j:5: a job with times beyond 2^53"},
    {WORLD("0") DECIDE("\"9223372036854775807\"", "0"), "j:5: 't_ms' is beyond 2^53"},
    {WORLD("0") JOB("1", "5", "j", "0") FOUND("1", "5", "\"-9223372036854775807\""),
     "j:6: 'since_ms' is beyond 2^53"},
    {WORLD("0") "{\"t_ms\": 0, \"fact\": \"job_add\", \"job\": 3, \"queue\": 0, \"rank\": \"3\", "
                "\"submitted_ms\": 0, "
                "\"roles\": [{\"tasks\": 600000, \"min_tasks\": 1}, {\"tasks\": 600000, "
                "\"min_tasks\": 1}]}\n",
     "j:5: a job with times beyond"},
    {WORLD("0") "{\"t_ms\": 0, \"fact\": \"job_add\", \"job\": 3, \"queue\": 0, \"rank\": \"3\", "
                "\"submitted_ms\": 0, "
                "\"roles\": []}\n",
     "j:5: a job with times beyond"},
    {SECTION(
         "0") "{\"t_ms\": 0, \"fact\": \"node_add\", \"node\": 3, \"devices\": 65, \"rank\": 3}\n",
     "j:2: a node has from 0 to 64 devices"},
};

START_TEST(impossible_simulations_are_refused)
{
    struct recorded r;
    struct err err = {0};
    ck_assert(!read_text(&r, refused[_i].lines, false, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, refused[_i].part);
    recorded_fini(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorded");
    TCase *tcase = tcase_create("journal");
    tcase_add_loop_test(tcase, a_job, 0, ROWS(job_rows));
    tcase_add_test(tcase, the_policy_is_the_one_that_decided_first);
    tcase_add_loop_test(tcase, a_name, 0, ROWS(name_rows));
    tcase_add_loop_test(tcase, a_node, 0, ROWS(node_rows));
    tcase_add_test(tcase, spans_are_measured);
    tcase_add_loop_test(tcase, impossible_simulations_are_refused, 0, ROWS(refused));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
