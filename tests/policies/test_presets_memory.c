/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Out of memory under every preset: one stream of jobs is repeated while the first, second, third
 * ... allocation fails. A fact refused for lack of memory has changed nothing observable, and is
 * accepted when repeated; a decision that ran out of memory is continued by the next call. In the
 * end as many tasks of the same jobs have run. Lanes also decide exactly the same.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"
#include "tests/lib/packing.h"

#include <string.h>

enum { JOBS = 18, NODES = 4, QUEUES = 2, ROUNDS = 24 };

/* Everything a policy reports except decisions. */
struct view {
    policy_time wakeup;
    bool has_work;
    struct policy_backlog backlog[QUEUES];
    struct policy_queue_info queues[QUEUES];
    struct policy_node_info nodes[NODES];
};

struct play {
    struct tally tally;
    struct policy *p;
    policy_queue queues[QUEUES];
    policy_job jobs[JOBS];
    bool quota; /* the quota policy: single tasks may go elsewhere if a nomination could not be
                   stored */
    int32_t running[JOBS]; /* tasks, by submission number of the job */
    int32_t started[JOBS]; /* in all */
    uint64_t decided;      /* a hash of all decisions */
    int refusals;
};

static struct view look(const struct play *play)
{
    struct view view;
    memset(&view, 0, sizeof view);
    view.wakeup = policy_next_wakeup(play->p);
    view.has_work = policy_has_work(play->p);
    for (int i = 0; i < QUEUES; i++) {
        view.queues[i].size = sizeof view.queues[i];
        (void)policy_backlog(play->p, play->queues[i], &view.backlog[i]);
        (void)policy_queue_info(play->p, play->queues[i], &view.queues[i]);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        view.nodes[i].size = sizeof view.nodes[i];
        (void)policy_node_info(play->p, (policy_node){i}, &view.nodes[i]);
    }
    return view;
}

static void refused(struct play *play)
{
    ck_assert_int_eq(policy_last_error(play->p)->status, POLICY_NO_MEMORY);
    ck_assert_msg(play->tally.failed, "refused although no allocation failed");
    core_is_sound(play->p);
    play->refusals++;
}

static void is_unchanged(struct play *play, const struct view *before)
{
    refused(play);
    struct view after = look(play);
    ck_assert_mem_eq(&after, before, sizeof after);
}

/* Repeats a fact that is refused for lack of memory. */
#define TELL(play, fact)                                                                           \
    do {                                                                                           \
        struct view before_ = look(play);                                                          \
        int told_ = (fact);                                                                        \
        if (told_ == POLICY_NO_MEMORY) {                                                           \
            is_unchanged(play, &before_);                                                          \
            told_ = (fact);                                                                        \
        }                                                                                          \
        ck_assert_int_eq(told_, POLICY_OK);                                                        \
    } while (0)

/* The same for facts that return an id. */
#define TELL_NEW(play, id, fact)                                                                   \
    do {                                                                                           \
        struct view before_ = look(play);                                                          \
        (id) = (fact);                                                                             \
        if ((id).i == POLICY_NO_ID) {                                                              \
            is_unchanged(play, &before_);                                                          \
            (id) = (fact);                                                                         \
        }                                                                                          \
        ck_assert_uint_ne((id).i, POLICY_NO_ID);                                                   \
    } while (0)

static void build(struct play *play)
{
    for (uint32_t i = 0; i < QUEUES; i++)
        play->queues[i].i = POLICY_NO_ID;
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec spec = core_node_spec(i * 40, 4);
        policy_node node;
        spec.cpu_milli = 64000;
        spec.mem_mib = 64000;
        TELL_NEW(play, node, policy_add_node(play->p, 0, &spec));
    }
    for (uint32_t i = 0; i < QUEUES; i++) {
        struct policy_queue_spec spec = {.size = sizeof spec,
                                         .parent = {POLICY_NO_ID},
                                         .rank = i,
                                         .gpu = {8000, POLICY_UNLIMITED, 1000},
                                         .cpu = {-1, -1, 1000},
                                         .mem = {-1, -1, 1000},
                                         .preempt_min_runtime_ms = POLICY_INHERIT,
                                         .reclaim_min_runtime_ms = POLICY_INHERIT};
        TELL_NEW(play, play->queues[i], policy_add_queue(play->p, 0, &spec));
    }
    uint32_t count;
    int64_t all;
    const struct policy_typical_task *typical = packing_typical(&count, &all);
    int status = policy_set_typical_tasks(play->p, 0, typical, count, all);
    if (status == POLICY_NO_MEMORY) {
        refused(play);
        status = policy_set_typical_tasks(play->p, 0, typical, count, all);
    }
    ck_assert(status == POLICY_OK || status == POLICY_UNSUPPORTED);
}

/* The first queue fills the fleet with long jobs of low priority, then the second submits short and
 * urgent ones. */
static void submit(struct play *play, policy_time at, uint32_t i)
{
    struct policy_role role = core_role(
        1 + (int32_t)i % 3, i % 5 == 4 ? core_share(400) : core_devices(1 + (int32_t)i % 2));
    role.request.cpu_milli = 1000 + 100 * (int64_t)i;
    struct policy_job_spec spec = core_job_spec(play->queues[i < JOBS / 2 ? 0 : 1], i, &role, 1);
    spec.submitted = at;
    spec.priority = 10 + (int32_t)i;
    spec.preemptible = true;
    spec.run_ms = 100000 - 5000 * (int64_t)i;
    spec.limit_ms = 2 * spec.run_ms;
    spec.estimate_ms = spec.run_ms;
    spec.user = i % 3;
    spec.eligible = i % 7 == 6 ? at + 1000 : 0;
    TELL_NEW(play, play->jobs[i], policy_submit(play->p, at, &spec));
}

