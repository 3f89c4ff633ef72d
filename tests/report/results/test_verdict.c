/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict on a summary: whole sentences, and nothing about missing values. */
#include "report/results/verdict.h"
#include "report/words/losses.h"
#include "tests/lib/harness.h"

#include <string.h>

/* Adds up to 1000 hours unless noted. */
#define HOURS                                                                                      \
    "\"gpu_hours\":{\"installed\":1000,\"productive\":600,\"lost\":{\"failure\":10,\"user\":90,"   \
    "\"idle_blocked\":150,\"idle_no_demand\":100,\"down\":50}}"
#define REPLICAS "\"replicas\":[{},{}]"

static const struct {
    const char *summary, *topic, *text; /* NULL: nothing on this topic */
    bool alarm;
} rows[] = {
    {"{}", "GPU-hours", NULL, false},
    {"{" HOURS "}", "GPU-hours",
     "Of 1,000 installed GPU-hours 60.0% were productive, 25.0% idle (mostly held back: 15.0%), "
     "10.0% lost at work (mostly work of jobs that failed: 9.0%), 5.0% out of service (broken).",
     false},
    {"{" HOURS "}", "Ledger", NULL, false},
    {"{\"gpu_hours\":{\"installed\":1000,\"productive\":600,\"lost\":{\"down\":300}}}", "Ledger",
     "The ledger does not add up: productive hours and losses are 90.0% of the installed ones. Do "
     "not rely on this page.",
     true},
    {"{\"jobs\":{\"never_fits\":0}}", "Never fit", NULL, false},
    {"{\"jobs\":{\"never_fits\":3}}", "Never fit",
     "3 jobs never fit: the fleet, any one place in it, or the part that the queue may use is too "
     "small.",
     true},
    {"{\"jobs\":{\"never_fits\":1}}", "Never fit",
     "1 job never fits: the fleet, any one place in it, or the part that the queue may use is too "
     "small.",
     true},
    {"{\"wait_s\":{\"censored\":0}}", "Waiting", NULL, false},
    {"{\"wait_s\":{\"censored\":5},\"jobs\":{\"submitted\":200}}", "Waiting",
     "5 jobs had not started when the simulation stopped (2.5% of those submitted): their waits "
     "are lower bounds, and figures that depend on them say \xE2\x80\x9C"
     "at least\xE2\x80\x9D.",
     true},
    {"{\"utilization\":{\"occupancy\":0.95}}", "Held", NULL, false},
    {"{\"utilization\":{\"occupancy\":null}}", "Held", NULL, false},
    {"{\"utilization\":{\"occupancy\":0.014}}", "Held",
     "Of the GPU-hours that jobs held they ran for 1.4% only; otherwise they started up, waited "
     "for the rest of a gang or for memory, or were being released.",
     true},
    {"{\"fairness\":{\"quota_satisfaction\":1}}", "Quotas", NULL, false},
    {"{\"fairness\":{\"quota_satisfaction\":null}}", "Quotas", NULL, false},
    {"{\"fairness\":{\"quota_satisfaction\":0.75}}", "Quotas",
     "Queues with demand had at least their quota, or all they asked for, for 75.0% of the time "
     "only.",
     true},
    {"{\"services\":{\"total\":{\"served_share\":0.9}}}", "Services",
     "Services answered 90.0% of their requests; the rest came when too few replicas were up.",
     true},
    {"{\"services\":{\"total\":{\"served_share\":1}}}", "Services", NULL, false},
    {"{\"by_class\":{\"build\":{\"jobs\":2,\"wait_s\":{\"p50\":0,\"p95\":12}},\"none\":{\"jobs\":0,"
     "\"wait_s\":{\"p50\":0,\"p95\":12}},\"train\":{\"jobs\":1,\"wait_s\":{\"p50\":60,\"p95\":null,"
     "\"p95_at_least\":7200}}}}",
     "Waits",
     "Until half of a class had started, and 95% of it: build 0s and 12s; train 1m00s and at least "
     "2h00m.",
     false},
    {"{\"jobs\":{\"never_fits\":2},\"by_class\":{\"train\":{\"jobs\":3,\"wait_s\":{\"p50\":60,"
     "\"p95\":60}}}}",
     "Waits",
     "Until half of a class had started, and 95% of it (without the jobs that never fit): train "
     "1m00s and 1m00s.",
     false},
    {"{\"fairness\":{\"queues\":{\"a\":{\"used_gpu_h\":40,\"entitled_gpu_h\":100},\"b\":{\"used_"
     "gpu_h\":100,\"entitled_gpu_h\":80}}}}",
     "Queues",
     "a starved: it had 40.0% of what it was entitled to, 60.0 GPU-hours less; b borrowed most: "
     "125.0% of its entitlement, 20.0 GPU-hours more.",
     false},
    {"{\"fairness\":{\"queues\":{\"a\":{\"used_gpu_h\":60,\"entitled_gpu_h\":100},\"b\":{\"used_"
     "gpu_h\":80,\"entitled_gpu_h\":80}}}}",
     "Queues", "a went short: it had 60.0% of what it was entitled to, 40.0 GPU-hours less.",
     false},
    {"{\"fairness\":{\"queues\":{\"a\":{\"used_gpu_h\":95,\"entitled_gpu_h\":100},\"b\":{\"used_"
     "gpu_h\":80,\"entitled_gpu_h\":80}}}}",
     "Queues", "Every queue used about its entitlement (90% to 110% of it).", false},
    {"{\"fairness\":{\"queues\":{\"alone\":{\"used_gpu_h\":95,\"entitled_gpu_h\":100}}}}", "Queues",
     NULL, false},
    {"{\"fairness\":{\"queues\":{\"idle\":{\"used_gpu_h\":0,\"entitled_gpu_h\":0}}}}", "Queues",
     NULL, false},
    {"{\"reliability\":{\"faults\":0}}", "Failures", NULL, false},
    {"{\"reliability\":{\"faults\":14,\"node_failures\":3,\"job_interruptions\":2,\"lost_gpu_h\":"
     "27,\"ettr\":0.76}," HOURS "}",
     "Failures",
     "14 faults struck, took nodes out 3 times, interrupted jobs 2 times and cost them 27.0 "
     "GPU-hours of work; 50.0 GPU-hours were out of service. Jobs of an hour and more got on for "
     "76.0% of the time from their first start (ETTR).",
     false},
    {"{\"reliability\":{\"faults\":9,\"node_failures\":0,\"job_interruptions\":0,\"lost_gpu_h\":0}"
     "}",
     "Failures", "9 faults struck.", false},
    {"{\"preemption\":{\"evictions\":5,\"jobs\":4,\"lost_gpu_h\":2,\"by_cause\":{\"reclaim\":3,"
     "\"preempt\":2,\"stale\":0}}}",
     "Evictions",
     "The policy evicted 5 times (4 jobs): 3 reclaim, 2 preempt; that cost 2.00 GPU-hours.", false},
    {"{\"cost\":{\"usd\":0,\"usd_per_productive_gpu_h\":0}}", "Cost", NULL, false},
    {"{\"cost\":{\"usd\":10,\"usd_per_productive_gpu_h\":2.5,\"idle_usd\":4}}", "Cost",
     "A productive GPU-hour cost 2.50 USD; 4.00 USD went to idle GPUs.", false},
    {"{" REPLICAS "}", "Sample", NULL, false},
    {"{}", "Sample",
     "This is one replay, which is one sample: with --replicas 20 the arrivals get jitter, and the "
     "spread shows how much may be chance.",
     false},
};

