/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions as objects of Kubernetes; see kubectl_plan.h. */
#include "sim/cli/kubectl_plan.h"

#include "sim/base/text.h"

#include <string.h>

#define MOST_NAME 253 /* bytes of a name in Kubernetes (DNS subdomain, RFC 1123) */

static const char *const forms[] = {[KUBECTL_LIST] = "kubectl", [KUBECTL_SCRIPT] = "kubectl-sh"};

bool kubectl_form(const char *name, enum kubectl_form *form, struct err *err)
{
    char hint[96];
    *form = KUBECTL_NONE;
    for (size_t i = KUBECTL_LIST; name && i <= KUBECTL_SCRIPT; i++)
        if (strcmp(name, forms[i]) == 0)
            *form = (enum kubectl_form)i;
    if (!name || *form != KUBECTL_NONE)
        return true;
    text_suggest(hint, sizeof hint, name, forms + KUBECTL_LIST, 2, sizeof *forms);
    return err_set(err, EXIT_INPUT, "--emit: '%.40s', expected kubectl or kubectl-sh%s", name, hint);
}

/* Names joined with '.', each of lower-case letters, digits and '-' inside: no shell or path takes it for more. */
static bool is_name(const char *text, size_t n)
{
    bool inside = false; /* the last one was a letter or a digit */
    for (size_t i = 0; i < n; i++) {
        bool plain = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9');
        bool fits = text[i] == '-' ? inside || (i > 0 && text[i - 1] == '-') : text[i] == '.' && inside;
        if (!plain && !fits)
            return false;
        inside = plain;
    }
    return inside && n <= MOST_NAME;
}

/* The namespace goes to `space`; all other texts are the snapshot's. */
static bool describe(const struct dry_run *run, const struct policy_decision *decision,
                     struct kubectl_object *object, char space[MOST_NAME + 1], struct err *err)
{
    const struct snap_job *job = snap_facts_job(&run->facts, decision->job);
    const struct snap_task *task = snap_facts_task(&run->facts, decision->job, decision->task);
    const char *slash = strchr(job->id, '/');
    size_t n = slash ? (size_t)(slash - job->id) : 0;
    *object = (struct kubectl_object){.evicts = decision->kind == POLICY_EVICT,
                                      .space = space,
                                      .pod = task->id,
                                      .uid = task->uid,
                                      .node = snap_facts_node(&run->facts, decision->node)->name};
    if (!is_name(job->id, n))
        return err_set(
            err, EXIT_INPUT,
            "%s: the job '%.64s' has no namespace: expected NAMESPACE/NAME, as 'fauxfleet snapshot' "
            "makes it of what kubectl prints",
            run->s->file, job->id);
    memcpy(space, job->id, n);
    space[n] = '\0';
    if (!is_name(task->id, strlen(task->id)) || !is_name(object->node, strlen(object->node)))
        return err_set(
            err, EXIT_INPUT,
            "%s: the task '%.64s' of job '%.64s' or its node '%.64s' has a name that Kubernetes does "
            "not allow, expected lower-case letters, digits, '-' and '.', a letter or digit at either end",
            run->s->file, task->id, job->id, object->node);
    return true;
}

static void print_metadata(const struct kubectl_object *object, bool uid, struct json *j)
{
    json_begin_object(j, "metadata");
    json_text(j, "name", object->pod);
    json_text(j, "namespace", object->space);
    if (uid)
        json_text(j, "uid", object->uid);
    json_end_object(j);
}

void kubectl_print_object(const struct kubectl_object *object, struct json *j)
{
    bool uid = *object->uid != '\0';
    int indent = j->indent;
    json_begin_object(j, NULL);
    j->indent = 0;
    json_text(j, "apiVersion", object->evicts ? "policy/v1" : "v1");
    json_text(j, "kind", object->evicts ? "Eviction" : "Binding");
    print_metadata(object, uid && !object->evicts, j);
    if (!object->evicts) {
        json_begin_object(j, "target");
        json_text(j, "apiVersion", "v1");
        json_text(j, "kind", "Node");
        json_text(j, "name", object->node);
        json_end_object(j);
    } else if (uid) {
        json_begin_object(j, "deleteOptions");
        json_begin_object(j, "preconditions");
        json_text(j, "uid", object->uid);
        json_end_object(j);
        json_end_object(j);
    }
    json_end_object(j);
    j->indent = indent;
}

/* A nomination is a promise that the API server is not told: the pod is bound by a later plan. */
static bool is_object(const struct policy_decision *decision)
{
    return decision->kind != POLICY_NOMINATE;
}

static bool print_list(const struct dry_run *run, struct out *out, struct err *err)
{
    struct json j;
    struct kubectl_object object;
    char space[MOST_NAME + 1];
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_text(&j, "apiVersion", "v1");
    json_text(&j, "kind", "List");
    json_begin_array(&j, "items");
    for (size_t i = 0; i < run->decision_count; i++) {
        if (!is_object(&run->decisions[i]))
            continue;
        if (!describe(run, &run->decisions[i], &object, space, err))
            return false;
        kubectl_print_object(&object, &j);
    }
    json_end_array(&j);
    json_end_object(&j);
    out_char(out, '\n');
    return true;
}

static bool print_script(const struct dry_run *run, struct out *out, struct err *err)
{
    out_text(out, "#!/bin/sh\nset -e\n");
    for (size_t i = 0; i < run->decision_count; i++) {
        struct kubectl_object object;
        char space[MOST_NAME + 1];
        struct json j;
        if (!is_object(&run->decisions[i]))
            continue;
        if (!describe(run, &run->decisions[i], &object, space, err))
            return false;
        out_format(out, "kubectl create --raw /api/v1/namespaces/%s/pods/%s/%s -f - <<'END'\n", object.space,
                   object.pod, object.evicts ? "eviction" : "binding");
        json_init(&j, out, 0);
        kubectl_print_object(&object, &j);
        out_text(out, "\nEND\n");
    }
    return true;
}

static void note_unsaid(const struct dry_run *run)
{
    size_t nominated = 0, parts = 0, evicted = 0;
    for (size_t i = 0; i < run->decision_count; i++) {
        const struct policy_decision *decision = &run->decisions[i];
        const struct snap_task *task = snap_facts_task(&run->facts, decision->job, decision->task);
        nominated += decision->kind == POLICY_NOMINATE;
        evicted += decision->kind == POLICY_EVICT;
        parts += decision->kind == POLICY_START &&
                 (task->request.device_mem_mib > 0 ||
                  (task->request.device_milli > 0 && task->request.device_milli < POLICY_WHOLE));
    }
    if (nominated > 0)
        cli_note(
            "%zu tasks are nominated to what is being released, which is no object: decide again on a new "
            "snapshot when it is free",
            nominated);
    if (evicted > 0)
        cli_note("%zu pods are evicted: only what their controllers make anew comes back, under other names",
                 evicted);
    if (parts > 0)
        cli_note("%zu tasks share a GPU: a Binding names the node, and who hands out devices chooses which",
                 parts);
}

bool kubectl_plan(const struct dry_run *run, enum kubectl_form form, struct out *out, struct err *err)
{
    struct out *text = out_memory();
    bool ok = form == KUBECTL_LIST ? print_list(run, text, err) : print_script(run, text, err);
    if (ok) {
        size_t n;
        const char *bytes = out_memory_text(text, &n);
        out_bytes(out, bytes, n);
        note_unsaid(run);
    }
    out_discard(text);
    return ok;
}
