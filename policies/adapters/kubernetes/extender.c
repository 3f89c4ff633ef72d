/* SPDX-License-Identifier: MIT */
/* Answers to the scheduler of Kubernetes; see extender.h. */
#include "policies/adapters/kubernetes/extender.h"

#include "policies/adapters/kubernetes/question.h"
#include "policies/adapters/kubernetes/request.h"
#include "policies/adapters/kubernetes/state.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define BEST_SCORE 10 /* MaxExtenderPriority */

enum { OK = 200, BAD_REQUEST = 400, UNAVAILABLE = 503 };

struct extender {
    struct extender_options options;
    const char *policy_texts[1];
    struct cli policy; /* as --policy would say it */
    struct state state;
};

struct extender *extender_create(const struct extender_options *options)
{
    struct extender *e = mem_alloc(1, sizeof *e);
    e->options = *options;
    if (options->policy) {
        e->policy_texts[0] = options->policy;
        e->policy.values[OPT_POLICY] = (struct cli_value){.texts = e->policy_texts, .count = 1};
    }
    return e;
}

void extender_destroy(struct extender *e)
{
    if (e)
        state_fini(&e->state);
    free(e);
}

/* The policy has to be able to decide on it, which is tried. */
static bool try_state(struct extender *e, const char *text, size_t n, struct err *err)
{
    struct snapshot *s = NULL;
    struct dry_run run;
    if (!snapshot_parse(&s, "snapshot", text, n, err))
        return false;
    bool ok = dry_run_open_with(&run, s, &e->policy, err);
    dry_run_close(&run);
    return ok;
}

bool extender_check(struct extender *e, struct err *err)
{
    static const char nothing[] = "{\"fauxfleet_snapshot\": 1}";
    return try_state(e, nothing, sizeof nothing - 1, err);
}

static bool take_state(struct extender *e, struct state *fresh, bool read, struct err *err)
{
    bool ok = read && try_state(e, fresh->text, fresh->n, err);
    if (ok)
        state_replace(&e->state, fresh);
    state_fini(fresh);
    return ok;
}

bool extender_state(struct extender *e, const char *name, const char *text, size_t n, struct err *err)
{
    struct state fresh = {.text = NULL};
    return take_state(e, &fresh, state_parse(&fresh, &e->state, name, text, n, err), err);
}

bool extender_state_file(struct extender *e, const char *path, struct err *err)
{
    struct state fresh = {.text = NULL};
    return take_state(e, &fresh, state_load(&fresh, &e->state, path, err), err);
}

/* ---- the order of the nodes ---- */

struct ranking {
    const char **nodes; /* the policy's choice first; of the request's names */
    size_t count;
    bool full;          /* more may be fit, but were not asked for */
    const char *reason; /* for which it starts on none of the others */
    char *detail;
};

static void ranking_fini(struct ranking *ranking)
{
    free(ranking->nodes);
    free(ranking->detail);
}

static bool rank(struct extender *e, struct question *q, struct ranking *ranking, struct err *err)
{
    struct question_answer answer;
    *ranking = (struct ranking){.nodes = mem_alloc(e->options.nodes + 1, sizeof *ranking->nodes)};
    while (ranking->count < e->options.nodes) {
        if (!question_ask(q, &answer, err))
            return false;
        if (answer.kind != QUESTION_STARTS) {
            ranking->reason = answer.reason;
            ranking->detail = answer.detail;
            return true;
        }
        ranking->nodes[ranking->count++] = answer.node;
        question_strike(q, answer.node);
    }
    ranking->full = true;
    return true;
}

/* Its place in the order, or -1. */
static int64_t place_of(const struct ranking *ranking, const char *node)
{
    for (size_t i = 0; i < ranking->count; i++)
        if (strcmp(ranking->nodes[i], node) == 0)
            return (int64_t)i;
    return -1;
}

/* ---- filter ---- */

/* What no eviction changes. */
static bool is_hopeless(const char *reason)
{
    static const char *const reasons[] = {"NEVER_FITS",    "NODE_MISMATCH", "TOPOLOGY_UNKNOWN", "NOT_READY",
                                          "QUEUE_UNKNOWN", "QUEUE_DROPPED", "QUEUE_NOT_A_LEAF"};
    bool found = false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        found = found || strcmp(reason, reasons[i]) == 0;
    return found;
}

static void put_failed(const struct question *q, const struct ranking *ranking, const char *node,
                       cJSON *failed, cJSON *hopeless)
{
    char *text;
    if (!question_knows(q, node))
        text = mem_text("the snapshot of fauxfleet does not have this node");
    else if (ranking->full)
        text = mem_format("not among the %zu nodes that the policy prefers", ranking->count);
    else if (ranking->count > 0)
        text = mem_format("%s: not on this node now, but on %s", ranking->reason, ranking->nodes[0]);
    else
        text = mem_format("%s: %s", ranking->reason, ranking->detail ? ranking->detail : "");
    bool never = !question_knows(q, node) || (!ranking->full && is_hopeless(ranking->reason));
    cJSON_AddStringToObject(never ? hopeless : failed, node, text);
    free(text);
}

