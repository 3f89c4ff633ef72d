/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The losers among hand-made measures with known verdicts, and their description. */
#include "report/compare/losers.h"

#include "sim/base/mem.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A metric of one replica on each side. */
struct made {
    const char *summary; /* # is replaced by the value */
    double a, b;
    enum judge_verdict verdict;
};

static void take(struct measures *m, const struct made *made, int side)
{
    const char *at = strchr(made->summary, '#');
    char *text = mem_format("%.*s%g%s", (int)(at - made->summary), made->summary,
                            side == SIDE_A ? made->a : made->b, at + 1);
    cJSON *summary = cJSON_Parse(text);
    ck_assert_msg(summary != NULL, "%s", text);
    free(text);
    measures_take(m, side, 0, summary);
    cJSON_Delete(summary);
}

/* As if n pairs had given the verdicts. */
static struct losers find(const struct made *made, size_t count, size_t n)
{
    struct measures m;
    struct losers l = {.too_few = n < 5, .metrics = count};
    measures_init(&m, 1);
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < SIDES; side++)
            take(&m, &made[i], side);
    ck_assert_uint_eq(m.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct judgement j = {
            .scale = JUDGE_DIFFERENCE,
            .verdict = made[i].verdict,
            .n = n,
            .defined = {n, n},
            .mean = {made[i].a, made[i].b},
            .p_holm = 0.001,
        };
        losers_take(&l, &m, &m.rows[i], &j, true);
    }
    losers_sort(&l);
    measures_fini(&m);
    return l;
}

#define QUEUE(name, metric)  "{\"by_queue\": {\"" name "\": {" metric "}}}"
#define CLASS(name, metric)  "{\"by_class\": {\"" name "\": {" metric "}}}"
#define SIZE(name, metric)   "{\"by_size\": {\"" name "\": {" metric "}}}"
#define SHARES(name, metric) "{\"fairness\": {\"queues\": {\"" name "\": {" metric "}}}}"
#define WAIT_P95             "\"wait_s\": {\"p95\": #}"
#define JCT_MEAN             "\"jct_s\": {\"mean\": #}"

/* ---- the selection ---- */

static const struct made mixed[] = {
    {SIZE("64-511", JCT_MEAN), 100000, 153000, JUDGE_WORSE},
    {QUEUE("robotics", WAIT_P95), 7800, 18720, JUDGE_WORSE},
    {QUEUE("vision", WAIT_P95), 7800, 18720, JUDGE_UNSEEN},
    {QUEUE("speech", WAIT_P95), 7800, 60, JUDGE_BETTER},
    {CLASS("build", WAIT_P95), 30, 30, JUDGE_EQUAL},
    {CLASS("train", WAIT_P95), 30, 300, JUDGE_UNDEFINED},
    {"{\"wait_s\": {\"p95\": #}}", 60, 6000, JUDGE_WORSE},   /* of all jobs */
    {QUEUE("robotics", "\"jobs\": #"), 50, 40, JUDGE_LOWER}, /* neutral */
    {QUEUE("robotics", "\"preemption\": {\"evictions\": #}"), 3, 15, JUDGE_WORSE},
    {SHARES("robotics", "\"quota_satisfaction\": #"), 0.9, 0.45, JUDGE_WORSE},
    {QUEUE("language", "\"gpu_hours\": {\"work\": #}"), 1000, 600, JUDGE_WORSE},
    {QUEUE("language", "\"gpu_hours\": {\"productive\": #}"), 1000, 400,
     JUDGE_WORSE}, /* work already says it */
    {QUEUE("older", "\"gpu_hours\": {\"productive\": #}"), 1000, 600,
     JUDGE_WORSE}, /* nothing else does */
};

/*
 * Harm is a logarithm: robotics' wait ln(18780 / 7860) = 0.871, its quota ln(0.91 / 0.46) = 0.682,
 * language's hours ln(1001 / 601) = 0.510, jobs of 64 ln(153060 / 100060) = 0.425, evictions (of 50
 * jobs) ln(65 / 53) = 0.204.
 */
START_TEST(certainly_worse_ones_lose_by_harm)
{
    static const struct {
        enum group_kind kind;
        const char *name, *metric;
        double harm;
    } expected[] = {
        {GROUP_QUEUE, "robotics", "wait_s.p95", 0.8710},
        {GROUP_QUEUE, "robotics", "quota_satisfaction", 0.6822},
        {GROUP_QUEUE, "language", "gpu_hours.work", 0.5102},
        {GROUP_QUEUE, "older", "gpu_hours.productive", 0.5102},
        {GROUP_SIZE, "64-511", "jct_s.mean", 0.4251},
        {GROUP_QUEUE, "robotics", "preemption.evictions", 0.2041},
    };
    struct losers l = find(mixed, ROWS(mixed), 20);
    ck_assert(!l.too_few);
    ck_assert_uint_eq(l.count, ROWS(expected));
    for (int i = 0; i < ROWS(expected); i++) {
        ck_assert_int_eq(l.rows[i].kind, expected[i].kind);
        ck_assert_str_eq(l.rows[i].name, expected[i].name);
        ck_assert_str_eq(l.rows[i].metric, expected[i].metric);
        ck_assert_double_eq_tol(l.rows[i].harm, expected[i].harm, 2e-4);
    }
    losers_fini(&l);
}
END_TEST

