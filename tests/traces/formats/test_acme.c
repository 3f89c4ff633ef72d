/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Acme: rows of both forms as in their description, including the wait in Kalos' durations. */
#include "tests/traces/formats/told.h"

#define SEREN                                                                                      \
    "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"    \
    "queue,"                                                                                       \
    "gpu_time\n"
#define KALOS                                                                                      \
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_"    \
    "time,"                                                                                        \
    "start_time,end_time,fail_time,stop_time,duration,queue,gpu_time\n"

static const struct told_row rows[] = {
    {"acme",
     SEREN
     "5778432,u5907,1,8,0,Other,COMPLETED,2023-03-01 00:00:10+08:00,2023-03-01 "
     "00:00:12+08:00,2023-03-01 00:02:09+08:00,117,2.0,936\n"
     "5778433,u5907,2,16,64,Debug,TIMEOUT,2023-03-01 00:00:11+08:00,2023-03-01 00:00:12+08:00,"
     "2023-03-01 00:00:22+08:00,10,1,160\n"
     "5778434,u5907,2,16,64,SFT,CANCELLED,2023-03-01 00:00:11+08:00,,,,,\n",
     NULL, NULL,
     "job_id=5778432 submit_s=1677600010 duration_s=117 queue=Other user=u5907 status=completed "
     "gpus_per_task=8 start_s=1677600012 end_s=1677600129\n"
     "job_id=5778433 submit_s=1677600011 duration_s=10 queue=Debug user=u5907 class=build "
     "status=failed gpus_per_task=8 cpus_per_task=32 tasks=2 start_s=1677600012 end_s=1677600022 "
     "cause=timeout\n"
     "note 1 no start or no end, row dropped\n"},
    {"acme",
     KALOS
     "dlctk696s0jbvitv,uf794,2,16,240,1000,100,Pretrain,FAILED,2023-05-17 11:00:00+00:00,"
     "2023-05-17 11:00:10+00:00,2023-05-17 11:00:18+00:00,2023-05-17 11:00:18+00:00,,18,10,288\n",
     NULL, NULL,
     "job_id=dlctk696s0jbvitv submit_s=1684321200 duration_s=8 queue=Pretrain user=uf794 "
     "status=failed gpus_per_task=8 cpus_per_task=120 mem_mib_per_task=1024000 tasks=2 "
     "start_s=1684321210 end_s=1684321218\nnote 1 duration differs from end_time - start_time, the "
     "times are used\n"},
};

START_TEST(what_is_read)
{
    told_check(&rows[_i]);
}
END_TEST

// clang-format off
static const struct told_row wrong[] = {
    {"acme", SEREN "1,u,1,8,0,Other,COMPLETED,2023-03-01,,,1,2,936\n", NULL, NULL,
     "t:2:8: column 'submit_time'"},
    {"acme", SEREN "1,u,1,8,0,Other,GONE,2023-03-01 00:00:10+08:00,,,1,2,936\n", NULL, NULL,
     "t:2:7: column 'state'"},
};
// clang-format on

START_TEST(what_is_refused)
{
    told_refuse(&wrong[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("acme");
    TCase *tcase = tcase_create("acme");
    tcase_add_loop_test(tcase, what_is_read, 0, ROWS(rows));
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
