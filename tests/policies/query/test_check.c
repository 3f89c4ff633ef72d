/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_check() detects any wrong sum, mark or index of the cluster, and says which. */
#include "query/check.h"

#include "state/state.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

/* Two nodes; jobs that run whole, in shares and above their minimum, that are being released,
 * pending, or not yet eligible. */
struct scene {
    struct tally tally;
    struct policy *p;
    policy_queue leaf;
    policy_job whole, share, alike[3], held, leaving;
};

static policy_job submit(struct scene *s, uint64_t rank, int32_t tasks, int32_t minimum,
                         struct policy_request r)
{
    struct policy_role role = core_role(tasks, r);
    role.min_tasks = minimum;
    struct policy_job_spec spec = core_job_spec(s->leaf, rank, &role, 1);
    spec.preemptible = true;
    spec.eligible = rank == 9 ? 1000 : 0;
    spec.submitted = 0;
    policy_job job = policy_submit(s->p, 0, &spec);
    ck_assert_msg(job.i != POLICY_NO_ID, "%s", policy_last_error(s->p)->message);
    return job;
}

static policy_queue add_queue(struct scene *s, uint32_t parent)
{
    static const struct policy_share any = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    struct policy_queue_spec spec = {
        .size = sizeof spec, .parent = {parent}, .gpu = any, .cpu = any, .mem = any};
    policy_queue queue = policy_add_queue(s->p, 0, &spec);
    ck_assert_uint_ne(queue.i, POLICY_NO_ID);
    return queue;
}

static void open_scene(struct scene *s)
{
    static const uint32_t level = 1;
    static const uint32_t wanted = 5;
    static const struct policy_label label = {1, 5};
    static const struct policy_term term = {1, 1, &wanted};
    *s = (struct scene){.p = NULL};
    s->p = core_create(&s->tally, "runai", "usage_window=sliding");
    ck_assert_int_eq(policy_set_topology(s->p, 0, 1, &level, 1), POLICY_OK);
    for (uint32_t i = 0; i < 2; i++) {
        struct policy_node_spec spec = core_node_spec(i, 4);
        spec.cpu_milli = 16000;
        spec.labels = &label;
        spec.label_count = 1;
        ck_assert_uint_eq(policy_add_node(s->p, 0, &spec).i, i);
    }
    struct policy_node_spec cut = core_node_spec(2, 1);
    cut.mig = POLICY_MIG_FIXED;
    ck_assert_uint_eq(policy_add_node(s->p, 0, &cut).i, 2);
    s->leaf = add_queue(s, add_queue(s, POLICY_NO_ID).i);
    s->whole = submit(s, 1, 3, 1, (struct policy_request){.devices = 1, .cpu_milli = 100});
    s->share = submit(s, 2, 1, 1, (struct policy_request){.devices = 1, .device_milli = 300});
    s->leaving =
        submit(s, 3, 1, 1, (struct policy_request){.devices = 1, .terms = &term, .term_count = 1});
    for (uint64_t i = 0; i < 3; i++) /* the first finds a node */
        s->alike[i] = submit(s, 4 + i, 1, 1, core_devices(4));
    s->held = submit(s, 9, 1, 1, core_devices(0));
    size_t count;
    (void)policy_decide(s->p, 0, &count);
    ck_assert_int_eq(policy_task_releasing(s->p, 0, s->leaving, 0), POLICY_OK);
    core_is_sound(s->p);
}

/* ---- corrupted values: the lowest bit of each ---- */

#define FIELD(name, field)                                                                         \
    static void *name(struct scene *s)                                                             \
    {                                                                                              \
        struct pc_cluster *c = s->p->cluster;                                                      \
        (void)c;                                                                                   \
        return &(field);                                                                           \
    }

/* The class, heap places and lists that the rows are about. */
static struct pc_job *job(struct scene *s, policy_job id)
{
    return &s->p->cluster->jobs[id.i];
}

static struct pc_class *class_of_alike(struct scene *s)
{
    return &s->p->cluster->classes[job(s, s->alike[1])->class];
}

/* The node with the share. */
static struct pc_node *shared_node(struct scene *s)
{
    return &s->p->cluster->nodes[job(s, s->share)->detail->tasks[0].place.node];
}

