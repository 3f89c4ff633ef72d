/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One metric a queue; see queues.h. */
#include "sim/gate/queues.h"

#include "report/gate/margins.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool is_parent(const struct scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->queue_count; i++)
        if (strcmp(scenario->queues[i].parent, name) == 0)
            return true;
    return false;
}

void gate_queues_take(struct gate_queues *queues, size_t scenario, const struct scenario *from)
{
    for (size_t i = 0; i < from->queue_count; i++) {
        const char *name = from->queues[i].name;
        if (is_parent(from, name))
            continue;
        queues->rows =
            mem_grow(queues->rows, &queues->capacity, queues->count + 1, sizeof *queues->rows);
        queues->rows[queues->count++] = (struct gate_queue){mem_text(name), scenario};
    }
}

/* Which scenarios have the queue of a metric; NULL when none is known to. */
static bool *scenarios_with(const struct gate_queues *queues, const struct gate *g,
                            const char *name, size_t length)
{
    bool *in = mem_alloc(g->scenario_count, sizeof *in), any = false;
    for (size_t i = 0; i < queues->count; i++) {
        const struct gate_queue *queue = &queues->rows[i];
        if (strlen(queue->name) == length && memcmp(queue->name, name, length) == 0)
            any = in[queue->scenario] = true;
    }
    if (any)
        return in;
    free(in);
    return NULL;
}

static bool is_first(const struct gate_queues *queues, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(queues->rows[k].name, queues->rows[i].name) == 0)
            return false;
    return true;
}

/* A metric for each queue, in the order in which scenarios name them. */
static void expand(const struct gate_queues *queues, struct gate *g,
                   const struct gate_metric *metric, const struct gate_scope *scope,
                   size_t *capacity)
{
    for (size_t i = 0; i < queues->count; i++) {
        const char *name = queues->rows[i].name;
        if (!is_first(queues, i))
            continue;
        g->metrics = mem_grow(g->metrics, capacity, g->metric_count + 1, sizeof *g->metrics);
        struct gate_metric *to = &g->metrics[g->metric_count++];
        *to = *metric;
        to->entry = metric->path;
        to->own = mem_format("%.*s%s.%s", (int)(scope->name - metric->path), metric->path, name,
                             scope->rest);
        to->path = to->own;
        to->in = scenarios_with(queues, g, name, strlen(name));
    }
}

bool gate_queues_expand(const struct gate_queues *queues, struct gate *g, struct err *err)
{
    struct gate_metric *given = g->metrics;
    size_t count = g->metric_count, capacity = 0;
    g->metrics = NULL;
    g->metric_count = 0;
    for (size_t m = 0; m < count; m++) {
        struct gate_scope scope = gate_scope_of(&given[m]);
        bool queue = scope.kind != NULL && strcmp(scope.kind, "queue") == 0;
        if (queue && scope.length == 1 && *scope.name == '*') {
            if (queues->count == 0)
                err_set(err, EXIT_INPUT,
                        "%s:%zu: metrics: '%.128s': no scenario of the suite names its queues: "
                        "expected the name of one",
                        g->suite_file, given[m].line, given[m].path);
            expand(queues, g, &given[m], &scope, &capacity);
            continue;
        }
        g->metrics = mem_grow(g->metrics, &capacity, g->metric_count + 1, sizeof *g->metrics);
        g->metrics[g->metric_count] = given[m];
        if (queue)
            g->metrics[g->metric_count].in = scenarios_with(queues, g, scope.name, scope.length);
        g->metric_count++;
    }
    free(given);
    return err->code == 0;
}

void gate_queues_free(struct gate_queues *queues)
{
    for (size_t i = 0; i < queues->count; i++)
        free(queues->rows[i].name);
    free(queues->rows);
    *queues = (struct gate_queues){0};
}
