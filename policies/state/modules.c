/* SPDX-License-Identifier: MIT */
/* The modules of a policy: created once, called on every change. See rows.h. */
#include "state/engine.h"

bool pc_module_open(struct policy *p, const struct pc_module *module)
{
    struct pc_modules *m = &p->modules;
    if (module == NULL)
        return true;
    for (uint32_t i = 0; i < m->count; i++)
        if (m->at[i].of == module)
            return true;
    void *self = module->create != NULL ? module->create(p) : NULL;
    if ((module->create != NULL && self == NULL) || m->count == PC_MOST_MODULES)
        return false;
    m->hear_of_jobs |= module->job_added != NULL || module->job_waits != NULL ||
                       module->job_started != NULL || module->job_resized != NULL ||
                       module->job_leaves != NULL || module->job_stopped != NULL ||
                       module->job_over != NULL;
    m->have_holders |= module->reserve_holders != NULL;
    m->at[m->count].of = module;
    m->at[m->count++].self = self;
    return true;
}

void pc_modules_close(struct policy *p)
{
    struct pc_modules *m = &p->modules;
    while (m->count > 0) {
        m->count--;
        if (m->at[m->count].of->destroy != NULL)
            m->at[m->count].of->destroy(p, m->at[m->count].self);
    }
}

void *pc_module_self(const struct policy *p, const struct pc_module *module)
{
    for (uint32_t i = 0; i < p->modules.count; i++)
        if (p->modules.at[i].of == module)
            return p->modules.at[i].self;
    return NULL;
}

/* Calls a hook of every module that has it. */
#define TELL(hook, ...)                                                                            \
    for (uint32_t i = 0; i < p->modules.count; i++)                                                \
        if (p->modules.at[i].of->hook != NULL)                                                     \
    p->modules.at[i].of->hook(p, p->modules.at[i].self, __VA_ARGS__)

bool pc_modules_reserve_job(struct policy *p, uint32_t job, const struct policy_job_spec *spec)
{
    for (uint32_t i = 0; i < p->modules.count; i++)
        if (p->modules.at[i].of->reserve_job != NULL &&
            !p->modules.at[i].of->reserve_job(p, p->modules.at[i].self, job, spec))
            return false;
    return true;
}

bool pc_modules_reserve_holders(struct policy *p, uint32_t most)
{
    for (uint32_t i = 0; p->modules.have_holders && i < p->modules.count; i++)
        if (p->modules.at[i].of->reserve_holders != NULL &&
            !p->modules.at[i].of->reserve_holders(p, p->modules.at[i].self, most))
            return false;
    return true;
}

void pc_modules_job_added(struct policy *p, uint32_t job, const struct policy_job_spec *spec)
{
    TELL(job_added, job, spec);
}

void pc_modules_job_waits(struct policy *p, uint32_t job)
{
    TELL(job_waits, job);
}

void pc_modules_job_started(struct policy *p, uint32_t job, policy_time since)
{
    TELL(job_started, job, since);
}

void pc_modules_job_resized(struct policy *p, uint32_t job)
{
    TELL(job_resized, job);
}

void pc_modules_job_leaves(struct policy *p, uint32_t job)
{
    TELL(job_leaves, job);
}

void pc_modules_job_answered(struct policy *p, uint32_t job)
{
    TELL(job_answered, job);
}

void pc_modules_job_stopped(struct policy *p, uint32_t job, bool ran)
{
    TELL(job_stopped, job, ran);
}

void pc_modules_job_over(struct policy *p, uint32_t job)
{
    TELL(job_over, job);
}

void pc_modules_job_reprioritized(struct policy *p, uint32_t job)
{
    TELL(job_reprioritized, job);
}

bool pc_modules_reserve_queue(struct policy *p, uint32_t queue)
{
    for (uint32_t i = 0; i < p->modules.count; i++)
        if (p->modules.at[i].of->reserve_queue != NULL &&
            !p->modules.at[i].of->reserve_queue(p, p->modules.at[i].self, queue))
            return false;
    return true;
}

void pc_modules_queues_changed(struct policy *p)
{
    for (uint32_t i = 0; i < p->modules.count; i++)
        if (p->modules.at[i].of->queues_changed != NULL)
            p->modules.at[i].of->queues_changed(p, p->modules.at[i].self);
}

void pc_modules_queue_over(struct policy *p, uint32_t queue)
{
    TELL(queue_over, queue);
}

void pc_modules_nodes_changed(struct policy *p)
{
    for (uint32_t i = 0; i < p->modules.count; i++)
        if (p->modules.at[i].of->nodes_changed != NULL)
            p->modules.at[i].of->nodes_changed(p, p->modules.at[i].self);
}

const char *pc_modules_check(const struct policy *p)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; i < p->modules.count && wrong == NULL; i++)
        if (p->modules.at[i].of->check != NULL)
            wrong = p->modules.at[i].of->check(p, p->modules.at[i].self);
    return wrong;
}
