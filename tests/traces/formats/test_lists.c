/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats that are mainly a table of columns: a few rows of each, as in their files. */
#include "tests/traces/formats/told.h"

#define PHILLY_JOBS "timestamp,duration,num_gpus,gpu_time,cluster\n"
#define ALCF                                                                                       \
    ",job,user,project,state,gpu_num,cpu_num,node_num,submit_time,wait_time,run_time,wall_time,"   \
    "node_hour,"                                                                                   \
    "new_status\n"
#define JSSPP "u_id,user,gpu_num,cpu_num,node_num,interval,run_time,wall_time,new_status\n"
#define MURI                                                                                       \
    "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_"     \
    "time,"                                                                                        \
    "resource_time_0,resource_time_1,resource_time_2,priority\n"
#define CHRONUS                                                                                    \
    "job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,expect_time_list,"    \
    "expect_value_list,best_effort,job_type\n"
#define DLRM                                                                                       \
    "instance_sn,role,app_name,cpu_request,cpu_limit,gpu_request,gpu_limit,rdma_request,rdma_"     \
    "limit,"                                                                                       \
    "memory_request,memory_limit,disk_request,disk_limit,max_instance_per_node,creation_time,"     \
    "scheduled_time,deletion_time\n"
#define KALOS                                                                                      \
    "job_id,arrival_time,num_iteration,iteration_computing_time,iteration_networking_time,gpu_"    \
    "workers,ps,"                                                                                  \
    "gpu_per_worker,cpu_per_gpu_worker,cpu_per_ps_worker,tensorsizes,profiled_network\n"
#define SPOT                                                                                       \
    "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_" \
    "type\n"
#define DURATIONS "job_id,arrival_s,gpus,total_steps,v100_s,p100_s,k80_s\n"
#define POLLUX    "name,time,application,num_replicas,batch_size\n"

