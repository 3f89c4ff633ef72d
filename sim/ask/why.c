/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations in words: a row for each reason that has evidence of its own, and devices for all
 * others. */
#include "sim/ask/why.h"
#include "sim/base/escape.h"

#include "report/words/units.h"

#include <inttypes.h>

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- resources of queues: what the core counts, and what people do ---- */

static const struct {
    const char *key, *one, *many;
    bool milli;
} resources[] = {
    {"gpu", "GPU", "GPUs", true},
    {"cpu", "core", "cores", true},
    {"mem", "MiB of memory", "MiB of memory", false},
};

static bool has_queue(const struct why *why)
{
    const struct policy_explanation *e = why->explained;
    bool stands = e->reason == POLICY_REASON_OVER_LIMIT || e->reason == POLICY_REASON_OVER_QUOTA ||
                  e->reason == POLICY_REASON_FIXED_QUOTA;
    return stands && why->queue != NULL && e->resource >= 0 && e->resource < 3;
}

static void number(struct out *out, const struct policy_explanation *e, int64_t value)
{
    if (resources[e->resource].milli)
        out_milli(out, value);
    else
        out_i64(out, value);
}

/* "1 GPU", "2 GPUs" */
static void amount(struct out *out, const struct policy_explanation *e, int64_t value)
{
    bool one = value == (resources[e->resource].milli ? POLICY_WHOLE : 1);
    number(out, e, value);
    escape_format(out, " %s", one ? resources[e->resource].one : resources[e->resource].many);
}

void why_gpus(struct out *out, int64_t milli)
{
    out_milli(out, milli);
    out_text(out, milli == POLICY_WHOLE ? " GPU" : " GPUs");
}

static int64_t room_in_queue(const struct policy_explanation *e)
{
    return e->queue_may > e->queue_has ? e->queue_may - e->queue_has : 0;
}

/* ---- devices ---- */

static void wanted(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    out_text(out, "wants ");
    why_gpus(out, e->wanted_milli);
    escape_format(out, " in %d task%s", e->tasks, plural(e->tasks));
    if (e->tasks > 1 && e->largest_request > 1)
        escape_format(out, " of up to %d", e->largest_request);
}

static void devices(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    wanted(why, out);
    if (e->wanted_milli > 0 && e->free_milli == 0)
        out_text(out, "; none is free where it may run");
    if (e->wanted_milli == 0 || e->free_milli == 0)
        return;
    out_text(out, "; free where it may run: ");
    why_gpus(out, e->free_milli);
    escape_format(out, " (%" PRId64 " whole), at most %d on one node", e->free_whole, e->most_free);
}

static void smaller(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    if (e->tasks_fit_now == e->tasks)
        out_text(out, "it fits now: it is waiting for its turn");
    else if (e->tasks_fit_now > 0)
        escape_format(out, "%d of its %d tasks would fit now", e->tasks_fit_now, e->tasks);
    else if (e->most_free > 0)
        escape_format(out, "a job of up to %d whole GPU%s on one node would fit now", e->most_free,
                      plural(e->most_free));
    else
        out_text(out, "no whole GPU is free where it may run");
}

/* ---- reasons with something to say of their own ---- */

static void beside(const struct why *why, struct out *out)
{
    devices(why, out);
    if (why->wishes != NULL)
        escape_format(out, "; a task wants %s beside them", why->wishes);
}

static void less_beside(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    if (e->tasks_fit_now > 0 && e->tasks_fit_now < e->tasks)
        escape_format(out, "%d of its %d tasks would fit now; ", e->tasks_fit_now, e->tasks);
    out_text(out, "less CPU or memory for a task may do");
}

static void over_limit(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    if (!has_queue(why)) {
        devices(why, out);
        return;
    }
    escape_format(out, "queue '%s' has ", why->queue);
    number(out, e, e->queue_has);
    out_text(out, " of at most ");
    amount(out, e, e->queue_may);
    out_text(out, ", and the job wants ");
    number(out, e, e->job_wants);
    out_text(out, " more");
}

