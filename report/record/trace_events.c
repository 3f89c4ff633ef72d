/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in the Trace Event format; see trace_events.h. */
#include "report/record/trace_events.h"

#include "report/record/node_state.h"

#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Numbers of processes and threads; viewers reserve 0. A thread's number is 100 x its lane plus the
 * number of its device.
 */
enum { CLUSTER = 1, FIRST_NODE, EVENTS = 1, FIRST_GPU = 1, STATE = 99, LANE = 100 };

enum { WORD = 64 };

/* The devices that a task holds, or a place for a task without any. */
struct trace_events_part {
    int64_t since_ms;
    uint64_t devices;
    uint32_t node, pool, number; /* as in struct work_task */
    int32_t milli;
    int64_t held_milli;
    uint32_t lane, next;
};

/* The threads of one device: the set of lanes in use. */
struct trace_events_track {
    uint64_t *words;
    size_t word_count;
    uint32_t named; /* lanes named so far */
};

bool trace_events_open(struct trace_events *t, const char *path, struct err *err)
{
    t->out = out_open(path, err);
    if (t->out != NULL)
        out_text(t->out, "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [");
    return t->out != NULL;
}

/* ---- events ---- */

static void event(struct trace_events *t, struct json *j, const char *phase, uint32_t process,
                  uint32_t thread, const char *name)
{
    out_text(t->out, t->begun ? ",\n" : "\n");
    t->begun = true;
    json_init(j, t->out, 0);
    json_begin_object(j, NULL);
    json_text(j, "ph", phase);
    json_u64(j, "pid", process);
    if (thread != 0)
        json_u64(j, "tid", thread);
    json_text(j, "name", name);
}

/* Prints ms as microseconds without a multiplication, which could overflow. */
static void micros(struct json *j, const char *key, int64_t ms)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64 "%s", ms, ms != 0 ? "000" : "");
    json_value(j, key, text);
}

/* Names a process or thread and sets its place in the order. */
static void name(struct trace_events *t, uint32_t process, uint32_t thread, const char *called,
                 uint32_t place)
{
    struct json j;
    event(t, &j, "M", process, thread, thread != 0 ? "thread_name" : "process_name");
    json_begin_object(&j, "args");
    json_text(&j, "name", called);
    json_end_object(&j);
    json_end_object(&j);
    event(t, &j, "M", process, thread, thread != 0 ? "thread_sort_index" : "process_sort_index");
    json_begin_object(&j, "args");
    json_u64(&j, "sort_index", place);
    json_end_object(&j);
    json_end_object(&j);
}

/* An event without duration. Its arguments follow, then close_event(). */
static void instant(struct trace_events *t, struct json *j, const struct sim *sim, uint32_t process,
                    uint32_t thread, const char *called)
{
    event(t, j, "i", process, thread, called);
    micros(j, "ts", sim->now_ms);
    json_text(j, "s", "t");
    json_begin_object(j, "args");
}

static void span(struct trace_events *t, struct json *j, uint32_t process, uint32_t thread,
                 const char *called, int64_t from_ms, int64_t to_ms)
{
    event(t, j, "X", process, thread, called);
    micros(j, "ts", from_ms);
    micros(j, "dur", to_ms - from_ms);
}

static void close_event(struct json *j)
{
    json_end_object(j);
    json_end_object(j);
}

/* ---- lanes ---- */

static bool in_use(const struct trace_events_track *track, uint32_t lane)
{
    return lane / WORD < track->word_count && (track->words[lane / WORD] >> lane % WORD & 1) != 0;
}

static void use_lane(struct trace_events_track *track, uint32_t lane)
{
    track->words =
        mem_extend(track->words, &track->word_count, lane / WORD + 1, sizeof *track->words);
    track->words[lane / WORD] ^= UINT64_C(1) << lane % WORD;
}

/*
 * Returns the devices whose tracks a part uses, counted from *track. A part without devices uses
 * the track after the devices of its node, or that of its pool.
 */
static uint64_t tracks_of(const struct trace_events *t, const struct sim *sim,
                          const struct trace_events_part *part, uint32_t *track)
{
    if (part->node == WORK_NONE) {
        *track = t->first_track[sim->fleet->node_count] + part->pool;
        return 1;
    }
    *track = t->first_track[part->node];
    if (part->devices != 0)
        return part->devices;
    *track += (uint32_t)sim->fleet->nodes[part->node].gpus;
    return 1;
}

