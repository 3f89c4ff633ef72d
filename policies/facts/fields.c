/* SPDX-License-Identifier: MIT */
/* The rows; see fields.h. */
#include "policies/facts/fields.h"

// clang-format off
#define PART(key_, struct_, member, table) \
    {.key = key_, .type = FIELD_PART, .offset = offsetof(struct_, member), .of = &(table)}
#define AT(key_, type_, struct_, member, ...) \
    {.key = key_, .type = type_, .offset = offsetof(struct_, member), __VA_ARGS__}
#define LIST(key_, type_, struct_, member, count_, ...) \
    {.key = key_, .type = type_, .offset = offsetof(struct_, member), \
     .count_offset = offsetof(struct_, count_), __VA_ARGS__}
#define TABLE(name, fields_, struct_, sized) \
    static const struct field_table name = {.fields = fields_, .size = sizeof(struct_), \
       .is_sized = sized}

/* ---- parts of specs ---- */

static const struct field share_fields[] = {
    AT("quota", FIELD_I64, struct policy_share, quota, .usual = 0),
    AT("limit", FIELD_I64, struct policy_share, limit, .usual = POLICY_UNLIMITED),
    AT("weight", FIELD_I64, struct policy_share, weight, .usual = 0),
    {.key = NULL}};
TABLE(share_table, share_fields, struct policy_share, false);

static const struct field amount_fields[] = {
    AT("gpu", FIELD_I64, struct policy_amounts, gpu, .usual = 0),
    AT("cpu", FIELD_I64, struct policy_amounts, cpu, .usual = 0),
    AT("mem", FIELD_I64, struct policy_amounts, mem, .usual = 0),
    {.key = NULL}};
TABLE(amount_table, amount_fields, struct policy_amounts, false);

static const struct field constraint_fields[] = {
    AT("topology", FIELD_I32, struct policy_constraint, topology, .usual = 0),
    AT("required", FIELD_I32, struct policy_constraint, required, .usual = 0),
    AT("preferred", FIELD_I32, struct policy_constraint, preferred, .usual = 0),
    {.key = NULL}};
TABLE(constraint_table, constraint_fields, struct policy_constraint, false);

static const struct field label_fields[] = {
    AT("key", FIELD_U32, struct policy_label, key, .required = true),
    AT("value", FIELD_U32, struct policy_label, value, .required = true),
    {.key = NULL}};
TABLE(label_table, label_fields, struct policy_label, false);

static const struct field term_fields[] = {
    AT("key", FIELD_U32, struct policy_term, key, .required = true),
    LIST("values", FIELD_NUMBERS, struct policy_term, values, value_count, .required = true),
    {.key = NULL}};
TABLE(term_table, term_fields, struct policy_term, false);

static const struct field request_fields[] = {
    AT("devices", FIELD_I32, struct policy_request, devices, .usual = 0),
    AT("device_milli", FIELD_I32, struct policy_request, device_milli, .usual = 0),
    AT("cpu_milli", FIELD_I64, struct policy_request, cpu_milli, .usual = 0),
    AT("mem_mib", FIELD_I64, struct policy_request, mem_mib, .usual = 0),
    AT("types", FIELD_U64, struct policy_request, types, .usual = 0),
    AT("device_mem_mib", FIELD_I64, struct policy_request, device_mem_mib, .usual = 0),
    AT("mig", FIELD_COUNTS, struct policy_request, mig, .usual = 0),
    LIST("terms", FIELD_LIST, struct policy_request, terms, term_count, .of = &term_table),
    {.key = NULL}};
TABLE(request_table, request_fields, struct policy_request, false);

static const struct field role_fields[] = {
    AT("tasks", FIELD_I32, struct policy_role, tasks, .usual = 1),
    AT("min_tasks", FIELD_I32, struct policy_role, min_tasks, .usual = 1),
    AT("joined", FIELD_BOOL, struct policy_role, joined, .usual = 0),
    AT("group", FIELD_I32, struct policy_role, group, .usual = 0),
    PART("topology", struct policy_role, topology, constraint_table),
    PART("request", struct policy_role, request, request_table),
    {.key = NULL}};
