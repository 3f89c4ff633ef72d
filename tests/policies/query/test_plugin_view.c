/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plugin's view shows the reported facts: nodes, devices, queues, jobs of every kind,
 * topologies, names. */
#include "policies/state/plugins.h"
#include "tests/lib/harness.h"
#include "tests/lib/plugins.h"

#include <string.h>

static int64_t none(void *self, const struct policy_view *view, policy_queue queue)
{
    (void)self, (void)view, (void)queue;
    return 0;
}

static const struct policy_plugin looks = {POLICY_PLUGIN_HEAD("looks", "looks only"),
                                           .base = "runai", .wants = POLICY_WANTS_NAMES,
                                           .queue_key = none};

enum { RACK = 7, POD = 8 }; /* keys of labels */

/*
 * Two pods with racks: node 0 in pod 1, rack 1; node 1 in pod 1, rack 2; node 2, without labels, is
 * outside. Devices of 80 GiB; node 2 creates MIG instances freely.
 */
static void add_nodes(struct policy *p)
{
    const struct policy_label labels[2][2] = {{{POD, 1}, {RACK, 1}}, {{POD, 1}, {RACK, 2}}};
    const uint32_t levels[] = {POD, RACK};
    ck_assert_int_eq(policy_set_topology(p, 0, 1, levels, 2), POLICY_OK);
    ck_assert_int_eq(policy_set_mig_profile(p, 0, 0, 3, 4), POLICY_OK);
    for (uint32_t i = 0; i < 3; i++) {
        struct policy_node_spec spec = core_node_spec(i, 4);
        spec.type = i;
        spec.device_mem_mib = 80000;
        spec.cpu_milli = 64000;
        spec.labels = i < 2 ? labels[i] : NULL;
        spec.label_count = i < 2 ? 2 : 0;
        spec.mig = i == 2 ? POLICY_MIG_FREE : POLICY_MIG_OFF;
        ck_assert_uint_eq(policy_add_node(p, 0, &spec).i, i);
    }
    ck_assert_int_eq(policy_set_name(p, 0, POLICY_NAME_TYPE, 1, "H100"), POLICY_OK);
    ck_assert_int_eq(policy_set_name(p, 0, POLICY_NAME_PROFILE, 0, "3g.40gb"), POLICY_OK);
}

static policy_queue add_queue(struct policy *p, policy_queue parent, uint32_t rank)
{
    const struct policy_queue_spec spec = {.size = sizeof spec,
                                           .parent = parent,
                                           .rank = rank,
                                           .priority = 3,
                                           .created = -5,
                                           .gpu = {6000, 9000, 2000},
                                           .cpu = {POLICY_UNLIMITED, -1, 1000},
                                           .mem = {POLICY_UNLIMITED, -1, 1000},
                                           .preempt_min_runtime_ms = 17,
                                           .reclaim_min_runtime_ms = POLICY_INHERIT};
    return policy_add_queue(p, 0, &spec);
}

static struct policy *world(struct tally *tally, policy_queue *leaf)
{
    struct policy *p = plugin_create(tally, &looks, "");
    const policy_queue root = {POLICY_NO_ID};
    add_nodes(p);
    *leaf = add_queue(p, add_queue(p, root, 0), 1);
    return p;
}