/* ---- texts ---- */

static void check_texts(const struct losers *l, const char *headline, const char *const *expected,
                        size_t count)
{
    size_t n;
    char *text = losers_headline(l), **sentences = losers_sentences(l, &n);
    ck_assert_str_eq(text, headline);
    ck_assert_uint_eq(n, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_str_eq(sentences[i], expected[i]);
    free(text);
    losers_sentences_free(sentences, n);
}

START_TEST(a_group_has_one_sentence)
{
    static const char *const expected[] = {
        "robotics waits 3h02m longer at p95 (2h10m to 5h12m), has its quota in 45.0% less of the "
        "time (90.0% to 45.0%), "
        "is evicted 12 times more (3 to 15)",
        "language gets 400 fewer GPU-hours of work done (1,000 to 600)",
        "older gets 400 fewer productive GPU-hours (1,000 to 600)",
        "jobs of 64 to 511 GPUs take 53.0% longer from submission to end on average (1d04h to "
        "1d19h)",
    };
    struct losers l = find(mixed, ROWS(mixed), 20);
    check_texts(&l, "Who loses: 3 queues and 1 size are certainly worse.", expected,
                ROWS(expected));
    losers_fini(&l);
}
END_TEST

static const struct {
    const char *summary, *words;
    double a, b;
} said[] = {
    {QUEUE("a.b", WAIT_P95), "a.b waits 1h00m longer at p95 (1h00m to 2h00m)", 3600, 7200},
    {QUEUE("wait_s", WAIT_P95), "wait_s waits 1h00m longer at p95 (1h00m to 2h00m)", 3600, 7200},
    {CLASS("build", WAIT_P95), "build jobs wait 1h00m longer at p95 (1h00m to 2h00m)", 3600, 7200},
    {SIZE("512+", WAIT_P95), "jobs of 512 or more GPUs wait 1h00m longer at p95 (1h00m to 2h00m)",
     3600, 7200},
    {SIZE("<1", WAIT_P95), "jobs of less than one GPU wait 1h00m longer at p95 (1h00m to 2h00m)",
     3600, 7200},
    {SIZE("8", WAIT_P95), "jobs of 8 GPUs wait 1h00m longer at p95 (1h00m to 2h00m)", 3600, 7200},
    {QUEUE("q", "\"bounded_slowdown\": {\"mean\": #}"),
     "q has a slowdown 150.0% larger on average (2.00 to 5.00)", 2, 5},
    {QUEUE("q", "\"completed\": #"), "q completes 3 fewer jobs (10 to 7)", 10, 7},
    {QUEUE("q", "\"completed\": #"), "q completes 1 fewer job (10 to 9)", 10, 9},
    {QUEUE("q", "\"wait_s\": {\"censored\": #}"), "q has 1 more job that does not start (0 to 1)",
     0, 1},
    {CLASS("train", "\"wait_s\": {\"censored\": #}"),
     "train jobs include 1 more that does not start (0 to 1)", 0, 1},
    {QUEUE("q", "\"preemption\": {\"evictions\": #}"), "q is evicted 1 time more (3 to 4)", 3, 4},
    {QUEUE("q", "\"gpu_hours\": {\"lost\": {\"user\": #}}"),
     "q loses 20.0 more GPU-hours to jobs that fail (10.0 to 30.0)", 10, 30},
    {SHARES("q", "\"share_deficit_gpu_h\": #"), "q is owed 20.0 more GPU-hours (10.0 to 30.0)", 10,
     30},
    {SHARES("q", "\"reclaim_p95_s\": #"),
     "q waits 1h00m longer for its quota at p95 (1h00m to 2h00m)", 3600, 7200},
};

START_TEST(each_metric_has_words)
{
    const struct made made = {said[_i].summary, said[_i].a, said[_i].b, JUDGE_WORSE};
    struct losers l = find(&made, 1, 20);
    ck_assert_uint_eq(l.count, 1);
    char *words = loser_words(&l.rows[0]);
    ck_assert_str_eq(words, said[_i].words);
    free(words);
    losers_fini(&l);
}
END_TEST

/* Jobs that had not started by the end: only the number of pairs in which B is above A is known. */
START_TEST(lower_bounds_are_counted)
{
    const struct made made = {QUEUE("q", WAIT_P95), 3600, 7200, JUDGE_WORSE};
    struct losers l = find(&made, 1, 20);
    l.rows[0].judgement.scale = JUDGE_SIGNS;
    l.rows[0].judgement.bounds[SIDE_B] = 3;
    l.rows[0].judgement.higher = 19;
    char *words = loser_words(&l.rows[0]);
    ck_assert_str_eq(words, "q waits longer at p95 (1h00m to at least 2h00m, in 19 of 20 pairs)");
    free(words);
    losers_fini(&l);
}
END_TEST

START_TEST(no_queue_loses)
{
    static const struct made made[] = {
        {QUEUE("robotics", WAIT_P95), 7800, 18720, JUDGE_UNSEEN},
        {QUEUE("speech", WAIT_P95), 7800, 60, JUDGE_BETTER},
    };
    struct losers l = find(made, ROWS(made), 20);
    check_texts(&l, "No queue, class or size is certainly worse.", NULL, 0);
    losers_fini(&l);
    l = find(NULL, 0, 20);
    check_texts(&l, "No metric of a queue, class or size was compared.", NULL, 0);
    losers_fini(&l);
}
END_TEST

/* A queue that borrows less, but still has all that it is entitled to, loses nothing. */
START_TEST(borrowing_less_is_no_loss)
{
    static const struct made made[] = {
        {SHARES("a", "\"share\": #"), 1.5, 1.1, JUDGE_WORSE},
        {SHARES("b", "\"share\": #"), 1.5, 0.5, JUDGE_WORSE},
    };
    struct losers l = find(made, ROWS(made), 20);
    ck_assert_uint_eq(l.count, 1);
    ck_assert_str_eq(l.rows[0].name, "b");
    ck_assert_double_eq_tol(l.rows[0].harm, 0.6832, 2e-4); /* ln(1.01 / 0.51) */
    losers_fini(&l);
}
END_TEST

/* Without verdicts the largest harms are named, but there is no loser. */
START_TEST(one_replica_names_no_loser)
{
    static const struct made made[] = {
        {QUEUE("a", WAIT_P95), 3600, 7200, JUDGE_NONE},
        {QUEUE("b", WAIT_P95), 3600, 7300, JUDGE_NONE},
        {QUEUE("c", WAIT_P95), 3600, 60, JUDGE_NONE},
        {QUEUE("d", WAIT_P95), 3600, 7400, JUDGE_NONE},
        {QUEUE("e", WAIT_P95), 3600, 7500, JUDGE_NONE},
        {QUEUE("f", WAIT_P95), 3600, 7600, JUDGE_NONE},
        {QUEUE("g", WAIT_P95), 3600, 3660, JUDGE_NONE},
        {QUEUE("h", WAIT_P95), 3600, 3600, JUDGE_EQUAL},
    };
    struct losers l = find(made, ROWS(made), 1);
    ck_assert(l.too_few);
    size_t count;
    char *headline = losers_headline(&l), **sentences = losers_sentences(&l, &count);
    ck_assert_str_eq(
        headline,
        "Nobody can be called a loser: one replica on each side is too few for a verdict. "
        "The largest harms observed (one replica):");
    ck_assert_uint_eq(count, 5);
    ck_assert_str_eq(sentences[0], "f waits 1h07m longer at p95 (1h00m to 2h07m)");
    losers_sentences_free(sentences, count);
    free(headline);

    struct out *out = out_memory();
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    losers_json(&l, &j);
    json_end_object(&j);
    cJSON *tree = cJSON_Parse(out_memory_text(out, NULL));
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(tree, "losers")), 0);
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(tree, "observed_harms")),
                     6);
    cJSON_Delete(tree);
    out_discard(out);
    losers_fini(&l);
}
END_TEST