static uint32_t free_lane(const struct trace_events *t, uint32_t track, uint64_t set)
{
    for (uint32_t lane = 0;; lane++) {
        bool taken = false;
        for (uint64_t rest = set; rest != 0 && !taken; rest &= rest - 1)
            taken = in_use(&t->tracks[track + (uint32_t)__builtin_ctzll(rest)], lane);
        if (!taken)
            return lane;
    }
}

/*
 * Returns the number of the thread for the part's d-th track; for a device it is the device's
 * number.
 */
static uint32_t thread_of(const struct sim *sim, const struct trace_events_part *part, uint32_t d)
{
    bool behind = part->node != WORK_NONE && part->devices == 0;
    uint32_t device = behind ? (uint32_t)sim->fleet->nodes[part->node].gpus : d;
    return part->lane * LANE + FIRST_GPU + device;
}

static uint32_t process_of(const struct sim *sim, const struct trace_events_part *part)
{
    return part->node != WORK_NONE ? FIRST_NODE + part->node
                                   : FIRST_NODE + (uint32_t)sim->fleet->node_count + part->pool;
}

/* Names the threads that are new on the track. */
static void name_lanes(struct trace_events *t, const struct sim *sim,
                       const struct trace_events_part *part, uint32_t d,
                       struct trace_events_track *track)
{
    char called[64];
    struct trace_events_part at = *part;
    for (; track->named <= part->lane; track->named++) {
        at.lane = track->named;
        if (part->devices != 0)
            snprintf(called, sizeof called, "GPU %" PRIu32, d);
        else
            snprintf(called, sizeof called, "%s",
                     part->node == WORK_NONE ? "allocations" : "no GPU");
        size_t n = strlen(called);
        if (at.lane > 0)
            snprintf(called + n, sizeof called - n, "%s %" PRIu32,
                     part->devices != 0 ? ", share" : "", at.lane + 1);
        uint32_t thread = thread_of(sim, &at, d);
        name(t, process_of(sim, part), thread, called, thread % LANE * 10000 + at.lane);
    }
}

/* ---- tasks ---- */

static struct trace_events_part *add_part(struct trace_events *t, struct trace_events_job *job)
{
    uint32_t id = t->free_part;
    if (id != 0) {
        t->free_part = t->parts[id - 1].next;
    } else {
        t->parts = mem_grow(t->parts, &t->part_capacity, t->part_count + 1, sizeof *t->parts);
        id = (uint32_t)++t->part_count;
    }
    if (job->last != 0)
        t->parts[job->last - 1].next = id;
    else
        job->first = id;
    job->last = id;
    return &t->parts[id - 1];
}

static void take(struct trace_events *t, const struct sim *sim, struct trace_events_job *job,
                 const struct work_task *task)
{
    struct trace_events_part *part = add_part(t, job);
    *part = (struct trace_events_part){.since_ms = sim->now_ms,
                                       .devices = task->devices,
                                       .node = task->node,
                                       .pool = task->pool,
                                       .number = task->number,
                                       .milli = task->milli,
                                       .held_milli = task->held_milli};
    uint32_t track;
    uint64_t set = tracks_of(t, sim, part, &track);
    part->lane = free_lane(t, track, set);
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        uint32_t d = (uint32_t)__builtin_ctzll(rest);
        use_lane(&t->tracks[track + d], part->lane);
        name_lanes(t, sim, part, d, &t->tracks[track + d]);
    }
}

static void bar(struct trace_events *t, const struct sim *sim, const struct work_job *job,
                const struct trace_events_part *part, uint32_t d)
{
    struct json j;
    int64_t from_ms = part->since_ms == INT64_MIN ? t->began_ms : part->since_ms;
    span(t, &j, process_of(sim, part), thread_of(sim, part, d), work_id(job), from_ms, sim->now_ms);
    json_text(&j, "cat", trace_class_names[job->class]);
    json_begin_object(&j, "args");
    json_text(&j, "queue", sim->queues[job->queue].name);
    const char *user = symbols_name(sim->config.names.users, job->user);
    if (*user != '\0')
        json_text(&j, "user", user);
    json_u64(&j, "task", part->number);
    if (part->node == WORK_NONE)
        json_f64(&j, "gpus", (double)part->held_milli / FLEET_WHOLE, 3);
    else if (part->devices != 0 && part->milli < FLEET_WHOLE)
        json_f64(&j, "share", (double)part->milli / FLEET_WHOLE, 3);
    close_event(&j);
}

static bool is_part_of(const struct trace_events_part *part, const struct work_task *task)
{
    return part->number == task->number && part->node == task->node && part->pool == task->pool &&
           part->devices == task->devices;
}

