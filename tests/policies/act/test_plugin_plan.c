/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Valid and invalid decisions of a plugin's action for jobs of every kind, each described by a
 * sentence. */
#include "tests/lib/harness.h"
#include "tests/lib/plugins.h"

#include <stdlib.h>
#include <string.h>

/* The script of the test's plugin, and the answers to it. */
struct script {
    void (*act)(struct script *, struct policy_plan *);
    policy_job job, other;
    struct policy_plugin_start starts[4];
    uint32_t count;
    bool answer;
    uint64_t calls, fail_at; /* allocations, and the one that fails */
};

static void *hand_in(const struct policy_allocator *memory)
{
    return memory->user;
}

static void act(void *self, struct policy_plan *plan)
{
    struct script *script = self;
    if (script->act != NULL)
        script->act(script, plan);
}

/* It replaces allocate: only the script starts jobs. */
static const struct policy_plugin plugin = {POLICY_PLUGIN_HEAD("script", "as told"),
                                            .base = "runai", .create = hand_in, .act = act,
                                            .act_for = "allocate"};

static void place(struct script *s, struct policy_plan *plan)
{
    s->answer = plan->place_job(plan, s->job);
}

static void start(struct script *s, struct policy_plan *plan)
{
    s->answer = plan->start_tasks(plan, s->job, s->starts, s->count);
}

static void evict(struct script *s, struct policy_plan *plan)
{
    s->answer = plan->evict_job(plan, s->job, s->other);
}

static void shrink(struct script *s, struct policy_plan *plan)
{
    s->answer = plan->shrink_job(plan, s->job, s->other);
}

static void start_and_evict(struct script *s, struct policy_plan *plan)
{
    ck_assert(plan->place_job(plan, s->job));
    s->answer = plan->evict_job(plan, s->job, s->other);
}

/* ---- the world: two nodes of four devices in racks 1 and 2, one without labels in pool 1; a queue
 * of up to six devices ---- */

static void *resize(void *user, void *old, size_t old_size, size_t new_size)
{
    struct script *script = user;
    (void)old_size;
    if (new_size > 0 && ++script->calls == script->fail_at)
        return NULL;
    return new_size == 0 ? (free(old), NULL) : realloc(old, new_size);
}

static struct policy *world(struct script *script)
{
    struct policy_config config;
    struct policy_error error;
    const struct policy_label racks[] = {{1, 1}, {1, 2}};
    const uint32_t level = 1, pool = 0;
    ck_assert_int_eq(
        policy_config_plugin(&config, &plugin, (struct policy_allocator){resize, script}, &error),
        POLICY_OK);
    struct policy *p = policy_create(&config, &error);
    ck_assert_msg(p != NULL, "%s", error.message);
    policy_set_topology(p, 0, 1, &level, 1);
    for (uint32_t i = 0; i < 3; i++) {
        struct policy_node_spec node = core_node_spec(i, 4);
        node.pool = i / 2;
        node.device_mem_mib = 80000;
        node.labels = i < 2 ? &racks[i] : NULL;
        node.label_count = i < 2;
        policy_add_node(p, 0, &node);
    }
    const struct policy_queue_spec queue = {.size = sizeof queue,
                                            .parent = {POLICY_NO_ID},
                                            .pools = &pool,
                                            .pool_count = 1,
                                            .gpu = {4000, 6000, 1000},
                                            .cpu = {-1, -1, 1000},
                                            .mem = {-1, -1, 1000},
                                            .preempt_min_runtime_ms = POLICY_INHERIT,
                                            .reclaim_min_runtime_ms = POLICY_INHERIT};
    policy_add_queue(p, 0, &queue);
    return p;
}

/* A job of `tasks` tasks, at least `least` of them, in one rack if `together`. */
static policy_job submit(struct policy *p, uint64_t rank, int32_t tasks, int32_t least,
                         struct policy_request r, bool together)
{
    const struct policy_role role = {.size = sizeof role,
                                     .tasks = tasks,
                                     .min_tasks = least,
                                     .request = r,
                                     .topology = {together, together, 0}};
    struct policy_job_spec spec = core_job_spec((policy_queue){0}, rank, &role, 1);
    spec.preemptible = true;
    return policy_submit(p, 0, &spec);
}

/* Decides at the time with this action; returns the result as text. */
static const char *decided(struct policy *p, struct script *s, policy_time now,
                           void (*what)(struct script *, struct policy_plan *), char *text)
{
    s->act = what;
    policy_report_activity(p, now, s->job, 1000000); /* an event, so that the plugin is called */
    return core_decisions(p, now, text, 256);
}

/* ---- valid decisions ---- */

