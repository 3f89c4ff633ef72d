/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal is complete: who reads it line by line, with a reader of his own, and tells a new policy core what it says,
 * gets the decisions that it says, to the last device.
 */
#include "policies/adapters/slurm/facts.h"
#include "policies/adapters/slurm/memory.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"
#include "tests/lib/slurm/fake_slurm.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    const struct policy_config *core;
    struct policy *policy;
    struct policy_decision *decisions; /* of the last "decide" */
    size_t count, next, compared;
};

static int64_t number(const cJSON *line, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(line, key);
    ck_assert_msg(cJSON_IsNumber(value), "no number '%s'", key);
    return (int64_t)value->valuedouble;
}

static uint64_t set(const cJSON *line, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(line, key);
    ck_assert_msg(cJSON_IsString(value), "no text '%s'", key);
    return strtoull(value->valuestring, NULL, 10);
}

static bool flag(const cJSON *line, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, key));
}

static policy_job job_of(const cJSON *line)
{
    return (policy_job){(uint32_t)number(line, "job"), (uint32_t)number(line, "gen")};
}

static void node_add(struct replay *r, const cJSON *line)
{
    struct policy_label labels[8];
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(line, "labels"), *label;
    struct policy_node_spec spec = {.size = sizeof spec, .labels = labels};
    cJSON_ArrayForEach(label, list)
    {
        ck_assert_uint_lt(spec.label_count, ROWS(labels));
        labels[spec.label_count++] = (struct policy_label){(uint32_t)label->child->valuedouble,
                                                           (uint32_t)label->child->next->valuedouble};
    }
    spec.devices = (int32_t)number(line, "devices");
    spec.type = (uint32_t)number(line, "type");
    spec.pool = (uint32_t)number(line, "pool");
    spec.rank = (uint32_t)number(line, "rank");
    spec.max_tasks = (int32_t)number(line, "max_tasks");
    spec.cpu_milli = number(line, "cpu_milli");
    spec.mem_mib = number(line, "mem_mib");
    ck_assert_uint_eq(policy_add_node(r->policy, number(line, "t_ms"), &spec).i,
                      (uint32_t)number(line, "node"));
}

static struct policy_share share(const cJSON *line, const char *key)
{
    const cJSON *from = cJSON_GetObjectItemCaseSensitive(line, key);
    return (struct policy_share){number(from, "quota"), number(from, "limit"), number(from, "weight")};
}

static void queue_add(struct replay *r, const cJSON *line)
{
    int64_t parent = number(line, "parent");
    const struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = {parent < 0 ? POLICY_NO_ID : (uint32_t)parent},
        .priority = (int32_t)number(line, "priority"),
        .rank = (uint32_t)number(line, "rank"),
        .created = number(line, "created_ms"),
        .gpu = share(line, "gpu"),
        .cpu = share(line, "cpu"),
        .mem = share(line, "mem"),
        .preempt_min_runtime_ms = number(line, "preempt_min_runtime_ms"),
        .reclaim_min_runtime_ms = number(line, "reclaim_min_runtime_ms"),
    };
    ck_assert_uint_eq(policy_add_queue(r->policy, number(line, "t_ms"), &spec).i,
                      (uint32_t)number(line, "queue"));
}

static void job_add(struct replay *r, const cJSON *line)
{
    struct policy_role roles[4];
    uint32_t count = 0;
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(line, "roles"), *role;
    cJSON_ArrayForEach(role, list)
    {
        ck_assert_uint_lt(count, ROWS(roles));
        roles[count++] = (struct policy_role){
            .size = sizeof *roles,
            .tasks = (int32_t)number(role, "tasks"),
            .min_tasks = (int32_t)number(role, "min_tasks"),
            .request = {.devices = (int32_t)number(role, "devices"),
                        .cpu_milli = number(role, "cpu_milli"),
                        .mem_mib = number(role, "mem_mib"),
                        .types = set(role, "types")}
        };
    }
    const struct policy_job_spec spec = {
        .size = sizeof spec,
        .queue = {(uint32_t)number(line, "queue")},
        .priority = (int32_t)number(line, "priority"),
        .preemptible = flag(line, "preemptible"),
        .rank = set(line, "rank"),
        .submitted = number(line, "submitted_ms"),
        .eligible = number(line, "eligible_ms"),
        .run_ms = number(line, "run_ms"),
        .limit_ms = number(line, "limit_ms"),
        .workload = (int32_t)number(line, "workload"),
        .user = (uint32_t)number(line, "user"),
        .roles = roles,
        .role_count = count,
    };
    policy_job job = policy_submit(r->policy, number(line, "t_ms"), &spec);
    ck_assert_uint_eq(job.i, job_of(line).i);
    ck_assert_uint_eq(job.gen, job_of(line).gen);
}

static void decide(struct replay *r, const cJSON *line)
{
    ck_assert_uint_eq(r->next, r->count);
    size_t count;
    const struct policy_decision *d = policy_decide(r->policy, number(line, "t_ms"), &count);
    free(r->decisions);
    r->decisions = memory_get(count, sizeof *d);
    for (size_t i = 0; i < count; i++)
        r->decisions[i] = d[i];
    r->count = count;
    r->next = 0;
    ck_assert_int_eq((int64_t)count, number(line, "decisions"));
}

