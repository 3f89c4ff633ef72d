/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that contradict themselves: validation row V5, the misprint in the customer's 126M table,
 * and similar ones. */
#include "sim/perf/table.h"

#include "tests/sim/perf/nodes.h"

#include <math.h>

#define MOST 7

static const struct table_row {
    const char *what;
    size_t count;
    double nodes[MOST], rate[MOST], linear[MOST], factor[MOST], reference[MOST],
        difference_pct[MOST];
    const char *refusal; /* NULL: the table is fine */
} table_rows[] = {
    {"126M on Kubernetes as printed",
     3,
     {1, 2, 4},
     {892208, 1724417, 3568835},
     {0},
     {0},
     {919803, 1747626, 3236345},
     {2.78, 1.33, -1.00},
     "4 nodes run 4.000 times as fast as 1, but 2 only 1.933 times; efficiency cannot rise from "
     "96.6 to 100.0 % as nodes "
     "are added, so 892208 or 3568835 is a misprint; its difference of -1.00 % to 3236345 says "
     "about 3268708, which is 3268835 with one digit put right"},
    {"corrected",
     3,
     {1, 2, 4},
     {894208, 1724417, 3268835},
     {0},
     {1, 1.93, 3.65},
     {919803, 1747626, 3236345},
     {2.78, 1.33, -1.00},
     NULL},
    {"corrected, with its printed perfect scaling",
     3,
     {1, 2, 4},
     {894208, 1724417, 3268835},
     {894208, 1784416, 3268832},
     {0},
     {0},
     {0},
     "at 2 nodes it prints 1784416 for perfect scaling, but 2 times 894208 is 1788416"},
    {"only the last figure wrong",
     3,
     {1, 2, 4},
     {894208, 1724417, 3568835},
     {0},
     {1, 1.93, 3.65},
     {0},
     {0},
     "its speed-up of 3.65 says about 3263859, which is 3268835 with one digit put right"},
    {"only the first figure wrong",
     3,
     {1, 2, 4},
     {892208, 1724417, 3268835},
     {0},
     {0},
     {919803, 1747626, 3236345},
     {2.78, 1.33, -1.00},
     "at 1 nodes it prints a difference of 2.78 %, but between 919803 and 892208 there are 3.00 %; "
     "its difference of 2.78 % to 919803 says about 894232, which is 894208 with one digit put "
     "right"},
    {"a wrong speed-up",
     3,
     {1, 2, 4},
     {894208, 1724417, 3268835},
     {0},
     {1, 1.93, 3.75},
     {0},
     {0},
     "it prints a speed-up of 3.75, but 3268835 is 3.656 times 894208"},
    {"5B on Kubernetes",
     3,
     {1, 2, 4},
     {48131, 95545, 182791},
     {0},
     {1, 1.985, 3.79},
     {48941, 97541, 185090},
     {0},
     NULL},
    {"5B on bare metal",
     3,
     {1, 2, 4},
     {48941, 97541, 185090},
     {0},
     {1, 1.99, 3.78},
     {0},
     {0},
     NULL},
    {"NeMo 5B",
     7,
     {1, 2, 5, 9, 10, 18, 20},
     {39543, 79128, 195047, 344523, 383500, 670254, 731791},
     {0},
     {0},
     {0},
     {0},
     NULL},
    {"NeMo BERT-4B",
     5,
     {1, 2, 4, 8, 16},
     {57287, 108695, 215358, 393167, 728178},
     {0},
     {0},
     {0},
     {0},
     NULL},
    {"NeMo T5-3B",
     6,
     {1, 2, 4, 5, 10, 20},
     {110769, 215579, 417644, 515100, 957506, 1626353},
     {0},
     {0},
     {0},
     {0},
     NULL},
    {"sizes fall",
     3,
     {1, 4, 2},
     {10, 30, 19},
     {0},
     {0},
     {0},
     {0},
     "row 3: expected more than 4 nodes, got 2"},
    {"no rate", 2, {1, 2}, {10, 0}, {0}, {0}, {0}, {0}, "row 2: sizes and rates must be above 0"},
    {"nothing", 0, {0}, {0}, {0}, {0}, {0}, {0}, NULL},
};

static const double *column(const double *numbers, size_t count)
{
    return count && numbers[0] > 0 ? numbers : NULL;
}

START_TEST(tables_agree_with_themselves_or_are_refused)
{
    const struct table_row *row = &table_rows[_i];
    struct perf_table table = {.count = row->count,
                               .nodes = row->nodes,
                               .rate = row->rate,
                               .linear = column(row->linear, row->count),
                               .factor = column(row->factor, row->count),
                               .reference = column(row->reference, row->count),
                               .difference_pct = column(row->difference_pct, row->count)};
    struct err err = {0};
    bool ok = perf_table_check(&table, &err);
    ck_assert_msg(ok == !row->refusal, "%s: %s", row->what, ok ? "accepted" : err.msg);
    if (!ok) {
        ck_assert_int_eq(err.code, EXIT_INPUT);
        harness_contains(err.msg, row->refusal);
    }
}
END_TEST

/* Whole DGX A100: 524,288 / (86.1/16 + 15/8 x 15.15 / (0.9 x 230) + 0.02) = 94,663 on two, 0.9 %
 * below the table. */
static const struct {
    double work_s, nodes[2], rate[2], tolerance;
    const char *refusal;
} follow_rows[] = {
    {86.1, {1, 2}, {48131, 95545}, 0.02, NULL},
    {86.1, {1, 2}, {48131, 95545}, 0.005, "the model contradicts the table: 2 nodes run 94663"},
    {90,
     {1, 2},
     {48131, 95545},
     0.02,
     "1 nodes run 46050 samples a second by the model, 48131 by the table: -4.3 %"},
    {86.1, {1, 2.5}, {48131, 95545}, 0.5, "row 2: expected a whole number of nodes, got 2.5"},
    {86.1, {0.5, 1}, {24000, 48131}, 0.5, "row 1: expected a whole number of nodes, got 0.5"},
};

START_TEST(models_follow_their_table_or_are_refused)
{
    struct perf_rules rules;
    struct node_traits dgx = nodes_dgx_a100();
    struct perf_part part = perf_part(&dgx, 8, 8);
    struct perf_model model = perf_model_empty();
    struct err err = {0};
    perf_rules_init(&rules);
    model.work_s = follow_rows[_i].work_s;
    model.batch = 524288;
    model.gradient_gb = 15.15;
    model.fixed_s = 0.02;
    struct perf_table table = {
        .count = 2, .nodes = follow_rows[_i].nodes, .rate = follow_rows[_i].rate};
    bool ok = perf_table_follow(&table, &rules, &model, &part, follow_rows[_i].tolerance, &err);
    ck_assert_msg(ok == !follow_rows[_i].refusal, "%s", ok ? "accepted" : err.msg);
    if (!ok)
        harness_contains(err.msg, follow_rows[_i].refusal);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("table");
    TCase *tcase = tcase_create("contradictions");
    tcase_add_loop_test(tcase, tables_agree_with_themselves_or_are_refused, 0, ROWS(table_rows));
    tcase_add_loop_test(tcase, models_follow_their_table_or_are_refused, 0, ROWS(follow_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
