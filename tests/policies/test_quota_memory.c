/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Out of memory under the quota policy: one scenario is repeated while the first, second, third ...
 * allocation fails. Each call either succeeds or refuses with POLICY_NO_MEMORY and leaves the
 * policy consistent, and the refused call succeeds when repeated.
 *
 * The scenario is a small cluster with all kinds of nodes, three levels of queues, jobs of all
 * kinds, and every existing fact. Started jobs run, evicted ones end, until decisions stop. If
 * memory ran out in between, single tasks may have gone elsewhere, because a nomination could not
 * be stored; so the test compares the number of tasks of the same jobs that run in the end.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

enum { JOBS = 40 };

struct play {
    struct tally tally;
    struct policy *p;
    int refusals;
    policy_job jobs[JOBS];
    uint32_t job_count;
    policy_node nodes[8];
    int32_t running[JOBS + 8]; /* tasks, by the policy's number */
    int32_t reasons[2 * JOBS]; /* why jobs are pending, before the first decision and at the end */
    uint32_t actions;          /* actions that decided something, as a set */
    int looked;                /* how often the policy was checked after the failure */
};

/* Checking is slow: only the calls after the failed allocation matter. */
static void is_sound_after_failure(struct play *play)
{
    if (play->tally.failed && play->looked++ < 10)
        core_is_sound(play->p);
}

static void refused(struct play *play)
{
    ck_assert_int_eq(policy_last_error(play->p)->status, POLICY_NO_MEMORY);
    ck_assert_msg(play->tally.failed, "refused although no allocation failed");
    core_is_sound(play->p);
    play->refusals++;
}

/* Repeats a fact that is refused for lack of memory. */
#define TELL(play, fact)                                                                           \
    do {                                                                                           \
        int told = (fact);                                                                         \
        if (told == POLICY_NO_MEMORY) {                                                            \
            refused(play);                                                                         \
            told = (fact);                                                                         \
        }                                                                                          \
        ck_assert_int_eq(told, POLICY_OK);                                                         \
        is_sound_after_failure(play);                                                              \
    } while (0)

static void add_queue(struct play *play, policy_time at, uint32_t rank, uint32_t parent,
                      int64_t quota)
{
    const struct policy_share any = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    static const uint32_t pools[] = {0, 1, 2};
    struct policy_queue_spec spec = {.size = sizeof spec,
                                     .parent = {parent},
                                     .rank = rank,
                                     .gpu = {quota, POLICY_UNLIMITED, 1000},
                                     .cpu = any,
                                     .mem = any,
                                     .pools = rank % 2 == 1 ? pools + (rank == 5 ? 2 : 0) : NULL,
                                     .pool_count = rank % 2 == 0 ? 0
                                                   : rank == 5   ? 1
                                                                 : 2,
                                     .preempt_min_runtime_ms = POLICY_INHERIT,
                                     .reclaim_min_runtime_ms = POLICY_INHERIT};
    policy_queue queue = policy_add_queue(play->p, at, &spec);
    if (queue.i == POLICY_NO_ID) {
        refused(play);
        queue = policy_add_queue(play->p, at, &spec);
    }
    ck_assert_uint_eq(queue.i, rank);
}

static void add_node(struct play *play, uint32_t i, int32_t devices, int32_t mig, int64_t memory)
{
    static const int32_t instances[POLICY_MAX_PROFILES] = {4, 2};
    const struct policy_label labels[] = {{1, i / 2}, {2, i}};
    struct policy_node_spec spec = core_node_spec(i * 50, devices);
    spec.mig = mig;
    spec.pool = i < 6 ? 0 : 2;
    spec.mig_instances = mig == POLICY_MIG_FIXED ? instances : NULL;
    spec.device_mem_mib = memory;
    spec.labels = labels;
    spec.label_count = 2;
    play->nodes[i] = policy_add_node(play->p, 2, &spec);
    if (play->nodes[i].i == POLICY_NO_ID) {
        refused(play);
        play->nodes[i] = policy_add_node(play->p, 2, &spec);
    }
    ck_assert_uint_ne(play->nodes[i].i, POLICY_NO_ID);
}

/* A job's request beyond the number of tasks and their resources. */
struct wish {
    uint32_t queue;
    int32_t tasks, minimum, priority;
    struct policy_request request;
    struct policy_constraint topology;
    bool fixed, later, grouped;
};

