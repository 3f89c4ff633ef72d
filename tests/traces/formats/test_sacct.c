/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sacct prints, with the fields in use at different sites. */
#include "tests/traces/formats/told.h"

#define FULL                                                                                       \
    "JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|NNodes|"   \
    "ReqTRES|"                                                                                     \
    "AllocTRES|Restarts\n"
#define SHORT "JobIDRaw|State|Submit|Start|ElapsedRaw|TimelimitRaw|ReqTRES\n"

static const struct told_row rows[] = {
    /* Two nodes of 4 GPUs; a step; one with a quote in its name; one never started; one still
     * running. */
    {"sacct",
     FULL "101|ann|lab|gpu|high|COMPLETED|2026-01-05T10:00:00|2026-01-05T10:30:00|2026-01-05T11:00:"
          "00|2026-01-06T12:00:01|1-01:00:01|2-00:00:00|2|billing=96,cpu=96,gres/gpu:a100=8,gres/"
          "gpu=8,mem=1T,node=2|billing=96,cpu=96,gres/gpu:a100=8,gres/gpu=8,mem=1T,node=2|1\n"
          "101.batch||lab|||COMPLETED|2026-01-05T11:00:00|2026-01-05T11:00:00|2026-01-05T11:00:00|"
          "2026-01-06T12:00:01|1-01:00:01||1||cpu=48,mem=512G,node=1|0\n"
          "102_7|b\"o|lab|gpu|low|CANCELLED by "
          "1000|2026-01-05T10:00:05|Unknown|2026-01-05T10:00:06|2026-01-05T10:00:36|00:00:30|"
          "UNLIMITED|1|cpu=4,gres/gpu:a100=1,mem=16000M,node=1||0\n"
          "103|cat|lab|gpu|low|CANCELLED by "
          "1000|2026-01-05T10:00:06|Unknown|None|2026-01-05T10:01:00|00:00:00|UNLIMITED|1|cpu=4,"
          "gres/gpu=1,node=1||0\n"
          "104|cat|lab|gpu|low|RUNNING|2026-01-05T10:00:07|Unknown|2026-01-05T10:00:07|Unknown|00:"
          "10:00|UNLIMITED|1|cpu=4,gres/gpu=1,node=1||0\n",
     NULL, NULL,
     "job_id=101 submit_s=1767607200 duration_s=90001 queue=gpu user=ann status=completed "
     "time_limit_s=172800 gpus_per_task=4 gpu_type=a100 cpus_per_task=48 mem_mib_per_task=524288 "
     "tasks=2 eligible_s=1767609000 start_s=1767610800 end_s=1767700801 attempts=2\n"
     "job_id=102_7 submit_s=1767607205 duration_s=30 queue=gpu user=\"b\"\"o\" status=cancelled "
     "gpus_per_task=1 gpu_type=a100 cpus_per_task=4 mem_mib_per_task=16000 start_s=1767607206 "
     "end_s=1767607236 attempts=1\n"
     "note 1 step of a job, row dropped\nnote 1 never started, row dropped\n"
     "note 1 still running or suspended when the log ends, row dropped\n"},
    {"sacct",
     SHORT "7|TIMEOUT|1767607200|1767607201|60|1|cpu=8,gres/gpu=3,mem=0.5G\n"
           "8|OUT_OF_MEMORY|1767607200|1767607201|5|Partition_Limit|cpu=8,gres/gpu:v100=1,gres/"
           "gpu:p100=1,node=1\n"
           "9|PREEMPTED|1767607200|1767607201|5||cpu=6,node=1\n"
           "10|NODE_FAIL|1767607200|1767607201|5||cpu=6\n",
     NULL, NULL,
     "job_id=7 submit_s=1767607200 duration_s=60 gpus=3 queue=default status=failed "
     "time_limit_s=60 start_s=1767607201 cause=timeout\n"
     "job_id=8 submit_s=1767607200 duration_s=5 queue=default status=failed gpus_per_task=2 "
     "cpus_per_task=8 start_s=1767607201 cause=out_of_memory\n"
     "job_id=9 submit_s=1767607200 duration_s=5 queue=default status=cancelled gpus_per_task=0 "
     "cpus_per_task=6 start_s=1767607201 cause=preempted\n"
     "job_id=10 submit_s=1767607200 duration_s=5 gpus=0 queue=default status=failed "
     "cpus_per_task=6 start_s=1767607201 cause=node_fail\n"},
    {"sacct",
     "JobID|State|Submit|End|Start|ReqTRES|\n1|COMPLETED|2026-01-05T18:00:00|2026-01-05T18:00:09|"
     "2026-01-05T18:00:02|gres/gpu=1,node=1|\n",
     "utc_offset", "+08:00",
     "job_id=1 submit_s=1767607200 duration_s=7 queue=default status=completed gpus_per_task=1 "
     "start_s=1767607202 end_s=1767607209\n"},
    {"sacct",
     "JobID|State|Submit|Elapsed|ReqTRES|AllocTRES\n1|COMPLETED|2026-01-05T10:00:00|01:00|gres/"
     "gpu=1,node=1|gres/gpu=4,node=2\n",
     "tres", "allocated",
     "job_id=1 submit_s=1767607200 duration_s=60 queue=default status=completed gpus_per_task=2 "
     "tasks=2\n"
     "note 1 GPUs requested and allocated differ (option tres says which are used)\n"},
    {"sacct",
     "JobID|Account|Partition|State|Submit|Elapsed|ReqTRES\n1|lab|gpu|COMPLETED|2026-01-05T10:00:"
     "00|01:00|node=1,cpu=1\n",
     "queue", "account",
     "job_id=1 submit_s=1767607200 duration_s=60 queue=lab status=completed gpus_per_task=0 "
     "cpus_per_task=1\n"},
    /* Generic resources of old versions: of all nodes together; types are kept; brackets say where
     * devices are; other resources do not matter. */
    {"sacct",
     "JobID|State|Submit|Elapsed|NNodes|ReqGRES|AllocGRES\n"
     "1|COMPLETED|2026-01-05T10:00:00|01:00|2|gpu:h100:16|gpu:h100:16\n"
     "2|COMPLETED|2026-01-05T10:00:01|01:00|1|gres:gpu:a100:8|\n"
     "3|COMPLETED|2026-01-05T10:00:02|01:00|1|bandwidth:1G,gpu:4(S:0,1)|\n"
     "4|COMPLETED|2026-01-05T10:00:03|01:00|1|gpu|\n"
     "5|COMPLETED|2026-01-05T10:00:04|01:00|1|gpu:v100|\n"
     "6|COMPLETED|2026-01-05T10:00:05|01:00|1||gpu:v100:2(IDX:0-1),nic:1\n",
     NULL, NULL,
     "job_id=1 submit_s=1767607200 duration_s=60 queue=default status=completed gpus_per_task=8 "
     "gpu_type=h100 tasks=2\n"
     "job_id=2 submit_s=1767607201 duration_s=60 queue=default status=completed gpus_per_task=8 "
     "gpu_type=a100\n"
     "job_id=3 submit_s=1767607202 duration_s=60 queue=default status=completed gpus_per_task=4\n"
     "job_id=4 submit_s=1767607203 duration_s=60 queue=default status=completed gpus_per_task=1\n"
     "job_id=5 submit_s=1767607204 duration_s=60 queue=default status=completed gpus_per_task=1 "
     "gpu_type=v100\n"
     "job_id=6 submit_s=1767607205 duration_s=60 queue=default status=completed gpus_per_task=2 "
     "gpu_type=v100\n"},
    /* Both fields say the same. */
    {"sacct",
     "JobID|State|Submit|Elapsed|NNodes|ReqTRES|ReqGRES\n"
     "1|COMPLETED|2026-01-05T10:00:00|01:00|1|cpu=8,gres/gpu=8|gpu:8\n",
     NULL, NULL,
     "job_id=1 submit_s=1767607200 duration_s=60 queue=default status=completed gpus_per_task=8 "
     "cpus_per_task=8\n"},
    {"sacct",
     "JobID|State|Submit|Elapsed|NNodes|ReqTRES\n"
     "1|COMPLETED|2026-01-05T10:00:00|01:00|1|cpu=8,gres:gpu:h100:8\n",
     NULL, NULL,
     "job_id=1 submit_s=1767607200 duration_s=60 queue=default status=completed gpus_per_task=8 "
     "gpu_type=h100 cpus_per_task=8\n"},
};

