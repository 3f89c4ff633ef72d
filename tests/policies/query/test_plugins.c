/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plugins: which are refused, what they replace, and which parts of policies they can be. */
#include "tests/lib/harness.h"
#include "tests/lib/plugins.h"

#include <stdio.h>
#include <string.h>

static int64_t no_key(void *self, const struct policy_job_spec *job)
{
    (void)self, (void)job;
    return 0;
}

static int64_t no_rank(void *self, const struct policy_plugin_job *job, policy_time now)
{
    (void)self, (void)job, (void)now;
    return 0;
}

static policy_time no_change(void *self, const struct policy_plugin_job *job, policy_time now)
{
    (void)self, (void)job, (void)now;
    return INT64_MAX;
}

static int64_t no_rekey(void *self, const struct policy_view *view, policy_job job)
{
    (void)self, (void)view, (void)job;
    return 0;
}

static policy_time no_time(void *self, const struct policy_view *view)
{
    (void)self, (void)view;
    return INT64_MAX;
}

static int64_t no_queue_key(void *self, const struct policy_view *view, policy_queue queue)
{
    (void)self, (void)view, (void)queue;
    return 0;
}

static void nothing(void *self, struct policy_plan *plan)
{
    (void)self, (void)plan;
}

/* ---- checks ---- */

static const struct {
    struct policy_plugin plugin;
    const char *part; /* of the message; NULL: fine */
} checks[] = {
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key}, NULL},
    {{sizeof(struct policy_plugin), 0, "a", "text", .key = no_key}, "made for version 0"},
    {{POLICY_PLUGIN_FIRST_SIZE, POLICY_PLUGIN_VERSION, "a", "text", .key = no_key}, NULL},
    {{POLICY_PLUGIN_FIRST_SIZE - 8, POLICY_PLUGIN_VERSION, "a", "text", .key = no_key},
     "compile it anew"},
    {{sizeof(struct policy_plugin) + 8, POLICY_PLUGIN_VERSION, "a", "text", .key = no_key},
     "compile it anew"},
    {{POLICY_PLUGIN_HEAD(NULL, "text"), .key = no_key}, "name"},
    {{POLICY_PLUGIN_HEAD("", "text"), .key = no_key}, "name"},
    {{POLICY_PLUGIN_HEAD("a\n", "text"), .key = no_key}, "name"},
    {{POLICY_PLUGIN_HEAD("0123456789012345678901234567890", "text"), .key = no_key}, NULL},
    {{POLICY_PLUGIN_HEAD("01234567890123456789012345678901", "text"), .key = no_key}, "name"},
    {{POLICY_PLUGIN_HEAD("a", NULL), .key = no_key}, "'a' has no summary"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .base = "fifo"}, "'a' brings nothing"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .rank = no_rank}, "has more than one of"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .rekey = no_rekey}, "has more than one of"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rank = no_rank, .rekey = no_rekey}, "has more than one of"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rekey = no_rekey, .decide = nothing},
     "both rekey and decide"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .rekeys_at = no_time}, "has rekeys_at"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rekey = no_rekey, .rekeys_at = no_time}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rekey = no_rekey, .base = "runai"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rekey = no_rekey, .base = "easy"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rekey = no_rekey, .base = "kube-default"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .wants = 4}, "wants what"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .changes = no_change}, "has changes"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rank = no_rank, .changes = no_change, .decide = nothing},
     "has changes"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rank = no_rank, .changes = no_change}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .base = "easy"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .base = "las"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .decide = nothing, .base = "easy"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rank = no_rank, .base = "fifo"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .base = "none"}, "no policy is named 'none'"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .base = "runai"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rank = no_rank, .base = "runai"},
     "cannot have the base 'runai'"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .decide = nothing, .base = "static"},
     "cannot have the base 'static'"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .key = no_key, .base = "kube-default"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .rank = no_rank, .base = "kube-default"},
     "need one that starts whole gangs"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .queue_key = no_queue_key, .base = "kube-default"},
     "it has no order of queues"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .queue_key = no_queue_key, .base = "static"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .queue_key = no_queue_key}, "it has no order of queues"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .act = nothing, .base = "runai"}, NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .act = nothing, .act_for = "reclaim", .base = "runai"},
     NULL},
    {{POLICY_PLUGIN_HEAD("a", "text"), .act = nothing, .act_for = "reclaim", .base = "static"},
     "cannot act for 'reclaim': the base 'static'"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .act = nothing, .act_for = "reclaims", .base = "runai"},
     "cannot act for 'reclaims'"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .act = nothing, .base = "easy"},
     "it has no actions to be replaced"},
    {{POLICY_PLUGIN_HEAD("a", "text"), .act = nothing, .decide = nothing}, "both act and decide"},
};

