/* SPDX-License-Identifier: MIT */
/*
 * A custom action that replaces runai's preempt: jobs of a queue take turns. Every `slice_s`
 * seconds, for each queue, the job that has been pending longest gets the devices of the job that
 * has run longest, if that has used up its slice, is preemptible and holds at least as many. The
 * time of the last round is saved in snapshots.
 *
 *     cc -shared -fPIC -I.. -o take_turns.so take_turns.c
 */
#include "plugin.h"

struct turns {
    int64_t slice_ms;
    policy_time round; /* the last one; POLICY_NEVER */
};

static const struct policy_plugin_option options[] = {
    {{"slice_s", "run time of a job before it yields"},
     POLICY_OPTION_SECONDS,
     0,
     3600000,
     1000,
     86400000},
};

static void *open_state(const struct policy_allocator *memory,
                        const struct policy_plugin_setup *setup)
{
    struct turns *turns = memory->resize(memory->user, 0, 0, sizeof *turns);
    if (turns)
        *turns = (struct turns){setup->options[0], POLICY_NEVER};
    return turns;
}

static void close_state(void *self, const struct policy_allocator *memory)
{
    memory->resize(memory->user, self, sizeof(struct turns), 0);
}

static size_t save(const void *self, void *bytes, size_t room)
{
    const struct turns *turns = self;
    if (room >= sizeof turns->round)
        __builtin_memcpy(bytes, &turns->round, sizeof turns->round);
    return sizeof turns->round;
}

static bool load(void *self, uint32_t version, const void *bytes, size_t size)
{
    struct turns *turns = self;
    if (version != 1 || size != sizeof turns->round)
        return false;
    __builtin_memcpy(&turns->round, bytes, size);
    return true;
}

/* Finds the queue's job that has been pending longest, and the one that has run longest. Returns
 * false unless both exist. */
static bool find_pair(const struct policy_view *view, policy_queue queue,
                      struct policy_view_job *waits, struct policy_view_job *runs)
{
    bool found_waiting = false, found_running = false;
    for (uint32_t i = 0; i < view->job_ids; i++) {
        struct policy_view_job job = {.size = sizeof job};
        if (!view->job(view, i, &job) || job.queue.i != queue.i || !job.eligible_now)
            continue;
        if (job.running == 0 && job.releasing == 0 && job.pending == job.tasks &&
            (!found_waiting || job.submitted < waits->submitted)) {
            *waits = job;
            found_waiting = true;
        }
        if (job.running > 0 && job.preemptible &&
            (!found_running || job.last_start < runs->last_start)) {
            *runs = job;
            found_running = true;
        }
    }
    return found_waiting && found_running;
}

static void take_turns(void *self, struct policy_plan *plan)
{
    struct turns *turns = self;
    const struct policy_view *view = plan->view;
    if (turns->round != POLICY_NEVER && plan->now < turns->round + turns->slice_ms) {
        plan->wake_at = turns->round + turns->slice_ms;
        return;
    }
    turns->round = plan->now;
    plan->wake_at = plan->now + turns->slice_ms;
    for (uint32_t q = 0; q < view->queue_ids; q++) {
        struct policy_view_queue queue = {.size = sizeof queue};
        struct policy_view_job waits = {0}, runs = {0};
        if (!view->queue(view, (policy_queue){q}, &queue) || !queue.leaf ||
            !find_pair(view, queue.id, &waits, &runs))
            continue;
        if (plan->now - runs.last_start >= turns->slice_ms && runs.all.gpu >= waits.minimum.gpu &&
            plan->evict_job(plan, runs.id, waits.id))
            plan->place_job(plan, waits.id); /* nominated: it starts when the devices are free */
    }
}

const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("take-turns", "jobs of a queue take turns, slice by slice"),
    .base = "runai",
    .destroy = close_state,
    .options = options,
    .option_count = 1,
    .state_version = 1,
    .open = open_state,
    .save = save,
    .load = load,
    .act = take_turns,
    .act_for = "preempt",
};
