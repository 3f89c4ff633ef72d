/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shards, and the variables by which engines number their processes; see shard.h. */
#include "sim/study/shard.h"

#include "sim/base/text.h"

#include <string.h>

/*
 * In order of precedence: tasks of a Slurm array also have the variables of srun. Sources: man
 * pages of sbatch (22.05: SLURM_ARRAY_TASK_ID, _MIN, _STEP, _COUNT), srun (SLURM_PROCID,
 * SLURM_NTASKS) and parallel (PARALLEL_SEQ, from 1); Open MPI's mpirun; PMI of MPICH;
 * JOB_COMPLETION_INDEX of Kubernetes' indexed jobs, which have no variable for their number (our
 * manifests set JOB_COMPLETIONS).
 */
static const struct engine {
    const char *index, *first, *step, *count; /* names of variables; NULL: `from`, 1, not said */
    int from;
} engines[] = {
    {.index = "FAUXFLEET_SHARD_INDEX", .count = "FAUXFLEET_SHARD_TOTAL", .from = 0},
    {.index = "SLURM_ARRAY_TASK_ID",
     .first = "SLURM_ARRAY_TASK_MIN",
     .step = "SLURM_ARRAY_TASK_STEP",
     .count = "SLURM_ARRAY_TASK_COUNT"},
    {.index = "SLURM_PROCID", .count = "SLURM_NTASKS", .from = 0},
    {.index = "OMPI_COMM_WORLD_RANK", .count = "OMPI_COMM_WORLD_SIZE", .from = 0},
    {.index = "PMI_RANK", .count = "PMI_SIZE", .from = 0},
    {.index = "JOB_COMPLETION_INDEX", .count = "JOB_COMPLETIONS", .from = 0},
    {.index = "PARALLEL_SEQ", .from = 1},
};

#define ENGINES (sizeof engines / sizeof *engines)

static bool number(const char *text, size_t n, int64_t low, int64_t high, int64_t *value)
{
    return n > 0 && n < 12 && strspn(text, "0123456789") >= n && text_i64(text, n, value) &&
           *value >= low && *value <= high;
}

bool shard_is_auto(const char *text, size_t *count)
{
    int64_t n = 0;
    if (strncmp(text, "auto", 4) != 0 || (text[4] != '\0' && text[4] != '/'))
        return false;
    if (text[4] == '/' && !number(text + 5, strlen(text + 5), 1, SHARDS_MAX, &n))
        return false;
    *count = (size_t)n;
    return true;
}

/* A variable that is not there leaves the value as it is. */
static bool read_variable(const char *name, const char *(*variable)(const char *), int64_t *value,
                          struct err *err)
{
    const char *text = name != NULL ? variable(name) : NULL;
    if (text == NULL || number(text, strlen(text), 0, INT64_C(4000000000), value))
        return true;
    return err_set(err, EXIT_INPUT, "--shard auto: %s is '%.64s', expected a whole number", name,
                   text);
}

static bool from_engine(const struct engine *engine, size_t wanted,
                        const char *(*variable)(const char *), struct shard *shard, struct err *err)
{
    int64_t index = 0, first = engine->from, step = 1, count = 0;
    if (!read_variable(engine->index, variable, &index, err) ||
        !read_variable(engine->first, variable, &first, err) ||
        !read_variable(engine->step, variable, &step, err) ||
        !read_variable(engine->count, variable, &count, err))
        return false;
    if (count == 0 && wanted == 0)
        return err_set(
            err, EXIT_INPUT, "--shard auto: %s does not say of how many: give --shard auto/N%s%s",
            engine->index, engine->count ? ", or set " : "", engine->count ? engine->count : "");
    if (count != 0 && wanted != 0 && (size_t)count != wanted)
        return err_set(err, EXIT_INPUT, "--shard auto/%zu: but %s is %lld", wanted, engine->count,
                       (long long)count);
    count = count != 0 ? count : (int64_t)wanted;
    int64_t place = step > 0 ? (index - first) / step : -1;
    if (place < 0 || place >= count || count > SHARDS_MAX || (index - first) % step != 0)
        return err_set(err, EXIT_INPUT,
                       "--shard auto: %s is %lld, expected one of %lld values from %lld",
                       engine->index, (long long)index, (long long)count, (long long)first);
    *shard = (struct shard){(size_t)place, (size_t)count};
    return true;
}

/* srun and mpirun with one process, and batch scripts, number it too: it is no part of many then.
 */
static bool is_alone(const struct engine *engine, const char *(*variable)(const char *))
{
    const char *count = engine->count != NULL ? variable(engine->count) : NULL;
    return count != NULL && strcmp(count, "1") == 0;
}

static bool from_environment(size_t wanted, const char *(*variable)(const char *),
                             struct shard *shard, struct err *err)
{
    bool alone = false;
    for (size_t i = 0; i < ENGINES; i++) {
        if (variable(engines[i].index) == NULL)
            continue;
        if (!is_alone(&engines[i], variable))
            return from_engine(&engines[i], wanted, variable, shard, err);
        alone = true;
    }
    *shard = (struct shard){0, 1};
    if (alone && wanted <= 1)
        return true;
    return err_set(
        err, EXIT_INPUT,
        "--shard auto: nothing says which part this is, expected one of SLURM_ARRAY_TASK_ID, "
        "SLURM_PROCID, OMPI_COMM_WORLD_RANK, PMI_RANK, JOB_COMPLETION_INDEX, PARALLEL_SEQ and "
        "FAUXFLEET_SHARD_INDEX (from 0) in the environment%s",
        alone ? ", with more than one process" : "");
}

bool shard_parse(struct shard *shard, const char *text, const char *(*variable)(const char *),
                 struct err *err)
{
    size_t wanted;
    if (shard_is_auto(text, &wanted))
        return from_environment(wanted, variable, shard, err);
    const char *slash = strchr(text, '/');
    int64_t i = 0, n = 0;
    if (slash == NULL || !number(slash + 1, strlen(slash + 1), 1, SHARDS_MAX, &n) ||
        !number(text, (size_t)(slash - text), 1, n, &i))
        return err_set(
            err, EXIT_INPUT,
            "--shard '%.64s': expected i/n such as 2/5 (the second of five), auto or auto/n", text);
    *shard = (struct shard){(size_t)i - 1, (size_t)n};
    return true;
}
