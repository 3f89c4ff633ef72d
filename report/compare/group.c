/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits the paths of groups; see group.h. */
#include "report/compare/group.h"

#include "sim/base/mem.h"
#include "sim/base/symbols.h"

#include <stdlib.h>
#include <string.h>

const char *const group_kind_names[GROUP_KINDS] = {"", "class", "size", "queue"};

/*
 * Returns the start of the metric in a path of a row like "by_queue.*.wait_s": the last ".wait_s",
 * without its dot.
 */
static const char *metric_in(const char *path, const struct metric_row *row)
{
    const char *star = row != NULL ? strstr(row->name, "*.") : NULL, *found = NULL;
    size_t n = star != NULL ? strlen(star + 2) : 0;
    for (const char *p = path; star != NULL && *p != '\0'; p++)
        if (*p == '.' && strncmp(p + 1, star + 2, n) == 0 && (p[n + 1] == '\0' || p[n + 1] == '.'))
            found = p + 1;
    return found;
}

bool group_of(const struct measure *m, struct group_path *group)
{
    static const struct {
        const char *prefix;
        enum group_kind kind;
        bool shares;
    } prefixes[] = {
        {"by_class.", GROUP_CLASS, false},
        {"by_size.", GROUP_SIZE, false},
        {"by_queue.", GROUP_QUEUE, false},
        {"fairness.queues.", GROUP_QUEUE, true},
    };
    const char *metric = metric_in(m->path, m->row);
    for (size_t i = 0; metric != NULL && i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i].prefix);
        if (strncmp(m->path, prefixes[i].prefix, n) != 0 || metric <= m->path + n)
            continue;
        *group = (struct group_path){.kind = prefixes[i].kind,
                                     .name = m->path + n,
                                     .length = (size_t)(metric - 1 - (m->path + n)),
                                     .metric = metric,
                                     .shares = prefixes[i].shares};
        return true;
    }
    return false;
}

bool group_is_twin(const struct measures *m, const struct measure *measure)
{
    struct group_path group;
    if (!group_of(measure, &group) || !group.shares)
        return false;
    char *twin = mem_format("by_queue.%s", group.name); /* followed by the metric */
    bool known = symbols_find(m->paths, twin, strlen(twin)) < m->count;
    free(twin);
    return known;
}
