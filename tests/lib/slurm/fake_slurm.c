/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A made-up Slurm; see fake_slurm.h. */
#include "tests/lib/slurm/fake_slurm.h"

#include "policies/adapters/slurm/load.h"
#include "policies/adapters/slurm/memory.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_MS 500

static uint32_t draw(struct fake *f, uint32_t below)
{
    f->random = f->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(f->random >> 33) % below;
}

bool fake_one_in(struct fake *f, uint32_t n)
{
    return f->trouble && draw(f, n) == 0;
}

/* ---- the made-up Slurm ---- */

static int32_t free_on(const struct fake *f, uint32_t node)
{
    int32_t left = FAKE_GPUS;
    for (uint32_t i = 0; i < f->job_count; i++)
        for (uint32_t k = 0; k < f->jobs[i].at_count; k++)
            left -= f->jobs[i].at[k].node == node ? f->jobs[i].at[k].gpus : 0;
    ck_assert_int_ge(left, 0);
    return left;
}

static void submit(struct fake *f)
{
    struct fake_job *job = &f->jobs[f->job_count];
    static const int32_t sizes[] = {1, 1, 2, 4, 8, 16, 32};
    int32_t size = sizes[draw(f, 7)];
    *job = (struct fake_job){.state = draw(f, 4) == 0 ? VIEW_LOOSE : VIEW_FRESH,
                             .nodes = size > FAKE_GPUS ? (uint32_t)(size / FAKE_GPUS) : 1,
                             .gpus = size > FAKE_GPUS ? FAKE_GPUS : size,
                             .build = size <= 4 && draw(f, 2) == 0,
                             .run_ms = 1000 + draw(f, 20000)};
    job->held = job->state == VIEW_FRESH;
    (void)snprintf(job->mark, sizeof job->mark, "%s", job->held ? LOAD_FRESH : "");
    (void)snprintf(job->id, sizeof job->id, "%u", f->job_count + 1);
    (void)snprintf(job->per_node, sizeof job->per_node, "gres:gpu:%d", job->gpus);
    f->job_count++;
}

/* What a job that waits again is for the adapter. */
static enum view_job_state pending_state(const struct fake_job *job)
{
    bool marked = strncmp(job->mark, LOAD_TAKEN, strlen(LOAD_TAKEN)) == 0;
    return !job->held ? VIEW_LOOSE : marked ? VIEW_HELD : VIEW_NOBODYS;
}

/* It stops; its nodes are free a while later. */
static void leave(struct fake *f, struct fake_job *job, enum view_job_state then)
{
    job->state = VIEW_LEAVING;
    job->leaves_ms = f->now + draw(f, 3000);
    job->then = then;
}

static void left(struct fake_job *job)
{
    job->at_count = 0;
    job->stopping = false;
    job->state = job->then;
    if (job->then == VIEW_HELD) {
        job->restarts++;
        job->state = pending_state(job);
    }
}

/* On the nodes it was released to, or by Slurm's own choice. */
static bool starts_on(struct fake *f, struct fake_job *job, const uint32_t *nodes)
{
    for (uint32_t k = 0; k < job->nodes; k++)
        if (f->nodes[nodes[k]] != VIEW_UP || free_on(f, nodes[k]) < job->gpus)
            return false;
    for (uint32_t k = 0; k < job->nodes; k++)
        job->at[k] = (struct view_place){nodes[k], job->gpus};
    job->at_count = job->nodes;
    job->state = VIEW_RUNNING;
    job->since_ms = f->now;
    job->starts++;
    return true;
}

static void may_start(struct fake *f, struct fake_job *job)
{
    if (job->wanted_count > 0) {
        ck_assert_uint_eq(job->wanted_count, job->nodes);
        if (!fake_one_in(f, 2))
            (void)starts_on(f, job, job->wanted);
        return;
    }
    uint32_t nodes[4], count = 0;
    for (uint32_t n = 0; n < FAKE_NODES && count < job->nodes; n++)
        if (f->nodes[n] == VIEW_UP && free_on(f, n) >= job->gpus)
            nodes[count++] = n;
    if (f->wild && count == job->nodes && fake_one_in(f, 3))
        (void)starts_on(f, job, nodes);
}