/* ---- paths ---- */

START_TEST(paths_repeated_by_queue_are_twins)
{
    static const struct made made[] = {
        {QUEUE("a.b", WAIT_P95), 1, 1, JUDGE_NONE},
        {SHARES("a.b", WAIT_P95), 1, 1, JUDGE_NONE},
        {SHARES("a.b", JCT_MEAN), 1, 1, JUDGE_NONE},
        {SHARES("a.b", "\"used_gpu_h\": #"), 1, 1, JUDGE_NONE},
    };
    static const bool twins[] = {false, true, false, false};
    struct measures m;
    measures_init(&m, 1);
    for (int i = 0; i < ROWS(made); i++)
        take(&m, &made[i], SIDE_A);
    for (int i = 0; i < ROWS(made); i++)
        ck_assert_int_eq(group_is_twin(&m, &m.rows[i]), twins[i]);
    measures_fini(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("losers");
    TCase *tcase = tcase_create("losers");
    tcase_add_test(tcase, certainly_worse_ones_lose_by_harm);
    tcase_add_test(tcase, a_group_has_one_sentence);
    tcase_add_loop_test(tcase, each_metric_has_words, 0, ROWS(said));
    tcase_add_test(tcase, lower_bounds_are_counted);
    tcase_add_test(tcase, no_queue_loses);
    tcase_add_test(tcase, borrowing_less_is_no_loss);
    tcase_add_test(tcase, one_replica_names_no_loser);
    tcase_add_test(tcase, paths_repeated_by_queue_are_twins);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
