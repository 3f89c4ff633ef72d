/* SPDX-License-Identifier: MIT */
/*
 * Least attained service in discrete levels: a job is in the first queue until its run time times
 * its devices exceeds the first threshold, then in the second, and so on down to the last; it never
 * moves up. Within a queue the job submitted first goes first. (Discretized two-dimensional LAS of
 * Tiresias, NSDI 2019.)
 *
 * The variant "published" follows the simulator released with Tiresias, which differs in three
 * ways. Queues only change when some other event occurs: a job that has attained a threshold by
 * then moves one queue down, behind all jobs there. For this purpose the policy also wakes up after
 * (threshold - run time of the job) / devices, in whole seconds, which for more than one device is
 * not when the threshold is attained. And within a queue jobs that were running precede jobs that
 * were pending, each in the order of their last rank.
 */
#include "order/order.h"
#include "order/ranking.h"

#define SECOND_MS 1000

/* Number of thresholds that the job has passed. */
static int32_t level_of(const struct policy *p, uint32_t job)
{
    const struct policy_ranked_options *o = &p->config.ranked;
    int32_t level = 0;
    while (level < o->thresholds && pc_ranking_attained(p, job) > o->threshold[level])
        level++;
    return level;
}

static void rank_published(const struct policy *p, struct pc_rank_run *run, struct pc_rank *s)
{
    const struct policy_ranked_options *o = &p->config.ranked;
    bool runs = run != NULL && pc_ranking_runs(p, s->job);
    bool demoted = runs && run->level < o->thresholds &&
                   pc_ranking_attained(p, s->job) >= o->threshold[run->level];
    if (demoted)
        run->level++;
    s->key = run != NULL ? run->level : 0;
    s->second = demoted ? 2 : runs ? 0 : 1;
    s->turn = demoted ? p->cluster->jobs[s->job].rank : s->place;
}

static void rank(struct policy *p, uint32_t job, struct pc_rank *s)
{
    const struct policy_ranked_options *o = &p->config.ranked;
    struct pc_rank_run *run = pc_ranking_run(pc_ranking_of(p), job);
    if (o->demotion == POLICY_DEMOTE_PUBLISHED) {
        rank_published(p, run, s);
        return;
    }
    int32_t level = level_of(p, job);
    if (run != NULL)
        run->level = level;
    s->key = level;
    s->second = p->cluster->jobs[job].submitted;
    pc_ranking_tie(p, s);
}

/* Time until the next wakeup, as published. */
static int64_t look_in(int64_t threshold, int64_t had, int64_t milli)
{
    int64_t ran_ms = had / milli;
    int64_t rest = threshold / POLICY_WHOLE - ran_ms;
    int64_t ms = rest > 0 ? rest * POLICY_WHOLE / milli : 0;
    ms -= ms % SECOND_MS;
    return ms > SECOND_MS ? ms : SECOND_MS;
}

static policy_time next_crossing(const struct policy *p, uint32_t job)
{
    const struct policy_ranked_options *o = &p->config.ranked;
    const struct pc_rank_run *x = pc_ranking_past(pc_ranking_of(p), job);
    if (x->level >= o->thresholds || x->rate == 0)
        return INT64_MAX;
    int64_t threshold = o->threshold[x->level];
    int64_t had = pc_ranking_attained(p, job);
    if (o->demotion == POLICY_DEMOTE_PUBLISHED)
        return p->now + look_in(threshold, had, x->rate);
    return p->now + (had > threshold ? 1 : (threshold - had) / x->rate + 1);
}

/* Without evictions: the level attained when the job becomes pending. */
static struct pc_key rekey(const struct policy *p, uint32_t job)
{
    return (struct pc_key){.major = level_of(p, job), .minor = p->cluster->jobs[job].submitted};
}

const struct pc_job_order pc_order_attained = {
    .row = {"attained", "attained service (GPUs x time) in steps of threshold_gpu_s, preemptive"},
    .traits = PC_ORDER_RANKED | PC_ORDER_LASTING,
    .key = pc_key_by_age,
    .rekey = rekey,
    .module = &pc_ranking_module,
    .rank = rank,
    .next_crossing = next_crossing,
};
