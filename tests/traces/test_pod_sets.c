/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roles of jobs as text: reading, sums, and refusals. */
#include "traces/pod_sets.h"

#include "tests/lib/harness.h"

#include <string.h>

START_TEST(all_settings_are_read)
{
    struct trace_roles r;
    struct err err = {0};
    ck_assert(
        trace_roles_read("[outer] preferred=pod; [inner] required=rack in=outer ;"
                         "  worker tasks=8 min=6 gpus=2 cpus=1.5 mem_mib=7 in=inner;"
                         "share gpu_milli=250 gpu_type=a100|h100; mem gpu_mem_mib=900 gpus=3 ;"
                         "slice mig=3g.40gb required=leaf\tpreferred=nvlink in=outer; ps",
                         &r, &err));
    ck_assert_int_eq(r.role_count, 5);
    ck_assert_int_eq(r.group_count, 2);
    ck_assert_str_eq(r.groups[0].name, "outer");
    ck_assert_str_eq(r.groups[0].preferred, "pod");
    ck_assert_int_eq(r.groups[1].parent, 1);
    ck_assert_str_eq(r.groups[1].required, "rack");
    const struct trace_role *w = &r.roles[0];
    ck_assert_str_eq(w->name, "worker");
    ck_assert(w->tasks == 8 && w->min_tasks == 6 && w->gpus == 2 && w->cpu_milli == 1500);
    ck_assert(w->mem_mib == 7 && w->group == 2);
    ck_assert(r.roles[1].gpus == 1 && r.roles[1].gpu_milli == 250);
    ck_assert_str_eq(r.roles[1].gpu_types, "a100|h100");
    ck_assert(r.roles[2].gpus == 3 && r.roles[2].gpu_mem_mib == 900);
    ck_assert_str_eq(r.roles[3].mig, "3g.40gb");
    ck_assert_str_eq(r.roles[3].required, "leaf");
    ck_assert_str_eq(r.roles[3].preferred, "nvlink");
    ck_assert(r.roles[4].tasks == 1 && r.roles[4].min_tasks == 1 && r.roles[4].gpus == 0);
    /* 8 x 2 + 0.25 + 3 + 3/7 GPUs; 6 tasks of the first role must run */
    struct trace_role_sums sums = trace_roles_sum(&r);
    ck_assert_int_eq(sums.tasks, 12);
    ck_assert_int_eq(sums.min_tasks, 10);
    ck_assert_int_eq(sums.milli, 16000 + 250 + 3000 + 428);
    ck_assert_int_eq(sums.min_milli, 12000 + 250 + 3000 + 428);
}
END_TEST

/* Groups are in the order of a snapshot, each before those inside it. */
START_TEST(groups_are_in_order_of_depth)
{
    struct trace_roles r;
    struct err err = {0};
    ck_assert(trace_roles_read(
        "[a]; [b]; [a1] in=a; [b1] in=b; [a2] in=a; x in=a1; y in=b1; z in=a2", &r, &err));
    static const struct {
        const char *name;
        int32_t parent;
    } expected[] = {{"a", 0}, {"a1", 1}, {"a2", 1}, {"b", 0}, {"b1", 4}};
    ck_assert_int_eq(r.group_count, ROWS(expected));
    for (int i = 0; i < ROWS(expected); i++) {
        ck_assert_str_eq(r.groups[i].name, expected[i].name);
        ck_assert_int_eq(r.groups[i].parent, expected[i].parent);
    }
    ck_assert_int_eq(r.roles[0].group, 2);
    ck_assert_int_eq(r.roles[1].group, 5);
    ck_assert_int_eq(r.roles[2].group, 3);
}
END_TEST

static const struct {
    const char *text, *says;
} refused[] = {
    {"worker;", "an empty entry"},
    {"worker task=8", "unknown setting 'task' of role 'worker', did you mean 'tasks'?"},
    {"[g] tasks=8; w in=g", "unknown setting 'tasks' of group 'g'"},
    {"worker tasks=0", "'tasks' of 'worker' is '0', expected a number from 1 to 1000000"},
    {"worker tasks=x", "is 'x'"},
    {"worker tasks", "expected KEY=VALUE"},
    {"tasks=8", "where a role begins: expected its name"},
    {"worker tasks=4 min=5", "min=5 above its tasks, 4"},
    {"worker tasks=4 tasks=5", "'tasks' is given twice for 'worker'"},
    {"worker gpus=1; worker", "two roles of the name 'worker'"},
    {"[g]; [g]; w in=g", "two groups of the name 'g'"},
    {"worker in=g", "is in 'g', expected the name of a group"},
    {"[g]; worker", "no role is in group 'g'"},
    {"[g]", "groups without a role"},
    {"[a] in=b; [b]; w in=a; v in=b", "'a' is in 'b', expected the name of a group before it"},
    {"[g; w in=g", "expected its name as [NAME]"},
    {"w mig=1g.5gb gpus=1", "both mig and gpus"},
    {"w gpu_milli=5 gpus=0", "a share of devices with gpus=0"},
    {"w gpu_milli=5 gpu_mem_mib=5", "more than one of"},
    {"w gpu_milli=1000", "from 1 to 999"},
    {"w cpus=-1", "is '-1'"},
    {"a_name_that_is_longer_than_all_roles", "expected 1 to 31 characters"},
    {"a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p;q", "more than 16 roles"},
};

START_TEST(mistakes_are_named)
{
    struct trace_roles r;
    struct err err = {0};
    ck_assert_msg(!trace_roles_read(refused[_i].text, &r, &err), "%s", refused[_i].text);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, refused[_i].says);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pod sets");
    TCase *tcase = tcase_create("roles");
    tcase_add_test(tcase, all_settings_are_read);
    tcase_add_test(tcase, groups_are_in_order_of_depth);
    tcase_add_loop_test(tcase, mistakes_are_named, 0, ROWS(refused));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
