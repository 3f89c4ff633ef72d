/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations in words. The source is in no library, so it is included. */
#include "sim/ask/why.c"

#include "tests/lib/harness.h"

#include <stdlib.h>

#define DEVICES                                                                                    \
    .wanted_milli = 8000, .tasks = 2, .largest_request = 4, .free_milli = 2500, .free_whole = 2,   \
    .most_free = 1

// clang-format off
static const struct {
    struct policy_explanation e;
    struct why why;
    const char *detail;
} said[] = {
    {{.reason = POLICY_REASON_DEVICES_BUSY, DEVICES}, {0},
     "wants 8 GPUs in 2 tasks of up to 4; free where it may run: 2.5 GPUs (2 whole), at most 1 "
     "on one node; alternative: a job of up to 1 whole GPU on one node would fit now"},
    {{.reason = POLICY_REASON_FRAGMENTED, .wanted_milli = 1000, .tasks = 1, .tasks_fit_now = 0},
     {0},
     "wants 1 GPU in 1 task; none is free where it may run; "
     "alternative: no whole GPU is free where it may run"},
    {{.reason = POLICY_REASON_DEVICES_BUSY, .wanted_milli = 3000, .tasks = 3, .tasks_fit_now = 2,
     .jobs_before = 4}, {0},
     "wants 3 GPUs in 3 tasks; none is free where it may run; 4 pending "
     "jobs are ahead of it; alternative: 2 of its 3 tasks would fit now"},
    {{.reason = POLICY_REASON_BEHIND, .tasks = 1, .tasks_fit_now = 1,
     .behind_reason = POLICY_REASON_DEVICES_BUSY}, {.behind = "b"},
     "wants 0 GPUs in 1 task; behind job "
     "b: DEVICES_BUSY (fewer devices are free than requested); alternative: it fits now: it is waiting for its turn"},
    {{.reason = POLICY_REASON_OUTRANKED, .tasks = 1, .jobs_before = 2}, {.behind = "b"},
     "wants 0 GPUs in 1 task; 2 pending "
     "jobs are ahead of it; behind job b, which comes before it; alternative: it starts when it "
     "comes before others in the order, or when these want fewer GPUs"},
    {{.reason = POLICY_REASON_NEVER_FITS, DEVICES, .jobs_before = 1}, {0},
     "wants 8 GPUs in 2 tasks of up to 4; free where it may run: 2.5 GPUs (2 whole), at most 1 "
     "on one node; 1 pending job is ahead of it; alternative: none on this fleet; ask for less "
     "on one node, or for fewer nodes"},
    {{.reason = POLICY_REASON_CPU_OR_MEMORY, .wanted_milli = 500,
     .tasks = 1}, {.wishes = "8 cores and 5 MiB of memory"},
     "wants 0.5 GPUs in 1 task; none is free where it may run; a task "
     "wants 8 cores and 5 MiB of memory beside them; alternative: less CPU or memory for a task "
     "may do"},
    {{.reason = POLICY_REASON_OVER_LIMIT, .resource = 0, .queue_has = 6000, .queue_may = 8000,
     .job_wants = 4000}, {.queue = "dept"},
     "queue 'dept' has 6 of at most 8 GPUs, and the job wants 4 more; alternative: up to 2 GPUs "
     "would stay within the limit"},
    {{.reason = POLICY_REASON_OVER_LIMIT, .resource = 1, .queue_has = 9000, .queue_may = 8500,
     .job_wants = 500}, {.queue = "dept"},
     "queue 'dept' has 9 of at most 8.5 cores, and the job wants 0.5 more; alternative: none until "
     "jobs of the queue end or its limit is raised"},
    {{.reason = POLICY_REASON_OVER_QUOTA, .resource = 2, .queue_has = 100, .queue_may = 150,
     .job_wants = 60}, {.queue = "q"},
     "queue 'q' has 100 of its quota of 150 MiB of memory in jobs that may not be preempted, and "
     "this one wants 60 more; alternative: as a preemptible job it would need no quota; as it is, "
     "up to 50 MiB of memory would do"},
    {{.reason = POLICY_REASON_OVER_QUOTA, .resource = 0, .queue_has = 1000, .queue_may = 1000,
     .job_wants = 1000}, {.queue = "q"},
     "queue 'q' has 1 of its quota of 1 GPU in jobs that may not be preempted, and this one wants "
     "1 more; alternative: as a preemptible job it would need no quota"},
    {{.reason = POLICY_REASON_TOPOLOGY_FRAGMENTED, .level = 2, .tasks_fit_domain = 3, .tasks = 8,
     .free_milli = 9000},
     {.topology = "fabric", .level = "rack"},
     "has to stand in one domain of level 'rack' of topology 'fabric', and the best of them holds "
     "3 of its 8 tasks now; free in all: 9 GPUs; alternative: 3 of its 8 tasks would fit one "
     "domain now; a higher level, or the same one as preferred, may do"},
    {{.reason = POLICY_REASON_TOPOLOGY_FRAGMENTED, .level = 2, .tasks = 1}, {0},
     "has to stand in one domain of level 2 of its topology, and the best of them holds 0 of its 1 "
     "task now; free in all: 0 GPUs; alternative: a higher level, or the same one as preferred, "
     "may do"},
    {{.reason = POLICY_REASON_TOPOLOGY_UNKNOWN}, {.topology = "fabric", .level = "rac"},
     "names level 'rac' of topology 'fabric', which does not exist; alternative: none as "
     "written; name a level that exists, or none"},
    {{.reason = POLICY_REASON_TOPOLOGY_UNKNOWN}, {.topology = "fab"},
     "names topology 'fab', which does not exist; alternative: none as written; name a "
     "level that exists, or none"},
    {{.reason = POLICY_REASON_NEVER_FITS, .wanted_milli = 5000, .tasks = 5, .largest_request = 1,
     .level = 2, .tasks_fit_domain = 4},
     {.topology = "fabric", .level = "rack"},
     "wants 5 GPUs in 5 tasks, all in one domain of level 'rack' of topology "
     "'fabric', of which the largest would hold 4 tasks if it were empty; alternative: none on "
     "this fleet; a higher level, or the same one as preferred, may do"},
    {{.reason = POLICY_REASON_FIXED_QUOTA, .wanted_milli = 4000, .tasks = 1, .largest_request = 4,
     .free_milli = 7000, .free_whole = 7,
      .most_free = 2, .resource = 0, .queue_has = 1000, .queue_may = 6000, .job_wants = 4000},
     {.queue = "s"},
     "wants 4 GPUs in 1 task; of 7 GPUs free where it may run some are kept: "
     "queue 's' keeps 6 GPUs for its build sessions, which have 1; alternative: a job of up to 2 "
     "whole GPUs on one node would fit now"},
    {{.reason = POLICY_REASON_FIXED_QUOTA, .wanted_milli = 500, .tasks = 1, .free_milli = 1000,
     .free_whole = 1}, {0},
     "wants 0.5 GPUs in 1 task; of 1 GPU free where it may run some are kept; alternative: none until more is free than is reserved"},
    {{.reason = POLICY_REASON_RESERVED, .wanted_milli = 1000, .tasks = 1, .free_milli = 1000,
     .free_whole = 1, .most_free = 1}, {0},
     "wants 1 GPU in 1 task; free where it may run: 1 GPU (1 whole), at most 1 on one node; devices reserved for an earlier job do not count as free; alternative: with a time limit that ends "
     "before the reserved job can start it would not have to wait"},
    {{.reason = POLICY_REASON_NOT_READY}, {.role = "w", .needs_tasks = 3, .has_tasks = 1},
     "role 'w' needs 3 tasks, and has 1 that may start; alternative: none until the missing tasks "
     "exist and no gate holds them"},
    {{.reason = POLICY_REASON_NODE_MISMATCH}, {.wishes = "rack=r9"},
     "wants a node with rack=r9, and too few of them are there; alternative: none until such nodes "
     "are up; fewer conditions may do"},
    {{.reason = POLICY_REASON_RELEASING, .wanted_milli = 1000, .tasks = 1}, {0},
     "wants 1 GPU in 1 task; none is free where it may run; "
     "alternative: it starts there once that is free"},
};
// clang-format on

