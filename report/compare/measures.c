/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries as rows of numbers; see measures.h. */
#include "report/compare/measures.h"

#include "sim/base/mem.h"
#include "sim/base/symbols.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES ((size_t)512)
#define DEPTH      8

/* The current path as printed, and the same with names that contain no dots. */
struct where {
    char path[PATH_BYTES], plain[PATH_BYTES];
};

void measures_init(struct measures *m, size_t replicas)
{
    *m = (struct measures){.paths = symbols_create(), .replicas = replicas};
}

void measures_fini(struct measures *m)
{
    for (size_t i = 0; i < m->count; i++)
        for (int side = 0; side < SIDES; side++)
            free(m->rows[i].of[side]);
    free(m->rows);
    symbols_destroy(m->paths);
    *m = (struct measures){0};
}

static struct measure *row_of(struct measures *m, const struct where *at)
{
    uint32_t id = symbols_add(m->paths, at->path, strlen(at->path));
    if (id < m->count)
        return &m->rows[id];
    m->rows = mem_grow(m->rows, &m->capacity, m->count + 1, sizeof *m->rows);
    struct measure *row = &m->rows[m->count++];
    *row = (struct measure){.path = symbols_name(m->paths, id), .row = metric_find(at->plain)};
    for (int side = 0; side < SIDES; side++) {
        row->of[side] = mem_alloc(m->replicas, sizeof *row->of[side]);
        for (size_t i = 0; i < m->replicas; i++)
            row->of[side][i].value = (double)NAN;
    }
    return row;
}

/*
 * Queue names may contain dots, which would split them when their definition is looked up. Both
 * texts have the same length.
 */
static bool step(const struct where *at, const char *key, struct where *down)
{
    size_t before = strlen(at->path), from = before + (before > 0), n = strlen(key);
    if (from + n >= PATH_BYTES)
        return false;
    *down = *at;
    if (before > 0)
        down->path[before] = down->plain[before] = '.';
    memcpy(down->path + from, key, n + 1);
    memcpy(down->plain + from, key, n + 1);
    for (char *p = down->plain + from; *p; p++)
        if (*p == '.')
            *p = '_';
    return true;
}

static bool is_bound(const char *key)
{
    static const char suffix[] = "_at_least";
    size_t n = strlen(key);
    return n >= sizeof suffix && strcmp(key + n - (sizeof suffix - 1), suffix) == 0;
}

static struct measured value_of(const cJSON *object, const cJSON *item)
{
    if (cJSON_IsNumber(item) && isfinite(item->valuedouble))
        return (struct measured){item->valuedouble, false};
    char key[PATH_BYTES];
    (void)snprintf(key, sizeof key, "%s_at_least", item->string);
    const cJSON *bound = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsNumber(bound) && isfinite(bound->valuedouble))
        return (struct measured){bound->valuedouble, true};
    return (struct measured){(double)NAN, false};
}

/* Takes a packing study's curve at every tenth of the capacity: fill.curve.120.alloc_pct. */
static void take_curve(struct measures *m, int side, size_t replica, const cJSON *curve,
                       const struct where *at)
{
    const cJSON *bucket, *item;
    cJSON_ArrayForEach(bucket, curve)
    {
        const cJSON *arrived = cJSON_GetObjectItemCaseSensitive(bucket, "arrived_pct");
        if (!cJSON_IsNumber(arrived) || arrived->valueint % 10 != 0)
            continue;
        char key[32];
        struct where down, leaf;
        (void)snprintf(key, sizeof key, "%d", arrived->valueint);
        if (!step(at, key, &down))
            continue;
        cJSON_ArrayForEach(item, bucket)
        {
            struct measured value = value_of(bucket, item);
            if (item != arrived && !isnan(value.value) && step(&down, item->string, &leaf))
                row_of(m, &leaf)->of[side][replica] = value;
        }
    }
}

static void take(struct measures *m, int side, size_t replica, const cJSON *object,
                 const struct where *at, int depth)
{
    /* These identify the run and measure nothing. */
    static const char *const facts[] = {"fauxfleet_summary", "seed", "window", "sd", "replicas"};
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        struct where down;
        bool fact = false;
        for (size_t i = 0; depth == 0 && i < sizeof facts / sizeof *facts; i++)
            fact |= strcmp(item->string, facts[i]) == 0;
        if (fact || is_bound(item->string) || !step(at, item->string, &down))
            continue;
        if (cJSON_IsObject(item) && depth + 1 < DEPTH) {
            take(m, side, replica, item, &down, depth + 1);
        } else if (cJSON_IsArray(item)) {
            take_curve(m, side, replica, item, &down);
        } else {
            struct measured value = value_of(object, item);
            if (!isnan(value.value))
                row_of(m, &down)->of[side][replica] = value;
        }
    }
}

void measures_take(struct measures *m, int side, size_t replica, const cJSON *summary)
{
    struct where top = {"", ""};
    take(m, side, replica, summary, &top, 0);
}
