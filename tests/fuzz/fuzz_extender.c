/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: what the extender for Kubernetes is sent. The first byte says which verb; each request goes to a cluster that
 * is there, and is answered with JSON, or with a line and a status that says whose fault it is.
 */
#include "policies/adapters/kubernetes/extender.h"
#include "scenarios/json_source.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char cluster[] =
    "{\"fauxfleet_snapshot\": 1, \"nodes\": [{\"name\": \"n1\", \"gpus\": 4}, {\"name\": \"n2\", \"gpus\": "
    "2, \"labels\": "
    "{\"taint a:NoSchedule\": \"\"}}], \"queues\": [{\"name\": \"ml\", \"gpu\": {\"quota\": 2000}}], "
    "\"jobs\": [{\"id\": "
    "\"ml/r\", \"queue\": \"ml\", \"tasks\": [{\"id\": \"r\", \"uid\": \"u\", \"state\": \"running\", "
    "\"node\": \"n1\", "
    "\"gpus\": 3}]}, {\"id\": \"ml/p\", \"queue\": \"ml\", \"tasks\": [{\"id\": \"p\", \"gpus\": 1}]}]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const verbs[] = {"filter", "prioritize", "preempt", "bind", "snapshot"};
    struct err err = {.msg = ""};
    struct extender_reply reply;
    if (size < 1)
        return 0;
    struct extender *e = extender_create(&(struct extender_options){.nodes = 4, .bindings = "/dev/null"});
    BUG_ON(!extender_state(e, "cluster", cluster, sizeof cluster - 1, &err));
    BUG_ON(!extender_answer(e, verbs[data[0] % 5], (const char *)data + 1, size - 1, &reply));
    if (reply.status == 200) {
        struct json_source answer;
        BUG_ON(!json_source_parse(&answer, "answer", reply.text, strlen(reply.text), &err));
        json_source_close(&answer);
    } else {
        BUG_ON(reply.status != 400 && reply.status != 503);
    }
    free(reply.text);
    extender_destroy(e);
    return 0;
}
