/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario for a log; see proposal.h. */
#include "sim/init/proposal.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILLED 0.8 /* of the GPUs, by the GPU time of a log without starts */
#define HOUR   3600000

void init_guess(struct init_proposal *p, char *sentence)
{
    BUG_ON(p->guess_count == INIT_GUESSES);
    p->guesses[p->guess_count++] = sentence;
}

/* ---- pools ---- */

static bool is_taken(const struct init_proposal *p, const char *name)
{
    for (size_t i = 0; i < p->pool_count; i++)
        if (strcmp(p->pools[i].name, name) == 0)
            return true;
    return false;
}

struct init_pool *init_pool(struct init_proposal *p, const char *name)
{
    BUG_ON(p->pool_count == INIT_POOLS);
    char *own = mem_text(name);
    for (int i = 2; is_taken(p, own); i++) {
        free(own);
        own = mem_format("%s-%d", name, i);
    }
    struct init_pool *pool = &p->pools[p->pool_count++];
    *pool = (struct init_pool){.name = own};
    return pool;
}

int64_t init_gpus(const struct init_proposal *p)
{
    int64_t gpus = 0;
    for (size_t i = 0; i < p->pool_count; i++)
        gpus += p->pools[i].gpus * p->pools[i].nodes;
    return gpus;
}

static int64_t node_size(const struct init_log *log)
{
    int64_t size = 1;
    if (log->most_per_task == 0)
        return 8;
    while (size < log->most_per_task)
        size *= 2;
    return size;
}

static int64_t up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit;
}

/* GPUs in thousandths that the jobs of a type need. */
static int64_t capacity_of(const struct init_log *log, const struct init_use *use)
{
    double span_ms = (double)(log->last_ms - log->first_ms);
    int64_t milli = use->peak;
    if (!init_log_has_starts(log) && span_ms >= HOUR) {
        double filled = ceil(use->gpu_ms / span_ms / FILLED) * 1000;
        if (filled < (double)milli)
            milli = (int64_t)filled;
    }
    return milli > use->largest ? milli : use->largest;
}

static const char *node_of(const struct init_proposal *p, const char *type, int64_t gpus)
{
    for (size_t i = 0; i < p->catalogue_count; i++)
        if (p->catalogue[i].gpus == gpus && strcmp(p->catalogue[i].gpu_type, type) == 0)
            return p->catalogue[i].name;
    return NULL;
}

/* The type with the most GPU time; the first of equal ones. */
static uint32_t main_type(const struct init_log *log)
{
    uint32_t most = INIT_ANY;
    for (uint32_t i = 0; i < INIT_TYPES; i++)
        if (log->uses[i].jobs > 0 &&
            (most == INIT_ANY || log->uses[i].gpu_ms > log->uses[most].gpu_ms))
            most = i;
    return most;
}

static struct init_use sum_of(const struct init_use *a, const struct init_use *b)
{
    return (struct init_use){.jobs = a->jobs + b->jobs,
                             .gpu_ms = a->gpu_ms + b->gpu_ms,
                             .peak = a->peak + b->peak,
                             .largest = a->largest > b->largest ? a->largest : b->largest};
}

const struct scen_node *init_node(const struct scen_node *catalogue, size_t count, const char *name,
                                  struct err *err)
{
    char hint[64];
    for (size_t i = 0; i < count; i++)
        if (strcmp(catalogue[i].name, name) == 0)
            return &catalogue[i];
    err_set(err, EXIT_INPUT, "--node: unknown node '%.64s' (see 'list nodes')%s", name,
            text_suggest(hint, sizeof hint, name, &catalogue[0].name, count, sizeof *catalogue));
    return NULL;
}

/* The pool of a log without types, as given by the user. */
static bool known_node(const struct init_proposal *p, const char *name, struct init_pool *pool,
                       struct err *err)
{
    const struct scen_node *node = init_node(p->catalogue, p->catalogue_count, name, err);
    if (node == NULL)
        return false;
    pool->node = node->name;
    pool->gpus = node->gpus;
    return true;
}