FIELD(cpu_idle, c->nodes[0].cpu_idle)
FIELD(mem_soon, c->nodes[0].mem_soon)
FIELD(cpu_soon, c->nodes[1].cpu_soon)
FIELD(tasks_idle, c->nodes[0].tasks_idle)
FIELD(nominated_whole, c->nodes[0].nominated_whole)
FIELD(mig_idle, c->nodes[2].instances->idle[3])
FIELD(used, shared_node(s)->device[0].used)
FIELD(slices, shared_node(s)->device[1].slices)
FIELD(sharers, shared_node(s)->device[0].sharers)
FIELD(held_devices, c->nodes[0].held)
FIELD(idle, c->nodes[1].idle)
FIELD(groups, c->nodes[1].groups)
FIELD(usable, c->nodes[1].usable)
FIELD(soon_milli, c->nodes[1].soon_milli)
FIELD(all_soon_milli, c->soon_milli)
FIELD(listed, c->nodes[0].listed)
FIELD(list_count, c->listed[4])
FIELD(by_soon, c->by_soon[2].words[0])
FIELD(with_shared, c->with_shared.words[0])
FIELD(up, c->up.words[0])
FIELD(trial_freed, c->nodes[0].trial_freed)
FIELD(rank, s->p->node_of_rank[1])
FIELD(removed, c->nodes_removed)
FIELD(capacity, c->capacity.of[PC_GPU])
FIELD(unmodelled, c->unmodelled[PC_MEM])
FIELD(smallest, c->smallest_memory)
FIELD(selector, c->selectors[0].nodes.words[0])
FIELD(pool_set, c->pool_sets[0].nodes.words[0])
FIELD(counts, job(s, s->whole)->detail->counts[0].running)
FIELD(job_active, job(s, s->whole)->active)
FIELD(popped, job(s, s->whole)->detail->tasks[0].popped)
FIELD(devices, job(s, s->share)->detail->tasks[0].place.devices)
FIELD(noted, job(s, s->whole)->detail->tasks[0].noted)
FIELD(marked, job(s, s->whole)->marked)
FIELD(evictable, c->queues[job(s, s->whole)->queue].active.count)
FIELD(users, c->shapes[job(s, s->whole)->shape].users)
FIELD(hash, c->shapes[job(s, s->whole)->shape].hash)
FIELD(need, c->shapes[job(s, s->whole)->shape].need)
FIELD(first, c->shapes[job(s, s->whole)->shape].first.of[PC_CPU])
FIELD(total, c->shapes[job(s, s->whole)->shape].total.of[PC_MEM])
FIELD(jobs_total, c->jobs_total.of[PC_GPU])
FIELD(absent, job(s, s->whole)->absent)
FIELD(early, c->queues[1].early.jobs)
FIELD(unready_milli, c->queues[1].absent[PC_UNREADY].gpu_milli)
FIELD(set_tasks, c->shapes[job(s, s->whole)->shape].sets[0].tasks)
FIELD(undo, c->undo_count)
FIELD(trying, c->trying)
FIELD(class_of, job(s, s->alike[2])->class)
FIELD(class_kind, class_of_alike(s)->priority)
FIELD(class_place, class_of_alike(s)->place_in_queue)
FIELD(class_age, job(s, class_of_alike(s)->jobs.ids[0] == s->alike[1].i ? s->alike[1] : s->alike[2])
                     ->key.minor)
FIELD(bare, c->queues[s->leaf.i].bare_classes)
FIELD(held_place, job(s, s->held)->place_in_class)
FIELD(stale, job(s, s->whole)->stale)
FIELD(allocated, c->queues[0].allocated.of[PC_GPU])
FIELD(fixed, c->queues[0].fixed.of[PC_CPU])
FIELD(request, c->queues[1].request.of[PC_MEM])
FIELD(held_by_queue, c->queues[1].held.of[PC_GPU])
FIELD(build, c->queues[1].build_milli)
FIELD(queue_jobs, c->queues[1].jobs)
FIELD(gives, job(s, s->whole)->detail->gives)
FIELD(gives_as, job(s, s->whole)->detail->gives_as)
FIELD(of_size, c->queues[0].of_size[2])
FIELD(no_such_size, c->queues[0].of_size[7])
FIELD(next_of_size, job(s, s->whole)->detail->next_of_size)
FIELD(last_of_size, job(s, s->whole)->detail->last_of_size)
FIELD(givers, c->queues[0].givers)
FIELD(part_givers, c->queues[0].part_givers)
FIELD(depth, c->queues[1].depth)
FIELD(leaf, c->queues[0].leaf)
FIELD(root, c->roots[0])
FIELD(all_fixed, c->fixed_milli)

