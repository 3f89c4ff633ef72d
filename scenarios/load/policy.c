/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of the policy: the simulator's own are taken out, the others become text for the policy
 * core.
 */
#include "scenarios/json/paths.h"
#include "scenarios/load/fill.h"
#include "scenarios/schema/policy_name.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text for the policy core ---- */

static const char *number_text(struct build *build, double x)
{
    char number[32];
    if (floor(x) != x)
        return build_text(build, resolve_number(x, number));
    (void)snprintf(number, sizeof number, "%.0f", x);
    return build_text(build, number);
}

/* Numbers separated by commas. */
static const char *list_text(struct build *build, const cJSON *list)
{
    char *text = mem_text("");
    for (const cJSON *value = list->child; value != NULL; value = value->next) {
        char *longer = mem_format("%s%s%s", text, value == list->child ? "" : ",",
                                  number_text(build, value->valuedouble));
        free(text);
        text = longer;
    }
    build_keep(build, text);
    return text;
}

const char *fill_option(struct build *build, const cJSON *value)
{
    if (cJSON_IsArray(value))
        return list_text(build, value);
    if (cJSON_IsString(value))
        return value->valuestring;
    if (cJSON_IsNumber(value))
        return number_text(build, value->valuedouble);
    return cJSON_IsTrue(value) ? "true" : "false";
}

/* ---- overheads ---- */

#define PATH "policy.options.preempt_overhead_s"

/* Reads a size or a range of sizes: "1", "2-8", "9+". */
static bool read_range(const char *text, int64_t *least, int64_t *most)
{
    size_t digits = strspn(text, "0123456789");
    const char *rest = text + digits;
    if (digits == 0 || digits > 9)
        return false;
    *least = *most = strtol(text, NULL, 10);
    if (strcmp(rest, "+") == 0)
        *most = WORK_ANY_SIZE;
    if (*rest == '\0' || strcmp(rest, "+") == 0)
        return true;
    digits = strspn(rest + 1, "0123456789");
    if (*rest != '-' || digits == 0 || digits > 9 || rest[1 + digits] != '\0')
        return false;
    *most = strtol(rest + 1, NULL, 10);
    return *most >= *least;
}

/* Ranges have to cover all sizes from one GPU to any number, without gaps. */
static bool fill_overheads(struct build *build, const cJSON *ranges)
{
    struct work_overheads *to = &build->scenario.policy.overheads;
    int64_t next = 1;
    for (const cJSON *range = ranges->child; range != NULL; range = range->next) {
        int64_t least;
        int64_t most;
        if (!read_range(range->string, &least, &most))
            return build_fail(
                build, PATH,
                "expected numbers of GPUs such as \"1\", \"2-8\" or \"9+\", got \"%s\"",
                range->string);
        if (least != next || to->preempt_count == WORK_OVERHEAD_ROWS)
            return build_fail(
                build, PATH,
                "expected at most %d ranges that follow one another from 1 on, got \"%s\" where %s",
                WORK_OVERHEAD_ROWS, range->string,
                next == WORK_ANY_SIZE ? "no range is left" : "another one has to begin");
        to->preempt[to->preempt_count++] = (struct work_overhead){most, check_duration_ms(range)};
        next = most == WORK_ANY_SIZE ? most : most + 1;
    }
    if (next != WORK_ANY_SIZE)
        return build_fail(build, PATH,
                          "expected a last range such as \"%lld+\" for all larger jobs",
                          (long long)next);
    return true;
}

static bool fill_own(struct build *build, const cJSON *options)
{
    struct scen_policy *policy = &build->scenario.policy;
    const cJSON *overhead = json_member(options, "preempt_overhead_s");
    policy->cycle_ms = fill_ms(options, "tick_s", policy->cycle_ms);
    policy->overheads.launch_ms = fill_ms(options, "launch_s", 0);
    if (overhead == NULL)
        return true;
    if (cJSON_IsObject(overhead))
        return fill_overheads(build, overhead);
    policy->overheads.preempt[0] =
        (struct work_overhead){WORK_ANY_SIZE, check_duration_ms(overhead)};
    policy->overheads.preempt_count = 1;
    return true;
}

static bool is_own(const char *key)
{
    return strcmp(key, "tick_s") == 0 || strcmp(key, "launch_s") == 0 ||
           strcmp(key, "preempt_overhead_s") == 0;
}

static bool fill_policy_options(struct build *build, const cJSON *options)
{
    struct scen_policy *policy = &build->scenario.policy;
    policy->options =
        build_alloc(build, (size_t)cJSON_GetArraySize(options), sizeof *policy->options);
    for (const cJSON *option = options->child; option != NULL; option = option->next)
        if (!is_own(option->string))
            policy->options[policy->option_count++] =
                (struct scen_option){.name = option->string, .value = fill_option(build, option)};
    return fill_own(build, options);
}

/* For the scenario's digest, the library's bytes replace its name. */
static bool fill_library(struct build *build)
{
    struct scen_policy *policy = &build->scenario.policy;
    policy->name = build_file(build, "policy.name", policy->name);
    return !build->files || path_digest(&build->digest, policy->name, build->err) ||
           build_blame(build, "policy.name");
}

bool fill_policy(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "policy");
    const cJSON *options = json_member(tree, "options");
    struct scen_policy *policy = &build->scenario.policy;
    policy->name = fill_text(tree, "name");
    if (policy_name_is_library(policy->name) && !fill_library(build))
        return false;
    policy->cycle_ms = fill_ms(tree, "cycle_s", 0);
    policy->grace_ms = fill_ms(tree, "grace_s", 0);
    policy->gangs = fill_true(tree, "gangs");
    policy->skip_idle_cycles = fill_true(tree, "skip_idle_cycles");
    return fill_policy_options(build, options);
}