static void within_limit(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    if (!has_queue(why) || room_in_queue(e) == 0) {
        out_text(out, "none until jobs of the queue end or its limit is raised");
        return;
    }
    out_text(out, "up to ");
    amount(out, e, room_in_queue(e));
    out_text(out, " would stay within the limit");
}

static void over_quota(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    if (!has_queue(why)) {
        devices(why, out);
        return;
    }
    escape_format(out, "queue '%s' has ", why->queue);
    number(out, e, e->queue_has);
    out_text(out, " of its quota of ");
    amount(out, e, e->queue_may);
    if (why->pool != NULL)
        escape_format(out, " in pool '%s'", why->pool);
    out_text(out, " in jobs that may not be preempted, and this one wants ");
    number(out, e, e->job_wants);
    out_text(out, " more");
}

static void preemptible(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    out_text(out, "as a preemptible job it would need no quota");
    if (has_queue(why) && room_in_queue(e) > 0) {
        out_text(out, "; as it is, up to ");
        amount(out, e, room_in_queue(e));
        out_text(out, " would do");
    }
}

static void level(const struct why *why, struct out *out)
{
    if (why->level != NULL)
        escape_format(out, "level '%s' of topology '%s'", why->level, why->topology);
    else
        escape_format(out, "level %d of its topology", why->explained->level);
}

static void scattered(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    out_text(out, "has to stand in one domain of ");
    level(why, out);
    escape_format(out, ", and the best of them holds %d of its %d task%s now; free in all: ",
                  e->tasks_fit_domain, e->tasks, plural(e->tasks));
    why_gpus(out, e->free_milli);
}

static void wider(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    if (e->tasks_fit_domain > 0)
        escape_format(out, "%d of its %d tasks would fit one domain now; ", e->tasks_fit_domain,
                      e->tasks);
    out_text(out, "a higher level, or the same one as preferred, may do");
}

static void no_such_level(const struct why *why, struct out *out)
{
    if (why->topology == NULL)
        out_text(out, "refers to an unknown topology or level");
    else if (why->level != NULL)
        escape_format(out, "names level '%s' of topology '%s', which does not exist", why->level,
                      why->topology);
    else
        escape_format(out, "names topology '%s', which does not exist", why->topology);
}

static void known_level(const struct why *why, struct out *out)
{
    (void)why;
    out_text(out, "none as written; name a level that exists, or none");
}

static void incomplete(const struct why *why, struct out *out)
{
    if (why->role != NULL)
        escape_format(out, "role '%s' needs %d task%s, and has %d that may start", why->role,
                      why->needs_tasks, plural(why->needs_tasks), why->has_tasks);
    else
        out_text(out, "fewer of its tasks may start than its minimum asks for");
}

static void complete(const struct why *why, struct out *out)
{
    (void)why;
    out_text(out, "none until the missing tasks exist and no gate holds them");
}

static bool lacks_domain(const struct why *why)
{
    return why->explained->level > 0;
}

static void too_large(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    if (!lacks_domain(why)) {
        devices(why, out);
        return;
    }
    wanted(why, out);
    out_text(out, ", all in one domain of ");
    level(why, out);
    escape_format(out, ", of which the largest would hold %d task%s if it were empty",
                  e->tasks_fit_domain, plural(e->tasks_fit_domain));
}

static void nowhere(const struct why *why, struct out *out)
{
    out_text(out, lacks_domain(why)
                      ? "none on this fleet; a higher level, or the same one as preferred, may do"
                      : "none on this fleet; ask for less on one node, or for fewer nodes");
}

static void mismatch(const struct why *why, struct out *out)
{
    if (why->wishes != NULL)
        escape_format(out, "wants a node with %s, and too few of them are there", why->wishes);
    else
        out_text(out, "too few nodes have the labels and the device type that it wants");
}

static void other_nodes(const struct why *why, struct out *out)
{
    (void)why;
    out_text(out, "none until such nodes are up; fewer conditions may do");
}

static void released(const struct why *why, struct out *out)
{
    (void)why;
    out_text(out, "it starts there once that is free");
}

