/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Baselines are read back to the bit, and files that do not fit are refused with the reason. */
#include "report/gate/baseline.h"
#include "tests/lib/harness.h"
#include "tests/report/gate/made.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fill(struct gate *g)
{
    made_begin(g, 2, 2, 1);
    g->looks[0] = 3;
    for (size_t s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) {
            double values[] = {k == 1 ? (double)NAN : 0.1 + k + 1e-9, 1e9 / 8 + k};
            made_replica(g, s, SIDE_A, values, "j");
        }
    g->scenarios[0].sides[SIDE_A].replicas[0].decisions = mem_text("3:abcd");
    for (int k = 0; k < 3; k++)
        g->scenarios[1].sides[SIDE_A].replicas[k].summary = mem_format("{\"k\": %d}\n\xC3\xA9", k);
    g->scenarios[1].sides[SIDE_A].replicas[2].values[1].at_least = true;
    g->scenarios[1].sides[SIDE_A].replicas[2].longest.at_least = true;
    g->scenarios[1].sides[SIDE_A].replicas[2].start_s = -12.5;
}

/* The text written, and a gate without replicas like the one it was written from. */
static char *saved(struct gate *again)
{
    struct gate g;
    struct err err = {0};
    char path[512];
    size_t n;
    fill(&g);
    harness_name(path, sizeof path, ".json");
    ck_assert_msg(baseline_write(&g, path, &err), "%s", err.msg);
    char *text = harness_read(path, &n);
    harness_forget(path);
    gate_fini(&g);
    made_begin(again, 2, 2, 1);
    again->looks[0] = 3;
    return text;
}

static bool apply(const char *text, struct gate *g, struct err *err)
{
    struct gate_baseline b;
    if (!baseline_parse(&b, "b.json", text, strlen(text), err))
        return false;
    bool ok = baseline_apply(&b, g, err);
    baseline_close(&b);
    return ok;
}

START_TEST(there_and_back)
{
    struct gate g, again;
    struct err err = {0};
    fill(&g);
    char *text = saved(&again);
    ck_assert_msg(apply(text, &again, &err), "%s", err.msg);
    for (size_t s = 0; s < 2; s++) {
        ck_assert_uint_eq(again.scenarios[s].sides[SIDE_A].count, 3);
        for (int k = 0; k < 3; k++) {
            const struct gate_replica *a = &g.scenarios[s].sides[SIDE_A].replicas[k],
                                      *b = &again.scenarios[s].sides[SIDE_A].replicas[k];
            ck_assert(a->seed == b->seed && strcmp(a->trace, b->trace) == 0 &&
                      strcmp(a->journal, b->journal) == 0);
            ck_assert_double_eq(a->start_s, b->start_s);
            ck_assert_double_eq(a->longest.value, b->longest.value);
            ck_assert_int_eq(a->longest.at_least, b->longest.at_least);
            ck_assert_pstr_eq(a->summary, b->summary);
            ck_assert_pstr_eq(a->decisions, b->decisions);
            for (int m = 0; m < 2; m++) {
                ck_assert_int_eq(isnan(a->values[m].value), isnan(b->values[m].value));
                ck_assert(isnan(a->values[m].value) || (a->values[m].value <= b->values[m].value &&
                                                        a->values[m].value >= b->values[m].value));
                ck_assert_int_eq(a->values[m].at_least, b->values[m].at_least);
            }
        }
    }
    ck_assert_str_eq(again.names[SIDE_A], "old");
    free(text);
    gate_fini(&g);
    gate_fini(&again);
}
END_TEST

/* Part of the file is replaced. */
static const struct {
    const char *from, *to, *says;
    int code;
} changes[] = {
    {"\"fauxfleet_baseline\": 1", "\"fauxfleet_baseline\": 2", "version 2", EXIT_BASELINE},
    {"\"version\": \"9.9\"", "\"version\": \"9.8\"", "version 9.8", EXIT_BASELINE},
    {"\"metrics_version\": 1", "\"metrics_version\": 7", "version 7", EXIT_BASELINE},
    {"\"scenario_digest\": \"sha256:0123", "\"scenario_digest\": \"sha256:4567", "scenario 'one'",
     EXIT_BASELINE},
    {"\"name\": \"one\"", "\"name\": \"two\"", "no scenario 'one'", EXIT_BASELINE},
    {"\"seed\": \"", "\"seed\": \"x", "seed", EXIT_INPUT},
    {"\"values\"", "\"valeus\"", "values", EXIT_INPUT},
    {"{", "", "b.json", EXIT_INPUT},
};