static const struct told_row rows[] = {
    /* 2017-10-09 07:01:55 in Pacific summer time is 14:01:55 UTC. */
    {"philly-jobs",
     PHILLY_JOBS "2017-10-09 07:01:55,66.0,2,132.0,11cb48\n2017-11-06 00:00:00,nan,1,,11cb48\n",
     NULL, NULL,
     "job_id=0 submit_s=1507557715 duration_s=66 gpus=2 queue=11cb48 status=completed\n"
     "note 1 no duration, row dropped\n"},
    {"lumos", ",run_time,wait_time,submit_time,gpu_num\n0,1389243,0,1502114581,1\n", NULL, NULL,
     "job_id=0 submit_s=1502114581 duration_s=1389243 gpus=1 queue=default\n"},
    {"alcf",
     ALCF "0,10120170,24166353244411.0,33510060530859.0,0,1.0,0,1.0,1672529197.0,5.0,2305.54,3600."
          "0,0.64,Pass\n"
          "1,10120171,0.0,0.0,0,2.0,0,2.0,1672529437.0,6.0,3602.3,0.0,1.0,Failed",
     NULL, NULL,
     "job_id=10120170 submit_s=1672529197 duration_s=2305.54 gpus=1 queue=33510060530859.0 "
     "user=24166353244411.0 status=completed time_limit_s=3600 start_s=1672529202\n"
     "job_id=10120171 submit_s=1672529437 duration_s=3602.3 gpus=2 queue=default status=failed "
     "start_s=1672529443\n"},
    {"alcf", ALCF "0,1,2,3,0,2.0,0,2.0,100.0,5.0,10,60,0,Killed\n", "unit_gpus", "8",
     "job_id=1 submit_s=100 duration_s=10 gpus=16 queue=3 user=2 status=cancelled time_limit_s=60 "
     "start_s=105\n"},
    {"jsspp",
     JSSPP "0,1,2,0,1,0,233,43200,Pass\n3,1,9,0,2,403,18.5,0,Killed\n5,2,0,64,2,7,1,0,Failed\n",
     NULL, NULL,
     "job_id=0 submit_s=0 duration_s=233 queue=default user=1 status=completed time_limit_s=43200 "
     "gpus_per_task=2\n"
     "job_id=3 submit_s=403 duration_s=18.5 gpus=9 queue=default user=1 status=cancelled\n"
     "job_id=5 submit_s=410 duration_s=1 queue=default user=2 status=failed gpus_per_task=0 "
     "cpus_per_task=32 tasks=2\n"
     "note 1 GPUs or cores do not divide among the nodes: only GPUs are used\n"},
    {"jsspp", JSSPP "0,1,0,86464,2702,0,233,43200,Pass\n", "count", "nodes",
     "job_id=0 submit_s=0 duration_s=233 gpus=2702 queue=default user=1 status=completed "
     "time_limit_s=43200\n"},
    {"reduced", "job_id,arrival_s,service_sec,gpu_count\n363167#0,0.0,172800.0,32\n", NULL, NULL,
     "job_id=363167#0 submit_s=0 duration_s=172800 gpus=32 queue=default\n"},
    {"reduced", "job_id,gpu_num,submit_s,duration_s\n14,1,60,79586\n", NULL, NULL,
     "job_id=14 submit_s=60 duration_s=79586 gpus=1 queue=default\n"},
    {"tiresias",
     "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n1,8,30,133,vgg11,147,"
     "23\n",
     NULL, NULL, "job_id=1 submit_s=30 duration_s=147 gpus=8 queue=default model=vgg11\n"},
    {"muri", MURI "1,8,201694000,8787693,dqn,128,4472936000,201694000,509,435,8,0.5,0\n", NULL,
     NULL, "job_id=1 submit_s=201694 duration_s=4472936 gpus=8 queue=default model=dqn\n"},
    {"elasticflow",
     "job_id,submit_time,real_iteration,model_name,ddl,batch_size,num_gpu,real_duration,duration,"
     "iteration\n"
     "1,219316,26446831,vgg16,2065619,64,4,1792395,1792300,26446831\n",
     NULL, NULL,
     "job_id=1 submit_s=219316 duration_s=1792395 gpus=4 queue=default "
     "estimate_s=1792300 model=vgg16 deadline_s=2065619\n"},
    {"chronus",
     CHRONUS "0,vc_ed69ec,1,5601,5530,mobilenet_v2,96,5,159-189-229-289,10-8-5-2,0,soft\n"
             "1,vc_ed69ec,0,5602,1,alexnet,1,1,9,1,1,best\n",
     NULL, NULL,
     "job_id=0 submit_s=336060 duration_s=5760 gpus=1 queue=vc_ed69ec preemptible=0 "
     "model=mobilenet_v2 deadline_s=345600\n"
     "job_id=1 submit_s=336120 duration_s=60 gpus=0 queue=vc_ed69ec preemptible=1 "
     "model=alexnet\n"
     "note 1 several deadlines: the first is taken\nnote 1 asks for no GPU\n"},
    {"gavel-durations", DURATIONS "0,5.5,4,925982,13237.672,20418.234,132629.877\n", NULL, NULL,
     "job_id=0 submit_s=5.5 duration_s=13237.672 gpus=4 queue=default\n"},
    {"gavel-durations", DURATIONS "0,0,4,925982,13237.672,20418.234,132629.877\n", "gpu", "k80",
     "job_id=0 submit_s=0 duration_s=132629.877 gpus=4 queue=default\n"},
    {"pollux", POLLUX "cifar10-0,101.0,cifar10,12,4096\n", "run_time", "1h",
     "job_id=cifar10-0 submit_s=101 duration_s=3600 queue=default gpus_per_task=1 tasks=12 "
     "model=cifar10\n"},
    {"pollux", POLLUX "ncf-1,1427,ncf,1,32768\n", "run_time", "90m",
     "job_id=ncf-1 submit_s=1427 duration_s=5400 queue=default gpus_per_task=1 model=ncf\n"},
    {"ones",
     "time,model,task,epoch_size,patience,batch_size,lr,max_lr,target_acc,num_gpus\n"
     "39,bert,cola,8000,5,16,5.00E-06,2.00E-05,0.8,2\n",
     "run_time", "1h", "job_id=0 submit_s=39 duration_s=3600 gpus=2 queue=default model=bert\n"},
    {"dlrm",
     DLRM "instance_0,HN,app_0,12,12,1,1,25,25,120.0,120.0,640.0,800.0,8,,,\n"
          "instance_1,CN,app_1,4.5,12,0,0,25,25,1.5,120.0,680.0,800.0,8,475,480,600\n",
     NULL, NULL,
     "job_id=instance_0 submit_s=0 duration_s=2678400 queue=app_0 class=inference "
     "gpus_per_task=1 cpus_per_task=12 mem_mib_per_task=122880\n"
     "job_id=instance_1 submit_s=475 duration_s=120 queue=app_1 class=inference "
     "gpus_per_task=0 cpus_per_task=4.5 mem_mib_per_task=1536 start_s=480 end_s=600\n"
     "note 1 existed before the trace: submitted at 0\n"
     "note 1 outlived the trace: runs to its end after 31 days\n"},
    {"acme-converted",
     KALOS
     "0,0.0,208,0.5,0.25,8,0,8.0,15.0,15.0,10.0,500\n1,313.0,7,0.5,0.25,1,0,2,12.5,0,0.5,1000\n",
     NULL, NULL,
     "job_id=0 submit_s=0 duration_s=104 queue=default status=completed gpus_per_task=8 "
     "cpus_per_task=120 mem_mib_per_task=1024000 tasks=8\n"
     "job_id=1 submit_s=313 duration_s=3.5 queue=default status=completed gpus_per_task=2 "
     "cpus_per_task=25 mem_mib_per_task=51200\n"},
    {"spot",
     SPOT "b,13,A10,8,0.25,1,0,100,Spot\nc,13,,8,1.5,2,5,100,Spot\na,57,H800,184,8.0,176,521463.0,"
          "342519.0,HP\n",
     NULL, NULL,
     "job_id=b submit_s=0 duration_s=100 queue=13 gpus_per_task=1 gpu_milli=250 "
     "gpu_type=A10 "
     "cpus_per_task=8 preemptible=1\n"
     "job_id=c submit_s=5 duration_s=100 queue=13 gpus_per_task=2 cpus_per_task=8 tasks=2 "
     "preemptible=1\n"
     "job_id=a submit_s=521463 duration_s=342519 queue=57 gpus_per_task=8 gpu_type=H800 "
     "cpus_per_task=184 tasks=176 preemptible=0\n"
     "note 1 running when the trace begins: its run time is the remaining time\n"
     "note 1 GPUs of a task above one and not whole, rounded up\n"},
};

