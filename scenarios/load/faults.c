/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of a scenario: a profile from the catalogue or its own, and the rates. */
#include "scenarios/catalog/faults.h"
#include "scenarios/load/fill.h"
#include "sim/base/text.h"
#include "sim/faults/rates.h"

#include <stdio.h>
#include <string.h>

#define PROFILE "faults.profile"

static bool find_profile(struct build *build, const struct catalog_faults *catalog,
                         const char *name, struct fault_profile *profile)
{
    const struct catalog_fault_profile *found = catalog_faults_find(catalog, name);
    if (found) {
        *profile = found->profile;
        return true;
    }
    char hint[128];
    text_suggest(hint, sizeof hint, name,
                 catalog->profile_count ? &catalog->profiles[0].name : NULL, catalog->profile_count,
                 sizeof *catalog->profiles);
    return build_fail(build, PROFILE, "unknown profile of faults '%.64s'%s (list faults shows all)",
                      name, hint);
}

/* Returns the GPUs of the first node with GPUs: a scenario states rates for such nodes. */
static double usual_gpus(const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->pool_count; i++)
        if (scenario->pools[i].node.gpus > 0)
            return scenario->pools[i].node.gpus;
    for (size_t i = 0; i < scenario->node_count; i++)
        if (scenario->nodes[i].node.gpus > 0)
            return scenario->nodes[i].node.gpus;
    return FAULT_USUAL_GPUS;
}

static bool read_profile(struct build *build, const struct catalog_faults *catalog,
                         const cJSON *value, struct fault_profile *profile)
{
    if (!cJSON_IsObject(value))
        return find_profile(build, catalog, value->valuestring, profile);
    struct check check = {
        .where = layers_where, .of = &build->layers, .whole = true, .err = build->err};
    (void)snprintf(check.path, sizeof check.path, PROFILE);
    return catalog_faults_read(&check, catalog, value, usual_gpus(&build->scenario), profile);
}

/* Drops all classes except the listed ones. */
static bool keep_only(struct build *build, const cJSON *list, struct fault_profile *profile)
{
    uint32_t mask = 0;
    int i = 0;
    if (!list)
        return true;
    for (const cJSON *name = list->child; name; name = name->next, i++) {
        int class = fault_class_find(name->valuestring);
        char path[64];
        (void)snprintf(path, sizeof path, "faults.only[%d]", i);
        if (class < 0) {
            const char *names[FAULT_CLASSES];
            for (int k = 0; k < FAULT_CLASSES; k++)
                names[k] = fault_class_name((enum fault_class_id)k);
            char hint[128];
            text_suggest(hint, sizeof hint, name->valuestring, names, FAULT_CLASSES, sizeof *names);
            return build_fail(build, path, "unknown class of faults '%.64s'%s", name->valuestring,
                              hint);
        }
        mask |= UINT32_C(1) << class;
    }
    fault_profile_only(profile, mask);
    return true;
}

static bool add_new_pool(struct build *build, const char *name, bool *is_new)
{
    const struct scenario *sc = &build->scenario;
    const char **names = build_alloc(build, sc->pool_count + 1, sizeof *names);
    char hint[128];
    for (size_t i = 0; i < sc->pool_count; i++) {
        names[i] = sc->pools[i].name;
        if (strcmp(names[i], name) == 0) {
            is_new[i] = true;
            return true;
        }
    }
    return build_fail(build, "faults.burn_in.new", "unknown pool '%.64s'%s", name,
                      text_suggest(hint, sizeof hint, name, names, sc->pool_count, sizeof *names));
}

static bool fill_burn_in(struct build *build, const cJSON *tree)
{
    struct scen_faults *faults = &build->scenario.faults;
    if (tree == NULL || cJSON_IsNull(tree))
        return true;
    faults->burn_in = (struct fault_burn_in){.takes_ms = fill_ms(tree, "time", 0),
                                             .rejects = fill_number(tree, "reject")};
    const cJSON *list = json_member(tree, "new");
    if (list == NULL || list->child == NULL)
        return true;
    if (faults->burn_in.takes_ms == 0)
        return build_fail(build, "faults.burn_in.time", "new nodes are tested for no time");
    bool *is_new = build_alloc(build, build->scenario.pool_count + 1, sizeof *is_new);
    for (const cJSON *entry = list->child; entry != NULL; entry = entry->next)
        if (!add_new_pool(build, entry->valuestring, is_new))
            return false;
    faults->new_pools = is_new;
    return true;
}

static enum trace_on_failure on_failure(const cJSON *tree)
{
    const char *name = fill_text(tree, "on_failure");
    enum trace_on_failure found = TRACE_RESTART;
    while (strcmp(name, trace_on_failure_names[found]) != 0)
        found++;
    return found;
}

bool fill_faults(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "faults");
    struct scen_faults *faults = &build->scenario.faults;
    struct catalog_faults *catalog = NULL;
    build->scenario.on_failure = on_failure(build->tree);
    if (!tree)
        return true;
    bool ok = catalog_faults(&catalog, build->err) &&
              read_profile(build, catalog, json_member(tree, "profile"), &faults->profile) &&
              keep_only(build, json_member(tree, "only"), &faults->profile);
    catalog_faults_free(catalog);
    if (!ok)
        return false;
    fault_profile_scale(&faults->profile, fill_number(tree, "scale"));
    if (fill_true(tree, "exponential"))
        fault_profile_exponential(&faults->profile);
    faults->user_failures = fill_true(tree, "user_failures");
    if (faults->user_failures && !(faults->profile.classes[FAULT_USER].rate > 0))
        return build_fail(
            build, "faults.user_failures",
            "the class 'user' never strikes: its rate is 0, or faults.only leaves it out");
    faults->given = true;
    faults->catch_lemons = fill_true(tree, "catch_lemons");
    faults->patient = fill_true(tree, "patient");
    faults->dual_homed = fill_true(tree, "dual_homed");
    faults->nic_failover = fill_true(tree, "nic_failover");
    faults->fixed_routing = fill_true(tree, "fixed_routing");
    faults->swap_ms = fill_ms(tree, "swap", 0);
    return fill_burn_in(build, json_member(tree, "burn_in")) &&
           fill_spares(build, json_member(tree, "spares"));
}