/* Draws the part and removes it. */
static void end_part(struct trace_events *t, const struct sim *sim, const struct work_job *job,
                     uint32_t id)
{
    struct trace_events_part *part = &t->parts[id - 1];
    uint32_t track;
    for (uint64_t rest = tracks_of(t, sim, part, &track); rest != 0; rest &= rest - 1) {
        uint32_t d = (uint32_t)__builtin_ctzll(rest);
        bar(t, sim, job, part, d);
        use_lane(&t->tracks[track + d], part->lane);
    }
    part->next = t->free_part;
    t->free_part = id;
}

/* Ends the oldest part that fits: a gang is released in the order in which it started. */
static void give_back(struct trace_events *t, const struct sim *sim, const struct work_job *job,
                      const struct work_task *task)
{
    struct trace_events_job *list = &t->jobs[job->core.i];
    uint32_t before = 0, id = list->first;
    while (!is_part_of(&t->parts[id - 1], task)) {
        before = id;
        id = t->parts[id - 1].next;
        BUG_ON(id == 0);
    }
    uint32_t next = t->parts[id - 1].next;
    if (before != 0)
        t->parts[before - 1].next = next;
    else
        list->first = next;
    if (next == 0)
        list->last = before;
    end_part(t, sim, job, id);
}

/* ---- nodes ---- */

static void end_state(struct trace_events *t, const struct sim *sim, uint32_t node)
{
    struct json j;
    if (t->state[node] == NODE_UP || t->state_since_ms[node] == sim->now_ms)
        return;
    span(t, &j, FIRST_NODE + node, STATE, node_state_names[t->state[node]], t->state_since_ms[node],
         sim->now_ms);
    json_end_object(&j);
}

static void name_nodes(struct trace_events *t, const struct sim *sim)
{
    const struct fleet *fleet = sim->fleet;
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        name(t, FIRST_NODE + i, 0, fleet->nodes[i].name, FIRST_NODE + i);
        name(t, FIRST_NODE + i, STATE, "state", 0);
    }
}

static void begin(struct trace_events *t, const struct sim *sim)
{
    const struct fleet *fleet = sim->fleet;
    t->first_track = mem_alloc(fleet->node_count + 1, sizeof *t->first_track);
    t->state = mem_alloc(fleet->node_count + 1, sizeof *t->state);
    t->state_since_ms = mem_alloc(fleet->node_count + 1, sizeof *t->state_since_ms);
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        t->first_track[i] = (uint32_t)t->track_count;
        t->track_count += (size_t)fleet->nodes[i].gpus + 1;
        t->state[i] = (uint8_t)node_state_of(&fleet->nodes[i]);
    }
    t->first_track[fleet->node_count] = (uint32_t)t->track_count;
    t->track_count += fleet->pool_count;
    t->tracks = mem_alloc(t->track_count + 1, sizeof *t->tracks);
    t->began_ms = t->changed_ms = INT64_MIN;
    name(t, CLUSTER, 0, "cluster", CLUSTER);
    name(t, CLUSTER, EVENTS, "events", 0);
    if (!sim->counts) {
        name_nodes(t, sim);
        return;
    }
    for (uint32_t i = 0; i < fleet->pool_count; i++) {
        uint32_t process = FIRST_NODE + (uint32_t)fleet->node_count + i;
        name(t, process, 0, fleet->pools[i].name, process);
    }
}

/* At the first event of a run; states that began before its first instant are drawn from there. */
static void look(struct trace_events *t, const struct sim *sim)
{
    if (t->tracks == NULL)
        begin(t, sim);
    if (t->began_ms != INT64_MIN || sim->now_ms == INT64_MIN)
        return;
    t->began_ms = sim->now_ms;
    for (uint32_t i = 0; i < sim->fleet->node_count; i++)
        t->state_since_ms[i] = sim->now_ms;
}

/* ---- observers ---- */

static void held(void *self, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    struct trace_events *t = self;
    look(t, sim);
    if (job->core.i >= t->job_count)
        t->jobs = mem_extend(t->jobs, &t->job_count, sim->work.capacity, sizeof *t->jobs);
    if (sign > 0)
        take(t, sim, &t->jobs[job->core.i], task);
    else
        give_back(t, sim, job, task);
}

static void turned(void *self, const struct sim *sim, uint32_t node)
{
    struct trace_events *t = self;
    look(t, sim);
    uint8_t is = (uint8_t)node_state_of(&sim->fleet->nodes[node]);
    if (is == t->state[node])
        return;
    end_state(t, sim, node);
    t->state[node] = is;
    t->state_since_ms[node] = sim->now_ms;
}