static const struct verdict_line *line_of(const struct verdict *verdict, const char *topic)
{
    for (size_t i = 0; i < verdict->count; i++)
        if (strcmp(verdict->line[i].topic, topic) == 0)
            return &verdict->line[i];
    return NULL;
}

START_TEST(sentences_say_what_the_summary_says)
{
    cJSON *summary = cJSON_Parse(rows[_i].summary);
    ck_assert_ptr_nonnull(summary);
    struct verdict verdict;
    verdict_make(&verdict, summary);
    const struct verdict_line *line = line_of(&verdict, rows[_i].topic);
    if (rows[_i].text == NULL) {
        ck_assert_msg(line == NULL, "said: %s", line ? line->text : "");
    } else {
        ck_assert_ptr_nonnull(line);
        ck_assert_str_eq(line->text, rows[_i].text);
        ck_assert_int_eq(line->alarm, rows[_i].alarm);
    }
    for (size_t i = 1; i < verdict.count; i++) // alarms first
        ck_assert(verdict.line[i - 1].alarm || !verdict.line[i].alarm);
    verdict_free(&verdict);
    cJSON_Delete(summary);
}
END_TEST

START_TEST(losses_have_words_and_groups)
{
    ck_assert_str_eq(loss_label("idle_blocked"), "held back");
    ck_assert_int_eq(loss_group("idle_blocked"), LOSS_IDLE);
    ck_assert_str_eq(loss_label("of tomorrow"), "of tomorrow");
    ck_assert_int_eq(loss_group("of tomorrow"), LOSS_AT_WORK);
    cJSON *lost =
        cJSON_Parse("{\"down\":5,\"user\":\"9\",\"failure\":2,\"of tomorrow\":4,\"drained\":null}");
    ck_assert_double_eq(loss_sum(lost, LOSS_AT_WORK), 6);
    ck_assert_str_eq(loss_largest(lost, LOSS_AT_WORK)->string, "of tomorrow");
    ck_assert_str_eq(loss_largest(lost, LOSS_NONE)->string, "down");
    ck_assert_ptr_null(loss_largest(lost, LOSS_IDLE));
    cJSON_Delete(lost);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("verdict");
    TCase *tcase = tcase_create("sentences");
    tcase_add_loop_test(tcase, sentences_say_what_the_summary_says, 0, ROWS(rows));
    tcase_add_test(tcase, losses_have_words_and_groups);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