static const struct {
    void *(*field)(struct scene *);
    const char *message;
} rows[] = {
    {cpu_idle, "a node's idle CPU"},
    {mem_soon, "a node's CPU or memory"},
    {cpu_soon, "a node's CPU or memory"},
    {tasks_idle, "a node's number of tasks"},
    {nominated_whole, "a node's nominated devices"},
    {mig_idle, "a node's MIG instances"},
    {used, "what is used of a device"},
    {slices, "what is used of a device"},
    {held_devices, "what is used of a device"},
    {sharers, "what is used of a device"},
    {idle, "sets of idle and leaving devices"},
    {groups, "sets of shared devices"},
    {usable, ""},
    {soon_milli, "how much of a node's devices"},
    {all_soon_milli, "how much of all devices"},
    {listed, "under which a node is listed"},
    {list_count, "number of nodes with so many"},
    {by_soon, "in the lists by free devices"},
    {with_shared, "with shared devices"},
    {up, "of those that are up"},
    {trial_freed, "marks of the search for victims"},
    {rank, "a node's rank"},
    {removed, "nodes that were removed"},
    {capacity, "the cluster's capacity"},
    {unmodelled, "the cluster's capacity"},
    {smallest, "the smallest memory"},
    {selector, "a selector's nodes"},
    {pool_set, "a pool set's nodes"},
    {counts, "the counts of a job's pod set"},
    {job_active, "the counts of a job"},
    {popped, "a task's marks"},
    {devices, "what"},
    {noted, "tasks that were decided about"},
    {marked, "a job's marks"},
    {evictable, "the number of a queue's active jobs"},
    {users, "the users of a shape"},
    {hash, "a shape in the table"},
    {need, "the fewest devices"},
    {first, "what the minimum of a shape asks"},
    {total, "what all"},
    {jobs_total, "what all jobs ask for"},
    {absent, "too few tasks that may start"},
    {early, "whose time has not come"},
    {unready_milli, "too few tasks that may start"},
    {set_tasks, ""},
    {undo, "a transaction that was left open"},
    {trying, "a transaction that was left open"},
    {class_of, "class"},
    {class_kind, "the kind of a job's class"},
    {class_place, "a class in its queue's list"},
    {class_age, "the order of a class"},
    {bare, "that want no devices"},
    {held_place, "among those whose time has not come"},
    {stale, "whether a gang is stale"},
    {allocated, "what is allocated to a queue"},
    {fixed, "a queue has that may not be preempted"},
    {request, "what a queue asks for"},
    {held_by_queue, "what the tasks of a queue hold"},
    {build, "what the build sessions of a queue"},
    {queue_jobs, "a queue's number of jobs"},
    {gives, "marks of the search"},
    {gives_as, "among the active ones"},
    {of_size, "by size"},
    {no_such_size, "by size"},
    {next_of_size, "by size"},
    {last_of_size, "by size"},
    {givers, "may give"},
    {part_givers, "may give"},
    {depth, "the depth of a queue"},
    {leaf, ""},
    {root, "a queue among its siblings"},
    {all_fixed, "what is kept for build sessions"},
};

START_TEST(errors_are_noticed)
{
    struct scene s;
    struct policy_error error = {0};
    open_scene(&s);
    unsigned char *byte = rows[_i].field(&s);
    *byte ^= 1;
    int status = policy_check(s.p, &error);
    *byte ^= 1;
    ck_assert_int_eq(status, POLICY_CONFLICT);
    ck_assert_msg(strstr(error.message, rows[_i].message) != NULL, "row %d: %s", _i, error.message);
    core_destroy(s.p, &s.tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check");
    TCase *tcase = tcase_create("spoiled");
    tcase_add_loop_test(tcase, errors_are_noticed, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
