/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities of Kubernetes, and the total requests of a pod; see kube.h. */
#include "scenarios/import/kube.h"

#include "sim/base/text.h"

#include <math.h>
#include <string.h>

#define MIG_PREFIX     "nvidia.com/mig-"
#define MOST_INSTANCES 1000 /* of a profile on a node */

double kube_quantity(const cJSON *value)
{
    static const struct {
        const char *suffix;
        double factor;
    } units[] = {
        {"n", 1e-9},
        {"u", 1e-6},
        {"m", 1e-3},
        {"k", 1e3},
        {"M", 1e6},
        {"G", 1e9},
        {"T", 1e12},
        {"P", 1e15},
        {"E", 1e18},
        {"Ki", 1024.},
        {"Mi", 1048576.},
        {"Gi", 1073741824.},
        {"Ti", 1099511627776.},
        {"Pi", 1125899906842624.},
        {"Ei", 1152921504606846976.},
    };
    if (cJSON_IsNumber(value))
        return value->valuedouble;
    const char *text = cJSON_GetStringValue(value);
    double number = (double)NAN;
    if (!text)
        return number;
    size_t n = strlen(text), digits = n;
    while (digits > 0 && strchr("numkKMGTPEi", text[digits - 1]))
        digits--;
    if (!text_f64(text, digits, &number))
        return (double)NAN;
    for (size_t i = 0; digits < n && i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].suffix, text + digits) == 0)
            return number * units[i].factor;
    return digits == n ? number : (double)NAN;
}

enum kube_resource kube_resource_of(const char *name)
{
    static const char *const names[] = {"nvidia.com/gpu", "amd.com/gpu", "cpu", "memory"};
    static const enum kube_resource kinds[] = {KUBE_GPU, KUBE_GPU, KUBE_CPU, KUBE_MEM};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return kinds[i];
    return KUBE_RESOURCES;
}

bool kube_read_amounts(struct import *import, const cJSON *resources, struct kube_amounts *amounts,
                       struct err *err)
{
    static const double most[KUBE_RESOURCES + 1] = {
        [KUBE_GPU] = 1e9, [KUBE_CPU] = 1e8, [KUBE_MEM] = 1e17, [KUBE_RESOURCES] = 1e9};
    const cJSON *item;
    *amounts = (struct kube_amounts){0};
    if (cJSON_IsArray(resources))
        return import_fail(import, err,
                           "a list where quantities by name are expected, such as {\"cpu\": 4}");
    cJSON_ArrayForEach(item, resources)
    {
        enum kube_resource kind = kube_resource_of(item->string);
        bool mig = strncmp(item->string, MIG_PREFIX, strlen(MIG_PREFIX)) == 0;
        double value = kind == KUBE_RESOURCES && !mig ? 0 : kube_quantity(item);
        if (!(value >= 0 && value <= most[kind]))
            return import_fail(import, err, "%s: expected a quantity such as 4, 500m or 16Gi",
                               item->string);
        if ((mig && value > MOST_INSTANCES) || ((mig || kind == KUBE_GPU) && value > floor(value)))
            return import_fail(import, err, "%s: expected a whole number%s", item->string,
                               mig ? " up to 1000" : "");
        if (kind != KUBE_RESOURCES)
            amounts->of[kind] += value;
    }
    return true;
}

void kube_put_amounts(cJSON *to, const struct kube_amounts *amounts, double (*rounding)(double))
{
    import_number(to, "gpus", amounts->of[KUBE_GPU]);
    // avoids rounding up 0.3000000001 thousandths of a core because of binary fractions
    import_number(to, "cpu_milli", rounding(round(amounts->of[KUBE_CPU] * 1e9) / 1e6));
    import_number(to, "mem_mib", rounding(amounts->of[KUBE_MEM] / 1048576));
}

bool kube_put_mig(cJSON *to, const char *key, const cJSON *resources)
{
    const cJSON *item;
    bool any = false;
    cJSON_ArrayForEach(item, import_members(resources))
    {
        double count = kube_quantity(item);
        if (strncmp(item->string, MIG_PREFIX, strlen(MIG_PREFIX)) != 0 || !(count > 0))
            continue;
        import_number(import_object(to, key), item->string + strlen(MIG_PREFIX), count);
        any = true;
    }
    return any;
}

bool kube_lists(const cJSON *resources, enum kube_resource kind)
{
    const cJSON *item;
    bool found = false;
    cJSON_ArrayForEach(item, import_members(resources))
    {
        found = found || kube_resource_of(item->string) == kind;
    }
    return found;
}

/* ---- pods ---- */

/* A missing request equals the limit, as the API server fills it in. */
static bool container_amounts(struct import *import, const cJSON *container,
                              struct kube_amounts *amounts, struct err *err)
{
    const cJSON *resources = import_at(container, "resources");
    const cJSON *requests = import_at(resources, "requests");
    struct kube_amounts limits;
    if (!kube_read_amounts(import, requests, amounts, err) ||
        !kube_read_amounts(import, import_at(resources, "limits"), &limits, err))
        return false;
    for (enum kube_resource i = KUBE_GPU; i < KUBE_RESOURCES; i++)
        if (!kube_lists(requests, i))
            amounts->of[i] = limits.of[i];
    return true;
}