TABLE(role_table, role_fields, struct policy_role, true);

static const struct field group_fields[] = {
    AT("parent", FIELD_I32, struct policy_group, parent, .usual = 0),
    PART("topology", struct policy_group, topology, constraint_table),
    {.key = NULL}};
TABLE(group_table, group_fields, struct policy_group, false);

static const struct field typical_fields[] = {
    AT("count", FIELD_I64, struct policy_typical_task, count, .required = true),
    PART("request", struct policy_typical_task, request, request_table),
    {.key = NULL}};
TABLE(typical_table, typical_fields, struct policy_typical_task, true);

/* ---- specs ---- */

static const struct field node_spec_fields[] = {
    AT("devices", FIELD_I32, struct policy_node_spec, devices, .required = true),
    AT("type", FIELD_U32, struct policy_node_spec, type, .usual = 0),
    AT("pool", FIELD_U32, struct policy_node_spec, pool, .usual = 0),
    AT("rank", FIELD_U32, struct policy_node_spec, rank, .required = true),
    AT("max_tasks", FIELD_I32, struct policy_node_spec, max_tasks, .usual = POLICY_UNLIMITED),
    AT("cpu_milli", FIELD_I64, struct policy_node_spec, cpu_milli, .usual = POLICY_UNLIMITED),
    AT("mem_mib", FIELD_I64, struct policy_node_spec, mem_mib, .usual = POLICY_UNLIMITED),
    AT("device_mem_mib", FIELD_I64, struct policy_node_spec, device_mem_mib, .usual = 0),
    AT("mig", FIELD_CHOICE, struct policy_node_spec, mig, .usual = POLICY_MIG_OFF,
     .words = "off|single|fixed|free"),
    AT("mig_instances", FIELD_COUNTS, struct policy_node_spec, mig_instances, .usual = 0),
    LIST("labels", FIELD_LIST, struct policy_node_spec, labels, label_count, .of = &label_table),
    AT("whole_only", FIELD_BOOL, struct policy_node_spec, whole_only, .usual = 0),
    {.key = NULL}};
TABLE(node_spec_table, node_spec_fields, struct policy_node_spec, true);

static const struct field offer_fields[] = {
    AT("pool", FIELD_U32, struct policy_offer, pool, .required = true),
    AT("least", FIELD_I32, struct policy_offer, least, .usual = 0),
    AT("most", FIELD_I32, struct policy_offer, most, .required = true),
    AT("price_micro_usd_h", FIELD_I64, struct policy_offer, price, .usual = 0),
    AT("delay_ms", FIELD_I64, struct policy_offer, delay_ms, .usual = 0),
    AT("idle_ms", FIELD_I64, struct policy_offer, idle_ms, .usual = 0),
    AT("wait_ms", FIELD_I64, struct policy_offer, wait_ms, .usual = 0),
    AT("least_paid_ms", FIELD_I64, struct policy_offer, least_paid_ms, .usual = 0),
    AT("monday_ms", FIELD_I64, struct policy_offer, monday, .usual = 0),
    {.key = NULL}};
TABLE(offer_table, offer_fields, struct policy_offer, true);

static const struct field pool_quota_fields[] = {
    AT("pool", FIELD_U32, struct policy_pool_quota, pool, .required = true),
    AT("joined", FIELD_BOOL, struct policy_pool_quota, joined, .usual = 0),
    AT("quota", FIELD_I64, struct policy_pool_quota, quota, .usual = 0),
    {.key = NULL}};
TABLE(pool_quota_table, pool_quota_fields, struct policy_pool_quota, false);