static void broke(void *self, const struct sim *sim, const struct sim_fault *fault)
{
    struct trace_events *t = self;
    const char *class = sim->config.faults.classes[fault->class];
    struct json j;
    look(t, sim);
    for (uint32_t i = 0; i < fault->node_count; i++) {
        instant(t, &j, sim, FIRST_NODE + fault->nodes[i], STATE, class);
        if (fault->device != SIM_ALL_DEVICES)
            json_i64(&j, "device", fault->device);
        json_seconds(&j, "detected_s", fault->at_ms + fault->detect_ms);
        json_seconds(&j, "repair_s", fault->repair_ms);
        close_event(&j);
    }
    if (fault->node_count > 0)
        return;
    instant(t, &j, sim, CLUSTER, EVENTS, class);
    close_event(&j);
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct trace_events *t = self;
    struct json j;
    look(t, sim);
    instant(t, &j, sim, CLUSTER, EVENTS, "evicted");
    json_text(&j, "job", work_id(job));
    json_text(&j, "action", policy_action_name(how->action));
    json_text(&j, "reason", policy_reason_name(how->reason));
    json_i64(&j, "tasks", how->tasks);
    close_event(&j);
}

static void interrupted(void *self, const struct sim *sim, const struct work_job *job,
                        const struct sim_interruption *how)
{
    struct trace_events *t = self;
    struct json j;
    look(t, sim);
    instant(t, &j, sim, CLUSTER, EVENTS, "interrupted");
    json_text(&j, "job", work_id(job));
    json_text(&j, "class",
              how->class == SIM_CAUSE_MEMORY    ? "gpu-memory"
              : how->class == SIM_CAUSE_PLANNED ? "planned-removal"
                                                : sim->config.faults.classes[how->class]);
    close_event(&j);
}

static void open_counter(struct trace_events *t, struct json *j, int64_t at_ms, const char *called)
{
    event(t, j, "C", CLUSTER, 0, called);
    micros(j, "ts", at_ms);
    json_begin_object(j, "args");
}

/* Writes the counters that changed since they were last written. */
static void count(struct trace_events *t, const struct sim *sim, int64_t at_ms)
{
    struct json j;
    if (t->pending != sim->pending || t->running != sim->running) {
        t->pending = sim->pending;
        t->running = sim->running;
        open_counter(t, &j, at_ms, "jobs");
        json_u64(&j, "pending", t->pending);
        json_u64(&j, "running", t->running);
        close_event(&j);
    }
    if (t->milli_used != sim->fleet->milli_used) {
        t->milli_used = sim->fleet->milli_used;
        open_counter(t, &j, at_ms, "GPUs");
        json_f64(&j, "allocated", (double)t->milli_used / FLEET_WHOLE, 3);
        close_event(&j);
    }
}

/*
 * Called first at each instant, before anything changes: the state is that since the last change.
 */
static void interval(void *self, const struct sim *sim, uint32_t site, int64_t from_ms,
                     int64_t to_ms)
{
    struct trace_events *t = self;
    (void)site;
    look(t, sim);
    if (to_ms <= t->changed_ms)
        return;
    count(t, sim, t->changed_ms == INT64_MIN ? from_ms : t->changed_ms);
    t->changed_ms = to_ms;
}

struct sim_observer trace_events_observer(struct trace_events *t)
{
    return (struct sim_observer){.self = t,
                                 .held = held,
                                 .turned = turned,
                                 .broke = broke,
                                 .evicted = evicted,
                                 .interrupted = interrupted,
                                 .interval = interval};
}

void trace_events_finish(struct trace_events *t, const struct sim *sim)
{
    if (t->out == NULL)
        return;
    look(t, sim);
    count(t, sim, sim->now_ms);
    for (size_t i = 0; i < t->job_count; i++)
        while (t->jobs[i].first != 0) {
            uint32_t id = t->jobs[i].first;
            t->jobs[i].first = t->parts[id - 1].next;
            end_part(t, sim, &sim->work.jobs[i], id);
        }
    for (uint32_t i = 0; i < sim->fleet->node_count; i++)
        end_state(t, sim, i);
    out_text(t->out, "\n]}\n");
}

void trace_events_fini(struct trace_events *t)
{
    out_discard(t->out);
    for (size_t i = 0; t->tracks != NULL && i < t->track_count; i++)
        free(t->tracks[i].words);
    free(t->tracks);
    free(t->first_track);
    free(t->state);
    free(t->state_since_ms);
    free(t->jobs);
    free(t->parts);
}