static void node_trouble(struct fake *f)
{
    for (uint32_t n = 0; n < FAKE_NODES; n++) {
        if (f->nodes[n] != VIEW_UP) {
            f->nodes[n] = f->trouble && draw(f, 20) > 0 ? f->nodes[n] : VIEW_UP;
            continue;
        }
        if (!fake_one_in(f, 150))
            continue;
        f->nodes[n] = draw(f, 2) == 0 ? VIEW_DRAINING : VIEW_DOWN;
        for (uint32_t i = 0; i < f->job_count && f->nodes[n] == VIEW_DOWN; i++)
            for (uint32_t k = 0; k < f->jobs[i].at_count; k++)
                if (f->jobs[i].at[k].node == n && f->jobs[i].state == VIEW_RUNNING)
                    leave(f, &f->jobs[i], VIEW_HELD);
    }
}

static void step_job(struct fake *f, struct fake_job *job)
{
    if (job->state == VIEW_LEAVING && f->now >= job->leaves_ms)
        left(job);
    else if (job->state == VIEW_RUNNING && f->now - job->since_ms >= job->run_ms)
        leave(f, job, draw(f, 5) == 0 ? VIEW_FAILED : VIEW_SUCCEEDED);
    else if (job->state == VIEW_RUNNING && fake_one_in(f, 300))
        leave(f, job,
              draw(f, 2) == 0 ? VIEW_FAILED : VIEW_HELD); /* cancelled or requeued by somebody */
    else if (job->state == VIEW_LOOSE)
        may_start(f, job);
    else if (job->state == VIEW_HELD && fake_one_in(f, 200))
        job->state = draw(f, 3) == 0 ? VIEW_FAILED : VIEW_NOBODYS;
    else if (job->state == VIEW_NOBODYS && (!f->trouble || draw(f, 10) == 0))
        job->state = VIEW_HELD; /* given back */
}

void fake_step(struct fake *f)
{
    f->now += STEP_MS;
    if (f->job_count < FAKE_JOBS && draw(f, 3) == 0)
        submit(f);
    node_trouble(f);
    for (uint32_t i = 0; i < f->job_count; i++)
        step_job(f, &f->jobs[i]);
}

/* ---- orders ---- */

static void release(struct fake *f, struct fake_job *job, const struct order *order)
{
    ck_assert_uint_eq(order->nodes, job->nodes);
    f->again += job->state == VIEW_LOOSE && job->wanted_count > 0;
    job->wanted_count = 0;
    for (const char *at = order->text; *at != '\0';
         at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        ck_assert_int_eq(*at, 'n');
        for (uint32_t k = 0; k < job->wanted_count; k++)
            ck_assert_uint_ne(job->wanted[k], (uint32_t)(at[1] - '0'));
        job->wanted[job->wanted_count++] = (uint32_t)(at[1] - '0');
    }
    job->held = false;
    job->state = VIEW_LOOSE;
}

static void carry_out(struct fake *f, const struct order *order)
{
    struct fake_job *job = &f->jobs[strtol(order->job, NULL, 10) - 1];
    bool pending = job->state < VIEW_RUNNING;
    job->stopping |= order->kind == ORDER_CANCEL || order->kind == ORDER_REQUEUE;
    if (fake_one_in(f, 25))
        return; /* it got lost */
    switch (order->kind) {
    case ORDER_RELEASE:
        if (pending)
            release(f, job, order);
        break;
    case ORDER_TAKE:
    case ORDER_HOLD:
    case ORDER_KEEP:
        if (*order->text != '\0')
            (void)snprintf(job->mark, sizeof job->mark, "%s", order->text);
        job->held = true;
        if (pending) {
            job->wanted_count = 0;
            job->state = pending_state(job);
        }
        break;
    case ORDER_REQUEUE:
        if (job->state == VIEW_RUNNING)
            leave(f, job, VIEW_HELD);
        break;
    case ORDER_CANCEL:
        f->cancels++;
        if (job->state == VIEW_RUNNING)
            leave(f, job, VIEW_FAILED);
        else if (pending)
            job->state = VIEW_FAILED;
        break;
    }
}

static void carry_out_all(struct fake *f, struct orders *orders)
{
    for (size_t i = 0; i < orders->count; i++)
        carry_out(f, &orders->list[i]);
    orders_clear(orders);
}

/* ---- views ---- */