START_TEST(an_elastic_job_starts_grows_and_shrinks)
{
    struct script s = {.other = {POLICY_NO_ID, 0}};
    char text[256];
    struct policy *p = world(&s);
    s.job = submit(p, 1, 3, 1, core_devices(2), false);
    ck_assert_str_eq(decided(p, &s, 0, place, text), "0:0@0[0x03]");
    ck_assert_str_eq(decided(p, &s, 1, place, text), "0:1@0[0x0c]");
    ck_assert_str_eq(decided(p, &s, 2, place, text), "0:2@1[0x03]");
    ck_assert(s.answer);
    s.act = shrink;
    policy_report_activity(p, 3, s.job, 1000000);
    const struct policy_decision *d = core_decide(p, 3, 1);
    ck_assert_int_eq(d->kind, POLICY_EVICT);
    ck_assert_uint_eq(d->task, 2);
    ck_assert_int_eq(policy_task_ended(p, 4, s.job, 2, POLICY_EVICTED), POLICY_OK);
    policy_destroy(p);
}
END_TEST

START_TEST(tasks_start_where_the_plugin_says)
{
    struct script s = {.other = {POLICY_NO_ID, 0}, .count = 2};
    char text[256];
    struct policy *p = world(&s);
    s.job = submit(p, 1, 2, 2, core_devices(2), true);
    s.starts[0] = (struct policy_plugin_start){0, {1}, 0};
    s.starts[1] = (struct policy_plugin_start){1, {1}, 12};
    ck_assert_str_eq(decided(p, &s, 0, start, text), "0:0@1[0x03] 0:1@1[0x0c]");
    s.job =
        submit(p, 2, 1, 1, (struct policy_request){.devices = 1, .device_mem_mib = 20000}, false);
    s.starts[0] = (struct policy_plugin_start){0, {0}, 4};
    s.count = 1;
    ck_assert_str_eq(decided(p, &s, 1, start, text), "1:0@0[0x04]");
    policy_destroy(p);
}
END_TEST

/* The limit of six prevents a third pair; that is no error. */
START_TEST(no_room_is_no_fault)
{
    struct script s = {.other = {POLICY_NO_ID, 0}};
    char text[256];
    struct policy *p = world(&s);
    for (uint64_t i = 0; i < 3; i++) {
        s.job = submit(p, i, 1, 1, core_devices(2), false);
        (void)decided(p, &s, (policy_time)i, place, text);
    }
    s.job = submit(p, 4, 1, 1, core_devices(1), false);
    ck_assert_str_eq(decided(p, &s, 9, place, text), "");
    ck_assert(!s.answer);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_OK);
    policy_destroy(p);
}
END_TEST

/* ---- invalid decisions ---- */

static const struct {
    int32_t tasks, least, devices;
    bool together;
    uint32_t count;
    struct policy_plugin_start starts[3];
    const char *part;
} wrong[] = {
    {2, 2, 2, false, 1, {{0, {0}, 0}}, "starts a gang in part"},
    {2, 2, 2, false, 2, {{0, {0}, 0}, {0, {0}, 0}}, "starts a task that is not pending: task 0"},
    {1, 1, 2, false, 1, {{1, {0}, 0}}, "starts a task that is not pending: task 1"},
    {1, 1, 2, false, 1, {{0, {9}, 0}}, "node that does not exist"},
    {1, 1, 2, false, 1, {{0, {2}, 0}}, "a pool that its queue may not use"},
    {1, 1, 2, false, 1, {{0, {0}, 1}}, "a number of devices that it did not request"},
    {1, 1, 2, false, 1, {{0, {0}, 48}}, "unhealthy or not there"},
    {2, 2, 2, false, 2, {{0, {0}, 3}, {1, {0}, 6}}, "devices that are taken"},
    {2, 2, 3, false, 2, {{0, {0}, 0}, {1, {0}, 0}}, "a node that it does not fit: task 1"},
    {2, 2, 2, true, 2, {{0, {0}, 0}, {1, {1}, 0}}, "more than one domain"},
    {2, 1, 4, false, 2, {{0, {0}, 0}, {1, {1}, 0}}, "over its limit: task 1"},
    {1, 1, 2, false, 0, {{0, {0}, 0}}, "starts no task"},
};

