/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking a policy about a snapshot; see dry_run.h. */
#include "sim/ask/dry_run.h"
#include "sim/base/escape.h"

#include "sim/asked.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/policy/choice.h"
#include "sim/world/typical.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the policy ---- */

struct origin {
    const struct snapshot *s;
    bool overridden;  /* by --policy: name and options differ from the file's */
    bool actions;     /* nor, with --actions, is this one */
    const char *file; /* that --policy names, or NULL */
};

/* Values from the command line have no place in the file. */
static const char *where(const void *of, const char *path, char *buffer, size_t size)
{
    const struct origin *origin = of;
    bool actions = origin->actions && strcmp(path, "policy.options.actions") == 0;
    if (!origin->overridden && !actions)
        return snapshot_where(origin->s, path, buffer, size);
    bool file = !actions && origin->file != NULL;
    (void)snprintf(buffer, size, "%s%s",
                   actions ? "--actions"
                   : file  ? "--policy "
                           : "--policy",
                   file ? origin->file : "");
    return buffer;
}

static bool choose_policy(struct dry_run *run, const struct cli *cli, struct err *err)
{
    const struct snapshot *s = run->s;
    const char *name = cli_option(cli, OPT_POLICY), *actions = cli_option(cli, OPT_ACTIONS);
    bool file = name && policy_name_is_file(name);
    const struct origin origin = {s, name != NULL, actions != NULL, file ? name : NULL};
    if (file) {
        if (!policy_file_open(&run->policy_file, name, err))
            return false;
        name = run->policy_file.name;
    }
    const struct scen_option *given = name ? run->policy_file.option : s->policy.options;
    size_t count = name ? run->policy_file.option_count : s->policy.option_count;
    struct scen_option *options = mem_alloc(count + 1, sizeof *options);
    for (size_t i = 0; i < count; i++)
        options[i] = given[i];
    if (actions)
        options[count++] = (struct scen_option){.name = "actions", .value = actions};
    run->policy_name = name ? name : s->policy.name;
    const struct policy_choice choice = {.name = run->policy_name,
                                         .options = options,
                                         .option_count = count,
                                         .where = where,
                                         .of = &origin};
    bool ok = policy_choose(&run->config, &choice, err);
    free(options);
    if (!ok)
        return false;
    return !policy_placement_counts(&run->config) ||
           err_set(err, EXIT_INPUT,
                   "the placement 'count' names no nodes, so it cannot decide on a snapshot");
}

/* Creates a policy that knows the snapshot's current state. */
static bool make_policy(struct dry_run *run, struct err *err)
{
    struct policy_error error = {0};
    run->queues = mem_alloc(run->s->queue_count + 1, sizeof *run->queues);
    run->nodes = mem_alloc(run->s->node_count + 1, sizeof *run->nodes);
    run->policy = policy_create(&run->config, &error);
    if (!run->policy)
        return err_set(err, EXIT_INTERNAL, "%s", error.message);
    bool near = (policy_traits(&run->config) & POLICY_TRAIT_NEAR) != 0;
    return snapshot_tell(&run->facts, run->policy, run->s, near, err) &&
           typical_tell(run->policy, &run->config, run->s, err);
}

/* Queues that are dropped are not wrong, but hardly meant. */
static void note_lost_queues(const struct snapshot *s)
{
    for (size_t i = 0; i < s->queue_count; i++) {
        const struct snap_queue *queue = &s->queues[i];
        char hint[160];
        if (!queue->lost || queue->parent_index != SNAP_NONE)
            continue;
        text_suggest(hint, sizeof hint, queue->parent, s->queue_names.names, s->queue_names.count,
                     sizeof *s->queue_names.names);
        cli_note("%s: queue '%s' is dropped with all queues below it: there is no queue '%s'%s",
                 s->file, queue->name, queue->parent, hint);
    }
}

static int64_t latest_date(const struct snap_job *job)
{
    int64_t latest = job->submit_ms > job->last_start_ms ? job->submit_ms : job->last_start_ms;
    return latest > job->stale_since_ms ? latest : job->stale_since_ms;
}

/* Clocks of a cluster differ, so such dates are no error; but by much they show that one of the
 * times is wrong. */
static void note_future(const struct snapshot *s)
{
    const struct snap_job *furthest = NULL;
    size_t count = 0;
    for (size_t i = 0; i < s->job_count; i++) {
        const struct snap_job *job = &s->jobs[i];
        count += latest_date(job) > s->now_ms;
        if (latest_date(job) > s->now_ms && (!furthest || latest_date(job) > latest_date(furthest)))
            furthest = job;
    }
    if (furthest)
        cli_note("%s: submit_ms, last_start_ms or stale_since_ms lie after now_ms and count as "
                 "now: of %zu jobs, most in '%s', by %" PRId64 " ms",
                 s->file, count, furthest->id, latest_date(furthest) - s->now_ms);
}

