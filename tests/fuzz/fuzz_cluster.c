/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: descriptions of a cluster by its own tools. Accepted ones have sizes within bounds.
 */
#include "sim/base/mem.h"
#include "sim/init/cluster.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_accounts(const struct init_cluster *c)
{
    BUG_ON(c->account_count > INIT_ACCOUNTS);
    for (size_t i = 0; i < c->account_count; i++)
        BUG_ON(c->accounts[i].share < 0 || c->accounts[i].gpu_limit < -1 ||
               memchr(c->accounts[i].name, 0, sizeof c->accounts[i].name) == NULL);
}

static void check(const struct init_cluster *c)
{
    BUG_ON(c->kind_count > INIT_KINDS || c->factor_count > INIT_FACTORS || c->without_gpus < 0);
    for (size_t i = 0; i < c->kind_count; i++)
        BUG_ON(c->kinds[i].gpus < 1 || c->kinds[i].gpus > 64 || c->kinds[i].nodes < 1 ||
               strlen(c->kinds[i].type) >= GRES_TYPE);
    for (size_t i = 0; i < c->factor_count; i++)
        BUG_ON(c->factors[i].option == NULL || c->factors[i].value < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct init_cluster cluster = {0};
    struct err err = {0};
    char *text = mem_text_n((const char *)data, size);
    if (init_cluster_parse(&cluster, "fuzz", text, &err)) {
        check(&cluster);
        check_accounts(&cluster);
    } else {
        BUG_ON(err.code != EXIT_INPUT || strncmp(err.msg, "fuzz", 4) != 0);
    }
    init_cluster_fini(&cluster);
    free(text);
    return 0;
}