static const struct field queue_spec_fields[] = {
    AT("parent", FIELD_U32, struct policy_queue_spec, parent.i, .usual = POLICY_NO_ID),
    AT("priority", FIELD_I32, struct policy_queue_spec, priority, .usual = 0),
    AT("rank", FIELD_U32, struct policy_queue_spec, rank, .required = true),
    AT("created_ms", FIELD_I64, struct policy_queue_spec, created, .usual = 0),
    PART("gpu", struct policy_queue_spec, gpu, share_table),
    PART("cpu", struct policy_queue_spec, cpu, share_table),
    PART("mem", struct policy_queue_spec, mem, share_table),
    LIST("pools", FIELD_NUMBERS, struct policy_queue_spec, pools, pool_count, .usual = 0),
    AT("preempt_min_runtime_ms", FIELD_I64, struct policy_queue_spec, preempt_min_runtime_ms,
       .usual = POLICY_INHERIT),
    AT("reclaim_min_runtime_ms", FIELD_I64, struct policy_queue_spec, reclaim_min_runtime_ms,
       .usual = POLICY_INHERIT),
    AT("fixed_milli", FIELD_I64, struct policy_queue_spec, fixed_milli, .usual = 0),
    AT("suspended", FIELD_BOOL, struct policy_queue_spec, suspended, .usual = 0),
    AT("spans_pools", FIELD_BOOL, struct policy_queue_spec, spans_pools, .usual = 0),
    AT("ordered_pools", FIELD_BOOL, struct policy_queue_spec, ordered_pools, .usual = 0),
    AT("strict_order", FIELD_BOOL, struct policy_queue_spec, strict_order, .usual = 0),
    LIST("by_pool", FIELD_LIST, struct policy_queue_spec, by_pool, by_pool_count,
         .of = &pool_quota_table),
    {.key = NULL}};
TABLE(queue_spec_table, queue_spec_fields, struct policy_queue_spec, true);

static const struct field job_spec_fields[] = {
    AT("queue", FIELD_U32, struct policy_job_spec, queue.i, .required = true),
    AT("priority", FIELD_I32, struct policy_job_spec, priority, .usual = 0),
    AT("preemptible", FIELD_BOOL, struct policy_job_spec, preemptible, .usual = 0),
    AT("rank", FIELD_U64, struct policy_job_spec, rank, .required = true),
    AT("submitted_ms", FIELD_I64, struct policy_job_spec, submitted, .required = true),
    AT("eligible_ms", FIELD_I64, struct policy_job_spec, eligible, .usual = 0),
    AT("run_ms", FIELD_I64, struct policy_job_spec, run_ms, .usual = -1),
    AT("limit_ms", FIELD_I64, struct policy_job_spec, limit_ms, .usual = -1),
    LIST("roles", FIELD_LIST, struct policy_job_spec, roles, role_count, .of = &role_table,
       .required = true),
    LIST("groups", FIELD_LIST, struct policy_job_spec, groups, group_count, .of = &group_table),
    PART("topology", struct policy_job_spec, topology, constraint_table),
    AT("workload", FIELD_CHOICE, struct policy_job_spec, workload, .usual = POLICY_TRAIN,
     .words = "train|build|inference"),
    AT("interactive_limit_ms", FIELD_I64, struct policy_job_spec, interactive_limit_ms, .usual = 0),
    AT("estimate_ms", FIELD_I64, struct policy_job_spec, estimate_ms, .usual = 0),
    AT("user", FIELD_U32, struct policy_job_spec, user, .usual = 0),
    AT("deadline_ms", FIELD_I64, struct policy_job_spec, deadline, .usual = 0),
    {.key = NULL}};
TABLE(job_spec_table, job_spec_fields, struct policy_job_spec, true);

static const struct field policy_fields[] = {
    AT("fauxfleet_facts", FIELD_I32, struct fact_policy, version, .required = true),
    AT("contract", FIELD_I32, struct fact_policy, contract, .required = true),
    AT("policy", FIELD_TEXT, struct fact_policy, name, .required = true),
    AT("seed", FIELD_U64, struct fact_policy, seed, .usual = 0),
    LIST("options", FIELD_OPTIONS, struct fact_policy, options, option_count, .usual = 0),
    AT("after", FIELD_TEXT, struct fact_policy, after, .usual = 0),
    AT("records", FIELD_I64, struct fact_policy, records, .usual = 0),
    AT("facts", FIELD_U32, struct fact_policy, facts, .usual = 0),
    AT("closed", FIELD_BOOL, struct fact_policy, closed, .usual = 0),
    {.key = NULL}};
TABLE(policy_table, policy_fields, struct fact_policy, false);