static void kept(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    wanted(why, out);
    out_text(out, "; of ");
    why_gpus(out, e->free_milli);
    out_text(out, " free where it may run some are kept");
    if (has_queue(why)) {
        escape_format(out, ": queue '%s' keeps ", why->queue);
        amount(out, e, e->queue_may);
        out_text(out, " for its build sessions, which have ");
        number(out, e, e->queue_has);
    }
}

static void beside_kept(const struct why *why, struct out *out)
{
    if (why->explained->most_free > 0 || why->explained->tasks_fit_now > 0)
        smaller(why, out);
    else
        out_text(out, "none until more is free than is reserved");
}

static void reserved(const struct why *why, struct out *out)
{
    devices(why, out);
    out_text(out, "; devices reserved for an earlier job do not count as free");
}

static void shorter(const struct why *why, struct out *out)
{
    (void)why;
    out_text(
        out,
        "with a time limit that ends before the reserved job can start it would not have to wait");
}

static void outranked(const struct why *why, struct out *out)
{
    (void)why;
    out_text(out,
             "it starts when it comes before others in the order, or when these want fewer GPUs");
}

static void suspended(const struct why *why, struct out *out)
{
    out_text(out, "the ");
    if (why->queue != NULL)
        out_format(out, "queue '%s'", why->queue);
    else
        out_text(out, "job");
    out_text(out, " is suspended, so nothing of it starts");
}

static void resumed(const struct why *why, struct out *out)
{
    (void)why;
    out_text(out, "it takes its place in the order again when it is resumed");
}

static const struct {
    int32_t reason;
    void (*evidence)(const struct why *, struct out *);    /* NULL: devices */
    void (*alternative)(const struct why *, struct out *); /* NULL: a smaller job */
} rows[] = {
    {POLICY_REASON_NEVER_FITS, too_large, nowhere},
    {POLICY_REASON_CPU_OR_MEMORY, beside, less_beside},
    {POLICY_REASON_OVER_LIMIT, over_limit, within_limit},
    {POLICY_REASON_OVER_QUOTA, over_quota, preemptible},
    {POLICY_REASON_TOPOLOGY_FRAGMENTED, scattered, wider},
    {POLICY_REASON_TOPOLOGY_UNKNOWN, no_such_level, known_level},
    {POLICY_REASON_NOT_READY, incomplete, complete},
    {POLICY_REASON_NODE_MISMATCH, mismatch, other_nodes},
    {POLICY_REASON_RELEASING, NULL, released},
    {POLICY_REASON_FIXED_QUOTA, kept, beside_kept},
    {POLICY_REASON_RESERVED, reserved, shorter},
    {POLICY_REASON_OUTRANKED, NULL, outranked},
    {POLICY_REASON_SUSPENDED, suspended, resumed},
};

static void evidence(const struct why *why, struct out *out)
{
    void (*say)(const struct why *, struct out *) = devices;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].reason == why->explained->reason && rows[i].evidence != NULL)
            say = rows[i].evidence;
    say(why, out);
}

void why_hint(const struct why *why, struct out *out)
{
    void (*say)(const struct why *, struct out *) = smaller;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].reason == why->explained->reason && rows[i].alternative != NULL)
            say = rows[i].alternative;
    say(why, out);
}

static void queue_before(const struct policy_explanation *e, struct out *out)
{
    bool one = e->jobs_before == 1;
    escape_format(out, "%" PRIu64 " pending %s ahead of it", e->jobs_before,
                  one ? "job is" : "jobs are");
}

/* The share counts where devices are missing: a queue within it may reclaim. */
static bool has_share(const struct why *why)
{
    int32_t reason = why->explained->reason;
    return why->owner != NULL &&
           (reason == POLICY_REASON_DEVICES_BUSY || reason == POLICY_REASON_FRAGMENTED ||
            reason == POLICY_REASON_TOPOLOGY_FRAGMENTED);
}

static void share(const struct why *why, struct out *out)
{
    int64_t with_job = why->owner_has + why->explained->wanted_milli;
    bool above = with_job > why->owner_share;
    escape_format(out, "queue '%s' has ", why->owner);
    why_gpus(out, why->owner_has);
    if (above) {
        out_text(out, " and would have ");
        out_milli(out, with_job);
        out_text(out, " with it, above");
    } else {
        out_text(out, " of");
    }
    out_text(out, " its fair share of ");
    out_milli(out, why->owner_share);
}