static void make_view(const struct fake *f, struct view *view)
{
    static const char *const names[FAKE_NODES] = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"};
    *view = (struct view){.node_count = FAKE_NODES, .partition_count = 2, .counts_cpus = true};
    view->nodes = view_get(view, FAKE_NODES, sizeof *view->nodes);
    view->partitions = view_get(view, 2, sizeof *view->partitions);
    for (uint32_t n = 0; n < FAKE_NODES; n++)
        view->nodes[n] = (struct view_node){names[n], FAKE_GPUS, "h100", 64, 0, "", f->nodes[n]};
    for (int p = 0; p < 2; p++) {
        view->partitions[p] = (struct view_partition){
            p == 0 ? "train" : "build", view_get(view, FAKE_NODES, sizeof(bool)), true};
        memset(view->partitions[p].has, true, FAKE_NODES * sizeof(bool));
    }
    view->jobs = view_get(view, f->job_count, sizeof *view->jobs);
    view->job_count = f->job_count;
    for (uint32_t i = 0; i < f->job_count; i++) {
        const struct fake_job *job = &f->jobs[i];
        view->jobs[i] = (struct view_job){
            .key = {i + 1, VIEW_NO_TASK},
            .id = job->id,
            .record = job->id,
            .state = job->state,
            .held = job->held,
            .dependency = "",
            .partition = job->build ? "build" : "train",
            .account = "",
            .qos = "",
            .comment = job->mark,
            .gpus_per_job = "",
            .gpus_per_node = job->per_node,
            .gpus_per_task = "",
            .gpus_per_socket = "",
            .cpus_per_gpu = "",
            .mem_per_gpu = "",
            .features = "",
            .excluded_nodes = "",
            .wanted_nodes = job->wanted_count > 0 ? "n0" : "",
            .reservation = "",
            .licenses = "",
            .nodes = job->nodes,
            .tasks = job->nodes,
            .cpus = job->nodes,
            .may_requeue = true,
            .submit_ms = f->now,
            .start_ms = job->since_ms,
            .limit_ms = 60000,
            .restarts = job->restarts,
            .places = job->at,
            .place_count = job->state >= VIEW_SUCCEEDED && job->starts == 0 ? 0 : job->at_count};
    }
}

/* ---- running it ---- */

static void listen(void *of, const char *line)
{
    struct fake *f = of;
    if (strstr(line, "refuses") != NULL || strstr(line, "cannot have it") != NULL ||
        strstr(line, "is not taken") != NULL)
        (void)snprintf(f->said, sizeof f->said, "%s", line);
}

static void begin(struct fake_bed *bed)
{
    const struct tracker_options options = {
        .start_timeout_ms = 4000, .requeue_wait_ms = 1000, .repeat_ms = 3000};
    const struct tracker_world world = {&bed->config, &bed->core, &bed->facts, listen, bed->slurm};
    bed->tracker = tracker_create(&options, &world, bed->slurm->now, bed->error);
    ck_assert_msg(bed->tracker != NULL, "%s", bed->error);
}

void fake_observe(struct fake_bed *bed)
{
    struct orders orders = {NULL, 0};
    struct view view;
    make_view(bed->slurm, &view);
    ck_assert_msg(tracker_observe(bed->tracker, &view, bed->slurm->now, &orders, bed->error), "%s",
                  bed->error);
    life_tell(&bed->life, bed->tracker, &view);
    view_fini(&view);
    carry_out_all(bed->slurm, &orders);
}

void fake_look(struct fake_bed *bed)
{
    struct orders orders = {NULL, 0};
    struct policy_error unsound;
    fake_observe(bed);
    ck_assert_msg(tracker_decide(bed->tracker, bed->slurm->now, &orders, bed->error), "%s",
                  bed->error);
    if (bed->facts.log.error != 0)
        orders_clear(&orders);
    carry_out_all(bed->slurm, &orders);
    ck_assert_msg(policy_check(bed->facts.policy, &unsound) == POLICY_OK, "%s", unsound.message);
    ck_assert_msg(*bed->slurm->said == '\0', "%s", bed->slurm->said);
}

void fake_check_limit(const struct fake *f)
{
    int32_t build = 0;
    for (uint32_t i = 0; i < f->job_count; i++)
        for (uint32_t k = 0; k < f->jobs[i].at_count && f->jobs[i].build && !f->jobs[i].stopping;
             k++)
            build += f->jobs[i].at[k].gpus;
    ck_assert_int_le(build, FAKE_LIMIT);
}

bool fake_all_over(const struct fake *f)
{
    for (uint32_t i = 0; i < f->job_count; i++)
        if (f->jobs[i].state < VIEW_SUCCEEDED)
            return false;
    return f->job_count == FAKE_JOBS;
}

/* "runai backfill=true" */
static void choose_policy(struct fake_bed *bed, const char *policy)
{
    struct config *c = &bed->config;
    char *name = memory_text(policy), *option = strchr(name, ' ');
    if (option != NULL)
        *option++ = '\0';
    ck_assert(config_policy(c, name, bed->error));
    if (option != NULL) {
        char *value = strchr(option, '=');
        *value++ = '\0';
        c->options = memory_get(1, sizeof *c->options);
        c->values = memory_get(1, sizeof *c->values);
        c->options[0] = memory_text(option);
        c->values[0] = memory_text(value);
        c->option_count = 1;
    }
    free(name);
}

