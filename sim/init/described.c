/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools and policy of a cluster that describes itself; see proposal.h.
 *
 * A GPU type matches one of the catalogue if it contains all words of the catalogue's name:
 * "NVIDIA-H100-80GB-HBM3" is h100, "nvidia_a100_pcie" is a100-pcie rather than a100. The node is
 * then the catalogue's node of that type and size; of two, the one whose memory the type names
 * ("40gb"). The name in the log takes precedence: if jobs request a type under another name than
 * the catalogue's, the node is described in place under their name.
 */
#include "sim/base/mem.h"
#include "sim/init/proposal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SEPARATORS "-_ ./"

/* ---- GPU types ---- */

/* True if one of the words of the text is this word, in any case. */
static bool has_word(const char *text, const char *word, size_t n)
{
    for (; *text != '\0'; text += strspn(text, SEPARATORS)) {
        size_t length = strcspn(text, SEPARATORS);
        if (length == n && strncasecmp(text, word, n) == 0)
            return true;
        text += length;
    }
    return false;
}

/* Words of the catalogue's type, if the text has all of them; else 0. */
static int words_of(const char *text, const char *type)
{
    int words = 0;
    for (; *type != '\0'; type += strspn(type, SEPARATORS)) {
        size_t n = strcspn(type, SEPARATORS);
        if (!has_word(text, type, n))
            return 0;
        words++;
        type += n;
    }
    return words;
}

static bool says_memory(const char *text, const struct scen_node *node)
{
    char memory[24];
    int n = snprintf(memory, sizeof memory, "%" PRId64 "gb", node->gpu_mem_mib >> 10);
    return has_word(text, memory, (size_t)n);
}

/* The node of that type and size; NULL none. */
static const struct scen_node *find_node(const struct init_proposal *p, const char *type,
                                         int64_t gpus)
{
    const struct scen_node *best = NULL;
    int most = 0;
    for (size_t i = 0; i < p->catalogue_count; i++) {
        const struct scen_node *node = &p->catalogue[i];
        int fits = node->gpus == gpus ? 2 * words_of(type, node->gpu_type) : 0;
        fits += fits > 0 && says_memory(type, node);
        if (fits > most) {
            most = fits;
            best = node;
        }
    }
    return best;
}

/* ---- pools ---- */

/* True if jobs of the log request the type by this name. */
static bool is_asked(const struct init_log *log, const char *type)
{
    uint32_t id =
        log == NULL ? SYMBOL_NONE : symbols_find(log->sink.names.gpu_types, type, strlen(type));
    return id < INIT_TYPES && log->uses[id].jobs > 0;
}

static void add_kind(struct init_proposal *p, const struct init_log *log,
                     const struct init_kind *kind)
{
    struct init_pool *pool = init_pool(p, *kind->type != '\0' ? kind->type : "gpu");
    const struct scen_node *node = find_node(p, kind->type, kind->gpus);
    pool->type = *kind->type != '\0' ? kind->type : NULL;
    pool->gpus = kind->gpus;
    pool->nodes = kind->nodes;
    if (node != NULL && (strcmp(node->gpu_type, kind->type) == 0 || !is_asked(log, kind->type)))
        pool->node = node->name;
}

/* The kind of node given by the user, for the one pool with an unknown GPU type. */
static bool name_node(struct init_proposal *p, const char *name, struct err *err)
{
    struct init_pool *pool = &p->pools[0];
    const struct scen_node *node = init_node(p->catalogue, p->catalogue_count, name, err);
    if (node == NULL)
        return false;
    if (p->pool_count > 1 || pool->node != NULL)
        return err_set(err, EXIT_INPUT, "--node: the cluster says which nodes it has");
    if (node->gpus != pool->gpus)
        return err_set(err, EXIT_INPUT, "--node: %s has %d GPUs, the nodes of the cluster %" PRId64,
                       name, node->gpus, pool->gpus);
    pool->node = node->name;
    return true;
}

/* The name in the fleet for a GPU type of the log. */
static const char *type_of(const struct init_proposal *p, const struct init_pool *pool)
{
    for (size_t i = 0; pool->node != NULL && i < p->catalogue_count; i++)
        if (strcmp(p->catalogue[i].name, pool->node) == 0)
            return p->catalogue[i].gpu_type;
    return pool->type != NULL ? pool->type : "";
}

static bool has_type(const struct init_proposal *p, const char *type)
{
    for (size_t i = 0; i < p->pool_count; i++)
        if (strcmp(type_of(p, &p->pools[i]), type) == 0)
            return true;
    return false;
}

/* Jobs of a type that the cluster does not have are rejected. */
static void guess_missing_types(struct init_proposal *p, const struct init_log *log)
{
    uint64_t jobs = 0;
    for (uint32_t i = 0; i < INIT_TYPES; i++)
        if (log->uses[i].jobs > 0 && !has_type(p, symbols_name(log->sink.names.gpu_types, i)))
            jobs += log->uses[i].jobs;
    if (jobs > 0)
        init_guess(p, mem_format("jobs that want a GPU type which no node has, and are rejected: "
                                 "%" PRIu64,
                                 jobs));
}

static void guess_nodes(struct init_proposal *p, const struct init_cluster *cluster)
{
    size_t in_place = 0;
    for (size_t i = 0; i < p->pool_count; i++)
        in_place += p->pools[i].node == NULL;
    if (in_place > 0)
        init_guess(p, mem_format("kinds of nodes that are not in the catalogue under the names of "
                                 "the log: %zu, described in place, without speeds, prices and "
                                 "fabric",
                                 in_place));
    if (cluster->without_gpus > 0)
        init_guess(p,
                   mem_format("nodes without GPUs are left out: %" PRId64, cluster->without_gpus));
}

bool init_propose_fleet(struct init_proposal *p, const struct init_log *log,
                        const struct init_known *known, struct err *err)
{
    const struct init_cluster *cluster = known->cluster;
    if (known->nodes > 0)
        return err_set(err, EXIT_INPUT, "--nodes: the cluster says how many it has");
    for (size_t i = 0; i < cluster->kind_count; i++)
        add_kind(p, log, &cluster->kinds[i]);
    if (known->node != NULL && !name_node(p, known->node, err))
        return false;
    guess_nodes(p, cluster);
    if (log != NULL)
        guess_missing_types(p, log);
    return true;
}

/* ---- policy ---- */

bool init_propose_weights(struct init_proposal *p, const struct init_cluster *cluster)
{
    if (cluster == NULL || cluster->factor_count == 0)
        return false;
    p->policy = "slurm";
    p->cluster = cluster;
    return true;
}