static const struct field history_fields[] = {
    AT("of", FIELD_CHOICE, struct policy_history, kind, .required = true,
       .words = "nothing|job|promise|user|priorities|draws|usage|idle|nomination|blocked|decided|stale|evicted|started|displaced|plugin|module"),
    AT("job", FIELD_U32, struct policy_history, job.i, .usual = POLICY_NO_ID),
    AT("gen", FIELD_U32, struct policy_history, job.gen, .usual = 0),
    AT("other", FIELD_U32, struct policy_history, other.i, .usual = POLICY_NO_ID),
    AT("other_gen", FIELD_U32, struct policy_history, other.gen, .usual = 0),
    AT("queue", FIELD_U32, struct policy_history, queue.i, .usual = POLICY_NO_ID),
    AT("user", FIELD_U32, struct policy_history, user, .usual = 0),
    AT("task", FIELD_U32, struct policy_history, task, .usual = 0),
    AT("node", FIELD_U32, struct policy_history, node.i, .usual = POLICY_NO_ID),
    AT("devices", FIELD_U64, struct policy_history, devices, .usual = 0),
    AT("at_ms", FIELD_I64, struct policy_history, at, .usual = 0),
    AT("from_ms", FIELD_I64, struct policy_history, from, .usual = 0),
    AT("until_ms", FIELD_I64, struct policy_history, until, .usual = 0),
    AT("entered_ms", FIELD_I64, struct policy_history, entered, .usual = 0),
    AT("attained_gpu_us", FIELD_I64, struct policy_history, attained, .usual = 0),
    AT("remaining_ms", FIELD_I64, struct policy_history, remaining, .usual = 0),
    AT("started", FIELD_U64, struct policy_history, started, .usual = 0),
    AT("evicted", FIELD_U64, struct policy_history, evicted, .usual = 0),
    AT("count", FIELD_U64, struct policy_history, count, .usual = 0),
    AT("used_gpu_100us", FIELD_U64, struct policy_history, used, .usual = 0),
    AT("used_since_gpu_us", FIELD_U64, struct policy_history, used_since, .usual = 0),
    AT("used_gpu_us", FIELD_U64, struct policy_history, used_gpu, .usual = 0),
    AT("used_cpu_us", FIELD_U64, struct policy_history, used_cpu, .usual = 0),
    AT("used_mib_ms", FIELD_U64, struct policy_history, used_mem, .usual = 0),
    AT("capacity_milli", FIELD_I64, struct policy_history, capacity, .usual = 0),
    AT("place", FIELD_U32, struct policy_history, place, .usual = 0),
    AT("level", FIELD_I32, struct policy_history, level, .usual = 0),
    AT("due", FIELD_BOOL, struct policy_history, due, .usual = 0),
    AT("chosen", FIELD_BOOL, struct policy_history, chosen, .usual = 0),
    AT("leaving", FIELD_BOOL, struct policy_history, leaving, .usual = 0),
    AT("settled", FIELD_BOOL, struct policy_history, settled, .usual = 0),
    AT("timed", FIELD_BOOL, struct policy_history, timed, .usual = 0),
    AT("data", FIELD_TEXT, struct policy_history, data, .usual = 0),
    {.key = NULL}};
TABLE(history_table, history_fields, struct policy_history, true);

/* ---- facts ---- */

#define FACT(key_, type_, member, ...) AT(key_, type_, struct fact, member, __VA_ARGS__)
#define NODE FACT("node", FIELD_U32, node.i, .required = true)
#define QUEUE FACT("queue", FIELD_U32, queue.i, .required = true)
#define JOB FACT("job", FIELD_U32, job.i, .required = true), FACT("gen", FIELD_U32, job.gen, \
   .usual = 0)
#define TASK FACT("task", FIELD_U32, task, .usual = POLICY_ALL_TASKS)
#define NAME FACT("name", FIELD_TEXT, name, .usual = 0)
#define NUMBER(key_) FACT(key_, FIELD_U32, number, .required = true)
#define END {.key = NULL}

