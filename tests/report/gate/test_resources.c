/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time and memory: failures, warnings, cases too noisy to decide, that other verdicts stay, and
 * that reports are identical if all costs are fine.
 */
#include "report/gate/findings.h"
#include "report/gate/reports.h"
#include "report/gate/resources.h"
#include "report/gate/timing.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"
#include "tests/report/gate/made.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Twenty pairs: `factor` times the base's time of 4 us and memory of 100 MiB, in which every other
 * pair deviates by `noise`, and `leak` bytes per decision. Base and candidate decide alike or
 * (other) not.
 */
static void make(struct gate *g, double factor, double noise, double leak, bool other)
{
    static const double base[] = {40, 100, 300, 0};
    double zero[] = {0};
    made_begin(g, 1, 1, 1);
    gate_resource_rule(g, GATE_DECISION_TIME, 0.25, 10, false, false);
    gate_resource_rule(g, GATE_PEAK_MEMORY, 0.1, 16, false, false);
    gate_resource_rule(g, GATE_MEMORY_GROWTH, 0.1, 64, false, false);
    for (int k = 0; k < 20; k++)
        for (int side = 0; side < SIDES; side++) {
            made_replica(g, 0, side, zero, other && side == SIDE_B ? "b" : "a");
            struct gate_cost *cost = &g->scenarios[0].sides[side].replicas[k].cost;
            for (int m = 0; m < GATE_MEASURES; m++)
                cost->of[m] = base[m];
            if (side == SIDE_A)
                continue;
            double change = factor * (1 + (k % 2 ? noise : -noise));
            cost->of[GATE_DECISION_US] *= change;
            cost->of[GATE_PEAK_MIB] *= change;
            cost->of[GATE_HELD_BYTES] +=
                leak + (other ? 1000 : 0); /* then it is the simulator's leak */
            cost->of[GATE_LEFT_BYTES] += leak;
        }
    gate_decide(g, GATE_IDENTITY, GATE_PASS, mem_text("passed"));
}

START_TEST(verdicts)
{
    static const struct {
        double factor, noise, leak;
        bool other;
        size_t findings;
        enum gate_finding_kind first;
    } rows[] = {
        {1, 0.02, 0, false, 0, GATE_SLOWER}, /* A/A */
        {1, 0.6, 0, true, 0, GATE_SLOWER},
        {1.2, 0.02, 0, false, 1,
         GATE_LARGER}, /* 8 us more are fewer than 10, but 20 MiB are more than 16 */
        {1.1, 0.02, 0, false, 0, GATE_SLOWER},
        {17, 0.3, 0, false, 2, GATE_SLOWER},
        {1.4, 1.0, 0, false, 0, GATE_SLOWER}, /* who knows */
        {1, 0.02, 60, false, 0, GATE_LEAK},
        {1, 0.02, 70, false, 1, GATE_LEAK},
        {1, 0.02, 70, true, 1, GATE_LEAK},
    };
    struct gate g;
    make(&g, rows[_i].factor, rows[_i].noise, rows[_i].leak, rows[_i].other);
    gate_judge_resources(&g);
    ck_assert_uint_eq(g.finding_count, rows[_i].findings);
    ck_assert_int_eq(g.verdict, rows[_i].findings > 0 ? GATE_FAIL : GATE_PASS);
    ck_assert_int_eq(g.stage, rows[_i].findings > 0 ? GATE_RESOURCES : GATE_IDENTITY);
    if (rows[_i].findings > 0)
        ck_assert_int_eq(g.findings[0].kind, rows[_i].first);
    gate_fini(&g);
}
END_TEST

