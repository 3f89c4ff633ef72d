/* SPDX-License-Identifier: MIT */
/* A job's request; see request.h. */
#include "policies/adapters/slurm/request.h"

#include "policies/adapters/slurm/gres.h"

#include <stdio.h>
#include <string.h>

uint32_t request_label(struct request_world *world, const char *kind, const char *name)
{
    char key[160];
    (void)snprintf(key, sizeof key, "%s %.128s", kind, name);
    return names_number(&world->labels, key);
}

static bool no(const char **why, const char *text)
{
    *why = text;
    return false;
}

static bool empty(const char *text)
{
    return *text == '\0' || strcmp(text, "(null)") == 0;
}

/* Checks for Slurm requests that the core cannot express. */
static bool expressible(const struct view_job *job, const char **why)
{
    if (job->heterogeneous)
        return no(why, "heterogeneous jobs are not supported");
    if (!empty(job->gpus_per_socket))
        return no(why, "--gpus-per-socket is not supported");
    if (!empty(job->excluded_nodes))
        return no(why, "--exclude is not supported: use --constraint");
    if (!empty(job->reservation))
        return no(why, "reservations are not supported");
    if (!empty(job->licenses))
        return no(why, "licenses are not supported");
    return true;
}

struct wishes {
    struct gres job, node, task, cpus_per_gpu, mem_per_gpu;
};

static bool read_wishes(struct wishes *w, const struct view_job *job, const char **why)
{
    if (!gres_read(&w->job, job->gpus_per_job) || !gres_read(&w->node, job->gpus_per_node) ||
        !gres_read(&w->task, job->gpus_per_task) ||
        !gres_read(&w->cpus_per_gpu, job->cpus_per_gpu) ||
        !gres_read(&w->mem_per_gpu, job->mem_per_gpu))
        return no(why, "its generic resources cannot be read");
    if (w->job.other || w->node.other || w->task.other)
        return no(why, "of generic resources only gpu is supported");
    return true;
}

/* Derives GPUs per node and nodes from whatever was specified. */
static bool divide(struct request *r, const struct wishes *w, const struct view_job *job,
                   int32_t most, const char **why)
{
    int64_t nodes = job->nodes > 0 ? job->nodes : 1;
    int64_t all = w->job.gpus, each = w->node.gpus;
    if (all == 0 && w->task.gpus > 0)
        all = w->task.gpus * (job->tasks > 0 ? job->tasks : 1);
    if (each == 0 && w->task.gpus > 0 && job->tasks_per_node > 0)
        each = w->task.gpus * job->tasks_per_node;
    if (each == 0 && all > 0) {
        if (nodes == 1 && all > most && most > 0)
            nodes = (all + most - 1) / most;
        if (nodes > 1 && all != nodes * most)
            return no(why, "its GPUs do not say how many each node has: use --gpus-per-node");
        each = all / nodes;
    }
    if (nodes > UINT16_MAX || each > INT16_MAX)
        return no(why, "it asks for more than 65535 nodes, or 32767 GPUs on one");
    r->nodes = (uint32_t)nodes;
    r->gpus = (int32_t)each;
    return true;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Requests whole nodes if the core could otherwise place two parts of the gang, or another job, on
 * one node. */
static void beside(struct request *r, const struct wishes *w, const struct view_job *job,
                   const struct request_world *world)
{
    int64_t cpus = larger(job->cpus_per_node, (job->cpus + r->nodes - 1) / r->nodes);
    cpus = larger(larger(cpus, w->cpus_per_gpu.gpus * r->gpus), 1);
    int64_t mib = job->mem_mib * (job->mem_per_cpu ? cpus : 1);
    mib = larger(mib, w->mem_per_gpu.gpus * r->gpus);
    bool whole = job->exclusive || r->nodes > 1;
    if (whole && r->gpus > 0 && r->gpus < world->most_gpus)
        r->gpus = world->most_gpus;
    if (job->exclusive || (whole && r->gpus == 0))
        cpus = larger(cpus, world->most_cpus);
    r->cpu_milli = world->counts_cpus ? cpus * 1000 : 0;
    r->mem_mib = world->counts_memory ? mib : 0;
}

bool request_add_label(struct request *r, uint32_t label, const char **why)
{
    if (r->label_count == REQUEST_TERMS)
        return no(why, "it has more than 16 constraints");
    r->labels[r->label_count++] = label;
    return true;
}

/* Accepts "a" and "a&b"; the core cannot express Slurm's other feature expressions. */
static bool add_features(struct request *r, struct request_world *world, const char *features,
                         const char **why)
{
    char name[128];
    if (empty(features))
        return true;
    if (strpbrk(features, "|[]()*?!") != NULL)
        return no(why, "of constraints only A and A&B are supported");
    for (const char *rest = features; names_next(&rest, "&,", name, sizeof name) != NULL;)
        if (!request_add_label(r, request_label(world, "feature", name), why))
            return false;
    return true;
}

static bool add_type(struct request *r, struct request_world *world, const struct wishes *w,
                     const char **why)
{
    const char *type = *w->node.type ? w->node.type : *w->job.type ? w->job.type : w->task.type;
    if (*type == '\0' || r->gpus == 0)
        return true;
    uint32_t number = names_number(&world->types, type);
    if (number >= 64)
        return no(why, "there are more than 64 types of GPUs");
    r->types = UINT64_C(1) << number;
    return true;
}

bool request_of(struct request *r, struct request_world *world, const struct view_job *job,
                const char **why)
{
    struct wishes w;
    *r = (struct request){.nodes = 1};
    if (!expressible(job, why) || !read_wishes(&w, job, why) ||
        !divide(r, &w, job, world->most_gpus, why))
        return false;
    beside(r, &w, job, world);
    return add_type(r, world, &w, why) && add_features(r, world, job->features, why);
}

bool request_same(const struct request *a, const struct request *b)
{
    return a->nodes == b->nodes && a->gpus == b->gpus && a->cpu_milli == b->cpu_milli &&
           a->mem_mib == b->mem_mib && a->types == b->types && a->label_count == b->label_count &&
           memcmp(a->labels, b->labels, a->label_count * sizeof *a->labels) == 0;
}