bool dry_run_open_with(struct dry_run *run, struct snapshot *s, const struct cli *cli,
                       struct err *err)
{
    *run = (struct dry_run){.s = s};
    note_lost_queues(s);
    note_future(s);
    return choose_policy(run, cli, err) && make_policy(run, err);
}

bool dry_run_open(struct dry_run *run, const struct cli *cli, struct err *err)
{
    struct snapshot *s;
    *run = (struct dry_run){.s = NULL};
    return snapshot_load(&s, cli->operands[0], err) && dry_run_open_with(run, s, cli, err);
}

bool dry_run_branch(struct dry_run *run, const struct dry_run *of, struct err *err)
{
    *run = (struct dry_run){
        .s = of->s, .borrowed = true, .config = of->config, .policy_name = of->policy_name};
    return make_policy(run, err);
}

void dry_run_close(struct dry_run *run)
{
    snap_facts_fini(&run->facts);
    policy_destroy(run->policy);
    if (!run->borrowed)
        snapshot_destroy(run->s);
    free(run->decisions);
    free(run->orders);
    free(run->queues);
    free(run->nodes);
    policy_file_close(&run->policy_file);
    *run = (struct dry_run){.s = NULL};
}

/* ---- cycles ---- */

static void note_state(struct dry_run *run)
{
    for (size_t i = 0; i < run->s->queue_count; i++) {
        struct dry_run_queue *queue = &run->queues[i];
        policy_queue id = run->facts.queues[i];
        queue->info = (struct policy_queue_info){.size = sizeof queue->info};
        queue->known =
            id.i != POLICY_NO_ID && policy_queue_info(run->policy, id, &queue->info) == POLICY_OK;
    }
    for (size_t i = 0; i < run->s->node_count; i++) {
        struct dry_run_node *node = &run->nodes[i];
        node->info = (struct policy_node_info){.size = sizeof node->info};
        node->known = policy_node_info(run->policy, run->facts.nodes[i], &node->info) == POLICY_OK;
    }
}

static const char *name_of(void *self, policy_job job)
{
    const struct snap_facts *facts = self;
    bool known = job.i < facts->job_capacity && facts->job_of[job.i] != SNAP_NONE;
    return known ? snap_facts_job(facts, job)->id : NULL;
}

bool dry_run_decide(struct dry_run *run, struct err *err)
{
    size_t count = 0;
    const struct asked asked = {.at = run->s->now_ms, .self = &run->facts, .name = name_of};
    asked_begin(&asked);
    const struct policy_decision *decisions = policy_decide(run->policy, run->s->now_ms, &count);
    asked_end();
    const struct policy_error *last = policy_last_error(run->policy);
    policy_job wrong = policy_wrong_job(run->policy);
    if (last->status == POLICY_WRONG_PLUGIN)
        return wrong.i == POLICY_NO_ID
                   ? err_set(err, EXIT_INVARIANT, "%s", last->message)
                   : err_set(err, EXIT_INVARIANT, "%s (job '%s')", last->message,
                             snap_facts_job(&run->facts, wrong)->id);
    if (last->status != POLICY_OK)
        return err_set(err, EXIT_INTERNAL, "the policy could not decide: %s", last->message);
    // All of this lives only until the policy is asked for its reasons.
    note_state(run);
    free(run->decisions);
    free(run->orders);
    run->decisions = mem_alloc(count + 1, sizeof *run->decisions);
    run->orders = mem_alloc(count + 1, sizeof *run->orders);
    run->decision_count = run->order_count = 0;
    for (size_t i = 0; i < count; i++)
        if (decisions[i].job.i == POLICY_NO_ID)
            run->orders[run->order_count++] = decisions[i];
        else
            run->decisions[run->decision_count++] = decisions[i];
    return true;
}

static const char *job_id(void *self, policy_job id)
{
    const struct dry_run *run = self;
    return snap_facts_job(&run->facts, id)->id;
}

/* No time passes between cycles, and nothing happens except what was decided. */
static bool settles(struct dry_run *run, struct err *err)
{
    struct unsettled *u = &run->unsettled;
    uint64_t tasks = 0;
    char circle[640];
    bool does = false;
    for (size_t i = 0; i < run->decision_count; i++)
        does |= run->decisions[i].kind != POLICY_NOMINATE;
    if (!does || !unsettled_decided(u, run->s->now_ms, 0, run->decisions, run->decision_count))
        return true;
    for (size_t i = 0; i < run->s->job_count; i++)
        tasks += run->s->jobs[i].task_count;
    unsettled_limit(u, tasks);
    if (!unsettled_here(u))
        return true;
    return err_set(
        err, EXIT_INVARIANT,
        "under policy '%s' decisions never settle: %" PRIu64 " cycles, again and again: %s",
        run->policy_name, u->here, unsettled_words(u, job_id, run, circle, sizeof circle));
}