void why_add_share(struct why *why, const struct policy *policy, policy_queue queue,
                   const char *name)
{
    struct policy_queue_info info = {.size = sizeof info};
    if (policy_queue_info(policy, queue, &info) != POLICY_OK ||
        info.fair_share.gpu == POLICY_UNLIMITED)
        return;
    why->owner = name;
    why->owner_has = info.allocated.gpu;
    why->owner_share = info.fair_share.gpu;
}

static void behind(const struct why *why, struct out *out)
{
    int32_t reason = why->explained->behind_reason;
    if (reason == POLICY_REASON_NONE)
        escape_format(out, "job %s, which comes before it", why->behind);
    else
        escape_format(out, "job %s: %s (%s)", why->behind, policy_reason_name(reason),
                      policy_reason_summary(reason));
}

void why_print(const struct why *why, struct out *out)
{
    const struct policy_explanation *e = why->explained;
    escape_format(out, "  because      %s", policy_reason_name(e->reason));
    if (why->held_ms > 0) {
        char time[UNIT_TEXT], share[UNIT_TEXT];
        escape_format(out, " (%s, %s)", unit_duration(time, (double)why->held_ms / 1000.0),
                      unit_percent(share, why->held_share));
    }
    escape_format(out, ": %s\n", policy_reason_summary(e->reason));
    out_text(out, "  evidence     ");
    evidence(why, out);
    if (has_share(why)) {
        out_text(out, "\n               ");
        share(why, out);
    }
    if (e->jobs_before > 0) {
        out_text(out, "\n               ");
        queue_before(e, out);
    }
    if (why->behind != NULL) {
        out_text(out, "\n  behind       ");
        behind(why, out);
    }
    out_char(out, '\n');
}

char *why_detail(const struct why *why)
{
    struct out *out = out_memory();
    evidence(why, out);
    if (why->explained->jobs_before > 0) {
        out_text(out, "; ");
        queue_before(why->explained, out);
    }
    if (why->behind != NULL) {
        out_text(out, "; behind ");
        behind(why, out);
    }
    out_text(out, "; alternative: ");
    why_hint(why, out);
    return out_memory_take(out);
}

void why_json(const struct why *why, struct json *j)
{
    const struct policy_explanation *e = why->explained;
    json_begin_object(j, "evidence");
    json_f64(j, "wanted_gpus", (double)e->wanted_milli / 1000.0, 3);
    json_f64(j, "free_gpus", (double)e->free_milli / 1000.0, 3);
    json_i64(j, "free_whole_gpus", e->free_whole);
    json_i64(j, "most_free_on_a_node", e->most_free);
    json_i64(j, "largest_request_on_a_node", e->largest_request);
    json_i64(j, "jobs_before", (int64_t)e->jobs_before);
    json_text(j, "behind", why->behind);
    json_text(j, "behind_reason",
              why->behind != NULL ? policy_reason_name(e->behind_reason) : NULL);
    if (has_queue(why)) {
        json_text(j, "queue", why->queue);
        json_text(j, "resource", resources[e->resource].key);
        json_i64(j, "queue_has", e->queue_has);
        json_i64(j, "queue_may_have", e->queue_may);
        json_i64(j, "job_wants", e->job_wants);
        if (why->pool != NULL)
            json_text(j, "pool", why->pool);
    }
    if (has_share(why)) {
        json_f64(j, "queue_gpus", (double)why->owner_has / 1000.0, 3);
        json_f64(j, "fair_share_gpus", (double)why->owner_share / 1000.0, 3);
    }
    if (why->level != NULL) {
        json_text(j, "topology", why->topology);
        json_text(j, "level", why->level);
        json_i64(j, "tasks_fit_domain", e->tasks_fit_domain);
    }
    json_end_object(j);
    json_begin_object(j, "alternative");
    json_i64(j, "tasks", e->tasks);
    json_i64(j, "tasks_fit_now", e->tasks_fit_now);
    json_end_object(j);
}
