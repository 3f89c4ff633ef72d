/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions as objects of Kubernetes; see kubectl_plan.h. */
#include "sim/ask/kubectl_plan.h"

#include "sim/ask/kubectl_object.h"
#include "sim/ask/kubectl_script.h"
#include "sim/base/text.h"

#include <string.h>

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
    return err_set(err, EXIT_INPUT, "--emit: '%.40s', expected kubectl or kubectl-sh%s", name,
                   hint);
}

static bool print_list(const struct dry_run *run, struct out *out, struct err *err)
{
    struct json j;
    struct kubectl_object object;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_text(&j, "apiVersion", "v1");
    json_text(&j, "kind", "List");
    json_begin_array(&j, "items");
    for (size_t i = 0; i < run->decision_count; i++) {
        if (!kubectl_is_object(&run->decisions[i]))
            continue;
        if (!kubectl_describe(run, &run->decisions[i], &object, err))
            return false;
        kubectl_print_object(&object, &j);
    }
    json_end_array(&j);
    json_end_object(&j);
    out_char(out, '\n');
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
        cli_note("%zu tasks are nominated to devices that are being released, for which there is "
                 "no object: decide again on a new "
                 "snapshot when it is free",
                 nominated);
    if (evicted > 0)
        cli_note("%zu pods are evicted: only pods that a controller recreates come back, under "
                 "other names",
                 evicted);
    if (parts > 0)
        cli_note("%zu tasks share a GPU: a Binding names the node, and the device plugin chooses "
                 "the GPU",
                 parts);
}

bool kubectl_plan(const struct dry_run *run, enum kubectl_form form, struct out *out,
                  struct err *err)
{
    struct out *text = out_memory();
    bool ok = form == KUBECTL_LIST ? print_list(run, text, err) : kubectl_script(run, text, err);
    if (ok) {
        size_t n;
        const char *bytes = out_memory_text(text, &n);
        out_bytes(out, bytes, n);
        note_unsaid(run);
    }
    out_discard(text);
    return ok;
}