START_TEST(roles)
{
    struct gate g;
    make(&g, 17, 0.02, 0, false);
    gate_resource_rule(&g, GATE_DECISION_TIME, 0.25, 10, true, false);
    gate_resource_rule(&g, GATE_PEAK_MEMORY, 0.1, 16, false, true);
    gate_judge_resources(&g);
    ck_assert(g.verdict == GATE_PASS && g.finding_count == 1 && g.findings[0].warning);
    gate_fini(&g);
    make(&g, 17, 0.02, 0, false);
    gate_decide(&g, GATE_STATISTICS, GATE_INCONCLUSIVE, mem_text("not sure"));
    gate_judge_resources(&g);
    ck_assert(g.verdict == GATE_FAIL && g.stage == GATE_RESOURCES);
    gate_fini(&g);
    make(&g, 17, 0.02, 0, false);
    gate_decide(&g, GATE_STATISTICS, GATE_FAIL, mem_text("a metric"));
    gate_judge_resources(&g);
    ck_assert_str_eq(g.reason, "a metric");
    ck_assert_uint_eq(g.finding_count, 2);
    gate_fini(&g);
}
END_TEST

static char *report_of(const struct gate *g, void (*write)(const struct gate *, struct out *))
{
    struct out *out = out_memory();
    write(g, out);
    return out_memory_take(out);
}

/* Two gates whose costs differ, but not significantly. */
START_TEST(same_bytes)
{
    size_t count;
    const struct gate_report *kinds = gate_reports(&count);
    struct gate a, b;
    make(&a, 1, 0.02, 0, false);
    make(&b, 1.01, 0.5, 1, false);
    gate_judge_resources(&a);
    gate_judge_resources(&b);
    for (size_t i = 0; i < count; i++) {
        char *x = report_of(&a, kinds[i].write), *y = report_of(&b, kinds[i].write);
        ck_assert_msg((strcmp(x, y) == 0) == (strcmp(kinds[i].name, "timing") != 0), "%s",
                      kinds[i].name);
        free(x);
        free(y);
    }
    gate_fini(&a);
    gate_fini(&b);
}
END_TEST

static void set_machine(struct gate *g, const char *machine)
{
    free(g->machine);
    g->machine = mem_text(machine);
}

/* A baseline's costs apply on the same machine, with a wider margin, and not on another one. */
START_TEST(baseline)
{
    struct folder folder;
    folder_make(&folder);
    struct gate written, read;
    struct err err = {0};
    char *path = mem_text(folder_path(&folder, "b.json")), *why;
    make(&written, 1, 0, 0, false);
    set_machine(&written, "this \"one\"");
    written.scenarios[0].sides[SIDE_A].replicas[3].cost.of[GATE_DECISION_US] = 41.5;
    ck_assert(gate_timing_write(&written, path, &err));
    make(&read, 1.5, 0, 0, false);
    for (int k = 0; k < 20; k++)
        read.scenarios[0].sides[SIDE_A].replicas[k].cost.of[GATE_DECISION_US] = (double)NAN;
    set_machine(&read, "another");
    ck_assert(gate_timing_apply(&read, path, &why, &err));
    ck_assert_msg(why != NULL && strstr(why, "another machine") != NULL, "%s", why);
    ck_assert(isnan(read.scenarios[0].sides[SIDE_A].replicas[3].cost.of[GATE_DECISION_US]));
    free(why);
    set_machine(&read, "this \"one\"");
    ck_assert(gate_timing_apply(&read, path, &why, &err) && why == NULL);
    ck_assert_double_eq_tol(read.scenarios[0].sides[SIDE_A].replicas[3].cost.of[GATE_DECISION_US],
                            41.5, 1e-9);
    gate_judge_resources(&read);
    ck_assert_uint_eq(read.finding_count,
                      1); /* 50 % more memory; 50 % more time is less than twice */
    ck_assert_int_eq(read.findings[0].kind, GATE_LARGER);
    ck_assert(gate_timing_apply(&read, folder_path(&folder, "absent.json"), &why, &err) &&
              why != NULL);
    free(why);
    free(path);
    gate_fini(&written);
    gate_fini(&read);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("resources");
    TCase *tcase = tcase_create("all");
    tcase_add_loop_test(tcase, verdicts, 0, 9);
    tcase_add_test(tcase, roles);
    tcase_add_test(tcase, same_bytes);
    tcase_add_test(tcase, baseline);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