bool dry_run_apply(struct dry_run *run, struct err *err)
{
    if (!settles(run, err))
        return false;
    return snapshot_apply(&run->facts, run->decisions, run->decision_count, err);
}

/* ---- why a job waits ---- */

static char *stray_text(const struct snapshot *s, const struct snap_job *job)
{
    char hint[160];
    if (job->stray == SNAP_QUEUE_INNER)
        return mem_format("queue '%s' has queues below it, and only leaves hold jobs",
                          job->queue_name);
    if (job->stray == SNAP_QUEUE_LOST)
        return mem_format(
            "queue '%s' is dropped: it is below '%s', and there is no queue of that name",
            job->queue_name, s->queues[job->queue].lost);
    text_suggest(hint, sizeof hint, job->queue_name, s->queue_names.names, s->queue_names.count,
                 sizeof *s->queue_names.names);
    return mem_format("there is no queue '%s'%s", job->queue_name, hint);
}

static bool names_constraint(const struct snap_constraint *constraint, int32_t level,
                             struct why *why)
{
    const struct policy_constraint *at = &constraint->at;
    bool unknown = at->topology < 0 || at->required < 0 || at->preferred < 0;
    if (level > 0 ? at->required != level : !unknown)
        return false;
    why->topology = constraint->topology;
    why->level = level > 0 || (at->topology > 0 && at->required < 0) ? constraint->required
                 : at->topology > 0                                  ? constraint->preferred
                                                                     : NULL;
    return true;
}

/* The constraint that stands in the way: the first that requires the level, or names what does not
 * exist. */
static void name_constraint(const struct snap_job *job, const struct policy_explanation *e,
                            struct why *why)
{
    bool requires =
        e->reason == POLICY_REASON_TOPOLOGY_FRAGMENTED || e->reason == POLICY_REASON_NEVER_FITS;
    int32_t level = requires && e->level > 0 ? e->level : -1;
    bool concerned = level > 0 || e->reason == POLICY_REASON_TOPOLOGY_UNKNOWN;
    bool found = !concerned || names_constraint(&job->topology, level, why);
    for (uint32_t i = 0; i < job->group_count && !found; i++)
        found = names_constraint(&job->groups[i].topology, level, why);
    for (uint32_t i = 0; i < job->role_count && !found; i++)
        found = names_constraint(&job->roles[i].topology, level, why);
}

/* Finds the first role of which too few tasks may start. */
static void name_gap(const struct snap_job *job, struct why *why)
{
    for (uint32_t r = 0; r < job->role_count; r++) {
        const struct snap_role *role = &job->roles[r];
        int32_t may_start = 0;
        for (uint32_t t = role->first_task; t < role->first_task + role->tasks; t++)
            may_start += job->tasks[t].state != SNAP_GATED && !snap_over(&job->tasks[t]);
        if (may_start < role->min_tasks) {
            why->role = role->name;
            why->has_tasks = may_start;
            why->needs_tasks = role->min_tasks;
            return;
        }
    }
}

/* Labels and types of nodes requested by the first task with such conditions: "rack=r1, zone=a|b,
 * device type h100". */
static char *wishes_of(const struct snap_job *job)
{
    const struct snap_request *request = NULL;
    for (uint32_t t = 0; t < job->task_count && !request; t++) {
        const struct snap_request *r = &job->tasks[t].request;
        request = r->term_count > 0 || *r->gpu_types != '\0' ? r : NULL;
    }
    if (!request)
        return NULL;
    struct out *out = out_memory();
    for (size_t i = 0; i < request->term_count; i++) {
        const struct snap_term *term = &request->terms[i];
        escape_format(out, "%s%s=", i ? ", " : "", term->key);
        for (size_t k = 0; k < term->value_count; k++)
            escape_format(out, "%s%s", k ? "|" : "", term->values[k]);
    }
    if (*request->gpu_types != '\0')
        escape_format(out, "%sdevice type %s", request->term_count ? ", " : "", request->gpu_types);
    return out_memory_take(out);
}

/* "8 cores and 1024 MiB of memory", for the task that requests most memory. */
static char *beside_devices(const struct snap_job *job)
{
    const struct snap_request *most = NULL;
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_request *r = &job->tasks[t].request;
        if (!most || r->mem_mib > most->mem_mib ||
            (r->mem_mib == most->mem_mib && r->cpu_milli > most->cpu_milli))
            most = r;
    }
    struct out *out = out_memory();
    out_milli(out, most ? most->cpu_milli : 0);
    escape_format(out, " cores and %" PRId64 " MiB of memory", most ? most->mem_mib : 0);
    return out_memory_take(out);
}

