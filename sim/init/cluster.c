/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cluster's description of itself, and the output of scontrol; see cluster.h. */
#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/init/cluster_internal.h"
#include "traces/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_BYTES   ((size_t)256 << 20)
#define MOST_WEIGHT  INT64_C(4294967295)
#define MOST_SECONDS (INT64_C(100) * 365 * 86400)

/* ---- nodes ---- */

/* The texts that users write stand at the end of a record or a line. */
static bool is_remark(const char *word)
{
    return strncmp(word, "Reason=", 7) == 0 || strncmp(word, "Comment=", 8) == 0 ||
           strncmp(word, "Extra=", 6) == 0;
}

/* A record begins with NodeName; its other lines are indented. */
static bool read_node_line(struct cluster_reading *r, struct cluster_nodes *node, const char *line,
                           size_t n, struct err *err)
{
    for (const char *at = line, *end = line + n; at < end;) {
        size_t blanks = strspn(at, " \t\r"), length = strcspn(at + blanks, " \t\r\n");
        at += blanks;
        if (length == 0 || is_remark(at))
            return true;
        if (length > 9 && strncmp(at, "NodeName=", 9) == 0) {
            node->name = at + 9;
            node->length = length - 9;
        } else if (length > 5 && strncmp(at, "Gres=", 5) == 0 &&
                   !cluster_add_gres(r, node, at + 5, length - 5, err)) {
            return false;
        }
        at += length;
    }
    return true;
}

/* ---- configuration ---- */

enum factor_kind { WEIGHT, SPAN, FLAG };

static const struct {
    const char *key, *option;
    enum factor_kind kind;
    int64_t least;
} factors[] = {
    {"PriorityWeightAge", "priority_weight_age", WEIGHT, 0},
    {"PriorityWeightFairShare", "priority_weight_fairshare", WEIGHT, 0},
    {"PriorityWeightJobSize", "priority_weight_job_size", WEIGHT, 0},
    {"PriorityWeightPartition", "priority_weight_partition", WEIGHT, 0},
    {"PriorityWeightQOS", "priority_weight_qos", WEIGHT, 0},
    {"PriorityMaxAge", "priority_max_age_s", SPAN, 1},
    {"PriorityDecayHalfLife", "priority_decay_half_life_s", SPAN, 0},
    {"PriorityCalcPeriod", "priority_calc_period_s", SPAN, 1},
    {"PriorityFavorSmall", "priority_favor_small", FLAG, 0},
};
_Static_assert(sizeof factors / sizeof *factors == INIT_FACTORS, "one factor for each row");

static bool is_word(const char *text, size_t n, const char *word)
{
    return strlen(word) == n && strncasecmp(text, word, n) == 0;
}

static bool read_value(enum factor_kind kind, const char *text, size_t n, int64_t *value)
{
    if (kind == WEIGHT)
        return text_i64(text, n, value) && *value <= MOST_WEIGHT;
    if (kind == SPAN) {
        int64_t ms;
        bool ok = times_elapsed(text, n, &ms);
        *value = ok ? ms / 1000 : 0;
        return ok && *value <= MOST_SECONDS;
    }
    *value = is_word(text, n, "yes");
    return *value == 1 || is_word(text, n, "no");
}

static bool set_factor(struct cluster_reading *r, size_t row, const char *text, size_t n,
                       struct err *err)
{
    static const char *const expected[] = {"0 to 4294967295", "a time such as 7-00:00:00",
                                           "Yes or No"};
    struct init_cluster *c = r->cluster;
    struct init_factor factor = {.option = factors[row].option,
                                 .is_flag = factors[row].kind == FLAG};
    if (!read_value(factors[row].kind, text, n, &factor.value) || factor.value < factors[row].least)
        return cluster_fail(r, err, factors[row].key, text, n, expected[factors[row].kind]);
    for (size_t i = 0; i < c->factor_count; i++)
        if (c->factors[i].option == factor.option) {
            c->factors[i] = factor;
            return true;
        }
    c->factors[c->factor_count++] = factor;
    return true;
}

/* "PriorityWeightAge       = 1000" */
static bool read_config_line(struct cluster_reading *r, const char *line, size_t n, struct err *err)
{
    size_t key = strcspn(line, " \t=\r\n"), at = key + strspn(line + key, " \t");
    if (at >= n || line[at] != '=')
        return true;
    at++;
    at += strspn(line + at, " \t");
    while (n > at && strchr(" \t\r", line[n - 1]) != NULL)
        n--;
    for (size_t i = 0; at <= n && i < INIT_FACTORS; i++)
        if (is_word(line, key, factors[i].key))
            return set_factor(r, i, line + at, n - at, err);
    return true;
}

/* ---- files ---- */

/* The first line with that beginning, or NULL. */
static const char *line_with(const char *text, const char *begin)
{
    size_t n = strlen(begin);
    while (text != NULL && strncmp(text, begin, n) != 0) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text;
}

/* Without multifactor the weights are printed, but not used. */
static bool uses_weights(const char *line)
{
    const char *word = strstr(line, "priority/multifactor");
    return word != NULL && word < line + strcspn(line, "\n");
}

static bool read_nodes(struct cluster_reading *r, const char *text, struct err *err)
{
    struct cluster_nodes node = {.name = "", .nodes = 1};
    for (const char *line = text; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        r->line++;
        if (!read_node_line(r, &node, line, n, err))
            return false;
        line += n + (line[n] == '\n');
    }
    return true;
}

static bool read_config(struct cluster_reading *r, const char *text, struct err *err)
{
    for (const char *line = text; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        r->line++;
        if (!read_config_line(r, line, n, err))
            return false;
        line += n + (line[n] == '\n');
    }
    return true;
}

bool init_cluster_parse(struct init_cluster *cluster, const char *name, const char *text,
                        struct err *err)
{
    struct cluster_reading r = {cluster, name, 0};
    const char *priority = line_with(text, "PriorityType");
    if (text[strspn(text, " \t\r\n")] == '{')
        return cluster_read_json(&r, text, err);
    if (line_with(text, "NodeName=") != NULL)
        return read_nodes(&r, text, err);
    if (priority != NULL)
        return !uses_weights(priority) || read_config(&r, text, err);
    if (cluster_is_accounts(text))
        return cluster_read_accounts(&r, text, err);
    if (cluster_is_sinfo(text))
        return cluster_read_sinfo(&r, text, err);
    return err_set(err, EXIT_INPUT,
                   "%s: expected what 'scontrol show nodes', 'sinfo -N -o \"%%N %%G\"', "
                   "'scontrol show config', 'sacctmgr show assoc -P' or 'kubectl get nodes -o "
                   "json' prints",
                   name);
}

bool init_cluster_read(struct init_cluster *cluster, const char *path, struct err *err)
{
    char *text = NULL;
    bool ok = file_read(path, MOST_BYTES, &text, NULL, err) == FILE_FOUND &&
              init_cluster_parse(cluster, path, text, err);
    free(text);
    return ok;
}