START_TEST(a_plugin_is_checked)
{
    struct tally tally = {0};
    struct policy_config config;
    struct policy_error error = {0};
    int status = policy_config_plugin(&config, &checks[_i].plugin, tally_allocator(&tally), &error);
    ck_assert_int_eq(status == POLICY_OK, checks[_i].part == NULL);
    if (checks[_i].part != NULL) {
        harness_contains(error.message, checks[_i].part);
        return;
    }
    ck_assert_str_eq(config.preset, checks[_i].plugin.name);
    struct policy *p = policy_create(&config, &error);
    ck_assert_msg(p != NULL, "%s", error.message);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(a_configuration_made_by_hand_is_checked)
{
    struct tally tally = {0};
    struct policy_config config;
    struct policy_error error = {0};
    struct policy_plugin short_one = {POLICY_PLUGIN_HEAD("a", "text"), .key = no_key};
    short_one.size = 8;
    policy_config_init(&config, "fifo", tally_allocator(&tally), &error);
    config.plugin = &short_one;
    ck_assert_ptr_null(policy_create(&config, &error));
    ck_assert_int_eq(error.status, POLICY_INVALID);
    policy_config_init(&config, "runai", tally_allocator(&tally), &error);
    config.plugin = &researcher_plugin;
    ck_assert_ptr_null(policy_create(&config, &error));
    harness_contains(error.message, "cannot be combined with queue_order");
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

/* ---- options ---- */

static const struct {
    const struct policy_plugin *plugin;
    const char *option, *value;
    int status;
} options[] = {
    {&smallest_first_plugin, "blocking", "skip", POLICY_OK},
    {&smallest_first_plugin, "placement", "spread", POLICY_OK},
    {&smallest_first_plugin, "order", "sjf", POLICY_UNKNOWN},
    {&smallest_first_plugin, "actions", "allocate", POLICY_OK},
    {&least_waste_plugin, "order", "sjf", POLICY_OK},
    {&least_waste_plugin, "placement", "spread", POLICY_UNKNOWN},
    {&researcher_plugin, "placement", "spread", POLICY_OK},
    {&researcher_plugin, "seed", "7", POLICY_OK},
    {&researcher_plugin, "scope", "queue", POLICY_UNKNOWN},
    {&researcher_plugin, "blocking", "skip", POLICY_UNKNOWN},
};

START_TEST(what_it_brings_is_no_option)
{
    struct tally tally = {0};
    struct policy_config config;
    struct policy_error error = {0};
    policy_config_plugin(&config, options[_i].plugin, tally_allocator(&tally), &error);
    ck_assert_int_eq(policy_config_set(&config, options[_i].option, options[_i].value, &error),
                     options[_i].status);
}
END_TEST

START_TEST(a_whole_policy_names_nodes)
{
    struct tally tally = {0};
    struct policy_config config;
    struct policy_error error = {0};
    policy_config_plugin(&config, &researcher_plugin, tally_allocator(&tally), &error);
    policy_config_set(&config, "placement", "count", &error);
    ck_assert_int_eq(policy_config_check(&config, &error), POLICY_INVALID);
    harness_contains(error.message, "placement 'count'");
}
END_TEST

/* ---- deciding ---- */

/* Two devices: the smaller job goes first although it came last; ties go to the older one. */
START_TEST(a_key_is_an_order)
{
    struct tally tally = {0};
    char text[128];
    struct policy *p = plugin_create(&tally, &smallest_first_plugin, "");
    core_node(p, 0, 2);
    policy_queue queue = core_queue(p, NULL, 0);
    core_submit(p, 0, queue, 0, 1, core_devices(2));
    core_submit(p, 0, queue, 1, 1, core_devices(1));
    core_submit(p, 0, queue, 2, 1, core_share(500));
    core_submit(p, 0, queue, 3, 1, core_devices(1));
    ck_assert_str_eq(core_decisions(p, 1, text, sizeof text), "2:0@0[0x01] 1:0@0[0x02]");
    core_destroy(p, &tally);
}
END_TEST

/* Four devices free on one node, two on another: two devices go where none is left over. */
START_TEST(a_score_is_a_placement)
{
    struct tally tally = {0};
    char text[128];
    struct policy *p = plugin_create(&tally, &least_waste_plugin, "");
    core_node(p, 0, 4);
    core_node(p, 1, 2);
    policy_queue queue = core_queue(p, NULL, 0);
    core_submit(p, 0, queue, 0, 1, core_devices(2));
    core_submit(p, 0, queue, 1, 1, core_share(500));
    core_submit(p, 0, queue, 2, 1, core_share(500));
    ck_assert_str_eq(core_decisions(p, 1, text, sizeof text),
                     "0:0@1[0x03] 1:0@0[0x01] 2:0@0[0x01]");
    core_destroy(p, &tally);
}
END_TEST

static policy_job submit(struct policy *p, policy_queue queue, policy_time at, uint64_t rank,
                         int32_t devices, int64_t run_ms)
{
    struct policy_role role = core_role(1, core_devices(devices));
    struct policy_job_spec spec = core_job_spec(queue, rank, &role, 1);
    spec.submitted = at;
    spec.run_ms = run_ms;
    spec.preemptible = true;
    return policy_submit(p, at, &spec);
}

/* 2 x 100 are less than 1 x 300, which must be evicted, and starts when both are done. */
START_TEST(a_whole_policy_evicts)
{
    struct tally tally = {0};
    char text[128];
    struct policy *p = plugin_create(&tally, &researcher_plugin, "");
    core_node(p, 0, 2);
    policy_queue queue = core_queue(p, NULL, 0);
    policy_job slow = submit(p, queue, 0, 0, 1, 300);
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), "0:0@0[0x01]");
    policy_job fast = submit(p, queue, 1, 1, 2, 100);
    const struct policy_decision *d = core_decide(p, 1, 1);
    ck_assert_int_eq(d->kind, POLICY_EVICT);
    ck_assert_int_eq(d->reason, POLICY_REASON_OUTRANKED);
    ck_assert_uint_eq(d->job.i, slow.i);
    ck_assert_uint_eq(d->for_job.i, fast.i);
    core_decide(p, 1, 0); /* nothing is new */
    ck_assert_int_eq(policy_task_ended(p, 2, slow, POLICY_ALL_TASKS, POLICY_EVICTED), POLICY_OK);
    ck_assert_str_eq(core_decisions(p, 2, text, sizeof text), "1:0@0[0x03]");
    ck_assert_int_eq(core_reason(p, slow), POLICY_REASON_OUTRANKED);
    ck_assert_int_eq(policy_task_ended(p, 102, fast, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                     POLICY_OK);
    ck_assert_str_eq(core_decisions(p, 102, text, sizeof text), "0:0@0[0x01]");
    core_destroy(p, &tally);
}
END_TEST

/* A running job is evicted if any is pending; else the first pending one starts. */
static void swing(void *self, struct policy_plan *plan)
{
    bool ran = false;
    (void)self;
    for (uint32_t i = 0; i < plan->job_count; i++)
        if (plan->jobs[i].state == POLICY_JOB_RUNS)
            ran = plan->evict(plan, &plan->jobs[i], NULL);
    if (!ran && plan->job_count > 0)
        plan->place(plan, &plan->jobs[0]);
}
static const struct policy_plugin pendulum = {POLICY_PLUGIN_HEAD("pendulum", "swings"),
                                              .decide = swing};

/* Otherwise such a policy would never end where evictions are immediate. */
START_TEST(no_job_is_evicted_twice_at_one_time)
{
    struct tally tally = {0};
    struct policy *p = plugin_create(&tally, &pendulum, "");
    core_node(p, 0, 1);
    policy_queue queue = core_queue(p, NULL, 0);
    policy_job first = submit(p, queue, 5, 0, 1, 100);
    ck_assert_int_eq(core_decide(p, 5, 1)->kind, POLICY_START);
    submit(p, queue, 5, 1, 1, 100);
    ck_assert_int_eq(core_decide(p, 5, 1)->kind, POLICY_EVICT);
    ck_assert_int_eq(policy_task_ended(p, 5, first, POLICY_ALL_TASKS, POLICY_EVICTED), POLICY_OK);
    ck_assert_int_eq(core_decide(p, 5, 1)->kind, POLICY_START);
    submit(p, queue, 5, 2, 1, 100);
    size_t count;
    policy_decide(p, 5, &count);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_WRONG_PLUGIN);
    harness_contains(policy_last_error(p)->message, "evicts a job twice in one moment");
    ck_assert_uint_eq(policy_wrong_job(p).i, first.i);
    core_decide(p, 6, 1); /* later it may */
    core_destroy(p, &tally);
}
END_TEST