static uint32_t number_of(const struct play *play, policy_job job)
{
    uint32_t i = 0;
    while (i < JOBS && (play->jobs[i].i != job.i || play->jobs[i].gen != job.gen))
        i++;
    ck_assert_uint_lt(i, JOBS);
    return i;
}

/* Returns true if anything was decided, or if a decision ran out of memory. */
static bool decide_once(struct play *play, policy_time at)
{
    struct policy_decision todo[64];
    size_t count;
    const struct policy_decision *d = policy_decide(play->p, at, &count);
    bool again = policy_last_error(play->p)->status != POLICY_OK;
    ck_assert_uint_le(count, ROWS(todo));
    if (count > 0)
        memcpy(todo, d, count * sizeof *d);
    if (again)
        refused(play);
    for (size_t i = 0; i < count; i++) {
        uint32_t job = number_of(play, todo[i].job);
        play->decided = (play->decided ^ (uint64_t)todo[i].kind << 32 ^ (uint64_t)job << 16 ^
                         todo[i].task << 8 ^ todo[i].node.i << 4 ^ todo[i].devices) *
                        UINT64_C(0x100000001b3);
        if (todo[i].kind == POLICY_START) {
            TELL(play, policy_task_started(play->p, at, todo[i].job, todo[i].task));
            play->running[job]++;
            play->started[job]++;
        } else if (todo[i].kind == POLICY_EVICT) {
            TELL(play, policy_task_releasing(play->p, at, todo[i].job, todo[i].task));
            play->running[job]--;
        }
        again = again || todo[i].kind != POLICY_NOMINATE;
    }
    for (size_t i = 0; i < count; i++)
        if (todo[i].kind == POLICY_EVICT)
            TELL(play, policy_task_ended(play->p, at, todo[i].job, todo[i].task, POLICY_EVICTED));
    return again;
}

static void settle(struct play *play, policy_time at)
{
    for (int cycles = 0; decide_once(play, at); cycles++)
        ck_assert_int_lt(cycles, 20);
}

static void explain(struct play *play)
{
    struct policy_explanation why = {.size = sizeof why};
    for (uint32_t i = 0; i < JOBS; i += 5)
        if (play->jobs[i].i != POLICY_NO_ID)
            TELL(play, policy_explain(play->p, play->jobs[i], &why));
}

/* One job arrives per round; from the middle on a running one ends each round, the lowest number
 * first. */
static void play_stream(struct play *play)
{
    build(play);
    for (uint32_t i = 0; i < JOBS; i++)
        play->jobs[i].i = POLICY_NO_ID;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        policy_time at = 1000 * (policy_time)(1 + round);
        if (round < JOBS)
            submit(play, at, round);
        for (uint32_t i = 0; round > JOBS / 2 && i < JOBS; i++)
            if (play->running[i] > 0 && play->running[i] == 1 + (int32_t)i % 3) {
                TELL(play, policy_task_ended(play->p, at, play->jobs[i], POLICY_ALL_TASKS,
                                             POLICY_SUCCEEDED));
                play->running[i] = 0;
                play->jobs[i].i = POLICY_NO_ID;
                break;
            }
        settle(play, at);
        if (round % 8 == 7)
            explain(play);
    }
}

/* Creating a policy may fail, too. */
static void begin(struct play *play, const char *preset)
{
    play->p = core_create(&play->tally, preset, "");
    if (play->p == NULL) {
        ck_assert_uint_eq(play->tally.bytes, 0);
        play->refusals++;
        play->p = core_create(&play->tally, preset, "");
    }
    ck_assert_ptr_nonnull(play->p);
    struct policy_config config;
    ck_assert_int_eq(policy_config_init(&config, preset, tally_allocator(&play->tally), NULL),
                     POLICY_OK);
    play->quota = config.quota.actions != 0;
}

START_TEST(every_allocation_may_fail)
{
    const char *preset = policy_preset_row((size_t)_i)->name;
    struct play whole = {.decided = 1};
    begin(&whole, preset);
    play_stream(&whole);
    core_destroy(whole.p, &whole.tally);
    int32_t starts = 0;
    for (int i = 0; i < JOBS; i++)
        starts += whole.started[i];
    ck_assert_int_gt(starts, JOBS);
    ck_assert_uint_gt(whole.tally.calls, 20);
    uint64_t thin = (uint64_t)harness_thin(), failures = 0;
    for (uint64_t n = 1 + (uint64_t)_i % thin; n <= whole.tally.calls; n += thin, failures++) {
        struct play play = {.tally.fail_at = n, .decided = 1};
        begin(&play, preset);
        play_stream(&play);
        core_destroy(play.p, &play.tally);
        ck_assert_msg(play.tally.failed, "%s: allocation %u never came", preset, (unsigned)n);
        ck_assert_int_le(play.refusals, 1);
        for (int i = 0; i < JOBS; i++)
            ck_assert_msg(play.running[i] == whole.running[i],
                          "%s: allocation %u: job %d runs %d tasks, not %d", preset, (unsigned)n, i,
                          play.running[i], whole.running[i]);
        if (!play.quota)
            ck_assert_msg(play.decided == whole.decided, "%s: allocation %u: other decisions",
                          preset, (unsigned)n);
    }
    ck_assert_uint_gt(failures, 0);
}
END_TEST

int main(void)
{
    int presets = 0;
    while (policy_preset_row((size_t)presets) != NULL)
        presets++;
    Suite *suite = suite_create("presets_memory");
    TCase *tcase = tcase_create("memory");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, every_allocation_may_fail, 0, presets);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