START_TEST(a_wrong_start_is_refused)
{
    struct script s = {.other = {POLICY_NO_ID, 0}, .count = wrong[_i].count};
    char text[256];
    struct policy *p = world(&s);
    memcpy(s.starts, wrong[_i].starts, sizeof wrong[_i].starts);
    s.job = submit(p, 1, wrong[_i].tasks, wrong[_i].least, core_devices(wrong[_i].devices),
                   wrong[_i].together);
    ck_assert_str_eq(decided(p, &s, 0, start, text), "");
    ck_assert(!s.answer);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_WRONG_PLUGIN);
    harness_contains(policy_last_error(p)->message, "policy 'script' ");
    harness_contains(policy_last_error(p)->message, wrong[_i].part);
    ck_assert_uint_eq(policy_wrong_job(p).i, s.job.i);
    core_is_sound(p);
    policy_destroy(p);
}
END_TEST

/* Nodes of the tasks of three pod sets: 0 is in a group within a group that needs one rack, 1 in
 * the latter, and 2 in neither. Nodes 0 and 1 are in different racks. */
static const struct {
    uint32_t nodes[3];
    bool valid;
} grouped[] = {
    {{0, 0, 0}, true},  {{0, 0, 1}, true},  {{1, 1, 0}, true},
    {{0, 1, 0}, false}, {{1, 0, 1}, false}, {{1, 0, 0}, false},
};

START_TEST(groups_are_kept_together)
{
    static const struct policy_group groups[] = {{0, {1, 1, 0}}, {1, {0, 0, 0}}};
    static const int32_t group_of[] = {2, 1, 0};
    struct script s = {.other = {POLICY_NO_ID, 0}, .count = 3};
    char text[256];
    struct policy *p = world(&s);
    struct policy_role roles[3];
    for (uint32_t i = 0; i < 3; i++) {
        roles[i] = core_role(1, core_devices(1));
        roles[i].group = group_of[i];
        s.starts[i] = (struct policy_plugin_start){i, {grouped[_i].nodes[i]}, 0};
    }
    struct policy_job_spec spec = core_job_spec((policy_queue){0}, 1, roles, 3);
    spec.groups = groups;
    spec.group_count = 2;
    s.job = policy_submit(p, 0, &spec);
    ck_assert_uint_ne(s.job.i, POLICY_NO_ID);
    (void)decided(p, &s, 0, start, text);
    ck_assert(s.answer == grouped[_i].valid);
    if (!grouped[_i].valid)
        harness_contains(policy_last_error(p)->message, "more than one domain");
    core_is_sound(p);
    policy_destroy(p);
}
END_TEST

static const struct {
    void (*act)(struct script *, struct policy_plan *);
    const char *part;
} mischief[] = {
    {evict, "evicts a job that does not run"},
    {start_and_evict, "evicts a job that it has just started"},
};

START_TEST(a_wrong_eviction_is_refused)
{
    struct script s = {.other = {POLICY_NO_ID, 0}};
    char text[256];
    struct policy *p = world(&s);
    s.job = submit(p, 1, 1, 1, core_devices(1), false);
    (void)decided(p, &s, 0, mischief[_i].act, text);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_WRONG_PLUGIN);
    harness_contains(policy_last_error(p)->message, mischief[_i].part);
    core_is_sound(p);
    policy_destroy(p);
}
END_TEST

/* Whichever allocation fails: nothing was done, and on the next call the plugin decides as if
 * nothing had happened. */
START_TEST(without_memory_it_continues)
{
    for (uint64_t n = 1; n < 30; n++) {
        struct script s = {.other = {POLICY_NO_ID, 0}, .count = 2};
        char text[256];
        struct policy *p = world(&s);
        s.job = submit(p, 1, 2, 2, core_devices(2), true);
        s.starts[0] = (struct policy_plugin_start){0, {1}, 0};
        s.starts[1] = (struct policy_plugin_start){1, {1}, 0};
        s.fail_at = s.calls + n;
        const char *first = decided(p, &s, 0, start, text);
        const bool failed = policy_last_error(p)->status == POLICY_NO_MEMORY;
        if (failed) {
            ck_assert_str_eq(first, "");
            core_is_sound(p);
            s.fail_at = 0;
            (void)decided(p, &s, 1, start, text);
        }
        ck_assert_str_eq(text, "0:0@1[0x03] 0:1@1[0x0c]");
        policy_destroy(p);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_plan");
    TCase *tcase = tcase_create("plugin_plan");
    tcase_add_test(tcase, an_elastic_job_starts_grows_and_shrinks);
    tcase_add_test(tcase, tasks_start_where_the_plugin_says);
    tcase_add_test(tcase, no_room_is_no_fault);
    tcase_add_loop_test(tcase, a_wrong_start_is_refused, 0, ROWS(wrong));
    tcase_add_loop_test(tcase, groups_are_kept_together, 0, ROWS(grouped));
    tcase_add_loop_test(tcase, a_wrong_eviction_is_refused, 0, ROWS(mischief));
    tcase_add_test(tcase, without_memory_it_continues);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