START_TEST(what_is_read)
{
    told_check(&rows[_i]);
}
END_TEST

static const struct told_row wrong[] = {
    {"philly-jobs", PHILLY_JOBS "2017-10-09,66.0,2,132.0,11cb48\n", NULL, NULL,
     "t:2:1: column 'timestamp'"},
    {"jsspp", JSSPP "0,1,2,0,1,-4,233,43200,Pass\n", NULL, NULL, "t:2:6: column 'interval'"},
    {"jsspp", JSSPP "0,1,2,0,1,1e12,1,0,Pass\n1,1,2,0,1,1e12,1,0,Pass\n", NULL, NULL,
     "the sum of all intervals"},
    {"alcf", ALCF "0,1,2,3,0,2.0,0,2.0,100.0,5.0,10,60,0,Gone\n", NULL, NULL,
     "expected Pass, Failed or Killed"},
    {"chronus", CHRONUS "0,v,1,1,1,m,1,1,1,1,2,soft\n", NULL, NULL, "t:2:11: column 'best_effort'"},
    {"reduced", "job_id,arrival_s,service_sec,gpu_count\n1,,5,1\n", NULL, NULL,
     "t:2:2: no time of submission"},
    {"spot", SPOT "a,57,H800,184,4000,1,1,1,HP\n", NULL, NULL,
     "t:2:5: column 'gpu_request': a task with more"},
    {"spot", SPOT "a,57,H800,184,1,1,1,1,LP\n", NULL, NULL, "expected HP or Spot"},
    {"pollux", POLLUX "cifar10-0,101.0,cifar10,12,4096\n", NULL, NULL,
     "progress models are not supported yet; option run_time=TIME"},
    {"ones", "time,model,num_gpus,target_acc\n39,bert,2,0.8\n", NULL, NULL,
     "progress models are not supported yet; option run_time=TIME"},
    {"pollux", POLLUX "n,1,a,1,1\n", "run_tme", "1h",
     "there is no option 'run_tme' of a trace, did you mean 'run_time'?"},
    {"pollux", POLLUX "n,1,a,1,1\n", "run_time", "long",
     "'long' is not valid, expected a duration"},
    {"pollux", POLLUX "n,1,a,1,1\n", "unit_gpus", "8",
     "'unit_gpus' is for traces of format alcf|lumos, this one is pollux"},
    {"alcf", ALCF, "unit_gpus", "0", "expected a whole number from 1 to 1024"},
    {"jsspp", JSSPP, "count", "cpus", "'cpus' is not valid, expected gpus|nodes"},
};

START_TEST(what_is_refused)
{
    told_refuse(&wrong[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lists");
    TCase *tcase = tcase_create("lists");
    tcase_add_loop_test(tcase, what_is_read, 0, ROWS(rows));
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