static void compare(struct replay *r, const cJSON *line)
{
    ck_assert_uint_lt(r->next, r->count);
    const struct policy_decision *d = &r->decisions[r->next++];
    ck_assert_str_eq(cJSON_GetObjectItemCaseSensitive(line, "decision")->valuestring,
                     policy_kind_name(d->kind));
    ck_assert_uint_eq(d->job.i, job_of(line).i);
    ck_assert_int_eq(d->task == POLICY_ALL_TASKS ? -1 : (int64_t)d->task, number(line, "task"));
    ck_assert_int_eq((int64_t)d->node.i, number(line, "node"));
    ck_assert_uint_eq(d->devices, set(line, "devices"));
    ck_assert_str_eq(cJSON_GetObjectItemCaseSensitive(line, "action")->valuestring,
                     policy_action_name(d->action));
    r->compared++;
}

static void policy_line(struct replay *r, const cJSON *line)
{
    struct policy_error error;
    ck_assert_int_eq(number(line, "fauxfleet_facts"), 1);
    policy_destroy(r->policy);
    r->policy = policy_create(r->core, &error);
    ck_assert_ptr_nonnull(r->policy);
}

/* Facts of one line of policy.h. */
static int plain_fact(struct replay *r, const cJSON *line, const char *fact)
{
    struct policy *p = r->policy;
    policy_time at = number(line, "t_ms");
    if (strcmp(fact, "node_state") == 0)
        return policy_set_node_state(p, at, (policy_node){(uint32_t)number(line, "node")},
                                     (int32_t)number(line, "state"));
    policy_job job = job_of(line);
    if (strcmp(fact, "job_cancel") == 0)
        return policy_cancel(p, at, job);
    if (strcmp(fact, "task_running") == 0)
        return policy_task_running(p, at, job, (uint32_t)number(line, "task"),
                                   (policy_node){(uint32_t)number(line, "node")}, set(line, "devices"),
                                   number(line, "since_ms"));
    if (strcmp(fact, "task_started") == 0)
        return policy_task_started(p, at, job, POLICY_ALL_TASKS);
    if (strcmp(fact, "task_releasing") == 0)
        return policy_task_releasing(p, at, job, (uint32_t)number(line, "task"));
    if (strcmp(fact, "start_failed") == 0)
        return policy_start_failed(p, at, job);
    if (strcmp(fact, "task_ended") == 0)
        return policy_task_ended(p, at, job, POLICY_ALL_TASKS, (int32_t)number(line, "outcome"));
    if (strcmp(fact, "progress") == 0)
        return policy_report_progress(p, at, job, number(line, "remaining_ms"));
    ck_abort_msg("unknown fact '%s'", fact);
    return POLICY_INVALID;
}

static void replay_line(struct replay *r, const cJSON *line)
{
    static const struct {
        const char *fact;
        void (*tell)(struct replay *, const cJSON *);
    } facts[] = {
        {"policy",    policy_line},
        {"node_add",  node_add   },
        {"queue_add", queue_add  },
        {"job_add",   job_add    },
        {"decide",    decide     },
    };
    const cJSON *fact = cJSON_GetObjectItemCaseSensitive(line, "fact");
    if (fact == NULL) {
        compare(r, line);
        return;
    }
    for (int i = 0; i < ROWS(facts); i++) {
        if (strcmp(facts[i].fact, fact->valuestring) == 0) {
            facts[i].tell(r, line);
            return;
        }
    }
    ck_assert_int_eq(plain_fact(r, line, fact->valuestring), POLICY_OK);
}

static void replay_text(struct replay *r, const char *text)
{
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        cJSON *line = cJSON_ParseWithLength(at, strcspn(at, "\n"));
        ck_assert_ptr_nonnull(line);
        replay_line(r, line);
        cJSON_Delete(line);
    }
}

static const char *const policies[] = {"runai", "slurm", "fifo", "srtf", "las", "conservative"};

START_TEST(a_journal_replays_to_its_decisions)
{
    struct folder folder;
    folder_make(&folder);
    struct fake_bed *bed = fake_open(policies[_i % ROWS(policies)], folder_path(&folder, "j"), 1 + _i);
    bed->slurm.wild = _i >= ROWS(policies);
    for (int steps = 0; steps < 300; steps++) {
        bed->slurm.trouble = steps > 10 && steps < 200;
        fake_step(&bed->slurm);
        fake_look(bed);
        if (steps == 100)
            fake_restart(bed);
    }
    struct replay replay = {.core = &bed->core};
    char *text = folder_read(&folder, "j");
    replay_text(&replay, text);
    ck_assert_uint_eq(replay.next, replay.count);
    ck_assert_uint_gt(replay.compared, 50);
    policy_destroy(replay.policy);
    free(replay.decisions);
    free(text);
    fake_close(bed);
    folder_remove(&folder);
}
END_TEST

START_TEST(a_journal_that_cannot_be_written_is_noticed)
{
    struct facts facts;
    ck_assert(!facts_open(&facts, "/nowhere/at/all"));
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(facts_open(&facts, "/dev/full"));
    ck_assert(!facts.broken);
    facts_begin(&facts, NULL, 0, "fifo", "{}");
    ck_assert(facts.broken);
    ck_assert_int_eq(facts.error, ENOSPC);
    facts_close(&facts);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/facts");
    TCase *tcase = tcase_create("journal");
    tcase_add_loop_test(tcase, a_journal_replays_to_its_decisions, 0, harness_repeats(2 * ROWS(policies)));
    tcase_add_test(tcase, a_journal_that_cannot_be_written_is_noticed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
