/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions as objects of Kubernetes; see kubectl_object.h. */
#include "sim/ask/kubectl_object.h"

#include <string.h>

bool kubectl_is_name(const char *text, size_t n)
{
    bool inside = false; /* the last one was a letter or a digit */
    for (size_t i = 0; i < n; i++) {
        bool plain = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9');
        bool fits =
            text[i] == '-' ? inside || (i > 0 && text[i - 1] == '-') : text[i] == '.' && inside;
        if (!plain && !fits)
            return false;
        inside = plain;
    }
    return inside && n <= KUBECTL_NAME;
}

bool kubectl_space(const char *job_id, char space[KUBECTL_NAME + 1])
{
    const char *slash = strchr(job_id, '/');
    size_t n = slash ? (size_t)(slash - job_id) : 0;
    if (!kubectl_is_name(job_id, n))
        return false;
    memcpy(space, job_id, n);
    space[n] = '\0';
    return true;
}

bool kubectl_is_object(const struct policy_decision *decision)
{
    return decision->kind != POLICY_NOMINATE;
}

bool kubectl_describe(const struct dry_run *run, const struct policy_decision *decision,
                      struct kubectl_object *object, struct err *err)
{
    const struct snap_job *job = snap_facts_job(&run->facts, decision->job);
    const struct snap_task *task = snap_facts_task(&run->facts, decision->job, decision->task);
    *object = (struct kubectl_object){.evicts = decision->kind == POLICY_EVICT,
                                      .pod = task->id,
                                      .uid = task->uid,
                                      .node = snap_facts_node(&run->facts, decision->node)->name};
    if (!kubectl_space(job->id, object->space))
        return err_set(err, EXIT_INPUT,
                       "%s: the job '%.64s' has no namespace: expected NAMESPACE/NAME, as "
                       "'fauxfleet snapshot' "
                       "makes it of what kubectl prints",
                       run->s->file, job->id);
    if (!kubectl_is_name(task->id, strlen(task->id)) ||
        !kubectl_is_name(object->node, strlen(object->node)))
        return err_set(err, EXIT_INPUT,
                       "%s: the task '%.64s' of job '%.64s' or its node '%.64s' has a name that "
                       "Kubernetes does "
                       "not allow, expected lower-case letters, digits, '-' and '.', a letter or "
                       "digit at either end",
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