/* ---- memory ---- */

/* Plays some jobs, repeating facts refused for lack of memory; returns all decisions. */
static void play(struct tally *tally, const struct policy_plugin *plugin, char *text, size_t size)
{
    char part[512];
    struct policy *p = plugin_create(tally, plugin, "");
    if (p == NULL)
        p = plugin_create(tally, plugin, "");
    for (uint32_t i = 0; i < 3; i++) {
        struct policy_node_spec spec = core_node_spec(i, 4);
        if (policy_add_node(p, 0, &spec).i == POLICY_NO_ID)
            core_node(p, i, 4);
    }
    struct policy_queue_spec queue_spec = {.size = sizeof queue_spec, .parent = {POLICY_NO_ID}};
    policy_queue queue = policy_add_queue(p, 0, &queue_spec);
    if (queue.i == POLICY_NO_ID)
        queue = core_queue(p, NULL, 0);
    text[0] = '\0';
    for (uint64_t i = 0; i < 24; i++) {
        policy_time at = (policy_time)i;
        if (submit(p, queue, at, i, 1 + (int32_t)(i % 3), 100 - (int64_t)i).i == POLICY_NO_ID)
            ck_assert_uint_ne(submit(p, queue, at, i, 1 + (int32_t)(i % 3), 100 - (int64_t)i).i,
                              POLICY_NO_ID);
        core_is_sound(p);
        for (int again = 0; again < 3; again++) {
            core_decisions(p, at, part, sizeof part);
            size_t used = strlen(text);
            (void)snprintf(text + used, size - used, "%s%s", part, part[0] != '\0' ? " " : "");
            core_is_sound(p);
        }
    }
    core_destroy(p, tally);
}