START_TEST(mismatches_are_refused)
{
    struct gate g;
    struct err err = {0};
    char *text = saved(&g), *at = strstr(text, changes[_i].from);
    ck_assert_msg(at != NULL, "%s", text);
    char *changed = mem_format("%.*s%s%s", (int)(at - text), text, changes[_i].to,
                               at + strlen(changes[_i].from));
    ck_assert(!apply(changed, &g, &err));
    ck_assert_int_eq(err.code, changes[_i].code);
    ck_assert_msg(strstr(err.msg, changes[_i].says) != NULL, "%s", err.msg);
    free(changed);
    free(text);
    gate_fini(&g);
}
END_TEST

START_TEST(a_warm_up_that_was_found)
{
    struct gate again;
    struct gate_baseline b;
    struct err err = {0};
    char *text = saved(&again);
    ck_assert_msg(baseline_parse(&b, "b.json", text, strlen(text), &err), "%s", err.msg);
    ck_assert_int_eq(baseline_warmup_ms(&b, "one"), 86400001);
    ck_assert_int_eq(baseline_warmup_ms(&b, MADE_NAME), 0);
    ck_assert_int_eq(baseline_warmup_ms(&b, "three"), 0);
    baseline_close(&b);
    free(text);
    gate_fini(&again);
}
END_TEST

/* A scenario keeps a limited number of bytes of decisions, those of its first replicas. */
START_TEST(decisions_are_bounded)
{
    struct gate g, again;
    struct err err = {0};
    char path[512];
    size_t n;
    char *third = mem_alloc(BASELINE_DECISIONS_MAX / 3 + 1, 1);
    memset(third, 'x', BASELINE_DECISIONS_MAX / 3);
    fill(&g);
    for (int k = 0; k < 3; k++) {
        struct gate_replica *r = &g.scenarios[1].sides[SIDE_A].replicas[k];
        r->decisions = k == 2 ? mem_format("%s%s", third, "yyyy") : mem_text(third);
    }
    free(third);
    harness_name(path, sizeof path, ".json");
    ck_assert_msg(baseline_write(&g, path, &err), "%s", err.msg);
    char *text = harness_read(path, &n);
    harness_forget(path);
    made_begin(&again, 2, 2, 1);
    again.looks[0] = 3;
    ck_assert_msg(apply(text, &again, &err), "%s", err.msg);
    const struct gate_replica *kept = again.scenarios[1].sides[SIDE_A].replicas;
    ck_assert(kept[0].decisions != NULL && kept[1].decisions != NULL && kept[2].decisions == NULL);
    free(text);
    gate_fini(&g);
    gate_fini(&again);
}
END_TEST

START_TEST(fewer_replicas_and_other_metrics)
{
    struct gate g;
    struct err err = {0};
    char *text = saved(&g);
    g.looks[0] = 4;
    ck_assert(!apply(text, &g, &err));
    ck_assert_int_eq(err.code, EXIT_BASELINE);
    ck_assert_msg(strstr(err.msg, "has 3 replicas") != NULL, "%s", err.msg);
    gate_fini(&g);
    made_begin(&g, 1, 3, 1);
    g.looks[0] = 2; /* fewer scenarios and replicas are valid */
    ck_assert(!apply(text, &g, &err));
    ck_assert_msg(strstr(err.msg, g.metrics[2].path) != NULL, "%s", err.msg);
    gate_fini(&g);
    made_begin(&g, 1, 1, 1);
    g.looks[0] = 2;
    ck_assert(apply(text, &g, &err));
    ck_assert_uint_eq(g.scenarios[0].sides[SIDE_A].count, 2);
    gate_fini(&g);
    free(text);
    struct gate_baseline b;
    ck_assert(!baseline_open(&b, "/nowhere/b.json", &err));
    ck_assert_int_eq(err.code, EXIT_BASELINE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("baseline");
    TCase *tcase = tcase_create("baseline");
    tcase_add_test(tcase, there_and_back);
    tcase_add_loop_test(tcase, mismatches_are_refused, 0, ROWS(changes));
    tcase_add_test(tcase, a_warm_up_that_was_found);
    tcase_add_test(tcase, decisions_are_bounded);
    tcase_add_test(tcase, fewer_replicas_and_other_metrics);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
