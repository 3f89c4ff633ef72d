/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for the numbers of nodes, queues and jobs; see snapshot.h. */
#include "sim/serve/snapshot.h"

#include "policies/facts/hash.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shot_name *shot_find(const struct shot_name *all, uint32_t number, uint32_t gen)
{
    struct shot_name *found = NULL;
    const uint64_t key = hash_key(number, gen);
    HASH_FIND(hh, all, &key, sizeof key, found);
    return found;
}

const char *shot_name(const struct shot_name *all, uint32_t number, uint32_t gen)
{
    const struct shot_name *found = shot_find(all, number, gen);
    return found != NULL ? found->text : NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A name that clients gave to several objects of one kind is ambiguous. */
static const char **given_names(const struct shot *shot, int32_t kind, size_t *count)
{
    const char **names = mem_alloc(shot->count + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; i < shot->count; i++)
        if (shot->lines[i].fact.kind == kind && shot->lines[i].fact.name != NULL)
            names[(*count)++] = shot->lines[i].fact.name;
    qsort(names, *count, sizeof *names, by_text);
    return names;
}

static size_t how_many(const char *const *names, size_t count, const char *name)
{
    size_t low = 0;
    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(names[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < count && strcmp(names[end], name) == 0)
        end++;
    return end - low;
}

/* Generated names must differ from all given ones. */
static char *name_of(const struct fact *f, const char *kind, uint32_t number,
                     const char *const *given, size_t count)
{
    char suffix[32];
    (void)snprintf(suffix, sizeof suffix, f->job.gen > 0 ? "%u.%u" : "%u", (unsigned)number,
                   (unsigned)f->job.gen);
    if (f->name != NULL && *f->name != '\0' && how_many(given, count, f->name) == 1)
        return mem_text(f->name);
    char *name = f->name != NULL && *f->name != '\0' ? mem_format("%s#%s", f->name, suffix)
                                                     : mem_format("%s-%s", kind, suffix);
    while (how_many(given, count, name) > 0) {
        char *longer = mem_format("%s#", name);
        free(name);
        name = longer;
    }
    return name;
}

static uint32_t number_of(const struct fact *f)
{
    return f->kind == FACT_NODE_ADD ? f->node.i : f->kind == FACT_QUEUE_ADD ? f->queue.i : f->job.i;
}

void shot_name_all(const struct shot *shot, int32_t kind, const char *word, struct shot_name **all)
{
    size_t count;
    const char **given = given_names(shot, kind, &count);
    for (size_t i = 0; i < shot->count; i++) {
        const struct fact *f = &shot->lines[i].fact;
        if (f->kind != kind)
            continue;
        struct shot_name *entry = mem_alloc(1, sizeof *entry);
        entry->key = hash_key(number_of(f), f->job.gen);
        entry->text = name_of(f, word, number_of(f), given, count);
        HASH_ADD(hh, *all, key, sizeof entry->key, entry);
    }
    free(given);
}

void shot_forget_names(struct shot_name **all)
{
    while (*all != NULL) {
        struct shot_name *entry = *all;
        HASH_DEL(*all, entry);
        free(entry->text);
        free(entry);
    }
}