static const struct policy_plugin *const examples[] = {&smallest_first_plugin, &least_waste_plugin,
                                                       &researcher_plugin};

START_TEST(without_memory_it_is_refused_and_continues)
{
    char expected[2048];
    char text[2048];
    struct tally enough = {0};
    play(&enough, examples[_i], expected, sizeof expected);
    ck_assert_uint_gt(strlen(expected), 20);
    for (uint64_t n = 1; n <= enough.calls; n += (uint64_t)harness_thin()) {
        struct tally tally = {.fail_at = n};
        play(&tally, examples[_i], text, sizeof text);
        ck_assert(tally.failed);
        ck_assert_str_eq(text, expected);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugins");
    TCase *tcase = tcase_create("plugins");
    tcase_add_loop_test(tcase, a_plugin_is_checked, 0, ROWS(checks));
    tcase_add_test(tcase, a_configuration_made_by_hand_is_checked);
    tcase_add_loop_test(tcase, what_it_brings_is_no_option, 0, ROWS(options));
    tcase_add_test(tcase, a_whole_policy_names_nodes);
    tcase_add_test(tcase, a_key_is_an_order);
    tcase_add_test(tcase, a_score_is_a_placement);
    tcase_add_test(tcase, a_whole_policy_evicts);
    tcase_add_test(tcase, no_job_is_evicted_twice_at_one_time);
    tcase_add_loop_test(tcase, without_memory_it_is_refused_and_continues, 0, ROWS(examples));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
