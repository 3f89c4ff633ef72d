/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faults.csv of hand-made runs, compared as text. */
#include "report/record/faults_csv.h"
#include "tests/lib/folder.h"
#include "tests/sim/listed.h"

static char *run(struct small *s)
{
    struct folder folder;
    struct faults_csv csv = {0};
    folder_make(&folder);
    ck_assert(faults_csv_open(&csv, folder.path, &s->err));
    small_observe(s, faults_csv_observer(&csv));
    small_run(s);
    ck_assert(out_close(csv.out, &s->err));
    char *text = folder_read(&folder, "faults.csv");
    folder_remove(&folder);
    small_end(s);
    return text;
}

#define HEADER "time_s,class,effect,nodes,node,device,detected_s,repair_s\n"

/* The last one comes after the only job has ended, so it has no effect. */
START_TEST(every_fault_that_strikes_is_a_row)
{
    struct small s;
    struct listed l = {0};
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 3, 4);
    small_job(&s, "a", 0, 100000, 4);
    listed_add(&s, &l, 10, SIM_FAULT_KILLS, 1, 5, 20)->device = 3;
    listed_add(&s, &l, 20, SIM_FAULT_SLOWS, 2, 0, 2)->slow_ppm = 500000;
    struct sim_fault *whole_nodes = listed_add(&s, &l, 30, SIM_FAULT_CORRUPTS, 1, 9, 0);
    whole_nodes->class = 1;
    whole_nodes->node_count = 2;
    l.nodes[2][1] = 2;
    listed_add(&s, &l, 40, SIM_FAULT_DRAINS, 2, 30, 15);
    listed_add(&s, &l, 500, SIM_FAULT_KILLS, 0, 0, 0);
    char *text = run(&s);
    ck_assert_str_eq(text, HEADER "10,one,kills,1,p-1,3,15,20\n"
                                  "20,one,slows,1,p-2,,20,2\n"
                                  "30,two,corrupts,2,p-1,,39,0\n"
                                  "40,one,drains,1,p-2,,70,15\n");
    free(text);
}
END_TEST

START_TEST(without_faults_there_are_no_rows)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 4);
    small_job(&s, "a", 0, 100000, 4);
    char *text = run(&s);
    ck_assert_str_eq(text, HEADER);
    free(text);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
    struct faults_csv csv = {0};
    struct err err = {0};
    ck_assert(!faults_csv_open(&csv, "/nonexistent/folder", &err));
    harness_contains(err.msg, "/nonexistent/folder");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults_csv");
    TCase *tcase = tcase_create("faults_csv");
    tcase_add_test(tcase, every_fault_that_strikes_is_a_row);
    tcase_add_test(tcase, without_faults_there_are_no_rows);
    tcase_add_test(tcase, a_folder_that_is_not_there_is_an_error);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
