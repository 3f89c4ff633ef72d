/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that identify non-trace tables, and keys that identify such objects; see non_traces.h. */
#include "traces/non_traces.h"

#include <string.h>

/* The first row whose column is in the header decides. */
static const struct row {
    const char *name, *what;
} rows[] = {
    {"cdf_percent", "a distribution"},
    {"share_percent", "a distribution"},
    {"ContextTokens", "requests to a language model"},
    {"predict_type", "requests to an image generation service"},
    {"ASW", "a list of hosts and their places in a network"},
    {"sn", "a list of nodes"},
    {"cap_gpu", "a list of machines"},
    {"machineId", "a list of machines"},
    {"gpu_capacity_num", "a list of nodes"},
    {"total_gpus", "a list of pools"},
    {"gpus_per_node", "sizes of virtual clusters"},
    {"node num", "sizes of virtual clusters"},
    {"date", "sizes of virtual clusters by day"},
    {"runtime", "run times alone, without arrivals and sizes"},
    {"step_time", "measured speeds of a model"},
    {"grad_sqr", "measured gradients of a model"},
    {"avg_run_time_gpu", "a summary of clusters"},
    {"worker_name", "instances of PAI's tasks; pai_task_table.csv is read"},
    {"inst_id", "PAI's jobs without their sizes; pai_task_table.csv is read, this"
                " one beside it with option jobs"},
    {"metric", "percentiles of a metric"},
    {"quantile", "quantiles"},
    {"duration_seconds", "quantiles"},
    {"hour", "figures by hour"},
    {"completed_percent", "shares of states"},
    {"jobs", "numbers of jobs"},
    {"cum_share", "shares of organizations"},
    {"organization", "shares of organizations"},
};

/* The first row whose key, quoted, is in the head of the object decides. */
static const struct row keys[] = {
    {"\"fauxfleet_snapshot\"", "a snapshot of a cluster; decide, explain and whatif read it"},
    {"\"fauxfleet_scenario\"", "a scenario; run reads it"},
    {"\"apiVersion\"", "objects of Kubernetes; the command snapshot reads them"},
    {"\"slurm\"", "the state of a Slurm cluster; the command snapshot reads it"},
    {"\"Slurm\"", "the state of a Slurm cluster; the command snapshot reads it"},
    {"\"job_state\"", "the state of a Slurm cluster; the command snapshot reads it"},
};

static bool is_end(char c)
{
    return c == ',' || c == '\r' || c == '\n';
}

static bool has(const char *line, size_t n, const char *column)
{
    size_t length = strlen(column);
    for (size_t at = 0; at + length <= n; at++) {
        bool begins = at == 0 || line[at - 1] == ',';
        bool ends = at + length == n || is_end(line[at + length]);
        if (begins && ends && memcmp(line + at, column, length) == 0)
            return true;
    }
    return false;
}

const char *non_trace_table(const char *line, size_t n)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (has(line, n, rows[i].name))
            return rows[i].what;
    }
    return NULL;
}

static bool contains(const char *text, size_t n, const char *part)
{
    size_t length = strlen(part);
    for (size_t at = 0; at + length <= n; at++)
        if (memcmp(text + at, part, length) == 0)
            return true;
    return false;
}

const char *non_trace_object(const char *head, size_t n)
{
    for (size_t i = 0; n > 0 && head[0] == '{' && i < sizeof keys / sizeof *keys; i++)
        if (contains(head, n, keys[i].name))
            return keys[i].what;
    return NULL;
}

/* The position after the word at the start of the text; n if the text begins otherwise. */
static size_t behind(const char *text, size_t n, size_t at, const char *word)
{
    size_t length = strlen(word);
    return at + length < n && memcmp(text + at, word, length) == 0 ? at + length : n;
}

bool non_trace_sacct(const char *line, size_t n)
{
    size_t at = 0;
    while (at < n && line[at] == ' ')
        at++;
    size_t end = behind(line, n, at, "JobIDRaw");
    if (end == n)
        end = behind(line, n, at, "JobID");
    if (end == n)
        return false;
    return line[end] == ' ' || (line[end] == '|' && !contains(line, n, "|Submit"));
}