START_TEST(nodes_and_devices)
{
    struct tally tally = {0};
    policy_queue leaf;
    struct policy *p = world(&tally, &leaf);
    core_submit(p, 0, leaf, 1, 1, core_share(250));
    core_decide(p, 0, 1);
    const struct policy_view *view = pc_plugin_look(p);
    struct policy_view_node node = {.size = sizeof node};
    struct policy_view_device device = {.size = sizeof device};
    ck_assert_uint_eq(view->node_ids, 3);
    ck_assert_int_eq(view->capacity.gpu,
                     8000 + 7 * 4000); /* a device with free instances counts as its 7 slices */
    ck_assert(view->node(view, (policy_node){1}, &node));
    ck_assert_uint_eq(node.type, 1);
    ck_assert_int_eq(node.device_mem_mib, 80000);
    ck_assert_int_eq(node.cpu_total_milli, 64000);
    ck_assert_int_eq(node.mem_total_mib, POLICY_UNLIMITED);
    ck_assert_uint_eq(node.label_count, 2);
    ck_assert_uint_eq(node.labels[1].key, RACK);
    ck_assert_uint_eq(node.idle, 15);
    ck_assert(view->node(view, (policy_node){0}, &node)); /* the share is on its first device */
    ck_assert_uint_eq(node.idle, 14);
    ck_assert_uint_eq(node.shared, 1);
    ck_assert(view->device(view, (policy_node){0}, 0, &device));
    ck_assert_int_eq(device.used_milli, 250);
    ck_assert_int_eq(device.tasks, 1);
    ck_assert_int_eq(device.slices, 0);
    ck_assert(view->device(view, (policy_node){2}, 3, &device));
    ck_assert_int_eq(device.slices, 8);
    ck_assert_int_eq(device.slices_free, 8);
    ck_assert(!view->device(view, (policy_node){2}, 4, &device));
    ck_assert(!view->node(view, (policy_node){3}, &node));
    ck_assert_uint_eq(view->node_at(view, 2).i, 2);
    ck_assert_uint_eq(view->node_at(view, 3).i, POLICY_NO_ID);
    ck_assert_str_eq(view->name(view, POLICY_NAME_TYPE, 1), "H100");
    ck_assert_str_eq(view->name(view, POLICY_NAME_PROFILE, 0), "3g.40gb");
    ck_assert_ptr_null(view->name(view, POLICY_NAME_TYPE, 0));
    core_destroy(p, &tally);
}
END_TEST

START_TEST(topologies)
{
    struct tally tally = {0};
    policy_queue leaf;
    struct policy *p = world(&tally, &leaf);
    const struct policy_view *view = pc_plugin_look(p);
    struct policy_view_domain domain = {.size = sizeof domain};
    uint32_t count;
    ck_assert_uint_eq(view->levels(view, 1, &count)[1], RACK);
    ck_assert_uint_eq(count, 2);
    ck_assert_ptr_null(view->levels(view, 2, &count));
    const uint32_t pod = view->domain_of(view, 1, 1, (policy_node){0});
    ck_assert_uint_eq(view->domain_of(view, 1, 1, (policy_node){1}), pod);
    ck_assert_uint_ne(view->domain_of(view, 1, 2, (policy_node){1}),
                      view->domain_of(view, 1, 2, (policy_node){0}));
    ck_assert_uint_eq(view->domain_of(view, 1, 0, (policy_node){2}), POLICY_NO_ID); /* outside */
    ck_assert(view->domain(view, 1, pod, &domain));
    ck_assert_uint_eq(domain.level, 1);
    ck_assert_uint_eq(domain.nodes, 2);
    ck_assert_uint_eq(domain.ranks[0], 0);
    ck_assert_uint_eq(domain.parent, 0);
    ck_assert(view->domain(view, 1, 3, &domain)); /* root, pod, two racks */
    ck_assert(!view->domain(view, 1, 4, &domain));
    core_destroy(p, &tally);
}
END_TEST

START_TEST(queues)
{
    struct tally tally = {0};
    policy_queue leaf;
    struct policy *p = world(&tally, &leaf);
    core_submit(p, 0, leaf, 1, 2, core_devices(2));
    core_submit(p, 0, leaf, 2, 1,
                core_devices(2)); /* no more may not be preempted within the quota */
    core_decide(p, 0, 3);
    const struct policy_view *view = pc_plugin_look(p);
    struct policy_view_queue queue = {.size = sizeof queue};
    ck_assert(view->queue(view, leaf, &queue));
    ck_assert(queue.leaf && queue.pools == NULL);
    ck_assert_uint_eq(queue.parent.i, 0);
    ck_assert_int_eq(queue.priority, 3);
    ck_assert_int_eq(queue.created, -5);
    ck_assert_int_eq(queue.gpu.quota, 6000);
    ck_assert_int_eq(queue.gpu.limit, 9000);
    ck_assert_int_eq(queue.gpu.weight, 2000);
    ck_assert_int_eq(queue.preempt_min_runtime_ms, 17);
    ck_assert_int_eq(queue.allocated.gpu, 6000);
    ck_assert_int_eq(queue.request.gpu, 6000);
    ck_assert_int_eq(queue.fair_share.gpu,
                     6000); /* its whole request: no other queue requests anything */
    ck_assert_uint_eq(queue.jobs, 2);
    ck_assert(view->queue(view, queue.parent, &queue));
    ck_assert(!queue.leaf);
    ck_assert_int_eq(queue.allocated.gpu, 6000);
    ck_assert(!view->queue(view, (policy_queue){2}, &queue));
    core_destroy(p, &tally);
}
END_TEST

