/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in words, by rules and tables; see labels.h. */
#include "report/words/labels.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of a path, up to a dot. */
struct part {
    const char *at;
    size_t n;
};

static bool next_part(const char **path, struct part *part)
{
    *part = (struct part){*path, strcspn(*path, ".")};
    *path += part->n + ((*path)[part->n] == '.');
    return part->n > 0;
}

static bool is(struct part part, const char *text)
{
    return part.n == strlen(text) && strncmp(part.at, text, part.n) == 0;
}

struct word {
    const char *name, *words;
};

/* Parts that are replaced as a whole. */
static const struct word wholes[] = {
    {"jct_s", "time to completion"},
    {"queue_s", "time in the queue"},
    {"p50", "median"},
    {"gpu_hours", "GPU-hours"},
    {"wait_gpu_h_weighted_s", "wait, weighted by GPU-hours"},
    {"jain", "Jain's index"},
    {"gini", "Gini's index"},
    {"sm", "SM activity"},
};

/* Words between underscores. A unit at the end of a longer name is dropped; the value has it. */
static const struct word words[] = {
    {"usd", "USD"},   {"gpu", "GPU"},         {"gpus", "GPUs"},     {"cpu", "CPU"},
    {"kwh", "kWh"},   {"gib", "GiB"},         {"mem", "memory"},    {"mib", "MiB"},
    {"ettr", "ETTR"}, {"mttf", "MTTF"},       {"nvlink", "NVLink"}, {"mig", "MIG"},
    {"id", "id"},     {"ppm", "per million"},
};

static const char *find(const struct word *rows, size_t count, struct part part)
{
    for (size_t i = 0; i < count; i++)
        if (is(part, rows[i].name))
            return rows[i].words;
    return NULL;
}

static void put_words(struct out *out, struct part part)
{
    const char *whole = find(wholes, sizeof wholes / sizeof *wholes, part);
    if (whole != NULL) {
        out_text(out, whole);
        return;
    }
    for (size_t at = 0; at < part.n;) {
        struct part word = {part.at + at, 0};
        while (at + word.n < part.n && word.at[word.n] != '_')
            word.n++;
        bool last = at + word.n == part.n;
        const char *better = find(words, sizeof words / sizeof *words, word);
        if (last && at > 0 && is(word, "s"))
            return;
        bool hour = at > 0 && is(word, "h");
        out_text(out, at == 0 ? "" : hour ? "-" : " ");
        if (better != NULL)
            out_text(out, better);
        else
            out_bytes(out, word.at, word.n);
        at += word.n + !last;
    }
}

/* Prints the prefix of a group of jobs: "Train: ". */
static bool put_group(struct out *out, struct part kind, struct part name)
{
    const char *before = is(kind, "by_queue")   ? "queue "
                         : is(kind, "by_class") ? ""
                         : is(kind, "by_size")  ? "jobs of "
                         : is(kind, "by_model") ? "model "
                                                : NULL;
    if (before == NULL)
        return false;
    out_text(out, before);
    out_bytes(out, name.at, name.n);
    out_text(out, is(kind, "by_size") ? " GPUs: " : ": ");
    return true;
}

static char *capital(char *text)
{
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    return text;
}

char *label_metric(const char *path)
{
    struct out *out = out_memory(), *rest = out_memory();
    const char *comma = "";
    struct part part;
    while (next_part(&path, &part)) {
        const char *behind = path;
        struct part name;
        if (next_part(&behind, &name) && put_group(out, part, name)) {
            path = behind;
            continue;
        }
        out_text(rest, comma);
        put_words(rest, part);
        comma = ", ";
    }
    out_text(out, out_memory_text(rest, NULL));
    out_discard(rest);
    return capital(out_memory_take(out));
}

/* ---- keys ---- */

/* `*` matches a name, which is appended to the words. */
static const struct word keys[] = {
    {"fleet.pools.*.count", "the nodes of pool "},
    {"fleet.pools.*.node", "the kind of node of pool "},
    {"fleet.pools.*.elastic.max", "the most nodes of the elastic pool "},
    {"queues.*.gpu.quota", "the GPU quota of queue "},
    {"queues.*.gpu.limit", "the GPU limit of queue "},
    {"queues.*.gpu.weight", "the weight of queue "},
    {"queues.*.priority", "the priority of queue "},
    {"policy.name", "the policy"},
    {"policy", "the policy"},
    {"trace", "the trace"},
    {"replicas", "the number of replicas"},
    {"faults", "faults"},
    {"faults.profile", "the fault profile"},
    {"faults.scale", "the rate of faults, against the profile"},
    {"workload.load_scale", "the scale of the load"},
    {"workload.time_scale", "the scale of the times"},
    {"policy.cycle_s", "the time between scheduling cycles"},
    {"policy.options.*", "the policy option "},
    {"workload.load", "the offered load"},
    {"workload.generate.load", "the offered load"},
    {"seed", "the seed"},
};

/* Returns true if the path matches the pattern; *name is what `*` matches. */
static bool matches(const char *pattern, const char *path, struct part *name)
{
    struct part a, b;
    bool more_a = next_part(&pattern, &a), more_b = next_part(&path, &b);
    for (; more_a && more_b; more_a = next_part(&pattern, &a), more_b = next_part(&path, &b)) {
        if (is(a, "*"))
            *name = b;
        else if (a.n != b.n || strncmp(a.at, b.at, a.n) != 0)
            return false;
    }
    return !more_a && !more_b;
}

char *label_key(const char *path)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct part name = {"", 0};
        if (matches(keys[i].name, path, &name))
            return mem_format("%s%.*s", keys[i].words, (int)name.n, name.at);
    }
    return mem_text(path);
}