static const char *const stray_reasons[SNAP_STRAYS] = {
    [SNAP_QUEUE_UNKNOWN] = "QUEUE_UNKNOWN",
    [SNAP_QUEUE_LOST] = "QUEUE_DROPPED",
    [SNAP_QUEUE_INNER] = "QUEUE_NOT_A_LEAF",
};

static bool waits(const struct snap_job *job)
{
    for (uint32_t t = 0; t < job->task_count; t++) {
        if (job->tasks[t].state == SNAP_PENDING || job->tasks[t].state == SNAP_GATED)
            return true;
    }
    return false;
}

bool dry_run_pending(const struct dry_run *run, const struct snap_job *job, struct pending *pending)
{
    policy_job id = run->facts.jobs[job - run->s->jobs];
    *pending = (struct pending){.explained = {.size = sizeof pending->explained,
                                              .behind = {POLICY_NO_ID, 0},
                                              .queue = {POLICY_NO_ID}}};
    if (job->stray != SNAP_IN_QUEUE && waits(job)) {
        pending->reason = stray_reasons[job->stray];
        pending->text = stray_text(run->s, job);
        return true;
    }
    struct policy_explanation *e = &pending->explained;
    if (job->stray != SNAP_IN_QUEUE || id.i == POLICY_NO_ID ||
        policy_explain(run->policy, id, e) != POLICY_OK || e->reason == POLICY_REASON_NONE)
        return false;
    const struct snap_queue *queue = snap_facts_queue(&run->facts, e->queue);
    pending->reason = policy_reason_name(e->reason);
    pending->why = (struct why){
        .behind = e->behind.i != POLICY_NO_ID ? snap_facts_job(&run->facts, e->behind)->id : NULL,
        .queue = queue ? queue->name : NULL,
        .pool = e->pool > 0 ? run->facts.pools[e->pool - 1] : NULL,
    };
    if ((policy_traits(&run->config) & POLICY_TRAIT_DIVIDES) != 0)
        why_add_share(&pending->why, run->policy, run->facts.queues[job->queue], job->queue_name);
    name_constraint(job, e, &pending->why);
    name_gap(job, &pending->why);
    pending->wishes =
        e->reason == POLICY_REASON_CPU_OR_MEMORY ? beside_devices(job) : wishes_of(job);
    pending->why.wishes = pending->wishes;
    return true;
}

void pending_fini(struct pending *pending)
{
    free(pending->text);
    free(pending->wishes);
    pending->text = pending->wishes = NULL;
}

char *pending_detail(const struct pending *pending)
{
    struct why why = pending->why;
    why.explained = &pending->explained;
    return pending->text ? mem_text(pending->text) : why_detail(&why);
}

/* ---- decisions ---- */

void dry_run_print_orders(const struct dry_run *run, struct json *j)
{
    int indent = j->indent;
    for (size_t i = 0; i < run->order_count; i++) {
        const struct policy_decision *d = &run->orders[i];
        json_begin_object(j, NULL);
        j->indent = 0;
        json_text(j, "kind", policy_kind_name(d->kind));
        json_text(j, "node", snap_facts_node(&run->facts, d->node)->name);
        json_text(j, "action", policy_action_name(d->action));
        json_end_object(j);
        j->indent = indent;
    }
}

void dry_run_print(const struct dry_run *run, const struct policy_decision *decision,
                   struct json *j)
{
    const struct snap_facts *facts = &run->facts;
    const struct snap_task *task = snap_facts_task(facts, decision->job, decision->task);
    int indent = j->indent;
    json_begin_object(j, NULL);
    j->indent = 0;
    json_text(j, "kind", policy_kind_name(decision->kind));
    json_text(j, "job", snap_facts_job(facts, decision->job)->id);
    json_text(j, "task", task->id);
    json_text(j, "node", snap_facts_node(facts, decision->node)->name);
    if (decision->kind != POLICY_EVICT) {
        json_begin_array(j, "devices");
        for (uint32_t device = 0; device < POLICY_MAX_DEVICES; device++) {
            if (decision->devices >> device & 1)
                json_i64(j, NULL, device);
        }
        json_end_array(j);
    }
    json_text(j, "action", policy_action_name(decision->action));
    if (decision->kind == POLICY_EVICT) {
        bool served = decision->for_job.i != POLICY_NO_ID;
        json_text(j, "for_job", served ? snap_facts_job(facts, decision->for_job)->id : NULL);
        json_text(j, "reason", policy_reason_name(decision->reason));
    }
    json_end_object(j);
    j->indent = indent;
}