START_TEST(what_is_read)
{
    told_check(&rows[_i]);
}
END_TEST

static const struct told_row wrong[] = {
    {"sacct", SHORT "7|DONE|1|1|60|1|cpu=8\n", NULL, NULL,
     "t:2:2: column 'State': 'DONE' is not valid, expected COMPLETED"},
    {"sacct", SHORT "7|FAILED|1|1|60|1|cpu=8,mem\n", NULL, NULL, "t:2:7: column 'ReqTRES'"},
    {"sacct", SHORT "7|FAILED|1|1|60|1|cpu=8,gres/gpu:=1\n", NULL, NULL, "t:2:7: column 'ReqTRES'"},
    {"sacct", SHORT "7|FAILED|1|1|60|1|gpu:h100:x\n", NULL, NULL, "t:2:7: column 'ReqTRES'"},
    {"sacct", SHORT "7|FAILED|1|1|60|1|gpu:8x\n", NULL, NULL, "t:2:7: column 'ReqTRES'"},
    {"sacct", SHORT "7|FAILED|1|1|60|1|gpu::8\n", NULL, NULL, "t:2:7: column 'ReqTRES'"},
    {"sacct", SHORT "7|FAILED|1|1|60|1|gpu:\n", NULL, NULL, "t:2:7: column 'ReqTRES'"},
    {"sacct", SHORT "7|FAILED|1|1|60|1|cpu=8,gres/gpu=many\n", NULL, NULL,
     "t:2:7: column 'ReqTRES'"},
    {"sacct", SHORT "7|FAILED|1|1|1:00|1|cpu=8\n", NULL, NULL, "t:2:5: column 'ElapsedRaw'"},
    {"sacct", SHORT "|FAILED|1|1|1|1|cpu=8\n", NULL, NULL, "t:2:1: no number of the job"},
    {"sacct", SHORT "7|FAILED|1|1|1|1|cpu=8|more\n", NULL, NULL, "more fields than the header"},
    {"sacct", "JobID|State|Submit|Elapsed\n", NULL, NULL,
     "none of the columns 'ReqTRES', 'AllocTRES'"},
    {"sacct", SHORT, "utc_offset", "Berlin", "expected an offset such as +08:00"},
};

START_TEST(what_is_refused)
{
    told_refuse(&wrong[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sacct");
    TCase *tcase = tcase_create("sacct");
    tcase_add_loop_test(tcase, what_is_read, 0, ROWS(rows));
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
