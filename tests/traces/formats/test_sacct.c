/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of sacct, with the fields in use at different sites. */
#include "tests/traces/formats/told.h"

#define FULL                                                                                       \
    "JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|NNodes|"   \
    "ReqTRES|"                                                                                     \
    "AllocTRES|Restarts\n"
#define SHORT "JobIDRaw|State|Submit|Start|ElapsedRaw|TimelimitRaw|ReqTRES\n"

#define UNFINISHED                                                                                 \
    "JobID|User|State|Submit|Start|ElapsedRaw|Timelimit|ReqTRES\n"                                 \
    "1|ann|COMPLETED|1|1|100|05:00|gres/gpu=1\n2|ann|COMPLETED|2|2|300|05:00|gres/gpu=1\n"         \
    "3|ann|PENDING|3|Unknown|0|04:10|gres/gpu=1\n4|ann|RUNNING|4|5|150|04:10|gres/gpu=1\n"         \
    "5|bob|PENDING|5|Unknown|0|01:10|gres/gpu=1\n6|bob|RUNNING|6|7|9|UNLIMITED|gres/gpu=1\n"
#define ENDED                                                                                      \
    "job_id=1 submit_s=1 duration_s=100 gpus=1 queue=default user=ann status=completed "           \
    "time_limit_s=300 start_s=1\n"                                                                 \
    "job_id=2 submit_s=2 duration_s=300 gpus=1 queue=default user=ann status=completed "           \
    "time_limit_s=300 start_s=2\n"

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
     "job_id=104 submit_s=1767607207 duration_s=600 queue=gpu user=cat gpus_per_task=1 "
     "cpus_per_task=4 start_s=1767607207 attempts=1\n"
     "note 1 step of a job, row dropped\nnote 1 never started, row dropped\n"
     "note 1 still running when the log ends: its run time so far is taken, a lower bound (option "
     "unfinished)\n"},
    /* ann's jobs ran 100 s and 300 s: 200 s on average for a pending one, 300 s for one that has
     * run for 150 s, at most 250 s. */
    {"sacct", UNFINISHED, "unfinished", "user",
     ENDED
     "job_id=3 submit_s=3 duration_s=200 gpus=1 queue=default user=ann time_limit_s=250\n"
     "job_id=4 submit_s=4 duration_s=250 gpus=1 queue=default user=ann time_limit_s=250 start_s=5\n"
     "job_id=5 submit_s=5 duration_s=70 gpus=1 queue=default user=bob time_limit_s=70\n"
     "job_id=6 submit_s=6 duration_s=9 gpus=1 queue=default user=bob start_s=7\n"
     "note 2 still running or pending when the log ends: its user's mean run time is taken\n"
     "note 1 still running or pending when the log ends: its time limit is taken\n"
     "note 1 still running when the log ends: its run time so far is taken, a lower bound (option "
     "unfinished)\n"},
    {"sacct", UNFINISHED, "unfinished", "limit",
     ENDED
     "job_id=3 submit_s=3 duration_s=250 gpus=1 queue=default user=ann time_limit_s=250\n"
     "job_id=4 submit_s=4 duration_s=250 gpus=1 queue=default user=ann time_limit_s=250 start_s=5\n"
     "job_id=5 submit_s=5 duration_s=70 gpus=1 queue=default user=bob time_limit_s=70\n"
     "job_id=6 submit_s=6 duration_s=9 gpus=1 queue=default user=bob start_s=7\n"
     "note 3 still running or pending when the log ends: its time limit is taken\n"
     "note 1 still running when the log ends: its run time so far is taken, a lower bound (option "
     "unfinished)\n"},
    {"sacct", UNFINISHED, "unfinished", "elapsed",
     ENDED
     "job_id=4 submit_s=4 duration_s=150 gpus=1 queue=default user=ann time_limit_s=250 start_s=5\n"
     "job_id=6 submit_s=6 duration_s=9 gpus=1 queue=default user=bob start_s=7\n"
     "note 2 pending when the log ends, row dropped (option unfinished=limit or user keeps it)\n"
     "note 2 still running when the log ends: its run time so far is taken, a lower bound (option "
     "unfinished)\n"},
    {"sacct", UNFINISHED, "unfinished", "drop",
     ENDED "note 4 still running or pending when the log ends, row dropped\n"},
    /* The same job again: numbered, only its first row, or refused. */
    {"sacct", SHORT "7|FAILED|1|2|3||gres/gpu=1\n7|COMPLETED|1|9|4||gres/gpu=1\n", NULL, NULL,
     "job_id=7 submit_s=1 duration_s=3 gpus=1 queue=default status=failed start_s=2\n"
     "job_id=7#2 submit_s=1 duration_s=4 gpus=1 queue=default status=completed start_s=9\n"
     "note 1 the job id again, as of a requeued job: its further runs are ID#2, ID#3\n"},
    {"sacct", SHORT "7|FAILED|1|2|3||gres/gpu=1\n7|COMPLETED|1|9|4||gres/gpu=1\n", "duplicates",
     "first",
     "job_id=7 submit_s=1 duration_s=3 gpus=1 queue=default status=failed start_s=2\n"
     "note 1 the job id again, row dropped (option duplicates=first)\n"},
    {"native", "job_id,submit_s,duration_s,gpus\n7,1,3,1\n7,1,4,1\n", "duplicates", "number",
     "job_id=7 submit_s=1 duration_s=3 gpus=1 queue=default\n"
     "job_id=7#2 submit_s=1 duration_s=4 gpus=1 queue=default\n"
     "note 1 the job id again, as of a requeued job: its further runs are ID#2, ID#3\n"},
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
    /* Generic resources of old versions: for all nodes together; types are kept; brackets are
     * places of devices; other resources do not matter. */
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
    /* Both fields agree. */
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
    {"sacct", SHORT "7|FAILED|1|1|60|1|cpu=8\n7|FAILED|1|1|60|1|cpu=8\n", "duplicates", "reject",
     "t:3:1: the job id '7' is that of line 2 too"},
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