/* At least one of two workers; each requests an instance, next to a master that requests 20 GB of a
 * device on certain nodes. */
START_TEST(a_job_of_every_kind_of_request)
{
    struct tally tally = {0};
    policy_queue leaf;
    struct policy *p = world(&tally, &leaf);
    const uint32_t values[] = {1, 2};
    const struct policy_term term = {RACK, 2, values};
    const int32_t mig[POLICY_MAX_PROFILES] = {1};
    const struct policy_role roles[] = {
        {.size = sizeof *roles,
         .tasks = 1,
         .min_tasks = 1,
         .request = {.devices = 1,
                     .device_mem_mib = 20000,
                     .cpu_milli = 500,
                     .terms = &term,
                     .term_count = 1}},
        {.size = sizeof *roles,
         .tasks = 2,
         .min_tasks = 1,
         .topology = {1, 0, 2},
         .request = {.mig = mig, .types = 4}},
    };
    struct policy_job_spec spec = core_job_spec(leaf, 9, roles, 2);
    spec.user = 5;
    spec.workload = POLICY_BUILD;
    spec.run_ms = 111;
    spec.limit_ms = 222;
    spec.estimate_ms = 333;
    const policy_job id = policy_submit(p, 0, &spec);
    const struct policy_view *view = pc_plugin_look(p);
    struct policy_view_job job = {.size = sizeof job};
    struct policy_role role = {.size = sizeof role};
    ck_assert(view->job(view, id.i, &job));
    ck_assert_int_eq(job.min_tasks, 2);
    ck_assert_int_eq(job.tasks, 3);
    ck_assert_int_eq(job.pending, 3);
    ck_assert_uint_eq(job.user, 5);
    ck_assert_int_eq(job.workload, POLICY_BUILD);
    ck_assert(job.run_ms == 111 && job.limit_ms == 222 && job.estimate_ms == 333);
    ck_assert_int_eq(job.minimum.cpu, 500);
    ck_assert(view->role(view, id, 0, &role));
    ck_assert_int_eq(role.request.device_mem_mib, 20000);
    ck_assert_int_eq(role.request.devices, 1);
    ck_assert_int_eq(role.request.device_milli, 0);
    ck_assert_uint_eq(role.request.terms[0].key, RACK);
    ck_assert_uint_eq(role.request.terms[0].value_count, 2);
    ck_assert_ptr_null(role.request.mig);
    ck_assert(view->role(view, id, 1, &role));
    ck_assert_int_eq(role.request.mig[0], 1);
    ck_assert_int_eq(role.request.mig[1], 0);
    ck_assert_uint_eq(role.request.types, 4);
    ck_assert_int_eq(role.tasks, 2);
    ck_assert_int_eq(role.min_tasks, 1);
    ck_assert_int_eq(role.topology.preferred, 2);
    ck_assert(!view->role(view, id, 2, &role));
    ck_assert(view->fits(view, id, 0, (policy_node){1}));
    ck_assert(!view->fits(view, id, 0, (policy_node){2}));
    ck_assert(view->fits(view, id, 1, (policy_node){2}) &&
              !view->fits(view, id, 1, (policy_node){1}));
    core_destroy(p, &tally);
}
END_TEST

START_TEST(tasks)
{
    struct tally tally = {0};
    policy_queue leaf;
    struct policy *p = world(&tally, &leaf);
    const policy_job id = core_submit(p, 0, leaf, 1, 1, core_devices(3));
    const struct policy_view *view = pc_plugin_look(p);
    struct policy_view_task task = {.size = sizeof task};
    ck_assert(view->task(view, id, 0, &task));
    ck_assert_int_eq(task.state, POLICY_TASK_PENDING);
    ck_assert_uint_eq(task.node.i, POLICY_NO_ID);
    core_decide(p, 0, 1);
    ck_assert(view->task(view, id, 0, &task));
    ck_assert_int_eq(task.state, POLICY_TASK_RUNS);
    ck_assert_uint_eq(task.node.i, 0);
    ck_assert_uint_eq(task.devices, 7);
    ck_assert_int_eq(policy_task_releasing(p, 1, id, 0), POLICY_OK);
    ck_assert(view->task(view, id, 0, &task));
    ck_assert_int_eq(task.state, POLICY_TASK_LEAVES);
    ck_assert(!view->task(view, id, 1, &task));
    ck_assert(!view->task(view, (policy_job){id.i, id.gen + 1}, 0, &task));
    const policy_job unknown = {1000000, id.gen}; /* far behind the last */
    ck_assert(!view->task(view, unknown, 0, &task));
    ck_assert(!view->job(view, unknown.i, &(struct policy_view_job){.size = 0}));
    ck_assert(!view->role(view, unknown, 0, &(struct policy_role){.tasks = 0}));
    ck_assert(!view->fits(view, unknown, 0, (policy_node){0}));
    ck_assert(!view->fits(view, id, 0, (policy_node){1000000}));
    core_destroy(p, &tally);
}
END_TEST