START_TEST(reasons_have_evidence_and_an_alternative)
{
    struct why why = said[_i].why;
    why.explained = &said[_i].e;
    char *detail = why_detail(&why);
    ck_assert_str_eq(detail, said[_i].detail);
    free(detail);
}
END_TEST

START_TEST(lines_say_the_reason_first)
{
    const struct policy_explanation e = {
        .reason = POLICY_REASON_OVER_LIMIT, .queue_may = 2000, .job_wants = 3000, .jobs_before = 2};
    const struct why why = {.explained = &e, .queue = "q"};
    struct out *out = out_memory();
    size_t n;
    why_print(&why, out);
    ck_assert_str_eq(out_memory_text(out, &n),
                     "  because      OVER_LIMIT: a queue would exceed its limit\n"
                     "  evidence     queue 'q' has 0 of at most 2 GPUs, and the job wants 3 more\n"
                     "               2 pending jobs are ahead of it\n");
    out_discard(out);
}
END_TEST

/* 3 + 4 exceed 5 and not 7; limits speak for themselves. */
static const struct {
    int32_t reason;
    int64_t share;
    const char *line; /* "": none */
} shares[] = {
    {POLICY_REASON_DEVICES_BUSY, 5000,
     "\n               queue 'own' has 3 GPUs and would have 7 with it, above its fair share of "
     "5\n"},
    {POLICY_REASON_FRAGMENTED, 7000,
     "\n               queue 'own' has 3 GPUs of its fair share of 7\n"},
    {POLICY_REASON_OVER_LIMIT, 5000, ""},
};

