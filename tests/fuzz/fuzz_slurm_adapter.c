/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a configuration of the Slurm adapter, and as Slurm's text for generic resources and
 * arrays. An accepted configuration has parents before their children; numbers are in range.
 */
#include "policies/adapters/slurm/config.h"
#include "policies/adapters/slurm/gres.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define MOST_AMOUNT (INT64_C(1) << 40) /* accepted by the policy core */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool stands_before(const struct config *c, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(c->queues[k].name, c->queues[i].parent) == 0)
            return true;
    return *c->queues[i].parent == '\0';
}

static void check_share(const struct policy_share *share)
{
    BUG_ON(share->quota < POLICY_UNLIMITED || share->limit < POLICY_UNLIMITED || share->weight < 0);
    BUG_ON(share->quota > MOST_AMOUNT || share->limit > MOST_AMOUNT || share->weight > MOST_AMOUNT);
}

static void check(const struct config *c)
{
    struct policy_config core;
    char error[CONFIG_ERROR] = "";
    for (size_t i = 0; i < c->queue_count; i++) {
        const struct config_queue *queue = &c->queues[i];
        BUG_ON(!stands_before(c, i));
        check_share(&queue->gpu);
        check_share(&queue->cpu);
        check_share(&queue->mem);
        BUG_ON(queue->preempt_min_runtime_ms < POLICY_INHERIT ||
               queue->reclaim_min_runtime_ms < POLICY_INHERIT);
    }
    for (size_t i = 0; i < c->rule_count; i++)
        BUG_ON(c->rules[i].workload < POLICY_TRAIN || c->rules[i].workload > POLICY_INFERENCE);
    BUG_ON(!config_core(c, &core, error) && *error == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config c;
    struct gres gres;
    uint32_t tasks[4];
    char error[CONFIG_ERROR] = "";
    char *text = mem_text_n((const char *)data, size);
    if (config_parse(&c, "fuzz.json", text, size, error))
        check(&c);
    else
        BUG_ON(*error == '\0');
    config_fini(&c);
    BUG_ON(gres_read(&gres, text) && (gres.gpus < 0 || strlen(gres.type) >= GRES_TYPE));
    if (size < 64)
        BUG_ON(gres_array_tasks(text, tasks, 4) < -1);
    free(text);
    return 0;
}
