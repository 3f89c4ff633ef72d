/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The earlier of two; see merge.h. */
#include "sim/sources/merge.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct fault_merge {
    struct sim_faults sources[2];
    const char **names;
};

static void begin(void *self, int64_t first_ms)
{
    const struct fault_merge *m = self;
    for (int i = 0; i < 2; i++)
        if (m->sources[i].begin != NULL)
            m->sources[i].begin(m->sources[i].self, first_ms);
}

/* The first source with jobs that fail by themselves; 2: neither. */
static int asks_jobs(const struct fault_merge *m)
{
    int i = 0;
    while (i < 2 && m->sources[i].user_after_ms == NULL)
        i++;
    return i;
}

static int64_t user_after_ms(void *self, uint64_t job)
{
    const struct fault_merge *m = self;
    const struct sim_faults *source = &m->sources[asks_jobs(m)];
    return source->user_after_ms(source->self, job);
}

static int64_t next_of(const struct sim_faults *source)
{
    return source->next_ms(source->self);
}

static int64_t next_ms(void *self)
{
    const struct fault_merge *m = self;
    int64_t first = next_of(&m->sources[0]);
    int64_t second = next_of(&m->sources[1]);
    return first <= second ? first : second;
}

static bool take(void *self, struct sim_fault *out)
{
    const struct fault_merge *m = self;
    bool second = next_of(&m->sources[1]) < next_of(&m->sources[0]);
    const struct sim_faults *source = &m->sources[second];
    if (!source->take(source->self, out))
        return false;
    out->class += second ? m->sources[0].class_count : 0;
    return true;
}

struct fault_merge *fault_merge_create(const struct sim_faults *first,
                                       const struct sim_faults *second)
{
    struct fault_merge *m = mem_alloc(1, sizeof *m);
    *m = (struct fault_merge){.sources = {*first, *second}};
    m->names = mem_alloc((size_t)first->class_count + second->class_count + 1, sizeof *m->names);
    memcpy(m->names, first->classes, first->class_count * sizeof *m->names);
    memcpy(m->names + first->class_count, second->classes, second->class_count * sizeof *m->names);
    return m;
}

void fault_merge_destroy(struct fault_merge *m)
{
    if (m == NULL)
        return;
    free(m->names);
    free(m);
}

struct sim_faults fault_merge_faults(struct fault_merge *m)
{
    int user = asks_jobs(m);
    uint32_t before = user == 1 ? m->sources[0].class_count : 0;
    return (struct sim_faults){.self = m,
                               .begin = begin,
                               .next_ms = next_ms,
                               .take = take,
                               .classes = m->names,
                               .class_count = m->sources[0].class_count + m->sources[1].class_count,
                               .user_after_ms = user < 2 ? user_after_ms : NULL,
                               .user_class = user < 2 ? before + m->sources[user].user_class : 0,
                               .burns_in = m->sources[0].burns_in || m->sources[1].burns_in,
                               .reclaims = m->sources[0].reclaims || m->sources[1].reclaims};
}