static void describe_node(struct init_proposal *p, const struct init_log *log,
                          struct init_pool *pool)
{
    pool->gpus = node_size(log);
    init_guess(p, log->most_per_task > 0
                      ? mem_format("nodes have %lld GPUs, enough for the largest task",
                                   (long long)pool->gpus)
                      : mem_text("nodes have 8 GPUs: the log does not say"));
    if (pool->type == NULL)
        init_guess(
            p, mem_text("the log names no GPU types: without --node there are no speeds, prices "
                        "and fabric"));
    else
        pool->node = node_of(p, pool->type, pool->gpus);
}

static bool add_pool(struct init_proposal *p, const struct init_log *log, const char *type,
                     const struct init_use *use, const struct init_known *known, struct err *err)
{
    struct init_pool *pool = init_pool(p, type != NULL ? type : "gpu");
    pool->type = type;
    if (known->node == NULL && p->pool_count == 1)
        describe_node(p, log, pool);
    else if (known->node != NULL && !known_node(p, known->node, pool, err))
        return false;
    else if (known->node == NULL) {
        pool->gpus = node_size(log);
        pool->node = node_of(p, type, pool->gpus);
    }
    pool->nodes = known->nodes > 0 ? known->nodes : up(capacity_of(log, use), pool->gpus * 1000);
    return true;
}

/* What the user gave must be consistent with the log. */
static bool check_known(const struct init_log *log, const struct init_known *known, struct err *err)
{
    int types = 0;
    for (int i = 0; i < INIT_TYPES; i++)
        types += log->uses[i].jobs > 0;
    if (known->node != NULL && types > 0)
        return err_set(err, EXIT_INPUT,
                       "--node: the log names its GPU types (%d), which choose the nodes", types);
    if (known->nodes > 0 && types > 1)
        return err_set(err, EXIT_INPUT, "--nodes: the log has %d GPU types, each with a pool",
                       types);
    return true;
}

static void guess_sizes(struct init_proposal *p, const struct init_log *log,
                        const struct init_known *known)
{
    size_t in_place = 0;
    for (size_t i = 0; i < p->pool_count; i++)
        in_place += p->pools[i].type != NULL && p->pools[i].node == NULL;
    if (in_place > 0)
        init_guess(p, mem_format("GPU types without a node of that size in the catalogue: %zu, "
                                 "described in place, without speeds, prices and fabric",
                                 in_place));
    if (known->nodes > 0)
        return;
    init_guess(p,
               init_log_has_starts(log)
                   ? mem_text("pools have as many GPUs as were busy at one time")
                   : mem_text("the log has no starts: pools are so large that its GPU time fills "
                              "80 % of them, or all jobs run at once"));
}

static bool add_pools(struct init_proposal *p, const struct init_log *log,
                      const struct init_known *known, struct err *err)
{
    uint32_t most = main_type(log);
    const struct init_use *any = &log->uses[INIT_ANY];
    if (most == INIT_ANY && !add_pool(p, log, NULL, any, known, err))
        return false;
    for (uint32_t i = 0; i < INIT_TYPES && most != INIT_ANY; i++) {
        struct init_use use = i == most ? sum_of(&log->uses[i], any) : log->uses[i];
        const char *type = use.jobs > 0 ? symbols_name(log->sink.names.gpu_types, i) : NULL;
        if (type != NULL && !add_pool(p, log, type, &use, known, err))
            return false;
    }
    guess_sizes(p, log, known);
    return true;
}

/* ---- queues ---- */

static int by_remainder(const void *a, const void *b)
{
    const struct init_queue *x = *(struct init_queue *const *)a;
    const struct init_queue *y = *(struct init_queue *const *)b;
    double rx = x->gpu_ms - floor(x->gpu_ms), ry = y->gpu_ms - floor(y->gpu_ms);
    if (rx != ry)
        return rx > ry ? -1 : 1;
    return (x > y) - (x < y); /* places in one array: the log's order */
}

/* Turns gpu_ms of the queues into their exact share of the GPUs, and rounds it, keeping the sum. */
static void divide(struct init_proposal *p, int64_t gpus, double total)
{
    struct init_queue **order = mem_alloc(p->queue_count + 1, sizeof *order);
    int64_t rest = gpus;
    for (size_t i = 0; i < p->queue_count; i++) {
        struct init_queue *queue = &p->queues[i];
        queue->gpu_ms = total > 0 ? queue->gpu_ms / total * (double)gpus : 0;
        queue->quota = (int64_t)floor(queue->gpu_ms);
        rest -= queue->quota;
        order[i] = queue;
    }
    qsort(order, p->queue_count, sizeof *order, by_remainder);
    for (size_t i = 0; i < p->queue_count && rest > 0; i++, rest--)
        order[i]->quota++;
    free(order);
}

