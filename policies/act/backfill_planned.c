/* SPDX-License-Identifier: MIT */
/* Conservative backfill under queue orders; see backfill_planned.h. */
#include "act/backfill_planned.h"

#include "act/attempt.h"
#include "act/timetable.h"
#include "state/gangs.h"

struct planned {
    struct pc_timetable times;
    policy_time *starts; /* by job, as planned by the decision in starts_in */
    uint32_t *starts_in;
    uint32_t start_capacity, in_capacity;
    uint32_t tested;  /* jobs of this decision that do not fit now */
    uint32_t planned; /* of these, jobs with a planned start */
};

static void *create(struct policy *p)
{
    struct planned *all = pc_alloc(&p->memory, 1, sizeof *all);
    if (all != NULL)
        *all = (struct planned){.tested = 0};
    return all;
}

static void destroy(struct policy *p, void *self)
{
    struct planned *all = self;
    pc_timetable_free(&all->times, &p->memory);
    pc_release(&p->memory, all->starts, all->start_capacity, sizeof *all->starts);
    pc_release(&p->memory, all->starts_in, all->in_capacity, sizeof *all->starts_in);
    pc_release(&p->memory, all, 1, sizeof *all);
}

static bool reserve_job(struct policy *p, void *self, uint32_t job,
                        const struct policy_job_spec *spec)
{
    struct planned *all = self;
    (void)spec;
    return PC_GROW(&p->memory, all->starts, all->start_capacity, job + 1) &&
           PC_GROW(&p->memory, all->starts_in, all->in_capacity, job + 1);
}

static void job_added(struct policy *p, void *self, uint32_t job,
                      const struct policy_job_spec *spec)
{
    struct planned *all = self;
    (void)p, (void)spec;
    all->starts_in[job] = 0;
}

static const struct pc_module planned_module = {
    .name = "planned",
    .create = create,
    .destroy = destroy,
    .reserve_job = reserve_job,
    .job_added = job_added,
};

static struct planned *all_of(const struct policy *p)
{
    return pc_module_self(p, &planned_module);
}

bool pc_plans(const struct policy *p)
{
    return p->cluster->pending == NULL && p->config.backfill == POLICY_CONSERVATIVE;
}

/* ---- planning ---- */

static void begin(struct policy *p)
{
    struct planned *all = all_of(p);
    all->tested = all->planned = 0;
}

const struct pc_action pc_action_backfill_planned = {
    .row = {"backfill-planned",
            "jobs start early if they delay no earlier job, in the order of queues"},
    .action = POLICY_BACKFILL,
    .run = begin,
    .module = &planned_module,
};

bool pc_planned_goes_on(const struct policy *p)
{
    return all_of(p)->tested < (uint32_t)p->config.backfill_depth;
}

/* Plans the job to start at `at` or later and to hold `need` from then on. */
static void plan(struct policy *p, uint32_t job, int64_t need, policy_time at, int64_t length)
{
    struct planned *all = all_of(p);
    if (!pc_planned_goes_on(p))
        return;
    all->tested++;
    if (at == INT64_MAX || !pc_timetable_plan(p, &all->times, job, need, at, length))
        return;
    all->planned++;
    all->starts[job] = at;
    all->starts_in[job] = p->cluster->decision_number;
}

static void hold_back(struct pc_cluster *c, uint32_t job)
{
    c->classes[c->jobs[job].class].held_back_in = c->decision_number;
}

/* Plans a later start for a job that does not fit now. */
static void plan_later(struct policy *p, uint32_t job, int64_t need, int64_t length)
{
    struct planned *all = all_of(p);
    if (!pc_planned_goes_on(p) || (all->tested == 0 && !pc_timetable_open(p, &all->times)))
        return;
    policy_time next = pc_timetable_next(p, &all->times, job);
    policy_time at =
        next == INT64_MAX ? next : pc_timetable_earliest(p, &all->times, job, need, length, next);
    plan(p, job, need, at, length);
}

bool pc_planned_serve(struct policy *p, uint32_t job, bool (*try)(struct policy *, uint32_t job))
{
    struct pc_cluster *c = p->cluster;
    struct planned *all = all_of(p);
    const struct pc_amounts more = pc_next_amounts(p, job);
    int64_t need = more.of[PC_GPU];
    int64_t length = pc_timetable_length(p, job);
    bool counts = pc_timetable_counts(c, job);
    if (counts && pc_check_limits(p, job, &more).reason != 0)
        return false;
    bool waits = pc_is_below_minimum(c, job);
    bool behind = all->planned > 0;
    if (counts && behind) {
        policy_time at = pc_timetable_earliest(p, &all->times, job, need, length, p->now);
        if (at > p->now) {
            hold_back(c, job);
            if (waits)
                plan(p, job, need, at, length);
            return false;
        }
    }
    c->action = behind ? POLICY_BACKFILL : POLICY_ALLOCATE;
    bool placed = try(p, job);
    c->action = POLICY_ALLOCATE;
    if (placed && all->tested > 0)
        (void)pc_timetable_place(p, &all->times, job, &c->placing);
    else if (!placed && counts && waits && !c->out_of_memory)
        plan_later(p, job, need, length);
    return placed;
}

/* ---- planned starts ---- */

policy_time pc_planned_start(const struct policy *p, uint32_t job)
{
    const struct planned *all = all_of(p);
    bool is_planned = all != NULL && p->cluster->decision_number > 0 &&
                      all->starts_in[job] == p->cluster->decision_number;
    return is_planned ? all->starts[job] : INT64_MAX;
}