static void put_passed(const struct request *r, const struct ranking *ranking, cJSON *answer)
{
    cJSON *list = cJSON_CreateArray(), *nodes;
    const cJSON *item;
    for (size_t i = 0; !r->nodes && i < r->count; i++)
        if (place_of(ranking, r->names[i]) >= 0)
            cJSON_AddItemToArray(list, cJSON_CreateString(r->names[i]));
    cJSON_ArrayForEach(item, r->nodes)
    {
        if (place_of(ranking, request_text(request_member(item, "metadata"), "name")) >= 0)
            cJSON_AddItemToArray(list, cJSON_Duplicate(item, true));
    }
    if (!r->nodes) {
        cJSON_AddItemToObject(answer, "NodeNames", list);
        return;
    }
    nodes = cJSON_AddObjectToObject(answer, "Nodes");
    cJSON_AddItemToObject(nodes, "items", list);
}

static cJSON *filter(const struct request *r, const struct question *q, const struct ranking *ranking)
{
    cJSON *answer = cJSON_CreateObject();
    put_passed(r, ranking, answer);
    cJSON *failed = cJSON_AddObjectToObject(answer, "FailedNodes");
    cJSON *hopeless = cJSON_AddObjectToObject(answer, "FailedAndUnresolvableNodes");
    for (size_t i = 0; i < r->count; i++)
        if (place_of(ranking, r->names[i]) < 0)
            put_failed(q, ranking, r->names[i], failed, hopeless);
    cJSON_AddStringToObject(answer, "Error", "");
    return answer;
}

static cJSON *prioritize(const struct request *r, const struct ranking *ranking)
{
    cJSON *answer = cJSON_CreateArray();
    for (size_t i = 0; i < r->count; i++) {
        int64_t place = place_of(ranking, r->names[i]), count = (int64_t)ranking->count, score = 0;
        if (place >= 0)
            score = BEST_SCORE * (count - place) / count;
        cJSON *host = cJSON_CreateObject();
        cJSON_AddStringToObject(host, "Host", r->names[i]);
        cJSON_AddNumberToObject(host, "Score", (double)(place >= 0 && score < 1 ? 1 : score));
        cJSON_AddItemToArray(answer, host);
    }
    return answer;
}

/* ---- preempt ---- */

/* The uid of a pod that the snapshot has none of, among the victims that the scheduler proposes. */
static const char *proposed_uid(const struct request *r, const cJSON *proposed, const char *space, size_t n,
                                const char *name)
{
    const cJSON *pod;
    if (!r->whole)
        return "";
    cJSON_ArrayForEach(pod, request_member(proposed, "Pods"))
    {
        const cJSON *meta = request_member(pod, "metadata");
        const char *own = request_text(meta, "namespace");
        if (strcmp(request_text(meta, "name"), name) == 0 && strlen(own) == n && strncmp(own, space, n) == 0)
            return request_text(meta, "uid");
    }
    return "";
}

/* The pods on a node that are evicted for the job of the pod; NULL when there are none, or one cannot be named. */
static cJSON *victims_on(const struct request *r, const struct question *q, const cJSON *proposed,
                         const char *node)
{
    const struct snap_facts *facts = &q->now.facts;
    cJSON *pods = cJSON_CreateArray();
    bool named = true;
    for (size_t i = 0; i < q->now.decision_count; i++) {
        const struct policy_decision *d = &q->now.decisions[i];
        if (d->kind != POLICY_EVICT || d->for_job.i == POLICY_NO_ID ||
            snap_facts_job(facts, d->for_job) != q->job ||
            strcmp(snap_facts_node(facts, d->node)->name, node) != 0)
            continue;
        const struct snap_task *task = snap_facts_task(facts, d->job, d->task);
        const char *id = snap_facts_job(facts, d->job)->id, *slash = strchr(id, '/');
        const char *uid = *task->uid != '\0' ? task->uid
                          : slash            ? proposed_uid(r, proposed, id, (size_t)(slash - id), task->id)
                                             : "";
        cJSON *pod = cJSON_CreateObject();
        cJSON_AddStringToObject(pod, "UID", uid);
        cJSON_AddItemToArray(pods, pod);
        named = named && *uid != '\0';
    }
    if (pods->child && named)
        return pods;
    cJSON_Delete(pods);
    return NULL;
}