/* The account of that name; NULL none. */
static const struct init_account *account_of(const struct init_cluster *cluster, const char *name)
{
    for (size_t i = 0; cluster != NULL && i < cluster->account_count; i++)
        if (strcmp(cluster->accounts[i].name, name) == 0)
            return &cluster->accounts[i];
    return NULL;
}

/* Limits of accounts, and their shares in place of GPU time if all queues that used GPUs have one;
 * returns true in this case. */
static bool ask_accounts(struct init_proposal *p, const struct init_cluster *cluster)
{
    bool all = p->queue_count > 0;
    for (size_t i = 0; i < p->queue_count; i++) {
        const struct init_account *account = account_of(cluster, p->queues[i].name);
        p->queues[i].limit = account != NULL ? account->gpu_limit : -1;
        all = all && account != NULL && (account->share > 0 || p->queues[i].gpu_ms <= 0);
    }
    for (size_t i = 0; all && i < p->queue_count; i++)
        p->queues[i].gpu_ms = (double)account_of(cluster, p->queues[i].name)->share;
    return all;
}

static void add_queues(struct init_proposal *p, const struct init_log *log,
                       const struct init_cluster *cluster)
{
    double total = 0;
    p->queue_count = symbols_count(log->sink.names.queues);
    p->queues = mem_alloc(p->queue_count + 1, sizeof *p->queues);
    for (uint32_t i = 0; i < p->queue_count; i++) {
        p->queues[i].name = symbols_name(log->sink.names.queues, i);
        p->queues[i].gpu_ms = i < log->queue_capacity ? log->queue_gpu_ms[i] : 0;
    }
    bool shares = ask_accounts(p, cluster);
    for (size_t i = 0; i < p->queue_count; i++)
        total += p->queues[i].gpu_ms;
    divide(p, init_gpus(p), total);
    init_guess(p, mem_text(shares ? "quotas divide the GPUs by the shares of the accounts"
                                  : "quotas divide the GPUs by the GPU time of each queue"));
}

/* ---- the rest ---- */

static void choose_policy(struct init_proposal *p, const struct init_log *log)
{
    bool limits = log->limited * 2 > log->gpu_jobs;
    p->policy = limits ? "easy" : "fifo";
    p->skips = !limits;
    init_guess(p,
               mem_text(limits ? "policy easy: most jobs declare a time limit, which backfill needs"
                               : "policy fifo without blocking: jobs declare no time limits"));
}

bool init_propose(struct init_proposal *p, const struct init_log *log,
                  const struct init_known *known, struct err *err)
{
    *p = (struct init_proposal){0};
    if (log->gpu_jobs == 0)
        return err_set(err, EXIT_INPUT, "the log has no jobs with GPUs");
    bool described = known->cluster != NULL && known->cluster->kind_count > 0;
    if ((!described && !check_known(log, known, err)) ||
        !catalog_nodes(&p->catalogue, &p->catalogue_count, err))
        return false;
    if (!(described ? init_propose_fleet : add_pools)(p, log, known, err))
        return false;
    add_queues(p, log, known->cluster);
    if (!init_propose_weights(p, known->cluster))
        choose_policy(p, log);
    int64_t hours = (log->last_ms - log->first_ms) / HOUR / 10;
    p->warmup_h = hours < 24 ? hours : 24;
    if (p->warmup_h > 0)
        init_guess(p, mem_format("jobs of the first %lld h do not count: the cluster begins empty",
                                 (long long)p->warmup_h));
    return true;
}

void init_proposal_fini(struct init_proposal *p)
{
    for (size_t i = 0; i < p->guess_count; i++)
        free(p->guesses[i]);
    for (size_t i = 0; i < p->pool_count; i++)
        free(p->pools[i].name);
    free(p->queues);
    if (p->catalogue != NULL)
        catalog_free(p->catalogue, p->catalogue_count);
}