static const struct field none_fields[] = {END};
static const struct field node_add_fields[] = {NODE, NAME, END};
static const struct field node_fields[] = {NODE, END};
static const struct field node_state_fields[] = {
    NODE, FACT("state", FIELD_CHOICE, state, .required = true, .words = "up|draining|down|off|ordered"), END};
static const struct field device_fields[] = {
    NODE, NUMBER("device"), FACT("usable", FIELD_FLAG, state, .required = true), END};
static const struct field topology_fields[] = {
    NUMBER("topology"), LIST("levels", FIELD_NUMBERS, struct fact, spec, count, .required = true),
       END};
static const struct field mig_fields[] = {
    NUMBER("profile"), FACT("compute_slices", FIELD_I32, compute, .required = true),
    FACT("memory_slices", FIELD_I32, memory, .required = true), END};
static const struct field typical_tasks_fields[] = {
    LIST("tasks", FIELD_LIST, struct fact, spec, count, .of = &typical_table, .required = true),
    FACT("all", FIELD_I64, value, .required = true), END};
static const struct field name_fields[] = {
    FACT("of", FIELD_CHOICE, state, .required = true, .words = "type|pool|mig_profile"),
       NUMBER("number"),
    FACT("name", FIELD_TEXT, name, .required = true), END};
static const struct field queue_add_fields[] = {QUEUE, NAME, END};
static const struct field queue_fields[] = {QUEUE, END};
static const struct field job_add_fields[] = {JOB, NAME, END};
static const struct field job_fields[] = {JOB, END};
static const struct field stale_fields[] = {JOB, FACT("since_ms", FIELD_I64, value,
   .usual = POLICY_NEVER), END};
static const struct field activity_fields[] = {
    JOB, FACT("utilization_ppm", FIELD_I64, value, .required = true), END};
static const struct field progress_fields[] = {
    JOB, FACT("remaining_ms", FIELD_I64, value, .required = true), END};
static const struct field priority_fields[] = {
    JOB, FACT("priority", FIELD_I32, state, .required = true), END};
static const struct field suspend_fields[] = {
    JOB, FACT("suspended", FIELD_FLAG, state, .required = true), END};
static const struct field running_fields[] = {
    JOB, TASK, NODE, FACT("devices", FIELD_U64, devices, .required = true),
    FACT("since_ms", FIELD_I64, value, .usual = POLICY_NEVER), END};
static const struct field task_fields[] = {JOB, TASK, END};
static const struct field gated_fields[] = {JOB, TASK, FACT("gated", FIELD_FLAG, state,
   .required = true), END};
static const struct field ended_fields[] = {
    JOB, TASK, FACT("outcome", FIELD_CHOICE, state, .required = true,
     .words = "succeeded|failed|evicted"), END};
static const struct field end_fields[] = {FACT("lines", FIELD_U32, count, .required = true), END};
static const struct field decide_fields[] = {FACT("decisions", FIELD_U32, count, .usual = 0), END};

#define OWN(name, fields_) TABLE(name, fields_, struct fact, false)
OWN(none_table, none_fields);
OWN(node_add_table, node_add_fields);
OWN(node_table, node_fields);
OWN(node_state_table, node_state_fields);
OWN(device_table, device_fields);
OWN(topology_table, topology_fields);
OWN(mig_table, mig_fields);
OWN(typical_tasks_table, typical_tasks_fields);
OWN(name_table, name_fields);
OWN(queue_add_table, queue_add_fields);
OWN(queue_table, queue_fields);
OWN(job_add_table, job_add_fields);
OWN(job_table, job_fields);
OWN(stale_table, stale_fields);
OWN(activity_table, activity_fields);
OWN(progress_table, progress_fields);
OWN(priority_table, priority_fields);
OWN(suspend_table, suspend_fields);
OWN(running_table, running_fields);
OWN(task_table, task_fields);
OWN(gated_table, gated_fields);
OWN(ended_table, ended_fields);
OWN(decide_table, decide_fields);
OWN(end_table, end_fields);