static bool preempt(struct extender *e, const struct request *r, struct question *q, cJSON **answer,
                    struct err *err)
{
    struct question_answer where;
    cJSON *all;
    *answer = cJSON_CreateObject();
    all = cJSON_AddObjectToObject(*answer, "NodeNameToMetaVictims");
    for (size_t i = 0; i < r->count && i < e->options.nodes; i++) {
        const cJSON *proposed = cJSON_GetObjectItemCaseSensitive(r->victims, r->names[i]);
        if (!question_knows(q, r->names[i]))
            continue;
        question_only(q, r->names[i]);
        if (!question_ask(q, &where, err))
            return false;
        free(where.detail);
        cJSON *pods = where.kind != QUESTION_WAITS ? victims_on(r, q, proposed, r->names[i]) : NULL;
        if (!pods)
            continue;
        const cJSON *violations = request_member(proposed, "NumPDBViolations");
        cJSON *victims = cJSON_AddObjectToObject(all, r->names[i]);
        cJSON_AddItemToObject(victims, "Pods", pods);
        cJSON_AddNumberToObject(victims, "NumPDBViolations",
                                cJSON_IsNumber(violations) ? violations->valuedouble : 0);
    }
    return true;
}

/* ---- bind ---- */

static cJSON *bind(struct extender *e, const struct request *r)
{
    const cJSON *root = r->source.root;
    const struct state_binding binding = {request_text(root, "PodNamespace"), request_text(root, "PodName"),
                                          request_text(root, "PodUID"), request_text(root, "Node")};
    struct err err = {.msg = ""};
    cJSON *answer = cJSON_CreateObject();
    struct state fresh = {.text = NULL};
    if (!e->options.bindings)
        (void)err_set(&err, EXIT_INPUT,
                      "this extender does not bind (it was started without --bindings): leave bindVerb out");
    else if (*binding.space == '\0' || *binding.pod == '\0' || *binding.node == '\0')
        (void)err_set(&err, EXIT_INPUT, "request: expected PodName, PodNamespace and Node");
    else if (state_append(&binding, e->options.bindings, &err)) {
        // A pod that the snapshot does not know, or that does not fit by what it knows, counts from the next one on.
        struct err misfit = {.msg = ""};
        (void)take_state(e, &fresh, state_bind(&fresh, &e->state, &binding), &misfit);
    }
    cJSON_AddStringToObject(answer, "Error", err.msg);
    return answer;
}

/* ---- which ---- */

enum verb { FILTER, PRIORITIZE, PREEMPT, BIND, SNAPSHOT, VERBS };
static const char *const verbs[VERBS] = {"filter", "prioritize", "preempt", "bind", "snapshot"};

static void say(struct extender_reply *reply, int status, const struct err *err)
{
    reply->status = status;
    reply->text = mem_format("%s\n", err->msg);
}

static void print(struct extender_reply *reply, cJSON *answer)
{
    char *text = cJSON_PrintUnformatted(answer);
    BUG_ON(!text);
    reply->status = OK;
    reply->text = mem_format("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(answer);
}

static bool decide(struct extender *e, enum verb verb, const struct request *r, struct question *q,
                   cJSON **answer, struct err *err)
{
    struct ranking ranking;
    if (verb == PREEMPT)
        return preempt(e, r, q, answer, err);
    bool ok = rank(e, q, &ranking, err);
    if (ok)
        *answer = verb == FILTER ? filter(r, q, &ranking) : prioritize(r, &ranking);
    ranking_fini(&ranking);
    return ok;
}

/* What goes wrong with one pod is an answer of the filter; other verbs have no place for it. */
static void answer_about_pod(struct extender *e, enum verb verb, const struct request *r,
                             struct extender_reply *reply)
{
    struct err err = {.msg = ""};
    struct question q = {.task = 0};
    cJSON *answer = NULL;
    bool ok = e->state.text != NULL ||
              err_set(&err, EXIT_INPUT, "there is no snapshot of the cluster yet: POST one to /snapshot");
    ok = ok && question_open(&q, e->state.text, e->state.n, r->pod, r->names, r->count, &e->policy, &err) &&
         decide(e, verb, r, &q, &answer, &err);
    if (!ok && verb == FILTER) {
        cJSON_Delete(answer);
        answer = cJSON_CreateObject();
        cJSON_AddStringToObject(answer, "Error", err.msg);
        ok = true;
    }
    if (ok) {
        print(reply, answer);
    } else {
        cJSON_Delete(answer);
        say(reply, UNAVAILABLE, &err);
    }
    question_close(&q);
}

bool extender_answer(struct extender *e, const char *verb, const char *body, size_t n,
                     struct extender_reply *reply)
{
    struct err err = {.msg = ""};
    struct request r;
    enum verb which = FILTER;
    while (which < VERBS && strcmp(verb, verbs[which]) != 0)
        which++;
    if (which == VERBS)
        return false;
    if (which == SNAPSHOT) {
        if (extender_state(e, "snapshot", body, n, &err))
            print(reply, cJSON_CreateObject());
        else
            say(reply, BAD_REQUEST, &err);
        return true;
    }
    if (!request_open(&r, body, n, which == BIND, &err))
        say(reply, BAD_REQUEST, &err);
    else if (which == BIND)
        print(reply, bind(e, &r));
    else
        answer_about_pod(e, which, &r, reply);
    request_close(&r);
    return true;
}
