/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slurm's job table, with rows like those of MIT SuperCloud: quoted lists, numbers converted to
 * floating point and back. */
#include "tests/traces/formats/told.h"

#define HEAD                                                                                       \
    "id_job,id_user,nodes_alloc,nodelist,partition,state,timelimit,time_submit,time_eligible,"     \
    "time_start,"                                                                                  \
    "time_end,time_suspended,tres_alloc,tres_req,job_type\n"

static const struct told_row rows[] = {
    {"slurm",
     HEAD "20598700000000.0,5042570000000.0,2,\"['r1-n8', "
          "'r2-n8']\",normal,3,60,1615567076,1615567080,1615567090,1615567615,5,\"1=80,2=680000,4="
          "2,5=80,1002=4\",\"1=80,2=680000,4=2,5=80,1002=4\",OTHER\n"
          "2,3,1,['r1-n8'],normal,6,4294967295,1615567076,0,1615567076,1615567086,0,\"1=40,2="
          "340000,4=1\",\"1=1,2=8500,3=18446744073709551614,4=1,5=1\",LLSUB:INTERACTIVE\n"
          "3,3,1,['r1-n8'],normal,1,4294967295,1615567077,0,1615567077,0,0,4=1,4=1,OTHER\n"
          "4,3,1,['r1-n8'],normal,4,4294967294,1615567078,0,0,1615567099,0,,\"1=1,4=1\",OTHER\n",
     NULL, NULL,
     "job_id=20598700000000.0 submit_s=1615567076 duration_s=520 queue=normal user=5042570000000.0 "
     "status=completed time_limit_s=3600 gpus_per_task=2 cpus_per_task=40 mem_mib_per_task=340000 "
     "tasks=2 eligible_s=1615567080 start_s=1615567090 end_s=1615567615\n"
     "job_id=2 submit_s=1615567076 duration_s=10 queue=normal user=3 class=build status=failed "
     "gpus_per_task=0 cpus_per_task=1 mem_mib_per_task=8500 start_s=1615567076 end_s=1615567086 "
     "cause=timeout\n"
     "note 1 still running when the log ends, run time not known, row dropped\n"
     "note 1 never started, row dropped\n"},
    {"slurm", HEAD "1,1,1,n,p,3,60,10,10,10,20,0,,\"1=2,4=1,1001=1,1002=9\",OTHER\n", "gpu_tres",
     "1001",
     "job_id=1 submit_s=10 duration_s=10 queue=p user=1 status=completed time_limit_s=3600 "
     "gpus_per_task=1 cpus_per_task=2 start_s=10 end_s=20\n"},
};

START_TEST(what_is_read)
{
    told_check(&rows[_i]);
}
END_TEST

static const struct told_row wrong[] = {
    {"slurm", HEAD "1,1,1,n,p,99,60,10,10,10,20,0,4=1,4=1,OTHER\n", NULL, NULL,
     "t:2:6: column 'state': '99'"},
    {"slurm", HEAD "1,1,1,n,p,3,-1,10,10,10,20,0,4=1,4=1,OTHER\n", NULL, NULL,
     "t:2:7: column 'timelimit'"},
    {"slurm", HEAD "1,1,1,n,p,3,1,10,10,10,20,0,4=1,1002,OTHER\n", NULL, NULL,
     "t:2:14: column 'tres_req'"},
};

START_TEST(what_is_refused)
{
    told_refuse(&wrong[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slurm");
    TCase *tcase = tcase_create("slurm");
    tcase_add_loop_test(tcase, what_is_read, 0, ROWS(rows));
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