START_TEST(where_devices_are_missing_the_share_counts)
{
    const struct policy_explanation e = {.reason = shares[_i].reason, .wanted_milli = 4000};
    const struct why why = {
        .explained = &e, .owner = "own", .owner_has = 3000, .owner_share = shares[_i].share};
    struct out *out = out_memory();
    size_t n;
    why_print(&why, out);
    const char *text = out_memory_text(out, &n);
    ck_assert_int_eq(strstr(text, "fair share") != NULL, shares[_i].line[0] != '\0');
    harness_contains(text, shares[_i].line);
    out_discard(out);
}
END_TEST

/* Only limits make a queue evidence: for other reasons, a queue that is set by chance is not
 * mentioned. */
START_TEST(queues_are_evidence_only_where_they_stand_in_the_way)
{
    const struct policy_explanation e = {.reason = POLICY_REASON_DEVICES_BUSY};
    const struct why why = {.explained = &e, .queue = "q"};
    struct out *out = out_memory();
    struct json j;
    size_t n;
    json_init(&j, out, 0);
    json_begin_object(&j, NULL);
    why_json(&why, &j);
    json_end_object(&j);
    const char *text = out_memory_text(out, &n);
    ck_assert_ptr_null(strstr(text, "queue_has"));
    harness_contains(text, "\"alternative\": {\"tasks\": 0, \"tasks_fit_now\": 0}");
    out_discard(out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("why");
    TCase *tcase = tcase_create("words");
    tcase_add_loop_test(tcase, reasons_have_evidence_and_an_alternative, 0, ROWS(said));
    tcase_add_test(tcase, lines_say_the_reason_first);
    tcase_add_loop_test(tcase, where_devices_are_missing_the_share_counts, 0, ROWS(shares));
    tcase_add_test(tcase, queues_are_evidence_only_where_they_stand_in_the_way);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
