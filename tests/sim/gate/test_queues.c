/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics by queue: one for each queue of any scenario, judged where the queue exists. */
#include "sim/base/mem.h"
#include "sim/gate/queues.c"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static void take(struct gate_queues *queues, size_t scenario, const char *const names[][2],
                 size_t count)
{
    struct scen_queue rows[4] = {0};
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct scen_queue){.name = names[i][0], .parent = names[i][1]};
    gate_queues_take(queues, scenario, &(struct scenario){.queues = rows, .queue_count = count});
}

/* Two scenarios: one has a and b.c below top, the other d and a. */
static void begin(struct gate *g, struct gate_queues *queues, const char *path, bool named)
{
    static const char *const first[][2] = {{"top", ""}, {"a", "top"}, {"b.c", "top"}};
    static const char *const second[][2] = {{"d", ""}, {"a", ""}};
    *g = (struct gate){.suite_file = "s.json", .metric_count = 2, .scenario_count = 2};
    g->metrics = mem_alloc(2, sizeof *g->metrics);
    g->scenarios = mem_alloc(2, sizeof *g->scenarios);
    g->metrics[0] = (struct gate_metric){.path = "wait_s.mean"};
    g->metrics[1] = (struct gate_metric){.path = path, .line = 7};
    *queues = (struct gate_queues){0};
    if (named) {
        take(queues, 0, first, ROWS(first));
        take(queues, 1, second, ROWS(second));
    }
}

START_TEST(each_queue)
{
    static const struct {
        const char *path;
        size_t scenario;
    } expected[] = {
        {"wait_s.mean", 0}, {"by_queue.a.wait_s.mean", 0}, {"by_queue.b.c.wait_s.mean", 0},
        {"wait_s.mean", 1}, {"by_queue.a.wait_s.mean", 1}, {"by_queue.d.wait_s.mean", 1},
    };
    struct gate g;
    struct gate_queues queues;
    struct err err = {0};
    begin(&g, &queues, "by_queue.*.wait_s.mean", true);
    ck_assert(gate_queues_expand(&queues, &g, &err));
    gate_begin(&g);
    ck_assert_uint_eq(g.row_count, ROWS(expected));
    for (size_t i = 0; i < ROWS(expected); i++) {
        ck_assert_str_eq(g.rows[i].metric->path, expected[i].path);
        ck_assert_uint_eq(g.rows[i].scenario, expected[i].scenario);
    }
    ck_assert_str_eq(g.metrics[1].entry, "by_queue.*.wait_s.mean");
    gate_queues_free(&queues);
    gate_fini(&g);
}
END_TEST

/* A queue of one scenario is judged there alone; a queue that none names is judged in all (it may
 * come from a trace). */
START_TEST(one_queue)
{
    static const struct {
        const char *path;
        size_t rows;
    } cases[] = {{"fairness.queues.d.share", 3},
                 {"fairness.queues.a.share", 4},
                 {"fairness.queues.unknown.share", 4}};
    struct gate g;
    struct gate_queues queues;
    struct err err = {0};
    begin(&g, &queues, cases[_i].path, true);
    ck_assert(gate_queues_expand(&queues, &g, &err));
    gate_begin(&g);
    ck_assert_uint_eq(g.row_count, cases[_i].rows);
    gate_queues_free(&queues);
    gate_fini(&g);
}
END_TEST

START_TEST(no_queue_matches)
{
    struct gate g;
    struct gate_queues queues;
    struct err err = {0};
    begin(&g, &queues, "by_queue.*.wait_s.mean", false);
    ck_assert(!gate_queues_expand(&queues, &g, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    ck_assert_msg(strstr(err.msg, "s.json:7: metrics: 'by_queue.*.wait_s.mean'") != NULL, "%s",
                  err.msg);
    gate_queues_free(&queues);
    gate_fini(&g);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gate_queues");
    TCase *tcase = tcase_create("gate_queues");
    tcase_add_test(tcase, each_queue);
    tcase_add_loop_test(tcase, one_queue, 0, 3);
    tcase_add_test(tcase, no_queue_matches);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