const struct fact_row fact_kinds[FACT_KINDS] = {
    [FACT_POLICY]         = {"policy",         &none_table,          &policy_table},
    [FACT_NODE_ADD]       = {"node_add",       &node_add_table,      &node_spec_table},
    [FACT_NODE_REMOVE]    = {"node_remove",    &node_table,          NULL},
    [FACT_NODE_STATE]     = {"node_state",     &node_state_table,    NULL},
    [FACT_DEVICE_HEALTH]  = {"device_health",  &device_table,        NULL},
    [FACT_TOPOLOGY]       = {"topology",       &topology_table,      NULL},
    [FACT_MIG_PROFILE]    = {"mig_profile",    &mig_table,           NULL},
    [FACT_TYPICAL_TASKS]  = {"typical_tasks",  &typical_tasks_table, NULL},
    [FACT_NAME]           = {"name",           &name_table,          NULL},
    [FACT_OFFER]          = {"offer",          &none_table,          &offer_table},
    [FACT_QUEUE_ADD]      = {"queue_add",      &queue_add_table,     &queue_spec_table},
    [FACT_QUEUE_SET]      = {"queue_set",      &queue_table,         &queue_spec_table},
    [FACT_QUEUE_REMOVE]   = {"queue_remove",   &queue_table,         NULL},
    [FACT_USAGE]          = {"usage",          &queue_table,         &amount_table},
    [FACT_JOB_ADD]        = {"job_add",        &job_add_table,       &job_spec_table},
    [FACT_JOB_CANCEL]     = {"job_cancel",     &job_table,           NULL},
    [FACT_STALE_SINCE]    = {"stale_since",    &stale_table,         NULL},
    [FACT_ACTIVITY]       = {"activity",       &activity_table,      NULL},
    [FACT_PROGRESS]       = {"progress",       &progress_table,      NULL},
    [FACT_JOB_PRIORITY]   = {"job_priority",   &priority_table,      NULL},
    [FACT_JOB_SUSPEND]    = {"job_suspend",    &suspend_table,       NULL},
    [FACT_TASK_RUNNING]   = {"task_running",   &running_table,       NULL},
    [FACT_TASK_STARTED]   = {"task_started",   &task_table,          NULL},
    [FACT_TASK_RELEASING] = {"task_releasing", &task_table,          NULL},
    [FACT_TASK_GATED]     = {"task_gated",     &gated_table,         NULL},
    [FACT_START_FAILED]   = {"start_failed",   &job_table,           NULL},
    [FACT_TASK_ENDED]     = {"task_ended",     &ended_table,         NULL},
    [FACT_HISTORY]        = {"history",        &none_table,          &history_table},
    [FACT_DECIDE]         = {"decide",         &decide_table,        NULL},
    [FACT_END]            = {"end",            &end_table,           NULL},
};

/* ---- decisions ---- */

#define DECISION(key_, type_, member, ...) AT(key_, type_, struct fact_decision, member, \
   __VA_ARGS__)
static const struct field decision_fields[] = {
    DECISION("decision", FIELD_KIND, d.kind, .required = true),
    DECISION("job", FIELD_U32, d.job.i, .usual = POLICY_NO_ID),
    DECISION("gen", FIELD_U32, d.job.gen, .usual = 0),
    DECISION("name", FIELD_TEXT, name, .usual = 0),
    DECISION("task", FIELD_U32, d.task, .usual = POLICY_ALL_TASKS),
    DECISION("node", FIELD_U32, d.node.i, .usual = POLICY_NO_ID),
    DECISION("node_name", FIELD_TEXT, node_name, .usual = 0),
    DECISION("pool", FIELD_U32, d.pool, .usual = 0),
    DECISION("devices", FIELD_U64, d.devices, .usual = 0),
    DECISION("gpu_milli", FIELD_I64, d.gpu_milli, .usual = 0),
    DECISION("action", FIELD_ACTION, d.action, .required = true),
    DECISION("for_job", FIELD_U32, d.for_job.i, .usual = POLICY_NO_ID),
    DECISION("for_gen", FIELD_U32, d.for_job.gen, .usual = 0),
    DECISION("reason", FIELD_REASON, d.reason, .usual = 0),
    {.key = NULL}};
const struct field_table fact_decision_table = {.fields = decision_fields,
   .size = sizeof(struct fact_decision), .is_sized = false};
// clang-format on