/* A plugin of another version: the answer is truncated to its struct, and extends no further than
 * is known. */
START_TEST(answers_have_the_asker_s_size)
{
    struct tally tally = {0};
    policy_queue leaf;
    struct policy *p = world(&tally, &leaf);
    const struct policy_view *view = pc_plugin_look(p);
    struct policy_view_queue queue;
    memset(&queue, 0xa5, sizeof queue);
    queue.size = offsetof(struct policy_view_queue, gpu);
    ck_assert(view->queue(view, leaf, &queue));
    ck_assert_int_eq(queue.priority, 3);
    ck_assert_uint_eq((uint64_t)queue.gpu.quota, UINT64_C(0xa5a5a5a5a5a5a5a5));
    struct {
        struct policy_view_queue queue;
        uint64_t later;
    } longer = {.queue = {.size = sizeof longer}, .later = 7};
    ck_assert(view->queue(view, leaf, &longer.queue));
    ck_assert_int_eq(longer.queue.gpu.quota, 6000);
    ck_assert_uint_eq(longer.queue.size, sizeof longer);
    core_destroy(p, &tally);
}
END_TEST

static int64_t attained_by(struct policy *p, policy_job id, policy_time now)
{
    /* advances the clock */
    ck_assert_int_eq(policy_set_name(p, now, POLICY_NAME_TYPE, 1, "H100"), POLICY_OK);
    const struct policy_view *view = pc_plugin_look(p);
    struct policy_view_job job = {.size = sizeof job};
    ck_assert(view->job(view, id.i, &job));
    return job.attained;
}

/* Two devices for 10 s, one of them for 5 s more, and again both from 20 s on. */
START_TEST(attained_service)
{
    struct tally tally = {0};
    policy_queue leaf;
    struct policy *p = world(&tally, &leaf);
    const struct policy_role role = {
        .size = sizeof role, .tasks = 2, .min_tasks = 1, .request = core_devices(1)};
    const struct policy_job_spec spec = core_job_spec(leaf, 1, &role, 1);
    const policy_job id = policy_submit(p, 0, &spec);
    core_decide(p, 0, 2);
    ck_assert_int_eq(attained_by(p, id, 0), 0);
    ck_assert_int_eq(policy_task_started(p, 0, id, POLICY_ALL_TASKS), POLICY_OK);
    ck_assert_int_eq(attained_by(p, id, 10000), 20000000);
    ck_assert_int_eq(policy_task_ended(p, 10000, id, 1, POLICY_EVICTED), POLICY_OK);
    ck_assert_int_eq(attained_by(p, id, 15000), 25000000);
    ck_assert_int_eq(policy_task_ended(p, 15000, id, 0, POLICY_EVICTED), POLICY_OK);
    ck_assert_int_eq(attained_by(p, id, 20000), 25000000);
    core_decide(p, 20000, 2);
    ck_assert_int_eq(policy_task_started(p, 20000, id, POLICY_ALL_TASKS), POLICY_OK);
    ck_assert_int_eq(attained_by(p, id, 21000), 27000000);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_view");
    TCase *tcase = tcase_create("plugin_view");
    tcase_add_test(tcase, nodes_and_devices);
    tcase_add_test(tcase, topologies);
    tcase_add_test(tcase, queues);
    tcase_add_test(tcase, a_job_of_every_kind_of_request);
    tcase_add_test(tcase, tasks);
    tcase_add_test(tcase, attained_service);
    tcase_add_test(tcase, answers_have_the_asker_s_size);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
