/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A core with a map of numbers; see core.h. */
#include "sim/replay/core.h"

#include "sim/ask/why.h"
#include "sim/asked.h"
#include "sim/base/digits.h"
#include "sim/base/mem.h"
#include "sim/policy/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *where(const void *of, const char *path, char *buffer, size_t size)
{
    (void)snprintf(buffer, size, "%s: %s", (const char *)of, path);
    return buffer;
}

static bool make(struct replay_core *core, const struct policy_choice *choice, struct err *err)
{
    struct policy_error error = {0};
    if (!policy_choose(&core->config, choice, err))
        return false;
    core->policy = policy_create(&core->config, &error);
    return core->policy != NULL || err_set(err, EXIT_INTERNAL, "%s", error.message);
}

bool replay_core_open(struct replay_core *core, const struct fact_policy *from, const char *of,
                      struct err *err)
{
    *core = (struct replay_core){.policy = NULL};
    if (from->version != FACTS_VERSION || from->contract != POLICY_VERSION)
        return err_set(
            err, EXIT_INPUT,
            "%s: facts of version %d for contract %d of the policy core, expected %d and %d", of,
            from->version, from->contract, FACTS_VERSION, POLICY_VERSION);
    struct scen_option *options = mem_alloc(from->option_count + 1, sizeof *options);
    for (uint32_t i = 0; i < from->option_count; i++)
        options[i] =
            (struct scen_option){.name = from->options[i].name, .value = from->options[i].value};
    const struct policy_choice choice = {.name = from->name,
                                         .options = options,
                                         .option_count = from->option_count,
                                         .seed = from->seed,
                                         .where = where,
                                         .of = of};
    bool ok = make(core, &choice, err);
    free(options);
    return ok;
}

bool replay_core_choose(struct replay_core *core, const char *policy, struct policy_file *file,
                        uint64_t seed, struct err *err)
{
    *core = (struct replay_core){.policy = NULL};
    bool is_file = policy_name_is_file(policy);
    if (is_file && !policy_file_open(file, policy, err))
        return false;
    const struct policy_choice choice = {.name = is_file ? file->name : policy,
                                         .options = file->option,
                                         .option_count = file->option_count,
                                         .seed = seed,
                                         .where = where,
                                         .of = is_file ? policy : "--policy"};
    return make(core, &choice, err);
}

void replay_core_close(struct replay_core *core)
{
    policy_destroy(core->policy);
    fact_map_fini(&core->map);
    free(core->decisions);
    *core = (struct replay_core){.policy = NULL};
}

/* Names of jobs for asked.h. Clients need not give any: then their numbers. */
struct naming {
    const struct fact_map *map;
    char number[DIGITS_MOST];
};

static const char *number_of(struct naming *naming, policy_job theirs)
{
    *digits_u64(naming->number, theirs.i) = '\0';
    return naming->number;
}

static const char *name_of(void *self, policy_job ours)
{
    struct naming *naming = self;
    const char *name;
    policy_job theirs = fact_map_their_job(naming->map, ours, &name);
    return name != NULL || theirs.i == POLICY_NO_ID ? name : number_of(naming, theirs);
}

int replay_core_tell(struct replay_core *core, const struct fact *fact)
{
    struct naming naming = {.map = &core->map};
    const struct asked asked = {
        .at = fact->at, .job = fact->name != NULL ? fact->name : number_of(&naming, fact->job)};
    asked_begin(&asked);
    int status = fact_map_tell(&core->map, core->policy, fact);
    asked_end();
    return status;
}

bool replay_core_decide(struct replay_core *core, policy_time at, struct err *err)
{
    size_t count = 0;
    struct naming naming = {.map = &core->map};
    const struct asked asked = {.at = at, .self = &naming, .name = name_of};
    asked_begin(&asked);
    const struct policy_decision *d = policy_decide(core->policy, at, &count);
    asked_end();
    const struct policy_error *last = policy_last_error(core->policy);
    if (last->status != POLICY_OK)
        return err_set(err, last->status == POLICY_WRONG_PLUGIN ? EXIT_INVARIANT : EXIT_INPUT,
                       "the policy could not decide: %s", last->message);
    core->count = 0;
    if (count > core->capacity)
        core->decisions =
            mem_grow(core->decisions, &core->capacity, count, sizeof *core->decisions);
    for (; core->count < count; core->count++)
        core->decisions[core->count] = fact_map_decision(&core->map, at, &d[core->count]);
    return true;
}

bool replay_same_decision(const struct fact_decision *x, const struct fact_decision *y)
{
    const struct policy_decision *a = &x->d, *b = &y->d;
    return a->kind == b->kind && a->action == b->action && a->reason == b->reason &&
           a->task == b->task && a->job.i == b->job.i && a->job.gen == b->job.gen &&
           a->for_job.i == b->for_job.i && a->for_job.gen == b->for_job.gen &&
           a->node.i == b->node.i && a->pool == b->pool && a->devices == b->devices &&
           a->gpu_milli == b->gpu_milli;
}

const char *replay_core_reason(struct replay_core *core, policy_job theirs, char **detail)
{
    struct policy_explanation e = {
        .size = sizeof e, .behind = {POLICY_NO_ID, 0}, .queue = {POLICY_NO_ID}};
    policy_job job = fact_map_job(&core->map, theirs);
    if (job.i == POLICY_NO_ID || policy_explain(core->policy, job, &e) != POLICY_OK)
        return NULL;
    if (e.reason == POLICY_REASON_NONE) {
        *detail = mem_text("it runs, or is to start");
        return "NONE";
    }
    struct why why = {.explained = &e, .queue = fact_map_queue_name(&core->map, e.queue)};
    if (e.behind.i != POLICY_NO_ID)
        (void)fact_map_their_job(&core->map, e.behind, &why.behind);
    *detail = why_detail(&why);
    return policy_reason_name(e.reason);
}

char *replay_core_why(struct replay_core *core, policy_job theirs)
{
    char *detail = NULL;
    const char *reason = replay_core_reason(core, theirs, &detail);
    if (reason == NULL)
        return mem_text("it is not there");
    char *text = strcmp(reason, "NONE") == 0 ? mem_text(detail)
                                             : mem_format("it waits, %s: %s", reason, detail);
    free(detail);
    return text;
}