static void configure(struct fake_bed *bed, const char *policy)
{
    static struct policy_share none = {0, POLICY_UNLIMITED, 1000};
    static const struct policy_share any = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    ck_assert(config_read(&bed->config, NULL, bed->error));
    choose_policy(bed, policy);
    bed->config.queues = memory_get(2, sizeof *bed->config.queues);
    bed->config.queue_count = 2;
    for (int i = 0; i < 2; i++) {
        bed->config.queues[i] = (struct config_queue){
            .name = memory_text(i == 0 ? "train" : "build"),
            .parent = memory_text(""),
            .gpu = none,
            .cpu = any,
            .mem = any,
            .preempt_min_runtime_ms = POLICY_INHERIT,
            .reclaim_min_runtime_ms = POLICY_INHERIT,
        };
        bed->config.queues[i].gpu.quota = i == 0 ? 52000 : FAKE_LIMIT * 1000;
        bed->config.queues[i].gpu.limit = i == 0 ? POLICY_UNLIMITED : FAKE_LIMIT * 1000;
    }
    bed->config.rules = memory_get(1, sizeof *bed->config.rules);
    bed->config.rule_count = 1;
    bed->config.rules[0] = (struct config_rule){
        memory_text("build"), memory_text(""), memory_text(""), 100, POLICY_BUILD, false};
    ck_assert_msg(config_core(&bed->config, &bed->core, bed->error), "%s", bed->error);
}

/* The adapter's own part of the bed. */
static bool live(struct fake_bed *bed, struct fake_files files)
{
    const struct life_options options = {
        .journal = files.journal,
        .state = files.state,
        .sync_ms = files.syncs ? 0 : FACT_LOG_NEVER, /* no machine is to be outlived */
        .most_jump_ms = files.most_jump_ms > 0 ? files.most_jump_ms : INT64_MAX,
        .chapter = 100};
    if (!life_begin(&bed->life, &options, bed->config.policy, &bed->facts, bed->slurm->now,
                    bed->error, sizeof bed->error))
        return false;
    begin(bed);
    return true;
}

void fake_init(struct fake *f, int seed)
{
    *f = (struct fake){.now = 1000000, .random = (uint64_t)seed * 7919 + 1};
}

bool fake_try_open(struct fake_bed **made, const char *policy, struct fake_files files, int seed)
{
    struct fake_bed *bed = memory_get(1, sizeof *bed);
    bed->owns_slurm = files.slurm == NULL;
    bed->slurm = bed->owns_slurm ? memory_get(1, sizeof *bed->slurm) : files.slurm;
    if (bed->owns_slurm)
        fake_init(bed->slurm, seed);
    configure(bed, policy);
    *made = bed;
    // The names outlive the caller's: each life is given them again.
    files.journal = bed->journal = files.journal != NULL ? memory_text(files.journal) : NULL;
    files.state = bed->state = files.state != NULL ? memory_text(files.state) : NULL;
    return live(bed, files);
}

struct fake_bed *fake_open(const char *policy, struct fake_files files, int seed)
{
    struct fake_bed *bed;
    ck_assert_msg(fake_try_open(&bed, policy, files, seed), "%s", bed->error);
    return bed;
}

bool fake_turn(struct fake_bed *bed)
{
    if (!life_save(&bed->life, bed->tracker, bed->slurm->now, bed->error, sizeof bed->error))
        return false;
    tracker_destroy(bed->tracker);
    begin(bed);
    return true;
}

void fake_restart(struct fake_bed *bed)
{
    ck_assert_msg(fake_turn(bed), "%s", bed->error);
}

void fake_crash(struct fake_bed *bed)
{
    const struct fake_files files = {.journal = bed->life.options.journal,
                                     .state = bed->life.options.state};
    tracker_destroy(bed->tracker);
    bed->facts.log.held.length = 0;
    life_end(&bed->life);
    facts_close(&bed->facts);
    ck_assert_msg(live(bed, files), "%s", bed->error);
}

void fake_close(struct fake_bed *bed)
{
    tracker_destroy(bed->tracker);
    life_end(&bed->life);
    facts_close(&bed->facts);
    config_fini(&bed->config);
    if (bed->owns_slurm)
        free(bed->slurm);
    free(bed->journal);
    free(bed->state);
    free(bed);
}