/* Returns true for an init container that keeps running beside all later ones. */
static bool stays(const cJSON *container)
{
    return strcmp(import_text(container, "restartPolicy"), "Always") == 0;
}

static void add(struct kube_amounts *sum, const struct kube_amounts *one)
{
    for (int i = 0; i < KUBE_RESOURCES; i++)
        sum->of[i] += one->of[i];
}

static bool container_sum(struct import *import, const cJSON *containers, struct kube_amounts *sum,
                          struct err *err)
{
    const cJSON *container;
    struct kube_amounts one;
    cJSON_ArrayForEach(container, containers)
    {
        if (!container_amounts(import, container, &one, err))
            return false;
        add(sum, &one);
    }
    return true;
}

/*
 * The larger of what all containers request together and the peak during the start: init containers
 * run in sequence, and restartable ones (restartPolicy Always) beside all later ones. Kubernetes:
 * "Sidecar containers", resource sharing within containers.
 */
static bool pod_amounts(struct import *import, const cJSON *spec, struct kube_amounts *sum,
                        struct err *err)
{
    const cJSON *container;
    struct kube_amounts one, stay = {0}, most = {0}, overhead;
    *sum = (struct kube_amounts){0};
    if (!container_sum(import, import_at(spec, "containers"), sum, err))
        return false;
    cJSON_ArrayForEach(container, import_at(spec, "initContainers"))
    {
        if (!container_amounts(import, container, &one, err))
            return false;
        for (int i = 0; i < KUBE_RESOURCES; i++) {
            most.of[i] = fmax(most.of[i], stay.of[i] + one.of[i]);
            stay.of[i] += stays(container) ? one.of[i] : 0;
        }
    }
    add(sum, &stay);
    for (int i = 0; i < KUBE_RESOURCES; i++)
        sum->of[i] = fmax(sum->of[i], most.of[i]);
    // requests of the pod as a whole take precedence over those of its containers
    if (!container_amounts(import, spec, &one, err) ||
        !kube_read_amounts(import, import_at(spec, "overhead"), &overhead, err))
        return false;
    for (int i = 0; i < KUBE_RESOURCES; i++)
        sum->of[i] = (one.of[i] > 0 ? one.of[i] : sum->of[i]) + overhead.of[i];
    return true;
}

/* For such resources, limits and requests are equal, and one may be omitted. */
static double instances_of(const cJSON *container, const char *name)
{
    const cJSON *resources = import_at(container, "resources");
    const cJSON *limit = import_at(import_at(resources, "limits"), name);
    double count = kube_quantity(limit ? limit : import_at(import_at(resources, "requests"), name));
    return count > 0 ? count : 0;
}

/* The same rule as pod_amounts(), for instances of one name. */
static double pod_instances(const cJSON *spec, const char *name)
{
    const cJSON *container;
    double sum = 0, stay = 0, most = 0;
    cJSON_ArrayForEach(container, import_at(spec, "containers"))
    {
        sum += instances_of(container, name);
    }
    cJSON_ArrayForEach(container, import_at(spec, "initContainers"))
    {
        double one = instances_of(container, name);
        most = fmax(most, stay + one);
        stay += stays(container) ? one : 0;
    }
    return fmax(sum + stay, most);
}

static void put_instances(cJSON *task, const cJSON *spec, const cJSON *container)
{
    static const char *const lists[] = {"limits", "requests"};
    const cJSON *item;
    for (size_t i = 0; i < 2; i++)
        cJSON_ArrayForEach(item,
                           import_members(import_at(import_at(container, "resources"), lists[i])))
        {
            double count = strncmp(item->string, MIG_PREFIX, strlen(MIG_PREFIX)) == 0
                               ? pod_instances(spec, item->string)
                               : 0;
            if (count > 0)
                import_number(import_object(task, "mig"), item->string + strlen(MIG_PREFIX), count);
        }
}

bool kube_put_request(struct import *import, cJSON *task, const cJSON *spec, struct err *err)
{
    struct kube_amounts amounts;
    const cJSON *container;
    if (!pod_amounts(import, spec, &amounts, err))
        return false;
    if (amounts.of[KUBE_GPU] > KUBE_MOST_GPUS)
        return import_fail(import, err, "a pod with %.0f GPUs, expected at most %d",
                           amounts.of[KUBE_GPU], KUBE_MOST_GPUS);
    kube_put_amounts(task, &amounts, ceil);
    cJSON_ArrayForEach(container, import_at(spec, "containers"))
    {
        put_instances(task, spec, container);
    }
    cJSON_ArrayForEach(container, import_at(spec, "initContainers"))
    {
        put_instances(task, spec, container);
    }
    return true;
}