static policy_job submit(struct play *play, policy_time at, const struct wish *wish)
{
    const struct policy_group groups[] = {{.topology = {1, 1, 2}}, {.parent = 1}};
    struct policy_role roles[] = {core_role(wish->tasks, wish->request),
                                  core_role(1, core_share(100))};
    roles[0].min_tasks = wish->minimum;
    roles[0].group = wish->grouped ? 2 : 0;
    struct policy_job_spec spec =
        core_job_spec((policy_queue){wish->queue}, play->job_count, roles, wish->grouped ? 2 : 1);
    spec.submitted = at;
    spec.priority = wish->priority;
    spec.preemptible = !wish->fixed;
    spec.eligible = wish->later ? at + 1000 : 0;
    spec.topology = wish->topology;
    spec.groups = groups;
    spec.group_count = wish->grouped ? 2 : 0;
    policy_job job = policy_submit(play->p, at, &spec);
    if (job.i == POLICY_NO_ID) {
        refused(play);
        job = policy_submit(play->p, at, &spec);
    }
    ck_assert_uint_ne(job.i, POLICY_NO_ID);
    play->jobs[play->job_count] = job;
    return play->jobs[play->job_count++];
}

/* Carries decisions out. Returns true if something was started or evicted. */
static bool carry_out(struct play *play, policy_time at)
{
    struct policy_decision copy[256];
    size_t count;
    const struct policy_decision *d = policy_decide(play->p, at, &count);
    bool refusal = policy_last_error(play->p)->status != POLICY_OK;
    ck_assert_uint_le(count, ROWS(copy));
    if (count > 0)
        memcpy(copy, d, count * sizeof *d);
    if (refusal)
        refused(play);
    is_sound_after_failure(play);
    bool any = refusal;
    for (size_t i = 0; i < count; i++) {
        any = any || copy[i].kind != POLICY_NOMINATE;
        play->actions |= UINT32_C(1) << copy[i].action;
        if (copy[i].kind == POLICY_START) {
            TELL(play, policy_task_started(play->p, at, copy[i].job, copy[i].task));
            play->running[copy[i].job.i]++;
        } else if (copy[i].kind == POLICY_EVICT) {
            TELL(play, policy_task_releasing(play->p, at, copy[i].job, copy[i].task));
            play->running[copy[i].job.i]--;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (copy[i].kind == POLICY_EVICT)
            TELL(play, policy_task_ended(play->p, at, copy[i].job, copy[i].task, POLICY_EVICTED));
    return any;
}

static void settle(struct play *play, policy_time at)
{
    int cycles = 0;
    while (carry_out(play, at))
        ck_assert_int_lt(++cycles, 20);
}

static void build_cluster(struct play *play)
{
    static const uint32_t levels[] = {1, 2};
    struct policy *p = play->p;
    TELL(play, policy_set_mig_profile(p, 0, 0, 1, 1));
    TELL(play, policy_set_mig_profile(p, 0, 1, 3, 4));
    TELL(play, policy_set_topology(p, 0, 1, levels, 2));
    add_queue(play, 0, 0, POLICY_NO_ID, 8000);
    add_queue(play, 0, 1, 0, 4000);
    add_queue(play, 0, 2, 0, 4000);
    add_node(play, 0, 4, POLICY_MIG_OFF, 0);
    add_node(play, 1, 4, POLICY_MIG_OFF, 40000);
    add_node(play, 2, 4, POLICY_MIG_OFF, 80000);
    add_node(play, 3, 0, POLICY_MIG_FIXED, 0);
    add_node(play, 4, 2, POLICY_MIG_FREE, 0);
    add_node(play, 5, 4, POLICY_MIG_OFF, 0);
    add_queue(play, 2, 3, POLICY_NO_ID, 4000); /* over existing nodes */
    add_queue(play, 2, 4, 3, 4000);
    add_queue(play, 2, 5, POLICY_NO_ID, 0);
    add_queue(play, 2, 6, POLICY_NO_ID, 0);
    TELL(play, policy_remove_queue(p, 2, (policy_queue){6}));
}

/* Two nodes are half used: one job must move for a job that needs a whole node. Then all of them
 * leave again. */
static void move_together(struct play *play)
{
    const struct wish half = {
        .queue = 5, .tasks = 1, .minimum = 1, .priority = 50, .request = {.devices = 2}};
    const struct wish whole = {
        .queue = 5, .tasks = 1, .minimum = 1, .priority = 50, .request = {.devices = 4}};
    add_node(play, 6, 4, POLICY_MIG_OFF, 0);
    add_node(play, 7, 4, POLICY_MIG_OFF, 0);
    for (uint32_t i = 0; i < 2; i++) {
        policy_job job = submit(play, 3, &half);
        TELL(play, policy_task_running(play->p, 3, job, 0, play->nodes[6 + i], 0x3, 3));
    }
    (void)submit(play, 3, &whole);
    settle(play, 3);
    for (uint32_t i = 0; i < 3; i++)
        TELL(play,
             policy_task_ended(play->p, 4, play->jobs[i], POLICY_ALL_TASKS, POLICY_SUCCEEDED));
    for (uint32_t i = 6; i < 8; i++)
        TELL(play, policy_remove_node(play->p, 4, play->nodes[i]));
    memset(play->running, 0, sizeof play->running);
    play->job_count = 0;
}

static void submit_jobs(struct play *play)
{
    static const int32_t small[POLICY_MAX_PROFILES] = {1};
    static const int32_t large[POLICY_MAX_PROFILES] = {0, 1};
    static const uint32_t values[] = {0, 1};
    static const struct policy_term terms[] = {{1, 2, values}, {2, 1, values}};
    const struct policy_request anywhere = {.devices = 1, .cpu_milli = 100};
    const struct policy_request memory = {.devices = 1, .device_mem_mib = 30000};
    const struct policy_request there = {.devices = 1, .terms = terms, .term_count = 2};
    const struct wish wishes[] = {
        {.queue = 1, .tasks = 6, .minimum = 2, .priority = 50, .request = anywhere},
        {.queue = 1, .tasks = 2, .minimum = 2, .priority = 50, .request = {.devices = 2}},
        {.queue = 1, .tasks = 3, .minimum = 1, .priority = 50, .request = core_share(400)},
        {.queue = 2, .tasks = 2, .minimum = 2, .priority = 50, .request = memory},
        {.queue = 2, .tasks = 2, .minimum = 1, .priority = 50, .request = {.mig = small}},
        {.queue = 2, .tasks = 1, .minimum = 1, .priority = 50, .request = {.mig = large}},
        {.queue = 2,
         .tasks = 2,
         .minimum = 2,
         .priority = 50,
         .request = anywhere,
         .topology = {1, 1, 2}},
        {.queue = 2,
         .tasks = 2,
         .minimum = 2,
         .priority = 50,
         .request = anywhere,
         .grouped = true},
        {.queue = 1, .tasks = 1, .minimum = 1, .priority = 50, .request = there},
        {.queue = 1, .tasks = 1, .minimum = 1, .priority = 50, .request = anywhere, .later = true},
        {.queue = 1, .tasks = 2, .minimum = 2, .priority = 50, .request = {.cpu_milli = 500}},
    };
    for (int i = 0; i < ROWS(wishes); i++)
        (void)submit(play, 10, &wishes[i]);
    for (int i = 0; i < 5; i++) { /* the rest is filled with many similar small jobs */
        struct wish one = {
            .queue = 1, .tasks = 1, .minimum = 1, .priority = 40, .request = anywhere};
        (void)submit(play, 10, &one);
    }
}

/* Jobs that need victims: by priority, by quota, and by moving. */
static void submit_owners(struct play *play)
{
    struct policy *p = play->p;
    const struct wish urgent = {
        .queue = 1, .tasks = 2, .minimum = 2, .priority = 90, .request = {.devices = 2}};
    const struct wish owner = {.queue = 4,
                               .tasks = 2,
                               .minimum = 2,
                               .priority = 100,
                               .request = {.devices = 2},
                               .fixed = true};
    const struct wish whole = {
        .queue = 4, .tasks = 1, .minimum = 1, .priority = 50, .request = {.devices = 4}};
    (void)submit(play, 3000, &urgent);
    settle(play, 3000);
    (void)submit(play, 4000, &owner);
    settle(play, 4000);
    for (uint32_t i = 0; i < play->job_count; i += 2) /* holes */
        if (play->running[play->jobs[i].i] == 1) {
            TELL(play,
                 policy_task_ended(p, 5000, play->jobs[i], POLICY_ALL_TASKS, POLICY_SUCCEEDED));
            play->running[play->jobs[i].i] = 0;
        }
    (void)submit(play, 5000, &whole);
    settle(play, 5000);
}

/* Why jobs are pending; the answers are stored from `first` on. */
static void ask_why(struct play *play, uint32_t first)
{
    struct policy_explanation why = {.size = sizeof why};
    for (uint32_t i = 0; i < play->job_count; i++) {
        int status = policy_explain(play->p, play->jobs[i], &why);
        if (status == POLICY_NO_MEMORY) {
            refused(play);
            status = policy_explain(play->p, play->jobs[i], &why);
        }
        ck_assert(status == POLICY_OK || status == POLICY_UNKNOWN); /* unknown: it has ended */
        play->reasons[first + i] = status == POLICY_OK ? why.reason : 0;
        is_sound_after_failure(play);
    }
}

static void tell_facts(struct play *play)
{
    struct policy *p = play->p;
    struct policy_amounts used = {100000, 0, 0};
    TELL(play, policy_set_usage(p, 6000, (policy_queue){1}, &used));
    TELL(play, policy_set_device_health(p, 6000, play->nodes[5], 3, false));
    TELL(play, policy_set_node_state(p, 6000, play->nodes[5], POLICY_NODE_DRAINING));
    TELL(play, policy_set_node_state(p, 6000, play->nodes[5], POLICY_NODE_UP));
    struct wish wish = {
        .queue = 2, .tasks = 3, .minimum = 2, .priority = 50, .request = core_devices(0)};
    policy_job job = submit(play, 6000, &wish);
    TELL(play, policy_task_gated(p, 6000, job, 2, true));
    TELL(play, policy_task_running(p, 6000, job, 0, play->nodes[0], 0, 6000));
    TELL(play, policy_set_stale_since(p, 6000, job, 5000));
    TELL(play, policy_report_activity(p, 6000, job, 0));
    TELL(play, policy_task_gated(p, 6000, job, 2, false));
    play->running[job.i] = 1;
    settle(play, 6001);
    TELL(play, policy_task_releasing(p, 6002, job, 0));
    TELL(play, policy_task_ended(p, 6003, job, 0, POLICY_EVICTED));
    play->running[job.i]--;
    settle(play, 6004);
    wish.priority = 51;
    job = submit(play, 6005, &wish);
    settle(play, 6005);
    TELL(play, policy_start_failed(p, 6006,
                                   job)); /* everything was reported as started: nothing happens */
    wish.later = true;
    TELL(play, policy_cancel(p, 6007, submit(play, 6007, &wish)));
    play->job_count--;
    ask_why(play, JOBS);
    settle(play, 10000);
}

static void play_scenario(struct play *play)
{
    build_cluster(play);
    move_together(play);
    submit_jobs(play);
    ask_why(play, 0);
    settle(play, 20);
    settle(play, 2000); /* the later job */
    submit_owners(play);
    tell_facts(play);
}

/* Creating a policy may fail, too. */
static bool begin(struct play *play, const char *preset, const char *options)
{
    play->p = core_create(&play->tally, preset, options);
    if (play->p == NULL) {
        ck_assert_uint_eq(play->tally.bytes, 0);
        play->refusals++;
        play->p = core_create(&play->tally, preset, options);
    }
    return play->p != NULL;
}

enum {
    KINDS_OF_QUOTA =
        1 << POLICY_ALLOCATE | 1 << POLICY_CONSOLIDATE | 1 << POLICY_RECLAIM | 1 << POLICY_PREEMPT,
    KINDS_OF_PODS = 1 << POLICY_ALLOCATE | 1 << POLICY_PREEMPT,
};

static const struct {
    const char *preset, *options;
    uint32_t kinds; /* set of actions that must occur */
} plays[] = {
    {"runai", "usage_window=sliding staleness_grace_s=2", KINDS_OF_QUOTA},
    {"runai", "gpu_placement=spread device_placement=spread full_hierarchy=false", KINDS_OF_QUOTA},
    {"runai", "backfill=true consolidation_victims=3", KINDS_OF_QUOTA},
    {"runai", "backfill=conservative", KINDS_OF_QUOTA},
    {"runai", "placement=topology", 1 << POLICY_ALLOCATE},
    {"runai", "placement=gpu-clustering", 1 << POLICY_ALLOCATE},
    {"kube-default", "", KINDS_OF_PODS},
    {"kube-default", "pod_order=turns score=most-allocated", KINDS_OF_PODS},
};

START_TEST(every_allocation_may_fail)
{
    struct play whole = {.job_count = 0};
    ck_assert(begin(&whole, plays[_i].preset, plays[_i].options));
    play_scenario(&whole);
    core_destroy(whole.p, &whole.tally);
    ck_assert_uint_eq(whole.actions & plays[_i].kinds, plays[_i].kinds);
    uint64_t thin = (uint64_t)harness_thin();
    for (uint64_t n = 1 + (uint64_t)_i % thin; n <= whole.tally.calls; n += thin) {
        struct play play = {.tally.fail_at = n};
        ck_assert(begin(&play, plays[_i].preset, plays[_i].options));
        play_scenario(&play);
        core_destroy(play.p, &play.tally);
        ck_assert_msg(play.tally.failed, "allocation %u never came", (unsigned)n);
        ck_assert_int_le(play.refusals, 1);
        for (int i = 0; i < ROWS(play.reasons); i++)
            ck_assert_msg(play.reasons[i] == whole.reasons[i],
                          "allocation %u: answer %d is %s, not %s", (unsigned)n, i,
                          policy_reason_name(play.reasons[i]),
                          policy_reason_name(whole.reasons[i]));
        for (int i = 0; i < ROWS(play.running); i++)
            ck_assert_msg(play.running[i] == whole.running[i],
                          "allocation %u: job %d runs %d tasks, not %d", (unsigned)n, i,
                          play.running[i], whole.running[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("quota_memory");
    TCase *tcase = tcase_create("memory");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, every_allocation_may_fail, 0, ROWS(plays));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
